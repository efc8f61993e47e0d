# What of the bridge is easier said in Python. Run once, when Python starts, in a module of its own.
import atexit, io, signal, sys, threading, types


# Calls and stores have a frame of Python's around them, as some code looks for its caller's.
def run_in_main(text):
    names = dict(sys.modules["__main__"].__dict__)
    exec(compile(text, "<gx>", "exec"), sys.modules["__main__"].__dict__, names)
    return names


frames = run_in_main("""
def call(function, /, *args, **keywords):
    return function(*args, **keywords)
def set_item(object, key, value):
    object[key] = value
def set_attr(object, name, value):
    setattr(object, name, value)
""")
call, set_item, set_attr = frames["call"], frames["set_item"], frames["set_attr"]


def main_thread():
    return threading.main_thread().ident


def tell(exception, text):
    # An exception of gx has gx's whole message; what that says beyond Python's lines is a note.
    if getattr(exception, "__gx_message__", None) == text:
        return
    exception.__gx_message__ = text
    rest = text.rstrip("\n").partition("\n")[2]
    if rest and hasattr(exception, "add_note"):
        exception.add_note(rest)


def dtype_text(cls):
    # Of a class of NumPy's scalars; abstract ones have none.
    dtype = sys.modules["numpy"].dtype(cls)
    return dtype.str if dtype.type is cls else ""


def take_interrupts():
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    except ValueError:
        pass  # a program that embeds gx has started Python on another thread


class Stream(io.TextIOBase):
    # Standard output or error: texts go where gx writes.
    encoding, errors, newlines, mode = "utf-8", "strict", None, "w"

    def __init__(self, write, flush, real, number):
        self._write, self._flush, self._real, self._number = write, flush, real, number

    def write(self, text):
        if type(text) is not str:
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            text = str(text)
        try:
            taken = self._write(text)
        except UnicodeEncodeError:
            taken = self._write(text.encode("utf-8", "backslashreplace").decode())
        if not taken and self._real:
            self._real.write(text)
        return len(text)

    def flush(self):
        self._flush()

    def writable(self):
        return True

    def isatty(self):
        return self._real.isatty() if self._real else False

    def fileno(self):
        return self._number

    @property
    def name(self):
        return "<stdout>" if self._number == 1 else "<stderr>"

    @property
    def buffer(self):
        self._flush()
        return self._real.buffer


def take_streams(write_out, write_err, flush):
    sys.stdout = Stream(write_out, flush, sys.__stdout__, 1)
    sys.stderr = Stream(write_err, flush, sys.__stderr__, 2)


def end():
    # What Python does at the end of a program, short of taking itself apart.
    try:
        threading._shutdown()
    except Exception:
        pass
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass


def trace_lines(exception):
    # Where an exception came from, innermost first, without the bridge's own frames.
    lines, trace = [], exception.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename != "<gx>":
            lines.append(f"{code.co_filename}:{trace.tb_lineno}, in {code.co_name}")
        trace = trace.tb_next
    return lines[::-1]


def new_error(name, base, module):
    return type(name, (base,), {"__module__": module})


def bind(function, instance):
    return types.MethodType(function, instance)


def new_class(name, bases, names, **keywords):
    # A class that a script has below one of Python's.
    names = dict(names)
    for special, kind in (("__new__", staticmethod), ("__init_subclass__", classmethod),
                          ("__class_getitem__", classmethod)):
        if callable(names.get(special)):
            names[special] = kind(names[special])
    return types.new_class(name, bases, keywords, lambda own: own.update(names))


def forward(cls, names, call):
    # Special methods that Python looks for on the class.
    for name in names:
        def method(self, *args, __name=name, **kw):
            return call(self, __name, args, kw)
        method.__name__ = name
        setattr(cls, name, method)


def array_ufunc(self, ufunc, method, *inputs, out=None, **keywords):
    # NumPy's ufuncs and operators with an array of gx's: gx's, where it has them.
    if method == "__call__" and out is None and not keywords:
        import importlib
        own = getattr(importlib.import_module("gx.numpy"), ufunc.__name__, None)
        if own is not None:
            return own(*inputs)
    plain = sys.modules["numpy"].asarray
    inputs = [plain(x) if isinstance(x, Wrap) else x for x in inputs]
    if out is None:
        return getattr(ufunc, method)(*inputs, **keywords)
    result = getattr(ufunc, method)(
        *inputs, out=tuple(plain(x) if isinstance(x, Wrap) else x for x in out), **keywords)
    return out[0] if len(out) == 1 and out[0] is not None else result


def array_reduce(self):
    # For pickle and copies of Python's: the elements, their dtype, the shape.
    import importlib
    return importlib.import_module("gx")._rebuild, (
        memoryview(self).tobytes(), str(self.dtype), self.shape)


def array_class(cls):
    cls.__array_ufunc__ = array_ufunc
    cls.__reduce__ = array_reduce


def signature(function, bound):
    # Of a function of gx, which tells its parameters as Python's functions do.
    from inspect import Parameter, Signature
    code, plain = function.__code__, Parameter.POSITIONAL_OR_KEYWORD
    names, n = list(code.co_varnames), code.co_argcount
    defaults, later = list(function.__defaults__ or ()), dict(function.__kwdefaults__ or {})
    out = []
    for i, name in enumerate(names[:n]):
        kind = Parameter.POSITIONAL_ONLY if i < code.co_posonlyargcount else plain
        has = i >= n - len(defaults)
        out.append(Parameter(name, kind, default=defaults[i - n + len(defaults)] if has
                             else Parameter.empty))
    at = n + code.co_kwonlyargcount
    if code.co_flags & 4:
        out.append(Parameter(names[at], Parameter.VAR_POSITIONAL))
        at += 1
    for name in names[n:n + code.co_kwonlyargcount]:
        out.append(Parameter(name, Parameter.KEYWORD_ONLY,
                             default=later.get(name, Parameter.empty)))
    if code.co_flags & 8:
        out.append(Parameter(names[at], Parameter.VAR_KEYWORD))
    return Signature(out[1:] if bound else out)


def evaluate(text, names):
    return eval(compile(text, "<python>", "eval"), names)


def execute(text, names):
    exec(compile(text, "<python>", "exec"), names)


def public(module):
    names = getattr(module, "__all__", None)
    return list(names) if names is not None else [n for n in dir(module) if n[0] != "_"]


def member(module, name):
    try:
        return getattr(module, name)
    except AttributeError:
        import importlib
        full = f"{module.__name__}.{name}"
        try:
            return importlib.import_module(full)
        except ModuleNotFoundError as e:
            if e.name != full:
                raise
        raise ImportError(f"cannot import name {name!r} from {module.__name__!r}") from None


def describe(o):
    # What help() says: the head, the docstring, and for modules and classes the names in it.
    import inspect, textwrap
    named = o if hasattr(o, "__name__") else type(o)
    head = getattr(named, "__qualname__", named.__name__)
    if inspect.ismodule(named):
        head = f"module {head}"
    else:
        try:
            head += str(inspect.signature(named))
        except (TypeError, ValueError):
            pass
        head = f"class {head}" if inspect.isclass(named) else head
    lines = [head]
    if inspect.getdoc(named):
        lines.append(textwrap.indent(inspect.getdoc(named), "    "))
    if inspect.ismodule(named) or inspect.isclass(named):
        names = "  ".join(n for n in dir(named) if n[0] != "_")
        lines += ["Attributes:", textwrap.fill(names, 74, initial_indent="    ",
                                               subsequent_indent="    ", break_on_hyphens=False)]
    return "\n".join(lines) + "\n"
