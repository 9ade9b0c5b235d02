// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys. All rise: for a sort that falls, Python flips the keys before and after.
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"

namespace gpuprim_python {
namespace {

template <class Word>
struct flip {
  Word bits;
  GPUPRIM_HOST_DEVICE Word operator()(Word x) const { return Word(x ^ bits); }
};

}  // namespace

/// Keys whose order is the reverse: floats change their sign, integers all bits.
void flip_keys(int type, address in, address out, std::int64_t n, place at) {
  const scope on("sort", at);
  const bool is_integer = dtype(type) < dtype::f16;
  const int size = dtype(type) >= dtype::f16       ? (dtype(type) == dtype::f64   ? 8
                                                      : dtype(type) == dtype::f32 ? 4
                                                                                  : 2)
                   : dtype(type) == dtype::boolean ? 1
                                                   : 1 << ((type - 1) % 4);
  visit_words(size, "sort", [&]<class Word>(Word*) {
    const Word bits = is_integer ? Word(~Word(0)) : Word(Word(1) << (8 * sizeof(Word) - 1));
    const input<Word> from(in, n);
    const output<Word> to(out, n);
    check("sort", gpuprim::transform(from.get(), n, to.get(), flip<Word>{bits}, on.how()));
    to.keep();
  });
}

void sort_rows(int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("sort", at);
  visit(numbers{}, type, "sort", [&]<class T>(T*) {
    const input<T> from(in, rows * columns);
    const output<T> to(out, rows * columns);
    const gpuprim::fixed_length row{columns};
    check("sort", rows == 1 ? gpuprim::sort(from.get(), columns, to.get(), on.how())
                            : gpuprim::segmented_sort(from.get(), row, rows, to.get(), on.how()));
    to.keep();
  });
}

void sort_segments(int type, address in, address out, std::int64_t n, address offsets, std::int64_t segments,
                   place at) {
  const scope on("segment_sort", at);
  check_offsets("segment_sort", offsets, segments, n, offsets_of::whole_array);
  visit(numbers{}, type, "segment_sort", [&]<class T>(T*) {
    const input<T> from(in, n);
    const input<std::int64_t> begins(offsets, segments + 1);
    const output<T> to(out, n);
    check("segment_sort",
          gpuprim::segmented_sort(from.get(), gpuprim::segment_offsets{begins.get(), n}, segments, to.get(), on.how()));
    to.keep();
  });
}

}  // namespace gpuprim_python
