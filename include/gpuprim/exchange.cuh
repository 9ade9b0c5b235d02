// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Values that change their threads: exchanges, loads and stores of tiles, shifts, differences of neighbours, heads and
// tails of runs, and decoded runs, of a warp and of a block.
#include <gpuprim/block/block_adjacent_difference.cuh>
#include <gpuprim/block/block_discontinuity.cuh>
#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/block/block_load_store.cuh>
#include <gpuprim/block/block_run_length_decode.cuh>
#include <gpuprim/block/block_shift.cuh>
#include <gpuprim/version.hpp>
#include <gpuprim/warp/warp_load_store.cuh>
#include <gpuprim/warp/warp_transpose.cuh>
