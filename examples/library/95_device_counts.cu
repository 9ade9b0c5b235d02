// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts that stay on the device: each pass takes as many elements as the one before it has found, without a copy of
// the count to the host. The whole is one graph, which is replayed over new data. A running total is carried from one
// batch to the next in device memory too.
#include <gpuprim/extrema.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/select.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

namespace {

struct is_large {
  GPUPRIM_HOST_DEVICE bool operator()(int amount) const { return amount >= 700; }
};
struct fee {
  GPUPRIM_HOST_DEVICE int operator()(int amount) const { return amount / 100; }
};

struct results {
  std::vector<int> fees, shops, sums, running;
  int count, runs, total, most, carried;
};

/// What the passes should find; `carried` is the total of the batches before.
results find_on_host(const std::vector<int>& shop, const std::vector<int>& amount, int carried) {
  results r{};
  r.carried = carried;
  for (std::size_t i = 0; i < amount.size(); ++i) {
    if (!is_large{}(amount[i])) continue;
    const int own = fee{}(amount[i]);
    r.fees.push_back(own);
    if (r.count == 0 || r.shops.back() != shop[i]) {
      r.shops.push_back(shop[i]);
      r.sums.push_back(0);
    }
    r.sums.back() += own;
    r.running.push_back(r.carried += own);
    r.total += own;
    if (r.count == 0 || own > r.most) r.most = own;
    ++r.count;
  }
  r.runs = int(r.shops.size());
  return r;
}

bool begins_with(const std::vector<int>& all, const std::vector<int>& first) {
  return std::equal(first.begin(), first.end(), all.begin());
}

}  // namespace

int main() {
  using measure::check;
  const int n = measure::usual_size(20000, 1 << 22);
  const auto size = static_cast<std::size_t>(n);
  const measure::device_array<int> shop_array(size), amount_array(size), index_array(size), shops_array(size);
  const measure::device_array<int> fee_array(size), unique_array(size), sum_array(size), running_array(size), single(5);
  const int *const shop = shop_array.data(), *const amount = amount_array.data();
  int *const index = index_array.data(), *const shops = shops_array.data(), *const fees = fee_array.data();
  int *const unique = unique_array.data(), *const sums = sum_array.data(), *const running = running_array.data();
  int *const count = single.data(), *const runs = count + 1, *const total = count + 2, *const most = count + 3;
  int* const carried = count + 4;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  const gpuprim::plus<> plus;

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  // [calls]
  const gpuprim::options how{.stream = stream};
  check(gpuprim::select_indices(amount, n, index, count, is_large{}, how));
  const gpuprim::element_count found{count, n};  // as many as the select has found when the next kernels run
  check(gpuprim::gather(shop, index, found, shops, how));
  check(gpuprim::gather(amount, index, found, fees, how));
  check(gpuprim::transform(fees, found, fees, fee{}, how));
  check(gpuprim::reduce(fees, found, total, plus, how));
  check(gpuprim::max_element(fees, found, most, gpuprim::discard_output{}, how));
  check(gpuprim::reduce_by_key(shops, fees, found, unique, sums, runs, plus, how));
  // [calls]
  // [carry]
  // The scan goes on from where that of the batch before has ended, and leaves its total for the next.
  check(gpuprim::inclusive_scan(fees, found, gpuprim::with_total(running, carried), plus, gpuprim::value_at{carried},
                                how));
  // [carry]
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));

  check(gpuprim::fill(carried, 1, 0, {.stream = stream}));
  bool right = true;
  int before = 0;
  for (int batch = 1; batch <= 3; ++batch) {
    std::vector<int> host_shop, host_amount;
    for (int i = 0; i < n; ++i) {
      host_shop.push_back(i / 50);
      host_amount.push_back(int(unsigned(i) * 2654435761u % unsigned(600 + 200 * batch)));
    }
    const std::size_t bytes = size * sizeof(int);
    check(cudaMemcpyAsync(shop_array.data(), host_shop.data(), bytes, cudaMemcpyHostToDevice, stream));
    check(cudaMemcpyAsync(amount_array.data(), host_amount.data(), bytes, cudaMemcpyHostToDevice, stream));
    check(cudaGraphLaunch(executable, stream));
    check(cudaStreamSynchronize(stream));
    const results want = find_on_host(host_shop, host_amount, before);
    before = want.carried;
    const std::vector<int> numbers{want.count, want.runs, want.total, want.most, want.carried};
    const bool same = single.on_host() == numbers && begins_with(fee_array.on_host(), want.fees) &&
                      begins_with(unique_array.on_host(), want.shops) && begins_with(sum_array.on_host(), want.sums) &&
                      begins_with(running_array.on_host(), want.running);
    right &= same;
    std::printf("batch %d: %s\n", batch, same ? "right" : "WRONG");
  }
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  return right ? 0 : 1;
}
