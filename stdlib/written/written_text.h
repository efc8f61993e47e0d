/* The texts of stdlib/written/: functions of the library that are written in gx. tools/embed makes
   stdlib/written/written_text.c of them. */
#ifndef GX_STDLIB_WRITTEN_WRITTEN_TEXT_H
#define GX_STDLIB_WRITTEN_WRITTEN_TEXT_H

extern const char gx_written_text_numpy_einsum_path[];
extern const char gx_written_text_numpy_emath[];
extern const char gx_written_text_numpy_extras[];
extern const char gx_written_text_numpy_nditer[];
extern const char gx_written_text_numpy_polynomial[];
extern const char gx_written_text_numpy_polynomial_class[];
extern const char gx_written_text_numpy_polyutils[];
extern const char gx_written_text_exception_groups[];
extern const char gx_written_text_memoryview[];
extern const char gx_written_text_namedtuple[];
extern const char gx_written_text_collections_abc[];
extern const char gx_written_text_importlib[];
extern const char gx_written_text_collections_user[];
extern const char gx_written_text_traceback[];
extern const char gx_written_text_types[];
extern const char gx_written_text_scipy_factor[];
extern const char gx_written_text_scipy_matrix_functions[];
extern const char gx_written_text_scipy_matrices[];
extern const char gx_written_text_scipy_systems[];
extern const char gx_written_text_scipy_design[];
extern const char gx_written_text_scipy_filters[];
extern const char gx_written_text_scipy_fir[];
extern const char gx_written_text_scipy_spectra[];
extern const char gx_written_text_scipy_windows[];
extern const char gx_written_text_scipy_morphology[];
extern const char gx_written_text_scipy_orthogonal[];

#endif
