/* The module _process: what os, platform, locale, signal, time and others ask of the process and
   the machine. In safe mode nothing is told that the script was not given. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/terminal.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"

static bool texts(gx_call *c, int n, const char *const *all, gx_value *out) {
    gx_value items[8];
    for (int i = 0; i < n; i++)
        if (!gx_text_from_system(c->rt, all[i], &items[i])) {
            while (i > 0) gx_drop(items[--i]);
            return false;
        }
    return gx_tuple_take(c->rt, n, items, out);
}

/* The version of the C library. */
static bool process_libc(gx_call *c, gx_value *out) {
    return gx_str_c(c->rt, c->rt->debug.safe ? "" : gnu_get_libc_version(), out);
}

/* (system, name of the machine in the net, release, version, machine) */
static bool process_uname(gx_call *c, gx_value *out) {
    struct utsname u;
    if (uname(&u) != 0) return gx_os_error(c->rt, errno, NULL);
    bool safe = c->rt->debug.safe;
    return texts(c, 5,
                 (const char *const[]){u.sysname, safe ? "" : u.nodename, safe ? "" : u.release,
                                       safe ? "" : u.version, u.machine},
                 out);
}

/* (uid, euid, gid, egid, ppid, pgid, sid) */
static bool process_ids(gx_call *c, gx_value *out) {
    if (!gx_may_use_files(c->rt, NULL)) return false;
    return gx_tuple_ints(c->rt, 7,
                         (const int64_t[]){getuid(), geteuid(), getgid(), getegid(), getppid(),
                                           getpgrp(), getsid(0)},
                         out);
}

/* (name, home, shell) of a user's number, or of a name; None: there is none. */
static bool process_user(gx_call *c, gx_value *out) {
    int64_t uid = 0;
    const char *name = NULL;
    size_t n;
    if (!gx_may_use_files(c->rt, NULL)) return false;
    if (c->argv[0].tag == GX_STR ? !gx_arg_str(c, 0, &name, &n) : !gx_arg_int(c, 0, &uid))
        return false;
    const struct passwd *p = name ? getpwnam(name) : getpwuid((uid_t)uid);
    if (p) return texts(c, 3, (const char *const[]){p->pw_name, p->pw_dir, p->pw_shell}, out);
    *out = gx_none();
    return true;
}

/* The environment that the program was given, as a dict: empty in safe mode. */
static bool process_environ(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_value dict, key, value;
    if (!gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (char **e = environ; ok && *e && !rt->debug.safe; e++) {
        const char *equals = strchr(*e, '=');
        size_t n = equals ? (size_t)(equals - *e) : 0;
        if (n == 0 || gx_utf8_valid(*e, n) < n) continue;
        ok = gx_str_new(rt, *e, n, &key);
        if (!ok) break;
        ok = gx_text_from_system(rt, equals + 1, &value);
        if (ok) {
            ok = gx_dict_set(rt, dict, key, value);
            gx_drop(value);
        }
        gx_drop(key);
    }
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

/* The environment of C's library, which time zones are looked up in. In safe mode it stays. */
static bool process_setenv(gx_call *c, gx_value *out) {
    const char *name, *value;
    size_t n, k;
    if (!gx_arg_str(c, 0, &name, &n)) return false;
    if (n == 0 || strlen(name) != n || strchr(name, '=')) return gx_os_error(c->rt, EINVAL, NULL);
    if (c->argv[1].tag == GX_NONE) {
        if (!c->rt->debug.safe) unsetenv(name);
    } else {
        if (!gx_arg_str(c, 1, &value, &k) || !gx_is_path(c->rt, value, k)) return false;
        if (!c->rt->debug.safe && setenv(name, value, 1) != 0)
            return gx_os_error(c->rt, errno, NULL);
    }
    *out = gx_none();
    return true;
}

static bool process_urandom(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_arg_int(c, 0, &n)) return false;
    if (n < 0) return gx_fail(c->rt, GX_ValueError, "arg.range", "negative argument not allowed");
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_reserve(&b, (size_t)n + 1);
    for (size_t at = 0; ok && at < (size_t)n;) {
        ssize_t got = getrandom(b.data + at, (size_t)n - at, 0);
        if (got < 0 && errno != EINTR) ok = gx_os_error(c->rt, errno, NULL);
        if (got > 0) at += (size_t)got;
    }
    ok = ok && gx_bytes_new(c->rt, b.data, (size_t)n, out);
    gx_buf_free(&b);
    return ok;
}

/* (columns, lines) of a terminal, (0, 0) where there is none. */
static bool process_terminal(gx_call *c, gx_value *out) {
    int64_t fd;
    int columns = 0, lines = 0;
    if (!gx_arg_int(c, 0, &fd)) return false;
    if (!gx_terminal_size(c->rt, fd == 2 ? GX_ERR : GX_OUT, &columns, &lines)) columns = lines = 0;
    return gx_tuple_ints(c->rt, 2, (const int64_t[]){columns, lines}, out);
}

static bool process_load(gx_call *c, gx_value *out) {
    double load[3];
    if (!gx_may_use_files(c->rt, NULL)) return false;
    if (getloadavg(load, 3) != 3)
        return gx_fail(c->rt, GX_OSError, "file.system", "Load averages are unobtainable");
    return gx_tuple_new(
        c->rt, 3, (const gx_value[]){gx_float(load[0]), gx_float(load[1]), gx_float(load[2])}, out);
}

/* (file, line) of the script's statement that runs. */
static bool process_here(gx_call *c, gx_value *out) {
    gx_span at = c->rt->script_at(c->rt);
    const gx_source *source = gx_source_of(c->rt, at);
    uint32_t line = 0, column;
    gx_value items[2];
    if (source) gx_source_place(c->rt, at, &line, &column);
    if (!gx_text_from_system(c->rt, source ? source->name : "<unknown>", &items[0])) return false;
    items[1] = gx_int(line);
    return gx_tuple_take(c->rt, 2, items, out);
}

/* Seconds of processor time: (user, system) of this process, then of its children. */
static bool process_times(gx_call *c, gx_value *out) {
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    const struct timeval all[] = {own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime};
    gx_value items[5];
    for (int i = 0; i < 4; i++)
        items[i] = gx_float((double)all[i].tv_sec + (double)all[i].tv_usec / 1e6);
    items[4] = gx_int(own.ru_maxrss);
    return gx_tuple_new(c->rt, 5, items, out);
}

/* Ends the process at once. */
static bool process_exit(gx_call *c, gx_value *out) {
    int64_t status;
    (void)out;
    if (!gx_arg_int(c, 0, &status)) return false;
    if (c->rt->debug.safe)
        return gx_fail(c->rt, GX_PermissionError, "file.safe",
                       "GX_SAFE=1 lets no script end the process at once");
    gx_write_flush(c->rt, GX_OUT);
    gx_write_flush(c->rt, GX_ERR);
    _exit((int)status);
}

/* --- clocks and places --- */

static bool process_clock(gx_call *c, gx_value *out) {
    int64_t id;
    struct timespec t;
    bool resolution;
    if (!gx_arg_int(c, 0, &id) || !gx_arg_bool(c, 1, &resolution)) return false;
    if ((resolution ? clock_getres((clockid_t)id, &t) : clock_gettime((clockid_t)id, &t)) != 0)
        return gx_os_error(c->rt, errno, NULL);
    *out = gx_int((int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
    return true;
}

/* (seconds west of UTC, the same in summer, is there a summer time?, two names) */
static bool process_zone(gx_call *c, gx_value *out) {
    tzset();
    time_t now = time(NULL);
    struct tm t;
    int64_t west[2] = {0, 0};
    char names[2][16] = {"UTC", "UTC"};
    bool seen[2] = {false, false};
    for (int month = 0; month < 12; month++) { /* of this year */
        time_t at = now + (time_t)month * 30 * 86400;
        if (!localtime_r(&at, &t)) continue;
        int summer = t.tm_isdst > 0;
        west[summer] = -t.tm_gmtoff;
        snprintf(names[summer], sizeof names[summer], "%s", t.tm_zone ? t.tm_zone : "");
        seen[summer] = true;
    }
    bool summer = seen[1];
    if (!summer) {
        west[1] = west[0];
        memcpy(names[1], names[0], sizeof names[0]);
    }
    gx_value items[5] = {gx_int(west[0]), gx_int(west[1]), gx_int(summer)};
    if (!gx_text_from_system(c->rt, names[0], &items[3])) return false;
    if (!gx_text_from_system(c->rt, names[1], &items[4])) {
        gx_drop(items[3]);
        return false;
    }
    return gx_tuple_take(c->rt, 5, items, out);
}

static bool process_strerror(gx_call *c, gx_value *out) {
    int64_t number;
    return gx_arg_int(c, 0, &number) && gx_text_from_system(c->rt, strerror((int)number), out);
}

static bool process_strsignal(gx_call *c, gx_value *out) {
    int64_t number;
    if (!gx_arg_int(c, 0, &number)) return false;
    if (number < 1 || number >= NSIG)
        return gx_fail(c->rt, GX_ValueError, "arg.range", "signal number out of range");
    const char *text = strsignal((int)number);
    return gx_text_from_system(c->rt, text ? text : "", out);
}

/* Signals whose meaning the kernel knows: 0 the default, 1 ignored. */
static bool process_signal(gx_call *c, gx_value *out) {
    int64_t number, how;
    if (!gx_arg_int(c, 0, &number) || !gx_arg_int(c, 1, &how) || !gx_may_use_files(c->rt, NULL))
        return false;
    if (number < 1 || number >= NSIG || signal((int)number, how ? SIG_IGN : SIG_DFL) == SIG_ERR)
        return gx_os_error(c->rt, EINVAL, NULL);
    *out = gx_none();
    return true;
}

const gx_native gx_py_process_functions[] = {
    {"libc", "libc()", "The version of the C library.", NULL, process_libc, 0, 0},
    {"uname", "uname()", "Five texts about the machine.", NULL, process_uname, 0, 0},
    {"ids", "ids()", "Whose process it is, in seven ints.", NULL, process_ids, 0, 0},
    {"user", "user(who, /)", "(name, home, shell) of a user, or None.", NULL, process_user, 0, 0},
    {"environ", "environ()", "The environment as a dict.", NULL, process_environ, 0, 0},
    {"setenv", "setenv(name, value, /)", "Sets a variable of the environment; None removes it.",
     NULL, process_setenv, 0, 0},
    {"urandom", "urandom(size, /)", "Returns size random bytes.", NULL, process_urandom, 0, 0},
    {"terminal", "terminal(fd, /)", "(columns, lines) of a terminal.", NULL, process_terminal, 0,
     0},
    {"load", "load()", "How many processes waited, lately.", NULL, process_load, 0, 0},
    {"times", "times()", "Processor time, and the most memory held, in KiB.", NULL, process_times,
     0, 0},
    {"here", "here()", "(file, line) of the script's statement that runs.", NULL, process_here, 0,
     0},
    {"exit", "exit(status, /)", "Ends the process at once.", NULL, process_exit, 0, 0},
    {"clock", "clock(id, resolution, /)", "A clock of the kernel's, in nanoseconds.", NULL,
     process_clock, 0, 0},
    {"zone", "zone()", "The local time zone.", NULL, process_zone, 0, 0},
    {"strerror", "strerror(code, /)", "What a number of errno means.", NULL, process_strerror, 0,
     0},
    {"strsignal", "strsignal(number, /)", "What a signal is called.", NULL, process_strsignal, 0,
     0},
    {"signal", "signal(number, ignored, /)", "Leaves a signal to the kernel.", NULL, process_signal,
     0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
