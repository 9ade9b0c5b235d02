// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that move or convert elements.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"

namespace gpuprim_python {
namespace {

template <class T>
struct is_not_zero {
  GPUPRIM_HOST_DEVICE std::uint8_t operator()(T x) const {
    if constexpr (is_float<T> && sizeof(T) == 2) return float(x) != 0;
    else return x != T(0);
  }
};

template <class To>
struct convert_to {
  template <class T>
  GPUPRIM_HOST_DEVICE To operator()(T x) const {
    return static_cast<To>(x);
  }
};

struct is_unset {
  GPUPRIM_HOST_DEVICE std::uint8_t operator()(std::uint8_t x) const { return x == 0; }
};

/// Places in their rows as places in the array.
struct places_in_array : input_of<places_in_array, std::int64_t> {
  const std::int64_t* index;
  std::int64_t columns;
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const { return i - i % columns + index[i]; }
};

struct coordinate {
  std::int64_t stride, length;
  GPUPRIM_HOST_DEVICE std::int64_t operator()(std::int64_t i) const { return i / stride % length; }
};

}  // namespace

void transpose(std::int64_t bytes, address in, std::int64_t rows, std::int64_t columns, address out, place at) {
  const scope on("transpose", at);
  visit_words(bytes, "transpose", [&]<class Word>(Word*) {
    const input<Word> from(in, rows * columns);
    const output<Word> to(out, rows * columns);
    check("transpose", gpuprim::transpose(from.get(), rows, columns, to.get(), on.how()));
    to.keep();
  });
}

void convert(int from_type, int to_type, address in, std::int64_t n, address out, place at) {
  const scope on("convert", at);
  if (dtype(to_type) == dtype::boolean) {
    visit(numbers{}, from_type, "convert", [&]<class T>(T*) {
      const input<T> from(in, n);
      const output<std::uint8_t> to(out, n);
      check("convert", gpuprim::transform(from.get(), n, to.get(), is_not_zero<T>{}, on.how()));
      to.keep();
    });
  } else {  // to the integer of 64 bits that is as wide
    visit(integers{}, from_type, "convert", [&]<class T>(T*) {
      const input<T> from(in, n);
      const output<wide<T>> to(out, n);
      check("convert", gpuprim::transform(from.get(), n, to.get(), convert_to<wide<T>>{}, on.how()));
      to.keep();
    });
  }
}

void invert_mask(address in, std::int64_t n, address out, place at) {
  const scope on("partition", at);
  const input<std::uint8_t> from(in, n);
  const output<std::uint8_t> to(out, n);
  check("partition", gpuprim::transform(from.get(), n, to.get(), is_unset{}, on.how()));
  to.keep();
}

void gather_rows(std::int64_t bytes, address in, address index, std::int64_t rows, std::int64_t columns, address out,
                 place at) {
  const scope on("sort_by_key", at);
  const std::int64_t n = rows * columns;
  visit_words(bytes, "sort_by_key", [&]<class Word>(Word*) {
    const input<Word> from(in, n);
    const input<std::int64_t> places(index, n);
    const output<Word> to(out, n);
    check("sort_by_key",
          gpuprim::gather(from.get(), places_in_array{{}, places.get(), columns}, n, to.get(), on.how()));
    to.keep();
  });
}

void scatter(std::int64_t bytes, address in, address index, std::int64_t n, address out, place at) {
  const scope on("unique", at);
  visit_words(bytes, "unique", [&]<class Word>(Word*) {
    const input<Word> from(in, n);
    const input<std::int64_t> places(index, n);
    const output<Word> to(out, n);
    check("unique", gpuprim::scatter(from.get(), places.get(), n, to.get(), on.how()));
    to.keep();
  });
}

void sequence(std::int64_t n, address out, std::int64_t step, place at) {
  const scope on("sequence", at);
  const output<std::int64_t> to(out, n);
  check("sequence", gpuprim::sequence(to.get(), n, std::int64_t(0), step, on.how()));
  to.keep();
}

void find_coordinate(address positions, std::int64_t n, std::int64_t stride, std::int64_t length, address out,
                     place at) {
  const scope on("nonzero", at);
  const input<std::int64_t> from(positions, n);
  const output<std::int64_t> to(out, n);
  check("nonzero", gpuprim::transform(from.get(), n, to.get(), coordinate{stride, length}, on.how()));
  to.keep();
}

}  // namespace gpuprim_python
