/* The magics: lines and cells of the prompt that are no program. Each is a function here and a row
   of the table in magic.c. */
#ifndef GX_INTERP_SESSION_MAGIC_INT_H
#define GX_INTERP_SESSION_MAGIC_INT_H

#include "interp/session/session.h"

/* A text as a unit of the prompt's module, which the caller drops. *out NULL: its mistakes have
   been reported. */
GX_CHECK bool gx_magic_load(gx_session *s, const char *name, const char *text, gx_unit **out);
/* Runs a text in the prompt's module; `echo`: values are shown. */
GX_CHECK bool gx_magic_code(gx_session *s, const char *name, const char *text, bool echo);
/* False, with an error that says what `usage` needs, when `rest` is empty. */
GX_CHECK bool gx_magic_needs(gx_session *s, const char *rest, const char *usage,
                             const char *what);
/* Three digits of a time and the unit that suits. */
void gx_magic_put_seconds(char *out, size_t room, double seconds);
/* "48 B", "3.5 MiB". */
void gx_magic_put_bytes(char *out, size_t room, double bytes);

/* magic_time.c */
bool gx_magic_time(gx_session *s, const char *rest);
bool gx_magic_timeit(gx_session *s, const char *rest);
/* magic_profile.c */
bool gx_magic_profile(gx_session *s, const char *rest);
bool gx_magic_explain(gx_session *s, const char *rest);
/* magic_names.c */
bool gx_magic_who(gx_session *s, const char *rest);
bool gx_magic_whos(gx_session *s, const char *rest);
bool gx_magic_reset(gx_session *s, const char *rest);
bool gx_magic_help(gx_session *s, const char *text);
bool gx_magic_run_file(gx_session *s, const char *rest);
/* magic_state.c */
bool gx_magic_mem(gx_session *s, const char *rest);
bool gx_magic_device(gx_session *s, const char *rest);
bool gx_magic_doctor(gx_session *s, const char *rest);
bool gx_magic_print(gx_session *s, const char *rest);
bool gx_magic_errors(gx_session *s, const char *rest);
bool gx_magic_checked(gx_session *s, const char *rest);
bool gx_magic_nan(gx_session *s, const char *rest);

#endif
