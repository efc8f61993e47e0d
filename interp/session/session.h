/* A session: a module in which entries are run one after the other, by the prompt or by another
   host, and what such a host asks about them: completion, colours, the lines that begin with %. */
#ifndef GX_INTERP_SESSION_SESSION_H
#define GX_INTERP_SESSION_SESSION_H

#include "include/gx.h"
#include "interp/eval/evaluator.h"
#include "runtime/backend/gpu.h"

typedef struct gx_session gx_session;

/* A line that is no program: %name rest. What follows the name is `rest`: of a cell also the rows
   below, each after a newline. */
typedef struct gx_magic {
    const char *name, *usage, *doc;
    /* False: an error is pending. NULL: it is the program's, which run_own runs. */
    bool (*run)(gx_session *s, const char *rest);
    bool cell; /* may stand above rows, as %%name */
    void *self;
} gx_magic;

struct gx_session {
    gx_rt *rt;
    gx_module *module;
    gx_gpu_warming gpu;   /* the GPU that is opened meanwhile */
    GX_VEC(gx_magic) own; /* those of the program */
    bool (*run_own)(void *host, void *self, const char *rest);
    void *host;
};

/* --- entry.c --- */
/* Binds np, cp and plt. */
GX_CHECK bool gx_predefine(gx_rt *rt, gx_module *m);
/* Binds __file__ and sets the folder where imports look. */
GX_CHECK bool gx_set_folder(gx_rt *rt, const char *file, gx_module *m);
/* A large last value goes before the next is computed: both need not fit in memory. */
void gx_session_forget_last(gx_session *s, const char *text);
/* Does a text end with `;`, which keeps its value from being shown? */
bool gx_session_is_quiet(const char *text, size_t length);
/* Keeps the value that entry `number` has shown as Out[number] and _number: the last 200, and no
   array whose memory is a MiB or more. */
GX_CHECK bool gx_session_keep_result(gx_session *s, int64_t number);
/* Binds `_error`: the exception that ended an entry, with its code; the error stays pending. */
void gx_session_bind_error(gx_session *s);

/* Runs a script's unit; a table of where its time went follows on stream 2, whichever way it
   ends. */
GX_CHECK bool gx_run_profiled(gx_rt *rt, gx_unit *unit, gx_module *m);

/* One gx_paint a byte. */
void gx_session_paint(gx_session *s, const char *text, size_t length, uint8_t *out);

/* Names that may stand for the bytes from `from` on. */
typedef struct gx_found_names {
    size_t from;
    GX_VEC(char *) words; /* owned */
} gx_found_names;
/* Names that may stand at a place of a text, which a 0 byte ends. False: there is no memory. */
bool gx_complete(gx_session *s, const char *text, size_t at, gx_found_names *out);
void gx_found_names_free(gx_rt *rt, gx_found_names *n);

/* How what is called at a place of a text is called ("f(x, y=1)"), when that is known: appended. */
bool gx_session_hint(gx_session *s, const char *text, size_t at, gx_buf *out);
/* The letter that TeX calls so, or NULL; and all such names. */
const char *gx_session_letter(const char *name, size_t length);
void gx_session_each_letter(void (*fn)(const char *name, void *ctx), void *ctx);

/* --- magic.c: is a line no program but %NAME …, ?NAME or NAME?; runs it --- */
bool gx_magic_is(const char *text, size_t length);
/* Is a magic's text complete? A cell is when a blank row has ended it. */
bool gx_magic_is_whole(const char *text, size_t length);
GX_CHECK bool gx_magic_run(gx_session *s, const char *text);
GX_CHECK bool gx_magic_add(gx_session *s, const gx_magic *m);
void gx_magic_each(const gx_session *s, void (*fn)(const char *name, void *ctx), void *ctx);
/* The variables that the user has bound. */
void gx_magic_each_name(const gx_session *s, void (*fn)(const char *name, void *ctx), void *ctx);
/* The text of a function of the script, which lives as long as it; false: there is none. */
bool gx_magic_definition(gx_session *s, const char *name, const char **text, size_t *length);
/* The text in one style (format.c). False: an error is pending, and out holds something else. */
GX_CHECK bool gx_session_format(gx_rt *rt, const char *text, size_t length, gx_buf *out);

#endif
