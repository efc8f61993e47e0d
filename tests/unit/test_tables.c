/* The tables of the standard library: within a group of rows a name stands once. A second row of
   the name would never be found, and its function would be dead. */
#include <criterion/criterion.h>
#include <string.h>

#include "runtime/object/native.h"

#define FUNCTIONS(group, table) extern const gx_native table[];
#include "stdlib/modules.def"
#undef FUNCTIONS

typedef struct rows {
    const char *group;
    const gx_native *first;
} rows;

static const rows tables[] = {
#define FUNCTIONS(group, table) {#group, table},
#include "stdlib/modules.def"
#undef FUNCTIONS
};

static const gx_native *find(const gx_native *from, const char *name) {
    while (from->name && strcmp(from->name, name) != 0) from++;
    return from->name ? from : NULL;
}

Test(tables, each_name_once) {
    const size_t n = sizeof tables / sizeof *tables;
    int seen = 0;
    for (size_t i = 0; i < n; i++)
        for (const gx_native *row = tables[i].first; row->name; row++, seen++)
            for (size_t k = i; k < n; k++)
                if (strcmp(tables[i].group, tables[k].group) == 0)
                    cr_expect_null(find(k == i ? row + 1 : tables[k].first, row->name),
                                   "%s has two rows named %s", tables[i].group, row->name);
    cr_expect_gt(seen, 1000);
}
