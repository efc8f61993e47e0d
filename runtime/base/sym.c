/* Interned names: each text is stored once and known by a small number ever after.

   Open addressing with linear probing over a power of two; nothing is ever removed. Number 0 is no
   name, so the lists start at 1 and 0 marks a free slot. */
#include "runtime/base/sym.h"

#include <string.h>

#include "runtime/base/rt.h"

enum { FIRST_SLOTS = 256, FIRST_ROOM = 128 };

/* FNV-1a. */
static uint32_t hash_text(const char *text, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The slot that holds the text, or the free one where it belongs. */
static gx_sym *find_slot(const gx_symtab *t, const char *text, size_t length) {
    uint32_t mask = t->slot_count - 1;
    uint32_t at = hash_text(text, length) & mask;
    for (;; at = (at + 1) & mask) {
        gx_sym s = t->slots[at];
        if (s == 0) return &t->slots[at];
        if (t->length[s] == length && memcmp(t->text[s], text, length) == 0) return &t->slots[at];
    }
}

static bool grow_slots(gx_rt *rt, gx_symtab *t) {
    uint32_t wanted = t->slot_count ? t->slot_count * 2 : FIRST_SLOTS;
    gx_sym *slots = gx_alloc_zero(rt, wanted * sizeof *slots);
    if (!slots) return false;
    gx_free(rt, t->slots);
    t->slots = slots;
    t->slot_count = wanted;
    for (gx_sym s = 1; s <= t->count; s++) *find_slot(t, t->text[s], t->length[s]) = s;
    return true;
}

/* Both lists hold room entries when this succeeds; a half-done growth harms nobody. */
static bool grow_lists(gx_rt *rt, gx_symtab *t) {
    uint32_t wanted = t->room ? t->room * 2 : FIRST_ROOM;
    char **text = gx_realloc(rt, t->text, wanted * sizeof *text);
    if (!text) return false;
    t->text = text;
    uint32_t *length = gx_realloc(rt, t->length, wanted * sizeof *length);
    if (!length) return false;
    t->length = length;
    t->room = wanted;
    return true;
}

gx_sym gx_sym_of(gx_rt *rt, const char *text, size_t length) {
    gx_symtab *t = &rt->syms;
    gx_sym known = gx_sym_find(rt, text, length);
    if (known) return known;
    if (length >= UINT32_MAX) {
        gx_no_memory(rt);
        return 0;
    }
    if ((t->count + 1) * 3 >= t->slot_count * 2 && !grow_slots(rt, t)) return 0;
    if (t->count + 1 >= t->room && !grow_lists(rt, t)) return 0;
    char *copy = gx_alloc(rt, length + 1);
    if (!copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    gx_sym s = ++t->count;
    t->text[s] = copy;
    t->length[s] = (uint32_t)length;
    *find_slot(t, copy, length) = s;
    return s;
}

gx_sym gx_sym_c(gx_rt *rt, const char *text) {
    return gx_sym_of(rt, text, strlen(text));
}

gx_sym gx_sym_find(const gx_rt *rt, const char *text, size_t length) {
    const gx_symtab *t = &rt->syms;
    return t->slot_count ? *find_slot(t, text, length) : 0;
}

const char *gx_sym_text(const gx_rt *rt, gx_sym s) {
    return s && s <= rt->syms.count ? rt->syms.text[s] : "";
}

size_t gx_sym_length(const gx_rt *rt, gx_sym s) {
    return s && s <= rt->syms.count ? rt->syms.length[s] : 0;
}

void gx_symtab_free(gx_rt *rt) {
    gx_symtab *t = &rt->syms;
    for (gx_sym s = 1; s <= t->count; s++) gx_free(rt, t->text[s]);
    gx_free(rt, t->text);
    gx_free(rt, t->length);
    gx_free(rt, t->slots);
    *t = (gx_symtab){0};
}
