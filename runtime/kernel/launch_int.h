/* Inside of raw kernels: what is read from their text, and what is said when one did wrong. */
#ifndef GX_RUNTIME_KERNEL_LAUNCH_INT_H
#define GX_RUNTIME_KERNEL_LAUNCH_INT_H

#include "runtime/backend/cuda/check/check.h"
#include "runtime/backend/sim/sim.h"
#include "runtime/kernel/raw.h"

/* Is c a letter of C++'s names? Where a word stands in a text, or NULL. Behind a comment, a string
   or a character at p; p itself where there is none. */
bool gx_kernel_letter(char c);
const char *gx_kernel_word(const char *text, const char *end, const char *word);
const char *gx_kernel_quiet(const char *p);

/* A kernel's declaration in a source. */
typedef struct gx_kernel_text {
    const char *name, *parameters; /* parameters: at the '(' */
    size_t length;                 /* of the name */
    const char *list;              /* the '<' of a template's parameters; NULL: it is none */
} gx_kernel_text;

/* The next function marked __global__ from p on, and where to go on; NULL: there is none. */
const char *gx_kernel_next(const char *source, const char *p, gx_kernel_text *out);
/* How many parameters are listed at the '('. */
int gx_kernel_count(const char *parameters);
/* Names and types of e's parameters, as the declaration of a kernel of that name writes them. A
   declaration that cannot be e's is passed over. */
void gx_kernel_params(const char *source, const char *name, gx_raw_entry *e);
/* What the host has in a source whose first line is `first`: a function, a class, a declaration, an
   #include; the one that has `line`. */
typedef struct gx_kernel_host {
    int64_t from, end; /* its bytes */
    int first, last;   /* its lines */
    char name[64];
} gx_kernel_host;
bool gx_kernel_host_code(const char *source, int first, int line, gx_kernel_host *out);
/* n characters and a NUL; NULL: MemoryError. */
char *gx_raw_copy(gx_rt *rt, const char *text, size_t n);

/* What a symbol says: the function's name, "q::f" or "f<float, 3>" (owned; NULL: it cannot be
   read), and of a function that is no template its parameters' types. */
typedef struct gx_kernel_meaning {
    char *name;
    bool exact; /* the types are all there */
    int n_type;
    char type[GX_RAW_PARAMS][64];
} gx_kernel_meaning;
GX_CHECK bool gx_kernel_symbol(gx_rt *rt, const char *symbol, gx_kernel_meaning *out);

/* Tables of parameters' types (types.c): what stands behind the source, table k of a function, and
   what the compiled table says; false: it is not there. */
#define GX_TYPES_FILE "gx_types"
GX_CHECK bool gx_raw_types_templates(gx_buf *out);
GX_CHECK bool gx_raw_types_table(gx_buf *out, int k, const char *function);
bool gx_raw_types_read(const gx_raw *raw, int k, gx_raw_entry *e);
/* Can a declaration's text be the type of q? */
bool gx_raw_types_fit(const gx_raw_param *q, const char *text);
/* q's type as C++ writes it. */
void gx_raw_types_text(const gx_raw_param *q, char *to, size_t room);

typedef struct gx_raw_made {
    char *expression;
    gx_raw *raw;
    int entry;
} gx_raw_made;

/* A launch on the GPU; params: packed values, pointers are filled in. */
GX_CHECK bool gx_raw_launch_gpu(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                                const gx_raw_arg *args, const char *params);
void gx_raw_unload(gx_raw *raw);

/* Arrays of a launch, by parameter. */
typedef struct gx_raw_given {
    gx_check_array array[GX_RAW_PARAMS];
    uint16_t item[GX_RAW_PARAMS]; /* bytes of an element; 0: no array */
    bool lost[GX_RAW_PARAMS];
    int n;
} gx_raw_given;

enum { GX_RAW_WORDS = 4096 + 64 }; /* room for what checks add to the parameters */

/* The module's instrumented text, made at its first need. */
GX_CHECK bool gx_raw_check(gx_raw *raw);
/* The error that a report means. */
typedef bool gx_raw_told_fn(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                            const gx_raw_given *g, const gx_check_report *report);
GX_CHECK gx_raw_told_fn gx_raw_told;

/* --- pending.c --- */
/* The address of the report of the next launch that watches itself; waits where there are many. */
GX_CHECK bool gx_raw_pending_report(gx_rt *rt, uint64_t *report);
/* It was launched. told: gx_raw_told. */
void gx_raw_pending_add(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                        const gx_raw_given *given, gx_raw_told_fn *told);
/* Is the GPU a simulated one? */
bool gx_raw_is_simulated(gx_rt *rt);
/* Decodes the instrumented text for it. */
GX_CHECK bool gx_raw_simulator(gx_raw *raw);
GX_CHECK bool gx_raw_launch_simulated(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                                 const gx_raw_arg *args, const char *params);

enum { GX_RAW_COVERS = 8 };
/* What a launch may be meant to reach (room for GX_RAW_COVERS), by its numbers; how many. */
int gx_raw_covers(const gx_raw_entry *e, const gx_raw_arg *args, gx_sim_cover *out);
/* The warning that a grid was too small. */
GX_CHECK bool gx_raw_tell_cover(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                                const gx_sim_report *report);

/* True when the launch did nothing wrong; else an error that says what and where. */
GX_CHECK bool gx_raw_diagnose(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *launch,
                           const gx_sim_report *report);

/* Where a launch was ended, as notes of the pending error; false. */
bool gx_raw_note_late(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                      const gx_sim_report *report);
/* Warnings of a launch that did nothing wrong otherwise. */
GX_CHECK bool gx_raw_tell_findings(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                                   const gx_sim_report *report);

/* A line of the source without its blanks around; NULL: it is none of the kernel's (help.c). */
const char *gx_raw_line(const gx_raw *raw, uint32_t line, size_t *length);
/* A help line for a race about the variable `name`, or for threads that wait in vain. */
void gx_raw_help_race(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_fault *f,
                      const char *name);
void gx_raw_help_barrier(const gx_raw *raw, const gx_sim_launch *l, const gx_sim_fault *f);
/* The product or sum of 32 bits that made a wrong index, in the words of its line. */
void gx_raw_note_wrap(const gx_raw *raw, const gx_sim_fault *f);
/* A flat index of an array that is declared with several sizes, as s[2][3]. */
void gx_raw_note_rows(const gx_raw *raw, const gx_sim_fault *f, const char *name);
/* The size of the array that the source declares by that name, 0: it is no number; false: there is
   none, or only one behind the word `not_behind`. */
bool gx_raw_array_size(const gx_raw *raw, const char *name, const char *not_behind, int64_t *size);
/* Is it declared extern __shared__? "": is any? */
bool gx_raw_is_dynamic(const gx_raw *raw, const char *name);

#endif
