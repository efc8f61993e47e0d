/* Lines of the prompt that are no program: %time, %timeit, %who … and ?name. Each is a row of the
   table at the end. What they run is ordinary code of the module; what they time is done: pending
   arrays are computed and a GPU is waited for before a clock is read. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "interp/repl_int.h"
#include "runtime/gpu.h"
#include "runtime/ufunc.h"
#include "stdlib/stdlib.h"

typedef struct magic {
    const char *name, *usage, *doc;
    bool (*run)(gx_repl_state *s, const char *rest);
} magic;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Three digits and the unit that suits. */
static void put_seconds(char *out, size_t room, double s) {
    static const struct {
        double from;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
    int i = 0;
    while (s < units[i].from) i++;
    double shown = s / (units[i].from > 0 ? units[i].from : 1e-9);
    snprintf(out, room, "%.*f %s", shown < 10 ? 2 : shown < 100 ? 1 : 0, shown, units[i].unit);
}

/* A text as a unit of the module; false: an error is pending, or has been reported. */
static bool load(gx_repl_state *s, const char *name, const char *text, gx_unit **out) {
    gx_parse_errors errors = {0};
    uint32_t source;
    if (!gx_source_add(s->rt, name, text, strlen(text), &source)) return false;
    gx_parse_status status = gx_load(s->rt, source, s->module, false, out, &errors);
    if (status == GX_PARSE_OK)
        gx_parse_errors_free(&errors);
    else
        gx_report_syntax(s->rt, &errors);
    return status == GX_PARSE_OK;
}

static bool need_code(gx_repl_state *s, const char *rest, const char *usage) {
    return *rest || gx_fail(s->rt, GX_SyntaxError, "magic.usage", "%s needs code to run", usage);
}

static bool run_time(gx_repl_state *s, const char *rest) {
    gx_unit *unit;
    char text[32];
    if (!need_code(s, rest, "%time")) return false;
    if (!gx_lazy_flush(s->rt)) return false; /* what was pending before is not its time */
    if (!load(s, "<time>", rest, &unit)) return true;
    double start = now();
    bool ok = gx_run_unit(s->rt, unit, s->module, true) && gx_lazy_flush(s->rt);
    put_seconds(text, sizeof text, now() - start);
    if (ok) printf("%s\n", text);
    return ok;
}

/* Seconds that `count` runs take, their results computed. */
static bool run_many(gx_repl_state *s, gx_unit *unit, int64_t count, double *seconds) {
    double start = now();
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++) {
        gx_value v = gx_none();
        ok = gx_run_value(s->rt, unit, s->module, &v);
        /* A pending result is computed while it is held, so that each run does its work. */
        ok = ok && gx_lazy_start(s->rt);
        gx_drop(v);
        if (s->rt->interrupted) ok = ok && gx_stop(s->rt);
    }
    ok = ok && gx_lazy_flush(s->rt);
    *seconds = now() - start;
    return ok;
}

static bool run_timeit(gx_repl_state *s, const char *rest) {
    enum { BATCHES = 7 };
    gx_unit *unit;
    double first, t, best = INFINITY, sum = 0, squares = 0;
    char text[4][32];
    int64_t count = 1;
    if (!need_code(s, rest, "%timeit")) return false;
    if (!gx_lazy_flush(s->rt)) return false;
    if (!load(s, "<timeit>", rest, &unit)) return true;
    if (!run_many(s, unit, 1, &first)) return false;
    for (t = first; t < 0.05 && count < 10000000; count *= 2)
        if (!run_many(s, unit, count, &t)) return false;
    if (first > 0.5) count = 1;
    for (int i = 0; i < BATCHES; i++) {
        if (!run_many(s, unit, count, &t)) return false;
        t /= (double)count;
        best = fmin(best, t);
        sum += t;
        squares += t * t;
    }
    double mean = sum / BATCHES, spread = sqrt(fmax(0, squares / BATCHES - mean * mean));
    put_seconds(text[0], sizeof text[0], mean);
    put_seconds(text[1], sizeof text[1], spread);
    put_seconds(text[2], sizeof text[2], best);
    put_seconds(text[3], sizeof text[3], first);
    printf("%s ± %s a run (best %s; %d batches of %lld", text[0], text[1], text[2], BATCHES,
           (long long)count);
    if (first > 3 * mean && first > 1e-3) printf("; the first run took %s", text[3]);
    puts(")");
    return true;
}

/* --- names --------------------------------------------------------------------------------- */

static bool is_shown(gx_repl_state *s, int32_t i) {
    const char *name = gx_sym_text(s->rt, s->module->names[i]);
    return s->module->values[i].tag != GX_UNDEF && name[0] != '_' && strcmp(name, "np") != 0 &&
           strcmp(name, "cp") != 0;
}

static bool run_who(gx_repl_state *s, const char *rest) {
    bool any = false;
    (void)rest;
    for (int32_t i = 0; i < s->module->count; i++) {
        if (!is_shown(s, i)) continue;
        printf("%s%s", any ? "  " : "", gx_sym_text(s->rt, s->module->names[i]));
        any = true;
    }
    puts(any ? "" : "no names are bound");
    return true;
}

/* An attribute as text, "" when there is none. */
static void put_attribute(gx_repl_state *s, gx_borrowed v, const char *name, gx_buf *out) {
    gx_sym sym = gx_sym_c(s->rt, name);
    gx_value found;
    if (!sym || gx_try_attr(s->rt, v, sym, &found) != GX_TRY_YES) {
        gx_error_clear(s->rt);
        return;
    }
    if (!gx_str_into(s->rt, found, out)) gx_error_clear(s->rt);
    gx_drop(found);
}

static bool run_whos(gx_repl_state *s, const char *rest) {
    (void)rest;
    printf("%-16s %-10s %-10s %-16s %12s  %s\n", "name", "type", "dtype", "shape", "bytes",
           "device");
    for (int32_t i = 0; i < s->module->count; i++) {
        static const char *const columns[] = {"dtype", "shape", "nbytes", "device"};
        gx_buf text[4];
        if (!is_shown(s, i)) continue;
        gx_value v = s->module->values[i];
        bool array = v.tag == GX_ARRAY;
        for (int k = 0; k < 4; k++) {
            text[k] = gx_buf_new(s->rt);
            if (array) put_attribute(s, v, columns[k], &text[k]);
        }
        printf("%-16s %-10s %-10s %-16s %12s  %s\n", gx_sym_text(s->rt, s->module->names[i]),
               gx_type_name(v), gx_buf_text(&text[0]), gx_buf_text(&text[1]), gx_buf_text(&text[2]),
               gx_buf_text(&text[3]));
        for (int k = 0; k < 4; k++) gx_buf_free(&text[k]);
    }
    return true;
}

static bool run_reset(gx_repl_state *s, const char *rest) {
    (void)rest;
    for (int32_t i = 0; i < s->module->count; i++) {
        gx_value v = s->module->values[i];
        if (strncmp(gx_sym_text(s->rt, s->module->names[i]), "__", 2) == 0) continue;
        s->module->values[i] = gx_undef();
        gx_drop(v);
    }
    return gx_repl_predefine(s->rt, s->module);
}

/* --- files, history, help ------------------------------------------------------------------ */

static bool run_file(gx_repl_state *s, const char *rest) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    if (!*rest) return gx_fail(s->rt, GX_SyntaxError, "magic.usage", "%%run needs a file");
    if (!gx_source_read(s->rt, rest, &source)) return false;
    if (gx_load(s->rt, source, s->module, false, &unit, &errors) != GX_PARSE_OK) {
        gx_report_syntax(s->rt, &errors);
        return true;
    }
    gx_parse_errors_free(&errors);
    return gx_run_unit(s->rt, unit, s->module, false);
}

static bool run_history(gx_repl_state *s, const char *rest) {
    int64_t count = s->edit ? (int64_t)s->edit->hist.entries.count : 0, last = 20;
    if (sscanf(rest, "%ld", &last) != 1 || last < 0) last = 20;
    for (int64_t i = count > last ? count - last : 0; i < count; i++)
        printf("%s\n", s->edit->hist.entries.items[i]);
    return true;
}

static bool run_doctor(gx_repl_state *s, const char *rest) {
    gx_buf text = gx_buf_new(s->rt);
    (void)rest;
    bool ok = gx_gpu_doctor(s->rt, &text);
    if (ok) fputs(gx_buf_text(&text), stdout);
    gx_buf_free(&text);
    return ok;
}

static bool run_help(gx_repl_state *s, const char *rest) {
    char code[400];
    gx_unit *unit;
    size_t length = strlen(rest);
    while (length && (rest[length - 1] == '?' || rest[length - 1] == ' ')) length--;
    snprintf(code, sizeof code, "help(%.*s)", length < 380 ? (int)length : 380, rest);
    return !load(s, "<help>", code, &unit) || gx_run_unit(s->rt, unit, s->module, false);
}

static bool run_list(gx_repl_state *s, const char *rest);

static const magic magics[] = {
    {"time", "%time CODE", "runs it once and prints the time, results computed", run_time},
    {"timeit", "%timeit CODE", "runs it many times: mean, spread, best", run_timeit},
    {"who", "%who", "the names that are bound", run_who},
    {"whos", "%whos", "the same with dtype, shape, bytes and device", run_whos},
    {"history", "%history [N]", "the last N entries (20)", run_history},
    {"run", "%run FILE", "runs a file here; its names stay", run_file},
    {"reset", "%reset", "forgets all names", run_reset},
    {"doctor", "%doctor", "what computing on a GPU needs and what is there", run_doctor},
    {"magics", "%magics", "this list", run_list},
};
enum { MAGICS = sizeof magics / sizeof *magics };

static bool run_list(gx_repl_state *s, const char *rest) {
    (void)s;
    (void)rest;
    for (int i = 0; i < MAGICS; i++) printf("%-14s %s\n", magics[i].usage, magics[i].doc);
    puts("?NAME, NAME?   explains a function, a type, a module");
    return true;
}

/* --- recognising them ---------------------------------------------------------------------- */

bool gx_magic_is(const char *text, size_t length) {
    size_t start = strspn(text, " ");
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
    if (start >= length || memchr(text, '\n', length)) return false;
    if (text[start] == '%' || text[start] == '?') return true;
    if (text[length - 1] != '?') return false;
    for (size_t i = start; i < length - 1; i++) { /* a dotted name */
        unsigned char c = (unsigned char)text[i];
        if (!(c == '_' || c == '.' || c >= 128 || (c >= '0' && c <= '9') ||
              ((c | 32) >= 'a' && (c | 32) <= 'z')))
            return false;
    }
    return length - 1 > start;
}

void gx_magic_each(void (*fn)(const char *name, void *ctx), void *ctx) {
    for (int i = 0; i < MAGICS; i++) fn(magics[i].name, ctx);
}

static bool unknown(gx_repl_state *s, const char *name) {
    const char *names[MAGICS];
    for (int i = 0; i < MAGICS; i++) names[i] = magics[i].name;
    const char *near = gx_near_name(name, names, MAGICS);
    gx_fail(s->rt, GX_NameError, "magic.unknown", "there is no %%%.40s; %%magics lists all", name);
    if (near) gx_help(s->rt, "%%%s", near);
    return false;
}

bool gx_magic_run(gx_repl_state *s, const char *text) {
    char name[40];
    text += strspn(text, " ");
    if (*text != '%') return run_help(s, text + (*text == '?'));
    size_t n = strcspn(++text, " ");
    snprintf(name, sizeof name, "%.*s", n < 39 ? (int)n : 39, text);
    const char *rest = text + n + strspn(text + n, " ");
    for (int i = 0; i < MAGICS; i++)
        if (strcmp(magics[i].name, name) == 0) return magics[i].run(s, rest);
    return unknown(s, name);
}
