/* Reading and writing of files: bytes, UTF-8 text, lines. The object and its methods are in
   file_object.c. Text mode turns "\r\n" and "\r" into "\n" on reading unless newline=''. */
#include <errno.h>
#include <string.h>

#include "runtime/object/text/coding.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/common.h"
#include "stdlib/paths.h"
#include "stdlib/io/file.h"

bool gx_os_error(gx_rt *rt, int number, const char *path) {
    gx_error_kind kind = gx_error_of_errno(number);
    if (!path) return gx_fail(rt, kind, "file.system", "[Errno %d] %s", number, strerror(number));
    gx_buf b = gx_buf_new(rt);
    if (gx_str_quote(&b, path, strlen(path), false))
        gx_fail(rt, kind, "file.system", "[Errno %d] %s: %s", number, strerror(number),
                gx_buf_text(&b));
    gx_buf_free(&b);
    return false;
}

bool gx_may_use_files(gx_rt *rt, const char *path) {
    if (!rt->debug.safe) return true;
    gx_os_error(rt, EACCES, path);
    return gx_note(rt, "GX_SAFE=1 keeps programs away from files");
}

bool gx_is_path(gx_rt *rt, const char *text, size_t length) {
    return strlen(text) == length ||
           gx_fail(rt, GX_ValueError, "file.name", "embedded null byte");
}

/* What __fspath__ gives, kept in place of the path before the last three. */
static gx_try ask_for_path(gx_rt *rt, gx_borrowed v, gx_borrowed *out) {
    gx_value method, made, *kept = gx_stdlib_paths(rt);
    gx_sym name = gx_sym_c(rt, "__fspath__");
    gx_try is = name ? gx_try_attr(rt, v, name, &method) : GX_TRY_ERROR;
    if (is != GX_TRY_YES) return is;
    bool ok = gx_call_value(rt, method, 0, NULL, 0, NULL, &made);
    gx_drop(method);
    if (!ok) return GX_TRY_ERROR;
    if (made.tag != GX_STR && made.tag != GX_BYTES) {
        gx_fail(rt, GX_TypeError, "arg.type",
                "expected %s.__fspath__() to return str or bytes, not %s", gx_type_name(v),
                gx_type_name(made));
        gx_drop(made);
        return GX_TRY_ERROR;
    }
    gx_value oldest = kept[GX_PATHS_KEPT - 1];
    memmove(kept + 1, kept, (GX_PATHS_KEPT - 1) * sizeof *kept);
    kept[0] = made;
    gx_drop(oldest);
    *out = made;
    return GX_TRY_YES;
}

gx_try gx_path_of(gx_rt *rt, gx_borrowed v, const char **text, size_t *length) {
    if (v.tag != GX_STR && v.tag != GX_BYTES) {
        gx_try is = v.tag == GX_OBJECT ? ask_for_path(rt, v, &v) : GX_TRY_NO;
        if (is != GX_TRY_YES) return is;
    }
    *text = gx_as_str(v)->text;
    *length = gx_as_str(v)->length;
    return GX_TRY_YES;
}

bool gx_arg_path_text(gx_call *c, int i, const char **text, size_t *length) {
    gx_try is = gx_path_of(c->rt, c->argv[i], text, length);
    return is == GX_TRY_NO ? gx_arg_wrong(c, i, "a str, bytes or os.PathLike object")
                           : is == GX_TRY_YES;
}

bool gx_arg_path(gx_call *c, int i, const char **path) {
    size_t n;
    return gx_arg_path_text(c, i, path, &n) && gx_is_path(c->rt, *path, n) &&
           gx_may_use_files(c->rt, *path);
}

static bool usable(gx_rt *rt, const gx_file *file, bool write) {
    if (!file->f)
        return gx_fail(rt, GX_ValueError, "file.closed",
                       write && file->binary ? "write to closed file"
                                             : "I/O operation on closed file.");
    if (write ? file->writable : file->readable) return true;
    return gx_fail(rt, GX_OSError, "file.mode", write ? "not writable" : "not readable");
}

/* Writes to what the script has put in the place of a standard stream: None takes everything. NO:
   it has put nothing there. */
static gx_try write_replaced(gx_rt *rt, const char *name, gx_channel channel, const char *text,
                             size_t length) {
    gx_value to;
    if (gx_sys_stream(rt, name, &to) != GX_TRY_YES) return GX_TRY_NO;
    const gx_file *file = gx_is_file(to) ? gx_as_file(to) : NULL;
    gx_try done = GX_TRY_NO;
    if (!file || !file->standard || gx_file_channel(file) != channel)
        done = to.tag == GX_NONE || gx_write_to(rt, to, text, length) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_drop(to);
    return done;
}

bool gx_stderr_replaced(gx_rt *rt, const char *text, size_t length) {
    gx_value to;
    if (gx_sys_stream(rt, "stderr", &to) != GX_TRY_YES) return false;
    const bool own = gx_type_of(to)->heap;
    gx_drop(to);
    if (own) return false;
    gx_try done = write_replaced(rt, "stderr", GX_ERR, text, length);
    if (done == GX_TRY_ERROR) gx_error_clear(rt);
    return done == GX_TRY_YES;
}

bool gx_stdout_write(gx_rt *rt, const char *text, size_t length) {
    gx_try done = write_replaced(rt, "stdout", GX_OUT, text, length);
    if (done != GX_TRY_NO) return done == GX_TRY_YES;
    if (!gx_lazy_checkpoint(rt)) return false;
    int failed = gx_write(rt, GX_OUT, text, length);
    return !failed || gx_os_error(rt, failed, "<stdout>");
}

static bool write_bytes(gx_rt *rt, gx_file *file, const char *text, size_t length) {
    if (file->standard) {
        int failed = gx_write(rt, gx_file_channel(file), text, length);
        return !failed || gx_os_error(rt, failed, NULL);
    }
    if (file->readable && !file->wrote) fseeko(file->f, 0, SEEK_CUR);
    file->wrote = true;
    if (length == 0 || fwrite(text, 1, length, file->f) == length) return true;
    return gx_os_error(rt, errno, NULL);
}

static bool write_encoded(gx_rt *rt, gx_file *file, const char *text, size_t length) {
    gx_value data, args[4] = {gx_undef(), file->encoding, file->errors, gx_bool(file->begun)};
    if (!gx_str_new(rt, text, length, &args[0])) return false;
    bool ok = gx_codecs_call(rt, "_encode_next", 4, args, &data);
    gx_drop(args[0]);
    if (!ok) return false;
    file->begun = true;
    ok = write_bytes(rt, file, gx_as_str(data)->text, gx_as_str(data)->length);
    gx_drop(data);
    return ok;
}

/* With the line ends that newline= names. */
static bool write_lines(gx_rt *rt, gx_file *file, const char *text, size_t length) {
    gx_buf b = gx_buf_new(rt);
    bool ok = true;
    for (size_t i = 0; ok && i < length; i++)
        ok = text[i] == '\n' ? gx_buf_puts(&b, file->line_end) : gx_buf_char(&b, text[i]);
    ok = ok && (file->encoding.tag == GX_UNDEF ? write_bytes : write_encoded)(
                   rt, file, gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    return ok;
}

bool gx_file_write(gx_rt *rt, gx_file *file, const char *text, size_t length) {
    if (!usable(rt, file, true) || !gx_lazy_checkpoint(rt)) return false;
    if (length && file->line_end && memchr(text, '\n', length))
        return write_lines(rt, file, text, length);
    if (length && file->encoding.tag != GX_UNDEF) return write_encoded(rt, file, text, length);
    return write_bytes(rt, file, text, length);
}

static bool read_failed(gx_rt *rt, gx_file *file) {
    int number = errno;
    if (!ferror(file->f)) return false;
    clearerr(file->f);
    if (rt->interrupted) {
        gx_stop(rt);
    } else {
        gx_os_error(rt, number, NULL);
    }
    return true;
}

/* The next byte with line ends made equal in text mode; EOF at the end. */
static int next_byte(gx_file *file) {
    int ch = getc_unlocked(file->f);
    if (ch != '\r' || file->binary || file->keep_newlines) return ch;
    int after = getc_unlocked(file->f);
    if (after != '\n' && after != EOF) ungetc(after, file->f);
    return '\n';
}

static bool read_bytes(gx_rt *rt, gx_file *file, gx_buf *out) {
    for (;;) {
        size_t room = out->length < 65536 ? 65536 : out->length;
        if (!gx_buf_reserve(out, room)) return false;
        size_t n = fread(out->data + out->length, 1, room, file->f);
        out->length += n;
        out->data[out->length] = 0;
        if (n < room) break;
        if (GX_UNLIKELY(rt->interrupted) && !gx_interrupt_check(rt)) return false;
    }
    return !read_failed(rt, file);
}

bool gx_file_decode(gx_rt *rt, gx_file *file) {
    if (file->begun || file->encoding.tag == GX_UNDEF || !file->readable) return true;
    gx_value text, args[3] = {gx_undef(), file->encoding, file->errors};
    gx_buf b = gx_buf_new(rt);
    bool ok = read_bytes(rt, file, &b) && gx_bytes_new(rt, gx_buf_text(&b), b.length, &args[0]);
    gx_buf_free(&b);
    if (!ok) return false;
    ok = gx_codecs_call(rt, "_decode", 3, args, &text);
    gx_drop(args[0]);
    if (!ok) return false;
    const gx_str *s = gx_as_str(text);
    FILE *memory = fmemopen(NULL, s->length + 1, "w+");
    ok = memory && fwrite(s->text, 1, s->length, memory) == s->length &&
         fseeko(memory, 0, SEEK_SET) == 0;
    gx_drop(text);
    if (!ok) {
        gx_os_error(rt, errno, NULL);
        if (memory) fclose(memory);
        return false;
    }
    fclose(file->f);
    file->f = memory;
    file->begun = true;
    return true;
}

static bool begin_read(gx_rt *rt, gx_file *file) {
    if (!usable(rt, file, false)) return false;
    if (file->wrote) fseeko(file->f, 0, SEEK_CUR);
    file->wrote = false;
    return gx_file_decode(rt, file);
}
static bool read_all(gx_rt *rt, gx_file *file, gx_buf *out) {
    if (!read_bytes(rt, file, out)) return false;
    if (file->binary || file->keep_newlines || !out->length ||
        !memchr(out->data, '\r', out->length))
        return true;
    size_t to = 0;
    for (size_t i = 0; i < out->length; i++) {
        char ch = out->data[i];
        if (ch == '\r') {
            if (i + 1 < out->length && out->data[i + 1] == '\n') i++;
            ch = '\n';
        }
        out->data[to++] = ch;
    }
    out->data[to] = 0;
    out->length = to;
    return true;
}

bool gx_file_read(gx_rt *rt, gx_file *file, int64_t limit, gx_buf *out) {
    if (!begin_read(rt, file)) return false;
    if (limit < 0) return read_all(rt, file, out);
    for (int64_t n = 0; n < limit; n++) {
        int ch = next_byte(file);
        if (ch == EOF) break;
        if (!gx_buf_char(out, (char)ch)) return false;
        int more = file->binary || ch < 0xC0 ? 0 : ch < 0xE0 ? 1 : ch < 0xF0 ? 2 : 3;
        while (more-- > 0 && (ch = getc_unlocked(file->f)) != EOF)
            if (!gx_buf_char(out, (char)ch)) return false;
    }
    return !read_failed(rt, file);
}

bool gx_file_line(gx_rt *rt, gx_file *file, gx_buf *out) {
    if (!begin_read(rt, file)) return false;
    int ch;
    while ((ch = next_byte(file)) != EOF) {
        if (!gx_buf_char(out, (char)ch)) return false;
        if (ch == '\n') return true;
    }
    return !read_failed(rt, file);
}

bool gx_file_text(gx_rt *rt, bool binary, gx_buf *b, gx_value *out) {
    bool ok;
    if (binary) ok = gx_bytes_new(rt, gx_buf_text(b), b->length, out);
    else if (gx_utf8_valid(gx_buf_text(b), b->length) == b->length) return gx_str_take(b, out);
    else ok = gx_str_decode(rt, gx_buf_text(b), b->length, out); /* says where */
    gx_buf_free(b);
    return ok;
}

bool gx_write_to(gx_rt *rt, gx_borrowed target, const char *text, size_t length) {
    gx_value method, s, result;
    if (gx_is_file(target) && !gx_as_file(target)->binary)
        return gx_file_write(rt, gx_as_file(target), text, length);
    gx_sym name = gx_sym_c(rt, "write");
    if (!name || !gx_get_attr(rt, target, name, &method)) return false;
    bool ok = gx_str_new(rt, text, length, &s);
    if (ok) {
        ok = gx_call_value(rt, method, 1, &s, 0, NULL, &result);
        if (ok) gx_drop(result);
        gx_drop(s);
    }
    gx_drop(method);
    return ok;
}
