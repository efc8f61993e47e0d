/* Includes a header of a target that is only an indirect dependency: --config=clang must refuse. */
#include "runtime/base/rt.h"
