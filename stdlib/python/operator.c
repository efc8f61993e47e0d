/* The module operator: Python's operators as functions, and itemgetter, attrgetter, methodcaller.
 */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

#define BINARY(name, op)                                                                           \
    static bool operator_##name(gx_call *c, gx_value *out) {                                       \
        return gx_binary(c->rt, op, c->argv[0], c->argv[1], out);                                  \
    }
#define COMPARE(name, op)                                                                          \
    static bool operator_##name(gx_call *c, gx_value *out) {                                       \
        return gx_compare(c->rt, op, c->argv[0], c->argv[1], out);                                 \
    }
#define UNARY(name, op)                                                                            \
    static bool operator_##name(gx_call *c, gx_value *out) {                                       \
        return gx_unary(c->rt, op, c->argv[0], out);                                               \
    }
BINARY(add, GX_ADD)
BINARY(sub, GX_SUB)
BINARY(mul, GX_MUL)
BINARY(matmul, GX_MATMUL)
BINARY(truediv, GX_DIV)
BINARY(floordiv, GX_FLOORDIV)
BINARY(mod, GX_MOD)
BINARY(pow, GX_POW)
BINARY(lshift, GX_LSHIFT)
BINARY(rshift, GX_RSHIFT)
BINARY(and_, GX_BITAND)
BINARY(or_, GX_BITOR)
BINARY(xor, GX_BITXOR)
COMPARE(eq, GX_EQ)
COMPARE(ne, GX_NE)
COMPARE(lt, GX_LT)
COMPARE(le, GX_LE)
COMPARE(gt, GX_GT)
COMPARE(ge, GX_GE)
COMPARE(is_, GX_IS)
COMPARE(is_not, GX_IS_NOT)
UNARY(neg, GX_NEG)
UNARY(pos, GX_POS)
UNARY(invert, GX_INVERT)

static bool operator_not_(gx_call *c, gx_value *out) {
    bool truth;
    if (!gx_truth(c->rt, c->argv[0], &truth)) return false;
    *out = gx_bool(!truth);
    return true;
}

static bool operator_truth(gx_call *c, gx_value *out) {
    bool truth;
    if (!gx_truth(c->rt, c->argv[0], &truth)) return false;
    *out = gx_bool(truth);
    return true;
}

static bool operator_contains(gx_call *c, gx_value *out) {
    bool in;
    if (!gx_contains(c->rt, c->argv[0], c->argv[1], &in)) return false;
    *out = gx_bool(in);
    return true;
}

static bool operator_getitem(gx_call *c, gx_value *out) {
    return gx_get_item(c->rt, c->argv[0], c->argv[1], out);
}

static bool operator_setitem(gx_call *c, gx_value *out) {
    if (!gx_set_item(c->rt, c->argv[0], c->argv[1], c->argv[2])) return false;
    *out = gx_none();
    return true;
}

static bool operator_delitem(gx_call *c, gx_value *out) {
    if (!gx_del_item(c->rt, c->argv[0], c->argv[1])) return false;
    *out = gx_none();
    return true;
}

static bool operator_index(gx_call *c, gx_value *out) {
    gx_try r = gx_as_integer(c->rt, c->argv[0], out);
    if (r == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "operator.index",
                       "'%s' object cannot be interpreted as an integer", gx_type_name(c->argv[0]));
    return r == GX_TRY_YES;
}

static bool operator_abs(gx_call *c, gx_value *out) {
    gx_sym name = gx_sym_c(c->rt, "abs");
    gx_value fn;
    if (!name || gx_builtin(c->rt, name, &fn) != GX_TRY_YES) return false;
    return gx_call1(c->rt, fn, c->argv[0], out);
}

/* --- getters: a the name of a method, b a tuple of keys, names or arguments, c keywords --- */

static bool one_argument(gx_rt *rt, int argc, int kwc) {
    if (argc == 1 && !kwc) return true;
    return gx_fail(rt, GX_TypeError, "call.arguments", "a getter takes one object");
}

/* fetch(object, key) of each key: the one, or a tuple of all. */
static bool fetch_all(gx_rt *rt, gx_borrowed keys, gx_borrowed object,
                      bool (*fetch)(gx_rt *, gx_borrowed, gx_borrowed, gx_value *), gx_value *out) {
    const gx_tuple *t = gx_as_tuple(keys);
    gx_value list, item;
    if (t->count == 1) return fetch(rt, object, t->items[0], out);
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < t->count; i++)
        ok = fetch(rt, object, t->items[i], &item) && gx_list_push_take(rt, list, item);
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool itemgetter_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                            const gx_sym *kw, gx_value *out) {
    (void)kw;
    return one_argument(rt, argc, kwc) &&
           fetch_all(rt, gx_as_walk(self)->b, argv[0], gx_get_item, out);
}

/* object.a.b of the text "a.b". */
static bool fetch_attr(gx_rt *rt, gx_borrowed object, gx_borrowed path, gx_value *out) {
    const char *at = gx_as_str(path)->text;
    gx_value v = gx_keep(object), next;
    for (;;) {
        size_t n = strcspn(at, ".");
        gx_sym name = gx_sym_of(rt, at, n);
        bool ok = name && gx_get_attr(rt, v, name, &next);
        gx_drop(v);
        if (!ok) return false;
        v = next;
        if (!at[n]) break;
        at += n + 1;
    }
    *out = v;
    return true;
}

static bool attrgetter_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                            const gx_sym *kw, gx_value *out) {
    (void)kw;
    return one_argument(rt, argc, kwc) &&
           fetch_all(rt, gx_as_walk(self)->b, argv[0], fetch_attr, out);
}

/* a the name, b a tuple of arguments, c a dict of keywords. */
static bool methodcaller_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv,
                              int kwc, const gx_sym *kw, gx_value *out) {
    (void)kw;
    gx_walk *w = gx_as_walk(self);
    gx_value method;
    gx_sym name = gx_str_sym(rt, w->a);
    if (!name || !one_argument(rt, argc, kwc) || !gx_get_attr(rt, argv[0], name, &method))
        return false;
    bool ok = gx_call_joined(rt, method, w->b, w->c, 0, NULL, 0, NULL, out);
    gx_drop(method);
    return ok;
}

static bool some_items(gx_call *c, bool texts) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    if (t->count == 0)
        return gx_fail(c->rt, GX_TypeError, "call.arguments",
                       "%s expected at least 1 argument, got 0", c->fn->name);
    for (int64_t i = 0; texts && i < t->count; i++)
        if (t->items[i].tag != GX_STR)
            return gx_fail(c->rt, GX_TypeError, "attr.name", "attribute name must be a string");
    return true;
}

/* operator.itemgetter(1, 'a'), as it was called. */
static bool getter_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_walk *w = gx_as_walk(v);
    const gx_tuple *t = gx_as_tuple(w->b);
    bool ok = gx_buf_puts(out, gx_type_name(v)) && gx_buf_char(out, '(');
    if (w->a.tag == GX_STR) ok = ok && gx_repr(rt, w->a, out);
    for (int64_t i = 0; ok && i < t->count; i++)
        ok = (!(i || w->a.tag == GX_STR) || gx_buf_puts(out, ", ")) &&
             gx_repr(rt, t->items[i], out);
    int64_t at = 0;
    const gx_entry *e;
    while (ok && w->c.tag == GX_DICT && (e = gx_dict_next(gx_as_dict(w->c), &at)))
        ok = gx_buf_printf(out, ", %s=", gx_as_str(e->key)->text) && gx_repr(rt, e->value, out);
    return ok && gx_buf_char(out, ')');
}

static bool getter(gx_call *c, gx_borrowed name, gx_borrowed items, gx_borrowed named,
                   gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, c->type, 0);
    if (!w) return false;
    w->a = gx_keep(name);
    w->b = gx_keep(items);
    w->c = gx_keep(named);
    return gx_walk_done(c->rt, w, out);
}

static bool operator_itemgetter(gx_call *c, gx_value *out) {
    return some_items(c, false) && getter(c, gx_none(), c->argv[0], gx_none(), out);
}

static bool operator_attrgetter(gx_call *c, gx_value *out) {
    return some_items(c, true) && getter(c, gx_none(), c->argv[0], gx_none(), out);
}

static bool operator_methodcaller(gx_call *c, gx_value *out) {
    if (c->argv[0].tag != GX_STR)
        return gx_fail(c->rt, GX_TypeError, "arg.type", "method name must be a string");
    return getter(c, c->argv[0], c->argv[1], c->argv[2], out);
}

#define GETTER(word, signature, text, example)                                                     \
    static const gx_native word##_row = {#word, #word signature, text, example, operator_##word,   \
                                         0, 0};                                                    \
    static const gx_type word##_type = {                                                           \
        .name = "operator." #word, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,      \
        .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,                \
        .call = word##_call, .repr = getter_repr, .construct = &word##_row, .doc = text,           \
    }
GETTER(itemgetter, "(*items)", "A function that returns those items of an object.",
       "operator.itemgetter(1)([5, 6])  # 6");
GETTER(attrgetter, "(*attrs)", "A function that returns those attributes of an object.",
       "operator.attrgetter('real')(3)  # 3");
GETTER(methodcaller, "(name, /, *args, **kwargs)", "A function that calls a method of an object.",
       "operator.methodcaller('upper')('a')  # A");

const gx_constant gx_py_operator_constants[] = {
    {.name = "itemgetter", .kind = GX_CONST_TYPE, .type = &itemgetter_type},
    {.name = "attrgetter", .kind = GX_CONST_TYPE, .type = &attrgetter_type},
    {.name = "methodcaller", .kind = GX_CONST_TYPE, .type = &methodcaller_type},
    {.name = NULL},
};

#define ROW2(n, text) {#n, #n "(a, b, /)", text, NULL, operator_##n, 0, 0}
#define ROW1(n, text) {#n, #n "(a, /)", text, NULL, operator_##n, 0, 0}
#define ROW(n, sig, text, example) {#n, #n sig, text, example, operator_##n, 0, 0}

const gx_native gx_py_operator_functions[] = {
    ROW2(add, "a + b."),
    ROW2(sub, "a - b."),
    ROW2(mul, "a * b."),
    ROW2(matmul, "a @ b."),
    ROW2(truediv, "a / b."),
    ROW2(floordiv, "a // b."),
    ROW2(mod, "a % b."),
    ROW2(pow, "a ** b."),
    ROW2(lshift, "a << b."),
    ROW2(rshift, "a >> b."),
    ROW2(and_, "a & b."),
    ROW2(or_, "a | b."),
    ROW2(xor, "a ^ b."),
    ROW2(eq, "a == b."),
    ROW2(ne, "a != b."),
    ROW2(lt, "a < b."),
    ROW2(le, "a <= b."),
    ROW2(gt, "a > b."),
    ROW2(ge, "a >= b."),
    ROW2(is_, "a is b."),
    ROW2(is_not, "a is not b."),
    ROW1(neg, "-a."),
    ROW1(pos, "+a."),
    ROW1(invert, "~a."),
    ROW1(not_, "not a."),
    ROW1(truth, "bool(a)."),
    ROW1(abs, "abs(a)."),
    ROW(index, "(a, /)", "a as an int; TypeError if it is not an integer.",
        "operator.index(3)  # 3"),
    ROW2(contains, "b in a."),
    ROW2(getitem, "a[b]."),
    ROW2(delitem, "del a[b]."),
    ROW(setitem, "(a, b, c, /)", "a[b] = c.", NULL),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
