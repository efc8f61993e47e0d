/* What help("slicing") says: a page a subject, for who begins. The transcripts in them are run by
   tools/checks/30-scripts. */
#include <string.h>

#include "stdlib/python/help/topics_int.h"

static const gx_help_topic topics[] = {
    {"start", "begin tour first", "The first minutes",
     "Type an expression and press Enter; its value is shown, and _ is the last one.\n"
     "\n"
     "    >>> x = linspace(0, 2 * pi, 5)\n"
     "    >>> sin(x).round(3)\n"
     "    array([ 0.,  1.,  0., -1., -0.])\n"
     "    >>> x.shape, x.dtype, x.max() > 6\n"
     "    ((5,), dtype('float64'), True)\n"
     "\n"
     "plot(x, sin(x)) draws it. Tab completes names, the arrow up brings earlier lines back, "
     "Ctrl-C\n"
     "stops a computation, Ctrl-D leaves. help(sin) explains a function, with an example.\n"
     "Subjects to go on with: arrays, slicing, broadcasting, plotting, files, kernels.\n"},
    {"arrays", "array ndarray dtype dtypes shape", "Arrays: many numbers of one kind",
     "    >>> a = array([[1, 2, 3], [4, 5, 6]])\n"
     "    >>> a.shape, a.dtype, a.size\n"
     "    ((2, 3), dtype('int64'), 6)\n"
     "    >>> a * 10 + 1, a.sum(), a.mean(axis=0)\n"
     "    (array([[11, 21, 31],\n"
     "            [41, 51, 61]]), 21, array([2.5, 3.5, 4.5]))\n"
     "    >>> a.astype(\"float32\") / 4\n"
     "    array([[0.25, 0.5 , 0.75],\n"
     "           [1.  , 1.25, 1.5 ]], dtype=float32)\n"
     "\n"
     "Made by zeros, ones, full, arange(start, stop, step), linspace(start, stop, count), eye,\n"
     "array(list), random.rand. An axis that a function works along goes away: axis=0 leaves one\n"
     "value a column, axis=1 one a row. help(dtype) and a.dtype tell the kind of the elements.\n"},
    {"slicing", "slice slices index indexing indices views view mask masks",
     "Slicing: parts of an array",
     "    >>> a = arange(10)\n"
     "    >>> a[2], a[-1], a[2:5], a[::3], a[::-1][:3]\n"
     "    (2, 9, array([2, 3, 4]), array([0, 3, 6, 9]), array([9, 8, 7]))\n"
     "    >>> m = arange(12).reshape(3, 4)\n"
     "    >>> m[1, 2], m[:, 1], m[0:2, ::2]\n"
     "    (6, array([1, 5, 9]), array([[0, 2],\n"
     "           [4, 6]]))\n"
     "    >>> a[a % 3 == 0], a[[7, 1, 1]]\n"
     "    (array([0, 3, 6, 9]), array([7, 1, 1]))\n"
     "    >>> m[:, 0] = -1\n"
     "    >>> m[a[:3] > 0]\n"
     "    array([[-1,  5,  6,  7],\n"
     "           [-1,  9, 10, 11]])\n"
     "\n"
     "A slice shares its elements with the array: a store through one shows in both; .copy() "
     "parts\n"
     "them. A mask or a list of indices gives new elements. x[:, newaxis] adds an axis.\n"},
    {"broadcasting", "broadcast shapes newaxis",
     "Broadcasting: arrays of different shapes in one operation",
     "Shapes are compared from the right; sizes fit when they are equal or one of them is 1, "
     "which\n"
     "is then repeated. A missing axis counts as 1.\n"
     "\n"
     "    >>> rows, columns = arange(3), arange(4)\n"
     "    >>> rows[:, newaxis] * 10 + columns\n"
     "    array([[ 0,  1,  2,  3],\n"
     "           [10, 11, 12, 13],\n"
     "           [20, 21, 22, 23]])\n"
     "    >>> m = arange(6.0).reshape(2, 3)\n"
     "    >>> m - m.mean(axis=1, keepdims=True)\n"
     "    array([[-1.,  0.,  1.],\n"
     "           [-1.,  0.,  1.]])\n"
     "\n"
     "keepdims=True leaves an axis of 1 where it reduced, so that the result fits the array "
     "again.\n"},
    {"plotting", "plot plots picture pictures matplotlib pyplot graph figure",
     "Plotting: pictures in the terminal and in files",
     "    plot(y)   plot(x, y)   plot(x, y, 'r--o', title=\"…\", xlabel=\"…\", grid=True)\n"
     "    scatter(x, y)   bar(names, heights)   hist(x, bins=20)   imshow(a, cmap=\"magma\")\n"
     "    savefig(\"result.png\")   savefig(\"result.svg\")   show(image)   spark(x)\n"
     "\n"
     "    >>> spark([1, 5, 22, 13, 3])\n"
     "    '▁▂█▅▁'\n"
     "    >>> f = plot(linspace(0, 1, 50) ** 2, title=\"a parabola\")\n"
     "    >>> f.axes\n"
     "    [<Axes with 1 mark>]\n"
     "\n"
     "At the prompt, plot(…) shows its picture; a script says print(plot(…)), or saves it. "
     "Several\n"
     "lines, subplots, legends: import matplotlib.pyplot as plt, then plt.plot(x, y, "
     "label=\"a\"),\n"
     "plt.legend(), plt.show(), plt.savefig(\"a.png\"); fig, ax = plt.subplots(2, 2) also works.\n"
     "GX_IMAGES=ascii draws without braille and blocks; NO_COLOR=1 without colours.\n"},
    {"files", "file load save csv npy io", "Files: arrays in and out",
     "    save(\"a.npy\", a)   load(\"a.npy\")            NumPy's own format\n"
     "    savez(\"all.npz\", x=x, y=y)                 several in one; load(\"all.npz\")[\"x\"]\n"
     "    loadtxt(\"t.csv\", delimiter=\",\", skiprows=1)  genfromtxt(…) when cells are missing\n"
     "    savetxt(\"t.csv\", a, delimiter=\",\")\n"
     "    open(\"notes.txt\").read()                   text, as in Python\n"
     "\n"
     "    >>> loadtxt([\"x,y\", \"1,2\", \"3,4\"], delimiter=\",\", skiprows=1).sum(axis=0)\n"
     "    array([4., 6.])\n"},
    {"random", "rng seed rand normal", "Random numbers",
     "    >>> rng = np.random.default_rng(42)\n"
     "    >>> rng.integers(1, 7, size=5)\n"
     "    array([1, 5, 4, 3, 3])\n"
     "    >>> rng.normal(size=1000).mean().round(1)\n"
     "    -0.0\n"
     "\n"
     "np.random gives NumPy's numbers for the same seed. The bare random.rand, random.normal and "
     "so\n"
     "on are streams for the GPU; random.seed(n) sets them.\n"},
    {"kernels", "kernel cuda rawkernel", "Kernels: your own CUDA C++",
     "    saxpy = kernel \"\"\"\n"
     "    extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
     "        int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "        if (i < n) y[i] = a * x[i] + y[i];\n"
     "    }\n"
     "    \"\"\"\n"
     "    x = arange(1000, dtype=\"float32\")\n"
     "    y = ones(1000, dtype=\"float32\")\n"
     "    saxpy[4, 256](2.0, x, y, 1000)        # 4 blocks of 256 threads\n"
     "    saxpy(2.0, x, y, 1000, size=1000)     # or gx chooses them\n"
     "\n"
     "Arguments are checked against the parameters. Without a GPU a simulator runs it, which tells "
     "of\n"
     "accesses outside an array and of races, with the thread and the line. docs/kernels.md has "
     "more;\n"
     "examples/kernels/ are lessons.\n"},
    {"gpu", "device cuda cupy", "The GPU, when there is one",
     "Arrays of bare names (zeros) and of cp (import cupy as cp) live on it, those of np on the "
     "host;\n"
     "x.device says where. np.asarray(x) would copy: cp.asnumpy(x) and cp.asarray(x) go over. gx\n"
     "--device cpu keeps all on the CPU, --doctor says what is missing for a GPU.\n"
     "\n"
     "    >>> x = cp.arange(4)\n"
     "    >>> type(x), type(cp.asnumpy(x))\n"
     "    (<class 'cupy.ndarray'>, <class 'numpy.ndarray'>)\n"},
    {"lazy", "laziness fusion timing time speed", "When things are computed, and how long it takes",
     "sqrt(a*a + b*b) / 2 is not computed until its value is needed; then it runs as one loop.\n"
     "\n"
     "    >>> a = arange(10000.0)\n"
     "    >>> before = lazy.kernels()\n"
     "    >>> float((a * 2 + 1)[3])\n"
     "    7.0\n"
     "    >>> lazy.kernels() - before\n"
     "    1\n"
     "\n"
     "At the prompt: %time CODE runs it once, %timeit CODE often; both wait until it is done. In "
     "a\n"
     "script, time.perf_counter() first finishes what is pending, so that a difference is "
     "honest.\n"},
    {"mistakes", "errors error messages debug", "Reading a message",
     "    ValueError: cannot combine shapes (3, 4) and (4, 3)  [shape.broadcast]\n"
     "      --> <input 1>:1:13\n"
     "        1 | ones((3, 4)) + ones((4, 3))\n"
     "          | ~~~~~~~~~~~~ ^ ~~~~~~~~~~~~\n"
     "    help: ones((3, 4)) + ones((4, 3)).T gives (3, 4)\n"
     "\n"
     "First what is wrong, then where, with what each side is, then a change that was checked to "
     "fit.\n"
     "The word in brackets is the message's code. Nothing is lost: variables keep their values.\n"},
    {"tests", "test testing expect doctest", "Tests are comments",
     "    print(1 + 1)          # expect: 2\n"
     "    x = ones(3)[7]        # expect error: IndexError\n"
     "\n"
     "gx test file.gx runs it and compares. Transcripts with >>> in .md and .txt files are tests "
     "too,\n"
     "as this page is.\n"},
    {NULL, NULL, NULL, NULL},
};

const gx_help_topic *gx_help_topics(void) {
    return topics;
}

const gx_help_topic *gx_help_find(const char *name) {
    size_t n = strlen(name);
    for (const gx_help_topic *t = topics; t->name; t++) {
        if (strcmp(t->name, name) == 0) return t;
        for (const char *p = t->also; n && (p = strstr(p, name)); p++)
            if ((p == t->also || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return t;
    }
    return NULL;
}
