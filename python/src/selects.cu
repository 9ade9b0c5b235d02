// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls whose number of results only the device knows: they wait, and return it.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/select.cuh>

#include "core.hpp"

namespace gpuprim_python {

std::int64_t select(std::int64_t bytes, address in, address mask, std::int64_t n, address out, place at) {
  const scope on("select", at);
  std::int64_t count = 0;
  visit_words(bytes, "select", [&]<class Word>(Word*) {
    const input<Word> from(in, n);
    const input<std::uint8_t> flags(mask, n);
    const output<Word> to(out, n);
    count = gpuprim::select_flagged_count(from.get(), flags.get(), n, to.get(), on.how());
    to.keep(count);
  });
  return count;
}

std::int64_t select_positions(address mask, std::int64_t n, address out, place at) {
  const scope on("nonzero", at);
  const input<std::uint8_t> flags(mask, n);
  const output<std::int64_t> to(out, n);
  const std::int64_t count =
      gpuprim::select_flagged_count(gpuprim::positions<std::int64_t>{}, flags.get(), n, to.get(), on.how());
  to.keep(count);
  return count;
}

std::int64_t run_lengths(int type, address in, std::int64_t n, address values, address lengths, place at) {
  const scope on("run_lengths", at);
  std::int64_t count = 0;
  // Integers are equal if their bits are, whatever their sign.
  using compared =
      types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, __half, __nv_bfloat16, float, double>;
  const bool has_sign = dtype(type) >= dtype::i8 && dtype(type) <= dtype::i64;
  visit(compared{}, has_sign ? type + 4 : type, "run_lengths", [&]<class T>(T*) {
    const input<T> from(in, n);
    const output<T> to(values, n);
    const output<std::int64_t> counts(lengths, n);
    count = gpuprim::run_length_encode_count(from.get(), n, to.get(), counts.get(), on.how());
    to.keep(count);
    counts.keep(count);
  });
  return count;
}

}  // namespace gpuprim_python
