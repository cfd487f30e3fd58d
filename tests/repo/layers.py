#!/usr/bin/env python3
"""Checks the includes of the whole tree against tests/layers.txt.

Prints one line a violation, `FILE:LINE: AREA may not include AREA`, and exits 1 when there is one.
"""

import argparse
import pathlib
import re
import subprocess
import sys

SOURCES = {".h", ".hpp", ".c", ".cpp", ".cc", ".inc", ".cu", ".cuh", ".S"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LIBRARIES = {
    "<systemc>": re.compile(r"^(systemc|tlm|tlm_utils|sysc)(\.h|/|$)"),
    "<llvm>": re.compile(r"^(llvm|llvm-c|clang|clang-c|lld)/"),
}
FLAT = "runtime/include"  # installed as one flat folder: its headers are found by bare name


class Table:
    """tests/layers.txt: what each area may include."""

    def __init__(self, text):
        self.allowed = {}
        self.errors = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            area, colon, rest = line.partition(":")
            if not colon or area in self.allowed:
                self.errors.append(f"tests/layers.txt:{number}: wants one line 'area: areas' for each area")
                continue
            self.allowed[area.strip()] = set(rest.split())
        self._check_names()
        self._check_cycles()

    def _check_names(self):
        for area, names in self.allowed.items():
            for name in sorted(names - set(self.allowed) - set(LIBRARIES)):
                self.errors.append(f"tests/layers.txt: {area} names {name}, which has no line of its own")

    def _check_cycles(self):
        finished, path = set(), []

        def visit(area):
            if area in path:
                cycle = path[path.index(area):] + [area]
                self.errors.append("tests/layers.txt: cycle " + " -> ".join(cycle))
                return
            if area in finished:
                return
            path.append(area)
            for name in sorted(self.allowed.get(area, ())):
                visit(name)
            path.pop()
            finished.add(area)

        for area in self.allowed:
            visit(area)

    def area_of(self, path):
        """The area with the longest name that `path` lies in, or None."""
        inside = [area for area in self.allowed if path.startswith(area + "/")]
        return max(inside, key=len, default=None)

    def reach(self, area):
        """All that `area` may include, directly or through others."""
        seen, todo = set(), [area]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(self.allowed.get(name, ()))
        return seen

    def may_include(self, path):
        """(name to print, set of areas and libraries) for the file at `path`; None when no line covers it."""
        area = self.area_of(path)
        if not path.startswith("tests/"):
            return area and (area, self.allowed[area] | {area})
        tested = self.area_of(path.removeprefix("tests/"))
        extra = set().union(*(self.reach(name) for name in self.allowed.get(area, ()))) if area else set()
        name = area or (f"tests/{tested}" if tested else "tests/" + path.split("/")[1])
        return name, (self.reach(tested) if tested else set()) | extra | {"platform/core"}


def target_of(path, include, quoted, files, table):
    """The area or library that an include reaches; '' when it is outside the tree, None when it is not found."""
    for library, pattern in LIBRARIES.items():
        if pattern.match(include):
            return library
    if include in files:
        return table.area_of(include) or "tests"
    if f"{FLAT}/{include}" in files:
        return FLAT
    beside = f"{path.rpartition('/')[0]}/{include}"
    if (path.startswith("workloads/") or path.endswith(".cu")) and beside in files:
        return table.area_of(beside) or "tests"  # these are programs of users' kind, compiled where they lie
    return None if quoted else ""


def check_file(path, text, files, table):
    rule = table.may_include(path)
    if rule is None:
        return [f"{path}:1: {'/'.join(path.split('/')[:-1])} has no line in tests/layers.txt"]
    name, allowed = rule
    errors = []
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        quoted, include = found[1] == '"', found[2]
        target = target_of(path, include, quoted, files, table)
        if target is None:
            errors.append(f'{path}:{number}: "{include}" is not a path from the repository root')
        elif target == "tests" or target.startswith("tests/"):
            if not path.startswith("tests/"):
                errors.append(f"{path}:{number}: {name} may not include tests")
        elif target and target not in allowed:
            errors.append(f"{path}:{number}: {name} may not include {target}")
    return errors


def tracked_files(root):
    """Every file of the working tree that git does not ignore."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name for name in listed if (root / name).is_file()}


def check_tree(root):
    table = Table((root / "tests/layers.txt").read_text())
    files = tracked_files(root)
    errors = list(table.errors)
    for area in table.allowed:
        if not any(name.startswith(area + "/") for name in files):
            errors.append(f"tests/layers.txt: {area} has a line but no files")
    for name in sorted(files):
        if pathlib.PurePath(name).suffix in SOURCES and "/" in name:
            errors += check_file(name, (root / name).read_text(errors="replace"), files, table)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    errors = check_tree(parser.parse_args().root)
    print("\n".join(errors) if errors else "layers: clean")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
