// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main of every test. On the host SIMT device `--schedules N` runs the session once under lifo, fifo and each of N
// random schedules, each in a process of its own so that a deadlock in one cannot hide the others. All cases run under
// lifo and the first random schedule. Under fifo and behind the first random schedule only those run that are tagged
// [tsan], which are about how threads meet, and behind the second one only those of them that are not tagged
// [few_schedules].
#include <catch2/catch_session.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if defined(GPUPRIM_TEST_ON_SIMT)
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct schedule {
  const char* order;
  unsigned seed;
  unsigned resident_blocks;
  const char* cases;  // those that run: a filter that is added to the session's
};

int run_session(int argc, char** argv, const char* cases) {
  Catch::Session session;
  if (const int refused = session.applyCommandLine(argc, argv)) return refused;
  if (*cases) {
    Catch::ConfigData data = session.configData();
    if (data.testsOrTags.empty()) data.testsOrTags.emplace_back();
    for (std::string& filter : data.testsOrTags) filter += cases;
    data.allowZeroTests = true;  // the earlier schedules ran some
    session.useConfigData(data);
  }
  return session.run();
}

/// True if the session passes under this schedule.
bool run_in_child(const schedule& s, int argc, char** argv) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    return false;
  }
  if (child == 0) {
    setenv("SIMT_SCHEDULE", s.order, 1);
    setenv("SIMT_SEED", std::to_string(s.seed).c_str(), 1);
    setenv("SIMT_RESIDENT", std::to_string(s.resident_blocks).c_str(), 1);
    const int failed = run_session(argc, argv, s.cases);
    std::fflush(nullptr);
    _exit(failed ? 1 : 0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  std::printf("FAILED under SIMT_SCHEDULE=%s SIMT_SEED=%u SIMT_RESIDENT=%u (status %d)\n", s.order, s.seed,
              s.resident_blocks, status);
  return false;
}

}  // namespace
#endif

int main(int argc, char** argv) {
  int random_schedules = -1;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--schedules") == 0 && i + 1 < argc) random_schedules = std::atoi(argv[++i]);
    else rest.push_back(argv[i]);
  }
  rest.push_back(nullptr);
  const int count = int(rest.size()) - 1;
#if defined(GPUPRIM_TEST_ON_SIMT)
  if (random_schedules >= 0) {
    // As a GPU begins blocks, and as a kernel that waits for a lower rank cannot bear.
    std::vector<schedule> schedules{{"lifo", 1, 1, ""}, {"fifo", 1, 4, "[tsan]"}};
    for (int seed = 1; seed <= random_schedules; ++seed) {
      const char* const cases = seed == 1 ? "" : seed == 2 ? "[tsan]" : "[tsan]~[few_schedules]";
      schedules.push_back({"random", unsigned(seed), seed % 3 == 0 ? 1u : 4u, cases});
    }
    int failed = 0;
    for (const schedule& s : schedules) failed += !run_in_child(s, count, rest.data());
    std::printf("%d of %d schedules passed\n", int(schedules.size()) - failed, int(schedules.size()));
    return failed ? 1 : 0;
  }
#else
  if (random_schedules >= 0) {
    std::fprintf(stderr, "--schedules needs the host SIMT device\n");
    return 2;
  }
#endif
  return Catch::Session().run(count, rest.data());
}
