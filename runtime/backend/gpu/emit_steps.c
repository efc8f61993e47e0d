/* The steps of a recipe as two device functions of one element's inputs: element(), which also
   says whether a value is odd (an infinity, a nan, a zero divisor), and conditions(), called only
   then, which finds NumPy's floating-point conditions step by step. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

int gx_emit_class(const gx_step *s) {
    int kind = gx_dtypes[s->compute].kind;
    if (s->kind == GX_STEP_CAST) {
        int to = gx_dtypes[s->dtype].kind;
        if (s->dtype == GX_bool) return GX_MET_NEVER;
        if (kind >= GX_KIND_FLOAT && to < GX_KIND_FLOAT) return GX_MET_NAN;
        int from = gx_dtypes[s->compute].bytes, size = gx_dtypes[s->dtype].bytes;
        if (kind == GX_KIND_CPLX) from /= 2;
        if (to == GX_KIND_CPLX) size /= 2;
        if (gx_is_half(s->dtype) && (kind != GX_KIND_FLOAT || from > 2) && kind != GX_KIND_BOOL)
            return GX_MET_RANGE;
        return kind >= GX_KIND_FLOAT && size < from ? GX_MET_RANGE : GX_MET_NEVER;
    }
    if (s->kind != GX_STEP_OP) return GX_MET_NEVER;
    const gx_op_info *op = &gx_ops[s->arg];
    if (kind == GX_KIND_BOOL) return GX_MET_NEVER;
    if (kind < GX_KIND_FLOAT)
        return op->fp == GX_FPC_QUOTIENT || op->fp == GX_FPC_INVALID || s->arg == GX_OP_reciprocal
                   ? GX_MET_POLE
                   : GX_MET_NEVER;
    bool cplx = kind == GX_KIND_CPLX;
    switch ((gx_fp_class)op->fp) {
    case GX_FPC_NONE: /* but halves are rounded */
        return gx_is_half(s->dtype) && op->cost > 2 ? GX_MET_ROUND : GX_MET_NEVER;
    case GX_FPC_HARDWARE:
        if (s->arg == GX_OP_divide) return GX_MET_Y_ZERO;
        if (s->arg == GX_OP_reciprocal || (cplx && op->cost >= 4)) return GX_MET_X_ZERO;
        return GX_MET_RANGE;
    case GX_FPC_VALUES:
    case GX_FPC_INVALID:
        return cplx ? GX_MET_RANGE : GX_MET_NAN;
    case GX_FPC_POLE:
        return GX_MET_POLE;
    case GX_FPC_RANGE:
        return !cplx && s->arg == GX_OP_absolute ? GX_MET_NEVER : GX_MET_RANGE;
    case GX_FPC_POWER:
        return GX_MET_X_ZERO;
    case GX_FPC_QUOTIENT:
        return cplx ? GX_MET_Y_ZERO : GX_MET_FLOOR;
    }
    return GX_MET_NEVER;
}

void gx_emit_cast(gx_emit *e, int from, int to, const char *x) {
    int kind = gx_dtypes[from].kind, want = gx_dtypes[to].kind;
    char real[64];
    if (kind == GX_KIND_CPLX && want != GX_KIND_CPLX && to != GX_bool) {
        snprintf(real, sizeof real, "%s.re", x);
        x = real;
    }
    if (from == to) {
        gx_emit_text(e, "%s", x);
    } else if (to == GX_bool && kind == GX_KIND_CPLX) {
        gx_emit_text(e, "(unsigned char)((%s.re != 0) | (%s.im != 0))", x, x);
    } else if (to == GX_bool) {
        gx_emit_text(e, "(unsigned char)(%s != 0)", x);
    } else if (want == GX_KIND_CPLX) {
        const char *part = to == GX_c64 ? "float" : "double";
        if (kind == GX_KIND_CPLX)
            gx_emit_text(e, "gx_cplx((%s)%s.re, (%s)%s.im)", part, x, part, x);
        else
            gx_emit_text(e, "gx_cplx((%s)%s, (%s)0)", part, x, part);
    } else if (gx_is_half(to)) {
        const char *number = kind >= GX_KIND_FLOAT ? "" : "(float)";
        gx_emit_text(e, "%s_round(%s%s)", gx_dtypes[to].half, number, x);
    } else if (want == GX_KIND_FLOAT || kind < GX_KIND_FLOAT) {
        gx_emit_text(e, "(%s)%s", gx_emit_type(to), x);
    } else if (to == GX_u64) {
        gx_emit_text(e, "gx_trunc_u64((double)%s)", x);
    } else {
        bool is_long = to == GX_i64 || to == GX_u32;
        gx_emit_text(e, "(%s)gx_trunc_%s(%s)", gx_emit_type(to), is_long ? "64" : "32", x);
    }
}

/* The value of a step from those before it; `raw`: a half before it is rounded. */
static void add_value(gx_emit *e, int i, bool raw) {
    const gx_step *s = &e->r->step[i];
    char x[32];
    switch ((gx_step_kind)s->kind) {
    case GX_STEP_LOAD:
        gx_emit_text(e, "a%d", s->arg);
        return;
    case GX_STEP_CONST:
        gx_emit_text(e, "s%d", i);
        return;
    case GX_STEP_CAST:
        snprintf(x, sizeof x, "v%d", s->a);
        gx_emit_cast(e, s->compute, s->dtype, x);
        return;
    case GX_STEP_CALL: {
        const uint16_t in[] = {s->a, s->b, s->c};
        gx_emit_text(e, "gx_call%d::call(", s->arg);
        for (int k = 0; k < s->spare; k++) gx_emit_text(e, "%sv%d", k ? ", " : "", in[k]);
        gx_emit_text(e, ")");
        return;
    }
    case GX_STEP_OP:
        break;
    }
    const gx_op_info *op = &gx_ops[s->arg];
    bool half = gx_is_half(s->compute);
    bool rounds = gx_is_half(s->dtype) && s->arg != GX_OP_where && !raw;
    if (half && (s->arg == GX_OP_nextafter || s->arg == GX_OP_spacing)) {
        gx_emit_text(e, "%s_%s(v%d", gx_dtypes[s->compute].half, op->name, s->a);
        rounds = false;
    } else {
        if (rounds) gx_emit_text(e, "%s_round(", gx_dtypes[s->dtype].half);
        gx_emit_text(e, "%s_%s(v%d", op->name, gx_dtypes[half ? GX_f32 : s->compute].name, s->a);
    }
    if (op->arity > 1) gx_emit_text(e, ", v%d", s->b);
    if (op->arity > 2) gx_emit_text(e, ", v%d", s->c);
    gx_emit_text(e, rounds ? "))" : ")");
}

/* Is the result of a step odd (an infinity or a nan) whenever this operand is? */
static bool hands_on(const gx_step *s, bool first) {
    int kind = gx_dtypes[s->compute].kind;
    if (kind < GX_KIND_FLOAT || s->kind == GX_STEP_CALL) return false;
    if (s->kind == GX_STEP_CAST) return gx_dtypes[s->dtype].kind == kind;
    switch (s->arg) {
    case GX_OP_add:
    case GX_OP_subtract:
    case GX_OP_multiply:
    case GX_OP_square:
    case GX_OP_negative:
    case GX_OP_positive:
        return true;
    case GX_OP_divide:
        return kind == GX_KIND_FLOAT && first;
    case GX_OP_sqrt:
    case GX_OP_absolute:
        return kind == GX_KIND_FLOAT;
    default:
        return false;
    }
}

/* Does a step look at its own result for infinities and nans alike? */
static bool looks_itself(const gx_step *s) {
    int cls = gx_emit_class(s);
    if (cls == GX_MET_NEVER || gx_dtypes[s->compute].kind < GX_KIND_FLOAT) return false;
    return cls != GX_MET_NAN ||
           (s->kind == GX_STEP_OP && (gx_dtypes[s->dtype].kind == GX_KIND_CPLX ||
                                      gx_is_half(s->dtype)));
}

/* Most steps need no look of their own: what is odd stays so up to a step that has one. */
static void find_seen(gx_emit *e) {
    const gx_recipe *r = e->r;
    for (int i = r->n_step - 1; i >= 0; i--) {
        e->seen[i] = false;
        for (int j = i + 1; j < r->n_step && e->used[i] && !e->seen[i]; j++) {
            const gx_step *s = &r->step[j];
            if (!e->used[j] || s->kind < GX_STEP_CAST || !(e->seen[j] || looks_itself(s))) continue;
            bool two = s->kind == GX_STEP_OP && gx_ops[s->arg].arity == 2;
            bool first = s->a == i;
            if (first || (two && s->b == i)) e->seen[i] = hands_on(s, first);
        }
    }
}

/* Is the element worth a second look? */
static void add_look(gx_emit *e, int i) {
    const gx_step *s = &e->r->step[i];
    int cls = gx_emit_class(s), kind = gx_dtypes[s->compute].kind;
    if (cls == GX_MET_NEVER || (e->seen[i] && gx_dtypes[s->dtype].kind >= GX_KIND_FLOAT)) return;
    if (s->kind == GX_STEP_CAST && cls == GX_MET_NAN) {
        const char *fits = s->dtype == GX_u64                         ? "u64((double)"
                           : s->dtype == GX_i64 || s->dtype == GX_u32 ? "64("
                                                                      : "32(";
        gx_emit_text(e, "    bad |= !gx_fits_%sv%d%s);\n", fits, s->a,
                     kind == GX_KIND_CPLX ? ".re" : "");
    } else if (s->kind == GX_STEP_OP && kind < GX_KIND_FLOAT) {
        bool one = gx_ops[s->arg].arity == 1;
        gx_emit_text(e, "    bad |= v%d == 0;\n", one ? s->a : s->b);
        if (gx_ops[s->arg].fp == GX_FPC_QUOTIENT && kind == GX_KIND_INT)
            gx_emit_text(e, "    bad |= v%d == -1;\n", s->b);
    } else if (cls == GX_MET_NAN && gx_dtypes[s->dtype].kind == GX_KIND_FLOAT &&
               !gx_is_half(s->dtype)) {
        gx_emit_text(e, "    bad |= v%d != v%d;\n", i, i);
    } else {
        gx_emit_text(e, "    bad |= gx_is_odd(v%d);\n", i);
    }
}

static void add_cast_conditions(gx_emit *e, int i, int cls) {
    const gx_step *s = &e->r->step[i];
    int kind = gx_dtypes[s->compute].kind;
    if (cls == GX_MET_NAN) {
        const char *fits = s->dtype == GX_u64                         ? "u64((double)"
                           : s->dtype == GX_i64 || s->dtype == GX_u32 ? "64("
                                                                      : "32(";
        gx_emit_text(e, "    met |= gx_fits_%sv%d%s) ? 0 : 8;\n", fits, s->a,
                     kind == GX_KIND_CPLX ? ".re" : "");
    } else if (gx_dtypes[s->dtype].kind == GX_KIND_CPLX) {
        const char *x = kind == GX_KIND_CPLX ? ".re" : "";
        gx_emit_text(e, "    met |= gx_met_narrow(v%d%s, v%d.re);\n", s->a, x, i);
        if (kind == GX_KIND_CPLX)
            gx_emit_text(e, "    met |= gx_met_narrow(v%d.im, v%d.im);\n", s->a, i);
    } else {
        const char *x = kind == GX_KIND_CPLX ? ".re" : "";
        gx_emit_text(e, "    met |= gx_met_narrow((double)v%d%s, v%d);\n", s->a, x, i);
    }
}

static void add_integer_conditions(gx_emit *e, const gx_step *s) {
    if (gx_ops[s->arg].arity == 1) {
        gx_emit_text(e, "    met |= v%d == 0 ? 1 | 8 : 0;\n", s->a);
        return;
    }
    gx_emit_text(e, "    met |= v%d == 0 ? 1 : 0;\n", s->b);
    if (gx_ops[s->arg].fp != GX_FPC_QUOTIENT || gx_dtypes[s->compute].kind != GX_KIND_INT) return;
    const char *type = gx_emit_type(s->compute);
    gx_emit_text(e,
                 "    met |= v%d == -1 && v%d < 0 && v%d == (%s)(0 - (unsigned long long)v%d) ? "
                 "2 : 0;\n",
                 s->b, s->a, s->a, type, s->a);
}

static void add_conditions(gx_emit *e, int i) {
    const gx_step *s = &e->r->step[i];
    int cls = gx_emit_class(s), kind = gx_dtypes[s->compute].kind;
    if (cls == GX_MET_NEVER) return;
    if (s->kind == GX_STEP_CAST) {
        add_cast_conditions(e, i, cls);
        return;
    }
    if (kind < GX_KIND_FLOAT) {
        add_integer_conditions(e, s);
        return;
    }
    int b = gx_ops[s->arg].arity > 1 ? s->b : s->a;
    if (kind == GX_KIND_CPLX && gx_dtypes[s->dtype].kind == GX_KIND_CPLX) {
        gx_emit_text(e, "    met |= gx_met(%d, v%d, v%d, v%d, 2);\n", cls, i, s->a, b);
    } else if (kind == GX_KIND_CPLX) {
        gx_emit_text(e, "    met |= gx_met_part(%d, v%d, v%d, v%d);\n", cls, i, s->a, b);
    } else if (gx_is_half(s->compute) && s->arg != GX_OP_nextafter && s->arg != GX_OP_spacing) {
        gx_emit_text(e, "    {\n        float r = ");
        add_value(e, i, true);
        gx_emit_text(e, ";\n        met |= gx_met_narrow(r, v%d)", i);
        if (cls != GX_MET_ROUND) gx_emit_text(e, " | gx_met(%d, r, v%d, v%d)", cls, s->a, b);
        gx_emit_text(e, ";\n    }\n");
    } else {
        gx_emit_text(e, "    met |= gx_met(%d, v%d, v%d, v%d);\n", cls, i, s->a, b);
    }
}

/* The inputs: used leaves, then used constants; `types`: as parameters. */
static int add_inputs(gx_emit *e, bool types) {
    const gx_recipe *r = e->r;
    int n = 0;
    for (int i = 0; i < r->n_step; i++) {
        const gx_step *s = &r->step[i];
        if (!e->used[i] || s->kind > GX_STEP_CONST) continue;
        gx_emit_text(e, "%s", n++ ? ", " : "");
        if (types) gx_emit_text(e, "%s ", gx_emit_type(s->dtype));
        if (s->kind == GX_STEP_LOAD)
            gx_emit_text(e, "a%d", s->arg);
        else
            gx_emit_text(e, "s%d", i);
    }
    return n;
}

static void add_steps(gx_emit *e, bool looks, bool conditions) {
    for (int i = 0; i < e->r->n_step; i++) {
        if (!e->used[i]) continue;
        gx_emit_text(e, "    const %s v%d = ", gx_emit_type(e->r->step[i].dtype), i);
        add_value(e, i, false);
        gx_emit_text(e, ";\n");
        if (looks) add_look(e, i);
        if (conditions) add_conditions(e, i);
    }
}

/* Of a reduction: the cast of the value to the accumulator. */
static gx_step fold_cast(const gx_recipe *r) {
    int value = r->port[r->n_leaf].step;
    return (gx_step){.kind = GX_STEP_CAST,
                     .dtype = r->acc,
                     .compute = r->step[value].dtype,
                     .a = (uint16_t)value};
}

static bool checked(const gx_emit *e) {
    if (!e->r->checks) return false;
    for (int i = 0; i < e->r->n_step; i++)
        if (e->used[i] && gx_emit_class(&e->r->step[i]) != GX_MET_NEVER) return true;
    return false;
}

void gx_emit_element(gx_emit *e) {
    const gx_recipe *r = e->r;
    bool looks = checked(e);
    if (looks) find_seen(e);
    gx_emit_text(e, "GX_FN void element(");
    int n = add_inputs(e, true);
    for (int k = 0; k < r->n_out; k++) {
        if (!gx_recipe_gives(r, k)) continue;
        int dtype = r->form >= GX_FORM_ROWS ? r->acc : r->step[r->port[r->n_leaf + k].step].dtype;
        gx_emit_text(e, "%s%s &o%d", n++ ? ", " : "", gx_emit_type(dtype), k);
    }
    gx_emit_text(e, "%s) {\n", looks ? ", bool &bad" : "");
    add_steps(e, looks, false);
    for (int k = 0; k < r->n_out; k++) {
        if (!gx_recipe_gives(r, k)) continue;
        char x[32];
        int step = r->port[r->n_leaf + k].step;
        snprintf(x, sizeof x, "v%d", step);
        gx_emit_text(e, "    o%d = ", k);
        if (r->form >= GX_FORM_ROWS) {
            gx_step cast = fold_cast(r);
            gx_emit_cast(e, cast.compute, cast.dtype, x);
        } else {
            gx_emit_text(e, "%s", x);
        }
        gx_emit_text(e, ";\n");
    }
    gx_emit_text(e, "}\n");
    if (!looks) return;
    gx_emit_text(e, "static __device__ __noinline__ int conditions(");
    add_inputs(e, true);
    gx_emit_text(e, ") {\n    int met = 0;\n");
    add_steps(e, false, true);
    gx_emit_text(e, "    return met;\n}\n");
}

bool gx_emit_looks(const gx_emit *e) {
    return checked(e);
}

/* The inputs as the form has them: leaf i is e->ref[i]. */
static int add_arguments(gx_emit *e) {
    const gx_recipe *r = e->r;
    int n = 0;
    for (int i = 0; i < r->n_step; i++) {
        const gx_step *s = &r->step[i];
        if (!e->used[i] || s->kind > GX_STEP_CONST) continue;
        gx_emit_text(e, "%s", n++ ? ", " : "");
        if (s->kind == GX_STEP_CONST)
            gx_emit_text(e, "s%d", i);
        else if (gx_is_half(s->dtype))
            gx_emit_text(e, "%s_wide(%s)", gx_dtypes[s->dtype].half, e->ref[s->arg]);
        else
            gx_emit_text(e, "%s", e->ref[s->arg]);
    }
    return n;
}

/* The conditions that steps may meet, as bits: at least those that they do. */
static int possible(const gx_emit *e) {
    static const int met[] = {[GX_MET_NAN] = 8,        [GX_MET_POLE] = 1 | 2 | 8,
                              [GX_MET_RANGE] = 2 | 8,  [GX_MET_X_ZERO] = 1 | 2 | 8,
                              [GX_MET_Y_ZERO] = 1 | 2 | 8, [GX_MET_FLOOR] = 1 | 2 | 8,
                              [GX_MET_ROUND] = 2,      [GX_MET_NEVER] = 0};
    int all = 0;
    for (int i = 0; i < e->r->n_step; i++) {
        const gx_step *s = &e->r->step[i];
        if (!e->used[i]) continue;
        all |= met[gx_emit_class(s)];
        if (gx_is_half(s->dtype) && gx_emit_class(s) != GX_MET_NEVER) all |= 2;
    }
    return all;
}

void gx_emit_call(gx_emit *e, const char *indent, const char *outputs) {
    if (checked(e)) gx_emit_text(e, "%sbool bad = false;\n", indent);
    gx_emit_text(e, "%selement(", indent);
    int n = add_arguments(e);
    gx_emit_text(e, "%s%s%s);\n", n ? ", " : "", outputs, checked(e) ? ", bad" : "");
    if (!checked(e)) return;
    /* What was told already need not be found again. */
    gx_emit_text(e,
                 "%sif (bad && (*(volatile int *)p.told & %d) != %d)\n%s    met |= conditions(",
                 indent, possible(e), possible(e), indent);
    add_arguments(e);
    gx_emit_text(e, ");\n");
}
