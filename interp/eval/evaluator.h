/* The evaluator's own structures: frames, functions, globals, and the evaluators of ast.def.

   An evaluator gets a frame and a node and writes an owned value; an executor returns a flow code.
   A failure is stamped with the innermost node's span on its way out. *out is written last, since
   it may lie in the value stack above the frame. */
#ifndef GX_INTERP_EVAL_EVALUATOR_H
#define GX_INTERP_EVAL_EVALUATOR_H

#include "interp/eval/interp.h"
#include "parser/ast.h"
#include "parser/parser.h"
#include "runtime/base/compressed/compressed.h"
#include "runtime/base/vec.h"
#include "runtime/object/class/class.h"
#include "runtime/object/module.h"
#include "runtime/object/native.h"

typedef enum gx_flow {
    GX_FLOW_NEXT,
    GX_FLOW_BREAK,
    GX_FLOW_CONTINUE,
    GX_FLOW_RETURN, /* the value is in frame.result */
    GX_FLOW_ERROR,
    GX_FLOW_YIELD /* only in generators: a generator function is left to be resumed */
} gx_flow;

/* What a script may set in place of what a function's code says (function_attrs.c). */
enum {
    GX_OWN_NAME,
    GX_OWN_QUALNAME,
    GX_OWN_DOC,
    GX_OWN_MODULE,
    GX_OWN_ANNOTATIONS,
    GX_OWN_CODE,
    GX_OWN_TYPE_PARAMS,
    GX_FUNC_OWN
};

/* A function of the script. */
typedef struct gx_func {
    gx_container head;
    gx_function *code;
    gx_module *globals;
    gx_value *fallbacks; /* one a parameter; UNDEF: none. NULL: no defaults at all */
    int32_t fallback_count, box_count;
    gx_box **boxes;      /* captured variables, code->capture_count of them */
    gx_value attrs;      /* dict of attributes the script has set, or UNDEF */
    gx_value *own;       /* GX_FUNC_OWN values in place of the code's (function_attrs.c), or NULL */
    int32_t simple;      /* number of parameters when all are plain and unboxed, else -1 */
} gx_func;

typedef struct gx_interp gx_interp;
typedef struct gx_frame {
    gx_value *slots;
    gx_module *globals;
    gx_rt *rt;
    gx_interp *vm;
    gx_box **boxes;
    const gx_function *code;
    gx_value result;         /* of `return`, and the REPL's last expression */
    struct gx_yielder *yielder; /* of a generator function; else NULL */
    struct gx_record *record;   /* there: of the innermost statement being run (record.h) */
    int guards;              /* try and with statements being executed */
    bool echo;               /* the REPL prints expression statements */
    bool top;                /* of a unit: its names are the module's */
    gx_value names;          /* NAMED names are looked for here first; borrowed, mostly UNDEF */
    struct gx_frame *outer;  /* the frame that was running before */
    gx_span caller;          /* and the statement that was running in it */
    const void *picture;     /* its latest frame object (dynamic.c), not owned */
} gx_frame;

/* An exception being handled by an except clause, for a bare `raise`; innermost first. */
typedef struct gx_handled {
    gx_value exception; /* borrowed from the clause's executor */
    struct gx_handled *outer;
} gx_handled;

struct gx_interp {
    gx_value *stack, *top,
        *end; /* the value stack: slots of running functions and call arguments */
    gx_handled *handled;
    gx_frame *frame; /* the innermost one that is running: whose names locals() gives */
    struct gx_texts *texts; /* of eval and exec: dynamic.c */
    gx_unit *linking; /* the unit that is being linked */
    int echoed;      /* values that entries have shown so far */
    gx_unit *units;              /* all that are alive */
    GX_VEC(gx_value) modules;    /* module files loaded or loading */
    gx_value loaded;             /* sys.modules, a dict; UNDEF: none yet */
    char *folder;                /* of the script: where `import` looks first; owned */
    gx_sym append, get, main_name; /* the names "append", "get", "__main__" */
    gx_value slice;              /* the last slice of plain values, or UNDEF (eval.c) */
    bool leaving;                /* the program is being torn down */
    uint8_t messages;            /* gx_messages: how much they say */
    struct gx_teach *teach;      /* what notes have been given; NULL: none (teach.c) */
    struct gx_debugger *debugger; /* NULL: there was none yet (debug/debugger.h) */
    struct gx_reads *reads;      /* of elements on the GPU; NULL: none (element_reads.c) */
};

/* --errors, GX_ERRORS and %errors. */
typedef enum gx_messages { GX_MESSAGES_NORMAL, GX_MESSAGES_SHORT, GX_MESSAGES_TEACH } gx_messages;

/* --- evaluators ------------------------------------------------------------------------------- */
/* Those of ast.def, and the quicker ones that link.c and eval_quick.c put in their place. */
#define EXPR(kind, fn, doc) bool gx_##fn(gx_frame *f, const gx_node *n, gx_value *out);
#define STMT(kind, fn, doc) int gx_##fn(gx_frame *f, const gx_node *n);
#define COMPOUND(kind, fn, doc)                                                                    \
    STMT(kind, fn, doc) int gx_##fn##_resumed(gx_frame *f, const gx_node *n);
#include "parser/ast.def"
#define QUICK(fn) bool gx_##fn(gx_frame *f, const gx_node *n, gx_value *out);
#define QUICK_STMT(fn) int gx_##fn(gx_frame *f, const gx_node *n);
QUICK(eval_local)
QUICK(eval_global)
QUICK(eval_add)
QUICK(eval_sub)
QUICK(eval_mul)
QUICK(eval_div)
QUICK(eval_mod)
QUICK(eval_floordiv)
QUICK(eval_add_const)
QUICK(eval_sub_const)
QUICK(eval_mul_const)
QUICK(eval_add_locals)
QUICK(eval_sub_locals)
QUICK(eval_mul_locals)
QUICK(eval_ifexp_const)
QUICK(eval_attr_local)
QUICK(eval_index_quick)
QUICK(eval_slice_quick)
QUICK(eval_call_plain)
QUICK(eval_call_method)
QUICK_STMT(exec_if_const)
QUICK_STMT(exec_assign_local)
QUICK_STMT(exec_assign_index)
QUICK_STMT(exec_assign_attr)
QUICK_STMT(exec_aug_local)
#undef QUICK
#undef QUICK_STMT

/* op of a TUPLE or LIST whose items are names of locals, as targets often are (link.c). */
enum { GX_TARGETS_LOCAL = 1 };

static inline bool gx_eval(gx_frame *f, const gx_node *n, gx_value *out) {
    return n->eval(f, n, out);
}
static inline int gx_exec(gx_frame *f, const gx_node *n) {
    return n->exec(f, n);
}
/* An operand's value: borrowed (*own false) where that is safe, from locals and constants, which
   nothing can rebind while an expression is evaluated. */
static inline bool gx_peek(gx_frame *f, const gx_node *n, gx_value *v, bool *own) {
    if (n->eval == gx_eval_local) {
        *v = f->slots[n->slot];
        if (GX_LIKELY(v->tag != GX_UNDEF)) {
            *own = false;
            return true;
        }
    } else if (n->eval == gx_eval_constant) {
        *v = n->constant;
        *own = false;
        return true;
    }
    *own = true;
    return n->eval(f, n, v);
}
static inline void gx_release(gx_value v, bool own) {
    if (own) gx_drop(v);
}
/* a op b for two ints; op is one of the six orders. */
static inline bool gx_compare_ints(int op, int64_t a, int64_t b) {
    switch (op) {
    case GX_EQ: return a == b;
    case GX_NE: return a != b;
    case GX_LT: return a < b;
    case GX_LE: return a <= b;
    case GX_GT: return a > b;
    default: return a >= b;
    }
}
/* For ** of anything with keys(): *v becomes a dict of it; other values stay as they are. */
GX_CHECK bool gx_as_mapping(gx_rt *rt, gx_value *v);
/* Gives a node a quicker evaluator where its children allow (eval_quick.c). */
void gx_quicken(gx_node *n);
/* The truth of a condition, without making a value of a comparison. */
GX_CHECK bool gx_test(gx_frame *f, const gx_node *n, bool *out);

/* --- locate.c: where a failure is shown. All return false --- */
/* Sets the pending error's place to the node, unless an inner node has set it. */
bool gx_locate(gx_frame *f, const gx_node *n);
bool gx_locate_at(gx_frame *f, gx_span at);
/* The statement of the script that runs, where the library's text is running for it too. */
gx_span gx_script_at(const gx_rt *rt);
/* As gx_locate for `a op b`: underlines both operands and says what they hold. */
bool gx_locate_binary(gx_frame *f, const gx_node *n, const gx_node *a, const gx_node *b,
                     gx_borrowed x, gx_borrowed y);
/* As gx_locate for a[b], a.name: marks the operand. */
bool gx_locate_part(gx_frame *f, const gx_node *n, const gx_node *a, gx_borrowed x);
/* NameError for a name that is not bound, with the nearest names. */
bool gx_locate_name(gx_frame *f, const gx_node *n);
/* a.name for an ATTR node whose operand is at hand; storing one. Each fails at its place. Fields of
   instances are found where the node has found them before. */
GX_CHECK bool gx_read_other(gx_frame *f, const gx_node *n, gx_borrowed a, gx_value *out);
GX_CHECK bool gx_store_other(gx_frame *f, const gx_node *n, gx_borrowed a, gx_borrowed v);
static inline GX_CHECK bool gx_read_attr(gx_frame *f, const gx_node *n, gx_borrowed a,
                                         gx_value *out) {
    const gx_value *place = gx_is_object(a) ? gx_memo_field(f->rt, n->memo, a) : NULL;
    if (!place) return gx_read_other(f, n, a, out);
    *out = gx_keep(*place);
    return true;
}
static inline GX_CHECK bool gx_store_attr(gx_frame *f, const gx_node *n, gx_borrowed a,
                                          gx_borrowed v) {
    const gx_field_memo *memo = n->memo;
    gx_value *place = gx_is_object(a) ? gx_memo_field(f->rt, memo, a) : NULL, old;
    if (!place || !memo->direct) return gx_store_other(f, n, a, v);
    old = *place;
    *place = gx_keep(v);
    gx_drop(old);
    return true;
}
/* One line about a value: "int64 (3, 4)", "str", "list of 3". Never fails; "" without memory. */
void gx_describe(gx_rt *rt, gx_borrowed v, gx_buf *out);

/* --- notes and helps of the pending error (interp/errors/suggest.c, suggest_operand.c) --- */
/* Operands of a op b that fit when they are transposed, widened, multiplied as matrices. */
void gx_suggest_operands(gx_frame *f, const gx_node *n, const gx_node *a, const gx_node *b,
                         gx_borrowed x, gx_borrowed y);
/* The same for f(a, b). */
void gx_suggest_arguments(gx_frame *f, const gx_node *call);
/* A call of what is no function. */
void gx_suggest_call(gx_frame *f, const gx_node *call);
/* A loop over an int. */
void gx_suggest_range(gx_frame *f, const gx_node *n);
/* A condition n whose value is an array. */
void gx_suggest_truth(gx_frame *f, const gx_node *n, gx_borrowed v);
/* x[i] with i one too large. */
void gx_suggest_last(gx_frame *f, const gx_node *n, gx_borrowed x);
/* After a failed x[…] of a function: () calls it. */
void gx_suggest_brackets(gx_frame *f, const gx_node *n, gx_borrowed x);
/* The axes that the array of a call has. */
void gx_suggest_axes(gx_frame *f, const gx_node *call);
/* Memory is out: the largest arrays that names of the frame hold. The GPU is lost: which of them
   went with it. */
void gx_suggest_held(gx_frame *f);

/* --- assign.c --- */
/* a, b = c, d without a tuple: as many targets as values, no stars. */
int gx_exec_assign_parts(gx_frame *f, const gx_node *n);
/* Binds a target (NAME, ATTR, INDEX, TUPLE, LIST, STARRED inside) to a value. */
GX_CHECK bool gx_assign(gx_frame *f, const gx_node *target, gx_borrowed v);
/* As gx_assign for an INDEX. */
GX_CHECK bool gx_assign_index(gx_frame *f, const gx_node *n, gx_borrowed v);
/* As gx_assign; the value is consumed, also on failure. */
GX_CHECK bool gx_assign_take(gx_frame *f, const gx_node *target, gx_value v);
/* Where the value of a NAME lives that is not NAMED; never NULL. */
gx_value *gx_name_place(gx_frame *f, const gx_node *name);
/* Unbinds a NAME, bound or not. */
void gx_unbind(gx_frame *f, const gx_node *name);
/* names.c: NAMED names. Reading gives NO when nothing has the name; builtins are asked too. */
gx_try gx_name_get(gx_frame *f, const gx_node *n, gx_value *out);
GX_CHECK bool gx_name_set(gx_frame *f, const gx_node *n, gx_borrowed v);
/* Removes; NO: it was not bound. */
gx_try gx_name_remove(gx_frame *f, const gx_node *n);
/* A dict of what a frame's names hold now, captured ones included. */
GX_CHECK bool gx_frame_names(const gx_frame *f, gx_value *out);
/* globals.c: a module's names as a mapping that is live; the same one each time. */
GX_CHECK bool gx_globals_view(gx_rt *rt, gx_module *m, gx_value *out);
/* The module of such a mapping, or NULL. */
gx_module *gx_globals_of(gx_borrowed v);
/* dynamic.c: sys._getframe(depth). */
GX_CHECK bool gx_frame_picture(gx_call *c, gx_value *out);
/* dynamic.c: locals() in a frame. */
GX_CHECK bool gx_frame_locals(gx_rt *rt, const gx_frame *f, gx_value *out);
/* dynamic.c: eval, exec, compile, globals and locals. */
void gx_dynamic_start(gx_rt *rt);
void gx_dynamic_free(gx_rt *rt, gx_interp *vm);
/* Evaluates the subscript of an INDEX: a SLICE, a TUPLE with SLICEs, or any expression. */
GX_CHECK bool gx_eval_key(gx_frame *f, const gx_node *n, gx_value *out);

/* --- call.c, bind.c, function.c --- */
extern const gx_type gx_type_function, gx_type_generator;
static inline gx_func *gx_as_func(gx_borrowed v) {
    return (gx_func *)v.obj;
}
/* A function made from its code in the frame that executes its def or lambda. */
GX_CHECK bool gx_func_new(gx_frame *f, const gx_node *n, gx_value *out);
/* function_attrs.c: its slots for attributes. */
bool gx_func_repr(gx_rt *rt, gx_borrowed v, gx_buf *out);
gx_try gx_func_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out);
gx_try gx_func_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);
extern const gx_member gx_func_members[];
extern const gx_native gx_func_methods[];
/* code_object.c: f.__code__, and a cell of f.__closure__. */
GX_CHECK bool gx_code_new(gx_rt *rt, const gx_function *code, gx_value *out);
GX_CHECK bool gx_cell_new(gx_rt *rt, gx_box *box, gx_value *out);
/* Room for `count` values on the value stack; RecursionError when it is used up. */
bool gx_stack_full(gx_rt *rt);
static inline GX_CHECK bool gx_stack_room(const gx_interp *vm, gx_rt *rt, const gx_value *base,
                                          int64_t count) {
    return GX_LIKELY(vm->end - base > count) || gx_stack_full(rt);
}
/* Runs a function whose arguments stand in slots[0 … argc-1] at vm->top's place, all plain; the
   slots are dropped. `at` is the call's span, for the trace; NULL from C. */
GX_CHECK bool gx_run_simple(gx_rt *rt, gx_func *fn, gx_value *slots, int argc, const gx_span *at,
                            gx_value *out);
/* What an annotation's text stands for, with the module's names and those of a dict (or UNDEF);
   the text where it fails. */
GX_CHECK bool gx_annotation_value(gx_rt *rt, gx_module *globals, gx_borrowed names,
                                  const char *text, gx_value *out);
/* Calls a function of the script with any arguments. */
GX_CHECK bool gx_func_call(gx_rt *rt, gx_func *fn, int argc, const gx_borrowed *argv, int kwc,
                           const gx_sym *kw, const gx_span *at, gx_value *out);
/* Puts arguments into the slots of a function: defaults, keywords, *args, **kwargs. On failure
   everything bound so far is dropped. */
GX_CHECK bool gx_bind(gx_rt *rt, gx_func *fn, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *slots);
/* Wraps boxed parameters and makes boxes for boxed locals. */
GX_CHECK bool gx_bind_boxes(gx_rt *rt, const gx_function *code, gx_value *slots);
/* gen_object.c: a suspended call of a generator function; takes over what is in the slots. */
GX_CHECK bool gx_yielder_new(gx_rt *rt, gx_func *fn, gx_value *slots, gx_value *out);
/* comp.c: empties the slots of a comprehension or of TYPES, and makes their boxes when `start`. */
GX_CHECK bool gx_reset_slots(gx_frame *f, const gx_node *n, bool start);
/* exec_class.c: a def with type parameters. */
GX_CHECK bool gx_make_generic(gx_frame *f, const gx_node *n, gx_value *out);
/* What `make` makes, passed through the statement's decorators and bound. */
int gx_exec_decorated(gx_frame *f, const gx_node *n,
                      bool (*make)(gx_frame *, const gx_node *, gx_value *));
/* Captures the boxes an inner function needs from the frame that makes it. */
GX_CHECK bool gx_capture_boxes(gx_frame *f, const gx_function *code, gx_box ***out);

/* --- comp.c, generator.c --- */
/* A loop over anything without making an iterator for lists, tuples and ranges. */
typedef struct gx_iteration {
    gx_value over; /* owned: the list, tuple, range or iterator */
    int64_t at;
} gx_iteration;
GX_CHECK bool gx_loop_start(gx_frame *f, const gx_node *iterable, gx_iteration *l);
/* As gx_loop_start over a value, which is consumed. */
GX_CHECK bool gx_loop_over(gx_rt *rt, gx_value v, gx_iteration *l);
GX_CHECK bool gx_loop_next(gx_rt *rt, gx_iteration *l, gx_value *out, bool *more);
static inline void gx_loop_end(gx_iteration *l) {
    gx_drop(l->over);
    l->over = gx_undef();
}

/* --- globals.c, link.c, modules/import.c, run.c --- */
/* A frame for a unit's top level on the value stack; gx_frame_end drops what it holds. */
GX_CHECK bool gx_frame_begin(gx_rt *rt, gx_unit *unit, gx_module *g, gx_frame *f);
void gx_frame_end(gx_frame *f);
/* One more line of the trace: the failure leaves the code that was called at `at`. */
void gx_trace_add(gx_rt *rt, const gx_function *code, const gx_span *at);
/* One that only tracebacks show. */
void gx_trace_add_quiet(gx_rt *rt, gx_sym function, gx_span at);
/* The slots that a parse has added to a module's map get their places. */
GX_CHECK bool gx_globals_grow(gx_rt *rt, gx_module *g);
/* Binds a name given as text. */
GX_CHECK bool gx_globals_set_c(gx_rt *rt, gx_module *g, const char *name, gx_borrowed v);

/* sys.path at the start, and sys.modules. */
GX_CHECK bool gx_import_path(gx_rt *rt, gx_value *out);
GX_CHECK bool gx_import_loaded(gx_rt *rt, gx_value *out);
/* A module by its dotted name: stdlib's, or a file's. */
GX_CHECK bool gx_import(gx_rt *rt, const char *name, gx_value *out);
/* The module of a text of the library that is written in gx (stdlib/library/text.c). */
GX_CHECK bool gx_import_library_text(gx_rt *rt, const char *name, const gx_compressed *text,
                                     gx_namespace ns, gx_value *out);
/* Binds every public name of a module in another one: `from m import *`. */
GX_CHECK bool gx_import_all(gx_rt *rt, gx_module *m, gx_module *into);
/* A new module with __name__, listed in vm->modules; *out is another reference. */
GX_CHECK bool gx_main_module(gx_rt *rt, const char *name, gx_value *out);
/* A module that no import finds; it lives until the end. */
GX_CHECK bool gx_new_module(gx_rt *rt, const char *name, gx_value *out);

/* Drops what modules hold (open files are closed), keeping everything else for a quick exit. */
void gx_interp_end(gx_rt *rt);

/* --- unit.c --- */
/* Calls `enter` (or NULL) for a function and those in it, and `visit` for their nodes, children
   first. False: visit has failed, or the C stack is used up. */
typedef bool (*gx_node_fn)(gx_rt *rt, gx_node *n);
typedef void (*gx_function_fn)(gx_function *fn);
GX_CHECK bool gx_unit_visit(gx_rt *rt, gx_function *fn, gx_node_fn visit, gx_function_fn enter);
/* Hangs a unit on the interpreter's list, with one user. */
void gx_unit_add(gx_rt *rt, gx_unit *unit);
/* Drops the constants of all units: the interpreter ends. */
void gx_units_unlink(gx_rt *rt);

/* A unit lives while something runs or may run it: who has loaded it, its frames, functions and
   generators. Its source is retired with it. */
static inline void gx_unit_keep(gx_unit *unit) {
    unit->users++;
}
void gx_unit_drop(gx_unit *unit);
/* Links what the parser has made; the caller owns it then. On failure it is gone. */
GX_CHECK bool gx_unit_begin(gx_rt *rt, gx_unit *unit);
/* Parses a source for a module and links it; errors are reported by the caller. *out is dropped by
   the caller. A source that has no unit in the end is retired, an incomplete one is not. */
gx_parse_status gx_load(gx_rt *rt, uint32_t source, gx_module *g, bool interactive, gx_unit **out,
                        gx_parse_errors *errors);
/* __doc__ of a module whose text begins with a docstring; entries of a prompt have none. */
GX_CHECK bool gx_bind_doc(gx_rt *rt, gx_module *g, const gx_unit *unit);
/* Runs a unit's body in a module; `echo` as in gx_frame. */
GX_CHECK bool gx_run_unit(gx_rt *rt, gx_unit *unit, gx_module *g, bool echo);
/* As gx_run_unit; *out is the value of a final expression statement, else None. */
GX_CHECK bool gx_run_value(gx_rt *rt, gx_unit *unit, gx_module *g, gx_value *out);
/* As gx_run_unit, one top-level statement only: for `gx test`. */
GX_CHECK bool gx_run_statement(gx_rt *rt, gx_unit *unit, gx_module *g, int32_t i);

/* Prints the value of an expression statement at the prompt, and binds `_` (session/entry.c). */
GX_CHECK bool gx_echo(gx_frame *f);
/* Raises an exception of a kind with one argument. Always returns false. */
bool gx_raise_with(gx_rt *rt, gx_error_kind kind, gx_borrowed argument);

/* --- teach.c: notes about what is no error (--errors=teach) --- */
/* Puts the evaluators that teach into a node that has been linked. */
void gx_teach_link(gx_node *n);
/* Forgets which notes have been given. */
void gx_teach_free(gx_rt *rt, gx_interp *vm);

/* element_reads.c: an element of an array was read while there is a GPU: one by one is slow, and
   told once. */
void gx_element_read(gx_frame *f, const gx_node *n, gx_borrowed a);

/* --- report.c --- */
/* How much messages say from now on: "short", "normal" or "teach"; and the word for it now. */
GX_CHECK bool gx_messages_set(gx_rt *rt, const char *level);
const char *gx_messages_name(const gx_rt *rt);
/* Prints the pending error to stderr and forgets it. */
void gx_report(gx_rt *rt);
/* As gx_report, into a buffer, keeping the error. */
GX_CHECK bool gx_report_text(gx_rt *rt, gx_buf *out);
/* The first line of the message only. */
GX_CHECK bool gx_report_head(gx_rt *rt, gx_buf *out);
/* Prints what is no error: "note: TEXT  [CODE]", its place, and a help unless that is NULL. */
void gx_report_note(gx_rt *rt, const char *what, gx_span at, const char *code, const char *text,
                    const char *help);
/* Prints every syntax error of a parse and forgets them and the pending error. */
void gx_report_syntax(gx_rt *rt, gx_parse_errors *errors);
/* When the pending error is SystemExit: true and the exit status (its message is printed). */
bool gx_report_exit(gx_rt *rt, int *status);

/* The bits of two small ints; false: the general operator is needed. */
static inline bool gx_quick_bits(unsigned op, int64_t x, int64_t y, gx_value *out) {
    switch (op) {
    case GX_BITAND: *out = gx_int(x & y); return true;
    case GX_BITOR: *out = gx_int(x | y); return true;
    case GX_BITXOR: *out = gx_int(x ^ y); return true;
    case GX_RSHIFT:
        if (y < 0 || y > 63) return false;
        *out = gx_int(x >> y);
        return true;
    case GX_LSHIFT:
        if (x < 0 || y < 0 || y > 62 || x > INT64_MAX >> y) return false;
        *out = gx_int((int64_t)((uint64_t)x << y));
        return true;
    default: return false;
    }
}

#endif
