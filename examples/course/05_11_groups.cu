// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What groups of cooperative groups say of themselves: a block has group_index() and thread_index(), which are blockIdx
// and threadIdx, and every group has a size() and a thread_rank(). A grid also has is_valid(), which says whether
// grid.sync() may be called: only where the launch was a cooperative one, whose blocks are all resident at once.
// Source: "Cooperative Groups" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <cooperative_groups.h>

using namespace course;

namespace cg = cooperative_groups;

struct place {
  int block_x, block_y, thread_x, thread_y, rank_in_block, rank_in_tile, block_size, tile_size, tile;
  int rank_in_grid, grid_size, is_valid;
};

// [kernel]
__global__ void find_places(place* places) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const cg::grid_group grid = cg::this_grid();
  const dim3 group = block.group_index(), thread = block.thread_index();
  places[grid.thread_rank()] = {int(group.x),
                                int(group.y),
                                int(thread.x),
                                int(thread.y),
                                int(block.thread_rank()),
                                int(tile.thread_rank()),
                                int(block.size()),
                                int(tile.size()),
                                int(tile.meta_group_rank()),
                                int(grid.thread_rank()),
                                int(grid.size()),
                                int(grid.is_valid())};
  if (grid.is_valid()) grid.sync();
}
// [kernel]

int main() {
  constexpr int columns = 3, rows = 2, width = 16, height = 4, block_size = width * height;
  constexpr int threads = columns * rows * block_size;
  const device_array<place> places(threads);
  bool right = true;
  for (const bool is_cooperative : {false, true}) {
    places.poison();
    cudaLaunchAttribute cooperative{};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(columns, rows);
    config.blockDim = dim3(width, height);
    config.attrs = &cooperative;
    config.numAttrs = is_cooperative ? 1 : 0;
    check(cudaLaunchKernelEx(&config, find_places, places.data()));
    const std::vector<place> got = places.on_host();
    for (int i = 0; i < threads; ++i) {
      const int block = i / block_size, rank = i % block_size;
      const place& p = got[i];
      right &= p.block_x == block % columns && p.block_y == block / columns;
      right &= p.thread_x == rank % width && p.thread_y == rank / width && p.rank_in_block == rank;
      right &= p.rank_in_tile == rank % 16 && p.tile == rank / 16 && p.tile_size == 16;
      right &= p.block_size == block_size && p.rank_in_grid == i && p.grid_size == threads;
      right &= p.is_valid == int(is_cooperative);
    }
    std::printf("%s launch: grid.is_valid() is %s\n", is_cooperative ? "a cooperative" : "an ordinary",
                got[0].is_valid ? "true" : "false");
  }
  return verdict(right);
}
