// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of segments that lie anywhere.
#include "../../support/reduce_check.cuh"

#include <gpuprim/scan.cuh>

#include <string>

namespace {

/// Segments in another order than their memory, with gaps between them; some are empty or end before they begin.
struct scattered_segments {
  std::vector<int> begins, ends;
  int n = 0;

  explicit scattered_segments(const std::vector<int>& lengths) : begins(lengths.size()), ends(lengths.size()) {
    const auto count = int(lengths.size());
    for (int i = 0; i < count; ++i) {
      const auto at = std::size_t(i * 5 % count);
      n += i % 3;
      begins[at] = n;
      ends[at] = lengths[at] == 0 ? n - i % 2 : n + lengths[at];
      n += lengths[at];
    }
    n += 2;
  }
};

template <class T, class Acc, class Op>
void check(const std::vector<int>& lengths, Op op, Acc init, bool is_in_place) {
  REQUIRE(lengths.size() % 5 != 0);
  CAPTURE(lengths.size(), is_in_place);
  const scattered_segments segments(lengths);
  const auto count = std::int64_t(lengths.size());
  const auto values = test::make_values<T>(segments.n);
  const test::device_array<int> begins(segments.begins), ends(segments.ends);
  const gpuprim::segment_bounds where{begins.data(), ends.data(), segments.n};
  const test::device_array<T> in(values);
  test::device_array<Acc> exclusive(values.size()), inclusive(values.size()), from(values.size());
  if constexpr (std::is_same_v<T, Acc>) {
    if (is_in_place) {
      for (auto* array : {&exclusive, &inclusive, &from}) array->upload(values);
    }
  }
  auto wanted = exclusive.download(), wanted_inclusive = wanted, wanted_from = wanted;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    Acc all = init, own = init;
    for (int i = segments.begins[s]; i < segments.ends[s]; ++i) {
      const auto at = std::size_t(i);
      const Acc value = static_cast<Acc>(values[at]);
      own = i == segments.begins[s] ? value : op(own, value);
      wanted[at] = all;
      wanted_from[at] = all = op(all, value);
      wanted_inclusive[at] = own;
    }
  }
  const auto scan = [&](const auto* at, Acc* to, auto form) { return form(at, to); };
  const auto make = [&](test::device_array<Acc>& to, auto form) {
    if constexpr (std::is_same_v<T, Acc>) {
      if (is_in_place) return scan(static_cast<const Acc*>(to.data()), to.data(), form);
    }
    return scan(in.data(), to.data(), form);
  };
  CUDA_OK(make(exclusive, [&](const auto* at, Acc* to) {
    return gpuprim::segmented_exclusive_scan<Acc>(at, where, count, to, op, init);
  }));
  CUDA_OK(make(inclusive, [&](const auto* at, Acc* to) {
    return gpuprim::segmented_inclusive_scan<Acc>(at, where, count, to, op);
  }));
  CUDA_OK(make(from, [&](const auto* at, Acc* to) {
    return gpuprim::segmented_inclusive_scan<Acc>(at, where, count, to, op, init);
  }));
  CHECK(exclusive.download() == wanted);
  CHECK(inclusive.download() == wanted_inclusive);
  CHECK(from.download() == wanted_from);
  for (const auto* array : {&exclusive, &inclusive, &from}) array->check_guards();
  in.check_unchanged();
}

std::vector<int> mixed_lengths() {
  return {0, 1, 31, 32, 33, 2000, 0, 255, 511, 512, 513, 5, 0, 300, 1024, 7, 7, 1, 0};
}

}  // namespace

TEST_CASE("Segments that lie anywhere are scanned", "[device]") {
  for (bool is_in_place : {false, true}) {
    check<int, int>(mixed_lengths(), gpuprim::plus<int>{}, 5, is_in_place);
    check<test::affine, test::affine>(mixed_lengths(), test::then{}, test::affine{3, 1}, is_in_place);
  }
  check<unsigned char, int>(std::vector<int>(1001, 3), gpuprim::plus<int>{}, 0, false);
  check<int, int>({70000}, gpuprim::maximum<int>{}, -9, false);
}

TEST_CASE("Segments that lie anywhere are scanned, short and long ones", "[device][tsan]") {
  check<int, int>({40, 600, 3, 0}, gpuprim::plus<int>{}, 1, true);
}

TEST_CASE("A scan by bounds is refused without the number of values, and where the output lies in them", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 1));
  test::device_array<int> bounds(std::vector<int>(20, 3)), out(100);
  const auto refusal = [&](const auto& where) {
    CHECK(gpuprim::segmented_inclusive_scan(in.data(), where, 10, out.data(), gpuprim::plus{}) ==
          cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  const gpuprim::segment_bounds unknown{bounds.data(), bounds.data() + 10}, within{out.data(), bounds.data(), 100};
  CHECK(refusal(unknown) == "segment_bounds needs the number of elements here");
  CHECK(refusal(within) == "an output overlaps the begins or ends");
  out.check_untouched();
}
