// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the examples that measure share: checked calls, an array on the device, and a timer of device time. Copy this
// file along with an example that includes it.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <vector>

namespace measure {

/// Whether a time says anything: the host SIMT device runs kernels on the CPU.
#if defined(SIMT_DEVICE)
inline constexpr bool on_gpu = false;
#else
inline constexpr bool on_gpu = true;
#endif

inline void check(cudaError_t e, std::source_location where = std::source_location::current()) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), unsigned(where.line()), cudaGetErrorString(e));
  std::exit(1);
}

/// The size to work on: the first argument of the program, or `usual`. The examples compute indices as int; `largest`
/// is a size at which none of them overflows.
inline int size_to_run(int count, char** arguments, int usual, int largest = 1 << 30) {
  if (count < 2) return usual;
  const long size = std::strtol(arguments[1], nullptr, 10);
  if (size >= 1 && size <= largest) return int(size);
  std::fprintf(stderr, "the size must be a number from 1 to %d\n", largest);
  std::exit(1);
}

template <class T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& from) : device_array(from.size()) {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());  // streams that do not block would not wait for the last of the copy
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { (void)cudaFree(data_); }

  T* data() const { return data_; }
  /// So that nothing is left of an earlier result.
  void poison() const {
    check(cudaMemset(data_, 0xC3, count_ * sizeof(T)));
    check(cudaDeviceSynchronize());
  }
  std::vector<T> on_host() const {
    std::vector<T> to(count_);
    check(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// None without a GPU; one where each access is checked (scripts/gpu_record.py), which takes long and spoils any time.
inline int samples_to_take() { return !on_gpu ? 0 : std::getenv("GPUPRIM_TEST_SMALL") ? 1 : 11; }

/// A size at which a time says something, or a small one where there is no GPU or each access is checked.
inline int usual_size(int small, int large) { return samples_to_take() > 1 ? large : small; }

// [timer]
/// Device time by events. The events are in the stream of the work; the host waits for the second one before it asks.
class event_timer {
 public:
  event_timer() {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  event_timer(const event_timer&) = delete;
  event_timer& operator=(const event_timer&) = delete;
  ~event_timer() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
  }

  /// Microseconds of one `run(i)`, which enqueues and returns an error: the median of 11 samples after one that does
  /// not count, because a first call also loads code. A sample is `repeats` runs; i goes on, so that they can take
  /// turns over several inputs. Runs that are shorter than the host takes to launch one are not timed right by this.
  template <class Run>
  double us(Run run, int repeats = 4, cudaStream_t stream = nullptr,
            std::source_location where = std::source_location::current()) {
    std::vector<double> samples;
    for (int sample = -1, i = 0; sample < samples_to_take(); ++sample) {
      check(cudaEventRecord(begin_, stream));
      for (int k = 0; k < (on_gpu ? repeats : 1); ++k) check(run(i++), where);
      check(cudaEventRecord(end_, stream));
      check(cudaEventSynchronize(end_));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_));
      if (sample >= 0) samples.push_back(1e3 * double(milliseconds) / repeats);
    }
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};
// [timer]

/// Decimal gigabytes a second.
inline double gb_per_s(double bytes, double us) { return us > 0 ? bytes * 1e-3 / us : 0; }

/// A measured figure with its unit, to print; or that there is none.
inline std::string figure(double value, const char* unit) {
  if (!on_gpu) return "not timed";
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

inline std::string rate(double bytes, double us) { return figure(gb_per_s(bytes, us), "GB/s"); }

}  // namespace measure
