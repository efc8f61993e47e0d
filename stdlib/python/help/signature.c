/* How a callable is called, in one row: of a builtin function its signature, of a function of the
   script its def, of a class what makes an instance. */
#include "stdlib/python/help/help.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

/* An attribute of a function; UNDEF: there is none. */
static gx_value part_of(gx_rt *rt, gx_borrowed v, const char *name) {
    gx_value got = gx_undef();
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || gx_try_attr(rt, v, sym, &got) != GX_TRY_YES) return gx_undef();
    return got;
}

static int64_t number_of(gx_rt *rt, gx_borrowed v, const char *name) {
    gx_value got = part_of(rt, v, name);
    int64_t n = got.tag == GX_INT ? got.i : 0;
    gx_drop(got);
    return n;
}

static bool put_default(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    switch ((int)v.tag) {
    case GX_NONE:
    case GX_ELLIPSIS:
    case GX_BOOL:
    case GX_INT:
    case GX_FLOAT:
    case GX_STR:
    case GX_NATIVE:
        return gx_buf_char(out, '=') && gx_repr(rt, v, out);
    default:
        return gx_buf_puts(out, "=...");
    }
}

typedef struct def {
    const gx_value *names, *defaults;
    int64_t n_default;
    gx_value keyword; /* the dict of defaults by name, or None */
} def;

/* Parameter i of those that may come by position. */
static bool put_plain(gx_rt *rt, const def *d, int64_t i, int64_t plain, gx_buf *out) {
    if (d->names[i].tag != GX_STR || !gx_buf_puts(out, gx_as_str(d->names[i])->text)) return false;
    int64_t at = i - (plain - d->n_default);
    return at < 0 || put_default(rt, d->defaults[at], out);
}

static bool put_keyword(gx_rt *rt, const def *d, int64_t i, gx_buf *out) {
    gx_value value;
    if (d->names[i].tag != GX_STR || !gx_buf_puts(out, gx_as_str(d->names[i])->text)) return false;
    if (d->keyword.tag != GX_DICT) return true;
    gx_try found = gx_dict_find(rt, d->keyword, d->names[i], &value);
    if (found != GX_TRY_YES) return found == GX_TRY_NO;
    bool ok = put_default(rt, value, out);
    gx_drop(value);
    return ok;
}

/* The parameters of a def behind the first `given`, from its __code__. */
static bool put_parameters(gx_rt *rt, gx_borrowed code, const def *d, int64_t given, gx_buf *out) {
    const int64_t plain = number_of(rt, code, "co_argcount"),
                  positional = number_of(rt, code, "co_posonlyargcount"),
                  keywords = number_of(rt, code, "co_kwonlyargcount"),
                  flags = number_of(rt, code, "co_flags"), named = plain + keywords;
    const bool rest = flags & 4, others = flags & 8;
    const char *between = "";
    bool ok = gx_buf_char(out, '(');
    for (int64_t i = given; ok && i < plain; i++) {
        ok = gx_buf_puts(out, between) && put_plain(rt, d, i, plain, out) &&
             (i + 1 != positional || gx_buf_puts(out, ", /"));
        between = ", ";
    }
    if (rest && given <= plain)
        ok = ok && gx_buf_printf(out, "%s*%s", between, gx_as_str(d->names[named])->text);
    else if (keywords)
        ok = ok && gx_buf_printf(out, "%s*", between);
    if (rest || keywords) between = ", ";
    for (int64_t i = plain; ok && i < named; i++)
        ok = gx_buf_puts(out, between) && put_keyword(rt, d, i, out);
    if (keywords) between = ", ";
    if (others)
        ok = ok && gx_buf_printf(out, "%s**%s", between, gx_as_str(d->names[named + rest])->text);
    return ok && gx_buf_char(out, ')');
}

static bool put_def(gx_rt *rt, gx_borrowed fn, int64_t given, gx_buf *out) {
    gx_value code = part_of(rt, fn, "__code__"), names = part_of(rt, code, "co_varnames"),
             defaults = part_of(rt, fn, "__defaults__");
    def d = {.keyword = part_of(rt, fn, "__kwdefaults__")};
    bool ok = names.tag == GX_TUPLE;
    if (ok) {
        (void)gx_sequence_items(names, &d.names);
        d.n_default = defaults.tag == GX_TUPLE ? gx_sequence_items(defaults, &d.defaults) : 0;
        ok = put_parameters(rt, code, &d, given, out);
    }
    gx_drop(code);
    gx_drop(names);
    gx_drop(defaults);
    gx_drop(d.keyword);
    return ok;
}

static bool put_name(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value name = part_of(rt, v, "__name__");
    bool ok = gx_buf_puts(out, name.tag == GX_STR ? gx_as_str(name)->text : "");
    gx_drop(name);
    return ok;
}

static gx_try written(bool ok) {
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* A class: what its __init__ takes, or the constructor of the type below it. */
static gx_try put_class(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_type *t = gx_as_type(v);
    if (!t->heap)
        return t->construct && t->construct->sig ? written(gx_buf_puts(out, t->construct->sig))
                                                 : GX_TRY_NO;
    gx_value init = part_of(rt, v, "__init__");
    gx_try got = GX_TRY_NO;
    if (init.tag == GX_FUNC) got = written(gx_buf_puts(out, t->name) && put_def(rt, init, 1, out));
    gx_drop(init);
    return got;
}

gx_try gx_help_signature(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    int64_t given = 0;
    if (v.tag == GX_METHOD) {
        v = ((const gx_bound *)v.obj)->fn;
        given = 1;
    }
    if (v.tag == GX_NATIVE)
        return v.native->sig ? written(gx_buf_puts(out, v.native->sig)) : GX_TRY_NO;
    if (v.tag == GX_FUNC) return written(put_name(rt, v, out) && put_def(rt, v, given, out));
    return gx_as_type(v) ? put_class(rt, v, out) : GX_TRY_NO;
}
