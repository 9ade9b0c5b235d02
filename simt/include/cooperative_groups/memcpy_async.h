// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies, done before the call returns. wait() is still what makes another thread's part
// visible.
#pragma once

#include <cstddef>
#include <type_traits>

#include <cooperative_groups.h>

namespace cooperative_groups {

// Each thread copies every size()-th byte.
template <class Group, class To, class From>
void memcpy_async(const Group& group, To* to, const From* from, std::size_t bytes) {
  static_assert(std::is_void_v<To> || std::is_trivially_copyable_v<To>, "memcpy_async needs a trivially copyable type");
  auto* target = reinterpret_cast<unsigned char*>(to);
  auto* source = reinterpret_cast<const unsigned char*>(from);
  for (std::size_t i = group.thread_rank(); i < bytes; i += group.size()) target[i] = source[i];
}

// Layouts count elements: as many as both sides have room for.
template <class Group, class T>
void memcpy_async(const Group& group, T* to, std::size_t to_count, const T* from, std::size_t from_count) {
  memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

template <class Group>
void wait(const Group& group, SIMT_HERE) {
  group.sync(here);
}

template <unsigned int StagesLeft, class Group>
void wait_prior(const Group& group, SIMT_HERE) {
  group.sync(here);
}

}  // namespace cooperative_groups
