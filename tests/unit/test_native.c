/* Calls of builtin functions: every signature of the library parses; arguments are bound by
   position, keyword and default; wrong calls say what was wrong. */
#include <criterion/criterion.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/stdlib.h"

static gx_rt *open_rt(void) {
    gx_rt *rt = gx_rt_new();
    cr_assert_not_null(rt);
    cr_assert(gx_heap_new(rt) && gx_operations_open(rt) && gx_engine_new(rt) &&
              gx_natives_new(rt) && gx_stdlib_new(rt));
    return rt;
}

static void close_rt(gx_rt *rt) {
    gx_stdlib_free(rt);
    gx_natives_free(rt);
    gx_engine_free(rt);
    gx_heap_free(rt);
    gx_rt_free(rt);
}

/* Gives its arguments back as a tuple; what was not given is Ellipsis. */
static bool echo(gx_call *c, gx_value *out) {
    gx_value items[8];
    cr_assert_leq(c->argc, 8);
    for (int i = 0; i < c->argc; i++)
        items[i] = gx_arg_given(c, i) ? c->argv[i] : (gx_value){.tag = GX_ELLIPSIS};
    return gx_tuple_new(c->rt, c->argc, items, out);
}

static const gx_native plain = {"plain", "plain(a, b=2, c=<no value>)", "", NULL, echo, 0, 0};
static const gx_native mixed = {"mixed", "mixed(a, /, b, *, c=-1.5, d=(1, 'x'))", "", NULL, echo, 0,
                                0};
static const gx_native stars = {"stars", "stars(a, *args, k=None, **kwargs)", "", NULL, echo, 0, 0};
static const gx_native method = {"method", "method(self, x, /, y=0)", "", NULL, echo, 0, 0};

/* The repr of what a call gives, or "Error: message". */
static void check(gx_rt *rt, const gx_native *fn, int argc, const gx_value *argv, int kwc,
                  const char *const *names, bool as_method, const char *expected) {
    gx_sym kw[4];
    gx_value v;
    for (int i = 0; i < kwc; i++) kw[i] = gx_sym_c(rt, names[i]);
    gx_buf b = gx_buf_new(rt);
    bool ok = as_method
                  ? gx_native_call_method(rt, fn, argv[0], argc - 1, argv + 1, kwc, kw, &v)
                  : gx_native_call(rt, fn, GX_NS_GX, NULL, argc, argv, kwc, kw, &v);
    if (ok) {
        cr_assert(gx_repr(rt, v, &b));
        gx_drop(v);
    } else {
        cr_assert(gx_buf_puts(&b, rt->error.message));
        gx_error_clear(rt);
    }
    cr_expect_str_eq(gx_buf_text(&b), expected);
    gx_buf_free(&b);
}

#define CALL(fn, argc, kwc, names, expected) check(rt, &fn, argc, args, kwc, names, false, expected)
#define NAMES(...) (const char *const[]){__VA_ARGS__}

Test(native, binds_by_position_keyword_and_default) {
    gx_rt *rt = open_rt();
    const gx_value args[] = {gx_int(10), gx_int(20), gx_int(30), gx_int(40)};
    CALL(plain, 1, 0, NULL, "(10, 2, Ellipsis)");
    CALL(plain, 3, 0, NULL, "(10, 20, 30)");
    CALL(plain, 1, 1, NAMES("c"), "(10, 2, 20)");
    CALL(plain, 0, 1, NAMES("a"), "(10, 2, Ellipsis)");
    CALL(mixed, 2, 0, NULL, "(10, 20, -1.5, (1, 'x'))");
    CALL(mixed, 2, 2, NAMES("d", "c"), "(10, 20, 40, 30)");
    CALL(stars, 3, 0, NULL, "(10, (20, 30), None, {})");
    CALL(stars, 1, 2, NAMES("z", "k"), "(10, (), 30, {'z': 20})");
    check(rt, &method, 2, args, 0, NULL, true, "(10, 20, 0)");
    close_rt(rt);
}

Test(native, wrong_calls_say_what_was_wrong) {
    gx_rt *rt = open_rt();
    const gx_value args[] = {gx_int(10), gx_int(20), gx_int(30), gx_int(40)};
    CALL(plain, 0, 0, NULL, "plain() missing required argument 'a' (pos 1)");
    CALL(plain, 4, 0, NULL, "plain() takes from 1 to 3 positional arguments but 4 were given");
    CALL(mixed, 3, 0, NULL, "mixed() takes 2 positional arguments but 3 were given");
    CALL(mixed, 1, 0, NULL, "mixed() missing required argument 'b' (pos 2)");
    CALL(plain, 1, 1, NAMES("cc"), "plain: unexpected argument 'cc'");
    CALL(plain, 1, 1, NAMES("a"), "plain() got multiple values for argument 'a'");
    CALL(mixed, 1, 1, NAMES("a"), "mixed: argument 'a' is given by position only");
    check(rt, &method, 1, args, 0, NULL, true, "method() missing required argument 'x' (pos 1)");
    check(rt, &method, 4, args, 0, NULL, true,
          "method() takes from 1 to 2 positional arguments but 3 were given");
    close_rt(rt);
}

Test(native, near_names_are_offered) {
    gx_rt *rt = open_rt();
    gx_value args[] = {gx_int(1), gx_int(2)}, v;
    gx_sym kw[] = {gx_sym_c(rt, "bb")};
    cr_assert_not(gx_native_call(rt, &plain, GX_NS_GX, NULL, 1, args, 1, kw, &v));
    cr_expect_str_eq(rt->error.help, "did you mean 'b'?");
    gx_error_clear(rt);
    close_rt(rt);
}

static bool check_row(gx_rt *rt, const char *module, const gx_native *row, void *ctx) {
    int *rows = ctx;
    bool ok = gx_native_check(rt, row);
    cr_expect(ok, "%s.%s: %s", module, row->name, ok ? "" : rt->error.message);
    if (!ok) gx_error_clear(rt);
    cr_expect(strncmp(row->sig, row->name, strlen(row->name)) == 0, "%s.%s: signature '%s'", module,
              row->name, row->sig);
    cr_expect(row->doc && row->doc[0], "%s.%s has no documentation", module, row->name);
    ++*rows;
    return true;
}

Test(native, every_signature_parses) {
    gx_rt *rt = open_rt();
    int rows = 0;
    cr_assert(gx_stdlib_each_native(rt, check_row, &rows));
    cr_expect_gt(rows, 300);
    close_rt(rt);
}

Test(native, builtins_and_modules_are_found) {
    gx_rt *rt = open_rt();
    gx_value v;
    cr_expect_eq(gx_builtin(rt, gx_sym_c(rt, "print"), &v), GX_TRY_YES);
    cr_expect_eq(v.tag, GX_NATIVE);
    cr_expect_eq(gx_builtin(rt, gx_sym_c(rt, "no_such_name"), &v), GX_TRY_NO);
    cr_expect_eq(gx_module_import(rt, "no_such_module", &v), GX_TRY_NO);
    cr_assert_eq(gx_module_import(rt, "math", &v), GX_TRY_YES);
    gx_value again;
    cr_assert_eq(gx_module_import(rt, "math", &again), GX_TRY_YES);
    cr_expect_eq(v.obj, again.obj);
    gx_drop(again);
    cr_expect_str_eq(gx_module_near(rt, "numpi"), "numpy");
    cr_expect_str_eq(gx_builtin_near(rt, "prnt"), "print");
    gx_drop(v);
    close_rt(rt);
}

Test(native, doors_reach_the_same_function) {
    gx_rt *rt = open_rt();
    gx_value numpy, cupy, a, b;
    cr_assert_eq(gx_module_import(rt, "numpy", &numpy), GX_TRY_YES);
    cr_assert_eq(gx_module_import(rt, "cupy", &cupy), GX_TRY_YES);
    gx_sym zeros = gx_sym_c(rt, "zeros");
    cr_assert(gx_get_attr(rt, numpy, zeros, &a) && gx_get_attr(rt, cupy, zeros, &b));
    cr_expect_eq(a.native, b.native);
    cr_expect_eq(a.ns, GX_NS_NUMPY);
    cr_expect_eq(b.ns, GX_NS_CUPY);
    gx_drop(numpy);
    gx_drop(cupy);
    close_rt(rt);
}
