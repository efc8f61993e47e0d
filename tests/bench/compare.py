"""Runs each benchmark of this folder with gx and with Python + NumPy, alternately, and prints how many
times as fast gx is. Both must compute the same first. Called by tools/bench.

compare.py GX [-r ROUNDS] [NAME...]   the comparison; NAME: chains, tiny, … (default: all, and start-up)
compare.py GX --against OTHER …        another gx instead of Python: above 1x the first one is faster
compare.py --python FILE              one file with Python, as gx would run it
"""
import math
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = ["chains", "broadcast", "reductions", "scan", "order", "indexing", "spectra", "matmul",
          "decompositions", "files", "library", "tiny", "scalar"]
SLOW = 0.9
MOST = 4  # times as many rounds, for both sides, while a line is below SLOW: neighbours disturb any one
START = "print(np.arange(6).reshape(2, 3))"


def run_python(path):
    import types
    harness = types.ModuleType("harness")
    with open(os.path.join(HERE, "harness.gx")) as f:
        exec(compile(f.read(), "harness.gx", "exec"), harness.__dict__)
    sys.modules["harness"] = harness
    with open(path) as f:
        exec(compile(f.read(), path, "exec"), {"__name__": "__main__"})


def environment():
    env = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        env.pop(name, None)
    threads = env.get("GX_THREADS") or str(len(os.sched_getaffinity(0)))
    env["GX_THREADS"] = env["OPENBLAS_NUM_THREADS"] = env["OMP_NUM_THREADS"] = threads
    return env


def run(command, env):
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    rows = {}
    for line in done.stdout.splitlines():
        name, value, seconds = line.split("\t")
        rows[name] = (float(value), float(seconds))
    if done.returncode:
        print(f"  failed: {' '.join(command[-2:])}\n{done.stderr.strip()}")
    return rows


def goals(path):
    """(every case, geomean) from the line `# goal: …`."""
    with open(path) as f:
        line = next(x for x in f if x.startswith("# goal:"))
    number = {k: float(v) for k, v in re.findall(r"(every case|geomean) at least ([\d.]+)x", line)}
    return number.get("every case", 0), number.get("geomean", 0)


def unit(seconds):
    for scale, name in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def close(a, b):
    return a == b or abs(a - b) <= 1e-4 * max(abs(a), abs(b))


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


class Report:
    def __init__(self):
        self.missed = []
        self.slow = []  # below SLOW, whatever the goal
        self.wrong = []
        self.means = []

    def line(self, group, name, gx, peer, goal):
        ratio = peer / gx
        mark = "" if ratio >= goal else "  MISSED"
        if mark:
            self.missed.append(f"{group}: {name} {ratio:.2f}x < {goal:g}x")
        if ratio < SLOW:
            self.slow.append(f"{group}: {name} {ratio:.2f}x")
        print(f"  {name:32} {unit(gx):>9} {unit(peer):>9} {ratio:8.2f}x   goal {goal:g}x{mark}", flush=True)
        return ratio

    def group(self, group, ratios, goal):
        mean = geomean(ratios)
        least = min(ratios, default=math.nan)
        self.means.append((group, len(ratios), mean, least))
        print(f"  {'geomean':32} {'':19} {mean:8.2f}x" + (f"   goal {goal:g}x" if goal else ""))
        if goal and mean < goal:
            self.missed.append(f"{group}: geomean {mean:.2f}x < {goal:g}x")

    def summary(self):
        print(f"summary {'cases':>32} {'geomean':>9} {'least':>9}")
        for group, cases, mean, least in self.means:
            print(f"  {group:24} {cases:13} {mean:8.2f}x {least:8.2f}x")
        for title, texts in (("WRONG", self.wrong), ("goals missed", self.missed),
                             (f"below {SLOW:g}x", self.slow)):
            print(f"{title}: {len(texts) or 'none'}")
            for text in texts:
                print("  " + text)


def slower(mine, theirs):
    """Whether each line of both is below SLOW."""
    return [theirs[name][1] / mine[name][1] < SLOW for name in theirs if name in mine]


def compare_group(report, gx, other, group, rounds, env):
    path = os.path.join(HERE, group + ".gx")
    each, mean = goals(path) if not other else (0.98, 0.98)
    print(f"{group:34} {'gx':>9} {'peer':>9} {'peer/gx':>9}")
    mine, theirs = {}, {}
    for turn in range(rounds * MOST):
        if turn >= rounds and not any(slower(mine, theirs)):
            break
        for rows, command in ((mine, [gx, path]),
                              (theirs, [other, path] if other else
                               [sys.executable, __file__, "--python", path])):
            for name, (value, seconds) in run(command, env).items():
                rows[name] = (value, min(seconds, rows.get(name, (0, math.inf))[1]))
    ratios = []
    for name, (value, seconds) in theirs.items():
        if name not in mine or not close(mine[name][0], value):
            got = mine[name][0] if name in mine else "nothing"
            report.wrong.append(f"{group}: {name}: gx {got}, peer {value}")
            print(f"  {name:32} DIFFERS: gx {got}, peer {value}")
        else:
            ratios.append(report.line(group, name, mine[name][1], seconds, each))
    report.group(group, ratios, mean)


def best_start(command, env, times):
    best, output = math.inf, ""
    for _ in range(times):
        start = time.perf_counter()
        output = subprocess.run(command, env=env, capture_output=True, text=True).stdout
        best = min(best, time.perf_counter() - start)
    return best, output


def compare_start(report, gx, other, env):
    print("start-up")
    mine, out = best_start([gx, "-c", "import numpy as np; " + START], env, 60)
    theirs, expected = best_start([other or sys.executable, "-c", "import numpy as np; " + START], env,
                                  60 if other else 8)
    if out != expected:
        report.wrong.append("start-up: gx printed " + repr(out))
    ratio = report.line("start-up", "print one array", mine, theirs, 0.98 if other else 10)
    if mine > 0.010:
        report.missed.append(f"start-up: {unit(mine)} > 10 ms")
    report.means.append(("start-up", 1, ratio, ratio))


def main():
    args = sys.argv[1:]
    if args[0] == "--python":
        return run_python(args[1])
    gx, names, rounds, other = args[0], args[1:], 3, None
    if names[:1] == ["--against"]:
        other, names = names[1], names[2:]
    if names[:1] == ["-r"]:
        rounds, names = int(names[1]), names[2:]
    env, report = environment(), Report()
    if other:
        peer = f"the peer is {other}"
    else:
        import numpy
        peer = f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}"
    print(f"{peer}, {env['GX_THREADS']} threads; "
          f"best of {rounds} alternating rounds, of up to {rounds * MOST} where a line is slow; load {os.getloadavg()[0]:.1f}")
    for group in GROUPS:
        if not names or group in names:
            compare_group(report, gx, other, group, rounds, env)
    if not names or "start" in names:
        compare_start(report, gx, other, env)
    report.summary()
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
