// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "candidates.hpp"

#include <gpuprim/reduce.cuh>

#include <utility>

namespace tune {

/// A workspace for any candidate: they run one after the other.
inline gpuprim::workspace& shared_workspace() {
  static gpuprim::workspace one(gpuprim::reduce_workspace_bytes<double>(std::int64_t{1} << 40));
  return one;
}

template <int BlockSize, int Loads, int MostBlocks, class T>
void add_candidate(const char* type) {
  candidates().push_back({type,
                          int(sizeof(T)),
                          {BlockSize, Loads, MostBlocks},
                          [](const void* in, std::int64_t n, void* out, cudaStream_t s) {
                            using Acc = gpuprim::default_accumulator<gpuprim::plus<>, T>;
                            return gpuprim::reduce<gpuprim::plus<>, BlockSize, Loads, MostBlocks>(
                                static_cast<const T*>(in), n, static_cast<Acc*>(out),
                                {.stream = s, .workspace = &shared_workspace()});
                          }});
}

/// Enters a block size with 2 to 16 loads a thread, for elements of 1, 4 and 8 bytes; one block a multiprocessor, and
/// as many as fit. They are one kernel.
template <int BlockSize>
bool add_candidates() {
  auto with_policy = []<int Loads, int MostBlocks>(std::integer_sequence<int, Loads, MostBlocks>) {
    add_candidate<BlockSize, Loads, MostBlocks, signed char>("i8");
    add_candidate<BlockSize, Loads, MostBlocks, float>("f32");
    add_candidate<BlockSize, Loads, MostBlocks, double>("f64");
  };
  auto with_loads = [&]<int Loads>(std::integral_constant<int, Loads>) {
    with_policy(std::integer_sequence<int, Loads, 1>{});
    with_policy(std::integer_sequence<int, Loads, 0>{});
  };
  with_loads(std::integral_constant<int, 2>{});
  with_loads(std::integral_constant<int, 4>{});
  with_loads(std::integral_constant<int, 8>{});
  with_loads(std::integral_constant<int, 16>{});
  return true;
}

}  // namespace tune
