#!/usr/bin/env python3
"""Compiles every public runtime header alone, as each kind of user would: headers_test.py INCLUDE_FOLDER CXX CXX_CLANG."""

import pathlib
import subprocess
import sys
import tempfile

# Headers that C programs may include; the others are C++ or CUDA.
C_HEADERS = [
    "builtin_types.h", "cuComplex.h", "cuda_device_runtime_api.h", "cuda_profiler_api.h", "cuda_runtime.h",
    "cuda_runtime_api.h", "device_types.h", "driver_functions.h", "driver_types.h", "host_defines.h",
    "library_types.h", "math_constants.h", "surface_types.h", "texture_types.h", "vector_functions.h", "vector_types.h",
]
CXX_HEADERS = C_HEADERS + ["channel_descriptor.h", "device_atomic_functions.h", "device_functions.h",
                           "device_launch_parameters.h", "math_functions.h", "vector_functions.hpp"]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
CUDA = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-gpu-arch=sm_90",
        "-Xclang", "-target-sdk-version=12.5", "-std=c++17", "-include", "cuda_runtime.h"]


def users(gxx, clang):
    """(what it is, command, headers)"""
    gcc = gxx.replace("g++", "gcc")
    clang_c = clang.replace("clang++", "clang")
    yield "C11, gcc", [gcc, "-x", "c", "-std=c11"], C_HEADERS
    yield "C11, clang", [clang_c, "-x", "c", "-std=c11"], C_HEADERS
    yield "C++14, g++", [gxx, "-x", "c++", "-std=c++14"], CXX_HEADERS
    yield "C++20, g++", [gxx, "-x", "c++", "-std=c++20"], CXX_HEADERS
    yield "C++17, clang", [clang, "-x", "c++", "-std=c++17"], CXX_HEADERS
    yield "per-thread streams", [clang, "-x", "c++", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"], ["cuda_runtime.h"]
    yield "CUDA, host side", [clang, *CUDA, "--cuda-host-only"], CXX_HEADERS
    yield "CUDA, device side", [clang, *CUDA, "--cuda-device-only"], CXX_HEADERS


def main():
    include, gxx, clang = sys.argv[1:4]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "alone"
        for what, command, headers in users(gxx, clang):
            for header in headers:
                source.write_text(f"#include <{header}>\n")
                done = subprocess.run([*command, *WARNINGS, f"-I{include}", source], capture_output=True, text=True)
                if done.returncode:
                    failures += 1
                    print(f"{header} as {what}:\n{done.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
