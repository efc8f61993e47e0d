/* help(): subjects and modules; help(f): signature, what it does, an example; help(type) and
   help(module): what is in it; help("word"): a subject, a word of the language, or what the word
   names. Everything is read from the tables, and of a script's functions and classes from their
   docstrings. */
#include <string.h>

#include "runtime/base/terminal.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"
#include "stdlib/common.h"
#include "stdlib/python/help/help.h"
#include "stdlib/python/help/topics_int.h"

typedef struct page {
    gx_rt *rt;
    gx_buf text;
    size_t column; /* of a running list of names */
    bool ok;
} page;

static void put_text(page *p, const char *text) {
    if (p->ok) p->ok = gx_buf_puts(&p->text, text);
}

/* An indented paragraph. On a terminal its words stay whole; elsewhere it is one line. */
static void paragraph(page *p, const char *text) {
    enum { INDENT = 4, WIDEST = 100, LEAST = 20 };
    int columns, rows;
    size_t room = SIZE_MAX, column = INDENT;
    if (gx_terminal_size(p->text.rt, GX_OUT, &columns, &rows))
        room = columns < LEAST ? LEAST : columns > WIDEST ? WIDEST : (size_t)columns - 1;
    put_text(p, "    ");
    while (*text && p->ok) {
        size_t n = strcspn(text, " \n");
        if (column > INDENT && column + n > room) {
            put_text(p, "\n    ");
            column = INDENT;
        }
        n += text[n] != '\0';
        column = text[n ? n - 1 : 0] == '\n' ? 0 : column + n;
        p->ok = gx_buf_add(&p->text, text, n);
        text += n;
    }
    put_text(p, "\n");
}

static void native_text(page *p, const gx_native *fn) {
    put_text(p, fn->sig ? fn->sig : fn->name);
    put_text(p, "\n");
    paragraph(p, fn->doc ? fn->doc : "");
    if (!fn->example || !fn->example[0]) return;
    put_text(p, "    Example: ");
    put_text(p, fn->example);
    put_text(p, "\n");
}

static void name_in_list(const char *name, void *ctx) {
    page *p = ctx;
    size_t n = strlen(name);
    if (name[0] == '_') return;
    if (p->column + n + 2 > 74) {
        put_text(p, "\n");
        p->column = 0;
    }
    put_text(p, p->column ? "  " : "    ");
    put_text(p, name);
    p->column += n + (p->column ? 2 : 4);
}

static void module_line(const char *name, const char *doc, void *ctx) {
    page *p = ctx;
    if (strncmp(name, "gx.", 3) == 0) return;
    if (p->ok) p->ok = gx_buf_printf(&p->text, "    %-20s %s\n", name, doc);
}

static void all_subjects(page *p) {
    p->column = 0;
    for (const gx_help_topic *t = gx_help_topics(); t->name; t++) name_in_list(t->name, p);
    put_text(p, "\n");
}

static void all_modules(page *p) {
    put_text(p,
        "help(f) explains a function, a type or a module; help(\"start\") a subject. Subjects:\n");
    all_subjects(p);
    put_text(p, "Modules:\n");
    gx_stdlib_each_module(p->rt, module_line, p);
    put_text(p, "Without an import: Python's builtins and all of NumPy's functions.\n");
}

typedef struct own_names {
    page *p;
    bool any;
} own_names;

static void any_name(const char *name, void *ctx) {
    own_names *own = ctx;
    name_in_list(name, own->p);
    own->any = true;
}

static void type_text(page *p, const gx_type *t) {
    put_text(p, "class ");
    put_text(p, t->name);
    put_text(p, "\n");
    if (t->doc) paragraph(p, t->doc);
    if (t->construct) native_text(p, t->construct);
    put_text(p, "Attributes:\n");
    own_names own = {.p = p};
    for (; t; t = t->base) gx_type_each(p->rt, t, any_name, &own);
    put_text(p, own.any ? "\n" : "    none\n");
}

static void own_name(const char *name, void *ctx) {
    own_names *own = ctx;
    if (name[0] == '_' || strcmp(name, "mro") == 0) return;
    name_in_list(name, own->p);
    own->any = true;
}

/* How it is called, in a row of its own; false: that is not known. */
static bool signature_row(page *p, gx_borrowed v) {
    if (!p->ok) return false;
    gx_try got = gx_help_signature(p->rt, v, &p->text);
    if (got == GX_TRY_ERROR) p->ok = false;
    if (got == GX_TRY_YES) put_text(p, "\n");
    return got == GX_TRY_YES;
}

/* The spaces that all rows of a docstring but the first begin with. */
static size_t margin_of(const char *text) {
    size_t margin = SIZE_MAX;
    for (const char *row = text; (row = strchr(row, '\n'));) {
        size_t n = strspn(++row, " ");
        if (row[n] && row[n] != '\n' && n < margin) margin = n;
    }
    return margin;
}

/* A docstring, row by row. */
static void docstring(page *p, const char *text) {
    const size_t margin = margin_of(text);
    text += strspn(text, " \n");
    size_t length = strlen(text);
    while (length && strchr(" \n", text[length - 1])) length--;
    for (const char *row = text, *end = text + length; p->ok && row < end;) {
        const char *next = memchr(row, '\n', (size_t)(end - row));
        size_t n = next ? (size_t)(next - row) : (size_t)(end - row), spaces = strspn(row, " ");
        size_t skip = row == text ? 0 : margin < spaces ? margin : spaces;
        if (skip > n) skip = n;
        p->ok = (n == skip || gx_buf_puts(&p->text, "    ")) &&
                gx_buf_add(&p->text, row + skip, n - skip) && gx_buf_char(&p->text, '\n');
        row += n + 1;
    }
}

/* The docstring of a function or a class of the script, if it has one. */
static void own_docstring(page *p, gx_borrowed v) {
    gx_value doc = gx_undef();
    gx_sym name = gx_sym_c(p->rt, "__doc__");
    if (!p->ok) return;
    gx_try has = name ? gx_try_attr(p->rt, v, name, &doc) : GX_TRY_ERROR;
    if (has == GX_TRY_ERROR) p->ok = false;
    if (has != GX_TRY_YES) return;
    if (doc.tag == GX_STR) docstring(p, gx_as_str(doc)->text);
    gx_drop(doc);
}

/* A type; of a script's class how an instance is made, and the attributes that it and its ancestors
   have. */
static void class_text(page *p, gx_borrowed v) {
    const gx_type *t = gx_as_type(v);
    own_names own = {.p = p};
    if (!t->heap) {
        type_text(p, t);
        return;
    }
    put_text(p, "class ");
    if (!signature_row(p, v)) {
        put_text(p, t->name);
        put_text(p, "\n");
    }
    own_docstring(p, v);
    put_text(p, "Attributes:\n");
    gx_each_attr(p->rt, v, own_name, &own);
    put_text(p, own.any ? "\n" : "    none\n");
}

/* A function or a method of the script; any other value: its type. */
static void value_text(page *p, gx_borrowed v) {
    if (v.tag == GX_FUNC || v.tag == GX_METHOD) {
        if (signature_row(p, v)) own_docstring(p, v);
        return;
    }
    gx_value type = gx_type_value(gx_type_of(v));
    class_text(p, type);
    gx_drop(type);
}

static void module_text(page *p, gx_borrowed v) {
    gx_module *m = gx_as_module(v);
    put_text(p, "module ");
    put_text(p, gx_sym_text(p->rt, m->name));
    put_text(p, "\n");
    if (m->each)
        m->each(p->rt, m, name_in_list, p);
    else
        gx_module_each(p->rt, m, name_in_list, p);
    put_text(p, "\n");
}

static void object_text(page *p, gx_borrowed v) {
    const gx_foreign *foreign = gx_type_of(v)->foreign;
    if (foreign)
        p->ok = p->ok && foreign->help(p->rt, v, &p->text);
    else if (v.tag == GX_NATIVE)
        native_text(p, v.native);
    else if (v.tag == GX_METHOD && ((gx_bound *)v.obj)->fn.tag == GX_NATIVE)
        native_text(p, ((gx_bound *)v.obj)->fn.native);
    else if (gx_as_type(v))
        class_text(p, v);
    else if (v.tag == GX_MODULE)
        module_text(p, v);
    else
        value_text(p, v);
}

/* What a dotted word names: a module, a bare name, an attribute of one. */
static gx_try named(gx_rt *rt, const char *word, gx_value *out) {
    if (strcmp(word, "np") == 0 || strcmp(word, "cp") == 0)
        word = *word == 'n' ? "numpy" : "cupy";
    gx_try got = gx_module_import(rt, word, out);
    const char *dot = strrchr(word, '.');
    char head[128];
    gx_value owner;
    gx_sym name = gx_sym_c(rt, dot ? dot + 1 : word);
    if (got != GX_TRY_NO) return got;
    if (!name) return GX_TRY_ERROR;
    if (!dot) return gx_builtin(rt, name, out);
    size_t n = (size_t)(dot - word);
    if (n == 0 || n >= sizeof head || !gx_stack_check(rt)) return n ? GX_TRY_ERROR : GX_TRY_NO;
    memcpy(head, word, n);
    head[n] = '\0';
    got = named(rt, head, &owner);
    if (got != GX_TRY_YES) return got;
    got = gx_try_attr(rt, owner, name, out);
    gx_drop(owner);
    return got;
}

/* A word of the language or a parameter. */
static void meaning(page *p, const gx_help_word *w) {
    put_text(p, w->form);
    put_text(p, "\n");
    paragraph(p, w->text);
    if (!*w->example) return;
    put_text(p, "    Example:\n");
    for (const char *row = w->example; *row; row += *row == '\n') {
        size_t n = strcspn(row, "\n");
        if (p->ok) p->ok = gx_buf_printf(&p->text, "        %.*s\n", (int)n, row);
        row += n;
    }
}

static void word_text(page *p, const char *word) {
    const gx_help_topic *topic = gx_help_find(word);
    const gx_help_word *w = gx_help_word_find(word);
    gx_value v;
    if (topic && !w) {
        put_text(p, topic->title);
        put_text(p, "\n\n");
        put_text(p, topic->text);
        return;
    }
    if (w) meaning(p, w);
    gx_try got = strlen(word) < 120 ? named(p->rt, word, &v) : GX_TRY_NO;
    if (got == GX_TRY_YES) {
        if (w) put_text(p, "\n");
        object_text(p, v);
        gx_drop(v);
    } else if (got == GX_TRY_ERROR) {
        p->ok = false;
    } else if (p->ok && !w) {
        const char *names[64], *near;
        size_t n = 0;
        for (const gx_help_topic *t = gx_help_topics(); t->name && n < 64; t++)
            names[n++] = t->name;
        near = gx_near_name(word, names, n);
        if (!near) near = gx_builtin_near(p->rt, word);
        p->ok = gx_buf_printf(&p->text, "There is no help for '%.60s'%s%s%s Subjects:\n", word,
                              near ? "; did you mean '" : ".", near ? near : "", near ? "'?" : "");
        all_subjects(p);
    }
}

static bool core_help(gx_call *c, gx_value *out) {
    page p = {.rt = c->rt, .text = gx_buf_new(c->rt), .ok = true};
    gx_borrowed v = c->argv[0];
    if (v.tag == GX_UNDEF)
        all_modules(&p);
    else if (v.tag == GX_STR)
        word_text(&p, gx_as_str(v)->text);
    else
        object_text(&p, v);
    bool ok = p.ok && gx_stdout_write(c->rt, gx_buf_text(&p.text), p.text.length);
    gx_buf_free(&p.text);
    if (ok) *out = gx_none();
    return ok;
}

const gx_native gx_help_functions[] = {
    {"help", "help(object=<no value>, /)",
     "Explains a function, a type, a module, or a subject such as \"slicing\"; without one, lists "
     "them.",
     NULL, core_help, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
