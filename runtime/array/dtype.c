/* dtypes: names, promotion as a rule over (kind, bytes), casting rules. Tested against NumPy's own
   table in tests/unit/test_dtype.c. Elements are scalar.c's. */
#include "runtime/array/dtype.h"

#include <string.h>

#include "runtime/array/array.h"
#include "runtime/array/kind/kind.h"
#include "runtime/object/text/str.h"

static gx_dtype int_of(int bytes) {
    switch (bytes) {
    case 1: return GX_i8;
    case 2: return GX_i16;
    case 4: return GX_i32;
    default: return GX_i64;
    }
}

static gx_dtype float_of(int bytes) {
    switch (bytes) {
    case 2: return GX_f16;
    case 4: return GX_f32;
    default: return GX_f64;
    }
}

gx_dtype gx_real_dtype(gx_dtype d) {
    return d == GX_c64 ? GX_f32 : d == GX_c128 ? GX_f64 : d;
}

gx_dtype gx_complex_dtype(gx_dtype d) {
    if (gx_dtype_kind(d) == GX_KIND_CPLX) return d;
    if (gx_dtype_kind(d) != GX_KIND_FLOAT) return GX_c128;
    return d == GX_f64 ? GX_c128 : GX_c64;
}

/* The smallest float that NumPy pairs with an integer of so many bytes. */
static gx_dtype float_for_int(int bytes) {
    return float_of(bytes >= 4 ? 8 : bytes * 2);
}

gx_dtype gx_promote(gx_dtype a, gx_dtype b) {
    if (a == b) return a;
    int ka = gx_dtype_kind(a), kb = gx_dtype_kind(b);
    if (ka > kb) return gx_promote(b, a);
    int na = gx_dtypes[a].bytes, nb = gx_dtypes[b].bytes;
    if (ka == kb && na == nb) return float_of(2 * na); /* halves: the float that holds both */
    if (ka == kb) return na > nb ? a : b;
    if (ka == GX_KIND_BOOL) return b;
    if (kb == GX_KIND_UINT) { /* signed with unsigned: the signed one that holds both */
        if (nb == 8) return GX_f64;
        return int_of(na > nb ? na : nb * 2);
    }
    if (kb == GX_KIND_FLOAT) {
        gx_dtype f = float_for_int(na);
        return (int)gx_dtypes[f].bytes > nb ? f : b;
    }
    gx_dtype real = ka == GX_KIND_FLOAT ? a : float_for_int(na);
    return b == GX_c128 || real == GX_f64 ? GX_c128 : GX_c64;
}

gx_dtype gx_promote_weak(gx_dtype a, gx_dkind kind) {
    int k = gx_dtype_kind(a);
    switch (kind) {
    case GX_KIND_BOOL: return a;
    case GX_KIND_INT:
    case GX_KIND_UINT: return k == GX_KIND_BOOL ? GX_i64 : a;
    case GX_KIND_FLOAT:
        if (gx_is_extension(a)) return GX_f32; /* ml_dtypes has no loop with a Python float */
        return k >= GX_KIND_FLOAT ? a : GX_f64;
    case GX_KIND_CPLX: return gx_complex_dtype(a);
    }
    return a;
}

/* May every value of `from` be held by `to`? NumPy's "safe", which lets int64 into float64. */
static bool cast_is_safe(gx_dtype from, gx_dtype to) {
    return gx_promote(from, to) == to;
}

bool gx_can_cast(gx_dtype from, gx_dtype to, gx_casting rule) {
    if (from == to || rule == GX_CAST_UNSAFE) return true;
    if (gx_is_kind(from) || gx_is_kind(to)) return gx_kind_can_cast(from, to, rule);
    if (rule <= GX_CAST_EQUIV) return false;
    if (cast_is_safe(from, to)) return true;
    if (rule == GX_CAST_SAFE) return false;
    int kf = gx_dtype_kind(from), kt = gx_dtype_kind(to);
    if (kf == GX_KIND_INT && kt == GX_KIND_UINT) return false;
    if (kf == GX_KIND_UINT && kt == GX_KIND_INT) return true;
    return kf <= kt;
}

GX_CHECK bool gx_casting_of(gx_rt *rt, gx_borrowed v, gx_casting *out) {
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    if (v.tag == GX_STR) {
        for (int i = 0; i < 5; i++) {
            if (strcmp(gx_as_str(v)->text, names[i]) != 0) continue;
            *out = (gx_casting)i;
            return true;
        }
    }
    gx_buf text = gx_buf_new(rt);
    if (gx_repr(rt, v, &text))
        gx_fail(rt, v.tag == GX_STR ? GX_ValueError : GX_TypeError, "arg.casting",
                "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got %s)",
                gx_buf_text(&text));
    gx_buf_free(&text);
    return false;
}

bool gx_op_dtypes(gx_opcode op, gx_dtype common, gx_dtype *compute, gx_dtype *result) {
    const gx_op_info *info = &gx_ops[op];
    gx_dtype c = common, r;
    int kind = gx_dtype_kind(c), bytes = gx_dtypes[c].bytes;
    switch ((gx_rule)info->rule) {
    case GX_RULE_INEXACT:
        if (kind < GX_KIND_FLOAT) c = float_of(bytes == 1 ? 2 : bytes == 2 ? 4 : 8);
        r = c;
        break;
    case GX_RULE_SPECIAL: /* SciPy's have loops of float and double */
        if (kind < GX_KIND_FLOAT) c = bytes <= 2 ? GX_f32 : GX_f64;
        if (gx_is_half(c)) c = GX_f32;
        r = c;
        break;
    case GX_RULE_DIVIDE:
        if (kind < GX_KIND_FLOAT) c = GX_f64;
        r = c;
        break;
    case GX_RULE_TRUTH: r = GX_bool; break;
    case GX_RULE_REALPART: r = gx_real_dtype(c); break;
    case GX_RULE_WIDEN:
        if (kind == GX_KIND_BOOL) c = GX_i8;
        r = c;
        break;
    case GX_RULE_ROUND:
        if (kind == GX_KIND_BOOL) c = GX_f16;
        r = c;
        break;
    case GX_RULE_COMMON:
    case GX_RULE_SELECT: r = c; break;
    case GX_RULE_FLOAT64:
        c = kind == GX_KIND_CPLX ? GX_c128 : GX_f64;
        r = c;
        break;
    case GX_RULE_INEXACT_TRUTH:
    case GX_RULE_INEXACT_REAL:
        if (kind < GX_KIND_FLOAT) c = float_of(bytes == 1 ? 2 : bytes == 2 ? 4 : 8);
        r = info->rule == GX_RULE_INEXACT_TRUTH ? GX_bool : gx_real_dtype(c);
        break;
    case GX_RULE_COUNT: r = GX_u8; break;
    case GX_RULE_LDEXP:
        if (kind < GX_KIND_FLOAT) c = float_of(bytes == 1 ? 2 : bytes == 2 ? 4 : 8);
        r = c;
        break;
    default: return false;
    }
    /* An operation defined on floats only takes integers as floats; one with no meaning for a kind
       is the caller's TypeError. */
    if (!info->text[gx_dtype_kind(c)]) return false;
    *compute = c;
    *result = r;
    return true;
}

typedef struct dtype_alias {
    const char *name;
    uint8_t dtype;
} dtype_alias;

/* Names beyond "float32" and the one-letter codes. */
static const dtype_alias aliases[] = {
    {"bool_", GX_bool},   {"?", GX_bool},       {"b1", GX_bool},       {"i1", GX_i8},
    {"i2", GX_i16},       {"i4", GX_i32},       {"i8", GX_i64},        {"u1", GX_u8},
    {"u2", GX_u16},       {"u4", GX_u32},       {"u8", GX_u64},        {"f2", GX_f16},
    {"f4", GX_f32},       {"f8", GX_f64},       {"c8", GX_c64},        {"c16", GX_c128},
    {"int", GX_i64},      {"uint", GX_u64},     {"float", GX_f64},     {"complex", GX_c128},
    {"half", GX_f16},     {"single", GX_f32},   {"double", GX_f64},    {"byte", GX_i8},
    {"ubyte", GX_u8},     {"short", GX_i16},    {"ushort", GX_u16},    {"intc", GX_i32},
    {"uintc", GX_u32},    {"int_", GX_i64},     {"intp", GX_i64},      {"uintp", GX_u64},
    {"long", GX_i64},     {"longlong", GX_i64}, {"ulonglong", GX_u64}, {"csingle", GX_c64},
    {"cdouble", GX_c128}, {"q", GX_i64},        {"Q", GX_u64},         {"p", GX_i64},
    {"P", GX_u64},
};

static bool dtype_by_name(const char *name, gx_dtype *out) {
    bool other = *name == '>';
    if (*name == '<' || *name == '=' || *name == '|' || other) name++;
    for (int d = 0; d < GX_DTYPES; d++) {
        const gx_dtype_info *i = &gx_dtypes[d];
        if (strcmp(i->name, name) == 0 ||
            (name[0] == i->letter && !name[1] && !gx_is_extension(d))) {
            *out = (gx_dtype)d;
            return !other || i->bytes == 1;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i].name, name) != 0) continue;
        *out = (gx_dtype)aliases[i].dtype;
        return !other || gx_dtypes[*out].bytes == 1; /* a byte has no order */
    }
    return false;
}

static bool fail_name(gx_rt *rt, const char *name) {
    gx_dtype same;
    if (*name == '>' && dtype_by_name(name + 1, &same)) {
        gx_fail(rt, GX_TypeError, "dtype.order",
                "'%s' has another byte order: gx arrays have the machine's, '<'", name);
        return gx_help(rt, "np.frombuffer(data, '<%s').byteswap() reads such bytes", name + 1);
    }
    gx_fail(rt, GX_TypeError, "dtype.name", "data type '%s' not understood", name);
    const char *names[GX_DTYPES];
    for (int d = 0; d < GX_DTYPES; d++) names[d] = gx_dtypes[d].name;
    const char *near = gx_near_name(name, names, GX_DTYPES);
    if (near) return gx_help(rt, "did you mean '%s'?", near);
    return gx_note(rt, "the dtypes are bool, int8 to int64, uint8 to uint64, float16 to float64, "
                       "bfloat16, complex64, complex128");
}

GX_CHECK bool gx_dtype_of(gx_rt *rt, gx_borrowed v, gx_dtype *out) {
    if (v.tag == GX_DTYPE) {
        *out = (gx_dtype)v.dtype;
        return true;
    }
    if (v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_DICT)
        return rt->ops->dtype(rt, v, false, out) == GX_TRY_YES;
    if (v.tag == GX_STR) {
        const char *name = gx_as_str(v)->text;
        if (dtype_by_name(name, out)) return true;
        gx_try fields = rt->ops->dtype(rt, v, false, out);
        if (fields != GX_TRY_NO) return fields == GX_TRY_YES;
        gx_try made = gx_kind_by_name(rt, name, out);
        return made == GX_TRY_NO ? fail_name(rt, name) : made == GX_TRY_YES;
    }
    if (v.tag == GX_TYPE) {
        const gx_type *t = v.type;
        static const struct {
            const gx_type *type;
            uint8_t dtype;
        } python[] = {{&gx_type_float, GX_f64},   {&gx_type_int, GX_i64},
                      {&gx_type_bool, GX_bool},   {&gx_type_complex, GX_c128},
                      {&gx_type_floating, GX_f64}, {&gx_type_inexact, GX_f64},
                      {&gx_type_integer, GX_i64}, {&gx_type_complexfloating, GX_c128}};
        if (t->dtype < GX_DTYPES && gx_type_is(t, &gx_type_generic)) {
            *out = (gx_dtype)t->dtype;
            return true;
        }
        gx_try other = rt->ops->dtype(rt, v, false, out);
        if (other != GX_TRY_NO) return other == GX_TRY_YES;
        if (t == &gx_type_str || t == &gx_type_bytes) {
            *out = t == &gx_type_str ? gx_str_dtype(rt, 0) : gx_bytes_dtype(rt, 0);
            return *out != GX_NO_DTYPE;
        }
        for (size_t i = 0; i < sizeof python / sizeof *python; i++) {
            if (python[i].type != t) continue;
            *out = (gx_dtype)python[i].dtype;
            return true;
        }
        return gx_fail(rt, GX_TypeError, "dtype.type",
                       "Cannot interpret '<class '%s'>' as a data type", t->name);
    }
    if (v.tag == GX_NONE) {
        *out = GX_f64;
        return true;
    }
    if (gx_is_scalar(v)) {
        *out = gx_scalar_dtype(v);
        return true;
    }
    if (v.tag == GX_ARRAY) {
        return gx_fail(rt, GX_TypeError, "dtype.type",
                       "an array is not a data type; use its .dtype");
    }
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, v, &text);
    if (ok) {
        gx_fail(rt, GX_TypeError, "dtype.type", "Cannot interpret '%s' as a data type",
                gx_buf_text(&text));
    }
    gx_buf_free(&text);
    return false;
}

void gx_dtype_each_name(void (*fn)(const char *name, void *ctx), void *ctx) {
    for (int d = 0; d < GX_DTYPES; d++) fn(gx_dtypes[d].name, ctx);
}
