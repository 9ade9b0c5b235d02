// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Scans of segments that lie anywhere: each is scanned by a warp, or a long one by a block.
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/scan/scan_block.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The arguments of a scan of segments that lie anywhere. Init: nothing, or what each segment starts from.
template <scan_kind Kind, class T, class In, class Segments, class Out, class Op, class Init>
struct bounds_scan_pass {
  using join = monoid<T, Op>;
  using prefix = typename join::value_type;
  static constexpr int block_size = 256;
  static constexpr std::int64_t most_of_warp = 2 * block_size;  ///< values of a segment that a warp scans

  In in;
  Segments segments;
  Out out;
  Op op;
  Init init;

  __device__ prefix start() const {
    if constexpr (std::is_same_v<Init, nothing>) return join::empty();
    else return prefix(detail::initial_value(init));
  }

  /// Scans a segment in steps of as many values as threads call it, of which this one is number `rank`.
  /// `scan(value, at)` scans the values of a step, and `at` goes on with their total.
  template <int Threads, class Scan>
  __device__ __forceinline__ void scan_segment(const segment_span& own, int rank, const Scan& scan) const {
    running_prefix<prefix> at{start()};
    for (std::int64_t first = 0; first < own.length; first += Threads) {
      const std::int64_t i = first + rank;
      prefix value = join::empty();
      if (i < own.length) value = prefix(detail::convert<T>(in[own.begin + i]));
      value = scan(value, at);
      if (i < own.length) detail::assign(out[own.begin + i], join::unwrap(value));
    }
  }
  __device__ __forceinline__ void scan_by_warp(const segment_span& own) const {
    const warp_tile<warp_size> warp;
    scan_segment<warp_size>(own, int(warp.thread_rank()), [&](const prefix& value, running_prefix<prefix>& at) {
      if constexpr (Kind == scan_kind::exclusive) return gpuprim::warp_exclusive_scan(warp, value, join{op}, at);
      else return gpuprim::warp_inclusive_scan(warp, value, join{op}, at);
    });
  }
  __device__ __forceinline__ void scan_by_block(const segment_span& own) const {
    const this_block block;
    scan_segment<block_size>(own, int(block.thread_rank()), [&](const prefix& value, running_prefix<prefix>& at) {
      if constexpr (Kind == scan_kind::exclusive) {
        return gpuprim::block_exclusive_scan<block_size>(block, value, join{op}, at);
      } else {
        return gpuprim::block_inclusive_scan<block_size>(block, value, join{op}, at);
      }
    });
  }
};

/// A block takes a batch of segments: its warps scan the short ones, and then all together the long ones.
template <class Pass>
__global__ void __launch_bounds__(Pass::block_size) bounds_scan_kernel(Pass pass) {
  constexpr int block_size = Pass::block_size, warps = block_size / warp_size;
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  const std::int64_t share = (pass.segments.count - 1) / gridDim.x + 1, batch = share < block_size ? share : block_size;
  for (std::int64_t first = blockIdx.x * batch; first < pass.segments.count; first += gridDim.x * batch) {
    const std::int64_t behind = pass.segments.count - first, end = first + (behind < batch ? behind : batch);
    for (std::int64_t i = first + rank / warp_size; i < end; i += warps) {
      const auto own = pass.segments(i);
      if (own.length <= Pass::most_of_warp) pass.scan_by_warp(own);
    }
    const bool is_long = first + rank < end && pass.segments(first + rank).length > Pass::most_of_warp;
    if (!block.any(is_long)) continue;
    for (std::int64_t i = first; i < end; ++i) {
      const auto own = pass.segments(i);
      if (own.length > Pass::most_of_warp) pass.scan_by_block(own);
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS

}  // namespace gpuprim::detail
