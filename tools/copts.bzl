"""How every C file of gx is compiled, in one place. -O2 comes from .bazelrc (compilation_mode)."""

# No flag may change the result of arithmetic: wrapping integers, no fused multiply-add, but maths
# functions need not set errno.
ARITHMETIC = [
    "-fno-math-errno",
    "-fwrapv",
    "-ffp-contract=off",
]

WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Wswitch-enum",
    "-Wconversion",
    "-Wno-sign-conversion",
    "-Werror",
    # A function that fails leaves *out untouched; gcc cannot follow that across files and warns of
    # callers that are right. clang's -Wuninitialized stays on.
    "-Wno-maybe-uninitialized",
    "-Wno-unknown-warning-option",
]

# Left alone, gcc copies and clears some tens of bytes of unknown size with `rep` instructions,
# whose start alone costs more than the rest of a small operation.
STRINGS = select({
    "//tools:clang": [],
    "//conditions:default": [
        "-mmemcpy-strategy=unrolled_loop:64:noalign,libcall:-1:noalign",
        "-mmemset-strategy=unrolled_loop:64:noalign,libcall:-1:noalign",
    ],
})

COPTS = [
    "-std=c11",
    "-D_GNU_SOURCE",
] + ARITHMETIC + WARNINGS + STRINGS

# The loops made from kernels/ops.def convert between every pair of C types on purpose. Nobody unwinds
# a stack through them: without its tables the program is smaller.
LOOP_COPTS = COPTS + [
    "-Wno-conversion",
    "-Wno-pass-failed",
    "-Wno-psabi",
    "-fno-asynchronous-unwind-tables",
]
