/* Compiled texts: running them whole and by statement. */
#include <stdlib.h>

#include "interp/embed/state_int.h"
#include "stdlib/stdlib.h"

static gx_program *compile(gx_state *s, bool ok, uint32_t source) {
    gx_unit *unit = ok ? gx_state_load(s, source) : NULL;
    if (unit && !gx_bind_doc(s->rt, gx_as_module(s->main), unit)) {
        gx_unit_drop(unit);
        unit = NULL;
    }
    gx_program *c = unit ? malloc(sizeof *c) : NULL;
    if (c) {
        *c = (gx_program){.state = s, .unit = unit, .source = source, .next = s->programs};
        if (c->next) c->next->before = c;
        s->programs = c;
    } else if (unit) {
        gx_unit_drop(unit);
        gx_no_memory(s->rt);
    }
    return gx_state_done(s, c != NULL) ? c : NULL;
}

gx_program *gx_state_compile(gx_state *s, const char *text, size_t length, const char *name) {
    gx_rt *rt = gx_state_enter(s);
    uint32_t source;
    bool ok = gx_source_add(rt, name, text, length, &source);
    return compile(s, ok, source);
}

gx_program *gx_state_compile_file(gx_state *s, const char *path) {
    gx_rt *rt = gx_state_enter(s);
    uint32_t source;
    bool ok = gx_source_read(rt, path, &source);
    return compile(s, ok, source);
}

void gx_program_drop(gx_program *c) {
    if (!c) return;
    if (c->before) c->before->next = c->next;
    else c->state->programs = c->next;
    if (c->next) c->next->before = c->before;
    gx_unit_drop(c->unit);
    free(c);
}

void gx_programs_free(gx_state *s) {
    while (s->programs) gx_program_drop(s->programs);
}

/* Writes the repr of the value of a last expression, unless that is None. */
static bool show(gx_state *s, gx_unit *unit, gx_value *value) {
    gx_rt *rt = s->rt;
    gx_value v = gx_none();
    if (!gx_run_value(rt, unit, gx_as_module(s->main), &v)) return false;
    gx_buf text = gx_buf_new(rt);
    bool ok = v.tag == GX_NONE || (gx_repr(rt, v, &text) && gx_buf_char(&text, '\n') &&
                                   gx_stdout_write(rt, gx_buf_text(&text), text.length));
    gx_buf_free(&text);
    if (ok && value) *value = v;
    else gx_drop(v);
    return ok;
}

static bool run_unit(gx_state *s, gx_unit *unit, gx_run_how how, gx_value *value) {
    gx_module *m = gx_as_module(s->main);
    if (how == GX_RUN_ECHO) return gx_run_unit(s->rt, unit, m, true);
    if (how == GX_RUN_PROFILE) return gx_run_profiled(s->rt, unit, m);
    if (how == GX_RUN_SHOW) return show(s, unit, value);
    return value ? gx_run_value(s->rt, unit, m, value) : gx_run_unit(s->rt, unit, m, false);
}

bool gx_program_run(gx_program *c, gx_run_how how, gx_ref **value) {
    gx_state *s = c->state;
    gx_unit *unit = c->unit;
    gx_value v = gx_none();
    gx_state_enter(s);
    if (value) *value = NULL;
    gx_unit_keep(unit);
    bool ok = gx_run_begin(s);
    if (ok) {
        ok = run_unit(s, unit, how, value ? &v : NULL);
        gx_run_end(s);
    }
    gx_unit_drop(unit);
    if (ok && v.tag != GX_NONE) ok = (*value = gx_ref_new_take(s, v)) != NULL;
    return gx_state_done(s, ok);
}

size_t gx_program_count(const gx_program *c) {
    return (size_t)c->unit->main->body->n;
}

uint32_t gx_program_line(const gx_program *c, size_t i) {
    gx_span at = c->unit->main->body->list[i]->at;
    uint32_t line, column;
    at.end = at.start + 1;
    gx_source_place(c->state->rt, at, &line, &column);
    return line;
}

bool gx_program_run_part(gx_program *c, size_t i) {
    gx_state *s = c->state;
    gx_unit *unit = c->unit;
    gx_rt *rt = gx_state_enter(s);
    gx_unit_keep(unit);
    bool ok = gx_run_begin(s);
    if (ok) {
        ok = gx_run_statement(rt, unit, gx_as_module(s->main), (int32_t)i);
        gx_run_end(s);
    }
    gx_unit_drop(unit);
    return gx_state_done(s, ok);
}
