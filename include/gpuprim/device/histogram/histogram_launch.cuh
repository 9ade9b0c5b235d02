// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram/checked_histogram.cuh>
#include <gpuprim/device/histogram/global_histogram_kernels.cuh>
#include <gpuprim/device/histogram/histogram_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/outcome.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// How a histogram is launched. Read: what kernels read, In itself or counted_array<In>.
template <int Channels, class In, class Counter, class Finder, class Read = In>
struct histogram_launch : checked_histogram<Channels, In, Counter, Finder> {
  element_count count;  ///< of pixels
  using base = checked_histogram<Channels, In, Counter, Finder>;
  using input_type = histogram_input<Channels, In>;
  using base::channels, base::count_bins, base::has_levels, base::input, base::take_part;

  /// Counts in as many passes over the samples as there are parts of the bins that fit shared memory, or in global
  /// memory.
  outcome run(const options& how) const {
    choice made;
    if (cudaError_t e = choose(made)) return {e};
    if constexpr (!counts_values<In>) {
      if (made.where != memory::shared) return run_global(made, how);
    }
    const bool clears_before = made.passes > 1 || count_bins() > policy.most_bins_cleared_by_warp;
    const clearing clear = clears_before ? clearing::before : clearing::while_counting;
    if (clears_before) {
      if (cudaError_t e = clear_counts(how)) return {e};
    }
    outcome done;
    for (int pass = 0; pass < made.passes && done.code == cudaSuccess; ++pass) {
      done = run_pass(find_pass(made, pass, clear), how);
    }
    return done;
  }

 private:
  static constexpr histogram_policy policy = default_histogram_policy;
  static constexpr int block_size = policy.block_size;
  static constexpr int loads =
      counts_values<In> || has_levels ? policy.loads_per_thread_of_bytes_or_levels : policy.loads_per_thread;
  static constexpr int most_rows = packet_rows<loads, input_type>, sample_bytes = int(sizeof(input_value<In>));
  static constexpr int thread_bytes = most_rows * input_type::packet_samples * sample_bytes;

  static constexpr auto kernel() { return &histogram_kernel<block_size, loads, Channels, Read, Counter, Finder>; }
  static constexpr auto few_kernel() {
    return &few_samples_kernel<policy.least_threads, Channels, Read, Counter, Finder>;
  }
  static constexpr auto cached_kernel() {
    return &cached_histogram_kernel<block_size, loads, Channels, Read, Counter, Finder>;
  }

  /// Where the samples are counted.
  enum class memory { shared, global, global_with_cache };
  struct choice {
    memory where = memory::shared;
    int passes = 1;
    found_shape found;  ///< of the kernel that counts in shared memory
  };
  cudaError_t choose(choice& made) const {
    made.found = detail::find_shape<kernel(), 0, all_shared_bytes>(1, block_size);
    if (made.found.error != cudaSuccess) return made.found.error;
    constexpr int most_passes = has_levels ? policy.most_passes_between_levels : policy.most_passes;
    const int most_bytes = made.found.grid.dynamic_shared_bytes;
    while (made.passes <= most_passes && !take_part(0, made.passes).fits(most_bytes)) ++made.passes;
    if constexpr (!counts_values<In>) {
      const base whole = take_part(0, 1);
      const bool are_many_bins = whole.kept_bytes() + whole.staged_bytes() >= policy.least_bytes_of_many_bins;
      if (made.passes > most_passes || (are_many_bins && count_bins() > input.n / policy.few_samples_per_bin)) {
        constexpr int few =
            has_levels ? policy.few_samples_per_multiprocessor_between_levels : policy.few_samples_per_multiprocessor;
        const bool are_few = input.n <= std::int64_t{few} * made.found.multiprocessors;
        made.where = are_few ? memory::global : memory::global_with_cache;
      }
    }
    return cudaSuccess;
  }

  /// A pass that counts in shared memory.
  struct pass_launch {
    base part;
    histogram_schedule schedule;
    found_shape found;
  };
  pass_launch find_pass(const choice& made, int pass, clearing clear) const {
    base part = take_part(pass, made.passes);
    auto& to = part.channels;
    to.clear = clear;
    const std::int64_t kept = to.kept_bins;
    // The bins of a block must be worth clearing and adding.
    const auto most_blocks = std::clamp<std::int64_t>(input.n / kept, 1, made.found.multiprocessors);
    const bool has_many = clear == clearing::while_counting && count_bins() > block_size;
    const last_warp last = has_many ? last_warp::clears : last_warp::counts;
    const histogram_grid grid = detail::find_histogram_grid(policy, input, most_blocks, most_rows, last);
    // With a copy of the bins for each lane no two lanes meet in a bank, if there are samples enough for them.
    const std::int64_t most_bytes = made.found.grid.dynamic_shared_bytes - part.staged_bytes();
    const auto bytes_of = [&](std::int64_t copies) { return (kept * copies + 3) / 4 * 16; };
    to.copies = warp_size;
    while (to.copies > 1 && (bytes_of(to.copies) > most_bytes || kept * to.copies * 4 > input.n / grid.blocks)) {
      to.copies /= 2;
    }
    std::int64_t bytes = bytes_of(to.copies);
    if constexpr (has_levels) {
      for (auto& slot : to.slot) {
        if (slot.counts == nullptr) continue;
        slot.find.is_staged = true;
        slot.finder_offset = int(bytes);
        bytes += Finder::staged_bytes(slot.bins);
      }
    }
    found_shape found = made.found.with_blocks(grid.blocks);
    found.grid.dynamic_shared_bytes = int(bytes);
    found.grid.thread_bytes = thread_bytes;
    return {part, grid.schedule, found};
  }
  /// What a kernel reads.
  auto given(const input_type& samples) const {
    if constexpr (std::is_same_v<Read, In>) return samples;
    else return counted_histogram_input<Channels, In>{samples, count};
  }
  outcome run_pass(const pass_launch& pass, const options& how) const {
    const auto launch_with = [&](void* buffer) {
      return gpuprim::launch(pass.found.when, kernel(), pass.found.grid, how, given(pass.part.input), pass.schedule,
                             pass.part.channels, histogram_state::lay_over(buffer));
    };
    const bool needs_no_state = pass.found.grid.grid_size == 1 || pass.part.channels.clear == clearing::before;
    if (needs_no_state) return {launch_with(nullptr)};
    memory_lease lease(histogram_state::bytes, how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(lease.zeroed()));
  }

  cudaError_t clear_counts(const options& how) const {
    constexpr auto clear = &clear_counts_kernel<block_size, Counter>;
    for (const auto& slot : channels.slot) {
      if (slot.counts == nullptr) continue;
      const found_shape found = find_shape<clear>((slot.bins - 1) / block_size + 1, block_size);
      if (found.error != cudaSuccess) return found.error;
      if (cudaError_t e = gpuprim::launch(found.when, clear, found.grid, how, slot.counts, slot.bins)) return e;
    }
    return cudaSuccess;
  }

  /// A launch that counts in global memory, with counters in shared memory for some of the bins.
  struct cached_launch {
    histogram_schedule schedule;
    int log2_counters;
    found_shape found;
  };
  cached_launch find_cached_launch() const {
    found_shape found = detail::find_shape<cached_kernel(), 0, all_shared_bytes>(1, block_size);
    if (found.error != cudaSuccess) return {{}, 0, found};
    const histogram_grid grid =
        detail::find_histogram_grid(policy, input, found.multiprocessors, most_rows, last_warp::counts);
    int log2_counters = 1;
    while (16 << log2_counters <= found.grid.dynamic_shared_bytes) ++log2_counters;
    found.grid.dynamic_shared_bytes = 8 << log2_counters;
    return {grid.schedule, log2_counters, found.with_blocks(grid.blocks)};
  }
  outcome run_global(const choice& made, const options& how) const {
    base all = *this;
    std::int64_t first = 0;
    for (auto& slot : all.channels.slot) {
      slot.first_bin = int(first);
      first += slot.bins;
    }
    if (made.where == memory::global) {
      constexpr int few_size = policy.least_threads;
      const found_shape found = detail::find_shape<few_kernel()>((input.n - 1) / few_size + 1, few_size);
      if (found.error != cudaSuccess) return {found.error};
      if (cudaError_t e = clear_counts(how)) return {e};
      return detail::launch_main(found, few_kernel(), sample_bytes, how, given(input), all.channels);
    }
    const cached_launch cached = find_cached_launch();
    if (cached.found.error != cudaSuccess) return {cached.found.error};
    if (cudaError_t e = clear_counts(how)) return {e};
    return detail::launch_main(cached.found, cached_kernel(), thread_bytes, how, given(input), cached.schedule,
                               all.channels, cached.log2_counters);
  }
};

}  // namespace gpuprim::detail
