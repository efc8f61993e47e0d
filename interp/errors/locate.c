/* Placing blame: the span of a failure, what its operands were, and unknown names with their
   nearest neighbours. Nothing here can fail: without memory the message is just shorter. */
#include "interp/eval/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "stdlib/stdlib.h"

enum { MAX_NAMES = 4096 };

static inline void suggest_held(gx_frame *f) {
    gx_error_kind kind = f->rt->error.kind;
    if (GX_UNLIKELY(kind == GX_MemoryError || kind == GX_RuntimeError)) gx_suggest_held(f);
}

/* --- the library's text, which its users have not seen --- */

static bool in_library(const gx_rt *rt, gx_span at) {
    const gx_source *s = gx_source_of(rt, at);
    return s && s->library;
}

/* The statement of the script that runs, perhaps by calling the library. */
gx_span gx_script_at(const gx_rt *rt) {
    gx_span at = rt->here;
    for (const gx_frame *f = rt->interp->frame; f && in_library(rt, at); f = f->outer)
        at = f->caller;
    return at;
}

/* The place of the failure (0), and those of the calls that led to it. */
static gx_span place(const gx_error *e, int i) {
    return i ? e->trace[i - 1].at : e->at;
}

static void forget_place(gx_error *e) {
    memset(&e->at, 0, sizeof e->at);
    memset(e->operand, 0, sizeof e->operand);
    for (int i = 0; i < 2; i++) {
        free(e->operand_text[i]);
        e->operand_text[i] = NULL;
    }
    e->trace_count = 0;
}

/* Has the pending error a place that the script's reader can see? Where a failure reaches `at`, in
   a frame of the script, calls within the library's text leave its trace: a function of the
   script that the text has called was called at `at`, and one of the text itself is placed anew. */
static bool is_placed(const gx_rt *rt, gx_error *e, gx_span at) {
    if (!e->at.end) return false;
    int k = e->trace_count;
    if (k && !in_library(rt, place(e, k))) k--; /* a call in the frame that is reached */
    if (!in_library(rt, place(e, k)) || in_library(rt, at)) return true;
    while (k >= 0 && in_library(rt, place(e, k))) k--;
    if (k < 0) {
        forget_place(e);
        return false;
    }
    e->trace[k].at = at;
    e->trace_count = k + 1;
    return true;
}

bool gx_locate_at(gx_frame *f, gx_span at) {
    gx_error *e = &f->rt->error;
    if (GX_UNLIKELY(!gx_failed(e))) (void)gx_error_settle(f->rt, false, "an operation");
    if (is_placed(f->rt, e, at)) return false;
    e->at = at;
    if (in_library(f->rt, at)) return false;
    suggest_held(f);
    return false;
}

bool gx_locate(gx_frame *f, const gx_node *n) {
    gx_error *e = &f->rt->error;
    if (gx_failed(e) && n->kind == GX_NODE_CALL && !in_library(f->rt, n->at) &&
        !is_placed(f->rt, e, n->at)) {
        if (e->kind == GX_AxisError) gx_suggest_axes(f, n);
        if (e->kind == GX_TypeError) gx_suggest_call(f, n);
        if (e->kind == GX_ValueError) gx_suggest_arguments(f, n);
    }
    return gx_locate_at(f, n->at);
}

/* " of 3", a container's length. */
static bool describe_length(int64_t n, gx_buf *out) {
    char text[24], *p = text + sizeof text;
    do *--p = (char)('0' + n % 10);
    while (n /= 10);
    return gx_buf_add(out, " of ", 4) && gx_buf_add(out, p, (size_t)(text + sizeof text - p));
}

/* "3 x 4" is an array's shape, "of 3" a container's length. */
static bool describe(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value dtype, shape;
    if (v.tag != GX_ARRAY) {
        if (!gx_buf_puts(out, gx_type_name(v))) return false;
        if (v.tag == GX_LIST) return describe_length(gx_as_list(v)->count, out);
        return v.tag != GX_TUPLE || describe_length(gx_as_tuple(v)->count, out);
    }
    gx_sym names[2] = {gx_sym_c(rt, "dtype"), gx_sym_c(rt, "shape")};
    if (!names[0] || !names[1] || !gx_get_attr(rt, v, names[0], &dtype)) return false;
    bool ok = gx_str_into(rt, dtype, out) && gx_buf_char(out, ' ');
    gx_drop(dtype);
    if (!ok || !gx_get_attr(rt, v, names[1], &shape)) return false;
    ok = gx_repr(rt, shape, out);
    gx_drop(shape);
    return ok;
}

void gx_describe(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_error saved;
    gx_error_save(rt, &saved);
    if (!describe(rt, v, out)) gx_error_clear(rt);
    gx_error_restore(rt, &saved);
}

/* "a: int64 (3, 4)" for an operand that is a name, an attribute or a subscript. */
static void label(gx_frame *f, int i, const gx_node *n, gx_borrowed v) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error;
    if (e->operand_text[i] || e->kind == GX_MemoryError) return;
    if (n->eval == gx_eval_constant) return;
    const gx_source *s = gx_source_of(rt, n->at);
    gx_buf text = gx_buf_new(rt);
    gx_error saved;
    gx_error_save(rt, &saved);
    uint32_t length = n->at.end - n->at.start;
    bool ok = true;
    if (s && length <= 24 && !memchr(s->text + n->at.start, '\n', length))
        ok = gx_buf_add(&text, s->text + n->at.start, length) && gx_buf_puts(&text, ": ");
    ok = ok && describe(rt, v, &text);
    if (!ok) gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) e->operand_text[i] = strdup(gx_buf_text(&text));
    gx_buf_free(&text);
}

bool gx_locate_binary(gx_frame *f, const gx_node *n, const gx_node *a, const gx_node *b,
                     gx_borrowed x, gx_borrowed y) {
    gx_error *e = &f->rt->error;
    if (!gx_failed(e) || is_placed(f->rt, e, n->at)) return false;
    if (in_library(f->rt, n->at)) return gx_locate_at(f, n->at);
    bool whole = !n->op_at.end || n->kind == GX_NODE_CHAIN;
    e->at = whole ? n->at : n->op_at;
    e->operand[0] = a->at;
    e->operand[1] = b->at;
    label(f, 0, a, x);
    label(f, 1, b, y);
    gx_suggest_operands(f, n, a, b, x, y);
    suggest_held(f);
    return false;
}

bool gx_locate_part(gx_frame *f, const gx_node *n, const gx_node *a, gx_borrowed x) {
    gx_error *e = &f->rt->error;
    if (!gx_failed(e) || is_placed(f->rt, e, n->at)) return false;
    if (in_library(f->rt, n->at)) return gx_locate_at(f, n->at);
    e->at = n->at;
    e->operand[0] = a->at;
    label(f, 0, a, x);
    gx_suggest_last(f, n, x);
    gx_suggest_brackets(f, n, x);
    suggest_held(f);
    return false;
}

/* Names that other languages use, and gx's. */
static const struct alias {
    const char *theirs, *ours;
} aliases[] = {
    {"arrange", "arange"},   {"disp", "print"},         {"println", "print"},
    {"printf", "print"},     {"puts", "print"},         {"echo", "print"},
    {"length", "len"},       {"lenght", "len"},         {"numel", "len"},          {"null", "None"},
    {"nil", "None"},         {"NULL", "None"},          {"none", "None"},
    {"undefined", "None"},   {"true", "True"},          {"false", "False"},
    {"TRUE", "True"},        {"FALSE", "False"},        {"concat", "concatenate"},
    {"cat", "concatenate"},  {"rand", "random.rand"},   {"randn", "random.randn"},
    {"NaN", "nan"},          {"Inf", "inf"},            {"Infinity", "inf"},
    {"ceiling", "ceil"},     {"power", "power"},        {"sqr", "square"},
    {"string", "str"},       {"integer", "int"},        {"double", "float64"},
    {"boolean", "bool"},     {"array_like", "array"},   {"vector", "array"},
    {"matrix", "array"},     {"ndarray", "array"},      {"linpsace", "linspace"},
    {"repmat", "tile"},      {"unsigned", "uint32"},    {"size_t", "int64"},
    {"fabs", "abs"},         {"inv", "linalg.inv"},     {"det", "linalg.det"},
    {"svd", "linalg.svd"},   {"xrange", "range"},       {"raw_input", "input"},
    {"unicode", "str"},      {"long", "int"},           {"unichr", "chr"},
    {"elseif", "elif"},      {"nul", "None"},           {"eig", "linalg.eig"},
};

typedef struct names {
    const char *list[MAX_NAMES];
    size_t count;
} names;

static void add_name(const char *name, void *ctx) {
    names *all = ctx;
    if (all->count < MAX_NAMES) all->list[all->count++] = name;
}

/* Names that are bound where the failure happened. */
static void collect(gx_frame *f, names *all) {
    gx_rt *rt = f->rt;
    for (int32_t i = 0; i < f->code->slots; i++) {
        bool bound = f->slots[i].tag != GX_UNDEF;
        if (bound && f->slots[i].tag == GX_BOX)
            bound = ((gx_box *)f->slots[i].obj)->value.tag != GX_UNDEF;
        if (bound && f->code->slot_names && f->code->slot_names[i])
            add_name(gx_sym_text(rt, f->code->slot_names[i]), all);
    }
    for (int32_t i = 0; i < f->code->capture_count; i++)
        add_name(gx_sym_text(rt, f->code->captures[i].name), all);
    const gx_module *g = f->globals;
    for (int32_t i = 0; i < g->count; i++)
        if (g->values[i].tag != GX_UNDEF) add_name(gx_sym_text(rt, g->names[i]), all);
    gx_builtin_each(rt, add_name, all);
}

/* A fix that is known to exist, or NULL. */
static const char *find_near(gx_frame *f, const char *name) {
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(aliases[i].theirs, name) == 0 && strcmp(aliases[i].ours, name) != 0)
            return aliases[i].ours;
    names *all = malloc(sizeof *all);
    if (!all) return NULL;
    all->count = 0;
    collect(f, all);
    const char *near = gx_near_name(name, all->list, all->count);
    free(all);
    return near;
}

static bool is_module(gx_rt *rt, const char *name) {
    gx_value found;
    gx_try there = gx_module_import(rt, name, &found);
    if (there == GX_TRY_YES) gx_drop(found);
    gx_error_clear(rt);
    return there == GX_TRY_YES;
}

bool gx_locate_name(gx_frame *f, const gx_node *n) {
    gx_rt *rt = f->rt;
    const char *name = gx_sym_text(rt, n->name);
    if (n->scope == GX_SCOPE_LOCAL || n->scope == GX_SCOPE_BOXED) {
        gx_fail(rt, GX_UnboundLocalError, "name.unbound",
                "cannot access local variable '%s' where it is not associated with a value", name);
        return gx_locate(f, n);
    }
    if (n->scope == GX_SCOPE_FREE) {
        gx_fail(rt, GX_NameError, "name.unbound",
                "cannot access free variable '%s' where it is not associated with a value in "
                "enclosing scope", name);
        gx_exception_tell_text(rt, "name", name);
        return gx_locate(f, n);
    }
    gx_error saved;
    gx_error_save(rt, &saved);
    const char *near = find_near(f, name);
    gx_error_clear(rt);
    bool module = is_module(rt, name);
    if (near && strlen(name) < 3 && strlen(near) < strlen(name)) near = NULL; /* os is not s */
    gx_fail(rt, GX_NameError, "name.unknown", "name '%s' is not defined", name);
    if (strcmp(name, "np") == 0 || strcmp(name, "numpy") == 0)
        gx_help(rt, strcmp(name, "np") == 0 ? "import numpy as np" : "import numpy");
    else if (strcmp(name, "plt") == 0)
        gx_help(rt, "import matplotlib.pyplot as plt");
    else if (strcmp(name, "cp") == 0 || strcmp(name, "cupy") == 0)
        gx_help(rt, strcmp(name, "cp") == 0 ? "import cupy as cp" : "import cupy");
    else if (module)
        gx_help(rt, "import %s", name);
    else if (near && strcmp(near, name) != 0)
        gx_help(rt, "did you mean `%s`?", near);
    gx_exception_tell_text(rt, "name", name);
    return gx_locate(f, n);
}
