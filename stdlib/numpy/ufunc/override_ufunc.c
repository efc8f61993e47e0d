/* Calls of ufuncs and of their methods in which instances of a script's classes take part: their
   __array_ufunc__ is asked, in NumPy's order; else the ufunc computes with plain arrays, and the
   operand of the highest __array_priority__ wraps the result. */
#include <math.h>
#include <string.h>

#include "kernels/optable.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/op/ufunc.h"
#include "runtime/object/text/str.h"
#include "stdlib/numpy/ufunc/override.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

/* A call as __array_ufunc__ sees it. */
typedef struct ufunc_call {
    gx_borrowed ufunc;
    const char *method;
    int from, inputs; /* the first input in argv, and how many */
} ufunc_call;

static int operands_of(const gx_native *fn) {
    gx_np_ufunc_special u;
    return gx_np_ufunc_special_of(fn, &u) ? u.nin : gx_ops[fn->op].arity;
}

static ufunc_call read_call(const gx_override *o) {
    ufunc_call u = {.method = "__call__", .from = o->skip};
    if (o->skip) {
        u.ufunc = o->argv[0];
        u.method = o->fn->name;
        bool two = strcmp(u.method, "outer") == 0 || strcmp(u.method, "reduceat") == 0;
        u.inputs = two ? 2 : strcmp(u.method, "at") == 0 ? 3 : 1;
    } else {
        u.ufunc = gx_native_value(o->fn, GX_NS_NUMPY);
        u.inputs = operands_of(o->fn);
    }
    if (u.inputs > o->argc - u.from) u.inputs = o->argc - u.from;
    return u;
}

/* --- __array_ufunc__ -------------------------------------------------------------------------- */

typedef struct question {
    gx_value args[2 * GX_OVERRIDE_MOST]; /* borrowed, but for [1] and out */
    gx_sym kw[GX_OVERRIDE_MOST];
    int argc, kwc, out; /* out: the place of the tuple, or -1 */
} question;

/* out= as a tuple; owned. */
static bool out_tuple(gx_rt *rt, int n, const gx_borrowed *v, gx_value *out) {
    if (n == 1 && v[0].tag == GX_TUPLE) {
        *out = gx_keep(v[0]);
        return true;
    }
    return gx_tuple_new(rt, n, v, out);
}

static bool add_keyword(gx_rt *rt, question *q, const char *name, gx_borrowed v) {
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || q->argc + q->kwc >= 2 * GX_OVERRIDE_MOST || q->kwc >= GX_OVERRIDE_MOST)
        return sym && gx_fail(rt, GX_TypeError, "override.many", "too many arguments");
    q->kw[q->kwc] = sym;
    q->args[q->argc + q->kwc++] = v;
    return true;
}

static bool make_question(gx_rt *rt, const gx_override *o, const ufunc_call *u, question *q) {
    *q = (question){.out = -1};
    if (o->argc + o->kwc > GX_OVERRIDE_MOST)
        return gx_fail(rt, GX_TypeError, "override.many", "too many arguments");
    q->args[0] = u->ufunc;
    if (!gx_str_c(rt, u->method, &q->args[1])) return false;
    q->argc = 2;
    for (int i = 0; i < u->inputs; i++) q->args[q->argc++] = o->argv[u->from + i];
    gx_value outs = gx_undef();
    bool ok = true;
    int rest = u->from + u->inputs;
    if (!o->skip && o->argc > rest) {
        ok = out_tuple(rt, o->argc - rest, o->argv + rest, &outs);
    } else {
        for (int i = rest; ok && i < o->argc; i++) {
            const char *name = gx_native_param(rt, o->fn, i);
            if (!name) continue;
            if (strcmp(name, "out") == 0)
                ok = o->argv[i].tag == GX_NONE || out_tuple(rt, 1, &o->argv[i], &outs);
            else
                ok = add_keyword(rt, q, name, o->argv[i]);
        }
    }
    for (int k = 0; ok && k < o->kwc; k++) {
        const char *name = gx_sym_text(rt, o->kw[k]);
        gx_value v = o->argv[o->argc + k];
        if (strcmp(name, "out") != 0)
            ok = add_keyword(rt, q, name, v);
        else if (v.tag != GX_NONE)
            ok = out_tuple(rt, 1, &v, &outs);
    }
    if (ok && outs.tag != GX_UNDEF) {
        q->out = q->argc + q->kwc;
        ok = add_keyword(rt, q, "out", outs);
    }
    if (ok) return true;
    gx_drop(outs);
    gx_drop(q->args[1]);
    return false;
}

static void end_question(question *q) {
    gx_drop(q->args[1]);
    if (q->out >= 0) gx_drop(q->args[q->out]);
}

/* Adds v to those who are asked. False: it has __array_ufunc__ = None. */
static bool add_asked(gx_rt *rt, gx_borrowed v, gx_value *asked, int *n) {
    if (!gx_overrides(rt, v, "__array_ufunc__")) return true;
    if (gx_special_find(rt, v, "__array_ufunc__").tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "override.none",
                       "operand '%s' does not support ufuncs (__array_ufunc__=None)",
                       gx_type_name(v));
    gx_override_add(asked, n, v);
    return true;
}

static bool find_asked(gx_rt *rt, const ufunc_call *u, const gx_override *o, const question *q,
                       gx_value *asked, int *n) {
    const gx_value *items;
    *n = 0;
    for (int i = 0; i < u->inputs; i++)
        if (!add_asked(rt, o->argv[u->from + i], asked, n)) return false;
    int64_t outs = q->out >= 0 ? gx_sequence_items(q->args[q->out], &items) : 0;
    for (int64_t i = 0; i < outs; i++)
        if (!add_asked(rt, items[i], asked, n)) return false;
    return true;
}

static bool nobody(gx_rt *rt, const ufunc_call *u, const gx_override *o) {
    gx_buf names = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < u->inputs; i++)
        ok = gx_buf_printf(&names, "%s'%s'", i ? ", " : "", gx_type_name(o->argv[u->from + i]));
    if (ok)
        gx_fail(rt, GX_TypeError, "override.nobody",
                "operand type(s) all returned NotImplemented from __array_ufunc__(<ufunc '%s'>, "
                "'%s'): %s",
                u->ufunc.native->name, u->method, gx_buf_text(&names));
    gx_buf_free(&names);
    return false;
}

static gx_try ask(gx_rt *rt, const ufunc_call *u, const gx_override *o, const question *q,
                  const gx_value *asked, int n, gx_value *out) {
    gx_value fn;
    gx_sym name = gx_sym_c(rt, "__array_ufunc__");
    if (!name) return GX_TRY_ERROR;
    for (int i = 0; i < n; i++) {
        if (!gx_get_attr(rt, asked[i], name, &fn)) return GX_TRY_ERROR;
        bool ok = gx_call_value(rt, fn, q->argc, q->args, q->kwc, q->kw, out);
        gx_drop(fn);
        if (!ok) return GX_TRY_ERROR;
        if (!gx_declined(rt, *out)) return GX_TRY_YES;
        gx_drop(*out);
    }
    return nobody(rt, u, o) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- computing -------------------------------------------------------------------------------- */

static bool priority_of(gx_rt *rt, gx_borrowed v, double missing, double *out) {
    gx_value x;
    gx_sym name = gx_sym_c(rt, "__array_priority__");
    *out = missing;
    gx_try has = name ? gx_try_attr(rt, v, name, &x) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    gx_try number = gx_as_double(rt, x, out);
    gx_drop(x);
    return number != GX_TRY_ERROR;
}

/* Who wraps the results: the highest priority, of equals a subclass before an ndarray. */
static bool find_wrapper(gx_rt *rt, const ufunc_call *u, const gx_override *o, gx_value *out) {
    const double scalars = -1e6;
    double best = -HUGE_VAL, own;
    *out = gx_undef();
    for (int i = 0; i < u->inputs; i++) {
        gx_value v = o->argv[u->from + i];
        if (!gx_is_instance(v)) {
            own = v.tag == GX_ARRAY ? 0 : scalars;
            if (own > best && v.tag == GX_ARRAY) {
                best = own;
                *out = gx_undef();
            }
            continue;
        }
        if (v.tag != GX_ARRAY && !gx_overrides(rt, v, "__array_wrap__")) continue;
        if (!priority_of(rt, v, v.tag == GX_ARRAY ? 0 : scalars, &own)) return false;
        if (own > best || (own == best && out->tag == GX_UNDEF)) {
            best = own;
            *out = v;
        }
    }
    return true;
}

static bool context_of(gx_rt *rt, const ufunc_call *u, const gx_override *o, gx_borrowed wrapper,
                       gx_value *out) {
    *out = gx_none();
    if (o->skip || !gx_overrides(rt, wrapper, "__array_wrap__")) return true;
    gx_value parts[3] = {u->ufunc, gx_undef(), gx_int(0)};
    return gx_tuple_new(rt, u->inputs, o->argv + u->from, &parts[1]) &&
           gx_tuple_take(rt, 3, parts, out);
}

/* np.add.outer(a, b) as np.add(a[..., None], b): the wrapper sees the operands that it is about.
   NO: they are no arrays. */
static gx_try outer_as_call(gx_rt *rt, const gx_override *o, const ufunc_call *u, gx_value *out) {
    int64_t shape[GX_MAX_DIMS];
    gx_value sizes, fn, apart[2] = {o->argv[1], o->argv[2]};
    if (!gx_is_array(apart[0]) || !gx_is_array(apart[1])) return GX_TRY_NO;
    gx_array *a = gx_as_array(apart[0]), *b = gx_as_array(apart[1]);
    if (a->ndim + b->ndim > GX_MAX_DIMS) return GX_TRY_NO;
    for (int i = 0; i < a->ndim + b->ndim; i++) shape[i] = i < a->ndim ? gx_shape(a)[i] : 1;
    gx_sym name = gx_sym_c(rt, "reshape");
    if (!name || !gx_tuple_ints(rt, a->ndim + b->ndim, shape, &sizes)) return GX_TRY_ERROR;
    bool ok = gx_get_attr(rt, apart[0], name, &fn);
    if (ok) {
        ok = gx_call_value(rt, fn, 1, &sizes, 0, NULL, &apart[0]);
        gx_drop(fn);
    }
    gx_drop(sizes);
    if (!ok) return GX_TRY_ERROR;
    ok = gx_native_call(rt, u->ufunc.native, GX_NS_NUMPY, NULL, 2, apart, 0, NULL, out);
    gx_drop(apart[0]);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_override_ufunc_plain(gx_rt *rt, const gx_override *o, gx_value *out) {
    ufunc_call u = read_call(o);
    gx_plain_call p;
    gx_value r, context, wrapper;
    if (!find_wrapper(rt, &u, o, &wrapper)) return false;
    if (strcmp(u.method, "outer") == 0 && o->argc == 3 && o->kwc == 0 &&
        gx_overrides(rt, wrapper, "__array_wrap__")) {
        gx_try done = outer_as_call(rt, o, &u, out);
        if (done != GX_TRY_NO) return done == GX_TRY_YES;
    }
    if (!gx_plain_call_begin(rt, o, o->skip, &p)) return false;
    p.like = wrapper;
    bool ok = context_of(rt, &u, o, wrapper, &context);
    if (ok) {
        ok = gx_native_call_plain(rt, &p.call, &r) &&
             gx_plain_call_give(&p, "W", r, context, out);
        gx_drop(context);
    }
    gx_plain_call_end(&p);
    return ok;
}

gx_try gx_override_ufunc(gx_rt *rt, const gx_override *o, gx_value *out) {
    ufunc_call u = read_call(o);
    question q;
    gx_value asked[GX_OVERRIDE_MOST];
    int n = 0;
    if (!make_question(rt, o, &u, &q)) return GX_TRY_ERROR;
    bool ok = find_asked(rt, &u, o, &q, asked, &n);
    for (int i = 0; i < n; i++) gx_keep(asked[i]);
    gx_try done = !ok ? GX_TRY_ERROR : n == 0 ? GX_TRY_NO : ask(rt, &u, o, &q, asked, n, out);
    for (int i = 0; i < n; i++) gx_drop(asked[i]);
    end_question(&q);
    if (done != GX_TRY_NO) return done;
    return gx_override_ufunc_plain(rt, o, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- a.sum(), np.max(a): methods of ufuncs in NumPy --- */

static const struct folding {
    const char *name, *ufunc, *method;
} foldings[] = {
    {"sum", "add", "reduce"},          {"prod", "multiply", "reduce"},
    {"max", "maximum", "reduce"},      {"amax", "maximum", "reduce"},
    {"min", "minimum", "reduce"},      {"amin", "minimum", "reduce"},
    {"any", "logical_or", "reduce"},   {"all", "logical_and", "reduce"},
    {"cumsum", "add", "accumulate"},   {"cumprod", "multiply", "accumulate"},
};

/* A keyword of the new call; one that stands for `nothing given` is left out. */
static void keyword(gx_override *to, gx_value *values, gx_sym *names, gx_sym name, gx_borrowed v) {
    if (v.tag == GX_UNDEF || to->argc + to->kwc == GX_OVERRIDE_MOST) return;
    names[to->kwc] = name;
    values[to->argc + to->kwc++] = v;
}

gx_try gx_override_folding(gx_rt *rt, const gx_override *o, gx_value *out) {
    const struct folding *f = NULL;
    for (size_t i = 0; i < sizeof foldings / sizeof *foldings; i++)
        if (strcmp(foldings[i].name, o->fn->name) == 0) f = &foldings[i];
    if (!f || o->argc < 1 || !gx_is_class_array(o->argv[0]) ||
        !gx_overrides(rt, o->argv[0], "__array_ufunc__"))
        return GX_TRY_NO;
    gx_value values[GX_OVERRIDE_MOST];
    gx_sym names[GX_OVERRIDE_MOST], method = gx_sym_c(rt, f->method), axis = gx_sym_c(rt, "axis");
    if (!method || !axis) return GX_TRY_ERROR;
    gx_override to = {.fn = gx_type_method(rt, &gx_type_ufunc, method),
                      .ns = o->ns,
                      .argc = 2,
                      .skip = 1,
                      .argv = values,
                      .kw = names};
    const gx_native *ufunc = gx_op_native(rt, gx_op_find(f->ufunc));
    if (!ufunc || !to.fn) return GX_TRY_NO;
    values[0] = gx_native_value(ufunc, GX_NS_NUMPY);
    values[1] = o->argv[0];
    bool axis_given = false;
    for (int i = 1; i < o->argc; i++) {
        const char *param = gx_native_param(rt, o->fn, i);
        gx_sym name = param ? gx_sym_c(rt, param) : 0;
        if (!name) return GX_TRY_NO;
        axis_given = axis_given || name == axis;
        keyword(&to, values, names, name, o->argv[i]);
    }
    for (int k = 0; k < o->kwc; k++) {
        axis_given = axis_given || o->kw[k] == axis;
        keyword(&to, values, names, o->kw[k], o->argv[o->argc + k]);
    }
    bool whole = strcmp(f->method, "reduce") == 0 || gx_as_array(values[1])->ndim != 1;
    if (!axis_given) keyword(&to, values, names, axis, whole ? gx_none() : gx_int(0));
    return gx_override_ufunc(rt, &to, out);
}
