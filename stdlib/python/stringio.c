/* The module io: StringIO and BytesIO, files in memory. Positions are bytes; a StringIO holds UTF-8
   and reads whole characters. open() is in file_object.c. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/file.h"
#include "stdlib/python/builtins.h"
#include "stdlib/stdlib.h"

typedef struct memory_file {
    gx_obj obj;
    gx_buf data;
    size_t at;
    bool binary, closed;
} memory_file;

static const gx_type string_io_type, bytes_io_type;

static memory_file *self_of(gx_call *c) {
    return (memory_file *)c->argv[0].obj;
}

static void free_memory(gx_rt *rt, gx_obj *o) {
    gx_buf_free(&((memory_file *)o)->data);
    gx_free(rt, o);
}

static bool open_still(gx_rt *rt, const memory_file *m) {
    return !m->closed || gx_fail(rt, GX_ValueError, "file.closed", "I/O operation on closed file.");
}

/* Writes over what stands at the position and grows behind the end. */
static bool write_bytes(memory_file *m, const char *text, size_t n) {
    gx_buf *b = &m->data;
    if (m->at > b->length && !gx_buf_fill(b, 0, m->at - b->length)) return false;
    size_t over = b->length - m->at;
    if (over > n) over = n;
    if (over) memcpy(b->data + m->at, text, over);
    if (!gx_buf_add(b, text + over, n - over)) return false;
    m->at += n;
    return true;
}

static bool make(gx_call *c, bool binary, gx_value *out) {
    gx_borrowed start = c->argv[0];
    if (start.tag != GX_NONE && start.tag != (binary ? GX_BYTES : GX_STR))
        return gx_arg_wrong(c, 0, binary ? "bytes" : "a str or None");
    memory_file *m = gx_obj_new(c->rt, binary ? &bytes_io_type : &string_io_type, sizeof *m);
    if (!m) return false;
    m->data = gx_buf_new(c->rt);
    m->binary = binary;
    if (start.tag != GX_NONE &&
        !gx_buf_add(&m->data, gx_as_str(start)->text, gx_as_str(start)->length)) {
        gx_drop(gx_object(&m->obj));
        return false;
    }
    *out = gx_object(&m->obj);
    return true;
}

static bool make_string(gx_call *c, gx_value *out) {
    return make(c, false, out);
}

static bool make_bytes(gx_call *c, gx_value *out) {
    return make(c, true, out);
}

static bool give(gx_rt *rt, const memory_file *m, size_t from, size_t n, gx_value *out) {
    const char *text = gx_buf_text(&m->data) + from;
    return m->binary ? gx_bytes_new(rt, text, n, out) : gx_str_new(rt, text, n, out);
}

static size_t left(const memory_file *m) {
    return m->at < m->data.length ? m->data.length - m->at : 0;
}

static bool memory_read(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    int64_t limit = -1;
    if (!open_still(c->rt, m) || (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &limit))) return false;
    size_t rest = left(m), n = rest, from = rest ? m->at : m->data.length;
    if (limit >= 0 && m->binary && (size_t)limit < n) n = (size_t)limit;
    if (limit >= 0 && !m->binary) {
        n = 0;
        for (int64_t i = 0; i < limit && n < rest; i++) {
            n++;
            while (n < rest && ((unsigned char)m->data.data[from + n] & 0xC0) == 0x80) n++;
        }
    }
    if (!give(c->rt, m, from, n, out)) return false;
    m->at = rest ? m->at + n : m->at;
    return true;
}

static bool line(gx_rt *rt, memory_file *m, gx_value *out) {
    size_t rest = left(m), from = rest ? m->at : m->data.length;
    const char *end = rest ? memchr(m->data.data + from, '\n', rest) : NULL;
    size_t n = end ? (size_t)(end - (m->data.data + from)) + 1 : rest;
    if (!give(rt, m, from, n, out)) return false;
    m->at += n;
    return true;
}

static bool memory_readline(gx_call *c, gx_value *out) {
    return open_still(c->rt, self_of(c)) && line(c->rt, self_of(c), out);
}

static bool next_line(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    memory_file *m = (memory_file *)v.obj;
    if (!open_still(rt, m)) return false;
    *more = left(m) > 0;
    return !*more || line(rt, m, out);
}

static bool memory_readlines(gx_call *c, gx_value *out) {
    return gx_list_of(c->rt, c->argv[0], out);
}

static bool memory_write(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    gx_borrowed v = c->argv[1];
    if (!open_still(c->rt, m)) return false;
    if (v.tag != (m->binary ? GX_BYTES : GX_STR))
        return m->binary ? gx_fail(c->rt, GX_TypeError, "file.type",
                                   "a bytes-like object is required, not '%s'", gx_type_name(v))
                         : gx_fail(c->rt, GX_TypeError, "file.type",
                                   "string argument expected, got '%s'", gx_type_name(v));
    if (!write_bytes(m, gx_as_str(v)->text, gx_as_str(v)->length)) return false;
    *out = gx_int((int64_t)gx_as_str(v)->chars);
    return true;
}

static bool memory_writelines(gx_call *c, gx_value *out) {
    return gx_write_lines(c, memory_write, out);
}

static bool memory_getvalue(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    return open_still(c->rt, m) && give(c->rt, m, 0, m->data.length, out);
}

static bool memory_tell(gx_call *c, gx_value *out) {
    if (!open_still(c->rt, self_of(c))) return false;
    *out = gx_int((int64_t)self_of(c)->at);
    return true;
}

static bool memory_seek(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    int64_t at, whence;
    if (!open_still(c->rt, m) || !gx_arg_int(c, 1, &at) || !gx_arg_int(c, 2, &whence)) return false;
    if (whence < 0 || whence > 2)
        return gx_fail(c->rt, GX_ValueError, "file.seek",
                       "invalid whence (%lld, should be 0, 1 or 2)", (long long)whence);
    if (whence == 1) at += (int64_t)m->at;
    if (whence == 2) at += (int64_t)m->data.length;
    if (at < 0)
        return gx_fail(c->rt, GX_ValueError, "file.seek", "Negative seek position %lld",
                       (long long)at);
    m->at = (size_t)at;
    *out = gx_int(at);
    return true;
}

static bool memory_truncate(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    int64_t size = (int64_t)m->at;
    if (!open_still(c->rt, m) || (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &size))) return false;
    if (size < 0)
        return gx_fail(c->rt, GX_ValueError, "file.seek", "Negative size value %lld",
                       (long long)size);
    if ((size_t)size < m->data.length) {
        m->data.length = (size_t)size;
        m->data.data[size] = 0;
    }
    *out = gx_int(size);
    return true;
}

static bool memory_close(gx_call *c, gx_value *out) {
    memory_file *m = self_of(c);
    gx_buf_free(&m->data);
    m->data = gx_buf_new(c->rt);
    m->closed = true;
    *out = gx_none();
    return true;
}

static bool memory_flush(gx_call *c, gx_value *out) {
    if (!open_still(c->rt, self_of(c))) return false;
    *out = gx_none();
    return true;
}

static bool memory_enter(gx_call *c, gx_value *out) {
    if (!open_still(c->rt, self_of(c))) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool get_closed(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(((memory_file *)self.obj)->closed);
    return true;
}

static bool iter_self(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}

#define ROW(n, sig, text) {#n, #n sig, text, NULL, memory_##n, 0, 0}
static const gx_native methods[] = {
    ROW(read, "(self, size=-1, /)", "The rest, or at most size characters."),
    ROW(readline, "(self, /)", "The next line with its end."),
    ROW(readlines, "(self, /)", "The lines that are left, as a list."),
    ROW(write, "(self, text, /)", "Writes at the position."),
    ROW(writelines, "(self, lines, /)", "Writes each text."),
    ROW(getvalue, "(self, /)", "All that was written."),
    ROW(tell, "(self, /)", "The position."),
    ROW(seek, "(self, offset, whence=0, /)", "Moves the position."),
    ROW(truncate, "(self, size=None, /)", "Cuts to a size."),
    ROW(flush, "(self, /)", "Nothing to do here."),
    ROW(close, "(self, /)", "Forgets the contents."),
    {"__enter__", "__enter__(self, /)", "The file itself.", NULL, memory_enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Closes it.", NULL, memory_close, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_member members[] = {
    {"closed", get_closed, NULL, "Is it closed?"},
    {NULL, NULL, NULL, NULL},
};
static const gx_native string_row = {
    "StringIO", "StringIO(initial_value='', newline='\\n')", "A text file in memory.",
    "io.StringIO('a\\nb').readlines()  # ['a\\n', 'b']", make_string, 0, 0};
static const gx_native bytes_row = {"BytesIO",
                                    "BytesIO(initial_bytes=None)",
                                    "A file of bytes in memory.",
                                    "io.BytesIO(b'ab').read(1)  # b'a'",
                                    make_bytes,
                                    0,
                                    0};

static const gx_type string_io_type = {
    .name = "_io.StringIO", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_memory,
    .iter = iter_self, .next = next_line, .construct = &string_row, .methods = methods,
    .members = members,
};
static const gx_type bytes_io_type = {
    .name = "_io.BytesIO", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_memory,
    .iter = iter_self, .next = next_line, .construct = &bytes_row, .methods = methods,
    .members = members,
};

const gx_native gx_py_io_functions[] = {
    {"open", "open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None)",
     "Opens a file, as the builtin does.", NULL, gx_file_open, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_io_constants[] = {
    {.name = "StringIO", .kind = GX_CONST_TYPE, .type = &string_io_type},
    {.name = "BytesIO", .kind = GX_CONST_TYPE, .type = &bytes_io_type},
    {.name = "SEEK_SET", .kind = GX_CONST_INT, .i = 0},
    {.name = "SEEK_CUR", .kind = GX_CONST_INT, .i = 1},
    {.name = "SEEK_END", .kind = GX_CONST_INT, .i = 2},
    {.name = NULL},
};
