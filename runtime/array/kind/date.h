/* Dates and spans of time: an element is a number of units since 1970, or of units, in int64; the
   least number is NaT, no time at all. The dtype says which unit and how many of it are one step.
 */
#ifndef GX_RUNTIME_ARRAY_KIND_DATE_H
#define GX_RUNTIME_ARRAY_KIND_DATE_H

#include "runtime/array/kind/kind.h"

#define GX_NAT INT64_MIN
typedef enum gx_time_unit {
    GX_UNIT_Y,
    GX_UNIT_M,
    GX_UNIT_W,
    GX_UNIT_D,
    GX_UNIT_h,
    GX_UNIT_m,
    GX_UNIT_s,
    GX_UNIT_ms,
    GX_UNIT_us,
    GX_UNIT_ns,
    GX_UNIT_ps,
    GX_UNIT_fs,
    GX_UNIT_as,
    GX_UNIT_NONE, /* "generic" */
    GX_UNITS
} gx_time_unit;
typedef struct gx_period {
    gx_time_unit unit;
    int64_t count;
} gx_period;

static inline bool gx_is_date(int d) {
    return gx_of_family(d, GX_FAMILY_DATE);
}
static inline bool gx_is_span(int d) {
    return gx_of_family(d, GX_FAMILY_SPAN);
}
static inline bool gx_is_time(int d) {
    return gx_is_date(d) || gx_is_span(d);
}
static inline gx_period gx_step_of(int d) {
    return (gx_period){(gx_time_unit)(gx_dtypes[d].parameter & 15), gx_dtypes[d].parameter >> 4};
}
gx_dtype gx_time_dtype(gx_rt *rt, bool span, gx_period step);
/* "D", "10ms": the step that a text names. NO: it names none. */
gx_try gx_step_read(gx_rt *rt, const char *text, gx_period *out);
/* "10D"; nothing of a generic one. */
GX_CHECK bool gx_step_text(gx_buf *out, gx_period step);
/* n of one step in another, rounded down. Dates know the months; a span's month is an average. */
int64_t gx_time_convert(bool span, int64_t n, gx_period from, gx_period to);
/* The largest step that both are whole numbers of. NO: one counts months and the other days. */
gx_try gx_step_common(gx_rt *rt, bool span, gx_period a, gx_period b, gx_period *out);

/* A day since 1970 as year, month (1 …) and day, and back. */
void gx_civil_of_day(int64_t day, int64_t *year, int *month, int *of_month);
int64_t gx_day_of_civil(int64_t year, int month, int day);
/* "2011-03-12T07:30": a date as text, or what a text says, in its own unit where that is
   generic. */
GX_CHECK bool gx_date_text(gx_buf *out, int64_t n, gx_period step);
GX_CHECK bool gx_date_parse(gx_rt *rt, const char *text, gx_period *step, int64_t *out);

bool gx_is_nat_text(const char *text); /* "NaT", in any case */
/* A date, span, text, int, None, or one of Python's dates as an element of a step; generic: the
   value's own. */
GX_CHECK bool gx_time_read(gx_rt *rt, bool span, gx_borrowed v, gx_period *step, int64_t *out);
/* The scalar numpy.datetime64 or numpy.timedelta64, and Python's date, datetime or timedelta. */
GX_CHECK bool gx_time_scalar(gx_rt *rt, gx_dtype d, int64_t n, gx_value *out);
GX_CHECK bool gx_time_python(gx_rt *rt, gx_dtype d, int64_t n, gx_value *out);

/* Is it a date, datetime or timedelta of Python's? */
bool gx_is_python_time(gx_rt *rt, gx_borrowed v);

/* Arithmetic where an operand is a date or span. NO: none is. */
gx_try gx_time_op(gx_rt *rt, gx_opcode op, const gx_borrowed *v, gx_value *out);
/* Comparison by a common step; both hold dates, or both spans. */
GX_CHECK bool gx_time_compare(gx_rt *rt, gx_cmpop op, gx_array *a, gx_array *b, gx_value *out);

extern const gx_family gx_family_date, gx_family_span;
extern const gx_type gx_type_datetime64, gx_type_timedelta64;

#endif
