# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tour of gpuprim for Python, cell by cell. It runs on arrays of NumPy in host memory; on a GPU pass arrays of
PyTorch, CuPy or JAX. docs/python.md shows the cells, and a test of python/tests runs them."""

# %% The first call
# [first]
import numpy as np

import gpuprim

delays = np.array([7.5, -3.0, 120.0, 0.0, 42.5, -8.0], np.float32)

print(gpuprim.sort(delays))  # [ -8.   -3.    0.    7.5  42.5 120. ]
worst, flights = gpuprim.topk(delays, 2)
print(worst, flights)  # [120.   42.5] [2 4]
# [first]
assert worst.tolist() == [120.0, 42.5] and flights.tolist() == [2, 4]

# %% Rows
# [rows]
days = np.array([[3, 1, 2], [9, 7, 8]], np.int32)

print(gpuprim.cumsum(days))  # [[ 3  4  6] [ 9 16 24]]
print(gpuprim.argsort(days, descending=True))  # [[0 2 1] [0 2 1]]
print(gpuprim.max(days, axis=-1), gpuprim.max(days))  # [3 9] 9
# [rows]
assert gpuprim.cumsum(days).tolist() == [[3, 4, 6], [9, 16, 24]]
assert gpuprim.max(days, axis=-1).tolist() == [3, 9] and gpuprim.max(days) == 9

# %% Memory of the caller's
# [out]
buffer = np.empty_like(delays)
gpuprim.sort(delays, out=buffer)  # nothing is allocated for the result
gpuprim.cumsum(buffer, out=buffer)  # in place, because the dtypes are the same
# [out]
assert buffer[-1] == delays.sum()

# %% Selections
# [select]
late = delays > 5
print(gpuprim.select(delays, late))  # [  7.5 120.   42.5]
print(gpuprim.nonzero(late))  # (array([0, 2, 4]),)
kept, dropped = gpuprim.partition(delays, late)  # both in their order
# [select]
assert kept.tolist() == [7.5, 120.0, 42.5] and dropped.tolist() == [-3.0, 0.0, -8.0]

# %% Segments and keys
# [segments]
offsets = np.array([0, 2, 2, 6])  # segments of 2, 0 and 4 elements
print(gpuprim.segment_reduce(delays, offsets))  # [  4.5   0.  154.5]
print(gpuprim.segment_reduce(delays, offsets, "max"))  # [  7.5  -inf 120. ]

airlines = np.array([3, 3, 1, 1, 1, 3], np.int32)
order = gpuprim.argsort(airlines)
keys, totals = gpuprim.reduce_by_key(airlines[order], delays[order])
print(keys, totals)  # [1 3] [162.5  -3.5]
# [segments]
assert keys.tolist() == [1, 3] and totals.tolist() == [162.5, -3.5]

# %% Counts
# [counts]
values, codes, counts = gpuprim.unique(airlines, return_inverse=True, return_counts=True)
print(values, codes, counts)  # [1 3] [1 1 0 0 0 1] [3 3]
print(gpuprim.bincount(airlines))  # [0 3 0 3]
print(gpuprim.histogram(delays, 3, range=(0, 120)))  # (array([2, 1, 1]), array([  0.,  40.,  80., 120.]))
# [counts]
assert gpuprim.bincount(airlines).tolist() == [0, 3, 0, 3]
assert gpuprim.histogram(delays, 3, range=(0, 120))[0].tolist() == [2, 1, 1]

# %% Operators of your own
# [operators]
readings = np.array([0, 3, 0, 0, 5, 0], np.int32)  # 0 where there was none
print(gpuprim.scan(readings, "b != 0 ? b : a"))  # [0 3 3 3 5 5]
print(gpuprim.reduce(delays, "fabsf(a) < fabsf(b) ? b : a", 0))  # 120.0
print(gpuprim.select_if(delays, "x > 5"))  # [  7.5 120.   42.5]

COST = """
__device__ float cost(float minutes) { return minutes > 15 ? 3 * minutes : 0; }
"""
print(gpuprim.transform("cost(x) + y", delays, airlines, preamble=COST))  # [  3. 3. 361. 1. 128.5 3. ]
# [operators]
assert gpuprim.scan(readings, "b != 0 ? b : a").tolist() == [0, 3, 3, 3, 5, 5]
assert gpuprim.transform("x * 2", readings, dtype="float64").dtype == np.float64

# %% Errors
# [errors]
try:
    gpuprim.sort(delays[::2])
except ValueError as error:
    print(error)
try:
    gpuprim.sort(delays.astype(np.complex64))
except TypeError as error:
    print(error)  # gpuprim.sort: has no form for arrays of dtype complex64
# [errors]
