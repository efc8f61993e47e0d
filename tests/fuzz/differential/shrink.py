"""Makes a program that shows a difference smaller: statements are dropped, expressions replaced by
their parts or by simpler ones, as long as the kind of difference stays the same."""
import ast
import itertools
import re

SIMPLE = ["0", "1", "2", "[1, 2, 3]", "np.arange(3)", "np.arange(3.0)", "np.arange(6).reshape(2, 3)",
          "np.ones((2, 2))"]
PLAIN = ["0", "1", "''", "[]", "'a'"]


def expressions(statement, simple):
    """The statement with one expression replaced by a simpler one."""
    try:
        tree = ast.parse(statement)
    except SyntaxError:
        return
    nodes = [n for n in ast.walk(tree)]
    for i, node in enumerate(nodes):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), (ast.Store, ast.Del)):
                parts = [c for c in ast.iter_child_nodes(value) if isinstance(c, ast.expr)]
                parts += [ast.parse(s, mode="eval").body for s in simple]
                for part in parts:
                    if field in ("func", "target", "targets"):
                        break
                    setattr(node, field, part)
                    yield written(tree)
                setattr(node, field, value)
            elif isinstance(value, list) and value:
                for j in range(len(value)):
                    kept = value[:j] + value[j + 1:]
                    if kept or field in ("args", "keywords", "elts", "orelse", "finalbody", "decorator_list"):
                        setattr(node, field, kept)
                        yield written(tree)
                if isinstance(value[0], ast.expr) and field in ("args", "elts", "values"):
                    for j, one in enumerate(value):
                        parts = [c for c in ast.iter_child_nodes(one) if isinstance(c, ast.expr)]
                        for part in parts + [ast.parse(s, mode="eval").body for s in simple]:
                            setattr(node, field, value[:j] + [part] + value[j + 1:])
                            yield written(tree)
                elif isinstance(value[0], ast.stmt) and len(value) > 2:
                    setattr(node, field, value[:len(value) // 2])
                    yield written(tree)
                setattr(node, field, value)


def written(tree):
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, TypeError, AttributeError, KeyError, IndexError):
        return None


def renamed(program):
    """A variable in the place of another one, and the other's statement dropped."""
    names = [(i, s.split(" = ")[0]) for i, s in enumerate(program) if s.split(" = ")[0].isidentifier()]
    for i, name in names:
        for _, other in names:
            if other != name:
                rest = program[:i] + program[i + 1:]
                yield [re.sub(r"\b%s\b" % name, other, s) for s in rest]


def parts_of_blocks(statement):
    """The statement without one of its inner statements, or with a block in its place."""
    if "\n" not in statement:
        return
    tree = ast.parse(statement)
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            value = getattr(node, field, None)
            if isinstance(value, list) and value:
                for j in range(len(value)):
                    setattr(node, field, value[:j] + value[j + 1:])
                    yield written(tree)
                    inner = getattr(value[j], "body", None)
                    if isinstance(inner, list) and isinstance(value[j], ast.stmt):
                        setattr(node, field, value[:j] + inner + value[j + 1:])
                        yield written(tree)
                setattr(node, field, value)


def coarse(program):
    for i in range(len(program)):
        if len(program) > 1:
            yield program[:i] + program[i + 1:]
    yield from renamed(program)
    for i, statement in enumerate(program):
        try:
            for text in parts_of_blocks(statement):
                if text is not None:
                    yield program[:i] + [text] + program[i + 1:]
        except SyntaxError:
            pass


def fine(program, simple):
    for i, statement in enumerate(program):
        for text in expressions(statement, simple):
            if text is not None and text != statement:
                yield program[:i] + [text] + program[i + 1:]


def measure(program):
    text = "\n".join(program)
    return len(text) + 12 * text.count("(")


def smaller(program, kind, kind_of, tries, seen, chunk=40, most=600):
    """The first smaller program among tries that shows the same kind of difference."""
    some, count, size = [], 0, measure(program)
    for c in itertools.chain(tries, [None]):
        if c is not None:
            key = "\n".join(c)
            if key in seen or measure(c) >= size:
                continue
            seen.add(key)
            some.append(c)
        if some and (c is None or len(some) == chunk):
            good = [p for p, k in zip(some, kind_of(some)) if k == kind]
            if good:
                return min(good, key=measure)
            count, some = count + len(some), []
            if count >= most:
                return None
    return None


def shrink(program, kind_of, simple, rounds=40):
    """kind_of(programs) gives the kind of difference of each, None where there is none."""
    kind, seen = kind_of([program])[0], set()
    if kind is None:
        return program, None
    for _ in range(rounds):
        less = (smaller(program, kind, kind_of, coarse(program), seen) or
                smaller(program, kind, kind_of, fine(program, simple), seen))
        if less is None:
            break
        program = less
    return program, kind
