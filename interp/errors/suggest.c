/* Fixes in the script's own words: `a + b.T gives (3, 4)` under an error about shapes, a condition
   rewritten with .any(). Nothing is suggested that was not tried on the shapes at hand. Nothing
   here can fail: what cannot be said (no memory, a long expression) is left out, and the pending
   error stays. */
#include "interp/errors/suggest_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/array/shape.h"

enum { LONGEST = 40 }; /* bytes of an expression that is worth repeating */

typedef struct shape {
    int n;
    int64_t d[GX_MAX_DIMS + 1];
} shape;

/* --- the script's words --- */

/* Does an expression bind so tightly that .T and [] may follow it? */
static bool is_primary(const gx_node *n) {
    return n->kind == GX_NODE_NAME || n->kind == GX_NODE_CALL || n->kind == GX_NODE_ATTR ||
           n->kind == GX_NODE_INDEX || n->kind == GX_NODE_LIST;
}

/* Spans of expressions leave their parentheses out: were there any? */
static bool in_parentheses(const gx_source *s, const gx_node *n) {
    size_t from = n->at.start, to = n->at.end;
    while (from > 0 && s->text[from - 1] == ' ') from--;
    while (to < s->length && s->text[to] == ' ') to++;
    return from > 0 && s->text[from - 1] == '(' && to < s->length && s->text[to] == ')';
}

bool gx_source_words(gx_rt *rt, const gx_node *n, const char **text, size_t *length) {
    const gx_source *s = gx_source_of(rt, n->at);
    if (!s) return false;
    *text = s->text + n->at.start;
    *length = n->at.end - n->at.start;
    return *length > 0 && *length <= LONGEST && !memchr(*text, '\n', *length) &&
           !memchr(*text, '#', *length);
}

bool gx_put_source(gx_rt *rt, const gx_node *n, bool tight, gx_buf *out) {
    const char *text;
    size_t length;
    if (!gx_source_words(rt, n, &text, &length)) return false;
    bool wrap = !is_primary(n) && (tight || in_parentheses(gx_source_of(rt, n->at), n));
    return (!wrap || gx_buf_char(out, '(')) && gx_buf_add(out, text, length) &&
           (!wrap || gx_buf_char(out, ')'));
}

gx_value gx_name_value(gx_frame *f, const gx_node *n) {
    gx_value v;
    if (n->kind != GX_NODE_NAME) return gx_undef();
    if (gx_eval(f, n, &v)) return v;
    gx_error_clear(f->rt);
    return gx_undef();
}

void gx_set_help(gx_error *e, const gx_buf *text) {
    char *help = text->length ? strdup(gx_buf_text(text)) : NULL;
    if (!help) return;
    free(e->help);
    e->help = help;
}

/* --- shapes --- */

static shape shape_of(const gx_array *a) {
    shape s = {.n = a->ndim};
    memcpy(s.d, gx_shape(a), (size_t)a->ndim * sizeof(int64_t));
    return s;
}

static shape reversed(const shape *s) {
    shape r = {.n = s->n};
    for (int i = 0; i < s->n; i++) r.d[i] = s->d[s->n - 1 - i];
    return r;
}

static shape widened(const shape *s, int at) {
    shape r = {.n = s->n + 1};
    for (int i = 0; i < r.n; i++) r.d[i] = i < at ? s->d[i] : i == at ? 1 : s->d[i - 1];
    return r;
}

static bool fits(const shape *a, const shape *b, shape *out) {
    out->n = a->n > b->n ? a->n : b->n;
    for (int i = 1; i <= out->n; i++) {
        int64_t x = i <= a->n ? a->d[a->n - i] : 1, y = i <= b->n ? b->d[b->n - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        out->d[out->n - i] = x == 1 ? y : x;
    }
    return out->n <= GX_MAX_DIMS;
}

/* Matrices and vectors; batches are not looked at. */
static bool fits_matmul(const shape *a, const shape *b, shape *out) {
    if (a->n < 1 || b->n < 1 || a->n > 2 || b->n > 2 || a->n + b->n < 3) return false;
    out->n = 0;
    if (a->n == 2) out->d[out->n++] = a->d[0];
    if (b->n == 2) out->d[out->n++] = b->d[1];
    return a->d[a->n - 1] == b->d[0];
}

/* --- a op b --- */

typedef struct pair {
    gx_frame *f;
    gx_rt *rt;
    const gx_node *call; /* f(a, b) or a.f(b), n being it; NULL: a op b */
    const gx_node *n, *a, *b;
    shape x, y;
    bool in_place;
    gx_buf out;
    int count;   /* suggestions so far */
    gx_sym lost; /* the reduction that removed an axis, and which */
    int lost_axis;
} pair;

static bool put_operator(pair *p) {
    const gx_source *s = gx_source_of(p->rt, p->n->op_at);
    size_t length = p->n->op_at.end - p->n->op_at.start;
    return s && length > 0 && length <= 3 && gx_buf_char(&p->out, ' ') &&
           gx_buf_add(&p->out, s->text + p->n->op_at.start, length) && gx_buf_char(&p->out, ' ');
}

/* An operand and what follows it; b.T turned again is b. */
static bool put_operand(pair *p, const gx_node *x, const char *tail, bool bracketed) {
    if (strcmp(tail, ".T") == 0 && x->kind == GX_NODE_ATTR &&
        strcmp(gx_sym_text(p->rt, x->name), "T") == 0)
        return gx_put_source(p->rt, x->a, true, &p->out);
    return gx_put_source(p->rt, x, bracketed, &p->out) && gx_buf_puts(&p->out, tail);
}

/* "a + b.T gives (3, 4)"; tails follow the operands. op NULL: the script's. */
static void suggest(pair *p, const char *tail_a, const char *op, const char *tail_b,
                    const char *says, const shape *result) {
    size_t from = p->out.length;
    if (p->in_place &&
        (result->n != p->x.n || memcmp(result->d, p->x.d, (size_t)p->x.n * sizeof(int64_t)) != 0))
        return;
    bool ok = (!p->count || gx_buf_puts(&p->out, "    ")) &&
              (!p->call ||
               (gx_put_source(p->rt, p->call->a, true, &p->out) && gx_buf_char(&p->out, '('))) &&
              put_operand(p, p->a, tail_a, *tail_a) &&
              (p->call ? gx_buf_puts(&p->out, ", ")
               : op    ? gx_buf_puts(&p->out, op)
                       : put_operator(p)) &&
              put_operand(p, p->b, tail_b, *tail_b || op) &&
              (!p->call || gx_buf_char(&p->out, ')')) && gx_buf_puts(&p->out, says) &&
              gx_shape_text(&p->out, result->n, result->d);
    if (!ok) p->out.length = from;
    p->count += ok;
}

/* The axis argument of a reduction's call: a plain integer. */
static bool axis_of(pair *p, const gx_node *call, int *out) {
    bool method = call->a->kind == GX_NODE_ATTR;
    if (method) {
        gx_value base = gx_name_value(p->f, call->a->a);
        method = base.tag != GX_MODULE;
        gx_drop(base);
    }
    int at = method ? 0 : 1, place = 0;
    const gx_node *axis = NULL;
    for (int32_t i = 0; i < call->n; i++) {
        const gx_node *arg = call->list[i];
        if (arg->kind == GX_NODE_STARRED || arg->kind == GX_NODE_DOUBLESTAR) return false;
        if (arg->kind == GX_NODE_KEYWORD) {
            if (strcmp(gx_sym_text(p->rt, arg->name), "keepdims") == 0) return false;
            if (strcmp(gx_sym_text(p->rt, arg->name), "axis") == 0) axis = arg->a;
        } else if (place++ == at) {
            axis = arg;
        }
    }
    bool negative = axis && axis->kind == GX_NODE_UNARY && axis->op == GX_NEG;
    if (negative) axis = axis->a;
    if (!axis || axis->kind != GX_NODE_INT || axis->constant.tag != GX_INT) return false;
    int64_t i = axis->constant.i, ndim = p->y.n + 1;
    if (i < 0 || i > ndim || (!negative && i == ndim) || (negative && i == 0)) return false;
    *out = (int)(negative ? ndim - i : i);
    return true;
}

/* x - x.mean(1): the reduction has lost the axis that would have made it fit. */
static void suggest_keepdims(pair *p) {
    static const char *const names[] = {"mean", "sum",    "max",     "min",  "std", "var",  "prod",
                                        "any",  "median", "average", "norm", "all", "amax", "amin"};
    const gx_node *call = p->b;
    const char *text;
    size_t length, from = p->out.length;
    int axis;
    shape r;
    bool known = false;
    if (p->call || call->kind != GX_NODE_CALL ||
        (call->a->kind != GX_NODE_ATTR && call->a->kind != GX_NODE_NAME))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known = known || strcmp(gx_sym_text(p->rt, call->a->name), names[i]) == 0;
    if (!known || !axis_of(p, call, &axis) || !gx_source_words(p->rt, call, &text, &length)) return;
    shape wide = widened(&p->y, axis);
    if (text[length - 1] != ')' || !fits(&p->x, &wide, &r)) return;
    bool ok = gx_put_source(p->rt, p->a, false, &p->out) && put_operator(p) &&
              gx_buf_add(&p->out, text, length - 1) &&
              gx_buf_puts(&p->out, ", keepdims=True) gives ") && gx_shape_text(&p->out, r.n, r.d);
    if (!ok) p->out.length = from;
    p->count += ok;
    p->lost = call->a->name;
    p->lost_axis = axis;
}

static void suggest_broadcast(pair *p) {
    shape t, r;
    if (p->n->kind == GX_NODE_BINARY && p->n->op == GX_MUL && fits_matmul(&p->x, &p->y, &r))
        suggest(p, "", " @ ", "", " is the matrix product, gives ", &r);
    t = reversed(&p->y);
    if (p->y.n > 1 && fits(&p->x, &t, &r)) suggest(p, "", NULL, ".T", " gives ", &r);
    if (p->count) return;
    if (p->x.n == p->y.n + 1) {
        suggest_keepdims(p);
        t = widened(&p->y, p->y.n);
        if (!p->count && fits(&p->x, &t, &r))
            suggest(p, "", NULL, p->y.n == 1 ? "[:, None]" : "[..., None]", " gives ", &r);
    }
    if (p->count || p->in_place) return;
    t = widened(&p->x, p->x.n);
    if (p->y.n == p->x.n + 1 && fits(&t, &p->y, &r))
        suggest(p, p->x.n == 1 ? "[:, None]" : "[..., None]", NULL, "", " gives ", &r);
    t = reversed(&p->x);
    if (!p->count && p->x.n > 1 && fits(&t, &p->y, &r)) suggest(p, ".T", NULL, "", " gives ", &r);
}

static void suggest_matmul(pair *p) {
    shape t, r;
    t = reversed(&p->y);
    if (p->y.n == 2 && fits_matmul(&p->x, &t, &r)) suggest(p, "", NULL, ".T", " gives ", &r);
    t = reversed(&p->x);
    if (p->x.n == 2 && !p->in_place && fits_matmul(&t, &p->y, &r))
        suggest(p, ".T", NULL, "", " gives ", &r);
}

static bool is_number(gx_borrowed v) {
    return v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_BOOL || v.tag == GX_SCALAR;
}

/* Text + a number, or the other way round: the number as text. */
static void suggest_text(gx_frame *f, const gx_node *n, const gx_node *a, const gx_node *b,
                         gx_borrowed x, gx_borrowed y) {
    gx_rt *rt = f->rt;
    gx_error saved;
    if (n->kind != GX_NODE_BINARY || n->op != GX_ADD) return;
    if (!(x.tag == GX_STR && is_number(y)) && !(is_number(x) && y.tag == GX_STR)) return;
    gx_buf out = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    const gx_node *const parts[] = {a, b};
    const bool number[] = {is_number(x), is_number(y)};
    bool ok = true;
    for (int i = 0; ok && i < 2; i++)
        ok = (!i || gx_buf_puts(&out, " + ")) && (!number[i] || gx_buf_puts(&out, "str(")) &&
             gx_put_source(rt, parts[i], false, &out) && (!number[i] || gx_buf_char(&out, ')'));
    ok = ok && gx_buf_puts(&out, " joins them as text");
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(&rt->error, &out);
    gx_buf_free(&out);
}

void gx_suggest_operands(gx_frame *f, const gx_node *n, const gx_node *a, const gx_node *b,
                         gx_borrowed x, gx_borrowed y) {
    gx_error *e = &f->rt->error, saved;
    bool broadcast = strcmp(e->code, "shape.broadcast") == 0;
    if (x.tag == GX_STR || y.tag == GX_STR) suggest_text(f, n, a, b, x, y);
    if (x.tag != GX_ARRAY || y.tag != GX_ARRAY) return;
    if (!broadcast && strcmp(e->code, "shape.matmul") != 0) return;
    if (n->kind != GX_NODE_BINARY && n->kind != GX_NODE_AUGASSIGN && n->kind != GX_NODE_COMPARE)
        return;
    pair p = {.f = f,
              .rt = f->rt,
              .n = n,
              .a = a,
              .b = b,
              .x = shape_of(gx_as_array(x)),
              .y = shape_of(gx_as_array(y)),
              .in_place = n->kind == GX_NODE_AUGASSIGN,
              .out = gx_buf_new(f->rt)};
    gx_error_save(f->rt, &saved);
    (broadcast ? suggest_broadcast : suggest_matmul)(&p);
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
    if (p.lost)
        gx_note(f->rt, "%s over axis %d removed that axis", gx_sym_text(f->rt, p.lost),
                p.lost_axis);
    gx_set_help(e, &p.out);
    gx_buf_free(&p.out);
}

/* np.dot(a, b), np.add(a, b) with two names. */
void gx_suggest_arguments(gx_frame *f, const gx_node *call) {
    gx_error *e = &f->rt->error, saved;
    bool broadcast = strcmp(e->code, "shape.broadcast") == 0;
    if ((!broadcast && strcmp(e->code, "shape.matmul") != 0) || call->n != 2) return;
    const gx_node *a = call->list[0], *b = call->list[1];
    pair p = {
        .f = f, .rt = f->rt, .n = call, .a = a, .b = b, .call = call, .out = gx_buf_new(f->rt)};
    gx_error_save(f->rt, &saved);
    gx_value base = call->a->kind == GX_NODE_ATTR ? gx_name_value(f, call->a->a) : gx_undef();
    gx_value x = gx_name_value(f, a), y = gx_name_value(f, b);
    if (base.tag != GX_ARRAY && x.tag == GX_ARRAY && y.tag == GX_ARRAY) {
        p.x = shape_of(gx_as_array(x));
        p.y = shape_of(gx_as_array(y));
        shape r;
        bool wrong = broadcast ? !fits(&p.x, &p.y, &r) : !fits_matmul(&p.x, &p.y, &r);
        if (wrong) (broadcast ? suggest_broadcast : suggest_matmul)(&p);
    }
    gx_drop(base);
    gx_drop(x);
    gx_drop(y);
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
    gx_set_help(e, &p.out);
    gx_buf_free(&p.out);
}

/* --- conditions --- */

/* How many elements of a bool array are true; -1: not known. */
static int64_t count_true(gx_rt *rt, gx_array *a) {
    gx_array *flat;
    const char *data;
    int64_t n = 0;
    if (a->dtype != GX_bool || !gx_array_contiguous(rt, a, &flat)) return -1;
    if (gx_array_read(rt, flat, &data))
        for (int64_t i = 0; i < flat->count; i++) n += data[i] != 0;
    else
        n = -1;
    gx_array_drop(flat);
    return n;
}

/* `0 < v < 2` as `(0 < v) & (v < 2)`; only where the operands not yet looked at are constants. */
static bool put_chain(gx_rt *rt, const gx_node *n, gx_buf *out) {
    static const char *const signs[] = {[GX_EQ] = "==", [GX_NE] = "!=", [GX_LT] = "<",
                                        [GX_LE] = "<=", [GX_GT] = ">",  [GX_GE] = ">="};
    for (int32_t i = 1; i < n->n; i++) {
        unsigned op = n->ops[i - 1];
        if (op >= sizeof signs / sizeof *signs || !signs[op]) return false;
        if (i > 1 && n->list[i]->eval != gx_eval_constant) return false;
        if (!gx_buf_puts(out, i > 1 ? " & (" : "(") ||
            !gx_put_source(rt, n->list[i - 1], false, out) ||
            !gx_buf_printf(out, " %s ", signs[op]) || !gx_put_source(rt, n->list[i], false, out) ||
            !gx_buf_char(out, ')'))
            return false;
    }
    return true;
}

void gx_suggest_truth(gx_frame *f, const gx_node *n, gx_borrowed v) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (v.tag != GX_ARRAY || gx_as_array(v)->count < 2 || e->help) return;
    if (e->at.end || strcmp(e->code, "bool.array") != 0) return;
    gx_buf text = gx_buf_new(rt), part = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    int64_t yes = count_true(rt, gx_as_array(v));
    bool chain = n->kind == GX_NODE_CHAIN;
    bool ok = chain ? put_chain(rt, n, &part) : gx_put_source(rt, n, true, &part);
    const char *c = gx_buf_text(&part);
    if (ok && chain)
        ok = gx_buf_printf(&text, "%s works element by element; (%s).all() is true if all are", c,
                           c);
    else if (ok)
        ok = gx_buf_printf(&text, "%s.any() is true if one is, %s.all() if all are", c, c);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    if (yes >= 0 && !chain)
        gx_note(rt, "%lld of them %s true", (long long)yes, yes == 1 ? "is" : "are");
    gx_buf_free(&text);
    gx_buf_free(&part);
}
