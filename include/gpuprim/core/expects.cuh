// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

#if defined(SIMT_DEVICE)
inline constexpr bool checks_promises = true;
using call_site = ::simt::location;
#else
inline constexpr bool checks_promises = false;

/// Where a function is called: the last parameter of those that check what they are called with. Empty on a GPU.
struct call_site {
  GPUPRIM_HOST_DEVICE static constexpr call_site current() { return {}; }
};
#endif

/// Checks a precondition of a function in a kernel that no type can express. On the host SIMT device a violation ends
/// the program with `sentence`, in which each `%lld` stands for one of the numbers, the place and the thread. A GPU
/// does not check it, so that it costs nothing there.
template <class... Numbers>
__device__ __forceinline__ void expects([[maybe_unused]] bool holds, [[maybe_unused]] const char* sentence,
                                        [[maybe_unused]] call_site here = {},
                                        [[maybe_unused]] const Numbers&... numbers) {
#if defined(SIMT_DEVICE)
  if (!holds) ::simt::broken_promise(here, sentence, static_cast<long long>(numbers)...);
#endif
}

/// Checks that a block has the BlockSize threads that a call of `function` is compiled for, where that is not 0.
template <int BlockSize, class Block>
__device__ __forceinline__ void expects_block_size([[maybe_unused]] const Block& block,
                                                   [[maybe_unused]] const char* function,
                                                   [[maybe_unused]] call_site here) {
#if defined(SIMT_DEVICE)
  const auto size = static_cast<long long>(block.size());
  if (BlockSize == 0 || size == BlockSize) return;
  ::simt::broken_promise(here, "%s: the block was not launched with BlockSize threads: it has %lld, BlockSize is %d",
                         function, size, BlockSize);
#endif
}

/// Checks that all threads of the block make a call. On a GPU one that has ended would let the others pass barriers,
/// and its value would be missing.
__device__ __forceinline__ void expects_whole_block([[maybe_unused]] call_site here) {
#if defined(SIMT_DEVICE)
  ::simt::whole_block_calls(here);
#endif
}

/// Whether a pointer leads to memory of the host that a GPU does not reach. On a GPU nothing is asked, which would take
/// a microsecond.
template <class P>
GPUPRIM_HOST_DEVICE bool is_host_memory([[maybe_unused]] const P& p) {
#if defined(SIMT_DEVICE)
  if constexpr (std::is_pointer_v<P>) return ::simt::is_host_memory(p);
#endif
  return false;
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
