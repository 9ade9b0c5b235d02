// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "slices.hpp"

#include <map>
#include <utility>

namespace bench {

/// What this GPU can do at best, measured in the same run as the passes.
struct device_limits {
  double read_gb_per_s;           ///< a read-only pass over `read_limit_bytes`
  std::int64_t read_limit_bytes;  ///< 4 GiB, or less where the GPU has less memory
  double empty_in_graph_us;       ///< an empty launch of one block among others in a graph
  double empty_full_grid_us;      ///< the same of as many blocks of 256 threads as fit
  double launch_and_sync_us;      ///< an empty launch and the wait for its stream
};

/// Times of a pass that reads the input and does nothing else.
class read_floor {
 public:
  explicit read_floor(const arena& whole);
  ~read_floor();
  read_floor(const read_floor&) = delete;
  read_floor& operator=(const read_floor&) = delete;

  /// Microseconds of the best of a few shapes. Inputs that differ by less than 64 bytes share one
  /// measurement.
  double us(std::int64_t bytes, memory where);
  device_limits limits();

 private:
  const arena& whole_;
  unsigned* never_ = nullptr;  ///< where the reading kernel could store
  std::map<std::pair<std::int64_t, memory>, double> known_;
};

/// An empty kernel of one block.
cudaError_t launch_empty(cudaStream_t s);

}  // namespace bench
