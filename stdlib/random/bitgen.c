/* Bit generators as objects: raw words, seed sequence, children, leaps ahead;
   Generator.bit_generator and spawn. Their states are in bitstate.c, their types in
   generator.c. A generator without a source of its own is given one when it is asked for. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "stdlib/random/random_int.h"
#include "stdlib/random/seed_int.h"

static gx_np_generator *self_of(gx_borrowed v) {
    return (gx_np_generator *)v.obj;
}

/* --- bit generators --- */

static bool get_state(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_rng_state(rt, &self_of(self)->rng, false, out);
}

static bool set_state(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return gx_rng_set_state(rt, value, &self_of(self)->rng);
}

static bool get_seed_seq(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = self_of(self)->seq.tag == GX_OBJECT ? gx_keep(self_of(self)->seq) : gx_none();
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
        return gx_fail(c->rt, GX_ValueError, "random.count",
                       "n_children must be non-negative, not %lld", (long long)n);
    if (owner->seq.tag != GX_OBJECT)
        return gx_fail(c->rt, GX_TypeError, "random.spawn",
                       "The underlying SeedSequence does not implement spawning.");
    seq = gx_keep(owner->seq);
    bool ok = gx_list_new(c->rt, 0, NULL, &list);
    if (ok) {
        for (; ok && n > 0; n--) {
            if (gx_must_stop(c->rt)) ok = gx_stop(c->rt);
            ok = ok && gx_np_seed_child(c->rt, gx_np_seed_of(seq), &child);
            if (!ok) break;
            ok = gx_np_generator_new(c->rt, type, (gx_rng_kind)owner->rng.kind, g->ns, child,
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
    bool wide = r->kind != GX_RNG_MT, output;
    if (!gx_arg_bool(c, 2, &output)) return gx_np_end(&s, false);
    if (gx_arg_some(c, 1) && !gx_shape_of(c->rt, c->argv[1], GX_SIZES_PLAIN, "size", &ndim, shape))
        return gx_np_end(&s, false);
    gx_array *a = gx_np_empty(&s, GX_u64, ndim, shape);
    uint64_t *to = gx_np_data_write(&s, a);
    if (!to) return gx_np_end(&s, false);
    for (int64_t i = 0; i < a->count; i++) to[i] = wide ? gx_rng_u64(r) : gx_rng_twist(r);
    if (output && gx_arg_some(c, 1)) return gx_np_give_array(&s, a, out);
    *out = gx_none();
    return gx_np_end(&s, !output || gx_int_from_u64(c->rt, to[0], out));
}

/* A number of steps as 256 bits, of which a cycle has fewer; a negative one goes round. */
static bool steps_arg(gx_call *c, uint64_t out[4]) {
    const gx_borrowed v = c->argv[1];
    int64_t i;
    memset(out, 0, 4 * sizeof *out);
    if (v.tag != GX_BIGINT) {
        if (!gx_arg_int(c, 1, &i)) return false;
        for (int k = 0; k < 4; k++) out[k] = k ? (uint64_t)(i >> 63) : (uint64_t)i;
        return true;
    }
    const gx_bigint *b = (const gx_bigint *)v.obj;
    for (uint32_t k = 0; k < b->count && k < 8; k++)
        out[k / 2] |= (uint64_t)b->digits[k] << 32 * (k % 2);
    bool carry = b->negative;
    for (int k = 0; k < 4 && b->negative; k++) {
        out[k] = ~out[k] + carry;
        carry = carry && !out[k];
    }
    return true;
}

static bool advance_fn(gx_call *c, gx_value *out) {
    uint64_t delta[4];
    if (!steps_arg(c, delta)) return false;
    gx_rng_advance(&self_of(c->argv[0])->rng, delta);
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool jumped_fn(gx_call *c, gx_value *out) {
    const gx_np_generator *g = self_of(c->argv[0]);
    const bool twister = g->rng.kind == GX_RNG_MT;
    uint64_t n[4];
    int64_t times = 0;
    if (twister ? !gx_arg_int(c, 1, &times) : !steps_arg(c, n)) return false;
    gx_np_generator *r = gx_obj_new(c->rt, g->obj.type, sizeof *r);
    if (!r) return false;
    r->ns = g->ns;
    r->rng = g->rng;
    r->source = gx_undef();
    r->seq = gx_keep(g->seq);
    if (!twister)
        gx_rng_jump(&r->rng, n);
    else if (!gx_rng_jump_twister(c->rt, &r->rng, times)) {
        gx_obj_drop(&r->obj);
        return false;
    }
    *out = gx_object(&r->obj);
    return true;
}

const gx_member gx_np_bits_members[] = {
    {"state", get_state, set_state, "Where the stream is: what another one can go on from."},
    {"seed_seq", get_seed_seq, NULL, "The seed sequence it was made from."},
    {NULL, NULL, NULL, NULL},
};

const gx_native gx_np_bits_methods[] = {
    {"spawn", "spawn(self, n_children)", "Bit generators from children of the seed sequence.", NULL,
     spawn_fn, 0, 0},
    {"random_raw", "random_raw(self, size=None, output=True)", "The raw words of the stream.",
     "np.random.SFC64(1).random_raw()  # 18365948275979584072", random_raw_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_jumped_methods[] = {
    {"jumped", "jumped(self, jumps=1)", "Another one, so far ahead that the two do not meet.",
     "np.random.Philox(1).jumped().random_raw()  # 16696163417625222420", jumped_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_leap_methods[] = {
    {"advance", "advance(self, delta)",
     "Goes on as if delta words (Philox: blocks) had been drawn.",
     "np.random.PCG64(1).advance(1).random_raw()  # 17532960557476522086", advance_fn, 0, 0},
    {"jumped", "jumped(self, jumps=1)", "Another one, so far ahead that the two do not meet.", NULL,
     jumped_fn, 0, 0},
    {.name = NULL},
};

/* --- Generator and RandomState --- */

/* A generator that has no source gets one: its own stream moves there. */
bool gx_np_generator_bits(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np_generator *g = self_of(self);
    if (g->source.tag != GX_OBJECT) {
        if (g->rng.kind == GX_RNG_PHILOX)
            return gx_fail(rt, GX_AttributeError, "random.bits",
                           "the streams of cupy and of bare names have no bit generator object; "
                           "np.random.default_rng has");
        const gx_type *type = gx_np_bits_type((gx_rng_kind)g->rng.kind);
        gx_np_generator *bits = gx_obj_new(rt, type, sizeof *bits);
        if (!bits) return false;
        bits->ns = g->ns;
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
    {"bit_generator", gx_np_generator_bits, NULL, "Where its random bits come from."},
    {NULL, NULL, NULL, NULL},
};

const gx_native gx_np_spawn_methods[] = {
    {"spawn", "spawn(self, n_children)", "Generators whose streams are independent of this one.",
     "len(np.random.default_rng(1).spawn(2))  # 2", spawn_fn, 0, 0},
    {.name = NULL},
};
