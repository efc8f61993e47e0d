/* The scope of scope.h: owns the intermediate arrays of one call and carries a failure along as
   NULL. Does nothing by itself: each step is one call of the runtime. */
#include <stdio.h>
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/device/work.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/common_dtype.h"
#include "stdlib/numpy/base/scope.h"

gx_np gx_np_begin_at(gx_rt *rt, gx_namespace ns) {
    gx_np s; /* `few` is not cleared: only its first entries, as many as are used, are ever read */
    s.rt = rt;
    s.fn = NULL;
    s.ns = ns;
    s.seen = false;
    s.use.count = s.room = 0;
    s.use.more = NULL;
    return s;
}

gx_np gx_np_begin(const gx_call *c) {
    gx_np s = gx_np_begin_at(c->rt, c->ns);
    s.fn = c->fn;
    return s;
}

bool gx_np_end(gx_np *s, bool ok) {
    if (s->use.count == 0) return ok;
    gx_use_end(s->rt, &s->use);
    for (int i = s->use.count; i-- > 0;) {
        gx_value *v = gx_np_item(s, i);
        if (v->tag == GX_UNDEF && v->aux)
            gx_free(s->rt, (void *)(uintptr_t)v->u);
        else
            gx_drop(*v);
    }
    gx_free(s->rt, s->use.more);
    s->use.count = s->room = 0;
    s->use.more = NULL;
    return ok;
}

bool gx_np_hold(gx_np *s, gx_value v) {
    if (s->use.count == 0) {
        gx_use_begin(s->rt, &s->use, s->few, GX_NP_FEW);
        s->use.count = 0;
    } else if (GX_UNLIKELY(s->use.count >= GX_NP_FEW + s->room)) {
        int room = s->room ? 2 * s->room : GX_NP_FEW;
        gx_value *more = gx_realloc(s->rt, s->use.more, (size_t)room * sizeof *more);
        if (!more) {
            gx_drop(v);
            return false;
        }
        s->use.more = more;
        s->room = room;
    }
    *gx_np_item(s, s->use.count++) = v;
    return true;
}

bool gx_np_items(gx_np *s, gx_borrowed v, const gx_value **items, int64_t *n) {
    gx_value own;
    *n = gx_sequence_items(v, items);
    if (v.tag != GX_LIST) return true;
    if (!gx_tuple_of(s->rt, v, &own) || !gx_np_hold(s, own)) return false;
    *n = gx_sequence_items(own, items);
    return true;
}

void *gx_np_scratch(gx_np *s, size_t bytes) {
    void *p = gx_alloc(s->rt, bytes ? bytes : 1);
    if (!p) return NULL;
    /* Raw memory travels as an undefined value that is marked. */
    if (s->use.count >= GX_NP_FEW + s->room && !gx_np_hold(s, gx_none())) {
        gx_free(s->rt, p);
        return NULL;
    }
    gx_value v = {.tag = GX_UNDEF, .aux = 1, .u = (uint64_t)(uintptr_t)p};
    return gx_np_hold(s, v) ? p : NULL;
}

void *gx_np_room(gx_np *s, int64_t count, size_t item) {
    size_t bytes;
    if (count >= 0 && count <= GX_MAX_BYTES && !__builtin_mul_overflow((size_t)count, item, &bytes))
        return gx_np_scratch(s, bytes);
    gx_fail(s->rt, GX_MemoryError, "memory.size", "there is no memory for %lld items",
            (long long)count);
    return NULL;
}

gx_array *gx_np_own(gx_np *s, gx_array *a) {
    if (!a) return NULL;
    if (!gx_work_end(s->rt)) {
        gx_array_drop(a);
        return NULL;
    }
    return gx_np_hold(s, gx_array_value(a)) ? a : NULL;
}

gx_array *gx_np_keep(gx_np *s, gx_array *a) {
    if (!a) return NULL;
    gx_array_keep(a);
    return gx_np_own(s, a);
}

/* --- ends --- */

bool gx_np_give_array(gx_np *s, gx_array *a, gx_value *out) {
    if (!a) return gx_np_end(s, false);
    gx_array_keep(a);
    *out = gx_array_value(a);
    return gx_np_end(s, true);
}

bool gx_np_give(gx_np *s, gx_array *a, gx_value *out) {
    if (!a) return gx_np_end(s, false);
    gx_array_keep(a);
    return gx_np_end(s, gx_array_result_take(s->rt, a, out));
}

static bool same_shape(const gx_array *a, const gx_array *b) {
    return a->ndim == b->ndim && memcmp(gx_shape(a), gx_shape(b), a->ndim * sizeof(int64_t)) == 0;
}

static bool may_become(gx_rt *rt, gx_dtype from, const gx_array *d, gx_casting casting) {
    return gx_can_cast(from, (gx_dtype)d->dtype, casting) ||
           gx_fail(rt, GX_UFuncTypeError, "dtype.cast",
                   "Cannot cast output from dtype('%s') to dtype('%s') with casting rule "
                   "'same_kind'",
                   gx_dtypes[from].name, gx_dtypes[d->dtype].name);
}

static bool store_out(gx_np *s, gx_array *a, gx_borrowed dest, gx_casting casting) {
    return gx_is_array(dest) ? gx_np_store_as(s, a, gx_as_array(dest), casting)
                             : gx_fail(s->rt, GX_TypeError, "arg.out",
                                       "out must be an array, not %s", gx_type_name(dest));
}

bool gx_np_store_as(gx_np *s, gx_array *a, gx_array *d, gx_casting casting) {
    gx_rt *rt = s->rt;
    if (!a || !gx_work_end(rt)) return false;
    if (!same_shape(a, d)) {
        gx_buf have = gx_buf_new(rt), want = gx_buf_new(rt);
        if (gx_shape_text(&have, d->ndim, gx_shape(d)) &&
            gx_shape_text(&want, a->ndim, gx_shape(a)))
            gx_fail(rt, GX_ValueError, "arg.out", "out has shape %s, but the result has shape %s",
                    gx_buf_text(&have), gx_buf_text(&want));
        gx_buf_free(&have);
        gx_buf_free(&want);
        return false;
    }
    return may_become(rt, (gx_dtype)a->dtype, d, casting) && gx_array_store(rt, d, a);
}

bool gx_np_store_out(gx_np *s, gx_array *a, gx_borrowed dest) {
    return store_out(s, a, dest, GX_CAST_SAME_KIND);
}

bool gx_np_give_folded(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out) {
    if (dest.tag == GX_UNDEF || dest.tag == GX_NONE) return gx_np_give(s, a, out);
    if (!store_out(s, a, dest, GX_CAST_UNSAFE)) return gx_np_end(s, false);
    *out = gx_keep(dest);
    return gx_np_end(s, true);
}

bool gx_np_give_method(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out) {
    return dest.tag == GX_ELLIPSIS ? gx_np_give_array(s, a, out)
                                   : gx_np_give_folded(s, a, dest, out);
}

bool gx_np_give_out(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out) {
    if (dest.tag == GX_UNDEF || dest.tag == GX_NONE) return gx_np_give(s, a, out);
    if (!gx_np_store_out(s, a, dest)) return gx_np_end(s, false);
    *out = gx_keep(dest);
    return gx_np_end(s, true);
}

/* Does a fit into d, its elements used again, but those of the last `core` axes? */
static bool spreads_to(const gx_array *a, int core, const gx_array *d) {
    const int more = d->ndim - a->ndim;
    bool fits = more >= 0;
    for (int i = 0; fits && i < a->ndim; i++)
        fits = gx_shape(a)[i] == gx_shape(d)[more + i] ||
               (gx_shape(a)[i] == 1 && i < a->ndim - core);
    return fits;
}

gx_array *gx_np_spread_to(gx_np *s, gx_array *a, int core, const gx_array *d) {
    return a && spreads_to(a, core, d) ? gx_np_broadcast(s, a, d->ndim, gx_shape(d)) : a;
}

gx_array *gx_np_less_axes(gx_np *s, gx_array *a, int ndim) {
    if (!a) return NULL;
    int n = 0;
    while (a->ndim - n > ndim && gx_shape(a)[n] == 1) n++;
    return n ? gx_np_reshape(s, a, a->ndim - n, gx_shape(a) + n) : a;
}

bool gx_np_give_spread(gx_np *s, gx_array *a, int core, gx_borrowed dest, gx_value *out) {
    if (gx_is_array(dest)) {
        const gx_array *d = gx_as_array(dest);
        if (a && !may_become(s->rt, (gx_dtype)a->dtype, d, GX_CAST_SAME_KIND))
            return gx_np_end(s, false);
        if (core) a = gx_np_less_axes(s, a, d->ndim > core ? d->ndim : core);
        a = gx_np_spread_to(s, a, core, d);
    }
    return gx_np_give_out(s, a, dest, out);
}

bool gx_np_core_out(gx_np *s, gx_dtype d, gx_borrowed dest) {
    return !gx_is_array(dest) || may_become(s->rt, d, gx_as_array(dest), GX_CAST_SAME_KIND);
}

bool gx_np_give_core(gx_np *s, gx_array *a, int core, gx_borrowed dest, gx_value *out) {
    return dest.tag == GX_ELLIPSIS ? gx_np_give_array(s, a, out)
                                   : gx_np_give_spread(s, a, core, dest, out);
}

static bool give_many(gx_np *s, int n, gx_array *const *a, bool list, gx_value *out) {
    gx_value *items = gx_np_room(s, n, sizeof *items);
    if (!items) return gx_np_end(s, false);
    for (int i = 0; i < n; i++) {
        if (!a[i]) return gx_np_end(s, false);
        items[i] = gx_np_value(a[i]);
    }
    return gx_np_end(s,
                     list ? gx_list_new(s->rt, n, items, out) : gx_tuple_new(s->rt, n, items, out));
}

bool gx_np_give_tuple(gx_np *s, int n, gx_array *const *a, gx_value *out) {
    return give_many(s, n, a, false, out);
}

bool gx_np_give_list(gx_np *s, int n, gx_array *const *a, gx_value *out) {
    return give_many(s, n, a, true, out);
}

/* --- operands --- */

/* Does the function of this call take elements that are no numbers? */
static bool moves_elements(const gx_native *fn) {
    static const char *const names[] = {
#define MOVES(name) #name,
#include "stdlib/numpy/base/moves.def"
#undef MOVES
    };
    for (size_t i = 0; fn && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], fn->name) == 0) return true;
    return !fn;
}

/* An operand for the scope, unless it is of a kind that the function does not take. */
static gx_array *own_operand(gx_np *s, gx_array *a) {
    if (GX_LIKELY(!gx_is_kind(a->dtype)) || moves_elements(s->fn)) return gx_np_own(s, a);
    gx_kind_refuse(s->rt, (gx_dtype)a->dtype, s->fn->name);
    gx_array_drop(a);
    return NULL;
}

gx_try gx_np_by_times(gx_call *c, gx_value *out) {
    gx_value import, module, text, fn;
    char name[32];
    snprintf(name, sizeof name, "fold_%s", c->fn->name);
    const gx_sym loader = gx_sym_c(c->rt, "__import__"), attr = gx_sym_c(c->rt, name);
    if (!loader || !attr || !gx_native_builtin(c->rt, loader, &import)) return GX_TRY_ERROR;
    bool ok = gx_str_c(c->rt, "_np_dates", &text);
    if (ok) {
        ok = gx_call_value(c->rt, import, 1, &text, 0, NULL, &module);
        gx_drop(text);
    }
    gx_drop(import);
    if (!ok) return GX_TRY_ERROR;
    ok = gx_get_attr(c->rt, module, attr, &fn);
    gx_drop(module);
    if (!ok) return GX_TRY_ERROR;
    ok = gx_native_forward(c, fn, out);
    gx_drop(fn);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_np_of_times(gx_call *c, gx_value *out) {
    const gx_value v = c->argv[0];
    return v.tag == GX_ARRAY && gx_is_time(gx_as_array(v)->dtype) ? gx_np_by_times(c, out)
                                                                  : GX_TRY_NO;
}

gx_array *gx_np_arr_as(gx_np *s, gx_borrowed v, gx_dtype d) {
    gx_array *a = NULL;
    gx_namespace ns = s->ns;
    if (gx_is_array(v)) {
        ns = (gx_namespace)gx_as_array(v)->ns;
        if (!s->seen || ns == GX_NS_CUPY) s->ns = ns;
        s->seen = true;
    }
    if (gx_failed(&s->rt->error) || !gx_asarray(s->rt, v, d, ns, false, &a)) return NULL;
    return own_operand(s, a);
}

gx_array *gx_np_arr(gx_np *s, gx_borrowed v) {
    return gx_np_arr_as(s, v, GX_NO_DTYPE);
}

gx_array *gx_np_values(gx_np *s, gx_borrowed v, gx_dtype d) {
    gx_array *r = NULL;
    if (gx_is_array(v) || gx_operand_kind(v) == GX_OPERAND_SCALAR)
        return gx_np_cast(s, gx_np_arr(s, v), d);
    if (gx_failed(&s->rt->error) || !gx_asarray(s->rt, v, d, s->ns, true, &r)) return NULL;
    return gx_np_own(s, r);
}

gx_array *gx_np_arr1(gx_np *s, gx_borrowed v) {
    gx_array *a = gx_np_arr(s, v);
    return a && a->ndim == 0 ? gx_np_expand(s, a, 1, 1) : a;
}

gx_array *gx_np_f64(gx_np *s, double x) {
    gx_scalar v = {.f64 = x};
    gx_array *a = NULL;
    return gx_array_scalar(s->rt, GX_f64, &v, s->ns, &a) ? gx_np_own(s, a) : NULL;
}

gx_array *gx_np_i64(gx_np *s, int64_t x) {
    gx_scalar v = {.i64 = x};
    gx_array *a = NULL;
    return gx_array_scalar(s->rt, GX_i64, &v, s->ns, &a) ? gx_np_own(s, a) : NULL;
}

gx_array *gx_np_weak(gx_np *s, gx_dtype d, double x) {
    gx_dtype as = gx_np_is_float(d) ? d : gx_promote_weak(d, GX_KIND_FLOAT);
    gx_scalar v = {.f64 = x};
    v = gx_scalar_cast(GX_f64, as, &v);
    gx_array *a = NULL;
    return gx_array_scalar(s->rt, as, &v, s->ns, &a) ? gx_np_own(s, a) : NULL;
}

gx_array *gx_np_weak_int(gx_np *s, gx_dtype d, int64_t x) {
    gx_dtype as = gx_promote_weak(d, GX_KIND_INT);
    gx_scalar v = {.i64 = x};
    v = gx_scalar_cast(GX_i64, as, &v);
    gx_array *a = NULL;
    return gx_array_scalar(s->rt, as, &v, s->ns, &a) ? gx_np_own(s, a) : NULL;
}

/* --- operations --- */

gx_array *gx_np_op1(gx_np *s, gx_opcode op, gx_array *a) {
    gx_array *r = NULL;
    return a && gx_op_arrays(s->rt, op, 1, &a, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_op2(gx_np *s, gx_opcode op, gx_array *a, gx_array *b) {
    gx_array *r = NULL, *const in[2] = {a, b};
    return a && b && gx_op_arrays(s->rt, op, 2, in, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_op3(gx_np *s, gx_opcode op, gx_array *a, gx_array *b, gx_array *x) {
    gx_array *r = NULL, *const in[3] = {a, b, x};
    return a && b && x && gx_op_arrays(s->rt, op, 3, in, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_reduce(gx_np *s, gx_redcode red, gx_array *a, uint64_t mask, bool keep,
                       gx_dtype d) {
    gx_array *r = NULL;
    return a && gx_reduce(s->rt, red, a, mask, keep, d, NULL, NULL, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_cast(gx_np *s, gx_array *a, gx_dtype d) {
    gx_array *r = NULL;
    if (!a || d == GX_NO_DTYPE || a->dtype == d) return a;
    return gx_array_cast(s->rt, a, d, false, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_copy(gx_np *s, gx_array *a, char order) {
    gx_array *r = NULL;
    return a && gx_array_copy(s->rt, a, order, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_contiguous(gx_np *s, gx_array *a) {
    gx_array *r = NULL;
    return a && gx_array_contiguous(s->rt, a, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_fresh(gx_np *s, gx_array *a, gx_dtype d) {
    if (!a) return NULL;
    if (d != GX_NO_DTYPE && a->dtype != d) return gx_np_copy(s, gx_np_cast(s, a, d), 'C');
    return gx_np_copy(s, a, 'C');
}

gx_array *gx_np_empty(gx_np *s, gx_dtype d, int ndim, const int64_t *shape) {
    gx_array *r = NULL;
    return gx_array_empty(s->rt, d, ndim, shape, s->ns, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_empty_near(gx_np *s, gx_array *near, gx_dtype d, int ndim, const int64_t *shape) {
    gx_array *r = NULL;
    return gx_array_empty_near(s->rt, 1, &near, d, ndim, shape, s->ns, &r) ? gx_np_own(s, r)
                                                                           : NULL;
}

gx_array *gx_np_zeros(gx_np *s, gx_dtype d, int ndim, const int64_t *shape) {
    gx_array *r = NULL;
    gx_scalar zero = {.bits = {0, 0}};
    return gx_array_full(s->rt, d, ndim, shape, s->ns, &zero, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_reshape(gx_np *s, gx_array *a, int ndim, const int64_t *shape) {
    gx_array *r = NULL;
    return a && gx_reshape(s->rt, a, ndim, shape, 'C', &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_flat(gx_np *s, gx_array *a) {
    if (!a || a->ndim == 1) return a;
    return gx_np_reshape(s, a, 1, &a->count);
}

gx_array *gx_np_broadcast(gx_np *s, gx_array *a, int ndim, const int64_t *shape) {
    gx_array *r = NULL;
    if (!a) return NULL;
    if (a->ndim == ndim && memcmp(gx_shape(a), shape, (size_t)ndim * sizeof *shape) == 0) return a;
    return gx_broadcast_to(s->rt, a, ndim, shape, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_spread(gx_np *s, gx_array *a, int ndim, const int64_t *shape) {
    gx_array *r = a ? gx_np_broadcast(s, a, ndim, shape) : NULL;
    if (r && r != a) r->flags = a->flags;
    return r;
}

gx_array *gx_np_moveaxis(gx_np *s, gx_array *a, int from, int to) {
    gx_array *r = NULL;
    if (!a || from == to) return a;
    return gx_moveaxis(s->rt, a, from, to, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_swapaxes(gx_np *s, gx_array *a, int i, int j) {
    gx_array *r = NULL;
    return a && gx_swapaxes(s->rt, a, i, j, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_expand(gx_np *s, gx_array *a, int result_ndim, uint64_t mask) {
    gx_array *r = NULL;
    return a && gx_expand_dims(s->rt, a, result_ndim, mask, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_squeeze(gx_np *s, gx_array *a, uint64_t mask) {
    gx_array *r = NULL;
    return a && gx_squeeze(s->rt, a, mask, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_transposed(gx_np *s, gx_array *a) {
    gx_array *r = NULL;
    return a && gx_transpose_all(s->rt, a, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_take(gx_np *s, gx_array *a, gx_array *indices, int axis) {
    gx_array *r = NULL;
    return a && indices && gx_take_axis(s->rt, a, indices, axis, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_matmul(gx_np *s, gx_array *a, gx_array *b) {
    gx_array *r = NULL;
    return a && b && gx_matmul(s->rt, a, b, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_product(gx_np *s, gx_array *a, gx_array *b, const char *name) {
    gx_array *r = NULL;
    return a && b && gx_matmul_watched(s->rt, a, b, name, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_iota(gx_np *s, int64_t n) {
    gx_array *r = NULL;
    gx_scalar first = {.i64 = 0}, step = {.i64 = 1};
    return gx_array_iota(s->rt, GX_i64, n, &first, &step, s->ns, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_cycled(gx_np *s, gx_array *v, int64_t n) {
    if (!v || v->count == n) return v;
    if (n > v->count) {
        const int64_t shape[2] = {(n - 1) / v->count + 1, v->count}, all = shape[0] * shape[1];
        v = gx_np_reshape(s, gx_np_broadcast(s, v, 2, shape), 1, &all);
    }
    return gx_np_slice(s, v, 0, 0, 1, n);
}

gx_array *gx_np_real(gx_np *s, gx_array *a) {
    return a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX ? gx_np_op1(s, GX_OP_real, a) : a;
}

gx_array *gx_np_slice(gx_np *s, gx_array *a, int axis, int64_t start, int64_t step, int64_t count) {
    if (!a) return NULL;
    int64_t dims[2 * GX_MAX_DIMS];
    memcpy(dims, a->dims, 2 * a->ndim * sizeof *dims);
    dims[axis] = count;
    dims[a->ndim + axis] *= step;
    int64_t at = count ? a->offset + start * gx_strides(a)[axis] : a->offset;
    gx_array *r = NULL;
    return gx_array_view(s->rt, a, (gx_dtype)a->dtype, a->ndim, dims, dims + a->ndim, at, &r)
               ? gx_np_own(s, r)
               : NULL;
}

gx_array *gx_np_at(gx_np *s, gx_array *a, int axis, int64_t i) {
    return gx_np_squeeze(s, gx_np_slice(s, a, axis, i, 1, 1), UINT64_C(1) << axis);
}

/* Parts that can be joined: of one shape but along the axis. */
static bool joinable(gx_np *s, int n, gx_array *const *parts, int axis) {
    for (int i = 0; i < n; i++) {
        const gx_array *a = parts[i], *b = parts[0];
        if (!a) return false;
        if (a->ndim <= axis && i == 0)
            return gx_fail(s->rt, GX_AxisError, "axis.range",
                           "axis %d is out of bounds for array of dimension %d", axis, a->ndim);
        if (a->ndim != b->ndim)
            return gx_fail(s->rt, GX_ValueError, "concatenate.dims",
                           "all the input arrays must have same number of dimensions, but the "
                           "array at index 0 has %d dimension(s) and the array at index %d has %d "
                           "dimension(s)",
                           b->ndim, i, a->ndim);
        for (int k = 0; k < a->ndim; k++)
            if (k != axis && gx_shape(a)[k] != gx_shape(b)[k])
                return gx_fail(s->rt, GX_ValueError, "concatenate.shape",
                               "all the input array dimensions except for the concatenation axis "
                               "must match exactly, but along dimension %d, the array at index 0 "
                               "has size %lld and the array at index %d has size %lld",
                               k, (long long)gx_shape(b)[k], i, (long long)gx_shape(a)[k]);
    }
    return true;
}

static bool common_of(gx_np *s, int n, gx_array *const *parts, gx_dtype *out) {
    gx_np_dtypes all = 0;
    gx_dtype other = GX_NO_DTYPE; /* of those that are no numbers */
    for (int i = 0; i < n; i++) {
        const gx_dtype d = (gx_dtype)parts[i]->dtype;
        if (!gx_is_kind(d)) all = gx_np_with_dtype(all, d);
        else if (other == GX_NO_DTYPE) other = d;
        else if (!gx_promote_any(s->rt, other, d, &other)) return false;
    }
    *out = all ? gx_np_common(all) : other;
    return !all || other == GX_NO_DTYPE || gx_promote_any(s->rt, other, *out, out);
}

gx_array *gx_np_concat(gx_np *s, int n, gx_array *const *parts, int axis, gx_dtype d) {
    int64_t shape[GX_MAX_DIMS], total = 0;
    if (!joinable(s, n, parts, axis)) return NULL;
    for (int i = 0; i < n; i++) total = gx_size_plus(total, gx_shape(parts[i])[axis]);
    gx_dtype common = d;
    if (d == GX_NO_DTYPE && !common_of(s, n, parts, &common)) return NULL;
    if (!gx_kind_settle(s->rt, parts[0], &common)) return NULL;
    memcpy(shape, gx_shape(parts[0]), parts[0]->ndim * sizeof *shape);
    shape[axis] = total;
    gx_array *r = NULL;
    if (!gx_array_empty_joined(s->rt, n, parts, common, shape, s->ns, &r)) return NULL;
    r = gx_np_own(s, r);
    int64_t at = 0;
    for (int i = 0; r && i < n; i++) {
        int64_t size = gx_shape(parts[i])[axis];
        if (!size) continue;
        gx_array *to = gx_np_slice(s, r, axis, at, 1, size);
        if (!to || !gx_array_store(s->rt, to, parts[i])) return NULL;
        at += size;
    }
    return r;
}

gx_array *gx_np_places(gx_np *s, gx_array *a) {
    gx_array *rows;
    if (!a || !gx_nonzero(s->rt, a, 'C', &rows)) return NULL;
    return gx_np_flat(s, gx_np_own(s, rows));
}

/* --- host data --- */

const void *gx_np_data(gx_np *s, gx_array *a) {
    const char *p = NULL;
    return a && gx_work_end(s->rt) && gx_array_read(s->rt, a, &p) ? p : NULL;
}

void *gx_np_data_write(gx_np *s, gx_array *a) {
    char *p = NULL;
    return a && gx_work_end(s->rt) && gx_array_write(s->rt, a, &p) ? p : NULL;
}
