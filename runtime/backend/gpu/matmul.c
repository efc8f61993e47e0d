/* Products of integers and bools (kernels/matmul.cu), which libraries of GPUs do not multiply: how
   the results are cut into tiles, and long sums of few results into parts. */
#include "kernels/device_text.h"
#include "runtime/backend/gpu/gpu_int.h"

enum {
    LARGE = 128, /* sides of tiles */
    SMALL = 64,
    PART = 512 /* the least length of a sum's part */
};

typedef struct matmul_key {
    uint8_t bytes, tile, split, bools;
} matmul_key;

typedef struct operand {
    gx_gpu_ptr data;
    int64_t row, col, batch;
} operand;

typedef struct matmul_params {
    operand a, b;
    gx_gpu_ptr c;
    int64_t m, n, k, c_row, c_batch, wide, tiles, parts, part;
} matmul_params;

bool gx_matmul_source(gx_rt *rt, const void *arg, gx_buf *out) {
    static const char *const unsigned_of[] = {"", "unsigned char", "unsigned short", "",
                                              "unsigned int", "", "", "", "unsigned long long"};
    const matmul_key *k = arg;
    const int wide = k->bytes == 8 ? 8 : 4;
    (void)rt;
    return gx_buf_printf(out,
                         "typedef %s T;\ntypedef %s W;\ntypedef %s C;\n#define TILE %d\n"
                         "#define SPLIT %d\n#define BOOLS %d\n",
                         unsigned_of[k->bytes], unsigned_of[wide],
                         unsigned_of[k->split && !k->bools ? wide : k->bytes], k->tile, k->split,
                         k->bools) &&
           gx_buf_puts(out, gx_device_text_matmul);
}

bool gx_matmul_texts(gx_gpu_texts *l) {
    static const matmul_key keys[] = {{4, LARGE, 0, 0}, {4, LARGE, 1, 0}, {4, SMALL, 0, 0},
                                      {4, SMALL, 1, 0}, {8, SMALL, 0, 0}, {8, SMALL, 1, 0}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!gx_gpu_text(l, &keys[i])) return false;
    return true;
}

static operand operand_of(const gx_matrix *m, bool transposed) {
    return (operand){gx_gpu_address(m->buf) + (gx_gpu_ptr)m->offset,
                     transposed ? m->col_stride : m->row_stride,
                     transposed ? m->row_stride : m->col_stride, m->batch_stride};
}

static int64_t pieces(int64_t n, int64_t size) {
    return (n + size - 1) / size;
}

bool gx_gpu_convert(gx_gpu *g, int64_t batch, gx_dtype from, const gx_matrix *x, gx_dtype to,
                    const gx_matrix *y) {
    gx_rt *rt = g->base.rt;
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    if (!t) return false;
    const int64_t shape[3] = {batch, x->rows, x->cols},
                  in[3] = {x->batch_stride, x->row_stride, x->col_stride},
                  out[3] = {y->batch_stride, y->row_stride, y->col_stride};
    t->ndim = 3;
    t->n_leaf = t->n_out = 1;
    t->n_step = from == to ? 1 : 2;
    t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)from, .buf = x->buf,
                           .offset = x->offset};
    t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)from};
    t->step[1] = (gx_step){.kind = GX_STEP_CAST, .dtype = (uint8_t)to, .compute = (uint8_t)from};
    t->out[0].step = (uint16_t)(t->n_step - 1);
    t->out[0].buf = y->buf;
    t->out[0].offset = y->offset;
    for (int i = 0; i < 3; i++) {
        t->shape[i] = shape[i];
        t->leaf[0].strides[i] = shape[i] > 1 ? in[i] * gx_dtypes[from].bytes : 0;
        t->out[0].strides[i] = out[i] * gx_dtypes[to].bytes;
    }
    int fp = 0;
    const bool ok = gx_gpu_run(&g->base, t, &fp);
    gx_free(rt, t);
    return ok;
}

/* Sums of a tile's parts are added where the adding needs no other width than theirs. */
static gx_dtype adds_in(gx_dtype d) {
    return d == GX_bool || gx_dtypes[d].bytes >= 4 ? d : GX_u32;
}

bool gx_gpu_matmul(gx_gpu *g, gx_dtype d, int64_t batch, const gx_matrix *a, const gx_matrix *b,
                   const gx_matrix *c) {
    matmul_key key = {.bytes = (uint8_t)gx_dtypes[d].bytes, .tile = LARGE, .bools = d == GX_bool};
    matmul_params p = {operand_of(a, false), operand_of(b, true),
                       gx_gpu_address(c->buf) + (gx_gpu_ptr)c->offset, c->rows, c->cols, a->cols,
                       c->row_stride, c->batch_stride, 0, 0, 1, a->cols};
    if (key.bytes == 8 || pieces(p.m, LARGE) * pieces(p.n, LARGE) * batch < g->units)
        key.tile = SMALL;
    p.wide = pieces(p.n, key.tile);
    p.tiles = p.wide * pieces(p.m, key.tile);
    const int64_t idle = 2 * g->units / (p.tiles * batch), most = p.k / PART;
    gx_matrix sums = {.rows = p.m, .cols = p.n, .row_stride = p.n, .col_stride = 1,
                      .batch_stride = p.m * p.n};
    const gx_dtype wide = adds_in(d);
    if (idle > 1 && most > 1) {
        p.parts = idle < most ? idle : most;
        p.part = pieces(p.k, p.parts);
        key.split = 1;
        const int64_t bytes = batch * p.m * p.n * gx_dtypes[wide].bytes;
        if (!gx_gpu_scratch(g, bytes, &sums.buf)) return false;
        p.c = gx_gpu_address(sums.buf);
        p.c_row = sums.row_stride;
        p.c_batch = sums.batch_stride;
        if (!gx_gpu_fill(g, p.c, 0, bytes)) {
            gx_buffer_drop(sums.buf);
            return false;
        }
    }
    gx_gpu_kernel *k;
    bool ok = gx_gpu_kernel_get(g, gx_gpu_family_MATMUL(), &key, sizeof key, "gx_matmul", &key,
                                &k) &&
              gx_gpu_launch(g, k, p.tiles * batch * p.parts, 256, 0, &p, sizeof p);
    if (sums.buf) {
        ok = ok && gx_gpu_convert(g, batch, wide, &sums, d, c);
        gx_buffer_drop(sums.buf);
    }
    return ok;
}
