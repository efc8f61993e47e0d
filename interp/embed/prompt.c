/* A prompt's entries, colours and % lines. */
#include <stdio.h>
#include <stdlib.h>

#include "interp/embed/state_int.h"

/* --- entries ---------------------------------------------------------------------------------- */

static bool run_program(gx_state *s, const gx_buf *text, const char *name) {
    uint32_t source;
    if (!gx_source_add(s->rt, name, gx_buf_text(text), text->length, &source)) return false;
    gx_unit *unit = gx_state_load(s, source);
    if (!unit) return false;
    gx_session_forget_last(&s->session, gx_buf_text(text));
    const bool shown = !gx_session_is_quiet(gx_buf_text(text), text->length);
    const int before = s->rt->interp->echoed;
    long long number;
    bool ok = gx_run_unit(s->rt, unit, s->session.module, shown);
    gx_unit_drop(unit);
    if (ok && s->rt->interp->echoed != before && sscanf(name, "<input %lld>", &number) == 1)
        ok = gx_session_keep_result(&s->session, number);
    return ok;
}

/* Binds `_error`. What is pending stays so; of a text that does not compile with its help. */
static void bind_error(gx_state *s) {
    gx_error pending;
    if (s->rt->error.kind == GX_SystemExit) return;
    if (!s->syntax.count) {
        gx_session_bind_error(&s->session);
        return;
    }
    const gx_syntax_error *e = &s->syntax.list[0];
    gx_error_save(s->rt, &pending);
    gx_fail(s->rt, e->kind, "", "%s", e->message ? e->message : "invalid syntax");
    s->rt->error.at = e->at;
    gx_session_bind_error(&s->session);
    gx_error_clear(s->rt);
    gx_error_restore(s->rt, &pending);
}

bool gx_state_prompt(gx_state *s, const char *text, size_t length, const char *name) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf copy = gx_buf_new(rt);
    bool ok = gx_buf_add(&copy, text, length) && gx_run_begin(s);
    if (ok) {
        ok = gx_magic_is(gx_buf_text(&copy), length)
                 ? gx_magic_run(&s->session, gx_buf_text(&copy))
                 : run_program(s, &copy, name);
        gx_run_end(s);
        if (!ok) bind_error(s);
    }
    gx_buf_free(&copy);
    return gx_state_done(s, ok);
}

bool gx_state_predefine(gx_state *s) {
    gx_rt *rt = gx_state_enter(s);
    return gx_state_done(s, gx_predefine(rt, s->session.module));
}

void gx_state_paint(gx_state *s, const char *text, size_t length, uint8_t *out) {
    gx_state_enter(s);
    gx_session_paint(&s->session, text, length, out);
    gx_state_leave(s);
}

/* --- % lines ---------------------------------------------------------------------------------- */

struct gx_host_command {
    const char *name;
    gx_command fn;
    void *self;
    struct gx_host_command *next;
};

bool gx_is_command(const char *text, size_t length) {
    return gx_magic_is(text, length);
}

bool gx_run_command(void *host, void *self, const char *rest) {
    const struct gx_host_command *c = self;
    gx_state *s = host;
    gx_error_free(&s->raised);
    return c->fn(s, c->self, rest) || gx_host_failed(s, c->name);
}

bool gx_state_command(gx_state *s, const char *name, const char *usage, const char *doc,
                      gx_command fn, void *self) {
    gx_rt *rt = gx_state_enter(s);
    struct gx_host_command *c = malloc(sizeof *c);
    bool ok = c != NULL;
    if (ok) {
        *c = (struct gx_host_command){name, fn, self, s->commands};
        s->commands = c;
        ok = gx_magic_add(&s->session,
                          &(gx_magic){.name = name, .usage = usage, .doc = doc, .self = c});
    } else {
        gx_no_memory(rt);
    }
    return gx_state_done(s, ok);
}

void gx_host_commands_free(gx_state *s) {
    for (struct gx_host_command *c = s->commands, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    s->commands = NULL;
}
