/* Between lower.c and emit.c: the typed form of a loop. Everything lies in the compiler's arena. */
#ifndef GX_INTERP_LOOPS_CODE_H
#define GX_INTERP_LOOPS_CODE_H

#include "interp/loops/loops.h"

/* Operations of expressions. Operands of one operation are all ints or all floats. What can fail
   leaves the statement. */
typedef enum gx_loop_op {
    GX_CODE_CONST,
    GX_CODE_NAME,
    GX_CODE_FLOAT, /* an int as a float; `exact`: one that is below 2^53 */
    GX_CODE_INT,   /* a float cut to an int that fits */
    GX_CODE_FLOOR,
    GX_CODE_CEIL, /* likewise */
    GX_CODE_ADD,
    GX_CODE_SUB,
    GX_CODE_MUL,
    GX_CODE_DIV, /* floats; leaves at a divisor of 0 */
    GX_CODE_FLOORDIV,
    GX_CODE_MOD, /* ints; leave unless the divisor is positive */
    GX_CODE_AND,
    GX_CODE_OR,
    GX_CODE_XOR,
    GX_CODE_SHL,
    GX_CODE_SHR,
    GX_CODE_NEG,
    GX_CODE_ABS,
    GX_CODE_SQRT, /* leaves below 0 */
    GX_CODE_COMPARE,
    GX_CODE_NOT, /* of truths; AND and OR of truths are these: */
    GX_CODE_BOTH,
    GX_CODE_EITHER,
    GX_CODE_CHOOSE, /* a ? b : c */
    GX_CODE_FINITE, /* a, unless that is inf or nan */
    GX_CODE_CALL1,
    GX_CODE_CALL2, /* a C function of doubles */
    GX_CODE_ELEMENT, /* of an array, at list[0 … n-1] */
    GX_CODE_ITEM,    /* of the list a, at b */
    GX_CODE_LENGTH   /* of a list, or (NAME of an array) its first axis */
} gx_loop_op;

typedef struct gx_loop_expr {
    uint8_t op, type; /* gx_loop_op; gx_num of the result */
    uint8_t order;    /* COMPARE: gx_cmpop */
    bool exact;
    int16_t name; /* NAME, ELEMENT, LENGTH */
    int16_t n;
    struct gx_loop_expr *a, *b, *c;
    struct gx_loop_expr *list[GX_LOOP_AXES];
    union {
        int64_t i;
        double f;
        double (*call1)(double);
        double (*call2)(double, double);
    };
} gx_loop_expr;

typedef enum gx_loop_stmt_kind {
    GX_STMT_NOTHING,
    GX_STMT_TREE, /* left to the tree */
    GX_STMT_ASSIGN,
    GX_STMT_ASSERT,
    GX_STMT_IF,
    GX_STMT_WHILE,
    GX_STMT_FOR,
    GX_STMT_BREAK,
    GX_STMT_CONTINUE
} gx_loop_stmt_kind;

enum { GX_STMT_TARGETS = 6, GX_LOOP_CODES = 4000, GX_LOOP_SITES = 300 };

/* A statement. ASSIGN: targets[i] = values[i], all values before the first target; targets are
   NAME, ELEMENT or ITEM. FOR: targets[0] in range(values[0], values[1], step). */
typedef struct gx_loop_stmt {
    uint8_t kind;
    int8_t n;
    const gx_node *node, *block;
    int32_t index, site, depth;
    struct gx_loop_stmt *parent, *next; /* around it; after it in its block */
    struct gx_loop_stmt *body, *other;  /* first steps */
    gx_loop_expr *test;
    gx_loop_expr *targets[GX_STMT_TARGETS], *values[GX_STMT_TARGETS];
    int64_t step;            /* FOR */
    int16_t at, left, stride; /* FOR: cells */
    int16_t held[GX_STMT_TARGETS]; /* ASSIGN of several: cells of values and of places */
    int16_t places[GX_STMT_TARGETS];
} gx_loop_stmt;

typedef struct gx_lowered {
    gx_arena arena;
    const gx_loop_view *view;
    gx_loop_name names[GX_LOOP_NAMES];
    gx_loop_watch watched[GX_LOOP_NAMES];
    int name_count, watched_count, cell_count;
    bool is_float[GX_LOOP_CELLS]; /* by cell */
    double weight[GX_LOOP_CELLS]; /* how often it is used */
    gx_loop_stmt *loop;
    int site_count;
    double fast, slow; /* how often statements run as code, and in the tree */
    const gx_loop_name *older, *older_end; /* names of the version before it */
    int code_count; /* expressions so far */
    int depth;      /* of loops around what is lowered */
    bool changed;   /* what is known of names, in this pass */
    bool failed;    /* too much of something, or no memory */
} gx_lowered;

/* Fills *l; false: it cannot be done. The arena is the caller's to free either way. */
bool gx_loop_lower(gx_lowered *l, const gx_node *node, const gx_number_loop *older);
/* Machine code of *l into loop->code, with sites and the start. */
bool gx_loop_write(gx_lowered *l, gx_number_loop *loop);

#endif
