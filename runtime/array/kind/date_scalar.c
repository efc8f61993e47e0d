/* numpy.datetime64 and numpy.timedelta64: scalars that are arrays without axes whose head names the
   type, as those of records are. Python's dates in and out. */
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

GX_CHECK bool gx_time_scalar(gx_rt *rt, gx_dtype d, int64_t n, gx_value *out) {
    gx_array *a;
    char *to;
    if (!gx_array_empty(rt, d, 0, NULL, GX_NS_NUMPY, &a)) return false;
    if (!gx_array_write(rt, a, &to)) {
        gx_array_drop(a);
        return false;
    }
    memcpy(to, &n, 8);
    a->flags |= GX_ARRAY_READONLY;
    a->obj.type = gx_is_date(d) ? &gx_type_datetime64 : &gx_type_timedelta64;
    *out = gx_array_value(a);
    return true;
}

/* --- Python's dates --------------------------------------------------------------------------- */

/* datetime.name(n numbers). */
static bool make_python(gx_rt *rt, const char *name, int n, const int64_t *numbers,
                        gx_value *out) {
    gx_value import, module, text, fn = gx_undef(), args[8];
    const gx_sym loader = gx_sym_c(rt, "__import__"), attr = gx_sym_c(rt, name);
    if (!loader || !attr || !gx_native_builtin(rt, loader, &import)) return false;
    if (!gx_str_c(rt, "datetime", &text)) return false;
    bool ok = gx_call_value(rt, import, 1, &text, 0, NULL, &module);
    gx_drop(text);
    gx_drop(import);
    if (!ok) return false;
    ok = gx_get_attr(rt, module, attr, &fn);
    gx_drop(module);
    for (int i = 0; i < n; i++) args[i] = gx_int(numbers[i]);
    ok = ok && gx_call_value(rt, fn, n, args, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

GX_CHECK bool gx_time_python(gx_rt *rt, gx_dtype d, int64_t n, gx_value *out) {
    const gx_period step = gx_step_of(d), day = {GX_UNIT_D, 1}, micro = {GX_UNIT_us, 1};
    const bool span = gx_is_span(d);
    const int64_t a_day = INT64_C(86400000000);
    *out = gx_none();
    if (n == GX_NAT) return true;
    *out = gx_int(n);
    if (step.unit > GX_UNIT_us || (span && step.unit < GX_UNIT_W)) return true;
    const int64_t days = gx_time_convert(span, n, step, day);
    if (span) {
        const int64_t us = gx_time_convert(true, n, step, micro);
        if (days < -999999999 || days > 999999999) return true;
        const int64_t parts[3] = {days, 0, us - days * a_day};
        return make_python(rt, "timedelta", 3, parts, out);
    }
    int64_t year;
    int month, of_month;
    gx_civil_of_day(days, &year, &month, &of_month);
    if (year < 1 || year > 9999) return true;
    const int64_t left = step.unit <= GX_UNIT_D
                             ? 0
                             : gx_time_convert(false, n, step, micro) - days * a_day;
    const int64_t parts[7] = {year, month, of_month, left / INT64_C(3600000000),
                              left / 60000000 % 60, left / 1000000 % 60, left % 1000000};
    return make_python(rt, step.unit <= GX_UNIT_D ? "date" : "datetime",
                       step.unit <= GX_UNIT_D ? 3 : 7, parts, out);
}

static bool number_attr(gx_rt *rt, gx_borrowed v, const char *name, int64_t *out) {
    gx_value n;
    gx_sym attr = gx_sym_c(rt, name);
    if (!attr || !gx_get_attr(rt, v, attr, &n)) return false;
    bool ok = gx_as_index(rt, n, out) == GX_TRY_YES;
    gx_drop(n);
    return ok;
}

/* An instance of datetime.date, datetime or timedelta, or of a class below: which one? */
static bool is_python(gx_rt *rt, gx_borrowed v, const char *attr) {
    gx_value found;
    gx_sym name = gx_sym_c(rt, attr);
    if (!gx_is_instance(v) || !name) return false;
    gx_try t = gx_try_attr(rt, v, name, &found);
    if (t == GX_TRY_YES) gx_drop(found);
    if (t == GX_TRY_ERROR) gx_error_clear(rt);
    return t == GX_TRY_YES;
}

bool gx_is_python_time(gx_rt *rt, gx_borrowed v) {
    return is_python(rt, v, "toordinal") || is_python(rt, v, "microseconds");
}

static bool read_python(gx_rt *rt, bool span, gx_borrowed v, gx_period *step, int64_t *out) {
    static const char *const names[] = {"year", "month",  "day",        "hour",
                                        "minute", "second", "microsecond"};
    int64_t part[7] = {0};
    const bool clock = is_python(rt, v, "hour");
    if (span) {
        if (!number_attr(rt, v, "days", &part[0]) || !number_attr(rt, v, "seconds", &part[1]) ||
            !number_attr(rt, v, "microseconds", &part[2]))
            return false;
        const gx_period micro = {GX_UNIT_us, 1};
        if (step->unit == GX_UNIT_NONE) *step = micro;
        *out = gx_time_convert(true, (part[0] * 86400 + part[1]) * 1000000 + part[2], micro, *step);
        return true;
    }
    for (int i = 0; i < (clock ? 7 : 3); i++)
        if (!number_attr(rt, v, names[i], &part[i])) return false;
    const int64_t day = gx_day_of_civil(part[0], (int)part[1], (int)part[2]);
    const gx_period own = {clock ? GX_UNIT_us : GX_UNIT_D, 1};
    const int64_t n = clock ? (day * 86400 + part[3] * 3600 + part[4] * 60 + part[5]) * 1000000 +
                                  part[6]
                            : day;
    if (step->unit == GX_UNIT_NONE) *step = own;
    *out = gx_time_convert(false, n, own, *step);
    return true;
}

/* --- any value -------------------------------------------------------------------------------- */

static bool fail_value(gx_rt *rt, bool span, gx_borrowed v) {
    gx_fail(rt, GX_ValueError, "date.value", "Could not convert object to NumPy %s",
            span ? "timedelta" : "datetime");
    return gx_note(rt, "it is %s; an array of times is np.array(…, '%s')", gx_type_name(v),
                   span ? "m8[s]" : "M8[D]");
}

static bool read_element(gx_rt *rt, bool span, gx_array *a, gx_period *step, int64_t *out) {
    const char *data;
    const gx_period own = gx_step_of(a->dtype);
    if (a->count != 1)
        return gx_fail(rt, GX_ValueError, "array.scalar",
                       "setting an array element with a sequence.");
    if (span != gx_is_span(a->dtype))
        return fail_value(rt, span, (gx_value){.tag = GX_ARRAY, .obj = &a->obj});
    const bool months = own.unit <= GX_UNIT_M, other = step->unit <= GX_UNIT_M;
    if (span && months != other && own.unit != GX_UNIT_NONE && step->unit != GX_UNIT_NONE) {
        gx_fail(rt, GX_TypeError, "date.months",
                "Cannot cast NumPy timedelta64 scalar from %s to another sort of unit according "
                "to the rule 'same_kind'", gx_dtypes[a->dtype].name);
        return gx_note(rt, "months and years have no fixed number of days; .astype takes averages");
    }
    if (!gx_array_read(rt, a, &data)) return false;
    memcpy(out, data, 8);
    if (step->unit == GX_UNIT_NONE) *step = own;
    *out = gx_time_convert(span, *out, own, *step);
    return true;
}

/* A bool or float of NumPy's, which is cast. */
static gx_try read_scalar(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_scalar s;
    const gx_dtype d = gx_scalar_dtype(v);
    if (gx_dtype_kind(d) == GX_KIND_CPLX) return GX_TRY_NO;
    if (!gx_scalar_read(rt, v, &s)) return GX_TRY_ERROR;
    s = gx_scalar_cast(d, GX_f64, &s);
    *out = s.f64 != s.f64 ? GX_NAT : gx_scalar_cast(GX_f64, GX_i64, &s).i64;
    return GX_TRY_YES;
}

GX_CHECK bool gx_time_read(gx_rt *rt, bool span, gx_borrowed v, gx_period *step, int64_t *out) {
    if (v.tag == GX_ARRAY && gx_is_time(gx_as_array(v)->dtype))
        return read_element(rt, span, gx_as_array(v), step, out);
    if (v.tag == GX_NONE) {
        *out = GX_NAT;
        return true;
    }
    if (v.tag == GX_STR || v.tag == GX_BYTES) {
        const char *text = gx_as_str(v)->text;
        if (!span) return gx_date_parse(rt, text, step, out);
        if (!*text || gx_is_nat_text(text)) {
            *out = GX_NAT;
            return true;
        }
        int64_t n = 0;
        const char *p = text + (*text == '-' || *text == '+');
        for (; *p >= '0' && *p <= '9' && n < INT64_MAX / 10 - 9; p++) n = n * 10 + (*p - '0');
        if (*p || p == text) return fail_value(rt, span, v);
        *out = *text == '-' ? -n : n;
        return true;
    }
    if (is_python(rt, v, span ? "microseconds" : "toordinal"))
        return read_python(rt, span, v, step, out);
    gx_try t = v.tag == GX_BOOL ? GX_TRY_YES : gx_as_index(rt, v, out);
    if (v.tag == GX_BOOL) *out = v.b;
    if (t == GX_TRY_NO && (v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX))
        t = read_scalar(rt, v, out);
    if (t == GX_TRY_NO) return fail_value(rt, span, v);
    if (t == GX_TRY_YES && !span && step->unit == GX_UNIT_NONE && *out != GX_NAT) {
        gx_fail(rt, GX_ValueError, "date.value",
                "Converting an integer to a NumPy datetime requires a specified unit");
        return gx_help(rt, "np.datetime64(%lld, 'D')", (long long)*out);
    }
    return t == GX_TRY_YES;
}

/* --- types ------------------------------------------------------------------------------------ */

static bool number_in(gx_rt *rt, gx_borrowed v, int64_t *out) {
    const char *data;
    if (!gx_array_read(rt, gx_as_array(v), &data)) return false;
    memcpy(out, data, 8);
    return true;
}

static bool date_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    int64_t n;
    return number_in(rt, v, &n) && gx_date_text(out, n, gx_step_of(gx_as_array(v)->dtype));
}

static bool date_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    int64_t n;
    const gx_period step = gx_step_of(gx_as_array(v)->dtype);
    if (!number_in(rt, v, &n) || !gx_buf_puts(out, "np.datetime64('") ||
        !gx_date_text(out, n, step) || !gx_buf_char(out, '\''))
        return false;
    const bool told = n == GX_NAT || step.count != 1 || step.unit == GX_UNIT_h;
    if (told && !(gx_buf_puts(out, ",'") &&
                  (step.unit == GX_UNIT_NONE ? gx_buf_puts(out, "generic")
                                             : gx_step_text(out, step)) &&
                  gx_buf_char(out, '\'')))
        return false;
    return gx_buf_char(out, ')');
}

static bool span_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    static const char *const words[GX_UNITS] = {
        "years",        "months",       "weeks",       "days",        "hours",
        "minutes",      "seconds",      "milliseconds", "microseconds", "nanoseconds",
        "picoseconds",  "femtoseconds", "attoseconds", "generic time units"};
    int64_t n;
    const gx_period step = gx_step_of(gx_as_array(v)->dtype);
    if (!number_in(rt, v, &n)) return false;
    if (n == GX_NAT) return gx_buf_puts(out, "NaT");
    return gx_buf_printf(out, "%lld %s", (long long)(n * step.count), words[step.unit]);
}

static bool span_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    int64_t n;
    const gx_period step = gx_step_of(gx_as_array(v)->dtype);
    if (!number_in(rt, v, &n) || !gx_buf_puts(out, "np.timedelta64(") ||
        !(n == GX_NAT ? gx_buf_puts(out, "'NaT'") : gx_buf_printf(out, "%lld", (long long)n)))
        return false;
    if (step.unit != GX_UNIT_NONE &&
        !(gx_buf_puts(out, ",'") && gx_step_text(out, step) && gx_buf_char(out, '\'')))
        return false;
    return gx_buf_char(out, ')');
}

static bool time_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_buf text = gx_buf_new(rt);
    gx_spec s;
    bool ok = gx_str_into(rt, v, &text) && gx_spec_parse(rt, spec, length, &s) &&
              gx_format_text(rt, gx_buf_text(&text), text.length, &s, out);
    gx_buf_free(&text);
    return ok;
}

static bool time_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    int64_t n;
    if (!number_in(rt, v, &n)) return false;
    *out = n != 0;
    return true;
}

/* Equal times have one hash, whatever their step. */
static bool time_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    int64_t n;
    const gx_period step = gx_step_of(gx_as_array(v)->dtype);
    const bool months = step.unit <= GX_UNIT_M, span = gx_is_span(gx_as_array(v)->dtype);
    if (!number_in(rt, v, &n)) return false;
    const gx_period whole = {months && span ? GX_UNIT_M : GX_UNIT_as, 1};
    return gx_hash(rt, gx_int(step.unit == GX_UNIT_NONE ? n
                                                        : gx_time_convert(span, n, step, whole)),
                   out);
}

static gx_try no_number(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    (void)rt;
    (void)v;
    (void)re;
    (void)im;
    return GX_TRY_NO;
}

static bool time_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (gx_array_get(rt, gx_as_array(v), key, out)) return true;
    if (rt->error.kind != GX_IndexError) return false;
    gx_error_clear(rt);
    return gx_fail(rt, GX_IndexError, "index.scalar", "invalid index to scalar variable.");
}

/* np.datetime64('2011-03', 'D'), np.timedelta64(5, 'm'). */
static bool time_construct(gx_call *c, gx_value *out) {
    const bool span = c->type == &gx_type_timedelta64;
    gx_period step = {GX_UNIT_NONE, 1};
    int64_t n = span ? 0 : GX_NAT;
    const gx_value *items, unit = c->argv[1];
    if (gx_arg_some(c, 1)) {
        const int64_t count = gx_sequence_items(unit, &items);
        if (count == 2 && items[0].tag == GX_STR) { /* ('ms', 25) */
            int64_t times;
            if (gx_step_read(c->rt, gx_as_str(items[0])->text, &step) != GX_TRY_YES ||
                gx_as_index(c->rt, gx_sequence_items(unit, &items) == 2 ? items[1] : gx_none(),
                            &times) != GX_TRY_YES)
                return gx_failed(&c->rt->error) ? false : gx_arg_wrong(c, 1, "a unit");
            step.count *= times;
        } else if (unit.tag != GX_STR) {
            return gx_arg_wrong(c, 1, "a unit: 'D', 's'");
        } else if (gx_step_read(c->rt, gx_as_str(unit)->text, &step) != GX_TRY_YES) {
            return false;
        }
    }
    const gx_value v = c->argv[0];
    if ((v.tag == GX_ARRAY && gx_as_array(v)->ndim > 0) || v.tag == GX_LIST)
        return fail_value(c->rt, span, v);
    if (gx_arg_given(c, 0) && !gx_time_read(c->rt, span, v, &step, &n)) return false;
    const gx_dtype d = gx_time_dtype(c->rt, span, step);
    return d != GX_NO_DTYPE && gx_time_scalar(c->rt, d, n, out);
}

static const gx_native date_native = {.name = "datetime64",
                                      .sig = "datetime64(value=<no value>, unit=None, /)",
                                      .doc = "A moment, counted in a unit since 1970.",
                                      .fn = time_construct};
static const gx_native span_native = {.name = "timedelta64",
                                      .sig = "timedelta64(value=<no value>, unit=None, /)",
                                      .doc = "A span of time: a number of units.",
                                      .fn = time_construct};
#define TIME_SLOTS                                                                                 \
    .tag = GX_ARRAY, .dtype = GX_NO_DTYPE, .free = gx_array_free, .format = time_format,           \
    .truth = time_truth, .hash = time_hash, .compare = gx_array_compare,                           \
    .binary = gx_array_binary, .unary = gx_array_unary, .number = no_number, .get = time_get
const gx_type gx_type_datetime64 = {.name = "numpy.datetime64", .base = &gx_type_generic,
                                    .repr = date_repr, .str = date_str,
                                    .construct = &date_native,
                                    .doc = "A moment, counted in a unit since 1970.", TIME_SLOTS};
const gx_type gx_type_timedelta64 = {.name = "numpy.timedelta64",
                                     .base = &gx_type_signedinteger, .repr = span_repr,
                                     .str = span_str, .construct = &span_native,
                                     .doc = "A span of time: a number of units.", TIME_SLOTS};
