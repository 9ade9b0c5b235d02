// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One scan against a sequential loop, with everything around it checked.
#include <gpuprim/scan.cuh>

#include "reduce_check.cuh"

#include <optional>

namespace test {

using gpuprim::detail::scan_kind;

/// Where a scan reads and writes: bytes past a boundary of 256, or the output in the place of the input.
struct scan_places {
  std::size_t in = 0, out = 0;
  bool in_place = false;
};

/// `call(in, n, out, options)` over values, compared with a loop that starts from `start`.
template <scan_kind Kind, class Acc, class Result, class T, class Op, class Call>
void check_scan_call(const std::vector<T>& values, Op op, std::optional<Acc> start, scan_places at,
                     std::int64_t workspace_bytes, Call call) {
  const auto n = std::int64_t(values.size());
  CAPTURE(n, at.in, at.out, at.in_place, start.has_value());
  std::vector<Result> want;
  std::optional<Acc> sum = start;
  for (const T& value : values) {
    const auto own = static_cast<Acc>(value);
    if (Kind == scan_kind::exclusive) want.push_back(static_cast<Result>(*sum));
    sum = sum ? op(*sum, own) : own;
    if (Kind == scan_kind::inclusive) want.push_back(static_cast<Result>(*sum));
  }
  device_array<T> in(values, at.in);
  device_array<Result> out(at.in_place ? 0 : values.size(), at.out);
  device_array<Acc> total(1);
  gpuprim::workspace workspace(workspace_bytes);
  auto* const to = at.in_place ? reinterpret_cast<Result*>(in.data()) : out.data();
  const gpuprim::options how{nullptr, &workspace};
  CUDA_OK(call(static_cast<const T*>(in.data()), n, gpuprim::with_total(to, total.data()), how));
  if constexpr (sizeof(Result) == sizeof(T)) {
    if (at.in_place) {
      const auto got = in.download();
      CHECK(std::memcmp(got.data(), want.data(), want.size() * sizeof(Result)) == 0);
      in.check_guards();
    }
  }
  if (!at.in_place) {
    CHECK(bool(out.download() == want));
    out.check_guards();
    in.check_unchanged();
  }
  if constexpr (gpuprim::has_identity<Op, Acc>) {
    if (!sum) sum = Acc(gpuprim::identity_element<Op, Acc>::value());
  }
  if (sum) CHECK(bool(total.download()[0] == *sum));
  else total.check_untouched();
  total.check_guards();
  check_zero(workspace);
}

/// Both kinds, with and without an initial value, with the shapes of `Policies`.
template <class Acc, class T, class Result = Acc, gpuprim::scan_policies Policies = gpuprim::tuned_scan_policies,
          class Op>
void check_scans(std::int64_t n, Op op, std::optional<Acc> start = {}, scan_places at = {}) {
  namespace detail = gpuprim::detail;
  const auto values = make_values<T>(n);
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<detail::array_source<const T*>, Acc, Result*>;
  using launches = detail::scan_launches<Policies, Acc, bytes>;
  const auto check = [&]<scan_kind Kind>(std::optional<Acc> from) {
    const auto call = [&](auto in, auto count, auto out, const gpuprim::options& how) {
      const auto given = from ? detail::maybe<Acc>(*from) : detail::maybe<Acc>();
      const detail::scan_steps<Acc, detail::as_it_is> steps{};
      return detail::run_scan<Kind, Acc, Policies>(in, count, out, op, steps, given, how).report();
    };
    check_scan_call<Kind, Acc, Result>(values, op, from, at, launches::workspace_bytes(n), call);
  };
  check.template operator()<scan_kind::inclusive>({});
  if constexpr (gpuprim::has_identity<Op, Acc>) {
    check.template operator()<scan_kind::exclusive>(Acc(gpuprim::identity_element<Op, Acc>::value()));
  }
  if (start) {
    check.template operator()<scan_kind::exclusive>(start);
    check.template operator()<scan_kind::inclusive>(start);
  }
}

/// Every block takes tile after tile; or one each.
constexpr gpuprim::scan_policies scan_many_tiles(int block_size, int lane_bytes) {
  return {.medium = {.block_size = block_size, .blocks_per_multiprocessor = 1, .lane_bytes = lane_bytes}};
}
constexpr gpuprim::scan_policies scan_one_tile(int block_size, int lane_bytes) {
  const gpuprim::scan_policy shape = scan_many_tiles(block_size, lane_bytes).medium;
  return {.few = shape, .medium = shape};
}

}  // namespace test
