/* What the files of this folder share. A module is read statement by statement (scan.c); for each
   register of a function it is found where its value may come from (flow.c); then the text is
   written anew (write.c, stage.c).

   A run of statements without jumps becomes a stage: whatever computes addresses moves to its
   front, one chain of comparisons decides whether all accesses of the stage are inside, and only if
   not, a copy of the stage that tests each access by itself runs instead. So correct kernels pay a
   comparison for each array and index, and loads still overlap. The limits compared with are
   computed by the host and lie behind the kernel's parameters. */
#ifndef GX_RUNTIME_BACKEND_CUDA_CHECK_CHECK_INT_H
#define GX_RUNTIME_BACKEND_CUDA_CHECK_CHECK_INT_H

#include "runtime/backend/cuda/check/check.h"
#include "runtime/base/arena.h"

enum {
    GX_OPERANDS = 5,
    GX_OBJECTS = 56,            /* of a function; more are unknown */
    GX_SITE_ASSERT = 0x40000000 /* a place: the line of an assertion is added */
};

typedef enum gx_stmt_kind {
    ST_TEXT, /* declarations and what says nothing of values */
    ST_LINE, /* .loc */
    ST_INSTRUCTION,
    ST_LABEL,
    ST_OPEN,
    ST_CLOSE
} gx_stmt_kind;

typedef enum gx_opnd_kind {
    OPND_NONE,
    OPND_REG,
    OPND_NUMBER,
    OPND_NAME,   /* a symbol or a special register */
    OPND_MEMORY, /* [reg or name + number] */
    OPND_VECTOR
} gx_opnd_kind;

typedef struct gx_opnd {
    uint8_t kind;
    int reg; /* -1: none */
    int64_t number;
    const char *name;
    int length;
} gx_opnd;

typedef enum gx_access { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } gx_access;
typedef enum gx_where {
    WHERE_GENERIC,
    WHERE_GLOBAL,
    WHERE_SHARED,
    WHERE_LOCAL,
    WHERE_CONST,
    WHERE_PARAM
} gx_where;

typedef struct gx_stmt {
    const char *from; /* with its guard */
    const char *op;   /* the opcode with its modifiers */
    int length, op_length;
    uint8_t kind, access, where;
    bool guard_not;
    int guard; /* register, -1: none */
    int depth;
    int bytes;  /* of the access */
    int memory; /* the operand that is its address */
    uint32_t line;
    int n_operand;
    gx_opnd operand[GX_OPERANDS];
    int regs, n_def, n_use; /* in the function's list of registers: defined, then used */
} gx_stmt;

/* How a register's value is made up: object + scale * index + offset. */
typedef struct gx_check_form {
    bool known;
    int object;   /* -1: a number */
    int index;    /* register, -1: none */
    uint8_t kind; /* of the index: 's' and 'u' for 32 bits, 'w' for 64 */
    int64_t scale, offset;
} gx_check_form;

typedef struct gx_check_reg {
    const char *name;
    int length;
    int bits;         /* 1: a predicate */
    int defs, def;    /* how many statements define it; the last one */
    uint64_t objects; /* bits; see flow.c */
    bool loaded;      /* perhaps read from memory */
    int zeros;        /* its low bits that are always 0 */
    gx_check_form form;
    uint8_t form_state;
    int blocked, touched; /* stamps of the stage that defined or used it */
} gx_check_reg;

typedef enum gx_object_kind {
    OBJECT_PARAM,
    OBJECT_VARIABLE,
    OBJECT_SHARED,
    OBJECT_LOCAL
} gx_object_kind;

typedef struct gx_check_object {
    uint8_t kind;
    int param;
    const char *name; /* in the PTX */
    int length;
    int64_t bytes; /* -1: of the launch (dynamic shared memory) */
    int align;
} gx_check_object;

/* What a word's comparison must make sure of: base + scale * index + from … to is inside. */
typedef struct gx_check_cond {
    int param; /* -1: dynamic shared memory, or `bytes` */
    bool write;
    int align;
    int64_t from, to, bytes; /* bytes -1: of the launch */
} gx_check_cond;

/* A number of the host's that an index is compared with. */
typedef struct gx_check_word {
    int64_t at; /* behind the parameters */
    char kind;  /* of gx_check_form */
    int64_t scale, low;
    int first, count; /* conditions */
} gx_check_word;

typedef struct gx_check_site {
    uint8_t fault; /* OUTSIDE: by the address; SHARED, LOCAL, TRAP */
    bool write;
    int bytes, param; /* param -1: whatever is nearest */
    uint32_t line;
    const char *variable;
} gx_check_site;

typedef struct gx_check_entry {
    const char *symbol;
    int word, n_word;
    int64_t bytes; /* of its words */
} gx_check_entry;

struct gx_check {
    gx_rt *rt;
    gx_arena arena;
    gx_buf text;
    bool table;
    gx_check_entry *entry;
    gx_check_word *word;
    gx_check_cond *cond;
    gx_check_site *site;
    int n_entry, n_word, n_cond, n_site;
    int entry_room, word_room, cond_room, site_room;
};

/* A variable of the module. */
typedef struct gx_check_variable {
    const char *name;
    int length;
    uint8_t kind; /* gx_object_kind */
    bool constant;
    int64_t bytes; /* -1: unknown */
    int align;
} gx_check_variable;

typedef struct gx_reg_decl {
    const char *name;
    int length, bits;
    bool range;
} gx_reg_decl;

/* The function being written, and the module around it. */
typedef struct gx_checker {
    gx_rt *rt;
    gx_check *check;
    const gx_check_kernel *kernel;
    int n_kernel;
    const char *at, *end;
    gx_buf *out;
    gx_buf late; /* code behind the function's own */
    bool heap;   /* the module has memory that no array is */
    gx_check_variable *variable;
    int n_variable, variable_room;
    /* the function */
    bool entry;
    const gx_check_kernel *known;
    int registers;
    bool calls; /* it calls functions, which take registers of their own */
    const char *param[64];
    int param_length[64], n_param;
    gx_stmt *stmt;
    int n_stmt, stmt_room;
    int *reg_list;
    int n_list, list_room;
    gx_check_reg *reg;
    int n_reg, reg_room;
    int *hash;
    int hash_room;
    gx_reg_decl *decl;
    int n_decl, decl_room;
    gx_check_object object[GX_OBJECTS];
    int n_object;
    int first_word;
    int64_t words; /* bytes of them */
    int labels;    /* of the module, so far */
    int stamp;
    uint32_t line;
    bool plain; /* so many words are needed that the table is used instead */
} gx_checker;

/* Grows an array of `size`-byte items so that one more fits. */
GX_CHECK bool gx_check_room(gx_rt *rt, void *list, int count, int *room, size_t size);

/* --- scan.c --- */
void gx_scan_blank(gx_checker *c);
size_t gx_scan_word(gx_checker *c, const char **word);
/* The body behind its '{', to its '}'. */
GX_CHECK bool gx_scan_body(gx_checker *c);
bool gx_scan_is(const gx_stmt *s, const char *opcode);    /* "ld": ld, ld.global.f32 … */
bool gx_scan_has(const gx_stmt *s, const char *modifier); /* ".global" */
/* A declaration behind its space: .align 4 .b8 name[8] … */
bool gx_scan_variable(const char *from, const char *end, gx_check_variable *out);

/* --- flow.c --- */
GX_CHECK bool gx_flow(gx_checker *c);
/* The form of an access's address. */
gx_check_form gx_flow_address(gx_checker *c, const gx_stmt *s);
/* The one object an access may mean, -1: several, or unknown. */
int gx_flow_object(const gx_checker *c, const gx_stmt *s);
int gx_flow_zeros(const gx_checker *c, const gx_stmt *s);
/* Is the branch at that statement the end of a loop that counts? */
bool gx_flow_counts(const gx_checker *c, int label, int branch);

/* --- stage.c --- */
/* Writes statements from … to of a run without jumps. */
GX_CHECK bool gx_stage_write(gx_checker *c, int from, int to);

/* --- exact.c --- */
/* How an access is watched, by what is known of its address. */
typedef enum gx_watch {
    WATCH_NOT,    /* it is inside whatever happens, or none of ours */
    WATCH_OBJECT, /* *object is meant */
    WATCH_ANY,    /* whatever array of the launch */
    WATCH_WINDOW  /* the block's shared memory */
} gx_watch;
gx_watch gx_exact_watch(gx_checker *c, const gx_stmt *s, int *object);
/* Begins a copy that tests its accesses. */
GX_CHECK bool gx_exact_start(gx_checker *c, gx_buf *out);
/* Tests and does one access; %gxn counts the bad ones. */
GX_CHECK bool gx_exact_access(gx_checker *c, gx_buf *out, const gx_stmt *s);
/* The same with its own report. */
GX_CHECK bool gx_exact_alone(gx_checker *c, const gx_stmt *s);
/* Tells of the first of %gxn bad accesses, if there are any. */
GX_CHECK bool gx_exact_record(gx_checker *c, gx_buf *out);
GX_CHECK bool gx_exact_trap(gx_checker *c, const gx_stmt *s);
/* Looks, now and then, whether the loop is to end. */
GX_CHECK bool gx_exact_poll(gx_checker *c);
/* A word of the host's for `n` conditions; its place behind the parameters. */
GX_CHECK bool gx_exact_word(gx_checker *c, char kind, int64_t scale, int64_t low,
                            const gx_check_cond *conds, int n, int64_t *at);
/* Functions that watching modules call. */
GX_CHECK bool gx_exact_helpers(gx_checker *c);

#endif
