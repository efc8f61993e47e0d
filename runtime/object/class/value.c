/* Instances of classes below the builtin types whose values never change: int, float, complex, str,
   bytes, tuple, frozenset. An instance begins with the value exactly as the builtin type lays it
   out, so that whatever reads a text or a tuple reads an instance too. An int is always laid out as
   a big one, however small; a float, which is never an object elsewhere, is a gx_float_object.

   Invariant: the length of the data never changes, since the gx_part stands behind it. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str_int.h"

/* --- making ----------------------------------------------------------------------------------- */

/* An instance with room for `data` bytes, cleared; class kept, not yet tracked. */
static gx_obj *raw(gx_rt *rt, gx_class *cls, size_t data) {
    size_t bytes = gx_part_behind(data, cls->type.apart) + sizeof(gx_part);
    gx_obj *obj = gx_obj_new(rt, &cls->type, bytes);
    if (obj) gx_obj_keep(&cls->head.obj);
    return obj;
}

static gx_obj *of_int(gx_rt *rt, gx_class *cls, gx_borrowed v) {
    gx_digits x;
    gx_digits_of(v, &x);
    gx_obj *obj = raw(rt, cls, sizeof(gx_bigint) + x.n * sizeof *x.d);
    if (!obj) return NULL;
    gx_bigint *b = (gx_bigint *)obj;
    b->negative = x.negative;
    b->count = (uint32_t)x.n;
    if (x.n) memcpy(b->digits, x.d, x.n * sizeof *x.d);
    return obj;
}

static gx_obj *of_text(gx_rt *rt, gx_class *cls, const gx_str *from) {
    gx_obj *obj = raw(rt, cls, sizeof *from + from->length + 1);
    if (!obj) return NULL;
    gx_str *s = (gx_str *)obj;
    s->hash = from->hash;
    s->sym = from->sym;
    s->length = from->length;
    s->chars = from->chars;
    memcpy(s->text, from->text, from->length + 1);
    return obj;
}

static gx_obj *of_tuple(gx_rt *rt, gx_class *cls, const gx_tuple *from) {
    size_t items = (size_t)from->count * sizeof(gx_value);
    gx_obj *obj = raw(rt, cls, sizeof *from + items);
    if (!obj) return NULL;
    gx_tuple *t = (gx_tuple *)obj;
    t->count = from->count;
    for (int64_t i = 0; i < t->count; i++) t->items[i] = gx_keep(from->items[i]);
    return obj;
}

bool gx_instance_of_value(gx_rt *rt, gx_class *cls, gx_borrowed v, gx_value *out) {
    gx_obj *obj;
    bool ok = true;
    if (v.tag == GX_STR || v.tag == GX_BYTES) obj = of_text(rt, cls, gx_as_str(v));
    else if (v.tag == GX_TUPLE) obj = of_tuple(rt, cls, gx_as_tuple(v));
    else if (gx_is_int(v)) obj = of_int(rt, cls, v);
    else if (v.tag == GX_COMPLEX) obj = raw(rt, cls, sizeof(gx_complex));
    else if (v.tag == GX_SET) obj = raw(rt, cls, sizeof(gx_dict));
    else obj = raw(rt, cls, sizeof(gx_float_object));
    if (!obj) return false;
    if (v.tag == GX_COMPLEX) {
        ((gx_complex *)obj)->re = ((gx_complex *)v.obj)->re;
        ((gx_complex *)obj)->im = ((gx_complex *)v.obj)->im;
    } else if (v.tag == GX_FLOAT) {
        ((gx_float_object *)obj)->f = v.f;
    }
    gx_container *c = gx_container_of(obj);
    if (cls->type.apart) {
        c->obj.type = &gx_type_apart;
        ((gx_apart *)c)->owner = obj;
    }
    if (v.tag == GX_SET) ok = gx_set_update(rt, gx_object(obj), v);
    gx_container_track(rt, c);
    if (ok) *out = gx_object(obj);
    else gx_obj_drop(obj);
    return ok;
}


/* --- other constructors ----------------------------------------------------------------------- */

static bool static_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    const gx_bound *b = (const gx_bound *)self.obj;
    gx_value plain;
    if (!gx_call_value(rt, b->fn, argc, argv, kwc, kw, &plain)) return false;
    bool ok = gx_call_value(rt, b->self, 1, &plain, 0, NULL, out);
    gx_drop(plain);
    return ok;
}

static const gx_type static_type = {
    .name = "builtin_function_or_method",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = gx_bound_free,
    .traverse = gx_bound_traverse,
    .clear = gx_bound_clear,
    .call = static_call,
};

bool gx_class_static(gx_rt *rt, gx_borrowed cls, const gx_native *row, gx_value *out) {
    if (strcmp(row->name, "maketrans") == 0) { /* makes no str */
        *out = gx_native_value(row, GX_NS_GX);
        return true;
    }
    gx_bound *b = gx_obj_new(rt, &static_type, sizeof *b);
    if (!b) return false;
    b->self = gx_keep(cls);
    b->fn = gx_native_value(row, GX_NS_GX);
    gx_container_track(rt, &b->head);
    *out = gx_object(&b->head.obj);
    return true;
}
