// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r16, atomics: one launch and no partial results; everyone adds to the one total: each element, each warp or each
// block.
// Limited by the total's address, where the additions queue: per element that is all there is to the time, per block
// they are few. Of ints the compiler joins the operations of a warp to one (a vote, REDUX, and one lane that adds), so
// that only floats show the queue. Sums of floats depend on the order, which differs from run to run.
// Source: Han and Sharma, chapter 3.
#include "r14_shuffles.cuh"

namespace ladder {

template <class T>
__global__ void r16_per_element(const T* in, int n, T* out) {
  const int i = thread_in_grid();
  if (i < n) atomicAdd(out, in[i]);
}

template <class T>
__global__ void r16_per_warp(const T* in, int n, T* out) {
  const T sum = sum_of_warp<shuffle::down>(sum_of_thread<usual_loads>(in, n));
  if (thread_in_block() % 32 == 0) atomicAdd(out, sum);
}

template <class T>
__global__ void r16_per_block(const T* in, int n, T* out) {
  const T sum = sum_of_block<shuffle::down>(sum_of_thread<usual_loads>(in, n));
  if (thread_in_block() == 0) atomicAdd(out, sum);
}

enum class blocks { one_each, resident };

/// Clears the total, then launches a thread a value, or as many blocks as fit.
template <class T, auto Kernel, blocks Grid>
rung<T> r16(const char* name) {
  const auto run = [](const task<T>& t) {
    int grid_size = divide_up(t.n, usual_block);
    cudaError_t e = cudaMemsetAsync(t.out, 0, sizeof(T), t.stream);
    if (e == cudaSuccess && Grid == blocks::resident) {
      e = resident_blocks(Kernel, usual_block, divide_up(t.n, usual_block * usual_loads), grid_size);
    }
    if (e == cudaSuccess) e = gpuprim::launch(Kernel, grid_size, usual_block, t.stream, t.in, t.n, t.out);
    return e;
  };
  return {.name = name, .run = run, .look = look_at<Kernel>};
}

template <class T>
void add_r16(table<T>& to) {
  to.push_back(r16<T, r16_per_element<T>, blocks::one_each>("r16 atomic per element"));
  to.back().longest_chain = [](std::int64_t n) { return n; };
  to.push_back(r16<T, r16_per_warp<T>, blocks::resident>("r16 atomic per warp"));
  to.back().longest_chain = [](std::int64_t n) { return tree_depth(n) + n / 128; };
  to.push_back(r16<T, r16_per_block<T>, blocks::resident>("r16 atomic per block"));
  to.back().longest_chain = [](std::int64_t n) { return tree_depth(n) + n / 1024; };
}

}  // namespace ladder
