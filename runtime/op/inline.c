/* Elementwise kernels as nodes of the lazy graph (runtime/op/inline.h): a MAP whose operation is a
   function that the script wrote. Texts are looked at by stdlib, which knows what may stand among
   others; here they are only kept, one of each, so that a pointer tells a function for as long as
   kernels made of it are. */
#include "runtime/op/inline.h"

#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"

enum { LEAST_COST = 4, CHARS_A_COST = 8 };

static bool is_same(const gx_inline *f, const char *text, int arity, const gx_dtype *in,
                    gx_dtype result) {
    if (f->arity != arity || f->out != result || strcmp(f->text, text) != 0) return false;
    for (int k = 0; k < arity; k++)
        if (f->in[k] != in[k]) return false;
    return true;
}

/* The texts lie behind the struct. */
static gx_inline *make(gx_rt *rt, const char *name, const char *text) {
    size_t names = strlen(name) + 1, texts = strlen(text) + 1;
    gx_inline *f = gx_alloc_zero(rt, sizeof *f + names + texts);
    if (!f) return NULL;
    char *to = (char *)(f + 1);
    f->name = memcpy(to, name, names);
    f->text = memcpy(to + names, text, texts);
    f->cost = LEAST_COST + (int)(texts / CHARS_A_COST);
    return f;
}

GX_CHECK bool gx_inline_get(gx_rt *rt, const char *name, const char *text, int arity,
                            const gx_dtype *in, gx_dtype result, const gx_inline **out) {
    gx_engine *e = gx_engine_of(rt);
    gx_inline *f = e->inlines;
    while (f && !is_same(f, text, arity, in, result)) f = f->next;
    if (!f) {
        f = make(rt, name, text);
        if (!f) return false;
        f->arity = (uint8_t)arity;
        f->out = (uint8_t)result;
        for (int k = 0; k < arity; k++) f->in[k] = (uint8_t)in[k];
        f->next = e->inlines;
        e->inlines = f;
    }
    *out = f;
    return true;
}

void gx_inlines_free(gx_rt *rt) {
    gx_engine *e = gx_engine_of(rt);
    if (!e) return;
    for (gx_inline *f = e->inlines, *next; f; f = next) {
        next = f->next;
        gx_free(rt, f);
    }
    e->inlines = NULL;
}

static void put_operand(gx_data *m, int k, const gx_array *a) {
    int shift = m->ndim - a->ndim;
    for (int j = 0; j < m->ndim; j++) {
        bool moves = j >= shift && gx_shape(a)[j - shift] != 1;
        m->in[k].strides[j] = moves ? gx_strides(a)[j - shift] : 0;
    }
    m->in[k].data = gx_data_keep(a->storage->data);
    m->in[k].offset = a->offset;
    m->in[k].dtype = (uint8_t)a->dtype;
}

GX_CHECK bool gx_inline_call(gx_rt *rt, const gx_inline *f, const gx_borrowed *operands, int ndim,
                             const int64_t *shape, gx_namespace ns, gx_array **out) {
    *out = NULL;
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, (gx_dtype)f->out, ndim, ndim, f->arity);
    if (!m || !gx_extent_value_take(rt, m, shape)) return false;
    m->fn = f;
    m->compute = f->out;
    int64_t item = gx_dtype_size(f->out);
    for (int j = ndim - 1; j >= 0; j--) {
        m->layout[j] = item;
        item *= shape[j] ? shape[j] : 1;
    }
    bool ok = true;
    for (int k = 0; k < f->arity && ok; k++) {
        memset(m->in[k].strides, 0, (size_t)ndim * sizeof(int64_t));
        if (gx_is_array(operands[k])) put_operand(m, k, gx_as_array(operands[k]));
        else ok = gx_scalar_from(rt, operands[k], (gx_dtype)f->in[k], &m->imm[k]);
    }
    gx_data_count(m);
    ok = ok && gx_place_choose(rt, m, &ns);
    if (!ok || !gx_place_device(rt, (gx_place)m->place)->backend->launches) {
        gx_data_drop(m);
        return ok;
    }
    return gx_array_of_data_take(rt, m, ns, out);
}
