#include "runtime/backend/beside.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gx_beside(const char *tail, char *path, size_t room) {
    static const char own = 0; /* an address in the file */
    Dl_info info;
    struct link_map *map = NULL;
    const char *file = "/proc/self/exe"; /* the program has no name among the loaded files */
    if (dladdr1(&own, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0])
        file = map->l_name;
    char *real = realpath(file, NULL);
    const char *slash = real ? strrchr(real, '/') : NULL;
    int n = slash ? snprintf(path, room, "%.*s%s", (int)(slash - real), real, tail) : -1;
    free(real);
    return n > 0 && (size_t)n < room;
}
