/* Filters along one axis. Lines are taken in bundles: W neighbouring lines side by side, so that
   the element after x[p] along the axis is x[p + W]; a bundle of the last axis is one line, W = 1.
   Every filter then is a loop over consecutive p, whatever the axis. The order of additions is
   SciPy's, so sums agree to the bit. A whole bundle is read before it is written: source and
   destination may be the same. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/nd_int.h"

enum { BUNDLE = 16, BLOCK = 16 };

/* Four elements at any address. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

void gx_nd_load(gx_dtype d, const char *from, int64_t step, int64_t n, double *out) {
#define LOAD(id, type)                                                                             \
    case GX_##id: {                                                                                \
        const type *x = (const void *)from;                                                        \
        if (step == 1)                                                                             \
            for (int64_t i = 0; i < n; i++) out[i] = (double)x[i];                                 \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++) out[i] = (double)x[i * step];                          \
        return;                                                                                    \
    }
    switch ((int)d) {
        LOAD(bool, uint8_t)
        LOAD(i8, int8_t)
        LOAD(i16, int16_t)
        LOAD(i32, int32_t)
        LOAD(i64, int64_t)
        LOAD(u8, uint8_t)
        LOAD(u16, uint16_t)
        LOAD(u32, uint32_t)
        LOAD(u64, uint64_t)
        LOAD(f32, float)
        LOAD(f64, double)
    default:
        break;
    }
#undef LOAD
}

/* Towards zero, wrapping; any value at all gives some integer. */
static int64_t cut(double x) {
    return x > -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}
static uint64_t cut_unsigned(double x) {
    if (x >= 0x1p63) return x < 0x1p64 ? (uint64_t)x : 0;
    return (uint64_t)cut(x);
}

void gx_nd_store(gx_dtype d, const double *from, int64_t n, char *out, int64_t step) {
#define STORE(id, type, value)                                                                     \
    case GX_##id: {                                                                                \
        type *o = (void *)out;                                                                     \
        for (int64_t i = 0; i < n; i++) o[i * step] = (type)(value);                               \
        return;                                                                                    \
    }
    switch ((int)d) {
        STORE(bool, uint8_t, (uint8_t)cut(from[i]) != 0)
        STORE(i8, int8_t, cut(from[i]))
        STORE(i16, int16_t, cut(from[i]))
        STORE(i32, int32_t, cut(from[i]))
        STORE(i64, int64_t, cut(from[i]))
        STORE(u8, uint8_t, cut(from[i]))
        STORE(u16, uint16_t, cut(from[i]))
        STORE(u32, uint32_t, cut(from[i]))
        STORE(u64, uint64_t, cut_unsigned(from[i]))
        STORE(f32, float, from[i])
        STORE(f64, double, from[i])
    default:
        break;
    }
#undef STORE
}

/* 1: the weights mirror themselves, -1: with the sign changed, 0: neither. */
static int symmetry(const double *w, int64_t size) {
    bool even = size % 2 == 1, odd = even;
    for (int64_t i = 1; (even || odd) && i <= size / 2; i++) {
        double a = w[size / 2 + i], b = w[size / 2 - i];
        even = even && fabs(a - b) <= DBL_EPSILON;
        odd = odd && fabs(a + b) <= DBL_EPSILON;
    }
    return even ? 1 : odd ? -1 : 0;
}

#define AT(p, i) (((const four *)(p))[i])
#define EACH(statement)                                                                            \
    {                                                                                              \
        {                                                                                          \
            enum { k = 0 };                                                                        \
            statement;                                                                             \
        }                                                                                          \
        {                                                                                          \
            enum { k = 1 };                                                                        \
            statement;                                                                             \
        }                                                                                          \
        {                                                                                          \
            enum { k = 2 };                                                                        \
            statement;                                                                             \
        }                                                                                          \
        {                                                                                          \
            enum { k = 3 };                                                                        \
            statement;                                                                             \
        }                                                                                          \
    }

/* Sums of products; whole blocks, so up to BLOCK - 1 elements too many. */
static void weigh(const gx_nd_line *l, int kind, const double *b, int64_t total, int64_t w,
                  double *o) {
    int64_t half = l->size / 2;
    const double *f = l->weights;
    for (int64_t p = 0; p < total; p += BLOCK) {
        const double *x = b + p, *mid = x + half * w;
        four sum[4];
        if (kind) {
            EACH(sum[k] = AT(mid, k) * f[half])
            for (int64_t j = 0; j < half; j++) {
                const double *left = x + j * w, *right = x + (l->size - 1 - j) * w;
                if (kind > 0)
                    EACH(sum[k] += (AT(left, k) + AT(right, k)) * f[j])
                else
                    EACH(sum[k] += (AT(left, k) - AT(right, k)) * f[j])
            }
        } else {
            const double *last = x + (l->size - 1) * w;
            EACH(sum[k] = AT(last, k) * f[l->size - 1])
            for (int64_t j = 0; j < l->size - 1; j++) {
                const double *tap = x + j * w;
                EACH(sum[k] += AT(tap, k) * f[j])
            }
        }
        memcpy(o + p, sum, sizeof sum);
    }
}

/* Running means: one addition an element. */
static void average(const gx_nd_line *l, const double *b, int64_t n, int64_t w, double *o) {
    double size = (double)l->size;
    for (int64_t q = 0; q < w; q++) {
        double sum = 0;
        for (int64_t j = 0; j < l->size; j++) sum += b[j * w + q];
        o[q] = sum / size;
        for (int64_t i = 1; i < n; i++) {
            sum += b[(i + l->size - 1) * w + q] - b[(i - 1) * w + q];
            o[i * w + q] = sum / size;
        }
    }
}

/* Extremes of windows of 1, 2, 4 … elements, each from two of the one before, in place. */
static void extremes(const gx_nd_line *l, double *b, int64_t total, int64_t w, double *o) {
    int64_t have = 1;
    for (bool more = true; more && l->size > 1;) {
        int64_t step = 2 * have <= l->size ? have : l->size - have;
        int64_t n = total + (l->size - have - step) * w;
        const double *y = b + step * w;
        more = have + step < l->size;
        if (l->kind == GX_ND_MIN)
            for (int64_t p = 0; p < n; p++) b[p] = y[p] < b[p] ? y[p] : b[p];
        else
            for (int64_t p = 0; p < n; p++) b[p] = y[p] > b[p] ? y[p] : b[p];
        have += step;
    }
    memcpy(o, b, (size_t)total * sizeof *o);
}

/* One real component of a pass. */
typedef struct job {
    const gx_nd_line *line;
    gx_dtype from, to;
    int64_t outer, n, inner, step_from, step_to;
    const char *src;
    char *dst;
    const int64_t *beyond; /* source positions before the line, then after it */
    double *in, *out;
    int kind;
} job;

static void bundle(const job *j, int64_t o, int64_t q, int64_t w) {
    const gx_nd_line *l = j->line;
    int64_t before = l->before, after = l->size - 1 - before;
    int64_t from = gx_dtypes[j->from].bytes * j->step_from,
            to = gx_dtypes[j->to].bytes * j->step_to;
    const char *src = j->src + (o * j->n * j->inner + q) * from;
    char *dst = j->dst + (o * j->n * j->inner + q) * to;
    double *x = j->in + before * w;
    if (j->inner == 1)
        gx_nd_load(j->from, src, j->step_from, j->n, x);
    else
        for (int64_t i = 0; i < j->n; i++)
            gx_nd_load(j->from, src + i * j->inner * from, j->step_from, w, x + i * w);
    for (int64_t i = 0; i < before + after; i++) {
        double *edge = i < before ? j->in + i * w : x + (j->n + i - before) * w;
        for (int64_t k = 0; k < w; k++)
            edge[k] = j->beyond[i] < 0 ? l->cval : x[j->beyond[i] * w + k];
    }
    /* Whole blocks read past the end. */
    memset(x + (j->n + after) * w, 0, BLOCK * sizeof *x);
    switch (l->kind) {
    case GX_ND_WEIGHTS:
        weigh(l, j->kind, j->in, j->n * w, w, j->out);
        break;
    case GX_ND_MEAN:
        average(l, j->in, j->n, w, j->out);
        break;
    case GX_ND_MIN:
    case GX_ND_MAX:
        extremes(l, j->in, j->n * w, w, j->out);
        break;
    }
    if (j->inner == 1)
        gx_nd_store(j->to, j->out, j->n, dst, j->step_to);
    else
        for (int64_t i = 0; i < j->n; i++)
            gx_nd_store(j->to, j->out + i * w, w, dst + i * j->inner * to, j->step_to);
}

static gx_dtype part_dtype(int d) {
    return gx_dtype_kind(d) == GX_KIND_CPLX ? gx_real_dtype((gx_dtype)d) : (gx_dtype)d;
}

bool gx_nd_pass(gx_np *s, gx_array *src, gx_array *dst, int axis, const gx_nd_line *line) {
    if (!src || !dst) return false;
    job j = {.line = line, .from = part_dtype(src->dtype), .to = part_dtype(dst->dtype)};
    int64_t edges = line->size - 1, w = 1;
    gx_nd_line component = *line;
    j.outer = j.inner = 1;
    j.n = gx_shape(src)[axis];
    for (int i = 0; i < src->ndim; i++) {
        if (i < axis) j.outer *= gx_shape(src)[i];
        if (i > axis) j.inner *= gx_shape(src)[i];
    }
    if (src->count == 0) return true;
    w = j.inner < BUNDLE ? j.inner : BUNDLE;
    if (line->size > (INT64_C(1) << 40) / (w + 1))
        return gx_fail(s->rt, GX_MemoryError, "ndimage.size", "the filter window is too large");
    j.dst = gx_np_data_write(s, dst);
    j.src = src == dst ? j.dst : gx_np_data(s, src);
    j.in = gx_np_scratch(s, (size_t)((j.n + edges) * w + BLOCK) * sizeof(double));
    j.out = gx_np_scratch(s, (size_t)(j.n * w + BLOCK) * sizeof(double));
    int64_t *beyond = gx_np_scratch(s, (size_t)(edges + 1) * sizeof *beyond);
    if (!j.dst || !j.src || !j.in || !j.out || !beyond) return false;
    for (int64_t i = 0; i < edges; i++)
        beyond[i] = gx_nd_source(line->mode,
                                 i < line->before ? i - line->before : j.n + i - line->before, j.n);
    j.beyond = beyond;
    j.kind = line->kind == GX_ND_WEIGHTS ? symmetry(line->weights, line->size) : 0;
    bool complex = gx_dtype_kind(src->dtype) == GX_KIND_CPLX;
    j.step_from = complex ? 2 : 1;
    j.step_to = gx_dtype_kind(dst->dtype) == GX_KIND_CPLX ? 2 : 1;
    for (int part = 0; part < (complex ? 2 : 1); part++) {
        for (int64_t o = 0; o < j.outer; o++)
            for (int64_t q = 0; q < j.inner; q += BUNDLE)
                bundle(&j, o, q, j.inner - q < BUNDLE ? j.inner - q : BUNDLE);
        j.src += gx_dtypes[j.from].bytes;
        j.dst += gx_dtypes[j.to].bytes;
        component.cval = 0;
        j.line = &component;
    }
    return true;
}
