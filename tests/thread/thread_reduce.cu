// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

namespace {

template <class T, int N, class Op>
__global__ void reduce_registers(const T* in, T* out, Op op) {
  gpuprim::uninitialized_array<T, N> values;
  for (int i = 0; i < N; ++i) values[i] = in[threadIdx.x * N + i];
  out[threadIdx.x] = gpuprim::thread_reduce(values, op);
}

template <class T, int N, class Op>
void check(Op op) {
  constexpr int threads = 3;
  std::vector<T> in;
  for (int i = 0; i < threads * N; ++i) in.push_back(test::make_value<T>(i));
  test::device_array<T> input(in), output(threads);
  test::run(reduce_registers<T, N, Op>, 1, threads, 0, input.data(), output.data(), op);
  const auto got = output.download();
  for (int t = 0; t < threads; ++t) {
    std::vector<T> mine(in.begin() + t * N + 1, in.begin() + (t + 1) * N);
    CHECK(got[t] == test::fold(mine, op, in[t * N]));
  }
  input.check_unchanged();
  output.check_guards();
}

template <class T, class Op>
void check_counts(Op op) {
  check<T, 1>(op);
  check<T, 2>(op);
  check<T, 3>(op);
  check<T, 7>(op);
  check<T, 8>(op);
  check<T, 16>(op);
}

}  // namespace

TEST_CASE("thread_reduce keeps the order for any count", "[thread][sanitizer]") {
  check_counts<int>(gpuprim::plus{});
  check_counts<unsigned char>(gpuprim::bit_xor{});
  check_counts<double>(gpuprim::plus{});
  check_counts<test::affine>(test::then{});
  check_counts<test::matrix2>(test::product{});
  check_counts<test::span_of_positions>(test::chain{});
}

TEST_CASE("thread_reduce works on the host and in constant expressions", "[thread]") {
  constexpr int values[] = {5, 1, 4};
  static_assert(gpuprim::thread_reduce(values, gpuprim::minimum{}) == 1);
  CHECK(gpuprim::thread_reduce(values, gpuprim::plus{}) == 10);
}
