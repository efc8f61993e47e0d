/* Dates as ISO 8601 writes them. */
#include <string.h>
#include <time.h>

#include "runtime/array/kind/date.h"
#include "runtime/object/warn.h"

GX_CHECK bool gx_date_text(gx_buf *out, int64_t n, gx_period step) {
    if (n == GX_NAT) return gx_buf_puts(out, "NaT");
    if (step.unit == GX_UNIT_NONE) return gx_buf_printf(out, "%lld", (long long)n);
    const gx_period day = {GX_UNIT_D, 1}, whole = {step.unit, 1};
    int64_t year, days = gx_time_convert(false, n, step, day);
    int month, of_month;
    gx_civil_of_day(days, &year, &month, &of_month);
    if (!gx_buf_printf(out, "%04lld", (long long)year)) return false;
    if (step.unit == GX_UNIT_Y) return true;
    if (!gx_buf_printf(out, "-%02d", month)) return false;
    if (step.unit == GX_UNIT_M) return true;
    if (!gx_buf_printf(out, "-%02d", of_month)) return false;
    if (step.unit <= GX_UNIT_D) return true;
    int64_t left = gx_time_convert(false, n, step, whole) -
                   gx_time_convert(false, days, day, whole);
    int64_t part[9] = {0};
    static const int sizes[] = {24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000};
    for (int u = (int)step.unit; u >= GX_UNIT_h; u--) {
        part[u - GX_UNIT_h] = left % sizes[u - GX_UNIT_h];
        left /= sizes[u - GX_UNIT_h];
    }
    static const char *const marks[] = {"T%02lld", ":%02lld", ":%02lld", ".%03lld"};
    for (int u = GX_UNIT_h; u <= (int)step.unit; u++) {
        const int k = u - GX_UNIT_h;
        if (!gx_buf_printf(out, k < 4 ? marks[k] : "%03lld", (long long)part[k])) return false;
    }
    return true;
}

typedef struct parser {
    gx_rt *rt;
    const char *text, *p;
} parser;

static bool bad(parser *r, const char *what) {
    if (what) return gx_fail(r->rt, GX_ValueError, "date.text",
                             "%s out of range in datetime string \"%s\"", what, r->text);
    gx_fail(r->rt, GX_ValueError, "date.text", "Error parsing datetime string \"%s\" at position "
            "%d", r->text, (int)(r->p - r->text));
    return gx_note(r->rt, "dates are written as 2011-03-12, 2011-03, 2011-03-12T07:30:15.5");
}

/* So many digits. */
static bool digits(parser *r, int count, int64_t *out) {
    *out = 0;
    for (int i = 0; i < count; i++, r->p++) {
        if (*r->p < '0' || *r->p > '9') return bad(r, NULL);
        *out = *out * 10 + (*r->p - '0');
    }
    return true;
}

static bool calendar(parser *r, gx_time_unit *unit, int64_t *year, int64_t *month, int64_t *day) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool minus = *r->p == '-';
    if (*r->p == '-' || *r->p == '+') r->p++;
    int n = 0;
    while (r->p[n] >= '0' && r->p[n] <= '9') n++;
    if (n < 4 || n > 18) return bad(r, NULL);
    if (!digits(r, n, year)) return false;
    if (minus) *year = -*year;
    *month = *day = 1;
    *unit = GX_UNIT_Y;
    if (*r->p != '-') return true;
    r->p++;
    if (!digits(r, 2, month)) return false;
    if (*month < 1 || *month > 12) return bad(r, "Month");
    *unit = GX_UNIT_M;
    if (*r->p != '-') return true;
    r->p++;
    if (!digits(r, 2, day)) return false;
    const bool leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
    if (*day < 1 || *day > lengths[*month - 1] + (*month == 2 && leap)) return bad(r, "Day");
    *unit = GX_UNIT_D;
    return true;
}

/* "07:30:15.250" behind the date: part[] has hours, minutes, seconds and thousandths of each. */
static bool clock_time(parser *r, gx_time_unit *unit, int64_t part[9]) {
    static const int most[] = {24, 60, 60};
    static const char *const names[] = {"Hours", "Minutes", "Seconds"};
    for (int k = 0; k < 3; k++) {
        if (k && *r->p != ':') return true;
        r->p += k > 0;
        if (!digits(r, 2, &part[k])) return false;
        if (part[k] >= most[k]) return bad(r, names[k]);
        *unit = (gx_time_unit)(GX_UNIT_h + k);
    }
    if (*r->p != '.') return true;
    r->p++;
    for (int k = 3; k < 9 && *r->p >= '0' && *r->p <= '9'; k++) {
        for (int i = 0; i < 3; i++) {
            const bool digit = *r->p >= '0' && *r->p <= '9';
            part[k] = part[k] * 10 + (digit ? *r->p++ - '0' : 0);
        }
        *unit = (gx_time_unit)(GX_UNIT_h + k);
    }
    while (*r->p >= '0' && *r->p <= '9') r->p++;
    return true;
}

/* "Z", "+02:00": minutes east of Greenwich. */
static bool zone(parser *r, int64_t *minutes) {
    int64_t hour = 0, minute = 0;
    *minutes = 0;
    if (!*r->p) return true;
    if (*r->p == 'Z') {
        r->p++;
    } else if (*r->p == '+' || *r->p == '-') {
        const bool minus = *r->p++ == '-';
        if (!digits(r, 2, &hour)) return false;
        r->p += *r->p == ':';
        if (*r->p && !digits(r, 2, &minute)) return false;
        if (hour > 23 || minute > 59) return bad(r, "Timezone offset");
        *minutes = (hour * 60 + minute) * (minus ? -1 : 1);
    }
    if (*r->p) return bad(r, NULL);
    return gx_warn(r->rt, GX_UserWarning,
                   "no explicit representation of timezones available for np.datetime64");
}

static int64_t in_unit(int64_t day, const int64_t part[9], int64_t minutes, gx_period to) {
    const gx_time_unit fine = to.unit > GX_UNIT_m && to.unit < GX_UNIT_NONE ? to.unit : GX_UNIT_m;
    const gx_period whole = {fine, 1}, days = {GX_UNIT_D, 1};
    int64_t n = gx_time_convert(false, day, days, whole);
    for (int u = GX_UNIT_h; u <= (int)fine; u++)
        n += gx_time_convert(true, part[u - GX_UNIT_h], (gx_period){(gx_time_unit)u, 1}, whole);
    n -= gx_time_convert(true, minutes, (gx_period){GX_UNIT_m, 1}, whole);
    return gx_time_convert(false, n, whole, to);
}

bool gx_is_nat_text(const char *text) {
    return (text[0] | 32) == 'n' && (text[1] | 32) == 'a' && (text[2] | 32) == 't' && !text[3];
}

GX_CHECK bool gx_date_parse(gx_rt *rt, const char *text, gx_period *step, int64_t *out) {
    parser r = {rt, text, text};
    int64_t year, month, day, part[9] = {0}, minutes = 0;
    gx_time_unit unit;
    if (!*text || gx_is_nat_text(text)) {
        *out = GX_NAT;
        return true;
    }
    const bool now = strcmp(text, "now") == 0;
    if (now || strcmp(text, "today") == 0) {
        const int64_t s = (int64_t)time(NULL);
        const gx_period own = {now ? GX_UNIT_s : GX_UNIT_D, 1};
        if (step->unit == GX_UNIT_NONE) *step = own;
        *out = gx_time_convert(false, s, (gx_period){GX_UNIT_s, 1}, *step);
        return true;
    }
    while (*r.p == ' ') r.p++;
    if (!calendar(&r, &unit, &year, &month, &day)) return false;
    if ((*r.p == 'T' || *r.p == ' ') && r.p[1] && unit == GX_UNIT_D) {
        r.p++;
        if (!clock_time(&r, &unit, part)) return false;
        if (!zone(&r, &minutes)) return false;
    }
    if (*r.p) return bad(&r, NULL);
    if (step->unit == GX_UNIT_NONE) *step = (gx_period){unit, 1};
    const int64_t days = gx_day_of_civil(year, (int)month, (int)day);
    *out = unit <= GX_UNIT_D ? gx_time_convert(false, days, (gx_period){GX_UNIT_D, 1}, *step)
                             : in_unit(days, part, minutes, *step);
    return true;
}
