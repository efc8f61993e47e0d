/* Which texts of stdlib/python/modules and stdlib/python/everyday are modules of Python, or add
   names to one that has rows in C; and the course, stdlib/learn. They are parsed when they are
   first imported, and cost nothing before. */
#include "stdlib/library/python_modules.h"

#include <string.h>

#include "stdlib/library/texts.h"

static const gx_text_module modules[] = {
    {"gxlearn", "main", gx_library_text_learn},
    {"random", "SystemRandom", gx_library_text_python_random},
    {"json.encoder", "JSONEncoder", gx_library_text_python_json_encoder},
    {"json.decoder", "JSONDecodeError", gx_library_text_python_json_decoder},
    {"json", "load", gx_library_text_python_json},
    {"struct", "Struct", gx_library_text_python_struct},
    {"binascii", "b2a_qp", gx_library_text_python_binascii},
    {"base64", "decodebytes", gx_library_text_python_base64},
    {"string", "Formatter", gx_library_text_python_string},
    {"textwrap", "indent", gx_library_text_python_textwrap},
    {"csv", "Sniffer", gx_library_text_python_csv},
    {"shlex", "quote", gx_library_text_python_shlex},
    {"secrets", "token_urlsafe", gx_library_text_python_secrets},
    {"uuid", "NAMESPACE_X500", gx_library_text_python_uuid},
    {"difflib", "HtmlDiff", gx_library_text_python_difflib},
    {"pprint", "PrettyPrinter", gx_library_text_python_pprint},
    {"zlib", "decompressobj", gx_library_text_python_zlib},
    {"gzip", "open", gx_library_text_python_gzip},
    {"html", "unescape", gx_library_text_python_html},
    {"pickle", "loads", gx_library_text_python_pickle},
    {"html.entities", "entitydefs", gx_library_text_python_html_entities},
    {"re", "Scanner", gx_library_text_python_re},
    {"re._parser", "_build", gx_library_text_python_re_parser},
    {"heapq", "nlargest", gx_library_text_python_heapq},
    {"numbers", "Integral", gx_library_text_python_numbers},
    {"datetime", "timezone", gx_library_text_python_datetime},
    {"_strptime", "_iso_time", gx_library_text_python_strptime},
    {"fractions", "Fraction", gx_library_text_python_fractions},
    {"statistics", "NormalDist", gx_library_text_python_statistics},
    {"hashlib", "pbkdf2_hmac", gx_library_text_python_hashlib},
    {"timeit", "Timer", gx_library_text_python_timeit},
    {"traceback", "clear_frames", gx_library_text_python_traceback},
    {"types", "resolve_bases", gx_library_text_python_types},
    {"inspect", "signature", gx_library_text_python_inspect},
    {"copy", "replace", gx_library_text_python_copy},
    {"importlib", "invalidate_caches", gx_library_text_python_importlib},
    {"contextlib", "contextmanager", gx_library_text_python_contextlib},
    {"dataclasses", "dataclass", gx_library_text_python_dataclasses},
    {"enum", "Enum", gx_library_text_python_enum},
    {"functools", "total_ordering", gx_library_text_python_functools},
    {"typing", "Any", gx_library_text_python_typing},
    {"__future__", "annotations", gx_library_text_python_future},
};

const gx_text_module *gx_text_module_find(const char *module) {
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strcmp(modules[i].module, module) == 0) return &modules[i];
    return NULL;
}
