/* The CUDA C++ of a formula's kernel, for the dtypes of one call. */
#include "stdlib/cuda/kernels_text_int.h"

static const char *c_type(gx_dtype d) {
    return d == GX_bool ? "bool" : gx_dtypes[d].cuda;
}

/* The parameter list; arrays that are not raw get a '_' before their name. */
static bool add_params(const gx_formula_call *c, gx_buf *out) {
    const gx_formula *f = c->f;
    bool ok = true;
    for (int k = 0; k < f->n_in + f->n_out && ok; k++) {
        const gx_formula_input *p = gx_formula_param(f, k);
        bool in = k < f->n_in, value = in && c->scalar[k];
        ok = gx_buf_printf(out, "%s%s%s%s%s, ", in ? "const " : "", c_type(c->dtype[k]),
                           value ? " " : "* ", p->raw || value ? "" : "_", p->name);
    }
    return ok;
}

/* The names of one element's inputs, at index i. */
static bool add_inputs(const gx_formula_call *c, gx_buf *out) {
    bool ok = true;
    for (int k = 0; k < c->f->n_in && ok; k++) {
        const gx_formula_input *p = &c->f->in[k];
        if (p->raw || c->scalar[k]) continue;
        ok = gx_buf_printf(out, "const %s %s = _%s[i]; ", c_type(c->dtype[k]), p->name, p->name);
    }
    return ok;
}

/* The types that letters stand for, and the preamble, which may name them. */
static bool add_preamble(const gx_formula_call *c, bool lines, gx_buf *out) {
    bool ok = true;
    for (int k = 0; k < GX_FORMULA_LETTERS && ok; k++)
        if (c->letter[k] != GX_NO_DTYPE)
            ok = gx_buf_printf(out, "typedef %s %c; ", c_type(c->letter[k]), 'A' + k);
    if (ok && lines) ok = gx_buf_printf(out, "\n#line 1 \"%s\"", c->f->name);
    return ok && gx_buf_printf(out, "\n%s\n", c->f->preamble);
}

bool gx_formula_function(const gx_formula_call *c, bool lines, gx_buf *out) {
    const gx_formula *f = c->f;
    const char *result = c_type(c->dtype[f->n_in]);
    bool ok = add_preamble(c, lines, out) &&
              gx_buf_printf(out, "static __device__ __forceinline__ %s call(", result);
    for (int k = 0; k < f->n_in && ok; k++)
        ok = gx_buf_printf(out, "%sconst %s %s", k ? ", " : "", c_type(c->dtype[k]), f->in[k].name);
    ok = ok && gx_buf_puts(out, ") {\n  ") &&
         gx_buf_printf(out, "%s %s = 0; {\n", result, f->out[0].name);
    if (ok && lines)
        ok = gx_buf_printf(out, "#line %d \"%s\"\n", f->file ? f->line : 1,
                           f->file ? f->file : f->name);
    return ok && gx_buf_printf(out, "%s;\n  }\n  return %s;\n}\n", f->text, f->out[0].name);
}

/* A kernel of its own for a text that may be a part of others: it calls the same function. */
static bool add_calling(const gx_formula_call *c, gx_buf *out) {
    const gx_formula *f = c->f;
    bool ok = gx_buf_puts(out, "namespace gx_call0 { ") && gx_formula_function(c, true, out) &&
              gx_buf_printf(out, "}\nextern \"C\" __global__ void %s(", f->name) &&
              add_params(c, out) &&
              gx_buf_printf(out,
                            "long long _n) {\n  for (long long __gx_at = blockIdx.x * (long "
                            "long)blockDim.x + threadIdx.x; __gx_at < _n; __gx_at += (long "
                            "long)gridDim.x * blockDim.x)\n    _%s[__gx_at] = gx_call0::call(",
                            f->out[0].name);
    for (int k = 0; k < f->n_in && ok; k++)
        ok = gx_buf_printf(out, "%s%s%s%s", k ? ", " : "", c->scalar[k] ? "" : "_", f->in[k].name,
                           c->scalar[k] ? "" : "[__gx_at]");
    return ok && gx_buf_puts(out, ");\n}\n");
}

bool gx_formula_elementwise(const gx_formula_call *c, gx_buf *out) {
    const gx_formula *f = c->f;
    if (c->inlined) return add_calling(c, out);
    bool ok =
        add_preamble(c, true, out) &&
        gx_buf_printf(out,
                      "struct _gx_indexer { long long n; long long size() const { return n; "
                      "} };\nextern \"C\" __global__ void %s(",
                      f->name) &&
        add_params(c, out) &&
        gx_buf_puts(out, "long long _n) {\n  _gx_indexer _ind = {_n}; long long n = _n; "
                         "(void)_ind; (void)n; ") &&
        gx_buf_puts(out, "\n  for (long long i = blockIdx.x * (long long)blockDim.x + "
                         "threadIdx.x; i < _n; i += (long long)gridDim.x * blockDim.x) {\n  ") &&
        add_inputs(c, out);
    for (int k = 0; k < f->n_out && ok; k++)
        if (!f->out[k].raw)
            ok = gx_buf_printf(out, "%s& %s = _%s[i]; ", c_type(c->dtype[f->n_in + k]),
                               f->out[k].name, f->out[k].name);
    return ok && gx_buf_printf(out, "\n#line %d \"%s\"\n%s;\n  }\n}\n", f->file ? f->line : 1,
                               f->file ? f->file : f->name, f->text);
}

/* A block for each result: threads take elements in turn, then halves are folded: all but the last
   five times by the first warp out of what it holds, which waits once, then from lane to lane. */
bool gx_formula_reduction(const gx_formula_call *c, gx_buf *out) {
    const gx_formula *f = c->f;
    const char *to = c_type(c->dtype[f->n_in]);
    const char *acc = f->reduce && *f->reduce ? f->reduce : to;
    return add_preamble(c, true, out) &&
           gx_buf_printf(out,
                         "template <class _T> static __device__ __forceinline__ _T "
                         "_gx_from(const _T& v, int lane) {\n"
                         "  unsigned w[(sizeof(_T) + 3) / 4] = {0}; memcpy(w, &v, sizeof(_T));\n"
                         "  for (unsigned k = 0; k < sizeof w / 4; k++) "
                         "w[k] = __shfl_down_sync(0xffffffffu, w[k], lane);\n"
                         "  _T r = v; memcpy(&r, w, sizeof(_T)); return r;\n}\n"
                         "extern \"C\" __global__ void %s(",
                         f->name) &&
           add_params(c, out) && gx_buf_puts(out, "long long _n, long long _each) {\n  ") &&
           gx_buf_printf(out,
                         "\n  __shared__ %s _s[%d];\n  int _t = threadIdx.x;\n"
                         "  for (long long _o = blockIdx.x; _o < _n; _o += gridDim.x) {\n"
                         "    %s _a = %s;\n    for (long long _j = _t; _j < _each; _j += %d) {\n"
                         "      long long i = _o * _each + _j; (void)i; ",
                         acc, c->threads, acc, f->identity, c->threads) &&
           add_inputs(c, out) &&
           gx_buf_printf(out,
                         "\n#line 1 \"%s\"\n      %s a = _a, b = (%s);\n      _a = (%s);\n    }\n"
                         "    _s[_t] = _a;\n    __syncthreads();\n    if (_t < 32) {\n"
                         "      %s _v[%d];\n#pragma unroll\n"
                         "      for (int _k = 0; _k < %d; _k++) _v[_k] = _s[_t + 32 * _k];\n",
                         f->name, acc, f->text, f->combine, acc, c->threads / 32,
                         c->threads / 32) &&
           gx_buf_printf(out,
                         "#pragma unroll\n      for (int _w = %d; _w > 0; _w /= 2)\n"
                         "#pragma unroll\n        for (int _k = 0; _k < _w; _k++) "
                         "{ %s a = _v[_k], b = _v[_k + _w]; _v[_k] = (%s); }\n"
                         "#pragma unroll\n      for (int _d = 16; _d > 0; _d /= 2) {\n"
                         "        %s b = _gx_from(_v[0], _d);\n"
                         "        if (_t < _d) { %s a = _v[0]; _v[0] = (%s); }\n      }\n"
                         "      if (_t == 0) { %s a = _v[0]; %s& %s = _%s[_o]; %s; }\n    }\n"
                         "    __syncthreads();\n  }\n}\n",
                         c->threads / 64, acc, f->combine, acc, acc, f->combine, acc, to,
                         f->out[0].name, f->out[0].name, f->finish);
}
