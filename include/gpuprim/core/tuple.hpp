// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/operators.hpp>

#include <utility>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Values side by side, trivially copyable if they are, which `std::tuple` is not. For structured bindings too.
template <class... Ts>
struct tuple;

/// A tuple of one value.
template <class Last>
struct tuple<Last> {
  /// The value.
  Last first;
  /// Equal if all members are.
  friend bool operator==(const tuple&, const tuple&) = default;
};

/// A tuple of several values: the first, and a tuple of the others.
template <class First, class... Rest>
struct tuple<First, Rest...> {
  /// The first value.
  First first;
  /// The others.
  tuple<Rest...> rest;
  /// Equal if all members are.
  friend bool operator==(const tuple&, const tuple&) = default;
};

template <class... Ts>
tuple(Ts...) -> tuple<Ts...>;

/// The value at a position, counted from 0.
template <std::size_t Index, class... Ts>
GPUPRIM_HOST_DEVICE constexpr auto get(const tuple<Ts...>& t) {
  if constexpr (Index == 0) return t.first;
  else return get<Index - 1>(t.rest);
}

/// Joins tuples member by member, each by an operator of its own: several reductions in one.
template <class... Ops>
struct each {
  /// The operator of each member.
  tuple<Ops...> ops;

  /// Joins two tuples.
  template <class... Ts>
  GPUPRIM_HOST_DEVICE constexpr tuple<Ts...> operator()(const tuple<Ts...>& a, const tuple<Ts...>& b) const {
    static_assert(sizeof...(Ts) == sizeof...(Ops), "gpuprim::each: there must be one operator for each member");
    return join(a, b, std::index_sequence_for<Ts...>{});
  }

 private:
  template <class... Ts, std::size_t... Index>
  GPUPRIM_HOST_DEVICE constexpr tuple<Ts...> join(const tuple<Ts...>& a, const tuple<Ts...>& b,
                                                  std::index_sequence<Index...>) const {
    return {static_cast<Ts>(get<Index>(ops)(get<Index>(a), get<Index>(b)))...};
  }
};

template <class... Ops>
each(tuple<Ops...>) -> each<Ops...>;

template <class... Ops, class... Ts>
  requires(sizeof...(Ops) == sizeof...(Ts))
inline constexpr bool is_commutative<each<Ops...>, tuple<Ts...>> = (is_commutative<Ops, Ts> && ...);

template <class... Ops, class... Ts>
  requires(sizeof...(Ops) == sizeof...(Ts) && (has_identity<Ops, Ts> && ...))
struct identity_element<each<Ops...>, tuple<Ts...>> {
  GPUPRIM_HOST_DEVICE static constexpr tuple<Ts...> value() {
    return {static_cast<Ts>(identity_element<Ops, Ts>::value())...};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim

/// @cond
template <class... Ts>
struct std::tuple_size<gpuprim::tuple<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};

template <std::size_t Index, class... Ts>
struct std::tuple_element<Index, gpuprim::tuple<Ts...>> {
  using type = decltype(get<Index>(std::declval<const gpuprim::tuple<Ts...>&>()));
};
/// @endcond
