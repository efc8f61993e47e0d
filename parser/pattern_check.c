/* What holds for a pattern as a whole: a name is bound once, alternatives bind the same names, keys
   and attributes are asked for once, and what fits everything comes last. */
#include "parser/parser_int.h"

#include <string.h>

/* Names bound so far lie on the pile, from `mark` on. */
typedef struct checker {
    gx_parser *p;
    size_t mark;
} checker;

static bool check(checker *c, const gx_node *n);

static bool is_bound(const checker *c, gx_sym name) {
    for (size_t i = c->mark; i < c->p->pile.count; i++)
        if (c->p->pile.items[i]->name == name) return true;
    return false;
}

static bool bind(checker *c, gx_node *name) {
    if (!name) return true;
    if (is_bound(c, name->name)) {
        gx_parser_syntax(c->p, name->at, "multiple assignments to name '%s' in pattern",
                         gx_sym_text(c->p->rt, name->name));
        return false;
    }
    return gx_parser_push(c->p, name);
}

/* Does it fit everything? */
static bool fits_all(const gx_node *n) {
    if (n->op == GX_PATTERN_CAPTURE) return true;
    if (n->op == GX_PATTERN_AS) return fits_all(n->a);
    return n->op == GX_PATTERN_OR && fits_all(n->list[n->n - 1]);
}

static bool unreachable(checker *c, const gx_node *n) {
    while (n->op == GX_PATTERN_AS) n = n->a;
    if (n->op == GX_PATTERN_CAPTURE && n->a)
        gx_parser_syntax(c->p, n->at, "name capture '%s' makes remaining patterns unreachable",
                         gx_sym_text(c->p->rt, n->a->name));
    else
        gx_parser_syntax(c->p, n->at, "wildcard makes remaining patterns unreachable");
    return false;
}

/* Each alternative starts from the names bound before it. */
static bool check_or(checker *c, const gx_node *n) {
    gx_parser *p = c->p;
    size_t before = p->pile.count, first = before;
    for (int32_t i = 0; i < n->n; i++) {
        if (i + 1 < n->n && fits_all(n->list[i])) return unreachable(c, n->list[i]);
        size_t from = p->pile.count;
        checker own = {p, from};
        if (!check(&own, n->list[i])) return false;
        size_t names = p->pile.count - from;
        bool same = i == 0 || names == first - before;
        for (size_t k = from; same && i && k < p->pile.count; k++) {
            bool found = false;
            for (size_t j = before; j < first; j++)
                found = found || p->pile.items[j]->name == p->pile.items[k]->name;
            same = found;
        }
        if (!same) {
            gx_parser_syntax(p, n->at, "alternative patterns bind different names");
            return false;
        }
        if (i == 0) first = p->pile.count;
        p->pile.count = first;
    }
    /* The names count as bound in the pattern around, where none may be bound already. */
    for (size_t k = before; k < first; k++) {
        gx_node *name = p->pile.items[k];
        p->pile.count = before;
        bool twice = is_bound(c, name->name);
        p->pile.count = k;
        if (twice) return bind(c, name);
        p->pile.count = first;
    }
    return true;
}

static bool same_literal(const gx_node *a, const gx_node *b) {
    if (a->kind != b->kind) return false;
    if (a->kind == GX_NODE_INT || a->kind == GX_NODE_STR || a->kind == GX_NODE_BYTES)
        return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    if (a->kind == GX_NODE_FLOAT || a->kind == GX_NODE_IMAG)
        return !(a->number < b->number) && !(a->number > b->number);
    return a->kind == GX_NODE_NONE || a->kind == GX_NODE_TRUE || a->kind == GX_NODE_FALSE;
}

static bool check_mapping(checker *c, const gx_node *n) {
    gx_parser *p = c->p;
    for (int32_t i = 0; i < n->n; i += 2) {
        const gx_node *key = n->list[i];
        if (key->kind == GX_NODE_NAME)
            return gx_parser_syntax(p, key->at,
                                    "a key in a pattern is a literal or a dotted name") != NULL;
        for (int32_t k = 0; k < i; k += 2)
            if (same_literal(n->list[k], key))
                return gx_parser_syntax(p, key->at, "mapping pattern checks duplicate key (%.*s)",
                                        (int)(key->at.end - key->at.start),
                                        p->text + key->at.start) != NULL;
        if (!check(c, n->list[i + 1])) return false;
    }
    return bind(c, n->b);
}

static bool check_class(checker *c, const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *item = n->list[i];
        bool keyword = item->kind == GX_NODE_KEYWORD;
        for (int32_t k = 0; keyword && k < i; k++)
            if (n->list[k]->kind == GX_NODE_KEYWORD && n->list[k]->name == item->name)
                return gx_parser_syntax(c->p, item->at,
                                        "attribute name repeated in class pattern: %s",
                                        gx_sym_text(c->p->rt, item->name)) != NULL;
        if (!check(c, keyword ? item->a : item)) return false;
    }
    return true;
}

static bool check(checker *c, const gx_node *n) {
    switch ((int)n->op) {
    case GX_PATTERN_CAPTURE:
    case GX_PATTERN_REST:
        return bind(c, n->a);
    case GX_PATTERN_AS:
        if (fits_all(n->a)) return unreachable(c, n->a);
        return check(c, n->a) && bind(c, n->b);
    case GX_PATTERN_OR:
        return check_or(c, n);
    case GX_PATTERN_DICT:
        return check_mapping(c, n);
    case GX_PATTERN_CLASS:
        return check_class(c, n);
    case GX_PATTERN_LIST:
        for (int32_t i = 0; i < n->n; i++)
            if (!check(c, n->list[i])) return false;
        return true;
    default:
        return true;
    }
}

bool gx_pattern_check(gx_parser *p, const gx_node *n, bool last) {
    checker c = {p, p->pile.count};
    bool ok = check(&c, n) && (last || !fits_all(n) || unreachable(&c, n));
    p->pile.count = c.mark;
    return ok;
}
