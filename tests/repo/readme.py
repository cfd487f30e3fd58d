#!/usr/bin/env python3
"""Runs the commands that a Markdown page shows, in order, in one shell, and compares what the page says they print.

A block fenced as ```sh is run; ```sh no-test: REASON is not. A ```text block right after an ```sh block is what it
prints (both streams); `…` in it stands for anything within a line, a line of `…` alone for any lines.

usage: readme.py PAGE   (from anywhere; commands run in a scratch folder that looks like the root of the repository)
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from layers import tracked_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(markdown):
    """(commands, expected output or None) of every block that is to be run."""
    found, last_end = [], None
    for fence in FENCE.finditer(markdown):
        language, note, text = fence[1], fence[2].strip(), fence[3]
        if language == "sh" and not note.startswith("no-test:"):
            found.append([text, None])
            last_end = fence.end()
        elif language == "text" and last_end is not None and not markdown[last_end:fence.start()].strip():
            found[-1][1] = text
            last_end = None
        else:
            last_end = None
    return [tuple(block) for block in found]


def matches(expected, actual):
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += re.escape(line.rstrip()).replace("…", ".*") + r"[ \t]*\n"
    return re.fullmatch(pattern, actual if actual.endswith("\n") or not actual else actual + "\n") is not None


def scratch_root(folder):
    """The repository's top level as links, so that what commands leave behind lands in the scratch folder."""
    for name in {path.split("/")[0] for path in tracked_files(ROOT)} | {"build"}:
        os.symlink(ROOT / name, folder / name)


def run_page(page):
    with tempfile.TemporaryDirectory(prefix="castor-readme-") as name:
        folder = pathlib.Path(name)
        scratch_root(folder)
        script = "set -e\n"
        todo = blocks(page.read_text())
        for number, (commands, _) in enumerate(todo):
            script += f"exec >{folder}/.out{number} 2>&1\n{commands}\n"
        done = subprocess.run(["bash", "-c", script], cwd=folder, check=False)
        for number, (commands, expected) in enumerate(todo):
            out = folder / f".out{number}"
            actual = out.read_text(errors="replace") if out.exists() else ""
            last = not (folder / f".out{number + 1}").exists()
            if last and done.returncode != 0:
                return f"this block ended with {done.returncode}:\n{commands}\n{actual}"
            if expected is not None and not matches(expected, actual):
                return f"this block prints something else:\n{commands}\nsaid:\n{expected}\ndid:\n{actual}"
        print(f"{page.name}: {len(todo)} blocks ran")
        return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    error = run_page(pathlib.Path(sys.argv[1]).resolve())
    if error:
        sys.exit(error)


if __name__ == "__main__":
    main()
