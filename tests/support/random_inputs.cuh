// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the files of random calls share: what the calls read, and the batches of calls.
//   GPUPRIM_RANDOM_SEED     the first batch    (SIMT_SEED if there is one, or 1)
//   GPUPRIM_RANDOM_BATCHES  how many           (a few)
//   GPUPRIM_RANDOM_SECONDS  for how long instead: at least one, and each under a schedule that its seed chooses
#include <gpuprim/gpuprim.cuh>

#include "random_calls.cuh"
#include "select_check.cuh"

#include <cstdio>
#include <ctime>

namespace test {

inline long from_environment(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}
inline const bool are_small = on_simt || std::getenv("GPUPRIM_TEST_SMALL") != nullptr;
inline const std::int64_t most = sanitized ? 3000 : are_small ? 20000 : 1 << 22;

template <class T>
using accumulator = std::conditional_t<std::is_integral_v<T>, std::uint32_t,
                                       std::conditional_t<gpuprim::is_half_precision<T>, float, T>>;
template <class T>
using join_of = std::conditional_t<std::is_same_v<T, affine>, then,
                                   std::conditional_t<std::is_same_v<T, point3>, add_points, gpuprim::plus<>>>;

/// Looks whether the values are still what they were, of each type that calls read.
inline std::vector<void (*)()> checks_of_known;

/// The values that calls on T read, made once: before the first call on T is made, so that no stream is captured then.
template <class T>
const known_values<T, accumulator<T>>& known() {
  struct checked : known_values<T, accumulator<T>> {
    checked() : known_values<T, accumulator<T>>(most) {
      checks_of_known.push_back([] { known<T>().check_unchanged(); });
    }
  };
  static const checked values;
  return values;
}

using call_maker = random_call (*)(random_numbers&);

/// The kinds of calls of a file: those of all lanes, and those that the sanitized trees leave out, as their kernels are
/// those of other types. `add(kinds, 0)` adds these.
template <class Add>
std::vector<call_maker> make_kinds(std::vector<call_maker> kinds, const Add& add) {
  unless_sanitized([&](auto zero) { add(kinds, zero); });
  return kinds;
}

inline std::string name_of(const char* call, std::initializer_list<std::int64_t> numbers) {
  std::string name = call;
  for (std::int64_t number : numbers) name += ' ' + std::to_string(number);
  return name;
}

/// Lengths of some segments: alike, spread evenly or exponentially, mostly empty, in stretches of short and long ones,
/// one of them or some far longer than the others.
inline std::vector<std::int64_t> make_lengths(random_numbers& random, std::int64_t least, std::int64_t values) {
  std::vector<std::int64_t> lengths(std::size_t(random.size(values)));
  const std::int64_t mean = random.size(values / std::int64_t(lengths.size() + 1));
  const std::int64_t kind = random.below(6), stretch = 1 + random.size(std::int64_t(lengths.size()));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    switch (kind) {
      case 0:
        lengths[i] = mean;
        break;
      case 1:
        lengths[i] = random.below(2 * mean + 1);
        break;
      case 2:
        lengths[i] = std::int64_t(-std::log(1 - random.unit()) * double(mean));
        break;
      case 3:
        lengths[i] = random.one_of(10) ? 10 * mean : 0;
        break;
      case 4:
        lengths[i] = std::int64_t(i) / stretch % 2 == 0 ? mean : mean / 16;
        break;
      default:
        lengths[i] = std::int64_t(i) % stretch == 0 ? mean : 0;
    }
  }
  if (!lengths.empty() && random.one_of(3)) {
    lengths[std::size_t(random.below(std::int64_t(lengths.size())))] = random.size(values / 2);
  }
  std::int64_t sum = 0;
  for (std::int64_t& length : lengths) {
    length = std::max(length, least);
    if (sum + length > values) length = least == 0 ? 0 : values - sum;
    sum += length;
  }
  while (least > 0 && !lengths.empty() && lengths.back() == 0) lengths.pop_back();
  return lengths;
}

/// Keys of random runs, where each run ends, and room for what passes over them write besides their results.
template <class Key>
struct random_runs {
  std::vector<Key> keys, unique;
  std::vector<std::int64_t> ends;
  std::shared_ptr<argument_array<Key>> in, unique_out;
  std::shared_ptr<argument_array<int>> count_out = std::make_shared<argument_array<int>>(1);

  random_runs(random_numbers& random, std::int64_t values) {
    int key = 0;
    for (std::int64_t length : make_lengths(random, 1, values)) {
      keys.insert(keys.end(), std::size_t(length), static_cast<Key>(key));
      unique.push_back(static_cast<Key>(key));
      ends.push_back(n());
      key = (key + 1 + int(random.below(3))) % 100;
    }
    in = std::make_shared<argument_array<Key>>(keys);
    unique_out = std::make_shared<argument_array<Key>>(unique.size());
  }

  std::int64_t n() const { return std::int64_t(keys.size()); }
  std::int64_t count() const { return std::int64_t(unique.size()); }
  std::int64_t begin(std::size_t run) const { return run == 0 ? 0 : ends[run - 1]; }
  /// The call, of which what it wrote here is looked at too.
  random_call also_checked(random_call call) const {
    call.check = [check_results = std::move(call.check), *this] {
      check_results();
      CHECK(unique_out->download() == unique);
      unique_out->check_guards();
      CHECK(count_out->download()[0] == count());
    };
    return call;
  }
};

/// Some of the known values, which a predicate or flags choose.
template <class T>
struct random_choice {
  std::int64_t skipped, n;
  in_percent predicate;
  std::vector<T> chosen, others;
  std::shared_ptr<argument_array<std::uint8_t>> flags;
  std::shared_ptr<argument_array<std::int64_t>> number;
  std::shared_ptr<argument_array<int>> count_out = std::make_shared<argument_array<int>>(1);

  explicit random_choice(random_numbers& random)
      : skipped(random.below(40)), n(random.size(most - skipped)), predicate{int(random.below(101))} {
    std::vector<std::uint8_t> set;
    for (std::int64_t i = 0; i < n; ++i) {
      const T& value = known<T>().values[std::size_t(skipped + i)];
      set.push_back(predicate(value) ? std::uint8_t(1 + random.below(255)) : std::uint8_t(0));
      (set.back() != 0 ? chosen : others).push_back(value);
    }
    flags = std::make_shared<argument_array<std::uint8_t>>(set);
    number = std::make_shared<argument_array<std::int64_t>>(std::vector{n});
  }

  const T* in() const { return known<T>().data() + skipped; }
  random_call also_counted(random_call call) const {
    call.check = [check_results = std::move(call.check), *this] {
      check_results();
      CHECK(count_out->download()[0] == int(chosen.size()));
      count_out->check_guards();
    };
    return call;
  }
};

/// The schedule under which the SIMT device makes a batch while time is what ends them.
inline void choose_schedule([[maybe_unused]] long seed) {
#if defined(SIMT_DEVICE)
  const auto order = seed % 4 == 0   ? simt::schedule::fifo
                     : seed % 4 == 1 ? simt::schedule::lifo
                                     : simt::schedule::random;
  simt::change_settings({order, std::uint64_t(seed), seed % 3 == 0 ? 1u : 4u});
#endif
}

/// Makes batches of calls that `any_call(random)` makes up.
template <class AnyCall>
void make_random_calls(AnyCall any_call) {
  const long first = from_environment("GPUPRIM_RANDOM_SEED", from_environment("SIMT_SEED", 1));
  const long batches = from_environment("GPUPRIM_RANDOM_BATCHES", are_small ? 1 : 50);
  const long seconds = from_environment("GPUPRIM_RANDOM_SECONDS", -1);
  const std::time_t end = std::time(nullptr) + seconds;
  for (long seed = first; seconds < 0 ? seed < first + batches : seed == first || std::time(nullptr) < end; ++seed) {
    CAPTURE(seed);
    if (seconds >= 0) {
      std::fprintf(stderr, "seed %ld\n", seed);  // a sanitizer ends the program without a word of it
      choose_schedule(seed);
    }
    random_numbers random{std::uint64_t(seed)};
    std::vector<random_call> calls;
    for (int i = 0; i < 20; ++i) calls.push_back(any_call(random));
    make_calls(calls, random);
    for (const auto check : checks_of_known) check();
  }
}

}  // namespace test
