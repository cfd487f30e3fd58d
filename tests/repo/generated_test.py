#!/usr/bin/env python3
"""Shows that generated.py finds, replaces and leaves alone what it should."""

import unittest

from generated import first_sentence, rewrite

PAGE = """# Page
<!-- generated: one -->
old
text
<!-- end -->
kept
<!-- generated: two with arguments -->
<!-- end -->
"""


class Generated(unittest.TestCase):
    def test_each_block_is_replaced_and_the_rest_kept(self):
        self.assertEqual(
            rewrite(PAGE, lambda command: f"[{command}]\n"),
            "# Page\n<!-- generated: one -->\n[one]\n<!-- end -->\nkept\n"
            "<!-- generated: two with arguments -->\n[two with arguments]\n<!-- end -->\n",
        )

    def test_a_fresh_page_stays_as_it_is(self):
        fresh = rewrite(PAGE, lambda command: command)
        self.assertEqual(rewrite(fresh, lambda command: command), fresh)

    def test_a_stale_block_is_seen(self):
        self.assertNotEqual(rewrite(PAGE, lambda command: command), PAGE)

    def test_the_first_sentence_of_prose(self):
        self.assertEqual(first_sentence("# T\n\n| a |\n\nWhat it\nholds. More.\n"), "What it holds")
        self.assertEqual(first_sentence("# T\n"), "")


if __name__ == "__main__":
    unittest.main()
