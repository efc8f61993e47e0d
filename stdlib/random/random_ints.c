/* random: randint and Generator.integers. Bounds are ints or arrays of them, checked against the
   dtype asked for; each dtype draws as NumPy's does, small ones several numbers from one word. */
#include <math.h>
#include <string.h>

#include "runtime/array/dtype.h"
#include "stdlib/random/random_int.h"

typedef __int128 wide;

/* Least and most of a dtype. */
static void limits(gx_dtype t, wide *least, wide *most) {
    int bits = t == GX_bool ? 1 : 8 * (int)gx_dtypes[t].bytes;
    bool is_signed = gx_dtype_kind(t) == GX_KIND_INT;
    *least = is_signed ? -((wide)1 << (bits - 1)) : 0;
    *most = ((wide)1 << (bits - is_signed)) - 1;
}

static bool whole(gx_draw *d, double f, wide *out) {
    if (isfinite(f) && f == floor(f)) {
        *out = fabs(f) < 1e30 ? (wide)f : f < 0 ? -((wide)1 << 100) : (wide)1 << 100;
        return true;
    }
    if (isnan(f))
        return gx_fail(d->c->rt, GX_ValueError, "random.bounds",
                       "cannot convert float NaN to integer");
    return gx_fail(d->c->rt, GX_TypeError, "random.bounds",
                   "%s: the bounds must be integers, not %g", d->c->fn->name, f);
}

static bool one_bound(gx_draw *d, gx_borrowed v, wide *out) {
    if (v.tag == GX_BIGINT) {
        const gx_bigint *b = (const gx_bigint *)v.obj;
        wide x = 0;
        for (uint32_t i = b->count > 3 ? 3 : b->count; i-- > 0;) x = x << 32 | b->digits[i];
        if (b->count > 3) x = (wide)1 << 100;
        *out = b->negative ? -x : x;
        return true;
    }
    gx_scalar e;
    int64_t i;
    if (gx_is_scalar(v) && gx_scalar_dtype(v) == GX_u64) {
        if (!gx_scalar_from(d->c->rt, v, GX_u64, &e)) return false;
        *out = e.u64;
        return true;
    }
    gx_try is = gx_as_index(d->c->rt, v, &i);
    if (is == GX_TRY_YES) *out = i;
    if (is != GX_TRY_NO) return is == GX_TRY_YES;
    double f;
    is = gx_as_double(d->c->rt, v, &f);
    if (is == GX_TRY_YES) return whole(d, f, out);
    return is == GX_TRY_NO && gx_fail(d->c->rt, GX_TypeError, "random.bounds",
                                      "%s: the bounds must be integers, not %s", d->c->fn->name,
                                      gx_type_name(v));
}

/* How numbers up to `most` are drawn: 32-bit words give several narrow ones. */
typedef struct narrow {
    int bits, left;
    uint32_t word;
} narrow;

static inline uint32_t next_narrow(gx_rng *r, narrow *w) {
    if (w->left) {
        w->word >>= w->bits;
        w->left--;
    } else {
        w->word = gx_rng_u32(r);
        w->left = 32 / w->bits - 1;
    }
    return w->word & ((UINT32_C(1) << w->bits) - 1);
}

/* 0 … range in a dtype of fewer than 32 bits. */
static inline uint32_t bounded_narrow(gx_rng *r, uint32_t range, narrow *w) {
    const uint32_t most = (UINT32_C(1) << w->bits) - 1, n = range + 1;
    if (range == 0) return 0;
    if (range == most) return next_narrow(r, w);
    if (r->legacy) {
        uint32_t mask = range, v;
        for (int k = 1; k < 16; k *= 2) mask |= mask >> k;
        do v = next_narrow(r, w) & mask;
        while (v > range);
        return v;
    }
    uint32_t m = next_narrow(r, w) * n;
    if ((m & most) < n) {
        const uint32_t limit = (most - range) % n;
        while ((m & most) < limit) m = next_narrow(r, w) * n;
    }
    return m >> w->bits;
}

static narrow width_of(gx_dtype t) {
    return (narrow){.bits = t == GX_bool ? 1 : 8 * (int)gx_dtypes[t].bytes};
}

static inline uint64_t bounded(gx_rng *r, uint64_t range, narrow *w) {
    return w->bits < 32 ? bounded_narrow(r, (uint32_t)range, w) : gx_rng_bounded(r, range);
}

/* An array of draws low + 0 … range. */
static gx_array *filled(gx_draw *d, gx_dtype t, uint64_t low, uint64_t range) {
    if (d->r->kind == GX_RNG_PHILOX) {
        gx_array *a = gx_rng_integers(&d->s, d->r, (int64_t)low, range, d->ndim, d->shape);
        return gx_np_cast(&d->s, a, t);
    }
    if (t == GX_i64) return gx_rng_integers(&d->s, d->r, (int64_t)low, range, d->ndim, d->shape);
    gx_array *a = gx_np_empty(&d->s, t, d->ndim, d->shape);
    char *to = gx_np_data_write(&d->s, a);
    if (!to) return NULL;
    narrow w = width_of(t);
    const size_t bytes = gx_dtypes[t].bytes;
    for (int64_t i = 0; i < a->count; i++, to += bytes) {
        uint64_t v = low + bounded(d->r, range, &w);
        memcpy(to, &v, bytes); /* the low bytes come first */
        if (GX_UNLIKELY(d->s.rt->interrupted) && !gx_interrupt_check(d->s.rt)) return NULL;
    }
    return a;
}

/* --- bounds that are arrays --- */

/* A bound's elements, as whole numbers. */
static wide *bounds_of(gx_draw *d, gx_array *a) {
    gx_np *s = &d->s;
    gx_dtype as = a->dtype == GX_u64 ? GX_u64 : gx_np_is_float(a->dtype) ? GX_f64 : GX_i64;
    gx_array *b = gx_np_contiguous(s, gx_np_cast(s, gx_np_broadcast(s, a, d->ndim, d->shape), as));
    wide *x = b ? gx_np_room(s, b->count + 1, sizeof *x) : NULL;
    const void *from = x ? gx_np_data(s, b) : NULL;
    if (!from) return NULL;
    for (int64_t i = 0; i < b->count; i++) {
        if (as == GX_f64) {
            if (!whole(d, ((const double *)from)[i], &x[i])) return NULL;
        } else
            x[i] = as == GX_u64 ? (wide)((const uint64_t *)from)[i] : ((const int64_t *)from)[i];
    }
    return x;
}

static bool in_limits(gx_draw *d, gx_dtype t, wide low, wide high, bool closed) {
    wide least, most;
    limits(t, &least, &most);
    if (low >= least && high <= most && low <= high) return true;
    gx_rt *rt = d->c->rt;
    if (low < least)
        return gx_fail(rt, GX_ValueError, "random.bounds", "low is out of bounds for %s",
                       gx_dtypes[t].name);
    if (high > most)
        return gx_fail(rt, GX_ValueError, "random.bounds", "high is out of bounds for %s",
                       gx_dtypes[t].name);
    return gx_fail(rt, GX_ValueError, "random.bounds", "%s %s %s", low ? "low" : "high",
                   low ? (closed ? ">" : ">=") : (closed ? "<" : "<="), low ? "high" : "0");
}

/* The Philox stream within ranges of their own: from low (int64) on, as many numbers as `by` says
   (uint64; 0: nearly all). */
static gx_array *spread(gx_draw *d, gx_dtype t, gx_array *low, gx_array *by) {
    gx_np *s = &d->s;
    gx_array *bits = gx_rng_integers(s, d->r, 0, UINT64_MAX, d->ndim, d->shape);
    gx_array *all = gx_np_cast(s, gx_np_i64(s, -1), GX_u64);
    gx_array *none = gx_np_cast(s, gx_np_i64(s, 0), GX_u64);
    gx_array *of = gx_np_op3(s, GX_OP_where, gx_np_op2(s, GX_OP_equal, by, none), all, by);
    gx_array *r = gx_np_op2(s, GX_OP_remainder, bits ? gx_np_cast(s, bits, GX_u64) : NULL, of);
    return r ? gx_np_cast(s, gx_np_op2(s, GX_OP_add, gx_np_cast(s, r, GX_i64), low), t) : NULL;
}

/* Is an element of a outside of the dtype's numbers, or of those below b? */
static gx_array *outside(gx_np *s, gx_dtype t, gx_array *low, gx_array *high, bool closed) {
    wide least, most;
    limits(t, &least, &most);
    gx_array *wrong = gx_np_op2(s, closed ? GX_OP_greater : GX_OP_greater_equal, low, high);
    if (gx_dtypes[t].bytes < 8) {
        gx_array *end = gx_np_i64(s, (int64_t)most + !closed);
        gx_array *above = gx_np_op2(s, GX_OP_greater, high, end);
        wrong = gx_np_op2(s, GX_OP_logical_or, wrong, above);
    }
    if (gx_dtypes[t].bytes < 8 || t == GX_u64) {
        gx_array *below = gx_np_op2(s, GX_OP_less, low, gx_np_i64(s, (int64_t)least));
        wrong = gx_np_op2(s, GX_OP_logical_or, wrong, below);
    }
    return wrong;
}

/* Draws within bounds that are arrays of integers, where these live; *out is NULL where a bound is
   wrong: the host says how. */
static bool each_there(gx_draw *d, gx_dtype t, gx_array *const bounds[2], bool closed,
                       gx_array **out) {
    gx_np *s = &d->s;
    gx_array *b[2];
    gx_scalar wrong;
    for (int i = 0; i < 2; i++)
        if (!(b[i] = gx_np_cast(s, gx_np_broadcast(s, bounds[i], d->ndim, d->shape), GX_i64)))
            return false;
    gx_array *any = outside(s, t, b[0], b[1], closed);
    any = any ? gx_np_reduce(s, GX_RED_any, any, gx_np_all(any), false, GX_bool) : NULL;
    if (!any || !gx_array_item(s->rt, any, &wrong)) return false;
    *out = NULL;
    if (wrong.b) return true;
    gx_array *by = gx_np_op2(s, GX_OP_subtract, b[1], b[0]);
    if (closed) by = gx_np_op2(s, GX_OP_add, by, gx_np_i64(s, 1));
    *out = by ? spread(d, t, b[0], gx_np_cast(s, by, GX_u64)) : NULL;
    return *out != NULL;
}

static bool are_whole(gx_array *const bounds[2]) {
    for (int i = 0; i < 2; i++)
        if (gx_np_is_float(bounds[i]->dtype) || bounds[i]->dtype == GX_u64 ||
            gx_dtype_kind(bounds[i]->dtype) == GX_KIND_CPLX)
            return false;
    return true;
}

static gx_array *each(gx_draw *d, gx_dtype t, gx_array *const bounds[2], bool closed) {
    gx_array *there = NULL;
    if (d->r->kind == GX_RNG_PHILOX && are_whole(bounds) &&
        (!each_there(d, t, bounds, closed, &there) || there))
        return there;
    wide *low = bounds_of(d, bounds[0]), *high = low ? bounds_of(d, bounds[1]) : NULL;
    if (!high) return NULL;
    const int64_t n = gx_np_size(d->ndim, d->shape);
    for (int64_t i = 0; i < n; i++) {
        high[i] -= !closed;
        if (!in_limits(d, t, low[i], high[i], closed)) return NULL;
    }
    if (d->r->kind == GX_RNG_PHILOX) {
        gx_array *from = gx_np_empty(&d->s, GX_i64, d->ndim, d->shape);
        gx_array *by = gx_np_empty(&d->s, GX_u64, d->ndim, d->shape);
        int64_t *f = gx_np_data_write(&d->s, from);
        uint64_t *b = gx_np_data_write(&d->s, by);
        for (int64_t i = 0; f && b && i < n; i++) {
            f[i] = (int64_t)low[i];
            b[i] = (uint64_t)(high[i] - low[i] + 1);
        }
        return f && b ? spread(d, t, from, by) : NULL;
    }
    gx_array *a = gx_np_empty(&d->s, t, d->ndim, d->shape);
    char *to = gx_np_data_write(&d->s, a);
    if (!to) return NULL;
    narrow w = width_of(t);
    const size_t bytes = gx_dtypes[t].bytes;
    for (int64_t i = 0; i < n; i++, to += bytes) {
        uint64_t v = (uint64_t)low[i] + bounded(d->r, (uint64_t)(high[i] - low[i]), &w);
        memcpy(to, &v, bytes);
    }
    return a;
}

/* --- the functions --- */

/* Bounds that are never drawn for are looked at, too. */
static bool all_in_limits(gx_draw *d, gx_dtype t, gx_array *const *bounds, bool closed) {
    gx_draw whole = *d;
    whole.ndim = 1;
    whole.shape[0] = bounds[0]->count;
    wide *low = bounds_of(&whole, bounds[0]), *high = low ? bounds_of(&whole, bounds[1]) : NULL;
    bool ok = high != NULL;
    for (int64_t i = 0; ok && i < bounds[0]->count; i++)
        ok = in_limits(d, t, low[i], high[i] - !closed, closed);
    d->s = whole.s;
    return ok;
}

/* The size, and the bounds in its shape: NumPy lets them be broadcast together, and draws for the
   first of the elements. */
static bool bounds_fit(gx_draw *d, gx_dtype t, gx_array **bounds, bool closed) {
    gx_np *s = &d->s;
    gx_borrowed size = gx_draw_arg(d, 2);
    if (size.tag == GX_NONE || size.tag == GX_UNDEF) return gx_draw_size(d, 2, 0, 2, bounds);
    if (!gx_draw_size(d, 2, 0, 0, NULL)) return false;
    int ndim;
    int64_t shape[GX_MAX_DIMS], few = gx_np_size(d->ndim, d->shape);
    for (int i = 0; i < 2 && !few; i++)
        if (!(bounds[i] = gx_np_zeros(s, GX_i64, d->ndim, d->shape))) return false;
    if (!few) return true;
    gx_array *all[3] = {bounds[0], bounds[1], gx_np_zeros(s, GX_bool, d->ndim, d->shape)};
    if (!all[2] || !gx_broadcast_shapes(d->c->rt, 3, all, &ndim, shape)) return false;
    for (int i = 0; i < 2; i++)
        if (!(bounds[i] = gx_np_flat(s, gx_np_broadcast(s, bounds[i], ndim, shape)))) return false;
    if (bounds[0]->count > few && !all_in_limits(d, t, bounds, closed)) return false;
    for (int i = 0; i < 2; i++) {
        gx_array *b = bounds[i];
        if (b->count > few) b = gx_np_slice(s, b, 0, 0, 1, few);
        if (!(bounds[i] = gx_np_reshape(s, b, d->ndim, d->shape))) return false;
    }
    return true;
}

static bool is_many(gx_borrowed v) {
    return v.tag == GX_LIST || v.tag == GX_TUPLE || (gx_is_array(v) && gx_as_array(v)->ndim > 0);
}

/* As NumPy: int and bool asked for by Python's own types give Python's own numbers. */
static bool give(gx_draw *d, gx_array *a, bool python, gx_value *out) {
    if (python) return gx_draw_finish(d, a, out);
    return d->one ? gx_np_give(&d->s, a, out) : gx_np_give_array(&d->s, a, out);
}

static bool integers(gx_call *c, bool closed, gx_value *out) {
    gx_draw d;
    gx_dtype t;
    if (!gx_draw_begin(&d, c)) return false;
    gx_borrowed low = gx_draw_arg(&d, 0), high = gx_draw_arg(&d, 1), asked = gx_draw_arg(&d, 3);
    if (high.tag == GX_NONE) {
        high = low;
        low = gx_int(0);
    }
    if ((closed && !gx_arg_bool(c, d.at + 4, &closed)) || !gx_np_dtype_arg(c, d.at + 3, &t))
        return gx_np_end(&d.s, false);
    bool python = asked.tag == GX_NONE ? d.r->legacy || d.r->kind == GX_RNG_PHILOX
                                       : asked.tag == GX_TYPE && (asked.type == &gx_type_int ||
                                                                  asked.type == &gx_type_bool);
    if (t == GX_NO_DTYPE) t = GX_i64;
    if (gx_np_is_float(t))
        return gx_np_end(&d.s, gx_fail(c->rt, GX_TypeError, "random.dtype",
                                       "Unsupported dtype dtype('%s') for %s", gx_dtypes[t].name,
                                       c->fn->name));
    if (is_many(low) || is_many(high)) {
        gx_array *bounds[2] = {gx_np_arr(&d.s, low), gx_np_arr(&d.s, high)};
        if (!bounds[0] || !bounds[1] || !bounds_fit(&d, t, bounds, closed))
            return gx_np_end(&d.s, false);
        return give(&d, each(&d, t, bounds, closed), python, out);
    }
    wide from, to;
    if (!one_bound(&d, low, &from) || !one_bound(&d, high, &to) ||
        !gx_draw_size(&d, 2, 0, 0, NULL) ||
        (gx_np_size(d.ndim, d.shape) && !in_limits(&d, t, from, to - !closed, closed)))
        return gx_np_end(&d.s, false);
    to -= !closed;
    return give(&d, filled(&d, t, (uint64_t)from, (uint64_t)(to - from)), python, out);
}

bool gx_random_randint(gx_call *c, gx_value *out) {
    return integers(c, false, out);
}
bool gx_random_integers(gx_call *c, gx_value *out) {
    return integers(c, true, out);
}
