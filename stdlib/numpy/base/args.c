/* Arguments that many NumPy functions share: dtype, order, axis, lists of arrays, device. Each
   getter raises with the function's and the parameter's name. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/object/class/class.h"
#include "runtime/object/number/number.h"
#include "stdlib/numpy/base/common_dtype.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"

bool gx_np_dtype_arg(gx_call *c, int i, gx_dtype *out) {
    *out = GX_NO_DTYPE;
    return !gx_arg_some(c, i) || gx_dtype_of(c->rt, c->argv[i], out);
}

bool gx_np_order_arg(gx_call *c, int i, char *out) {
    const char *text;
    size_t length;
    if (!gx_arg_some(c, i)) return true;
    const gx_value *v = &c->argv[i];
    if (v->tag == GX_STR && gx_as_str(*v)->text[0] == 'C' && gx_as_str(*v)->text[1] == 0) {
        *out = 'C';
        return true;
    }
    if (!gx_arg_str(c, i, &text, &length)) return false;
    char o = length == 1 ? (char)(text[0] & ~32) : 0;
    if (o != 'C' && o != 'F' && o != 'A' && o != 'K')
        return gx_fail(c->rt, GX_ValueError, "arg.order",
                       "order must be one of 'C', 'F', 'A', or 'K' (got '%s')", text);
    *out = o;
    return true;
}

bool gx_np_new_order_arg(gx_call *c, int i, char *out) {
    *out = 'C';
    if (!gx_np_order_arg(c, i, out)) return false;
    return *out == 'C' || *out == 'F' ||
           gx_fail(c->rt, GX_ValueError, "arg.order", "only 'C' or 'F' order is permitted");
}

/* Does the signature give parameter i the default None? */
static bool none_by_default(const gx_native *fn, int i) {
    const char *p = strchr(fn->sig, '(');
    int depth = 0, at = 0;
    char quote = 0;
    bool name = true, starred = false; /* at the start of a parameter; "/" and "*" alone are none */
    for (p = p ? p + 1 : ""; *p && depth >= 0; p++) {
        if (quote) {
            quote = *p == quote ? 0 : quote;
        } else if (*p == '\'' || *p == '"') {
            quote = *p;
        } else if (*p == ',' && !depth) {
            at += !starred;
            name = true;
        } else {
            depth += (*p == '(') - (*p == ')');
            if (*p == ' ') continue;
            if (name) starred = (*p == '/' || *p == '*') && (p[1] == ',' || p[1] == ')');
            name = false;
            if (!depth && at == i && *p == '=') return strncmp(p + 1, "None", 4) == 0;
        }
    }
    return false;
}

/* Does NumPy read the axis of a function in C? Its Python code takes False for 0 and True for 1. */
static bool bools_are_no_axes(const char *name) {
    static const char *const names[] = {
        "accumulate", "argmax",   "argmin",    "argpartition", "argsort",    "at",
        "choice",     "compress", "cumprod",   "cumsum",       "nanargmax",  "nanargmin",
        "nancumprod", "nancumsum", "packbits", "reduceat",     "repeat",     "take",
        "unpackbits", "vecdot",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

bool gx_np_axis_arg(gx_call *c, int i, int ndim, int fallback, int *out) {
    int64_t axis;
    if (gx_arg_given(c, i) && c->argv[i].tag == GX_NONE && !none_by_default(c->fn, i))
        return gx_fail(c->rt, GX_TypeError, "axis.none",
                       "'NoneType' object cannot be interpreted as an integer: %s needs an axis",
                       c->fn->name);
    if (!gx_arg_some(c, i)) return gx_axis(c->rt, fallback, ndim, out);
    if (c->argv[i].tag == GX_BOOL && bools_are_no_axes(c->fn->name))
        return gx_arg_wrong(c, i, "an integer");
    return gx_arg_int(c, i, &axis) && gx_axis(c->rt, axis, ndim, out);
}

bool gx_np_target_axis(gx_call *c, int i, int ndim, int *out) {
    const gx_value *items;
    int64_t axis;
    if (gx_sequence_items(c->argv[i], &items) != 1) return gx_np_axis_arg(c, i, ndim, 0, out);
    gx_try is = gx_as_index(c->rt, items[0], &axis);
    if (is == GX_TRY_YES) return gx_axis(c->rt, axis, ndim, out);
    return is == GX_TRY_NO && gx_arg_wrong(c, i, "an integer or a sequence of one");
}

bool gx_np_keepdims_arg(gx_call *c, int i, bool *out) {
    int64_t n = 0;
    gx_try number = gx_as_index(c->rt, c->argv[i], &n);
    *out = n != 0;
    if (number != GX_TRY_NO) return number == GX_TRY_YES;
    return gx_arg_wrong(c, i, "a bool or an integer");
}

gx_array *gx_np_mask_arg(gx_np *s, gx_call *c, int i) {
    const gx_value v = c->argv[i];
    if (gx_is_array(v) && gx_as_array(v)->dtype != GX_bool) {
        gx_fail(s->rt, GX_TypeError, "dtype.mask",
                "Cannot cast array data from dtype('%s') to dtype('bool') according to the rule "
                "'safe'",
                gx_dtypes[gx_as_array(v)->dtype].name);
        return NULL;
    }
    gx_array *a; /* texts have a truth, too */
    return gx_asarray(s->rt, v, GX_bool, s->ns, false, &a) ? gx_np_own(s, a) : NULL;
}

bool gx_np_is_whole(gx_borrowed v) {
    const gx_value *items;
    int64_t n = gx_sequence_items(v, &items);
    for (int64_t i = 0; i < n; i++)
        if (!gx_np_is_whole(items[i])) return false;
    if (n >= 0) return n > 0;
    if (v.tag == GX_ARRAY) return !gx_np_is_float(gx_as_array(v)->dtype);
    if (gx_is_scalar(v)) return !gx_np_is_float(gx_scalar_dtype(v));
    return v.tag == GX_INT || v.tag == GX_BOOL;
}

bool gx_np_unused_truth(gx_call *c, int i) {
    bool unused;
    return !gx_arg_given(c, i) || gx_arg_bool(c, i, &unused);
}

bool gx_np_unused_flag(gx_call *c, int i) {
    bool unused;
    return !gx_arg_given(c, i) || gx_np_keepdims_arg(c, i, &unused);
}

bool gx_np_copy_arg(gx_call *c, int i, int *out) {
    bool b;
    *out = -1;
    if (!gx_arg_some(c, i)) return true;
    if (c->argv[i].tag == GX_STR)
        return gx_fail(c->rt, GX_ValueError, "array.copy",
                       "strings are not allowed for 'copy' keyword. Use True/False/None instead.");
    if (!gx_arg_bool(c, i, &b)) return false;
    *out = b;
    return true;
}

bool gx_np_convolve_mode(gx_call *c, int i, const char *message, char *out) {
    const char *text;
    size_t length;
    if (!gx_arg_str(c, i, &text, &length)) return false;
    if (strcmp(text, "full") != 0 && strcmp(text, "same") != 0 && strcmp(text, "valid") != 0)
        return gx_fail(c->rt, GX_ValueError, "convolve.mode", message, text);
    *out = text[0];
    return true;
}

bool gx_np_initial_arg(gx_call *c, int i, gx_dtype d, bool *has, gx_scalar *out) {
    *has = gx_arg_some(c, i);
    if (!*has) return true;
    if (gx_is_array(c->argv[i]) && gx_as_array(c->argv[i])->ndim)
        return gx_fail(c->rt, GX_ValueError, "array.scalar",
                       "%s: initial= is one number, not an array of %d dimensions", c->fn->name,
                       gx_as_array(c->argv[i])->ndim);
    return gx_scalar_from(c->rt, c->argv[i], d, out);
}

bool gx_np_clip_mode(gx_rt *rt, gx_borrowed v, char *out) {
    static const char *const names[] = {"clip", "wrap", "raise"};
    const char *text = v.tag == GX_NONE ? "raise" : v.tag == GX_STR ? gx_as_str(v)->text : NULL;
    int64_t number = -1;
    if (v.tag == GX_BOOL)
        return gx_fail(rt, GX_TypeError, "index.mode", "a mode is a text or a number, not a bool");
    if (!text) {
        gx_try is = gx_as_index(rt, v, &number);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO)
            return gx_fail(rt, GX_TypeError, "index.mode", "a mode is a text or a number, not %s",
                           gx_type_name(v));
        text = number >= 0 && number < 3 ? names[number] : "";
    }
    for (int k = 0; k < 3; k++)
        if (strcmp(text, names[k]) == 0) {
            *out = names[k][0];
            return true;
        }
    return gx_fail(rt, GX_ValueError, "index.mode",
                   "clipmode must be one of 'clip', 'raise', or 'wrap' (got '%s')", text);
}

bool gx_np_diagonal_arg(gx_call *c, int i, int64_t *k) {
    const int64_t far = INT64_MAX / 4;
    if (c->argv[i].tag == GX_BIGINT)
        *k = ((const gx_bigint *)(const void *)c->argv[i].obj)->negative ? -far : far;
    else if (!gx_arg_int(c, i, k))
        return false;
    *k = *k > far ? far : *k < -far ? -far : *k;
    return true;
}

bool gx_np_ufunc_out_arg(gx_call *c, int i, gx_borrowed *dest) {
    gx_array *a = NULL;
    bool keeps;
    if (!gx_op_out_arg(c, i, c->by_position <= i, &a, &keeps)) return false;
    *dest = a ? gx_array_value(a) : keeps ? c->argv[i] : gx_none();
    return true;
}

bool gx_np_method_out_arg(gx_call *c, int i, gx_borrowed *dest) {
    return gx_np_ufunc_out_arg(c, i, dest) && (dest->tag != GX_NONE || c->argv[i].tag != GX_TUPLE ||
                                               gx_arg_wrong(c, i, "an array"));
}

bool gx_np_out_arg(gx_call *c, int i) {
    const gx_value *items;
    gx_borrowed v = c->argv[i];
    if (!gx_arg_some(c, i) || gx_is_array(v)) return true;
    if (v.tag == GX_TUPLE && gx_sequence_items(v, &items) == 1) return true;
    return gx_fail(c->rt, GX_TypeError, "arg.out", "%s: out must be an array, not %s", c->fn->name,
                   gx_type_name(v));
}

bool gx_np_device_arg(gx_call *c, int i) {
    if (!gx_arg_some(c, i)) return true;
    const bool named = c->argv[i].tag == GX_STR;
    const char *text = named ? gx_as_str(c->argv[i])->text : gx_type_name(c->argv[i]);
    if (named && strcmp(text, "cpu") == 0) return true;
    return gx_fail(c->rt, GX_ValueError, "arg.device",
                   "Device not understood. Only \"cpu\" is allowed, but received: %s", text);
}

bool gx_np_arrays(gx_np *s, gx_borrowed seq, const char *name, int *n, gx_array ***out) {
    gx_value tuple = gx_undef();
    if (gx_is_array(seq)) {
        gx_array *a = gx_as_array(seq);
        if (a->ndim == 0 || gx_shape(a)[0] > (1 << 24))
            return gx_fail(s->rt, GX_TypeError, "arg.arrays",
                           "%s: a list or tuple of arrays is needed, not one array", name);
    } else if (seq.tag == GX_STR || seq.tag == GX_INT || seq.tag == GX_FLOAT ||
               seq.tag == GX_BOOL || seq.tag == GX_NONE || seq.tag == GX_SET ||
               seq.tag == GX_DICT) {
        return gx_fail(s->rt, GX_TypeError, "arg.arrays",
                       "%s: the arrays go into one list or tuple; got %s", name, gx_type_name(seq));
    }
    if (!gx_tuple_of(s->rt, seq, &tuple)) return false;
    if (!gx_np_hold(s, tuple)) return false;
    gx_tuple *t = gx_as_tuple(tuple);
    gx_array **list = gx_np_room(s, t->count + 1, sizeof *list);
    if (!list) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (gx_is_array(t->items[i]) && !(list[i] = gx_np_arr(s, t->items[i]))) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (!gx_is_array(t->items[i]) && !(list[i] = gx_np_arr(s, t->items[i]))) return false;
    *n = (int)t->count;
    *out = list;
    return true;
}

bool gx_np_is_number(gx_borrowed v) {
    gx_operand kind = gx_operand_kind(v);
    return kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR ||
           (kind == GX_OPERAND_ARRAY && gx_as_array(v)->ndim == 0);
}

/* The kind a Python number gives as a weak operand; -1: it is strong. */
static int weak_kind(gx_borrowed v) {
    v = gx_plain_number(v);
    if (v.tag == GX_INT || v.tag == GX_BIGINT) return GX_KIND_INT;
    if (v.tag == GX_FLOAT) return GX_KIND_FLOAT;
    if (v.tag == GX_COMPLEX) return GX_KIND_CPLX;
    return -1;
}

static bool strong_dtype(gx_rt *rt, gx_borrowed v, gx_dtype *out) {
    if (gx_is_array(v))
        *out = (gx_dtype)gx_as_array(v)->dtype;
    else if (gx_is_scalar(v))
        *out = gx_scalar_dtype(v);
    else if (v.tag == GX_BOOL)
        *out = GX_bool;
    else if (v.tag == GX_LIST || v.tag == GX_TUPLE) {
        gx_array *a = NULL;
        if (!gx_asarray(rt, v, GX_NO_DTYPE, GX_NS_NUMPY, false, &a)) return false;
        *out = (gx_dtype)a->dtype;
        gx_array_drop(a);
    } else
        return gx_dtype_of(rt, v, out);
    return true;
}

bool gx_np_result_type(gx_rt *rt, int n, const gx_borrowed *v, gx_dtype *out) {
    gx_np_dtypes strong = 0;
    gx_dtype other = GX_NO_DTYPE; /* of what is no number */
    int weak = -1;
    for (int i = 0; i < n; i++) {
        int k = weak_kind(v[i]);
        gx_dtype one = GX_NO_DTYPE;
        if (k > weak) weak = k;
        if (k >= 0) continue;
        if (!strong_dtype(rt, v[i], &one)) return false;
        if (!gx_is_kind(one)) strong = gx_np_with_dtype(strong, one);
        else if (other == GX_NO_DTYPE) other = one;
        else if (!gx_promote_any(rt, other, one, &other)) return false;
    }
    gx_dtype d = gx_np_common(strong);
    if (other != GX_NO_DTYPE && d == GX_NO_DTYPE && weak < 0) {
        *out = other;
        return true;
    }
    if (d == GX_NO_DTYPE)
        d = weak == GX_KIND_CPLX ? GX_c128 : weak == GX_KIND_INT ? GX_i64 : GX_f64;
    else if (weak >= 0)
        d = gx_promote_weak(d, (gx_dkind)weak);
    *out = d;
    return other == GX_NO_DTYPE || gx_promote_any(rt, other, d, out);
}
