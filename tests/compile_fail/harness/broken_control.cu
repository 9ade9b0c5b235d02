// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static_assert(sizeof(int) == 0, "the expected sentence");
int main() {}
