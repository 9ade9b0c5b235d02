// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other launch shapes of gpuprim's streaming passes, of f32: to choose the row of policy/transform_policy.hpp by.
#include "contenders.hpp"

#include <gpuprim/transform.cuh>

namespace {

namespace detail = gpuprim::detail;
using bench::stream_task;

template <gpuprim::transform_policy Policy>
cudaError_t enqueue(const bench::stream_problem& problem, const bench::stream_pass& p, cudaStream_t s) {
  if (problem.type != bench::stream_type::f32) return cudaErrorNotSupported;
  const gpuprim::options how{.stream = s};
  const auto* const in = static_cast<const float*>(p.in);
  const auto* const second = static_cast<const float*>(p.second);
  auto* const out = static_cast<float*>(p.out);
  const auto outs = detail::make_bundle(out);
  switch (problem.task) {
    case stream_task::copy:
      return detail::copy_elements<Policy>(in, p.n, out, how).report();
    case stream_task::transform:
      return detail::run_transform<Policy>(detail::make_bundle(in), p.n, outs, bench::scale_it{}, how).report();
    case stream_task::add:
      return detail::run_transform<Policy>(detail::make_bundle(in, second), p.n, outs, bench::add_them{}, how).report();
    case stream_task::fill:
      return detail::run_transform<Policy>(detail::bundle<>{}, p.n, outs, detail::constant<float>{77}, how).report();
    case stream_task::difference:
      return detail::run_adjacent_difference<Policy>(in, p.n, out, bench::subtract_them{}, how).report();
    default:
      return cudaErrorNotSupported;
  }
}

template <int BlockSize, int ThreadBytes, int SpreadBlocks>
void enter() {
  // A copy takes its elements as bytes, and has many of them in a thread.
  constexpr gpuprim::transform_policy policy{BlockSize, ThreadBytes, ThreadBytes, 128, SpreadBlocks};
  const std::string name = "block " + std::to_string(BlockSize) + ", " + std::to_string(ThreadBytes) + " B, spread " +
                           std::to_string(SpreadBlocks);
  bench::stream_contenders().push_back({name, enqueue<policy>, true});
}

const bool entered = [] {
  const auto enter_sizes = []<int BlockSize>(std::integral_constant<int, BlockSize>) {
    enter<BlockSize, 16, 4>();
    enter<BlockSize, 32, 4>();
    enter<BlockSize, 64, 4>();
    enter<BlockSize, 128, 4>();
  };
  enter_sizes(std::integral_constant<int, 128>{});
  enter_sizes(std::integral_constant<int, 256>{});
  enter_sizes(std::integral_constant<int, 512>{});
  enter<256, 64, 1>();
  enter<256, 64, 2>();
  enter<256, 64, 8>();
  return true;
}();

}  // namespace
