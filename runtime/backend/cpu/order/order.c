/* The CPU's entries about the order of elements (runtime/backend/order.h). */
#include "runtime/backend/cpu/order/order_int.h"

const gx_order_calls gx_cpu_order = {
    .sorts = gx_cpu_sorts,
    .sort = gx_cpu_sort,
    .part = gx_cpu_part,
    .search = gx_cpu_search,
    .select = gx_cpu_select,
    .takes_ranks = gx_cpu_takes_ranks,
    .takes_bins = gx_cpu_takes_bins,
    .extent = gx_cpu_extent,
    .histogram = gx_cpu_histogram,
    .count = gx_cpu_count,
    .weighted_bincount = gx_cpu_weighted_bincount,
    .count_runs = gx_cpu_count_runs,
    .write_runs = gx_cpu_write_runs,
    .tally = gx_cpu_tally,
    .write_tally = gx_cpu_write_tally,
    .members = gx_cpu_members,
};
