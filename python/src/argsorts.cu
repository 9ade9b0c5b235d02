// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/sort.cuh>

#include "core.hpp"

namespace gpuprim_python {
namespace {

struct places_in_row : input_of<places_in_row, std::int64_t> {
  std::int64_t columns;
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return i % columns; }
};

}  // namespace

void argsort_rows(int type, address in, address sorted, address positions, std::int64_t rows, std::int64_t columns,
                  place at) {
  const scope on("argsort", at);
  const std::int64_t n = rows * columns;
  visit(numbers{}, type, "argsort", [&]<class T>(T*) {
    const input<T> from(in, n);
    const output<T> to(sorted, n);
    const output<std::int64_t> places(positions, n);
    const gpuprim::positions<std::int64_t> in_array;
    const cudaError_t error = rows == 1 ? gpuprim::sort_pairs(from.get(), in_array, n, to.get(), places.get(), on.how())
                                        : gpuprim::segmented_sort_pairs(from.get(), places_in_row{{}, columns},
                                                                        gpuprim::fixed_length{columns}, rows, to.get(),
                                                                        places.get(), on.how());
    check("argsort", error);
    to.keep();
    places.keep();
  });
}

}  // namespace gpuprim_python
