/* What the statements ask of import.c. */
#ifndef GX_INTERP_EVAL_MODULES_IMPORT_INT_H
#define GX_INTERP_EVAL_MODULES_IMPORT_INT_H

#include "interp/eval/evaluator.h"

/* A name of a module, owned; NO: it has none. */
gx_try gx_import_name(gx_rt *rt, gx_module *m, const char *name, gx_value *out);
/* sys.modules[name]; NO: it is not loaded. */
gx_try gx_import_found(gx_rt *rt, const char *name, gx_value *out);
/* A module from a file; NO: there is no such file. */
gx_try gx_import_file(gx_rt *rt, const char *name, gx_value *out);
/* Notes beside the pending error which modules of SciPy gx has. */
void gx_scipy_parts(gx_rt *rt);

#endif
