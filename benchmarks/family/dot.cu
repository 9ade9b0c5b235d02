// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_pass.cuh"
#include "dot_types.cuh"

#include <gpuprim/dot.cuh>

namespace {

/// Both inputs are halves of one slice. Apart: elements that the second begins later, so that it is aligned otherwise.
template <int Apart>
struct dot_call {
  template <class T>
  static cudaError_t run(const T* in, std::int64_t n, void* out, const gpuprim::options& how) {
    return gpuprim::dot(in, in + n + Apart, n - Apart, static_cast<gpuprim::dot_accumulator<T>*>(out), how);
  }
};

struct squared_norm_call {
  template <class T>
  static cudaError_t run(const T* in, std::int64_t n, void* out, const gpuprim::options& how) {
    return gpuprim::squared_norm(in, n, static_cast<gpuprim::dot_accumulator<T>*>(out), how);
  }
};

[[maybe_unused]] const bool added =
    for_each_dot_type([]<class T, class Acc>(std::type_identity<T>, std::type_identity<Acc>, const char* type) {
      add<T, dot_call<0>>(type, "dot", sizeof(Acc), &agree<Acc, Acc>, 2 * sizeof(T));
      add<T, dot_call<1>>(type, "dot_apart", sizeof(Acc), &agree<Acc, Acc>, 2 * sizeof(T));
      add<T, squared_norm_call>(type, "squared_norm", sizeof(Acc), &agree<Acc, Acc>);
    });

}  // namespace
