// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What random calls are made of: numbers that are the same wherever the test runs, values of which any range has a
// known result, and calls that wait to be made, in vain first, and judged.
#include <gpuprim/launch/workspace.cuh>

#include "reduce_check.cuh"
#include "spoiled_arguments.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#if defined(SIMT_DEVICE)
#include <sys/wait.h>
#include <unistd.h>
#include <simt/control.hpp>
#endif

namespace test {

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : next_(seed << 32) {}

  std::uint64_t next() {
    next_ += 2;
    return std::uint64_t(scramble(next_)) << 32 | scramble(next_ + 1);
  }
  /// 0 to n - 1.
  std::int64_t below(std::int64_t n) { return std::int64_t(next() % std::uint64_t(n)); }
  bool one_of(int n) { return below(n) == 0; }
  double unit() { return double(next() >> 11) * 0x1p-53; }
  /// 0 to `most`, of any magnitude alike, and often about a power of two.
  std::int64_t size(std::int64_t most) {
    auto n = std::int64_t(std::exp(unit() * std::log(double(most) + 1)));
    if (one_of(6)) n = (std::int64_t{1} << std::ilogb(double(n))) + below(5) - 2;
    if (one_of(20)) n = 0;
    return std::clamp<std::int64_t>(n, 0, most);
  }

 private:
  std::uint64_t next_;
};

/// Values whose result over any range takes the results up to its ends: their difference, or, of maps that can be
/// inverted, what leads from the one to the other. So the results of millions of segments are known at once.
template <class T, class Acc>
class known_values {
 public:
  explicit known_values(std::int64_t n) : values(make_values<T>(n)), device_(values) {
    for (const T& value : values) up_to_.push_back(join(up_to_.back(), static_cast<Acc>(value)));
  }

  const T* data() const { return given(device_.data(), false); }
  Acc over(std::int64_t begin, std::int64_t end) const {
    return begin < end ? join(inverse(up_to_[std::size_t(begin)]), up_to_[std::size_t(end)]) : nothing();
  }
  void check_unchanged() const { device_.check_unchanged(); }

  static Acc join(const Acc& a, const Acc& b) {
    if constexpr (std::is_same_v<Acc, affine>) return then{}(a, b);
    else if constexpr (std::is_same_v<Acc, point3>) return add_points{}(a, b);
    else return a + b;
  }
  static Acc nothing() {
    if constexpr (std::is_same_v<Acc, affine>) return {1, 0};
    else return Acc{};
  }

  const std::vector<T> values;

 private:
  static Acc inverse(const Acc& of) {
    if constexpr (std::is_same_v<Acc, affine>) {
      std::uint32_t scale = of.scale;  // odd: each step doubles the number of right bits, of which three are right
      for (int i = 0; i < 4; ++i) scale *= 2 - of.scale * scale;
      return {scale, 0 - of.offset * scale};
    } else if constexpr (std::is_same_v<Acc, point3>) {
      return {-of.x, -of.y, -of.z};
    } else {
      return 0 - of;
    }
  }

  device_array<T> device_;
  std::vector<Acc> up_to_{nothing()};
};

/// A call that waits to be made. Its arrays are kept by what refers to them.
struct random_call {
  std::string what;
  gpuprim::workspace_size workspace;
  std::function<cudaError_t(const gpuprim::options&)> launch;
  std::function<void()> check;
  std::function<void()> check_untouched = [] {};
  bool is_several = false;              // calls of the library, of which some may have been made when one is refused
  bool hides_addresses = false;         // in iterators and function objects, which no call looks into
  std::uintptr_t apart = 0;             // an input that no output may begin in behind its first element
  std::int64_t bytes_apart = 0;         // of that
  std::int64_t element_bytes = 0;       // of that
  std::function<void()> disorder = {};  // puts offsets in an order which the SIMT device ends a program for
};

/// What makes a call with the addresses of its outputs. Kinds of calls that write results of one type share what takes
/// it.
template <class... Results>
using launch_to = std::type_identity_t<std::function<cudaError_t(Results*..., const gpuprim::options&)>>;

/// `launch(out, options)` shall write `wanted` to an array that begins so many bytes past a boundary of 256.
template <class Acc>
random_call make_call(std::string what, gpuprim::workspace_size workspace, std::vector<Acc> wanted,
                      launch_to<Acc> launch, std::size_t misalignment = 0) {
  const auto out = std::make_shared<output_array<Acc>>(wanted.size(), misalignment);
  return {std::move(what), workspace, [=](const gpuprim::options& how) { return launch(out->data(), how); },
          [out, wanted = std::move(wanted)] {
            CHECK(out->download() == wanted);
            out->check_guards();
          },
          [out] { out->check_untouched(); }};
}

/// `launch(first, second, options)` shall write what is wanted to two arrays.
template <class First, class Second>
random_call make_call(std::string what, gpuprim::workspace_size workspace, std::vector<First> first,
                      std::vector<Second> second, launch_to<First, Second> launch, std::size_t misalignment = 0) {
  const auto out = std::make_shared<output_array<Second>>(second.size(), misalignment);
  const auto launch_both = [=](First* first_out, const gpuprim::options& how) {
    return launch(first_out, out->data(), how);
  };
  random_call call = test::make_call(std::move(what), workspace, std::move(first), launch_both);
  call.check = [check_first = std::move(call.check), out, second = std::move(second)] {
    check_first();
    CHECK(out->download() == second);
    out->check_guards();
  };
  call.check_untouched = [check_first = std::move(call.check_untouched), out] {
    check_first();
    out->check_untouched();
  };
  return call;
}

/// A call whose outputs must not begin among the elements of an input but at the first one.
template <class T>
random_call apart(random_call call, const T* in, std::int64_t n) {
  call.apart = reinterpret_cast<std::uintptr_t>(in);
  call.bytes_apart = n * std::int64_t(sizeof(T));
  call.element_bytes = std::int64_t(sizeof(T));
  return call;
}

inline random_call hidden(random_call call) {
  call.hides_addresses = true;
  return call;
}

/// A call that is several if `are_several` says so.
inline random_call several(random_call call, bool are_several = true) {
  call.is_several = are_several;
  return call;
}

/// A memory resource that holds to the least that one has to: its memory is aligned to 16 bytes and to no more, and is
/// full of ones.
struct least_resource {
  std::int64_t in_use = 0;

  void* allocate(std::size_t bytes, cudaStream_t stream) {
    void* memory = nullptr;
    if (cudaMallocAsync(&memory, bytes + 16, stream) != cudaSuccess) return nullptr;
    if (cudaMemsetAsync(memory, 0xff, bytes + 16, stream) != cudaSuccess) return nullptr;
    in_use += std::int64_t(bytes);
    return static_cast<char*>(memory) + 16;
  }
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) {
    in_use -= std::int64_t(bytes);
    (void)cudaFreeAsync(static_cast<char*>(memory) - 16, stream);
  }
};

/// Makes a dry run of a call, which takes no more than it says.
inline gpuprim::workspace_size measure_call(const random_call& call) {
  gpuprim::workspace_size size;
  CUDA_OK(call.launch({.measured = &size}));
  CHECK(size.zeroed_bytes <= call.workspace.zeroed_bytes);
  CHECK(size.scratch_bytes <= call.workspace.scratch_bytes);
  return size;
}

#if defined(SIMT_DEVICE)
/// Has no memory to give.
struct empty_resource {
  void* allocate(std::size_t, cudaStream_t) { return nullptr; }
  void deallocate(void*, std::size_t, cudaStream_t) {}
};

/// Makes a call that has to be refused, before anything is launched, or to need nothing of what is wrong: its results
/// are right then, unless it must not be taken at all.
template <class Launch>
void make_in_vain(const random_call& call, bool must_fail, cudaError_t wanted, const Launch& launch) {
  const auto before = simt::current_statistics().launches;
  const cudaError_t error = launch();
  if (error == cudaSuccess) {
    CHECK(!must_fail);
    CUDA_OK(cudaDeviceSynchronize());
    call.check();
    return;
  }
  CHECK(error == wanted);
  CHECK(*gpuprim::last_fault() != '\0');
  if (call.is_several) return;
  call.check_untouched();
  // What finds no memory may have launched what needs none.
  if (wanted == cudaErrorInvalidValue) CHECK(simt::current_statistics().launches == before);
}

/// Makes a call without all the memory that it says to need: in a workspace that is too small or could not be had, or
/// from where there is none.
inline void make_without_memory(const random_call& call, gpuprim::workspace_size size, random_numbers& random) {
  const std::int64_t kind = random.below(4);
  CAPTURE(kind, size.zeroed_bytes, size.scratch_bytes);
  if (kind == 0) {
    empty_resource empty;
    make_in_vain(call, false, cudaErrorMemoryAllocation, [&] { return call.launch({.memory = empty}); });
    return;
  }
  gpuprim::workspace workspace;
  if (kind == 1) {
    device_array<char> memory(std::size_t(size.total_bytes()), std::size_t(1 + random.below(15)));
    CHECK(workspace.borrow(memory.data(), size, nullptr) == cudaErrorMisalignedAddress);
    memory.check_untouched();
  } else {
    const bool have_both = size.zeroed_bytes > 0 && size.scratch_bytes > 0;
    const bool is_scratch = have_both ? random.one_of(2) : size.scratch_bytes > 0;
    std::int64_t& bytes = is_scratch ? size.scratch_bytes : size.zeroed_bytes;
    bytes = kind == 2 ? bytes - 1 : random.below(bytes);
    CUDA_OK(workspace.reserve(size));
  }
  make_in_vain(call, false, cudaErrorInvalidValue, [&] { return call.launch({.workspace = &workspace}); });
}

/// Makes a call with one wrong argument.
inline void make_with_fault(const random_call& call, random_numbers& random) {
  gpuprim::workspace_size size;
  spoiler counted;
  CUDA_OK(make_spoiled(counted, [&] { return call.launch({.measured = &size}); }));
  std::vector<fault> faults;
  if (!call.hides_addresses) faults = {fault::null, fault::misaligned, fault::on_host};
  if (counted.counts > 0) faults.insert(faults.end(), {fault::negative, fault::too_large});
  const std::int64_t places = call.bytes_apart - call.element_bytes;
  if (places > 0 && counted.outputs > 0) faults.push_back(fault::overlap);
  if (faults.empty()) return;
  spoiler how;
  how.what = faults[std::size_t(random.below(std::int64_t(faults.size())))];
  const bool is_count = how.what == fault::negative || how.what == fault::too_large;
  const bool is_overlap = how.what == fault::overlap;
  how.ahead = random.below(is_overlap ? counted.outputs : is_count ? counted.counts : counted.addresses);
  if (is_overlap) {
    how.end = call.apart + std::uintptr_t(call.bytes_apart);
    how.place = call.apart + std::uintptr_t(call.element_bytes + random.below(places));
  }
  CAPTURE(int(how.what), how.ahead, how.place - call.apart);
  if (is_count || is_overlap) {  // a dry run first, for such a launch would have no end, or spoil an input
    spoiler dry = how;
    const cudaError_t error = make_spoiled(dry, [&] { return call.launch({.measured = &size}); });
    if (!dry.is_done) return;  // no result of that alignment begins there
    if (error == cudaSuccess && how.what == fault::too_large && counted.outputs == 0) return;  // none are asked for
    REQUIRE(error == cudaErrorInvalidValue);
  }
  make_in_vain(call, is_count || is_overlap, cudaErrorInvalidValue,
               [&] { return make_spoiled(how, [&] { return call.launch({}); }); });
}

/// Makes a call with offsets that decrease, in a process of its own: the device ends it with a sentence.
inline void make_with_disorder(const random_call& call) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    call.disorder();
    (void)call.launch({});
    (void)cudaDeviceSynchronize();
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char part[512];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) said.append(part, std::size_t(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CAPTURE(said);
  CHECK(status != 0);
  CHECK(said.find("the offsets must not decrease") != std::string::npos);
}

/// Makes a call in vain.
inline void spoil_call(const random_call& call, const gpuprim::workspace_size& measured, random_numbers& random) {
  if (call.disorder && random.one_of(4)) make_with_disorder(call);
  else if (measured.total_bytes() > 0 && random.one_of(4)) make_without_memory(call, measured, random);
  else make_with_fault(call, random);
}
#endif

/// Makes all calls, in any order, up to three times, and looks at what they wrote: in several streams, some with the
/// stream's workspace, some with a memory resource, or in a graph that is launched again.
inline void make_calls(std::vector<random_call>& calls, random_numbers& random) {
  struct lane {
    cudaStream_t stream{};
    gpuprim::workspace workspace;
    lane() { CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    lane(const lane&) = delete;
    lane& operator=(const lane&) = delete;
    ~lane() { (void)cudaStreamDestroy(stream); }
  };
  std::vector<lane> lanes(std::size_t(1 + random.below(4)));
  for (const random_call& call : calls) {
    CAPTURE(call.what);
    const gpuprim::workspace_size measured = measure_call(call);
#if defined(SIMT_DEVICE)
    if (random.one_of(2)) spoil_call(call, measured, random);
#endif
    for (lane& one : lanes) CUDA_OK(one.workspace.reserve(random.one_of(2) ? call.workspace : measured));
  }
  least_resource resource;
  const int rounds = 1 + int(random.below(3));
  const auto launch_all = [&] {
    for (std::size_t i = calls.size(); i > 1; --i) {
      std::swap(calls[i - 1], calls[std::size_t(random.below(std::int64_t(i)))]);
    }
    for (const random_call& call : calls) {
      CAPTURE(call.what);
      lane& one = lanes[std::size_t(random.below(std::int64_t(lanes.size())))];
      gpuprim::options how{.stream = one.stream};
      if (const std::int64_t from = random.below(3); from == 0) how.workspace = &one.workspace;
      else if (from == 1) how.memory = resource;
      CUDA_OK(call.launch(how));
    }
  };
  CUDA_OK(cudaDeviceSynchronize());
  if (lanes.size() == 1) {
    cudaGraph_t graph{};
    cudaGraphExec_t passes{};
    CUDA_OK(cudaStreamBeginCapture(lanes[0].stream, cudaStreamCaptureModeThreadLocal));
    launch_all();
    CUDA_OK(cudaStreamEndCapture(lanes[0].stream, &graph));
    CUDA_OK(cudaGraphInstantiate(&passes, graph, 0));
    for (int round = 0; round < rounds; ++round) CUDA_OK(cudaGraphLaunch(passes, lanes[0].stream));
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaGraphExecDestroy(passes));
    CUDA_OK(cudaGraphDestroy(graph));
  } else {
    for (int round = 0; round < rounds; ++round) {
      launch_all();
      CUDA_OK(cudaDeviceSynchronize());  // the next round writes the same outputs from other streams
    }
  }
  for (const random_call& call : calls) {
    CAPTURE(call.what);
    call.check();
  }
  for (const lane& one : lanes) check_zero(one.workspace);
  CHECK(resource.in_use == 0);
}

}  // namespace test
