// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <simt/errors.hpp>

#include "diagnostics.hpp"
#include "host.hpp"
#include "machine.hpp"
#include "settings.hpp"

namespace simt {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t sticky_error = cudaSuccess;

}  // namespace

std::recursive_mutex& device_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

api_call::api_call(const char* name) {
  read_settings_once();
  if (on_device_thread()) {
    fail(the_machine().current->here, "%s called from device code; the thread was last seen", name);
  }
  lock_ = std::unique_lock(device_mutex());
  make_context();
  error_ = report(sticky_error);
}

cudaError_t report(cudaError_t error) {
  // "Not ready" is an answer, not a failure.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

void set_sticky_error(cudaError_t error) { sticky_error = error; }

void clear_errors() { sticky_error = last_error = cudaSuccess; }

}  // namespace simt

cudaError_t cudaGetLastError() {
  cudaError_t error = simt::last_error;
  simt::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return simt::last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define SIMT_CUDA_ERROR(name, value, text) \
  case name:                               \
    return #name;
#include <simt/error_list.hpp>
#undef SIMT_CUDA_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define SIMT_CUDA_ERROR(name, value, text) \
  case name:                               \
    return text;
#include <simt/error_list.hpp>
#undef SIMT_CUDA_ERROR
  }
  return "unrecognized error code";
}
