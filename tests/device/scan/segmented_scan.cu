// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/device_scan_check.cuh"

#include <limits>

namespace {

namespace detail = gpuprim::detail;
using gpuprim::fixed_length;
using gpuprim::segment_offsets;
using test::scan_kind;

/// A scan of segments of the given lengths, compared with a loop. The first segment begins behind `before` values that
/// are in no segment, and `behind` such values follow the last. Init: an initial value, or nothing.
template <scan_kind Kind, class Acc, gpuprim::scan_policies Policies, class T, class Offset, class Op, class Init>
void check_one(const std::vector<int>& lengths, Op op, Init init, test::scan_places at, int before, int behind) {
  std::vector<Offset> ends{Offset(before)};
  for (int length : lengths) ends.push_back(ends.back() + Offset(length));
  const auto n = std::int64_t(ends.back()) + behind;
  const auto values = test::make_values<T>(n);
  constexpr bool has_init = !std::is_same_v<Init, detail::nothing>;
  CAPTURE(n, lengths.size(), at.in, at.out, at.in_place, has_init, before);
  test::device_array<T> in(values, at.in);
  test::device_array<Acc> out(at.in_place ? 0 : values.size(), at.out);
  auto* const to = at.in_place ? reinterpret_cast<Acc*>(in.data()) : out.data();
  std::vector<Acc> want = at.in_place ? std::vector<Acc>(values.size()) : out.download();
  if (at.in_place) std::memcpy(static_cast<void*>(want.data()), values.data(), values.size() * sizeof(T));
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    std::optional<Acc> sum;
    if constexpr (has_init) sum = init;
    for (auto i = std::size_t(ends[s]); i < std::size_t(ends[s + 1]); ++i) {
      const auto own = static_cast<Acc>(values[i]);
      if (Kind == scan_kind::exclusive) want[i] = *sum;
      sum = sum ? op(*sum, own) : own;
      if (Kind == scan_kind::inclusive) want[i] = *sum;
    }
  }
  using source = detail::segment_source<const T*, Acc, detail::heads_by_offsets<const Offset*>>;
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<source, Acc, Acc*>;
  gpuprim::workspace workspace(detail::scan_launches<Policies, detail::scan_part<Acc>, bytes>::workspace_bytes(n));
  test::device_array<Offset> offsets(ends);
  const gpuprim::options how{nullptr, &workspace};
  CUDA_OK(detail::run_segmented_scan<Kind, Acc, Policies>(
              static_cast<const T*>(in.data()), segment_offsets{static_cast<const Offset*>(offsets.data()), n},
              std::int64_t(lengths.size()), to, op, init, how)
              .code);
  if (at.in_place) {
    CHECK(std::memcmp(in.download().data(), want.data(), want.size() * sizeof(Acc)) == 0);
    in.check_guards();
  } else {
    const std::vector<Acc> got = out.download();  // equal bits, for what is not written is no value
    CHECK((want.empty() || std::memcmp(got.data(), want.data(), want.size() * sizeof(Acc)) == 0));
    out.check_guards();
    in.check_unchanged();
  }
  offsets.check_unchanged();
  test::check_zero(workspace);
}

template <class Acc, gpuprim::scan_policies Policies, class T, class Offset = int, class Op>
void check_segments(const std::vector<int>& lengths, Op op, Acc init, test::scan_places at = {}, int before = 0,
                    int behind = 0) {
  check_one<scan_kind::exclusive, Acc, Policies, T, Offset>(lengths, op, init, at, before, behind);
  check_one<scan_kind::inclusive, Acc, Policies, T, Offset>(lengths, op, init, at, before, behind);
  check_one<scan_kind::inclusive, Acc, Policies, T, Offset>(lengths, op, detail::nothing{}, at, before, behind);
}

/// The rows of a matrix, by one length and by offsets, which give the same.
template <class Acc, gpuprim::scan_policies Policies, class T, class Op>
void check_rows(std::int64_t length, std::int64_t rows, Op op, Acc init, test::scan_places at = {}) {
  CAPTURE(length, rows, at.in, at.out);
  const auto values = test::make_values<T>(length * rows);
  std::vector<Acc> want;
  for (std::int64_t i = 0; i < length * rows; ++i) {
    const Acc before = i % length == 0 ? init : want.back();
    want.push_back(op(before, static_cast<Acc>(values[std::size_t(i)])));
  }
  test::device_array<T> in(values, at.in);
  test::device_array<Acc> out(values.size(), at.out);
  CUDA_OK(detail::run_segmented_scan<scan_kind::inclusive, Acc, Policies>(
              static_cast<const T*>(in.data()), fixed_length{length}, rows, out.data(), op, init, gpuprim::options{})
              .code);
  CHECK(bool(out.download() == want));
  out.check_guards();
  in.check_unchanged();
}

constexpr auto few = test::scan_one_tile(64, 48), many = test::scan_many_tiles(64, 48);

}  // namespace

TEST_CASE("Scans of segments of every mix of lengths", "[device][sanitizer]") {
  const std::vector<std::vector<int>> mixes{
      {1}, {0, 5}, {5, 0}, {0, 0, 0}, {40, 1, 0, 0, 3000, 2, 31, 32, 33, 0, 700}, {5000}, {0, 0, 4000, 0, 0, 1}};
  for (const auto& lengths : mixes) {
    check_segments<int, few, int>(lengths, gpuprim::plus{}, 3);
    check_segments<test::affine, many, test::affine>(lengths, test::then{}, {3, 1});
    check_segments<int, many, int, std::int64_t>(lengths, gpuprim::plus{}, 3, {4, 12}, 7, 9);
  }
  std::vector<int> short_ones;  // so many that a tile looks for the first of its own
  for (int i = 0; i < 3000; ++i) short_ones.push_back(i % 5);
  check_segments<int, many, int>(short_ones, gpuprim::plus{}, 3, {100, 4}, 1500, 3000);
  check_segments<int, few, int, unsigned>(short_ones, gpuprim::plus{}, 3, {100, 100, true}, 20, 5);
}

TEST_CASE("Scans of segments of every type", "[device]") {
  const std::vector<int> lengths{1, 3, 700, 30, 0, 1, 1, 2300, 64, 33};
  check_segments<double, many, double>(lengths, gpuprim::plus{}, 0.5);
  check_segments<int, many, short>(lengths, gpuprim::plus{}, 1);
  check_segments<unsigned char, many, unsigned char>(lengths, gpuprim::bit_xor{}, 1, {1, 3}, 1, 2);
  check_segments<test::point3, many, test::point3>(lengths, test::add_points{}, {1, 2, 3});
  test::unless_sanitized([&](auto) {
    check_segments<test::matrix2, many, test::matrix2>(lengths, test::product{}, {{1, 2, 3, 4}});
    check_segments<float, gpuprim::tuned_segment_scan_policies, float>({3000, 1, 90000}, gpuprim::plus{}, 1);
    check_segments<double, gpuprim::tuned_segment_scan_policies, double>({3000, 1, 900000}, gpuprim::plus{}, 1);
  });
}

TEST_CASE("Scans of the rows of a matrix", "[device][sanitizer]") {
  for (int length : {1, 2, 7, 64, 767, 768, 769, 3000}) {
    check_rows<int, few, int>(length, 5000 / length + 1, gpuprim::plus{}, 3);
    check_rows<test::affine, many, test::affine>(length, 5000 / length + 1, test::then{}, {3, 1}, {8, 16});
  }
  check_rows<double, few, float>(100, 30, gpuprim::plus{}, 0.5, {4, 8});
}

TEST_CASE("Scans of segments whose offsets break their promises write to the output alone", "[device]") {
  constexpr int n = 3000;
  test::device_array<int> in(std::vector<int>(n, 1));
  constexpr std::int64_t far = std::int64_t{1} << 40, least = (std::numeric_limits<std::int64_t>::min)();
  for (const std::vector<std::int64_t>& wrong : {std::vector<std::int64_t>{0, far},
                                                 {-far, 100},
                                                 {5, least},
                                                 {least, 9},
                                                 {2000, 10},
                                                 {0, -(far >> 8) + 2500},
                                                 {n + 1, n + 2}}) {
    for (std::size_t past : {0, 4}) {
      test::device_array<std::int64_t> offsets(wrong);
      test::device_array<int> out(n, past);
      const segment_offsets by{static_cast<const std::int64_t*>(offsets.data()), n};
      CUDA_OK(gpuprim::segmented_inclusive_scan(in.data(), by, 1, out.data(), gpuprim::plus{}));
      CUDA_OK(cudaDeviceSynchronize());
      out.check_guards();
      in.check_unchanged();
    }
  }
}

TEST_CASE("Scans of segments under ThreadSanitizer", "[device][tsan]") {
  check_one<scan_kind::exclusive, int, many, int, int>({5, 2000, 0, 1, 3000}, gpuprim::plus{}, 3, {4, 4, true}, 3, 1);
  check_one<scan_kind::inclusive, int, few, int, int>({5, 1000, 1}, gpuprim::plus{}, detail::nothing{}, {}, 0, 0);
  check_rows<int, few, int>(100, 20, gpuprim::plus{}, 3);
  // In place the results of a block lie beside the elements of the next.
  test::device_array<int> rows(std::vector<int>(12000, 1));
  CUDA_OK(gpuprim::segmented_inclusive_scan(rows.data(), fixed_length{1000}, 12, rows.data(), gpuprim::plus{}));
  const auto got = rows.download();
  CHECK((got[999] == 1000 && got[1000] == 1 && got[11999] == 1000));
}

TEST_CASE("Scans of segments refuse bad input", "[device]") {
  test::device_array<int> in(std::vector<int>(300, 1)), offsets(std::vector<int>{0, 100, 300}), out(300);
  const auto by = [&](std::int64_t n) { return segment_offsets{static_cast<const int*>(offsets.data()), n}; };
  const auto scan = [&](const int* from, auto where, std::int64_t segments, int* to) {
    return gpuprim::segmented_inclusive_scan(from, where, segments, to, gpuprim::plus{});
  };
  CUDA_OK(scan(in.data(), by(300), 2, out.data()));
  auto got = out.download();
  CHECK((got[99] == 100 && got[100] == 1 && got[299] == 200));
  CUDA_OK(gpuprim::segmented_exclusive_scan(in.data(), fixed_length{50}, 6, out.data(), gpuprim::plus{}));
  got = out.download();
  CHECK((got[49] == 49 && got[50] == 0 && got[299] == 49));
  CUDA_OK(gpuprim::segmented_exclusive_scan(in.data(), fixed_length{50}, 6, out.data(), gpuprim::plus{}, 5));
  CHECK(out.download()[299] == 54);
  CUDA_OK(gpuprim::segmented_inclusive_scan(in.data(), fixed_length{50}, 6, out.data(), gpuprim::plus{}, 5));
  CHECK(out.download()[299] == 55);
  const int* nothing = nullptr;
  CHECK(scan(nothing, by(300), 2, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), segment_offsets{nothing, 300}, 2, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(-1), 2, out.data()) == cudaErrorInvalidValue);
  const auto* const odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(offsets.data()) + 1);
  CHECK(scan(in.data(), segment_offsets{odd, 300}, 2, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(300), std::int64_t{1} << 59, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(300), -1, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(300), 2, nullptr) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(3), 2, offsets.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), by(290), 2, in.data() + 10) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), fixed_length{-1}, 2, out.data()) == cudaErrorInvalidValue);
  CHECK(scan(in.data(), fixed_length{std::int64_t{1} << 40}, std::int64_t{1} << 30, out.data()) ==
        cudaErrorInvalidValue);
  CHECK(scan(nothing, by(300), 0, nullptr) == cudaSuccess);
  CHECK(scan(nothing, fixed_length{0}, 5, nullptr) == cudaSuccess);
  in.check_unchanged();
  offsets.check_unchanged();
}
