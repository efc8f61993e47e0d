/* The source of a kernel: sections of device.cu that it needs, functions of its operations, its
   element function and the body of its form. A function of the recipe alone; nothing here knows
   extents, addresses or a device. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/device_text.h"
#include "kernels/half.h"
#include "runtime/backend/gpu/emit_int.h"

void gx_emit_text(gx_emit *e, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    if (e->ok && !gx_buf_vprintf(e->out, fmt, args)) e->ok = false;
    va_end(args);
}

void gx_emit_section(gx_emit *e, const char *name) {
    size_t length = strlen(name);
    const char *at = gx_device_text_device;
    while ((at = strstr(at, "//: ")) != NULL) {
        at += 4;
        if (strncmp(at, name, length) != 0 || at[length] != '\n') continue;
        at += length + 1;
        const char *end = strstr(at, "//: ");
        size_t bytes = end ? (size_t)(end - at) : strlen(at);
        if (e->ok && !gx_buf_add(e->out, at, bytes)) e->ok = false;
        return;
    }
}

void gx_emit_half(gx_emit *e, int dtype) {
    char section[16];
    snprintf(section, sizeof section, "half_%s", gx_dtypes[dtype].half);
    gx_emit_section(e, section);
    gx_emit_section(e, "half");
    gx_emit_text(e, "GX_HALF(%s)\n", gx_dtypes[dtype].half);
}

void gx_emit_half_steps(gx_emit *e, int dtype) {
    gx_emit_section(e, "half_steps");
    gx_emit_text(e, "GX_HALF_STEPS(%s, 0x%x, %d)\n", gx_dtypes[dtype].half,
                 (unsigned)gx_half_nan(gx_dtypes[dtype].fraction), gx_is_extension(dtype));
}

void gx_emit_to_bits(gx_emit *e, int dtype) {
    if (gx_is_half(dtype)) gx_emit_text(e, "%s_bits(", gx_dtypes[dtype].half);
}

const char *gx_emit_stored(int dtype) {
    return gx_is_half(dtype) ? "unsigned short" : gx_dtypes[dtype].cuda;
}

const char *gx_emit_type(int dtype) {
    return gx_is_half(dtype) ? "float" : gx_dtypes[dtype].cuda;
}

const char *gx_emit_c_type(int dtype) {
    return dtype == GX_bool ? "bool" : gx_dtypes[dtype].cuda;
}

/* Without the comment at the top. */
static void add_file(gx_emit *e, const char *text) {
    const char *at = strstr(text, "*/\n");
    gx_emit_text(e, "%s", at ? at + 3 : text);
}

static bool has_dtype(const gx_emit *e, int a, int b) {
    const gx_recipe *r = e->r;
    for (int i = 0; i < r->n_step; i++)
        if (r->step[i].dtype == a || r->step[i].dtype == b || r->step[i].compute == a ||
            r->step[i].compute == b)
            return true;
    return r->acc == a || r->acc == b || r->red_dtype == a || r->red_dtype == b;
}

/* Is one of two operations computed in a dtype? */
static bool has_op(const gx_emit *e, int dtype, int a, int b) {
    for (int i = 0; i < e->r->n_step; i++) {
        const gx_step *s = &e->r->step[i];
        if (s->kind == GX_STEP_OP && s->compute == dtype && (s->arg == a || s->arg == b))
            return true;
    }
    return false;
}

static bool has_trunc(const gx_emit *e) {
    for (int i = 0; i < e->r->n_step; i++)
        if (e->r->step[i].kind == GX_STEP_CAST &&
            gx_dtypes[e->r->step[i].compute].kind >= GX_KIND_FLOAT &&
            gx_dtypes[e->r->step[i].dtype].kind < GX_KIND_FLOAT)
            return true;
    /* a value is cast to the accumulator, and that to the result */
    int n = has_dtype(e, GX_f32, GX_f64) + has_dtype(e, GX_c64, GX_c128);
    for (int d = 0; d < GX_DTYPES; d++) n += gx_is_half(d) && has_dtype(e, d, d);
    return e->r->form >= GX_FORM_ROWS && n > 0;
}

static bool has_reach(const gx_emit *e, gx_reach reach) {
    for (int i = 0; i < e->r->n_leaf + e->r->n_out; i++)
        if (e->r->port[i].reach == reach) return true;
    return false;
}

static bool has_kind(const gx_emit *e, int kind) {
    for (int i = 0; i < e->r->n_leaf; i++)
        if (e->r->port[i].kind == kind) return true;
    return false;
}

static void add_sections(gx_emit *e) {
    const gx_recipe *r = e->r;
    bool cplx = has_dtype(e, GX_c64, GX_c128);
    add_file(e, gx_device_text_scalar_side);
    gx_emit_text(e, "#define FN(f) f\n");
    if (cplx) gx_emit_section(e, "complex");
    if (r->width > 1 || has_reach(e, GX_REACH_PACK)) gx_emit_section(e, "vector");
    if (has_reach(e, GX_REACH_BYTES)) gx_emit_section(e, "bytes");
    if (!r->wide) gx_emit_section(e, "divide");
    for (int d = 0; d < GX_DTYPES; d++) {
        if (!gx_is_half(d) || !has_dtype(e, d, d)) continue;
        gx_emit_half(e, d);
        if (has_op(e, d, GX_OP_nextafter, GX_OP_spacing)) gx_emit_half_steps(e, d);
    }
    if (has_trunc(e)) gx_emit_section(e, "trunc");
    if (r->checks) gx_emit_section(e, "conditions");
    if (r->checks && cplx) gx_emit_section(e, "complex_conditions");
    if (has_kind(e, GX_LEAF_RANDOM)) {
        add_file(e, gx_device_text_philox);
        gx_emit_section(e, "random");
    }
    if (r->form >= GX_FORM_ROWS) gx_emit_section(e, "reduce");
    if (r->form == GX_FORM_SELECT) gx_emit_section(e, "select");
    gx_emit_text(e, "typedef %s gx_index;\ntypedef %s gx_stride;\n",
                 r->wide ? "unsigned long long" : "unsigned", r->wide ? "long long" : "int");
}

GX_CHECK bool gx_emit_source(gx_rt *rt, const void *recipe, gx_buf *out) {
    gx_emit e = {.r = recipe, .out = out, .ok = true};
    (void)rt;
    gx_recipe_used(e.r, e.used);
    for (int i = 0; i < e.r->n_step; i++)
        if (e.used[i] && e.r->step[i].kind == GX_STEP_LOAD) e.leaf[e.r->step[i].arg] = true;
    add_sections(&e);
    gx_emit_functions(&e);
    gx_emit_calls(&e, false);
    gx_emit_element(&e);
    gx_emit_params(&e);
    switch ((gx_form)e.r->form) {
    case GX_FORM_MAP:
        gx_emit_map(&e);
        break;
    case GX_FORM_TILE:
        gx_emit_tile(&e);
        break;
    case GX_FORM_SELECT:
        gx_emit_select(&e);
        break;
    case GX_FORM_ROWS:
    case GX_FORM_COLUMNS:
        gx_emit_reduce(&e);
        break;
    }
    gx_emit_calls(&e, true);
    return e.ok;
}

GX_CHECK bool gx_gpu_emit(gx_rt *rt, const gx_tape *t, gx_buf *out) {
    gx_space *s = gx_alloc(rt, sizeof *s);
    if (!s) return false;
    if (t->has_red)
        gx_space_reduce(s, t);
    else
        gx_space_map(s, t);
    bool ok = gx_emit_source(rt, &s->recipe, out);
    gx_free(rt, s);
    return ok;
}
