// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and sums of runs that have the same bits on every GPU: on GPUs of several sizes that the SIMT device plays, and
// on the SIMT device and a GPU, by a number that is made of all bits.
#include "../../support/device.cuh"
#include "../../support/small_gpu.cuh"

#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/scan.cuh>

#include <cstring>

namespace {

std::vector<float> make_floats(int n) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back((i % 3 == 0 ? -0.3f : 1.0f) / float(1 + std::int64_t(i) * 7919 % 60000));
  return values;
}
std::vector<int> make_keys(int n) {
  std::vector<int> keys;
  for (int i = 0; i < n; ++i) keys.push_back(i < n / 2 ? 0 : i / 700);
  return keys;
}

/// Results of all forms, one after the other.
std::vector<float> call_all(const std::vector<float>& values, const std::vector<int>& keys) {
  const auto n = std::int64_t(values.size());
  test::device_array<float> in(values), out(values.size());
  test::device_array<int> in_keys(keys), unique(values.size()), runs(1);
  std::vector<float> all;
  const auto append = [&](std::size_t count) {
    const auto got = out.download();
    all.insert(all.end(), got.begin(), got.begin() + std::ptrdiff_t(count));
  };
  using gpuprim::plus, gpuprim::reproducible;
  CUDA_OK(gpuprim::exclusive_scan(reproducible, in.data(), n, out.data(), plus{}, 0.25f));
  append(values.size());
  CUDA_OK(gpuprim::exclusive_scan(reproducible, in.data(), n, out.data(), plus{}));
  append(values.size());
  CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data(), n, out.data(), plus{}, 0.25f));
  append(values.size());
  CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data(), n, out.data(), plus{}));
  append(values.size());
  CUDA_OK(gpuprim::exclusive_scan_by_key(reproducible, in_keys.data(), in.data(), n, out.data(), plus{}, 0.25f));
  append(values.size());
  CUDA_OK(gpuprim::inclusive_scan_by_key(reproducible, in_keys.data(), in.data(), n, out.data(), plus{}));
  append(values.size());
  CUDA_OK(gpuprim::reduce_by_key(reproducible, in_keys.data(), in.data(), n, unique.data(), out.data(), runs.data(),
                                 plus{}));
  append(std::size_t(runs.download()[0]));
  return all;
}

/// The same results in double precision, one after the other.
std::vector<double> expect_all(const std::vector<float>& values, const std::vector<int>& keys) {
  std::vector<double> all;
  const auto scan = [&](double start, bool is_inclusive, bool has_keys) {
    double sum = start;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (has_keys && i > 0 && keys[i] != keys[i - 1]) sum = start;
      if (!is_inclusive) all.push_back(sum);
      sum += double(values[i]);
      if (is_inclusive) all.push_back(sum);
    }
  };
  scan(0.25, false, false);
  scan(0, false, false);
  scan(0.25, true, false);
  scan(0, true, false);
  scan(0.25, false, true);
  scan(0, true, true);
  const std::size_t sums = all.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) all.push_back(0);
    all.back() += double(values[i]);
  }
  CHECK(all.size() > sums);
  return all;
}

/// A number that depends on every bit (FNV-1a).
std::uint64_t sign_of(const std::vector<float>& values) {
  std::uint64_t sign = 0xcbf29ce484222325u;
  for (float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    sign = (sign ^ bits) * 0x100000001b3u;
  }
  return sign;
}

}  // namespace

TEST_CASE("reproducible scans have the same bits on every GPU", "[device]") {
  struct {
    int n;
    std::uint64_t sign;
  } constexpr inputs[] = {
      {1, 0x2aa3ba85da99f3b5}, {700, 0xce509a5b161b071a}, {5120, 0xc5df3637c3053b48}, {30001, 0x515a2a0009f34b80}};
  for (const auto& [n, sign] : inputs) {
    const std::vector<float> values = make_floats(n);
    const std::vector<int> keys = make_keys(n);
    const std::vector<double> want = expect_all(values, keys);
    for (int multiprocessors : {1, 3, 8}) {
      CAPTURE(n, multiprocessors);
      const test::small_gpu gpu(multiprocessors);
      const std::vector<float> got = call_all(values, keys);
      REQUIRE(got.size() == want.size());
      int wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i) wrong += !(std::abs(double(got[i]) - want[i]) < 1e-5);
      CHECK(wrong == 0);
      CHECK(sign_of(got) == sign);
    }
  }
}

// The SIMT device gives the same number, but takes long.
TEST_CASE("reproducible scans of many tiles have the same bits on every GPU", "[device][gpu]") {
  constexpr int n = 2'000'003;
  CHECK(sign_of(call_all(make_floats(n), make_keys(n))) == 0x49cec3083cd57f29);
}

TEST_CASE("reproducible scans have the same bits wherever the arrays begin", "[device]") {
  constexpr int n = 9001;
  const std::vector<float> values = make_floats(n);
  const std::vector<int> keys = make_keys(n);
  using gpuprim::plus, gpuprim::reproducible;
  std::vector<float> sums, sums_by_key;
  for (int shift : {0, 1, 2, 4, 16, 29}) {
    CAPTURE(shift);
    std::vector<float> moved(std::size_t(shift), 0.0f);
    std::vector<int> moved_keys(std::size_t(shift), 0);
    moved.insert(moved.end(), values.begin(), values.end());
    moved_keys.insert(moved_keys.end(), keys.begin(), keys.end());
    test::device_array<float> in(moved), out(values.size());
    test::device_array<int> in_keys(moved_keys);
    CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data() + shift, n, out.data(), plus{}));
    const std::vector<float> got = out.download();
    CUDA_OK(
        gpuprim::inclusive_scan_by_key(reproducible, in_keys.data() + shift, in.data() + shift, n, out.data(), plus{}));
    const std::vector<float> got_by_key = out.download();
    if (shift == 0) sums = got, sums_by_key = got_by_key;
    CHECK(got == sums);
    CHECK(got_by_key == sums_by_key);
  }
}

TEST_CASE("reproducible scans take what others take", "[device]") {
  std::vector<int> values;
  for (int i = 0; i < 9000; ++i) values.push_back(i % 17 - 8);
  const auto n = std::int64_t(values.size());
  test::device_array<int> in(values), out(values.size()), total(1);
  using gpuprim::maximum, gpuprim::plus, gpuprim::reproducible;
  int sum = 0;
  for (int& x : values) x = sum += x;
  CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data(), n, gpuprim::with_total(out.data(), total.data()), plus{}));
  CHECK(out.download() == values);
  CHECK(total.download()[0] == sum);
  CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data(), n, in.data(), plus{}));  // in place
  CHECK(in.download() == values);
  CHECK(gpuprim::exclusive_scan(reproducible, in.data(), -1, out.data(), plus{}) == cudaErrorInvalidValue);
  CHECK(gpuprim::exclusive_scan(reproducible, in.data(), n, in.data() + 1, maximum{}, 0) == cudaErrorInvalidValue);
  CHECK(gpuprim::exclusive_scan_by_key(reproducible, in.data(), in.data(), n, in.data(), plus{}, 0) ==
        cudaErrorInvalidValue);
  gpuprim::workspace small(8);
  CHECK(gpuprim::inclusive_scan(reproducible, in.data(), n, out.data(), plus{}, {.workspace = &small}) ==
        cudaErrorInvalidValue);
  gpuprim::workspace enough(gpuprim::scan_workspace_bytes<int>(n));
  CUDA_OK(gpuprim::inclusive_scan(reproducible, in.data(), n, out.data(), maximum{}, {.workspace = &enough}));
  test::check_zero(enough);
}
