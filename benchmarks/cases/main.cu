// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases from programs of others, each beside what these had: `cases [results.json [name]]`. A row is the median of
// rounds in which contenders take turns; every result is compared.
#include "cases.hpp"

#include "../support/results.hpp"
#include "../support/samples.hpp"

#include <cub/version.cuh>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  std::FILE* const file = argc > 1 ? bench::open_results(argv[1], CUB_VERSION) : nullptr;
  if (file) std::fprintf(file, ",\n \"rows\": [");
  const char* separator = "\n";
  for (bench::case_of_others (*make)() : bench::all_cases) {
    const bench::case_of_others one = make();
    if (argc > 2 && one.name.find(argv[2]) == std::string::npos) continue;
    std::vector<bench::samples> us(one.contenders.size());
    for (int round = 0; round < one.rounds; ++round) {
      bench::take_turns(round, int(one.contenders.size()),
                        [&](int i) { us[std::size_t(i)].add(one.contenders[std::size_t(i)].us()); });
    }
    for (std::size_t i = 0; i < us.size(); ++i) {
      const std::string& contender = one.contenders[i].name;
      std::printf("%-44s %-28s %9.2f us\n", one.name.c_str(), contender.c_str(), us[i].median());
      if (!file) continue;
      std::fprintf(file, "%s  {\"case\": \"%s\", \"contender\": \"%s\", \"us\": %.3f, \"quartiles\": [%.3f, %.3f]}",
                   separator, one.name.c_str(), contender.c_str(), us[i].median(), us[i].quantile(0.25),
                   us[i].quantile(0.75));
      separator = ",\n";
    }
  }
  if (file) {
    std::fprintf(file, "\n ]\n}\n");
    std::fclose(file);
  }
}
