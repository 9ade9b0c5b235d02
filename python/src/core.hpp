// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What all calls of the module share: types by their number, arrays as the device reads them, errors.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gpuprim/launch/workspace.cuh>

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "calls.hpp"

namespace gpuprim_python {

/// The number of a type on the Python side: the place of its name in gpuprim/_arrays.py.
enum class dtype : int { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64 };

template <class... Ts>
struct types {};

using floats = types<__half, __nv_bfloat16, float, double>;
using integers = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                       std::uint32_t, std::uint64_t>;
using numbers = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                      std::uint64_t, __half, __nv_bfloat16, float, double>;

/// The place of a type in a list, or -1.
template <class T, class... Ts>
constexpr int place_in(types<Ts...>) {
  int at = 0, place = -1;
  ((place = std::is_same_v<T, Ts> ? at : place, ++at), ...);
  return place;
}

/// The number of a type: those of `numbers` come behind that of bool, in their order.
template <class T>
inline constexpr dtype dtype_of = dtype(1 + place_in<T>(numbers{}));
static_assert(dtype_of<std::int8_t> == dtype::i8 && dtype_of<double> == dtype::f64);

template <class T>
inline constexpr bool is_float =
    dtype_of<T> == dtype::f16 || dtype_of<T> == dtype::bf16 || dtype_of<T> == dtype::f32 || dtype_of<T> == dtype::f64;
template <class T>
inline constexpr bool is_signed = (dtype_of<T> >= dtype::i8) && (dtype_of<T> <= dtype::i64);

/// The type that sums and products of a type are written in: integers have 64 bits.
template <class T>
using wide = std::conditional_t<is_float<T>, T, std::conditional_t<is_signed<T>, std::int64_t, std::uint64_t>>;

/// Calls fn with a null pointer to the type that has the number. A bool is a byte that is 0 or 1.
template <class... Ts, class Fn>
void visit(types<Ts...>, int number, const char* call, const Fn& fn) {
  const dtype wanted = dtype(number) == dtype::boolean ? dtype::u8 : dtype(number);
  const bool found = ((dtype_of<Ts> == wanted && (fn(static_cast<Ts*>(nullptr)), true)) || ...);
  if (!found) throw refused_type(std::string("gpuprim.") + call + ": has no form for arrays of this dtype");
}

/// Calls fn with a null pointer to an unsigned word of as many bytes as elements have, for what only moves them.
template <class Fn>
void visit_words(std::int64_t bytes, const char* call, const Fn& fn) {
  const dtype word = bytes == 1 ? dtype::u8 : bytes == 2 ? dtype::u16 : bytes == 4 ? dtype::u32 : dtype::u64;
  visit(types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>{}, int(word), call, fn);
}

/// Throws what Python raises for an error: a ValueError for arguments that the library refuses.
inline void check(const char* call, cudaError_t error) {
  if (error == cudaSuccess) return;
  const std::string sentence = std::string("gpuprim.") + call + ": " + gpuprim::last_fault();
  if (error == cudaErrorInvalidValue) throw std::invalid_argument(sentence);
  throw cuda_failure(sentence + " (" + cudaGetErrorName(error) + ")");
}

inline void check_runtime(const char* call, cudaError_t error) {
  if (error == cudaSuccess) return;
  throw cuda_failure(std::string("gpuprim.") + call + ": " + cudaGetErrorString(error) + " (" +
                     cudaGetErrorName(error) + ")");
}

#if !defined(SIMT_DEVICE)
/// Where a step of a call takes the memory from that it needs inside.
gpuprim::memory_resource kept_memory();
#endif

/// The device and the stream of a call. While it lives, the device is the current one.
class scope {
 public:
  scope(const char* call, const place& at) : stream(reinterpret_cast<cudaStream_t>(at.stream)) {
#if !defined(SIMT_DEVICE)
    check_runtime(call, cudaGetDevice(&before_));
    if (before_ == at.device) before_ = -1;
    else check_runtime(call, cudaSetDevice(at.device));
#else
    (void)call;
#endif
  }
  ~scope() {
    if (before_ >= 0) (void)cudaSetDevice(before_);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  gpuprim::options how() const {
#if defined(SIMT_DEVICE)
    return {.stream = stream};
#else
    return {.stream = stream, .memory = kept_memory()};
#endif
  }

  cudaStream_t stream;

 private:
  int before_ = -1;
};

/// Whether segments may leave out elements at the ends of an array.
enum class offsets_of { any_part, whole_array };

#if defined(SIMT_DEVICE)

/// Offsets in host memory can be looked at before a launch.
inline void check_offsets(const char* call, address offsets, std::int64_t segments, std::int64_t n,
                          offsets_of part = offsets_of::any_part) {
  const auto* const at = reinterpret_cast<const std::int64_t*>(offsets);
  bool is_good = at[0] >= 0 && at[segments] <= n;
  for (std::int64_t i = 0; i < segments; ++i) is_good = is_good && at[i] <= at[i + 1];
  if (part == offsets_of::whole_array) is_good = is_good && at[0] == 0 && at[segments] == n;
  if (!is_good) {
    throw std::invalid_argument(std::string("gpuprim.") + call + ": the offsets decrease, or do not fit the array");
  }
}

/// Memory of the host SIMT device.
class device_memory {
 public:
  explicit device_memory(std::int64_t bytes) {
    check_runtime("allocate", cudaMalloc(&memory_, std::size_t(bytes) + 1));
  }
  ~device_memory() { (void)cudaFree(memory_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

/// An array of the caller's that a call reads: its copy in the memory of the host SIMT device.
template <class T>
class input {
 public:
  input(address from, std::int64_t n) : copy_(n * std::int64_t(sizeof(T))) {
    if (n > 0) {
      check_runtime("copy", cudaMemcpy(copy_.get(), reinterpret_cast<const void*>(from), std::size_t(n) * sizeof(T),
                                       cudaMemcpyHostToDevice));
    }
  }
  const T* get() const { return static_cast<const T*>(copy_.get()); }

 private:
  device_memory copy_;
};

/// An array of the caller's that a call writes; `keep` copies what has been written.
template <class T>
class output {
 public:
  output(address to, std::int64_t n) : to_(to), n_(n), copy_(n * std::int64_t(sizeof(T))) {}
  T* get() const { return static_cast<T*>(copy_.get()); }
  void keep() const { keep(n_); }
  void keep(std::int64_t n) const {
    if (n > 0) {
      check_runtime("copy", cudaMemcpy(reinterpret_cast<void*>(to_), copy_.get(), std::size_t(n) * sizeof(T),
                                       cudaMemcpyDeviceToHost));
    }
  }

 private:
  address to_;
  std::int64_t n_;
  device_memory copy_;
};

#else

inline void check_offsets(const char*, address, std::int64_t, std::int64_t, offsets_of = offsets_of::any_part) {}

template <class T>
class input {
 public:
  input(address from, std::int64_t) : from_(reinterpret_cast<const T*>(from)) {}
  const T* get() const { return from_; }

 private:
  const T* from_;
};

template <class T>
class output {
 public:
  output(address to, std::int64_t) : to_(reinterpret_cast<T*>(to)) {}
  T* get() const { return to_; }
  void keep() const {}
  void keep(std::int64_t) const {}

 private:
  T* to_;
};

#endif

/// What std::iterator_traits asks of an input that is no array, beside its operator[].
template <class Derived, class T>
struct input_of {
  using value_type = T;
  using reference = T;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  GPUPRIM_HOST_DEVICE T operator*() const { return static_cast<const Derived&>(*this)[0]; }
};

}  // namespace gpuprim_python
