// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of a radix sort has all keys of a thread under way at once, counts their digits by one atomic operation each
// that returns nothing, and leaves registers for as many blocks as its policy wants. It has one position of 64 bits an
// item. In small tiles, which are not asked whether
// they have one digit alone, the votes are not guarded against a warp that splits. For sm_100 the compiler puts a word
// or two of some kernels into local memory.
// expect: kernel sort_pass_kernel<
// expect: registers <= 64
// expect: sm_80: no-local-memory
// expect: sm_90: no-local-memory
// expect: sm_100: sass <= 4 \b(LDL|STL)\b
// expect: sass <= 0 \bATOMS\.(?!POPC)
// expect: sass <= 0 \bMATCH\b
// expect: kernel sort_pass_kernel<.*nothing
// expect: no-local-memory
// expect: together >= 15 \bLDG\.E(\.CONSTANT)? R
// expect: sass >= 15 \bATOMS\.POPC\.INC
// expect: sass <= 15 \bLDS\.64\b
// expect: kernel sort_pass_kernel<(?!.*nothing)
// expect: together >= 9 \bLDG\.E(\.CONSTANT)? R
// expect: sass >= 9 \bATOMS\.POPC\.INC
// expect: sass <= 13 \bLDS\.64\b
// expect: kernel sort_pass_kernel<.*sort_shape<256,
// expect: sass <= 120 \bVOTE\b
// expect: sass <= 0 \bBRA\.DIV\b
// expect: kernel sort_pass_kernel<.*sort_shape<512,.*nothing
// expect: sass <= 240 \bVOTE\b
// expect: kernel digit_counts_kernel<
// expect: no-local-memory
// expect: registers <= 32
// expect: together >= 8 \bLDG\.E(\.CONSTANT)? R
// expect: sass <= 0 \bATOMS\.(?!POPC)
// expect: sass <= 0 \bMUFU\b
// expect: kernel sort_cluster_kernel<
// expect: no-local-memory
// expect: together >= 8 \bLDG\.E(\.CONSTANT)? R
// A block that sorts by cells calls its sort by digits as a function, to which it hands its arrays in local memory. Its
// keys are under way at once too, and those of a pass by buckets, which keeps all in registers.
// expect: kernel sort_block_kernel<
// expect: together >= 8 \bLDG?\.E(\.CONSTANT)? R
// expect: kernel bucket_pass_kernel<
// expect: registers <= 64
// expect: together >= 12 \bLDG\.E(\.CONSTANT)? R
// expect: sm_90: no-local-memory
// The kernels of a merge sort, and a merge, have all elements of a thread under way at once. Those of a merge sort
// leave registers for six blocks of 256, as that of long merges, to which bulk copies bring tiles. A thread sorts and
// merges without branches: there are those of loops alone.
// expect: kernel tile_sort_kernel<|run_merge_kernel<
// expect: registers <= 40
// expect: sm_80: no-local-memory
// expect: sm_90: no-local-memory
// expect: sm_100: sass <= 2 \b(LDL|STL)\b
// expect: sass <= 12 \bBRA\b
// expect: kernel tile_sort_kernel<|run_merge_kernel<|::merge_kernel<
// expect: together >= 17 \bLDG\.E(\.CONSTANT)? R
// expect: kernel tile_sort_kernel<
// expect: sass >= 200 MNMX\.U32|VIMNMX
// expect: kernel ::long_merge_kernel<
// expect: registers <= 40
// expect: sm_90: no-local-memory
// expect: sm_90: sass >= 2 \bUBLKCP\.S\.G\b
// expect: kernel run_search_kernel<|::merge_kernel<
// expect: no-local-memory
// expect: registers <= 64
// A top-k reads 16 bytes a load, all loads of a turn under way, whatever the block does with them.
// expect: kernel top_k_kernel<
// expect: registers <= 64
// expect: wide-loads >= 8
// expect: rows >= 3 4
// expect: sm_80: no-local-memory
// expect: sm_90: no-local-memory
// expect: sm_100: sass <= 8 \b(LDL|STL)\b
// Where rows have clusters, all loads of what a block holds are under way.
// expect: kernel top_k_cluster_kernel<
// expect: registers <= 64
// expect: sm_90: rows >= 1 8
// expect: sm_90: sass <= 8 \b(LDL|STL)\b
#include <gpuprim/merge.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/top_k.cuh>

cudaError_t keys(const unsigned* in, std::int64_t n, unsigned* out) { return gpuprim::sort(in, n, out); }
cudaError_t bits(const unsigned* in, std::int64_t n, unsigned* out) {
  return gpuprim::sort(in, n, out, gpuprim::ascending.bits(0, 20));
}
cudaError_t pairs(const unsigned* in, const unsigned* values, std::int64_t n, unsigned* out, unsigned* values_out) {
  return gpuprim::sort_pairs(in, values, n, out, values_out);
}
cudaError_t compared(const unsigned* in, std::int64_t n, unsigned* out) { return gpuprim::merge_sort(in, n, out); }
cudaError_t merged(const unsigned* a, const unsigned* b, std::int64_t n, unsigned* out) {
  return gpuprim::merge(a, n, b, n, out);
}
cudaError_t largest(const float* in, std::int64_t n, std::int64_t k, float* out) {
  return gpuprim::top_k(in, n, k, out);
}
