/* Arguments of the image filters: boundary modes, axes, one number or one for each axis, and where
   the output goes. Filters nothing. */
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"

enum { GX_ND_ARGS = 16 }; /* more than any filter has */

static bool mode_of(gx_rt *rt, gx_borrowed v, gx_nd_mode *out) {
    static const struct {
        const char *name;
        gx_nd_mode mode;
    } modes[] = {{"reflect", GX_ND_REFLECT}, {"grid-mirror", GX_ND_REFLECT},
                 {"nearest", GX_ND_NEAREST}, {"mirror", GX_ND_MIRROR},
                 {"constant", GX_ND_FILL},   {"grid-constant", GX_ND_FILL},
                 {"wrap", GX_ND_WRAP},       {"grid-wrap", GX_ND_WRAP}};
    if (v.tag != GX_STR)
        return gx_fail(rt, GX_RuntimeError, "ndimage.mode",
                       "boundary mode not supported: a mode is a string");
    const char *text = gx_as_str(v)->text;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, text) == 0) {
            *out = modes[i].mode;
            return true;
        }
    return gx_fail(rt, GX_RuntimeError, "ndimage.mode",
                   "boundary mode not supported: '%s' (one of reflect, nearest, mirror, constant, "
                   "wrap)",
                   text);
}

static bool wrong_length(gx_rt *rt) {
    return gx_fail(rt, GX_RuntimeError, "ndimage.sequence",
                   "sequence argument must have length equal to input rank");
}

static bool modes_arg(gx_nd *k, int arg) {
    gx_borrowed v = arg < 0 ? gx_none() : k->c->argv[arg];
    for (int i = 0; i < k->count; i++) k->mode[i] = GX_ND_REFLECT;
    if (arg < 0 || !gx_arg_given(k->c, arg)) return true;
    if (v.tag == GX_STR || v.tag == GX_NONE) {
        gx_nd_mode m;
        if (!mode_of(k->c->rt, v, &m)) return false;
        for (int i = 0; i < k->count; i++) k->mode[i] = m;
        return true;
    }
    gx_value t;
    if (!gx_tuple_of(k->c->rt, v, &t) || !gx_np_hold(&k->s, t)) return false;
    if (gx_as_tuple(t)->count != k->count) return wrong_length(k->c->rt);
    for (int i = 0; i < k->count; i++)
        if (!mode_of(k->c->rt, gx_as_tuple(t)->items[i], &k->mode[i])) return false;
    return true;
}

static bool axes_arg(gx_nd *k, int arg) {
    gx_rt *rt = k->c->rt;
    int64_t axis;
    k->count = k->in->ndim;
    for (int i = 0; i < k->count; i++) k->axes[i] = i;
    if (arg < 0 || !gx_arg_some(k->c, arg)) return true;
    gx_try one = gx_as_index(rt, k->c->argv[arg], &axis);
    if (one == GX_TRY_ERROR) return false;
    k->count = 1;
    if (one == GX_TRY_YES) return gx_axis(rt, axis, k->in->ndim, &k->axes[0]);
    gx_value t;
    if (!gx_tuple_of(rt, k->c->argv[arg], &t) || !gx_np_hold(&k->s, t)) return false;
    uint64_t seen = 0;
    if (gx_as_tuple(t)->count > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "ndimage.axes", "axes must be unique");
    k->count = (int)gx_as_tuple(t)->count;
    for (int i = 0; i < k->count; i++) {
        one = gx_as_index(rt, gx_as_tuple(t)->items[i], &axis);
        if (one == GX_TRY_NO)
            return gx_fail(rt, GX_ValueError, "ndimage.axes",
                           "axes must be an integer, iterable of integers, or None");
        if (one == GX_TRY_ERROR || !gx_axis(rt, axis, k->in->ndim, &k->axes[i])) return false;
        if (seen >> k->axes[i] & 1)
            return gx_fail(rt, GX_ValueError, "ndimage.axes", "axes must be unique");
        seen |= UINT64_C(1) << k->axes[i];
    }
    return true;
}

static bool output_arg(gx_nd *k, int arg) {
    gx_dtype d = GX_NO_DTYPE, in = (gx_dtype)k->in->dtype;
    k->output = -1;
    if (arg >= 0 && gx_arg_some(k->c, arg) && gx_is_array(k->c->argv[arg])) {
        gx_array *o = gx_as_array(k->c->argv[arg]);
        bool same = o->ndim == k->in->ndim;
        for (int i = 0; same && i < o->ndim; i++) same = gx_shape(o)[i] == gx_shape(k->in)[i];
        if (!same)
            return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.output", "output shape not correct");
        k->output = arg;
        d = (gx_dtype)o->dtype;
    } else if (arg >= 0 && !gx_np_dtype_arg(k->c, arg, &d)) {
        return false;
    }
    k->to = d == GX_NO_DTYPE ? in : d;
    if (gx_dtype_kind(in) == GX_KIND_CPLX && gx_dtype_kind(k->to) != GX_KIND_CPLX) {
        if (k->output >= 0)
            return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.output",
                           "output must have complex dtype");
        k->to = in;
    }
    if (gx_dtype_kind(in) != GX_KIND_CPLX && gx_dtype_kind(k->to) == GX_KIND_CPLX)
        return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.output",
                       "the output of a real image is real, not %s", gx_dtypes[k->to].name);
    return true;
}

bool gx_nd_no_half(const gx_nd *k) {
    const gx_dtype in = (gx_dtype)k->in->dtype;
    return !(gx_is_half(in) || gx_is_half(k->to)) ||
           gx_fail(k->c->rt, GX_RuntimeError, "ndimage.dtype",
                   "array type %s not supported; use float32",
                   gx_dtypes[gx_is_half(in) ? in : k->to].name);
}

bool gx_nd_open(gx_call *c, gx_nd *k, int output, int mode, int cval, int axes) {
    memset(k, 0, sizeof *k);
    k->c = c;
    k->s = gx_np_begin(c);
    k->in = gx_np_contiguous(&k->s, gx_np_arr(&k->s, c->argv[0]));
    bool ok = k->in && output_arg(k, output) && axes_arg(k, axes) && modes_arg(k, mode) &&
              (cval < 0 || !gx_arg_some(c, cval) || gx_arg_float(c, cval, &k->cval));
    return ok || gx_np_end(&k->s, false);
}

bool gx_nd_close(gx_nd *k, gx_array *r, gx_value *out) {
    if (!r) return gx_np_end(&k->s, false);
    if (k->output >= 0) return gx_np_give_out(&k->s, r, k->c->argv[k->output], out);
    return gx_np_give_array(&k->s, r, out);
}

/* The dtype of the output where weights are complex. */
static bool complex_output(gx_call *c, int output, gx_dtype in, gx_dtype *to) {
    gx_dtype d = in;
    if (gx_arg_some(c, output) && gx_is_array(c->argv[output])) {
        d = (gx_dtype)gx_as_array(c->argv[output])->dtype;
        if (gx_dtype_kind(d) != GX_KIND_CPLX)
            return gx_fail(c->rt, GX_RuntimeError, "ndimage.output",
                           "output must have complex dtype");
    } else if (gx_arg_some(c, output)) {
        if (!gx_np_dtype_arg(c, output, &d)) return false;
        if (gx_dtype_kind(d) != GX_KIND_CPLX &&
            !gx_warn(c->rt, GX_UserWarning, "promoting specified output dtype to complex"))
            return false;
    }
    *to = gx_promote(d, GX_c64);
    return true;
}

/* re + i im, elementwise: two arrays of one shape, real or complex. */
static gx_array *joined(gx_np *s, gx_array *re, gx_array *im, gx_dtype to) {
    re = gx_np_contiguous(s, gx_np_cast(s, re, GX_c128));
    im = gx_np_contiguous(s, gx_np_cast(s, im, GX_c128));
    const gx_c128 *x = gx_np_data(s, re), *y = gx_np_data(s, im);
    gx_array *r = x && y ? gx_np_empty(s, GX_c128, re->ndim, gx_shape(re)) : NULL;
    gx_c128 *z = gx_np_data_write(s, r);
    if (!z) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, r->count) {
        z[i].re = x[i].re - y[i].im;
        z[i].im = x[i].im + y[i].re;
    }
    return gx_work_end(s->rt) ? gx_np_cast(s, r, to) : NULL;
}

bool gx_nd_complex_weights(gx_call *c, int output, bool conjugate, bool *done, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *in = gx_np_arr(&s, c->argv[0]), *w = gx_np_arr(&s, c->argv[1]), *part[2];
    gx_dtype to;
    *done = !in || !w || gx_dtype_kind(w->dtype) == GX_KIND_CPLX;
    if (!in || !w || !*done) return gx_np_end(&s, in && w);
    if (c->argc > GX_ND_ARGS || !complex_output(c, output, (gx_dtype)in->dtype, &to))
        return gx_np_end(&s, false);
    gx_value argv[GX_ND_ARGS], v;
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    gx_call one = *c;
    one.argv = argv;
    argv[output] =
        gx_dtype_value(gx_dtype_kind(in->dtype) == GX_KIND_CPLX ? to : gx_real_dtype(to));
    for (int i = 0; i < 2; i++) {
        gx_array *some = gx_np_op1(&s, i ? GX_OP_imag : GX_OP_real, w);
        if (i && conjugate) some = gx_np_op1(&s, GX_OP_negative, some);
        argv[1] = gx_np_value(some);
        if (!some || !c->fn->fn(&one, &v) || !gx_np_hold(&s, v)) return gx_np_end(&s, false);
        part[i] = gx_np_arr(&s, v);
    }
    gx_array *r = part[0] && part[1] ? joined(&s, part[0], part[1], to) : NULL;
    if (gx_arg_some(c, output) && gx_is_array(c->argv[output]))
        return gx_np_give_out(&s, r, c->argv[output], out);
    return gx_np_give_array(&s, r, out);
}

bool gx_nd_numbers(gx_nd *k, int arg, double fallback, double *out) {
    for (int i = 0; i < k->count; i++) out[i] = fallback;
    if (!gx_arg_given(k->c, arg)) return true;
    if (k->c->argv[arg].tag == GX_NONE)
        return gx_arg_wrong(k->c, arg, "a number, or one for each axis");
    gx_array *a = gx_np_contiguous(&k->s, gx_np_arr_as(&k->s, k->c->argv[arg], GX_f64));
    const double *x = a ? gx_np_data(&k->s, a) : NULL;
    if (!x) return false;
    if (a->ndim > 1 || (a->ndim == 1 && a->count != k->count)) return wrong_length(k->c->rt);
    for (int i = 0; i < k->count; i++) out[i] = x[a->ndim ? i : 0];
    return true;
}

bool gx_nd_ints(gx_nd *k, int arg, int64_t fallback, int64_t *out) {
    double x[GX_MAX_DIMS];
    if (!gx_nd_numbers(k, arg, (double)fallback, x)) return false;
    for (int i = 0; i < k->count; i++) {
        if (!(fabs(x[i]) < 0x1p52) || x[i] != floor(x[i]))
            return gx_arg_wrong(k->c, arg, "an integer");
        out[i] = (int64_t)x[i];
    }
    return true;
}

bool gx_nd_one_axis(gx_nd *k, int arg) {
    int64_t axis = -1;
    if (gx_arg_given(k->c, arg) && !gx_arg_int(k->c, arg, &axis)) return false;
    if (!gx_axis(k->c->rt, axis, k->in->ndim, &k->axes[0])) return false;
    k->count = 1;
    return true;
}

bool gx_nd_window(gx_nd *k, int64_t size, int64_t origin, int64_t *before) {
    *before = size / 2 + origin;
    return (*before >= 0 && *before < size) ||
           gx_fail(k->c->rt, GX_ValueError, "ndimage.origin",
                   "invalid origin: %lld for a window of %lld", (long long)origin, (long long)size);
}
