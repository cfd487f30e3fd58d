#!/usr/bin/env python3
"""Checks the names and versions that libcudart exports: exports_test.py LIBCUDART STATIC_LIBRARY NAMES."""

import subprocess
import sys


def defined(library, *options):
    """The defined global symbols as nm prints them, with their versions."""
    out = subprocess.run(["nm", "--defined-only", "-g", *options, library], check=True, capture_output=True, text=True)
    return [line.split()[2] for line in out.stdout.splitlines() if len(line.split()) == 3]


def main():
    shared, static, names = sys.argv[1:4]
    wanted = {line.strip() for line in open(names) if line.strip() and not line.startswith("#")}
    problems = []

    versioned = [name for name in defined(shared, "-D") if not name.startswith("libcudart.so")]
    exported = {name.split("@")[0] for name in versioned}
    default = {name.split("@@")[0] for name in versioned if name.endswith("@@libcudart.so.13")}
    problems += [f"{name} is not exported" for name in sorted(wanted - exported)]
    problems += [f"{name} has no default version" for name in sorted(exported - default)]
    problems += [f"{name} is exported but is no CUDA name" for name in sorted(exported)
                 if not name.startswith(("cuda", "__cuda"))]
    problems += [f"{name} is missing in the static library" for name in sorted(wanted - set(defined(static)))]

    needed = subprocess.run(["readelf", "-d", shared], check=True, capture_output=True, text=True).stdout
    if "Library soname: [libcudart.so.13]" not in needed:
        problems.append("the soname is not libcudart.so.13")

    print("\n".join(problems) or f"{len(wanted)} names")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
