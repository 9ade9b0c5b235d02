// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of the columns of a matrix against a loop over each.
#include "../../support/device_scan_check.cuh"
#include "../../support/small_gpu.cuh"

#include <gpuprim/core/fancy_iterators.cuh>

#include <string>

namespace {

struct negative {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(std::int64_t x) const { return -x; }
};

using test::scan_kind, test::scan_places;

/// One scan, `call(in, rows, columns, out, options)`, against a loop that starts from `start`.
template <scan_kind Kind, class Acc, class Result, class T, class Op, class Call>
void check_columns(const std::vector<T>& values, std::int64_t rows, std::int64_t columns, Op op,
                   std::optional<Acc> start, scan_places at, const Call& call) {
  CAPTURE(rows, columns, at.in, at.out, at.in_place, start.has_value());
  std::vector<Result> want;
  std::vector<std::optional<Acc>> sums(std::size_t(columns), start);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::optional<Acc>& sum = sums[i % std::size_t(columns)];
    const auto own = static_cast<Acc>(values[i]);
    if (Kind == scan_kind::exclusive) want.push_back(static_cast<Result>(*sum));
    sum = sum ? op(*sum, own) : own;
    if (Kind == scan_kind::inclusive) want.push_back(static_cast<Result>(*sum));
  }
  test::device_array<T> in(values, at.in);
  test::device_array<Result> out(at.in_place ? 0 : values.size(), at.out);
  gpuprim::workspace workspace(gpuprim::column_scan_workspace_size<Acc>(rows, columns));
  auto* const to = at.in_place ? reinterpret_cast<Result*>(in.data()) : out.data();
  CUDA_OK(call(static_cast<const T*>(in.data()), to, gpuprim::options{nullptr, &workspace}));
  if constexpr (std::is_same_v<Result, T>) {
    if (at.in_place) CHECK(bool(in.download() == want));
  }
  if (at.in_place) {
    in.check_guards();
  } else {
    CHECK(bool(out.download() == want));
    out.check_guards();
    in.check_unchanged();
  }
}

/// Both kinds, with and without an initial value.
template <class Acc, class T, class Result = Acc, class Op>
void check_all(std::int64_t rows, std::int64_t columns, Op op, Acc start, scan_places at = {}) {
  const auto values = test::make_values<T>(rows * columns);
  check_columns<scan_kind::exclusive, Acc, Result>(
      values, rows, columns, op, std::optional<Acc>(start), at, [&](const T* in, Result* out, const auto& how) {
        return gpuprim::column_exclusive_scan<Acc>(in, rows, columns, out, op, start, how);
      });
  check_columns<scan_kind::inclusive, Acc, Result>(
      values, rows, columns, op, std::optional<Acc>(start), at, [&](const T* in, Result* out, const auto& how) {
        return gpuprim::column_inclusive_scan<Acc>(in, rows, columns, out, op, start, how);
      });
  check_columns<scan_kind::inclusive, Acc, Result>(
      values, rows, columns, op, std::optional<Acc>(), at, [&](const T* in, Result* out, const auto& how) {
        return gpuprim::column_inclusive_scan<Acc>(in, rows, columns, out, op, how);
      });
  if constexpr (gpuprim::has_identity<Op, Acc>) {
    const Acc identity(gpuprim::identity_element<Op, Acc>::value());
    check_columns<scan_kind::exclusive, Acc, Result>(
        values, rows, columns, op, std::optional<Acc>(identity), at, [&](const T* in, Result* out, const auto& how) {
          return gpuprim::column_exclusive_scan<Acc>(in, rows, columns, out, op, how);
        });
  }
}

/// An element of many bytes, which does not commute: a transformation beside what is carried along.
struct long_item {
  test::affine transform;
  char others[592];
  friend GPUPRIM_HOST_DEVICE bool operator==(const long_item& a, const long_item& b) {
    return a.transform == b.transform && a.others[591] == b.others[591];
  }
};
struct join_items {
  GPUPRIM_HOST_DEVICE long_item operator()(const long_item& a, const long_item& b) const {
    long_item joined = b;
    joined.transform = test::then{}(a.transform, b.transform);
    return joined;
  }
};

std::int64_t slices_of(std::int64_t rows, std::int64_t columns, std::int64_t resident) {
  return gpuprim::detail::share_columns<256>(rows, columns, resident).slices;
}

}  // namespace

TEST_CASE("Scans of columns", "[device][sanitizer]") {
  const test::small_gpu gpu(2);
  for (std::int64_t rows : {0, 1, 7, 40, 1100}) {
    for (std::int64_t columns : {0, 1, 3, 33, 100}) {
      check_all<int, int>(rows, columns, gpuprim::plus{}, 5);
      check_all<test::affine, test::affine>(rows, columns, test::then{}, test::affine{3, 1});
    }
  }
  check_all<int, int>(5000, 2, gpuprim::plus{}, 5);   // many groups in a block
  check_all<int, int>(20, 5000, gpuprim::plus{}, 5);  // the columns fill the GPU
}

TEST_CASE("Scans of columns in place, anywhere in memory, and of other types", "[device]") {
  const test::small_gpu gpu(2);
  for (std::int64_t rows : {30, 700}) {
    check_all<int, int>(rows, 37, gpuprim::plus{}, 5, {.in_place = true});
    check_all<float, float>(rows, 64, gpuprim::plus{}, 1.0f, {.in = 4, .out = 12});
    test::unless_sanitized([&](auto) {
      check_all<std::int64_t, int>(rows, 9, gpuprim::plus{}, std::int64_t{1} << 40, {.in = 4, .out = 8});
      check_all<unsigned, unsigned char, unsigned char>(rows, 130, gpuprim::plus{}, 3u, {.in = 1, .in_place = true});
      check_all<float, __half, float>(rows, 9, gpuprim::maximum{}, -1.0f, {.in = 2});
      check_all<test::point3, test::point3>(rows, 9, test::add_points{}, {1, 2, 3}, {.in = 4, .in_place = true});
      check_all<test::matrix2, test::matrix2>(rows, 9, test::product{}, test::make_value<test::matrix2>(9));
    });
  }
}

TEST_CASE("Scans of columns join rows in their order, of a type that has no default constructor", "[device]") {
  const test::small_gpu gpu(2);
  for (int rows : {5, 90, 900}) {
    constexpr int columns = 21;
    CAPTURE(rows);
    std::vector<test::span_of_positions> values, want;
    for (int i = 0; i < rows * columns; ++i) {
      values.push_back({i / columns, i / columns});
      want.push_back({0, i / columns});
    }
    const test::device_array<test::span_of_positions> in(values);
    test::device_array<test::span_of_positions> out(values.size());
    CUDA_OK(gpuprim::column_inclusive_scan(in.data(), rows, columns, out.data(), test::chain{}));
    CHECK(bool(out.download() == want));
    out.check_guards();
  }
}

TEST_CASE("Scans of columns of long elements", "[device]") {
  const test::small_gpu gpu(1);
  std::vector<long_item> values;
  constexpr std::int64_t rows = 120, columns = 3;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    values.push_back({test::make_value<test::affine>(std::uint64_t(i)), {}});
    values.back().others[591] = char(i % 100);
  }
  check_columns<scan_kind::inclusive, long_item, long_item>(
      values, rows, columns, join_items{}, std::optional<long_item>(), {},
      [&](const long_item* in, long_item* out, const auto& how) {
        return gpuprim::column_inclusive_scan(in, rows, columns, out, join_items{}, how);
      });
}

TEST_CASE("Scans of columns in a block, in slices, and each column by one thread", "[device][tsan]") {
  const test::small_gpu gpu(1);
  check_all<int, int>(20, 33, gpuprim::plus{}, 5);
  check_all<test::affine, test::affine>(300, 33, test::then{}, {3, 1});
  check_all<int, int>(300, 33, gpuprim::plus{}, 5, {.in_place = true});
  check_all<int, int>(12, 2100, gpuprim::plus{}, 5);
}

TEST_CASE("Scans of columns without a workspace, of a computed input, and from a value in device memory", "[device]") {
  constexpr std::int64_t rows = 800, columns = 5;
  const test::device_array<std::int64_t> start(std::vector<std::int64_t>{100});
  test::device_array<std::int64_t> before(rows * columns), with(rows * columns);
  const gpuprim::positions<std::int64_t> in;
  CUDA_OK(gpuprim::column_exclusive_scan(in, rows, columns, before.data(), gpuprim::plus{},
                                         gpuprim::value_at{start.data()}));
  CUDA_OK(gpuprim::column_inclusive_scan(in, rows, columns, gpuprim::transform_to(with.data(), negative{}),
                                         gpuprim::plus{}, gpuprim::value_at{start.data()}));
  const auto got_before = before.download(), got_with = with.download();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int64_t row = i / columns, column = i % columns;
    const std::int64_t sum = 100 + row * column + columns * (row * (row - 1) / 2);
    wrong += got_before[std::size_t(i)] != sum;
    wrong += got_with[std::size_t(i)] != -(sum + i);
  }
  CHECK(wrong == 0);
  before.check_guards();
  with.check_guards();
}

TEST_CASE("The sums of floats in columns have the same bits in every run", "[device]") {
  constexpr std::int64_t rows = 3000, columns = 40;
  std::vector<float> values;
  for (std::int64_t i = 0; i < rows * columns; ++i) values.push_back(float(test::scramble(std::uint64_t(i))) * 1e-3f);
  const test::device_array<float> in(values);
  test::device_array<float> once(values.size()), again(values.size());
  CUDA_OK(gpuprim::column_inclusive_scan(in.data(), rows, columns, once.data(), gpuprim::plus{}));
  CUDA_OK(gpuprim::column_inclusive_scan(in.data(), rows, columns, again.data(), gpuprim::plus{}));
  const auto first = once.download(), second = again.download();
  CHECK(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)) == 0);
}

TEST_CASE("A scan of columns in a graph that is launched again", "[device]") {
  constexpr std::int64_t rows = 900, columns = 7;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  test::device_array<int> in(rows * columns);
  gpuprim::workspace workspace(gpuprim::column_scan_workspace_size<int>(rows, columns));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CUDA_OK(gpuprim::column_inclusive_scan(in.data(), rows, columns, in.data(), gpuprim::plus{}, {stream, &workspace}));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int step : {1, 3}) {
    in.upload(std::vector<int>(rows * columns, step));
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    const auto got = in.download();
    for (std::int64_t i = 0; i < rows * columns; ++i) REQUIRE(got[std::size_t(i)] == step * int(i / columns + 1));
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("The workspace of a scan of columns is enough for every GPU", "[device]") {
  std::int64_t sliced = 0;
  for (std::int64_t rows = 1; rows < std::int64_t{1} << 32; rows += 1 + rows / 3) {
    for (std::int64_t columns = 1; columns < std::int64_t{1} << 28; columns += 1 + columns / 3) {
      const auto size = gpuprim::column_scan_workspace_size<float>(rows, columns);
      for (std::int64_t resident : {8, 132, 1056, 2048}) {
        const auto all = gpuprim::detail::share_columns<256>(rows, columns, resident);
        const std::int64_t groups = 256 / all.width, slices = all.slices;
        if (slices == 1) continue;
        ++sliced;
        REQUIRE(rows >= slices * groups);  // no run is empty
        REQUIRE(size.scratch_bytes >= (slices + slices * groups) * columns * std::int64_t(sizeof(float)));
      }
    }
  }
  CHECK(sliced > 1000);
  CHECK(slices_of(std::int64_t{1} << 20, 4, 1056) == 512);
  CHECK(slices_of(std::int64_t{1} << 20, 1024, 1056) == 33);
  CHECK(slices_of(1024, std::int64_t{1} << 20, 1056) == 1);
}

TEST_CASE("Scans of columns refuse bad arguments and leave their output alone", "[device]") {
  constexpr std::int64_t rows = 3000, columns = 4;
  test::device_array<int> in(test::make_values<int>(rows * columns)), out(rows * columns);
  int* const from = in.data();
  int* const to = out.data();
  int* const none = nullptr;
  const gpuprim::plus<> plus;
  const auto refuses = [](cudaError_t e, const char* fault) {
    CAPTURE(fault, gpuprim::last_fault());
    CHECK(e == cudaErrorInvalidValue);
    CHECK(std::string(gpuprim::last_fault()).find(fault) != std::string::npos);
  };
  const auto scan = [&](auto a, std::int64_t r, std::int64_t c, auto b, const gpuprim::options& how = {}) {
    return gpuprim::column_exclusive_scan(a, r, c, b, plus, 0, how);
  };
  refuses(scan(from, -1, columns, to), "the number of rows or columns is negative");
  refuses(scan(from, rows, -1, to), "the number of rows or columns is negative");
  refuses(scan(from, std::int64_t{1} << 40, std::int64_t{1} << 30, to), "the matrix is too large");
  refuses(scan(from, std::int64_t{1} << 30, std::int64_t{1} << 31, to), "the count is too large");
  refuses(scan(none, rows, columns, to), "the input is a null pointer");
  refuses(scan(from, rows, columns, none), "null pointer");
  refuses(scan(from, rows, columns, from + 1), "the output overlaps the input");
  refuses(scan(from, rows, columns, reinterpret_cast<std::int64_t*>(from)), "the output overlaps the input");
  refuses(scan(reinterpret_cast<int*>(reinterpret_cast<char*>(from) + 2), 9, columns, to), "the input is not aligned");
  refuses(scan(from, rows, columns, reinterpret_cast<int*>(reinterpret_cast<char*>(to) + 2)), "not aligned");
  gpuprim::workspace empty;
  refuses(scan(from, rows, columns, to, {.workspace = &empty}), "workspace is too small");
  refuses(gpuprim::column_exclusive_scan<int>(from, rows, columns, to, plus, std::int64_t{1} << 40),
          "the initial value does not fit");
  refuses(gpuprim::column_exclusive_scan(from, rows, columns, to, plus,
                                         gpuprim::value_at{static_cast<const int*>(nullptr)}),
          "the initial value is at a null pointer");
  refuses(
      gpuprim::column_exclusive_scan(from, rows, columns, to, plus, gpuprim::value_at{static_cast<const int*>(to + 5)}),
      "the initial value lies in the output");
  refuses(scan(gpuprim::positions<int>{}, 1, std::int64_t{1} << 40, gpuprim::discard_output{}), "2^31 blocks or more");
  out.check_untouched();
  in.check_unchanged();
  CUDA_OK(scan(none, 0, columns, none));
  CUDA_OK(scan(none, rows, 0, none));
}
