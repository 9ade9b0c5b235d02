// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function with _sync in its name brings lanes together: none of the lanes in its mask goes on before all of them
// have come. The odd lanes take a long way to it and the even ones a short way; each notes the clock when it comes and
// when it goes on. The clock that a lane notes when it comes does not wait for its last read; a function that takes the
// value of that read may wait for it too. Without such a function the compiler lets lanes meet behind a branch too, but
// nobody promises it.
// Lanes that stay apart cost time: work that both sides of a branch have in common is issued once for the whole warp if
// it stands behind the branch, and twice if each side does it by itself.
// Source: "Warp Shuffle Functions" and "Synchronization Functions" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int chains = 8;
constexpr unsigned full = 0xffffffffu;

enum class meeting { none, syncwarp, shuffle, ballot, all, match };

struct times {
  long long came, went_on;
  int other;
};

// [meet]
template <meeting How>
__global__ void meet(const int* next, int steps, int* found, times* clock) {
  const int lane = int(threadIdx.x), mine = lane % 2 == 0 ? 1 : steps;
  int at = lane, other = 0;
  __syncwarp();
  for (int i = 0; i < mine; ++i) {
    at = next[at];
    if (i + 1 == mine) clock[lane].came = clock64();
  }
  if constexpr (How == meeting::syncwarp) __syncwarp();
  if constexpr (How == meeting::shuffle) other = __shfl_sync(full, at, lane ^ 1);
  if constexpr (How == meeting::ballot) other = int(__ballot_sync(full, at % 2));
  if constexpr (How == meeting::all) other = __all_sync(full, at >= 0);
  if constexpr (How == meeting::match) other = int(__match_any_sync(full, at));
  clock[lane].went_on = clock64();
  found[lane] = at;
  clock[lane].other = other;  // so that it is computed
}
// [meet]

// [apart]
__device__ inline unsigned common_work(unsigned x, int rounds) {
  unsigned y[chains];
  for (int k = 0; k < chains; ++k) y[k] = x + unsigned(k);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < chains; ++k) y[k] = y[k] * 1664525u + 1013904223u;
  }
  unsigned sum = 0;
  for (int k = 0; k < chains; ++k) sum += y[k];
  return sum;
}

enum class lanes { together, apart };

template <lanes Are>
__global__ void work(int rounds, unsigned* out, long long* cycles) {
  unsigned x = threadIdx.x;
  __syncwarp();
  const long long begin = clock64();
  if (x % 2 == 0) {
    x = x * 3 + 1;
    if constexpr (Are == lanes::apart) x = common_work(x, rounds);
  } else {
    x ^= 0x5555u;
    if constexpr (Are == lanes::apart) x = common_work(x, rounds);
  }
  if constexpr (Are == lanes::together) {
    __syncwarp();
    x = common_work(x, rounds);
  }
  __syncwarp();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  out[threadIdx.x] = x;
}
// [apart]

/// What the function gives a lane, of the values that all lanes have.
template <meeting How>
int expected(const std::vector<int>& values, int lane) {
  unsigned votes = 0, equals = 0;
  for (int l = 0; l < 32; ++l) {
    votes |= unsigned(values[l] % 2) << l;
    equals |= unsigned(values[l] == values[lane]) << l;
  }
  switch (How) {
    case meeting::shuffle:
      return values[lane ^ 1];
    case meeting::ballot:
      return int(votes);
    case meeting::all:
      return 1;
    case meeting::match:
      return int(equals);
    default:
      return 0;
  }
}

template <meeting How>
bool show_meeting(const char* name, const std::vector<int>& next, int steps) {
  const device_array<int> table(next), found(32);
  const device_array<times> clock(32);
  for (int run = 0; run < 2; ++run) {  // the first one also loads the code
    found.poison();
    meet<How><<<1, 32>>>(table.data(), steps, found.data(), clock.data());
    check(cudaGetLastError());
  }
  bool right = true;
  const std::vector<int> got = found.on_host();
  for (int lane = 0; lane < 32; ++lane) {
    int at = lane;
    for (int i = 0; i < (lane % 2 == 0 ? 1 : steps); ++i) at = next[at];
    right &= got[lane] == at;
  }
  const std::vector<times> at = clock.on_host();
  for (int lane = 0; lane < 32; ++lane) right &= at[lane].other == expected<How>(got, lane);
  long long last_came = at[0].came, first_went_on = at[0].went_on;
  for (const times& lane : at) {
    last_came = std::max(last_came, lane.came);
    first_went_on = std::min(first_went_on, lane.went_on);
  }
  if (on_gpu && How != meeting::none) right &= first_went_on >= last_came;
  std::printf("%-17s from the last lane that came to the first one that went on: %s%s\n", name,
              figure(double(first_went_on - last_came), "cycles").c_str(), right ? "" : ": WRONG");
  return right;
}

template <lanes Are>
bool show_work(const char* name, int rounds) {
  const device_array<unsigned> out(32);
  const device_array<long long> cycles(1);
  double best = 1e30;
  for (int run = 0; run < 3; ++run) {
    out.poison();
    work<Are><<<1, 32>>>(rounds, out.data(), cycles.data());
    check(cudaGetLastError());
    best = std::min(best, double(cycles.on_host()[0]) / rounds);
  }
  bool right = true;
  const std::vector<unsigned> got = out.on_host();
  for (unsigned t = 0; t < 32; ++t) {
    const unsigned begin = t % 2 == 0 ? t * 3 + 1 : t ^ 0x5555u;
    unsigned sum = 0;
    for (unsigned k = 0; k < chains; ++k) {
      unsigned y = begin + k;
      for (int round = 0; round < rounds; ++round) y = y * 1664525u + 1013904223u;
      sum += y;
    }
    right &= got[t] == sum;
  }
  std::printf("%s: a round takes %s%s\n", name, figure(best, "cycles").c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int steps = size_to_run(count, arguments, usual_size(7, 1000), 1 << 20), places = 1 << 12;
  std::vector<int> next;
  for (int i = 0; i < places; ++i) next.push_back(int(unsigned(i) * 1229u + 77u) % places);
  bool right = show_meeting<meeting::none>("nothing:", next, steps);
  right &= show_meeting<meeting::syncwarp>("__syncwarp:", next, steps);
  right &= show_meeting<meeting::shuffle>("__shfl_sync:", next, steps);
  right &= show_meeting<meeting::ballot>("__ballot_sync:", next, steps);
  right &= show_meeting<meeting::all>("__all_sync:", next, steps);
  right &= show_meeting<meeting::match>("__match_any_sync:", next, steps);
  right &= show_work<lanes::together>("the common work once, behind the branch", steps);
  right &= show_work<lanes::apart>("the common work on each side", steps);
  return verdict(right);
}
