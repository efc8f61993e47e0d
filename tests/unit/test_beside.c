/* Where libraries of the release archive are looked for. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/beside.h"

Test(beside, begins_in_the_folder_of_the_program) {
    char path[PATH_MAX + 16], program[PATH_MAX];
    cr_assert(realpath("/proc/self/exe", program));
    *strrchr(program, '/') = '\0';
    cr_assert(gx_beside("/../lib/x.so", path, sizeof path));
    size_t n = strlen(program);
    cr_expect(strncmp(path, program, n) == 0 && strcmp(path + n, "/../lib/x.so") == 0, "%s", path);
    cr_expect_not(gx_beside("/x.so", path, n + 5));
    cr_expect(gx_beside("/x.so", path, n + 6));
}
