/* The functions scripts call. Each file of this folder exports tables: `const gx_native
   gx_<file>_functions[]`, ending in a row whose name is NULL, and optionally `const gx_constant
   gx_<file>_constants[]`. modules.def says which module shows which tables; nothing else is needed
   for a function to exist under np., cp. and its bare name, with help, near names and doctests.

   Rows of the numpy group with GX_NATIVE_METHOD are also methods of ndarray. */
#ifndef GX_STDLIB_STDLIB_H
#define GX_STDLIB_STDLIB_H

#include "runtime/base/compressed/compressed.h"
#include "runtime/object/module.h"
#include "runtime/object/native.h"

/* What an attribute that is no function is. */
typedef enum gx_constant_kind {
    GX_CONST_END, /* of a table */
    GX_CONST_NONE,
    GX_CONST_BOOL,   /* .i */
    GX_CONST_INT,    /* .i */
    GX_CONST_FLOAT,  /* .f */
    GX_CONST_STR,    /* .text */
    GX_CONST_TYPE,   /* .type */
    GX_CONST_ALIAS,  /* .text: another name of the same module */
    GX_CONST_MODULE, /* .text: a dotted module name; "~x": x below this module */
    GX_CONST_MAKE    /* .make builds it, once a module */
} gx_constant_kind;

typedef struct gx_constant {
    const char *name;
    gx_constant_kind kind;
    int64_t i;
    double f;
    const char *text;
    const gx_type *type;
    bool (*make)(gx_rt *rt, gx_namespace ns, gx_value *out);
} gx_constant;

/* Builtins and module registry; after gx_heap_new and gx_natives_new. */
GX_CHECK bool gx_stdlib_new(gx_rt *rt);
void gx_stdlib_free(gx_rt *rt);
/* The program's name and arguments, for sys.argv. The strings outlive rt. */
void gx_stdlib_set_argv(gx_rt *rt, int argc, char *const *argv);

/* Texts of the library that are written in gx are run by the interpreter, which says how: each in
   a module of its own in which np and sp are bound for the namespace, the same module each time. */
typedef bool (*gx_library_run)(gx_rt *rt, const char *name, const gx_compressed *text,
                               gx_namespace ns, gx_value *out);
extern const gx_native gx_library_natives[]; /* functions that only these texts have */
extern const struct gx_parameters gx_alias_parameters; /* python/alias.c */
void gx_library_set_run(gx_rt *rt, gx_library_run run);
GX_CHECK bool gx_library_module(gx_rt *rt, const char *name, const gx_compressed *text,
                                gx_namespace ns, gx_value *out);

/* What runs texts of the script: the interpreter says how. */
typedef struct gx_running {
    gx_native_fn eval, exec, compile, globals, locals, exception, frame, debug, import;
    void (*report)(gx_rt *rt); /* writes the message of the pending error and forgets it */
    bool (*path)(gx_rt *rt, gx_value *out); /* of sys */
    bool (*modules)(gx_rt *rt, gx_value *out);
} gx_running;
void gx_stdlib_set_running(gx_rt *rt, const gx_running *running);
const gx_running *gx_stdlib_running(gx_rt *rt);

/* A bare name: Python's builtins, then NumPy's functions, then modules that are predefined. *out is
   owned. The result may be cached by the caller: builtins never change. */
gx_try gx_builtin(gx_rt *rt, gx_sym name, gx_value *out);
/* A builtin module by its dotted name ("numpy", "os.path"); the same object each time.
   GX_TRY_NO: stdlib has no such module. */
gx_try gx_module_import(gx_rt *rt, const char *name, gx_value *out);
/* The nearest builtin name or module name, or NULL: for NameError and ModuleNotFoundError. */
const char *gx_builtin_near(gx_rt *rt, const char *name);
const char *gx_module_near(gx_rt *rt, const char *name);
/* Calls fn for every builtin name, and for every importable module. */
void gx_builtin_each(gx_rt *rt, void (*fn)(const char *name, void *ctx), void *ctx);
void gx_stdlib_each_module(gx_rt *rt, void (*fn)(const char *name, const char *doc, void *ctx),
                           void *ctx);
/* Calls fn for every function row, once a group ("numpy", "numpy.linalg", "math", "" for builtins);
   stops at the first false. */
GX_CHECK bool gx_stdlib_each_native(gx_rt *rt,
                                    bool (*fn)(gx_rt *rt, const char *module, const gx_native *row,
                                               void *ctx),
                                    void *ctx);
/* A function of the numpy group by name ("sum", "power"), made on first use; NULL: there is none.
 */
const gx_native *gx_numpy_function(gx_rt *rt, const char *name);
/* sys.stdout or another stream of sys as the script sees it; NO: it has not been asked for. */
gx_try gx_sys_stream(gx_rt *rt, const char *name, gx_value *out);
/* print, help and %-commands write here, or to what the script has bound as sys.stdout; flushes
   what stdio holds. False: an error. */
GX_CHECK bool gx_stdout_write(gx_rt *rt, const char *text, size_t length);
/* rt->warn_elsewhere. A warning may be told in the midst of anything, so that streams which a
   script's class makes are not written to. */
bool gx_stderr_replaced(gx_rt *rt, const char *text, size_t length);

#endif
