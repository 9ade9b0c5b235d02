// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/histogram.cuh>
#include <gpuprim/transform.cuh>
#include <gpuprim/transform_reduce.cuh>

#include <cmath>

#include "core.hpp"
#include "operators.hpp"

namespace gpuprim_python {
namespace {

struct even_edge {
  double lower, upper;
  int bins;
  GPUPRIM_HOST_DEVICE double operator()(std::int64_t i) const {
    return i == bins ? upper : lower + double(i) * ((upper - lower) / bins);
  }
};

/// The edges as levels: the last bin has its upper edge, so that it ends at the next number.
struct level_of_edge {
  const double* edges;
  int bins;
  GPUPRIM_HOST_DEVICE double operator()(std::int64_t i) const {
    return i == bins ? ::nextafter(edges[i], HUGE_VAL) : edges[i];
  }
};

/// From the least element of some to the greatest.
template <class T>
struct extent {
  T lowest, highest;
};

struct single_extent {
  template <class T>
  GPUPRIM_HOST_DEVICE extent<T> operator()(const T& x) const {
    return {x, x};
  }
};

struct join_extents {
  template <class T>
  GPUPRIM_HOST_DEVICE extent<T> operator()(const extent<T>& a, const extent<T>& b) const {
    return {least_of<T>{}(a.lowest, b.lowest), greatest_of<T>{}(a.highest, b.highest)};
  }
};

}  // namespace

std::pair<double, double> find_range(int type, address in, std::int64_t n, place at) {
  const scope on("histogram", at);
  std::pair<double, double> found;
  visit(numbers{}, type, "histogram", [&]<class T>(T*) {
    const input<T> from(in, n);
    const extent<T> none{highest_of<T>(), lowest_of<T>()};
    const auto all = gpuprim::transform_reduce_value(from.get(), n, join_extents{}, single_extent{}, none, on.how());
    found = {double(as_float(all.lowest)), double(as_float(all.highest))};
  });
  return found;
}

void even_edges(double lower, double upper, int bins, address edges, place at) {
  const scope on("histogram", at);
  const output<double> to(edges, std::int64_t(bins) + 1);
  check("histogram", gpuprim::generate(to.get(), std::int64_t(bins) + 1, even_edge{lower, upper, bins}, on.how()));
  to.keep();
}

void close_last_bin(address edges, int bins, address levels, place at) {
  const scope on("histogram", at);
#if defined(SIMT_DEVICE)  // edges in host memory can be looked at before a launch
  const auto* const edge = reinterpret_cast<const double*>(edges);
  for (int i = 0; i < bins; ++i) {
    if (!(edge[i] <= edge[i + 1])) throw std::invalid_argument("gpuprim.histogram: the edges are not in order");
  }
#endif
  const std::int64_t n = std::int64_t(bins) + 1;
  const input<double> from(edges, n);
  const output<double> to(levels, n);
  check("histogram", gpuprim::generate(to.get(), n, level_of_edge{from.get(), bins}, on.how()));
  to.keep();
}

void histogram(int type, address in, std::int64_t n, address levels, int bins, address counts, place at) {
  const scope on("histogram", at);
  visit(numbers{}, type, "histogram", [&]<class T>(T*) {
    const input<T> samples(in, n);
    const input<double> between(levels, std::int64_t(bins) + 1);
    const output<std::int64_t> to(counts, bins);
    check("histogram",
          gpuprim::histogram(samples.get(), n, to.get(), gpuprim::bin_ranges{between.get(), bins}, on.how()));
    to.keep();
  });
}

void bincount(int type, address in, std::int64_t n, int bins, address counts, place at) {
  const scope on("bincount", at);
  visit(integers{}, type, "bincount", [&]<class T>(T*) {
    const input<T> samples(in, n);
    const output<std::int64_t> to(counts, bins);
    check("bincount", gpuprim::histogram(samples.get(), n, to.get(), gpuprim::even_bins{bins, 0, bins}, on.how()));
    to.keep();
  });
}

}  // namespace gpuprim_python
