/* What the files of this folder share about bytes: an argument's, and a buffer's as a value. */
#ifndef GX_STDLIB_PYTHON_FAST_BYTES_INT_H
#define GX_STDLIB_PYTHON_FAST_BYTES_INT_H

#include "runtime/object/native.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"

/* Argument i as bytes, which *own holds (GX_STILL): bytes, a bytearray, a memoryview, an array.
   Also a str of ASCII where `ascii`. */
GX_CHECK static inline bool gx_arg_bytes(gx_call *c, int i, bool ascii, gx_value *own) {
    gx_borrowed v = c->argv[i];
    if (ascii && v.tag == GX_STR) {
        if (!gx_str_ascii(gx_as_str(v)))
            return gx_fail(c->rt, GX_ValueError, "bytes.ascii",
                           "string argument should contain only ASCII characters");
        *own = gx_keep(v);
        return true;
    }
    gx_try is = v.tag == GX_BYTES ? GX_TRY_NO : gx_bytes_like(c->rt, v, own);
    if (v.tag == GX_BYTES) *own = gx_keep(v);
    if (v.tag == GX_BYTES || is == GX_TRY_YES) return true;
    if (is == GX_TRY_ERROR) return false;
    return gx_fail(c->rt, GX_TypeError, "bytes.type",
                   ascii ? "argument should be bytes, buffer or ASCII string, not '%s'"
                         : "a bytes-like object is required, not '%s'",
                   gx_type_name(v));
}

/* The buffer's bytes as a value; it is freed either way. */
GX_CHECK static inline bool gx_bytes_take(gx_buf *b, gx_value *out) {
    bool ok = gx_bytes_new(b->rt, gx_buf_text(b), b->length, out);
    gx_buf_free(b);
    return ok;
}

/* Raises the exception of a module that is written in gx (struct.error), with a message. Always
   false. */
bool gx_raise_of(gx_rt *rt, const char *module, const char *name, const char *fmt, ...)
    GX_PRINTF(4, 5);

#endif
