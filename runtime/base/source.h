/* Source texts and byte spans. A span is 12 bytes: which source, from, to. Lines and columns are
   computed only when something is printed. The number of a source is never given twice: a span
   whose source is gone has no place. */
#ifndef GX_RUNTIME_BASE_SOURCE_H
#define GX_RUNTIME_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gx_sym; /* runtime/base/sym.h */

typedef struct gx_span {
    uint32_t source; /* its number */
    uint32_t start, end; /* bytes; end == 0: no position */
} gx_span;

typedef struct gx_source {
    uint32_t id;
    char *name; /* "model.gx", "<stdin>", "<input 3>" */
    char *text; /* owned; text[length] == 0, and 15 more zero bytes follow (for the lexer) */
    size_t length;
    uint32_t *lines; /* start of each line, made at first use */
    uint32_t line_count;
    bool library; /* gx's own text, which its users have not seen */
    bool retired; /* nothing runs it any more */
} gx_source;

/* What messages may still show of sources that are retired: so many, of so many bytes together. */
enum { GX_SOURCES_KEPT = 256, GX_SOURCES_KEPT_BYTES = 4 << 20 };

typedef struct gx_sources {
    gx_source *list; /* by number */
    uint32_t count, room, next;
    uint32_t retired;     /* of them */
    size_t retired_bytes;
} gx_sources;

struct gx_rt;
struct gx_compressed;
/* Adds a copy of a text; a UTF-8 byte-order mark is dropped. False: MemoryError. */
bool gx_source_add(struct gx_rt *rt, const char *name, const char *text, size_t length,
                   uint32_t *out);
/* The same for a text that the program carries. */
bool gx_source_add_compressed(struct gx_rt *rt, const char *name, const struct gx_compressed *text,
                          uint32_t *out);
/* Reads a file of at most 1 GB; OSError kinds when it cannot be read. */
bool gx_source_read(struct gx_rt *rt, const char *path, uint32_t *out);
/* No code of the source is left. Its text stays for messages about what it has made, until newer
   retired ones take its place. */
void gx_source_retire(struct gx_rt *rt, uint32_t source);
/* Frees a source that no span refers to. */
void gx_source_forget(struct gx_rt *rt, uint32_t source);
/* A source by its number, or NULL when it is gone. */
gx_source *gx_source_get(const struct gx_rt *rt, uint32_t source);
/* Where users look: the span, or, within the library's text, the script's statement that runs. */
gx_span gx_source_seen(const struct gx_rt *rt, gx_span at);
/* The source of a span, or NULL. */
const gx_source *gx_source_of(const struct gx_rt *rt, gx_span at);
/* 1-based line, and 1-based column in code points, of a byte position. */
void gx_source_place(const struct gx_rt *rt, gx_span at, uint32_t *line, uint32_t *column);
/* The text of a 1-based line, without its line end. */
void gx_source_line(const struct gx_rt *rt, uint32_t source, uint32_t line, const char **text,
                    size_t *length);
/* Validates UTF-8: the position of the first bad byte, or length. */
size_t gx_utf8_valid(const char *text, size_t length);
/* Columns that a terminal gives a text (East Asian wide characters take 2). */
size_t gx_utf8_width(const char *text, size_t length);
/* Decodes the code point at p (valid UTF-8), and its byte count; and encodes one. */
uint32_t gx_utf8_decode(const char *p, int *bytes);
int gx_utf8_encode(uint32_t c, char out[4]);
void gx_sources_free(struct gx_rt *rt);

static inline gx_span gx_span_join(gx_span a, gx_span b) {
    gx_span s = a;
    if (b.end > s.end) s.end = b.end;
    if (b.start < s.start) s.start = b.start;
    return s;
}

#endif
