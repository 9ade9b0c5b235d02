// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Merge sorts against std::stable_sort.
#include "sort_check.cuh"

#include <gpuprim/device/merge_sort.cuh>

namespace test {

namespace detail = gpuprim::detail;

/// Tiles of so many threads and items.
constexpr gpuprim::merge_policy sort_tiles(int block_size, int items) {
  return {.block_size = block_size, .lane_bytes = 1 << 10, .most_items = items, .shared_bytes = 22 << 10};
}

enum class place { apart, in_place };

/// A value that belongs to number i.
template <class Value>
Value make_beside(int i) {
  if constexpr (std::is_same_v<Value, matrix2>) return {{std::uint64_t(i), 1, 2, std::uint64_t(-i)}};
  else return static_cast<Value>(i);
}

/// merge_sort and merge_sort_pairs of keys with tiles of `Policy`, and a workspace that is just large enough.
template <class Key, gpuprim::merge_policy Policy = gpuprim::tuned_merge_sort_policy, class Value = int,
          class Less = by_part>
void check_merge_sort(std::vector<Key> keys, place where = place::apart, Less less = {}, std::size_t misalignment = 0) {
  const int count = int(keys.size());
  CAPTURE(count, int(where), misalignment);
  std::vector<Value> values;
  for (int i = 0; i < count; ++i) values.push_back(make_beside<Value>(i));
  const std::size_t n = keys.size(), written = where == place::apart ? n : 0;
  device_array<Key> in(keys, misalignment), keys_in(keys), out(written, 2 * misalignment), keys_out(written);
  device_array<Value> values_in(values), values_out(written);
  Key* const alone = where == place::apart ? out.data() : in.data();
  Key* const to_keys = where == place::apart ? keys_out.data() : keys_in.data();
  Value* const to_values = where == place::apart ? values_out.data() : values_in.data();
  using item = detail::key_value<Key, Value>;
  gpuprim::workspace scratch({0, detail::merge_sort_scratch_bytes<Policy, Key, Key>(count)});
  gpuprim::workspace of_pairs({0, detail::merge_sort_scratch_bytes<Policy, item, Key, Value>(count)});
  const gpuprim::options how{.workspace = &scratch}, how_pairs{.workspace = &of_pairs};
  CUDA_OK(detail::merge_sort_keys<Policy>(in.data(), count, alone, less, how).report());
  CUDA_OK(detail::merge_sort_pairs<Policy>(keys_in.data(), values_in.data(), count, to_keys, to_values, less, how_pairs)
              .report());
  sort_part(keys, values, 0, n, less);
  if (where == place::apart) {
    CHECK(bool(out.download() == keys));
    CHECK(bool(keys_out.download() == keys));
    CHECK(bool(values_out.download() == values));
    in.check_unchanged();
    keys_in.check_unchanged();
    values_in.check_unchanged();
  } else {
    CHECK(bool(in.download() == keys));
    CHECK(bool(keys_in.download() == keys));
    CHECK(bool(values_in.download() == values));
  }
  for (const device_array<Key>* array : {&in, &keys_in, &out, &keys_out}) array->check_guards();
  for (const device_array<Value>* array : {&values_in, &values_out}) array->check_guards();
}

}  // namespace test
