/* Where the parts of an instance lie: the data of a builtin type, the collector's links, the
   attributes; and the number that an instance stands for. It knows types by their tags alone, so
   that the heap can ask it. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

const gx_type gx_type_apart = {.name = "instance", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE};

/* Of the two types of sets the one that does not change in place. */
static bool is_frozenset(const gx_type *t) {
    return t->tag == GX_SET && !t->inplace;
}

bool gx_is_value_type(const gx_type *t) {
    if (t->heap) return false;
    switch ((int)t->tag) {
    case GX_INT: case GX_FLOAT: case GX_COMPLEX: case GX_STR: case GX_BYTES: case GX_TUPLE:
        return true;
    default: return is_frozenset(t);
    }
}

/* --- where things lie ------------------------------------------------------------------------- */

size_t gx_part_behind(size_t data, bool apart) {
    return (data + 15) / 16 * 16 + (apart ? sizeof(gx_apart) : 0);
}

size_t gx_value_part(const gx_type *t) {
    if (t->tag == GX_FLOAT) return gx_part_behind(sizeof(gx_float_object), true);
    if (t->tag == GX_COMPLEX) return gx_part_behind(sizeof(gx_complex), true);
    if (is_frozenset(t)) return gx_part_behind(sizeof(gx_dict), false);
    return 0;
}

static size_t data_bytes(const gx_obj *obj) {
    const gx_subclassing *own = gx_plain_type(obj->type)->subclassing;
    if (own) return own->bytes(obj);
    if (obj->tag == GX_TUPLE)
        return sizeof(gx_tuple) + (size_t)((const gx_tuple *)obj)->count * sizeof(gx_value);
    if (obj->tag == GX_BIGINT)
        return sizeof(gx_bigint) + ((const gx_bigint *)obj)->count * sizeof(uint32_t);
    return sizeof(gx_str) + ((const gx_str *)obj)->length + 1;
}

size_t gx_part_place(const gx_obj *obj) {
    return gx_part_behind(data_bytes(obj), obj->type->apart);
}

gx_value gx_plain_number_slow(gx_borrowed v) {
    if (v.tag == GX_BIGINT) {
        const gx_bigint *b = (const gx_bigint *)v.obj;
        uint64_t m = 0;
        for (uint32_t i = b->count > 2 ? 2 : b->count; i-- > 0;) m = m << 32 | b->digits[i];
        if (b->count > 2 || m > (uint64_t)INT64_MAX + b->negative) return v;
        return gx_int(b->negative ? (int64_t)(0 - m) : (int64_t)m);
    }
    if (v.tag == GX_OBJECT && gx_plain_type(v.obj->type)->tag == GX_FLOAT)
        return gx_float(((gx_float_object *)v.obj)->f);
    return v;
}
