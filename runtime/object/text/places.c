/* Where code points lie in long texts that are not ASCII: every 64th place of the few texts that
   were indexed last, so that indexing is quick from any side. A text whose places are kept says so
   in its flags; it forgets them when it grows in place and when it is freed. */
#include "runtime/object/text/str_int.h"

#include <string.h>

#include "runtime/object/heap.h"

enum { STRIDE = 64, WORTH = 256 /* bytes: shorter ones are walked */ };

size_t gx_utf8_count(const char *text, size_t length) {
    const uint64_t ones = 0x0101010101010101u;
    size_t n = 0, i = 0;
    /* Bytes that go on have 10 for their top bits. */
    for (uint64_t eight; i + 8 <= length; i += 8) {
        memcpy(&eight, text + i, 8);
        n += 8 - (((eight >> 7 & ~(eight >> 6)) & ones) * ones >> 56);
    }
    for (; i < length; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

static gx_text_places *kept(const gx_str *s) {
    gx_heap *h = gx_rt_of(&s->obj)->heap;
    for (int i = 0; i < GX_TEXTS_WITH_PLACES; i++)
        if (h->places[i].s == s) return &h->places[i];
    return NULL;
}

void gx_str_forget_places(const gx_str *s) {
    gx_text_places *p = s->obj.flags & GX_HAS_PLACES ? kept(s) : NULL;
    if (!p) return;
    gx_free(gx_rt_of(&s->obj), p->at);
    ((gx_str *)(uintptr_t)p->s)->obj.flags &= (uint8_t)~GX_HAS_PLACES;
    *p = (gx_text_places){0};
}

/* NULL: not worth it, or no memory, which is no failure here. */
static const gx_text_places *places(const gx_str *s) {
    if (s->length < WORTH || s->obj.type->heap) return NULL;
    if (s->obj.flags & GX_HAS_PLACES) return kept(s);
    gx_rt *rt = gx_rt_of(&s->obj);
    gx_heap *h = rt->heap;
    gx_error pending;
    gx_error_save(rt, &pending);
    size_t *at = gx_alloc(rt, (s->chars / STRIDE + 1) * sizeof *at), n = 0;
    gx_error_clear(rt);
    gx_error_restore(rt, &pending);
    if (!at) return NULL;
    for (size_t i = 0; i < s->length; i++)
        if (((unsigned char)s->text[i] & 0xC0) != 0x80 && n++ % STRIDE == 0) at[n / STRIDE] = i;
    gx_text_places *p = &h->places[h->next_places++ % GX_TEXTS_WITH_PLACES];
    if (p->s) gx_str_forget_places(p->s);
    *p = (gx_text_places){s, at};
    ((gx_str *)(uintptr_t)s)->obj.flags |= GX_HAS_PLACES;
    return p;
}

size_t gx_str_offset(const gx_str *s, size_t index) {
    if (gx_str_ascii(s)) return index;
    if (index >= s->chars) return s->length;
    size_t at = 0, left = index;
    const gx_text_places *p = index < STRIDE ? NULL : places(s);
    if (p) {
        at = p->at[index / STRIDE];
        left = index % STRIDE;
    }
    for (; left > 0; left--)
        while (((unsigned char)s->text[++at] & 0xC0) == 0x80) {
        }
    return at;
}

size_t gx_str_index(const gx_str *s, size_t offset) {
    if (gx_str_ascii(s)) return offset;
    const gx_text_places *p = offset < STRIDE ? NULL : places(s);
    if (!p) return gx_utf8_count(s->text, offset);
    size_t low = 0, high = (s->chars - 1) / STRIDE; /* the last place that is not behind offset */
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (p->at[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low * STRIDE + gx_utf8_count(s->text + p->at[low], offset - p->at[low]);
}
