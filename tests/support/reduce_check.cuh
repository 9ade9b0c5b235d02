// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One device-wide reduce against the sequential fold, with everything around it checked.
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/reduce_reproducible.cuh>

#include "device.cuh"
#include "types.cuh"

#include <cstdlib>

namespace test {

template <class T>
std::vector<T> make_values(std::int64_t n) {
  std::vector<T> values;
  values.reserve(std::size_t(n));
  for (std::int64_t i = 0; i < n; ++i) values.push_back(make_value<T>(std::uint64_t(i)));
  return values;
}

/// What a reduce of `values` must give, joined in `Acc`.
template <class Acc, class T, class Op>
Acc expected(const std::vector<T>& values, Op op, Acc init) {
  for (const T& v : values) init = op(init, static_cast<Acc>(v));
  return init;
}

/// Runs `call(in, n, out, options)` and compares. The output has the accumulator's type.
template <class T, class Acc, class Op, class Call>
void check_call(std::int64_t n, Op op, Acc init, std::size_t misalignment, Call call) {
  CAPTURE(n, misalignment);
  const std::vector<T> values = make_values<T>(n);
  device_array<T> input(values, misalignment);
  device_array<Acc> output(1);
  gpuprim::workspace workspace(gpuprim::reduce_workspace_bytes<Acc>(n));
  CUDA_OK(call(static_cast<const T*>(input.data()), n, output.data(), gpuprim::options{nullptr, &workspace}));
  CHECK(output.download()[0] == expected(values, op, init));
  output.check_guards();
  input.check_unchanged();
}

template <class T, class Op, class Acc>
void check_tuned(std::int64_t n, Op op, Acc init, std::size_t misalignment = 0) {
  check_call<T, Acc>(n, op, init, misalignment, [&](auto in, auto count, auto out, auto how) {
    return gpuprim::reduce<Acc>(in, count, out, op, init, how);
  });
}

template <int BlockSize, int LoadsPerThread, class T, class Op>
void check_policy(std::int64_t n, Op op, T init, std::size_t misalignment = 0) {
  check_call<T, T>(n, op, init, misalignment, [&](auto in, auto count, auto out, auto how) {
    return gpuprim::reduce<Op, BlockSize, LoadsPerThread>(in, count, out, op, init, how);
  });
}

/// 0, 1, around a warp, a block and the limits of the policies for 4-byte elements, odd and large. Where each access is
/// checked, on the host SIMT device and under compute-sanitizer (scripts/gpu_record.py), the large ones are left out.
inline std::vector<std::int64_t> sizes() {
  if (sanitized) return {0, 1, 2, 31, 33, 511, 513, 2049, 9001, 40009};
  std::vector<std::int64_t> n{0, 1, 2, 31, 33, 511, 513, 2047, 2049, 9001, 32767, 32769, 40009};
  if (!on_simt && std::getenv("GPUPRIM_TEST_SMALL") == nullptr) {
    n.insert(n.end(), {65537, (1 << 18) - 1, (1 << 18) + 1, 1000003, (1 << 22) - 1, (1 << 24) + 17});
  }
  return n;
}

}  // namespace test
