// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/top_k.cuh>

#include "core.hpp"

namespace gpuprim_python {

void top_k_rows(bool is_largest, int type, address in, address out, address positions, std::int64_t rows,
                std::int64_t columns, std::int64_t k, place at) {
  const scope on("topk", at);
  visit(numbers{}, type, "topk", [&]<class T>(T*) {
    const input<T> from(in, rows * columns);
    const output<T> to(out, rows * k);
    const output<std::int64_t> places(positions, rows * k);
    const auto order = is_largest ? gpuprim::largest.sorted() : gpuprim::smallest.sorted();
    check("topk", gpuprim::segmented_top_k_positions(from.get(), gpuprim::fixed_length{columns}, rows, k, to.get(),
                                                     places.get(), order, on.how()));
    to.keep();
    places.keep();
  });
}

}  // namespace gpuprim_python
