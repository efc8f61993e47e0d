#!/usr/bin/env python3
"""How long the prompt takes to appear on a terminal: python3 tests/bench/prompt.py GX [TIMES]."""
import os
import pty
import select
import sys
import time


def once(gx):
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(gx, [gx])
    shown = b""
    while b">>> " not in shown and select.select([terminal], [], [], 10)[0]:
        shown += os.read(terminal, 4096)
        if b"\x1b[6n" in shown:  # where is the cursor?
            os.write(terminal, b"\x1b[1;1R")
            shown = shown.replace(b"\x1b[6n", b"")
    seconds = time.perf_counter() - start
    os.write(terminal, b"\x04")
    os.waitpid(child, 0)
    os.close(terminal)
    return seconds


def main():
    gx, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15
    took = sorted(1e3 * once(gx) for _ in range(times))
    print("prompt after %.1f ms, median of %d; best %.1f" % (took[times // 2], times, took[0]))


main()
