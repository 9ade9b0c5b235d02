// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contenders.hpp"

#include <gpuprim/transform.cuh>

namespace {

using bench::stream_task;

cudaError_t enqueue(const bench::stream_problem& problem, const bench::stream_pass& p, cudaStream_t s) {
  return bench::with_type(problem.type, [&]<class T>() -> cudaError_t {
    const gpuprim::options how{.stream = s};
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<T*>(p.out);
    constexpr bool is_float = std::is_same_v<T, float>, is_number = std::is_arithmetic_v<T>;
    switch (problem.task) {
      case stream_task::copy:
        return gpuprim::copy(in, p.n, out, how);
      case stream_task::transform:
        return gpuprim::transform(in, p.n, out, bench::scale_it{}, how);
      case stream_task::fill:
        return gpuprim::fill(out, p.n, bench::filling<T>(), how);
      case stream_task::reverse:
        return gpuprim::reverse(in, p.n, out, how);
      case stream_task::difference:
        if constexpr (is_number) return gpuprim::adjacent_difference(in, p.n, out, bench::subtract_them{}, how);
        break;
      default:
        if constexpr (is_float) {
          const auto* const second = static_cast<const float*>(p.second);
          const auto* const index = static_cast<const int*>(p.second);
          auto* const position = static_cast<int*>(p.out);
          const auto both = gpuprim::inputs(in, second);
          if (problem.task == stream_task::add) return gpuprim::transform(both, p.n, out, bench::add_them{}, how);
          if (problem.task == stream_task::transform_if) {
            return gpuprim::transform_if(in, p.n, out, bench::scale_it{}, bench::is_small{}, how);
          }
          if (problem.task == stream_task::gather) return gpuprim::gather(in, index, p.n, out, how);
          if (problem.task == stream_task::for_each) return gpuprim::for_each(p.n, bench::write_index{out}, how);
          return gpuprim::lower_bound(in, p.n, second, p.n, position, gpuprim::detail::comes_before{}, how);
        }
    }
    return cudaErrorNotSupported;
  });
}

const bench::enter_stream_contender entered({"gpuprim", enqueue});

}  // namespace
