/* The objects of hashlib: a digest that takes bytes in and can be looked at at any time. */
#include <string.h>

#include "runtime/object/still.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/python/fast/digest_int.h"
#include "stdlib/stdlib.h"

typedef struct hash {
    gx_obj obj;
    gx_digest d;
} hash;

static const gx_type hash_type;

static hash *self_of(gx_borrowed v) {
    return (hash *)v.obj;
}

static size_t bytes_of(const gx_digest *d) {
    return d->size ? d->size : d->kind->bytes;
}

static const gx_digest_kind *kind_named(const char *name, size_t length) {
    for (const gx_digest_kind *k = gx_digest_kinds; k->name; k++)
        if (strlen(k->name) == length && memcmp(k->name, name, length) == 0) return k;
    return NULL;
}

static bool new_hash(gx_call *c, gx_value *out) {
    const char *name;
    size_t length;
    bool last = false;
    GX_STILL(data);
    GX_STILL(parameters);
    if (!gx_arg_str(c, 0, &name, &length) || !gx_arg_bytes(c, 1, false, &data)) return false;
    if (gx_arg_some(c, 2) && !gx_arg_bytes(c, 2, false, &parameters)) return false;
    if (gx_arg_given(c, 3) && !gx_arg_bool(c, 3, &last)) return false;
    const gx_digest_kind *kind = kind_named(name, length);
    if (!kind)
        return gx_fail(c->rt, GX_ValueError, "hashlib.kind", "unsupported hash type %s", name);
    if (parameters.tag == GX_BYTES && gx_as_str(parameters)->length != kind->block / 2u)
        return gx_fail(c->rt, GX_ValueError, "hashlib.parameters",
                       "the parameters of %s are %d bytes long", name, kind->block / 2);
    hash *h = gx_obj_new(c->rt, &hash_type, sizeof *h);
    if (!h) return false;
    if (parameters.tag == GX_BYTES)
        gx_digest_begin_blake(&h->d, kind, (const uint8_t *)gx_as_str(parameters)->text, last);
    else
        gx_digest_begin(&h->d, kind);
    gx_digest_add(&h->d, gx_as_str(data)->text, gx_as_str(data)->length);
    *out = gx_object(&h->obj);
    return true;
}

static bool hash_update(gx_call *c, gx_value *out) {
    GX_STILL(data);
    if (c->argv[1].tag == GX_STR) {
        gx_fail(c->rt, GX_TypeError, "hashlib.type", "Strings must be encoded before hashing");
        return gx_help(c->rt, "text.encode() gives the bytes of a text");
    }
    if (!gx_arg_bytes(c, 1, false, &data)) return false;
    gx_digest_add(&self_of(c->argv[0])->d, gx_as_str(data)->text, gx_as_str(data)->length);
    *out = gx_none();
    return true;
}

/* As many bytes as the kind has, or as a SHAKE was asked for. */
static bool digest_into(gx_call *c, gx_buf *b) {
    const gx_digest *d = &self_of(c->argv[0])->d;
    int64_t n = (int64_t)bytes_of(d);
    if (!d->kind->bytes) {
        if (!gx_arg_given(c, 1))
            return gx_fail(c->rt, GX_TypeError, "call.missing",
                           "%s's digest needs its length in bytes", d->kind->name);
        if (!gx_arg_int(c, 1, &n)) return false;
        if (n < 0 || n >= (int64_t)1 << 29)
            return gx_fail(c->rt, GX_ValueError, "hashlib.length", "value must be positive");
    } else if (gx_arg_given(c, 1))
        return gx_fail(c->rt, GX_TypeError, "call.arguments",
                       "%s's digest has one length: no argument says it", d->kind->name);
    if (!gx_buf_fill(b, 0, (size_t)n)) return false;
    if (n) gx_digest_get(d, (uint8_t *)b->data, (size_t)n);
    return true;
}

static bool hash_digest(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    if (digest_into(c, &b)) return gx_bytes_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool hash_hexdigest(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt), text = gx_buf_new(c->rt);
    bool ok = digest_into(c, &b);
    for (size_t i = 0; ok && i < b.length; i++)
        ok = gx_buf_char(&text, "0123456789abcdef"[(unsigned char)b.data[i] >> 4]) &&
             gx_buf_char(&text, "0123456789abcdef"[b.data[i] & 15]);
    gx_buf_free(&b);
    if (ok) return gx_str_take(&text, out);
    gx_buf_free(&text);
    return false;
}

static bool hash_copy(gx_call *c, gx_value *out) {
    hash *h = gx_obj_new(c->rt, &hash_type, sizeof *h);
    if (!h) return false;
    h->d = self_of(c->argv[0])->d;
    *out = gx_object(&h->obj);
    return true;
}

static bool get_name(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_str_c(rt, self_of(v)->d.kind->name, out);
}
static bool get_digest_size(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int((int64_t)bytes_of(&self_of(v)->d));
    return true;
}
static bool get_block_size(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(self_of(v)->d.kind->block);
    return true;
}

static bool repr_hash(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<%s _hashlib.HASH object>", self_of(v)->d.kind->name);
}

static void free_hash(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static const gx_native hash_methods[] = {
    {"update", "update(self, data, /)", "Takes more bytes in.", NULL, hash_update, 0, 0},
    {"digest", "digest(self, length=<no value>, /)", "The digest so far, as bytes.", NULL,
     hash_digest, 0, 0},
    {"hexdigest", "hexdigest(self, length=<no value>, /)", "The digest so far, as text.", NULL,
     hash_hexdigest, 0, 0},
    {"copy", "copy(self, /)", "Another one that has taken in the same.", NULL, hash_copy, 0, 0},
    {.name = NULL},
};
static const gx_member hash_members[] = {
    {"name", get_name, NULL, "What hashlib.new makes it by."},
    {"digest_size", get_digest_size, NULL, "Bytes of a digest."},
    {"block_size", get_block_size, NULL, "Bytes that are mixed in at once."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type hash_type = {
    .name = "_hashlib.HASH", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_hash,
    .repr = repr_hash, .methods = hash_methods, .members = hash_members,
};

extern const gx_native gx_py_hash_functions[];
const gx_native gx_py_hash_functions[] = {
    {"new", "new(name, data, parameters=None, last=False, /)", "A digest by its name.", NULL,
     new_hash, 0, 0},
    {.name = NULL},
};
