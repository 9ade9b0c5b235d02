// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Occupancy by the formula: worked examples, and the toolkit's own header where it is there.
#include "occupancy.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

constexpr simt::kernel_resources with_registers(int registers, std::size_t dynamic_limit = 48 * 1024) {
  return {registers, 0, 1024, dynamic_limit};
}

}  // namespace

TEST_CASE("worked examples for 65,536 registers and 64 warps") {
  const auto& h200 = simt::model_named("H200");
  // 37 registers are 40 when handed out: 51 warps, of which blocks of 128 use 48 and blocks of 320 use 40.
  CHECK(simt::occupancy_by_formula(h200, with_registers(37), 128, 0) == 12);
  CHECK(simt::occupancy_by_formula(h200, with_registers(37), 320, 0) == 4);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 1024, 0) == 2);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 64, 0) == 32);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 32, 0) == 32);
  CHECK(simt::occupancy_by_formula(h200, with_registers(255), 1024, 0) == 0);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 1025, 0) == 0);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32, 227 * 1024), 128, 227 * 1024) == 1);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 128, 48 * 1024) == 4);
  CHECK(simt::occupancy_by_formula(h200, with_registers(32), 128, 48 * 1024 + 1) == 0);
  CHECK(simt::occupancy_by_formula(simt::model_named("T4"), with_registers(32), 256, 0) == 4);
}

#if defined(SIMT_HAVE_CUDA_OCCUPANCY)
TEST_CASE("the formula agrees with the toolkit's header") {
  for (const char* key : {"H200", "B200", "RTX5090", "L4", "A100", "T4"}) {
    const auto& model = simt::model_named(key);
    for (int registers : {16, 24, 32, 37, 40, 64, 96, 128, 168, 255}) {
      for (int threads = 1; threads <= 1024; threads += threads < 64 ? 1 : 31) {
        for (std::size_t dynamic : {std::size_t(0), std::size_t(1), std::size_t(1000), std::size_t(16 * 1024),
                                    std::size_t(48 * 1024), std::size_t(model.shared_per_block_opt_in)}) {
          auto kernel = with_registers(registers, std::size_t(model.shared_per_block_opt_in));
          int formula = simt::occupancy_by_formula(model, kernel, threads, dynamic);
          int toolkit = simt::occupancy_by_toolkit(model, kernel, threads, dynamic);
          INFO(key << " " << registers << " registers, " << threads << " threads, " << dynamic << " bytes");
          REQUIRE(formula == toolkit);
        }
      }
    }
  }
}
#endif
