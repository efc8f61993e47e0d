/* The methods of dicts. */
#include <string.h>

#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

/* --- update ----------------------------------------------------------------------------------- */

static bool update(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 1) && !gx_dict_update(c->rt, c->argv[0], c->argv[1])) return false;
    return gx_dict_update(c->rt, c->argv[0], c->argv[2]) && none(out);
}

/* --- the rest --------------------------------------------------------------------------------- */

static bool get(gx_call *c, gx_value *out) {
    gx_try r = gx_dict_find(c->rt, c->argv[0], c->argv[1], out);
    if (r == GX_TRY_NO) *out = gx_keep(c->argv[2]);
    return r != GX_TRY_ERROR;
}

static bool set_default(gx_call *c, gx_value *out) {
    gx_try r = gx_dict_find(c->rt, c->argv[0], c->argv[1], out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    if (!gx_dict_set(c->rt, c->argv[0], c->argv[1], c->argv[2])) return false;
    *out = gx_keep(c->argv[2]);
    return true;
}

static bool pop(gx_call *c, gx_value *out) {
    gx_try r = GX_TRY_NO; /* an empty dict hashes nothing */
    if (gx_as_dict(c->argv[0])->count) r = gx_dict_remove(c->rt, c->argv[0], c->argv[1], out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    if (!gx_arg_given(c, 2)) return gx_key_error(c->rt, c->argv[1]);
    *out = gx_keep(c->argv[2]);
    return true;
}

static bool pop_item(gx_call *c, gx_value *out) {
    gx_dict *d = gx_as_dict(c->argv[0]);
    if (d->count == 0) {
        gx_value text;
        if (!gx_str_c(c->rt, "popitem(): dictionary is empty", &text)) return false;
        gx_key_error(c->rt, text);
        gx_drop(text);
        return false;
    }
    gx_value pair[2];
    gx_dict_pop_end(c->argv[0], true, pair);
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool clear(gx_call *c, gx_value *out) {
    gx_table_clear(c->rt, c->argv[0].obj);
    return none(out);
}

static bool copy(gx_call *c, gx_value *out) {
    gx_value d;
    if (!gx_dict_new(c->rt, &d)) return false;
    if (!gx_table_copy(c->rt, c->argv[0], d)) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

static bool keys(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_KEYS, out);
}

static bool values(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_VALUES, out);
}

static bool items(gx_call *c, gx_value *out) {
    return gx_view_new(c->rt, c->argv[0], GX_VIEW_ITEMS, out);
}

static bool reversed(gx_call *c, gx_value *out) {
    return gx_table_iter(c->rt, c->argv[0], GX_VIEW_KEYS, true, out);
}

const gx_native gx_dict_methods[] = {
    {"get", "get(self, key, default=None, /)", "The value of a key, or a default.",
     "{'a': 1}.get('b', 0)  # 0", get, 0, 0},
    {"keys", "keys(self, /)", "A view of the keys.", NULL, keys, 0, 0},
    {"values", "values(self, /)", "A view of the values.", NULL, values, 0, 0},
    {"items", "items(self, /)", "A view of the (key, value) pairs.", NULL, items, 0, 0},
    {"update", "update(self, other=<no value>, /, **kwargs)",
     "Sets keys from a mapping, an iterable of pairs, or keywords.", NULL, update, 0, 0},
    {"pop", "pop(self, key, default=<no value>, /)", "Removes a key and returns its value.", NULL,
     pop, 0, 0},
    {"popitem", "popitem(self, /)", "Removes and returns the pair added last.", NULL, pop_item, 0,
     0},
    {"setdefault", "setdefault(self, key, default=None, /)",
     "The value of a key, which is set to a default when missing.", NULL, set_default, 0, 0},
    {"clear", "clear(self, /)", "Removes everything.", NULL, clear, 0, 0},
    {"copy", "copy(self, /)", "A new dict of the same entries.", NULL, copy, 0, 0},
    {"__reversed__", "__reversed__(self, /)", "The keys from the last.", NULL, reversed, 0, 0},
    {0},
};

static bool from_keys(gx_call *c, gx_value *out) {
    gx_value d, it, key;
    if (!gx_dict_new(c->rt, &d)) return false;
    bool ok = gx_iter(c->rt, c->argv[0], &it), more;
    if (ok) {
        while ((ok = gx_next(c->rt, it, &key, &more)) && more) {
            ok = gx_dict_set(c->rt, d, key, c->argv[1]);
            gx_drop(key);
            if (!ok) break;
        }
        gx_drop(it);
    }
    if (!ok) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

const gx_native gx_dict_statics[] = {
    {"fromkeys", "fromkeys(iterable, value=None, /)", "A dict of keys with one value.",
     "dict.fromkeys('ab', 0)  # {'a': 0, 'b': 0}", from_keys, 0, 0},
    {0},
};
