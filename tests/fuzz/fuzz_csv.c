/* Any bytes as a table for loadtxt, from a file and line by line, with several sets of options.
   Checked: both ways give the same for plain text ("\r" ends the lines of files only, quotes may
   go over lines, and what is not ASCII is UTF-8 in files and Latin-1 in lines), and what was read
   comes back from a text that savetxt wrote. */
#include "tests/fuzz/context_int.h"

static const char driver[] =
    "import io\n"
    "kinds = ({}, {'delimiter': ','}, {'delimiter': ',', 'skiprows': 1, 'ndmin': 2},\n"
    "         {'dtype': int, 'comments': None}, {'dtype': complex, 'max_rows': 3},\n"
    "         {'delimiter': ';', 'usecols': (0, -1), 'unpack': True, 'ndmin': 1},\n"
    "         {'delimiter': '\\t', 'dtype': np.float32, 'comments': ['#', '%%']},\n"
    "         {'dtype': np.uint8, 'delimiter': ','})\n"
    "def read(source, options):\n"
    "    try:\n"
    "        return np.loadtxt(source, **options)\n"
    "    except Exception as e:\n"
    "        return str(type(e))\n"
    "def again(a):\n"
    "    f = io.StringIO()\n"
    "    np.savetxt(f, a)\n"
    "    f.seek(0)\n"
    "    b = np.loadtxt(f)\n"
    "    assert np.array_equal(a.ravel(), b.ravel(), equal_nan=True), 'other numbers'\n"
    "def check(data, path):\n"
    "    for options in kinds:\n"
    "        one, two = read(path, options), read(io.BytesIO(data), options)\n"
    "        if not isinstance(one, str) and one.dtype == np.float64 and one.size:\n"
    "            again(one)\n"
    "        if b'\\r' in data or b'\"' in data or max(data, default=0) > 127:\n"
    "            continue\n"
    "        if isinstance(one, str) or isinstance(two, str):\n"
    "            assert str(one) == str(two), 'lines and file differ'\n"
    "        else:\n"
    "            assert one.tobytes() == two.tobytes(), 'lines and file differ'\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_fuzz_check_file(driver, data, size);
    return 0;
}
