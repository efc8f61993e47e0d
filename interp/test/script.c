/* Scripts as tests. `# expect: TEXT` is one line of output, exactly; they stand in the order of the
   output, at the end of a line or alone below it. `# expect error: TEXT`: this top-level statement
   fails and the first line of the message contains TEXT, a further one's anywhere in the message;
   the run goes on behind it.
   `# expect kernels: N`: this top-level statement runs N kernels.
   `# needs: nvrtc` on the first line: where there is no NVRTC the file is left out, and that is
   said; `# needs: host`: where arrays are on a GPU. Where kernels ran on a GPU, lines may differ in
   the rounding of floats. */
#include "interp/test/gxtest_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/kernel/raw.h"
#include "runtime/op/ufunc.h"

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
    gx_rt *rt;
    const char *path;
    uint32_t source;
    GX_VEC(wish) wishes;
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
        return gx_vec_push(s->rt, &s->wishes, w);
    }
    return true;
}

static bool collect(script *s) {
    const gx_source *source = gx_source_get(s->rt, s->source);
    const char *at = source->text, *stop = at + source->length;
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
            if (s->rt->gpu_stats.launched && expected && actual &&
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

static void check_output(script *s, const gx_buf *output) {
    const char *at = gx_buf_text(output), *stop = at + output->length;
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

static uint32_t line_of(script *s, uint32_t start) {
    uint32_t line, column;
    gx_span at = {.source = s->source, .start = start, .end = start + 1};
    gx_source_place(s->rt, at, &line, &column);
    return line;
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

/* The pending error against the wishes for one; the error is forgotten. */
static void check_error(script *s, wish *w, uint32_t from, uint32_t to) {
    gx_rt *rt = s->rt;
    gx_buf head = gx_buf_new(rt), all = gx_buf_new(rt);
    bool shown = gx_report_head(rt, &head) && gx_report_text(rt, &all);
    uint32_t line = from, column;
    if (gx_source_of(rt, rt->error.at)) gx_source_place(rt, rt->error.at, &line, &column);
    if (rt->error.at.source != s->source) line = from;
    gx_error_clear(rt);
    if (head.length) head.data[head.length - 1] = '\0';
    if (!shown) {
        complain(s, line, "an error, and no memory to show it", NULL, NULL);
    } else if (!w) {
        complain(s, line, "unexpected error", NULL, gx_buf_text(&all));
    } else {
        char *expected = copy(w->text, w->length);
        w->met = true;
        if (expected && !strstr(gx_buf_text(&head), expected))
            complain(s, w->line, "another error", expected, gx_buf_text(&head));
        free(expected);
        while ((w = find_wish(s, WISH_ERROR, from, to))) check_part(s, w, gx_buf_text(&all));
    }
    gx_buf_free(&head);
    gx_buf_free(&all);
}

/* Runs one top-level statement; false: the script has ended itself. */
static bool run_statement(script *s, gx_unit *unit, gx_module *m, int32_t i, uint32_t from,
                          uint32_t to) {
    gx_rt *rt = s->rt;
    int64_t kernels = rt->stats.kernels;
    int status;
    wish *error = find_wish(s, WISH_ERROR, from, to);
    /* A GPU that looks at indices tells of the error when it is asked. */
    if (!gx_run_statement(rt, unit, m, i) || (error && !gx_lazy_checkpoint(rt))) {
        if (rt->error.kind == GX_SystemExit && !error) {
            gx_report_exit(rt, &status);
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
        snprintf(expected, sizeof expected, "%ld kernels", strtol(count->text, NULL, 10));
        snprintf(actual, sizeof actual, "%ld kernels", (long)(rt->stats.kernels - kernels));
        count->met = true;
        if (strcmp(expected, actual) != 0) complain(s, count->line, "kernels", expected, actual);
    }
    return true;
}

static void run_body(script *s, gx_unit *unit, gx_module *m) {
    const gx_node *body = unit->main->body;
    uint32_t from = body->n ? line_of(s, body->list[0]->at.start) : 1;
    for (int32_t i = 0; i < body->n && !s->failed; i++) {
        uint32_t to = i + 1 < body->n ? line_of(s, body->list[i + 1]->at.start) : UINT32_MAX;
        if (!run_statement(s, unit, m, i, from, to)) return;
        from = to;
    }
}

/* A file that does not parse: its syntax errors, in order, must be the expected ones. */
static void check_syntax(script *s, gx_parse_errors *errors) {
    gx_rt *rt = s->rt;
    gx_error_clear(rt);
    for (int i = 0; i < errors->count && !s->failed; i++) {
        const gx_syntax_error *e = &errors->list[i];
        wish *w = find_wish(s, WISH_ERROR, 1, UINT32_MAX);
        gx_fail(rt, e->kind, "", "%s", e->message ? e->message : "invalid syntax");
        rt->error.at = e->at;
        check_error(s, w, 1, 1);
    }
}

static void run_script(script *s) {
    gx_rt *rt = s->rt;
    gx_value main_module;
    gx_unit *unit;
    gx_parse_errors errors = {0};
    if (!collect(s) || !gx_main_module(rt, "__main__", &main_module)) {
        check_error(s, NULL, 1, 1);
        return;
    }
    gx_module *m = gx_as_module(main_module);
    gx_capture_output output;
    gx_buf text = gx_buf_new(rt);
    if (!gx_repl_predefine(rt, m) || !gx_set_folder(rt, s->path, m)) {
        check_error(s, NULL, 1, 1);
    } else {
        gx_capture_begin(rt, &output);
        gx_parse_status status = gx_load(rt, s->source, m, false, &unit, &errors);
        if (status == GX_PARSE_OK) run_body(s, unit, m);
        bool taken = gx_capture_end(&output, &text);
        if (status != GX_PARSE_OK) check_syntax(s, &errors);
        if (!taken && gx_failed(&rt->error)) check_error(s, NULL, 1, 1);
        gx_parse_errors_free(&errors);
        if (!s->failed) check_output(s, &text);
        if (status == GX_PARSE_OK) gx_unit_drop(unit); /* and the source, which was compared */
    }
    gx_buf_free(&text);
    gx_drop(main_module);
}

static bool first_line_is(const script *s, const char *mark) {
    const char *text;
    size_t length;
    gx_source_line(s->rt, s->source, 1, &text, &length);
    return length == strlen(mark) && memcmp(text, mark, length) == 0;
}

/* Why the file is left out here; NULL: it is run. */
static const char *left_out_for(const script *s) {
    gx_rt *rt = s->rt;
    const bool simulated = first_line_is(s, "# needs: nvrtc simulator");
    if (simulated || first_line_is(s, "# needs: nvrtc"))
        if (!gx_raw_possible(rt)) return "there is no NVRTC";
    if (simulated && gx_raw_on_gpu(rt)) return "kernels run on a GPU";
    if (first_line_is(s, "# needs: host") && gx_raw_on_gpu(rt)) return "arrays are on a GPU";
    return NULL;
}

void gx_test_script(gx_tests *t, gx_rt *rt, const char *path) {
    script s = {.t = t, .rt = rt, .path = path};
    if (!gx_source_read(rt, path, &s.source)) {
        check_error(&s, NULL, 1, 1);
    } else {
        const char *reason = left_out_for(&s);
        if (reason) {
            fprintf(t->log, "%s: left out: %s\n", path, reason);
            return;
        }
        run_script(&s);
    }
    gx_vec_free(rt, &s.wishes);
    if (s.failed)
        t->failed++;
    else
        t->passed++;
}
