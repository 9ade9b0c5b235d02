// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the programs of the course share: checked calls, memory that frees itself, streams, times. Copy this file and
// ../measure.hpp along with a program that includes it.
#include "../measure.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>

#if defined(SIMT_DEVICE)
#include <gpuprim/core/shared.cuh>
#include <simt/launch_of.hpp>
#endif

namespace course {

using measure::check;
using measure::device_array;
using measure::event_timer;
using measure::figure;
using measure::on_gpu;
using measure::rate;
using measure::size_to_run;
using measure::usual_size;

/// Blocks of `block` threads for n threads.
constexpr int blocks_for(std::int64_t n, int block) { return int((n + block - 1) / block); }

/// Prints what was found, and gives the status that the program ends with.
inline int verdict(bool right) {
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}

/// A value of the device at hand.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// Device time of `run()`, in microseconds, by events in `stream`: see event_timer. 0 where there is no GPU.
template <class Run>
double time_us(Run run, int repeats = 4, cudaStream_t stream = nullptr,
               std::source_location where = std::source_location::current()) {
  const auto checked = [&](int) {
    run();
    return cudaGetLastError();
  };
  return event_timer().us(checked, repeats, stream, where);
}

/// Microseconds of the host's clock, from a moment that does not matter.
inline double host_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Time of `run()` by the host's clock, with all that it makes the device do: the median of several runs.
template <class Run>
double host_time_us(Run run) {
  std::vector<double> samples;
  for (int sample = -1; sample < measure::samples_to_take(); ++sample) {
    check(cudaDeviceSynchronize());
    const double begin = host_us();
    run();
    check(cudaDeviceSynchronize());
    if (sample >= 0) samples.push_back(host_us() - begin);
  }
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

/// Pinned host memory, which the device reaches too where it is mapped.
template <class T>
class pinned_array {
 public:
  explicit pinned_array(std::size_t count, unsigned flags = cudaHostAllocDefault) : count_(count) {
    check(cudaHostAlloc(reinterpret_cast<void**>(&data_), count * sizeof(T), flags));
  }
  pinned_array(const pinned_array&) = delete;
  pinned_array& operator=(const pinned_array&) = delete;
  ~pinned_array() { (void)cudaFreeHost(data_); }

  T* data() const { return data_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  /// Its address on the device, if it is mapped.
  T* on_device() const {
    T* address = nullptr;
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&address), data_, 0));
    return address;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { (void)cudaStreamDestroy(handle_); }
  operator cudaStream_t() const { return handle_; }
  void wait() const { check(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

class event {
 public:
  explicit event(unsigned flags = cudaEventDefault) { check(cudaEventCreateWithFlags(&handle_, flags)); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() { (void)cudaEventDestroy(handle_); }
  operator cudaEvent_t() const { return handle_; }
  void record(cudaStream_t stream) const { check(cudaEventRecord(handle_, stream)); }
  /// Microseconds from `earlier` to this event; both must have happened.
  double us_since(const event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier, handle_));
    return 1e3 * double(milliseconds);
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Units in the last place between a float and the exact value, both finite.
inline double ulps(float got, double exact) {
  const double step = std::ldexp(1.0, std::max(std::ilogb(exact == 0 ? 1e-45 : exact), -126) - 23);
  return std::fabs(double(got) - exact) / step;
}

}  // namespace course
