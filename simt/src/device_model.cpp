// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_model.hpp"

#include <cstdlib>
#include <string>

#include <strings.h>

#include "diagnostics.hpp"

namespace simt {
namespace {

constexpr int kib = 1024;
constexpr int mib = 1024 * 1024;
constexpr std::size_t gib = std::size_t(1024) * mib;

// Limits by compute capability: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
// The split into processing clusters differs from chip to chip of one model; these are plausible, not measured.
constexpr device_model models[] = {
    {"H200", "NVIDIA H200", 9, 0, 132, 2048, 32, 228 * kib, 227 * kib, kib, 140 * gib, 50 * mib, 6144, {16, 18}, {6, 2}},
    {"H100", "NVIDIA H100", 9, 0, 132, 2048, 32, 228 * kib, 227 * kib, kib, 80 * gib, 50 * mib, 5120, {16, 18}, {6, 2}},
    {"B200", "NVIDIA B200", 10, 0, 148, 2048, 32, 228 * kib, 227 * kib, kib, 180 * gib, 126 * mib, 8192, {18, 20}, {6, 2}},
    {"RTX5090", "NVIDIA GeForce RTX 5090", 12, 0, 170, 1536, 24, 100 * kib, 99 * kib, kib, 32 * gib, 96 * mib, 512,
     {14, 16}, {3, 8}},
    {"L4", "NVIDIA L4", 8, 9, 58, 1536, 24, 100 * kib, 99 * kib, kib, 22 * gib, 48 * mib, 192, {}, {}},
    {"A100", "NVIDIA A100-SXM4-80GB", 8, 0, 108, 2048, 32, 164 * kib, 163 * kib, kib, 80 * gib, 40 * mib, 5120, {}, {}},
    {"T4", "Tesla T4", 7, 5, 40, 1024, 16, 64 * kib, 64 * kib, 0, 15 * gib, 4 * mib, 256, {}, {}},
};

const device_model& choose() {
  const char* wanted = std::getenv("SIMT_DEVICE_MODEL");
  if (!wanted || !*wanted) return models[0];
  std::string known;
  for (const device_model& model : models) {
    if (!strcasecmp(model.key, wanted)) return model;
    known += std::string(known.empty() ? "" : ", ") + model.key;
  }
  fail_usage("SIMT_DEVICE_MODEL is '%s'; known models are %s", wanted, known.c_str());
}

}  // namespace

const device_model& current_model() {
  static const device_model& model = choose();
  return model;
}

}  // namespace simt
