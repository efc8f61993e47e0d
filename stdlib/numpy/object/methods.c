/* ndarray's methods whose signatures differ from the functions': reshape(*shape), transpose(*axes),
   astype, item, tolist, view … NumPy scalars have them too: self becomes a 0-d array, and what
   would be one comes back as a scalar. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/device/work.h"
#include "stdlib/numpy/object/flat_int.h"
#include "runtime/array/array_class.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/methods.h"

extern const gx_native gx_np_array_methods[];

static bool give_like(gx_np *s, gx_call *c, gx_array *a, gx_value *out) {
    /* A scalar of records or dates is an array, too, whose head names the scalar's type. */
    const bool scalar = !gx_is_array(c->argv[0]) ||
                        gx_type_is(gx_type_of(c->argv[0]), &gx_type_generic);
    return scalar ? gx_np_give(s, a, out) : gx_np_give_array(s, a, out);
}

/* self as an array; the namespace of results is its. */
static gx_array *self_of(gx_np *s, gx_call *c) {
    return gx_np_arr(s, c->argv[0]);
}

/* Is this the one argument that stands for all of *args? */
static bool stands_for_all(gx_borrowed v) {
    return v.tag == GX_TUPLE || v.tag == GX_LIST || v.tag == GX_NONE || gx_is_array(v);
}

/* f(*args): one sequence, or the items themselves. */
static gx_borrowed spread(gx_call *c, int i) {
    gx_tuple *t = gx_as_tuple(c->argv[i]);
    return t->count == 1 && stands_for_all(t->items[0]) ? t->items[0] : c->argv[i];
}

static bool reshape_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    int ndim, copy;
    int64_t shape[GX_MAX_DIMS];
    if (c->rest_count == 0)
        return gx_fail(c->rt, GX_TypeError, "arg.shape", "reshape() takes the new shape");
    if (!gx_np_order_arg(c, 2, &order) || !gx_np_copy_arg(c, 3, &copy)) return false;
    bool one = c->rest_count == 1 && stands_for_all(c->rest[0]);
    if (one && c->rest[0].tag == GX_NONE) return gx_np_reshape_to(c, -1, NULL, order, copy, out);
    bool ok = one ? gx_shape_of(c->rt, c->rest[0], GX_SIZES_REST, "reshape", &ndim, shape)
                  : gx_shape_of_items(c->rt, c->rest_count, c->rest, GX_SIZES_REST, "reshape",
                                      &ndim, shape);
    return ok && gx_np_reshape_to(c, ndim, shape, order, copy, out);
}

static bool transpose_fn(gx_call *c, gx_value *out) {
    bool none = gx_as_tuple(c->argv[1])->count == 0;
    return gx_np_do_transpose(c, none ? gx_none() : spread(c, 1), out);
}

static bool flatten_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c), *r = NULL;
    if (!a || !gx_np_order_arg(c, 1, &order)) return gx_np_end(&s, false);
    int perm[GX_MAX_DIMS];
    if (order == 'K') {
        gx_np_memory_order(a, perm);
        if (!gx_transpose(c->rt, a, perm, &r) || !(a = gx_np_own(&s, r)))
            return gx_np_end(&s, false);
        order = 'C';
    }
    bool fortran = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C');
    if (order == 'A') order = fortran ? 'F' : 'C';
    gx_array *copy = gx_np_copy(&s, a, order);
    if (!copy || !gx_reshape(c->rt, copy, 1, &a->count, order, &r)) return gx_np_end(&s, false);
    if (r->base == copy) { /* the copy itself, in one dimension */
        gx_array_drop(r->base);
        r->base = NULL;
    }
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

/* What is not complex is its own conjugate, dtype and all. */
static bool conj_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c);
    bool complex = a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    if (a && !complex && !gx_arg_some(c, 1)) {
        *out = gx_keep(c->argv[0]);
        return gx_np_end(&s, true);
    }
    if (complex) a = gx_np_op1(&s, GX_OP_conjugate, a);
    else if (gx_is_array(c->argv[1]))
        a = gx_np_less_axes(&s, a, gx_as_array(c->argv[1])->ndim);
    return gx_np_give_spread(&s, a, 0, c->argv[1], out);
}

/* The choices are one sequence, or the arguments by position. */
static bool choose_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_tuple *t = gx_as_tuple(c->argv[1]);
    if (t->count == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "choose.empty",
                                     "choose needs at least one array of choices"));
    const gx_value argv[4] = {c->argv[0], t->count == 1 ? t->items[0] : c->argv[1], c->argv[2],
                              c->argv[3]};
    return gx_np_end(&s, gx_np_call(&s, "choose", 4, argv, out));
}

static bool copy_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    if (!gx_np_order_arg(c, 1, &order)) return false;
    gx_np s = gx_np_begin(c);
    return give_like(&s, c, gx_np_copy(&s, self_of(&s, c), order), out);
}

/* --- conversions --- */

static bool check_cast(gx_call *c, const gx_array *a, gx_dtype d, gx_borrowed rule_arg) {
    gx_casting rule;
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    if (!gx_casting_of(c->rt, rule_arg, &rule)) return false;
    if (!gx_can_cast((gx_dtype)a->dtype, d, rule))
        return gx_fail(c->rt, GX_TypeError, "dtype.cast",
                       "Cannot cast array data from dtype('%s') to dtype('%s') according to the "
                       "rule '%s'",
                       gx_dtypes[a->dtype].name, gx_dtypes[d].name, names[rule]);
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX && gx_dtype_kind(d) != GX_KIND_CPLX && d != GX_bool)
        return gx_warn(c->rt, GX_ComplexWarning,
                       "Casting complex values to real discards the imaginary part");
    return true;
}

static bool is_same_value(gx_borrowed rule) {
    return rule.tag == GX_STR && strcmp(gx_as_str(rule)->text, "same_value") == 0;
}

/* casting='same_value': what was converted comes back as it was; nan is nan. */
static bool check_same(gx_np *s, gx_array *a, gx_array *r) {
    gx_array *back = gx_np_cast(s, r, (gx_dtype)a->dtype);
    gx_array *same = gx_np_op2(s, GX_OP_equal, back, a);
    gx_dtype wide = gx_promote((gx_dtype)a->dtype, (gx_dtype)r->dtype);
    if (same) /* 2**63 as a float comes back as another int, or none */
        same = gx_np_op2(s, GX_OP_logical_and, same,
                         gx_np_op2(s, GX_OP_equal, gx_np_cast(s, r, wide), gx_np_cast(s, a, wide)));
    if (same && gx_np_is_float(a->dtype) && gx_np_is_float(r->dtype))
        same = gx_np_op2(s, GX_OP_logical_or, same, gx_np_op1(s, GX_OP_isnan, a));
    gx_array *all =
        same ? gx_np_reduce(s, GX_RED_all, same, gx_np_all(same), false, GX_NO_DTYPE) : NULL;
    gx_scalar yes;
    if (!all || !gx_array_item(s->rt, all, &yes)) return false;
    return yes.b || gx_fail(s->rt, GX_ValueError, "dtype.value",
                            "could not cast 'same_value' %s to %s", gx_dtypes[a->dtype].name,
                            gx_dtypes[r->dtype].name);
}

static bool astype_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    char order = 'K';
    bool copy;
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c), *r = NULL;
    if (!a || !gx_dtype_of(c->rt, c->argv[1], &d) || !gx_np_order_arg(c, 2, &order) ||
        (!is_same_value(c->argv[3]) && !check_cast(c, a, d, c->argv[3])) ||
        !gx_np_unused_flag(c, 4) || !gx_arg_bool(c, 5, &copy))
        return gx_np_end(&s, false);
    if (order == 'A' && !gx_array_is_contiguous(a, 'F')) order = 'C';
    bool laid = order == 'K' || order == 'A' || gx_array_is_contiguous(a, order);
    if (!gx_array_cast(c->rt, a, d, copy && laid, &r)) return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    if (is_same_value(c->argv[3]) && !check_same(&s, a, r)) return gx_np_end(&s, false);
    if (r && !laid) r = gx_np_copy(&s, r, order);
    return give_like(&s, c, r, out);
}

/* A view of the bytes as another dtype; the last axis grows or shrinks. */
static bool view_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c), *r = NULL;
    gx_dtype d = GX_NO_DTYPE;
    const gx_type *cls = gx_as_type(c->argv[2]), *self = gx_type_of(c->argv[0]);
    bool type = gx_as_type(c->argv[1]) && gx_type_is(gx_as_type(c->argv[1]), &gx_type_array);
    if (type) cls = gx_as_type(c->argv[1]);
    if (gx_arg_given(c, 2) && !(gx_as_type(c->argv[2]) && gx_type_is(cls, &gx_type_array)))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "view.type",
                                     "Type must be a sub-type of ndarray type"));
    if (!cls) cls = self;
    if (!a || (!type && !gx_np_dtype_arg(c, 1, &d))) return gx_np_end(&s, false);
    if (d == GX_NO_DTYPE) d = gx_arg_given(c, 1) && !type ? GX_f64 : (gx_dtype)a->dtype;
    int64_t dims[2 * GX_MAX_DIMS], from = gx_dtype_size(a->dtype), to = gx_dtype_size(d);
    int nd = a->ndim;
    if (to == 0) to = gx_dtype_size(d = (gx_dtype)a->dtype); /* text as wide as it is */
    memcpy(dims, a->dims, 2 * nd * sizeof *dims);
    if (from != to) {
        if (nd == 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "view.size",
                                         "Changing the dtype of a 0d array is only supported if "
                                         "the itemsize is unchanged"));
        if (dims[2 * nd - 1] != from && dims[nd - 1] > 1 && a->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "view.layout",
                                         "To change to a dtype of a different size, the last axis "
                                         "must be contiguous"));
        int64_t bytes = dims[nd - 1] * from;
        if (bytes % to)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "view.size",
                                         "When changing to a larger dtype, its size must be a "
                                         "divisor of the total size in bytes of the last axis of "
                                         "the array."));
        dims[nd - 1] = bytes / to;
        dims[2 * nd - 1] = to;
    }
    if (!gx_array_view(c->rt, a, d, nd, dims, dims + nd, a->offset, &r))
        return gx_np_end(&s, false);
    if (cls->heap && gx_type_is(cls, &gx_type_array))
        return gx_np_end(&s, gx_array_as_take(c->rt, r, cls, c->argv[0], out));
    return give_like(&s, c, gx_np_own(&s, r), out);
}

static bool list_of(gx_rt *rt, gx_dtype d, const char *data, int ndim, const int64_t *shape,
                    const int64_t *strides, gx_value *out) {
    if (ndim == 0) {
        gx_scalar e = {.bits = {0, 0}};
        if (gx_is_kind(d)) return gx_kind_value(rt, d, data, true, out);
        memcpy(&e, data, (size_t)gx_dtype_size(d));
        return gx_scalar_item(rt, d, &e, out);
    }
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (int64_t i = 0; i < shape[0]; i++) {
        gx_value item;
        if ((i % 4096 == 0 && !gx_work_end(rt)) ||
            !list_of(rt, d, data + i * strides[0], ndim - 1, shape + 1, strides + 1, &item) ||
            !gx_list_push_take(rt, list, item)) {
            gx_drop(list);
            return false;
        }
    }
    *out = list;
    return true;
}

static bool tolist_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c), *whole = NULL; /* a part of something huge is computed apart */
    const char *data;
    if (a && gx_array_contiguous(c->rt, a, &whole)) a = gx_np_own(&s, whole);
    bool ok = whole && a && gx_array_read(c->rt, a, &data) &&
              list_of(c->rt, (gx_dtype)a->dtype, data, a->ndim, gx_shape(a), gx_strides(a), out);
    return gx_np_end(&s, ok);
}

/* The flat position of item(*args); -1 with an error. */
static int64_t item_position(gx_call *c, const gx_array *a) {
    gx_tuple *t = gx_as_tuple(c->argv[1]);
    if (t->count == 1 && t->items[0].tag == GX_TUPLE) t = gx_as_tuple(t->items[0]);
    int64_t at = 0, i;
    if (t->count == 0) {
        if (a->count == 1) return 0;
        gx_fail(c->rt, GX_ValueError, "item.size",
                "can only convert an array of size 1 to a Python scalar");
        return -1;
    }
    bool flat = t->count == 1 && a->ndim != 1;
    if (!flat && t->count != a->ndim) {
        gx_fail(c->rt, GX_ValueError, "item.index", "incorrect number of indices for array");
        return -1;
    }
    for (int64_t k = 0; k < t->count; k++) {
        int64_t n = flat ? a->count : gx_shape(a)[k];
        gx_try is = t->items[k].tag == GX_BOOL ? GX_TRY_NO : gx_as_index(c->rt, t->items[k], &i);
        if (is == GX_TRY_NO)
            gx_fail(c->rt, GX_TypeError, "item.index", "an index must be an integer");
        if (is != GX_TRY_YES) return -1;
        if (i < -n || i >= n) {
            gx_fail(c->rt, GX_IndexError, "index.range",
                    "index %lld is out of bounds for axis %lld with size %lld", (long long)i,
                    (long long)k, (long long)n);
            gx_about(c->rt, 3, (int64_t[]){i, k, n});
            return -1;
        }
        at = at * n + (i < 0 ? i + n : i);
    }
    return at;
}

static bool item_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c);
    gx_scalar e;
    int64_t at = a ? item_position(c, a) : -1;
    if (at >= 0 && gx_is_kind(a->dtype)) {
        gx_array *one = gx_np_at(&s, gx_np_flat(&s, a), 0, at);
        return gx_np_end(&s, one && gx_kind_element(c->rt, one, true, out));
    }
    bool ok = at >= 0 && gx_array_item_at(c->rt, a, at, &e) &&
              gx_scalar_item(c->rt, (gx_dtype)a->dtype, &e, out);
    return gx_np_end(&s, ok);
}

static bool tobytes_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c);
    if (!a || !gx_np_order_arg(c, 1, &order)) return gx_np_end(&s, false);
    if (order == 'A' && gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C'))
        order = 'F';
    if (order == 'F') a = gx_np_transposed(&s, a);
    gx_array *b = gx_np_contiguous(&s, a);
    const void *data = gx_np_data(&s, b);
    return gx_np_end(&s, data && gx_bytes_new(c->rt, data, (size_t)gx_array_nbytes(b), out));
}

/* --- storing, moving --- */

static bool need_array(gx_call *c) {
    return gx_is_array(c->argv[0]) ||
           gx_fail(c->rt, GX_TypeError, "array.scalar", "a NumPy scalar cannot be changed");
}

static bool fill_fn(gx_call *c, gx_value *out) {
    gx_scalar v;
    if (!need_array(c)) return false;
    gx_array *a = gx_as_array(c->argv[0]);
    gx_np s = gx_np_begin(c);
    bool ok;
    if (gx_is_kind(a->dtype) && !gx_is_array(c->argv[1])) {
        gx_array *one = gx_np_values(&s, c->argv[1], (gx_dtype)a->dtype);
        ok = one && gx_array_store(c->rt, a, one);
    } else if (gx_is_array(c->argv[1])) {
        gx_array *from = gx_np_arr(&s, c->argv[1]);
        const bool one = from && (from->ndim == 0 || (a->dtype == GX_bool && from->count == 1));
        if (one && from->ndim) from = gx_np_reshape(&s, from, 0, NULL);
        ok = from && (one ||
                      gx_fail(c->rt, GX_ValueError, "array.scalar",
                              "setting an array element with a sequence.")) &&
             gx_array_store(c->rt, a, from);
    } else {
        const gx_value *items;
        int64_t n = a->dtype == GX_bool ? gx_sequence_items(c->argv[1], &items) : -1;
        v = (gx_scalar){.b = n > 0};
        ok = (n >= 0 || gx_element_from(c->rt, c->argv[1], (gx_dtype)a->dtype, &v)) &&
             gx_array_fill(c->rt, a, &v);
    }
    *out = gx_none();
    return gx_np_end(&s, ok);
}

bool gx_np_do_get(gx_call *c, gx_value *out) {
    char order = 'C';
    gx_np s = gx_np_begin(c);
    gx_array *a = self_of(&s, c), *r = NULL;
    if (!a || !gx_np_order_arg(c, 2, &order) ||
        !gx_array_to_namespace(c->rt, a, GX_NS_NUMPY, false, &r))
        return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    if (gx_arg_some(c, 3)) return gx_np_give_out(&s, r, c->argv[3], out);
    if (r && order == 'F' && !gx_array_is_contiguous(r, 'F')) r = gx_np_copy(&s, r, 'F');
    return gx_np_give_array(&s, r, out);
}

static bool set_fn(gx_call *c, gx_value *out) {
    if (!need_array(c)) return false;
    gx_array *a = gx_as_array(c->argv[0]);
    gx_np s = gx_np_begin(c);
    gx_array *from = gx_np_arr(&s, c->argv[1]);
    if (from && (from->ndim != a->ndim ||
                 memcmp(gx_shape(from), gx_shape(a), a->ndim * sizeof(int64_t)) != 0))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "set.shape",
                                     "Shape mismatch: the array to set must have the same shape"));
    *out = gx_none();
    return gx_np_end(&s, from && gx_array_store(c->rt, a, from));
}

static bool setflags_fn(gx_call *c, gx_value *out) {
    bool on, aligned, back = false;
    if (!need_array(c) || (gx_arg_some(c, 2) && !gx_arg_bool(c, 2, &aligned)) ||
        (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &back)))
        return false;
    if (back)
        return gx_fail(c->rt, GX_ValueError, "flags.back",
                       "cannot set WRITEBACKIFCOPY flag to True");
    *out = gx_none();
    return !gx_arg_some(c, 1) ||
           (gx_arg_bool(c, 1, &on) && gx_np_set_writeable(c->rt, gx_as_array(c->argv[0]), on));
}

const gx_native gx_np_array_methods[] = {
    {"reshape", "reshape(self, /, *shape, order='C', copy=None)",
     "The same elements in another shape, a view where possible; a size of -1 is computed. "
     "ValueError if they don't fit.",
     "arange(4).reshape(2, 2).tolist()  # [[0, 1], [2, 3]]", reshape_fn, GX_NATIVE_REST, 0},
    {"transpose", "transpose(self, /, *axes)",
     "A view with the axes reversed, or in the order given.",
     "zeros((2, 3)).transpose().shape  # (3, 2)", transpose_fn, 0, 0},
    {"flatten", "flatten(self, order='C')", "A copy of the elements as a 1-d array.",
     "array([[1, 2], [3, 4]]).flatten()  # [1 2 3 4]", flatten_fn, 0, 0},
    {"choose", "choose(self, /, *choices, out=None, mode='raise')",
     "Takes each element from choices[i], where i is this array's integer at that position.",
     "array([1, 0]).choose([1, 2], [3, 4])  # [3 2]", choose_fn, 0, 0},
    {"conj", "conj(self, out=None, /)", "The complex conjugate.", "array([1j]).conj()  # [0.-1.j]",
     conj_fn, 0, 0},
    {"conjugate", "conjugate(self, out=None, /)", "The complex conjugate.",
     "array([1j]).conjugate()  # [0.-1.j]", conj_fn, 0, 0},
    {"copy", "copy(self, order='C')", "A copy.", "array([1, 2]).copy()  # [1 2]", copy_fn, 0, 0},
    {"astype", "astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)",
     "A copy of the array converted to a dtype; copy=False returns the array itself if it has "
     "that.",
     "array([1.9, -1.9]).astype(int)  # [ 1 -1]", astype_fn, 0, 0},
    {"view", "view(self, dtype=<no value>, type=<no value>)",
     "A view of the same memory as another dtype; the last axis changes with the size of an "
     "element.",
     "array([1.0]).view('i8')  # [4607182418800017408]", view_fn, 0, 0},
    {"tolist", "tolist(self)", "The elements as nested lists of Python numbers.",
     "arange(3).tolist()  # [0, 1, 2]", tolist_fn, GX_NATIVE_HOST, 0},
    {"item", "item(self, /, *args)",
     "One element as a Python number: the only one, or that at an index (flat or one for each "
     "axis).",
     "array([5, 6]).item(1)  # 6", item_fn, 0, 0},
    {"tobytes", "tobytes(self, order='C')", "The elements as bytes, in C or Fortran order.",
     "array([1, 2], dtype='u1').tobytes()  # b'\\x01\\x02'", tobytes_fn, GX_NATIVE_HOST, 0},
    {"fill", "fill(self, value)", "Stores one value into all elements.", NULL, fill_fn, 0, 0},
    {"get", "get(self, stream=None, order='C', out=None, blocking=True)",
     "A copy in host memory, as a NumPy array.", "arange(3).get()  # [0 1 2]", gx_np_do_get,
     GX_NATIVE_HOST, 0},
    {"set", "set(self, arr, stream=None)",
     "Copies the elements of an array of the same shape into this one.", NULL, set_fn, 0, 0},
    {"setflags", "setflags(self, write=None, align=None, uic=None)",
     "Sets flags: write=False makes the array read-only.", NULL, setflags_fn, 0, 0},
    {.name = NULL},
};
