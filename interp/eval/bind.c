/* Binding arguments to the parameters of a script's function, with Python's rules and texts.
   Invariant: slots hold only complete values or UNDEF, so the caller can drop all of them. */
#include "interp/eval/evaluator.h"

#include <stdio.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

/* "Point.norm" */
static const char *name_of(gx_rt *rt, const gx_func *fn) {
    (void)rt;
    const gx_value own = fn->own ? fn->own[GX_OWN_QUALNAME] : gx_undef();
    return own.tag == GX_STR ? gx_as_str(own)->text : fn->code->qualname;
}

/* Parameters that take positional arguments. */
static int positional_count(const gx_function *code) {
    int n = 0;
    for (int32_t i = 0; i < code->param_count; i++)
        n += code->params[i].kind == GX_PARAM_PLAIN || code->params[i].kind == GX_PARAM_POSONLY;
    return n;
}

static const gx_param *find_kind(const gx_function *code, gx_param_kind kind) {
    for (int32_t i = 0; i < code->param_count; i++)
        if (code->params[i].kind == kind) return &code->params[i];
    return NULL;
}

static bool too_many(gx_rt *rt, const gx_func *fn, int limit, int argc, const gx_value *slots) {
    const gx_function *code = fn->code;
    int required = 0, keyword_only = 0;
    for (int32_t i = 0; i < code->param_count; i++) {
        const gx_param *p = &code->params[i];
        if (p->kind == GX_PARAM_KWONLY) keyword_only += slots[p->slot].tag != GX_UNDEF;
        if (p->kind != GX_PARAM_PLAIN && p->kind != GX_PARAM_POSONLY) continue;
        required += !(fn->fallbacks && fn->fallbacks[i].tag != GX_UNDEF);
    }
    char takes[64], given[96];
    if (required < limit)
        snprintf(takes, sizeof takes, "from %d to %d positional arguments", required, limit);
    else
        snprintf(takes, sizeof takes, "%d positional argument%s", limit, limit == 1 ? "" : "s");
    if (keyword_only)
        snprintf(given, sizeof given,
                 "%d positional argument%s (and %d keyword-only argument%s) were", argc,
                 argc == 1 ? "" : "s", keyword_only, keyword_only == 1 ? "" : "s");
    else
        snprintf(given, sizeof given, "%d %s", argc, argc == 1 ? "was" : "were");
    return gx_fail(rt, GX_TypeError, "call.arguments", "%s() takes %s but %s given",
                   name_of(rt, fn), takes, given);
}

/* "f() missing 2 required positional arguments: 'x' and 'y'". */
static bool missing(gx_rt *rt, const gx_func *fn, const gx_value *slots, bool keyword_only) {
    const gx_function *code = fn->code;
    const char *names[64];
    int n = 0, total = 0;
    for (int32_t i = 0; i < code->param_count; i++) {
        const gx_param *p = &code->params[i];
        if (p->kind == GX_PARAM_STAR || p->kind == GX_PARAM_STARSTAR) continue;
        if ((p->kind == GX_PARAM_KWONLY) != keyword_only) continue;
        if (slots[p->slot].tag != GX_UNDEF) continue;
        total++;
        if (n < 64) names[n++] = gx_sym_text(rt, p->name);
    }
    if (!total) return true;
    gx_buf list = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        const char *before = i == 0 ? "" : i < n - 1 ? ", " : n == 2 ? " and " : ", and ";
        ok = gx_buf_printf(&list, "%s'%s'", before, names[i]);
    }
    if (ok)
        gx_fail(rt, GX_TypeError, "call.arguments", "%s() missing %d required %s argument%s: %s",
                name_of(rt, fn), total, keyword_only ? "keyword-only" : "positional",
                total == 1 ? "" : "s", gx_buf_text(&list));
    gx_buf_free(&list);
    return false;
}

/* Has each parameter a value? */
static bool complete(const gx_function *code, const gx_value *slots) {
    for (int32_t i = 0; i < code->param_count; i++)
        if (slots[code->params[i].slot].tag == GX_UNDEF) return false;
    return true;
}

static bool unknown_keyword(gx_rt *rt, const gx_func *fn, gx_sym kw) {
    const gx_function *code = fn->code;
    const char *names[64];
    size_t n = 0;
    const char *text = gx_sym_text(rt, kw);
    for (int32_t i = 0; i < code->param_count; i++) {
        const gx_param *p = &code->params[i];
        if (p->kind == GX_PARAM_POSONLY && p->name == kw)
            return gx_fail(rt, GX_TypeError, "call.keyword",
                           "%s() got some positional-only arguments passed as keyword arguments: "
                           "'%s'", name_of(rt, fn), text);
        if (p->kind != GX_PARAM_PLAIN && p->kind != GX_PARAM_KWONLY) continue;
        if (n < 64) names[n++] = gx_sym_text(rt, p->name);
    }
    gx_fail(rt, GX_TypeError, "call.keyword", "%s() got an unexpected keyword argument '%s'",
            name_of(rt, fn), text);
    const char *near = gx_near_name(text, names, n);
    return near ? gx_help(rt, "did you mean `%s`?", near) : false;
}

static bool bind_keyword(gx_rt *rt, const gx_func *fn, gx_sym kw, gx_borrowed v, gx_value *slots,
                         gx_borrowed rest) {
    const gx_function *code = fn->code;
    gx_value key;
    for (int32_t i = 0; i < code->param_count; i++) {
        const gx_param *p = &code->params[i];
        if (p->name != kw || (p->kind != GX_PARAM_PLAIN && p->kind != GX_PARAM_KWONLY)) continue;
        if (slots[p->slot].tag != GX_UNDEF)
            return gx_fail(rt, GX_TypeError, "call.keyword",
                           "%s() got multiple values for argument '%s'", name_of(rt, fn),
                           gx_sym_text(rt, kw));
        slots[p->slot] = gx_keep(v);
        return true;
    }
    if (rest.tag == GX_UNDEF) return unknown_keyword(rt, fn, kw);
    if (!gx_str_of_sym(rt, kw, &key)) return false;
    bool ok = gx_dict_set(rt, rest, key, v);
    gx_drop(key);
    return ok;
}

static void bind_defaults(const gx_func *fn, gx_value *slots) {
    if (!fn->fallbacks) return;
    for (int32_t i = 0; i < fn->code->param_count; i++) {
        gx_value *slot = &slots[fn->code->params[i].slot];
        if (slot->tag == GX_UNDEF) *slot = gx_keep(fn->fallbacks[i]);
    }
}

bool gx_bind(gx_rt *rt, gx_func *fn, int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw,
             gx_value *slots) {
    const gx_function *code = fn->code;
    const gx_param *star = find_kind(code, GX_PARAM_STAR);
    const gx_param *twice = find_kind(code, GX_PARAM_STARSTAR);
    int limit = positional_count(code), taken = argc < limit ? argc : limit;
    gx_value rest = gx_undef();
    /* Positional parameters stand before all others, so the i-th has slot i. */
    for (int i = 0; i < taken; i++) slots[i] = gx_keep(argv[i]);
    if (star && !gx_tuple_new(rt, argc - taken, argv + taken, &slots[star->slot])) return false;
    if (twice) {
        if (!gx_dict_new(rt, &slots[twice->slot])) return false;
        rest = slots[twice->slot];
    }
    for (int i = 0; i < kwc; i++)
        if (!bind_keyword(rt, fn, kw[i], argv[argc + i], slots, rest)) return false;
    if (argc > limit && !star) return too_many(rt, fn, limit, argc, slots);
    bind_defaults(fn, slots);
    return complete(code, slots) ||
           (missing(rt, fn, slots, false) && missing(rt, fn, slots, true));
}
