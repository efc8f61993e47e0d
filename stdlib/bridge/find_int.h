/* Finding and opening libpython (find.c). */
#ifndef GX_STDLIB_BRIDGE_FIND_INT_H
#define GX_STDLIB_BRIDGE_FIND_INT_H

#include <stdbool.h>

#include "stdlib/bridge/python_int.h"

typedef struct gx_py_found {
    char executable[1024]; /* "": a library was named */
    char library[1024];
    char version[32]; /* "3.11.2" */
    int minor;
    char why[1400]; /* what stands in the way; "": nothing */
} gx_py_found;

/* Looks for a Python: GX_PYTHON, the active virtual environment, python3 on the PATH. Asks it once
   for its library, and fills in all but `library` where that cannot be opened. */
bool gx_py_find(gx_py_found *out);
/* Opens the library and fills `py`; `running`: that of the Python that has loaded gx. False:
   out->why. */
bool gx_py_load(gx_py_found *out, bool running);

#endif
