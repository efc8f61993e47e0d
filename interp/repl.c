/* The prompt: reads entries, with the line editor on a terminal, else line by line; runs them and
   echoes values. An error leaves it alive. */
#include "interp/repl_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/gpu.h"
#include "stdlib/stdlib.h"

typedef enum line_status { LINE_OK, LINE_END, LINE_INTERRUPTED } line_status;

/* Reads standard input by lines without stdio, so that a signal wakes it up. */
typedef struct reader {
    gx_rt *rt;
    gx_buf pending;
    size_t at;
    bool ended, terminal;
} reader;

static line_status read_line(reader *r, const char *prompt, gx_buf *out) {
    if (r->terminal) fputs(prompt, stdout);
    fflush(stdout);
    for (;;) {
        char *from = r->pending.data ? r->pending.data + r->at : NULL;
        size_t left = r->pending.length - r->at;
        char *end = left ? memchr(from, '\n', left) : NULL;
        if (end || (r->ended && left)) {
            size_t length = end ? (size_t)(end - from) : left;
            r->at += length + (end != NULL);
            if (length && from[length - 1] == '\r') length--;
            return gx_buf_add(out, from, length) ? LINE_OK : LINE_END;
        }
        if (r->ended) return LINE_END;
        if (r->at) {
            memmove(r->pending.data, from, left);
            r->pending.length = left;
            r->at = 0;
        }
        if (!gx_buf_reserve(&r->pending, 65536)) return LINE_END;
        ssize_t n = read(STDIN_FILENO, r->pending.data + r->pending.length,
                         r->pending.room - r->pending.length - 1);
        if (n < 0 && errno == EINTR) {
            if (!r->rt->interrupted) continue;
            r->rt->interrupted = 0;
            return LINE_INTERRUPTED;
        }
        if (n <= 0)
            r->ended = true;
        else
            r->pending.length += (size_t)n;
    }
}

bool gx_echo(gx_frame *f) {
    gx_rt *rt = f->rt;
    if (f->result.tag == GX_NONE) return true;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, f->result, &text) && gx_buf_char(&text, '\n') &&
              gx_stdout_write(rt, gx_buf_text(&text), text.length) &&
              gx_globals_set_c(rt, f->globals, "_", f->result);
    gx_buf_free(&text);
    return ok;
}

bool gx_repl_predefine(gx_rt *rt, gx_module *m) {
    static const char *const names[][2] = {{"np", "numpy"}, {"cp", "cupy"}};
    for (int i = 0; i < 2; i++) {
        gx_value module;
        gx_try found = gx_module_import(rt, names[i][1], &module);
        if (found == GX_TRY_ERROR) return false;
        if (found == GX_TRY_NO) continue;
        bool ok = gx_globals_set_c(rt, m, names[i][0], module);
        gx_drop(module);
        if (!ok) return false;
    }
    return true;
}

void gx_repl_drop_source(gx_rt *rt) {
    gx_source *s = &rt->sources.list[--rt->sources.count];
    gx_free(rt, s->name);
    gx_free(rt, s->text);
    free(s->lines);
}

/* One attempt at an entry. *more: another line is needed. *status >= 0: leave with it. */
static void try_entry(gx_rt *rt, gx_module *m, const gx_buf *text, int number, bool final,
                      bool *more, int *status) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    char name[32];
    *more = false;
    snprintf(name, sizeof name, "<input %d>", number);
    if (!gx_source_add(rt, name, gx_buf_text(text), text->length, &source)) {
        gx_report(rt);
        return;
    }
    gx_parse_status parsed = gx_load(rt, source, m, !final, &unit, &errors);
    if (parsed == GX_PARSE_INCOMPLETE) {
        gx_error_clear(rt);
        gx_parse_errors_free(&errors);
        gx_repl_drop_source(rt);
        *more = true;
        return;
    }
    if (parsed == GX_PARSE_ERROR) {
        gx_report_syntax(rt, &errors);
        return;
    }
    gx_parse_errors_free(&errors);
    if (gx_run_unit(rt, unit, m, true)) return;
    if (!gx_report_exit(rt, status)) gx_report(rt);
}

/* A line that is no program, or an entry. */
static void do_entry(gx_repl_state *s, const gx_buf *text, int number, bool final, bool *more,
                     int *status) {
    *more = false;
    if (!gx_magic_is(gx_buf_text(text), text->length)) {
        try_entry(s->rt, s->module, text, number, final, more, status);
    } else if (!gx_magic_run(s, gx_buf_text(text))) {
        if (!gx_report_exit(s->rt, status)) gx_report(s->rt);
    }
}

static bool is_leaving(const gx_buf *text) {
    const char *t = gx_buf_text(text);
    return strcmp(t, "exit") == 0 || strcmp(t, "quit") == 0;
}

static void run_entries(gx_repl_state *s, reader *r, int *status) {
    gx_rt *rt = s->rt;
    gx_buf text = gx_buf_new(rt);
    bool more = false;
    for (int number = 1; *status < 0;) {
        size_t before = text.length;
        if (more && !gx_buf_char(&text, '\n')) break;
        line_status got = read_line(r, more ? "... " : ">>> ", &text);
        if (got == LINE_INTERRUPTED) {
            fputs(more ? "\n" : "\n(Ctrl-D or exit leaves)\n", stdout);
            gx_buf_free(&text);
            more = false;
            continue;
        }
        if (got == LINE_END) {
            if (r->terminal) fputs("\n", stdout);
            if (more) try_entry(rt, s->module, &text, number, true, &more, status);
            break;
        }
        if (!before && is_leaving(&text)) break;
        if (before)
            try_entry(rt, s->module, &text, number, false, &more, status);
        else
            do_entry(s, &text, number, false, &more, status);
        if (more) continue;
        gx_buf_free(&text);
        number++;
        rt->interrupted = 0;
    }
    gx_error_clear(rt);
    gx_buf_free(&text);
}

/* Entries from the line editor: each is whole when it comes. */
static void edit_entries(gx_repl_state *s, gx_edit *e, int *status) {
    gx_rt *rt = s->rt;
    gx_buf text = gx_buf_new(rt);
    bool more;
    for (int number = 1; *status < 0;) {
        gx_buf_free(&text);
        gx_edit_status got = gx_edit_read(e, ">>> ", "... ", &text);
        if (got == GX_EDIT_END || is_leaving(&text)) break;
        if (got == GX_EDIT_INTERRUPT || !text.length) continue;
        gx_edit_dedent(&text);
        do_entry(s, &text, number++, true, &more, status);
    }
    gx_error_clear(rt);
    gx_buf_free(&text);
}

static const char banner[] =
    "gx 0.1.0: NumPy without Python. np and cp are defined; help(name) explains; Ctrl-D leaves.\n";

int gx_repl(gx_rt *rt, gx_module *m, bool quiet) {
    reader r = {.rt = rt, .pending = gx_buf_new(rt), .terminal = isatty(STDIN_FILENO)};
    gx_repl_state state = {.rt = rt, .module = m};
    gx_edit e;
    int status = -1;
    if (r.terminal && !quiet) fputs(banner, stdout);
    if (!gx_repl_predefine(rt, m)) gx_report(rt);
    if (gx_edit_open(rt, &e, gx_repl_host(&state))) {
        gx_gpu_warming gpu;
        state.edit = &e;
        gx_gpu_warm(rt, &gpu);
        edit_entries(&state, &e, &status);
        gx_edit_close(&e);
        gx_gpu_warmed(&gpu);
    } else {
        run_entries(&state, &r, &status);
    }
    gx_buf_free(&r.pending);
    return status < 0 ? 0 : status;
}
