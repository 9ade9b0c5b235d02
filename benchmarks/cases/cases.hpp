// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way to do what a case does. `us` does it, compares the result and returns the time.
struct case_contender {
  std::string name;
  std::function<double()> us;
};

struct case_of_others {
  std::string name;
  int rounds;
  std::vector<case_contender> contenders;
};

case_of_others runs_and_wait();
case_of_others long_structs();
case_of_others many_long_structs();
case_of_others softmax_rows();
case_of_others block_quantiser();
case_of_others scan_square();
case_of_others scan_tall();
case_of_others scan_small();
case_of_others median_of_rows();
case_of_others median_of_long_rows();
case_of_others last_eighth();
case_of_others last_hundredth();
case_of_others last_of_long_rows();
case_of_others copy_large_ranges();
case_of_others copy_ranges_of_a_page();
case_of_others copy_short_ranges();
case_of_others find_short_runs();
case_of_others find_longer_runs();

inline constexpr case_of_others (*all_cases[])() = {
    runs_and_wait,     long_structs,    many_long_structs, softmax_rows,      block_quantiser,
    scan_square,       scan_tall,       scan_small,        median_of_rows,    median_of_long_rows,
    last_eighth,       last_hundredth,  last_of_long_rows, copy_large_ranges, copy_ranges_of_a_page,
    copy_short_ranges, find_short_runs, find_longer_runs};

}  // namespace bench
