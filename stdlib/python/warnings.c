/* The module warnings. State is in runtime/object/warn.h. Pending array work is computed before the
   rules change, so that a rule holds for the operations written under it. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "runtime/object/warn.h"
#include "runtime/op/ufunc.h"
#include "stdlib/python/builtins.h"
#include "stdlib/stdlib.h"

static bool category(gx_call *c, int i, const gx_type **out) {
    gx_borrowed v = c->argv[i];
    const gx_type *t = gx_as_type(v);
    *out = gx_exception_type(GX_UserWarning);
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    if (!t || !gx_type_is(t, gx_exception_type(GX_Warning)))
        return gx_fail(c->rt, GX_TypeError, "warn.category",
                       "category must be a Warning subclass, not '%s'",
                       v.tag == GX_TYPE ? v.type->name : gx_type_name(v));
    *out = t;
    return gx_warn_hold_type(c->rt, t);
}

static bool warnings_warn(gx_call *c, gx_value *out) {
    const gx_type *type;
    gx_buf b = gx_buf_new(c->rt);
    gx_value given = gx_undef();
    if (!category(c, 1, &type)) return false;
    if (gx_isinstance(c->argv[0], gx_exception_type(GX_Warning))) {
        given = c->argv[0];
        type = gx_type_of(given);
    }
    bool ok = gx_str_into(c->rt, c->argv[0], &b) &&
              gx_warn_as(c->rt, type, given, gx_buf_text(&b));
    gx_buf_free(&b);
    if (ok) *out = gx_none();
    return ok;
}

static bool action_of(gx_call *c, gx_warn_action *out) {
    static const char *const names[] = {"default", "ignore", "error", "always", "once", "module"};
    const char *text;
    size_t n;
    if (!gx_arg_str(c, 0, &text, &n)) return false;
    for (int i = 0; i < 6; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = i == 5 ? GX_WARN_ONCE : (gx_warn_action)i;
            return true;
        }
    return gx_fail(c->rt, GX_ValueError, "warn.action", "invalid action: '%s'", text);
}

/* Puts a filter before the others, or behind them. */
static bool add_filter(gx_call *c, const gx_warn_filter *f, bool append, gx_value *out) {
    if (!gx_lazy_flush(c->rt)) return false;
    gx_warn_state *now = gx_warn_state_of(c->rt), next;
    if (!now) return false;
    next = *now;
    if (next.count == GX_WARN_FILTERS) next.count--;
    int at = append ? next.count : 0;
    memmove(next.filters + at + 1, &next.filters[at],
            (size_t)(next.count - at) * sizeof *next.filters);
    next.filters[at] = *f;
    next.count++;
    if (!gx_warn_set_state(c->rt, &next)) return false;
    *out = gx_none();
    return true;
}

static bool warnings_simplefilter(gx_call *c, gx_value *out) {
    gx_warn_action action;
    const gx_type *type;
    bool append;
    if (!action_of(c, &action) || !category(c, 1, &type) || !gx_arg_bool(c, 2, &append))
        return false;
    if (!gx_arg_given(c, 1)) type = gx_exception_type(GX_Warning);
    gx_warn_filter f = {.action = (uint8_t)action, .type = type};
    return add_filter(c, &f, append, out);
}

static bool warnings_filterwarnings(gx_call *c, gx_value *out) {
    gx_warn_action action;
    const gx_type *type;
    const char *text;
    size_t n;
    bool append;
    if (!action_of(c, &action) || !gx_arg_str(c, 1, &text, &n) || !category(c, 2, &type) ||
        !gx_arg_bool(c, 5, &append))
        return false;
    if (!gx_arg_given(c, 2)) type = gx_exception_type(GX_Warning);
    gx_warn_filter f = {.action = (uint8_t)action, .type = type};
    if (strncmp(text, ".*", 2) == 0) {
        f.anywhere = true;
        text += 2;
    }
    n = strlen(text);
    if (n >= 2 && strcmp(text + n - 2, ".*") == 0) n -= 2;
    if (n >= GX_WARN_TEXT) n = GX_WARN_TEXT - 1;
    memcpy(f.message, text, n);
    return add_filter(c, &f, append, out);
}

static bool warnings_resetwarnings(gx_call *c, gx_value *out) {
    gx_warn_state *now = gx_warn_state_of(c->rt), next;
    if (!now || !gx_lazy_flush(c->rt)) return false;
    next = *now;
    next.count = 0;
    if (!gx_warn_set_state(c->rt, &next)) return false;
    *out = gx_none();
    return true;
}

/* --- the context manager keeps the whole state and puts it back --- */

typedef struct keeper {
    gx_obj obj;
    bool entered, record;
    gx_warn_state saved;
    gx_value before; /* catch_warnings: the list before */
} keeper;

static void free_keeper(gx_rt *rt, gx_obj *o) {
    gx_drop(((keeper *)o)->before);
    gx_free(rt, o);
}

static bool enter(gx_call *c, gx_value *out) {
    keeper *k = (keeper *)c->argv[0].obj;
    if (k->entered)
        return gx_fail(c->rt, GX_RuntimeError, "warn.twice", "Cannot enter %s twice",
                       k->obj.type->name);
    if (!gx_lazy_flush(c->rt)) return false;
    gx_warn_state *now = gx_warn_state_of(c->rt);
    if (!now) return false;
    k->saved = *now;
    gx_warn_state same = *now; /* what was shown may be shown again */
    if (!gx_warn_set_state(c->rt, &same)) return false;
    gx_value list = gx_none();
    if (k->record && !gx_list_new(c->rt, 0, NULL, &list)) return false;
    if (k->record && !gx_warn_record(c->rt, list, &k->before)) {
        gx_drop(list);
        return false;
    }
    k->entered = true;
    *out = list;
    return true;
}

static bool leave(gx_call *c, gx_value *out) {
    keeper *k = (keeper *)c->argv[0].obj;
    if (!k->entered)
        return gx_fail(c->rt, GX_RuntimeError, "errstate.twice",
                       "Cannot exit %s without entering first", k->obj.type->name);
    /* What was written under these rules is computed under them; its error comes first. */
    bool ok = gx_lazy_flush(c->rt);
    gx_error held = {0};
    gx_value list;
    if (!ok) gx_error_save(c->rt, &held);
    k->entered = false;
    const gx_warn_state *now = gx_warn_state_of(c->rt); /* what seterr set inside, stays */
    memcpy(k->saved.fp, now->fp, sizeof k->saved.fp);
    bool restored = gx_warn_set_state(c->rt, &k->saved);
    if (k->record && restored) {
        restored = gx_warn_record(c->rt, k->before, &list);
        if (restored) gx_drop(list);
    }
    if (!ok) {
        gx_error_clear(c->rt);
        gx_error_restore(c->rt, &held);
        return false;
    }
    if (restored) *out = gx_none();
    return restored;
}

static const gx_native keeper_methods[] = {
    {"__enter__", "__enter__(self, /)", "Begins.", NULL, enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Puts the state back.", NULL, leave, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_type catch_type = {
    .name = "warnings.catch_warnings", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .free = free_keeper, .methods = keeper_methods,
};

static bool warnings_catch_warnings(gx_call *c, gx_value *out) {
    bool record;
    if (!gx_arg_bool(c, 0, &record)) return false;
    keeper *k = gx_obj_new(c->rt, &catch_type, sizeof *k);
    if (!k) return false;
    k->record = record;
    *out = gx_object(&k->obj);
    return true;
}

const gx_native gx_py_warnings_functions[] = {
    {"warn", "warn(message, category=None, stacklevel=1, source=None)", "Shows a warning.", NULL,
     warnings_warn, 0, 0},
    {"simplefilter", "simplefilter(action, category=<no value>, append=False)",
     "What happens to warnings: ignore, error, always, once, default.", NULL, warnings_simplefilter,
     0, 0},
    {"filterwarnings",
     "filterwarnings(action, message='', category=<no value>, module='', lineno=0, append=False)",
     "simplefilter() for warnings whose text begins so.", NULL, warnings_filterwarnings, 0, 0},
    {"resetwarnings", "resetwarnings()", "Forgets all filters.", NULL, warnings_resetwarnings, 0,
     0},
    {"catch_warnings", "catch_warnings(*, record=False)",
     "Puts the filters back after a with block; record=True collects the warnings.", NULL,
     warnings_catch_warnings, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
