/* What is said when a kernel did wrong: the array, the element, who did it first, how many others,
   and the line of the script. */
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"
#include "runtime/object/warn.h"

/* "block (3), thread (232)", with as many coordinates as the launch has. */
static void place_text(const gx_sim_launch *l, const gx_sim_fault *f, char *to, size_t room) {
    int grid = l->grid[2] > 1 ? 3 : l->grid[1] > 1 ? 2 : 1;
    int block = l->block[2] > 1 ? 3 : l->block[1] > 1 ? 2 : 1;
    size_t n = (size_t)snprintf(to, room, "block (%u", f->block[0]);
    for (int k = 1; k < grid; k++) n += (size_t)snprintf(to + n, room - n, ", %u", f->block[k]);
    n += (size_t)snprintf(to + n, room - n, "), thread (%u", f->thread[0]);
    for (int k = 1; k < block; k++) n += (size_t)snprintf(to + n, room - n, ", %u", f->thread[k]);
    snprintf(to + n, room - n, ")");
}

/* The line of the kernel's source as a note. */
static bool note_line(const gx_raw *raw, uint32_t line) {
    size_t n;
    const char *p = gx_raw_line(raw, line, &n);
    return p && gx_note(raw->rt, "%s:%u: %.*s", raw->file, line, (int)(n > 120 ? 120 : n), p);
}

/* What was written is lost: only the call held the array. */
static bool diagnose_lost(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                          const gx_sim_fault *f, const char *who) {
    const char *given = l->arrays[f->array].name, *name = given && *given ? given : "an array";
    gx_fail(raw->rt, GX_ValueError, "kernel.temporary",
            "%s: %s wrote %s[%lld], but nothing but this call holds the array, so that the result "
            "is lost",
            e->name, who, name, (long long)f->index);
    note_line(raw, f->line);
    if (given && *given)
        gx_help(raw->rt, "name the array before the call: %s = …, and give %s", name, name);
    return false;
}

static bool diagnose_bounds(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                         const gx_sim_fault *f, const char *who) {
    gx_rt *rt = raw->rt;
    const char *did = f->write ? "write" : "read";
    char others[64] = "";
    if (f->count > 1)
        snprintf(others, sizeof others, "; %lld accesses in all", (long long)f->count);
    if (f->array >= 0) {
        const gx_sim_array *a = &l->arrays[f->array];
        const char *name = a->name && *a->name ? a->name : "an array";
        if (f->kind == GX_FAULT_READONLY)
            gx_fail(rt, GX_ValueError, "kernel.const",
                    "%s: %s wrote %s[%lld], whose parameter is const", e->name, who, name,
                    (long long)f->index);
        else
            gx_fail(rt, GX_IndexError, "kernel.bounds",
                    "%s: %s[%lld] is outside %s, which has %lld elements; first %s by %s%s",
                    e->name, name, (long long)f->index, name,
                    (long long)(a->bytes / (a->item ? a->item : 1)), did, who, others);
    } else if (strcmp(f->text, GX_SIM_FREED) == 0) {
        gx_fail(rt, GX_IndexError, "kernel.freed", "%s: %s of memory that was freed, by %s%s",
                e->name, did, who, others);
        note_line(raw, f->freed_line);
    } else if (f->text[0] && !f->size) { /* a GPU does not tell where */
        gx_fail(rt, GX_IndexError, "kernel.bounds", "%s: %s outside of %s by %s%s", e->name, did,
                f->text, who, others);
    } else if (f->text[0]) {
        long long item = f->bytes ? f->bytes : 1, index = f->index;
        index = index >= 0 ? index / item : (index - item + 1) / item;
        gx_fail(rt, GX_IndexError, "kernel.bounds",
                "%s: element %lld of %s is outside: there are %lld; first %s by %s%s", e->name,
                index, f->text, (long long)f->size / item, did, who, others);
        note_line(raw, f->made_line);
    } else {
        gx_fail(rt, GX_IndexError, "kernel.bounds",
                "%s: %s of memory outside the arrays of this launch, by %s%s", e->name, did, who,
                others);
    }
    note_line(raw, f->line);
    gx_raw_note_wrap(raw, f);
    if (f->array >= 0 && f->kind == GX_FAULT_BOUNDS && f->index >= 0 && !f->op) {
        int64_t threads = (int64_t)l->grid[0] * l->block[0];
        int64_t count =
            l->arrays[f->array].bytes / (l->arrays[f->array].item ? l->arrays[f->array].item : 1);
        if (l->grid[1] * l->block[1] == 1 && threads > count)
            gx_note(rt, "launched %u x %u = %lld threads for %lld elements", l->grid[0],
                    l->block[0], (long long)threads, (long long)count);
    }
    gx_note(rt, "nothing outside was touched");
    return false;
}

/* "s[63]" of shared memory, "y[3]" of an array. */
static void element_text(const gx_sim_launch *l, const gx_sim_fault *f, char *to, size_t room) {
    const char *name = f->text[0] ? f->text : f->shared ? "shared memory" : "an array";
    if (f->array >= 0 && l->arrays[f->array].name && *l->arrays[f->array].name)
        name = l->arrays[f->array].name;
    if (strchr(name, ' '))
        snprintf(to, room, "byte %lld of %s", (long long)f->index, name);
    else
        snprintf(to, room, "%s[%lld]", name, (long long)f->index);
}

/* The name of the thread's own array that the line of a fault is about, with its declared size if
   that is a plain number; false: the text does not tell. */
static bool local_name(const gx_raw *raw, const gx_sim_fault *f, char *name, size_t room,
                       int64_t *size) {
    size_t n;
    const char *line = gx_raw_line(raw, f->line, &n);
    for (const char *p = line, *end = line + n; line && p < end; p++) {
        if (*p != '[' || p == line || !gx_kernel_letter(p[-1])) continue;
        const char *from = p;
        while (from > line && gx_kernel_letter(from[-1])) from--;
        snprintf(name, room, "%.*s", (int)(p - from), from);
        if (gx_raw_array_size(raw, name, "__shared__", size)) return true;
    }
    return false;
}

/* An access outside of an array in shared memory, or of the thread's own. */
static bool diagnose_inner(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                           const gx_sim_fault *f, const char *who) {
    const bool local = f->kind == GX_FAULT_LOCAL;
    char name[128] = "", others[64] = "";
    const char *code = local ? "kernel.local" : "kernel.shared";
    const char *did = f->write ? "write" : "read";
    int64_t size = 0, item = f->bytes ? f->bytes : 1;
    if (f->count > 1)
        snprintf(others, sizeof others, "; %lld accesses in all", (long long)f->count);
    if (!local && f->text[0]) {
        snprintf(name, sizeof name, "%.100s", f->text);
        size = f->size / item;
    } else if (local && local_name(raw, f, name, sizeof name, &size) &&
               (!f->size || (size + 15) / 4 * 4 * item < f->size)) {
        size = 0; /* where it begins is not known, or there are others beside it */
    }
    if (size > 0)
        gx_fail(raw->rt, GX_IndexError, code,
                "%s: %s[%lld] is outside %s, which has %lld element%s; first %s by %s%s", e->name,
                name, (long long)f->index, name, (long long)size, size == 1 ? "" : "s", did, who,
                others);
    else if (local)
        gx_fail(raw->rt, GX_IndexError, code,
                "%s: %s outside %s, one of the thread's arrays, by %s%s", e->name, did,
                name[0] ? name : "its bytes", who, others);
    else
        gx_fail(raw->rt, GX_IndexError, code,
                "%s: %s outside the block's shared memory (%lld bytes static, %lld dynamic) by "
                "%s%s",
                e->name, did, (long long)e->shared, (long long)l->shared, who, others);
    note_line(raw, f->line);
    gx_raw_note_rows(raw, f, name);
    if (!local && (!f->size || f->size == l->shared) && gx_raw_is_dynamic(raw, name))
        gx_help(raw->rt,
                "%s[grid, block, bytes]: the third number is the size of %s; %lld %s given",
                e->name, name[0] ? name : "extern __shared__ arrays", (long long)l->shared,
                l->shared == 1 ? "is" : "are");
    return false;
}

static bool diagnose_unset(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                           const gx_sim_fault *f, const char *who) {
    char element[320], name[128];
    int64_t size;
    if (f->local) {
        bool named = local_name(raw, f, name, sizeof name, &size);
        gx_fail(raw->rt, GX_RuntimeError, "kernel.unset",
                "%s: an element of %s is read by %s, but nothing was written to it", e->name,
                named ? name : "a thread's own array", who);
        note_line(raw, f->line);
        if (named)
            gx_help(raw->rt, "%s[…] = {} where it is declared sets its elements to 0", name);
        return false;
    }
    element_text(l, f, element, sizeof element);
    bool heap = f->array < 0 && !f->shared;
    gx_fail(raw->rt, GX_RuntimeError, "kernel.unset",
            "%s: %s%s is read by %s, but nothing was written to it", e->name, element,
            f->shared ? " of shared memory" : "", who);
    if (heap) note_line(raw, f->made_line);
    note_line(raw, f->line);
    if (f->array >= 0)
        gx_help(raw->rt, "zeros(…) instead of empty(…), or write %s before it is read",
                l->arrays[f->array].name);
    return false;
}

/* The warp's instruction that a line calls: "__shfl_down_sync". */
static void warp_call(const gx_raw *raw, uint32_t at, char *to, size_t room) {
    static const char *const calls[] = {"__shfl", "__syncwarp", "__ballot", "__any",
                                        "__all",  "__match",    "__reduce"};
    size_t n;
    const char *line = gx_raw_line(raw, at, &n);
    snprintf(to, room, "an instruction of the warp");
    for (size_t k = 0; line && k < sizeof calls / sizeof *calls; k++) {
        const char *p = strstr(line, calls[k]);
        if (!p || p >= line + n) continue;
        int length = 0;
        while (gx_kernel_letter(p[length])) length++;
        snprintf(to, room, "%.*s", length, p);
        return;
    }
}

static bool diagnose_lanes(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_fault *f,
                           const char *who) {
    char call[64];
    warp_call(raw, f->line, call, sizeof call);
    gx_fail(raw->rt, GX_RuntimeError, "kernel.mask", "%s: %s by %s: %s", e->name, call, who,
            f->text);
    note_line(raw, f->line);
    if (strstr(f->text, "reads from"))
        gx_help(raw->rt, "let all lanes take part, those without a value with 0, or read only from "
                         "those that do");
    else if (strstr(f->text, "not come here"))
        gx_help(raw->rt,
                "%s where all lanes of the mask pass, outside of the branch; or a mask of those "
                "that do: unsigned m = __ballot_sync(0xffffffff, condition) before it",
                call);
    else
        gx_help(raw->rt, "a mask that names every lane that calls it: 0xffffffff for a whole warp");
    return false;
}

static const char *did_text(bool write, bool atomic) {
    return atomic ? "changed atomically" : write ? "written" : "read";
}

/* Two accesses that nothing orders: who did what, then the two lines. */
static bool diagnose_race(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                       const gx_sim_fault *f, const char *who) {
    gx_sim_fault first = *f;
    char element[320], earlier[128], others[64] = "";
    memcpy(first.block, f->other_block, sizeof first.block);
    memcpy(first.thread, f->other_thread, sizeof first.thread);
    place_text(l, &first, earlier, sizeof earlier);
    element_text(l, f, element, sizeof element);
    if (f->count > 1) snprintf(others, sizeof others, "; %lld in all", (long long)f->count);
    gx_fail(raw->rt, GX_RuntimeError, "kernel.race",
            "%s: a race: %s is %s by %s and %s by %s, and nothing orders the two%s", e->name,
            element, did_text(f->other_write, f->other_atomic), earlier,
            did_text(f->write, f->atomic), who, others);
    note_line(raw, f->other_line);
    if (f->line != f->other_line) note_line(raw, f->line);
    element[strcspn(element, "[ ")] = 0;
    if (f->is_volatile) {
        gx_note(raw->rt,
                "volatile does not order the threads of a warp, which need not go in step");
        gx_help(raw->rt, "__syncwarp(); between the accesses, or __shfl_down_sync instead of them");
        return false;
    }
    gx_raw_help_race(raw, e, f, element);
    return false;
}

/* Which parameter is None: the one that the line reads through. */
static bool diagnose_null(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                          const gx_sim_fault *f, const char *who) {
    size_t n;
    const char *line = gx_raw_line(raw, f->line, &n), *name = NULL;
    for (int p = 0; p < e->n_param && line; p++) {
        bool given = false;
        if (!e->param[p].pointer || !e->param[p].name[0]) continue;
        for (int k = 0; k < l->n_array; k++)
            given = given || (l->arrays[k].name && !strcmp(l->arrays[k].name, e->param[p].name));
        if (!given && gx_kernel_word(line, line + n, e->param[p].name)) name = e->param[p].name;
    }
    gx_fail(raw->rt, GX_IndexError, "kernel.null", "%s: %s through a null pointer%s%s%s by %s",
            e->name, f->write ? "write" : "read", name ? " (" : "", name ? name : "",
            name ? " is None)" : "", who);
    note_line(raw, f->line);
    return false;
}

bool gx_raw_as_warning(gx_rt *rt) {
    if (strncmp(rt->error.code, "kernel.", 7) != 0) return false;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_buf_printf(&text, "%s: %s", rt->error.code, rt->error.message);
    for (int k = 0; ok && k < rt->error.note_count; k++)
        ok = gx_buf_printf(&text, "; %s", rt->error.notes[k]);
    if (ok && rt->error.help) ok = gx_buf_printf(&text, "; help: %s", rt->error.help);
    gx_error_clear(rt);
    ok = ok && gx_warn(rt, GX_RuntimeWarning, "%s", gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

bool gx_raw_note_late(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                      const gx_sim_report *report) {
    const gx_sim_fault *f = &report->late;
    char who[128];
    if (f->kind == GX_FAULT_NONE) return false;
    place_text(l, f, who, sizeof who);
    gx_note(raw->rt, "%s was at line %u in %s", e->name, f->line, who);
    note_line(raw, f->line);
    if (f->text[0]) gx_note(raw->rt, "in this round %s", f->text);
    return false;
}

/* Arrays that are too large to be watched. */
static bool tell_unwatched(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_report *report) {
    if (!report->unwatched) return true;
    return gx_warn(raw->rt, GX_RuntimeWarning,
                   "kernel.unwatched: %s: races are not looked for in arrays of %lld MB: the "
                   "simulator watches up to 5; %s[grid, block](…, checked=\"full\") watches all",
                   e->name, (long long)(report->unwatched >> 20), e->name);
}

bool gx_raw_tell_findings(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                          const gx_sim_report *report) {
    const gx_sim_fault *f = &report->warning;
    char who[128];
    char first[64], second[64];
    if (!tell_unwatched(raw, e, report)) return false;
    if (gx_sim_twins(raw->sim, gx_sim_entry(raw->sim, e->symbol), first, second) &&
        !gx_warn(raw->rt, GX_RuntimeWarning,
                 "kernel.twins: %s: %s and %s, both extern __shared__, are the same memory: "
                 "declare one, and begin the other behind its n elements: auto* %s = &%s[n];",
                 e->name, first, second, second, first))
        return false;
    place_text(l, f, who, sizeof who);
    if (f->kind == GX_FAULT_RETURNED)
        return gx_warn(raw->rt, GX_RuntimeWarning,
                       "kernel.returned: %s: %s of block (%u) had ended when the others passed the "
                       "barrier in line %u, which is for all: let them skip the work and not the "
                       "barrier, if (i < n) { … } around what stands before and behind it",
                       e->name, f->text, f->block[0], f->line);
    if (f->kind == GX_FAULT_LEAK)
        return gx_warn(raw->rt, GX_RuntimeWarning,
                       "kernel.leak: %s: %lld bytes of %lld malloc in line %u, first by %s, were "
                       "not freed, and no pointer leads to them any more: free(p) at the end",
                       e->name, (long long)f->bytes, (long long)f->count, f->line, who);
    return true;
}

bool gx_raw_diagnose(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                  const gx_sim_report *report) {
    const gx_sim_fault *f = &report->fault;
    gx_rt *rt = raw->rt;
    char who[128];
    if (f->kind == GX_FAULT_NONE) return true;
    place_text(l, f, who, sizeof who);
    bool lost = f->array >= 0 && l->arrays[f->array].lost;
    if (lost && (f->kind == GX_FAULT_LOST || f->kind == GX_FAULT_READONLY))
        return diagnose_lost(raw, e, l, f, who);
    switch (f->kind) {
    case GX_FAULT_BOUNDS:
    case GX_FAULT_READONLY:
    case GX_FAULT_LOST:
        return diagnose_bounds(raw, e, l, f, who);
    case GX_FAULT_NULL:
        return diagnose_null(raw, e, l, f, who);
    case GX_FAULT_ALIGNMENT:
        gx_fail(rt, GX_RuntimeError, "kernel.alignment",
                "%s: an access of %lld bytes at an address that is not a multiple of %lld, by %s",
                e->name, (long long)f->bytes, (long long)f->bytes, who);
        break;
    case GX_FAULT_SHARED:
    case GX_FAULT_LOCAL:
        return diagnose_inner(raw, e, l, f, who);
    case GX_FAULT_ASSERT:
        gx_fail(rt, GX_AssertionError, "kernel.assert", "%s: assertion `%s` failed in %s", e->name,
                f->text, who);
        break;
    case GX_FAULT_TRAP:
        gx_fail(rt, GX_RuntimeError, "kernel.trap", "%s: the kernel stopped itself (trap) in %s",
                e->name, who);
        break;
    case GX_FAULT_DEADLOCK:
        gx_fail(rt, GX_RuntimeError, "kernel.barrier",
                "%s: block (%u) can never go on: %s, and nobody else can move", e->name,
                f->block[0], f->text);
        gx_raw_help_barrier(raw, l, f);
        break;
    case GX_FAULT_STACK:
        gx_fail(rt, GX_RecursionError, "kernel.stack", "%s: calls too deep in %s", e->name, who);
        break;
    case GX_FAULT_RACE:
        return diagnose_race(raw, e, l, f, who);
    case GX_FAULT_UNSET:
        return diagnose_unset(raw, e, l, f, who);
    case GX_FAULT_DIVERGED:
        gx_fail(rt, GX_RuntimeError, "kernel.divergent",
                "%s: the threads of block (%u) meet at different barriers: %s", e->name,
                f->block[0], f->text);
        gx_raw_help_barrier(raw, l, f);
        break;
    case GX_FAULT_LANES:
        return diagnose_lanes(raw, e, f, who);
    case GX_FAULT_FREE:
        if (f->freed_line) {
            gx_fail(rt, GX_RuntimeError, "kernel.free",
                    "%s: free of memory that was freed before, by %s", e->name, who);
            note_line(raw, f->freed_line);
            if (f->freed_line == f->line) return false;
        } else {
            gx_fail(rt, GX_RuntimeError, "kernel.free",
                    "%s: free of a pointer that malloc did not give, by %s", e->name, who);
        }
        break;
    case GX_FAULT_CALL:
    case GX_FAULT_NONE:
    case GX_FAULT_RETURNED:
    case GX_FAULT_LEAK:
    case GX_FAULT_KINDS:
    default:
        gx_fail(rt, GX_RuntimeError, "kernel.call",
                "%s: a call of something that is not a function by %s", e->name, who);
        break;
    }
    note_line(raw, f->line);
    return false;
}
