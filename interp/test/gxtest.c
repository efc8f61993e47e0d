/* `gx test PATH…`: finds the files, runs each in a fresh state, counts. The last line is always
   "N passed, N failed"; a script counts once, a transcript once an example, a table once a case. */
#include "interp/test/gxtest_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/host/signals.h"
#include "interp/test/gxtest.h"

typedef enum kind { KIND_NONE, KIND_SCRIPT, KIND_TABLE, KIND_TEXT } kind;

static kind kind_of(const char *path) {
    const char *dot = strrchr(path, '.');
    if (!dot) return KIND_NONE;
    if (strcmp(dot, ".gx") == 0 || strcmp(dot, ".py") == 0) return KIND_SCRIPT;
    if (strcmp(dot, ".cases") == 0) return KIND_TABLE;
    if (strcmp(dot, ".md") == 0 || strcmp(dot, ".txt") == 0 || strcmp(dot, ".rst") == 0)
        return KIND_TEXT;
    return KIND_NONE;
}

static gx_state *open_state(gx_kept_output *capture, const char *path) {
    const gx_config config = {.api = GX_API, .self = capture, .write = gx_test_take, .whole = true,
                              .leaks = true, .file = path};
    char why[200];
    gx_state *s = gx_state_open(&config, why, sizeof why);
    if (!s) fprintf(stderr, "gx: %s\n", why);
    return s;
}

static void run_file(gx_tests *t, const char *path) {
    int failed = t->failed;
    kind what = kind_of(path);
    if (what != KIND_TABLE && !strstr(path, t->word)) return;
    gx_kept_output capture = {0};
    gx_state *s = open_state(&capture, path);
    if (!s) {
        t->failed++;
        return;
    }
    gx_catch_interrupts(s);
    if (what == KIND_TEXT)
        gx_test_transcript(t, s, &capture, path);
    else if (what == KIND_TABLE)
        gx_test_table(t, s, &capture, path);
    else
        gx_test_script(t, s, &capture, path);
    gx_catch_interrupts(NULL);
    int64_t launched = gx_state_count(s, GX_COUNT_LAUNCHED);
    t->launched += launched;
    t->compiled += gx_state_count(s, GX_COUNT_COMPILED);
    if (getenv("GX_STATS")) {
        fprintf(t->log, "%s: %lld kernels\n", path, (long long)launched);
        fflush(t->log);
    }
    if (!gx_state_close(s) && t->failed == failed) {
        gx_tests_fail(t, path, 1, "memory is still alive after the file", NULL, NULL);
        t->failed++;
        if (t->passed) t->passed--;
    }
    t->stopped = t->stopped || gx_interrupted();
}

/* The examples of the documentation, in one state. */
static void run_docs(gx_tests *t) {
    gx_kept_output capture = {0};
    gx_state *s = open_state(&capture, NULL);
    if (!s) {
        t->failed++;
        return;
    }
    gx_catch_interrupts(s);
    gx_test_docs(t, s, &capture);
    gx_catch_interrupts(NULL);
    if (!gx_state_close(s)) t->failed++;
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

/* FILE.cases:LINE, one case of a table: gives the line and ends the path before it; else 0. */
static uint32_t line_of(char *path) {
    char *colon = strrchr(path, ':'), *end;
    if (!colon || !colon[1]) return 0;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || line > UINT32_MAX) return 0;
    *colon = '\0';
    if (kind_of(path) == KIND_TABLE) return (uint32_t)line;
    *colon = ':';
    return 0;
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

static int usage(void) {
    fputs("usage: gx test [-q] [-k WORD] [--docs] PATH...\n", stderr);
    return 2;
}

int gx_test_main(int argc, char **argv) {
    /* What a test says does not depend on what is installed. */
    setenv("GX_PYTHON", "none", 0);
    gx_tests t = {.word = "", .log = stdout};
    bool docs = false;
    int paths = 0; /* which are moved to the front */
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            t.quiet = true;
        } else if (strcmp(argv[i], "--docs") == 0) {
            docs = true;
        } else if (strcmp(argv[i], "-k") == 0 && i + 1 < argc) {
            t.word = argv[++i];
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "gx test: unknown option '%s'\n", argv[i]);
            return usage();
        } else {
            argv[paths++] = argv[i];
        }
    }
    if (!docs && !paths) return usage();
    bool chosen = t.word[0] != '\0';
    for (int i = 0; i < paths; i++) {
        t.line = line_of(argv[i]);
        chosen = chosen || t.line;
        run_path(&t, argv[i], true);
    }
    if (docs && !t.stopped) run_docs(&t);
    if (getenv("GX_STATS"))
        printf("kernels launched: %lld\nkernels compiled: %lld\nlines rounded otherwise: %lld\n",
               (long long)t.launched, (long long)t.compiled, (long long)t.rounded);
    bool none = chosen && !t.passed && !t.failed;
    if (none) fputs("gx test: there is no such test\n", stderr);
    printf("%d passed, %d failed\n", t.passed, t.failed);
    return t.failed != 0 || none;
}
