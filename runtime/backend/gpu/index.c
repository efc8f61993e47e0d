/* Gather, scatter and the positions of true elements (kernels/index.cu). Indices are in range
   already. Of several values for one place the last in C order wins, whatever the threads do: a
   first kernel finds the last writer of each place by an atomic maximum, a second one lets only
   that one write. */
#include <string.h>

#include "kernels/device_text.h"
#include "runtime/backend/gpu/emit_int.h"

/* What the text depends on. */
typedef struct take_key {
    uint8_t kind, nd, ni, item, narrow, bytes, far, wide_rank;
    uint8_t check, tell, spare[6];
    int64_t unit;
} take_key;

enum { GATHER, SCATTER, CLEAR, RANK_OF, SCATTER_LAST };

bool gx_take_source(gx_rt *rt, const void *arg, gx_buf *out) {
    static const char *const kinds[] = {"GX_GATHER", "GX_SCATTER", "GX_CLEAR", "GX_RANK_OF",
                                        "GX_SCATTER_LAST"};
    const take_key *k = arg;
    const char *type = k->item == 1   ? "unsigned char"
                       : k->item == 2 ? "unsigned short"
                       : k->item == 4 ? "unsigned"
                       : k->item == 8 ? "unsigned long long"
                                      : "ulonglong2";
    (void)rt;
    return gx_buf_printf(out, "#define GX_TAKE 1\n#define %s 1\n#define ND %d\n#define NI %d\n"
                              "#define ITEM %d\n#define S %s\n#define UNIT %lld\n"
                              "#define GX_RANK %s\n",
                         kinds[k->kind], k->nd, k->ni, k->item, type, (long long)k->unit,
                         k->wide_rank ? "unsigned long long" : "unsigned") &&
           (!k->narrow || gx_buf_puts(out, "#define GX_NARROW 1\n")) &&
           (!k->bytes || gx_buf_puts(out, "#define GX_BYTES 1\n")) &&
           (!k->far || gx_buf_puts(out, "#define GX_FAR 1\n")) &&
           (!k->check || gx_buf_puts(out, "#define GX_CHECK 1\n")) &&
           (!k->tell || gx_buf_puts(out, "#define GX_TELL 1\n")) &&
           gx_buf_puts(out, gx_device_text_index);
}

/* Of elements by one index array, of rows, and, where the device looks at the indices, by two: of
   elements, and of a place in each row. */
bool gx_take_texts(gx_gpu_texts *l) {
    static const uint8_t forms[][3] = {{1, 1, 0}, {1, 1, 1}, {2, 1, 0},
                                       {2, 1, 1}, {1, 2, 1}, {2, 2, 1}},
                         kinds[] = {GATHER, CLEAR, RANK_OF, SCATTER_LAST};
    for (int item = 4; item <= 8; item += 4)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            for (size_t k = 0; k < sizeof kinds; k++) {
                const take_key key = {.kind = kinds[k], .nd = forms[f][0], .ni = forms[f][1],
                                      .item = (uint8_t)item, .narrow = 1, .check = forms[f][2],
                                      .tell = forms[f][2] &&
                                              (kinds[k] == GATHER || kinds[k] == RANK_OF),
                                      .unit = kinds[k] == GATHER ? 1 : item};
                if (!gx_gpu_text(l, &key)) return false;
            }
    return true;
}

/* A take whose dims are joined where all arrays allow. */
typedef struct take_job {
    gx_gpu *g;
    const gx_take *t;
    int nd, n;                   /* arrays: the indexed one, the other, index arrays */
    int64_t shape[GX_MAX_DIMS], total;
    int64_t strides[2 + GX_MAX_DIMS][GX_MAX_DIMS];
    gx_buffer *rank;
    gx_gpu_ptr flag, outside; /* checks: the word of conditions, what is told of the first take */
    take_key key;
    gx_params params;
} take_job;

static const gx_leaf *leaf_of(const take_job *j, int k) {
    return k == 0 ? &j->t->array : k == 1 ? &j->t->other : &j->t->index[k - 2];
}

static void set_dims(take_job *j) {
    const gx_take *t = j->t;
    j->nd = 0;
    j->n = 2 + t->n_index;
    j->total = 1;
    for (int d = 0; d < t->ndim; d++) {
        j->total *= t->shape[d];
        if (t->shape[d] == 1) continue;
        bool joins = j->nd > 0;
        for (int k = 0; k < j->n && joins; k++)
            joins = j->strides[k][j->nd - 1] == leaf_of(j, k)->strides[d] * t->shape[d];
        if (!joins) j->shape[j->nd++] = 1;
        j->shape[j->nd - 1] *= t->shape[d];
        for (int k = 0; k < j->n; k++) j->strides[k][j->nd - 1] = leaf_of(j, k)->strides[d];
    }
    if (j->nd > 0) return;
    j->nd = 1;
    j->shape[0] = 1;
    for (int k = 0; k < j->n; k++) j->strides[k][0] = 0;
}

/* Are all places of the indexed array, or of the other one, multiples of `unit`? */
static bool multiples(const take_job *j, int array, int64_t unit) {
    const gx_leaf *l = leaf_of(j, array);
    if ((int64_t)(gx_gpu_address(l->buf) % (gx_gpu_ptr)unit) != 0 || l->offset % unit)
        return false;
    for (int d = 0; d < j->nd; d++)
        if (j->strides[array][d] % unit != 0) return false;
    for (int k = 0; k < j->t->n_index && array == 0; k++)
        if (j->t->scale[k] % unit != 0) return false;
    return true;
}

static void pack(take_job *j) {
    const gx_take *t = j->t;
    gx_params *p = &j->params;
    size_t dims = (size_t)j->nd * sizeof(int64_t);
    int64_t none[GX_MAX_DIMS] = {0};
    p->size = 0;
    p->full = false;
    gx_params_i64(p, j->total);
    gx_params_add(p, j->shape, dims);
    for (int k = 0; k < j->n; k++) gx_params_add(p, j->strides[k], dims);
    if (t->n_index == 0) gx_params_add(p, none, dims);
    for (int k = 0; k < t->n_index; k++) gx_params_i64(p, t->scale[k]);
    if (t->n_index == 0) gx_params_i64(p, 0);
    for (int k = 0; k < j->n; k++)
        gx_params_i64(p, (int64_t)gx_gpu_address(leaf_of(j, k)->buf) + leaf_of(j, k)->offset);
    if (t->n_index == 0) gx_params_i64(p, 0);
    gx_params_i64(p, j->rank ? (int64_t)gx_gpu_address(j->rank) : 0);
    gx_params_i64(p, (int64_t)gx_gpu_address(t->array.buf));
    for (int k = 0; k < t->n_index; k++) gx_params_i64(p, t->axis[k]);
    if (t->n_index == 0) gx_params_i64(p, 0);
    for (int k = 0; k < t->n_index; k++) gx_params_i64(p, t->size[k]);
    if (t->n_index == 0) gx_params_i64(p, 0);
    gx_params_i64(p, (int64_t)j->flag);
    gx_params_i64(p, (int64_t)j->outside);
}

static bool run_take(take_job *j, int kind) {
    enum { MOST_PARAM = 4000 };
    gx_gpu *g = j->g;
    gx_gpu_kernel *k;
    if (j->params.full)
        return gx_fail(g->base.rt, GX_IndexError, "index.dims", "too many index arrays and dims");
    j->key.kind = (uint8_t)kind;
    j->key.tell = j->key.check && (kind == GATHER || kind == SCATTER || kind == RANK_OF);
    j->key.far = j->params.size > MOST_PARAM;
    int64_t blocks = (j->total + GX_GPU_THREADS - 1) / GX_GPU_THREADS;
    if (!gx_gpu_kernel_get(g, gx_gpu_family_TAKE(), &j->key, sizeof j->key, "gx_index_kernel",
                           &j->key, &k))
        return false;
    if (!j->key.far)
        return gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, 0, j->params.data, j->params.size);
    gx_buffer *far;
    if (!gx_gpu_scratch(g, (int64_t)j->params.size, &far)) return false;
    gx_gpu_ptr at = gx_gpu_address(far);
    bool ok = gx_gpu_upload(g, at, j->params.data, (int64_t)j->params.size) &&
              gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, 0, &at, sizeof at);
    gx_buffer_drop(far);
    return ok;
}

/* Room for a rank of each place of the indexed array's buffer. */
static bool add_ranks(take_job *j) {
    const gx_take *t = j->t;
    if (t->n_index == 0 || j->total == 1) return true;
    j->key.unit = multiples(j, 0, t->item.n) ? t->item.n : 1;
    j->key.wide_rank = j->total >= UINT32_MAX;
    int64_t places = t->array.buf->bytes / j->key.unit + 1;
    return gx_gpu_scratch(j->g, places * (j->key.wide_rank ? 8 : 4), &j->rank);
}

static bool take(gx_device *d, const gx_take *t, bool scatter) {
    take_job *j = gx_alloc(d->rt, sizeof *j);
    if (!j) return false;
    j->g = gx_gpu_of(d);
    j->t = t;
    j->rank = NULL;
    j->flag = j->outside = 0;
    set_dims(j);
    memset(&j->key, 0, sizeof j->key);
    j->key.nd = (uint8_t)j->nd;
    j->key.ni = (uint8_t)t->n_index;
    j->key.item = (uint8_t)t->item.n;
    j->key.narrow = j->total < INT32_MAX;
    j->key.unit = 1;
    j->key.bytes = !multiples(j, 0, t->item.n) || !multiples(j, 1, t->item.n);
    bool ok = true;
    if (j->total > 0) {
        j->key.check = t->check && t->n_index > 0;
        if (j->key.check)
            ok = gx_gpu_flags(j->g, &j->flag) && gx_gpu_told_outside(j->g, &j->outside);
        ok = ok && (!scatter || add_ranks(j));
        if (ok) pack(j);
        if (ok && j->rank) ok = run_take(j, CLEAR) && run_take(j, RANK_OF);
        if (ok) ok = run_take(j, !scatter ? GATHER : j->rank ? SCATTER_LAST : SCATTER);
    }
    gx_buffer_drop(j->rank);
    gx_free(d->rt, j);
    return ok;
}

GX_CHECK bool gx_gpu_gather(gx_device *d, const gx_take *t) {
    return take(d, t, false);
}

GX_CHECK bool gx_gpu_scatter(gx_device *d, const gx_take *t) {
    return take(d, t, true);
}

/* As kernels/index.cu has it. */
typedef struct told_outside {
    uint64_t owner, first, wrong;
    int64_t index, axis, size, total;
    uint64_t lock;
} told_outside;

GX_CHECK bool gx_gpu_outside(gx_device *d, gx_outside *out) {
    gx_gpu *g = gx_gpu_of(d);
    gx_gpu_ptr at;
    told_outside o;
    if (!gx_gpu_told_outside(g, &at) || !gx_gpu_download(g, &o, at, sizeof o) ||
        !gx_gpu_fill(g, at, 0, sizeof o))
        return false;
    *out = (gx_outside){.index = o.index,
                        .axis = o.axis,
                        .size = o.size,
                        .at = (int64_t)~o.first,
                        .wrong = (int64_t)o.wrong,
                        .total = o.total};
    return true;
}

/* --- the positions of true elements --- */

typedef struct mask_params {
    gx_gpu_ptr mask;
    int64_t n, blocks;
    gx_gpu_ptr counts, starts, out;
} mask_params;

bool gx_mask_source(gx_rt *rt, const void *arg, gx_buf *out) {
    (void)rt;
    (void)arg;
    return gx_buf_puts(out, "#define GX_NONZERO 1\n") && gx_buf_puts(out, gx_device_text_index);
}

bool gx_mask_texts(gx_gpu_texts *l) {
    return gx_gpu_text(l, NULL);
}

static bool run_mask(gx_gpu *g, const char *entry, int64_t blocks, const mask_params *p) {
    gx_gpu_kernel *k;
    return gx_gpu_kernel_get(g, gx_gpu_family_MASK(), "nonzero", 7, entry, NULL, &k) &&
           gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, 0, p, sizeof *p);
}

GX_CHECK bool gx_gpu_nonzero(gx_device *d, const gx_buffer *mask, int64_t offset, int64_t n,
                              gx_buffer **out, int64_t *count) {
    enum { CHUNK = 16384 };
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *counts = NULL, *starts = NULL, *result = NULL;
    mask_params p = {.mask = gx_gpu_address(mask) + (gx_gpu_ptr)offset, .n = n};
    int64_t total = 0;
    p.blocks = (n + CHUNK - 1) / CHUNK;
    bool ok = true;
    if (n > 0) {
        ok = gx_gpu_scratch(g, p.blocks * 4, &counts) &&
             gx_gpu_scratch(g, (p.blocks + 1) * 8, &starts);
        if (ok) {
            p.counts = gx_gpu_address(counts);
            p.starts = gx_gpu_address(starts);
            ok = run_mask(g, "gx_count_true", p.blocks, &p) &&
                 run_mask(g, "gx_sum_counts", 1, &p) &&
                 gx_gpu_download(g, &total, p.starts + (gx_gpu_ptr)p.blocks * 8, 8);
        }
    }
    ok = ok && d->backend->alloc(d, total * 8, &result);
    if (ok && total > 0) {
        p.out = gx_gpu_address(result);
        ok = run_mask(g, "gx_write_true", p.blocks, &p);
    }
    gx_buffer_drop(counts);
    gx_buffer_drop(starts);
    if (!ok) {
        gx_buffer_drop(result);
        return false;
    }
    *out = result;
    *count = total;
    return true;
}
