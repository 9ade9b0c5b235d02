// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled, not run: a caller whose namespace has functions of the names that gpuprim uses within itself, which take
// anything. Its types bring that namespace into every call that has one of them as an argument: only a qualified call
// does not look there.
#include <gpuprim/gpuprim.cuh>

#include <cooperative_groups.h>

namespace user {

#include "user_names.inc"  // one of each name, deleted

struct number {
  int value;
  explicit __host__ __device__ operator bool() const { return value != 0; }
  friend __host__ __device__ bool operator<(const number& a, const number& b) { return a.value < b.value; }
  friend __host__ __device__ bool operator==(const number& a, const number& b) { return a.value == b.value; }
};

struct add {
  __host__ __device__ number operator()(number a, number b) const { return {a.value + b.value}; }
};
struct before {
  __host__ __device__ bool operator()(number a, number b) const { return a.value < b.value; }
};
struct same {
  __host__ __device__ bool operator()(number a, number b) const { return a.value == b.value; }
};
struct odd {
  __host__ __device__ bool operator()(number a) const { return a.value & 1; }
};
struct negate {
  __host__ __device__ number operator()(number a) const { return {-a.value}; }
};
struct negate_odd {
  __host__ __device__ gpuprim::maybe<number> operator()(number a) const {
    if (a.value & 1) return number{-a.value};
    return {};
  }
};
struct ignore {
  __host__ __device__ number operator()(std::int64_t) const { return {0}; }
};
struct to_int {
  __host__ __device__ int operator()(number a) const { return a.value; }
};

struct find_prefix {
  number before;
  __device__ number operator()(number) const { return before; }
};

struct put_first {
  number* out;
  __device__ void operator()(const gpuprim::decoded_items<number, unsigned, 2>& items) const {
    if (items.count > 0) out[items.first] = items.values[0];
  }
};

template <class T>
struct iterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::int64_t;
  using pointer = T*;
  using reference = T&;

  T* at;

  __host__ __device__ T& operator*() const { return *at; }
  __host__ __device__ T& operator[](std::int64_t i) const { return at[i]; }
  friend __host__ __device__ iterator operator+(iterator a, std::int64_t i) { return {a.at + i}; }
  friend __host__ __device__ std::int64_t operator-(iterator a, iterator b) { return a.at - b.at; }
};

template <class T>
__host__ __device__ T* null() {
  return nullptr;
}

template <class In, class Out, class Offsets>
void reduce_structs(In in, Out out, Offsets offsets, const number& init, const gpuprim::options& how) {
  (void)gpuprim::reduce(in, 9, out, add{}, init, how);
  (void)gpuprim::reduce<add, 256, 4>(in, 9, out, add{}, init, how);
  (void)gpuprim::reduce(gpuprim::reproducible, in, 9, out, add{}, init, how);
  (void)gpuprim::reduce_value(in, 9, add{}, init, how);
  (void)gpuprim::reduce_plan(in, 9, out, add{}, init);
  (void)gpuprim::reduce_plan<add, 256, 4>(in, 9, out, add{}, init);
  (void)gpuprim::transform_reduce(in, 9, out, add{}, negate{}, init, how);
  (void)gpuprim::transform_reduce(in, in, 9, out, add{}, add{}, init, how);
  (void)gpuprim::segmented_reduce(in, offsets, 9, out, add{}, init, how);
  (void)gpuprim::segmented_reduce(in, gpuprim::segment_bounds{offsets, offsets}, 9, out, add{}, init, how);
  (void)gpuprim::segmented_reduce(in, gpuprim::fixed_length{9}, 9, out, add{}, init, how);
  (void)gpuprim::column_reduce(in, 9, 9, out, add{}, init, how);
  (void)gpuprim::column_exclusive_scan(in, 9, 9, out, add{}, init, how);
  (void)gpuprim::column_inclusive_scan(in, 9, 9, out, add{}, how);
  (void)gpuprim::reduce_by_key(in, in, 9, out, out, null<int>(), add{}, same{}, how);
  (void)gpuprim::run_length_encode(in, 9, out, offsets, null<int>(), same{}, how);
  (void)gpuprim::non_trivial_runs(in, 9, offsets, offsets, null<int>(), same{}, how);
}

template <class In, class Out>
void search_structs(In in, Out out, const gpuprim::options& how) {
  (void)gpuprim::find_if(in, 9, null<std::int64_t>(), odd{}, how);
  (void)gpuprim::find_if_value(in, 9, odd{}, how);
  (void)gpuprim::count_if(in, 9, null<std::int64_t>(), odd{}, how);
  (void)gpuprim::all_of(in, 9, null<bool>(), odd{}, how);
  (void)gpuprim::equal(in, in, 9, null<bool>(), how);
  (void)gpuprim::is_sorted(in, 9, null<bool>(), before{}, how);
  (void)gpuprim::min_element(in, 9, null<gpuprim::extremum<number>>(), how);
  const auto query = gpuprim::fused(gpuprim::transformed<int>(gpuprim::plus{}, to_int{}), gpuprim::counted(odd{}),
                                    gpuprim::min_element);
  const auto outputs = gpuprim::outputs(out, out, null<gpuprim::extremum<number>>());
  (void)gpuprim::reduce_into(in, 9, outputs, query, how);
}

template <class In, class Out, class Index>
void stream_structs(In in, Out out, Index index, const number& value, const gpuprim::options& how) {
  (void)gpuprim::transform(in, 9, out, negate{}, how);
  (void)gpuprim::transform(gpuprim::inputs(in, in), 9, gpuprim::outputs(out), add{}, how);
  (void)gpuprim::transform_plan(in, 9, out, negate{});
  (void)gpuprim::for_each(in, 9, negate{}, how);
  (void)gpuprim::for_each(9, ignore{}, how);
  (void)gpuprim::generate(out, 9, ignore{}, how);
  (void)gpuprim::fill(out, 9, value, how);
  (void)gpuprim::copy(in, 9, out, how);
  (void)gpuprim::copy_batched(null<In>(), null<Out>(), index, 9, how);
  (void)gpuprim::replace_if(in, 9, out, odd{}, value, how);
  (void)gpuprim::adjacent_difference(in, 9, out, add{}, how);
  (void)gpuprim::gather(in, index, 9, out, how);
  (void)gpuprim::scatter(in, index, 9, out, how);
  (void)gpuprim::transform_if(in, 9, out, negate{}, odd{}, how);
  (void)gpuprim::transform_if(in, in, 9, out, negate{}, odd{}, how);
  (void)gpuprim::gather_if(in, index, in, 9, out, odd{}, how);
  (void)gpuprim::scatter_if(in, index, in, 9, out, odd{}, how);
  (void)gpuprim::reverse(in, 9, out, how);
  (void)gpuprim::shuffle(in, 9, out, 3, how);
  (void)gpuprim::adjacent_difference_right(in, 9, out, add{}, how);
  (void)gpuprim::adjacent_difference_in_place(null<number>(), 9, add{}, how);
  (void)gpuprim::adjacent_difference_right_in_place(null<number>(), 9, add{}, how);
  (void)gpuprim::copy(in, 9, gpuprim::transform_to(gpuprim::permuted(out, index), negate{}), how);
  (void)gpuprim::mismatch(in, in, 9, null<std::int64_t>(), how);
  (void)gpuprim::set_symmetric_difference(in, 9, in, 9, out, null<int>(), before{}, how);
  (void)gpuprim::set_symmetric_difference_count(in, 9, in, 9, out, before{}, how);
  (void)gpuprim::lower_bound(in, 9, in, 9, index, before{}, how);
  (void)gpuprim::upper_bound(in, 9, in, 9, index, before{}, how);
  (void)gpuprim::transpose(null<const number>(), 9, 9, null<number>(), how);
  (void)gpuprim::top_k_pairs(index, in, 9, 3, index, out, how);
  (void)gpuprim::top_k_positions(in, 9, 3, out, index, gpuprim::largest.by(odd{}).sorted(), how);
  (void)gpuprim::segmented_top_k_pairs(index, in, gpuprim::fixed_length{9}, 9, 3, index, out, gpuprim::smallest, how);
}

template <class In, class Out>
void select_structs(In in, Out out, const gpuprim::options& how) {
  int* const count = null<int>();
  const auto two = gpuprim::outputs(out, out);
  (void)gpuprim::select_if(in, 9, out, count, odd{}, how);
  (void)gpuprim::select_if(in, in, 9, out, count, odd{}, how);
  (void)gpuprim::select_if(null<number>(), in, 9, null<number>(), count, odd{}, how);
  (void)gpuprim::select_if_count(in, in, 9, out, odd{}, how);
  (void)gpuprim::unique_count(in, 9, how);
  (void)gpuprim::select_if_plan(in, 9, out, count, odd{});
  (void)gpuprim::select_if_count(in, 9, out, odd{}, how);
  (void)gpuprim::select_flagged(in, null<const bool>(), 9, out, count, how);
  (void)gpuprim::select_flagged_count(in, in, 9, out, how);
  (void)gpuprim::select_indices(in, 9, count, count, odd{}, how);
  (void)gpuprim::select_indices_count(in, 9, count, odd{}, how);
  (void)gpuprim::transform_select(in, 9, out, count, negate_odd{}, how);
  (void)gpuprim::transform_select_count(in, 9, out, negate_odd{}, how);
  (void)gpuprim::unique(in, 9, out, count, how);
  (void)gpuprim::unique_count(in, 9, out, same{}, how);
  (void)gpuprim::unique_by_key(in, in, 9, out, out, count, same{}, how);
  (void)gpuprim::unique_by_key_count(in, in, 9, out, out, how);
  (void)gpuprim::partition_if(in, 9, out, count, odd{}, how);
  (void)gpuprim::partition_if_count(in, 9, out, odd{}, how);
  (void)gpuprim::partition_if_count(in, 9, two, odd{}, how);
  (void)gpuprim::partition_if(in, 9, gpuprim::outputs(out, out, out), count, odd{}, odd{}, how);
  (void)gpuprim::partition_flagged(in, in, 9, out, count, how);
  (void)gpuprim::partition_flagged_count(in, in, 9, out, how);
  (void)gpuprim::stable_partition_if(in, 9, out, count, odd{}, how);
  (void)gpuprim::stable_partition_if_count(in, 9, out, odd{}, how);
}

template <class In>
void reduce_numbers(In in, In other, In out, const gpuprim::options& how) {
  (void)gpuprim::reduce(in, 9, out, gpuprim::plus{}, how);
  (void)gpuprim::accurate_sum(in, 9, out, how);
  (void)gpuprim::mean(in, 9, out, how);
  (void)gpuprim::variance(in, 9, out, how);
  (void)gpuprim::norm_1(in, 9, out, how);
  (void)gpuprim::norm_2(in, 9, out, how);
  (void)gpuprim::dot(in, other, 9, out, how);
  (void)gpuprim::squared_norm(in, 9, out, how);
  (void)gpuprim::segmented_reduce(in, gpuprim::fixed_length{9}, 9, out, gpuprim::plus{}, how);
  (void)gpuprim::top_k(in, 9, 3, out, how);
  (void)gpuprim::top_k_positions(in, 9, 3, out, other, how);
  (void)gpuprim::nth_element(in, 9, 3, out, how);
  (void)gpuprim::segmented_nth_element(in, gpuprim::fixed_length{9}, 9, 3, out, how);
  (void)gpuprim::segmented_nth_element(in, gpuprim::segment_offsets{null<const int>(), 9}, 9, null<const int>(), out);
  (void)gpuprim::segmented_top_k(in, gpuprim::segment_offsets{null<const int>(), 9}, 9, 3, out, gpuprim::largest, how);
  (void)gpuprim::segmented_top_k_positions(in, gpuprim::fixed_length{9}, 9, 3, out, other, gpuprim::largest, how);
  (void)gpuprim::histogram(in, 9, null<unsigned>(), gpuprim::even_bins{100, 0.0f, 9.0f}, how);
  (void)gpuprim::histogram(in, 9, null<unsigned>(), gpuprim::bin_ranges{null<const float>(), 9}, how);
}

__global__ void levels(const number* in, number* out, gpuprim::grid_reduce_state<number> state) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  const number v = in[block.thread_rank()];
  const number items[] = {v, v};
  number total = gpuprim::thread_reduce(items, add{});
  total = gpuprim::warp_reduce(warp, total, add{});
  total = gpuprim::warp_all_reduce(warp, total, add{});
  total = gpuprim::warp_segmented_reduce(warp, total, v == total, add{});
  total = gpuprim::block_reduce<256>(block, total, add{});
  total = gpuprim::block_all_reduce(block, total, add{});
  number scanned[] = {v, v};
  total = gpuprim::thread_inclusive_scan(scanned, add{});
  total = gpuprim::thread_exclusive_scan(scanned, add{}, total);
  total = gpuprim::warp_inclusive_scan(warp, v, add{}, gpuprim::total_to{total}, 9);
  total = gpuprim::warp_exclusive_scan(warp, total, add{}, number{0}, total);
  total = gpuprim::warp_exclusive_scan(gpuprim::warp_tile<9>{}, v, add{}, gpuprim::running_prefix{total}, 9);
  total = gpuprim::block_exclusive_scan(block, v, add{}, gpuprim::prefix_callback{find_prefix{total}}, 9);
  gpuprim::running_prefix carry{total};
  total = gpuprim::block_inclusive_scan<256>(block, v, add{}, gpuprim::total_to{total}, 9);
  total = gpuprim::block_exclusive_scan(block, total, add{}, carry);
  gpuprim::block_inclusive_scan<256>(block, scanned, add{}, gpuprim::total_to{total});
  gpuprim::block_exclusive_scan<512>(block, scanned, add{}, number{0});
  total = gpuprim::warp_compact(warp, v, v == total).value;
  total.value += gpuprim::thread_lower_bound(in, 9, v) + gpuprim::warp_upper_bound(warp, in, 9, v, before{});
  gpuprim::warp_load(warp, in, scanned, 9);
  gpuprim::warp_store(warp, scanned, out);
  gpuprim::block_compact<256>(block, v, odd{}, out);
  gpuprim::block_compact(block, items, odd{}, iterator<number>{out});
  gpuprim::block_compact<256>(block, v, odd{}, out, 9);
  gpuprim::block_compact(block, items, odd{}, iterator<number>{out}, 9);
  const gpuprim::append_queue<number> queue{out, 9, null<unsigned long long>()};
  gpuprim::warp_append(warp, queue, v, v == total);
  gpuprim::warp_append(warp, queue, v);
  gpuprim::block_append<256>(block, queue, v, odd{});
  gpuprim::block_append(block, queue, items, odd{});
  unsigned ranks[2] = {threadIdx.x, threadIdx.x + 256};
  bool flags[2], more[2];
  gpuprim::block_blocked_to_striped<256>(block, scanned);
  gpuprim::block_striped_to_blocked<256>(block, scanned);
  gpuprim::block_blocked_to_warp_striped<256>(block, scanned);
  gpuprim::block_warp_striped_to_blocked<256>(block, scanned);
  gpuprim::block_scatter_to_blocked<256>(block, scanned, ranks);
  gpuprim::block_scatter_to_striped<256>(block, scanned, ranks);
  gpuprim::warp_blocked_to_striped(warp, scanned);
  gpuprim::warp_striped_to_blocked(warp, scanned);
  gpuprim::block_load<256>(block, in, scanned, 9, total);
  gpuprim::block_store<256, gpuprim::tile_transfer::vectorised>(block, scanned, out);
  gpuprim::block_shift_up<256>(block, scanned, gpuprim::block_shift_down<256>(block, total, total));
  total = gpuprim::block_rotate<256>(block, total, 1);
  gpuprim::block_adjacent_difference<256>(block, scanned, scanned, add{}, total);
  gpuprim::block_adjacent_difference_right<256>(block, scanned, scanned, add{}, total, 9);
  gpuprim::block_flag_heads<256>(block, scanned, flags, before{}, total);
  gpuprim::block_flag_tails<256>(block, scanned, flags, before{}, total);
  gpuprim::block_flag_heads_and_tails<256>(block, scanned, flags, more, before{}, total, total);
  gpuprim::block_run_length_decode<256, 2>(block, scanned, ranks, put_first{out});
  gpuprim::grid_reduce<256>(block, total, add{}, state, [=](number all) { *out = all; });
}

#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void cluster_level(const number* in, number* out) {
  const auto cluster = cooperative_groups::this_cluster();
  const auto block = cooperative_groups::this_thread_block();
  const number total = gpuprim::cluster_all_reduce<256>(cluster, block, in[threadIdx.x], add{});
  out[threadIdx.x] = gpuprim::cluster_exclusive_scan<256>(cluster, block, in[threadIdx.x], add{}, total);
}
#endif

using input = iterator<const number>;
using output = iterator<number>;
template void reduce_structs(const number*, number*, int*, const number&, const gpuprim::options&);
template void reduce_structs(input, output, iterator<int>, const number&, const gpuprim::options&);
template void search_structs(const number*, iterator<int>, const gpuprim::options&);
template void search_structs(input, iterator<int>, const gpuprim::options&);
template void select_structs(const number*, number*, const gpuprim::options&);
template void select_structs(input, output, const gpuprim::options&);
template void stream_structs(const number*, number*, int*, const number&, const gpuprim::options&);
template void stream_structs(input, output, iterator<int>, const number&, const gpuprim::options&);
template void reduce_numbers(iterator<float>, iterator<float>, iterator<float>, const gpuprim::options&);

}  // namespace user
