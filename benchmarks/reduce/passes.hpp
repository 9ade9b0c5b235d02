// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What main.cpp knows of the libraries. Each library's passes are compiled in files of their own, which enter
// them here while the program starts, so that two versions of CUB can be in one program: their symbols are in
// inline namespaces that name the version, and nothing else of them is seen outside those files.
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// One library's reduce of one type, with the storage that it needs for one size.
class pass {
 public:
  virtual ~pass() = default;
  virtual cudaError_t run(const void* in, std::int64_t n, void* out, cudaStream_t s) = 0;
};

using make_pass = std::unique_ptr<pass> (*)(std::int64_t n);

/// A type and operator: how to fill inputs, what gpuprim does with them, and how to compare two results.
struct problem {
  std::string type, op;
  int element_bytes;
  int result_bytes;
  make_pass with_gpuprim;
  /// Fills memory with small numbers, none of them zero, of the type that `filled_with` names.
  void (*fill)(void* data, std::int64_t bytes);
  std::string filled_with;
  bool (*agree)(const void* one, const void* other);
};

/// Another form of gpuprim's reduce for a problem: reproducible.
struct form_entry {
  std::string form;
  std::string type, op;
  make_pass with_gpuprim;
};

/// A CUB's answer to a problem.
struct cub_entry {
  int cub_version;
  std::string type, op;
  std::string call;  ///< the call, in words
  make_pass with_cub;
};

/// A value returned to the host: one call, the result in the return value.
struct value_entry {
  std::string library;
  std::string call;
  /// `storage` is at least `value_storage_bytes` of device memory.
  float (*run)(const float* in, std::int64_t n, void* storage, cudaStream_t s);
};
inline constexpr std::int64_t value_storage_bytes = 1 << 20;

std::vector<problem>& problems();
std::vector<form_entry>& form_entries();
std::vector<cub_entry>& cub_entries();
std::vector<value_entry>& value_entries();

/// CUB_VERSION of the toolkit, and THRUST_VERSION.
int toolkit_cub_version();
int toolkit_thrust_version();

}  // namespace bench
