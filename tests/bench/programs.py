"""Runs whole small programs of plain Python (tests/bench/programs/*.gx, each with a main()) under gx
and under CPython by turns, and prints how many times as fast gx is:

    tests/bench/programs.py GX [--rounds 3] [--only WORD] [--against GX]

The least time of a main() counts, of nine in each process; start-up and parsing do not. With
--against the other side is another gx. Both sides must print the same answer."""
import argparse
import glob
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

TIMED = """
def timed_():
    import time
    best = None
    for _ in range(9):
        begun = time.perf_counter()
        answer = main()
        took = time.perf_counter() - begun
        best = took if best is None or took < best else best
    print(best)
    print(answer)
timed_()
"""


def once(command, path):
    """The least time of a main() in one process, and its answer."""
    said = subprocess.run([command, path], capture_output=True, text=True)
    if said.returncode:
        sys.exit("%s %s failed:\n%s" % (command, path, said.stderr[-2000:]))
    took, answer = said.stdout.split("\n", 1)
    return float(took), answer


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("gx")
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--only", default="")
    ask.add_argument("--against", default=sys.executable)
    said = ask.parse_args()
    ratios = []
    for path in sorted(glob.glob(os.path.join(HERE, "programs", "*.gx"))):
        name = os.path.basename(path)[:-3]
        if said.only not in name:
            continue
        least, answers = {}, set()
        with open(path) as program, tempfile.NamedTemporaryFile("w", suffix=".gx") as file:
            file.write(program.read() + TIMED)
            file.flush()
            for _ in range(said.rounds):
                for command in said.gx, said.against:
                    took, answer = once(command, file.name)
                    least[command] = min(took, least.get(command, took))
                    answers.add(answer)
        if len(answers) > 1:
            sys.exit("%s: the answers differ: %s" % (name, answers))
        ratios.append(least[said.against] / least[said.gx])
        print("%6.2fx %8.3f ms %8.3f ms  %s" % (ratios[-1], least[said.gx] * 1e3,
                                               least[said.against] * 1e3, name), flush=True)
    print("%d programs, geomean %.2fx, %d below 1x" % (
        len(ratios), math.exp(sum(map(math.log, ratios)) / len(ratios)),
        sum(r < 1 for r in ratios)))


main()
