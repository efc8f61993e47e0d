"""Finds addresses of an array's elements that are used after code of a script may have stored into it.

    python3 tools/borrowed_bytes.py PLANTED ALLOW FILE…

A store over a whole array gives it another buffer, and the old one is freed. Within a function,
what gx_np_data, gx_array_read and their like give is not used behind a call that reads an argument
or calls back: arguments are read first. ALLOW has lines `file function: why it is safe`, each of
which must match a finding; every function of PLANTED is found but those named sound_.
"""

import re
import sys

TAKES = re.compile(r"(\w+)\s*=\s*gx_np_data(?:_write)?\(|gx_array_(?:read|write)\([^;]*?&(\w+)\)")
RUNS = re.compile(r"\b(gx_np_arr\w*|gx_np_values|gx_arg_(?:int|float|bool|bound)|gx_np_axis_arg|"
                  r"gx_axes|gx_call\w*|gx_np_call\w*|gx_truth|gx_as_index|gx_asarray|gx_scalar_from|"
                  r"gx_shape_of|gx_next|gx_iter|gx_warn\w*)\(")
FUNCTION = re.compile(r"^[A-Za-z_][^;{}\n]*?(\w+)\([^;{}]*\)\s*\{\n(.*?)^\}", re.S | re.M)


def findings(file):
    with open(file, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), f.read(), flags=re.S)
    for m in FUNCTION.finditer(text):
        name, body = m.group(1), m.group(2)
        for taken in TAKES.finditer(body):
            v = taken.group(1) or taken.group(2)
            for call in RUNS.finditer(body, taken.end()):
                if re.search(rf"\b{v}\b", body[call.end():]):
                    line = text.count("\n", 0, m.start(2) + taken.start()) + 1
                    yield file, line, name, f"{v} is used after {call.group(1)}"
                    break


def main():
    planted, allow, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    bad = 0
    seen = {f[2] for f in findings(planted)}
    with open(planted, encoding="utf-8") as f:
        names = [m.group(1) for m in FUNCTION.finditer(f.read())]
    for name in names:
        if (name in seen) == name.startswith("sound_"):
            print(f"FAIL {planted}: {name} is judged wrongly")
            bad += 1
    with open(allow, encoding="utf-8") as f:
        allowed = {line.split(":")[0]: False for line in f if line.strip() and line[0] != "#"}
    passed = len(names) - bad
    for file in files:
        for _, line, name, what in findings(file):
            if f"{file} {name}" in allowed:
                allowed[f"{file} {name}"] = True
            else:
                print(f"FAIL {file}:{line} {name}: {what}")
                bad += 1
        passed += 1
    for entry, used in allowed.items():
        if not used:
            print(f"FAIL {allow}: {entry} is found no more")
            bad += 1
    print(f"{passed} passed, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
