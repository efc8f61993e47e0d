/* Writes a module anew: declarations as they are, functions with instrumented accesses, loops that
   can be ended, assertions and traps that are reported. A kernel gets one more parameter for the
   host's words. */
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cuda/check/check_int.h"

enum { MOST_WORDS = 2400 /* bytes of parameters are 4096 in all */ };

static bool is_word(const char *word, size_t n, const char *text) {
    return strlen(text) == n && memcmp(word, text, n) == 0;
}

/* --- bodies --- */

static bool ends_run(const gx_stmt *s) {
    static const char *const list[] = {"bra",        "brx",   "call",     "ret",     "exit",
                                       "trap",       "bar",   "barrier",  "shfl",    "vote",
                                       "match",      "redux", "wmma",     "mma",     "elect",
                                       "activemask", "cp",    "ldmatrix", "stmatrix"};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (gx_scan_is(s, list[k])) return true;
    return false;
}

/* Is the access tested where it stands, not with others? */
static bool is_alone(gx_checker *c, const gx_stmt *s) {
    int object;
    if (!s->access) return false;
    gx_watch w = gx_exact_watch(c, s, &object);
    return w != WATCH_NOT && (w != WATCH_OBJECT || s->guard >= 0 || s->depth > 1);
}

static bool in_run(gx_checker *c, const gx_stmt *s) {
    if (s->depth > 1) return false;
    if (s->kind == ST_LINE) return true;
    return s->kind == ST_INSTRUCTION && !ends_run(s) && !is_alone(c, s);
}

static bool has_access(gx_checker *c, int from, int to) {
    int object;
    for (int i = from; i < to; i++)
        if (c->stmt[i].access && gx_exact_watch(c, &c->stmt[i], &object) != WATCH_NOT) return true;
    return false;
}

/* Does the branch go back, into a loop that may have no end? */
static bool may_be_endless(const gx_checker *c, int branch) {
    const gx_opnd *to = &c->stmt[branch].operand[0];
    for (int i = 0; i < branch; i++) {
        const gx_stmt *s = &c->stmt[i];
        if (s->kind == ST_LABEL && s->op_length == to->length && to->name &&
            memcmp(s->op, to->name, (size_t)to->length) == 0)
            return !gx_flow_counts(c, i, branch);
    }
    return false;
}

/* A call's text, with our function for failed assertions. */
static bool put_call(gx_checker *c, const gx_stmt *s) {
    static const char name[] = "__assertfail";
    const char *at = memmem(s->from, (size_t)s->length, name, sizeof name - 1);
    c->calls = true;
    if (!at) return gx_buf_add(c->out, s->from, (size_t)s->length) && gx_buf_char(c->out, '\n');
    c->check->table = true;
    const char *rest = at + sizeof name - 1;
    return gx_buf_add(c->out, s->from, (size_t)(at - s->from)) &&
           gx_buf_puts(c->out, "__gx_assertfail") &&
           gx_buf_add(c->out, rest, (size_t)(s->from + s->length - rest)) &&
           gx_buf_char(c->out, '\n');
}

static bool put_alone(gx_checker *c, int i) {
    const gx_stmt *s = &c->stmt[i];
    if (gx_scan_is(s, "trap")) return gx_exact_trap(c, s);
    if (gx_scan_is(s, "call")) return put_call(c, s);
    if (is_alone(c, s)) return gx_exact_alone(c, s);
    if (gx_scan_is(s, "bra") && may_be_endless(c, i) && !gx_exact_poll(c)) return false;
    return gx_buf_add(c->out, s->from, (size_t)s->length) && gx_buf_char(c->out, '\n');
}

static bool put_body(gx_checker *c) {
    bool ok = true;
    for (int i = 0; i < c->n_stmt && ok;) {
        int to = i;
        while (to < c->n_stmt && in_run(c, &c->stmt[to])) to++;
        if (to > i && has_access(c, i, to)) {
            ok = gx_stage_write(c, i, to);
            i = to;
        } else {
            ok = put_alone(c, i++);
        }
    }
    return ok;
}

/* --- functions --- */

typedef struct head {
    const char *from, *name, *open, *close, *body; /* '(' and ')' of the parameters or NULL; '{' */
    int name_length;
    bool entry;
} head;

/* `.visible .entry name(…) .maxntid 1, 1, 1 {`, `.func (…) name(…);` */
static void read_head(gx_checker *c, head *h) {
    const char *word;
    bool kind = false;
    for (;;) {
        gx_scan_blank(c);
        if (c->at >= c->end || *c->at == '{' || *c->at == ';') break;
        size_t n = gx_scan_word(c, &word);
        if (is_word(word, n, ".entry") || is_word(word, n, ".func")) {
            h->entry = is_word(word, n, ".entry");
            kind = true;
        } else if (n && *word != '.' && kind && !h->name) {
            h->name = word;
            h->name_length = (int)n;
        } else if (n == 0 && *c->at == '(') {
            const char *close = memchr(c->at, ')', (size_t)(c->end - c->at));
            if (h->name && !h->open) {
                h->open = c->at;
                h->close = close;
            }
            c->at = close ? close + 1 : c->end;
        } else if (n == 0) {
            c->at++;
        }
    }
    h->body = c->at;
}

static void read_params(gx_checker *c, const head *h) {
    c->n_param = 0;
    if (!h->open || !h->close) return;
    for (const char *p = h->open + 1; p < h->close && c->n_param < 64;) {
        const char *end = memchr(p, ',', (size_t)(h->close - p));
        gx_check_variable v;
        if (!end) end = h->close;
        if (!gx_scan_variable(p, end, &v)) return;
        c->param[c->n_param] = v.name;
        c->param_length[c->n_param++] = v.length;
        p = end + 1;
    }
}

static void find_known(gx_checker *c, const head *h) {
    c->known = NULL;
    c->registers = 0;
    for (int k = 0; k < c->n_kernel; k++)
        if (is_word(h->name, (size_t)h->name_length, c->kernel[k].symbol)) {
            if (c->kernel[k].known) c->known = &c->kernel[k];
            c->registers = c->kernel[k].registers;
        }
}

/* Code that rarely runs shall not cost the kernel its warps. */
static bool put_limit(gx_checker *c, const head *h, gx_buf *out) {
    size_t n = (size_t)(h->body - h->from);
    bool own = memmem(h->from, n, ".minnctapersm", 13) || memmem(h->from, n, ".maxnreg", 8);
    return !c->entry || !c->registers || c->calls || own ||
           gx_buf_printf(out, ".maxnreg %d\n", c->registers);
}

/* The function's text with everything put together. */
static bool put_function(gx_checker *c, const head *h, gx_buf *out, const gx_buf *body) {
    bool words = c->entry && !c->plain, ok;
    if (!words) {
        ok = gx_buf_add(out, h->from, (size_t)(h->body - h->from));
    } else if (h->open && h->close) {
        bool empty = c->n_param == 0;
        ok = gx_buf_add(out, h->from, (size_t)(h->close - h->from)) &&
             gx_buf_printf(out, "%s\n.param .align 8 .b8 __gx_check[%lld]\n", empty ? "" : ",",
                           (long long)c->words) &&
             gx_buf_add(out, h->close, (size_t)(h->body - h->close));
    } else {
        const char *rest = h->name + h->name_length;
        ok = gx_buf_add(out, h->from, (size_t)(rest - h->from)) &&
             gx_buf_printf(out, "(.param .align 8 .b8 __gx_check[%lld])", (long long)c->words) &&
             gx_buf_add(out, rest, (size_t)(h->body - rest));
    }
    return ok && put_limit(c, h, out) &&
           gx_buf_puts(out, "{\n.reg .pred %gxp, %gxf, %gxg, %gxb, %gxh;\n"
                            ".reg .b32 %gxt, %gxw, %gxu, %gxn, %gxs, %gxc;\n"
                            ".reg .b64 %gxa, %gxo, %gxr, %gxq<2>, %gxk<2>;\n"
                            ".local .align 8 .b8 __gx_first[8];\nmov.u32 %gxc, 0;\n") &&
           gx_buf_add(out, gx_buf_text(body), body->length) && gx_buf_puts(out, "exit;\n") &&
           gx_buf_add(out, gx_buf_text(&c->late), c->late.length) && gx_buf_puts(out, "}\n");
}

static bool add_entry(gx_checker *c, const head *h) {
    gx_check *k = c->check;
    if (!gx_check_room(c->rt, &k->entry, k->n_entry, &k->entry_room, sizeof *k->entry))
        return false;
    const char *name = gx_arena_copy(&k->arena, h->name, (size_t)h->name_length);
    if (!name) return false;
    k->entry[k->n_entry++] = (gx_check_entry){.symbol = name,
                                              .word = c->first_word,
                                              .n_word = k->n_word - c->first_word,
                                              .bytes = c->words};
    return true;
}

/* Writes the body, again with the table when it needs more words than parameters have room for. */
static bool write_body(gx_checker *c, const head *h, gx_buf *out) {
    gx_buf body = gx_buf_new(c->rt);
    gx_check *k = c->check;
    int words = k->n_word, conds = k->n_cond, sites = k->n_site;
    bool ok = false;
    for (int turn = 0; turn < 2; turn++) {
        k->n_word = words;
        k->n_cond = conds;
        k->n_site = sites;
        c->plain = turn > 0;
        c->first_word = words;
        c->words = 16;
        body.length = c->late.length = 0;
        c->out = &body;
        ok = put_body(c);
        c->out = out;
        if (!ok || !c->entry || c->words <= MOST_WORDS) break;
    }
    ok = ok && put_function(c, h, out, &body) && (!c->entry || c->plain || add_entry(c, h));
    gx_buf_free(&body);
    return ok;
}

static bool write_function(gx_checker *c, head *h) {
    gx_buf *out = c->out;
    read_head(c, h);
    if (c->at >= c->end || *c->at != '{') { /* a declaration */
        if (c->at < c->end) c->at++;
        if (h->name && is_word(h->name, (size_t)h->name_length, "__assertfail")) return true;
        return gx_buf_add(out, h->from, (size_t)(c->at - h->from)) && gx_buf_char(out, '\n');
    }
    c->at++;
    c->entry = h->entry;
    c->calls = false;
    c->n_object = 0;
    read_params(c, h);
    find_known(c, h);
    return gx_scan_body(c) && gx_flow(c) && write_body(c, h, out);
}

/* --- modules --- */

static bool put_line(gx_checker *c, const char *from) {
    const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
    c->at = end ? end + 1 : c->end;
    return gx_buf_add(c->out, from, (size_t)(c->at - from));
}

static bool put_section(gx_checker *c, const char *from) {
    const char *end = memchr(c->at, '}', (size_t)(c->end - c->at));
    c->at = end ? end + 1 : c->end;
    return gx_buf_add(c->out, from, (size_t)(c->at - from)) && gx_buf_char(c->out, '\n');
}

static bool put_variable(gx_checker *c, const char *from, uint8_t kind, bool constant) {
    const char *end = memchr(c->at, ';', (size_t)(c->end - c->at));
    if (!end) end = c->end - 1;
    gx_check_variable v;
    if (gx_scan_variable(from, end, &v)) {
        if (!gx_check_room(c->rt, &c->variable, c->n_variable, &c->variable_room,
                           sizeof *c->variable))
            return false;
        v.kind = kind;
        v.constant = constant;
        c->variable[c->n_variable++] = v;
    }
    c->at = end + 1;
    return gx_buf_add(c->out, from, (size_t)(c->at - from)) && gx_buf_char(c->out, '\n');
}

static bool put_top(gx_checker *c) {
    const char *from = c->at, *word;
    for (;;) {
        size_t n = gx_scan_word(c, &word);
        if (n == 0) {
            if (c->at < c->end) c->at++;
            return gx_buf_add(c->out, from, (size_t)(c->at - from)) && gx_buf_char(c->out, '\n');
        }
        if (is_word(word, n, ".visible") || is_word(word, n, ".weak") ||
            is_word(word, n, ".common") || is_word(word, n, ".extern"))
            continue;
        if (is_word(word, n, ".entry") || is_word(word, n, ".func")) {
            head h = {.from = from};
            c->at = word;
            return write_function(c, &h);
        }
        if (is_word(word, n, ".section")) return put_section(c, from);
        bool constant = is_word(word, n, ".const"), shared = is_word(word, n, ".shared");
        if (constant || shared || is_word(word, n, ".global"))
            return put_variable(c, from, shared ? OBJECT_SHARED : OBJECT_VARIABLE, constant);
        if (!put_line(c, from)) return false;
        return !is_word(word, n, ".address_size") ||
               gx_buf_printf(c->out,
                             ".visible .global .align 8 .b64 __gx_table[%d];\n"
                             ".func (.param .b32 gx_r) __gx_any(.param .b64 gx_a, .param .b64 "
                             "gx_n);\n.func __gx_assertfail(.param .b64 gx_p0, .param .b64 gx_p1, "
                             ".param .b32 gx_p2, .param .b64 gx_p3, .param .b64 gx_p4);\n",
                             GX_CHECK_TABLE_WORDS);
    }
}

static void close_checker(gx_checker *c) {
    gx_free(c->rt, c->variable);
    gx_free(c->rt, c->stmt);
    gx_free(c->rt, c->reg_list);
    gx_free(c->rt, c->reg);
    gx_free(c->rt, c->hash);
    gx_free(c->rt, c->decl);
    gx_buf_free(&c->late);
}

bool gx_check_new(gx_rt *rt, const char *ptx, size_t length, const gx_check_kernel *kernels, int n,
                  gx_check **out) {
    gx_check *k = gx_alloc_zero(rt, sizeof *k);
    if (!k) return false;
    gx_checker *c = gx_alloc_zero(rt, sizeof *c);
    k->rt = rt;
    k->arena = gx_arena_new(rt);
    k->text = gx_buf_new(rt);
    bool ok = c != NULL;
    if (c) {
        c->rt = rt;
        c->check = k;
        c->kernel = kernels;
        c->n_kernel = n;
        c->at = ptx;
        c->end = ptx + length;
        c->out = &k->text;
        c->late = gx_buf_new(rt);
        /* memory that a kernel allocates, and the grid's barrier, lie in no array */
        c->heap = memmem(ptx, length, "malloc", 6) || memmem(ptx, length, "%envreg", 7);
        while (ok) {
            gx_scan_blank(c);
            if (c->at >= c->end) break;
            ok = put_top(c);
        }
        c->late.length = 0;
        ok = ok && gx_exact_helpers(c);
        close_checker(c);
        gx_free(rt, c);
    }
    if (!ok) {
        gx_check_free(k);
        return false;
    }
    *out = k;
    return true;
}

void gx_check_free(gx_check *k) {
    if (!k) return;
    gx_rt *rt = k->rt;
    gx_free(rt, k->entry);
    gx_free(rt, k->word);
    gx_free(rt, k->cond);
    gx_free(rt, k->site);
    gx_arena_free(&k->arena);
    gx_buf_free(&k->text);
    gx_free(rt, k);
}
