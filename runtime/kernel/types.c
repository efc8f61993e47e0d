/* The types of a kernel's parameters, as the compiler has them: a template behind the source turns
   the type of each kernel into a table of numbers that the PTX then holds, so typedefs, structs,
   const and instances of templates are right. */
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

enum { FACTS = 6 };

typedef struct c_type {
    const char *name;
    uint8_t dtype;
    uint8_t lanes;      /* of a vector type */
    const char *header; /* the macro of the file that declares it */
} c_type;

static const c_type types[] = {{"bool", GX_bool, 1, NULL},
                               {"char", GX_i8, 1, NULL},
                               {"signed char", GX_i8, 1, NULL},
                               {"unsigned char", GX_u8, 1, NULL},
                               {"short", GX_i16, 1, NULL},
                               {"unsigned short", GX_u16, 1, NULL},
                               {"int", GX_i32, 1, NULL},
                               {"unsigned int", GX_u32, 1, NULL},
                               {"long", GX_i64, 1, NULL},
                               {"unsigned long", GX_u64, 1, NULL},
                               {"long long", GX_i64, 1, NULL},
                               {"unsigned long long", GX_u64, 1, NULL},
                               {"float", GX_f32, 1, NULL},
                               {"double", GX_f64, 1, NULL},
                               {"__half", GX_f16, 1, "__CUDA_FP16_H__"},
                               {"__nv_bfloat16", GX_bf16, 1, "__CUDA_BF16_H__"},
                               {"__half2", GX_f16, 2, "__CUDA_FP16_H__"},
                               {"__nv_bfloat162", GX_bf16, 2, "__CUDA_BF16_H__"}};

/* Vectors: their names are these with 1 to 4 behind. Those of four 8-byte elements have other names
   in newer toolkits, and are bytes here. */
static const c_type vectors[] = {
    {"char", GX_i8, 4, NULL},       {"uchar", GX_u8, 4, NULL},  {"short", GX_i16, 4, NULL},
    {"ushort", GX_u16, 4, NULL},    {"int", GX_i32, 4, NULL},   {"uint", GX_u32, 4, NULL},
    {"long", GX_i64, 3, NULL},      {"ulong", GX_u64, 3, NULL}, {"longlong", GX_i64, 3, NULL},
    {"ulonglong", GX_u64, 3, NULL}, {"float", GX_f32, 4, NULL}, {"double", GX_f64, 3, NULL}};

/* Numbers are dtypes + 1; 0 is anything else. */
static bool add_kind(gx_buf *out, const char *name, const c_type *t, int lanes) {
    return (!t->header || gx_buf_printf(out, "#ifdef %s\n", t->header)) &&
           gx_buf_printf(out,
                         "template <> struct gx_kind<%s> { enum { gx_v = %d, gx_l = %d }; };\n",
                         name, t->dtype + 1, lanes) &&
           (!t->header || gx_buf_puts(out, "#endif\n"));
}

/* A table is: how many parameters, and for each of FACTS facts one number a parameter. */
bool gx_raw_types_templates(gx_buf *out) {
    bool ok =
        gx_buf_puts(out, "\n#line 1 \"gx\"\n"
                         "template <typename gx_t> struct gx_kind { enum { gx_v = 0, gx_l = 1 "
                         "}; };\n");
    for (size_t i = 0; i < sizeof types / sizeof *types && ok; i++)
        ok = add_kind(out, types[i].name, &types[i], types[i].lanes);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        for (int lanes = 1; lanes <= vectors[i].lanes && ok; lanes++) {
            char name[24];
            snprintf(name, sizeof name, "%s%d", vectors[i].name, lanes);
            ok = add_kind(out, name, &vectors[i], lanes);
        }
    }
    return ok &&
           gx_buf_puts(
               out,
               "template <typename gx_t> struct gx_size { enum { gx_v = sizeof(gx_t), gx_a = "
               "alignof(gx_t) }; };\n"
               "template <> struct gx_size<void> { enum { gx_v = 1, gx_a = 1 }; };\n"
               "template <typename gx_r, typename... gx_as> struct gx_size<gx_r(gx_as...)> { enum "
               "{ "
               "gx_v = 1, gx_a = 1 }; };\n"
               "template <typename gx_t> struct gx_bare { typedef gx_t gx_type; enum { gx_k = 0 }; "
               "};\n"
               "template <typename gx_t> struct gx_bare<const gx_t> { typedef gx_t gx_type; enum { "
               "gx_k = 1 }; };\n"
               "template <typename gx_t> struct gx_bare<volatile gx_t> { typedef gx_t gx_type; "
               "enum { gx_k = 0 }; };\n"
               "template <typename gx_t> struct gx_bare<const volatile gx_t> { typedef gx_t "
               "gx_type; enum { gx_k = 1 }; };\n"
               "template <typename gx_t> struct gx_param { typedef typename gx_bare<gx_t>::gx_type "
               "gx_b;\n"
               "  enum { gx_p = 0, gx_c = 0, gx_k = gx_kind<gx_b>::gx_v, gx_l = "
               "gx_kind<gx_b>::gx_l,\n"
               "  gx_s = sizeof(gx_t), gx_a = alignof(gx_t) }; };\n"
               "template <typename gx_t> struct gx_param<gx_t *> { typedef typename "
               "gx_bare<gx_t>::gx_type gx_b;\n"
               "  enum { gx_p = 1, gx_c = gx_bare<gx_t>::gx_k, gx_k = gx_kind<gx_b>::gx_v,\n"
               "  gx_l = gx_kind<gx_b>::gx_l, gx_s = gx_size<gx_b>::gx_v, gx_a = "
               "gx_size<gx_b>::gx_a }; };\n"
               "template <typename gx_t> struct gx_param<gx_t *__restrict__> : gx_param<gx_t *> "
               "{};\n"
               "template <typename gx_t> struct gx_param<const gx_t> : gx_param<gx_t> {};\n"
               "template <int gx_n> struct gx_table { int gx_v[gx_n]; };\n"
               "template <typename gx_f> struct gx_types;\n"
               "template <typename gx_r, typename... gx_as> struct gx_types<gx_r (*)(gx_as...)> {\n"
               "  static constexpr gx_table<1 + 6 * sizeof...(gx_as)> gx_make() { return {{\n"
               "    (int)sizeof...(gx_as), gx_param<gx_as>::gx_p..., gx_param<gx_as>::gx_c..., "
               "gx_param<gx_as>::gx_k...,\n"
               "    gx_param<gx_as>::gx_l..., gx_param<gx_as>::gx_s..., "
               "gx_param<gx_as>::gx_a...}}; } };\n");
}

/* Errors in it have the file gx_types and the line k + 1. */
bool gx_raw_types_table(gx_buf *out, int k, const char *function) {
    return gx_buf_printf(out,
                         "\n#line %d \"" GX_TYPES_FILE "\"\n"
                         "extern \"C\" { __device__ auto gx_types_%d = "
                         "gx_types<decltype(%s)>::gx_make(); }\n",
                         k + 1, k, function);
}

bool gx_raw_types_read(const gx_raw *raw, int k, gx_raw_entry *e) {
    char name[32], *data;
    int64_t bytes;
    int32_t n;
    snprintf(name, sizeof name, "gx_types_%d", k);
    if (!gx_sim_variable(raw->sim, name, &data, &bytes) || bytes < 4) return false;
    memcpy(&n, data, 4);
    if (n < 0 || n > GX_RAW_PARAMS || bytes < 4 * (1 + FACTS * (int64_t)n)) return false;
    const char *at = data + 4;
    for (int p = 0; p < n; p++) {
        int32_t fact[FACTS];
        for (int f = 0; f < FACTS; f++) memcpy(&fact[f], at + 4 * (f * n + p), 4);
        gx_raw_param *q = &e->param[p];
        q->pointer = fact[0] != 0;
        q->constant = fact[1] != 0;
        q->kind = fact[2] ? (gx_dtype)(fact[2] - 1) : GX_NO_DTYPE;
        q->lanes = fact[3];
        q->size = fact[4];
        q->align = fact[5];
    }
    e->n_param = n;
    return true;
}

/* The type that `text` begins with is one of ours: its dtype. */
static bool is_named(const char *text, size_t n, gx_dtype *d) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) != n || memcmp(types[i].name, text, n) != 0) continue;
        *d = (gx_dtype)types[i].dtype;
        return types[i].lanes == 1;
    }
    return false;
}

/* Can a declaration's text mean what the compiler told of the parameter? Typedefs may mean
 * anything.
 */
bool gx_raw_types_fit(const gx_raw_param *q, const char *text) {
    bool pointer = strchr(text, '*') || strchr(text, '[') || strchr(text, '&');
    if (pointer && !q->pointer) return false;
    size_t from = 0, n;
    gx_dtype d;
    while (strncmp(text + from, "const ", 6) == 0) from += 6;
    n = strcspn(text + from, "*[&");
    while (n && text[from + n - 1] == ' ') n--;
    if (!is_named(text + from, n, &d)) return true;
    return pointer == q->pointer && q->kind == d && q->lanes == 1;
}

/* The type as C++ writes it, where no text says it. */
void gx_raw_types_text(const gx_raw_param *q, char *to, size_t room) {
    const char *name = q->pointer ? "void" : "struct";
    char vector[24];
    for (size_t i = 0; i < sizeof types / sizeof *types && q->kind != GX_NO_DTYPE; i++) {
        if (types[i].dtype != q->kind || types[i].lanes != q->lanes) continue;
        name = types[i].name;
        break;
    }
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors && q->lanes > 1; i++) {
        if (vectors[i].dtype != q->kind) continue;
        snprintf(vector, sizeof vector, "%s%d", vectors[i].name, q->lanes);
        name = vector;
        break;
    }
    snprintf(to, room, "%s%s%s", q->constant ? "const " : "", name, q->pointer ? "*" : "");
}
