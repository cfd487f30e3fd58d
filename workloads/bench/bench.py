#!/usr/bin/env python3
"""Measures the emulator against the host it runs on, everything in one run (`./x bench`).

Each program runs one algorithm on the emulated GPU and, compiled natively, on one host core. Ratios compare the two
within this run; absolute figures depend on the machine.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("sgemm", "vector_add", "mandelbrot", "reduction")
EMPTY_RUNS, COMPILE_RUNS, PROGRAM_RUNS = 5, 3, 3


def run(command):
    """Standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))} failed with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def wall(command, times):
    """Median wall time of a command in seconds."""
    taken = []
    for _ in range(times):
        start = time.monotonic()
        run(command)
        taken.append(time.monotonic() - start)
    return statistics.median(taken)


class Bench:
    def __init__(self, castor, folder):
        self.castor, self.folder, self.figures = castor, pathlib.Path(folder), []

    def add(self, name, value, unit):
        self.figures.append({"name": name, "value": value, "unit": unit})
        print(f"{name:44} {value:16.6g} {unit}", flush=True)

    def compile(self, source, *flags):
        output = self.folder / source.stem
        run([self.castor, "cc", "-O3", *flags, source, "-o", output])
        return output

    def program(self, name):
        """One algorithm; of several runs the one with the quickest GPU part, and the quickest native part."""
        binary = self.compile(HERE / f"{name}.cu", "-Xcompiler", "-march=native")
        stats = self.folder / f"{name}.json"
        runs = []
        for _ in range(PROGRAM_RUNS):
            words = run([self.castor, "run", f"--stats={stats}", binary]).split()
            runs.append({words[i]: float(words[i + 1]) for i in range(0, len(words), 2)})
        gpu = min(one["gpu_seconds"] for one in runs)
        native = min(one["native_seconds"] for one in runs)
        instructions = json.loads(stats.read_text())["thread_instructions"]
        self.add(f"interpreter.{name}.thread_instructions", instructions, "1")
        self.add(f"interpreter.{name}.rate", instructions / gpu, "thread-instructions/s")
        self.add(f"interpreter.{name}.time", gpu, "s")
        self.add(f"native.{name}.time", native, "s")
        self.add(f"interpreter.{name}.slowdown", gpu / native, "x native")

    def startup(self):
        empty = self.compile(HERE / "empty.cu")
        self.add("run.empty_kernel.time", wall([self.castor, "run", empty], EMPTY_RUNS), "s")
        saxpy = HERE.parent / "samples" / "saxpy.cu"
        compile_saxpy = [self.castor, "cc", saxpy, "-o", self.folder / "saxpy"]
        self.add("compile.saxpy.time", wall(compile_saxpy, COMPILE_RUNS), "s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=pathlib.Path, required=True, help="build tree or installed prefix")
    parser.add_argument("--json", type=pathlib.Path, help="write every figure's name, value and unit here")
    parser.add_argument("names", nargs="*", help=f"programs to run (default: all of {', '.join(PROGRAMS)})")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="castor-bench-") as folder:
        bench = Bench(options.prefix.resolve() / "bin" / "castor", folder)
        for name in options.names or PROGRAMS:
            bench.program(name)
        bench.startup()
    if options.json:
        options.json.write_text(json.dumps({"figures": bench.figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
