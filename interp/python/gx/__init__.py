"""gx inside Python: an array language with fused expressions, as a module.

    import gx
    gx.eval("a @ a.T + b", a=x, b=y)     # NumPy's arrays come and go without a copy
    gx.run("model.gx")["weights"]        # a script's names
    import gx.numpy as np                # NumPy's functions, run by gx

An array that gx gives stays gx's: lazy until somebody looks at it, fused with what follows. NumPy,
memoryview, PyTorch and others look at it where it lies (the buffer protocol, __array_interface__,
__dlpack__); numpy.asarray(x) copies nothing.
"""

import atexit
import importlib.abc
import importlib.machinery
import sys
import types

from . import _gx

__version__ = "0.1.0"
__all__ = ["Session", "eval", "run", "from_dlpack"]

_open = []  # sessions end when they are closed, or with the program: their values need them


def _write(stream, text):
    (sys.stderr if stream == 2 else sys.stdout).write(text)


def _ask(prompt):
    return input(prompt)


class Session:
    """A gx of its own: names, memory, limits. Any thread may use it, one at a time.

    write(stream, text) takes what scripts print (1) and tell (2), picture(mime, data) a shown
    picture, ask(prompt) answers input(). device is "cpu", "cuda", "cuda:1"; the limits are of each
    run; safe=True allows scripts neither files nor the environment.
    """

    def __init__(self, *, write=_write, picture=None, ask=_ask, device=None, threads=None,
                 max_bytes=None, max_seconds=None, safe=False, file=None):
        self._gx = _gx.open(write, picture, ask, device, threads, max_bytes, max_seconds, safe, file)
        self._globals = None
        _open.append(self)

    def run(self, text, name="<string>"):
        """Runs a text; gives the value of its last expression, or None."""
        return _gx.run(self._gx, text, name)

    def run_file(self, path):
        """Runs a script in this session's names."""
        import os
        _gx.run_file(self._gx, os.fspath(path))

    def eval(self, text, /, **names):
        """The value of an expression, in which the names that are given stand for their values."""
        return _gx.evaluate(self._gx, text, names)

    @property
    def names(self):
        """The session's variables: a mapping."""
        if self._globals is None:
            self._globals = self.eval("globals()")
        return self._globals

    def __getitem__(self, name):
        return self.names[name]

    def __setitem__(self, name, value):
        self.names[name] = value

    def __delitem__(self, name):
        del self.names[name]

    def __contains__(self, name):
        return name in self.names

    def module(self, name):
        """A module of gx's, by its dotted name."""
        return self.eval("__import__('importlib').import_module(name)", name=name)

    def complete(self, text, cursor=None):
        """Where the word at a place begins, and what may stand there. No code runs."""
        head = text if cursor is None else text[:cursor]
        start, words = _gx.complete(self._gx, text, len(head.encode()))
        return len(text.encode()[:start].decode()), list(words)

    def inspect(self, name, source=False):
        """What help() says of a name, or its definition."""
        return _gx.inspect(self._gx, name, source)

    def is_complete(self, text):
        """"complete", "incomplete" or "invalid"."""
        return ("complete", "incomplete", "invalid")[_gx.entry(self._gx, text)]

    def interrupt(self):
        """What another thread runs ends with KeyboardInterrupt."""
        _gx.interrupt(self._gx)

    @property
    def kernels(self):
        """How many fused loops have run."""
        return _gx.count(self._gx)

    def close(self):
        """Ends the session and its values."""
        if self in _open:
            _open.remove(self)
            self._globals = None
            _gx.close(self._gx)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _end():
    for session in _open:
        _gx.end(session._gx)


atexit.register(_end)
_main = Session()


def eval(text, /, **names):
    """The value of an expression of gx, with the given names: gx.eval("a @ b", a=x, b=y)."""
    return _gx.evaluate(_main._gx, text, names)


def run(path, **options):
    """Runs a script in a session of its own, which is given: its names are session["name"]."""
    import os
    path = os.fspath(path)
    session = Session(file=path, **options)
    session.run_file(path)
    return session


def from_dlpack(x, /):
    """An array over the memory of a tensor with __dlpack__."""
    try:
        capsule = x.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = x.__dlpack__()
    return _gx.from_dlpack(_main._gx, capsule)


def _rebuild(data, dtype, shape):
    # What pickle calls for an array.
    return eval("np.frombuffer(data, dtype=dtype).reshape(shape).copy()",
                data=data, dtype=dtype, shape=shape)


class _Namespace(types.ModuleType):
    # A module of gx's as one of Python's. Functions are kept at their first use; what may change
    # (types, which are NumPy's once it is loaded) is asked for again.
    def __getattr__(self, name):
        try:
            value = getattr(self.__dict__["__gx__"], name)
        except AttributeError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None
        kind = type(value)
        if kind.__module__ == "gx" and kind.__name__ == "module":
            value = _import(f"{self.__name__}.{name}", value)
        elif kind.__module__ != "gx" or kind.__name__ == "type":
            return value
        self.__dict__[name] = value
        return value

    def __dir__(self):
        return sorted(set(dir(self.__dict__["__gx__"])) | {"from_dlpack"})


def _import(name, module):
    made = sys.modules.get(name)
    if made is None:
        made = sys.modules[name] = _Namespace(name, getattr(module, "__doc__", None))
        made.__dict__.update(__gx__=module, __path__=[], __package__=name)
        if name == "gx.numpy":
            made.from_dlpack = from_dlpack
    return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    # import gx.numpy.linalg: gx's own modules, by their names below gx.
    def find_spec(self, name, path=None, target=None):
        if name.startswith("gx."):
            try:
                module = _main.module(name[3:])
            except ImportError:
                return None
            if type(module).__module__ == "gx":
                spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
                spec.loader_state = module
                return spec
        return None

    def create_module(self, spec):
        return _import(spec.name, spec.loader_state)

    def exec_module(self, module):
        pass


sys.meta_path.append(_Finder())
