/* Expressions: operations on what is known are done for real. */
#include <string.h>

#include "interp/check/guess_int.h"
#include "runtime/object/class/class.h"
#include "runtime/object/operators.h"
#include "stdlib/stdlib.h"

enum { MOST_ARGS = 16, MOST_DEPTH = 6 };

/* --- what is told -------------------------------------------------------------------------- */

/* Codes that depend on shapes, dtypes and numbers of arguments, not on elements. */
static bool is_certain(const char *code) {
    static const char *const begins[] = {"shape.", "axis.", "dtype.", "index.count", "index.mask",
                                         "index.type", "index.dims", "index.broadcast", "unpack.",
                                         "bool.array", "array.scalar", "operator.types", "call.",
                                         "einsum.", "stack.", "split.", "cross.", "transpose."};
    static const char *const ends[] = {".shape", ".size", ".square", ".dims", ".axes", ".axis",
                                       ".equal", ".ndim", ".dim"};
    size_t n = strlen(code);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(code, begins[i], strlen(begins[i])) == 0) return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n > strlen(ends[i]) && strcmp(code + n - strlen(ends[i]), ends[i]) == 0) return true;
    return false;
}

/* One operation, done in two worlds. */
typedef struct twice {
    const gx_node *n, *a, *b; /* where, and its operands */
    enum { BINARY, COMPARE, UNARY, ITEM, STORE, INPLACE, ATTRIBUTE, CALL } what;
    int op;
    gx_sym name;
    int argc, kwc;
    gx_sym kw[MOST_ARGS];
    gx_guess *on, *args[MOST_ARGS];
    bool keeps; /* index.range is certain too */
} twice;

static bool do_once(gx_guesses *r, const twice *t, gx_borrowed on, const gx_value *args,
                    gx_value *out) {
    gx_rt *rt = r->rt;
    switch (t->what) {
    case BINARY:
        return gx_binary(rt, (gx_binop)t->op, on, args[0], out);
    case INPLACE:
        return gx_inplace(rt, (gx_binop)t->op, on, args[0], out);
    case COMPARE:
        return gx_compare(rt, (gx_cmpop)t->op, on, args[0], out);
    case UNARY:
        return gx_unary(rt, (gx_unop)t->op, on, out);
    case ITEM:
        return gx_get_item(rt, on, args[0], out);
    case STORE:
        *out = gx_none();
        return gx_set_item(rt, on, args[0], args[1]);
    case ATTRIBUTE:
        return gx_get_attr(rt, on, t->name, out);
    case CALL:
        return gx_call_value(rt, on, t->argc, args, t->kwc, t->kw, out);
    }
    return false;
}

static void locate(gx_guesses *r, const twice *t, gx_borrowed on, const gx_value *args) {
    gx_frame f;
    gx_error e;
    gx_error_save(r->rt, &e);
    bool ok = gx_check_frame(r->c, r->code, &f);
    gx_error_clear(r->rt);
    gx_error_restore(r->rt, &e);
    if (!ok) return;
    if (t->what == BINARY || t->what == COMPARE || t->what == INPLACE)
        (void)gx_locate_binary(&f, t->n, t->a, t->b, on, args[0]);
    else if (t->what == ITEM || t->what == STORE || t->what == ATTRIBUTE)
        (void)gx_locate_part(&f, t->n, t->a, on);
    else
        (void)gx_locate_at(&f, t->n->at);
}

/* Does it in one world; code: of the failure. */
static bool in_world(gx_guesses *r, const twice *t, int world, gx_value *out, char *code,
                     bool tells) {
    gx_value args[MOST_ARGS], on;
    int made = 0, n = t->argc + t->kwc;
    bool ok = false;
    if (!gx_guess_make(r, t->on, world, &on)) return false;
    while (made < n && gx_guess_make(r, t->args[made], world, &args[made])) made++;
    if (made == n) {
        ok = do_once(r, t, on, args, out);
        if (!ok) {
            strcpy(code, r->rt->error.code);
            if (tells) {
                locate(r, t, on, args);
                if (r->rt->error.kind != GX_NO_ERROR && !gx_check_found(r->c)) r->failed = true;
            }
        }
    }
    while (made > 0) gx_drop(args[--made]);
    gx_drop(on);
    gx_error_clear(r->rt);
    return ok;
}

static gx_guess *do_twice(gx_guesses *r, const twice *t, bool exact) {
    gx_value a, b, none;
    char first[32] = "", second[32] = "";
    if (r->failed || t->argc + t->kwc > MOST_ARGS) return NULL;
    if (in_world(r, t, 0, &a, first, false)) {
        if (in_world(r, t, 1, &b, second, false)) return gx_guess_common_take(r, a, b, exact);
        gx_drop(a);
        return NULL;
    }
    if (!first[0] || r->muted) return NULL;
    if (!is_certain(first) && !(t->keeps && strcmp(first, "index.range") == 0)) return NULL;
    if (in_world(r, t, 1, &b, second, false)) {
        gx_drop(b);
        return NULL;
    }
    if (strcmp(first, second) == 0 && in_world(r, t, 0, &none, first, true)) gx_drop(none);
    return NULL;
}

/* --- operators ----------------------------------------------------------------------------- */

/* Could doing it take long? Powers, shifts and repeated texts of plain values. */
static bool is_costly(const gx_node *n, const gx_guess *a, const gx_guess *b) {
    bool plain = a->kind == GX_GUESS_VALUE || a->kind == GX_GUESS_ITEMS;
    if (n->op == GX_POW || n->op == GX_LSHIFT)
        return plain && !(b->kind == GX_GUESS_VALUE && b->value.tag == GX_INT && b->value.i < 64);
    if (n->op != GX_MUL) return false;
    bool number = a->kind == GX_GUESS_VALUE && a->value.tag != GX_STR &&
                  b->kind == GX_GUESS_VALUE && b->value.tag != GX_STR;
    return plain && !number && b->kind != GX_GUESS_ARRAY;
}

static gx_guess *eval_binary(gx_guesses *r, const gx_node *n) {
    gx_guess *a = gx_guess_eval(r, n->a), *b = gx_guess_eval(r, n->b);
    if (!a || !b) return NULL;
    bool compare = n->kind == GX_NODE_COMPARE;
    if (compare ? n->op > GX_GE : is_costly(n, a, b)) return NULL;
    twice t = {.n = n, .a = n->a, .b = n->b, .what = compare ? COMPARE : BINARY, .op = n->op,
               .argc = 1, .on = a, .args = {b}};
    return do_twice(r, &t, gx_guess_exact(a) && gx_guess_exact(b));
}

gx_guess *gx_guess_inplace(gx_guesses *r, const gx_node *n) {
    gx_guess *a = gx_guess_eval(r, n->a), *b = gx_guess_eval(r, n->b);
    if (!a || !b || a->kind == GX_GUESS_ITEMS || is_costly(n, a, b)) return NULL;
    twice t = {.n = n, .a = n->a, .b = n->b, .what = INPLACE, .op = n->op, .argc = 1, .on = a,
               .args = {b}};
    gx_guess *result = do_twice(r, &t, gx_guess_exact(a) && gx_guess_exact(b));
    return a->kind == GX_GUESS_ARRAY ? a : result;
}

static gx_guess *items_of(gx_guesses *r, uint8_t tag, int n) {
    gx_guess *g = gx_guess_new(r, GX_GUESS_ITEMS);
    if (g) g->items = gx_arena_alloc(&r->c->arena, ((size_t)n + 1) * sizeof *g->items);
    if (!g || !g->items) return NULL;
    g->tag = tag;
    g->n = n;
    return g;
}

static gx_guess *eval_display(gx_guesses *r, const gx_node *n) {
    gx_guess *g = items_of(r, n->kind == GX_NODE_LIST ? GX_LIST : GX_TUPLE, n->n);
    bool stars = false;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *part = n->list[i];
        bool star = part->kind == GX_NODE_STARRED;
        gx_guess *item = gx_guess_eval(r, star ? part->a : part);
        stars = stars || star;
        if (g) g->items[i] = item;
    }
    return stars ? NULL : g;
}

/* --- subscripts ---------------------------------------------------------------------------- */

/* A key: constants, and slices of them. An int that is not known is 0, which any axis has. */
static gx_guess *eval_key(gx_guesses *r, const gx_node *n) {
    gx_value v, parts[3];
    if (n->kind == GX_NODE_TUPLE) {
        gx_guess *g = items_of(r, GX_TUPLE, n->n);
        for (int32_t i = 0; i < n->n; i++) {
            gx_guess *item = n->list[i]->kind == GX_NODE_STARRED ? NULL : eval_key(r, n->list[i]);
            if (g) g->items[i] = item;
        }
        return g;
    }
    if (n->kind != GX_NODE_SLICE) {
        gx_guess *g = gx_guess_eval(r, n);
        if (g && g->kind == GX_GUESS_NUMBER && g->tag == GX_INT)
            return gx_guess_value(r, gx_int(0));
        return g;
    }
    const gx_node *const nodes[] = {n->a, n->b, n->c};
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        gx_guess *g = nodes[i] ? gx_guess_eval(r, nodes[i]) : NULL;
        ok = ok && (!nodes[i] || (g && g->kind == GX_GUESS_VALUE));
        parts[i] = g && g->kind == GX_GUESS_VALUE ? g->value : gx_none();
    }
    if (!ok) return NULL;
    bool made = gx_call_value(r->rt, gx_type_value(&gx_type_slice), 3, parts, 0, NULL, &v);
    gx_error_clear(r->rt);
    return made ? gx_guess_value(r, v) : NULL;
}

static gx_guess *eval_item(gx_guesses *r, const gx_node *n) {
    gx_guess *on = gx_guess_eval(r, n->a), *key = eval_key(r, n->b);
    if (!on || !key || on->lost) return NULL;
    if (on->kind == GX_GUESS_ITEMS && key->kind == GX_GUESS_VALUE && key->value.tag == GX_INT) {
        int64_t i = key->value.i < 0 ? key->value.i + on->n : key->value.i;
        return i >= 0 && i < on->n ? on->items[i] : NULL;
    }
    if (on->kind != GX_GUESS_ARRAY) return NULL;
    twice t = {.n = n, .a = n->a, .what = ITEM, .argc = 1, .on = on, .args = {key},
               .keeps = gx_guess_exact(key)};
    return do_twice(r, &t, false);
}

void gx_guess_store(gx_guesses *r, const gx_node *target, gx_guess *v) {
    gx_guess *on = gx_guess_eval(r, target->a), *key = eval_key(r, target->b);
    gx_guess_lose(v);
    if (on && on->kind == GX_GUESS_ITEMS) gx_guess_lose(on);
    if (!on || !key || !v || on->kind != GX_GUESS_ARRAY) return;
    twice t = {.n = target, .a = target->a, .what = STORE, .argc = 2, .on = on, .args = {key, v},
               .keeps = gx_guess_exact(key)};
    (void)do_twice(r, &t, false);
}

/* --- attributes and calls ------------------------------------------------------------------ */

static bool is_any(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}
#define IS_ANY(name, list) is_any(name, list, sizeof(list) / sizeof *(list))

static gx_guess *eval_attribute(gx_guesses *r, const gx_node *n) {
    static const char *const exact[] = {"shape", "ndim", "size", "dtype", "itemsize", "nbytes"};
    static const char *const fields[] = {"T", "real", "imag", "mT", "flat"};
    const char *name = gx_sym_text(r->rt, n->name);
    gx_guess *on = gx_guess_eval(r, n->a);
    bool module = on && on->kind == GX_GUESS_VALUE && on->value.tag == GX_MODULE;
    int32_t said;
    if (module && !gx_as_module(on->value)->builtin) return NULL;
    if (module && gx_map_get(&r->c->said, n->name, &said)) return NULL;
    if (!module && !(on && on->kind == GX_GUESS_ARRAY)) return NULL;
    if (!module && !IS_ANY(name, exact) && !IS_ANY(name, fields)) return NULL;
    twice t = {.n = n, .a = n->a, .what = ATTRIBUTE, .name = n->name, .on = on};
    return do_twice(r, &t, module || IS_ANY(name, exact));
}

/* Functions with an effect beside their result, and those whose result's shape depends on the
   elements. */
static bool is_left_out(const char *name) {
    static const char *const names[] = {
        "save", "savez", "savez_compressed", "savetxt", "load", "loadtxt", "genfromtxt", "fromfile",
        "fromstring", "frombuffer", "tofile", "tolist", "tobytes", "memmap", "seterr", "seterrcall",
        "set_printoptions", "seed", "set_state", "resize", "dump", "dumps", "setflags", "sort",
        "partition", "fill", "itemset", "shuffle", "unique", "nonzero", "argwhere", "flatnonzero",
        "extract", "compress", "intersect1d", "union1d", "setdiff1d", "setxor1d", "bincount",
        "trim_zeros", "repeat", "roots", "null_space", "orth", "fromiter", "from_dlpack", "open",
        "view", "item", "copyto", "put", "place", "putmask", "explain", "print", "input", "exit",
        "vectorize", "frompyfunc", "quit", "help", "show", "figure", "test", "ufunc",
        "busday_count",
        "unique_values", "unique_counts", "array_repr", "array_str", "array2string", "choose",
        "histogram_bin_edges", "histogram", "poly", "polyfit", "apply_along_axis", "ones_like"};
    return IS_ANY(name, names);
}

static bool is_builtin_allowed(const char *name) {
    static const char *const names[] = {"len", "range", "int", "float", "abs", "min", "max", "sum",
                                        "tuple", "list", "round", "bool", "slice", "complex"};
    return IS_ANY(name, names);
}

/* May the library's function be called: without effects, and not for long? */
static bool is_callable_now(gx_guesses *r, const gx_node *callee, const gx_guess *fn) {
    const char *name;
    if (fn->kind != GX_GUESS_VALUE) return false;
    if (fn->value.tag == GX_NATIVE) name = fn->value.native->name;
    else if (fn->value.tag == GX_TYPE) name = fn->value.type->name;
    else return false;
    if (is_left_out(name)) return false;
    if (gx_native_of_numpy(r->rt, name) && fn->value.tag == GX_NATIVE) return true;
    if (is_builtin_allowed(name)) return true;
    if (fn->value.tag == GX_TYPE && strncmp(name, "numpy.", 6) == 0 && strcmp(name, "numpy.memmap"))
        return true;
    /* linalg.f, fft.f, random.f: named with their module. */
    if (callee->kind != GX_NODE_ATTR) return false;
    gx_guess *base = gx_guess_eval(r, callee->a);
    if (!base || base->kind != GX_GUESS_VALUE || base->value.tag != GX_MODULE) return false;
    const char *module = gx_sym_text(r->rt, gx_as_module(base->value)->name);
    const char *last = strrchr(module, '.');
    static const char *const rooms[] = {"linalg", "fft", "random", "math"};
    return IS_ANY(last ? last + 1 : module, rooms);
}

/* Numbers that would make something large. */
static bool is_large(const gx_guess *g) {
    double all = 1;
    if (!g) return false;
    if (g->kind == GX_GUESS_VALUE)
        return g->value.tag == GX_INT && (g->value.i > 50000 || g->value.i < -50000);
    for (int i = 0; g->kind == GX_GUESS_ITEMS && i < g->n; i++) {
        if (is_large(g->items[i])) return true;
        if (g->items[i] && g->items[i]->kind == GX_GUESS_VALUE &&
            g->items[i]->value.tag == GX_INT && g->items[i]->value.i > 1)
            all *= (double)g->items[i]->value.i;
    }
    return g->kind == GX_GUESS_ITEMS && all > 50000;
}

/* Work that grows faster than the arrays does. */
static bool is_heavy(const twice *t) {
    int64_t all = 0;
    for (int i = 0; i < t->argc + t->kwc; i++) {
        int64_t count = 1;
        const gx_guess *g = t->args[i];
        for (int k = 0; g && g->kind == GX_GUESS_ARRAY && k < g->n; k++) count *= g->dims[k];
        if (g && g->kind == GX_GUESS_ARRAY) all += count;
        if (is_large(g)) return true;
    }
    return all > 20000;
}

static void lose_args(const twice *t) {
    for (int i = 0; i < t->argc + t->kwc; i++) gx_guess_lose(t->args[i]);
}

/* The arguments of a call; false: there are stars, or too many. */
static bool eval_args(gx_guesses *r, const gx_node *n, twice *t) {
    bool plain = true;
    gx_guess *named[MOST_ARGS];
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *a = n->list[i];
        bool star = a->kind == GX_NODE_STARRED || a->kind == GX_NODE_DOUBLESTAR;
        bool keyword = a->kind == GX_NODE_KEYWORD;
        gx_guess *g = gx_guess_eval(r, star || keyword ? a->a : a);
        plain = plain && !star && i < MOST_ARGS;
        if (!plain) {
            gx_guess_lose(g);
        } else if (keyword) {
            t->kw[t->kwc] = a->name;
            named[t->kwc++] = g;
        } else {
            t->args[t->argc++] = g;
        }
    }
    for (int i = 0; i < t->kwc; i++) t->args[t->argc + i] = named[i];
    return plain;
}

/* a.method(…) of an array. */
static gx_guess *call_method(gx_guesses *r, const gx_node *n, gx_guess *on, twice *t) {
    const char *name = gx_sym_text(r->rt, n->a->name);
    gx_value method[2], made;
    gx_guess *result = NULL;
    if (strcmp(name, "resize") == 0 || strcmp(name, "setflags") == 0) {
        on->lost = true;
        return NULL;
    }
    if (is_left_out(name) || is_heavy(t) || !gx_guess_make(r, on, 0, &made)) return NULL;
    bool ok = gx_get_attr(r->rt, made, n->a->name, &method[0]);
    gx_drop(made);
    gx_error_clear(r->rt);
    if (!ok) return NULL;
    gx_drop(method[0]);
    /* By way of the type's function: self is its first argument. */
    gx_value type = gx_type_value(&gx_type_array), fn;
    ok = gx_get_attr(r->rt, type, n->a->name, &fn);
    gx_error_clear(r->rt);
    if (!ok || t->argc + t->kwc >= MOST_ARGS) return NULL;
    t->on = gx_guess_value(r, fn);
    memmove(t->args + 1, t->args, (size_t)(t->argc + t->kwc) * sizeof *t->args);
    t->args[0] = on;
    t->argc++;
    if (t->on) result = do_twice(r, t, false);
    return result;
}

static gx_guess *eval_call(gx_guesses *r, const gx_node *n) {
    twice t = {.n = n, .what = CALL};
    gx_guess *on = NULL, *fn = NULL, *result = NULL;
    if (n->a->kind == GX_NODE_ATTR) {
        on = gx_guess_eval(r, n->a->a);
        if (on && on->kind == GX_GUESS_VALUE && on->value.tag == GX_MODULE)
            fn = eval_attribute(r, n->a);
        gx_guess_asked(r, n->a, fn, on);
    } else {
        fn = gx_guess_eval(r, n->a);
    }
    bool plain = eval_args(r, n, &t);
    if (on && on->kind == GX_GUESS_ITEMS) gx_guess_lose(on);
    if (plain && fn && fn->kind == GX_GUESS_CODE) {
        lose_args(&t);
        if (t.kwc || !gx_guess_call_code(r, fn->code, n, t.args, t.argc, &result)) return NULL;
        return result;
    }
    if (plain && on && on->kind == GX_GUESS_ARRAY) return call_method(r, n, on, &t);
    if (!plain || !fn || !is_callable_now(r, n->a, fn) || is_heavy(&t)) {
        lose_args(&t);
        return NULL;
    }
    bool exact = true;
    for (int i = 0; i < t.argc + t.kwc; i++) exact = exact && gx_guess_exact(t.args[i]);
    bool counts = fn->value.tag == GX_NATIVE && strcmp(fn->value.native->name, "len") == 0;
    t.on = fn;
    return do_twice(r, &t, exact || counts);
}

bool gx_guess_call_code(gx_guesses *r, const gx_function *code, const gx_node *call,
                        gx_guess **args, int argc, gx_guess **out) {
    int32_t suspect;
    (void)call;
    if (r->depth >= MOST_DEPTH || code->is_generator || argc > code->param_count) return false;
    for (int32_t i = 0; i < code->param_count; i++) {
        if (code->params[i].kind != GX_PARAM_PLAIN) return false;
        if (i >= argc && !code->params[i].fallback) return false;
    }
    gx_guesses saved = *r;
    r->slots = gx_arena_alloc(&r->c->arena, ((size_t)code->slots + 1) * sizeof *r->slots);
    if (!r->slots) {
        r->slots = saved.slots;
        r->failed = true;
        return false;
    }
    for (int32_t i = 0; i < code->param_count; i++) {
        const gx_node *fallback = code->params[i].fallback;
        bool plain = fallback && i >= argc && fallback->eval == gx_eval_constant;
        r->slots[i] = i < argc ? args[i]
                      : plain  ? gx_guess_value(r, gx_keep(fallback->constant))
                               : NULL;
    }
    r->code = code;
    r->result = NULL;
    r->returned = false;
    r->depth++;
    r->muted += gx_map_get(&r->c->suspects, code->name, &suspect);
    if (code->body->kind == GX_NODE_BLOCK) r->run_body(r, code->body);
    else r->result = gx_guess_eval(r, code->body);
    *out = r->result;
    r->slots = saved.slots;
    r->code = saved.code;
    r->result = saved.result;
    r->returned = saved.returned;
    r->depth = saved.depth;
    r->muted = saved.muted;
    return true;
}

/* --- the rest ------------------------------------------------------------------------------ */

static gx_guess **place_of(gx_guesses *r, const gx_node *n) {
    if (n->scope == GX_SCOPE_GLOBAL && n->slot < r->c->slots && !r->c->globals[n->slot].shared)
        return &r->globals[n->slot];
    if (n->scope == GX_SCOPE_LOCAL) return &r->slots[n->slot];
    return NULL;
}

static gx_guess *eval_name(gx_guesses *r, const gx_node *n) {
    gx_value v;
    gx_guess **place = place_of(r, n);
    if (place && *place) return (*place)->lost ? NULL : *place;
    if (n->scope != GX_SCOPE_GLOBAL || r->c->open_names) return NULL;
    if (n->slot < r->c->slots && r->c->globals[n->slot].count) return NULL;
    v = gx_check_resolve(r->c, n);
    return v.tag == GX_UNDEF ? NULL : gx_guess_value(r, v);
}

void gx_guess_bind(gx_guesses *r, const gx_node *target, gx_guess *v) {
    bool parts = target->kind == GX_NODE_TUPLE || target->kind == GX_NODE_LIST;
    if (target->kind == GX_NODE_NAME) {
        gx_guess **place = place_of(r, target);
        if (place) *place = v;
        gx_guess_note(r, target->at, v);
    } else if (parts) {
        bool fits = v && v->kind == GX_GUESS_ITEMS && !v->lost && v->n == target->n;
        for (int32_t i = 0; i < target->n; i++)
            fits = fits && target->list[i]->kind != GX_NODE_STARRED;
        for (int32_t i = 0; i < target->n; i++)
            gx_guess_bind(r, target->list[i], fits ? v->items[i] : NULL);
    } else if (target->kind == GX_NODE_STARRED) {
        gx_guess_bind(r, target->a, NULL);
    } else if (target->kind == GX_NODE_INDEX) {
        gx_guess_store(r, target, v);
    } else if (target->kind == GX_NODE_ATTR) {
        gx_guess *on = gx_guess_eval(r, target->a);
        gx_guess_lose(v);
        if (on) on->lost = true; /* x.shape = … */
    }
}

int gx_guess_truth(gx_guesses *r, const gx_guess *g) {
    bool yes;
    if (!g || g->kind != GX_GUESS_VALUE) return -1;
    bool ok = gx_truth(r->rt, g->value, &yes);
    gx_error_clear(r->rt);
    return ok ? yes : -1;
}

static gx_guess *eval(gx_guesses *r, const gx_node *n) {
    if (!gx_stack_check(r->rt)) {
        gx_error_clear(r->rt);
        r->failed = true;
        return NULL;
    }
    if (n->eval == gx_eval_constant) return gx_guess_value(r, gx_keep(n->constant));
    switch ((int)n->kind) {
    case GX_NODE_NAME:
        return eval_name(r, n);
    case GX_NODE_TUPLE:
    case GX_NODE_LIST:
        return eval_display(r, n);
    case GX_NODE_BINARY:
    case GX_NODE_COMPARE:
        return eval_binary(r, n);
    case GX_NODE_UNARY: {
        gx_guess *a = gx_guess_eval(r, n->a);
        twice t = {.n = n, .a = n->a, .what = UNARY, .op = n->op, .on = a};
        return a ? do_twice(r, &t, gx_guess_exact(a)) : NULL;
    }
    case GX_NODE_INDEX:
        return eval_item(r, n);
    case GX_NODE_ATTR:
        return eval_attribute(r, n);
    case GX_NODE_CALL:
        return eval_call(r, n);
    case GX_NODE_WALRUS: {
        gx_guess *v = gx_guess_eval(r, n->b);
        gx_guess_bind(r, n->a, v);
        return v;
    }
    case GX_NODE_LAMBDA:
    case GX_NODE_LISTCOMP:
    case GX_NODE_SETCOMP:
    case GX_NODE_DICTCOMP:
    case GX_NODE_GENEXP:
    case GX_NODE_YIELD:
    case GX_NODE_KERNEL:
        return NULL;
    default:
        break;
    }
    /* Parts that may not be evaluated (and, or, if): nothing there is told. */
    bool sure = n->kind == GX_NODE_FSTRING || n->kind == GX_NODE_FIELD || n->kind == GX_NODE_DICT ||
                n->kind == GX_NODE_NOT;
    r->muted += !sure;
    gx_guess_lose(gx_guess_eval(r, n->a));
    gx_guess_lose(gx_guess_eval(r, n->b));
    for (int32_t i = 0; i < n->n; i++) gx_guess_lose(gx_guess_eval(r, n->list[i]));
    r->muted -= !sure;
    return NULL;
}

gx_guess *gx_guess_eval(gx_guesses *r, const gx_node *n) {
    if (!n || r->failed || --r->steps < 0) return NULL;
    gx_guess *g = eval(r, n);
    if (r->c->more) {
        bool asked = r->c->more->end == n->at.end && n->kind == GX_NODE_ATTR;
        gx_guess_asked(r, n, g, asked ? gx_guess_eval(r, n->a) : NULL);
        if (n->kind == GX_NODE_NAME) gx_guess_note(r, n->at, g);
        if (n->kind == GX_NODE_ATTR) gx_guess_note(r, n->op_at, g);
    }
    return g;
}
