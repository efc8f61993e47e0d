/* States: opening with a configuration, running texts, asking about texts, closing. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/embed/state_int.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/stdlib.h"

const char *gx_version(void) {
    return GX_VERSION;
}

/* --- what the host takes ---------------------------------------------------------------------- */

static int take_text(void *self, gx_channel to, const char *text, size_t length) {
    gx_state *s = self;
    return s->config.write(s->config.self, to == GX_ERR ? 2 : 1, text, length) ? 0 : EIO;
}

static bool take_picture(void *self, const char *type, const void *data, size_t length) {
    gx_state *s = self;
    return s->config.picture(s->config.self, type, data, length);
}

static char *ask_host(void *self, const char *prompt) {
    gx_state *s = self;
    return s->config.ask(s->config.self, prompt);
}

static gx_output output_of(gx_state *s) {
    return (gx_output){.self = s,
                       .write = s->config.write ? take_text : NULL,
                       .picture = s->config.picture ? take_picture : NULL,
                       .ask = s->config.ask ? ask_host : NULL};
}

/* --- opening and closing ---------------------------------------------------------------------- */

/* The configuration goes before the environment's GX_ variables. */
static void set_up(gx_rt *rt, void *self) {
    gx_state *s = self;
    const gx_config *c = &s->config;
    gx_debug *d = &rt->debug;
    rt->output = output_of(s);
    if (c->max_bytes > 0) d->max_memory = c->max_bytes;
    if (c->max_gpu_bytes > 0) d->gpu_memory = c->max_gpu_bytes;
    if (c->max_steps > 0) d->max_steps = c->max_steps;
    if (c->max_seconds > 0) d->max_seconds = c->max_seconds;
    if (c->threads > 0) d->threads = c->threads;
    if (c->device) snprintf(d->device, sizeof d->device, "%s", c->device);
    if (c->safe) d->safe = true;
}

static bool say_why(char *why, size_t room, const char *text) {
    if (why && room) snprintf(why, room, "%s", text);
    return false;
}

/* What a context could not be opened for. */
static bool open_context(gx_state *s, char *why, size_t room) {
    gx_error failed;
    s->rt = gx_interp_open_with(set_up, s, &failed);
    if (!s->rt) {
        say_why(why, room, failed.message ? failed.message : "out of memory");
        gx_error_free(&failed);
        return false;
    }
    if (s->rt->debug.wrong[0]) return say_why(why, room, s->rt->debug.wrong);
    if (gx_main_module(s->rt, "__main__", &s->main) &&
        gx_repl_predefine(s->rt, gx_as_module(s->main))) {
        s->prompt = (gx_repl_state){
            .rt = s->rt, .module = gx_as_module(s->main), .log = gx_buf_new(s->rt)};
        return true;
    }
    say_why(why, room, s->rt->error.message ? s->rt->error.message : "out of memory");
    return false;
}

gx_state *gx_state_open(const gx_config *config, char *why, size_t room) {
    gx_state *s = calloc(1, sizeof *s);
    say_why(why, room, s ? "" : "out of memory");
    if (!s) return NULL;
    if (config) s->config = *config;
    if (config && (config->api < 1 || config->api > GX_API)) {
        say_why(why, room, "gx_config.api is not GX_API of this library");
        free(s);
        return NULL;
    }
    if (open_context(s, why, room)) return s;
    gx_state_close(s);
    return NULL;
}

void gx_state_close(gx_state *s) {
    if (!s) return;
    if (s->rt) {
        gx_state_enter(s);
        while (s->refs) {
            s->refs->users = 1;
            gx_ref_drop(s->refs);
        }
        gx_drop(gx_steal(&s->main));
        gx_buf_free(&s->prompt.log);
        gx_failure_clear(s);
        s->rt->output.picture = NULL;
        (void)gx_interp_close(s->rt, 0);
    }
    gx_host_functions_free(s);
    free(s);
}

/* --- calls ------------------------------------------------------------------------------------ */

gx_rt *gx_state_enter(gx_state *s) {
    if (s->depth++ == 0 && (!s->on_thread || !pthread_equal(s->thread, pthread_self()))) {
        gx_stack_here(s->rt);
        s->thread = pthread_self();
        s->on_thread = true;
    }
    gx_failure_clear(s);
    return s->rt;
}

void gx_state_leave(gx_state *s) {
    s->depth--;
}

bool gx_state_done(gx_state *s, bool ok) {
    ok = gx_error_settle(s->rt, ok, "a call of gx.h");
    if (!ok) gx_error_save(s->rt, &s->raised);
    gx_state_leave(s);
    return ok;
}

gx_ref *gx_state_give(gx_state *s, bool ok, gx_value v) {
    gx_ref *r = ok ? gx_ref_new_take(s, v) : NULL;
    return gx_state_done(s, r != NULL) ? r : NULL;
}

void gx_state_interrupt(gx_state *s) {
    s->rt->interrupted = 1;
}

void gx_state_memory(const gx_state *s, int64_t *values, int64_t *arrays) {
    if (values) *values = s->rt->stats.live_bytes;
    if (arrays) *arrays = s->rt->stats.array_bytes;
}

/* --- the clock of a run ----------------------------------------------------------------------- */

static void *count_time(void *arg) {
    gx_state *s = arg;
    gx_run_clock *c = &s->clock;
    struct timespec until;
    double seconds = s->rt->debug.max_seconds;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&c->lock);
    while (!c->ended && pthread_cond_timedwait(&c->end, &c->lock, &until) != ETIMEDOUT) continue;
    if (!c->ended) {
        s->rt->late = 1;
        s->rt->interrupted = 1;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool clock_begin(gx_state *s) {
    gx_run_clock *c = &s->clock;
    pthread_condattr_t attr;
    sigset_t all, before;
    if (!(s->rt->debug.max_seconds > 0)) return true;
    *c = (gx_run_clock){.running = false};
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&c->end, &attr);
    pthread_condattr_destroy(&attr);
    sigfillset(&all); /* signals are the program's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->running = pthread_create(&c->thread, NULL, count_time, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->running || gx_fail(s->rt, GX_RuntimeError, "limit.time",
                                 "there is no thread for the clock of max_seconds");
}

static void clock_end(gx_state *s) {
    gx_run_clock *c = &s->clock;
    if (!(s->rt->debug.max_seconds > 0) || !c->running) return;
    pthread_mutex_lock(&c->lock);
    c->ended = true;
    pthread_cond_signal(&c->end);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->end);
    pthread_mutex_destroy(&c->lock);
}

/* --- running ---------------------------------------------------------------------------------- */

/* Runs the text as a program; `_` becomes its value. */
static bool run_text(gx_state *s, const char *text, size_t length, const char *name,
                     gx_value *out) {
    gx_rt *rt = s->rt;
    gx_module *m = gx_as_module(s->main);
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    if (!gx_source_add(rt, name ? name : "<cell>", text, length, &source)) return false;
    gx_parse_status status = gx_load(rt, source, m, false, &unit, &errors);
    gx_parse_errors_free(&errors);
    if (status != GX_PARSE_OK) return false;
    bool ok = gx_run_value(rt, unit, m, out);
    gx_unit_drop(unit);
    if (!ok) return false;
    if (!gx_lazy_checkpoint(rt) ||
        (out->tag != GX_NONE && !gx_globals_set_c(rt, m, "_", *out))) {
        gx_drop(gx_steal(out));
        return false;
    }
    return true;
}

static bool run_any(gx_state *s, const gx_buf *text, const char *name, gx_value *out) {
    if (!gx_magic_is(gx_buf_text(text), text->length))
        return run_text(s, gx_buf_text(text), text->length, name, out);
    return gx_magic_run(&s->prompt, gx_buf_text(text));
}

bool gx_state_run(gx_state *s, const char *text, size_t length, const char *name,
                  gx_ref **value) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_none();
    gx_buf copy = gx_buf_new(rt);
    bool outermost = s->depth == 1;
    if (value) *value = NULL;
    if (outermost) {
        rt->interrupted = rt->late = 0;
        rt->steps = rt->debug.max_steps ? rt->debug.max_steps : INT64_MAX;
    }
    bool ok = gx_buf_add(&copy, text, length);
    if (ok && outermost) ok = clock_begin(s);
    if (ok) {
        ok = run_any(s, &copy, name, &v);
        if (outermost) clock_end(s);
    }
    gx_buf_free(&copy);
    if (ok && value && v.tag != GX_NONE)
        ok = (*value = gx_ref_new_take(s, v)) != NULL;
    else if (ok)
        gx_drop(v);
    return gx_state_done(s, ok);
}

gx_wholeness gx_state_entry(gx_state *s, const char *text, size_t length) {
    gx_rt *rt = gx_state_enter(s);
    gx_parse_errors errors = {0};
    gx_map names = {0};
    gx_unit *unit;
    uint32_t source;
    gx_wholeness entry = GX_ENTRY_WRONG;
    gx_buf copy = gx_buf_new(rt);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    if (!gx_buf_add(&copy, text, length)) {
        entry = GX_ENTRY_WHOLE; /* running it tells */
    } else if (gx_magic_is(gx_buf_text(&copy), length)) {
        entry = gx_magic_is_whole(gx_buf_text(&copy), length) ? GX_ENTRY_WHOLE : GX_ENTRY_MORE;
    } else if (gx_source_add(rt, "<entry>", text, length, &source)) {
        gx_parse_status status = gx_parse(rt, source, &names, true, &unit, &errors);
        if (status == GX_PARSE_OK) gx_unit_free(unit);
        if (status != GX_PARSE_ERROR)
            entry = status == GX_PARSE_OK ? GX_ENTRY_WHOLE : GX_ENTRY_MORE;
        gx_parse_errors_free(&errors);
        gx_map_free(rt, &names);
        gx_source_forget(rt, source);
    }
    gx_error_clear(rt);
    gx_buf_free(&copy);
    gx_state_leave(s);
    return entry;
}

/* --- completion and inspection ---------------------------------------------------------------- */

/* One block: the struct, the pointers, the words. */
static gx_words *words_of(const gx_choices *c) {
    size_t bytes = sizeof(gx_words) + c->words.count * sizeof(char *);
    for (size_t i = 0; i < c->words.count; i++) bytes += strlen(c->words.items[i]) + 1;
    gx_words *w = malloc(bytes);
    if (!w) return NULL;
    const char **word = (const char **)(w + 1);
    char *at = (char *)(word + c->words.count);
    *w = (gx_words){.from = c->from, .count = c->words.count, .word = word};
    for (size_t i = 0; i < w->count; i++) {
        word[i] = at;
        at = stpcpy(at, c->words.items[i]) + 1;
    }
    return w;
}

gx_words *gx_state_complete(gx_state *s, const char *text, size_t length, size_t cursor) {
    gx_rt *rt = gx_state_enter(s);
    gx_choices found = {0};
    gx_words *words = NULL;
    gx_buf copy = gx_buf_new(rt);
    if (cursor > length) cursor = length;
    if (gx_buf_add(&copy, text, length) &&
        gx_repl_complete(&s->prompt, gx_buf_text(&copy), length, cursor, &found))
        words = words_of(&found);
    gx_choices_free(rt, &found);
    gx_buf_free(&copy);
    if (!words && !gx_failed(&rt->error)) gx_no_memory(rt);
    return gx_state_done(s, words != NULL) ? words : NULL;
}

void gx_words_free(gx_words *words) {
    free(words);
}

/* A text that grows by malloc. */
typedef struct gathered {
    char *text;
    size_t length;
} gathered;

static int gather(void *self, gx_channel to, const char *text, size_t length) {
    gathered *g = self;
    (void)to;
    char *more = realloc(g->text, g->length + length + 1);
    if (!more) return ENOMEM;
    memcpy(more + g->length, text, length);
    more[g->length + length] = '\0';
    g->text = more;
    g->length += length;
    return 0;
}

char *gx_state_inspect(gx_state *s, const char *name, bool source) {
    gx_rt *rt = gx_state_enter(s);
    gathered all = {.text = NULL};
    const gx_output before = rt->output;
    gx_buf asked = gx_buf_new(rt);
    bool ok = gx_buf_printf(&asked, "%s%s", source ? "??" : "?", name);
    rt->output = (gx_output){.self = &all, .write = gather};
    ok = ok && gx_magic_run(&s->prompt, gx_buf_text(&asked));
    rt->output = before;
    gx_buf_free(&asked);
    if (ok && !all.text && !(all.text = calloc(1, 1))) ok = gx_no_memory(rt);
    if (gx_state_done(s, ok)) return all.text;
    free(all.text);
    return NULL;
}

void gx_string_free(char *text) {
    free(text);
}

/* --- variables -------------------------------------------------------------------------------- */

gx_ref *gx_state_get(gx_state *s, const char *name) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_undef();
    gx_sym sym = gx_sym_c(rt, name);
    gx_try found = sym ? gx_module_get(rt, gx_as_module(s->main), sym, &v) : GX_TRY_ERROR;
    if (found == GX_TRY_NO) found = gx_builtin(rt, sym, &v);
    if (found == GX_TRY_NO) {
        gx_fail(rt, GX_NameError, "name.unbound", "name '%s' is not defined", name);
        const char *near = gx_builtin_near(rt, name);
        if (near) gx_help(rt, "did you mean '%s'?", near);
    }
    return gx_state_give(s, found == GX_TRY_YES, v);
}

bool gx_state_set(gx_state *s, const char *name, const gx_ref *value) {
    gx_rt *rt = gx_state_enter(s);
    return gx_state_done(s, gx_globals_set_c(rt, gx_as_module(s->main), name, value->value));
}
