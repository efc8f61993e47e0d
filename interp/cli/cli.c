/* Running what the command line asks for, and what its end means to the caller. Exit status: 0; 1
   for an error of the script; 2 for a command line that makes no sense or a script that cannot be
   read; 3 for a mistake of gx itself; 4 where --require-gpu finds none; 5 when the GPU was lost;
   124 when the time was up; n for exit(n); after Ctrl-C the process ends by SIGINT, so that a
   shell sees 130. */
#include "interp/cli/cli.h"
#include "interp/repl/profile.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/backend/gpu.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

enum { UNREADABLE = 2, INTERNAL = 3, NO_GPU = 4, LOST = 5, LATE = GX_STATUS_LATE };

bool gx_read_all(gx_rt *rt, int file, gx_buf *out) {
    for (;;) {
        if (!gx_buf_reserve(out, out->length / 2 + 65536)) return false;
        ssize_t n = read(file, out->data + out->length, out->room - out->length - 1);
        if (n == 0) return true;
        if (n > 0) {
            out->length += (size_t)n;
            out->data[out->length] = '\0';
            continue;
        }
        if (errno != EINTR)
            return gx_fail(rt, GX_OSError, "file.read", "cannot read standard input: %s",
                           strerror(errno));
        if (rt->interrupted) return gx_stop(rt);
    }
}

/* Has whoever read standard output left? Then nobody misses the rest, and nothing is said. */
static bool is_reader_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/* The script's text as a source; -1, or the exit status after a message. */
static int read_program(gx_rt *rt, const gx_cli *o, uint32_t *source) {
    struct stat info;
    bool ok;
    if (o->code) {
        ok = gx_source_add(rt, "<string>", o->code, strlen(o->code), source);
    } else if (o->file) {
        if (stat(o->file, &info) != 0 || S_ISDIR(info.st_mode) || access(o->file, R_OK) != 0) {
            const char *why = errno ? strerror(errno) : "";
            if (stat(o->file, &info) == 0 && S_ISDIR(info.st_mode)) why = "Is a directory";
            fprintf(stderr, "gx: cannot read '%s': %s\n", o->file, why);
            return UNREADABLE;
        }
        ok = gx_source_read(rt, o->file, source);
    } else {
        gx_buf text = gx_buf_new(rt);
        ok = gx_read_all(rt, STDIN_FILENO, &text) &&
             gx_source_add(rt, "<stdin>", gx_buf_text(&text), text.length, source);
        gx_buf_free(&text);
    }
    return ok ? -1 : gx_finish_error(rt);
}

int gx_finish_error(gx_rt *rt) {
    int status = 1;
    if (gx_report_exit(rt, &status)) return status;
    if (rt->error.kind == GX_BrokenPipeError && is_reader_gone()) return 128 + SIGPIPE;
    bool interrupted = rt->error.kind == GX_KeyboardInterrupt && rt->steps >= 0;
    bool late = rt->error.kind == GX_KeyboardInterrupt && rt->late;
    bool internal = gx_code_is_internal(rt->error.code);
    gx_report(rt);
    return late ? LATE : interrupted ? 128 + SIGINT : internal ? INTERNAL : 1;
}

/* The value of -p's last expression, as the prompt shows it. */
static bool print_value(gx_rt *rt, gx_unit *unit, gx_module *m) {
    gx_value v = gx_none();
    if (!gx_run_value(rt, unit, m, &v)) return false;
    gx_buf text = gx_buf_new(rt);
    bool ok = v.tag == GX_NONE || (gx_repr(rt, v, &text) && gx_buf_char(&text, '\n') &&
                                   gx_stdout_write(rt, gx_buf_text(&text), text.length));
    gx_buf_free(&text);
    gx_drop(v);
    return ok;
}

static int run_source(gx_rt *rt, uint32_t source, gx_module *m, bool print) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    gx_parse_status status = gx_load(rt, source, m, false, &unit, &errors);
    if (status != GX_PARSE_OK) {
        gx_report_syntax(rt, &errors);
        return 1;
    }
    gx_parse_errors_free(&errors);
    bool ok = print ? print_value(rt, unit, m) : gx_run_profiled(rt, unit, m);
    gx_unit_drop(unit);
    /* What the GPU still does may meet a condition, or fault. */
    if (ok && (gx_gpu_lost(rt) || gx_gpu_sync(rt))) return gx_gpu_lost(rt) ? LOST : 0;
    int end = gx_finish_error(rt);
    return gx_gpu_lost(rt) ? LOST : end;
}

/* gx --doctor. */
static int examine(gx_rt *rt) {
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_gpu_doctor(rt, &text);
    if (ok) fputs(gx_buf_text(&text), stdout);
    gx_buf_free(&text);
    return ok ? 0 : gx_finish_error(rt);
}

bool gx_set_folder(gx_rt *rt, const char *file, gx_module *m) {
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) : 0;
    char *folder = gx_alloc(rt, length + 2);
    gx_value name;
    if (!folder) return false;
    memcpy(folder, file, length);
    folder[length] = '\0';
    if (slash && !length) memcpy(folder, "/", 2);
    gx_free(rt, rt->interp->folder);
    rt->interp->folder = folder;
    /* As Python's: absolute, but links are not followed. */
    char here[4096];
    gx_buf path = gx_buf_new(rt);
    bool ok = true;
    if (*file != '/' && *file != '<' && getcwd(here, sizeof here))
        ok = gx_buf_puts(&path, here) && gx_buf_char(&path, '/');
    while (strncmp(file, "./", 2) == 0) file += 2;
    ok = ok && gx_buf_puts(&path, file) && gx_str_c(rt, gx_buf_text(&path), &name);
    gx_buf_free(&path);
    if (!ok) return false;
    ok = gx_globals_set_c(rt, m, "__file__", name);
    gx_drop(name);
    return ok;
}

/* Is a file one of the prompt's entries? */
static bool is_entries(const char *file) {
    size_t n = strlen(file);
    return n > 5 && strcmp(file + n - 5, ".gxin") == 0;
}

/* --require-gpu: 0, or the exit status after a message. */
static int require_gpu(gx_rt *rt) {
    bool there;
    if (!gx_gpu_there(rt, &there))
        gx_report(rt);
    else if (there)
        return 0;
    fputs("gx: --require-gpu: there is no GPU to use; gx --doctor says why\n", stderr);
    return NO_GPU;
}

static int run_program(gx_rt *rt, int argc, char **argv, gx_cli *o) {
    gx_value main_module;
    uint32_t source;
    char dash_c[] = "-c", none[] = "", dash[] = "-"; /* looked at while the program runs only */
    int status = 0;
    if (!gx_main_module(rt, "__main__", &main_module)) return gx_finish_error(rt);
    gx_module *m = gx_as_module(main_module);
    bool entries = o->file && is_entries(o->file);
    bool prompt = !o->code && !o->file && !o->standard_input && (o->interactive || isatty(0));
    /* argv[0] of the script is its name; the slot before the arguments is free to hold it. */
    char **script_argv = argv + o->rest - 1;
    script_argv[0] = o->code ? dash_c : o->file ? script_argv[0] : o->standard_input ? dash : none;
    gx_stdlib_set_argv(rt, argc - o->rest + 1, script_argv);
    if (o->file && !gx_set_folder(rt, o->file, m)) status = gx_finish_error(rt);
    if (!status && o->require_gpu) status = require_gpu(rt);
    if (!prompt && !status) {
        int failed = read_program(rt, o, &source);
        if (failed >= 0)
            status = failed;
        else if (entries)
            status = gx_repl_file(rt, m, source);
        else
            status = run_source(rt, source, m, o->print);
    }
    bool stays = o->interactive && status != 128 + SIGINT && status != NO_GPU &&
                 status != UNREADABLE && !(entries && !isatty(0));
    if ((prompt && !status) || stays) status = gx_repl(rt, m, o->quiet, !o->no_init);
    gx_drop(main_module);
    return status;
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

static bool must_free(const gx_rt *rt) {
#if defined(__SANITIZE_ADDRESS__)
    (void)rt;
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    (void)rt;
    return true;
#else
    return rt->debug.leaks;
#endif
#else
    return rt->debug.leaks;
#endif
}

/* `gx test …` and `gx explain …`, unless files of those names are there to be run. */
static bool is_verb(int argc, char **argv, const char *verb) {
    return argc > 1 && strcmp(argv[1], verb) == 0 && (argc > 2 || access(verb, F_OK) != 0);
}

static int run_what_is_asked(gx_rt *rt, int argc, char **argv, gx_cli *o, bool testing) {
    const char *level = getenv("GX_ERRORS");
    if (o->errors) level = o->errors;
    if (level && *level && !gx_messages_set(rt, level)) {
        gx_report(rt);
        return 2;
    }
    gx_cli_check_switches();
    if (testing) return gx_test_main(rt, argc - 2, argv + 2);
    return o->doctor ? examine(rt) : run_program(rt, argc, argv, o);
}

int gx_main(int argc, char **argv) {
    gx_cli o = {0};
    int status = -1;
    bool testing = is_verb(argc, argv, "test"), explaining = is_verb(argc, argv, "explain");
    if (!testing && !explaining) status = gx_cli_read(argc, argv, &o);
    if (status >= 0) return flush_output(status);
    setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, 1 << 16);
    if (explaining) return flush_output(gx_explain_main(argc - 2, argv + 2));
    /* A reader that leaves and a file that may not grow are errors, which a script can catch. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (o.safe) gx_fence_switches();
    gx_rt *rt = gx_interp_open();
    if (!rt) return 1;
    if (rt->debug.wrong[0]) {
        fprintf(stderr, "gx: %s\n", rt->debug.wrong);
        return gx_interp_close(rt, UNREADABLE);
    }
    gx_catch_interrupts(rt);
    if (o.safe && !gx_fence_raise(rt, &o)) return gx_interp_close(rt, gx_finish_error(rt));
    gx_clock_start(rt, rt->debug.max_seconds);
    status = flush_output(run_what_is_asked(rt, argc, argv, &o, testing));
    gx_clock_end();
    gx_catch_interrupts(NULL);
    gx_interp_end(rt);
    /* Files in cycles and those of modules that others hold are still open. */
    if (!rt->lost_data && fflush(NULL) != 0) {
        fprintf(stderr, "gx: a file never closed lost what was written last: %s\n",
                strerror(errno));
        rt->lost_data = true;
    }
    if (rt->lost_data && status == 0) status = 1;
    bool freed = must_free(rt);
    if (freed) status = gx_interp_close(rt, status);
    if (status == 128 + SIGINT || status == 128 + SIGPIPE) {
        signal(status - 128, SIG_DFL);
        raise(status - 128);
    }
    if (freed) return status;
    /* A library's call may have been left behind: nobody may take its library down. */
    _exit(status);
}
