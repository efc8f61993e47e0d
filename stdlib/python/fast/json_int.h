/* json: what json_read.c and json_write.c show to json.gx. */
#ifndef GX_STDLIB_PYTHON_FAST_JSON_INT_H
#define GX_STDLIB_PYTHON_FAST_JSON_INT_H

#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

bool gx_json_scan(gx_call *c, gx_value *out);

#endif
