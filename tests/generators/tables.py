"""Writes tables of cases for `gx test`: docs/testing.md says how they are made up."""
import os
import re

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def answer_lines(text):
    """The lines of an answer, as the table has them."""
    return ["= " + line if line else "=" for line in text.split("\n")[:-1]] if text else []


def case_lines(code, printed):
    """A case: lines of code, and the text that they print, which ends in a line end or is empty."""
    lines = [line for part in code for line in part.split("\n")]
    if not all(lines) and ("'''" in "".join(lines) or '"""' in "".join(lines)):
        raise ValueError("an empty line in a text would end the case: %r" % code)
    lines = [line for line in lines if line.strip()]
    if re.match(r"(@@?|=)( |$)|#", lines[0]) or any(re.match(r"=( |$)", line) for line in lines):
        raise ValueError("a line of the case would be a mark of the table: %r" % code)
    return lines + answer_lines(printed if not printed or printed.endswith("\n") else printed + "\n")


def write(path, head, cases, apart=True):
    """HEAD is the table's first lines, CASES are (lines of code, what they print); cases that print
    need no empty line between them."""
    out = list(head)
    for code, printed in cases:
        if apart or not printed:
            out.append("")
        out += case_lines(code, printed)
    if not path.endswith(".cases"):
        raise ValueError("%s: the name of a table ends in .cases" % path)
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
