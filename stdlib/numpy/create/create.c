/* Arrays from values and shapes: array, asarray, zeros, ones, empty, full and their _like forms,
   copies, frombuffer, fromiter. New arrays belong to the namespace the function was reached
   through; a constant array is pending and takes no memory before it is written. */
#include <string.h>

#include "runtime/array/array_class.h"
#include "runtime/array/kind/record.h"
#include "runtime/object/text/bytearray.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/methods.h"

extern const gx_native gx_np_create_functions[];

/* --- array and its kin --- */

static bool order_fits(const gx_array *a, char order) {
    if (order == 'K' || order == 'A') return true;
    return gx_array_is_contiguous(a, order);
}

/* copy: 1 always, 0 never, -1 when needed. */
static bool make_array(gx_call *c, gx_borrowed v, gx_dtype d, int copy, char order, int64_t ndmin,
                       gx_value *out) {
    gx_array *a = NULL, *b;
    /* A copy is in C's order or Fortran's. */
    const bool chosen = copy == 1 && order == 'A' && gx_is_array(v);
    if (chosen && gx_array_is_contiguous(gx_as_array(v), 'F')) order = 'K';
    else if (chosen) order = 'C';
    if (!gx_asarray(c->rt, v, d, c->ns, copy == 1, &a)) return false;
    if (order == 'K' && copy != 0 && ndmin <= a->ndim) {
        *out = gx_array_value(a);
        return true;
    }
    gx_np s = gx_np_begin(c);
    gx_array *r = gx_np_own(&s, a);
    if (r && !order_fits(r, order)) r = gx_np_copy(&s, r, order);
    if (r && copy == 0 && (!gx_is_array(v) || r != gx_as_array(v)))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "array.copy",
                                     "Unable to avoid copy while creating an array as requested"));
    if (r && ndmin > r->ndim) {
        if (ndmin > GX_MAX_DIMS)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "array.ndmin", "ndmin must be <= %d",
                                         (int)GX_MAX_DIMS));
        int64_t shape[GX_MAX_DIMS];
        int extra = (int)ndmin - r->ndim;
        for (int i = 0; i < ndmin; i++) shape[i] = i < extra ? 1 : gx_shape(r)[i - extra];
        b = gx_np_reshape(&s, r, (int)ndmin, shape);
        r = b;
    }
    return gx_np_give_array(&s, r, out);
}

static bool array_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    char order = 'K';
    int copy;
    int64_t ndmin, ndmax;
    if (gx_arg_given(c, 1) && c->argv[1].tag == GX_INT && c->argv[0].tag == GX_INT) {
        gx_fail(c->rt, GX_TypeError, "arg.dtype",
                "array takes one list; got %lld and then %lld where a dtype was expected",
                (long long)c->argv[0].i, (long long)c->argv[1].i);
        return gx_help(c->rt, "array([%lld, %lld])", (long long)c->argv[0].i,
                       (long long)c->argv[1].i);
    }
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_np_copy_arg(c, 2, &copy) ||
        !gx_np_order_arg(c, 3, &order) || !gx_np_unused_truth(c, 4) || !gx_arg_int(c, 5, &ndmin) ||
        !gx_arg_int(c, 6, &ndmax))
        return false;
    if (ndmax < 0 || ndmax > 64)
        return gx_fail(c->rt, GX_ValueError, "array.ndmax", "ndmax must be in the range [0, 64]");
    if (ndmin > ndmax)
        return gx_fail(c->rt, GX_ValueError, "array.ndmin", "ndmin must be <= ndmax (%lld)",
                       (long long)ndmax);
    if (!make_array(c, c->argv[0], d, copy, order, ndmin, out)) return false;
    if (gx_as_array(*out)->ndim <= ndmax) return true;
    if (gx_is_array(c->argv[0]) && gx_as_array(*out)->dtype == gx_as_array(c->argv[0])->dtype)
        return true; /* no element is read anew */
    gx_drop(*out);
    return gx_fail(c->rt, GX_ValueError, "array.ndmax",
                   "setting an array element with a sequence. The requested array would exceed "
                   "the maximum number of dimension of %lld.",
                   (long long)ndmax);
}

static bool asarray_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    char order = 'K';
    int copy;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_np_order_arg(c, 2, &order) || !gx_np_device_arg(c, 3) ||
        !gx_np_copy_arg(c, 4, &copy))
        return false;
    return make_array(c, c->argv[0], d, copy, order, 0, out);
}

static bool copy_fn(gx_call *c, gx_value *out) {
    char order = 'K';
    if (!gx_np_order_arg(c, 1, &order) || !gx_np_unused_truth(c, 2)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    return gx_np_give_array(&s, gx_np_copy(&s, a, order), out);
}

static bool with_order(gx_call *c, char order, gx_value *out) {
    gx_dtype d;
    if (!gx_np_dtype_arg(c, 1, &d)) return false;
    return make_array(c, c->argv[0], d, -1, order, 1, out);
}

static bool ascontiguousarray_fn(gx_call *c, gx_value *out) {
    return with_order(c, 'C', out);
}

static bool asfortranarray_fn(gx_call *c, gx_value *out) {
    return with_order(c, 'F', out);
}

/* --- constant arrays --- */

/* zeros(3, 4): the most frequent slip; says what to write. */
static bool shape_slip(gx_call *c) {
    if (c->argc < 2 || c->argv[0].tag != GX_INT || c->argv[1].tag != GX_INT) return true;
    gx_buf list = gx_buf_new(c->rt);
    bool ok = true;
    int n = 0;
    for (; ok && n < c->argc && c->argv[n].tag == GX_INT; n++)
        ok = gx_buf_printf(&list, "%s%lld", n ? ", " : "", (long long)c->argv[n].i);
    if (ok && n >= 2) {
        gx_fail(c->rt, GX_TypeError, "arg.shape",
                "%s takes one shape; got %lld and then %lld where a dtype was expected",
                c->fn->name, (long long)c->argv[0].i, (long long)c->argv[1].i);
        gx_help(c->rt, "%s((%s))", c->fn->name, gx_buf_text(&list));
        ok = false;
    }
    gx_buf_free(&list);
    return ok;
}

/* An array of one value; order 'F' is made by transposing. */
static gx_array *filled(gx_np *s, gx_dtype d, int ndim, const int64_t *shape, char order,
                        const gx_scalar *fill) {
    gx_array *r = NULL;
    if (gx_is_kind(d)) {
        if (!gx_array_full(s->rt, d, ndim, shape, s->ns, fill, &r)) return NULL;
        r = gx_np_own(s, r);
        return r && order == 'F' ? gx_np_copy(s, r, 'F') : r;
    }
    if (order == 'F' && ndim > 1) {
        if (!gx_array_empty_f(s->rt, d, ndim, shape, s->ns, &r)) return NULL;
        r = gx_np_own(s, r);
        return r && gx_array_fill(s->rt, r, fill) ? r : NULL;
    }
    return gx_array_full(s->rt, d, ndim, shape, s->ns, fill, &r) ? gx_np_own(s, r) : NULL;
}

static gx_array *filled_with(gx_np *s, gx_dtype d, int ndim, const int64_t *shape, char order,
                             gx_borrowed value);

/* Zeros are what all bytes are, ones what 1 becomes. */
static gx_array *constant_kind(gx_np *s, gx_dtype d, int ndim, const int64_t *shape, char order,
                               int64_t value) {
    static const gx_scalar none;
    return value ? filled_with(s, d, ndim, shape, order, gx_int(value))
                 : filled(s, d, ndim, shape, order, &none);
}

static bool constant(gx_call *c, int64_t value, gx_value *out) {
    gx_dtype d;
    char order;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!shape_slip(c) || !gx_np_dtype_arg(c, 1, &d) || !gx_np_new_order_arg(c, 2, &order) ||
        !gx_shape_of(c->rt, c->argv[0], GX_SIZES_PLAIN, c->fn->name, &ndim, shape) ||
        !gx_np_device_arg(c, 3))
        return false;
    if (d == GX_NO_DTYPE) d = GX_f64;
    if (gx_is_kind(d)) {
        gx_np k = gx_np_begin(c);
        return gx_np_give_array(&k, constant_kind(&k, d, ndim, shape, order, value), out);
    }
    gx_scalar one = {.i64 = value}, fill = {.f64 = (double)value};
    if (d != GX_f64) fill = gx_scalar_cast(GX_i64, d, &one);
    if (order == 'C') {
        gx_array *a;
        if (!gx_array_full(c->rt, d, ndim, shape, c->ns, &fill, &a)) return false;
        *out = gx_array_value(a);
        return true;
    }
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s, filled(&s, d, ndim, shape, order, &fill), out);
}

static bool zeros_fn(gx_call *c, gx_value *out) {
    return constant(c, 0, out);
}

/* Its elements are zero, but a kernel that reads them unwritten is reported (runtime/kernel). */
static bool blank(bool ok, const gx_value *out) {
    if (ok && gx_is_array(*out)) gx_array_blank(gx_as_array(*out));
    return ok;
}

static bool empty_fn(gx_call *c, gx_value *out) {
    return blank(constant(c, 0, out), out);
}

static bool ones_fn(gx_call *c, gx_value *out) {
    return constant(c, 1, out);
}

static bool is_number(gx_borrowed v) {
    return v.tag == GX_BOOL || v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_COMPLEX ||
           v.tag == GX_BIGINT || gx_is_scalar(v);
}

static bool holds_items(gx_borrowed v) {
    const gx_value *items;
    return gx_sequence_items(v, &items) >= 0 || v.tag == GX_RANGE;
}

/* A float in a dtype without fractions, or a complex number in one without an imaginary part. */
static bool loses(gx_borrowed v, gx_dtype d) {
    int kind = gx_dtype_kind(d);
    return (v.tag == GX_FLOAT && kind < GX_KIND_FLOAT) ||
           (v.tag == GX_COMPLEX && kind < GX_KIND_CPLX);
}

/* The number as an array's element is cast: nothing is out of range. */
static bool cast_number(gx_np *s, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    gx_array *a = gx_np_cast(s, gx_np_arr(s, v), d);
    return a && gx_array_item(s->rt, a, out);
}

/* A shape filled with any value, which may be an array. */
static gx_array *filled_with(gx_np *s, gx_dtype d, int ndim, const int64_t *shape, char order,
                             gx_borrowed value) {
    gx_scalar fill;
    if (d == GX_NO_DTYPE) {
        gx_array *a = gx_np_arr(s, value);
        if (!a) return NULL;
        d = (gx_dtype)a->dtype;
    }
    if (gx_is_kind(d)) {
        static const gx_scalar none;
        /* NumPy reads a tuple as it reads a list: its items are the elements. */
        const bool plain = value.tag == GX_TUPLE && gx_is_void(d);
        gx_array *from = gx_np_values(s, value, plain ? GX_NO_DTYPE : d);
        if (from && !plain) d = (gx_dtype)from->dtype;
        gx_array *r = from ? filled(s, d, ndim, shape, order, &none) : NULL;
        return r && gx_array_store(s->rt, r, from) ? r : NULL;
    }
    const bool text = value.tag == GX_STR || value.tag == GX_BYTES;
    fill = (gx_scalar){.bits = {0, 0}};
    if (text && gx_np_size(ndim, shape) == 0) return filled(s, d, ndim, shape, order, &fill);
    if (is_number(value) || (gx_operand_kind(value) == GX_OPERAND_NONE && !holds_items(value))) {
        bool ok = loses(value, d) ? cast_number(s, value, d, &fill)
                                  : gx_scalar_from(s->rt, value, d, &fill);
        return ok ? filled(s, d, ndim, shape, order, &fill) : NULL;
    }
    gx_array *from = gx_np_arr(s, value), *r = filled(s, d, ndim, shape, order, &fill);
    return r && from && gx_array_store(s->rt, r, from) ? r : NULL;
}

static bool full_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    char order;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!gx_np_dtype_arg(c, 2, &d) || !gx_np_new_order_arg(c, 3, &order) ||
        !gx_shape_of(c->rt, c->argv[0], GX_SIZES_PLAIN, "full", &ndim, shape) ||
        !gx_np_device_arg(c, 4))
        return false;
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s, filled_with(&s, d, ndim, shape, order, c->argv[1]), out);
}

/* a's shape, or the shape argument at i. 'K' and 'A' become 'F' where a is laid out so. */
static bool like_args(gx_call *c, gx_np *s, int at, gx_array **a, gx_dtype *d, char *order,
                      int *ndim, int64_t *shape) {
    *order = 'K';
    if (!(*a = gx_np_arr(s, c->argv[0])) || !gx_np_dtype_arg(c, at, d) ||
        !gx_np_order_arg(c, at + 1, order) || !gx_np_unused_flag(c, at + 2))
        return false;
    if (*d == GX_NO_DTYPE) *d = (gx_dtype)(*a)->dtype;
    *ndim = (*a)->ndim;
    memcpy(shape, gx_shape(*a), (size_t)*ndim * sizeof *shape);
    if (gx_arg_some(c, at + 3) &&
        !gx_shape_of(c->rt, c->argv[at + 3], GX_SIZES_PLAIN, c->fn->name, ndim, shape))
        return false;
    bool fortran = gx_array_is_contiguous(*a, 'F') && !gx_array_is_contiguous(*a, 'C');
    bool plain = fortran || gx_array_is_contiguous(*a, 'C') || *ndim != (*a)->ndim;
    if (*order == 'A' || (*order == 'K' && plain))
        *order = fortran && *ndim == (*a)->ndim ? 'F' : 'C';
    return gx_np_device_arg(c, at + 4);
}

/* Order 'K' of an array that is neither C's nor Fortran's: its axes are laid out as a's. shape is
   a's and is permuted to C's order; the result is seen through gx_np_laid_back. */
static void order_axes(const gx_array *a, char *order, int64_t *shape, int *perm) {
    int64_t sizes[GX_MAX_DIMS];
    gx_order_of_copy(a->ndim, gx_strides(a), perm);
    memcpy(sizes, shape, (size_t)a->ndim * sizeof *shape);
    for (int i = 0; i < a->ndim; i++) shape[i] = sizes[perm[i]];
    *order = 'C';
}

static bool constant_like(gx_call *c, int64_t value, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a;
    gx_dtype d;
    char order;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!like_args(c, &s, 1, &a, &d, &order, &ndim, shape)) return gx_np_end(&s, false);
    gx_scalar one = {.i64 = value}, fill = {.bits = {0, 0}};
    if (gx_is_kind(d) && value)
        return gx_np_give_array(&s, constant_kind(&s, d, ndim, shape, order == 'F' ? 'F' : 'C',
                                                  value), out);
    if (!gx_is_kind(d)) fill = gx_scalar_cast(GX_i64, d, &one);
    int perm[GX_MAX_DIMS];
    bool kept = order == 'K';
    if (kept) order_axes(a, &order, shape, perm);
    gx_array *r = filled(&s, d, ndim, shape, order, &fill);
    return gx_np_give_array(&s, kept ? gx_np_laid_back(&s, r, perm) : r, out);
}

static bool zeros_like_fn(gx_call *c, gx_value *out) {
    return constant_like(c, 0, out);
}

static bool empty_like_fn(gx_call *c, gx_value *out) {
    return blank(constant_like(c, 0, out), out);
}

static bool ones_like_fn(gx_call *c, gx_value *out) {
    return constant_like(c, 1, out);
}

static bool full_like_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a;
    gx_dtype d;
    char order;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!like_args(c, &s, 2, &a, &d, &order, &ndim, shape)) return gx_np_end(&s, false);
    int perm[GX_MAX_DIMS];
    const bool kept = order == 'K' && gx_operand_kind(c->argv[1]) != GX_OPERAND_ARRAY &&
                      !holds_items(c->argv[1]);
    if (kept) order_axes(a, &order, shape, perm);
    if (order == 'K') order = 'C';
    gx_array *r = filled_with(&s, d, ndim, shape, order, c->argv[1]);
    return gx_np_give_array(&s, kept ? gx_np_laid_back(&s, r, perm) : r, out);
}

/* --- from bytes and iterators --- */

static bool frombytes(gx_call *c, gx_array *a, const gx_str *b, gx_value *out) {
    gx_dtype d;
    int64_t count, offset;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_int(c, 2, &count) || !gx_arg_int(c, 3, &offset))
        return false;
    if (d == GX_NO_DTYPE) d = GX_f64;
    if (a && !gx_array_is_contiguous(a, 'C'))
        return gx_fail(c->rt, GX_ValueError, "arg.buffer", "ndarray is not C-contiguous");
    const int64_t item = gx_dtype_size(d), all = a ? gx_array_nbytes(a) : (int64_t)b->length;
    const int64_t room = all - offset;
    if (offset < 0 || room < 0)
        return gx_fail(c->rt, GX_ValueError, "arg.offset",
                       "offset must be non-negative and no greater than buffer length (%lld)",
                       (long long)all);
    if (count < 0 && room % item)
        return gx_fail(c->rt, GX_ValueError, "arg.buffer",
                       "buffer size must be a multiple of element size");
    if (count < 0) count = room / item;
    if (count > room / item)
        return gx_fail(c->rt, GX_ValueError, "arg.buffer", "buffer is smaller than requested size");
    gx_np s = gx_np_begin(c);
    gx_array *view;
    if (!a) { /* bytes never change: whether their memory is shared cannot be seen */
        a = gx_np_empty(&s, d, 1, &count);
        char *p = gx_np_data_write(&s, a);
        if (!p) return gx_np_end(&s, false);
        memcpy(p, b->text + offset, (size_t)(count * item));
        gx_array_from_outside(a);
        offset = 0;
    }
    if (!gx_np_data(&s, a) ||
        !gx_array_view(c->rt, a, d, 1, &count, &item, a->offset + offset, &view))
        return gx_np_end(&s, false);
    if (c->argv[0].tag == GX_BYTES || gx_is_scalar(c->argv[0])) view->flags |= GX_ARRAY_READONLY;
    return gx_np_give_array(&s, gx_np_own(&s, view), out);
}

/* The array that an instance's __buffer__ shows: its memory is shared. */
static gx_try buffer_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value flags = gx_int(0), view;
    gx_try has = gx_special(rt, v, "__buffer__", 1, &flags, &view);
    if (has != GX_TRY_YES) return has;
    has = gx_special(rt, view, "__array__", 0, NULL, out);
    gx_drop(view);
    return has;
}

static bool frombuffer_fn(gx_call *c, gx_value *out) {
    gx_value bytes, shown;
    gx_scalar s;
    if (gx_is_array(c->argv[0])) return frombytes(c, gx_as_array(c->argv[0]), NULL, out);
    gx_try shows = gx_is_instance(c->argv[0]) ? buffer_of(c->rt, c->argv[0], &shown) : GX_TRY_NO;
    if (shows == GX_TRY_ERROR) return false;
    if (shows == GX_TRY_YES) {
        bool ok = gx_is_array(shown) ? frombytes(c, gx_as_array(shown), NULL, out)
                                     : gx_arg_wrong(c, 0, "bytes or an array");
        gx_drop(shown);
        return ok;
    }
    gx_try is;
    if (gx_is_scalar(c->argv[0])) {
        const size_t size = (size_t)gx_dtype_size(gx_scalar_dtype(c->argv[0]));
        const bool read = gx_scalar_read(c->rt, c->argv[0], &s) &&
                          gx_bytes_new(c->rt, (const char *)&s, size, &bytes);
        is = read ? GX_TRY_YES : GX_TRY_ERROR;
    } else
        is = gx_bytes_like(c->rt, c->argv[0], &bytes);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, 0, "bytes or an array");
    if (is == GX_TRY_ERROR) return false;
    bool ok = frombytes(c, NULL, gx_as_str(bytes), out);
    gx_drop(bytes);
    return ok;
}

static bool fromiter_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    int64_t count;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_int(c, 2, &count)) return false;
    if (d == GX_NO_DTYPE) d = GX_f64;
    gx_np s = gx_np_begin(c);
    gx_value list, it, item;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    if (!gx_np_hold(&s, list) || !gx_iter(c->rt, c->argv[0], &it) || !gx_np_hold(&s, it))
        return gx_np_end(&s, false);
    bool more = true;
    while (count == -1 || gx_as_list(list)->count < count) {
        if (!gx_next(c->rt, it, &item, &more)) return gx_np_end(&s, false);
        if (!more) break;
        const gx_value *items;
        const bool row = gx_is_array(item) && gx_as_array(item)->count == 1;
        if (d == GX_bool && (row || gx_sequence_items(item, &items) >= 0)) { /* its truth */
            bool truth, ok = gx_truth(c->rt, item, &truth);
            gx_drop(item);
            if (!ok) return gx_np_end(&s, false);
            item = gx_bool(truth);
        }
        if (!gx_list_push_take(c->rt, list, item)) return gx_np_end(&s, false);
    }
    if (count > gx_as_list(list)->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "arg.count",
                                     "iterator too short: Expected %lld but iterator had only "
                                     "%lld items.",
                                     (long long)count, (long long)gx_as_list(list)->count));
    gx_array *r = NULL;
    if (!gx_asarray(c->rt, list, d, c->ns, true, &r)) return gx_np_end(&s, false);
    if (!(r = gx_np_own(&s, r))) return gx_np_end(&s, false);
    if (r->ndim > 1) { /* the class is that of the reader of such an element */
        const int kind = gx_dtype_kind(d);
        const bool reads = kind == GX_KIND_CPLX ||
                           (kind != GX_KIND_FLOAT && !gx_is_array(gx_as_list(list)->items[0]));
        return gx_np_end(&s, gx_fail(c->rt, reads ? GX_TypeError : GX_ValueError, "array.scalar",
                                     "setting an array element with a sequence."));
    }
    return gx_np_give_array(&s, r, out);
}

const gx_native gx_np_create_functions[] = {
    {"array",
     "array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, "
     "ndmax=64, like=None)",
     "A new array from numbers, nested lists or another array.", "array([1, 2.5])  # [1.  2.5]",
     array_fn, 0, 0},
    {"asarray", "asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
     "The values as an array; an array that has the dtype and order already is returned uncopied.",
     "asarray((1, 2, 3))  # [1 2 3]", asarray_fn, 0, 0},
    {"asanyarray", "asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
     "An array of the values, as asarray makes it; a subclass of ndarray is returned as it is.",
     "asanyarray([1, 2])  # [1 2]", asarray_fn, 0, 0},
    {"copy", "copy(a, order='K', subok=False)",
     "A copy of an array, in memory order 'K' (as it is), 'C', 'F' or 'A'.", NULL, copy_fn,
     GX_NATIVE_PURE_ARRAY, 0},
    {"ascontiguousarray", "ascontiguousarray(a, dtype=None, *, like=None)",
     "The array in C order (rows contiguous), copied only when it is in another order.",
     "ascontiguousarray([1, 2])  # [1 2]", ascontiguousarray_fn, 0, 0},
    {"asfortranarray", "asfortranarray(a, dtype=None, *, like=None)",
     "The array in Fortran order (columns contiguous), copied only when it is in another order.",
     "asfortranarray([1, 2])  # [1 2]", asfortranarray_fn, 0, 0},
    {"asnumpy", "asnumpy(a, stream=None, order='C', out=None, *, blocking=True)",
     "A copy of the array in host memory, as a NumPy array; one that is there is returned as it "
     "is.",
     "asnumpy([1, 2])  # [1 2]", gx_np_do_get, GX_NATIVE_HOST, 0},
    {"zeros", "zeros(shape, dtype=None, order='C', *, device=None, like=None)",
     "An array of zeros; float64 unless a dtype is given.", "zeros(3)  # [0. 0. 0.]", zeros_fn, 0,
     0},
    {"ones", "ones(shape, dtype=None, order='C', *, device=None, like=None)",
     "An array of ones; float64 unless a dtype is given.", "ones(3)  # [1. 1. 1.]", ones_fn, 0, 0},
    {"empty", "empty(shape, dtype=None, order='C', *, device=None, like=None)",
     "An array to be filled; its elements are zero.", "empty((2, 3)).shape  # (2, 3)", empty_fn, 0,
     0},
    {"full", "full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
     "An array with all elements equal to fill_value.", "full(3, 7)  # [7 7 7]", full_fn, 0, 0},
    {"zeros_like", "zeros_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     "Zeros in the shape and dtype of a.", "zeros_like([1, 2])  # [0 0]", zeros_like_fn, 0, 0},
    {"ones_like", "ones_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     "Ones in the shape and dtype of a.", "ones_like([5, 6])  # [1 1]", ones_like_fn, 0, 0},
    {"empty_like",
     "empty_like(prototype, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     "An array to be filled, in the shape and dtype of another; its elements are zero.",
     "empty_like([5, 6]).shape  # (2,)", empty_like_fn, 0, 0},
    {"full_like",
     "full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     "An array filled with fill_value, in the shape and dtype of a.",
     "full_like([1, 2], 9)  # [9 9]", full_like_fn, 0, 0},
    {"frombuffer", "frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None)",
     "A 1-d array over the memory of a bytes-like object; offset in bytes, count in elements.",
     "frombuffer(b'\\x01\\x02', dtype='u1')  # [1 2]", frombuffer_fn, 0, 0},
    {"fromiter", "fromiter(iter, dtype, count=-1, *, like=None)",
     "A 1-d array of an iterable's items, count of them or all.",
     "fromiter(range(3), int)  # [0 1 2]", fromiter_fn, 0, 0},
    {.name = NULL},
};
