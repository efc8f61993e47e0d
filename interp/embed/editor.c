/* What editors ask of a text that nobody runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interp/check/check.h"
#include "interp/embed/state_int.h"
#include "interp/embed/tools.h"
#include "stdlib/python/help/help.h"
#include "stdlib/stdlib.h"

/* The text for the caller; NULL: a failure is pending. */
static char *own(gx_rt *rt, gx_buf *text, bool ok) {
    char *made = ok ? strndup(gx_buf_text(text), text->length) : NULL;
    if (ok && !made) (void)gx_no_memory(rt);
    gx_buf_free(text);
    return made;
}

char *gx_state_survey(gx_state *s, const char *text, size_t length, const char *name) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf out = gx_buf_new(rt), names = gx_buf_new(rt);
    gx_findings found = {.rt = rt};
    gx_reading more = {.names = &names, .value = gx_undef()};
    uint32_t source;
    bool ok = gx_source_add(rt, name, text, length, &source) &&
              gx_check_source(rt, source, &found, &more) && gx_buf_puts(&out, "{\"findings\": ") &&
              gx_findings_json(&found, &out) && gx_buf_puts(&out, ",\"text\": ") &&
              gx_buf_puts(&out, names.length ? gx_buf_text(&names) : "null") &&
              gx_buf_char(&out, '}');
    gx_findings_free(&found);
    gx_buf_free(&names);
    char *made = own(rt, &out, ok);
    return gx_state_done(s, made != NULL) ? made : NULL;
}

typedef struct members {
    gx_rt *rt;
    gx_value owner;
    gx_buf out;
    bool ok;
} members;

static const char *kind_of(gx_borrowed v) {
    if (v.tag == GX_MODULE) return "module";
    if (gx_as_type(v)) return "class";
    if (v.tag == GX_NATIVE || v.tag == GX_FUNC) return "function";
    return v.tag == GX_METHOD ? "method" : "value";
}

static void add_member(const char *name, void *ctx) {
    members *m = ctx;
    gx_value v;
    const char *kind = "value";
    if (!m->ok) return;
    gx_sym sym = gx_sym_c(m->rt, name);
    if (sym && gx_try_attr(m->rt, m->owner, sym, &v) == GX_TRY_YES) {
        kind = kind_of(v);
        gx_drop(v);
    }
    gx_error_clear(m->rt);
    m->ok = gx_buf_printf(&m->out, "%s\t%s\n", name, kind);
}

static int gather(void *self, gx_channel to, const char *text, size_t length) {
    (void)to;
    return gx_buf_add(self, text, length) ? 0 : ENOMEM;
}

/* What help(v) writes. */
static bool put_help(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_output before = rt->output;
    const gx_sym name = gx_sym_c(rt, "help");
    gx_value help, none;
    if (!name || gx_builtin(rt, name, &help) != GX_TRY_YES) return false;
    rt->output = (gx_output){.self = out, .write = gather};
    bool ok = gx_call_value(rt, help, 1, &v, 0, NULL, &none);
    rt->output = before;
    gx_drop(help);
    if (ok) gx_drop(none);
    return ok;
}

/* What is asked about v; where help() or a signature fails nothing is known. */
static bool look_at(gx_rt *rt, gx_borrowed v, gx_look what, gx_buf *out) {
    members m = {.rt = rt, .owner = v, .out = gx_buf_new(rt), .ok = true};
    if (v.tag == GX_UNDEF) return true;
    if (what == GX_LOOK_MEMBERS) gx_each_attr(rt, v, add_member, &m);
    else if (what == GX_LOOK_HELP) m.ok = put_help(rt, v, &m.out);
    else m.ok = gx_help_signature(rt, v, &m.out) == GX_TRY_YES;
    bool ok = !m.ok || gx_buf_add(out, gx_buf_text(&m.out), m.out.length);
    gx_buf_free(&m.out);
    if (rt->error.kind != GX_MemoryError && rt->error.kind != GX_KeyboardInterrupt)
        gx_error_clear(rt);
    return ok && !gx_failed(&rt->error);
}

char *gx_state_look(gx_state *s, const char *text, size_t length, size_t end, gx_look what) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf out = gx_buf_new(rt);
    gx_findings found = {.rt = rt};
    gx_reading more = {.end = (uint32_t)end, .value = gx_undef()};
    uint32_t source;
    bool ok = gx_source_add(rt, "<look>", text, length, &source) &&
              gx_check_source(rt, source, &found, &more) && look_at(rt, more.value, what, &out);
    gx_drop(more.value);
    gx_findings_free(&found);
    char *made = own(rt, &out, ok);
    return gx_state_done(s, made != NULL) ? made : NULL;
}
