/* Bytes and operations of a tape, and the model of its time. Pure functions of the tape and of a
   machine's rates: nothing is run here, and nothing is decided by it.

   The model: a kernel's start, and then the longer of what memory takes for its bytes and what
   arithmetic takes for its operations. */
#include "runtime/backend/cost.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/graph/lazy.h"

/* Weight of a random number, as those of ops.def. */
enum { RANDOM_COST = 19, NORMAL_COST = 60 };

static int64_t size_of(int dtype) {
    return gx_dtypes[dtype].bytes;
}

/* Which steps the outputs need. */
static void mark_used(const gx_tape *t, bool *used) {
    memset(used, 0, (size_t)t->n_step * sizeof *used);
    for (int k = 0; k < t->n_out; k++) used[t->out[k].step] = true;
    for (int i = t->n_step - 1; i >= 0; i--) {
        const gx_step *s = &t->step[i];
        int operands = gx_step_arity(s);
        if (!used[i]) continue;
        if (operands > 0) used[s->a] = true;
        if (operands > 1) used[s->b] = true;
        if (operands > 2) used[s->c] = true;
    }
}

/* Distinct elements that strides reach over the dims from 0 to `dims`. */
static int64_t distinct(const gx_tape *t, const int64_t *strides, int dims) {
    int64_t n = 1;
    for (int d = 0; d < dims; d++)
        if (strides[d] != 0) n *= t->shape[d];
    return n;
}

/* How many bytes move for each element of `item` bytes: all of a sector when its neighbours are not
   wanted. */
static int64_t moved_item(const gx_tape *t, const int64_t *strides, int64_t item, int sector) {
    int64_t least = 0;
    for (int d = 0; d < t->ndim; d++) {
        int64_t s = strides[d] < 0 ? -strides[d] : strides[d];
        if (s && t->shape[d] > 1 && (!least || s < least)) least = s;
    }
    if (least <= item) return item;
    return least < sector ? least : sector > item ? sector : item;
}

/* Does a leaf step through memory fastest along another dim than the output does? */
static bool is_turned(const gx_tape *t, const int64_t *strides, const int64_t *out) {
    int fast = -1, fast_out = -1;
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] < 32) continue;
        if (strides[d] && (fast < 0 || llabs(strides[d]) < llabs(strides[fast]))) fast = d;
        if (out[d] && (fast_out < 0 || llabs(out[d]) < llabs(out[fast_out]))) fast_out = d;
    }
    return fast >= 0 && fast_out >= 0 && fast != fast_out && strides[fast_out] != 0;
}

/* A buffer that several leaves read is read once. */
static void count_reads(const gx_tape *t, const bool *leaf_used, int sector, gx_traffic *out) {
    for (int i = 0; i < t->n_leaf; i++) {
        const gx_leaf *l = &t->leaf[i];
        int64_t wanted = 0, moved = 0;
        bool first = l->kind == GX_LEAF_BUFFER && leaf_used[i];
        for (int k = 0; k < i && first; k++)
            first = !leaf_used[k] || t->leaf[k].kind != GX_LEAF_BUFFER || t->leaf[k].buf != l->buf;
        if (!first) continue;
        for (int k = i; k < t->n_leaf; k++) {
            const gx_leaf *other = &t->leaf[k];
            if (!leaf_used[k] || other->kind != GX_LEAF_BUFFER || other->buf != l->buf) continue;
            int64_t n = distinct(t, other->strides, t->ndim);
            wanted += n * size_of(other->dtype);
            out->asked += n * size_of(other->dtype);
            if (!t->has_red && is_turned(t, other->strides, t->out[0].strides)) out->turned = true;
            moved += n * moved_item(t, other->strides, size_of(other->dtype), sector);
        }
        out->read += wanted < l->buf->bytes ? wanted : l->buf->bytes;
        out->moved += moved < l->buf->bytes ? moved : l->buf->bytes;
    }
}

static int64_t operand_bytes(const gx_tape *t, int step) {
    const gx_step *s = &t->step[step];
    int64_t all = distinct(t, t->shape, t->ndim);
    if (s->kind == GX_STEP_CONST) return 0;
    if (s->kind != GX_STEP_LOAD) return all * size_of(s->dtype);
    return distinct(t, t->leaf[s->arg].strides, t->ndim) * size_of(s->dtype);
}

/* Each operation reads its operands from memory and writes its result there; ranges and random
   numbers are made by kernels of their own. */
static void count_apart(const gx_tape *t, const bool *used, int64_t count, gx_traffic *out) {
    for (int i = 0; i < t->n_step; i++) {
        const gx_step *s = &t->step[i];
        bool made = s->kind == GX_STEP_LOAD && t->leaf[s->arg].kind != GX_LEAF_BUFFER;
        if (!used[i] || !(s->kind >= GX_STEP_OP || made)) continue;
        out->apart_kernels++;
        out->apart_written += made ? operand_bytes(t, i) : count * size_of(s->dtype);
        if (made) continue;
        out->operations++;
        int arity = gx_step_arity(s);
        if (arity > 0) out->apart_read += operand_bytes(t, s->a);
        if (arity > 1) out->apart_read += operand_bytes(t, s->b);
        if (arity > 2) out->apart_read += operand_bytes(t, s->c);
    }
    if (t->has_red) {
        out->operations++;
        out->apart_kernels++;
        out->apart_read += operand_bytes(t, t->out[0].step);
        out->apart_written += distinct(t, t->shape, t->ndim - t->reduced) * size_of(t->red_dtype);
    }
    if (!out->apart_kernels) { /* a copy, or a conversion */
        out->apart_kernels = 1;
        out->apart_read = out->read;
        out->apart_written = out->written;
    }
    out->temporaries = out->apart_written - out->written;
    if (out->temporaries < 0) out->temporaries = 0;
}

static void count_work(const gx_tape *t, const bool *used, int64_t count, gx_traffic *out) {
    double n = (double)count;
    for (int i = 0; i < t->n_step; i++) {
        const gx_step *s = &t->step[i];
        double cost = 1;
        bool plain = s->kind == GX_STEP_LOAD && t->leaf[s->arg].kind != GX_LEAF_RANDOM;
        if (!used[i] || s->kind == GX_STEP_CONST || plain) continue;
        if (s->kind == GX_STEP_OP) cost = gx_ops[s->arg].cost;
        if (s->kind == GX_STEP_CALL) cost = t->call[s->arg]->cost;
        if (s->kind == GX_STEP_LOAD)
            cost = t->leaf[s->arg].dist == GX_DIST_NORMAL32 ||
                           t->leaf[s->arg].dist == GX_DIST_NORMAL64
                       ? NORMAL_COST
                       : RANDOM_COST;
        int by = s->kind == GX_STEP_OP ? s->compute : s->dtype;
        if (gx_dtypes[by].kind == GX_KIND_CPLX) cost *= 4;
        bool wide = size_of(by) >= 8 && by != GX_c64;
        *(wide ? &out->work64 : &out->work32) += cost * n;
    }
    if (t->has_red) *(size_of(t->acc) >= 8 ? &out->work64 : &out->work32) += n / 2;
}

void gx_traffic_of(const gx_tape *t, int sector, gx_traffic *out) {
    bool used[GX_TAPE_STEPS], leaf[GX_TAPE_LEAVES] = {false};
    *out = (gx_traffic){.elements = 1};
    for (int d = 0; d < t->ndim; d++) out->elements *= t->shape[d];
    mark_used(t, used);
    for (int i = 0; i < t->n_step; i++)
        if (used[i] && t->step[i].kind == GX_STEP_LOAD) leaf[t->step[i].arg] = true;
    if (out->elements == 0) return;
    count_reads(t, leaf, sector, out);
    for (int k = 0; k < t->n_out; k++) {
        bool folded = t->has_red && k == 0;
        int dims = folded ? t->ndim - t->reduced : t->ndim;
        int dtype = folded ? t->red_dtype : t->step[t->out[k].step].dtype;
        out->written += distinct(t, t->out[k].strides, dims) * size_of(dtype);
    }
    out->asked += out->written;
    count_apart(t, used, out->elements, out);
    count_work(t, used, out->elements, out);
}

double gx_roof_seconds(const gx_roof *r, double read, double written) {
    double both = read < written ? read : written, bytes = read + written;
    if (bytes < r->cache / 2 && r->cached > 0) return bytes / r->cached;
    /* What a copy takes beyond its reads and its writes: memory turns between them. */
    double turn = 2 / r->copy - 1 / r->read - 1 / r->write;
    double s = read / r->read + written / r->write + both * turn;
    return s > 0 ? s : bytes / r->copy;
}
