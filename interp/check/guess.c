/* Guesses: from values to what is known of them, and back to values that are like it. */
#include <string.h>

#include "interp/check/guess_int.h"
#include "runtime/object/container/list.h"

enum { MOST_ITEMS = 64, MOST_ELEMENTS = 1 << 16 };

gx_guess *gx_guess_new(gx_guesses *r, gx_guess_kind kind) {
    gx_guess *g = gx_arena_alloc(&r->c->arena, sizeof *g);
    if (!g) {
        r->failed = true;
        return NULL;
    }
    g->kind = (uint8_t)kind;
    g->value = gx_undef();
    return g;
}

gx_guess *gx_guess_value(gx_guesses *r, gx_value v) {
    gx_guess *g = gx_guess_new(r, GX_GUESS_VALUE);
    if (!g || !gx_vec_push(r->rt, &r->owned, v)) {
        r->failed = true;
        gx_drop(v);
        return NULL;
    }
    g->value = v;
    return g;
}

bool gx_guess_exact(const gx_guess *g) {
    if (!g || g->lost) return false;
    if (g->kind == GX_GUESS_VALUE) return true;
    if (g->kind != GX_GUESS_ITEMS) return false;
    for (int i = 0; i < g->n; i++)
        if (!gx_guess_exact(g->items[i])) return false;
    return true;
}

void gx_guess_lose(gx_guess *g) {
    if (!g || g->lost) return;
    if (g->kind == GX_GUESS_ARRAY || (g->kind == GX_GUESS_ITEMS && g->tag == GX_LIST))
        g->lost = g->kind == GX_GUESS_ITEMS;
    for (int i = 0; g->kind == GX_GUESS_ITEMS && i < g->n; i++) gx_guess_lose(g->items[i]);
}

/* --- to values ----------------------------------------------------------------------------- */

static bool make_array(gx_guesses *r, const gx_guess *g, int world, gx_value *out) {
    int64_t count = 1;
    gx_array *a;
    gx_scalar zero, one;
    const gx_scalar bit = {.i64 = world};
    memset(&zero, 0, sizeof zero);
    for (int i = 0; i < g->n; i++) {
        if (g->dims[i] < 0) return false;
        count *= g->dims[i];
        if (count > MOST_ELEMENTS) return false;
    }
    one = gx_scalar_cast(GX_i64, (gx_dtype)g->dtype, &bit);
    if (!gx_array_full(r->rt, (gx_dtype)g->dtype, g->n, g->dims, (gx_namespace)g->ns,
                       world ? &one : &zero, &a))
        return false;
    *out = gx_array_value(a);
    return true;
}

static bool make_number(const gx_guess *g, int world, gx_value *out) {
    if (g->tag == GX_INT) *out = gx_int(world + 1);
    else if (g->tag == GX_FLOAT) *out = gx_float(world + 1);
    else if (g->tag == GX_BOOL) *out = gx_bool(world);
    else return false;
    return true;
}

static bool make_items(gx_guesses *r, const gx_guess *g, int world, gx_value *out) {
    gx_value items[MOST_ITEMS];
    int made = 0;
    if (g->n > MOST_ITEMS) return false;
    while (made < g->n && gx_guess_make(r, g->items[made], world, &items[made])) made++;
    bool ok = made == g->n && (g->tag == GX_LIST ? gx_list_new : gx_tuple_new)(r->rt, made, items,
                                                                               out);
    while (made > 0) gx_drop(items[--made]);
    return ok;
}

bool gx_guess_make(gx_guesses *r, const gx_guess *g, int world, gx_value *out) {
    if (!g || g->lost) return false;
    switch ((gx_guess_kind)g->kind) {
    case GX_GUESS_VALUE:
        *out = gx_keep(g->value);
        return true;
    case GX_GUESS_NUMBER:
        if (g->tag != GX_SCALAR) return make_number(g, world, out);
        {
            gx_value a;
            if (!make_array(r, g, world, &a)) return false;
            return gx_array_result_take(r->rt, gx_as_array(a), out);
        }
    case GX_GUESS_ARRAY:
        return make_array(r, g, world, out);
    case GX_GUESS_ITEMS:
        return make_items(r, g, world, out);
    case GX_GUESS_CODE:
        break;
    }
    return false;
}

/* --- from values --------------------------------------------------------------------------- */

static gx_guess *common_array(gx_guesses *r, const gx_array *a, const gx_array *b) {
    if (a->ndim != b->ndim || a->dtype != b->dtype) return NULL;
    if (gx_dtype_kind((gx_dtype)a->dtype) > GX_KIND_CPLX) return NULL;
    gx_guess *g = gx_guess_new(r, GX_GUESS_ARRAY);
    if (!g) return NULL;
    g->n = a->ndim;
    g->dtype = a->dtype;
    g->ns = a->ns;
    for (int i = 0; i < g->n; i++)
        g->dims[i] = gx_shape(a)[i] == gx_shape(b)[i] ? gx_shape(a)[i] : -1;
    return g;
}

static gx_guess *common(gx_guesses *r, gx_borrowed a, gx_borrowed b, bool exact) {
    const gx_value *x, *y;
    gx_guess *g;
    if (a.tag != b.tag) return NULL;
    if (a.tag == GX_ARRAY && a.obj->type == b.obj->type && !a.obj->type->heap)
        return common_array(r, gx_as_array(a), gx_as_array(b));
    if ((a.tag == GX_LIST || a.tag == GX_TUPLE) && a.obj->type == b.obj->type) {
        int64_t n = gx_sequence_items(a, &x);
        if (n != gx_sequence_items(b, &y) || n > MOST_ITEMS) return NULL;
        g = gx_guess_new(r, GX_GUESS_ITEMS);
        if (g) g->items = gx_arena_alloc(&r->c->arena, ((size_t)n + 1) * sizeof *g->items);
        if (!g || !g->items) return NULL;
        g->tag = a.tag;
        g->n = (int)n;
        for (int64_t i = 0; i < n; i++) g->items[i] = common(r, x[i], y[i], exact);
        return g;
    }
    bool fixed = a.tag == GX_NONE || a.tag == GX_MODULE || a.tag == GX_DTYPE ||
                 a.tag == GX_NATIVE || a.tag == GX_TYPE;
    bool plain = a.tag == GX_INT || a.tag == GX_FLOAT || a.tag == GX_BOOL || a.tag == GX_STR ||
                 a.tag == GX_RANGE || a.tag == GX_SLICE || a.tag == GX_ELLIPSIS ||
                 a.tag == GX_COMPLEX;
    if (fixed || (exact && plain)) return gx_guess_value(r, gx_keep(a));
    if (a.tag == GX_OBJECT && exact && strstr(gx_type_name(a), "Generator"))
        return gx_guess_value(r, gx_keep(a));
    if (a.tag != GX_INT && a.tag != GX_FLOAT && a.tag != GX_BOOL && a.tag != GX_SCALAR)
        return NULL;
    if (a.tag == GX_SCALAR && a.dtype != b.dtype) return NULL;
    g = gx_guess_new(r, GX_GUESS_NUMBER);
    if (!g) return NULL;
    g->tag = a.tag;
    if (a.tag == GX_SCALAR) g->dtype = a.dtype;
    return g;
}

gx_guess *gx_guess_common_take(gx_guesses *r, gx_value a, gx_value b, bool exact) {
    gx_guess *g = common(r, a, b, exact);
    gx_drop(a);
    gx_drop(b);
    return g;
}

/* --- together ------------------------------------------------------------------------------ */

bool gx_guess_same(const gx_guess *a, const gx_guess *b) {
    if (a == b) return true;
    if (!a || !b || a->lost || b->lost || a->kind != b->kind || a->tag != b->tag ||
        a->dtype != b->dtype || a->n != b->n || a->ns != b->ns)
        return false;
    switch ((gx_guess_kind)a->kind) {
    case GX_GUESS_VALUE:
        return a->value.tag == b->value.tag && a->value.u == b->value.u;
    case GX_GUESS_NUMBER:
        return true;
    case GX_GUESS_ARRAY:
        return memcmp(a->dims, b->dims, (size_t)a->n * sizeof *a->dims) == 0;
    case GX_GUESS_ITEMS:
        if (a->tag == GX_LIST) return false;
        for (int i = 0; i < a->n; i++)
            if (!gx_guess_same(a->items[i], b->items[i])) return false;
        return true;
    case GX_GUESS_CODE:
        return a->code == b->code;
    }
    return false;
}

/* The tag of a number, or 0. */
static int number_tag(const gx_guess *g) {
    if (g->kind == GX_GUESS_NUMBER) return g->tag;
    if (g->kind != GX_GUESS_VALUE) return 0;
    int tag = g->value.tag;
    return tag == GX_INT || tag == GX_FLOAT || tag == GX_BOOL ? tag : 0;
}

gx_guess *gx_guess_join(gx_guesses *r, gx_guess *a, gx_guess *b) {
    if (gx_guess_same(a, b)) return a;
    if (!a || !b || a->lost || b->lost) return NULL;
    int tag = number_tag(a);
    if (tag && tag == number_tag(b) && tag != GX_SCALAR) {
        gx_guess *g = gx_guess_new(r, GX_GUESS_NUMBER);
        if (g) g->tag = (uint8_t)tag;
        return g;
    }
    if (a->kind != GX_GUESS_ARRAY || b->kind != GX_GUESS_ARRAY || a->n != b->n ||
        a->dtype != b->dtype)
        return NULL;
    gx_guess *g = gx_guess_new(r, GX_GUESS_ARRAY);
    if (!g) return NULL;
    *g = *a;
    for (int i = 0; i < g->n; i++)
        if (a->dims[i] != b->dims[i]) g->dims[i] = -1;
    return g;
}
