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

inline constexpr case_of_others (*all_cases[])() = {runs_and_wait, long_structs, many_long_structs, softmax_rows,
                                                     block_quantiser};

}  // namespace bench
