#include "ms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_) { std::printf("ERR %s line %d: %s\n", #x, __LINE__, cudaGetErrorString(e_)); std::fflush(stdout); std::exit(1); } } while (0)
typedef unsigned long long u64;
enum { uniform, normal, equal_, few17, zipf, sorted_, nearly, reversed, below20, upper16, expo, inverse, outliers, bits45, KINDS };
const char* names[] = {"uniform", "normal", "equal", "few17", "zipf", "sorted", "nearly", "reversed", "below20", "upper16", "expo", "1/u", "outliers", "45bits"};
__device__ u64 mix(u64 z) { z *= 0x9E3779B97F4A7C15ull; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull; z = (z ^ (z >> 27)) * 0x94D049BB133111EBull; return z ^ (z >> 31); }
template <class K> __device__ K make(int d, long long i, long long n, u64 seed) {
  const u64 r = mix(i + seed), q = mix(r + 77); const double u = ((r >> 11) + 0.5) * 0x1p-53; constexpr bool fl = (K)0.5 != (K)0;
  const double top = sizeof(K) == 8 ? 1.8e19 : 4.29e9;
  switch (d) {
    case uniform: return fl ? (K)u : (K)r;
    case normal: { double g = sqrt(-2 * log(u)) * cospi(2 * ((q >> 11) * 0x1p-53)); return fl ? (K)g : (K)(long long)(g * 1e8 + 2e9); }
    case equal_: return (K)42;
    case few17: return fl ? (K)((r % 17) * 1.37) : (K)mix(r % 17);
    case zipf: return (K)(u64)exp(u * 13.8155);
    case sorted_: return (K)((double)i / n * (fl ? 1e6 : top));
    case nearly: return (K)((double)(q % 100 ? i : (long long)(r % n)) / n * (fl ? 1e6 : top));
    case reversed: return (K)((double)(n - 1 - i) / n * (fl ? 1e6 : top));
    case below20: return (K)(r & 0xfffff);
    case upper16: return fl ? (K)(r & 0xffff) : (K)(((u64)0xabcd << (sizeof(K) * 8 - 16)) | (r & ((1ull << (sizeof(K) * 8 - 16)) - 1)));
    case expo: return (K)(-log(u) * (fl ? 1 : 1e7));
    case inverse: return (K)(1000 / u);
    case outliers: return q % (1 << 20) == 5 ? (K)(top * 0.99) : (K)(r % 1000000);
    default: return (K)(r >> 19);
  }
}
template <class K> __global__ void fill(K* p, long long n, int d, u64 seed) { for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) p[i] = make<K>(d, i, n, seed); }
__global__ void fill16(unsigned short* p, long long n, int d, u64 seed, bool half) { for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) { u64 r = mix(i + seed); p[i] = half ? (unsigned short)((r & 0x83ff) | ((10 + (__clz((unsigned)(r >> 32)) > 9 ? 0 : 5 - __clz((unsigned)(r >> 32)))) << 10)) : (unsigned short)r; } }
__global__ void iota(unsigned* p, long long n) { for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) p[i] = (unsigned)i; }
__global__ void differ(const unsigned char* a, const unsigned char* b, long long bytes, u64* d) { long long c = 0; for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < bytes; i += (long long)gridDim.x * blockDim.x) c += a[i] != b[i]; if (c) atomicAdd(d, c); }
const int kb[] = {4, 8, 4, 8, 2, 1, 2}; const char* kn[] = {"u32", "u64", "f32", "f64", "i16", "u8", "half"};
char *in, *vin, *out, *vout, *ref, *vref; int* off; u64* dd; cudaStream_t S; std::mt19937 rng(3);
double time_us(const std::function<void(int)>& call, int rotate, double guess_us) {
  cudaGraph_t g; cudaGraphExec_t e; const int nodes = guess_us < 300 ? std::max(rotate, 8) : 2;
  CK(cudaStreamBeginCapture(S, cudaStreamCaptureModeThreadLocal)); for (int i = 0; i < nodes; ++i) call(i % rotate); CK(cudaStreamEndCapture(S, &g));
  CK(cudaGraphInstantiate(&e, g, 0)); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  CK(cudaGraphLaunch(e, S)); for (int r = 0; r < 7; ++r) { cudaEventRecord(a, S); CK(cudaGraphLaunch(e, S)); cudaEventRecord(b, S); CK(cudaEventSynchronize(b)); float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1e3f / nodes); }
  std::sort(t.begin(), t.end()); cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaEventDestroy(a); cudaEventDestroy(b); return t[3];
}
void make_keys(int kind, int d, long long n, int rotate, long long stride) {
  for (int r = 0; r < rotate; ++r) { char* p = in + r * stride; u64 seed = 1000003ull * r + 5;
    if (kind == 0) fill<unsigned><<<1056, 256, 0, S>>>((unsigned*)p, n, d, seed); else if (kind == 1) fill<u64><<<1056, 256, 0, S>>>((u64*)p, n, d, seed);
    else if (kind == 2) fill<float><<<1056, 256, 0, S>>>((float*)p, n, d, seed); else if (kind == 3) fill<double><<<1056, 256, 0, S>>>((double*)p, n, d, seed);
    else if (kind == 5) fill<unsigned><<<1056, 256, 0, S>>>((unsigned*)p, n / 4, 0, seed); else fill16<<<1056, 256, 0, S>>>((unsigned short*)p, n, d, seed, kind == 6); }
}
u64 count_differing(const char* a, const char* b, long long bytes) { u64 z = 0; CK(cudaMemset(dd, 0, 8)); differ<<<1056, 256>>>((const unsigned char*)a, (const unsigned char*)b, bytes, dd); CK(cudaMemcpy(&z, dd, 8, cudaMemcpyDeviceToHost)); return z; }
void row(int kind, int values, int d, long long n) {
  const long long bytes = n * kb[kind], stride = (bytes + 255) / 256 * 256; const int rotate = (int)std::max(1ll, std::min(24ll, (100ll << 20) / (bytes + (values ? n * 4 : 0))));
  make_keys(kind, d, n, rotate, stride); CK(cudaStreamSynchronize(S)); lib libs[] = {lib_cub32(), lib_cub64(), lib_old(), lib_new()}; std::map<std::string, double> us; std::string bad;
  std::vector<int> order{0, 1, 2, 3}; std::shuffle(order.begin() + 1, order.end(), rng);
  for (int c : order) { const lib& l = libs[c]; CK(l.sort(kind, values, in, vin, n, out, vout, S)); cudaError_t e = cudaStreamSynchronize(S); if (e) { std::printf("ERR %s %s %s %lld: %s\n", l.name, kn[kind], names[d], n, cudaGetErrorString(e)); std::fflush(stdout); std::exit(2); }
    if (c == 0) { std::swap(out, ref); std::swap(vout, vref); } else if (c == 3) { u64 x = count_differing(out, ref, bytes), y = values ? count_differing(vout, vref, n * 4) : 0; if (x || y) bad = " DIFFERS " + std::to_string(x) + " " + std::to_string(y); }
    const double guess = n * kb[kind] / 4.0 / 50e3;
    us[l.name] = time_us([&](int i) { CK(l.sort(kind, values, in + i * stride, vin, n, out + i * stride, vout + (values ? i * n * 4 : 0), S)); }, rotate, guess); }
  const double cub = std::min(us["cub32"], us["cub64"]);
  std::printf("%-4s%s %-9s %10lld cub %9.1f old %9.1f new %9.1f  cub/new %.2f old/new %.2f%s\n", kn[kind], values ? "+u32" : "    ", names[d], n, cub, us["old"], us["new"], cub / us["new"], us["old"] / us["new"], bad.c_str()); std::fflush(stdout);
}
void seg_row(const char* name, int kind, int values, const std::vector<int>& h, long long fixed) {
  const long long segs = (long long)h.size() - 1, n = h.back(); CK(cudaMemcpy(off, h.data(), h.size() * 4, cudaMemcpyHostToDevice)); make_keys(kind, uniform, n, 1, 0); CK(cudaStreamSynchronize(S));
  lib libs[] = {lib_cub32(), lib_old(), lib_new()}; std::map<std::string, double> us; std::string bad;
  for (int c = 0; c < 3; ++c) { const lib& l = libs[c]; const auto call = [&](int) { CK(l.seg(kind, values, in, vin, off, segs, n, c ? fixed : 0, out, vout, S)); }; call(0); CK(cudaStreamSynchronize(S));
    if (c == 0) { std::swap(out, ref); std::swap(vout, vref); } else if (c == 2) { u64 x = count_differing(out, ref, n * kb[kind]), y = values ? count_differing(vout, vref, n * 4) : 0; if (x || y) bad = " DIFFERS " + std::to_string(x) + " " + std::to_string(y); }
    us[l.name] = time_us(call, 1, 500); }
  std::printf("seg %-22s %s%s cub %9.1f old %9.1f new %9.1f  cub/new %.2f old/new %.2f%s\n", name, kn[kind], values ? "+u32" : "", us["cub32"], us["old"], us["new"], us["cub32"] / us["new"], us["old"] / us["new"], bad.c_str()); std::fflush(stdout);
}
int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "all"; const long long big = (8ll << 28) + (1 << 20);
  CK(cudaStreamCreate(&S)); for (char** p : {&in, &out, &ref}) CK(cudaMalloc(p, big)); for (char** p : {&vin, &vout, &vref}) CK(cudaMalloc(p, big / 2)); CK(cudaMalloc(&off, 8 << 20)); CK(cudaMalloc(&dd, 8)); iota<<<1056, 256>>>((unsigned*)vin, 1ll << 28); CK(cudaDeviceSynchronize());
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); std::printf("%s\n", p.name);
  std::vector<long long> sizes; for (int l : {18, 20, 22, 24, 26, 28}) sizes.push_back(1ll << l);
  auto has = [&](const char* s) { return what == "all" || what.find(s) != std::string::npos; };
  if (has("check")) { for (int k : {0, 1, 2, 3}) for (int d : {uniform, normal, few17, zipf, nearly, below20, inverse, outliers}) for (long long n : {131073ll + 4, 262147ll, 1048583ll, 5000011ll}) { row(k, 0, d, n); row(k, 1, d, n); } }
  if (has("keys")) for (long long n : sizes) for (int k : {0, 1, 2, 3}) { row(k, 0, uniform, n); if (k > 1) row(k, 0, normal, n); }
  if (has("short")) for (long long n : sizes) for (int k : {4, 5, 6}) row(k, 0, uniform, n);
  if (has("skew")) for (int k : {0, 1}) for (int d : {equal_, few17, zipf, sorted_, nearly, reversed, below20, upper16, normal, expo, inverse, outliers}) for (long long n : sizes) row(k, 0, d, n);
  if (has("pairs")) { for (long long n : sizes) for (int k : {0, 1, 3}) row(k, 1, uniform, n); row(1, 1, bits45, 20000000); row(0, 1, below20, 1 << 24); row(0, 1, zipf, 1 << 24); row(0, 1, sorted_, 1 << 24); row(0, 1, equal_, 1 << 24); row(0, 1, few17, 1 << 24); row(0, 1, below20, 1 << 28); }
  if (has("seg")) { std::vector<int> h; for (int i = 0; i <= (1 << 26) / 1000; ++i) h.push_back(i * 1000); seg_row("2^26 in 1000", 0, 0, h, 0); seg_row("2^26 in 1000 rows", 0, 0, h, 1000); seg_row("2^26 in 1000", 2, 0, h, 0); h.clear(); for (int i = 0; i <= 64; ++i) h.push_back(i * 32768); seg_row("64 x 32768", 0, 0, h, 32768); seg_row("64 x 32768 offsets", 0, 0, h, 0); seg_row("64 x 32768", 2, 0, h, 32768); h.assign(1, 0); for (int i = 0; i < 1000000; ++i) h.push_back(h.back() + 5 + (int)(rng() % 11)); seg_row("10^6 of 10", 0, 1, h, 0); h.assign(1, 0); for (int i = 0; i < 1000; ++i) h.push_back(h.back() + 9500 + (int)(rng() % 1000)); seg_row("1000 of 10,000", 0, 1, h, 0); seg_row("1000 of 10,000", 0, 0, h, 0); h.assign(1, 0); for (int i = 0; i < 16; ++i) h.push_back(h.back() + 4000000); seg_row("16 of 4,000,000", 0, 0, h, 0); seg_row("16 of 4,000,000", 0, 1, h, 0); }
}
