/* compress-text NAME FILE…: prints C that defines NAME, an array of one gx_compressed: the files'
   texts, one behind the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/compressed/compressed.h"
#include "tools/compress/compress.h"

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

static int fail(const char *what) {
    fprintf(stderr, "compress-text: %s\n", what);
    return 1;
}

static int read_file(text *t, const char *path) {
    FILE *file = fopen(path, "rb");
    size_t n = 1;
    if (!file) return fail(path);
    while (n) {
        if (t->room - t->length < BUFSIZ) {
            char *bytes = realloc(t->bytes, t->room * 2 + BUFSIZ);
            if (!bytes) break;
            t->bytes = bytes;
            t->room = t->room * 2 + BUFSIZ;
        }
        n = fread(t->bytes + t->length, 1, t->room - t->length, file);
        t->length += n;
    }
    const int bad = n || ferror(file);
    fclose(file);
    return bad ? fail(path) : 0;
}

static void print(const char *name, const gx_compressed *p) {
    printf("const gx_compressed %s[] = {{(const unsigned char *)", name);
    for (size_t i = 0; i < p->size; i++) {
        if (i % 24 == 0) printf("%s\n    \"", i ? "\"" : "");
        printf("\\%03o", p->bytes[i]);
    }
    printf("%s\", %zu, %zu}};\n", p->size ? "" : "\"", p->size, p->length);
}

/* What is compressed is decompressed once, here: a program that cannot read its library is not
 * built. */
static int compress(const char *name, const text *t) {
    unsigned char *bytes = malloc(t->length + 1);
    char *again = malloc(t->length + 1);
    int failed = !bytes || !again;
    if (!failed) {
        const gx_compressed p = {bytes, gx_compress(t->bytes, t->length, bytes), t->length};
        failed =
            !gx_decompress(&p, again) || (t->length && memcmp(again, t->bytes, t->length) != 0);
        if (!failed) print(name, &p);
    }
    free(bytes);
    free(again);
    return failed ? fail("this text cannot be compressed") : 0;
}

int main(int argc, char **argv) {
    text t = {0};
    int failed = argc < 3 ? fail("NAME FILE…") : 0;
    for (int i = 2; i < argc && !failed; i++) failed = read_file(&t, argv[i]);
    if (!failed) failed = compress(argv[1], &t);
    free(t.bytes);
    return failed;
}
