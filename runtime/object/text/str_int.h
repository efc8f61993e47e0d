/* The inside of text objects, shared by the files of this folder. */
#ifndef GX_RUNTIME_OBJECT_TEXT_STR_INT_H
#define GX_RUNTIME_OBJECT_TEXT_STR_INT_H

#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/object/text/unicode.h"

/* A text object of `length` bytes to fill in (chars is set to length), or NULL. */
GX_CHECK gx_str *gx_str_raw(gx_rt *rt, const gx_type *type, size_t length, size_t slack);
/* gx_str_new when the number of code points is known. */
GX_CHECK bool gx_str_counted(gx_rt *rt, const char *text, size_t length, size_t chars,
                             gx_value *out);
size_t gx_utf8_count(const char *text, size_t length);
/* Its bytes change, or it goes. */
void gx_str_forget_places(const gx_str *s);
gx_try gx_text_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
GX_CHECK bool gx_text_repeat(gx_rt *rt, gx_borrowed v, int64_t n, gx_value *out);
/* A part of s, in bytes, as an object of s's type. */
GX_CHECK bool gx_text_bytes(gx_rt *rt, const gx_str *s, size_t from, size_t to, gx_value *out);
/* bytes.decode with the encoding in argument `at`, errors behind it. */
GX_CHECK bool gx_bytes_decode(gx_call *c, gx_borrowed v, int at, gx_value *out);
/* bytes(source, encoding, errors); hears: an instance is asked for its length, as bytes() does and
   bytearray() does not. */
GX_CHECK bool gx_bytes_made(gx_call *c, bool hears, gx_value *out);
GX_CHECK bool gx_str_encode(gx_call *c, gx_borrowed v, int at, gx_value *out);
/* str.format's fields: positional values in a tuple (UNDEF: there are none), named ones in a
   mapping. */
GX_CHECK bool gx_str_format_fields(gx_rt *rt, const char *text, size_t length, gx_borrowed args,
                                   gx_borrowed named, gx_buf *out);
/* The text with digits and spaces of any script as ASCII, for int() and float(). */
GX_CHECK bool gx_str_plain_digits(const gx_str *s, gx_buf *out);
/* ascii(): a repr with every character beyond ASCII escaped. */
GX_CHECK bool gx_str_ascii_escape(gx_buf *out, const char *text, size_t length);
/* Tabs as spaces up to the next multiple of size. */
GX_CHECK bool gx_text_expand_tabs(const gx_str *s, int64_t size, gx_buf *out);
/* An int as a byte: NO for what is no int, a ValueError outside 0 to 255. */
gx_try gx_byte_of(gx_rt *rt, gx_borrowed v, int64_t *out);
/* format % args for bytes. */
/* The texts of the arguments encoding and errors, as far as they are given. */
GX_CHECK bool gx_coding_texts(gx_call *c, int at, const char **name, const char **errors);
GX_CHECK bool gx_bytes_percent(gx_rt *rt, gx_borrowed format, gx_borrowed args, gx_value *out);
/* Methods that str and bytes share (bytes' name for the type in messages). */
bool gx_text_split(gx_call *c, gx_value *out);
bool gx_text_rsplit(gx_call *c, gx_value *out);
bool gx_text_splitlines(gx_call *c, gx_value *out);
bool gx_text_partition(gx_call *c, gx_value *out);
bool gx_text_rpartition(gx_call *c, gx_value *out);
bool gx_text_join(gx_call *c, gx_value *out);
bool gx_text_strip(gx_call *c, gx_value *out);
bool gx_text_lstrip(gx_call *c, gx_value *out);
bool gx_text_rstrip(gx_call *c, gx_value *out);
bool gx_text_replace(gx_call *c, gx_value *out);
bool gx_text_find(gx_call *c, gx_value *out);
bool gx_text_rfind(gx_call *c, gx_value *out);
bool gx_text_index(gx_call *c, gx_value *out);
bool gx_text_rindex(gx_call *c, gx_value *out);
bool gx_text_count(gx_call *c, gx_value *out);
bool gx_text_startswith(gx_call *c, gx_value *out);
bool gx_text_endswith(gx_call *c, gx_value *out);
bool gx_text_removeprefix(gx_call *c, gx_value *out);
bool gx_text_removesuffix(gx_call *c, gx_value *out);
bool gx_bytes_maketrans(gx_call *c, gx_value *out);
/* Methods of str about letters (str_case.c) and padding (str_methods.c). */
bool gx_str_upper(gx_call *c, gx_value *out);
bool gx_str_lower(gx_call *c, gx_value *out);
bool gx_str_casefold(gx_call *c, gx_value *out);
bool gx_str_title(gx_call *c, gx_value *out);
bool gx_str_capitalize(gx_call *c, gx_value *out);
bool gx_str_swapcase(gx_call *c, gx_value *out);
bool gx_str_isupper(gx_call *c, gx_value *out);
bool gx_str_islower(gx_call *c, gx_value *out);
bool gx_str_istitle(gx_call *c, gx_value *out);
bool gx_str_isdigit(gx_call *c, gx_value *out);
bool gx_str_isdecimal(gx_call *c, gx_value *out);
bool gx_str_isnumeric(gx_call *c, gx_value *out);
bool gx_str_isalpha(gx_call *c, gx_value *out);
bool gx_str_isalnum(gx_call *c, gx_value *out);
bool gx_str_isspace(gx_call *c, gx_value *out);
bool gx_str_isprintable(gx_call *c, gx_value *out);
bool gx_str_isidentifier(gx_call *c, gx_value *out);
bool gx_str_isascii(gx_call *c, gx_value *out);

extern const gx_native gx_str_methods[], gx_str_statics[], gx_bytes_methods[], gx_bytes_statics[];

#endif
