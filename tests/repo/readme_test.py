#!/usr/bin/env python3
"""Shows that readme.py runs what it should and notices a wrong page."""

import pathlib
import tempfile
import unittest

from readme import blocks, matches, run_page


class Readme(unittest.TestCase):
    def page(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "PAGE.md"
        path.write_text(text)
        return run_page(path)

    def test_blocks_and_their_output(self):
        text = "```sh\na\n```\n\n```text\nout\n```\n```sh no-test: needs a person\nb\n```\n```sh\nc\n```\nprose\n```text\nx\n```\n"
        self.assertEqual(blocks(text), [("a\n", "out\n"), ("c\n", None)])

    def test_dots_stand_for_anything(self):
        self.assertTrue(matches("a … c\n", "a b c\n"))
        self.assertTrue(matches("first\n…\nlast\n", "first\n1\n2\nlast\n"))
        self.assertFalse(matches("a … c\n", "a b d\n"))
        self.assertFalse(matches("a\n", "a\nb\n"))

    def test_one_shell_runs_all_blocks(self):
        self.assertIsNone(self.page("```sh\nv=1\n```\n```sh\necho $v\n```\n```text\n1\n```\n"))

    def test_a_failing_command_is_noticed(self):
        self.assertIn("ended with 3", self.page("```sh\n(exit 3)\n```\n```sh\necho later\n```\n"))

    def test_other_output_is_noticed(self):
        self.assertIn("something else", self.page("```sh\necho 1\n```\n```text\n2\n```\n"))


if __name__ == "__main__":
    unittest.main()
