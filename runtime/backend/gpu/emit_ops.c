/* The functions of a kernel's operations: for each computing type, the helpers of scalar*.h that
   its texts call, directly or through others, and one function an operation around the text of
   ops.def; also the combination of a reduction. Names: add_float32. C++ overloads helpers. */
#include <string.h>

#include "kernels/device_text.h"
#include "runtime/backend/gpu/emit_int.h"

enum { HELPERS = 192 };

/* A helper: its text begins with a line "GX_FN …" and ends with a line "}". */
typedef struct helper {
    const char *name, *text, *end;
    size_t length;
    bool used;
} helper;

typedef struct helpers {
    helper item[HELPERS];
    int n;
} helpers;

static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
}

static void find_helpers(helpers *h, const char *text) {
    h->n = 0;
    for (const char *at = strstr(text, "\nGX_FN "); at && h->n < HELPERS;
         at = strstr(at, "\nGX_FN ")) {
        helper *x = &h->item[h->n++];
        x->text = at + 1;
        x->name = strstr(at, " FN(") + 4;
        x->length = strcspn(x->name, ")");
        x->end = strstr(at, "\n}\n") + 3;
        x->used = false;
        at = x->end - 1;
    }
}

/* Marks the helpers that a text names, and theirs. */
static void mark_helpers(helpers *h, const char *text, const char *end) {
    for (const char *at = text; at < end;) {
        if (!in_name(*at)) {
            at++;
            continue;
        }
        size_t length = 0;
        while (at + length < end && in_name(at[length])) length++;
        for (int i = 0; i < h->n && length > 2 && at[1] == '_'; i++) {
            helper *x = &h->item[i];
            if (x->used || x->length != length || memcmp(x->name, at, length) != 0) continue;
            x->used = true;
            mark_helpers(h, x->text, x->end);
        }
        at += length;
    }
}

static const char *scalar_text(int dtype) {
    switch ((gx_dkind)gx_dtypes[dtype].kind) {
    case GX_KIND_BOOL:
    case GX_KIND_INT:
    case GX_KIND_UINT:
        return gx_device_text_scalar_int;
    case GX_KIND_FLOAT:
        return gx_device_text_scalar;
    case GX_KIND_CPLX:
        return gx_device_text_scalar_cplx;
    }
    return "";
}

/* Halves compute in float32. */
static int computing(int dtype) {
    return gx_is_half(dtype) ? GX_f32 : dtype;
}

static const char *result_type(const gx_op_info *op) {
    switch ((gx_rule)op->rule) {
    case GX_RULE_TRUTH:
    case GX_RULE_INEXACT_TRUTH:
    case GX_RULE_COUNT:
        return "unsigned char";
    case GX_RULE_REALPART:
    case GX_RULE_INEXACT_REAL:
        return "R";
    case GX_RULE_COMMON:
    case GX_RULE_INEXACT:
    case GX_RULE_DIVIDE:
    case GX_RULE_SELECT:
    case GX_RULE_SPECIAL:
    case GX_RULE_WIDEN:
    case GX_RULE_ROUND:
    case GX_RULE_FLOAT64:
    case GX_RULE_LDEXP:
        break;
    }
    return "T";
}

static bool uses(const gx_emit *e, int op, int dtype) {
    for (int i = 0; i < e->r->n_step; i++) {
        const gx_step *s = &e->r->step[i];
        if (!e->used[i] || s->kind != GX_STEP_OP) continue;
        if ((op == GX_OP_NONE || s->arg == op) && computing(s->compute) == dtype) return true;
    }
    return false;
}

static bool folds(const gx_emit *e, int dtype) {
    return e->r->form >= GX_FORM_ROWS && computing(e->r->acc) == dtype;
}

static void add_operation(gx_emit *e, int op, int dtype) {
    const gx_op_info *info = &gx_ops[op];
    bool cplx = gx_dtypes[dtype].kind == GX_KIND_CPLX;
    bool heavy = info->cost >= 60 || (cplx && info->cost >= 16); /* not V times and once more */
    gx_emit_text(e, "%s %s %s_%s(", heavy ? "static __device__ __noinline__" : "GX_FN",
                 result_type(info), info->name, gx_dtypes[dtype].name);
    const char *first = info->rule == GX_RULE_SELECT ? "unsigned char" : "T";
    switch (info->arity) {
    case 1:
        gx_emit_text(e, "%s x", first);
        break;
    case 2:
        gx_emit_text(e, "%s x, T y", first);
        break;
    default:
        gx_emit_text(e, "%s x, T y, T z", first);
        break;
    }
    gx_emit_text(e, ") {\n    return %s;\n}\n", info->text[gx_dtypes[dtype].kind]);
}

/* How two values of a reduction are combined; argmin and argmax: does y replace x? */
static void add_fold(gx_emit *e, int dtype) {
    const gx_red_info *red = &gx_reds[e->r->red];
    int kind = gx_dtypes[dtype].kind;
    if (red->rule == GX_REDRULE_INDEX) {
        gx_emit_text(e, "GX_FN bool gx_wins(T x, T y) {\n    return %s;\n}\n", red->combine[kind]);
        return;
    }
    gx_emit_text(e, "GX_FN T gx_join(T x, T y) {\n    return %s;\n}\n", red->combine[kind]);
    if (red->has_identity)
        gx_emit_text(e, "GX_FN T gx_identity() {\n    return %s;\n}\n", red->identity[kind]);
}

static const char *real_type(int dtype) {
    return dtype == GX_c64 ? "float" : dtype == GX_c128 ? "double" : gx_dtypes[dtype].cuda;
}

static void add_dtype(gx_emit *e, helpers *h, int dtype) {
    int kind = gx_dtypes[dtype].kind;
    find_helpers(h, scalar_text(dtype));
    for (int op = 1; op < GX_OP_COUNT; op++) {
        const char *text = gx_ops[op].text[kind];
        if (text && uses(e, op, dtype)) mark_helpers(h, text, text + strlen(text));
    }
    if (folds(e, dtype)) {
        const gx_red_info *red = &gx_reds[e->r->red];
        mark_helpers(h, red->combine[kind], red->combine[kind] + strlen(red->combine[kind]));
        if (red->has_identity)
            mark_helpers(h, red->identity[kind], red->identity[kind] + strlen(red->identity[kind]));
    }
    gx_emit_text(e, "#define T %s\n#define R %s\n", gx_dtypes[dtype].cuda, real_type(dtype));
    if (kind <= GX_KIND_UINT)
        gx_emit_text(e, "#define U %s\n",
                     gx_dtypes[dtype].bytes == 8 ? "unsigned long long" : "unsigned");
    for (int i = 0; i < h->n; i++)
        if (h->item[i].used && e->ok &&
            !gx_buf_add(e->out, h->item[i].text, (size_t)(h->item[i].end - h->item[i].text)))
            e->ok = false;
    for (int op = 1; op < GX_OP_COUNT; op++)
        if (uses(e, op, dtype)) add_operation(e, op, dtype);
    if (folds(e, dtype)) add_fold(e, dtype);
    gx_emit_text(e, "#undef T\n#undef R\n%s", kind <= GX_KIND_UINT ? "#undef U\n" : "");
}

/* Their texts come last, where no macro of gx's is left that they could meet. */
void gx_emit_calls(gx_emit *e, bool define) {
    const gx_recipe *r = e->r;
    for (int k = 0; k < GX_TAPE_CALLS; k++) {
        bool called = false;
        for (int i = 0; i < r->n_step; i++)
            called |= e->used[i] && r->step[i].kind == GX_STEP_CALL && r->step[i].arg == k;
        if (!called) continue;
        const gx_inline *f = r->call[k];
        gx_emit_text(e, "namespace gx_call%d {\n", k);
        if (define) {
            gx_emit_text(e, "#undef K\n#undef FN\n%s", f->text);
        } else {
            gx_emit_text(e, "static __device__ %s call(", gx_emit_c_type(f->out));
            for (int j = 0; j < f->arity; j++)
                gx_emit_text(e, "%s%s", j ? ", " : "", gx_emit_c_type(f->in[j]));
            gx_emit_text(e, ");\n");
        }
        gx_emit_text(e, "}\n");
    }
}

void gx_emit_functions(gx_emit *e) {
    helpers h;
    for (int dtype = 0; dtype < GX_DTYPES; dtype++)
        if (uses(e, GX_OP_NONE, dtype) || folds(e, dtype)) add_dtype(e, &h, dtype);
}
