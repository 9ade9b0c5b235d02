// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace bench {

/// Opens a file, or says why it cannot and ends the program.
inline std::FILE* open_to_write(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (!file) {
    std::perror(path);
    std::exit(1);
  }
  return file;
}

/// Opens a JSON file of results and says in it where and when they are made; further members follow, each behind a
/// comma.
inline std::FILE* open_results(const char* path, int cub) {
  cudaDeviceProp device;
  int driver = 0, runtime = 0;
  check(cudaGetDeviceProperties(&device, 0), "properties");
  check(cudaDriverGetVersion(&driver), "driver version");
  check(cudaRuntimeGetVersion(&runtime), "runtime version");
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  std::FILE* file = open_to_write(path);
  std::fprintf(file,
               "{\n \"gpu\": \"%s\",\n \"date\": \"%s\",\n \"cuda_driver\": %d,\n \"cuda_runtime\": %d,\n"
               " \"cub\": %d,\n \"multiprocessors\": %d,\n \"l2_bytes\": %d",
               device.name, date, driver, runtime, cub, device.multiProcessorCount, device.l2CacheSize);
  return file;
}

}  // namespace bench
