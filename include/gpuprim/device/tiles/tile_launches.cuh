// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/tiles/found_tiles.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// A launch shape, and when it is tried: up to `Limit` tiles if a block takes one, else from `Limit` elements on. There
/// is no such launch if that is negative.
template <class Shape, std::int64_t Limit>
struct tile_launch {
  using shape = Shape;
  static constexpr std::int64_t limit = Limit;
};
/// Launches in the order in which they are tried, but for `Last`, which is tried at the end.
template <class Last, class... Others>
struct launch_list {};

/// The choice among the launch shapes of a family. Family has
///
///   mail, look_back           // see found_tiles
///   list                      // a launch_list
///   count_tiles<Shape>(n)     // that n elements make at most
///   try_shape<Shape>(found)   // calls found.try_kernel<...>
template <class Family>
struct tile_launches {
  /// What is enough for a count is enough for smaller ones too.
  static constexpr std::int64_t workspace_bytes(std::int64_t n) {
    return [n]<class... Launches>(launch_list<Launches...>) {
      std::int64_t most = 0;
      for (const std::int64_t bytes : {bytes_of<Launches>(n)...}) most = most < bytes ? bytes : most;
      return most;
    }(typename Family::list{});
  }

  /// Chooses the launch for a count and a GPU.
  template <class Pass>
  static auto choose(const Pass& pass) {
    found_tiles<Pass, typename Family::mail, typename Family::look_back> found(pass);
    [&]<class Last, class... Others>(launch_list<Last, Others...>) {
      const std::int64_t tiles = Family::template count_tiles<typename Last::shape>(most_count(pass));
      if (tiles > Family::look_back::most_tiles) found.fault = too_many_tiles;
      else (void)(try_launch<Others>(found) || ... || try_launch<Last>(found));
    }(typename Family::list{});
    return found;
  }

 private:
  template <class Launch>
  static constexpr std::int64_t bytes_of(std::int64_t n) {
    if constexpr (Launch::limit < 0) {
      return 0;
    } else {
      using shape = typename Launch::shape;
      using shared = std::conditional_t<shape::stages == 1, typename Family::mail, typename Family::look_back>;
      const std::int64_t tiles = Family::template count_tiles<shape>(n);
      return shared::bytes(tiles < shared::most_tiles ? tiles : shared::most_tiles);
    }
  }

  template <class Pass>
  static std::int64_t most_count(const Pass& pass) {
    if constexpr (requires { pass.n.most(); }) return pass.n.most();
    else return pass.n;
  }
  /// A count that the host does not know is not for one tile a block, because others would wait for blocks without a
  /// tile.
  template <class Pass>
  static bool is_known(const Pass& pass) {
    if constexpr (requires { pass.n.most(); }) return pass.n.most() == 0 || !pass.n.is_in_device_memory();
    else return true;
  }

  template <class Launch, class Found>
  static bool try_launch(Found& found) {
    if constexpr (Launch::limit < 0) {
      return false;
    } else {
      using shape = typename Launch::shape;
      const std::int64_t n = most_count(found.pass);
      const bool suits = shape::stages > 1
                             ? n >= Launch::limit
                             : is_known(found.pass) && Family::template count_tiles<shape>(n) <= Launch::limit;
      return suits && Family::template try_shape<shape>(found);
    }
  }
};

}  // namespace gpuprim::detail
