// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/operators.hpp>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The least word of some and the greatest; of none at first.
template <class Word>
struct word_range {
  Word low = Word(~Word(0)), high = 0;
};

struct join_ranges {
  template <class Word>
  __device__ word_range<Word> operator()(const word_range<Word>& a, const word_range<Word>& b) const {
    return {minimum<Word>{}(a.low, b.low), maximum<Word>{}(a.high, b.high)};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
