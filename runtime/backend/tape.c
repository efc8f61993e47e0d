/* Tapes: collapsing dims, verification, text. */
#include "runtime/backend/tape.h"

#include <string.h>

#include "runtime/graph/lazy.h"

/* --- collapsing --- */

/* May dim j be merged into dim i before it, for every leaf and every output that has the dim? */
static bool mergeable(const gx_tape *t, int i, int j, bool in_outputs) {
    for (int k = 0; k < t->n_leaf; k++) {
        const int64_t *s = t->leaf[k].strides;
        if (s[i] != s[j] * t->shape[j]) return false;
    }
    for (int k = 0; k < t->n_out && in_outputs; k++) {
        const int64_t *s = t->out[k].strides;
        if (s[i] != s[j] * t->shape[j]) return false;
    }
    return true;
}

static void move_dim(gx_tape *t, int to, int from) {
    t->shape[to] = t->shape[from];
    for (int k = 0; k < t->n_leaf; k++) t->leaf[k].strides[to] = t->leaf[k].strides[from];
    for (int k = 0; k < t->n_out; k++) t->out[k].strides[to] = t->out[k].strides[from];
}

void gx_tape_collapse(gx_tape *t) {
    int kept = t->ndim - t->reduced, n = 0, n_kept = 0; /* dims so far; of them kept ones */
    for (int j = 0; j < t->ndim; j++) {
        if (t->shape[j] == 1) continue;
        int group = j < kept ? 0 : n_kept; /* where this dim's group begins */
        if (n > group && mergeable(t, n - 1, j, j < kept)) {
            int64_t merged = t->shape[n - 1] * t->shape[j];
            move_dim(t, n - 1, j);
            t->shape[n - 1] = merged;
        } else {
            if (n != j) move_dim(t, n, j);
            n++;
        }
        if (j < kept) n_kept = n;
    }
    t->ndim = n;
    t->reduced = n - n_kept;
}

/* --- verification --- */

static bool broken(gx_rt *rt, const char *what, int at) {
    return gx_fail(rt, GX_RuntimeError, "tape.broken", "a tape is broken: %s at %d (a bug in gx)",
                   what, at);
}

static bool verify_step(gx_rt *rt, const gx_tape *t, int i) {
    const gx_step *s = &t->step[i];
    if (s->dtype >= GX_DTYPES) return broken(rt, "dtype", i);
    switch ((gx_step_kind)s->kind) {
    case GX_STEP_LOAD:
        if (s->arg >= t->n_leaf || t->leaf[s->arg].dtype != s->dtype) return broken(rt, "leaf", i);
        return true;
    case GX_STEP_CONST:
        return s->arg < t->n_imm || broken(rt, "constant", i);
    case GX_STEP_CAST:
        return (s->a < i && t->step[s->a].dtype == s->compute) || broken(rt, "cast", i);
    case GX_STEP_OP: {
        if (s->arg == GX_OP_NONE || s->arg >= GX_OP_COUNT) return broken(rt, "operation", i);
        const gx_op_info *op = &gx_ops[s->arg];
        const uint16_t in[3] = {s->a, s->b, s->c};
        for (int k = 0; k < op->arity; k++) {
            int want = k == 0 && op->rule == GX_RULE_SELECT ? GX_bool : s->compute;
            if (in[k] >= i || t->step[in[k]].dtype != want) return broken(rt, "operand", i);
        }
        return op->text[gx_dtypes[s->compute].kind] || broken(rt, "operation without meaning", i);
    }
    case GX_STEP_CALL: {
        const gx_inline *f = s->arg < t->n_call ? t->call[s->arg] : NULL;
        const uint16_t in[GX_INLINE_INPUTS] = {s->a, s->b, s->c};
        if (!f || f->arity != s->spare || f->out != s->dtype) return broken(rt, "call", i);
        for (int k = 0; k < f->arity; k++)
            if (in[k] >= i || t->step[in[k]].dtype != f->in[k]) return broken(rt, "argument", i);
        return true;
    }
    }
    return broken(rt, "kind", i);
}

/* Bytes that a walk touches, relative to the buffer: low … high (exclusive). */
static bool in_buffer(const gx_tape *t, int ndim, const int64_t *strides, int64_t offset, int item,
                      const gx_buffer *b) {
    int64_t low = offset, high = offset + item;
    for (int j = 0; j < ndim; j++) {
        if (t->shape[j] == 0) return true;
        int64_t reach = strides[j] * (t->shape[j] - 1);
        if (reach < 0) low += reach;
        else high += reach;
    }
    return b && low >= 0 && high <= b->bytes;
}

GX_CHECK bool gx_tape_verify(gx_rt *rt, const gx_tape *t) {
    if (t->ndim < 0 || t->ndim > GX_MAX_DIMS || t->reduced > t->ndim)
        return broken(rt, "dims", t->ndim);
    if (t->n_out < 1 || (t->has_red && t->n_out != 1)) return broken(rt, "outputs", t->n_out);
    bool empty = false;
    for (int j = 0; j < t->ndim; j++) {
        if (t->shape[j] < 0) return broken(rt, "shape", j);
        empty = empty || t->shape[j] == 0;
    }
    for (int i = 0; i < t->n_step; i++) {
        if (!verify_step(rt, t, i)) return false;
    }
    for (int i = 0; i < t->n_leaf; i++) {
        const gx_leaf *l = &t->leaf[i];
        if (l->kind != GX_LEAF_BUFFER || empty) continue;
        if (!in_buffer(t, t->ndim, l->strides, l->offset, gx_dtypes[l->dtype].bytes, l->buf)) {
            return broken(rt, "leaf outside its buffer", i);
        }
    }
    int kept = t->ndim - t->reduced;
    for (int i = 0; i < t->n_out; i++) {
        const gx_out *o = &t->out[i];
        if (o->step >= t->n_step) return broken(rt, "output step", i);
        int d = t->has_red ? t->red_dtype : t->step[o->step].dtype;
        if (!empty && !in_buffer(t, kept, o->strides, o->offset, gx_dtypes[d].bytes, o->buf)) {
            return broken(rt, "output outside its buffer", i);
        }
    }
    return true;
}

/* --- text --- */

static bool ints_text(gx_buf *out, int n, const int64_t *v) {
    if (!gx_buf_char(out, '(')) return false;
    for (int i = 0; i < n; i++) {
        if (!gx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)v[i])) return false;
    }
    return gx_buf_puts(out, n == 1 ? ",)" : ")");
}

static bool leaf_text(const gx_tape *t, int i, gx_buf *out) {
    static const char *const kinds[] = {"buffer", "iota", "random"};
    const gx_leaf *l = &t->leaf[i];
    return gx_buf_printf(out, "  leaf %d: %s %s", i, kinds[l->kind], gx_dtypes[l->dtype].name) &&
           (l->offset == 0 || gx_buf_printf(out, " at %lld", (long long)l->offset)) &&
           gx_buf_puts(out, " strides ") && ints_text(out, t->ndim, l->strides) &&
           gx_buf_char(out, '\n');
}

static bool step_text(const gx_tape *t, int i, gx_buf *out) {
    const gx_step *s = &t->step[i];
    if (!gx_buf_printf(out, "  v%d: %s = ", i, gx_dtypes[s->dtype].name)) return false;
    switch ((gx_step_kind)s->kind) {
    case GX_STEP_LOAD: return gx_buf_printf(out, "leaf %d\n", s->arg);
    case GX_STEP_CONST: return gx_buf_printf(out, "imm %d\n", s->arg);
    case GX_STEP_CAST: return gx_buf_printf(out, "cast v%d\n", s->a);
    case GX_STEP_OP:
    case GX_STEP_CALL: break;
    }
    const uint16_t in[] = {s->a, s->b, s->c};
    bool call = s->kind == GX_STEP_CALL;
    if (!gx_buf_printf(out, "%s%s", call ? "kernel " : "",
                       call ? t->call[s->arg]->name : gx_ops[s->arg].name))
        return false;
    for (int k = 0; k < gx_step_arity(s); k++)
        if (!gx_buf_printf(out, " v%d", in[k])) return false;
    return gx_buf_char(out, '\n');
}

GX_CHECK bool gx_tape_text(const gx_tape *t, gx_buf *out) {
    if (!gx_buf_puts(out, "tape ") || !ints_text(out, t->ndim, t->shape)) return false;
    if (t->has_red && !gx_buf_printf(out, " reduce %d by %s in %s", t->reduced,
                                     gx_reds[t->red].name, gx_dtypes[t->acc].name)) {
        return false;
    }
    if (!gx_buf_char(out, '\n')) return false;
    for (int i = 0; i < t->n_leaf; i++) {
        if (!leaf_text(t, i, out)) return false;
    }
    for (int i = 0; i < t->n_step; i++) {
        if (!step_text(t, i, out)) return false;
    }
    int kept = t->ndim - t->reduced;
    for (int i = 0; i < t->n_out; i++) {
        int d = t->has_red ? t->red_dtype : t->step[t->out[i].step].dtype;
        if (!gx_buf_printf(out, "  out %s = v%d strides ", gx_dtypes[d].name, t->out[i].step))
            return false;
        if (!ints_text(out, kept, t->out[i].strides) || !gx_buf_char(out, '\n')) return false;
    }
    return true;
}
