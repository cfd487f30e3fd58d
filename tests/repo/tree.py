#!/usr/bin/env python3
"""Checks the shape of the tree: file sizes, include guards, a README for each area, formatting.

usage: tree.py sizes|guards|readmes|format
"""

import pathlib
import re
import subprocess
import sys

from layers import Table, tracked_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = (".h", ".hpp", ".c", ".cpp", ".cc", ".cu", ".cuh", ".py")
FORMATTED = (".h", ".hpp", ".c", ".cpp", ".cc", ".cu", ".cuh")
HEADERS = (".h", ".hpp", ".cuh")
MAX_LINES = 600
GUARD = re.compile(r"^#pragma once$|^#ifndef (\w+)\s*\n#define \1\b", re.MULTILINE)


def files(endings):
    return sorted(name for name in tracked_files(ROOT) if name.endswith(endings))


def text(name):
    return (ROOT / name).read_text(errors="replace")


def sizes():
    for name in files(CODE):
        lines = text(name).count("\n")
        if lines > MAX_LINES:
            yield f"{name}:{lines}: {lines} lines; cut it where it has a joint (the limit is {MAX_LINES})"


def guards():
    for name in files(HEADERS):
        if not GUARD.search(text(name)):
            yield f"{name}:1: no #pragma once"


def readmes():
    for area in Table(text("tests/layers.txt")).allowed:
        if not area.startswith("tests/") and not (ROOT / area / "README.md").is_file():
            yield f"{area}: no README.md"


def format():  # pylint: disable=redefined-builtin
    found = subprocess.run(
        ["clang-format-19", "--dry-run", "--ferror-limit=1", *files(FORMATTED)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stderr
    for line in found.splitlines():
        if "[-Wclang-format-violations]" in line or "error:" in line:
            yield line.split(": ")[0] + ": not formatted; run clang-format-19 -i on it"


def main():
    checks = {check.__name__: check for check in (sizes, guards, readmes, format)}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    errors = list(checks[sys.argv[1]]())
    print("\n".join(errors) if errors else f"{sys.argv[1]}: clean")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
