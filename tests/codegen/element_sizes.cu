// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 1, 2, 4, 8 and 16 bytes are read 16 bytes a load, all loads of a turn in flight, and nothing goes to
// local memory; of 12 bytes three loads bring four; from a base address that no whole element leads to a 16-byte
// boundary from, a load is two. Registers: three blocks of 256 must fit, two where each load is two, and two of 512
// that add up numbers.
// expect: kernel reduce_kernel<512, 8,
// expect: wide-loads >= 8
// expect: kernel reduce_kernel<512, 8, (float|int|double),
// expect: together >= 8
// expect: registers <= 64
// expect: kernel reduce_kernel<256, 4,
// expect: wide-loads >= 4
// expect: kernel reduce_kernel<512, 2, (?=.*words<3>)
// expect: wide-loads >= 6
// expect: kernel reduce_kernel<256, 1, (?=.*words<3>)
// expect: wide-loads >= 3
// expect: kernel reduce_kernel<512, 8,
// expect: registers <= 128
// expect: ptx <= 0 \bcall
// expect: kernel reduce_kernel<256, 4, (?!.*shifted_array)
// expect: registers <= 80
// expect: kernel reduce_kernel<256, 4,
// expect: registers <= 128
// expect: ptx <= 0 \bcall
// expect: kernel reduce_kernel<512, 4, (?=.*words<3>)
// expect: wide-loads >= 12
// expect: together >= 12
// expect: kernel reduce_kernel<
// expect: no-local-memory
#include <gpuprim/reduce.cuh>

namespace {

template <int Count>
struct words {
  float items[Count];
};

struct add {
  template <int Count>
  __host__ __device__ words<Count> operator()(words<Count> a, const words<Count>& b) const {
    for (int i = 0; i < Count; ++i) a.items[i] += b.items[i];
    return a;
  }
};

/// The same with an identity, so that lanes keep values of their own.
struct add_from_zero : add {};

/// x -> scale * x + offset, one after the other: the order counts.
struct line {
  float scale, offset;
};

struct then {
  __host__ __device__ line operator()(const line& f, const line& g) const {
    return {f.scale * g.scale, f.offset * g.scale + g.offset};
  }
};

struct last_set {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return b ? b : a; }
};

}  // namespace

template <int Count>
inline constexpr bool gpuprim::is_commutative<add, words<Count>> = true;
template <>
inline constexpr bool gpuprim::is_commutative<add_from_zero, words<3>> = true;
template <>
struct gpuprim::identity_element<add_from_zero, words<3>> {
  __host__ __device__ static constexpr words<3> value() { return {}; }
};

template <class T, class Op>
cudaError_t run(const T* in, std::int64_t n, T* out, T init, gpuprim::workspace& workspace) {
  const cudaError_t e = gpuprim::reduce<Op, 512, 8>(in, n, out, Op{}, init, {.workspace = &workspace});
  return e != cudaSuccess ? e : gpuprim::reduce<Op, 256, 4>(in, n, out, Op{}, init, {.workspace = &workspace});
}

using gpuprim::workspace;
template cudaError_t run<signed char, gpuprim::plus<>>(const signed char*, std::int64_t, signed char*, signed char,
                                                       workspace&);
template cudaError_t run<short, gpuprim::plus<>>(const short*, std::int64_t, short*, short, workspace&);
template cudaError_t run<float, gpuprim::plus<>>(const float*, std::int64_t, float*, float, workspace&);
template cudaError_t run<double, gpuprim::plus<>>(const double*, std::int64_t, double*, double, workspace&);
template cudaError_t run<words<3>, add>(const words<3>*, std::int64_t, words<3>*, words<3>, workspace&);
template cudaError_t gpuprim::reduce<add_from_zero, 512, 16>(const words<3>*, std::int64_t, words<3>*, add_from_zero,
                                                             words<3>, const options&);  // as large inputs have it
template cudaError_t run<words<4>, add>(const words<4>*, std::int64_t, words<4>*, words<4>, workspace&);
template cudaError_t run<unsigned, last_set>(const unsigned*, std::int64_t, unsigned*, unsigned, workspace&);
template cudaError_t run<line, then>(const line*, std::int64_t, line*, line, workspace&);
