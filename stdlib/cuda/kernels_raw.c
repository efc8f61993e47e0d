/* RawKernel under CuPy's name, and the kernels of kernel literals. A kernel is
   launched as k[grid, block](x, y, n), as CuPy's k(grid, block, (x, y, n)), or as k(x, y, n,
   size=n) where gx chooses blocks of 256 threads. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/cuda/cuda.h"
#include "stdlib/cuda/kernels.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/stdlib.h"

enum { THREADS = 256 };

typedef struct launcher {
    gx_obj obj;
    gx_kernel *kernel; /* owned */
    gx_shape3 size;
    gx_value stream; /* None: the current one; owned */
    bool simulated;  /* its calls are counted */
} launcher;

static gx_kernel *as_kernel(gx_borrowed v) {
    return (gx_kernel *)(void *)v.obj;
}

static const gx_raw_entry *entry_of(gx_borrowed v) {
    return &as_kernel(v)->raw->entry[as_kernel(v)->entry];
}

static void free_kernel(gx_rt *rt, gx_obj *o) {
    gx_raw_drop(((gx_kernel *)(void *)o)->raw);
    gx_free(rt, o);
}

static void free_launcher(gx_rt *rt, gx_obj *o) {
    gx_drop(gx_object(&((launcher *)(void *)o)->kernel->obj));
    gx_drop(((launcher *)(void *)o)->stream);
    gx_free(rt, o);
}

bool gx_kernel_of(gx_rt *rt, gx_raw *raw, int entry, gx_value *out) {
    gx_kernel *k = gx_obj_new(rt, &gx_type_raw_kernel, sizeof *k);
    if (!k) return false;
    raw->refs++;
    k->raw = raw;
    k->entry = entry;
    k->carveout = -1;
    *out = gx_object(&k->obj);
    return true;
}

/* --- making --- */

/* nvcc's level for code of the host, which NVRTC has none of. */
static bool is_level(const char *option) {
    return strncmp(option, "-O", 2) == 0 && option[2] >= '0' && option[2] <= '3' && !option[3];
}

bool gx_kernel_strings(gx_call *c, int i, const char **out, int most, int *n) {
    const gx_value *items;
    *n = 0;
    if (!gx_arg_some(c, i)) return true;
    int64_t count = gx_sequence_items(c->argv[i], &items);
    if (count < 0) return gx_arg_wrong(c, i, "a tuple of strings");
    for (int64_t k = 0; k < count; k++) {
        if (items[k].tag != GX_STR || k == most) return gx_arg_wrong(c, i, "a tuple of strings");
        if (!is_level(gx_as_str(items[k])->text)) out[(*n)++] = gx_as_str(items[k])->text;
    }
    return true;
}

bool gx_kernel_find(gx_rt *rt, const gx_raw *raw, const char *name, int *entry) {
    *entry = gx_raw_find(raw, name);
    if (*entry >= 0) return true;
    const char *names[64];
    size_t n = 0;
    gx_raw_template t;
    for (int k = 0; k < raw->n_entry && n < 64; k++) names[n++] = raw->entry[k].name;
    if (gx_raw_template_find(raw, name) >= 0 || n == 0) {
        if (!gx_raw_template_at(raw, 0, &t)) t.name[0] = 0;
        gx_fail(rt, GX_ValueError, "kernel.name", "'%s' is a template's instance, or nothing",
                name);
        return gx_help(rt, "name it with its arguments: \"%s<float>\"", n ? name : t.name);
    }
    gx_fail(rt, GX_ValueError, "kernel.name", "the source has no kernel '%s'; it has %s%s", name,
            names[0], n > 1 ? " and others" : "");
    const char *near = gx_near_name(name, names, n);
    if (near) gx_help(rt, "did you mean '%s'?", near);
    return false;
}

static bool raw_kernel_fn(gx_call *c, gx_value *out) {
    const char *code, *name, *options[GX_KERNEL_OPTIONS], *names[1];
    size_t length;
    int n, entry;
    gx_raw *raw;
    if (!gx_arg_str(c, 0, &code, &length) || !gx_arg_str(c, 1, &name, &length) ||
        !gx_kernel_strings(c, 2, options, GX_KERNEL_OPTIONS, &n))
        return false;
    names[0] = name;
    bool expression = strchr(name, '<') != NULL; /* a template's instance */
    if (!gx_raw_new(c->rt, code, "kernel", 1, options, n, names, expression, &raw)) return false;
    bool ok = gx_kernel_find(c->rt, raw, name, &entry) && gx_kernel_of(c->rt, raw, entry, out);
    gx_raw_drop(raw);
    return ok;
}

static const gx_native raw_kernel_row = {
    "RawKernel",
    "RawKernel(code, name, options=(), backend='nvrtc', translate_cucomplex=False, "
    "enable_cooperative_groups=False, jitify=False)",
    "A kernel in CUDA C++, compiled by NVRTC: the function `name` of `code`.",
    NULL,
    raw_kernel_fn,
    0,
    0};

/* --- launching --- */

static bool set_shared(gx_rt *rt, gx_borrowed v, gx_shape3 *size) {
    gx_try is = gx_as_index(rt, v, &size->shared);
    return is == GX_TRY_YES ||
           (is == GX_TRY_NO && gx_fail(rt, GX_TypeError, "launch.shared",
                                       "shared_mem is a number of bytes, not %s", gx_type_name(v)));
}

static bool set_flag(gx_rt *rt, gx_borrowed v, bool value, bool *flag) {
    bool is;
    if (!gx_truth(rt, v, &is)) return false;
    *flag = is == value;
    return true;
}

/* checked=True, False, "warn" (what is wrong is warned of) or "full" (arrays of any size). */
static bool set_checked(gx_rt *rt, const gx_raw_entry *e, gx_borrowed v, gx_shape3 *size) {
    if (v.tag != GX_STR) return set_flag(rt, v, false, &size->unchecked);
    size->warn = strcmp(gx_as_str(v)->text, "warn") == 0;
    size->full = strcmp(gx_as_str(v)->text, "full") == 0;
    return size->warn || size->full ||
           gx_fail(rt, GX_ValueError, "kernel.checked",
                   "%s: checked is True, False, \"warn\" or \"full\", not \"%.40s\"", e->name,
                   gx_as_str(v)->text);
}

/* CuPy's launch, k(grid, block, args, shared_mem): the first three by place or by name. */
enum { GRID, BLOCK, ARGS, CUPYS };

static int cupys(const char *name) {
    static const char *const names[CUPYS] = {"grid", "block", "args"};
    int place = 0;
    while (place < CUPYS && strcmp(names[place], name) != 0) place++;
    return place;
}

/* Keywords of a launch: CuPy's where there is a place for them, shared_mem, stream, size, checked,
   enable_cooperative_groups. */
static bool read_keywords(gx_rt *rt, const gx_raw_entry *e, const gx_borrowed *values, int kwc,
                          const gx_sym *kw, gx_shape3 *size, int64_t *count, gx_borrowed *stream,
                          gx_borrowed *place) {
    for (int k = 0; k < kwc; k++) {
        const char *name = gx_sym_text(rt, kw[k]);
        const int at = place ? cupys(name) : CUPYS;
        if (at < CUPYS) {
            if (place[at].tag != GX_UNDEF)
                return gx_fail(rt, GX_TypeError, "kernel.keyword",
                               "%s: got multiple values for argument '%s'", e->name, name);
            place[at] = values[k];
        } else if (strcmp(name, "shared_mem") == 0) {
            if (!set_shared(rt, values[k], size)) return false;
        } else if (strcmp(name, "size") == 0) {
            if (gx_as_index(rt, values[k], count) != GX_TRY_YES || *count < 0) {
                if (gx_failed(&rt->error)) return false;
                return gx_fail(rt, GX_TypeError, "launch.size",
                               "size is how many threads are wanted, a number from 0 on");
            }
        } else if (strcmp(name, "checked") == 0) {
            if (!set_checked(rt, e, values[k], size)) return false;
        } else if (strcmp(name, "enable_cooperative_groups") == 0) {
            if (!set_flag(rt, values[k], true, &size->together)) return false;
        } else if (strcmp(name, "stream") == 0) {
            *stream = values[k];
        } else {
            return gx_fail(rt, GX_TypeError, "kernel.keyword",
                           "%s: unexpected argument '%s'; a launch takes %ssize, shared_mem, "
                           "checked and stream",
                           e->name, name, place ? "grid, block, args, " : "");
        }
    }
    return true;
}

static bool launch_on(gx_rt *rt, gx_kernel *k, gx_borrowed stream, const gx_shape3 *size, int64_t n,
                      const gx_borrowed *args, uint32_t holders) {
    gx_cuda_visit visit;
    if (!gx_cuda_visit_begin(rt, stream, k->raw->entry[k->entry].name, &visit)) return false;
    return gx_cuda_visit_end(rt, &visit, gx_kernel_launch(rt, k, size, n, args, holders));
}

static bool call_kernel(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    const gx_raw_entry *e = entry_of(self);
    gx_shape3 size = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    int64_t count = -1;
    const gx_value *items = argv;
    gx_borrowed stream = gx_none();
    gx_borrowed place[CUPYS];
    for (int i = 0; i < CUPYS; i++) place[i] = i < argc ? argv[i] : gx_undef();
    if (!read_keywords(rt, e, argv + argc, kwc, kw, &size, &count, &stream, place)) return false;
    const gx_borrowed list = place[ARGS];
    bool cupy = count < 0 && argc <= 4 && (list.tag == GX_TUPLE || list.tag == GX_LIST) &&
                place[GRID].tag != GX_UNDEF && place[BLOCK].tag != GX_UNDEF;
    int64_t n = argc;
    GX_STILL(own);
    if (cupy) {
        if (!gx_still_items(rt, list, &own, &items, &n) ||
            !gx_kernel_size(rt, e, place[GRID], "grid", size.grid) ||
            !gx_kernel_size(rt, e, place[BLOCK], "block", size.block) ||
            (argc > 3 && !set_shared(rt, argv[3], &size)))
            return false;
    } else if (count >= 0) {
        size.sized = true;
        size.block[0] = THREADS;
        size.grid[0] = (count + THREADS - 1) / THREADS;
    } else {
        gx_fail(rt, GX_TypeError, "launch.size", "%s: how many threads? no grid was given",
                e->name);
        gx_help(rt, "%s[grid, block](…), or %s(…, size=n)", e->name, e->name);
        return false;
    }
    /* A tuple that the script keeps keeps its arrays, too; a list's items are held by a copy. */
    uint32_t holders = !cupy ? 1 : list.obj->refs > 1 ? 0 : list.tag == GX_LIST ? 2 : 1;
    if (!launch_on(rt, as_kernel(self), stream, &size, n, items, holders)) return false;
    *out = gx_none();
    return true;
}

/* k[grid, block], k[grid, block, shared bytes] or k[grid, block, shared bytes, stream] */
static bool get_kernel(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_value *out) {
    const gx_raw_entry *e = entry_of(self);
    const gx_value *items;
    gx_shape3 size = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &items) : 0;
    if (n < 2 || n > 4) {
        gx_fail(rt, GX_TypeError, "launch.size", "%s: a launch is %s[grid, block](…)", e->name,
                e->name);
        return false;
    }
    if (!gx_kernel_size(rt, e, items[0], "grid", size.grid) ||
        !gx_kernel_size(rt, e, items[1], "block", size.block))
        return false;
    if (n > 2 && items[2].tag != GX_NONE && !set_shared(rt, items[2], &size)) return false;
    launcher *l = gx_obj_new(rt, &gx_type_kernel_launcher, sizeof *l);
    if (!l) return false;
    gx_value kernel = gx_keep(self);
    l->kernel = as_kernel(kernel);
    l->size = size;
    l->stream = n > 3 ? gx_keep(items[3]) : gx_none();
    *out = gx_object(&l->obj);
    return true;
}

static bool call_launcher(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                          const gx_sym *kw, gx_value *out) {
    launcher *l = (launcher *)(void *)self.obj;
    gx_shape3 size = l->size;
    int64_t count = -1;
    const gx_raw_entry *e = &l->kernel->raw->entry[l->kernel->entry];
    gx_sim_counters counters = {0};
    if (l->simulated) size.counters = &counters;
    gx_borrowed stream = l->stream;
    if (!read_keywords(rt, e, argv + argc, kwc, kw, &size, &count, &stream, NULL) ||
        !launch_on(rt, l->kernel, stream, &size, argc, argv, l->simulated ? 0 : 1)) {
        gx_sim_counters_free(rt, &counters);
        return false;
    }
    if (l->simulated) return gx_kernel_counters(rt, l->kernel, &size, &counters, out);
    *out = gx_none();
    return true;
}

bool gx_kernel_simulated(gx_rt *rt, gx_borrowed given, gx_value *out) {
    const launcher *from = (const launcher *)(void *)given.obj;
    launcher *l = gx_obj_new(rt, &gx_type_kernel_launcher, sizeof *l);
    if (!l) return false;
    gx_value kernel = gx_keep(gx_object(&from->kernel->obj));
    l->kernel = as_kernel(kernel);
    l->size = from->size;
    l->stream = gx_none();
    l->simulated = true;
    *out = gx_object(&l->obj);
    return true;
}

gx_kernel *gx_kernel_launched(gx_borrowed given, gx_shape3 *size) {
    const launcher *l = (const launcher *)(void *)given.obj;
    *size = l->size;
    return l->kernel;
}

/* --- looking --- */

static bool repr_kernel(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const gx_raw_entry *e = entry_of(v);
    bool ok = gx_buf_printf(out, "<kernel %s(", e->name);
    for (int p = 0; p < e->n_param && ok; p++)
        ok = gx_buf_printf(out, "%s%s%s%s", p ? ", " : "", e->param[p].type,
                           e->param[p].type[0] && e->param[p].name[0] ? " " : "", e->param[p].name);
    return ok && gx_buf_puts(out, ")>");
}

static bool repr_launcher(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const launcher *l = (launcher *)(void *)v.obj;
    const gx_shape3 *s = &l->size;
    return gx_buf_printf(out, "<%s[(%lld, %lld, %lld), (%lld, %lld, %lld)]>",
                         l->kernel->raw->entry[l->kernel->entry].name, (long long)s->grid[0],
                         (long long)s->grid[1], (long long)s->grid[2], (long long)s->block[0],
                         (long long)s->block[1], (long long)s->block[2]);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, entry_of(self)->name, out);
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, as_kernel(self)->raw->source, out);
}

static bool get_shared(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(entry_of(self)->shared);
    return true;
}

static bool get_local(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(entry_of(self)->local);
    return true;
}

static bool get_threads(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(entry_of(self)->max_threads);
    return true;
}

/* CuPy's names; what only a GPU knows is there where one is. */
static bool get_attributes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    static const struct {
        const char *name;
        gx_kernel_fact fact;
    } rows[] = {{"max_threads_per_block", GX_KERNEL_THREADS},
                {"shared_size_bytes", GX_KERNEL_SHARED},
                {"const_size_bytes", GX_KERNEL_CONSTANT},
                {"local_size_bytes", GX_KERNEL_LOCAL},
                {"num_regs", GX_KERNEL_REGISTERS},
                {"ptx_version", GX_KERNEL_TEXT_VERSION},
                {"binary_version", GX_KERNEL_CODE_VERSION},
                {"max_dynamic_shared_size_bytes", GX_KERNEL_SHARED_MORE}};
    const gx_raw_entry *e = entry_of(self);
    gx_value d;
    if (!gx_dict_new(rt, &d)) return false;
    bool ok = true, gpu = gx_raw_on_gpu(rt);
    for (size_t k = 0; k < sizeof rows / sizeof *rows && ok && gpu; k++) {
        int n;
        ok = gx_raw_number(as_kernel(self)->raw, e, rows[k].fact, &n) &&
             gx_dict_set_c(rt, d, rows[k].name, gx_int(n));
    }
    if (ok && !gpu)
        ok = gx_dict_set_c(rt, d, "max_threads_per_block", gx_int(e->max_threads)) &&
             gx_dict_set_c(rt, d, "shared_size_bytes", gx_int(e->shared)) &&
             gx_dict_set_c(rt, d, "local_size_bytes", gx_int(e->local));
    if (!ok) {
        gx_drop(d);
        return false;
    }
    *out = d;
    return true;
}

/* What the compiler tells of machine code. */
static bool get_fact(gx_rt *rt, gx_borrowed self, gx_kernel_fact fact, gx_value *out) {
    gx_gpu_info info;
    int n;
    if (!gx_gpu_facts(rt, &info) ||
        !gx_raw_number(as_kernel(self)->raw, entry_of(self), fact, &n))
        return false;
    *out = gx_int(n);
    return true;
}

#define FACT(name, fact)                                                                           \
    static bool name(gx_rt *rt, gx_borrowed self, gx_value *out) {                                 \
        return get_fact(rt, self, fact, out);                                                      \
    }
FACT(get_constant, GX_KERNEL_CONSTANT)
FACT(get_registers, GX_KERNEL_REGISTERS)
FACT(get_text_version, GX_KERNEL_TEXT_VERSION)
FACT(get_code_version, GX_KERNEL_CODE_VERSION)

/* What a script may set for CuPy's sake: kept, and asked for by no launch. */
static bool keep_number(gx_rt *rt, gx_borrowed value, const char *name, int64_t least,
                        int64_t *to) {
    int64_t n;
    const gx_try is = gx_as_index(rt, value, &n);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO || n < least)
        return gx_fail(rt, is == GX_TRY_NO ? GX_TypeError : GX_ValueError, "launch.shared",
                       "%s is a number from %lld on, not %s", name, (long long)least,
                       is == GX_TRY_NO ? gx_type_name(value) : "less");
    *to = n;
    return true;
}

static bool get_shared_more(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const int64_t set = as_kernel(self)->shared_more;
    if (!set && gx_raw_on_gpu(rt)) return get_fact(rt, self, GX_KERNEL_SHARED_MORE, out);
    *out = gx_int(set ? set : 48 * 1024 - entry_of(self)->shared);
    return true;
}

static bool set_shared_more(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return keep_number(rt, value, "max_dynamic_shared_size_bytes", 0,
                       &as_kernel(self)->shared_more);
}

static bool get_carveout(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_kernel(self)->carveout);
    return true;
}

static bool set_carveout(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return keep_number(rt, value, "preferred_shared_memory_carveout", -1,
                       &as_kernel(self)->carveout);
}

static const gx_member kernel_members[] = {
    {"name", get_name, NULL, "The kernel's name."},
    {"code", get_code, NULL, "Its source."},
    {"attributes", get_attributes, NULL, "What the kernel uses, as a dict."},
    {"max_threads_per_block", get_threads, NULL, "The largest block."},
    {"shared_size_bytes", get_shared, NULL, "Static shared memory, in bytes a block."},
    {"local_size_bytes", get_local, NULL, "Local memory, in bytes a thread."},
    {"const_size_bytes", get_constant, NULL, "Constant memory, in bytes."},
    {"num_regs", get_registers, NULL, "Registers a thread."},
    {"ptx_version", get_text_version, NULL, "The version of its PTX: 90 for 9.0."},
    {"binary_version", get_code_version, NULL, "The GPU that its code is for: 90 for sm_90."},
    {"max_dynamic_shared_size_bytes", get_shared_more, set_shared_more,
     "Dynamic shared memory that a block may have, in bytes. A launch asks for what it needs, "
     "whatever is set."},
    {"preferred_shared_memory_carveout", get_carveout, set_carveout,
     "How much shared memory is preferred over cache, in percent; kept, and of no effect."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_raw_kernel = {.name = "cupy.RawKernel",
                                    .dtype = GX_NO_DTYPE,
                                    .tag = GX_OBJECT,
                                    .doc = "A kernel in CUDA C++: k[grid, block](…) launches it.",
                                    .free = free_kernel,
                                    .repr = repr_kernel,
                                    .get = get_kernel,
                                    .call = call_kernel,
                                    .construct = &raw_kernel_row,
                                    .members = kernel_members};

const gx_type gx_type_kernel_launcher = {
    .name = "kernel launch",
    .dtype = GX_NO_DTYPE,
    .tag = GX_OBJECT,
    .doc = "A kernel with its grid and block; call it with the arguments.",
    .free = free_launcher,
    .repr = repr_launcher,
    .call = call_launcher};
