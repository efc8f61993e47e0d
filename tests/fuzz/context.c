/* Contexts with limits. Steps make the end of a loop the same on every machine; the clock of the
   processor is for what counts no steps, such as a large product of matrices. */
#include "tests/fuzz/context_int.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "interp/session/session.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"

enum { STEPS = 20000, MEMORY = 64 << 20, SECONDS = 1 };

/* The handler can be told of a context only through a variable of its own. */
static gx_rt *volatile running;

static void on_time(int signal_number) {
    (void)signal_number;
    gx_rt *rt = running;
    if (!rt) return;
    rt->late = 1;
    rt->interrupted = 1;
}

/* The process's one timer; not by SIGALRM, which is libFuzzer's own. */
static timer_t clock_of_process(void) {
    static timer_t timer;
    static bool made;
    struct sigaction action = {.sa_handler = on_time};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    if (made) return timer;
    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, NULL);
    GX_FUZZ_CHECK(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0);
    made = true;
    return timer;
}

/* Seconds from now; 0: never. */
static void set_clock(int seconds) {
    struct itimerspec when = {.it_value.tv_sec = seconds};
    GX_FUZZ_CHECK(timer_settime(clock_of_process(), 0, &when, NULL) == 0);
}

/* NVRTC keeps a few bytes of some texts that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libnvrtc\n";
}

gx_rt *gx_fuzz_open(bool safe) {
    setenv("GX_DEVICE", "cpu", 0);
    setenv("GX_THREADS", "1", 0);
    setenv("GX_OPENBLAS", "none", 0); /* gx's own loops are what is looked at */
    gx_rt *rt = gx_interp_open();
    if (!rt) return NULL;
    rt->debug.max_steps = rt->steps = STEPS;
    rt->debug.max_memory = MEMORY;
    rt->debug.max_seconds = SECONDS;
    rt->most = MEMORY;
    rt->debug.safe = safe;
    rt->debug.leaks = true;
    rt->debug.verify = true;
    running = rt;
    set_clock(SECONDS);
    return rt;
}

void gx_fuzz_close(gx_rt *rt) {
    set_clock(0);
    running = NULL;
    GX_FUZZ_CHECK(gx_interp_close(rt, 0) == 0);
}

bool gx_fuzz_run(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    *out = gx_none();
    if (!gx_main_module(rt, "__main__", out)) return false;
    gx_module *m = gx_as_module(*out);
    /* Modules beside the script: nowhere. */
    if (!gx_set_folder(rt, "/nowhere/fuzz.gx", m) || !gx_predefine(rt, m) ||
        !gx_source_add(rt, "fuzz.gx", text, length, &source))
        return false;
    gx_parse_status status = gx_load(rt, source, m, false, &unit, &errors);
    bool ok = status == GX_PARSE_OK && gx_run_unit(rt, unit, m, false);
    if (status == GX_PARSE_OK) gx_unit_drop(unit);
    gx_parse_errors_free(&errors);
    GX_FUZZ_CHECK(ok != gx_failed(&rt->error));
    GX_FUZZ_CHECK(rt->depth == 0 && rt->interp->top == rt->interp->stack);
    return ok;
}

void gx_fuzz_report(gx_rt *rt) {
    gx_buf text = gx_buf_new(rt);
    GX_FUZZ_CHECK(gx_failed(&rt->error));
    if (gx_report_text(rt, &text)) GX_FUZZ_CHECK(text.length > 0);
    gx_buf_free(&text);
    gx_error_clear(rt);
}

/* The input in a file that no folder has. */
static int file_of(const uint8_t *data, size_t size, char path[32]) {
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0) return -1;
    snprintf(path, 32, "/proc/self/fd/%d", file);
    if (write(file, data, size) == (ssize_t)size) return file;
    close(file);
    return -1;
}

static void call_check(gx_rt *rt, const char *driver, const uint8_t *data, size_t size,
                       const char *path) {
    gx_value m, check, args[2] = {gx_undef(), gx_undef()}, result;
    gx_sym name = gx_sym_c(rt, "check");
    bool ok = gx_fuzz_run(rt, driver, strlen(driver), &m);
    ok = ok && gx_get_attr(rt, m, name, &check);
    if (ok) {
        ok = gx_bytes_new(rt, (const char *)data, size, &args[0]) && gx_str_c(rt, path, &args[1]) &&
             gx_call_value(rt, check, 2, args, 0, NULL, &result);
        if (ok) gx_drop(result);
        gx_drop(args[0]);
        gx_drop(args[1]);
        gx_drop(check);
    }
    GX_FUZZ_CHECK(ok != gx_failed(&rt->error));
    if (!ok) {
        bool broken = rt->error.kind == GX_AssertionError || rt->error.kind == GX_NameError;
        if (broken) gx_report(rt);
        GX_FUZZ_CHECK(!broken);
    }
    gx_error_clear(rt);
    gx_drop(m);
}

void gx_fuzz_check_file(const char *driver, const uint8_t *data, size_t size) {
    char path[32];
    int file = file_of(data, size, path);
    gx_rt *rt = file >= 0 ? gx_fuzz_open(false) : NULL;
    if (rt) {
        call_check(rt, driver, data, size, path);
        gx_fuzz_close(rt);
    }
    if (file >= 0) close(file);
}
