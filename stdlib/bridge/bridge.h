/* The bridge to an installed Python, as docs/python.md explains it. It is opened by the first
   import of a module that gx does not have; one Python a process, whose lock (the GIL) is held
   around each use, so that contexts on several threads may use it.

   Numbers and texts cross by value; what else Python gives stays Python's, and the context holds a
   proxy (proxy.c). What Python is given of gx is an object of a Python type made for its gx type
   (wrap.c). Arrays cross as views of the same memory (memory.c). */
#ifndef GX_STDLIB_BRIDGE_BRIDGE_H
#define GX_STDLIB_BRIDGE_BRIDGE_H

#include "runtime/object/module.h"

/* A module of Python's by its dotted name. NO: Python has none of that name, or there is no Python;
   gx_python_missing tells. */
gx_try gx_python_import(gx_rt *rt, const char *name, gx_value *out);
/* Adds to a pending ModuleNotFoundError what would bring the module. Always false. */
bool gx_python_missing(gx_rt *rt, const char *name);
/* A value that is Python's? */
bool gx_is_python(gx_borrowed v);
/* from m import name, where m is Python's: an attribute, or a module below it. */
GX_CHECK bool gx_python_member(gx_rt *rt, gx_borrowed m, gx_sym name, gx_value *out);
/* from m import *: binds what Python would. */
GX_CHECK bool gx_python_all(gx_rt *rt, gx_borrowed m, gx_module *into);

/* What makes a class below one of Python's, called as a metaclass is. */
GX_CHECK bool gx_python_class_maker(gx_rt *rt, gx_value *out);

/* Asks Python code that runs for this context to stop; from any thread and signal handlers. */
void gx_python_interrupt(gx_rt *rt);
/* The context ends: runs what Python has for the end of a program, where this context has started
   it. */
void gx_python_end(gx_rt *rt);
/* What would be opened, for gx --doctor: lines of text. */
GX_CHECK bool gx_python_doctor(gx_rt *rt, gx_buf *out);

#endif
