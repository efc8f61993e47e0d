/* Scopes while names are resolved: scope.c collects what each scope binds and uses, resolve.c turns
   that into slots. They live until the unit is resolved. */
#ifndef GX_PARSER_SCOPE_INT_H
#define GX_PARSER_SCOPE_INT_H

#include "parser/parser_int.h"

typedef enum gx_scope_kind {
    GX_SCOPE_OF_MODULE,
    GX_SCOPE_OF_FUNCTION,
    GX_SCOPE_OF_CLASS,
    GX_SCOPE_OF_COMP
} gx_scope_kind;

enum {
    GX_VAR_BOUND = 1,
    GX_VAR_PARAM = 2,
    GX_VAR_USED = 4,
    GX_VAR_GLOBAL = 8,
    GX_VAR_NONLOCAL = 16,
    GX_VAR_CAPTURED = 32, /* an inner function shares it */
    GX_VAR_FREE = 64,     /* a captured box of this function; free_slot */
    GX_VAR_ASKED = 128    /* a class's __prepare__ may bind it: a slot, before the global one */
};

typedef struct gx_var {
    gx_sym name;
    uint8_t flags;
    uint8_t scope; /* gx_scope, once resolved */
    int32_t slot;  /* bound: its frame slot; at the end: what NAMEs get */
    int32_t free_slot;
    int32_t global_slot; /* a class body's name: where it is looked for while unbound */
    gx_span at;          /* of a nonlocal declaration */
} gx_var;

typedef struct gx_name_ref {
    gx_node *node;
    int32_t var;
} gx_name_ref;

typedef struct gx_scope_info gx_scope_info;
struct gx_scope_info {
    gx_scope_kind kind;
    gx_scope_info *parent, *next; /* next: in order of creation, parents before children */
    gx_scope_info *frame;         /* the function or module whose frame holds its names */
    gx_function *function;        /* of the frame */
    gx_node *comp;
    bool prepared; /* of a class that may have a metaclass with __prepare__ */
    gx_map names;  /* to vars */
    GX_VEC(gx_var) vars;
    GX_VEC(gx_name_ref) refs;
    GX_VEC(gx_capture) captures;
};

typedef struct gx_resolver {
    gx_parser *p;
    gx_rt *rt;
    gx_map *globals;
    gx_scope_info *first, *last;
} gx_resolver;

/* The entry of a name, made when new; -1: memory. */
int32_t gx_scope_var(gx_resolver *r, gx_scope_info *s, gx_sym name);
/* resolve.c: slots, captures and boxes of all scopes, then every NAME. */
GX_CHECK bool gx_scope_assign(gx_resolver *r);

#endif
