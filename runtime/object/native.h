/* Builtin functions. A function is a C function and its row beside it:
     { "cumsum", "cumsum(a, axis=None, dtype=None)", "Running total along an axis.",
       "cumsum([1, 2, 3])  # [1 3 6]", cumsum_fn }
   The signature string is parsed once; it binds positional and keyword arguments and defaults, is
   the help text, and its example is a test. Syntax: Python's parameter list: `/`, `*`, `*args`,
   `**kwargs`; defaults are literals (None True False numbers 'text' () inf newaxis), or `<no
   value>` for an optional argument that the function tells apart: it then sees GX_UNDEF. */
#ifndef GX_RUNTIME_OBJECT_NATIVE_H
#define GX_RUNTIME_OBJECT_NATIVE_H

#include "runtime/object/object.h"

struct gx_array;

typedef struct gx_call {
    struct gx_call *up; /* the builtin function that was running when it was called, or NULL */
    gx_rt *rt;
    const gx_native *fn;
    gx_namespace ns;        /* the module family it was reached through */
    const gx_type *type; /* the type being constructed, or NULL */
    int argc, rest_count;
    int by_position; /* so many arguments were given without a name, a method's self among them */
    const gx_borrowed *argv; /* one entry a declared parameter; *args: a tuple, **kwargs: a dict */
    const gx_borrowed *rest; /* GX_NATIVE_REST: what *args stands for, rest_count values */
} gx_call;

typedef bool (*gx_native_fn)(gx_call *c, gx_value *out);

enum {
    GX_NATIVE_METHOD = 1,     /* also a method of ndarray: the first parameter is self */
    GX_NATIVE_PURE_ARRAY = 2, /* not under the bare names: only np. and cp. */
    GX_NATIVE_REST = 8,     /* takes *args from call->rest; no tuple is made, its entry is UNDEF */
    GX_NATIVE_PENDING = 16, /* its arguments are evaluated with rt->explaining set */
    GX_NATIVE_HOST = 64,    /* what it makes is the host's: it fetches arrays for that */
    GX_NATIVE_UFUNC = 32,   /* a numpy.ufunc that is no row of ops.def (divmod, modf, matmul …) */
    GX_NATIVE_CLASSES = 64, /* is given arrays of classes, not plain ones */
    GX_NATIVE_DUAL = 4 /* Python's builtin with a NumPy function of its name (sum, max, abs …): a
                          first argument that is an array, or a keyword only that has, goes there */
};

struct gx_native {
    const char *name, *sig, *doc, *example; /* example "" or NULL: none */
    gx_native_fn fn;
    uint16_t flags;
    uint16_t op; /* gx_opcode of a row made from ops.def; else 0 */
};

/* The value of a builtin function reached through a namespace. */
static inline gx_value gx_native_value(const gx_native *fn, gx_namespace ns) {
    return (gx_value){.tag = GX_NATIVE, .ns = (uint8_t)ns, .native = fn};
}

/* A numpy.ufunc? */
bool gx_is_ufunc(const gx_native *fn);

GX_CHECK bool gx_natives_new(gx_rt *rt);
void gx_natives_free(gx_rt *rt);
/* How natives find the NumPy function of a GX_NATIVE_DUAL row, and whether an array has one axis;
   stdlib sets it. */
void gx_natives_set_numpy(gx_rt *rt, const gx_native *(*numpy)(gx_rt *, const char *name),
                          bool (*is_vector)(gx_borrowed array));
/* How the runtime finds a builtin function by its name; stdlib sets it. */
typedef gx_try (*gx_find_builtin)(gx_rt *rt, gx_sym name, gx_value *out);
void gx_natives_set_builtin(gx_rt *rt, gx_find_builtin find);
GX_CHECK bool gx_native_builtin(gx_rt *rt, gx_sym name, gx_value *out);
/* The NumPy function of a name. */
const gx_native *gx_native_of_numpy(gx_rt *rt, const char *name);
/* A call in which a class of the script may have its say: the first `skip` of argv are a method's
   self. stdlib sets what is asked; NO: the function is called as it is. */
typedef struct gx_override {
    const gx_native *fn;
    gx_namespace ns;
    int argc, kwc, skip;
    const gx_borrowed *argv;
    const gx_sym *kw;
} gx_override;
typedef gx_try (*gx_ask_override)(gx_rt *rt, const gx_override *o, gx_value *out);
void gx_natives_set_override(gx_rt *rt, gx_ask_override ask);
/* The function itself, without asking. */
GX_CHECK bool gx_native_call_plain(gx_rt *rt, const gx_override *o, gx_value *out);
/* Binds arguments to fn's signature and calls it. `type` as in gx_call. */
GX_CHECK bool gx_native_call(gx_rt *rt, const gx_native *fn, gx_namespace ns, const gx_type *type,
                             int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw,
                             gx_value *out);
/* As gx_native_call with `self` before argv: methods, without making a bound object. */
GX_CHECK bool gx_native_call_method(gx_rt *rt, const gx_native *fn, gx_borrowed self, int argc,
                                    const gx_borrowed *argv, int kwc, const gx_sym *kw,
                                    gx_value *out);
/* Either, by position, for a place in a program that mostly calls one function: *memo, NULL at
   first, keeps what is known of it. `selves`: 1 when argv begins with a method's self. */
GX_CHECK bool gx_native_call_here(gx_rt *rt, const gx_native *fn, gx_namespace ns, void **memo,
                                  int selves, int argc, const gx_borrowed *argv, gx_value *out);
/* The same for a builtin type that has a function `construct` of its own. */
GX_CHECK bool gx_native_construct_here(gx_rt *rt, gx_borrowed type, void **memo, int argc,
                                       const gx_borrowed *argv, gx_value *out);
/* Would fn take so many arguments, the last kwc of them by these names? False: the error of such a
   call is pending. */
GX_CHECK bool gx_native_accepts(gx_rt *rt, const gx_native *fn, int argc, int kwc, const gx_sym *kw,
                                int selves);
/* Calls a value with the arguments of a call, each as its row declares it: by position, by keyword,
   or spread out; those that are UNDEF are left out. */
GX_CHECK bool gx_native_forward(gx_call *c, gx_borrowed to, gx_value *out);
/* The names of fn's parameters, for completion and near names: the i-th, or NULL. */
const char *gx_native_param(gx_rt *rt, const gx_native *fn, int i);
/* Checks that a row's signature parses (start-up check of debug builds, and a test). */
GX_CHECK bool gx_native_check(gx_rt *rt, const gx_native *fn);

/* --- checked getters: each names the function and the parameter in its TypeError -------------- */
/* Was the argument given (not UNDEF)? */
static inline bool gx_arg_given(const gx_call *c, int i) {
    return c->argv[i].tag != GX_UNDEF;
}
/* Given and not None? */
static inline bool gx_arg_some(const gx_call *c, int i) {
    return c->argv[i].tag != GX_UNDEF && c->argv[i].tag != GX_NONE;
}
GX_CHECK bool gx_arg_int(gx_call *c, int i, int64_t *out);   /* int, bool, integer scalar */
/* The same, clamped to int64: where a search starts and stops. */
GX_CHECK bool gx_arg_bound(gx_call *c, int i, int64_t *out);
GX_CHECK bool gx_arg_float(gx_call *c, int i, double *out);  /* any real number */
GX_CHECK bool gx_arg_bool(gx_call *c, int i, bool *out);     /* truth of anything */
/* UTF-8, NUL-terminated, borrowed from the argument. */
GX_CHECK bool gx_arg_str(gx_call *c, int i, const char **text, size_t *length);
/* gx_fail TypeError: "cumsum: argument 'axis' must be an integer, not str". Always false. */
bool gx_arg_wrong(gx_call *c, int i, const char *expected);
/* Any int-like value (int, bool, integer scalar, 0-d integer array): GX_TRY_NO when it is not one;
   a big integer is OverflowError. */
gx_try gx_as_index(gx_rt *rt, gx_borrowed v, int64_t *out);

#endif
