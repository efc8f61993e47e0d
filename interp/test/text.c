/* Transcripts in .md, .txt and .rst files: lines that begin with `>>> ` or `gx> `, `... ` lines
   that continue them, and the output up to a blank line, a fence or the next prompt. All examples
   of a file share one module, as they would at the prompt. */
#include "interp/test/gxtest_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/host/signals.h"

typedef struct reader {
    gx_tests *t;
    gx_state *s;
    gx_kept_output *capture;
    const char *path;
    const char *at, *stop;
    uint32_t line;
} reader;

typedef struct example {
    uint32_t line;
    gx_pad code, expected;
} example;

/* The current line without its indentation; false at the end of the text. */
static bool peek_line(const reader *r, const char **text, size_t *length, size_t *whole) {
    if (r->at >= r->stop) return false;
    const char *end = memchr(r->at, '\n', (size_t)(r->stop - r->at));
    *text = r->at;
    *length = (size_t)((end ? end : r->stop) - r->at);
    *whole = *length + 1;
    if (*length && (*text)[*length - 1] == '\r') --*length;
    while (*length && (**text == ' ' || **text == '\t')) {
        ++*text;
        --*length;
    }
    return true;
}

static void skip(reader *r, size_t whole) {
    r->at += whole;
    r->line++;
}

/* Does a line begin with a prompt (or is the prompt all of it)? */
static bool has_prompt(const char *text, size_t length, const char *prompt) {
    size_t size = strlen(prompt);
    if (length < size || memcmp(text, prompt, size) != 0) return false;
    return length == size || text[size] == ' ';
}

static bool starts(const char *text, size_t length) {
    return has_prompt(text, length, ">>>") || has_prompt(text, length, "gx>");
}

static bool add_line(gx_pad *b, const char *text, size_t length, size_t prompt) {
    if (b->length && !gx_pad_char(b, '\n')) return false;
    if (length <= prompt) return true;
    return gx_pad_add(b, text + prompt + 1, length - prompt - 1);
}

/* Reads the next example; false: there is none, or no memory. */
static bool read_example(reader *r, example *x) {
    const char *text;
    size_t length, whole;
    for (;;) {
        if (!peek_line(r, &text, &length, &whole)) return false;
        if (starts(text, length)) break;
        skip(r, whole);
    }
    x->line = r->line;
    if (!add_line(&x->code, text, length, 3)) return false;
    skip(r, whole);
    while (peek_line(r, &text, &length, &whole) && has_prompt(text, length, "...")) {
        if (!add_line(&x->code, text, length, 3)) return false;
        skip(r, whole);
    }
    while (peek_line(r, &text, &length, &whole)) {
        if (!length || starts(text, length) || memcmp(text, "```", length < 3 ? length : 3) == 0)
            break;
        if (length == 11 && memcmp(text, "<BLANKLINE>", 11) == 0) length = 0;
        if (!gx_pad_add(&x->expected, text, length) || !gx_pad_char(&x->expected, '\n'))
            return false;
        skip(r, whole);
    }
    return true;
}

/* NumPy raises classes of its own below those that scripts know: _UFuncOutputCastingError is a
   UFuncTypeError. */
static void public_name(char *name, size_t room) {
    if (strncmp(name, "_UFunc", 6) == 0) snprintf(name, room, "UFuncTypeError");
    else if (strcmp(name, "_ArrayMemoryError") == 0) snprintf(name, room, "MemoryError");
}

/* The exception class that the expected text names: its last line that reads "SomeError…". */
static bool expected_class(const char *text, char *name, size_t room) {
    bool found = false, traceback = strstr(text, "Traceback (most recent call last)") != NULL;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, '\n');
        size_t length = end ? (size_t)(end - at) : strlen(at), n = 0;
        while (n < length && (at[n] == '.' || at[n] == '_' || isalpha((unsigned char)at[n]))) n++;
        /* Behind a Traceback any class will do: a script's own may have any name. */
        bool last = traceback && n > 0 && at[n - 1] != '.' && (n == length || at[n] == ':');
        bool ends = n == length || at[n] == ':' || at[n] == ' ';
        bool named = n < room && (n > 5 || last) && ends;
        const char *dot = at;
        for (size_t i = 0; i < n; i++)
            if (at[i] == '.') dot = at + i + 1;
        size_t bare = n - (size_t)(dot - at);
        if (named &&
            (last || memcmp(at + n - 5, "Error", 5) == 0 ||
             (n > 9 && memcmp(at + n - 9, "Interrupt", 9) == 0) ||
             strncmp(dot, "StopIteration", bare) == 0 || strncmp(dot, "SystemExit", bare) == 0)) {
            memcpy(name, dot, bare);
            name[bare] = '\0';
            public_name(name, room);
            found = true;
            if (last) break;
        }
        if (!end) break;
        at = end + 1;
    }
    return found;
}

/* The failure against the example: by class. */
static void check_error(reader *r, const example *x) {
    const gx_failure *f = gx_state_failure(r->s);
    char wanted[64];
    const char *name = f ? f->kind : "", *dot = strrchr(name, '.');
    if (dot) name = dot + 1;
    if (expected_class(gx_pad_text(&x->expected), wanted, sizeof wanted) &&
        strcmp(wanted, name) == 0) {
        r->t->passed++;
    } else {
        r->t->failed++;
        gx_tests_fail(r->t, r->path, x->line, "unexpected error", gx_pad_text(&x->expected),
                      f ? f->text : NULL);
    }
}

/* Runs the code of an example with its values echoed; the output is in *output. */
static bool run_code(reader *r, const example *x, gx_pad *output) {
    gx_pad name = {0};
    gx_program *code = NULL;
    if (gx_pad_printf(&name, "%s:%u", r->path, x->line))
        code = gx_state_compile(r->s, gx_pad_text(&x->code), x->code.length, gx_pad_text(&name));
    gx_pad_free(&name);
    if (!code) return false;
    gx_capture_begin(r->capture);
    bool ok = gx_program_run(code, GX_RUN_ECHO, NULL);
    gx_capture_end(r->capture, output);
    gx_program_drop(code);
    return ok;
}

/* Ends a text before its last line end, for messages. */
static const char *trimmed(gx_pad *b) {
    while (b->length && b->data[b->length - 1] == '\n') b->data[--b->length] = '\0';
    return gx_pad_text(b);
}

static void run_example(reader *r, example *x) {
    gx_pad output = {0};
    char wanted[64];
    gx_test_option option = gx_test_options(gx_pad_text(&x->code), gx_pad_text(&x->expected));
    if (option == GX_TEST_SKIP) return;
    if (x->expected.length) {
        gx_test_bare(x->expected.data);
        x->expected.length = strlen(x->expected.data);
    }
    if (!run_code(r, x, &output)) {
        check_error(r, x);
    } else if (strstr(gx_pad_text(&x->expected), "Traceback (most recent call last)") &&
               expected_class(gx_pad_text(&x->expected), wanted, sizeof wanted)) {
        r->t->failed++;
        gx_tests_fail(r->t, r->path, x->line, "no error", wanted, gx_pad_text(&output));
    } else if (option == GX_TEST_VARIES ||
               gx_test_match(gx_pad_text(&x->expected), gx_pad_text(&output))) {
        r->t->passed++;
    } else {
        r->t->failed++;
        gx_tests_fail(r->t, r->path, x->line, "output differs", trimmed(&x->expected),
                      trimmed(&output));
    }
    gx_pad_free(&output);
}

void gx_test_transcript(gx_tests *t, gx_state *s, gx_kept_output *capture, const char *path) {
    gx_pad file = {0};
    reader r = {.t = t, .s = s, .capture = capture, .path = path, .line = 1};
    if (!gx_pad_read_file(&file, path)) {
        t->failed++;
        gx_tests_fail(t, path, 1, "the file cannot be read", NULL, strerror(errno));
        gx_pad_free(&file);
        return;
    }
    r.at = gx_pad_text(&file);
    r.stop = r.at + file.length;
    for (bool more = true; more && !gx_interrupted();) {
        example x = {0};
        more = read_example(&r, &x);
        if (more) run_example(&r, &x);
        gx_pad_free(&x.code);
        gx_pad_free(&x.expected);
    }
    gx_pad_free(&file);
}
