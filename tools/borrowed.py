"""Finds what C code reads out of a container and uses after code of a script may have changed it.

    python3 tools/borrowed.py PLANTED ALLOW FILE…

A list, dict, deque or bytearray of a script can grow, shrink or be emptied by any special method
that the C code calls. A pointer into its storage is then wild, a count of it is wrong, and an item
read from it without gx_keep may be freed. The rules, followed through every function:

  pointer  storage taken before a call that may run a script's code is read after it, or is handed
           to a function that runs code and reads it afterwards
  index    after such a call an item is read by index, and the count was not read again
  item     an item taken before such a call, neither kept nor in a tuple, is used after it, or is
           handed to a function that runs code and uses it afterwards

Which functions run code follows from the calls: SLOTS and SEEDS, then all that calls those. Loops
are walked twice, branches apart. A container that the function itself has made is its own: no
script knows it. Tuples never change.

Each line of ALLOW, `file function: why it is safe`, must match a finding. In PLANTED each function
is found by the rule that its name begins with, and none whose name begins with sound_. What the
rules do not see: containers reached through two variables that the function did not alias itself,
and items that a callee keeps in a struct.
"""

import re
import sys

from borrowed_calls import (COUNTERS, FIELDS, FIXED, GETTERS, HOLDERS, KEYWORDS, MAKERS, MOVABLE,
                            QUIET, SEEDS, WORD, Program, close_of)


class Track:
    """A variable that stands for something in a container."""
    __slots__ = ("kind", "key", "stale")

    def __init__(self, kind, key, stale=None):
        self.kind, self.key, self.stale = kind, key, stale

    def __eq__(self, other):
        return (self.kind, self.key, self.stale) == (other.kind, other.key, other.stale)


class State:
    def __init__(self):
        self.vars, self.own, self.ran = {}, set(), {}
        # ran: container -> the call after which nobody has counted it; "": any other container
        self.dead = False

    def copy(self):
        s = State()
        s.vars = {k: Track(v.kind, v.key, v.stale) for k, v in self.vars.items()}
        s.own, s.ran, s.dead = set(self.own), dict(self.ran), self.dead
        return s

    def join(self, o):
        if o.dead:
            return self
        if self.dead:
            return o.copy()
        s = self.copy()
        for k, v in o.vars.items():
            if k not in s.vars or (v.stale and not s.vars[k].stale):
                s.vars[k] = Track(v.kind, v.key, v.stale)
        s.own &= o.own
        for k in set(s.ran) | set(o.ran):
            a, b = s.ran.get(k, s.ran.get("")), o.ran.get(k, o.ran.get(""))
            s.ran[k] = a or b
        return s


class Walk:
    """One function, its statements in the order in which they run."""

    def __init__(self, program, f, needs):
        self.p, self.f, self.needs = program, f, needs
        self.t = f.body
        self.types, self.alias, self.pointers = {}, {}, set()
        self.found, self.labels, self.reads_after = {}, {}, set()
        self.declare()

    def declare(self):
        for seq in (self.f.params, self.t):
            for i, (s, _) in enumerate(seq):
                if s.startswith("gx_") and i + 1 < len(seq):
                    j, stars = i + 1, 0
                    while j < len(seq) and seq[j][0] in ("*", "const"):
                        stars += seq[j][0] == "*"
                        j += 1
                    while j < len(seq) and WORD.match(seq[j][0]):
                        self.types.setdefault(seq[j][0], (s, stars))
                        if seq is self.f.params or j + 1 >= len(seq) or seq[j + 1][0] != ",":
                            break
                        j += 2
                        stars = 0
                        while j < len(seq) and seq[j][0] == "*":
                            stars += 1
                            j += 1
        self.parameters = []
        depth, part = 0, []
        for tok in self.f.params + [(",", 0)]:
            depth += (tok[0] in "([") - (tok[0] in ")]")
            if tok[0] == "," and depth == 0:
                names = [w for w, _ in part if WORD.match(w)]
                self.parameters.append((names[-1] if names else "", [w for w, _ in part]))
                part = []
            else:
                part.append(tok)

    # --- statements ---------------------------------------------------------------------------
    def run(self):
        self.state = State()
        for i, (name, words) in enumerate(self.parameters):
            stars = words.count("*")
            kind = next((w for w in words if w in ("gx_value", "gx_borrowed", "gx_entry")), None)
            out = name in ("out",) or ("const" not in words and kind == "gx_value")
            if stars == 0 and kind in ("gx_borrowed",):
                self.state.vars[name] = Track("vparam", "(%d)" % i)
            if stars == 1 and kind and not out:
                self.state.vars[name] = Track("param", "(%d)" % i)
        self.breaks, self.continues = [], []
        self.block(0, len(self.t) - 1)
        return self.found

    def block(self, i, end):
        i += 1
        while i < end:
            i = self.statement(i)

    def end_of(self, i):
        """The `;` that ends the statement without a block at i."""
        depth = 0
        while i < len(self.t):
            s = self.t[i][0]
            depth += (s in "([{") - (s in ")]}")
            if s == ";" and depth == 0:
                return i
            if depth < 0:
                return i
            i += 1
        return i

    def skip(self, i):
        """Where the statement at i ends, not walked."""
        s = self.t[i][0]
        if s == "{":
            return close_of(self.t, i) + 1
        if s in ("if", "for", "while", "switch"):
            j = close_of(self.t, self.next_open(i)) + 1
            j = self.skip(j)
            if s == "if" and j < len(self.t) and self.t[j][0] == "else":
                j = self.skip(j + 1)
            return j
        if s == "do":
            return self.end_of(self.skip(i + 1)) + 1
        if s == "else":
            return self.skip(i + 1)
        return self.end_of(i) + 1

    def next_open(self, i):
        while self.t[i][0] != "(":
            i += 1
        return i

    def statement(self, i):
        t, s = self.t, self.t[i][0]
        if s == "{":
            end = close_of(t, i)
            self.block(i, end)
            return end + 1
        if s == "if":
            a = self.next_open(i)
            b = close_of(t, a)
            self.expression(a + 1, b)
            yes, no = self.state.copy(), self.state.copy()
            self.learn(a + 1, b, yes, no)
            self.state = yes
            j = self.statement(b + 1)
            yes = self.state
            self.state = no
            if j < len(t) and t[j][0] == "else":
                j = self.statement(j + 1)
            self.state = yes.join(self.state)
            return j
        if s in ("for", "while"):
            return self.loop(i)
        if s == "do":
            outer = self.breaks, self.continues
            end = self.skip(i + 1)
            stop = self.end_of(end)
            for _ in (0, 1):
                self.breaks, self.continues = [], []
                before = self.state.copy()
                self.statement(i + 1)
                for c in self.continues:
                    self.state = self.state.join(c)
                self.expression(end + 1, stop)
                after = self.state
                self.state = before.join(after) if _ == 0 else after
                last = self.breaks
            for b in last:
                self.state = self.state.join(b)
            self.breaks, self.continues = outer
            return stop + 1
        if s == "switch":
            a = self.next_open(i)
            b = close_of(t, a)
            self.expression(a + 1, b)
            outer, self.breaks = self.breaks, []
            enter, self.state = self.state.copy(), self.state.copy()
            self.state.dead = True
            end, j, default = close_of(t, b + 1), b + 2, False
            while j < end:
                if t[j][0] in ("case", "default"):
                    default = default or t[j][0] == "default"
                    while t[j][0] != ":":
                        j += 1
                    j += 1
                    self.state = self.state.join(enter)
                    continue
                j = self.statement(j)
            if not default:
                self.state = self.state.join(enter)
            for x in self.breaks:
                self.state = self.state.join(x)
            self.breaks = outer
            return end + 1
        if s in ("case", "default"):
            while t[i][0] != ":":
                i += 1
            return i + 1
        end = self.end_of(i)
        if s == "return":
            self.expression(i + 1, end)
            self.state.dead = True
        elif s == "break":
            self.breaks.append(self.state.copy())
            self.state.dead = True
        elif s == "continue":
            self.continues.append(self.state.copy())
            self.state.dead = True
        elif s == "goto":
            self.labels.setdefault(t[i + 1][0], []).append(self.state.copy())
            self.state.dead = True
        elif WORD.match(s) and t[i + 1][0] == ":" and s not in KEYWORDS:
            for x in self.labels.get(s, []):
                self.state = self.state.join(x)
            return i + 2
        else:
            self.expression(i, end)
        return end + 1

    def loop(self, i):
        t = self.t
        a = self.next_open(i)
        b = close_of(t, a)
        if t[i][0] == "for":
            first = self.end_of(a + 1)
            second = self.end_of(first + 1)
            self.expression(a + 1, first)
            cond, step = (first + 1, second), (second + 1, b)
        else:
            cond, step = (a + 1, b), (b, b)
        outer = self.breaks, self.continues
        self.expression(*cond)
        leaves = [self.state.copy()] if cond[0] < cond[1] else []
        for _ in (0, 1):
            self.breaks, self.continues = [], []
            j = self.statement(b + 1)
            for c in self.continues:
                self.state = self.state.join(c)
            self.expression(*step)
            self.expression(*cond)
            if cond[0] < cond[1]:
                leaves.append(self.state.copy())
            leaves += self.breaks
        self.state.dead = True
        for x in leaves:
            self.state = self.state.join(x)
        self.breaks, self.continues = outer
        return j

    def learn(self, a, b, yes, no):
        """What `v.tag == GX_TUPLE` and `v.tag != GX_LIST` say of v in the branches."""
        words = [w for w, _ in self.t[a:b]]
        text = " ".join(words)
        simple = "&&" not in words and "||" not in words
        for m in re.finditer(r"([\w.>\[\] -]+?) \. tag (==|!=) GX_(TUPLE|LIST|DICT|SET)\b", text):
            key = m.group(1).split(" (")[-1].strip().replace(" ", "")
            same = m.group(2) == "=="
            if m.group(3) == "TUPLE":
                if same and "||" not in words:
                    yes.own.add(key)
                if not same and "&&" not in words:
                    no.own.add(key)

    # --- expressions --------------------------------------------------------------------------
    def expression(self, i, end):
        """Walks what stands in [i, end): what its parts stand for, as a list of (kind, key)."""
        t, out, first = self.t, [], i
        while i < end:
            s = t[i][0]
            if s == "?":
                depth, j = 0, i + 1
                nested = 0
                while j < end:
                    w = t[j][0]
                    depth += (w in "([{") - (w in ")]}")
                    if depth == 0 and w == "?":
                        nested += 1
                    if depth == 0 and w == ":":
                        if nested == 0:
                            break
                        nested -= 1
                    if depth == 0 and w == "," :
                        break
                    j += 1
                depth, k = 0, j + 1
                while k < end:
                    w = t[k][0]
                    depth += (w in "([{") - (w in ")]}")
                    if depth == 0 and w == ",":
                        break
                    k += 1
                before = self.state.copy()
                m = re.search(r"([\w.>\[\]-]+)\.tag==GX_TUPLE(?:&&[^|]*)?$", self.text(first, i))
                if m:
                    self.state.own.add(m.group(1))
                out += self.expression(i + 1, j)
                if m:
                    self.state.own.discard(m.group(1))
                one, self.state = self.state, before
                out += self.expression(j + 1, min(k, end))
                self.state = one.join(self.state)
                i = k
            elif s == "{" or s == "[":
                e = close_of(t, i)
                out += self.expression(i + 1, e)
                i = e + 1
            elif s == "(" :
                e = close_of(t, i)
                inner = [w for w, _ in t[i + 1:e]]
                if inner and all(w == "*" or w == "const" or WORD.match(w) for w in inner) and \
                        inner[-1] == "*" and e + 1 < end and (WORD.match(t[e + 1][0]) or
                                                               t[e + 1][0] in "(&*"):
                    i = e + 1  # a cast
                    continue
                i = self.chain(i, end, out)
            elif WORD.match(s) and s not in KEYWORDS:
                i = self.chain(i, end, out)
            elif s == "sizeof":
                i = close_of(t, i + 1) + 1 if t[i + 1][0] == "(" else i + 2
            else:
                i += 1
        return out

    def text(self, i, j):
        return "".join(w for w, _ in self.t[i:j])

    def named(self, key):
        return self.alias.get(key, key)

    def chain(self, i, end, out):
        """A name or bracket with all that hangs on it: calls, fields, indices."""
        t = self.t
        start, kind = i, None
        prefix = t[i - 1][0] if i else ""
        line = t[i][1]
        if t[i][0] == "(":
            e = close_of(t, i)
            sub = self.expression(i + 1, e)
            kind = next((x for x in sub if x[0] in ("ptr", "item")), None)
            key, typ = self.text(i, e + 1), None
            m = [w for w, _ in t[i + 1:e]]
            # ((gx_list *)v.obj)
            if len(m) > 4 and m[0] == "(" and m[1].startswith("gx_") and m[2] == "*":
                typ, key = m[1], "".join(m[4:]).removesuffix(".obj")
            name = None
            i = e + 1
        else:
            name = t[i][0]
            key = self.named(name)
            typ = self.types.get(name, (None, 0))[0]
            i += 1
            if i < end and t[i][0] == "(" and name not in self.types:
                return self.chained(*self.call(i, name, None, line), end, out, prefix, line, start)
            before = t[start - 2][0] if prefix == "*" and start > 1 else prefix
            if WORD.match(before) and before not in KEYWORDS:
                self.state.vars.pop(name, None)  # a declaration
            elif not (i < end and t[i][0] == "="):
                self.use(name, line, prefix, i < end and t[i][0] in ("[", "->", "."))
            v = self.state.vars.get(name)
            if v and v.kind in ("ptr", "param"):
                kind = (v.kind if v.kind == "ptr" else "param", v.key)
            elif v:
                kind = (v.kind, v.key)
        return self.chained(i, key, typ, kind, end, out, prefix, line, start, name)

    def chained(self, i, key, typ, kind, end, out, prefix, line, start, name=None):
        t = self.t
        plain = name
        while i < end:
            s = t[i][0]
            if s in ("->", "."):
                field = t[i + 1][0]
                i += 2
                if i < end and t[i][0] == "(" and s == "->" or (
                        i < end and t[i][0] == "(" and field in FIELDS):
                    i, key, typ, kind = self.call(i, field, key, line)
                    plain = None
                    continue
                plain = None
                if typ in MOVABLE:
                    pointers, counts = MOVABLE[typ]
                    if field in counts:
                        self.counted(key)
                        kind = ("count", key)
                        typ = None
                        continue
                    if field in pointers and key not in self.state.own:
                        kind = ("ptr", key)
                        self.pointed = True
                        if i < end and t[i][0] == "[":
                            self.indexed(key, line)
                        typ = None
                        continue
                if kind and kind[0] == "ptr" and field in ("key", "value"):
                    kind = ("item", kind[1])
                elif kind and kind[0] == "ptr":
                    kind = None
                elif kind and kind[0] == "item":
                    kind = None if field != "obj" else kind
                else:
                    kind = None
                typ = self.p.structs.get(typ, {}).get(field)
                key = key if field == "obj" else key + s + field
                key = self.named(key)
            elif s == "[":
                e = close_of(t, i)
                self.expression(i + 1, e)
                key += self.text(i, e + 1)
                if kind and kind[0] == "ptr":
                    kind = ("item", kind[1]) if prefix != "&" or True else kind
                elif kind and kind[0] == "param":
                    kind = None
                i = e + 1
            elif s == "(":
                e = close_of(t, i)
                i, key, typ, kind = self.call(i, key, None, line)
            else:
                break
        if kind and kind[0] == "ptr" and prefix == "*":
            kind = ("item", kind[1])
        if kind and kind[0] == "item" and prefix == "&":
            kind = ("ptr", kind[1])
        if i < end and t[i][0] == "=":
            e = self.stop(i + 1, end)
            got = self.expression(i + 1, e)
            before = self.t[start - 2][0] if start > 1 else ""
            target = prefix == "*" and (not WORD.match(before) or before in KEYWORDS)
            self.assign(key if plain is None else plain, plain is not None and not target,
                        got, i + 1, e)
            return e
        if kind:
            out.append(kind)
        return i

    def stop(self, i, end):
        depth = 0
        while i < end:
            w = self.t[i][0]
            depth += (w in "([{") - (w in ")]}")
            if depth < 0 or (depth == 0 and w in (",", ";")):
                return i
            i += 1
        return end

    def assign(self, name, plain, got, a, b):
        st = self.state
        words = [w for w, _ in self.t[a:b]]
        typ, stars = self.types.get(name, (None, 0)) if plain else (None, 0)
        # the same container under another name
        self.alias.pop(name, None)
        m = re.match(r"(?:\((?:const)?gx_\w+\*\))?(?:gx_as_\w+\()?([\w.>\-\[\]]+?)\)?(?:\.obj)?$",
                     "".join(words))
        if m and typ in MOVABLE and ("gx_as_" in words[0] or words[0] == "("):
            self.alias[name] = self.named(m.group(1))
        source = self.named("".join(words))
        if source in st.own or words[0] in ("gx_undef", "gx_none", "gx_tuple_take") or (
                words[0] == "gx_keep" and self.named("".join(words[2:-1])) in st.own):
            st.own.add(name)
        else:
            st.own.discard(name)
        if not plain:
            return
        st.vars.pop(name, None)
        if stars and typ not in ("gx_value", "gx_borrowed", "gx_entry", "gx_obj", "gx_sym"):
            got = [g for g in got if g[0] == "ptr"] if typ is None else []
        kinds = {g[0] for g in got}
        for k in ("ptr", "param"):
            if k in kinds and (stars or typ is None):
                st.vars[name] = Track(k, next(g[1] for g in got if g[0] == k))
                return
        if "item" in kinds and typ in ("gx_value", "gx_borrowed") and not stars:
            st.vars[name] = Track("item", next(g[1] for g in got if g[0] == "item"))

    # --- events -------------------------------------------------------------------------------
    def report(self, line, what, call):
        if not self.state.dead:
            self.found.setdefault((line, what), call)

    def use(self, name, line, prefix, deep):
        v = self.state.vars.get(name)
        if not v or not v.stale or self.state.dead or (prefix == "&" and not deep):
            return
        if v.kind == "vparam":
            self.reads_after.add(int(v.key[1:-1]))
            return
        if v.kind == "param":
            if deep or prefix == "*":
                self.reads_after.add(int(v.key[1:-1]))
            return
        kind = {"ptr": "pointer", "item": "item"}[v.kind]
        self.report(line, "%s `%s` of %s" % (kind, name, v.key), v.stale)

    def counted(self, key):
        self.state.ran[key] = None

    def indexed(self, key, line):
        ran = self.state.ran
        call = ran.get(key, ran.get(""))
        if call and key not in self.state.own:
            self.report(line, "index into %s" % key, call)

    def call(self, i, name, target, line):
        """The call whose `(` is at i: (where it ends, key, type, kind)."""
        t = self.t
        e = close_of(t, i)
        if name == "gx_sequence_items":
            for v in self.text(i + 1, e).split(","):
                self.state.vars.pop(v.lstrip("&"), None)
        args, j = [], i + 1
        while j < e:
            k = self.stop(j, e)
            args.append((j, k, self.expression(j, k)))
            j = k + 1
        texts = [self.text(a, b) for a, b, _ in args]
        runs = False
        if target is not None:
            runs = self.p.reaches(name, [w for w, _ in t[i + 1:i + 5]])
        else:
            runs = self.p.may_run(self.f.file, name)
        handed = [x for x in texts if self.p.resolve(self.f.file, x) in self.p.runs]
        runs = runs or bool(handed)
        if name in self.types and target is None and name != "visit":
            runs = True
        if runs:
            where = "%s() in line %d" % (name, line)
            self.hand(name, args, texts, line, where)
            st = self.state
            for v in st.vars.values():
                if not v.stale and v.key not in st.own:
                    v.stale = where
            st.ran = {"": where}
            if name in COUNTERS:
                self.counted(self.named(texts[COUNTERS[name]]))
        kind, typ, key = None, self.p.returns.get(name), name + "(" + ",".join(texts) + ")"
        if name.startswith("gx_as_") and texts:
            key = self.named(texts[0])
        if name in HOLDERS:
            for x in texts:
                v = self.state.vars.get(x)
                if v and v.kind in ("item", "vparam"):
                    self.state.vars.pop(x)
        if name in GETTERS and args:
            base = self.named(texts[GETTERS[name]].lstrip("&"))
            if base not in self.state.own:
                kind = ("ptr", base)
        if name in MAKERS:
            for x in texts:
                self.state.own.add(x[1:] if x.startswith("&") else "*" + x)
        if name == "gx_sequence_items" and len(texts) == 2:
            base = self.named(texts[0])
            var = texts[1].lstrip("&")
            self.counted(base)
            self.state.vars.pop(var, None)
            if base not in self.state.own:
                self.state.vars[var] = Track("ptr", base)
        else:
            for x in texts:
                if x.startswith("&") and x[1:] in self.state.vars and not (
                        x[1:] in self.types and self.state.vars[x[1:]].kind == "item" and
                        name in ("gx_equal",)):
                    # written by the call: owned, or taken anew
                    if self.state.vars[x[1:]].kind in ("item", "ptr"):
                        self.state.vars.pop(x[1:])
        return e + 1, key, typ, kind

    def hand(self, name, args, texts, line, where):
        """Storage handed to a function that reads it after code has run."""
        reads = self.needs.get(self.p.resolve(self.f.file, name), ())
        for n, (a, b, got) in enumerate(args):
            if n not in reads:
                continue
            for kind, key in got:
                if kind == "item" and key not in self.state.own:
                    self.report(line, "item of %s handed on" % key, where)
                if kind == "vparam" and self.text(a, b) in self.state.vars:
                    self.reads_after.add(int(key[1:-1]))
                if kind == "ptr" and key not in self.state.own:
                    self.report(line, "pointer into %s handed on" % key, where)
                if kind == "param" and self.text(a, b) in self.state.vars:
                    self.reads_after.add(int(key[1:-1]))


def analyse(p):
    needs = {}
    while True:
        grew, all_found = False, []
        for f in p.functions:
            if not f.file.endswith((".c", ".h")) or not any(w in f_words(f) for w in WORTH):
                continue
            w = Walk(p, f, needs)
            found = w.run()
            if w.reads_after - needs.get(f.key, set()):
                needs[f.key] = needs.get(f.key, set()) | w.reads_after
                grew = True
            all_found += [(f.file, f.name, line, what, call)
                          for (line, what), call in found.items()]
        if not grew:
            return all_found, needs


WORTH = {"items", "entries", "ring", "index", "values", "names", "data", "gx_sequence_items",
         "argv", "gx_value", "gx_borrowed", "gx_dict_next", "gx_table_entry"}


def f_words(f):
    if not hasattr(f, "words"):
        f.words = {w for w, _ in f.body} | {w for w, _ in f.params}
    return f.words


def main(planted, allow, *files):
    p = Program([planted, *files])
    found, _ = analyse(p)
    passed = failed = 0
    # What is planted: functions named for the rule that must find them, or sound_….
    for f in p.functions:
        if f.file == planted:
            what = " ".join(x[3] for x in found if x[0] == planted and x[1] == f.name)
            rule = f.name.split("_")[0]
            if (rule in what) if rule != "sound" else not what:
                passed += 1
            else:
                failed += 1
                print("FAILED: %s: %s: found: %s" % (planted, f.name, what or "nothing"))
    reasons = {}
    with open(allow, encoding="utf-8") as rows:
        for row in rows:
            m = re.match(r"(\S+) (\w+): (\S.*)", row)
            if m:
                reasons[m.group(1), m.group(2)] = m.group(3)
            elif row.strip() and not row.startswith("#"):
                failed += 1
                print("FAILED: %s: no row: %s" % (allow, row.strip()))
    met, bad = set(), {}
    for file, name, line, what, call in sorted(found):
        if (file, name) in reasons:
            met.add((file, name))
        elif file != planted:
            bad.setdefault(file, []).append((line, name, what, call))
    for file in files:
        if file in bad:
            failed += 1
            print("FAILED: %s: what code of a script may have changed is used after it" % file)
            for x in bad[file]:
                print("%s:%d: %s: %s, after %s" % (file, *x))
        else:
            passed += 1
    for row in reasons:
        if row in met:
            passed += 1
        else:
            failed += 1
            print("FAILED: %s: nothing is found any more in %s %s" % (allow, *row))
    for name in sorted(p.containers):
        if name in MOVABLE or name in FIXED:
            passed += 1
        else:
            failed += 1
            print("FAILED: %s has storage, but neither MOVABLE nor FIXED of tools/borrowed_calls.py"
                  " names it" % name)
    for name in SEEDS | QUIET | dict.fromkeys(GETTERS, "") | dict.fromkeys(COUNTERS, ""):
        if name not in p.names:
            failed += 1
            print("FAILED: there is no function %s, which tools/borrowed.py names" % name)
    print("%d passed, %d failed" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
