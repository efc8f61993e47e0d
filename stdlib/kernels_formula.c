/* ElementwiseKernel and ReductionKernel under CuPy's names: a formula in CUDA C++ becomes a kernel
   for the dtypes of each call, kept by these. Inputs are broadcast; `raw` ones are whole arrays
   that the formula indexes; a one-letter type stands for whatever dtype comes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/dict.h"
#include "stdlib/kernels_int.h"
#include "stdlib/np_int.h"
#include "stdlib/stdlib.h"

enum { MAX_PARAMS = 24, THREADS = 256, LETTERS = 26 };

typedef struct param {
    char name[40];
    gx_dtype dtype; /* GX_NO_DTYPE: letter decides */
    char letter;
    bool raw;
} param;

typedef struct formula {
    gx_obj obj;
    param in[MAX_PARAMS], out[MAX_PARAMS];
    int n_in, n_out;
    bool reduces;
    char *name, *text, *combine, *finish, *identity, *preamble; /* owned; reductions use all */
    gx_value kernels; /* dict: dtypes of a call -> kernel */
} formula;

static formula *as_formula(gx_borrowed v) {
    return (formula *)(void *)v.obj;
}

static void free_formula(gx_rt *rt, gx_obj *o) {
    formula *f = (formula *)(void *)o;
    char *texts[] = {f->name, f->text, f->combine, f->finish, f->identity, f->preamble};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) gx_free(rt, texts[k]);
    gx_drop(f->kernels);
    gx_free(rt, f);
}

/* --- parameters: "raw float32 x, T y" --- */

static bool one_param(gx_rt *rt, const char *from, size_t n, param *p) {
    char words[3][48];
    int count = 0;
    for (size_t i = 0; i < n;) {
        while (i < n && isspace((unsigned char)from[i])) i++;
        size_t start = i;
        while (i < n && !isspace((unsigned char)from[i])) i++;
        if (i == start) break;
        if (count == 3 || i - start >= sizeof words[0]) count = 4;
        if (count > 3) break;
        memcpy(words[count], from + start, i - start);
        words[count++][i - start] = 0;
    }
    p->raw = count == 3 && strcmp(words[0], "raw") == 0;
    if (count != 2 + p->raw || strlen(words[count - 1]) >= sizeof p->name) {
        gx_fail(rt, GX_ValueError, "kernel.param", "'%.*s' is no parameter", (int)n, from);
        gx_help(rt, "a type and a name, as in 'float32 x, raw T y'");
        return false;
    }
    const char *type = words[count - 2];
    snprintf(p->name, sizeof p->name, "%s", words[count - 1]);
    p->dtype = GX_NO_DTYPE;
    p->letter = 0;
    if (type[1] == 0 && isupper((unsigned char)type[0])) {
        p->letter = type[0];
        return true;
    }
    gx_value name;
    if (!gx_str_c(rt, type, &name)) return false;
    bool ok = gx_dtype_of(rt, name, &p->dtype);
    gx_drop(name);
    int kind = ok ? gx_dtype_kind(p->dtype) : 0;
    if (ok && (kind == GX_KIND_CPLX || p->dtype == GX_f16))
        return gx_fail(rt, GX_TypeError, "kernel.param",
                       "parameter '%s': %s has no operators in CUDA C++; write a RawKernel",
                       p->name, gx_dtypes[p->dtype].name);
    return ok;
}

static bool read_params(gx_rt *rt, const char *text, param *list, int *n) {
    *n = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        if (*n == MAX_PARAMS)
            return gx_fail(rt, GX_ValueError, "kernel.param", "more than %d parameters",
                           MAX_PARAMS);
        bool blank = strspn(text, " \t\n") >= length;
        if (!blank && !one_param(rt, text, length, &list[(*n)++])) return false;
        text += length + (text[length] == ',');
    }
    return true;
}

/* --- making --- */

static bool keep_text(gx_call *c, int i, char **out) {
    const char *text = "";
    size_t n = 0;
    if (gx_arg_some(c, i) && !gx_arg_str(c, i, &text, &n)) return false;
    *out = gx_alloc(c->rt, n + 1);
    if (!*out) return false;
    memcpy(*out, text, n);
    (*out)[n] = 0;
    return true;
}

static bool make(gx_call *c, bool reduces, gx_value *out) {
    const char *in, *result;
    size_t n;
    if (!gx_arg_str(c, 0, &in, &n) || !gx_arg_str(c, 1, &result, &n)) return false;
    formula *f = gx_obj_new(c->rt, c->type, sizeof *f);
    if (!f) return false;
    f->kernels = gx_none();
    f->reduces = reduces;
    bool ok = read_params(c->rt, in, f->in, &f->n_in) &&
              read_params(c->rt, result, f->out, &f->n_out) && keep_text(c, 2, &f->text) &&
              gx_dict_new(c->rt, &f->kernels);
    if (ok && reduces)
        ok = keep_text(c, 3, &f->combine) && keep_text(c, 4, &f->finish) &&
             keep_text(c, 5, &f->identity) && keep_text(c, 6, &f->name) &&
             keep_text(c, 8, &f->preamble);
    else if (ok)
        ok = keep_text(c, 3, &f->name) && keep_text(c, 6, &f->preamble);
    if (ok && (f->n_out == 0 || (reduces && f->n_out != 1)))
        ok = gx_fail(c->rt, GX_ValueError, "kernel.param", "%s",
                     reduces ? "a reduction has one output" : "an output is needed");
    gx_value v = gx_object(&f->obj);
    if (!ok) {
        gx_drop(v);
        return false;
    }
    *out = v;
    return true;
}

static bool elementwise_fn(gx_call *c, gx_value *out) {
    return make(c, false, out);
}

static bool reduction_fn(gx_call *c, gx_value *out) {
    return make(c, true, out);
}

static const gx_native elementwise_row = {
    "ElementwiseKernel",
    "ElementwiseKernel(in_params, out_params, operation, name='kernel', reduce_dims=True, "
    "options=(), preamble='')",
    "A kernel from the text of one element: ElementwiseKernel('float32 x', 'float32 y', 'y = x * "
    "x').",
    NULL,
    elementwise_fn,
    0,
    0};

static const gx_native reduction_row = {
    "ReductionKernel",
    "ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, "
    "name='reduce_kernel', reduce_type=None, preamble='', options=())",
    "A reduction: what each element gives (a value), how a and b combine, what becomes of a.",
    NULL,
    reduction_fn,
    0,
    0};

/* --- source --- */

typedef struct call {
    gx_np s;
    gx_rt *rt;
    formula *f;
    gx_dtype letter[LETTERS];
    gx_dtype dtype[2 * MAX_PARAMS]; /* inputs, then outputs */
    bool scalar[MAX_PARAMS];        /* an input that is one number: passed by value */
    gx_value arg[2 * MAX_PARAMS + 2];
} call;

static const char *c_type(gx_dtype d) {
    return d == GX_bool ? "bool" : gx_dtypes[d].cuda;
}

static const param *param_at(const formula *f, int k) {
    return k < f->n_in ? &f->in[k] : &f->out[k - f->n_in];
}

/* The parameter list; arrays that are not raw get a '_' before their name. */
static bool add_params(const call *c, gx_buf *out) {
    const formula *f = c->f;
    bool ok = true;
    for (int k = 0; k < f->n_in + f->n_out && ok; k++) {
        const param *p = param_at(f, k);
        bool in = k < f->n_in, value = in && c->scalar[k];
        ok = gx_buf_printf(out, "%s%s%s%s%s, ", in ? "const " : "", c_type(c->dtype[k]),
                           value ? " " : "* ", p->raw || value ? "" : "_", p->name);
    }
    return ok;
}

/* The names of one element's inputs, at index i. */
static bool add_inputs(const call *c, gx_buf *out) {
    bool ok = true;
    for (int k = 0; k < c->f->n_in && ok; k++) {
        const param *p = &c->f->in[k];
        if (p->raw || c->scalar[k]) continue;
        ok = gx_buf_printf(out, "const %s %s = _%s[i]; ", c_type(c->dtype[k]), p->name, p->name);
    }
    return ok;
}

static bool add_letters(const call *c, gx_buf *out) {
    bool ok = true;
    for (int k = 0; k < LETTERS && ok; k++)
        if (c->letter[k] != GX_NO_DTYPE)
            ok = gx_buf_printf(out, "typedef %s %c; ", c_type(c->letter[k]), 'A' + k);
    return ok;
}

static bool write_elementwise(const call *c, gx_buf *out) {
    const formula *f = c->f;
    bool ok =
        gx_buf_printf(out,
                      "%s\nstruct _gx_indexer { long long n; long long size() const { return n; "
                      "} };\nextern \"C\" __global__ void %s(",
                      f->preamble, f->name) &&
        add_params(c, out) &&
        gx_buf_puts(out, "long long _n) {\n  _gx_indexer _ind = {_n}; (void)_ind; ") &&
        add_letters(c, out) &&
        gx_buf_puts(out, "\n  for (long long i = blockIdx.x * (long long)blockDim.x + "
                         "threadIdx.x; i < _n; i += (long long)gridDim.x * blockDim.x) {\n  ") &&
        add_inputs(c, out);
    for (int k = 0; k < f->n_out && ok; k++)
        if (!f->out[k].raw)
            ok = gx_buf_printf(out, "%s& %s = _%s[i]; ", c_type(c->dtype[f->n_in + k]),
                               f->out[k].name, f->out[k].name);
    return ok && gx_buf_printf(out, "\n#line 1 \"%s\"\n%s;\n  }\n}\n", f->name, f->text);
}

/* A block for each result: threads take elements in turn, then halves are folded. */
static bool write_reduction(const call *c, gx_buf *out) {
    const formula *f = c->f;
    const char *acc = c_type(c->dtype[f->n_in]);
    return gx_buf_printf(out, "%s\nextern \"C\" __global__ void %s(", f->preamble, f->name) &&
           add_params(c, out) && gx_buf_puts(out, "long long _n, long long _each) {\n  ") &&
           add_letters(c, out) &&
           gx_buf_printf(out,
                         "\n  __shared__ %s _s[%d];\n  int _t = threadIdx.x;\n"
                         "  for (long long _o = blockIdx.x; _o < _n; _o += gridDim.x) {\n"
                         "    %s _a = %s;\n    for (long long _j = _t; _j < _each; _j += %d) {\n"
                         "      long long i = _o * _each + _j; (void)i; ",
                         acc, THREADS, acc, f->identity, THREADS) &&
           add_inputs(c, out) &&
           gx_buf_printf(out,
                         "\n#line 1 \"%s\"\n      %s a = _a, b = (%s);\n      _a = (%s);\n    }\n"
                         "    _s[_t] = _a;\n    __syncthreads();\n"
                         "    for (int _d = %d; _d > 0; _d /= 2) {\n"
                         "      if (_t < _d) { %s a = _s[_t], b = _s[_t + _d]; _s[_t] = (%s); }\n"
                         "      __syncthreads();\n    }\n"
                         "    if (_t == 0) { %s a = _s[0]; %s& %s = _%s[_o]; %s; }\n"
                         "    __syncthreads();\n  }\n}\n",
                         f->name, acc, f->text, f->combine, THREADS / 2, acc, f->combine, acc, acc,
                         f->out[0].name, f->out[0].name, f->finish);
}

/* The kernel for the dtypes of this call. */
static bool find_kernel(call *c, gx_value *out) {
    formula *f = c->f;
    char key[4 * MAX_PARAMS + 4];
    int n = 0;
    for (int k = 0; k < f->n_in + f->n_out; k++) {
        key[n++] = (char)('a' + c->dtype[k]);
        key[n++] = k < f->n_in && c->scalar[k] ? '1' : '*';
    }
    gx_value name, found;
    if (!gx_str_new(c->rt, key, (size_t)n, &name)) return false;
    gx_try has = gx_dict_get(c->rt, f->kernels, name, &found);
    if (has == GX_TRY_YES) {
        *out = gx_keep(found);
        gx_drop(name);
        return true;
    }
    gx_buf source = gx_buf_new(c->rt);
    gx_raw *raw = NULL;
    bool ok = has == GX_TRY_NO &&
              (f->reduces ? write_reduction(c, &source) : write_elementwise(c, &source)) &&
              gx_raw_new(c->rt, gx_buf_text(&source), f->name, 1, NULL, 0, NULL, 0, &raw) &&
              gx_kernel_of(c->rt, raw, 0, out);
    gx_raw_drop(raw);
    if (ok && !gx_dict_set(c->rt, f->kernels, name, *out)) {
        gx_drop(*out);
        ok = false;
    }
    gx_buf_free(&source);
    gx_drop(name);
    return ok;
}

/* --- calls --- */

static bool wrong_type(call *c, const param *p, gx_dtype want, gx_dtype have) {
    gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: parameter '%s' is %s, but a %s array was given",
            c->f->name, p->name, gx_dtypes[want].name, gx_dtypes[have].name);
    gx_help(c->rt, "%s.astype('%s')", p->name, gx_dtypes[want].name);
    return false;
}

/* Binds letters and checks dtypes of one operand that is an array. */
static bool bind_array(call *c, const param *p, const gx_array *a, gx_dtype *out) {
    gx_dtype have = (gx_dtype)a->dtype;
    if (p->letter) {
        gx_dtype *bound = &c->letter[p->letter - 'A'];
        if (*bound == GX_NO_DTYPE) *bound = have;
        if (*bound != have) return wrong_type(c, p, *bound, have);
    } else if (p->dtype != have) {
        return wrong_type(c, p, p->dtype, have);
    }
    *out = have;
    return true;
}

static bool is_number(gx_borrowed v) {
    gx_operand kind = gx_operand_kind(v);
    return kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR;
}

/* dtypes of inputs: arrays decide the letters first, numbers follow. */
static bool bind_inputs(call *c, const gx_borrowed *v) {
    formula *f = c->f;
    for (int k = 0; k < f->n_in; k++) {
        if (!gx_is_array(v[k]) && !is_number(v[k]))
            return gx_fail(c->rt, GX_TypeError, "kernel.arg",
                           "%s: parameter '%s' takes an array or a number, not %s", f->name,
                           f->in[k].name, gx_type_name(v[k]));
        if (gx_is_array(v[k]) && !bind_array(c, &f->in[k], gx_as_array(v[k]), &c->dtype[k]))
            return false;
    }
    for (int k = 0; k < f->n_in; k++) {
        if (gx_is_array(v[k])) continue;
        const param *p = &f->in[k];
        c->scalar[k] = true;
        if (p->raw)
            return gx_fail(c->rt, GX_TypeError, "kernel.arg",
                           "%s: raw parameter '%s' takes an array", f->name, p->name);
        gx_dtype d = p->dtype;
        if (p->letter) {
            gx_dtype *bound = &c->letter[p->letter - 'A'];
            if (*bound == GX_NO_DTYPE && !gx_np_result_type(c->rt, 1, &v[k], bound)) return false;
            d = *bound;
        }
        c->dtype[k] = d;
        c->arg[k] = v[k];
    }
    return true;
}

static bool output_dtype(call *c, int k, gx_dtype *out) {
    const param *p = &c->f->out[k];
    *out = p->letter ? c->letter[p->letter - 'A'] : p->dtype;
    if (*out != GX_NO_DTYPE) return true;
    return gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: no input tells what %c of '%s' is",
                   c->f->name, p->letter, p->name);
}

/* The shape of a call: of its inputs that are not raw, and of given outputs; or `size`. */
static bool call_shape(call *c, const gx_borrowed *v, int given, int64_t size, int *ndim,
                       int64_t *shape) {
    gx_array *arrays[2 * MAX_PARAMS];
    int n = 0;
    for (int k = 0; k < given; k++)
        if (gx_is_array(v[k]) && !param_at(c->f, k)->raw) arrays[n++] = gx_as_array(v[k]);
    if (size >= 0) {
        *ndim = 1;
        shape[0] = size;
        return true;
    }
    if (n) return gx_broadcast_shapes(c->rt, n, arrays, ndim, shape);
    for (int k = 0; k < c->f->n_in; k++)
        if (c->f->in[k].raw) {
            gx_fail(c->rt, GX_ValueError, "kernel.size", "%s: only raw arrays were given",
                    c->f->name);
            gx_help(c->rt, "%s(…, size=n)", c->f->name);
            return false;
        }
    *ndim = 0;
    return true;
}

static bool launch(call *c, int64_t n, int64_t each, int args) {
    gx_value k;
    gx_shape3 size = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    int64_t blocks = c->f->reduces ? n : (n + THREADS - 1) / THREADS;
    if (n == 0) return true;
    size.grid[0] = blocks < 65535 ? blocks : 65535;
    c->arg[args++] = gx_int(n);
    if (c->f->reduces) c->arg[args++] = gx_int(each);
    if (!find_kernel(c, &k)) return false;
    bool ok = gx_kernel_launch(c->rt, (gx_kernel *)(void *)k.obj, &size, args, c->arg);
    gx_drop(k);
    return ok;
}

static bool run_elementwise(call *c, int given, const gx_borrowed *v, int64_t size, gx_value *out) {
    formula *f = c->f;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    gx_array *results[MAX_PARAMS];
    if (!bind_inputs(c, v)) return false;
    for (int k = f->n_in; k < given; k++)
        if (!gx_is_array(v[k]) || !bind_array(c, param_at(f, k), gx_as_array(v[k]), &c->dtype[k]))
            return !gx_failed(&c->rt->error) &&
                   gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: an output is an array", f->name);
    if (!call_shape(c, v, given, size, &ndim, shape)) return false;
    for (int k = 0; k < f->n_in; k++) {
        if (c->scalar[k]) continue;
        gx_array *a = gx_np_keep(&c->s, gx_as_array(v[k]));
        if (!f->in[k].raw && size < 0) a = gx_np_broadcast(&c->s, a, ndim, shape);
        a = gx_np_contiguous(&c->s, a);
        if (!a) return false;
        c->arg[k] = gx_np_value(a);
    }
    for (int k = 0; k < f->n_out; k++) {
        int at = f->n_in + k;
        if (!output_dtype(c, k, &c->dtype[at])) return false;
        results[k] = at < given ? gx_np_keep(&c->s, gx_as_array(v[at]))
                                : gx_np_empty(&c->s, c->dtype[at], ndim, shape);
        if (!results[k]) return false;
        c->arg[at] = gx_np_value(results[k]);
    }
    if (!launch(c, gx_np_size(ndim, shape), 0, f->n_in + f->n_out)) return false;
    if (f->n_out == 1) {
        *out = gx_keep(gx_np_value(results[0]));
        return true;
    }
    gx_value list[MAX_PARAMS];
    for (int k = 0; k < f->n_out; k++) list[k] = gx_np_value(results[k]);
    return gx_tuple_new(c->rt, f->n_out, list, out);
}

/* Inputs with the reduced axes last. */
static bool run_reduction(call *c, const gx_borrowed *v, gx_borrowed axis, bool keep,
                          gx_value *out) {
    formula *f = c->f;
    int ndim, kept = 0, at = 0;
    int64_t shape[GX_MAX_DIMS], result[GX_MAX_DIMS], each = 1, n = 1, index;
    uint64_t mask = 0;
    if (!bind_inputs(c, v) || !call_shape(c, v, f->n_in, -1, &ndim, shape) ||
        !output_dtype(c, 0, &c->dtype[f->n_in]))
        return false;
    const gx_value *items = &axis;
    int64_t axes =
        axis.tag == GX_NONE || axis.tag == GX_UNDEF ? 0 : gx_sequence_items(axis, &items);
    if (axes < 0) axes = 1, items = &axis;
    for (int64_t k = 0; k < axes; k++) {
        int dim;
        if (gx_as_index(c->rt, items[k], &index) != GX_TRY_YES)
            return !gx_failed(&c->rt->error) &&
                   gx_fail(c->rt, GX_TypeError, "kernel.axis", "an axis is an integer");
        if (!gx_axis(c->rt, index, ndim, &dim)) return false;
        mask |= UINT64_C(1) << dim;
    }
    if (axes == 0) mask = ndim ? ~UINT64_C(0) >> (64 - ndim) : 0;
    for (int d = 0; d < ndim; d++) {
        bool reduced = mask >> d & 1;
        *(reduced ? &each : &n) *= shape[d];
        if (!reduced || keep) result[kept++] = reduced ? 1 : shape[d];
    }
    for (int k = 0; k < f->n_in; k++) {
        if (c->scalar[k]) continue;
        gx_array *a = gx_np_keep(&c->s, gx_as_array(v[k]));
        if (!f->in[k].raw) {
            a = gx_np_broadcast(&c->s, a, ndim, shape);
            for (int d = ndim - 1, moved = 0; d >= 0; d--)
                if (mask >> d & 1) a = gx_np_moveaxis(&c->s, a, d, ndim - 1 - moved++);
        }
        a = gx_np_contiguous(&c->s, a);
        if (!a) return false;
        c->arg[k] = gx_np_value(a);
    }
    at = f->n_in;
    gx_array *r = gx_np_empty(&c->s, c->dtype[at], kept, result);
    if (!r) return false;
    c->arg[at] = gx_np_value(r);
    if (!launch(c, n, each, at + 1)) return false;
    *out = gx_keep(gx_np_value(r));
    return true;
}

static bool call_formula(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                         const gx_sym *kw, gx_value *out) {
    formula *f = as_formula(self);
    call *c = gx_alloc_zero(rt, sizeof *c);
    gx_value axis = gx_undef(), size = gx_undef();
    bool keep = false, ok = true;
    int64_t count = -1;
    if (!c) return false;
    c->rt = rt;
    c->f = f;
    for (int k = 0; k < LETTERS; k++) c->letter[k] = GX_NO_DTYPE;
    for (int k = 0; k < kwc && ok; k++) {
        const char *name = gx_sym_text(rt, kw[k]);
        gx_borrowed v = argv[argc + k];
        if (f->reduces && strcmp(name, "axis") == 0)
            axis = v;
        else if (f->reduces && strcmp(name, "keepdims") == 0)
            ok = gx_truth(rt, v, &keep);
        else if (!f->reduces && strcmp(name, "size") == 0)
            size = v;
        else if (strcmp(name, "stream") != 0 && strcmp(name, "block_size") != 0)
            ok = gx_fail(rt, GX_TypeError, "kernel.keyword", "%s: unexpected argument '%s'",
                         f->name, name);
    }
    if (ok && size.tag != GX_UNDEF && size.tag != GX_NONE &&
        gx_as_index(rt, size, &count) != GX_TRY_YES)
        ok = gx_failed(&rt->error) ? false
                                   : gx_fail(rt, GX_TypeError, "kernel.size", "size is an integer");
    bool fits = argc == f->n_in || (!f->reduces && argc == f->n_in + f->n_out);
    if (ok && !fits)
        ok = gx_fail(rt, GX_TypeError, "kernel.args", "%s takes %d input%s%s but %d were given",
                     f->name, f->n_in, f->n_in == 1 ? "" : "s",
                     f->reduces ? "" : ", and maybe its outputs,", argc);
    gx_door door = GX_DOOR_CUPY;
    for (int k = 0; k < argc; k++)
        if (gx_is_array(argv[k])) door = (gx_door)gx_as_array(argv[k])->door;
    c->s = gx_np_begin_at(rt, door);
    if (ok)
        ok = f->reduces ? run_reduction(c, argv, axis, keep, out)
                        : run_elementwise(c, argc, argv, count, out);
    ok = gx_np_end(&c->s, ok);
    gx_free(rt, c);
    return ok;
}

static bool repr_formula(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const formula *f = as_formula(v);
    return gx_buf_printf(out, "<%s %s>", f->reduces ? "reduction" : "elementwise", f->name);
}

static const gx_type elementwise_type = {.name = "cupy.ElementwiseKernel",
                                         .dtype = GX_NO_DTYPE,
                                         .tag = GX_OBJECT,
                                         .doc = "A kernel from the text of one element.",
                                         .free = free_formula,
                                         .repr = repr_formula,
                                         .call = call_formula,
                                         .construct = &elementwise_row};

static const gx_type reduction_type = {.name = "cupy.ReductionKernel",
                                       .dtype = GX_NO_DTYPE,
                                       .tag = GX_OBJECT,
                                       .doc = "A reduction from the texts of its three steps.",
                                       .free = free_formula,
                                       .repr = repr_formula,
                                       .call = call_formula,
                                       .construct = &reduction_row};

const gx_constant gx_kernels_formula_constants[] = {
    {.name = "ElementwiseKernel", .kind = GX_CONST_TYPE, .type = &elementwise_type},
    {.name = "ReductionKernel", .kind = GX_CONST_TYPE, .type = &reduction_type},
    {.name = NULL},
};
