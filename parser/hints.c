/* Errors whose cause shows in the tokens around them: habits from other languages, and the usual
   slips. Each says what was expected and what came; help is given only where the fix is certain. */
#include "parser/parser_int.h"

#include <stdio.h>
#include <string.h>

static bool is_word(const gx_parser *p, const gx_token *t, const char *word) {
    return t->kind == GX_TOKEN_NAME && t->end - t->start == strlen(word) &&
           memcmp(p->text + t->start, word, strlen(word)) == 0;
}

static const gx_token *before(const gx_parser *p, int n) {
    return p->tok - p->tokens.items >= n ? p->tok - n : NULL;
}

/* `x++` and `x--`: the operator's second half found no operand. */
static bool is_increment(const gx_parser *p, gx_token_kind kind) {
    const gx_token *a = before(p, 2), *b = before(p, 1);
    return a && a->kind == kind && b->kind == kind && a->end == b->start;
}

typedef struct missing {
    gx_token_kind kind;
    const char *message, *help;
} missing;

/* What cannot start an expression, and why. */
static const missing operands[] = {
    {GX_TOKEN_BANG, "gx has no '!' operator", "write 'not' for the opposite of a condition"},
    {GX_TOKEN_AMPAMP, "gx has no '&&' operator", "write 'and'"},
    {GX_TOKEN_PIPEPIPE, "gx has no '||' operator", "write 'or'"},
    {GX_TOKEN_YIELD, "a yield inside an expression needs parentheses around it", NULL},
    {GX_TOKEN_AWAIT, "gx has no coroutines ('await')", NULL},
    {GX_TOKEN_ASYNC, "gx has no coroutines ('async')", NULL},
    {GX_TOKEN_LAMBDA, "a lambda here needs parentheses around it", NULL},
    {GX_TOKEN_NOT, "'not' binds less tightly than the operator before it",
     "put it in parentheses: (not …)"},
    {GX_TOKEN_WALRUS, "only a name can stand before ':='", NULL},
};

void *gx_parser_no_operand(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (operands[i].kind == p->tok->kind) {
            int count = p->errors->count;
            gx_parser_error(p, GX_SyntaxError, at, operands[i].help, "%s", operands[i].message);
            bool async = p->tok->kind == GX_TOKEN_AWAIT || p->tok->kind == GX_TOKEN_ASYNC;
            if (async && p->errors->count > count) p->errors->list[count].code = "syntax.async";
            return NULL;
        }
    bool plus = is_increment(p, GX_TOKEN_PLUS), minus = is_increment(p, GX_TOKEN_MINUS);
    if ((plus || minus) && p->tok->kind != GX_TOKEN_ERROR) {
        const gx_token *sign = p->tok - 2;
        return gx_parser_error(p, GX_SyntaxError, gx_parser_span(p, sign->start, sign->end + 1),
                               plus ? "write '+= 1'" : "write '-= 1'", "gx has no '%s' operator",
                               plus ? "++" : "--");
    }
    const gx_token *last = before(p, 1);
    const char *help = NULL;
    if (p->tok->kind == GX_TOKEN_EQUAL && last && last->kind == GX_TOKEN_EQUAL)
        help = "to compare, write '==' without a space";
    else if (p->tok->kind == GX_TOKEN_EQUAL && last && last->kind == GX_TOKEN_EQ)
        help = "to compare, write '=='";
    else if (p->tok->kind == GX_TOKEN_LT && last && last->kind == GX_TOKEN_LSHIFT)
        help = "a kernel is launched by k[grid, block](…)";
    else if (p->tok->kind == GX_TOKEN_GT && last && last->kind == GX_TOKEN_LT)
        help = "write '!='";
    else if (p->tok->kind == GX_TOKEN_GT && last && last->kind == GX_TOKEN_EQUAL)
        help = "write '>='";
    else if (p->tok->kind == GX_TOKEN_LT && last && last->kind == GX_TOKEN_EQUAL)
        help = "write '<='";
    return gx_parser_unexpected_help(p, help, "expected an expression");
}

/* Whether what follows up to `end` is right as it stands; leaves the parser as it was. */
static bool would_parse(gx_parser *p, const gx_token *end) {
    const gx_token *tok = p->tok;
    uint32_t last_end = p->last_end;
    size_t mark = p->pile.count;
    int depth = p->depth, count = p->errors->count;
    bool at_end = p->at_end;
    if (count == GX_MAX_SYNTAX_ERRORS) return false;
    bool ok = gx_parse_exprs(p) && p->tok == end;
    p->tok = tok;
    p->last_end = last_end;
    p->pile.count = mark;
    p->depth = depth;
    p->at_end = at_end;
    while (p->errors->count > count) {
        gx_syntax_error *e = &p->errors->list[--p->errors->count];
        gx_free(p->rt, e->message);
        gx_free(p->rt, e->help);
    }
    return ok;
}

/* `print x`: the rest of the line would be the argument. */
static void *no_call(gx_parser *p, const gx_node *callee, const char *name) {
    const gx_token *last = p->tok;
    char help[160] = "";
    while (last->kind != GX_TOKEN_NEWLINE && last->kind != GX_TOKEN_SEMICOLON &&
           last->kind != GX_TOKEN_END && last->kind != GX_TOKEN_ERROR)
        last++;
    int length = last > p->tok ? (int)((last - 1)->end - p->tok->start) : 0;
    if (length && length <= 120 && would_parse(p, last))
        snprintf(help, sizeof help, "%s(%.*s)", name, length, p->text + p->tok->start);
    return gx_parser_error(p, GX_SyntaxError, callee->at, help,
                           "missing parentheses in call to '%s'", name);
}

/* A statement is complete, yet the line goes on. */
void *gx_parser_no_end(gx_parser *p, const gx_node *done) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    gx_span at = gx_parser_token_span(p);
    bool operand = gx_parser_starts_expr(kind);
    if (done && done->kind == GX_NODE_EXPRSTMT) done = done->a;
    if (kind == GX_TOKEN_AMPAMP || kind == GX_TOKEN_PIPEPIPE || kind == GX_TOKEN_WALRUS)
        return gx_parser_no_operand(p);
    if (done && done->kind == GX_NODE_NAME && operand) {
        static const char *const calls[] = {"print", "exec"};
        static const char *const words[] = {"let", "var", "const", "int", "float", "double"};
        const char *name = gx_sym_text(p->rt, done->name);
        if (strcmp(name, "match") == 0)
            return gx_parser_syntax(p, done->at, "a 'match' statement needs ':' at the end of its "
                                                 "line and indented 'case' lines below");
        if (strcmp(name, "case") == 0 && p->salvaging) return NULL; /* of a match, reported */
        for (size_t i = 0; i < 2; i++)
            if (strcmp(name, calls[i]) == 0) return no_call(p, done, name);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(name, words[i]) == 0 && kind == GX_TOKEN_NAME)
                return gx_parser_syntax(p, done->at, "an assignment needs no '%s' before the name",
                                        name);
    }
    if (kind == GX_TOKEN_EQUAL)
        return gx_parser_error(p, GX_SyntaxError, at, "to compare, write '=='",
                               "expected the end of the statement, got '='");
    if (kind == GX_TOKEN_LBRACE)
        return gx_parser_error(p, GX_SyntaxError, at,
                               "gx groups statements by ':' and indentation, not by braces",
                               "expected the end of the statement, got '{'");
    return gx_parser_unexpected(p, "expected the end of the statement");
}

void *gx_parser_no_colon(gx_parser *p, const char *after) {
    char what[120];
    snprintf(what, sizeof what, "expected ':' after %s", after);
    const char *help = NULL;
    if (p->tok->kind == GX_TOKEN_EQUAL) {
        help = "to compare, write '=='";
    } else if (p->tok->kind == GX_TOKEN_LBRACE) {
        help = "a block starts with ':' and its lines are indented";
    } else if (p->tok->kind == GX_TOKEN_IF && strstr(after, "'else'")) {
        help = "write 'elif'";
    } else if (is_word(p, p->tok, "then") || is_word(p, p->tok, "do")) {
        help = "write ':' instead";
    } else if (p->tok->kind == GX_TOKEN_AMPAMP || p->tok->kind == GX_TOKEN_PIPEPIPE ||
               p->tok->kind == GX_TOKEN_WALRUS) {
        return gx_parser_no_operand(p);
    }
    return gx_parser_unexpected_help(p, help, what);
}

void *gx_parser_no_closer(gx_parser *p, gx_token_kind closer) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    char what[120];
    if (kind == GX_TOKEN_AMPAMP || kind == GX_TOKEN_PIPEPIPE || kind == GX_TOKEN_WALRUS)
        return gx_parser_no_operand(p);
    snprintf(what, sizeof what, "expected ',' or %s", gx_token_name(closer));
    if (kind == GX_TOKEN_EQUAL) return gx_parser_unexpected_help(p, "to compare, write '=='", what);
    if (gx_parser_starts_expr(kind))
        return gx_parser_unexpected_help(p, "perhaps a comma is missing", what);
    return gx_parser_unexpected(p, what);
}
