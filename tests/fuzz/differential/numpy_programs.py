"""Random programs of arrays. Three sources: calls of each row by its signature, the rows' examples
with parts changed, and programs of views, stores and reductions."""
import ast
import copy
import re

from methods import Methods
from mixed import Mixed
from values import Values, TYPES

# What is not called, as it reads files or the clock, has state, or draws pictures.
SECTIONS = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.emath", "scipy.fft",
            "scipy.linalg", "scipy.ndimage", "scipy.signal", "scipy.signal.windows",
            "scipy.special", "Methods of arrays", "numpy.lib.stride_tricks", "numpy.ma")
LEFT_OUT = set("""save savez savez_compressed savetxt load loadtxt genfromtxt fromfile tofile dump info
show_config show_runtime set_printoptions seterr seterrcall setbufsize get_printoptions printoptions memmap
empty empty_like open_memmap DataSource test bytes default_rng get_state set_state seed
errstate geterr geterrcall getbufsize fromregex to_device from_dlpack get_include
lookfor source safe_eval deprecate isdtype PCG64 MT19937 Philox SFC64 PCG64DXSM SeedSequence
Generator RandomState BitGenerator get_bit_generator set_bit_generator choose_conv_method get_workers
set_workers set_backend register_backend skip_backend set_global_backend set_string_function
typename frompyfunc vectorize array_repr array_str array2string""".split())
BINARY = "+ - * / // % ** & | ^ << >> < <= == != @".split()


class Unrounded(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        rounds = isinstance(node.func, ast.Attribute) and node.func.attr == "round"
        return node.func.value if rounds else node


def unrounded(tree):
    """Without .round(n): floats are compared by units of the last place, and what is half way between
    two rounded numbers goes either way."""
    return Unrounded().visit(copy.deepcopy(tree))


class Programs:
    def __init__(self, rng, rows, examples, trial, only=None):
        """only: a pattern of the rows that are asked."""
        self.rng, self.v, self.trial = rng, Values(rng), trial
        self.rows = [r for r in rows if (r.section in SECTIONS or r.section.startswith("numpy.polynomial."))
                     and r.name not in LEFT_OUT]
        self.unasked = [r for r in rows if r not in self.rows]
        self.examples = {key: unrounded(tree) if key.startswith("scipy") else tree
                         for key, tree in examples.items()}
        self.turn = []
        if only:
            self.rows = [r for r in self.rows if re.search(only, r.key)]

    def row(self):
        if not self.turn:
            self.turn = list(self.rows)
            self.rng.shuffle(self.turn)
        return self.turn.pop()

    def program(self, kinds=("call", "call", "example", "example", "views", "mixed", "methods", "methods")):
        kind = self.rng.choice(kinds)
        if kind == "views":
            return self.views(), None
        if kind == "mixed":
            return Mixed(self.v).program(), None
        if kind == "methods":
            return Methods(self.v).program(), None
        row = self.row()
        while True:
            example = kind == "example" and row.key in self.examples
            program = self.changed(row) if example else self.call(row)
            text = "\n".join(program)
            if not row.has_free_where or "where=" not in text or "out=" in text:
                return program, row  # else what where= leaves out is undefined

    # Calls by signature.
    def call(self, row):
        v, given = self.v, []
        v.masked = row.section == "numpy.ma"
        p = row.parameters
        method = row.section.startswith("Methods")
        if method and p and p[0][2] == "=" and p[0][0] in ("a", "x", "m", "arr", "z"):
            p = p[1:]
        keywords = False
        chance = self.rng.choice([0.05, 0.2, 0.5])
        statements = []
        for name, default, how in p:
            if how == "*args":
                if v.chance(0.7):
                    given += [v.data() for _ in range(self.rng.randint(0, 3))]
                keywords = True
                continue
            if how == "*":
                keywords = True
            if default is not None and not v.chance(chance):
                keywords = True
                continue
            if how == "/" and keywords:
                continue
            text = v.argument(name, default)
            given.append(name + "=" + text if keywords else text)
        given = [g for i, g in enumerate(given)
                 if "=" in g.split("(")[0] or not any("=" in h.split("(")[0].split("[")[0] and h.split("=")[0].isidentifier()
                                                     for h in given[:i])]
        self.name_some(statements, given)
        if row.has_free_where and any(g.startswith("where=") for g in given):
            given = [g for g in given if not g.startswith("out=")]
            given.append("out=np.full(%s, 9, '%s')" % (v.shape(), v.dtype()))
        if method:
            statements.append("a = " + v.array())
            call = "a.%s(%s)" % (row.name, ", ".join(given))
        else:
            call = "%s(%s)" % (row.callee, ", ".join(given))
        statements.append("r = " + call)
        shown = [s.split(" = ")[0] for s in statements[:-1]]
        statements.append("show(r%s)" % "".join(", " + s for s in shown))
        v.masked = False
        return statements

    def name_some(self, statements, given):
        """Arrays become variables, so that changes and shared memory show."""
        for i, g in enumerate(given):
            key, eq, value = g.partition("=")
            if not (eq and key.isidentifier()):
                key, value = "", g
            if value.startswith(("masked(", "np.zeros", "np.full", "np.array", "np.arange")) and self.v.chance(0.5):
                name = "xyzwuv"[len(statements) % 6]
                if any(s.startswith(name + " =") for s in statements):
                    continue
                statements.append("%s = %s" % (name, value))
                given[i] = key + "=" + name if key else name

    # Examples with parts changed.
    def changed(self, row):
        tree = copy.deepcopy(self.examples[row.key])
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            try:
                tree = self.change(tree, row)
            except SyntaxError:  # a part of a slice is no expression by itself
                pass
        return ["show(%s)" % ast.unparse(ast.fix_missing_locations(tree))]

    def change(self, tree, row):
        v, r = self.v, self.rng
        nodes = [n for n in ast.walk(tree) if isinstance(n, (ast.Constant, ast.List, ast.Tuple, ast.Call, ast.UnaryOp))]
        node = r.choice(nodes)
        parse = lambda text: ast.parse(text, mode="eval").body
        if isinstance(node, ast.Call):
            has = {k.arg for k in node.keywords}
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            free = [p for p in row.parameters if name == row.name and p[1] is not None and p[2] in "=*" and p[0] not in has]
            free = [p for i, p in enumerate(row.parameters) if p in free and (i >= len(node.args) or p[2] == "*")]
            if free and v.chance(0.7):
                p = r.choice(free)
                node.keywords.append(ast.keyword(p[0], parse(v.argument(p[0], p[1]))))
                return tree
            if node.args and v.chance(0.6):
                i = r.randrange(len(node.args))
                if isinstance(node.args[i], ast.Starred):
                    return tree
                node.args[i] = parse(self.other(node.args[i]))
            elif node.keywords and v.chance(0.5):
                k = r.choice(node.keywords)
                if k.arg:
                    k.value = parse(v.argument(k.arg, ast.unparse(k.value)))
            return tree
        new = parse(self.other(node))
        if node is tree:
            return new
        for parent in ast.walk(tree):
            for field, value in ast.iter_fields(parent):
                if value is node:
                    setattr(parent, field, new)
                    return tree
                if isinstance(value, list) and node in value:
                    value[[id(i) for i in value].index(id(node))] = new
                    return tree
        return tree

    def other(self, node):
        v, r, text = self.v, self.rng, ast.unparse(node)
        if isinstance(node, (ast.List, ast.Tuple)) or "np.a" in text[:5]:
            k = r.random()
            if k < 0.4:
                return "np.array(%s, '%s')" % (text, v.dtype())
            if k < 0.6:
                return "np.array(%s)%s" % (text, v.one("[::-1]", "[..., ::-1]", ".T", "[None]", "[1:]", "[:0]", "[::2]", "[..., None]"))
            if k < 0.7 and isinstance(node, ast.Tuple):
                return v.one("[%s]" % ", ".join(map(ast.unparse, node.elts)), "()", v.shape())
            return v.data()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                return repr(not node.value)
            if isinstance(node.value, int):
                return v.one("0", "1", "-1", "2", "3", "5", "7", "-2", "2.5", "None", "np.int8(%d)" % (abs(node.value) % 100), "True", "np.uint8(3)")
            if isinstance(node.value, float):
                return v.one("0.0", "-1.0", "0.5", "2", "1e-3", "np.float32(%r)" % node.value, "3.75", "np.nan", "np.inf", "[0.5, 1.5]")
            if isinstance(node.value, str):
                return v.one(text, text, "'x'", "None")
        return v.data() if v.chance(0.5) else text

    # Programs of views, stores and reductions.
    def views(self):
        """Statements are tried as they are drawn: most of those that raise are drawn again."""
        v, r = self.v, self.rng
        d = v.dtype()
        first = "a = " + v.base(d, r.choice(["(3,)", "(5,)", "(7,)", "(8,)", "(4, 3)", "(3, 5)", "(2, 7)", "(3, 3)",
                                             "(2, 3, 4)", "(4, 2, 3)", "(5, 6)", "(6, 3)", "(12,)", "(2, 0)", "()"]))
        if "np.zeros" in first or "np.ones" in first:
            first = "a = (np.arange(24) %% 7).astype('%s').reshape(4, 6)" % d
        out, names = [first], ["a"]
        self.trial.runs(first, fresh=True)
        for i in range(r.randint(1, 6)):
            for attempt in range(6):
                statement, name = self.statement("bcdefg"[i], names)
                runs = self.trial.runs(statement)
                if runs or v.chance(0.03):
                    break
            else:
                continue
            out.append(statement)
            if name and runs:
                names.append(name)
            if " = " not in statement[:4] or name:
                out.append("show(%s)" % (name or r.choice(names)))
        out.append("show(%s)" % ", ".join(names))
        return out

    def statement(self, name, names):
        """A drawn statement, and the variable that it makes."""
        src, k = self.rng.choice(names), self.rng.random()
        if k < 0.25:
            return "%s = %s" % (name, self.view_of(src)), name
        if k < 0.55:
            return self.store(src, names), None
        if k < 0.82:
            return "%s = %s" % (name, self.value_of(src, names)), name
        return self.inplace(src, names), None

    def slice(self):
        v = self.v
        n = lambda: v.one("", "", str(v.small()))
        return n() + ":" + n() + v.one("", "", ":-1", ":2", ":-2", ":3", ":")

    def index(self):
        v, r = self.v, self.rng
        k = r.random()
        if k < 0.45:
            return ", ".join(v.one(self.slice(), self.slice(), str(r.randint(-3, 3)), "...", "None")
                             for _ in range(r.choice([1, 1, 2, 2, 3]))).replace("..., ...", "...")
        if k < 0.65:
            return v.one("[0, 2]", "[2, 0, 1, 1]", "[-1, 0]", "np.array([[0, 1], [2, 0]])", "[]", "[1]", "np.array([1, 2], 'u1')", ":, [0, 2]",
                         "[0, 1], [1, 0]", "[[0], [2]], [0, 1]", "..., [1, 0]", "[0, 1], :, [1, 0]", "0, [1, 2]", "[2, 1], None", "::-1, [1, 1]", "[0, 0]",
                         "np.ix_([0, 2], [1, 0])", "[1, 2], 1:", "None, [0, 1]", "[0, 1], ..., [0, 1]")
        if k < 0.85:
            return v.one("{a} > 1", "{a} != {a}", "{a} == 2", "[True, False, True]", ":, [True, False, True]", "{a}[:, 0] > 1", "{a}[0] > 0", "np.array(True)",
                         "True", "False", "np.zeros({a}.shape, bool)", "np.arange({a}.shape[0]) % 2 == 0", "{a}[..., 0] > 1", "..., {a}[0] > 1", "~({a} > 1)",
                         "[True] * 3, [0, 1, 1]", "{a} >= 0", "({a} > 0).nonzero()")
        return v.one("0", "-1", "...", "1", "()", "None", "..., 0", "0, ...", "slice(None)", "np.int64(1)", "5", "-4", "(0, 1)", "1.0")

    def index_of(self, src):
        return self.index().replace("{a}", src)

    def view_of(self, a):
        v = self.v
        if v.chance(0.5):
            return "%s[%s]" % (a, self.index_of(a))
        return v.one("{0}.T", "{0}.reshape(-1)", "{0}.ravel()", "{0}.ravel('F')", "{0}.ravel('K')", "{0}.swapaxes(0, -1)", "np.diagonal({0})", "{0}.real", "{0}.imag",
                     "np.broadcast_to({0}, (2,) + {0}.shape)", "{0}.view('u1')", "{0}.view('i2')", "{0}.view('f4')", "{0}.view('b1')", "{0}[::-1]", "np.squeeze({0})", "np.expand_dims({0}, -1)", "{0}.reshape(3, -1)",
                     "np.flip({0})", "np.rot90({0})", "np.moveaxis({0}, 0, -1)", "{0}.flatten('F')", "{0}.copy(order='K')", "{0}.astype('{1}')", "np.lib.stride_tricks.sliding_window_view({0}, 2, 0)",
                     "np.atleast_2d({0})", "np.asfortranarray({0})", "{0}.transpose()", "np.array({0}, copy=None)", "{0}.reshape(-1, 2)", "{0}.reshape({0}.shape[::-1], order='F')", "np.split({0}, 2)[0]",
                     "np.roll({0}, 1)", "np.repeat({0}, 2, 0)", "np.tile({0}, 2)", "{0}.squeeze()", "np.hsplit({0}, 3)[1]", "np.ascontiguousarray({0})").format(a, v.dtype())

    def scalar(self):
        return self.v.one("1", "0", "-1", "7", "2.5", "True", "300", "1j", "np.int8(3)", "np.float32(0.5)", "-3", "np.nan", "2", "np.uint64(5)", "None", "'x'", "2**40", "-0.25")

    def operand(self, names):
        v, r = self.v, self.rng
        k = r.random()
        if k < 0.4:
            return self.scalar()
        a = r.choice(names)
        if k < 0.7:
            return "%s[%s]" % (a, self.index_of(a))
        if k < 0.85:
            return a
        return v.one("{0} * 2", "{0}[::-1]", "{0}.T", "{0} + {0}", "[1, 2, 3]", "np.array([5, 6, 7], '{1}')", "{0}.sum(0)", "-{0}", "{0}.copy()", "[9]", "[[1], [2]]", "np.arange({0}.size).reshape({0}.shape)", "{0} > 1").format(a, v.dtype())

    def store(self, a, names):
        v = self.v
        target = "%s[%s]" % (a, self.index_of(a))
        if v.chance(0.55):
            return "%s = %s" % (target, self.operand(names))
        return "%s %s= %s" % (target, v.one("+", "-", "*", "+", "*", "//", "%", "|", "&", "^", "<<", ">>", "/", "**"), self.operand(names))

    def inplace(self, a, names):
        v = self.v
        o = self.operand(names)
        return v.one(
            "np.add({0}[1:], {0}[:-1], out={0}[1:])", "np.multiply({0}, {1}, out={0})", "np.add.at({0}, {2}, {1})", "np.subtract.at({0}, {2}, {1})", "{0}.sort(axis={3})", "{0}.partition(1, axis={3})",
            "np.put({0}, {2}, {1})", "np.put({0}, {2}, {1}, mode='wrap')", "np.putmask({0}, {0} > 1, {1})", "np.place({0}, {0} > 1, {1})", "np.copyto({0}, {1}, casting='unsafe')", "np.copyto({0}, {1}, where={0} > 0)",
            "{0}.fill({1})", "np.fill_diagonal({0}, {1})", "np.fill_diagonal({0}, {1}, wrap=True)", "np.cumsum({0}, axis={3}, out={0})", "np.negative({0}, out={0})", "np.negative({0}, out={0}[::-1])", "np.maximum({0}, {1}, out={0}, where={0} > 0)",
            "{0} += {1}", "{0} *= {1}", "{0} -= {1}", "{0} |= {1}", "{0} //= {1}", "{0} **= 2", "{0} += {0}.T", "{0}.flat[{2}] = {1}", "{0}.flat = {1}", "{0}.put({2}, {1})", "{0}.T[...] = {1}", "{0}.itemset if 0 else None",
            "np.put_along_axis({0}, np.argsort({0}, axis={3}), {1}, axis={3})", "{0}[...] = {0}[::-1]", "{0}[1:] = {0}[:-1]", "{0}[:-1] += {0}[1:]", "{0}.resize(3, refcheck=False)", "{0}.shape = -1", "np.take({0}, {2}, axis={3}, out={0}, mode='clip')",
            "np.clip({0}, 0, 2, out={0})", "np.sin({0}, out={0}) if {0}.dtype.kind in 'fc' else 0", "{0}.byteswap(True)", "np.random.shuffle({0})", "np.logical_not({0}, out={0})", "np.dot({0}, {0}, out={0})", "np.nan_to_num({0}, copy=False)",
            "np.add({0}, {1}, out={0}, casting='unsafe')", "{0}.setflags(write=False)", "np.floor_divide({0}, {1}, out={0}, where=[True, False, True])", "np.multiply.at({0}, {2}, {1})", "np.maximum.at({0}, {2}, {1})",
        ).format(a, o, v.indices(), v.axis())

    def value_of(self, a, names):
        v = self.v
        k = self.rng.random()
        if k < 0.25:
            return "%s %s %s" % (a, v.one(*BINARY), self.operand(names))
        if k < 0.35:
            return "%s %s %s" % (self.operand(names), v.one(*BINARY), a)
        extra = v.one("", "", ", keepdims=True", ", dtype='%s'" % v.dtype(), ", where={0} > 0", ", initial=%s" % v.one("2", "0", "-1.5", "1j"), ", out=np.zeros({0}.shape[1:], '%s')" % v.dtype(), ", where=[True, False, True], initial=1")
        if k < 0.6:
            return ("np.%s({0}, axis={3}%s)" % (v.one("sum", "prod", "max", "min", "mean", "any", "all", "std", "var", "add.reduce", "multiply.reduce", "maximum.reduce", "logical_and.reduce", "bitwise_or.reduce",
                                                     "subtract.reduce", "bitwise_xor.reduce", "logical_xor.reduce", "nansum", "nanmax", "nanmin", "nanmean", "ptp", "count_nonzero", "fmax.reduce", "minimum.reduce", "nanprod", "amax",
                                                     "divide.reduce", "left_shift.reduce", "hypot.reduce", "power.reduce", "gcd.reduce", "equal.reduce"), extra)).format(a, 0, 0, v.axis())
        return v.one(
            "np.cumsum({0}, axis={3})", "np.cumprod({0}, axis={3})", "np.sort({0}, axis={3})", "np.argsort({0}, axis={3}, kind='stable')", "np.argmax({0}, axis={3})", "np.argmin({0}, axis={3}, keepdims=True)", "np.median({0}, axis={3})",
            "np.take({0}, {2}, axis={3})", "np.take({0}, {2}, axis={3}, mode='wrap')", "np.compress([True, False, True], {0}, axis={3})", "np.where({0} > 1, {0}, {1})", "np.concatenate([{0}, {0}], axis={3})", "np.stack([{0}, {0}], axis=-1)",
            "{0}.astype('{4}')", "{0}.astype('{4}').astype('{5}')", "np.diff({0}, axis={3})", "np.add.reduceat({0}, [0, 2, 1], axis={3})", "np.add.accumulate({0}, axis={3})", "np.maximum.accumulate({0}, axis={3})", "np.subtract.outer({0}, [1, 2])",
            "np.unique({0})", "np.unique({0}, axis={3}, return_inverse=True)", "np.unique({0}, return_counts=True, return_index=True)", "np.searchsorted(np.sort({0}.ravel()), {1})", "np.nonzero({0})", "np.argwhere({0})", "np.flatnonzero({0})", "{0}.tolist()",
            "np.pad({0}, 1)", "np.pad({0}, (1, 2), mode='reflect')", "np.delete({0}, 1, axis={3})", "np.insert({0}, 1, {1}, axis={3})", "np.append({0}, {1})", "np.outer({0}, [1, 2])", "np.dot({0}, {0})", "np.matmul({0}, {0}.T)", "{0} @ {0}",
            "np.einsum('ij->ji', {0})", "np.tensordot({0}, {0}, 1)", "np.trace({0})", "np.partition({0}, 1, axis={3})", "np.percentile({0}, 50, axis={3})", "np.bincount({0}.ravel())", "np.histogram({0}, 3)", "np.digitize({0}, [0, 2])", "np.isin({0}, [1, 2])",
            "np.round({0}, 1)", "np.clip({0}, {1}, 3)", "abs({0})", "-{0}", "~{0}", "+{0}", "np.sign({0})", "np.divmod({0}, {1})", "divmod({0}, {1})", "np.lexsort([{0}, {0}])", "np.choose([0, 1, 0], {0})", "np.array([{0}, {0}], '{4}')", "np.array({0}, ndmin=3)",
            "np.array_split({0}, 2, axis=0)", "np.triu({0}, 1)", "np.tril({0})", "np.cov({0})", "np.average({0}, axis={3}, weights=[1, 2, 3])", "np.gradient({0})", "np.kron({0}, [1, 2])", "np.cross({0}, {0}[::-1])", "bool({0})", "int({0})", "float({0})", "len({0})",
            "{0}.item()", "{0}.tobytes()", "{0}.nbytes, strides({0})", "np.apply_along_axis(np.sum, 0, {0})", "[i for i in {0}]", "list({0}.flat)", "sum({0})", "max({0})", "sorted({0})", "{0} in {0}", "1 in {0}", "np.shares_memory({0}, {1})", "np.may_share_memory({0}, {0}[1:])",
            "{0}.searchsorted(2)", "np.power({0}, {1})", "np.float_power({0}, 2)", "np.left_shift({0}, 1)", "np.arctan2({0}, {1})", "np.hypot({0}, {1})", "np.take_along_axis({0}, np.argsort({0}, 0), 0)", "np.select([{0} > 1, {0} < 0], [{0}, -{0}], 9)", "np.piecewise({0}, [{0} > 1], [5, 6])",
            "np.vander({0})", "np.trim_zeros({0})", "np.ediff1d({0})", "np.nancumsum({0}, axis={3})", "np.fmod({0}, {1})", "np.setdiff1d({0}, {1})", "np.union1d({0}, {1})", "np.intersect1d({0}, {1}, return_indices=True)", "np.packbits({0} > 1)", "np.unpackbits({0}.view('u1'))",
            "str({0})", "repr({0})", "'%s' % ({0},)", "f'{{{0}}}'", "format({0})", "np.array2string({0})", "np.array2string({0}, precision=2)", "np.result_type({0}, {1})", "np.can_cast({0}.dtype, '{4}')", "np.promote_types({0}.dtype, '{4}')",
        ).format(a, self.operand(names), v.indices(), v.axis(), v.dtype(), v.dtype())
