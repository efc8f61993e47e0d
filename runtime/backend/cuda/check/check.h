/* Makes the PTX of a script's kernels watch its own accesses: one outside its array is not done,
   and the first of them is told. Text in, text out; it needs no GPU. What it does not know passes
   through as it is (tensor cores, textures, pointers into memory that a kernel allocates). */
#ifndef GX_RUNTIME_BACKEND_CUDA_CHECK_CHECK_H
#define GX_RUNTIME_BACKEND_CUDA_CHECK_CHECK_H

#include "runtime/base/buf.h"

typedef struct gx_check gx_check;

/* A kernel as its caller knows it: which parameters are pointers. */
typedef struct gx_check_kernel {
    const char *symbol;
    uint64_t pointers; /* bit p: parameter p */
    bool known;        /* else the PTX decides what is a pointer */
    int registers;     /* that it may take at most; 0: any number */
} gx_check_kernel;

/* What a launch hands to a pointer parameter; data 0: nothing. */
typedef struct gx_check_array {
    uint64_t data;
    int64_t bytes;
    bool writable;
} gx_check_array;

typedef enum gx_check_fault {
    GX_CHECK_NOTHING,
    GX_CHECK_OUTSIDE,
    GX_CHECK_CONST,
    GX_CHECK_MISALIGNED,
    GX_CHECK_NULL,
    GX_CHECK_SHARED,
    GX_CHECK_LOCAL,
    GX_CHECK_ASSERTION, /* `address` is that of the text, on the device */
    GX_CHECK_TRAP
} gx_check_fault;

/* The report as the kernel writes it, in device memory; `key` is all ones at first. */
typedef struct gx_check_report {
    uint32_t lock, pad;
    uint64_t key, address;
    uint32_t site, line; /* line: of an assertion */
    uint64_t count;
    uint32_t block[3], thread[3];
} gx_check_report;

/* The first thing that a launch did wrong. */
typedef struct gx_check_verdict {
    gx_check_fault fault;
    int param;      /* the array meant, -1: none known */
    int64_t offset; /* from its start, in bytes */
    int64_t bytes;  /* of the access */
    bool write;
    uint32_t line;
    const char *variable; /* of the module, when it was one; or NULL */
} gx_check_verdict;

enum { GX_CHECK_TABLE_WORDS = 3 + 128 };

/* The instrumented text of a module. Kernels that are not listed are treated as unknown. */
GX_CHECK bool gx_check_new(gx_rt *rt, const char *ptx, size_t length,
                           const gx_check_kernel *kernels, int n, gx_check **out);
void gx_check_free(gx_check *check);
const char *gx_check_text(const gx_check *check);
/* The kernel's number; -1: it does not watch. */
int gx_check_find(const gx_check *check, const char *symbol);
/* Where in the parameters, and how many, a kernel's own words go: behind its `bytes` bytes. */
int64_t gx_check_params(const gx_check *check, int kernel, int64_t bytes);
/* Writes them. `arrays`: one for each parameter. report, words: device addresses. */
void gx_check_fill(const gx_check *check, int kernel, const gx_check_array *arrays, int n,
                   int64_t shared, uint64_t report, uint64_t words, char *to);
/* Does the module need its variable __gx_table (GX_CHECK_TABLE_WORDS words) filled? */
bool gx_check_needs_table(const gx_check *check);
void gx_check_table(const gx_check_array *arrays, int n, uint64_t report, uint64_t words,
                    uint64_t *table);
/* A report that is ready for a launch. */
void gx_check_clear(gx_check_report *report);
/* What a report says. */
void gx_check_diagnose(const gx_check *check, const gx_check_array *arrays, int n,
                    const gx_check_report *report, gx_check_verdict *out);

#endif
