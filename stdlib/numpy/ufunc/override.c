/* Calls of NumPy's functions and methods with arrays of a script's class below ndarray, or with
   objects that have __array_function__: who is asked, and of which class the results are. The
   functions themselves compute with plain arrays; override.def says what becomes of each one's
   results. */
#include <string.h>

#include "kernels/optable.h"
#include "runtime/object/container/dict.h"
#include "runtime/array/dtype.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "runtime/object/still.h"
#include "stdlib/numpy/ufunc/override.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"
#include "stdlib/common.h"

static const struct override_row {
    const char *name, *letters, *method;
} override_rows[] = {
#define OVERRIDE(name, letters, method) {name, letters, method},
#include "stdlib/numpy/ufunc/override.def"
};
enum { ROWS = sizeof override_rows / sizeof *override_rows };

/* --- who is asked ----------------------------------------------------------------------------- */

bool gx_overrides(gx_rt *rt, gx_borrowed v, const char *method) {
    return gx_is_instance(v) && gx_special_find(rt, v, method).tag != GX_UNDEF;
}

bool gx_declined(gx_rt *rt, gx_borrowed v) {
    gx_value none;
    if (!gx_not_implemented(rt, &none)) return false;
    bool same = gx_is_object(v) && v.obj == none.obj;
    gx_drop(none);
    return same;
}

void gx_override_add(gx_value *asked, int *n, gx_borrowed v) {
    const gx_type *t = gx_type_of(v);
    int at = *n;
    for (int i = 0; i < *n; i++) {
        if (gx_type_of(asked[i]) == t) return;
        if (at == *n && gx_type_is(t, gx_type_of(asked[i]))) at = i;
    }
    if (*n == GX_OVERRIDE_MOST) return;
    memmove(asked + at + 1, asked + at, (size_t)(*n - at) * sizeof *asked);
    asked[at] = v;
    ++*n;
}

int gx_override_keyword(gx_rt *rt, const gx_override *o, const char *name) {
    for (int k = 0; k < o->kwc; k++)
        if (strcmp(gx_sym_text(rt, o->kw[k]), name) == 0) return k;
    return -1;
}

static bool takes_part(gx_rt *rt, gx_borrowed v) {
    return gx_is_instance(v) && (v.tag == GX_ARRAY || gx_overrides(rt, v, "__array_ufunc__") ||
                                 gx_overrides(rt, v, "__array_function__"));
}

static bool anybody(gx_rt *rt, const gx_override *o) {
    const gx_value *items;
    for (int i = 0; i < o->argc + o->kwc; i++) {
        if (takes_part(rt, o->argv[i])) return true;
        int64_t n = gx_sequence_items(o->argv[i], &items);
        for (int64_t k = 0; k < n; k++)
            if (takes_part(rt, items[k])) return true;
    }
    return false;
}

/* --- computing with plain arrays -------------------------------------------------------------- */

static bool keep_pair(gx_plain_call *p, gx_borrowed was, gx_value is) {
    if (p->replaced == GX_OVERRIDE_MOST) {
        gx_drop(is);
        return gx_fail(p->rt, GX_TypeError, "override.many",
                       "a call takes at most %d arrays of classes of the script", GX_OVERRIDE_MOST);
    }
    p->was[p->replaced] = gx_keep(was);
    p->is[p->replaced++] = is;
    return true;
}

static double priority_of(gx_rt *rt, gx_borrowed v) {
    gx_value x;
    double d = 0;
    gx_sym name = gx_sym_c(rt, "__array_priority__");
    gx_try has = name ? gx_try_attr(rt, v, name, &x) : GX_TRY_ERROR;
    if (has == GX_TRY_YES) {
        if (gx_as_double(rt, x, &d) != GX_TRY_YES) d = 0;
        gx_drop(x);
    }
    if (has == GX_TRY_ERROR || rt->error.kind) gx_error_clear(rt);
    return d;
}

/* An argument with plain arrays in it; owned. */
static bool plain_value(gx_plain_call *p, gx_borrowed v, bool inside, gx_value *out) {
    const gx_value *items;
    gx_array *a;
    if (gx_is_class_array(v)) {
        if (p->like.tag == GX_UNDEF || priority_of(p->rt, v) > priority_of(p->rt, p->like))
            p->like = v;
        a = gx_as_array(v);
        if (inside && a->ndim == 0 && gx_reads_itself(p->rt, v, (gx_dtype)a->dtype)) {
            *out = gx_keep(v); /* an element, of which it is asked what it is */
            return true;
        }
        if (!gx_array_plain(p->rt, a, &a)) return false;
        *out = gx_array_value(a);
        return keep_pair(p, v, gx_keep(*out)) || (gx_drop(*out), false);
    }
    int64_t n = -1;
    bool any = false;
    GX_STILL(own);
    if (!inside && !gx_still_items(p->rt, v, &own, &items, &n)) return false;
    for (int64_t i = 0; i < n && !any; i++) any = gx_is_class_array(items[i]);
    if (!any) {
        *out = gx_keep(v);
        return true;
    }
    gx_value list, item;
    if (!gx_list_new(p->rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = plain_value(p, items[i], true, &item) && gx_list_push_take(p->rt, list, item);
    if (ok && v.tag == GX_TUPLE) {
        ok = gx_tuple_of(p->rt, list, &item);
        gx_drop(list);
        list = item;
        if (!ok) return false;
    }
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

bool gx_plain_call_begin(gx_rt *rt, const gx_override *o, int from, gx_plain_call *p) {
    int n = o->argc + o->kwc, i;
    *p = (gx_plain_call){.rt = rt, .call = *o, .like = gx_undef()};
    p->call.argv = p->args;
    if (n > GX_OVERRIDE_MOST)
        return gx_fail(rt, GX_TypeError, "override.many", "%s() got more than %d arguments",
                       o->fn->name, GX_OVERRIDE_MOST);
    for (i = 0; i < n; i++) {
        if (i < from)
            p->args[i] = gx_keep(o->argv[i]);
        else if (!plain_value(p, o->argv[i], false, &p->args[i]))
            break;
    }
    if (i == n) return true;
    for (; i < n; i++) p->args[i] = gx_undef();
    gx_plain_call_end(p);
    return false;
}

void gx_plain_call_end(gx_plain_call *p) {
    for (int i = 0; i < p->call.argc + p->call.kwc; i++) gx_drop(gx_steal(&p->args[i]));
    for (int i = 0; i < p->replaced; i++) {
        gx_drop(p->was[i]);
        gx_drop(p->is[i]);
    }
    p->replaced = 0;
}

/* --- results ---------------------------------------------------------------------------------- */

/* By __array_wrap__: scalars are 0-d arrays first. */
static bool wrap(gx_plain_call *p, gx_value v, gx_borrowed context, gx_value *out) {
    gx_array *a;
    bool scalar = v.tag != GX_ARRAY;
    if (scalar) {
        if (v.tag != GX_SCALAR && v.tag != GX_SCALAR_BOX) {
            *out = v;
            return true;
        }
        bool ok = gx_asarray(p->rt, v, GX_NO_DTYPE, GX_NS_NUMPY, true, &a);
        gx_drop(v);
        if (!ok) return false;
    } else {
        a = gx_as_array(v);
    }
    return gx_array_wrap_take(p->rt, p->like, a, context, scalar, out);
}

static bool give_one(gx_plain_call *p, char letter, gx_value v, gx_borrowed context,
                     gx_value *out) {
    for (int i = 0; i < p->replaced && v.tag == GX_ARRAY && letter != '-'; i++)
        if (p->is[i].obj == v.obj) {
            gx_drop(v);
            *out = gx_keep(p->was[i]);
            return true;
        }
    if (p->like.tag == GX_UNDEF || gx_is_instance(v) || letter == '-') {
        *out = v;
        return true;
    }
    if (letter == 'W') return wrap(p, v, context, out);
    if (letter == 'P' && priority_of(p->rt, p->like) <= 0) {
        *out = v;
        return true;
    }
    if (letter == 'P' && v.tag == GX_ARRAY && !v.obj->type->heap)
        return gx_array_as_take(p->rt, gx_as_array(v), p->like.obj->type, gx_none(), out);
    return gx_array_like_take(p->rt, p->like, v, out);
}

static bool give_items(gx_plain_call *p, const char *letters, gx_value v, gx_borrowed context,
                       gx_value *out) {
    bool list = v.tag == GX_LIST, ok = true;
    int64_t n = list ? gx_as_list(v)->count : gx_as_tuple(v)->count;
    gx_value *items = list ? gx_as_list(v)->items : gx_as_tuple(v)->items, r;
    size_t known = strlen(letters);
    for (int64_t i = 0; ok && i < n; i++) {
        char letter = known > 1 ? letters[(size_t)i < known ? (size_t)i : known - 1] : *letters;
        gx_value item = gx_steal(&items[i]);
        items[i] = gx_none();
        if (item.tag == GX_TUPLE || item.tag == GX_LIST)
            r = item;
        else
            ok = give_one(p, letter, item, context, &r);
        if (ok) items[i] = r;
    }
    if (ok)
        *out = v;
    else
        gx_drop(v);
    return ok;
}

bool gx_plain_call_give(gx_plain_call *p, const char *letters, gx_value v, gx_borrowed context,
                        gx_value *out) {
    bool several = (v.tag == GX_TUPLE || v.tag == GX_LIST) && v.obj->refs == 1;
    return several ? give_items(p, letters, v, context, out)
                   : give_one(p, *letters, v, context, out);
}

/* --- functions and methods -------------------------------------------------------------------- */

static const struct override_row *row_named(const char *key) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(override_rows[i].name, key) == 0) return &override_rows[i];
    return NULL;
}

static const struct override_row none = {"", "", ""};

static const struct override_row *find_function_row(gx_rt *rt, const gx_override *o) {
    char key[80];
    const char *module = gx_stdlib_module_of(rt, o->fn), *name = o->fn->name;
    if (!module || strncmp(module, "numpy", 5) != 0) return NULL;
    if (strlen(module) + strlen(name) > 70) return &none;
    key[0] = 0;
    if (module[5] == '.') strcat(strcpy(key, module + 6), ".");
    const struct override_row *found = row_named(strcat(key, name));
    return found ? found : &none;
}

static const struct override_row *find_method_row(const gx_override *o) {
    char key[60] = "ndarray.";
    if (strlen(o->fn->name) > 40 || strncmp(o->fn->name, "__", 2) == 0) return NULL;
    const struct override_row *found = row_named(strcat(key, o->fn->name));
    return found ? found : &none;
}

/* What has been found, as it is asked at each call: a row by function. */
typedef struct known_row {
    const gx_native *fn;
    const struct override_row *row;
    bool method;
} known_row;
enum { KNOWN = 1024 };

/* The row of a NumPy function or method; an empty one: it has none. NULL: it is not NumPy's. */
static const struct override_row *row_of(gx_rt *rt, const gx_override *o, bool method) {
    void **known = gx_stdlib_overrides(rt);
    if (!*known) *known = gx_alloc_zero(rt, KNOWN * sizeof(known_row));
    if (!*known) gx_error_clear(rt);
    known_row local = {0}, *k = &local;
    const uintptr_t at = (uintptr_t)o->fn / sizeof(gx_native) * 2 + method;
    if (*known) k = (known_row *)*known + at % KNOWN;
    if (k->fn == o->fn && k->method == method) return k->row;
    *k = (known_row){o->fn, method ? find_method_row(o) : find_function_row(rt, o), method};
    return k->row;
}

/* Are all keywords the function's own? A method may have more. */
static bool knows_keywords(gx_rt *rt, const gx_override *o) {
    int known = 0;
    const char *param;
    for (int i = 0; (param = gx_native_param(rt, o->fn, i)) != NULL; i++)
        known += gx_override_keyword(rt, o, param) >= 0;
    return known == o->kwc;
}

/* np.mean(a) of a class that has a method mean of its own: that one is called. */
static gx_try own_method(gx_rt *rt, const gx_override *o, const char *name, gx_value *out) {
    gx_value fn;
    if (!*name || o->argc < 1 || !gx_is_class_array(o->argv[0]) ||
        !gx_overrides(rt, o->argv[0], name) || !knows_keywords(rt, o))
        return GX_TRY_NO;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_get_attr(rt, o->argv[0], sym, &fn)) return GX_TRY_ERROR;
    bool ok = gx_call_value(rt, fn, o->argc - 1, o->argv + 1, o->kwc, o->kw, out);
    gx_drop(fn);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* The letter of an argument subok, which stands for S and s. */
static const char *by_subok(gx_rt *rt, const gx_override *o, const char *letters) {
    bool yes = *letters == 'S';
    gx_value v = gx_undef();
    if (*letters != 's' && *letters != 'S') return letters;
    int k = gx_override_keyword(rt, o, "subok");
    if (k >= 0) v = o->argv[o->argc + k];
    for (int i = 0; k < 0 && i < o->argc; i++) {
        const char *param = gx_native_param(rt, o->fn, i);
        if (param && strcmp(param, "subok") == 0) v = o->argv[i];
    }
    if (v.tag != GX_UNDEF && !gx_truth(rt, v, &yes)) gx_error_clear(rt);
    return yes ? "K" : "-";
}

/* The results' letters where out= is given: what was given comes back. */
static bool has_out(gx_rt *rt, const gx_override *o) {
    int k = gx_override_keyword(rt, o, "out");
    if (k >= 0) return o->argv[o->argc + k].tag != GX_NONE;
    for (int i = 0; i < o->argc; i++) {
        const char *param = gx_native_param(rt, o->fn, i);
        if (param && strcmp(param, "out") == 0) return o->argv[i].tag != GX_NONE;
    }
    return false;
}

/* Is the result of the class of the first argument, whatever the others are? NumPy makes an ndarray
   of a list of such arrays. */
static bool is_of_first(const gx_override *o) {
    const char *name = o->fn->name, *end = strstr(name, "_like");
    return !o->skip && o->argc &&
           ((end && !end[5]) || strcmp(name, "array") == 0 || strcmp(name, "asanyarray") == 0 ||
            strcmp(name, "copy") == 0);
}

bool gx_override_function_plain(gx_rt *rt, const gx_override *o, const char *letters,
                                gx_value *out) {
    gx_plain_call p;
    gx_value r;
    if (*letters == '*') letters++;
    if (!*letters) letters = "-";
    letters = by_subok(rt, o, letters);
    if (!gx_plain_call_begin(rt, o, o->skip, &p)) return false;
    if (o->skip) p.like = o->argv[0];
    else if (is_of_first(o)) p.like = gx_is_class_array(o->argv[0]) ? o->argv[0] : gx_undef();
    bool ok = gx_native_call_plain(rt, &p.call, &r);
    if (ok && has_out(rt, o)) {
        letters = "K";
        if (r.tag != GX_ARRAY || !gx_is_class_array(p.like)) p.like = gx_undef();
        bool known = false;
        for (int i = 0; i < p.replaced && r.tag == GX_ARRAY; i++) known |= p.is[i].obj == r.obj;
        if (!known) p.like = gx_undef();
    }
    ok = ok && gx_plain_call_give(&p, letters, r, gx_none(), out);
    gx_plain_call_end(&p);
    return ok;
}

static gx_try method(gx_rt *rt, const gx_override *o, gx_value *out) {
    const struct override_row *row = gx_is_class_array(o->argv[0]) ? row_of(rt, o, true) : NULL;
    if (!row) return GX_TRY_NO;
    return gx_override_function_plain(rt, o, row == &none ? "K" : row->letters, out) ? GX_TRY_YES
                                                                                    : GX_TRY_ERROR;
}

/* The array's own say, behind __array_function__. */
static gx_try ask_array(gx_rt *rt, const gx_override *o, const struct override_row *row,
                        gx_value *out) {
    gx_try done = own_method(rt, o, row->method, out);
    return done == GX_TRY_NO ? gx_override_folding(rt, o, out) : done;
}

bool gx_override_function(gx_rt *rt, const gx_override *o, gx_value *out) {
    const struct override_row *row = row_of(rt, o, false);
    gx_try done = row ? ask_array(rt, o, row, out) : GX_TRY_NO;
    if (done != GX_TRY_NO) return done == GX_TRY_YES;
    return gx_override_function_plain(rt, o, row ? row->letters : "-", out);
}

/* func, types, args, kwargs for __array_function__; owned by the caller. */
static bool protocol_args(gx_rt *rt, const gx_override *o, const gx_value *asked, int n,
                          gx_value args[4]) {
    gx_value types[GX_OVERRIDE_MOST], key;
    for (int i = 0; i < 4; i++) args[i] = gx_undef();
    for (int i = 0; i < n; i++) types[i] = gx_type_value(gx_type_of(asked[i]));
    args[0] = gx_native_value(o->fn, GX_NS_NUMPY);
    bool ok = gx_tuple_take(rt, n, types, &args[1]) &&
              gx_tuple_new(rt, o->argc, o->argv, &args[2]) && gx_dict_new(rt, &args[3]);
    for (int k = 0; ok && k < o->kwc; k++) {
        ok = gx_str_of_sym(rt, o->kw[k], &key);
        if (!ok) break;
        ok = gx_dict_set(rt, args[3], key, o->argv[o->argc + k]);
        gx_drop(key);
    }
    return ok;
}

static bool nobody(gx_rt *rt, const gx_override *o, const gx_value *asked, int n) {
    gx_buf names = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        gx_value type = gx_type_value(gx_type_of(asked[i]));
        ok = gx_buf_puts(&names, i ? ", " : "") && gx_repr(rt, type, &names);
        gx_drop(type);
    }
    if (ok)
        gx_fail(rt, GX_TypeError, "override.nobody",
                "no implementation found for '%s.%s' on types that implement __array_function__: "
                "[%s]",
                gx_stdlib_module_of(rt, o->fn), o->fn->name, gx_buf_text(&names));
    gx_buf_free(&names);
    return false;
}

/* Asks __array_function__ of everybody who has it. NO: nobody has. */
static gx_try ask_function(gx_rt *rt, const gx_override *o, gx_value *out) {
    gx_value asked[GX_OVERRIDE_MOST], args[4], fn;
    const gx_value *items;
    int n = 0;
    for (int i = 0; i < o->argc + o->kwc; i++) {
        gx_value v = o->argv[i];
        if (gx_overrides(rt, v, "__array_function__")) gx_override_add(asked, &n, v);
        int64_t count = gx_sequence_items(v, &items);
        for (int64_t k = 0; k < count; k++)
            if (gx_overrides(rt, items[k], "__array_function__"))
                gx_override_add(asked, &n, items[k]);
    }
    if (n == 0) return GX_TRY_NO;
    gx_sym name = gx_sym_c(rt, "__array_function__");
    for (int i = 0; i < n; i++) gx_keep(asked[i]);
    bool ok = name && protocol_args(rt, o, asked, n, args);
    gx_try done = ok ? GX_TRY_NO : GX_TRY_ERROR;
    for (int i = 0; i < n && done == GX_TRY_NO; i++) {
        done = gx_get_attr(rt, asked[i], name, &fn) ? GX_TRY_YES : GX_TRY_ERROR;
        if (done != GX_TRY_YES) break;
        if (!gx_call_value(rt, fn, 4, args, 0, NULL, out)) done = GX_TRY_ERROR;
        gx_drop(fn);
        if (done == GX_TRY_YES && gx_declined(rt, *out)) {
            gx_drop(*out);
            done = GX_TRY_NO;
        }
    }
    if (done == GX_TRY_NO) done = nobody(rt, o, asked, n) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name)
        for (int k = 0; k < 4; k++) gx_drop(args[k]);
    for (int i = 0; i < n; i++) gx_drop(asked[i]);
    return done;
}

/* The object of another language in an argument, which may be a list; else what it is. */
static gx_borrowed foreign_in(gx_borrowed v) {
    const gx_value *items;
    int64_t n = gx_sequence_items(v, &items);
    for (int64_t k = 0; k < n && k < 8 && !gx_type_of(v)->foreign; k++) v = items[k];
    return v;
}

/* An object of another language that has NumPy's protocols itself. */
static gx_try ask_foreign(gx_rt *rt, const gx_override *o, gx_value *out) {
    bool any = false;
    for (int i = 0; !o->skip && i < o->argc + o->kwc && !any; i++)
        any = gx_type_of(foreign_in(o->argv[i]))->foreign != NULL;
    const char *module = any ? gx_stdlib_module_of(rt, o->fn) : NULL;
    if (!module || strncmp(module, "numpy", 5) != 0) return GX_TRY_NO;
    for (int i = 0; i < o->argc + o->kwc; i++) {
        gx_borrowed v = foreign_in(o->argv[i]);
        const gx_foreign *foreign = gx_type_of(v)->foreign;
        if (!foreign) continue;
        gx_try done = foreign->numpy(rt, v, gx_native_value(o->fn, o->ns), o->argc, o->argv, o->kwc,
                                     o->kw, out);
        if (done != GX_TRY_NO) return done;
    }
    return GX_TRY_NO;
}

gx_try gx_np_override(gx_rt *rt, const gx_override *o, gx_value *out) {
    gx_try other = rt->bridge ? ask_foreign(rt, o, out) : GX_TRY_NO;
    if (other != GX_TRY_NO) return other;
    const gx_native *self = o->skip && o->argc ? o->argv[0].native : NULL;
    if (!anybody(rt, o)) return GX_TRY_NO;
    if (o->skip && o->argv[0].tag == GX_NATIVE)
        return gx_is_ufunc(self) ? gx_override_ufunc(rt, o, out) : GX_TRY_NO;
    /* A row of override.def is a function in NumPy, though one of gx's operations. */
    const struct override_row *row = row_of(rt, o, false);
    const char *letters = row ? row->letters : NULL;
    if (gx_is_ufunc(o->fn) && !(letters && *letters)) return gx_override_ufunc(rt, o, out);
    if (o->skip) {
        gx_try done = gx_override_folding(rt, o, out);
        return done == GX_TRY_NO ? method(rt, o, out) : done;
    }
    if (!letters) return GX_TRY_NO;
    if (*letters == '*') {
        gx_try done = ask_function(rt, o, out);
        if (done == GX_TRY_NO) done = ask_array(rt, o, row, out);
        if (done != GX_TRY_NO) return done;
    }
    for (int i = 0; i < o->argc + o->kwc; i++) {
        const gx_value *items;
        int64_t n = gx_sequence_items(o->argv[i], &items);
        bool any = gx_is_class_array(o->argv[i]);
        for (int64_t k = 0; k < n && !any; k++) any = gx_is_class_array(items[k]);
        if (any) return gx_override_function_plain(rt, o, letters, out) ? GX_TRY_YES : GX_TRY_ERROR;
    }
    return GX_TRY_NO;
}
