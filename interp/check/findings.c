/* What the checker has found: kept, as messages and as JSON. */
#include "interp/check/check.h"

#include <string.h>

#include "interp/check/check_int.h"

void gx_findings_free(gx_findings *f) {
    for (size_t i = 0; i < f->items.count; i++) gx_error_free(&f->items.items[i]);
    gx_vec_free(f->rt, &f->items);
}

bool gx_check_found(gx_careful *c) {
    gx_findings *out = c->out;
    gx_error e;
    gx_error_save(c->rt, &e);
    bool again = e.kind == GX_NO_ERROR;
    if (e.kind == GX_MemoryError || e.kind == GX_KeyboardInterrupt) {
        gx_error_restore(c->rt, &e);
        return false;
    }
    for (size_t i = 0; i < out->items.count && !again; i++) {
        const gx_error *other = &out->items.items[i];
        again = other->at.start <= e.at.start && e.at.end <= other->at.end &&
                strcmp(other->code, e.code) == 0;
    }
    gx_drop(gx_steal(&e.exception));
    if (again || !e.at.end || !gx_vec_reserve(c->rt, &out->items, 1)) {
        gx_error_free(&e);
        return !gx_failed(&c->rt->error);
    }
    size_t at = out->items.count++;
    for (; at > 0 && out->items.items[at - 1].at.start > e.at.start; at--)
        out->items.items[at] = out->items.items[at - 1];
    memset(&out->items.items[at], 0, sizeof e);
    gx_error_move(&out->items.items[at], &e);
    return true;
}

bool gx_check_frame(gx_careful *c, const gx_function *code, gx_frame *f) {
    gx_value *slots = gx_arena_alloc(&c->arena, ((size_t)code->slots + 1) * sizeof *slots);
    if (!slots) return false;
    for (int32_t i = 0; i < code->slots; i++) slots[i] = gx_none();
    *f = (gx_frame){.slots = slots,
                    .globals = c->module,
                    .rt = c->rt,
                    .vm = c->rt->interp,
                    .code = code,
                    .result = gx_none(),
                    .top = true};
    return true;
}

bool gx_findings_text(const gx_findings *f, gx_buf *out) {
    bool ok = true;
    for (size_t i = 0; ok && i < f->items.count; i++) {
        gx_error e = f->items.items[i];
        ok = !i || gx_buf_char(out, '\n');
        gx_error_restore(f->rt, &e);
        ok = ok && gx_report_text(f->rt, out);
        gx_error_save(f->rt, &f->items.items[i]);
    }
    return ok;
}

/* --- JSON ---------------------------------------------------------------------------------- */

bool gx_json_text(gx_buf *out, const char *text) {
    bool ok = gx_buf_char(out, '"');
    for (const unsigned char *p = (const unsigned char *)text; ok && *p; p++) {
        if (*p == '"' || *p == '\\') ok = gx_buf_printf(out, "\\%c", *p);
        else if (*p < 32) ok = gx_buf_printf(out, "\\u%04x", *p);
        else ok = gx_buf_char(out, (char)*p);
    }
    return ok && gx_buf_char(out, '"');
}

static bool put_member(gx_buf *out, const char *name, const char *text) {
    return gx_buf_printf(out, ", \"%s\": ", name) && (text ? gx_json_text(out, text)
                                                           : gx_buf_puts(out, "null"));
}

static bool put_finding(gx_rt *rt, const gx_error *e, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, e->at);
    uint32_t line, column, end_line, end_column;
    gx_span end = {e->at.source, e->at.end, e->at.end};
    gx_source_place(rt, e->at, &line, &column);
    gx_source_place(rt, end, &end_line, &end_column);
    bool ok = gx_buf_puts(out, "{\"file\": ") && gx_json_text(out, s ? s->name : "") &&
              gx_buf_printf(out,
                            ", \"line\": %u, \"column\": %u, \"end_line\": %u, \"end_column\": %u, "
                            "\"start\": %u, \"end\": %u",
                            line, column, end_line, end_column, e->at.start, e->at.end) &&
              put_member(out, "code", e->code) && put_member(out, "kind", gx_error_name(e->kind)) &&
              put_member(out, "message", e->message ? e->message : "") &&
              gx_buf_puts(out, ", \"notes\": [");
    for (int i = 0; ok && i < 2; i++)
        if (e->operand_text[i])
            ok = (!i || !e->operand_text[0] || gx_buf_puts(out, ", ")) &&
                 gx_json_text(out, e->operand_text[i]);
    bool any = e->operand_text[0] || e->operand_text[1];
    for (int i = 0; ok && i < e->note_count; i++)
        ok = ((!any && !i) || gx_buf_puts(out, ", ")) && gx_json_text(out, e->notes[i]);
    /* The expression that the help is about. */
    gx_span whole = e->at;
    for (int i = 0; i < 2; i++) {
        if (!e->operand[i].end) continue;
        if (e->operand[i].start < whole.start) whole.start = e->operand[i].start;
        if (e->operand[i].end > whole.end) whole.end = e->operand[i].end;
    }
    if (whole.start != e->at.start || whole.end != e->at.end)
        ok = ok && gx_buf_printf(out, "], \"whole\": [%u, %u", whole.start, whole.end);
    return ok && gx_buf_char(out, ']') && put_member(out, "help", e->help) &&
           gx_buf_char(out, '}');
}

bool gx_findings_json(const gx_findings *f, gx_buf *out) {
    bool ok = gx_buf_char(out, '[');
    for (size_t i = 0; ok && i < f->items.count; i++)
        ok = (!i || gx_buf_puts(out, ",\n ")) && put_finding(f->rt, &f->items.items[i], out);
    return ok && gx_buf_puts(out, "]\n");
}
