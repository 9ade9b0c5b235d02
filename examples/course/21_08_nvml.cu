// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the GPU that a measurement needs beside it, read by NVML, the library that nvidia-smi is made with:
// clocks and why they are reduced, power and temperature, error correction, persistence and compute mode. The library
// belongs to the driver, so the program loads it when it runs, and declares the few functions that it calls. The clocks
// are read twice, because a GPU that does nothing may lower them: while it is idle, and while a kernel runs. The same
// by the command line, once a second:
//   nvidia-smi -l 1 --format=csv --query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu,ecc.mode.current
// What an administrator can set: nvidia-smi -e 0|1 (error correction, after a reset: nvidia-smi -r), -c (compute mode),
// -pm (persistence), -lgc (clocks). The program sets nothing.
// GPU only: the SIMT device has no clocks and no driver.
// Source: NVIDIA's "NVML API Reference"; "nvidia-smi" in its "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <dlfcn.h>

using namespace course;

// [nvml]
using nvml_device = struct nvmlDevice_st*;
enum nvml_clock : int { clock_of_multiprocessors = 1, clock_of_memory = 2 };

/// A function of NVML, of which every one returns 0 if all is well.
template <class... Arguments>
auto nvml_function(const char* name) {
  static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  void* const function = library == nullptr ? nullptr : dlsym(library, name);
  if (function == nullptr) {
    std::printf("skipped: %s is not there\n", name);
    std::exit(0);
  }
  return reinterpret_cast<int (*)(Arguments...)>(function);
}
// [nvml]

__global__ void iterate(int rounds, unsigned* out) {
  unsigned x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  bool right = nvml_function<>("nvmlInit_v2")() == 0;
  char bus_id[32] = "";
  check(cudaDeviceGetPCIBusId(bus_id, int(sizeof bus_id), 0));  // NVML numbers the GPUs in another order
  nvml_device device = nullptr;
  right &= nvml_function<const char*, nvml_device*>("nvmlDeviceGetHandleByPciBusId_v2")(bus_id, &device) == 0;
  if (!right) return verdict(false);

  const auto clock = [&](nvml_clock which) {
    unsigned mhz = 0;
    right &= nvml_function<nvml_device, int, unsigned*>("nvmlDeviceGetClockInfo")(device, which, &mhz) == 0 && mhz > 0;
    return mhz;
  };
  const int blocks = 8 * attribute(cudaDevAttrMultiProcessorCount), block_size = 256;
  const device_array<unsigned> out(std::size_t(blocks) * block_size);
  const auto show = [&](const char* when) {
    const unsigned of_multiprocessors = clock(clock_of_multiprocessors), of_memory = clock(clock_of_memory);
    unsigned milliwatts = 0, degrees = 0;
    unsigned long long reasons = 0;
    const bool has_power = nvml_function<nvml_device, unsigned*>("nvmlDeviceGetPowerUsage")(device, &milliwatts) == 0;
    const auto temperature = nvml_function<nvml_device, int, unsigned*>("nvmlDeviceGetTemperature");
    const bool has_temperature = temperature(device, 0, &degrees) == 0;
    const auto why = nvml_function<nvml_device, unsigned long long*>("nvmlDeviceGetCurrentClocksThrottleReasons");
    const bool has_reasons = why(device, &reasons) == 0;
    std::printf("%s: multiprocessors %u MHz, memory %u MHz", when, of_multiprocessors, of_memory);
    if (has_power) std::printf(", %.1f W", 1e-3 * milliwatts);
    if (has_temperature) std::printf(", %u degrees Celsius", degrees);
    if (has_reasons) std::printf(", reasons for lower clocks 0x%llx", reasons);
    std::printf("\n");
  };
  show("idle");
  iterate<<<blocks, block_size>>>(measure::samples_to_take() > 1 ? 1 << 24 : 1000, out.data());
  check(cudaGetLastError());
  show("at work");
  check(cudaDeviceSynchronize());

  const auto state_of = [&](const char* function, const char* name) {
    int state = -1;
    const int e = nvml_function<nvml_device, int*>(function)(device, &state);
    if (e == 0) std::printf("%s: %d\n", name, state);
    else std::printf("%s: not known here\n", name);
  };
  int now = -1, after_reset = -1;
  if (nvml_function<nvml_device, int*, int*>("nvmlDeviceGetEccMode")(device, &now, &after_reset) == 0) {
    right &= (now != 0) == (attribute(cudaDevAttrEccEnabled) != 0);  // the runtime says the same
    std::printf("error correction: %d, after the next reset: %d\n", now, after_reset);
  }
  state_of("nvmlDeviceGetPersistenceMode", "persistence mode");
  state_of("nvmlDeviceGetComputeMode", "compute mode (0: any process)");
  right &= nvml_function<>("nvmlShutdown")() == 0;
  return verdict(right);
}
