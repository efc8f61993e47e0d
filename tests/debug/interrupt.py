#!/usr/bin/env python3
"""Ctrl-C while `gx debug` runs an endless loop: interrupt.py GX."""

import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
p = subprocess.Popen([sys.argv[1], "debug", "-c", "c", os.path.join(HERE, "endless.gx")],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def wait_for(text):
    """Reads until a row has the text."""
    for row in iter(p.stdout.readline, b""):
        if text in row.decode():
            return
    sys.exit(f"gx debug ended before it printed {text!r}")


wait_for("it runs")
p.send_signal(signal.SIGINT)
p.stdin.write(b"p t > 0\nq\n")
p.stdin.flush()
wait_for("True")
sys.exit(p.wait())
