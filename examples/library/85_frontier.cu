// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search of a graph, level by level. A kernel reads the frontier, the vertices found last, and appends
// their neighbours that are not found yet to a queue, the next frontier. If the queue overflows, the host sees it and
// begins the search again with a larger one. Good for graphs, flood fills and adaptive grids.
// Source: Merrill, Garland and Grimshaw, "Scalable GPU graph traversal", 2012.
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <utility>
#include <vector>

constexpr int block_size = 128, lanes_per_vertex = 8;

struct graph {  // the neighbours of vertex v: neighbours[offsets[v]] to neighbours[offsets[v + 1] - 1]
  int vertices;
  const int *offsets, *neighbours;
};

// [kernel]
__global__ void expand(graph g, const int* frontier, int size, int level, int* distances,
                       gpuprim::append_queue<int> next) {
  const gpuprim::warp_tile<lanes_per_vertex> tile;
  const int lane = int(tile.thread_rank()), tiles = int(gridDim.x * blockDim.x) / lanes_per_vertex;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x) / lanes_per_vertex; i < size; i += tiles) {
    const int end = g.offsets[frontier[i] + 1];
    for (int first = g.offsets[frontier[i]]; first < end; first += lanes_per_vertex) {  // all lanes take each turn
      const int neighbour = first + lane < end ? g.neighbours[first + lane] : -1;
      const bool is_new = neighbour >= 0 && atomicCAS(&distances[neighbour], -1, level) == -1;
      gpuprim::warp_append(tile, next, neighbour, is_new);  // one atomic operation on the queue for the tile
    }
  }
}
// [kernel]

/// The distances of all vertices from vertex 0, by queues of this capacity. False: one of them has overflowed.
bool search(const graph& g, int capacity, int* distances) {
  int *frontier = nullptr, *found = nullptr, levels = 0;
  unsigned long long* count = nullptr;
  cudaError_t e = cudaMalloc(&frontier, std::size_t(capacity) * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&found, std::size_t(capacity) * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&count, sizeof(*count));
  if (e == cudaSuccess) e = cudaMemset(distances, 0xff, std::size_t(g.vertices) * sizeof(int));  // -1: not found
  if (e == cudaSuccess) e = cudaMemset(distances, 0, sizeof(int));
  if (e == cudaSuccess) e = cudaMemset(frontier, 0, sizeof(int));  // vertex 0
  // [levels]
  gpuprim::queue_state state{1, 1};
  while (e == cudaSuccess && state.stored > 0 && !state.has_overflowed()) {
    const int size = int(state.stored), blocks = (size * lanes_per_vertex - 1) / block_size + 1;
    const gpuprim::append_queue<int> next{found, capacity, count};
    e = cudaMemset(count, 0, sizeof(*count));
    if (e == cudaSuccess) {
      e = gpuprim::launch(expand, blocks < 1000 ? blocks : 1000, block_size, nullptr, g, frontier, size, ++levels,
                          distances, next);
    }
    if (e == cudaSuccess) state = gpuprim::read_queue(next);  // waits
    std::swap(frontier, found);
  }
  // [levels]
  (void)cudaFree(frontier), (void)cudaFree(found), (void)cudaFree(count);
  std::printf("room for %d: %s after %d levels (%s)\n", capacity, state.has_overflowed() ? "overflow" : "done", levels,
              cudaGetErrorString(e));
  return e == cudaSuccess && !state.has_overflowed();
}

int main() {
  constexpr int n = 5003;
  std::vector<int> offsets{0}, neighbours, want(n, -1), order{0}, got(n);
  for (int v = 0; v < n; ++v) {  // vertices of 0 to 5 neighbours, every 100th of 60
    for (int k = 0; k < (v % 100 == 0 ? 60 : v * 7 % 6); ++k) {
      neighbours.push_back(int((unsigned(v) * 31u + unsigned(k) * 2654435769u) % unsigned(n)));
    }
    offsets.push_back(int(neighbours.size()));
  }
  want[0] = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {  // the same search on the host
    const int v = order[at];
    for (int i = offsets[std::size_t(v)]; i < offsets[std::size_t(v) + 1]; ++i) {
      const int neighbour = neighbours[std::size_t(i)];
      if (want[std::size_t(neighbour)] >= 0) continue;
      want[std::size_t(neighbour)] = want[std::size_t(v)] + 1;
      order.push_back(neighbour);
    }
  }

  int *device_offsets = nullptr, *device_neighbours = nullptr, *distances = nullptr;
  cudaError_t e = cudaMalloc(&device_offsets, offsets.size() * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&device_neighbours, neighbours.size() * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&distances, n * sizeof(int));
  if (e == cudaSuccess) {
    e = cudaMemcpy(device_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  if (e == cudaSuccess) {
    e = cudaMemcpy(device_neighbours, neighbours.data(), neighbours.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  int capacity = 128, attempts = 1;
  while (e == cudaSuccess && !search({n, device_offsets, device_neighbours}, capacity, distances) && capacity < n) {
    capacity *= 2;  // a frontier has at most all vertices
    ++attempts;
  }
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), distances, n * sizeof(int), cudaMemcpyDeviceToHost);
  (void)cudaFree(device_offsets), (void)cudaFree(device_neighbours), (void)cudaFree(distances);
  const bool right = e == cudaSuccess && got == want && attempts > 1;
  std::printf("%d of %d vertices reached: %s (%s)\n", int(order.size()), n, right ? "right" : "wrong",
              cudaGetErrorString(e));
  return right ? 0 : 1;
}
