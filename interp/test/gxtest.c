/* `gx test PATH…`: finds the files, runs each in a fresh state, counts. The last line is always
   "N passed, N failed"; with --max-time each file has so many seconds. A script counts once, a
   transcript once an example, a table once a case. */
#include "interp/test/gxtest_int.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/embed/tools.h"
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

/* Of the clock of a file: gx test has changed nothing that must be put back. */
static void leave_nothing(void) {
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
    gx_result_begin(t);
    gx_clock_start(gx_state_seconds(s), leave_nothing);
    gx_catch_interrupts(s);
    if (what == KIND_TEXT)
        gx_test_transcript(t, s, &capture, path);
    else if (what == KIND_TABLE)
        gx_test_table(t, s, &capture, path);
    else
        gx_test_script(t, s, &capture, path);
    const bool late = gx_clock_is_over();
    gx_catch_interrupts(NULL);
    gx_clock_end();
    gx_clock_forget();
    if (late && t->failed == failed) {
        gx_tests_fail(t, path, 1, "the time was up", NULL, NULL);
        t->failed++;
    }
    int64_t launched = gx_state_count(s, GX_COUNT_LAUNCHED);
    t->launched += launched;
    t->compiled += gx_state_count(s, GX_COUNT_COMPILED);
    t->general += gx_state_count(s, GX_COUNT_GENERAL);
    t->prebuilt += gx_state_count(s, GX_COUNT_PREBUILT);
    if (getenv("GX_STATS")) {
        fprintf(t->log, "%s: %lld kernels\n", path, (long long)launched);
        fflush(t->log);
    }
    if (!gx_state_close(s) && t->failed == failed) {
        gx_tests_fail(t, path, 1, "memory is still alive after the file", NULL, NULL);
        t->failed++;
        if (t->passed) t->passed--;
    }
    gx_result_end(t, path);
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
    gx_result_begin(t);
    gx_catch_interrupts(s);
    gx_test_docs(t, s, &capture);
    gx_catch_interrupts(NULL);
    if (!gx_state_close(s)) t->failed++;
    gx_result_end(t, "--docs");
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

static const char help[] =
    "usage: gx test [options] PATH...\n"
    "\n"
    "Runs tests: .gx files with `# expect` comments, tables (.cases), and transcripts with >>> in\n"
    ".md, .txt and .rst files; of a folder all in it. FILE.cases:12 is one case of a table.\n"
    "\n"
    "  -q            the last line only\n"
    "  -k WORD       files with WORD in their path, and cases of tables with it in their text\n"
    "  --docs        the examples of all functions' help\n"
    "  --max-time T  ends a file after T seconds (also 500ms, 10m), and goes on with the next\n"
    "  --junit FILE  writes the results as JUnit's XML\n"
    "  --json FILE   writes them as JSON\n"
    "\n"
    "The last line is `N passed, N failed`. Exit status: 0; 1 something failed, or -k and\n"
    "FILE:LINE found no test; 2 a command line that makes no sense.\n";

static int usage(void) {
    fputs("usage: gx test [-q] [-k WORD] [--docs] [--max-time T] [--junit FILE] [--json FILE] "
          "PATH...\nTry 'gx test --help'.\n",
          stderr);
    return 2;
}

/* --max-time: every file's state reads it. */
static bool set_time(const char *text) {
    const char *wanted = gx_tool_amount("GX_MAX_SECONDS", text);
    if (!wanted) return setenv("GX_MAX_SECONDS", text, 1) == 0;
    fprintf(stderr, "gx test: --max-time needs %s, not '%s'\n", wanted, text);
    return false;
}

typedef struct options {
    bool docs;
    const char *junit, *json;
    int paths; /* which are moved to the front of argv */
} options;

/* -1: to be run; else the exit status. */
static int read_options(gx_tests *t, options *o, int argc, char **argv) {
    const struct {
        const char *name, **value;
    } valued[] = {{"-k", &t->word}, {"--junit", &o->junit}, {"--json", &o->json}};
    for (int i = 0; i < argc; i++) {
        bool taken = false;
        for (size_t v = 0; v < sizeof valued / sizeof *valued && i + 1 < argc && !taken; v++) {
            taken = strcmp(argv[i], valued[v].name) == 0;
            if (taken) *valued[v].value = argv[i + 1];
        }
        if (taken) {
            i++;
        } else if (strcmp(argv[i], "-q") == 0) {
            t->quiet = true;
        } else if (strcmp(argv[i], "--docs") == 0) {
            o->docs = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help, stdout);
            return 0;
        } else if (strcmp(argv[i], "--max-time") == 0 && i + 1 < argc) {
            if (!set_time(argv[++i])) return 2;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "gx test: unknown option '%s'\n", argv[i]);
            return usage();
        } else {
            argv[o->paths++] = argv[i];
        }
    }
    return o->docs || o->paths ? -1 : usage();
}

int gx_test_main(int argc, char **argv) {
    /* What a test says does not depend on what is installed. */
    setenv("GX_PYTHON", "none", 0);
    gx_tests t = {.word = "", .log = stdout};
    options o = {.docs = false};
    int status = read_options(&t, &o, argc, argv);
    if (status >= 0) return status;
    gx_clock_end(); /* each file has a clock of its own */
    gx_clock_forget();
    bool chosen = t.word[0] != '\0';
    for (int i = 0; i < o.paths; i++) {
        t.line = line_of(argv[i]);
        chosen = chosen || t.line;
        run_path(&t, argv[i], true);
    }
    if (o.docs && !t.stopped) run_docs(&t);
    if (getenv("GX_STATS"))
        printf("kernels launched: %lld\nkernels compiled: %lld\nkernels prebuilt: %lld\n"
               "the general kernel: %lld\nlines rounded otherwise: %lld\n",
               (long long)t.launched, (long long)t.compiled, (long long)t.prebuilt,
               (long long)t.general, (long long)t.rounded);
    bool none = chosen && !t.passed && !t.failed;
    if (none) fputs("gx test: there is no such test\n", stderr);
    bool written = (!o.junit || gx_results_write(&t, o.junit, false)) &&
                   (!o.json || gx_results_write(&t, o.json, true));
    gx_results_free(&t);
    printf("%d passed, %d failed\n", t.passed, t.failed);
    return t.failed != 0 || none || !written;
}
