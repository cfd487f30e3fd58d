#!/usr/bin/env python3
"""A program linked as Makefiles do it, with -lcudart_static and no -lcuda: static_link_test.py INCLUDE LIBRARIES."""

import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <cuda_runtime.h>
#include <cstdio>
int main(int argc, char**) {
  int* device = nullptr;
  const cudaError_t error = cudaMalloc(&device, 64);
  std::puts(cudaGetErrorName(error));
  return error == (argc > 1 ? cudaErrorInsufficientDriver : cudaSuccess) ? 0 : 1;
}
"""


def main():
    include, libraries = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as name:
        source, program = pathlib.Path(name) / "program.cpp", pathlib.Path(name) / "program"
        source.write_text(PROGRAM)
        subprocess.run(["g++", source, f"-I{include}", f"-L{libraries}", "-lcudart_static", "-ldl", "-lpthread", "-lrt",
                        "-o", program], check=True)
        with_driver = subprocess.run([program], env={**os.environ, "LD_LIBRARY_PATH": libraries}).returncode
        alone = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
        return with_driver or subprocess.run([program, "no driver"], env=alone).returncode


if __name__ == "__main__":
    sys.exit(main())
