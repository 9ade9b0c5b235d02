// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/distributed/communicator.cuh>

#include <sched.h>

namespace gpuprim::inline v0_1_0::distributed {

/// Waits until all work in the stream is done, but not for ever: if NCCL reports an error of the communicator, or after
/// `seconds`, the communicator is aborted, which ends what waits for other ranks on the GPU.
///
/// @pre   `comm`: a communicator whose calls are in `stream`. No other thread uses it.
/// @sync  waits on the host for all work in `stream`.
/// @order does not matter.
/// @cost  asks for the state of the stream and of the communicator until one of them ends the wait.
/// @return cudaSuccess: all is done. Else `comm` is null, because it was aborted, results in the stream are
/// unspecified,
///         and last_fault() says why: cudaErrorTimeout where a rank was not there in time, or made another call; or
///         NCCL's error.
/// @source NCCL, "Fault tolerance".
/// @example examples/distributed/one_process.cu
[[nodiscard]] inline cudaError_t wait(ncclComm_t& comm, cudaStream_t stream, double seconds) {
  if (comm == nullptr) return detail::outcome{cudaErrorInvalidValue, "the communicator is null"}.report();
  const double end = detail::read_clock() + seconds;
  detail::outcome why;
  while (!why.failed()) {
    const cudaError_t state = cudaStreamQuery(stream);
    ncclResult_t found = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm, &found);
    if (state != cudaSuccess && state != cudaErrorNotReady) why = {state};
    else if (asked != ncclSuccess) why = detail::outcome_of(asked);
    else if (found != ncclSuccess && found != ncclInProgress) why = detail::outcome_of(found);
    else if (state == cudaSuccess) return cudaSuccess;
    else if (detail::read_clock() > end) why = {cudaErrorTimeout, "a rank was not there in time, or made another call"};
    else (void)sched_yield();
  }
  (void)ncclCommAbort(comm);
  comm = nullptr;
  return why.report();
}

}  // namespace gpuprim::inline v0_1_0::distributed
