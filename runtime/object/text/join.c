/* sep.join(items), of str and bytes. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"

static bool join_items(gx_rt *rt, const gx_str *sep, const gx_value *items, int64_t n,
                       gx_value *out) {
    size_t length = 0, chars = 0;
    GX_LONG_LOOP(rt, i, 0, n) {
        if (items[i].tag != sep->obj.tag)
            return gx_fail(rt, GX_TypeError, "str.join",
                           sep->obj.tag == GX_STR
                               ? "sequence item %lld: expected str instance, %s found"
                               : "sequence item %lld: expected a bytes-like object, %s found",
                           (long long)i, gx_type_name(items[i]));
        length += gx_as_str(items[i])->length + (i ? sep->length : 0);
        chars += gx_as_str(items[i])->chars + (i ? sep->chars : 0);
    }
    if (!gx_work_end(rt)) return false;
    if (n == 1) return gx_plain_value(rt, items[0], out);
    if (length == 0 && sep->obj.tag == GX_STR) return gx_str_new(rt, "", 0, out);
    gx_str *r = gx_str_raw(rt, sep->obj.type, length, 0);
    if (!r) return false;
    r->chars = chars;
    char *p = r->text;
    GX_LONG_LOOP(rt, i, 0, n) {
        if (i) p = (char *)memcpy(p, sep->text, sep->length) + sep->length;
        gx_str *s = gx_as_str(items[i]);
        p = (char *)memcpy(p, s->text, s->length) + s->length;
    }
    *out = gx_object(&r->obj);
    if (gx_work_end(rt)) return true;
    gx_drop(*out);
    return false;
}

/* A list of the items with bytes for what stands for them; UNDEF: they are bytes. */
static bool as_bytes(gx_rt *rt, const gx_value *items, int64_t n, gx_value *out) {
    int64_t i = 0;
    while (i < n && items[i].tag == GX_BYTES) i++;
    if (i == n) return true;
    if (!gx_list_new(rt, n, items, out)) return false;
    for (; i < n; i++) {
        gx_value *place = &gx_as_list(*out)->items[i], bytes, old = *place;
        gx_try is = gx_bytes_like(rt, old, &bytes);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) continue;
        *place = bytes;
        gx_drop(old);
    }
    return true;
}

bool gx_str_join(gx_rt *rt, gx_borrowed sep, gx_borrowed iterable, gx_value *out) {
    gx_value list = gx_undef();
    const gx_value *items;
    int64_t n = gx_iterates_plainly(iterable) ? gx_sequence_items(iterable, &items) : -1;
    if (n < 0) {
        if (!gx_list_walked(rt, iterable, &list)) return false;
        n = gx_sequence_items(list, &items);
    }
    gx_value plain = gx_undef();
    bool ok = sep.tag != GX_BYTES || as_bytes(rt, items, n, &plain);
    if (ok && plain.tag != GX_UNDEF) n = gx_sequence_items(plain, &items);
    ok = ok && join_items(rt, gx_as_str(sep), items, n, out);
    gx_drop(plain);
    gx_drop(list);
    return ok;
}
