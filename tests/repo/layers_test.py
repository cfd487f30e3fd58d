#!/usr/bin/env python3
"""Shows that tests/repo/layers.py finds each kind of violation."""

import unittest

from layers import Table, check_file

TABLE = Table(
    """
platform/core:
gpu/abi:
gpu/model:       platform/core gpu/abi <systemc>
runtime/include:
runtime/driver:  platform/core runtime/include
tests/system:    gpu/model
"""
)
FILES = {
    "platform/core/fault.h",
    "gpu/abi/packet.h",
    "gpu/model/queue.h",
    "runtime/include/cuda.h",
    "tests/support/catch.h",
}


def check(path, text):
    return check_file(path, text, FILES, TABLE)


class Layers(unittest.TestCase):
    def test_the_sample_table_is_sound(self):
        self.assertEqual(TABLE.errors, [])

    def test_allowed_includes_pass(self):
        self.assertEqual(check("gpu/model/queue.h", '#include <systemc>\n#include "gpu/abi/packet.h"\n'), [])
        self.assertEqual(check("runtime/driver/a.cpp", "#include <cuda.h>\n#include <vector>\n"), [])
        self.assertEqual(check("runtime/include/b.h", '#include "cuda.h"\n'), [])

    def test_a_layer_violation_names_line_and_areas(self):
        self.assertEqual(
            check("runtime/driver/queue.cpp", '// text\n#include "gpu/model/queue.h"\n'),
            ["runtime/driver/queue.cpp:2: runtime/driver may not include gpu/model"],
        )

    def test_libraries_are_layers_too(self):
        for header in ("systemc", "systemc.h", "tlm.h", "tlm_utils/simple_target_socket.h"):
            self.assertEqual(
                check("runtime/driver/a.cpp", f"#include <{header}>\n"),
                ["runtime/driver/a.cpp:1: runtime/driver may not include <systemc>"],
            )
        self.assertEqual(
            check("gpu/model/a.cpp", '#include "llvm/IR/Module.h"\n'),
            ["gpu/model/a.cpp:1: gpu/model may not include <llvm>"],
        )

    def test_includes_are_written_from_the_root(self):
        self.assertEqual(
            check("gpu/model/a.cpp", '#include "queue.h"\n'),
            ['gpu/model/a.cpp:1: "queue.h" is not a path from the repository root'],
        )

    def test_code_may_not_include_tests(self):
        self.assertEqual(
            check("gpu/model/a.cpp", '#include "tests/support/catch.h"\n'),
            ["gpu/model/a.cpp:1: gpu/model may not include tests"],
        )

    def test_a_test_reaches_what_its_area_reaches(self):
        text = '#include "tests/support/catch.h"\n#include "gpu/model/queue.h"\n#include "gpu/abi/packet.h"\n'
        self.assertEqual(check("tests/gpu/model/a.cpp", text), [])
        self.assertEqual(check("tests/system/a.cpp", text), [])
        self.assertEqual(
            check("tests/runtime/driver/a.cpp", text),
            [
                "tests/runtime/driver/a.cpp:2: tests/runtime/driver may not include gpu/model",
                "tests/runtime/driver/a.cpp:3: tests/runtime/driver may not include gpu/abi",
            ],
        )

    def test_an_area_without_a_line_is_an_error(self):
        self.assertEqual(check("gpu/new/a.cpp", ""), ["gpu/new/a.cpp:1: gpu/new has no line in tests/layers.txt"])

    def test_the_table_refuses_cycles(self):
        table = Table("a: b\nb: c\nc: a\n")
        self.assertEqual(table.errors, ["tests/layers.txt: cycle a -> b -> c -> a"])

    def test_the_table_refuses_unknown_names_and_second_lines(self):
        self.assertIn("a names x", Table("a: x\n").errors[0])
        self.assertIn("tests/layers.txt:2", Table("a:\na:\n").errors[0])


if __name__ == "__main__":
    unittest.main()
