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
