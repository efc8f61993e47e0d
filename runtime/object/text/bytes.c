/* bytes: the same object as str, without a meaning. */
#include <string.h>

#include "runtime/object/heap.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str_int.h"

bool gx_bytes_new(gx_rt *rt, const char *data, size_t length, gx_value *out) {
    gx_heap *h = rt->heap;
    if (length == 0 && h->empty_bytes.tag != GX_UNDEF) {
        *out = gx_keep(h->empty_bytes);
        return true;
    }
    gx_str *s = gx_str_raw(rt, gx_core_types[GX_BYTES], length, 0);
    if (!s) return false;
    if (length) memcpy(s->text, data, length);
    *out = gx_object(&s->obj);
    if (length == 0) h->empty_bytes = gx_keep(*out);
    return true;
}

gx_try gx_byte_of(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_try is = gx_as_bound(rt, v, out);
    if (is != GX_TRY_YES || (*out >= 0 && *out <= 255)) return is;
    gx_fail(rt, GX_ValueError, "bytes.range", "byte must be in range(0, 256)");
    return GX_TRY_ERROR;
}
