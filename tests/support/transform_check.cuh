// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One streaming pass against a sequential loop, with everything around it checked.
#include <gpuprim/transform.cuh>

#include "reduce_check.cuh"

namespace test {

/// Where the arrays of a pass begin: bytes past a boundary of 256.
struct pass_places {
  std::size_t in = 0, second = 0, out = 0;
};

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// A launch shape whose tiles are small.
inline constexpr gpuprim::transform_policy small_transform{
    .block_size = 32, .thread_bytes = 32, .written_bytes = 32, .most_items = 32, .spread_blocks = 1};

/// `transform` with the shape of `Policy`.
template <gpuprim::transform_policy Policy, class In, class Out, class Fn>
cudaError_t transform_with(const In& in, std::int64_t n, const Out& out, const Fn& fn) {
  namespace detail = gpuprim::detail;
  return detail::run_transform<Policy>(detail::bundle_inputs(in), n, detail::bundle_outputs(out), fn, {}).report();
}

/// fn of one input.
template <gpuprim::transform_policy Policy, class T, class Result, class Fn>
void check_one_input(std::int64_t n, Fn fn, pass_places at = {}) {
  CAPTURE(n, at.in, at.out);
  const auto values = make_values<T>(n);
  std::vector<Result> want;
  for (const T& value : values) want.push_back(static_cast<Result>(fn(value)));
  device_array<T> in(values, at.in);
  device_array<Result> out(values.size(), at.out);
  CUDA_OK(transform_with<Policy>(in.data(), n, out.data(), fn));
  CHECK(same_bytes(out.download(), want));
  out.check_guards();
  in.check_unchanged();
  if constexpr (sizeof(T) == sizeof(Result)) {
    device_array<T> both(values, at.in);
    CUDA_OK(transform_with<Policy>(both.data(), n, reinterpret_cast<Result*>(both.data()), fn));
    const auto got = both.download();
    CHECK((n == 0 || std::memcmp(got.data(), want.data(), want.size() * sizeof(T)) == 0));
    both.check_guards();
  }
}

/// fn of two inputs.
template <gpuprim::transform_policy Policy, class A, class B, class Result, class Fn>
void check_two_inputs(std::int64_t n, Fn fn, pass_places at = {}) {
  CAPTURE(n, at.in, at.second, at.out);
  const auto as = make_values<A>(n);
  const auto bs = make_values<B>(n);
  std::vector<Result> want;
  for (std::size_t i = 0; i < as.size(); ++i) want.push_back(static_cast<Result>(fn(as[i], bs[i])));
  device_array<A> a(as, at.in);
  device_array<B> b(bs, at.second);
  device_array<Result> out(as.size(), at.out);
  CUDA_OK(transform_with<Policy>(gpuprim::inputs(a.data(), b.data()), n, out.data(), fn));
  CHECK(same_bytes(out.download(), want));
  out.check_guards();
  a.check_unchanged();
  b.check_unchanged();
}

}  // namespace test
