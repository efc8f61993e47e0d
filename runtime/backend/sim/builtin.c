/* Functions that device code calls and nobody wrote: printf, assert, malloc and free. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum { MOST_WATCHED = 1 << 20 }; /* bytes of one malloc */

/* Argument k of the call in a lane. */
static uint64_t argument(const gx_sim_warp *w, const gx_ins *i, int lane, int k) {
    uint64_t u = 0;
    const gx_sim_frame *f = w->frame;
    if (k >= i->site->n_arg) return 0;
    size_t bytes = (size_t)i->site->arg_bytes[k] < 8 ? (size_t)i->site->arg_bytes[k] : 8;
    memcpy(&u, f->params + (int64_t)lane * f->fn->param_bytes + i->site->arg[k], bytes);
    return u;
}

static void give(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t v) {
    gx_sim_frame *f = w->frame;
    if (!i->site->n_result) return;
    size_t bytes = (size_t)i->site->result_bytes < 8 ? (size_t)i->site->result_bytes : 8;
    memcpy(f->params + (int64_t)lane * f->fn->param_bytes + i->site->result, &v, bytes);
}

/* A string of device memory, cut to the room. */
static void read_text(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, char *to,
                      size_t room) {
    size_t n = 0;
    for (; at && n + 1 < room; n++) {
        const char *c = gx_mem_at(w, i, lane, at + n, 1, false);
        if (!c || !*c) break;
        to[n] = *c;
    }
    to[n] = 0;
}

typedef struct printer {
    gx_sim_warp *w;
    const gx_ins *i;
    int lane, items;
    uint64_t args; /* the next argument's address */
    char out[4096];
    size_t length;
} printer;

static uint64_t next_argument(printer *p, uint64_t bytes) {
    uint64_t v = 0;
    p->args = (p->args + bytes - 1) / bytes * bytes;
    const char *at = gx_mem_at(p->w, p->i, p->lane, p->args, (int64_t)bytes, false);
    if (at) memcpy(&v, at, bytes);
    p->args += bytes;
    p->items++;
    return v;
}

static void add(printer *p, const char *text, int n) {
    for (int k = 0; k < n && p->length + 1 < sizeof p->out; k++) p->out[p->length++] = text[k];
}

/* One conversion: spec is "%-8.3l" without its letter; the host's printf does the work. */
static void convert(printer *p, char *spec, size_t n, char letter, bool wide) {
    char text[512], string[256];
    int made = 0;
    double d;
    uint64_t u;
    switch (letter) {
    case 'd':
    case 'i':
        u = next_argument(p, wide ? 8 : 4);
        snprintf(spec + n, 8, "lld");
        made = snprintf(text, sizeof text, spec, wide ? (long long)u : (long long)(int32_t)u);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        snprintf(spec + n, 8, "ll%c", letter);
        made =
            snprintf(text, sizeof text, spec, (unsigned long long)next_argument(p, wide ? 8 : 4));
        break;
    case 'c':
        snprintf(spec + n, 8, "c");
        made = snprintf(text, sizeof text, spec, (int)next_argument(p, 4));
        break;
    case 's':
        read_text(p->w, p->i, p->lane, next_argument(p, 8), string, sizeof string);
        snprintf(spec + n, 8, "s");
        made = snprintf(text, sizeof text, spec, string);
        break;
    case 'p':
        made = snprintf(text, sizeof text, "0x%llx", (unsigned long long)next_argument(p, 8));
        break;
    default:
        u = next_argument(p, 8);
        memcpy(&d, &u, 8);
        snprintf(spec + n, 8, "%c", letter);
        made = snprintf(text, sizeof text, spec, d);
        break;
    }
    if (made > (int)sizeof text - 1) made = sizeof text - 1;
    add(p, text, made);
}

static void print_one(gx_sim_warp *w, const gx_ins *i, int lane) {
    char format[1024], spec[64];
    printer p = {.w = w, .i = i, .lane = lane, .args = argument(w, i, lane, 1)};
    read_text(w, i, lane, argument(w, i, lane, 0), format, sizeof format);
    for (const char *f = format; *f; f++) {
        if (*f != '%' || f[1] == '%') {
            add(&p, f, 1);
            f += *f == '%';
            continue;
        }
        size_t n = 0;
        bool wide = false;
        spec[n++] = *f++;
        while (*f && strchr("-+ #0123456789.*hlLzjt", *f)) {
            if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't')
                wide = true;
            else if (*f == '*')
                n += (size_t)snprintf(spec + n, 12, "%d", (int)next_argument(&p, 4));
            else if (*f != 'h' && *f != 'L' && n < 40)
                spec[n++] = *f;
            f++;
        }
        if (!*f) break;
        spec[n] = 0;
        if (!strchr("diuxXocspfFeEgGaA", *f)) {
            add(&p, spec, (int)n);
            add(&p, f, 1);
            continue;
        }
        convert(&p, spec, n, *f, wide);
    }
    const gx_sim_launch *launch = w->block->run->launch;
    if (launch->print) launch->print(launch->print_arg, p.out, p.length);
    give(w, i, lane, (uint64_t)p.items);
}

static void fail_assert(gx_sim_warp *w, const gx_ins *i, int lane) {
    char text[160], function[80];
    read_text(w, i, lane, argument(w, i, lane, 0), text, sizeof text);
    read_text(w, i, lane, argument(w, i, lane, 3), function, sizeof function);
    gx_fault_add(w, i, lane, GX_FAULT_ASSERT, argument(w, i, lane, 2), 0, false);
    gx_fault_text(w, GX_FAULT_ASSERT, text);
    w->block->failed = true;
}

/* Memory of the module: it lives until free or the module's end. */
static uint64_t allocate(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t bytes) {
    gx_run *run = w->block->run;
    if (run->n_segment == run->room_segment || bytes > (UINT64_C(1) << 32)) return 0;
    char *data = gx_outside_zero(run->rt, bytes ? bytes : 1);
    if (!data) return 0;
    int k = run->n_segment++;
    run->segment[k] = (gx_segment){.data = data,
                                   .bytes = (int64_t)bytes,
                                   .array = -1,
                                   .name = "memory from malloc",
                                   .made_line = i->line,
                                   .block = (uint32_t)w->block->number,
                                   .thread = (uint32_t)(w->number * GX_LANES + lane),
                                   .writable = true};
    if (w->watched && bytes && bytes <= MOST_WATCHED) {
        size_t grains = (size_t)(bytes >> run->sim->global_shift) + 1;
        run->segment[k].shadow = gx_outside_zero(run->rt, grains * sizeof(gx_shadow));
        run->segment[k].since = run->segment[k].shadow ? 1 : 0;
    }
    return (uint64_t)k << GX_SEGMENT_SHIFT;
}

/* free: from now on every access is outside, by a name that says so. */
static void release(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at) {
    gx_run *run = w->block->run;
    uint64_t k = at >> GX_SEGMENT_SHIFT;
    gx_segment *s = k < (uint64_t)run->n_segment ? &run->segment[k] : NULL;
    if (at == 0) return;
    if (k < (uint64_t)run->heap_first || !s || !s->data || at << (64 - GX_SEGMENT_SHIFT) != 0) {
        gx_fault_add(w, i, lane, GX_FAULT_FREE, at, 0, true);
        return;
    }
    gx_outside_free(run->rt, s->data);
    gx_outside_free(run->rt, s->shadow);
    *s = (gx_segment){.array = -1,
                      .name = GX_SIM_FREED,
                      .made_line = s->made_line,
                      .freed_line = i->line};
}

void gx_builtin_call(gx_sim_warp *w, const gx_ins *i, int builtin, uint32_t mask) {
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        switch (builtin) {
        case BUILTIN_PRINTF:
            print_one(w, i, lane);
            break;
        case BUILTIN_ASSERT:
            fail_assert(w, i, lane);
            return;
        case BUILTIN_MALLOC:
            give(w, i, lane, allocate(w, i, lane, argument(w, i, lane, 0)));
            break;
        default:
            release(w, i, lane, argument(w, i, lane, 0));
            break;
        }
    }
}

/* --- what a launch leaves behind --- */

void gx_builtin_unwatch(gx_run *run) {
    for (int k = run->heap_first; k < run->n_segment; k++) {
        gx_outside_free(run->rt, run->segment[k].shadow);
        run->segment[k].shadow = NULL;
        run->segment[k].since = 0;
    }
}

/* Marks what the words of a memory point to; true: something new. */
static bool mark(const gx_run *run, const char *data, int64_t bytes, uint8_t *found) {
    bool more = false;
    for (int64_t at = 0; at + 8 <= bytes; at += 8) {
        uint64_t word;
        memcpy(&word, data + at, 8);
        uint64_t k = word >> GX_SEGMENT_SHIFT;
        if (k < (uint64_t)run->heap_first || k >= (uint64_t)run->n_segment || found[k]) continue;
        found[k] = 1;
        more = true;
    }
    return more;
}

void gx_builtin_leaks(gx_run *run) {
    int first = run->heap_first + run->sim->n_heap;
    const gx_segment *lost = NULL;
    int64_t bytes = 0, count = 0;
    if (first >= run->n_segment) return;
    uint8_t *found = gx_outside_zero(run->rt, (size_t)run->n_segment);
    if (!found) return;
    bool more = false;
    for (int k = GX_SEG_FIRST; k < run->heap_first; k++)
        if (run->segment[k].data)
            more = mark(run, run->segment[k].data, run->segment[k].bytes, found) || more;
    for (int k = run->heap_first; k < first; k++)
        if (run->segment[k].data)
            more = mark(run, run->segment[k].data, run->segment[k].bytes, found) || more;
    while (more) {
        more = false;
        for (int k = first; k < run->n_segment; k++) {
            if (found[k] != 1) continue;
            found[k] = 2;
            if (run->segment[k].data)
                more = mark(run, run->segment[k].data, run->segment[k].bytes, found) || more;
        }
    }
    for (int k = first; k < run->n_segment; k++) {
        const gx_segment *s = &run->segment[k];
        if (!s->data || found[k]) continue;
        lost = lost ? lost : s;
        bytes += s->bytes;
        count++;
    }
    gx_outside_free(run->rt, found);
    if (!lost) return;
    const uint32_t *g = run->launch->grid, *b = run->launch->block;
    gx_sim_fault f = {.kind = GX_FAULT_LEAK, .count = count, .bytes = bytes, .array = -1};
    f.line = lost->made_line;
    f.block[0] = lost->block % g[0];
    f.block[1] = lost->block / g[0] % g[1];
    f.block[2] = lost->block / g[0] / g[1];
    f.thread[0] = lost->thread % b[0];
    f.thread[1] = lost->thread / b[0] % b[1];
    f.thread[2] = lost->thread / b[0] / b[1];
    run->fault[GX_FAULT_LEAK].fault = f;
}
