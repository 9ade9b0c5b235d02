// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan.cuh>
#include <gpuprim/device/transform/batched_copy_kernel.cuh>
#include <gpuprim/policy/transform_policy.hpp>

namespace gpuprim::inline v0_2_0 {

/// How much memory `copy_batched` takes of a workspace for so many ranges.
constexpr workspace_size copy_batched_workspace_size(std::int64_t count) {
  return {scan_workspace_bytes<std::int64_t>(count), count * std::int64_t(sizeof(std::int64_t))};
}

namespace detail {

/// Whether a range is copied byte by byte, and what its elements are: those of a pointer to void are bytes.
template <class From, class To>
inline constexpr int bytes_of_element = 0;
template <class T, class U>
  requires(std::is_same_v<const T, const U> && std::is_trivially_copyable_v<U> && !std::is_const_v<U> &&
           !std::is_volatile_v<U>)
inline constexpr int bytes_of_element<T*, U*> = int(sizeof(U));
template <class T>
  requires(std::is_same_v<const T, const void>)
inline constexpr int bytes_of_element<T*, void*> = 1;

template <class To>
inline constexpr int word_bytes_behind = 1;
template <class T>
  requires(!std::is_void_v<T>)
inline constexpr int word_bytes_behind<T*> = alignof(T) < load_bytes ? int(alignof(T)) : load_bytes;

/// Whether elements of ranges may be assigned one by one.
template <class From, class To>
constexpr bool copies_elements() {
  if constexpr (random_access_input<From>) return outputs_for<To, input_value<From>>;
  else return false;
}

template <class Inputs, class Outputs, class Sizes>
constexpr auto make_ranges(const Inputs& inputs, const Outputs& outputs, const Sizes& sizes) {
  using From = input_value<Inputs>;
  using To = input_value<Outputs>;
  constexpr int bytes = bytes_of_element<From, To>;
  if constexpr (bytes > 0) {
    return byte_ranges<bytes, word_bytes_behind<To>, Inputs, Outputs, Sizes>{{sizes}, inputs, outputs};
  } else {
    return element_ranges<Inputs, Outputs, Sizes>{{sizes}, inputs, outputs};
  }
}

template <batch_policy Policy, class Ranges>
outcome copy_ranges(const Ranges& ranges, const element_count& count, const options& how) {
  constexpr auto kernel = &batched_copy_kernel<Policy.block_size, Policy.most_packets, Ranges>;
  const found_shape found = detail::find_shape<kernel>(max_grid_blocks, Policy.block_size);
  if (found.error != cudaSuccess) return {found.error};
  memory_lease lease({0, count.most() * std::int64_t(sizeof(std::int64_t))}, how);
  if (lease.error()) return lease.refusal();
  auto* const ends = reinterpret_cast<std::int64_t*>(lease.scratch());
  const auto copy = [&] {
    constexpr int thread_bytes = Ranges::packet_bytes;
    return detail::launch_main(found, kernel, thread_bytes, how, ranges, count, ends);
  };
  outcome done;
  if (is_dry_run(how)) done = copy();  // the launch that is described is the first
  if (!done.failed()) {
    done = detail::run_scan_from<scan_kind::inclusive, std::int64_t, tuned_scan_policies>(
        packets_of_ranges<Ranges>(ranges), count, ends, plus<>{}, as_it_is{}, nothing{}, how);
  }
  if (!done.failed() && !is_dry_run(how)) done = copy();
  return lease.finish(done);
}

/// Checks the arguments of a copy of many ranges, and makes it.
template <batch_policy Policy, class Inputs, class Outputs, class Sizes>
outcome copy_batched(const Inputs& inputs, const Outputs& outputs, const Sizes& sizes, const element_count& count,
                     const options& how) {
  static_assert(random_access_input<Inputs> && random_access_input<Outputs> && random_access_input<Sizes>,
                "gpuprim::copy_batched: the inputs, the outputs and the sizes must be pointers or random-access "
                "iterators");
  static_assert(std::is_integral_v<input_value<Sizes>>, "gpuprim::copy_batched: the sizes must be integers");
  using From = input_value<Inputs>;
  using To = input_value<Outputs>;
  static_assert(bytes_of_element<From, To> > 0 || detail::copies_elements<From, To>(),
                "gpuprim::copy_batched: each output must take the elements of its input; for bytes both are pointers "
                "to void");
  const auto from = detail::as_constant(inputs);
  const auto to = detail::as_constant(outputs);
  const auto how_many = detail::as_constant(sizes);
  if (const outcome bad = count.validate(); bad.failed()) return bad;
  if (const outcome bad = detail::check_input(from, count.most()); bad.failed()) return bad;
  if (const outcome bad = detail::check_input(to, count.most()); bad.failed()) return bad;
  if (const outcome bad = detail::check_input(how_many, count.most()); bad.failed()) return bad;
  if (count.most() == 0) return {};
  return detail::copy_ranges<Policy>(detail::make_ranges(from, to, how_many), count, how);
}

}  // namespace detail

/// Copies `sizes[i]` elements from `inputs[i]` on to `outputs[i]` on, for each of `count` ranges.
///
/// @pre   `inputs`, `outputs`: pointers or random-access iterators to `count` pointers or iterators, in memory of the
///        device; `sizes`: to as many integers, of which negative ones count as 0. `count` is a number or
///        `element_count{pointer, most}`. Pointers to void are to bytes. No output overlaps an input, another output,
///        or what says how many ranges there are and where they lie.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each element is copied by itself.
/// @cost  two launches: a scan of the sizes, and the copy, in which all threads move as many bytes, whatever the sizes
///        are. Arrays of one type are moved in words of 16 bytes that are aligned in the output; elements of other
///        iterators one by one, and converted as by assignment. Memory: `copy_batched_workspace_size(count)`.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer to the
///        inputs, the outputs or the sizes with count > 0, misaligned ones, negative count, workspace too small. What
///        the pointers in them lead to is not checked.
/// @source cub::DeviceCopy::Batched; Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication",
///         2016.
/// @example examples/library/91_gather.cu
template <class Inputs, class Outputs, class Sizes>
[[nodiscard]] cudaError_t copy_batched(Inputs inputs, Outputs outputs, Sizes sizes, element_count count,
                                       const options& how = {}) {
  return detail::copy_batched<tuned_batch_policy>(inputs, outputs, sizes, count, how).report();
}

}  // namespace gpuprim
