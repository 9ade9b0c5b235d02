// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts, merges, sets, searches in sorted arrays and top-k.
#include "calls.hpp"

#include <gpuprim/device/sorted_search.cuh>
#include <gpuprim/merge.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/top_k.cuh>

#include "workspace.hpp"

namespace {

using bench::enqueue_pass;
using bench::how;
using memory = const bench::version_memory&;

unsigned* out(memory m) { return static_cast<unsigned*>(m.out); }
unsigned* second_out(memory m) { return static_cast<unsigned*>(m.second_out); }
std::int64_t* count(memory m) { return static_cast<std::int64_t*>(m.third_out); }
const float* floats(memory m) { return reinterpret_cast<const float*>(m.keys); }

const bench::enter_version_calls entered({
    {"sort u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) { return gpuprim::sort(m.keys, n, out(m), how(s)); };
     }},
    {"sort u64",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::sort(reinterpret_cast<const std::uint64_t*>(m.keys), n / 2, static_cast<std::uint64_t*>(m.out),
                              how(s));
       };
     }},
    {"sort_pairs u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::sort_pairs(m.keys, m.values, n, out(m), second_out(m), how(s));
       };
     }},
    {"merge_sort u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) { return gpuprim::merge_sort(m.keys, n, out(m), how(s)); };
     }},
    {"segmented_sort u32 rows of 1000",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_sort(m.keys, gpuprim::fixed_length{1000}, n / 1000, out(m), how(s));
       };
     }},
    {"segmented_sort_pairs u32 by offsets",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_sort_pairs(m.keys, m.values, gpuprim::segment_offsets{m.offsets, n}, m.segments(n),
                                              out(m), second_out(m), how(s));
       };
     }},
    {"merge u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::merge(m.sorted, n / 2, m.other_sorted, n / 2, out(m), how(s));
       };
     }},
    {"set_union u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::set_union(m.sorted, n / 2, m.other_sorted, n / 2, out(m), count(m), how(s));
       };
     }},
    {"lower_bound u32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::lower_bound(m.sorted, n, m.keys, n / 4, static_cast<std::int64_t*>(m.out), how(s));
       };
     }},
    {"top_k f32 64",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::top_k(floats(m), n, 64, static_cast<float*>(m.out), how(s));
       };
     }},
    {"segmented_top_k f32 rows of 2048, 32",
     [](std::int64_t n, memory m) -> enqueue_pass {
       return [=, &m](std::int64_t, cudaStream_t s) {
         return gpuprim::segmented_top_k(floats(m), gpuprim::fixed_length{2048}, n / 2048, 32,
                                         static_cast<float*>(m.out), how(s));
       };
     }},
});

}  // namespace
