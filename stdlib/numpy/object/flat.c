/* x.flat and x.flags: small objects that hold an array. flat is the array seen in one dimension, C
   order, for reading, writing and iterating; flags tells about layout and may forbid writing. */
#include "stdlib/numpy/object/flat_int.h"

#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/object/iter.h"

typedef struct array_box {
    gx_obj obj;
    gx_array *array; /* owned */
    int64_t at;      /* of flat: the element that next gives */
} array_box;

static array_box *box_of(gx_borrowed v) {
    return (array_box *)v.obj;
}

static void box_free(gx_rt *rt, gx_obj *o) {
    gx_array_drop(((array_box *)o)->array);
    gx_free(rt, o);
}

static bool box_new(gx_rt *rt, const gx_type *type, gx_array *a, gx_value *out) {
    array_box *b = gx_obj_new(rt, type, sizeof *b);
    if (!b) return false;
    gx_array_keep(a);
    b->array = a;
    *out = gx_object(&b->obj);
    return true;
}

/* --- flat --- */

static bool flat_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = box_of(v)->array->count;
    return true;
}

static bool flat_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<numpy.flatiter over %lld elements>",
                         (long long)box_of(v)->array->count);
}

static bool flat_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}

static bool flat_next(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    array_box *b = box_of(v);
    *more = b->at < b->array->count;
    if (!*more) return true;
    return gx_array_nth(rt, b->array, b->at++, out);
}

static bool flat_index(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(box_of(self)->at);
    return true;
}

static bool flat_coords(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_array *a = box_of(self)->array;
    int64_t at = box_of(self)->at, coords[GX_MAX_DIMS];
    for (int i = a->ndim - 1; i >= 0; i--) {
        int64_t size = i > 0 && gx_shape(a)[i] ? gx_shape(a)[i] : INT64_MAX;
        coords[i] = at % size;
        at /= size;
    }
    return gx_tuple_ints(rt, a->ndim, coords, out);
}

/* Masks are arrays; a list of bools, and places that are floats, are refused, of nothing too. */
static bool flat_key(gx_np *s, gx_borrowed key) {
    if (gx_is_scalar(key) && gx_scalar_dtype(key) == GX_bool)
        return gx_fail(s->rt, GX_IndexError, "index.type", "np.bool is no index of .flat");
    if (key.tag != GX_LIST && key.tag != GX_ARRAY) return true;
    gx_array *places = gx_np_arr(s, key);
    if (!places) return false;
    if (key.tag == GX_LIST && places->count && places->dtype == GX_bool)
        return gx_fail(s->rt, GX_IndexError, "index.type",
                       "a list of bools is no index of .flat; np.array(...) of it is a mask");
    return key.tag == GX_LIST || !gx_np_is_float(places->dtype) ||
           gx_fail(s->rt, GX_IndexError, "index.type",
                   "arrays used as indices must be of integer (or boolean) type, not %s",
                   gx_dtypes[places->dtype].name);
}

/* One truth picks the first element, or none: the key becomes 0, or an empty list. */
static bool truth_as_place(gx_rt *rt, gx_borrowed *key, gx_value *none) {
    bool yes;
    *none = gx_undef();
    if (key->tag != GX_BOOL && !(key->tag == GX_ARRAY && gx_as_array(*key)->dtype == GX_bool &&
                                 gx_as_array(*key)->ndim == 0))
        return true;
    if (!gx_truth(rt, *key, &yes)) return false;
    if (!yes && !gx_list_new(rt, 0, NULL, none)) return false;
    *key = yes ? gx_int(0) : *none;
    return true;
}

static bool flat_get_at(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_array *a = box_of(v)->array;
    box_of(v)->at = 0;
    int64_t i;
    gx_try is = gx_as_index(rt, key, &i);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_YES) {
        int64_t at = i < 0 ? i + a->count : i;
        if (at < 0 || at >= a->count)
            return gx_fail(rt, GX_IndexError, "index.range",
                           "index %lld is out of bounds for size %lld", (long long)i,
                           (long long)a->count);
        return gx_array_nth(rt, a, at, out);
    }
    gx_np s = gx_np_begin_at(rt, (gx_namespace)a->ns);
    const bool view = gx_array_is_contiguous(a, 'C');
    gx_array *flat = gx_np_flat(&s, view ? a : gx_np_copy(&s, a, 'C'));
    gx_value r;
    if (!flat || !flat_key(&s, key) || !gx_array_get(rt, flat, key, &r) || !gx_np_hold(&s, r))
        return gx_np_end(&s, false);
    if (!gx_is_array(r)) {
        *out = gx_keep(r);
        return gx_np_end(&s, true);
    }
    /* What is got is an array of its own. */
    return gx_np_give_array(&s, gx_np_copy(&s, gx_np_arr(&s, r), 'C'), out);
}

static bool flat_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_value none;
    if (!truth_as_place(rt, &key, &none)) return false;
    const bool ok = flat_get_at(rt, v, key, out);
    gx_drop(none);
    return ok;
}

/* Values for a part of flat: they are used again from the start when they are too few, and those
   too many are left out. */
static bool set_cycled(gx_np *s, gx_array *flat, gx_borrowed key, gx_borrowed item) {
    gx_value part;
    gx_array *values = gx_np_flat(s, gx_np_arr(s, item));
    if (!values) return false;
    if (values->count == 0) return true;
    if (!gx_array_get(s->rt, flat, key, &part) || !gx_np_hold(s, part)) return false;
    const gx_array *to = gx_is_array(part) ? gx_as_array(part) : NULL;
    int64_t n = to ? to->count : 1;
    if (n == 0) return true;
    values = gx_np_cycled(s, values, n);
    if (values && to) values = gx_np_reshape(s, values, to->ndim, gx_shape(to));
    return values &&
           gx_array_set(s->rt, flat, key, (gx_value){.tag = GX_ARRAY, .obj = &values->obj});
}

static bool flat_set_at(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_array *a = box_of(v)->array;
    box_of(v)->at = 0;
    gx_np s = gx_np_begin_at(rt, (gx_namespace)a->ns);
    bool view = gx_array_is_contiguous(a, 'C');
    gx_array *flat = gx_array_writable(rt, a) ? gx_np_flat(&s, view ? a : gx_np_copy(&s, a, 'C'))
                                              : NULL;
    gx_operand kind = gx_operand_kind(item);
    const gx_value *items;
    bool some = key.tag == GX_SLICE || (key.tag == GX_ARRAY && gx_as_array(key)->ndim) ||
                gx_sequence_items(key, &items) >= 0;
    bool one = kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR || item.tag == GX_NONE ||
               item.tag == GX_STR || !some;
    bool ok = flat && flat_key(&s, key) &&
              (one ? gx_array_set(rt, flat, key, item) : set_cycled(&s, flat, key, item));
    if (ok && !view) {
        gx_array *back = gx_np_reshape(&s, flat, a->ndim, gx_shape(a));
        ok = back && gx_array_store(rt, a, back);
    }
    return gx_np_end(&s, ok);
}

static bool flat_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_value none;
    if (!truth_as_place(rt, &key, &none)) return false;
    const bool ok = flat_set_at(rt, v, key, item);
    gx_drop(none);
    return ok;
}

static bool flat_copy(gx_call *c, gx_value *out) {
    gx_array *a = box_of(c->argv[0])->array;
    gx_np s = gx_np_begin_at(c->rt, (gx_namespace)a->ns);
    return gx_np_give_array(&s, gx_np_flat(&s, gx_np_copy(&s, a, 'C')), out);
}

static bool flat_base(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_np_value(box_of(self)->array));
    return true;
}

static const gx_native flat_methods[] = {
    {"copy", "copy(self)", "The elements as a one-dimensional array.", NULL, flat_copy, 0, 0},
    {.name = NULL},
};
static const gx_member flat_members[] = {{"base", flat_base, NULL, "The array iterated over."},
                                         {"index", flat_index, NULL, "How far next() has come."},
                                         {"coords", flat_coords, NULL, "The same as an index."},
                                         {.name = NULL}};

const gx_type gx_type_flatiter = {
    .name = "numpy.flatiter",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "An array seen in one dimension.",
    .free = box_free,
    .repr = flat_repr,
    .length = flat_length,
    .get = flat_get,
    .set = flat_set,
    .iter = flat_iter,
    .next = flat_next,
    .methods = flat_methods,
    .members = flat_members,
};

bool gx_np_flat_new(gx_rt *rt, gx_array *a, gx_value *out) {
    return box_new(rt, &gx_type_flatiter, a, out);
}

bool gx_np_flat_assign(gx_rt *rt, gx_array *a, gx_borrowed v) {
    gx_np s = gx_np_begin_at(rt, (gx_namespace)a->ns);
    bool cast = gx_is_array(v) || gx_operand_kind(v) == GX_OPERAND_SCALAR;
    if (!gx_array_writable(rt, a)) return gx_np_end(&s, false);
    gx_array *from =
        gx_np_flat(&s, cast ? gx_np_arr(&s, v) : gx_np_values(&s, v, (gx_dtype)a->dtype));
    if (from && from->count == 0) return gx_np_end(&s, true);
    from = gx_np_cycled(&s, from, a->count);
    gx_array *all = gx_np_reshape(&s, from, a->ndim, gx_shape(a));
    return gx_np_end(&s, all && gx_array_store(rt, a, all));
}

/* --- flags --- */

typedef enum flag {
    FLAG_C,
    FLAG_F,
    FLAG_OWN,
    FLAG_WRITE,
    FLAG_ALIGNED,
    FLAG_WRITEBACK,
    FLAGS
} flag;

static const char *const flag_names[FLAGS] = {"C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA",
                                              "WRITEABLE",    "ALIGNED",      "WRITEBACKIFCOPY"};
static const char flag_letters[FLAGS] = "CFOWAX";

static bool flag_of(const gx_array *a, flag f) {
    switch (f) {
    case FLAG_C:
        return gx_array_is_contiguous(a, 'C');
    case FLAG_F:
        return gx_array_is_contiguous(a, 'F');
    case FLAG_OWN:
        return a->base == NULL;
    case FLAG_WRITE:
        return !(a->flags & GX_ARRAY_READONLY);
    case FLAG_ALIGNED:
        return true;
    case FLAG_WRITEBACK:
    case FLAGS:
        break;
    }
    return false;
}

bool gx_np_set_writeable(gx_rt *rt, gx_array *a, bool on) {
    if (!on)
        a->flags |= GX_ARRAY_READONLY;
    else if (a->base && a->base->flags & GX_ARRAY_READONLY)
        return gx_fail(rt, GX_ValueError, "array.readonly",
                       "cannot set WRITEABLE flag to True of this array");
    else
        a->flags &= (uint8_t)~GX_ARRAY_READONLY;
    return true;
}

static bool flags_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    for (int f = 0; f < FLAGS; f++)
        if (!gx_buf_printf(out, "  %s : %s\n", flag_names[f],
                           flag_of(box_of(v)->array, (flag)f) ? "True" : "False"))
            return false;
    return true;
}

static int flag_named(gx_borrowed key) {
    if (key.tag != GX_STR) return -1;
    const char *t = gx_as_str(key)->text;
    for (int f = 0; f < FLAGS; f++)
        if (strcmp(t, flag_names[f]) == 0 || (t[0] == flag_letters[f] && !t[1])) return f;
    return -1;
}

static bool flags_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    int f = flag_named(key);
    if (f < 0) return gx_fail(rt, GX_KeyError, "flags.name", "Unknown flag");
    *out = gx_bool(flag_of(box_of(v)->array, (flag)f));
    return true;
}

static bool flags_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    bool on;
    if (flag_named(key) != FLAG_WRITE)
        return gx_fail(rt, GX_KeyError, "flags.name", "only the flag WRITEABLE can be set");
    return gx_truth(rt, item, &on) && gx_np_set_writeable(rt, box_of(v)->array, on);
}

static bool get_flag(gx_borrowed self, flag f, gx_value *out) {
    *out = gx_bool(flag_of(box_of(self)->array, f));
    return true;
}
static bool get_c(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_C, out);
}
static bool get_f(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_F, out);
}
static bool get_own(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_OWN, out);
}
static bool get_write(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_WRITE, out);
}
static bool set_write(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    bool on;
    return gx_truth(rt, value, &on) && gx_np_set_writeable(rt, box_of(self)->array, on);
}
static bool get_aligned(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_ALIGNED, out);
}
static bool get_any(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_array *a = box_of(self)->array;
    *out = gx_bool(flag_of(a, FLAG_C) || flag_of(a, FLAG_F));
    return true;
}
/* Fortran's order, and not C's. */
static bool get_fnc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_array *a = box_of(self)->array;
    *out = gx_bool(flag_of(a, FLAG_F) && !flag_of(a, FLAG_C));
    return true;
}
/* Aligned and writeable: what C code may work on in place. */
static bool behaves(const gx_array *a) {
    return flag_of(a, FLAG_ALIGNED) && flag_of(a, FLAG_WRITE);
}
static bool get_behaved(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(behaves(box_of(self)->array));
    return true;
}
static bool get_carray(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_array *a = box_of(self)->array;
    *out = gx_bool(behaves(a) && flag_of(a, FLAG_C));
    return true;
}
static bool get_farray(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_array *a = box_of(self)->array;
    *out = gx_bool(behaves(a) && flag_of(a, FLAG_F) && !flag_of(a, FLAG_C));
    return true;
}
static bool get_writeback(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return get_flag(self, FLAG_WRITEBACK, out);
}
/* The flags as NumPy's bits. */
static bool get_flags_num(gx_rt *rt, gx_borrowed self, gx_value *out) {
    static const int bits[FLAGS] = {0x1, 0x2, 0x4, 0x400, 0x100, 0x2000};
    int64_t n = 0;
    (void)rt;
    for (int f = 0; f < FLAGS; f++)
        if (flag_of(box_of(self)->array, (flag)f)) n |= bits[f];
    *out = gx_int(n);
    return true;
}

static const gx_member flags_members[] = {
    {"c_contiguous", get_c, NULL, "Laid out in C order?"},
    {"f_contiguous", get_f, NULL, "Laid out in Fortran order?"},
    {"contiguous", get_c, NULL, "Laid out in C order?"},
    {"forc", get_any, NULL, "Contiguous in either order?"},
    {"fnc", get_fnc, NULL, "Laid out in Fortran order and not in C order?"},
    {"fortran", get_fnc, NULL, "Laid out in Fortran order and not in C order?"},
    {"behaved", get_behaved, NULL, "Aligned and writeable?"},
    {"carray", get_carray, NULL, "Behaved, and laid out in C order?"},
    {"farray", get_farray, NULL, "Behaved, and laid out in Fortran order only?"},
    {"writebackifcopy", get_writeback, NULL, "False: gx makes no such copies."},
    {"num", get_flags_num, NULL, "The flags as bits."},
    {"owndata", get_own, NULL, "Does the array own its elements (is it no view)?"},
    {"writeable", get_write, set_write, "May elements be stored?"},
    {"aligned", get_aligned, NULL, "Are elements aligned?"},
    {.name = NULL},
};

const gx_type gx_type_flags = {
    .name = "numpy.flagsobj",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Facts about an array's layout.",
    .free = box_free,
    .repr = flags_repr,
    .get = flags_get,
    .set = flags_set,
    .members = flags_members,
};

bool gx_np_flags_new(gx_rt *rt, gx_array *a, gx_value *out) {
    return box_new(rt, &gx_type_flags, a, out);
}
