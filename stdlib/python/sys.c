/* The module sys: arguments, streams, limits, facts about numbers and the platform. */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"

static bool sys_exit(gx_call *c, gx_value *out) {
    gx_value e;
    (void)out;
    int n = c->argv[0].tag == GX_NONE ? 0 : 1;
    if (!gx_exception_new(c->rt, &gx_exception_types[GX_SystemExit], n, c->argv, &e)) return false;
    gx_exception_raise(c->rt, e);
    gx_drop(e);
    return false;
}

static int64_t size_of(gx_borrowed v) {
    const gx_type *t = gx_type_of(v);
    switch ((int)v.tag) {
    case GX_STR: case GX_BYTES: return (int64_t)(sizeof(gx_str) + gx_as_str(v)->length + 1);
    case GX_LIST: return (int64_t)sizeof(gx_list) + gx_as_list(v)->room * (int64_t)sizeof(gx_value);
    case GX_TUPLE:
        return (int64_t)sizeof(gx_tuple) + gx_as_tuple(v)->count * (int64_t)sizeof(gx_value);
    case GX_DICT: case GX_SET:
        return (int64_t)sizeof(gx_dict) + gx_as_dict(v)->room * (int64_t)sizeof(gx_entry) +
               gx_as_dict(v)->index_size * (int64_t)sizeof(int32_t);
    case GX_BIGINT:
        return (int64_t)(sizeof(gx_bigint) + ((gx_bigint *)v.obj)->count * sizeof(uint32_t));
    case GX_ARRAY:
        return (int64_t)sizeof(gx_array) +
               (gx_as_array(v)->base ? 0 : gx_array_nbytes(gx_as_array(v)));
    default:
        return (int64_t)(sizeof(gx_value) + (gx_is_object(v) ? sizeof(gx_obj) : 0) +
                         (t->container ? sizeof(gx_container) : 0));
    }
}

static bool sys_getsizeof(gx_call *c, gx_value *out) {
    *out = gx_int(size_of(c->argv[0]));
    return true;
}

static bool sys_getrefcount(gx_call *c, gx_value *out) {
    *out = gx_int(gx_is_object(c->argv[0]) ? c->argv[0].obj->refs : 1);
    return true;
}

static bool sys_exception(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->exception(c, out);
}

static bool sys_getframe(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->frame(c, out);
}

static bool sys_exc_info(gx_call *c, gx_value *out) {
    gx_value parts[3] = {gx_none(), gx_none(), gx_none()};
    if (!sys_exception(c, &parts[1])) return false;
    bool ok = true;
    if (parts[1].tag == GX_EXCEPTION) {
        parts[0] = gx_type_value(gx_type_of(parts[1]));
        ok = gx_exception_trace(c->rt, parts[1], &parts[2]);
    }
    ok = ok && gx_tuple_new(c->rt, 3, parts, out);
    for (int i = 0; i < 3; i++) gx_drop(parts[i]);
    return ok;
}

static bool sys_getrecursionlimit(gx_call *c, gx_value *out) {
    *out = gx_int(c->rt->max_depth);
    return true;
}

static bool sys_setrecursionlimit(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_arg_int(c, 0, &n)) return false;
    if (n < 1)
        return gx_fail(c->rt, GX_ValueError, "arg.range",
                       "recursion limit must be greater or equal than 1");
    c->rt->max_depth = n > INT_MAX ? INT_MAX : (int)n;
    *out = gx_none();
    return true;
}

static bool sys_intern(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

/* Texts of ints have no limit of digits here: work that takes long can be interrupted. */
static bool sys_get_int_max_str_digits(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_int(0);
    return true;
}

static bool sys_set_int_max_str_digits(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_arg_int(c, 0, &n)) return false;
    if (n != 0 && n < 640)
        return gx_fail(c->rt, GX_ValueError, "arg.range",
                       "maxdigits must be >= 640 or 0 for unlimited");
    *out = gx_none();
    return true;
}

const gx_native gx_py_sys_functions[] = {
    {"exit", "exit(code=None, /)", "Ends the program: 0 or None means success.", NULL, sys_exit, 0,
     0},
    {"getsizeof", "getsizeof(object, default=<no value>, /)",
     "The bytes of the object itself; an array's elements when it owns them.", NULL, sys_getsizeof,
     0, 0},
    {"exception", "exception()", "The exception that is being handled, or None.", NULL,
     sys_exception, 0, 0},
    {"_getframe", "_getframe(depth=0, /)", "A call that runs, so many calls further out.",
     "sys._getframe().f_code.co_name  # <module>", sys_getframe, 0, 0},
    {"exc_info", "exc_info()",
     "Class, exception and traceback of what is being handled; three times None.", NULL,
     sys_exc_info, 0, 0},
    {"getrefcount", "getrefcount(object, /)", "How many owners the object has.", NULL,
     sys_getrefcount, 0, 0},
    {"getrecursionlimit", "getrecursionlimit()", "How deep calls may nest.", NULL,
     sys_getrecursionlimit, 0, 0},
    {"setrecursionlimit", "setrecursionlimit(limit, /)", "Sets how deep calls may nest.", NULL,
     sys_setrecursionlimit, 0, 0},
    {"get_int_max_str_digits", "get_int_max_str_digits()",
     "How many digits the text of an int may have: 0, no limit.", NULL, sys_get_int_max_str_digits,
     0, 0},
    {"set_int_max_str_digits", "set_int_max_str_digits(maxdigits)",
     "Accepted for programs that set CPython's limit; gx has none.", NULL,
     sys_set_int_max_str_digits, 0, 0},
    {"intern", "intern(string, /)", "The string itself: gx shares equal names.",
     "sys.intern('a')  # a", sys_intern, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

/* --- values --- */

static bool make_argv(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    int argc;
    char *const *argv;
    gx_value list, s;
    gx_stdlib_argv(rt, &argc, &argv);
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    if (argc == 0) ok = gx_str_c(rt, "", &s) && gx_list_push_take(rt, list, s);
    for (int i = 0; ok && i < argc; i++) {
        size_t n = strlen(argv[i]);
        size_t good = gx_utf8_valid(argv[i], n);
        ok = gx_str_new(rt, argv[i], good, &s) && gx_list_push_take(rt, list, s);
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static bool make_stdin(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_file_standard(rt, 0, out);
}

static bool make_stdout(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_file_standard(rt, 1, out);
}

static bool make_stderr(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_file_standard(rt, 2, out);
}

/* A named tuple of n values; items are consumed by reference counting of inline values only. */
static bool named(gx_rt *rt, const char *type, int n, const char *const *names,
                  const gx_value *items, gx_value *out) {
    gx_sym fields[16];
    for (int i = 0; i < n; i++)
        if (!(fields[i] = gx_sym_c(rt, names[i]))) return false;
    return gx_tuple_named(rt, type, n, fields, items, out);
}

static bool make_float_info(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    static const char *const names[] = {"max",     "max_exp",    "max_10_exp", "min",
                                        "min_exp", "min_10_exp", "dig",        "mant_dig",
                                        "epsilon", "radix",      "rounds"};
    const gx_value items[] = {gx_float(DBL_MAX), gx_int(DBL_MAX_EXP), gx_int(DBL_MAX_10_EXP),
                              gx_float(DBL_MIN), gx_int(DBL_MIN_EXP), gx_int(DBL_MIN_10_EXP),
                              gx_int(DBL_DIG), gx_int(DBL_MANT_DIG), gx_float(DBL_EPSILON),
                              gx_int(FLT_RADIX), gx_int(1)};
    return named(rt, "sys.float_info", 11, names, items, out);
}

static bool make_version_info(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    static const char *const names[] = {"major", "minor", "micro", "releaselevel", "serial"};
    gx_value text;
    if (!gx_str_c(rt, "final", &text)) return false;
    const gx_value items[] = {gx_int(3), gx_int(11), gx_int(0), text, gx_int(0)};
    bool ok = named(rt, "sys.version_info", 5, names, items, out);
    gx_drop(text);
    return ok;
}

static bool make_modules(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_stdlib_running(rt)->modules(rt, out);
}

static bool make_path(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_stdlib_running(rt)->path(rt, out);
}

#define MAKE(n, fn) {.name = n, .kind = GX_CONST_MAKE, .make = fn}
#define TEXT(n, t) {.name = n, .kind = GX_CONST_STR, .text = t}

const gx_constant gx_py_sys_constants[] = {
    MAKE("argv", make_argv),
    MAKE("stdin", make_stdin),
    MAKE("stdout", make_stdout),
    MAKE("stderr", make_stderr),
    MAKE("__stdin__", make_stdin),
    MAKE("__stdout__", make_stdout),
    MAKE("__stderr__", make_stderr),
    MAKE("orig_argv", make_argv),
    MAKE("float_info", make_float_info),
    MAKE("version_info", make_version_info),
    MAKE("modules", make_modules),
    MAKE("path", make_path),
    TEXT("version", "3.11 (gx 0.1.0, a language of its own)"),
    TEXT("platform", "linux"),
    TEXT("byteorder", "little"),
    TEXT("executable", "gx"),
    {.name = "maxsize", .kind = GX_CONST_INT, .i = INT64_MAX},
    {.name = "maxunicode", .kind = GX_CONST_INT, .i = 0x10FFFF},
    {.name = NULL},
};
