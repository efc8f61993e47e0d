/* Every name that a text mentions, and whose it is, as JSON for editors. All places are bytes.

     frames    [start, end, the frame around it, kind]: the text itself is frame 0

     names     [start, end, frame, slot, kind]: one variable has one frame and slot

     attrs     [start, end, start of the name before the dot or -1, end of what is before the dot]

     keywords  [start, end, start of the called name or -1]: f(name=...)

     defs      [start, end, start and end of the name, end of the head, kind, the def around it or
               -1, docstring, its frame]

     imports   [start, end of the statement, start of the target, module, member or null, start of
               the member]

     made      [start of a variable, start of the name called]: x = Name(...)

     loose     [start, end]: names in annotations and of modules, of which no more is known

   guess_tell.c adds "values". */
#include <string.h>

#include "interp/check/check_int.h"
#include "lexer/lexer.h"

typedef enum mention {
    IS_USE,
    IS_VARIABLE,
    IS_FUNCTION,
    IS_CLASS,
    IS_PARAMETER,
    IS_IMPORT,
    IS_DECLARED /* global, nonlocal */
} mention;

enum { LISTS = 7 };

typedef struct seeker {
    gx_careful *c;
    gx_rt *rt;
    const gx_source *source;
    GX_VEC(const gx_function *) frames;
    GX_VEC(int32_t) around;
    gx_buf frame_list, names, attrs, keywords, defs, imports, made;
    int32_t def_count;
    uint8_t *seen; /* a bit a byte: a name that is told begins there */
} seeker;

typedef struct scope {
    int32_t frame, def;
} scope;

static bool walk(seeker *s, scope at, const gx_node *n);

static bool separate(gx_buf *b) {
    return !b->length || gx_buf_puts(b, ",\n");
}

/* Does the source say this name there? */
static bool says(seeker *s, uint32_t start, gx_sym name) {
    size_t n = gx_sym_length(s->rt, name);
    if (start + n > s->source->length) return false;
    if (memcmp(s->source->text + start, gx_sym_text(s->rt, name), n) != 0) return false;
    return true;
}

static bool mark(seeker *s, uint32_t start) {
    bool again = s->seen[start / 8] >> (start % 8) & 1;
    s->seen[start / 8] = (uint8_t)(s->seen[start / 8] | 1 << (start % 8));
    return !again;
}

/* The frame that owns a captured box, and its slot there. */
static void follow(const seeker *s, int32_t *frame, int32_t *slot) {
    const gx_function *f = s->frames.items[*frame];
    while (*slot < f->capture_count) {
        const gx_capture box = f->captures[*slot];
        *frame = s->around.items[*frame];
        *slot = box.slot;
        if (!box.from_free || *frame < 0) return;
        f = s->frames.items[*frame];
    }
}

static bool put_name(seeker *s, uint32_t start, gx_sym name, int32_t frame, int32_t slot,
                     mention kind) {
    if (!says(s, start, name) || !mark(s, start)) return true;
    return separate(&s->names) &&
           gx_buf_printf(&s->names, "[%u,%u,%d,%d,%d]", start,
                         start + (uint32_t)gx_sym_length(s->rt, name), (int)frame, (int)slot,
                         (int)kind);
}

static bool name(seeker *s, scope at, const gx_node *n, mention kind) {
    int32_t frame = at.frame, slot = n->slot;
    if (n->scope == GX_SCOPE_GLOBAL || n->scope == GX_SCOPE_NAMED) frame = 0;
    else if (n->scope == GX_SCOPE_FREE) follow(s, &frame, &slot);
    /* Variables of comprehensions at the top share the frame with the globals. */
    if (frame == 0 && n->scope != GX_SCOPE_GLOBAL) slot = -1 - slot;
    return put_name(s, n->at.start, n->name, frame, slot, kind);
}

static bool target(seeker *s, scope at, const gx_node *n, mention kind) {
    if (!n) return true;
    if (n->kind == GX_NODE_NAME) return name(s, at, n, kind);
    if (n->kind == GX_NODE_STARRED) return target(s, at, n->a, kind);
    if (n->kind != GX_NODE_TUPLE && n->kind != GX_NODE_LIST) return walk(s, at, n);
    for (int32_t i = 0; i < n->n; i++)
        if (!target(s, at, n->list[i], kind)) return false;
    return true;
}

static bool targets(seeker *s, scope at, const gx_node *n, mention kind) {
    for (int32_t i = 0; i < n->n; i++)
        if (!target(s, at, n->list[i], kind)) return false;
    return true;
}

static bool walk_list(seeker *s, scope at, const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (!walk(s, at, n->list[i])) return false;
    return true;
}

/* --- frames -------------------------------------------------------------------------------- */

static bool enter(seeker *s, const gx_function *f, gx_span at, int32_t around, mention kind,
                  int32_t *out) {
    *out = (int32_t)s->frames.count;
    return gx_vec_push(s->rt, &s->frames, f) && gx_vec_push(s->rt, &s->around, around) &&
           separate(&s->frame_list) &&
           gx_buf_printf(&s->frame_list, "[%u,%u,%d,%d]", at.start, at.end, (int)around,
                         (int)kind);
}

static bool walk_types(seeker *s, scope at, const gx_node *types) {
    if (!types) return true;
    for (int32_t i = 0; i < types->n; i++)
        if (!targets(s, at, types->list[i], IS_VARIABLE) || !walk(s, at, types->list[i]->a))
            return false;
    return true;
}

static bool walk_function(seeker *s, scope at, const gx_function *f, gx_span span, mention kind,
                          int32_t def) {
    scope inside = {.def = def};
    for (int32_t i = 0; i < f->param_count; i++)
        if (!walk(s, at, f->params[i].fallback)) return false;
    if (!enter(s, f, span, at.frame, kind, &inside.frame)) return false;
    for (int32_t i = 0; i < f->param_count; i++)
        if (!put_name(s, f->params[i].at.start, f->params[i].name, inside.frame, f->params[i].slot,
                      IS_PARAMETER))
            return false;
    return walk(s, inside, f->body);
}

static bool walk_genexp(seeker *s, scope at, const gx_node *n) {
    scope inside = {.def = at.def};
    if (!walk(s, at, n->a) || !enter(s, n->function, n->at, at.frame, IS_USE, &inside.frame))
        return false;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *clause = n->list[i];
        if (i && !walk(s, inside, clause->b)) return false;
        if (!target(s, inside, clause->a, IS_VARIABLE) || !walk_list(s, inside, clause))
            return false;
    }
    return walk(s, inside, n->b);
}

static bool definition(seeker *s, scope at, const gx_node *n) {
    const mention kind = n->kind == GX_NODE_DEF ? IS_FUNCTION : IS_CLASS;
    const gx_function *f = n->function;
    const uint32_t start = n->n ? n->list[0]->at.start - 1 : n->at.start;
    const uint32_t length = (uint32_t)gx_sym_length(s->rt, n->a->name);
    const uint32_t head = kind == IS_FUNCTION ? f->at.end
                          : n->b && n->b->n   ? n->b->at.end
                                              : n->a->at.start + length;
    const int32_t def = s->def_count++;
    if (!walk_list(s, at, n) || !name(s, at, n->a, kind) || !walk_types(s, at, n->c) ||
        (n->b && !walk_list(s, at, n->b)))
        return false;
    if (!separate(&s->defs) ||
        !gx_buf_printf(&s->defs, "[%u,%u,%u,%u,%u,%d,%d,", start, n->at.end, n->a->at.start,
                       n->a->at.start + length, head, (int)kind, (int)at.def))
        return false;
    if (f->doc ? !gx_json_text(&s->defs, f->doc) : !gx_buf_puts(&s->defs, "null")) return false;
    if (!gx_buf_printf(&s->defs, ",%d]", (int)s->frames.count)) return false;
    return walk_function(s, at, f, n->at, kind, def);
}

/* --- the rest ------------------------------------------------------------------------------ */

static bool import(seeker *s, scope at, const gx_node *n) {
    const bool from = n->kind == GX_NODE_FROM;
    if (from && n->op == 1)
        return separate(&s->imports) &&
               gx_buf_printf(&s->imports, "[%u,%u,-1,", n->at.start, n->at.end) &&
               gx_json_text(&s->imports, gx_sym_text(s->rt, n->name)) &&
               gx_buf_puts(&s->imports, ",\"*\",-1]");
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *alias = n->list[i];
        bool ok = separate(&s->imports) &&
                  gx_buf_printf(&s->imports, "[%u,%u,%u,", n->at.start, n->at.end,
                                alias->a->at.start) &&
                  gx_json_text(&s->imports, gx_sym_text(s->rt, from ? n->name : alias->name)) &&
                  gx_buf_char(&s->imports, ',') &&
                  (from ? gx_json_text(&s->imports, gx_sym_text(s->rt, alias->name))
                        : gx_buf_puts(&s->imports, "null")) &&
                  gx_buf_printf(&s->imports, ",%u]", alias->at.start) &&
                  name(s, at, alias->a, IS_IMPORT);
        if (!ok) return false;
    }
    return true;
}

static bool attribute(seeker *s, scope at, const gx_node *n) {
    const bool named = n->a->kind == GX_NODE_NAME;
    if (!walk(s, at, n->a)) return false;
    if (!says(s, n->op_at.start, n->name) || !mark(s, n->op_at.start)) return true;
    return separate(&s->attrs) &&
           gx_buf_printf(&s->attrs, "[%u,%u,%d,%u]", n->op_at.start,
                         n->op_at.start + (uint32_t)gx_sym_length(s->rt, n->name),
                         named ? (int)n->a->at.start : -1, n->a->at.end);
}

static bool call(seeker *s, scope at, const gx_node *n) {
    const int callee = n->a->kind == GX_NODE_NAME   ? (int)n->a->at.start
                       : n->a->kind == GX_NODE_ATTR ? (int)n->a->op_at.start
                                                    : -1;
    if (!walk(s, at, n->a)) return false;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *part = n->list[i];
        const uint32_t start = part->at.start;
        if (part->kind == GX_NODE_KEYWORD && says(s, start, part->name) && mark(s, start) &&
            !(separate(&s->keywords) &&
              gx_buf_printf(&s->keywords, "[%u,%u,%d]", start,
                            start + (uint32_t)gx_sym_length(s->rt, part->name), callee)))
            return false;
        if (!walk(s, at, part)) return false;
    }
    return true;
}

static bool assign(seeker *s, scope at, const gx_node *n) {
    const gx_node *v = n->a;
    if (!walk(s, at, v)) return false;
    if (v && v->kind == GX_NODE_CALL && n->n == 1 && n->list[0]->kind == GX_NODE_NAME &&
        v->a->kind == GX_NODE_NAME &&
        !(separate(&s->made) &&
          gx_buf_printf(&s->made, "[%u,%u]", n->list[0]->at.start, v->a->at.start)))
        return false;
    return targets(s, at, n, IS_VARIABLE);
}

static bool comprehension(seeker *s, scope at, const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (!walk(s, at, n->list[i]->b) || !target(s, at, n->list[i]->a, IS_VARIABLE) ||
            !walk_list(s, at, n->list[i]))
            return false;
    return walk(s, at, n->a) && walk(s, at, n->b);
}

static bool parts(seeker *s, scope at, const gx_node *n) {
    return walk(s, at, n->a) && walk(s, at, n->b) && walk(s, at, n->c) && walk_list(s, at, n);
}

static bool walk(seeker *s, scope at, const gx_node *n) {
    if (!n) return true;
    if (!gx_stack_check(s->rt)) return false;
    switch ((int)n->kind) {
    case GX_NODE_NAME:
        return name(s, at, n, IS_USE);
    case GX_NODE_ATTR:
        return attribute(s, at, n);
    case GX_NODE_CALL:
        return call(s, at, n);
    case GX_NODE_ASSIGN:
        return assign(s, at, n);
    case GX_NODE_FOR:
        return walk_list(s, at, n) && target(s, at, n->a, IS_VARIABLE) && walk(s, at, n->b) &&
               walk(s, at, n->c);
    case GX_NODE_AUGASSIGN:
    case GX_NODE_WALRUS:
        return target(s, at, n->a, IS_VARIABLE) && walk(s, at, n->b);
    case GX_NODE_TYPE:
        return target(s, at, n->a, IS_VARIABLE) && walk_types(s, at, n->c) && walk(s, at, n->b);
    case GX_NODE_EXCEPT:
        return walk(s, at, n->a) && target(s, at, n->b, IS_VARIABLE) && walk(s, at, n->c);
    case GX_NODE_WITHITEM:
        return walk(s, at, n->a) && target(s, at, n->b, IS_VARIABLE);
    case GX_NODE_DEL:
        return targets(s, at, n, IS_USE);
    case GX_NODE_PASS:
        return targets(s, at, n, n->op == 3 ? IS_VARIABLE : IS_DECLARED);
    case GX_NODE_PATTERN:
        if (n->op == GX_PATTERN_CAPTURE || n->op == GX_PATTERN_REST)
            return target(s, at, n->a, IS_VARIABLE);
        return walk(s, at, n->a) && walk_list(s, at, n) && target(s, at, n->b, IS_VARIABLE);
    case GX_NODE_IMPORT:
    case GX_NODE_FROM:
        return import(s, at, n);
    case GX_NODE_DEF:
    case GX_NODE_CLASS:
        return definition(s, at, n);
    case GX_NODE_LAMBDA:
        return walk_function(s, at, n->function, n->at, IS_USE, at.def);
    case GX_NODE_GENEXP:
        return walk_genexp(s, at, n);
    case GX_NODE_LISTCOMP:
    case GX_NODE_SETCOMP:
    case GX_NODE_DICTCOMP:
        return comprehension(s, at, n);
    default:
        return parts(s, at, n);
    }
}

/* Names of the text that the tree does not have. */
static bool put_loose(seeker *s, gx_buf *out) {
    gx_tokens tokens = {0};
    const size_t before = out->length;
    bool ok = gx_lex(s->rt, s->c->unit->source, 0, &tokens);
    for (size_t i = 0; ok && i < tokens.count; i++) {
        const gx_token *t = &tokens.items[i];
        if (t->kind != GX_TOKEN_NAME || !mark(s, t->start)) continue;
        ok = (out->length == before || gx_buf_char(out, ',')) &&
             gx_buf_printf(out, "[%u,%u]", t->start, t->end);
    }
    gx_tokens_free(&tokens);
    return ok;
}

bool gx_check_mentions(gx_careful *c) {
    seeker s = {.c = c, .rt = c->rt};
    scope top = {.def = -1};
    gx_buf *const lists[LISTS] = {&s.frame_list, &s.names, &s.attrs, &s.keywords,
                                  &s.defs,       &s.imports, &s.made};
    static const char *const titles[LISTS] = {"frames",  "names",   "attrs", "keywords",
                                              "defs",    "imports", "made"};
    gx_buf *out = c->more->names;
    for (int i = 0; i < LISTS; i++) *lists[i] = gx_buf_new(c->rt);
    s.source = gx_source_get(c->rt, c->unit->source);
    s.seen = gx_alloc_zero(c->rt, s.source->length / 8 + 1);
    bool ok = s.seen && enter(&s, c->unit->main, c->unit->main->at, -1, IS_USE, &top.frame) &&
              walk(&s, top, c->unit->main->body) && gx_buf_char(out, '{');
    for (int i = 0; i < LISTS; i++) {
        ok = ok && gx_buf_printf(out, "\"%s\": [", titles[i]) &&
             gx_buf_add(out, gx_buf_text(lists[i]), lists[i]->length) && gx_buf_puts(out, "],\n");
        gx_buf_free(lists[i]);
    }
    ok = ok && gx_buf_puts(out, "\"loose\": [") && put_loose(&s, out) && gx_buf_char(out, ']');
    gx_free(c->rt, s.seen);
    gx_vec_free(c->rt, &s.frames);
    gx_vec_free(c->rt, &s.around);
    return ok;
}
