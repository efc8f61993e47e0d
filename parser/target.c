/* What may stand left of '=', after 'for', 'as' and 'del'. Targets are parsed as expressions and
   judged afterwards, so that a message can say what was found. */
#include "parser/parser_int.h"

static const char *what_is(const gx_node *n) {
    switch ((int)n->kind) {
    case GX_NODE_NONE:
        return "None";
    case GX_NODE_TRUE:
        return "True";
    case GX_NODE_FALSE:
        return "False";
    case GX_NODE_ELLIPSIS:
        return "ellipsis";
    case GX_NODE_INT:
    case GX_NODE_FLOAT:
    case GX_NODE_IMAG:
    case GX_NODE_STR:
    case GX_NODE_BYTES:
        return "literal";
    case GX_NODE_FSTRING:
        return "f-string expression";
    case GX_NODE_TUPLE:
        return "tuple";
    case GX_NODE_LIST:
        return "list";
    case GX_NODE_SET:
        return "set display";
    case GX_NODE_DICT:
        return "dict literal";
    case GX_NODE_COMPARE:
    case GX_NODE_CHAIN:
        return "comparison";
    case GX_NODE_IFEXP:
        return "conditional expression";
    case GX_NODE_CALL:
        return "function call";
    case GX_NODE_LAMBDA:
        return "lambda";
    case GX_NODE_LISTCOMP:
        return "list comprehension";
    case GX_NODE_SETCOMP:
        return "set comprehension";
    case GX_NODE_DICTCOMP:
        return "dict comprehension";
    case GX_NODE_GENEXP:
        return "generator expression";
    case GX_NODE_STARRED:
        return "starred";
    default:
        return "expression";
    }
}

static bool refuse(gx_parser *p, const gx_node *n, gx_target_use use) {
    bool compare = use == GX_TARGET_ASSIGN && p->tok->kind == GX_TOKEN_EQUAL &&
                   n->kind != GX_NODE_NONE && n->kind != GX_NODE_TRUE && n->kind != GX_NODE_FALSE;
    const char *what = what_is(n);
    if (use == GX_TARGET_DELETE)
        return gx_parser_syntax(p, n->at, "cannot delete %s", what) != NULL;
    if (use == GX_TARGET_AUGMENT)
        return gx_parser_syntax(p, n->at,
                                "augmented assignment changes a name, attribute or subscript, not "
                                "a %s",
                                what) != NULL;
    if (compare)
        return gx_parser_syntax(p, n->at,
                                "cannot assign to %s here. Maybe you meant '==' instead of '='?",
                                what) != NULL;
    return gx_parser_syntax(p, n->at, "cannot assign to %s", what) != NULL;
}

/* The items of a tuple or list; one of them may be starred. */
static bool check_items(gx_parser *p, const gx_node *n, gx_target_use use) {
    bool starred = false;
    if (use == GX_TARGET_AUGMENT) return refuse(p, n, use);
    if (!gx_parser_enter(p)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < n->n; i++) {
        const gx_node *item = n->list[i];
        if (item->kind == GX_NODE_STARRED && use == GX_TARGET_ASSIGN) {
            if (starred)
                ok = gx_parser_syntax(p, item->at, "multiple starred expressions in assignment") !=
                     NULL;
            starred = true;
            item = item->a;
        }
        ok = ok && gx_parser_check_target(p, item, use);
    }
    gx_parser_leave(p);
    return ok;
}

bool gx_parser_check_target(gx_parser *p, const gx_node *n, gx_target_use use) {
    if (n->kind == GX_NODE_NAME || n->kind == GX_NODE_ATTR || n->kind == GX_NODE_INDEX) return true;
    if (n->kind == GX_NODE_TUPLE || n->kind == GX_NODE_LIST) return check_items(p, n, use);
    return refuse(p, n, use);
}

/* One target of a list: bitor, so that 'in' is left alone. */
static gx_node *parse_target(gx_parser *p) {
    uint32_t start = p->tok->start;
    bool starred = gx_parser_accept(p, GX_TOKEN_STAR);
    gx_node *a = gx_parse_binary(p, GX_PREC_BITOR);
    if (!a || !starred) return a;
    gx_node *n = gx_parser_node(p, GX_NODE_STARRED, start);
    if (n) n->a = a;
    return n;
}

/* grammar: targets: target (',' target)* [',']
   grammar: target: ['*'] bitor  (a name, attribute, subscript, tuple or list of them) */
gx_node *gx_parse_targets(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_node *first = parse_target(p);
    if (!first) return NULL;
    if (p->tok->kind != GX_TOKEN_COMMA) {
        if (first->kind != GX_NODE_STARRED) return first;
        return gx_parser_syntax(p, first->at,
                                "starred assignment target must be in a list or tuple");
    }
    if (!gx_parser_push(p, first)) return NULL;
    while (gx_parser_accept(p, GX_TOKEN_COMMA)) {
        if (!gx_parser_starts_expr((gx_token_kind)p->tok->kind) && p->tok->kind != GX_TOKEN_STAR)
            break;
        gx_node *item = parse_target(p);
        if (!item || !gx_parser_push(p, item)) goto fail;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_TUPLE, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}
