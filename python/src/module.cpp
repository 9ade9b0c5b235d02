// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Python module: the calls of calls.hpp, and memory of the device for arrays without an allocator of their own.
#include <cuda_runtime.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <gpuprim/core/error.hpp>

#include <string>

#include "calls.hpp"
#include "exchange.hpp"

namespace nb = nanobind;
namespace py = gpuprim_python;

namespace {

/// What an array from another library is, by DLPack.
nb::tuple describe(const nb::ndarray<nb::ro>& array) {
  nb::list shape, strides;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    shape.append(array.shape(i));
    strides.append(array.stride(i));
  }
  const nb::dlpack::dtype type = array.dtype();
  return nb::make_tuple(std::uintptr_t(array.data()), int(type.code), int(type.bits), nb::tuple(shape),
                        nb::tuple(strides), array.device_type(), array.device_id());
}

#if !defined(SIMT_DEVICE)
/// Dense memory of the device, as an object with `__dlpack__`.
nb::object allocate(const nb::tuple& shape, int code, int bits, int device, std::uintptr_t stream) {
  std::size_t sizes[32], bytes = std::size_t(bits) / 8;
  if (shape.size() > 32) throw std::invalid_argument("gpuprim: an array has at most 32 dimensions");
  for (std::size_t i = 0; i < shape.size(); ++i) bytes *= sizes[i] = nb::cast<std::size_t>(shape[i]);
  void* memory = nullptr;
  int before = 0;
  cudaError_t error = cudaGetDevice(&before);
  if (error == cudaSuccess) error = cudaSetDevice(device);
  if (error == cudaSuccess) error = cudaMallocAsync(&memory, bytes + 1, reinterpret_cast<cudaStream_t>(stream));
  (void)cudaSetDevice(before);
  if (error != cudaSuccess) throw py::cuda_failure(std::string("gpuprim: no memory: ") + cudaGetErrorString(error));
  const nb::capsule owner(memory, [](void* p) noexcept { (void)cudaFree(p); });
  const nb::dlpack::dtype type{std::uint8_t(code), std::uint8_t(bits), 1};
  return nb::cast(
      nb::ndarray<nb::array_api>(memory, shape.size(), sizes, owner, nullptr, type, nb::device::cuda::value, device));
}

/// The GPU that has the memory.
int device_of(std::uintptr_t memory) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, reinterpret_cast<const void*>(memory));
  if (error != cudaSuccess) throw py::cuda_failure(std::string("gpuprim: ") + cudaGetErrorString(error));
  return attributes.device;
}

void synchronize(std::uintptr_t stream) {
  const cudaError_t error = cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream));
  if (error != cudaSuccess) throw py::cuda_failure(std::string("gpuprim: ") + cudaGetErrorString(error));
}
#endif

/// Python's exceptions: a ValueError where the library refuses an argument.
void translate(const std::exception_ptr& thrown, void* cuda_error) {
  try {
    std::rethrow_exception(thrown);
  } catch (const py::refused_type& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  } catch (const py::cuda_failure& e) {
    PyErr_SetString(static_cast<PyObject*>(cuda_error), e.what());
  } catch (const gpuprim::cuda_error& e) {
    const bool is_refused = e.code() == int(cudaErrorInvalidValue);
    PyErr_SetString(is_refused ? PyExc_ValueError : static_cast<PyObject*>(cuda_error), e.what());
  }
}

}  // namespace

NB_MODULE(GPUPRIM_PYTHON_MODULE, m) {
  // PyTorch keeps what the package keeps of it until the process ends, which is no leak.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled calls of gpuprim. gpuprim/__init__.py has the ones to use.";
  nb::object cuda_error = nb::module_::import_("gpuprim._errors").attr("CudaError");
  nb::register_exception_translator(translate, cuda_error.release().ptr());

  nb::class_<py::place>(m, "Place", "A device and a stream.")
      .def(
          "__init__", [](py::place* at, int device, std::uintptr_t stream) { new (at) py::place{device, stream}; },
          nb::arg("device"), nb::arg("stream"));
  m.def("describe", &describe, nb::arg("array"), "Address, type, shape, strides and device of an array, by DLPack.");
#if defined(SIMT_DEVICE)
  py::bind_exchange(m);
#else
  m.def("allocate", &allocate, nb::arg("shape"), nb::arg("code"), nb::arg("bits"), nb::arg("device"), nb::arg("stream"),
        "An array of the device.");
  m.def("device_of", &device_of, nb::arg("address"), "The GPU that has the memory.");
  m.def("synchronize", &synchronize, nb::call_guard<nb::gil_scoped_release>(), nb::arg("stream"),
        "Waits for a stream.");
  m.def("find_architecture", &py::find_architecture, nb::arg("device"), "The compute capability of a GPU, such as 90.");
#endif
  m.def(
      "load_operator",
      [](const nb::bytes& code, py::place at) { return py::load_operator({code.c_str(), code.size()}, at); },
      nb::arg("code"), nb::arg("place"), "The kernel of an operator: of a cubin, or of a shared object at a path.");

  // Without Python's lock: the host SIMT device works in the calling thread, and a count waits for a GPU.
  const auto call = [&m](const char* name, auto function, auto... arguments) {
    m.def(name, function, nb::call_guard<nb::gil_scoped_release>(), nb::arg(arguments)...);
  };
  call("reduce_rows", &py::reduce_rows, "op", "dtype", "array", "out", "rows", "columns", "place");
  call("find_extremum", &py::find_extremum, "is_greatest", "dtype", "array", "out", "rows", "columns", "place");
  call("find_statistic", &py::find_statistic, "which", "dtype", "array", "out", "rows", "columns", "place");
  call("find_variance", &py::find_variance, "less", "dtype", "array", "out", "rows", "columns", "place");
  call("dot", &py::dot, "dtype", "first", "second", "n", "out", "place");
  call("scan_rows", &py::scan_rows, "op", "dtype", "array", "out", "rows", "columns", "place");
  call("shift_rows", &py::shift_rows, "op", "dtype", "array", "out", "rows", "columns", "place");
  call("flip_keys", &py::flip_keys, "dtype", "array", "out", "n", "place");
  call("sort_rows", &py::sort_rows, "dtype", "array", "out", "rows", "columns", "place");
  call("sort_segments", &py::sort_segments, "dtype", "array", "out", "n", "offsets", "segments", "place");
  call("argsort_rows", &py::argsort_rows, "dtype", "array", "out", "positions", "rows", "columns", "place");
  call("top_k_rows", &py::top_k_rows, "is_largest", "dtype", "array", "out", "positions", "rows", "columns", "k",
       "place");
  call("reduce_segments", &py::reduce_segments, "op", "dtype", "array", "n", "offsets", "segments", "out", "place");
  call("select", &py::select, "itemsize", "array", "mask", "n", "out", "place");
  call("select_positions", &py::select_positions, "mask", "n", "out", "place");
  call("run_lengths", &py::run_lengths, "dtype", "array", "n", "values", "lengths", "place");
  call("merge", &py::merge, "dtype", "first", "first_count", "second", "second_count", "out", "place");
  call("join_sets", &py::join_sets, "op", "dtype", "first", "first_count", "second", "second_count", "out", "place");
  call("search", &py::search, "is_upper", "dtype", "sorted", "n", "values", "count", "out", "place");
  call("even_edges", &py::even_edges, "lower", "upper", "bins", "edges", "place");
  call("close_last_bin", &py::close_last_bin, "edges", "bins", "levels", "place");
  call("find_range", &py::find_range, "dtype", "array", "n", "place");
  call("histogram", &py::histogram, "dtype", "array", "n", "levels", "bins", "counts", "place");
  call("bincount", &py::bincount, "dtype", "array", "n", "bins", "counts", "place");
  call("transpose", &py::transpose, "itemsize", "array", "rows", "columns", "out", "place");
  call("convert", &py::convert, "from_dtype", "to_dtype", "array", "n", "out", "place");
  call("invert_mask", &py::invert_mask, "array", "n", "out", "place");
  call("gather_rows", &py::gather_rows, "itemsize", "array", "index", "rows", "columns", "out", "place");
  call("scatter", &py::scatter, "itemsize", "array", "index", "n", "out", "place");
  call("sequence", &py::sequence, "n", "out", "step", "place");
  call("transform_by", &py::transform_by, "kernel", "arrays", "itemsizes", "n", "out", "out_itemsize", "place");
  call("reduce_by", &py::reduce_by, "kernel", "itemsize", "array", "n", "initial", "out", "place");
  call("scan_by", &py::scan_by, "kernel", "itemsize", "array", "n", "initial", "out", "place");
  call("select_by", &py::select_by, "kernel", "itemsize", "array", "n", "out", "place");
  call("find_coordinate", &py::find_coordinate, "positions", "n", "stride", "length", "out", "place");
}
