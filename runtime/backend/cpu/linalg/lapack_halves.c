/* Eigenvalues and vectors of one large symmetric matrix by divide and conquer, as LAPACK's dsyevd
   has it, but divided once here: both halves of the tridiagonal matrix are solved at the same time,
   each on a thread of gx's with the library's own threads off, and LAPACK merges them. Where this
   cannot be done, or does not end well, dsyevd is called instead; the values are as good. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

typedef void dsytrd(const char *, const int *, double *, const int *, double *, double *, double *,
                    double *, const int *, int *, size_t);
typedef void dstedc(const char *, const int *, double *, double *, double *, const int *, double *,
                    const int *, int *, const int *, int *, size_t);
typedef void dlaed1(const int *, double *, double *, const int *, int *, const double *,
                    const int *, double *, int *, int *);
typedef void dormtr(const char *, const char *, const char *, const int *, const int *, double *,
                    const int *, double *, double *, const int *, double *, const int *, int *,
                    size_t, size_t, size_t);

enum { TRIDIAGONAL, DIVIDE, MERGE, BACK, PARTS };

typedef struct half {
    dstedc *solve;
    double *d, *e, *q, *work;
    int *ints;
    int n, ld, room, int_room, info;
} half;

static void *solve_half(void *arg) {
    half *h = arg;
    h->solve("I", &h->n, h->d, h->e, h->q, &h->ld, h->work, &h->room, h->ints, &h->int_room,
             &h->info, 1);
    return NULL;
}

/* Not on the pool's threads: Ctrl-C may leave this behind while they get other work. */
static void solve_both(half halves[2]) {
    pthread_t other;
    bool two = pthread_create(&other, NULL, solve_half, &halves[1]) == 0;
    solve_half(&halves[0]);
    if (two) pthread_join(other, NULL);
    else solve_half(&halves[1]);
}

bool gx_lapack_halves_can(gx_lapack *j, const gx_blas *blas) {
    static const char *const names[PARTS] = {"dsytrd_", "dstedc_", "dlaed1_", "dormtr_"};
    enum { LEAST = 160 };
    if (j->d->cplx || !j->d->x || j->n < LEAST || gx_cpu_of(j->rooms.device)->threads < 2)
        return false;
    for (int i = 0; i < PARTS; i++)
        if (!(j->parts[i] = gx_blas_find(blas, names[i]))) return false;
    return true;
}

/* Is no element so large or small that LAPACK would scale the matrix first? */
static bool is_plain(const double *a, int64_t count) {
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = fabs(a[i]);
        if (!(x <= 1e140)) return false;
        most = x > most ? x : most;
    }
    return most == 0 || most >= 1e-140;
}

/* The tridiagonal matrix d, e (n and n - 1) to values d in the order of `order`, and vectors q. */
static bool divide(gx_lapack *j, double *d, double *e, double *q, double *work, int64_t room,
                   int *order) {
    const int n = j->n, m = n / 2;
    const gx_blas *blas = j->blas;
    const double joint = e[m - 1];
    int *ints = order + n, info = 0;
    half halves[2] = {{.n = m, .d = d, .e = e, .q = q},
                      {.n = n - m, .d = d + m, .e = e + m, .q = q + (int64_t)m * n + m}};
    memset(q, 0, (size_t)((int64_t)n * n) * sizeof *q);
    d[m - 1] -= fabs(joint);
    d[m] -= fabs(joint);
    for (int k = 0; k < 2; k++) {
        half *h = &halves[k];
        h->solve = (dstedc *)j->parts[DIVIDE];
        h->ld = n;
        h->work = work + k * (room / 2);
        h->room = (int)(room / 2);
        h->int_room = 3 + 5 * h->n;
        h->ints = ints + k * (3 + 5 * m);
        for (int i = 0; i < h->n; i++) order[k * m + i] = i + 1;
    }
    blas->set_threads(1);
    solve_both(halves);
    blas->set_threads(blas->threads);
    if (halves[0].info || halves[1].info) return false;
    ((dlaed1 *)j->parts[MERGE])(&n, d, q, &n, order, &joint, &m, work, ints, &info);
    return info == 0;
}

bool gx_lapack_halves(gx_lapack *j, const char *side, double *w, double *work, int room) {
    const int64_t n = j->n, size = n * n;
    double *a = (double *)(void *)j->a, *e = j->real, *tau = e + n, *q = work;
    int info = 0, rest = room - (int)size;
    if (rest < size + 4 * n + 2 || !is_plain(a, size)) return false;
    ((dsytrd *)j->parts[TRIDIAGONAL])(side, &j->n, a, &j->n, w, e, tau, work, &room, &info, 1);
    if (info || !divide(j, w, e, q, work + size, rest, j->ints)) return false;
    ((dormtr *)j->parts[BACK])("L", side, "N", &j->n, &j->n, a, &j->n, tau, q, &j->n, work + size,
                               &rest, &info, 1, 1, 1);
    if (info) return false;
    double *sorted = work + size;
    for (int64_t i = 0; i < n; i++) {
        int64_t from = j->ints[i] - 1;
        sorted[i] = w[from];
        memcpy(a + i * n, q + from * n, (size_t)n * sizeof *q);
    }
    memcpy(w, sorted, (size_t)n * sizeof *w);
    return true;
}
