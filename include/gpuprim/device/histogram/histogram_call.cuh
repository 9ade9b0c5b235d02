// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/range_finder.cuh>
#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/histogram/scattered_histogram_kernel.cuh>
#include <gpuprim/device/input/raw_input.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/policy/histogram_policy.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuprim::detail {

/// A histogram whose arguments are all right, ready to be launched.
template <histogram_policy Policy, int Channels, class In, class Counter, class Finder>
struct histogram_launch {
  using input_type = histogram_input<Channels, In>;
  static constexpr int block_size = Policy.block_size, loads = Policy.loads_per_thread;
  static constexpr int most_rows = packet_rows<loads, input_type>;
  static_assert(block_size >= 64 && block_size <= max_block_size && block_size % warp_size == 0);

  input_type input;
  histogram_slots<Counter, Finder, Channels> channels;

  /// Shares the packets out among at most so many blocks; `blocks` is how many. One takes what is a packet for each of
  /// its threads at most, and few of up to half of their threads take more. Beyond that there are more blocks and more
  /// rounds alike, since each block has its bins to add. The last warp of a block sees to the result; where that takes
  /// long and rounds are few, it does nothing else. The edges are at most 63 samples.
  histogram_schedule find_schedule(std::int64_t most_blocks, std::int64_t& blocks) const {
    const auto divide = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const bool fit_one = input.packets <= block_size && input.n <= Policy.most_samples_of_one * block_size;
    const bool takes_long = count_bins() > Policy.most_cleared_soon;
    int most_threads = block_size;
    const bool are_few = !fit_one && input.packets <= Policy.few_blocks * block_size;
    if (are_few) most_threads = block_size / 2;
    else if (takes_long && input.packets <= Policy.most_rounds_without_it * most_blocks * block_size)
      most_threads -= warp_size;
    const std::int64_t few = fit_one ? 1 : (std::min<std::int64_t>)(Policy.few_blocks, most_blocks);
    int threads = (std::min)(Policy.least_threads, most_threads);
    while (threads < most_threads && input.packets > threads * few) threads = (std::min)(2 * threads, most_threads);
    const double times_few = double(input.packets) / double(most_threads * few);
    const double balanced = double(few * threads) * std::sqrt(times_few > 1 ? times_few : 1);  // threads
    const auto rows = std::clamp<std::int64_t>((std::max)(divide(input.packets, most_blocks * threads),
                                                          std::int64_t(double(input.packets) / balanced + 0.5)),
                                               1, most_rows);
    const std::int64_t block_packets = rows * threads;
    blocks = std::clamp<std::int64_t>(divide(input.packets, block_packets), 1, most_blocks);
    const std::int64_t safe_turns = 0xffff0000 / (block_packets * input_type::packet_samples);
    return {threads, int(rows), divide(input.packets, block_packets * blocks),
            (std::min<std::int64_t>)(safe_turns, Policy.most_turns)};
  }

  static int most_shared_bytes(const kernel_fit& fit) { return (std::min)(fit.reserved_bytes, Policy.shared_bytes); }

  /// In as many passes over the samples as there are parts of the bins that fit shared memory, or scattered.
  outcome run(const options& how) {
    constexpr auto kernel = &histogram_kernel<block_size, loads, Channels, In, Counter, Finder>;
    kernel_fit fit;
    if (cudaError_t e = find_kernel_fit<kernel, 0, all_shared_bytes>(block_size, fit)) return {e};
    const int shared_bytes = most_shared_bytes(fit);
    constexpr int most_passes = has_levels ? Policy.most_passes_of_levels : Policy.most_passes;
    int passes = 1;
    while (passes <= most_passes && !take_part(0, passes).fits(shared_bytes)) ++passes;
    if constexpr (!counts_values<In>) {
      if (passes > most_passes || are_sparse(passes)) return run_scattered(how);
    }
    if (passes > 1 && how.workspace && how.workspace->bytes() < histogram_state::bytes) {
      return {cudaErrorInvalidValue, "the workspace is too small; reserve histogram_workspace_bytes"};
    }
    const bool are_clear = count_bins() > Policy.most_cleared_meanwhile;
    if (are_clear) {
      if (cudaError_t e = clear_counts(how.stream)) return {e};
    }
    outcome done;
    for (int pass = 0; pass < passes && done.code == cudaSuccess; ++pass) {
      done = take_part(pass, passes).template run_pass<kernel>(fit, are_clear, how);
    }
    return done;
  }

 private:
  static constexpr bool has_levels = !counts_values<In> && requires { Finder::bytes_nearby(1); };
  static constexpr int most_few_samples = has_levels ? Policy.few_samples_of_levels : Policy.few_samples;

  /// The same with one of several parts of the bins of each channel, which are laid out in shared memory.
  histogram_launch take_part(int pass, int passes) const {
    histogram_launch part = *this;
    std::int64_t kept = 0;
    for (auto& slot : part.channels.slot) {
      if (slot.counts == nullptr) continue;
      if constexpr (counts_values<In>) {
        slot.kept_bins = 256;
      } else {
        const int each = (slot.bins - 1) / passes + 1;
        const int first = int((std::min<std::int64_t>)(std::int64_t{each} * pass, slot.bins));
        const int count = (std::min)(each, slot.bins - first);
        if (passes > 1 && count > 0) slot.find.restrict_to(first, count);
        slot.counts = count > 0 ? slot.counts + first : nullptr;
        slot.bins = count;
        slot.kept_bins = count > 0 ? count + 1 : 0;
        slot.first_found = Finder::counts_from_first ? 0 : first;
      }
      slot.first_bin = int((std::min<std::int64_t>)(kept, (std::numeric_limits<int>::max)()));
      kept += slot.kept_bins;
    }
    part.channels.kept_bins = int((std::min<std::int64_t>)(kept, (std::numeric_limits<int>::max)()));
    return part;
  }

  std::int64_t count_bins() const {
    std::int64_t all = 0;
    for (const auto& slot : channels.slot) all += slot.bins;
    return all;
  }
  /// True if the samples are too few to clear, and to add up, bins of each block for them, or to bring levels near.
  bool are_sparse(int passes) const {
    const std::int64_t n = input.n, all = count_bins();
    if constexpr (has_levels) {
      const bool are_few = n <= most_few_samples && n / Policy.few_samples_a_bin < all;
      if (are_few && all >= Policy.least_bins_of_few) return true;
      return passes > 1 && n / Policy.sparse_samples_of_levels < all;
    } else {
      return all >= Policy.least_sparse_bins && n / Policy.sparse_samples < all;
    }
  }
  cudaError_t clear_counts(cudaStream_t stream) const {
    constexpr auto kernel = &clear_counts_kernel<block_size, Counter>;
    for (const auto& slot : channels.slot) {
      if (slot.counts == nullptr) continue;
      const found_shape found = find_shape<kernel>((slot.bins - 1) / block_size + 1, block_size);
      if (found.error != cudaSuccess) return found.error;
      if (cudaError_t e = launch(found.when, kernel, found.grid, stream, slot.counts, slot.bins)) return e;
    }
    return cudaSuccess;
  }

  std::int64_t bytes_of_levels() const {
    std::int64_t bytes = 0;
    if constexpr (has_levels) {
      for (const auto& slot : channels.slot) bytes += slot.counts ? Finder::bytes_nearby(slot.bins) : 0;
    }
    return bytes;
  }
  bool fits(std::int64_t most_bytes) const {
    if constexpr (has_levels) {
      for (const auto& slot : channels.slot) {
        if (slot.bins > Finder::most_near_bins) return false;
      }
    }
    return (std::int64_t{channels.kept_bins} + 3) / 4 * 16 + bytes_of_levels() <= most_bytes;
  }

  template <auto Kernel>
  outcome run_pass(const kernel_fit& fit, bool are_clear, const options& how) {
    // The bins of a block must be worth clearing and adding.
    std::int64_t blocks = 0;
    const std::int64_t kept = channels.kept_bins, level_bytes = bytes_of_levels();
    const auto most_blocks = std::clamp<std::int64_t>(input.n / kept, 1, fit.multiprocessors);
    const histogram_schedule schedule = find_schedule(most_blocks, blocks);
    const std::int64_t most_bytes = (std::min<std::int64_t>)(most_shared_bytes(fit) - level_bytes, Policy.copies_bytes);
    channels.are_clear = are_clear;
    channels.copies = Policy.most_copies;
    while (channels.copies > 1 &&
           (kept * channels.copies * 4 > most_bytes - 12 || kept * channels.copies * 4 > input.n / blocks)) {
      channels.copies /= 2;
    }
    std::int64_t bytes = (kept * channels.copies + 3) / 4 * 16;
    if constexpr (has_levels) {
      for (auto& slot : channels.slot) {
        if (slot.counts == nullptr) continue;
        slot.find.is_near = true;
        slot.finder_offset = int(bytes);
        bytes += Finder::bytes_nearby(slot.bins);
      }
    }
    const found_shape found = make_shape(fit, blocks, block_size, bytes);
    const auto launch_with = [&](void* buffer) {
      return launch(found.when, Kernel, found.grid, how.stream, input, schedule, channels,
                    histogram_state::lay_over(buffer));
    };
    if (blocks == 1 || are_clear) return {launch_with(nullptr)};
    workspace_lease lease(histogram_state::bytes, how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(lease.data()));
  }

  /// In counts that are cleared first, by a kernel that gives each of few samples a thread, or has counters for some of
  /// the bins.
  outcome run_scattered(const options& how) {
    std::int64_t first = 0;
    for (auto& slot : channels.slot) {
      slot.first_bin = int(first);
      first += slot.bins;
    }
    if (input.n <= most_few_samples) {
      constexpr int few_block_size = Policy.few_block_size;
      constexpr auto kernel = &few_samples_kernel<few_block_size, Channels, In, Counter, Finder>;
      const found_shape found = find_shape<kernel>((input.n - 1) / few_block_size + 1, few_block_size);
      if (found.error != cudaSuccess) return {found.error};
      if (cudaError_t e = clear_counts(how.stream)) return {e};
      return {launch(found.when, kernel, found.grid, how.stream, input, channels)};
    }
    constexpr auto kernel = &scattered_histogram_kernel<block_size, loads, Channels, In, Counter, Finder>;
    kernel_fit fit;
    if (cudaError_t e = find_kernel_fit<kernel, 0, all_shared_bytes>(block_size, fit)) return {e};
    std::int64_t blocks = 0;
    const histogram_schedule schedule = find_schedule(fit.multiprocessors, blocks);
    int log2_counters = 1;
    while (16 << log2_counters <= most_shared_bytes(fit)) ++log2_counters;
    const found_shape found = make_shape(fit, blocks, block_size, 8 << log2_counters);
    if (cudaError_t e = clear_counts(how.stream)) return {e};
    return {launch(found.when, kernel, found.grid, how.stream, input, schedule, channels, log2_counters)};
  }
};

template <class T>
bool pointers_overlap(const T* counts, std::int64_t count, const void* other, std::int64_t bytes) {
  const auto a = reinterpret_cast<std::uintptr_t>(counts), b = reinterpret_cast<std::uintptr_t>(other);
  return a < b + std::uintptr_t(bytes) && b < a + std::uintptr_t(count) * sizeof(T);
}

/// Checks the arguments, sets the channels up, and launches.
template <histogram_policy Policy, int Channels, class In, class Counter, std::size_t Active, class Bins>
outcome run_histogram(In in, std::int64_t pixels, const std::array<Counter*, Active>& counts,
                      const std::array<Bins, Active>& bins, const options& how) {
  using T = input_value<In>;
  using C = atomic_counter<Counter>;
  using Finder = typename finder_choice<T, Bins>::type;
  if (pixels < 0) return {cudaErrorInvalidValue, "the count is negative"};
  if (pixels > (std::numeric_limits<std::int64_t>::max)() / Channels) {
    return {cudaErrorInvalidValue, "there are too many pixels"};
  }
  const std::int64_t n = pixels * Channels;
  if (outcome bad = detail::check_input(in, n); bad.code != cudaSuccess) return bad;
  histogram_launch<Policy, Channels, In, C, Finder> all{detail::make_histogram_input<Channels>(in, n), {}};
  std::int64_t all_bins = 0;
  for (std::size_t i = 0; i < Active; ++i) {
    if (counts[i] == nullptr) return {cudaErrorInvalidValue, "the counts are a null pointer"};
    if (bins[i].count < 1) return {cudaErrorInvalidValue, "there is no bin"};
    // Slot 0 is the channel of the first packet's first sample.
    auto& slot = all.channels.slot[(int(i) + Channels - all.input.head % Channels) % Channels];
    if (!Finder::make(bins[i], slot.find)) return {cudaErrorInvalidValue, "the levels are no bounds of bins"};
    if constexpr (std::is_pointer_v<In>) {
      if (pointers_overlap(counts[i], bins[i].count, in, n * std::int64_t(sizeof(T)))) {
        return {cudaErrorInvalidValue, "the counts overlap the input"};
      }
    }
    slot.counts = reinterpret_cast<C*>(counts[i]);
    slot.bins = bins[i].count;
    all_bins += bins[i].count;
    if (all_bins >= (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "there are too many bins"};
  }
  return all.run(how);
}

template <class In, class Bins>
constexpr histogram_policy choose_histogram_policy() {
  if constexpr (random_access_input<In>) {
    if (sizeof(input_value<In>) == 1 || requires(Bins b) { b.levels; }) return dense_histogram_policy;
  }
  return default_histogram_policy;
}
template <class In, class Bins>
inline constexpr histogram_policy histogram_policy_for = choose_histogram_policy<In, Bins>();

/// The same with the types looked at and iterators unwrapped.
template <histogram_policy Policy, int Channels, class In, class Out, std::size_t Active, class Bins>
outcome histogram_with(const In& in, std::int64_t pixels, const std::array<Out, Active>& counts,
                       const std::array<Bins, Active>& bins, const options& how) {
  static_assert(random_access_input<In>, "gpuprim::histogram: the input must be a pointer or a random-access iterator");
  static_assert(Channels >= 1 && Channels <= 16 && Active >= 1 && Active <= Channels,
                "gpuprim::histogram: there are 1 to 16 channels, of which at least one and at most all are counted");
  using T = input_value<In>;
  static_assert(is_number<T>, "gpuprim::histogram: the samples must be numbers");
  using pointer = decltype(detail::unwrap_contiguous(counts[0]));
  using counter = std::remove_pointer_t<pointer>;
  constexpr bool is_counter =
      std::is_integral_v<counter> && !std::is_const_v<counter> && (sizeof(counter) == 4 || sizeof(counter) == 8);
  static_assert(std::is_pointer_v<pointer> && is_counter,
                "gpuprim::histogram: the counts must be a pointer to integers of 32 or 64 bits");
  std::array<pointer, Active> raw_counts{};
  for (std::size_t i = 0; i < Active; ++i) raw_counts[i] = detail::unwrap_contiguous(counts[i]);
  return detail::with_raw_input(in, [&](auto raw) {
    if constexpr (std::is_pointer_v<decltype(raw)>) {
      return run_histogram<Policy, Channels>(static_cast<const T*>(raw), pixels, raw_counts, bins, how);
    } else {
      return run_histogram<Policy, Channels>(raw, pixels, raw_counts, bins, how);
    }
  });
}

}  // namespace gpuprim::detail
