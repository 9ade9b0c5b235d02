// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_scan.cuh>

#include "../support/scan_check.cuh"

#include <array>
#include <span>

#if defined(__CUDACC__)
#include <cuda/std/array>
#include <cuda/std/span>
#endif

namespace {

/// Each of the three forms: its values, then its total.
template <class T, int N, class Op>
__global__ void scan_registers(const T* in, const T* starts, T* out, Op op) {
  const int t = int(threadIdx.x);
  gpuprim::uninitialized_array<T, N> values[3];
  for (auto& one : values) {
    for (int i = 0; i < N; ++i) one[i] = in[t * N + i];
  }
  const T start = starts[t];
  const T totals[] = {gpuprim::thread_inclusive_scan(values[0], op),
                      gpuprim::thread_inclusive_scan(values[1].items, op, start),
                      gpuprim::thread_exclusive_scan(values[2], op, start)};
  for (int form = 0; form < 3; ++form) {
    T* to = out + (t * 3 + form) * (N + 1);
    for (int i = 0; i < N; ++i) to[i] = values[form][i];
    to[N] = totals[form];
  }
}

template <class T, int N, class Op>
void check(Op op) {
  constexpr int threads = 3;
  std::vector<T> starts;
  for (int t = 0; t < threads; ++t) starts.push_back(test::make_start<T>(t * N));
  test::device_array<T> input(test::make_values<T>(threads * N)), from(starts), output(threads * 3 * (N + 1));
  test::run(scan_registers<T, N, Op>, 1, threads, 0, input.data(), from.data(), output.data(), op);
  const auto got = output.download();
  for (int t = 0; t < threads; ++t) {
    const auto values = test::make_values<T>(N, t * N);
    auto behind = values;
    behind[0] = op(starts[std::size_t(t)], behind[0]);
    const std::vector<T> want[] = {test::scan_inclusive(values, op), test::scan_inclusive(behind, op),
                                   test::scan_exclusive(values, op, starts[std::size_t(t)])};
    for (int form = 0; form < 3; ++form) {
      const auto at = std::size_t((t * 3 + form) * (N + 1));
      CHECK(test::count_wrong(got, at, want[form], N) == 0);
      CHECK(got[at + N] == want[form == 0 ? 0 : 1].back());
    }
  }
  input.check_unchanged();
  output.check_guards();
}

template <class T, class Op>
void check_counts(Op op) {
  check<T, 1>(op);
  check<T, 3>(op);
  check<T, 8>(op);
}

/// The same values in an array of each kind that device code takes.
__global__ void scan_arrays(const test::affine* in, test::affine* out, std::array<test::affine, 5> by_value) {
  const test::then op;
  const test::affine start = in[5];
  test::affine built_in[] = {in[0], in[1], in[2], in[3], in[4]};
  out[0] = gpuprim::thread_inclusive_scan(built_in, op, start);
  out[1] = gpuprim::thread_inclusive_scan(by_value, op, start);
  std::array<test::affine, 5> array{in[0], in[1], in[2], in[3], in[4]};
  out[2] = gpuprim::thread_exclusive_scan(array, op, start);
  for (int i = 0; i < 5; ++i) out[3 + i] = built_in[i];
#if defined(__CUDACC__)
  cuda::std::array<test::affine, 5> other_array{in[0], in[1], in[2], in[3], in[4]};
  out[8] = gpuprim::thread_inclusive_scan(other_array, op, start);
  out[9] = gpuprim::thread_inclusive_scan(cuda::std::span<test::affine>(out + 3, 5), op);
#else
  out[8] = out[1];
  out[9] = gpuprim::thread_inclusive_scan(std::span<test::affine>(out + 3, 5), op);
#endif
}

}  // namespace

TEST_CASE("thread scans keep the order for any count", "[thread][sanitizer]") {
  check_counts<int>(gpuprim::plus{});
  check_counts<unsigned char>(gpuprim::bit_xor{});
  check_counts<double>(gpuprim::plus{});
  check_counts<test::affine>(test::then{});
  check_counts<test::matrix2>(test::product{});
  check_counts<test::span_of_positions>(test::chain{});
}

TEST_CASE("thread scans of arrays and spans of every kind", "[thread]") {
  const auto in = test::make_values<test::affine>(6);
  std::array<test::affine, 5> array;
  std::copy(in.begin(), in.begin() + 5, array.begin());
  test::device_array<test::affine> input(in), output(10);
  test::run(scan_arrays, 1, 1, 0, input.data(), output.data(), array);
  const auto got = output.download();
  std::vector<test::affine> behind(in.begin(), in.begin() + 5);
  behind[0] = test::then{}(in[5], behind[0]);
  const auto once = test::scan_inclusive(behind, test::then{}), twice = test::scan_inclusive(once, test::then{});
  CHECK(test::count_wrong(got, 0, once[4], 3) == 0);
  CHECK(test::count_wrong(got, 3, twice, 5) == 0);
  CHECK(got[8] == once[4]);
  CHECK(got[9] == twice[4]);
  CHECK(gpuprim::thread_inclusive_scan(behind, test::then{}) == once[4]);  // a std::vector
  CHECK(behind == once);
  CHECK(gpuprim::thread_inclusive_scan(std::span(behind), test::then{}) == twice[4]);
  CHECK(behind == twice);
}

TEST_CASE("thread scans work in constant expressions, and of no values behind a prefix", "[thread]") {
  constexpr auto scanned = [] {
    std::array<int, 3> values{5, 1, 4};
    const int total = gpuprim::thread_exclusive_scan(values, gpuprim::plus{}, 100);
    int built_in[] = {total, 3, 2};
    gpuprim::thread_inclusive_scan(built_in, gpuprim::minimum{});
    return std::array<int, 6>{values[0], values[1], values[2], built_in[0], built_in[1], built_in[2]};
  }();
  static_assert(scanned == std::array<int, 6>{100, 105, 106, 110, 3, 2});
  CHECK(gpuprim::thread_exclusive_scan(std::span<int>(), gpuprim::plus{}, 7) == 7);
}
