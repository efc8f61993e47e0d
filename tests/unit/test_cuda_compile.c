/* The kernel compiler and its disk cache, which need no GPU: compiling, hits and misses, broken and
   foreign files, folders that must not be used. Skipped, with a line saying so, where NVRTC is not
   installed. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/backend/cuda/solver_int.h"

static const char source[] = "extern \"C\" __global__ void f(float *x) { x[threadIdx.x] += 1; }\n";

static gx_cuda_compiler *make(gx_rt *rt) {
    gx_cuda_compiler *n = gx_alloc_zero(rt, sizeof *n);
    cr_assert_not_null(n);
    n->rt = rt;
    return n;
}

/* NVRTC, or NULL when this machine has none. */
static gx_cuda_compiler *open_or_skip(gx_rt *rt, const char *test) {
    gx_cuda_compiler *n = make(rt);
    if (gx_cuda_compiler_open(n)) return n;
    fprintf(stderr, "%s is skipped: %s\n", test, rt->error.message);
    gx_error_clear(rt);
    gx_free(rt, n);
    return NULL;
}

static void fresh_folder(char *path) {
    strcpy(path, "/tmp/gx_cache_XXXXXX");
    cr_assert_not_null(mkdtemp(path));
    setenv("XDG_CACHE_HOME", path, 1);
    unsetenv("GX_CACHE");
}

/* The one file in the cache's folder; false: none, or several. */
static bool only_file(const char *base, char *path, size_t room) {
    char folder[128];
    int found = 0;
    snprintf(folder, sizeof folder, "%s/gx", base);
    DIR *dir = opendir(folder);
    if (!dir) return false;
    for (struct dirent *d; (d = readdir(dir));) {
        if (d->d_name[0] == '.') continue;
        found++;
        snprintf(path, room, "%s/%s", folder, d->d_name);
    }
    closedir(dir);
    return found == 1;
}

static void close_all(gx_cuda_compiler *n) {
    gx_rt *rt = n->rt;
    gx_free(rt, n);
    gx_rt_free(rt);
}

static void remove_all(const char *base) {
    char path[512], folder[128];
    while (only_file(base, path, sizeof path)) unlink(path);
    snprintf(folder, sizeof folder, "%s/gx", base);
    rmdir(folder);
    rmdir(base);
}

/* Compiles `source` for sm_90; the number of compilations this took. */
static int64_t compile(gx_cuda_compiler *n, gx_buf *code) {
    int64_t before = n->rt->gpu_stats.compiled;
    *code = gx_buf_new(n->rt);
    cr_assert(gx_cuda_compile(n, "sm_90", source, code));
    cr_assert_gt(code->length, 100);
    cr_assert_eq(memcmp(code->data, "\177ELF", 4), 0);
    return n->rt->gpu_stats.compiled - before;
}

/* Begun beside: the same code as of a compiler that is waited for, and on disk then, where jobs
   that begin after the first one's end find it. */
Test(cuda_compile, beside) {
    char base[32];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "beside");
    if (!n) return;
    fresh_folder(base);
    enum { JOBS = 12 }; /* more than compile at a time */
    gx_cuda_job *job[JOBS];
    gx_buf code = gx_buf_new(rt), waited;
    for (int i = 0; i < JOBS; i++) {
        cr_assert(gx_cuda_job_begin(n, "sm_90", source, &code, &job[i]));
        cr_assert(job[i] || (i && code.length));
    }
    for (int i = 0; i < JOBS; i++) {
        code.length = 0;
        if (job[i] && i == JOBS - 1) gx_cuda_job_leave(job[i]);
        else if (job[i]) cr_assert(gx_cuda_job_look(&job[i], true, &code));
    }
    cr_assert_eq(compile(n, &waited), 0);
    cr_assert(gx_cuda_job_begin(n, "sm_90", source, &waited, &job[0]));
    cr_assert(!job[0]);
    gx_cuda_jobs_close(n);
    gx_buf_free(&code);
    gx_buf_free(&waited);
    remove_all(base);
    close_all(n);
}

/* By copies of the helper, once it is ready; one that was ended is not asked. */
Test(cuda_compile, by_the_helper) {
    char base[32], text[256];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "by_the_helper");
    if (!n) return;
    fresh_folder(base);
    gx_cuda_job *job;
    gx_buf code = gx_buf_new(rt), waited;
    gx_nvrtc_helper_open(n);
    cr_assert_gt(n->helper.pid, 0);
    gx_nvrtc_helper_tell(n);
    const time_t begun = time(NULL);
    for (int i = 0; time(NULL) - begun < 120 && !n->helper.ready; i++) {
        snprintf(text, sizeof text, "// %d\n%s", i, source);
        code.length = 0;
        cr_assert(gx_cuda_job_begin(n, "sm_90", text, &code, &job) && job);
        cr_assert(gx_cuda_job_look(&job, true, &code));
    }
    cr_assert(n->helper.ready);
    code.length = 0;
    cr_assert(gx_cuda_job_begin(n, "sm_90", source, &code, &job) && job);
    cr_assert(gx_cuda_job_look(&job, true, &code));
    cr_assert_eq(compile(n, &waited), 0); /* it left its code on disk */
    cr_assert_eq(code.length, waited.length);
    cr_assert_eq(memcmp(code.data, waited.data, code.length), 0);
    gx_cuda_jobs_close(n);
    cr_assert_eq(n->helper.pid, 0);
    code.length = 0;
    cr_assert(gx_cuda_job_begin(n, "sm_80", source, &code, &job) && job);
    cr_assert(gx_cuda_job_look(&job, true, &code));
    cr_assert_gt(code.length, 100);
    gx_cuda_jobs_close(n);
    gx_buf_free(&code);
    gx_buf_free(&waited);
    close_all(n);
    cr_assert_eq(system("rm -r \"$XDG_CACHE_HOME\""), 0);
}

Test(cuda_compile, second_time_from_disk) {
    char base[32], path[512];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "second_time_from_disk");
    if (!n) return;
    fresh_folder(base);
    gx_buf a, b;
    cr_assert_eq(compile(n, &a), 1);
    struct stat info;
    cr_assert(only_file(base, path, sizeof path));
    cr_assert_eq(stat(path, &info), 0);
    cr_assert_eq(info.st_mode & 077, 0);
    cr_assert_eq(compile(n, &b), 0);
    cr_assert_eq(a.length, b.length);
    cr_assert_eq(memcmp(a.data, b.data, a.length), 0);
    gx_buf_free(&a);
    gx_buf_free(&b);
    remove_all(base);
    close_all(n);
}

Test(cuda_compile, broken_files_are_compiled_again) {
    char base[32], path[512];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "broken_files_are_compiled_again");
    if (!n) return;
    fresh_folder(base);
    gx_buf code;
    cr_assert_eq(compile(n, &code), 1);
    size_t length = code.length;
    gx_buf_free(&code);
    cr_assert(only_file(base, path, sizeof path));
    struct stat info;
    stat(path, &info);
    /* a flipped bit in the head, the text, the code; a file cut short; an empty one */
    const long places[] = {3, 40, (long)info.st_size - 5};
    for (size_t i = 0; i < 3; i++) {
        FILE *f = fopen(path, "r+");
        fseek(f, places[i], SEEK_SET);
        int c = fgetc(f);
        fseek(f, places[i], SEEK_SET);
        fputc(c ^ 4, f);
        fclose(f);
        cr_assert_eq(compile(n, &code), 1);
        cr_assert_eq(code.length, length);
        gx_buf_free(&code);
        cr_assert_eq(compile(n, &code), 0);
        gx_buf_free(&code);
    }
    const off_t sizes[] = {(off_t)info.st_size - 1, 17, 0};
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(truncate(path, sizes[i]), 0);
        cr_assert_eq(compile(n, &code), 1);
        cr_assert_eq(code.length, length);
        gx_buf_free(&code);
    }
    remove_all(base);
    close_all(n);
}

Test(cuda_compile, folders_of_others_are_not_used) {
    char base[32], path[512], folder[64];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "folders_of_others_are_not_used");
    if (!n) return;
    fresh_folder(base);
    gx_buf code;
    snprintf(folder, sizeof folder, "%s/gx", base);
    cr_assert_eq(mkdir(folder, 0700), 0);
    cr_assert_eq(chmod(folder, 0777), 0);
    cr_assert_eq(compile(n, &code), 1);
    gx_buf_free(&code);
    cr_assert_not(only_file(base, path, sizeof path));
    chmod(folder, 0700);
    setenv("GX_CACHE", "0", 1);
    cr_assert_eq(compile(n, &code), 1);
    gx_buf_free(&code);
    cr_assert_not(only_file(base, path, sizeof path));
    unsetenv("GX_CACHE");
    cr_assert_eq(compile(n, &code), 1);
    gx_buf_free(&code);
    cr_assert(only_file(base, path, sizeof path));
    remove_all(base);
    close_all(n);
}

Test(cuda_compile, the_log_is_in_the_message) {
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "the_log_is_in_the_message");
    if (!n) return;
    gx_buf code = gx_buf_new(rt);
    setenv("GX_CACHE", "0", 1);
    cr_assert_not(gx_cuda_compile(n, "sm_90", "__global__ void f() { wrong; }", &code));
    cr_assert_eq(rt->error.kind, GX_RuntimeError);
    cr_assert_str_eq(rt->error.code, "cuda.compile");
    cr_assert_not_null(strstr(rt->error.message, "wrong"));
    gx_error_clear(rt);
    cr_assert(gx_cuda_compile(n, "compute_75", source, &code));
    cr_assert_not_null(strstr(gx_buf_text(&code), ".target sm_75"));
    gx_buf_free(&code);
    close_all(n);
}

Test(cuda_compile, small_matrices) {
    char base[32];
    gx_rt *rt = gx_rt_new();
    gx_cuda_compiler *n = open_or_skip(rt, "small_matrices");
    if (!n) return;
    fresh_folder(base);
    static const gx_dtype dtypes[] = {GX_f64, GX_c128, GX_f32, GX_c64};
    for (int kernel = GX_KERNEL_SYSTEMS; kernel <= GX_KERNEL_SVD; kernel++)
        for (int d = 0; d < (kernel == GX_KERNEL_SYSTEMS ? 4 : 2); d++) {
            const gx_batch_key key = {(uint8_t)dtypes[d], (uint8_t)kernel};
            gx_buf text = gx_buf_new(rt), code = gx_buf_new(rt);
            cr_assert(gx_batch_source(rt, &key, &text));
            cr_assert(gx_cuda_compile(n, "sm_90", gx_buf_text(&text), &code), "%s",
                      rt->error.message ? rt->error.message : "");
            cr_assert_gt(code.length, 1000);
            gx_buf_free(&text);
            gx_buf_free(&code);
        }
    close_all(n);
    cr_assert_eq(system("rm -r \"$XDG_CACHE_HOME\""), 0);
}
