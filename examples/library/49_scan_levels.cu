// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans at the levels of a block: in registers, in a warp's tile, in the block. A block keeps the multiples of three of
// an array, in order: an exclusive scan of what each thread keeps says where it writes, and a running prefix goes from
// tile to tile. Many blocks keep the even numbers, each behind a prefix that it claims when it knows how many it keeps.
// An inclusive scan composes steps that do not commute.
#include <gpuprim/scan.cuh>

#include <gpuprim/launch/launch.cuh>

#include "../measure.hpp"

constexpr int block_size = 128, items = 4, n = 5000;

// [levels]
__global__ void scan_levels(int* out) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<8> tile;
  const int rank = int(block.thread_rank());

  int mine[] = {rank, 1, 1};
  const int sum = gpuprim::thread_inclusive_scan(mine, gpuprim::plus{});  // {rank, rank + 1, rank + 2}, in registers
  const int before = gpuprim::warp_exclusive_scan(tile, sum, gpuprim::plus{});  // of the lanes before, of 8
  int total = 0;
  const int largest =
      gpuprim::block_inclusive_scan<block_size>(block, before, gpuprim::maximum{}, gpuprim::total_to{total});
  // [levels]
  out[rank] = largest;
  if (rank == 0) out[block_size] = total;
}

// [compact]
__global__ void keep_multiples(const int* in, int* kept, int* count) {
  const gpuprim::this_block block;
  gpuprim::running_prefix at{0};
  for (int first = 0; first < n; first += block_size * items) {
    int values[items], places[items];
    for (int i = 0; i < items; ++i) {
      const int from = first + int(block.thread_rank()) * items + i;
      values[i] = from < n ? in[from] : 1;
      places[i] = values[i] % 3 == 0;
    }
    gpuprim::block_exclusive_scan<block_size>(block, places, gpuprim::plus{}, at);
    for (int i = 0; i < items; ++i) {
      if (values[i] % 3 == 0) kept[places[i]] = values[i];
    }
  }
  if (block.thread_rank() == 0) *count = at.value;
}
// [compact]

// [callback]
__global__ void keep_even(const int* in, int* kept, int* count) {  // in whichever order the blocks come
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), at = int(blockIdx.x) * block_size + rank;
  const bool keep = at < n && in[at] % 2 == 0;
  const auto claim = [&](int kept_by_block) { return rank == 0 ? atomicAdd(count, kept_by_block) : 0; };
  const int place =
      gpuprim::block_exclusive_scan<block_size>(block, int(keep), gpuprim::plus{}, gpuprim::prefix_callback{claim});
  if (keep) kept[place] = in[at];
}
// [callback]

struct step {  // x -> scale * x + offset
  unsigned scale, offset;
};
struct then {  // first one step, then the other: associative, but the order matters
  __host__ __device__ step operator()(step a, step b) const {
    return {a.scale * b.scale, a.offset * b.scale + b.offset};
  }
};

__global__ void run_recurrence(const step* in, unsigned* out) {
  const step all = gpuprim::block_inclusive_scan<block_size>(gpuprim::this_block{}, in[threadIdx.x], then{});
  out[threadIdx.x] = all.scale * 7 + all.offset;  // x after so many steps from 7
}

int main() {
  using measure::check, measure::device_array;
  std::vector<int> values, want_levels, want_kept, want_even;
  std::vector<step> steps;
  std::vector<unsigned> want_states;
  int largest = 0, sum = 0;
  for (int i = 0; i < block_size; ++i) {
    if (i % 8 == 0) sum = 0;
    want_levels.push_back(largest = std::max(largest, sum));
    sum += i + 2;
  }
  want_levels.push_back(largest);
  for (int i = 0; i < n; ++i) {
    values.push_back(i * 37 % 1000);
    if (values.back() % 3 == 0) want_kept.push_back(values.back());
    if (values.back() % 2 == 0) want_even.push_back(values.back());
  }
  unsigned x = 7;
  for (unsigned i = 0; i < block_size; ++i) {
    steps.push_back({i + 2, 3 * i});
    want_states.push_back(x = steps.back().scale * x + steps.back().offset);
  }

  const device_array<int> levels(want_levels.size()), in(values), kept(values.size()), count(1);
  const device_array<int> even(want_even.size()), even_count(std::vector<int>{0});
  const device_array<step> device_steps(steps);
  const device_array<unsigned> states(want_states.size());
  check(gpuprim::launch(scan_levels, 1, block_size, nullptr, levels.data()));
  check(gpuprim::launch(keep_multiples, 1, block_size, nullptr, in.data(), kept.data(), count.data()));
  check(gpuprim::launch(keep_even, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), even.data(),
                        even_count.data()));
  check(gpuprim::launch(run_recurrence, 1, block_size, nullptr, device_steps.data(), states.data()));
  std::vector<int> got = kept.on_host();
  got.resize(std::size_t(count.on_host()[0]));
  std::vector<int> got_even = even.on_host();
  std::sort(got_even.begin(), got_even.end());
  std::sort(want_even.begin(), want_even.end());
  const bool right = levels.on_host() == want_levels && got == want_kept && states.on_host() == want_states &&
                     got_even == want_even && even_count.on_host()[0] == int(want_even.size());
  std::printf("kept %d of %d: %s\n", int(got.size()), n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
