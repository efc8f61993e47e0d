/* `gx test PATH…`: finds the files, runs each in a fresh context, counts. The last line is always
   "N passed, N failed"; a script counts once, a transcript once an example. */
#include "interp/test/gxtest_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int take_text(void *self, gx_channel to, const char *text, size_t length) {
    gx_capture_output *c = self;
    if (to == GX_ERR) return fwrite(text, 1, length, stderr) == length ? 0 : errno;
    if (c->room - c->length < length) {
        size_t room = 2 * c->room + length + 4096;
        char *more = realloc(c->text, room);
        if (!more) return ENOMEM;
        c->text = more;
        c->room = room;
    }
    memcpy(c->text + c->length, text, length);
    c->length += length;
    return 0;
}

void gx_capture_begin(gx_rt *rt, gx_capture_output *c) {
    *c = (gx_capture_output){.rt = rt, .before = rt->output};
    rt->output = (gx_output){.self = c, .write = take_text};
}

bool gx_capture_end(gx_capture_output *c, gx_buf *out) {
    gx_error pending;
    gx_error_save(c->rt, &pending);
    c->rt->output = c->before;
    bool ok = !c->length || gx_buf_add(out, c->text, c->length);
    free(c->text);
    if (gx_failed(&pending)) {
        gx_error_clear(c->rt);
        gx_error_restore(c->rt, &pending);
    }
    return ok;
}

void gx_tests_fail(gx_tests *t, const char *path, uint32_t line, const char *what,
                   const char *expected, const char *actual) {
    if (t->quiet) return;
    fprintf(t->log, "%s:%u: %s\n", path, line, what);
    if (expected) fprintf(t->log, "    expected: %s\n", expected);
    if (actual) fprintf(t->log, "    actual:   %s\n", actual);
    fflush(t->log);
}

typedef enum kind { KIND_NONE, KIND_SCRIPT, KIND_TEXT } kind;

static kind kind_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (!dot) return KIND_NONE;
    if (strcmp(dot, ".gx") == 0 || strcmp(dot, ".py") == 0) return KIND_SCRIPT;
    if (strcmp(dot, ".md") == 0 || strcmp(dot, ".txt") == 0 || strcmp(dot, ".rst") == 0)
        return KIND_TEXT;
    return KIND_NONE;
}

static void run_file(gx_tests *t, const char *path) {
    int failed = t->failed;
    gx_rt *rt = gx_interp_open();
    if (!rt) {
        t->failed++;
        return;
    }
    rt->debug.leaks = true;
    gx_catch_interrupts(rt);
    if (kind_of(path) == KIND_TEXT)
        gx_test_transcript(t, rt, path);
    else
        gx_test_script(t, rt, path);
    bool stop = rt->interrupted != 0;
    gx_catch_interrupts(NULL);
    t->launched += rt->gpu_stats.launched;
    t->compiled += rt->gpu_stats.compiled;
    if (getenv("GX_STATS")) {
        fprintf(t->log, "%s: %lld kernels\n", path, (long long)rt->gpu_stats.launched);
        fflush(t->log);
    }
    if (gx_interp_close(rt, 0) != 0 && t->failed == failed) {
        gx_tests_fail(t, path, 1, "memory is still alive after the file", NULL, NULL);
        t->failed++;
        if (t->passed) t->passed--;
    }
    t->stopped = t->stopped || stop;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void run_path(gx_tests *t, const char *path, bool named);

static void run_folder(gx_tests *t, const char *path) {
    DIR *d = opendir(path);
    if (!d) {
        gx_tests_fail(t, path, 0, strerror(errno), NULL, NULL);
        t->failed++;
        return;
    }
    char **names = NULL;
    size_t count = 0, room = 0;
    struct dirent *e;
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.') continue;
        if (count == room) {
            room = room ? room * 2 : 64;
            char **more = realloc(names, room * sizeof *names);
            if (!more) break;
            names = more;
        }
        names[count] = malloc(strlen(path) + strlen(e->d_name) + 2);
        if (!names[count]) break;
        size_t length = strlen(path);
        sprintf(names[count++], "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/",
                e->d_name);
    }
    closedir(d);
    if (count) qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        run_path(t, names[i], false);
        free(names[i]);
    }
    free(names);
}

/* A named file is always run; in a folder only what can hold tests is. */
static void run_path(gx_tests *t, const char *path, bool named) {
    struct stat info;
    if (t->stopped) return;
    if (stat(path, &info) != 0) {
        gx_tests_fail(t, path, 0, strerror(errno), NULL, NULL);
        t->failed++;
    } else if (S_ISDIR(info.st_mode)) {
        run_folder(t, path);
    } else if (named || (kind_of(path) != KIND_NONE && !strstr(path, ".py"))) {
        run_file(t, path);
    }
}

int gx_test_main(gx_rt *rt, int argc, char **argv) {
    gx_tests t = {0};
    rt->debug.leaks = true; /* of the examples in `help`, which run in this context */
    bool docs = false, any = false;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            t.quiet = true;
        } else if (strcmp(argv[i], "--docs") == 0) {
            docs = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "gx test: unknown option '%s'\nusage: gx test [-q] [--docs] PATH...\n",
                    argv[i]);
            return 2;
        }
    }
    fflush(stdout);
    int out = dup(STDOUT_FILENO);
    t.log = out < 0 ? NULL : fdopen(out, "w");
    if (!t.log) return 1;
    for (int i = 0; i < argc; i++) {
        if (argv[i][0] == '-') continue;
        any = true;
        run_path(&t, argv[i], true);
    }
    if (docs) gx_test_docs(&t, rt);
    if (!docs && !any) {
        fputs("usage: gx test [-q] [--docs] PATH...\n", stderr);
        fclose(t.log);
        return 2;
    }
    fclose(t.log);
    if (getenv("GX_STATS"))
        printf("kernels launched: %lld\nkernels compiled: %lld\nlines rounded otherwise: %lld\n",
               (long long)t.launched, (long long)t.compiled, (long long)t.rounded);
    printf("%d passed, %d failed\n", t.passed, t.failed);
    return t.failed != 0;
}
