# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, top-k, scans, reductions, selections, segments, histograms and sets of arrays on a GPU or in host memory.

Arrays of NumPy, PyTorch, CuPy, JAX and Numba go in, and results are arrays of the same library, on the stream that it
currently uses. Arrays in host memory are worked on by the host SIMT device, which runs the kernels on the processor: it
is for tests where there is no GPU, not for speed.

`reduce`, `scan`, `select_if` and `transform` take an operator of the caller's as CUDA text, which they compile when it
is used first.

A wrong dtype raises a TypeError and other wrong arguments a ValueError, before anything is launched. An error of CUDA
raises a CudaError.
"""

from ._calls import (argmax, argmin, argsort, bincount, cummax, cummin, cumprod, cumsum, dot, histogram, intersect1d,
                     max, mean, merge, min, nonzero, norm, partition, reduce_by_key, run_lengths, searchsorted,
                     segment_reduce, segment_sort, select, setdiff1d, sort, sort_by_key, sum, topk, transpose, union1d,
                     unique, unique_consecutive, var)
from ._errors import CudaError
from ._operators import reduce, scan, select_if, transform

__all__ = ["CudaError", "argmax", "argmin", "argsort", "bincount", "cummax", "cummin", "cumprod", "cumsum", "dot",
           "histogram", "intersect1d", "max", "mean", "merge", "min", "nonzero", "norm", "partition", "reduce", "reduce_by_key",
           "run_lengths", "scan", "searchsorted", "segment_reduce", "segment_sort", "select", "select_if",
           "setdiff1d", "sort", "sort_by_key", "sum", "topk", "transform", "transpose", "union1d", "unique",
           "unique_consecutive", "var"]
