/* Shapes of true elements: erosion and dilation by a structure, what is made of them, and filled
   holes. Images are bytes of 0 and 1 inside a border, so that each place of the structure is a
   fixed distance; a step is the `and` (`or`) of shifted rows, in tasks on the threads. "Until
   nothing changes" works in place, forwards and backwards in turn: the end is the same in any
   order. */
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/ndimage/ndimage_int.h"

extern const gx_native gx_nd_binary_functions[];

enum { BLOCK = 64, TASK = 65536 };
typedef uint8_t bytes __attribute__((vector_size(16), aligned(1), may_alias));

typedef struct bits {
    gx_rt *rt;
    int nd;
    int64_t shape[GX_MAX_DIMS], before[GX_MAX_DIMS], padded[GX_MAX_DIMS], step[GX_MAX_DIMS];
    int64_t rows, room, taps, per;
    const int64_t *at;
    uint8_t *now, *next; /* with border */
    const uint8_t *mask; /* of the image's shape, or NULL */
    bool any;            /* dilation */
} bits;

/* Where row i of the image begins among the cells. */
static int64_t row_start(const bits *b, int64_t i) {
    int64_t far = b->before[b->nd - 1];
    for (int d = b->nd - 2; d >= 0; d--) {
        far += (i % b->shape[d] + b->before[d]) * b->step[d];
        i /= b->shape[d];
    }
    return far;
}

/* n results from cell x on, to a block. */
static void combine(const bits *b, const uint8_t *x, uint8_t *out) {
    bytes sum[BLOCK / 16];
    memset(sum, b->any ? 0 : 1, sizeof sum);
    for (int64_t t = 0; t < b->taps; t++) {
        const uint8_t *y = x + b->at[t];
        if (b->any)
            for (int k = 0; k < BLOCK / 16; k++) sum[k] |= *(const bytes *)(y + 16 * k);
        else
            for (int k = 0; k < BLOCK / 16; k++) sum[k] &= *(const bytes *)(y + 16 * k);
    }
    memcpy(out, sum, BLOCK);
}

static void step_task(void *arg, int64_t task, int thread) {
    const bits *b = arg;
    int64_t n = b->shape[b->nd - 1], end = (task + 1) * b->per;
    uint8_t block[BLOCK];
    (void)thread;
    for (int64_t r = task * b->per; r < end && r < b->rows; r++) {
        int64_t far = row_start(b, r);
        for (int64_t i = 0; i < n; i += BLOCK) {
            int64_t part = n - i < BLOCK ? n - i : BLOCK;
            combine(b, b->now + far + i, block);
            for (int64_t k = 0; b->mask && k < part; k++)
                if (!b->mask[r * n + i + k]) block[k] = b->now[far + i + k];
            memcpy(b->next + far + i, block, (size_t)part);
        }
    }
}

static void one_step(bits *b) {
    b->per = 1 + TASK / (b->shape[b->nd - 1] * (b->taps / 8 + 1));
    gx_work_run(b->rt, (b->rows + b->per - 1) / b->per, step_task, b);
    uint8_t *t = b->now;
    b->now = b->next;
    b->next = t;
}

/* One element in place: did it change? */
static bool touch(const bits *b, int64_t at, int64_t place) {
    uint8_t *x = b->now + at;
    if (*x == b->any || (b->mask && !b->mask[place])) return false;
    for (int64_t t = 0; t < b->taps; t++)
        if (x[b->at[t]] == b->any) {
            *x = b->any;
            return true;
        }
    return false;
}

static GX_CHECK bool until_still(bits *b) {
    int64_t n = b->shape[b->nd - 1];
    for (bool changed = true, back = false; changed; back = !back) {
        changed = false;
        if (!gx_interrupt_check(b->rt)) return false;
        for (int64_t i = 0; i < b->rows; i++) {
            int64_t r = back ? b->rows - 1 - i : i, far = row_start(b, r);
            for (int64_t k = 0; k < n; k++) {
                int64_t q = back ? n - 1 - k : k;
                if (touch(b, far + q, r * n + q)) changed = true;
            }
        }
    }
    return true;
}

/* --- structures */

gx_array *gx_nd_cross(gx_np *s, int64_t rank, int64_t connectivity) {
    if (rank > 16) {
        gx_fail(s->rt, GX_ValueError, "ndimage.structure", "at most 16 axes; got %lld",
                (long long)rank);
        return NULL;
    }
    int64_t shape[GX_MAX_DIMS], total = 1;
    for (int64_t d = 0; d < rank; d++) shape[d] = 3, total *= 3;
    gx_array *a = gx_np_empty(s, GX_bool, (int)rank, shape);
    uint8_t *x = gx_np_data_write(s, a);
    for (int64_t i = 0; x && i < total; i++) {
        int64_t away = 0;
        for (int64_t d = 0, rest = i; d < rank; d++, rest /= 3) away += rest % 3 != 1;
        x[i] = away <= connectivity;
    }
    return x ? a : NULL;
}

gx_array *gx_nd_structure(gx_nd *k, int arg) {
    if (!gx_arg_some(k->c, arg)) return gx_nd_cross(&k->s, k->count, 1);
    gx_array *a = gx_np_contiguous(&k->s, gx_np_arr_as(&k->s, k->c->argv[arg], GX_bool));
    if (a && a->ndim != k->count) {
        gx_fail(k->c->rt, GX_RuntimeError, "ndimage.structure",
                "structure and input must have same dimensionality: structure.ndim is %d, "
                "len(axes) is %d",
                a->ndim, k->count);
        return NULL;
    }
    if (a && a->count == 0) {
        gx_fail(k->c->rt, GX_RuntimeError, "ndimage.structure", "structure must not be empty");
        return NULL;
    }
    return a;
}

/* --- an image and its border */

/* Distances of the structure's places: to the neighbours that decide an element. */
static bool places(gx_nd *k, bits *b, gx_array *structure, const int64_t *origin) {
    const uint8_t *x = gx_np_data(&k->s, structure);
    int64_t *at = gx_np_room(&k->s, structure->count + 1, sizeof *at);
    int64_t low[GX_MAX_DIMS] = {0}, high[GX_MAX_DIMS] = {0};
    if (!x || !at) return false;
    for (int i = 0; i < k->count; i++) {
        int64_t n = gx_shape(structure)[i], d = k->axes[i], middle = n / 2 + origin[i];
        low[d] = b->any ? n / 2 + origin[i] - (n - 1) : -middle;
        high[d] = low[d] + n - 1;
    }
    b->room = 1;
    for (int d = b->nd - 1; d >= 0; d--) {
        b->before[d] = low[d] < 0 ? -low[d] : 0;
        b->padded[d] = b->shape[d] + b->before[d] + (high[d] > 0 ? high[d] : 0);
        b->step[d] = b->room;
        if (__builtin_mul_overflow(b->room, b->padded[d], &b->room) || b->room > INT64_C(1) << 48)
            return gx_fail(k->c->rt, GX_MemoryError, "ndimage.size", "the structure is too large");
    }
    for (int64_t i = 0; i < structure->count; i++) {
        int64_t far = 0, rest = i;
        if (!x[i]) continue;
        for (int j = k->count - 1; j >= 0; j--) {
            int64_t n = gx_shape(structure)[j], away = rest % n - n / 2;
            rest /= n;
            far += (b->any ? origin[j] - away : away - origin[j]) * b->step[k->axes[j]];
        }
        at[b->taps++] = far;
    }
    b->at = at;
    return true;
}

static void copy_rows(const bits *b, uint8_t *image, uint8_t *cells, bool out) {
    int64_t n = b->shape[b->nd - 1];
    for (int64_t r = 0; r < b->rows; r++)
        memcpy(out ? image + r * n : cells + row_start(b, r),
               out ? cells + row_start(b, r) : image + r * n, (size_t)n);
}

typedef struct step {
    gx_array *structure, *mask; /* mask NULL: none */
    int64_t iterations, origin[GX_MAX_DIMS];
    bool border;
} step;

/* --- on a GPU: a step is the `and` (`or`) of shifted views of the image in its border */

enum {
    MOST_TAPS = 128,
    TOGETHER = 8,    /* steps between looks whether anything changes, */
    MOST_STEPS = 256 /* and so many before the host goes on */
};

typedef struct shifts {
    int64_t taps, at[MOST_TAPS][GX_MAX_DIMS], low[GX_MAX_DIMS], high[GX_MAX_DIMS];
} shifts;

/* *fits: there are few places. */
static bool shifts_of(gx_nd *k, gx_array *structure, const int64_t *origin, bool any, shifts *f,
                      bool *fits) {
    const uint8_t *x = gx_np_data(&k->s, structure);
    if (!x) return false;
    f->taps = 0;
    *fits = true;
    for (int d = 0; d < GX_MAX_DIMS; d++) f->low[d] = f->high[d] = 0;
    for (int64_t i = 0; i < structure->count && *fits; i++) {
        int64_t rest = i;
        if (!x[i]) continue;
        if (f->taps == MOST_TAPS) {
            *fits = false;
            break;
        }
        int64_t *at = f->at[f->taps++];
        memset(at, 0, GX_MAX_DIMS * sizeof *at);
        for (int j = k->count - 1; j >= 0; j--) {
            const int64_t n = gx_shape(structure)[j], away = rest % n - n / 2;
            const int d = k->axes[j];
            rest /= n;
            at[d] = any ? origin[j] - away : away - origin[j];
            if (at[d] < f->low[d]) f->low[d] = at[d];
            if (at[d] > f->high[d]) f->high[d] = at[d];
        }
    }
    return true;
}

/* The part of a padded image that lies `at` steps from its middle. */
static gx_array *shifted(gx_np *s, gx_array *padded, const gx_array *image, const shifts *f,
                         const int64_t *at) {
    for (int d = 0; padded && d < image->ndim; d++)
        padded = gx_np_slice(s, padded, d, at[d] - f->low[d], 1, gx_shape(image)[d]);
    return padded;
}

static gx_array *step_there(gx_nd *k, gx_array *image, const step *s, const shifts *f, bool any) {
    static const int64_t middle[GX_MAX_DIMS];
    gx_np *n = &k->s;
    int64_t shape[GX_MAX_DIMS];
    const gx_scalar border = {.b = s->border}, all = {.b = !any};
    for (int d = 0; d < image->ndim; d++)
        shape[d] = gx_shape(image)[d] + f->high[d] - f->low[d];
    gx_array *padded = gx_np_empty_near(n, image, GX_bool, image->ndim, shape), *r = NULL;
    if (!padded || !gx_array_fill(n->rt, padded, &border)) return NULL;
    gx_array *to = shifted(n, padded, image, f, middle);
    if (!to || !gx_array_store(n->rt, to, image)) return NULL;
    for (int64_t t = 0; t < f->taps; t++) {
        gx_array *tap = shifted(n, padded, image, f, f->at[t]);
        r = t ? gx_np_op2(n, any ? GX_OP_logical_or : GX_OP_logical_and, r, tap) : tap;
        if (!r) return NULL;
    }
    if (f->taps == 0) { /* nothing decides */
        r = gx_np_empty_near(n, image, GX_bool, image->ndim, gx_shape(image));
        if (!r || !gx_array_fill(n->rt, r, &all)) return NULL;
    }
    r = s->mask ? gx_np_op3(n, GX_OP_where, s->mask, r, image) : r;
    return r ? gx_np_copy(n, r, 'C') : NULL;
}

static bool is_same(gx_np *s, gx_array *a, gx_array *b, bool *same) {
    gx_array *differ = gx_np_op2(s, GX_OP_not_equal, a, b);
    gx_array *any = differ ? gx_np_reduce(s, GX_RED_any, differ, gx_np_all(differ), false, GX_bool)
                           : NULL;
    gx_scalar x;
    if (!any || !gx_array_item(s->rt, any, &x)) return false;
    *same = !x.b;
    return true;
}

/* *done: *image has all its steps; else some of those until nothing changes are left. */
static bool apply_there(gx_nd *k, gx_array **image, const step *s, bool any, bool *done) {
    shifts f;
    *done = false;
    if (!shifts_of(k, s->structure, s->origin, any, &f, done)) return false;
    if (!*done) return true;
    for (int64_t i = 0; s->iterations < 1 || i < s->iterations; i++) {
        gx_array *next = step_there(k, *image, s, &f, any);
        if (!next || !gx_work_end(k->c->rt)) return false;
        if (s->iterations < 1 && i % TOGETHER == TOGETHER - 1) {
            bool same;
            if (!is_same(&k->s, *image, next, &same)) return false;
            if (same) return true;
            *done = i < MOST_STEPS;
        }
        *image = next;
        if (!*done) return true;
    }
    return true;
}

/* A bool image eroded (any: dilated). */
static gx_array *apply(gx_nd *k, gx_array *image, const step *s, bool any) {
    if (image && s->structure && image->ndim && image->count &&
        gx_array_is_away(k->c->rt, image)) {
        bool done;
        if (!apply_there(k, &image, s, any, &done)) return NULL;
        if (done) return image;
    }
    bits b = {.rt = k->c->rt, .nd = image ? image->ndim : 0, .rows = 1, .any = any};
    if (!image || !s->structure) return NULL;
    gx_array *out = gx_np_empty(&k->s, GX_bool, image->ndim, gx_shape(image));
    if (!out || image->count == 0) return out;
    for (int d = 0; d < b.nd; d++) b.shape[d] = gx_shape(image)[d];
    if (b.nd == 0) b.nd = 1, b.shape[0] = 1;
    for (int d = 0; d < b.nd - 1; d++) b.rows *= b.shape[d];
    if (!places(k, &b, s->structure, s->origin)) return NULL;
    int64_t bytes_of = 2 * (b.room + BLOCK);
    b.now = gx_np_data_write(&k->s, gx_np_empty(&k->s, GX_u8, 1, &bytes_of));
    uint8_t *to = gx_np_data_write(&k->s, out);
    uint8_t *from = gx_np_data_write(&k->s, gx_np_fresh(&k->s, image, GX_bool));
    b.mask = s->mask ? gx_np_data(&k->s, s->mask) : NULL;
    if (!b.now || !to || !from || (s->mask && !b.mask)) return NULL;
    memset(b.now, s->border, (size_t)bytes_of);
    b.next = b.now + b.room + BLOCK;
    copy_rows(&b, from, b.now, false);
    if (s->iterations < 1 && !until_still(&b)) return NULL;
    for (int64_t i = 0; i < s->iterations; i++) {
        if (!gx_interrupt_check(b.rt)) return NULL;
        one_step(&b);
        if (memcmp(b.now, b.next, (size_t)b.room) == 0) break;
    }
    copy_rows(&b, to, b.now, true);
    return out;
}

/* --- functions */

typedef struct names { /* places of arguments; -1: none */
    int structure, iterations, mask, output, border, origin, axes;
} names;

static bool origin_fits(gx_nd *k, const step *s) {
    for (int i = 0; i < k->count; i++) {
        const int64_t n = gx_shape(s->structure)[i], middle = n / 2 + s->origin[i];
        if (middle < 0 || middle >= n)
            return gx_fail(k->c->rt, GX_ValueError, "ndimage.origin",
                           "invalid origin: %lld for a structure of %lld", (long long)s->origin[i],
                           (long long)n);
    }
    return true;
}

static bool open_binary(gx_call *c, gx_nd *k, const names *n, step *s, gx_array **image) {
    gx_rt *rt = c->rt;
    int64_t border = 0;
    s->iterations = 1;
    s->mask = NULL;
    if (!gx_nd_open(c, k, n->output, -1, -1, n->axes)) return false;
    const bool holes = n->mask < 0; /* of any numbers: of those that are 0 */
    if (!holes && !gx_nd_no_half(k)) return gx_np_end(&k->s, false);
    if (k->output < 0) k->to = GX_bool; /* as in SciPy, a dtype changes nothing */
    bool ok = gx_dtype_kind(k->in->dtype) != GX_KIND_CPLX ||
              gx_fail(rt, GX_TypeError, "ndimage.complex", "Complex type not supported");
    ok = ok && (n->iterations < 0 || gx_arg_int(c, n->iterations, &s->iterations)) &&
         (n->border < 0 || gx_arg_int(c, n->border, &border)) &&
         gx_nd_ints(k, n->origin, 0, s->origin);
    s->border = border != 0;
    if (ok && n->mask >= 0 && gx_arg_some(c, n->mask)) {
        s->mask = gx_np_contiguous(&k->s, gx_np_arr_as(&k->s, c->argv[n->mask], GX_bool));
        ok = s->mask && s->mask->ndim == k->in->ndim &&
             memcmp(gx_shape(s->mask), gx_shape(k->in), k->in->ndim * sizeof(int64_t)) == 0;
        if (s->mask && !ok)
            gx_fail(rt, GX_RuntimeError, "ndimage.mask", "mask and input must have equal sizes");
    }
    s->structure = ok ? gx_nd_structure(k, n->structure) : NULL;
    ok = s->structure && origin_fits(k, s);
    *image = ok ? gx_np_contiguous(&k->s, gx_np_cast(&k->s, k->in, GX_bool)) : NULL;
    return *image || gx_np_end(&k->s, false);
}

static bool close_binary(gx_nd *k, gx_array *r, gx_value *out) {
    return gx_nd_close(k, r, out);
}

static bool single(gx_call *c, bool any, gx_value *out) {
    static const names order = {1, 2, 3, 4, 5, 6, 8};
    gx_nd k;
    step s;
    gx_array *image;
    if (!open_binary(c, &k, &order, &s, &image)) return false;
    return close_binary(&k, apply(&k, image, &s, any), out);
}

static bool binary_erosion_fn(gx_call *c, gx_value *out) {
    return single(c, false, out);
}
static bool binary_dilation_fn(gx_call *c, gx_value *out) {
    return single(c, true, out);
}

static bool pair(gx_call *c, bool any_first, gx_value *out) {
    static const names order = {1, 2, 5, 3, 6, 4, 8};
    gx_nd k;
    step s;
    gx_array *image;
    if (!open_binary(c, &k, &order, &s, &image)) return false;
    return close_binary(&k, apply(&k, apply(&k, image, &s, any_first), &s, !any_first), out);
}

static bool binary_opening_fn(gx_call *c, gx_value *out) {
    return pair(c, false, out);
}
static bool binary_closing_fn(gx_call *c, gx_value *out) {
    return pair(c, true, out);
}

static bool binary_propagation_fn(gx_call *c, gx_value *out) {
    static const names order = {1, -1, 2, 3, 4, 5, 6};
    gx_nd k;
    step s;
    gx_array *image;
    if (!open_binary(c, &k, &order, &s, &image)) return false;
    s.iterations = -1;
    return close_binary(&k, apply(&k, image, &s, true), out);
}

/* What cannot be reached from outside is filled. */
static bool binary_fill_holes_fn(gx_call *c, gx_value *out) {
    static const names order = {1, -1, -1, 2, -1, 3, 4};
    gx_nd k;
    step s;
    gx_array *image;
    if (!open_binary(c, &k, &order, &s, &image)) return false;
    s.iterations = -1;
    s.border = true;
    s.mask = gx_np_contiguous(&k.s, gx_np_op1(&k.s, GX_OP_logical_not, image));
    gx_array *none = gx_np_zeros(&k.s, GX_bool, image->ndim, gx_shape(image));
    gx_array *reached = s.mask ? apply(&k, none, &s, true) : NULL;
    return close_binary(&k, gx_np_op1(&k.s, GX_OP_logical_not, reached), out);
}

static bool generate_binary_structure_fn(gx_call *c, gx_value *out) {
    int64_t rank, connectivity;
    if (!gx_arg_int(c, 0, &rank) || !gx_arg_int(c, 1, &connectivity)) return false;
    gx_np s = gx_np_begin(c);
    if (connectivity < 1) connectivity = 1;
    return gx_np_give_array(&s, gx_nd_cross(&s, rank < 0 ? 0 : rank, connectivity), out);
}

#define STEPS "structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, "
#define PAIRS "structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, "
#define LAST "brute_force=False, *, axes=None)"
const gx_native gx_nd_binary_functions[] = {
    {"binary_erosion", "binary_erosion(input, " STEPS LAST,
     "Binary erosion: True where all neighbours in the structure are true.",
     "binary_erosion([1, 1, 1, 0, 1])  # [False  True False False False]", binary_erosion_fn, 0, 0},
    {"binary_dilation", "binary_dilation(input, " STEPS LAST,
     "Binary dilation: True where a neighbour in the structure is true.",
     "binary_dilation([0, 1, 0, 0, 0])  # [ True  True  True False False]", binary_dilation_fn, 0,
     0},
    {"binary_opening", "binary_opening(input, " PAIRS LAST,
     "Binary opening: erosion, then dilation; it removes small islands. Returns bool.",
     "binary_opening([0, 1, 1, 1, 0, 1, 0])  # [False  True  True  True False False False]",
     binary_opening_fn, 0, 0},
    {"binary_closing", "binary_closing(input, " PAIRS LAST,
     "Binary closing: dilation, then erosion; it closes small gaps. Returns bool.",
     "binary_closing([0, 1, 1, 0, 1, 1, 0])  # [False  True  True  True  True  True False]",
     binary_closing_fn, 0, 0},
    {"binary_propagation",
     "binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0, "
     "*, axes=None)",
     "Repeats binary dilation inside the mask until nothing changes.",
     "binary_propagation([1, 0, 0, 0], mask=[1, 1, 0, 1])  # [ True  True False False]",
     binary_propagation_fn, 0, 0},
    {"binary_fill_holes",
     "binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None)",
     "A binary image with its holes (background not linked to the border) filled.",
     "binary_fill_holes([0, 1, 0, 1, 0])  # [False  True  True  True False]", binary_fill_holes_fn,
     0, 0},
    {"generate_binary_structure", "generate_binary_structure(rank, connectivity)",
     "A bool structure of size 3 along each axis: True at the centre and up to `connectivity` axis "
     "steps from it.",
     "generate_binary_structure(1, 1)  # [ True  True  True]", generate_binary_structure_fn, 0, 0},
    {.name = NULL},
};
