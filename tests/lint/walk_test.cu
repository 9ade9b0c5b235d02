// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far it is from a public call to the first load of what it reads: which of the library's functions are on the
// stack when a kernel is launched, and when that kernel first reads the input. The input's pages are protected until
// then. Compiled without optimisation, so that every function is a frame.
#include <gpuprim/device/column_reduce.cuh>
#include <gpuprim/device/histogram.cuh>
#include <gpuprim/device/merge.cuh>
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/reduce_by_key.cuh>
#include <gpuprim/device/scan.cuh>
#include <gpuprim/device/search.cuh>
#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/device/segmented_sort.cuh>
#include <gpuprim/device/select.cuh>
#include <gpuprim/device/sort.cuh>
#include <gpuprim/device/top_k.cuh>
#include <gpuprim/device/transform.cuh>
#include <gpuprim/device/transpose.cuh>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <simt/control.hpp>

namespace walk {

/// The library's functions on the stack, mangled, outermost first.
using frames = std::vector<std::string>;

constexpr std::size_t page = 4096, protected_bytes = std::size_t{4} << 20;
char* memory = nullptr;                  ///< of the inputs
std::map<std::string, frames> launches;  ///< of the call, by kernel
frames to_load;                          ///< from the kernel to the first load

/// A mangled name, or a local function's or lambda's within it, in namespace gpuprim.
bool is_of_library(const std::string& mangled) {
  std::size_t at = mangled.compare(0, 2, "_Z") == 0 ? 2 : std::string::npos;
  while (at < mangled.size() && mangled[at] == 'Z') ++at;
  if (at >= mangled.size() || mangled[at++] != 'N') return false;
  if (mangled[at] == 'K') ++at;
  return mangled.compare(at, 8, "7gpuprim") == 0;
}

/// The name and types of a function. Of one whose types cannot be written out, the name: words after their lengths.
std::string demangle(const std::string& mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (status == 0) {
    const std::string full = text;
    std::free(text);
    return full;
  }
  std::string name;
  for (std::size_t at = mangled.find("7gpuprim"); std::isdigit(static_cast<unsigned char>(mangled[at]));) {
    std::size_t digits = 0;
    const std::size_t length = std::stoul(mangled.substr(at), &digits);
    name += (name.empty() ? "" : "::") + mangled.substr(at + digits, length);
    at += digits + length;
  }
  return mangled.compare(0, 3, "_ZZ") == 0 ? name + "::lambda" : name;
}

std::string name_of(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) && info.dli_sname ? info.dli_sname : "";
}

frames find_frames() {
  void* addresses[256];
  const int count = backtrace(addresses, 256);
  frames found;
  for (int i = count - 1; i >= 0; --i) {
    const std::string name = name_of(addresses[i]);
    if (is_of_library(name)) found.push_back(name);
  }
  return found;
}

void protect(int how) {
  if (mprotect(memory, protected_bytes, how) != 0) std::abort();
}

/// The first load of the inputs: the instruction runs again when this returns.
void note_load(int, siginfo_t* info, void*) {
  const char* address = static_cast<const char*>(info->si_addr);
  if (address < memory || address >= memory + protected_bytes) std::abort();
  protect(PROT_READ | PROT_WRITE);
  to_load = find_frames();
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

/// A frame as a reader thinks of it: without the types of its result, its parameters and its template arguments.
std::string short_name(const std::string& mangled) {
  std::string full = demangle(mangled), name;
  replace(full, "operator()", "operator_call");
  replace(full, "{lambda", "lambda{");
  replace(full, " const::", "::");
  int depth = 0;
  for (const char c : full) {
    depth -= c == '>' || c == ')' || c == '}';
    if (depth == 0 && c != '>' && c != ')' && c != '}' && c != '<' && c != '(' && c != '{') name += c;
    depth += c == '<' || c == '(' || c == '{';
  }
  replace(name, " const", "");
  name.erase(0, name.rfind(' ') + 1);
  replace(name, "gpuprim::v0_2_0::", "");
  replace(name, "detail::", "");
  replace(name, "operator_call", "operator()");
  return name;
}

/// Whether a function takes a callback: a lambda is among its template arguments, and it is no lambda's body itself.
bool takes_callback(const std::string& mangled) {
  return mangled.compare(0, 3, "_ZN") == 0 && mangled.find("EUl") != std::string::npos;
}

/// What a walk may have at most.
struct bounds {
  int functions = 15, callbacks = 2;
};

/// What a family may have beyond that. An exception must be lowered when the tree needs less, so it only shrinks.
const std::map<std::string, bounds> exceptions{
    {"segmented_sort", {.functions = 21, .callbacks = 4}},
};

int most_functions = 0;  ///< of all families in a self test

bool is_within(const char* family, const char* what, int count, int most, int exception) {
  if (count > exception) {
    std::printf("FAILED %s: %d %s; at most %d may be\n", family, count, what, exception);
  } else if (exception > most && count < exception) {
    std::printf("FAILED %s: %d %s; the exception of %d must be lowered\n", family, count, what, exception);
  } else {
    return true;
  }
  return false;
}

int *in = nullptr, *out = nullptr;

template <class Call>
bool walk(const char* family, const Call& call) {
  const auto found = exceptions.find(family);
  bounds exception = found == exceptions.end() ? bounds{} : found->second;
  if (most_functions > 0) exception.functions = most_functions;
  launches.clear();
  to_load.clear();
  protect(PROT_NONE);
  const cudaError_t error = call();
  const bool ran = error == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  protect(PROT_READ | PROT_WRITE);
  frames path = to_load.empty() ? frames{} : launches[to_load[0]];
  // Where frames were not found nothing is proved.
  if (!ran || path.size() < 3 || to_load.empty()) {
    std::printf("FAILED %s: %s, and %zu and %zu frames\n", family, cudaGetErrorName(error), path.size(),
                to_load.size());
    return false;
  }
  path.insert(path.end(), to_load.begin(), to_load.end());
  int callbacks = 0;
  for (const std::string& name : path) callbacks += takes_callback(name);
  std::printf("%s: %zu functions, %d take a callback\n", family, path.size(), callbacks);
  for (const std::string& name : path) {
    std::printf("  %s%s\n", short_name(name).c_str(), takes_callback(name) ? "  (takes a callback)" : "");
  }
  const bool short_enough = is_within(family, "functions", int(path.size()), bounds{}.functions, exception.functions);
  return is_within(family, "callbacks", callbacks, bounds{}.callbacks, exception.callbacks) && short_enough;
}

}  // namespace walk

// The linker sends the library's launches through these (--wrap).
cudaError_t really_launch(const cudaLaunchConfig_t&,
                          simt::kernel_call) asm("__real__ZN4simt6launchERK18cudaLaunchConfig_tNS_11kernel_callE");
cudaError_t really_launch_untyped(const cudaLaunchConfig_t&, const void*,
                                  void**) asm("__real__ZN4simt14launch_untypedERK18cudaLaunchConfig_tPKvPPv");
cudaError_t note_launch(const cudaLaunchConfig_t&,
                        simt::kernel_call) asm("__wrap__ZN4simt6launchERK18cudaLaunchConfig_tNS_11kernel_callE");
cudaError_t note_launch_untyped(const cudaLaunchConfig_t&, const void*,
                                void**) asm("__wrap__ZN4simt14launch_untypedERK18cudaLaunchConfig_tPKvPPv");

cudaError_t note_launch(const cudaLaunchConfig_t& config, simt::kernel_call call) {
  walk::launches.emplace(walk::name_of(call.kernel), walk::find_frames());
  return really_launch(config, call);
}
cudaError_t note_launch_untyped(const cudaLaunchConfig_t& config, const void* kernel, void** arguments) {
  walk::launches.emplace(walk::name_of(kernel), walk::find_frames());
  return really_launch_untyped(config, kernel, arguments);
}

struct is_even {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};
struct twice {
  __host__ __device__ int operator()(int value) const { return value * 2; }
};

int main(int argc, char** argv) {
  using walk::in, walk::out;
  if (argc > 1) walk::most_functions = std::atoi(argv[1]);
  constexpr std::int64_t n = 1 << 18, segments = 1 << 10;
  static_assert(n * 3 * sizeof(int) < walk::protected_bytes);
  simt::change_settings({.schedule = simt::schedule::fifo});
  simt::set_multiprocessors(2);  // small grids, as large inputs have on a GPU
  void* allocated = nullptr;
  if (cudaMalloc(&allocated, walk::protected_bytes + walk::page) != cudaSuccess) return 1;
  if (cudaMalloc(reinterpret_cast<void**>(&out), 4 * n * sizeof(int)) != cudaSuccess) return 1;
  const auto first_page = (reinterpret_cast<std::uintptr_t>(allocated) + walk::page - 1) / walk::page;
  walk::memory = reinterpret_cast<char*>(first_page * walk::page);
  in = reinterpret_cast<int*>(walk::memory);
  int* const values = in + n;
  int* const offsets = in + 2 * n;
  for (std::int64_t i = 0; i < n; ++i) in[i] = int(i / 3), values[i] = int(i);
  for (std::int64_t i = 0; i <= segments; ++i) offsets[i] = int(n / segments * i);
  struct sigaction action{};
  action.sa_sigaction = walk::note_load;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);

  const gpuprim::plus op{};
  bool ok = true;
  ok &= walk::walk("reduce", [&] { return gpuprim::reduce(in, n, out, op, 0); });
  ok &= walk::walk("scan", [&] { return gpuprim::exclusive_scan(in, n, out, op, 0); });
  ok &= walk::walk("select", [&] { return gpuprim::select_if(in, n, out, out + n, is_even{}); });
  ok &= walk::walk("runs", [&] { return gpuprim::reduce_by_key(in, values, n, out, out + n, out + 2 * n, op); });
  ok &= walk::walk("segmented", [&] { return gpuprim::segmented_reduce(in, offsets, segments, out, op, 0); });
  ok &= walk::walk("sort", [&] { return gpuprim::sort(in, n, out); });
  ok &= walk::walk("merge", [&] { return gpuprim::merge(in, n, values, n, out); });
  ok &= walk::walk("top_k", [&] { return gpuprim::top_k(in, n, 100, out); });
  ok &= walk::walk("histogram", [&] { return gpuprim::histogram(in, n, out, gpuprim::even_bins{256, 0, int(n)}); });
  ok &= walk::walk("transform", [&] { return gpuprim::transform(in, n, out, twice{}); });
  ok &= walk::walk("search", [&] { return gpuprim::find_if(in, n, out, is_even{}); });
  ok &= walk::walk("columns", [&] { return gpuprim::column_reduce(in, 1 << 9, 1 << 9, out, op, 0); });
  const gpuprim::segment_offsets where{offsets, n};
  ok &= walk::walk("segmented_sort", [&] { return gpuprim::segmented_sort(in, where, segments, out); });
  ok &= walk::walk("transpose", [&] { return gpuprim::transpose(in, 1 << 9, 1 << 9, out); });
  return ok ? 0 : 1;
}
