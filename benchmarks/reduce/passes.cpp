// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.hpp"

namespace bench {

// In functions, so that they exist before the first file enters its passes.
std::vector<problem>& problems() {
  static std::vector<problem> all;
  return all;
}

std::vector<form_entry>& form_entries() {
  static std::vector<form_entry> all;
  return all;
}

std::vector<cub_entry>& cub_entries() {
  static std::vector<cub_entry> all;
  return all;
}

std::vector<value_entry>& value_entries() {
  static std::vector<value_entry> all;
  return all;
}

}  // namespace bench
