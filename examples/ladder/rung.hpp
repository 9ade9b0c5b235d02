// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the runner knows of a rung. Plain C++, so that the runner needs no CUDA compiler.
#include <gpuprim/core/operators.hpp>
#include <gpuprim/launch/workspace.cuh>

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace ladder {

/// The largest input: the rungs index by int, as their sources do, and add strides to the index.
inline constexpr int most_elements = 1 << 30;
/// The largest input of the nested rungs: the largest that their source ran, and slow enough.
inline constexpr int most_nested = 1 << 20;

/// Values that a rung may need for what its passes hand on: r01 the whole array, later ones a value of 256 or more.
constexpr int scratch_elements(int n) { return n + 64; }

/// One sum that a rung is asked for. Everything but `host_result` lies on the device.
template <class T>
struct task {
  T* in = nullptr;  ///< n values; only a rung that says so overwrites them
  int n = 0;        ///< at least 1
  T* scratch = nullptr;
  T* out = nullptr;
  T* host_result = nullptr;                 ///< for a rung that hands its result to the host
  gpuprim::workspace* workspace = nullptr;  ///< for the libraries; may grow in a first run, which is not timed
  cudaStream_t stream = nullptr;
};

/// How the main kernel of a rung fills the GPU.
struct figures {
  int block_size = 0;
  int registers = 0;     ///< of a thread
  double occupancy = 0;  ///< theoretical: resident threads over the most that the GPU holds
};

/// Additions that one value goes through at most, where the sum is a tree: the threads at work are at least 1024 or
/// have 200 values each at most, and the passes that join them add less than 200.
constexpr std::int64_t tree_depth(std::int64_t n) { return n / 1024 + 400; }

template <class T>
struct rung {
  std::string name{};
  cudaError_t (*run)(const task<T>&) = nullptr;
  cudaError_t (*look)(T* in, int n, figures&) = nullptr;  ///< none for a library whose kernels are its own affair
  bool destroys_input = false;
  bool result_on_host = false;
  int largest_input = most_elements;
  std::int64_t (*longest_chain)(std::int64_t n) = [](std::int64_t n) { return tree_depth(n); };
};

template <class T>
using table = std::vector<rung<T>>;

/// `into += value`, but ints wrap, which C++ leaves undefined.
template <class T>
GPUPRIM_HOST_DEVICE void add_to(T& into, T value) {
  into = gpuprim::plus<T>{}(into, value);
}

// For T = float and int. The last two exist in CUDA builds only.
/// rungs.cu: r01 to r16, and gpuprim's r18.
template <class T>
void add_rungs(table<T>&);
/// r17_nested.cu. @return whether the device can hold the launches that wait.
template <class T>
[[nodiscard]] cudaError_t add_nested(table<T>&);
/// r18_others.cu.
template <class T>
void add_other_libraries(table<T>&);
/// rungs.cu: reads the input and does nothing else, in a few shapes: the fastest is the limit of all rungs.
template <class T>
table<T> read_only_passes();

}  // namespace ladder
