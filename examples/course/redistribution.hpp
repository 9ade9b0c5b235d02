// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the programs that redistribute work share: the count of lane steps, and a comparison of work that stays where it
// lies with work that moves. Of the lane steps that warps issue, it counts those in which a lane has something to do.
// To know that, all lanes vote in each step, also those of a warp that is idle; so the times are of runs that do not
// count.
#include "course.hpp"

#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/reduce.cuh>

namespace course {

constexpr int block_size = 128;

enum class work { stays, moves };

__host__ __device__ constexpr unsigned collatz(unsigned x) { return x % 2 == 0 ? x / 2 : 3 * x + 1; }
__host__ __device__ constexpr unsigned scramble(unsigned x) { return (x ^ x >> 15) * 2654435769u + 1; }

/// Counts the lane steps of the calling thread, and adds them to `sums`. If that is null, it counts nothing.
struct lanes {
  unsigned long long* sums;
  unsigned long long useful = 0, issued = 0;

  /// One step of those lanes that are active. A warp issues it for all of its lanes, or for none.
  template <class Step>
  __device__ void run(bool is_active, const Step& step) {
    if (sums != nullptr && gpuprim::warp_rank(gpuprim::warp_tile<32>{}, is_active).count > 0) {
      ++issued;
      useful += is_active;
    }
    if (is_active) step();
  }

  __device__ void add_up() const {
    if (sums == nullptr) return;
    const gpuprim::this_block block;
    const auto all_useful = gpuprim::block_reduce<block_size>(block, useful, gpuprim::plus{});
    const auto all_issued = gpuprim::block_reduce<block_size>(block, issued, gpuprim::plus{});
    if (block.thread_rank() != 0) return;
    atomicAdd(&sums[0], all_useful);
    atomicAdd(&sums[1], all_issued);
  }
};

using kernel_of_work = void (*)(unsigned* data, int n, unsigned long long* sums);

/// Runs the work where it lies and moved. True if both are right, and moving it makes more of the lanes useful. The
/// times are without the count, and with a copy of the input, which the work overwrites.
inline bool compare(const char* name, kernel_of_work stays, kernel_of_work moves, unsigned (*on_host)(unsigned)) {
  const int n = usual_size(5003, 100000);  // Collatz sequences from there stay below 2^32
  std::vector<unsigned> values(static_cast<std::size_t>(n)), want(values.size());
  for (int i = 0; i < n; ++i) want[std::size_t(i)] = on_host(values[std::size_t(i)] = unsigned(i) + 2);
  bool right = true;
  const device_array<unsigned> in(values), data(values.size());
  struct result {
    unsigned long long useful_steps;
    double efficiency, us;
  };
  const auto run = [&](kernel_of_work kernel) {
    const auto once = [&](unsigned long long* sums) {
      check(cudaMemcpyAsync(data.data(), in.data(), values.size() * sizeof(unsigned), cudaMemcpyDeviceToDevice));
      check(gpuprim::launch(kernel, blocks_for(n, block_size), block_size, nullptr, data.data(), n, sums));
    };
    const device_array<unsigned long long> sums(std::vector<unsigned long long>{0, 0});
    once(sums.data());
    right &= data.on_host() == want;
    const std::vector<unsigned long long> got = sums.on_host();
    const double us = time_us([&] { once(nullptr); });
    right &= data.on_host() == want;
    return result{got[0], 100.0 * double(got[0]) / double(got[1]), us};
  };
  const result where_it_lies = run(stays), moved = run(moves);
  std::printf("%s: lane efficiency %.1f %% where it lies, %.1f %% redistributed; %s, %s\n", name,
              where_it_lies.efficiency, moved.efficiency, figure(where_it_lies.us, "us").c_str(),
              figure(moved.us, "us").c_str());
  return right && moved.useful_steps == where_it_lies.useful_steps && moved.efficiency > where_it_lies.efficiency;
}

}  // namespace course
