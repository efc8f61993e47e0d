/* Where a generator of NumPy's stands, as a dict that a script can keep and give back: the `state`
   of bit generators, get_state and set_state of RandomState and of np.random itself. What is read
   is checked, and on a mistake the generator is as it was. */
#include <string.h>

#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/random/random_int.h"
#include "stdlib/random/seed_int.h"

extern const gx_native gx_np_state_functions[];

/* --- the state as a dict --- */

static bool words_array(gx_rt *rt, gx_dtype d, int64_t n, const void *from, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    gx_array *a = gx_np_empty(&s, d, 1, &n);
    void *to = gx_np_data_write(&s, a);
    if (to) memcpy(to, from, (size_t)n * gx_dtypes[d].bytes);
    return gx_np_give_array(&s, to ? a : NULL, out);
}

static bool set_words(gx_rt *rt, gx_borrowed dict, const char *key, int64_t n,
                      const uint64_t *from) {
    gx_value v;
    return words_array(rt, GX_u64, n, from, &v) && gx_dict_set_c_take(rt, dict, key, v);
}

/* The inner dict: what the algorithm itself goes on from. */
static bool inner_state(gx_rt *rt, const gx_rng *r, gx_value *out) {
    gx_value d, v;
    if (!gx_dict_new(rt, &d)) return false;
    bool ok;
    if (r->kind == GX_RNG_MT)
        ok = words_array(rt, GX_u32, 624, r->key, &v) && gx_dict_set_c_take(rt, d, "key", v) &&
             gx_dict_set_c(rt, d, "pos", gx_int(r->position));
    else if (r->kind == GX_RNG_SFC)
        ok = set_words(rt, d, "state", 4, r->lane);
    else if (r->kind == GX_RNG_PHILOX64)
        ok = set_words(rt, d, "counter", 4, r->lane) && set_words(rt, d, "key", 2, r->lock);
    else
        ok = gx_np_from_u128(rt, r->state, &v) && gx_dict_set_c_take(rt, d, "state", v) &&
             gx_np_from_u128(rt, r->step, &v) && gx_dict_set_c_take(rt, d, "inc", v);
    if (ok)
        *out = d;
    else
        gx_drop(d);
    return ok;
}

bool gx_rng_state(gx_rt *rt, const gx_rng *r, bool gauss, gx_value *out) {
    gx_value d, v;
    if (!gx_dict_new(rt, &d)) return false;
    bool ok = gx_str_c(rt, gx_rng_name(r), &v) && gx_dict_set_c_take(rt, d, "bit_generator", v) &&
              inner_state(rt, r, &v) && gx_dict_set_c_take(rt, d, "state", v);
    if (ok && r->kind == GX_RNG_PHILOX64)
        ok = set_words(rt, d, "buffer", 4, r->block) &&
             gx_dict_set_c(rt, d, "buffer_pos", gx_int(r->position));
    if (ok && r->kind != GX_RNG_MT)
        ok = gx_dict_set_c(rt, d, "has_uint32", gx_int(r->has_word)) &&
             gx_dict_set_c(rt, d, "uinteger", gx_int(r->word));
    if (ok && gauss)
        ok = gx_dict_set_c(rt, d, "has_gauss", gx_int(r->has_gauss)) &&
             gx_dict_set_c(rt, d, "gauss", gx_float(r->gauss));
    if (ok)
        *out = d;
    else
        gx_drop(d);
    return ok;
}

static bool item(gx_rt *rt, gx_borrowed dict, const char *key, gx_value *out) {
    gx_value k;
    if (!gx_str_c(rt, key, &k)) return false;
    gx_try r = gx_dict_find(rt, dict, k, out);
    gx_drop(k);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    return gx_fail(rt, strcmp(key, "bit_generator") ? GX_KeyError : GX_ValueError, "random.state",
                   "the state of a generator has no '%s'", key);
}

static bool small(gx_rt *rt, gx_borrowed v, int64_t most, int64_t *out) {
    gx_try is = gx_as_index(rt, v, out);
    if (is == GX_TRY_ERROR) return false;
    return (is == GX_TRY_YES && *out >= 0 && *out <= most) ||
           gx_fail(rt, GX_ValueError, "random.state",
                   "a number of the state is not between 0 and %lld", (long long)most);
}

static bool read_words(gx_rt *rt, gx_borrowed v, gx_dtype d, int64_t n, void *to) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    gx_array *a = gx_np_contiguous(&s, gx_np_arr_as(&s, v, d));
    const void *from = gx_np_data(&s, a);
    if (!from) return gx_np_end(&s, false);
    if (a->ndim != 1 || a->count != n)
        return gx_np_end(&s, n == 624 ? gx_fail(rt, GX_ValueError, "random.state",
                                                "state must be 624 longs of MT19937")
                                      : gx_fail(rt, GX_ValueError, "random.state",
                                                "the state has %lld words in place of %lld",
                                                (long long)a->count, (long long)n));
    memcpy(to, from, (size_t)n * gx_dtypes[d].bytes);
    return gx_np_end(&s, true);
}

static bool item_array(gx_rt *rt, gx_borrowed dict, const char *key, gx_dtype d, int64_t n,
                       void *to) {
    gx_value x;
    if (!item(rt, dict, key, &x)) return false;
    bool ok = read_words(rt, x, d, n, to);
    gx_drop(x);
    return ok;
}

static bool item_words(gx_rt *rt, gx_borrowed dict, const char *key, int64_t n, uint64_t *to) {
    return item_array(rt, dict, key, GX_u64, n, to);
}

static bool item_small(gx_rt *rt, gx_borrowed dict, const char *key, int64_t most, int64_t *out) {
    gx_value x;
    if (!item(rt, dict, key, &x)) return false;
    bool ok = small(rt, x, most, out);
    gx_drop(x);
    return ok;
}

static bool item_wide(gx_rt *rt, gx_borrowed dict, const char *key, unsigned __int128 *out) {
    gx_value x;
    if (!item(rt, dict, key, &x)) return false;
    bool ok = gx_np_to_u128(rt, x, out);
    gx_drop(x);
    return ok;
}

static bool is_dict(gx_rt *rt, gx_borrowed v) {
    return v.tag == GX_DICT || gx_fail(rt, GX_TypeError, "random.state",
                                       "state must be a dict, not %s", gx_type_name(v));
}

static bool read_inner(gx_rt *rt, gx_borrowed v, gx_borrowed inner, gx_rng *next) {
    int64_t n;
    if (next->kind == GX_RNG_MT) {
        if (!item_array(rt, inner, "key", GX_u32, 624, next->key) ||
            !item_small(rt, inner, "pos", 624, &n))
            return false;
        next->position = (int)n;
        return true;
    }
    if (next->kind == GX_RNG_SFC) {
        if (!item_words(rt, inner, "state", 4, next->lane)) return false;
    } else if (next->kind == GX_RNG_PHILOX64) {
        if (!item_words(rt, inner, "counter", 4, next->lane) ||
            !item_words(rt, inner, "key", 2, next->lock) ||
            !item_words(rt, v, "buffer", 4, next->block) || !item_small(rt, v, "buffer_pos", 4, &n))
            return false;
        next->position = (int)n;
    } else if (!item_wide(rt, inner, "state", &next->state) ||
               !item_wide(rt, inner, "inc", &next->step))
        return false;
    if (!item_small(rt, v, "has_uint32", 1, &n)) return false;
    next->has_word = n != 0;
    if (!item_small(rt, v, "uinteger", UINT32_MAX, &n)) return false;
    next->word = (uint32_t)n;
    return true;
}

bool gx_rng_set_state(gx_rt *rt, gx_borrowed v, gx_rng *r) {
    gx_value inner, name;
    gx_rng next = *r;
    const char *own = gx_rng_name(r);
    if (!is_dict(rt, v) || !item(rt, v, "bit_generator", &name)) return false;
    bool ok = name.tag == GX_STR && strcmp(gx_as_str(name)->text, own) == 0;
    gx_drop(name);
    if (!ok) return gx_fail(rt, GX_ValueError, "random.state", "state must be for a %s PRNG", own);
    if (!item(rt, v, "state", &inner)) return false;
    ok = is_dict(rt, inner) && read_inner(rt, v, inner, &next);
    gx_drop(inner);
    if (ok) *r = next;
    return ok;
}

/* --- RandomState and np.random --- */

/* The stream whose state is read: a RandomState's or np.random's own. */
static gx_rng *stream_of(gx_call *c, int *at) {
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    gx_rng *r = NULL;
    *at = g ? 1 : 0;
    if (g)
        r = gx_np_generator_rng(g);
    else if (!gx_rng_global(c->rt, c->ns, &r))
        return NULL;
    if (r->kind != GX_RNG_PHILOX) return r;
    gx_fail(c->rt, GX_TypeError, "random.state",
            "%s is for NumPy's streams: np.random and RandomState", c->fn->name);
    return NULL;
}

static bool get_state_fn(gx_call *c, gx_value *out) {
    int at;
    bool legacy;
    const gx_rng *r = stream_of(c, &at);
    if (!r || !gx_arg_bool(c, at, &legacy)) return false;
    if (legacy && r->kind != GX_RNG_MT &&
        !gx_warn(c->rt, GX_RuntimeWarning,
                 "get_state and legacy can only be used with the MT19937 BitGenerator. "
                 "To silence this warning, set `legacy` to False."))
        return false;
    if (!legacy || r->kind != GX_RNG_MT) return gx_rng_state(c->rt, r, true, out);
    gx_value items[5] = {gx_undef(), gx_undef(), gx_int(r->position), gx_int(r->has_gauss),
                         gx_float(r->gauss)};
    if (gx_str_c(c->rt, "MT19937", &items[0]) && words_array(c->rt, GX_u32, 624, r->key, &items[1]))
        return gx_tuple_take(c->rt, 5, items, out);
    gx_drop(items[0]);
    return false;
}

/* The second normal of a pair, which a dict may hold. */
static bool read_gauss(gx_rt *rt, gx_borrowed state, int64_t *has, gx_scalar *out) {
    gx_value x;
    if (!item_small(rt, state, "has_gauss", 1, has)) {
        if (rt->error.kind != GX_KeyError) return false;
        gx_error_clear(rt);
        return true;
    }
    if (!item(rt, state, "gauss", &x)) return false;
    bool ok = gx_scalar_from(rt, x, GX_f64, out);
    gx_drop(x);
    return ok;
}

/* The state is a dict or a tuple. */
static bool set_state(gx_call *c, gx_rng *r, gx_borrowed state) {
    gx_rng next = *r;
    const gx_value *items;
    int64_t n, k, gauss = 0;
    gx_scalar second = {.f64 = 0};
    GX_STILL(own);
    if (!gx_still_items(c->rt, state, &own, &items, &n)) return false;
    if (n < 0) {
        if (!gx_rng_set_state(c->rt, state, &next) ||
            !read_gauss(c->rt, state, &gauss, &second))
            return false;
    } else {
        if ((n != 3 && n != 5) || r->kind != GX_RNG_MT || items[0].tag != GX_STR ||
            strcmp(gx_as_str(items[0])->text, "MT19937") != 0)
            return gx_fail(c->rt, GX_ValueError, "random.state",
                           "set_state can only be used with legacy MT19937 state instances.");
        if (!read_words(c->rt, items[1], GX_u32, 624, next.key) || !small(c->rt, items[2], 624, &k))
            return false;
        next.position = (int)k;
        if (n == 5 && (!small(c->rt, items[3], 1, &gauss) ||
                       !gx_scalar_from(c->rt, items[4], GX_f64, &second)))
            return false;
    }
    next.has_gauss = gauss != 0;
    next.gauss = second.f64;
    *r = next;
    return true;
}

static bool set_state_fn(gx_call *c, gx_value *out) {
    int at;
    gx_rng *r = stream_of(c, &at);
    if (!r) return false;
    gx_value state = c->argv[at], own = gx_undef();
    if (state.tag == GX_LIST && !gx_tuple_of(c->rt, state, &own)) return false;
    bool ok = set_state(c, r, state.tag == GX_LIST ? own : state);
    gx_drop(own);
    if (ok) *out = gx_none();
    return ok;
}

const gx_native gx_np_state_functions[] = {
    {"get_state", "get_state(legacy=True)",
     "The state of the global generator, to be given to set_state().", NULL, get_state_fn, 0, 0},
    {"set_state", "set_state(state)",
     "Sets the global generator to a state that get_state() returned.", NULL, set_state_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_state_methods[] = {
    {"get_state", "get_state(self, legacy=True)",
     "The state of the global generator, to be given to set_state().", NULL, get_state_fn, 0, 0},
    {"set_state", "set_state(self, state)",
     "Sets the global generator to a state that get_state() returned.", NULL, set_state_fn, 0, 0},
    {.name = NULL},
};
