"""Times the programs of this folder with gx and with Python, alternately, and prints a Markdown table.
Called by tools/npbench:

table.py GX [-r ROUNDS] [--gpu] [--busy] [--size SIZE] [--limit SECONDS] [--together]
         [NAME...]

--gpu: gx with GX_NUMPY=gpu against CuPy, at the sizes for a GPU. --busy: one thread each, and seconds of the
processor instead of the wall's, which a loaded machine disturbs less. A result that differs is no result. When
--limit seconds are over, the programs that are left are listed and not run. --together: one process a side
runs all programs, after a round of several that only fills the caches of compiled kernels."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GOAL = 1.5


def options(args):
    o = {"rounds": 3, "gpu": False, "busy": False, "together": False, "size": None, "limit": math.inf, "names": []}
    args = list(args)
    while args:
        a = args.pop(0)
        if a == "-r":
            o["rounds"] = int(args.pop(0))
        elif a in ("--gpu", "--busy", "--together"):
            o[a[2:]] = True
        elif a == "--size":
            o["size"] = args.pop(0)
        elif a == "--limit":
            o["limit"] = float(args.pop(0))
        else:
            o["names"].append(a)
    o["size"] = o["size"] or ("gpu" if o["gpu"] else "cpu")
    return o


def environment(gpu, busy):
    env = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        env.pop(name, None)
    threads = "1" if busy else env.get("GX_THREADS") or str(len(os.sched_getaffinity(0)))
    env["GX_THREADS"] = env["OPENBLAS_NUM_THREADS"] = env["OMP_NUM_THREADS"] = threads
    if gpu:
        env["GX_NUMPY"] = "gpu"
    return env


def measure(command, env, limit):
    """(fingerprint, seconds), or a text that says what went wrong."""
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return "took too long"
    parts = done.stdout.strip().split("\n")[-1].split("\t")
    if done.returncode or len(parts) != 3:
        lines = (done.stderr.strip() or "no output").split("\n")
        at = next((x for x in lines if "Error" in x), lines[-1])
        return "failed: " + at.strip()[:70]
    return float(parts[1]), float(parts[2])


def same(a, b):
    return a == b or abs(a - b) <= 1e-4 * max(abs(a), abs(b))


def best(old, new):
    if isinstance(old, str) or new is None:
        return old
    return new if old is None or isinstance(new, str) or new[1] < old[1] else old


def unit(seconds):
    for scale, name in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def cell(r):
    return r if isinstance(r, str) else unit(r[1])


def compare(gx, path, o, env, stop):
    words = [path, "time", o["size"]] + (["busy"] if o["busy"] else [])
    peer = [sys.executable, "-W", "ignore", os.path.join(HERE, "run_python.py"),
            "cupy" if o["gpu"] else "numpy", *words]
    mine = theirs = None
    for _ in range(o["rounds"]):
        left = max(1.0, min(stop - time.time(), 60))
        mine = best(mine, measure([gx, *words], env, left))
        left = max(1.0, min(stop - time.time(), 60))
        theirs = best(theirs, measure(peer, env, left))
        if isinstance(mine, str) or isinstance(theirs, str):
            break
    return mine, theirs


ALL = """import sys
names = sys.argv[1:]
sys.argv = [a for a in sys.argv if a in ("time", "small", "cpu", "gpu", "busy") or a == sys.argv[0]]
"""


def all_of(names):
    """A program in gx that runs those of the names that are given as arguments."""
    text = ALL
    for n in names:
        text += f"""if "{n}" in names:
    try:
        import {n}
    except Exception as e:
        shown = str(e).split(chr(10))[0][:70]
        print("{n}" + chr(9) + "failed: " + type(e).__name__ + " " + shown, flush=True)
"""
    return text


def commands(gx, folder, names, o, size):
    paths = [os.path.join(folder, n + ".gx") for n in names]
    words = ["time", size] + (["busy"] if o["busy"] else [])
    return ([gx, os.path.join(folder, "all.gx"), *words, *names],
            [sys.executable, "-W", "ignore", os.path.join(HERE, "run_python.py"),
             "cupy" if o["gpu"] else "numpy", *paths, *words])


def read_all(command, env, seconds):
    rows = {}
    with tempfile.TemporaryFile("w+") as output:
        try:
            subprocess.run(command, env=env, stdout=output, stderr=subprocess.STDOUT, timeout=max(seconds, 1))
        except subprocess.TimeoutExpired:
            pass
        output.seek(0)
        lines = output.read().split("\n")
    for parts in (x.split("\t") for x in lines):
        if len(parts) == 3:
            rows[parts[0]] = (float(parts[1]), float(parts[2]))
        elif len(parts) == 2 and parts[1].startswith("failed"):
            rows[parts[0]] = parts[1]
    if not rows:
        print("\n".join(lines[-20:]))
    return rows


def together(gx, names, o, env, stop):
    """{name: (mine, theirs)} of one process a side."""
    with tempfile.TemporaryDirectory() as folder:
        for n in [*names, "program"]:
            shutil.copy(os.path.join(HERE, n + ".gx"), folder)
        with open(os.path.join(folder, "all.gx"), "w") as f:
            f.write(all_of(names))
        if o["gpu"]:
            warm = []
            for k in range(8):
                # gx's kernels depend on strides, CuPy's do not
                mine, theirs = (commands(gx, folder, names[k::8], o, x) for x in (o["size"], "small"))
                for command in (mine[0], theirs[1]):
                    warm.append(subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL,
                                                 stderr=subprocess.DEVNULL))
            until = time.time() + (stop - time.time()) * 0.45
            for w in warm:
                try:
                    w.wait(max(until - time.time(), 0.01))
                except subprocess.TimeoutExpired:
                    w.kill()
                    w.wait()
            print(f"caches filled, {stop - time.time():.0f} s left")
        mine, theirs = commands(gx, folder, names, o, o["size"])
        ours = read_all(mine, env, (stop - time.time()) * 0.6)
        print(f"gx has run, {stop - time.time():.0f} s left")
        peers = read_all(theirs, env, stop - time.time())
    return {n: (ours.get(n, "not reached"), peers.get(n, "not reached")) for n in names}


def main():
    gx, o = sys.argv[1], options(sys.argv[2:])
    names = sorted(n[:-3] for n in os.listdir(HERE) if n.endswith(".gx") and n != "program.gx")
    names = [n for n in names if not o["names"] or n in o["names"]]
    if o["together"] and math.isinf(o["limit"]):
        o["limit"] = 600.0
    env, stop = environment(o["gpu"], o["busy"]), time.time() + o["limit"]
    peer, ratios, wrong, left = "CuPy" if o["gpu"] else "NumPy", {}, [], []
    print(f"{env['GX_THREADS']} threads; best of {o['rounds']} alternating rounds; size {o['size']}")
    rows = together(gx, names, o, env, stop) if o["together"] else {}
    print(f"| program | gx | {peer} | {peer} / gx |\n|---|--:|--:|--:|")
    for name in names:
        if time.time() > stop and name not in rows:
            left.append(name)
            continue
        mine, theirs = rows.get(name) or compare(gx, os.path.join(HERE, name + ".gx"), o, env, stop)
        note = ""
        if mine == "not reached":
            left.append(name)
        elif isinstance(mine, str):
            wrong.append(f"{name}: {mine}")
        elif not isinstance(theirs, str):
            if same(mine[0], theirs[0]):
                ratios[name] = theirs[1] / mine[1]
                note = f"{ratios[name]:.2f}"
            else:
                note = "differs"
                wrong.append(f"{name}: {mine[0]} and {theirs[0]}")
        print(f"| {name} | {cell(mine)} | {cell(theirs)} | {note} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios.values())) / max(len(ratios), 1))
    print(f"\n{len(ratios)} compared, geomean {mean:.2f}, least {min(ratios.values(), default=0):.2f}")
    missed = sorted((r, n) for n, r in ratios.items() if r < GOAL)
    for title, texts in ((f"below {GOAL}", [f"{n} {r:.2f}" for r, n in missed]),
                         ("wrong or failed", wrong), ("not run", left)):
        print(f"{title}: {len(texts) or 'none'}" + "".join("\n  " + t for t in texts))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
