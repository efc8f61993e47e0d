/* What builtin exception classes have beside args: AttributeError's name and obj, OSError's errno,
   SyntaxError's place. A field is what was set, or follows from the arguments, or is None. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception_int.h"

/* How the arguments tell a field. */
enum {
    NOT_TOLD = -1,
    ALONE = 100,  /* the argument, if there is just one */
    ALL = 101,    /* the argument, or the tuple of several */
    WITHIN = 200, /* the item of the tuple that is the second of two */
};

/* X(class, field, place, told by, keyword of the constructor) */
#define FIELDS(X)                                                                                  \
    X(AttributeError, name, 0, NOT_TOLD, true)                                                     \
    X(AttributeError, obj, 1, NOT_TOLD, true)                                                      \
    X(NameError, name, 0, NOT_TOLD, true)                                                          \
    X(ImportError, msg, GX_IMPORT_MSG, ALONE, false)                                               \
    X(ImportError, name, 1, NOT_TOLD, true)                                                        \
    X(ImportError, path, 2, NOT_TOLD, true)                                                        \
    X(ImportError, name_from, 3, NOT_TOLD, true)                                                   \
    X(OSError, errno, GX_OS_ERRNO, 0, false)                                                       \
    X(OSError, strerror, GX_OS_STRERROR, 1, false)                                                 \
    X(OSError, filename, GX_OS_FILENAME, NOT_TOLD, false)                                          \
    X(OSError, filename2, GX_OS_FILENAME2, NOT_TOLD, false)                                        \
    X(SyntaxError, msg, GX_SYNTAX_MSG, 0, false)                                                   \
    X(SyntaxError, filename, GX_SYNTAX_FILENAME, WITHIN, false)                                    \
    X(SyntaxError, lineno, GX_SYNTAX_LINENO, WITHIN + 1, false)                                    \
    X(SyntaxError, offset, 3, WITHIN + 2, false)                                                   \
    X(SyntaxError, text, 4, WITHIN + 3, false)                                                     \
    X(SyntaxError, end_lineno, 5, WITHIN + 4, false)                                               \
    X(SyntaxError, end_offset, 6, WITHIN + 5, false)                                               \
    X(SyntaxError, print_file_and_line, 7, NOT_TOLD, false)                                        \
    X(UnicodeError, encoding, GX_UNICODE_CODING, 0, false)                                         \
    X(UnicodeError, object, GX_UNICODE_OBJECT, 1, false)                                           \
    X(UnicodeError, start, GX_UNICODE_START, 2, false)                                             \
    X(UnicodeError, end, GX_UNICODE_END, 3, false)                                                 \
    X(UnicodeError, reason, GX_UNICODE_REASON, 4, false)                                           \
    X(StopIteration, value, 0, 0, false)                                                           \
    X(SystemExit, code, 0, ALL, false)

typedef struct field {
    gx_error_kind kind;
    const char *name;
    int8_t place;
    int16_t told;
    bool keyword;
} field;

static const field fields[] = {
#define X(class, name, place, told, keyword) {GX_##class, #name, place, told, keyword},
    FIELDS(X)
#undef X
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static bool has_fields(const gx_type *t) {
    for (int i = 0; i < FIELD_COUNT; i++)
        if (gx_error_is(t->error, fields[i].kind)) return true;
    return false;
}

const gx_type *gx_exceptions_joined(const gx_type *a, const gx_type *b) {
    if (a->tag != GX_EXCEPTION || b->tag != GX_EXCEPTION) return NULL;
    if (has_fields(a)) return has_fields(b) ? NULL : a;
    return has_fields(b) || gx_error_is(b->error, GX_KeyError) ? b : a; /* its text is the key's */
}

/* UnicodeError itself has none of its children's fields. */
static bool has(const gx_exception *e, const field *f) {
    return gx_exception_is(e, f->kind) &&
           (f->kind != GX_UnicodeError || e->head.obj.type->error != GX_UnicodeError);
}

static const field *find(const gx_exception *e, const char *name) {
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(fields[i].name, name) == 0 && has(e, &fields[i])) return &fields[i];
    return NULL;
}

int gx_exception_field(const gx_exception *e, const char *name) {
    const field *f = find(e, name);
    return f ? f->place : -1;
}

bool gx_exception_keyword(const gx_exception *e, const char *name) {
    const field *f = find(e, name);
    return f && f->keyword;
}

static gx_value of_args(const gx_exception *e, const field *f) {
    const gx_tuple *t = gx_as_tuple(e->args);
    int at = f->told;
    if (f->kind == GX_UnicodeError && gx_exception_is(e, GX_UnicodeTranslateError)) {
        if (f->place == GX_UNICODE_CODING) return gx_none();
        at--;
    }
    /* OSError("text") and its like have no errno. */
    if (f->kind == GX_OSError && t->count < 2) return gx_none();
    if (at == ALONE) return t->count == 1 ? t->items[0] : gx_none();
    if (at == ALL) return t->count == 0 ? gx_none() : t->count == 1 ? t->items[0] : e->args;
    if (at >= WITHIN) {
        if (t->count != 2 || t->items[1].tag != GX_TUPLE) return gx_none();
        t = gx_as_tuple(t->items[1]);
        at -= WITHIN;
    }
    return at >= 0 && at < t->count ? t->items[at] : gx_none();
}

gx_value gx_exception_get(const gx_exception *e, int place) {
    if (e->fields && e->fields[place].tag != GX_UNDEF) return e->fields[place];
    for (int i = 0; i < FIELD_COUNT && e->args.tag == GX_TUPLE; i++)
        if (fields[i].place == place && has(e, &fields[i])) return of_args(e, &fields[i]);
    return gx_none();
}

bool gx_exception_set(gx_rt *rt, gx_exception *e, int place, gx_borrowed value) {
    if (!e->fields && !(e->fields = gx_alloc_zero(rt, GX_EXCEPTION_FIELDS * sizeof *e->fields)))
        return false;
    gx_value old = e->fields[place];
    e->fields[place] = gx_keep(value);
    gx_drop(old);
    return true;
}

/* --- as members ------------------------------------------------------------------------------- */

static bool get_place(gx_borrowed self, int place, gx_value *out) {
    *out = gx_keep(gx_exception_get(gx_as_exception(self), place));
    return true;
}

#define X(class, name, place, told, keyword)                                                       \
    static bool get_##class##_##name(gx_rt *rt, gx_borrowed self, gx_value *out) {                 \
        (void)rt;                                                                                  \
        return get_place(self, place, out);                                                        \
    }                                                                                              \
    static bool set_##class##_##name(gx_rt *rt, gx_borrowed self, gx_borrowed value) {             \
        return gx_exception_set(rt, gx_as_exception(self), place, value);                          \
    }
FIELDS(X)
#undef X

#define MEMBER(class, name, help) {#name, get_##class##_##name, set_##class##_##name, help}
const gx_member gx_attribute_error_members[] = {
    MEMBER(AttributeError, name, "The attribute that was not there."),
    MEMBER(AttributeError, obj, "What was asked for it."),
    {0},
};
const gx_member gx_name_error_members[] = {
    MEMBER(NameError, name, "The name that was not bound."),
    {0},
};
const gx_member gx_import_error_members[] = {
    MEMBER(ImportError, msg, "The text."),
    MEMBER(ImportError, name, "The module."),
    MEMBER(ImportError, path, "The module's file."),
    MEMBER(ImportError, name_from, "The name that the module does not have."),
    {0},
};
const gx_member gx_os_error_members[] = {
    MEMBER(OSError, errno, "The system's number of the error."),
    MEMBER(OSError, strerror, "The system's words for it."),
    MEMBER(OSError, filename, "The file."),
    MEMBER(OSError, filename2, "The other file."),
    {0},
};
const gx_member gx_syntax_error_members[] = {
    MEMBER(SyntaxError, msg, "What is wrong."),
    MEMBER(SyntaxError, filename, "The file."),
    MEMBER(SyntaxError, lineno, "The line, from 1."),
    MEMBER(SyntaxError, offset, "The column, from 1."),
    MEMBER(SyntaxError, text, "The source line."),
    MEMBER(SyntaxError, end_lineno, "The line where it ends."),
    MEMBER(SyntaxError, end_offset, "The column behind it."),
    MEMBER(SyntaxError, print_file_and_line, "None."),
    {0},
};
const gx_member gx_unicode_error_members[] = {
    MEMBER(UnicodeError, encoding, "The codec."),
    MEMBER(UnicodeError, object, "What was read or written."),
    MEMBER(UnicodeError, start, "The first bad place."),
    MEMBER(UnicodeError, end, "The place behind the last bad one."),
    MEMBER(UnicodeError, reason, "What is wrong."),
    {0},
};
const gx_member gx_stop_members[] = {
    MEMBER(StopIteration, value, "What the generator has returned."),
    {0},
};
const gx_member gx_exit_members[] = {
    MEMBER(SystemExit, code, "The exit status, or a text for stderr."),
    {0},
};
