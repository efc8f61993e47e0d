/* Numbers of any kind as C doubles: Python's own, NumPy scalars, arrays of one element. */
#include "runtime/object/class/class.h"
#include "runtime/object/number/number.h"

#include <math.h>
#include <string.h>

#include "kernels/half.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/op/ufunc.h"

/* A NumPy scalar's parts. */
static bool scalar_parts(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    gx_scalar s;
    if (!gx_scalar_read(rt, v, &s)) return false;
    *im = 0;
    *re = 0;
    const gx_dtype d = gx_scalar_dtype(v);
    switch (d) {
    case GX_bool: *re = s.b; return true;
    case GX_i8: *re = s.i8; return true;
    case GX_i16: *re = s.i16; return true;
    case GX_i32: *re = s.i32; return true;
    case GX_i64: *re = (double)s.i64; return true;
    case GX_u8: *re = s.u8; return true;
    case GX_u16: *re = s.u16; return true;
    case GX_u32: *re = s.u32; return true;
    case GX_u64: *re = (double)s.u64; return true;
    GX_HALF_DTYPES(GX_CASE)
        *re = (double)gx_half_widen(gx_dtypes[d].fraction, s.half);
        return true;
    case GX_f32: *re = (double)s.f32; return true;
    case GX_f64: *re = s.f64; return true;
    case GX_c64:
        *re = (double)s.c64.re;
        *im = (double)s.c64.im;
        return true;
    case GX_c128:
        *re = s.c128.re;
        *im = s.c128.im;
        return true;
    case GX_DTYPES: break;
    }
    return true;
}

/* What x.item() gives: the number in an array without axes. */
static gx_try item_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "item");
    if (!name) return GX_TRY_ERROR;
    if (v.tag == GX_ARRAY && gx_as_array(v)->ndim > 0) {
        gx_fail(rt, GX_TypeError, "array.scalar",
                "only 0-dimensional arrays can be converted to Python scalars");
        if (gx_as_array(v)->count == 1) gx_help(rt, "a.item() is the only element");
        return GX_TRY_ERROR;
    }
    gx_value fn;
    gx_try r = gx_try_attr(rt, v, name, &fn);
    if (r != GX_TRY_YES) return r;
    bool ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, out);
    gx_drop(fn);
    if (ok) return GX_TRY_YES;
    if (rt->error.kind == GX_ValueError) {
        gx_error_clear(rt);
        gx_fail(rt, GX_TypeError, "array.scalar",
                "only length-1 arrays can be converted to Python scalars");
    }
    return GX_TRY_ERROR;
}

bool gx_is_complex_scalar(gx_borrowed v) {
    return gx_is_scalar(v) && gx_dtype_kind(gx_scalar_dtype(v)) == GX_KIND_CPLX;
}

gx_try gx_special_int(gx_rt *rt, gx_borrowed v, const char *name, gx_value *out) {
    gx_value r;
    gx_try has = gx_special(rt, v, name, 0, NULL, &r);
    if (has != GX_TRY_YES) return has;
    gx_value i = gx_plain_number(r);
    if (gx_is_int(i)) {
        *out = i.tag == GX_BOOL ? gx_int(i.b) : gx_keep(i);
        gx_drop(r);
        return GX_TRY_YES;
    }
    gx_fail(rt, GX_TypeError, "class.index", "%s returned non-int (type %s)", name,
            gx_type_name(r));
    gx_drop(r);
    return GX_TRY_ERROR;
}

gx_try gx_as_integer(gx_rt *rt, gx_borrowed v, gx_value *out) {
    int64_t i;
    v = gx_plain_number(v);
    if (gx_is_int(v)) {
        *out = v.tag == GX_BOOL ? gx_int(v.b) : gx_keep(v);
        return GX_TRY_YES;
    }
    if (gx_is_instance(v)) return gx_special_int(rt, v, "__index__", out);
    gx_try r = gx_as_index(rt, v, &i);
    if (r == GX_TRY_YES) *out = gx_int(i);
    return r;
}

gx_try gx_as_bound(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_value i;
    if (v.tag == GX_INT) {
        *out = v.i;
        return GX_TRY_YES;
    }
    gx_try r = gx_as_integer(rt, v, &i);
    if (r != GX_TRY_YES) return r;
    *out = i.tag == GX_INT ? i.i : gx_int_compare(i, gx_int(0)) < 0 ? INT64_MIN : INT64_MAX;
    gx_drop(i);
    return r;
}

static bool fits(gx_borrowed r, int which) {
    r = gx_plain_number(r);
    return which == 0 ? r.tag == GX_COMPLEX : which == 1 ? r.tag == GX_FLOAT : gx_is_int(r);
}

/* What __complex__ (unless a real number is wanted), __float__ or __index__ of a script's class
   gives. */
static gx_try instance_number(gx_rt *rt, gx_borrowed v, bool real, double *re, double *im) {
    static const char *const names[] = {"__complex__", "__float__", "__index__"};
    gx_value r;
    for (int i = real; i < 3; i++) {
        gx_try has = gx_special(rt, v, names[i], 0, NULL, &r);
        if (has == GX_TRY_ERROR) return has;
        if (has == GX_TRY_NO) continue;
        if (!fits(r, i)) {
            if (i == 2)
                gx_fail(rt, GX_TypeError, "class.index", "__index__ returned non-int (type %s)",
                        gx_type_name(r));
            else
                gx_fail(rt, GX_TypeError, "class.number", "%s%s%s returned non-%s (type %s)",
                        i ? gx_type_name(v) : "", i ? "." : "", names[i], i ? "float" : "complex",
                        gx_type_name(r));
            has = GX_TRY_ERROR;
        } else {
            has = gx_as_complex(rt, r, re, im);
        }
        gx_drop(r);
        return has;
    }
    return GX_TRY_NO;
}

gx_try gx_as_complex(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    *im = 0;
    v = gx_plain_number(v);
    switch ((int)v.tag) {
    case GX_FLOAT: *re = v.f; return GX_TRY_YES;
    case GX_BOOL:
    case GX_INT:
    case GX_BIGINT: return gx_int_to_double(rt, v, re) ? GX_TRY_YES : GX_TRY_ERROR;
    case GX_COMPLEX:
        *re = ((gx_complex *)v.obj)->re;
        *im = ((gx_complex *)v.obj)->im;
        return GX_TRY_YES;
    case GX_SCALAR:
    case GX_SCALAR_BOX: return scalar_parts(rt, v, re, im) ? GX_TRY_YES : GX_TRY_ERROR;
    case GX_ARRAY: {
        gx_value item;
        gx_try r = item_of(rt, v, &item);
        if (r != GX_TRY_YES) return r;
        bool plain = item.tag != GX_ARRAY;
        r = plain ? gx_as_complex(rt, item, re, im) : GX_TRY_NO;
        gx_drop(item);
        return r;
    }
    default: return gx_is_instance(v) ? instance_number(rt, v, false, re, im) : GX_TRY_NO;
    }
}

gx_try gx_as_double(gx_rt *rt, gx_borrowed v, double *out) {
    double im;
    v = gx_plain_number(v);
    if (v.tag == GX_FLOAT) {
        *out = v.f;
        return GX_TRY_YES;
    }
    if (v.tag == GX_COMPLEX) return GX_TRY_NO;
    if (gx_is_complex_scalar(v)) return GX_TRY_NO;
    if (gx_is_instance(v) && v.tag != GX_BIGINT) return instance_number(rt, v, true, out, &im);
    return gx_as_complex(rt, v, out, &im);
}

GX_CHECK bool gx_scalar_real_part(gx_rt *rt, gx_borrowed v, double *out) {
    double im;
    return gx_as_complex(rt, v, out, &im) == GX_TRY_YES &&
           gx_warn(rt, GX_ComplexWarning,
                   "Casting complex values to real discards the imaginary part");
}
