/* Declarations: what stands before a name, and the variables of a module and of shared memory. */
#include <string.h>

#include "runtime/backend/sim/ptx/read_int.h"

bool gx_ptx_integer(gx_reader *r, int64_t *out) {
    gx_ptx_operand o = {0};
    if (!gx_ptx_number(r, &o)) return false;
    *out = o.bits;
    return true;
}

/* `.align 4 .b8 name[16]`, `.u64 .ptr .global .align 1 name`: what stands before the name. */
bool gx_ptx_declaration(gx_reader *r, gx_declaration *d) {
    *d = (gx_declaration){.align = 1, .count = 1};
    const char *word;
    for (;;) {
        size_t n = gx_ptx_word(r, &word);
        if (n == 0) return gx_ptx_fail(r, "a name was expected", word, 1);
        if (*word != '.') {
            d->name = word;
            d->length = n;
            break;
        }
        if (gx_ptx_is(word, n, ".attribute")) { /* (.managed): the host's memory is this, too */
            while (r->at < r->end && *r->at != ')' && *r->at != ';') r->at++;
            if (!gx_ptx_expect(r, ')')) return false;
            continue;
        }
        if (gx_ptx_is(word, n, ".align")) {
            if (!gx_ptx_integer(r, &d->align)) return false;
            continue;
        }
        gx_ptx_type t = gx_ptx_type_of(word + 1, n - 1);
        if (t != PT_NONE) d->type = t;
    }
    int item = gx_ptx_bytes(d->type);
    if (d->align < item) d->align = item;
    if (d->align < 1 || d->align > 4096)
        return gx_ptx_fail(r, "a bad alignment of", d->name, d->length);
    while (gx_ptx_accept(r, '[')) {
        int64_t n = 0;
        d->array = true;
        if (!gx_ptx_accept(r, ']')) {
            if (!gx_ptx_integer(r, &n) || !gx_ptx_expect(r, ']')) return false;
        }
        if (n < 0 || n > INT32_MAX || d->count * n > INT32_MAX)
            return gx_ptx_fail(r, "a bad size of", d->name, d->length);
        d->count *= n;
    }
    return true;
}

/* --- variables of the module --- */

static bool read_values(gx_reader *r, gx_ptx_variable *v, int item) {
    int64_t at = 0;
    bool braces = gx_ptx_accept(r, '{');
    do {
        gx_ptx_operand o = {0};
        gx_ptx_skip(r);
        if (braces && r->at < r->end && *r->at == '}') break;
        char c = r->at < r->end ? *r->at : 0;
        uint64_t bits;
        if ((c >= '0' && c <= '9') || c == '-') {
            if (!gx_ptx_number(r, &o)) return false;
            bits = (uint64_t)o.bits;
        } else {
            const char *word;
            size_t n = gx_ptx_word(r, &word);
            bool generic = gx_ptx_is(word, n, "generic");
            if (generic && (!gx_ptx_expect(r, '(') || !(n = gx_ptx_word(r, &word)))) return false;
            const gx_symbol *s = gx_symbol_find(r, word, n);
            if (!s || (s->kind != SYM_FUNCTION && s->kind != SYM_VARIABLE))
                return gx_ptx_fail(r, "unknown name", word, n);
            bits = s->kind == SYM_FUNCTION
                       ? (uint64_t)GX_SEG_CODE << GX_SEGMENT_SHIFT | (uint64_t)s->at
                       : (uint64_t)s->at << GX_SEGMENT_SHIFT;
            if (generic && !gx_ptx_expect(r, ')')) return false;
            if (gx_ptx_accept(r, '+')) {
                int64_t more;
                if (!gx_ptx_integer(r, &more)) return false;
                bits += (uint64_t)more;
            }
        }
        if (at + item > v->bytes)
            return gx_ptx_fail(r, "too many values of", v->name, strlen(v->name));
        const uint64_t value[2] = {bits, 0}; /* .b128 has two halves */
        memcpy(v->data + at, value, (size_t)item);
        at += item;
    } while (gx_ptx_accept(r, ','));
    return !braces || gx_ptx_expect(r, '}');
}

bool gx_ptx_add_variable(gx_reader *r, const gx_declaration *d, bool constant, bool external) {
    gx_sim *sim = r->sim;
    if (sim->n_variable == sim->room_variable) {
        int room = sim->room_variable ? sim->room_variable * 2 : 16;
        gx_ptx_variable *more = gx_realloc(r->rt, sim->variable, (size_t)room * sizeof *more);
        if (!more) return false;
        sim->variable = more;
        sim->room_variable = room;
    }
    gx_symbol *s;
    if (!gx_symbol_add(r, SYM_VARIABLE, d->name, d->length, &s)) return false;
    gx_ptx_variable *v = &sim->variable[sim->n_variable];
    *v = (gx_ptx_variable){.name = s->name,
                           .bytes = d->count * gx_ptx_bytes(d->type),
                           .constant = constant,
                           .external = external,
                           .segment = GX_SEG_FIRST + sim->n_variable};
    v->data = gx_alloc_zero(r->rt, (size_t)(v->bytes ? v->bytes : 1));
    if (!v->data) return false;
    s->at = v->segment;
    sim->n_variable++;
    if (gx_ptx_accept(r, '=') && !read_values(r, v, gx_ptx_bytes(d->type))) return false;
    return gx_ptx_expect(r, ';');
}

/* Remembers the variable for what is said about it. */
static bool name_shared(gx_reader *r, const gx_symbol *s, int32_t bytes) {
    gx_sim *sim = r->sim;
    if (sim->n_shared == sim->room_shared) {
        int room = sim->room_shared ? sim->room_shared * 2 : 8;
        gx_ptx_shared *more = gx_realloc(r->rt, sim->shared, (size_t)room * sizeof *more);
        if (!more) return false;
        sim->shared = more;
        sim->room_shared = room;
    }
    sim->shared[sim->n_shared++] = (gx_ptx_shared){
        .name = s->name, .fn = r->fn ? r->fn->name : NULL, .at = s->at, .bytes = bytes};
    return true;
}

void gx_ptx_use_shared(gx_reader *r, const gx_symbol *s) {
    if (s->at < GX_SHARED_DYNAMIC || !r->fn) return;
    const char **names = r->fn->dynamic;
    if (!names[0])
        names[0] = s->name;
    else if (!names[1] && strcmp(names[0], s->name) != 0)
        names[1] = s->name;
}

/* The gap behind a shared variable: nobody should go there. Of whole rows of banks, so that what
   shares a bank is as without it. */
static int32_t gap_behind(int64_t size) {
    enum { ROW = 128, MOST = 1024 };
    return size > MOST ? MOST : gx_ptx_align_up(size, ROW);
}

/* Static shared variables follow each other from 0, with gaps; the dynamic one has a window of its
   own, so that none reaches into another unseen. */
bool gx_ptx_add_shared(gx_reader *r, const gx_declaration *d, bool external) {
    gx_symbol *s;
    if (!gx_symbol_add(r, SYM_SHARED, d->name, d->length, &s)) return false;
    int32_t *bytes = r->fn ? &r->fn->shared_bytes : &r->sim->shared_bytes;
    int32_t *used = r->fn ? &r->fn->shared_used : &r->sim->shared_used;
    int64_t size = d->count * gx_ptx_bytes(d->type);
    if (external || (d->array && size == 0)) {
        s->at = GX_SHARED_DYNAMIC;
        size = 0;
    } else {
        if (*bytes + size > GX_SHARED_DYNAMIC / 2)
            return gx_ptx_fail(r, "too much shared memory in", d->name, d->length);
        *bytes = gx_ptx_align_up(*bytes, d->align < 16 ? 16 : d->align);
        s->at = *bytes;
        *bytes += (int32_t)size + gap_behind(size);
        *used = gx_ptx_align_up(*used, d->align < 1 ? 1 : d->align) + (int32_t)size;
    }
    return name_shared(r, s, (int32_t)size) && gx_ptx_expect(r, ';');
}
