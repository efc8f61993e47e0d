#!/usr/bin/env python3
"""A client of `gx dap`: client.py GX runs the sessions below in this folder, and prints a tally."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

GX = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
MAIN, SHAPES, ENDLESS, FAILING = (os.path.join(HERE, f"{k}.gx")
                                  for k in ("main", "shapes", "endless", "failing"))
PATIENCE = 60  # seconds: no test waits so long, nor depends on it
tally = [0, 0]


def judge(name, ok, what=None):
    tally[0 if ok else 1] += 1
    if not ok:
        print(f"FAILED: {name}: {json.dumps(what, default=str)[:600]}")


@contextlib.contextmanager
def program_of(text):
    """A file with a program."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.gx")
        with open(path, "w") as f:
            f.write(text)
        yield path


class Session:
    """A gx dap, and all that it has sent."""

    def __init__(self, **initialize):
        self.program = subprocess.Popen([GX, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.queue = queue.Queue()
        self.events = []
        self.seq = self.last = 0
        self.printed = {"stdout": "", "stderr": "", "console": ""}
        self.noise = b""
        threading.Thread(target=self.read, daemon=True).start()
        self.capabilities = self.ask("initialize", adapterID="gx", **initialize)

    def read(self):
        out = self.program.stdout
        while True:
            head = out.readline()
            if not head:
                break
            if not head.startswith(b"Content-Length: "):
                self.noise += head
                continue
            out.readline()
            self.queue.put(json.loads(out.read(int(head.split()[1]))))
        self.queue.put(None)

    def next(self):
        message = self.queue.get(timeout=PATIENCE)
        if message is None:
            raise EOFError("the adapter has ended")
        judge("messages are numbered", message["seq"] == self.last + 1, message)
        self.last = message["seq"]
        if message["type"] == "event":
            self.events.append(message)
            if message["event"] == "output":
                self.printed[message["body"]["category"]] += message["body"]["output"]
        return message

    def raw(self, data):
        self.program.stdin.write(data)
        self.program.stdin.flush()

    def post(self, command, **arguments):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        return self.seq

    def answer(self, seq):
        while True:
            message = self.next()
            if message["type"] == "response" and message["request_seq"] == seq:
                return message

    def ask(self, command, **arguments):
        """The body of an answer, or the message of a refusal."""
        message = self.answer(self.post(command, **arguments))
        return message.get("body", {}) if message["success"] else message["message"]

    def event(self, name, start=0):
        """The next event of a name."""
        while True:
            for i in range(start, len(self.events)):
                if self.events[i]["event"] == name:
                    return self.events.pop(i)["body"]
            self.next()

    def launch(self, program, lines=(), functions=(), filters=("uncaught",), **more):
        launched = self.post("launch", program=program, **more)
        self.event("initialized")
        self.set = [self.ask("setBreakpoints", source={"path": path}, breakpoints=rows)
                    for path, rows in lines]
        self.set_functions = self.ask("setFunctionBreakpoints", breakpoints=list(functions))
        self.ask("setExceptionBreakpoints", filters=list(filters))
        self.ask("configurationDone")
        judge("launch is answered", self.answer(launched)["success"])

    def stopped(self):
        """(reason, line, function) of the next stop."""
        self.stop = self.event("stopped")
        self.frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        return self.stop["reason"], self.frames[0]["line"], self.frames[0]["name"]

    def go(self, command):
        self.ask(command, threadId=1)
        return self.stopped()

    def scope(self, name, frame=0):
        scopes = self.ask("scopes", frameId=self.frames[frame]["id"])["scopes"]
        return next((s["variablesReference"] for s in scopes if s["name"] == name), 0)

    def inside(self, reference, **page):
        rows = self.ask("variables", variablesReference=reference, **page)["variables"]
        return {r["name"]: r for r in rows}

    def value(self, text, context="repl", frame=0):
        answer = self.ask("evaluate", expression=text, context=context, frameId=self.frames[frame]["id"])
        return answer if isinstance(answer, str) else answer["result"]

    def over(self, status):
        judge("exited", self.event("exited")["exitCode"] == status, self.events)
        self.event("terminated")
        self.leave()

    def leave(self):
        self.ask("disconnect")
        judge("disconnect ends the process", self.program.wait(PATIENCE) == 0, self.program.returncode)
        judge("nothing else in the stream", self.noise == b"" and self.program.stderr.read() == b"",
              self.noise)


def stepping():
    s = Session()
    judge("capabilities", s.capabilities["supportsConfigurationDoneRequest"] and
          len(s.capabilities["exceptionBreakpointFilters"]) == 2, s.capabilities)
    s.launch(MAIN, stopOnEntry=True, args=["one", "two"], lines=[(MAIN, [{"line": 23}])])
    judge("verified", s.set[0]["breakpoints"][0] | {"id": 0} == {"id": 0, "verified": True, "line": 23},
          s.set)
    judge("entry", s.stopped() == ("entry", 1, "<module>"), s.stop)
    judge("arguments", s.value("__import__('sys').argv[1:]") == "['one', 'two']")
    judge("threads", s.ask("threads") == {"threads": [{"id": 1, "name": "main"}]})
    judge("a line", s.go("continue") == ("breakpoint", 23, "<module>"), s.stop)
    judge("printed before the stop", s.printed["stdout"] == "begun\n", s.printed)
    judge("into a call", s.go("stepIn") == ("step", 14, "work"), s.frames)
    judge("the next line", s.go("next") == ("step", 15, "work"), s.frames)
    judge("its callers", [(f["name"], f["line"]) for f in s.frames] == [("work", 15), ("<module>", 23)])
    judge("its file", s.frames[0]["source"]["path"] == MAIN, s.frames)
    local = s.inside(s.scope("Locals"))
    judge("locals", local["n"]["value"] == "5" and local["total"]["value"] == "0", local)
    one = s.ask("setVariable", variablesReference=s.scope("Locals"), name="total", value="2**4")
    judge("setVariable", one["value"] == "16" and s.value("total") == "16", one)
    one = s.ask("setVariable", variablesReference=s.scope("Locals"), name="total",
                value="print('once') or 16")
    judge("its value is computed once", s.printed["stdout"].count("once") == 1, s.printed)
    judge("a statement", s.value("total = 100") == "" and s.value("total") == "100")
    judge("the caller's frame", s.value("small.shape", frame=1) == "(4,)")
    judge("out of it", s.go("stepOut") == ("step", 24, "<module>"), s.frames)
    judge("what it gave", s.inside(s.scope("Globals"))["(return) work"]["value"] == "110")
    judge("what was changed", s.value("t") == "110", s.value("t"))
    judge("over a call", s.go("next") == ("step", 25, "<module>") and
          s.go("next") == ("step", 26, "<module>"), s.frames)
    s.ask("continue", threadId=1)
    s.over(0)
    judge("all of the output", s.printed["stdout"] == "begun\nonce\nsum 110 area 6\n", s.printed)


def values():
    s = Session(supportsInvalidatedEvent=True)
    s.launch(MAIN, lines=[(MAIN, [{"line": 25}])])
    s.stopped()
    scope = s.scope("Globals")
    names = s.inside(scope)
    judge("an array", names["a"]["value"].startswith("float64 (3, 4) ") and
          names["a"]["indexedVariables"] == 3, names["a"])
    judge("a small one", names["small"]["value"] ==
          "float64 (4,) array([0., 0.25, 0.375, 0.])", names["small"])
    rows = s.inside(names["a"]["variablesReference"], start=1, count=1)
    judge("a page of rows", list(rows) == ["[1]"], rows)
    row = s.inside(rows["[1]"]["variablesReference"])
    judge("its elements", [r["value"] for r in row.values()] == ["4.0", "5.0", "6.0", "7.0"], row)
    nest = s.inside(names["nest"]["variablesReference"])
    judge("a dict", list(nest) == ["'k'", "'p'"], nest)
    inner = s.inside(nest["'k'"]["variablesReference"])
    pair = s.inside(inner["[1]"]["variablesReference"])
    judge("a tuple in a list", [r["value"] for r in pair.values()] == ["2", "3"], pair)
    point = s.inside(nest["'p'"]["variablesReference"])
    judge("an object", point["x"]["value"] == "3" and point["y"]["value"] == "4", point)
    judge("a long list", names["long"]["indexedVariables"] == 250, names["long"])
    page = s.inside(names["long"]["variablesReference"], start=200, count=50)
    judge("a page", list(page)[:1] == ["[200]"] and len(page) == 50, page)
    for held, name, new, shown in ((row, "[1]", None, None), (names["a"], "[0]", "9", "float64 (4,)"),
                                   (names["nest"], "'k'", "[7]", "[7]"), (nest["'p'"], "x", "6", "6")):
        if new:
            got = s.ask("setVariable", variablesReference=held["variablesReference"], name=name, value=new)
            judge(f"set {name}", got["value"].startswith(shown), got)
    judge("what was set", s.value("(a[0, 3], nest['k'], nest['p'].x)") == "(9.0, [7], 6)",
          s.value("(a[0, 3], nest['k'], nest['p'].x)"))
    got = s.ask("setVariable", variablesReference=inner["[1]"]["variablesReference"], name="[0]", value="1")
    judge("a tuple stays", "cannot be changed" in got, got)
    judge("a hover", s.value("nest['p'].y", "hover") == "4")
    judge("an error", s.value("nosuch + 1", "watch").startswith("NameError: name 'nosuch'"),
          s.value("nosuch + 1", "watch"))
    judge("a statement is no watch", "SyntaxError" in s.value("x = 1", "watch"))
    judge("a frame that is none", "stackTrace" in s.ask("evaluate", expression="1", frameId=99))
    s.value("print('from the console')")
    judge("print at the console", s.printed["stdout"].endswith("from the console\n"), s.printed)
    s.event("invalidated")
    judge("numbers of old stops", s.go("next")[0] == "step" and
          "hold until" in s.ask("variables", variablesReference=scope))
    s.leave()


def breakpoints():
    s = Session()
    s.launch(MAIN, lines=[(MAIN, [{"line": 16, "condition": "i == 3"},
                                  {"line": 16, "logMessage": "i is {i}, {{twice}} {2*i}, {nosuch}"},
                                  {"line": 15, "hitCondition": "x"},
                                  {"line": 14, "condition": "i ="},
                                  {"line": 900}, {"line": 1.5}, {"line": 10**30}]),
                           (SHAPES, [{"line": 1}, {"line": 2}])],
             functions=[{"name": "Point.norm"}, {"name": "area", "hitCondition": "2"}])
    set = s.set[0]["breakpoints"]
    judge("verified or not", [b["verified"] for b in set] == [True, True] + 5 * [False], set)
    judge("why not", "hit condition" in set[2]["message"] and "expression" in set[3]["message"] and
          "no statement" in set[4]["message"], set)
    later = s.set[1]["breakpoints"]
    judge("of a file that comes later", not later[1]["verified"] and "imported" in later[1]["message"],
          later)
    judge("in the file, once it came", s.stopped() == ("breakpoint", 1, "<module>"), s.frames)
    changed = [s.event("breakpoint") for _ in range(2)]
    judge("verified then", all(c["breakpoint"]["verified"] for c in changed) and
          [c["breakpoint"]["id"] for c in changed] == [b["id"] for b in later], changed)
    s.ask("setBreakpoints", source={"path": SHAPES}, breakpoints=[])
    judge("a condition", s.go("continue") == ("breakpoint", 16, "work") and s.value("i") == "3", s.frames)
    judge("log points", s.printed["console"].splitlines()[:2] == [
        "i is 0, {twice} 0, <NameError: name 'nosuch' is not defined>",
        "i is 1, {twice} 2, <NameError: name 'nosuch' is not defined>"], s.printed["console"])
    judge("a function of a class", s.go("continue") == ("function breakpoint", 11, "norm"), s.frames)
    s.ask("continue", threadId=1)
    s.over(0)


def hits():
    s = Session(linesStartAt1=False)
    s.launch(MAIN, lines=[(MAIN, [{"line": 15, "hitCondition": "% 2"}])])
    seen = [(s.stopped(), s.value("i"))]
    seen.append((s.go("continue"), s.value("i")))
    judge("every second hit, lines from 0",
          seen == [(("breakpoint", 15, "work"), "1"), (("breakpoint", 15, "work"), "3")], seen)
    s.leave()
    # A breakpoint inside a call that does not stop leaves `next` where it was.
    s = Session()
    s.launch(MAIN, lines=[(MAIN, [{"line": 23}, {"line": 16, "condition": "False"}])])
    s.stopped()
    judge("over a call with a breakpoint", s.go("next") == ("step", 24, "<module>"), s.frames)
    s.leave()


def running():
    s = Session()
    s.launch(ENDLESS)
    judge("breakpoint()", s.stopped()[0] == "breakpoint", s.stop)
    source = s.frames[0]["source"]
    got = s.ask("source", source=source, sourceReference=source.get("sourceReference", 0))
    judge("the text of exec", "breakpoint()" in got["content"], got)
    judge("the output in order", s.printed["stdout"] ==
          "from the program\nno end of the rowaround gx\nfrom a shell\n", s.printed)
    judge("errors", s.printed["stderr"] == "to the errors\n", s.printed)
    s.ask("continue", threadId=1)
    judge("it runs", "pause it first" in s.ask("stackTrace", threadId=1))
    set = s.ask("setBreakpoints", source={"path": ENDLESS}, breakpoints=[{"line": 11}])
    judge("a breakpoint while it runs", s.stopped() == ("breakpoint", 11, "<module>"), set)
    s.ask("setBreakpoints", source={"path": ENDLESS}, breakpoints=[])
    s.ask("continue", threadId=1)
    judge("pause", s.go("pause")[0] == "pause" and s.value("t > 0") == "True", s.stop)
    judge("what is not known", "does not know" in s.ask("fly"))
    s.ask("continue", threadId=1)
    s.leave()
    s = Session()
    s.launch(ENDLESS)
    s.stopped()
    s.ask("continue", threadId=1)
    s.ask("terminate")
    s.over(0)
    s = Session()
    s.launch(ENDLESS)
    s.stopped()
    s.ask("continue", threadId=1)
    s.program.stdin.close()
    judge("the end of the input ends it", s.program.wait(PATIENCE) == 0)
    # Where no statement comes, and where the program holds on to its life.
    for text in ("import time\nprint('on')\ntime.sleep(1000)\n",
                 "print('on')\nwhile True:\n    try:\n        x = 1\n    except BaseException:\n        x = 2\n"):
        with program_of(text) as path:
            s = Session()
            s.launch(path)
            while "on" not in s.printed["stdout"]:
                s.next()
            s.post("disconnect")
            judge("disconnect ends what does not listen", s.program.wait(PATIENCE) is not None)
    s = Session()
    s.launch(MAIN, stopOnEntry=True)
    s.stopped()
    s.post("evaluate", expression="while True: pass", context="repl", frameId=s.frames[0]["id"])
    s.leave()
    with program_of("x = input()\n") as path:
        s = Session()
        s.launch(path)
        judge("an empty input", s.stopped()[0] == "exception" and "EOFError" in s.stop["text"], s.stop)
        s.leave()


def errors():
    s = Session()
    s.launch(FAILING)
    judge("uncaught", s.stopped() == ("exception", 3, "inner"), s.stop)
    judge("its message", s.stop["text"].startswith("IndexError: list index"), s.stop)
    judge("the message of gx", "IndexError" in s.printed["stderr"], s.printed)
    judge("its frames", s.value("(v, w)") == "(4, 8)" and s.value("caught", frame=1) == "True")
    info = s.ask("exceptionInfo", threadId=1)
    judge("exceptionInfo", info["exceptionId"] == "IndexError", info)
    judge("no step from there", "has ended" in s.ask("next", threadId=1))
    s.ask("continue", threadId=1)
    s.over(1)
    s = Session()
    s.launch(FAILING, filters=["raised"])
    judge("raised and caught", s.stopped() == ("exception", 6, "<module>"), s.frames)
    judge("and not", s.go("continue") == ("exception", 3, "inner"), s.frames)
    s.ask("continue", threadId=1)
    s.over(1)
    s = Session()
    s.launch(FAILING, filters=[])
    s.over(1)


def mistakes():
    s = Session()
    judge("before launch", "launch needs program" in s.ask("launch"))
    judge("no such file", "there is no file" in s.ask("launch", program="/nowhere/x.gx"))
    judge("attach", "launch" in s.ask("attach"))
    s.raw(b"Content-Length: 5\r\n\r\n{no}}")
    s.raw(b"Content-Length: 2\r\n\r\n[]")
    judge("arguments", "protocol" in s.ask("setBreakpoints"))
    early = s.ask("setBreakpoints", source={"path": MAIN, "name": "\ud800"}, breakpoints=[{"line": 1}])
    judge("breakpoints before launch, half a letter", not early["breakpoints"][0]["verified"], early)
    judge("told of", "no JSON" in s.printed["console"] and "object with a seq" in s.printed["console"],
          s.printed)
    s.leave()
    s = Session()
    s.raw(b"Content-Length: x\r\n\r\n")
    try:
        while True:
            s.next()
    except EOFError:
        pass
    judge("a header that is none is told of", "Content-Length" in s.printed["console"], s.printed)
    judge("and ends it", s.program.wait(PATIENCE) == 0)
    with program_of("x = (1\n") as path:
        s = Session()
        got = s.ask("launch", program=path)
        judge("a program that does not compile", "cannot be run" in got and
              "SyntaxError" in s.printed["stderr"], [got, s.printed])
        s.over(1)


for one in (stepping, values, breakpoints, hits, running, errors, mistakes):
    try:
        one()
    except Exception as e:
        judge(f"{one.__name__}: {type(e).__name__}: {e}", False)
        raise
print(f"{tally[0]} passed, {tally[1]} failed")
sys.exit(1 if tally[1] else 0)
