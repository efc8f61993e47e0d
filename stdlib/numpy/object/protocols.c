/* The methods by which arrays take part in NumPy's protocols: __array_finalize__, __array_wrap__,
   __array_ufunc__, __array_function__, __array__, and copies. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/override.h"

extern const gx_native gx_np_protocol_methods[];
extern const gx_member gx_np_protocol_members[];

static bool finalize_fn(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_none();
    return true;
}

/* An array that a computation gave, in self's class. */
static bool wrap_fn(gx_call *c, gx_value *out) {
    gx_value v = c->argv[1];
    bool scalar;
    if (v.tag != GX_ARRAY) return gx_arg_wrong(c, 1, "an array");
    if (!gx_arg_bool(c, 3, &scalar)) return false;
    gx_array *a = gx_as_array(v);
    gx_array_keep(a);
    if (gx_is_class_array(c->argv[0])) {
        if (v.obj->type != c->argv[0].obj->type)
            return gx_array_as_take(c->rt, a, c->argv[0].obj->type, c->argv[0], out);
    } else if (scalar && a->ndim == 0) {
        return gx_array_result_take(c->rt, a, out);
    }
    *out = gx_array_value(a);
    return true;
}

static bool array_fn(gx_call *c, gx_value *out) {
    gx_array *a, *r;
    gx_dtype d;
    bool copy = false, never = c->argv[2].tag == GX_BOOL && !c->argv[2].b;
    if (!gx_np_dtype_arg(c, 1, &d)) return false;
    if (gx_arg_some(c, 2) && !gx_arg_bool(c, 2, &copy)) return false;
    if (!gx_asarray(c->rt, c->argv[0], GX_NO_DTYPE, GX_NS_NUMPY, false, &a)) return false;
    if (a->obj.type->heap) {
        bool ok = gx_array_plain(c->rt, a, &r);
        gx_array_drop(a);
        if (!ok) return false;
        a = r;
    }
    if (d == GX_NO_DTYPE) d = (gx_dtype)a->dtype;
    bool ok = !(never && d != a->dtype) ||
              gx_fail(c->rt, GX_ValueError, "array.copy",
                      "Unable to avoid copy while creating an array as requested.");
    ok = ok && gx_array_cast(c->rt, a, d, copy, &r);
    gx_array_drop(a);
    if (ok) *out = gx_array_value(r);
    return ok;
}

/* The keywords of **kwargs behind the values of *args, for a call. */
static bool flatten(gx_call *c, gx_borrowed args, gx_borrowed kwargs, gx_override *o,
                    gx_value *values, gx_sym *names) {
    const gx_value *items;
    int64_t n = gx_sequence_items(args, &items), at = 0;
    gx_entry *e;
    if (n < 0 || kwargs.tag != GX_DICT || n + gx_as_dict(kwargs)->count > GX_OVERRIDE_MOST)
        return gx_fail(c->rt, GX_TypeError, "override.arguments",
                       "%s() needs a tuple and a dict of at most %d arguments", c->fn->name,
                       GX_OVERRIDE_MOST);
    for (int64_t i = 0; i < n; i++) values[i] = items[i];
    o->argc = (int)n;
    while ((e = gx_dict_next(gx_as_dict(kwargs), &at))) {
        names[o->kwc] = gx_str_sym(c->rt, e->key);
        if (!names[o->kwc]) return false;
        values[n + o->kwc++] = e->value;
    }
    return true;
}

/* Does another operand than arrays without a say of their own have its say? */
static bool others(gx_call *c, gx_borrowed args, const char *method) {
    const gx_value *items;
    int64_t n = gx_sequence_items(args, &items);
    for (int64_t i = 0; i < n; i++)
        if (gx_overrides(c->rt, items[i], method) && items[i].tag != GX_ARRAY) return true;
    return false;
}

/* The ufunc or its method without asking the operands' classes. */
static bool array_ufunc_fn(gx_call *c, gx_value *out) {
    gx_value values[GX_OVERRIDE_MOST + 1], fn = c->argv[1];
    gx_sym names[GX_OVERRIDE_MOST];
    gx_override o = {.ns = GX_NS_NUMPY, .argv = values, .kw = names};
    const char *method;
    size_t n;
    if (!gx_arg_str(c, 2, &method, &n)) return false;
    if (fn.tag != GX_NATIVE || !gx_is_ufunc(fn.native)) return gx_arg_wrong(c, 1, "a ufunc");
    if (others(c, c->argv[3], "__array_ufunc__")) return gx_not_implemented(c->rt, out);
    if (!flatten(c, c->argv[3], c->argv[4], &o, values, names)) return false;
    o.fn = fn.native;
    if (strcmp(method, "__call__") != 0) {
        gx_sym name = gx_sym_c(c->rt, method);
        o.fn = name ? gx_type_method(c->rt, &gx_type_ufunc, name) : NULL;
        if (!o.fn)
            return gx_fail(c->rt, GX_ValueError, "override.method", "a ufunc has no method '%s'",
                           method);
        memmove(values + 1, values, (size_t)(o.argc + o.kwc) * sizeof *values);
        values[0] = fn;
        o.argc++;
        o.skip = 1;
    }
    return gx_override_ufunc_plain(c->rt, &o, out);
}

static bool array_function_fn(gx_call *c, gx_value *out) {
    gx_value values[GX_OVERRIDE_MOST + 1], fn = c->argv[1];
    gx_sym names[GX_OVERRIDE_MOST];
    const gx_value *types;
    gx_override o = {.ns = GX_NS_NUMPY, .argv = values, .kw = names};
    int64_t n = gx_sequence_items(c->argv[2], &types);
    for (int64_t i = 0; i < n; i++) {
        const gx_type *t = gx_as_type(types[i]);
        if (t && !gx_type_is(t, &gx_type_array)) return gx_not_implemented(c->rt, out);
    }
    if (!flatten(c, c->argv[3], c->argv[4], &o, values, names)) return false;
    if (fn.tag != GX_NATIVE)
        return gx_call_value(c->rt, fn, o.argc, values, o.kwc, names, out);
    o.fn = fn.native;
    return gx_override_function(c->rt, &o, out);
}

/* A copy, of self's class. */
static bool copy_fn(gx_call *c, gx_value *out) {
    gx_array *a;
    if (c->argv[0].tag != GX_ARRAY) {
        *out = gx_keep(c->argv[0]);
        return true;
    }
    return gx_array_copy(c->rt, gx_as_array(c->argv[0]), 'K', &a) &&
           gx_array_like_take(c->rt, c->argv[0], gx_array_value(a), out);
}

static bool get_priority(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_float(gx_is_array(self) ? 0.0 : -1000000.0);
    return true;
}

const gx_native gx_np_protocol_methods[] = {
    {"__array_finalize__", "__array_finalize__(self, obj, /)",
     "Called with each new array of a class; obj is what it was made of, or None.", NULL,
     finalize_fn, 0, 0},
    {"__array_wrap__", "__array_wrap__(self, array, context=None, return_scalar=False, /)",
     "The result of a function as an array of self's class.", NULL, wrap_fn, 0, 0},
    {"__array__", "__array__(self, dtype=None, copy=None)", "The elements as an ndarray.", NULL,
     array_fn, GX_NATIVE_HOST, 0},
    {"__array_ufunc__", "__array_ufunc__(self, ufunc, method, /, *inputs, **kwargs)",
     "The ufunc, or its method, computed without asking the operands' classes.", NULL,
     array_ufunc_fn, 0, 0},
    {"__array_function__", "__array_function__(self, func, types, args, kwargs)",
     "The function, computed without asking the arguments' classes.", NULL, array_function_fn, 0,
     0},
    {"__copy__", "__copy__(self, /)", "A copy.", NULL, copy_fn, 0, 0},
    {"__deepcopy__", "__deepcopy__(self, memo, /)", "A copy.", NULL, copy_fn, 0, 0},
    {.name = NULL},
};

const gx_member gx_np_protocol_members[] = {
    {"__array_priority__", get_priority, NULL, "Whose class a result of several classes has."},
    {.name = NULL},
};
