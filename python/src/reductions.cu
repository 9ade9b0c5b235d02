// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows; a whole array is one row.
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/core/moments.hpp>
#include <gpuprim/dot.cuh>
#include <gpuprim/segmented_reduce.cuh>

#include "core.hpp"
#include "operators.hpp"

namespace gpuprim_python {

using gpuprim::fixed_length;

namespace {

/// One of the values of a statistic, in double.
template <class T>
struct summands : input_of<summands<T>, double> {
  const T* in;
  statistic which;
  GPUPRIM_HOST_DEVICE double operator[](std::int64_t i) const {
    const double x = double(as_float(in[i]));
    return which == statistic::mean ? x : which == statistic::norm_2 ? x * x : x < 0 ? -x : x;
  }
};

struct join_statistic {
  statistic which;
  GPUPRIM_HOST_DEVICE double operator()(double a, double b) const {
    return which == statistic::norm_infinity ? greatest{}(a, b) : a + b;
  }
};

struct end_statistic {
  statistic which;
  double columns;
  GPUPRIM_HOST_DEVICE double operator()(double x) const {
    return which == statistic::mean ? x / columns : which == statistic::norm_2 ? sqrt(x) : x;
  }
};

template <class T>
struct single_moments : input_of<single_moments<T>, gpuprim::moments> {
  const T* in;
  GPUPRIM_HOST_DEVICE gpuprim::moments operator[](std::int64_t i) const { return {1, double(as_float(in[i])), {}}; }
};

struct end_variance {
  double less;
  GPUPRIM_HOST_DEVICE double operator()(const gpuprim::moments& m) const { return m.sums[0] / (m.count - less); }
};

/// The elements with their places in their rows.
template <class T>
struct placed : input_of<placed<T>, gpuprim::extremum<T>> {
  const T* in;
  std::int64_t columns;
  GPUPRIM_HOST_DEVICE gpuprim::extremum<T> operator[](std::int64_t i) const { return {in[i], i % columns}; }
};

/// A NaN comes first, then the least or the greatest element; of equals the one at the lower position.
struct join_extremum {
  bool is_greatest;
  template <class T>
  GPUPRIM_HOST_DEVICE gpuprim::extremum<T> operator()(const gpuprim::extremum<T>& a,
                                                      const gpuprim::extremum<T>& b) const {
    const auto x = as_float(a.value), y = as_float(b.value);
    const bool is_a_nan = x != x, is_b_nan = y != y;
    const bool is_b_better = is_a_nan ? false : is_b_nan || (is_greatest ? y > x : y < x);
    const bool is_a_better = is_b_nan ? false : is_a_nan || (is_greatest ? x > y : x < y);
    if (is_b_better) return b;
    if (is_a_better) return a;
    return b.position < a.position ? b : a;
  }
};

struct position_of {
  template <class T>
  GPUPRIM_HOST_DEVICE std::int64_t operator()(const gpuprim::extremum<T>& x) const {
    return x.position;
  }
};

}  // namespace

void reduce_rows(int op, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("reduce", at);
  visit(numbers{}, type, "reduce", [&]<class T>(T*) {
    const input<T> from(in, rows * columns);
    with_reduction<T>(reduction(op), type, [&](auto join, auto init) {
      using result = std::conditional_t<is_float<T>, T, decltype(init)>;
      const output<result> to(out, rows);
      check("reduce",
            gpuprim::segmented_reduce(from.get(), fixed_length{columns}, rows, to.get(), join, init, on.how()));
      to.keep();
    });
  });
}

void find_extremum(bool is_greatest, int type, address in, address out, std::int64_t rows, std::int64_t columns,
                   place at) {
  const scope on("argmin", at);
  visit(numbers{}, type, "argmin", [&]<class T>(T*) {
    const input<T> from(in, rows * columns);
    const output<std::int64_t> to(out, rows);
    const T last = is_greatest ? lowest_of<T>() : highest_of<T>();
    const gpuprim::extremum<T> none{last, INT64_MAX};
    check("argmin", gpuprim::segmented_reduce(placed<T>{{}, from.get(), columns}, fixed_length{columns}, rows,
                                              gpuprim::transform_to(to.get(), position_of{}),
                                              join_extremum{is_greatest}, none, on.how()));
    to.keep();
  });
}

void find_statistic(int which, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("mean", at);
  visit(numbers{}, type, "mean", [&]<class T>(T*) {
    using result = std::conditional_t<is_float<T>, T, double>;
    const input<T> from(in, rows * columns);
    const output<result> to(out, rows);
    const end_statistic end{statistic(which), double(columns)};
    check("mean", gpuprim::segmented_reduce(summands<T>{{}, from.get(), statistic(which)}, fixed_length{columns}, rows,
                                            gpuprim::transform_to(to.get(), end), join_statistic{statistic(which)}, 0.0,
                                            on.how()));
    to.keep();
  });
}

void find_variance(double less, int type, address in, address out, std::int64_t rows, std::int64_t columns, place at) {
  const scope on("var", at);
  visit(numbers{}, type, "var", [&]<class T>(T*) {
    using result = std::conditional_t<is_float<T>, T, double>;
    const input<T> from(in, rows * columns);
    const output<result> to(out, rows);
    check("var", gpuprim::segmented_reduce(single_moments<T>{{}, from.get()}, fixed_length{columns}, rows,
                                           gpuprim::transform_to(to.get(), end_variance{less}),
                                           gpuprim::merge_moments{}, gpuprim::moments{}, on.how()));
    to.keep();
  });
}

void dot(int type, address first, address second, std::int64_t n, address out, place at) {
  const scope on("dot", at);
  visit(numbers{}, type, "dot", [&]<class T>(T*) {
    const input<T> a(first, n), b(second, n);
    const output<wide<T>> to(out, 1);
    check("dot", gpuprim::dot(a.get(), b.get(), n, to.get(), on.how()));
    to.keep();
  });
}

}  // namespace gpuprim_python
