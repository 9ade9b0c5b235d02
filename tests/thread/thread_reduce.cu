// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <array>
#include <span>

#if defined(__CUDACC__)
#include <cuda/std/array>
#include <cuda/std/span>
#endif

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

namespace {

/// A view of its own kind, which has values as it says.
struct view {
  const test::affine* first;
  int count;
  GPUPRIM_HOST_DEVICE int size() const { return count; }
  GPUPRIM_HOST_DEVICE const test::affine& operator[](std::size_t i) const { return first[i]; }
};

/// The same values, in arrays and spans of several kinds.
__global__ void reduce_arrays(const test::affine* in, test::affine* out, std::array<test::affine, 5> by_value) {
  const test::then op;
  const test::affine built_in[] = {in[0], in[1], in[2], in[3], in[4]};
  const std::array<test::affine, 5> array{in[0], in[1], in[2], in[3], in[4]};
  out[0] = gpuprim::thread_reduce(built_in, op);
  out[1] = gpuprim::thread_reduce(array, op);
  out[2] = gpuprim::thread_reduce(by_value, op);
  out[3] = gpuprim::thread_reduce(view{in, 5}, op);
#if defined(__CUDACC__)
  const cuda::std::array<test::affine, 5> other_array{in[0], in[1], in[2], in[3], in[4]};
  out[4] = gpuprim::thread_reduce(other_array, op);
  out[5] = gpuprim::thread_reduce(cuda::std::span<const test::affine, 5>(in, 5), op);
  out[6] = gpuprim::thread_reduce(cuda::std::span<const test::affine>(in, 5), op);
#else
  out[4] = out[5] = out[6] = out[3];
#endif
}

}  // namespace

TEST_CASE("thread_reduce of arrays and spans of every kind", "[thread]") {
  std::vector<test::affine> in;
  std::array<test::affine, 5> array;
  for (int i = 0; i < 5; ++i) in.push_back(array[std::size_t(i)] = test::make_value<test::affine>(std::uint64_t(i)));
  test::device_array<test::affine> input(in), output(7);
  test::run(reduce_arrays, 1, 1, 0, input.data(), output.data(), array);
  const auto want = test::fold(std::vector<test::affine>(in.begin() + 1, in.end()), test::then{}, in[0]);
  CHECK(output.download() == std::vector<test::affine>(7, want));
  CHECK(gpuprim::thread_reduce(in, test::then{}) == want);
  CHECK(gpuprim::thread_reduce(std::span<const test::affine>(in), test::then{}) == want);
  CHECK(gpuprim::thread_reduce(std::span<const test::affine, 5>(in.data(), 5), test::then{}) == want);

  constexpr std::array<int, 3> values{5, 1, 4};
  static_assert(gpuprim::thread_reduce(values, gpuprim::minimum{}) == 1);
  static constexpr double one[] = {3};
  static_assert(gpuprim::thread_reduce(std::span<const double, 1>(one), gpuprim::plus{}) == 3);
  const std::array<test::span_of_positions, 2> positions{test::span_of_positions(0, 3), test::span_of_positions(4, 4)};
  CHECK(gpuprim::thread_reduce(positions, test::chain{}).last == 4);  // no default constructor
}
