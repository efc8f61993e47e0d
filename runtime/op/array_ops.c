/* Python's operators on arrays and NumPy scalars: each is NumPy's operation of that name. */
#include <float.h>
#include <pthread.h>
#include <string.h>

#include "runtime/array/array_class.h"
#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/operators.h"
#include "runtime/object/types.h"
#include "runtime/op/ufunc.h"
#include "runtime/op/ufunc_int.h"

static gx_opcode opcode_of(gx_binop op) {
    switch (op) {
    case GX_ADD: return GX_OP_add;
    case GX_SUB: return GX_OP_subtract;
    case GX_MUL: return GX_OP_multiply;
    case GX_DIV: return GX_OP_divide;
    case GX_FLOORDIV: return GX_OP_floor_divide;
    case GX_MOD: return GX_OP_remainder;
    case GX_POW: return GX_OP_power;
    case GX_LSHIFT: return GX_OP_left_shift;
    case GX_RSHIFT: return GX_OP_right_shift;
    case GX_BITAND: return GX_OP_bitwise_and;
    case GX_BITXOR: return GX_OP_bitwise_xor;
    case GX_BITOR: return GX_OP_bitwise_or;
    case GX_MATMUL:
    case GX_BINOPS: break;
    }
    return GX_OP_NONE;
}

/* Can a value stand beside an array? Lists and tuples are converted. */
static bool is_operand(gx_borrowed v) {
    return v.tag == GX_ARRAY || gx_operand_kind(v) != GX_OPERAND_NONE || v.tag == GX_LIST ||
           v.tag == GX_TUPLE || v.tag == GX_RANGE;
}

/* A NumPy scalar or a Python number? */
static bool is_number(gx_borrowed v) {
    gx_operand kind = gx_operand_kind(v);
    return kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR;
}

static bool matmul_values(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_namespace ns = a.tag == GX_ARRAY ? (gx_namespace)gx_as_array(a)->ns
                   : b.tag == GX_ARRAY ? (gx_namespace)gx_as_array(b)->ns : GX_NS_GX;
    gx_array *x = NULL, *y = NULL, *r;
    bool ok = gx_asarray(rt, a, GX_NO_DTYPE, ns, false, &x) &&
              gx_asarray(rt, b, GX_NO_DTYPE, ns, false, &y) &&
              gx_matmul_watched(rt, x, y, "matmul", &r);
    gx_array_drop(x);
    gx_array_drop(y);
    return ok && gx_array_result_take(rt, r, out);
}

/* A float64 scalar or Python number as a double; false: something else. */
static bool real_of(gx_borrowed v, double *out) {
    if (v.tag == GX_FLOAT || (v.tag == GX_SCALAR && v.dtype == GX_f64)) *out = v.f;
    else if (v.tag == GX_INT) *out = (double)v.i;
    else return false;
    return true;
}

/* + - * / of a float64 scalar with a float64 scalar or a Python number, when no warning is due: the
   very same IEEE operation as the loop's. */
static bool quick_float(gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool scalar =
        (a.tag == GX_SCALAR && a.dtype == GX_f64) || (b.tag == GX_SCALAR && b.dtype == GX_f64);
    double x, y, r;
    if (!scalar || op > GX_DIV || op == GX_MATMUL || !real_of(a, &x) || !real_of(b, &y))
        return false;
    if (op == GX_DIV && y == 0) return false;
    r = op == GX_ADD ? x + y : op == GX_SUB ? x - y : op == GX_MUL ? x * y : x / y;
    if (!(r - r == 0)) return false; /* inf or nan: perhaps a warning */
    /* Too small for a normal number: perhaps one of underflow. */
    if (op >= GX_MUL && r < DBL_MIN && r > -DBL_MIN && x != 0 && y != 0) return false;
    *out = (gx_value){.tag = GX_SCALAR, .dtype = GX_f64, .f = r};
    return true;
}

/* An int64 scalar or Python number that fits one; false: something else. */
static bool whole_of(gx_borrowed v, int64_t *out) {
    if (v.tag != GX_INT && (v.tag != GX_SCALAR || v.dtype != GX_i64)) return false;
    *out = v.i;
    return true;
}

static bool is_scalar_of(gx_borrowed v, gx_dtype d) {
    return v.tag == GX_SCALAR && v.dtype == d;
}

/* + - * of an int64 scalar with an int64 scalar or a Python number, when nothing overflows. */
static bool quick_whole(gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    int64_t x, y, r;
    if (!is_scalar_of(a, GX_i64) && !is_scalar_of(b, GX_i64)) return false;
    if (!whole_of(a, &x) || !whole_of(b, &y)) return false;
    bool over = op == GX_ADD   ? __builtin_add_overflow(x, y, &r)
                : op == GX_SUB ? __builtin_sub_overflow(x, y, &r)
                : op == GX_MUL ? __builtin_mul_overflow(x, y, &r)
                               : true;
    if (over) return false;
    *out = (gx_value){.tag = GX_SCALAR, .dtype = GX_i64, .i = r};
    return true;
}

#define ANSWER(op, x, y)                                                                           \
    (op == GX_EQ   ? x == y                                                                        \
     : op == GX_NE ? x != y                                                                        \
     : op == GX_LT ? x < y                                                                         \
     : op == GX_LE ? x <= y                                                                        \
     : op == GX_GT ? x > y                                                                         \
                   : x >= y)

/* Comparing such scalars; a nan is left to the loop, and so is an int that is no exact double. */
static bool quick_compare(gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const int64_t exact = (int64_t)1 << 53;
    double x, y;
    int64_t i, k;
    bool yes;
    if (is_scalar_of(a, GX_f64) || is_scalar_of(b, GX_f64)) {
        if (!real_of(a, &x) || !real_of(b, &y) || x != x || y != y) return false;
        if (a.tag == GX_INT && (a.i > exact || a.i < -exact)) return false;
        if (b.tag == GX_INT && (b.i > exact || b.i < -exact)) return false;
        yes = ANSWER(op, x, y);
    } else {
        if (!is_scalar_of(a, GX_i64) && !is_scalar_of(b, GX_i64)) return false;
        if (!whole_of(a, &i) || !whole_of(b, &k)) return false;
        yes = ANSWER(op, i, k);
    }
    *out = (gx_value){.tag = GX_SCALAR, .dtype = GX_bool, .u = yes};
    return true;
}

/* The ufunc of an operator, where a class of the script has its say. */
static gx_try by_ufunc(gx_rt *rt, const gx_native *fn, int n, const gx_borrowed *v, gx_array *to,
                       gx_value *out) {
    gx_value args[3] = {v[0], n > 1 ? v[1] : gx_undef()};
    gx_sym name = to ? gx_sym_c(rt, "out") : 0;
    if (!fn || (to && !name)) return GX_TRY_ERROR;
    if (to) args[n] = (gx_value){.tag = GX_ARRAY, .obj = &to->obj};
    bool ok = gx_native_call(rt, fn, GX_NS_NUMPY, NULL, n, args, to ? 1 : 0, &name, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static const gx_native *binary_ufunc(gx_rt *rt, gx_binop op) {
    return op == GX_MATMUL ? gx_native_of_numpy(rt, "matmul") : gx_op_native(rt, opcode_of(op));
}

/* Can a ufunc be asked: an operand, or what __array_ufunc__ makes one. */
static bool is_for_ufunc(gx_rt *rt, gx_borrowed v) {
    int tag = gx_special_find(rt, v, "__array_ufunc__").tag;
    return is_operand(v) ? tag != GX_NONE : tag != GX_NONE && tag != GX_UNDEF;
}

/* What most operands of an array are. */
static bool is_common(gx_borrowed v) {
    return v.tag == GX_ARRAY || v.tag == GX_FLOAT || v.tag == GX_INT;
}

static bool of_class(gx_borrowed a, gx_borrowed b) {
    return GX_UNLIKELY(gx_is_instance(a) || gx_is_instance(b));
}

static __attribute__((noinline)) bool quick_scalar(gx_binop op, gx_borrowed a, gx_borrowed b,
                                                   gx_value *out) {
    return quick_float(op, a, b, out) || quick_whole(op, a, b, out);
}

static __attribute__((noinline)) gx_try other_binary(gx_rt *rt, gx_binop op, gx_borrowed a,
                                                     gx_borrowed b, gx_value *out) {
    if (op == GX_MUL && (b.tag == GX_LIST || b.tag == GX_TUPLE) && is_number(a))
        return GX_TRY_NO; /* as an int, a NumPy scalar repeats them */
    if (of_class(a, b)) {
        const gx_value both[2] = {a, b};
        if (!is_for_ufunc(rt, a) || !is_for_ufunc(rt, b)) return GX_TRY_NO;
        return by_ufunc(rt, binary_ufunc(rt, op), 2, both, NULL, out);
    }
    if (!is_operand(a) || !is_operand(b)) return GX_TRY_NO;
    bool ok;
    const gx_borrowed both[2] = {a, b};
    if (op == GX_MATMUL) ok = matmul_values(rt, a, b, out);
    else if (is_number(a) && is_number(b)) ok = gx_scalar_op(rt, opcode_of(op), both, out);
    else ok = gx_op2(rt, opcode_of(op), a, b, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* An array whose elements are no numbers? */
static bool is_of_kind(gx_borrowed v) {
    return v.tag == GX_ARRAY && gx_is_kind(gx_as_array(v)->dtype);
}

static gx_try array_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if ((is_of_kind(a) || is_of_kind(b)) && op != GX_MATMUL && !gx_is_class_array(a) &&
        !gx_is_class_array(b)) {
        const gx_value both[2] = {a, b};
        gx_try t = gx_time_op(rt, opcode_of(op), both, out);
        if (t != GX_TRY_NO) return t;
    }
    if (op == GX_ADD && (is_of_kind(a) || is_of_kind(b))) {
        gx_try t = gx_kind_add(rt, a, b, out);
        if (t != GX_TRY_NO) return t;
    }
    if (is_common(a) && is_common(b) && (a.tag == GX_ARRAY || b.tag == GX_ARRAY) &&
        op != GX_MATMUL && !of_class(a, b))
        return gx_op2(rt, opcode_of(op), a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if ((a.tag == GX_SCALAR || b.tag == GX_SCALAR) && quick_scalar(op, a, b, out))
        return GX_TRY_YES;
    return other_binary(rt, op, a, b, out);
}
static gx_try array_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    gx_opcode code = op == GX_NEG ? GX_OP_negative : op == GX_POS ? GX_OP_positive : GX_OP_invert;
    if (gx_is_instance(a)) return by_ufunc(rt, gx_op_native(rt, code), 1, &a, NULL, out);
    bool ok = is_number(a) ? gx_scalar_op(rt, code, &a, out) : gx_op1(rt, code, a, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* == and != with something that is no number: False or True everywhere. */
static gx_try compare_other(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const gx_value v = a.tag == GX_ARRAY ? a : b;
    const bool nothing = v.tag == GX_ARRAY && gx_as_array(v)->count == 0; /* is compared */
    if (op != GX_EQ && op != GX_NE && !nothing) return GX_TRY_NO;
    gx_scalar fill = {.b = op == GX_NE};
    if (v.tag != GX_ARRAY)
        return gx_scalar_new(rt, GX_bool, &fill, out) ? GX_TRY_YES : GX_TRY_ERROR;
    const gx_array *x = gx_as_array(v);
    if (x->ndim == 0) return gx_scalar_new(rt, GX_bool, &fill, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return gx_all_compared(rt, x, (gx_namespace)x->ns, fill.b, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try array_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    static const gx_opcode codes[] = {GX_OP_equal, GX_OP_not_equal, GX_OP_less, GX_OP_less_equal,
                                      GX_OP_greater, GX_OP_greater_equal};
    if (op > GX_GE) return GX_TRY_NO;
    if (quick_compare(op, a, b, out)) return GX_TRY_YES;
    if (of_class(a, b) && is_for_ufunc(rt, a) && is_for_ufunc(rt, b)) {
        const gx_value both[2] = {a, b};
        return by_ufunc(rt, gx_op_native(rt, codes[op - GX_EQ]), 2, both, NULL, out);
    }
    if (is_of_kind(a) || is_of_kind(b)) {
        gx_try t = gx_kind_compare(rt, op, a, b, out);
        if (t != GX_TRY_NO) return t;
    }
    if (!is_operand(a) || !is_operand(b)) return compare_other(rt, op, a, b, out);
    return gx_op2(rt, codes[op - GX_EQ], a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* The result of an in-place operation must fit the array as it is. */
static bool check_inplace(gx_rt *rt, gx_opcode op, const gx_array *a, const gx_array *r) {
    if (!gx_can_cast((gx_dtype)r->dtype, (gx_dtype)a->dtype, GX_CAST_SAME_KIND)) {
        gx_fail(rt, GX_UFuncTypeError, "dtype.casting",
                "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule "
                "'same_kind'",
                gx_ops[op].name, gx_dtypes[r->dtype].name, gx_dtypes[a->dtype].name);
        return gx_help(rt, "the array stays %s in place; write x = x %s ... for a %s result",
                       gx_dtypes[a->dtype].name, op == GX_OP_divide ? "/" : "+",
                       gx_dtypes[r->dtype].name);
    }
    bool fits = r->ndim == a->ndim &&
                memcmp(gx_shape(r), gx_shape(a), (size_t)a->ndim * sizeof(int64_t)) == 0;
    if (fits) return true;
    gx_buf text = gx_buf_new(rt);
    if (gx_buf_puts(&text, "non-broadcastable output operand with shape ") &&
        gx_shape_text(&text, a->ndim, gx_shape(a)) &&
        gx_buf_puts(&text, " doesn't match the broadcast shape ") &&
        gx_shape_text(&text, r->ndim, gx_shape(r))) {
        gx_fail(rt, GX_ValueError, "shape.inplace", "%s", gx_buf_text(&text));
    }
    gx_buf_free(&text);
    return false;
}

/* Operands of shapes that do not fit: a dtype that the array cannot take is told before, as where
   the array is given as out. */
static bool into_out(gx_rt *rt, gx_binop op, gx_array *a, gx_borrowed b, gx_value *out) {
    const gx_value both[2] = {{.tag = GX_ARRAY, .obj = &a->obj}, b};
    const gx_op_options options = {.ns = (gx_namespace)a->ns, .out = a};
    if (strcmp(rt->error.code, "shape.broadcast") != 0) return false;
    gx_error_clear(rt);
    return gx_op(rt, opcode_of(op), both, &options, out);
}

static bool store_inplace(gx_rt *rt, gx_binop op, gx_array *a, gx_borrowed b, gx_value *out) {
    gx_value self = {.tag = GX_ARRAY, .obj = &a->obj}, v;
    if (of_class(self, b) && is_for_ufunc(rt, b)) {
        const gx_value both[2] = {self, b};
        return by_ufunc(rt, binary_ufunc(rt, op), 2, both, a, out) == GX_TRY_YES;
    }
    if (!is_operand(b)) {
        return gx_fail(rt, GX_TypeError, "operator.type",
                       "unsupported operand type(s) for %s=: '%s' and '%s'", gx_binop_text(op),
                       gx_type_name(self), gx_type_name(b));
    }
    if (a->flags & GX_ARRAY_READONLY) {
        return gx_fail(rt, GX_ValueError, "array.readonly", "output array is read-only");
    }
    gx_array *r;
    if (op == GX_MATMUL) {
        if (!matmul_values(rt, self, b, &v)) return false;
    } else if (!gx_op2(rt, opcode_of(op), self, b, &v)) {
        return into_out(rt, op, a, b, out);
    }
    bool ok = gx_asarray(rt, v, GX_NO_DTYPE, (gx_namespace)a->ns, false, &r);
    gx_drop(v);
    if (!ok) return false;
    if (!check_inplace(rt, op == GX_MATMUL ? GX_OP_multiply : opcode_of(op), a, r)) {
        gx_array_drop(r);
        return false;
    }
    if (!gx_array_store_take(rt, a, r)) return false;
    gx_array_keep(a);
    *out = self;
    return true;
}

static gx_try array_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return store_inplace(rt, op, gx_as_array(a), b, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

static bool any(gx_rt *rt, gx_array *a, bool *out) {
    const uint64_t all = a->ndim == 64 ? UINT64_MAX : (UINT64_C(1) << a->ndim) - 1;
    gx_array *r;
    gx_scalar s;
    if (!gx_reduce(rt, GX_RED_any, a, all, false, GX_NO_DTYPE, NULL, NULL, &r)) return false;
    bool ok = gx_array_item(rt, r, &s);
    gx_array_drop(r);
    if (ok) *out = s.b;
    return ok;
}

/* --- opening ---------------------------------------------------------------------------------- */

static void name_types(void) {
    gx_types_of_arrays(&gx_type_dtype, &gx_type_array, gx_scalar_types);
}

bool gx_operations_open(gx_rt *rt) {
    static const gx_array_ops ops = {array_binary,  array_inplace, array_unary,
                                     array_compare, any,           gx_select,
                                     gx_record_read};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    rt->ops = &ops;
    return pthread_once(&once, name_types) == 0 && gx_methods_open(rt);
}
