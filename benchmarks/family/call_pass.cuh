// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Passes of gpuprim that are one call each. A file that includes this enters its own.
#include "../reduce/gpuprim_passes.cuh"

namespace {

using namespace bench;

/// A pass that is one call, `Call::run(in, n, out, options)`.
template <class T, class Call>
class call_pass final : public pass {
 public:
  call_pass() : workspace_(1 << 20) {}
  cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) override {
    return Call::run(static_cast<const T*>(in), n, out, gpuprim::options{s, &workspace_});
  }

 private:
  gpuprim::workspace workspace_;
};

/// `Number`, and its name, is what the type is made of.
template <class T, class Call, class Number = T>
bool add(const char* type, const char* op, int result_bytes, bool (*agree)(const void*, const void*),
         int element_bytes = sizeof(T), const char* number = nullptr) {
  const make_pass make = [](std::int64_t) -> std::unique_ptr<pass> { return std::make_unique<call_pass<T, Call>>(); };
  problems().push_back({type, op, element_bytes, result_bytes, make, &fill<Number>, number ? number : type, agree});
  return true;
}

}  // namespace
