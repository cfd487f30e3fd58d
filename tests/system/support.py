"""What the system tests share: the prefix under test, compiling programs for it, running them with a time limit."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release").resolve()
CASTOR = str(PREFIX / "bin/castor")
LIBRARIES = str(PREFIX / "toolkit/lib64")
LIMIT = 120  # seconds; a machine under sanitizers on a loaded computer is slow

_folder = tempfile.TemporaryDirectory(prefix="castor-test-")
TEMPORARY = pathlib.Path(_folder.name)
_programs = {}


def clean_environment(**more):
    """Ours without what would point to another machine."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("CASTOR_") and name != "LD_LIBRARY_PATH"}
    environment.update(more)
    return environment


def library_environment(**more):
    """For a program that is started without castor's help."""
    runtime = os.environ.get("CASTOR_SANITIZER_RUNTIME")
    if runtime:  # our libraries want it first in the program, whose own leaks are not ours
        more.update(LD_PRELOAD=runtime, ASAN_OPTIONS="detect_leaks=0")
    return clean_environment(LD_LIBRARY_PATH=LIBRARIES, **more)


def run(arguments, **options):
    options.setdefault("env", clean_environment())
    options.setdefault("stdin", subprocess.DEVNULL if "input" not in options else None)
    if options["stdin"] is None:
        del options["stdin"]
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=LIMIT,
                          check=False, **options)


def castor(*arguments, **options):
    return run([CASTOR, *arguments], **options)


def program(name):
    """The executable of programs/NAME.cu, or of a sample with that name; compiled once."""
    if name not in _programs:
        source = SOURCE / "programs" / f"{name}.cu"
        if not source.exists():
            source = SOURCE.parents[1] / "workloads/samples" / f"{name}.cu"
        output = TEMPORARY / name
        result = castor("cc", source, "-o", output)
        if result.returncode != 0:
            raise RuntimeError(f"castor cc {source}: {result.returncode}\n{result.stdout}{result.stderr}")
        _programs[name] = str(output)
    return _programs[name]


class Case(unittest.TestCase):
    def check_ok(self, result):
        self.assertEqual(result.returncode, 0, f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}")
        return result


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
