/* What an entry of the prompt leaves behind: its value shown, `_` and `_error`; and the names that
   every session begins with. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interp/session/scan.h"
#include "interp/session/session.h"
#include "runtime/array/array.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

enum { LARGE = 1 << 20 }; /* bytes of an array that is not kept for later */

bool gx_echo(gx_frame *f) {
    gx_rt *rt = f->rt;
    if (f->result.tag == GX_NONE) return true;
    rt->interp->echoed++;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, f->result, &text) && gx_buf_char(&text, '\n') &&
              gx_stdout_write(rt, gx_buf_text(&text), text.length) &&
              gx_globals_set_c(rt, f->globals, "_", f->result);
    gx_buf_free(&text);
    return ok;
}

bool gx_session_is_quiet(const char *text, size_t length) {
    return gx_scan_open(text, length).last == ';';
}

enum { KEPT = 200 }; /* values in Out */

/* Bytes that keeping a value keeps. */
static int64_t weight(gx_borrowed v) {
    return v.tag == GX_ARRAY ? gx_array_held(gx_as_array(v)) : 0;
}

/* The dict Out; UNDEF: the script has bound the name to something else. */
static gx_value out_of(gx_session *s) {
    gx_rt *rt = s->rt;
    gx_sym name = gx_sym_c(rt, "Out");
    gx_value out = gx_undef();
    if (!name) return out;
    gx_try found = gx_module_get(rt, s->module, name, &out);
    if (found == GX_TRY_YES && out.tag != GX_DICT) {
        gx_drop(out);
        return gx_undef();
    }
    if (found == GX_TRY_NO && gx_dict_new(rt, &out) &&
        !gx_globals_set_c(rt, s->module, "Out", out))
        gx_drop(gx_steal(&out));
    return out;
}

/* Binds a name of the module, or unbinds it (UNDEF). */
static bool bind_number(gx_session *s, int64_t number, gx_borrowed v) {
    char name[32];
    snprintf(name, sizeof name, "_%lld", (long long)number);
    return gx_globals_set_c(s->rt, s->module, name, v);
}

bool gx_session_keep_result(gx_session *s, int64_t number) {
    gx_rt *rt = s->rt;
    gx_sym last = gx_sym_c(rt, "_");
    gx_value v, old;
    if (!last) return false;
    gx_try found = gx_module_get(rt, s->module, last, &v);
    if (found != GX_TRY_YES) return found == GX_TRY_NO;
    bool ok = true;
    gx_value out = weight(v) < LARGE ? out_of(s) : gx_undef();
    if (out.tag == GX_DICT) {
        ok = gx_dict_set(rt, out, gx_int(number), v) && bind_number(s, number, v);
        if (ok && gx_dict_remove(rt, out, gx_int(number - KEPT), &old) == GX_TRY_YES) {
            gx_drop(old);
            ok = bind_number(s, number - KEPT, gx_none());
        }
    }
    gx_drop(out);
    gx_drop(v);
    return ok;
}

bool gx_predefine(gx_rt *rt, gx_module *m) {
    static const char *const names[][2] = {
        {"np", "numpy"}, {"cp", "cupy"}, {"plt", "matplotlib.pyplot"}};
    for (int i = 0; i < 3; i++) {
        gx_value module;
        gx_try found = gx_module_import(rt, names[i][1], &module);
        if (found == GX_TRY_ERROR) return false;
        if (found == GX_TRY_NO) continue;
        bool ok = gx_globals_set_c(rt, m, names[i][0], module);
        gx_drop(module);
        if (!ok) return false;
    }
    return true;
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

/* Does a text read the name `_`? */
static bool reads_last(const char *text) {
    bool before = false; /* a character of a name */
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool letter = c == '_' || c >= 128 || (c >= '0' && c <= '9') ||
                      ((c | 32) >= 'a' && (c | 32) <= 'z');
        unsigned char d = (unsigned char)text[1];
        bool more = d == '_' || d >= 128 || (d >= '0' && d <= '9') ||
                    ((d | 32) >= 'a' && (d | 32) <= 'z');
        if (c == '_' && !before && !more) return true;
        before = letter;
    }
    return false;
}

/* A large last value goes before the next is computed: both need not fit in memory. */
void gx_session_forget_last(gx_session *s, const char *text) {
    gx_sym name = gx_sym_c(s->rt, "_");
    int32_t slot;
    if (!name || !gx_map_get(&s->module->slots, name, &slot) || slot >= s->module->count) {
        gx_error_clear(s->rt);
        return;
    }
    gx_value *last = &s->module->values[slot];
    if (last->tag == GX_ARRAY && gx_array_nbytes(gx_as_array(*last)) >= LARGE && !reads_last(text))
        gx_drop(gx_steal(last));
}

/* Binds `_error`: the exception that ended an entry, with its code; the error stays pending. */
void gx_session_bind_error(gx_session *s) {
    gx_rt *rt = s->rt;
    gx_value exc;
    if (rt->error.kind == GX_MemoryError || !gx_exception_from_error(rt, &exc)) return;
    if (!gx_globals_set_c(rt, s->module, "_error", exc)) gx_error_clear(rt);
    gx_exception_raise(rt, exc);
    gx_drop(exc);
}
