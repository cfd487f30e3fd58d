#!/usr/bin/env python3
"""A program linked against CUDA 12's runtime starts with ours: cuda_12_test.py FOLDER_OF_OUR_LIBRARIES.

Links against a stand-in that has the soname and the symbol version of CUDA 12's library, then runs with ours.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

STAND_IN = """
int cudaRuntimeGetVersion(int* version) { *version = 12000; return 0; }
const char* cudaGetErrorName(int error) { return "stand-in"; }
"""
PROGRAM = """
#include <string.h>
int cudaRuntimeGetVersion(int*);
const char* cudaGetErrorName(int);
int main(void) {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != 0 || version < 13000) return 2;
  return strcmp(cudaGetErrorName(1), "cudaErrorInvalidValue") != 0;
}
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], **options)


def main():
    ours = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "stand_in.c").write_text(STAND_IN)
        (folder / "program.c").write_text(PROGRAM)
        (folder / "versions.map").write_text("libcudart.so.12 { global: cuda*; local: *; };")
        library = folder / "libcudart.so.12"
        run("gcc", "-shared", "-fPIC", folder / "stand_in.c", "-o", library, "-Wl,-soname,libcudart.so.12",
            f"-Wl,--version-script={folder / 'versions.map'}", check=True)
        run("gcc", folder / "program.c", library, "-o", folder / "program", check=True)
        done = run(folder / "program", env={**os.environ, "LD_LIBRARY_PATH": str(ours)}, capture_output=True, text=True)
        print(done.stdout, done.stderr)
        return 1 if done.returncode or done.stderr else 0


if __name__ == "__main__":
    sys.exit(main())
