"""The folders of the sources, read from their BUILD files without building anything.

    python3 tools/rooms.py FOLDER…

Every file includes only headers of its own target and of targets that this one names as
dependencies and that are visible to it; a header is public when its target lists it under hdrs. No
target depends on itself through others. The command line, `gx test` and the prompt know of gx what
a host knows (PROGRAMS). A folder has at most 32 files; their number is printed. A
name gx_… of a struct, union, enum or typedef names one type in the whole tree. A file that a comment
names by its name alone is somewhere among the sources. Nothing but runtime/base/output.c and the
programs around include/gx.h uses the process's streams. The library and runtime/op do not ask where
an array lives, but for the module of GPUs themselves; how a value holds its copies is
runtime/graph/copies.h's to know.
The build with clang enforces the same of includes, but takes minutes.
"""

import fnmatch
import os
import re
import sys

MOST_FILES = 32
SOURCES = (".c", ".h", ".inc", ".def", ".re", ".cu", ".gx")
# The programs around include/gx.h, and what they include beside headers of their own.
PROGRAMS = ("interp/cli/", "interp/host/", "interp/repl/", "interp/test/")
HOST_HEADERS = ("include/gx.h", "interp/embed/tools.h", "interp/session/scan.h", "interp/cli/switches.def")
# The process's streams; and who may use them beside the programs.
STREAM = re.compile(r"\b(?:stdout|stderr|stdin|STD(?:IN|OUT|ERR)_FILENO|TIOCGWINSZ)\b"
                    r"|\b(?:v?printf|puts|putchar|perror|getchar|dup2)\(|\bfflush\(NULL\)")
STREAMS = ("runtime/base/output.c", "stdlib/io/file.h", "stdlib/io/file_object.c",  # sys.stdin and the like
           "stdlib/learn/apart.c")  # those of a process that it starts
# What tells where an array lives. Operations (runtime/op) ask for the device of their operands, and what that can do.
PLACE = re.compile(r"\bgx_array_needs_gpu\b|\bGX_GPU\b|->gpu\b|\bdata->place\b"
                   r"|[!=]= GX_HOST\b")
# The fields of a value's copies, and who may name them.
COPIES = re.compile(r"\bcopies(?:\.|->)(?:host|away|further)\b|->(?:away|further)\b")
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
INCLUDE = re.compile(r'^ *# *include +"([^"]+)"', re.M)
TYPE = re.compile(r"^(?:typedef )?(?:struct|union|enum) (gx_\w+) \{|^typedef [^;{]*?\(\*(gx_\w+)\)\("
                  r"|^typedef (?!struct|union|enum)[^;{(]*?\b(gx_\w+);|^\} (gx_\w+);", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
NAMED = re.compile(r"(?<![\w/.*<\"-])[a-z][a-z0-9_]+\.(?:c|h|inc|def)\b")
failures = []
passed = 0


def check(good, text):
    global passed
    if good:
        passed += 1
    else:
        failures.append(text)


class Target:
    def __init__(self, package, rule, fields):
        self.package, self.rule, self.name = package, rule, fields["name"]
        files = {k: [self.path(x) for x in fields.get(k, [])] for k in ("srcs", "hdrs", "textual_hdrs")}
        self.public = set(files["hdrs"]) | set(files["textual_hdrs"])
        self.files = set(files["srcs"]) | self.public
        self.deps = [label(package, x) for x in fields.get("deps", [])]
        self.visibility = fields.get("visibility", [])

    def path(self, name):
        return label(self.package, name) if name.startswith(("//", ":")) else self.package + "/" + name

    def seen_by(self, package):
        for v in self.visibility:
            where, what = v[2:].split(":")
            if v == "//visibility:public" or package == where:
                return True
            if what == "__subpackages__" and package.startswith(where + "/"):
                return True
        return package == self.package


def label(package, name):
    if name.startswith(":"):
        return "//" + package + name
    if ":" not in name:
        return name + ":" + name.rsplit("/", 1)[-1]
    return name


def files_of(package):
    """Files of a package: those of its folder and of folders below without a BUILD file."""
    for folder, folders, names in os.walk(package):
        folders[:] = [f for f in folders if not os.path.exists(os.path.join(folder, f, "BUILD"))]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), package)


def matches(name, pattern):
    if pattern.startswith("**/"):
        return matches(name, pattern[3:]) or "/" in name and matches(name.split("/", 1)[1], pattern)
    return name.count("/") == pattern.count("/") and fnmatch.fnmatchcase(name, pattern)


def read_build(package, targets):
    every = sorted(files_of(package))

    def glob(include, exclude=(), **_):
        return [f for f in every if any(matches(f, p) for p in include)
                and not any(f == p or matches(f, p) for p in exclude)]

    def rule(kind):
        def made(**fields):
            t = Target(package, kind, fields)
            targets["//%s:%s" % (package, t.name)] = t
        return made

    names = {"glob": glob, "select": lambda _: [], "package": lambda **_: None,
             "exports_files": lambda *_, **__: None}
    for kind in ("cc_library", "cc_binary", "cc_test"):
        names[kind] = rule(kind)
    for kind in ("genrule", "filegroup", "config_setting"):
        names[kind] = lambda **_: None
    names["load"] = lambda _, *what: names.update({x: [] for x in what})
    with open(package + "/BUILD", encoding="utf-8") as f:
        exec(compile(f.read(), package + "/BUILD", "exec"), names)


def circle(targets):
    """Targets that depend on each other, or None."""
    state = {}

    def visit(name, path):
        if state.get(name) == "done" or name not in targets:
            return None
        if name in path:
            return path[path.index(name):] + [name]
        for dep in targets[name].deps:
            found = visit(dep, path + [name])
            if found:
                return found
        state[name] = "done"
        return None

    for name in targets:
        found = visit(name, [])
        if found:
            return found
    return None


def read_all(folders):
    targets = {}
    for top in folders:
        for package, _, names in os.walk(top):
            if "BUILD" in names:
                read_build(package, targets)
    return targets


def check_tags(files):
    """Definitions of types, file by file. A typedef without a body may be said again in the same words."""
    assert [m[m.lastindex] for m in TYPE.finditer(
        "struct gx_a {\n};\ntypedef struct gx_b {\n} gx_b;\ntypedef int (*gx_c)(int);\n"
        "typedef uint32_t gx_d;\ntypedef struct gx_e gx_e;\n")] == ["gx_a", "gx_b", "gx_b", "gx_c", "gx_d"]
    where = {}
    for file in files:
        with open(file, encoding="utf-8") as f:
            for m in TYPE.finditer(f.read()):
                same = where.setdefault(m[m.lastindex], {})
                same.setdefault(m[0] if m[0].endswith(";") and m[0][0] == "t" else file, file)
    for tag, found in sorted(where.items()):
        check(len(found) == 1, "%s names more than one type: %s" % (tag, " ".join(found.values())))


def beyond_host(included):
    """Includes of a program that no host could have."""
    return sorted(x for x in included if x not in HOST_HEADERS and not x.startswith(PROGRAMS))


assert beyond_host({"interp/repl/edit.h", "include/gx.h", "runtime/base/rt.h"}) == ["runtime/base/rt.h"]


def streams(text):
    """Uses of the process's streams in a C text, those in comments and strings left out."""
    return STREAM.findall(TEXT.sub('""', COMMENT.sub("", text)))


assert streams('fputs(x, stderr); puts("printf("); /* stdout */ fputs(a, f); f("stdin");') == ["stderr", "puts("]


def places(text):
    """Questions in a C text for where an array lives."""
    return sorted(set(PLACE.findall(TEXT.sub('""', COMMENT.sub("", text)))))


assert places("if (a->storage->data->place == GX_GPU) /* rt->gpu */ f(s->rt->gpu);") == \
    ["->gpu", "GX_GPU", "data->place"]


assert COPIES.findall("d->copies.away; c->further; gx_copies_at(&d->copies, p); c->host") == \
    ["copies.away", "->further"]


def check_names(folders):
    files = {os.path.join(d, n): n for top in folders for d, _, names in os.walk(top) for n in names}
    assert NAMED.findall("plan.c, runtime/plan.c, <math.h> and str_*.c") == ["plan.c"]
    for file in sorted(files):
        if not file.endswith((".c", ".h", ".inc", ".def")):
            continue
        with open(file, encoding="utf-8") as f:
            text = f.read()
        if not file.startswith(PROGRAMS) and file not in STREAMS:
            used = streams(text)
            check(not used, "%s uses the process's streams: %s" % (file, " ".join(used)))
        if file.startswith(("stdlib/", "runtime/op/")) and not file.startswith("stdlib/cuda/"):
            asked = places(text)
            check(not asked, "%s asks where an array lives: %s" % (file, " ".join(asked)))
        if not file.startswith("runtime/graph/copies."):
            check(not COPIES.search(text), "%s names the fields of a value's copies" % file)
        named = {n for comment in COMMENT.findall(text) for n in NAMED.findall(comment)}
        for name in sorted(named - set(files.values())):
            check(False, "%s: a comment names %s, which is nowhere" % (file, name))
        check(True, file)


def main(folders):
    targets = read_all(folders)
    check_names(folders)
    owned = set()
    for name, t in sorted(targets.items()):
        if t.rule != "cc_library":
            continue
        seen = set(t.files)
        for dep in t.deps:
            check(dep in targets, "%s depends on %s, which is not there" % (name, dep))
            if dep in targets:
                check(targets[dep].seen_by(t.package), "%s may not see %s" % (name, dep))
                seen |= targets[dep].public
        owned |= t.files
        for file in sorted(t.files):
            if not os.path.isfile(file) or not file.endswith((".c", ".h")):
                continue
            with open(file, encoding="utf-8") as f:
                included = set(INCLUDE.findall(f.read()))
            if file.startswith(PROGRAMS):
                more = beyond_host(included)
                check(not more, "%s knows more than include/gx.h: %s" % (file, " ".join(more)))
            wrong = sorted(included - seen)
            check(not wrong, "%s includes what %s may not see: %s" % (file, name, " ".join(wrong)))
    check_tags(sorted(f for f in owned if os.path.isfile(f) and f.endswith((".c", ".h"))))
    found = circle(targets)
    check(not found, "targets depend on each other: %s" % " > ".join(found or []))
    for top in folders:
        for folder, _, names in sorted(os.walk(top)):
            sources = [n for n in names if n.endswith(SOURCES)]
            if not sources:
                continue
            print("%4d  %s" % (len(sources), folder))
            check(len(sources) <= MOST_FILES,
                  "%s has %d files, at most %d are wanted" % (folder, len(sources), MOST_FILES))
            for n in sources:
                if n.endswith((".c", ".h")):
                    check(folder + "/" + n in owned, "%s/%s is in no target" % (folder, n))
    for text in failures:
        print("FAILED:", text)
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
