/* The command line's options, and the environment's switches by name. Options that a lower layer
   reads as a switch are put into the environment here; nothing else is done with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"
#include "interp/embed/tools.h"

extern char **environ;

static const char usage[] =
    "usage: gx [options] [script | -] [arguments]\n"
    "       gx test [options] PATH...      (gx test --help)\n"
    "       gx explain CODE...\n"
    "       gx learn [LESSON]\n"
    "       gx fmt [--check] FILE...\n"
    "       gx check [--json] FILE...\n"
    "       gx lsp\n"
    "       gx debug [-c COMMAND] FILE [arguments]\n"
    "       gx dap\n"
    "\n"
    "Without a script: the prompt on a terminal, else the program is read from standard input.\n"
    "A script whose name ends in .gxin holds entries of the prompt.\n"
    "Options that have a value, --cpu, --no-python and --profile may stand before a verb too.\n"
    "\n"
    "  -c CODE     run CODE; what follows are its arguments\n"
    "  -p CODE     run CODE and print the value of its last expression\n"
    "  -m MODULE   run a module, or __main__ of a package, as a program\n"
    "  -i          go to the prompt after the script\n"
    "  -q          no banner\n"
    "  --no-edit   a plain prompt, without the line editor\n"
    "  --no-init   without the file ~/.config/gx/init.gx, which the prompt runs first\n"
    "  --errors=short|normal|teach   how much messages say (normal)\n"
    "  --color=auto|always|never     colours (auto: on a terminal; NO_COLOR, FORCE_COLOR)\n"
    "  --device D  compute on D: cpu, cuda, cuda:N; the GPU, if there is one, without it\n"
    "  --cpu       the same as --device cpu\n"
    "  --require-gpu  end with status 4 where there is no GPU to use\n"
    "  --numpy=gpu let np make arrays on the default device\n"
    "  --checked=off  kernels of the script do not watch their accesses on the GPU\n"
    "  --profile      tell on stderr where the time went, line by line\n"
    "  --max-time T   end with status 124 after T seconds (also 500ms, 1.5, 10m, 2h)\n"
    "  --max-steps N  end after N calls and rounds of loops (also 1e6, 5M)\n"
    "  --max-mem N    bytes that the program may take (also 512M, 20G, 1e8)\n"
    "  --max-gpu-mem N  bytes of arrays on the GPU\n"
    "  --safe      no files, no environment, and where the kernel can no network and programs\n"
    "  --no-python no module is taken from an installed Python\n"
    "  --doctor    say what computing on a GPU and Python's modules need and what is there\n"
    "  --version   print the version\n"
    "  --help      print this\n"
    "\n"
    "Exit status: 0; 1 an error of the script; 2 a command line that makes no sense, or no such\n"
    "script; 3 a mistake of gx itself; 4 no GPU; 5 the GPU was lost; 124 the time was up; n after\n"
    "exit(n); 130 after Ctrl-C.\n";

static int misused(const char *what, const char *text) {
    fprintf(stderr, "gx: %s '%s'\nTry 'gx --help'.\n", what, text);
    return 2;
}

/* --- values of options --------------------------------------------------------------------- */

/* Puts a limit into the environment as a switch; the exit status or -1. */
static int put_amount(const char *option, const char *text, const char *name) {
    const char *wanted = gx_tool_amount(name, text);
    if (wanted) {
        fprintf(stderr, "gx: %s needs %s, not '%s'\nTry 'gx --help'.\n", option, wanted, text);
        return 2;
    }
    setenv(name, text, 1);
    return -1;
}

static int set_colour(const char *when) {
    if (strcmp(when, "never") == 0) {
        setenv("NO_COLOR", "1", 1);
    } else if (strcmp(when, "always") == 0) {
        unsetenv("NO_COLOR");
        setenv("FORCE_COLOR", "1", 1);
    } else if (strcmp(when, "auto") != 0) {
        return misused("--color is auto, always or never, not", when);
    }
    return -1;
}

static int set_checked(const char *how) {
    if (strcmp(how, "on") != 0 && strcmp(how, "off") != 0 && strcmp(how, "auto") != 0)
        return misused("--checked is on, off or auto, not", how);
    setenv("GX_CHECKED", how, 1);
    return -1;
}

/* Options with a value: --name=VALUE or --name VALUE. */
typedef enum valued {
    DEVICE,
    ERRORS,
    COLOR,
    CHECKED,
    NUMPY,
    MAX_TIME,
    MAX_STEPS,
    MAX_MEM,
    MAX_GPU_MEM
} valued;
static const char *const valued_names[] = {
    [DEVICE] = "--device",   [ERRORS] = "--errors",
    [COLOR] = "--color",     [CHECKED] = "--checked",
    [NUMPY] = "--numpy",     [MAX_TIME] = "--max-time",
    [MAX_STEPS] = "--max-steps", [MAX_MEM] = "--max-mem",
    [MAX_GPU_MEM] = "--max-gpu-mem"};
enum { VALUED = sizeof valued_names / sizeof *valued_names };

static int take_value(valued which, const char *v, gx_cli *o) {
    switch (which) {
    case DEVICE:
        setenv("GX_DEVICE", v, 1);
        return -1;
    case ERRORS:
        if (strcmp(v, "short") != 0 && strcmp(v, "normal") != 0 && strcmp(v, "teach") != 0)
            return misused("--errors is short, normal or teach, not", v);
        o->errors = v;
        return -1;
    case COLOR:
        return set_colour(v);
    case CHECKED:
        return set_checked(v);
    case NUMPY:
        if (strcmp(v, "gpu") != 0 && strcmp(v, "host") != 0)
            return misused("--numpy is gpu or host, not", v);
        setenv("GX_NUMPY", v, 1);
        return -1;
    case MAX_TIME:
        return put_amount("--max-time", v, "GX_MAX_SECONDS");
    case MAX_STEPS:
        return put_amount("--max-steps", v, "GX_MAX_STEPS");
    case MAX_MEM:
        return put_amount("--max-mem", v, "GX_MAX_MEMORY");
    case MAX_GPU_MEM:
        return put_amount("--max-gpu-mem", v, "GX_GPU_MEMORY");
    }
    return -1;
}

/* --- the options --------------------------------------------------------------------------- */

static const char *const plain_names[] = {"-c",       "-p",    "-m", "-i",        "-q",
                                          "-h",       "-V",    "--help",    "--version",
                                          "--doctor", "--cpu", "--no-edit", "--no-init",
                                          "--require-gpu", "--safe", "--no-python",
                                          "--jupyter", "--profile"};

static int bad_option(const char *text) {
    const char *names[VALUED + sizeof plain_names / sizeof *plain_names];
    char word[64];
    size_t n = 0;
    for (; n < VALUED; n++) names[n] = valued_names[n];
    for (size_t i = 0; i < sizeof plain_names / sizeof *plain_names; i++)
        names[n++] = plain_names[i];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, "="), text);
    const char *near = strlen(word) > 3 ? gx_tool_near(word, names, n) : NULL;
    fprintf(stderr, "gx: unknown option '%s'", text);
    if (near) fprintf(stderr, "; did you mean '%s'?", near);
    fputs("\nTry 'gx --help'.\n", stderr);
    return 2;
}

static int not_yet(const char *option) {
    fprintf(stderr, "gx: %s: not yet\n", option);
    return 2;
}

/* An option without a value; -2: it is none of them. */
static int read_plain(const char *a, gx_cli *o) {
    if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (strcmp(a, "-V") == 0 || strcmp(a, "--version") == 0) {
        printf("gx %s\n", gx_version());
        return 0;
    }
    if (strcmp(a, "--jupyter") == 0) return not_yet(a);
    if (strcmp(a, "-i") == 0)
        o->interactive = true;
    else if (strcmp(a, "-q") == 0)
        o->quiet = true;
    else if (strcmp(a, "--doctor") == 0)
        o->doctor = true;
    else if (strcmp(a, "--require-gpu") == 0)
        o->require_gpu = true;
    else if (strcmp(a, "--cpu") == 0)
        setenv("GX_DEVICE", "cpu", 1);
    else if (strcmp(a, "--safe") == 0)
        o->safe = true;
    else if (strcmp(a, "--no-python") == 0)
        setenv("GX_PYTHON", "none", 1);
    else if (strcmp(a, "--no-edit") == 0)
        setenv("GX_EDIT", "0", 1);
    else if (strcmp(a, "--no-init") == 0)
        o->no_init = true;
    else if (strcmp(a, "--profile") == 0)
        setenv("GX_PROFILE", "1", 1);
    else
        return -2;
    return -1;
}

/* The same for one with a value, which may be the next argument. */
static int read_valued(int argc, char **argv, int *i, gx_cli *o) {
    const char *a = argv[*i];
    for (int k = 0; k < VALUED; k++) {
        size_t n = strlen(valued_names[k]);
        if (strncmp(a, valued_names[k], n) != 0 || (a[n] && a[n] != '=')) continue;
        if (a[n]) return take_value((valued)k, a + n + 1, o);
        if (*i + 1 < argc) return take_value((valued)k, argv[++*i], o);
        fprintf(stderr, "gx: option %s needs a value\nTry 'gx --help'.\n", a);
        return 2;
    }
    return bad_option(a);
}

int gx_cli_read(int argc, char **argv, gx_cli *o) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--") == 0) {
            i++;
            break;
        }
        if (strcmp(a, "-c") == 0 || strcmp(a, "-p") == 0 || strcmp(a, "-m") == 0) {
            if (i + 1 == argc) {
                fprintf(stderr, "gx: option %s needs %s to run\nTry 'gx --help'.\n", a,
                        a[1] == 'm' ? "the module" : "the code");
                return 2;
            }
            o->print = a[1] == 'p';
            o->code = a[1] == 'm' ? "import runpy as _; _._main()" : argv[i + 1];
            o->rest = i + 2 - (a[1] == 'm');
            return -1;
        }
        int status = read_plain(a, o);
        if (status == -2) status = read_valued(argc, argv, &i, o);
        if (status >= 0) return status;
    }
    if (i < argc && strcmp(argv[i], "-") != 0) o->file = argv[i];
    o->standard_input = i < argc && !o->file;
    o->rest = i < argc ? i + 1 : i;
    return -1;
}

/* --- the environment ----------------------------------------------------------------------- */

static const char *const switches[] = {
#define SWITCH(name) #name,
#include "interp/cli/switches.def"
};
enum { SWITCHES = sizeof switches / sizeof *switches };

void gx_cli_check_switches(void) {
    for (char **e = environ; *e; e++) {
        char name[64];
        bool known = false;
        if (strncmp(*e, "GX_", 3) != 0) continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*e, "="), *e);
        for (int i = 0; i < SWITCHES && !known; i++) known = strcmp(name, switches[i]) == 0;
        if (known) continue;
        const char *near = gx_tool_near(name, switches, SWITCHES);
        fprintf(stderr, "gx: warning: %s is not a switch of gx", name);
        if (near) fprintf(stderr, "; did you mean %s?", near);
        fputc('\n', stderr);
    }
}
