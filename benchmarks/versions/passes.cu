// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces, scans, selects, runs, segments, histograms and streaming passes.
#include "calls.hpp"

#include <gpuprim/extrema.cuh>
#include <gpuprim/histogram.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/search.cuh>
#include <gpuprim/segmented_reduce.cuh>
#include <gpuprim/select.cuh>
#include <gpuprim/transform.cuh>

#include "workspace.hpp"

namespace {

using bench::enqueue_pass;
using bench::how;
using gpuprim::plus;
using memory = const bench::version_memory&;

struct is_odd {
  __host__ __device__ bool operator()(unsigned x) const { return (x & 1) != 0; }
};
struct twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
struct is_never {
  __host__ __device__ bool operator()(float x) const { return x == 1.2345f; }
};

const float* floats(memory m) { return reinterpret_cast<const float*>(m.keys); }
template <class T>
T* out(memory m) {
  return static_cast<T*>(m.out);
}
std::int64_t* count(memory m) { return static_cast<std::int64_t*>(m.third_out); }

const bench::enter_version_calls entered({
    {"reduce f32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::reduce(floats(m), n, out<float>(m), plus{}, how(s));
       };
     }},
    {"min_element f32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::min_element(floats(m), n, out<float>(m), count(m), how(s));
       };
     }},
    {"find_if f32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::find_if(floats(m), n, count(m), is_never{}, how(s));
       };
     }},
    {"exclusive_scan u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::exclusive_scan(m.keys, n, out<unsigned>(m), plus{}, 0u, how(s));
       };
     }},
    {"inclusive_scan f32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::inclusive_scan(floats(m), n, out<float>(m), plus{}, how(s));
       };
     }},
    {"exclusive_scan_by_key u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::exclusive_scan_by_key(m.runs, m.keys, n, out<unsigned>(m), plus{}, 0u, how(s));
       };
     }},
    {"segmented_exclusive_scan u32 rows of 1000",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_exclusive_scan(m.keys, gpuprim::fixed_length{1000}, n / 1000, out<unsigned>(m),
                                                  plus{}, 0u, how(s));
       };
     }},
    {"segmented_exclusive_scan u32 by offsets",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_exclusive_scan(m.keys, gpuprim::segment_offsets{m.offsets, n}, m.segments(n),
                                                  out<unsigned>(m), plus{}, 0u, how(s));
       };
     }},
    {"select_if u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::select_if(m.keys, n, out<unsigned>(m), count(m), is_odd{}, how(s));
       };
     }},
    {"partition_if u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::partition_if(m.keys, n, out<unsigned>(m), count(m), is_odd{}, how(s));
       };
     }},
    {"unique i32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return
           [=, &m](std::int64_t, cudaStream_t s) { return gpuprim::unique(m.runs, n, out<int>(m), count(m), how(s)); };
     }},
    {"reduce_by_key i32 u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::reduce_by_key(m.runs, m.keys, n, out<int>(m), static_cast<unsigned*>(m.second_out), count(m),
                                       plus{}, how(s));
       };
     }},
    {"run_length_encode i32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::run_length_encode(m.runs, n, out<int>(m), static_cast<int*>(m.second_out), count(m), how(s));
       };
     }},
    {"segmented_reduce f32 rows of 1000",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_reduce(floats(m), gpuprim::fixed_length{1000}, n / 1000, out<float>(m), plus{},
                                          how(s));
       };
     }},
    {"segmented_reduce f32 by offsets",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_reduce(floats(m), m.offsets, m.segments(n), out<float>(m), plus{}, how(s));
       };
     }},
    {"segmented_reduce f32 by bounds",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_reduce(floats(m), gpuprim::segment_bounds{m.offsets, m.offsets + 1}, m.segments(n),
                                          out<float>(m), plus{}, how(s));
       };
     }},
    {"column_reduce f32 of 1024 columns",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::column_reduce(floats(m), n / 1024, 1024, out<float>(m), plus{}, how(s));
       };
     }},
    {"histogram u32 256 bins",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::histogram(m.keys, n, out<unsigned>(m), gpuprim::even_bins{256, 0u, 1u << 31}, how(s));
       };
     }},
    {"histogram u32 20000 bins",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::histogram(m.keys, n, out<unsigned>(m), gpuprim::even_bins{20000, 0u, 1u << 31}, how(s));
       };
     }},
    {"transform f32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::transform(floats(m), n, out<float>(m), twice{}, how(s));
       };
     }},
    {"transpose f32 1024 columns",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::transpose(floats(m), n / 1024, 1024, out<float>(m), how(s));
       };
     }},
});

}  // namespace
