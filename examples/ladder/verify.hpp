// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.hpp"
#include "reference.hpp"

#include <cstring>

namespace ladder {

/// Up to this size, rungs that must leave their input alone are checked for that too.
inline constexpr int most_compared = 1 << 20;

/// Runs a rung once on a data set. @return whether it was right; if not, it has been said on standard error.
template <class T>
bool verify(const rung<T>& r, const data_set<T>& data, const device_array<T>& pristine) {
  const int n = int(data.values.size());
  const auto fails = [&](const char* what) {
    std::fprintf(stderr, "ladder: %s, %d %s: %s\n", r.name.c_str(), n, data.name.c_str(), what);
    return false;
  };
  const device_array<T> in{std::size_t(n)}, scratch{std::size_t(scratch_elements(n))}, out{1};
  scratch.poison();
  out.poison();
  check(cudaMemcpy(in.data(), pristine.data(), std::size_t(n) * sizeof(T), cudaMemcpyDeviceToDevice), "copy");
  gpuprim::workspace workspace;
  T got{};
  if (cudaError_t e = r.run({in.data(), n, scratch.data(), out.data(), &got, &workspace, nullptr})) {
    return fails(cudaGetErrorString(e));
  }
  if (cudaError_t e = cudaDeviceSynchronize()) return fails(cudaGetErrorString(e));
  if (!r.result_on_host) out.download(&got, 1);
  if (!data.accepts(got, r.longest_chain(n))) {
    char text[128];
    std::snprintf(text, sizeof text, "the sum is %.9g, it should be %.9g, give or take %g", double(got),
                  double(data.sum), data.tolerance(r.longest_chain(n)));
    return fails(text);
  }
  if (!r.destroys_input && n <= most_compared) {
    std::vector<T> after(data.values.size());
    in.download(after.data(), after.size());
    if (std::memcmp(after.data(), data.values.data(), after.size() * sizeof(T)) != 0) {
      return fails("the input was changed");
    }
  }
  return true;
}

}  // namespace ladder
