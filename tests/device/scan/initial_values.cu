// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start from a value in device memory, which earlier work of the stream makes.
#include "../../support/reduce_check.cuh"

#include <gpuprim/scan.cuh>
#include <gpuprim/transform.cuh>

#include <string>

namespace {

struct twice {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(int x) const { return 2 * std::int64_t{x}; }
};

/// Scans an array in parts, each of which starts from what the one before it has left where its total went.
template <class Scan>
void check_in_parts(std::int64_t n, std::int64_t part, bool is_exclusive, int factor, const Scan& scan) {
  CAPTURE(n, part, is_exclusive);
  const auto values = test::make_values<int>(n);
  std::vector<std::int64_t> wanted;
  std::int64_t sum = 11;
  for (int x : values) {
    if (is_exclusive) wanted.push_back(sum);
    sum += factor * std::int64_t{x};
    if (!is_exclusive) wanted.push_back(sum);
  }
  const test::device_array<int> in(values);
  test::device_array<std::int64_t> out(values.size()), carry(std::vector<std::int64_t>{0});
  CUDA_OK(gpuprim::fill(carry.data(), 1, std::int64_t{11}));
  for (std::int64_t first = 0; first < n || first == 0; first += part) {
    const std::int64_t count = std::min(part, n - first);
    CUDA_OK(scan(in.data() + first, count, gpuprim::with_total(out.data() + first, carry.data()),
                 gpuprim::value_at{carry.data()}));
  }
  CHECK(out.download() == wanted);
  CHECK(carry.download()[0] == sum);
  out.check_guards();
  carry.check_guards();
  in.check_unchanged();
}

}  // namespace

TEST_CASE("Scans start from a value in device memory", "[device][sanitizer]") {
  const gpuprim::plus<> plus;
  for (std::int64_t n : {0, 1, 33, 5000, 40000}) {
    for (std::int64_t part : {n + 1, n / 3 + 1}) {
      check_in_parts(n, part, true, 1, [&](auto... arguments) {
        const auto [in, count, out, start] = std::tuple{arguments...};
        return gpuprim::exclusive_scan(in, count, out, plus, start);
      });
      check_in_parts(n, part, false, 1, [&](auto... arguments) {
        const auto [in, count, out, start] = std::tuple{arguments...};
        return gpuprim::inclusive_scan(in, count, out, plus, start);
      });
    }
    check_in_parts(n, n / 2 + 1, true, 2, [&](auto... arguments) {
      const auto [in, count, out, start] = std::tuple{arguments...};
      return gpuprim::transform_exclusive_scan(in, count, out, plus, twice{}, start);
    });
    check_in_parts(n, n / 2 + 1, false, 2, [&](auto... arguments) {
      const auto [in, count, out, start] = std::tuple{arguments...};
      return gpuprim::transform_inclusive_scan(in, count, out, plus, twice{}, start);
    });
  }
}

TEST_CASE("A start of a scan and its count lie in device memory together", "[device][tsan]") {
  const int most = 900;
  const std::vector<int> values(most, 3);
  const test::device_array<int> in(values), count(std::vector<int>{700}), start(std::vector<int>{5});
  test::device_array<int> out(most);
  CUDA_OK(gpuprim::exclusive_scan(in.data(), {count.data(), most}, out.data(), gpuprim::plus{},
                                  gpuprim::value_at{start.data()}));
  const auto got = out.download();
  for (int i = 0; i < 700; ++i) CHECK(got[std::size_t(i)] == 5 + 3 * i);
  CHECK(got[700] != 5 + 3 * 700);
}

TEST_CASE("Scans refuse a start where it cannot lie", "[device]") {
  const test::device_array<int> in(std::vector<int>(100, 1));
  test::device_array<int> out(100);
  const auto refusal = [&](const int* start) {
    CHECK(gpuprim::exclusive_scan(in.data(), 100, out.data(), gpuprim::plus{}, gpuprim::value_at{start}) ==
          cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault());
  };
  CHECK(refusal(nullptr) == "the initial value is at a null pointer or in host memory");
  CHECK(refusal(out.data() + 99) == "the initial value lies in the output");
  CHECK(refusal(reinterpret_cast<const int*>(reinterpret_cast<const char*>(in.data()) + 1)) ==
        "the initial value is not aligned to its type");
  out.check_untouched();
}

TEST_CASE("Scans by key and of segments start from a value in device memory", "[device][sanitizer]") {
  const gpuprim::plus<> plus;
  for (int n : {1, 40, 3000, 40000}) {
    const auto values = test::make_values<int>(n);
    std::vector<int> keys, offsets, begins, ends;
    for (int i = 0; i < n; ++i) keys.push_back(i / 700);
    for (int i = 0; i <= (n + 699) / 700; ++i) offsets.push_back(std::min(700 * i, n));
    begins.assign(offsets.begin(), offsets.end() - 1);
    ends.assign(offsets.begin() + 1, offsets.end());
    const auto segments = std::int64_t(begins.size());
    std::vector<std::int64_t> before, behind;
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) {
      if (i % 700 == 0) sum = 11;
      before.push_back(sum);
      behind.push_back(sum += values[std::size_t(i)]);
    }
    const test::device_array<int> in(values), of_runs(keys), at(offsets), first(begins), end(ends);
    test::device_array<std::int64_t> out(values.size()), start(std::vector<std::int64_t>{0});
    CUDA_OK(gpuprim::fill(start.data(), 1, std::int64_t{11}));
    const gpuprim::value_at from{start.data()};
    const auto check = [&](const char* what, cudaError_t error, const std::vector<std::int64_t>& wanted) {
      CAPTURE(n, what);
      CUDA_OK(error);
      CHECK(out.download() == wanted);
      out.check_guards();
      out.upload(std::vector<std::int64_t>(values.size()));
    };
    check("by key", gpuprim::exclusive_scan_by_key(of_runs.data(), in.data(), n, out.data(), plus, from), before);
    check("by key, reproducible",
          gpuprim::exclusive_scan_by_key(gpuprim::reproducible, of_runs.data(), in.data(), n, out.data(), plus, from),
          before);
    const gpuprim::segment_offsets where{at.data(), n};
    check("by offsets", gpuprim::segmented_exclusive_scan(in.data(), where, segments, out.data(), plus, from), before);
    check("by offsets", gpuprim::segmented_inclusive_scan(in.data(), where, segments, out.data(), plus, from), behind);
    const gpuprim::segment_bounds anywhere{first.data(), end.data(), n};
    check("by bounds", gpuprim::segmented_exclusive_scan(in.data(), anywhere, segments, out.data(), plus, from),
          before);
    if (n % 40 == 0) {
      std::vector<std::int64_t> of_rows;
      for (int i = 0; i < n; ++i) {
        if (i % 40 == 0) sum = 11;
        of_rows.push_back(sum += values[std::size_t(i)]);
      }
      check("of rows",
            gpuprim::segmented_inclusive_scan(in.data(), gpuprim::fixed_length{40}, n / 40, out.data(), plus, from),
            of_rows);
    }
    CHECK(gpuprim::exclusive_scan_by_key(of_runs.data(), in.data(), n, out.data(), plus,
                                         gpuprim::value_at{static_cast<const std::int64_t*>(out.data())}) ==
          cudaErrorInvalidValue);
    CHECK(gpuprim::last_fault() == std::string("the initial value lies in the output"));
    CHECK(gpuprim::segmented_inclusive_scan(in.data(), where, segments, out.data(), plus,
                                            gpuprim::value_at{static_cast<const std::int64_t*>(nullptr)}) ==
          cudaErrorInvalidValue);
  }
}
