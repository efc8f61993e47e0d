/* Ufuncs as functions: out=, where=, dtype=, casting=, and the rows that make every block of
   ops.def a function with help and a tested example. */
#include <stdio.h>
#include <string.h>

#include "runtime/array/shape.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc_int.h"

bool gx_ufunc_may_cast(gx_rt *rt, const char *name, gx_dtype from, gx_dtype to, gx_casting rule,
                       const char *what) {
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    if (gx_can_cast(from, to, rule)) return true;
    gx_fail(rt, GX_UFuncTypeError, "dtype.casting",
            "Cannot cast ufunc '%s' %s from dtype('%s') to dtype('%s') with casting rule '%s'",
            name, what, gx_dtypes[from].name, gx_dtypes[to].name, names[rule]);
    if (rule == GX_CAST_SAME_KIND && gx_dtype_kind(from) > gx_dtype_kind(to)) {
        gx_note(rt, "the %s has fractions or parts that %s cannot hold",
                *what == 'i' ? "operand" : "result", gx_dtypes[to].name);
    }
    return false;
}

static bool check_cast(gx_rt *rt, gx_opcode op, gx_dtype from, gx_dtype to, gx_casting rule,
                       const char *what) {
    return gx_ufunc_may_cast(rt, gx_ops[op].name, from, to, rule, what);
}

static bool store_result(gx_rt *rt, gx_opcode op, gx_borrowed v, const gx_op_options *options) {
    gx_array *r;
    gx_casting rule = options->has_casting ? options->casting : GX_CAST_SAME_KIND;
    if (!gx_asarray(rt, v, GX_NO_DTYPE, (gx_namespace)options->out->ns, false, &r)) return false;
    bool ok = check_cast(rt, op, (gx_dtype)r->dtype, (gx_dtype)options->out->dtype, rule, "output");
    if (ok && r->ndim > options->out->ndim) {
        ok = gx_fail(rt, GX_ValueError, "shape.out",
                     "non-broadcastable output operand: the result has %d dimensions, out has %d",
                     r->ndim, options->out->ndim);
    }
    ok = ok && gx_array_store(rt, options->out, r);
    gx_array_drop(r);
    return ok;
}

static bool is_bool(gx_borrowed v) {
    if (v.tag == GX_ARRAY) return gx_as_array(v)->dtype == GX_bool;
    return v.tag == GX_BOOL || (gx_is_scalar(v) && gx_scalar_dtype(v) == GX_bool);
}

/* Where the mask is false, out keeps what it held (a fresh result: anything). The result takes
   out's dtype first: between two others the choice would be made in a third. */
static bool mask_result(gx_rt *rt, gx_opcode op, const gx_op_options *options, gx_value *v) {
    gx_value mask = {.tag = GX_ARRAY, .obj = &options->where->obj}, other = gx_int(0), masked;
    if (options->out) {
        gx_dtype to = (gx_dtype)options->out->dtype;
        gx_casting rule = options->has_casting ? options->casting : GX_CAST_SAME_KIND;
        gx_array *r, *cast;
        if (!gx_asarray(rt, *v, GX_NO_DTYPE, (gx_namespace)options->out->ns, false, &r))
            return false;
        bool ok = check_cast(rt, op, (gx_dtype)r->dtype, to, rule, "output") &&
                  gx_array_cast(rt, r, to, false, &cast);
        gx_array_drop(r);
        if (!ok) return false;
        gx_drop(*v);
        *v = gx_array_value(cast);
        other = (gx_value){.tag = GX_ARRAY, .obj = &options->out->obj};
    }
    if (!options->out && is_bool(*v)) other = gx_bool(false); /* an int would make it one */
    if (!gx_where(rt, mask, *v, other, &masked)) return false;
    gx_drop(*v);
    *v = masked;
    return true;
}

bool gx_op_give(gx_rt *rt, const gx_op_options *options, gx_value v, gx_value *out) {
    gx_array *a;
    *out = v;
    if (!options || !options->out) return true;
    if (options->where) {
        const gx_borrowed parts[3] = {gx_array_value(options->where), v,
                                      gx_array_value(options->out)};
        const bool chosen = gx_op(rt, GX_OP_where, parts, NULL, out);
        gx_drop(v);
        if (!chosen) return false;
        v = *out;
    }
    bool ok = gx_asarray(rt, v, GX_NO_DTYPE, (gx_namespace)options->out->ns, false, &a);
    gx_drop(v);
    if (!ok) return false;
    ok = gx_array_store(rt, options->out, a);
    gx_array_drop(a);
    if (ok) *out = gx_keep(gx_array_value(options->out));
    return ok;
}

/* The kind of dtype that a Python number has beside a dtype that cannot hold it. */
static gx_dtype weak_dtype(gx_borrowed v) {
    if (v.tag == GX_FLOAT) return GX_f64;
    if (v.tag == GX_BIGINT) return GX_u64;
    return v.tag == GX_COMPLEX ? GX_c128 : GX_i64;
}

/* The dtype an operand is computed in; the exponents of ldexp are of two sizes of integer. */
static gx_dtype operand_dtype(gx_opcode op, int k, gx_dtype d, gx_dtype compute) {
    if (op == GX_OP_bitwise_count && compute == GX_bool) return GX_i8; /* bools have no bits */
    if (gx_ops[op].rule != GX_RULE_LDEXP || k == 0) return compute;
    return gx_dtype_size(d) > 4 || d == GX_u32 ? GX_i64 : GX_i32;
}

/* The operands must be allowed to become the computing dtype: what dtype= asks for, or with a
   casting= rule what they have in common. */
static bool check_inputs(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype asked,
                         const gx_op_options *options) {
    gx_casting rule = options->has_casting ? options->casting : GX_CAST_SAME_KIND;
    gx_dtype compute, result;
    gx_dtype common = asked == GX_NO_DTYPE ? gx_operands_common(op, o) : asked;
    bool any = op == GX_OP_logical_and || op == GX_OP_logical_or || op == GX_OP_logical_xor;
    if (any || gx_ops[op].rule == GX_RULE_SELECT) return true;
    if (!gx_op_dtypes(op, common, &compute, &result)) return true; /* said elsewhere */
    for (int k = 0; k < o->n; k++) {
        char what[24] = "input";
        gx_dtype d = o->weak[k] ? weak_dtype(o->value[k]) : (gx_dtype)o->dtype[k];
        const bool ints =
            gx_dtype_kind(d) <= GX_KIND_UINT && gx_dtype_kind(compute) <= GX_KIND_UINT;
        if (o->weak[k] && o->n > 1 &&
            (rule != GX_CAST_EQUIV || (ints && gx_is_comparison(op))) &&
            (gx_dtype_kind(d) <= gx_dtype_kind(compute) || compute != asked))
            continue;
        if (o->n > 1) snprintf(what, sizeof what, "input %d", k);
        if (!check_cast(rt, op, d, operand_dtype(op, k, d, compute), rule, what)) return false;
    }
    return true;
}

/* Exponents that a mask leaves out are not looked at: a negative one there is no error. */
static bool mask_exponents(gx_rt *rt, gx_operands *o, gx_array *where) {
    if (!o->array[1] || gx_dtype_kind(o->dtype[1]) != GX_KIND_INT) return true;
    gx_array *r;
    gx_value v;
    if (!gx_where(rt, gx_array_value(where), gx_array_value(o->array[1]), gx_int(0), &v))
        return false;
    bool ok = gx_asarray(rt, v, (gx_dtype)o->dtype[1], o->ns, false, &r);
    gx_drop(v);
    if (!ok) return false;
    gx_array_drop(o->array[1]);
    o->array[1] = r;
    o->value[1] = gx_array_value(r);
    return true;
}

/* The result must be allowed to become out's dtype, which is said before shapes are compared. */
static bool check_output(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype asked,
                         const gx_op_options *options) {
    gx_casting rule = options->has_casting ? options->casting : GX_CAST_SAME_KIND;
    gx_dtype compute, result, common = asked == GX_NO_DTYPE ? gx_operands_common(op, o) : asked;
    if (!gx_op_dtypes(op, common, &compute, &result)) return true; /* said elsewhere */
    return check_cast(rt, op, result, (gx_dtype)options->out->dtype, rule, "output");
}

/* Beside no other operand a Python int is an int64 or uint64, which is cast to what dtype= asks. */
static void strengthen(gx_operands *o) {
    uint64_t u;
    gx_value v = o->value[0];
    if (!o->weak[0] || (v.tag != GX_INT && !(v.tag == GX_BIGINT && gx_bigint_u64(v, &u)))) return;
    const gx_dtype d = v.tag == GX_INT ? GX_i64 : GX_u64;
    o->weak[0] = false;
    o->dtype[0] = (uint8_t)d;
    o->scalar[0] = d == GX_i64 ? (gx_scalar){.i64 = v.i} : (gx_scalar){.u64 = u};
    o->value[0] = (gx_value){.tag = GX_SCALAR, .dtype = (uint8_t)d, .u = o->scalar[0].u64};
}

GX_CHECK bool gx_op_with_options(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                                 const gx_op_options *options, gx_value *out) {
    gx_operands o;
    gx_dtype asked = options->has_dtype ? options->dtype : GX_NO_DTYPE;
    if (!gx_operands_read(rt, gx_ops[op].arity, operands, options->ns, &o)) return false;
    if (o.n == 1 && asked != GX_NO_DTYPE) strengthen(&o);
    o.function = options->function;
    o.unsafe = options->has_casting && options->casting == GX_CAST_UNSAFE;
    bool ok = asked == GX_NO_DTYPE || gx_op_asked(rt, op, &o, &asked);
    if (ok && (asked != GX_NO_DTYPE || options->has_casting))
        ok = check_inputs(rt, op, &o, asked, options);
    if (ok && options->out) ok = check_output(rt, op, &o, asked, options);
    if (ok && op == GX_OP_power && options->where) ok = mask_exponents(rt, &o, options->where);
    gx_value v = gx_undef();
    ok = ok && gx_op_resolved(rt, op, &o, asked, false, &v);
    gx_operands_free(&o);
    if (ok && options->where) ok = mask_result(rt, op, options, &v);
    if (ok && options->out) {
        ok = store_result(rt, op, v, options);
        gx_drop(v);
        v = gx_undef();
        if (ok) {
            gx_array_keep(options->out);
            v = gx_array_value(options->out);
        }
    }
    if (!ok) {
        gx_drop(v);
        return false;
    }
    *out = v;
    return true;
}

GX_CHECK bool gx_op_out_arg(gx_call *c, int i, bool named, gx_array **out, bool *keeps) {
    gx_value v = c->argv[i];
    const gx_value *items;
    *keeps = named && v.tag == GX_ELLIPSIS;
    if (*keeps) return true;
    if (named && v.tag == GX_TUPLE) {
        if (gx_sequence_items(v, &items) != 1)
            return gx_fail(c->rt, GX_ValueError, "arg.out",
                           "The 'out' tuple must have exactly one entry per ufunc output");
        v = items[0];
    }
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    if (v.tag != GX_ARRAY) return gx_arg_wrong(c, i, "an array");
    *out = gx_as_array(v);
    return gx_array_writable(c->rt, *out);
}

static bool is_default(gx_borrowed v, const char *text) {
    return v.tag == GX_UNDEF || (v.tag == GX_STR && strcmp(gx_as_str(v)->text, text) == 0);
}

bool gx_order_of_call(gx_call *c, int n, char *order) {
    gx_array *a;
    if (*order != 'A') return true;
    *order = 'F';
    for (int k = 0; k < n; k++) {
        if (!gx_asarray(c->rt, c->argv[k], GX_NO_DTYPE, c->ns, false, &a)) return false;
        if (!gx_array_is_contiguous(a, 'F')) *order = 'C';
        gx_array_drop(a);
    }
    return true;
}

/* The layout of a new result. */
static bool lay_out(gx_call *c, char order, gx_value *v) {
    gx_array *r;
    if (v->tag != GX_ARRAY || gx_as_array(*v)->ndim < 2) return true;
    if (!gx_order_of_call(c, gx_ops[c->fn->op].arity, &order)) return false;
    if (gx_array_is_contiguous(gx_as_array(*v), order)) return true;
    if (!gx_array_copy(c->rt, gx_as_array(*v), order, &r)) return false;
    gx_drop(*v);
    *v = gx_array_value(r);
    return true;
}

static bool read_order(gx_call *c, gx_borrowed v, char *order) {
    if (v.tag == GX_UNDEF || v.tag == GX_NONE) return true;
    if (v.tag != GX_STR)
        return gx_fail(c->rt, GX_TypeError, "arg.order", "order must be str, not %s",
                       gx_type_name(v));
    const char *text = gx_as_str(v)->text;
    char letter = (char)(*text & ~0x20);
    if (!*text || text[1] || !strchr("CFAK", letter))
        return gx_fail(c->rt, GX_ValueError, "arg.order",
                       "order must be one of 'C', 'F', 'A', or 'K' (got '%s')", text);
    *order = letter;
    return true;
}

static bool as_array_take(gx_rt *rt, gx_value v, gx_namespace ns, gx_value *out) {
    gx_array *a;
    bool ok = gx_asarray(rt, v, GX_NO_DTYPE, ns, true, &a);
    gx_drop(v);
    if (ok) *out = gx_array_value(a);
    return ok;
}

bool gx_op_call(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_opcode op = (gx_opcode)c->fn->op;
    int n = gx_ops[op].arity;
    gx_op_options options = {.ns = c->ns};
    gx_array *mask = NULL;
    gx_value where = c->argv[n + 1], casting = c->argv[n + 2], dtype = c->argv[n + 4];
    char order = 'K';
    bool everywhere = where.tag == GX_BOOL && where.b;
    bool keeps;
    const bool truth = c->argc <= n + 5 || c->argv[n + 5].tag == GX_BOOL;
    options.function = op == GX_OP_power;
    if (everywhere && c->argv[n].tag == GX_NONE && dtype.tag == GX_NONE &&
        truth && is_default(casting, "same_kind") &&
        is_default(c->argv[n + 3], "K"))
        return gx_op(rt, op, c->argv, &options, out);
    if (!read_order(c, c->argv[n + 3], &order)) return false;
    if (!truth) return gx_arg_wrong(c, n + 5, "a bool");
    if (!gx_op_out_arg(c, n, c->by_position <= n, &options.out, &keeps)) return false;
    if (!is_default(casting, "same_kind")) {
        if (!gx_casting_of(rt, casting, &options.casting)) return false;
        options.has_casting = true;
    }
    if (dtype.tag != GX_NONE && dtype.tag != GX_UNDEF) {
        if (!gx_dtype_of(rt, dtype, &options.dtype)) return false;
        options.has_dtype = true;
    }
    if (!everywhere && where.tag != GX_UNDEF) {
        if (where.tag == GX_ARRAY && gx_as_array(where)->dtype != GX_bool)
            return gx_fail(rt, GX_TypeError, "dtype.mask",
                           "Cannot cast array data from dtype('%s') to dtype('bool') according to "
                           "the rule 'safe'",
                           gx_dtypes[gx_as_array(where)->dtype].name);
        if (!gx_asarray(rt, where, GX_bool, c->ns, false, &mask)) return false;
        options.where = mask;
    }
    bool ok = gx_op(rt, op, c->argv, &options, out);
    gx_array_drop(mask);
    if (ok && keeps && out->tag != GX_ARRAY) return as_array_take(rt, *out, c->ns, out);
    if (!ok || order == 'K' || options.out) return ok;
    if (lay_out(c, order, out)) return true;
    gx_drop(*out);
    return false;
}

static const char call_options[] =
    ", /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, "
    "subok=True)";

void gx_op_set_special(gx_rt *rt, gx_native_fn fn) {
    gx_engine_of(rt)->special_call = fn;
}

/* The rows: name and documentation are the block's, the signature adds what every ufunc takes. */
const gx_native *gx_op_native(gx_rt *rt, gx_opcode op) {
    gx_engine *e = gx_engine_of(rt);
    if (op <= GX_OP_NONE || op >= GX_OP_COUNT) return NULL;
    if (!e->op_rows) {
        e->op_rows = gx_alloc_zero(rt, GX_OP_COUNT * sizeof *e->op_rows);
        if (!e->op_rows) return NULL;
    }
    gx_native *row = &e->op_rows[op];
    if (row->name) return row;
    const gx_op_info *i = &gx_ops[op];
    const bool special = i->rule == GX_RULE_SPECIAL && e->special_call;
    size_t names = strlen(i->sig);
    char *sig = gx_alloc(rt, names + sizeof call_options);
    if (!sig) return NULL;
    memcpy(sig, i->sig, names - 1); /* without its ")" */
    memcpy(sig + names - 1, call_options, sizeof call_options);
    *row = (gx_native){.name = i->name,
                       .sig = sig,
                       .doc = i->doc,
                       .example = i->example,
                       .fn = special ? e->special_call : gx_op_call,
                       .flags = i->method ? GX_NATIVE_METHOD : 0,
                       .op = (uint16_t)op};
    return row;
}
