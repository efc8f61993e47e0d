/* Small things the files of this folder share. Not for other folders. */
#ifndef GX_STDLIB_COMMON_H
#define GX_STDLIB_COMMON_H

#include "stdlib/stdlib.h"

/* The program's arguments, as gx_stdlib_set_argv was told. */
void gx_stdlib_argv(gx_rt *rt, int *argc, char *const **argv);
/* OSError of the fitting kind for errno: "[Errno 2] No such file or directory: 'x'". Always false.
 */
bool gx_os_error(gx_rt *rt, int number, const char *path);
/* False, with PermissionError pending, under GX_SAFE: asked before a path is used. */
GX_CHECK bool gx_may_use_files(gx_rt *rt, const char *path);
/* A path has no NUL inside, where the system would end it. */
GX_CHECK bool gx_is_path(gx_rt *rt, const char *text, size_t length);
/* Argument i, which is a path, where files may be used. */
GX_CHECK bool gx_arg_path(gx_call *c, int i, const char **path);
/* A str of text from the system, whose encoding nobody checked. */
GX_CHECK bool gx_text_from_system(gx_rt *rt, const char *text, gx_value *out);
/* A file object around a descriptor that is not closed with it (stdin, stdout, stderr). */
GX_CHECK bool gx_file_standard(gx_rt *rt, int fd, gx_value *out);
/* StopIteration with no value: next() at the end. Always false. */
bool gx_end_of_iterator(gx_rt *rt);
/* Forgets the tables of Fourier transforms. */

/* What numpy/ufunc/override.c has found: one block, freed at the end. */
void **gx_stdlib_overrides(gx_rt *rt);

/* Is the name one that gx leaves out of numpy on purpose? Then the pending error says so, and what
   there is in its place. */
bool gx_np_absent(gx_rt *rt, const struct gx_module *module, const char *name);
/* The module that a function's row is listed under, or NULL: of none that has a name. */
const char *gx_stdlib_module_of(gx_rt *rt, const gx_native *fn);
/* stdlib/scipy/special/ufunc.c: calls of SciPy's ufuncs. */
bool gx_sp_ufunc(gx_call *c, gx_value *out);
/* stdlib/scipy/special/types.c: the loops of one that has others than its row of ops.def says, or
   none there, "ff dd", and how many operands and results it has; NULL: fn is none. */
const char *gx_sp_types(const gx_native *fn, int *nin, int *nout);
/* stdlib/numpy/ufunc/override.c: asked by calls while a class of the script may take them over. */
gx_try gx_np_override(gx_rt *rt, const gx_override *o, gx_value *out);
/* The same, of names that have another one now (stdlib/numpy/renamed.c). */
bool gx_np_missing(gx_rt *rt, const gx_module *module, const char *name);

/* stdlib/bridge: what a builtin module lacks and Python's module of its name has. */
gx_try gx_python_further(gx_rt *rt, const struct gx_module *m, const char *name, gx_value *out);
/* The same after np.typing and what CuPy's modules have in gx, texts of the library. */
gx_try gx_library_further(gx_rt *rt, const struct gx_module *m, const char *name, gx_value *out);
void gx_library_each_further(gx_rt *rt, const struct gx_module *m,
                             void (*fn)(const char *name, void *ctx), void *ctx);
void gx_python_free(gx_rt *rt);

/* Types of this folder that modules.def gives more methods (stdlib/random/generator.c). */
extern const gx_type gx_type_random_generator, gx_type_np_randomstate;

#endif
