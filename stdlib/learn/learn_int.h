/* The lessons of `gx learn` (share/learn), and what its texts ask of C. */
#ifndef GX_STDLIB_LEARN_LEARN_INT_H
#define GX_STDLIB_LEARN_LEARN_INT_H

#include "runtime/base/compressed/compressed.h"
#include "runtime/object/native.h"

typedef struct gx_lesson {
    const char *name; /* "01-arrays" */
    const gx_compressed *text;
} gx_lesson;

/* In their order; the last has no name. Made by tools/embed-lessons. */
extern const gx_lesson gx_lessons[];

/* apart(text, seconds, bytes, steps): grades a submission in a process of its own. */
GX_CHECK bool gx_learn_apart(gx_call *c, gx_value *out);

#endif
