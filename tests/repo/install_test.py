#!/usr/bin/env python3
"""`cmake --install` gives a prefix that compiles and runs a program on its own, wherever it is put.

usage: install_test.py SOURCE_TREE BUILD_TREE
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in (sys.argv.pop(1), sys.argv.pop(1)))


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} gave {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="castor-install-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        run("cmake", "--install", BUILD, "--prefix", self.folder / "first")
        self.prefix = self.folder / "moved here"
        shutil.move(self.folder / "first", self.prefix)

    def test_the_prefix_has_its_parts_and_nothing_else(self):
        self.assertEqual(sorted(os.listdir(self.prefix)), ["bin", "share", "toolkit"])
        self.assertLessEqual({"castor"}, set(os.listdir(self.prefix / "bin")))
        self.assertLessEqual({"include", "lib64"}, set(os.listdir(self.prefix / "toolkit")))
        for name in ("toolkit/include/cuda.h", "toolkit/include/cuda_runtime.h", "toolkit/lib64/libcuda.so.1",
                     "toolkit/lib64/libcudart.so", "share/castor"):
            self.assertTrue((self.prefix / name).exists(), name)

    def test_a_program_is_compiled_and_run_from_it(self):
        program = self.folder / "saxpy"
        castor = self.prefix / "bin" / "castor"
        run(castor, "cc", SOURCE / "workloads/samples/saxpy.cu", "-o", program, cwd=self.folder)
        run(castor, "run", program, cwd=self.folder)

    def test_a_program_is_run_with_library_path_alone(self):
        program = self.folder / "saxpy"
        run(self.prefix / "bin" / "castor", "cc", SOURCE / "workloads/samples/saxpy.cu", "-o", program)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.prefix / "toolkit/lib64"))
        if "CASTOR_SANITIZER_RUNTIME" in os.environ:  # the program itself is not sanitized
            environment["LD_PRELOAD"] = os.environ["CASTOR_SANITIZER_RUNTIME"]
            environment["ASAN_OPTIONS"] = "detect_leaks=0"
        run(program, cwd=self.folder, env=environment)


if __name__ == "__main__":
    unittest.main()
