/* Kernels of maps. A thread reads all it needs, computes V elements in a row, then writes them, so
   that an output may be the memory of an input at the same positions. MAP: one pack a thread, in a
   grid without loops. TILE: 32 by 32 elements a block; inputs that run along another dim than the
   output are read along theirs and turned in shared memory. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

/* The elements of a pack lie at i … i + V - 1; at the end there may be fewer. */
static void load_packs(gx_emit *e) {
    const gx_recipe *r = e->r;
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        const char *type = gx_emit_stored(p->dtype);
        if (!e->leaf[i] || p->reach != GX_REACH_PACK) continue;
        gx_emit_text(e, "    %s a%d[%d];\n    {\n", type, i, r->width);
        if (p->kind == GX_LEAF_RANDOM) {
            gx_emit_text(e, "        gx_random<%d, %d>(a%d, p.seed%d, (unsigned long long)(p.b%d",
                         p->dist, r->width, i, i, i);
            gx_emit_offset(e, i, 0, "i");
            gx_emit_text(e, "));\n    }\n");
            continue;
        }
        gx_emit_text(e, "        const char *at = p.b%d", i);
        gx_emit_offset(e, i, 0, "i");
        gx_emit_text(e, ";\n");
        if (r->even) {
            gx_emit_text(e, "        gx_load<%d>(a%d, at);\n    }\n", r->width, i);
            continue;
        }
        gx_emit_text(e,
                     "        if (full) gx_load<%d>(a%d, at);\n"
                     "        else\n#pragma unroll\n"
                     "            for (int k = 0; k < %d; k++)\n"
                     "                a%d[k] = ((const %s *)at)[k < rest ? k : rest - 1];\n    }\n",
                     r->width, i, r->width, i, type);
    }
}

static void load_one(gx_emit *e, int i, const char *indent, const char *to, const char *flat,
                     const char *more) {
    const gx_recipe_port *p = &e->r->port[i];
    if (p->kind == GX_LEAF_RANDOM) {
        gx_emit_text(e, "%sgx_random<%d, 1>(&%s, p.seed%d, (unsigned long long)(p.b%d", indent,
                     p->dist, to, i, i);
        gx_emit_offset(e, i, 0, flat);
        gx_emit_text(e, "%s));\n", more);
        return;
    }
    const char *type = p->kind == GX_LEAF_IOTA ? "long long " : "const char *";
    gx_emit_text(e, "%s{\n%s    %sat = p.b%d", indent, indent, type, i);
    gx_emit_offset(e, i, 0, flat);
    gx_emit_text(e, "%s;\n%s    %s = ", more, indent, to);
    gx_emit_read(e, i, "at");
    gx_emit_text(e, ";\n%s}\n", indent);
}

/* Leaves that are read element by element. */
static void load_each(gx_emit *e) {
    const gx_recipe *r = e->r;
    bool any = false;
    char to[32], more[64];
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        if (!e->leaf[i] || p->reach == GX_REACH_PACK) continue;
        if (p->reach == GX_REACH_ONE) {
            gx_emit_text(e, "    %s a%d;\n", gx_emit_stored(p->dtype), i);
            snprintf(to, sizeof to, "a%d", i);
            load_one(e, i, "    ", to, "i", "");
            continue;
        }
        gx_emit_text(e, "    %s a%d[%d];\n", gx_emit_stored(p->dtype), i, r->width);
        any = true;
    }
    if (!any) return;
    gx_emit_text(e, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", r->width);
    if (!r->even) {
        if (r->spread)
            gx_emit_text(e, "        const gx_index here = i + k * 256u;\n"
                            "        const gx_index j = here < p.total ? here : p.total - 1;\n");
        else
            gx_emit_text(e,
                         "        const gx_index j = i + (gx_index)(k < rest ? k : rest - 1);\n");
        gx_emit_decode(e, "        ", 0, "j");
    }
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        if (!e->leaf[i] || p->reach == GX_REACH_PACK || p->reach == GX_REACH_ONE) continue;
        snprintf(to, sizeof to, "a%d[k]", i);
        more[0] = 0;
        if (r->even && r->width > 1 && p->moves >> (r->nd - 1) & 1)
            snprintf(more, sizeof more, "\n                + (long long)k * (long long)p.t%d_%d", i,
                     r->nd - 1);
        load_one(e, i, "        ", to, r->even ? "i" : "j", more);
    }
    gx_emit_text(e, "    }\n");
}

static void store_each(gx_emit *e, int i, int k) {
    const gx_recipe *r = e->r;
    const gx_recipe_port *p = &r->port[i];
    const char *type = gx_emit_stored(p->dtype);
    gx_emit_text(e, "        {\n            char *at = p.b%d", i);
    gx_emit_offset(e, i, 0, r->even ? "i" : "j");
    if (r->even && r->width > 1)
        gx_emit_text(e, "\n                + (long long)k * (long long)p.t%d_%d", i, r->nd - 1);
    if (p->reach == GX_REACH_BYTES)
        gx_emit_text(e, ";\n            gx_store_bytes(at, o%d[k]);\n        }\n", k);
    else
        gx_emit_text(e, ";\n            *(%s *)at = o%d[k];\n        }\n", type, k);
}

static void store_outputs(gx_emit *e) {
    const gx_recipe *r = e->r;
    bool any = false;
    for (int k = 0; k < r->n_out; k++) {
        int i = r->n_leaf + k;
        if (r->port[i].reach != GX_REACH_PACK) {
            any = true;
            continue;
        }
        gx_emit_text(e, "    {\n        char *at = p.b%d", i);
        gx_emit_offset(e, i, 0, "i");
        gx_emit_text(e, ";\n");
        if (r->even) {
            gx_emit_text(e, "        gx_store<%d>(at, o%d);\n    }\n", r->width, k);
            continue;
        }
        gx_emit_text(e,
                     "        if (full) gx_store<%d>(at, o%d);\n"
                     "        else\n#pragma unroll\n"
                     "            for (int k = 0; k < %d; k++)\n"
                     "                if (k < rest) ((%s *)at)[k] = o%d[k];\n    }\n",
                     r->width, k, r->width, gx_emit_stored(r->port[i].dtype), k);
    }
    if (!any) return;
    gx_emit_text(e, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", r->width);
    if (!r->even) {
        if (r->spread)
            gx_emit_text(e, "        const gx_index j = i + k * 256u;\n"
                            "        if (j >= p.total) break;\n");
        else
            gx_emit_text(e, "        if (k >= rest) break;\n"
                            "        const gx_index j = i + (gx_index)k;\n");
        gx_emit_decode(e, "        ", 0, "j");
    }
    for (int k = 0; k < r->n_out; k++)
        if (r->port[r->n_leaf + k].reach != GX_REACH_PACK) store_each(e, r->n_leaf + k, k);
    gx_emit_text(e, "    }\n");
}

static void name_outputs(const gx_recipe *r, char *text, size_t room) {
    size_t n = 0;
    text[0] = 0;
    for (int k = 0; k < r->n_out; k++)
        if (gx_recipe_gives(r, k))
            n += (size_t)snprintf(text + n, room - n, "%sr%d", n ? ", " : "", k);
}

/* Declares r<k>, calls element(), and gives the values to the stored outputs. */
static void compute(gx_emit *e, const char *indent, const char *index) {
    const gx_recipe *r = e->r;
    char outputs[64];
    name_outputs(r, outputs, sizeof outputs);
    for (int k = 0; k < r->n_out; k++)
        if (gx_recipe_gives(r, k))
            gx_emit_text(e, "%s%s r%d;\n", indent, gx_emit_type(r->port[r->n_leaf + k].dtype), k);
    gx_emit_call(e, indent, outputs);
    for (int k = 0; k < r->n_out; k++) {
        if (!gx_recipe_gives(r, k)) continue;
        const int dtype = r->port[r->n_leaf + k].dtype;
        gx_emit_text(e, "%so%d%s = ", indent, k, index);
        gx_emit_to_bits(e, dtype);
        gx_emit_text(e, "r%d%s;\n", k, gx_is_half(dtype) ? ")" : "");
    }
}

static void finish(gx_emit *e) {
    gx_emit_text(e, "%s}\n", e->r->checks ? "    gx_tell(p.fp, p.told, met);\n" : "");
}

void gx_emit_map(gx_emit *e) {
    const gx_recipe *r = e->r;
    gx_emit_begin(e);
    if (r->spread)
        gx_emit_text(e, "    const gx_index i = (gx_index)blockIdx.x * %du + threadIdx.x;\n",
                     256 * r->width);
    else if (r->parts)
        gx_emit_text(e,
                     "#pragma unroll\n    for (int part = 0; part < %d; part++) {\n"
                     "    const gx_index i =\n"
                     "        ((gx_index)blockIdx.x * %du + part * 256u + threadIdx.x) * %du;\n",
                     r->parts, 256 * r->parts, r->width);
    else
        gx_emit_text(e,
                     "    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * %du;\n",
                     r->width);
    gx_emit_text(e, "    if (i >= p.total) %s;\n", r->parts ? "break" : "return");
    if (!r->even && !r->spread)
        gx_emit_text(e,
                     "    const int rest = p.total - i < %du ? (int)(p.total - i) : %d;\n"
                     "    const bool full = rest == %d;\n",
                     r->width, r->width, r->width);
    if (r->even) gx_emit_decode(e, "    ", 0, "i");
    load_packs(e);
    load_each(e);
    for (int k = 0; k < r->n_out; k++)
        gx_emit_text(e, "    %s o%d[%d];\n", gx_emit_stored(r->port[r->n_leaf + k].dtype), k,
                     r->width);
    for (int i = 0; i < r->n_leaf; i++)
        snprintf(e->ref[i], sizeof e->ref[i], r->port[i].reach == GX_REACH_ONE ? "a%d" : "a%d[k]",
                 i);
    gx_emit_text(e, "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", r->width);
    compute(e, "        ", "[k]");
    gx_emit_text(e, "    }\n");
    store_outputs(e);
    if (r->parts) gx_emit_text(e, "    }\n");
    finish(e);
}

/* --- selections --- */

/* The position of pack `pack` of a thread, and how much of it there is. */
static void begin_pack(gx_emit *e, const char *unless) {
    const gx_recipe *r = e->r;
    gx_emit_text(e,
                 "#pragma unroll\n    for (int pack = 0; pack < %d; pack++) {\n"
                 "    const gx_index i =\n"
                 "        ((gx_index)blockIdx.x * %du + pack * 256u + threadIdx.x) * %du;\n"
                 "    if (i < p.total%s) {\n"
                 "    const int rest = p.total - i < %du ? (int)(p.total - i) : %d;\n"
                 "    const bool full = rest == %d;\n",
                 GX_SELECT_PACKS, 256 * GX_SELECT_PACKS, r->width, unless, r->width, r->width,
                 r->width);
    if (r->even) gx_emit_decode(e, "    ", 0, "i");
    load_packs(e);
    load_each(e);
}

/* The type that has a bit for each element of a thread. */
static const char *marks_type(const gx_recipe *r) {
    int bits = GX_SELECT_PACKS * r->width;
    return bits <= 8    ? "unsigned char"
           : bits == 16 ? "unsigned short"
           : bits == 32 ? "unsigned"
                        : "unsigned long long";
}

/* First: which elements stay, as bits, and how many. */
static void emit_marks(gx_emit *e) {
    const gx_recipe *r = e->r;
    const char *type = marks_type(r);
    gx_emit_text(e, "    unsigned long long marks = 0;\n");
    begin_pack(e, "");
    gx_emit_text(e, "    %s o0[%d];\n#pragma unroll\n    for (int k = 0; k < %d; k++) {\n",
                 gx_emit_stored(r->port[r->n_leaf].dtype), r->width, r->width);
    compute(e, "        ", "[k]");
    gx_emit_text(e,
                 "        if (k < rest && o0[k]) marks |= 1ull << (pack * %d + k);\n    }\n"
                 "    }\n    }\n"
                 "    ((%s *)p.found.marks)[blockIdx.x * 256ull + threadIdx.x] = (%s)marks;\n"
                 "    const unsigned found = (unsigned)gx_block_sum(__popcll(marks), sums);\n"
                 "    if (threadIdx.x == 0) gx_add_found(p.found, found);\n",
                 r->width, type, type);
}

/* Then: they are put together in shared memory and go behind those of the tiles before. The packs'
   counts are summed over the block, a field of 16 bits each. */
static void emit_kept(gx_emit *e) {
    const gx_recipe *r = e->r;
    const char *type = gx_emit_stored(r->port[r->n_leaf + 1].dtype);
    gx_emit_text(e,
                 "    __shared__ alignas(16) char room[sizeof(%s) * %d];\n"
                 "    __shared__ unsigned long long fields[8];\n"
                 "    %s *const staged = (%s *)room;\n"
                 "    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;\n"
                 "    const unsigned long long marks =\n"
                 "        ((const %s *)p.found.marks)[blockIdx.x * 256ull + threadIdx.x];\n"
                 "    unsigned long long own = 0, upto, before, all = 0;\n"
                 "#pragma unroll\n    for (int k = 0; k < %d; k++)\n"
                 "        own |= (unsigned long long)__popc((unsigned)(marks >> %d * k) & %uu)\n"
                 "               << 16 * k;\n"
                 "    upto = own;\n",
                 type, 256 * GX_SELECT_PACKS * r->width, type, type, marks_type(r), GX_SELECT_PACKS,
                 r->width, (1u << r->width) - 1);
    gx_emit_text(
        e,
        "    for (int by = 1; by < 32; by *= 2) {\n"
        "        const unsigned long long other = __shfl_up_sync(0xffffffffu, upto, by);\n"
        "        if (lane >= by) upto += other;\n    }\n"
        "    if (lane == 31) fields[warp] = upto;\n"
        "    const unsigned long long from = gx_block_sum(gx_found_before(p.found), sums);\n"
        "    before = upto - own;\n"
        "#pragma unroll\n    for (int k = 0; k < 8; k++) {\n"
        "        if (k < warp) before += fields[k];\n        all += fields[k];\n    }\n"
        "    unsigned found = 0, at[%d];\n"
        "#pragma unroll\n    for (int k = 0; k < %d; k++) {\n"
        "        at[k] = found + (unsigned)(before >> 16 * k & 0xffffu);\n"
        "        found += (unsigned)(all >> 16 * k & 0xffffu);\n    }\n",
        GX_SELECT_PACKS, GX_SELECT_PACKS);
    char any[64];
    snprintf(any, sizeof any, " && (marks >> pack * %d & %uu)", r->width, (1u << r->width) - 1);
    begin_pack(e, any);
    gx_emit_text(e, "    %s o1[%d];\n#pragma unroll\n    for (int k = 0; k < %d; k++) {\n", type,
                 r->width, r->width);
    compute(e, "        ", "[k]");
    gx_emit_text(e,
                 "        if (marks >> (pack * %d + k) & 1) staged[at[pack]++] = o1[k];\n    }\n"
                 "    }\n    }\n    __syncthreads();\n"
                 "    %s *const to = (%s *)p.b%d + from;\n"
                 "    for (unsigned k = threadIdx.x; k < found; k += 256) to[k] = staged[k];\n",
                 r->width, type, type, r->n_leaf + 1);
}

void gx_emit_select(gx_emit *e) {
    const gx_recipe *r = e->r;
    gx_emit_begin(e);
    gx_emit_text(e, "    __shared__ unsigned long long sums[8];\n");
    for (int i = 0; i < r->n_leaf; i++)
        snprintf(e->ref[i], sizeof e->ref[i], r->port[i].reach == GX_REACH_ONE ? "a%d" : "a%d[k]",
                 i);
    if (r->split) emit_kept(e);
    else emit_marks(e);
    finish(e);
}

/* --- tiles --- */

static void add_dims(gx_emit *e, int i, int from, int to) {
    for (int d = from; d < to; d++)
        if (e->r->port[i].moves >> d & 1)
            gx_emit_text(e, "\n                + (long long)(gx_stride)x%d * (long long)p.t%d_%d",
                         d, i, d);
}

static void tile_indices(gx_emit *e) {
    const gx_recipe *r = e->r;
    int a = r->nd - 2, b = r->nd - 1;
    gx_emit_text(e,
                 "    const gx_index across = (p.n%d + 31) / 32, down = (p.n%d + 31) / 32;\n"
                 "    gx_index q = blockIdx.x;\n"
                 "    const gx_index b0 = q %% across * 32;\n    q /= across;\n"
                 "    const gx_index a0 = q %% down * 32;\n    q /= down;\n",
                 b, a);
    for (int d = a - 1; d >= 0; d--)
        gx_emit_text(e, "    const gx_index x%d = q %% p.n%d;\n    q /= p.n%d;\n", d, d, d);
    gx_emit_text(e, "    const unsigned tx = threadIdx.x & 31, ty = threadIdx.x >> 5;\n");
}

static void turn_inputs(gx_emit *e) {
    const gx_recipe *r = e->r;
    int a = r->nd - 2, b = r->nd - 1;
    gx_emit_text(e,
                 "#pragma unroll\n    for (int k = 0; k < 4; k++) {\n"
                 "        const gx_index x%d = a0 + tx, x%d = b0 + ty + 8 * k;\n"
                 "        if (x%d >= p.n%d || x%d >= p.n%d) continue;\n",
                 a, b, a, a, b, b);
    for (int i = 0; i < r->n_leaf; i++) {
        if (!e->leaf[i] || r->port[i].reach != GX_REACH_TILE) continue;
        const char *type = gx_emit_stored(r->port[i].dtype);
        gx_emit_text(e, "        tile%d[ty + 8 * k][tx] = *(const %s *)(p.b%d", i, type, i);
        add_dims(e, i, 0, r->nd);
        gx_emit_text(e, ");\n");
    }
    gx_emit_text(e, "    }\n    __syncthreads();\n");
}

void gx_emit_tile(gx_emit *e) {
    const gx_recipe *r = e->r;
    int a = r->nd - 2, b = r->nd - 1;
    gx_emit_begin(e);
    for (int i = 0; i < r->n_leaf; i++)
        if (e->leaf[i] && r->port[i].reach == GX_REACH_TILE)
            gx_emit_text(e, "    __shared__ %s tile%d[32][33];\n", gx_emit_stored(r->port[i].dtype),
                         i);
    tile_indices(e);
    turn_inputs(e);
    gx_emit_text(e,
                 "#pragma unroll\n    for (int k = 0; k < 4; k++) {\n"
                 "        const gx_index x%d = a0 + ty + 8 * k, x%d = b0 + tx;\n"
                 "        if (x%d >= p.n%d || x%d >= p.n%d) continue;\n",
                 a, b, a, a, b, b);
    for (int i = 0; i < r->n_leaf; i++) {
        const gx_recipe_port *p = &r->port[i];
        snprintf(e->ref[i], sizeof e->ref[i], "a%d", i);
        if (!e->leaf[i]) continue;
        if (p->reach == GX_REACH_TILE) {
            snprintf(e->ref[i], sizeof e->ref[i], "tile%d[tx][ty + 8 * k]", i);
            continue;
        }
        gx_emit_text(e, "        %s a%d;\n", gx_emit_stored(p->dtype), i);
        load_one(e, i, "        ", e->ref[i], "", "");
    }
    for (int k = 0; k < r->n_out; k++)
        gx_emit_text(e, "        %s o%d;\n", gx_emit_stored(r->port[r->n_leaf + k].dtype), k);
    compute(e, "        ", "");
    for (int k = 0; k < r->n_out; k++) {
        int i = r->n_leaf + k;
        const char *type = gx_emit_stored(r->port[i].dtype);
        bool bytes = r->port[i].reach == GX_REACH_BYTES;
        if (bytes)
            gx_emit_text(e, "        gx_store_bytes(p.b%d", i);
        else
            gx_emit_text(e, "        *(%s *)(p.b%d", type, i);
        add_dims(e, i, 0, r->nd);
        gx_emit_text(e, bytes ? ", o%d);\n" : ") = o%d;\n", k);
    }
    gx_emit_text(e, "    }\n");
    finish(e);
}
