/* Bit generators as objects: PCG64 and MT19937 with their state, raw words, seed sequence and
   children; Generator.bit_generator and spawn; get_state and set_state of RandomState and of
   np.random itself. A generator without a source of its own is given one when it is asked for. */
#include <string.h>

#include "runtime/list.h"
#include "runtime/str.h"
#include "stdlib/np_random_int.h"
#include "stdlib/np_seed_int.h"

extern const gx_native gx_np_state_functions[];

static gx_np_generator *self_of(gx_borrowed v) {
    return (gx_np_generator *)v.obj;
}

/* --- the state as a dict --- */

static bool set_take(gx_rt *rt, gx_borrowed dict, const char *key, bool made, gx_value v) {
    if (!made) return false;
    bool ok = gx_dict_set_c(rt, dict, key, v);
    gx_drop(v);
    return ok;
}

static bool key_array(gx_rt *rt, const gx_rng *r, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_DOOR_NUMPY);
    const int64_t n = 624;
    gx_array *a = gx_np_empty(&s, GX_u32, 1, &n);
    uint32_t *to = gx_np_data_write(&s, a);
    if (to) memcpy(to, r->key, sizeof r->key);
    return gx_np_give_array(&s, to ? a : NULL, out);
}

/* The inner dict: what the algorithm itself goes on from. */
static bool inner_state(gx_rt *rt, const gx_rng *r, gx_value *out) {
    gx_value d, v = gx_undef(), w = gx_undef();
    if (!gx_dict_new(rt, &d)) return false;
    bool ok;
    if (r->kind == GX_RNG_MT)
        ok = set_take(rt, d, "key", key_array(rt, r, &v), v) &&
             gx_dict_set_c(rt, d, "pos", gx_int(r->position));
    else
        ok = set_take(rt, d, "state", gx_np_from_u128(rt, r->state, &v), v) &&
             set_take(rt, d, "inc", gx_np_from_u128(rt, r->step, &w), w);
    if (ok)
        *out = d;
    else
        gx_drop(d);
    return ok;
}

static bool state_dict(gx_rt *rt, const gx_rng *r, bool gauss, gx_value *out) {
    gx_value d, v = gx_undef(), w = gx_undef();
    const char *name = r->kind == GX_RNG_MT ? "MT19937" : "PCG64";
    if (!gx_dict_new(rt, &d)) return false;
    bool ok = set_take(rt, d, "bit_generator", gx_str_c(rt, name, &v), v) &&
              set_take(rt, d, "state", inner_state(rt, r, &w), w);
    if (ok && gauss)
        ok = gx_dict_set_c(rt, d, "has_gauss", gx_int(r->has_gauss)) &&
             gx_dict_set_c(rt, d, "gauss", gx_float(r->gauss));
    if (ok && r->kind == GX_RNG_PCG)
        ok = gx_dict_set_c(rt, d, "has_uint32", gx_int(r->has_word)) &&
             gx_dict_set_c(rt, d, "uinteger", gx_int(r->word));
    if (ok)
        *out = d;
    else
        gx_drop(d);
    return ok;
}

static bool item(gx_rt *rt, gx_borrowed dict, const char *key, gx_borrowed *out) {
    gx_value k;
    if (!gx_str_c(rt, key, &k)) return false;
    gx_try r = gx_dict_get(rt, dict, k, out);
    gx_drop(k);
    return r == GX_TRY_YES ||
           (r == GX_TRY_NO && gx_fail(rt, GX_ValueError, "random.state",
                                      "the state of a generator has no '%s'", key));
}

static bool small(gx_rt *rt, gx_borrowed v, int64_t most, int64_t *out) {
    gx_try is = gx_as_index(rt, v, out);
    if (is == GX_TRY_ERROR) return false;
    return (is == GX_TRY_YES && *out >= 0 && *out <= most) ||
           gx_fail(rt, GX_ValueError, "random.state",
                   "a number of the state is not between 0 and %lld", (long long)most);
}

static bool read_key(gx_rt *rt, gx_borrowed v, gx_rng *r) {
    gx_np s = gx_np_begin_at(rt, GX_DOOR_NUMPY);
    gx_array *a = gx_np_contiguous(&s, gx_np_arr_as(&s, v, GX_u32));
    const uint32_t *from = gx_np_data(&s, a);
    if (!from) return gx_np_end(&s, false);
    if (a->ndim != 1 || a->count != 624)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "random.state",
                                     "state must be 624 longs of MT19937"));
    memcpy(r->key, from, sizeof r->key);
    return gx_np_end(&s, true);
}

static bool is_dict(gx_rt *rt, gx_borrowed v) {
    return v.tag == GX_DICT ||
           gx_fail(rt, GX_TypeError, "random.state", "state must be a dict, not %s",
                   gx_type_name(v));
}

/* The generator goes on from the state; on failure it is as it was. */
static bool read_state(gx_rt *rt, gx_borrowed v, gx_rng *r) {
    gx_borrowed inner, name, x;
    gx_rng next = *r;
    int64_t n;
    const char *own = r->kind == GX_RNG_MT ? "MT19937" : "PCG64";
    if (!is_dict(rt, v) || !item(rt, v, "bit_generator", &name)) return false;
    if (name.tag != GX_STR || strcmp(gx_as_str(name)->text, own) != 0)
        return gx_fail(rt, GX_ValueError, "random.state", "state must be for a %s PRNG", own);
    if (!item(rt, v, "state", &inner) || !is_dict(rt, inner)) return false;
    if (r->kind == GX_RNG_MT) {
        if (!item(rt, inner, "key", &x) || !read_key(rt, x, &next) ||
            !item(rt, inner, "pos", &x) || !small(rt, x, 624, &n))
            return false;
        next.position = (int)n;
    } else {
        if (!item(rt, inner, "state", &x) || !gx_np_to_u128(rt, x, &next.state) ||
            !item(rt, inner, "inc", &x) || !gx_np_to_u128(rt, x, &next.step) ||
            !item(rt, v, "has_uint32", &x) || !small(rt, x, 1, &n))
            return false;
        next.has_word = n != 0;
        if (!item(rt, v, "uinteger", &x) || !small(rt, x, UINT32_MAX, &n)) return false;
        next.word = (uint32_t)n;
    }
    *r = next;
    return true;
}

/* --- bit generators --- */

static bool get_state(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return state_dict(rt, &self_of(self)->rng, false, out);
}

static bool set_state(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return read_state(rt, value, &self_of(self)->rng);
}

static bool get_seed_seq(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (self_of(self)->seq.tag != GX_OBJECT)
        return gx_fail(rt, GX_TypeError, "random.spawn",
                       "the generator was not made from a SeedSequence, which could have children");
    *out = gx_keep(self_of(self)->seq);
    return true;
}

/* n generators like g from children of its seed sequence. */
static bool spawn(gx_call *c, gx_np_generator *g, gx_value *out) {
    gx_np_generator *owner = g->source.tag == GX_OBJECT ? self_of(g->source) : g;
    gx_value seq, list, child, made;
    int64_t n;
    const gx_type *type = g->obj.type;
    if (!gx_arg_int(c, 1, &n)) return false;
    if (n < 0)
        return gx_fail(c->rt, GX_OverflowError, "random.count",
                       "spawn: %lld is no number of children", (long long)n);
    if (!get_seed_seq(c->rt, gx_object(&owner->obj), &seq)) return false;
    bool ok = gx_list_new(c->rt, 0, NULL, &list);
    if (ok) {
        for (; ok && n > 0; n--) {
            if (gx_must_stop(c->rt)) ok = gx_stop(c->rt);
            ok = ok && gx_np_seed_child(c->rt, gx_np_seed_of(seq), &child);
            if (!ok) break;
            ok = gx_np_generator_new(c->rt, type, (gx_rng_kind)owner->rng.kind, g->door, child,
                                     &made);
            gx_drop(child);
            ok = ok && gx_list_push_take(c->rt, list, made);
        }
        if (ok)
            *out = list;
        else
            gx_drop(list);
    }
    gx_drop(seq);
    return ok;
}

static bool spawn_fn(gx_call *c, gx_value *out) {
    return spawn(c, self_of(c->argv[0]), out);
}

static bool random_raw_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_rng *r = &self_of(c->argv[0])->rng;
    int ndim = 0;
    int64_t shape[GX_MAX_DIMS];
    bool wide = r->kind == GX_RNG_PCG, output;
    if (!gx_arg_bool(c, 2, &output)) return gx_np_end(&s, false);
    if (gx_arg_some(c, 1) && !gx_shape_of(c->rt, c->argv[1], false, "size", &ndim, shape))
        return gx_np_end(&s, false);
    gx_array *a = gx_np_empty(&s, GX_u64, ndim, shape);
    uint64_t *to = gx_np_data_write(&s, a);
    if (!to) return gx_np_end(&s, false);
    for (int64_t i = 0; i < a->count; i++) to[i] = wide ? gx_rng_permuted(r) : gx_rng_twist(r);
    if (output && gx_arg_some(c, 1)) return gx_np_give_array(&s, a, out);
    *out = gx_none();
    return gx_np_end(&s, !output || gx_int_from_u64(c->rt, to[0], out));
}

/* delta steps at once: the step's square, the square's square and so on. */
static void advance(gx_rng *r, unsigned __int128 delta) {
    unsigned __int128 times = 1, plus = 0, step = r->step;
    unsigned __int128 by = (unsigned __int128)UINT64_C(2549297995355413924) << 64 |
                           UINT64_C(4865540595714422341);
    for (; delta; delta >>= 1) {
        if (delta & 1) {
            times *= by;
            plus = plus * by + step;
        }
        step *= by + 1;
        by *= by;
    }
    r->state = times * r->state + plus;
    r->has_word = false;
}

static bool is_pcg(gx_call *c) {
    return self_of(c->argv[0])->rng.kind == GX_RNG_PCG ||
           gx_fail(c->rt, GX_AttributeError, "random.advance",
                   "%s is for PCG64: a Mersenne Twister takes one step after another",
                   c->fn->name);
}

static bool advance_fn(gx_call *c, gx_value *out) {
    unsigned __int128 delta;
    if (!is_pcg(c) || !gx_np_to_u128(c->rt, c->argv[1], &delta)) return false;
    advance(&self_of(c->argv[0])->rng, delta);
    *out = gx_keep(c->argv[0]);
    return true;
}

/* A jump is the golden ratio's part of the whole cycle. */
static bool jumped_fn(gx_call *c, gx_value *out) {
    const unsigned __int128 jump = (unsigned __int128)UINT64_C(0x9e3779b97f4a7c15) << 64 |
                                   UINT64_C(0xf39cc0605cedc835);
    const gx_np_generator *g = self_of(c->argv[0]);
    unsigned __int128 n;
    if (!is_pcg(c) || !gx_np_to_u128(c->rt, c->argv[1], &n)) return false;
    gx_np_generator *r = gx_obj_new(c->rt, g->obj.type, sizeof *r);
    if (!r) return false;
    r->door = g->door;
    r->rng = g->rng;
    r->source = gx_undef();
    r->seq = gx_keep(g->seq);
    advance(&r->rng, n * jump);
    *out = gx_object(&r->obj);
    return true;
}

const gx_member gx_np_bits_members[] = {
    {"state", get_state, set_state, "Where the stream is: what another one can go on from."},
    {"seed_seq", get_seed_seq, NULL, "The seed sequence it was made from."},
    {NULL, NULL, NULL, NULL},
};

const gx_native gx_np_bits_methods[] = {
    {"spawn", "spawn(self, n_children)", "Bit generators from children of the seed sequence.",
     NULL, spawn_fn, 0, 0},
    {"random_raw", "random_raw(self, size=None, output=True)", "The raw words of the stream.", NULL,
     random_raw_fn, 0, 0},
    {"advance", "advance(self, delta)", "Goes on as if delta words had been drawn (PCG64).", NULL,
     advance_fn, 0, 0},
    {"jumped", "jumped(self, jumps=1)",
     "Another one, so far ahead that the two do not meet (PCG64).", NULL, jumped_fn, 0, 0},
    {.name = NULL},
};

/* --- Generator and RandomState --- */

/* A generator that has no source gets one: its own stream moves there. */
static bool get_bit_generator(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np_generator *g = self_of(self);
    if (g->source.tag != GX_OBJECT) {
        if (g->rng.kind == GX_RNG_PHILOX)
            return gx_fail(rt, GX_AttributeError, "random.bits",
                           "the streams of cupy and of bare names have no bit generator object; "
                           "np.random.default_rng has");
        const gx_type *type = g->rng.kind == GX_RNG_PCG ? &gx_type_np_pcg64 : &gx_type_np_mt19937;
        gx_np_generator *bits = gx_obj_new(rt, type, sizeof *bits);
        if (!bits) return false;
        bits->door = g->door;
        bits->rng = g->rng;
        bits->source = gx_undef();
        bits->seq = g->seq;
        g->seq = gx_undef();
        g->source = gx_object(&bits->obj);
    }
    *out = gx_keep(g->source);
    return true;
}

const gx_member gx_np_generator_members[] = {
    {"bit_generator", get_bit_generator, NULL, "Where its random bits come from."},
    {NULL, NULL, NULL, NULL},
};

const gx_native gx_np_spawn_methods[] = {
    {"spawn", "spawn(self, n_children)", "Generators whose streams are independent of this one.",
     "len(np.random.default_rng(1).spawn(2))  # 2", spawn_fn, 0, 0},
    {.name = NULL},
};

/* The stream whose state is asked for: a RandomState's or np.random's own. */
static gx_rng *stream_of(gx_call *c, int *at) {
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    gx_rng *r = NULL;
    *at = g ? 1 : 0;
    if (g)
        r = gx_np_generator_rng(g);
    else if (!gx_rng_global(c->rt, c->door, &r))
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
    if (!legacy || r->kind != GX_RNG_MT) return state_dict(c->rt, r, true, out);
    gx_value items[5] = {gx_undef(), gx_undef(), gx_int(r->position), gx_int(r->has_gauss),
                         gx_float(r->gauss)};
    if (gx_str_c(c->rt, "MT19937", &items[0]) && key_array(c->rt, r, &items[1]))
        return gx_tuple_take(c->rt, 5, items, out);
    gx_drop(items[0]);
    return false;
}

static bool set_state_fn(gx_call *c, gx_value *out) {
    int at;
    gx_rng *r = stream_of(c, &at), next;
    const gx_value *items;
    gx_borrowed x;
    if (!r) return false;
    gx_value state = c->argv[at];
    int64_t n = gx_sequence_items(state, &items), k, gauss = 0;
    gx_scalar second = {.f64 = 0};
    next = *r;
    if (n < 0) {
        if (!read_state(c->rt, state, &next)) return false;
        if (item(c->rt, state, "has_gauss", &x)) {
            if (!small(c->rt, x, 1, &gauss) || !item(c->rt, state, "gauss", &x) ||
                !gx_scalar_from(c->rt, x, GX_f64, &second))
                return false;
        } else
            gx_error_clear(c->rt);
    } else {
        if ((n != 3 && n != 5) || r->kind != GX_RNG_MT || items[0].tag != GX_STR ||
            strcmp(gx_as_str(items[0])->text, "MT19937") != 0)
            return gx_fail(c->rt, GX_ValueError, "random.state",
                           "set_state can only be used with legacy MT19937 state instances.");
        if (!read_key(c->rt, items[1], &next) || !small(c->rt, items[2], 624, &k)) return false;
        next.position = (int)k;
        if (n == 5 && (!small(c->rt, items[3], 1, &gauss) ||
                       !gx_scalar_from(c->rt, items[4], GX_f64, &second)))
            return false;
    }
    next.has_gauss = gauss != 0;
    next.gauss = second.f64;
    *r = next;
    *out = gx_none();
    return true;
}

const gx_native gx_np_state_functions[] = {
    {"get_state", "get_state(legacy=True)", "Where the stream is: what set_state goes on from.",
     NULL, get_state_fn, 0, 0},
    {"set_state", "set_state(state)", "The stream goes on from a state of get_state.", NULL,
     set_state_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_state_methods[] = {
    {"get_state", "get_state(self, legacy=True)",
     "Where the stream is: what set_state goes on from.", NULL, get_state_fn, 0, 0},
    {"set_state", "set_state(self, state)", "The stream goes on from a state of get_state.", NULL,
     set_state_fn, 0, 0},
    {.name = NULL},
};
