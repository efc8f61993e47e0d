/* vectorize by a signature: "(n),(m,n)->(n)". The last axes of an argument are its core dimensions,
   which the function sees as an array; those before them are broadcast, one call each. A name that
   comes twice is one size. */
#include <ctype.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "stdlib/numpy/ufunc/vectorize_int.h"

enum { TERMS = 2 * GX_NP_VECTOR_ARGS, CORE = 8, NAMES = 32 };

typedef struct core {
    int n_in, n_out, n_names;
    int count[TERMS];        /* core dimensions of each argument, then of each result */
    int8_t dim[TERMS][CORE]; /* names by number */
    const char *name[NAMES];
    int length[NAMES];
    int64_t size[NAMES]; /* -1: not known yet */
} core;

/* --- the text --- */

static const char *blank(const char *p) {
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static int name_of(core *c, const char *text, int length) {
    for (int i = 0; i < c->n_names; i++)
        if (c->length[i] == length && memcmp(c->name[i], text, (size_t)length) == 0) return i;
    if (c->n_names == NAMES) return -1;
    c->name[c->n_names] = text;
    c->length[c->n_names] = length;
    c->size[c->n_names] = -1;
    return c->n_names++;
}

/* One "(n,m)"; NULL: it is none. */
static const char *read_term(core *c, int term, const char *p) {
    if (term >= TERMS || *(p = blank(p)) != '(') return NULL;
    c->count[term] = 0;
    p = blank(p + 1);
    while (*p != ')') {
        const char *start = p;
        while (isalnum((unsigned char)*p) || *p == '_') p++;
        int name = p > start && c->count[term] < CORE ? name_of(c, start, (int)(p - start)) : -1;
        if (name < 0) return NULL;
        c->dim[term][c->count[term]++] = (int8_t)name;
        p = blank(p);
        if (*p == ',')
            p = blank(p + 1);
        else if (*p != ')')
            return NULL;
    }
    return blank(p + 1);
}

static bool parse(const char *text, core *c) {
    *c = (core){.n_in = 0};
    const char *p = text;
    do {
        if (c->n_in == GX_NP_VECTOR_ARGS || !(p = read_term(c, c->n_in++, p))) return false;
    } while (*p++ == ',');
    if (p[-1] != '-' || *p++ != '>') return false;
    do {
        if (c->n_out == GX_NP_VECTOR_ARGS || !(p = read_term(c, c->n_in + c->n_out++, p)))
            return false;
    } while (*p++ == ',');
    return !p[-1];
}

bool gx_np_vector_signature(gx_rt *rt, const char *text) {
    core c;
    return parse(text, &c) || gx_fail(rt, GX_ValueError, "vectorize.signature",
                                      "not a valid gufunc signature: %s", text);
}

/* --- sizes --- */

/* ('n', 'm'): the core dimensions as they are named in a message. */
static bool too_few(gx_rt *rt, const core *c, int term, int ndim) {
    gx_buf b = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < c->count[term]; i++)
        ok = gx_buf_printf(&b, "%s'%.*s'", i ? ", " : "", c->length[c->dim[term][i]],
                           c->name[c->dim[term][i]]);
    if (ok)
        gx_fail(rt, GX_ValueError, "vectorize.core",
                "%d-dimensional argument does not have enough dimensions for all core dimensions "
                "(%s%s)",
                ndim, gx_buf_text(&b), c->count[term] == 1 ? "," : "");
    gx_buf_free(&b);
    return false;
}

/* The sizes of a's last axes are those of the term's names. */
static bool fit(gx_rt *rt, core *c, int term, const gx_array *a) {
    const int n = c->count[term];
    if (a->ndim < n) return too_few(rt, c, term, a->ndim);
    for (int i = 0; i < n; i++) {
        const int name = c->dim[term][i];
        const int64_t size = gx_shape(a)[a->ndim - n + i];
        if (c->size[name] < 0) c->size[name] = size;
        if (c->size[name] != size)
            return gx_fail(rt, GX_ValueError, "vectorize.core",
                           "inconsistent size for core dimension '%.*s': %lld vs %lld",
                           c->length[name], c->name[name], (long long)size,
                           (long long)c->size[name]);
    }
    return true;
}

/* --- the calls --- */

typedef struct loop {
    gx_np_vector_call *e;
    core c;
    int ndim, rows[GX_NP_VECTOR_ARGS]; /* rows: the arguments that are taken apart */
    int64_t shape[GX_MAX_DIMS], count;
    gx_array *flat[GX_NP_VECTOR_ARGS]; /* of each argument: one row a call */
    gx_array *out[GX_NP_VECTOR_ARGS];  /* of each result, likewise */
} loop;

/* The loop's shape: what stands before the core dimensions, broadcast. */
static bool loop_shape(gx_np *s, loop *l) {
    for (int k = 0; k < l->c.n_in; k++) {
        const gx_array *a = l->e->arrays[l->rows[k]];
        const int n = a->ndim - l->c.count[k];
        for (int i = 0; i < n; i++) {
            const int64_t size = gx_shape(a)[n - 1 - i];
            int64_t *to = &l->shape[i]; /* reversed for now */
            if (i >= l->ndim) {
                *to = size;
                l->ndim = i + 1;
            } else if (*to == 1)
                *to = size;
            else if (size != 1 && size != *to)
                return gx_fail(s->rt, GX_ValueError, "shape.broadcast",
                               "shape mismatch: the loop dimensions of the arguments do not "
                               "broadcast: %lld beside %lld",
                               (long long)*to, (long long)size);
        }
    }
    for (int i = 0, j = l->ndim - 1; i < j; i++, j--) {
        const int64_t t = l->shape[i];
        l->shape[i] = l->shape[j];
        l->shape[j] = t;
    }
    l->count = gx_np_size(l->ndim, l->shape);
    return true;
}

/* Each argument as rows of its core. */
static bool flatten(gx_np *s, loop *l) {
    for (int k = 0; k < l->c.n_in; k++) {
        gx_array *a = l->e->arrays[l->rows[k]];
        const int n = l->c.count[k];
        int64_t shape[GX_MAX_DIMS + CORE + 1];
        if (l->ndim + n > GX_MAX_DIMS)
            return gx_fail(s->rt, GX_ValueError, "vectorize.dims", "too many dimensions");
        memcpy(shape, l->shape, (size_t)l->ndim * sizeof *shape);
        memcpy(shape + l->ndim, gx_shape(a) + a->ndim - n, (size_t)n * sizeof *shape);
        a = gx_np_broadcast(s, a, l->ndim + n, shape);
        shape[l->ndim] = l->count;
        if (a)
            memcpy(shape + l->ndim + 1, gx_shape(a) + l->ndim, (size_t)n * sizeof *shape);
        l->flat[k] = gx_np_reshape(s, a, n + 1, shape + l->ndim);
        if (!l->flat[k]) return false;
    }
    return true;
}

/* The function's value for the i-th rows. */
static bool call_rows(gx_np *s, const loop *l, int64_t i, gx_value *out) {
    const gx_np_vector_call *e = l->e;
    gx_value argv[GX_NP_VECTOR_ARGS];
    memcpy(argv, e->argv, (size_t)(e->n + e->named) * sizeof *argv);
    for (int k = 0; k < l->c.n_in; k++) {
        gx_array *row = gx_np_at(s, l->flat[k], 0, i);
        gx_value v;
        if (!row) return false;
        gx_array_keep(row);
        if (!gx_array_result_take(s->rt, row, &v) || !gx_np_hold(s, v)) return false;
        argv[l->rows[k]] = v;
    }
    return gx_call_value(s->rt, e->w->a, e->n, argv, e->named, e->kw, out);
}

/* The results of all calls, made when the first are known. */
static bool make_results(gx_np *s, loop *l, gx_array *const *first) {
    for (int k = 0; k < l->c.n_out; k++) {
        const int term = l->c.n_in + k, n = l->c.count[term];
        int64_t shape[CORE + 1] = {l->count};
        gx_dtype d;
        if (!gx_np_vector_dtype(s->rt, l->e->w, k, &d)) return false;
        if (d == GX_NO_DTYPE) d = first ? (gx_dtype)first[k]->dtype : GX_f64;
        for (int i = 0; i < n; i++) shape[i + 1] = l->c.size[l->c.dim[term][i]];
        if (!(l->out[k] = gx_np_empty(s, d, n + 1, shape))) return false;
    }
    return true;
}

/* One call, its results put into their places. The scope t lives as long as the call. */
static bool step(gx_np *s, gx_np *t, loop *l, int64_t i) {
    gx_array *r[GX_NP_VECTOR_ARGS];
    const gx_value *parts;
    gx_value v;
    if (!call_rows(t, l, i, &v) || !gx_np_hold(t, v)) return false;
    const int64_t n = v.tag == GX_TUPLE ? gx_sequence_items(v, &parts) : (parts = &v, 1);
    if (n != l->c.n_out)
        return gx_fail(s->rt, GX_ValueError, "vectorize.results",
                       "wrong number of outputs from pyfunc: expected %d, got %lld", l->c.n_out,
                       (long long)n);
    for (int k = 0; k < l->c.n_out; k++)
        if (!(r[k] = gx_np_arr(t, parts[k])) || !fit(s->rt, &l->c, l->c.n_in + k, r[k]))
            return false;
    if (i == 0 && !make_results(s, l, r)) return false;
    for (int k = 0; k < l->c.n_out; k++) {
        gx_array *to = gx_np_at(t, l->out[k], 0, i);
        if (!to || !gx_array_store(s->rt, to, r[k])) return false;
    }
    return true;
}

static bool nothing_to_call(gx_np *s, loop *l) {
    if (l->e->w->b.tag == GX_NONE)
        return gx_fail(s->rt, GX_ValueError, "vectorize.empty",
                       "cannot call `vectorize` on size 0 inputs unless `otypes` is set");
    for (int i = 0; i < l->c.n_names; i++)
        if (l->c.size[i] < 0)
            return gx_fail(s->rt, GX_ValueError, "vectorize.empty",
                           "cannot call `vectorize` with a signature including new output "
                           "dimensions on size 0 inputs");
    return make_results(s, l, NULL);
}

static bool run_loop(gx_np *s, loop *l) {
    int many = 0;
    const int all = l->e->n + l->e->named;
    for (int i = 0; i < all; i++)
        if (l->e->arrays[i]) l->rows[many++] = i;
    if (many != l->c.n_in)
        return gx_fail(s->rt, GX_TypeError, "vectorize.args",
                       "wrong number of positional arguments: expected %d, got %d", l->c.n_in,
                       many);
    for (int k = 0; k < many; k++)
        if (!fit(s->rt, &l->c, k, l->e->arrays[l->rows[k]])) return false;
    if (!loop_shape(s, l) || !flatten(s, l)) return false;
    for (int64_t i = 0; i < l->count; i++) {
        gx_np t = gx_np_begin_at(s->rt, s->ns);
        if (gx_must_stop(s->rt)) return gx_stop(s->rt);
        if (!gx_np_end(&t, step(s, &t, l, i))) return false;
    }
    return l->count || nothing_to_call(s, l);
}

bool gx_np_vector_axes(gx_np *s, gx_np_vector_call *e, const char *signature, gx_value *out) {
    loop l = {.e = e};
    if (!parse(signature, &l.c) || !run_loop(s, &l)) return gx_np_end(s, false);
    for (int k = 0; k < l.c.n_out; k++) {
        int64_t shape[GX_MAX_DIMS];
        const int n = l.out[k]->ndim - 1;
        if (l.ndim + n > GX_MAX_DIMS)
            return gx_np_end(s, gx_fail(s->rt, GX_ValueError, "vectorize.dims",
                                        "too many dimensions"));
        memcpy(shape, l.shape, (size_t)l.ndim * sizeof *shape);
        memcpy(shape + l.ndim, gx_shape(l.out[k]) + 1, (size_t)n * sizeof *shape);
        if (!(l.out[k] = gx_np_reshape(s, l.out[k], l.ndim + n, shape))) return gx_np_end(s, false);
    }
    if (l.c.n_out == 1) return gx_np_give_array(s, l.out[0], out);
    return gx_np_give_tuple(s, l.c.n_out, l.out, out);
}
