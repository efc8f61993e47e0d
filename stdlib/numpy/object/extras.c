/* Small things of numpy and numpy.lib, most of them written in gx (stdlib/numpy/extras.gx),
   and what arrays say of their memory: __array_interface__, __dlpack__, getfield, setfield. */
#include "stdlib/numpy/object/extras.h"

#include <stdio.h>
#include <string.h>

#include "runtime/array/array_class.h"
#include "runtime/object/container/dict.h"
#include "stdlib/numpy/object/flat_int.h"
#include "stdlib/stdlib.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"

extern const gx_native gx_np_extras_functions[], gx_np_array_utils_functions[],
    gx_np_extras_methods[], gx_np_state_extras[], gx_np_generator_extras[], gx_np_ufunc_extras[];
extern const gx_member gx_np_extras_members[];
extern const gx_constant gx_np_extras_constants[], gx_np_lib_extras[], gx_np_mixins_constants[];

static bool text_fn(gx_call *c, gx_value *out) {
    return gx_library_call(c, "numpy.extras", gx_library_text_numpy_extras, out);
}

static bool from_text(gx_rt *rt, const char *name, gx_value *out) {
    return gx_library_name(rt, "numpy.extras", gx_library_text_numpy_extras, GX_NS_NUMPY, name,
                           out);
}

bool gx_np_with_axes(gx_call *c, int axes, int dest, gx_value *out) {
    gx_value fn, args[5] = {gx_native_value(c->fn, GX_NS_NUMPY), c->argv[0], c->argv[1],
                            c->argv[axes], dest < 0 ? gx_none() : c->argv[dest]};
    if (!from_text(c->rt, "with_axes", &fn)) return false;
    bool ok = gx_call_value(c->rt, fn, 5, args, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

/* --- axes ------------------------------------------------------------------------------------- */

static bool axis_index_fn(gx_call *c, gx_value *out) {
    int64_t axis, ndim;
    const char *prefix = NULL;
    size_t length;
    const gx_try is = gx_as_index(c->rt, c->argv[0], &axis);
    if (is == GX_TRY_NO) /* reported to callers of library functions that have an axis */
        return gx_fail(c->rt, GX_TypeError, "axis.type",
                       "'%s' object cannot be interpreted as an integer",
                       gx_type_name(c->argv[0]));
    if (is == GX_TRY_ERROR || !gx_arg_int(c, 1, &ndim) ||
        (gx_arg_some(c, 2) && !gx_arg_str(c, 2, &prefix, &length)))
        return false;
    if (axis < -ndim || axis >= ndim)
        return gx_fail(c->rt, GX_AxisError, "axis.range",
                       "%s%saxis %lld is out of bounds for array of dimension %lld",
                       prefix ? prefix : "", prefix ? ": " : "", (long long)axis, (long long)ndim);
    *out = gx_int(axis < 0 ? axis + ndim : axis);
    return true;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* {'data': (address, read-only), 'strides', 'descr', 'typestr', 'shape', 'version'}. */
static bool get_interface(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const char *data;
    gx_array *a;
    gx_value dict, pair[2], v;
    char type[24];
    if (!gx_asarray(rt, self, GX_NO_DTYPE, GX_NS_NUMPY, false, &a)) return false;
    bool ok = gx_array_read(rt, a, &data) && gx_dict_new(rt, &dict);
    if (!ok) {
        gx_array_drop(a);
        return false;
    }
    const gx_dtype_info *d = &gx_dtypes[a->dtype];
    if (gx_is_number_dtype(a->dtype))
        snprintf(type, sizeof type, "%c%c%u", d->bytes == 1 ? '|' : '<', d->kind_letter, d->bytes);
    else snprintf(type, sizeof type, "%s", d->name);
    pair[0] = gx_int((int64_t)(intptr_t)data);
    pair[1] = gx_bool(a->flags & GX_ARRAY_READONLY);
    ok = gx_tuple_new(rt, 2, pair, &v) && gx_dict_set_c_take(rt, dict, "data", v);
    if (ok && gx_array_is_contiguous(a, 'C'))
        ok = gx_dict_set_c(rt, dict, "strides", gx_none());
    else
        ok = ok && gx_tuple_ints(rt, a->ndim, gx_strides(a), &v) &&
             gx_dict_set_c_take(rt, dict, "strides", v);
    ok = ok && gx_str_c(rt, type, &v) && gx_dict_set_c_take(rt, dict, "typestr", v) &&
         gx_tuple_ints(rt, a->ndim, gx_shape(a), &v) && gx_dict_set_c_take(rt, dict, "shape", v) &&
         gx_dict_set_c(rt, dict, "version", gx_int(3));
    gx_array_drop(a);
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

/* The elements' bytes from `offset` on as another dtype. */
static bool field_of(gx_call *c, gx_borrowed dtype, gx_borrowed at, gx_array **out) {
    gx_array *a;
    gx_dtype d = GX_NO_DTYPE;
    int64_t offset = 0;
    if (!gx_dtype_of(c->rt, dtype, &d)) return false;
    if (at.tag != GX_UNDEF && gx_as_index(c->rt, at, &offset) != GX_TRY_YES)
        return gx_fail(c->rt, GX_TypeError, "arg.type", "offset must be an integer");
    if (!gx_asarray(c->rt, c->argv[0], GX_NO_DTYPE, GX_NS_NUMPY, false, &a)) return false;
    int64_t item = gx_dtype_size(a->dtype), part = gx_dtype_size(d);
    bool ok = (offset >= 0 && part <= item && offset <= item - part) ||
              gx_fail(c->rt, GX_ValueError, "field.range",
                      "Need 0 <= offset <= %lld for requested type but received offset = %lld",
                      (long long)(item - part), (long long)offset);
    ok = ok &&
         gx_array_view(c->rt, a, d, a->ndim, gx_shape(a), gx_strides(a), a->offset + offset, out);
    gx_array_drop(a);
    return ok;
}

static bool getfield_fn(gx_call *c, gx_value *out) {
    gx_array *r;
    if (!field_of(c, c->argv[1], c->argv[2], &r)) return false;
    if (!gx_is_array(c->argv[0])) return gx_array_result_take(c->rt, r, out);
    *out = gx_array_value(r);
    return true;
}

static bool setfield_fn(gx_call *c, gx_value *out) {
    gx_array *r, *v;
    *out = gx_none();
    if (!field_of(c, c->argv[2], c->argv[3], &r)) return false;
    bool ok = gx_array_writable(c->rt, r) &&
              gx_asarray(c->rt, c->argv[1],
                         gx_is_array(c->argv[1]) ? GX_NO_DTYPE : (gx_dtype)r->dtype, GX_NS_NUMPY,
                         false, &v);
    if (ok) {
        ok = gx_is_array(c->argv[1]) || v->ndim <= r->ndim ||
             gx_fail(c->rt, GX_ValueError, "array.depth",
                     "setting an array element with a sequence. The requested array would exceed "
                     "the maximum number of dimension of %d.",
                     r->ndim);
        ok = ok && gx_array_store(c->rt, r, v);
        gx_array_drop(v);
    }
    gx_array_drop(r);
    return ok;
}

/* --- DLPack ----------------------------------------------------------------------------------- */

typedef struct capsule {
    gx_obj obj;
    gx_array *array; /* owned */
} capsule;

static void capsule_free(gx_rt *rt, gx_obj *o) {
    gx_array_drop(((capsule *)(void *)o)->array);
    gx_free(rt, o);
}

static bool capsule_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<capsule object \"dltensor\" at %p>", (void *)v.obj);
}

static const gx_type capsule_type = {
    .name = "PyCapsule",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "An array that is lent to somebody else.",
    .free = capsule_free,
    .repr = capsule_repr,
};

static bool dlpack_fn(gx_call *c, gx_value *out) {
    bool copy = false;
    gx_array *a;
    if (!gx_is_array(c->argv[0])) return gx_arg_wrong(c, 0, "an array");
    if (gx_arg_some(c, 4) && !gx_arg_bool(c, 4, &copy)) return false;
    capsule *k = gx_obj_new(c->rt, &capsule_type, sizeof *k);
    if (!k) return false;
    a = gx_as_array(c->argv[0]);
    bool ok = copy ? gx_array_copy(c->rt, a, 'K', &k->array) : gx_array_plain(c->rt, a, &k->array);
    if (ok)
        *out = gx_object(&k->obj);
    else
        gx_obj_drop(&k->obj);
    return ok;
}

gx_try gx_np_lent(gx_rt *rt, gx_borrowed v, gx_array **out) {
    gx_value fn, lent;
    gx_sym name = gx_sym_c(rt, "__dlpack__");
    gx_try has = name ? gx_try_attr(rt, v, name, &fn) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has;
    bool ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, &lent);
    gx_drop(fn);
    if (!ok) return GX_TRY_ERROR;
    if (gx_is_object(lent) && lent.obj->type == &capsule_type) {
        *out = ((capsule *)(void *)lent.obj)->array;
        gx_array_keep(*out);
    } else {
        ok = gx_fail(rt, GX_TypeError, "dlpack.capsule",
                     "__dlpack__() gave no capsule of an array but '%s'", gx_type_name(lent));
    }
    gx_drop(lent);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static bool dlpack_device_fn(gx_call *c, gx_value *out) {
    int64_t device[2] = {GX_DLPACK_CPU, 0};
    if (gx_is_array(c->argv[0])) gx_array_dlpack_device(c->rt, gx_as_array(c->argv[0]), device);
    return gx_tuple_ints(c->rt, 2, device, out);
}

/* --- tables ----------------------------------------------------------------------------------- */

const gx_native gx_np_extras_methods[] = {
    {"getfield", "getfield(self, dtype, offset=0)",
     "A view of each element's bytes from an offset on, as another dtype.",
     "array([1, 2]).getfield('i4')  # [1 2]", getfield_fn, 0, 0},
    {"setfield", "setfield(self, val, dtype, offset=0)",
     "Stores val into each element's bytes from an offset on, as another dtype.", NULL, setfield_fn,
     0, 0},
    {"__array_namespace__", "__array_namespace__(self, /, *, api_version=None)",
     "The module of the array API: numpy.", NULL, text_fn, 0, 0},
    {"__dlpack__",
     "__dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)",
     "Lends the array: what from_dlpack takes.", NULL, dlpack_fn, 0, 0},
    {"__dlpack_device__", "__dlpack_device__(self, /)", "Where the elements are: (1, 0), the host.",
     NULL, dlpack_device_fn, 0, 0},
    {.name = NULL},
};

const gx_member gx_np_extras_members[] = {
    {"__array_interface__", get_interface, NULL, "Address, type, shape and strides, as a dict."},
    {.name = NULL},
};

const gx_native gx_np_state_extras[] = {
    {"random_integers", "random_integers(self, low, high=None, size=None)",
     "Integers from low to high, both among them; randint(low, high + 1) is the newer way.", NULL,
     text_fn, 0, 0},
    {"tomaxint", "tomaxint(self, size=None)", "Integers from 0 to the largest int64.", NULL,
     text_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_generator_extras[] = {
    {"multivariate_hypergeometric",
     "multivariate_hypergeometric(self, colors, nsample, size=None, method='marginals')",
     "How many of each colour are among nsample balls drawn without putting back.", NULL, text_fn,
     0, 0},
    {.name = NULL},
};

const gx_native gx_np_ufunc_extras[] = {
    {"resolve_dtypes",
     "resolve_dtypes(self, dtypes, *, signature=None, casting=None, reduction=False)",
     "The dtypes of the loop that operands of these dtypes get; int and float stand for numbers of "
     "Python.",
     NULL, text_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_array_utils_functions[] = {
    {"byte_bounds", "byte_bounds(a)", "The addresses of an array's first byte and behind its last.",
     NULL, text_fn, 0, 0},
    {"normalize_axis_index", "normalize_axis_index(axis, ndim, msg_prefix=None)",
     "An axis counted from the front, checked.",
     "np.lib.array_utils.normalize_axis_index(-1, 3)  # 2", axis_index_fn, 0, 0},
    {"normalize_axis_tuple",
     "normalize_axis_tuple(axis, ndim, argname=None, allow_duplicate=False)",
     "Axes counted from the front, checked.",
     "np.lib.array_utils.normalize_axis_tuple((0, -1), 3)  # (0, 2)", text_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_extras_functions[] = {
    {"asarray_chkfinite", "asarray_chkfinite(a, dtype=None, order=None)",
     "The values as an array; ValueError if one is inf or nan.",
     "np.asarray_chkfinite([1, 2])  # [1 2]", text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {"mintypecode", "mintypecode(typechars, typeset='GDFgdf', default='d')",
     "The character code of the smallest dtype that holds all types in typechars.",
     "np.mintypecode(['d', 'f'])  # d", text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {"typename", "typename(char)", "What a dtype's character code means, as a string.",
     "np.typename('d')  # double precision", text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {"info", "info(object=None, maxwidth=76, output=None, toplevel='numpy')",
     "Prints an array's shape, strides, dtype and flags, or the help of any other object.", NULL,
     text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {"getbufsize", "getbufsize()", "The size given to setbufsize, which has no effect in gx.",
     "np.getbufsize()  # 8192", text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {"setbufsize", "setbufsize(size)",
     "Remembers a size of buffers and returns the previous one; it has no effect in gx.",
     "np.setbufsize(8192)  # 8192", text_fn, GX_NATIVE_PURE_ARRAY, 0},
    {.name = NULL},
};

/* clang-format off */
#define MAKE(name)                                                                                 \
    static bool make_##name(gx_rt *rt, gx_namespace ns, gx_value *out) {                           \
        (void)ns;                                                                                \
        return from_text(rt, #name, out);                                                          \
    }
#define MADE(n) {.name = #n, .kind = GX_CONST_MAKE, .make = make_##n}
MAKE(broadcast) MAKE(typecodes) MAKE(ScalarType) MAKE(sctypeDict) MAKE(__array_namespace_info__)
MAKE(NumpyVersion) MAKE(NDArrayOperatorsMixin)
/* clang-format on */

const gx_constant gx_np_extras_constants[] = {
    MADE(broadcast),
    MADE(typecodes),
    MADE(ScalarType),
    MADE(sctypeDict),
    MADE(__array_namespace_info__),
    {.name = "little_endian", .kind = GX_CONST_BOOL, .i = 1},
    {.name = "flatiter", .kind = GX_CONST_TYPE, .type = &gx_type_flatiter},
    {.name = NULL},
};

const gx_constant gx_np_lib_extras[] = {
    MADE(NumpyVersion),
    {.name = "array_utils", .kind = GX_CONST_MODULE, .text = "~array_utils"},
    {.name = "mixins", .kind = GX_CONST_MODULE, .text = "~mixins"},
    {.name = "scimath", .kind = GX_CONST_MODULE, .text = "~scimath"},
    {.name = NULL},
};

const gx_constant gx_np_mixins_constants[] = {MADE(NDArrayOperatorsMixin), {.name = NULL}};
