/* Dtypes of records from what a script writes: lists of fields, dicts, tuples, "i4,f8". */
#include <stdio.h>
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

/* The fields that are read: their names are the script's own, or f0, f1, …, kept here. */
typedef struct reading {
    gx_rt *rt;
    gx_field_row *fields;
    int count, room;
    bool align;
    int64_t at; /* where the next field lies */
    char (*own)[16];
} reading;

static bool begin(reading *r, gx_rt *rt, int64_t room, bool align) {
    *r = (reading){.rt = rt, .room = (int)room, .align = align};
    if (room > INT16_MAX)
        return gx_fail(rt, GX_ValueError, "dtype.fields", "a record has at most %d fields",
                       INT16_MAX);
    r->fields = gx_alloc(rt, (size_t)(room + 1) * sizeof *r->fields);
    r->own = gx_alloc(rt, (size_t)(room + 1) * sizeof *r->own);
    return r->fields && r->own;
}

static void end(reading *r) {
    gx_free(r->rt, r->fields);
    gx_free(r->rt, r->own);
}

static gx_try finish(reading *r, bool ok, int64_t itemsize, gx_dtype *out) {
    ok = ok && gx_record_make(r->rt, r->count, r->fields, itemsize, r->align, false, out);
    end(r);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* Where a field of d lies that is put behind the others. */
static int64_t next_place(reading *r, gx_dtype d) {
    const int a = r->align ? gx_dtype_alignment(d) : 1;
    const int64_t at = (r->at + a - 1) / a * a;
    r->at = at + gx_dtype_size(d);
    return at;
}

/* name "" or NULL: the field is named by its number. */
static void add(reading *r, const char *name, const char *title, gx_dtype d, int64_t offset) {
    char *own = r->own[r->count];
    if (!name || !*name) snprintf(own, sizeof *r->own, "f%d", r->count);
    r->fields[r->count++] = (gx_field_row){name && *name ? name : own, title, d, offset};
}

static bool fail_field(gx_rt *rt, gx_borrowed v) {
    gx_buf text = gx_buf_new(rt);
    if (gx_repr(rt, v, &text)) {
        gx_fail(rt, GX_TypeError, "dtype.fields",
                "Field elements must be 2- or 3-tuples, got '%s'", gx_buf_text(&text));
        gx_help(rt, "np.dtype([('x', 'f4'), ('y', 'i4', (2,))])");
    }
    gx_buf_free(&text);
    return false;
}

static bool text_of(gx_borrowed v, const char **out) {
    if (v.tag != GX_STR) return false;
    *out = gx_as_str(v)->text;
    return strlen(*out) == gx_as_str(v)->length;
}

/* 'name' or ('title', 'name'). */
static bool names_of(gx_borrowed v, const char **name, const char **title) {
    *title = NULL;
    if (v.tag != GX_TUPLE) return text_of(v, name);
    return gx_as_tuple(v)->count == 2 && text_of(gx_as_tuple(v)->items[0], title) &&
           text_of(gx_as_tuple(v)->items[1], name);
}

static bool any_dtype(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out) {
    const gx_value *items;
    if (v.tag == GX_DICT || gx_sequence_items(v, &items) >= 0) {
        gx_try t = gx_record_read(rt, v, align, out);
        if (t != GX_TRY_NO) return t == GX_TRY_YES;
    }
    return gx_dtype_of(rt, v, out);
}

/* base with a shape: an int or a tuple of ints. */
static bool with_shape(gx_rt *rt, gx_dtype base, gx_borrowed shape, gx_dtype *out) {
    int ndim;
    int64_t sizes[GX_MAX_DIMS];
    return gx_shape_of(rt, shape, GX_SIZES_PLAIN, "dtype", &ndim, sizes) &&
           gx_subarray_make(rt, base, ndim, sizes, out);
}

static bool read_field(reading *r, gx_borrowed v) {
    const char *name, *title;
    gx_dtype d;
    if (v.tag == GX_STR) { /* a list of dtypes */
        if (!any_dtype(r->rt, v, r->align, &d)) return false;
        add(r, NULL, NULL, d, next_place(r, d));
        return true;
    }
    if (v.tag != GX_TUPLE) return fail_field(r->rt, v);
    const gx_tuple *t = gx_as_tuple(v);
    if (t->count < 2 || t->count > 3 || !names_of(t->items[0], &name, &title))
        return fail_field(r->rt, v);
    if (!any_dtype(r->rt, t->items[1], r->align, &d) ||
        (t->count == 3 && !with_shape(r->rt, d, t->items[2], &d)))
        return false;
    add(r, name, title, d, next_place(r, d));
    return true;
}

static gx_try read_list(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out) {
    const gx_value *items;
    const int64_t n = gx_sequence_items(v, &items);
    reading r;
    bool ok = begin(&r, rt, n, align);
    for (int64_t i = 0; ok && i < n; i++) {
        ok = read_field(&r, items[i]);
        if (ok && gx_sequence_items(v, &items) != n)
            ok = gx_fail(rt, GX_RuntimeError, "dtype.fields", "the list of fields has changed");
    }
    return finish(&r, ok, -1, out);
}

/* --- dicts ------------------------------------------------------------------------------------ */

static gx_try entry(gx_rt *rt, gx_borrowed dict, const char *name, gx_value *out) {
    gx_value key;
    *out = gx_undef();
    if (!gx_str_c(rt, name, &key)) return GX_TRY_ERROR;
    gx_try t = gx_dict_find(rt, dict, key, out);
    gx_drop(key);
    return t;
}

/* The entries of {'names': …, 'formats': …, …}, as lists. */
typedef struct described {
    gx_value names, formats, offsets, titles, itemsize, aligned;
} described;

static bool item_of(gx_borrowed list, int64_t i, gx_borrowed *out) {
    const gx_value *items;
    if (list.tag == GX_UNDEF || i >= gx_sequence_items(list, &items)) return false;
    *out = items[i];
    return true;
}

static bool read_described(reading *r, const described *d, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        gx_borrowed name, format, offset, title;
        const char *text, *other = NULL;
        gx_dtype own;
        int64_t at;
        if (!item_of(d->names, i, &name) || !text_of(name, &text))
            return gx_fail(r->rt, GX_TypeError, "dtype.fields", "a field's name is a str");
        if (!item_of(d->formats, i, &format) || !any_dtype(r->rt, format, r->align, &own))
            return false;
        if (item_of(d->titles, i, &title) && title.tag != GX_NONE && !text_of(title, &other))
            return gx_fail(r->rt, GX_TypeError, "dtype.fields", "a field's title is a str");
        at = d->offsets.tag == GX_UNDEF ? next_place(r, own) : 0;
        if (d->offsets.tag != GX_UNDEF &&
            (!item_of(d->offsets, i, &offset) || gx_as_index(r->rt, offset, &at) != GX_TRY_YES ||
             at < 0 || at > INT32_MAX))
            return gx_fail(r->rt, GX_ValueError, "dtype.fields",
                           "the offset of field '%s' must be an int of 0 or more", text);
        if (r->align && at % gx_dtype_alignment(own))
            return gx_fail(r->rt, GX_ValueError, "dtype.fields",
                           "offset %lld for NumPy dtype with fields is not divisible by the field "
                           "alignment %d with align=True",
                           (long long)at, gx_dtype_alignment(own));
        add(r, text, other, own, at);
    }
    return true;
}

static bool as_list(gx_rt *rt, gx_value *v) {
    gx_value list;
    const gx_value *items;
    if (v->tag == GX_UNDEF || gx_sequence_items(*v, &items) >= 0) return true;
    if (!gx_list_of(rt, *v, &list)) return false;
    gx_drop(*v);
    *v = list;
    return true;
}

static gx_try make_described(gx_rt *rt, described *d, bool align, gx_dtype *out) {
    const gx_value *items;
    int64_t itemsize = -1;
    bool aligned = align;
    if (!as_list(rt, &d->names) || !as_list(rt, &d->formats) || !as_list(rt, &d->offsets) ||
        !as_list(rt, &d->titles))
        return GX_TRY_ERROR;
    const int64_t n = gx_sequence_items(d->names, &items);
    if (gx_sequence_items(d->formats, &items) < n ||
        (d->offsets.tag != GX_UNDEF && gx_sequence_items(d->offsets, &items) < n)) {
        (void)gx_fail(rt, GX_ValueError, "dtype.fields",
                      "all items in the dictionary must have the same length.");
        return GX_TRY_ERROR;
    }
    if (d->itemsize.tag != GX_UNDEF && gx_as_index(rt, d->itemsize, &itemsize) != GX_TRY_YES) {
        (void)gx_fail(rt, GX_TypeError, "dtype.fields", "itemsize must be an int");
        return GX_TRY_ERROR;
    }
    if (d->aligned.tag != GX_UNDEF && !gx_truth(rt, d->aligned, &aligned)) return GX_TRY_ERROR;
    reading r;
    bool ok = begin(&r, rt, n, aligned);
    return finish(&r, ok && read_described(&r, d, n), itemsize, out);
}

/* {'x': ('f4', 0), 'y': ('i4', 8, 'title')}, in the order of the offsets. */
static bool read_place(reading *r, gx_borrowed key, gx_borrowed value) {
    const gx_value *items;
    const char *name, *title = NULL;
    gx_dtype d;
    const int64_t n = gx_sequence_items(value, &items);
    if (!text_of(key, &name) || n < 2 || n > 3 ||
        (n == 3 && items[2].tag != GX_NONE && !text_of(items[2], &title)) ||
        items[1].tag != GX_INT || items[1].i < 0 || items[1].i > INT32_MAX)
        return fail_field(r->rt, value);
    if (title && strcmp(title, name) == 0) return true; /* dtype.fields has titles, too */
    const int64_t at = items[1].i;
    if (!any_dtype(r->rt, items[0], r->align, &d)) return false;
    int k = r->count;
    add(r, name, title, d, at);
    const gx_field_row own = r->fields[k];
    for (; k > 0 && r->fields[k - 1].offset > at; k--) r->fields[k] = r->fields[k - 1];
    r->fields[k] = own;
    return true;
}

/* The dict's items are kept until the dtype is made. */
static bool read_placed(reading *r, gx_borrowed items) {
    for (int64_t i = 0; i < gx_as_list(items)->count; i++) {
        const gx_tuple *pair = gx_as_tuple(gx_as_list(items)->items[i]);
        if (!read_place(r, pair->items[0], pair->items[1])) return false;
    }
    return true;
}

static gx_try read_dict(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out) {
    described d;
    struct {
        const char *name;
        gx_value *to;
    } all[] = {{"names", &d.names},     {"formats", &d.formats},   {"offsets", &d.offsets},
               {"titles", &d.titles},   {"itemsize", &d.itemsize}, {"aligned", &d.aligned}};
    gx_try t = GX_TRY_YES;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i].to = gx_undef();
    for (size_t i = 0; t != GX_TRY_ERROR && i < sizeof all / sizeof *all; i++)
        t = entry(rt, v, all[i].name, all[i].to);
    if (t != GX_TRY_ERROR && d.names.tag != GX_UNDEF && d.formats.tag != GX_UNDEF) {
        t = make_described(rt, &d, align, out);
    } else if (t != GX_TRY_ERROR) {
        reading r;
        gx_value view, items = gx_undef();
        bool ok = gx_view_new(rt, v, GX_VIEW_ITEMS, &view);
        if (ok) {
            ok = gx_list_of(rt, view, &items);
            gx_drop(view);
        }
        const bool begun = ok && begin(&r, rt, gx_as_list(items)->count, align);
        t = begun ? finish(&r, read_placed(&r, items), -1, out) : GX_TRY_ERROR;
        gx_drop(items);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) gx_drop(*all[i].to);
    return t;
}

/* --- tuples and texts ------------------------------------------------------------------------- */

/* (base, shape); ('U', 10); (np.record, fields). */
static gx_try read_tuple(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out) {
    const gx_tuple *t = gx_as_tuple(v);
    gx_dtype base;
    int64_t n;
    if (t->count != 2) {
        (void)gx_fail(rt, GX_TypeError, "dtype.fields",
                      "Tuple must have size 2, but has size %lld: (dtype, shape)",
                      (long long)t->count);
        return GX_TRY_ERROR;
    }
    if (gx_as_type(t->items[0]) == &gx_type_record || gx_as_type(t->items[0]) == &gx_type_void) {
        const bool record = gx_as_type(t->items[0]) == &gx_type_record;
        if (gx_as_index(rt, t->items[1], &n) == GX_TRY_YES && n >= 0) {
            *out = gx_void_dtype(rt, n);
            return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
        }
        gx_error_clear(rt);
        return any_dtype(rt, t->items[1], align, &base) && gx_record_with(rt, base, record, out)
                   ? GX_TRY_YES
                   : GX_TRY_ERROR;
    }
    if (!any_dtype(rt, t->items[0], align, &base)) return GX_TRY_ERROR;
    if (gx_is_text(base) && gx_dtype_size(base) == 0 &&
        gx_as_index(rt, t->items[1], &n) == GX_TRY_YES && n >= 0) {
        *out = gx_dtypes[base].family->of(rt, n);
        return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
    }
    gx_error_clear(rt);
    return with_shape(rt, base, t->items[1], out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* "3" or "(2, 3)" in front of a format: false where it is no shape. */
static bool read_repeat(const char **p, int *ndim, int64_t *shape) {
    const bool open = **p == '(';
    *ndim = 0;
    if (open) ++*p;
    for (;;) {
        while (**p == ' ' || (open && **p == ',')) ++*p;
        if (**p < '0' || **p > '9') break;
        if (*ndim == GX_MAX_DIMS) return false;
        int64_t n = 0;
        for (; **p >= '0' && **p <= '9'; ++*p)
            if ((n = n * 10 + (**p - '0')) > INT32_MAX) return false;
        shape[(*ndim)++] = n;
        if (!open) break;
    }
    if (open && *(*p)++ != ')') return false;
    while (**p == ' ') ++*p;
    return true;
}

/* One format of a text with commas. */
static gx_try read_format(gx_rt *rt, const char **p, gx_dtype *out) {
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    gx_dtype base;
    gx_value name;
    while (**p == ' ') ++*p;
    if (!read_repeat(p, &ndim, shape)) return GX_TRY_NO;
    const char *start = *p;
    int depth = 0;
    for (; **p && (depth || **p != ','); ++*p) depth += (**p == '[') - (**p == ']');
    size_t n = (size_t)(*p - start);
    while (n && start[n - 1] == ' ') n--;
    if (!n || !gx_str_new(rt, start, n, &name)) return n ? GX_TRY_ERROR : GX_TRY_NO;
    bool ok = gx_dtype_of(rt, name, &base);
    gx_drop(name);
    if (ndim == 1 && shape[0] == 1 && start[-1] != ')') ndim = 0; /* "1f4" is "f4" */
    return ok && gx_subarray_make(rt, base, ndim, shape, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* 'V8', "void". */
static gx_try void_by_text(gx_rt *rt, const char *text, gx_dtype *out) {
    int64_t n = 0;
    if (*text == '|' || *text == '<' || *text == '=') text++;
    if (strcmp(text, "void") == 0) text = "V";
    if (*text++ != 'V') return GX_TRY_NO;
    for (; *text >= '0' && *text <= '9' && n < INT32_MAX; text++) n = n * 10 + (*text - '0');
    if (*text) return GX_TRY_NO;
    *out = gx_void_dtype(rt, n);
    return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
}

static gx_try by_text(gx_rt *rt, const char *text, bool align, gx_dtype *out) {
    const char *p = text;
    int64_t commas = 0;
    reading r;
    for (; *p; p++) commas += *p == ',';
    if (strchr(text, '[') && commas && strchr(text, ',') > strchr(text, '[') && *text != '(' &&
        strchr(strchr(text, ']') ? strchr(text, ']') : "", ',') == NULL)
        return GX_TRY_NO; /* the comma is a unit's */
    if (!commas && !(*text >= '0' && *text <= '9') && *text != '(')
        return void_by_text(rt, text, out);
    p = text;
    gx_dtype d;
    gx_try t = begin(&r, rt, commas + 1, align) ? GX_TRY_YES : GX_TRY_ERROR;
    while (t == GX_TRY_YES) {
        t = read_format(rt, &p, &d);
        if (t != GX_TRY_YES) break;
        if (!*p && !r.count) { /* a single format is no record */
            *out = d;
            end(&r);
            return GX_TRY_YES;
        }
        add(&r, NULL, NULL, d, next_place(&r, d));
        if (!*p || !*++p) break;
        while (*p == ' ') p++;
        if (!*p) break;
    }
    if (t == GX_TRY_YES) return finish(&r, true, -1, out);
    end(&r);
    return t;
}

/* 'M8[D]', "timedelta64[10ms]". */
static gx_try time_by_text(gx_rt *rt, const char *text, gx_dtype *out) {
    static const char *const names[2][3] = {{"datetime64", "M8", "M"}, {"timedelta64", "m8", "m"}};
    gx_period step = {GX_UNIT_NONE, 1};
    if (*text == '<' || *text == '=') text++;
    for (int span = 0; span < 2; span++)
        for (int i = 0; i < 3; i++) {
            const size_t n = strlen(names[span][i]);
            if (strncmp(text, names[span][i], n) != 0 || (text[n] && text[n] != '[')) continue;
            const size_t length = strlen(text + n);
            if (length && (text[n + length - 1] != ']' || length > 30)) return GX_TRY_NO;
            char unit[32] = "";
            if (length) memcpy(unit, text + n + 1, length - 2);
            if (length && gx_step_read(rt, unit, &step) != GX_TRY_YES) return GX_TRY_ERROR;
            *out = gx_time_dtype(rt, span, step);
            return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
        }
    return GX_TRY_NO;
}

gx_try gx_record_read(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out) {
    if (v.tag == GX_DICT) return read_dict(rt, v, align, out);
    if (v.tag == GX_LIST) return read_list(rt, v, align, out);
    if (v.tag == GX_TUPLE) return read_tuple(rt, v, align, out);
    if (v.tag == GX_STR) {
        gx_try t = time_by_text(rt, gx_as_str(v)->text, out);
        return t != GX_TRY_NO ? t : by_text(rt, gx_as_str(v)->text, align, out);
    }
    if (v.tag == GX_TYPE && (v.type == &gx_type_datetime64 || v.type == &gx_type_timedelta64)) {
        *out = gx_time_dtype(rt, v.type == &gx_type_timedelta64, (gx_period){GX_UNIT_NONE, 1});
        return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
    }
    if (v.tag != GX_TYPE || (v.type != &gx_type_void && v.type != &gx_type_record))
        return GX_TRY_NO;
    *out = gx_void_dtype(rt, 0);
    return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
}
