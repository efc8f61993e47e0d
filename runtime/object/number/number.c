/* Numbers of any kind as C doubles: Python's own, NumPy scalars, arrays of one element. */
#include "runtime/object/class/class.h"
#include "runtime/object/number/number.h"

#include <math.h>
#include <string.h>

#include "kernels/optable.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/warn.h"

bool gx_is_complex_scalar(gx_borrowed v) {
    return gx_is_scalar(v) && gx_dtypes[gx_scalar_dtype(v)].kind == GX_KIND_CPLX;
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
    v = gx_plain_number(v);
    if (gx_is_int(v)) {
        *out = v.tag == GX_BOOL ? gx_int(v.b) : gx_keep(v);
        return GX_TRY_YES;
    }
    if (gx_is_instance(v)) return gx_special_int(rt, v, "__index__", out);
    const gx_type *plain = gx_plain_type(gx_type_of(v));
    return plain && plain->index ? plain->index(rt, v, out) : GX_TRY_NO;
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
   gives. A class of arrays says of what it does not define what arrays say. */
static gx_try instance_number(gx_rt *rt, gx_borrowed v, bool real, double *re, double *im) {
    static const char *const names[] = {"__complex__", "__float__", "__index__"};
    gx_value r;
    const int n = v.tag != GX_ARRAY ? 3 : real ? 2 : 1;
    for (int i = real; i < n; i++) {
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
    default: {
        const gx_type *plain = gx_plain_type(gx_type_of(v));
        if (v.tag == GX_ARRAY && gx_is_instance(v)) {
            gx_try own = instance_number(rt, v, false, re, im);
            if (own != GX_TRY_NO) return own;
        }
        if (plain && plain->number) return plain->number(rt, v, re, im);
        return gx_is_instance(v) ? instance_number(rt, v, false, re, im) : GX_TRY_NO;
    }
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
    if (v.tag == GX_ARRAY && gx_is_instance(v)) {
        gx_try own = instance_number(rt, v, true, out, &im);
        if (own != GX_TRY_NO) return own;
    }
    if (v.tag == GX_ARRAY) /* which refuses a complex element where no imaginary part is asked */
        return gx_plain_type(gx_type_of(v))->number(rt, v, out, NULL);
    if (gx_is_instance(v) && v.tag != GX_BIGINT) return instance_number(rt, v, true, out, &im);
    return gx_as_complex(rt, v, out, &im);
}
