/* The file object: open(), its methods, iteration by lines, `with`. A file left open is closed when
   its last name goes. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/coding.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/io/file.h"

static bool close_file(gx_rt *rt, gx_file *file) {
    FILE *f = file->f;
    if (!f) return true;
    if (file->standard) {
        int failed = gx_file_flush(rt, file);
        return !failed || gx_os_error(rt, failed, NULL);
    }
    file->f = NULL;
    return fclose(f) == 0 || gx_os_error(rt, errno, NULL);
}

static void free_file(gx_rt *rt, gx_obj *o) {
    gx_file *file = (gx_file *)o;
    if (file->f && !file->standard && fclose(file->f) != 0) {
        /* Nobody is left to catch an error: the exit status tells. */
        rt->lost_data = true;
        gx_say(rt, GX_ERR, "gx: a file never closed lost what was written last: %s\n",
               strerror(errno));
    }
    gx_drop(file->name);
    gx_drop(file->encoding);
    gx_drop(file->errors);
    gx_free(rt, file);
}

static bool repr_file(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_file *file = gx_as_file(v);
    const char *encoding =
        file->encoding.tag == GX_UNDEF ? "utf-8" : gx_as_str(file->encoding)->text;
    return gx_buf_puts(out,
                       file->binary ? "<_io.BufferedReader name=" : "<_io.TextIOWrapper name=") &&
           gx_repr(rt, file->name, out) &&
           (file->binary ? gx_buf_char(out, '>')
                         : gx_buf_printf(out, " mode='%s' encoding='%s'>", file->mode, encoding));
}

bool gx_file_standard(gx_rt *rt, int fd, gx_value *out) {
    static const char *const names[] = {"<stdin>", "<stdout>", "<stderr>"};
    gx_value name;
    if (!gx_str_c(rt, names[fd], &name)) return false;
    gx_file *file = gx_obj_new(rt, &gx_type_file, sizeof *file);
    if (!file) {
        gx_drop(name);
        return false;
    }
    file->f = fd == 0 ? stdin : fd == 1 ? stdout : stderr;
    file->name = name;
    file->encoding = file->errors = gx_undef();
    file->standard = true;
    file->readable = fd == 0;
    file->writable = fd != 0;
    file->mode[0] = fd == 0 ? 'r' : 'w';
    *out = gx_object(&file->obj);
    return true;
}

/* Python's mode as the C library's, which lacks 'x' and 't'. */
static bool parse_mode(gx_rt *rt, const char *mode, gx_file *file, char c_mode[8]) {
    int main_mode = 0, n = 0;
    bool plus = false, text = false;
    for (const char *p = mode; *p; p++) {
        if (strchr("rwax", *p) && !main_mode) main_mode = *p;
        else if (*p == 'b' && !file->binary && !text) file->binary = true;
        else if (*p == 't' && !file->binary && !text) text = true;
        else if (*p == '+' && !plus) plus = true;
        else return gx_fail(rt, GX_ValueError, "file.mode", "invalid mode: '%s'", mode);
    }
    if (!main_mode)
        return gx_fail(
            rt, GX_ValueError, "file.mode",
            "Must have exactly one of create/read/write/append mode and at most one plus");
    file->readable = main_mode == 'r' || plus;
    file->writable = main_mode != 'r' || plus;
    c_mode[n++] = main_mode == 'x' ? 'w' : (char)main_mode;
    if (plus) c_mode[n++] = '+';
    if (main_mode == 'x') c_mode[n++] = 'x';
    c_mode[n++] = 'e';
    c_mode[n] = 0;
    snprintf(file->mode, sizeof file->mode, "%c%s%s", main_mode, file->binary ? "b" : "",
             plus ? "+" : "");
    return true;
}

static bool open_path(gx_rt *rt, gx_file *file, const char *path, const char *c_mode) {
    struct stat info;
    file->f = fopen(path, c_mode);
    if (!file->f) return gx_os_error(rt, errno, path);
    if (fstat(fileno(file->f), &info) == 0 && S_ISDIR(info.st_mode)) {
        fclose(file->f);
        file->f = NULL;
        return gx_os_error(rt, EISDIR, path);
    }
    return true;
}

static bool is_utf8(const gx_str *s) {
    static const char *const names[] = {"utf-8", "utf8", "UTF-8", "UTF8", "utf_8", "U8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(s->text, names[i]) == 0) return true;
    return false;
}

/* encoding= and errors=: UTF-8 that is checked strictly is done here, codecs does the rest. */
static bool take_encoding(gx_call *c, gx_file *file) {
    const char *text;
    size_t n;
    gx_value found;
    const char *const names[] = {"encoding", "errors", "newline"};
    for (int i = 3; i <= 5; i++) {
        if (!gx_arg_some(c, i)) continue;
        if (!gx_arg_str(c, i, &text, &n)) return false;
        if (file->binary)
            return gx_fail(c->rt, GX_ValueError, "file.mode",
                           "binary mode doesn't take %s %s argument", i == 5 ? "a" : "an",
                           names[i - 3]);
    }
    const bool named = gx_arg_some(c, 3), plain = !named || is_utf8(gx_as_str(c->argv[3])),
               strict = !gx_arg_some(c, 4) || strcmp(gx_as_str(c->argv[4])->text, "strict") == 0;
    if (plain && strict) return true;
    if (!(named ? gx_codecs_call(c->rt, "_found", 1, &c->argv[3], &found)
                : gx_str_c(c->rt, "utf-8", &found)))
        return false;
    if (file->readable && file->writable) {
        gx_drop(found);
        gx_fail(c->rt, GX_ValueError, "file.mode",
                "a file that is read and written at once is UTF-8, with errors='strict'");
        return gx_help(c->rt, "read it with mode 'r', change the text, write it with mode 'w'");
    }
    if (named) {
        gx_drop(found);
        found = gx_keep(c->argv[3]);
    }
    file->encoding = found;
    if (!strict) {
        file->errors = gx_keep(c->argv[4]);
        return true;
    }
    return gx_str_c(c->rt, "strict", &file->errors);
}

static bool take_newline(gx_call *c, gx_file *file) {
    static const char *const ends[] = {"\r\n", "\r", "\n", ""};
    if (!gx_arg_some(c, 5)) return true;
    file->keep_newlines = true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(gx_as_str(c->argv[5])->text, ends[i]) != 0) continue;
        file->line_end = i < 2 ? ends[i] : NULL;
        return true;
    }
    return gx_fail(c->rt, GX_ValueError, "file.newline", "illegal newline value: %s",
                   gx_as_str(c->argv[5])->text);
}

/* A file of a descriptor that is open already. */
static bool open_descriptor(gx_call *c, gx_file *file, const char *c_mode) {
    int64_t fd;
    if (!gx_arg_int(c, 0, &fd) || !gx_may_use_files(c->rt, NULL)) return false;
    file->f = fd < 0 || fd > INT_MAX ? NULL : fdopen((int)fd, c_mode);
    return file->f || gx_os_error(c->rt, fd < 0 ? EBADF : errno, NULL);
}

bool gx_file_open(gx_call *c, gx_value *out) {
    const char *path = NULL, *mode;
    size_t n;
    char c_mode[8];
    if ((c->argv[0].tag != GX_INT && !gx_arg_path(c, 0, &path)) || !gx_arg_str(c, 1, &mode, &n))
        return false;
    gx_file *file = gx_obj_new(c->rt, &gx_type_file, sizeof *file);
    if (!file) return false;
    file->name = gx_keep(c->argv[0]);
    file->encoding = file->errors = gx_undef();
    bool ok = parse_mode(c->rt, mode, file, c_mode) && take_encoding(c, file) &&
              take_newline(c, file) &&
              (path ? open_path(c->rt, file, path, c_mode) : open_descriptor(c, file, c_mode));
    if (!ok) {
        gx_drop(gx_object(&file->obj));
        return false;
    }
    /* Behind what is there already, codecs writes no mark. */
    if (file->mode[0] == 'a' && fseeko(file->f, 0, SEEK_END) == 0)
        file->begun = ftello(file->f) > 0;
    *out = gx_object(&file->obj);
    return true;
}

/* --- methods; argv[0] is the file --- */

static gx_file *self_of(gx_call *c) {
    return gx_as_file(c->argv[0]);
}

static bool give(gx_call *c, bool ok, gx_buf *b, gx_value *out) {
    if (ok) return gx_file_text(c->rt, self_of(c)->binary, b, out);
    gx_buf_free(b);
    return false;
}

static bool file_read(gx_call *c, gx_value *out) {
    int64_t limit = -1;
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &limit)) return false;
    gx_buf b = gx_buf_new(c->rt);
    return give(c, gx_file_read(c->rt, self_of(c), limit, &b), &b, out);
}

static bool file_readline(gx_call *c, gx_value *out) {
    gx_buf b = gx_buf_new(c->rt);
    return give(c, gx_file_line(c->rt, self_of(c), &b), &b, out);
}

static bool next_line(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    gx_file *file = gx_as_file(v);
    gx_buf b = gx_buf_new(rt);
    if (!gx_file_line(rt, file, &b) || b.length == 0) {
        bool ok = b.length == 0 && !gx_failed(&rt->error);
        gx_buf_free(&b);
        *more = false;
        return ok;
    }
    *more = true;
    return gx_file_text(rt, file->binary, &b, out);
}

static bool file_readlines(gx_call *c, gx_value *out) {
    return gx_list_of(c->rt, c->argv[0], out);
}

static bool file_write(gx_call *c, gx_value *out) {
    gx_file *file = self_of(c);
    gx_borrowed v = c->argv[1];
    if (v.tag != (file->binary ? GX_BYTES : GX_STR)) {
        if (file->binary)
            return gx_fail(c->rt, GX_TypeError, "file.type",
                           "a bytes-like object is required, not '%s'", gx_type_name(v));
        gx_fail(c->rt, GX_TypeError, "file.type", "write() argument must be str, not %s",
                gx_type_name(v));
        return gx_help(c->rt, "write(str(x))");
    }
    const gx_str *s = gx_as_str(v);
    if (!gx_file_write(c->rt, file, s->text, s->length)) return false;
    *out = gx_int((int64_t)s->chars);
    return true;
}

bool gx_write_lines(gx_call *c, gx_native_fn write, gx_value *out) {
    gx_value it, line, written;
    bool ok, more;
    if (!gx_iter(c->rt, c->argv[1], &it)) return false;
    while ((ok = gx_next(c->rt, it, &line, &more)) && more) {
        gx_value args[2] = {c->argv[0], line};
        gx_call inner = *c;
        inner.argv = args;
        ok = write(&inner, &written);
        gx_drop(line);
        if (!ok) break;
    }
    gx_drop(it);
    if (ok) *out = gx_none();
    return ok;
}

static bool file_writelines(gx_call *c, gx_value *out) {
    return gx_write_lines(c, file_write, out);
}

static bool file_close(gx_call *c, gx_value *out) {
    if (!close_file(c->rt, self_of(c))) return false;
    *out = gx_none();
    return true;
}

static bool open_still(gx_call *c) {
    return self_of(c)->f ||
           gx_fail(c->rt, GX_ValueError, "file.closed", "I/O operation on closed file.");
}

static bool file_flush(gx_call *c, gx_value *out) {
    if (!open_still(c)) return false;
    int failed = gx_file_flush(c->rt, self_of(c));
    if (failed) return gx_os_error(c->rt, failed, NULL);
    *out = gx_none();
    return true;
}

static bool file_tell(gx_call *c, gx_value *out) {
    if (!open_still(c)) return false;
    *out = gx_int((int64_t)ftello(self_of(c)->f));
    return true;
}

static bool file_seek(gx_call *c, gx_value *out) {
    int64_t at, whence;
    if (!gx_arg_int(c, 1, &at) || !gx_arg_int(c, 2, &whence) || !open_still(c)) return false;
    if (whence < 0 || whence > 2)
        return gx_fail(c->rt, GX_ValueError, "file.seek",
                       "invalid whence (%lld, should be 0, 1 or 2)", (long long)whence);
    if (!gx_file_decode(c->rt, self_of(c))) return false;
    self_of(c)->wrote = false;
    if (fseeko(self_of(c)->f, (off_t)at, (int)whence) != 0) return gx_os_error(c->rt, errno, NULL);
    return file_tell(c, out);
}

static bool file_truncate(gx_call *c, gx_value *out) {
    int64_t size;
    if (!open_still(c)) return false;
    gx_file *file = self_of(c);
    size = (int64_t)ftello(file->f);
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &size)) return false;
    if (fflush(file->f) != 0 || ftruncate(fileno(file->f), (off_t)size) != 0)
        return gx_os_error(c->rt, errno, NULL);
    *out = gx_int(size);
    return true;
}

static bool file_fileno(gx_call *c, gx_value *out) {
    if (!open_still(c)) return false;
    if (self_of(c)->standard && c->rt->output.write)
        return gx_fail(c->rt, GX_OSError, "file.descriptor",
                       "fileno: the program that runs gx takes the output");
    *out = gx_int(fileno(self_of(c)->f));
    return true;
}

static bool file_isatty(gx_call *c, gx_value *out) {
    if (!open_still(c)) return false;
    const gx_file *file = self_of(c);
    *out = gx_bool(file->standard && file->writable ? gx_is_terminal(c->rt, gx_file_channel(file))
                                                    : isatty(fileno(file->f)) == 1);
    return true;
}

static bool file_readable(gx_call *c, gx_value *out) {
    *out = gx_bool(self_of(c)->readable);
    return true;
}

static bool file_writable(gx_call *c, gx_value *out) {
    *out = gx_bool(self_of(c)->writable);
    return true;
}

static bool file_enter(gx_call *c, gx_value *out) {
    if (!open_still(c)) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_file(self)->name);
    return true;
}

static bool get_mode(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, gx_as_file(self)->mode, out);
}

static bool get_closed(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(!gx_as_file(self)->f);
    return true;
}

static bool is_text(gx_rt *rt, const gx_file *file, const char *name) {
    return !file->binary ||
           gx_fail(rt, GX_AttributeError, "attr.unknown",
                   "'_io.BufferedReader' object has no attribute '%s'", name);
}

static bool get_encoding(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_file *file = gx_as_file(self);
    if (!is_text(rt, file, "encoding")) return false;
    if (file->encoding.tag == GX_UNDEF) return gx_str_c(rt, "utf-8", out);
    *out = gx_keep(file->encoding);
    return true;
}

static bool get_errors(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_file *file = gx_as_file(self);
    if (!is_text(rt, file, "errors")) return false;
    if (file->errors.tag == GX_UNDEF) return gx_str_c(rt, "strict", out);
    *out = gx_keep(file->errors);
    return true;
}

static bool iter_self(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}

static const gx_native methods[] = {
    {"read", "read(self, size=-1, /)", "The rest of the file, or at most size characters.", NULL,
     file_read, 0, 0},
    {"readline", "readline(self, /)", "The next line with its end; empty at the end.", NULL,
     file_readline, 0, 0},
    {"readlines", "readlines(self, /)", "The lines that are left, as a list.", NULL, file_readlines,
     0, 0},
    {"write", "write(self, text, /)", "Writes; returns how many characters.", NULL, file_write, 0,
     0},
    {"writelines", "writelines(self, lines, /)", "Writes each text.", NULL, file_writelines, 0, 0},
    {"close", "close(self, /)", "Closes the file.", NULL, file_close, 0, 0},
    {"flush", "flush(self, /)", "Hands what is buffered to the system.", NULL, file_flush, 0, 0},
    {"seek", "seek(self, offset, whence=0, /)", "Moves the position.", NULL, file_seek, 0, 0},
    {"tell", "tell(self, /)", "The position in bytes.", NULL, file_tell, 0, 0},
    {"truncate", "truncate(self, size=None, /)", "Cuts the file to a size.", NULL, file_truncate, 0,
     0},
    {"fileno", "fileno(self, /)", "The descriptor.", NULL, file_fileno, 0, 0},
    {"isatty", "isatty(self, /)", "Is it a terminal?", NULL, file_isatty, 0, 0},
    {"readable", "readable(self, /)", "Was it opened for reading?", NULL, file_readable, 0, 0},
    {"writable", "writable(self, /)", "Was it opened for writing?", NULL, file_writable, 0, 0},
    {"__enter__", "__enter__(self, /)", "The file itself.", NULL, file_enter, 0, 0},
    {"__exit__", "__exit__(self, *args)", "Closes the file.", NULL, file_close, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

static const gx_member members[] = {
    {"name", get_name, NULL, "The path."},
    {"mode", get_mode, NULL, "How it was opened."},
    {"closed", get_closed, NULL, "Is it closed?"},
    {"encoding", get_encoding, NULL, "The encoding of its text."},
    {"errors", get_errors, NULL, "What handles errors of the encoding."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_file = {
    .name = "_io.TextIOWrapper",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A file.",
    .free = free_file,
    .repr = repr_file,
    .iter = iter_self,
    .next = next_line,
    .methods = methods,
    .members = members,
};
