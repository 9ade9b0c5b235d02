// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dot products of 8-bit numbers, four products with one instruction (dp4a), and of 16-bit by 8-bit numbers, two with
// one (dp2a), each beside the plain form. For quantised weights and samples; both forms are exact, and so are equal.
// gpuprim::dot uses these instructions by itself, and gpuprim::thread_dot in a kernel: see 39_dot.cu.
// Source: the mixed-precision chapter of "Learn CUDA Programming" (Han, Sharma); the instructions need sm_61.
#include "../measure.hpp"

#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

#include <cstdint>
#include <limits>

// [forms]
struct plain {  // the sum of four products
  template <class A>
  __device__ static int dot4(const A* a, const std::int8_t* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  }
};

struct packed {  // the same on 32-bit words: the numbers must be aligned to 4 bytes
  template <class T>
  __device__ static int word(const T* numbers) {
    return *reinterpret_cast<const int*>(numbers);
  }
  __device__ static int dot4(const std::int8_t* a, const std::int8_t* b) { return __dp4a(word(a), word(b), 0); }
  __device__ static int dot4(const std::int16_t* a, const std::int8_t* b) {
    return __dp2a_hi(word(a + 2), word(b), __dp2a_lo(word(a), word(b), 0));  // lo and hi: which two bytes of b
  }
};
// [forms]

constexpr int blocks = 8, block_size = 128;

template <class Form, class A>
__global__ void dot(const A* a, const std::int8_t* b, int n, std::int64_t* out,
                    gpuprim::grid_reduce_state<std::int64_t> state) {
  auto block = cooperative_groups::this_thread_block();
  const int rank = int(blockIdx.x * blockDim.x + threadIdx.x);
  std::int64_t mine = 0;  // 64 bits: no count of products overflows it
  for (int i = rank; i < n / 4; i += int(gridDim.x * blockDim.x)) mine += Form::dot4(a + 4 * i, b + 4 * i);
  const int rest = n / 4 * 4 + rank;
  if (rest < n) mine += a[rest] * b[rest];
  gpuprim::grid_reduce<block_size>(block, mine, gpuprim::plus{}, state, [&](std::int64_t total) { *out = total; });
}

template <class A>
bool check(int n) {
  std::vector<A> a;
  std::vector<std::int8_t> b;
  std::int64_t want = 0;
  for (int i = 0; i < n; ++i) {  // every value of b, and the extremes of both together
    a.push_back(A(i % 5 == 0 ? std::numeric_limits<A>::lowest() : A(i * 2741)));
    b.push_back(std::int8_t(i % 10 == 0 ? -128 : i * 77));
    want += std::int64_t(a.back()) * b.back();
  }
  const measure::device_array<A> device_a(a);
  const measure::device_array<std::int8_t> device_b(b);
  const measure::device_array<std::int64_t> out(2);
  out.poison();
  gpuprim::workspace ws(gpuprim::grid_reduce_bytes<std::int64_t>(blocks));
  auto state = gpuprim::make_grid_reduce_state<std::int64_t>(ws.data());
  measure::check(gpuprim::launch(dot<plain, A>, blocks, block_size, nullptr, device_a.data(), device_b.data(), n,
                                 out.data(), state));
  measure::check(gpuprim::launch(dot<packed, A>, blocks, block_size, nullptr, device_a.data(), device_b.data(), n,
                                 out.data() + 1, state));
  const std::vector<std::int64_t> got = out.on_host();
  std::printf("%d products of %d by 8 bits: plain %lld, packed %lld, want %lld\n", n, int(8 * sizeof(A)),
              static_cast<long long>(got[0]), static_cast<long long>(got[1]), static_cast<long long>(want));
  return got[0] == want && got[1] == want;
}

int main() {
  bool right = true;
  for (int n : {1, 7, 1001, 10007}) {
    right &= check<std::int8_t>(n);
    right &= check<std::int16_t>(n);
  }
  return right ? 0 : 1;
}
