// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scans refuse, and how they are launched.
#include "../../support/device_scan_check.cuh"

#include "../../support/family_check.cuh"

namespace {

struct long_item {
  int value;
  char others[296];
  friend GPUPRIM_HOST_DEVICE bool operator==(const long_item& a, const long_item& b) { return a.value == b.value; }
};
struct add_items {
  GPUPRIM_HOST_DEVICE long_item operator()(const long_item& a, const long_item& b) const {
    return {a.value + b.value, {}};
  }
};
struct divide_100 {
  GPUPRIM_HOST_DEVICE int operator()(const long_item& item) const { return 100 / item.value; }
};

struct apart {
  GPUPRIM_HOST_DEVICE test::point3 operator()(const test::point3& x, const test::point3& beside) const {
    return {x.x - beside.z, x.y - beside.x, 2 * x.z};
  }
};

template <class T, class Op>
void check_difference_in_place(std::int64_t n, Op op, std::size_t past = 0) {
  CAPTURE(n, past);
  const auto values = test::make_values<T>(n);
  std::vector<T> from_left(values), from_right(values);
  for (std::size_t i = 1; i < values.size(); ++i) {
    from_left[i] = op(values[i], values[i - 1]);
    from_right[i - 1] = op(values[i - 1], values[i]);
  }
  test::device_array<T> left(values, past), right(values, past);
  gpuprim::workspace workspace(gpuprim::adjacent_difference_workspace_bytes<T>(n));
  CUDA_OK(gpuprim::adjacent_difference_in_place(left.data(), n, op, {.workspace = &workspace}));
  CUDA_OK(gpuprim::adjacent_difference_right_in_place(right.data(), n, op, {.workspace = &workspace}));
  CHECK(bool(left.download() == from_left));
  CHECK(bool(right.download() == from_right));
  left.check_guards();
  right.check_guards();
}

}  // namespace

TEST_CASE("Differences of neighbours in place", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 33, 1000, 20001}) check_difference_in_place<int>(n, gpuprim::minus{}, 4);
  test::unless_sanitized([](auto) { check_difference_in_place<test::point3>(9001, apart{}); });
  test::device_array<int> some(std::vector<int>{1, 4, 9, 16});
  CUDA_OK(gpuprim::adjacent_difference_in_place(some.data(), 4));
  CHECK(some.download() == std::vector<int>{1, 3, 5, 7});
  CUDA_OK(gpuprim::adjacent_difference_right_in_place(some.data(), 4, {.stream = nullptr}));
  CHECK(some.download() == std::vector<int>{-2, -2, -2, 7});
  CHECK(gpuprim::adjacent_difference_in_place(some.data(), -1) == cudaErrorInvalidValue);
  CHECK(gpuprim::adjacent_difference_right_in_place(static_cast<int*>(nullptr), 4) == cudaErrorInvalidValue);
}

TEST_CASE("Differences in place under ThreadSanitizer", "[device][tsan]") {
  check_difference_in_place<int>(1500, gpuprim::minus{});
}

TEST_CASE("A scan of no elements writes the total alone", "[device]") {
  test::device_array<int> out(1), total(3);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  total.upload({-1, -1, -1});
  const auto to = [&](int i) { return gpuprim::with_total(no_output, total.data() + i); };
  CUDA_OK(gpuprim::exclusive_scan(nothing, 0, to(0), gpuprim::plus{}, 5));
  CUDA_OK(gpuprim::inclusive_scan(nothing, 0, to(1), gpuprim::multiplies{}));
  CUDA_OK(gpuprim::exclusive_scan(nothing, 0, out.data(), gpuprim::plus{}));
  CHECK(total.download() == std::vector<int>{5, 1, -1});
  out.check_untouched();
  test::device_array<test::matrix2> matrix(1), none(1);
  const test::matrix2* no_matrices = nullptr;
  const test::matrix2 start = test::make_value<test::matrix2>(3);
  CUDA_OK(gpuprim::inclusive_scan(no_matrices, 0, gpuprim::with_total(matrix.data() + 1, matrix.data()),
                                  test::product{}, start));
  CHECK(bool(matrix.download()[0] == start));
  CUDA_OK(gpuprim::inclusive_scan(no_matrices, 0, gpuprim::with_total(none.data() + 1, none.data()), test::product{}));
  none.check_untouched();
}

TEST_CASE("Scans refuse bad input and leave the outputs alone", "[device]") {
  test::device_array<int> in(test::make_values<int>(8000)), out(8000), total(1);
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const cudaError_t invalid = cudaErrorInvalidValue;
  gpuprim::workspace tiny(16);
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(in.data()) + 2);
  const auto scan = [&](auto from, std::int64_t n, auto to, const gpuprim::options& how = {}) {
    return gpuprim::exclusive_scan(from, n, to, gpuprim::plus{}, 0, how);
  };
  CHECK(scan(nothing, 1000, out.data()) == invalid);
  CHECK(scan(in.data(), -1, out.data()) == invalid);
  CHECK(scan(in.data(), std::int64_t{1} << 62, out.data()) == invalid);
  CHECK(scan(odd, 1000, out.data()) == invalid);
  CHECK(scan(in.data(), 1000, no_output) == invalid);
  CHECK(scan(in.data(), 1000, in.data() + 10) == invalid);
  CHECK(scan(in.data() + 10, 1000, in.data()) == invalid);
  CHECK(scan(in.data(), 1000, reinterpret_cast<std::int64_t*>(in.data())) == invalid);
  CHECK(scan(in.data(), 1000, gpuprim::with_total(out.data(), no_output)) == invalid);
  CHECK(scan(in.data(), 1000, gpuprim::with_total(out.data(), in.data() + 5)) == invalid);
  CHECK(scan(in.data(), 1000, gpuprim::with_total(out.data(), out.data() + 999)) == invalid);
  auto* const wide_total = reinterpret_cast<std::int64_t*>(out.data());  // the last half of it lies in the output
  CHECK(scan(in.data(), 1000, gpuprim::with_total(out.data() + 1, wide_total)) == invalid);
  CHECK(scan(in.data(), 8000, out.data(), {.workspace = &tiny}) == invalid);
  CHECK(gpuprim::exclusive_scan(in.data(), 1000, out.data(), gpuprim::plus{}, std::int64_t{1} << 40) == cudaSuccess);
  CHECK(gpuprim::exclusive_scan<int>(in.data(), 1000, out.data(), gpuprim::plus{}, std::int64_t{1} << 40) == invalid);
  auto* const past = reinterpret_cast<int*>(reinterpret_cast<char*>(out.data()) + 1);
  CHECK(scan(in.data(), 1000, past) == invalid);
  auto* const pairs = reinterpret_cast<test::affine_pair*>(in.data() + 1);  // not aligned to their size
  CHECK(gpuprim::inclusive_scan(pairs, 20, pairs + 1, test::then_both{}) == invalid);
  CHECK(gpuprim::inclusive_scan_by_key(pairs, in.data() + 4000, 20, in.data() + 3, gpuprim::plus{}) == invalid);
  CHECK(gpuprim::inclusive_scan(in.data(), {nothing, 1000}, out.data(), gpuprim::plus{}) == invalid);
  CHECK(gpuprim::inclusive_scan(in.data(), {in.data(), -1}, out.data(), gpuprim::plus{}) == invalid);
  CHECK(gpuprim::inclusive_scan(in.data(), {odd, 1000}, out.data(), gpuprim::plus{}) == invalid);
  CHECK(gpuprim::inclusive_scan(in.data(), {out.data() + 999, 1000}, out.data(), gpuprim::plus{}) == invalid);
  CHECK(gpuprim::inclusive_scan(in.data(), {total.data(), 1000}, gpuprim::with_total(out.data(), total.data()),
                                gpuprim::plus{}) == invalid);
  if (test::on_simt) {
    const int on_host = 5;
    CHECK(gpuprim::inclusive_scan(in.data(), {&on_host, 1000}, out.data(), gpuprim::plus{}) == invalid);
  }
  in.check_unchanged();
  total.check_untouched();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("Scans of long elements, also of what a transform makes short", "[device]") {
  constexpr int n = 1000;
  std::vector<long_item> items;
  for (int i = 0; i < n; ++i) items.push_back({i % 9 + 1, {}});
  test::device_array<long_item> in(items), out(n);
  test::device_array<int> short_out(n - 1), keyed_out(n), values(std::vector<int>(n, 1));
  CUDA_OK(gpuprim::inclusive_scan(in.data(), n, out.data(), add_items{}));
  // The first element lies past a line, and the transform takes no element of zeros.
  CUDA_OK(gpuprim::transform_exclusive_scan(in.data() + 1, n - 1, short_out.data(), gpuprim::plus{}, divide_100{}));
  CUDA_OK(gpuprim::exclusive_scan_by_key(in.data(), values.data(), n, keyed_out.data(), gpuprim::plus{}));
  const auto got = out.download();
  const auto got_short = short_out.download();
  int sum = 0, short_sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum += i % 9 + 1;
    wrong += got[std::size_t(i)].value != sum;
    if (i == 0) continue;
    wrong += got_short[std::size_t(i - 1)] != short_sum;
    short_sum += 100 / (i % 9 + 1);
  }
  CHECK(wrong == 0);
  CHECK(keyed_out.download() == std::vector<int>(n, 0));
  in.check_unchanged();
}

TEST_CASE("Scans are captured into a graph, and wait for what they read", "[device][sanitizer]") {
  const std::int64_t n = 18000;
  const auto count = static_cast<std::size_t>(n);
  test::device_array<int> ones(std::vector<int>(count, 1)), once(count), twice(count), total(1);
  gpuprim::workspace workspace(gpuprim::scan_workspace_bytes<int>(n));
  const auto passes = [&](cudaStream_t stream, gpuprim::workspace* scratch) {
    const gpuprim::options how{stream, scratch};
    cudaError_t e = gpuprim::inclusive_scan(ones.data(), n, once.data(), gpuprim::plus{}, how);
    if (e != cudaSuccess) return e;
    e = gpuprim::exclusive_scan(once.data(), n, gpuprim::with_total(twice.data(), total.data()), gpuprim::plus{}, how);
    if (e != cudaSuccess) return e;
    return gpuprim::inclusive_scan(ones.data(), n, ones.data(), gpuprim::maximum{}, how);
  };
  for (gpuprim::workspace* scratch : {&workspace, static_cast<gpuprim::workspace*>(nullptr)}) {
    total.upload({-1});
    test::run_in_graph([&](cudaStream_t stream) { return passes(stream, scratch); });
    CHECK(total.download()[0] == n * (n + 1) / 2);
    const auto got = twice.download();
    for (std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{77}, count - 1}) {
      CHECK(got[i] == int(i * (i + 1) / 2));
    }
  }
}

TEST_CASE("Scans of a count in device memory", "[device][sanitizer]") {
  constexpr int most = 9000;
  const auto values = test::make_values<int>(most);
  test::device_array<std::int64_t> wide_count(1);
  test::device_array<int> count(1), keys(std::vector<int>(most, 1)), by_key(most);
  test::device_array<unsigned> unsigned_count(1);
  // Past a line by 0 and by 3 elements: the head may be longer than the count.
  for (std::size_t past : {0, 12}) {
    test::device_array<int> in(values, past), total(1);
    for (std::int64_t n : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{20}, std::int64_t{5000},
                           std::int64_t{most}, std::int64_t{1} << 31, std::int64_t{1} << 32}) {
      CAPTURE(past, n);
      const auto check_count = [&](const auto* place) {
        test::device_array<int> out(most, past);
        auto want = out.download();
        int sum = 7;
        const auto last = std::size_t(n < 0 ? 0 : n < most ? n : most);
        for (std::size_t i = 0; i < last; ++i) {
          want[i] = sum;
          sum = gpuprim::plus{}(sum, values[i]);  // wraps
        }
        CUDA_OK(gpuprim::exclusive_scan(in.data(), gpuprim::element_count(place, most),
                                        gpuprim::with_total(out.data(), total.data()), gpuprim::plus{}, 7));
        CHECK(out.download() == want);
        CHECK(total.download()[0] == sum);
        out.check_guards();
      };
      wide_count.upload({n});
      check_count(wide_count.data());
      if (n >= 0) {
        unsigned_count.upload({unsigned(n)});
        if (n >> 32 == 0) check_count(unsigned_count.data());
      }
      if (n >> 31 == 0 || n < 0) {
        count.upload({int(n)});
        check_count(count.data());
      }
    }
    in.check_unchanged();
  }
  // The identity of products stands for what a tile without elements has, and an affine map has none.
  count.upload({0});
  test::device_array<test::affine> maps(test::make_values<test::affine>(most)), results(most);
  CUDA_OK(gpuprim::inclusive_scan(maps.data(), {count.data(), most}, results.data(), test::then{}));
  results.check_untouched();
  count.upload({4000});
  CUDA_OK(
      gpuprim::inclusive_scan_by_key(keys.data(), keys.data(), {count.data(), most}, by_key.data(), gpuprim::plus{}));
  CHECK((by_key.download()[3999] == 4000 && by_key.download()[4000] != 4001));
}

TEST_CASE("A graph scans as many elements as an earlier node says", "[device]") {
  constexpr int most = 40000;
  test::device_array<int> ones(std::vector<int>(most, 1)), count(1), total(1), out(most);
  gpuprim::workspace workspace(gpuprim::scan_workspace_bytes<int>(most));
  for (int n : {most, 3, 20000}) {
    count.upload({0});
    test::device_array<int> given(std::vector<int>(1, n));
    test::run_in_graph([&](cudaStream_t stream) {
      const gpuprim::options how{stream, &workspace};
      const cudaError_t e = gpuprim::reduce(given.data(), 1, count.data(), gpuprim::plus{}, how);
      if (e != cudaSuccess) return e;
      return gpuprim::inclusive_scan(ones.data(), {count.data(), most}, gpuprim::with_total(out.data(), total.data()),
                                     gpuprim::plus{}, how);
    });
    CHECK(total.download()[0] == n);
    CHECK(out.download()[std::size_t(n - 1)] == n);
  }
}

TEST_CASE("Scans go on in concurrent streams", "[device]") {
  constexpr int n = 12000;
  test::device_array<int> in(std::vector<int>(n, 2)), out_a(n), out_b(n);
  cudaStream_t streams[2];
  for (auto& stream : streams) CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  gpuprim::workspace a(gpuprim::scan_workspace_bytes<int>(n)), b(a.bytes());
  for (int repeat = 0; repeat < 3; ++repeat) {
    CUDA_OK(
        gpuprim::inclusive_scan(in.data(), n, out_a.data(), gpuprim::plus{}, {.stream = streams[0], .workspace = &a}));
    CUDA_OK(
        gpuprim::inclusive_scan(in.data(), n, out_b.data(), gpuprim::plus{}, {.stream = streams[1], .workspace = &b}));
  }
  for (auto& stream : streams) CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(out_a.download() == out_b.download());
  CHECK(out_a.download()[n - 1] == 2 * n);
  for (auto& stream : streams) CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("Scans of one kernel with more and with fewer blocks a multiprocessor follow each other", "[device]") {
  // With fewer blocks a launch reserves more shared memory, which a query for more blocks must not forbid again.
  constexpr std::int64_t n = 900000, more = 10000000;
  test::device_array<int> in(std::vector<int>(n, 1)), out(n);
  auto* const far_in = reinterpret_cast<const int*>(std::uintptr_t{1} << 40);
  auto* const far_out = reinterpret_cast<int*>(std::uintptr_t{1} << 50);
  for (int turn = 0; turn < 2; ++turn) {
    CUDA_OK(gpuprim::exclusive_scan(in.data(), n, out.data(), gpuprim::plus{}, 0));
    CHECK(out.download()[n - 1] == n - 1);
    CHECK(gpuprim::exclusive_scan_plan(far_in, more, far_out, gpuprim::plus{}, 0).blocks_per_multiprocessor > 2);
  }
}

TEST_CASE("The plans of scans are their launches", "[device]") {
  auto* const in = reinterpret_cast<const int*>(std::uintptr_t{1} << 40);
  auto* const out = reinterpret_cast<int*>(std::uintptr_t{1} << 50);
  const gpuprim::plus op;
  CHECK(gpuprim::exclusive_scan_plan(in, 1000, out, op, 0).grid_size == 1);
  CHECK(gpuprim::exclusive_scan_plan(in, 100000, out, op, 0).grid_size == (100000 + 3071) / 3072);
  const std::int64_t many = std::int64_t{1} << 32;
  const gpuprim::segment_offsets by{in - (std::int64_t{1} << 34), many};
  for (const auto& plan : {gpuprim::exclusive_scan_plan(in, many, out, op, 0),
                           gpuprim::exclusive_scan_plan(in, {in - 1, many}, out, op, 0),
                           gpuprim::exclusive_scan_by_key_plan(in, in, many, out, op, 0),
                           gpuprim::segmented_exclusive_scan_plan(in, by, 100, out, op, 0)}) {
    CHECK(plan.grid_size == plan.multiprocessors * plan.blocks_per_multiprocessor);
  }
  // Short rows need nothing of each other: a block for each few of them.
  CHECK(gpuprim::segmented_exclusive_scan_plan(in, gpuprim::fixed_length{1000}, 1000000, out, op, 0).grid_size ==
        (1000000 + 2) / 3);
}
