/* Texts that kernels for a GPU are put together from, as they stand in the files of this folder
   (tools/embed makes the strings). The scalar files hold the helpers of ops.def, device.cu what
   every kernel may need, the other .cu files whole kernels. */
#ifndef GX_KERNELS_DEVICE_TEXT_H
#define GX_KERNELS_DEVICE_TEXT_H

extern const char gx_device_text_each_side[];
extern const char gx_device_text_scalar_side[], gx_device_text_scalar[];
extern const char gx_device_text_scalar_int[], gx_device_text_scalar_cplx[];
extern const char gx_device_text_scan[], gx_device_text_batch[], gx_device_text_matmul[];
extern const char gx_device_text_filter[];
extern const char gx_device_text_philox[], gx_device_text_device[], gx_device_text_index[];
extern const char gx_device_text_order[], gx_device_text_ranks[];

#endif
