/* numpy.random.SeedSequence: entropy mixed into as many good seed words as are asked for, and
   children whose words are independent of its own. The mixing is O'Neill's, as in NumPy; the
   generators of this folder are seeded from here too. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "stdlib/random/seed_int.h"

static gx_np_seed *self_of(gx_borrowed v) {
    return (gx_np_seed *)v.obj;
}

gx_np_seed *gx_np_seed_of(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_np_seed ? self_of(v) : NULL;
}

static void free_seed(gx_rt *rt, gx_obj *o) {
    gx_np_seed *q = (gx_np_seed *)o;
    gx_drop(q->entropy);
    gx_drop(q->spawn_key);
    gx_free(rt, q->pool);
    gx_free(rt, q);
}

/* --- numbers of 128 bits --- */

bool gx_np_from_u128(gx_rt *rt, unsigned __int128 x, gx_value *out) {
    gx_value high, low, shifted;
    if (!gx_int_from_u64(rt, (uint64_t)(x >> 64), &high)) return false;
    bool ok = gx_int_binary(rt, GX_LSHIFT, high, gx_int(64), &shifted);
    gx_drop(high);
    if (!ok) return false;
    ok = gx_int_from_u64(rt, (uint64_t)x, &low);
    if (ok) {
        ok = gx_int_binary(rt, GX_BITOR, shifted, low, out);
        gx_drop(low);
    }
    gx_drop(shifted);
    return ok;
}

bool gx_np_to_u128(gx_rt *rt, gx_borrowed v, unsigned __int128 *out) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    uint32_t *w;
    int64_t n;
    if (v.tag == GX_NONE || !gx_rng_words(&s, v, &w, &n)) return gx_np_end(&s, false);
    *out = 0;
    for (int64_t i = 0; i < n && i < 4; i++) *out |= (unsigned __int128)w[i] << (32 * i);
    if (n <= 4) return gx_np_end(&s, true);
    return gx_np_end(&s, gx_fail(rt, GX_OverflowError, "random.state",
                                 "a number of a generator's state has at most 128 bits"));
}

/* --- making --- */

/* The words of entropy and of the spawn key, one after the other; where there is a key, zeros fill
   the entropy up to the pool, so that children differ from sequences of longer entropy. */
static bool fill_pool(gx_rt *rt, gx_np_seed *q) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    uint32_t *entropy, *key, *all;
    int64_t n, k;
    if (!gx_rng_words(&s, q->entropy, &entropy, &n) || !gx_rng_words(&s, q->spawn_key, &key, &k))
        return gx_np_end(&s, false);
    const int64_t filled = k && n < q->pool_size ? q->pool_size : n;
    all = gx_np_room(&s, filled + k + 1, sizeof *all);
    q->pool = gx_alloc_zero(rt, (size_t)q->pool_size * sizeof *q->pool);
    if (!all || !q->pool) return gx_np_end(&s, false);
    memset(all, 0, (size_t)filled * sizeof *all);
    memcpy(all, entropy, (size_t)n * sizeof *all);
    memcpy(all + filled, key, (size_t)k * sizeof *all);
    gx_rng_mix(all, filled + k, q->pool, q->pool_size);
    return gx_np_end(&s, true);
}

static bool fresh_entropy(gx_rt *rt, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    uint32_t *w;
    int64_t n;
    if (!gx_rng_words(&s, gx_none(), &w, &n)) return gx_np_end(&s, false);
    unsigned __int128 x = 0;
    for (int64_t i = 0; i < n; i++) x = x << 32 | w[i];
    return gx_np_end(&s, gx_np_from_u128(rt, x, out));
}

/* Takes over entropy and key, also on failure. */
static bool make_take(gx_rt *rt, gx_value entropy, gx_value key, int64_t pool_size,
                      int64_t children, gx_value *out) {
    gx_np_seed *q = gx_obj_new(rt, &gx_type_np_seed, sizeof *q);
    if (!q) {
        gx_drop(entropy);
        gx_drop(key);
        return false;
    }
    q->entropy = entropy;
    q->spawn_key = key;
    q->pool_size = (int)pool_size;
    q->children = children;
    if (!fill_pool(rt, q)) {
        gx_obj_drop(&q->obj);
        return false;
    }
    *out = gx_object(&q->obj);
    return true;
}

bool gx_np_seed_new(gx_rt *rt, gx_borrowed entropy, gx_value *out) {
    gx_value key, own = gx_undef();
    if (entropy.tag == GX_NONE || entropy.tag == GX_UNDEF) {
        if (!fresh_entropy(rt, &own)) return false;
    } else
        own = gx_keep(entropy);
    if (!gx_tuple_new(rt, 0, NULL, &key)) {
        gx_drop(own);
        return false;
    }
    return make_take(rt, own, key, 4, 0, out);
}

static bool construct(gx_call *c, gx_value *out) {
    int64_t pool_size, children;
    gx_value entropy, key;
    if (!gx_arg_int(c, 2, &pool_size) || !gx_arg_int(c, 3, &children)) return false;
    if (pool_size < 4)
        return gx_fail(c->rt, GX_ValueError, "random.pool",
                       "The size of the entropy pool should be at least 4");
    if (pool_size > 1 << 20)
        return gx_fail(c->rt, GX_ValueError, "random.pool", "the pool has at most 2**20 words");
    if (children < 0)
        return gx_fail(c->rt, GX_ValueError, "random.children",
                       "n_children_spawned must not be negative");
    if (!gx_tuple_of(c->rt, c->argv[1], &key)) return false;
    entropy = c->argv[0];
    if (entropy.tag != GX_NONE)
        entropy = gx_keep(entropy);
    else if (!fresh_entropy(c->rt, &entropy)) {
        gx_drop(key);
        return false;
    }
    return make_take(c->rt, entropy, key, pool_size, children, out);
}

/* --- words and children --- */

void gx_np_seed_words(const gx_np_seed *q, uint32_t *out, int64_t n) {
    gx_rng_generate(q->pool, q->pool_size, out, n);
}

bool gx_np_seed_child(gx_rt *rt, gx_np_seed *q, gx_value *out) {
    const gx_tuple *key = gx_as_tuple(q->spawn_key);
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    gx_value *items = gx_np_room(&s, key->count + 1, sizeof *items), longer;
    if (!items) return gx_np_end(&s, false);
    memcpy(items, key->items, (size_t)key->count * sizeof *items);
    items[key->count] = gx_int(q->children);
    bool ok = gx_tuple_new(rt, key->count + 1, items, &longer) &&
              make_take(rt, gx_keep(q->entropy), longer, q->pool_size, 0, out);
    if (ok) q->children++;
    return gx_np_end(&s, ok);
}

static bool count_arg(gx_call *c, int i, int64_t *n) {
    if (!gx_arg_int(c, i, n)) return false;
    return (*n >= 0 && *n <= INT32_MAX) ||
           gx_fail(c->rt, GX_ValueError, "random.count", "%s: %lld is not a count",
                   c->fn->name, (long long)*n);
}

static bool generate_state_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_dtype d;
    int64_t n;
    if (!count_arg(c, 1, &n) || !gx_np_dtype_arg(c, 2, &d)) return gx_np_end(&s, false);
    if (d == GX_NO_DTYPE) d = GX_u32;
    if (d != GX_u32 && d != GX_u64)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "random.dtype",
                                     "only support uint32 or uint64"));
    gx_array *a = gx_np_empty(&s, d, 1, &n);
    uint32_t *to = gx_np_data_write(&s, a);
    if (!to) return gx_np_end(&s, false);
    gx_np_seed_words(self_of(c->argv[0]), to, d == GX_u64 ? 2 * n : n);
    return gx_np_give_array(&s, a, out);
}

static bool spawn_fn(gx_call *c, gx_value *out) {
    gx_value list, child;
    int64_t n;
    if (!count_arg(c, 1, &n) || !gx_list_new(c->rt, 0, NULL, &list)) return false;
    for (; n > 0; n--)
        if (gx_must_stop(c->rt) ? !gx_stop(c->rt)
                                : !gx_np_seed_child(c->rt, self_of(c->argv[0]), &child) ||
                                      !gx_list_push_take(c->rt, list, child)) {
            gx_drop(list);
            return false;
        }
    *out = list;
    return true;
}

/* --- attributes --- */

static bool get_entropy(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self_of(self)->entropy);
    return true;
}

static bool get_key(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(self_of(self)->spawn_key);
    return true;
}

static bool get_size(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(self_of(self)->pool_size);
    return true;
}

static bool get_children(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(self_of(self)->children);
    return true;
}

static bool get_pool(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    const int64_t n = self_of(self)->pool_size;
    gx_array *a = gx_np_empty(&s, GX_u32, 1, &n);
    uint32_t *to = gx_np_data_write(&s, a);
    if (to) memcpy(to, self_of(self)->pool, (size_t)n * sizeof *to);
    return gx_np_give_array(&s, to ? a : NULL, out);
}

static bool get_state(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_np_seed *q = self_of(self);
    gx_value d;
    if (!gx_dict_new(rt, &d)) return false;
    if (gx_dict_set_c(rt, d, "entropy", q->entropy) &&
        gx_dict_set_c(rt, d, "spawn_key", q->spawn_key) &&
        gx_dict_set_c(rt, d, "pool_size", gx_int(q->pool_size)) &&
        gx_dict_set_c(rt, d, "n_children_spawned", gx_int(q->children))) {
        *out = d;
        return true;
    }
    gx_drop(d);
    return false;
}

static bool repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_np_seed *q = self_of(v);
    if (!gx_buf_puts(out, "SeedSequence(\n    entropy=") || !gx_repr(rt, q->entropy, out) ||
        !gx_buf_puts(out, ",\n"))
        return false;
    if (gx_as_tuple(q->spawn_key)->count &&
        (!gx_buf_puts(out, "    spawn_key=") || !gx_repr(rt, q->spawn_key, out) ||
         !gx_buf_puts(out, ",\n")))
        return false;
    if (q->pool_size != 4 && !gx_buf_printf(out, "    pool_size=%d,\n", q->pool_size)) return false;
    if (q->children &&
        !gx_buf_printf(out, "    n_children_spawned=%lld,\n", (long long)q->children))
        return false;
    return gx_buf_char(out, ')');
}

static const gx_member members[] = {
    {"entropy", get_entropy, NULL, "What it was made from."},
    {"spawn_key", get_key, NULL, "Which child of which child it is."},
    {"pool_size", get_size, NULL, "How many words the entropy is mixed into."},
    {"n_children_spawned", get_children, NULL, "How many children it has had."},
    {"pool", get_pool, NULL, "The words the entropy was mixed into."},
    {"state", get_state, NULL, "What another one like it is made from."},
    {NULL, NULL, NULL, NULL},
};

static const gx_native methods[] = {
    {"generate_state", "generate_state(self, n_words, dtype=None)",
     "Words to seed a generator with, uint32 or uint64.",
     "np.random.SeedSequence(12345).generate_state(2)  # [2688385916 3048105090]",
     generate_state_fn, 0, 0},
    {"spawn", "spawn(self, n_children)", "Children whose words have nothing to do with each other.",
     "len(np.random.SeedSequence(1).spawn(3))  # 3", spawn_fn, 0, 0},
    {.name = NULL},
};

static const gx_native construct_row = {
    "SeedSequence",
    "SeedSequence(entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0)",
    "Seeds for generators that are independent of each other.",
    "np.random.SeedSequence(12345).generate_state(1)  # [2688385916]",
    construct,
    0,
    0};

const gx_type gx_type_np_seed = {
    .name = "numpy.random.SeedSequence",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Seeds for generators that are independent of each other.",
    .free = free_seed,
    .repr = repr,
    .construct = &construct_row,
    .methods = methods,
    .members = members,
};
