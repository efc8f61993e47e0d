/* What dates and spans mean: their units, conversions between them, and dtypes. */
#include "runtime/array/kind/date.h"

#include <stdio.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

static const char *const unit_names[GX_UNITS] = {"Y",  "M",  "W",  "D",  "h",  "m",  "s",
                                                 "ms", "us", "ns", "ps", "fs", "as", "generic"};

GX_CHECK bool gx_step_text(gx_buf *out, gx_period step) {
    if (step.unit == GX_UNIT_NONE) return true;
    if (step.count != 1 && !gx_buf_printf(out, "%lld", (long long)step.count)) return false;
    return gx_buf_puts(out, unit_names[step.unit]);
}

gx_try gx_step_read(gx_rt *rt, const char *text, gx_period *out) {
    const char *p = text;
    int64_t n = 0;
    for (; *p >= '0' && *p <= '9' && n <= INT32_MAX; p++) n = n * 10 + (*p - '0');
    if (p == text) n = 1;
    if (strcmp(p, "\xc2\xb5s") == 0 || strcmp(p, "\xce\xbcs") == 0) p = "us";
    for (int u = 0; u < GX_UNITS; u++) {
        if (strcmp(p, unit_names[u]) != 0 || n < 1 || n > INT32_MAX) continue;
        *out = (gx_period){(gx_time_unit)u, n};
        return GX_TRY_YES;
    }
    gx_fail(rt, GX_TypeError, "date.unit", "Invalid datetime unit \"%s\" in metadata", text);
    gx_note(rt, "the units are Y M W D h m s ms us ns ps fs as, with a number before them: 10D");
    return GX_TRY_ERROR;
}

gx_dtype gx_time_dtype(gx_rt *rt, bool span, gx_period step) {
    char name[48];
    const char *kind = span ? "timedelta64" : "datetime64";
    if (step.unit == GX_UNIT_NONE) snprintf(name, sizeof name, "%s", kind);
    else if (step.count == 1) snprintf(name, sizeof name, "%s[%s]", kind, unit_names[step.unit]);
    else
        snprintf(name, sizeof name, "%s[%lld%s]", kind, (long long)step.count,
                 unit_names[step.unit]);
    return gx_dtype_make(rt, span ? &gx_family_span : &gx_family_date,
                         step.unit | step.count << 4, span ? 'm' : 'M', 8, name);
}

/* --- calendar --------------------------------------------------------------------------------- */

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Years begin in March, so that the day that leap years add is the last; 400 of them repeat. */
int64_t gx_day_of_civil(int64_t year, int month, int day) {
    year -= month <= 2;
    const int64_t era = floor_div(year, 400), of_era = year - era * 400;
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void gx_civil_of_day(int64_t day, int64_t *year, int *month, int *of_month) {
    day += 719468;
    const int64_t era = floor_div(day, 146097), of_era = day - era * 146097;
    const int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    const int64_t m = (5 * of_year + 2) / 153;
    *of_month = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = years + era * 400 + (*month <= 2);
}

/* How many of the next smaller unit one is; from weeks on. */
static const int smaller[GX_UNITS] = {[GX_UNIT_Y] = 12,    [GX_UNIT_W] = 7,     [GX_UNIT_D] = 24,
                                      [GX_UNIT_h] = 60,    [GX_UNIT_m] = 60,    [GX_UNIT_s] = 1000,
                                      [GX_UNIT_ms] = 1000, [GX_UNIT_us] = 1000, [GX_UNIT_ns] = 1000,
                                      [GX_UNIT_ps] = 1000, [GX_UNIT_fs] = 1000};

static bool counts_months(gx_time_unit u) {
    return u == GX_UNIT_Y || u == GX_UNIT_M;
}

typedef __int128 wide;

static wide floor_wide(wide a, wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* n of one unit in another of the same sort. */
static wide convert_alike(wide n, gx_time_unit from, gx_time_unit to) {
    wide factor = 1;
    const gx_time_unit low = from < to ? from : to, high = from < to ? to : from;
    for (int u = (int)low; u < (int)high; u++) factor *= smaller[u];
    return from <= to ? n * factor : floor_wide(n, factor);
}

int64_t gx_time_convert(bool span, int64_t n, gx_period from, gx_period to) {
    enum { DAYS = 146097, MONTHS = 4800 }; /* of 400 years */
    if (n == GX_NAT) return GX_NAT;
    if ((from.unit == to.unit && from.count == to.count) || from.unit == GX_UNIT_NONE ||
        to.unit == GX_UNIT_NONE)
        return n;
    wide x = (wide)n * from.count;
    gx_time_unit unit = from.unit;
    if (counts_months(unit) && !counts_months(to.unit)) {
        x = convert_alike(x, unit, GX_UNIT_M);
        if (span) {
            const bool fine = to.unit > GX_UNIT_D;
            x = fine ? floor_wide(convert_alike(x * DAYS, GX_UNIT_D, to.unit), MONTHS)
                     : floor_wide(x * DAYS, MONTHS);
            unit = fine ? to.unit : GX_UNIT_D;
        } else {
            const int64_t months = (int64_t)x, year = floor_div(months, 12);
            x = gx_day_of_civil(1970 + year, (int)(months - year * 12) + 1, 1);
            unit = GX_UNIT_D;
        }
    } else if (!counts_months(unit) && counts_months(to.unit)) {
        int64_t year;
        int month, day;
        if (span) {
            wide part = 1;
            for (int u = GX_UNIT_D; u < (int)unit; u++) part *= smaller[u];
            x = unit == GX_UNIT_W ? floor_wide(x * 7 * MONTHS, DAYS)
                                  : floor_wide(x * MONTHS, part * DAYS);
        } else {
            gx_civil_of_day((int64_t)convert_alike(x, unit, GX_UNIT_D), &year, &month, &day);
            x = (wide)(year - 1970) * 12 + month - 1;
        }
        unit = GX_UNIT_M;
    }
    return (int64_t)floor_wide(convert_alike(x, unit, to.unit), to.count);
}

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        const int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

gx_try gx_step_common(gx_rt *rt, bool span, gx_period a, gx_period b, gx_period *out) {
    if (a.unit == GX_UNIT_NONE || b.unit == GX_UNIT_NONE) {
        *out = a.unit == GX_UNIT_NONE ? b : a;
        return GX_TRY_YES;
    }
    if (counts_months(a.unit) != counts_months(b.unit)) {
        if (!span) {
            *out = counts_months(a.unit) ? b : a;
            return GX_TRY_YES;
        }
        gx_fail(rt, GX_TypeError, "date.months",
                "Cannot get a common metadata divisor for Numpy datetime metadata [%s] and [%s] "
                "because they have incompatible nonlinear base time units.",
                unit_names[a.unit], unit_names[b.unit]);
        gx_note(rt, "months and years have no fixed number of days");
        return GX_TRY_ERROR;
    }
    const gx_time_unit fine = a.unit > b.unit ? a.unit : b.unit;
    const wide x = convert_alike(a.count, a.unit, fine), y = convert_alike(b.count, b.unit, fine);
    const int64_t most = INT64_MAX;
    if (x > most || y > most) {
        (void)gx_fail(rt, GX_OverflowError, "date.range",
                      "Integer overflow while computing the conversion factor between NumPy "
                      "datetime units %s and %s",
                      unit_names[a.unit], unit_names[b.unit]);
        return GX_TRY_ERROR;
    }
    *out = (gx_period){fine, gcd((int64_t)x, (int64_t)y)};
    return GX_TRY_YES;
}

/* --- elements --------------------------------------------------------------------------------- */

static int number_of(const gx_dtype_info *d) {
    return (int)(d - gx_dtypes);
}

static int64_t load(const char *from) {
    int64_t n;
    memcpy(&n, from, 8);
    return n;
}

static bool time_value(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain,
                       gx_value *out) {
    const gx_dtype own = (gx_dtype)number_of(d);
    return plain ? gx_time_python(rt, own, load(from), out)
                 : gx_time_scalar(rt, own, load(from), out);
}

static bool time_put(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    gx_period step = gx_step_of(number_of(d));
    int64_t n;
    if (!gx_time_read(rt, d->family->tag == GX_FAMILY_SPAN, v, &step, &n)) return false;
    memcpy(to, &n, 8);
    return true;
}

static bool date_write(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out) {
    (void)rt;
    return gx_buf_char(out, '\'') && gx_date_text(out, load(from), gx_step_of(number_of(d))) &&
           gx_buf_char(out, '\'');
}

static bool span_write(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out) {
    (void)rt;
    (void)d;
    const int64_t n = load(from);
    return n == GX_NAT ? gx_buf_puts(out, "'NaT'") : gx_buf_printf(out, "%lld", (long long)n);
}

static bool time_code(const gx_dtype_info *d, gx_buf *out) {
    const gx_period step = gx_step_of(number_of(d));
    return gx_buf_printf(out, "<%c8", d->letter) &&
           (step.unit == GX_UNIT_NONE ||
            (gx_buf_char(out, '[') && gx_step_text(out, step) && gx_buf_char(out, ']')));
}

/* Both in the finer of two steps, for elements of different dtypes. */
static void to_common(const gx_dtype_info *da, const gx_dtype_info *db, int64_t *x, int64_t *y) {
    const bool span = da->family->tag == GX_FAMILY_SPAN;
    const gx_period a = gx_step_of(number_of(da)), b = gx_step_of(number_of(db));
    if (da == db) return;
    const gx_period fine = {a.unit > b.unit ? a.unit : b.unit, 1};
    *x = gx_time_convert(span, *x, a, fine);
    *y = gx_time_convert(span, *y, b, fine);
}

/* NaT is the last. */
static int time_order(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                      const char *b) {
    int64_t x = load(a), y = load(b);
    if (x == GX_NAT || y == GX_NAT) return (x == GX_NAT) - (y == GX_NAT);
    to_common(da, db, &x, &y);
    return x < y ? -1 : x > y;
}

static bool time_equal(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                       const char *b) {
    return load(a) != GX_NAT && time_order(da, a, db, b) == 0;
}

/* --- dtypes together -------------------------------------------------------------------------- */

static bool meet_of(gx_rt *rt, bool span, gx_borrowed v, int64_t parameter, int64_t *out) {
    gx_period step = {GX_UNIT_NONE, 1}, all;
    int64_t n;
    if (v.tag == GX_ARRAY && gx_is_time(gx_as_array(v)->dtype)) {
        step = gx_step_of(gx_as_array(v)->dtype);
    } else if (!(v.tag == GX_ARRAY && gx_as_array(v)->ndim) &&
               !gx_time_read(rt, span, v, &step, &n)) {
        return false;
    }
    const gx_period old = {(gx_time_unit)(parameter & 15), parameter >> 4};
    if (parameter > 0 && gx_step_common(rt, span, old, step, &all) != GX_TRY_YES) return false;
    if (parameter > 0) step = all;
    *out = step.unit | step.count << 4;
    return true;
}

static bool date_meet(gx_rt *rt, gx_borrowed v, int64_t parameter, int64_t *out) {
    return meet_of(rt, false, v, parameter, out);
}
static bool span_meet(gx_rt *rt, gx_borrowed v, int64_t parameter, int64_t *out) {
    return meet_of(rt, true, v, parameter, out);
}

static gx_dtype date_of(gx_rt *rt, int64_t parameter) {
    return gx_time_dtype(rt, false, (gx_period){(gx_time_unit)(parameter & 15), parameter >> 4});
}
static gx_dtype span_of(gx_rt *rt, int64_t parameter) {
    return gx_time_dtype(rt, true, (gx_period){(gx_time_unit)(parameter & 15), parameter >> 4});
}

static gx_try time_promote(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out) {
    const bool times = gx_is_time(a) && gx_is_time(b);
    const gx_dtype text = gx_is_text(a) ? a : b;
    gx_period step;
    if (gx_is_text(text)) { /* as wide as the longest of them may be */
        enum { LONGEST = 28 };
        const int64_t own = gx_dtypes[text].parameter;
        *out = gx_dtypes[text].family->of(rt, own > LONGEST ? own : LONGEST);
        return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
    }
    if (!times) {
        const gx_dtype t = gx_is_time(a) ? a : b, other = gx_is_time(a) ? b : a;
        const bool whole = !gx_is_kind(other) && gx_dtype_kind(other) <= GX_KIND_UINT;
        if (!gx_is_span(t) || !whole) return GX_TRY_NO;
        *out = t;
        return GX_TRY_YES;
    }
    const bool span = gx_is_span(a) && gx_is_span(b);
    if (gx_step_common(rt, span, gx_step_of(a), gx_step_of(b), &step) != GX_TRY_YES)
        return GX_TRY_ERROR;
    *out = gx_time_dtype(rt, span, step);
    return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
}

/* May every step of `from` be told in steps of `to`? */
static bool time_holds(gx_dtype from, gx_dtype to, bool *same) {
    const bool span = gx_is_span(to);
    if (!gx_is_time(from)) {
        const int kind = gx_dtype_kind(from);
        *same = span && !gx_is_kind(from) && kind <= GX_KIND_UINT;
        return *same && from != GX_u64;
    }
    *same = gx_is_span(from) == span;
    if (!*same) return false;
    const gx_period a = gx_step_of(from), b = gx_step_of(to);
    if (a.unit == GX_UNIT_NONE) return true;
    if (b.unit == GX_UNIT_NONE) return *same = false;
    const bool months = counts_months(a.unit), other = counts_months(b.unit);
    if (months != other && span) return *same = false;
    if (months != other) return months;
    if (a.unit > b.unit) return false;
    return convert_alike(a.count, a.unit, b.unit) % b.count == 0;
}

/* --- casts ------------------------------------------------------------------------------------ */

static gx_try cast_steps(gx_rt *rt, const gx_dtype_info *from, const char *data,
                         const gx_dtype_info *to, char *out, int64_t n) {
    const gx_period a = gx_step_of(number_of(from)), b = gx_step_of(number_of(to));
    const bool span = to->family->tag == GX_FAMILY_SPAN;
    GX_LONG_LOOP(rt, i, 0, n) {
        const int64_t x = gx_time_convert(span, load(data + 8 * i), a, b);
        memcpy(out + 8 * i, &x, 8);
    }
    return gx_work_end(rt) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Numbers of the same bytes: int64, NaN is NaT. */
static gx_try time_cast(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out, int64_t n) {
    const bool times = from->family && to->family && from->family->tag == to->family->tag;
    const int f = number_of(from), t = number_of(to);
    if (times) return cast_steps(rt, from, data, to, out, n);
    if (gx_is_time(f) && gx_is_time(t)) {
        memcpy(out, data, (size_t)n * 8);
        return GX_TRY_YES;
    }
    if (!gx_is_kind(f))
        return gx_any_cast(rt, (gx_dtype)f, data, GX_i64, out, n) ? GX_TRY_YES : GX_TRY_ERROR;
    if (!gx_is_kind(t)) {
        if (!gx_any_cast(rt, GX_i64, data, (gx_dtype)t, out, n)) return GX_TRY_ERROR;
        for (int64_t i = 0; t == GX_f64 && i < n; i++)
            if (load(data + 8 * i) == GX_NAT) memcpy(out + 8 * i, &(double){__builtin_nan("")}, 8);
        return GX_TRY_YES;
    }
    if (!gx_is_text(t)) return GX_TRY_NO;
    for (int64_t i = 0; i < n; i++) { /* as its scalar's text */
        gx_buf text = gx_buf_new(rt);
        gx_value v;
        bool ok = gx_is_date(f) ? gx_date_text(&text, load(data + 8 * i), gx_step_of(f))
                  : load(data + 8 * i) == GX_NAT
                      ? gx_buf_puts(&text, "NaT")
                      : gx_buf_printf(&text, "%lld", (long long)load(data + 8 * i));
        ok = ok && gx_str_new(rt, gx_buf_text(&text), text.length, &v);
        gx_buf_free(&text);
        if (!ok) return GX_TRY_ERROR;
        ok = gx_any_put(rt, (gx_dtype)t, v, out + i * to->bytes);
        gx_drop(v);
        if (!ok) return GX_TRY_ERROR;
    }
    return GX_TRY_YES;
}

const gx_family gx_family_date = {
    .tag = GX_FAMILY_DATE, .what = "dates", .type = &gx_type_datetime64, .number = 21,
    .alignment = 8, .value = time_value, .put = time_put, .write = date_write, .code = time_code,
    .equal = time_equal, .order = time_order, .meet = date_meet, .promote = time_promote,
    .cast = time_cast, .holds = time_holds, .of = date_of};
const gx_family gx_family_span = {
    .tag = GX_FAMILY_SPAN, .what = "spans of time", .type = &gx_type_timedelta64, .number = 22,
    .alignment = 8, .value = time_value, .put = time_put, .write = span_write, .code = time_code,
    .equal = time_equal, .order = time_order, .meet = span_meet, .promote = time_promote,
    .cast = time_cast, .holds = time_holds, .of = span_of};
