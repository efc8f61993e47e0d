/* The module time. Clocks are honest: before one is read, pending array work is
   computed and waited for, so that naive timings are true; time.perf_counter(sync=False) does not.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "runtime/object/container/list.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/common.h"

static bool wait_for_work(gx_call *c) {
    bool sync;
    if (!gx_arg_bool(c, 0, &sync)) return false;
    return !sync || gx_lazy_flush(c->rt);
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool seconds(gx_call *c, clockid_t clock, gx_value *out) {
    if (!wait_for_work(c)) return false;
    *out = gx_float((double)nanoseconds(clock) / 1e9);
    return true;
}

static bool whole_ns(gx_call *c, clockid_t clock, gx_value *out) {
    if (!wait_for_work(c)) return false;
    *out = gx_int(nanoseconds(clock));
    return true;
}

static bool time_time(gx_call *c, gx_value *out) {
    return seconds(c, CLOCK_REALTIME, out);
}

static bool time_perf_counter(gx_call *c, gx_value *out) {
    return seconds(c, CLOCK_MONOTONIC, out);
}

static bool time_process_time(gx_call *c, gx_value *out) {
    return seconds(c, CLOCK_PROCESS_CPUTIME_ID, out);
}

static bool time_time_ns(gx_call *c, gx_value *out) {
    return whole_ns(c, CLOCK_REALTIME, out);
}

static bool time_perf_counter_ns(gx_call *c, gx_value *out) {
    return whole_ns(c, CLOCK_MONOTONIC, out);
}

static bool time_sleep(gx_call *c, gx_value *out) {
    double x;
    if (!gx_arg_float(c, 0, &x)) return false;
    if (isnan(x))
        return gx_fail(c->rt, GX_ValueError, "time.range", "Invalid value NaN (not a number)");
    if (x < 0)
        return gx_fail(c->rt, GX_ValueError, "time.range", "sleep length must be non-negative");
    if (x > 1e9) return gx_fail(c->rt, GX_OverflowError, "time.range", "sleep length is too large");
    c->rt->steps -= (int64_t)(x * 1e6); /* a step is to stand for about a microsecond */
    if (c->rt->steps < 0) return gx_stop(c->rt);
    /* A signal wakes it; a program that runs gx on another thread has only the flag. */
    const double most = 0.05;
    struct timespec end, now;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)x;
    end.tv_nsec += (long)((x - floor(x)) * 1e9);
    for (double left = x; left > 0;) {
        const double part = left < most ? left : most;
        struct timespec t = {.tv_nsec = (long)(part * 1e9)};
        (void)nanosleep(&t, NULL);
        if (c->rt->interrupted) return gx_stop(c->rt);
        clock_gettime(CLOCK_MONOTONIC, &now);
        left = (double)(end.tv_sec - now.tv_sec) + 1e-9 * (double)(end.tv_nsec - now.tv_nsec);
    }
    *out = gx_none();
    return true;
}

/* --- calendar --- */

static bool make_struct(gx_rt *rt, const struct tm *t, gx_value *out) {
    static const char *const names[] = {"tm_year", "tm_mon",  "tm_mday", "tm_hour", "tm_min",
                                        "tm_sec",  "tm_wday", "tm_yday", "tm_isdst"};
    const int parts[] = {t->tm_year + 1900, t->tm_mon + 1, t->tm_mday, t->tm_hour, t->tm_min,
                         t->tm_sec, (t->tm_wday + 6) % 7, t->tm_yday + 1, t->tm_isdst};
    gx_sym fields[9];
    gx_value items[9];
    for (int i = 0; i < 9; i++) {
        fields[i] = gx_sym_c(rt, names[i]);
        if (!fields[i]) return false;
        items[i] = gx_int(parts[i]);
    }
    return gx_tuple_named(rt, "time.struct_time", 9, fields, items, out);
}

/* The moment that argument 0 gives in seconds; now when it is None. */
static bool moment(gx_call *c, time_t *at) {
    double x;
    *at = time(NULL);
    if (!gx_arg_some(c, 0)) return true;
    if (!gx_arg_float(c, 0, &x)) return false;
    if (!(fabs(x) < 1e15))
        return gx_fail(c->rt, GX_OverflowError, "time.range",
                       "timestamp out of range for platform time_t");
    *at = (time_t)floor(x);
    return true;
}

static bool time_localtime(gx_call *c, gx_value *out) {
    time_t at;
    struct tm t;
    if (!moment(c, &at) || !localtime_r(&at, &t)) return false;
    return make_struct(c->rt, &t, out);
}

static bool time_gmtime(gx_call *c, gx_value *out) {
    time_t at;
    struct tm t;
    if (!moment(c, &at) || !gmtime_r(&at, &t)) return false;
    return make_struct(c->rt, &t, out);
}

/* A struct_time, or any sequence of 9 ints, as C's struct. */
static bool read_struct(gx_call *c, int i, struct tm *t) {
    const gx_value *items;
    int64_t part[9], n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, c->argv[i], &own, &items, &n)) return false;
    if (n != 9)
        return gx_arg_wrong(c, i, "a struct_time: 9 ints, as time.localtime() gives");
    for (int k = 0; k < 9; k++) {
        gx_try is = gx_as_index(c->rt, items[k], &part[k]);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO || part[k] > 99999 || part[k] < -99999)
            return gx_arg_wrong(c, i, "a struct_time: 9 ints, as time.localtime() gives");
    }
    if (part[1] < 1 || part[1] > 12)
        return gx_fail(c->rt, GX_ValueError, "time.range", "month out of range");
    *t = (struct tm){.tm_year = (int)part[0] - 1900, .tm_mon = (int)part[1] - 1,
                     .tm_mday = (int)part[2], .tm_hour = (int)part[3], .tm_min = (int)part[4],
                     .tm_sec = (int)part[5], .tm_wday = (int)((part[6] + 1) % 7),
                     .tm_yday = (int)part[7] - 1, .tm_isdst = (int)part[8]};
    return true;
}

static bool time_struct(gx_call *c, gx_value *out) {
    struct tm t;
    return read_struct(c, 0, &t) && make_struct(c->rt, &t, out);
}

static bool time_or_now(gx_call *c, int i, struct tm *t) {
    time_t now = time(NULL);
    if (gx_arg_some(c, i)) return read_struct(c, i, t);
    return localtime_r(&now, t) != NULL;
}

static bool time_strftime(gx_call *c, gx_value *out) {
    const char *format;
    size_t n;
    struct tm t;
    char text[512];
    if (!gx_arg_str(c, 0, &format, &n) || !time_or_now(c, 1, &t)) return false;
    size_t length = strftime(text, sizeof text, format, &t);
    if (length == 0 && n > 0 && n >= sizeof text)
        return gx_fail(c->rt, GX_ValueError, "time.range", "strftime: the format is too long");
    return gx_str_new(c->rt, text, length, out);
}

static bool time_mktime(gx_call *c, gx_value *out) {
    struct tm t;
    if (!read_struct(c, 0, &t)) return false;
    *out = gx_float((double)mktime(&t));
    return true;
}

static bool give_asctime(gx_call *c, const struct tm *t, gx_value *out) {
    char text[64];
    size_t n = strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", t);
    return gx_str_new(c->rt, text, n, out);
}

static bool time_asctime(gx_call *c, gx_value *out) {
    struct tm t;
    return time_or_now(c, 0, &t) && give_asctime(c, &t, out);
}

static bool time_ctime(gx_call *c, gx_value *out) {
    time_t at;
    struct tm t;
    return moment(c, &at) && localtime_r(&at, &t) && give_asctime(c, &t, out);
}

const gx_native gx_py_time_functions[] = {
    {"time", "time(sync=True)", "Seconds since 1970, once pending work is done.", NULL, time_time,
     0, 0},
    {"time_ns", "time_ns(sync=True)", "Nanoseconds since 1970.", NULL, time_time_ns, 0, 0},
    {"perf_counter", "perf_counter(sync=True)",
     "Seconds of a clock for timing, once pending work is done.", NULL, time_perf_counter, 0, 0},
    {"perf_counter_ns", "perf_counter_ns(sync=True)", "Nanoseconds of a clock for timing.", NULL,
     time_perf_counter_ns, 0, 0},
    {"monotonic", "monotonic(sync=True)", "Seconds of a clock that never goes back.", NULL,
     time_perf_counter, 0, 0},
    {"monotonic_ns", "monotonic_ns(sync=True)", "Nanoseconds of a clock that never goes back.",
     NULL, time_perf_counter_ns, 0, 0},
    {"process_time", "process_time(sync=True)", "Seconds of processor time used.", NULL,
     time_process_time, 0, 0},
    {"sleep", "sleep(seconds, /)", "Waits.", NULL, time_sleep, 0, 0},
    {"localtime", "localtime(seconds=None, /)", "The local calendar time as a struct_time.", NULL,
     time_localtime, 0, 0},
    {"gmtime", "gmtime(seconds=None, /)", "The calendar time in UTC as a struct_time.",
     "time.gmtime(0).tm_year  # 1970", time_gmtime, 0, 0},
    {"struct_time", "struct_time(sequence, /)", "Nine ints as a struct_time.",
     "time.struct_time((2024, 2, 29, 1, 2, 3, 3, 60, 0)).tm_mon  # 2", time_struct, 0, 0},
    {"mktime", "mktime(t, /)", "Seconds since 1970 of a local struct_time.", NULL, time_mktime, 0,
     0},
    {"strftime", "strftime(format, t=None, /)", "A calendar time as text.",
     "time.strftime('%Y-%m-%d', time.gmtime(0))  # 1970-01-01", time_strftime, 0, 0},
    {"asctime", "asctime(t=None, /)", "A calendar time as text of a fixed form.",
     "time.asctime(time.gmtime(0))  # Thu Jan  1 00:00:00 1970", time_asctime, 0, 0},
    {"ctime", "ctime(seconds=None, /)", "A moment as text of a fixed form.", NULL, time_ctime, 0,
     0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
