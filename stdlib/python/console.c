/* print, input, open, exit, and the names of types and exceptions. print builds the whole text
   first and hands it over in one piece, so a failing repr prints nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/python/alias.h"
#include "stdlib/io/file.h"
#include "stdlib/python/builtins.h"
#include "stdlib/library/texts.h"

/* A text option that may be None. */
static bool text_or(gx_call *c, int i, const char *fallback, const char **text, size_t *length) {
    *text = fallback;
    *length = strlen(fallback);
    return c->argv[i].tag == GX_NONE || gx_arg_str(c, i, text, length);
}

static bool print_flush(gx_call *c) {
    bool flush;
    if (!gx_arg_bool(c, 4, &flush)) return false;
    if (!flush) return true;
    const gx_file *file = gx_is_file(c->argv[3]) ? gx_as_file(c->argv[3]) : NULL;
    if (file && !file->f) return true;
    int failed = file ? gx_file_flush(c->rt, file) : gx_write_flush(c->rt, GX_OUT);
    return !failed || gx_os_error(c->rt, failed, NULL);
}

static bool core_print(gx_call *c, gx_value *out) {
    const gx_tuple *items = gx_as_tuple(c->argv[0]);
    const char *sep, *end;
    size_t sep_n, end_n;
    if (!text_or(c, 1, " ", &sep, &sep_n) || !text_or(c, 2, "\n", &end, &end_n)) return false;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < items->count; i++)
        ok = (i == 0 || gx_buf_add(&b, sep, sep_n)) && gx_str_into(c->rt, items->items[i], &b);
    ok = ok && gx_buf_add(&b, end, end_n);
    if (ok)
        ok = c->argv[3].tag == GX_NONE ? gx_stdout_write(c->rt, gx_buf_text(&b), b.length)
                                       : gx_write_to(c->rt, c->argv[3], gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    if (!ok || !print_flush(c)) return false;
    *out = gx_none();
    return true;
}

/* The answer of the program that runs gx. */
static bool ask_host(gx_rt *rt, gx_buf *prompt, gx_value *out) {
    char *line = rt->output.ask(rt->output.self, gx_buf_text(prompt));
    gx_buf_free(prompt);
    if (!line) return gx_fail(rt, GX_EOFError, "input.end", "EOF when reading a line");
    size_t length = strlen(line), good = gx_utf8_valid(line, length);
    bool ok = good == length || gx_fail(rt, GX_UnicodeDecodeError, "file.text",
                                        "the answer is not UTF-8 from byte %zu on", good);
    if (length && line[length - 1] == '\n') length--;
    ok = ok && gx_str_new(rt, line, length, out);
    free(line);
    return ok;
}

/* A line of what the script has put in the place of sys.stdin. */
static bool ask_replaced(gx_rt *rt, gx_borrowed in, gx_value *out) {
    gx_value method, line;
    gx_sym name = gx_sym_c(rt, "readline");
    if (!name || !gx_get_attr(rt, in, name, &method)) return false;
    bool ok = gx_call_value(rt, method, 0, NULL, 0, NULL, &line);
    gx_drop(method);
    if (!ok) return false;
    const gx_str *s = line.tag == GX_STR ? gx_as_str(line) : NULL;
    if (!s)
        ok = gx_fail(rt, GX_TypeError, "class.text", "object.readline() returned non-string");
    else if (s->length == 0)
        ok = gx_fail(rt, GX_EOFError, "input.end", "EOF when reading a line");
    else
        ok = gx_str_new(rt, s->text, s->length - (s->text[s->length - 1] == '\n'), out);
    gx_drop(line);
    return ok;
}

static bool core_input(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    gx_value in;
    const bool given = gx_sys_stream(c->rt, "stdin", &in) == GX_TRY_YES;
    if (given && !(gx_is_file(in) && gx_as_file(in)->standard)) {
        bool ok = gx_str_into(c->rt, c->argv[0], &b) &&
                  gx_stdout_write(c->rt, gx_buf_text(&b), b.length) &&
                  ask_replaced(c->rt, in, out);
        gx_buf_free(&b);
        gx_drop(in);
        return ok;
    }
    if (given) gx_drop(in);
    if (c->rt->output.ask) {
        if (gx_str_into(c->rt, c->argv[0], &b)) return ask_host(c->rt, &b, out);
        gx_buf_free(&b);
        return false;
    }
    bool ok = gx_str_into(c->rt, c->argv[0], &b) &&
              gx_stdout_write(c->rt, gx_buf_text(&b), b.length);
    (void)gx_write_flush(c->rt, GX_OUT);
    gx_buf_free(&b);
    if (!ok || !gx_file_standard(c->rt, 0, &in)) return false;
    ok = gx_file_line(c->rt, gx_as_file(in), &b);
    gx_drop(in);
    if (ok && b.length == 0)
        ok = gx_fail(c->rt, GX_EOFError, "input.end", "EOF when reading a line");
    if (!ok) {
        gx_buf_free(&b);
        return false;
    }
    if (b.data[b.length - 1] == '\n') b.data[--b.length] = 0;
    return gx_file_text(c->rt, false, &b, out);
}

static bool core_exit(gx_call *c, gx_value *out) {
    gx_value e;
    (void)out;
    int n = c->argv[0].tag == GX_NONE ? 0 : 1;
    if (!gx_exception_new(c->rt, &gx_exception_types[GX_SystemExit], n, c->argv, &e)) return false;
    gx_exception_raise(c->rt, e);
    gx_drop(e);
    return false;
}

#define OPEN_SIG                                                                                   \
    "open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)"

const gx_native gx_core_io_functions[] = {
    {"print", "print(*values, sep=' ', end='\\n', file=None, flush=False)",
     "Writes the values as text, sep between them and end after them.", "print(1, 'a')  # 1 a",
     core_print, GX_NATIVE_HOST, 0},
    {"input", "input(prompt='', /)", "Asks for a line and returns it without its end.", NULL,
     core_input, 0, 0},
    {"open", OPEN_SIG, "Opens a file: modes r w a x, with b for bytes and + for both ways.", NULL,
     gx_file_open, 0, 0},
    {"exit", "exit(code=None, /)", "Ends the program.", NULL, core_exit, 0, 0},
    {"quit", "quit(code=None, /)", "Ends the program.", NULL, core_exit, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

static bool make_ellipsis(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)rt;
    (void)ns;
    *out = (gx_value){.tag = GX_ELLIPSIS};
    return true;
}

#define TYPE(n, t) {.name = n, .kind = GX_CONST_TYPE, .type = &t}

static bool make_not_implemented(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return gx_not_implemented(rt, out);
}

const gx_constant gx_core_types_constants[] = {
    TYPE("object", gx_type_object),
    TYPE("type", gx_type_type),
    TYPE("bool", gx_type_bool),
    TYPE("int", gx_type_int),
    TYPE("float", gx_type_float),
    TYPE("complex", gx_type_complex),
    TYPE("str", gx_type_str),
    TYPE("bytes", gx_type_bytes),
    TYPE("bytearray", gx_type_bytearray),
    TYPE("list", gx_type_list),
    TYPE("tuple", gx_type_tuple),
    TYPE("dict", gx_type_dict),
    TYPE("set", gx_type_set),
    TYPE("frozenset", gx_type_frozenset),
    TYPE("range", gx_type_range),
    TYPE("slice", gx_type_slice),
    TYPE("zip", gx_type_zip),
    TYPE("map", gx_type_map),
    TYPE("filter", gx_type_filter),
    TYPE("enumerate", gx_type_enumerate),
    TYPE("reversed", gx_type_reversed),
    TYPE("property", gx_type_property),
    TYPE("staticmethod", gx_type_staticmethod),
    TYPE("classmethod", gx_type_classmethod),
    TYPE("super", gx_type_super),
    {.name = "NotImplemented", .kind = GX_CONST_MAKE, .make = make_not_implemented},
    {.name = "Ellipsis", .kind = GX_CONST_MAKE, .make = make_ellipsis},
    {.name = NULL},
};

/* Classes that are written in gx. */
static bool make_from_text(gx_rt *rt, const char *title, const gx_compressed *words,
                           const char *name, gx_value *out) {
    gx_value module;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_library_module(rt, title, words, GX_NS_NUMPY, &module)) return false;
    bool ok = gx_module_get(rt, gx_as_module(module), sym, out) == GX_TRY_YES;
    gx_drop(module);
    return ok;
}

static bool make_group_class(gx_rt *rt, const char *name, gx_value *out) {
    return make_from_text(rt, "<exception groups>", gx_library_text_python_exception_groups, name,
                          out);
}

static bool make_memoryview(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return make_from_text(rt, "<memoryview>", gx_library_text_python_memoryview, "memoryview", out);
}

static bool make_base_group(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return make_group_class(rt, "BaseExceptionGroup", out);
}

static bool make_group(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return make_group_class(rt, "ExceptionGroup", out);
}

static bool make_star(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)ns;
    return make_group_class(rt, "Star", out);
}

/* What typing is made of. */
static bool make_typing_alias(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)rt;
    *out = gx_native_value(&gx_alias_natives[0], ns);
    return true;
}
static bool make_typing_union(gx_rt *rt, gx_namespace ns, gx_value *out) {
    (void)rt;
    *out = gx_native_value(&gx_alias_natives[1], ns);
    return true;
}

const gx_constant gx_core_errors_constants[] = {
    {.name = "BaseExceptionGroup", .kind = GX_CONST_MAKE, .make = make_base_group},
    {.name = "memoryview", .kind = GX_CONST_MAKE, .make = make_memoryview},
    {.name = "ExceptionGroup", .kind = GX_CONST_MAKE, .make = make_group},
    /* What the parser makes of except*. */
    {.name = ".star", .kind = GX_CONST_MAKE, .make = make_star},
    {.name = ".typing_alias", .kind = GX_CONST_MAKE, .make = make_typing_alias},
    {.name = ".typing_union", .kind = GX_CONST_MAKE, .make = make_typing_union},
    TYPE(".base", gx_exception_types[GX_BaseException]),
#define X(name, base) TYPE(#name, gx_exception_types[GX_##name]),
    GX_ERROR_KINDS(X)
#undef X
    TYPE("IOError", gx_exception_types[GX_OSError]),
    TYPE("EnvironmentError", gx_exception_types[GX_OSError]),
    {.name = NULL},
};
