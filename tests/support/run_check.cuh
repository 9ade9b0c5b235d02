// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One pass over runs of equal keys against a sequential loop, with everything around it checked.
#include <gpuprim/reduce_by_key.cuh>

#include "reduce_check.cuh"

#include <algorithm>

namespace test {

/// Keys in runs of the given lengths; neighbouring runs have different keys, and keys come again.
template <class Key>
std::vector<Key> make_runs(const std::vector<int>& lengths) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if constexpr (std::is_same_v<Key, point3>)
      keys.insert(keys.end(), std::size_t(lengths[i]), point3{int(i % 5), 1, 2});
    else keys.insert(keys.end(), std::size_t(lengths[i]), static_cast<Key>(int(i % 5)));
  }
  return keys;
}

/// One run, runs of one, short ones, some around the size of tiles, and long ones among short.
inline std::vector<std::vector<int>> run_mixes() {
  std::vector<std::vector<int>> mixes = {
      {1}, {2, 1}, {5119}, {5120}, {5121}, {128, 127, 1, 128, 129, 255, 1, 2}, {1, 9000, 1, 1, 6000}};
  auto add = [&](int runs, auto length) {
    mixes.emplace_back();
    for (int i = 0; i < runs; ++i) mixes.back().push_back(length(i));
  };
  add(6000, [](int) { return 1; });
  add(900, [](int i) { return 1 + int(scramble(std::uint64_t(i)) % 13); });
  add(40, [](int i) { return 1 + int(scramble(std::uint64_t(i)) % 500); });
  return mixes;
}

struct misaligned_by {
  std::size_t keys = 0, values = 0;  ///< misalignment in bytes
};

struct equals {
  template <class Key> GPUPRIM_HOST_DEVICE bool operator()(const Key& a, const Key& b) const { return a == b; }
};

/// `call(keys, values, n, unique, aggregates, runs, options)` over keys and values, compared with a loop.
template <class Acc, class Key, class Value, class Op, class Equal, class Call>
void check_reduce_by_key(const std::vector<Key>& keys, const std::vector<Value>& values, Op op, Equal equal,
                         std::int64_t workspace_bytes, misaligned_by misaligned, Call call) {
  const auto n = std::int64_t(keys.size());
  std::vector<Key> unique;
  std::vector<Acc> aggregates;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto value = static_cast<Acc>(values[i]);
    if (i > 0 && equal(keys[i - 1], keys[i])) {
      aggregates.back() = op(aggregates.back(), value);
    } else {
      unique.push_back(keys[i]);
      aggregates.push_back(value);
    }
  }
  CAPTURE(n, unique.size(), misaligned.keys, misaligned.values);
  device_array<Key> in_keys(keys, misaligned.keys), unique_out(unique.size(), misaligned.keys);
  device_array<Value> in_values(values, misaligned.values);
  device_array<Acc> aggregates_out(unique.size(), alignof(Acc));
  device_array<std::int64_t> runs_out(1);
  gpuprim::workspace workspace(workspace_bytes);
  CUDA_OK(call(static_cast<const Key*>(in_keys.data()), static_cast<const Value*>(in_values.data()), n,
               unique_out.data(), aggregates_out.data(), runs_out.data(), gpuprim::options{nullptr, &workspace}));
  CHECK(runs_out.download()[0] == std::int64_t(unique.size()));
  CHECK(bool(unique_out.download() == unique));
  CHECK(bool(aggregates_out.download() == aggregates));
  unique_out.check_guards();
  aggregates_out.check_guards();
  runs_out.check_guards();
  in_keys.check_unchanged();
  in_values.check_unchanged();
  // The workspace is as it was, for a call of any kind.
  std::vector<unsigned char> left(std::size_t(workspace.bytes()));
  CUDA_OK(cudaMemcpy(left.data(), workspace.data(), left.size(), cudaMemcpyDeviceToHost));
  CHECK(left == std::vector<unsigned char>(left.size()));
}

/// With the library's shapes.
template <class Acc, class Key, class Value, class Op>
void check_runs(const std::vector<int>& lengths, Op op, misaligned_by misaligned = {}) {
  const auto keys = make_runs<Key>(lengths);
  const auto values = make_values<Value>(std::int64_t(keys.size()));
  const auto bytes = gpuprim::reduce_by_key_workspace_bytes<Key, Value, Acc>(std::int64_t(keys.size()));
  check_reduce_by_key<Acc>(keys, values, op, equals{}, bytes, misaligned,
                           [&](auto k, auto v, auto n, auto u, auto a, auto r, const gpuprim::options& how) {
                             return gpuprim::reduce_by_key<Acc>(k, v, n, u, a, r, op, how);
                           });
}
/// With shapes of the test's own, whose tiles are so small that a few thousand keys make many.
template <gpuprim::run_policies Policies, class Acc, class Key, class Value, class Op>
void check_runs_in(const std::vector<int>& lengths, Op op) {
  const auto keys = make_runs<Key>(lengths);
  const auto values = make_values<Value>(std::int64_t(keys.size()));
  using launches = gpuprim::detail::values_launches<Acc, Value, Key, Policies>;
  check_reduce_by_key<Acc>(
      keys, values, op, equals{}, launches::workspace_bytes(std::int64_t(keys.size())), {},
      [&](auto k, auto v, auto n, auto u, auto a, auto r, const gpuprim::options& how) {
        return gpuprim::detail::reduce_runs<Acc, Policies>(k, v, n, u, a, r, op, equals{}, how).code;
      });
}
/// A block takes tile after tile; or one each.
constexpr gpuprim::run_policies many_tiles_of(int block_size, int lane_bytes) {
  return {.large = {.block_size = block_size, .blocks_per_multiprocessor = 1, .lane_bytes = lane_bytes}};
}
constexpr gpuprim::run_policies one_tile_of(int block_size, int lane_bytes) {
  const gpuprim::run_policy shape = many_tiles_of(block_size, lane_bytes).large;
  return {.least = shape, .modest = shape, .medium = shape, .large = shape};
}

/// Lengths of runs: values that are all one, summed.
template <class Key>
void check_lengths(const std::vector<int>& lengths, std::size_t misalignment = 0) {
  const auto keys = make_runs<Key>(lengths);
  check_reduce_by_key<int>(keys, std::vector<int>(keys.size(), 1), gpuprim::plus{}, equals{},
                           gpuprim::run_length_encode_workspace_bytes<Key>(std::int64_t(keys.size())),
                           {misalignment, 0},
                           [&](auto k, auto, auto n, auto u, auto a, auto r, const gpuprim::options& how) {
                             return gpuprim::run_length_encode(k, n, u, a, r, how);
                           });
}
template <gpuprim::run_policies Policies, class Key>
void check_lengths_in(const std::vector<int>& lengths) {
  const auto keys = make_runs<Key>(lengths);
  using launches = gpuprim::detail::lengths_launches<Key, Policies>;
  check_reduce_by_key<int>(keys, std::vector<int>(keys.size(), 1), gpuprim::plus{}, equals{},
                           launches::workspace_bytes(std::int64_t(keys.size())), {},
                           [&](auto k, auto, auto n, auto u, auto a, auto r, const gpuprim::options& how) {
                             return gpuprim::detail::encode_runs<Policies>(k, n, u, a, r, equals{}, how).code;
                           });
}

/// An address that a call would take but that nothing lies at, to ask for plans.
template <class T>
T* somewhere(std::uintptr_t which) {
  return reinterpret_cast<T*>(which << 40);
}

/// The greatest counts up to `most` with which each launch is taken, as far as counts a tenth apart tell; `plan_of(n)`
/// asks for the launch.
template <class PlanOf>
std::vector<std::int64_t> launch_limits(std::int64_t most, const PlanOf& plan_of) {
  const auto is_same = [&](std::int64_t a, std::int64_t b) {
    const gpuprim::launch_plan x = plan_of(a), y = plan_of(b);
    const auto thread_bytes = [](const gpuprim::launch_plan& plan) {
      const int resident = plan.multiprocessors * plan.blocks_per_multiprocessor;
      return plan.bytes_in_flight / std::min(plan.grid_size, resident) / plan.block_size;
    };
    return x.block_size == y.block_size && x.shared_bytes == y.shared_bytes && thread_bytes(x) == thread_bytes(y) &&
           (x.grid_size == 1) == (y.grid_size == 1);
  };
  std::vector<std::int64_t> limits;
  for (std::int64_t n = 64; n < most; n += n / 10) {
    std::int64_t low = n, high = n + n / 10;
    if (is_same(low, high)) continue;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (is_same(low, middle) ? low : high) = middle;
    }
    limits.push_back(low);
  }
  return limits;
}

}  // namespace test
