/* Kernel text without a GPU. Golden texts: a dozen tapes and the kernels that they become, in
   tests/golden/NAME.cu (written anew with GX_GOLDEN=write). And NVRTC, where it is installed,
   compiles a kernel of every operation and dtype, of every cast, of many layouts and of every
   reduction, tens of them a module. */
#include <stdio.h>

#include "kernels/image.h"
#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/emit_int.h"
#include "tests/unit/cpu_tape_int.h"

static int64_t strides[GX_MAX_DIMS];

/* C-contiguous strides of the tape's shape, times `by` elements. */
static const int64_t *dense(const gx_tape *t, int64_t by) {
    c_strides(t->ndim, t->shape, strides);
    for (int d = 0; d < t->ndim; d++) strides[d] *= by;
    return strides;
}

static uint16_t load(bench *b, gx_dtype dtype, gx_buffer *buf, int64_t by) {
    return add_leaf(b->tape, dtype, buf, 0, dense(b->tape, by));
}

/* --- golden texts --- */

static char *read_file(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = calloc(1, 1 << 18);
    size_t n = fread(text, 1, (1 << 18) - 1, f);
    cr_assert_lt(n, (1 << 18) - 1);
    fclose(f);
    return text;
}

/* The first line in which two texts differ. */
static void show_difference(const char *name, const char *want, const char *got) {
    int line = 1;
    while (*want && *want == *got) {
        if (*want == '\n') line++;
        want++;
        got++;
    }
    cr_assert(false, "tests/golden/%s.cu differs at line %d:\n  want …%.60s\n  got  …%.60s", name,
              line, want, got);
}

/* Compares what follows the common helpers with the golden file. */
static void golden_text(gx_buf *out, const char *name) {
    char path[128];
    const char *text = strstr(gx_buf_text(out), "typedef ");
    while (text && strncmp(text, "typedef unsigned gx_index", 25) != 0 &&
           strncmp(text, "typedef unsigned long long gx_index", 35) != 0)
        text = strstr(text + 1, "typedef ");
    cr_assert_not_null(text);
    snprintf(path, sizeof path, "tests/golden/%s.cu", name);
    const char *mode = getenv("GX_GOLDEN");
    if (mode && strcmp(mode, "write") == 0) {
        FILE *f = fopen(path, "w");
        cr_assert_not_null(f);
        fputs(text, f);
        fclose(f);
    } else {
        char *want = read_file(path);
        cr_assert_not_null(want, "%s is missing", path);
        if (strcmp(want, text) != 0) show_difference(name, want, text);
        free(want);
    }
}

static void golden(bench *b, const char *name) {
    gx_buf out = gx_buf_new(b->rt);
    cr_assert(gx_tape_verify(b->rt, b->tape), "%s", b->rt->error.message);
    cr_assert(gx_gpu_emit(b->rt, b->tape, &out));
    golden_text(&out, name);
    gx_buf_free(&out);
}

enum { ROOM = 1 << 20 };

static uint16_t op2(bench *b, gx_opcode op, gx_dtype d, uint16_t x, uint16_t y) {
    return add_op(b->tape, op, d, d, x, y, 0);
}

Test(cuda_golden, chains) {
    bench b = bench_open(0, 1);
    gx_buffer *x = new_buffer(&b, ROOM), *y = new_buffer(&b, ROOM);
    gx_tape *t = new_tape(&b, 1, (int64_t[]){1000});
    uint16_t p = load(&b, GX_f32, x, 1), q = load(&b, GX_f32, y, 1);
    p = op2(&b, GX_OP_add, GX_f32, op2(&b, GX_OP_multiply, GX_f32, p, p),
            op2(&b, GX_OP_multiply, GX_f32, q, q));
    p = add_op(t, GX_OP_sqrt, GX_f32, GX_f32, p, 0, 0);
    add_out(t, p, x, 0, dense(t, 1));
    golden(&b, "chain");

    t = new_tape(&b, 1, (int64_t[]){1000});
    t->fp_mask = GX_FP_DIVIDE | GX_FP_OVERFLOW | GX_FP_INVALID;
    p = load(&b, GX_f64, x, 1);
    q = add_const(t, GX_f64, (gx_scalar){.f64 = 2});
    add_out(t, op2(&b, GX_OP_divide, GX_f64, q, p), y, 0, dense(t, 1));
    golden(&b, "checked_divide");

    t = new_tape(&b, 1, (int64_t[]){1000});
    p = load(&b, GX_f16, x, 1);
    p = op2(&b, GX_OP_multiply, GX_f16, p, p);
    add_out(t, op2(&b, GX_OP_add, GX_f16, p, p), y, 0, dense(t, 1));
    golden(&b, "half");

    t = new_tape(&b, 1, (int64_t[]){1000});
    p = load(&b, GX_c64, x, 1);
    add_out(t, op2(&b, GX_OP_multiply, GX_c64, p, p), y, 0, dense(t, 1));
    golden(&b, "complex");

    t = new_tape(&b, 1, (int64_t[]){1000});
    p = load(&b, GX_i32, x, 1);
    q = op2(&b, GX_OP_add, GX_i32, p, add_const(t, GX_i32, (gx_scalar){.i32 = 1}));
    add_out(t, add_op(t, GX_OP_greater, GX_i32, GX_bool, q, p, 0), y, 0, dense(t, 1));
    golden(&b, "integers");

    t = new_tape(&b, 1, (int64_t[]){1000});
    p = load(&b, GX_f64, x, 1);
    add_out(t, add_cast(t, GX_f64, GX_u8, p), y, 0, dense(t, 1));
    golden(&b, "cast");
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

Test(cuda_golden, layouts) {
    bench b = bench_open(0, 1);
    gx_buffer *x = new_buffer(&b, ROOM), *y = new_buffer(&b, ROOM);
    gx_tape *t = new_tape(&b, 2, (int64_t[]){300, 400});
    uint16_t p = add_leaf(t, GX_f32, x, 0, (int64_t[]){1, 0});
    uint16_t q = add_leaf(t, GX_f32, y, 0, (int64_t[]){0, 1});
    add_out(t, op2(&b, GX_OP_add, GX_f32, p, q), y, 0, dense(t, 1));
    golden(&b, "broadcast");

    t = new_tape(&b, 1, (int64_t[]){1001});
    p = load(&b, GX_f32, x, 2);
    q = add_const(t, GX_f32, (gx_scalar){.f32 = 2});
    add_out(t, op2(&b, GX_OP_multiply, GX_f32, p, q), y, 0, dense(t, 1));
    golden(&b, "every_second");

    t = new_tape(&b, 2, (int64_t[]){300, 400});
    p = add_leaf(t, GX_f64, x, 0, (int64_t[]){1, 300});
    add_out(t, p, y, 0, dense(t, 1));
    golden(&b, "transpose");

    t = new_tape(&b, 3, (int64_t[]){7, 9, 11});
    p = add_leaf(t, GX_i16, x, 5000, (int64_t[]){-13, 130, 1});
    t->leaf[0].strides[0] = (int64_t)1 << 40; /* far rows: 64-bit positions */
    add_out(t, p, y, 0, dense(t, 1));
    t->leaf[0].strides[0] = -26;
    golden(&b, "slices");

    t = new_tape(&b, 1, (int64_t[]){1000});
    p = load(&b, GX_f64, x, 1);
    t->leaf[0].kind = GX_LEAF_RANDOM;
    t->leaf[0].dist = GX_DIST_UNIFORM64;
    t->leaf[0].strides[0] = 1;
    q = load(&b, GX_f64, x, 1);
    t->leaf[1].kind = GX_LEAF_IOTA;
    t->leaf[1].strides[0] = 1;
    add_out(t, op2(&b, GX_OP_add, GX_f64, p, q), y, 0, dense(t, 1));
    golden(&b, "generated");
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

Test(cuda_golden, reductions) {
    bench b = bench_open(0, 1);
    gx_buffer *x = new_buffer(&b, ROOM), *y = new_buffer(&b, ROOM);
    gx_tape *t = new_tape(&b, 1, (int64_t[]){100000});
    uint16_t p = load(&b, GX_f64, x, 1);
    add_out(t, p, y, 0, dense(t, 1));
    set_reduction(t, 1, GX_RED_sum, GX_f64, GX_f64);
    golden(&b, "sum");

    t = new_tape(&b, 2, (int64_t[]){400, 300});
    p = add_leaf(t, GX_f32, x, 0, (int64_t[]){1, 400});
    add_out(t, op2(&b, GX_OP_multiply, GX_f32, p, p), y, 0, (int64_t[]){1, 0});
    set_reduction(t, 1, GX_RED_max, GX_f32, GX_f32);
    golden(&b, "columns_max");

    t = new_tape(&b, 2, (int64_t[]){400, 300});
    p = load(&b, GX_i16, x, 1);
    add_out(t, p, y, 0, (int64_t[]){1, 0});
    set_reduction(t, 1, GX_RED_argmin, GX_i16, GX_i64);
    golden(&b, "rows_argmin");

    t = new_tape(&b, 1, (int64_t[]){100000});
    t->fp_mask = GX_FP_OVERFLOW | GX_FP_INVALID;
    p = load(&b, GX_f32, x, 1);
    add_out(t, p, y, 0, dense(t, 1));
    set_reduction(t, 1, GX_RED_sum, GX_f64, GX_f32);
    t->about_mean = true;
    golden(&b, "spread");
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

/* The source of a pass of the selection that the tape at hand is. */
static void emit_selection(bench *b, int pass, gx_buf *out) {
    gx_space *s = gx_alloc(b->rt, sizeof *s);
    cr_assert_not_null(s);
    gx_space_select(s, b->tape);
    s->recipe.split = (uint8_t)pass;
    cr_assert(gx_emit_source(b->rt, &s->recipe, out));
    gx_free(b->rt, s);
}

/* x[x > 0.5]: the mask and the element. */
static void selection(bench *b, gx_buffer *x, gx_buffer *y, gx_dtype d, int64_t n, int64_t step) {
    gx_tape *t = new_tape(b, 1, &n);
    uint16_t p = load(b, d, x, step), q = add_const(t, d, (gx_scalar){.bits = {0, 0}});
    add_out(t, add_op(t, GX_OP_greater, d, GX_bool, p, q, 0), y, 0, dense(t, 1));
    add_out(t, p, y, 0, dense(t, 1));
}

Test(cuda_golden, selections) {
    bench b = bench_open(0, 1);
    gx_buffer *x = new_buffer(&b, ROOM), *y = new_buffer(&b, ROOM);
    for (int pass = 0; pass < 2; pass++) {
        gx_buf out = gx_buf_new(b.rt);
        selection(&b, x, y, GX_f32, 1000, 1);
        emit_selection(&b, pass, &out);
        golden_text(&out, pass ? "select_kept" : "select_marks");
        gx_buf_free(&out);
    }
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

/* Functions of elementwise kernels: one of floats, one of mixed dtypes with a preamble. */
static const gx_inline fused = {
    .name = "f", .arity = 2, .in = {GX_f32, GX_f32}, .out = GX_f32, .cost = 8,
    .text = "\nstatic __device__ __forceinline__ float call(const float x, const float y) {\n"
            "  float z = 0; {\nz = x > y ? x * y + sinf(x) : fmaxf(x, y);\n  }\n  return z;\n}\n"};
static const gx_inline mixed = {
    .name = "g", .arity = 3, .in = {GX_bool, GX_i32, GX_f64}, .out = GX_i64, .cost = 8,
    .text = "template <class S> __device__ S K(S v) { return v * v; }\n"
            "static __device__ __forceinline__ long long call(const bool T, const int R, "
            "const double U) {\n  typedef double F;\n  long long z = 0; {\n"
            "z = T ? K(R) : (long long)pow(U, (F)2);\n  }\n  return z;\n}\n"};

static uint16_t add_call(gx_tape *t, const gx_inline *f, uint16_t a, uint16_t b, uint16_t c) {
    t->call[t->n_call] = f;
    t->step[t->n_step] = (gx_step){.kind = GX_STEP_CALL, .dtype = f->out, .compute = f->out,
                                   .spare = f->arity, .arg = (uint16_t)t->n_call++, .a = a, .b = b,
                                   .c = c};
    return (uint16_t)t->n_step++;
}

/* f(x * 2, y) + g(x > y, i, x), whole or summed; `by`: how far elements lie apart. */
static void call_tape(bench *b, gx_buffer *x, gx_buffer *y, int64_t by, bool reduce) {
    gx_tape *t = new_tape(b, 1, (int64_t[]){100000});
    t->fp_mask = GX_FP_DIVIDE | GX_FP_OVERFLOW | GX_FP_INVALID;
    uint16_t p = load(b, GX_f32, x, by), q = load(b, GX_f32, y, 1), i = load(b, GX_i32, y, 1);
    uint16_t two = add_const(t, GX_f32, (gx_scalar){.f32 = 2});
    uint16_t r = add_call(t, &fused, op2(b, GX_OP_multiply, GX_f32, p, two), q, 0);
    uint16_t more = add_op(t, GX_OP_greater, GX_f32, GX_bool, p, q, 0);
    uint16_t s = add_call(t, &mixed, more, i, add_cast(t, GX_f32, GX_f64, p));
    s = op2(b, GX_OP_add, GX_f64, add_cast(t, GX_f32, GX_f64, r), add_cast(t, GX_i64, GX_f64, s));
    add_out(t, s, y, 0, reduce ? (int64_t[]){0} : dense(t, 1));
    if (reduce) set_reduction(t, 1, GX_RED_sum, GX_f64, GX_f64);
}

Test(cuda_golden, calls) {
    bench b = bench_open(0, 1);
    gx_buffer *x = new_buffer(&b, ROOM), *y = new_buffer(&b, ROOM);
    call_tape(&b, x, y, 1, false);
    golden(&b, "calls");
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

/* --- every kernel compiles --- */

/* Kernels collected into one source, each in a namespace of its own. */
typedef struct module {
    bench b;
    gx_cuda_compiler *compiler;
    const char *target;
    gx_buffer *x;
    gx_buf source;
    int kernels, most, all;
} module;

/* False, with a line that says so, where there is no NVRTC. */
static bool module_open(module *m, const char *test, const char *target, int most) {
    *m = (module){.b = bench_open(0, 1), .target = target, .most = most};
    m->compiler = gx_alloc_zero(m->b.rt, sizeof *m->compiler);
    m->compiler->rt = m->b.rt;
    m->source = gx_buf_new(m->b.rt);
    m->x = new_buffer(&m->b, ROOM);
    if (gx_cuda_compiler_open(m->compiler)) return true;
    fprintf(stderr, "%s is skipped: %s\n", test, m->b.rt->error.message);
    gx_error_clear(m->b.rt);
    return false;
}

static void compile_module(module *m) {
    gx_buf code = gx_buf_new(m->b.rt);
    if (m->kernels == 0) return;
    bool ok = gx_cuda_compile(m->compiler, m->target, gx_buf_text(&m->source), &code);
    cr_assert(ok, "%s: %.3000s", m->target, ok ? "" : m->b.rt->error.message);
    gx_buf_free(&code);
    gx_buf_free(&m->source);
    m->source = gx_buf_new(m->b.rt);
    m->kernels = 0;
}

static void module_close(module *m, int least) {
    if (m->compiler->open) {
        compile_module(m);
        cr_assert_geq(m->all, least, "%d kernels", m->all);
    }
    gx_buf_free(&m->source);
    gx_buffer_drop(m->x);
    gx_free(m->b.rt, m->compiler);
    bench_close(&m->b);
}

/* Adds a kernel's text, and frees it. */
static void add_text(module *m, gx_buf text) {
    char *entry = strstr(text.data, "\ngx_kernel(");
    cr_assert_not_null(entry);
    *entry = 0;
    cr_assert(gx_buf_printf(&m->source,
                            "#undef GX_KERNELS_PHILOX_H\n#undef GX_PHILOX_FN\nnamespace k%d {\n%s\n"
                            "gx_kernel_%d%s}\n",
                            m->all, text.data, m->all, entry + strlen("\ngx_kernel")));
    gx_buf_free(&text);
    m->all++;
    if (++m->kernels == m->most) compile_module(m);
}

/* Adds the kernel of the tape at hand. */
static void add_kernel(module *m) {
    gx_buf text = gx_buf_new(m->b.rt);
    cr_assert(gx_tape_verify(m->b.rt, m->b.tape), "%s", m->b.rt->error.message);
    cr_assert(gx_gpu_emit(m->b.rt, m->b.tape, &text));
    add_text(m, text);
}

static gx_dtype result_dtype(int op, gx_dtype d) {
    gx_dtype real = d == GX_c64 ? GX_f32 : d == GX_c128 ? GX_f64 : d;
    switch ((gx_rule)gx_ops[op].rule) {
    case GX_RULE_TRUTH: case GX_RULE_INEXACT_TRUTH: return GX_bool;
    case GX_RULE_COUNT: return GX_u8;
    case GX_RULE_REALPART: case GX_RULE_INEXACT_REAL: return real;
    case GX_RULE_COMMON: case GX_RULE_INEXACT: case GX_RULE_DIVIDE: case GX_RULE_SELECT:
    case GX_RULE_WIDEN: case GX_RULE_ROUND: case GX_RULE_FLOAT64: case GX_RULE_LDEXP:
    case GX_RULE_SPECIAL: break;
    }
    return d;
}

/* Elements lie apart: one a thread, so that a text is compiled once. */
static void add_operation(module *m, int op, gx_dtype d) {
    gx_tape *t = new_tape(&m->b, 1, (int64_t[]){100});
    t->fp_mask = GX_FP_DIVIDE | GX_FP_OVERFLOW | GX_FP_INVALID;
    uint16_t in[3] = {0, 0, 0};
    for (int k = 0; k < gx_ops[op].arity; k++) {
        bool condition = k == 0 && gx_ops[op].rule == GX_RULE_SELECT;
        in[k] = load(&m->b, condition ? GX_bool : d, m->x, 3);
    }
    uint16_t s = add_op(t, (gx_opcode)op, d, result_dtype(op, d), in[0], in[1], in[2]);
    add_out(t, s, m->x, 0, dense(t, 3));
    add_kernel(m);
}

/* Every `step`-th operation and dtype, from `from` on. */
static void operations(const char *test, const char *target, int from, int step) {
    module m;
    int n = 0;
    if (module_open(&m, test, target, 40))
        for (int op = 1; op < GX_OP_COUNT; op++)
            for (int d = 0; d < GX_DTYPES; d++)
                if (gx_ops[op].text[gx_dtypes[d].kind] && n++ % step == from)
                    add_operation(&m, op, (gx_dtype)d);
    module_close(&m, 800 / step);
}

Test(cuda_compile_all, operations_sm_90_even, .timeout = 280) {
    operations("operations_sm_90_even", "sm_90", 0, 2);
}

Test(cuda_compile_all, operations_sm_90_odd, .timeout = 280) {
    operations("operations_sm_90_odd", "sm_90", 1, 2);
}

Test(cuda_compile_all, operations_sm_75, .timeout = 280) {
    operations("operations_sm_75", "sm_75", 3, 11);
}

Test(cuda_compile_all, operations_sm_120, .timeout = 280) {
    operations("operations_sm_120", "sm_120", 7, 11);
}

/* All casts from a dtype are the steps of one kernel. */
Test(cuda_compile_all, casts, .timeout = 280) {
    module m;
    if (module_open(&m, "casts", "sm_90", 20)) {
        for (int from = 0; from < GX_DTYPES; from++)
            for (int to = 0; to < GX_DTYPES; to += 5) {
                gx_tape *t = new_tape(&m.b, 1, (int64_t[]){100});
                t->fp_mask = GX_FP_DIVIDE | GX_FP_OVERFLOW | GX_FP_INVALID;
                uint16_t x = load(&m.b, (gx_dtype)from, m.x, 3);
                for (int k = to; k < to + 5 && k < GX_DTYPES; k++)
                    add_out(t, add_cast(t, (gx_dtype)from, (gx_dtype)k, x), m.x, 0, dense(t, 3));
                add_kernel(&m);
            }
    }
    module_close(&m, 42);
}

/* A sum of two leaves of every dtype in every layout. */
static void layouts(const char *test, const char *target) {
    static const int64_t ways[][3][2] = {
        {{40, 1}, {40, 1}, {40, 1}}, {{40, 1}, {0, 1}, {40, 1}}, {{1, 0}, {0, 1}, {40, 1}},
        {{1, 40}, {40, 1}, {40, 1}}, {{80, 2}, {41, 1}, {40, 1}}, {{0, 0}, {40, -1}, {41, 1}}};
    module m;
    if (module_open(&m, test, target, 20)) {
        for (int d = 0; d < GX_DTYPES; d++)
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                gx_tape *t = new_tape(&m.b, 2, (int64_t[]){40, 40});
                uint16_t x = add_leaf(t, (gx_dtype)d, m.x, 0, ways[w][0]);
                uint16_t y = add_leaf(t, (gx_dtype)d, m.x, 39, ways[w][1]);
                uint16_t s = op2(&m.b, GX_OP_add, (gx_dtype)d, x, y);
                add_out(t, s, m.x, 0, ways[w][2]);
                add_kernel(&m);
            }
    }
    module_close(&m, 84);
}

Test(cuda_compile_all, layouts_sm_75, .timeout = 280) {
    layouts("layouts_sm_75", "sm_75");
}

Test(cuda_compile_all, layouts_sm_120, .timeout = 280) {
    layouts("layouts_sm_120", "sm_120");
}

/* Every reduction of every accumulator, along rows, along columns and over all. */
static void reductions(const char *test, const char *target, int from, int step) {
    static const int64_t ways[][2] = {{300, 1}, {1, 40}, {301, 2}};
    module m;
    int n = 0;
    if (module_open(&m, test, target, 20)) {
        for (int red = 0; red < GX_RED_COUNT; red++)
            for (int d = 0; d < GX_DTYPES; d++)
                for (int w = 0; w < 3; w++) {
                    if (!gx_reds[red].combine[gx_dtypes[d].kind] || n++ % step != from) continue;
                    bool index = gx_reds[red].rule == GX_REDRULE_INDEX;
                    gx_tape *t = new_tape(&m.b, 2, (int64_t[]){40, 300});
                    t->fp_mask = GX_FP_OVERFLOW | GX_FP_INVALID;
                    uint16_t x = add_leaf(t, (gx_dtype)d, m.x, 0, ways[w]);
                    add_out(t, x, m.x, 0, (int64_t[]){w < 2, 0});
                    set_reduction(t, w < 2 ? 1 : 2, (gx_redcode)red, (gx_dtype)d,
                                  index ? GX_i64 : (gx_dtype)d);
                    add_kernel(&m);
                }
    }
    module_close(&m, 250 / step);
}

Test(cuda_compile_all, reductions_sm_90, .timeout = 280) {
    reductions("reductions_sm_90", "sm_90", 0, 2);
}

Test(cuda_compile_all, reductions_sm_75, .timeout = 280) {
    reductions("reductions_sm_75", "sm_75", 1, 8);
}

/* Calls of elementwise kernels, in packs, one by one, and summed. */
static void calls(const char *test, const char *target) {
    module m;
    if (module_open(&m, test, target, 1))
        for (int k = 0; k < 4; k++) {
            call_tape(&m.b, m.x, m.x, 1 + k / 2, k & 1);
            add_kernel(&m);
        }
    module_close(&m, 4);
}

Test(cuda_compile_all, calls_sm_75, .timeout = 280) {
    calls("calls_sm_75", "sm_75");
}

Test(cuda_compile_all, calls_sm_90, .timeout = 280) {
    calls("calls_sm_90", "sm_90");
}

Test(cuda_compile_all, calls_sm_120, .timeout = 280) {
    calls("calls_sm_120", "sm_120");
}

/* Selections of packs, of strided elements and of halves; spreads along rows and columns. */
static void selections(const char *test, const char *target) {
    module m;
    if (!module_open(&m, test, target, 20)) return;
    for (int d = 0; d < GX_DTYPES; d++)
        for (int k = 0; k < 4; k++) {
            gx_buf text = gx_buf_new(m.b.rt);
            selection(&m.b, m.x, m.x, (gx_dtype)d, 1000, 1 + (k & 2));
            m.b.tape->fp_mask = k & 2 ? GX_FP_INVALID : 0;
            emit_selection(&m.b, k & 1, &text);
            add_text(&m, text);
        }
    for (int k = 0; k < 12; k++) {
        gx_dtype d = k & 1 ? GX_f32 : GX_f64;
        int64_t shape[2] = {k % 3 ? 500 : 3, k % 3 == 2 ? 7 : k % 3 ? 200 : 40000};
        gx_tape *t = new_tape(&m.b, 2, shape);
        const int64_t rows[2] = {shape[1], 1}, columns[2] = {1, shape[0]};
        uint16_t p = add_leaf(t, d, m.x, 0, k >= 6 ? columns : rows);
        add_out(t, p, m.x, 0, (int64_t[]){1, 0});
        set_reduction(t, 1, GX_RED_sum, GX_f64, d);
        t->about_mean = true;
        t->fp_mask = k % 4 < 2 ? GX_FP_INVALID : 0;
        add_kernel(&m);
    }
    module_close(&m, 4 * GX_DTYPES + 12);
}

Test(cuda_compile_all, selections_sm_90, .timeout = 280) {
    selections("selections_sm_90", "sm_90");
}

Test(cuda_compile_all, selections_sm_75, .timeout = 280) {
    selections("selections_sm_75", "compute_75");
}

/* Every kernel of the filters, between dtypes, each in a module of its own: all have the same
   names inside. */
Test(cuda_compile_all, filters, .timeout = 280) {
    static const uint8_t dtypes[][2] = {{GX_f32, GX_f32}, {GX_f64, GX_f64}, {GX_u8, GX_i64},
                                        {GX_i64, GX_u64}, {GX_bool, GX_bool}};
    static const gx_image_swap network[] = {{0, 1, true, true}, {1, 2, true, true},
                                            {0, 1, false, true}};
    module m;
    int all = 0;
    if (module_open(&m, "filters", "sm_90", 1)) {
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
            for (int kernel = 0; kernel < 9; kernel++) {
                gx_filter f = {.from = dtypes[d][0], .to = dtypes[d][1], .ndim = 2, .size = 5,
                               .symmetry = kernel % 3 - 1, .taps = 3, .network = network,
                               .swaps = 3, .slot = 1};
                if (f.symmetry == 0) f.size = 4;
                cr_assert(gx_gpu_filter_text(m.b.rt, &f, kernel, &m.source));
                cr_assert_not_null(strstr(gx_buf_text(&m.source), "extern \"C\" __global__"));
                m.kernels = 1;
                compile_module(&m);
                all++;
            }
        cr_assert_eq(all, 45);
    }
    module_close(&m, 0);
}
