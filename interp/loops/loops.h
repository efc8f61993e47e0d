/* Loops over numbers as machine code. A `while`, or a `for` over a range, whose body is mostly
   arithmetic on numbers and on elements of arrays and lists is compiled for the types that its
   names have once it has run for a while (lower.c decides the types, emit.c writes the code).

   What the code cannot do it leaves: an int that outgrows 64 bits, an index out of range, a call of
   the script. Then it returns the number of a site: the statement that the tree of evaluators is to
   run in its place, from its beginning. Nothing of that statement has been done, and every name
   holds its value in a cell. So all errors, warnings and rare cases are the evaluators'.
   interp/eval/loop/hot_loop.c moves names into cells and back, and runs what is left to the tree.
 */
#ifndef GX_INTERP_LOOPS_LOOPS_H
#define GX_INTERP_LOOPS_LOOPS_H

#include "parser/ast.h"
#include "runtime/array/array.h"

/* What an expression or a name is known to be. NumPy's scalars are kinds of their own. */
typedef enum gx_num {
    GX_NUM_NONE, /* nothing that the code can work with */
    GX_NUM_BOOL,
    GX_NUM_INT,
    GX_NUM_FLOAT,
    GX_NUM_NBOOL,  /* numpy.bool */
    GX_NUM_NINT,   /* numpy.int64 */
    GX_NUM_NFLOAT, /* numpy.float64 */
    GX_NUM_LIST,   /* a list, not of a subclass */
    GX_NUM_ARRAY   /* an array of float64, int64 or bool with 1 to 3 axes, on the host */
} gx_num;

enum { GX_LOOP_AXES = 3, GX_LOOP_NAMES = 40, GX_LOOP_CELLS = 200, GX_LOOP_VERSIONS = 4 };

/* A name of the loop. Its cell holds the number, the list, or the array's first element. */
typedef struct gx_loop_name {
    const gx_node *node;
    uint8_t type;      /* gx_num */
    bool assigned;     /* by the code */
    bool loose;        /* may hold a value of another type: `flag` tells, which is 1 for its own */
    bool stored;       /* ARRAY: elements are stored */
    uint8_t ndim;      /* ARRAY: */
    bool dense;        /* the last stride is the size of an element */
    uint16_t dtype;
    int16_t cell, flag;
    int16_t dims, strides; /* ARRAY: the first of ndim cells each */
} gx_loop_name;

/* Something that names must still mean for the code to be right: a builtin function. */
typedef struct gx_loop_watch {
    const gx_node *node; /* a NAME, or an ATTR of one */
    gx_value value;      /* what it gave; only inline values */
} gx_loop_watch;

/* A statement that can be left to the tree, or that holds such ones. */
typedef struct gx_loop_site {
    const gx_node *node;
    const gx_node *block; /* the BLOCK it stands in, at `index`; NULL: an `elif`, or the loop */
    int32_t index;
    int32_t parent;  /* site of the statement around it; -1: it is the loop */
    bool is_range;
    int16_t at, left; /* cells of a range's state: `left` rounds with this one */
    int32_t step;
    uint32_t resume; /* where the code goes on after it */
} gx_loop_site;

/* What the code returns beside numbers of sites. */
enum { GX_LOOP_DONE = -1, GX_LOOP_STOP = -2 }; /* STOP - site: the program must stop there */

typedef struct gx_number_loop {
    struct gx_number_loop *older; /* versions before it, which may still be running */
    gx_loop_name *names;
    gx_loop_watch *watched;
    gx_loop_site *sites;
    int32_t name_count, watched_count, site_count, cell_count;
    int16_t at, left, step; /* of the loop itself, if it is a for */
    uint32_t start;     /* where it begins: before the test, or a round of the range */
    uint8_t *code;
    size_t size;
} gx_number_loop;

/* What the compiler asks of the frame. Values are borrowed, and UNDEF where nothing is bound. */
typedef struct gx_loop_view {
    gx_rt *rt;
    gx_borrowed (*value)(void *frame, const gx_node *name);
    /* What a call of a NAME or of module.name would call; only inline values. */
    gx_value (*callee)(void *frame, const gx_node *n);
    /* Is v the function of this name in the module math, or a builtin one (module NULL)? */
    bool (*is_function)(gx_rt *rt, gx_borrowed v, const char *module, const char *name);
    void *frame;
} gx_loop_view;

/* Sets what a value is known to be: type, and of an array ndim, dtype, dense. */
void gx_loop_describe(gx_rt *rt, gx_borrowed v, gx_loop_name *name);
/* Is there a compiler for this processor? */
bool gx_loops_possible(void);
/* The code of a loop for the types that its names have now; `older`: the version before it, from
   which it learns which names change their type, or NULL. NULL: it is not worth it, or cannot be
   done; nothing is pending. */
gx_number_loop *gx_loop_compile(const gx_loop_view *view, const gx_node *node,
                                gx_number_loop *older);
/* Runs code on its cells from an address in it. */
int64_t gx_loop_run(const gx_number_loop *loop, int64_t *cells, uint32_t from);
/* Frees a version and those before it. */
void gx_loop_free(gx_rt *rt, gx_number_loop *loop);

/* What a loop's node keeps in `memo`, once it is hot. */
typedef struct gx_hot {
    gx_number_loop *loop; /* the latest version, or NULL */
    int versions, misses;
    bool dead; /* it is not worth it */
} gx_hot;
/* Frees it. */
void gx_hot_free(gx_rt *rt, gx_node *n);

#endif
