/* What a condition of floats (divide, overflow, underflow, invalid) leads to, as np.errstate says:
   a warning, an error, a line, or a call of the script's function. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/tape.h"
#include "runtime/object/text/str.h"
#include "runtime/object/warn_int.h"

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
    gx_waiting_call list[GX_WAITING_CALLS];
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
    if (f->n_waiting == GX_WAITING_CALLS) return true; /* so many are as telling as all */
    gx_waiting_call *w = &f->waiting[f->n_waiting++];
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
        if (!gx_warn_at(rt, GX_RuntimeWarning, origin.end ? origin : rt->here, text)) return false;
    }
    return true;
}

GX_CHECK bool gx_warn_met(gx_rt *rt, bool overflow, bool invalid, const char *op) {
    const int met = (overflow ? GX_FP_OVERFLOW : 0) | (invalid ? GX_FP_INVALID : 0);
    return gx_fp_warn(rt, met, op, rt->here);
}
