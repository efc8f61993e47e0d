/* The methods that bytearray has from bytes, and the functions of its type object. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

/* --- methods of bytes ------------------------------------------------------------------------- */

/* Bytes in an answer become bytearrays: of join, partition, split too. */
static bool as_arrays(gx_rt *rt, gx_value v, gx_value *out) {
    if (v.tag == GX_BYTES) {
        bool ok = gx_bytearray_new(rt, gx_as_str(v)->text, gx_as_str(v)->length, out);
        gx_drop(v);
        return ok;
    }
    const gx_value *items;
    int64_t n = gx_sequence_items(v, &items);
    *out = v;
    if (n < 0) return true;
    gx_value list;
    bool ok = gx_list_new(rt, 0, NULL, &list);
    for (int64_t i = 0; ok && i < n; i++) {
        gx_value part;
        ok = as_arrays(rt, gx_keep(items[i]), &part) && gx_list_push_take(rt, list, part);
    }
    if (ok && v.tag == GX_TUPLE) {
        ok = gx_tuple_of(rt, list, out);
        gx_drop(list);
    } else if (ok) {
        *out = list;
    }
    gx_drop(v);
    return ok;
}

/* The rows of bytes with by_bytes for their function, in the order of gx_bytes_methods. */
enum { MOST_ROWS = 96, LENT = 256 };
typedef struct rows {
    gx_native list[MOST_ROWS];
} rows;

/* The bytes of self: short ones are copied into bytes that serve again where nobody kept them. */
static bool lend(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_bytearray *b = gx_as_bytearray(self);
    gx_value *spare = &rt->heap->lent_bytes;
    if (b->length == 0 || b->length > LENT) return gx_bytes_like(rt, self, out) == GX_TRY_YES;
    if (spare->tag == GX_UNDEF || spare->obj->refs != 1) {
        gx_str *made = gx_str_raw(rt, gx_core_types[GX_BYTES], LENT, 0);
        if (!made) return false;
        gx_drop(*spare);
        *spare = gx_object(&made->obj);
    }
    gx_str *s = gx_as_str(*spare);
    memcpy(s->text, b->data, b->length);
    s->text[b->length] = '\0';
    s->length = s->chars = b->length;
    s->hash = 0;
    s->sym = 0;
    *out = gx_keep(*spare);
    return true;
}

static bool by_bytes(gx_call *c, gx_value *out) {
    enum { MOST = 6 };
    gx_value argv[MOST], r;
    const rows *all = c->rt->heap->bytearray_rows;
    const gx_native *row = &gx_bytes_methods[c->fn - all->list];
    int made = 1;
    bool ok = c->argc <= MOST;
    if (!ok || !lend(c->rt, c->argv[0], &argv[0])) return false;
    for (; ok && made < c->argc; made++) {
        gx_try is = gx_is_bytearray(c->argv[made])
                        ? gx_bytes_like(c->rt, c->argv[made], &argv[made])
                        : GX_TRY_NO;
        if (is == GX_TRY_NO) argv[made] = gx_keep(c->argv[made]);
        ok = is != GX_TRY_ERROR;
        if (!ok) break;
    }
    gx_call inner = *c;
    inner.fn = row;
    inner.argv = argv;
    ok = ok && row->fn(&inner, &r);
    while (made > 0) gx_drop(argv[--made]);
    if (!ok || gx_is_object(r)) return ok && as_arrays(c->rt, r, out);
    *out = r;
    return true;
}

bool gx_bytearray_start(gx_rt *rt) {
    rows *r = gx_alloc_zero(rt, sizeof *r);
    if (!r) return false;
    int n = 0;
    for (const gx_native *row = gx_bytes_methods; row->name && n < MOST_ROWS - 1; row++) {
        r->list[n] = *row;
        r->list[n].example = NULL;
        r->list[n++].fn = by_bytes;
    }
    rt->heap->bytearray_rows = r;
    return gx_type_extend(rt, &gx_type_bytearray, r->list, NULL);
}

static bool from_hex(gx_call *c, gx_value *out) {
    gx_value bytes;
    const gx_native *row = gx_bytes_statics;
    if (!gx_native_call(c->rt, row, GX_NS_GX, NULL, 1, c->argv, 0, NULL, &bytes)) return false;
    return as_arrays(c->rt, bytes, out);
}

const gx_native gx_bytearray_statics[] = {
    {"fromhex", "fromhex(string, /)", "A bytearray from hexadecimal digits.",
     "bytearray.fromhex('0aff')  # bytearray(b'\\n\\xff')", from_hex, 0, 0},
    {"maketrans", "maketrans(from, to, /)", "A table for translate.", NULL, gx_bytes_maketrans, 0,
     0},
    {0},
};
