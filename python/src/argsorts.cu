// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions that sort rows; a whole array is one row. Keys are sorted as words, in which they have the order of
// unsigned integers. Short keys share a word with their positions, so that no values are moved beside them.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/core/radix_key.hpp>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"

namespace gpuprim_python {
namespace {

/// What both kinds of words are made of.
template <class T>
struct key_words {
  using radix = gpuprim::detail::radix_key<T>;
  using word = typename radix::word;

  const T* in;
  word flipped;  ///< all bits in descending order

  GPUPRIM_HOST_DEVICE word raw(std::int64_t i) const { return radix::to_word(in[i]); }
  GPUPRIM_HOST_DEVICE word order(word w) const { return word(radix::order(w) ^ flipped); }
};

/// The key in the upper half; below it the position in its row, and in the lowest bit whether the key is -0, which is
/// ordered as +0.
template <class T>
struct packed_words : input_of<packed_words<T>, std::uint64_t> {
  key_words<T> keys;
  std::int64_t columns;

  GPUPRIM_HOST_DEVICE std::uint64_t operator[](std::int64_t i) const {
    const auto raw = keys.raw(i);
    const bool is_minus_zero = key_words<T>::radix::order(raw) != raw;
    const std::uint64_t position = std::uint64_t(columns == 0 ? i : i % columns);
    return std::uint64_t(keys.order(raw)) << 32 | position << 1 | std::uint64_t(is_minus_zero);
  }
  GPUPRIM_HOST_DEVICE std::uint64_t operator()(std::int64_t i) const { return (*this)[i]; }
};

/// Compares keys alone; a stable sort keeps their positions in order.
template <class T>
constexpr auto by_key() {
  return gpuprim::ascending.bits(32, 32 + 8 * int(sizeof(T)));
}

/// Positions of the words as they lie sorted.
struct packed_position {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(std::uint64_t w) const { return std::int64_t(std::uint32_t(w) >> 1); }
};

/// And their keys.
template <class T>
struct packed_pair {
  using radix = gpuprim::detail::radix_key<T>;
  typename radix::word flipped;

  GPUPRIM_HOST_DEVICE gpuprim::tuple<T, std::int64_t> operator()(std::uint64_t w) const {
    const auto order = typename radix::word(typename radix::word(w >> 32) ^ flipped);
    return {radix::to_key((w & 1) != 0 ? typename radix::word(radix::sign - 1) : order), packed_position{}(w)};
  }
};

/// A key alone.
template <class T>
struct long_words {
  key_words<T> keys;
  GPUPRIM_HOST_DEVICE std::uint64_t operator()(std::int64_t i) const { return keys.order(keys.raw(i)); }
};

/// The key at the position in its row that is wanted.
template <class T>
struct taken_key {
  const T* in;
  const std::int64_t* positions;
  std::int64_t columns;
  GPUPRIM_HOST_DEVICE T operator()(std::int64_t i) const { return in[i / columns * columns + positions[i]]; }
};

/// Rows, and where their words are sorted.
struct sorted_rows {
  std::int64_t rows, columns;
  std::uint64_t* words;
  const scope& on;

  std::int64_t n() const { return rows * columns; }
  gpuprim::fixed_length length() const { return {columns}; }
};

template <class T>
void sort_packed(const key_words<T>& keys, const sorted_rows& at, T* keys_out, std::int64_t* positions) {
  const auto how = at.on.how();
  if (at.rows == 1) {
    check("argsort", gpuprim::sort(packed_words<T>{{}, keys, 0}, at.n(), at.words, by_key<T>(), how));
  } else {
    check("argsort", gpuprim::generate(at.words, at.n(), packed_words<T>{{}, keys, at.columns}, how));
    check("argsort", gpuprim::segmented_sort(at.words, at.length(), at.rows, at.words, by_key<T>(), how));
  }
  const cudaError_t error = keys_out ? gpuprim::transform(at.words, at.n(), gpuprim::outputs(keys_out, positions),
                                                          packed_pair<T>{keys.flipped}, how)
                                     : gpuprim::transform(at.words, at.n(), positions, packed_position{}, how);
  check("argsort", error);
}

template <class T>
void sort_beside_positions(const key_words<T>& keys, const sorted_rows& at, T* keys_out, std::int64_t* positions) {
  const auto how = at.on.how();
  check("argsort", gpuprim::generate(at.words, at.n(), long_words<T>{keys}, how));
  const gpuprim::positions<std::int64_t> in_array;
  const gpuprim::positions_in_segment<std::int64_t> in_row;
  const cudaError_t error =
      at.rows == 1 ? gpuprim::sort_pairs(at.words, in_array, at.n(), at.words, positions, how)
                   : gpuprim::segmented_sort_pairs(at.words, in_row, at.length(), at.rows, at.words, positions, how);
  check("argsort", error);
  if (keys_out) {
    check("argsort", gpuprim::generate(keys_out, at.n(), taken_key<T>{keys.in, positions, at.columns}, how));
  }
}

}  // namespace

void argsort_rows(bool is_descending, int type, address in, address words, address sorted, address positions,
                  std::int64_t rows, std::int64_t columns, place at) {
  const scope on("argsort", at);
  const std::int64_t n = rows * columns;
  visit(numbers{}, type, "argsort", [&]<class T>(T*) {
    using word = typename key_words<T>::word;
    const input<T> from(in, n);
    const output<std::uint64_t> between(words, n);
    const output<T> to(sorted, sorted ? n : 0);
    const output<std::int64_t> places(positions, n);
    const key_words<T> keys{from.get(), is_descending ? word(~word(0)) : word(0)};
    const sorted_rows where{rows, columns, between.get(), on};
    T* const keys_out = sorted ? to.get() : nullptr;
    if constexpr (sizeof(T) <= 4) {
      if (columns <= std::int64_t{1} << 31) sort_packed(keys, where, keys_out, places.get());
      else sort_beside_positions(keys, where, keys_out, places.get());
    } else {
      sort_beside_positions(keys, where, keys_out, places.get());
    }
    to.keep();
    places.keep();
  });
}

}  // namespace gpuprim_python
