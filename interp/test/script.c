/* Scripts as tests. `# expect: TEXT` is one line of output, exactly; they stand in the order of the
   output, at the end of a line or alone below it. `# expect error: TEXT`: this top-level statement
   fails and the first line of the message contains TEXT, a further one's anywhere in the message;
   the run goes on behind it.
   `# expect kernels: N`: this top-level statement runs N kernels.
   `# needs: nvrtc` on the first line: where there is no NVRTC the file is left out, and that is
   said; `# needs: host`: where arrays are on a GPU. Where kernels ran on a GPU, lines may differ in
   the rounding of floats. */
#include "interp/test/gxtest_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum wish_kind { WISH_LINE, WISH_ERROR, WISH_KERNELS } wish_kind;

typedef struct wish {
    wish_kind kind;
    uint32_t line;
    const char *text; /* not terminated */
    size_t length;
    bool met;
} wish;

typedef struct script {
    gx_tests *t;
    gx_state *s;
    gx_kept_output *capture;
    const char *path;
    gx_pad source;
    GX_ROW(wish) wishes;
    uint32_t last_line; /* of the newest expectation met */
    bool lines_wished;  /* the output is compared at all */
    bool failed;
} script;

static void complain(script *s, uint32_t line, const char *what, const char *expected,
                     const char *actual) {
    gx_tests_fail(s->t, s->path, line, what, expected, actual);
    s->failed = true;
}

/* The last mark of a kind on a line, or NULL. */
static const char *find_mark(const char *text, size_t length, const char *mark, size_t *after) {
    size_t size = strlen(mark);
    for (size_t i = length; i-- > 0;) {
        if (i + size > length || memcmp(text + i, mark, size) != 0) continue;
        *after = i + size;
        return text + i;
    }
    return NULL;
}

static bool add_wish(script *s, uint32_t line, const char *text, size_t length) {
    static const char *const marks[] = {[WISH_LINE] = "# expect:",
                                        [WISH_ERROR] = "# expect error:",
                                        [WISH_KERNELS] = "# expect kernels:"};
    for (int k = 0; k < 3; k++) {
        size_t after;
        if (!find_mark(text, length, marks[k], &after)) continue;
        if (after < length && text[after] == ' ') after++;
        wish w = {
            .kind = (wish_kind)k, .line = line, .text = text + after, .length = length - after};
        return gx_row_push(&s->wishes, w);
    }
    return true;
}

static bool collect(script *s) {
    const char *at = gx_pad_text(&s->source), *stop = at + s->source.length;
    for (uint32_t line = 1; at < stop; line++) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        size_t length = (size_t)((end ? end : stop) - at);
        size_t shown = length && at[length - 1] == '\r' ? length - 1 : length;
        if (!add_wish(s, line, at, shown)) return false;
        at += length + 1;
    }
    return true;
}

static char *copy(const char *text, size_t length) {
    char *c = malloc(length + 1);
    if (!c) return NULL;
    memcpy(c, text, length);
    c[length] = '\0';
    return c;
}

/* Compares one line of output with the next expectation. */
static void check_line(script *s, const char *text, size_t length, size_t *next) {
    while (*next < s->wishes.count && s->wishes.items[*next].kind != WISH_LINE) ++*next;
    char *actual = copy(text, length);
    if (*next == s->wishes.count) {
        if (s->lines_wished) complain(s, s->last_line, "output that nothing expects", NULL, actual);
    } else {
        wish *w = &s->wishes.items[(*next)++];
        w->met = true;
        if (w->length != length || memcmp(w->text, text, length) != 0) {
            char *expected = copy(w->text, w->length);
            if (gx_state_count(s->s, GX_COUNT_LAUNCHED) && expected && actual &&
                gx_test_rounded(expected, actual))
                s->t->rounded++;
            else
                complain(s, w->line, "output differs", expected, actual);
            free(expected);
        }
        s->last_line = w->line;
    }
    free(actual);
}

static void check_output(script *s, const gx_pad *output) {
    const char *at = gx_pad_text(output), *stop = at + output->length;
    size_t next = 0;
    for (size_t i = 0; i < s->wishes.count; i++)
        s->lines_wished = s->lines_wished || s->wishes.items[i].kind == WISH_LINE;
    while (at < stop && !s->failed) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        size_t length = (size_t)((end ? end : stop) - at);
        check_line(s, at, length, &next);
        at += length + 1;
    }
    for (size_t i = 0; i < s->wishes.count && !s->failed; i++) {
        const wish *w = &s->wishes.items[i];
        if (w->met) continue;
        char *expected = copy(w->text, w->length);
        complain(s, w->line, "expected, but never happened", expected, NULL);
        free(expected);
    }
}

static wish *find_wish(script *s, wish_kind kind, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < s->wishes.count; i++) {
        wish *w = &s->wishes.items[i];
        if (w->kind == kind && !w->met && w->line >= from && w->line < to) return w;
    }
    return NULL;
}

/* A further wish of the same statement: a part of the message anywhere. */
static void check_part(script *s, wish *w, const char *message) {
    char *expected = copy(w->text, w->length);
    w->met = true;
    if (expected && !strstr(message, expected))
        complain(s, w->line, "the message lacks", expected, message);
    free(expected);
}

/* The failure against the wishes for one. */
static void check_error(script *s, wish *w, uint32_t from, uint32_t to) {
    const gx_failure *f = gx_state_failure(s->s);
    const char *all = f ? f->text : "";
    gx_pad head = {0};
    gx_test_head(s->s, &head);
    uint32_t line = f && f->at.file && strcmp(f->at.file, s->path) == 0 ? f->at.line : from;
    if (!head.length) {
        complain(s, line, "an error, and no memory to show it", NULL, NULL);
    } else if (!w) {
        complain(s, line, "unexpected error", NULL, all);
    } else {
        char *expected = copy(w->text, w->length);
        w->met = true;
        if (expected && !strstr(gx_pad_text(&head), expected))
            complain(s, w->line, "another error", expected, gx_pad_text(&head));
        free(expected);
        while ((w = find_wish(s, WISH_ERROR, from, to))) check_part(s, w, all);
    }
    gx_pad_free(&head);
}

/* Runs one top-level statement; false: the script has ended itself. */
static bool run_statement(script *s, gx_program *code, size_t i, uint32_t from, uint32_t to) {
    int64_t kernels = gx_state_count(s->s, GX_COUNT_KERNELS);
    wish *error = find_wish(s, WISH_ERROR, from, to);
    /* A GPU that looks at indices tells of the error when it is asked. */
    if (!gx_program_run_part(code, i) || (error && !gx_state_sync(s->s))) {
        int status = gx_state_failure(s->s)->exit_status;
        if (status >= 0 && !error) {
            (void)gx_state_report(s->s);
            if (status)
                complain(s, from, "the script ended with a status other than 0", NULL, NULL);
            return false;
        }
        check_error(s, error, from, to);
    } else if (error) {
        char *expected = copy(error->text, error->length);
        error->met = true;
        complain(s, error->line, "no error", expected, "it went well");
        free(expected);
    }
    wish *count = find_wish(s, WISH_KERNELS, from, to);
    if (count) {
        char expected[32], actual[32];
        kernels = gx_state_count(s->s, GX_COUNT_KERNELS) - kernels;
        snprintf(expected, sizeof expected, "%ld kernels", strtol(count->text, NULL, 10));
        snprintf(actual, sizeof actual, "%ld kernels", (long)kernels);
        count->met = true;
        if (strcmp(expected, actual) != 0) complain(s, count->line, "kernels", expected, actual);
    }
    return true;
}

static void run_body(script *s, gx_program *code) {
    size_t count = gx_program_count(code);
    uint32_t from = count ? gx_program_line(code, 0) : 1;
    for (size_t i = 0; i < count && !s->failed; i++) {
        uint32_t to = i + 1 < count ? gx_program_line(code, i + 1) : UINT32_MAX;
        if (!run_statement(s, code, i, from, to)) return;
        from = to;
    }
}

/* A file that does not parse: its syntax errors, in order, must be the expected ones. */
static void check_syntax(script *s) {
    do check_error(s, find_wish(s, WISH_ERROR, 1, UINT32_MAX), 1, 1);
    while (!s->failed && gx_state_failure_next(s->s));
}

static void run_script(script *s) {
    gx_pad text = {0};
    gx_capture_begin(s->capture);
    gx_program *code = gx_state_compile(s->s, gx_pad_text(&s->source), s->source.length, s->path);
    if (code) run_body(s, code);
    gx_capture_end(s->capture, &text);
    if (!code) check_syntax(s);
    if (!s->failed) check_output(s, &text);
    gx_program_drop(code);
    gx_pad_free(&text);
}

static bool first_line_is(const char *text, const char *mark) {
    size_t length = strcspn(text, "\r\n");
    return length == strlen(mark) && memcmp(text, mark, length) == 0;
}

const char *gx_test_left_out(gx_state *s, const char *text) {
    const bool simulated = first_line_is(text, "# needs: nvrtc simulator");
    if (simulated || first_line_is(text, "# needs: nvrtc"))
        if (!gx_state_has(s, GX_HAS_COMPILER)) return "there is no NVRTC";
    if (simulated && gx_state_has(s, GX_HAS_GPU)) return "kernels run on a GPU";
    if (first_line_is(text, "# needs: host") && gx_state_has(s, GX_HAS_GPU))
        return "arrays are on a GPU";
    return NULL;
}

void gx_test_script(gx_tests *t, gx_state *state, gx_kept_output *capture, const char *path) {
    script s = {.t = t, .s = state, .capture = capture, .path = path};
    const char *reason = NULL;
    if (!gx_pad_read_file(&s.source, path))
        complain(&s, 1, "unexpected error", NULL, strerror(errno));
    else if (!collect(&s))
        complain(&s, 1, "there is no memory for its expectations", NULL, NULL);
    else if ((reason = gx_test_left_out(state, gx_pad_text(&s.source))))
        fprintf(t->log, "%s: left out: %s\n", path, reason);
    else
        run_script(&s);
    gx_row_free(&s.wishes);
    gx_pad_free(&s.source);
    if (reason) return;
    if (s.failed)
        t->failed++;
    else
        t->passed++;
}
