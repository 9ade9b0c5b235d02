// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(GPUPRIM_TEST_CONTROL)
#define OF_ITEM __device__
#else
#define OF_ITEM
#endif

/// A type whose comparisons only the host can call, and in the control only the device.
struct item {
  int value;
  OF_ITEM bool operator==(const item& other) const { return value == other.value; }
  OF_ITEM bool operator<(const item& other) const { return value < other.value; }
};
