/* One matrix decomposition, or a batch of the same kind, as a backend is asked for it. Buffers hold
   C-contiguous batches of float64 or (cplx) complex128 matrices that nobody else looks at; no
   extent is zero. With k the smaller of m and n:
     SVD       a (m, n): x u (m, m or k), y values (k) real, z vh (n or k, n); x, z NULL: values.
     EIGH      a (n, n), one triangle read: y values (n) real; x vectors (n, n) or NULL.
     EIG       a (n, n): y values (n), x vectors (n, n) or NULL, both complex whatever a is.
     QR        a (m, n): x q (m, m or k) or NULL, y r (m or k, n).
     QR_RAW    a (m, n): x reflectors and r, transposed (n, m), y their factors (k).
     CHOLESKY  a (n, n), one triangle read, becomes the factor.
     HESSENBERG, SCHUR  a (n, n): y the form (n, n), x vectors (n, n) or NULL.
     LSTSQ     a (m, n), b (m, more): x solution (n, more), y values (k) real, z the squared length
               of what is left of each column (more), real; batch 1; *rank gets the rank.
   a is destroyed. info gets one number a matrix: 0, or what the library says when it failed. */
#ifndef GX_RUNTIME_BACKEND_DECOMP_H
#define GX_RUNTIME_BACKEND_DECOMP_H

#include <stdbool.h>
#include <stdint.h>

struct gx_buffer;

typedef enum gx_decomp_kind {
    GX_DECOMP_SVD,
    GX_DECOMP_EIGH,
    GX_DECOMP_EIG,
    GX_DECOMP_QR,
    GX_DECOMP_QR_RAW,
    GX_DECOMP_CHOLESKY,
    GX_DECOMP_LSTSQ,
    GX_DECOMP_HESSENBERG,
    GX_DECOMP_SCHUR
} gx_decomp_kind;

typedef struct gx_decomp {
    gx_decomp_kind kind;
    bool cplx;  /* complex128, else float64 */
    bool full;  /* SVD, QR: square u, vh and q */
    bool upper; /* EIGH, CHOLESKY: which triangle */
    int64_t batch, m, n, more;
    double rcond; /* LSTSQ: values up to rcond * the largest count as zero */
    int64_t *info, *rank;
    struct gx_buffer *a, *b, *x, *y, *z;
} gx_decomp;

/* b (n, m) becomes the solution of t x = b, where t is a triangle of a (n, n), or (transposed 1)
   its transpose or (2) its conjugate transpose; `unit`: with ones on the diagonal. Both are
   C-contiguous, of f32 f64 c64 c128; nobody else looks at b. The other triangle is not read. */
typedef struct gx_triangle {
    uint8_t dtype; /* gx_dtype */
    bool lower, unit;
    int transposed;
    int64_t n, m, a_at; /* bytes to the first element of a */
    const struct gx_buffer *a;
    struct gx_buffer *b;
} gx_triangle;

#endif
