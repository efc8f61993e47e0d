/* The order in which a class and its ancestors are asked for a name: C3, as Python's. Also decides
   which builtin type's data the instances hold.

   Invariant: the class is first, `object` last, and every class stands before its bases. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/types.h"

/* One list of the merge: the order of a base, or the bases themselves. */
typedef struct line {
    const gx_type **items;
    int32_t at, count;
} line;

static bool in_tail(const line *lines, int64_t n, const gx_type *t) {
    for (int64_t i = 0; i < n; i++)
        for (int32_t k = lines[i].at + 1; k < lines[i].count; k++)
            if (lines[i].items[k] == t) return true;
    return false;
}

static bool inconsistent(gx_rt *rt, const gx_value *bases, int64_t n) {
    gx_buf names = gx_buf_new(rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = gx_buf_printf(&names, "%s%s", i ? ", " : "", gx_as_type(bases[i])->name);
    if (ok)
        gx_fail(rt, GX_TypeError, "class.order",
                "Cannot create a consistent method resolution order (MRO) for bases %s",
                gx_buf_text(&names));
    gx_buf_free(&names);
    return false;
}

/* Takes the first head that is in no tail, until all lines are used up. */
static bool merge(gx_rt *rt, gx_class *cls, line *lines, int64_t n, const gx_value *bases) {
    for (;;) {
        const gx_type *next = NULL;
        bool left = false;
        for (int64_t i = 0; !next && i < n; i++) {
            if (lines[i].at == lines[i].count) continue;
            left = true;
            const gx_type *head = lines[i].items[lines[i].at];
            if (!in_tail(lines, n, head)) next = head;
        }
        if (!left) return true;
        if (!next) return inconsistent(rt, bases, n - 1);
        cls->order[cls->order_count++] = next;
        for (int64_t i = 0; i < n; i++)
            if (lines[i].at < lines[i].count && lines[i].items[lines[i].at] == next) lines[i].at++;
    }
}

/* How many types a base's own order has; `into` NULL: counts only. */
static int32_t order_of(const gx_type *t, const gx_type **into) {
    int32_t n = 0;
    if (t->heap) {
        const gx_class *cls = gx_class_of(t);
        if (into) memcpy(into, cls->order, (size_t)cls->order_count * sizeof *into);
        return cls->order_count;
    }
    for (; t; t = gx_type_parent(t)) {
        if (n && t->tag == GX_ARRAY) continue; /* a namespace's ndarray has stood for it */
        if (into) into[n] = t;
        n++;
    }
    return n;
}

/* May a class of the script hold this builtin type's data? */
static bool allows_subclasses(const gx_type *t) {
    return gx_is_value_type(t) || t == &gx_type_object || t == &gx_type_list ||
           t == gx_core_types[GX_DICT] || t == gx_core_types[GX_SET] || t == &gx_type_abc ||
           t == &gx_type_type || t == &gx_type_abcmeta || t->tag == GX_ARRAY ||
           t->tag == GX_EXCEPTION;
}

static bool check_base(gx_rt *rt, gx_class *cls, gx_borrowed v) {
    const gx_type *t = gx_as_type(v);
    if (!t)
        return gx_fail(rt, GX_TypeError, "class.base", "a class inherits from classes, not from %s",
                       gx_type_name(v));
    const gx_type *b = gx_plain_type(t);
    if (!t->heap && !allows_subclasses(t)) {
        gx_fail(rt, GX_TypeError, "class.base",
                t == &gx_type_bool ? "type '%s' is not an acceptable base type"
                                   : "a class of gx can inherit from object, exceptions, int, "
                                     "float, complex, str, bytes, tuple, list, dict, set, "
                                     "frozenset, type and ndarray, not from '%s'",
                t->name);
        return gx_help(rt, "keep the %s in an attribute of the instance", t->name);
    }
    if (b == &gx_type_abc) b = &gx_type_object;
    if (gx_type_is(b, cls->builtin)) cls->builtin = b;
    else if (gx_type_is(cls->builtin, b)) return true;
    else if ((b = gx_exceptions_joined(cls->builtin, b))) cls->builtin = b;
    else
        return gx_fail(rt, GX_TypeError, "class.layout",
                       "multiple bases have instance lay-out conflict");
    return true;
}

static bool check_bases(gx_rt *rt, gx_class *cls, const gx_value *bases, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (!check_base(rt, cls, bases[i])) return false;
        for (int64_t k = 0; k < i; k++)
            if (gx_as_type(bases[k]) == gx_as_type(bases[i]))
                return gx_fail(rt, GX_TypeError, "class.base", "duplicate base class %s",
                               gx_as_type(bases[i])->name);
    }
    return true;
}

bool gx_class_order(gx_rt *rt, gx_class *cls) {
    const gx_value *bases;
    int64_t n = gx_sequence_items(cls->bases, &bases);
    int32_t total = 0;
    if (!check_bases(rt, cls, bases, n)) return false;
    for (int64_t i = 0; i < n; i++) total += order_of(gx_as_type(bases[i]), NULL);
    size_t room = (size_t)total + (size_t)n + 2;
    cls->order = gx_alloc(rt, room * sizeof *cls->order);
    const gx_type **scratch = gx_alloc(rt, room * sizeof *scratch);
    line *lines = gx_alloc_zero(rt, ((size_t)n + 1) * sizeof *lines);
    bool ok = cls->order && scratch && lines;
    if (ok) {
        const gx_type **at = scratch;
        cls->order[cls->order_count++] = &cls->type;
        for (int64_t i = 0; i < n; i++) {
            lines[i].items = at;
            lines[i].count = order_of(gx_as_type(bases[i]), at);
            at += lines[i].count;
        }
        lines[n].items = at;
        lines[n].count = (int32_t)n;
        for (int64_t i = 0; i < n; i++) at[i] = gx_as_type(bases[i]);
        ok = merge(rt, cls, lines, n + 1, bases);
        if (ok && n == 0) cls->order[cls->order_count++] = &gx_type_object;
    }
    gx_free(rt, lines);
    gx_free(rt, scratch);
    return ok;
}
