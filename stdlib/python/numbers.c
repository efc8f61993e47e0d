/* Python's builtins about numbers: abs round pow divmod sum min max any all bin hex oct chr ord.
   Rows marked GX_NATIVE_DUAL have a NumPy function that native.c calls for arrays; NumPy scalars
   and lists are handled here. */
#include <math.h>

#include "runtime/array/dtype.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/common.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"

static bool core_abs(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    gx_complex *z;
    gx_try own = gx_special(c->rt, v, "__abs__", 0, NULL, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    v = gx_plain_number(v);
    switch ((int)v.tag) {
    case GX_INT: case GX_BOOL: case GX_BIGINT: return gx_int_abs(c->rt, v, out);
    case GX_FLOAT: *out = gx_float(fabs(v.f)); return true;
    case GX_COMPLEX:
        z = (gx_complex *)v.obj;
        *out = gx_float(hypot(z->re, z->im));
        return true;
    case GX_SCALAR: case GX_SCALAR_BOX: return gx_scalar_op(c->rt, GX_OP_absolute, &v, out);
    default:
        return gx_fail(c->rt, GX_TypeError, "number.type", "bad operand type for abs(): '%s'",
                       gx_type_name(v));
    }
}

static bool round_double(gx_rt *rt, double x, bool has_digits, int64_t digits, gx_value *out) {
    double y;
    if (!has_digits) {
        if (isnan(x))
            return gx_fail(rt, GX_ValueError, "number.nan", "cannot convert float NaN to integer");
        if (isinf(x))
            return gx_fail(rt, GX_OverflowError, "number.inf",
                           "cannot convert float infinity to integer");
        return gx_int_from_double(rt, rint(x), out);
    }
    if (!gx_float_round(rt, x, digits, &y)) return false;
    *out = gx_float(y);
    return true;
}

/* A NumPy scalar: without digits a Python int, with them a scalar of the same dtype. */
static bool round_scalar(gx_rt *rt, gx_borrowed v, bool has_digits, int64_t digits, gx_value *out) {
    gx_dtype d = gx_scalar_dtype(v);
    gx_scalar s;
    gx_value item;
    if (gx_dtype_kind(d) == GX_KIND_CPLX)
        return gx_fail(rt, GX_TypeError, "number.type", "type %s doesn't define __round__ method",
                       gx_type_name(v));
    if (has_digits) { /* NumPy's rounding: scaled, rounded, scaled back */
        const gx_value decimals = gx_int(digits);
        gx_sym name = gx_sym_c(rt, "round");
        gx_value fn;
        if (!name || !gx_get_attr(rt, v, name, &fn)) return false;
        bool done = gx_call_value(rt, fn, 1, &decimals, 0, NULL, out);
        gx_drop(fn);
        return done;
    }
    if (!gx_scalar_read(rt, v, &s) || !gx_scalar_item(rt, d, &s, &item)) return false;
    bool ok = item.tag == GX_FLOAT ? round_double(rt, item.f, false, 0, out)
                                   : gx_int_round(rt, item, 0, out);
    gx_drop(item);
    return ok;
}

static bool core_round(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    int64_t digits = 0;
    bool has_digits = gx_arg_some(c, 1);
    gx_try own = gx_special(c->rt, v, "__round__", has_digits, &c->argv[1], out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    v = gx_plain_number(v);
    if (has_digits && (v.tag < GX_FIRST_OBJECT || gx_is_int(v) || gx_is_scalar(v))) {
        gx_try is = gx_as_bound(c->rt, c->argv[1], &digits);
        if (is == GX_TRY_NO)
            gx_fail(c->rt, GX_TypeError, "call.index",
                    "'%s' object cannot be interpreted as an integer", gx_type_name(c->argv[1]));
        if (is != GX_TRY_YES) return false;
    }
    switch ((int)v.tag) {
    case GX_INT: case GX_BOOL: case GX_BIGINT: return gx_int_round(c->rt, v, digits, out);
    case GX_FLOAT: return round_double(c->rt, v.f, has_digits, digits, out);
    case GX_SCALAR: case GX_SCALAR_BOX: return round_scalar(c->rt, v, has_digits, digits, out);
    default:
        return gx_fail(c->rt, GX_TypeError, "number.type",
                       "type %s doesn't define __round__ method", gx_type_name(v));
    }
}

static bool core_pow(gx_call *c, gx_value *out) {
    if (!gx_arg_some(c, 2)) return gx_binary(c->rt, GX_POW, c->argv[0], c->argv[1], out);
    if (c->argv[0].tag == GX_COMPLEX ||
        (gx_is_int(c->argv[0]) && gx_is_int(c->argv[1]) && c->argv[2].tag == GX_COMPLEX))
        return gx_fail(c->rt, GX_ValueError, "int.modulus", "complex modulo");
    for (int i = 0; i < 3; i++)
        if (!gx_is_int(c->argv[i]))
            return gx_fail(c->rt, GX_TypeError, "number.type",
                           "pow() 3rd argument not allowed unless all arguments are integers");
    return gx_int_powmod(c->rt, c->argv[0], c->argv[1], c->argv[2], out);
}

/* A number, or an instance of a class below one. */
static bool is_number(gx_borrowed v) {
    return gx_is_int(v) || !gx_is_instance(gx_plain_number(v));
}

static bool core_divmod(gx_call *c, gx_value *out) {
    gx_value pair[2];
    if (gx_is_instance(c->argv[0]) || gx_is_instance(c->argv[1])) {
        gx_borrowed a = c->argv[0], b = c->argv[1];
        gx_try own = gx_special_pair(c->rt, "__divmod__", "__rdivmod__", a, b, out);
        if (own != GX_TRY_NO) return own == GX_TRY_YES;
        if (!is_number(a) || !is_number(b))
            return gx_fail(c->rt, GX_TypeError, "operator.types",
                           "unsupported operand type(s) for divmod(): '%s' and '%s'",
                           gx_type_name(a), gx_type_name(b));
    }
    if (!gx_binary(c->rt, GX_FLOORDIV, c->argv[0], c->argv[1], &pair[0])) return false;
    if (!gx_binary(c->rt, GX_MOD, c->argv[0], c->argv[1], &pair[1])) {
        gx_drop(pair[0]);
        return false;
    }
    return gx_tuple_take(c->rt, 2, pair, out);
}

/* A sum of floats keeps what its additions round away, as Neumaier does: sum([0.1] * 10) is 1. */
typedef struct running_sum {
    gx_value value; /* owned */
    double rest;
} running_sum;

/* The rest is added: before another type goes on, and at the end. */
static void settle(running_sum *t) {
    if (t->rest != 0 && isfinite(t->rest)) t->value.f += t->rest;
    t->rest = 0;
}

static void add_float(running_sum *t, double x) {
    double sum = t->value.f + x;
    t->rest += fabs(t->value.f) >= fabs(x) ? (t->value.f - sum) + x : (x - sum) + t->value.f;
    t->value.f = sum;
}

/* t += item. */
static bool add_to(gx_rt *rt, running_sum *t, gx_borrowed item) {
    gx_value next, *so_far = &t->value;
    int64_t sum;
    if (so_far->tag == GX_INT && item.tag == GX_INT &&
        !__builtin_add_overflow(so_far->i, item.i, &sum)) {
        so_far->i = sum;
        return true;
    }
    if (so_far->tag == GX_FLOAT && item.tag == GX_FLOAT) {
        add_float(t, item.f);
        return true;
    }
    if (so_far->tag == GX_FLOAT && (item.tag == GX_INT || item.tag == GX_BOOL)) {
        so_far->f += item.tag == GX_INT ? (double)item.i : item.b;
        return true;
    }
    settle(t);
    if (!gx_binary(rt, GX_ADD, *so_far, item, &next)) return false;
    gx_drop(*so_far);
    *so_far = next;
    return true;
}

/* A list or tuple of nothing but ints and bools, without overflow; false: the general way. */
static bool sum_ints(gx_borrowed items, gx_borrowed start, gx_value *out) {
    const gx_value *v;
    int64_t n = gx_sequence_items(items, &v), total = start.i;
    if (n < 0 || !gx_iterates_plainly(items) || start.tag != GX_INT) return false;
    for (int64_t i = 0; i < n; i++) {
        if (v[i].tag != GX_INT && v[i].tag != GX_BOOL) return false;
        int64_t x = v[i].tag == GX_INT ? v[i].i : v[i].b;
        if (__builtin_add_overflow(total, x, &total)) return false;
    }
    *out = gx_int(total);
    return true;
}

static bool core_sum(gx_call *c, gx_value *out) {
    gx_value it, item;
    bool ok, more;
    if (c->argv[1].tag == GX_STR) {
        gx_fail(c->rt, GX_TypeError, "number.type",
                "sum() can't sum strings [use ''.join(seq) instead]");
        return false;
    }
    if (c->argv[1].tag == GX_BYTES || gx_is_bytearray(c->argv[1]))
        return gx_fail(c->rt, GX_TypeError, "operator.types",
                       "sum() can't sum %s [use b''.join(seq) instead]", gx_type_name(c->argv[1]));
    if (sum_ints(c->argv[0], c->argv[1], out)) return true;
    if (!gx_iter(c->rt, c->argv[0], &it)) return false;
    running_sum t = {gx_keep(c->argv[1]), 0};
    while ((ok = gx_next(c->rt, it, &item, &more)) && more) {
        ok = add_to(c->rt, &t, item);
        gx_drop(item);
        if (!ok) break;
    }
    gx_drop(it);
    settle(&t);
    if (ok)
        *out = t.value;
    else
        gx_drop(t.value);
    return ok;
}

/* --- min, max --- */

typedef struct best {
    gx_rt *rt;
    gx_borrowed key;
    bool want_max, any;
    gx_value item, measure; /* the best so far, owned */
} best;

/* a > b: of values of a script's classes by a.__gt__, as in Python. */
static bool is_more(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool *out) {
    gx_value r;
    if (!gx_is_instance(a) && !gx_is_instance(b)) return gx_less(rt, b, a, out);
    if (!gx_compare(rt, GX_GT, a, b, &r)) return false;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

/* Consumes item. */
static bool offer(best *b, gx_value item) {
    gx_value measure;
    bool better = true;
    if (b->key.tag == GX_NONE)
        measure = gx_keep(item);
    else if (!gx_call1(b->rt, b->key, item, &measure))
        goto fail_item;
    if (b->any && !(b->want_max ? is_more(b->rt, measure, b->measure, &better)
                                : gx_less(b->rt, measure, b->measure, &better)))
        goto fail;
    if (better) {
        gx_drop(b->item);
        gx_drop(b->measure);
        b->item = item;
        b->measure = measure;
        b->any = true;
        return true;
    }
    gx_drop(measure);
    gx_drop(item);
    return true;
fail:
    gx_drop(measure);
fail_item:
    gx_drop(item);
    return false;
}

static bool offer_all(best *b, gx_borrowed iterable) {
    gx_value it, item;
    bool ok, more;
    if (!gx_iter(b->rt, iterable, &it)) return false;
    while ((ok = gx_next(b->rt, it, &item, &more)) && more)
        if (!(ok = offer(b, item))) break;
    gx_drop(it);
    return ok;
}

static bool extreme(gx_call *c, bool want_max, gx_value *out) {
    const char *name = want_max ? "max" : "min";
    best b = {.rt = c->rt, .key = c->argv[1], .want_max = want_max};
    bool ok = true;
    if (c->rest_count == 0)
        return gx_fail(c->rt, GX_TypeError, "call.arguments",
                       "%s expected at least 1 argument, got 0", name);
    if (c->rest_count > 1 && gx_arg_given(c, 2))
        return gx_fail(c->rt, GX_TypeError, "call.keyword",
                       "Cannot specify a default for %s() with multiple positional arguments",
                       name);
    if (c->rest_count == 1) ok = offer_all(&b, c->rest[0]);
    for (int i = 0; ok && c->rest_count > 1 && i < c->rest_count; i++)
        ok = offer(&b, gx_keep(c->rest[i]));
    gx_drop(b.measure);
    if (!ok) {
        gx_drop(b.item);
        return false;
    }
    if (b.any)
        *out = b.item;
    else if (gx_arg_given(c, 2))
        *out = gx_keep(c->argv[2]);
    else
        return gx_fail(c->rt, GX_ValueError, "iter.empty", "%s() arg is an empty sequence", name);
    return true;
}

static bool core_max(gx_call *c, gx_value *out) {
    return extreme(c, true, out);
}

static bool core_min(gx_call *c, gx_value *out) {
    return extreme(c, false, out);
}

/* any: stops at the first true item; all: at the first false one. */
static bool stops_at(gx_call *c, bool stop, gx_value *out) {
    gx_value it, item;
    bool ok, more, truth = !stop;
    if (!gx_iter(c->rt, c->argv[0], &it)) return false;
    while ((ok = gx_next(c->rt, it, &item, &more)) && more) {
        ok = gx_truth(c->rt, item, &truth);
        gx_drop(item);
        if (!ok || truth == stop) break;
    }
    gx_drop(it);
    if (ok) *out = gx_bool(truth);
    return ok;
}

static bool core_any(gx_call *c, gx_value *out) {
    return stops_at(c, true, out);
}

static bool core_all(gx_call *c, gx_value *out) {
    return stops_at(c, false, out);
}

/* --- bases and characters --- */

static bool in_base(gx_call *c, int base, const char *prefix, gx_value *out) {
    gx_borrowed v = c->argv[0];
    gx_value n, magnitude;
    gx_try is = gx_as_integer(c->rt, v, &n);
    if (is == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "call.index",
                       "'%s' object cannot be interpreted as an integer", gx_type_name(v));
    if (is == GX_TRY_ERROR) return false;
    bool negative = gx_int_compare(n, gx_int(0)) < 0, made = gx_int_abs(c->rt, n, &magnitude);
    gx_drop(n);
    if (!made) return false;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = (!negative || gx_buf_char(&b, '-')) && gx_buf_puts(&b, prefix) &&
              gx_int_text(c->rt, magnitude, base, &b);
    gx_drop(magnitude);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool core_bin(gx_call *c, gx_value *out) {
    return in_base(c, 2, "0b", out);
}

static bool core_oct(gx_call *c, gx_value *out) {
    return in_base(c, 8, "0o", out);
}

static bool core_hex(gx_call *c, gx_value *out) {
    return in_base(c, 16, "0x", out);
}

static bool core_chr(gx_call *c, gx_value *out) {
    int64_t code;
    if (!gx_arg_int(c, 0, &code)) {
        if (c->rt->error.kind != GX_OverflowError) return false;
        gx_error_clear(c->rt);
        code = -1;
    }
    if (code < 0 || code > 0x10FFFF)
        return gx_fail(c->rt, GX_ValueError, "str.char", "chr() arg not in range(0x110000)");
    if (code >= 0xD800 && code < 0xE000)
        return gx_fail(c->rt, GX_ValueError, "str.surrogate",
                       "chr() arg %lld is half of a surrogate pair, which is not a character",
                       (long long)code);
    char text[4];
    int n = gx_utf8_encode((uint32_t)code, text);
    return gx_str_new(c->rt, text, (size_t)n, out);
}

static bool core_ord(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    int bytes;
    if (v.tag != GX_STR && v.tag != GX_BYTES)
        return gx_fail(c->rt, GX_TypeError, "str.char",
                       "ord() expected string of length 1, but %s found", gx_type_name(v));
    const gx_str *s = gx_as_str(v);
    if (s->chars != 1)
        return gx_fail(c->rt, GX_TypeError, "str.char",
                       "ord() expected a character, but string of length %zu found", s->chars);
    *out = gx_int(v.tag == GX_STR ? (int64_t)gx_utf8_decode(s->text, &bytes)
                                  : (unsigned char)s->text[0]);
    return true;
}

const gx_native gx_core_number_functions[] = {
    {"abs", "abs(x, /)", "The absolute value.", "abs(-3)  # 3", core_abs, GX_NATIVE_DUAL, 0},
    {"round", "round(number, ndigits=None)",
     "Rounded half to even: to an int, or to so many digits.", "round(2.567, 1)  # 2.6", core_round,
     GX_NATIVE_DUAL, 0},
    {"pow", "pow(base, exp, mod=None)", "base ** exp, modulo mod when that is given.",
     "pow(3, 200, 13)  # 9", core_pow, GX_NATIVE_DUAL, 0},
    {"divmod", "divmod(x, y, /)", "The pair (x // y, x % y).", "divmod(-7, 2)  # (-4, 1)",
     core_divmod, GX_NATIVE_DUAL, 0},
    {"sum", "sum(iterable, /, start=0)", "The sum of the items, from start on.",
     "sum([1, 2, 3])  # 6", core_sum, GX_NATIVE_DUAL, 0},
    {"min", "min(*args, key=None, default=<no value>)",
     "The smallest of the arguments, or of one iterable's items.", "min(3, 1, 2)  # 1", core_min,
     GX_NATIVE_DUAL | GX_NATIVE_REST, 0},
    {"max", "max(*args, key=None, default=<no value>)",
     "The largest of the arguments, or of one iterable's items.", "max('ab', 'b', key=len)  # ab",
     core_max, GX_NATIVE_DUAL | GX_NATIVE_REST, 0},
    {"any", "any(iterable, /)", "Is an item true?", "any([0, 2])  # True", core_any, GX_NATIVE_DUAL,
     0},
    {"all", "all(iterable, /)", "Are all items true?", "all([1, 0])  # False", core_all,
     GX_NATIVE_DUAL, 0},
    {"bin", "bin(x, /)", "The binary text of an int.", "bin(5)  # 0b101", core_bin, 0, 0},
    {"oct", "oct(x, /)", "The octal text of an int.", "oct(8)  # 0o10", core_oct, 0, 0},
    {"hex", "hex(x, /)", "The hexadecimal text of an int.", "hex(255)  # 0xff", core_hex, 0, 0},
    {"chr", "chr(i, /)", "The character of a code point.", "chr(960)  # π", core_chr, 0, 0},
    {"ord", "ord(c, /)", "The code point of a character.", "ord('a')  # 97", core_ord, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
