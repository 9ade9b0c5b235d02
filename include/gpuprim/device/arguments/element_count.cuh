// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/launch/outcome.cuh>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// How many elements a call takes: a number that the host knows, or one that lies in device memory when the kernel
/// runs, as in a graph whose earlier nodes compute it.
class element_count {
 public:
  /// The number `n`.
  constexpr element_count(std::int64_t n) : most_(n) {}
  /// The number at `in_device`, which counts as `most` where it is larger, and as 0 where it is negative.
  template <class T>
    requires(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8))
  constexpr element_count(const T* in_device, std::int64_t most)
      : most_(most), at_(in_device), bytes_(int(sizeof(T))), is_signed_(std::is_signed_v<T>) {}

  /// What the host knows of it.
  GPUPRIM_HOST_DEVICE constexpr std::int64_t most() const { return most_; }
  /// Whether a kernel reads the number.
  GPUPRIM_HOST_DEVICE constexpr bool is_in_device_memory() const { return bytes_ > 0; }

  /// A kernel calls it; of a number in device memory after the kernels that compute it.
  __device__ __forceinline__ std::int64_t read() const {
    if (bytes_ == 0) return most_;
    std::int64_t n = 0;
    if (bytes_ == 8) n = *static_cast<const std::int64_t*>(at_);
    else if (is_signed_) n = *static_cast<const std::int32_t*>(at_);
    else n = *static_cast<const std::uint32_t*>(at_);
    if (n < 0) return is_signed_ ? 0 : most_;
    return n < most_ ? n : most_;
  }

  /// What is wrong with it as far as the host knows, if anything.
  detail::outcome validate() const {
    if (most_ < 0) return {cudaErrorInvalidValue, "the count is negative"};
    if (bytes_ == 0) return {};
    if (at_ == nullptr) return {cudaErrorInvalidValue, "the count is a null pointer"};
    if (address() % unsigned(bytes_) != 0) return {cudaErrorInvalidValue, "the count is not aligned to its type"};
    if (detail::is_host_memory(at_)) return {cudaErrorInvalidValue, "the count is in host memory"};
    return {};
  }

  /// Whether the number is among n elements, or where one is, so that a call which writes these would overwrite it.
  template <class Out>
  bool overlaps(const Out& out, std::int64_t n) const {
    if constexpr (std::is_pointer_v<Out>) {
      const auto first = reinterpret_cast<std::uintptr_t>(out);
      if (bytes_ == 0 || n <= 0 || address() + unsigned(bytes_) <= first) return false;
      return address() < first || (address() - first) / sizeof(*out) < std::uintptr_t(n);
    } else {
      return false;
    }
  }

 private:
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(at_); }

  std::int64_t most_;
  const void* at_ = nullptr;
  int bytes_ = 0;  ///< 0: the host knows the number
  bool is_signed_ = true;
};

namespace detail {

// A number of elements is one that the host knows, a std::int64_t, or an element_count where a kernel of its own reads
// it.
inline std::int64_t most_of(std::int64_t n) { return n; }
inline std::int64_t most_of(const element_count& n) { return n.most(); }

/// What a call takes as a number of elements.
template <class Count>
concept number_of_elements = std::is_same_v<Count, element_count> || std::is_convertible_v<const Count&, std::int64_t>;

/// The number that a call was given, as one of these two.
template <class Count>
constexpr auto as_count(const Count& n) {
  if constexpr (std::is_same_v<Count, element_count>) return n;
  else return static_cast<std::int64_t>(n);
}

/// In place of an array, one of which as many elements count as a number in device memory says.
template <class In>
struct counted_array {};

/// The number as an element of an iterator: the end of the only segment of an array.
struct count_iterator : input_iterator_types<std::int64_t> {
  element_count count;
  __device__ std::int64_t operator[](std::int64_t) const { return count.read(); }
};
/// And the begin of that segment.
struct zero_iterator : input_iterator_types<std::int64_t> {
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t) const { return 0; }
};

/// Checks a number of elements, and that it is not among the first `results` of any output.
template <class... Outs>
outcome check_count(std::int64_t, std::int64_t, const Outs&...) {
  return {};
}
template <class... Outs>
outcome check_count(const element_count& n, [[maybe_unused]] std::int64_t results, const Outs&... outs) {
  if (const outcome bad = n.validate(); bad.failed()) return bad;
  if ((n.overlaps(outs, results) || ...)) return {cudaErrorInvalidValue, "the count lies in an output"};
  return {};
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
