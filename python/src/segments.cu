// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments that begin at offsets.
#include <gpuprim/segmented_reduce.cuh>

#include "core.hpp"
#include "operators.hpp"

namespace gpuprim_python {

void reduce_segments(int op, int type, address in, std::int64_t n, address offsets, std::int64_t segments, address out,
                     place at) {
  const scope on("segment_reduce", at);
  check_offsets("segment_reduce", offsets, segments, n);
  visit(numbers{}, type, "segment_reduce", [&]<class T>(T*) {
    const input<T> from(in, n);
    const input<std::int64_t> begins(offsets, segments + 1);
    with_reduction<T>(reduction(op), type, [&](auto join, auto init) {
      using result = std::conditional_t<is_float<T>, T, decltype(init)>;
      const output<result> to(out, segments);
      check("segment_reduce",
            gpuprim::segmented_reduce(from.get(), begins.get(), segments, to.get(), join, init, on.how()));
      to.keep();
    });
  });
}

}  // namespace gpuprim_python
