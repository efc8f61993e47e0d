/* gx as a library: everything that a program needs to run gx inside itself.

   A gx_state is a whole gx: its names, its memory, its limits. States know nothing of each other;
   each may be used by one thread at a time, and different ones by different threads at once. The
   only call that another thread (or a signal handler) may make is gx_state_interrupt.

   A gx_ref is a value that the program holds: gx_ref_drop gives it back, gx_ref_keep makes one more
   owner. Results are owned by the caller, arguments are borrowed. Texts are UTF-8. References and
   what they point to end with their state.

   A function that can fail returns false or NULL, and gx_state_failure tells why until the next
   call. Link with -lgx (pkg-config gx). docs/embedding.md is the manual. */
#ifndef GX_H
#define GX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GX_API 2 /* grows when something is added; what is here stays */

#if defined(__GNUC__)
#define GX_PUBLIC __attribute__((visibility("default")))
#else
#define GX_PUBLIC
#endif

typedef struct gx_state gx_state;
typedef struct gx_ref gx_ref;

/* --- a state ---------------------------------------------------------------------------------- */

/* What a state is opened with. Zeros are the defaults: fill with 0, set api, then what differs. */
typedef struct gx_config {
    int api;    /* GX_API */
    void *self; /* the first argument of the functions below */
    /* Takes what is printed (stream 1) and what is told (2: messages, warnings). False: the script
       gets an OSError. NULL: the process's standard output and standard error. */
    bool (*write)(void *self, int stream, const char *text, size_t length);
    /* Takes a picture that the script shows; false, or NULL: it is printed as text. */
    bool (*picture)(void *self, const char *mime, const void *data, size_t length);
    /* Answers input(prompt) with a line, which gx gives to free(); NULL: the end of the input. */
    char *(*ask)(void *self, const char *prompt);
    int64_t max_bytes;     /* of everything that a script makes grow */
    int64_t max_gpu_bytes; /* of arrays on the GPU */
    int64_t max_steps;     /* calls and rounds of loops, of each gx_state_run */
    double max_seconds;    /* of each gx_state_run */
    const char *device;    /* "cpu", "cuda", "cuda:1"; NULL: a GPU where there is one */
    int threads;           /* of a computation; 0: one a core */
    bool safe;             /* scripts reach neither files nor the environment */
    /* Since GX_API 2: */
    bool bare;        /* np, cp and plt are not bound beforehand */
    bool whole;       /* the limits are those of everything that runs until the state is closed; the
                         program counts the seconds itself: gx_state_seconds, gx_state_late */
    bool leaks;       /* gx_state_close says on stream 2 what is still alive */
    const char *file; /* of the script: __file__, and imports look in its folder; or NULL */
    int argc;         /* sys.argv, whose texts live as long as the state */
    char *const *argv;
} gx_config;

/* Opens a state. NULL: there is no memory, or a limit or device makes no sense (errno is EINVAL);
   `why`, of `room` bytes, says it when it is not NULL. config may be NULL. */
GX_PUBLIC gx_state *gx_state_open(const gx_config *config, char *why, size_t room);
/* Ends a state, all of its references and compiled texts. NULL is allowed. False: something was
   still alive, which is counted where the configuration or GX_LEAKS wants it. */
GX_PUBLIC bool gx_state_close(gx_state *s);
/* The version of the library: "0.1.0". */
GX_PUBLIC const char *gx_version(void);

/* Runs a text, a cell of a notebook or a script, in the state's module. `name` stands in messages:
   "<cell 3>", "model.gx". *value, where value is not NULL, is the value of a last expression, or
   NULL when there is none. Lines like %time are understood. */
GX_PUBLIC bool gx_state_run(gx_state *s, const char *text, size_t length, const char *name,
                            gx_ref **value);
/* Asks what is running to stop: it ends with KeyboardInterrupt. May be called at any time while the
   state is open, from any thread and from signal handlers. True: what was asked before has not
   been noticed yet. gx_state_late is the same because the time of gx_config.whole is over. */
GX_PUBLIC bool gx_state_interrupt(gx_state *s);
GX_PUBLIC void gx_state_late(gx_state *s);
/* Forgets what gx_state_interrupt asked and nothing has noticed. */
GX_PUBLIC void gx_state_interrupt_forget(gx_state *s);
/* The seconds that max_seconds or GX_MAX_SECONDS allow; 0: any number. */
GX_PUBLIC double gx_state_seconds(const gx_state *s);

/* A text that was compiled: to be run as a whole, again, or statement by statement. NULL: a
   failure, whose mistakes gx_state_failure_next tells one after the other. */
typedef struct gx_program gx_program;
GX_PUBLIC gx_program *gx_state_compile(gx_state *s, const char *text, size_t length,
                                       const char *name);
GX_PUBLIC gx_program *gx_state_compile_file(gx_state *s, const char *path);
GX_PUBLIC void gx_program_drop(gx_program *code); /* NULL is allowed */
/* Runs it. *value, where value is not NULL, as of gx_state_run, but `_` is not bound. */
typedef enum gx_run_how {
    GX_RUN_PLAIN,
    GX_RUN_ECHO,   /* the values of expression statements are written, and the last is bound to _ */
    GX_RUN_SHOW,   /* the value of a last expression is written */
    GX_RUN_PROFILE /* a table of where the time went follows on stream 2 */
} gx_run_how;
GX_PUBLIC bool gx_program_run(gx_program *code, gx_run_how how, gx_ref **value);
/* The statements at the top of it, the line on which each begins, and running one. */
GX_PUBLIC size_t gx_program_count(const gx_program *code);
GX_PUBLIC uint32_t gx_program_line(const gx_program *code, size_t i);
GX_PUBLIC bool gx_program_run_part(gx_program *code, size_t i);
/* Waits for what a GPU still does. False: it met a failure, or what runs was asked to stop. */
GX_PUBLIC bool gx_state_sync(gx_state *s);
/* Drops what modules hold, so that files are closed; only gx_state_has and gx_state_close may
   follow. A process that ends need not close the state then. */
GX_PUBLIC void gx_state_end(gx_state *s);

/* --- a prompt --------------------------------------------------------------------------------- */

/* Runs an entry of a prompt: as GX_RUN_ECHO, lines like %time are understood, and `_error` is bound
   to the exception that ends it. What gx_state_interrupt asked before it is forgotten, and with
   gx_config.whole ends it at once. */
GX_PUBLIC bool gx_state_prompt(gx_state *s, const char *text, size_t length, const char *name);
/* Binds np, cp and plt, where the state was opened bare. */
GX_PUBLIC bool gx_state_predefine(gx_state *s);
/* Begins to open the GPU on a thread of its own, so that its first use need not wait. */
GX_PUBLIC void gx_state_warm(gx_state *s);
/* How much messages say from now on: "short", "normal" or "teach". False: it is another word. */
GX_PUBLIC bool gx_state_messages(gx_state *s, const char *level);
/* Is a text a line like %time, %%time above rows, ?name, and no program? */
GX_PUBLIC bool gx_is_command(const char *text, size_t length);
/* A % line of the program's own. The texts live as long as the state; `usage` and `doc` are what
   %magics shows. fn gets what follows the name; false: after gx_state_raise, or after a call that
   failed. */
typedef bool (*gx_command)(gx_state *s, void *self, const char *rest);
GX_PUBLIC bool gx_state_command(gx_state *s, const char *name, const char *usage, const char *doc,
                                gx_command fn, void *self);
/* What each byte of a text is, for colours. */
typedef enum gx_paint {
    GX_PAINT_PLAIN,
    GX_PAINT_KEYWORD,
    GX_PAINT_NUMBER,
    GX_PAINT_STRING,
    GX_PAINT_COMMENT,
    GX_PAINT_BUILTIN,
    GX_PAINT_COMMAND,
    GX_PAINT_ERROR
} gx_paint;
GX_PUBLIC void gx_state_paint(gx_state *s, const char *text, size_t length, uint8_t *out);

/* Is a text one that can be run, or is more to come? Nothing is run. */
typedef enum gx_wholeness { GX_ENTRY_WHOLE, GX_ENTRY_MORE, GX_ENTRY_WRONG } gx_wholeness;
GX_PUBLIC gx_wholeness gx_state_entry(gx_state *s, const char *text, size_t length);

/* What may stand at a place of a text: words that replace the bytes from `from` to the cursor. No
   code of the script runs. NULL: there is no memory. gx_words_free gives it back. */
typedef struct gx_words {
    size_t from, count;
    const char *const *word;
} gx_words;
GX_PUBLIC gx_words *gx_state_complete(gx_state *s, const char *text, size_t length, size_t cursor);
GX_PUBLIC void gx_words_free(gx_words *words);
/* What help() says of a dotted name, or with `source` its definition in the script: a text for
   gx_string_free. NULL: a failure. */
GX_PUBLIC char *gx_state_inspect(gx_state *s, const char *name, bool source);
GX_PUBLIC void gx_string_free(char *text);
/* The text of a function that a script of the state defines, for gx_string_free; NULL: there is
   none. The names that are bound, for gx_words_free; NULL: there is no memory. */
GX_PUBLIC char *gx_state_definition(gx_state *s, const char *name);
/* How the function whose call is open at a place of a text is called ("f(x, y=1)"), for
   gx_string_free; NULL: that is not known. No code of the script runs. */
GX_PUBLIC char *gx_state_signature(gx_state *s, const char *text, size_t length, size_t cursor);
GX_PUBLIC gx_words *gx_state_names(gx_state *s);

/* A variable of the state's module, or a builtin name; NULL: a failure (NameError). And binding. */
GX_PUBLIC gx_ref *gx_state_get(gx_state *s, const char *name);
GX_PUBLIC bool gx_state_set(gx_state *s, const char *name, const gx_ref *value);

/* Facts about a state. */
typedef enum gx_fact {
    GX_HAS_GPU,      /* arrays are on a GPU; a failure where one cannot be opened */
    GX_HAS_COMPILER, /* kernels of scripts can be compiled */
    GX_HAS_LOST_GPU, /* the GPU ended its work by a fault */
    GX_HAS_LOST_DATA, /* a file that nobody closed could not be written whole */
    GX_IS_SAFE        /* scripts reach neither files nor the environment */
} gx_fact;
GX_PUBLIC bool gx_state_has(gx_state *s, gx_fact fact);
/* Numbers that grow while a state runs. */
typedef enum gx_counter {
    GX_COUNT_KERNELS,  /* fused loops that were run, on the host too */
    GX_COUNT_LAUNCHED, /* kernels that a GPU ran */
    GX_COUNT_COMPILED, /* kernels that were compiled */
    GX_COUNT_GENERAL,  /* launches of the general kernel, while others were compiled */
    GX_COUNT_PREBUILT  /* kernels that were compiled with gx, taken from its file */
} gx_counter;
GX_PUBLIC int64_t gx_state_count(const gx_state *s, gx_counter which);

/* Memory of the state now: bytes of its values, and of its arrays. */
GX_PUBLIC void gx_state_memory(const gx_state *s, int64_t *values, int64_t *arrays);

/* --- failures --------------------------------------------------------------------------------- */

/* A place in a text that was run. file NULL: none. Lines and columns begin at 1; columns count
   characters. */
typedef struct gx_spot {
    const char *file;
    uint32_t line, column, end_line, end_column;
} gx_spot;

typedef struct gx_marked {
    gx_spot at;
    const char *text; /* "a: float32 (3, 4)", or NULL */
} gx_marked;

typedef struct gx_called {
    const char *function;
    gx_spot at; /* where it was called */
} gx_called;

typedef struct gx_failure {
    const char *kind;    /* the exception's class: "ValueError" */
    const char *code;    /* gx's stable code: "shape.broadcast"; "": none */
    const char *message; /* without the class */
    gx_spot at;
    const char *line; /* the text of at.line, or NULL */
    size_t operand_count, number_count, note_count, frame_count;
    const gx_marked *operand;
    const int64_t *number; /* what the message is about, by code: docs/embedding.md */
    const char *const *note;
    const char *help; /* a fix that was tried, or NULL */
    const gx_called *frame; /* innermost first */
    int exit_status;  /* of exit(n); -1: it is no SystemExit */
    const char *text; /* all of it, as the command line shows it */
    const char *builtin; /* the builtin class that `kind` is or is below */
    bool internal;       /* a mistake of gx itself */
} gx_failure;

/* Why the last call failed, until the next call; NULL: it did not. */
GX_PUBLIC const gx_failure *gx_state_failure(gx_state *s);
/* Makes the next mistake of a text that does not compile the failure; false: there is none. */
GX_PUBLIC bool gx_state_failure_next(gx_state *s);
/* Tells the failure on stream 2 as the command line does, every mistake of a text, and forgets it.
   Gives the exit status: of exit(n), 1 for anything else, 0 when there is none. */
GX_PUBLIC int gx_state_report(gx_state *s);

/* --- values ----------------------------------------------------------------------------------- */

GX_PUBLIC gx_ref *gx_ref_keep(gx_ref *r);
GX_PUBLIC void gx_ref_drop(gx_ref *r); /* NULL is allowed */

/* New values. NULL: there is no memory. */
GX_PUBLIC gx_ref *gx_ref_none(gx_state *s);
GX_PUBLIC gx_ref *gx_ref_bool(gx_state *s, bool v);
GX_PUBLIC gx_ref *gx_ref_int(gx_state *s, int64_t v);
GX_PUBLIC gx_ref *gx_ref_float(gx_state *s, double v);
GX_PUBLIC gx_ref *gx_ref_text(gx_state *s, const char *text, size_t length);
GX_PUBLIC gx_ref *gx_ref_list(gx_state *s, size_t count, gx_ref *const *items);

/* Reading. False: a TypeError, or an OverflowError where it does not fit. */
GX_PUBLIC bool gx_ref_to_bool(gx_ref *r, bool *out); /* the truth of anything */
GX_PUBLIC bool gx_ref_to_int(gx_ref *r, int64_t *out);
GX_PUBLIC bool gx_ref_to_float(gx_ref *r, double *out);
/* The text of a str, owned by the value. */
GX_PUBLIC bool gx_ref_to_text(gx_ref *r, const char **text, size_t *length);
/* The name of its type: "int", "ndarray". Owned by the state. */
GX_PUBLIC const char *gx_ref_type(gx_ref *r);
/* str(r), for gx_string_free. NULL: a failure. */
GX_PUBLIC char *gx_ref_str(gx_ref *r);
/* len(r), r[i], r.name, and a call. */
GX_PUBLIC bool gx_ref_length(gx_ref *r, int64_t *out);
GX_PUBLIC gx_ref *gx_ref_item(gx_ref *r, int64_t i);
GX_PUBLIC gx_ref *gx_ref_attr(gx_ref *r, const char *name);
GX_PUBLIC gx_ref *gx_ref_call(gx_ref *fn, size_t argc, gx_ref *const *argv);

/* How a value looks: always "text/plain", its repr; pictures as "image/png" and "image/svg+xml";
   and what the methods _repr_html_, _repr_svg_, _repr_png_, _repr_latex_, _repr_markdown_ of its
   class give. NULL: a failure. */
typedef struct gx_mime {
    const char *type;
    const void *data; /* texts end in a 0 byte, which length does not count */
    size_t length;
} gx_mime;
typedef struct gx_bundle {
    size_t count;
    const gx_mime *item;
} gx_bundle;
GX_PUBLIC gx_bundle *gx_ref_show(gx_ref *r);
GX_PUBLIC void gx_bundle_free(gx_bundle *b);

/* --- arrays ----------------------------------------------------------------------------------- */

/* Elements in memory. strides are bytes; NULL, of an array given to gx: C order. */
typedef struct gx_strided {
    const char *dtype; /* "float64", "int32", "bool", "complex64" … */
    int ndim;
    const int64_t *shape, *strides;
    void *data;
} gx_strided;

/* An array with a copy of the elements. */
GX_PUBLIC gx_ref *gx_ref_array(gx_state *s, const gx_strided *from);
/* The elements of an array on the host, computed first if need be. They may be read until the array
   is stored into or dropped; shape and strides are the array's. */
GX_PUBLIC bool gx_ref_read(gx_ref *r, gx_strided *out);
/* The same for writing: views of the array see what is written, other arrays do not. False: a
   failure, for example that it is read-only. */
GX_PUBLIC bool gx_ref_write(gx_ref *r, gx_strided *out);
/* The address on the GPU where the elements lie, once they are there; NULL: on the host. The
   computations that fill it are done. */
GX_PUBLIC bool gx_ref_device(gx_ref *r, gx_strided *out, int *device);

/* DLPack (gx_dlpack.h). Lending costs no copy, also from a GPU; the tensor's deleter gives it back
   and must run before the state is closed, on the state's thread. NULL: a failure. */
struct DLManagedTensorVersioned;
GX_PUBLIC struct DLManagedTensorVersioned *gx_ref_to_dlpack(gx_ref *r);
/* An array with a copy of a tensor of the host; the tensor's deleter is called in any case. */
GX_PUBLIC gx_ref *gx_ref_from_dlpack(gx_state *s, struct DLManagedTensorVersioned *tensor);

/* --- C functions ------------------------------------------------------------------------------ */

/* A function of the program: gives an owned value, or NULL after gx_state_raise or after a call
   that failed, whose failure then is the function's. */
typedef gx_ref *(*gx_callback)(gx_state *s, void *self, size_t argc, gx_ref *const *argv);
/* A function that takes positional arguments: bind it with gx_state_set. `name` and `self` as
   scripts see it and as the callback gets it; `doc` for help(), or NULL. */
GX_PUBLIC gx_ref *gx_ref_function(gx_state *s, const char *name, const char *doc, gx_callback fn,
                                  void *self);
/* Raises an exception of a builtin class ("ValueError") in a callback. Always NULL. The code, which
   lives as long as the state, is what gx_failure tells. */
GX_PUBLIC gx_ref *gx_state_raise(gx_state *s, const char *kind, const char *message);
GX_PUBLIC gx_ref *gx_state_raise_code(gx_state *s, const char *kind, const char *code,
                                      const char *message);

#ifdef __cplusplus
}
#endif
#endif
