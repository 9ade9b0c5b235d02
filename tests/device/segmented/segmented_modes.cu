// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/segmented_check.cuh"

#include <algorithm>

namespace {

/// Few segments, and so many that warps walk over tiles.
template <class T, class In = const T*, class Acc, class Op>
void check_lists(Op op, Acc init) {
  const test::small_gpu gpu(1);
  test::check_offsets<int, T, In>({1, 0, 700, 30, 2000}, op, init, alignof(T));
  auto many = test::make_lengths(1100, [](int i) { return i % 4; });
  many[77] = 900;
  test::check_offsets<int, T, In>(many, op, init, alignof(T));
}

/// Of one length too, by rows and by groups of lanes.
template <class T, class Acc, class Op>
void check_type(Op op, Acc init) {
  check_lists<T>(op, init);
  test::check_fixed<T>(16, 40, op, init);
  test::check_fixed<T>(16, 2000, op, init);
}

/// So large that a block has one warp.
struct counts {
  int each[32];

  __host__ __device__ explicit counts(int value) {
    for (int i = 0; i < 32; ++i) each[i] = value + i;
  }
  bool operator==(const counts&) const = default;
};
struct add_counts {
  __host__ __device__ counts operator()(counts a, const counts& b) const {
    for (int i = 0; i < 32; ++i) a.each[i] += b.each[i];
    return a;
  }
};

/// The i-th value and the i-th offset are computed.
struct triples {
  using value_type = std::int64_t;
  using reference = std::int64_t;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t first = 0;
  __host__ __device__ std::int64_t operator[](std::int64_t i) const { return first + 3 * i; }
};

}  // namespace

template <>
inline constexpr bool gpuprim::is_commutative<add_counts, counts> = true;

TEST_CASE("segmented_reduce of large accumulators by begins and ends", "[device][not_asan]") {
  std::vector<int> all(300, 4);
  all[7] = 9000;  // listed
  all[200] = 100;
  test::check_bounds<int>(all, add_counts{}, counts{3});
}

TEST_CASE("segmented_reduce for blocks of one warp, whose tiles take much shared memory", "[device][not_asan]") {
  const test::small_gpu gpu(1);
  test::check_offsets<int, int>(std::vector<int>(7, 4600), add_counts{}, counts{3});
  test::check_offsets<int, int>(std::vector<int>(40, 5), add_counts{}, counts{3});
}

TEST_CASE("segmented_reduce of every element type", "[device][not_asan]") {
  check_type<signed char>(gpuprim::plus{}, 3);
  check_type<std::int64_t>(gpuprim::bit_xor{}, std::int64_t{9});
  check_type<__half>(gpuprim::plus{}, 1.0f);
  check_type<__nv_bfloat16>(gpuprim::plus{}, 1.0f);
  check_type<float>(gpuprim::minimum{}, 100.0f);
  check_type<double>(gpuprim::plus{}, 0.5);
  const test::complex_float one{1, 2};
  check_lists<test::complex_float, gpuprim::detail::shifted_array<test::complex_float>>(test::add_complex{}, one);
  test::check_fixed<test::complex_float>(16, 40, test::add_complex{}, one);
  test::check_fixed<test::complex_float>(16, 40, test::add_complex{}, one, alignof(test::complex_float));
  check_lists<test::point3>(test::add_points{}, test::point3{1, 2, 3});
  check_lists<test::matrix2>(test::product{}, test::matrix2{{1, 0, 0, 1}});
  test::check_fixed<test::point3>(16, 40, test::add_points{}, test::point3{1, 2, 3});
  test::check_fixed<test::matrix2>(16, 40, test::product{}, test::matrix2{{1, 0, 0, 1}});
}

TEST_CASE("segmented_reduce reads computed values and offsets, and knows identities", "[device][not_asan]") {
  test::device_array<std::int64_t> output(50);
  CUDA_OK(gpuprim::segmented_reduce(triples{}, triples{}, 50, output.data(), gpuprim::plus{}));
  const auto got = output.download();
  for (std::int64_t i = 0; i < 50; ++i) CHECK(got[std::size_t(i)] == 3 * (9 * i + 3));
  // So many over each other, by begins and ends, that they are not few; for a lane each, and for some.
  for (std::int64_t length : {5, 100}) {
    const std::int64_t segments = 3000;
    test::device_array<std::int64_t> sums{std::size_t(segments)};
    const gpuprim::segment_bounds bounds{triples{}, triples{length}};
    CUDA_OK(gpuprim::segmented_reduce(triples{}, bounds, segments, sums.data(), gpuprim::plus{}));
    std::vector<std::int64_t> wanted;
    for (std::int64_t i = 0; i < segments; ++i) wanted.push_back(3 * (3 * i * length + length * (length - 1) / 2));
    CHECK(sums.download() == wanted);
    sums.check_guards();
  }
  // An empty one gives the initial value itself, not joined with an identity.
  test::check_offsets<int, int>({0}, gpuprim::logical_and{}, 5);
}

TEST_CASE("segmented_reduce of one length by an iterator", "[device][not_asan]") {
  const std::int64_t many = test::on_simt ? 40 : 300000;
  for (const auto& [segments, length] : {std::pair<std::int64_t, std::int64_t>{40, 7},
                                         {40, 24},
                                         {40, 25},
                                         {40, 33},
                                         {40, 130},
                                         {40, 1100},
                                         {3, 2000},
                                         {many, 33},
                                         {many, 60}}) {
    CAPTURE(segments, length);
    test::device_array<std::int64_t> sums(static_cast<std::size_t>(segments));
    CUDA_OK(
        gpuprim::segmented_reduce(triples{}, gpuprim::fixed_length{length}, segments, sums.data(), gpuprim::plus{}));
    std::vector<std::int64_t> wanted;
    for (std::int64_t i = 0; i < segments; ++i) wanted.push_back(3 * (i * length * length + length * (length - 1) / 2));
    CHECK(sums.download() == wanted);
    sums.check_guards();
  }
}

namespace {

/// Each value less the greatest of its row, and a weight by its column: it depends on its segment and its place there.
struct weighted_below_greatest : gpuprim::detail::input_iterator_types<int> {
  const int *values, *greatest;
  std::int64_t columns;

  weighted_below_greatest(const int* v, const int* g, std::int64_t c) : values(v), greatest(g), columns(c) {}
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const {
    return int((unsigned(values[i]) - unsigned(greatest[i / columns])) * unsigned(i % columns + 1));
  }
};

}  // namespace

TEST_CASE("segmented_reduce of values that depend on their segment and their place in it", "[device][not_asan]") {
  for (std::int64_t columns : {3, 33, 1100}) {
    const std::int64_t rows = 21;
    const auto values = test::make_values<int>(rows * columns);
    test::device_array<int> input(values), greatest(std::size_t{rows}), sums(std::size_t{rows});
    const gpuprim::fixed_length row{columns};
    CUDA_OK(gpuprim::segmented_reduce(input.data(), row, rows, greatest.data(), gpuprim::maximum{}));
    const weighted_below_greatest transformed{input.data(), greatest.data(), columns};
    CUDA_OK(gpuprim::segmented_reduce(transformed, row, rows, sums.data(), gpuprim::plus{}));
    std::vector<int> wanted;
    for (auto begin = values.begin(); begin != values.end(); begin += columns) {
      const int most = *std::max_element(begin, begin + columns);
      unsigned sum = 0;
      for (std::int64_t c = 0; c < columns; ++c) sum += (unsigned(begin[c]) - unsigned(most)) * unsigned(c + 1);
      wanted.push_back(int(sum));
    }
    CHECK(sums.download() == wanted);
  }
}

TEST_CASE("segmented_reduce by bounds that are offsets", "[device][not_asan]") {
  const std::vector<int> many = test::make_offsets<int>(std::vector<int>(5000, 3));
  test::device_array<int> input(test::make_values<int>(15000)), offsets(many), output(5000);
  const int* const where = offsets.data();
  CUDA_OK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{where, where + 1}, 5000, output.data(),
                                    gpuprim::plus{}));
  CHECK(output.download() == test::expected_segments(test::make_values<int>(15000), many, gpuprim::plus{}, 0));
}

TEST_CASE("segmented_reduce and extrema of segments take segment_offsets", "[device]") {
  const auto bounds = test::make_offsets<int>({3, 0, 5, 100, 1});
  const auto values = test::make_values<int>(109);
  const test::device_array<int> offsets(bounds), input(values);
  test::device_array<int> output(5), least(5), at(5), expected_least(5), expected_at(5);
  const gpuprim::segment_offsets where{static_cast<const int*>(offsets.data()), 109};
  CUDA_OK(gpuprim::segmented_reduce(input.data(), where, 5, output.data(), gpuprim::plus{}));
  CHECK(output.download() == test::expected_segments(values, bounds, gpuprim::plus{}, 0));
  CUDA_OK(gpuprim::segmented_min_element(input.data(), where, 5, least.data(), at.data()));
  CUDA_OK(gpuprim::segmented_min_element(input.data(), where.offsets, 5, expected_least.data(), expected_at.data()));
  CHECK(at.download() == expected_at.download());
}

TEST_CASE("segmented_reduce and column_reduce refuse bad input and leave the output alone", "[device][not_asan]") {
  test::device_array<int> offsets(test::make_offsets<int>(std::vector<int>(100, 10)));
  test::device_array<int> input(test::make_values<int>(1000)), output(100);
  const int* const where = offsets.data();
  const int* nothing = nullptr;
  int* no_output = nullptr;
  const gpuprim::plus<> op;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const std::int64_t large = std::int64_t{1} << 62;
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(input.data()) + 2);
  gpuprim::workspace tiny(16);
  CHECK(gpuprim::segmented_reduce(input.data(), nothing, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where, -1, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where, large, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where, 100, no_output, op) == invalid);
  CHECK(gpuprim::segmented_reduce(odd, where, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), odd, 100, output.data(), op) == invalid);
  CHECK(std::string(gpuprim::last_fault()) == "the offsets are not aligned to their type");
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{odd, where}, 100, output.data(), op) ==
        invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{where, odd}, 100, output.data(), op) ==
        invalid);
  auto* const odd_output = reinterpret_cast<int*>(reinterpret_cast<char*>(output.data()) + 2);
  CHECK(gpuprim::segmented_reduce(input.data(), where, 100, odd_output, op) == invalid);
  CHECK(std::string(gpuprim::last_fault()) == "an output is not aligned to its element type");
  CHECK(gpuprim::column_reduce(input.data(), 10, 10, odd_output, op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where, 100, offsets.data() + 50, op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), where, 100, output.data(), op, {.workspace = &tiny}) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{-1}, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{large}, 100, output.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::fixed_length{10}, 100, input.data() + 999, op) == invalid);
  auto* const shifted = reinterpret_cast<test::complex_float*>(input.data() + 1);  // not aligned to its size
  CHECK(gpuprim::segmented_reduce(shifted, gpuprim::fixed_length{10}, 10, shifted + 3, test::add_complex{},
                                  test::complex_float{}) == invalid);
  CHECK(gpuprim::segmented_reduce(nothing, gpuprim::fixed_length{10}, 100, output.data(), op) == invalid);
  test::device_array<std::int64_t> wide(100);  // more blocks than a grid has
  const std::int64_t too_many = std::int64_t{1} << 41;
  CHECK(gpuprim::segmented_reduce(triples{}, gpuprim::fixed_length{1}, too_many, wide.data(), op) == invalid);
  wide.check_untouched();
  CHECK(gpuprim::segmented_reduce(input.data(), gpuprim::segment_bounds{nothing, nothing}, 100, output.data(), op) ==
        invalid);
  CHECK(gpuprim::column_reduce(input.data(), -1, 10, output.data(), op) == invalid);
  CHECK(gpuprim::column_reduce(input.data(), large, 10, output.data(), op) == invalid);
  CHECK(gpuprim::column_reduce(input.data(), 100, 10, input.data(), op) == invalid);
  CHECK(gpuprim::segmented_reduce(nothing, nothing, 0, no_output, op) == cudaSuccess);
  output.check_untouched();
  offsets.check_unchanged();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("segmented_reduce is captured into a graph, and waits for what it reads", "[device][sanitizer][not_asan]") {
  // Each pass reads what the one before it wrote: sums of 3, of 2, of 4 (all with values of other passes
  // behind them).
  const auto values = test::make_values<int>(240);
  test::device_array<int> first(values), second(80), third(40), fourth(10);
  gpuprim::workspace workspace(gpuprim::segmented_reduce_workspace_bytes<int>());
  test::device_array<int> offsets(test::make_offsets<int>(std::vector<int>(40, 2)));
  const int* const where = offsets.data();
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const gpuprim::options on_stream{stream, &workspace};
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const gpuprim::plus<> op;
  cudaError_t e =
      gpuprim::segmented_reduce(first.data(), gpuprim::fixed_length{3}, 80, second.data(), op, 0, on_stream);
  if (e == cudaSuccess) e = gpuprim::segmented_reduce(second.data(), where, 40, third.data(), op, 0, on_stream);
  if (e == cudaSuccess) {
    e = gpuprim::segmented_reduce(third.data(), gpuprim::fixed_length{4}, 10, fourth.data(), op, 0, on_stream);
  }
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(e);
  CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
  fourth.check_untouched();
  for (int replay = 0; replay < 3; ++replay) {
    CUDA_OK(cudaGraphLaunch(exec, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    const auto wanted = test::make_offsets<std::int64_t>(std::vector<int>(10, 24));
    CHECK(fourth.download() == test::expected_segments(values, wanted, op, 0));
  }
  CUDA_OK(cudaGraphExecDestroy(exec));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}
