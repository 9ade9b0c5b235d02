// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other forms of the reduce, beside the default in the rows of the sums.
#include "gpuprim_passes.cuh"

namespace {

using namespace bench;

template <auto Form, class T>
class form_pass final : public pass {
 public:
  explicit form_pass(std::int64_t n) : workspace_(gpuprim::reduce_workspace_bytes<T>(n)) {}
  cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) override {
    return gpuprim::reduce(Form, static_cast<const T*>(in), n, static_cast<T*>(out), gpuprim::plus<>{}, T{},
                           {.stream = s, .workspace = &workspace_});
  }

 private:
  gpuprim::workspace workspace_;
};

template <auto Form, class T>
bool add_form(const char* name, const char* type) {
  const make_pass make = [](std::int64_t n) -> std::unique_ptr<pass> {
    return std::make_unique<form_pass<Form, T>>(n);
  };
  form_entries().push_back({name, type, "plus", make});
  return true;
}

[[maybe_unused]] const bool added[] = {
    add_form<gpuprim::reproducible, float>("reproducible", "f32"),
    add_form<gpuprim::reproducible, double>("reproducible", "f64"),
    add_form<gpuprim::reproducible, int>("reproducible", "i32"),
};

}  // namespace
