/* Tables of cases, FILE.cases: each case is its text and, below it, what it prints.

       # a remark, where no case is under way
       @ import numpy as np          lines that are run where they stand
       @@ show(lambda: {})           how the cases below are run: the text goes for {}

       np.add([1, 2], 3)
       = int64 (2,) [4, 5]

   `@1 line` is the same where each line is a case of its own. Without {} the text is the body of
   program(), and the line runs it: `@@ run(program)`; without any such line the text is run as it
   is. A line `= text` is one line of output, `=` an empty one. A case ends behind its output, at an
   empty line or with the file; without such lines it prints nothing. All cases share one module.
   The first line may say what the file needs, as a script's may. */
#include "interp/test/gxtest_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/host/signals.h"

typedef struct line {
    const char *text;
    size_t length;
} line;

typedef struct table {
    gx_tests *t;
    gx_state *s;
    gx_kept_output *capture;
    const char *path;
    const char *at, *stop;
    uint32_t number; /* of the line at `at` */
    line form;       /* what follows @@ or @1; no text: none */
    bool lines;      /* behind @1 */
    bool all;        /* every case is wanted: the word is in the path */
    size_t count;    /* of cases read */
} table;

typedef struct test_case {
    uint32_t first, last; /* lines of the file */
    gx_pad text, expected;
} test_case;

static bool peek(const table *b, line *l) {
    if (b->at >= b->stop) return false;
    const char *end = memchr(b->at, '\n', (size_t)(b->stop - b->at));
    *l = (line){.text = b->at, .length = (size_t)((end ? end : b->stop) - b->at)};
    return true;
}

static void skip(table *b, const line *l) {
    b->at += l->length + 1;
    b->number++;
}

/* Does the line begin with the mark and a space, or is it the mark alone? */
static bool marked(const line *l, const char *mark) {
    size_t size = strlen(mark);
    if (l->length < size || memcmp(l->text, mark, size) != 0) return false;
    return l->length == size || l->text[size] == ' ';
}

/* Adds what follows the mark, and a line end. */
static bool add_rest(gx_pad *p, const line *l, size_t mark) {
    if (l->length > mark + 1 && !gx_pad_add(p, l->text + mark + 1, l->length - mark - 1))
        return false;
    return gx_pad_char(p, '\n');
}

/* Runs code whose first line is a line of the file, so that messages name the file's lines. */
static bool run_code(table *b, const gx_pad *code, uint32_t first) {
    gx_pad placed = {0};
    gx_program *program = NULL;
    if (gx_pad_fill(&placed, '\n', first - 1) &&
        gx_pad_add(&placed, gx_pad_text(code), code->length))
        program = gx_state_compile(b->s, gx_pad_text(&placed), placed.length, b->path);
    gx_pad_free(&placed);
    bool ok = program && gx_program_run(program, GX_RUN_PLAIN, NULL);
    gx_program_drop(program);
    return ok;
}

static void fail(table *b, uint32_t number, const char *what, const char *expected,
                 const char *actual) {
    gx_tests_fail(b->t, b->path, number, what, expected, actual);
    b->t->failed++;
}

static const char *why(const table *b) {
    const gx_failure *f = gx_state_failure(b->s);
    return f ? f->text : "there is no memory for it";
}

/* Lines `@ `, run together. False: they fail, and the cases that need them with them. */
static bool run_setup(table *b) {
    gx_pad code = {0};
    line l;
    uint32_t first = b->number;
    bool ok = true;
    for (; ok && peek(b, &l) && marked(&l, "@"); skip(b, &l)) ok = add_rest(&code, &l, 1);
    ok = ok && run_code(b, &code, first);
    if (!ok) fail(b, first, "unexpected error", NULL, why(b));
    gx_pad_free(&code);
    return ok;
}

/* Reads the case that begins here. False: no memory. */
static bool read_case(table *b, test_case *c) {
    line l;
    bool ok = true;
    c->first = c->last = b->number;
    for (; ok && peek(b, &l) && l.length && !marked(&l, "="); skip(b, &l)) {
        ok = gx_pad_add(&c->text, l.text, l.length) && gx_pad_char(&c->text, '\n');
        c->last = b->number;
        if (b->lines) {
            skip(b, &l);
            break;
        }
    }
    for (; ok && peek(b, &l) && marked(&l, "="); skip(b, &l)) {
        ok = add_rest(&c->expected, &l, 1);
        c->last = b->number;
    }
    return ok;
}

/* The text as the body of program(), behind whose head is its first line. */
static bool add_body(gx_pad *code, const test_case *c, const line *form) {
    bool ok = gx_pad_puts(code, "def program():\n");
    const char *at = gx_pad_text(&c->text);
    while (ok && *at) {
        size_t length = strcspn(at, "\n") + 1;
        ok = gx_pad_puts(code, "    ") && gx_pad_add(code, at, length);
        at += length;
    }
    return ok && gx_pad_add(code, form->text, form->length) && gx_pad_char(code, '\n');
}

/* The code of a case; *first: the line of the file that its first line is told as. */
static bool compose(const table *b, const test_case *c, gx_pad *code, uint32_t *first) {
    const line *form = &b->form;
    *first = c->first;
    if (!form->text) return gx_pad_add(code, c->text.data, c->text.length);
    const char *place = memmem(form->text, form->length, "{}", 2);
    if (!place) {
        *first = c->first > 1 ? c->first - 1 : 1;
        return add_body(code, c, form);
    }
    size_t before = (size_t)(place - form->text);
    return gx_pad_add(code, form->text, before) &&
           gx_pad_add(code, c->text.data, c->text.length - 1) &&
           gx_pad_add(code, place + 2, form->length - before - 2) && gx_pad_char(code, '\n');
}

static bool wanted(const table *b, const test_case *c) {
    const gx_tests *t = b->t;
    if (t->line && (t->line < c->first || t->line > c->last)) return false;
    return b->all || strstr(gx_pad_text(&c->text), t->word) != NULL;
}

/* Ends a text before its last line end, for messages. */
static const char *trimmed(gx_pad *p) {
    if (p->length && p->data[p->length - 1] == '\n') p->data[--p->length] = '\0';
    return gx_pad_text(p);
}

static void judge(table *b, test_case *c, gx_pad *output, bool ran) {
    const char *expected = gx_pad_text(&c->expected), *actual = gx_pad_text(output);
    bool same = ran && strcmp(expected, actual) == 0;
    if (ran && !same && gx_state_count(b->s, GX_COUNT_LAUNCHED) &&
        gx_test_rounded(expected, actual)) {
        b->t->rounded++;
        same = true;
    }
    if (same) b->t->passed++;
    else if (ran)
        fail(b, c->first, trimmed(&c->text), trimmed(&c->expected), trimmed(output));
    else
        fail(b, c->first, trimmed(&c->text), trimmed(&c->expected), why(b));
}

static void run_case(table *b, test_case *c) {
    gx_pad code = {0}, output = {0};
    uint32_t first;
    bool ran = compose(b, c, &code, &first);
    gx_capture_begin(b->capture);
    ran = ran && run_code(b, &code, first);
    gx_capture_end(b->capture, &output);
    judge(b, c, &output, ran);
    gx_pad_free(&output);
    gx_pad_free(&code);
}

static bool take_case(table *b) {
    test_case c = {0};
    bool ok = read_case(b, &c);
    if (!ok) fail(b, b->number, "there is no memory for the case", NULL, NULL);
    else if (!c.text.length) fail(b, c.first, "output of no case", NULL, NULL);
    else if (wanted(b, &c)) run_case(b, &c);
    b->count++;
    ok = ok && c.text.length;
    gx_pad_free(&c.text);
    gx_pad_free(&c.expected);
    return ok;
}

static void run_table(table *b) {
    line l;
    bool going = true;
    while (going && !gx_interrupted() && peek(b, &l)) {
        if (!l.length || l.text[0] == '#') {
            skip(b, &l);
        } else if (marked(&l, "@@") || marked(&l, "@1")) {
            b->lines = l.text[1] == '1';
            b->form = (line){.text = l.text + 3, .length = l.length > 3 ? l.length - 3 : 0};
            if (!b->form.length) b->form.text = NULL;
            skip(b, &l);
        } else {
            going = marked(&l, "@") ? run_setup(b) : take_case(b);
        }
    }
    if (going && !b->count) fail(b, b->number, "a table without cases", NULL, NULL);
}

void gx_test_table(gx_tests *t, gx_state *s, gx_kept_output *capture, const char *path) {
    gx_pad file = {0};
    table b = {.t = t, .s = s, .capture = capture, .path = path, .number = 1};
    const char *reason;
    b.all = strstr(path, t->word) != NULL;
    if (!gx_pad_read_file(&file, path)) {
        fail(&b, 1, "unexpected error", NULL, strerror(errno));
    } else if ((reason = gx_test_left_out(s, gx_pad_text(&file)))) {
        fprintf(t->log, "%s: left out: %s\n", path, reason);
    } else if (b.all || strstr(gx_pad_text(&file), t->word)) {
        b.at = gx_pad_text(&file);
        b.stop = b.at + file.length;
        run_table(&b);
    }
    gx_pad_free(&file);
}
