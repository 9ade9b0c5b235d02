// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors by the table of C functions that DLPack defines for frameworks. It saves the calls of Python that ask for an
// address, a type, a shape and a device one by one.
#include "exchange.hpp"

#include <cstdint>

namespace nb = nanobind;

namespace gpuprim_python {
namespace {

// As dlpack.h of version 1.3 has them.
struct dlpack_device {
  std::int32_t type, index;
};

struct dlpack_tensor {
  void* data;
  dlpack_device device;
  std::int32_t ndim;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};

struct dlpack_exchange {
  struct {
    std::uint32_t major, minor;
  } version;
  const void* previous;
  void* others[3];
  int (*view)(void* object, dlpack_tensor* tensor);
};

constexpr int in_host_memory = 1, on_cuda = 2;

/// The number of a type in gpuprim/_arrays.py, or -1.
int number_of(const dlpack_tensor& tensor) {
  enum kind { is_signed, is_unsigned, is_float, is_bfloat = 4, is_bool = 6 };
  if (tensor.lanes != 1) return -1;
  const int log_bytes = tensor.bits == 8    ? 0
                        : tensor.bits == 16 ? 1
                        : tensor.bits == 32 ? 2
                        : tensor.bits == 64 ? 3
                                            : -1;
  if (log_bytes < 0) return -1;
  if (tensor.code == is_bool) return log_bytes == 0 ? 0 : -1;
  if (tensor.code == is_signed) return 1 + log_bytes;
  if (tensor.code == is_unsigned) return 5 + log_bytes;
  if (tensor.code == is_bfloat) return log_bytes == 1 ? 10 : -1;
  if (tensor.code == is_float && log_bytes > 0) return log_bytes == 1 ? 9 : 9 + log_bytes;
  return -1;
}

/// Whether the elements follow each other in C order.
bool is_dense(const dlpack_tensor& tensor) {
  if (!tensor.strides) return true;
  std::int64_t step = 1;
  bool dense = true;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 0) return true;
    dense = dense && (tensor.shape[i] == 1 || tensor.strides[i] == step);
    step *= tensor.shape[i];
  }
  return dense;
}

/// The functions of a framework.
class exchange {
 public:
  explicit exchange(const nb::capsule& table)
      : table_(static_cast<const dlpack_exchange*>(table.data("dlpack_exchange_api"))) {
    if (table_->version.major != 1 || !table_->view) throw nb::type_error("gpuprim: another version of DLPack");
  }

  /// Address, type, shape, device and size of a tensor, or None for one that has no number for all of these.
  nb::object read(nb::handle tensor) const {
    dlpack_tensor is;
    if (table_->view(tensor.ptr(), &is) != 0) {
      PyErr_Clear();
      return nb::none();
    }
    const int number = number_of(is);
    const bool is_known = is.device.type == in_host_memory || is.device.type == on_cuda;
    if (number < 0 || !is_known || !is_dense(is)) return nb::none();
    const nb::object shape = nb::steal(PyTuple_New(is.ndim));
    if (!shape.is_valid()) nb::raise_python_error();
    std::int64_t size = 1;
    for (int i = 0; i < is.ndim; ++i) {
      size *= is.shape[i];
      PyTuple_SetItem(shape.ptr(), i, PyLong_FromLongLong(is.shape[i]));
    }
    const auto address = reinterpret_cast<std::uintptr_t>(is.data) + is.byte_offset;
    return nb::make_tuple(address, number, shape, is.device.type == in_host_memory ? -1 : is.device.index, size);
  }

 private:
  const dlpack_exchange* table_;
};

}  // namespace

void bind_exchange(nb::module_& m) {
  nb::class_<exchange>(m, "Exchange", "The C functions by which a framework says what its tensors are.")
      .def(nb::init<const nb::capsule&>(), nb::arg("table"))
      .def("read", &exchange::read, nb::arg("tensor"), nb::sig("def read(self, tensor: object) -> tuple | None"),
           "Address, type, shape, device and size, or None.");
}

}  // namespace gpuprim_python
