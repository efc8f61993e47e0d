/* Python's operators as attributes of builtin values and types: (1).__add__, float.__rsub__,
   array.__matmul__, list.__iadd__, x.__abs__. All rows are made from the operators' own list
   (GX_BINARY_HOOKS); which a kind of value has is one mask a kind.

   Invariant: none of these calls a special method of the script, and what does not fit the operand
   is NotImplemented, as in Python. */
#include <math.h>
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/call/native_int.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

/* --- kinds of values -------------------------------------------------------------------------- */

typedef enum kind {
    KIND_NONE,
    KIND_INT,
    KIND_FLOAT,
    KIND_COMPLEX,
    KIND_ARRAY,
    KIND_WHOLE, /* NumPy scalars: integers and bools */
    KIND_REAL,
    KIND_PAIR, /* complex64, complex128 */
    KIND_LIST,
    KIND_TUPLE,
    KIND_TEXT,
    KIND_BYTES, /* bytearray: a text that changes */
    KIND_DICT,
    KIND_COUNTER, /* a dict with operators of its own */
    KIND_SET,
    KIND_FROZEN, /* frozenset, views of dicts */
    KIND_OTHER,
    KINDS
} kind;

#define BIT(x) (1u << (x))
enum {
    EVERY = BIT(GX_BINOPS) - 1,
    SETS = BIT(GX_SUB) | BIT(GX_BITAND) | BIT(GX_BITXOR) | BIT(GX_BITOR),
    FIELD = BIT(GX_ADD) | BIT(GX_SUB) | BIT(GX_MUL) | BIT(GX_DIV) | BIT(GX_POW),
    FLOATS = FIELD | BIT(GX_FLOORDIV) | BIT(GX_MOD),
    COUNTS = BIT(GX_ADD) | BIT(GX_SUB) | BIT(GX_BITAND) | BIT(GX_BITOR),
    ROW = BIT(GX_ADD) | BIT(GX_MUL)
};

/* The operators with the value on the left, on the right, and in place. */
static const uint32_t masks[KINDS][3] = {
    [KIND_INT] = {EVERY & ~BIT(GX_MATMUL), EVERY & ~BIT(GX_MATMUL), 0},
    [KIND_FLOAT] = {FLOATS, FLOATS, 0},
    [KIND_COMPLEX] = {FIELD, FIELD, 0},
    [KIND_ARRAY] = {EVERY, EVERY, EVERY},
    [KIND_WHOLE] = {EVERY & ~BIT(GX_MATMUL), EVERY & ~BIT(GX_MATMUL), 0},
    [KIND_REAL] = {EVERY & ~BIT(GX_MATMUL), EVERY & ~BIT(GX_MATMUL), 0},
    [KIND_PAIR] = {EVERY & ~BIT(GX_MATMUL), EVERY & ~BIT(GX_MATMUL), 0},
    [KIND_LIST] = {ROW, BIT(GX_MUL), ROW},
    [KIND_TUPLE] = {ROW, BIT(GX_MUL), 0},
    [KIND_TEXT] = {ROW | BIT(GX_MOD), BIT(GX_MUL) | BIT(GX_MOD), 0},
    [KIND_BYTES] = {ROW | BIT(GX_MOD), BIT(GX_MUL) | BIT(GX_MOD), ROW},
    [KIND_COUNTER] = {COUNTS, BIT(GX_BITOR), COUNTS},
    [KIND_DICT] = {BIT(GX_BITOR), BIT(GX_BITOR), BIT(GX_BITOR)},
    [KIND_SET] = {SETS, SETS, SETS},
    [KIND_FROZEN] = {SETS, SETS, 0},
    [KIND_OTHER] = {FIELD | SETS, 0, 0},
};

static kind kind_of_scalar(int dtype) {
    int k = gx_dtypes[dtype].kind;
    return k == GX_KIND_CPLX ? KIND_PAIR : k == GX_KIND_FLOAT ? KIND_REAL : KIND_WHOLE;
}

static kind kind_of(const gx_type *type) {
    const gx_type *t = gx_plain_type(type);
    switch ((int)t->tag) {
    case GX_SCALAR:
    case GX_SCALAR_BOX: return t->dtype < GX_DTYPES ? kind_of_scalar(t->dtype) : KIND_REAL;
    case GX_ARRAY: return KIND_ARRAY;
    case GX_INT:
    case GX_BOOL: return KIND_INT;
    case GX_FLOAT: return KIND_FLOAT;
    case GX_COMPLEX: return KIND_COMPLEX;
    case GX_LIST: return KIND_LIST;
    case GX_TUPLE: return KIND_TUPLE;
    case GX_STR:
    case GX_BYTES: return KIND_TEXT;
    case GX_DICT: return t->unary ? KIND_COUNTER : KIND_DICT;
    case GX_SET: return t == &gx_type_set ? KIND_SET : KIND_FROZEN;
    default: break;
    }
    if (t == &gx_type_bytearray) return KIND_BYTES;
    for (; t; t = t->base) {
        if (t->inplace && t->get) return KIND_LIST; /* a deque */
        if (t->binary && t != gx_core_types[GX_TYPE]) return KIND_OTHER;
    }
    return KIND_NONE;
}

/* --- binary operators ------------------------------------------------------------------------- */

static bool call_binary(gx_call *c, gx_value *out);

#define X(id, text) {text, text "(object, value, /)", NULL, NULL, call_binary, 0, 0},
static const gx_native binary_rows[] = {GX_BINARY_HOOKS(X, op_, "") GX_BINARY_HOOKS(X, r, "r")
                                            GX_BINARY_HOOKS(X, i, "i")};
#undef X
enum { BINARY_ROWS = sizeof binary_rows / sizeof *binary_rows };

/* May Python's number a stand on its own beside b? int does not know of float. */
static bool numbers_fit(kind own, gx_borrowed other) {
    other = gx_plain_number(other);
    bool whole = gx_is_int(other);
    if (own == KIND_INT) return whole;
    return whole || other.tag == GX_FLOAT || (own == KIND_COMPLEX && other.tag == GX_COMPLEX);
}

static gx_try apply(gx_rt *rt, gx_binop op, kind own, gx_borrowed self, gx_borrowed other,
                    bool reflected, gx_value *out) {
    gx_value a = reflected ? other : self, b = reflected ? self : other;
    if (own == KIND_INT || own == KIND_FLOAT || own == KIND_COMPLEX) {
        if (!numbers_fit(own, other)) return GX_TRY_NO;
    }
    return gx_slot_binary(rt, gx_plain_type(gx_type_of(self)), op, a, b, out);
}

static bool call_binary(gx_call *c, gx_value *out) {
    size_t at = (size_t)(c->fn - binary_rows), how = at / GX_BINOPS;
    gx_value self = c->argv[0], other = c->argv[1];
    gx_binop op = (gx_binop)(at % GX_BINOPS);
    kind own = kind_of(gx_type_of(self));
    if (!(masks[own][how] & BIT(op)))
        return gx_fail(c->rt, GX_TypeError, "call.self",
                       "descriptor '%s' doesn't apply to a '%s' object", c->fn->name,
                       gx_type_name(self));
    gx_try r = how == 2 ? gx_slot_inplace(c->rt, op, self, other, out)
                        : apply(c->rt, op, own, self, other, how == 1, out);
    return r == GX_TRY_YES || (r == GX_TRY_NO && gx_not_implemented(c->rt, out));
}

/* --- one operand ------------------------------------------------------------------------------ */

static bool call_unary(gx_call *c, gx_value *out) {
    const char *name = c->fn->name;
    gx_unop op = strcmp(name, "__neg__") == 0   ? GX_NEG
                 : strcmp(name, "__pos__") == 0 ? GX_POS
                                                : GX_INVERT;
    gx_value self = gx_plain_number(c->argv[0]);
    const gx_type *t = gx_plain_type(gx_type_of(self));
    for (; t; t = t->base)
        if (t->unary) return t->unary(c->rt, op, self, out) == GX_TRY_YES;
    return gx_unary(c->rt, op, self, out);
}

/* What the builtin function of the same name does: "__abs__" is abs. */
static bool call_builtin(gx_call *c, gx_value *out) {
    char name[16];
    gx_value fn;
    size_t n = strlen(c->fn->name) - 4;
    memcpy(name, c->fn->name + 2, n);
    name[n] = 0;
    const char *r = strcmp(name, "rdivmod") == 0 ? "divmod" : name;
    if (strcmp(name, "trunc") == 0) r = "int";
    gx_sym sym = gx_sym_c(c->rt, r);
    if (!sym || !gx_native_builtin(c->rt, sym, &fn)) return false;
    gx_value args[2] = {gx_plain_number(c->argv[0]), c->argc > 1 ? c->argv[1] : gx_undef()};
    if (r != name && *r == 'd') {
        args[0] = c->argv[1];
        args[1] = gx_plain_number(c->argv[0]);
    }
    bool ok = gx_call_value(c->rt, fn, args[1].tag == GX_UNDEF ? 1 : 2, args, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

static bool call_index(gx_call *c, gx_value *out) {
    int64_t i;
    gx_value self = gx_plain_number(c->argv[0]);
    if (gx_is_int(self)) {
        *out = self.tag == GX_BOOL ? gx_int(self.b) : gx_keep(self);
        return true;
    }
    gx_try is = gx_as_index(c->rt, self, &i);
    if (is == GX_TRY_NO)
        gx_fail(c->rt, GX_TypeError, "type.index",
                "only integer scalar arrays can be converted to a scalar index");
    *out = gx_int(i);
    return is == GX_TRY_YES;
}

/* The whole number below or above. */
static bool call_whole(gx_call *c, gx_value *out) {
    double x;
    gx_value self = gx_plain_number(c->argv[0]);
    if (gx_is_int(self)) return call_index(c, out);
    gx_try is = gx_as_double(c->rt, self, &x);
    if (is == GX_TRY_NO)
        gx_fail(c->rt, GX_TypeError, "call.self", "descriptor '%s' doesn't apply to a '%s' object",
                c->fn->name, gx_type_name(c->argv[0]));
    if (is != GX_TRY_YES) return false;
    return gx_int_from_double(c->rt, strcmp(c->fn->name, "__floor__") == 0 ? floor(x) : ceil(x),
                              out);
}

static bool call_truth(gx_call *c, gx_value *out) {
    bool yes;
    if (!gx_truth(c->rt, gx_plain_number(c->argv[0]), &yes)) return false;
    *out = gx_bool(yes);
    return true;
}

typedef struct single {
    gx_native row;
    uint32_t kinds;
} single;

enum {
    PYTHON = BIT(KIND_INT) | BIT(KIND_FLOAT) | BIT(KIND_COMPLEX),
    SCALARS = BIT(KIND_WHOLE) | BIT(KIND_REAL) | BIT(KIND_PAIR),
    NUMPY = BIT(KIND_ARRAY) | SCALARS,
    ORDERED = BIT(KIND_INT) | BIT(KIND_FLOAT) | BIT(KIND_ARRAY) | BIT(KIND_WHOLE) | BIT(KIND_REAL)
};
#define ONE(name, params, fn, kinds)                                                               \
    { {name, name "(object" params, NULL, NULL, fn, 0, 0}, kinds }
static const single single_rows[] = {
    ONE("__neg__", ", /)", call_unary,
        PYTHON | NUMPY | BIT(KIND_OTHER) | BIT(KIND_COUNTER)),
    ONE("__pos__", ", /)", call_unary, PYTHON | NUMPY | BIT(KIND_COUNTER)),
    ONE("__invert__", ", /)", call_unary, BIT(KIND_INT) | NUMPY),
    ONE("__abs__", ", /)", call_builtin, PYTHON | NUMPY),
    ONE("__divmod__", ", value, /)", call_builtin, ORDERED | BIT(KIND_PAIR)),
    ONE("__rdivmod__", ", value, /)", call_builtin, ORDERED | BIT(KIND_PAIR)),
    ONE("__int__", ", /)", call_builtin, ORDERED | BIT(KIND_PAIR)),
    ONE("__float__", ", /)", call_builtin, ORDERED | BIT(KIND_PAIR)),
    ONE("__complex__", ", /)", call_builtin,
        BIT(KIND_COMPLEX) | BIT(KIND_ARRAY) | BIT(KIND_PAIR)),
    ONE("__round__", ", ndigits=None, /)", call_builtin, ORDERED & ~BIT(KIND_ARRAY)),
    ONE("__trunc__", ", /)", call_builtin, BIT(KIND_INT) | BIT(KIND_FLOAT) | BIT(KIND_REAL)),
    ONE("__floor__", ", /)", call_whole, BIT(KIND_INT) | BIT(KIND_FLOAT) | BIT(KIND_REAL)),
    ONE("__ceil__", ", /)", call_whole, BIT(KIND_INT) | BIT(KIND_FLOAT) | BIT(KIND_REAL)),
    ONE("__index__", ", /)", call_index, BIT(KIND_INT) | BIT(KIND_ARRAY) | BIT(KIND_WHOLE)),
    ONE("__bool__", ", /)", call_truth, PYTHON | NUMPY),
};
enum { SINGLE_ROWS = sizeof single_rows / sizeof *single_rows };

/* --- looking up ------------------------------------------------------------------------------- */

const gx_native *gx_operator_native(const gx_type *type, const char *name) {
    kind own = kind_of(type);
    if (own == KIND_NONE) return NULL;
    for (size_t i = 0; i < BINARY_ROWS; i++)
        if ((masks[own][i / GX_BINOPS] & BIT(i % GX_BINOPS)) &&
            strcmp(binary_rows[i].name, name) == 0)
            return &binary_rows[i];
    for (size_t i = 0; i < SINGLE_ROWS; i++)
        if ((single_rows[i].kinds & BIT(own)) && strcmp(single_rows[i].row.name, name) == 0)
            return &single_rows[i].row;
    return NULL;
}

void gx_operator_each(const gx_type *type, void (*fn)(const char *name, void *ctx), void *ctx) {
    kind own = kind_of(type);
    if (own == KIND_NONE) return;
    for (size_t i = 0; i < BINARY_ROWS; i++)
        if (masks[own][i / GX_BINOPS] & BIT(i % GX_BINOPS)) fn(binary_rows[i].name, ctx);
    for (size_t i = 0; i < SINGLE_ROWS; i++)
        if (single_rows[i].kinds & BIT(own)) fn(single_rows[i].row.name, ctx);
}
