/* Elementwise operations: operands are resolved (arrays, strong scalars, weak Python numbers),
   dtypes and shapes are decided here and now, and a node is made. Small ready operands and scalars
   skip the graph: the same loops run at once. Options (out, where, dtype) are ufunc_call.c's. */
#include <stdio.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/number/number.h"
#include "runtime/graph/extent.h"
#include "runtime/array/kind/kind.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/op/ufunc_int.h"

enum { SMALL_BYTES = 4096 };

/* --- operands --- */

void gx_operands_free(gx_operands *o) {
    for (int k = 0; k < o->n; k++) gx_array_drop(o->array[k]);
}

/* The kind that a weak Python number gives. */
static gx_dkind weak_kind(gx_borrowed v) {
    if (v.tag == GX_FLOAT) return GX_KIND_FLOAT;
    return v.tag == GX_COMPLEX ? GX_KIND_CPLX : GX_KIND_INT;
}

static bool read_operand(gx_rt *rt, gx_operands *o, int k, gx_borrowed v) {
    v = gx_plain_number(v);
    o->value[k] = v;
    switch (v.tag) {
    case GX_ARRAY:
        gx_array_keep(gx_as_array(v));
        o->array[k] = gx_as_array(v);
        o->dtype[k] = o->array[k]->dtype;
        return true;
    case GX_SCALAR:
    case GX_SCALAR_BOX:
        o->dtype[k] = (uint8_t)gx_scalar_dtype(v);
        return gx_scalar_is_pending(v) || gx_scalar_read(rt, v, &o->scalar[k]);
    case GX_BOOL: /* a Python bool is strong */
        o->dtype[k] = GX_bool;
        o->scalar[k].b = v.b;
        return true;
    case GX_INT:
    case GX_BIGINT:
    case GX_FLOAT:
    case GX_COMPLEX:
        o->weak[k] = true;
        return true;
    default:
        if (!gx_asarray(rt, v, GX_NO_DTYPE, o->ns, false, &o->array[k])) return false;
        o->dtype[k] = o->array[k]->dtype;
        return true;
    }
}

/* Scalars that a device is still computing: beside an array there they are read there. */
static bool read_pending(gx_rt *rt, gx_operands *o) {
    bool there = false, ok = true;
    for (int k = 0; k < o->n; k++)
        there = there || (o->array[k] &&
                          gx_place_device(rt, gx_array_place(o->array[k]))->backend->launches);
    for (int k = 0; k < o->n && ok; k++) {
        /* One box may be several operands, and the first of them is read already: x * x. */
        if (o->value[k].tag != GX_SCALAR_BOX) continue;
        ok = there && gx_scalar_is_pending(o->value[k])
                   ? gx_scalar_array(rt, o->value[k], o->ns, &o->array[k])
                   : gx_scalar_read(rt, o->value[k], &o->scalar[k]);
    }
    return ok;
}

GX_CHECK bool gx_operands_read(gx_rt *rt, int n, const gx_borrowed *values, gx_namespace ns,
                               gx_operands *o) {
    memset(o, 0, sizeof *o);
    o->n = n;
    o->ns = ns;
    bool from_array = false, pending = false;
    for (int k = 0; k < n; k++) {
        if (!read_operand(rt, o, k, values[k])) {
            gx_operands_free(o);
            return false;
        }
        if (gx_is_kind(o->dtype[k]) && o->array[k]) {
            gx_kind_refuse(rt, (gx_dtype)o->dtype[k], "arithmetic");
            gx_operands_free(o);
            return false;
        }
        pending = pending || values[k].tag == GX_SCALAR_BOX;
        if (values[k].tag != GX_ARRAY) continue;
        gx_namespace d = (gx_namespace)o->array[k]->ns;
        if (!from_array || d == GX_NS_CUPY) o->ns = d;
        from_array = true;
    }
    if (GX_LIKELY(!pending) || read_pending(rt, o)) return true;
    gx_operands_free(o);
    return false;
}

/* Integers beside each other, where the operation knows floats only: each becomes its float. */
static gx_dtype float_beside(gx_opcode op, gx_dtype d) {
    const gx_op_info *i = &gx_ops[op];
    gx_dtype compute, result;
    const bool floats = i->rule == GX_RULE_INEXACT || i->rule == GX_RULE_SPECIAL;
    if (!floats || i->arity < 2 || gx_dtype_kind(d) >= GX_KIND_FLOAT) return d;
    return gx_op_dtypes(op, d, &compute, &result) ? compute : d;
}

gx_dtype gx_operands_common(gx_opcode op, const gx_operands *o) {
    if (gx_ops[op].rule == GX_RULE_LDEXP) { /* a Python int beside NumPy's: the least float */
        const bool small = o->n > 1 && !o->weak[1] && gx_dtype_kind(o->dtype[1]) != GX_KIND_BOOL &&
                           weak_kind(o->value[0]) == GX_KIND_INT;
        return (gx_dtype)(!o->weak[0] ? o->dtype[0] : small ? GX_f16 : GX_f64);
    }
    int first = gx_ops[op].rule == GX_RULE_SELECT ? 1 : 0;
    gx_dtype d = GX_NO_DTYPE;
    int weak = -1;
    bool wide = false;
    for (int k = first; k < o->n; k++) {
        if (o->weak[k]) {
            int kind = weak_kind(o->value[k]);
            if (kind > weak) weak = kind;
            uint64_t u;
            wide = wide || (o->value[k].tag == GX_BIGINT && gx_bigint_u64(o->value[k], &u));
        } else {
            gx_dtype next = (gx_dtype)o->dtype[k];
            d = d == GX_NO_DTYPE || d == next
                    ? next
                    : gx_promote(float_beside(op, d), float_beside(op, next));
        }
    }
    if (weak < 0) return d;
    if (d != GX_NO_DTYPE) return gx_promote_weak(d, (gx_dkind)weak);
    if (weak == GX_KIND_INT) return wide && !first ? GX_u64 : GX_i64;
    return weak == GX_KIND_FLOAT ? GX_f64 : GX_c128;
}

bool gx_fail_no_loop(gx_rt *rt, gx_opcode op, gx_dtype d) {
    const gx_op_info *i = &gx_ops[op];
    const bool refused = d == GX_bool && (op == GX_OP_subtract || op == GX_OP_negative);
    gx_fail(rt, refused ? GX_TypeError : GX_UFuncTypeError, "dtype.loop",
            "%s is not defined for %s", i->name, gx_dtypes[d].name);
    if (d == GX_bool && op == GX_OP_subtract)
        return gx_help(rt, "for bool arrays use ^ (exclusive or)");
    if (d == GX_bool && op == GX_OP_negative) return gx_help(rt, "for bool arrays use ~ (not)");
    int kind = gx_dtype_kind(d);
    if (kind >= GX_KIND_FLOAT && (i->text[GX_KIND_INT] && !i->text[GX_KIND_FLOAT])) {
        return gx_note(rt, "%s works on the bits of integers and bools", i->name);
    }
    return gx_note(rt, "it has no meaning for %s numbers",
                   kind == GX_KIND_CPLX ? "complex" : gx_dtypes[d].name);
}

/* --- scalars and small arrays --- */

/* A Python number cast as an array's elements are; ints have to fit, as ever. */
static bool forced(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    gx_scalar s = {.bits = {0, 0}};
    v = gx_plain_number(v);
    if (v.tag == GX_COMPLEX && gx_dtype_kind(d) != GX_KIND_CPLX && d != GX_bool) {
        s.f64 = ((gx_complex *)(void *)v.obj)->re;
        if (!gx_warn(rt, GX_ComplexWarning,
                     "Casting complex values to real discards the imaginary part"))
            return false;
    } else if (v.tag == GX_FLOAT) {
        s.f64 = v.f;
    } else {
        return gx_scalar_from(rt, v, d, out);
    }
    *out = gx_scalar_cast(GX_f64, d, &s);
    return true;
}

/* Operand k as one element of dtype d. */
static bool scalar_operand(gx_rt *rt, const gx_operands *o, int k, gx_dtype d, gx_scalar *out) {
    if (o->weak[k])
        return (o->unsafe ? forced : gx_scalar_from)(rt, o->value[k], d, out);
    if (o->array[k]) {
        gx_scalar s;
        if (!gx_array_item(rt, o->array[k], &s)) return false;
        *out = gx_scalar_cast((gx_dtype)o->dtype[k], d, &s);
        return true;
    }
    *out = gx_scalar_cast((gx_dtype)o->dtype[k], d, &o->scalar[k]);
    return true;
}

static gx_dtype operand_dtype(gx_opcode op, int k, gx_dtype compute) {
    return k == 0 && gx_ops[op].rule == GX_RULE_SELECT ? GX_bool : compute;
}

static bool run_small(gx_rt *rt, gx_opcode op, gx_dtype compute, gx_dtype to, void *out,
                      const void *const in[3], int64_t n, unsigned scalars) {
    int fp = 0;
    if (!rt->device->backend->small(rt->device, op, compute, to, out, in, n, scalars, &fp))
        return false;
    return GX_LIKELY(fp == 0) || gx_fp_warn(rt, fp, gx_ops[op].name, rt->here);
}

static bool warn_scalar(gx_rt *rt, gx_opcode op, int fp) {
    char name[64];
    snprintf(name, sizeof name, "scalar %s", gx_ops[op].name);
    return gx_fp_warn(rt, fp, name, rt->here);
}

/* All operands are single elements and the result is a NumPy scalar. */
static bool op_on_scalars(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype compute,
                          gx_dtype result, gx_value *out) {
    gx_scalar s[3], r = {.bits = {0, 0}};
    const void *in[3] = {NULL, NULL, NULL};
    for (int k = 0; k < o->n; k++) {
        if (!scalar_operand(rt, o, k, operand_dtype(op, k, compute), &s[k])) return false;
        in[k] = &s[k];
    }
    int fp = 0;
    if (!rt->device->backend->small(rt->device, op, compute, result, &r, in, 1, 0, &fp))
        return false;
    if (o->as_operator && gx_int_overflows(op, compute, &s[0], o->n > 1 ? &s[1] : &r))
        fp |= GX_FP_OVERFLOW;
    if (GX_UNLIKELY(fp) &&
        !(o->as_operator ? warn_scalar(rt, op, fp) : gx_fp_warn(rt, fp, gx_ops[op].name, rt->here)))
        return false;
    return gx_scalar_new(rt, result, &r, out);
}

/* Ready, contiguous, small, one shape, dtypes as computed: gives the result at once. GX_TRY_NO:
   take the general way. */
static gx_try op_small(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype compute,
                       gx_dtype result, gx_array **out) {
    const gx_array *shape = NULL;
    gx_scalar s[3];
    const void *in[3] = {NULL, NULL, NULL};
    unsigned scalars = 0;
    for (int k = 0; k < o->n; k++) {
        gx_dtype want = operand_dtype(op, k, compute);
        const gx_array *a = o->array[k];
        if (!a) {
            if (!scalar_operand(rt, o, k, want, &s[k])) return GX_TRY_ERROR;
            in[k] = &s[k];
            scalars |= 1u << k;
            continue;
        }
        const gx_data *d = a->storage->data;
        if (d->kind != GX_DATA_READY || !gx_data_on(d, GX_HOST) || a->dtype != want ||
            gx_array_is_loose(a))
            return GX_TRY_NO;
        if (a->count * 16 > SMALL_BYTES * 2) return GX_TRY_NO;
        if (!gx_array_is_contiguous(a, 'C')) return GX_TRY_NO;
        if (!shape) shape = a;
        else if (a->ndim != shape->ndim ||
                 memcmp(a->dims, shape->dims, (size_t)a->ndim * sizeof(int64_t)) != 0) {
            return GX_TRY_NO;
        }
        in[k] = gx_data_bytes(d) + a->offset;
    }
    if (!shape) return GX_TRY_NO;
    gx_array *r;
    if (!gx_array_empty(rt, result, shape->ndim, gx_shape(shape), o->ns, &r)) return GX_TRY_ERROR;
    if (shape->count && !run_small(rt, op, compute, result, gx_data_bytes(r->storage->data), in,
                                   shape->count, scalars)) {
        gx_array_drop(r);
        return GX_TRY_ERROR;
    }
    *out = r;
    return GX_TRY_YES;
}

/* --- nodes --- */

/* Do one or two operands of the result's shape, numbers aside, lie in F order? Then so does the
   result, whatever the strides of its axes of one element say. */
static bool all_fortran(const gx_operands *o, const gx_data *m) {
    bool any = false;
    for (int k = 0; k < o->n; k++) {
        const gx_array *a = o->array[k];
        if (!a || a->ndim == 0) continue;
        if (a->ndim != m->ndim || !gx_array_is_contiguous(a, 'F') ||
            memcmp(a->dims, m->shape, (size_t)m->ndim * sizeof *m->shape) != 0)
            return false;
        any = any || !gx_array_is_contiguous(a, 'C');
    }
    return any && o->n < 3;
}

static void result_layout(const gx_operands *o, gx_data *m, int64_t item) {
    int order[GX_MAX_DIMS], n = 0;
    const int64_t *strides[3];
    if (all_fortran(o, m)) {
        gx_contiguous_strides(m->ndim, m->shape, item, 'F', m->layout);
        return;
    }
    for (int k = 0; k < o->n; k++)
        if (o->array[k]) strides[n++] = m->in[k].strides;
    gx_order_of_operands(m->ndim, n, strides, order);
    gx_order_strides(m->ndim, m->shape, item, order, m->layout);
}

/* Strides of an array over a broadcast shape. */
static void broadcast_strides(const gx_array *a, int ndim, int64_t *strides) {
    int shift = ndim - a->ndim;
    for (int i = 0; i < ndim; i++) {
        strides[i] = i < shift || gx_shape(a)[i - shift] == 1 ? 0 : gx_strides(a)[i - shift];
    }
}

GX_CHECK bool gx_op_node(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype compute,
                         gx_dtype result, gx_array **out) {
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!gx_broadcast_shapes(rt, o->n, o->array, &ndim, shape)) return false;
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, result, ndim, ndim, o->n);
    if (!m || !gx_extent_value_take(rt, m, shape)) return false;
    m->op = (uint16_t)op;
    m->compute = (uint8_t)compute;
    for (int k = 0; k < o->n; k++) {
        gx_array *a = o->array[k];
        if (!a) {
            memset(m->in[k].strides, 0, (size_t)ndim * sizeof(int64_t));
            if (!scalar_operand(rt, o, k, operand_dtype(op, k, compute), &m->imm[k])) {
                gx_data_drop(m);
                return false;
            }
            continue;
        }
        broadcast_strides(a, ndim, m->in[k].strides);
        m->in[k].data = gx_data_keep(a->storage->data);
        m->in[k].offset = a->offset;
        m->in[k].dtype = (uint8_t)a->dtype;
    }
    result_layout(o, m, gx_dtype_size(result));
    gx_data_count(m);
    return gx_array_of_data_take(rt, m, o->ns, out);
}

/* --- what dtypes alone do not decide --- */

/* Integer powers: a negative exponent has no integer result. */
static bool check_exponent(gx_rt *rt, const gx_operands *o, gx_dtype compute) {
    if (gx_dtype_kind(compute) != GX_KIND_INT) return true;
    bool negative = false;
    for (int k = 0; k < 2; k++)
        if (o->array[k] && o->array[k]->count == 0) return true;
    if (o->weak[1]) negative = o->value[1].tag == GX_INT && o->value[1].i < 0;
    else if (!o->array[1]) {
        gx_scalar s = gx_scalar_cast((gx_dtype)o->dtype[1], GX_i64, &o->scalar[1]);
        negative = s.i64 < 0;
    } else if (gx_dtype_kind(o->dtype[1]) == GX_KIND_INT) {
        gx_array *least;
        uint64_t all =
            o->array[1]->ndim == 64 ? UINT64_MAX : (UINT64_C(1) << o->array[1]->ndim) - 1;
        gx_scalar s;
        if (!gx_reduce(rt, GX_RED_min, o->array[1], all, false, GX_i64, NULL, NULL, &least))
            return false;
        bool ok = gx_array_item(rt, least, &s);
        gx_array_drop(least);
        if (!ok) return false;
        negative = s.i64 < 0;
    }
    if (!negative) return true;
    return gx_power_negative(rt);
}

/* x ** 2, x ** 0.5, x ** -1 with a Python exponent are square, sqrt and reciprocal, as in NumPy:
   power() itself squares only, and -1.0 is no short cut. */
static gx_opcode simpler_power(const gx_operands *o, gx_dtype common) {
    if (!o->array[0] || !o->weak[1]) return GX_OP_power;
    bool whole = o->value[1].tag == GX_INT;
    double e = whole ? (double)o->value[1].i : o->value[1].tag == GX_FLOAT ? o->value[1].f : 0;
    if (whole && e == 2 && o->dtype[0] == GX_bool && !o->function) return GX_OP_square;
    if (common != o->dtype[0]) return GX_OP_power;
    if (e == 2) return GX_OP_square;
    if (gx_dtype_kind(common) < GX_KIND_FLOAT || o->function) return GX_OP_power;
    if (e == 0.5) return GX_OP_sqrt;
    return whole && e == -1 ? GX_OP_reciprocal : GX_OP_power;
}

/* Python integers that no dtype has. Beside a float they become floats; alone they would have to be
   objects, or int64 where there are two. */
static bool check_big(gx_rt *rt, gx_opcode op, const gx_operands *o, bool logical) {
    bool floats = false, big = false, beyond = false, plain = true;
    for (int k = 0; k < o->n; k++) {
        uint64_t u;
        const gx_value v = o->value[k];
        plain = plain && o->weak[k];
        floats = floats || (o->weak[k] ? weak_kind(v) != GX_KIND_INT
                                       : gx_dtype_kind(o->dtype[k]) >= GX_KIND_FLOAT);
        if (!o->weak[k] || v.tag != GX_BIGINT) continue;
        big = true;
        beyond = beyond || !gx_bigint_u64(v, &u);
    }
    if (!big || op == GX_OP_where || (o->n == 1 ? !beyond || logical : floats && !logical))
        return true;
    gx_dtype compute = GX_i64, result = GX_i64;
    bool bools = false;
    for (int k = 0; k < o->n; k++) bools = bools || (!o->weak[k] && o->dtype[k] == GX_bool);
    if (gx_is_comparison(op) && !bools) return true;
    if (o->n > 1 && !logical && !gx_is_comparison(op) &&
        (!plain || !gx_op_dtypes(op, GX_i64, &compute, &result) ||
         gx_dtype_kind(compute) >= GX_KIND_FLOAT))
        return true; /* computed as floats, or said with the dtype of the other operand */
    if (o->n == 1 && gx_op_dtypes(op, GX_i64, &compute, &result) &&
        (gx_dtype_kind(compute) >= GX_KIND_FLOAT || result == GX_bool))
        return gx_fail(rt, GX_TypeError, "ufunc.large",
                       "ufunc '%s' not supported for integers beyond 64 bits; float(n) is in range",
                       gx_ops[op].name);
    return gx_fail(rt, GX_OverflowError, "number.overflow",
                   "Python int too large to convert to C long");
}

/* What dtypes do not say of Python numbers: of an int beside logical_and only its truth counts, and
   ldexp's second operand is an integer. */
static bool check_weak(gx_rt *rt, gx_opcode op, gx_operands *o) {
    bool logical = op == GX_OP_logical_and || op == GX_OP_logical_or || op == GX_OP_logical_xor ||
                   op == GX_OP_logical_not;
    if (!check_big(rt, op, o, logical)) return false;
    for (int k = 0; k < o->n && logical; k++) {
        if (!o->weak[k]) continue;
        if (o->value[k].tag == GX_BIGINT) o->value[k] = gx_int(1);
        if (o->value[k].tag == GX_INT) o->value[k] = gx_int(o->value[k].i != 0);
    }
    if (op != GX_OP_ldexp || o->n < 2) return true;
    if (o->value[1].tag == GX_BIGINT)
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "Python int too large to convert to C long");
    if (!o->weak[0] && o->weak[1] && o->value[1].tag == GX_INT &&
        o->value[1].i != (int32_t)o->value[1].i)
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "Python integer %lld out of bounds for int32", (long long)o->value[1].i);
    gx_dtype d = !o->weak[1] ? (gx_dtype)o->dtype[1]
                 : weak_kind(o->value[1]) == GX_KIND_INT ? GX_i64 : GX_f64;
    return (gx_dtype_kind(d) < GX_KIND_FLOAT && d != GX_u64) || gx_fail_no_loop(rt, op, d);
}

/* --- the operation --- */

static bool all_single(const gx_operands *o) {
    for (int k = 0; k < o->n; k++) {
        if (o->array[k] && o->array[k]->ndim > 0) return false;
    }
    return true;
}

GX_CHECK bool gx_op_resolved(gx_rt *rt, gx_opcode op, gx_operands *o, gx_dtype asked,
                             bool keep_array, gx_value *out) {
    if (gx_is_comparison(op) && gx_op_compare_ints(rt, op, o, out)) return true;
    if (!check_weak(rt, op, o)) return false;
    gx_dtype common = gx_operands_common(op, o), compute, result;
    if (asked != GX_NO_DTYPE) common = asked;
    if (gx_is_comparison(op) && asked == GX_NO_DTYPE) {
        gx_try t = gx_op_compare(rt, op, o, common, out);
        if (t != GX_TRY_NO) return t == GX_TRY_YES;
    }
    if (op == GX_OP_power) {
        gx_opcode simple = asked == GX_NO_DTYPE ? simpler_power(o, common) : GX_OP_power;
        if (simple != GX_OP_power) {
            gx_operands one = *o;
            one.n = 1;
            return gx_op_resolved(rt, simple, &one, GX_NO_DTYPE, keep_array, out);
        }
    }
    if (!gx_op_dtypes(op, common, &compute, &result)) return gx_fail_no_loop(rt, op, common);
    if (op == GX_OP_power && !check_exponent(rt, o, compute)) return false;
    if (!keep_array && all_single(o)) return op_on_scalars(rt, op, o, compute, result, out);
    gx_array *r;
    gx_try t = rt->debug.small && rt->device->backend->small
                   ? op_small(rt, op, o, compute, result, &r)
                   : GX_TRY_NO;
    if (t == GX_TRY_ERROR) return false;
    if (t == GX_TRY_NO && !gx_op_node(rt, op, o, compute, result, &r)) return false;
    *out = gx_array_value(r);
    return true;
}

GX_CHECK bool gx_op(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                    const gx_op_options *options, gx_value *out) {
    gx_value truths[2];
    const bool plain = !options || !(options->out || options->where || options->has_dtype ||
                                     options->has_casting || options->function);
    const gx_try fast = plain ? gx_op_fast(rt, op, operands, out) : GX_TRY_NO;
    if (fast != GX_TRY_NO) return fast == GX_TRY_YES;
    const gx_try other = gx_op_on_kinds(rt, op, operands, options, truths, out);
    if (GX_UNLIKELY(other != GX_TRY_NO)) {
        if (other == GX_TRY_ERROR) return false;
        if (truths[0].tag == GX_UNDEF) return gx_op_give(rt, options, *out, out);
        const bool ok = gx_op(rt, op, truths, options, out);
        gx_drop(truths[0]);
        gx_drop(truths[1]);
        return ok;
    }
    if (!plain) return gx_op_with_options(rt, op, operands, options, out);
    gx_operands o;
    if (!gx_operands_read(rt, gx_ops[op].arity, operands, options ? options->ns : GX_NS_GX, &o))
        return false;
    bool ok = gx_op_resolved(rt, op, &o, GX_NO_DTYPE, false, out);
    gx_operands_free(&o);
    return ok;
}

GX_CHECK bool gx_scalar_op(gx_rt *rt, gx_opcode op, const gx_borrowed *operands, gx_value *out) {
    gx_operands o;
    if (!gx_operands_read(rt, gx_ops[op].arity, operands, GX_NS_GX, &o)) return false;
    o.as_operator = true;
    bool ok = gx_op_resolved(rt, op, &o, GX_NO_DTYPE, false, out);
    gx_operands_free(&o);
    return ok;
}

GX_CHECK bool gx_op_arrays(gx_rt *rt, gx_opcode op, int n, gx_array *const *operands,
                           gx_array **out) {
    gx_operands o = {.n = n};
    for (int k = 0; k < n; k++) {
        if (gx_is_kind(operands[k]->dtype)) return gx_op_arrays_of_kinds(rt, op, n, operands, out);
        o.array[k] = operands[k];
        o.dtype[k] = operands[k]->dtype;
        o.value[k] = (gx_value){.tag = GX_ARRAY, .obj = &operands[k]->obj};
        if (k == 0 || operands[k]->ns == GX_NS_CUPY) o.ns = (gx_namespace)operands[k]->ns;
    }
    gx_value v;
    if (!gx_op_resolved(rt, op, &o, GX_NO_DTYPE, true, &v)) return false;
    if (v.tag == GX_ARRAY) {
        *out = gx_as_array(v);
        return true;
    }
    bool ok = gx_scalar_array(rt, v, o.ns, out);
    gx_drop(v);
    return ok;
}

GX_CHECK bool gx_where(gx_rt *rt, gx_borrowed cond, gx_borrowed x, gx_borrowed y, gx_value *out) {
    const gx_borrowed operands[3] = {cond, x, y};
    return gx_op(rt, GX_OP_where, operands, NULL, out);
}
