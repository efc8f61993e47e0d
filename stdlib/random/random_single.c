/* standard_exponential and standard_gamma of a Generator with dtype=, out= and method=: the single
   precision draws have algorithms of their own. Without them the draws are dist.c's. */
#include <math.h>

#include "stdlib/random/dist_int.h"

static float gamma_single(gx_rng *r, float shape) {
    if (shape == 1.0f) return gx_rng_exponential_single(r);
    if (shape == 0.0f) return 0.0f;
    if (shape < 1.0f)
        for (;;) {
            const float u = gx_rng_float(r), v = gx_rng_exponential_single(r);
            if (u <= 1.0f - shape) {
                const float x = powf(u, 1.0f / shape);
                if (x <= v) return x;
            } else {
                const float y = -logf((1.0f - u) / shape);
                const float x = powf(1.0f - shape + shape * y, 1.0f / shape);
                if (x <= v + y) return x;
            }
        }
    const float b = shape - 1.0f / 3.0f, c = 1.0f / sqrtf(9.0f * b);
    for (;;) {
        float x, v;
        do {
            x = gx_rng_normal_single(r);
            v = 1.0f + c * x;
        } while (v <= 0.0f);
        v = v * v * v;
        const float u = gx_rng_float(r);
        if (u < 1.0f - 0.0331f * (x * x) * (x * x)) return b * v;
        if (logf(u) < 0.5f * x * x + b * (1.0f - v + logf(v))) return b * v;
    }
}

/* float32 or float64, as an argument says. */
static bool float_arg(gx_call *c, int i, gx_dtype *out) {
    if (!gx_np_dtype_arg(c, i, out)) return false;
    if (*out == GX_NO_DTYPE) *out = GX_f64;
    return *out == GX_f32 || *out == GX_f64 ||
           gx_fail(c->rt, GX_TypeError, "random.dtype", "Unsupported dtype dtype('%s') for %s",
                   gx_dtypes[*out].name, c->fn->name);
}

static bool finish(gx_draw *d, gx_array *a, gx_borrowed to, gx_value *out) {
    return to.tag == GX_NONE ? gx_draw_finish(d, a, out) : gx_np_give_out(&d->s, a, to, out);
}

/* --- exponential: self, size, dtype, method, out --- */

static double inverted(gx_rng *r, gx_dtype t) {
    return t == GX_f32 ? (double)-log1pf(-gx_rng_float(r)) : -log1p(-gx_rng_double(r));
}

static gx_array *exponentials(gx_draw *d, gx_dtype t, bool ziggurat) {
    gx_rng spare, *r = gx_dist_stream(d->r, &spare);
    gx_array *a = gx_np_empty(&d->s, t, d->ndim, d->shape);
    void *to = gx_np_data_write(&d->s, a);
    for (int64_t i = 0; to && i < a->count; i++) {
        if ((i & 65535) == 65535 && !gx_interrupt_check(d->s.rt)) return NULL;
        if (t == GX_f32)
            ((float *)to)[i] = ziggurat ? gx_rng_exponential_single(r) : (float)inverted(r, t);
        else
            ((double *)to)[i] = ziggurat ? gx_rng_exponential(r) : inverted(r, t);
    }
    if (to && r == &spare) d->r->counter += (uint64_t)a->count;
    return to ? a : NULL;
}

bool gx_random_standard_exponential(gx_call *c, gx_value *out) {
    gx_draw d;
    gx_dtype t;
    const char *method;
    size_t n;
    if (!gx_arg_str(c, 3, &method, &n) || !gx_draw_begin(&d, c)) return false;
    const gx_borrowed to = c->argv[4];
    if (!gx_draw_size(&d, 0, 0, 0, NULL) || !float_arg(c, 2, &t) ||
        (to.tag != GX_NONE && !gx_draw_out(&d, t, to)))
        return gx_np_end(&d.s, false);
    const bool ziggurat = n == 3 && method[0] == 'z' && method[1] == 'i' && method[2] == 'g';
    if (ziggurat && t == GX_f64)
        return finish(&d, gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape), to, out);
    if (d.r->kind == GX_RNG_PHILOX)
        return finish(&d,
                      gx_np_cast(&d.s, gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape), t), to,
                      out);
    return finish(&d, exponentials(&d, t, ziggurat), to, out);
}

/* --- gamma: self, shape, size, dtype, out --- */

bool gx_random_standard_gamma(gx_call *c, gx_value *out) {
    gx_draw d;
    gx_dtype t;
    gx_array *p[1] = {NULL};
    const gx_borrowed to = c->argv[4];
    if (!float_arg(c, 3, &t)) return false;
    if (t == GX_f64 && to.tag == GX_NONE) return gx_dist_call(c, out);
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_draw_size(&d, 1, 0, 1, p) || (to.tag != GX_NONE && !gx_draw_out(&d, t, to)))
        return gx_np_end(&d.s, false);
    gx_array *shape = gx_np_cast(&d.s, p[0], GX_f64);
    shape = gx_np_contiguous(&d.s, gx_np_broadcast(&d.s, shape, d.ndim, d.shape));
    if (d.r->kind == GX_RNG_PHILOX) {
        gx_array *const single[1] = {p[0]->count == 1 ? gx_np_cast(&d.s, p[0], GX_f64) : shape};
        if (!shape || !single[0] || !gx_dist_drawn(&d, "standard_gamma", single, &shape))
            return gx_np_end(&d.s, false);
        return finish(&d, gx_np_cast(&d.s, shape, t), to, out);
    }
    const double *x = gx_np_data(&d.s, shape);
    gx_array *a = x ? gx_np_empty(&d.s, t, d.ndim, d.shape) : NULL;
    void *into = gx_np_data_write(&d.s, a);
    if (!into) return gx_np_end(&d.s, false);
    for (int64_t i = 0; i < a->count; i++)
        if (x[i] < 0 || signbit(x[i]))
            return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "random.parameter", "shape < 0"));
    for (int64_t i = 0; i < a->count; i++) {
        if (gx_must_stop(c->rt)) return gx_np_end(&d.s, gx_stop(c->rt));
        if (t == GX_f32)
            ((float *)into)[i] = gamma_single(d.r, (float)x[i]);
        else
            ((double *)into)[i] = gx_dist_gamma(d.r, x[i]);
    }
    return finish(&d, a, to, out);
}
