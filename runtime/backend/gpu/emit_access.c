/* The parameters of a kernel and how elements are reached: the struct and its packing side by
   side, indices from flat positions, addresses, reads. Fields are 8 bytes or a multiple, in the
   order: ports, dims, strides, constants, extents, and what the form adds. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

static int ports(const gx_recipe *r) {
    return r->n_leaf + r->n_out;
}

static bool moves_along(const gx_recipe *r, int port, int d) {
    return r->port[port].moves >> d & 1;
}

static int low(const gx_recipe *r, int group) {
    return group ? r->kept : 0;
}
static int high(const gx_recipe *r, int group) {
    return group ? r->nd : r->kept;
}

bool gx_emit_moves(const gx_emit *e, int port, int group) {
    for (int d = low(e->r, group); d < high(e->r, group); d++)
        if (moves_along(e->r, port, d)) return true;
    return false;
}

/* complex128 would ask for 16-byte places: two doubles. */
static void add_constant(gx_emit *e, int dtype, const char *name) {
    if (dtype == GX_c128)
        gx_emit_text(e, "    double %sr, %si;\n", name, name);
    else
        gx_emit_text(e, "    alignas(8) %s %s;\n", gx_emit_stored(dtype), name);
}

void gx_emit_params(gx_emit *e) {
    const gx_recipe *r = e->r;
    char name[24];
    gx_emit_text(e, "struct gx_params {\n");
    for (int i = 0; i < ports(r); i++) {
        const gx_recipe_port *p = &r->port[i];
        if (p->kind == GX_LEAF_BUFFER || p->kind == GX_PORT_OUT) {
            gx_emit_text(e, "    char *b%d;\n", i);
            continue;
        }
        gx_emit_text(e, "    long long b%d;\n", i);
        if (p->kind == GX_LEAF_RANDOM) {
            gx_emit_text(e, "    unsigned long long seed%d;\n", i);
            continue;
        }
        snprintf(name, sizeof name, "first%d", i);
        add_constant(e, p->dtype, name);
        snprintf(name, sizeof name, "step%d", i);
        add_constant(e, p->dtype, name);
    }
    for (int d = 0; d < r->nd; d++)
        gx_emit_text(e, r->wide ? "    gx_index n%d;\n" : "    gx_index n%d, m%d, h%d, z%d;\n", d,
                     d, d, d);
    for (int i = 0; i < ports(r); i++)
        for (int d = 0; d < r->nd; d++)
            if (moves_along(r, i, d)) gx_emit_text(e, "    alignas(8) gx_stride t%d_%d;\n", i, d);
    for (int i = 0; i < r->n_step; i++) {
        if (!e->used[i] || r->step[i].kind != GX_STEP_CONST) continue;
        snprintf(name, sizeof name, "s%d", i);
        add_constant(e, r->step[i].dtype, name);
    }
    gx_emit_text(e, "    alignas(8) gx_index total;\n");
    if (r->form >= GX_FORM_ROWS)
        gx_emit_text(e,
                     "    alignas(8) gx_index kept;\n    alignas(8) gx_index reduced;\n"
                     "    alignas(8) unsigned splits;\n    char *parts;\n    unsigned *arrived;\n");
    if (r->form == GX_FORM_SELECT)
        gx_emit_text(e, "    gx_found found;\n");
    gx_emit_text(e, "    int *fp, *told;\n};\n");
}

static void begin_constant(gx_emit *e, int dtype, const char *name, const char *as) {
    gx_emit_text(e, "    const %s %s = ", gx_emit_type(dtype), as);
    if (dtype == GX_c128)
        gx_emit_text(e, "gx_cplx(p.%sr, p.%si);\n", name, name);
    else if (gx_is_half(dtype))
        gx_emit_text(e, "%s_wide(p.%s);\n", gx_dtypes[dtype].half, name);
    else
        gx_emit_text(e, "p.%s;\n", name);
}

void gx_emit_begin(gx_emit *e) {
    const gx_recipe *r = e->r;
    char name[24];
    if (r->memory)
        gx_emit_text(e, "struct gx_params_at {\n    const gx_params *at;\n};\n"
                        "extern \"C\" __global__ void __launch_bounds__(256)\n"
                        "gx_kernel(const __grid_constant__ gx_params_at far) {\n"
                        "    const gx_params &p = *far.at;\n");
    else
        gx_emit_text(e, "extern \"C\" __global__ void __launch_bounds__(256)\n"
                        "gx_kernel(const __grid_constant__ gx_params p) {\n");
    for (int i = 0; i < r->n_step; i++) {
        if (!e->used[i] || r->step[i].kind != GX_STEP_CONST) continue;
        snprintf(name, sizeof name, "s%d", i);
        begin_constant(e, r->step[i].dtype, name, name);
    }
    for (int i = 0; i < r->n_leaf; i++) {
        char as[24];
        if (r->port[i].kind != GX_LEAF_IOTA || !e->leaf[i]) continue;
        snprintf(name, sizeof name, "first%d", i);
        snprintf(as, sizeof as, "f%d", i);
        begin_constant(e, r->port[i].dtype, name, as);
        snprintf(name, sizeof name, "step%d", i);
        snprintf(as, sizeof as, "g%d", i);
        begin_constant(e, r->port[i].dtype, name, as);
    }
    if (r->checks) gx_emit_text(e, "    int met = 0;\n");
}

void gx_emit_decode(gx_emit *e, const char *indent, int group, const char *flat) {
    const gx_recipe *r = e->r;
    int lo = low(r, group), hi = high(r, group);
    bool needed = false;
    for (int i = 0; i < ports(r); i++)
        if (!(r->port[i].flat >> group & 1) && gx_emit_moves(e, i, group)) needed = true;
    if (hi <= lo || !needed) return;
    if (hi - lo == 1) {
        gx_emit_text(e, "%sconst gx_index x%d = %s;\n", indent, lo, flat);
        return;
    }
    gx_emit_text(e, "%sgx_index", indent);
    for (int d = lo; d < hi; d++) gx_emit_text(e, " x%d%s", d, d + 1 < hi ? "," : ";\n");
    gx_emit_text(e, "%s{\n%s    gx_index q = %s, y;\n", indent, indent, flat);
    for (int d = hi - 1; d > lo; d--) {
        if (r->wide)
            gx_emit_text(e, "%s    y = q / p.n%d;\n", indent, d);
        else
            gx_emit_text(e, "%s    y = gx_quotient(q, p.m%d, p.h%d);\n", indent, d, d);
        gx_emit_text(e, "%s    x%d = q - y * p.n%d;\n%s    q = y;\n", indent, d, d, indent);
    }
    gx_emit_text(e, "%s    x%d = q;\n%s}\n", indent, lo, indent);
}

void gx_emit_offset(gx_emit *e, int port, int group, const char *flat) {
    const gx_recipe *r = e->r;
    const gx_recipe_port *p = &r->port[port];
    int lo = low(r, group), hi = high(r, group);
    if (hi <= lo || !gx_emit_moves(e, port, group)) return;
    if (p->flat >> group & 1) {
        bool packed = p->reach == GX_REACH_PACK && p->kind != GX_LEAF_RANDOM &&
                      group == (r->form == GX_FORM_ROWS);
        if (packed)
            gx_emit_text(e, " + (long long)(%s) * %d", flat, gx_dtypes[p->dtype].bytes);
        else
            gx_emit_text(e, "\n                + (long long)(gx_stride)(%s) * (long long)p.t%d_%d",
                         flat, port, hi - 1);
        return;
    }
    for (int d = lo; d < hi; d++)
        if (moves_along(r, port, d))
            gx_emit_text(e, "\n                + (long long)(gx_stride)x%d * (long long)p.t%d_%d",
                         d, port, d);
}

/* Counting: first + position * step in the leaf's dtype; integers wrap. */
static void add_count(gx_emit *e, int i, const char *at) {
    int dtype = e->r->port[i].dtype;
    const char *type = gx_emit_type(dtype);
    switch ((gx_dkind)gx_dtypes[dtype].kind) {
    case GX_KIND_BOOL:
        gx_emit_text(e, "(unsigned char)(f%d != 0 || (g%d != 0 && (%s) != 0))", i, i, at);
        return;
    case GX_KIND_INT:
    case GX_KIND_UINT:
        gx_emit_text(e,
                     "(%s)((unsigned long long)f%d + (unsigned long long)(%s) * "
                     "(unsigned long long)g%d)",
                     type, i, at, i);
        return;
    case GX_KIND_FLOAT: {
        const char *index = e->r->wide ? "" : "(int)";
        gx_emit_to_bits(e, dtype);
        gx_emit_text(e, "f%d + (%s)%s(%s) * g%d%s", i, type, index, at, i,
                     gx_is_half(dtype) ? ")" : "");
        return;
    }
    case GX_KIND_CPLX: {
        const char *part = dtype == GX_c64 ? "float" : "double";
        gx_emit_text(e, "gx_cplx(f%d.re + (%s)(%s) * g%d.re, f%d.im + (%s)(%s) * g%d.im)", i, part,
                     at, i, i, part, at, i);
        return;
    }
    }
}

void gx_emit_read(gx_emit *e, int port, const char *at) {
    const gx_recipe_port *p = &e->r->port[port];
    const char *type = gx_emit_stored(p->dtype);
    if (p->kind == GX_LEAF_IOTA)
        add_count(e, port, at);
    else if (p->reach == GX_REACH_BYTES)
        gx_emit_text(e, "gx_load_bytes<%s>(%s)", type, at);
    else
        gx_emit_text(e, "*(const %s *)(%s)", type, at);
}

/* --- packing --- */

void gx_params_add(gx_params *p, const void *bytes, size_t size) {
    size_t room = (size + 7) / 8 * 8;
    if (p->size + room > sizeof p->data) {
        p->full = true;
        return;
    }
    memcpy(p->data + p->size, bytes, size);
    memset(p->data + p->size + size, 0, room - size);
    p->size += room;
}

/* The multiplier and the shift with which a quotient by n is found. */
static void add_dim(gx_params *p, const gx_space *s, int64_t n) {
    if (s->recipe.wide) {
        gx_params_i64(p, n);
        return;
    }
    uint32_t dim[4] = {(uint32_t)n, 0, 0, 0};
    while (((uint64_t)1 << dim[2]) < (uint64_t)n) dim[2]++;
    dim[1] =
        (uint32_t)((((uint64_t)1 << 32) * (((uint64_t)1 << dim[2]) - (uint64_t)n)) / (uint64_t)n +
                   1);
    gx_params_add(p, dim, sizeof dim);
}

static void add_stride(gx_params *p, const gx_space *s, int64_t stride) {
    int32_t narrow = (int32_t)stride;
    if (s->recipe.wide)
        gx_params_i64(p, stride);
    else
        gx_params_add(p, &narrow, sizeof narrow);
}

void gx_params_space(gx_params *p, const gx_space *s) {
    const gx_recipe *r = &s->recipe;
    const gx_tape *t = s->tape;
    bool used[GX_TAPE_STEPS];
    gx_recipe_used(r, used);
    p->size = 0;
    p->full = false;
    for (int i = 0; i < ports(r); i++) {
        const gx_leaf *l = &t->leaf[i < r->n_leaf ? i : 0];
        int64_t base = s->port[i].base;
        if (r->port[i].kind == GX_LEAF_RANDOM) base += (int64_t)l->counter;
        gx_params_i64(p, base);
        if (r->port[i].kind == GX_LEAF_RANDOM) gx_params_i64(p, (int64_t)l->seed);
        if (r->port[i].kind != GX_LEAF_IOTA) continue;
        gx_params_add(p, &l->first, gx_dtypes[l->dtype].bytes);
        gx_params_add(p, &l->step, gx_dtypes[l->dtype].bytes);
    }
    for (int d = 0; d < s->nd; d++) add_dim(p, s, s->shape[d]);
    for (int i = 0; i < ports(r); i++)
        for (int d = 0; d < s->nd; d++)
            if (moves_along(r, i, d)) add_stride(p, s, s->port[i].strides[d]);
    for (int i = 0; i < r->n_step; i++)
        if (used[i] && r->step[i].kind == GX_STEP_CONST)
            gx_params_add(p, &t->imm[r->step[i].arg], gx_dtypes[r->step[i].dtype].bytes);
    gx_params_i64(p, s->total); /* little-endian: an index of 32 bits too */
}
