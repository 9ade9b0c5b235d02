// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Copies of what sorts and top-k read, with room for what they write.
#include "copies.cuh"
#include "keys.hpp"

#include <cuda_fp16.h>

#include <type_traits>

namespace bench {

__device__ inline std::uint64_t scramble(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return i ^ i >> 31;
}

/// Floating keys are random numbers, normal or else spread evenly, of which none is NaN. By Zipf's law there are a
/// million distinct integers.
template <class Key>
__global__ void fill_keys(Key* out, std::int64_t n, key_order order) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::uint64_t bits = scramble(std::uint64_t(i));
    const double part = (double(bits >> 11) + 0.5) * 0x1p-53;  // from 0 to 1
    if constexpr (std::is_floating_point_v<Key> || std::is_same_v<Key, __half>) {
      using number = std::conditional_t<std::is_floating_point_v<Key>, Key, float>;
      if (order == key_order::normal) {
        const double turn = double(scramble(bits) >> 11) * 0x1p-53;
        out[i] = Key(number(sqrt(-2 * log(part)) * cospi(2 * turn)));
      } else {
        out[i] = Key(number(int(bits >> 32)) * number(sizeof(Key) == 2 ? 1e-5 : 1e-3));
      }
    } else {
      const double greatest = sizeof(Key) == 8 ? 1.8e19 : 4.2e9;
      switch (order) {
        case key_order::random:
          out[i] = Key(bits);
          break;
        case key_order::all_equal:
          out[i] = Key(0x12345678);
          break;
        case key_order::few_distinct:
          out[i] = Key(scramble(bits % 16));
          break;
        case key_order::sorted:
          out[i] = Key(i);
          break;
        case key_order::nearly_sorted:
          out[i] = Key(bits % 100 == 0 ? scramble(bits) % std::uint64_t(n) : i);
          break;
        case key_order::reversed:
          out[i] = Key(n - i);
          break;
        case key_order::below_2_20:
          out[i] = Key(bits % (1 << 20));
          break;
        case key_order::upper_shared:
          out[i] = Key((std::uint64_t(0xabcd) << 48 | bits >> 16) >> (64 - 8 * sizeof(Key)));
          break;
        case key_order::exponential:
          out[i] = Key(-log(part) * greatest / 40);
          break;
        case key_order::zipf:
          out[i] = Key(std::uint64_t(exp(part * log(1e6))));
          break;
        case key_order::reciprocal:
          out[i] = Key(1 / (part + 1e-9));
          break;
        case key_order::with_outliers:
          out[i] = bits % 1000000 == 0 ? Key(~bits) : Key(bits % 50000);
          break;
        case key_order::normal:
          break;  // of floating keys alone
      }
    }
  }
}

/// Bytes of the arrays of a pass. One that has none is not read or written.
struct key_pass_bytes {
  std::int64_t keys, values, keys_out, values_out;
};

class key_copies {
 public:
  /// Keys of the problem's type, and the positions as values of 4 bytes.
  template <class Problem>
  key_copies(const Problem& problem, key_order order, std::int64_t n, const key_pass_bytes& bytes, const arena& whole)
      : n_(n),
        bytes_(bytes),
        stride_(round_up(bytes.keys) + round_up(bytes.values) + round_up(bytes.keys_out) + round_up(bytes.values_out)),
        count_(count_copies(stride_)),
        data_(whole.data()) {
    for (std::int64_t c = 0; c < count_; ++c) {
      const key_pass at = (*this)[c];
      check(with_key_type(problem,
                          [&]<class Key>() {
                            fill_keys<<<1024, 256>>>(static_cast<Key*>(const_cast<void*>(at.keys)), n, order);
                            return cudaGetLastError();
                          }),
            "fill");
      if (bytes.values == 0) continue;
      fill_keys<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.values)), n, key_order::sorted);
    }
    check(cudaDeviceSynchronize(), "fill");
  }

  std::int64_t count() const { return count_; }
  /// Any number: the copies take turns.
  key_pass operator[](std::int64_t i) const {
    char* const keys = data_ + i % count_ * stride_;
    char* const values = keys + round_up(bytes_.keys);
    char* const keys_out = values + round_up(bytes_.values);
    return {keys, values, n_, keys_out, keys_out + round_up(bytes_.keys_out)};
  }

 private:
  static std::int64_t round_up(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

  std::int64_t n_;
  key_pass_bytes bytes_;
  std::int64_t stride_, count_;
  char* data_;
};

}  // namespace bench
