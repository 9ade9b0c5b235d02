# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package of Conan 2, made of the checkout around this file: conan create packaging/conan

With -o "&:simt=True" it has the host SIMT device too. The device is then built without Boost.Context, so that the package
needs no other."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Gpuprim(ConanFile):
    name = "gpuprim"
    description = "GPU parallel primitives, header-only C++20/CUDA"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("cuda", "gpu", "reduction", "prefix-sum", "sort", "header-only")
    settings = "os", "arch", "compiler", "build_type"
    options = {"simt": [True, False]}
    default_options = {"simt": False}
    implements = ["auto_header_only"]

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "../../include/gpuprim/version.hpp"))
        self.version = ".".join(re.findall(r"#define GPUPRIM_VERSION_\w+ (\d+)", header))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "simt/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self):
        self.package_type = "static-library" if self.options.simt else "header-library"

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "GPUPRIM_DEVICE": "simt",
            "GPUPRIM_BUILD_TESTS": False,
            "GPUPRIM_BUILD_EXAMPLES": False,
            "GPUPRIM_BUILD_SIMT": bool(self.options.simt),
            "CMAKE_DISABLE_FIND_PACKAGE_Boost": True,
        })
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # find_package finds the package's own gpuprimConfig.cmake, with its components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/gpuprim"]
        self.cpp_info.bindirs = []
        if self.options.simt:
            self.cpp_info.includedirs.append("include/gpuprim-simt")
            self.cpp_info.libs = ["gpuprim_simt"]
            self.cpp_info.system_libs = ["pthread"]
        else:
            self.cpp_info.libdirs = []
