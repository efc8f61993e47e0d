/* What np_override*.c share: one call in which arrays of a script's class, or objects with
   __array_ufunc__, take part. */
#ifndef GX_STDLIB_NUMPY_UFUNC_OVERRIDE_H
#define GX_STDLIB_NUMPY_UFUNC_OVERRIDE_H

#include "runtime/array/array_class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"

enum { GX_OVERRIDE_MOST = 32 };

/* The call with arrays of classes replaced by plain views; owns what it made. */
typedef struct gx_plain_call {
    gx_rt *rt;
    gx_override call; /* its argv is `args` */
    gx_value args[GX_OVERRIDE_MOST];
    gx_value was[GX_OVERRIDE_MOST], is[GX_OVERRIDE_MOST]; /* what was replaced by what */
    int replaced;
    gx_value like; /* the array whose class the results have, borrowed; UNDEF: none */
} gx_plain_call;

/* `from`: the first argument that is replaced. */
GX_CHECK bool gx_plain_call_begin(gx_rt *rt, const gx_override *o, int from, gx_plain_call *p);
void gx_plain_call_end(gx_plain_call *p);
/* One result by its letters (override.def), or each of several; consumed. */
GX_CHECK bool gx_plain_call_give(gx_plain_call *p, const char *letters, gx_value v,
                                 gx_borrowed context, gx_value *out);

/* Is v an instance whose class defines the method? Such are asked first. */
bool gx_overrides(gx_rt *rt, gx_borrowed v, const char *method);
/* Adds v to those who are asked, once a class, subclasses before their ancestors. */
void gx_override_add(gx_value *asked, int *n, gx_borrowed v);
/* The place of out= among the keywords, or -1. */
int gx_override_keyword(gx_rt *rt, const gx_override *o, const char *name);

/* override_ufunc.c: a ufunc, or a method of one. */
gx_try gx_override_ufunc(gx_rt *rt, const gx_override *o, gx_value *out);
/* a.sum() and the like of an array whose class has __array_ufunc__, as NumPy's add.reduce. NO: not
   that. */
gx_try gx_override_folding(gx_rt *rt, const gx_override *o, gx_value *out);
/* The same without asking __array_ufunc__. */
GX_CHECK bool gx_override_ufunc_plain(gx_rt *rt, const gx_override *o, gx_value *out);
/* override.c: a NumPy function without asking __array_function__. */
GX_CHECK bool gx_override_function_plain(gx_rt *rt, const gx_override *o, const char *letters,
                                         gx_value *out);
/* The same, but of the array's own method of that name, or its ufunc, if its class has one. */
GX_CHECK bool gx_override_function(gx_rt *rt, const gx_override *o, gx_value *out);
/* NotImplemented? */
bool gx_declined(gx_rt *rt, gx_borrowed v);

#endif
