// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed forms of runtime calls, as CUDA's header gives them to C++.
#pragma once

#include <simt/runtime_api.hpp>

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}

template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}

template <class T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), host_pointer, flags);
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}

template <class T>
cudaError_t cudaEventCreate(T* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// A __device__ or __constant__ variable is an ordinary variable here; a copy to or from it must stay inside
// it.
namespace simt {
cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, std::size_t offset, std::size_t symbol_bytes,
                        cudaStream_t stream, bool synchronous);
}  // namespace simt

template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  *pointer = const_cast<void*>(static_cast<const volatile void*>(&symbol));
  return cudaSuccess;
}

template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  auto* to = const_cast<char*>(reinterpret_cast<const char*>(&symbol)) + offset;
  return simt::copy_symbol(to, from, bytes, offset, sizeof(T), nullptr, true);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind, cudaStream_t stream = nullptr) {
  auto* to = const_cast<char*>(reinterpret_cast<const char*>(&symbol)) + offset;
  return simt::copy_symbol(to, from, bytes, offset, sizeof(T), stream, false);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  auto* from = reinterpret_cast<const char*>(&symbol) + offset;
  return simt::copy_symbol(to, from, bytes, offset, sizeof(T), nullptr, true);
}
