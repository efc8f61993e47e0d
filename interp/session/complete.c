/* Names that may stand at the cursor: attributes behind a dot, modules behind import, in a string
   keys, dtypes or files, keyword arguments inside a call, and else what is bound, built in or
   reserved. Looks values up and calls nothing, so that pressing Tab has no effects. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/session/named_int.h"
#include "lexer/lexer.h"
#include "runtime/array/array.h"
#include "runtime/array/dtype.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/library/python_modules.h"
#include "stdlib/python/help/help.h"
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

static void offer_attributes(finder *f, const char *text, size_t dot) {
    gx_value v = gx_named_value(f->s, text, dot);
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
    gx_value v = gx_named_value(f->s, text, bracket);
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
        if (n < 3 || n > sizeof word || name[0] != '\'' || !gx_is_name_byte(name[1])) continue;
        memcpy(word, name + 1, n - 2);
        word[n - 2] = '\0';
        offer(word, f);
    }
}

static void offer_module(const char *name, const char *doc, void *ctx) {
    const finder *f = ctx;
    (void)doc;
    for (size_t i = 0; i < f->out->words.count; i++)
        if (strcmp(f->out->words.items[i], name) == 0) return;
    offer(name, ctx);
}

static void offer_text_module(const char *name, void *ctx) {
    offer_module(name, NULL, ctx);
}

/* Does the row up to `start` begin with a word (and no other yet)? */
static bool row_is(const char *text, size_t start, const char *word) {
    size_t row = start, n = strlen(word);
    while (row && text[row - 1] != '\n') row--;
    while (text[row] == ' ') row++;
    if (start - row < n + 1 || memcmp(text + row, word, n) != 0 || text[row + n] != ' ')
        return false;
    for (size_t i = row + n; i < start; i++)
        if (gx_is_name_byte(text[i])) return false;
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

/* --- inside a string ----------------------------------------------------------------------- */

static void offer_texts(finder *f, const gx_value *items, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (items[i].tag == GX_STR) offer(gx_as_str(items[i])->text, f);
}

/* The fields of a record. */
static void offer_fields(finder *f, gx_borrowed array) {
    gx_rt *rt = f->s->rt;
    gx_sym dtype = gx_sym_c(rt, "dtype"), names = gx_sym_c(rt, "names");
    gx_value d, fields;
    const gx_value *items;
    if (!dtype || !names || gx_try_attr(rt, array, dtype, &d) != GX_TRY_YES) return;
    if (gx_try_attr(rt, d, names, &fields) == GX_TRY_YES) {
        if (fields.tag == GX_TUPLE) offer_texts(f, items, gx_sequence_items(fields, &items));
        gx_drop(fields);
    }
    gx_drop(d);
}

/* In `d["`: the keys of the dict that are texts, or the fields of a record. */
static bool offer_keys(finder *f, const char *text, const gx_scanned *open) {
    if (!open->depth || open->depth > GX_SCAN_DEPTH) return false;
    size_t bracket = open->open[open->depth - 1], quote = open->quote_at - 1;
    while (quote && text[quote - 1] == ' ') quote--;
    if (text[bracket] != '[' || quote != bracket + 1) return false;
    gx_value v = gx_named_value(f->s, text, bracket);
    int64_t at = 0;
    if (v.tag == GX_DICT)
        for (gx_entry *e; (e = gx_dict_next((gx_dict *)(void *)v.obj, &at));)
            offer_texts(f, &e->key, 1);
    if (v.tag == GX_ARRAY) offer_fields(f, v);
    const bool known = v.tag == GX_DICT || v.tag == GX_ARRAY;
    gx_drop(v);
    return known;
}

static bool ends_with(const char *text, size_t length, const char *word) {
    const size_t n = strlen(word);
    return length >= n && memcmp(text + length - n, word, n) == 0;
}

/* In `dtype="` and where a dtype is the first argument. */
static bool offer_dtypes(finder *f, const char *text, const gx_scanned *open) {
    size_t n = open->quote_at - 1;
    while (n && text[n - 1] == ' ') n--;
    if (!ends_with(text, n, "dtype=") && !ends_with(text, n, "dtype =") &&
        !ends_with(text, n, "astype(") && !ends_with(text, n, "dtype(") &&
        !ends_with(text, n, ".view("))
        return false;
    gx_dtype_each_name(offer, f);
    return true;
}

static void offer_in_string(finder *f, const char *text, size_t at, const gx_scanned *open) {
    const char quote[] = {text[at] == open->quote ? '\0' : open->quote, '\0'};
    f->word = text + open->quote_at;
    f->length = at - open->quote_at;
    f->hidden = true;
    f->tail = quote;
    f->out->from = open->quote_at;
    if (open->triple || (!offer_keys(f, text, open) && !offer_dtypes(f, text, open))) {
        f->tail = "";
        offer_files(f, text, open->quote_at, at);
    }
    f->tail = "";
}

/* --- lines that are no program --------------------------------------------------------------- */

/* Behind `%run ` and the like, and in a command of the shell: files. */
static bool offer_in_command(finder *f, const char *text, size_t at) {
    static const char *const takes_files[] = {"run", "cd", "ls", "load", "save", "edit", "sh"};
    const char *row = text + strspn(text, " ");
    size_t n = strcspn(row + (*row == '%'), " \n"), from = at;
    bool files = *row == '!';
    for (size_t i = 0; *row == '%' && i < sizeof takes_files / sizeof *takes_files; i++)
        files = files || (strlen(takes_files[i]) == n && memcmp(row + 1, takes_files[i], n) == 0);
    if (!files || text + at <= row + n) return false;
    while (text + from > row + 1 && text[from - 1] != ' ') from--;
    offer_files(f, text, from, at);
    return true;
}

/* `\al`: the letters of that name; `\alpha`, the whole name: the letter itself. */
static void offer_letters(finder *f, size_t start) {
    const char *letter = gx_session_letter(f->word, f->length);
    if (!letter) {
        gx_session_each_letter(offer, f);
        return;
    }
    f->out->from = start - 1;
    f->length = 0;
    offer(letter, f);
}

bool gx_complete(gx_session *s, const char *text, size_t at, gx_found_names *out) {
    gx_scanned open = gx_scan_open(text, at);
    size_t start = gx_name_start(text, at);
    finder f = {.s = s, .out = out, .word = text + start, .length = at - start, .tail = ""};
    f.hidden = f.length && *f.word == '_';
    out->from = start;
    if (start == strspn(text, " ") + 1 && text[start - 1] == '%') {
        gx_magic_each(f.s, offer, &f);
    } else if (offer_in_command(&f, text, at)) {
    } else if (open.quote) {
        offer_in_string(&f, text, at, &open);
    } else if (start && text[start - 1] == '\\') {
        offer_letters(&f, start);
    } else if (start && text[start - 1] == '.') {
        offer_attributes(&f, text, start - 1);
    } else if (row_is(text, start, "import") || row_is(text, start, "from")) {
        gx_stdlib_each_module(f.s->rt, offer_module, &f);
        gx_text_module_each(offer_text_module, &f);
    } else if (!offer_from(&f, text, start)) {
        offer_keywords(&f, text, start, &open);
        offer_words(&f, open.depth > 0);
    }
    gx_error_clear(f.s->rt);
    return !f.failed;
}

bool gx_session_hint(gx_session *s, const char *text, size_t at, gx_buf *out) {
    const gx_scanned open = gx_scan_open(text, at);
    gx_value v = gx_magic_is(text, strlen(text)) ? gx_undef() : gx_named_callee(s, text, &open);
    if (v.tag == GX_UNDEF) {
        gx_error_clear(s->rt);
        return true;
    }
    bool ok = gx_help_signature(s->rt, v, out) != GX_TRY_ERROR;
    gx_drop(v);
    gx_error_clear(s->rt);
    return ok;
}
