// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r01, naive: one launch per halving, in global memory, in two forms:
//   every thread   each value and the one `stride` further on, stride 1, 2, 4, ...; limited by traffic: every launch
//                  reads and writes the whole array, and of all its sums one is wanted in the end
//   upper half     the upper half added to the lower; limited by traffic and launches: each halving reads two values
//                  and writes one, 3n in all, and the last launches have next to nothing to do
// Both destroy their input.
// Source: Han and Sharma, "Learn CUDA Programming", 2019, chapter 3, has the first. There it works in place and so
// reads values that other threads of the launch are writing; here the launches go to and fro between two arrays.
#include "passes.cuh"

#include <utility>

namespace ladder {

template <class T>
__global__ void r01_every_thread(const T* from, int n, int stride, T* to) {
  const int i = thread_in_grid();
  if (i >= n) return;
  T sum = from[i];
  if (i + stride < n) add_to(sum, from[i + stride]);
  to[i] = sum;  // of 2 * stride values
}

template <class T>
__global__ void r01_upper_half(T* data, int n, int half) {
  const int i = thread_in_grid();
  if (i + half < n) add_to(data[i], data[i + half]);  // an odd n leaves the middle value as it is
}

template <class T>
rung<T> r01() {
  const auto run = [](const task<T>& t) {
    T *from = t.in, *to = t.scratch;
    for (int stride = 1; stride < t.n; stride *= 2) {
      const int blocks = divide_up(t.n, usual_block);
      if (cudaError_t e = gpuprim::launch(r01_every_thread<T>, blocks, usual_block, t.stream, from, t.n, stride, to)) {
        return e;
      }
      std::swap(from, to);
    }
    return cudaMemcpyAsync(t.out, from, sizeof(T), cudaMemcpyDeviceToDevice, t.stream);
  };
  return {.name = "r01 naive, every thread", .run = run, .look = look_at<r01_every_thread<T>>, .destroys_input = true};
}

template <class T>
rung<T> r01_half() {
  const auto run = [](const task<T>& t) {
    for (int left = t.n; left > 1;) {
      const int half = left - left / 2, blocks = divide_up(left / 2, usual_block);
      if (cudaError_t e = gpuprim::launch(r01_upper_half<T>, blocks, usual_block, t.stream, t.in, left, half)) {
        return e;
      }
      left = half;
    }
    return cudaMemcpyAsync(t.out, t.in, sizeof(T), cudaMemcpyDeviceToDevice, t.stream);
  };
  return {.name = "r01 naive, upper half", .run = run, .look = look_at<r01_upper_half<T>>, .destroys_input = true};
}

}  // namespace ladder
