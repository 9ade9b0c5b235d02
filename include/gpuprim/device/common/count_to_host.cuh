// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/host_result.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Refuses a dry run of a call that waits for a result: where nothing runs, there is none.
inline void refuse_measuring(const char* call, const options& how) {
  if (!is_dry_run(how)) return;
  throw_if_failed(call, {cudaErrorInvalidValue,
                         "a call that waits is not measured; the call that does not wait takes "
                         "the workspace"});
}

/// Calls `go(count_out)`, which enqueues a call that writes a count, and returns the count once all is written.
template <class Go>
std::int64_t count_to_host(const char* call, const options& how, const Go& go) {
  detail::refuse_measuring(call, how);
  host_result* kept = nullptr;
  throw_if_failed(call, {host_result::find(sizeof(std::int64_t), 0, kept)});
  auto* const count = static_cast<std::int64_t*>(kept->memory());
  throw_if_failed(call, go(count));
  throw_if_failed(call, {cudaStreamSynchronize(how.stream)});
  return *count;
}

}  // namespace gpuprim::detail
