/* Compiling a script's kernels. What the parameters are is not parsed from the text but asked of
   the compiler (types.c), for the kernels that the text shows. What then turns out to be none (in
   #if 0, or in a namespace) is asked no more, and kernels of the PTX that the text did not show
   (made by a macro, of several meanings) are asked by what their symbols say. Mostly one
   compilation does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cuda/ptx.h"
#include "runtime/backend/sim/sim.h"
#include "runtime/kernel/launch_int.h"
#include "runtime/object/warn.h"

enum { ROUNDS = 4, QUESTIONS = 64 };

/* What the compiler is asked: the type of a kernel. */
typedef struct question {
    char *name;     /* owned; "f", or the script's "f<float>" */
    char *function; /* owned; an expression */
    char *symbol;   /* owned; in the PTX; NULL: not known */
    bool refused;   /* there is no such function */
} question;

typedef struct questions {
    question list[QUESTIONS];
    int n, given; /* the first are the script's name expressions */
} questions;

static void free_questions(gx_rt *rt, questions *all) {
    for (int k = 0; k < all->n; k++) {
        gx_free(rt, all->list[k].name);
        gx_free(rt, all->list[k].function);
        gx_free(rt, all->list[k].symbol);
    }
}

static bool ask(gx_rt *rt, questions *all, const char *name, size_t n, const char *function,
                const char *symbol) {
    if (all->n == QUESTIONS)
        return gx_fail(rt, GX_ValueError, "kernel.many", "more than %d kernels in one source",
                       QUESTIONS);
    question *q = &all->list[all->n++];
    char *plain = gx_alloc(rt, n + 2);
    *q = (question){.name = gx_raw_copy(rt, name, n), .function = plain};
    if (!q->name || !plain) return false;
    snprintf(plain, n + 2, "&%.*s", (int)n, name);
    if (function) {
        gx_free(rt, plain);
        if (!(q->function = gx_raw_copy(rt, function, strlen(function)))) return false;
    }
    return !symbol || (q->symbol = gx_raw_copy(rt, symbol, strlen(symbol))) != NULL;
}

/* The script's expressions, and the kernels that the text declares. */
static bool first_questions(gx_raw *raw, const char *const *given, int n, questions *all) {
    all->n = 0;
    for (int k = 0; k < n; k++)
        if (!ask(raw->rt, all, given[k], strlen(given[k]), NULL, NULL)) return false;
    all->given = all->n;
    gx_kernel_text t;
    for (const char *p = raw->source; (p = gx_kernel_next(raw->source, p, &t));) {
        bool known = t.list != NULL;
        for (int k = 0; k < all->n && !known; k++)
            known = strlen(all->list[k].name) == t.length &&
                    memcmp(all->list[k].name, t.name, t.length) == 0;
        if (!known && !ask(raw->rt, all, t.name, t.length, NULL, NULL)) return false;
    }
    return true;
}

/* --- compiling once --- */

typedef struct output {
    gx_buf ptx, lowered, log;
} output;

static bool compile(gx_raw *raw, const questions *all, const char *const *options, int n_options,
                    output *out) {
    gx_rt *rt = raw->rt;
    gx_buf text = gx_buf_new(rt);
    const char *names[QUESTIONS];
    int given = all ? all->given : 0;
    bool ok = gx_buf_printf(&text, "#line %d \"%s\"\n%s", raw->first_line, raw->file, raw->source);
    if (ok && all) ok = gx_raw_types_templates(&text);
    for (int k = 0; all && k < all->n && ok; k++)
        if (!all->list[k].refused) ok = gx_raw_types_table(&text, k, all->list[k].function);
    for (int k = 0; k < given; k++) names[k] = all->list[k].name;
    gx_ptx_request q = {.source = gx_buf_text(&text),
                        .file = raw->file,
                        .options = options,
                        .n_options = n_options,
                        .names = names,
                        .n_names = given,
                        .log = &out->log};
    gx_buf_free(&out->ptx);
    gx_buf_free(&out->lowered);
    gx_buf_free(&out->log);
    *out = (output){gx_buf_new(rt), gx_buf_new(rt), gx_buf_new(rt)};
    ok = ok && gx_cuda_ptx(rt, &q, &out->ptx, &out->lowered);
    gx_buf_free(&text);
    return ok;
}

/* After a compilation that failed: the questions that the compiler calls wrong are refused. False:
   something else is wrong. */
static bool refuse(const char *log, questions *all) {
    static const char file[] = GX_TYPES_FILE "(";
    bool any = false;
    for (const char *p = log; (p = strstr(p, "): error")); p++) {
        const char *line = p;
        while (line > log && line[-1] != '\n') line--;
        if (strncmp(line, file, sizeof file - 1) != 0) return false;
        long k = strtol(line + sizeof file - 1, NULL, 10) - 1;
        if (k < all->given || k >= all->n) return false;
        all->list[k].refused = any = true;
    }
    return any;
}

/* What was left out of the source. */
typedef struct omitted {
    gx_kernel_host item[QUESTIONS];
    int n, rounds;
} omitted;

/* GX_SAFE: a file that was asked for is refused, and not passed over. */
static bool asks_for_file(const char *item) {
    return *item == '#' || strncmp(item, "import", 6) == 0 || strncmp(item, "module", 6) == 0;
}

/* After a compilation that failed: code of the host in which errors are is left out of the source,
   whose lines stay. */
static void leave_out(gx_raw *raw, const char *log, omitted *o, bool *any) {
    int line;
    *any = false;
    if (o->rounds++ >= ROUNDS) return;
    while (o->n < QUESTIONS && gx_ptx_error(&log, raw->file, &line)) {
        gx_kernel_host *h = &o->item[o->n];
        if (!line || !gx_kernel_host_code(raw->source, raw->first_line, line, h)) continue;
        if (raw->rt->debug.safe && asks_for_file(raw->source + h->from)) continue;
        for (int64_t k = h->from; k < h->end; k++)
            if (raw->source[k] != '\n') raw->source[k] = ' ';
        *any = true;
        o->n++;
    }
}

/* Puts back what errors ask for: it was no code of the host alone. */
static bool put_back(gx_raw *raw, const char *source, const char *log, const omitted *o) {
    bool any = false;
    for (int k = 0; k < o->n; k++) {
        const gx_kernel_host *h = &o->item[k];
        char quoted[80];
        snprintf(quoted, sizeof quoted, "\"%s\"", h->name);
        if (!strstr(log, quoted)) continue;
        memcpy(raw->source + h->from, source + h->from, (size_t)(h->end - h->from));
        any = true;
    }
    return any;
}

static bool tell_omitted(gx_raw *raw, const omitted *o) {
    gx_buf told = gx_buf_new(raw->rt);
    bool ok = true;
    for (int k = 0; k < o->n && ok; k++) {
        const gx_kernel_host *h = &o->item[k];
        ok = gx_buf_printf(&told, "%s%s (line%s %d", k ? ", " : "", h->name,
                           h->last > h->first ? "s" : "", h->first) &&
             (h->last == h->first || gx_buf_printf(&told, " to %d", h->last)) &&
             gx_buf_char(&told, ')');
    }
    if (ok && o->n)
        ok = gx_warn(raw->rt, GX_RuntimeWarning,
                     "kernel.host: left out as code for the host: %s; in gx the script does its "
                     "work: x = zeros(n, dtype=float32), then k[blocks, threads](x, n)",
                     gx_buf_text(&told));
    gx_buf_free(&told);
    return ok;
}

/* --- from the PTX to questions --- */

static bool is_answered(const questions *all, const char *lowered, const gx_kernel_meaning *m,
                        const char *symbol, int *which) {
    for (int k = 0; k < all->n; k++) {
        const question *q = &all->list[k];
        const char *in_ptx = k < all->given ? lowered : q->symbol;
        bool same = in_ptx ? strcmp(in_ptx, symbol) == 0
                           : k >= all->given && m->name && strcmp(m->name, q->name) == 0;
        if (k < all->given && lowered) lowered += strlen(lowered) + 1;
        if (!same || (q->refused && !q->symbol)) continue;
        *which = q->refused ? -1 : k;
        return true;
    }
    *which = -1;
    return false;
}

/* "float*, int)" */
static bool put_types(const gx_kernel_meaning *m, gx_buf *out) {
    bool ok = true;
    for (int k = 0; k < m->n_type && ok; k++)
        ok = gx_buf_printf(out, "%s%s", k ? ", " : "", m->type[k]);
    return ok && gx_buf_char(out, ')');
}

/* "static_cast<void (*)(float*, int)>(&q::f)", or "&f<float>". */
static bool function_text(const gx_kernel_meaning *m, gx_buf *out) {
    if (!m->exact) return gx_buf_printf(out, "&%s", m->name);
    return gx_buf_puts(out, "static_cast<void (*)(") && put_types(m, out) &&
           gx_buf_printf(out, ">(&%s)", m->name);
}

/* Asks for the kernels of the PTX that nobody asked for; *more: there are such. */
static bool more_questions(gx_raw *raw, const char *lowered, questions *all, bool *more) {
    gx_rt *rt = raw->rt;
    const char *symbol;
    *more = false;
    for (int k = 0; (symbol = gx_sim_entry_name(raw->sim, k)); k++) {
        gx_kernel_meaning m;
        int which;
        if (!gx_kernel_symbol(rt, symbol, &m)) return false;
        bool ok = true;
        if (!is_answered(all, lowered, &m, symbol, &which) && m.name && all->n < QUESTIONS) {
            gx_buf text = gx_buf_new(rt);
            ok = function_text(&m, &text) &&
                 ask(rt, all, m.name, strlen(m.name), gx_buf_text(&text), symbol);
            gx_buf_free(&text);
            *more = true;
        }
        gx_free(rt, m.name);
        if (!ok) return false;
    }
    return true;
}

/* --- entries --- */

/* Does the module have another kernel of that name? */
static bool is_overloaded(gx_raw *raw, const char *symbol, const char *name, bool *ok) {
    const char *other;
    bool same = false;
    for (int k = 0; *ok && !same && (other = gx_sim_entry_name(raw->sim, k)); k++) {
        gx_kernel_meaning m;
        if (strcmp(other, symbol) == 0) continue;
        *ok = gx_kernel_symbol(raw->rt, other, &m);
        same = *ok && m.name && strcmp(m.name, name) == 0;
        gx_free(raw->rt, m.name);
    }
    return same;
}

/* What a kernel is called: as the script's expression or the text has it; several of one name with
   their parameters. */
static bool name_entry(gx_raw *raw, gx_raw_entry *e, const gx_kernel_meaning *m,
                       const question *q) {
    gx_rt *rt = raw->rt;
    const char *name = q ? q->name : m->name ? m->name : e->symbol;
    bool ok = true;
    if (!m->exact || !is_overloaded(raw, e->symbol, name, &ok))
        return ok && (e->name = gx_raw_copy(rt, name, strlen(name))) != NULL;
    gx_buf text = gx_buf_new(rt);
    ok = gx_buf_printf(&text, "%s(", name) && put_types(m, &text) &&
         (e->name = gx_raw_copy(rt, gx_buf_text(&text), text.length)) != NULL;
    gx_buf_free(&text);
    return ok;
}

/* Where the parameters lie, and what they are. */
static void read_entry(gx_raw *raw, gx_raw_entry *e, const gx_kernel_meaning *m, int which) {
    int number = gx_sim_entry(raw->sim, e->symbol), p = 0;
    int64_t offset, bytes;
    e->known = which >= 0 && gx_raw_types_read(raw, which, e);
    int told = e->n_param;
    for (; p < GX_RAW_PARAMS && gx_sim_param(raw->sim, number, p, &offset, &bytes); p++) {
        e->param[p].offset = offset;
        e->param_bytes = offset + bytes;
        if (e->known) continue;
        e->param[p].size = (int)bytes;
        e->param[p].lanes = 1;
        e->param[p].kind = GX_NO_DTYPE;
    }
    if (e->known && told != p) e->known = false;
    e->n_param = p;
    for (int k = 0; k < p; k++) {
        if (m->exact && m->n_type == p)
            memcpy(e->param[k].type, m->type[k], sizeof e->param[k].type);
        else if (e->known)
            gx_raw_types_text(&e->param[k], e->param[k].type, sizeof e->param[k].type);
    }
    gx_kernel_params(raw->source, e->name, e);
    for (int k = 0; k < p && e->known && strchr(e->name, '<'); k++) /* T is said as what it is */
        gx_raw_types_text(&e->param[k], e->param[k].type, sizeof e->param[k].type);
    e->shared = gx_sim_static_shared(raw->sim, number);
    e->local = gx_sim_local(raw->sim, number);
    int most = gx_sim_max_threads(raw->sim, number);
    e->max_threads = most > 0 && most < 1024 ? most : 1024;
}

static bool add_entries(gx_raw *raw, const char *lowered, const questions *all) {
    gx_rt *rt = raw->rt;
    int n = 0;
    while (gx_sim_entry_name(raw->sim, n)) n++;
    gx_raw_template t;
    if (n == 0 && gx_raw_template_at(raw, 0, &t)) return true;
    if (n == 0)
        return gx_fail(rt, GX_ValueError, "kernel.none",
                       "the source has no kernel: a function marked __global__");
    raw->entry = gx_alloc_zero(rt, (size_t)n * sizeof *raw->entry);
    if (!raw->entry) return false;
    for (int k = 0; k < n; k++) {
        gx_raw_entry *e = &raw->entry[k];
        const char *symbol = gx_sim_entry_name(raw->sim, k);
        gx_kernel_meaning m;
        int which;
        raw->n_entry = k + 1;
        if (!(e->symbol = gx_raw_copy(rt, symbol, strlen(symbol))) ||
            !gx_kernel_symbol(rt, symbol, &m))
            return false;
        is_answered(all, lowered, &m, symbol, &which);
        bool ok = name_entry(raw, e, &m, which >= 0 ? &all->list[which] : NULL);
        if (ok) read_entry(raw, e, &m, which);
        gx_free(rt, m.name);
        if (!ok) return false;
    }
    return true;
}

/* Compiles the source alone, which decides what is wrong with it. */
static bool compile_alone(gx_raw *raw, const char *const *options, int n_options, output *out) {
    gx_error_clear(raw->rt);
    return compile(raw, NULL, options, n_options, out);
}

/* Compiles until all kernels are known, or no question helps. */
static bool compile_all(gx_raw *raw, questions *all, const char *const *options, int n_options,
                        output *out, omitted *o) {
    gx_rt *rt = raw->rt;
    for (int round = 0; round < ROUNDS; round++) {
        bool more = false, left;
        if (!compile(raw, all, options, n_options, out)) {
            if (rt->error.kind != GX_RuntimeError || strcmp(rt->error.code, "kernel.compile") != 0)
                return false;
            if (round + 1 < ROUNDS && refuse(gx_buf_text(&out->log), all)) {
                gx_error_clear(rt);
                continue;
            }
            if (compile_alone(raw, options, n_options, out))
                return gx_sim_new(rt, gx_buf_text(&out->ptx), out->ptx.length, &raw->sim);
            gx_error failed;
            gx_error_save(rt, &failed);
            leave_out(raw, gx_buf_text(&out->log), o, &left);
            gx_error_restore(rt, &failed);
            if (!left) return false;
            gx_error_clear(rt);
            round--;
            continue;
        }
        if (!gx_sim_new(rt, gx_buf_text(&out->ptx), out->ptx.length, &raw->sim)) return false;
        const char *lowered = all->given ? gx_buf_text(&out->lowered) : NULL;
        if (round + 2 < ROUNDS && !more_questions(raw, lowered, all, &more)) return false;
        if (!more) break;
        gx_sim_free(raw->sim);
        raw->sim = NULL;
    }
    return true;
}

/* What the compiler warns of. */
static bool tell_warnings(gx_raw *raw, const char *log) {
    int line, n;
    const char *text;
    while (gx_ptx_warning(&log, raw->file, &line, &text, &n))
        if (!gx_warn(raw->rt, GX_RuntimeWarning, "kernel.warning: %s:%d: %.*s", raw->file, line, n,
                     text))
            return false;
    return true;
}

static void free_raw(gx_raw *raw) {
    gx_rt *rt = raw->rt;
    gx_raw_unload(raw);
    for (int k = 0; k < raw->n_entry; k++) {
        gx_free(rt, raw->entry[k].name);
        gx_free(rt, raw->entry[k].symbol);
    }
    for (int k = 0; k < raw->n_option; k++) gx_free(rt, raw->option[k]);
    for (int k = 0; k < raw->n_instance; k++) {
        gx_free(rt, raw->instance[k].expression);
        gx_raw_drop(raw->instance[k].raw);
    }
    gx_free(rt, raw->option);
    gx_free(rt, raw->instance);
    gx_free(rt, raw->entry);
    gx_sim_free(raw->sim);
    gx_free(rt, raw->ptx);
    gx_free(rt, raw->source);
    gx_free(rt, raw->file);
    gx_free(rt, raw);
}

void gx_raw_drop(gx_raw *raw) {
    if (raw && --raw->refs == 0) free_raw(raw);
}

static bool keep_options(gx_raw *raw, const char *const *options, int n) {
    if (n == 0) return true;
    raw->option = gx_alloc_zero(raw->rt, (size_t)n * sizeof *raw->option);
    for (int k = 0; raw->option && k < n; k++) {
        raw->option[k] = gx_raw_copy(raw->rt, options[k], strlen(options[k]));
        if (!raw->option[k]) return false;
        raw->n_option = k + 1;
    }
    return raw->option != NULL;
}

bool gx_raw_instance(gx_raw *raw, const char *expression, gx_raw **out, int *entry) {
    gx_rt *rt = raw->rt;
    for (int k = 0; k < raw->n_instance; k++) {
        if (strcmp(raw->instance[k].expression, expression) != 0) continue;
        *out = raw->instance[k].raw;
        *entry = raw->instance[k].entry;
        return true;
    }
    size_t n = (size_t)raw->n_instance + 1;
    gx_raw_made *more = gx_realloc(rt, raw->instance, n * sizeof *more);
    if (!more) return false;
    raw->instance = more;
    gx_raw_made *i = &more[raw->n_instance];
    *i = (gx_raw_made){.expression = gx_raw_copy(rt, expression, strlen(expression))};
    if (!i->expression) return false;
    if (!gx_raw_new(rt, raw->source, raw->file, raw->first_line, (const char *const *)raw->option,
                    raw->n_option, &expression, 1, &i->raw)) {
        gx_free(rt, i->expression);
        return false;
    }
    raw->n_instance++;
    i->entry = gx_raw_find(i->raw, expression);
    *out = i->raw;
    *entry = i->entry;
    return i->entry >= 0 ||
           gx_fail(rt, GX_ValueError, "kernel.name", "the source has no kernel %s", expression);
}

bool gx_raw_new(gx_rt *rt, const char *source, const char *file, int line,
                const char *const *options, int n_options, const char *const *names, int n_names,
                gx_raw **made) {
    gx_raw *raw = gx_alloc_zero(rt, sizeof *raw);
    if (!raw) return false;
    raw->rt = rt;
    raw->refs = 1;
    raw->drop = gx_raw_drop;
    raw->first_line = line;
    raw->source = gx_raw_copy(rt, source, strlen(source));
    raw->file = gx_raw_copy(rt, file, strlen(file));
    output out = {gx_buf_new(rt), gx_buf_new(rt), gx_buf_new(rt)};
    questions all;
    omitted o = {.n = 0};
    all.n = 0;
    bool ok = raw->source && raw->file && keep_options(raw, options, n_options) &&
              first_questions(raw, names, n_names, &all) &&
              compile_all(raw, &all, options, n_options, &out, &o);
    if (!ok && o.n && put_back(raw, source, gx_buf_text(&out.log), &o))
        compile_alone(raw, options, n_options, &out); /* its errors are what is wrong */
    ok = ok && tell_omitted(raw, &o) && tell_warnings(raw, gx_buf_text(&out.log)) &&
         add_entries(raw, out.lowered.length ? gx_buf_text(&out.lowered) : NULL, &all);
    free_questions(rt, &all);
    if (ok) {
        const char *ptx = gx_buf_text(&out.ptx);
        raw->ptx = gx_raw_copy(rt, ptx, out.ptx.length);
        raw->together = strstr(ptx, "%envreg") != NULL; /* grid.sync() finds the barrier there */
        raw->prints = strstr(ptx, "vprintf") != NULL;
        ok = raw->ptx != NULL;
    }
    gx_buf_free(&out.ptx);
    gx_buf_free(&out.lowered);
    gx_buf_free(&out.log);
    if (!ok) {
        free_raw(raw);
        return false;
    }
    *made = raw;
    return true;
}

bool gx_raw_possible(gx_rt *rt) {
    return gx_cuda_compiler_there(rt);
}

/* "q::f(float*)" and "f": the name without namespaces and parameters. */
static bool is_short(const char *full, const char *name) {
    size_t end = strcspn(full, "(<"), from = end;
    while (from > 0 && full[from - 1] != ':') from--;
    return strlen(name) == end - from && memcmp(full + from, name, end - from) == 0;
}

int gx_raw_find(const gx_raw *raw, const char *name) {
    int found = -1, count = 0;
    for (int k = 0; k < raw->n_entry; k++)
        if (strcmp(raw->entry[k].name, name) == 0 || strcmp(raw->entry[k].symbol, name) == 0)
            return k;
    for (int k = 0; k < raw->n_entry; k++) {
        if (!is_short(raw->entry[k].name, name)) continue;
        found = k;
        count++;
    }
    return count == 1 ? found : -1;
}
