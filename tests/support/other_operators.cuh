// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The operators of other libraries. Where there is no CCCL some stand for them, in inline namespaces as theirs.
#include <gpuprim/core/config.hpp>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <functional>

#if defined(SIMT_DEVICE)

namespace cuda {
inline namespace __4 {
template <class T = void>
struct maximum {
  T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class T> T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
}  // namespace __4
namespace std {
inline namespace __4 {
template <class T = void>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
template <>
struct plus<void> {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a + b; }
};
template <class T = void>
struct less {
  bool operator()(const T& a, const T& b) const { return a < b; }
};
}  // namespace __4
}  // namespace std
}  // namespace cuda

namespace thrust {
inline namespace THRUST_200400_SM_NS {
template <class T = void>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T = void>
struct bit_or {
  T operator()(const T& a, const T& b) const { return a | b; }
};
}  // namespace THRUST_200400_SM_NS
}  // namespace thrust

#else

#include <thrust/functional.h>
#include <cuda/functional>
#include <cuda/std/functional>

#endif
