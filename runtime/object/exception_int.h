/* The inside of exceptions, shared by exception*.c and traceback.c. */
#ifndef GX_RUNTIME_OBJECT_EXCEPTION_INT_H
#define GX_RUNTIME_OBJECT_EXCEPTION_INT_H

#include "runtime/object/exception.h"

static inline bool gx_exception_is(const gx_exception *e, gx_error_kind kind) {
    return gx_error_is((gx_error_kind)e->head.obj.type->error, kind);
}

/* exception_fields.c: the fields of builtin classes. */
/* The place of a class's field, -1: it has none of that name. */
int gx_exception_field(const gx_exception *e, const char *name);
/* A field's value, borrowed: what was set, what the arguments say, or None. */
gx_value gx_exception_get(const gx_exception *e, int place);
GX_CHECK bool gx_exception_set(gx_rt *rt, gx_exception *e, int place, gx_borrowed value);
/* May a keyword of the constructor set it? */
bool gx_exception_keyword(const gx_exception *e, const char *name);
/* The members that a builtin class has of its own, or NULL. */
extern const gx_member gx_attribute_error_members[], gx_name_error_members[],
    gx_import_error_members[], gx_os_error_members[], gx_syntax_error_members[],
    gx_unicode_error_members[], gx_stop_members[], gx_exit_members[];
/* Places of fields. */
enum { GX_OS_ERRNO, GX_OS_STRERROR, GX_OS_FILENAME, GX_OS_FILENAME2 };
enum { GX_IMPORT_MSG };
enum { GX_SYNTAX_MSG, GX_SYNTAX_FILENAME, GX_SYNTAX_LINENO };
enum { GX_UNICODE_CODING, GX_UNICODE_OBJECT, GX_UNICODE_START, GX_UNICODE_END, GX_UNICODE_REASON };

/* exception_text.c: str and repr. */
bool gx_exception_str(gx_rt *rt, gx_borrowed v, gx_buf *out);
bool gx_exception_repr(gx_rt *rt, gx_borrowed v, gx_buf *out);

/* traceback.c */
/* The chain of a report; NULL: None. `where`: the function that has caught it. */
GX_CHECK bool gx_trace_of_report(gx_rt *rt, const gx_error *report, gx_sym where, gx_value *out);
bool gx_is_trace(gx_borrowed v);
/* Makes an empty report lead to a traceback's places. */
void gx_report_of_trace(gx_borrowed trace, gx_sym *where, gx_error *report);

/* exception.c: gives an exception an empty report in place of its own, or none. */
GX_CHECK bool gx_exception_new_report(gx_rt *rt, gx_exception *e, bool some);

#endif
