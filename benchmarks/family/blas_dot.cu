// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS beside them, where it is installed. For 16-bit floats it has a result of 16 bits only, which these sums
// exceed.
#include "../reduce/passes.hpp"
#include "../support/check.hpp"

#include <cublas_v2.h>

namespace {

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
  std::exit(1);
}

/// One for all passes: to make one takes long.
cublasHandle_t handle() {
  static const cublasHandle_t made = [] {
    cublasHandle_t h;
    check(cublasCreate(&h));
    check(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    return h;
  }();
  return made;
}

inline cublasStatus_t dot(std::int64_t n, const float* in, float* out) {
  return cublasSdot_64(handle(), n, in, 1, in + n, 1, out);
}
inline cublasStatus_t dot(std::int64_t n, const double* in, double* out) {
  return cublasDdot_64(handle(), n, in, 1, in + n, 1, out);
}

template <class T>
class blas_pass final : public bench::pass {
 public:
  cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) override {
    check(cublasSetStream(handle(), s));
    check(dot(n, static_cast<const T*>(in), static_cast<T*>(out)));
    return cudaGetLastError();
  }
};

template <class T>
bool add(const char* type) {
  bench::form_entries().push_back({"blas", type, "dot", [](std::int64_t) -> std::unique_ptr<bench::pass> {
                                     return std::make_unique<blas_pass<T>>();
                                   }});
  return true;
}

[[maybe_unused]] const bool added[] = {add<float>("f32"), add<double>("f64")};

}  // namespace
