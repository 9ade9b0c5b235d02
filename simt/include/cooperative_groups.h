// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups on the host SIMT device.
#pragma once

#include <cuda_runtime.h>

#include <simt/groups/any_group.hpp>
#include <simt/groups/block.hpp>
#include <simt/groups/cluster.hpp>
#include <simt/groups/coalesced.hpp>
#include <simt/groups/grid.hpp>
#include <simt/groups/tile.hpp>
