// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/half_precision.hpp>

#include <cstdint>
#include <span>  // iterator_traits, contiguous_iterator, to_address: decision 9

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// What a primitive reads: a pointer, or anything that can be indexed by a 64-bit offset on the device.
template <class It>
concept random_access_input = requires(const It& it, std::int64_t i) {
  typename std::iterator_traits<It>::value_type;
  it[i];
};

/// The type of the elements that an iterator reads.
template <class It>
using input_value = std::remove_cv_t<typename std::iterator_traits<It>::value_type>;

/// An input whose element i is i: as the values of a sort it makes positions.
template <class T = std::int64_t>
struct positions {
  /// What std::iterator_traits asks for.
  using value_type = T;
  /// Elements are made where they are read.
  using reference = T;
  /// None is in memory.
  using pointer = void;
  /// What elements are counted in.
  using difference_type = std::int64_t;
  /// Any element can be read.
  using iterator_category = std::random_access_iterator_tag;

  /// The position itself.
  GPUPRIM_HOST_DEVICE constexpr T operator[](std::int64_t i) const { return static_cast<T>(i); }
};

namespace detail {

/// What makes an input an iterator to `std::iterator_traits`.
template <class T>
struct input_iterator_types {
  using value_type = T;
  using reference = T;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
};

/// Returns what it is given.
struct as_it_is {
  template <class T> GPUPRIM_HOST_DEVICE constexpr const T& operator()(const T& x) const { return x; }
};

/// `thrust::device_ptr<T>` or `<const T>`: a class that has a raw pointer to its elements in `get()`.
template <class It>
concept fancy_pointer = requires(const It& it) {
  typename It::raw_pointer;  // thrust's own: another's get() may be where a strided one begins
  { it.get() } -> std::convertible_to<const typename std::iterator_traits<It>::value_type*>;
};

/// An iterator that refers to elements in memory by Thrust's proxies, as those of `thrust::device_vector` do.
template <class It>
concept proxy_iterator = requires(const It& it, std::int64_t i) {
  typename std::iterator_traits<It>::value_type;
  requires fancy_pointer<std::remove_cvref_t<decltype(&it[i])>>;
};

/// Such an iterator, which refers to the elements themselves. A proxy's conversion to an element needs a default
/// constructor, and a function of an element does not take a proxy.
template <proxy_iterator It>
struct without_proxies {
  using value_type = typename std::iterator_traits<It>::value_type;
  using pointer = decltype((&std::declval<const It&>()[0]).get());
  using reference = std::remove_pointer_t<pointer>&;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;

  It it;

  GPUPRIM_HOST_DEVICE constexpr pointer address(std::int64_t i) const { return (&it[i]).get(); }
  GPUPRIM_HOST_DEVICE constexpr reference operator[](std::int64_t i) const { return *address(i); }
  GPUPRIM_HOST_DEVICE constexpr reference operator*() const { return *address(0); }
};

/// True for what may be `thrust::device_vector<T>::iterator`, which wraps a fancy pointer to the same elements. A
/// reversed one differs from it only in the addresses of two neighbours.
template <class It>
inline constexpr bool may_be_contiguous = false;
template <template <class> class Adaptor, fancy_pointer Pointer>
  requires requires(const Adaptor<Pointer>& it) {
    { it.base() } -> std::convertible_to<Pointer>;
  }
inline constexpr bool may_be_contiguous<without_proxies<Adaptor<Pointer>>> = true;

/// The raw pointer behind an iterator that is known at compile time to be contiguous; other iterators without proxies.
template <class It>
constexpr auto unwrap_contiguous(const It& it) {
  if constexpr (std::is_pointer_v<It>) return it;
  else if constexpr (fancy_pointer<It>) return it.get();
  else if constexpr (std::contiguous_iterator<It>) return std::to_address(it);
  else if constexpr (proxy_iterator<It>) return without_proxies<It>{it};
  else return it;
}

/// What a kernel writes to in place of an output. Clang takes std::declval for a function of the host alone.
template <class It>
using raw_iterator = decltype(detail::unwrap_contiguous(*static_cast<const It*>(nullptr)));

}  // namespace detail

/// Where a primitive writes one value of T.
template <class It, class T>
concept output_for =
    requires(detail::raw_iterator<It> it, const T& value) { *it = detail::convertible<decltype(*it)>(value); };
/// Where a primitive writes several values of T.
template <class It, class T>
concept outputs_for = requires(detail::raw_iterator<It> it, const T& value, std::int64_t i) {
  it[i] = detail::convertible<decltype(it[i])>(value);
};

namespace detail {

template <class Out>
constexpr auto find_held() {
  using place = decltype(*std::declval<const raw_iterator<Out>&>());
  return std::type_identity<std::remove_reference_t<place>>{};
}
/// What an output holds, or the proxy of its places.
template <class Out>
using held_by = typename decltype(detail::find_held<Out>())::type;

/// Refuses an output. The compiler prints the name of this, which has what it holds and what it was to take.
template <class Held>
struct output_holds {
  template <class Result>
  struct and_the_result_is {
    static_assert(sizeof(Held*) == 0,
                  "gpuprim: an output does not take what is written to it; the name of this class has both types");
    static constexpr bool taken = false;
  };
};
template <class Out, class T>
constexpr bool find_taken() {
  if constexpr (outputs_for<Out, T> || output_for<Out, T>) return true;
  else if constexpr (requires(const raw_iterator<Out>& it) { *it; }) {
    return output_holds<held_by<Out>>::template and_the_result_is<T>::taken;
  } else {
    return output_holds<Out>::template and_the_result_is<T>::taken;
  }
}

/// output_for and outputs_for where a call asserts them: what does not hold says of which types.
template <class Out, class T>
inline constexpr bool takes_result = detail::find_taken<Out, T>() && output_for<Out, T>;
template <class Out, class T>
inline constexpr bool takes_results = detail::find_taken<Out, T>() && outputs_for<Out, T>;

/// Whether an output is an array of elements of a type; where it is not, the compiler prints both.
template <class Out, class T>
constexpr bool find_array_of() {
  if constexpr (std::is_same_v<std::remove_const_t<Out>, T*>) return true;
  else if constexpr (std::is_pointer_v<std::remove_const_t<Out>>) {
    return output_holds<std::remove_pointer_t<std::remove_const_t<Out>>>::template and_the_result_is<T>::taken;
  } else {
    return output_holds<Out>::template and_the_result_is<T>::taken;
  }
}
template <class Out, class T>
inline constexpr bool is_array_of = detail::find_array_of<Out, T>();

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
