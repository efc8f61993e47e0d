/* ElementwiseKernel and ReductionKernel under CuPy's names: a formula in CUDA C++ becomes a kernel
   for the dtypes of each call, kept by these. Inputs are broadcast; `raw` ones are whole arrays
   that the formula indexes; a one-letter type stands for whatever dtype comes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "stdlib/cuda/cuda.h"
#include "stdlib/cuda/kernels.h"
#include "stdlib/cuda/kernels_text_int.h"
#include "stdlib/stdlib.h"

static gx_formula *as_formula(gx_borrowed v) {
    return (gx_formula *)(void *)v.obj;
}

static void free_formula(gx_rt *rt, gx_obj *o) {
    gx_formula *f = (gx_formula *)(void *)o;
    char *texts[] = {f->name,     f->text,     f->combine, f->finish,
                     f->identity, f->preamble, f->reduce,  f->file};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) gx_free(rt, texts[k]);
    gx_drop(f->options);
    gx_drop(f->kernels);
    gx_free(rt, f);
}

/* --- parameters: "raw float32 x, T y" --- */

static bool one_param(gx_rt *rt, const char *from, size_t n, gx_formula_input *p) {
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
        gx_fail(rt, GX_ValueError, "kernel.param", "'%.*s' is not a parameter", (int)n, from);
        gx_help(rt, "a type and a name, as in 'float32 x, raw T y'");
        return false;
    }
    if (strcmp(words[count - 1], "n") == 0 || strcmp(words[count - 1], "i") == 0) {
        const char *name = words[count - 1];
        gx_fail(rt, GX_ValueError, "kernel.param", "can not use '%s' as a parameter name", name);
        gx_note(rt, "in a formula %s is the %s", name,
                *name == 'n' ? "number of elements" : "number of the element");
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
    if (ok && (kind == GX_KIND_CPLX || gx_is_half(p->dtype)))
        return gx_fail(rt, GX_TypeError, "kernel.param",
                       "parameter '%s': %s has no operators in CUDA C++; write a RawKernel",
                       p->name, gx_dtypes[p->dtype].name);
    return ok;
}

static bool read_params(gx_rt *rt, const char *text, gx_formula_input *list, int *n) {
    *n = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        if (*n == GX_FORMULA_PARAMS)
            return gx_fail(rt, GX_ValueError, "kernel.param", "more than %d parameters",
                           GX_FORMULA_PARAMS);
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

/* A type by its NumPy name becomes C's. */
static bool c_name(gx_rt *rt, char **type) {
    for (int d = 0; d < GX_DTYPES && **type; d++) {
        if (strcmp(gx_dtypes[d].name, *type) != 0 || !gx_dtypes[d].cuda) continue;
        size_t n = strlen(gx_dtypes[d].cuda);
        char *fresh = gx_realloc(rt, *type, n + 1);
        if (!fresh) return false;
        memcpy(fresh, gx_dtypes[d].cuda, n + 1);
        *type = fresh;
        break;
    }
    return true;
}

static bool make(gx_call *c, bool reduces, gx_value *out) {
    const char *in, *result;
    size_t n;
    if (!gx_arg_str(c, 0, &in, &n) || !gx_arg_str(c, 1, &result, &n)) return false;
    gx_formula *f = gx_obj_new(c->rt, c->type, sizeof *f);
    if (!f) return false;
    f->options = f->kernels = gx_none();
    f->reduces = reduces;
    if (gx_arg_some(c, reduces ? 9 : 5)) f->options = gx_keep(c->argv[reduces ? 9 : 5]);
    bool ok = read_params(c->rt, in, f->in, &f->n_in) &&
              read_params(c->rt, result, f->out, &f->n_out) && keep_text(c, 2, &f->text) &&
              gx_dict_new(c->rt, &f->kernels);
    if (ok && reduces)
        ok = keep_text(c, 3, &f->combine) && keep_text(c, 4, &f->finish) &&
             keep_text(c, 5, &f->identity) && keep_text(c, 6, &f->name) &&
             keep_text(c, 7, &f->reduce) && c_name(c->rt, &f->reduce) &&
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

/* The kernel for the dtypes of this call. */
static bool find_kernel(gx_formula_call *c, gx_value *out) {
    gx_formula *f = c->f;
    char key[4 * GX_FORMULA_PARAMS + 4];
    int n = 0;
    for (int k = 0; k < f->n_in + f->n_out; k++) {
        key[n++] = (char)('a' + c->dtype[k]);
        key[n++] = k < f->n_in && c->scalar[k] ? '1' : '*';
    }
    key[n++] = c->inlined ? 'f' : 'k';
    gx_value name;
    if (!gx_str_new(c->rt, key, (size_t)n, &name)) return false;
    gx_try has = gx_dict_find(c->rt, f->kernels, name, out);
    if (has == GX_TRY_YES) {
        gx_drop(name);
        return true;
    }
    const char *options[GX_FORMULA_OPTIONS];
    int n_options = gx_formula_options(c->rt, f, options, GX_FORMULA_OPTIONS);
    gx_buf source = gx_buf_new(c->rt);
    gx_raw *raw = NULL;
    bool ok =
        has == GX_TRY_NO && n_options >= 0 &&
        (f->reduces ? gx_formula_reduction(c, &source) : gx_formula_elementwise(c, &source)) &&
        gx_raw_new(c->rt, gx_buf_text(&source), f->name, 1, options, n_options, NULL, 0,
                   &raw) &&
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

static bool wrong_type(gx_formula_call *c, const gx_formula_input *p, gx_dtype want,
                       gx_dtype have) {
    gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: parameter '%s' is %s, but a %s array was given",
            c->f->name, p->name, gx_dtypes[want].name, gx_dtypes[have].name);
    gx_help(c->rt, "%s.astype('%s')", p->name, gx_dtypes[want].name);
    return gx_about(c->rt, 2, (int64_t[]){want, have});
}

/* Binds letters and checks dtypes of one operand that is an array. */
static bool bind_array(gx_formula_call *c, const gx_formula_input *p, const gx_array *a,
                       gx_dtype *out) {
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
static bool bind_inputs(gx_formula_call *c, const gx_borrowed *v) {
    gx_formula *f = c->f;
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
        const gx_formula_input *p = &f->in[k];
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

static bool output_dtype(gx_formula_call *c, int k, gx_dtype *out) {
    const gx_formula_input *p = &c->f->out[k];
    *out = p->letter ? c->letter[p->letter - 'A'] : p->dtype;
    if (*out != GX_NO_DTYPE) return true;
    return gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: no input tells what %c of '%s' is",
                   c->f->name, p->letter, p->name);
}

/* The shape of a call: of its inputs that are not raw, and of given outputs; or `size`. */
static bool call_shape(gx_formula_call *c, const gx_borrowed *v, int given, int64_t size, int *ndim,
                       int64_t *shape) {
    gx_array *arrays[2 * GX_FORMULA_PARAMS];
    int n = 0;
    for (int k = 0; k < given; k++)
        if (gx_is_array(v[k]) && !gx_formula_param(c->f, k)->raw) arrays[n++] = gx_as_array(v[k]);
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

/* A call that is not launched but computed with what reads it, where a GPU would. */
static bool pend(gx_formula_call *c, const gx_borrowed *v, int ndim, const int64_t *shape,
                 gx_value *out, bool *done) {
    gx_value k;
    if (!find_kernel(c, &k)) return false; /* what does not compile is told here */
    gx_drop(k);
    return gx_formula_pend(c, v, ndim, shape, out, done);
}

static bool launch(gx_formula_call *c, int64_t n, int64_t each, int args) {
    gx_value k;
    gx_shape3 size = {
        .grid = {1, 1, 1}, .block = {c->threads, 1, 1}, .sized = true, .quiet = true};
    int64_t blocks = c->f->reduces ? n : (n + c->threads - 1) / c->threads;
    if (n == 0) return true;
    size.grid[0] = blocks < 65535 ? blocks : 65535;
    c->arg[args++] = gx_int(n);
    if (c->f->reduces) c->arg[args++] = gx_int(each);
    if (!find_kernel(c, &k)) return false;
    bool ok = gx_kernel_launch(c->rt, (gx_kernel *)(void *)k.obj, &size, args, c->arg, 0);
    gx_drop(k);
    return ok;
}

static bool run_elementwise(gx_formula_call *c, int given, const gx_borrowed *v, int64_t size,
                            gx_value *out) {
    gx_formula *f = c->f;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    gx_array *results[GX_FORMULA_PARAMS];
    if (!bind_inputs(c, v)) return false;
    for (int k = f->n_in; k < given; k++)
        if (!gx_is_array(v[k]) ||
            !bind_array(c, gx_formula_param(f, k), gx_as_array(v[k]), &c->dtype[k]))
            return !gx_failed(&c->rt->error) &&
                   gx_fail(c->rt, GX_TypeError, "kernel.arg", "%s: an output is an array", f->name);
    bool done = false;
    if (!call_shape(c, v, given, size, &ndim, shape)) return false;
    if (given == f->n_in && size < 0) {
        if (!output_dtype(c, 0, &c->dtype[given])) return false;
        c->inlined = gx_formula_inlines(c);
        if (c->inlined && !c->asked && !pend(c, v, ndim, shape, out, &done)) return false;
        if (done) return true;
    }
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
    gx_value list[GX_FORMULA_PARAMS];
    for (int k = 0; k < f->n_out; k++) list[k] = gx_np_value(results[k]);
    return gx_tuple_new(c->rt, f->n_out, list, out);
}

/* Inputs with the reduced axes last. */
static bool run_reduction(gx_formula_call *c, const gx_borrowed *v, gx_borrowed axis, bool keep,
                          gx_value *out) {
    gx_formula *f = c->f;
    int ndim, kept = 0, at = 0;
    int64_t shape[GX_MAX_DIMS], result[GX_MAX_DIMS], each = 1, n = 1, index;
    uint64_t mask = 0;
    if (!bind_inputs(c, v) || !call_shape(c, v, f->n_in, -1, &ndim, shape) ||
        !output_dtype(c, 0, &c->dtype[f->n_in]))
        return false;
    const gx_value *items = &axis;
    int64_t axes;
    GX_STILL(own);
    if (!gx_still_items(c->rt, axis, &own, &items, &axes)) return false;
    if (axes < 0) axes = axis.tag != GX_NONE && axis.tag != GX_UNDEF, items = &axis;
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

/* block_size=: how many threads a block has. */
static bool read_threads(gx_formula_call *c, gx_borrowed v) {
    int64_t n;
    if (gx_as_index(c->rt, v, &n) != GX_TRY_YES)
        return !gx_failed(&c->rt->error) &&
               gx_fail(c->rt, GX_TypeError, "kernel.size", "block_size is an integer");
    if (n < 1 || n > 1024)
        return gx_fail(c->rt, GX_ValueError, "kernel.size",
                       "%s: block_size is 1 to 1024 threads, not %lld", c->f->name, (long long)n);
    c->threads = (int)n;
    return true;
}

static bool call_formula(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                         const gx_sym *kw, gx_value *out) {
    gx_formula *f = as_formula(self);
    gx_formula_call *c = gx_alloc_zero(rt, sizeof *c);
    gx_value axis = gx_undef(), size = gx_undef(), stream = gx_undef();
    gx_cuda_visit visit = {0};
    bool keep = false, ok = true;
    int64_t count = -1;
    if (!c) return false;
    c->rt = rt;
    c->f = f;
    c->threads = GX_FORMULA_THREADS;
    for (int k = 0; k < GX_FORMULA_LETTERS; k++) c->letter[k] = GX_NO_DTYPE;
    for (int k = 0; k < kwc && ok; k++) {
        const char *name = gx_sym_text(rt, kw[k]);
        gx_borrowed v = argv[argc + k];
        if (f->reduces && strcmp(name, "axis") == 0)
            axis = v;
        else if (f->reduces && strcmp(name, "keepdims") == 0)
            ok = gx_truth(rt, v, &keep);
        else if (!f->reduces && strcmp(name, "size") == 0)
            size = v;
        else if (!f->reduces && strcmp(name, "block_size") == 0)
            c->asked = true, ok = read_threads(c, v);
        else if (strcmp(name, "stream") == 0)
            c->asked = true, stream = v;
        else
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
    gx_namespace ns = GX_NS_CUPY;
    for (int k = 0; k < argc; k++)
        if (gx_is_array(argv[k])) ns = (gx_namespace)gx_as_array(argv[k])->ns;
    c->s = gx_np_begin_at(rt, ns);
    ok = ok && gx_cuda_visit_begin(rt, stream, f->name, &visit);
    if (ok)
        ok = f->reduces ? run_reduction(c, argv, axis, keep, out)
                        : run_elementwise(c, argc, argv, count, out);
    ok = gx_np_end(&c->s, gx_cuda_visit_end(rt, &visit, ok));
    gx_free(rt, c);
    return ok;
}

static bool repr_formula(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const gx_formula *f = as_formula(v);
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

static char *copy_text(gx_rt *rt, const char *text, size_t n) {
    char *to = gx_alloc(rt, n + 1);
    if (!to) return NULL;
    memcpy(to, text, n);
    to[n] = 0;
    return to;
}

bool gx_formula_literal(gx_rt *rt, const char *signature, const char *text, const char *file,
                        int line, gx_value *out) {
    const char *arrow = strstr(signature, "->");
    if (!arrow) {
        gx_fail(rt, GX_ValueError, "kernel.param", "'%s' has no '->'", signature);
        gx_help(rt, "inputs -> outputs, as in 'float32 x, T y -> float32 z'");
        return false;
    }
    gx_formula *f = gx_obj_new(rt, &elementwise_type, sizeof *f);
    if (!f) return false;
    f->options = f->kernels = gx_none();
    f->line = line;
    char *in = copy_text(rt, signature, (size_t)(arrow - signature));
    f->name = copy_text(rt, "kernel", 6);
    f->text = copy_text(rt, text, strlen(text));
    f->file = copy_text(rt, file, strlen(file));
    f->preamble = copy_text(rt, "", 0);
    bool ok = in && f->name && f->text && f->file && f->preamble &&
              read_params(rt, in, f->in, &f->n_in) &&
              read_params(rt, arrow + 2, f->out, &f->n_out) && gx_dict_new(rt, &f->kernels);
    gx_free(rt, in);
    if (ok && f->n_out == 0) ok = gx_fail(rt, GX_ValueError, "kernel.param", "an output is needed");
    gx_value v = gx_object(&f->obj);
    if (ok)
        *out = v;
    else
        gx_drop(v);
    return ok;
}

const gx_constant gx_kernels_formula_constants[] = {
    {.name = "ElementwiseKernel", .kind = GX_CONST_TYPE, .type = &elementwise_type},
    {.name = "ReductionKernel", .kind = GX_CONST_TYPE, .type = &reduction_type},
    {.name = NULL},
};
