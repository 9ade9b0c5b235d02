// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arguments of random calls that a test can spoil, one at a time: addresses of arrays, where outputs lie, and counts.
// The SIMT device alone knows addresses of the host, and reads none that has been refused.
#include "device.cuh"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace test {

enum class fault { none, null, misaligned, on_host, overlap, negative, too_large };

/// What is spoiled while a call is made: the argument behind so many others that could be.
struct spoiler {
  fault what = fault::none;
  std::int64_t ahead = 0;
  std::uintptr_t place = 0, end = 0;           // in an input, for an output
  int addresses = 0, outputs = 0, counts = 0;  // that the call has taken
  bool is_done = false;

  bool takes(bool is_one) {
    if (!is_one || is_done) return false;
    is_done = ahead-- == 0;
    return is_done;
  }
};
inline spoiler* in_force = nullptr;

/// An address as a call is to be given it. One that something is added to is not null then, but the host's.
template <class T>
T* given(T* address, bool is_whole = true) {
  if (in_force == nullptr) return address;
  ++in_force->addresses;
  const fault what = in_force->what;
  if (!in_force->takes(what == fault::null || what == fault::misaligned || what == fault::on_host)) return address;
  static const auto of_host = std::make_unique<std::max_align_t[]>(4096);
  const bool is_null = what == fault::null || (what == fault::misaligned && alignof(T) == 1);
  if (is_null && is_whole) return nullptr;
  if (is_null || what == fault::on_host) return reinterpret_cast<T*>(of_host.get());
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(address) + 1);
}

/// The address of an output as a call is to be given it.
template <class T>
T* given_output(T* address, std::size_t results) {
  if (in_force != nullptr && results > 0) {
    ++in_force->outputs;
    const std::uintptr_t place = (in_force->place + alignof(T) - 1) / alignof(T) * alignof(T);
    if (in_force->takes(in_force->what == fault::overlap && place < in_force->end)) return reinterpret_cast<T*>(place);
  }
  return given(address);
}

/// A count as a call is to be given it.
inline std::int64_t given(std::int64_t count) {
  if (in_force == nullptr) return count;
  ++in_force->counts;
  const fault what = in_force->what;
  if (!in_force->takes(what == fault::negative || what == fault::too_large)) return count;
  return what == fault::negative ? -1 - count : (std::numeric_limits<std::int64_t>::max)() - count % 16;
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

/// An array that results are written to.
template <class T>
class output_array : public device_array<T> {
 public:
  explicit output_array(std::size_t n, std::size_t misalignment = 0) : device_array<T>(n, misalignment), results_(n) {}
  T* data() const { return given_output(device_array<T>::data(), results_); }

 private:
  std::size_t results_;
};

}  // namespace test
