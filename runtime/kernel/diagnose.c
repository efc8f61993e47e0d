/* What is said when a kernel did wrong: the array, the element, who did it first, how many others,
   and the line of the script. */
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

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
    } else if (f->text[0]) {
        gx_fail(rt, GX_IndexError, "kernel.bounds", "%s: %s is %s outside its %s by %s%s", e->name,
                f->text, did, "bytes", who, others);
    } else {
        gx_fail(rt, GX_IndexError, "kernel.bounds",
                "%s: %s of memory outside the arrays of this launch, by %s%s", e->name, did, who,
                others);
    }
    note_line(raw, f->line);
    if (f->array >= 0 && f->kind == GX_FAULT_BOUNDS && f->index >= 0) {
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
    snprintf(to, room, "%s[%lld]", name, (long long)f->index);
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
    *strchr(element, '[') = 0;
    gx_raw_help_race(raw, e, f, element);
    return false;
}

bool gx_raw_diagnose(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                  const gx_sim_report *report) {
    const gx_sim_fault *f = &report->fault;
    gx_rt *rt = raw->rt;
    char who[128], element[320];
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
        gx_fail(rt, GX_IndexError, "kernel.null", "%s: %s through a null pointer by %s", e->name,
                f->write ? "write" : "read", who);
        break;
    case GX_FAULT_ALIGNMENT:
        gx_fail(rt, GX_RuntimeError, "kernel.alignment",
                "%s: an access of %lld bytes at an address that is not a multiple of %lld, by %s",
                e->name, (long long)f->bytes, (long long)f->bytes, who);
        break;
    case GX_FAULT_SHARED:
        gx_fail(rt, GX_IndexError, "kernel.shared",
                "%s: %s outside the block's shared memory (%lld bytes static, %lld dynamic) by %s",
                e->name, f->write ? "write" : "read", (long long)e->shared, (long long)l->shared,
                who);
        break;
    case GX_FAULT_LOCAL:
        gx_fail(rt, GX_IndexError, "kernel.local", "%s: %s outside the thread's own arrays by %s",
                e->name, f->write ? "write" : "read", who);
        break;
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
        element_text(l, f, element, sizeof element);
        gx_fail(rt, GX_RuntimeError, "kernel.unset",
                "%s: %s of shared memory is read by %s, but nothing was written to it", e->name,
                element, who);
        break;
    case GX_FAULT_FREE:
        gx_fail(rt, GX_RuntimeError, "kernel.free",
                "%s: free of memory that malloc did not give, or that was freed before, by %s",
                e->name, who);
        break;
    case GX_FAULT_CALL:
    case GX_FAULT_NONE:
    case GX_FAULT_KINDS:
    default:
        gx_fail(rt, GX_RuntimeError, "kernel.call",
                "%s: a call of something that is not a function by %s", e->name, who);
        break;
    }
    note_line(raw, f->line);
    return false;
}
