/* As gx_nd_mode; the grid modes continue the grid of elements, the others the line between them. */
typedef enum gx_warp_mode {
    GX_WARP_REFLECT,
    GX_WARP_NEAREST,
    GX_WARP_MIRROR,
    GX_WARP_CONSTANT,
    GX_WARP_GRID_CONSTANT,
    GX_WARP_WRAP,
    GX_WARP_GRID_WRAP
} gx_warp_mode;
