// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/distributed/communicator.cuh>

#include <sched.h>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Refuses a stream that is being captured.
inline outcome check_no_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t asked = cudaStreamIsCapturing(stream, &capture);
  if (asked == cudaErrorInvalidResourceHandle || asked == cudaErrorInvalidValue) return {asked, "this is no stream"};
  if (asked == cudaErrorStreamCaptureImplicit || capture != cudaStreamCaptureStatusNone) {
    return {cudaErrorStreamCaptureUnsupported, "the stream is being captured into a graph, and has done nothing yet"};
  }
  return {};
}

/// Refuses a wait that cannot begin.
inline outcome check_wait(ncclComm_t comm, cudaStream_t stream, double seconds) {
  if (comm == nullptr) return {cudaErrorInvalidValue, "the communicator is null"};
  if (const outcome bad = detail::check_seconds(seconds); bad.failed()) return bad;
  int device = 0, current = 0;
  if (cudaError_t e = cudaGetDevice(&current)) return {e};
  // A communicator that has failed does not say its device.
  if (ncclCommCuDevice(comm, &device) == ncclSuccess && device != current) return other_device;
  return detail::check_no_capture(stream);
}

/// The state of a stream. Work that goes on is not left behind as an error.
inline cudaError_t query_stream(cudaStream_t stream) {
  const cudaError_t state = cudaStreamQuery(stream);
  if (state == cudaErrorNotReady && cudaPeekAtLastError() == cudaErrorNotReady) (void)cudaGetLastError();
  return state;
}

/// Waits until all work in the stream is done, for at most so long.
inline outcome wait_for_stream(ncclComm_t comm, cudaStream_t stream, double seconds) {
  const double end = detail::read_clock() + seconds;
  for (;;) {
    // NCCL first: what it is still to enqueue is not in the stream.
    ncclResult_t found = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm, &found);
    const cudaError_t state = detail::query_stream(stream);
    if (state != cudaSuccess && state != cudaErrorNotReady) return {state};
    if (asked != ncclSuccess) return detail::outcome_of(asked);
    if (found != ncclSuccess && found != ncclInProgress) return detail::outcome_of(found);
    if (state == cudaSuccess && found == ncclSuccess) return {};
    if (detail::read_clock() > end) return {cudaErrorTimeout, "a rank was not there in time, or made another call"};
    (void)sched_yield();
  }
}

}  // namespace detail

namespace distributed {

/// Waits until all work in the stream is done, but not for ever: if NCCL reports an error of the communicator, or after
/// `seconds`, the communicator is aborted, which ends what waits for other ranks on the GPU.
///
/// @pre   `comm`: a communicator whose calls are in `stream`. The current device is the communicator's. No other thread
///        uses it. After an abort every copy of `comm` is of no use.
/// @sync  waits on the host for all work in `stream`.
/// @order does not matter.
/// @cost  asks for the state of the stream and of the communicator until one of them ends the wait.
/// @return cudaSuccess: all is done. Where the wait could not begin, `comm` stays as it is: cudaErrorInvalidValue for a
///         null communicator or a time that is not a number, cudaErrorInvalidDevice, an error for what is no stream,
///         cudaErrorStreamCaptureUnsupported for a stream in capture. Else `comm` is null, because it was aborted,
///         results in the stream are unspecified, and last_fault() says why: cudaErrorTimeout where a rank was not
///         there in time, or made another call; or NCCL's error.
/// @source NCCL, "Fault tolerance".
/// @example examples/distributed/one_process.cu
[[nodiscard]] inline cudaError_t wait(ncclComm_t& comm, cudaStream_t stream, double seconds) {
  if (const detail::outcome bad = detail::check_wait(comm, stream, seconds); bad.failed()) return bad.report();
  const detail::outcome why = detail::wait_for_stream(comm, stream, seconds);
  if (!why.failed()) return cudaSuccess;
  (void)ncclCommAbort(comm);
  comm = nullptr;
  return why.report();
}

}  // namespace distributed

}  // namespace gpuprim
