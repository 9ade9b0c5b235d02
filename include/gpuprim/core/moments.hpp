// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cmath>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Count, mean and central moments of some numbers: `sums[k]` is the sum of (x - mean)^(k + 2). Those of one number x
/// are `moments{1, x, {}}`, of none `moments{}`.
struct moments {
  double count,  ///< how many numbers there are
      mean,      ///< their mean
      sums[3];   ///< the sums of the second, third and fourth powers of their distances from the mean

  /// The variance of these numbers: over count.
  GPUPRIM_HOST_DEVICE double variance() const { return sums[0] / count; }
  /// An estimate from a sample: over count - 1.
  GPUPRIM_HOST_DEVICE double sample_variance() const { return sums[0] / (count - 1); }
  /// The root of the variance.
  GPUPRIM_HOST_DEVICE double standard_deviation() const { return std::sqrt(variance()); }
  /// 0 for symmetric numbers.
  GPUPRIM_HOST_DEVICE double skewness() const { return sums[1] / count / (variance() * standard_deviation()); }
  /// 3 for a normal distribution.
  GPUPRIM_HOST_DEVICE double kurtosis() const { return sums[2] / count / (variance() * variance()); }
};

/// Joins the moments of two sets of numbers into those of both: of threads, by `block_reduce` and the others, of
/// batches, of GPUs.
/// @source Pébay, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical
///         moments", 2008.
struct merge_moments {
  /// The moments of both sets.
  GPUPRIM_HOST_DEVICE moments operator()(const moments& a, const moments& b) const {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double n = a.count + b.count, pa = a.count / n, pb = b.count / n, gap = b.mean - a.mean;
    const double mean = gap - gap == 0 ? a.mean + gap * pb : a.mean * pa + b.mean * pb;  // the gap may overflow
    const double gap2 = gap * gap, pairs = a.count * pb;
    const double second = a.sums[0] + b.sums[0] + gap2 * pairs;
    const double third =
        a.sums[1] + b.sums[1] + gap * (gap2 * pairs * (pa - pb) + 3 * (pa * b.sums[0] - pb * a.sums[0]));
    const double fourth = a.sums[2] + b.sums[2] + gap2 * gap2 * pairs * (pa * pa - pa * pb + pb * pb) +
                          6 * gap2 * (pa * pa * b.sums[0] + pb * pb * a.sums[0]) +
                          4 * gap * (pa * b.sums[1] - pb * a.sums[1]);
    return {n, mean, {second, third, fourth}};
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
