/* The entry point: a source becomes a unit with resolved names, or a list of errors. */
#include "parser/parser_int.h"

#include <string.h>

/* A compound statement typed at a prompt goes on until a blank line. */
static bool wants_line(const gx_parser *p, size_t length) {
    size_t end = length;
    while (end && (p->text[end - 1] == ' ' || p->text[end - 1] == '\t')) end--;
    return p->compound && end && p->text[end - 1] != '\n' && p->text[end - 1] != '\r';
}

/* Two blank lines end even a statement that lacks something: then it is an error. */
static bool gave_up(const gx_parser *p, size_t length) {
    int lines = 0;
    for (; length && strchr(" \t\r\n", p->text[length - 1]); length--)
        lines += p->text[length - 1] == '\n';
    return lines >= 2 && !p->tokens.incomplete;
}

static bool make_main(gx_parser *p) {
    gx_function *f = gx_parser_function(p, "<module>", 0);
    gx_node *body = f ? gx_parse_statements(p, false) : NULL;
    if (!body) return false;
    f->body = body;
    f->doc = gx_parser_doc(p, body);
    f->at = body->at;
    p->unit->main = f;
    return true;
}

static gx_parse_status report(gx_parser *p, bool interactive, size_t length) {
    gx_parse_errors *errors = p->errors;
    if (gx_failed(&p->rt->error)) { /* memory */
        gx_parse_errors_free(errors);
        return GX_PARSE_ERROR;
    }
    if (interactive && p->at_end && !gave_up(p, length)) {
        gx_parse_errors_free(errors);
        return GX_PARSE_INCOMPLETE;
    }
    const gx_syntax_error *first = &errors->list[0];
    gx_fail(p->rt, first->kind, first->code ? first->code : "", "%s", first->message);
    p->rt->error.at = first->at;
    if (first->help) gx_help(p->rt, "%s", first->help);
    return GX_PARSE_ERROR;
}

static gx_parse_status parse_unit(gx_parser *p, gx_map *globals, bool interactive, size_t length) {
    if (!gx_lex(p->rt, p->source, 0, &p->tokens)) return GX_PARSE_ERROR;
    p->tok = p->tokens.items;
    bool ok = make_main(p) && p->errors->count == 0;
    if (ok && interactive && wants_line(p, length)) return GX_PARSE_INCOMPLETE;
    p->tok = p->tokens.items; /* an error from here on is not at the end of the text */
    if (ok) ok = gx_scope_resolve(p, globals) && p->errors->count == 0;
    return ok ? GX_PARSE_OK : report(p, interactive, length);
}

gx_parse_status gx_parse(gx_rt *rt, uint32_t source, gx_map *globals, bool interactive,
                         gx_unit **out, gx_parse_errors *errors) {
    gx_parse_errors own;
    const gx_source *s = gx_source_of(rt, (gx_span){source, 0, 1});
    gx_parser p = {.rt = rt, .source = source, .text = s->text};
    p.errors = errors ? errors : &own;
    *p.errors = (gx_parse_errors){.rt = rt};
    p.unit = gx_alloc_zero(rt, sizeof *p.unit);
    if (!p.unit) return GX_PARSE_ERROR;
    p.unit->arena = gx_arena_new(rt);
    p.unit->source = source;
    gx_parse_status status = parse_unit(&p, globals, interactive, s->length);
    gx_tokens_free(&p.tokens);
    gx_vec_free(rt, &p.pile);
    gx_vec_free(rt, &p.suspended);
    if (status == GX_PARSE_OK)
        *out = p.unit;
    else
        gx_unit_free(p.unit);
    if (!errors) gx_parse_errors_free(&own);
    return status;
}

void gx_unit_free(gx_unit *unit) {
    if (!unit) return;
    gx_rt *rt = unit->arena.rt;
    gx_arena_free(&unit->arena);
    gx_free(rt, unit);
}

void gx_parse_errors_free(gx_parse_errors *errors) {
    for (int i = 0; i < errors->count; i++) {
        gx_free(errors->rt, errors->list[i].message);
        gx_free(errors->rt, errors->list[i].help);
    }
    errors->count = 0;
}
