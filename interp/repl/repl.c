/* The prompt: reads entries, with the line editor on a terminal, else line by line; runs them and
   echoes values. An error leaves it alive. */
#include "interp/repl/repl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/array/array.h"
#include "runtime/backend/gpu.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

typedef enum line_status { LINE_OK, LINE_END, LINE_INTERRUPTED } line_status;

/* Reads standard input by lines without stdio, so that a signal wakes it up. */
typedef struct reader {
    gx_rt *rt;
    gx_buf pending;
    size_t at;
    bool ended, terminal;
    bool shown; /* entries of a file are shown as if they were typed */
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
            if (r->shown) printf("%s%.*s\n", prompt, (int)length, from);
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
    static const char *const names[][2] = {
        {"np", "numpy"}, {"cp", "cupy"}, {"plt", "matplotlib.pyplot"}};
    for (int i = 0; i < 3; i++) {
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

/* Does a text read the name `_`? */
static bool reads_last(const char *text) {
    bool before = false; /* a character of a name */
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool letter = c == '_' || c >= 128 || (c >= '0' && c <= '9') ||
                      ((c | 32) >= 'a' && (c | 32) <= 'z');
        unsigned char d = (unsigned char)text[1];
        bool more = d == '_' || d >= 128 || (d >= '0' && d <= '9') ||
                    ((d | 32) >= 'a' && (d | 32) <= 'z');
        if (c == '_' && !before && !more) return true;
        before = letter;
    }
    return false;
}

/* A large last value goes before the next is computed: both need not fit in memory. */
static void forget_last(gx_repl_state *s, const char *text) {
    const int64_t large = 1 << 20;
    gx_sym name = gx_sym_c(s->rt, "_");
    int32_t slot;
    if (!name || !gx_map_get(&s->module->slots, name, &slot) || slot >= s->module->count) {
        gx_error_clear(s->rt);
        return;
    }
    gx_value *last = &s->module->values[slot];
    if (last->tag == GX_ARRAY && gx_array_nbytes(gx_as_array(*last)) >= large && !reads_last(text))
        gx_drop(gx_steal(last));
}

/* Remembers an entry for %save. */
static void log_entry(gx_repl_state *s, const gx_buf *text) {
    size_t start = s->log.length;
    if (gx_buf_add(&s->log, gx_buf_text(text), text->length) && gx_buf_char(&s->log, '\n')) {
        s->last = start;
        s->logged++;
        return;
    }
    gx_error_clear(s->rt);
    s->log.length = start;
}

/* Binds `_error`: the exception that ended an entry, with its code; the error stays pending. */
static void bind_error(gx_rt *rt, gx_module *m) {
    gx_value exc;
    if (rt->error.kind == GX_MemoryError || !gx_exception_from_error(rt, &exc)) return;
    if (!gx_globals_set_c(rt, m, "_error", exc)) gx_error_clear(rt);
    gx_exception_raise(rt, exc);
    gx_drop(exc);
}

/* Reports what ended an entry. */
static void fail_entry(gx_repl_state *s, int *status) {
    if (gx_report_exit(s->rt, status)) return;
    bind_error(s->rt, s->module);
    gx_report(s->rt);
    s->failed = true;
}

/* The same for a text that is no program. */
static void fail_syntax(gx_repl_state *s, gx_parse_errors *errors) {
    gx_rt *rt = s->rt;
    if (errors->count) {
        const gx_syntax_error *e = &errors->list[0];
        gx_fail(rt, e->kind, "", "%s", e->message ? e->message : "invalid syntax");
        rt->error.at = e->at;
        bind_error(rt, s->module);
        gx_error_clear(rt);
    }
    gx_report_syntax(rt, errors);
    s->failed = true;
}

/* The time was up while nothing ran. */
static bool is_late(gx_repl_state *s, int *status) {
    if (!s->rt->late || *status >= 0) return false;
    gx_stop(s->rt);
    *status = gx_finish_error(s->rt);
    return true;
}

/* One attempt at an entry. *more: another line is needed. *status >= 0: leave with it. */
static void try_entry(gx_repl_state *s, const gx_buf *text, int number, bool final, bool *more,
                      int *status) {
    gx_rt *rt = s->rt;
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
    gx_parse_status parsed = gx_load(rt, source, s->module, !final, &unit, &errors);
    if (parsed == GX_PARSE_INCOMPLETE) {
        gx_error_clear(rt);
        gx_parse_errors_free(&errors);
        gx_source_forget(rt, source);
        *more = true;
        return;
    }
    if (parsed == GX_PARSE_ERROR) {
        fail_syntax(s, &errors);
        return;
    }
    gx_parse_errors_free(&errors);
    forget_last(s, gx_buf_text(text));
    gx_catch_stake(s->terminal ? gx_magic_count(s) : -1);
    bool ok = gx_run_unit(rt, unit, s->module, true);
    gx_catch_stake(-1);
    gx_unit_drop(unit);
    if (ok)
        log_entry(s, text);
    else
        fail_entry(s, status);
}

/* A line that is no program, or an entry. */
static void do_entry(gx_repl_state *s, const gx_buf *text, int number, bool final, bool *more,
                     int *status) {
    *more = false;
    if (!gx_magic_is(gx_buf_text(text), text->length)) {
        try_entry(s, text, number, final, more, status);
    } else if (!final && !gx_magic_is_whole(gx_buf_text(text), text->length)) {
        *more = true;
    } else if (!gx_magic_run(s, gx_buf_text(text))) {
        fail_entry(s, status);
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
    for (int number = 1; *status < 0 && !s->leave;) {
        size_t before = text.length;
        if (more && !gx_buf_char(&text, '\n')) break;
        line_status got = read_line(r, more ? "... " : ">>> ", &text);
        if (is_late(s, status)) break;
        if (got == LINE_INTERRUPTED) {
            fputs(more ? "\n" : "\n(Ctrl-D or exit leaves)\n", stdout);
            gx_buf_free(&text);
            more = false;
            continue;
        }
        if (got == LINE_END) {
            if (r->terminal) fputs("\n", stdout);
            if (more) do_entry(s, &text, number, true, &more, status);
            break;
        }
        if (!before && is_leaving(&text)) break;
        if (before && !gx_magic_is_cell(gx_buf_text(&text), text.length))
            try_entry(s, &text, number, false, &more, status);
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
    for (int number = 1; *status < 0 && !s->leave;) {
        gx_buf_free(&text);
        gx_edit_status got = gx_edit_read(e, ">>> ", "... ", &text);
        if (is_late(s, status) || got == GX_EDIT_END || is_leaving(&text)) break;
        if (got == GX_EDIT_INTERRUPT || !text.length) continue;
        gx_edit_dedent(&text);
        do_entry(s, &text, number++, true, &more, status);
    }
    gx_error_clear(rt);
    gx_buf_free(&text);
}

int gx_repl_file(gx_rt *rt, gx_module *m, uint32_t source) {
    const gx_source *text = gx_source_get(rt, source);
    reader r = {.rt = rt, .pending = gx_buf_new(rt), .ended = true, .shown = isatty(STDOUT_FILENO)};
    gx_repl_state state = {.rt = rt, .module = m, .log = gx_buf_new(rt)};
    int status = -1;
    if (!gx_repl_predefine(rt, m) || !gx_buf_add(&r.pending, text->text, text->length)) {
        gx_report(rt);
        state.failed = true;
    } else {
        /* A transcript: its prompts go, and the answers between them. */
        if (r.pending.length) r.pending.length = gx_edit_strip(r.pending.data, r.pending.length);
        run_entries(&state, &r, &status);
    }
    gx_buf_free(&r.pending);
    gx_buf_free(&state.log);
    return status >= 0 ? status : state.failed;
}

static const char banner[] =
    "gx 0.1.0: NumPy without Python. help(\"start\") begins, help(name) explains, Ctrl-D leaves.\n"
    "Try: plot(sin(linspace(0, 10, 200)))\n";

int gx_repl(gx_rt *rt, gx_module *m, bool quiet, bool init) {
    reader r = {.rt = rt, .pending = gx_buf_new(rt), .terminal = isatty(STDIN_FILENO)};
    gx_repl_state state = {.rt = rt, .module = m, .log = gx_buf_new(rt)};
    state.terminal = r.terminal && isatty(STDERR_FILENO);
    gx_edit e;
    int status = -1;
    if (r.terminal && !quiet) fputs(banner, stdout);
    if (!gx_repl_predefine(rt, m)) gx_report(rt);
    if (init && !gx_repl_init(rt, m, &status)) {
        gx_buf_free(&state.log);
        return status;
    }
    if (gx_edit_open(rt, &e, gx_repl_host(&state))) {
        state.edit = &e;
        gx_gpu_warm(rt, &state.gpu);
        edit_entries(&state, &e, &status);
        gx_edit_close(&e);
        gx_gpu_warmed(&state.gpu);
    } else {
        run_entries(&state, &r, &status);
    }
    gx_buf_free(&r.pending);
    gx_buf_free(&state.log);
    return status < 0 ? 0 : status;
}
