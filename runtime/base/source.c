/* Source texts: adding, reading from files, and finding lines for messages.

   The line table is made at the first question, from malloc and not from gx_alloc: it is asked for
   while an error is being reported, when nothing may fail; without memory the text is searched
   instead. A line ends at \n, \r\n or \r. */
#include "runtime/base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/buf.h"
#include "runtime/base/compressed/compressed.h"
#include "runtime/base/rt.h"

enum { LEXER_ZEROS = 16, FIRST_ROOM = 8 };
static const size_t max_source = (size_t)1 << 30;

static bool make_room(gx_rt *rt) {
    gx_sources *all = &rt->sources;
    if (all->count < all->room) return true;
    uint32_t room = all->room ? all->room * 2 : FIRST_ROOM;
    gx_source *list = gx_realloc(rt, all->list, room * sizeof *list);
    if (!list) return false;
    all->list = list;
    all->room = room;
    return true;
}

/* A source whose text the caller writes. */
static bool add(gx_rt *rt, const char *name, size_t length, uint32_t *out) {
    if (length > max_source)
        return gx_fail(rt, GX_OverflowError, "source.size",
                       "a source has at most 1 GB of text, %s has %zu bytes", name, length);
    if (!make_room(rt)) return false;
    size_t name_bytes = strlen(name) + 1;
    char *own_name = gx_alloc(rt, name_bytes);
    if (!own_name) return false;
    char *own_text = gx_alloc(rt, length + LEXER_ZEROS);
    if (!own_text) {
        gx_free(rt, own_name);
        return false;
    }
    memcpy(own_name, name, name_bytes);
    memset(own_text + length, 0, LEXER_ZEROS);
    *out = rt->sources.next++;
    rt->sources.list[rt->sources.count++] =
        (gx_source){.id = *out, .name = own_name, .text = own_text, .length = length};
    return true;
}

static char *last_text(gx_rt *rt) {
    return rt->sources.list[rt->sources.count - 1].text;
}

bool gx_source_add(gx_rt *rt, const char *name, const char *text, size_t length, uint32_t *out) {
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (!add(rt, name, length, out)) return false;
    if (length) memcpy(last_text(rt), text, length);
    return true;
}

bool gx_source_add_compressed(gx_rt *rt, const char *name, const gx_compressed *text,
                              uint32_t *out) {
    uint32_t source;
    if (!add(rt, name, text->length, &source)) return false;
    if (!gx_decompress(text, last_text(rt))) {
        gx_source_forget(rt, source);
        return gx_fail(rt, GX_RuntimeError, "internal.library", "the text of %s is damaged", name);
    }
    *out = source;
    return true;
}

/* Where a number stands in the list, or would. */
static uint32_t index_of(const gx_sources *all, uint32_t id) {
    uint32_t low = 0, high = all->count;
    if (id < all->count && all->list[id].id == id) return id;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->list[middle].id < id) low = middle + 1;
        else high = middle;
    }
    return low;
}

gx_source *gx_source_get(const gx_rt *rt, uint32_t source) {
    uint32_t i = index_of(&rt->sources, source);
    return i < rt->sources.count && rt->sources.list[i].id == source ? &rt->sources.list[i] : NULL;
}

static void free_parts(gx_rt *rt, gx_source *s) {
    gx_free(rt, s->name);
    gx_free(rt, s->text);
    free(s->lines);
}

void gx_source_forget(gx_rt *rt, uint32_t source) {
    gx_sources *all = &rt->sources;
    uint32_t i = index_of(all, source);
    if (i == all->count || all->list[i].id != source) return;
    if (all->list[i].retired) {
        all->retired--;
        all->retired_bytes -= all->list[i].length;
    }
    free_parts(rt, &all->list[i]);
    memmove(&all->list[i], &all->list[i + 1], (--all->count - i) * sizeof *all->list);
}

void gx_source_retire(gx_rt *rt, uint32_t source) {
    gx_sources *all = &rt->sources;
    gx_source *s = gx_source_get(rt, source);
    if (!s || s->retired) return;
    s->retired = true;
    all->retired++;
    all->retired_bytes += s->length;
    for (uint32_t i = 0; all->retired > GX_SOURCES_KEPT ||
                         (all->retired > 1 && all->retired_bytes > GX_SOURCES_KEPT_BYTES);) {
        if (all->list[i].retired) gx_source_forget(rt, all->list[i].id);
        else i++;
    }
}

static bool fail_errno(gx_rt *rt, int number, const char *path) {
    return gx_fail(rt, gx_error_of_errno(number), "file.read", "[Errno %d] %s: '%s'", number,
                   strerror(number), path);
}

/* Reads to the end: the size is not asked for, so pipes work too. */
static bool read_all(gx_rt *rt, int file, const char *path, gx_buf *b) {
    for (;;) {
        if (!gx_buf_reserve(b, b->length / 2 + 65536)) return false;
        ssize_t n = read(file, b->data + b->length, b->room - b->length - 1);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_errno(rt, errno, path);
        if (n == 0) return true;
        b->length += (size_t)n;
        if (b->length > max_source)
            return gx_fail(rt, GX_OSError, "source.size",
                           "a source has at most 1 GB of text: '%s' is longer", path);
    }
}

bool gx_source_read(gx_rt *rt, const char *path, uint32_t *out) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail_errno(rt, errno, path);
    gx_buf text = gx_buf_new(rt);
    bool ok = read_all(rt, file, path, &text) &&
              gx_source_add(rt, path, gx_buf_text(&text), text.length, out);
    gx_buf_free(&text);
    close(file);
    return ok;
}

const gx_source *gx_source_of(const gx_rt *rt, gx_span at) {
    return at.end ? gx_source_get(rt, at.source) : NULL;
}

gx_span gx_source_seen(const gx_rt *rt, gx_span at) {
    const gx_source *s = gx_source_of(rt, at);
    return s && s->library && rt->script_at ? rt->script_at(rt) : at;
}

/* The first byte after the line end at or after `from`; *end is where the line's text stops. */
static size_t next_line(const gx_source *s, size_t from, size_t *end) {
    size_t at = from;
    while (at < s->length && s->text[at] != '\n' && s->text[at] != '\r') at++;
    *end = at;
    if (at == s->length) return at;
    return at + (s->text[at] == '\r' && s->text[at + 1] == '\n' ? 2 : 1);
}

static uint32_t count_lines(const gx_source *s) {
    uint32_t lines = 1;
    size_t end;
    for (size_t at = 0; at < s->length;) {
        at = next_line(s, at, &end);
        if (at > end) lines++;
    }
    return lines;
}

/* The start of a 1-based line, at most the last one. */
static size_t line_start(gx_source *s, uint32_t line) {
    if (!s->lines) {
        uint32_t count = count_lines(s);
        s->lines = malloc(count * sizeof *s->lines);
        size_t at = 0, end;
        for (uint32_t i = 0; s->lines && i < count; i++) {
            s->lines[i] = (uint32_t)at;
            at = next_line(s, at, &end);
        }
        s->line_count = count;
    }
    if (line > s->line_count) line = s->line_count;
    if (line == 0) line = 1;
    if (s->lines) return s->lines[line - 1];
    size_t at = 0, end;
    while (--line) at = next_line(s, at, &end);
    return at;
}

/* The 1-based line that holds a byte: the last one that starts at or before it. */
static uint32_t line_of(gx_source *s, size_t byte) {
    line_start(s, 1);
    uint32_t low = 1, high = s->line_count;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (line_start(s, middle) <= byte) low = middle;
        else high = middle - 1;
    }
    return low;
}

void gx_source_place(const gx_rt *rt, gx_span at, uint32_t *line, uint32_t *column) {
    *line = *column = 1;
    gx_source *s = at.end ? gx_source_get(rt, at.source) : NULL;
    if (!s) return;
    size_t byte = at.start < s->length ? at.start : s->length;
    *line = line_of(s, byte);
    for (size_t i = line_start(s, *line); i < byte; i++)
        *column += ((unsigned char)s->text[i] & 0xC0) != 0x80;
    /* The loop counted every code point that starts before `byte`; inside one, that is itself. */
    if (byte < s->length && ((unsigned char)s->text[byte] & 0xC0) == 0x80 && *column > 1)
        --*column;
}

void gx_source_line(const gx_rt *rt, uint32_t source, uint32_t line, const char **text,
                    size_t *length) {
    *text = "";
    *length = 0;
    gx_source *s = line ? gx_source_get(rt, source) : NULL;
    if (!s) return;
    size_t start = line_start(s, line), end;
    if (line > s->line_count) return;
    next_line(s, start, &end);
    *text = s->text + start;
    *length = end - start;
}

void gx_sources_free(gx_rt *rt) {
    gx_sources *all = &rt->sources;
    for (uint32_t i = 0; i < all->count; i++) free_parts(rt, &all->list[i]);
    gx_free(rt, all->list);
    *all = (gx_sources){0};
    gx_free(rt, rt->unicode_names); /* the lexer's, as they are */
    rt->unicode_names = NULL;
}
