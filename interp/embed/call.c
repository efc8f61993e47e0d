/* How every call of gx.h begins and ends. */
#include "interp/embed/inside.h"
#include "interp/embed/state_int.h"

gx_rt *gx_state_enter(gx_state *s) {
    if (s->depth++ == 0 && (!s->on_thread || !pthread_equal(s->thread, pthread_self()))) {
        gx_stack_here(s->rt);
        s->thread = pthread_self();
        s->on_thread = true;
    }
    gx_failure_clear(s);
    return s->rt;
}

void gx_state_leave(gx_state *s) {
    s->depth--;
}

bool gx_state_done(gx_state *s, bool ok) {
    ok = gx_error_settle(s->rt, ok, "a call of gx.h");
    if (!ok) {
        const gx_syntax_error *first = &s->syntax.list[0];
        const gx_span at = s->rt->error.at;
        /* A callback's text that did not compile is another failure. */
        if (s->syntax.count && (first->at.source != at.source || first->at.start != at.start))
            gx_parse_errors_free(&s->syntax);
        gx_error_save(s->rt, &s->raised);
    }
    gx_state_leave(s);
    return ok;
}

gx_ref *gx_state_give(gx_state *s, bool ok, gx_value v) {
    gx_ref *r = ok ? gx_ref_new_take(s, v) : NULL;
    return gx_state_done(s, r != NULL) ? r : NULL;
}

/* --- for interp/python ------------------------------------------------------------------------ */

gx_rt *gx_state_rt(gx_state *s) {
    return s->rt;
}

gx_value gx_ref_value(const gx_ref *r) {
    return gx_keep(r->value);
}

void gx_state_moved(gx_state *s) {
    s->on_thread = false;
}

void gx_state_raise_again(gx_state *s) {
    if (!gx_failed(&s->raised))
        gx_fail(s->rt, GX_SystemError, "embed.silent", "a call of gx.h failed without a failure");
    else
        gx_error_restore(s->rt, &s->raised);
}

bool gx_state_message(gx_rt *rt, gx_buf *out) {
    return gx_report_text(rt, out);
}
