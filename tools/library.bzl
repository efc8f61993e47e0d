"""libgx.so and libgx.a: all of gx in one file, in which only the names of include/gx.h are seen."""

def _archives(target):
    found = []
    for inputs in target[CcInfo].linking_context.linker_inputs.to_list():
        for library in inputs.libraries:
            file = library.pic_static_library or library.static_library
            if file:
                found.append(file)
    return found

def _library_impl(ctx):
    archives = _archives(ctx.attr.deps[0])
    command = """set -eu
shared=$1 static=$2 soname=$3
shift 3
object=$static.o
# One object whose hidden names are its own: they cannot meet those of another library.
ld -r -o "$object" --whole-archive "$@" --no-whole-archive
objcopy --localize-hidden "$object"
rm -f "$static"
ar rcsD "$static" "$object"
gcc $GX_SANITIZE -shared -o "$shared" "$object" -Wl,-soname,"$soname" -Wl,-z,defs -lmvec -lm -lpthread -ldl
rm "$object"
"""
    shared, static = ctx.outputs.shared, ctx.outputs.static
    ctx.actions.run_shell(
        inputs = archives,
        outputs = [shared, static],
        command = command,
        arguments = [shared.path, static.path, ctx.attr.soname] + [a.path for a in archives],
        env = {"PATH": "/usr/bin:/bin", "GX_SANITIZE": ""},
        mnemonic = "GxLibrary",
    )
    return DefaultInfo(files = depset([shared, static]))

gx_library = rule(
    implementation = _library_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "soname": attr.string(mandatory = True),
        "shared": attr.output(mandatory = True),
        "static": attr.output(mandatory = True),
    },
)
