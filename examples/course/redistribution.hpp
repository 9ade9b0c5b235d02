// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the programs that redistribute work share: the count of lane steps, and a comparison of work that stays where it
// lies with work that moves. Of the lane steps that warps issue, it counts those in which a lane has something to do.
#include "course.hpp"

#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/reduce.cuh>

#include <utility>

namespace course {

constexpr int block_size = 128;

enum class work { stays, moves };

__host__ __device__ constexpr unsigned collatz(unsigned x) { return x % 2 == 0 ? x / 2 : 3 * x + 1; }
__host__ __device__ constexpr unsigned scramble(unsigned x) { return (x ^ x >> 15) * 2654435769u + 1; }

/// Counts the lane steps of the calling thread.
struct lanes {
  unsigned long long useful = 0, issued = 0;

  /// One step of those lanes that are active. A warp issues it for all of its lanes, or for none.
  template <class Step>
  __device__ void run(bool is_active, const Step& step) {
    if (gpuprim::warp_rank(gpuprim::warp_tile<32>{}, is_active).count == 0) return;
    ++issued;
    if (!is_active) return;
    ++useful;
    step();
  }

  __device__ void add_to(unsigned long long* sums) const {
    const gpuprim::this_block block;
    const auto all_useful = gpuprim::block_reduce<block_size>(block, useful, gpuprim::plus{});
    const auto all_issued = gpuprim::block_reduce<block_size>(block, issued, gpuprim::plus{});
    if (block.thread_rank() != 0) return;
    atomicAdd(&sums[0], all_useful);
    atomicAdd(&sums[1], all_issued);
  }
};

using kernel_of_work = void (*)(unsigned* data, int n, unsigned long long* sums);

/// Runs the work where it lies and moved. True if both are right, and moving it makes more of the lanes useful.
inline bool compare(const char* name, kernel_of_work stays, kernel_of_work moves, unsigned (*on_host)(unsigned)) {
  constexpr int n = 5003;
  std::vector<unsigned> values(n), want(n);
  for (int i = 0; i < n; ++i) want[std::size_t(i)] = on_host(values[std::size_t(i)] = unsigned(i) + 2);
  bool right = true;
  const auto useful_steps_and_efficiency = [&](kernel_of_work kernel) {
    const device_array<unsigned> data(values);
    const device_array<unsigned long long> sums(std::vector<unsigned long long>{0, 0});
    check(gpuprim::launch(kernel, blocks_for(n, block_size), block_size, nullptr, data.data(), n, sums.data()));
    right &= data.on_host() == want;
    const std::vector<unsigned long long> got = sums.on_host();
    return std::pair(got[0], 100.0 * double(got[0]) / double(got[1]));
  };
  const auto [useful_steps, efficiency] = useful_steps_and_efficiency(stays);
  const auto [same_steps, better] = useful_steps_and_efficiency(moves);
  std::printf("%s: lane efficiency %.1f %% where it lies, %.1f %% redistributed\n", name, efficiency, better);
  return right && same_steps == useful_steps && better > efficiency;
}

}  // namespace course
