#!/usr/bin/env python3
"""cuda.h compiles alone, as C and as C++, without a warning, and its values and layouts are the public ones.

usage: header_test.py INCLUDE_FOLDER COMPILER…
"""

import subprocess
import sys
import tempfile
import pathlib
import unittest

INCLUDE, *COMPILERS = sys.argv[1:]
del sys.argv[1:]

# From the public documentation of the driver API.
FACTS = """
#include <cuda.h>
#define SAME(a, b) typedef char check[(a) == (b) ? 1 : -1]
SAME(CUDA_ERROR_INVALID_VALUE, 1);
SAME(CUDA_ERROR_NO_BINARY_FOR_GPU, 209);
SAME(CUDA_ERROR_NOT_READY, 600);
SAME(CUDA_ERROR_ILLEGAL_ADDRESS, 700);
SAME(CUDA_ERROR_ASSERT, 710);
SAME(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715);
SAME(CUDA_ERROR_MISALIGNED_ADDRESS, 716);
SAME(CUDA_ERROR_LAUNCH_FAILED, 719);
SAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900);
SAME(CUDA_ERROR_UNKNOWN, 999);
SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1);
SAME(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10);
SAME(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16);
SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39);
SAME(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75);
SAME(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83);
SAME(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 95);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97);
SAME(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115);
SAME(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 120);
SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8);
SAME(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8);
SAME(CU_MEMORYTYPE_UNIFIED, 4);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4);
SAME(sizeof(CUdeviceptr), 8);
SAME(sizeof(CUuuid), 16);
SAME(sizeof(CUDA_MEMCPY2D), 128);
SAME(sizeof(CUDA_MEMCPY3D), 200);
SAME(sizeof(CUDA_ARRAY_DESCRIPTOR), 24);
SAME(sizeof(CUlaunchAttribute), 72);
SAME(sizeof(CUlaunchConfig), 56);
SAME(sizeof(CUdevprop), 56);
"""

OLD_PROGRAM = """
#include <cuda.h>
int main() {
  CUcontext context;
  CUdeviceptr memory;
  cuInit(0);
  cuCtxCreate(&context, 0, 0);           // before CUDA 13
  cuCtxCreate(&context, nullptr, 0, 0);  // since
  cuMemAlloc(&memory, 4);
  return cuStreamSynchronize(CU_STREAM_PER_THREAD);
}
"""


class Header(unittest.TestCase):
    def errors(self, compiler, text, language, *options):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "source"
            source.write_text(text)
            command = [compiler, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", INCLUDE, *options,
                       source]
            done = subprocess.run(command, capture_output=True, text=True)
            return done.stderr if done.returncode else ""

    def compiles(self, text, language, *options):
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler, options=options):
                self.assertEqual(self.errors(compiler, text, language, *options), "")

    def test_c(self):
        for per_thread in ([], ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]):
            self.compiles("#include <cuda.h>\n", "c", "-std=c99", *per_thread)
            self.compiles("#include <cuda.h>\n#include <cuda.h>\n", "c", "-std=c11", *per_thread)

    def test_cpp(self):
        for standard in ("c++11", "c++17", "c++20"):
            self.compiles(OLD_PROGRAM, "c++", "-std=" + standard)
            self.compiles(OLD_PROGRAM, "c++", "-std=" + standard, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM")

    def test_values_and_layouts(self):
        self.compiles(FACTS, "c", "-std=c11")

    def test_a_wrong_value_would_be_seen(self):
        wrong = FACTS.replace(", 700)", ", 701)")
        for compiler in COMPILERS:
            self.assertIn("negative", self.errors(compiler, wrong, "c", "-std=c11"))


if __name__ == "__main__":
    unittest.main()
