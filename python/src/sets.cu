// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on arrays that are sorted.
#include <gpuprim/merge.cuh>
#include <gpuprim/transform.cuh>

#include "core.hpp"

namespace gpuprim_python {

void merge(int type, address a, std::int64_t a_count, address b, std::int64_t b_count, address out, place at) {
  const scope on("merge", at);
  visit(numbers{}, type, "merge", [&]<class T>(T*) {
    const input<T> first(a, a_count), second(b, b_count);
    const output<T> to(out, a_count + b_count);
    check("merge", gpuprim::merge(first.get(), a_count, second.get(), b_count, to.get(), on.how()));
    to.keep();
  });
}

std::int64_t join_sets(int op, int type, address a, std::int64_t a_count, address b, std::int64_t b_count, address out,
                       place at) {
  const scope on("intersect1d", at);
  std::int64_t count = 0;
  visit(numbers{}, type, "intersect1d", [&]<class T>(T*) {
    const input<T> first(a, a_count), second(b, b_count);
    const output<T> to(out, a_count);
    count = set_operation(op) == set_operation::intersection
                ? gpuprim::set_intersection_count(first.get(), a_count, second.get(), b_count, to.get(), on.how())
                : gpuprim::set_difference_count(first.get(), a_count, second.get(), b_count, to.get(), on.how());
    to.keep(count);
  });
  return count;
}

void search(bool is_upper, int type, address sorted, std::int64_t n, address values, std::int64_t count, address out,
            place at) {
  const scope on("searchsorted", at);
  visit(numbers{}, type, "searchsorted", [&]<class T>(T*) {
    const input<T> elements(sorted, n), wanted(values, count);
    const output<std::int64_t> to(out, count);
    check("searchsorted", is_upper ? gpuprim::upper_bound(elements.get(), n, wanted.get(), count, to.get(), on.how())
                                   : gpuprim::lower_bound(elements.get(), n, wanted.get(), count, to.get(), on.how()));
    to.keep();
  });
}

}  // namespace gpuprim_python
