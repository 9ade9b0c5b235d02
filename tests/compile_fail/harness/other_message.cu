// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if !defined(GPUPRIM_TEST_CONTROL)
static_assert(sizeof(int) == 0, "another sentence");
#endif
int main() {}
