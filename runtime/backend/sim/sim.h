/* Runs the PTX of a kernel on the host, as a GPU would and more watchfully: every access outside an
   array is caught, misaligned ones too, barriers that can never be passed, races, and reads of
   shared memory that nothing was written to. Needs no GPU. Blocks are run in order of their index
   unless they cannot see each other; one that waits for others lets them go on. */
#ifndef GX_RUNTIME_BACKEND_SIM_SIM_H
#define GX_RUNTIME_BACKEND_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gx_rt;
struct gx_buf;

typedef struct gx_sim gx_sim;

/* What memory from malloc is called after free. */
#define GX_SIM_FREED "memory that was freed"

/* An array that the launch may touch. Its virtual address goes into the parameters. */
typedef struct gx_sim_array {
    char *data;
    int64_t bytes;
    int item; /* bytes an element, for messages */
    bool writable, lost; /* lost: nobody would see what is written */
    const char *name;    /* of the parameter */
    bool blank;          /* from empty(): nothing was ever written to it */
} gx_sim_array;

typedef enum gx_sim_fault_kind {
    GX_FAULT_NONE,
    GX_FAULT_BOUNDS, /* outside every array */
    GX_FAULT_READONLY,
    GX_FAULT_ALIGNMENT,
    GX_FAULT_NULL,
    GX_FAULT_SHARED, /* outside the block's shared memory */
    GX_FAULT_LOCAL,  /* outside the thread's local memory */
    GX_FAULT_ASSERT,
    GX_FAULT_TRAP,
    GX_FAULT_DEADLOCK, /* threads wait at a barrier that others can never reach */
    GX_FAULT_STACK,    /* recursion too deep */
    GX_FAULT_CALL,     /* a call of something that is not a function */
    GX_FAULT_FREE,     /* free of what malloc did not give, or twice */
    GX_FAULT_RACE,     /* two threads, one element, one writes, and nothing orders them */
    GX_FAULT_UNSET,    /* shared memory read before anything was written to it */
    GX_FAULT_LOST,     /* a write into an array that nobody else holds; it is done */
    GX_FAULT_DIVERGED, /* threads of a block meet at different barriers */
    GX_FAULT_LANES,    /* a warp's instruction names lanes that are not there, or reads from them */
    /* what is only warned of */
    GX_FAULT_RETURNED, /* some threads had ended when the others passed a barrier */
    GX_FAULT_LEAK,     /* memory from malloc that no pointer leads to at the launch's end */
    GX_FAULT_KINDS
} gx_sim_fault_kind;

typedef struct gx_sim_fault {
    gx_sim_fault_kind kind;
    int64_t count; /* accesses */
    uint32_t block[3], thread[3];
    uint32_t line;              /* of the source as given to the compiler, 0: unknown */
    int array;                  /* nearest array, -1: none */
    int64_t index;              /* in elements of it, may be negative */
    int64_t bytes;              /* of the access */
    bool write, atomic, shared; /* shared: of shared memory; text is the variable's name */
    bool local;                 /* of the thread's own memory */
    bool is_volatile;           /* of a race: both are, which orders nothing */
    int64_t size;               /* bytes of the shared variable; 0: unknown */
    /* the other access of a race, the earlier one */
    uint32_t other_block[3], other_thread[3], other_line;
    bool other_write, other_atomic;
    char text[256]; /* an assertion's, or who waits where, or a variable's name */
    /* An index that 32 bits do not hold: how it was made, `a op b` on a line, what it should be. */
    char op;
    int64_t a, b, exact;
    uint32_t op_line;
    uint32_t made_line, freed_line; /* of memory from malloc */
} gx_sim_fault;

/* What the instructions of one line of the source did. Of the code as compiled. */
typedef struct gx_sim_line {
    uint32_t line;
    int64_t executed, lanes;          /* instructions of warps, and lanes of them */
    int64_t requests, sectors;        /* of global memory: of warps; of 32 bytes */
    int64_t shared, turns, conflicts; /* of shared memory: requests, turns, those too many */
    int64_t reads, writes;            /* of global memory, of lanes */
    int64_t shared_reads, shared_writes;
    int64_t bytes; /* of global memory that the lanes asked for */
} gx_sim_line;

/* Lines in order; `all` sums them. */
typedef struct gx_sim_counters {
    gx_sim_line *line, all;
    int count;
    int64_t threads;
} gx_sim_counters;

/* An array's elements as a kernel was told of them: rows of `wide`, `high` of them. */
typedef struct gx_sim_cover {
    int array;
    int64_t wide, high;
} gx_sim_cover;

typedef struct gx_sim_report {
    gx_sim_fault fault;   /* the first by kind of worth: none, or what to show */
    gx_sim_fault warning; /* the first that is only warned of */
    gx_sim_fault late;    /* where a thread was when the launch was ended; kind NONE: it was not */
    int64_t unwatched;    /* bytes of arrays that were too large to be watched */
    int64_t instructions, lane_instructions;
    /* The first of the launch's covers, counted from 1, that the grid falls short of: threads wrote
       one element each, `written` in all, and for the others there was none. 0: none. */
    int uncovered;
    int64_t written;
} gx_sim_report;

/* What one thread did, as it is told to a stepper. */
typedef enum gx_sim_did {
    GX_SIM_LINE, /* it came to an instruction of the line */
    GX_SIM_READ,
    GX_SIM_WRITE,
    GX_SIM_ATOMIC, /* the value is the one before */
    GX_SIM_WAIT    /* at a barrier */
} gx_sim_did;

typedef struct gx_sim_event {
    gx_sim_did did;
    uint32_t line;
    bool moves;       /* the instruction touches memory, or decides where to go on */
    int lanes, of;    /* of its warp: at this place, in all */
    int dtype;        /* of the array, -1: none, or not of the access's size */
    const char *name; /* of the array or the variable, "": none */
    int64_t index;    /* of the element */
    char form;        /* 'f', 'i', 'u', or 'b': bits */
    int bytes;
    bool known; /* false: it lies outside of what there is */
    char value[16];
} gx_sim_event;

typedef struct gx_sim_stepper {
    int64_t block; /* numbers in the grid and in the block */
    int thread;
    const uint8_t *dtypes; /* of the launch's arrays, or NULL */
    void (*tell)(void *arg, const gx_sim_event *e);
    void *arg;
} gx_sim_stepper;

typedef struct gx_sim_launch {
    uint32_t grid[3], block[3];
    int64_t shared;     /* dynamic, bytes */
    const void *params; /* packed as the entry declares them */
    int64_t param_bytes;
    const gx_sim_array *arrays;
    int n_array;
    /* Host threads for blocks: calls fn for tasks 0 … n - 1, thread < `threads`; NULL: one. */
    int threads;
    void (*spread)(void *arg, int64_t n, void (*fn)(void *arg, int64_t task, int thread),
                   void *fn_arg);
    void *spread_arg;
    void (*print)(void *arg, const char *text, size_t length); /* a kernel's printf */
    void *print_arg;
    bool unwatched;            /* no races and no reads before writes: three times as fast */
    bool full;                 /* arrays of any size are watched */
    gx_sim_counters *counters; /* filled in, or NULL */
    const gx_sim_stepper *step; /* a thread to watch, or NULL; not with `unwatched` */
    const gx_sim_cover *covers; /* what the grid may be meant to reach */
    int n_cover;
    int64_t most;              /* instructions of a warp, then all stop; 0: as many as they want */
} gx_sim_launch;

/* Decodes a PTX module; RuntimeError [sim.ptx] names an instruction that is not simulated. */
bool gx_sim_new(struct gx_rt *rt, const char *ptx, size_t length, gx_sim **out);
void gx_sim_free(gx_sim *sim);

/* The number of a kernel, -1: there is none of that name. */
int gx_sim_entry(const gx_sim *sim, const char *name);
/* The k-th kernel's name, NULL after the last. */
const char *gx_sim_entry_name(const gx_sim *sim, int k);
/* Where parameter p of an entry lies in the parameter bytes; false after the last. */
bool gx_sim_param(const gx_sim *sim, int entry, int p, int64_t *offset, int64_t *bytes);
int64_t gx_sim_static_shared(const gx_sim *sim, int entry);
/* The most threads a block may have (__launch_bounds__); 0: no bound of its own. */
int gx_sim_max_threads(const gx_sim *sim, int entry);
int64_t gx_sim_local(const gx_sim *sim, int entry);
/* Two extern __shared__ arrays that the kernel uses, which are the same memory; false: it uses at
   most one. */
bool gx_sim_twins(const gx_sim *sim, int entry, char first[64], char second[64]);
/* A variable of the module by its name; false: none. */
bool gx_sim_variable(const gx_sim *sim, const char *name, char **data, int64_t *bytes);
/* The bytes at a virtual address within a variable of the module; NULL: there is none. */
const char *gx_sim_at(const gx_sim *sim, uint64_t address, int64_t *bytes);

/* The virtual address of array k of a launch. */
uint64_t gx_sim_address(const gx_sim *sim, int k);

/* Runs a kernel to its end. False only for MemoryError or an interrupt; what the kernel did wrong
   is in the report, and nothing outside its arrays was touched. */
bool gx_sim_run(gx_sim *sim, int entry, const gx_sim_launch *launch, gx_sim_report *report);

/* Frees the lines that gx_sim_run has filled in. */
void gx_sim_counters_free(struct gx_rt *rt, gx_sim_counters *counters);

#endif
