/* Texts of distributions as they stand in the files of this folder (tools/embed makes them). */
#ifndef GX_STDLIB_RANDOM_RANDOM_TEXT_INT_H
#define GX_STDLIB_RANDOM_RANDOM_TEXT_INT_H

extern const char gx_random_text_counted_real[], gx_random_text_rejected_real[];
extern const char gx_random_text_drawn_real[];

#endif
