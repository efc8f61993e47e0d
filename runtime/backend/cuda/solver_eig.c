/* Eigenvalues and right eigenvectors of general matrices by cuSOLVER's geev, which came with CUDA
   12.6: where it is missing the job is the host's. Real matrices are worked on in real arithmetic;
   the vectors of a conjugate pair then stand as two columns, real and imaginary parts. */
#include "runtime/backend/cuda/solver_int.h"

bool gx_solver_has_eig(gx_cuda *c) {
    return c->state->solver.cusolverDnXgeev && c->state->solver.cusolverDnXgeev_bufferSize;
}

static gx_leaf column(gx_buffer *b, int64_t offset, int64_t row, int64_t col) {
    gx_leaf l = {.kind = GX_LEAF_BUFFER, .dtype = GX_f64, .buf = b, .offset = offset};
    l.strides[0] = row;
    l.strides[1] = col;
    return l;
}

static gx_step op(gx_opcode code, gx_dtype d, int a, int b, int c) {
    return (gx_step){.kind = GX_STEP_OP,
                     .dtype = (uint8_t)d,
                     .compute = GX_f64,
                     .arg = (uint16_t)code,
                     .a = (uint16_t)a,
                     .b = (uint16_t)b,
                     .c = (uint16_t)c};
}

/* x (n, n) complex by rows from columns v, which has a column of room on either side: column c is a
   vector where w[c] is real; where its imaginary part is positive, v[c] + i v[c + 1]; where it is
   negative, the conjugate of the one before. */
static void make_tape(gx_tape *t, int64_t n, gx_buffer *v, gx_buffer *w, gx_buffer *x) {
    const int64_t col = n * 8;
    t->ndim = 2;
    t->shape[0] = t->shape[1] = n;
    t->leaf[0] = column(v, col, 8, col);
    t->leaf[1] = column(v, 0, 8, col);
    t->leaf[2] = column(v, 2 * col, 8, col);
    t->leaf[3] = column(w, 8, 0, 16);
    t->n_leaf = 4;
    for (int k = 0; k < 4; k++)
        t->step[k] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_f64, .arg = (uint16_t)k};
    t->n_imm = 1; /* cleared: 0 */
    t->step[4] = (gx_step){.kind = GX_STEP_CONST, .dtype = GX_f64, .arg = 0};
    t->step[5] = op(GX_OP_less, GX_bool, 3, 4, 0);
    t->step[6] = op(GX_OP_greater, GX_bool, 3, 4, 0);
    t->step[7] = op(GX_OP_where, GX_f64, 5, 1, 0);
    t->step[8] = op(GX_OP_negative, GX_f64, 0, 0, 0);
    t->step[9] = op(GX_OP_where, GX_f64, 5, 8, 4);
    t->step[10] = op(GX_OP_where, GX_f64, 6, 2, 9);
    t->n_step = 11;
    t->n_out = 2;
    for (int k = 0; k < 2; k++) {
        t->out[k].buf = x;
        t->out[k].offset = k * 8;
        t->out[k].step = k ? 10 : 7;
        t->out[k].strides[0] = n * 16;
        t->out[k].strides[1] = 16;
    }
}

/* An address of the device as a buffer of nobody's. */
static gx_buffer borrowed(gx_cuda *c, char *at) {
    return (gx_buffer){.device = &c->gpu.base,
                       .refs = 1,
                       .bytes = INT64_MAX / 4,
                       .room = INT64_MAX / 4,
                       .data = at};
}

static bool join_pairs(gx_cuda *c, int64_t n, char *v, char *w, char *x) {
    gx_rt *rt = c->gpu.base.rt;
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    if (!t) return false;
    gx_buffer from = borrowed(c, v), values = borrowed(c, w), to = borrowed(c, x);
    int fp = 0;
    make_tape(t, n, &from, &values, &to);
    bool ok = gx_gpu_run(&c->gpu.base, t, &fp);
    gx_free(rt, t);
    return ok;
}

/* The eigenvalues of a (n, n) down columns to w, complex; vectors down columns to v, or NULL. */
static bool geev(gx_rooms *r, bool cplx, int64_t n, char *a, char *w, char *v, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    const unsigned t = gx_solver_type(cplx ? GX_c128 : GX_f64), wt = gx_solver_type(GX_c128);
    size_t device = 0, host = 0;
    char *work;
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgeev_bufferSize(s->solver_handle, s->solver_params,
                                                                0, v != NULL, n, t, a, n, wt, w, t,
                                                                NULL, n, t, v, n, t, &device,
                                                                &host),
                           "geev") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXgeev(s->solver_handle, s->solver_params, 0,
                                                     v != NULL, n, t, a, n, wt, w, t, NULL, n, t, v,
                                                     n, t, work, device, r->host, host,
                                                     gx_rooms_status(r)),
                           "geev") &&
           gx_rooms_info(r, info);
}

bool gx_solver_eig(gx_rooms *r, const gx_decomp *d, int64_t i) {
    const gx_dtype type = gx_decomp_dtype(d);
    const int64_t n = d->n, item = gx_dtypes[type].bytes, size = n * n * item;
    char *w = d->y->data + i * n * 16, *x = d->x ? d->x->data + i * n * n * 16 : NULL;
    char *a = gx_rooms_get(r, size), *v = a && x ? gx_rooms_get(r, size + 2 * n * item) : NULL;
    if (!a || (x && !v) || !gx_solver_turn(r, type, false, d->a->data + i * size, n, n, a) ||
        !geev(r, d->cplx, n, a, w, v ? v + n * item : NULL, &d->info[i]))
        return false;
    if (!x || d->info[i] != 0) return true;
    return d->cplx ? gx_solver_turn(r, type, false, v + n * item, n, n, x)
                   : join_pairs(r->c, n, v, w, x);
}
