/* What globals() gives for a module: a mapping whose items are the module's names, read and written
   where they are. Methods that only look (keys, items, copy …) are those of a dict made of the
   names as they are now. */
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

typedef struct view {
    gx_container head;
    gx_value module;
} view;

static gx_module *module_of(gx_borrowed v) {
    return gx_as_module(((view *)v.obj)->module);
}

static void free_view(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    gx_drop(((view *)o)->module);
    gx_free(rt, o);
}

static void traverse_view(gx_obj *o, gx_visit visit, void *ctx) {
    view *v = (view *)o;
    if (gx_is_object(v->module)) visit(v->module.obj, ctx);
}

/* The bound names as a dict. */
static bool snapshot(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_module *m = module_of(self);
    gx_value dict, key;
    if (!gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < m->count; i++) {
        if (m->values[i].tag == GX_UNDEF) continue;
        ok = gx_str_of_sym(rt, m->names[i], &key);
        if (!ok) break;
        ok = gx_dict_set(rt, dict, key, m->values[i]);
        gx_drop(key);
    }
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

static bool missing(gx_rt *rt, gx_borrowed key) {
    gx_raise_with(rt, GX_KeyError, key);
    return false;
}

/* The value under a key, owned. */
static gx_try find(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_value *out) {
    if (key.tag != GX_STR) return GX_TRY_NO;
    gx_sym name = gx_str_sym(rt, key);
    return name ? gx_module_get(rt, module_of(self), name, out) : GX_TRY_ERROR;
}

static bool view_get(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_value *out) {
    gx_try has = find(rt, self, key, out);
    return has == GX_TRY_NO ? missing(rt, key) : has == GX_TRY_YES;
}

static bool view_set(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_borrowed item) {
    if (key.tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "globals.key", "names of a module are strings, not %s",
                       gx_type_name(key));
    gx_sym name = gx_str_sym(rt, key);
    return name && gx_module_set(rt, module_of(self), name, item);
}

static bool view_del(gx_rt *rt, gx_borrowed self, gx_borrowed key) {
    gx_value old;
    gx_try has = find(rt, self, key, &old);
    if (has == GX_TRY_NO) return missing(rt, key);
    if (has == GX_TRY_ERROR) return false;
    gx_drop(old);
    return gx_set_attr(rt, ((view *)self.obj)->module, gx_str_sym(rt, key), gx_undef());
}

static bool view_contains(gx_rt *rt, gx_borrowed self, gx_borrowed key, bool *out) {
    gx_value v;
    gx_try has = find(rt, self, key, &v);
    *out = has == GX_TRY_YES;
    if (*out) gx_drop(v);
    return has != GX_TRY_ERROR;
}

static bool view_length(gx_rt *rt, gx_borrowed self, int64_t *out) {
    (void)rt;
    const gx_module *m = module_of(self);
    *out = 0;
    for (int32_t i = 0; i < m->count; i++) *out += m->values[i].tag != GX_UNDEF;
    return true;
}

static bool view_iter(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value dict;
    if (!snapshot(rt, self, &dict)) return false;
    bool ok = gx_iter(rt, dict, out);
    gx_drop(dict);
    return ok;
}

static bool view_repr(gx_rt *rt, gx_borrowed self, gx_buf *out) {
    gx_value dict;
    if (!snapshot(rt, self, &dict)) return false;
    bool ok = gx_repr(rt, dict, out);
    gx_drop(dict);
    return ok;
}

static gx_try view_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value left = gx_undef(), right = gx_undef();
    bool yes;
    bool mine = gx_globals_of(a) != NULL, its = gx_globals_of(b) != NULL;
    if (op != GX_EQ && op != GX_NE) return GX_TRY_NO;
    bool ok = mine ? snapshot(rt, a, &left) : (left = gx_keep(a), true);
    ok = ok && (its ? snapshot(rt, b, &right) : (right = gx_keep(b), true));
    ok = ok && gx_equal(rt, left, right, &yes);
    gx_drop(left);
    gx_drop(right);
    if (ok) *out = gx_bool(yes == (op == GX_EQ));
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool view_get_or(gx_call *c, gx_value *out) {
    gx_try has = find(c->rt, c->argv[0], c->argv[1], out);
    if (has == GX_TRY_NO) *out = gx_keep(c->argv[2]);
    return has != GX_TRY_ERROR;
}

static bool view_setdefault(gx_call *c, gx_value *out) {
    gx_try has = find(c->rt, c->argv[0], c->argv[1], out);
    if (has != GX_TRY_NO) return has == GX_TRY_YES;
    if (!view_set(c->rt, c->argv[0], c->argv[1], c->argv[2])) return false;
    *out = gx_keep(c->argv[2]);
    return true;
}

static bool view_pop(gx_call *c, gx_value *out) {
    gx_try has = find(c->rt, c->argv[0], c->argv[1], out);
    if (has == GX_TRY_NO) {
        if (!gx_arg_given(c, 2)) return missing(c->rt, c->argv[1]);
        *out = gx_keep(c->argv[2]);
        return true;
    }
    if (has == GX_TRY_ERROR) return false;
    if (view_del(c->rt, c->argv[0], c->argv[1])) return true;
    gx_drop(*out);
    return false;
}

static bool view_update(gx_call *c, gx_value *out) {
    gx_value dict;
    const gx_value named = c->argv[2];
    int argc = gx_arg_given(c, 1) ? 1 : 0;
    if (!gx_call_value(c->rt, gx_type_value(&gx_type_dict), argc, &c->argv[1], 0, NULL, &dict))
        return false;
    bool ok = true;
    gx_entry *e;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t at = 0; ok && (e = gx_dict_next(gx_as_dict(pass ? named : dict), &at));)
            ok = view_set(c->rt, c->argv[0], e->key, e->value);
    gx_drop(dict);
    *out = gx_none();
    return ok;
}

static const gx_native view_methods[] = {
    {"get", "get(self, key, default=None, /)", "The value of a name, or the default.", NULL,
     view_get_or, 0, 0},
    {"setdefault", "setdefault(self, key, default=None, /)",
     "The value of a name, which is bound to the default first when it is not bound.", NULL,
     view_setdefault, 0, 0},
    {"pop", "pop(self, key, default=<no value>, /)", "Unbinds a name and gives its value.", NULL,
     view_pop, 0, 0},
    {"update", "update(self, other=<no value>, /, **names)", "Binds the names of a dict.", NULL,
     view_update, 0, 0},
    {0},
};

/* Other methods of a dict: those of the names as they are now. */
static gx_try view_attr(gx_rt *rt, gx_borrowed self, gx_sym name, gx_value *out) {
    static const char *const looking[] = {"keys", "values", "items", "copy"};
    gx_value dict;
    bool known = false;
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++)
        known = known || strcmp(gx_sym_text(rt, name), looking[i]) == 0;
    if (!known) return GX_TRY_NO;
    if (!snapshot(rt, self, &dict)) return GX_TRY_ERROR;
    gx_try has = gx_try_attr(rt, dict, name, out);
    gx_drop(dict);
    return has;
}

static const gx_type view_type = {
    .name = "dict",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "The names of a module, live.",
    .free = free_view,
    .traverse = traverse_view,
    .repr = view_repr,
    .compare = view_compare,
    .length = view_length,
    .get = view_get,
    .set = view_set,
    .del = view_del,
    .contains = view_contains,
    .iter = view_iter,
    .attr = view_attr,
    .methods = view_methods,
};

gx_module *gx_globals_of(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &view_type ? module_of(v) : NULL;
}

bool gx_globals_view(gx_rt *rt, gx_module *m, gx_value *out) {
    if (m->dict.tag == GX_DICT) {
        *out = gx_keep(m->dict);
        return true;
    }
    if (m->view.tag == GX_UNDEF) {
        view *v = gx_obj_new(rt, &view_type, sizeof *v);
        if (!v) return false;
        gx_obj_keep(&m->head.obj);
        v->module = gx_object(&m->head.obj);
        gx_container_track(rt, &v->head);
        m->view = gx_object(&v->head.obj);
    }
    *out = gx_keep(m->view);
    return true;
}
