/* Errors: one pending error a context; the first one wins. Low layers never know source
   positions: the evaluator stamps the innermost node's span as a failure passes through, and lines
   are computed only when a message is printed (interp/errors/report.c).

   A function that can fail returns bool (GX_CHECK) and writes its result through the last
   parameter. false: an error is pending, all that the function owned is released, *out is
   untouched. */
#ifndef GX_RUNTIME_BASE_ERROR_H
#define GX_RUNTIME_BASE_ERROR_H

#include <stdarg.h>

#include "runtime/base/source.h"
#include "runtime/base/value.h"

/* X(name, base): Python's exception classes, parents before children. */
#define GX_ERROR_KINDS(X)                                                                          \
    X(BaseException, BaseException)                                                                \
    X(Exception, BaseException)                                                                    \
    X(KeyboardInterrupt, BaseException)                                                            \
    X(SystemExit, BaseException)                                                                   \
    X(GeneratorExit, BaseException)                                                                \
    X(ArithmeticError, Exception)                                                                  \
    X(FloatingPointError, ArithmeticError)                                                         \
    X(OverflowError, ArithmeticError)                                                              \
    X(ZeroDivisionError, ArithmeticError)                                                          \
    X(AssertionError, Exception)                                                                   \
    X(AttributeError, Exception)                                                                   \
    X(BufferError, Exception)                                                                      \
    X(EOFError, Exception)                                                                         \
    X(ImportError, Exception)                                                                      \
    X(ModuleNotFoundError, ImportError)                                                            \
    X(LookupError, Exception)                                                                      \
    X(IndexError, LookupError)                                                                     \
    X(KeyError, LookupError)                                                                       \
    X(MemoryError, Exception)                                                                      \
    X(NameError, Exception)                                                                        \
    X(UnboundLocalError, NameError)                                                                \
    X(OSError, Exception)                                                                          \
    X(BlockingIOError, OSError)                                                                    \
    X(ChildProcessError, OSError)                                                                  \
    X(ConnectionError, OSError)                                                                    \
    X(BrokenPipeError, ConnectionError)                                                            \
    X(ConnectionAbortedError, ConnectionError)                                                     \
    X(ConnectionRefusedError, ConnectionError)                                                     \
    X(ConnectionResetError, ConnectionError)                                                       \
    X(FileExistsError, OSError)                                                                    \
    X(FileNotFoundError, OSError)                                                                  \
    X(InterruptedError, OSError)                                                                   \
    X(IsADirectoryError, OSError)                                                                  \
    X(NotADirectoryError, OSError)                                                                 \
    X(PermissionError, OSError)                                                                    \
    X(ProcessLookupError, OSError)                                                                 \
    X(TimeoutError, OSError)                                                                       \
    X(ReferenceError, Exception)                                                                   \
    X(RuntimeError, Exception)                                                                     \
    X(NotImplementedError, RuntimeError)                                                           \
    X(PythonFinalizationError, RuntimeError)                                                       \
    X(RecursionError, RuntimeError)                                                                \
    X(StopIteration, Exception)                                                                    \
    X(StopAsyncIteration, Exception)                                                               \
    X(SystemError, Exception)                                                                      \
    X(SyntaxError, Exception)                                                                      \
    X(IndentationError, SyntaxError)                                                               \
    X(TabError, IndentationError)                                                                  \
    X(TypeError, Exception)                                                                        \
    X(UFuncTypeError, TypeError)                                                                   \
    X(ValueError, Exception)                                                                       \
    X(UnicodeError, ValueError)                                                                    \
    X(UnicodeDecodeError, UnicodeError)                                                            \
    X(UnicodeEncodeError, UnicodeError)                                                            \
    X(UnicodeTranslateError, UnicodeError)                                                         \
    X(AxisError, ValueError)                                                                       \
    X(LinAlgError, ValueError)                                                                     \
    X(Warning, Exception)                                                                          \
    X(UserWarning, Warning)                                                                        \
    X(BytesWarning, Warning)                                                                       \
    X(DeprecationWarning, Warning)                                                                 \
    X(EncodingWarning, Warning)                                                                    \
    X(FutureWarning, Warning)                                                                      \
    X(ImportWarning, Warning)                                                                      \
    X(PendingDeprecationWarning, Warning)                                                          \
    X(ResourceWarning, Warning)                                                                    \
    X(RuntimeWarning, Warning)                                                                     \
    X(SyntaxWarning, Warning)                                                                      \
    X(UnicodeWarning, Warning)                                                                     \
    X(ComplexWarning, RuntimeWarning)                                                              \
    X(RankWarning, RuntimeWarning)

typedef enum gx_error_kind {
    GX_NO_ERROR,
#define X(name, base) GX_##name,
    GX_ERROR_KINDS(X)
#undef X
    GX_ERROR_COUNT
} gx_error_kind;

enum { GX_MAX_TRACE = 64, GX_MAX_NOTES = 6, GX_MAX_NUMBERS = 3 };

/* One line of the call trace, innermost first: the function and where it was called. A quiet one,
   of a call that C made or an exception that was raised again, is for tracebacks only. */
typedef struct gx_trace {
    gx_sym function;
    gx_span at;
    bool quiet;
} gx_trace;

/* The pending error. Texts are owned (malloc'd); no allocation that may fail is needed to report
   one: static text is used when memory is gone. */
typedef struct gx_error {
    gx_error_kind kind;          /* GX_NO_ERROR: none is pending */
    char code[32];               /* "shape.broadcast"; empty: none */
    char *message;               /* NULL: the text of the exception, or "out of memory" */
    char *notes[GX_MAX_NOTES];   /* lines after the source: "= aligned from the right: …" */
    char *help;                  /* a fix that has been checked, or NULL */
    gx_span at;                  /* innermost node; at.end == 0: not stamped yet */
    gx_span operand[2];          /* sub-spans to underline; .end == 0: none */
    char *operand_text[2];       /* what they are: "a: float32 (3, 4)" */
    int64_t number[GX_MAX_NUMBERS]; /* what the message is about, by code: gx_about */
    int number_count;
    int trace_count, trace_lost; /* lost: entries beyond GX_MAX_TRACE */
    int note_count;
    gx_value exception;          /* the exception object when the script raised one; owned */
    gx_trace trace[GX_MAX_TRACE]; /* last: gx_error_move copies only what is used of it */
} gx_error;

/* Raises: always returns false; keeps the first error. `code` is gx's stable code, "" for none. */
bool gx_fail(gx_rt *rt, gx_error_kind kind, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool gx_vfail(gx_rt *rt, gx_error_kind kind, const char *code, const char *fmt, va_list args);
/* Adds a help line to the pending error (the first one wins). Always returns false. */
bool gx_help(gx_rt *rt, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a note line to the pending error. Always returns false. */
bool gx_note(gx_rt *rt, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Numbers of the pending error's message, GX_MAX_NUMBERS at most: "shape.axis": axis, ndim;
   "index.range": index, axis, size; "kernel.arg": dtypes wanted and given; "type.iterate": the
   value's tag; "call.arguments": given, least, most. Always returns false. */
bool gx_about(gx_rt *rt, int count, const int64_t *numbers);
/* MemoryError without allocating. Always returns false. */
bool gx_no_memory(gx_rt *rt);
/* Forgets the pending error. */
void gx_error_clear(gx_rt *rt);
/* How much of an error is in use: what gx_error_move copies. */
size_t gx_error_bytes(const gx_error *e);
/* Moves an error; `to` has none. */
void gx_error_move(gx_error *to, gx_error *from);
/* Moves the pending error out (for try/finally), leaving none; and back. */
void gx_error_save(gx_rt *rt, gx_error *to);
void gx_error_restore(gx_rt *rt, gx_error *from);
/* Frees what a saved error owns. */
void gx_error_free(gx_error *e);
/* The name of a kind ("ValueError"), its parent, and whether `kind` is `ancestor` or below it. */
const char *gx_error_name(gx_error_kind kind);
gx_error_kind gx_error_parent(gx_error_kind kind);
bool gx_error_is(gx_error_kind kind, gx_error_kind ancestor);
/* The kind of OSError that an errno is. */
gx_error_kind gx_error_of_errno(int number);
static inline bool gx_failed(const gx_error *e) {
    return e->kind != GX_NO_ERROR;
}

/* What a function answered beside what is pending, where they may disagree: false without an error
   becomes a SystemError that names the function, and a result beside an error is no result, so
   false means again that an error is pending. A mistake of gx either way: sanitized builds end
   here. */
bool gx_error_settle(gx_rt *rt, bool ok, const char *function);

/* Among n names the nearest to `name` within Damerau-Levenshtein max(1, len/3), or NULL. */
const char *gx_near_name(const char *name, const char *const *names, size_t n);
/* Damerau-Levenshtein distance, at most `limit` + 1. */
int gx_name_distance(const char *a, const char *b, int limit);

#endif
