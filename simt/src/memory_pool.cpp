// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools. Memory is given back to the system at once here, so that a pool has nothing to keep.
#include <set>

#include <cuda.h>

#include <simt/runtime_templates.hpp>

#include "host.hpp"

/// A pool ends with the context that it was made in.
struct CUmemPoolHandle_st {
  unsigned long long context = 0;
};

namespace simt {
namespace {

std::set<cudaMemPool_t>& pools() {
  static auto& all = *new std::set<cudaMemPool_t>;
  return all;
}

unsigned long long current_context() {
  unsigned long long number = 0;
  cuCtxGetId(nullptr, &number);
  return number;
}

bool is_alive(cudaMemPool_t pool) { return pools().count(pool) != 0 && pool->context == current_context(); }

}  // namespace
}  // namespace simt

using simt::api_call;
using simt::report;

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  api_call call("cudaMemPoolCreate");
  if (call.error()) return call.error();
  if (cudaError_t error = simt::check_unsafe_call()) return report(error);
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
    return report(cudaErrorInvalidValue);
  }
  *pool = new CUmemPoolHandle_st{simt::current_context()};
  simt::pools().insert(*pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  api_call call("cudaMemPoolDestroy");
  if (call.error()) return call.error();
  if (!simt::is_alive(pool)) return report(cudaErrorInvalidValue);
  simt::pools().erase(pool);
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  api_call call("cudaMemPoolSetAttribute");
  if (call.error()) return call.error();
  if (!simt::is_alive(pool) || attribute != cudaMemPoolAttrReleaseThreshold || !value) {
    return report(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  api_call call("cudaMallocFromPoolAsync");
  if (call.error()) return call.error();
  if (!simt::is_alive(pool)) return report(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, bytes, stream);
}
