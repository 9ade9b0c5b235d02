// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/core/uninitialized.hpp>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// What vectors in shared memory are aligned to.
inline constexpr int memory_alignment = 16;

/// Stands for the type of memory of which only an address and a size are known.
struct untyped_memory;

/// A block and a piece of shared memory for its calls.
struct block_memory : this_block {
  void* memory;  ///< aligned to 16 bytes
  int bytes;     ///< how many there are

  __device__ block_memory(void* shared, int shared_bytes) : memory(shared), bytes(shared_bytes) {}
};

}  // namespace detail

/// Shared memory for the calls of a block_with_memory, as much as the one needs that needs most:
/// `GPUPRIM_SHARED(memory, block_storage<block_scan_bytes<256, float>, block_sort_bytes<256, 4, int>>)`. It may be a
/// member of a union with other things.
template <int... Bytes>
struct alignas(detail::memory_alignment) block_storage {
  /// The memory.
  unsigned char bytes[detail::larger(detail::memory_alignment, 0, Bytes...)];
};

/// The calling thread's block, with shared memory of the caller's that its calls use in place of static memory of their
/// own: all calls of a kernel may so use one piece, which may be more than 48 KiB, and serve for other things between
/// them.
///
/// A call begins to write the memory at once, and when it returns, no thread uses the memory any more. Hence the caller
/// owes a barrier of the block before a call, if other things have been written or read there since the last call. He
/// owes none between two calls, and none between a call and other things.
template <class Storage = detail::untyped_memory>
struct block_with_memory : detail::block_memory {
  /// The type of the memory.
  using storage = Storage;

  /// From a variable in shared memory, such as a block_storage, an array or a union. Whether it is large enough and
  /// aligned to 16 bytes is known when a call is compiled.
  __device__ explicit block_with_memory(Storage& shared)
      : detail::block_memory(detail::pointer_to(shared), int(sizeof shared)) {
    static_assert(!std::is_pointer_v<Storage>,
                  "gpuprim::block_with_memory: beside a pointer to memory its number of bytes must be given");
  }
  /// From memory that all threads of the block name, such as `dynamic_shared<uint4>()`, aligned to 16 bytes.
  __device__ block_with_memory(void* shared, int shared_bytes) : detail::block_memory(shared, shared_bytes) {}
};

namespace detail {

template <class Block>
inline constexpr bool has_memory = std::is_base_of_v<block_memory, Block>;
template <class Block>
inline constexpr bool has_typed_memory = false;
template <class Storage>
inline constexpr bool has_typed_memory<block_with_memory<Storage>> = !std::is_same_v<Storage, untyped_memory>;

/// Checks that the memory of a block, if it has some, is enough for a call.
template <int Bytes, class Block>
__device__ __forceinline__ void expects_memory([[maybe_unused]] const Block& block, [[maybe_unused]] call_site here) {
  if constexpr (has_typed_memory<Block>) {
    using storage = typename Block::storage;
    static_assert(alignof(storage) >= memory_alignment,
                  "gpuprim::block_with_memory: the memory must be aligned to 16 bytes, as a block_storage is");
    static_assert(int(sizeof(storage)) >= Bytes,
                  "gpuprim::block_with_memory: the memory is smaller than the call needs, whose comment names the "
                  "constant, block_..._bytes");
  } else if constexpr (has_memory<Block>) {
    expects(block.bytes >= Bytes && reinterpret_cast<std::uintptr_t>(block.memory) % memory_alignment == 0,
            "gpuprim::block_with_memory: the memory must be aligned to 16 bytes and have at least %lld bytes for this "
            "call: it has %lld",
            here, Bytes, block.bytes);
  }
}

/// Shared memory of a call: the memory of the block, or static memory, which all calls share that name the same type.
/// @sync Each user of a type leaves it such that any user of this type may follow at once.
template <class Storage, class Block>
__device__ __forceinline__ Storage& storage_of([[maybe_unused]] const Block& block) {
  if constexpr (has_memory<Block>) {
    static_assert(int(alignof(Storage)) <= memory_alignment,
                  "gpuprim::block_with_memory: no type of a call may be aligned to more than 16 bytes");
    return *static_cast<Storage*>(block.memory);
  } else {
    GPUPRIM_SHARED(own, Storage);
    return own;
  }
}

/// The bytes that parts of so many bytes take in memory, one behind the other.
template <class... Bytes>
GPUPRIM_HOST_DEVICE constexpr int bytes_of_parts(Bytes... bytes) {
  return (((int(bytes) + memory_alignment - 1) / memory_alignment * memory_alignment) + ... + 0);
}

/// A block for calls within a call, which keeps the first `Bytes` of the block's memory for itself.
template <int Bytes, class Block>
__device__ __forceinline__ decltype(auto) memory_behind(const Block& block) {
  if constexpr (has_memory<Block>) {
    constexpr int kept = detail::bytes_of_parts(Bytes);
    return block_memory(static_cast<unsigned char*>(block.memory) + kept, block.bytes - kept);
  } else {
    return (block);
  }
}

/// The barrier behind the last use of memory that serves for other calls too. Static memory needs none where the next
/// call of the same kind has a barrier before it writes there.
template <class Block>
__device__ __forceinline__ void leave_memory([[maybe_unused]] const Block& block) {
  if constexpr (has_memory<Block>) block.sync();
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
