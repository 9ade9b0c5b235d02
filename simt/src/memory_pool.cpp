// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools. Memory is given back to the system at once here, so that a pool holds what is in use and no more.
#include <algorithm>
#include <map>
#include <set>

#include <cuda.h>

#include <simt/runtime_templates.hpp>

#include "host.hpp"

/// A pool ends with the context that it was made in.
struct CUmemPoolHandle_st {
  unsigned long long context = 0;
  std::uint64_t used = 0, most_used = 0, threshold = 0;
};

namespace simt {
namespace {

std::set<cudaMemPool_t>& pools() {
  static auto& all = *new std::set<cudaMemPool_t>;
  return all;
}

struct pooled {
  cudaMemPool_t pool;
  std::size_t bytes;
};
std::map<const void*, pooled>& pooled_memory() {
  static auto& all = *new std::map<const void*, pooled>;
  return all;
}

unsigned long long current_context() {
  unsigned long long number = 0;
  cuCtxGetId(nullptr, &number);
  return number;
}

bool is_alive(cudaMemPool_t pool) { return pools().count(pool) != 0 && pool->context == current_context(); }

}  // namespace

void note_freed(const void* memory) {
  auto found = pooled_memory().find(memory);
  if (found == pooled_memory().end()) return;
  if (pools().count(found->second.pool) != 0) found->second.pool->used -= found->second.bytes;
  pooled_memory().erase(found);
}

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
  pool->threshold = *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  api_call call("cudaMemPoolGetAttribute");
  if (call.error()) return call.error();
  if (!simt::is_alive(pool) || !value) return report(cudaErrorInvalidValue);
  auto& answer = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      answer = pool->threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      answer = pool->used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      answer = pool->most_used;
      return cudaSuccess;
  }
  return report(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  api_call call("cudaMemPoolTrimTo");
  if (call.error()) return call.error();
  return simt::is_alive(pool) ? cudaSuccess : report(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  api_call call("cudaMallocFromPoolAsync");
  if (call.error()) return call.error();
  if (!simt::is_alive(pool)) return report(cudaErrorInvalidValue);
  if (cudaError_t error = cudaMallocAsync(pointer, bytes, stream)) return error;
  if (simt::find_stream(stream)->capturing) return cudaSuccess;  // the memory is the graph's
  simt::pooled_memory()[*pointer] = {pool, bytes};
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
  return cudaSuccess;
}
