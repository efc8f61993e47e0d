/* Includes another folder's private header: --config=clang must refuse it. */
#include "lexer/lexer_int.h"
