// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the inputs lie. A pass is timed over several slices of memory in turn. Together they stay well inside
// the L2 cache ("L2") or are far larger than it ("DRAM"), never in between.
#include "check.hpp"

#include <algorithm>
#include <cstdint>

namespace bench {

enum class memory { l2, dram };

inline const char* name_of(memory where) { return where == memory::l2 ? "L2" : "DRAM"; }

inline constexpr std::int64_t KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30;

/// Inputs of up to this size are rotated in the cache, larger ones in DRAM.
inline constexpr std::int64_t most_bytes_in_l2 = 256 * KiB;

inline memory usual_memory(std::int64_t bytes) { return bytes <= most_bytes_in_l2 ? memory::l2 : memory::dram; }

/// Powers of two between the cache and DRAM, of which there are rows of both kinds: calls, and sums of f32 in graphs.
inline constexpr int both_kinds_first = 19, both_kinds_last = 23;

/// One allocation that all benchmarks share, because allocating gigabytes for each would take longer than the
/// timing.
class arena {
 public:
  explicit arena(std::int64_t bytes) : bytes_(bytes) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), std::size_t(bytes)), "allocate the inputs");
  }
  ~arena() { (void)cudaFree(data_); }
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  char* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  char* data_ = nullptr;
  std::int64_t bytes_;
};

/// Equal parts of the arena, each `offset` bytes past a 256-byte boundary.
class slices {
 public:
  slices(const arena& whole, std::int64_t bytes, std::int64_t offset, memory where)
      : data_(whole.data() + offset), stride_((bytes + offset + 255) / 256 * 256) {
    const std::int64_t total = where == memory::l2 ? 16 * MiB : GiB;
    count_ = where == memory::l2 ? std::clamp<std::int64_t>(total / stride_, 1, 64)
                                 : std::max<std::int64_t>((total + bytes - 1) / bytes, 2);
    fits_ = count_ * stride_ <= whole.bytes();
    // A graph of many passes costs time to make, one of few cannot be timed exactly.
    passes_ = std::max<std::int64_t>(count_, where == memory::l2 ? 128 : 16);
  }
  const void* operator[](std::int64_t i) const { return data_ + i % count_ * stride_; }
  /// Passes that a graph over these slices holds, each slice in turn.
  std::int64_t passes() const { return passes_; }
  bool fits() const { return fits_; }

 private:
  const char* data_;
  std::int64_t stride_, count_ = 0, passes_ = 0;
  bool fits_ = false;
};

/// Bytes that inputs of up to `bytes` need.
inline std::int64_t arena_bytes(std::int64_t bytes) { return std::max<std::int64_t>(2 * bytes, GiB) + MiB; }

}  // namespace bench
