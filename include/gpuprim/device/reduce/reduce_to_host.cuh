// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/grid/mailbox.cuh>
#include <gpuprim/launch/host_result.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Output of a kernel whose result the host waits for: assigning through it sends the value to a mailbox.
template <class T>
struct host_output {
  mailbox<T>* box;

  __device__ host_output operator*() const { return *this; }
  __device__ void operator=(const T& value) const { box->send_to_host(value); }
};

/// How often the host polls for a result before it waits for the stream, which returns later but leaves the processor
/// free.
inline constexpr int looks_for_result = 20000;

/// Calls `go(output, options)`, which enqueues a reduce, and returns its result.
template <class Acc, class In, class Go>
Acc reduce_to_host(const In& in, std::int64_t n, const options& how, std::int64_t workspace_bytes, const Go& go,
                   const char* call = "gpuprim::reduce_value") {
  const auto check_array = [&](const auto& array) { return detail::check_input(array, n); };
  throw_if_failed(call, detail::with_input<array_form::pointer>(in, check_array));
  detail::refuse_measuring(call, how);
  options own = how;
  host_result* kept = nullptr;
  const bool has_memory = how.workspace || how.memory;
  throw_if_failed(call, {host_result::find(sizeof(mailbox<Acc>), has_memory ? 0 : workspace_bytes, kept)});
  if (!has_memory) own.workspace = &kept->scratch();
  auto* box = static_cast<mailbox<Acc>*>(kept->memory());
  box->clear();
  throw_if_failed(call, go(host_output<Acc>{box}, own));
  for (int look = 0; look < looks_for_result; ++look) {
    if (box->has_arrived()) return box->value();
  }
  throw_if_failed(call, {cudaStreamSynchronize(how.stream)});
  return box->value();
}

}  // namespace gpuprim::detail
