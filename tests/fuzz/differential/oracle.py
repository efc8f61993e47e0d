"""The oracle's side: reads batches of programs, a JSON list of texts a line, and answers each with a
line, its output as JSON. It runs in the Python that has NumPy and SciPy; MODE is numpy or python.
With try for MODE it reads [FRESH, STATEMENT] and answers whether the statement runs."""
import ast
import contextlib
import dis
import io
import json
import linecache
import os
import re
import resource
import signal
import sys
import warnings

ACCIDENT = " by accident"
STUMBLE = " by a stumble"  # of NumPy's or pybind11's own, which says nothing of the library's rules
OWN = ("truth value of an array", "zero-size array to reduction", "setting an array element with a sequence",
       "Unable to cast Python instance")
CAST = "!~ cast\n"  # behind an answer: some cast was of nan, or of a number that the type does not have
LIMITS = {"python": 1, "numpy": 3, "try": 3}  # seconds of the processor, a program


class Late(BaseException):
    happened = False


def late(*_):
    Late.happened = True
    raise Late()


def answer(answers, text):
    answers.write(json.dumps(text) + "\n")
    answers.flush()


class Casts:
    """What NumPy would warn of, among it casts whose result C leaves to the processor."""
    seen = False

    @classmethod
    def write(cls, message):
        cls.seen = cls.seen or "encountered in cast" in message


def watch_casts(numpy, text):
    Casts.seen = False
    if "err" not in text:  # programs about seterr find what settle() has set
        numpy.seterrcall(Casts)
        numpy.seterr(invalid="log")


class Apart(ast.NodeTransformer):
    """x[k] = v stores a copy of v: through masks and index arrays NumPy reads v while it writes x."""

    def visit_Assign(self, node):
        to = node.targets[0]
        if isinstance(to, ast.Subscript) and isinstance(to.value, ast.Name) and not isinstance(node.value, ast.Constant):
            base = ast.Name(to.value.id, ast.Load())
            node.value = ast.Call(ast.Name("_apart", ast.Load()), [node.value, base], [])
        return node


def parse(text, mode):
    tree = ast.parse(text)
    return ast.fix_missing_locations(Apart().visit(tree)) if mode == "numpy" else tree


def try_statements(head, answers):
    first = {"__name__": "__main__"}
    exec(compile(head, "head", "exec"), first)
    world = {}
    for line in sys.stdin:
        fresh, statement = json.loads(line)
        if fresh:
            world = dict(first)
        signal.setitimer(signal.ITIMER_PROF, LIMITS["try"])
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(statement, world)
            said = True
        except (Exception, Late):
            said = False
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        answer(answers, said)


def accident(error):
    """Does an exception come from the middle of the library's Python code, from no check of its own?
    Checks are its raise statements, its calls of operator.index and what it says of axes."""
    last = error.__traceback__
    while last.tb_next:
        last = last.tb_next
    code, at = last.tb_frame.f_code, last.tb_lasti
    if not re.search(r"/(numpy|scipy)/", code.co_filename) or type(error).__name__ == "AxisError":
        return False
    line = linecache.getline(code.co_filename, last.tb_lineno)
    return code.co_code[at] not in RAISES and not re.search(r"operator\.index\(|_nonneg_int", line)


RAISES = {dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"]}


def how(error):
    if not accident(error):
        return ""
    return STUMBLE if any(own in str(error) for own in OWN) else ACCIDENT


def main():
    mode, head = sys.argv[1], open(sys.argv[2]).read()
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGPROF, late)
    if mode == "try":
        return try_statements(head, answers)
    world = {"__name__": "__main__"}
    exec(compile(head, "head", "exec"), world)
    kind, settle = world["kind"], world["settle"]
    numpy = world.get("np")
    world["_apart"] = lambda v, x: v.copy() if isinstance(v, numpy.ndarray) and isinstance(x, numpy.ndarray) else v
    for line in sys.stdin:
        for text in json.loads(line):
            said = io.StringIO()
            try:
                code = compile(parse(text, mode), "program", "exec")
            except (SyntaxError, ValueError) as e:
                answer(answers, "!! %s" % type(e).__name__)
                continue
            Late.happened = False
            signal.setitimer(signal.ITIMER_PROF, LIMITS[mode])
            try:
                with contextlib.redirect_stdout(said):
                    settle()
                    if mode == "numpy":
                        watch_casts(numpy, text)
                    try:
                        exec(code, world)
                        world["program"]()
                    except Exception as e:
                        print("!", kind(e) + (how(e) if mode == "numpy" else ""))
                signal.setitimer(signal.ITIMER_PROF, 0)
                cast = CAST if mode == "numpy" and Casts.seen else ""
                answer(answers, "!! late" if Late.happened else said.getvalue() + cast)
            except Late:
                answer(answers, "!! late")
            except RecursionError:
                answer(answers, said.getvalue() + "! RecursionError\n")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if sys.exception() is not None:  # a suspended generator of the program left it behind
                answer(answers, None)
                return


main()
