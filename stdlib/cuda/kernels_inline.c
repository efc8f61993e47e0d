/* Elementwise kernels that may become a part of other kernels. On a GPU such a kernel is no launch
   but one more operation of the lazy graph: its text becomes a function, which the fused kernel
   calls for each element. Here is what text may do so. What has effects, ends the element early,
   loops, indexes or asks which element it is stays a kernel of its own, and so does what could mean
   something else among other texts.

   Invariant: a text that may be inlined has the same bits apart, for the kernel of its own calls
   the same function. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "runtime/op/inline.h"
#include "stdlib/cuda/kernels_text_int.h"

/* Words that a text must not have. Loops: what they cost is more than a launch, and those without
   an end can be interrupted in a kernel of its own. */
static const char *const refused[] = {
    "asm",      "__asm",     "__asm__",  "static",      "volatile", "extern",   "new",
    "delete",   "malloc",    "free",     "printf",      "assert",   "trap",     "__trap",
    "clock",    "clock64",   "for",      "while",       "do",       "goto",     "_ind",
    "warpSize", "threadIdx", "blockIdx", "gridDim",     "memcpy",   "blockDim", "memset",
    "try",      "throw",     "__brkpt",  "globaltimer", "union",    "this",     "__restrict"};
static const char *const refused_starts[] = {
    "atomic",   "__shfl",   "__sync",      "__ballot", "__any",      "__all",     "__match",
    "__reduce", "__active", "__thread",    "__shared", "__constant", "__managed", "__nano",
    "__prof",   "__assert", "cooperative", "cuda",     "curand",     "gx_"};
/* In the text of the element itself. */
static const char *const refused_here[] = {"return", "continue", "break", "i", "n"};

static bool is_among(const char *const *list, size_t n, const char *at, size_t length, bool start) {
    for (size_t k = 0; k < n; k++) {
        size_t size = strlen(list[k]);
        if ((start ? length >= size : length == size) && memcmp(list[k], at, size) == 0)
            return true;
    }
    return false;
}

/* A function of the preamble, not a variable: its parameters come before anything else. */
static bool is_function(const char *after) {
    size_t n = strcspn(after, ";(={");
    return after[n] == '(';
}

static bool may_stand(const char *text, bool here) {
    if (strpbrk(text, "#[\"\\@`")) return false;
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
        if (n == 0) {
            at++;
            continue;
        }
        if (is_among(refused, sizeof refused / sizeof *refused, at, n, false) ||
            is_among(refused_starts, sizeof refused_starts / sizeof *refused_starts, at, n, true))
            return false;
        if (here &&
            is_among(refused_here, sizeof refused_here / sizeof *refused_here, at, n, false))
            return false;
        if (n == 10 && memcmp(at, "__device__", n) == 0 && !is_function(at + n)) return false;
        at += n;
    }
    return true;
}

int gx_formula_options(gx_rt *rt, const gx_formula *f, const char **out, int most) {
    const gx_value *items;
    int n = 0;
    /* An element's products are rounded before they are added, as those of arrays are: the same
       bits whether a call is a kernel of its own or a part of another. */
    if (!f->reduces) out[n++] = "-fmad=false";
    if (f->options.tag == GX_NONE) return n;
    int64_t count = gx_sequence_items(f->options, &items);
    for (int64_t k = 0; k < count; k++) {
        if (items[k].tag != GX_STR || n == most) count = -1;
        else out[n++] = gx_as_str(items[k])->text;
    }
    if (count >= 0) return n;
    (void)gx_fail(rt, GX_TypeError, "kernel.options", "%s: options is a tuple of strings, not %s",
                  f->name, gx_type_name(f->options));
    return -1;
}

static bool is_plain(const gx_formula *f) {
    const gx_value *items;
    if (f->options.tag != GX_NONE && gx_sequence_items(f->options, &items) != 0) return false;
    if (f->reduces || f->n_out != 1 || f->n_in < 1 || f->n_in > GX_INLINE_MOST || f->out[0].raw)
        return false;
    for (int k = 0; k < f->n_in; k++)
        if (f->in[k].raw) return false;
    return may_stand(f->text, true) && may_stand(f->preamble, false);
}

bool gx_formula_inlines(gx_formula_call *c) {
    gx_formula *f = c->f;
    if (!f->looked_at) f->inlines = is_plain(f);
    f->looked_at = true;
    if (!f->inlines) return false;
    for (int k = 0; k < f->n_in + f->n_out; k++) /* letters may stand for these */
        if (gx_is_half(c->dtype[k]) || gx_dtype_kind(c->dtype[k]) == GX_KIND_CPLX) return false;
    return true;
}

/* Is a number what the parameter takes as it is? Others are the launch's to convert or refuse. */
static bool takes_number(gx_borrowed v, gx_dtype d) {
    int kind = gx_dtype_kind(d);
    if (kind == GX_KIND_FLOAT) {
        double x = v.tag == GX_FLOAT ? v.f : v.tag == GX_INT ? (double)v.i : NAN;
        return v.tag == GX_FLOAT ? d != GX_f32 || !isfinite(x) || fabs(x) <= (double)FLT_MAX
                                 : fabs(x) <= 16777216;
    }
    return v.tag == GX_INT && kind != GX_KIND_BOOL && v.i >= 0 && v.i <= 127;
}

bool gx_formula_pend(gx_formula_call *c, const gx_borrowed *v, int ndim, const int64_t *shape,
                     gx_value *out, bool *done) {
    const gx_formula *f = c->f;
    const struct gx_inline *fn;
    gx_array *r;
    *done = false;
    for (int k = 0; k < f->n_in; k++)
        if (c->scalar[k] && !takes_number(v[k], c->dtype[k])) return true;
    gx_buf text = gx_buf_new(c->rt);
    bool ok = gx_formula_function(c, false, &text) &&
              gx_inline_get(c->rt, f->name, gx_buf_text(&text), f->n_in, c->dtype,
                            c->dtype[f->n_in], &fn) &&
              gx_inline_call(c->rt, fn, v, ndim, shape, c->s.ns, &r);
    gx_buf_free(&text);
    if (!ok || !r) return ok;
    *out = gx_array_value(r);
    *done = true;
    return true;
}
