#!/usr/bin/env python3
"""Keeps the generated blocks of the Markdown pages in step with what they are generated from.

A block is

    <!-- generated: NAME ARGUMENTS -->
    text
    <!-- end -->

NAME is one of the generators below, or an executable of the build (bin/ or tools/) whose standard output is the text.
--check prints the blocks that are out of date and exits 1; --write rewrites them (`./x regen`).
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

from layers import Table, tracked_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(<!-- generated: (.+?) -->\n)(.*?)(^<!-- end -->$)", re.MULTILINE | re.DOTALL)
API_ROW = re.compile(r"^\s*(API|GAP)(?:_RETURNS\([^,]*,\s*|(?:_[A-Z0-9]+)*\(\s*)(cu\w+)", re.MULTILINE)
GAP_REASON = re.compile(r'^\s*GAP(?:_[A-Z0-9]+)*\(\s*(\w+).*?"((?:[^"\\]|\\.)*)"\s*\)\s*$', re.MULTILINE)
INCLUDE_ROWS = re.compile(r'^#include "(castor/api/\w+\.inc)"$', re.MULTILINE)


def areas(build):
    """The folders, each with the first line of prose of its README."""
    rows = ["| folder | holds |", "| --- | --- |"]
    for area in sorted(Table((ROOT / "tests/layers.txt").read_text()).allowed):
        readme = ROOT / area / "README.md"
        if not area.startswith("tests/") and readme.is_file():
            rows.append(f"| [{area}]({area}/README.md) | {first_sentence(readme.read_text())} |")
    return "\n".join(rows) + "\n"


def first_sentence(markdown):
    """The first sentence of the first paragraph that is prose."""
    for paragraph in re.split(r"\n\s*\n", markdown):
        if paragraph.strip() and not re.match(r"[#|<>-]|```", paragraph.strip()):
            line = " ".join(paragraph.split())
            return re.split(r"(?<=[.:])\s", line)[0].rstrip(".:").replace("|", r"\|")
    return ""


def rows_text(table):
    """A table of rows with the tables that it includes."""
    text = (ROOT / table).read_text()
    return INCLUDE_ROWS.sub(lambda line: rows_text("runtime/include/" + line[1]), text)


def api_rows(build, *tables):
    """Coverage of an API whose rows are API…(name, …) and GAP…(name, …, "why")."""
    text = "\n".join(rows_text(table) for table in tables)
    found = set(API_ROW.findall(text))
    built = sorted(name for kind, name in found if kind == "API")
    gaps = {name for kind, name in found if kind == "GAP"}
    reasons = {}
    for name, why in GAP_REASON.findall(text):
        reasons.setdefault(why, []).append(name)
    lines = [f'{len(built)} of {len(built) + len(gaps)} functions are built; each of the others answers "not supported".', ""]
    lines += ["Built: " + ", ".join(f"`{name}`" for name in built) + ".", ""]
    for why in sorted(reasons):
        lines += [f"Not built ({why}): " + ", ".join(f"`{name}`" for name in sorted(reasons[why])) + ".", ""]
    return "\n".join(lines)


GENERATORS = {"areas": areas, "api_rows": api_rows}


def generate(command, build):
    name, *arguments = shlex.split(command)
    if name in GENERATORS:
        return GENERATORS[name](build, *arguments)
    for folder in ("bin", "tools"):
        tool = build / folder / name
        if tool.is_file():
            return subprocess.run([tool, *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    raise FileNotFoundError(f"no generator or built tool named {name}")


def rewrite(markdown, generator):
    """`markdown` with every generated block replaced by what generator(command) gives."""
    return BLOCK.sub(lambda block: block[1] + generator(block[2]).rstrip("\n") + "\n" + block[4], markdown)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build tree whose tools are asked")
    options = parser.parse_args()
    stale = 0
    for name in sorted(tracked_files(ROOT)):
        if not name.endswith(".md"):
            continue
        old = (ROOT / name).read_text()
        try:
            new = rewrite(old, lambda command: generate(command, options.build.resolve()))
        except (FileNotFoundError, subprocess.CalledProcessError, TypeError) as error:
            print(f"{name}: {error}")
            stale += 1
            continue
        if new == old:
            continue
        if options.write:
            (ROOT / name).write_text(new)
            print(f"{name}: rewritten")
        else:
            print(f"{name}: a generated block is out of date; run ./x regen")
            stale += 1
    print("generated text: " + (f"{stale} pages are out of date" if stale else "fresh"))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
