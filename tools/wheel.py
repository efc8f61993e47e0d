"""Makes a wheel of gx: the program, the module of Python's with the Jupyter kernel, for `pip install`.

    tools/wheel [FOLDER]      # builds, and makes dist/gxlang-VERSION-….whl by this file

A wheel is a zip archive with a list of its files; Python's own library suffices to write one. The
module is one file for CPython 3.9 and later (its stable interface). What the wheel may say about
the systems that it runs on is read out of the files: the newest version of glibc's symbols in them.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import zipfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
BIN = ".build/bin/"
PACKAGE = "interp/python/gx"
TIME = (2020, 1, 1, 0, 0, 0)  # the same files give the same wheel


def version():
    text = subprocess.run([BIN + "gx", "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return re.search(r"\d+\.\d+\.\d+", text).group()


def glibc(*files):
    """The newest glibc that a symbol of the files is of."""
    newest = (2, 17)
    for file in files:
        text = subprocess.run(["objdump", "-T", file], stdout=subprocess.PIPE, check=True).stdout.decode()
        found = [tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", text)]
        newest = max([newest] + found)
    return newest


def contents(v):
    """Names in the wheel, what they hold, and whether they can be run."""
    module, program = BIN + "_gx.abi3.so", BIN + "gx"
    info, data = "gxlang-%s.dist-info/" % v, "gxlang-%s.data/" % v

    def of(path):
        with open(path, "rb") as f:
            return f.read()

    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith((".py", ".json")):
            yield "gx/" + name, of(PACKAGE + "/" + name), False
    yield "gx/_gx.abi3.so", of(module), True
    yield data + "scripts/gx", of(program), True
    yield data + "data/share/jupyter/kernels/gx/kernel.json", of(PACKAGE + "/kernel.json"), False
    with open("README.md", encoding="utf-8") as f:
        readme = f.read()
    tag = "cp39-abi3-manylinux_%d_%d_x86_64" % glibc(module, program)
    metadata = """Metadata-Version: 2.1
Name: gxlang
Version: %s
Summary: A small language for numbers: NumPy's arrays with fused expressions, on CPUs and GPUs
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: jupyter
Requires-Dist: ipykernel; extra == "jupyter"
Description-Content-Type: text/markdown

%s""" % (v, readme)
    yield info + "METADATA", metadata.encode(), False
    yield info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: tools/wheel\nRoot-Is-Purelib: false\n"
                           "Tag: %s\n" % tag).encode(), False
    yield info + "LICENSE", of("LICENSE"), False


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "dist"
    v = version()
    files = list(contents(v))
    info = "gxlang-%s.dist-info/" % v
    tag = next(data for name, data, _ in files if name == info + "WHEEL").decode().split("Tag: ")[1].strip()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "gxlang-%s-%s.whl" % (v, tag))
    rows = []
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data, runs in files:
            hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append("%s,sha256=%s,%d" % (name, hashed, len(data)))
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
        entry = zipfile.ZipInfo(info + "RECORD", TIME)
        entry.external_attr = 0o100644 << 16
        z.writestr(entry, "\n".join(rows + [info + "RECORD,,", ""]))
    os.replace(path + ".new", path)
    print("%s: %d bytes" % (path, os.path.getsize(path)))


if __name__ == "__main__":
    main()
