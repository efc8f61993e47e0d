/* Fields of text files that become elements of text: kept with their lengths until all are read, as
   the dtype may be as wide as the longest. */
#include "stdlib/numpy/base/text_items.h"

#include <string.h>

bool gx_text_item_add(gx_buf *data, const char *text, size_t n) {
    const uint64_t length = n;
    return gx_buf_add(data, (const char *)&length, sizeof length) && gx_buf_add(data, text, n);
}

gx_array *gx_text_items(gx_np *s, const gx_buf *data, gx_dtype d, int ndim, const int64_t *shape) {
    gx_value v, list;
    gx_array *r = NULL;
    uint64_t n;
    if (!gx_list_new(s->rt, 0, NULL, &list) || !gx_np_hold(s, list)) return NULL;
    for (size_t at = 0; at < data->length; at += n) {
        memcpy(&n, data->data + at, sizeof n);
        at += sizeof n;
        if (!gx_str_decode(s->rt, data->data + at, n, &v) || !gx_list_push_take(s->rt, list, v))
            return NULL;
    }
    const gx_value *items;
    if (gx_sequence_items(list, &items) == 0) return gx_np_empty(s, d, ndim, shape);
    if (!gx_asarray(s->rt, list, d, s->ns, true, &r)) return NULL;
    return gx_np_reshape(s, gx_np_own(s, r), ndim, shape);
}
