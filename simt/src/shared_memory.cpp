// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory: every variable of every block is a heap object of its exact size, so that AddressSanitizer
// sees overruns, several blocks can be resident, and one block can be asked for another's. It starts as
// garbage, and turns back into garbage (or into a use after free) when its block ends.
#include <cstdlib>
#include <cstring>

#include "address_checker.hpp"
#include "diagnostics.hpp"
#include "garbage.hpp"
#include "machine.hpp"
#include "race_detector.hpp"

namespace simt {
namespace {

struct slot {
  std::size_t bytes, alignment;
};

std::vector<slot>& slots() {
  static auto& all = *new std::vector<slot>;
  return all;
}

char* new_object(std::size_t bytes, std::size_t alignment) {
  race::quiet quiet;
  char* memory = static_cast<char*>(allocate_garbage(bytes, alignment < 16 ? 16 : alignment));
  if (!memory) fail({}, "no memory for %zu bytes of shared memory", bytes);
  return memory;
}

char* object_of(block& b, std::size_t id) {
  if (b.slots.size() <= id) b.slots.resize(slots().size());
  char*& object = b.slots[id];
  if (!object) {
    object = new_object(slots()[id].bytes, slots()[id].alignment);
    weak::note_shared(b, object, slots()[id].bytes);
    std::size_t total = 0;
    for (std::size_t i = 0; i < b.slots.size(); ++i) total += b.slots[i] ? slots()[i].bytes : 0;
    note_static_shared(total);
  }
  return object;
}

// Visits the block's objects until the visitor returns true.
template <class Visit>
bool any_object(block& b, Visit visit) {
  std::size_t dynamic_bytes = the_machine().running.dynamic_bytes;
  if (b.dynamic && visit(b.dynamic, dynamic_bytes, std::size_t(-1))) return true;
  for (std::size_t id = 0; id < b.slots.size(); ++id) {
    if (b.slots[id] && visit(b.slots[id], slots()[id].bytes, id)) return true;
  }
  return false;
}

bool contains(const char* object, std::size_t bytes, const void* address) {
  return address >= object && address < object + bytes;
}

}  // namespace

std::size_t register_shared(std::size_t bytes, std::size_t alignment) {
  race::quiet quiet;
  slots().push_back({bytes, alignment});
  return slots().size() - 1;
}

void* shared_slot(std::size_t id) {
  race::quiet quiet;
  return object_of(*the_machine().current->home, id);
}

void* dynamic_shared() { return the_machine().current->home->dynamic; }
std::size_t dynamic_shared_bytes() { return the_machine().running.dynamic_bytes; }

void* shared_of_rank(const void* mine, unsigned rank, location here) {
  race::quiet quiet;
  block& self = *the_machine().current->home;
  if (rank >= self.home->blocks.size()) {
    fail(here, "map_shared_rank: rank %u in a cluster of %zu blocks", rank, self.home->blocks.size());
  }
  block& peer = *self.home->blocks[rank];
  if (peer.exited) fail(here, "map_shared_rank: block of rank %u has ended, its shared memory is gone", rank);
  void* found = nullptr;
  any_object(self, [&](char* object, std::size_t bytes, std::size_t id) {
    if (!contains(object, bytes, mine)) return false;
    char* other = id == std::size_t(-1) ? peer.dynamic : object_of(peer, id);
    found = other + (static_cast<const char*>(mine) - object);
    return true;
  });
  if (!found) fail(here, "map_shared_rank of an address that is not in this block's shared memory");
  return found;
}

unsigned rank_of_shared(const void* address, location here) {
  for (block* peer : the_machine().current->home->home->blocks) {
    if (any_object(*peer, [&](char* o, std::size_t bytes, std::size_t) { return contains(o, bytes, address); })) {
      return peer->rank;
    }
  }
  fail(here, "query_shared_rank of an address that is not in the cluster's shared memory");
}

bool is_shared(const void* address) {
  if (!in_device_code()) return false;
  for (block* peer : the_machine().current->home->home->blocks) {
    if (any_object(*peer, [&](char* o, std::size_t bytes, std::size_t) { return contains(o, bytes, address); })) {
      return true;
    }
  }
  return false;
}

void make_shared_memory(block& b) {
  b.slots.assign(slots().size(), nullptr);
  b.dynamic = new_object(the_machine().running.dynamic_bytes, 128);
  weak::note_shared(b, b.dynamic, the_machine().running.dynamic_bytes);
}

// The end of a block counts as a write: a peer must have read before, and must have said so by a barrier.
void announce_end_of_shared_memory(block& b) {
  any_object(b, [](char* object, std::size_t bytes, std::size_t) {
    race::written(object, bytes);
    return false;
  });
}

void destroy_shared_memory(block& b) {
  any_object(b, [](char* object, [[maybe_unused]] std::size_t bytes, std::size_t) {
#if defined(SIMT_ASAN)
    std::free(object);
#else
    fill_garbage(object, bytes);
#endif
    return false;
  });
#if defined(SIMT_ASAN)
  b.slots.clear();
  b.dynamic = nullptr;
#endif
}

void release_shared_memory(block& b) {
  any_object(b, [](char* object, std::size_t, std::size_t) {
    std::free(object);
    return false;
  });
  b.slots.clear();
  b.dynamic = nullptr;
}

}  // namespace simt
