/* Interned names. A gx_sym is a small number; equal text, equal number. 0 is no name. */
#ifndef GX_RUNTIME_BASE_SYM_H
#define GX_RUNTIME_BASE_SYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gx_sym;

typedef struct gx_symtab {
    char **text; /* by number; NUL-terminated, owned */
    uint32_t *length;
    gx_sym *slots; /* open addressing */
    uint32_t count, room, slot_count;
} gx_symtab;

struct gx_rt;
/* The number of a name, made when new. 0: MemoryError pending. */
gx_sym gx_sym_of(struct gx_rt *rt, const char *text, size_t length);
/* As gx_sym_of for a C string. */
gx_sym gx_sym_c(struct gx_rt *rt, const char *text);
/* The number of a name if it exists already, else 0; never allocates. */
gx_sym gx_sym_find(const struct gx_rt *rt, const char *text, size_t length);
const char *gx_sym_text(const struct gx_rt *rt, gx_sym s);
size_t gx_sym_length(const struct gx_rt *rt, gx_sym s);
void gx_symtab_free(struct gx_rt *rt);

#endif
