"""Times every library function that is written in gx on the example of its docstring, under gx and
under Python, in pairs, and prints those that are below a bound, the slowest first:

    tests/bench/texts.py GX PYTHON [--only WORD] [--below 1.5] [--rounds 2]

Both sides run the same text in one process each, on one thread; what counts is the time of the process,
the least of the rounds, which go by turns. A function that Python has not, or an example that is no
call of it there, is left out; how many were is said."""
import argparse
import ast
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MODULES = {"numpy": "np", "linalg": "np.linalg", "ma": "np.ma", "emath": "np.emath",
           "signal": "scipy.signal", "special": "scipy.special", "windows": "scipy.signal.windows",
           "scipy_linalg": "scipy.linalg", "scipy_fft": "scipy.fft", "ndimage": "scipy.ndimage"}
HEAD = """import time
import warnings
import numpy as np
import scipy.signal, scipy.special, scipy.linalg, scipy.fft, scipy.ndimage
import scipy.signal.windows
warnings.simplefilter("ignore")


def look(r):
    if isinstance(r, (tuple, list)):
        for v in r:
            look(v)
    elif hasattr(r, "dtype") and r.ndim:
        r[(0,) * r.ndim] if r.size else 0


def clock(name, f):
    try:
        look(f())
    except Exception as e:
        print(name, "fails", str(e)[:60].replace("\\n", " "), flush=True)
        return
    n = 1
    while True:
        start = time.process_time()
        for _ in range(n):
            look(f())
        took = time.process_time() - start
        if took > 0.002 or n > 20000:
            break
        n = n * 4
    for _ in range(3):
        start = time.process_time()
        for _ in range(n):
            look(f())
        took = min(took, time.process_time() - start)
    print(name, "took", took / n, flush=True)


"""


class Qualified(ast.NodeTransformer):
    """Bare names of functions become those of modules."""

    def __init__(self, module, own):
        self.module, self.own = module, own

    def visit_Name(self, node):
        if node.id in self.own:
            return ast.parse(f"{self.module}.{node.id}", mode="eval").body
        if node.id in PLAIN:
            return ast.parse(f"np.{node.id}", mode="eval").body
        return node


PLAIN = set("array arange ones zeros eye linspace full pi inf nan float32 float64 int64 exp sin cos sqrt "
            "meshgrid asarray identity diag random where stack isnan sort".split())


def examples(path):
    """(module, function, expression) of a text."""
    text = open(path).read()
    group = re.search(r"^# group: (\w+)", text, re.M)
    module = MODULES.get(group.group(1)) if group else None
    if not module:
        return
    own = set(re.findall(r"^def (\w+)\(", text, re.M))
    for name, doc in re.findall(r'^def ([a-z]\w*)\(.*?\):\n    """(.*?)"""', text, re.M | re.S):
        calls = re.findall(r"^ *>>> (.*)$", doc, re.M)
        if calls:
            try:
                tree = ast.parse(calls[0].strip(), mode="eval")
            except SyntaxError:
                continue
            tree = ast.fix_missing_locations(Qualified(module, own).visit(tree))
            yield module, name, ast.unparse(tree)


def run(command, lines):
    body = "".join(f"clock('{m}.{f}', lambda: {text})\n" for m, f, text in lines)
    with tempfile.NamedTemporaryFile("w", suffix=".gx") as script:
        script.write(HEAD + body)
        script.flush()
        env = dict(os.environ, GX_DEVICE="cpu", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", GX_THREADS="1")
        said = subprocess.run([command, script.name], env=env, capture_output=True, text=True)
    if said.returncode:
        print(said.stderr[-400:], file=sys.stderr)
    times = {}
    for line in said.stdout.splitlines():
        part = line.split(None, 2)
        if len(part) == 3 and part[1] == "took":
            times[part[0]] = float(part[2])
    return times


def main():
    a = argparse.ArgumentParser()
    a.add_argument("gx")
    a.add_argument("python")
    a.add_argument("--only", default="")
    a.add_argument("--below", type=float, default=1.5)
    a.add_argument("--rounds", type=int, default=2)
    a = a.parse_args()
    lines = []
    for path in sorted(glob.glob(os.path.join(ROOT, "stdlib", "**", "*.gx"), recursive=True)):
        lines += [l for l in examples(path) if a.only in f"{l[0]}.{l[1]}"]
    best = ({}, {})
    for _ in range(a.rounds):
        for side, command in enumerate((a.gx, a.python)):
            for name, took in run(command, lines).items():
                best[side][name] = min(took, best[side].get(name, took))
    both = sorted(((best[1][n] / best[0][n], n) for n in best[0] if n in best[1]))
    texts = {f"{m}.{f}": text for m, f, text in lines}
    for ratio, name in both:
        if ratio < a.below:
            print(f"{ratio:6.2f}x  {best[0][name] * 1e6:9.2f} us  {name:34} {texts[name][:70]}")
    print(f"{len(both)} functions compared, {sum(r < a.below for r, _ in both)} below {a.below}x; "
          f"left out, since one side does not run them: {len(lines) - len(both)}")


main()
