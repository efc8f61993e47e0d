/* Texts of real special functions as they stand in the files of this folder (tools/embed makes the
   strings). */
#ifndef GX_STDLIB_SCIPY_SPECIAL_SPECIAL_TEXT_INT_H
#define GX_STDLIB_SCIPY_SPECIAL_SPECIAL_TEXT_INT_H

extern const char gx_special_text_several_real[], gx_special_text_elliptic_real[];
extern const char gx_special_text_inverse_real[], gx_special_text_bessel_real[];
extern const char gx_special_text_temme_real[];

#endif
