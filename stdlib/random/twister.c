/* What Python's module random draws from: a Mersenne Twister with its bits and its floats. What the
   module makes of them is in stdlib/python/everyday/random.gx. */
#include <string.h>
#include <sys/random.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/random/rng_int.h"

typedef struct twister {
    gx_obj obj;
    gx_rng rng;
} twister;

static const gx_type twister_type;

static gx_rng *rng_of(gx_call *c) {
    return &((twister *)c->argv[0].obj)->rng;
}

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool new_twister(gx_call *c, gx_value *out) {
    twister *t = gx_obj_new(c->rt, &twister_type, sizeof *t);
    const uint32_t zero = 0;
    if (!t) return false;
    t->rng.kind = GX_RNG_MT;
    gx_rng_twister_words(&t->rng, &zero, 1);
    *out = gx_object(&t->obj);
    return true;
}

/* From an int's size, 32 bits a word. */
static bool twister_seed(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[1];
    uint32_t few[2];
    if (v.tag == GX_BIGINT) {
        const gx_bigint *b = (const gx_bigint *)v.obj;
        gx_rng_twister_words(rng_of(c), b->digits, b->count);
        return none(out);
    }
    int64_t i;
    if (!gx_arg_int(c, 1, &i)) return false;
    const uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    few[0] = (uint32_t)u;
    few[1] = (uint32_t)(u >> 32);
    gx_rng_twister_words(rng_of(c), few, few[1] ? 2 : 1);
    return none(out);
}

static bool twister_random(gx_call *c, gx_value *out) {
    *out = gx_float(gx_rng_double(rng_of(c)));
    return true;
}

/* k bits, in words from the least; the last word gives its upper bits. */
static bool bits(gx_rt *rt, gx_rng *r, int64_t k, gx_value *out) {
    if (k <= 32) {
        *out = gx_int(k ? (int64_t)(gx_rng_twist(r) >> (32 - k)) : 0);
        return true;
    }
    if (k <= 63) {
        const uint64_t low = gx_rng_twist(r);
        *out = gx_int((int64_t)((uint64_t)(gx_rng_twist(r) >> (64 - k)) << 32 | low));
        return true;
    }
    const int64_t words = (k + 31) / 32;
    gx_buf b = gx_buf_new(rt);
    bool ok = gx_buf_fill(&b, 0, (size_t)words * 8);
    for (int64_t i = 0; ok && i < words; i++) {
        const int64_t left = k - 32 * i;
        const uint32_t w = gx_rng_twist(r) >> (left < 32 ? 32 - left : 0);
        for (int h = 0; h < 8; h++) /* digits in base 16, the greatest first */
            b.data[8 * (words - 1 - i) + 7 - h] = "0123456789abcdef"[w >> 4 * h & 15];
    }
    ok = ok && gx_int_parse(rt, b.data, b.length, 16, out);
    gx_buf_free(&b);
    return ok;
}

static bool twister_getrandbits(gx_call *c, gx_value *out) {
    int64_t k;
    if (!gx_arg_int(c, 1, &k)) return false;
    if (k < 0)
        return gx_fail(c->rt, GX_ValueError, "random.bits", "number of bits must be non-negative");
    if (k > GX_BIGINT_MAX_BITS)
        return gx_fail(c->rt, GX_OverflowError, "random.bits", "an int has at most %d bits",
                       GX_BIGINT_MAX_BITS);
    return bits(c->rt, rng_of(c), k, out);
}

static int64_t below(gx_rng *r, int64_t n) {
    const int k = 64 - __builtin_clzll((uint64_t)n);
    for (;;) {
        uint64_t v = gx_rng_twist(r);
        if (k <= 32) v >>= 32 - k;
        else v |= (uint64_t)(gx_rng_twist(r) >> (64 - k)) << 32;
        if (v < (uint64_t)n) return (int64_t)v;
    }
}

/* An int in [0, n), n > 0; n of the size of one word. */
static bool twister_below(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_arg_int(c, 1, &n)) return false;
    if (n <= 0) return gx_fail(c->rt, GX_ValueError, "random.range", "there is no int below %lld",
                               (long long)n);
    *out = gx_int(below(rng_of(c), n));
    return true;
}

static bool twister_shuffle(gx_call *c, gx_value *out) {
    if (c->argv[1].tag != GX_LIST) return gx_arg_wrong(c, 1, "a list");
    gx_list *l = gx_as_list(c->argv[1]);
    for (int64_t i = l->count - 1; i > 0; i--) {
        const int64_t j = below(rng_of(c), i + 1);
        gx_value v = l->items[i];
        l->items[i] = l->items[j];
        l->items[j] = v;
    }
    return none(out);
}

/* The 624 words and the place in them. */
static bool twister_getstate(gx_call *c, gx_value *out) {
    const gx_rng *r = rng_of(c);
    gx_value words[625];
    for (int i = 0; i < 624; i++) words[i] = gx_int(r->key[i]);
    words[624] = gx_int(r->position);
    return gx_tuple_new(c->rt, 625, words, out);
}

static bool twister_setstate(gx_call *c, gx_value *out) {
    const gx_value *items;
    gx_rng *r = rng_of(c), next = *r;
    if (c->argv[1].tag != GX_TUPLE)
        return gx_fail(c->rt, GX_TypeError, "random.state", "state vector must be a tuple");
    if (gx_sequence_items(c->argv[1], &items) != 625)
        return gx_fail(c->rt, GX_ValueError, "random.state", "state vector is the wrong size");
    for (int i = 0; i < 625; i++) {
        int64_t v;
        gx_try is = gx_as_index(c->rt, items[i], &v);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO)
            return gx_fail(c->rt, GX_TypeError, "random.state", "a state is made of ints, not %s",
                           gx_type_name(items[i]));
        if (v < 0 || v > (i == 624 ? 624 : UINT32_MAX))
            return gx_fail(c->rt, GX_ValueError, "random.state", "invalid state");
        if (i < 624) next.key[i] = (uint32_t)v;
        else next.position = (int)v;
    }
    *r = next;
    return none(out);
}

/* n bytes of the system's, as Python's os.urandom. */
static bool urandom(gx_call *c, gx_value *out) {
    int64_t n, done = 0;
    gx_buf b = gx_buf_new(c->rt);
    if (!gx_arg_int(c, 0, &n)) return false;
    if (n < 0) return gx_fail(c->rt, GX_ValueError, "random.bits", "negative argument not allowed");
    bool ok = gx_buf_fill(&b, 0, (size_t)n);
    while (ok && done < n) {
        const int64_t part = n - done < 256 ? n - done : 256;
        if (getrandom(b.data + done, (size_t)part, 0) != part)
            ok = gx_fail(c->rt, GX_OSError, "random.entropy", "the system gives no random numbers");
        done += part;
    }
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

static void free_twister(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static const gx_native twister_methods[] = {
    {"random", "random(self, /)", "A float in [0, 1).", NULL, twister_random, 0, 0},
    {"getrandbits", "getrandbits(self, k, /)", "An int of k random bits.", NULL,
     twister_getrandbits, 0, 0},
    {"below", "below(self, n, /)", "An int in [0, n).", NULL, twister_below, 0, 0},
    {"shuffle", "shuffle(self, x, /)", "Puts a list in random order.", NULL, twister_shuffle, 0, 0},
    {"seed", "seed(self, n, /)", "Begins anew from an int.", NULL, twister_seed, 0, 0},
    {"getstate", "getstate(self, /)", "Where the stream is.", NULL, twister_getstate, 0, 0},
    {"setstate", "setstate(self, state, /)", "Goes on from what getstate gave.", NULL,
     twister_setstate, 0, 0},
    {.name = NULL},
};
static const gx_type twister_type = {
    .name = "_random.Twister", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_twister,
    .methods = twister_methods,
};

extern const gx_native gx_py_twister_functions[];
const gx_native gx_py_twister_functions[] = {
    {"Twister", "Twister()", "A Mersenne Twister.", NULL, new_twister, 0, 0},
    {"urandom", "urandom(size, /)", "Random bytes of the system's.", NULL, urandom, 0, 0},
    {.name = NULL},
};
