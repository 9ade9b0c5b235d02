// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extrema of segments and their places, against std::min_element.
#include "../../support/reduce_check.cuh"

#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/device/segmented_extrema.cuh>

#include <cmath>
#include <string>

namespace {

struct by_last_digit {
  template <class T>
  GPUPRIM_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return int(a) % 10 < int(b) % 10;
  }
};

struct point {
  int x, y;
  friend GPUPRIM_HOST_DEVICE bool operator<(const point& a, const point& b) { return a.x < b.x; }
  friend bool operator==(const point&, const point&) = default;
};

std::vector<int> make_offsets(int first) {
  std::vector<int> offsets{first};
  for (int length : {0, 1, 2, 5, 31, 32, 33, 0, 100, 257, 1000, 9000, 3, 1, 0}) {
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

template <class T, class Where, class Less>
void check(const std::vector<T>& values, const std::vector<int>& begins, const std::vector<int>& ends,
           const Where& where, const Less& less) {
  const auto segments = std::int64_t(begins.size());
  const test::device_array<T> in(values, sizeof(T));
  test::device_array<T> least(begins.size()), greatest(begins.size()), ordered(begins.size());
  test::device_array<int> at_least(begins.size()), at_greatest(begins.size()), at_ordered(begins.size());
  gpuprim::workspace ws(gpuprim::segmented_extremum_workspace_bytes<T>());
  const gpuprim::options how{.workspace = &ws};
  CUDA_OK(gpuprim::segmented_min_element(in.data(), where, segments, least.data(), at_least.data(), how));
  CUDA_OK(gpuprim::segmented_max_element(in.data(), where, segments, greatest.data(), at_greatest.data(), how));
  CUDA_OK(gpuprim::segmented_max_element(in.data(), where, segments, ordered.data(), at_ordered.data(), less, how));
  const auto got_least = least.download(), got_greatest = greatest.download(), got_ordered = ordered.download();
  const auto places = at_least.download(), greatest_places = at_greatest.download();
  const auto ordered_places = at_ordered.download();
  for (std::size_t s = 0; s < begins.size(); ++s) {
    CAPTURE(s);
    const auto begin = values.begin() + begins[s], end = values.begin() + std::max(begins[s], ends[s]);
    const auto expect = [&](auto place, const T& value, const std::vector<int>& found, const std::vector<T>& got) {
      if (begin == end) {
        CHECK(found[s] == 0);
      } else {
        CHECK(found[s] == int(place - begin));
        CHECK(got[s] == value);
      }
    };
    const auto first = std::min_element(begin, end), last = std::max_element(begin, end);
    const auto by = std::max_element(begin, end, less);
    if (begin == end) {
      CHECK((places[s] == 0 && greatest_places[s] == 0 && ordered_places[s] == 0));
      continue;
    }
    expect(first, *first, places, got_least);
    expect(last, *last, greatest_places, got_greatest);
    expect(by, *by, ordered_places, got_ordered);
  }
  for (const auto* out : {&least, &greatest, &ordered}) out->check_guards();
  test::check_zero(ws);
  in.check_unchanged();
}

template <class T>
void check_forms() {
  const auto offsets = make_offsets(3);
  const auto values = test::make_values<T>(offsets.back() + 5);
  const std::vector<int> begins(offsets.begin(), offsets.end() - 1), ends(offsets.begin() + 1, offsets.end());
  const test::device_array<int> where(offsets), from(begins), to(ends);
  check(values, begins, ends, where.data(), by_last_digit{});
  check(values, begins, ends, gpuprim::segment_bounds{from.data(), to.data()}, by_last_digit{});
  for (int length : {1, 10, 64, 700, 4000}) {
    CAPTURE(length);
    std::vector<int> rows, row_ends;
    for (int begin = 0; begin + length <= int(values.size()); begin += length) {
      rows.push_back(begin);
      row_ends.push_back(begin + length);
    }
    check(values, rows, row_ends, gpuprim::fixed_length{length}, by_last_digit{});
  }
}

}  // namespace

TEST_CASE("The extrema of segments have their places in them", "[device]") {
  check_forms<int>();
  test::unless_sanitized([](auto) {
    check_forms<double>();
    check_forms<unsigned char>();
  });
}

TEST_CASE("Extrema of rows pass NaN over, and take elements with a < of their own", "[device]") {
  const float nan = NAN;
  const test::device_array<float> in(std::vector<float>{nan, 3, 1, nan, nan, nan, -0.0f, 0, nan});
  test::device_array<int> at(3);
  const gpuprim::fixed_length three{3};
  CUDA_OK(gpuprim::segmented_min_element(in.data(), three, 3, gpuprim::discard_output{}, at.data()));
  CHECK(at.download() == std::vector<int>{2, 3, 0});
  const test::device_array<point> points(std::vector<point>{{3, 1}, {1, 2}, {1, 3}, {2, 4}});
  test::device_array<point> least(2);
  CUDA_OK(gpuprim::segmented_min_element(points.data(), gpuprim::fixed_length{2}, 2, least.data(), at.data()));
  CHECK((least.download() == std::vector<point>{{1, 2}, {1, 3}} && at.download()[0] == 1 && at.download()[1] == 0));
}

TEST_CASE("Extrema of segments refuse null pointers", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 1));
  test::device_array<int> out(10), at(10);
  const int* const none = nullptr;
  const auto refusal = [&](const int* from, const auto& where, int* to) {
    CHECK(gpuprim::segmented_min_element(from, where, 10, out.data(), to) == cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  CHECK(refusal(none, gpuprim::fixed_length{10}, at.data()) == "the input is a null pointer or in host memory");
  CHECK(refusal(in.data(), none, at.data()) == "the offsets are a null pointer or in host memory");
  CHECK(refusal(in.data(), gpuprim::fixed_length{10}, nullptr) == "the output is a null pointer or in host memory");
  CHECK(refusal(in.data(), gpuprim::fixed_length{10}, out.data() + 5) == "the outputs overlap each other");
  CHECK(refusal(in.data(), static_cast<const int*>(at.data()), at.data()) == "an output overlaps the offsets");
  out.check_untouched();
}
