// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Results of which several ranks have a part, or none.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/distributed/all_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// What the ranks join: accumulators where there is an identity for a rank that has nothing, and else these or nothing.
template <class Acc, class Op>
struct partial_results {
  using all_of = monoid<Acc, Op>;
  using value = typename all_of::value_type;
  using op = std::conditional_t<has_identity<Op, Acc>, Op, all_of>;
};

/// What they join by a caller's operator.
template <class Acc, class Op>
using partial_value =
    typename partial_results<Acc,
                             std::remove_cvref_t<decltype(detail::joining<Acc>(std::declval<const Op&>()))>>::value;

/// Writes a result, once all that ranks have of it is joined.
template <class Acc, class Op, class Out>
struct put_result {
  Out out;
  Op op;
  Acc init;

  template <class Value>
  __device__ void operator()(std::int64_t i, const Value& all) const {
    if constexpr (std::is_same_v<Value, Acc>) detail::assign(out[i], op(init, all));
    else detail::assign(out[i], all.present ? op(init, all.value) : init);
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
