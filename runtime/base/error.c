/* The pending error: raising, annotating, saving and freeing it.

   The texts come from malloc, not from gx_alloc: raising must work while GX_FAIL_ALLOC is active
   and a saved error has no context at hand. When even malloc refuses, the error becomes a
   MemoryError whose text is static, so raising never fails. Invariant: with kind GX_NO_ERROR every
   other field is zero. */
#include "runtime/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/rt.h"

typedef struct kind_row {
    const char *name;
    gx_error_kind parent;
} kind_row;

static const kind_row kinds[GX_ERROR_COUNT] = {
    [GX_NO_ERROR] = {"no error", GX_NO_ERROR},
#define X(name, base) [GX_##name] = {#name, GX_##base},
    GX_ERROR_KINDS(X)
#undef X
};

/* vsnprintf of texts and signs alone, which most messages consist of, in fewer steps; -1: it has
   something else or does not fit. */
static int format_texts(char *near, size_t room, const char *fmt, va_list args) {
    size_t n = 0;
    for (const char *p = fmt; *p;) {
        const char *text = p;
        size_t length = strcspn(p, "%");
        p += length;
        if (length == 0) {
            if (p[1] != 's' || !(text = va_arg(args, const char *))) return -1;
            length = strlen(text);
            p += 2;
        }
        if (length >= room - n) return -1;
        memcpy(near + n, text, length);
        n += length;
    }
    near[n] = '\0';
    return (int)n;
}

/* A malloc'd text, or NULL when there is no memory. */
static char *format(const char *fmt, va_list args) GX_PRINTF(1, 0);
static char *format(const char *fmt, va_list args) {
    char near[256];
    va_list again;
    va_copy(again, args);
    int length = format_texts(near, sizeof near, fmt, again);
    va_end(again);
    if (length < 0) {
        va_copy(again, args);
        length = vsnprintf(near, sizeof near, fmt, again);
        va_end(again);
    }
    if (length < 0) return NULL;
    char *text = malloc((size_t)length + 1);
    if (!text) return NULL;
    if ((size_t)length < sizeof near) memcpy(text, near, (size_t)length + 1);
    else vsnprintf(text, (size_t)length + 1, fmt, args);
    return text;
}

bool gx_vfail(gx_rt *rt, gx_error_kind kind, const char *code, const char *fmt, va_list args) {
    gx_error *e = &rt->error;
    if (gx_failed(e)) return false;
    char *message = format(fmt, args);
    if (!message) return gx_no_memory(rt);
    e->kind = kind;
    e->message = message;
    size_t length = code ? strnlen(code, sizeof e->code - 1) : 0;
    memcpy(e->code, code ? code : "", length);
    e->code[length] = '\0';
    return false;
}

bool gx_fail(gx_rt *rt, gx_error_kind kind, const char *code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    gx_vfail(rt, kind, code, fmt, args);
    va_end(args);
    return false;
}

bool gx_no_memory(gx_rt *rt) {
    gx_error *e = &rt->error;
    if (gx_failed(e)) return false;
    e->kind = GX_MemoryError;
    snprintf(e->code, sizeof e->code, "memory.host");
    return false;
}

bool gx_help(gx_rt *rt, const char *fmt, ...) {
    gx_error *e = &rt->error;
    if (!gx_failed(e) || e->help) return false;
    va_list args;
    va_start(args, fmt);
    e->help = format(fmt, args);
    va_end(args);
    return false;
}

bool gx_note(gx_rt *rt, const char *fmt, ...) {
    gx_error *e = &rt->error;
    if (!gx_failed(e) || e->note_count == GX_MAX_NOTES) return false;
    va_list args;
    va_start(args, fmt);
    char *note = format(fmt, args);
    va_end(args);
    if (note) e->notes[e->note_count++] = note;
    return false;
}

bool gx_about(gx_rt *rt, int count, const int64_t *numbers) {
    gx_error *e = &rt->error;
    if (!gx_failed(e) || e->number_count || count > GX_MAX_NUMBERS) return false;
    memcpy(e->number, numbers, (size_t)count * sizeof *numbers);
    e->number_count = count;
    return false;
}

/* Under the sanitizers a broken answer is a finding, as a bad access is. */
static void report_broken(gx_rt *rt, bool ok, const char *function, const char *message) {
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    gx_say(rt, GX_ERR, "gx: %s %s%s\n", function,
           ok ? "gave a result although an error was pending: " : "failed without an error",
           ok && message ? message : "");
    abort();
#else
    (void)rt;
    (void)ok;
    (void)function;
    (void)message;
#endif
}

bool gx_error_settle(gx_rt *rt, bool ok, const char *function) {
    if (GX_LIKELY(ok != gx_failed(&rt->error))) return ok;
    report_broken(rt, ok, function, rt->error.message);
    if (!ok)
        return gx_fail(rt, GX_SystemError, "", "%s failed without saying why: a mistake in gx",
                       function);
    return gx_note(rt, "%s had gone on with a result: a mistake in gx", function);
}

static void empty(gx_error *e) {
    memset(e, 0, offsetof(gx_error, trace));
}

size_t gx_error_bytes(const gx_error *e) {
    return offsetof(gx_error, trace) + (size_t)e->trace_count * sizeof *e->trace;
}

void gx_error_move(gx_error *to, gx_error *from) {
    memcpy(to, from, gx_error_bytes(from));
    empty(from);
}

void gx_error_free(gx_error *e) {
    free(e->message);
    for (int i = 0; i < e->note_count; i++) free(e->notes[i]);
    free(e->help);
    for (int i = 0; i < 2; i++) free(e->operand_text[i]);
    gx_value exception = e->exception;
    /* Emptied first: dropping the exception may run code that looks at this error. */
    empty(e);
    if (exception.tag >= GX_FIRST_OBJECT && --exception.obj->refs == 0)
        gx_rt_of(exception.obj)->free_object(exception.obj);
}

void gx_error_clear(gx_rt *rt) {
    gx_error_free(&rt->error);
}

void gx_error_save(gx_rt *rt, gx_error *to) {
    gx_error_move(to, &rt->error);
}

void gx_error_restore(gx_rt *rt, gx_error *from) {
    /* Nothing was saved: what went wrong meanwhile stays pending. */
    if (!gx_failed(from)) return;
    if (gx_failed(&rt->error)) gx_error_clear(rt);
    gx_error_move(&rt->error, from);
}

const char *gx_error_name(gx_error_kind kind) {
    return (unsigned)kind < GX_ERROR_COUNT ? kinds[kind].name : "Exception";
}

gx_error_kind gx_error_parent(gx_error_kind kind) {
    return (unsigned)kind < GX_ERROR_COUNT ? kinds[kind].parent : GX_Exception;
}

bool gx_error_is(gx_error_kind kind, gx_error_kind ancestor) {
    if (kind == GX_NO_ERROR || ancestor == GX_NO_ERROR) return false;
    if (kind == GX_AxisError && gx_error_is(GX_IndexError, ancestor)) return true;
    while (kind != ancestor && kinds[kind].parent != kind) kind = kinds[kind].parent;
    return kind == ancestor;
}

gx_error_kind gx_error_of_errno(int number) {
    static const struct {
        int number;
        gx_error_kind kind;
    } rows[] = {
        {EAGAIN, GX_BlockingIOError},        {EALREADY, GX_BlockingIOError},
        {EINPROGRESS, GX_BlockingIOError},   {EWOULDBLOCK, GX_BlockingIOError},
        {EPIPE, GX_BrokenPipeError},         {ESHUTDOWN, GX_BrokenPipeError},
        {ECHILD, GX_ChildProcessError},      {ECONNABORTED, GX_ConnectionAbortedError},
        {ECONNREFUSED, GX_ConnectionRefusedError},
        {ECONNRESET, GX_ConnectionResetError}, {EEXIST, GX_FileExistsError},
        {ENOENT, GX_FileNotFoundError},      {EISDIR, GX_IsADirectoryError},
        {ENOTDIR, GX_NotADirectoryError},    {EINTR, GX_InterruptedError},
        {EACCES, GX_PermissionError},        {EPERM, GX_PermissionError},
        {ESRCH, GX_ProcessLookupError},      {ETIMEDOUT, GX_TimeoutError},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == number) return rows[i].kind;
    return GX_OSError;
}
