/* Memory maps whose file has lost bytes (it was made shorter, or its disk is full): touching them
   is no crash but an OSError. */
#ifndef GX_RUNTIME_ARRAY_MAP_FAULT_H
#define GX_RUNTIME_ARRAY_MAP_FAULT_H

#include "runtime/base/rt.h"

typedef struct gx_map_range {
    gx_rt *rt;
    char *from, *to; /* whole pages, mapped */
    struct gx_map_range *next;
} gx_map_range;

/* Between these two calls a page of the range that the file cannot give is replaced by zeros, and
   rt->map_lost is set with rt->interrupted: whatever looks at that raises OSError [map.lost]. */
void gx_map_watch(gx_map_range *range);
void gx_map_unwatch(gx_map_range *range);

#endif
