// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of the columns of a row-major matrix, and a quantile of each of its rows.
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/device/column_scan.cuh>
#include <gpuprim/device/segmented_nth_element.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cuda/std/functional>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace bench {

namespace {

constexpr int passes = 20, rounds = 15;

/// A matrix of 32-bit numbers, which wrap where they are summed, and room for results.
struct matrix {
  std::int64_t rows, columns;
  unsigned *in, *out;
  int* offsets;
  std::vector<unsigned> host, wanted;

  matrix(std::int64_t r, std::int64_t c) : rows(r), columns(c) {
    unsigned state = 1;
    for (std::int64_t i = 0; i < rows * columns; ++i) host.push_back((state = state * 1664525u + 1013904223u) >> 3);
    std::vector<int> begins;
    for (std::int64_t i = 0; i <= rows; ++i) begins.push_back(int(i * columns));
    check(cudaMalloc(&in, bytes()), "allocate");
    check(cudaMalloc(&out, bytes()), "allocate");
    check(cudaMalloc(&offsets, begins.size() * sizeof(int)), "allocate");
    check(cudaMemcpy(in, host.data(), bytes(), cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpy(offsets, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice), "copy");
  }
  std::size_t bytes() const { return std::size_t(rows * columns) * sizeof(unsigned); }
};

/// Compares result i of the call, `stride` apart, and times passes in a graph.
case_contender make_contender(const char* name, const std::shared_ptr<matrix>& m, const enqueue_pass& pass,
                              std::int64_t first = 0, std::int64_t stride = 1) {
  check(cudaMemset(m->out, 0xff, m->bytes()), "poison");
  check(pass(0, nullptr), name);
  std::vector<unsigned> got(m->host.size());
  check(cudaMemcpy(got.data(), m->out, m->bytes(), cudaMemcpyDeviceToHost), "copy");
  for (std::size_t i = 0; i < m->wanted.size(); ++i) {
    if (got[std::size_t(first + std::int64_t(i) * stride)] == m->wanted[i]) continue;
    std::fprintf(stderr, "matrices: result %zu of %s is wrong\n", i, name);
    std::exit(1);
  }
  const auto timer = std::make_shared<graph_timer>(passes, pass);
  return {name, [m, timer, pass] { return timer->us_per_pass(); }};  // what the pass owns is in the graph
}

/// The place in a row-major matrix of element i in the order of columns.
struct place_in_columns {
  std::int64_t rows, columns;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i % rows * columns + i / rows; }
};
struct column_of {
  std::int64_t rows;
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i / rows; }
};

case_of_others scan_columns(const char* name, std::int64_t rows, std::int64_t columns) {
  const auto m = std::make_shared<matrix>(rows, columns);
  m->wanted = m->host;
  const auto width = std::size_t(columns);
  for (std::size_t i = width; i < m->wanted.size(); ++i) m->wanted[i] += m->wanted[i - width];
  case_of_others made{name, rounds, {}};
  const auto ws = std::make_shared<gpuprim::workspace>(gpuprim::column_scan_workspace_size<unsigned>(rows, columns));
  made.contenders.push_back(make_contender("gpuprim::column_inclusive_scan", m, [m, ws](std::int64_t, cudaStream_t s) {
    return gpuprim::column_inclusive_scan(m->in, m->rows, m->columns, m->out, gpuprim::plus<>{},
                                          {.stream = s, .workspace = ws.get()});
  }));
  made.contenders.push_back(make_contender("CUB by key, over columns", m, [m](std::int64_t, cudaStream_t s) {
    const thrust::counting_iterator<std::int64_t> numbers(0);
    const auto places = thrust::make_transform_iterator(numbers, place_in_columns{m->rows, m->columns});
    const auto keys = thrust::make_transform_iterator(numbers, column_of{m->rows});
    return with_cub_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys, thrust::make_permutation_iterator(m->in, places),
                                                thrust::make_permutation_iterator(m->out, places), m->rows * m->columns,
                                                cuda::std::equal_to<>{}, s);
    });
  }));
  // What reads and writes as much, and is compared with itself.
  m->wanted = m->host;
  made.contenders.push_back(make_contender("a copy", m, [m](std::int64_t, cudaStream_t s) {
    return cudaMemcpyAsync(m->out, m->in, m->bytes(), cudaMemcpyDeviceToDevice, s);
  }));
  return made;
}

case_of_others take_quantiles(const char* name, std::int64_t rows, std::int64_t columns, std::int64_t nth) {
  const auto m = std::make_shared<matrix>(rows, columns);
  std::vector<unsigned> all = m->host;
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto begin = all.begin() + i * columns;
    std::nth_element(begin, begin + nth, begin + columns);
    m->wanted.push_back(begin[nth]);
  }
  case_of_others made{name, rounds, {}};
  const auto ws = std::make_shared<gpuprim::workspace>(
      gpuprim::segmented_nth_element_workspace_size<unsigned>(gpuprim::fixed_length{columns}, rows));
  made.contenders.push_back(
      make_contender("gpuprim::segmented_nth_element", m, [m, ws, nth](std::int64_t, cudaStream_t s) {
        return gpuprim::segmented_nth_element(m->in, gpuprim::fixed_length{m->columns}, m->rows, nth, m->out,
                                              gpuprim::smallest, {.stream = s, .workspace = ws.get()});
      }));
  made.contenders.push_back(make_contender("from the least key up", m, [m, ws, nth](std::int64_t, cudaStream_t s) {
    const gpuprim::detail::top_k_rows all_rows(
        gpuprim::detail::segments_of(gpuprim::fixed_length{m->columns}, m->rows));
    return gpuprim::detail::find_last_keys<gpuprim::tuned_row_top_k_policy>(
               m->in, all_rows, nth + 1, m->out, gpuprim::top_k_end::smallest, {.stream = s, .workspace = ws.get()})
        .report();
  }));
  made.contenders.push_back(make_contender(
      "cub::DeviceSegmentedRadixSort", m,
      [m](std::int64_t, cudaStream_t s) {
        return with_cub_storage([&](void* storage, std::size_t& bytes) {
          return cub::DeviceSegmentedRadixSort::SortKeys(storage, bytes, m->in, m->out, m->rows * m->columns, m->rows,
                                                         m->offsets, m->offsets + 1, 0, 32, s);
        });
      },
      nth, columns));
  return made;
}

}  // namespace

case_of_others scan_square() { return scan_columns("columns of 8192 rows of 8192", 8192, 8192); }
case_of_others scan_tall() { return scan_columns("columns of 4194304 rows of 16", 4194304, 16); }
case_of_others scan_small() { return scan_columns("columns of 1024 rows of 1024", 1024, 1024); }
case_of_others median_of_rows() { return take_quantiles("medians of 4096 rows of 4096", 4096, 4096, 2048); }
case_of_others median_of_long_rows() { return take_quantiles("medians of 64 rows of 262144", 64, 262144, 131072); }
case_of_others last_eighth() { return take_quantiles("place 3584 of 4096 rows of 4096", 4096, 4096, 3584); }
case_of_others last_hundredth() { return take_quantiles("place 4055 of 4096 rows of 4096", 4096, 4096, 4055); }
case_of_others last_of_long_rows() { return take_quantiles("place 259522 of 64 rows of 262144", 64, 262144, 259522); }

}  // namespace bench
