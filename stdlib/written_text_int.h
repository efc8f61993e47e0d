/* The texts of stdlib/written/: functions of the library that are written in gx. tools/embed makes
   stdlib/written_text.c of them. */
#ifndef GX_STDLIB_WRITTEN_TEXT_INT_H
#define GX_STDLIB_WRITTEN_TEXT_INT_H

extern const char gx_written_text_numpy_emath[];
extern const char gx_written_text_numpy_nditer[];

#endif
