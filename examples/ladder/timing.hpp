// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.hpp"
#include "rung.hpp"

#include <algorithm>

namespace ladder {

/// Inputs of one size, together far larger than an L2 cache, so that what is timed comes from DRAM.
template <class T>
class inputs {
 public:
  explicit inputs(const std::vector<T>& values)
      : n_(int(values.size())), pristine_(values.size()), scratch_(std::size_t(scratch_elements(n_))), out_(1) {
    const std::size_t bytes = values.size() * sizeof(T), count = std::clamp<std::size_t>((1u << 29) / bytes, 2, 32);
    pristine_.upload(values.data(), values.size());
    for (std::size_t i = 0; i < count; ++i) copies_.emplace_back(values.size());
    check(cudaEventCreate(&begin_), "create an event");
    check(cudaEventCreate(&end_), "create an event");
  }
  inputs(const inputs&) = delete;
  inputs& operator=(const inputs&) = delete;
  ~inputs() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
  }

  /// Device time of one run in microseconds: the median of up to 11 samples after one to warm up. A sample is a run
  /// over each input, back to back, so that the host's part hides behind a longer GPU's; a slow rung's is one run.
  cudaError_t time(const rung<T>& r, double& us) {
    gpuprim::workspace workspace;  // of its own, because each library leaves its own things there
    std::vector<double> samples;
    std::size_t runs = copies_.size();
    double total_us = 0;
    while (samples.size() < 12 && (samples.size() < 4 || total_us < 250e3)) {
      if (spoilt_) renew();  // not timed
      spoilt_ = r.destroys_input;
      check(cudaEventRecord(begin_), "record an event");
      for (std::size_t i = 0; i < runs; ++i) {
        const task<T> one{copies_[i].data(), n_, scratch_.data(), out_.data(), &result_, &workspace, nullptr};
        if (cudaError_t e = r.run(one)) return e;
      }
      check(cudaEventRecord(end_), "record an event");
      if (cudaError_t e = cudaDeviceSynchronize()) return e;
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_), "elapsed time");
      samples.push_back(double(milliseconds) * 1e3 / double(runs));
      total_us += double(milliseconds) * 1e3;
      if (samples.size() == 1 && samples[0] > 2e3) runs = 1;
    }
    samples.erase(samples.begin());
    std::sort(samples.begin(), samples.end());
    us = samples[samples.size() / 2];
    return cudaSuccess;
  }

  T* first() const { return copies_.front().data(); }

  /// What the last timed run left.
  T last_result(const rung<T>& r) const {
    T got = result_;
    if (!r.result_on_host) out_.download(&got, 1);
    return got;
  }

 private:
  void renew() {
    for (const device_array<T>& copy : copies_) {
      check(cudaMemcpyAsync(copy.data(), pristine_.data(), std::size_t(n_) * sizeof(T), cudaMemcpyDeviceToDevice),
            "copy");
    }
  }

  int n_;
  bool spoilt_ = true;  ///< the copies no longer hold the values
  device_array<T> pristine_, scratch_, out_;
  std::vector<device_array<T>> copies_;
  T result_{};
  cudaEvent_t begin_{}, end_{};
};

}  // namespace ladder
