// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The launches of kernels that work on tiles which need what lies before them: scans, selects, runs and set operations.
#include <gpuprim/core/config.hpp>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A launch shape: threads of a block, elements of a thread, tiles that a block has in shared memory, and blocks that
/// registers leave room for. With one stage a block takes one tile, and all tiles are worked on at once; else it takes
/// one after the other. `thread_bytes`: what a thread has requested at once.
template <int BlockSize, int Items, int Stages, int Blocks, int ThreadBytes>
struct tile_shape {
  static constexpr int block_size = BlockSize, items = Items, stages = Stages, blocks = Blocks;
  static constexpr int thread_bytes = ThreadBytes, warps = BlockSize / warp_size, tile_items = BlockSize * Items;

  static constexpr std::int64_t count_tiles(std::int64_t n) {
    return n <= 0 ? 0 : n / tile_items + (n % tile_items != 0 ? 1 : 0);
  }
};

/// Whether a tile needs what lies before it.
enum class tile_ties { before, none };

inline constexpr outcome too_many_tiles = {cudaErrorInvalidValue, "the count is too large: more than 2^30 tiles"};

/// The launch that is chosen for a call, or why there is none. Mail: what blocks share that take one tile each;
/// LookBack: what the others share. Both are laid over memory that is zero before the launch and after it.
template <class Pass, class Mail, class LookBack>
struct found_tiles {
  Pass pass;
  outcome fault{does_not_fit, "the elements are too long for the shared memory of this GPU"};
  found_shape shape{};
  std::int64_t tiles = 0, shared_bytes = 0;
  int thread_bytes = 0;
  void (*one_kernel)(Pass, Mail) = nullptr;  ///< if a block takes one tile
  void (*many_kernel)(Pass, LookBack) = nullptr;

  explicit found_tiles(const Pass& p) : pass(p) {}

  /// Takes a kernel for so many tiles, unless a multiprocessor has no room for it, or more tiles would have to be there
  /// at once than can. MostBlocks: see find_spread_shape. Returns whether it is taken.
  template <auto Kernel, class Shape, int SharedBytes, int... MostBlocks>
  bool try_kernel(std::int64_t count, tile_ties ties = tile_ties::before) {
    constexpr bool is_one = Shape::stages == 1;
    shape = detail::find_spread_shape<Kernel, SharedBytes, MostBlocks...>(count, Shape::block_size);
    if (ties == tile_ties::none) shape.grid.grid_size = int(count);
    const bool is_many = is_one && count > shape.grid.grid_size;
    if (shape.error == does_not_fit || (is_many && shape.error == cudaSuccess)) return false;
    fault = {shape.error};
    tiles = count;
    thread_bytes = Shape::thread_bytes;
    if constexpr (is_one) {
      one_kernel = Kernel;
      shared_bytes = count > 1 && ties == tile_ties::before ? Mail::bytes(count) : 0;
    } else {
      many_kernel = Kernel;
      shared_bytes = LookBack::bytes(count);
    }
    return true;
  }

  /// Launches the kernel.
  outcome use(const options& how) const {
    if (fault.failed()) return fault;
    memory_lease lease(shared_bytes, how);
    if (lease.error()) return lease.refusal();
    void* const memory = lease.zeroed();
    if (many_kernel != nullptr) {
      return lease.finish(
          detail::launch_main(shape, many_kernel, thread_bytes, how, pass, LookBack::lay_over(memory, tiles)));
    }
    const Mail mail = memory != nullptr ? Mail::lay_over(memory, tiles) : Mail{};
    return lease.finish(detail::launch_main(shape, one_kernel, thread_bytes, how, pass, mail));
  }
};

}  // namespace gpuprim::detail
