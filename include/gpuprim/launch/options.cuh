// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/launch/memory_resource.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

class workspace;
struct launch_plan;

/// The sizes of the two memories of a workspace. A number alone is that of the zeroed memory.
struct workspace_size {
  /// Bytes that a call finds zeroed, and leaves so.
  std::int64_t zeroed_bytes = 0;
  /// Bytes that may hold anything before a call and after it.
  std::int64_t scratch_bytes = 0;

  /// Makes it of both sizes.
  constexpr workspace_size(std::int64_t zeroed = 0, std::int64_t scratch = 0)
      : zeroed_bytes(zeroed), scratch_bytes(scratch) {}

  /// Bytes before the scratch memory if both memories are one piece: the scratch memory is aligned to 256 bytes.
  constexpr std::int64_t scratch_offset() const { return detail::align_up(zeroed_bytes); }
  /// Bytes of both memories in one piece, as `workspace::borrow` takes them.
  constexpr std::int64_t total_bytes() const {
    return scratch_bytes == 0 ? zeroed_bytes : scratch_offset() + scratch_bytes;
  }
  /// Grows to what is enough for calls of either size, one after the other.
  constexpr void cover(const workspace_size& other) {
    if (other.zeroed_bytes > zeroed_bytes) zeroed_bytes = other.zeroed_bytes;
    if (other.scratch_bytes > scratch_bytes) scratch_bytes = other.scratch_bytes;
  }
};

/// What every asynchronous call takes: `{.stream = s, .workspace = &ws}`, all optional. Without a workspace the call
/// takes memory from `memory`, and without that from a pool of the library's, which keeps it for later calls. A null
/// stream is the default stream that nvcc --default-stream chooses; where a program's files choose differently, name
/// it: cudaStreamLegacy or cudaStreamPerThread.
struct options {
  /// Where the call is enqueued.
  cudaStream_t stream = nullptr;
  /// The memory that it uses.
  class workspace* workspace = nullptr;
  /// What gives it memory where it has no workspace.
  memory_resource memory = {};
  /// Makes a dry run of the call: its arguments are checked, nothing is enqueued, nothing is written but this size,
  /// which grows to the workspace that the call takes on this GPU. Calls that wait for a result refuse it.
  workspace_size* measured = nullptr;
  /// Makes a dry run too, of calls that have a `..._plan`: it describes the launch that does the main part of their
  /// work, unless the plan describes one already.
  launch_plan* described = nullptr;
};

namespace detail {

/// Whether nothing of a call is enqueued.
inline bool is_dry_run(const options& how) { return how.measured != nullptr || how.described != nullptr; }

/// Whether the parts of a call that run one inside of the other share one workspace.
inline bool shares_workspace(const options& how) { return how.workspace != nullptr || is_dry_run(how); }

}  // namespace detail

}  // namespace gpuprim
