/* Fixed text: 'U3' is three code points of four bytes, 'S3' three bytes. A shorter text ends with
   zeros, so zeros at the end of a text are not part of it. */
#include <stdio.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/base/source.h"
#include "runtime/device/work.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

static bool is_wide(const gx_dtype_info *d) {
    return d->family == &gx_family_str;
}

/* --- dtypes ----------------------------------------------------------------------------------- */

gx_dtype gx_str_dtype(gx_rt *rt, int64_t chars) {
    char name[32];
    snprintf(name, sizeof name, "<U%lld", (long long)chars);
    return gx_dtype_make(rt, &gx_family_str, chars, 'U', chars <= INT32_MAX ? 4 * chars : chars,
                         name);
}

gx_dtype gx_bytes_dtype(gx_rt *rt, int64_t bytes) {
    char name[32];
    snprintf(name, sizeof name, "|S%lld", (long long)bytes);
    return gx_dtype_make(rt, &gx_family_bytes, bytes, 'S', bytes, name);
}

/* The digits behind the letter; false: there is something else. */
static bool read_size(const char *p, int64_t *out) {
    *out = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        if ((*out = *out * 10 + (*p - '0')) > INT32_MAX) return false;
    return *p == 0;
}

gx_try gx_kind_by_name(gx_rt *rt, const char *name, gx_dtype *out) {
    int64_t n;
    if (*name == '<' || *name == '=' || *name == '|') name++;
    if (strcmp(name, "str") == 0 || strcmp(name, "str_") == 0 || strcmp(name, "unicode") == 0)
        name = "U";
    if (strcmp(name, "bytes") == 0 || strcmp(name, "bytes_") == 0) name = "S";
    if ((*name == 'U' || *name == 'S' || *name == 'a') && read_size(name + 1, &n)) {
        *out = *name == 'U' ? gx_str_dtype(rt, n) : gx_bytes_dtype(rt, n);
        return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
    }
    return GX_TRY_NO;
}

/* The characters that a number of a dtype may need. */
static int64_t number_width(gx_dtype d) {
    static const uint8_t whole[] = {0, 4, 6, 0, 11, 0, 0, 0, 21};
    static const uint8_t natural[] = {0, 3, 5, 0, 10, 0, 0, 0, 20};
    switch ((gx_dkind)gx_dtype_kind(d)) {
    case GX_KIND_BOOL: return 5;
    case GX_KIND_INT: return whole[gx_dtypes[d].bytes];
    case GX_KIND_UINT: return natural[gx_dtypes[d].bytes];
    case GX_KIND_FLOAT: return 32;
    case GX_KIND_CPLX: return 64;
    }
    return 0;
}

static int64_t chars_of(gx_dtype d) {
    return gx_is_text(d) ? gx_dtypes[d].parameter : number_width(d);
}

static gx_try text_promote(gx_rt *rt, gx_dtype a, gx_dtype b, gx_dtype *out) {
    if ((gx_is_kind(a) && !gx_is_text(a)) || (gx_is_kind(b) && !gx_is_text(b))) return GX_TRY_NO;
    const bool wide = gx_of_family(a, GX_FAMILY_STR) || gx_of_family(b, GX_FAMILY_STR);
    const int64_t n = chars_of(a) > chars_of(b) ? chars_of(a) : chars_of(b);
    *out = wide ? gx_str_dtype(rt, n) : gx_bytes_dtype(rt, n);
    return *out == GX_NO_DTYPE ? GX_TRY_ERROR : GX_TRY_YES;
}

static bool text_holds(gx_dtype from, gx_dtype to, bool *same) {
    if (gx_is_kind(from) && !gx_is_text(from)) return false;
    const bool narrow = gx_of_family(from, GX_FAMILY_STR) && !gx_of_family(to, GX_FAMILY_STR);
    *same = !narrow;
    return !narrow && (gx_dtype_size(to) == 0 || chars_of(from) <= gx_dtypes[to].parameter);
}

/* --- elements --------------------------------------------------------------------------------- */

int64_t gx_text_length(const gx_dtype_info *d, const char *from) {
    int64_t n = d->parameter;
    if (!is_wide(d)) {
        while (n > 0 && from[n - 1] == 0) n--;
        return n;
    }
    uint32_t c;
    for (; n > 0; n--) {
        memcpy(&c, from + 4 * (n - 1), 4);
        if (c) break;
    }
    return n;
}

/* UTF-8 of code points; what is no character is written as U+FFFD. */
static bool add_utf8(gx_buf *out, const char *from, int64_t n) {
    char some[4];
    for (int64_t i = 0; i < n; i++) {
        uint32_t c;
        memcpy(&c, from + 4 * i, 4);
        if (c < 128) {
            if (!gx_buf_char(out, (char)c)) return false;
            continue;
        }
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
        if (!gx_buf_add(out, some, (size_t)gx_utf8_encode(c, some))) return false;
    }
    return true;
}

static bool str_get(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain,
                    gx_value *out) {
    (void)plain;
    gx_buf text = gx_buf_new(rt);
    if (add_utf8(&text, from, gx_text_length(d, from))) return gx_str_take(&text, out);
    gx_buf_free(&text);
    return false;
}

static bool bytes_get(gx_rt *rt, const gx_dtype_info *d, const char *from, bool plain,
                      gx_value *out) {
    (void)plain;
    return gx_bytes_new(rt, from, (size_t)gx_text_length(d, from), out);
}

/* UTF-8 as code points, cut to the element. */
static void put_utf8(const gx_dtype_info *d, const char *text, size_t length, char *to) {
    int64_t n = 0;
    for (size_t i = 0; i < length && n < d->parameter; n++) {
        int size = 1;
        uint32_t c = (unsigned char)text[i];
        if (c >= 128) c = gx_utf8_decode(text + i, &size);
        memcpy(to + 4 * n, &c, 4);
        i += (size_t)size;
    }
    memset(to + 4 * n, 0, (size_t)(4 * (d->parameter - n)));
}

static void put_bytes(const gx_dtype_info *d, const char *text, size_t length, char *to) {
    size_t n = length < d->bytes ? length : d->bytes;
    if (n) memcpy(to, text, n);
    memset(to + n, 0, d->bytes - n);
}

static bool fail_ascii(gx_rt *rt, uint32_t c) {
    gx_fail(rt, GX_UnicodeEncodeError, "dtype.ascii",
            "'ascii' codec can't encode character '\\u%04x': ordinal not in range(128)",
            (unsigned)c);
    return gx_help(rt, "np.strings.encode(a, 'utf-8') makes bytes of any text");
}

/* A text of ASCII as bytes. */
static bool put_ascii(gx_rt *rt, const gx_dtype_info *d, const char *text, size_t length,
                      char *to) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 128) {
            int n;
            return fail_ascii(rt, gx_utf8_decode(text + i, &n));
        }
    put_bytes(d, text, length, to);
    return true;
}

/* What a value is as text: str(v). */
static bool text_of(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    if (v.tag == GX_STR || v.tag == GX_BYTES)
        return gx_buf_add(out, gx_as_str(v)->text, gx_as_str(v)->length);
    if (v.tag == GX_ARRAY && gx_as_array(v)->ndim == 0) {
        gx_value item;
        if (!gx_array_element(rt, gx_as_array(v), &item)) return false;
        bool ok = text_of(rt, item, out);
        gx_drop(item);
        return ok;
    }
    if (v.tag == GX_ARRAY || v.tag == GX_LIST || v.tag == GX_TUPLE)
        return gx_fail(rt, GX_ValueError, "array.scalar",
                       "setting an array element with a sequence.");
    return gx_str_into(rt, v, out);
}

static bool str_put(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    if (v.tag == GX_STR || v.tag == GX_BYTES) {
        const gx_str *s = gx_as_str(v);
        for (size_t i = 0; v.tag == GX_BYTES && i < s->length; i++)
            if ((unsigned char)s->text[i] >= 128)
                return gx_fail(rt, GX_UnicodeDecodeError, "dtype.ascii",
                               "'ascii' codec can't decode byte 0x%02x: ordinal not in range(128)",
                               (unsigned char)s->text[i]);
        put_utf8(d, s->text, s->length, to);
        return true;
    }
    gx_buf text = gx_buf_new(rt);
    bool ok = text_of(rt, v, &text);
    if (ok) put_utf8(d, gx_buf_text(&text), text.length, to);
    gx_buf_free(&text);
    return ok;
}

static bool bytes_put(gx_rt *rt, const gx_dtype_info *d, gx_borrowed v, char *to) {
    if (v.tag == GX_BYTES) {
        put_bytes(d, gx_as_str(v)->text, gx_as_str(v)->length, to);
        return true;
    }
    gx_buf text = gx_buf_new(rt);
    bool ok = text_of(rt, v, &text) && put_ascii(rt, d, gx_buf_text(&text), text.length, to);
    gx_buf_free(&text);
    return ok;
}

static bool str_write(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out) {
    gx_buf text = gx_buf_new(rt);
    bool ok = add_utf8(&text, from, gx_text_length(d, from)) &&
              gx_str_quote(out, gx_buf_text(&text), text.length, false);
    gx_buf_free(&text);
    return ok;
}

static bool bytes_write(gx_rt *rt, const gx_dtype_info *d, const char *from, gx_buf *out) {
    (void)rt;
    return gx_str_quote(out, from, (size_t)gx_text_length(d, from), true);
}

static int str_order(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                     const char *b) {
    const int64_t na = da->parameter, nb = db->parameter, n = na < nb ? na : nb;
    uint32_t x, y;
    for (int64_t i = 0; i < n; i++) {
        memcpy(&x, a + 4 * i, 4);
        memcpy(&y, b + 4 * i, 4);
        if (x != y) return x < y ? -1 : 1;
    }
    for (int64_t i = n; i < na; i++) {
        memcpy(&x, a + 4 * i, 4);
        if (x) return 1;
    }
    for (int64_t i = n; i < nb; i++) {
        memcpy(&y, b + 4 * i, 4);
        if (y) return -1;
    }
    return 0;
}

static int bytes_order(const gx_dtype_info *da, const char *a, const gx_dtype_info *db,
                       const char *b) {
    const size_t na = da->bytes, nb = db->bytes, n = na < nb ? na : nb;
    int c = n ? memcmp(a, b, n) : 0;
    for (size_t i = n; i < na && !c; i++) c = a[i] != 0;
    for (size_t i = n; i < nb && !c; i++) c = -(b[i] != 0);
    return c;
}

/* --- how wide --------------------------------------------------------------------------------- */

static bool text_meet(gx_rt *rt, gx_borrowed v, int64_t parameter, int64_t *out) {
    size_t n;
    if (v.tag == GX_STR || v.tag == GX_BYTES) {
        n = gx_as_str(v)->chars;
    } else if (v.tag == GX_ARRAY && gx_is_text(gx_as_array(v)->dtype)) {
        n = (size_t)chars_of((gx_dtype)gx_as_array(v)->dtype);
    } else if (v.tag == GX_ARRAY && gx_as_array(v)->ndim) {
        n = (size_t)number_width((gx_dtype)gx_as_array(v)->dtype);
    } else {
        gx_buf text = gx_buf_new(rt);
        bool ok = text_of(rt, v, &text);
        n = text.length; /* of a number: ASCII */
        gx_buf_free(&text);
        if (!ok) return false;
    }
    *out = (int64_t)n > parameter ? (int64_t)n : parameter;
    return true;
}

/* --- casts ------------------------------------------------------------------------------------ */

static bool widen_bytes(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out) {
    const int64_t n = from->parameter < to->parameter ? from->parameter : to->parameter;
    for (int64_t i = 0; i < n; i++) {
        uint32_t c = (unsigned char)data[i];
        if (c >= 128)
            return gx_fail(rt, GX_UnicodeDecodeError, "dtype.ascii",
                           "'ascii' codec can't decode byte 0x%02x: ordinal not in range(128)",
                           (unsigned)c);
        memcpy(out + 4 * i, &c, 4);
    }
    memset(out + 4 * n, 0, (size_t)(4 * (to->parameter - n)));
    return true;
}

static bool narrow_str(gx_rt *rt, const gx_dtype_info *from, const char *data,
                       const gx_dtype_info *to, char *out) {
    const int64_t n = from->parameter < to->parameter ? from->parameter : to->parameter;
    for (int64_t i = 0; i < n; i++) {
        uint32_t c;
        memcpy(&c, data + 4 * i, 4);
        if (c >= 128) return fail_ascii(rt, c);
        out[i] = (char)c;
    }
    memset(out + n, 0, (size_t)(to->parameter - n));
    return true;
}

static gx_try cast_text(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out, int64_t n) {
    const bool same = from->family == to->family;
    const size_t some = from->bytes < to->bytes ? from->bytes : to->bytes;
    for (int64_t i = 0; i < n; i++, data += from->bytes, out += to->bytes) {
        bool ok = true;
        if (i % 4096 == 0 && !gx_work_end(rt)) return GX_TRY_ERROR;
        if (same) {
            memcpy(out, data, some);
            memset(out + some, 0, to->bytes - some);
        } else if (is_wide(to)) {
            ok = widen_bytes(rt, from, data, to, out);
        } else {
            ok = narrow_str(rt, from, data, to, out);
        }
        if (!ok) return GX_TRY_ERROR;
    }
    return GX_TRY_YES;
}

/* Numbers as text. */
static gx_try cast_numbers(gx_rt *rt, gx_dtype from, const char *data, const gx_dtype_info *to,
                           char *out, int64_t n) {
    const size_t item = (size_t)gx_dtype_size(from);
    gx_buf text = gx_buf_new(rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++, data += item, out += to->bytes) {
        gx_scalar s = {.bits = {0, 0}};
        gx_item_copy(&s, data, item);
        text.length = 0;
        ok = (i % 4096 || gx_work_end(rt)) && gx_scalar_text(rt, from, &s, &text);
        if (ok && is_wide(to)) put_utf8(to, gx_buf_text(&text), text.length, out);
        else if (ok) put_bytes(to, gx_buf_text(&text), text.length, out);
    }
    gx_buf_free(&text);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* A text is true unless it is empty. */
static gx_try cast_truth(const gx_dtype_info *from, const char *data, char *out, int64_t n) {
    for (int64_t i = 0; i < n; i++, data += from->bytes) out[i] = gx_text_length(from, data) > 0;
    return GX_TRY_YES;
}

static gx_try text_cast(gx_rt *rt, const gx_dtype_info *from, const char *data,
                        const gx_dtype_info *to, char *out, int64_t n) {
    const bool text = from->family == &gx_family_str || from->family == &gx_family_bytes;
    const bool into = to->family == &gx_family_str || to->family == &gx_family_bytes;
    if (text && into) return cast_text(rt, from, data, to, out, n);
    if (text && to == &gx_dtypes[GX_bool]) return cast_truth(from, data, out, n);
    if (into && !from->family)
        return cast_numbers(rt, (gx_dtype)(from - gx_dtypes), data, to, out, n);
    return GX_TRY_NO;
}

const gx_family gx_family_str = {.tag = GX_FAMILY_STR, .what = "text",
                                 .type = &gx_type_str, .number = 19,
                                 .alignment = 4, .value = str_get, .put = str_put,
                                 .write = str_write, .order = str_order, .meet = text_meet,
                                 .promote = text_promote, .cast = text_cast, .holds = text_holds,
                                 .of = gx_str_dtype};
const gx_family gx_family_bytes = {.tag = GX_FAMILY_BYTES, .what = "bytes",
                                   .type = &gx_type_bytes, .number = 18,
                                   .alignment = 1, .value = bytes_get, .put = bytes_put,
                                   .write = bytes_write, .order = bytes_order, .meet = text_meet,
                                   .promote = text_promote, .cast = text_cast,
                                   .holds = text_holds, .of = gx_bytes_dtype};
