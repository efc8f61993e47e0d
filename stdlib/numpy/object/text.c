/* What numpy.strings is made of: a method of Python's str or bytes for each element of an array,
   and loops of its own for what is usual and ASCII. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/device/work.h"
#include "runtime/object/operators.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_chars_functions[];

enum { MOST_ARGS = 8 };

/* --- a method for each element ---------------------------------------------------------------- */

typedef struct operand {
    gx_array *array; /* over the result's shape, C-contiguous; NULL: one value for all */
    const char *data;
    gx_value value; /* held by the call's arguments, or by the scope */
} operand;

static bool read_operand(gx_np *s, gx_borrowed v, operand *o) {
    const gx_value *items;
    *o = (operand){.value = v};
    if (!gx_is_array(v) && gx_sequence_items(v, &items) < 0) return true;
    gx_array *a = NULL;
    if (!gx_asarray(s->rt, v, GX_NO_DTYPE, s->ns, false, &a)) return false;
    o->array = gx_np_own(s, a);
    return o->array != NULL;
}

static bool element(gx_rt *rt, const operand *o, int64_t i, gx_value *out) {
    if (!o->array) {
        *out = gx_keep(o->value);
        return true;
    }
    const gx_dtype d = (gx_dtype)o->array->dtype;
    const char *from = o->data + i * gx_dtype_size(d);
    gx_scalar e = {.bits = {0, 0}};
    if (gx_is_kind(d)) return gx_kind_value(rt, d, from, true, out);
    gx_item_copy(&e, from, (size_t)gx_dtype_size(d));
    return gx_scalar_item(rt, d, &e, out);
}

/* The method of one element's type, or an operator's sign, and its answer. */
static bool call_one(gx_rt *rt, gx_sym name, int n, const operand *o, int64_t i, gx_value *out) {
    gx_value v[MOST_ARGS];
    int have = 0;
    bool ok = true;
    for (; ok && have < n; have += ok) ok = element(rt, &o[have], i, &v[have]);
    const char *sign = gx_sym_text(rt, name);
    const bool binary = n == 2 && (*sign == '*' || *sign == '%');
    const gx_native *fn = ok && !binary ? gx_type_method(rt, gx_type_of(v[0]), name) : NULL;
    if (ok && !fn && !binary)
        ok = gx_fail(rt, GX_TypeError, "dtype.text", "string operation on non-string array");
    ok = ok && (binary ? gx_binary(rt, *sign == '*' ? GX_MUL : GX_MOD, v[0], v[1], out)
                       : gx_native_call_method(rt, fn, v[0], n - 1, v + 1, 0, NULL, out));
    while (have-- > 0) gx_drop(v[have]);
    return ok;
}

/* The shape of all operands, which are laid out over it. */
static bool lay_out(gx_np *s, int n, operand *o, int *ndim, int64_t *shape) {
    gx_array *all[MOST_ARGS];
    for (int i = 0; i < n; i++) all[i] = o[i].array;
    if (!gx_broadcast_shapes(s->rt, n, all, ndim, shape)) return false;
    for (int i = 0; i < n; i++) {
        if (!o[i].array) continue;
        gx_array *a = gx_np_contiguous(s, gx_np_broadcast(s, o[i].array, *ndim, shape));
        if (!a || !gx_array_read(s->rt, a, &o[i].data)) return false;
        o[i].array = a;
    }
    return true;
}

/* Bools or ints, each written where it belongs. */
static gx_array *numbers(gx_np *s, gx_sym name, gx_dtype d, int n, operand *o, int ndim,
                         const int64_t *shape) {
    gx_array *r = gx_np_empty(s, d, ndim, shape);
    char *to = gx_np_data_write(s, r);
    if (!to) return NULL;
    for (int64_t i = 0; i < r->count; i++) {
        gx_value v;
        gx_scalar e;
        if (i % 1024 == 0 && !gx_work_end(s->rt)) return NULL;
        if (!call_one(s->rt, name, n, o, i, &v)) return NULL;
        bool ok = gx_scalar_from(s->rt, v, d, &e);
        gx_drop(v);
        if (!ok) return NULL;
        gx_item_copy(to + i * gx_dtype_size(d), &e, (size_t)gx_dtype_size(d));
    }
    return r;
}

/* A list of all answers, held by the scope. */
static bool answers(gx_np *s, gx_sym name, int n, operand *o, int64_t count, gx_value *list) {
    if (!gx_list_new(s->rt, 0, NULL, list)) return false;
    if (!gx_np_hold(s, *list)) return false;
    for (int64_t i = 0; i < count; i++) {
        gx_value v;
        if (i % 1024 == 0 && !gx_work_end(s->rt)) return false;
        if (!call_one(s->rt, name, n, o, i, &v) || !gx_list_push_take(s->rt, *list, v))
            return false;
    }
    return true;
}

/* each(name, dtype, *args): dtype 'O' gives a list of the answers. */
static bool each_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_tuple *t = gx_as_tuple(c->argv[2]);
    const int n = (int)t->count;
    operand o[MOST_ARGS];
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    gx_dtype d = GX_NO_DTYPE;
    gx_value list;
    gx_sym name = gx_str_sym(c->rt, c->argv[0]);
    if (n < 1 || n > MOST_ARGS) return gx_np_end(&s, gx_arg_wrong(c, 2, "1 to 8 operands"));
    const bool objects = c->argv[1].tag == GX_STR && strcmp(gx_as_str(c->argv[1])->text, "O") == 0;
    if (!name || (!objects && !gx_dtype_of(c->rt, c->argv[1], &d))) return gx_np_end(&s, false);
    for (int i = 0; i < n; i++)
        if (!read_operand(&s, t->items[i], &o[i])) return gx_np_end(&s, false);
    const bool formats = strcmp(gx_as_str(c->argv[0])->text, "%") == 0; /* values of any kind */
    for (int i = 0; i < n && !formats; i++)
        if (o[i].array && o[i].array->count == 0 && gx_np_is_float(o[i].array->dtype))
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.text",
                                         "string operation on non-string array"));
    if (!lay_out(&s, n, o, &ndim, shape)) return gx_np_end(&s, false);
    if (!objects && !gx_is_kind(d))
        return gx_np_give_array(&s, numbers(&s, name, d, n, o, ndim, shape), out);
    if (!answers(&s, name, n, o, gx_np_size(ndim, shape), &list)) return gx_np_end(&s, false);
    if (objects) {
        *out = gx_keep(list);
        return gx_np_end(&s, true);
    }
    gx_array *r = NULL;
    if (gx_np_size(ndim, shape) == 0) r = gx_np_empty(&s, d, ndim, shape);
    else if (gx_asarray(c->rt, list, d, s.ns, true, &r)) r = gx_np_own(&s, r);
    return gx_np_give_array(&s, r ? gx_np_reshape(&s, r, ndim, shape) : NULL, out);
}

/* --- ASCII, at once --------------------------------------------------------------------------- */

typedef struct ascii_job {
    const char *from;
    char *to;
    int64_t n, tasks; /* characters */
    bool wide;
    char what; /* 'u'pper, 'l'ower, 's'wapcase */
    uint32_t *met; /* by task: what bits all characters have */
} ascii_job;

static inline uint32_t cased(uint32_t c, char what) {
    const bool low = c - 'a' < 26, high = c - 'A' < 26;
    return (low && what != 'l') || (high && what != 'u') ? c ^ 32 : c;
}

static void ascii_task(void *arg, int64_t task, int thread) {
    const ascii_job *j = arg;
    const int64_t from = j->n * task / j->tasks, to = j->n * (task + 1) / j->tasks;
    const char what = j->what;
    uint32_t all = 0;
    (void)thread;
    if (j->wide) {
        const uint32_t *x = (const uint32_t *)(const void *)j->from;
        uint32_t *y = (uint32_t *)(void *)j->to;
        for (int64_t i = from; i < to; i++) {
            all |= x[i];
            y[i] = cased(x[i], what);
        }
    } else {
        for (int64_t i = from; i < to; i++)
            j->to[i] = (char)cased((unsigned char)j->from[i], what);
    }
    j->met[task] = all;
}

/* cased(a, what): upper, lower or swapcase of texts that are all ASCII, or of bytes; None of
   others. */
static bool cased_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const char *what;
    size_t length;
    gx_array *a = NULL;
    if (!gx_arg_str(c, 1, &what, &length) ||
        !gx_asarray(c->rt, c->argv[0], GX_NO_DTYPE, s.ns, false, &a))
        return gx_np_end(&s, false);
    a = gx_np_own(&s, a);
    if (a && !gx_is_text(a->dtype))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.text",
                                     "string operation on non-string array"));
    a = gx_np_contiguous(&s, a);
    ascii_job j = {.from = gx_np_data(&s, a), .what = *what};
    gx_array *r = j.from ? gx_np_empty(&s, (gx_dtype)a->dtype, a->ndim, gx_shape(a)) : NULL;
    if (!(j.to = gx_np_data_write(&s, r))) return gx_np_end(&s, false);
    j.wide = gx_of_family(a->dtype, GX_FAMILY_STR);
    j.n = gx_array_nbytes(a) / (j.wide ? 4 : 1);
    j.tasks = gx_work_tasks(j.n, 65536);
    if (!(j.met = gx_np_room(&s, j.tasks + 1, sizeof *j.met))) return gx_np_end(&s, false);
    gx_work_run(c->rt, j.tasks, ascii_task, &j);
    if (!gx_work_end(c->rt)) return gx_np_end(&s, false);
    uint32_t all = 0;
    for (int64_t i = 0; i < j.tasks; i++) all |= j.met[i];
    if (all >= 128) {
        *out = gx_none();
        return gx_np_end(&s, true);
    }
    return gx_np_give_array(&s, r, out);
}

/* --- lengths ---------------------------------------------------------------------------------- */

static bool lengths_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = NULL;
    if (!gx_asarray(c->rt, c->argv[0], GX_NO_DTYPE, s.ns, false, &a)) return gx_np_end(&s, false);
    a = gx_np_own(&s, a);
    if (a && !gx_is_text(a->dtype))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.text",
                                     "string operation on non-string array"));
    a = gx_np_contiguous(&s, a);
    const char *from = gx_np_data(&s, a);
    gx_array *r = from ? gx_np_empty(&s, GX_i64, a->ndim, gx_shape(a)) : NULL;
    int64_t *to = gx_np_data_write(&s, r);
    if (!to) return gx_np_end(&s, false);
    const gx_dtype_info *d = &gx_dtypes[a->dtype];
    GX_LONG_LOOP(c->rt, i, 0, a->count) to[i] = gx_text_length(d, from + i * d->bytes);
    return gx_work_end(c->rt) ? gx_np_give_array(&s, r, out) : gx_np_end(&s, false);
}

/* joined(a, b): each text of one array with the text of the other behind it. */
static bool joined_fn(gx_call *c, gx_value *out) {
    return gx_kind_add(c->rt, c->argv[0], c->argv[1], out) == GX_TRY_YES;
}

const gx_native gx_np_chars_functions[] = {
    {"each", "each(name, dtype, /, *args)",
     "A method of str or bytes for each element, as an array of dtype ('O': a list).", NULL,
     each_fn, 0, 0},
    {"cased", "cased(a, what, /)", "upper, lower or swapcase of ASCII; None of other texts.", NULL,
     cased_fn, 0, 0},
    {"lengths", "lengths(a, /)", "The length of each text.", NULL, lengths_fn, 0, 0},
    {"joined", "joined(a, b, /)", "The texts of two arrays, one behind the other.", NULL,
     joined_fn, 0, 0},
    {.name = NULL},
};
