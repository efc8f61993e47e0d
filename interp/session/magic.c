/* Lines of the prompt that are no program: %time CODE, %%time above rows, ?name. Each magic is a
   row of the table here; what it does is in magic_*.c. What they run is ordinary code of the
   prompt's module. */
#include <stdio.h>
#include <string.h>

#include "interp/session/magic_int.h"

static bool run_list(gx_session *s, const char *rest);

static const gx_magic magics[] = {
    {"time", "%time CODE", "runs it once and prints the time, results computed", gx_magic_time,
     true, NULL},
    {"timeit", "%timeit [-n N] [-r R] CODE", "runs it many times: mean, spread, best",
     gx_magic_timeit, true, NULL},
    {"profile", "%profile CODE", "runs it and tells where its time went, line by line",
     gx_magic_profile, true, NULL},
    {"explain", "%explain [-s|-p|-t] EXPRESSION",
     "what computing it costs; its source, PTX or tape", gx_magic_explain, false, NULL},
    {"who", "%who [TYPE]", "the names that are bound, to values of a type", gx_magic_who, false,
     NULL},
    {"whos", "%whos", "the same with dtype, shape, bytes, device, and who shares memory",
     gx_magic_whos, false, NULL},
    {"mem", "%mem", "memory in use, on the host and on the GPU", gx_magic_mem, false, NULL},
    {"device", "%device [cpu|cuda]", "where new arrays live; changes it", gx_magic_device, false,
     NULL},
    {"run", "%run FILE", "runs a file here; its names stay", gx_magic_run_file, false, NULL},
    {"reset", "%reset", "forgets all names", gx_magic_reset, false, NULL},
    {"errors", "%errors [short|normal|teach]", "how much messages say", gx_magic_errors, false,
     NULL},
    {"print", "%print [precision=4 edge=3 threshold=1000 width=75 suppress=on]",
     "how arrays are shown", gx_magic_print, false, NULL},
    {"checked", "%checked [on|off]",
     "whether kernels of the session watch their accesses on the GPU", gx_magic_checked, false,
     NULL},
    {"nan", "%nan [warn|stop|off]", "what happens where a nan comes up", gx_magic_nan, false, NULL},
    {"doctor", "%doctor", "what computing on a GPU needs and what is there", gx_magic_doctor, false,
     NULL},
    {"magics", "%magics", "this list", run_list, false, NULL},
};
enum { MAGICS = sizeof magics / sizeof *magics };

/* The rows of the table, then those of the program. */
static const gx_magic *row(const gx_session *s, size_t i) {
    return i < MAGICS ? &magics[i] : &s->own.items[i - MAGICS];
}

static bool run_list(gx_session *s, const char *rest) {
    (void)rest;
    for (size_t i = 0; i < MAGICS + s->own.count; i++)
        gx_say(s->rt, GX_OUT, "%-28s %s\n", row(s, i)->usage, row(s, i)->doc);
    gx_say(s->rt, GX_OUT, "%s\n",
           "?NAME, NAME?                 explains a function, a type, a module; ??NAME shows its "
           "text\n%%NAME                       above rows: time, timeit, profile of a cell, which "
           "a blank row ends");
    return true;
}

/* --- recognising them ---------------------------------------------------------------------- */

static bool is_cell(const char *text, size_t length) {
    size_t start = strspn(text, " ");
    return start + 2 < length && text[start] == '%' && text[start + 1] == '%';
}

bool gx_magic_is(const char *text, size_t length) {
    size_t start = strspn(text, " ");
    if (is_cell(text, length)) return true;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\n')) length--;
    if (start >= length || memchr(text, '\n', length)) return false;
    if (text[start] == '%' || text[start] == '?' || text[start] == '!') return true;
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
    if (!is_cell(text, length)) return true;
    while (length && text[length - 1] == ' ') length--;
    return length && text[length - 1] == '\n';
}

void gx_magic_each(const gx_session *s, void (*fn)(const char *name, void *ctx), void *ctx) {
    for (size_t i = 0; i < MAGICS + s->own.count; i++) fn(row(s, i)->name, ctx);
}

bool gx_magic_add(gx_session *s, const gx_magic *m) {
    return gx_vec_push(s->rt, &s->own, *m);
}

static bool unknown(gx_session *s, const char *name) {
    size_t count = MAGICS + s->own.count;
    const char **names = gx_alloc(s->rt, count * sizeof *names);
    if (!names) return false;
    for (size_t i = 0; i < count; i++) names[i] = row(s, i)->name;
    const char *near = gx_near_name(name, names, count);
    gx_free(s->rt, names);
    gx_fail(s->rt, GX_NameError, "magic.unknown", "there is no %%%.40s; %%magics lists all", name);
    if (near) gx_help(s->rt, "%%%s", near);
    return false;
}

static bool run_one(gx_session *s, const gx_magic *m, const char *rest, bool cell) {
    if (cell && !m->cell)
        return gx_fail(s->rt, GX_SyntaxError, "magic.cell",
                       "%%%%%s is not a cell magic: it is written %s, in one line", m->name,
                       m->usage);
    if (!cell && strcmp(rest, "?") == 0) {
        gx_say(s->rt, GX_OUT, "%s\n    %s\n", m->usage, m->doc);
        return true;
    }
    return m->run ? m->run(s, rest) : s->run_own(s->host, m->self, rest);
}

bool gx_magic_run(gx_session *s, const char *text) {
    char name[40];
    bool cell = is_cell(text, strlen(text));
    text += strspn(text, " ");
    if (*text != '%' && *text != '!') return gx_magic_help(s, text);
    const bool shell = *text == '!';
    text += 1 + cell;
    size_t n = shell ? 0 : strcspn(text, " \n?");
    snprintf(name, sizeof name, "%.*s", n < 39 ? (int)n : 39, text);
    if (shell) memcpy(name, "sh", 3);
    const char *rest = text + n + strspn(text + n, cell ? " " : " \n");
    for (size_t i = 0; i < MAGICS + s->own.count; i++)
        if (strcmp(row(s, i)->name, name) == 0) return run_one(s, row(s, i), rest, cell);
    return unknown(s, name);
}

/* A source's unit; false: its mistakes have been reported. */
static bool load(gx_session *s, uint32_t source, gx_unit **out) {
    gx_parse_errors errors = {0};
    if (gx_load(s->rt, source, s->module, false, out, &errors) == GX_PARSE_OK) {
        gx_parse_errors_free(&errors);
        return true;
    }
    gx_report_syntax(s->rt, &errors);
    *out = NULL;
    return false;
}

/* --- %run ---------------------------------------------------------------------------------- */

bool gx_magic_run_file(gx_session *s, const char *rest) {
    char path[1024];
    gx_unit *unit;
    uint32_t source;
    size_t n = strlen(rest);
    while (n && (rest[n - 1] == ' ' || rest[n - 1] == '\n')) n--;
    if (s->rt->debug.safe)
        return gx_fail(s->rt, GX_PermissionError, "file.safe", "GX_SAFE=1 allows no files");
    if (!gx_magic_needs(s, rest, "%run", "a file")) return false;
    if (n >= sizeof path)
        return gx_fail(s->rt, GX_OSError, "file.name", "the name of the file is too long");
    memcpy(path, rest, n);
    path[n] = '\0';
    if (!gx_source_read(s->rt, path, &source)) return false;
    if (!load(s, source, &unit)) return true;
    bool ok = gx_run_unit(s->rt, unit, s->module, false);
    gx_unit_drop(unit);
    return ok;
}

/* --- what they share ----------------------------------------------------------------------- */

bool gx_magic_load(gx_session *s, const char *name, const char *text, gx_unit **out) {
    uint32_t source;
    *out = NULL;
    if (!gx_source_add(s->rt, name, text, strlen(text), &source)) return false;
    (void)load(s, source, out);
    return true;
}

bool gx_magic_code(gx_session *s, const char *name, const char *text, bool echo) {
    gx_unit *unit;
    if (!gx_magic_load(s, name, text, &unit)) return false;
    if (!unit) return true;
    bool ok = gx_run_unit(s->rt, unit, s->module, echo);
    gx_unit_drop(unit);
    return ok;
}

bool gx_magic_needs(gx_session *s, const char *rest, const char *usage, const char *what) {
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
