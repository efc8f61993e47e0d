/* Kernels of reductions, the expression in front included. ROWS: one thread, a warp or a block
   folds a row; COLUMNS: a thread folds V columns, eight teams of threads share the rows. Four packs
   are read before they are folded. Where several blocks share a row or a column, the last one to
   arrive joins their states: one launch. The counter of arrivals wraps to 0 by itself.

   Invariant: which elements meet in which state, and the order of states, depends on extents and
   the recipe alone. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

static bool by_index(const gx_recipe *r) {
    return gx_reds[r->red].rule == GX_REDRULE_INDEX;
}

static bool is_sum(const gx_recipe *r) {
    return gx_reds[r->red].rule == GX_REDRULE_SUM && gx_dtypes[r->acc].kind >= GX_KIND_FLOAT;
}

/* A state for each element of a pack; where a state is large, with a place or two sums, one for all
   of a pack's: memory is waited for in packs all the same. */
static int states_of(const gx_recipe *r) {
    return (r->about || by_index(r)) && r->form == GX_FORM_ROWS ? 1 : r->width;
}

static bool columns(const gx_recipe *r) {
    return r->form == GX_FORM_COLUMNS;
}

/* Sums of floats: values that are nan or infinite are noted above the conditions, so that a state
   that is not finite tells whether it became so by itself. */
static void add_sum(gx_emit *e, const char *type) {
    bool cplx = gx_dtypes[e->r->acc].kind == GX_KIND_CPLX;
    gx_emit_text(e, "enum { GX_SAW_NAN = 256, GX_SAW_INF = 512 };\n");
    gx_emit_text(e, "GX_FN bool gx_is_nan(%s v) {\n    return %s;\n}\n", type,
                 cplx ? "v.re != v.re || v.im != v.im" : "v != v");
    gx_emit_text(e,
                 "GX_FN void gx_fold(gx_state &s, %s v, gx_index at, int &met) {\n"
                 "    if (gx_is_odd(v)) met |= gx_is_nan(v) ? GX_SAW_NAN : GX_SAW_INF;\n"
                 "    s.v = gx_join(s.v, v);\n}\n"
                 "GX_FN void gx_settle(gx_state &s, int &met) {\n"
                 "    if (!gx_is_odd(s.v)) return;\n"
                 "    if (gx_is_nan(s.v) && !(met & GX_SAW_NAN)) met |= 8;\n"
                 "    if (!(met & (GX_SAW_NAN | GX_SAW_INF))) met |= 2;\n}\n"
                 "GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {\n"
                 "    %s joined = gx_join(s.v, o.v);\n"
                 "    if (gx_is_odd(joined)) met |= gx_met(%d, joined, s.v, o.v%s);\n"
                 "    s.v = joined;\n}\n",
                 type, type, GX_MET_RANGE, cplx ? ", 2" : "");
}

/* Squared distances from the mean: a state has its count, a value k among its elements, and the
   sums of the distances from k and of their squares, so that nothing large cancels. Settled, k is
   the mean. */
static void add_spread(gx_emit *e) {
    const bool checks = e->r->checks;
    gx_emit_text(e,
                 "enum { GX_SAW_NAN = 256, GX_SAW_INF = 512 };\n"
                 "struct gx_state {\n    double n, k, s, q;\n};\n"
                 "GX_FN gx_state gx_begin(double v) {\n    gx_state s;\n    s.n = 1;\n"
                 "    s.k = v;\n    s.s = s.q = 0;\n    return s;\n}\n"
                 "GX_FN gx_state gx_nothing() {\n    gx_state s = gx_begin(0);\n    s.n = 0;\n"
                 "    return s;\n}\n"
                 "GX_FN void gx_fold(gx_state &s, double v, int &met) {\n%s"
                 "    if (s.n == 0) s.k = v;\n    const double d = v - s.k;\n    s.n += 1;\n"
                 "    s.s += d;\n    s.q += d * d;\n}\n"
                 "GX_FN void gx_settle(gx_state &s) {\n    if (s.n == 0) return;\n"
                 "    const double m = s.s / s.n;\n"
                 "    if (s.q - s.q == 0 || s.s - s.s != 0) s.q -= m * s.s;\n    s.k += m;\n"
                 "    if (s.q < 0) s.q = 0;\n    s.s = 0;\n}\n",
                 checks ? "    if (gx_is_odd(v)) met |= v != v ? GX_SAW_NAN : GX_SAW_INF;\n" : "");
    gx_emit_text(e,
                 "GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {\n    gx_settle(s);\n"
                 "    gx_settle(o);\n    if (o.n == 0) return;\n    if (s.n == 0) {\n"
                 "        s = o;\n        return;\n    }\n"
                 "    const double n = s.n + o.n, d = o.k - s.k, f = o.n / n;\n"
                 "    const double q = s.q + o.q + d * d * (s.n * f);\n%s"
                 "    s.k += d * f;\n    s.q = q;\n    s.n = n;\n}\n",
                 checks ? "    if (gx_is_odd(q) && !gx_is_odd(s.q) && !gx_is_odd(o.q))\n"
                          "        met |= s.k != s.k || o.k != o.k           ? 0\n"
                          "               : gx_is_odd(s.k) || gx_is_odd(o.k) ? 8\n"
                          "                                                  : 2;\n"
                        : "");
    if (checks)
        gx_emit_text(e, "GX_FN void gx_settle_met(gx_state &s, int &met) {\n    gx_settle(s);\n"
                        "    if (gx_is_odd(s.q) && !(met & GX_SAW_NAN))\n"
                        "        met |= met & GX_SAW_INF ? 8 : 2;\n}\n");
}

/* The state, and how values and states join it. */
static void add_state(gx_emit *e) {
    const gx_recipe *r = e->r;
    if (r->about) {
        add_spread(e);
        return;
    }
    const char *type = gx_emit_type(r->acc);
    gx_emit_text(e, "struct gx_state {\n    %s v;\n%s};\n", type,
                 by_index(r) ? "    gx_index at;\n" : "");
    gx_emit_text(e,
                 "GX_FN gx_state gx_begin(%s v) {\n    gx_state s;\n    s.v = v;\n%s"
                 "    return s;\n}\n",
                 type, by_index(r) ? "    s.at = 0;\n" : "");
    if (by_index(r)) {
        gx_emit_text(e,
                     "GX_FN void gx_fold(gx_state &s, %s v, gx_index at, int &met) {\n"
                     "    if (!gx_wins(s.v, v)) return;\n    s.v = v;\n    s.at = at;\n}\n"
                     "GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {\n"
                     "    gx_state a = o.at < s.at ? o : s, b = o.at < s.at ? s : o;\n"
                     "    s = gx_wins(a.v, b.v) ? b : a;\n}\n",
                     type);
    } else if (r->checks && is_sum(r)) {
        add_sum(e, type);
    } else {
        gx_emit_text(e,
                     "GX_FN void gx_fold(gx_state &s, %s v, gx_index at, int &met) {\n"
                     "    s.v = %s%sgx_join(s.v, v)%s;\n}\n"
                     "GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {\n"
                     "    gx_fold(s, o.v, 0, met);\n}\n",
                     type, gx_dtypes[r->acc].half, gx_is_half(r->acc) ? "_round(" : "",
                     gx_is_half(r->acc) ? ")" : "");
    }
}

/* Addresses (positions) of the kept element; leaves that do not vary along the row are read. */
static void begin_ports(gx_emit *e, const char *indent) {
    const gx_recipe *r = e->r;
    gx_emit_decode(e, indent, 0, "k");
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        if (!e->leaf[i]) continue;
        bool memory = p->kind == GX_LEAF_BUFFER;
        gx_emit_text(e, "%s%sc%d = p.b%d", indent, memory ? "const char *" : "const long long ", i,
                     i);
        gx_emit_offset(e, i, 0, "k");
        gx_emit_text(e, ";\n");
    }
}

/* One element of leaf i into `to`; `more`: a further offset. */
static void load_one(gx_emit *e, int i, const char *to, const char *flat, const char *more) {
    const gx_recipe_port *p = &e->r->port[i];
    if (p->kind == GX_LEAF_RANDOM) {
        gx_emit_text(e, "            gx_random<%d, 1>(&%s, p.seed%d, (unsigned long long)(c%d",
                     p->dist, to, i, i);
        gx_emit_offset(e, i, 1, flat);
        gx_emit_text(e, "%s));\n", more);
        return;
    }
    gx_emit_text(e, "            {\n                %sat = c%d",
                 p->kind == GX_LEAF_IOTA ? "long long " : "const char *", i);
    gx_emit_offset(e, i, 1, flat);
    gx_emit_text(e, "%s;\n                %s = ", more, to);
    gx_emit_read(e, i, "at");
    gx_emit_text(e, ";\n            }\n");
}

static void load_pack(gx_emit *e, int i, const char *to, const char *flat) {
    const gx_recipe_port *p = &e->r->port[i];
    if (p->kind == GX_LEAF_RANDOM) {
        gx_emit_text(e, "            gx_random<%d, %d>(%s, p.seed%d, (unsigned long long)(c%d",
                     p->dist, e->r->width, to, i, i);
        gx_emit_offset(e, i, 1, flat);
        gx_emit_text(e, "));\n");
        return;
    }
    gx_emit_text(e, "            gx_load<%d>(%s, c%d", e->r->width, to, i);
    gx_emit_offset(e, i, 1, flat);
    gx_emit_text(e, ");\n");
}

/* " + k * stride" along the dim of the pack. */
static void lane_offset(const gx_emit *e, int i, char *more, size_t room) {
    const gx_recipe *r = e->r;
    int lane = columns(r) ? r->kept - 1 : r->nd - 1;
    more[0] = 0;
    if (r->width > 1 && lane >= 0 && (r->port[i].moves >> lane & 1))
        snprintf(more, room, "\n                + (long long)k * (long long)p.t%d_%d", i, lane);
}

/* The elements of pack u, whose first (COLUMNS: whose row) is at flat index `r` of group 1, into
   a<leaf>[u]. Packs of COLUMNS are never uneven, those of ROWS where r and r + V - 1 may lie in
   different rows of memory. */
static void load_packs(gx_emit *e) {
    const gx_recipe *r = e->r;
    bool uneven = !columns(r) && !r->even && r->nd - r->kept > 1, each = false;
    char to[32], more[64];
    if (!uneven) gx_emit_decode(e, "            ", 1, "r");
    for (int i = 0; i < r->n_leaf; i++) {
        gx_reach reach = (gx_reach)r->port[i].reach;
        if (!e->leaf[i]) continue;
        snprintf(to, sizeof to, reach == GX_REACH_ONE ? "a%d[u][0]" : "a%d[u]", i);
        if (reach == GX_REACH_PACK)
            load_pack(e, i, to, "r");
        else if (reach == GX_REACH_ONE && !uneven)
            load_one(e, i, to, "r", "");
        else
            each = true;
    }
    if (!each) return;
    gx_emit_text(e, "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n", r->width);
    if (uneven) {
        gx_emit_text(e, "            const gx_index j = r + (gx_index)k;\n");
        gx_emit_decode(e, "            ", 1, "j");
    }
    for (int i = 0; i < r->n_leaf; i++) {
        gx_reach reach = (gx_reach)r->port[i].reach;
        if (!e->leaf[i] || reach == GX_REACH_PACK || (reach == GX_REACH_ONE && !uneven)) continue;
        snprintf(to, sizeof to, reach == GX_REACH_ONE ? "a%d[u][0]" : "a%d[u][k]", i);
        if (uneven)
            more[0] = 0;
        else
            lane_offset(e, i, more, sizeof more);
        load_one(e, i, to, uneven ? "j" : "r", more);
    }
    gx_emit_text(e, "            }\n");
}

static void declare_leaves(gx_emit *e, const char *indent, int unroll, bool single) {
    const gx_recipe *r = e->r;
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        if (!e->leaf[i]) continue;
        gx_emit_text(e, "%s%s a%d[%d][%d];\n", indent, gx_emit_stored(p->dtype), i, unroll,
                     single || p->reach == GX_REACH_ONE ? 1 : r->width);
        snprintf(e->ref[i], sizeof e->ref[i],
                 single || p->reach == GX_REACH_ONE ? "a%d[u][0]" : "a%d[u][k]", i);
    }
}

/* Folds the elements of packs 0 … unroll - 1 into states. */
static void fold_packs(gx_emit *e, int unroll) {
    const gx_recipe *r = e->r;
    int width = r->width;
    const char *at = states_of(r) == width ? "k" : "0";
    gx_emit_text(e,
                 "#pragma unroll\n        for (int u = 0; u < %d; u++) {\n"
                 "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n"
                 "                %s value;\n",
                 unroll, width, gx_emit_type(r->acc));
    gx_emit_call(e, "                ", "value");
    if (r->about)
        gx_emit_text(e, "                gx_fold(state[0][%s], value, met);\n", at);
    else if (columns(r))
        gx_emit_text(e, "                gx_fold(state[u][k], value, i + u * step, met);\n");
    else
        gx_emit_text(
            e, "                gx_fold(state[u][%s], value, (i + u * step) * %d + k, met);\n", at,
            width);
    gx_emit_text(e, "            }\n        }\n");
}

enum { UNROLL = 4 };

/* Steps i, i + step, … below `packs`: four at a time, then one at a time. */
static void walk(gx_emit *e) {
    const gx_recipe *r = e->r;
    const char *first = columns(r) ? "" : " * ";
    char scale[16] = "";
    if (!columns(r)) snprintf(scale, sizeof scale, "%d", r->width);
    for (int unroll = UNROLL; unroll >= 1; unroll -= UNROLL - 1) {
        gx_emit_text(e, "    for (; i + %d * step < packs; i += %d * step) {\n", unroll - 1,
                     unroll);
        declare_leaves(e, "        ", unroll, false);
        gx_emit_text(e,
                     "#pragma unroll\n        for (int u = 0; u < %d; u++) {\n"
                     "            const gx_index r = (i + u * step)%s%s;\n",
                     unroll, first, scale);
        load_packs(e);
        gx_emit_text(e, "        }\n");
        fold_packs(e, unroll);
        gx_emit_text(e, "    }\n");
    }
}

/* The element at r of group 1 alone, as `value`, in a block of its own that `then` ends. */
static void one_element(gx_emit *e, const char *index, const char *then) {
    const gx_recipe *r = e->r;
    char to[32], more[64];
    gx_emit_text(e, "        const gx_index r = %s;\n        const int u = 0;\n", index);
    declare_leaves(e, "        ", 1, true);
    gx_emit_decode(e, "        ", 1, "r");
    for (int i = 0; i < r->n_leaf; i++) {
        if (!e->leaf[i]) continue;
        snprintf(to, sizeof to, "a%d[0][0]", i);
        more[0] = 0;
        if (columns(r)) lane_offset(e, i, more, sizeof more);
        load_one(e, i, to, "r", more);
    }
    gx_emit_text(e, "        %s value;\n", gx_emit_type(r->acc));
    gx_emit_call(e, "        ", "value");
    gx_emit_text(e, "%s", then);
}

/* All states begin with the identity, or with the first element: it may be folded twice. */
static void begin_states(gx_emit *e) {
    const gx_recipe *r = e->r;
    gx_emit_text(e, "    gx_state state[%d][%d];\n", r->about ? 1 : UNROLL, states_of(r));
    if (r->about) {
        gx_emit_text(e,
                     "#pragma unroll\n    for (int k = 0; k < %d; k++) "
                     "state[0][k] = gx_nothing();\n",
                     states_of(r));
        return;
    }
    if (gx_reds[r->red].has_identity) {
        gx_emit_text(e,
                     "#pragma unroll\n    for (int k = 0; k < %d; k++)\n"
                     "#pragma unroll\n        for (int u = 0; u < %d; u++)\n"
                     "            state[u][k] = gx_begin(gx_identity());\n",
                     states_of(r), UNROLL);
        return;
    }
    gx_emit_text(e, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", states_of(r));
    one_element(e, "0",
                "#pragma unroll\n        for (int w = 0; w < 4; w++) state[w][k] = "
                "gx_begin(value);\n    }\n");
}

/* The result of kept element k (COLUMNS: of the pack's element v) is stored. */
static void store_state(gx_emit *e, const char *indent, const char *state) {
    const gx_recipe *r = e->r;
    int i = r->n_leaf;
    const char *type = gx_emit_stored(r->red_dtype);
    char x[48];
    gx_emit_text(e, "%schar *at = p.b%d", indent, i);
    gx_emit_offset(e, i, 0, "k");
    if (columns(r) && r->width > 1 && r->kept > 0 && (r->port[i].moves >> (r->kept - 1) & 1))
        gx_emit_text(e, "\n                + (long long)v * (long long)p.t%d_%d", i, r->kept - 1);
    snprintf(x, sizeof x, "%s.%s", state, r->about ? "q" : by_index(r) ? "at" : "v");
    if (r->about) gx_emit_text(e, ";\n%sgx_settle(%s)", indent, state);
    gx_emit_text(e, ";\n%sconst %s result = ", indent, type);
    gx_emit_to_bits(e, r->red_dtype);
    if (by_index(r))
        gx_emit_cast(e, GX_i64, r->red_dtype, x);
    else
        gx_emit_cast(e, r->acc, r->red_dtype, x);
    gx_emit_text(e, "%s;\n%s", gx_is_half(r->red_dtype) ? ")" : "", indent);
    if (r->port[i].reach == GX_REACH_BYTES)
        gx_emit_text(e, "gx_store_bytes(at, result);\n");
    else
        gx_emit_text(e, "*(%s *)at = result;\n", type);
    if (!r->checks || !is_sum(r)) return;
    if (gx_is_half(r->red_dtype) && r->acc != r->red_dtype)
        gx_emit_text(e, "%smet |= gx_met_narrow(%s.v, %s_wide(result));\n", indent, state,
                     gx_dtypes[r->red_dtype].half);
}

static void finish(gx_emit *e) {
    gx_emit_text(e, "%s}\n", e->r->checks ? "    gx_tell(p.fp, p.told, met);\n" : "");
}

static void join_unrolled(gx_emit *e) {
    const gx_recipe *r = e->r;
    if (r->about) {
        if (r->checks)
            gx_emit_text(e,
                         "#pragma unroll\n    for (int k = 0; k < %d; k++) "
                         "gx_settle_met(state[0][k], met);\n",
                         states_of(r));
        return;
    }
    if (r->checks && is_sum(r))
        gx_emit_text(e,
                     "#pragma unroll\n    for (int k = 0; k < %d; k++)\n"
                     "#pragma unroll\n        for (int u = 0; u < %d; u++)\n"
                     "            gx_settle(state[u][k], met);\n",
                     states_of(r), UNROLL);
    gx_emit_text(e,
                 "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n"
                 "        gx_merge(state[0][k], state[1][k], met);\n"
                 "        gx_merge(state[2][k], state[3][k], met);\n"
                 "        gx_merge(state[0][k], state[2][k], met);\n    }\n",
                 states_of(r));
}

/* --- rows --- */

static void fold_warp(gx_emit *e, const char *indent, int from) {
    gx_emit_text(
        e, "%sfor (int by = %d; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);\n",
        indent, from);
}

/* The states of a block's threads: `mine` of thread 0 has them all. */
static void fold_block(gx_emit *e) {
    fold_warp(e, "    ", 16);
    gx_emit_text(e, "    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = mine;\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x < 32) {\n"
                    "        mine = warps[threadIdx.x & 7];\n");
    fold_warp(e, "        ", 4);
    gx_emit_text(e, "    }\n");
}

/* Blocks that share a row leave their states; the last to arrive joins them in order. */
static void join_blocks(gx_emit *e) {
    gx_emit_text(
        e,
        "    gx_state *parts = (gx_state *)p.parts + (long long)k * p.splits;\n"
        "    __shared__ bool last;\n"
        "    if (threadIdx.x == 0) {\n"
        "        parts[part] = mine;\n"
        "        __threadfence();\n"
        "        last = atomicInc(&p.arrived[k], p.splits - 1) == p.splits - 1;\n"
        "    }\n"
        "    __syncthreads();\n"
        "    if (!last) {\n%s        return;\n    }\n"
        "    __threadfence();\n"
        "    unsigned from = threadIdx.x < p.splits ? threadIdx.x : 0;\n"
        "    mine = gx_fresh(parts + from);\n"
        "    if (threadIdx.x >= p.splits) mine = %s;\n"
        "    for (unsigned i = threadIdx.x + 256; i < p.splits; i += 1024) {\n"
        "        gx_state others[4];\n"
        "#pragma unroll\n        for (int u = 0; u < 4; u++)\n"
        "            if (i + u * 256 < p.splits) others[u] = gx_fresh(parts + i + u * 256);\n"
        "#pragma unroll\n        for (int u = 0; u < 4; u++)\n"
        "            if (i + u * 256 < p.splits) gx_merge(mine, others[u], met);\n"
        "    }\n"
        "    __syncthreads();\n",
        e->r->checks ? "        gx_tell(p.fp, p.told, met);\n" : "",
        e->r->about                       ? "gx_nothing()"
        : gx_reds[e->r->red].has_identity ? "gx_begin(gx_identity())"
                                          : "mine");
    fold_block(e);
}

static void emit_rows(gx_emit *e) {
    const gx_recipe *r = e->r;
    int team = 1 << r->team;
    if (!r->checks) gx_emit_text(e, "    int met = 0;\n");
    gx_emit_text(e, "    const gx_index lane = threadIdx.x & %du;\n", team - 1);
    if (r->split)
        gx_emit_text(
            e,
            "    const gx_index k = blockIdx.x / p.splits, part = blockIdx.x %% p.splits;\n"
            "    const gx_index step = p.splits * %du;\n"
            "    gx_index i = part * %du + lane;\n",
            team, team);
    else
        gx_emit_text(e,
                     "    const gx_index k = (gx_index)blockIdx.x * %du + (threadIdx.x >> %d);\n"
                     "    const gx_index step = %d;\n    gx_index i = lane;\n"
                     "    if (k >= p.kept) return;\n",
                     256 / team, r->team, team);
    gx_emit_text(e, "    const gx_index packs = p.reduced / %d;\n", r->width);
    begin_ports(e, "    ");
    begin_states(e);
    walk(e);
    join_unrolled(e);
    gx_emit_text(e, "    gx_state mine = state[0][0];\n");
    for (int k = 1; k < states_of(r); k++)
        gx_emit_text(e, "    gx_merge(mine, state[0][%d], met);\n", k);
    if (!r->even) {
        gx_emit_text(e,
                     "    for (gx_index tail = packs * %d + lane; tail < p.reduced%s; "
                     "tail += %d) {\n",
                     r->width, r->split ? " && part == 0" : "", team);
        one_element(e, "tail",
                    by_index(r) ? "        gx_state one = gx_begin(value);\n"
                                  "        one.at = r;\n"
                                  "        gx_merge(mine, one, met);\n    }\n"
                                : "        gx_merge(mine, gx_begin(value), met);\n"
                                  "    }\n");
    }
    if (r->team == 5) fold_warp(e, "    ", 16);
    if (r->team == 8) {
        gx_emit_text(e, "    __shared__ gx_state warps[8];\n");
        fold_block(e);
    }
    if (r->split) join_blocks(e);
    gx_emit_text(e, "    if (lane == 0) {\n");
    store_state(e, "        ", "mine");
    gx_emit_text(e, "    }\n");
    finish(e);
}

/* --- columns --- */

/* The teams' states of each column join in order: those of team 0 have them all. */
static void join_teams(gx_emit *e) {
    const gx_recipe *r = e->r;
    int teams = 1 << r->team;
    if (teams == 1) return;
    gx_emit_text(
        e,
        "#pragma unroll\n    for (int v = 0; v < %d; v++) all[team][v][lane] = state[0][v];\n"
        "    __syncthreads();\n"
        "    if (team == 0)\n"
        "        for (int o = 1; o < %d; o++)\n"
        "#pragma unroll\n            for (int v = 0; v < %d; v++)\n"
        "                gx_merge(state[0][v], all[o][v][lane], met);\n",
        r->width, teams, r->width);
}

static void join_column_blocks(gx_emit *e) {
    const gx_recipe *r = e->r;
    int teams = 1 << r->team;
    gx_emit_text(e,
                 "    gx_state *parts = (gx_state *)p.parts;\n"
                 "    __shared__ bool last;\n"
                 "    if (team == 0 && valid) {\n"
                 "#pragma unroll\n        for (int v = 0; v < %d; v++)\n"
                 "            parts[(long long)part * p.kept + k + v] = state[0][v];\n"
                 "        __threadfence();\n"
                 "    }\n"
                 "    __syncthreads();\n"
                 "    if (threadIdx.x == 0)\n"
                 "        last = atomicInc(&p.arrived[blockIdx.x / p.splits], p.splits - 1) == "
                 "p.splits - 1;\n"
                 "    __syncthreads();\n"
                 "    if (!last) {\n%s        return;\n    }\n"
                 "    __threadfence();\n",
                 r->width, r->checks ? "        gx_tell(p.fp, p.told, met);\n" : "");
    gx_emit_text(
        e,
        "    if (valid) {\n"
        "        const unsigned first = team < p.splits ? team : 0;\n"
        "#pragma unroll\n        for (int v = 0; v < %d; v++) {\n"
        "            state[0][v] = gx_fresh(parts + (long long)first * p.kept + k + v);\n"
        "%s"
        "            for (unsigned o = team + %d; o < p.splits; o += %d) {\n"
        "                gx_state others[4];\n"
        "#pragma unroll\n                for (int u = 0; u < 4; u++)\n"
        "                    if (o + u * %d < p.splits)\n"
        "                        others[u] = gx_fresh(\n"
        "                            parts + (long long)(o + u * %d) * p.kept + k + v);\n"
        "#pragma unroll\n                for (int u = 0; u < 4; u++)\n"
        "                    if (o + u * %d < p.splits) gx_merge(state[0][v], others[u], met);\n"
        "            }\n        }\n    }\n    __syncthreads();\n",
        r->width,
        r->about ? "            if (team >= p.splits) state[0][v] = gx_nothing();\n"
        : gx_reds[r->red].has_identity
            ? "            if (team >= p.splits) state[0][v] = gx_begin(gx_identity());\n"
            : "",
        teams, 4 * teams, teams, teams, teams);
    join_teams(e);
}

static void emit_columns(gx_emit *e) {
    const gx_recipe *r = e->r;
    int teams = 1 << r->team, lanes = 256 >> r->team;
    if (!r->checks) gx_emit_text(e, "    int met = 0;\n");
    gx_emit_text(e, "    const unsigned lane = threadIdx.x & %du, team = threadIdx.x / %du;\n",
                 lanes - 1, lanes);
    if (teams > 1)
        gx_emit_text(e, "    __shared__ gx_state all[%d][%d][%d];\n", teams, r->width, lanes);
    gx_emit_text(e,
                 "    const unsigned part = blockIdx.x %% p.splits;\n"
                 "    gx_index k = ((gx_index)(blockIdx.x / p.splits) * %du + lane) * %d;\n"
                 "    const bool valid = k < p.kept;\n"
                 "    if (!valid) k = 0;\n"
                 "    const gx_index step = p.splits * %du, packs = valid ? p.reduced : 0;\n"
                 "    gx_index i = part * %du + team;\n",
                 lanes, r->width, teams, teams);
    begin_ports(e, "    ");
    begin_states(e);
    walk(e);
    join_unrolled(e);
    join_teams(e);
    if (r->split) join_column_blocks(e);
    gx_emit_text(e,
                 "    if (team == 0 && valid) {\n"
                 "#pragma unroll\n        for (int v = 0; v < %d; v++) {\n",
                 r->width);
    store_state(e, "            ", "state[0][v]");
    gx_emit_text(e, "        }\n    }\n");
    finish(e);
}

void gx_emit_reduce(gx_emit *e) {
    add_state(e);
    gx_emit_begin(e);
    if (columns(e->r))
        emit_columns(e);
    else
        emit_rows(e);
}
