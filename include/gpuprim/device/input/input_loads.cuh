// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a load of an input brings, and where loads begin.
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/thread/load.cuh>

#include <cstdint>

namespace gpuprim::detail {

/// What makes an input an iterator to `std::iterator_traits`.
template <class T>
struct input_iterator_types {
  using value_type = T;
  using reference = T;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
};

/// True for an input that says itself how it is loaded and what accumulators its elements become; see
/// device/input/projected_input.cuh. Pointers are read 16 bytes a load, other iterators element by element, and
/// elements are converted.
template <class In>
inline constexpr bool reads_itself = requires { In::load_items; };

/// True for an input that joins units to a lane's running value itself.
template <class In>
inline constexpr bool joins_units = requires { requires In::joins_units; };

/// Wide loads of a lane in a row.
template <class In>
inline constexpr int loads_in_row = 1;

template <class In>
constexpr int count_load_items() {
  if constexpr (reads_itself<In>) return In::load_items;
  else if constexpr (std::is_pointer_v<In>) return elements_per_load<std::remove_cv_t<std::remove_pointer_t<In>>>;
  else return 1;
}

/// Elements at each end of an input that must not be in its body, because a load reads beyond its own elements.
template <class In>
constexpr int count_margin_items() {
  if constexpr (requires { In::margin_items; }) return In::margin_items;
  else return 0;
}

/// True if a load brings at most 16 bytes, and elements that divide them.
template <class In>
constexpr bool fits_wide_load() {
  if constexpr (reads_itself<In>) return In::loads_fit;
  else return load_bytes % sizeof(typename std::iterator_traits<In>::value_type) == 0;
}

/// Rows of a lane that are about `loads` wide loads.
template <class In>
constexpr int count_rows(int loads) {
  if constexpr (loads_in_row<In> == 1) return loads;
  else return loads < 4 ? 1 : loads / 4;
}

/// Elements between the 16-byte boundary before the input and the input.
template <class In>
std::int64_t count_items_past_boundary(const In& in) {
  if constexpr (reads_itself<In>) return in.items_past_boundary();
  else return std::int64_t(reinterpret_cast<std::uintptr_t>(in) % load_bytes / sizeof(*in));
}

/// Elements from the input to the first 16-byte boundary.
template <class In>
std::int64_t count_items_to_boundary(const In& in) {
  const std::int64_t past = detail::count_items_past_boundary(in);
  return past == 0 ? 0 : count_load_items<In>() - past;
}

/// Loads of Parts times 16 bytes from the address, where one begins, to the first that begins at a cache line. 0 if
/// no load does.
template <int Parts = 1>
int count_loads_to_line(const void* address) {
  constexpr int line_parts = 128 / load_bytes;
  const int to_line = int(-reinterpret_cast<std::uintptr_t>(address) / load_bytes % line_parts);
  for (int loads = 0; loads < line_parts; ++loads) {
    if (loads * Parts % line_parts == to_line) return loads;
  }
  return 0;
}

/// Loads from an element to the first that begins at a cache line. 0 if the input does not say where its loads are.
template <class In>
int count_loads_to_line(const In& in, std::int64_t at) {
  if constexpr (std::is_pointer_v<In>) return fits_wide_load<In>() ? detail::count_loads_to_line(in + at) : 0;
  else if constexpr (requires { in.loads_to_line(at); }) return in.loads_to_line(at);
  else return 0;
}

}  // namespace gpuprim::detail
