/* Where the time of a program goes, by line of its source: kernels and library calls, copies
   between host and GPU, compilation, the interpreter, and a GPU that has nothing to do. While a
   profile runs, the devices' tables of functions are replaced by ones that count and pass on;
   without one nothing is paid. */
#ifndef GX_RUNTIME_INSPECT_PROFILE_H
#define GX_RUNTIME_INSPECT_PROFILE_H

#include "runtime/base/buf.h"

typedef enum gx_profile_kind {
    GX_PROFILE_KERNEL,  /* of gx's own: `what` is fused into it */
    GX_PROFILE_LIBRARY, /* anything else that a device did */
    GX_PROFILE_UP,      /* host to GPU */
    GX_PROFILE_DOWN,
    GX_PROFILE_COMPILE, /* first calls, beyond what later ones take */
    GX_PROFILE_HOST,    /* the interpreter and functions of the host, by samples */
    GX_PROFILE_IDLE,    /* the GPU, after this line has waited for it */
    GX_PROFILE_KINDS
} gx_profile_kind;

/* What one statement did of one kind. */
typedef struct gx_profile_row {
    gx_span at;
    gx_profile_kind kind;
    bool gpu;
    unsigned ran; /* GX_RAN_…: which kernels */
    uint64_t hash;
    int64_t calls, timed; /* of the calls, those that were timed */
    int64_t sized;        /* and those whose bytes were counted: the first one, too */
    double time;          /* seconds of all calls, as far as known from the timed ones */
    double read, wanted, written; /* bytes of all calls likewise: moved, asked for, written */
    int64_t bytes;        /* copies: of all calls */
    double least;         /* COPY rows: bytes of the smallest; kernels: elements of the smallest */
    char what[96];
} gx_profile_row;

/* A finished profile. */
typedef struct gx_profiled {
    double wall, busy; /* seconds; busy: of the GPU */
    bool gpu;          /* did it do anything? */
    int64_t up, down, compiled, peak; /* bytes, kernels, bytes of arrays */
    int64_t prebuilt; /* kernels taken from gx's file of compiled ones */
    int64_t general; /* launches of the general kernel, while others were compiled */
    gx_profile_row *row; /* by line, then by time; owned */
    int count;
} gx_profiled;

/* Starts: what is pending is computed first. RuntimeError [profile.nested] in a running one. */
GX_CHECK bool gx_profile_begin(gx_rt *rt);
/* Ends: what is pending is computed, the GPU waited for. False: an error is pending, nothing runs
   on; *out is then empty. */
GX_CHECK bool gx_profile_end(gx_rt *rt, gx_profiled *out);
/* Ends without a result; nothing when none runs. */
void gx_profile_cancel(gx_rt *rt);
void gx_profiled_free(gx_rt *rt, gx_profiled *p);

/* The table and the advice, as text. */
GX_CHECK bool gx_profile_text(gx_rt *rt, const gx_profiled *p, gx_buf *out);
/* What rules have to say, a line each. */
GX_CHECK bool gx_profile_advice(gx_rt *rt, const gx_profiled *p, gx_buf *out);
/* "name:12" of a statement, and its text, at most `room` bytes. */
void gx_profile_line(gx_rt *rt, gx_span at, uint32_t *line, char *text, size_t room);

#endif
