"""The sources as tools/borrowed.py sees them: functions, types, and which of them may run code of a
script."""

import re

# Storage that moves or shrinks, by type: the fields that point to it, the fields that count it.
MOVABLE = {
    "gx_list": ({"items"}, {"count"}),
    "gx_dict": ({"entries", "index"}, {"count", "used", "version"}),
    "gx_named": ({"names", "values"}, {"count"}),
    "gx_deque": ({"ring"}, {"count", "version"}),
    "gx_bytearray": ({"data"}, {"length"}),
    "gx_module": ({"values", "names"}, {"count"}),
}
# Containers whose storage stays as it is while they live: why.
FIXED = {
    "gx_yielder": "the slots of a generator's frame",
    "gx_generator": "the slots of a generator's frame",
    "gx_func": "the places of defaults are made once; calls keep what they take from there",
    "gx_exception": "the places of its fields are made once; str() keeps what is in them",
}
# Slots of types: a class of a script may have any of them.
SLOTS = {
    "repr", "str", "format", "truth", "hash", "compare", "binary", "unary", "inplace", "length",
    "get", "set", "del", "contains", "iter", "next", "attr", "set_attr", "call",
}
# Other calls through pointers that reach code of a script, by the field or variable called.
FIELDS = {"fn", "lookup", "each", "make"}
SEEDS = {
    "gx_last_words": "runs __del__ and finally of what was dropped",
}
# Functions that run no code, though their calls say so: why.
QUIET = {
    "as_arrays": "makes tuples of lists of its own",
    "gx_builtin_defines": "compares names with those of rows and slots",
}
# What they make, where an argument points, is the caller's own.
MAKERS = {
    "gx_list_new", "gx_list_of", "gx_tuple_new", "gx_tuple_take", "gx_tuple_of", "gx_tuple_named",
    "gx_tuple_ints", "gx_dict_new", "gx_set_new", "gx_table_new", "gx_bytearray_new",
}
# What holds its operands from there on.
HOLDERS = {"gx_keep", "gx_hold", "gx_hold2", "begin"}
# Functions that give a pointer into a container: which argument the container is.
GETTERS = {"gx_dict_next": 0, "gx_table_entry": 0, "gx_named_find": 0, "item_at": 0}
# Functions that count a container, by an argument, after all the code that they run.
COUNTERS = {"gx_items_index": 1, "slice_of": 1, "part_of": 1}

TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.]*'
    r"|->|\+\+|--|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\.\.\.|\S"
)
WORD = re.compile(r"[A-Za-z_]\w*$")
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "break",
            "continue", "goto", "sizeof", "struct", "enum", "union", "const", "static", "inline"}


def strip(text):
    """The text without comments and preprocessor lines, its lines where they were."""
    def blank(m):
        s = m.group(0)
        return s if s[0] in "\"'" else re.sub(r"[^\n]", " ", s)
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)
    return text


DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:\\\n|[^\n])*)", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)


def tokens_of(text):
    out, line, at = [], 1, 0
    for m in TOKEN.finditer(text):
        line += text.count("\n", at, m.start())
        at = m.start()
        out.append((m.group(0), line))
    return out


def close_of(t, i, last=None):
    """Where the bracket opened at i ends."""
    depth = 0
    while i < len(t):
        s = t[i][0]
        if s in "([{":
            depth += 1
        elif s in ")]}":
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return len(t) - 1


class Function:
    def __init__(self, file, name, params, body, static, line):
        self.file, self.name, self.params, self.body = file, name, params, body
        self.static, self.line = static, line
        self.key = (file, name) if static and file.endswith(".c") else name


class Program:
    def __init__(self, files):
        self.functions, self.macros, self.structs, self.returns = [], {}, {}, {}
        self.containers = set()
        for file in files:
            with open(file, encoding="utf-8") as f:
                self.read(file, strip(f.read()))
        self.by_key = {f.key: f for f in self.functions}
        self.names = {f.name for f in self.functions}
        self.close()

    def read(self, file, text):
        for m in DEFINE.finditer(text):
            self.macros[m.group(1)] = set(re.findall(r"(\w+)\s*\(", m.group(3)))
        text = DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        t = tokens_of(text)
        for m in re.finditer(r"\bstruct\s+(\w+)\s*\{([^{}]*)\}", text):
            if re.match(r"\s*gx_(container|obj) \w+;", m.group(2)) and re.search(
                    r"\bgx_(value|entry|borrowed) \*", m.group(2)):
                self.containers.add(m.group(1))
            fields = self.structs.setdefault(m.group(1), {})
            for part in m.group(2).split(";"):
                d = re.match(r"\s*(?:const\s+)?(?:struct\s+)?(\w+)\b(.*)", part, re.S)
                if d:
                    for name in re.findall(r"(\w+)(?:\[[^]]*\])?\s*(?:,|$)", d.group(2).strip()):
                        fields[name] = d.group(1)
        for m in re.finditer(r"\b(gx_\w+)\s*\*\s*(\w+)\(", text):
            self.returns[m.group(2)] = m.group(1)
        self.split(file, t)

    def split(self, file, t):
        i, start = 0, 0
        while i < len(t):
            s = t[i][0]
            if s == ";":
                start = i + 1
            elif s == "{":
                end = close_of(t, i)
                if i and t[i - 1][0] == ")":
                    head = t[start:i]
                    depth, k = 0, len(head) - 1
                    while k >= 0:
                        if head[k][0] == ")":
                            depth += 1
                        elif head[k][0] == "(":
                            depth -= 1
                            if depth == 0:
                                break
                        k -= 1
                    if k > 0 and WORD.match(head[k - 1][0]):
                        static = any(h[0] == "static" for h in head[:k])
                        self.functions.append(Function(file, head[k - 1][0], head[k + 1:-1],
                                                       t[i:end + 1], static, head[k - 1][1]))
                i = end
                if not (i + 1 < len(t) and t[i + 1][0] == ";"):
                    start = i + 1
            i += 1

    def calls(self, f):
        """The names a function calls or hands on; '->x' for calls through a pointer."""
        out, t = set(), f.body
        own = {w for w, _ in f.params}
        for i, (s, _) in enumerate(t):
            if not WORD.match(s) or s in KEYWORDS:
                continue
            called = i + 1 < len(t) and t[i + 1][0] == "("
            field = t[i - 1][0] in ("->", ".")
            if field:
                if called and self.reaches(s, [w for w, _ in t[i + 2:i + 6]]):
                    out.add("->" + s)
            elif called or (s in self.names and s not in own and t[i - 1][0] in "(,={?:&"):
                out.add(s)
        return out

    @staticmethod
    def reaches(field, words):
        """Does a call through a pointer reach code of a script? Slots take the context first."""
        return field in FIELDS or (field in SLOTS and "rt" in "".join(words).split(",")[0])

    def resolve(self, file, name):
        return (file, name) if (file, name) in self.by_key else name

    def close(self):
        callers, self.runs = {}, {}
        work = []
        for f in self.functions:
            for name in self.calls(f):
                if name.startswith("->"):
                    if f.key not in self.runs:
                        self.runs[f.key] = name
                        work.append(f.key)
                    continue
                for called in [name, *self.macros.get(name, ())]:
                    callers.setdefault(self.resolve(f.file, called), set()).add(f.key)
        for name in SEEDS:
            self.runs[name] = "seed"
            work.append(name)
        while work:
            key = work.pop()
            for caller in callers.get(key, ()):
                name = caller if isinstance(caller, str) else caller[1]
                if caller not in self.runs and name not in QUIET:
                    self.runs[caller] = key
                    work.append(caller)

    def may_run(self, file, name):
        if self.resolve(file, name) in self.runs:
            return True
        return any(self.resolve(file, n) in self.runs for n in self.macros.get(name, ()))

    def why(self, key):
        out = []
        while key in self.runs and len(out) < 12:
            out.append(key if isinstance(key, str) else key[1])
            key = self.runs[key]
        return " < ".join(out + [str(key)])
