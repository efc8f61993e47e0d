"""The rows of gx's registry, as docs/reference.md lists them: every function that a script can
call, with its signature and its example. `tools/reference --check` holds that page to the rows."""
import ast
import builtins
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
ROW = re.compile(r"^- `([\w.]+)(\(.*\))?`( is `([\w.]+)`\.)?$")


class Row:
    def __init__(self, section, name, signature, alias):
        self.section, self.name, self.alias, self.example = section, name, alias, None
        self.signature = signature
        self.parameters = parameters(signature) if signature else []

    @property
    def key(self):
        return self.section + ": " + self.name

    @property
    def has_free_where(self):
        """With where= and without out= some results of the function would be undefined."""
        names = [p[0] for p in self.parameters]
        return "where" in names and "casting" in names

    @property
    def callee(self):
        if self.section.startswith("Methods"):
            return "." + self.name
        if self.section == "Builtins":
            return self.name
        return self.section.replace("numpy", "np", 1) + "." + self.name


def parameters(signature):
    """(name, default text or None, kind) of each parameter; kind is /, =, * or **."""
    text = signature.replace("<no value>", "None")
    try:
        a = ast.parse("def f" + text + ": pass").body[0].args
    except SyntaxError:
        return []
    rows = []
    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    for i, (p, d) in enumerate(zip(plain, defaults)):
        rows.append((p.arg, d and ast.unparse(d), "/" if i < len(a.posonlyargs) else "="))
    if a.vararg:
        rows.append((a.vararg.arg, None, "*args"))
    for p, d in zip(a.kwonlyargs, a.kw_defaults):
        rows.append((p.arg, d and ast.unparse(d), "*"))
    return [r for r in rows if r[0] != "self"]


def read(path=None):
    rows, section = [], ""
    for line in open(path or os.path.join(ROOT, "docs", "reference.md")):
        line = line.rstrip("\n")
        if line.startswith("## "):
            section = line[3:]
        match = ROW.match(line)
        if match:
            rows.append(Row(section, match[1], match[2], match[4]))
        elif line.startswith("  `") and rows and "  # " in line:
            rows[-1].example = line.strip().strip("`").rsplit("  # ", 1)[0]
    for row in rows:  # an alias has the parameters and the example of what it names
        if row.alias:
            for other in rows:
                if other.name == row.alias.split(".")[-1] and other.signature:
                    row.parameters, row.signature = other.parameters, other.signature
                    if other.section == row.section:
                        row.example = other.example
                    break
    return rows


class Qualify(ast.NodeTransformer):
    """Bare names of an example are NumPy's unless Python has them, too."""

    def __init__(self, names, row):
        self.names, self.row = names, row

    def visit_Name(self, node):
        if node.id == "numpy":
            node.id = "np"
        elif node.id == self.row.name and not self.row.callee.startswith("."):
            return ast.parse(self.row.callee, mode="eval").body
        elif node.id in self.names and (not hasattr(builtins, node.id) or node.id == self.row.name):
            return ast.Attribute(ast.Name("np"), node.id)
        return node


def examples(rows):
    """The rows' examples as expressions that both sides can run: {row key: ast}."""
    names = {r.name for r in rows if r.section == "numpy"}
    found = {}
    for row in rows:
        if not row.example:
            continue
        try:
            tree = ast.parse(row.example, mode="eval").body
        except SyntaxError:
            continue
        tree = Qualify(names | {"pi", "inf", "nan", "newaxis", "int8", "uint8", "float32",
                                "float64", "int64", "int32", "complex64", "random", "linalg",
                                "fft", "polynomial", "lib", "emath"}, row).visit(tree)
        found[row.key] = tree
    return found
