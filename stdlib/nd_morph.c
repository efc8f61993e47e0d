/* The rows of stdlib/written/scipy_morphology.gx: scipy.ndimage beside the files nd_*.c: grey
   morphology, generic filters, distances by steps, measures of labels, filters of spectra. */
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_nd_morph_functions[];

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.ndimage.morphology", gx_written_text_scipy_morphology, out);
}

const gx_native gx_nd_morph_functions[] = {
    {"grey_erosion",
     "grey_erosion(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "The least element of each neighbourhood, less the structure's heights.",
     "grey_erosion([4, 1, 5, 9], 3)  # [1 1 1 5]",
     written_fn, 0, 0},
    {"grey_dilation",
     "grey_dilation(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "The greatest element of each neighbourhood, with the structure's heights.",
     "grey_dilation([4, 1, 5, 9], 3)  # [4 5 9 9]",
     written_fn, 0, 0},
    {"grey_opening",
     "grey_opening(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "Erosion, then dilation: what is bright and small goes.",
     "grey_opening([1, 9, 1, 1], 3)  # [1 1 1 1]",
     written_fn, 0, 0},
    {"grey_closing",
     "grey_closing(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "Dilation, then erosion: what is dark and small goes.",
     "grey_closing([5, 1, 5, 5], 3)  # [5 5 5 5]",
     written_fn, 0, 0},
    {"morphological_gradient",
     "morphological_gradient(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "Dilation less erosion.",
     "morphological_gradient([1, 1, 5, 5], 3)  # [0 4 4 0]",
     written_fn, 0, 0},
    {"morphological_laplace",
     "morphological_laplace(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "Dilation and erosion, less twice the image.",
     "morphological_laplace([1, 1, 5, 5], 3)  # [ 0  4 -4  0]",
     written_fn, 0, 0},
    {"white_tophat",
     "white_tophat(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "The image less its opening: what is bright and small.",
     "white_tophat([1, 9, 1, 1], 3)  # [0 8 0 0]",
     written_fn, 0, 0},
    {"black_tophat",
     "black_tophat(input, size=None, footprint=None, structure=None, output=None, "
     "mode='reflect', cval=0.0, origin=0, *, axes=None)",
     "The closing less the image: what is dark and small.",
     "black_tophat([5, 1, 5, 5], 3)  # [0 4 0 0]",
     written_fn, 0, 0},
    {"binary_hit_or_miss",
     "binary_hit_or_miss(input, structure1=None, structure2=None, output=None, origin1=0, "
     "origin2=None, *, axes=None)",
     "Where structure1 fits the image and structure2 what is not the image.",
     "binary_hit_or_miss([0, 1, 0, 1, 1], [0, 1, 0])  # [False  True False False False]",
     written_fn, 0, 0},
    {"iterate_structure",
     "iterate_structure(structure, iterations, origin=None)",
     "A structure dilated by itself so many times less one.",
     "iterate_structure([1, 1, 1], 2)  # [ True  True  True  True  True]",
     written_fn, 0, 0},
    {"generic_filter",
     "generic_filter(input, function, size=None, footprint=None, output=None, mode='reflect', "
     "cval=0.0, origin=0, extra_arguments=(), extra_keywords=None, *, axes=None)",
     "A function of the elements of each neighbourhood.",
     "generic_filter([1.0, 4.0, 2.0], max, 3)  # [4. 4. 4.]",
     written_fn, 0, 0},
    {"generic_filter1d",
     "generic_filter1d(input, function, filter_size, axis=-1, output=None, mode='reflect', "
     "cval=0.0, origin=0, extra_arguments=(), extra_keywords=None)",
     "A function that fills each line from the line with what lies beyond its ends.",
     "generic_filter1d([1.0, 2.0], lambda i, o: o.__setitem__(slice(None), i[1:-1] * 2), 3)  # "
     "[2. 4.]",
     written_fn, 0, 0},
    {"generic_laplace",
     "generic_laplace(input, derivative2, output=None, mode='reflect', cval=0.0, "
     "extra_arguments=(), extra_keywords=None, *, axes=None)",
     "The sum of second derivatives along the axes, each by a function.",
     "generic_laplace(array([1.0, 4.0, 9.0]), lambda x, axis, *rest: x * 2)  # [ 2.  8. 18.]",
     written_fn, 0, 0},
    {"generic_gradient_magnitude",
     "generic_gradient_magnitude(input, derivative, output=None, mode='reflect', cval=0.0, "
     "extra_arguments=(), extra_keywords=None, *, axes=None)",
     "The length of the gradient, whose parts a function gives.",
     "generic_gradient_magnitude([1.0, 4.0, 9.0], cupyx.scipy.ndimage.sobel)  # [3. 8. 5.]",
     written_fn, 0, 0},
    {"labeled_comprehension",
     "labeled_comprehension(input, labels, index, func, out_dtype, default, "
     "pass_positions=False)",
     "A function of the elements of each label.",
     "labeled_comprehension(array([1, 2, 3, 4]), array([1, 1, 0, 2]), [1, 2], lambda x: "
     "x.sum(), 'int64', 0)  # [3 4]",
     written_fn, 0, 0},
    {"median",
     "median(input, labels=None, index=None)",
     "The median of each label's elements.",
     "median([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [1.5 4. ]",
     written_fn, 0, 0},
    {"extrema",
     "extrema(input, labels=None, index=None)",
     "Least and greatest elements of each label, and where they are.",
     "extrema([3, 1, 2])[:2]  # (1, 3)",
     written_fn, 0, 0},
    {"histogram",
     "histogram(input, min, max, bins, labels=None, index=None)",
     "How many elements fall into each of equal bins, of each label.",
     "histogram([0.5, 1.5, 1.7], 0, 2, 2)  # [1 2]",
     written_fn, 0, 0},
    {"value_indices",
     "value_indices(arr, *, ignore_value=None)",
     "The positions of each value that the image has.",
     "value_indices(array([1, 0, 1]))[1]  # (array([0, 2]),)",
     written_fn, 0, 0},
    {"distance_transform_bf",
     "distance_transform_bf(input, metric='euclidean', sampling=None, return_distances=True, "
     "return_indices=False, distances=None, indices=None)",
     "The distance of each element that is not zero to the nearest zero, in a metric.",
     "distance_transform_bf([0, 1, 1, 1, 0], 'taxicab')  # [0 1 2 1 0]",
     written_fn, 0, 0},
    {"distance_transform_cdt",
     "distance_transform_cdt(input, metric='chessboard', return_distances=True, "
     "return_indices=False, distances=None, indices=None)",
     "The number of steps from each element that is not zero to the nearest zero.",
     "distance_transform_cdt([0, 1, 1, 1, 0])  # [0 1 2 1 0]",
     written_fn, 0, 0},
    {"geometric_transform",
     "geometric_transform(input, mapping, output_shape=None, output=None, order=3, "
     "mode='constant', cval=0.0, prefilter=True, extra_arguments=(), extra_keywords=None)",
     "An image whose elements lie where a function of their position says.",
     "geometric_transform([1.0, 2.0, 3.0], lambda p: (p[0] - 1,), order=1)  # [0. 1. 2.]",
     written_fn, 0, 0},
    {"fourier_gaussian",
     "fourier_gaussian(input, sigma, n=-1, axis=-1, output=None)",
     "A spectrum times that of a bell.",
     "fourier_gaussian([1.0, 1.0], 1.0).round(6)  # [1.       0.007192]",
     written_fn, 0, 0},
    {"fourier_uniform",
     "fourier_uniform(input, size, n=-1, axis=-1, output=None)",
     "A spectrum times that of a box.",
     "fourier_uniform([1.0, 1.0], 2.0).round(6) + 0  # [1. 0.]",
     written_fn, 0, 0},
    {"fourier_shift",
     "fourier_shift(input, shift, n=-1, axis=-1, output=None)",
     "A spectrum turned so that its image is shifted.",
     "fourier_shift([1.0, 1.0], 1.0).real.round(6)  # [ 1. -1.]",
     written_fn, 0, 0},
    {.name = NULL},
};
