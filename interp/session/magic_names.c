/* %who, %whos, %reset, and the question marks: what is bound at the prompt, and what it is. */
#include <stdio.h>
#include <string.h>

#include "interp/session/magic_int.h"
#include "runtime/array/array.h"
#include "stdlib/stdlib.h"

static bool is_shown(const gx_session *s, int32_t i) {
    const char *name = gx_sym_text(s->rt, s->module->names[i]);
    return s->module->values[i].tag != GX_UNDEF && name[0] != '_' && strcmp(name, "np") != 0 &&
           strcmp(name, "cp") != 0 && strcmp(name, "plt") != 0 && strcmp(name, "Out") != 0;
}

void gx_magic_each_name(const gx_session *s, void (*fn)(const char *name, void *ctx), void *ctx) {
    for (int32_t i = 0; i < s->module->count; i++)
        if (is_shown(s, i)) fn(gx_sym_text(s->rt, s->module->names[i]), ctx);
}

/* Is a value of the type that was asked for, by its name? */
static bool is_of(gx_borrowed v, const char *type) {
    const char *name = gx_type_name(v), *dot = strrchr(name, '.');
    size_t n = strcspn(type, " \n");
    if (dot) name = dot + 1;
    return !n || (strlen(name) == n && memcmp(name, type, n) == 0);
}

bool gx_magic_who(gx_session *s, const char *rest) {
    bool any = false;
    for (int32_t i = 0; i < s->module->count; i++) {
        if (!is_shown(s, i) || !is_of(s->module->values[i], rest)) continue;
        gx_say(s->rt, GX_OUT, "%s%s", any ? "  " : "", gx_sym_text(s->rt, s->module->names[i]));
        any = true;
    }
    gx_say(s->rt, GX_OUT, "%s\n", any ? "" : "no names are bound");
    return true;
}

/* An attribute as text, "" when there is none. */
static void put_attribute(gx_session *s, gx_borrowed v, const char *name, gx_buf *out) {
    gx_sym sym = gx_sym_c(s->rt, name);
    gx_value found;
    if (!sym || gx_try_attr(s->rt, v, sym, &found) != GX_TRY_YES) {
        gx_error_clear(s->rt);
        return;
    }
    if (!gx_str_into(s->rt, found, out)) gx_error_clear(s->rt);
    gx_drop(found);
}

/* The names of the arrays whose elements lie in the memory of this one. */
static void put_sharers(gx_session *s, int32_t self, gx_buf *out) {
    gx_value v = s->module->values[self];
    bool ok = true;
    if (v.tag != GX_ARRAY) return;
    for (int32_t i = 0; ok && i < s->module->count; i++) {
        gx_value w = s->module->values[i];
        if (i == self || !is_shown(s, i) || w.tag != GX_ARRAY) continue;
        if (gx_as_array(w)->storage != gx_as_array(v)->storage ||
            !gx_arrays_share(gx_as_array(v), gx_as_array(w)))
            continue;
        ok = gx_buf_printf(out, "%s%s", out->length ? ", " : "shares with ",
                           gx_sym_text(s->rt, s->module->names[i]));
    }
    if (!ok) gx_error_clear(s->rt);
}

bool gx_magic_whos(gx_session *s, const char *rest) {
    static const char *const columns[] = {"dtype", "shape", "nbytes", "device"};
    (void)rest;
    gx_say(s->rt, GX_OUT, "%-10s %-13s %-8s %-12s %10s  %s\n", "name", "type", "dtype", "shape",
           "bytes", "device");
    for (int32_t i = 0; i < s->module->count; i++) {
        gx_buf text[5];
        if (!is_shown(s, i)) continue;
        gx_value v = gx_keep(s->module->values[i]);
        const char *name = gx_sym_text(s->rt, s->module->names[i]);
        for (int k = 0; k < 5; k++) text[k] = gx_buf_new(s->rt);
        for (int k = 0; v.tag == GX_ARRAY && k < 4; k++) put_attribute(s, v, columns[k], &text[k]);
        put_sharers(s, i, &text[4]);
        gx_say(s->rt, GX_OUT, "%-10s %-13s", name, gx_type_name(v));
        if (v.tag == GX_ARRAY)
            gx_say(s->rt, GX_OUT, " %-8s %-12s %10s  %s%s%s", gx_buf_text(&text[0]),
                   gx_buf_text(&text[1]), gx_buf_text(&text[2]), gx_buf_text(&text[3]),
                   text[4].length ? "  " : "", gx_buf_text(&text[4]));
        gx_say(s->rt, GX_OUT, "\n");
        for (int k = 0; k < 5; k++) gx_buf_free(&text[k]);
        gx_drop(v);
    }
    return true;
}

bool gx_magic_reset(gx_session *s, const char *rest) {
    (void)rest;
    for (int32_t i = 0; i < s->module->count; i++) {
        gx_value v = s->module->values[i];
        if (strncmp(gx_sym_text(s->rt, s->module->names[i]), "__", 2) == 0) continue;
        s->module->values[i] = gx_undef();
        gx_drop(v);
    }
    return gx_predefine(s->rt, s->module);
}

/* --- ?x and ??x ---------------------------------------------------------------------------- */

static const gx_function *code_of(gx_borrowed v) {
    if (v.tag == GX_METHOD) v = ((gx_bound *)v.obj)->fn;
    return v.tag == GX_FUNC ? gx_as_func(v)->code : NULL;
}

/* The rows of a def, with the decorators' rows left out. */
static bool put_definition(gx_session *s, const gx_function *code) {
    const gx_source *source = gx_source_of(s->rt, code->at);
    uint32_t line, column;
    if (!source || !code->body || code->at.end <= code->at.start) return false;
    gx_source_place(s->rt, code->at, &line, &column);
    size_t end = code->body->at.end;
    if (end < code->at.end) end = code->at.end;
    if (end > source->length) end = source->length;
    while (end > code->at.start && source->text[end - 1] == '\n') end--;
    gx_say(s->rt, GX_OUT, "%s:%u\n%*s%.*s\n", source->name, line, (int)column - 1, "",
           (int)(end - code->at.start), source->text + code->at.start);
    return true;
}

static bool show_source(gx_session *s, const char *expression, bool *shown) {
    gx_unit *unit;
    gx_value v = gx_none();
    *shown = true;
    if (!gx_magic_load(s, "<help>", expression, &unit)) return false;
    if (!unit) return true;
    bool ok = gx_run_value(s->rt, unit, s->module, &v);
    gx_unit_drop(unit);
    if (!ok) return false;
    const gx_function *code = code_of(v);
    *shown = code && put_definition(s, code);
    gx_drop(v);
    return true;
}

bool gx_magic_definition(gx_session *s, const char *name, const char **text, size_t *length) {
    for (int32_t i = 0; i < s->module->count; i++) {
        const gx_function *code = code_of(s->module->values[i]);
        const gx_source *source = code ? gx_source_of(s->rt, code->at) : NULL;
        if (!source || strcmp(gx_sym_text(s->rt, s->module->names[i]), name) != 0) continue;
        *length = code->body->at.end - code->at.start;
        *text = source->text + code->at.start;
        return true;
    }
    return false;
}

bool gx_magic_help(gx_session *s, const char *text) {
    char code[400], name[384];
    size_t length = strlen(text);
    int marks = 0;
    bool shown = false;
    for (; *text == '?'; text++, length--) marks++;
    for (; length && (text[length - 1] == '?' || text[length - 1] == ' '); length--)
        marks += text[length - 1] == '?';
    while (length && *text == ' ') {
        text++;
        length--;
    }
    snprintf(name, sizeof name, "%.*s", length < 380 ? (int)length : 380, text);
    if (marks > 1 && length && !show_source(s, name, &shown)) return false;
    if (shown) return true;
    snprintf(code, sizeof code, "help(%s)", name);
    return gx_magic_code(s, "<help>", code, false);
}
