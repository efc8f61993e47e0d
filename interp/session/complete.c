/* Names that may stand at the cursor: attributes behind a dot, modules behind import, files inside
   a string, keyword arguments inside a call, and else what is bound, built in or reserved. Looks
   values up and calls nothing, so that pressing Tab has no effects. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/session/scan.h"
#include "interp/session/session.h"
#include "lexer/lexer.h"
#include "stdlib/stdlib.h"

typedef struct finder {
    gx_session *s;
    gx_found_names *out;
    const char *word; /* what is typed of the name */
    size_t length;
    const char *tail; /* added to every name: "" or "=" */
    bool hidden;      /* names that start with _ too */
    bool failed;
} finder;

static void offer(const char *name, void *ctx) {
    finder *f = ctx;
    if (f->failed || strncmp(name, f->word, f->length) != 0) return;
    if (*name == '_' && !f->hidden) return;
    for (size_t i = 0; i < f->out->words.count && !*f->tail; i++) { /* a keyword of that name? */
        const char *other = f->out->words.items[i];
        size_t n = strlen(name);
        if (strncmp(other, name, n) == 0 && strcmp(other + n, "=") == 0) return;
    }
    gx_buf text = gx_buf_new(f->s->rt);
    if (!gx_buf_puts(&text, name) || !gx_buf_puts(&text, f->tail) ||
        !gx_vec_push(f->s->rt, &f->out->words, text.data)) {
        gx_buf_free(&text);
        f->failed = true;
    }
}

void gx_found_names_free(gx_rt *rt, gx_found_names *n) {
    for (size_t i = 0; i < n->words.count; i++) gx_free(rt, n->words.items[i]);
    gx_vec_free(rt, &n->words);
}

static bool is_name_byte(char c) {
    unsigned char u = (unsigned char)c;
    return u == '_' || u >= 128 || (u >= '0' && u <= '9') || ((u | 32) >= 'a' && (u | 32) <= 'z');
}

static size_t name_start(const char *text, size_t at) {
    while (at && is_name_byte(text[at - 1])) at--;
    return at;
}

/* The value of a dotted name that ends at `end`, without calling anything; UNDEF: there is none. */
static gx_value chain_value(finder *f, const char *text, size_t end) {
    gx_rt *rt = f->s->rt;
    size_t start = name_start(text, end);
    gx_value v = gx_undef(), outer;
    if (start == end) return v;
    gx_sym name = gx_sym_find(rt, text + start, end - start);
    if (!name) name = gx_sym_of(rt, text + start, end - start);
    if (!name) return v;
    if (start && text[start - 1] == '.') {
        outer = chain_value(f, text, start - 1);
        if (outer.tag == GX_UNDEF) return v;
        if (gx_try_attr(rt, outer, name, &v) != GX_TRY_YES) v = gx_undef();
        gx_drop(outer);
        return v;
    }
    gx_try found = gx_module_get(rt, f->s->module, name, &v);
    if (found == GX_TRY_NO) found = gx_builtin(rt, name, &v);
    return found == GX_TRY_YES ? v : gx_undef();
}

static void offer_attributes(finder *f, const char *text, size_t dot) {
    gx_value v = chain_value(f, text, dot);
    if (v.tag == GX_UNDEF) return;
    gx_each_attr(f->s->rt, v, offer, f);
    gx_drop(v);
}

static void offer_parameters(finder *f, gx_borrowed v) {
    f->tail = "=";
    if (v.tag == GX_METHOD) v = ((gx_bound *)v.obj)->fn;
    if (v.tag == GX_NATIVE) {
        const char *name;
        for (int i = 0; (name = gx_native_param(f->s->rt, v.native, i)); i++) offer(name, f);
    } else if (v.tag == GX_FUNC) {
        const gx_function *code = ((const gx_func *)v.obj)->code;
        for (int32_t i = 0; i < code->param_count; i++) {
            uint8_t kind = code->params[i].kind;
            if (kind == GX_PARAM_PLAIN || kind == GX_PARAM_KWONLY)
                offer(gx_sym_text(f->s->rt, code->params[i].name), f);
        }
    }
    f->tail = "";
}

/* Inside a call's parentheses, behind ( or a comma. */
static void offer_keywords(finder *f, const char *text, size_t start, const gx_scanned *open) {
    if (!open->depth || open->depth > GX_SCAN_DEPTH) return;
    size_t bracket = open->open[open->depth - 1], before = start;
    if (text[bracket] != '(') return;
    while (before && (text[before - 1] == ' ' || text[before - 1] == '\n')) before--;
    if (before - 1 != bracket && text[before - 1] != ',') return;
    gx_value v = chain_value(f, text, bracket);
    if (v.tag == GX_UNDEF) return;
    offer_parameters(f, v);
    gx_drop(v);
}

/* Inside brackets only words of expressions may stand. */
static bool in_expressions(int k) {
    switch (k) {
    case GX_TOKEN_FALSE:
    case GX_TOKEN_NONE:
    case GX_TOKEN_TRUE:
    case GX_TOKEN_AND:
    case GX_TOKEN_ELSE:
    case GX_TOKEN_FOR:
    case GX_TOKEN_IF:
    case GX_TOKEN_IN:
    case GX_TOKEN_IS:
    case GX_TOKEN_LAMBDA:
    case GX_TOKEN_NOT:
    case GX_TOKEN_OR:
        return true;
    default:
        return false;
    }
}

static void offer_words(finder *f, bool in_brackets) {
    gx_module *m = f->s->module;
    for (int32_t i = 0; i < m->count; i++)
        if (m->values[i].tag != GX_UNDEF) offer(gx_sym_text(f->s->rt, m->names[i]), f);
    if (!f->length) return; /* all that exists helps nobody */
    gx_builtin_each(f->s->rt, offer, f);
    for (int k = GX_TOKEN_FALSE; k < GX_TOKEN_KINDS; k++) {
        const char *name = gx_token_name((gx_token_kind)k);
        char word[16];
        size_t n = strlen(name);
        if (in_brackets && !in_expressions(k)) continue;
        if (n < 3 || n > sizeof word || name[0] != '\'' || !is_name_byte(name[1])) continue;
        memcpy(word, name + 1, n - 2);
        word[n - 2] = '\0';
        offer(word, f);
    }
}

static void offer_module(const char *name, const char *doc, void *ctx) {
    (void)doc;
    offer(name, ctx);
}

/* Does the row up to `start` begin with a word (and no other yet)? */
static bool row_is(const char *text, size_t start, const char *word) {
    size_t row = start, n = strlen(word);
    while (row && text[row - 1] != '\n') row--;
    while (text[row] == ' ') row++;
    if (start - row < n + 1 || memcmp(text + row, word, n) != 0 || text[row + n] != ' ')
        return false;
    for (size_t i = row + n; i < start; i++)
        if (is_name_byte(text[i])) return false;
    return true;
}

/* `from numpy.linalg import s` offers the module's names. */
static bool offer_from(finder *f, const char *text, size_t start) {
    size_t row = start, end;
    char name[128];
    while (row && text[row - 1] != '\n') row--;
    if (memcmp(text + row, "from ", start - row < 5 ? start - row : 5) != 0) return false;
    const char *from = text + row + 5, *import = strstr(text + row, " import ");
    if (start - row < 5 || !import || import > text + start) return false;
    end = (size_t)(import - from);
    if (end >= sizeof name) return false;
    memcpy(name, from, end);
    name[end] = '\0';
    gx_value v;
    if (gx_module_import(f->s->rt, name, &v) != GX_TRY_YES) return true;
    gx_each_attr(f->s->rt, v, offer, f);
    gx_drop(v);
    return true;
}

static void offer_files(finder *f, const char *text, size_t from, size_t at) {
    char folder[1024] = ".";
    size_t slash = at;
    while (slash > from && text[slash - 1] != '/') slash--;
    size_t n = slash - from;
    if (n >= sizeof folder) return;
    if (n) {
        memcpy(folder, text + from, n);
        folder[n] = '\0';
    }
    f->out->from = slash;
    f->word = text + slash;
    f->length = at - slash;
    f->hidden = f->length && text[slash] == '.';
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; !f->failed && (e = readdir(d));) {
        struct stat info;
        char path[1400];
        if (e->d_name[0] == '.' && !f->hidden) continue;
        int room = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        bool is_folder = room > 0 && (size_t)room < sizeof path && stat(path, &info) == 0 &&
                         S_ISDIR(info.st_mode);
        f->tail = is_folder ? "/" : "";
        offer(e->d_name, f);
    }
    closedir(d);
}

bool gx_complete(gx_session *s, const char *text, size_t at, gx_found_names *out) {
    gx_scanned open = gx_scan_open(text, at);
    size_t start = name_start(text, at);
    finder f = {.s = s, .out = out, .word = text + start, .length = at - start, .tail = ""};
    f.hidden = f.length && *f.word == '_';
    out->from = start;
    if (start == strspn(text, " ") + 1 && text[start - 1] == '%') {
        gx_magic_each(f.s, offer, &f);
    } else if (open.quote) {
        offer_files(&f, text, open.quote_at, at);
    } else if (start && text[start - 1] == '.') {
        offer_attributes(&f, text, start - 1);
    } else if (row_is(text, start, "import") || row_is(text, start, "from")) {
        gx_stdlib_each_module(f.s->rt, offer_module, &f);
    } else if (!offer_from(&f, text, start)) {
        offer_keywords(&f, text, start, &open);
        offer_words(&f, open.depth > 0);
    }
    gx_error_clear(f.s->rt);
    return !f.failed;
}
