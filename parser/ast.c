/* Names of node kinds and the text dump of a tree: one node a line, children indented under it and
   labelled with the field that holds them. For tests; the format is stable. */
#include "parser/ast.h"

#include "runtime/base/buf.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const kind_names[GX_NODE_KINDS] = {
#define EXPR(kind, fn, doc) #kind,
#define STMT(kind, fn, doc) #kind,
#define PART(kind, doc) #kind,
#include "parser/ast.def"
};

static const char *const binop_names[GX_BINOPS] = {
    [GX_ADD] = "+",     [GX_SUB] = "-",       [GX_MUL] = "*",    [GX_MATMUL] = "@",
    [GX_DIV] = "/",     [GX_FLOORDIV] = "//", [GX_MOD] = "%",    [GX_POW] = "**",
    [GX_LSHIFT] = "<<", [GX_RSHIFT] = ">>",   [GX_BITAND] = "&", [GX_BITXOR] = "^",
    [GX_BITOR] = "|",
};
static const char *const cmpop_names[] = {
    [GX_EQ] = "==", [GX_NE] = "!=", [GX_LT] = "<",          [GX_LE] = "<=", [GX_GT] = ">",
    [GX_GE] = ">=", [GX_IS] = "is", [GX_IS_NOT] = "is not", [GX_IN] = "in", [GX_NOT_IN] = "not in",
};
static const char *const unop_names[] = {[GX_NEG] = "-", [GX_POS] = "+", [GX_INVERT] = "~"};
static const char *const scope_names[] = {"global", "local", "boxed", "free", "class"};
static const char *const param_names[] = {"plain", "posonly", "kwonly", "star", "starstar"};

const char *gx_kind_name(gx_kind kind) {
    return (unsigned)kind < GX_NODE_KINDS ? kind_names[kind] : "?";
}

static bool dump(gx_rt *rt, const gx_node *n, const char *label, int depth, gx_buf *out);

/* A text in double quotes, everything outside printable ASCII as \xhh. */
static bool add_quoted(gx_buf *out, const char *text, size_t length) {
    if (!gx_buf_char(out, '"')) return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
        if (plain ? !gx_buf_char(out, (char)c) : !gx_buf_printf(out, "\\x%02x", c)) return false;
    }
    return gx_buf_char(out, '"');
}

static bool add_operator(const gx_node *n, gx_buf *out) {
    switch ((int)n->kind) {
    case GX_NODE_BINARY:
    case GX_NODE_AUGASSIGN:
        return gx_buf_printf(out, " %s", binop_names[n->op]);
    case GX_NODE_UNARY:
        return gx_buf_printf(out, " %s", unop_names[n->op]);
    case GX_NODE_COMPARE:
        return gx_buf_printf(out, " %s", cmpop_names[n->op]);
    case GX_NODE_CHAIN:
        for (int32_t i = 0; i + 1 < n->n; i++)
            if (!gx_buf_printf(out, " %s", cmpop_names[n->ops[i]])) return false;
        return true;
    case GX_NODE_FIELD:
        return !n->op || gx_buf_printf(out, " !%c", n->op);
    case GX_NODE_FROM:
        return !n->op || gx_buf_puts(out, " *");
    case GX_NODE_PASS:
        return !n->op || gx_buf_puts(out, n->op == 1   ? " global"
                                          : n->op == 2 ? " nonlocal"
                                                       : " annotation");
    default:
        return true;
    }
}

static bool add_details(gx_rt *rt, const gx_node *n, gx_buf *out) {
    switch ((int)n->kind) {
    case GX_NODE_NAME:
        return gx_buf_printf(out, " %s %s %" PRId32, gx_sym_text(rt, n->name),
                             scope_names[n->scope], n->slot);
    case GX_NODE_INT:
        return gx_buf_printf(out, " %s", n->text);
    case GX_NODE_FLOAT:
    case GX_NODE_IMAG:
        return gx_buf_printf(out, " %.17g", n->number);
    case GX_NODE_STR:
    case GX_NODE_BYTES:
        return gx_buf_char(out, ' ') && add_quoted(out, n->text, n->length);
    case GX_NODE_FIELD:
        return !n->text || (gx_buf_char(out, ' ') && add_quoted(out, n->text, n->length));
    case GX_NODE_LISTCOMP:
    case GX_NODE_SETCOMP:
    case GX_NODE_DICTCOMP:
        if (!gx_buf_printf(out, " slots %" PRId32 "+%zu", n->slot, n->length)) return false;
        for (size_t i = 0; n->boxed && i < n->length; i++)
            if (n->boxed[i] && !gx_buf_printf(out, " boxed %zu", i)) return false;
        return true;
    default:
        return !n->name || gx_buf_printf(out, " %s", gx_sym_text(rt, n->name));
    }
}

static bool dump_function(gx_rt *rt, const gx_function *f, int depth, bool body, gx_buf *out) {
    if (!gx_buf_fill(out, ' ', (size_t)depth * 2) ||
        !gx_buf_printf(out, "function %s slots %" PRId32, gx_sym_text(rt, f->name), f->slots))
        return false;
    for (int32_t i = 0; i < f->boxed_count; i++)
        if (!gx_buf_printf(out, " boxed %" PRId32, f->boxed[i])) return false;
    for (int32_t i = 0; i < f->capture_count; i++)
        if (!gx_buf_printf(out, " capture %s %s %" PRId32, gx_sym_text(rt, f->captures[i].name),
                           f->captures[i].from_free ? "free" : "frame", f->captures[i].slot))
            return false;
    if (!gx_buf_char(out, '\n')) return false;
    for (int32_t i = 0; i < f->param_count; i++) {
        const gx_param *param = &f->params[i];
        if (!gx_buf_fill(out, ' ', (size_t)depth * 2 + 2) ||
            !gx_buf_printf(out, "param %s %s %" PRId32 "%s\n", gx_sym_text(rt, param->name),
                           param_names[param->kind], param->slot, param->boxed ? " boxed" : ""))
            return false;
        if (param->fallback && !dump(rt, param->fallback, "default", depth + 2, out)) return false;
    }
    return !body || dump(rt, f->body, "body", depth + 1, out);
}

static bool dump_children(gx_rt *rt, const gx_node *n, int depth, gx_buf *out) {
    if (n->a && !dump(rt, n->a, "a", depth, out)) return false;
    if (n->b && !dump(rt, n->b, "b", depth, out)) return false;
    if (n->c && !dump(rt, n->c, "c", depth, out)) return false;
    for (int32_t i = 0; i < n->n; i++) {
        char label[16];
        snprintf(label, sizeof label, "%" PRId32, i);
        if (n->list[i]) {
            if (!dump(rt, n->list[i], label, depth, out)) return false;
        } else if (!gx_buf_fill(out, ' ', (size_t)depth * 2) ||
                   !gx_buf_printf(out, "%s: -\n", label)) {
            return false;
        }
    }
    return true;
}

static bool dump(gx_rt *rt, const gx_node *n, const char *label, int depth, gx_buf *out) {
    if (!gx_stack_check(rt)) return false;
    if (!gx_buf_fill(out, ' ', (size_t)depth * 2)) return false;
    if (label && !gx_buf_printf(out, "%s: ", label)) return false;
    if (!gx_buf_puts(out, gx_kind_name((gx_kind)n->kind)) || !add_operator(n, out) ||
        !add_details(rt, n, out) || !gx_buf_char(out, '\n'))
        return false;
    bool function =
        n->kind == GX_NODE_LAMBDA || n->kind == GX_NODE_DEF || n->kind == GX_NODE_CLASS ||
        n->kind == GX_NODE_GENEXP;
    if (function && !dump_function(rt, n->function, depth + 1, n->kind != GX_NODE_GENEXP, out))
        return false;
    return dump_children(rt, n, depth + 1, out);
}

bool gx_ast_dump(gx_rt *rt, const gx_node *n, struct gx_buf *out) {
    return dump(rt, n, NULL, 0, out);
}
