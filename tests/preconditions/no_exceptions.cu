// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without exceptions: a call that would throw one prints its sentence and aborts.
#include <gpuprim/gpuprim.cuh>

#include <string>

int main(int argc, char** argv) {
  const bool keeps = argc == 2 && std::string(argv[1]) == "kept";
  const int* const nowhere = nullptr;
  return gpuprim::reduce_value(nowhere, keeps ? 0 : 5, gpuprim::plus{});
}
