/* Compiling and launching a script's kernels. What the parameters are is not parsed from the text:
   a template behind the source turns the type of each kernel into a table that the PTX then holds,
   so typedefs, structs and const are right. Names of parameters, for messages, are the text's. */
#include "runtime/kernel/raw.h"

#include <stdio.h>
#include <string.h>

#include "runtime/backend/cuda/ptx.h"
#include "runtime/backend/sim/sim.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/kernel/launch_int.h"

/* --- the table of types --- */

static bool add_kind(gx_buf *out, const char *type, gx_dtype d, const char *header) {
    return (!header || gx_buf_printf(out, "#ifdef %s\n", header)) &&
           gx_buf_printf(out, "template <> struct gx_kind<%s> { enum { gx_v = %d }; };\n", type,
                         d + 1) &&
           (!header || gx_buf_puts(out, "#endif\n"));
}

/* Numbers are dtypes + 1; 0 is anything else. A table is: how many parameters, and for each of five
   facts one number a parameter. */
static bool add_templates(gx_buf *out) {
    static const struct {
        const char *type;
        uint8_t dtype;
        const char *header; /* the macro of the file that declares it */
    } kinds[] = {
        {"bool", GX_bool, NULL}, {"char", GX_i8, NULL}, {"signed char", GX_i8, NULL},
        {"unsigned char", GX_u8, NULL}, {"short", GX_i16, NULL}, {"unsigned short", GX_u16, NULL},
        {"int", GX_i32, NULL}, {"unsigned int", GX_u32, NULL}, {"long", GX_i64, NULL},
        {"unsigned long", GX_u64, NULL}, {"long long", GX_i64, NULL},
        {"unsigned long long", GX_u64, NULL}, {"float", GX_f32, NULL}, {"double", GX_f64, NULL},
        {"float2", GX_c64, NULL}, {"double2", GX_c128, NULL},
        {"__half", GX_f16, "__CUDA_FP16_H__"}, {"__nv_bfloat16", GX_bf16, "__CUDA_BF16_H__"}};
    bool ok = gx_buf_puts(out, "\n#line 1 \"gx\"\n"
                               "template <typename gx_t> struct gx_kind { enum { gx_v = 0 }; };\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && ok; i++)
        ok = add_kind(out, kinds[i].type, (gx_dtype)kinds[i].dtype, kinds[i].header);
    return ok &&
           gx_buf_puts(
               out,
               "template <typename gx_t> struct gx_size { enum { gx_v = sizeof(gx_t) }; };\n"
               "template <> struct gx_size<void> { enum { gx_v = 1 }; };\n"
               "template <typename gx_t> struct gx_bare { typedef gx_t gx_type; enum { gx_k = 0 }; "
               "};\n"
               "template <typename gx_t> struct gx_bare<const gx_t> { typedef gx_t gx_type; enum { "
               "gx_k = 1 }; "
               "};\n"
               "template <typename gx_t> struct gx_bare<volatile gx_t> { typedef gx_t gx_type; "
               "enum { gx_k = 0 }; "
               "};\n"
               "template <typename gx_t> struct gx_param { enum { gx_p = 0, gx_c = 0,\n"
               "  gx_k = gx_kind<typename gx_bare<gx_t>::gx_type>::gx_v, gx_s = sizeof(gx_t), gx_a "
               "= alignof(gx_t) }; };\n"
               "template <typename gx_t> struct gx_param<gx_t *> { enum { gx_p = 1, gx_c = "
               "gx_bare<gx_t>::gx_k,\n"
               "  gx_k = gx_kind<typename gx_bare<gx_t>::gx_type>::gx_v,\n"
               "  gx_s = gx_size<typename gx_bare<gx_t>::gx_type>::gx_v, gx_a = 8 }; };\n"
               "template <typename gx_t> struct gx_param<gx_t *__restrict__> : gx_param<gx_t *> "
               "{};\n"
               "template <typename gx_t> struct gx_param<const gx_t> : gx_param<gx_t> {};\n"
               "template <int gx_n> struct gx_table { int gx_v[gx_n]; };\n"
               "template <typename gx_f> struct gx_types;\n"
               "template <typename gx_r, typename... gx_as> struct gx_types<gx_r (*)(gx_as...)> {\n"
               "  static constexpr gx_table<1 + 5 * sizeof...(gx_as)> gx_make() { return {{\n"
               "    (int)sizeof...(gx_as), gx_param<gx_as>::gx_p..., gx_param<gx_as>::gx_c..., "
               "gx_param<gx_as>::gx_k...,\n"
               "    gx_param<gx_as>::gx_s..., gx_param<gx_as>::gx_a...}}; } };\n");
}

static bool add_table(gx_buf *out, int k, const char *name) {
    return gx_buf_printf(out,
                         "extern \"C\" { __device__ auto gx_types_%d = "
                         "gx_types<decltype(&%s)>::gx_make(); }\n",
                         k, name);
}

/* Reads gx_types_k out of the module; false: it is not there. */
static bool read_table(const gx_raw *raw, int k, gx_raw_entry *e) {
    char name[32], *data;
    int64_t bytes;
    int32_t n;
    snprintf(name, sizeof name, "gx_types_%d", k);
    if (!gx_sim_variable(raw->sim, name, &data, &bytes) || bytes < 4) return false;
    memcpy(&n, data, 4);
    if (n < 0 || n > GX_RAW_PARAMS || bytes < 4 * (1 + 5 * (int64_t)n)) return false;
    const char *at = data + 4;
    for (int p = 0; p < n; p++) {
        int32_t fact[5];
        for (int f = 0; f < 5; f++) memcpy(&fact[f], at + 4 * (f * n + p), 4);
        gx_raw_param *q = &e->param[p];
        q->pointer = fact[0] != 0;
        q->constant = fact[1] != 0;
        q->kind = fact[2] ? (gx_dtype)(fact[2] - 1) : GX_NO_DTYPE;
        q->size = fact[3];
        q->align = fact[4];
    }
    e->n_param = n;
    return true;
}

/* --- modules --- */

static void free_raw(gx_raw *raw) {
    gx_rt *rt = raw->rt;
    gx_raw_unload(raw);
    for (int k = 0; k < raw->n_entry; k++) {
        gx_free(rt, raw->entry[k].name);
        gx_free(rt, raw->entry[k].symbol);
    }
    gx_free(rt, raw->entry);
    gx_sim_free(raw->sim);
    gx_free(rt, raw->ptx);
    gx_free(rt, raw->source);
    gx_free(rt, raw->file);
    gx_free(rt, raw);
}

void gx_raw_drop(gx_raw *raw) {
    if (raw && --raw->refs == 0) free_raw(raw);
}

/* The kernels of a module, with the places of their parameters; types as far as known. */
static bool add_entries(gx_raw *raw, const gx_kernel_names *found, const char *lowered) {
    gx_rt *rt = raw->rt;
    int n = 0;
    while (gx_sim_entry_name(raw->sim, n)) n++;
    if (n == 0)
        return gx_fail(rt, GX_ValueError, "kernel.none",
                       "the source has no kernel: a function marked __global__");
    raw->entry = gx_alloc_zero(rt, (size_t)n * sizeof *raw->entry);
    if (!raw->entry) return false;
    for (int k = 0; k < n; k++) {
        gx_raw_entry *e = &raw->entry[raw->n_entry++];
        const char *symbol = gx_sim_entry_name(raw->sim, k), *at = lowered;
        int number = gx_sim_entry(raw->sim, symbol), which = -1;
        for (int j = 0; j < found->count && at && which < 0; j++, at += strlen(at) + 1)
            if (strcmp(at, symbol) == 0) which = j;
        const char *name = which >= 0 ? found->name[which] : symbol;
        e->symbol = gx_raw_copy(rt, symbol, strlen(symbol));
        e->name = gx_raw_copy(rt, name, strlen(name));
        if (!e->symbol || !e->name) return false;
        e->known = which >= 0 && read_table(raw, which, e);
        int64_t offset, bytes;
        int p = 0;
        for (; p < GX_RAW_PARAMS && gx_sim_param(raw->sim, number, p, &offset, &bytes); p++) {
            e->param[p].offset = offset;
            e->param_bytes = offset + bytes;
            if (e->known) continue;
            e->param[p].size = (int)bytes;
            e->param[p].kind = GX_NO_DTYPE;
        }
        if (e->known && e->n_param != p) e->known = false;
        e->n_param = p;
        if (which >= 0) gx_kernel_params(raw->source, found->at[which], e);
        e->shared = gx_sim_static_shared(raw->sim, number);
        e->local = gx_sim_local(raw->sim, number);
        int most = gx_sim_max_threads(raw->sim, number);
        e->max_threads = most > 0 && most < 1024 ? most : 1024;
    }
    return true;
}

/* Compiles; with_types: the tables of types behind the source, and the names' spelling in the PTX.
 */
static bool compile(gx_raw *raw, const gx_kernel_names *found, const char *const *options,
                    int n_options, bool with_types, gx_buf *ptx, gx_buf *lowered) {
    gx_rt *rt = raw->rt;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_buf_printf(&text, "#line %d \"%s\"\n%s", raw->first_line, raw->file, raw->source);
    if (ok && with_types) ok = add_templates(&text);
    for (int k = 0; k < found->count && ok && with_types; k++)
        ok = add_table(&text, k, found->name[k]);
    gx_ptx_request q = {.source = gx_buf_text(&text),
                        .file = raw->file,
                        .options = options,
                        .n_options = n_options,
                        .names = found->name,
                        .n_names = with_types ? found->count : 0};
    ok = ok && gx_cuda_ptx(rt, &q, ptx, lowered);
    gx_buf_free(&text);
    return ok;
}

bool gx_raw_new(gx_rt *rt, const char *source, const char *file, int line,
                const char *const *options, int n_options, const char *const *names, int n_names,
                gx_raw **out) {
    gx_raw *raw = gx_alloc_zero(rt, sizeof *raw);
    if (!raw) return false;
    raw->rt = rt;
    raw->refs = 1;
    raw->first_line = line;
    raw->source = gx_raw_copy(rt, source, strlen(source));
    raw->file = gx_raw_copy(rt, file, strlen(file));
    gx_buf ptx = gx_buf_new(rt), lowered = gx_buf_new(rt);
    gx_kernel_names found;
    bool ok =
        raw->source && raw->file && gx_kernel_names_find(rt, raw->source, names, n_names, &found);
    if (ok) {
        ok = compile(raw, &found, options, n_options, true, &ptx, &lowered);
        if (!ok && rt->error.kind == GX_RuntimeError &&
            strcmp(rt->error.code, "kernel.compile") == 0) {
            /* The source alone decides what is wrong; a kernel whose type cannot be asked for (in a
               namespace, say) runs with unchecked arguments. */
            gx_error_clear(rt);
            ptx.length = lowered.length = 0;
            ok = compile(raw, &found, options, n_options, false, &ptx, &lowered);
        }
        ok = ok && gx_sim_new(rt, gx_buf_text(&ptx), ptx.length, &raw->sim) &&
             add_entries(raw, &found, lowered.length ? gx_buf_text(&lowered) : NULL);
        if (ok) {
            raw->ptx = gx_raw_copy(rt, gx_buf_text(&ptx), ptx.length);
            /* grid.sync() finds the grid's barrier there */
            raw->together = strstr(gx_buf_text(&ptx), "%envreg") != NULL;
            raw->prints = strstr(gx_buf_text(&ptx), "vprintf") != NULL;
            ok = raw->ptx != NULL;
        }
        gx_kernel_names_free(rt, &found);
    }
    gx_buf_free(&ptx);
    gx_buf_free(&lowered);
    if (!ok) {
        free_raw(raw);
        return false;
    }
    *out = raw;
    return true;
}

bool gx_raw_possible(gx_rt *rt) {
    return gx_cuda_compiler_there(rt);
}

bool gx_raw_on_gpu(gx_rt *rt) {
    bool there = false;
    if (!gx_gpu_there(rt, &there)) gx_error_clear(rt);
    return there && rt->gpu->backend->raw;
}

int gx_raw_find(const gx_raw *raw, const char *name) {
    for (int k = 0; k < raw->n_entry; k++)
        if (strcmp(raw->entry[k].name, name) == 0 || strcmp(raw->entry[k].symbol, name) == 0)
            return k;
    return -1;
}

/* --- launches --- */

static void print_text(void *arg, const char *text, size_t length) {
    (void)gx_write(arg, GX_OUT, text, length);
}

static void spread(void *arg, int64_t n, void (*fn)(void *, int64_t, int), void *fn_arg) {
    gx_device *d = arg;
    d->backend->tasks(d, n, fn, fn_arg);
}

/* Bytes of arrays as a launch takes them; with `copies`, of copies, so that the arrays stay as they
   are: arrays that begin together share one. */
typedef struct placed {
    gx_sim_array array[GX_RAW_PARAMS];
    const char *of[GX_RAW_PARAMS];
    char *copy[GX_RAW_PARAMS];
    uint8_t dtype[GX_RAW_PARAMS];
    int n;
} placed;

static bool copy_array(gx_rt *rt, placed *all, int k) {
    gx_sim_array *a = &all->array[k];
    for (int m = 0; m < all->n; m++) {
        if (m == k || !all->copy[m] || all->of[m] != a->data || all->array[m].bytes < a->bytes)
            continue;
        a->data = all->copy[m];
        return true;
    }
    all->of[k] = a->data;
    all->copy[k] = gx_alloc(rt, (size_t)a->bytes + 1);
    if (!all->copy[k]) return false;
    memcpy(all->copy[k], a->data, (size_t)a->bytes);
    a->data = all->copy[k];
    return true;
}

static bool place_arrays(gx_raw *raw, const gx_raw_entry *e, const gx_raw_arg *args, bool copies,
                         char *params, placed *all) {
    gx_rt *rt = raw->rt;
    int number[GX_RAW_PARAMS];
    for (int p = 0; p < e->n_param; p++) number[p] = args[p].array ? all->n++ : -1;
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < e->n_param; p++) {
            gx_array *a = args[p].array;
            bool reads = e->known && e->param[p].constant;
            if (!a || reads != (pass == 1)) continue;
            char *data;
            const char *from;
            if (reads || copies) {
                if (!gx_array_read(rt, a, &from)) return false;
                data = (char *)(uintptr_t)from;
            } else if (!gx_array_write(rt, a, &data)) {
                return false;
            }
            all->array[number[p]] = (gx_sim_array){.data = data,
                                                   .bytes = gx_array_nbytes(a),
                                                   .item = (int)gx_dtype_size(a->dtype),
                                                   .writable = !reads,
                                                   .name = e->param[p].name};
            all->dtype[number[p]] = a->dtype;
            if (copies && !copy_array(rt, all, number[p])) return false;
            uint64_t at = gx_sim_address(raw->sim, number[p]);
            memcpy(params + e->param[p].offset, &at, 8);
        }
    }
    return true;
}

static bool run_host(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args,
                     const placed *all, const char *params) {
    gx_rt *rt = raw->rt;
    const gx_raw_entry *e = &raw->entry[entry];
    gx_device *d = rt->device;
    bool many = d->backend->threads && d->backend->threads(d) > 1;
    gx_sim_stepper step = {.thread = 0};
    if (shape->step) step = *shape->step;
    step.dtypes = all->dtype;
    gx_sim_launch launch = {.shared = shape->shared,
                            .params = params,
                            .param_bytes = e->param_bytes,
                            .arrays = all->array,
                            .n_array = all->n,
                            .print = shape->step ? NULL : print_text,
                            .print_arg = rt,
                            .counters = shape->counters,
                            .step = shape->step ? &step : NULL,
                            .unwatched = shape->unchecked,
                            .threads = many ? d->backend->threads(d) : 1,
                            .spread = many ? spread : NULL,
                            .spread_arg = d};
    for (int k = 0; k < 3; k++) {
        launch.grid[k] = (uint32_t)shape->grid[k];
        launch.block[k] = (uint32_t)shape->block[k];
    }
    gx_sim_cover covers[GX_RAW_COVERS];
    launch.covers = covers;
    if (!shape->counters && !shape->step) launch.n_cover = gx_raw_covers(e, args, covers);
    gx_sim_report report;
    rt->stats.kernels++;
    bool ok = gx_sim_run(raw->sim, gx_sim_entry(raw->sim, e->symbol), &launch, &report);
    (void)gx_write_flush(rt, GX_OUT);
    if (!ok) return false;
    if (rt->interrupted) {
        rt->interrupted = 0;
        return gx_fail(rt, GX_KeyboardInterrupt, "", "interrupted in a kernel");
    }
    return gx_raw_diagnose(raw, e, &launch, &report) && gx_raw_tell_cover(raw, e, &launch, &report);
}

static bool launch_host(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args,
                        char *params) {
    placed all;
    all.n = 0;
    memset(all.copy, 0, sizeof all.copy);
    bool ok =
        place_arrays(raw, &raw->entry[entry], args, shape->step != NULL, params, &all) &&
        run_host(raw, entry, shape, args, &all, params);
    for (int k = 0; k < all.n; k++) gx_free(raw->rt, all.copy[k]);
    return ok;
}

bool gx_raw_launch(gx_raw *raw, int entry, const gx_raw_shape *shape, const gx_raw_arg *args) {
    gx_rt *rt = raw->rt;
    const gx_raw_entry *e = &raw->entry[entry];
    char *params = gx_alloc_zero(rt, (size_t)e->param_bytes + 64);
    if (!params) return false;
    for (int p = 0; p < e->n_param; p++) {
        if (args[p].array) continue;
        int size = e->param[p].pointer ? 8 : e->param[p].size;
        memcpy(params + e->param[p].offset, args[p].bytes, (size_t)(size < 64 ? size : 64));
    }
    bool there = false, ok = gx_gpu_there(rt, &there);
    if (ok && (shape->counters || shape->step))
        ok = launch_host(raw, entry, shape, args, params);
    else if (ok && there && rt->gpu->backend->raw)
        ok = gx_raw_launch_gpu(raw, e, shape, args, params);
    else if (ok && gx_raw_is_simulated(rt) && !shape->unchecked)
        ok = gx_raw_launch_simulated(raw, e, shape, args, params);
    else if (ok)
        ok = launch_host(raw, entry, shape, args, params);
    gx_free(rt, params);
    return ok;
}
