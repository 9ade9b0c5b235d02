// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed: the elements are too long for a reproducible reduce
#include <gpuprim/distributed.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
inline constexpr int words = 16;
#else
inline constexpr int words = 128;
#endif

struct row {
  int word[words];
};
struct first_row {
  GPUPRIM_HOST_DEVICE row operator()(const row& a, const row&) const { return a; }
};

cudaError_t call(ncclComm_t comm, const row* in, row* out) {
  return gpuprim::distributed::all_reduce(gpuprim::reproducible, comm, in, 9, out, first_row{}, row{});
}
