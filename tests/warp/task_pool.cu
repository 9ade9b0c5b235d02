// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/task_pool.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// Task t takes 1 + scramble(t) % 9 steps. Every lane, or every tile, takes the next task when its own is done.
template <int Size>
__global__ void run_tasks(gpuprim::task_pool pool, int* runs) {
  const gpuprim::warp_tile<Size> tile;
  std::int64_t task = gpuprim::task_pool::none;
  int left = 0;
  for (;;) {
    const std::int64_t next = pool.next(tile, left == 0);
    if (next >= 0) {
      task = next;
      left = 1 + int(test::scramble(std::uint64_t(task)) % 9);
    }
    if (gpuprim::warp_rank(tile, left > 0).count == 0) break;
    if (left > 0 && --left == 0) atomicAdd(&runs[task], 1);
  }
}

template <int Size>
__global__ void run_tasks_by_tiles(gpuprim::task_pool pool, int* runs) {
  const gpuprim::warp_tile<Size> tile;
  for (std::int64_t task = pool.next(tile); task >= 0; task = pool.next(tile)) atomicAdd(&runs[task], 1);
}

/// The lanes that are idle come together to ask.
__global__ void run_tasks_coalesced(gpuprim::task_pool pool, int* runs) {
  for (int turn = 0;; ++turn) {
    if ((turn + int(threadIdx.x)) % 3 != 0) continue;
    const std::int64_t task = pool.next(cg::coalesced_threads(), true);
    if (task < 0) break;
    atomicAdd(&runs[task], 1);
  }
}

void check_pool(void (*kernel)(gpuprim::task_pool, int*), int tasks, int each) {
  for (unsigned blocks : {1, 5}) {
    CAPTURE(tasks, blocks);
    test::device_array<unsigned long long> taken(std::vector<unsigned long long>{0});
    test::device_array<int> runs(std::vector<int>(static_cast<std::size_t>(tasks)));
    test::run(kernel, blocks, 96, 0, gpuprim::task_pool{taken.data(), tasks}, runs.data());
    CHECK(runs.download() == std::vector<int>(static_cast<std::size_t>(tasks), each));
    CHECK(taken.download()[0] >= unsigned(tasks));
    CHECK(taken.download()[0] <= unsigned(tasks) + blocks * 96);  // no thread asks twice in vain
    runs.check_guards();
    taken.check_guards();
  }
}

}  // namespace

TEST_CASE("each task of a pool is taken once", "[warp][sanitizer][tsan]") {
  for (int tasks : {0, 1, 31, 32, 97, 500}) {
    check_pool(run_tasks<32>, tasks, 1);
    check_pool(run_tasks<8>, tasks, 1);
    check_pool(run_tasks_by_tiles<32>, tasks, 32);
    check_pool(run_tasks_by_tiles<4>, tasks, 4);
    check_pool(run_tasks_coalesced, tasks, 1);
  }
}
