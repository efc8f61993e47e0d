/* The module _unicode, which unicodedata is made of: names of characters, and the tables of their
   properties as text. */
#include "runtime/base/unicode/unicode.h"

#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

static bool unicode_name(gx_call *c, gx_value *out) {
    int64_t code;
    if (!gx_arg_int(c, 0, &code)) return false;
    gx_buf name = gx_buf_new(c->rt);
    bool ok = gx_unicode_name(c->rt, (uint32_t)code, &name) &&
              gx_str_new(c->rt, name.data ? name.data : "", name.length, out);
    gx_buf_free(&name);
    return ok;
}

static bool unicode_lookup(gx_call *c, gx_value *out) {
    const char *name;
    size_t length;
    uint32_t codes[GX_UNICODE_MOST];
    int n;
    if (!gx_arg_str(c, 0, &name, &length) || !gx_unicode_named(c->rt, name, length, codes, &n))
        return false;
    gx_buf text = gx_buf_new(c->rt);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) ok = gx_buf_code(&text, codes[i]);
    ok = ok && gx_str_new(c->rt, text.data ? text.data : "", text.length, out);
    gx_buf_free(&text);
    return ok;
}

static bool unicode_properties(gx_call *c, gx_value *out) {
    const gx_compressed *p = gx_unicode_properties;
    char *text = gx_alloc(c->rt, p->length);
    if (!text) return false;
    bool ok = gx_decompress(p, text) || gx_fail(c->rt, GX_RuntimeError, "internal.library",
                                                "the properties of Unicode are damaged");
    ok = ok && gx_str_new(c->rt, text, p->length, out);
    gx_free(c->rt, text);
    return ok;
}

extern const gx_native gx_py_unicode_functions[];
const gx_native gx_py_unicode_functions[] = {
    {"name", "name(code, /)", "A character's name, or ''.", NULL, unicode_name, 0, 0},
    {"lookup", "lookup(name, /)", "What has a name, or ''.", NULL, unicode_lookup, 0, 0},
    {"properties", "properties()", "The tables (tools/unicode-names).", NULL, unicode_properties, 0,
     0},
    {.name = NULL},
};
