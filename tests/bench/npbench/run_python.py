"""Runs a program of this folder in Python: run_python.py numpy|cupy FILE [time SIZE]. With cupy, CuPy stands
where the text says numpy."""
import os
import sys
import types


def main():
    peer, path = sys.argv[1], sys.argv[2]
    sys.argv = sys.argv[2:]

    def text(name):
        with open(name) as f:
            return f.read().replace("import numpy as np", f"import {peer} as np")

    program = types.ModuleType("program")
    name = os.path.join(os.path.dirname(os.path.abspath(path)), "program.gx")
    exec(compile(text(name), name, "exec"), program.__dict__)
    sys.modules["program"] = program
    exec(compile(text(path), path, "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main()
