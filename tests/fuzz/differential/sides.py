"""Runs programs by gx and by the oracle. A program is a list of statements; both sides run the same
text: a function of these statements, called inside try."""
import json
import os
import resource
import select
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY = 2 << 30  # of a program's values, on either side


BUSY = 30  # times as long by the clock: other work may have the processor
LONGEST = 10  # seconds of the processor, of an oracle that does not notice its own limit
LATE = -signal.SIGXCPU


def bounded(seconds, memory=True):
    """Before gx starts: its processor time is bounded, and what GX_MAX_MEMORY does not count (but for
    AddressSanitizer's own tables)."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if memory:
        resource.setrlimit(resource.RLIMIT_DATA, (2 * MEMORY, 2 * MEMORY))



def text_of(program):
    lines = ["def program():"]
    for statement in program:
        lines += ["    " + line for line in statement.split("\n")]
    return "\n".join(lines) + "\n"


class Helper:
    """A Python process that stays; one that dies is started again."""

    def __init__(self, python, task, mode, seed=0):
        self.seed = seed  # of the hashes of texts
        self.command = [python, os.path.join(HERE, "oracle.py"), task, head_path(mode)]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, bufsize=0,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env=dict(os.environ, OPENBLAS_NUM_THREADS="1",
                                                 PYTHONHASHSEED=str(self.seed)))

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def spent(self):
        """Seconds of the processor that it has used; 0 where the system does not say."""
        try:
            fields = open("/proc/%d/stat" % self.process.pid).read().rsplit(")", 1)[1].split()
        except OSError:
            return 0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def line(self, limit):
        """The next line of its answers; None when it has ended or takes too long: `limit` seconds of
        the processor, or BUSY times as many by the clock."""
        start, begun = self.spent(), time.monotonic()
        while time.monotonic() - begun < limit * BUSY and self.spent() - start < limit:
            if select.select([self.process.stdout], [], [], 0.5)[0]:
                return self.process.stdout.readline()
        return None

    def send(self, question):
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.close()
            return False
        return True


class Trial(Helper):
    """Says whether statements run, one after the other in the same world."""

    def __init__(self, python, mode):
        super().__init__(python, "try", mode)

    def runs(self, statement, fresh=False):
        """fresh: in a new world. A statement that ends the process does not run, nor do those that
        follow it in that world."""
        if not self.process:
            if not fresh:
                return False
            self.start()
        line = self.send([fresh, statement]) and self.line(LONGEST)
        if not line:
            self.close()
            return False
        return json.loads(line)


class Oracle(Helper):
    def __init__(self, python, mode, seed=0):
        super().__init__(python, mode, mode, seed)

    def answers(self, programs):
        """A program in C code cannot be interrupted: it is answered by an end of the process."""
        answers = []
        while len(answers) < len(programs):
            if not self.process:
                self.start()
            if not self.send([text_of(p) for p in programs[len(answers):]]):
                continue
            while len(answers) < len(programs):
                line = self.line(LONGEST)
                if not line:
                    self.close()
                    answers.append("!! the oracle ended")
                    break
                said = json.loads(line)
                if said is None:  # it wants to start afresh
                    self.close()
                    break
                answers.append(said)
        return answers


def table_path(mode):
    folder = "numpy" if mode == "numpy" else os.path.join("lang", "drawn")
    return os.path.join(HERE, "..", "..", folder, "drawn.cases")


def head_path(mode):
    """programs.gx, beside the table of drawn programs: what both sides and the tests run first."""
    return os.path.join(os.path.dirname(table_path(mode)), "programs.gx")


# What gx says of values that are no numbers, and of integers beyond 64 bits: NumPy makes objects of them.
LEFT_OUT = """
def left_out(e):
    objects = e.code == 'array.element' or (
        e.code in ('dtype.range', 'number.overflow') and str(e).endswith(('out of bounds for int64', 'to C long')))
    return ' left out' if objects else ''
"""


class Gx:
    """A fresh gx for each batch; what ends it early is found by the mark before each program."""
    MARK = "\x01"

    def __init__(self, path, mode, limit=5):
        self.path, self.limit, self.mode = path, limit, mode
        self.head = open(head_path(mode)).read()
        self.slow = "asan" in path

    def run(self, programs):
        """The outputs of the programs up to the first that ended gx: (outputs, how it ended)."""
        parts = [self.head, LEFT_OUT]
        for i, program in enumerate(programs):
            parts.append(text_of(program).replace("def program", "def program_%d" % i, 1))
        parts.append("def run_all():")
        for i in range(len(programs)):
            parts.append("    print('\\x01', flush=True)\n    settle()\n    try:\n"
                         "        program_%d()\n    except Exception as e:\n"
                         "        print('!', kind(e) + left_out(e))" % i)
        parts.append("run_all()\nprint('\\x01', flush=True)\n")
        with tempfile.NamedTemporaryFile("w", suffix=".gx") as script:
            script.write("\n".join(parts))
            script.flush()
            env = dict(os.environ, GX_MAX_MEMORY=str(MEMORY), PYTHONHASHSEED="0",
                       ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=0")
            env.pop("GX_ORACLE", None)
            limit = self.limit * (10 if self.slow else 1)
            process = subprocess.Popen([self.path, script.name], env=env, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       preexec_fn=lambda: bounded(limit, not self.slow))
            try:
                out, err = process.communicate(timeout=limit * BUSY)
                how = "late" if process.returncode == LATE else process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                how = "late"
        out, err = out.decode(errors="replace"), err.decode(errors="replace")
        marks = out.split(self.MARK + "\n")[1:]
        complete = len(marks) == len(programs) + 1 and how == 0
        if complete and "runtime error:" not in err:
            return marks[:-1], None, err
        if complete:
            how = "undefined behaviour"
        return marks, how, err

    def answers(self, programs):
        answers, at = [], 0
        while at < len(programs):
            rest = programs[at:]
            marks, how, err = self.run(rest)
            if how is None:
                return answers + marks
            if not marks:  # not one program ran: the text was refused, or the head ended it
                if len(rest) == 1:
                    return answers + ["!! refused: " + err.strip()[:300]]
                half = len(rest) // 2
                return answers + self.answers(rest[:half]) + self.answers(rest[half:])
            if how == "undefined behaviour":
                if len(rest) == 1:
                    return answers + ["!! ended: undefined behaviour " + self.last_words(err)]
                half = len(rest) // 2
                return answers + self.answers(rest[:half]) + self.answers(rest[half:])
            marks = marks[:len(rest)]
            said = marks[-1]
            answers += marks[:-1] + [said + "!! ended: %s %s" % (how, self.last_words(err))]
            at += len(marks)
        return answers

    @staticmethod
    def last_words(err):
        lines = [line for line in err.split("\n") if "SUMMARY" in line or "runtime error" in line]
        return (lines or err.strip().split("\n"))[-1][:200]
