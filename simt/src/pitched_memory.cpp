// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in rows that are longer than what is used of them, and advice on where managed memory is to be.
#include <cstring>

#include "host.hpp"

namespace simt {
namespace {

constexpr std::size_t row_alignment = 512;

char* row(const void* first, std::size_t pitch, std::size_t y) {
  return static_cast<char*>(const_cast<void*>(first)) + y * pitch;
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
  for (std::size_t y = 0; y < height; ++y) {
    cudaError_t error = check_copy(row(to, to_pitch, y), row(from, from_pitch, y), width, kind);
    if (error != cudaSuccess) return error;
  }
  return enqueue(stream, [=] {
    for (std::size_t y = 0; y < height; ++y) std::memmove(row(to, to_pitch, y), row(from, from_pitch, y), width);
  });
}

cudaError_t set_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                     cudaStream_t stream) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (pitch < width) return cudaErrorInvalidPitchValue;
  for (std::size_t y = 0; y < height; ++y) {
    if (cudaError_t error = check_set(row(to, pitch, y), width)) return error;
  }
  return enqueue(stream, [=] {
    for (std::size_t y = 0; y < height; ++y) std::memset(row(to, pitch, y), value, width);
  });
}

}  // namespace
}  // namespace simt

using simt::api_call;
using simt::report;

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  if (!pitch) return report(cudaErrorInvalidValue);
  *pitch = (width + simt::row_alignment - 1) / simt::row_alignment * simt::row_alignment;
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (!pointer) return report(cudaErrorInvalidValue);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  api_call call("cudaMemcpy2D");
  if (call.error()) return call.error();
  simt::count_synchronization();
  return report(simt::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr));
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  api_call call("cudaMemcpy2DAsync");
  if (call.error()) return call.error();
  return report(simt::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream));
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  api_call call("cudaMemset2D");
  if (call.error()) return call.error();
  return report(simt::set_rows(to, pitch, value, width, height, stream));
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation, unsigned int flags,
                                 cudaStream_t stream) {
  api_call call("cudaMemPrefetchAsync");
  if (call.error()) return call.error();
  if (flags != 0 || !simt::is_managed(pointer) || bytes == 0) return report(cudaErrorInvalidValue);
  return report(simt::enqueue(stream, [] {}));
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  api_call call("cudaMemAdvise");
  if (call.error()) return call.error();
  return report(simt::is_managed(pointer) && bytes > 0 ? cudaSuccess : cudaErrorInvalidValue);
}
