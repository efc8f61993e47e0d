/* The options of array printing (set_printoptions, get_printoptions, printoptions) and the
   functions that print by other options: array2string, array_repr, array_str,
   format_float_positional and _scientific. The printing itself is runtime/array/print.c. */
#include <math.h>
#include <string.h>

#include "runtime/array/print.h"
#include "runtime/object/container/dict.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_printopts_functions[];

static const char *const floatmodes[] = {"fixed", "unique", "maxprec", "maxprec_equal"};

static bool text_option(gx_call *c, int i, char to[GX_PRINT_TEXT]) {
    const char *t;
    size_t n;
    if (!gx_arg_some(c, i)) return true;
    if (!gx_arg_str(c, i, &t, &n)) return false;
    if (n >= GX_PRINT_TEXT)
        return gx_fail(c->rt, GX_ValueError, "print.text", "the text for nan or inf is too long");
    memcpy(to, t, n + 1);
    return true;
}

static bool count_option(gx_call *c, int i, const char *name, int64_t *to) {
    int64_t v;
    double f;
    if (!gx_arg_some(c, i)) return true;
    if (c->argv[i].tag == GX_FLOAT && strcmp(name, "threshold") == 0) { /* inf: never summarise */
        if (!gx_arg_float(c, i, &f)) return false;
        v = f > 9e18 ? INT64_MAX : (int64_t)f;
    } else if (!gx_arg_int(c, i, &v))
        return false;
    if (v < 0) return gx_fail(c->rt, GX_ValueError, "print.option", "%s must be >= 0", name);
    *to = v;
    return true;
}

/* Where each option stands in a signature; -1: not there. */
typedef struct option_args {
    int precision, threshold, edgeitems, linewidth, suppress, nanstr, infstr, formatter, sign,
        floatmode;
} option_args;

static bool sign_option(gx_call *c, int i, char *to) {
    const char *t;
    size_t n;
    if (i < 0 || !gx_arg_some(c, i)) return true;
    if (!gx_arg_str(c, i, &t, &n)) return false;
    if (n != 1 || !strchr("-+ ", t[0]))
        return gx_fail(c->rt, GX_ValueError, "print.sign",
                       "sign option must be one of ' ', '+', or '-'");
    *to = t[0];
    return true;
}

static bool floatmode_option(gx_call *c, int i, uint8_t *to) {
    const char *t;
    size_t n;
    if (i < 0 || !gx_arg_some(c, i)) return true;
    if (!gx_arg_str(c, i, &t, &n)) return false;
    for (uint8_t k = 0; k < 4; k++)
        if (strcmp(t, floatmodes[k]) == 0) {
            *to = k;
            return true;
        }
    return gx_fail(
        c->rt, GX_ValueError, "print.floatmode",
        "floatmode option must be one of 'fixed', 'unique', 'maxprec' or 'maxprec_equal'");
}

static bool read_options(gx_call *c, const option_args *at, gx_printopts *o) {
    if (!count_option(c, at->precision, "precision", &o->precision) ||
        (at->threshold >= 0 && !count_option(c, at->threshold, "threshold", &o->threshold)) ||
        (at->edgeitems >= 0 && !count_option(c, at->edgeitems, "edgeitems", &o->edgeitems)) ||
        !count_option(c, at->linewidth, "linewidth", &o->linewidth) ||
        (gx_arg_some(c, at->suppress) && !gx_arg_bool(c, at->suppress, &o->suppress)) ||
        (at->nanstr >= 0 && !text_option(c, at->nanstr, o->nanstr)) ||
        (at->infstr >= 0 && !text_option(c, at->infstr, o->infstr)) ||
        !sign_option(c, at->sign, &o->sign) || !floatmode_option(c, at->floatmode, &o->floatmode))
        return false;
    if (o->precision > 10000) o->precision = 10000;
    if (at->formatter >= 0 && gx_arg_some(c, at->formatter)) o->formatter = c->argv[at->formatter];
    return true;
}

static const option_args set_args = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static bool set_printoptions_fn(gx_call *c, gx_value *out) {
    gx_printopts o = gx_print_options(c->rt);
    o.formatter = gx_none(); /* as NumPy: a formatter lasts until the next call */
    *out = gx_none();
    return read_options(c, &set_args, &o) && gx_print_set_options(c->rt, &o);
}

static bool options_dict(gx_rt *rt, const gx_printopts *o, gx_value *out) {
    gx_value d, text[4] = {gx_undef(), gx_undef(), gx_undef(), gx_undef()};
    const char sign[2] = {o->sign, 0};
    if (!gx_dict_new(rt, &d)) return false;
    bool ok = gx_str_c(rt, o->nanstr, &text[0]) && gx_str_c(rt, o->infstr, &text[1]) &&
              gx_str_c(rt, sign, &text[2]) && gx_str_c(rt, floatmodes[o->floatmode], &text[3]);
    ok = ok && gx_dict_set_c(rt, d, "edgeitems", gx_int(o->edgeitems)) &&
         gx_dict_set_c(rt, d, "threshold", gx_int(o->threshold)) &&
         gx_dict_set_c(rt, d, "floatmode", text[3]) &&
         gx_dict_set_c(rt, d, "precision", gx_int(o->precision)) &&
         gx_dict_set_c(rt, d, "suppress", gx_bool(o->suppress)) &&
         gx_dict_set_c(rt, d, "linewidth", gx_int(o->linewidth)) &&
         gx_dict_set_c(rt, d, "nanstr", text[0]) && gx_dict_set_c(rt, d, "infstr", text[1]) &&
         gx_dict_set_c(rt, d, "sign", text[2]) && gx_dict_set_c(rt, d, "formatter", o->formatter) &&
         gx_dict_set_c(rt, d, "legacy", gx_bool(false)) &&
         gx_dict_set_c(rt, d, "override_repr", gx_none());
    for (int i = 0; i < 4; i++) gx_drop(text[i]);
    if (ok)
        *out = d;
    else
        gx_drop(d);
    return ok;
}

static bool get_printoptions_fn(gx_call *c, gx_value *out) {
    gx_printopts o = gx_print_options(c->rt);
    return options_dict(c->rt, &o, out);
}

/* --- printoptions: the context manager --- */

typedef struct scoped {
    gx_container head;
    gx_printopts inside, outside;
    gx_value formatters[2]; /* owned: of inside, of outside */
} scoped;

static void scoped_free(gx_rt *rt, gx_obj *o) {
    scoped *p = (scoped *)o;
    gx_container_untrack(rt, &p->head);
    gx_drop(p->formatters[0]);
    gx_drop(p->formatters[1]);
    gx_free(rt, o);
}

static void scoped_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    scoped *p = (scoped *)o;
    for (int i = 0; i < 2; i++)
        if (gx_is_object(p->formatters[i])) visit(p->formatters[i].obj, ctx);
}

static void scoped_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    scoped *p = (scoped *)o;
    for (int i = 0; i < 2; i++) gx_drop(gx_steal(&p->formatters[i]));
}

static bool scoped_enter(gx_call *c, gx_value *out) {
    scoped *p = (scoped *)c->argv[0].obj;
    gx_drop(p->formatters[1]);
    p->outside = gx_print_options(c->rt);
    p->formatters[1] = gx_keep(p->outside.formatter);
    return gx_print_set_options(c->rt, &p->inside) && options_dict(c->rt, &p->inside, out);
}

static bool scoped_exit(gx_call *c, gx_value *out) {
    scoped *p = (scoped *)c->argv[0].obj;
    *out = gx_bool(false);
    return gx_print_set_options(c->rt, &p->outside);
}

static const gx_native scoped_methods[] = {
    {"__enter__", "__enter__(self)", "Sets the options.", NULL, scoped_enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Puts the former options back.", NULL, scoped_exit, 0, 0},
    {.name = NULL},
};

static const gx_type scoped_type = {
    .name = "numpy.printoptions",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A context manager that sets print options for the body of a with statement.",
    .free = scoped_free,
    .traverse = scoped_traverse,
    .clear = scoped_clear,
    .methods = scoped_methods};

static bool printoptions_fn(gx_call *c, gx_value *out) {
    gx_printopts o = gx_print_options(c->rt);
    if (!read_options(c, &set_args, &o)) return false;
    scoped *p = gx_obj_new(c->rt, &scoped_type, sizeof *p);
    if (!p) return false;
    p->inside = p->outside = o;
    p->formatters[0] = gx_keep(o.formatter);
    gx_container_track(c->rt, &p->head);
    *out = gx_object(&p->head.obj);
    return true;
}

/* --- text of one array --- */

static bool give_text(gx_np *s, gx_buf *text, bool ok, gx_value *out) {
    if (!ok) {
        gx_buf_free(text);
        return gx_np_end(s, false);
    }
    return gx_np_end(s, gx_str_take(text, out));
}

static bool array2string_fn(gx_call *c, gx_value *out) {
    static const option_args at = {2, 9, 10, 1, 3, -1, -1, 6, 7, 8};
    gx_np s = gx_np_begin(c);
    gx_printopts o = gx_print_options(c->rt);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    const char *separator, *prefix, *suffix;
    size_t n, np, ns;
    if (!a || !read_options(c, &at, &o) || !gx_arg_str(c, 4, &separator, &n) ||
        !gx_arg_str(c, 5, &prefix, &np) || !gx_arg_str(c, 11, &suffix, &ns))
        return gx_np_end(&s, false);
    gx_buf text = gx_buf_new(c->rt);
    return give_text(&s, &text, gx_array_to_string(c->rt, a, &o, separator, np, ns, &text), out);
}

static bool array_repr_fn(gx_call *c, gx_value *out) {
    static const option_args at = {2, -1, -1, 1, 3, -1, -1, -1, -1, -1};
    gx_np s = gx_np_begin(c);
    gx_printopts o = gx_print_options(c->rt);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a || !read_options(c, &at, &o)) return gx_np_end(&s, false);
    gx_buf text = gx_buf_new(c->rt);
    return give_text(&s, &text, gx_array_repr_with(c->rt, a, &o, &text), out);
}

static bool array_str_fn(gx_call *c, gx_value *out) {
    static const option_args at = {2, -1, -1, 1, 3, -1, -1, -1, -1, -1};
    gx_np s = gx_np_begin(c);
    gx_printopts o = gx_print_options(c->rt);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a || !read_options(c, &at, &o)) return gx_np_end(&s, false);
    gx_buf text = gx_buf_new(c->rt);
    bool ok = a->ndim ? gx_array_to_string(c->rt, a, &o, " ", 0, 0, &text)
                      : gx_array_str(c->rt, a, &text);
    return give_text(&s, &text, ok, out);
}

/* A number of digits or columns; -1: none given. */
static bool width_arg(gx_call *c, int i, int64_t *v) {
    *v = -1;
    if (!gx_arg_some(c, i)) return true;
    if (!gx_arg_int(c, i, v)) return false;
    return *v >= 0 || gx_fail(c->rt, GX_ValueError, "print.width", "%s must be >= 0",
                              gx_native_param(c->rt, c->fn, i));
}

/* How many bytes the number's precision has: a NumPy scalar's own, else 8. */
static int float_bytes(gx_borrowed v) {
    return gx_is_scalar(v) && gx_dtype_kind(gx_scalar_dtype(v)) == GX_KIND_FLOAT
               ? (int)gx_dtype_size(gx_scalar_dtype(v))
               : 8;
}

static bool format_float(gx_call *c, bool scientific, gx_value *out) {
    double x;
    int64_t precision, left, right, least;
    bool unique, fractional = true, sign;
    const char *trim;
    size_t n;
    int k = scientific ? 0 : 1;
    if (!gx_arg_float(c, 0, &x) || !width_arg(c, 1, &precision) || !gx_arg_bool(c, 2, &unique) ||
        (!scientific && !gx_arg_bool(c, 3, &fractional)) || !gx_arg_str(c, 3 + k, &trim, &n) ||
        !gx_arg_bool(c, 4 + k, &sign) || !width_arg(c, 5 + k, &left) ||
        !width_arg(c, 6 + k, &right) || !width_arg(c, 7 + k, &least))
        return false;
    if (n != 1 || !strchr("k.0-", trim[0]))
        return gx_fail(c->rt, GX_TypeError, "print.trim",
                       "if supplied, trim must be 'k', '.', '0' or '-' found `%s`", trim);
    if (!unique && precision < 0)
        return gx_fail(c->rt, GX_TypeError, "print.precision",
                       "in non-unique mode `precision` must be supplied");
    if (precision >= 0 && least > precision)
        return gx_fail(c->rt, GX_ValueError, "print.digits",
                       "min_digits must be less than or equal to precision");
    gx_buf text = gx_buf_new(c->rt);
    bool ok =
        !isfinite(x) ? gx_buf_puts(&text, isnan(x) ? "nan" : x < 0 ? "-inf" : sign ? "+inf" : "inf")
        : scientific
            ? gx_float_scientific(&text, x, float_bytes(c->argv[0]), (int)precision, unique,
                                  trim[0], sign, (int)left, (int)right, (int)least)
            : gx_float_positional(&text, x, float_bytes(c->argv[0]), (int)precision, unique,
                                  fractional, trim[0], sign, (int)left, (int)right, (int)least);
    if (ok) return gx_str_take(&text, out);
    gx_buf_free(&text);
    return false;
}

static bool format_positional_fn(gx_call *c, gx_value *out) {
    return format_float(c, false, out);
}
static bool format_scientific_fn(gx_call *c, gx_value *out) {
    return format_float(c, true, out);
}

#define OPTIONS_SIG                                                                                \
    "(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, "             \
    "nanstr=None, "                                                                                \
    "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)"
const gx_native gx_np_printopts_functions[] = {
    {"set_printoptions", "set_printoptions" OPTIONS_SIG,
     "Sets how arrays are printed: digits, line width, elements before … and so on.", NULL,
     set_printoptions_fn, 0, 0},
    {"get_printoptions", "get_printoptions()", "The current print options, as a dict.",
     "get_printoptions()['precision']  # 8", get_printoptions_fn, 0, 0},
    {"printoptions", "printoptions" OPTIONS_SIG,
     "A context manager that sets print options for the body of a with statement.", NULL,
     printoptions_fn, 0, 0},
    {"array2string",
     "array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=' ', "
     "prefix='', formatter=None, sign=None, floatmode=None, threshold=None, edgeitems=None, "
     "suffix='', *, legacy=None)",
     "An array as a string, with the given print options.",
     "array2string(array([1, 2]), separator=',')  # [1,2]", array2string_fn, GX_NATIVE_HOST, 0},
    {"array_repr", "array_repr(arr, max_line_width=None, precision=None, suppress_small=None)",
     "The string that repr() gives for an array, with the given print options.",
     "array_repr(array([1, 2]))  # array([1, 2])", array_repr_fn, GX_NATIVE_HOST, 0},
    {"array_str", "array_str(a, max_line_width=None, precision=None, suppress_small=None)",
     "The string that str() gives for an array, with the given print options.",
     "array_str(array([1, 2]))  # [1 2]", array_str_fn, GX_NATIVE_HOST, 0},
    {"format_float_positional",
     "format_float_positional(x, precision=None, unique=True, fractional=True, trim='k', "
     "sign=False, "
     "pad_left=None, pad_right=None, min_digits=None)",
     "A float as a decimal string without an exponent.", "format_float_positional(1e-4)  # 0.0001",
     format_positional_fn, 0, 0},
    {"format_float_scientific",
     "format_float_scientific(x, precision=None, unique=True, trim='k', sign=False, pad_left=None, "
     "exp_digits=None, min_digits=None)",
     "A float as a string in scientific notation, with an exponent.",
     "format_float_scientific(1500.0)  # 1.5e+03", format_scientific_fn, 0, 0},
    {.name = NULL},
};
