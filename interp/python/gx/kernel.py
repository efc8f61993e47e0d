"""The Jupyter kernel of gx: `jupyter lab` with notebooks in gx. Needs ipykernel."""

import re
import traceback

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

import gx

RED, BLUE, GREEN, BOLD, PLAIN = "\033[31m", "\033[34m", "\033[32m", "\033[1m", "\033[0m"
WORD = re.compile(r"[\w.]*$")


def coloured(message):
    """gx's message in colours: the class, the place, the marks, the fix."""
    lines = []
    for i, line in enumerate(message.rstrip("\n").split("\n")):
        head, colon, rest = line.partition(":")
        if i == 0:
            line = RED + BOLD + head + PLAIN + colon + rest
        elif line.lstrip().startswith("-->"):
            line = BLUE + line + PLAIN
        elif line.startswith("help:"):
            line = GREEN + "help" + PLAIN + colon + rest
        elif re.match(r" *\| *[~^]", line):
            line = line.replace("~", RED + "~" + PLAIN).replace("^", RED + BOLD + "^" + PLAIN)
        lines.append(line)
    return lines


def table(x, rows=10, columns=10):
    """An array of one or two axes as an HTML table, with ellipses where it is large."""
    from html import escape
    if x.ndim == 0 or x.ndim > 2:
        return None

    def picked(n, most):
        return list(range(n)) if n <= most else [*range(most // 2), None, *range(n - most // 2, n)]

    def cell(v):
        return f"<td>{escape(str(v))}</td>"
    grid = x.reshape(1, -1) if x.ndim == 1 else x
    across = picked(grid.shape[1], columns)
    out = ["<table><tr><th></th>", *(f"<th>{'…' if j is None else j}</th>" for j in across), "</tr>"]
    for i in picked(grid.shape[0], rows):
        cells = ["<td>…</td>" if i is None or j is None else cell(grid[i, j]) for j in across]
        out += [f"<tr><th>{'…' if i is None else i}</th>", *cells, "</tr>"]
    return "".join(out) + f"</table><p>{x.dtype} {tuple(x.shape)}</p>"


class GxKernel(Kernel):
    implementation = "gx"
    implementation_version = gx.__version__
    language = "gx"
    language_version = gx.__version__
    language_info = {"name": "gx", "mimetype": "text/x-gx", "file_extension": ".gx",
                     "pygments_lexer": "python", "codemirror_mode": {"name": "python", "version": 3}}
    banner = f"gx {gx.__version__}: NumPy's arrays, fused expressions. ?name explains a name."

    def __init__(self, **options):
        super().__init__(**options)
        self.silent = False
        self.cells = []
        self.gx = gx.Session(write=self.write, picture=self.picture, ask=self.ask)

    # --- what cells write -------------------------------------------------------------------------

    def write(self, stream, text):
        if not self.silent:
            name = "stderr" if stream == 2 else "stdout"
            self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    def picture(self, mime, data):
        import base64
        text = base64.b64encode(data).decode() if mime == "image/png" else data.decode()
        if not self.silent:
            self.send_response(self.iopub_socket, "display_data",
                               {"data": {mime: text, "text/plain": "<figure>"}, "metadata": {}})
        return True

    def ask(self, prompt):
        if not self._allow_stdin:
            raise EOFError
        return self.raw_input(prompt)

    # --- running ----------------------------------------------------------------------------------

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False,
                   **_):
        self.silent, self._allow_stdin = silent, allow_stdin
        text, html = self.asked_for_html(code)
        if store_history and not silent:
            self.cells.append((0, self.execution_count, code))
        try:
            value = self.run(text)
            if value is not None and not silent:
                self.show(value, html)
            answers = {name: self.answer(e) for name, e in (user_expressions or {}).items()}
        except SystemExit:
            return {"status": "ok", "execution_count": self.execution_count, "user_expressions": {},
                    "payload": [{"source": "ask_exit", "keepkernel": False}]}
        except BaseException as e:
            return self.failed(e, silent)
        return {"status": "ok", "execution_count": self.execution_count, "payload": self.pages(),
                "user_expressions": answers}

    def run(self, text):
        self.paged = None
        asked = re.fullmatch(r"\s*(\?{1,2})([\w.]+)\s*|\s*([\w.]+)(\?{1,2})\s*", text)
        if asked:
            mark, name = asked[1] or asked[4], asked[2] or asked[3]
            self.paged = self.gx.inspect(name, mark == "??")
            return None
        if text.strip() == "%clear":
            self.send_response(self.iopub_socket, "clear_output", {"wait": False})
            return None
        return self.gx.run(text, f"<cell {self.execution_count}>")

    def pages(self):
        text, self.paged = getattr(self, "paged", None), None
        return [{"source": "page", "data": {"text/plain": text}, "start": 0}] if text else []

    @staticmethod
    def asked_for_html(code):
        first, newline, rest = code.partition("\n")
        return (rest, True) if first.strip() == "%%html" and newline else (code, False)

    def looks(self, value, html=False):
        data = {"text/plain": repr(value)}
        for name, mime in (("_repr_html_", "text/html"), ("_repr_svg_", "image/svg+xml"),
                           ("_repr_png_", "image/png"), ("_repr_latex_", "text/latex"),
                           ("_repr_markdown_", "text/markdown")):
            own = getattr(value, name, None)
            text = own() if callable(own) else None
            if isinstance(text, bytes):
                import base64
                text = base64.b64encode(text).decode()
            if text is not None:
                data[mime] = text
        if html and "text/html" not in data and hasattr(value, "ndim"):
            made = table(value)
            if made:
                data["text/html"] = made
        return data

    def show(self, value, html):
        self.send_response(self.iopub_socket, "execute_result",
                           {"execution_count": self.execution_count, "metadata": {},
                            "data": self.looks(value, html)})

    def answer(self, expression):
        try:
            return {"status": "ok", "metadata": {}, "data": self.looks(self.gx.eval(expression))}
        except Exception as e:
            return {"status": "error", "ename": type(e).__name__, "evalue": str(e), "traceback": []}

    def failed(self, e, silent):
        message = getattr(e, "__gx_message__", None)
        lines = coloured(message or "".join(traceback.format_exception_only(type(e), e)))
        error = {"ename": type(e).__name__, "evalue": str(e), "traceback": lines}
        if not silent:
            self.send_response(self.iopub_socket, "error", error)
        return {"status": "error", "execution_count": self.execution_count, **error}

    # --- what editors ask -------------------------------------------------------------------------

    def do_complete(self, code, cursor_pos):
        start, words = self.gx.complete(code, cursor_pos)
        return {"status": "ok", "matches": words, "cursor_start": start, "cursor_end": cursor_pos,
                "metadata": {}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        end = re.match(r"\w*", code[cursor_pos:]).end() + cursor_pos
        name = WORD.search(code[:end])[0]
        if not name and "(" in code[:cursor_pos]:
            name = WORD.search(code[:cursor_pos].rpartition("(")[0])[0]
        try:
            text = self.gx.inspect(name, detail_level > 0) if name.strip(".") else ""
        except Exception:
            text = ""
        return {"status": "ok", "found": bool(text), "metadata": {},
                "data": {"text/plain": text} if text else {}}

    def do_is_complete(self, code):
        status = self.gx.is_complete(code)
        if status == "complete" and "\n" in code and not code.endswith("\n") and \
                code.rpartition("\n")[2][:1] in (" ", "\t"):
            status = "incomplete"  # a block goes on until an empty line
        reply = {"status": status}
        if status == "incomplete":
            last = code.rstrip("\n").rpartition("\n")[2]
            indent = last[:len(last) - len(last.lstrip())]
            reply["indent"] = indent + "    " if last.rstrip().endswith(":") else indent
        return reply

    def do_history(self, hist_access_type, output, raw, session=None, start=None, stop=None, n=None,
                   pattern=None, unique=False):
        found = self.cells
        if hist_access_type == "range":
            found = [c for c in found if (start or 0) <= c[1] and (stop is None or c[1] < stop)]
        elif hist_access_type == "search":
            import fnmatch
            found = [c for c in found if fnmatch.fnmatchcase(c[2], pattern or "*")]
            if unique:
                found = list({c[2]: c for c in found}.values())
        if n is not None and hist_access_type != "range":
            found = found[-n:] if n else []
        if output:
            found = [(s, k, (code, None)) for s, k, code in found]
        return {"status": "ok", "history": found}

    def do_shutdown(self, restart):
        return {"status": "ok", "restart": restart}


def main():
    IPKernelApp.launch_instance(kernel_class=GxKernel)


if __name__ == "__main__":
    main()
