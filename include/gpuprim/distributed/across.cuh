// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What each rank computes of its part for a query over all parts, and how the parts' results join.
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/accurate_sum.cuh>
#include <gpuprim/device/extrema.cuh>
#include <gpuprim/device/moments.cuh>
#include <gpuprim/device/norms.cuh>
#include <gpuprim/device/reduce_into.cuh>
#include <gpuprim/distributed/records.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

template <class T, class Op>
struct identity_element<detail::maybe_monoid<T, Op>, detail::maybe<T>> {
  GPUPRIM_HOST_DEVICE static constexpr detail::maybe<T> value() { return {}; }
};
template <class T, class Op>
inline constexpr bool is_commutative<detail::maybe_monoid<T, Op>, detail::maybe<T>> = is_commutative<Op, T>;

namespace detail {

/// The local pass of a query, and how the ranks' results become that over all elements.
template <class Local, class Join, class Finish>
struct rank_reduction {
  using result = typename Local::result;
  Local local;
  Join join;
  Finish finish;
};
template <class Local, class Join, class Finish>
rank_reduction(Local, Join, Finish) -> rank_reduction<Local, Join, Finish>;

/// Joins results that do not depend on where their elements are.
template <class Op>
struct join_results {
  Op op;
  template <class Result>
  GPUPRIM_HOST_DEVICE Result operator()(const Result& a, std::int64_t, const Result& b, std::int64_t) const {
    return op(a, b);
  }
};

/// Joins records, whose counts add up.
template <class Join>
struct join_by_rank {
  Join join;
  template <class Result>
  GPUPRIM_HOST_DEVICE rank_record<Result> operator()(const rank_record<Result>& a, const rank_record<Result>& b) const {
    return {join(a.result, a.count, b.result, b.count), a.count + b.count};
  }
};

/// The value that is there.
struct unwrap_maybe {
  template <class T> GPUPRIM_HOST_DEVICE T operator()(const maybe<T>& total) const { return total.value; }
};

/// How a query goes over several ranks.
template <class Query>
struct across {
  static_assert(!sizeof(Query),
                "gpuprim::distributed: an operator, transformed, the extrema, the moments and statistics, the norms, "
                "accurate_sum and what fused makes of them go over several GPUs; this query does not");
};

/// Queries whose accumulators join, wherever the elements are: the ranks exchange these, and finish them afterwards.
struct across_by_accumulators {
  template <class Query, class In>
  static auto over(const Query& query, const In& in, std::int64_t n, int) {
    const auto all = query.over(in, n);
    using Acc = typename std::remove_cvref_t<decltype(all)>::accumulator;
    using Op = std::remove_cvref_t<decltype(all.op)>;
    using Project = std::remove_cvref_t<decltype(all.project)>;
    const reduction<Acc, Op, Project, as_it_is> local{all.op, all.project, all.init, {}};
    return rank_reduction{local, join_results<Op>{all.op}, all.finish};
  }
};
template <>
struct across<norm_1_query> : across_by_accumulators {};
template <>
struct across<norm_2_query> : across_by_accumulators {};
template <>
struct across<norm_infinity_query> : across_by_accumulators {};
template <>
struct across<accurate_sum_query> : across_by_accumulators {};

/// The first rank joins the initial value. Without an identity a part may be nothing.
template <class Asked, class Op, class Project, class Init>
struct across<reduce_query<Asked, Op, Project, Init>> : refuse_options<Init> {
  template <class Query, class In>
  static auto over(const Query& query, const In& in, std::int64_t n, int rank) {
    const auto all = query.over(in, n);
    using Acc = typename std::remove_cvref_t<decltype(all)>::accumulator;
    using Join = std::remove_cvref_t<decltype(all.op)>;
    if constexpr (has_identity<Join, Acc>) {
      auto local = all;
      if (rank > 0) local.init = static_cast<Acc>(identity_element<Join, Acc>::value());
      return rank_reduction{local, join_results<Join>{all.op}, as_it_is{}};
    } else {
      using join = maybe_monoid<Acc, Join>;
      const reduction<maybe<Acc>, join, Project, as_it_is> local{
          join{all.op}, all.project, rank > 0 ? maybe<Acc>() : maybe<Acc>(all.init), {}};
      return rank_reduction{local, join_results<join>{join{all.op}}, unwrap_maybe{}};
    }
  }
};

/// The first of the ranks' extrema, at its position among all elements. No rank's position is that of none: its count.
template <class Less>
struct join_extrema {
  Less less;
  template <class T>
  GPUPRIM_HOST_DEVICE extremum<T> operator()(const extremum<T>& a, std::int64_t a_count, const extremum<T>& b,
                                             std::int64_t b_count) const {
    const bool is_a = a_count > a.position, is_b = b_count > b.position;
    if (is_a && !(is_b && comes_before(b.value, a.value))) return a;
    return {b.value, a_count + b.position};
  }

 private:
  template <class T>
  GPUPRIM_HOST_DEVICE bool comes_before(const T& a, const T& b) const {
    if constexpr (is_half_precision<T>) return less(detail::half_to_float(a), detail::half_to_float(b));
    else return less(a, b);
  }
};
template <class Less>
struct across<extremum_query<Less>> {
  template <class Query, class In>
  static auto over(const Query& query, const In& in, std::int64_t n, int) {
    return rank_reduction{query.over(in, n), join_extrema<Less>{query.less}, as_it_is{}};
  }
};

/// The ranks shift their elements by pivots of their own, so that it is their moments that join.
template <int Order, class Figure>
struct across<moments_query<Order, Figure>> {
  template <class Query, class In>
  static auto over(const Query&, const In& in, std::int64_t n, int) {
    const moments_query<Order, all_moments> every;
    return rank_reduction{every.over(in, n), join_results<merge_moments>{}, Figure{}};
  }
};

/// The pass of a query over one rank's part of the elements.
template <class Query, class In>
auto over_rank(const Query& query, const In& in, std::int64_t n, int rank);

template <class Result>
struct join_fused;
template <class... Joins>
struct join_fused<tuple<Joins...>> {
  tuple<Joins...> joins;
  template <class... Results>
  GPUPRIM_HOST_DEVICE tuple<Results...> operator()(const tuple<Results...>& a, std::int64_t a_count,
                                                   const tuple<Results...>& b, std::int64_t b_count) const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return tuple<Results...>{get<Index>(joins)(get<Index>(a), a_count, get<Index>(b), b_count)...};
    }(std::index_sequence_for<Results...>{});
  }
};
template <class... Finishes>
struct finish_fused {
  tuple<Finishes...> finishes;
  template <class... Results>
  GPUPRIM_HOST_DEVICE auto operator()(const tuple<Results...>& all) const {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      using finished = tuple<std::remove_cvref_t<decltype(get<Index>(finishes)(get<Index>(all)))>...>;
      return finished{get<Index>(finishes)(get<Index>(all))...};
    }(std::index_sequence_for<Results...>{});
  }
};
template <class... Locals, class... Joins, class... Finishes>
auto fuse_ranks(const rank_reduction<Locals, Joins, Finishes>&... parts) {
  return rank_reduction{detail::fuse(parts.local...), join_fused<tuple<Joins...>>{{parts.join...}},
                        finish_fused<Finishes...>{{parts.finish...}}};
}
template <class... Queries>
struct across<fused_query<Queries...>> {
  template <class Query, class In>
  static auto over(const Query& query, const In& in, std::int64_t n, int rank) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return detail::fuse_ranks(detail::over_rank(get<Index>(query.queries), in, n, rank)...);
    }(std::index_sequence_for<Queries...>{});
  }
};

/// A query that can be called, such as `mean`, is one of its bases.
template <class Query>
const device_pass<Query>& as_pass(const device_pass<Query>&);
template <class Query>
struct query_behind {
  using type = Query;
};
template <class Query>
  requires requires(const Query& q) { detail::as_pass(q); }
struct query_behind<Query> {
  template <class Base>
  static Base find(const device_pass<Base>&);
  using type = decltype(find(std::declval<const Query&>()));
};

template <class Query, class In>
auto over_rank(const Query& query, const In& in, std::int64_t n, int rank) {
  using base = typename query_behind<Query>::type;
  return across<base>::over(static_cast<const base&>(query), in, n, rank);
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
