/* Any bytes as a .npy or .npz file, from memory and from a file. Checked: both ways give the same,
   and what was read comes back from a file that gx writes. */
#include "tests/fuzz/context_int.h"

static const char driver[] =
    "import io\n"
    "def again(a):\n"
    "    f = io.BytesIO()\n"
    "    np.save(f, a)\n"
    "    f.seek(0)\n"
    "    b = np.load(f)\n"
    "    assert b.dtype == a.dtype and b.shape == a.shape, 'another kind of array'\n"
    "    assert b.tobytes() == a.tobytes(), 'other elements'\n"
    "    return (str(a.dtype), a.shape, a.tobytes())\n"
    "def read(source):\n"
    "    try:\n"
    "        a = np.load(source)\n"
    "    except AssertionError:\n"
    "        raise\n"
    "    except Exception as e:\n"
    "        return str(type(e))\n"
    "    if isinstance(a, np.ndarray):\n"
    "        return again(a)\n"
    "    out = []\n"
    "    for name in a.files:\n"
    "        try:\n"
    "            b = a[name]\n"
    "        except Exception as e:\n"
    "            out.append((name, str(type(e))))\n"
    "            continue\n"
    "        out.append((name, again(b) if isinstance(b, np.ndarray) else b))\n"
    "    a.close()\n"
    "    return out\n"
    "def check(data, path):\n"
    "    one, two = read(io.BytesIO(data)), read(path)\n"
    "    assert one == two or 'MemoryError' in str(one) + str(two), 'memory and file differ'\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_fuzz_check_file(driver, data, size);
    return 0;
}
