// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes can ask of their warp: does a test hold for all, for any, for which (ballot); which lanes have my value
// (match_any); do all have the same (match_all). The mask says who takes part, and all of them have to come.
// __activemask() only tells which lanes happen to be here: it may be any part of those in the branch. So it must not be
// the mask of one of the other functions.
// Source: the warp functions of NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 128, blocks = 8, n = block_size * blocks;

struct answers {
  int all, any, same;
  unsigned ballot, match_any, match_all, active;
};

// [kernel]
__global__ void ask(const int* in, answers* out) {
  constexpr unsigned everyone = 0xffffffffu;
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), x = in[i];
  answers a{};
  a.all = __all_sync(everyone, x > 0);
  a.any = __any_sync(everyone, x > 5);
  a.ballot = __ballot_sync(everyone, x % 2);
  a.match_any = __match_any_sync(everyone, x);
  a.match_all = __match_all_sync(everyone, x, &a.same);
  if (x % 2) a.active = __activemask();
  out[i] = a;
}
// [kernel]

int main() {
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i / 32 % 4 == 0 ? 3 : 1 + i * 7 % (1 + i / 32));
  const device_array<int> in(values);
  const device_array<answers> out(n);
  out.poison();
  ask<<<blocks, block_size>>>(in.data(), out.data());
  check(cudaGetLastError());
  const std::vector<answers> got = out.on_host();
  bool right = true;
  int whole = 0, in_branch = 0;
  for (int i = 0; i < n; ++i) {
    const int* warp = &values[i / 32 * 32];
    const answers& a = got[i];
    unsigned odd = 0, same = 0, larger = 0;
    for (int lane = 0; lane < 32; ++lane) {
      odd |= unsigned(warp[lane] % 2) << lane;
      same |= unsigned(warp[lane] == values[i]) << lane;
      larger |= unsigned(warp[lane] > 5) << lane;
    }
    right &= a.all != 0 && (a.any != 0) == (larger != 0) && a.ballot == odd && a.match_any == same;
    right &= (a.same != 0) == (same == ~0u) && a.match_all == (same == ~0u ? ~0u : 0u);
    if (values[i] % 2 == 0) continue;
    right &= (a.active >> i % 32 & 1) != 0 && (a.active & ~odd) == 0;  // this lane, and no other than those
    ++in_branch;
    whole += a.active == odd;
  }
  std::printf("of %d lanes in the branch, __activemask() named all of their warp there to %d\n", in_branch, whole);
  return verdict(right);
}
