// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arguments of random calls that a test can spoil, one at a time: addresses of arrays, and counts. The SIMT device
// alone knows addresses of the host, and reads none that has been refused.
#include "device.cuh"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace test {

enum class fault { none, null, misaligned, on_host, negative, too_large };

/// What is spoiled while a call is made: the argument behind so many others that could be.
struct spoiler {
  fault what = fault::none;
  std::int64_t ahead = 0;
  int addresses = 0, counts = 0;  // that the call has taken
  bool is_done = false;

  bool takes(bool is_address) {
    ++(is_address ? addresses : counts);
    const bool wants_address = what == fault::null || what == fault::misaligned || what == fault::on_host;
    if (what == fault::none || wants_address != is_address || is_done) return false;
    is_done = ahead-- == 0;
    return is_done;
  }
};
inline spoiler* in_force = nullptr;

/// An address as a call is to be given it. One that something is added to is not null then, but the host's.
template <class T>
T* given(T* address, bool is_whole = true) {
  if (in_force == nullptr || !in_force->takes(true)) return address;
  static const auto of_host = std::make_unique<std::max_align_t[]>(4096);
  const bool is_null = in_force->what == fault::null || (in_force->what == fault::misaligned && alignof(T) == 1);
  if (is_null && is_whole) return nullptr;
  if (is_null || in_force->what == fault::on_host) return reinterpret_cast<T*>(of_host.get());
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(address) + 1);
}

/// A count as a call is to be given it.
inline std::int64_t given(std::int64_t count) {
  if (in_force == nullptr || !in_force->takes(false)) return count;
  return in_force->what == fault::negative ? -1 - count : (std::numeric_limits<std::int64_t>::max)() - count % 16;
}

/// Makes a call with what is spoiled.
template <class Call>
cudaError_t make_spoiled(spoiler& how, const Call& call) {
  in_force = &how;
  const cudaError_t error = call();
  in_force = nullptr;
  return error;
}

/// An array whose address is an argument.
template <class T>
class argument_array : public device_array<T> {
 public:
  using device_array<T>::device_array;
  T* data() const { return given(device_array<T>::data()); }
};

}  // namespace test
