// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_model.hpp"

#include <cstdlib>
#include <string>

#include <strings.h>

#include <simt/control.hpp>
#include "diagnostics.hpp"
#include "host.hpp"

namespace simt {
namespace {

constexpr int kib = 1024;
constexpr int mib = 1024 * 1024;
constexpr std::size_t gib = std::size_t(1024) * mib;

// Limits by compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability". The H200's sizes are what its driver answers.
constexpr device_model models[] = {
    {"H200", "NVIDIA H200", 9, 0, 132, 2048, 32, 228 * kib, 227 * kib, kib, 150109880320, 60 * mib, 6016, 124},
    {"H100", "NVIDIA H100 80GB HBM3", 9, 0, 132, 2048, 32, 228 * kib, 227 * kib, kib, 80 * gib, 50 * mib, 5120, 124},
    {"B200", "NVIDIA B200", 10, 0, 148, 2048, 32, 228 * kib, 227 * kib, kib, 180 * gib, 126 * mib, 8192, 140},
    {"RTX5090", "NVIDIA GeForce RTX 5090", 12, 0, 170, 1536, 24, 100 * kib, 99 * kib, kib, 32 * gib, 96 * mib, 512,
     160},
    {"L4", "NVIDIA L4", 8, 9, 58, 1536, 24, 100 * kib, 99 * kib, kib, 22 * gib, 48 * mib, 192, 0},
    {"A100", "NVIDIA A100-SXM4-80GB", 8, 0, 108, 2048, 32, 164 * kib, 163 * kib, kib, 80 * gib, 40 * mib, 5120, 0},
    {"T4", "Tesla T4", 7, 5, 40, 1024, 16, 64 * kib, 64 * kib, 0, 15 * gib, 4 * mib, 256, 0},
};

}  // namespace

const device_model& model_named(const char* key) {
  std::string known;
  for (const device_model& model : models) {
    if (!strcasecmp(model.key, key)) return model;
    known += std::string(known.empty() ? "" : ", ") + model.key;
  }
  fail_usage("SIMT_DEVICE_MODEL is '%s'; known models are %s", key, known.c_str());
}

namespace {

const device_model& chosen_model() {
  const char* wanted = std::getenv("SIMT_DEVICE_MODEL");
  return wanted && *wanted ? model_named(wanted) : models[0];
}

device_model& changeable_model() {
  static device_model model = chosen_model();
  return model;
}

}  // namespace

const device_model& current_model() { return changeable_model(); }

void set_multiprocessors(int count) {
  changeable_model().multiprocessors = count > 0 ? count : chosen_model().multiprocessors;
  cudaDeviceReset();
}

}  // namespace simt
