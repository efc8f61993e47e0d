/* Files of kernels that were compiled with gx, as tools/kernel-library writes them: a line with
   their number, a line for each (the name of its text, where its code begins, its bytes), all of
   one width and in the order of names, and then the code. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/dtypes.h"
#include "runtime/backend/gpu/texts_int.h"

static const char head[] = "gx kernels 1 ";
enum { HEAD = sizeof head - 1 + 11, ROW = 32 + 2 * 13 + 1 };

static uint64_t hash(const char *p, uint64_t h) {
    for (; *p; p++) {
        h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001B3);
        h ^= h >> 29;
    }
    h *= UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 32);
}

const unsigned char gx_gpu_usual[GX_USUAL] = {GX_i32, GX_i64, GX_f32, GX_f64};

bool gx_gpu_text(gx_gpu_texts *l, const void *arg) {
    gx_buf text = gx_buf_new(l->rt);
    bool ok = l->family.source(l->rt, arg, &text) && l->take(l, gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

void gx_gpu_text_name(const char *text, char name[GX_TEXT_NAME]) {
    snprintf(name, GX_TEXT_NAME, "%016llx%016llx",
             (unsigned long long)hash(text, UINT64_C(0xCBF29CE484222325)),
             (unsigned long long)hash(text, UINT64_C(0x84222325CBF29CE4)));
}

bool gx_gpu_library_open(gx_gpu_library *l, const char *path) {
    struct stat facts;
    *l = (gx_gpu_library){.data = NULL};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool ok = fstat(file, &facts) == 0 && facts.st_size >= HEAD;
    void *at = ok ? mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (at == MAP_FAILED) return false;
    *l = (gx_gpu_library){.data = at, .bytes = (size_t)facts.st_size};
    ok = memcmp(l->data, head, sizeof head - 1) == 0;
    if (ok) l->count = strtol(l->data + sizeof head - 1, NULL, 10);
    if (ok && l->count > 0 && l->bytes >= HEAD + (size_t)l->count * ROW) return true;
    gx_gpu_library_close(l);
    return false;
}

void gx_gpu_library_close(gx_gpu_library *l) {
    if (l->data) munmap((void *)(uintptr_t)l->data, l->bytes);
    *l = (gx_gpu_library){.data = NULL};
}

bool gx_gpu_library_find(const gx_gpu_library *l, const char *text, const char **code,
                         size_t *bytes) {
    char name[GX_TEXT_NAME];
    long low = 0, high = l->count;
    if (!l->data) return false;
    gx_gpu_text_name(text, name);
    while (low < high) {
        const long middle = low + (high - low) / 2;
        const char *row = l->data + HEAD + middle * ROW;
        const int order = memcmp(row, name, 32);
        if (order < 0) low = middle + 1;
        else high = middle;
        if (order != 0) continue;
        const size_t at = strtoul(row + 33, NULL, 10), n = strtoul(row + 46, NULL, 10);
        if (at > l->bytes || n > l->bytes - at) return false;
        *code = l->data + at;
        *bytes = n;
        return true;
    }
    return false;
}
