// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far it is from a public call to the load: which of the library's functions are on the stack when the kernel is
// launched, and when a kernel reads an element. Compiled without optimisation, so that every function is a frame.
#include <gpuprim/device/reduce.cuh>

#include <cxxabi.h>
#include <execinfo.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace walk {

/// The library's functions on the stack, outermost first.
using frames = std::vector<std::string>;

/// The deepest walks seen: of the host to the launch, and of a kernel to a load.
frames to_launch, to_load;

/// A mangled name, or a local function's or lambda's within it, in namespace gpuprim.
bool is_of_library(const std::string& mangled) {
  std::size_t at = mangled.compare(0, 2, "_Z") == 0 ? 2 : std::string::npos;
  while (at < mangled.size() && mangled[at] == 'Z') ++at;
  if (at >= mangled.size() || mangled[at++] != 'N') return false;
  if (mangled[at] == 'K') ++at;
  return mangled.compare(at, 8, "7gpuprim") == 0;
}

std::string demangle(const std::string& mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  return name;
}

/// Keeps the stack of the caller if it is the deepest so far.
void note(frames& deepest) {
  void* addresses[256];
  const int count = backtrace(addresses, 256);
  char** symbols = backtrace_symbols(addresses, count);
  frames found;
  for (int i = count - 1; i >= 0; --i) {
    const std::string symbol = symbols[i];
    const std::size_t begin = symbol.find('('), end = symbol.find('+', begin);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::string mangled = symbol.substr(begin + 1, end - begin - 1);
    if (is_of_library(mangled)) found.push_back(demangle(mangled));
  }
  std::free(symbols);
  const bool in_kernel = !found.empty() && found[0].find("_kernel<") != std::string::npos;
  if (in_kernel == (&deepest == &to_load) && found.size() > deepest.size()) deepest = found;
}

/// An input whose loads tell of their callers.
struct input {
  using value_type = int;
  using reference = int;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;

  int operator[](std::int64_t) const {
    if (threadIdx.x == 0) note(to_load);
    return 1;
  }
};

/// An operator that is copied with the kernel's other arguments when that is launched.
struct in_any_order {
  in_any_order() = default;
  in_any_order(const in_any_order&) { note(to_launch); }
  int operator()(int a, int b) const { return a + b; }
};
struct in_order : in_any_order {};

/// Functions that take a callback: a lambda is among their template arguments, and they are no lambda's body
/// themselves.
int count_callbacks(const frames& stack) {
  int count = 0;
  for (const std::string& name : stack) {
    const bool is_lambda = name.find("}::operator()") != std::string::npos;
    count += !is_lambda && name.find("{lambda") != std::string::npos;
  }
  return count;
}

template <class Op>
bool check(const char* what, int most_functions, int* out) {
  to_launch.clear();
  to_load.clear();
  constexpr std::int64_t n = 3000;
  const cudaError_t error = gpuprim::reduce(input{}, n, out, Op{}, 0);
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess || *out != n) {
    std::printf("FAILED %s: %d instead of %d\n", what, *out, int(n));
    return false;
  }
  // Of a pointer, load_input has its load made by load_packed.
  const int functions = int(to_launch.size() + to_load.size()) + 1;
  const int callbacks = count_callbacks(to_launch) + count_callbacks(to_load);
  std::printf("%s: %d functions, %d take a callback\n", what, functions, callbacks);
  for (const auto* part : {&to_launch, &to_load}) {
    for (const std::string& name : *part) std::printf("  %.100s\n", name.c_str());
  }
  constexpr int most_callbacks = 3;
  // Where frames were not found nothing is proved.
  const bool ok = to_launch.size() >= 3 && to_load.size() >= 3 && functions <= most_functions &&
                  callbacks <= most_callbacks;
  if (!ok) std::printf("FAILED %s: the bounds are %d and %d\n", what, most_functions, most_callbacks);
  return ok;
}

}  // namespace walk

template <>
inline constexpr bool gpuprim::is_commutative<walk::in_any_order, int> = true;
template <>
struct gpuprim::identity_element<walk::in_any_order, int> {
  static constexpr int value() { return 0; }
};

int main(int argc, char** argv) {
  const int most_functions = argc > 1 ? std::atoi(argv[1]) : 14;
  int* out = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&out), sizeof(int)) != cudaSuccess) return 1;
  const bool ok = walk::check<walk::in_any_order>("reduce in any order", most_functions, out);
  return walk::check<walk::in_order>("reduce in order", most_functions, out) && ok ? 0 : 1;
}
