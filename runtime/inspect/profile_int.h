/* Inside of a running profile: its rows, the tables of functions that count, the sampler. */
#ifndef GX_RUNTIME_INSPECT_PROFILE_INT_H
#define GX_RUNTIME_INSPECT_PROFILE_INT_H

#include <pthread.h>

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/inspect/profile.h"

enum {
    GX_PROFILE_ROWS = 1024, /* more go into the last one */
    GX_PROFILE_PAIRS = 256, /* of events, under way */
    GX_PROFILE_PLACES = 2048
};

/* A launch whose events have not been read. */
typedef struct gx_profile_pair {
    void *event[2];
    int row;
} gx_profile_pair;

/* How often the sampler found a statement. */
typedef struct gx_profile_sample {
    gx_span at;
    double time;
} gx_profile_sample;

/* rt->profile. Nothing is allocated while it runs: counting must not fail what is counted. */
struct gx_profile {
    gx_profile_calls calls;
    gx_rt *rt;
    double start;
    gx_span origin; /* of the next tape; end 0: unknown */
    int depth;      /* of counted calls in each other */
    int64_t compiled, prebuilt, general, up, down; /* at the start */
    int64_t peak;
    double loaded; /* seconds of first calls in this one */
    gx_profile_row row[GX_PROFILE_ROWS];
    int count;
    int16_t slot[GX_PROFILE_PLACES]; /* row + 1 by hash */
    /* tables: of the host and of the GPU, which may be one */
    const gx_backend *real[2];
    gx_backend table[2];
    gx_linalg linalg[2];
    gx_order_calls order[2];
    gx_raw_calls raw[2];
    /* events */
    gx_profile_pair pair[GX_PROFILE_PAIRS];
    int pair_first, pair_count;
    bool events;
    double idle_from; /* the GPU has had nothing to do since; 0: it has, or is not used */
    int idle_row;
    bool used_gpu;
    /* the sampler */
    pthread_t thread;
    bool sampling;
    volatile int stop, inside; /* inside: a counted call, whose time is known */
    volatile double counted;   /* seconds of such calls so far */
    gx_profile_sample sample[GX_PROFILE_PLACES];
    int samples;
};

/* profile.c */
double gx_profile_now(void);
/* The row of a statement, kind and hash; `what` is asked for when it is new. */
int gx_profile_row_of(struct gx_profile *p, gx_span at, gx_profile_kind kind, uint64_t hash,
                      const char *what);
/* Reads the events of the launches that are done, the oldest first, until `left` remain. */
void gx_profile_resolve(struct gx_profile *p, int left);

/* profile_wrap.c: replaces the tables of device k (0 host, 1 GPU), and puts them back. */
void gx_profile_wrap(struct gx_profile *p, int k);
void gx_profile_unwrap(struct gx_profile *p);

#endif
