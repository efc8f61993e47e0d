/* Running what the command line asks for, and what its end means to the caller. Exit status: 0; 1
   for an error of the script; 2 for a command line that makes no sense or a script that cannot be
   read; 3 for a mistake of gx itself; 4 where --require-gpu finds none; 5 when the GPU was lost;
   124 when the time was up; n for exit(n); after Ctrl-C the process ends by SIGINT, so that a
   shell sees 130. */
#include "interp/cli/cli_int.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/cli/mail_int.h"
#include "interp/embed/tools.h"
#include "interp/host/pad.h"
#include "interp/host/signals.h"
#include "interp/repl/repl.h"
#include "interp/test/gxtest.h"

enum { UNREADABLE = 2, INTERNAL = 3, NO_GPU = 4, LOST = 5, LATE = GX_STATUS_LATE };

/* Has whoever read standard output left? Then nobody misses the rest, and nothing is said. */
static bool is_reader_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/* Tells the failure as a program's end: SystemExit's status, else a message and 1. */
static int finish(gx_state *s) {
    const gx_failure *f = gx_state_failure(s);
    if (!f || f->exit_status >= 0) return gx_state_report(s);
    if (strcmp(f->builtin, "BrokenPipeError") == 0 && is_reader_gone()) return 128 + SIGPIPE;
    bool stopped = strcmp(f->builtin, "KeyboardInterrupt") == 0;
    bool late = stopped && gx_clock_is_over(), internal = f->internal;
    stopped = stopped && strcmp(f->code, "limit.steps") != 0;
    (void)gx_state_report(s);
    return late ? LATE : stopped ? 128 + SIGINT : internal ? INTERNAL : 1;
}

/* All of standard input. False: errno says why not. */
static bool read_input(gx_pad *text) {
    while (!gx_pad_read(text, STDIN_FILENO))
        if (errno != EINTR || gx_interrupted()) return false;
    return true;
}

static void fail_input(gx_state *s) {
    char why[160];
    snprintf(why, sizeof why, "cannot read standard input: %s", strerror(errno));
    if (errno != EINTR || gx_state_sync(s)) gx_state_raise_code(s, "OSError", "file.read", why);
}

/* The script, compiled. NULL: *status is the exit status, and the message is told. */
static gx_program *load_program(gx_state *s, const gx_cli *o, int *status) {
    struct stat info;
    gx_program *code = NULL;
    *status = -1;
    if (o->code) {
        code = gx_state_compile(s, o->code, strlen(o->code), "<string>");
    } else if (o->file) {
        if (stat(o->file, &info) != 0 || S_ISDIR(info.st_mode) || access(o->file, R_OK) != 0) {
            const char *why = errno ? strerror(errno) : "";
            if (stat(o->file, &info) == 0 && S_ISDIR(info.st_mode)) why = "Is a directory";
            fprintf(stderr, "gx: cannot read '%s': %s\n", o->file, why);
            *status = UNREADABLE;
            return NULL;
        }
        code = gx_state_compile_file(s, o->file);
    } else {
        gx_pad text = {0};
        if (read_input(&text))
            code = gx_state_compile(s, gx_pad_text(&text), text.length, "<stdin>");
        else
            fail_input(s);
        gx_pad_free(&text);
    }
    if (!code && *status < 0) *status = finish(s);
    return code;
}

/* Has the user left the debugger? */
static bool has_quit(gx_state *s, const gx_cli *o) {
    const gx_failure *f = o->debug || o->dap ? gx_state_failure(s) : NULL;
    return f && strcmp(f->kind, "Quit") == 0;
}

static int run_program(gx_state *s, const gx_cli *o) {
    int status;
    const char *profile = getenv("GX_PROFILE");
    gx_program *code = load_program(s, o, &status);
    if (o->dap && !gx_dap_start(s, o, code != NULL)) {
        gx_program_drop(code);
        return code ? 0 : status;
    }
    if (!code) return status;
    if (o->debug && !gx_debug_start(s, o)) {
        gx_program_drop(code);
        return finish(s);
    }
    bool profiled = profile && strcmp(profile, "1") == 0;
    bool ok = gx_program_run(code,
                             o->print   ? GX_RUN_SHOW
                             : profiled ? GX_RUN_PROFILE
                                        : GX_RUN_PLAIN,
                             NULL);
    /* What the GPU still does may meet a condition, or fault. */
    ok = ok && (gx_state_has(s, GX_HAS_LOST_GPU) || gx_state_sync(s));
    status = ok || has_quit(s, o) ? 0 : finish(s);
    if (o->debug && status == 1) gx_debug_failed(s);
    gx_program_drop(code);
    return gx_state_has(s, GX_HAS_LOST_GPU) ? LOST : status;
}

/* gx --doctor. */
static int examine(gx_state *s) {
    char *text = gx_state_doctor(s);
    if (!text) return finish(s);
    fputs(text, stdout);
    gx_string_free(text);
    return 0;
}

/* Is a file one of the prompt's entries? */
static bool is_entries(const char *file) {
    size_t n = strlen(file);
    return n > 5 && strcmp(file + n - 5, ".gxin") == 0;
}

/* --require-gpu: 0, or the exit status after a message. */
static int require_gpu(gx_state *s) {
    if (gx_state_has(s, GX_HAS_GPU)) return 0;
    if (gx_state_failure(s)) (void)gx_state_report(s);
    fputs("gx: --require-gpu: there is no GPU to use; gx --doctor says why\n", stderr);
    return NO_GPU;
}

static int run_or_prompt(gx_state *s, const gx_cli *o) {
    int status = 0;
    bool entries = o->file && is_entries(o->file);
    bool prompt = !o->code && !o->file && !o->standard_input && (o->interactive || isatty(0));
    if (o->require_gpu) status = require_gpu(s);
    if (!prompt && !status) status = entries ? gx_repl_file(s, o->file) : run_program(s, o);
    bool stays = o->interactive && status != 128 + SIGINT && status != NO_GPU &&
                 status != UNREADABLE && !(entries && !isatty(0));
    if ((prompt && !status) || stays) {
        const gx_repl_options how = {.quiet = o->quiet, .init = !o->no_init};
        status = gx_repl(s, &how);
    }
    return status;
}

/* `gx learn …`: the course says what to do, the exit status or -1: the prompt, where a lesson is
   open. */
static int learn(gx_state *s) {
    static const char text[] = "__import__('gxlearn').main()";
    const gx_repl_options how = {.quiet = true, .empty = "next()", .offered = "__entry__"};
    gx_ref *answer = NULL;
    int64_t status = 1;
    gx_program *code = gx_state_compile(s, text, sizeof text - 1, "<learn>");
    bool ok = code && gx_program_run(code, GX_RUN_PLAIN, &answer) && answer &&
              gx_ref_to_int(answer, &status);
    if (!ok) status = finish(s);
    gx_ref_drop(answer);
    gx_program_drop(code);
    return status < 0 ? gx_repl(s, &how) : (int)status;
}

/* Writes what stdout still holds; a full disk must not go unnoticed. */
static int flush_output(int status) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed) return status;
    if (is_reader_gone()) return 128 + SIGPIPE;
    fprintf(stderr, "gx: cannot write to standard output: %s\n",
            errno ? strerror(errno) : "write error");
    return status ? status : 1;
}

/* Where leaks are looked for, everything is given back at the end. */
static bool must_free(void) {
    const char *leaks = getenv("GX_LEAKS");
    bool wanted = leaks && leaks[0] && strcmp(leaks, "0") != 0;
#if defined(__SANITIZE_ADDRESS__)
    wanted = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    wanted = true;
#endif
#endif
    return wanted;
}

/* `gx test …`, `gx learn …`, `gx fmt …`, `gx check …`, `gx lsp`, `gx debug …`, `gx dap`,
   `gx explain …`, unless files of those names are there. */
static bool is_verb(int argc, char **argv, const char *verb) {
    return argc > 1 && strcmp(argv[1], verb) == 0 && (argc > 2 || access(verb, F_OK) != 0);
}

static int run_what_is_asked(gx_state *s, int argc, char **argv, gx_cli *o, bool testing) {
    const char *level = getenv("GX_ERRORS");
    if (o->errors) level = o->errors;
    if (level && *level && !gx_state_messages(s, level)) {
        (void)gx_state_report(s);
        return 2;
    }
    gx_cli_check_switches();
    if (testing) return gx_test_main(argc - 2, argv + 2);
    if (o->learn) return learn(s);
    if (o->format) return gx_format_main(s, argc - 2, argv + 2);
    if (o->check) return gx_check_main(s, argc - 2, argv + 2);
    if (o->serve) return gx_lsp_main(s, argc - 2, argv + 2);
    if (o->dap) return gx_dap_main(s, o, run_program);
    return o->doctor ? examine(s) : run_or_prompt(s, o);
}

/* The state of the program. NULL: *status is the exit status, and the message is told. */
static gx_state *open_state(int argc, char **argv, const gx_cli *o, bool testing, int *status) {
    static char dash_c[] = "-c", none[] = "", dash[] = "-";
    gx_config config = {.api = GX_API, .bare = true, .whole = true, .file = o->file};
    char why[200];
    if (!testing) {
        /* argv[0] of the script is its name; the slot before the arguments is free to hold it. */
        char **script = argv + o->rest - 1;
        if (o->code) script[0] = dash_c;
        else if (!o->file && !o->learn && !o->format && !o->check && !o->serve && !o->dap)
            script[0] = o->standard_input ? dash : none;
        config.argv = script;
        config.argc = argc - o->rest + 1;
    }
    if (o->dap && (*status = gx_dap_open(&config)) >= 0) return NULL;
    gx_state *s = gx_state_open(&config, why, sizeof why);
    *status = s ? 0 : errno == EINVAL ? UNREADABLE : 1;
    if (!s && o->dap) gx_dap_give_up();
    if (!s) fprintf(stderr, "gx: %s\n", why);
    return s;
}

/* Ends the state; the process need not live on. */
static int close_state(gx_state *s, int status) {
    gx_state_end(s);
    /* Files in cycles and those of modules that others hold are still open. */
    bool lost = gx_state_has(s, GX_HAS_LOST_DATA);
    if (!lost && fflush(NULL) != 0) {
        fprintf(stderr, "gx: a file never closed lost what was written last: %s\n",
                strerror(errno));
        lost = true;
    }
    if (lost && status == 0) status = 1;
    if (must_free() && !gx_state_close(s)) status = 70;
    return status;
}

/* `gx --max-time 10 test …`: how many options stand before the verb, which are all switches of the
   environment; 0: none, or what follows them is a script. */
static int before_verb(int argc, char **argv, const gx_cli *o) {
    static const char *const verbs[] = {"test", "explain", "learn", "fmt", "check", "lsp", "debug",
                                       "dap"};
    int skip = o->rest - 2;
    bool more = o->interactive || o->quiet || o->doctor || o->require_gpu || o->no_init;
    if (!o->file || o->code || more || skip < 1 || strcmp(argv[skip], "--") == 0) return 0;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (is_verb(argc - skip, argv + skip, verbs[i]))
            return o->safe && strcmp(verbs[i], "debug") != 0 ? 0 : skip;
    return 0;
}

int gx_main(int argc, char **argv) {
    gx_cli o = {0};
    int status = -1, skip = 0;
    if (argc > 1 && argv[1][0] == '-') {
        status = gx_cli_read(argc, argv, &o);
        if (status < 0) skip = before_verb(argc, argv, &o);
        argc -= skip;
        argv += skip;
    }
    bool testing = is_verb(argc, argv, "test"), explaining = is_verb(argc, argv, "explain");
    bool learning = is_verb(argc, argv, "learn"), formatting = is_verb(argc, argv, "fmt");
    bool checking = is_verb(argc, argv, "check"), serving = is_verb(argc, argv, "lsp");
    bool adapting = is_verb(argc, argv, "dap");
    if (is_verb(argc, argv, "debug"))
        status = gx_debug_read(argc, argv, &o);
    else if (testing || explaining || learning || formatting || checking || serving ||
             adapting)
        o = (gx_cli){.learn = learning,
                     .format = formatting,
                     .check = checking,
                     .serve = serving,
                     .dap = adapting,
                     .errors = o.errors,
                     .rest = 2};
    else if (argc < 2 || argv[1][0] != '-')
        status = gx_cli_read(argc, argv, &o);
    if (status >= 0) return flush_output(status);
    if (adapting) {
        static const char about[] =
            "A debug adapter (DAP) on standard input and output, which an editor starts:\n"
            "docs/debugging.md.\n";
        status = gx_stdio_options("dap", about, argc - 2, argv + 2);
        if (status >= 0) return flush_output(status);
    }
    setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 16);
    if (explaining) return flush_output(gx_explain_main(argc - 2, argv + 2));
    /* A reader that leaves and a file that may not grow are errors, which a script can catch. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (o.safe) gx_fence_switches();
    if (serving) { /* nothing of a text runs: neither on a GPU nor in another Python */
        setenv("GX_DEVICE", "cpu", 1);
        setenv("GX_PYTHON", "none", 1);
    }
    gx_state *s = open_state(argc, argv, &o, testing, &status);
    if (!s) return status;
    gx_catch_interrupts(s);
    if (o.safe && !gx_fence_raise(&o)) {
        fputs("gx: out of memory\n", stderr);
        (void)gx_state_close(s);
        return 1;
    }
    gx_clock_start(gx_state_seconds(s), gx_repl_leave);
    status = flush_output(run_what_is_asked(s, argc, argv, &o, testing));
    gx_clock_end();
    gx_catch_interrupts(NULL);
    status = close_state(s, status);
    if (status == 128 + SIGINT || status == 128 + SIGPIPE) {
        signal(status - 128, SIG_DFL);
        raise(status - 128);
    }
    if (must_free()) return status;
    /* A library's call may have been left behind: nobody may take its library down. */
    _exit(status);
}
