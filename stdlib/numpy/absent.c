/* Names of NumPy and CuPy that gx leaves out on purpose, and the nearest thing that works: what a
   script that asks for one is told. Names that are merely mistyped are not here. */
#include <string.h>

#include "runtime/object/module.h"
#include "stdlib/common.h"

typedef struct absence {
    const char *names; /* each between blanks */
    const char *what, *instead;
} absence;

static const absence absences[] = {
    {" mat ", "a name that NumPy gave up", "np.asmatrix(x)"},
    {" chararray string_ unicode_ StringDType ", "other arrays of text",
     "an array of str: np.array(names), np.strings.upper(names)"},
    {" fromregex ", "what reads texts by a pattern", "re.findall and np.array(found, dtype)"},
    {" object_ ", "arrays of objects", "a list"},
    {" longdouble clongdouble float96 float128 complex192 complex256 ",
     "floats of more than 64 bits", "float64"},
    {" Arrayterator ", "iterators over parts of arrays",
     "nditer, nested_iters, ndenumerate(x), x.flat and slices in a loop"},
    {" polynomial Polynomial Chebyshev ", "series of polynomials outside numpy.polynomial",
     "np.polynomial.Polynomial and its kin; poly1d"},
    {" random_integers ", "a name that NumPy gives up", "np.random.randint(low, high + 1)"},
    {" lookfor source add_docstring add_newdoc opt_func_info introspect ", "numpy's own help",
     "help(f)"},
    {" format npyio DataSource NpzFile ", "the inside of NumPy's files",
     "save, load, savez and memmap"},
    {" dtypes ", "classes of dtypes", "np.dtype('f8') and x.dtype.kind"},
    {" core test show_config show_runtime get_include tracemalloc_domain ",
     "what belongs to NumPy's own build", "gx --version and help(np)"},
    {" character ", "a class of text scalars", "str and bytes"},
    {" cublas cufft curand cusolver cusparse cudnn cutensor nccl get_cublas_handle ",
     "CuPy's doors to NVIDIA's libraries", "the functions of cupy, which call them"},
    {" fromDlpack ", "CuPy's older name", "cp.from_dlpack(x)"},
    {" texture ", "textures", "arrays as arguments of a kernel"},
    {" Graph MemoryHook memory_hooks function Module compile_with_cache optimizing ",
     "the inside of CuPy", "cp.RawKernel, cp.RawModule and gx --profile"},
    {" core prof util ", "names that CuPy gave up", "cupyx.profiler and cupy's own names"},
    {" ctypeslib f2py distutils ", "NumPy's ties to C and Fortran",
     "cp.RawKernel or a kernel of gx for compiled code"},
};

bool gx_np_absent(gx_rt *rt, const gx_module *module, const char *name) {
    char word[40] = " ";
    const char *owner = gx_sym_text(rt, module->name);
    if ((strncmp(owner, "numpy", 5) != 0 && strncmp(owner, "cupy", 4) != 0) || strlen(name) > 30)
        return false;
    strcat(strcat(word, name), " ");
    for (size_t i = 0; i < sizeof absences / sizeof *absences; i++) {
        if (!strstr(absences[i].names, word)) continue;
        (void)gx_note(rt, "gx leaves out %s; in their place: %s", absences[i].what,
                      absences[i].instead);
        return true;
    }
    return false;
}
