/* States: opening with a configuration, variables, closing. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"
#include "interp/embed/tools.h"
#include "interp/eval/debug/debugger.h"
#include "stdlib/bridge/bridge.h"
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

/* The bytes of a gx_config of GX_API 1. */
enum { CONFIG_1 = offsetof(gx_config, bare) };

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
    if (c->leaks) d->leaks = true;
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
    if (s->rt->debug.wrong[0]) {
        errno = EINVAL;
        return say_why(why, room, s->rt->debug.wrong);
    }
    const gx_config *c = &s->config;
    if (c->argc) gx_stdlib_set_argv(s->rt, c->argc, c->argv);
    if (gx_main_module(s->rt, "__main__", &s->main) &&
        (c->bare || gx_predefine(s->rt, gx_as_module(s->main))) &&
        (!c->file || gx_set_folder(s->rt, c->file, gx_as_module(s->main)))) {
        s->session = (gx_session){
            .rt = s->rt, .module = gx_as_module(s->main), .run_own = gx_run_command, .host = s};
        return true;
    }
    say_why(why, room, s->rt->error.message ? s->rt->error.message : "out of memory");
    return false;
}

gx_state *gx_state_open(const gx_config *config, char *why, size_t room) {
    gx_state *s = calloc(1, sizeof *s);
    say_why(why, room, s ? "" : "out of memory");
    errno = ENOMEM;
    if (!s) return NULL;
    if (config && (config->api < 1 || config->api > GX_API)) {
        say_why(why, room, "gx_config.api is not GX_API of this library");
        free(s);
        errno = EINVAL;
        return NULL;
    }
    if (config) memcpy(&s->config, config, config->api == 1 ? CONFIG_1 : sizeof s->config);
    if (open_context(s, why, room)) return s;
    int failed = errno;
    (void)gx_state_close(s);
    errno = failed;
    return NULL;
}

bool gx_state_close(gx_state *s) {
    bool clean = true;
    if (!s) return true;
    if (s->rt) {
        gx_state_enter(s);
        while (s->refs) {
            s->refs->users = 1;
            gx_ref_drop(s->refs);
        }
        gx_gpu_warmed(&s->session.gpu);
        gx_programs_free(s);
        gx_drop(gx_steal(&s->main));
        gx_vec_free(s->rt, &s->session.own);
        gx_failure_clear(s);
        s->rt->output.picture = NULL;
        clean = gx_interp_close(s->rt, 0) == 0;
    }
    gx_host_functions_free(s);
    gx_host_commands_free(s);
    free(s);
    return clean;
}

bool gx_state_script(gx_state *s, const char *file) {
    gx_rt *rt = gx_state_enter(s);
    return gx_state_done(s, gx_set_folder(rt, file, gx_as_module(s->main)));
}

/* --- from other threads and at the end -------------------------------------------------------- */

bool gx_state_interrupt(gx_state *s) {
    gx_debugger *d = s->rt->interp->debugger;
    if (d && d->attached && !d->busy && !d->asked) {
        d->asked = 1; /* the next statement stops; where none comes, another Ctrl-C is one */
        return false;
    }
    bool before = s->rt->interrupted != 0;
    s->rt->interrupted = 1;
    gx_python_interrupt(s->rt);
    return before;
}

void gx_state_ask(gx_state *s) {
    gx_debugger *d = s->rt->interp->debugger;
    if (d && d->attached) d->asked = 1;
}

void gx_state_late(gx_state *s) {
    s->rt->late = 1;
    s->rt->interrupted = 1;
    gx_python_interrupt(s->rt);
}

void gx_state_interrupt_forget(gx_state *s) {
    if (!s->rt->late) s->rt->interrupted = 0;
}

void gx_state_end(gx_state *s) {
    gx_state_enter(s);
    gx_gpu_warmed(&s->session.gpu);
    gx_interp_end(s->rt);
    gx_state_leave(s);
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
