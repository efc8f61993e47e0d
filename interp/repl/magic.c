/* Lines of the prompt that are no program: %time CODE, %%time above rows, ?name. Each magic is a
   row of the table here; what it does is in magic_*.c. What they run is ordinary code of the
   prompt's module. */
#include <stdio.h>
#include <string.h>

#include "interp/repl/magic_int.h"

static bool run_list(gx_repl_state *s, const char *rest);

static const gx_magic magics[] = {
    {"time", "%time CODE", "runs it once and prints the time, results computed", gx_magic_time,
     true},
    {"timeit", "%timeit [-n N] [-r R] CODE", "runs it many times: mean, spread, best",
     gx_magic_timeit, true},
    {"profile", "%profile CODE", "runs it and tells where its time went, line by line",
     gx_magic_profile, true},
    {"explain", "%explain [-s|-p|-t] EXPRESSION",
     "what computing it costs; its source, PTX or tape", gx_magic_explain, false},
    {"who", "%who", "the names that are bound", gx_magic_who, false},
    {"whos", "%whos", "the same with dtype, shape, bytes, device, and who shares memory",
     gx_magic_whos, false},
    {"mem", "%mem", "memory in use, on the host and on the GPU", gx_magic_mem, false},
    {"device", "%device [cpu|cuda]", "where new arrays live; changes it", gx_magic_device, false},
    {"history", "%history [N]", "the last N entries (20)", gx_magic_history, false},
    {"save", "%save FILE", "writes this session's entries as a script", gx_magic_save, false},
    {"load", "%load FILE", "puts a file's text at the prompt, to be changed and run",
     gx_magic_load_file, false},
    {"run", "%run FILE", "runs a file here; its names stay", gx_magic_run_file, false},
    {"edit", "%edit [FILE | NAME]", "opens $EDITOR on it and runs what was written", gx_magic_edit,
     false},
    {"reset", "%reset", "forgets all names", gx_magic_reset, false},
    {"errors", "%errors [short|normal|teach]", "how much messages say", gx_magic_errors, false},
    {"print", "%print [precision=4 edge=3 threshold=1000 width=75 suppress=on]",
     "how arrays are shown", gx_magic_print, false},
    {"checked", "%checked [on|off]",
     "whether kernels of the session watch their accesses on the GPU", gx_magic_checked, false},
    {"nan", "%nan [warn|stop|off]", "what happens where a nan comes up", gx_magic_nan, false},
    {"doctor", "%doctor", "what computing on a GPU needs and what is there", gx_magic_doctor,
     false},
    {"magics", "%magics", "this list", run_list, false},
    {"quit", "%quit", "leaves, as exit and Ctrl-D do", gx_magic_quit, false},
};
enum { MAGICS = sizeof magics / sizeof *magics };

static bool run_list(gx_repl_state *s, const char *rest) {
    (void)rest;
    for (int i = 0; i < MAGICS; i++)
        gx_say(s->rt, GX_OUT, "%-28s %s\n", magics[i].usage, magics[i].doc);
    gx_say(s->rt, GX_OUT, "%s\n",
           "?NAME, NAME?                 explains a function, a type, a module; ??NAME shows its "
           "text\n%%NAME                       above rows: time, timeit, profile of a cell, which "
           "a blank row ends");
    return true;
}

/* --- recognising them ---------------------------------------------------------------------- */

bool gx_magic_is_cell(const char *text, size_t length) {
    size_t start = strspn(text, " ");
    return start + 2 < length && text[start] == '%' && text[start + 1] == '%';
}

bool gx_magic_is(const char *text, size_t length) {
    size_t start = strspn(text, " ");
    if (gx_magic_is_cell(text, length)) return true;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
    if (start >= length || memchr(text, '\n', length)) return false;
    if (text[start] == '%' || text[start] == '?') return true;
    if (text[length - 1] != '?') return false;
    while (length > start && text[length - 1] == '?') length--;
    for (size_t i = start; i < length; i++) { /* a dotted name */
        unsigned char c = (unsigned char)text[i];
        if (!(c == '_' || c == '.' || c >= 128 || (c >= '0' && c <= '9') ||
              ((c | 32) >= 'a' && (c | 32) <= 'z')))
            return false;
    }
    return length > start;
}

bool gx_magic_is_whole(const char *text, size_t length) {
    if (!gx_magic_is_cell(text, length)) return true;
    while (length && text[length - 1] == ' ') length--;
    return length && text[length - 1] == '\n';
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

static bool run_one(gx_repl_state *s, const gx_magic *m, const char *rest, bool cell) {
    if (cell && !m->cell)
        return gx_fail(s->rt, GX_SyntaxError, "magic.cell",
                       "%%%%%s is not a cell magic: it is written %s, in one line", m->name,
                       m->usage);
    if (!cell && strcmp(rest, "?") == 0) {
        gx_say(s->rt, GX_OUT, "%s\n    %s\n", m->usage, m->doc);
        return true;
    }
    return m->run(s, rest);
}

bool gx_magic_run(gx_repl_state *s, const char *text) {
    char name[40];
    bool cell = gx_magic_is_cell(text, strlen(text));
    text += strspn(text, " ");
    if (*text != '%') return gx_magic_help(s, text);
    text += 1 + cell;
    size_t n = strcspn(text, " \n?");
    snprintf(name, sizeof name, "%.*s", n < 39 ? (int)n : 39, text);
    const char *rest = text + n + strspn(text + n, cell ? " " : " \n");
    for (int i = 0; i < MAGICS; i++)
        if (strcmp(magics[i].name, name) == 0) return run_one(s, &magics[i], rest, cell);
    return unknown(s, name);
}

/* --- what they share ----------------------------------------------------------------------- */

bool gx_magic_load(gx_repl_state *s, const char *name, const char *text, gx_unit **out) {
    gx_parse_errors errors = {0};
    uint32_t source;
    *out = NULL;
    if (!gx_source_add(s->rt, name, text, strlen(text), &source)) return false;
    if (gx_load(s->rt, source, s->module, false, out, &errors) == GX_PARSE_OK) {
        gx_parse_errors_free(&errors);
    } else {
        gx_report_syntax(s->rt, &errors);
        *out = NULL;
    }
    return true;
}

bool gx_magic_code(gx_repl_state *s, const char *name, const char *text, bool echo) {
    gx_unit *unit;
    if (!gx_magic_load(s, name, text, &unit)) return false;
    if (!unit) return true;
    bool ok = gx_run_unit(s->rt, unit, s->module, echo);
    gx_unit_drop(unit);
    return ok;
}

bool gx_magic_needs(gx_repl_state *s, const char *rest, const char *usage, const char *what) {
    if (rest[strspn(rest, " \n")]) return true;
    return gx_fail(s->rt, GX_SyntaxError, "magic.usage", "%s needs %s", usage, what);
}

void gx_magic_put_seconds(char *out, size_t room, double seconds) {
    static const struct {
        double from;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
    int i = 0;
    while (seconds < units[i].from) i++;
    double shown = seconds / (units[i].from > 0 ? units[i].from : 1e-9);
    snprintf(out, room, "%.*f %s", shown < 10 ? 2 : shown < 100 ? 1 : 0, shown, units[i].unit);
}

void gx_magic_put_bytes(char *out, size_t room, double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int i = 0;
    while (bytes >= 1024 && i < 4) {
        bytes /= 1024;
        i++;
    }
    snprintf(out, room, i ? "%.1f %s" : "%.0f %s", bytes, units[i]);
}
