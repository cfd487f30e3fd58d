#!/usr/bin/env python3
"""libcuda and libcudart are thin: they neither link nor contain SystemC or LLVM, and find each other by relative path.

usage: links_test.py BUILD_TREE
"""

import pathlib
import re
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
LIBRARIES = BUILD / "toolkit" / "lib64"
HEAVY = re.compile(r"systemc|LLVM|clang-cpp", re.IGNORECASE)
HEAVY_CODE = re.compile(r"\b(sc_core|tlm|llvm|clang)::")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Links(unittest.TestCase):
    def each_library(self):
        for name in ("libcuda.so.1", "libcudart.so"):
            with self.subTest(library=name):
                yield str(LIBRARIES / name)

    def test_no_heavy_library_is_linked(self):
        for library in self.each_library():
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", library))
            self.assertIn("libc.so.6", needed)  # the list was read
            self.assertEqual([name for name in needed if HEAVY.search(name)], [])

    def test_no_heavy_code_is_inside(self):
        for library in self.each_library():
            symbols = output("nm", "-C", "--defined-only", library)
            self.assertIn(" T ", output("nm", "-D", "--defined-only", library))
            self.assertIsNone(HEAVY_CODE.search(symbols))

    def test_paths_are_relative(self):
        for path in [LIBRARIES / "libcuda.so.1", LIBRARIES / "libcudart.so", BUILD / "bin" / "castor"]:
            with self.subTest(file=path.name):
                run_paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", output("readelf", "-d", str(path)))
                self.assertNotIn(str(BUILD), ":".join(run_paths))


if __name__ == "__main__":
    unittest.main()
