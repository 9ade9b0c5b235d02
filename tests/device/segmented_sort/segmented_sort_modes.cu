// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sorts of segments refuse, and how they are launched.
#include <gpuprim/device/input/input_loads.cuh>

#include "../../support/segmented_sort_check.cuh"

#include <functional>

namespace {

/// Element i is i + 5.
struct positions_from_five : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i) + 5; }
};
/// Offsets of segments that get longer and longer.
struct rising_offsets : gpuprim::detail::input_iterator_types<std::int64_t> {
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return i * i; }
};

constexpr auto identity = [](auto key) { return key; };
constexpr auto rising = gpuprim::sort_direction::ascending, falling = gpuprim::sort_direction::descending;

// A workspace takes the keys and the values once, and less than as much again if all segments are just too long for a
// block.
constexpr std::int64_t million = 1 << 20;
static_assert(gpuprim::segmented_sort_workspace_size<float>(million, 1).scratch_bytes < 5 * million);
static_assert(gpuprim::segmented_sort_workspace_size<float>(million, million).scratch_bytes < 6 * million);
static_assert(gpuprim::segmented_sort_workspace_size<double, double>(million, million).scratch_bytes < 22 * million);
static_assert(gpuprim::segmented_sort_workspace_size<char>(0, 9).scratch_bytes == 0);
// Another library's comparison of numbers is an order too.
static_assert(gpuprim::segmented_sort_workspace_size<float, int, std::greater<>>(million, 9).scratch_bytes ==
              gpuprim::segmented_sort_workspace_size<float, int>(million, 9).scratch_bytes);

}  // namespace

TEST_CASE("Sorts of segments refuse bad input and leave the outputs alone", "[device]") {
  constexpr std::int64_t n = 1000, segments = 3;
  test::device_array<unsigned> in(test::make_keys<unsigned>(n, test::key_kind::random)), out(n);
  test::device_array<int> values(n), values_out(n), offsets(std::vector<int>{0, 10, 500, 1000});
  const int* const at = offsets.data();
  const unsigned* nothing = nullptr;
  const auto odd = [](auto* p) { return reinterpret_cast<decltype(p)>(reinterpret_cast<std::uintptr_t>(p) + 1); };
  const auto is_refused = [&](const auto* keys, const auto& where, std::int64_t count, unsigned* sorted,
                              const auto& order) {
    return gpuprim::segmented_sort(keys, where, count, sorted, order) == cudaErrorInvalidValue;
  };
  const gpuprim::segment_offsets where{at, n};
  const auto up = gpuprim::ascending;
  CHECK(is_refused(nothing, where, segments, out.data(), up));
  CHECK(is_refused(odd(in.data()), where, segments, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::segment_offsets{at, -1}, segments, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::segment_offsets{at, std::int64_t{1} << 62}, segments, out.data(), up));
  CHECK(is_refused(in.data(), where, -1, out.data(), up));
  CHECK(is_refused(in.data(), where, (std::int64_t{1} << 32) + 1, out.data(), up));
  CHECK(is_refused(in.data(), where, std::int64_t{1} << 60, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::segment_offsets{static_cast<const int*>(nullptr), n}, segments, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::segment_offsets{odd(at), n}, segments, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::fixed_length{-1}, segments, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::fixed_length{std::int64_t{1} << 40}, std::int64_t{1} << 40, out.data(), up));
  CHECK(is_refused(in.data(), gpuprim::fixed_length{std::int64_t{1} << 32}, 1, out.data(), up));
  const gpuprim::fixed_length near_overflow{(std::int64_t{1} << 31) - 1};
  CHECK(is_refused(in.data(), near_overflow, std::int64_t{1} << 30, in.data(), up));
  CHECK(is_refused(in.data(), where, segments, static_cast<unsigned*>(nullptr), up));
  CHECK(is_refused(in.data(), where, segments, odd(out.data()), up));
  CHECK(is_refused(in.data(), where, segments, in.data() + 1, up));
  CHECK(is_refused(in.data(), where, segments, reinterpret_cast<unsigned*>(offsets.data()), up));
  CHECK(is_refused(in.data(), where, segments, out.data(), up.bits(3, 33)));
  CHECK(is_refused(in.data(), where, segments, out.data(), up.bits(5, 4)));
  const auto pairs = [&](const int* from, unsigned* to, int* values_to) {
    return gpuprim::segmented_sort_pairs(in.data(), from, where, segments, to, values_to, gpuprim::descending) ==
           cudaErrorInvalidValue;
  };
  CHECK(pairs(nullptr, out.data(), values_out.data()));
  CHECK(pairs(values.data(), out.data(), nullptr));
  CHECK(pairs(values.data(), out.data(), values.data() + 1));
  CHECK(pairs(values.data(), out.data(), offsets.data()));
  CHECK(pairs(values.data(), out.data(), reinterpret_cast<int*>(out.data())));
  CHECK(pairs(values.data(), out.data(), reinterpret_cast<int*>(in.data())));
  CHECK(pairs(values.data(), reinterpret_cast<unsigned*>(values.data()), values_out.data()));
  const auto size = gpuprim::segmented_sort_workspace_size<unsigned>(n, segments);
  gpuprim::workspace without_scratch(size.zeroed_bytes), without_zeroed({0, size.scratch_bytes});
  for (auto* workspace : {&without_scratch, &without_zeroed}) {
    CHECK(gpuprim::segmented_sort(in.data(), where, segments, out.data(), {.workspace = workspace}) ==
          cudaErrorInvalidValue);
  }
  in.check_unchanged();
  offsets.check_unchanged();
  out.check_untouched();
  values_out.check_untouched();
}

TEST_CASE("Sorts of no segments and of no keys", "[device]") {
  test::device_array<float> in(std::vector<float>{2.5f}), out(1);
  test::device_array<int> offsets(std::vector<int>{0, 0, 1, 1});
  const int* const at = offsets.data();
  const float* const nothing = nullptr;
  float* const nowhere = nullptr;
  CUDA_OK(gpuprim::segmented_sort(nothing, gpuprim::segment_offsets{at, 0}, 0, nowhere));
  CUDA_OK(gpuprim::segmented_sort(nothing, gpuprim::segment_offsets{at, 0}, 1, nowhere));
  CUDA_OK(gpuprim::segmented_sort(nothing, gpuprim::fixed_length{0}, 7, nowhere));
  CUDA_OK(gpuprim::segmented_sort(in.data(), gpuprim::fixed_length{1}, 0, out.data()));
  CUDA_OK(gpuprim::segmented_sort(in.data(), gpuprim::segment_offsets{at, 1}, 1, out.data()));
  out.check_untouched();
  CUDA_OK(gpuprim::segmented_sort(in.data(), gpuprim::segment_offsets{at, 1}, 3, out.data(), gpuprim::descending));
  CHECK(out.download()[0] == 2.5f);
}

TEST_CASE("Sorts of segments whose keys, values and offsets iterators make", "[device]") {
  constexpr int segments = 90, n = segments * segments;
  std::vector<int> offsets, made;
  for (int i = 0; i <= segments; ++i) offsets.push_back(i * i);
  for (int i = 0; i < n; ++i) made.push_back(i + 5);
  const gpuprim::segment_offsets where{rising_offsets{}, n};
  const auto keys = test::make_keys<short>(n, test::key_kind::few_distinct);
  const auto at = test::sort_segment_positions(keys, offsets, identity, falling);
  test::device_array<short> in(keys), out(keys.size());
  test::device_array<int> values(keys.size()), sorted(keys.size());
  CUDA_OK(gpuprim::segmented_sort_pairs(in.data(), positions_from_five{}, where, segments, out.data(), values.data(),
                                        gpuprim::descending));
  CHECK(test::count_unequal(out.download(), keys, at) == 0);
  CHECK(test::count_unequal(values.download(), made, at) == 0);
  CUDA_OK(gpuprim::segmented_sort(positions_from_five{}, where, segments, sorted.data(), gpuprim::descending));
  CHECK(test::count_unequal(sorted.download(), made, test::sort_segment_positions(made, offsets, identity, falling)) ==
        0);
}

TEST_CASE("Sorts of segments are captured, and replayed with other offsets", "[device][not_asan]") {
  constexpr std::int64_t n = 20000, segments = 12;
  const std::vector<std::vector<std::int64_t>> places = {
      {0, 0, 5, 21, 120, 420, 1500, 1500, 9000, 19000, 19990, 20000, 20000},
      {1, 1, 1, 1, 19000, 19001, 19010, 19030, 19060, 19100, 19200, 19500, 19999},
      {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120},
      {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100}};
  test::device_array<std::int64_t> offsets{std::size_t(segments) + 1};
  test::device_array<unsigned> in{std::size_t(n)};
  gpuprim::workspace workspace(gpuprim::segmented_sort_workspace_size<unsigned>(n, segments));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const gpuprim::segment_offsets where{static_cast<const std::int64_t*>(offsets.data()), n};
  CUDA_OK(gpuprim::segmented_sort(in.data(), where, segments, in.data(), {.stream = stream, .workspace = &workspace}));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));
  unsigned seed = 0;
  for (const auto& now : places) {
    CAPTURE(++seed);
    const auto keys = test::make_keys<unsigned>(n, test::key_kind::random, seed);
    const std::vector<int> short_offsets(now.begin(), now.end());
    in.upload(keys);
    offsets.upload(now);
    CUDA_OK(cudaGraphLaunch(ready, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    const auto at = test::sort_segment_positions(keys, short_offsets, identity, rising);
    CHECK(test::count_unequal(in.download(), keys, at) == 0);
    in.check_guards();
    test::check_zero(workspace);
  }
  CUDA_OK(cudaGraphExecDestroy(ready));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

TEST_CASE("Offsets that decrease write nothing outside of the keys", "[device]") {
  constexpr int n = 1500;
  const auto keys = test::make_keys<unsigned>(n, test::key_kind::random);
  std::vector<int> leaps, outside = {-5, 700, 3, 2000, -2000000000, 2000000000, 0, 100, 90, 80, n, n + 1, 0, n};
  for (int i = 0; i < 60; ++i) leaps.push_back(i % 2 == 0 ? i : n - 7 * i);
  std::vector<int> together;
  for (int length : {4, 8, 16, 32, 64, 193, 192, 257}) {
    for (int i = 0; i < 400; ++i) together.push_back(i % 2 == 0 ? 0 : length);
  }
  using digits = gpuprim::detail::number_digits<unsigned, gpuprim::sort_direction::ascending>;
  const auto check = [&]<gpuprim::segmented_sort_policies Policies>() {
    using sorter = gpuprim::detail::segmented_sorter<Policies, digits, unsigned, int>;
    const sorter sort{{}, n, 0, 32};
    for (const auto& offsets : {outside, leaps, together}) {
      const auto segments = std::int64_t(offsets.size()) - 1;
      const auto size = sorter::find_workspace_size(n, segments);
      test::device_array<int> where(offsets), values(n), values_out(n);
      test::device_array<unsigned> in(keys), out(n);
      test::device_array<unsigned char> scratch{std::size_t(size.total_bytes())};
      gpuprim::workspace workspace;
      CUDA_OK(workspace.borrow(scratch.data(), size, nullptr));
      const gpuprim::detail::offset_segments<const int*> spans{where.data(), segments, n};
      for (auto* to : {out.data(), in.data()}) {
        const auto done = gpuprim::detail::run_segmented_sort(sort, spans, static_cast<const unsigned*>(in.data()),
                                                              static_cast<const int*>(values.data()),
                                                              {to, values_out.data()}, {.workspace = &workspace});
        CHECK(done.code == cudaSuccess);
        test::check_zero(workspace);
      }
      in.check_guards();
      out.check_guards();
      values_out.check_guards();
      scratch.check_guards();
      where.check_unchanged();
    }
  };
  check.template operator()<test::sort_tiny_segments>();
  check.template operator()<test::sort_in_one_launch(test::sort_tiny_segments)>();
}
