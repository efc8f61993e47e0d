/* The syntax tree: one node shape; ast.def says what the fields mean for each kind. Nodes live in
   the unit's arena. The parser fills everything but eval/exec and constant, which interp sets when
   it links a unit. The parser knows nothing of the runtime. */
#ifndef GX_PARSER_AST_H
#define GX_PARSER_AST_H

#include "runtime/base/arena.h"
#include "runtime/base/map.h"
#include "runtime/base/operator.h"
#include "runtime/base/rt.h"

typedef enum gx_kind {
#define EXPR(kind, fn, doc) GX_NODE_##kind,
#define STMT(kind, fn, doc) GX_NODE_##kind,
#define PART(kind, doc) GX_NODE_##kind,
#include "parser/ast.def"
    GX_NODE_KINDS
} gx_kind;

/* Where a name lives. */
typedef enum gx_scope {
    GX_SCOPE_GLOBAL, /* slot: in the module's globals */
    GX_SCOPE_LOCAL,  /* slot: in the frame */
    GX_SCOPE_BOXED,  /* slot: in the frame, a GX_BOX there: an inner function shares it */
    GX_SCOPE_FREE,   /* slot: in the running function's captured boxes */
    GX_SCOPE_CLASS,  /* a class body's own name: slot in the frame; while that is unbound, the
                        module's slot `length` */
    GX_SCOPE_NAMED   /* a global of a text that may run in any module: found by its name */
} gx_scope;

/* What a pattern of a match statement accepts. */
typedef enum gx_pattern {
    GX_PATTERN_VALUE,   /* == a */
    GX_PATTERN_IS,      /* is a: None, True, False */
    GX_PATTERN_CAPTURE, /* anything; bound to the NAME a, unless that is NULL: _ */
    GX_PATTERN_LIST,    /* a sequence of the patterns in list, of which one may be a REST */
    GX_PATTERN_REST,    /* *a within a LIST; a NULL: *_ */
    GX_PATTERN_DICT,    /* list: key, pattern, key, pattern …; b: NAME of ** or NULL */
    GX_PATTERN_CLASS,   /* an a(list): patterns, then KEYWORDs with patterns */
    GX_PATTERN_OR,      /* one of list */
    GX_PATTERN_AS       /* a, bound to the NAME b as well */
} gx_pattern;

typedef struct gx_node gx_node;
typedef struct gx_function gx_function;
struct gx_frame; /* interp/eval/evaluator.h, as gx_func is */
struct gx_func;
typedef bool (*gx_eval_fn)(struct gx_frame *f, const gx_node *n, gx_value *out);
typedef int (*gx_exec_fn)(struct gx_frame *f, const gx_node *n);

struct gx_node {
    union {
        gx_eval_fn eval; /* EXPR */
        gx_exec_fn exec; /* STMT */
    };
    uint16_t kind;  /* gx_kind */
    uint8_t op;     /* of a NAME: 1 when it is declared global */
    uint8_t scope;  /* NAME: gx_scope; STMT: 1 when a yield is inside */
    int32_t slot;   /* NAME */
    gx_sym name;
    int32_t n;      /* entries of list */
    gx_node *a, *b, *c, **list;
    union {
        const char *text; /* INT, STR, BYTES, FIELD; NUL-terminated */
        double number;    /* FLOAT, IMAG */
        gx_function *function;
        uint8_t *ops;     /* CHAIN: n - 1 gx_cmpops */
        void *memo;       /* interp's: CALL: what is known of the function that it calls; ATTR: a
                             gx_field_memo */
        uint8_t *boxed;   /* LISTCOMP, SETCOMP, DICTCOMP, TYPES: see below; NULL: none is boxed */
    };
    size_t length;      /* of text; of a comprehension: how many hidden slots it has */
    gx_span at;         /* the whole construct */
    gx_span op_at;      /* the operator, the attribute's name, the opening parenthesis of a call */
    gx_value constant;  /* interp's: constants, inline caches; owned by the unit */
};

/* Comprehensions run in the frame of the function around them (generator expressions are functions
   of their own). LISTCOMP, SETCOMP and DICTCOMP own the hidden frame slots slot to slot+length-1,
   one for each name their targets bind, shared with nothing else. When one starts, each of these
   slots is made empty, or holds a fresh GX_BOX where boxed[i] is set (an inner function shares it;
   the NAMEs then are BOXED); when it ends, by whatever way, they are emptied again. They are not in
   gx_function.boxed. list[0]->b, the outermost iterable, belongs to the scope
   outside. TYPES have such slots while their statement is executed.
   GENEXP: function->params[0] is the outermost iterable (slot 0); function->body is the GENEXP node
   itself, so do not follow body when walking from the node down: walk a from the maker's side; list
   and b are the function's inside. */

typedef enum gx_param_kind {
    GX_PARAM_PLAIN, GX_PARAM_POSONLY, GX_PARAM_KWONLY, GX_PARAM_STAR, GX_PARAM_STARSTAR
} gx_param_kind;

typedef struct gx_param {
    gx_sym name;
    uint8_t kind;
    bool boxed;        /* an inner function shares it: the frame slot must hold a GX_BOX */
    int32_t slot;      /* frame slot; parameters take slots 0, 1, 2 … in order */
    gx_node *fallback; /* default value expression or NULL */
    const char *annotation; /* its text, or NULL */
    gx_span at;
} gx_param;

/* Where an inner function takes a captured box from when it is made. */
typedef struct gx_capture {
    gx_sym name;
    bool from_free; /* the maker's captured boxes; else the maker's frame */
    int32_t slot;
} gx_capture;

/* What a def, lambda, generator expression or module unit needs to run. */
struct gx_function {
    struct gx_unit *unit; /* that it is a part of */
    const char *qualname; /* with what is around it: "Point.norm", "outer.<locals>.inner" */
    gx_sym name; /* "<lambda>", "<genexpr>", "<module>" */
    gx_sym title; /* "forward(a, b)" once a traceback has shown it, or 0 */
    gx_param *params;
    int32_t param_count;
    int32_t slots;      /* frame slots: parameters, locals, hidden ones of comprehensions */
    gx_sym *slot_names; /* by slot; 0: hidden */
    int32_t *boxed;     /* slots of non-parameters that must hold a fresh GX_BOX at entry */
    int32_t boxed_count;
    gx_capture *captures;
    int32_t capture_count;
    gx_node *body; /* def, module: BLOCK; lambda: an expression; GENEXP: the GENEXP node itself */
    const char *doc; /* docstring or NULL */
    const char *returns; /* the annotation behind ->, as text, or NULL */
    /* What a call gives once its arguments are bound, in place of running the body: a generator
       (link.c). NULL: the body runs. */
    bool (*begin)(gx_rt *rt, struct gx_func *fn, gx_value *slots, gx_value *out);
    bool is_generator; /* GENEXP, or its body has `yield` */
    gx_span at;
};

/* One parsed text. Lives as long as anything made from it: interp counts. */
typedef struct gx_unit {
    gx_arena arena;
    int64_t users;
    struct gx_unit **place, *next; /* in interp's list */
    uint32_t source;
    gx_function *main; /* the module's body; its names are GLOBAL, comprehension names LOCAL */
    bool named;        /* eval, exec: what would be GLOBAL is NAMED */
} gx_unit;

/* Kind names ("BINARY") and a text dump, one node a line, for tests. */
const char *gx_kind_name(gx_kind kind);
struct gx_buf;
GX_CHECK bool gx_ast_dump(gx_rt *rt, const gx_node *n, struct gx_buf *out);

#endif
