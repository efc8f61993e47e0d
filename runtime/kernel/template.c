/* Kernels that are templates, as a source declares them: their own parameters, and the types of the
   function's, from which arguments tell what an instance is. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/launch_int.h"

/* One of "typename T", "int N = 4", "class... Ts". */
static void read_one(const char *from, const char *end, gx_raw_template *out) {
    if (out->n_param == GX_TEMPLATE_PARAMS) return;
    gx_template_param *p = &out->param[out->n_param++];
    const char *equals = memchr(from, '=', (size_t)(end - from)), *stop = equals ? equals : end;
    while (from < stop && isspace((unsigned char)*from)) from++;
    while (stop > from && isspace((unsigned char)stop[-1])) stop--;
    const char *name = stop;
    while (name > from && gx_kernel_letter(name[-1])) name--;
    p->is_type = strncmp(from, "typename", 8) == 0 || strncmp(from, "class", 5) == 0;
    p->has_default = equals != NULL;
    snprintf(p->name, sizeof p->name, "%.*s", (int)(stop - name), name);
}

static bool read_list(const char *p, gx_raw_template *out) {
    int depth = 0;
    const char *from = ++p;
    for (; *p; p++) {
        if (*p == '<' || *p == '(') depth++;
        if (depth == 0 && (*p == ',' || *p == '>')) {
            read_one(from, p, out);
            from = p + 1;
            if (*p == '>') return true;
        }
        if (*p == '>' || *p == ')') depth--;
    }
    return false;
}

bool gx_raw_template_at(const gx_raw *raw, int k, gx_raw_template *out) {
    gx_kernel_text t;
    for (const char *p = raw->source; (p = gx_kernel_next(raw->source, p, &t));) {
        if (!t.list || k-- > 0) continue;
        *out = (gx_raw_template){.n_param = 0};
        snprintf(out->name, sizeof out->name, "%.*s", (int)t.length, t.name);
        gx_raw_entry *e = &out->function;
        e->n_param = gx_kernel_count(t.parameters);
        gx_kernel_params(raw->source, out->name, e);
        return read_list(t.list, out);
    }
    return false;
}

int gx_raw_template_find(const gx_raw *raw, const char *name) {
    gx_raw_template t;
    for (int k = 0; gx_raw_template_at(raw, k, &t); k++)
        if (strcmp(t.name, name) == 0) return k;
    return -1;
}

/* --- instances --- */

static const char *c_name(gx_dtype d) {
    switch (d) {
    case GX_bool:
        return "bool";
    case GX_i8:
        return "signed char";
    case GX_u8:
        return "unsigned char";
    case GX_i16:
        return "short";
    case GX_u16:
        return "unsigned short";
    case GX_i32:
        return "int";
    case GX_u32:
        return "unsigned int";
    case GX_i64:
        return "long long";
    case GX_u64:
        return "unsigned long long";
    case GX_f16:
        return "__half";
    case GX_bf16:
        return "__nv_bfloat16";
    case GX_f32:
        return "float";
    case GX_f64:
        return "double";
    case GX_c64:
        return "float2";
    case GX_c128:
        return "double2";
    case GX_NO_DTYPE:
    default:
        return NULL;
    }
}

/* Is a function's parameter of the type T, "const T*", "T", or "T (&"? *pointer: how. */
static bool is_of(const char *type, const char *name, bool *pointer) {
    static const char *const words[] = {"const", "volatile", "__restrict__", "__restrict"};
    const char *p = type;
    for (bool again = true; again;) {
        again = false;
        while (isspace((unsigned char)*p)) p++;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            size_t n = strlen(words[k]);
            if (strncmp(p, words[k], n) != 0 || gx_kernel_letter(p[n])) continue;
            p += n;
            again = true;
        }
    }
    size_t n = strlen(name);
    if (strncmp(p, name, n) != 0 || gx_kernel_letter(p[n]) || strchr(p, '<')) return false;
    *pointer = strchr(p, '*') != NULL;
    return true;
}

const char *gx_raw_template_type(const gx_raw_template *t, int param, const uint8_t *dtypes,
                                 const bool *arrays, int n) {
    const char *of_value = NULL;
    for (int k = 0; k < n && k < t->function.n_param; k++) {
        bool pointer;
        if (!is_of(t->function.param[k].type, t->param[param].name, &pointer)) continue;
        const char *name = c_name((gx_dtype)dtypes[k]);
        if (pointer && arrays[k]) return name;
        if (!pointer && !of_value) of_value = name;
    }
    return of_value;
}
