// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions that sort rows; a whole array is one row.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/core/radix_key.hpp>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"

namespace gpuprim_python {
namespace {

struct places_in_row : input_of<places_in_row, std::int64_t> {
  std::int64_t columns;
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return i % columns; }
};

/// Keys of 32 bits that are words together with their positions. From so many on, words alone are sorted faster than
/// keys with positions beside them; on the host SIMT device a test must not take long.
#if defined(SIMT_DEVICE)
constexpr std::int64_t fewest_packed = 4096;
#else
constexpr std::int64_t fewest_packed = std::int64_t{1} << 21;
#endif
constexpr std::int64_t most_packed = std::int64_t{1} << 31;

/// The key in the upper half; below it the position, and in the lowest bit whether the key is -0, which is ordered as
/// +0.
template <class T>
struct packed_words : input_of<packed_words<T>, std::uint64_t> {
  using radix = gpuprim::detail::radix_key<T>;
  const T* in;
  GPUPRIM_HOST_DEVICE std::uint64_t operator[](std::int64_t i) const {
    const std::uint32_t raw = radix::to_word(in[i]), order = radix::order(raw);
    return std::uint64_t(order) << 32 | std::uint64_t(i) << 1 | std::uint64_t(order != raw);
  }
};

template <class T>
struct unpack_word {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<T, std::int64_t> operator()(std::uint64_t w) const {
    const std::uint32_t raw = std::uint32_t(w >> 32) - std::uint32_t(w & 1);  // the word of -0 is that before +0
    return {gpuprim::detail::radix_key<T>::to_key(raw), std::int64_t(std::uint32_t(w) >> 1)};
  }
};

/// The words are sorted where the positions come to lie.
template <class T>
cudaError_t argsort_packed(const T* in, std::int64_t n, T* keys, std::int64_t* positions, const gpuprim::options& how) {
  auto* const words = reinterpret_cast<std::uint64_t*>(positions);
  const auto by_key = gpuprim::ascending.bits(32, 64);
  if (const cudaError_t e = gpuprim::sort(packed_words<T>{{}, in}, n, words, by_key, how)) return e;
  return gpuprim::transform(words, n, gpuprim::outputs(keys, positions), unpack_word<T>{}, how);
}

}  // namespace

void argsort_rows(int type, address in, address sorted, address positions, std::int64_t rows, std::int64_t columns,
                  place at) {
  const scope on("argsort", at);
  const std::int64_t n = rows * columns;
  visit(numbers{}, type, "argsort", [&]<class T>(T*) {
    const input<T> from(in, n);
    const output<T> to(sorted, n);
    const output<std::int64_t> places(positions, n);
    if constexpr (sizeof(T) == 4) {
      if (rows == 1 && n >= fewest_packed && n <= most_packed) {
        check("argsort", argsort_packed(from.get(), n, to.get(), places.get(), on.how()));
        to.keep();
        places.keep();
        return;
      }
    }
    const gpuprim::positions<std::int64_t> in_array;
    const cudaError_t error = rows == 1 ? gpuprim::sort_pairs(from.get(), in_array, n, to.get(), places.get(), on.how())
                                        : gpuprim::segmented_sort_pairs(from.get(), places_in_row{{}, columns},
                                                                        gpuprim::fixed_length{columns}, rows, to.get(),
                                                                        places.get(), on.how());
    check("argsort", error);
    to.keep();
    places.keep();
  });
}

}  // namespace gpuprim_python
