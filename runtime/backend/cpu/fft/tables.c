/* Tables of Fourier plans: roots of unity, the passes of lanes, Bluestein's chirp. Roots are
   computed in long double from an angle below an eighth of the circle, so they are right to the
   last place and exact on the axes. Caches nothing. */
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/fft/plan_int.h"

struct gx_fft_block {
    struct gx_fft_block *next;
};

/* Cells want 64 bytes of alignment. */
void *gx_fft_alloc(gx_fft_make *m, int64_t count, size_t each) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)count, each, &bytes) || bytes > SIZE_MAX / 2)
        bytes = SIZE_MAX / 2;
    struct gx_fft_block *b = gx_alloc(m->rt, bytes + 128);
    if (!b) return NULL;
    b->next = m->blocks;
    m->blocks = b;
    m->bytes += bytes;
    return (void *)(((uintptr_t)b + sizeof *b + 63) & ~(uintptr_t)63);
}

void gx_fft_blocks_free(gx_rt *rt, struct gx_fft_block *blocks) {
    while (blocks) {
        struct gx_fft_block *next = blocks->next;
        gx_free(rt, blocks);
        blocks = next;
    }
}

bool gx_fft_circle_open(gx_rt *rt, int64_t n, gx_fft_circle *c) {
    const long double tau = 6.283185307179586476925286766559005768L;
    c->n = n;
    c->block = 1;
    while (c->block * c->block < n) c->block *= 2;
    int64_t far = n / c->block + 1;
    c->near = gx_alloc(rt, (size_t)(2 * (c->block + far)) * sizeof *c->near);
    if (!c->near) return false;
    c->far = c->near + 2 * c->block;
    for (int64_t i = 0; i < c->block + far; i++) {
        int64_t t = i < c->block ? i : (i - c->block) * c->block;
        long double a = tau / 8 * (long double)t / (long double)n;
        c->near[2 * i] = cosl(a);
        c->near[2 * i + 1] = sinl(a);
    }
    return true;
}

void gx_fft_circle_close(gx_rt *rt, gx_fft_circle *c) {
    gx_free(rt, c->near);
}

void gx_fft_root(const gx_fft_circle *c, int64_t t, int item, void *table, int64_t i) {
    int64_t octant = 8 * t / c->n, rest = 8 * t - octant * c->n;
    if (octant & 1) rest = c->n - rest;
    const long double *a = c->near + 2 * (rest & (c->block - 1)),
                      *b = c->far + 2 * (rest / c->block);
    long double cosine = a[0] * b[0] - a[1] * b[1], sine = a[0] * b[1] + a[1] * b[0];
    bool flat = octant == 0 || octant == 3 || octant == 4 || octant == 7;
    long double re = flat ? cosine : sine, im = flat ? sine : cosine;
    if (octant >= 2 && octant < 6) re = -re;
    if (octant < 4) im = -im;
    if (item == 8)
        ((double *)table)[2 * i] = (double)re, ((double *)table)[2 * i + 1] = (double)im;
    else
        ((float *)table)[2 * i] = (float)re, ((float *)table)[2 * i + 1] = (float)im;
}

/* --- lanes */

bool gx_fft_smooth(int64_t n) {
    for (int64_t p = 2; p <= GX_FFT_LARGEST; p++)
        while (n % p == 0) n /= p;
    return n == 1;
}

int64_t gx_fft_roomy(int64_t n) {
    int64_t best = 16;
    while (best < 2 * n - 1) best *= 2;
    for (int64_t five = 1; five <= 625; five *= 5)
        for (int64_t three = five; three <= five * 81; three *= 3) {
            int64_t m = 16 * three;
            while (m < 2 * n - 1) m *= 2;
            if (m < best) best = m;
        }
    return best;
}

static void factorise(gx_fft_lanes *p) {
    int64_t n = p->n;
    int twos = 0;
    for (; n % 2 == 0; n /= 2) twos++;
    if (twos % 2 && twos > 1) {
        p->radix[p->count++] = 8;
        twos -= 3;
    }
    for (; twos > 1; twos -= 2) p->radix[p->count++] = 4;
    if (twos) p->radix[p->count++] = 2;
    for (int r = 3; n > 1; r += 2)
        for (; n % r == 0; n /= r) p->radix[p->count++] = r;
}

/* Cosines of 0 … r - 1 parts of the circle, then sines. */
static char *wheel(gx_fft_make *m, int r) {
    char *table = gx_fft_alloc(m, 2 * r, (size_t)m->f->item);
    for (int i = 0; table && i < r; i++) {
        const long double tau = 6.283185307179586476925286766559005768L;
        double c = (double)cosl(tau * i / r), s = (double)sinl(tau * i / r);
        if (m->f->item == 8)
            ((double *)(void *)table)[i] = c, ((double *)(void *)table)[r + i] = s;
        else
            ((float *)(void *)table)[i] = (float)c, ((float *)(void *)table)[r + i] = (float)s;
    }
    return table;
}

static bool passes(gx_fft_make *m, gx_fft_lanes *p) {
    gx_fft_circle circle;
    int64_t left = p->n;
    factorise(p);
    if (!gx_fft_circle_open(m->rt, p->n, &circle)) return false;
    for (int i = 0; i < p->count; i++) {
        int r = p->radix[i];
        int64_t scale = p->n / left, at = 0;
        left /= r;
        char *roots = gx_fft_alloc(m, left * (r - 1), 2 * (size_t)m->f->item);
        bool known = r < GX_FFT_RADICES && m->f->pass[r];
        if (!known) p->circle[i] = wheel(m, r);
        if (!roots || (!known && !p->circle[i])) {
            gx_fft_circle_close(m->rt, &circle);
            return false;
        }
        GX_LONG_LOOP(m->rt, q, 0, left)
            for (int k = 1; k < r; k++)
                gx_fft_root(&circle, q * k * scale, m->f->item, roots, at++);
        p->roots[i] = roots;
    }
    gx_fft_circle_close(m->rt, &circle);
    return true;
}

/* The kernel's transform, made in the first lane. */
static bool kernel_transform(gx_fft_make *m, const gx_fft_lanes *inner, char *kernel) {
    gx_fft_cell *raw = gx_alloc(m->rt, (size_t)(2 * inner->room + 1) * sizeof *raw);
    if (!raw) return false;
    gx_fft_cell *x = (void *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    m->f->load_lines(x, 1, 0, kernel, 0, 2 * inner->n, 1);
    x = gx_fft_lanes_run(m->f, inner, x, x + inner->room, NULL);
    m->f->store_lines(x, 1, 0, kernel, 0, 2 * inner->n, 1, 1.0 / (double)inner->n);
    gx_free(m->rt, raw);
    return true;
}

bool gx_fft_chirp(gx_fft_make *m, int64_t n, int64_t wide, char **chirp, char **kernel) {
    gx_fft_circle circle;
    size_t item = (size_t)m->f->item;
    char *a = gx_fft_alloc(m, n, 2 * item), *b = gx_fft_alloc(m, wide, 2 * item);
    if (!a || !b || !gx_fft_circle_open(m->rt, 2 * n, &circle)) return false;
    gx_work_fill(m->rt, b, 0, (size_t)wide * 2 * item);
    GX_LONG_LOOP(m->rt, k, 0, n) {
        int64_t square = (int64_t)((unsigned __int128)k * (uint64_t)k % (uint64_t)(2 * n));
        gx_fft_root(&circle, square, (int)item, a, k);
        /* The conjugate is the root on the other side. */
        square = square ? 2 * n - square : 0;
        gx_fft_root(&circle, square, (int)item, b, k);
        if (k) gx_fft_root(&circle, square, (int)item, b, wide - k);
    }
    gx_fft_circle_close(m->rt, &circle);
    *chirp = a;
    *kernel = b;
    return true;
}

gx_fft_lanes *gx_fft_lanes_new(gx_fft_make *m, int64_t n) {
    gx_fft_lanes *p = gx_fft_alloc(m, 1, sizeof *p);
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->n = n;
    p->room = n + 1;
    if (gx_fft_smooth(n)) return passes(m, p) ? p : NULL;
    char *chirp, *kernel;
    const gx_fft_lanes *inner = gx_fft_lanes_new(m, gx_fft_roomy(n));
    if (!inner || !gx_fft_chirp(m, n, inner->n, &chirp, &kernel) ||
        !kernel_transform(m, inner, kernel))
        return NULL;
    p->inner = inner;
    p->chirp = chirp;
    p->kernel = kernel;
    p->room = inner->room;
    return p;
}
