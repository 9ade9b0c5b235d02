// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a select keeps, and what it writes of that.
#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/block/tile_places.cuh>

namespace gpuprim::inline v0_1_0::detail {

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
  template <class Flag>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const Flag& flag) const { return static_cast<bool>(flag); }
};
/// Whether a projection accepts an element: its result is as an optional value.
template <class Projection>
struct is_accepted {
  Projection projection;
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& x) const { return projection(x).has_value(); }
};

// What is written of an element at position `at` of the input, at `place` of an output.

/// Where parts go that are not written.
struct not_written {};

template <class Out>
struct write_element {
  Out out;
  template <class T>
  __device__ void operator()(std::int64_t place, const T& element, std::int64_t) const { out[place] = element; }
};
/// The value that an array has at the element's position.
template <class Values, class Out>
struct write_value {
  Values values;
  Out out;
  template <class T>
  __device__ void operator()(std::int64_t place, const T&, std::int64_t at) const { out[place] = values[at]; }
};
template <class Out>
struct write_position {
  Out out;
  template <class T>
  __device__ void operator()(std::int64_t place, const T&, std::int64_t at) const { out[place] = at; }
};
template <class Projection, class Out>
struct write_projected {
  Projection projection;
  Out out;
  template <class T>
  __device__ void operator()(std::int64_t place, const T& element, std::int64_t) const {
    out[place] = *projection(element);
  }
};
template <class First, class Second>
struct write_both {
  First first;
  Second second;
  template <class T>
  __device__ void operator()(std::int64_t place, const T& element, std::int64_t at) const {
    first(place, element, at);
    second(place, element, at);
  }
};

}  // namespace gpuprim::detail
