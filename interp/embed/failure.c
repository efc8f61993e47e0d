/* Failures: the error that ended a call, as the struct that programs read. */
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"
#include "interp/errors/codes.h"
#include "runtime/object/exception.h"
#include "runtime/object/container/list.h"

static void forget_raised(gx_state *s) {
    gx_error_free(&s->raised);
    while (s->text_count) free(s->text[--s->text_count]);
    s->told = false;
}

void gx_failure_clear(gx_state *s) {
    forget_raised(s);
    gx_parse_errors_free(&s->syntax);
    s->syntax_at = 0;
}

bool gx_state_failure_next(gx_state *s) {
    gx_rt *rt = s->rt;
    if (s->syntax_at + 1 >= s->syntax.count) return false;
    const gx_syntax_error *e = &s->syntax.list[++s->syntax_at];
    forget_raised(s);
    gx_fail(rt, e->kind, e->code ? e->code : "", "%s", e->message ? e->message : "invalid syntax");
    if (e->help) gx_help(rt, "%s", e->help);
    rt->error.at = e->at;
    gx_error_save(rt, &s->raised);
    return true;
}

int gx_state_report(gx_state *s) {
    gx_rt *rt = s->rt;
    int status = 1;
    if (!gx_failed(&s->raised)) return 0;
    gx_error_restore(rt, &s->raised);
    if (gx_report_exit(rt, &status))
        gx_error_clear(rt);
    else if (s->syntax.count)
        gx_report_syntax(rt, &s->syntax);
    else
        gx_report(rt);
    gx_failure_clear(s);
    return status;
}

/* A copy that lives as long as the failure; "" without memory. */
static const char *copy(gx_state *s, const char *text, size_t length) {
    char *own = text && s->text_count < GX_FAILURE_TEXTS ? malloc(length + 1) : NULL;
    if (!own) return "";
    memcpy(own, text, length);
    own[length] = '\0';
    return s->text[s->text_count++] = own;
}

static gx_spot spot(gx_state *s, gx_span at) {
    const gx_source *source = gx_source_of(s->rt, at);
    gx_spot p = {.file = NULL};
    if (!source) return p;
    p.file = copy(s, source->name, strlen(source->name));
    gx_source_place(s->rt, at, &p.line, &p.column);
    at.start = at.end;
    gx_source_place(s->rt, at, &p.end_line, &p.end_column);
    return p;
}

/* exit(n) is n, exit() is 0, exit("text") is 1; -1: it is another exception. */
static int exit_status(const gx_error *e) {
    const gx_value *args;
    if (e->kind != GX_SystemExit) return -1;
    if (e->exception.tag != GX_EXCEPTION) return 0;
    int64_t n = gx_sequence_items(gx_as_exception(e->exception)->args, &args);
    if (n < 1 || args[0].tag == GX_NONE) return 0;
    return args[0].tag == GX_INT || args[0].tag == GX_BOOL ? (int)(args[0].i & 255) : 1;
}

/* The whole message. The error is pending meanwhile. */
static const char *whole_text(gx_state *s) {
    gx_rt *rt = s->rt;
    gx_buf text = gx_buf_new(rt);
    gx_error_restore(rt, &s->raised);
    bool ok = gx_report_text(rt, &text);
    gx_error_save(rt, &s->raised);
    const char *own = ok ? copy(s, gx_buf_text(&text), text.length) : "";
    gx_buf_free(&text);
    return own;
}

const gx_failure *gx_state_failure(gx_state *s) {
    gx_failure *f = &s->failure;
    gx_rt *rt = s->rt;
    const gx_error *e = &s->raised;
    const char *line;
    size_t length;
    if (!gx_failed(e)) return NULL;
    if (s->told) return f;
    s->told = true;
    *f = (gx_failure){.text = whole_text(s), .code = e->code, .exit_status = exit_status(e),
                      .builtin = gx_error_name(e->kind),
                      .internal = gx_code_is_internal(e->code)};
    const char *kind = e->exception.tag == GX_EXCEPTION ? gx_type_name(e->exception)
                                                        : gx_error_name(e->kind);
    f->kind = copy(s, kind, strlen(kind));
    f->message = e->message ? e->message : e->kind == GX_MemoryError ? "out of memory" : "";
    f->help = e->help;
    f->at = spot(s, e->at);
    if (f->at.file) {
        gx_source_line(rt, e->at.source, f->at.line, &line, &length);
        f->line = copy(s, line, length);
    }
    f->operand = s->operand;
    for (int i = 0; i < 2 && e->operand[i].end; i++)
        s->operand[f->operand_count++] =
            (gx_marked){.at = spot(s, e->operand[i]), .text = e->operand_text[i]};
    f->number = e->number;
    f->number_count = (size_t)e->number_count;
    f->note = s->note;
    for (int i = 0; i < e->note_count; i++) s->note[f->note_count++] = e->notes[i];
    f->frame = s->frame;
    for (int i = 0; i < e->trace_count; i++) {
        const char *name = gx_sym_text(rt, e->trace[i].function);
        s->frame[f->frame_count++] =
            (gx_called){.function = name, .at = spot(s, e->trace[i].at)};
    }
    return f;
}
