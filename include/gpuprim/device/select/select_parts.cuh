// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a select keeps, and what it writes of that.
#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/block/tile_places.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/tuple.hpp>

namespace gpuprim::inline v0_2_0::detail {

/// How many of some elements are in each part that is counted, 32 bits a part.
template <int Parts>
using part_counts = std::conditional_t<Parts == 1, std::uint32_t, std::uint64_t>;

template <int Parts>
__device__ __forceinline__ part_counts<Parts> pack_count(int part, int count) {
  return part_counts<Parts>(unsigned(count)) << 32 * part;
}
template <class Packed>
__device__ __forceinline__ unsigned unpack_count(Packed counts, int part) {
  return unsigned(counts >> 32 * part);
}

/// Selects elements for which a predicate holds.
template <class In, class Predicate>
struct chosen_by {
  static constexpr int parts = 1;
  static constexpr bool looks_before = false;  ///< whether the element before a tile is looked at

  In in;
  Predicate chooses;

  template <int Items, class T>
  __device__ __forceinline__ void find(const T* tile, int rank, item_bits<Items> (&chosen)[parts]) const {
    const auto own = detail::read_items<Items>(tile, rank);
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (chooses(own[k])) chosen[0] |= item_bits<Items>{1} << k;
    }
  }
};

/// Selects for the first part by one predicate, and of the others for the second part by another one.
template <class In, class First, class Second>
struct chosen_by_two {
  static constexpr int parts = 2;
  static constexpr bool looks_before = false;

  In in;
  First first;
  Second second;

  template <int Items, class T>
  __device__ __forceinline__ void find(const T* tile, int rank, item_bits<Items> (&chosen)[parts]) const {
    const auto own = detail::read_items<Items>(tile, rank);
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (first(own[k])) chosen[0] |= item_bits<Items>{1} << k;
      else if (second(own[k])) chosen[1] |= item_bits<Items>{1} << k;
    }
  }
};

/// Selects elements that differ from the one before them. The worker adds the first element of all.
template <class In, class Equal>
struct chosen_heads {
  static constexpr int parts = 1;
  static constexpr bool looks_before = true;

  In in;
  Equal equal;

  template <int Items, class T>
  __device__ __forceinline__ void find(const T* tile, int rank, item_bits<Items> (&chosen)[parts]) const {
    const auto own = detail::read_items<Items>(tile, rank);
    if (!equal(tile[rank * Items - 1], own[0])) chosen[0] |= 1;
#pragma unroll
    for (int k = 1; k < Items; ++k) {
      if (!equal(own[k - 1], own[k])) chosen[0] |= item_bits<Items>{1} << k;
    }
  }
};

/// Whether a flag, of any type that converts to bool, is set.
struct is_set {
  template <class Flag> __device__ bool operator()(const Flag& flag) const { return detail::convert<bool>(flag); }
};
/// Whether a projection accepts an element: its result is as an optional value.
template <class Projection>
struct is_accepted {
  Projection projection;
  template <class T> __device__ bool operator()(const T& x) const { return projection(x).has_value(); }
};

/// What is written of an element at position `at` of the input: `fetch` reads it, and `put` writes it to a place of an
/// output, its `target`; `with` makes it one that writes to another. This says that nothing is read besides the
/// element.
struct write_defaults {
  static constexpr int value_bytes = 0;  ///< of what is read besides
  /// Asks for what is read for a tile's elements. One thread calls it.
  __device__ void prefetch(std::int64_t, std::int64_t, int) const {}
};

template <class Out>
struct write_element : write_defaults {
  Out out;
  Out target() const { return out; }
  explicit write_element(const Out& o) : out(o) {}
  template <class To> auto with(const To& to) const { return write_element<To>(to); }
  template <class T> __device__ T fetch(const T& element, std::int64_t) const { return element; }
  template <class T>
  __device__ void put(std::int64_t place, const T& element) const {
    detail::assign(out[place], element);
  }
};
/// The value that an array has at the element's position.
template <class Values, class Out>
struct write_value {
  static constexpr int value_bytes = int(sizeof(input_value<Values>));
  Values values;
  Out out;
  Out target() const { return out; }
  template <class To> auto with(const To& to) const { return write_value<Values, To>{values, to}; }
  __device__ void prefetch(std::int64_t first, std::int64_t n, int count) const {
    detail::prefetch_tile(values, first, n, count);
  }
  template <class T> __device__ input_value<Values> fetch(const T&, std::int64_t at) const { return values[at]; }
  __device__ void put(std::int64_t place, const input_value<Values>& value) const { detail::assign(out[place], value); }
};
template <class Out>
struct write_position : write_defaults {
  Out out;
  Out target() const { return out; }
  explicit write_position(const Out& o) : out(o) {}
  template <class To> auto with(const To& to) const { return write_position<To>(to); }
  template <class T> __device__ std::int64_t fetch(const T&, std::int64_t at) const { return at; }
  __device__ void put(std::int64_t place, std::int64_t at) const { detail::assign(out[place], at); }
};
template <class Projection, class Out>
struct write_projected : write_defaults {
  Projection projection;
  Out out;
  Out target() const { return out; }
  write_projected(const Projection& p, const Out& o) : projection(p), out(o) {}
  template <class To> auto with(const To& to) const { return write_projected<Projection, To>(projection, to); }
  template <class T> __device__ auto fetch(const T& element, std::int64_t) const { return projection(element); }
  template <class Result>
  __device__ void put(std::int64_t place, const Result& result) const {
    detail::assign(out[place], *result);
  }
};
template <class First, class Second>
struct write_both {
  static constexpr int value_bytes = larger(First::value_bytes, Second::value_bytes);
  First first;
  Second second;
  auto target() const { return first.target(); }
  template <class To>
  auto with(const To& to) const {
    return write_both<decltype(first.with(to)), Second>{first.with(to), second};
  }
  __device__ void prefetch(std::int64_t begin, std::int64_t n, int count) const {
    first.prefetch(begin, n, count);
    second.prefetch(begin, n, count);
  }
  template <class T>
  __device__ auto fetch(const T& element, std::int64_t at) const {
    return tuple{first.fetch(element, at), second.fetch(element, at)};
  }
  template <class A, class B>
  __device__ void put(std::int64_t place, const tuple<A, B>& both) const {
    first.put(place, gpuprim::get<0>(both));
    second.put(place, gpuprim::get<1>(both));
  }
};

}  // namespace gpuprim::detail
