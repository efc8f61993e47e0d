/* Calls of builtin functions: signatures are parsed once a row and cached by its address; arguments
   are bound on the C stack. The usual call (positional arguments only) is a hash probe, a copy and
   the call. Does not know any function: rows come from stdlib and from the types. */
#include "runtime/object/class/parameters.h"
#include "runtime/object/native.h"

#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/native_body.h"
#include "runtime/object/call/native_int.h"
#include "runtime/object/text/str.h"

void gx_natives_set_numpy(gx_rt *rt, const gx_native *(*numpy)(gx_rt *, const char *name),
                          bool (*is_vector)(gx_borrowed array)) {
    rt->natives->numpy = numpy;
    rt->natives->is_vector = is_vector;
}

void gx_natives_set_builtin(gx_rt *rt, gx_find_builtin find) {
    rt->natives->builtin = find;
}

bool gx_native_builtin(gx_rt *rt, gx_sym name, gx_value *out) {
    gx_find_builtin find = rt->natives->builtin;
    gx_try found = find ? find(rt, name, out) : GX_TRY_NO;
    return found == GX_TRY_YES ||
           (found == GX_TRY_NO && gx_fail(rt, GX_RuntimeError, "internal.builtin",
                                          "there is no builtin %s", gx_sym_text(rt, name)));
}

const gx_native *gx_native_of_numpy(gx_rt *rt, const char *name) {
    return rt->natives->numpy ? rt->natives->numpy(rt, name) : NULL;
}

void gx_natives_set_override(gx_rt *rt, gx_ask_override ask) {
    rt->natives->override = ask;
}

void gx_parameters_set(gx_rt *rt, const gx_parameters *p) {
    rt->natives->parameters = p;
}

const gx_parameters *gx_parameters_of(const gx_rt *rt) {
    return rt->natives ? rt->natives->parameters : NULL;
}

gx_value *gx_native_body(gx_rt *rt, const gx_native *fn, int which) {
    gx_signature *s = gx_signature_of(rt, fn);
    return s ? &s->body[which] : NULL;
}

void gx_native_bodies_drop(gx_rt *rt) {
    const struct gx_natives *n = rt->natives;
    for (uint32_t i = 0; n && i < n->size; i++)
        for (int k = 0; n->slots[i] && k < 2; k++) gx_drop(gx_steal(&n->slots[i]->body[k]));
}

/* --- messages --- */

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

/* `skip`: 1 when the first argument is the self of a method, which nobody wrote. */
static bool too_many(gx_rt *rt, const gx_signature *s, int argc, int skip) {
    int most = s->positional - skip, least = s->required - skip, given = argc - skip;
    if (least < 0) least = 0;
    if (most == 0)
        return gx_fail(rt, GX_TypeError, "call.arguments",
                       "%s() takes no positional arguments but %d %s given", s->fn->name, given,
                       given == 1 ? "was" : "were");
    if (most == least)
        return gx_fail(rt, GX_TypeError, "call.arguments",
                       "%s() takes %d positional argument%s but %d %s given", s->fn->name, most,
                       plural(most), given, given == 1 ? "was" : "were");
    gx_fail(rt, GX_TypeError, "call.arguments",
            "%s() takes from %d to %d positional arguments but %d %s given", s->fn->name, least,
            most, given, given == 1 ? "was" : "were");
    return gx_about(rt, 3, (int64_t[]){given, least, most});
}

static bool missing(gx_rt *rt, const gx_signature *s, int i, int skip) {
    const char *name = gx_sym_text(rt, s->param[i].name);
    if (i < s->positional)
        gx_fail(rt, GX_TypeError, "call.arguments", "%s() missing required argument '%s' (pos %d)",
                s->fn->name, name, i + 1 - skip);
    else
        gx_fail(rt, GX_TypeError, "call.arguments", "%s() missing required keyword argument '%s'",
                s->fn->name, name);
    return gx_help(rt, "%s", s->fn->sig);
}

static bool unexpected(gx_rt *rt, const gx_signature *s, gx_sym kw, int skip) {
    const char *names[GX_MAX_PARAMS], *name = gx_sym_text(rt, kw);
    size_t n = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->param[i].name == kw && i >= skip && i < s->positional_only)
            return gx_fail(rt, GX_TypeError, "call.keyword",
                           "%s: argument '%s' is given by position only", s->fn->name, name);
        if (i >= s->positional_only && i != s->star && i != s->kwstar && i >= skip)
            names[n++] = gx_sym_text(rt, s->param[i].name);
    }
    gx_fail(rt, GX_TypeError, "call.keyword", "%s: unexpected argument '%s'", s->fn->name, name);
    const char *near = gx_near_name(name, names, n);
    if (near) return gx_help(rt, "did you mean '%s'?", near);
    if (n == 0) return gx_note(rt, "%s() takes no keyword arguments", s->fn->name);
    return gx_note(rt, "%s", s->fn->sig);
}

/* --- binding --- */

static int find_param(const gx_signature *s, gx_sym name) {
    for (int i = s->positional_only; i < s->count; i++)
        if (s->param[i].name == name && i != s->star && i != s->kwstar) return i;
    return -1;
}

static bool bind_keywords(gx_rt *rt, const gx_signature *s, const gx_borrowed *values, int kwc,
                          const gx_sym *kw, int skip, gx_value *args) {
    for (int k = 0; k < kwc; k++) {
        int i = find_param(s, kw[k]);
        if (i < skip && i >= 0) i = -1;
        if (i >= 0) {
            if (args[i].tag != GX_UNDEF)
                return gx_fail(rt, GX_TypeError, "call.keyword",
                               "%s() got multiple values for argument '%s'", s->fn->name,
                               gx_sym_text(rt, kw[k]));
            args[i] = values[k];
        } else if (s->kwstar < 0) {
            return unexpected(rt, s, kw[k], skip);
        } else {
            gx_value key;
            if (!gx_str_of_sym(rt, kw[k], &key)) return false;
            bool ok = gx_dict_set(rt, args[s->kwstar], key, values[k]);
            gx_drop(key);
            if (!ok) return false;
        }
    }
    return true;
}

/* Fills args (s->count of them); *extra and *named own what was made for *args and **kwargs. */
static bool bind(gx_rt *rt, const gx_signature *s, int argc, const gx_borrowed *argv, int kwc,
                 const gx_sym *kw, int skip, gx_value *args, gx_value *extra, gx_value *named) {
    int fixed = argc < s->positional ? argc : s->positional;
    if (argc > s->positional && s->star < 0) return too_many(rt, s, argc, skip);
    for (int i = 0; i < fixed; i++) args[i] = argv[i];
    for (int i = fixed; i < s->count; i++) args[i] = gx_undef();
    if (s->star >= 0 && !(s->fn->flags & GX_NATIVE_REST)) {
        if (!gx_tuple_new(rt, argc - fixed, argv + fixed, extra)) return false;
        args[s->star] = *extra;
    }
    if (s->kwstar >= 0) {
        if (!gx_dict_new(rt, named)) return false;
        args[s->kwstar] = *named;
    }
    if (kwc && !bind_keywords(rt, s, argv + argc, kwc, kw, skip, args)) return false;
    for (int i = fixed; i < s->count; i++) {
        if (args[i].tag != GX_UNDEF || i == s->star) continue;
        if (s->param[i].required) return missing(rt, s, i, skip);
        args[i] = s->param[i].fallback;
    }
    return true;
}

bool gx_native_accepts(gx_rt *rt, const gx_native *fn, int argc, int kwc, const gx_sym *kw,
                       int selves) {
    gx_signature *s = gx_signature_of(rt, fn);
    gx_value args[GX_MAX_PARAMS], given[2 * GX_MAX_PARAMS], extra = gx_undef(), named = gx_undef();
    if (!s) return false;
    if (argc + kwc > 2 * GX_MAX_PARAMS) return true;
    for (int i = 0; i < argc + kwc; i++) given[i] = gx_none();
    bool ok = bind(rt, s, argc, given, kwc, kw, selves, args, &extra, &named);
    gx_drop(extra);
    gx_drop(named);
    if (ok || !(fn->flags & GX_NATIVE_DUAL) || !rt->natives->numpy) return ok;
    const gx_native *numpy = rt->natives->numpy(rt, fn->name);
    gx_error mine;
    gx_error_save(rt, &mine);
    ok = numpy && gx_native_accepts(rt, numpy, argc, kwc, kw, selves);
    gx_error_clear(rt);
    if (ok) gx_error_free(&mine);
    else gx_error_restore(rt, &mine);
    return ok;
}

static bool goes_over_items(const gx_native *fn) {
    return strstr(fn->sig, "(iterable") || strstr(fn->sig, "(*args");
}

/* An array where Python's builtin was meant, or a keyword that only NumPy's function has. */
static const gx_native *numpy_of(gx_rt *rt, gx_signature *s, int argc, const gx_borrowed *argv,
                                int kwc, const gx_sym *kw) {
    bool wanted = argc > 0 && argv[0].tag == GX_ARRAY;
    if (!wanted && !kwc) return NULL;
    /* Of rows, and beside other arguments, Python's sum, min, max, any and all go over the items.
     */
    if (wanted && (argc > 1 || !rt->natives->is_vector(argv[0]))) wanted = !goes_over_items(s->fn);
    if (argc > 0)
        for (int k = 0; k < kwc && !wanted; k++) wanted = find_param(s, kw[k]) < 0;
    if (!wanted) return NULL;
    if (!s->numpy && rt->natives->numpy) s->numpy = rt->natives->numpy(rt, s->fn->name);
    return s->numpy;
}

/* str.upper(x) as a function: x must have that very method, whose code trusts its self. */
static bool check_self(gx_rt *rt, const gx_native *fn, gx_borrowed self) {
    gx_sym name = gx_sym_c(rt, fn->name);
    if (!name) return false;
    if (gx_type_method(rt, gx_type_of(self), name) == fn) return true;
    return gx_fail(rt, GX_TypeError, "call.self", "descriptor '%s' doesn't apply to a '%s' object",
                   fn->name, gx_type_name(self));
}

/* The one place to a builtin: its answer agrees with the pending error.
   What it made while Ctrl-C came may be garbage (runtime/device/work.h): it is not given out. */
static inline bool call_fn(gx_call *c, gx_value *out) {
    if (GX_UNLIKELY(c->rt->dying)) gx_last_words(c->rt);
    c->up = c->rt->calls;
    c->rt->calls = c;
    bool ok = c->fn->fn(c, out);
    c->rt->calls = c->up;
    if (GX_UNLIKELY(ok == gx_failed(&c->rt->error))) {
        if (ok) gx_drop(*out);
        *out = gx_undef();
        return gx_error_settle(c->rt, ok, c->fn->name);
    }
    if (!ok) return false;
    if (!gx_work_stops(c->rt)) return true;
    gx_drop(*out);
    *out = gx_undef();
    return gx_stop(c->rt);
}

static __attribute__((noinline)) gx_try ask_override(gx_rt *rt, const gx_native *fn,
                                                     gx_namespace ns, int argc,
                                                     const gx_borrowed *argv, int kwc,
                                                     const gx_sym *kw, int skip, gx_value *out) {
    const gx_override o = {fn, ns, argc, kwc, skip, argv, kw};
    return rt->natives->override ? rt->natives->override(rt, &o, out) : GX_TRY_NO;
}

static bool call_bound(gx_rt *rt, const gx_native *fn, gx_namespace ns, const gx_type *type,
                       int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw, int skip,
                       bool asks, gx_value *out);

/* As call_bound; s is fn's signature. */
static bool call_known(gx_rt *rt, gx_signature *s, const gx_native *fn, gx_namespace ns,
                       const gx_type *type, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, int skip, bool asks, gx_value *out) {
    if (GX_UNLIKELY(s->method > skip) && argc > 0 && !check_self(rt, fn, argv[0])) return false;
    if (GX_UNLIKELY(fn->flags & GX_NATIVE_DUAL)) {
        const gx_native *numpy = numpy_of(rt, s, argc, argv, kwc, kw);
        if (numpy) return call_bound(rt, numpy, ns, type, argc, argv, kwc, kw, skip, asks, out);
    }
    if (GX_UNLIKELY(rt->heap->overrides) && asks && !type && !(fn->flags & GX_NATIVE_CLASSES)) {
        gx_try done = ask_override(rt, fn, ns, argc, argv, kwc, kw, skip, out);
        if (done != GX_TRY_NO) return done == GX_TRY_YES;
    }
    gx_call c = {.rt = rt, .fn = fn, .ns = ns, .type = type, .argc = s->count, .by_position = argc};
    if (kwc == 0 && argc == s->count && argc == s->positional) {
        c.argv = argv;
        return call_fn(&c, out);
    }
    gx_value args[GX_MAX_PARAMS];
    c.argv = args;
    int fixed = argc < s->positional ? argc : s->positional;
    if (argc > fixed && (fn->flags & GX_NATIVE_REST)) {
        c.rest = argv + fixed;
        c.rest_count = argc - fixed;
    }
    if (kwc == 0 && s->plain && fixed >= s->required && (argc == fixed || s->star >= 0)) {
        for (int i = 0; i < fixed; i++) args[i] = argv[i];
        for (int i = fixed; i < s->count; i++) args[i] = s->param[i].fallback;
        return call_fn(&c, out);
    }
    gx_value extra = gx_undef(), named = gx_undef();
    bool ok = bind(rt, s, argc, argv, kwc, kw, skip, args, &extra, &named) && call_fn(&c, out);
    gx_drop(extra);
    gx_drop(named);
    return ok;
}

static bool call_bound(gx_rt *rt, const gx_native *fn, gx_namespace ns, const gx_type *type,
                       int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw, int skip,
                       bool asks, gx_value *out) {
    gx_signature *s = gx_signature_of(rt, fn);
    return s && call_known(rt, s, fn, ns, type, argc, argv, kwc, kw, skip, asks, out);
}

bool gx_native_call(gx_rt *rt, const gx_native *fn, gx_namespace ns, const gx_type *type, int argc,
                    const gx_borrowed *argv, int kwc, const gx_sym *kw, gx_value *out) {
    if (GX_UNLIKELY(!gx_stack_ok(rt)) && !gx_stack_check(rt)) return false;
    return call_bound(rt, fn, ns, type, argc, argv, kwc, kw, 0, true, out);
}

bool gx_native_call_plain(gx_rt *rt, const gx_override *o, gx_value *out) {
    return call_bound(rt, o->fn, o->ns, NULL, o->argc, o->argv, o->kwc, o->kw, o->skip, false,
                      out);
}

/* np.add.reduce is numpy's, as np.add is. */
static gx_namespace namespace_of(gx_borrowed self) {
    return self.tag == GX_NATIVE ? (gx_namespace)self.ns : GX_NS_GX;
}

/* fn's signature by way of a memo. */
static inline gx_signature *remembered(gx_rt *rt, const gx_native *fn, void **memo) {
    gx_signature *s = *memo;
    if (GX_LIKELY(s && s->fn == fn)) return s;
    return *memo = gx_signature_of(rt, fn);
}

bool gx_native_construct_here(gx_rt *rt, gx_borrowed type, void **memo, int argc,
                              const gx_borrowed *argv, gx_value *out) {
    const gx_native *fn = type.type->construct;
    if (GX_UNLIKELY(!gx_stack_ok(rt)) && !gx_stack_check(rt)) return false;
    gx_signature *s = remembered(rt, fn, memo);
    return s && call_known(rt, s, fn, (gx_namespace)type.ns, type.type, argc, argv, 0, NULL, 0,
                           true, out);
}

bool gx_native_call_here(gx_rt *rt, const gx_native *fn, gx_namespace ns, void **memo, int selves,
                         int argc, const gx_borrowed *argv, gx_value *out) {
    if (GX_UNLIKELY(!gx_stack_ok(rt)) && !gx_stack_check(rt)) return false;
    gx_signature *s = remembered(rt, fn, memo);
    if (GX_UNLIKELY(!s)) return false;
    bool other = (fn->flags & GX_NATIVE_DUAL) && argc > 0 && argv[0].tag == GX_ARRAY;
    if (GX_UNLIKELY(other || rt->heap->overrides || argc > s->positional ||
                    argc < s->fewest || s->method > selves))
        return call_known(rt, s, fn, ns, NULL, argc, argv, 0, NULL, selves, true, out);
    gx_call c = {.rt = rt, .fn = fn, .ns = ns, .argc = s->count, .by_position = argc, .argv = argv};
    gx_value args[GX_FEW_PARAMS];
    if (argc < s->count) {
        /* One loop of few rounds, which no call of memcpy replaces. */
        for (int i = 0; i < s->count; i++) args[i] = i < argc ? argv[i] : s->param[i].fallback;
        c.argv = args;
    }
    return call_fn(&c, out);
}

bool gx_native_call_method(gx_rt *rt, const gx_native *fn, gx_borrowed self, int argc,
                           const gx_borrowed *argv, int kwc, const gx_sym *kw, gx_value *out) {
    enum { FEW = 12 };
    gx_value few[FEW], *args = few;
    int n = argc + kwc;
    if (GX_UNLIKELY(!gx_stack_ok(rt)) && !gx_stack_check(rt)) return false;
    if (n + 1 > FEW) {
        args = gx_alloc(rt, (size_t)(n + 1) * sizeof *args);
        if (!args) return false;
    }
    args[0] = self;
    for (int i = 0; i < n; i++) args[i + 1] = argv[i];
    bool ok = call_bound(rt, fn, namespace_of(self), NULL, argc + 1, args, kwc, kw, 1, true, out);
    if (args != few) gx_free(rt, args);
    return ok;
}

/* --- passing a call on ------------------------------------------------------------------------ */

/* As gx_native_forward, where not all arguments go by position: `args` has room for all. */
static bool forward_parts(gx_call *c, const gx_signature *s, gx_borrowed to, gx_value *args,
                          gx_sym *names, gx_value *out) {
    const gx_tuple *rest = s->star < 0 ? NULL : gx_as_tuple(c->argv[s->star]);
    int n = 0, named = 0, i = 0;
    while (i < s->positional && c->argv[i].tag != GX_UNDEF) args[n++] = c->argv[i++];
    for (; rest && n - i < rest->count; n++) args[n] = rest->items[n - i];
    for (; i < s->count; i++) {
        if (i == s->star || i == s->kwstar || c->argv[i].tag == GX_UNDEF) continue;
        names[named] = s->param[i].name;
        args[n + named++] = c->argv[i];
    }
    int64_t at = 0;
    const gx_entry *e;
    while (s->kwstar >= 0 && (e = gx_dict_next(gx_as_dict(c->argv[s->kwstar]), &at))) {
        const gx_str *name = gx_as_str(e->key);
        if (!(names[named] = gx_sym_of(c->rt, name->text, name->length))) return false;
        args[n + named++] = e->value;
    }
    return gx_call_value(c->rt, to, n, args, named, names, out);
}

bool gx_native_forward(gx_call *c, gx_borrowed to, gx_value *out) {
    const gx_signature *s = gx_signature_of(c->rt, c->fn);
    if (!s) return false;
    bool plain = s->positional == s->count;
    for (int i = 0; i < s->count && plain; i++) plain = c->argv[i].tag != GX_UNDEF;
    if (plain) return gx_call_value(c->rt, to, s->count, c->argv, 0, NULL, out);
    size_t n = (size_t)s->count;
    if (s->star >= 0) n += (size_t)gx_as_tuple(c->argv[s->star])->count;
    if (s->kwstar >= 0) n += (size_t)gx_as_dict(c->argv[s->kwstar])->count;
    gx_value *args = gx_alloc(c->rt, n * (sizeof *args + sizeof(gx_sym)));
    if (!args) return false;
    bool ok = forward_parts(c, s, to, args, (gx_sym *)(void *)(args + n), out);
    gx_free(c->rt, args);
    return ok;
}
