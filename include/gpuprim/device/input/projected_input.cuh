// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inputs that read themselves: an input with a projection, which makes accumulators of its elements, and two inputs
// side by side. A projection has two members:
//   item<Acc>(element, position)              the accumulator of one element
//   fold<Acc, T>(packed, position, op)        the accumulator of all elements of a load, which is still packed
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/tuple.hpp>
#include <gpuprim/device/input/array_input.cuh>
#include <gpuprim/thread/thread_dot.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// An element of each of two inputs.
template <class A, class B>
struct element_pair {
  A first;
  B second;
};

template <class A, class B>
struct packed_pair {
  loaded<A> first;
  loaded<B> second;
};

/// The elements of a load.
template <class T> __device__ __forceinline__ auto unpack_load(const uint4& packed) { return unpack<T>(packed); }
template <class T>
__device__ __forceinline__ auto unpack_load(const uninitialized_array<T, 1>& packed) {
  return packed;
}
template <class T, class A, class B>
__device__ __forceinline__ auto unpack_load(const packed_pair<A, B>& packed) {
  constexpr int count = elements_per_load<A>;
  const auto first = unpack<A>(packed.first);
  const auto second = unpack<B>(packed.second);
  uninitialized_array<element_pair<A, B>, count> items;
#pragma unroll
  for (int i = 0; i < count; ++i) items[i] = {first[i], second[i]};
  return items;
}

template <class T, class Packed>
inline constexpr int elements_in_load = 1;
template <class T>
inline constexpr int elements_in_load<T, uint4> = elements_per_load<T>;
template <class T>
inline constexpr int elements_in_load<T, triple_load> = elements_per_triple<T>;
template <class T, class A, class B>
inline constexpr int elements_in_load<T, packed_pair<A, B>> = elements_per_load<A>;

/// Two arrays of elements of one size whose addresses are equally far past a 16-byte boundary.
template <class A, class B>
struct zipped_input : input_iterator_types<element_pair<A, B>> {
  static constexpr int load_items = elements_per_load<A>;
  static constexpr bool loads_fit = false;
  const A* first;
  const B* second;

  zipped_input(const A* a, const B* b) : first(a), second(b) {}
  static bool fits(const A* a, const B* b) {
    const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
    return load_bytes % sizeof(A) != 0 || (x % load_bytes == y % load_bytes && x % sizeof(A) == 0);
  }
  std::int64_t items_past_boundary() const {
    return std::int64_t(reinterpret_cast<std::uintptr_t>(first) % load_bytes / sizeof(A));
  }
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line(first, at); }
  __device__ element_pair<A, B> operator[](std::int64_t at) const { return {first[at], second[at]}; }
  __device__ packed_pair<A, B> load(std::int64_t at) const {
    return {load_packed(first + at), load_packed(second + at)};
  }
  __device__ void prefetch(std::int64_t at) const {
    ptx::prefetch_to_l2(first + at);
    ptx::prefetch_to_l2(second + at);
  }
};

/// Two arrays of elements of one size whose addresses are not: what a lane needs of the second lies in two loads.
template <class A, class B>
struct zipped_shifted_input : input_iterator_types<element_pair<A, B>> {
  static constexpr int load_items = elements_per_load<A>;
  static constexpr int margin_items = load_items;  // all of both loads is in the array
  static constexpr bool loads_fit = false;
  const A* first;
  const B* second;
  int shift;  ///< bytes between the first of the two loads and what is needed

  zipped_shifted_input(const A* a, const B* b)
      : first(a),
        second(b),
        shift(int((reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a)) % load_bytes)) {}
  std::int64_t items_past_boundary() const {
    return std::int64_t(reinterpret_cast<std::uintptr_t>(first) % load_bytes / sizeof(A));
  }
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line(first, at); }
  __device__ element_pair<A, B> operator[](std::int64_t at) const { return {first[at], second[at]}; }
  __device__ packed_pair<A, B> load(std::int64_t at) const {
    return {load_packed(first + at), detail::load_shifted(second + at, shift)};
  }
  __device__ void prefetch(std::int64_t at) const {
    ptx::prefetch_to_l2(first + at);
    ptx::prefetch_to_l2(second + at);
  }
};

/// Any two inputs, read element by element.
template <class First, class Second>
struct zipped_items
    : input_iterator_types<element_pair<std::remove_cv_t<typename std::iterator_traits<First>::value_type>,
                                        std::remove_cv_t<typename std::iterator_traits<Second>::value_type>>> {
  First first;
  Second second;

  zipped_items(First a, Second b) : first(a), second(b) {}
  __device__ typename zipped_items::value_type operator[](std::int64_t at) const { return {first[at], second[at]}; }
};

/// True for a projection that joins the rows of a unit to a lane's running value itself: it has a third member,
///   join_unit<Acc, T>(total, loads, position, op)
/// where position(row) is that of a row's first element.
template <class Project, class T>
inline constexpr bool joins_units_of = requires { requires Project::template joins_units<T>; };

/// An input whose elements become accumulators by a projection.
template <class In, class Project>
struct projected_input : input_iterator_types<std::remove_cv_t<typename std::iterator_traits<In>::value_type>> {
  using value_type = typename projected_input::input_iterator_types::value_type;
  static constexpr int load_items = count_load_items<In>(), margin_items = count_margin_items<In>();
  static constexpr bool loads_fit = fits_wide_load<In>();
  In in;
  Project project;

  projected_input(In i, Project p) : in(i), project(p) {}
  std::int64_t items_past_boundary() const { return detail::count_items_past_boundary(in); }
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line(in, at); }
  __device__ auto load(std::int64_t at) const { return detail::load_input<value_type>(in, at); }
  __device__ void prefetch(std::int64_t at) const {
    if constexpr (std::is_pointer_v<In> || reads_itself<In>) prefetch_load(in, at);
  }
  template <class Acc, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op& op) const {
    return project.template fold<Acc, value_type>(packed, at, op);
  }
  static constexpr bool joins_units = joins_units_of<Project, value_type>;
  template <class Acc, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position& position, const Op& op) const {
    project.template join_unit<Acc, value_type>(total, loads, position, op);
  }
  __device__ value_type operator[](std::int64_t at) const { return detail::convert<value_type>(in[at]); }
  template <class Acc>
  __device__ Acc item(const value_type& value, std::int64_t at) const {
    return project.template item<Acc>(value, at);
  }
};

template <class In, class Project>
inline constexpr int loads_in_row<projected_input<In, Project>> = loads_in_row<In>;

/// The elements of a load, each made an accumulator, joined in order.
template <class Acc, class T, class Project, class Packed, class Op>
__device__ __forceinline__ Acc fold_items_of(const Project& project, const Packed& packed, std::int64_t at,
                                             const Op& op) {
  const auto items = unpack_load<T>(packed);
  constexpr int count = elements_in_load<T, Packed>;
  uninitialized_array<Acc, count> wide;
#pragma unroll
  for (int i = 0; i < count; ++i) wide[i] = project.template item<Acc>(items[i], at + i);
  return gpuprim::thread_reduce(wide, op);
}

/// Elements as they are.
struct converted {
  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    return detail::convert<Acc>(value);
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op& op) const {
    return fold_load<Acc, T>(packed, op);
  }
};

/// A function of an element, or of the elements of two inputs. InLoad: the type that the values of one load are
/// joined in, if not the accumulator type.
template <class Function, class InLoad = void>
struct transformed {
  Function function;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    return detail::convert<Acc>(function(value));
  }
  template <class Acc, class A, class B>
  __device__ Acc item(const element_pair<A, B>& value, std::int64_t) const {
    return detail::convert<Acc>(function(value.first, value.second));
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op& op) const {
    using joined = std::conditional_t<std::is_void_v<InLoad>, Acc, InLoad>;
    constexpr bool is_square = std::is_same_v<Function, square<joined>> && std::is_same_v<Packed, uint4>;
    constexpr bool is_packed = sizeof(T) == 1 && sizeof(joined) == 4 && has_packed_products<T, T, joined>;
    if constexpr (is_square && is_packed && is_from<Op, plus>) {
      return static_cast<Acc>(gpuprim::thread_dot<T>(packed, packed, joined{0}));
    } else {
      return static_cast<Acc>(fold_items_of<joined, T>(*this, packed, at, op));
    }
  }
};

/// Several projections of one input, for an operator that joins tuples. If one of them joins units itself, the others
/// join row by row, so that equal computations of two of them on the same elements are done once.
template <class... Projects>
struct fused_projection {
  template <class T>
  static constexpr bool joins_units = (joins_units_of<Projects, T> || ...);
  tuple<Projects...> projects;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t at) const {
    return with_members<Acc>([&]<class... Accs, std::size_t... Index>(tuple<Accs...>*, std::index_sequence<Index...>) {
      return Acc{get<Index>(projects).template item<Accs>(value, at)...};
    });
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op& op) const {
    return with_members<Acc>([&]<class... Accs, std::size_t... Index>(tuple<Accs...>*, std::index_sequence<Index...>) {
      return Acc{get<Index>(projects).template fold<Accs, T>(packed, at, get<Index>(op.ops))...};
    });
  }

  template <class Acc, class T, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position& position, const Op& op) const {
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      update(total, op, [&]<class Part>(Part part, const auto& project, const auto& part_op) {
        using Project = std::remove_cvref_t<decltype(project)>;
        if constexpr (joins_units_of<Project, T>) return part;
        else return part_op(part, project.template fold<Part, T>(loads[row], position(row), part_op));
      });
    }
    update(total, op, [&]<class Part>(Part part, const auto& project, const auto& part_op) {
      if constexpr (joins_units_of<std::remove_cvref_t<decltype(project)>, T>) {
        project.template join_unit<Part, T>(part, loads, position, part_op);
      }
      return part;
    });
  }

 private:
  template <class Acc, class Go>
  __device__ static Acc with_members(const Go& go) {
    return go(static_cast<Acc*>(nullptr), std::index_sequence_for<Projects...>{});
  }

  /// Replaces each member by `next` of it.
  template <class Acc, class Op, class Next>
  __device__ void update(Acc& total, const Op& op, const Next& next) const {
    total = with_members<Acc>([&]<class... Accs, std::size_t... Index>(tuple<Accs...>*, std::index_sequence<Index...>) {
      return Acc{static_cast<Accs>(next(get<Index>(total), get<Index>(projects), get<Index>(op.ops)))...};
    });
  }
};

}  // namespace gpuprim::detail
