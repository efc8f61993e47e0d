/* What functions of NumPy share: a scope that owns the intermediate arrays of one call, so that a
   function reads as its formula. Every gx_np_* below takes NULL for an operand whose making failed
   and then gives NULL: the error is pending, and the last step (gx_np_give …) returns false.
   Results belong to the scope, which is emptied by the giving step or gx_np_end. */
#ifndef GX_STDLIB_NUMPY_BASE_SCOPE_H
#define GX_STDLIB_NUMPY_BASE_SCOPE_H

#include "runtime/array/layout.h"
#include "runtime/array/array.h"
#include "runtime/array/shape.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/object/use.h"
#include "runtime/op/ufunc.h"

enum { GX_NP_FEW = 24 };

typedef struct gx_np {
    gx_rt *rt;
    const gx_native *fn; /* whose call it is; NULL: an attribute's, or another's */
    gx_namespace ns; /* of new arrays: the call's, or the first array operand's */
    bool seen;    /* an array operand decided the namespace */
    int room;     /* at use.more */
    gx_use use;   /* what it holds: the first in `few`. Linked from the first value on */
    gx_value few[GX_NP_FEW];
} gx_np;

gx_np gx_np_begin(const gx_call *c);
gx_np gx_np_begin_at(gx_rt *rt, gx_namespace ns);
/* Empties the scope; passes ok on. */
bool gx_np_end(gx_np *s, bool ok);
/* The scope takes over a reference; NULL stays NULL. */
gx_array *gx_np_own(gx_np *s, gx_array *a);
GX_CHECK bool gx_np_hold(gx_np *s, gx_value v);
/* The i-th value that the scope holds. */
static inline gx_value *gx_np_item(gx_np *s, int i) {
    return i < GX_NP_FEW ? &s->few[i] : &s->use.more[i - GX_NP_FEW];
}
/* The items of a list or tuple as they are now, held to the end of the scope, whatever code of a
   script does to the list; -1 for anything else. */
GX_CHECK bool gx_np_items(gx_np *s, gx_borrowed v, const gx_value **items, int64_t *n);

/* --- ends of a function: the scope is emptied --- */
GX_CHECK bool gx_np_give(gx_np *s, gx_array *a, gx_value *out);       /* a 0-d result: a scalar */
GX_CHECK bool gx_np_give_array(gx_np *s, gx_array *a, gx_value *out); /* stays an array */
/* As gx_np_give, or stored into `dest` (the out= argument; UNDEF or None: not given). */
GX_CHECK bool gx_np_give_out(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out);
/* The same, in `dest` as often as it fits there; the last `core` axes are as long there. */
GX_CHECK bool gx_np_give_spread(gx_np *s, gx_array *a, int core, gx_borrowed dest, gx_value *out);
/* The same of a ufunc over cores of a and b, whose `dest` gx_np_ufunc_out_arg gave: may it take
   their dtype? That is said before shapes are looked at. */
GX_CHECK bool gx_np_core_out(gx_np *s, gx_dtype d, gx_borrowed dest);
GX_CHECK bool gx_np_give_core(gx_np *s, gx_array *a, int core, gx_borrowed dest, gx_value *out);
/* The same of a reduction or a running total: it is converted to the dtype of out as it may be. */
GX_CHECK bool gx_np_give_folded(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out);
/* The same of a method of a ufunc: `...` asks for an array, not a scalar. */
GX_CHECK bool gx_np_give_method(gx_np *s, gx_array *a, gx_borrowed dest, gx_value *out);
/* n arrays as a tuple or a list. */
GX_CHECK bool gx_np_give_tuple(gx_np *s, int n, gx_array *const *a, gx_value *out);
GX_CHECK bool gx_np_give_list(gx_np *s, int n, gx_array *const *a, gx_value *out);
/* dest = a with NumPy's checks of shape and casting. */
GX_CHECK bool gx_np_store_out(gx_np *s, gx_array *a, gx_borrowed dest);
GX_CHECK bool gx_np_store_as(gx_np *s, gx_array *a, gx_array *dest, gx_casting casting);
/* a broadcast to the shape of dest, but along its last `core` axes; a itself where it does not fit.
 */
gx_array *gx_np_spread_to(gx_np *s, gx_array *a, int core, const gx_array *dest);
/* a without axes of one element in front, until ndim are left. */
gx_array *gx_np_less_axes(gx_np *s, gx_array *a, int ndim);

/* --- operands --- */
gx_array *gx_np_arr(gx_np *s, gx_borrowed v); /* any value as an array */
/* Of dates and spans stdlib/numpy/dates/folds.gx does a call's work. NO: its first argument holds
   none. */
gx_try gx_np_of_times(gx_call *c, gx_value *out);
gx_try gx_np_by_times(gx_call *c, gx_value *out); /* whatever the argument holds */
gx_array *gx_np_arr_as(gx_np *s, gx_borrowed v, gx_dtype d); /* of a dtype */
/* What is stored into an array of dtype d: a Python int out of its range is an OverflowError,
   arrays are converted as they may. */
gx_array *gx_np_values(gx_np *s, gx_borrowed v, gx_dtype d);
gx_array *gx_np_arr1(gx_np *s, gx_borrowed v); /* at least 1-d */
gx_array *gx_np_f64(gx_np *s, double x);       /* 0-d float64 */
gx_array *gx_np_i64(gx_np *s, int64_t x);      /* 0-d int64 */
/* A 0-d array with the dtype that a Python float (int) takes beside d. */
gx_array *gx_np_weak(gx_np *s, gx_dtype d, double x);
gx_array *gx_np_weak_int(gx_np *s, gx_dtype d, int64_t x);
/* A new reference of a scope to an array of the caller. */
gx_array *gx_np_keep(gx_np *s, gx_array *a);

/* --- operations --- */
gx_array *gx_np_op1(gx_np *s, gx_opcode op, gx_array *a);
gx_array *gx_np_op2(gx_np *s, gx_opcode op, gx_array *a, gx_array *b);
gx_array *gx_np_op3(gx_np *s, gx_opcode op, gx_array *a, gx_array *b, gx_array *x);
/* x where cond is true, else y; of elements of any kind. */
gx_array *gx_np_where(gx_np *s, gx_array *cond, gx_array *x, gx_array *y);
gx_array *gx_np_reduce(gx_np *s, gx_redcode red, gx_array *a, uint64_t mask, bool keep, gx_dtype d);
gx_array *gx_np_cast(gx_np *s, gx_array *a, gx_dtype d);
gx_array *gx_np_copy(gx_np *s, gx_array *a, char order);
/* r, fresh, whose axes were put in an order (runtime/array/layout.h), with the axes where they
   belong. */
gx_array *gx_np_laid_back(gx_np *s, gx_array *r, const int *order);
/* r, fresh, with its elements in an order. */
gx_array *gx_np_laid_in(gx_np *s, gx_array *r, const int *order);
/* r with its sizes in memory as a copy of a is laid out. */
gx_array *gx_np_laid_as(gx_np *s, gx_array *r, const gx_array *a);
/* r; a view of what this scope alone made owns its elements from here on, as results of NumPy's C
   code do. */
gx_array *gx_np_settled(gx_np *s, gx_array *r);
/* r with its sizes in memory as an elementwise result of a is laid out. */
gx_array *gx_np_laid_like(gx_np *s, gx_array *r, const gx_array *a);
/* r, an elementwise result of `like` that NumPy has in its place: axes of one element keep the
   strides that they have there. */
gx_array *gx_np_ones_as(gx_np *s, gx_array *r, const gx_array *like);
/* r, medians of rows of a, in the order of NumPy's: it takes them of a copy of a along one axis, or
   of rows in C order along several. As a view: those without nan. */
gx_array *gx_np_laid_medians(gx_np *s, gx_array *r, const gx_array *a, uint64_t mask, bool view);
/* A view of all of r, as NumPy's Python code leaves where it ends with a reshape or an index. */
gx_array *gx_np_viewed(gx_np *s, gx_array *r);
/* r, a with some positions of an axis, in the order of what an index array selects. */
gx_array *gx_np_laid_picked(gx_np *s, gx_array *r, const gx_array *a, int axis);
/* r with its first axes innermost in memory, as a view: NumPy's are made line by line. */
gx_array *gx_np_innermost(gx_np *s, gx_array *r, int leading);
/* r in C order, or in Fortran order where a is in no other. */
gx_array *gx_np_as_fortran(gx_np *s, gx_array *r, const gx_array *a);
/* A Python number, a scalar of NumPy's or an array without axes? */
bool gx_np_is_number(gx_borrowed v);
/* The real (part 0) or imaginary (part 1) elements of a complex array, as a view. */
gx_array *gx_np_part(gx_np *s, gx_array *a, int part);
gx_array *gx_np_contiguous(gx_np *s, gx_array *a);
/* A C-contiguous array of a dtype that nobody else holds: for work in place. */
gx_array *gx_np_fresh(gx_np *s, gx_array *a, gx_dtype d);
gx_array *gx_np_empty(gx_np *s, gx_dtype d, int ndim, const int64_t *shape);
/* The same where `near` lives. */
gx_array *gx_np_empty_near(gx_np *s, gx_array *near, gx_dtype d, int ndim, const int64_t *shape);
gx_array *gx_np_zeros(gx_np *s, gx_dtype d, int ndim, const int64_t *shape);
gx_array *gx_np_reshape(gx_np *s, gx_array *a, int ndim, const int64_t *shape);
gx_array *gx_np_flat(gx_np *s, gx_array *a); /* 1-d, a view where possible */
gx_array *gx_np_broadcast(gx_np *s, gx_array *a, int ndim, const int64_t *shape);
/* The same that may be written where a may, as views of broadcast_arrays. */
gx_array *gx_np_spread(gx_np *s, gx_array *a, int ndim, const int64_t *shape);
gx_array *gx_np_moveaxis(gx_np *s, gx_array *a, int from, int to);
gx_array *gx_np_swapaxes(gx_np *s, gx_array *a, int i, int j);
gx_array *gx_np_expand(gx_np *s, gx_array *a, int result_ndim, uint64_t mask);
gx_array *gx_np_squeeze(gx_np *s, gx_array *a, uint64_t mask);
gx_array *gx_np_transposed(gx_np *s, gx_array *a);
gx_array *gx_np_take(gx_np *s, gx_array *a, gx_array *indices, int axis);
gx_array *gx_np_matmul(gx_np *s, gx_array *a, gx_array *b);
/* gx_np_matmul that warns of overflow and invalid values as the function `name` does. */
gx_array *gx_np_product(gx_np *s, gx_array *a, gx_array *b, const char *name);
/* The positions of a 1-d array's elements that are not zero: int64, a view. */
gx_array *gx_np_places(gx_np *s, gx_array *a);
gx_array *gx_np_iota(gx_np *s, int64_t n); /* 0 … n-1, int64 */
/* n elements of a 1-d array that has some, over and over: itself, a view or a copy. */
gx_array *gx_np_cycled(gx_np *s, gx_array *v, int64_t n);
gx_array *gx_np_real(gx_np *s, gx_array *a);
/* A view: `count` positions of one axis from `start` on by `step`. */
gx_array *gx_np_slice(gx_np *s, gx_array *a, int axis, int64_t start, int64_t step, int64_t count);
/* The i-th sub-array along an axis, which goes away. */
gx_array *gx_np_at(gx_np *s, gx_array *a, int axis, int64_t i);
/* Joined along an axis; all shapes are equal elsewhere; cast to d (GX_NO_DTYPE: promoted). */
gx_array *gx_np_concat(gx_np *s, int n, gx_array *const *parts, int axis, gx_dtype d);

/* --- host data --- */
const void *gx_np_data(gx_np *s, gx_array *a); /* of a C-contiguous array; NULL: an error */
void *gx_np_data_write(gx_np *s, gx_array *a);
/* Memory that the scope owns. */
void *gx_np_scratch(gx_np *s, size_t bytes);
/* The same for so many items: a number that no array can have is a MemoryError. */
void *gx_np_room(gx_np *s, int64_t count, size_t item);

/* --- arguments --- */
/* A dtype argument; GX_NO_DTYPE when None or not given. */
GX_CHECK bool gx_np_dtype_arg(gx_call *c, int i, gx_dtype *out);
/* The dtype of each operand's promotion; Python numbers are weak. */
GX_CHECK bool gx_np_result_type(gx_rt *rt, int n, const gx_borrowed *v, gx_dtype *out);
/* An order argument: one of "CFAK". */
GX_CHECK bool gx_np_order_arg(gx_call *c, int i, char *out);
/* The order of an array that is made, which follows no other: 'C' or 'F'. */
GX_CHECK bool gx_np_new_order_arg(gx_call *c, int i, char *out);
/* An axis argument normalised for ndim; `fallback`, which must be an axis too, when None or not
   given. */
GX_CHECK bool gx_np_axis_arg(gx_call *c, int i, int ndim, int fallback, int *out);
/* An axis that is moved: an integer or a sequence of one. */
GX_CHECK bool gx_np_target_axis(gx_call *c, int i, int ndim, int *out);
/* A keepdims argument as ufuncs take it: an integer or a bool, where other functions ask for the
   truth of anything. */
GX_CHECK bool gx_np_keepdims_arg(gx_call *c, int i, bool *out);
/* A mask as ufuncs take it: bool, or what Python's values make so. An array of numbers is refused,
   as NumPy casts no array to bool unasked. */
gx_array *gx_np_mask_arg(gx_np *s, gx_call *c, int i);
/* All arguments of a function that lists arrays: items of a list or tuple, each as an array of the
   scope. An array operand gives its rows. */
GX_CHECK bool gx_np_arrays(gx_np *s, gx_borrowed seq, const char *name, int *n, gx_array ***out);
/* A parameter that changes nothing here, as subok=: it still must be true or false. */
GX_CHECK bool gx_np_unused_truth(gx_call *c, int i);
/* The same where NumPy's C code reads an integer or a bool. */
GX_CHECK bool gx_np_unused_flag(gx_call *c, int i);
/* copy=: 1 always, 0 never, -1 (None, or not given) when needed. */
GX_CHECK bool gx_np_copy_arg(gx_call *c, int i, int *out);
/* initial=: a number as an element of dtype d; *has: is there one? None says that there is none,
   not even the identity of the operation. */
GX_CHECK bool gx_np_initial_arg(gx_call *c, int i, gx_dtype d, bool *has, gx_scalar *out);
/* What becomes of an index beyond the end, `mode`: 'r'aise, 'w'rap or 'c'lip; by its name, by
   NumPy's number, or None: raise. */
GX_CHECK bool gx_np_clip_mode(gx_rt *rt, gx_borrowed v, char *out);
/* The number of a diagonal; one that is far from any element stays far, beyond 64 bits as well. */
GX_CHECK bool gx_np_diagonal_arg(gx_call *c, int i, int64_t *k);
/* out=: none, an array, or a tuple of one; said before operands are looked at. */
GX_CHECK bool gx_np_out_arg(gx_call *c, int i);
/* A ufunc's out=: *dest is None, an array, which by its name may stand in a tuple, or `...`: an
   array where it would be a number. */
GX_CHECK bool gx_np_ufunc_out_arg(gx_call *c, int i, gx_borrowed *dest);
/* The same of a ufunc's method, where no tuple of None stands. */
GX_CHECK bool gx_np_method_out_arg(gx_call *c, int i, gx_borrowed *dest);
/* device=: None, or the namespace's own. */
GX_CHECK bool gx_np_device_arg(gx_call *c, int i);

/* The first n of up to 64 axes, as bits. */
static inline uint64_t gx_np_first(int n) {
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}
static inline uint64_t gx_np_all(const gx_array *a) {
    return gx_np_first(a->ndim);
}
static inline gx_value gx_np_value(gx_array *a) { /* borrowed; NULL stays NULL */
    return (gx_value){.tag = GX_ARRAY, .obj = (gx_obj *)a};
}
static inline bool gx_np_is_float(int d) {
    return gx_dtypes[d].kind == GX_KIND_FLOAT || gx_dtypes[d].kind == GX_KIND_CPLX;
}
static inline int64_t gx_np_size(int ndim, const int64_t *shape) {
    int64_t n = 1;
    for (int i = 0; i < ndim; i++) n = gx_size_times(n, shape[i]);
    return n;
}

#endif
