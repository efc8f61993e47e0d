/* The modules _weakref and _gc: what weakref and gc are made of. */
#include "runtime/object/container/list.h"
#include "runtime/object/container/weak.h"
#include "stdlib/common.h"

static bool weak_count(gx_call *c, gx_value *out) {
    int64_t n = 0;
    for (const gx_weak *w = gx_weak_first(c->rt, c->argv[0]); w; w = w->next) n++;
    *out = gx_int(n);
    return true;
}

static bool weak_refs(gx_call *c, gx_value *out) {
    gx_value list;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    for (gx_weak *w = gx_weak_first(c->rt, c->argv[0]); w; w = w->next)
        if (!gx_list_push(c->rt, list, gx_object(&w->head.obj))) {
            gx_drop(list);
            return false;
        }
    *out = list;
    return true;
}

const gx_native gx_py_weak_functions[] = {
    {"getweakrefcount", "getweakrefcount(object, /)", "How many weak references an object has.",
     NULL, weak_count, 0, 0},
    {"getweakrefs", "getweakrefs(object, /)", "An object's weak references.", NULL, weak_refs, 0,
     0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_weak_constants[] = {
    {.name = "ref", .kind = GX_CONST_TYPE, .type = &gx_type_weak},
    {.name = "ReferenceType", .kind = GX_CONST_TYPE, .type = &gx_type_weak},
    {.name = NULL},
};

/* What had last words goes at the second collection. */
static bool gc_collect(gx_call *c, gx_value *out) {
    int64_t n = gx_collect(c->rt);
    if (c->rt->dying) {
        gx_last_words(c->rt);
        n += gx_collect(c->rt);
    }
    *out = gx_int(n);
    return true;
}

static bool gc_live(gx_call *c, gx_value *out) {
    *out = gx_int(gx_live_objects(c->rt));
    return true;
}

const gx_native gx_py_gc_functions[] = {
    {"collect", "collect()", "Frees what only refers to itself; says how many objects.", NULL,
     gc_collect, 0, 0},
    {"live", "live()", "How many objects there are.", NULL, gc_live, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
