/* The checker's way through a source. */
#include "interp/check/check.h"

#include <string.h>

#include "interp/check/check_int.h"

static bool take_syntax(gx_careful *c, gx_parse_errors *errors) {
    gx_error_clear(c->rt);
    for (int i = 0; i < errors->count; i++) {
        const gx_syntax_error *e = &errors->list[i];
        gx_fail(c->rt, e->kind, e->code ? e->code : "", "%s", e->message);
        c->rt->error.at = e->at;
        if (!c->rt->error.at.end) c->rt->error.at.end = c->rt->error.at.start + 1;
        if (e->help) gx_help(c->rt, "%s", e->help);
        if (!gx_check_found(c)) return false;
    }
    return true;
}

/* What is computed to learn shapes warns nobody. */
static int drop_text(void *self, gx_channel to, const char *text, size_t length) {
    (void)self, (void)to, (void)text, (void)length;
    return 0;
}

bool gx_check_source(gx_rt *rt, uint32_t source, gx_findings *out, gx_reading *more) {
    gx_careful c = {.rt = rt, .out = out, .more = more, .arena = gx_arena_new(rt)};
    gx_parse_errors errors = {.rt = rt};
    gx_value module;
    const gx_output before = rt->output;
    out->rt = rt;
    if (!gx_module_new(rt, "__main__", &module)) return false;
    c.module = gx_as_module(module);
    gx_parse_status status = gx_load(rt, source, c.module, false, &c.unit, &errors);
    rt->output = (gx_output){.write = drop_text};
    bool ok;
    /* A lesson of `gx learn` has names of the course in it. */
    c.open_names = strncmp(gx_source_get(rt, source)->text, "# Lesson ", 9) == 0;
    if (status == GX_PARSE_OK) {
        ok = gx_check_bindings(&c) && gx_check_names(&c);
        if (more && more->names) ok = ok && gx_check_mentions(&c);
        ok = ok && gx_check_shapes(&c);
        if (more && more->names) ok = ok && gx_buf_char(more->names, '}');
        gx_check_bindings_free(&c);
        gx_module_clear(rt, c.module);
        gx_unit_drop(c.unit);
    } else {
        ok = errors.count > 0 && take_syntax(&c, &errors);
    }
    rt->output = before;
    gx_parse_errors_free(&errors);
    gx_arena_free(&c.arena);
    gx_drop(module);
    return ok;
}
