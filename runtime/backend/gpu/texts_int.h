/* The texts of kernels by families (texts.def), so that those that can be listed are compiled with
   gx and found by their hash: each text has one source, whoever compiles it. */
#ifndef GX_RUNTIME_BACKEND_GPU_TEXTS_INT_H
#define GX_RUNTIME_BACKEND_GPU_TEXTS_INT_H

#include "runtime/backend/each.h"
#include "runtime/backend/filter.h"
#include "runtime/base/buf.h"
#include "runtime/base/rt.h"

/* Writes the C++ source of a kernel. */
typedef bool (*gx_gpu_source_fn)(gx_rt *rt, const void *arg, gx_buf *out);

/* A family: gx_gpu_family_SCAN() and the like, of the rows of texts.def alone. */
typedef struct gx_gpu_family {
    const char *name;
    gx_gpu_source_fn source;
} gx_gpu_family;

/* Who goes over the texts: `take` is called with each. */
typedef struct gx_gpu_texts {
    gx_rt *rt;
    gx_gpu_family family;
    bool (*take)(struct gx_gpu_texts *l, const char *text);
    void *to;
} gx_gpu_texts;

#define FAMILY(name, source, list)                                                                 \
    GX_CHECK bool source(gx_rt *rt, const void *arg, gx_buf *out);                                 \
    GX_CHECK bool list(gx_gpu_texts *l);                                                           \
    static inline gx_gpu_family gx_gpu_family_##name(void) {                                       \
        return (gx_gpu_family){#name, source};                                                     \
    }
#include "runtime/backend/gpu/texts.def"
#undef FAMILY

/* For a `list`: the text of this key (what `source` takes). */
GX_CHECK bool gx_gpu_text(gx_gpu_texts *l, const void *arg);
/* All texts of all families, but for EACH's and for medians: their functions and networks are of
   rooms above this one, and who lists them says how many operands and results, of one number each,
   a function has, and the dtype, taps and network of a median. */
GX_CHECK bool gx_gpu_all_texts(gx_gpu_texts *l);
GX_CHECK bool gx_gpu_each_text(gx_gpu_texts *l, const gx_each_function *f, int n_in, int n_out);
GX_CHECK bool gx_gpu_rank_text(gx_gpu_texts *l, const gx_filter *f);
/* The dtypes whose kernels are compiled with gx. */
enum { GX_USUAL = 4 };
extern const unsigned char gx_gpu_usual[GX_USUAL];

/* --- library.c --- */

#define GX_STORED_FILE "gxkernels.fatbins"

enum { GX_TEXT_NAME = 33 };
/* 32 digits that stand for a text, and a zero. */
void gx_gpu_text_name(const char *text, char name[GX_TEXT_NAME]);

/* A file of compiled texts, sorted by their names; mapped. */
typedef struct gx_gpu_library {
    const char *data; /* NULL: there is none */
    size_t bytes;
    long count;
} gx_gpu_library;
/* False: there is no file, or it is none of these. Never an error. */
bool gx_gpu_library_open(gx_gpu_library *l, const char *path);
void gx_gpu_library_close(gx_gpu_library *l);
/* The code of a text; false: it has none. */
bool gx_gpu_library_find(const gx_gpu_library *l, const char *text, const char **code,
                         size_t *bytes);

#endif
