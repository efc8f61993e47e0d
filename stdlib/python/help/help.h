/* What a callable takes, for help() and for the prompt. */
#ifndef GX_STDLIB_PYTHON_HELP_HELP_H
#define GX_STDLIB_PYTHON_HELP_HELP_H

#include "runtime/object/native.h"

/* Appends "linspace(start, stop, num=50)": how a function, a method or a class is called, `self`
   left out where it is given. Runs no code of the script: of a default that is no number, text or
   None it writes "...". NO: it is not known how the value is called. */
gx_try gx_help_signature(gx_rt *rt, gx_borrowed v, gx_buf *out);

#endif
