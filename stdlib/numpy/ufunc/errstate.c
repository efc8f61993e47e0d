/* NumPy's errstate, seterr, geterr, seterrcall, geterrcall: what conditions of floating-point
   operations do. State is in runtime/object/warn.h. Pending array work is computed before a rule
   changes, so that it holds for the operations written under it. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/warn.h"
#include "runtime/op/ufunc.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

static const char *const condition_names[GX_CONDS] = {"divide", "over", "under", "invalid"};
static const char *const mode_names[] = {"warn", "ignore", "raise", "print", "call", "log"};
enum { MODES = sizeof mode_names / sizeof *mode_names };

static bool mode_of(gx_call *c, int i, uint8_t *out) {
    const char *text;
    size_t n;
    if (!gx_arg_str(c, i, &text, &n)) return false;
    for (uint8_t m = 0; m < MODES; m++)
        if (strcmp(text, mode_names[m]) == 0) {
            *out = m;
            return true;
        }
    return gx_fail(c->rt, GX_ValueError, "errstate.mode",
                   "invalid error mode '%s': one of 'ignore', 'warn', 'raise', 'call', 'print', "
                   "'log'",
                   text);
}

/* Arguments from the first on: all, divide, over, under, invalid. */
static bool read_modes(gx_call *c, int first, bool has[GX_CONDS], uint8_t fp[GX_CONDS]) {
    for (int i = 0; i < GX_CONDS; i++) {
        int from = gx_arg_some(c, first + i + 1) ? first + i + 1 : first;
        has[i] = gx_arg_some(c, from);
        if (has[i] && !mode_of(c, from, &fp[i])) return false;
    }
    return true;
}

/* None, a function, or an object with a write method. */
static bool check_call(gx_rt *rt, gx_borrowed v) {
    gx_value write;
    gx_sym name = gx_sym_c(rt, "write");
    if (!name) return false;
    if (v.tag == GX_NONE || gx_callable(v)) return true;
    gx_try r = gx_try_attr(rt, v, name, &write);
    if (r == GX_TRY_YES) gx_drop(write);
    return r == GX_TRY_YES ||
           (r == GX_TRY_NO && gx_fail(rt, GX_TypeError, "warn.call",
                                      "python object must be callable or have a callable write "
                                      "method"));
}

/* --- errstate --- */

typedef struct errstate {
    gx_container head;
    bool entered, has[GX_CONDS], has_call;
    uint8_t fp[GX_CONDS], saved[GX_CONDS];
    gx_value call, before; /* owned: what is to be called inside; what was before */
} errstate;

static void clear(gx_rt *rt, gx_obj *o) {
    errstate *k = (errstate *)o;
    (void)rt;
    gx_value call = gx_steal(&k->call), before = gx_steal(&k->before);
    gx_drop(call);
    gx_drop(before);
}

static void free_errstate(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    clear(rt, o);
    gx_free(rt, o);
}

static void traverse(gx_obj *o, gx_visit visit, void *ctx) {
    errstate *k = (errstate *)o;
    if (gx_is_object(k->call)) visit(k->call.obj, ctx);
    if (gx_is_object(k->before)) visit(k->before.obj, ctx);
}

static bool enter_state(gx_rt *rt, errstate *k) {
    if (k->entered)
        return gx_fail(rt, GX_TypeError, "errstate.twice", "Cannot enter `np.errstate` twice.");
    if (!gx_lazy_flush(rt)) return false;
    gx_warn_state *now = gx_warn_state_of(rt), next;
    if (!now) return false;
    next = *now;
    memcpy(k->saved, now->fp, sizeof k->saved);
    for (int i = 0; i < GX_CONDS; i++)
        if (k->has[i]) next.fp[i] = k->fp[i];
    if (!gx_warn_set_state(rt, &next)) return false;
    if (k->has_call && !gx_warn_set_call(rt, k->call, &k->before)) return false;
    k->entered = true;
    return true;
}

/* What was written under these rules is computed under them; its error comes first. */
static bool leave_state(gx_rt *rt, errstate *k) {
    gx_error held = {0};
    gx_value old;
    bool ok = gx_lazy_flush(rt);
    if (!ok) gx_error_save(rt, &held);
    k->entered = false;
    gx_warn_state *now = gx_warn_state_of(rt), next = *now;
    memcpy(next.fp, k->saved, sizeof k->saved);
    bool restored = gx_warn_set_state(rt, &next);
    if (k->has_call && restored) {
        restored = gx_warn_set_call(rt, k->before, &old);
        if (restored) gx_drop(old);
        gx_value before = gx_steal(&k->before);
        gx_drop(before);
    }
    if (ok) return restored;
    gx_error_clear(rt);
    gx_error_restore(rt, &held);
    return false;
}

static bool enter(gx_call *c, gx_value *out) {
    if (!enter_state(c->rt, (errstate *)c->argv[0].obj)) return false;
    *out = gx_none();
    return true;
}

static bool leave(gx_call *c, gx_value *out) {
    errstate *k = (errstate *)c->argv[0].obj;
    if (!k->entered)
        return gx_fail(c->rt, GX_RuntimeError, "errstate.twice",
                       "Cannot exit %s without entering first", k->head.obj.type->name);
    *out = gx_none();
    return leave_state(c->rt, k);
}

static const gx_native methods[] = {
    {"__enter__", "__enter__(self, /)", "Begins.", NULL, enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Puts the state back.", NULL, leave, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

static bool decorate(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                     const gx_sym *kw, gx_value *out);

static const gx_type errstate_type = {
    .name = "numpy.errstate",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = free_errstate,
    .traverse = traverse,
    .clear = clear,
    .call = decorate,
    .methods = methods,
};

static errstate *new_state(gx_rt *rt, const errstate *like) {
    errstate *k = gx_obj_new(rt, &errstate_type, sizeof *k);
    if (!k) return NULL;
    memcpy(k->has, like->has, sizeof k->has);
    memcpy(k->fp, like->fp, sizeof k->fp);
    k->has_call = like->has_call;
    k->call = gx_keep(like->call);
    k->before = gx_none();
    gx_container_track(rt, &k->head);
    return k;
}

/* --- errstate as a decorator: a walk, a the function, b the errstate --- */

static bool call_inside(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    gx_walk *w = gx_as_walk(self);
    errstate *k = new_state(rt, (const errstate *)w->b.obj);
    gx_error held = {0};
    gx_value v = gx_none();
    if (!k) return false;
    bool ok = enter_state(rt, k);
    if (ok) {
        ok = gx_call_value(rt, w->a, argc, argv, kwc, kw, &v);
        if (!ok) gx_error_save(rt, &held);
        bool left = leave_state(rt, k);
        if (!ok) {
            gx_error_clear(rt);
            gx_error_restore(rt, &held);
        } else if (!left)
            gx_drop(v);
        ok = ok && left;
    }
    gx_obj_drop(&k->head.obj);
    if (ok) *out = v;
    return ok;
}

static gx_try inside_attr(gx_rt *rt, gx_borrowed self, gx_sym name, gx_value *out) {
    return gx_try_attr(rt, gx_as_walk(self)->a, name, out);
}

static bool inside_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "__doc__");
    return name && gx_get_attr(rt, gx_as_walk(self)->a, name, out);
}

static const gx_member inside_members[] = {
    {"__doc__", inside_doc, NULL, "What the function does."},
    {NULL, NULL, NULL, NULL},
};

static const gx_type inside_type = {
    .name = "function",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = gx_walk_free,
    .traverse = gx_walk_traverse,
    .clear = gx_walk_clear,
    .call = call_inside,
    .attr = inside_attr,
    .members = inside_members,
};

static bool decorate(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                     const gx_sym *kw, gx_value *out) {
    (void)kw;
    if (argc != 1 || kwc || !gx_callable(argv[0]))
        return gx_fail(rt, GX_TypeError, "errstate.call",
                       "errstate decorates a function: it is called with one");
    gx_walk *w = gx_walk_new(rt, &inside_type, 0);
    if (!w) return false;
    w->a = gx_keep(argv[0]);
    w->b = gx_keep(self);
    w->c = gx_none();
    return gx_walk_done(rt, w, out);
}

/* --- the functions --- */

static bool errstate_fn(gx_call *c, gx_value *out) {
    errstate like = {.has_call = gx_arg_given(c, 5), .call = gx_none()};
    if (!read_modes(c, 0, like.has, like.fp)) return false;
    if (like.has_call && !check_call(c->rt, c->argv[5])) return false;
    if (like.has_call) like.call = c->argv[5];
    errstate *k = new_state(c->rt, &like);
    if (!k) return false;
    *out = gx_object(&k->head.obj);
    return true;
}

static bool geterr_of(gx_rt *rt, gx_value *out) {
    const gx_warn_state *now = gx_warn_state_of(rt);
    gx_value dict;
    if (!now || !gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (int i = 0; ok && i < GX_CONDS; i++)
        ok = gx_dict_set_text(rt, dict, condition_names[i], mode_names[now->fp[i]]);
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

static bool geterr_fn(gx_call *c, gx_value *out) {
    return geterr_of(c->rt, out);
}

static bool seterr_fn(gx_call *c, gx_value *out) {
    bool has[GX_CONDS];
    uint8_t fp[GX_CONDS] = {0};
    gx_value old;
    if (!read_modes(c, 0, has, fp) || !gx_lazy_flush(c->rt) || !geterr_of(c->rt, &old))
        return false;
    gx_warn_state next = *gx_warn_state_of(c->rt);
    for (int i = 0; i < GX_CONDS; i++)
        if (has[i]) next.fp[i] = fp[i];
    if (!gx_warn_set_state(c->rt, &next)) {
        gx_drop(old);
        return false;
    }
    *out = old;
    return true;
}

static bool seterrcall_fn(gx_call *c, gx_value *out) {
    return check_call(c->rt, c->argv[0]) && gx_lazy_flush(c->rt) &&
           gx_warn_set_call(c->rt, c->argv[0], out);
}

static bool geterrcall_fn(gx_call *c, gx_value *out) {
    *out = gx_keep(gx_warn_get_call(c->rt));
    return true;
}

const gx_native gx_np_errstate_functions[] = {
    {"errstate",
     "errstate(all=None, divide=None, over=None, under=None, invalid=None, *, call=<no value>)",
     "A context manager or decorator: what floating-point errors do (ignore, warn, raise, print, "
     "call, log).",
     NULL, errstate_fn, 0, 0},
    {"seterr", "seterr(all=None, divide=None, over=None, under=None, invalid=None)",
     "Sets how floating-point errors are handled; returns the previous settings as a dict.", NULL,
     seterr_fn, 0, 0},
    {"geterr", "geterr()",
     "How floating-point errors are handled: a dict with divide, over, under and invalid.",
     "np.geterr()['divide']  # warn", geterr_fn, 0, 0},
    {"seterrcall", "seterrcall(func)",
     "Sets the function that mode 'call' calls, or the object that mode 'log' writes to; returns "
     "the previous one.",
     NULL, seterrcall_fn, 0, 0},
    {"geterrcall", "geterrcall()", "The function or object that modes 'call' and 'log' use.",
     "print(np.geterrcall())  # None", geterrcall_fn, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
