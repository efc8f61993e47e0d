/* What dict.update takes: mappings, which have keys(), and iterables of pairs. */
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/types.h"

static bool set_pair(gx_rt *rt, gx_borrowed dict, gx_borrowed pair, int64_t at) {
    gx_value list;
    if (!gx_list_of(rt, pair, &list)) {
        if (rt->error.kind != GX_TypeError) return false;
        gx_error_clear(rt);
        return gx_fail(rt, GX_TypeError, "dict.update",
                       "cannot convert dictionary update sequence element #%lld to a sequence",
                       (long long)at);
    }
    gx_list *l = gx_as_list(list);
    bool ok;
    if (l->count != 2)
        ok = gx_fail(rt, GX_ValueError, "dict.update",
                     "dictionary update sequence element #%lld has length %lld; 2 is required",
                     (long long)at, (long long)l->count);
    else
        ok = gx_dict_set(rt, dict, l->items[0], l->items[1]);
    gx_drop(list);
    return ok;
}

/* A mapping that is no dict: it has keys(). */
static bool update_from_keys(gx_rt *rt, gx_borrowed dict, gx_borrowed other, gx_borrowed keys_fn) {
    gx_value keys, it, key, item;
    if (!gx_call_value(rt, keys_fn, 0, NULL, 0, NULL, &keys)) return false;
    bool ok = gx_iter(rt, keys, &it), more;
    gx_drop(keys);
    if (!ok) return false;
    while ((ok = gx_next(rt, it, &key, &more)) && more) {
        ok = gx_get_item(rt, other, key, &item);
        if (ok) {
            ok = gx_dict_set(rt, dict, key, item);
            gx_drop(item);
        }
        gx_drop(key);
        if (!ok) break;
    }
    gx_drop(it);
    return ok;
}

bool gx_dict_update(gx_rt *rt, gx_borrowed dict, gx_borrowed other) {
    if (other.tag == GX_DICT && gx_iterates_plainly(other))
        return dict.obj == other.obj || gx_table_copy(rt, other, dict);
    gx_sym keys = gx_sym_c(rt, "keys");
    if (!keys) return false;
    gx_value fn, it, pair;
    gx_try r = gx_try_attr(rt, other, keys, &fn);
    if (r == GX_TRY_ERROR) return false;
    if (r == GX_TRY_YES) {
        bool done = update_from_keys(rt, dict, other, fn);
        gx_drop(fn);
        return done;
    }
    if (!gx_iter(rt, other, &it)) return false;
    bool ok, more;
    int64_t at = 0;
    while ((ok = gx_next(rt, it, &pair, &more)) && more) {
        ok = set_pair(rt, dict, pair, at++);
        gx_drop(pair);
        if (!ok) break;
    }
    gx_drop(it);
    return ok;
}
