/* Names of NumPy's past, and of other languages, that a script still asks numpy for: what is told
   is the name that works. */
#include <string.h>

#include "runtime/object/module.h"
#include "stdlib/common.h"

bool gx_np_missing(gx_rt *rt, const gx_module *module, const char *name) {
    static const char *const names[][2] = {
        {"float", "float"},
        {"int", "int"},
        {"object", "list"},
        {"str", "str"},
        {"complex", "complex"},
        {"long", "int64"},
        {"float_", "float64"},
        {"complex_", "complex128"},
        {"bool8", "bool_"},
        {"NaN", "nan"},
        {"NAN", "nan"},
        {"Inf", "inf"},
        {"Infinity", "inf"},
        {"infty", "inf"},
        {"PINF", "inf"},
        {"NINF", "-inf"},
        {"product", "prod"},
        {"cumproduct", "cumprod"},
        {"sometrue", "any"},
        {"alltrue", "all"},
        {"in1d", "isin"},
        {"trapz", "trapezoid"},
        {"row_stack", "vstack"},
        {"msort", "sort"},
        {"round_", "round"},
        {"alen", "len"},
        {"asscalar", "x.item()"},
        {"rank", "ndim"},
        {"find_common_type", "result_type"},
        {"length", "len"},
        {"numel", "size"},
        {"repmat", "tile"},
        {"disp", "print"},
        {"randn", "random.randn"},
        {"rand", "random.rand"},
        {"randint", "random.randint"},
        {"inv", "linalg.inv"},
        {"det", "linalg.det"},
        {"eig", "linalg.eig"},
        {"norm", "linalg.norm"},
        {"solve", "linalg.solve"},
        {"svd", "linalg.svd"},
    };
    const char *owner = gx_sym_text(rt, module->name);
    if (strcmp(owner, "numpy") == 0 || strcmp(owner, "cupy") == 0)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcmp(names[i][0], name) != 0) continue;
            (void)gx_help(rt, "%s is what works", names[i][1]);
            return true;
        }
    return gx_np_absent(rt, module, name);
}
