/* The text of lines_real.h (tools/embed makes the string). */
#ifndef GX_STDLIB_NUMPY_MATH_MATH_TEXT_INT_H
#define GX_STDLIB_NUMPY_MATH_MATH_TEXT_INT_H

extern const char gx_math_text_lines_real[];

#endif
