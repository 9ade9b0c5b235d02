// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/host_result.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(count_out)`, which enqueues a call that writes a count, and returns the count once all is written.
template <class Go>
std::int64_t count_to_host(const char* call, cudaStream_t stream, const Go& go) {
  host_result* kept = nullptr;
  throw_if_failed(call, {host_result::find(sizeof(std::int64_t), 0, kept)});
  auto* const count = static_cast<std::int64_t*>(kept->memory());
  throw_if_failed(call, go(count));
  throw_if_failed(call, {cudaStreamSynchronize(stream)});
  return *count;
}

}  // namespace gpuprim::detail
