// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the rungs that run everywhere.
#include "r01_naive_global.cuh"
#include "r02_neighbours.cuh"
#include "r03_less_divergence.cuh"
#include "r04_interleaved.cuh"
#include "r05_shared_modulo.cuh"
#include "r06_bit_mask.cuh"
#include "r07_interleaved_addressing.cuh"
#include "r08_sequential_addressing.cuh"
#include "r09_grid_stride.cuh"
#include "r10_loads_in_flight.cuh"
#include "r11_block_unrolling.cuh"
#include "r12_last_warp.cuh"
#include "r13_fully_unrolled.cuh"
#include "r14_shuffles.cuh"
#include "r15_tiles.cuh"
#include "r16_atomics.cuh"
#include "r18_gpuprim.cuh"
#include "read_only.cuh"

namespace ladder {

template <class T>
void add_rungs(table<T>& to) {
  for (auto* rung : {r01<T>,
                     r01_half<T>,
                     r02<T>,
                     r03<T>,
                     r04<T>,
                     r05<T>,
                     r06<T>,
                     r07<T>,
                     r08<T>,
                     r09<T>,
                     r10<T>,
                     r11<T, 2>,
                     r11<T, 4>,
                     r11<T, 8>,
                     r11<T, 16>,
                     r11<T, 8, walk::pointer>,
                     r12<T>,
                     r13<T, 64>,
                     r13<T, 128>,
                     r13<T, 256>,
                     r13<T, 512>,
                     r13<T, 1024>,
                     r14<T, shuffle::down>,
                     r14<T, shuffle::exclusive_or>,
                     r15<T>}) {
    to.push_back(rung());
  }
  add_r16(to);
  to.push_back(r18<T>());
}

template <class T>
table<T> read_only_passes() {
  return {read_only<T, 512, 8>(), read_only<T, 256, 8>(), read_only<T, 256, 4>(), read_only<T, 512, 2>()};
}

template void add_rungs(table<float>&);
template void add_rungs(table<int>&);
template table<float> read_only_passes();
template table<int> read_only_passes();

}  // namespace ladder
