// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <concepts>
#include <cstddef>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// What a resource is asked for that takes an alignment. Calls need no more than 16 bytes; whole lines are read faster.
inline constexpr std::size_t resource_alignment = 256;

// The three forms in which resources take a stream: that of cuda::mr since CUDA 13.1 and of new versions of RMM, that
// of cuda::mr before, and that of RMM's device_memory_resource.
template <class R>
concept takes_stream_first = requires(R& r, cudaStream_t stream, void* memory, std::size_t bytes) {
  { r.allocate(stream, bytes, bytes) } -> std::convertible_to<void*>;
  r.deallocate(stream, memory, bytes, bytes);
};
template <class R>
concept takes_stream_behind_alignment = requires(R& r, cudaStream_t stream, void* memory, std::size_t bytes) {
  { r.allocate_async(bytes, bytes, stream) } -> std::convertible_to<void*>;
  r.deallocate_async(memory, bytes, bytes, stream);
};
template <class R>
concept takes_stream_behind_bytes = requires(R& r, cudaStream_t stream, void* memory, std::size_t bytes) {
  { r.allocate(bytes, stream) } -> std::convertible_to<void*>;
  r.deallocate(memory, bytes, stream);
};

}  // namespace detail

/// Whether R allocates and deallocates device memory in the order of a stream: it has
/// `allocate(stream, bytes, alignment)` and `deallocate(stream, memory, bytes, alignment)`, or `allocate_async` and
/// `deallocate_async` with the stream as the last argument, or `allocate(bytes, stream)` and
/// `deallocate(memory, bytes, stream)`. Resources of `cuda::mr` and RMM are such types.
template <class R>
concept stream_resource =
    detail::takes_stream_first<R> || detail::takes_stream_behind_alignment<R> || detail::takes_stream_behind_bytes<R>;

/// Where a call takes its memory from: `{.memory = resource}`. It is a pool of CUDA's, any `stream_resource`, which it
/// refers to, or two functions with a context of the caller's. Calls are not compiled anew for each kind.
class memory_resource {
 public:
  /// Writes the address of so many bytes, which are aligned to 16 bytes and may be used by what is enqueued in the
  /// stream from now on.
  using allocate_function = cudaError_t (*)(void* context, void** memory, std::size_t bytes, cudaStream_t stream);
  /// Takes them back. They are in use until all is done that the stream has so far.
  using deallocate_function = cudaError_t (*)(void* context, void* memory, std::size_t bytes, cudaStream_t stream);

  /// No resource: a call takes memory of the library's pool.
  constexpr memory_resource() = default;
  /// Two functions, which are given `context`.
  constexpr memory_resource(void* context, allocate_function allocate, deallocate_function deallocate)
      : context_(context), allocate_(allocate), deallocate_(deallocate) {}
  /// A memory pool of CUDA's.
  memory_resource(cudaMemPool_t pool) : memory_resource(pool, &allocate_of_pool, &deallocate_of_pool) {}
  /// A resource, which must be there as long as calls are made that use it.
  template <stream_resource R>
    requires(!std::same_as<R, memory_resource>)
  memory_resource(R& resource)
      : memory_resource(const_cast<void*>(static_cast<const void*>(__builtin_addressof(resource))), &allocate_of<R>,
                        &deallocate_of<R>) {}

  /// Whether there is one.
  constexpr explicit operator bool() const { return allocate_ != nullptr; }

  /// Allocates. An exception of the resource's counts as cudaErrorMemoryAllocation, and so does a null pointer.
  [[nodiscard]] cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) const {
    *memory = nullptr;
    const auto go = [&] { return allocate_(context_, memory, bytes, stream); };
    const cudaError_t error = guard(go, cudaErrorMemoryAllocation);
    return error == cudaSuccess && *memory == nullptr ? cudaErrorMemoryAllocation : error;
  }
  /// Deallocates. An exception counts as cudaErrorUnknown.
  [[nodiscard]] cudaError_t deallocate(void* memory, std::size_t bytes, cudaStream_t stream) const {
    return guard([&] { return deallocate_(context_, memory, bytes, stream); }, cudaErrorUnknown);
  }

 private:
  template <class Go>
  static cudaError_t guard(const Go& go, [[maybe_unused]] cudaError_t thrown) {
#if defined(__cpp_exceptions)
    try {
      return go();
    } catch (...) {
      return thrown;
    }
#else
    return go();
#endif
  }

  static cudaError_t allocate_of_pool(void* pool, void** memory, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(memory, bytes, static_cast<cudaMemPool_t>(pool), stream);
  }
  static cudaError_t deallocate_of_pool(void*, void* memory, std::size_t, cudaStream_t stream) {
    return cudaFreeAsync(memory, stream);
  }

  template <class R>
  static cudaError_t allocate_of(void* context, void** memory, std::size_t bytes, cudaStream_t stream) {
    R& r = *static_cast<R*>(context);
    if constexpr (detail::takes_stream_first<R>) *memory = r.allocate(stream, bytes, detail::resource_alignment);
    else if constexpr (detail::takes_stream_behind_bytes<R>) *memory = r.allocate(bytes, stream);
    else *memory = r.allocate_async(bytes, detail::resource_alignment, stream);
    return cudaSuccess;
  }
  template <class R>
  static cudaError_t deallocate_of(void* context, void* memory, std::size_t bytes, cudaStream_t stream) {
    R& r = *static_cast<R*>(context);
    if constexpr (detail::takes_stream_first<R>) r.deallocate(stream, memory, bytes, detail::resource_alignment);
    else if constexpr (detail::takes_stream_behind_bytes<R>) r.deallocate(memory, bytes, stream);
    else r.deallocate_async(memory, bytes, detail::resource_alignment, stream);
    return cudaSuccess;
  }

  void* context_ = nullptr;
  allocate_function allocate_ = nullptr;
  deallocate_function deallocate_ = nullptr;
};

}  // namespace gpuprim
