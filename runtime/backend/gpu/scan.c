/* Running totals and products (kernels/scan.cu), of C-contiguous arrays seen as (outer, n, inner).
   The order in which elements are combined depends on extents and alignment alone. */
#include "kernels/device_text.h"
#include "runtime/backend/gpu/emit_int.h"

typedef struct scan_key {
    uint8_t dtype, product, width;
} scan_key;

typedef struct scan_params {
    gx_gpu_ptr from, to;
    int64_t outer, n, inner, chunks;
    gx_gpu_ptr sums, totals, starts;
} scan_params;

typedef struct tell_params {
    gx_gpu_ptr from, to;
    int64_t outer, n, inner;
    gx_gpu_ptr fp, told;
} tell_params;

/* Integers wrap: they are scanned as unsigned ones. */
static const char *unsigned_type(int bytes) {
    return bytes == 1   ? "unsigned char"
           : bytes == 2 ? "unsigned short"
           : bytes == 4 ? "unsigned"
                        : "unsigned long long";
}

static bool add_complex(gx_buf *out, const scan_key *k) {
    const char *real = k->dtype == GX_c64 ? "float" : "double";
    return gx_buf_printf(out, "struct alignas(%d) C {\n    %s re, im;\n};\ntypedef C T;\n",
                         gx_dtypes[k->dtype].bytes, real) &&
           gx_buf_printf(out,
                         "GX_IN C gx_complex(%s re, %s im) {\n    C c;\n    c.re = re;\n"
                         "    c.im = im;\n    return c;\n}\n"
                         "#define GX_ONE gx_complex(%d, 0)\n"
                         "GX_IN C gx_join(C x, C y) {\n    return gx_complex(%s);\n}\n",
                         real, real, k->product,
                         k->product ? "x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re"
                                    : "x.re + y.re, x.im + y.im");
}

static bool add_real(gx_buf *out, const scan_key *k) {
    int kind = gx_dtypes[k->dtype].kind;
    const char *stored = gx_emit_stored(k->dtype), *type = gx_emit_type(k->dtype);
    if (kind < GX_KIND_FLOAT) stored = type = unsigned_type(gx_dtypes[k->dtype].bytes);
    const char *op = k->product ? "*" : "+";
    if (kind == GX_KIND_BOOL) op = k->product ? "&" : "|";
    return gx_buf_printf(out,
                         "typedef %s T;\ntypedef %s C;\n#define GX_ONE ((C)%d)\n"
                         "GX_IN C gx_join(C x, C y) {\n    return (C)(x %s y);\n}\n",
                         stored, type, k->product, op);
}

bool gx_scan_source(gx_rt *rt, const void *arg, gx_buf *out) {
    const scan_key *k = arg;
    gx_emit e = {.out = out, .ok = true};
    bool half = gx_is_half(k->dtype), cplx = gx_dtypes[k->dtype].kind == GX_KIND_CPLX;
    (void)rt;
    gx_emit_text(&e,
                 "#define GX_FN static __device__ __forceinline__\n#define GX_IN GX_FN\n"
                 "#define V %d\n",
                 k->width);
    if (half) gx_emit_half(&e, k->dtype);
    if (!e.ok || !(cplx ? add_complex(out, k) : add_real(out, k))) return false;
    if (gx_dtypes[k->dtype].bytes <= 8 && !gx_buf_puts(out, "#define GX_ONCE 1\n")) return false;
    if (gx_dtypes[k->dtype].kind == GX_KIND_FLOAT &&
        !gx_buf_printf(out, "#define GX_OVERFLOW %d\n#define GX_INVALID %d\n", GX_FP_OVERFLOW,
                       GX_FP_INVALID))
        return false;
    return gx_buf_printf(out,
                         "GX_IN C gx_from(T x) {\n    return %s%s;\n}\n"
                         "GX_IN T gx_into(C x) {\n    return %s%s;\n}\n",
                         gx_dtypes[k->dtype].half, half ? "_wide(x)" : "x",
                         gx_dtypes[k->dtype].half, half ? "_bits(x)" : "x") &&
           gx_buf_puts(out, gx_device_text_scan);
}

bool gx_scan_texts(gx_gpu_texts *l) {
    for (int i = 0; i < GX_USUAL; i++)
        for (int turn = 0; turn < 4; turn++) {
            const uint8_t d = gx_gpu_usual[i];
            const scan_key k = {d, turn / 2 != 0,
                                (uint8_t)(turn % 2 ? 16 / gx_dtypes[d].bytes : 1)};
            if (!gx_gpu_text(l, &k)) return false;
        }
    return true;
}

static bool launch_scan(gx_gpu *g, const scan_key *key, const char *entry, int64_t blocks,
                const scan_params *p) {
    gx_gpu_kernel *k;
    return gx_gpu_kernel_get(g, gx_gpu_family_SCAN(), key, sizeof *key, entry, key, &k) &&
           gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, 0, p, sizeof *p);
}

/* As kernels/scan.cu has it: each element is read once. */
static bool run_once(gx_gpu *g, const scan_key *key, scan_params *p) {
    enum { GROUP = 128, TOTAL_BYTES = 16 };
    int64_t passes = key->width >= 16 ? 2 : key->width == 8 ? 4 : 8;
    int64_t chunk = passes * GX_GPU_THREADS * key->width;
    p->chunks = (p->n + chunk - 1) / chunk;
    int64_t totals = p->outer * p->chunks, starts = p->outer * ((p->chunks + GROUP - 1) / GROUP);
    int64_t bytes = (totals + starts) * TOTAL_BYTES;
    gx_buffer *room;
    if (!gx_gpu_scratch(g, bytes, &room)) return false;
    p->totals = gx_gpu_address(room);
    p->starts = p->totals + (gx_gpu_ptr)(totals * TOTAL_BYTES);
    bool ok = gx_gpu_fill(g, p->totals, 0, bytes) && launch_scan(g, key, "gx_scan_once", totals, p);
    gx_buffer_drop(room);
    return ok;
}

static bool run_chunks(gx_gpu *g, scan_key *key, scan_params *p, int item) {
    int64_t row = p->n * item, places = (int64_t)(p->from | p->to);
    if (places % 16 == 0 && (p->outer == 1 || row % 16 == 0)) key->width = (uint8_t)(16 / item);
    if (item <= 8) return run_once(g, key, p);
    int64_t chunk = (key->width == 1 ? 8 : 4) * 256 * (int64_t)key->width;
    p->chunks = (p->n + chunk - 1) / chunk;
    gx_buffer *sums = NULL;
    if (p->chunks > 1) {
        if (!gx_gpu_scratch(g, p->outer * p->chunks * 16, &sums)) return false;
        p->sums = gx_gpu_address(sums);
    }
    bool ok = !sums || (launch_scan(g, key, "gx_sum_chunks", p->outer * p->chunks, p) &&
                        launch_scan(g, key, "gx_scan_sums", p->outer, p));
    ok = ok && launch_scan(g, key, "gx_scan_chunks", p->outer * p->chunks, p);
    gx_buffer_drop(sums);
    return ok;
}

/* Another launch looks at the last totals, and sets a word where they overflowed. */
static bool tell(gx_gpu *g, const scan_key *key, const scan_params *p) {
    gx_gpu_kernel *k;
    tell_params t = {p->from, p->to, p->outer, p->n, p->inner, 0, 0};
    int64_t rows = p->outer * p->inner;
    if (gx_dtypes[key->dtype].kind != GX_KIND_FLOAT || p->from == p->to) return true;
    if (!gx_gpu_flags(g, &t.fp) || !gx_gpu_told(g, &t.told)) return false;
    bool ok = gx_gpu_kernel_get(g, gx_gpu_family_SCAN(), key, sizeof *key, "gx_scan_tell", key,
                                &k) &&
              gx_gpu_launch(g, k, (rows + 255) / 256, GX_GPU_THREADS, 0, &t, sizeof t);
    g->base.backend->blame(&g->base, "accumulate", g->base.rt->here);
    return ok;
}

bool gx_gpu_scans(const gx_totals *j) {
    return j->dtype == j->total;
}

GX_CHECK bool gx_gpu_scan(gx_device *d, const gx_totals *j, int *fp) {
    enum { SHORT = 1024 };
    gx_gpu *g = gx_gpu_of(d);
    const int64_t outer = j->outer, n = j->n, inner = j->inner;
    scan_key key = {.dtype = (uint8_t)j->total, .product = j->product, .width = 1};
    scan_params p = {.from = gx_gpu_address(j->from) + (gx_gpu_ptr)j->offset,
                     .to = gx_gpu_address(j->to),
                     .outer = outer,
                     .n = n,
                     .inner = inner};
    *fp = 0;
    if (outer * n * inner == 0) return true;
    bool ok = inner > 1 ? launch_scan(g, &key, "gx_scan_columns", (outer * inner + 255) / 256, &p)
              : n <= SHORT && outer > 1 ? launch_scan(g, &key, "gx_scan_rows", (outer + 7) / 8, &p)
                                        : run_chunks(g, &key, &p, gx_dtypes[j->total].bytes);
    return ok && tell(g, &key, &p);
}
