"""Runs programs of this folder in Python: run_python.py numpy|cupy FILE... [time SIZE [busy]]. With cupy, CuPy
stands where the text says numpy. What fails is told, and the next program is run."""
import os
import sys
import types


def main():
    peer, files = sys.argv[1], [a for a in sys.argv[2:] if a.endswith(".gx")]
    sys.argv = [files[0]] + [a for a in sys.argv[2:] if not a.endswith(".gx")]

    def text(name):
        with open(name) as f:
            return f.read().replace("import numpy as np", f"import {peer} as np")

    program = types.ModuleType("program")
    name = os.path.join(os.path.dirname(os.path.abspath(files[0])), "program.gx")
    exec(compile(text(name), name, "exec"), program.__dict__)
    sys.modules["program"] = program
    for path in files:
        try:
            exec(compile(text(path), path, "exec"), {"__name__": "__main__"})
        except Exception as e:
            if len(files) == 1:
                raise
            shown = str(e).split("\n")[0][:70]
            print(f"{os.path.basename(path)[:-3]}\tfailed: {type(e).__name__} {shown}", flush=True)


if __name__ == "__main__":
    main()
