/* Texts and lists of the programs around include/gx.h: memory of malloc, outside of any state. */
#ifndef GX_INTERP_HOST_PAD_H
#define GX_INTERP_HOST_PAD_H

#include <stdbool.h>
#include <stddef.h>

/* A growable text; {0} is an empty one. It ends in a 0 byte, which length does not count. What
   adds to it gives false where there is no memory; the text is as it was then. */
typedef struct gx_pad {
    char *data; /* NULL while empty */
    size_t length, room;
} gx_pad;

void gx_pad_free(gx_pad *p);
bool gx_pad_reserve(gx_pad *p, size_t more);
bool gx_pad_add(gx_pad *p, const char *text, size_t length);
bool gx_pad_puts(gx_pad *p, const char *text);
bool gx_pad_char(gx_pad *p, char c);
bool gx_pad_fill(gx_pad *p, char c, size_t count);
bool gx_pad_printf(gx_pad *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds all that a file descriptor gives; false: errno says why. EINTR is one of the reasons. */
bool gx_pad_read(gx_pad *p, int file);
/* Adds a file's text. */
bool gx_pad_read_file(gx_pad *p, const char *path);
/* The text; "" when empty. */
static inline const char *gx_pad_text(const gx_pad *p) {
    return p->data ? p->data : "";
}

/* A growable list: GX_ROW(int) xs = {0}; if (!gx_row_push(&xs, 1)) … */
#define GX_ROW(T)                                                                                  \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, room;                                                                        \
    }
#define gx_row_reserve(v, more)                                                                    \
    gx_row_grow((void **)&(v)->items, &(v)->room, (v)->count + (more), sizeof *(v)->items)
#define gx_row_push(v, item)                                                                       \
    (gx_row_reserve(v, 1) ? ((v)->items[(v)->count++] = (item), true) : false)
#define gx_row_free(v) (free((v)->items), (v)->items = NULL, (v)->count = (v)->room = 0)
bool gx_row_grow(void **items, size_t *room, size_t want, size_t item_bytes);

#endif
