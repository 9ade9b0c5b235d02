// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CUDA runtime a program calls: one that is a part of its own file, or a shared library. nvcc links it statically
// unless it is told --cudart shared; then the program needs a file of the same major version, whose name is its SONAME:
// libcudart.so.13. The loader looks for it where the rpath of the program says, and $ORIGIN is the program's own
// folder:
//   nvcc -std=c++20 --cudart shared -Xlinker -rpath,'$ORIGIN' -DCOURSE_SHARED_RUNTIME 21_01_runtime_library.cu
// What is needed and where it is found: objdump -p a.out | grep -E 'NEEDED|PATH', and ldd a.out. The library of the
// driver, libcuda.so, is never shipped.
// Source: "Distributing the CUDA Runtime and Libraries" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <dlfcn.h>

#include <string>

using namespace course;

#if defined(COURSE_SHARED_RUNTIME)
constexpr bool should_be_shared = true;
#else
constexpr bool should_be_shared = false;
#endif

int main() {
  int version = 0;
  check(cudaRuntimeGetVersion(&version));
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(&cudaRuntimeGetVersion), &found) == 0) return verdict(false);
  const std::string file = found.dli_fname, name = file.substr(file.rfind('/') + 1);
  const bool is_shared = name.rfind("libcudart.so", 0) == 0;
  std::printf("the runtime is of CUDA %d.%d, %s %s\n", version / 1000, version % 1000 / 10,
              is_shared ? "and shared:" : "and a part of", name.c_str());
  bool right = is_shared == should_be_shared;
  if (is_shared) right &= name.find("libcudart.so." + std::to_string(version / 1000)) == 0;
  return verdict(right);
}
