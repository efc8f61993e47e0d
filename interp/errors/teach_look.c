/* What the notes that teach look at: dtypes, shapes, shared memory, and the elements of arrays that
   are not too large. Looking computes what is pending, which changes no answer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interp/errors/suggest_int.h"
#include "interp/errors/teach_int.h"
#include "runtime/object/operators.h"

static gx_array *array_of(gx_borrowed v) {
    return v.tag == GX_ARRAY ? gx_as_array(v) : NULL;
}

static bool is_int(const gx_array *a) {
    int kind = gx_dtype_kind(a->dtype);
    return kind == GX_KIND_INT || kind == GX_KIND_UINT;
}

static bool is_float(const gx_array *a) {
    return gx_dtype_kind(a->dtype) == GX_KIND_FLOAT;
}

/* An array's elements as doubles in C order; *owner holds them. */
static bool read_doubles(gx_rt *rt, gx_array *a, const double **out, gx_array **owner) {
    gx_array *cast;
    const char *data;
    if (!gx_array_cast(rt, a, GX_f64, false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, owner);
    gx_array_drop(cast);
    if (!ok) return false;
    if (gx_array_read(rt, *owner, &data)) {
        *out = (const double *)(const void *)data;
        return true;
    }
    gx_array_drop(*owner);
    return false;
}

/* v as an array of float64 if it is an array; else v. The caller drops it. */
static bool widen(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_array *wide;
    if (v.tag != GX_ARRAY) {
        *out = gx_keep(v);
        return true;
    }
    if (!gx_array_cast(rt, gx_as_array(v), GX_f64, false, &wide)) return false;
    *out = gx_array_value(wide);
    return true;
}

/* The operation again, in float64. */
static bool again(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x, y;
    if (!widen(rt, a, &x)) return false;
    bool ok = widen(rt, b, &y);
    if (ok) {
        ok = gx_binary(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return ok;
}

/* --- a op b -------------------------------------------------------------------------------- */

static bool is_square(const gx_array *a) {
    return a->ndim == 2 && gx_shape(a)[0] == gx_shape(a)[1] && gx_shape(a)[0] > 1;
}

static void look_at_star(gx_frame *f, const gx_node *n, const gx_array *a, const gx_array *b) {
    char text[160];
    if (!a || !b || !is_square(a) || !is_square(b) || gx_shape(a)[0] != gx_shape(b)[0]) return;
    gx_buf help = gx_buf_new(f->rt);
    bool ok = gx_put_source(f->rt, n->a, true, &help) && gx_buf_puts(&help, " @ ") &&
              gx_put_source(f->rt, n->b, true, &help);
    snprintf(text, sizeof text, "`*` multiplies element by element, also two (%lld, %lld) matrices",
             (long long)gx_shape(a)[0], (long long)gx_shape(a)[1]);
    ok = ok && gx_buf_puts(&help, " is the matrix product");
    gx_teach_note(f, n, "teach.star", text, ok ? gx_buf_text(&help) : NULL);
    gx_buf_free(&help);
}

static void look_at_float64(gx_frame *f, const gx_node *n, const gx_array *a, const gx_array *b,
                            const gx_array *r) {
    char text[200];
    if (!a || !b || r->dtype != GX_f64) return;
    const gx_array *narrow = a->dtype == GX_f32 ? a : b;
    const gx_array *wide = narrow == a ? b : a;
    if (narrow->dtype != GX_f32 || wide->dtype != GX_f64) return;
    const gx_node *node = wide == a ? n->a : n->b;
    gx_buf help = gx_buf_new(f->rt);
    bool ok = gx_put_source(f->rt, node, true, &help) &&
              gx_buf_puts(&help, ".astype(float32) keeps the result float32");
    snprintf(text, sizeof text,
             "float32 with a float64 array gives float64: %lld bytes instead of %lld",
             (long long)gx_array_nbytes(r), (long long)gx_array_nbytes(r) / 2);
    gx_teach_note(f, n, "perf.float64", text, ok ? gx_buf_text(&help) : NULL);
    gx_buf_free(&help);
}

/* Elements of r that are not what the operation gives without bounds; the first in *first. */
static int64_t count_wrapped(gx_rt *rt, const gx_node *n, gx_borrowed a, gx_borrowed b, gx_array *r,
                             int64_t *first, double *right) {
    gx_value wide;
    gx_array *owner[2];
    const double *x, *y;
    int64_t count = 0;
    if (!again(rt, (gx_binop)n->op, a, b, &wide)) return 0;
    bool ok = wide.tag == GX_ARRAY && gx_as_array(wide)->count == r->count &&
              read_doubles(rt, gx_as_array(wide), &x, &owner[0]);
    if (ok && read_doubles(rt, r, &y, &owner[1])) {
        double slack = gx_dtype_size(r->dtype) < 8 ? 0.5 : 0x1p62;
        for (int64_t i = 0; i < r->count; i++) {
            if (!(fabs(x[i] - y[i]) > slack)) continue;
            if (!count++) {
                *first = i;
                *right = x[i];
            }
        }
        gx_array_drop(owner[1]);
    }
    if (ok) gx_array_drop(owner[0]);
    gx_drop(wide);
    return count;
}

static void look_at_overflow(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed b,
                             gx_array *r) {
    static const struct {
        uint8_t from, to;
    } wider[] = {{GX_i8, GX_i16}, {GX_i16, GX_i32}, {GX_i32, GX_i64},
                 {GX_u8, GX_u16}, {GX_u16, GX_u32}, {GX_u32, GX_u64}};
    char text[200], help[64] = "";
    int64_t first = 0;
    double right = 0;
    if (!is_int(r) || (n->op != GX_ADD && n->op != GX_SUB && n->op != GX_MUL)) return;
    int64_t count = count_wrapped(f->rt, n, a, b, r, &first, &right);
    if (!count) return;
    const gx_dtype_info *info = &gx_dtypes[r->dtype];
    snprintf(text, sizeof text,
             "%lld of %lld results did not fit %s and wrapped; the first is element %lld, %.0f "
             "in full",
             (long long)count, (long long)r->count, info->name, (long long)first, right);
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        if (wider[i].from == r->dtype)
            snprintf(help, sizeof help, "compute in %s: .astype(%s)", gx_dtypes[wider[i].to].name,
                     gx_dtypes[wider[i].to].name);
    gx_teach_note(f, n, "teach.overflow", text, *help ? help : NULL);
}

void gx_teach_binary(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed b, gx_borrowed r) {
    gx_array *x = array_of(a), *y = array_of(b), *z = gx_as_array(r);
    gx_error saved;
    gx_error_save(f->rt, &saved);
    if (n->op == GX_MUL) look_at_star(f, n, x, y);
    look_at_float64(f, n, x, y, z);
    if (z->count && z->count <= GX_TEACH_LARGEST && !gx_teach_was_noted(f, n, "teach.overflow"))
        look_at_overflow(f, n, a, b, z);
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
}

/* --- a == b -------------------------------------------------------------------------------- */

static const char equality_help[] = "isclose(a, b) and allclose(a, b) compare to a tolerance";

static bool is_near(double difference, double sum) {
    return difference != 0 && fabs(difference) <= 1e-14 * fabs(sum);
}

static void look_at_numbers(gx_frame *f, const gx_node *n, double a, double b) {
    char text[120];
    if (!is_near(a - b, a + b)) return;
    snprintf(text, sizeof text,
             "the two floats differ by %.2g, about the rounding of one operation", fabs(a - b));
    gx_teach_note(f, n, "teach.equality", text, equality_help);
}

void gx_teach_compare(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed b, gx_borrowed r) {
    gx_value difference, sum;
    gx_array *owner[2];
    const double *d, *s;
    int64_t near = 0;
    char text[160];
    if (a.tag == GX_FLOAT && b.tag == GX_FLOAT) look_at_numbers(f, n, a.f, b.f);
    gx_array *x = array_of(a), *y = array_of(b), *z = array_of(r);
    if (!z || !((x && is_float(x)) || (y && is_float(y))) || !z->count ||
        z->count > GX_TEACH_LARGEST || gx_teach_was_noted(f, n, "teach.equality"))
        return;
    if ((x && !is_float(x) && !is_int(x)) || (y && !is_float(y) && !is_int(y))) return;
    gx_error saved;
    gx_error_save(f->rt, &saved);
    if (again(f->rt, GX_SUB, a, b, &difference)) {
        if (again(f->rt, GX_ADD, a, b, &sum)) {
            if (read_doubles(f->rt, gx_as_array(difference), &d, &owner[0])) {
                if (read_doubles(f->rt, gx_as_array(sum), &s, &owner[1])) {
                    for (int64_t i = 0; i < z->count; i++) near += is_near(d[i], s[i]);
                    gx_array_drop(owner[1]);
                }
                gx_array_drop(owner[0]);
            }
            gx_drop(sum);
        }
        gx_drop(difference);
    }
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
    if (!near) return;
    snprintf(text, sizeof text,
             "%lld of %lld pairs differ by no more than the rounding of one "
             "operation",
             (long long)near, (long long)z->count);
    gx_teach_note(f, n, "teach.equality", text, equality_help);
}

/* --- f(x) ---------------------------------------------------------------------------------- */

static int64_t count_nan(gx_rt *rt, gx_array *a, int64_t *first) {
    gx_array *owner;
    const double *x;
    int64_t count = 0;
    if (!read_doubles(rt, a, &x, &owner)) return 0;
    for (int64_t i = 0; i < a->count; i++)
        if (isnan(x[i]) && !count++) *first = i;
    gx_array_drop(owner);
    return count;
}

void gx_teach_result(gx_frame *f, const gx_node *n, gx_borrowed x, gx_borrowed r) {
    gx_array *a = gx_as_array(x), *z = gx_as_array(r);
    int64_t first = 0, before;
    gx_scalar s, value;
    char text[200];
    if (!is_float(z) || a->count != z->count || !z->count || z->count > GX_TEACH_LARGEST) return;
    if ((!is_float(a) && !is_int(a)) || gx_teach_was_noted(f, n, "teach.nan")) return;
    gx_error saved;
    gx_error_save(f->rt, &saved);
    int64_t count = count_nan(f->rt, z, &first);
    if (count && !count_nan(f->rt, a, &before) && gx_array_item_at(f->rt, a, first, &s)) {
        value = gx_scalar_cast(a->dtype, GX_f64, &s);
        snprintf(text, sizeof text,
                 "%lld of %lld values became nan here; the first is element %lld, from %g",
                 (long long)count, (long long)z->count, (long long)first, value.f64);
        gx_teach_note(f, n, "teach.nan", text,
                      "np.errstate(invalid=\"raise\") makes an error of it");
    }
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
}

/* --- x[...] = v ---------------------------------------------------------------------------- */

/* A float whose fraction an integer array would lose; *lost is the first. */
static bool has_fraction(gx_rt *rt, gx_borrowed v, double *lost) {
    gx_array *owner, *a = array_of(v);
    const double *x;
    bool found = false;
    if (v.tag == GX_FLOAT) {
        *lost = v.f;
        return isfinite(v.f) && v.f != trunc(v.f);
    }
    if (!a || !is_float(a) || a->count > GX_TEACH_LARGEST || !read_doubles(rt, a, &x, &owner))
        return false;
    for (int64_t i = 0; i < a->count && !found; i++) {
        found = isfinite(x[i]) && x[i] != trunc(x[i]);
        if (found) *lost = x[i];
    }
    gx_array_drop(owner);
    return found;
}

/* Another name whose array lies in the same memory, or NULL. */
static const char *find_sharer(gx_frame *f, gx_sym self, const gx_array *a) {
    int32_t slots = f->code ? f->code->slots : 0;
    for (int32_t i = 0; i < slots + f->globals->count; i++) {
        bool local = i < slots;
        gx_sym name = local ? f->code->slot_names[i] : f->globals->names[i - slots];
        gx_borrowed v = local ? f->slots[i] : f->globals->values[i - slots];
        const gx_array *b = array_of(v);
        if (!b || !name || name == self || b == a || b->storage != a->storage) continue;
        if (gx_sym_text(f->rt, name)[0] != '_' && gx_arrays_share(a, b))
            return gx_sym_text(f->rt, name);
    }
    return NULL;
}

void gx_teach_store(gx_frame *f, const gx_node *n, gx_borrowed target, gx_borrowed v) {
    const gx_node *place = n->kind == GX_NODE_ASSIGN ? n->list[0] : n->a;
    if (place->kind == GX_NODE_INDEX) place = place->a;
    gx_array *a = gx_as_array(target);
    const char *name = gx_sym_text(f->rt, place->name), *other;
    char text[200], help[160];
    double lost = 0;
    gx_error saved;
    gx_error_save(f->rt, &saved);
    if (is_int(a) && !gx_teach_was_noted(f, n, "teach.truncate") && has_fraction(f->rt, v, &lost)) {
        snprintf(text, sizeof text, "%.40s holds %s: %g is stored as %.0f", name,
                 gx_dtypes[a->dtype].name, lost, trunc(lost));
        snprintf(help, sizeof help, "%.40s = %.40s.astype(float64) first, to keep fractions", name,
                 name);
        gx_teach_note(f, n, "teach.truncate", text, help);
    }
    if (!gx_teach_was_noted(f, n, "teach.view") && (other = find_sharer(f, place->name, a))) {
        snprintf(text, sizeof text, "%.40s shares memory with %.40s: this changes both", name,
                 other);
        snprintf(help, sizeof help, "%.40s = %.40s.copy() first, to change it alone", name, name);
        gx_teach_note(f, n, "teach.view", text, help);
    }
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
}
