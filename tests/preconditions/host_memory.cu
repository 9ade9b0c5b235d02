// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with memory that a GPU does not reach, as a std::vector's: the SIMT device could read it, and refuses it.
#include <gpuprim/gpuprim.cuh>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int n = 64;
using gpuprim::plus;

/// 2 n integers in memory of the device.
struct device_ints {
  device_ints() { REQUIRE(cudaMalloc(&data, 2 * n * sizeof(int)) == cudaSuccess); }
  ~device_ints() { cudaFree(data); }
  device_ints(const device_ints&) = delete;
  device_ints& operator=(const device_ints&) = delete;

  int* data = nullptr;
};

struct is_odd {
  __device__ bool operator()(int v) const { return v % 2 != 0; }
};

struct take_first {
  __device__ int operator()(int a, int, int) const { return a; }
};

/// Elements that are addresses, which no kernel reads through.
struct higher {
  __device__ const int* operator()(const int* a, const int* b) const { return a < b ? b : a; }
};

/// Calls with arrays of which none is in host memory, or one: it must be refused, whichever it is.
template <std::size_t Arrays>
void check_arrays(const std::function<cudaError_t(int* const (&)[Arrays])>& call) {
  const device_ints on_device[Arrays] = {};
  std::vector<int> in_host(2 * n, 0);
  for (std::size_t bad = 0; bad <= Arrays; ++bad) {
    int* arrays[Arrays];
    for (std::size_t i = 0; i < Arrays; ++i) {
      REQUIRE(cudaMemset(on_device[i].data, 0, 2 * n * sizeof(int)) == cudaSuccess);
      arrays[i] = i == bad ? in_host.data() : on_device[i].data;
    }
    INFO("array " << bad << " of " << Arrays << " is in host memory");
    CHECK(call(arrays) == (bad < Arrays ? cudaErrorInvalidValue : cudaSuccess));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}

}  // namespace

TEST_CASE("reduces refuse host memory", "[host_memory]") {
  check_arrays<2>([](auto& a) { return gpuprim::reduce(a[0], n, a[1], plus{}); });
  check_arrays<2>([](auto& a) { return gpuprim::reduce(gpuprim::reproducible, a[0], n, a[1], plus{}, 0); });
  check_arrays<2>([](auto& a) { return gpuprim::transform_reduce(a[0], n, a[1], plus{}, is_odd{}, 0); });
  check_arrays<2>([](auto& a) { return gpuprim::reduce_into(a[0], n, a[1], gpuprim::maximum{}); });
  check_arrays<3>([](auto& a) {
    return gpuprim::reduce_into(a[0], n, gpuprim::outputs(a[1], a[2]),
                                gpuprim::fused(gpuprim::maximum{}, gpuprim::minimum{}));
  });
  check_arrays<2>([](auto& a) { return gpuprim::dot(a[0], a[0] + n, n, reinterpret_cast<std::int64_t*>(a[1])); });
}

TEST_CASE("searches refuse host memory", "[host_memory]") {
  check_arrays<2>([](auto& a) { return gpuprim::find_if(a[0], n, reinterpret_cast<std::int64_t*>(a[1]), is_odd{}); });
  check_arrays<3>([](auto& a) { return gpuprim::equal(a[0], a[1], n, reinterpret_cast<bool*>(a[2])); });
  check_arrays<2>([](auto& a) { return gpuprim::is_sorted(a[0], n, reinterpret_cast<bool*>(a[1])); });
}

TEST_CASE("segmented reduces refuse host memory", "[host_memory]") {
  check_arrays<3>([](auto& a) { return gpuprim::segmented_reduce(a[0], a[1], 4, a[2], plus{}); });
  check_arrays<2>([](auto& a) { return gpuprim::segmented_reduce(a[0], gpuprim::fixed_length{8}, 4, a[1], plus{}); });
  check_arrays<4>(
      [](auto& a) { return gpuprim::segmented_reduce(a[0], gpuprim::segment_bounds{a[1], a[2]}, 4, a[3], plus{}); });
  check_arrays<2>([](auto& a) { return gpuprim::column_reduce(a[0], 8, 8, a[1], plus{}); });
}

TEST_CASE("scans of columns and n-th keys of segments refuse host memory", "[host_memory]") {
  check_arrays<2>([](auto& a) { return gpuprim::column_inclusive_scan(a[0], 8, 8, a[1], plus{}); });
  check_arrays<3>([](auto& a) {
    return gpuprim::column_exclusive_scan(a[0], 8, 8, a[1], plus{}, gpuprim::value_at{static_cast<const int*>(a[2])});
  });
  check_arrays<4>(
      [](auto& a) { return gpuprim::segmented_nth_element(a[0], gpuprim::segment_offsets{a[1], n}, 4, a[2], a[3]); });
}

TEST_CASE("histograms and runs refuse host memory", "[host_memory]") {
  check_arrays<2>([](auto& a) {
    return gpuprim::histogram(a[0], n, reinterpret_cast<unsigned*>(a[1]), gpuprim::even_bins{4, 0, 64});
  });
  check_arrays<3>([](auto& a) {
    return gpuprim::histogram(a[0], n, reinterpret_cast<unsigned*>(a[1]), gpuprim::bin_ranges<int>{a[2], 4});
  });
  check_arrays<5>([](auto& a) { return gpuprim::reduce_by_key(a[0], a[1], n, a[2], a[3], a[4], plus{}); });
  check_arrays<4>([](auto& a) { return gpuprim::run_length_encode(a[0], n, a[1], a[2], a[3]); });
  check_arrays<4>([](auto& a) { return gpuprim::non_trivial_runs(a[0], n, a[1], a[2], a[3]); });
}

TEST_CASE("streaming passes refuse host memory", "[host_memory]") {
  check_arrays<2>([](auto& a) { return gpuprim::transform(a[0], n, a[1], is_odd{}); });
  check_arrays<4>([](auto& a) { return gpuprim::transform(gpuprim::inputs(a[0], a[1], a[2]), n, a[3], take_first{}); });
  check_arrays<1>([](auto& a) { return gpuprim::fill(a[0], n, 3); });
  check_arrays<2>([](auto& a) { return gpuprim::copy(a[0], n, a[1]); });
  check_arrays<3>([](auto& a) {  // ranges of 0 elements
    return gpuprim::copy_batched(reinterpret_cast<int**>(a[0]), reinterpret_cast<int**>(a[1]), a[2], n);
  });
  check_arrays<2>([](auto& a) { return gpuprim::adjacent_difference(a[0], n, a[1]); });
  check_arrays<3>([](auto& a) { return gpuprim::gather(a[0], a[1], n, a[2]); });
  check_arrays<3>([](auto& a) { return gpuprim::scatter(a[0], a[1], n, a[2]); });
  check_arrays<3>([](auto& a) { return gpuprim::lower_bound(a[0], n, a[1], n, a[2]); });
  check_arrays<2>([](auto& a) { return gpuprim::transpose(a[0], 4, 4, a[1]); });
}

TEST_CASE("a call that returns its value says that the memory is the host's", "[host_memory]") {
  const std::vector<int> values(n, 1);
  std::string said;
  try {
    (void)gpuprim::reduce_value(values.data(), n, plus{});
  } catch (const gpuprim::cuda_error& error) {
    said = error.what();
  }
  CHECK_THAT(said, Catch::Matchers::ContainsSubstring(
                       "gpuprim::reduce_value: the input is in host memory, which a GPU does not reach"));
  // Nothing is read of nothing; and memory of the host that a GPU reaches is good.
  CHECK(gpuprim::reduce_value(values.data(), 0, plus{}) == 0);
  std::vector<int> pinned(n, 1);
  REQUIRE(cudaHostRegister(pinned.data(), n * sizeof(int), cudaHostRegisterDefault) == cudaSuccess);
  CHECK(gpuprim::reduce_value(pinned.data(), n, plus{}) == n);
  CHECK(cudaHostUnregister(pinned.data()) == cudaSuccess);
}

TEST_CASE("elements may be addresses in host memory", "[host_memory]") {
  const std::vector<int> values(n, 1);
  const int* const init = values.data() + 7;
  const device_ints offsets, keys;
  void* both = nullptr;
  REQUIRE(cudaMalloc(&both, 2 * n * sizeof(int*)) == cudaSuccess);
  const int** const from = static_cast<const int**>(both);
  const int** const out = from + n;
  REQUIRE(cudaMemset(both, 0, 2 * n * sizeof(int*)) == cudaSuccess);
  REQUIRE(cudaMemset(keys.data, 0, n * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(offsets.data, 0, 2 * n * sizeof(int)) == cudaSuccess);
  const auto check = [&](cudaError_t error) {
    CHECK(error == cudaSuccess);
    const int* got = nullptr;
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDefault) == cudaSuccess);
    CHECK(got == init);
    CHECK(cudaMemset(out, 0, n * sizeof(int*)) == cudaSuccess);
  };
  check(gpuprim::reduce(from, n, out, higher{}, init));
  check(gpuprim::reduce(gpuprim::reproducible, from, n, out, higher{}, init));
  CHECK(gpuprim::reduce_value(from, n, higher{}, init) == init);
  check(gpuprim::segmented_reduce(from, offsets.data, 1, out, higher{}, init));
  check(gpuprim::exclusive_scan(from, n, out, higher{}, init));
  check(gpuprim::column_exclusive_scan(from, 8, 8, out, higher{}, init));
  check(gpuprim::exclusive_scan_by_key(keys.data, from, n, out, higher{}, init));
  check(gpuprim::fill(out, n, init));
  CHECK(cudaFree(both) == cudaSuccess);
}
