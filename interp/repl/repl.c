/* The prompt: reads entries, with the line editor on a terminal, else line by line; runs them and
   echoes values. An error leaves it alive. */
#include "interp/repl/repl_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/host/signals.h"

typedef enum line_status { LINE_OK, LINE_END, LINE_INTERRUPTED } line_status;

/* Reads standard input by lines without stdio, so that a signal wakes it up. */
typedef struct reader {
    gx_pad pending;
    size_t at;
    bool ended, terminal;
    bool shown; /* entries of a file are shown as if they were typed */
} reader;

static line_status read_line(reader *r, const char *prompt, gx_pad *out) {
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
            return gx_pad_add(out, from, length) ? LINE_OK : LINE_END;
        }
        if (r->ended) return LINE_END;
        if (r->at) {
            memmove(r->pending.data, from, left);
            r->pending.length = left;
            r->at = 0;
        }
        if (!gx_pad_reserve(&r->pending, 65536)) return LINE_END;
        ssize_t n = read(STDIN_FILENO, r->pending.data + r->pending.length,
                         r->pending.room - r->pending.length - 1);
        if (n < 0 && errno == EINTR) {
            if (!gx_interrupted()) continue;
            gx_interrupts_forget();
            return LINE_INTERRUPTED;
        }
        if (n <= 0)
            r->ended = true;
        else
            r->pending.length += (size_t)n;
    }
}

/* Remembers an entry for %save. */
static void log_entry(gx_prompt *p, const gx_pad *text) {
    size_t start = p->log.length;
    if (gx_pad_add(&p->log, gx_pad_text(text), text->length) && gx_pad_char(&p->log, '\n')) {
        p->last = start;
        p->logged++;
        return;
    }
    p->log.length = start;
}

/* Reports what ended an entry. */
static void fail_entry(gx_prompt *p, int *status) {
    bool leaves = gx_state_failure(p->s)->exit_status >= 0;
    int given = gx_state_report(p->s);
    if (leaves)
        *status = given;
    else
        p->failed = true;
}

/* The time was up while nothing ran. */
static bool is_late(gx_prompt *p, int *status) {
    if (!gx_clock_is_over() || *status >= 0) return false;
    if (!gx_state_sync(p->s)) (void)gx_state_report(p->s);
    *status = GX_STATUS_LATE;
    return true;
}

static int count_names(gx_state *s) {
    gx_words *names = gx_state_names(s);
    int count = names ? (int)names->count : 0;
    gx_words_free(names);
    return count;
}

/* An entry. *more: another line is needed, if this is not the final one. *status >= 0: leave with
   it. */
static void do_entry(gx_prompt *p, const gx_pad *text, int number, bool final, bool *more,
                     int *status) {
    char name[32];
    const char *entry = gx_pad_text(text);
    *more = !final && gx_state_entry(p->s, entry, text->length) == GX_ENTRY_MORE;
    if (*more) return;
    snprintf(name, sizeof name, "<input %d>", number);
    gx_catch_stake(p->terminal ? count_names(p->s) : -1);
    bool ok = gx_state_prompt(p->s, entry, text->length, name);
    gx_catch_stake(-1);
    if (!ok)
        fail_entry(p, status);
    else if (!gx_is_command(entry, text->length))
        log_entry(p, text);
}

/* An entry of Enter alone stands for another one, where the host says so. */
static bool fill_empty(gx_prompt *p, gx_pad *text) {
    const char *empty = p->options ? p->options->empty : NULL;
    return !text->length && empty && gx_pad_puts(text, empty);
}

/* The next entry begins with what a program offers. */
static void take_offer(gx_prompt *p) {
    const char *name = p->options->offered, *text;
    size_t length;
    gx_ref *offer = name ? gx_state_get(p->s, name) : NULL, *none = NULL;
    if (offer && strcmp(gx_ref_type(offer), "str") == 0 && gx_ref_to_text(offer, &text, &length)) {
        gx_text_set(&p->edit->text, text, length);
        none = gx_ref_none(p->s);
        if (none) (void)gx_state_set(p->s, name, none);
    }
    gx_ref_drop(none);
    gx_ref_drop(offer);
}

static bool is_leaving(const gx_pad *text) {
    const char *t = gx_pad_text(text);
    return strcmp(t, "exit") == 0 || strcmp(t, "quit") == 0;
}

static void run_entries(gx_prompt *p, reader *r, int *status) {
    gx_pad text = {0};
    bool more = false;
    for (int number = 1; *status < 0 && !p->leave;) {
        size_t before = text.length;
        if (more && !gx_pad_char(&text, '\n')) break;
        line_status got = read_line(r, more ? "... " : ">>> ", &text);
        if (is_late(p, status)) break;
        if (got == LINE_INTERRUPTED) {
            fputs(more ? "\n" : "\n(Ctrl-D or exit leaves)\n", stdout);
            gx_pad_free(&text);
            more = false;
            continue;
        }
        if (got == LINE_END) {
            if (r->terminal) fputs("\n", stdout);
            if (more) do_entry(p, &text, number, true, &more, status);
            break;
        }
        if (!before && is_leaving(&text)) break;
        if (!before) (void)fill_empty(p, &text);
        do_entry(p, &text, number, false, &more, status);
        if (more) continue;
        gx_pad_free(&text);
        number++;
        gx_interrupts_forget();
    }
    gx_pad_free(&text);
}

/* Entries from the line editor: each is whole when it comes. */
static void edit_entries(gx_prompt *p, gx_edit *e, int *status) {
    gx_pad text = {0};
    bool more;
    for (int number = 1; *status < 0 && !p->leave;) {
        gx_pad_free(&text);
        take_offer(p);
        gx_edit_status got = gx_edit_read(e, ">>> ", "... ", &text);
        if (is_late(p, status) || got == GX_EDIT_END || is_leaving(&text)) break;
        if (got == GX_EDIT_INTERRUPT || (!text.length && !fill_empty(p, &text))) continue;
        gx_edit_dedent(&text);
        do_entry(p, &text, number++, true, &more, status);
    }
    gx_pad_free(&text);
}

/* --- what the line editor asks ---------------------------------------------------------------- */

static bool is_whole(void *self, const char *text, size_t length) {
    const gx_prompt *p = self;
    gx_pad plain = {0};
    bool whole = true;
    if (gx_pad_add(&plain, text, length)) {
        if (!gx_is_command(text, length)) gx_edit_dedent(&plain);
        whole = gx_state_entry(p->s, gx_pad_text(&plain), plain.length) != GX_ENTRY_MORE;
    }
    gx_pad_free(&plain);
    return whole;
}

static void paint(void *self, const char *text, size_t length, uint8_t *out) {
    const gx_prompt *p = self;
    gx_state_paint(p->s, text, length, out);
}

static bool complete(void *self, const char *text, size_t length, size_t at, gx_choices *out) {
    const gx_prompt *p = self;
    gx_words *words = gx_state_complete(p->s, text, length, at);
    bool ok = words != NULL;
    if (ok) out->from = words->from;
    for (size_t i = 0; ok && i < words->count; i++)
        ok = gx_choices_add(out, words->word[i], strlen(words->word[i]));
    gx_words_free(words);
    return ok;
}

static char *hint(void *self, const char *text, size_t length, size_t at) {
    const gx_prompt *p = self;
    return gx_state_signature(p->s, text, length, at);
}

/* --- running it ------------------------------------------------------------------------------- */

int gx_repl_file(gx_state *s, const char *path) {
    reader r = {.ended = true, .shown = isatty(STDOUT_FILENO)};
    gx_prompt p = {.s = s};
    int status = -1;
    if (!gx_state_predefine(s) || !gx_prompt_commands(&p)) {
        (void)gx_state_report(s);
        p.failed = true;
    } else if (!gx_pad_read_file(&r.pending, path)) {
        fprintf(stderr, "gx: cannot read '%s': %s\n", path, strerror(errno));
        p.failed = true;
    } else {
        /* A transcript: its prompts go, and the answers between them. */
        if (r.pending.length) r.pending.length = gx_edit_strip(r.pending.data, r.pending.length);
        run_entries(&p, &r, &status);
    }
    gx_pad_free(&r.pending);
    gx_pad_free(&p.log);
    return status >= 0 ? status : p.failed;
}

static const char banner[] =
    "gx 0.1.0: NumPy without Python. help(\"start\") begins, help(name) explains, Ctrl-D leaves.\n"
    "Try: plot(sin(linspace(0, 10, 200)))\n";

int gx_repl(gx_state *s, const gx_repl_options *o) {
    reader r = {.terminal = isatty(STDIN_FILENO)};
    gx_prompt p = {.s = s, .terminal = r.terminal && isatty(STDERR_FILENO), .options = o};
    gx_edit e;
    int status = -1;
    if (r.terminal && !o->quiet) fputs(banner, stdout);
    if (!gx_state_predefine(s) || !gx_prompt_commands(&p)) (void)gx_state_report(s);
    if (o->init && !gx_repl_init(s, &status)) return status;
    const gx_edit_host host = {.self = &p, .whole = is_whole, .paint = paint, .complete = complete,
                               .hint = hint};
    if (gx_edit_open(&e, host, !gx_state_has(s, GX_IS_SAFE))) {
        p.edit = &e;
        gx_state_warm(s);
        edit_entries(&p, &e, &status);
        gx_edit_close(&e);
    } else {
        run_entries(&p, &r, &status);
    }
    gx_pad_free(&r.pending);
    gx_pad_free(&p.log);
    return status < 0 ? 0 : status;
}

void gx_repl_leave(void) {
    gx_term_leave();
}
