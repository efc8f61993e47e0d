/* Who works on an array: use.h. Asked only before a script changes the shape of an array. */
#include "runtime/object/use.h"

#include "runtime/object/container/list.h"

static bool holds(int64_t count, const gx_value *values, const gx_obj *a, bool in_tuples) {
    for (int64_t i = 0; i < count; i++) {
        const gx_value *items;
        if (values[i].tag == GX_ARRAY && values[i].obj == a) return true;
        if (values[i].tag != GX_TUPLE || !in_tuples) continue;
        int64_t n = gx_sequence_items(values[i], &items);
        if (holds(n, items, a, false)) return true;
    }
    return false;
}

static bool use_holds(const gx_use *u, const gx_obj *a) {
    int first = u->count < u->few ? u->count : u->few;
    return holds(first, u->first, a, true) || holds(u->count - first, u->more, a, true);
}

static bool fail(gx_rt *rt, const gx_call *c) {
    gx_fail(rt, GX_ValueError, "array.in_use",
            "cannot change the shape of an array in place while %s%s works on it",
            c ? c->fn->name : "an operation", c ? "()" : "");
    return gx_help(rt, "x.reshape(shape) and np.resize(x, shape) make another array");
}

bool gx_use_none(gx_rt *rt, const gx_obj *a, const gx_call *by) {
    for (const gx_call *c = rt->calls; c; c = c->up)
        if (c != by && (holds(c->argc, c->argv, a, false) ||
                        holds(c->rest_count, c->rest, a, false)))
            return fail(rt, c);
    for (const gx_use *u = rt->uses; u; u = u->up)
        if (use_holds(u, a)) return fail(rt, u->within);
    return true;
}
