/* What the files of the PTX simulator share. A module is PTX text, decoded once: functions are
   arrays of instructions whose operands are byte offsets of 32-lane registers. A launch runs block
   by block, warp by warp.

   Registers: one array of 32 elements of the register's own width, so that an instruction is a loop
   over lanes; predicates are one 32-bit mask. Addresses are virtual: bits 40 and up name a segment
   (an array of the launch, a variable of the module, the shared or the local window), so that every
   access outside its segment is seen, however far it goes. */
#ifndef GX_RUNTIME_BACKEND_SIM_SIM_INT_H
#define GX_RUNTIME_BACKEND_SIM_SIM_INT_H

#include <pthread.h>

#include "runtime/backend/sim/sim.h"
#include "runtime/base/buf.h"
#include "runtime/base/rt.h"

enum {
    GX_LANES = 32,
    GX_SEGMENT_SHIFT = 40,
    GX_SEG_NULL = 0,
    GX_SEG_SHARED = 1,
    GX_SEG_LOCAL = 2,
    GX_SEG_CODE = 3, /* addresses of functions: the function's number */
    GX_SEG_PARAM = 4, /* the kernel's own parameters (__grid_constant__) */
    GX_SEG_FIRST = 8,
    GX_LOCAL_STACK = 1 << 24,    /* where memory of alloca starts in the local window */
    GX_SHARED_DYNAMIC = 1 << 20, /* where dynamic shared memory starts in its window */
    GX_BARRIERS = 16,
    GX_HEAP_BLOCKS = 65536,    /* pieces of malloc that a module can have */
    GX_LAUNCH_ARRAYS = 72,     /* segments kept for arrays where a heap lies behind them */
    GX_INS_OPERANDS = 5,
    GX_NO_OPERAND =
        -0x40000000,       /* reads and writes go to a warp's scratch, where they harm nothing */
    GX_REGISTER_ROOM = 256 /* bytes of the widest register */
};

typedef enum gx_ptx_type {
    PT_NONE,
    PT_PRED,
    PT_B8,
    PT_U8,
    PT_S8,
    PT_B16,
    PT_U16,
    PT_S16,
    PT_F16,
    PT_BF16,
    PT_B32,
    PT_U32,
    PT_S32,
    PT_F32,
    PT_F16X2,
    PT_BF16X2,
    PT_B64,
    PT_U64,
    PT_S64,
    PT_F64,
    PT_B128
} gx_ptx_type;

/* Bytes of an element in memory; a register of 8 bits takes 16. */
static inline int gx_ptx_bytes(gx_ptx_type t) {
    return t == PT_NONE     ? 0
           : t <= PT_S8     ? 1
           : t <= PT_BF16   ? 2
           : t <= PT_BF16X2 ? 4
           : t <= PT_F64    ? 8
                            : 16;
}

typedef enum gx_sim_space {
    SP_GENERIC,
    SP_GLOBAL,
    SP_SHARED,
    SP_LOCAL,
    SP_CONST,
    SP_PARAM,
    SP_ENTRY_PARAM /* of a kernel: the same for every thread */
} gx_sim_space;

/* What an instruction does with memory that other threads see, for watch.c and count.c. */
typedef enum gx_sim_access {
    ACCESS_NONE,
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,
    ACCESS_COPY, /* cp.async: global to shared */
    ACCESS_FENCE
} gx_sim_access;

/* How it is ordered with others: gx_ins.order. */
enum { ORDER_VOLATILE = 1, ORDER_ACQUIRE = 2, ORDER_RELEASE = 4 };

/* How an instruction moves the program counter, or stops for others. */
typedef enum gx_sim_flow {
    FLOW_NEXT,
    FLOW_BRANCH,
    FLOW_TABLE, /* brx.idx */
    FLOW_CALL,
    FLOW_RETURN,
    FLOW_EXIT,
    FLOW_TRAP,
    FLOW_BARRIER, /* bar.sync, bar.red: all threads of the block */
    FLOW_ARRIVE,  /* bar.arrive */
    FLOW_CONVERGE /* shfl, vote, match, redux, bar.warp: the lanes of a mask */
} gx_sim_flow;

typedef struct gx_sim_warp gx_sim_warp;
typedef struct gx_ins gx_ins;
/* Does the instruction's work in the lanes of mask. */
typedef void (*gx_ins_fn)(gx_sim_warp *w, const gx_ins *i, uint32_t mask);

struct gx_ins {
    gx_ins_fn fn, inner;         /* inner: what fn wraps (rounding modes) */
    int32_t op[GX_INS_OPERANDS]; /* result first; register offsets, see gx_operand_at */
    int32_t guard;               /* predicate's offset, GX_NO_OPERAND: none */
    int32_t target;              /* branch: instruction; call: function, -1: by address in op[1] */
    int64_t imm;                 /* address offset, modes */
    uint32_t line;               /* of the script; 0: unknown */
    uint16_t file;
    uint8_t flow;               /* gx_sim_flow */
    uint8_t type, space, width; /* memory: element type, gx_sim_space, 1 2 4 elements */
    uint8_t mode;               /* comparison, atomic operation, rounding, shuffle kind … */
    bool guard_not, back;       /* back: a branch to an earlier instruction */
    uint8_t access, order;      /* gx_sim_access; ORDER_ flags */
    uint16_t used;              /* bytes of a vector that are not padding; 0: all */
    struct gx_call_site *site;  /* FLOW_CALL, FLOW_TABLE */
};

/* A variable of the .param space of a function: bytes at `offset` of each lane's area. */
typedef struct gx_ptx_param {
    const char *name;
    int32_t offset, bytes;
} gx_ptx_param;

typedef struct gx_call_site {
    int n_arg, n_result;
    int32_t arg[32], arg_bytes[32]; /* offsets in the caller's .param area */
    int32_t result, result_bytes;
    int32_t *targets; /* brx.idx */
    int n_target;
} gx_call_site;

typedef struct gx_ptx_fn {
    const char *name;
    bool entry, defined;
    int builtin; /* vprintf and the like: a gx_ptx_builtin, else 0 */
    gx_ins *code;
    int count;
    int32_t reg_bytes; /* a frame's registers */
    char *consts;      /* broadcast constants, */
    int32_t const_bytes;
    gx_ptx_param param[64], result; /* formal parameters */
    int n_param;
    int32_t param_bytes; /* all of its .param space, a lane */
    int32_t local_bytes;
    int32_t shared_bytes; /* static, with those of the module and gaps between them, */
    int32_t shared_used;  /* and without gaps */
    int max_threads;
    bool uses_atomics; /* on global memory: blocks then run one after another */
    bool serial;       /* it, or a function that it calls, does */
    const char *refused;    /* what it has that is not simulated; behind its NUL, what helps */
    const char *dynamic[2]; /* extern shared arrays that it uses */
    int first;         /* number of its first instruction in the module */
} gx_ptx_fn;

/* A variable in .shared space. */
typedef struct gx_ptx_shared {
    const char *name, *fn; /* fn NULL: of the module */
    int32_t at, bytes;     /* bytes 0: dynamic */
} gx_ptx_shared;

typedef enum gx_ptx_builtin {
    BUILTIN_NONE,
    BUILTIN_PRINTF,
    BUILTIN_ASSERT,
    BUILTIN_MALLOC,
    BUILTIN_FREE,
    BUILTIN_UNKNOWN
} gx_ptx_builtin;

/* A module variable in .global or .const space. */
typedef struct gx_ptx_variable {
    const char *name;
    char *data;
    int64_t bytes;
    bool constant, external;
    int segment;
} gx_ptx_variable;

struct gx_sim {
    gx_rt *rt;
    gx_ptx_fn *fn;
    int n_fn, room_fn;
    gx_ptx_variable *variable;
    int n_variable, room_variable;
    int32_t shared_bytes, shared_used; /* of module-level .shared variables */
    struct gx_ptx_text *text; /* names and arrays live here */
    gx_ptx_shared *shared;
    int n_shared, room_shared;
    int instructions;          /* of all functions */
    bool mallocs;              /* a function calls malloc or free */
    struct gx_segment *heap;   /* memory from malloc: it lives as long as the module */
    int n_heap, room_heap;
    struct gx_shadow *shadows; /* of the last launch's arrays, */
    int64_t room_shadows;
    uint32_t clock;                     /* and when it ended */
    bool swaps;                         /* has compare-and-swap */
    uint8_t shared_shift, global_shift; /* log2 of the smallest access, at most 4 bytes */
};

/* --- running --------------------------------------------------------------------------------- */

/* Who did it, and when. Times count what orders accesses, from 1; a thread is its block's number
   and 10 bits of its own. */
typedef struct gx_touch {
    uint32_t at, who;
    uint16_t line;
    uint8_t flags, hash; /* of a write: SHADOW_ flags, and a hash of the value */
} gx_touch;

/* The last accesses to 1, 2 or 4 bytes. */
typedef struct gx_shadow {
    gx_touch write, atomic, read[2];
} gx_shadow;

enum { SHADOW_CHANGED = 1, SHADOW_VOLATILE = 2 };
enum { SHADOW_GAP = UINT32_MAX }; /* the time of a write in a gap between shared variables */

/* What one instruction did: see gx_sim_line. */
typedef struct gx_count {
    int64_t executed, lanes, requests, sectors, shared, turns, conflicts, reads, writes;
    int64_t shared_reads, shared_writes, bytes;
} gx_count;

typedef struct gx_segment {
    gx_shadow *shadow; /* NULL: nobody writes, or not watched */
    char *data;
    int64_t bytes;
    const char *name; /* NULL: gx_sim_array's number decides */
    int array;        /* index in the launch's arrays, -1: none */
    bool writable;
    bool lost; /* it can be written to, but nobody will see it */
    uint32_t since; /* what was written before that time counts as nothing; 0: it all counts */
    uint32_t made_line, freed_line; /* of memory from malloc: where malloc and free were called */
    uint32_t block, thread;         /* and by whom */
} gx_segment;

typedef struct gx_sim_frame {
    struct gx_sim_frame *parent;
    const gx_ptx_fn *fn;
    char *regs, *params;
    int32_t local;          /* bytes of the lane's local memory below */
    int depth, back;        /* back: where the caller goes on */
    uint32_t lanes;         /* still inside */
    uint32_t top[GX_LANES]; /* of the caller's stack: see rare.c */
} gx_sim_frame;

typedef enum gx_group_state {
    GROUP_READY,
    GROUP_BARRIER,
    GROUP_CONVERGE,
    GROUP_DONE
} gx_group_state;

/* Lanes of a warp at one place. */
typedef struct gx_group {
    uint32_t mask;
    int pc, barrier;
    gx_sim_frame *frame;
    gx_group_state state;
    int turns; /* back edges since it was chosen */
    uint32_t awaited; /* lanes that it waited for, and that had more to do than to end */
} gx_group;

typedef enum gx_special {
    SR_TID_X,
    SR_TID_Y,
    SR_TID_Z,
    SR_NTID_X,
    SR_NTID_Y,
    SR_NTID_Z,
    SR_CTAID_X,
    SR_CTAID_Y,
    SR_CTAID_Z,
    SR_NCTAID_X,
    SR_NCTAID_Y,
    SR_NCTAID_Z,
    SR_LANEID,
    SR_WARPID,
    SR_NWARPID,
    SR_SMID,
    SR_NSMID,
    SR_GRIDID,
    SR_MASK_EQ,
    SR_MASK_LE,
    SR_MASK_LT,
    SR_MASK_GE,
    SR_MASK_GT,
    SR_CLOCK,
    SR_CLOCK_HI,
    SR_DYNAMIC_SHARED,
    SR_TOTAL_SHARED,
    SR_ENVREG,
    SR_GRID_LOW, /* %envreg2, %envreg1: the address of the grid's own words */
    SR_GRID_HIGH,
    SR_COUNT
} gx_special;

struct gx_sim_warp {
    char *base[4]; /* registers, specials, constants, scratch: by the operand's top bits */
    struct gx_block *block;
    gx_sim_frame *frame; /* of the running group */
    gx_sim_frame *root;  /* the kernel's own */
    const gx_ins *code;
    uint32_t live;        /* lanes that have not exited */
    uint32_t carry;       /* the CC bit of each lane */
    uint32_t traced;      /* the lane that a stepper watches, or 0 */
    bool watched, polled; /* polled: asked for what another thread may change, and it had not */
    /* by lane, when: synchronised with others of the warp; stood at a barrier of a part of the
       block; passed a fence; told of what was before that fence; learned of what others told */
    uint32_t synced[GX_LANES], parted[GX_LANES];
    uint32_t fenced[GX_LANES], released[GX_LANES], acquired[GX_LANES];
    uint64_t asked[4]; /* hashes of the last questions and answers */
    gx_group group[GX_LANES];
    int n_group;
    int number;                     /* in the block */
    int32_t local_room;             /* bytes of local memory a lane */
    char *local;                    /* lane by lane */
    uint8_t *set;                   /* of its bytes: written to; NULL: not watched */
    char *stack;                    /* memory of alloca, likewise, */
    int32_t stack_room;             /* bytes a lane, */
    uint32_t top[GX_LANES];         /* of them in use */
    int64_t clock, lanes;           /* instructions, and lanes of them */
    char scratch[GX_REGISTER_ROOM]; /* of operands that an instruction lacks */
    uint32_t specials[SR_COUNT][GX_LANES];
};

typedef struct gx_barrier {
    int arrived;              /* threads */
    int expected;             /* 0: all of the block */
    uint32_t count, any, all; /* bar.red */
} gx_barrier;

typedef struct gx_block {
    struct gx_run *run;
    gx_sim_warp *warp;
    int n_warp, threads, exited;
    uint32_t index[3];
    char *shared;
    int64_t shared_bytes;
    gx_barrier barrier[GX_BARRIERS];
    bool failed;
    int64_t number;
    /* see order.c */
    uint32_t *clock, own_clock;
    uint32_t started, barrier_at, fenced, acquired;
    gx_shadow *shadow; /* of the shared memory */
    gx_count *count;   /* by instruction of the module, or NULL */
    int64_t progress;  /* stores, exits, passed barriers */
    int stalled;       /* sweeps that only asked, see blocks.c */
} gx_block;

typedef struct gx_fault_entry {
    gx_sim_fault fault;
    int64_t order, serial; /* number of the block; which fault it was */
} gx_fault_entry;

/* One launch. Blocks of different threads share it: faults are added under a lock. */
typedef struct gx_run {
    gx_rt *rt;
    gx_sim *sim;
    const gx_ptx_fn *fn;
    const gx_sim_launch *launch;
    gx_sim_report *report;
    gx_segment *segment;
    int n_segment, room_segment;
    int heap_first; /* segments of the module's malloc: at the same numbers in every launch */
    uint32_t grid_words[8]; /* what grid.sync() counts with; the segment before the heap */
    int64_t blocks;
    bool serial;        /* one block after another, on one thread */
    uint32_t clock;     /* of all blocks when serial */
    uint32_t *released; /* by block: its last fence before it told others; NULL: not serial */
    uint32_t began;     /* the clock when it began */
    volatile bool stop, no_memory;
    int64_t unwatched; /* bytes of arrays that are too large */
    gx_sim_fault late; /* where it was ended */
    pthread_mutex_t lock; /* of the faults */
    gx_fault_entry fault[GX_FAULT_KINDS];
    int64_t faults;
} gx_run;

/* The lanes of an operand: the two top bits of its offset choose among registers, specials and
   constants. */
static inline void *gx_operand_at(const gx_sim_warp *w, int32_t offset) {
    return w->base[(uint32_t)offset >> 30] + (offset & 0x3fffffff);
}

/* --- reading (runtime/backend/sim/ptx: text.c, read.c, decode.c) --- */
struct gx_ptx_opcodes;
extern const struct gx_ptx_opcodes gx_sim_opcodes; /* rare.c: decoded by rare.c and matrix.c */
GX_CHECK bool gx_ptx_read(gx_sim *sim, const struct gx_ptx_opcodes *others, const char *text,
                          size_t length);

/* --- lane operations (alu.inc, compiled once an instruction set) --- */
typedef struct gx_alu_row {
    const char *name; /* "add.s32" */
    gx_ins_fn fn;
} gx_alu_row;
extern const gx_alu_row gx_alu_v2[], gx_alu_v3[];
/* The operation of that spelling, or NULL. */
gx_ins_fn gx_alu_find(const char *name);
/* The name of an operation, one of those that it has; NULL: it is none of these. */
const char *gx_alu_name(gx_ins_fn fn);

/* --- memory (memory.c) --- */
void gx_mem_load(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_mem_store(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_mem_atomic(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_mem_copy_async(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
/* Looks at an access of one lane of an instruction that has several. */
void gx_watch_touch(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, int64_t bytes,
                    bool write);
/* Marks the gaps between the shared variables of a block. */
void gx_watch_gaps(gx_block *b);
/* The shared memory's byte at an offset of its window, if all of them are there; else NULL. */
char *gx_mem_shared(const gx_block *b, uint64_t at, int64_t bytes);
/* The host address of `bytes` bytes at a virtual address, or NULL with the fault reported. */
char *gx_mem_at(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t address, int64_t bytes,
                bool write);

/* The address that a lane accesses, without its space's segment. */
enum { REGISTER_BYTES = 15, ADD_LOCAL = 16, SHORT_BASE = 32 }; /* gx_ins.mode of memory */
static inline uint64_t gx_address_of(const gx_sim_warp *w, int lane, int32_t base, int mode,
                                     int64_t imm) {
    uint64_t at = (uint64_t)imm;
    if (base != GX_NO_OPERAND) /* a short address wraps: compilers subtract before they add */
        at = mode & SHORT_BASE
                 ? (uint32_t)at + ((const uint32_t *)gx_operand_at(w, base))[lane]
                 : at + ((const uint64_t *)gx_operand_at(w, base))[lane];
    if (mode & ADD_LOCAL) at += (uint64_t)w->frame->local;
    return at;
}

/* Those of all lanes, whether they are on or not. */
static inline void gx_mem_addresses(const gx_sim_warp *w, const gx_ins *i, uint64_t *at) {
    uint64_t base = (uint64_t)i->imm + (i->mode & ADD_LOCAL ? (uint64_t)w->frame->local : 0);
    if (i->op[4] == GX_NO_OPERAND) {
        for (int l = 0; l < GX_LANES; l++) at[l] = base;
    } else if (i->mode & SHORT_BASE) {
        const uint32_t *from = gx_operand_at(w, i->op[4]);
        const uint64_t local = base - (uint64_t)i->imm;
        for (int l = 0; l < GX_LANES; l++) at[l] = (uint32_t)i->imm + from[l] + local;
    } else {
        const uint64_t *from = gx_operand_at(w, i->op[4]);
        for (int l = 0; l < GX_LANES; l++) at[l] = base + from[l];
    }
}

/* --- races and reads before writes (watch.c) --- */
/* Looks at an access before it is done. */
void gx_watch_access(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
/* Looks at the accesses that are common and in order; gives the lanes that it left (watch_plain.c).
 */
uint32_t gx_watch_plain(gx_sim_warp *w, const gx_ins *i, uint32_t mask, uint32_t now);
static inline uint8_t gx_watch_hash(uint32_t value) {
    return (uint8_t)((value * 0x9E3779B1u) >> 24);
}
/* Shadows of what the launch can write; without memory for them, none. */
void gx_watch_start(gx_run *run);

/* --- what orders accesses (order.c) --- */
void gx_order_start(gx_block *b);
void gx_order_warp(gx_sim_warp *w, uint32_t mask);   /* shfl, bar.warp and the like */
void gx_order_arrive(gx_sim_warp *w, uint32_t mask); /* at any barrier */
void gx_order_release(gx_block *b, gx_sim_warp *w, uint32_t mask, bool whole); /* and passes it */
void gx_order_fence(gx_sim_warp *w, uint32_t mask);
/* An atomic, volatile, acquiring or releasing access. */
void gx_order_tell(gx_sim_warp *w, uint32_t mask, bool release);
/* Is an access by `who` at `when` ordered before one of that lane now? */
bool gx_ordered(const gx_sim_warp *w, int lane, uint32_t who, uint32_t when);
static inline uint32_t gx_who(const gx_sim_warp *w, int lane) {
    return (uint32_t)w->block->number << 10 | (uint32_t)(w->number * GX_LANES + lane);
}

/* --- grids that are too small (cover.c) --- */
void gx_cover_check(const gx_run *run, gx_sim_report *report);

/* --- counters (count.c) --- */
void gx_count_access(gx_sim_warp *w, const gx_ins *i, gx_count *c, uint32_t mask);
GX_CHECK bool gx_count_lines(gx_run *run, gx_block *const *blocks, int n);

/* --- one thread watched (trace.c) --- */
/* The lane of a warp that the launch's stepper watches, as a mask; 0: none of them. */
uint32_t gx_trace_lane(const gx_block *b, int warp);
/* Tells of an instruction that the group is at; mask: the lanes that execute it. */
void gx_trace_step(const gx_sim_warp *w, const gx_ins *i, uint32_t group, uint32_t mask);
/* A copy of the module's variables; puts them back and frees it. */
GX_CHECK bool gx_trace_keep(gx_sim *sim, char **out);
void gx_trace_restore(gx_sim *sim, char *kept);

/* --- blocks (blocks.c) --- */
/* Runs all blocks of a launch on up to `threads` host threads. */
GX_CHECK bool gx_blocks_run(gx_run *run, int threads);

/* --- lanes together (lanes.c) --- */
void gx_lane_shuffle(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_lane_vote(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_lane_match(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_lane_redux(gx_sim_warp *w, const gx_ins *i, uint32_t mask);
void gx_lane_active(gx_sim_warp *w, const gx_ins *i, uint32_t mask);

/* --- threads that should meet (meet.c) --- */
/* Are the lanes that the instruction of the warp names all there? mask: those that are; awaited:
   those that it waited for. */
void gx_meet_lanes(gx_sim_warp *w, const gx_ins *i, uint32_t mask, uint32_t awaited);
/* A lane read from one that takes no part. */
void gx_meet_source(gx_sim_warp *w, const gx_ins *i, int lane, int from);
/* Before a barrier is passed: do all stand at the same one? */
void gx_meet_barrier(gx_block *b, int id);
/* Who waits at barriers, by line; the first of them, or NULL. */
const gx_group *gx_meet_waiting(const gx_block *b, gx_sim_warp **first, char *text, size_t room);
/* Where the launch is when it is ended. */
void gx_meet_late(gx_sim_warp *w, const gx_group *g);

/* --- indices that 32 bits do not hold (wrap.c) --- */
/* How the address of a faulty access was made. */
void gx_wrap_find(const gx_sim_warp *w, const gx_ins *i, int lane, gx_sim_fault *f);

/* --- functions that a device library has (builtin.c) --- */
/* Memory from malloc that no pointer leads to, of this launch. */
void gx_builtin_leaks(gx_run *run);
/* What is in memory from malloc counts as written. */
void gx_builtin_unwatch(gx_run *run);
void gx_builtin_call(gx_sim_warp *w, const gx_ins *i, int builtin, uint32_t mask);

/* --- faults (report.c) --- */
/* Adds a fault of one lane; the first of each kind is kept whole, the others are counted. */
void gx_fault_add(gx_sim_warp *w, const gx_ins *i, int lane, gx_sim_fault_kind kind,
                  uint64_t address, int64_t bytes, bool write);
/* Adds a race: that lane's access, and the earlier one, which read, wrote or was atomic. */
void gx_fault_race(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t address, int64_t bytes,
                   const gx_touch *t, gx_sim_access what);
/* Words of the last fault of that kind, unless it has some. */
void gx_fault_text(gx_sim_warp *w, gx_sim_fault_kind kind, const char *text);
/* The array or variable that an address belongs to, and the element, by f->bytes. */
void gx_fault_name(const gx_run *run, uint64_t address, gx_sim_fault *f);
/* "_ZZ4flipE1s" is s: the last of the names that a mangled one holds. */
void gx_fault_plain(const char *name, char *to, size_t room);
void gx_fault_choose(const gx_run *run, gx_sim_report *report);

/* --- warps (warp.c) --- */
/* Runs a warp until every lane has exited or waits; false: nothing moved. */
bool gx_warp_run(gx_sim_warp *w);
GX_CHECK bool gx_warp_start(gx_sim_warp *w, gx_block *b, int number);
/* Drops the frames of lanes that have not finished. */
void gx_warp_abandon(gx_sim_warp *w);
void gx_warp_free(gx_rt *rt, gx_sim_warp *w);

#endif
