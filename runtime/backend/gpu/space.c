/* The space of a tape made ready for threads: dims in the order of memory, joined where every port
   allows, and for each port the cheapest way to reach it. What goes into the recipe decides the
   text; extents, addresses and strides stay outside it.

   Invariant: the order in which a reduction's elements are combined is a function of the shape,
   the dtypes and the layout, never of the device. */
#include <stddef.h>
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

/* Reductions keep a state for each of four packs of V elements: at most 4 of 4 bytes. */
enum { REDUCE_WIDEST = 4 };

/* Where nothing can be reached in packs, threads of large maps still have several elements. */
enum { SPREAD_FROM = 1 << 16, PARTS = 4 };

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

static int item_of(const gx_recipe_port *p) {
    return gx_dtypes[p->dtype].bytes;
}

static void add_ports(gx_space *s, const gx_tape *t, const int *dims) {
    gx_recipe *r = &s->recipe;
    for (int i = 0; i < t->n_leaf; i++) {
        const gx_leaf *l = &t->leaf[i];
        r->port[i] = (gx_recipe_port){.kind = l->kind, .dtype = l->dtype};
        if (l->kind == GX_LEAF_RANDOM) r->port[i].dist = l->dist;
        s->port[i].base = l->offset;
        if (l->kind == GX_LEAF_BUFFER) s->port[i].base += (int64_t)gx_gpu_address(l->buf);
        for (int d = 0; d < s->nd; d++) s->port[i].strides[d] = l->strides[dims[d]];
    }
    for (int k = 0; k < t->n_out; k++) {
        const gx_out *o = &t->out[k];
        int i = t->n_leaf + k;
        int dtype = t->has_red ? t->red_dtype : t->step[o->step].dtype;
        r->port[i] =
            (gx_recipe_port){.kind = GX_PORT_OUT, .dtype = (uint8_t)dtype, .step = o->step};
        s->port[i].base = o->offset + (int64_t)gx_gpu_address(o->buf);
        for (int d = 0; d < s->nd; d++)
            s->port[i].strides[d] = t->has_red && d >= s->kept ? 0 : o->strides[dims[d]];
    }
}

/* Halves that are only moved are moved as bits. */
static void retype_halves(gx_space *s) {
    gx_recipe *r = &s->recipe;
    for (int i = 0; i < r->n_step; i++) {
        const gx_step *step = &r->step[i];
        if (step->kind == GX_STEP_CAST) return;
        if (step->kind == GX_STEP_OP && step->arg != GX_OP_where) return;
        if (step->kind != GX_STEP_LOAD) continue;
        if (r->port[step->arg].kind != GX_LEAF_BUFFER) return;
    }
    for (int i = 0; i < r->n_step; i++) {
        if (gx_is_half(r->step[i].dtype)) r->step[i].dtype = GX_u16;
        if (gx_is_half(r->step[i].compute)) r->step[i].compute = GX_u16;
    }
    for (int i = 0; i < r->n_leaf + r->n_out; i++)
        if (gx_is_half(r->port[i].dtype)) r->port[i].dtype = GX_u16;
}

static void begin(gx_space *s, const gx_tape *t) {
    int dims[GX_MAX_DIMS];
    gx_recipe *r = &s->recipe;
    memset(r, 0, offsetof(gx_recipe, port));
    s->tape = t;
    s->nd = s->kept = 0;
    s->total = s->n_kept = s->n_reduced = s->blocks = s->splits = 1;
    s->parts = s->arrived = 0;
    for (int d = 0; d < t->ndim; d++) {
        bool kept = !t->has_red || d < t->ndim - t->reduced;
        s->total *= t->shape[d];
        *(kept ? &s->n_kept : &s->n_reduced) *= t->shape[d];
        if (t->shape[d] == 1) continue;
        if (kept) s->kept++;
        s->shape[s->nd] = t->shape[d];
        dims[s->nd++] = d;
    }
    r->n_leaf = (uint8_t)t->n_leaf;
    r->n_out = (uint8_t)t->n_out;
    r->n_step = (uint16_t)t->n_step;
    memcpy(r->step, t->step, (size_t)t->n_step * sizeof *t->step);
    for (int i = 0; i < t->n_step; i++)
        if (t->step[i].kind == GX_STEP_CALL) r->call[t->step[i].arg] = t->call[t->step[i].arg];
    add_ports(s, t, dims);
    if (!t->has_red) retype_halves(s);
}

static int ports(const gx_space *s) {
    return s->recipe.n_leaf + s->recipe.n_out;
}

static void permute(gx_space *s, int lo, int hi, const int *order) {
    int64_t old[GX_MAX_DIMS];
    memcpy(old, s->shape, sizeof old);
    for (int d = lo; d < hi; d++) s->shape[d] = old[order[d]];
    for (int i = 0; i < ports(s); i++) {
        memcpy(old, s->port[i].strides, (size_t)s->nd * sizeof *old);
        for (int d = lo; d < hi; d++) s->port[i].strides[d] = old[order[d]];
    }
}

/* Dims lo … hi by falling stride of a port. */
static void sort_dims(gx_space *s, int lo, int hi, const int64_t *strides) {
    int order[GX_MAX_DIMS];
    for (int d = lo; d < hi; d++) {
        int at = d;
        while (at > lo && magnitude(strides[order[at - 1]]) < magnitude(strides[d])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = d;
    }
    permute(s, lo, hi, order);
}

/* Dims along which a port runs backwards are walked the other way. */
static void turn_dims(gx_space *s, int lo, int hi, int port) {
    for (int d = lo; d < hi; d++) {
        if (s->port[port].strides[d] >= 0) continue;
        for (int i = 0; i < ports(s); i++) {
            s->port[i].base += (s->shape[d] - 1) * s->port[i].strides[d];
            s->port[i].strides[d] = -s->port[i].strides[d];
        }
    }
}

static bool joins(const gx_space *s, int d) {
    for (int i = 0; i < ports(s); i++)
        if (s->port[i].strides[d] != s->port[i].strides[d + 1] * s->shape[d + 1]) return false;
    return true;
}

static void collapse(gx_space *s, int lo, int hi) {
    for (int d = hi - 2; d >= lo; d--) {
        if (!joins(s, d)) continue;
        s->shape[d] *= s->shape[d + 1];
        for (int i = 0; i < ports(s); i++) s->port[i].strides[d] = s->port[i].strides[d + 1];
        for (int e = d + 1; e < s->nd - 1; e++) {
            s->shape[e] = s->shape[e + 1];
            for (int i = 0; i < ports(s); i++) s->port[i].strides[e] = s->port[i].strides[e + 1];
        }
        s->nd--;
        if (d < s->kept - 1) s->kept--;
    }
}

/* Reads and writes of whole elements are possible at every position. */
static bool aligned(const gx_space *s, int i, int64_t unit) {
    if (s->port[i].base % unit != 0) return false;
    for (int d = 0; d < s->nd; d++)
        if (s->shape[d] > 1 && s->port[i].strides[d] % unit != 0) return false;
    return true;
}

static bool is_flat(const gx_space *s, int i, int lo, int hi) {
    for (int d = hi - 2; d >= lo; d--)
        if (s->port[i].strides[d] != s->port[i].strides[d + 1] * s->shape[d + 1]) return false;
    return true;
}

/* May port i be reached in packs of `width` along dim `lane`, the last of [lo, lane]? */
static bool packs(const gx_space *s, int i, int width, int lo, int lane) {
    const gx_recipe_port *p = &s->recipe.port[i];
    const gx_space_port *at = &s->port[i];
    int64_t item = p->kind == GX_LEAF_RANDOM ? 1 : item_of(p), unit = item * width;
    if (p->kind == GX_LEAF_IOTA || width == 1 || at->strides[lane] != item) return false;
    bool rows = s->shape[lane] % width == 0, flat = is_flat(s, i, lo, lane + 1);
    if (!rows && !flat) return false;
    int64_t base = at->base;
    if (p->kind == GX_LEAF_RANDOM) base += (int64_t)s->tape->leaf[i].counter;
    if (base % unit != 0) return false;
    for (int d = 0; d < s->nd; d++)
        if (d != lane && (d < lo || d > lane || !flat) && at->strides[d] % unit != 0) return false;
    return true;
}

/* The widest pack in which at least one port that matters can be reached; 1: none. */
static int choose_width(const gx_space *s, int lo, int lane) {
    int widest = s->tape->has_red ? REDUCE_WIDEST : 1;
    if (lane < lo) return 1;
    for (int i = 0; i < ports(s); i++) {
        const gx_recipe_port *p = &s->recipe.port[i];
        if (s->port[i].strides[lane] != 0 && p->kind != GX_LEAF_IOTA && item_of(p) > widest)
            widest = item_of(p);
    }
    for (int width = 16 / widest; width > 1; width /= 2) {
        if (s->shape[lane] % width != 0 && !(s->nd == 1 || (lo == 0 && lane == s->nd - 1)))
            continue;
        for (int i = 0; i < ports(s); i++)
            if (packs(s, i, width, lo, lane)) return width;
    }
    return 1;
}

static gx_reach reach_of(const gx_space *s, int i, int lo, int lane) {
    const gx_recipe_port *p = &s->recipe.port[i];
    bool memory = p->kind == GX_LEAF_BUFFER || p->kind == GX_PORT_OUT;
    if (memory && !aligned(s, i, item_of(p))) return GX_REACH_BYTES;
    if (!s->recipe.spread && packs(s, i, s->recipe.width, lo, lane)) return GX_REACH_PACK;
    bool uneven = lo < lane && !s->recipe.even;
    if (p->kind == GX_PORT_OUT) return GX_REACH_EACH;
    if (lane >= lo && (s->port[i].strides[lane] != 0 || uneven)) {
        if (s->port[i].strides[lane] != 0) return GX_REACH_EACH;
        for (int d = lo; d < lane; d++) /* a row's value, where V elements may cross rows */
            if (s->port[i].strides[d] != 0) return GX_REACH_EACH;
    }
    return GX_REACH_ONE;
}

/* Do positions and strides need more than 32 bits? */
static bool needs_wide(const gx_space *s) {
    const int64_t most = INT32_MAX;
    if (s->total >= most) return true;
    for (int i = 0; i < ports(s); i++) {
        int64_t low = 0, high = 0;
        for (int d = 0; d < s->nd; d++) {
            int64_t stride = s->port[i].strides[d];
            if (magnitude(stride) > most) return true;
            if (stride < 0)
                low += stride * (s->shape[d] - 1);
            else
                high += stride * (s->shape[d] - 1);
        }
        if (s->recipe.port[i].kind != GX_LEAF_IOTA) continue;
        if (s->port[i].base + low < -most || s->port[i].base + high > most) return true;
    }
    return false;
}

/* What of the ports goes into the recipe, for V elements along dim `lane` of the group from lo. */
static void set_recipe(gx_space *s, int lo, int lane) {
    gx_recipe *r = &s->recipe;
    r->nd = (uint8_t)s->nd;
    r->kept = (uint8_t)s->kept;
    r->wide = needs_wide(s);
    r->width = (uint8_t)choose_width(s, lo, lane);
    if (r->width == 1 && !s->tape->has_red && r->form != GX_FORM_SELECT && lane >= lo &&
        s->total >= SPREAD_FROM) {
        r->spread = 1;
        r->width = 4;
    }
    /* One dim: the tail is always looked after, so that the text does not depend on the extent. */
    r->even = r->width == 1 || (!r->spread && s->nd > 1 && s->shape[lane] % r->width == 0);
    for (int i = 0; i < ports(s); i++) {
        gx_recipe_port *p = &r->port[i];
        p->reach = (uint8_t)reach_of(s, i, lo, lane);
        p->flat = 0;
        if (is_flat(s, i, 0, s->kept)) p->flat |= 1;
        if (is_flat(s, i, s->kept, s->nd)) p->flat |= 2;
        p->moves = 0;
        for (int d = 0; d < s->nd; d++)
            if (s->port[i].strides[d] != 0) p->moves |= (uint64_t)1 << d;
    }
}

/* The dim along which some large input runs while it jumps along the last; -1: none. */
static int crossing_dim(const gx_space *s) {
    if (s->nd < 2 || s->shape[s->nd - 1] < 16) return -1;
    for (int i = 0; i < s->recipe.n_leaf; i++) {
        if (s->recipe.port[i].kind != GX_LEAF_BUFFER) continue;
        const int64_t *strides = s->port[i].strides;
        int64_t item = item_of(&s->recipe.port[i]);
        if (magnitude(strides[s->nd - 1]) < 64 || !aligned(s, i, item)) continue;
        for (int d = s->nd - 2; d >= 0; d--)
            if (magnitude(strides[d]) == item && s->shape[d] >= 16) return d;
    }
    return -1;
}

enum { TILE = 32, SHARED = 48000 };

/* Inputs that run along dim `cross` are turned in shared memory, while there is room. */
static void set_tile(gx_space *s, int cross) {
    gx_recipe *r = &s->recipe;
    int order[GX_MAX_DIMS], n = 0, room = SHARED;
    for (int d = 0; d < s->nd - 1; d++)
        if (d != cross) order[n++] = d;
    order[n++] = cross; /* beside the last */
    order[n] = s->nd - 1;
    permute(s, 0, s->nd, order);
    set_recipe(s, 0, -1);
    r->form = GX_FORM_TILE;
    int a = s->nd - 2, b = s->nd - 1;
    for (int i = 0; i < r->n_leaf; i++) {
        gx_recipe_port *p = &r->port[i];
        int item = item_of(p);
        const int64_t *strides = s->port[i].strides;
        p->reach = p->reach == GX_REACH_BYTES ? GX_REACH_BYTES : GX_REACH_EACH;
        if (p->kind != GX_LEAF_BUFFER || p->reach == GX_REACH_BYTES) continue;
        if (magnitude(strides[a]) != item || magnitude(strides[b]) < 64) continue;
        if (room < TILE * (TILE + 1) * item) continue;
        room -= TILE * (TILE + 1) * item;
        p->reach = GX_REACH_TILE;
    }
    int64_t outer = 1;
    for (int d = 0; d < a; d++) outer *= s->shape[d];
    s->blocks = outer * ((s->shape[a] + TILE - 1) / TILE) * ((s->shape[b] + TILE - 1) / TILE);
    for (int i = 0; i < ports(s); i++) /* dims are indexed apart */
        r->port[i].flat = s->nd == 1 ? 3 : 0;
}

static int64_t at_least(int64_t x, int64_t least) {
    return x < least ? least : x;
}

bool gx_space_may_meet(const gx_tape *t) {
    for (int i = 0; i < t->n_step; i++)
        if (gx_emit_class(&t->step[i]) != GX_MET_NEVER) return true;
    return false;
}

void gx_space_map(gx_space *s, const gx_tape *t) {
    begin(s, t);
    s->kept = s->nd;
    if (t->fp_mask && gx_space_may_meet(t)) s->recipe.checks = 1;
    turn_dims(s, 0, s->nd, t->n_leaf);
    sort_dims(s, 0, s->nd, s->port[t->n_leaf].strides);
    collapse(s, 0, s->nd);
    s->kept = s->nd;
    int cross = crossing_dim(s);
    if (cross >= 0) {
        set_tile(s, cross);
        return;
    }
    set_recipe(s, 0, s->nd - 1);
    s->recipe.form = GX_FORM_MAP;
    /* Random numbers are computed, not read: threads that make more of them hide what each waits
       for, and what a block costs to start. */
    for (int i = 0; i < s->recipe.n_leaf && !s->recipe.spread; i++)
        if (s->recipe.port[i].kind == GX_LEAF_RANDOM && s->total >= SPREAD_FROM)
            s->recipe.parts = PARTS;
    int64_t unit = (int64_t)GX_GPU_THREADS * s->recipe.width * at_least(s->recipe.parts, 1);
    s->blocks = (s->total + unit - 1) / unit;
}

void gx_space_select(gx_space *s, const gx_tape *t) {
    begin(s, t);
    s->kept = s->nd;
    s->recipe.form = GX_FORM_SELECT;
    if (t->fp_mask && gx_space_may_meet(t)) s->recipe.checks = 1;
    collapse(s, 0, s->nd);
    s->kept = s->nd;
    set_recipe(s, 0, s->nd - 1);
    int64_t unit = (int64_t)GX_GPU_THREADS * GX_SELECT_PACKS * s->recipe.width;
    s->blocks = (s->total + unit - 1) / unit;
}

/* The input that decides the order of work: the one with the most elements. */
static int main_leaf(const gx_space *s) {
    int best = -1;
    int64_t most = 0;
    for (int i = 0; i < s->recipe.n_leaf; i++) {
        int64_t n = 1;
        for (int d = 0; d < s->nd; d++)
            if (s->port[i].strides[d] != 0) n *= s->shape[d];
        if (n <= most) continue;
        most = n;
        best = i;
    }
    return best;
}

/* How many blocks share a row, and how many threads: functions of extents and width alone. */
static void set_rows(gx_space *s) {
    enum { BLOCKS = 2112, LEAST = 16 };
    gx_recipe *r = &s->recipe;
    int64_t packs_a_row = (s->n_reduced + r->width - 1) / r->width;
    r->form = GX_FORM_ROWS;
    r->team = packs_a_row <= 4 ? 0 : packs_a_row <= 256 ? 5 : 8;
    if (r->team == 8) {
        int64_t most = (packs_a_row + GX_GPU_THREADS * LEAST - 1) / (GX_GPU_THREADS * LEAST);
        s->splits = at_least(BLOCKS / s->n_kept, 1);
        if (s->splits > most) s->splits = most;
    }
    r->split = s->splits > 1;
    int64_t rows = GX_GPU_THREADS >> r->team;
    s->blocks = (s->n_kept + rows - 1) / rows * s->splits;
}

static void set_columns(gx_space *s) {
    enum { BLOCKS = 2048, LEAST = 64, MOST = 512 };
    gx_recipe *r = &s->recipe;
    r->form = GX_FORM_COLUMNS;
    r->team = s->n_reduced >= LEAST ? 3 : 0;
    int64_t unit = (GX_GPU_THREADS >> r->team) * (int64_t)r->width;
    int64_t columns = (s->n_kept + unit - 1) / unit;
    int64_t most = r->team ? (s->n_reduced + LEAST - 1) / LEAST : 1;
    s->splits = at_least(BLOCKS / columns, 1);
    if (s->splits > most) s->splits = most;
    if (s->splits > MOST) s->splits = MOST;
    r->split = s->splits > 1;
    s->blocks = columns * s->splits;
}

void gx_space_reduce(gx_space *s, const gx_tape *t) {
    gx_recipe *r = &s->recipe;
    bool by_index = gx_reds[t->red].rule == GX_REDRULE_INDEX;
    begin(s, t);
    bool sum = gx_reds[t->red].rule == GX_REDRULE_SUM && gx_dtypes[t->acc].kind >= GX_KIND_FLOAT;
    r->checks = t->fp_mask && (sum || gx_space_may_meet(t));
    r->red = t->red;
    r->acc = t->acc;
    r->red_dtype = t->red_dtype;
    r->about = t->about_mean;
    int leaf = main_leaf(s);
    if (leaf >= 0) {
        turn_dims(s, 0, s->kept, leaf);
        sort_dims(s, 0, s->kept, s->port[leaf].strides);
        if (!by_index) {
            turn_dims(s, s->kept, s->nd, leaf);
            sort_dims(s, s->kept, s->nd, s->port[leaf].strides);
        }
    }
    collapse(s, s->kept, s->nd);
    collapse(s, 0, s->kept);
    bool columns = false;
    if (leaf >= 0 && s->kept > 0 && s->kept < s->nd) {
        int64_t in = magnitude(s->port[leaf].strides[s->kept - 1]);
        columns = in != 0 && in < magnitude(s->port[leaf].strides[s->nd - 1]);
        if (s->shape[s->kept - 1] < 8 && s->n_kept < 8) columns = false;
    }
    if (columns) {
        set_recipe(s, 0, s->kept - 1);
        set_columns(s);
    } else {
        set_recipe(s, s->kept, s->nd - 1);
        set_rows(s);
    }
}

size_t gx_space_key(const gx_recipe *r, char *key) {
    size_t n = offsetof(gx_recipe, port), ports_bytes = (size_t)(r->n_leaf + r->n_out);
    ports_bytes *= sizeof *r->port;
    memcpy(key, r, n);
    memcpy(key + n, r->port, ports_bytes);
    n += ports_bytes;
    memcpy(key + n, r->step, r->n_step * sizeof *r->step);
    return n + r->n_step * sizeof *r->step;
}

void gx_recipe_used(const gx_recipe *r, bool *used) {
    memset(used, 0, r->n_step * sizeof *used);
    for (int k = 0; k < r->n_out; k++)
        if (gx_recipe_gives(r, k)) used[r->port[r->n_leaf + k].step] = true;
    for (int i = r->n_step - 1; i >= 0; i--) {
        const gx_step *s = &r->step[i];
        if (!used[i]) continue;
        int operands = gx_step_arity(s);
        if (operands > 0) used[s->a] = true;
        if (operands > 1) used[s->b] = true;
        if (operands > 2) used[s->c] = true;
    }
}
