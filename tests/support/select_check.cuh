// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Selects and partitions against sequential loops, with everything around them checked.
#include <gpuprim/select.cuh>

#include "reduce_check.cuh"

namespace test {

namespace detail = gpuprim::detail;

/// Every block takes tile after tile; or one each.
constexpr gpuprim::select_policies select_many_tiles(int block_size, int lane_bytes) {
  return {.medium = {.block_size = block_size, .blocks_per_multiprocessor = 1, .lane_bytes = lane_bytes}};
}
constexpr gpuprim::select_policies select_one_tile(int block_size, int lane_bytes) {
  const gpuprim::select_policy shape = select_many_tiles(block_size, lane_bytes).medium;
  return {.few = shape, .medium = shape};
}

/// Whether an element's bytes come to a number in so many of a hundred cases.
struct in_percent {
  int percent;
  template <class T>
  GPUPRIM_HOST_DEVICE bool operator()(const T& x) const {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &x, sizeof(T));
    unsigned sum = 0;
    for (unsigned char byte : bytes) sum = sum * 31 + byte;
    return int((sum * 2654435761u >> 16) % 100u) < percent;
  }
};

/// Neighbours that are alike more often than equal ones.
struct alike {
  template <class T>
  GPUPRIM_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return in_percent{50}(a) == in_percent{50}(b);
  }
};

/// Where a select reads and writes: bytes past a boundary of 256, or the output in the place of the input.
struct select_places {
  std::size_t in = 0, out = 0;
  bool in_place = false;
};

/// `call(in, n, out, count, options)` over values, of which `want` should be left.
template <class T, class Result, class Call>
void check_selected(const std::vector<T>& values, const std::vector<Result>& want, select_places at,
                    std::int64_t workspace_bytes, const Call& call) {
  CAPTURE(values.size(), want.size(), at.in, at.out, at.in_place);
  device_array<T> in(values, at.in);
  device_array<Result> out(at.in_place ? 0 : want.size(), at.out);
  device_array<std::int64_t> count(1);
  gpuprim::workspace workspace(workspace_bytes);
  auto* const to = at.in_place ? reinterpret_cast<Result*>(in.data()) : out.data();
  CUDA_OK(call(static_cast<const T*>(in.data()), std::int64_t(values.size()), to, count.data(),
               gpuprim::options{nullptr, &workspace}));
  CHECK(count.download()[0] == std::int64_t(want.size()));
  if (at.in_place) {
    const auto got = in.download();
    const std::size_t bytes = want.size() * sizeof(Result);
    CHECK((bytes == 0 || std::memcmp(static_cast<const void*>(got.data()), want.data(), bytes) == 0));
    in.check_guards();
  } else {
    CHECK(bool(out.download() == want));
    out.check_guards();
    in.check_unchanged();
  }
  count.check_guards();
  check_zero(workspace);
}

/// select_if and unique, with the shapes of `Policies`.
template <class T, gpuprim::select_policies Policies = gpuprim::tuned_select_policies>
void check_selects(std::int64_t n, int percent, select_places at = {}) {
  const auto values = make_values<T>(n);
  const in_percent predicate{percent};
  const std::int64_t bytes = detail::select_launches<Policies, int(sizeof(T)), int(sizeof(T)), 1>::workspace_bytes(n);
  std::vector<T> chosen, heads;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (predicate(values[i])) chosen.push_back(values[i]);
    if (i == 0 || !alike{}(values[i - 1], values[i])) heads.push_back(values[i]);
  }
  check_selected(values, chosen, at, bytes, [&](auto in, auto count, auto out, auto total, const auto& how) {
    const detail::write_element write(out);
    return detail::select_elements<Policies, detail::chosen_by>(in, count, total, predicate, write, how).report();
  });
  check_selected(values, heads, at, bytes, [&](auto in, auto count, auto out, auto total, const auto& how) {
    const detail::write_element write(out);
    return detail::select_elements<Policies, detail::chosen_heads>(in, count, total, alike{}, write, how).report();
  });
}

}  // namespace test
