#!/usr/bin/env python3
"""libcuda exports every name of the CUDA driver API and nothing else, and cuGetProcAddress knows every one.

usage: exports_test.py LIBCUDA NAMES ROWS_FOLDER
"""

import ctypes
import pathlib
import re
import subprocess
import sys
import unittest

LIBRARY, NAMES, ROWS = (pathlib.Path(word) for word in sys.argv[1:4])
del sys.argv[1:4]
EXPECTED = set(NAMES.read_text().split())


def rows(file, pattern):
    return re.findall(pattern, (ROWS / file).read_text(), re.MULTILINE)


class Exports(unittest.TestCase):
    def test_every_name_is_a_row_once(self):
        names = rows("driver.inc", r"^API\w*\((\w+),") + rows("driver_gaps.inc", r"^GAP\((\w+),")
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(set(names), EXPECTED)

    def test_every_gap_has_a_reason(self):
        for name, why in rows("driver_gaps.inc", r'^GAP\((\w+), "(.*)"\)$'):
            self.assertGreater(len(why), 10, name)

    def test_exports_are_the_api_and_nothing_else(self):
        out = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
        self.assertEqual({line.split()[-1].split("@")[0] for line in out.splitlines()}, EXPECTED)

    def test_get_proc_address_knows_every_name(self):
        library = ctypes.CDLL(str(LIBRARY))
        get = library.cuGetProcAddress_v2
        get.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_uint64,
                        ctypes.POINTER(ctypes.c_int)]
        for name in EXPECTED:
            address, found = ctypes.c_void_p(), ctypes.c_int(-1)
            self.assertEqual(get(name.encode(), ctypes.byref(address), 13000, 0, ctypes.byref(found)), 0, name)
            self.assertTrue(address.value, name)
            self.assertEqual(found.value, 0, name)
        self.assertEqual(get(b"cuNoSuchThing", ctypes.byref(address), 13000, 0, ctypes.byref(found)), 0)
        self.assertIsNone(address.value)
        self.assertEqual(found.value, 1)

    def test_get_proc_address_gives_the_version_that_the_caller_knows(self):
        library = ctypes.CDLL(str(LIBRARY))

        def ask(name, version, flags=0):
            address = ctypes.c_void_p()
            self.assertEqual(library.cuGetProcAddress(name, ctypes.byref(address), version, ctypes.c_uint64(flags)), 0)
            return address.value

        def symbol(name):
            return ctypes.cast(getattr(library, name), ctypes.c_void_p).value

        self.assertEqual(ask(b"cuMemAlloc", 12000), symbol("cuMemAlloc_v2"))
        self.assertEqual(ask(b"cuCtxCreate", 12000), symbol("cuCtxCreate_v2"))
        self.assertEqual(ask(b"cuCtxCreate", 13000), symbol("cuCtxCreate_v4"))
        self.assertEqual(ask(b"cuGetProcAddress", 11080), symbol("cuGetProcAddress"))
        self.assertEqual(ask(b"cuGetProcAddress", 12000), symbol("cuGetProcAddress_v2"))
        self.assertEqual(ask(b"cuMemAdvise", 12000), symbol("cuMemAdvise"))
        self.assertEqual(ask(b"cuLaunchKernel", 13000, 2), symbol("cuLaunchKernel_ptsz"))
        self.assertEqual(ask(b"cuMemcpyHtoD", 13000, 2), symbol("cuMemcpyHtoD_v2_ptds"))
        self.assertEqual(ask(b"cuLaunchKernel", 13000, 1), symbol("cuLaunchKernel"))

    def test_before_init_everything_else_says_so(self):
        library = ctypes.CDLL(str(LIBRARY))
        count = ctypes.c_int()
        self.assertEqual(library.cuDeviceGetCount(ctypes.byref(count)), 3)  # CUDA_ERROR_NOT_INITIALIZED
        self.assertEqual(library.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), ctypes.c_size_t(4)), 3)

    def test_a_gap_answers_not_supported(self):
        library = ctypes.CDLL(str(LIBRARY))
        for name, _ in rows("driver_gaps.inc", r'^GAP\((\w+), "(.*)"\)$'):
            self.assertEqual(getattr(library, name)(), 801, name)


if __name__ == "__main__":
    unittest.main()
