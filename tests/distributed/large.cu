// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 2^30 floats on each GPU: the results of all GPUs are those of one GPU that has all elements. Needs two GPUs, of which
// the first has 24 GB of memory.
#include "../support/ranks.cuh"

#include <gpuprim/gpuprim.cuh>

namespace {

namespace distributed = gpuprim::distributed;

constexpr std::int64_t each = std::int64_t{1} << 30;
constexpr int bins = 256;

/// A number below 256 for each place.
struct level {
  GPUPRIM_HOST_DEVICE float operator()(std::int64_t i) const {
    if (i < 0) return 0;
    std::uint64_t mixed = std::uint64_t(i) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u;
    return float(mixed >> 56);
  }
};
/// Steps from one level to the next: sums of any neighbours are exact, and that of the first ones is a level.
struct step {
  GPUPRIM_HOST_DEVICE float operator()(std::int64_t i) const { return level{}(i)-level{}(i - 1); }
};
/// Numbers of many magnitudes, of whose sum the bits depend on the order.
struct uneven {
  GPUPRIM_HOST_DEVICE float operator()(std::int64_t i) const {
    return (level{}(i)-100) / float(1 << (int(level{}(i + each)) % 24));
  }
};

template <class Make>
__global__ void fill(float* to, std::int64_t first, std::int64_t n, Make make) {
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    to[i] = make(first + i);
  }
}
__global__ void count_wrong(const float* sums, std::int64_t first, std::int64_t n, unsigned long long* wrong) {
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    if (sums[i] != level{}(first + i)) atomicAdd(wrong, 1ull);
  }
}

/// The elements of a GPU from `first` on, a place for a scan of them, and results.
struct part {
  part(std::int64_t begin, std::int64_t count) : first(begin), n(count) {
    CUDA_OK(cudaMalloc(&in, std::size_t(n) * sizeof *in));
    CUDA_OK(cudaMalloc(&scanned, std::size_t(n) * sizeof *scanned));
  }
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  ~part() {
    (void)cudaFree(in);
    (void)cudaFree(scanned);
  }
  template <class Make>
  void make(const Make& from) {
    fill<<<1024, 256>>>(in, first, n, from);
    CUDA_OK(cudaDeviceSynchronize());
  }
  void check_scan() const {
    test::device_array<unsigned long long> wrong(std::vector<unsigned long long>{0});
    count_wrong<<<1024, 256>>>(scanned, first, n, wrong.data());
    CUDA_OK(cudaDeviceSynchronize());
    CHECK(wrong.download()[0] == 0);
  }

  std::int64_t first, n;
  float *in = nullptr, *scanned = nullptr;
  test::device_array<float> sum{1}, ordered{1};
  test::device_array<gpuprim::extremum<float>> least{1}, most{1};
  test::device_array<unsigned> counts{bins};
};

}  // namespace

TEST_CASE("Results of 2^30 floats on each GPU are those of one GPU", "[distributed][large][gpu]") {
  const int count = test::rank_counts().back();
  if (count < 2) SKIP("there is one GPU");
  test::rank_set ranks(count), one(1);
  const std::int64_t n = count * each;
  std::size_t free = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  if (free < std::size_t(n + each) * 2 * sizeof(float) + (2u << 30)) SKIP("the GPU has too little memory");
  part whole(0, n);
  std::vector<std::unique_ptr<part>> parts;
  ranks.for_each([&](int rank) { parts.push_back(std::make_unique<part>(rank * each, each)); });
  const auto own = [&](int rank) -> part& { return *parts[std::size_t(rank)]; };
  const auto make = [&](const auto& from) {
    ranks.for_each([&](int rank) { own(rank).make(from); });
    whole.make(from);
  };

  make(step{});
  const gpuprim::plus<float> plus;
  const gpuprim::even_bins even{bins, -256.0f, 256.0f};
  CUDA_OK(gpuprim::reduce(whole.in, n, whole.sum.data(), plus));
  CUDA_OK(gpuprim::min_element(whole.in, n, whole.least.data()));
  CUDA_OK(gpuprim::max_element(whole.in, n, whole.most.data()));
  CUDA_OK(gpuprim::histogram(whole.in, n, whole.counts.data(), even));
  CUDA_OK(gpuprim::inclusive_scan(whole.in, n, whole.scanned, plus));
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::all_reduce(comm, own(rank).in, each, own(rank).sum.data(), plus, how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::all_reduce(comm, own(rank).in, each, own(rank).least.data(), gpuprim::min_element, how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::all_reduce(comm, own(rank).in, each, own(rank).most.data(), gpuprim::max_element, how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::histogram(comm, own(rank).in, each, own(rank).counts.data(), even, how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::inclusive_scan(comm, own(rank).in, each, own(rank).scanned, plus, how);
  });
  CHECK(whole.sum.download()[0] == level{}(n - 1));
  whole.check_scan();
  ranks.for_each([&](int rank) {
    CAPTURE(rank);
    CHECK(own(rank).sum.download() == whole.sum.download());
    CHECK(own(rank).least.download() == whole.least.download());
    CHECK(own(rank).most.download() == whole.most.download());
    CHECK(own(rank).counts.download() == whole.counts.download());
    own(rank).check_scan();
  });

  make(uneven{});
  one.call([&](int, ncclComm_t comm, const auto& how) {
    return distributed::all_reduce(gpuprim::reproducible, comm, whole.in, n, whole.ordered.data(), plus, how);
  });
  ranks.call([&](int rank, ncclComm_t comm, const auto& how) {
    return distributed::all_reduce(gpuprim::reproducible, comm, own(rank).in, each, own(rank).ordered.data(), plus,
                                   how);
  });
  ranks.for_each([&](int rank) { CHECK(own(rank).ordered.download() == whole.ordered.download()); });
}
