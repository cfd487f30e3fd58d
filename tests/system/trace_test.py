"""`castor run --trace=fabric`: what goes over the fabric when saxpy runs, and in which order."""

import re

from support import TEMPORARY, Case, castor, main, program

# One line a stage: what the packet is, as kind and meaning. Each must come after the one before.
STAGES = [
    ("the driver finds the root port", r"kmd +CfgRd +00:01\.0\+0x000"),
    ("and numbers the bus below it", r"kmd +CfgWr +00:01\.0\+0x019"),
    ("it finds the GPU", r"CplD +01:00\.0\+0x000 .*2d1eca57"),
    ("asks a BAR for its size", r"CfgWr +01:00\.0\+0x010 +4 += 0xffffffff"),
    ("places it", r"CfgWr +01:00\.0\+0x010 +4 += 0x4[0-9a-f]{7} "),
    ("lets the device decode and master", r"CfgWr +01:00\.0\+0x004 +2 += 0x[0-9a-f]*[67] "),
    ("reads the discovery table", r"kmd +MRd .*discovery table"),
    ("starts the firmware hart", r"kmd +MWr .*gsp\.CTRL: boot"),
    ("which fetches its image", r"gsp +MRd .*firmware image"),
    ("and is ready", r"kmd +CplD .*gsp\.READY: firmware ready"),
    ("a context is created", r"gsp +CplD .*command CONTEXT_CREATE"),
    ("a queue is created", r"gsp +CplD .*command QUEUE_CREATE"),
    ("its doorbell rings", r"kmd +MWr .*doorbell of context"),
    ("the device fetches a copy", r"CplD .*packet COPY"),
    ("and moves client memory", r"ce\d +(MRd|CplD) .*copy: client memory"),
    ("a doorbell rings again", r"kmd +MWr .*doorbell of context"),
    ("the device fetches the kernel's launch", r"CplD .*packet DISPATCH"),
    ("writes a completion", r"MWr .*completion"),
    ("and interrupts", r"MSI-X .*interrupt"),
]
LINE = re.compile(r"^ *(\d+) +[\d.]+ us +(\w+) +([\w.]+) +([\w-]+) +(\S+) +(\d+)")


class Trace(Case):
    def test_saxpy(self):
        for config in ("two-die", "tiny"):
            path = TEMPORARY / f"trace-{config}"
            result = self.check_ok(castor("run", "--config", config, "--trace=fabric", "--trace-file", path, program("saxpy")))
            self.assertIn("PASS", result.stdout)
            self.assertEqual(result.stderr, "")
            lines = path.read_text().splitlines()
            at = 0
            for what, pattern in STAGES:
                found = next((i for i in range(at, len(lines)) if re.search(pattern, lines[i])), None)
                self.assertIsNotNone(found, f"{config}: after line {at}, not found: {what} ({pattern})")
                at = found + 1

    def test_lines_are_numbered_and_complete(self):
        lines = castor("run", "--config", "tiny", "--trace=fabric", "true").stderr.splitlines()
        self.assertGreater(len(lines), 100)
        for number, line in enumerate(lines):
            match = LINE.match(line)
            self.assertIsNotNone(match, line)
            self.assertEqual(int(match[1]), number)

    def test_every_read_is_answered(self):
        lines = castor("run", "--config", "tiny", "--trace=fabric", "true").stderr.splitlines()
        open_reads = []
        for line in lines:
            _, route, source, kind, where, size = LINE.match(line).groups()
            if route == "root_complex":
                continue  # its own registers: no packet
            if kind in ("MRd", "CfgRd", "CfgWr"):
                open_reads.append((source, where, size))
            elif kind in ("CplD", "Cpl", "UR"):
                open_reads.remove((source, where, size))
        self.assertEqual(open_reads, [])


if __name__ == "__main__":
    main()
