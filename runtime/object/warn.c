/* Warnings: NumPy's texts, on stderr, once a source line and text. A warning is about the statement
   that made the value, which may be above the one that computed it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runtime/backend/tape.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "runtime/object/warn.h"

enum { SEEN_LIMIT = 1024, WAITING = 16 };

/* A condition whose function is to be called once nothing is being computed. */
typedef struct waiting {
    uint8_t kind, flags;
    char op[40];
} waiting;

/* A place and text that has been shown: their hash. */
struct gx_fpstate {
    gx_warn_state state;
    gx_value record; /* a list, or UNDEF: warnings are printed */
    uint64_t seen[SEEN_LIMIT];
    int count;
    gx_value call; /* of modes "call" and "log", or None */
    int depth;     /* computations that are going on */
    int n_waiting;
    waiting waiting[WAITING];
};

void gx_warn_free(gx_rt *rt) {
    if (!rt->fp) return;
    gx_drop(rt->fp->record);
    gx_drop(rt->fp->call);
    gx_free(rt, rt->fp);
    rt->fp = NULL;
}

gx_warn_state *gx_warn_state_of(gx_rt *rt) {
    if (!rt->fp) {
        rt->fp = gx_alloc_zero(rt, sizeof *rt->fp);
        if (!rt->fp) return NULL;
        rt->fp->state.fp[GX_COND_UNDER] = GX_MODE_IGNORE;
    }
    return &rt->fp->state;
}

bool gx_warn_set_state(gx_rt *rt, const gx_warn_state *state) {
    gx_warn_state *now = gx_warn_state_of(rt);
    if (!now) return false;
    *now = *state;
    rt->fp->count = 0;
    return true;
}

bool gx_warn_record(gx_rt *rt, gx_borrowed list, gx_value *old) {
    if (!gx_warn_state_of(rt)) return false;
    *old = rt->fp->record;
    rt->fp->record = gx_keep(list);
    return true;
}

/* Does the filter's text stand in the warning's, letter case aside? */
static bool text_fits(const gx_warn_filter *f, const char *text) {
    size_t n = strlen(f->message);
    for (; n; text++) {
        if (strncasecmp(text, f->message, n) == 0) return true;
        if (!f->anywhere || !*text) return false;
    }
    return true;
}

static gx_warn_action action_for(gx_rt *rt, gx_error_kind kind, const char *text) {
    const gx_warn_state *s = rt->fp ? &rt->fp->state : NULL;
    for (int i = 0; s && i < s->count; i++) {
        const gx_warn_filter *f = &s->filters[i];
        if (gx_error_is(kind, (gx_error_kind)f->kind) && text_fits(f, text))
            return (gx_warn_action)f->action;
    }
    return GX_WARN_DEFAULT;
}

static uint64_t hash_text(const char *text, uint64_t h) {
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static bool first_time(gx_rt *rt, gx_span at, const char *text) {
    if (!gx_warn_state_of(rt)) {
        gx_error_clear(rt); /* a warning is no reason to fail */
        return true;
    }
    uint32_t line = 0, column = 0;
    if (at.end) gx_source_place(rt, at, &line, &column);
    uint64_t h = hash_text(text, UINT64_C(0xcbf29ce484222325) ^ ((uint64_t)at.source << 32 | line));
    for (int i = 0; i < rt->fp->count; i++) {
        if (rt->fp->seen[i] == h) return false;
    }
    if (rt->fp->count < SEEN_LIMIT) rt->fp->seen[rt->fp->count++] = h;
    return true;
}

static void show(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    if (s) gx_source_place(rt, at, &line, &column);
    if (s) gx_say(rt, GX_ERR, "%s:%u: %s: %s\n", s->name, line, gx_error_name(kind), text);
    else gx_say(rt, GX_ERR, "%s: %s\n", gx_error_name(kind), text);
}

/* Adds (message, category, filename, lineno) to the list that records. */
static bool record(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    static const char *const names[] = {"message", "category", "filename", "lineno"};
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    gx_sym fields[4];
    gx_value items[4] = {{0}}, v;
    if (s) gx_source_place(rt, at, &line, &column);
    for (int i = 0; i < 4; i++)
        if (!(fields[i] = gx_sym_c(rt, names[i]))) return false;
    bool ok = gx_str_c(rt, text, &v);
    if (!ok) return false;
    ok = gx_exception_new(rt, gx_exception_type(kind), 1, &v, &items[0]);
    gx_drop(v);
    items[1] = gx_type_value(gx_exception_type(kind));
    items[3] = gx_int((int64_t)line);
    ok = ok && gx_str_c(rt, s ? s->name : "", &items[2]) &&
         gx_tuple_named(rt, "warnings.WarningMessage", 4, fields, items, &v) &&
         gx_list_push_take(rt, rt->fp->record, v);
    gx_drop(items[0]);
    gx_drop(items[2]);
    return ok;
}

static bool warn_at(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    at = gx_source_seen(rt, at);
    gx_warn_action action = action_for(rt, kind, text);
    bool wanted = true;
    if (action == GX_WARN_IGNORE) return true;
    if (action == GX_WARN_ERROR) return gx_fail(rt, kind, "", "%s", text);
    if (action == GX_WARN_ONCE) wanted = first_time(rt, (gx_span){0}, text);
    if (action == GX_WARN_DEFAULT) wanted = first_time(rt, at, text);
    if (!wanted) return true;
    if (rt->fp && rt->fp->record.tag == GX_LIST) return record(rt, kind, at, text);
    show(rt, kind, at, text);
    return true;
}

GX_CHECK bool gx_warn(gx_rt *rt, gx_error_kind kind, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return warn_at(rt, kind, rt->here, text);
}

/* --- conditions of floats --- */

static const struct {
    int flag;
    gx_fp_condition condition;
    const char *text;
} kinds[] = {{GX_FP_DIVIDE | GX_FP_INTDIV, GX_COND_DIVIDE, "divide by zero"},
             {GX_FP_OVERFLOW, GX_COND_OVER, "overflow"},
             {GX_FP_UNDERFLOW, GX_COND_UNDER, "underflow"},
             {GX_FP_INVALID, GX_COND_INVALID, "invalid value"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static gx_fp_mode mode_of(const gx_rt *rt, gx_fp_condition condition) {
    if (rt->fp) return (gx_fp_mode)rt->fp->state.fp[condition];
    return condition == GX_COND_UNDER ? GX_MODE_IGNORE : GX_MODE_WARN;
}

bool gx_warn_of_underflow(const gx_rt *rt) {
    return rt->fp && rt->fp->state.fp[GX_COND_UNDER] != GX_MODE_IGNORE;
}

bool gx_warn_set_call(gx_rt *rt, gx_borrowed call, gx_value *old) {
    if (!gx_warn_state_of(rt)) return false;
    *old = rt->fp->call.tag == GX_UNDEF ? gx_none() : rt->fp->call;
    rt->fp->call = gx_keep(call);
    return true;
}

gx_borrowed gx_warn_get_call(const gx_rt *rt) {
    return rt->fp && rt->fp->call.tag != GX_UNDEF ? rt->fp->call : gx_none();
}

static bool log_to(gx_rt *rt, gx_borrowed to, const char *kind, const char *op) {
    gx_value write, text, r;
    gx_sym name = gx_sym_c(rt, "write");
    if (!name || !gx_get_attr(rt, to, name, &write)) return false;
    bool ok = gx_str_printf(rt, &text, "Warning: %s encountered in %s\n", kind, op);
    if (ok) {
        ok = gx_call_value(rt, write, 1, &text, 0, NULL, &r);
        gx_drop(text);
        if (ok) gx_drop(r);
    }
    gx_drop(write);
    return ok;
}

static bool call_back(gx_rt *rt, int kind, int flags, const char *op) {
    gx_value fn = gx_keep(gx_warn_get_call(rt)), argv[2], r;
    const bool logged = mode_of(rt, kinds[kind].condition) == GX_MODE_LOG;
    bool ok;
    if (fn.tag == GX_NONE)
        return gx_fail(rt, GX_NameError, "warn.call",
                       logged
                           ? "log specified for %s (in %s) but no object with write method found."
                           : "python callback specified for %s (in  %s) but no function found.",
                       kinds[kind].text, op);
    if (logged) {
        ok = log_to(rt, fn, kinds[kind].text, op);
    } else {
        ok = gx_str_c(rt, kinds[kind].text, &argv[0]);
        argv[1] = gx_int(flags);
        if (ok) {
            ok = gx_call_value(rt, fn, 2, argv, 0, NULL, &r);
            gx_drop(argv[0]);
            if (ok) gx_drop(r);
        }
    }
    gx_drop(fn);
    return ok;
}

bool gx_warn_hold(gx_rt *rt) {
    if (GX_LIKELY(!rt->fp)) return false;
    rt->fp->depth++;
    return true;
}

GX_CHECK bool gx_warn_release(gx_rt *rt, bool ok) {
    struct gx_fpstate *f = rt->fp;
    waiting list[WAITING];
    if (!f || --f->depth > 0) return ok;
    const int n = f->n_waiting;
    f->n_waiting = 0;
    if (!ok || !n) return ok;
    memcpy(list, f->waiting, (size_t)n * sizeof *list);
    for (int i = 0; i < n; i++)
        if (!call_back(rt, list[i].kind, list[i].flags, list[i].op)) return false;
    return true;
}

/* NumPy's bits: 1 divide, 2 over, 4 under, 8 invalid. */
static bool call_now_or_later(gx_rt *rt, int kind, int conditions, const char *op) {
    const int flags = (conditions & 14) | ((conditions & (GX_FP_DIVIDE | GX_FP_INTDIV)) != 0);
    struct gx_fpstate *f = rt->fp;
    if (!f->depth) return call_back(rt, kind, flags, op);
    if (f->n_waiting == WAITING) return true; /* so many are as telling as all */
    waiting *w = &f->waiting[f->n_waiting++];
    w->kind = (uint8_t)kind;
    w->flags = (uint8_t)flags;
    snprintf(w->op, sizeof w->op, "%s", op);
    return true;
}

GX_CHECK bool gx_fp_warn(gx_rt *rt, int conditions, const char *op, gx_span origin) {
    char text[256];
    for (int i = 0; i < KINDS; i++) {
        if (!(conditions & kinds[i].flag)) continue;
        gx_fp_mode mode = mode_of(rt, kinds[i].condition);
        if (mode == GX_MODE_IGNORE) continue;
        if (mode == GX_MODE_CALL || mode == GX_MODE_LOG) {
            if (!call_now_or_later(rt, i, conditions, op)) return false;
            continue;
        }
        snprintf(text, sizeof text, "%s encountered in %s", kinds[i].text, op);
        if (mode == GX_MODE_RAISE)
            return gx_fail(rt, GX_FloatingPointError, "float.raised", "%s", text);
        if (mode == GX_MODE_PRINT) {
            gx_say(rt, GX_ERR, "Warning: %s\n", text);
            continue;
        }
        if (!warn_at(rt, GX_RuntimeWarning, origin.end ? origin : rt->here, text)) return false;
    }
    return true;
}

GX_CHECK bool gx_warn_met(gx_rt *rt, bool overflow, bool invalid, const char *op) {
    const int met = (overflow ? GX_FP_OVERFLOW : 0) | (invalid ? GX_FP_INVALID : 0);
    return gx_fp_warn(rt, met, op, rt->here);
}
