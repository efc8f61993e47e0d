/* numpy.testing: assertions about arrays, with NumPy's reports of what differs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/object/still.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_testing_functions[];

/* How two arrays are compared. */
typedef struct comparison {
    const char *header; /* "Arrays are not equal" */
    double rtol, atol;
    bool close, less, equal_nan;
} comparison;

static bool raise(gx_rt *rt, gx_buf *b) {
    gx_fail(rt, GX_AssertionError, "testing.assert", "%s", gx_buf_text(b));
    gx_buf_free(b);
    return false;
}

/* " ACTUAL: array([1, 2])" */
static bool put_side(gx_rt *rt, gx_buf *b, const char *label, gx_borrowed v) {
    return gx_buf_printf(b, "\n %s: ", label) && gx_repr(rt, v, b);
}

static bool put_head(gx_call *c, gx_buf *b, const char *header, int message) {
    const char *text;
    size_t length;
    if (!gx_buf_printf(b, "\n%s", header)) return false;
    if (message < 0 || !gx_arg_some(c, message) || c->argv[message].tag != GX_STR)
        return gx_buf_puts(b, "\n\n");
    return gx_arg_str(c, message, &text, &length) && gx_buf_printf(b, "\n%s\n", text);
}

/* Where a and b (of one shape) fit each other: a bool array. */
static gx_array *fits(gx_np *s, const comparison *how, gx_array *a, gx_array *b) {
    gx_array *r;
    if (how->less) return gx_np_op2(s, GX_OP_less, a, b);
    r = gx_np_op2(s, GX_OP_equal, a, b);
    if (how->close && a && b) {
        bool truths = a->dtype == GX_bool && b->dtype == GX_bool;
        gx_array *d = gx_np_op2(s, truths ? GX_OP_not_equal : GX_OP_subtract, a, b);
        gx_array *most =
            gx_np_op2(s, GX_OP_multiply, gx_np_op1(s, GX_OP_absolute, b), gx_np_f64(s, how->rtol));
        most = gx_np_op2(s, GX_OP_add, most, gx_np_f64(s, how->atol));
        gx_array *near = gx_np_op2(s, GX_OP_less_equal, gx_np_op1(s, GX_OP_absolute, d), most);
        near = gx_np_op2(s, GX_OP_logical_and, near, gx_np_op1(s, GX_OP_isfinite, b));
        r = gx_np_op2(s, GX_OP_logical_or, r, near);
    }
    if (!how->equal_nan || !r || !gx_np_is_float(a->dtype) || !gx_np_is_float(b->dtype)) return r;
    gx_array *nans =
        gx_np_op2(s, GX_OP_logical_and, gx_np_op1(s, GX_OP_isnan, a), gx_np_op1(s, GX_OP_isnan, b));
    return gx_np_op2(s, GX_OP_logical_or, r, nans);
}

/* str() of one element of an array. */
static bool put_element(gx_np *s, gx_buf *b, gx_array *a, int64_t i) {
    gx_scalar x;
    return gx_array_item_at(s->rt, a, i, &x) && gx_scalar_text(s->rt, (gx_dtype)a->dtype, &x, b);
}

/* The first five places where two arrays differ. */
static bool put_places(gx_np *s, gx_buf *b, gx_array *x, gx_array *y, gx_array *bad, int64_t wrong,
                       bool less) {
    enum { SHOWN = 5 };
    gx_array *flags = gx_np_contiguous(s, bad);
    const uint8_t *is = gx_np_data(s, flags);
    if (!is) return false;
    if (bad->ndim == 0) return true;
    bool ok = gx_buf_puts(b, wrong == 1       ? "\nMismatch at index:"
                             : wrong <= SHOWN ? "\nMismatch at indices:"
                                              : "\nFirst 5 mismatches are at indices:");
    int64_t shown = 0;
    for (int64_t i = 0; ok && i < bad->count && shown < SHOWN; i++) {
        int64_t at[GX_MAX_DIMS], rest = i;
        if (!is[i]) continue;
        shown++;
        for (int k = bad->ndim - 1; k >= 0; k--) {
            at[k] = rest % gx_shape(bad)[k];
            rest /= gx_shape(bad)[k];
        }
        ok = gx_buf_puts(b, "\n [");
        for (int k = 0; ok && k < bad->ndim; k++)
            ok = gx_buf_printf(b, "%s%lld", k ? ", " : "", (long long)at[k]);
        ok = ok && gx_buf_puts(b, "]: ") && put_element(s, b, x, i) &&
             gx_buf_puts(b, less ? " (x), " : " (ACTUAL), ") && put_element(s, b, y, i) &&
             gx_buf_puts(b, less ? " (y)" : " (DESIRED)");
    }
    return ok;
}

/* "Max absolute difference among violations: 1." with a line break before it. */
static bool put_most(gx_np *s, gx_buf *b, const char *what, gx_array *d) {
    gx_array *most = gx_np_reduce(s, GX_RED_max, d, 1, false, GX_NO_DTYPE);
    gx_value text;
    if (!most) return false;
    const gx_value argv[1] = {gx_np_value(most)};
    if (!gx_np_call(s, "array2string", 1, argv, &text) || !gx_np_hold(s, text)) return false;
    return gx_buf_printf(b, "\nMax %s difference among violations: ", what) &&
           gx_buf_puts(b, gx_as_str(text)->text);
}

/* The greatest absolute and relative differences; the latter where y is not zero. */
static bool put_differences(gx_np *s, gx_buf *b, gx_array *x, gx_array *y, gx_array *bad) {
    const gx_value key = gx_np_value(gx_np_flat(s, bad));
    gx_array *f[2] = {gx_np_flat(s, gx_np_contiguous(s, x)), gx_np_flat(s, gx_np_contiguous(s, y))};
    for (int i = 0; i < 2; i++) {
        gx_value v;
        if (!key.obj || !f[i] || !gx_array_get(s->rt, f[i], key, &v) || !gx_np_hold(s, v))
            return false;
        if (!(f[i] = gx_np_arr(s, v))) return false;
    }
    if (f[0]->dtype == GX_bool) f[0] = gx_np_cast(s, f[0], GX_i64);
    gx_array *d = gx_np_op1(s, GX_OP_absolute, gx_np_op2(s, GX_OP_subtract, f[0], f[1]));
    gx_array *size = gx_np_op1(s, GX_OP_absolute, f[1]);
    gx_array *zero = gx_np_op2(s, GX_OP_equal, size, gx_np_i64(s, 0));
    gx_scalar all;
    gx_array *none = gx_np_reduce(s, GX_RED_all, zero, 1, false, GX_NO_DTYPE);
    if (!none || !gx_array_item(s->rt, none, &all)) return false;
    gx_array *safe = gx_np_op3(s, GX_OP_where, zero, gx_np_i64(s, 1), size);
    gx_array *relative = gx_np_op3(s, GX_OP_where, zero, gx_np_f64(s, all.b ? INFINITY : 0),
                                   gx_np_op2(s, GX_OP_divide, d, safe));
    return put_most(s, b, "absolute", d) && put_most(s, b, "relative", relative);
}

static bool same_shapes(const gx_array *a, const gx_array *b) {
    return a->ndim == b->ndim &&
           memcmp(gx_shape(a), gx_shape(b), (size_t)a->ndim * sizeof(int64_t)) == 0;
}

/* AssertionError unless all elements fit; message: the argument with the caller's text. */
static bool compare(gx_call *c, const comparison *how, int message, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    gx_buf text = gx_buf_new(c->rt);
    gx_value x = gx_np_value(a), y = gx_np_value(b);
    bool ok = a && b;
    if (ok && !same_shapes(a, b) && a->ndim && b->ndim) {
        ok = put_head(c, &text, how->header, message) && gx_buf_puts(&text, "(shapes ") &&
             gx_shape_text(&text, a->ndim, gx_shape(a)) && gx_buf_puts(&text, ", ") &&
             gx_shape_text(&text, b->ndim, gx_shape(b)) && gx_buf_puts(&text, " mismatch)") &&
             put_side(c->rt, &text, "ACTUAL", x) && put_side(c->rt, &text, "DESIRED", y);
        if (ok) return gx_np_end(&s, raise(c->rt, &text));
    }
    gx_array *good = ok ? fits(&s, how, a, b) : NULL;
    gx_array *bad = gx_np_op1(&s, GX_OP_logical_not, good);
    gx_array *count =
        bad ? gx_np_reduce(&s, GX_RED_sum, bad, gx_np_all(bad), false, GX_NO_DTYPE) : NULL;
    gx_scalar wrong = {.i64 = 0};
    ok = ok && count && gx_array_item(c->rt, count, &wrong);
    if (ok && wrong.i64 > 0) {
        double all = (double)bad->count;
        gx_array *wide[2] = {gx_np_broadcast(&s, a, bad->ndim, gx_shape(bad)),
                             gx_np_broadcast(&s, b, bad->ndim, gx_shape(bad))};
        ok = put_head(c, &text, how->header, message) &&
             gx_buf_printf(&text, "Mismatched elements: %lld / %.0f (%.3g%%)", (long long)wrong.i64,
                           all, 100 * (double)wrong.i64 / all) &&
             put_places(&s, &text, wide[0], wide[1], bad, wrong.i64, how->less) &&
             put_differences(&s, &text, wide[0], wide[1], bad) &&
             put_side(c->rt, &text, how->less ? "x" : "ACTUAL", x) &&
             put_side(c->rt, &text, how->less ? "y" : "DESIRED", y);
        if (ok) return gx_np_end(&s, raise(c->rt, &text));
    }
    gx_buf_free(&text);
    if (ok) *out = gx_none();
    return gx_np_end(&s, ok);
}

static bool assert_fn(gx_call *c, gx_value *out) {
    bool is;
    if (!gx_truth(c->rt, c->argv[0], &is)) return false;
    if (!is) {
        gx_buf text = gx_buf_new(c->rt);
        bool ok = gx_str_into(c->rt, c->argv[1], &text);
        if (ok) return raise(c->rt, &text);
        gx_buf_free(&text);
        return false;
    }
    *out = gx_none();
    return true;
}

static bool assert_array_equal_fn(gx_call *c, gx_value *out) {
    return compare(c, &(comparison){.header = "Arrays are not equal", .equal_nan = true}, 2, out);
}

static bool assert_array_less_fn(gx_call *c, gx_value *out) {
    return compare(c,
                   &(comparison){.header = "Arrays are not strictly ordered `x < y`", .less = true},
                   2, out);
}

static bool assert_allclose_fn(gx_call *c, gx_value *out) {
    comparison how = {.close = true};
    char header[128], r[40], a[40];
    if (!gx_arg_float(c, 2, &how.rtol) || !gx_arg_float(c, 3, &how.atol) ||
        !gx_arg_bool(c, 4, &how.equal_nan))
        return false;
    snprintf(r, sizeof r, "%g", how.rtol);
    snprintf(a, sizeof a, "%g", how.atol);
    snprintf(header, sizeof header, "Not equal to tolerance rtol=%s, atol=%s", r, a);
    how.header = header;
    return compare(c, &how, 5, out);
}

/* Equal to so many decimals: differences below 1.5 times the last. */
static bool almost(gx_call *c, const char *what, gx_value *out) {
    int64_t decimal;
    char header[80];
    if (!gx_arg_int(c, 2, &decimal)) return false;
    snprintf(header, sizeof header, "%s are not almost equal to %lld decimals", what,
             (long long)decimal);
    comparison how = {.header = header,
                      .close = true,
                      .equal_nan = true,
                      .atol = 1.5 * pow(10, -(double)decimal)};
    return compare(c, &how, 3, out);
}

static bool assert_array_almost_equal_fn(gx_call *c, gx_value *out) {
    return almost(c, "Arrays", out);
}
static bool assert_almost_equal_fn(gx_call *c, gx_value *out) {
    return almost(c, "Arrays", out);
}

/* Arrays and numbers are compared as arrays; lists, tuples and dicts item by item. */
static bool equal_items(gx_call *c, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_value *x, *y;
    int64_t n, m;
    GX_STILL(left);
    GX_STILL(right);
    if (!gx_stack_check(c->rt) || !gx_still_items(c->rt, a, &left, &x, &n) ||
        !gx_still_items(c->rt, b, &right, &y, &m))
        return false;
    if (n >= 0 && m >= 0) {
        if (n != m)
            return gx_fail(c->rt, GX_AssertionError, "testing.assert",
                           "\nItems are not equal:\n ACTUAL: %lld\n DESIRED: %lld", (long long)n,
                           (long long)m);
        for (int64_t i = 0; i < n; i++) {
            gx_value none;
            if (!equal_items(c, x[i], y[i], &none)) return false;
        }
        *out = gx_none();
        return true;
    }
    bool arrays = gx_is_array(a) || gx_is_array(b) || gx_operand_kind(a) != GX_OPERAND_NONE;
    if (arrays && (gx_is_array(a) || gx_is_array(b))) {
        const gx_value argv[3] = {a, b, c->argv[2]};
        gx_call inner = *c;
        inner.argv = argv;
        return assert_array_equal_fn(&inner, out);
    }
    bool equal;
    double p, q;
    if (gx_as_double(c->rt, a, &p) == GX_TRY_YES && gx_as_double(c->rt, b, &q) == GX_TRY_YES &&
        p != p && q != q)
        equal = true;
    else if (!gx_equal(c->rt, a, b, &equal))
        return false;
    if (!equal) {
        gx_buf text = gx_buf_new(c->rt);
        bool ok = put_head(c, &text, "Items are not equal:", 2);
        while (ok && text.length && text.data[text.length - 1] == '\n')
            text.data[--text.length] = 0;
        ok = ok && put_side(c->rt, &text, "ACTUAL", a) && put_side(c->rt, &text, "DESIRED", b);
        if (ok) return raise(c->rt, &text);
        gx_buf_free(&text);
        return false;
    }
    *out = gx_none();
    return true;
}

static bool assert_equal_fn(gx_call *c, gx_value *out) {
    return equal_items(c, c->argv[0], c->argv[1], out);
}

/* Calls a function that has to raise. */
static bool assert_raises_fn(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[2]);
    gx_value v;
    if (c->argv[0].tag != GX_TYPE || c->argv[0].type->error == GX_NO_ERROR)
        return gx_arg_wrong(c, 0, "an exception class");
    if (gx_call_value(c->rt, c->argv[1], (int)t->count, t->items, 0, NULL, &v)) {
        gx_drop(v);
        return gx_fail(c->rt, GX_AssertionError, "testing.raises", "%s not raised",
                       c->argv[0].type->name);
    }
    const gx_type *raised = &gx_exception_types[c->rt->error.kind];
    if (!gx_type_is(raised, c->argv[0].type)) return false;
    gx_error_clear(c->rt);
    *out = gx_none();
    return true;
}

#define TAIL "err_msg='', verbose=True)"
const gx_native gx_np_testing_functions[] = {
    {"assert_", "assert_(val, msg='')", "AssertionError unless val is true.", NULL, assert_fn, 0,
     0},
    {"assert_array_equal", "assert_array_equal(actual, desired, " TAIL,
     "AssertionError unless all elements are equal; nan equals nan.", NULL, assert_array_equal_fn,
     0, 0},
    {"assert_equal", "assert_equal(actual, desired, " TAIL,
     "AssertionError unless two values are equal, item by item.", NULL, assert_equal_fn, 0, 0},
    {"assert_allclose",
     "assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, " TAIL,
     "AssertionError unless |actual - desired| <= atol + rtol * |desired|.", NULL,
     assert_allclose_fn, 0, 0},
    {"assert_almost_equal", "assert_almost_equal(actual, desired, decimal=7, " TAIL,
     "AssertionError unless numbers are equal to so many decimals.", NULL, assert_almost_equal_fn,
     0, 0},
    {"assert_array_almost_equal", "assert_array_almost_equal(actual, desired, decimal=6, " TAIL,
     "AssertionError unless all elements are equal to so many decimals.", NULL,
     assert_array_almost_equal_fn, 0, 0},
    {"assert_array_less", "assert_array_less(x, y, " TAIL,
     "AssertionError unless all elements of x are less than those of y.", NULL,
     assert_array_less_fn, 0, 0},
    {"assert_raises", "assert_raises(exception_class, callable, *args)",
     "AssertionError unless the call raises the exception.", NULL, assert_raises_fn, 0, 0},
    {.name = NULL},
};
