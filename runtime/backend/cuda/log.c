/* What NVRTC says of a kernel, in gx's words: the first errors with their lines of the script, a
   fix for what is known, host code that was pasted along, and warnings. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cuda/nvrtc_int.h"
#include "runtime/backend/cuda/ptx.h"

enum { TOLD = 5 };

/* One message: "file(line): error: text", then the line of the source and a mark. */
typedef struct message {
    const char *file, *text, *end; /* text: behind "error: "; end: of all its lines */
    int file_length, text_length;
    int line;
    bool error;
} message;

static bool read_message(const char *line, message *out) {
    const char *end = strchr(line, '\n'), *paren = NULL;
    if (!end) end = line + strlen(line);
    for (const char *p = line; p + 3 < end && !paren; p++)
        if (p[0] == ')' && p[1] == ':' && p[2] == ' ') paren = p;
    const char *open = paren;
    while (open && open > line && isdigit((unsigned char)open[-1])) open--;
    if (!paren || open == paren || open <= line || open[-1] != '(') return false;
    const char *word = paren + 3, *text = strstr(word, ": ");
    if (!text || text > end) return false;
    out->error = strncmp(word, "error", 5) == 0 || strncmp(word, "catastrophic error", 18) == 0;
    if (!out->error && strncmp(word, "warning", 7) != 0) return false;
    out->file = line;
    out->file_length = (int)(open - 1 - line);
    out->line = atoi(open);
    out->text = text + 2;
    out->text_length = (int)(end - out->text);
    out->end = strstr(line, "\n\n");
    if (!out->end) out->end = line + strlen(line);
    return true;
}

/* The next message from *at on. */
static bool next_message(const char **at, message *out) {
    for (const char *p = *at; *p;) {
        if (read_message(p, out)) {
            *at = out->end;
            return true;
        }
        const char *end = strchr(p, '\n');
        p = end ? end + 1 : p + strlen(p);
    }
    return false;
}

/* "kernel.gx:4: identifier "y" is undefined", the line and the mark. */
static void note_message(gx_rt *rt, const message *m) {
    const char *rest = m->text + m->text_length;
    int n = (int)(m->end - rest);
    gx_note(rt, "%.*s:%d: %.*s%.*s", m->file_length, m->file, m->line, m->text_length, m->text, n,
            rest);
}

/* --- fixes --- */

/* What a message's text has, and what helps. */
static const struct {
    const char *text, *help;
} fixes[] = {
    {"\"__shfl_down\"",
     "__shfl_down_sync(0xffffffff, value, delta): the lanes that take part are named"},
    {"\"__shfl_up\"",
     "__shfl_up_sync(0xffffffff, value, delta): the lanes that take part are named"},
    {"\"__shfl_xor\"",
     "__shfl_xor_sync(0xffffffff, value, mask): the lanes that take part are named"},
    {"\"__shfl\"", "__shfl_sync(0xffffffff, value, lane): the lanes that take part are named"},
    {"\"__ballot\"", "__ballot_sync(0xffffffff, condition): the lanes that take part are named"},
    {"\"__any\"", "__any_sync(0xffffffff, condition): the lanes that take part are named"},
    {"\"__all\"", "__all_sync(0xffffffff, condition): the lanes that take part are named"},
    {"\"half\"", "#include <cuda_fp16.h>"},
    {"\"half2\"", "#include <cuda_fp16.h>"},
    {"\"__half\"", "#include <cuda_fp16.h>"},
    {"\"__half2\"", "#include <cuda_fp16.h>"},
    {"\"__float2half\"", "#include <cuda_fp16.h>"},
    {"\"__half2float\"", "#include <cuda_fp16.h>"},
    {"\"__nv_bfloat16\"", "#include <cuda_bf16.h>"},
    {"\"__nv_bfloat162\"", "#include <cuda_bf16.h>"},
    {"\"__nv_fp8_e4m3\"", "#include <cuda_fp8.h>"},
    {"\"nvcuda\"", "#include <mma.h>"},
    {"\"wmma\"", "#include <mma.h>, and `using namespace nvcuda;`"},
    {"\"cooperative_groups\"", "#include <cooperative_groups.h>"},
    {"\"cg\"", "#include <cooperative_groups.h>, and `namespace cg = cooperative_groups;`"},
    {"\"curandState\"", "#include <curand_kernel.h>"},
    {"\"curandState_t\"", "#include <curand_kernel.h>"},
    {"\"curand_init\"", "#include <curand_kernel.h>"},
    {"\"cuComplex\"", "#include <cuComplex.h>"},
    {"\"cuFloatComplex\"", "#include <cuComplex.h>"},
    {"\"cuDoubleComplex\"", "#include <cuComplex.h>"},
    {"\"complex\"", "#include <cupy/complex.cuh>"},
    {"\"__reduce_", "a newer target: options=(\"-arch=sm_80\",)"},
    {"__cluster_dims__", "a newer target, options=(\"-arch=sm_90\",), and a GPU: clusters are not "
                         "simulated"},
    {"device-side kernel launch", "a kernel cannot start another one here: launch the second from "
                                  "the script, which runs it after the first"},
    {"\"cudaDeviceSynchronize\"", "__syncthreads() waits for the block; a second launch from the "
                                  "script waits for all of the first"},
    {"\"cudaMalloc\"", "zeros(n, dtype=float32) in the script, or malloc(bytes) in the kernel"},
    {"\"blockidx\"", "blockIdx"},
    {"\"threadidx\"", "threadIdx"},
    {"\"blockdim\"", "blockDim"},
    {"\"griddim\"", "gridDim"},
    {"\"syncthreads\"", "__syncthreads();"},
    {"has no member \"vector\"",
     "an array of a fixed size, T v[64], or memory that the script gives"},
    {"must have a constant value", "constexpr int N = 32; for a size that is known, or extern "
                                   "__shared__ T s[]; whose bytes the launch gives: k[grid, block, "
                                   "bytes]"},
    {"a void return type", "__global__ void: a kernel gives its results in arrays"},
    {"texture is not a template", "texture references are gone from CUDA 12: read from an array, "
                                  "const float*"},
    {"__host__ function is not allowed",
     "device-wide calls of cub and thrust are the script's in gx: cumsum(x), sort(x), x.sum(), "
     "histogram(x), unique(x)"},
    {"\"texture\"", "texture references are gone from CUDA 12: read from an array, const float*"},
    {"\"cub\"",
     "in gx the script has these: cumsum(x), sort(x), x.sum(), histogram(x); inside of a "
     "block: #include <cub/cub.cuh>"},
    {"\"thrust\"", "in gx the script has these: sort(x), cumsum(x), x.sum(), where, unique"}};

static bool has_word(const char *from, const char *end, const char *word) {
    size_t n = strlen(word);
    for (const char *p = from; p + n <= end; p++)
        if (memcmp(p, word, n) == 0) return true;
    return false;
}

static void help(gx_rt *rt, const message *m) {
    if (rt->error.help) return;
    for (size_t k = 0; k < sizeof fixes / sizeof *fixes; k++)
        if (has_word(m->text, m->text + m->text_length, fixes[k].text)) {
            gx_help(rt, "%s", fixes[k].help);
            return;
        }
    if (!has_word(m->text, m->text + m->text_length, "cannot open source file")) return;
    if (has_word(m->text, m->text + m->text_length, "\"thrust/") ||
        has_word(m->text, m->text + m->text_length, "\"cub/"))
        gx_help(rt,
                "thrust and CUB come with the CUDA toolkit, which is not installed here; in gx the "
                "script has sort(x), cumsum(x), x.sum()");
    else
        gx_help(rt, "leave out the #include if it is for the host, or put the file's text into the "
                    "kernel's");
}

bool gx_nvrtc_fail(gx_rt *rt, const char *log) {
    message m, first = {.error = false};
    int errors = 0;
    bool names = false; /* a name that is not there brings other errors before and behind it */
    for (const char *p = log; next_message(&p, &m);) {
        if (!m.error) continue;
        bool unknown = has_word(m.text, m.text + m.text_length, "is undefined");
        if (!errors++ || (unknown && !names)) first = m;
        names |= unknown;
    }
    if (!errors) {
        gx_fail(rt, GX_RuntimeError, "kernel.compile", "the kernel does not compile: %s",
                *log ? log : "NVRTC says nothing more");
        return false;
    }
    char more[32] = "";
    if (errors > 1) snprintf(more, sizeof more, "; %d errors", errors);
    gx_fail(rt, GX_RuntimeError, "kernel.compile", "the kernel does not compile: %.*s%s",
            first.text_length, first.text, more);
    int told = 0;
    for (const char *p = log; told < TOLD && next_message(&p, &m);) {
        if (!m.error) continue;
        told++;
        note_message(rt, &m);
        help(rt, &m);
    }
    if (rt->debug.safe && strstr(log, "cannot open source file"))
        gx_note(rt, "GX_SAFE=1 keeps kernels away from files; gx's own headers can be included");
    return false;
}

/* What is a mistake more often than not; the rest of NVRTC's warnings is not told. */
static bool is_telling(const message *m) {
    static const char *const signs[] = {"missing return statement",
                                        "used before its value is set",
                                        "expression has no effect",
                                        "integer conversion resulted in",
                                        "is used uninitialized",
                                        "subscript out of range",
                                        "shift count is",
                                        "pointless comparison",
                                        "division by zero",
                                        "statement is unreachable",
                                        "infinite loop"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (has_word(m->text, m->text + m->text_length, signs[k])) return true;
    return false;
}

static bool is_of(const message *m, const char *file) {
    return (int)strlen(file) == m->file_length && memcmp(file, m->file, strlen(file)) == 0;
}

bool gx_ptx_error(const char **log, const char *file, int *line) {
    message m;
    *line = 0;
    while (next_message(log, &m)) {
        if (!m.error) continue;
        *line = is_of(&m, file) ? m.line : 0;
        return true;
    }
    return false;
}

bool gx_ptx_warning(const char **log, const char *file, int *line, const char **text, int *n) {
    message m;
    while (next_message(log, &m)) {
        if (m.error || !is_of(&m, file) || !is_telling(&m)) continue;
        *line = m.line;
        *text = m.text;
        *n = m.text_length;
        return true;
    }
    return false;
}
