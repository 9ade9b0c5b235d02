// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/merge/merge_call.cuh>
#include <gpuprim/device/merge/search_kernel.cuh>
#include <gpuprim/device/merge/set_kernel.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The workspace of a set operation of two arrays that have n elements together.
template <merge_policy Policy, class T>
constexpr std::int64_t set_workspace_bytes(std::int64_t n) {
  return set_look_back::bytes(set_shape<Policy, T>::count_tiles(n < 0 ? 0 : n));
}

/// The most elements of a result.
constexpr std::int64_t most_of(set_operation operation, std::int64_t a_count, std::int64_t b_count) {
  if (operation == set_operation::make_union) return a_count + b_count;
  return operation == set_operation::make_difference || a_count < b_count ? a_count : b_count;
}

template <merge_policy Policy, set_operation Operation, class A, class B, class Out, class CountOut, class Less>
outcome run_set_operation(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count, const Out& out,
                          const CountOut& count_out, const Less& less, const options& how) {
  const auto order = detail::find_merge_order<A, B>(less);
  static_assert(outputs_for<Out, input_value<A>>,
                "gpuprim::set_union, set_intersection, set_difference: the output must take elements");
  static_assert(output_for<CountOut, std::int64_t>,
                "gpuprim::set_union, set_intersection, set_difference: the output of the count must take an integer");
  const merge_inputs in{key_array{detail::as_constant(a)}, key_array{detail::as_constant(b)}, a_count, b_count};
  const auto to = detail::unwrap_contiguous(out);
  const auto count = detail::unwrap_contiguous(count_out);
  using shape = set_shape<Policy, input_value<A>>;
  constexpr std::int64_t most_tiles = tile_order::most_tiles;
  if (const outcome bad =
          detail::check_merged(in.a.keys, a_count, in.b.keys, b_count, (most_tiles - 1) * shape::tile_items);
      bad.failed()) {
    return bad;
  }
  const std::int64_t most = detail::most_of(Operation, a_count, b_count);
  if (const outcome bad = detail::check_results(to, most); bad.failed()) return bad;
  if (const outcome bad = detail::check_count_output(count); bad.failed()) return bad;
  if (detail::begins_within(to, in.a.keys, a_count) || detail::begins_within(to, in.b.keys, b_count)) {
    return {cudaErrorInvalidValue, "an output overlaps an input"};
  }
  if (detail::overlap(count, 1, in.a.keys, a_count) || detail::overlap(count, 1, in.b.keys, b_count)) {
    return {cudaErrorInvalidValue, "the count lies in the input"};
  }
  const auto run = [&](const auto& pairs) -> outcome {
    using pass_type =
        set_pass<shape, Operation, std::remove_cvref_t<decltype(pairs)>, std::remove_const_t<decltype(to)>,
                 std::remove_const_t<decltype(count)>, std::remove_const_t<decltype(order)>>;
    constexpr auto kernel = &set_kernel<pass_type>;
    const std::int64_t n = a_count + b_count, tiles = shape::count_tiles(n);
    constexpr int shared_bytes = int(sizeof(set_shared<shape, input_value<A>>));
    const found_shape found = detail::find_shape<kernel, 0, shared_bytes>(tiles, shape::block_size);
    if (found.error != cudaSuccess) return {found.error};
    memory_lease lease(set_look_back::bytes(tiles), how);
    if (lease.error()) return lease.refusal();
    const pass_type pass{pairs, to, count, order, n, int(tiles), set_look_back::lay_over(lease.zeroed(), tiles)};
    if (tiles == 0) return lease.finish(gpuprim::launch(found.when, kernel, found.grid, how, pass));
    return lease.finish(detail::launch_behind_search<kernel>(found, pass, tiles, how));
  };
  if constexpr (Operation == set_operation::make_union) return run(in);
  else return run(merge_inputs{in.b, in.a, b_count, a_count});
}

}  // namespace gpuprim::detail
