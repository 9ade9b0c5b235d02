// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the programs on textures and surfaces share: an array of texels, and the objects by which kernels reach it.
#include "course.hpp"

namespace course {

/// A cudaArray of width x height texels, whose order in memory only the GPU knows.
template <class T>
class image {
 public:
  image(int width, int height, unsigned flags = cudaArrayDefault) : width_(width), height_(height) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    check(cudaMallocArray(&array_, &format, std::size_t(width), std::size_t(height), flags));
  }
  image(int width, int height, const std::vector<T>& from, unsigned flags = cudaArrayDefault)
      : image(width, height, flags) {
    check(cudaMemcpy2DToArray(array_, 0, 0, from.data(), row_bytes(), row_bytes(), std::size_t(height),
                              cudaMemcpyHostToDevice));
  }
  image(const image&) = delete;
  image& operator=(const image&) = delete;
  ~image() { (void)cudaFreeArray(array_); }

  cudaResourceDesc resource() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }
  std::vector<T> on_host() const {
    std::vector<T> to(std::size_t(width_) * height_);
    check(cudaMemcpy2DFromArray(to.data(), row_bytes(), array_, 0, 0, row_bytes(), std::size_t(height_),
                                cudaMemcpyDeviceToHost));
    return to;
  }

 private:
  std::size_t row_bytes() const { return std::size_t(width_) * sizeof(T); }

  cudaArray_t array_ = nullptr;
  int width_, height_;
};

/// How a kernel reads an image: addressing, filtering and conversion.
class texture {
 public:
  template <class T>
  texture(const image<T>& from, const cudaTextureDesc& how) {
    const cudaResourceDesc resource = from.resource();
    check(cudaCreateTextureObject(&object_, &resource, &how, nullptr));
  }
  texture(const texture&) = delete;
  texture& operator=(const texture&) = delete;
  ~texture() { (void)cudaDestroyTextureObject(object_); }
  operator cudaTextureObject_t() const { return object_; }

 private:
  cudaTextureObject_t object_ = 0;
};

/// How a kernel writes an image, and reads it without addressing modes and filters.
class surface {
 public:
  template <class T>
  explicit surface(const image<T>& of) {
    const cudaResourceDesc resource = of.resource();
    check(cudaCreateSurfaceObject(&object_, &resource));
  }
  surface(const surface&) = delete;
  surface& operator=(const surface&) = delete;
  ~surface() { (void)cudaDestroySurfaceObject(object_); }
  operator cudaSurfaceObject_t() const { return object_; }

 private:
  cudaSurfaceObject_t object_ = 0;
};

}  // namespace course
