"""The command `castor`: exit codes, stdin and stdout, signals, errors that name what is wrong."""

import json
import os
import signal
import subprocess
import time
import unittest

from support import CASTOR, LIBRARIES, LIMIT, SOURCE, TEMPORARY, Case, castor, clean_environment, library_environment, main, program, run


class Run(Case):
    def test_exit_code_is_the_programs(self):
        for code in (0, 1, 7, 255):
            self.assertEqual(castor("run", "sh", "-c", f"exit {code}").returncode, code)

    def test_death_by_signal_is_128_and_the_signal(self):
        self.assertEqual(castor("run", "sh", "-c", "kill -KILL $$").returncode, 128 + signal.SIGKILL)
        self.assertEqual(castor("run", "sh", "-c", "kill -TERM $$").returncode, 128 + signal.SIGTERM)

    def test_program_that_cannot_be_started(self):
        result = castor("run", "./no-such-program")
        self.assertEqual(result.returncode, 127)
        self.assertIn("./no-such-program", result.stderr)

    def test_stdin_stdout_and_stderr_are_the_programs(self):
        text = "".join(f"line {i}\n" for i in range(2000))
        result = castor("run", "sh", "-c", "cat; echo noise >&2", input=text)
        self.assertEqual(result.stdout, text)
        self.assertEqual(result.stderr, "noise\n")

    def test_options_after_the_program_are_the_programs(self):
        result = castor("run", "echo", "--config", "nonsense", "--trace=all", "-n", "--", "--help")
        self.assertEqual(result.stdout, "--config nonsense --trace=all -n -- --help\n")

    def test_environment(self):
        result = castor("run", "sh", "-c", 'test -S "$CASTOR_SOCKET" && echo "$LD_LIBRARY_PATH"',
                        env=clean_environment(LD_LIBRARY_PATH="/some/where"))
        self.assertEqual(result.stdout, f"{LIBRARIES}:/some/where\n")

    def test_signals_reach_the_program(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
            script = f"trap 'echo got it; exit 42' {number}; echo ready; while :; do sleep 0.02; done"
            # In a group of its own, so that the signal takes no other way than through castor.
            with subprocess.Popen([CASTOR, "run", "sh", "-c", script], stdout=subprocess.PIPE, text=True,
                                  env=clean_environment(), start_new_session=True) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                os.kill(process.pid, number)
                self.assertEqual(process.communicate(timeout=LIMIT)[0], "got it\n")
                self.assertEqual(process.returncode, 42)

    def test_nothing_is_left_behind(self):
        folder = TEMPORARY / "tmp"
        folder.mkdir(exist_ok=True)
        self.check_ok(castor("run", "true", env=clean_environment(TMPDIR=str(folder))))
        self.assertEqual(list(folder.iterdir()), [])

    def test_cuda_program(self):
        result = self.check_ok(castor("run", program("saxpy")))
        self.assertIn("saxpy: PASS", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_statistics(self):
        path = TEMPORARY / "stats.json"
        self.check_ok(castor("run", f"--stats={path}", program("saxpy")))
        stats = json.loads(path.read_text())
        self.assertEqual(stats["kernels"], 1)
        self.assertEqual(stats["blocks"], (1 << 18) // 256)
        # Every lane of every warp executes; some ten instructions an element.
        self.assertEqual(stats["thread_instructions"], 32 * stats["warp_instructions"])
        self.assertGreater(stats["thread_instructions"], 5 << 18)
        self.assertLess(stats["thread_instructions"], 50 << 18)
        self.assertGreater(stats["kernel_seconds"], 0)
        result = self.check_ok(castor("run", "--stats", program("saxpy")))
        self.assertRegex(result.stderr, r"^castor: 1 kernels, 1024 blocks, .*\n$")

    def test_cuda_source(self):
        source = SOURCE.parents[1] / "workloads/samples/saxpy.cu"
        result = self.check_ok(castor("run", "--config", "tiny", source))
        self.assertIn("saxpy: PASS", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_wrong_cuda_source_names_file_and_line(self):
        source = TEMPORARY / "wrong.cu"
        source.write_text("__global__ void k() {}\nint main() { return nonsense; }\n")
        result = castor("run", source)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("wrong.cu:2", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_arguments_reach_a_cuda_source(self):
        source = TEMPORARY / "arguments.cu"
        source.write_text('#include <cstdio>\nint main(int n, char** a) { std::printf("%d %s\\n", n, a[1]); return 5; }\n')
        result = castor("run", source, "--config")
        self.assertEqual(result.stdout, "2 --config\n", result.stderr)
        self.assertEqual(result.returncode, 5)


class Bare(Case):
    def test_program_starts_its_own_machine(self):
        result = self.check_ok(run([program("saxpy")], env=library_environment()))
        self.assertIn("saxpy: PASS", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_the_machine_ends_with_the_program(self):
        result = self.check_ok(run([program("saxpy")], env=library_environment(CASTOR_TEST_MARK=str(os.getpid()))))
        self.assertIn("PASS", result.stdout)
        deadline = time.monotonic() + LIMIT
        while machines_marked(os.getpid()) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(machines_marked(os.getpid()), [])

    def test_configuration_from_the_environment(self):
        environment = library_environment(CASTOR_CONFIG="tiny")
        self.assertEqual(self.check_ok(run([program("print_device")], env=environment)).stdout,
                         "Castor C0, 1 SMs, 256 MiB\n")


def machines_marked(mark):
    """Processes of castor whose environment carries our mark."""
    found = []
    for process in os.listdir("/proc"):
        try:
            if not process.isdigit() or os.readlink(f"/proc/{process}/exe") != os.path.realpath(CASTOR):
                continue
            with open(f"/proc/{process}/environ", "rb") as file:
                if f"CASTOR_TEST_MARK={mark}".encode() in file.read().split(b"\0"):
                    found.append(int(process))
        except OSError:
            pass
    return found


class Errors(Case):
    def check_usage(self, *arguments, says):
        result = castor(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_command_line(self):
        self.check_usage("frobnicate", says="frobnicate")
        self.check_usage("run", "--frobnicate", "true", says="--frobnicate")
        self.check_usage("serve", "--frobnicate", says="--frobnicate")
        self.check_usage("info", "extra", says="extra")
        self.check_usage("run", "--trace=everything", "true", says="everything")
        self.check_usage("run", "--threads", "many", "true", says="threads")
        self.check_usage("run", "--threads", "0", "true", says="threads")
        self.check_usage("run", "--log", "loud", "true", says="loud")
        self.check_usage("run", says="program")
        self.check_usage(says="subcommand")

    def test_configuration(self):
        path = TEMPORARY / "bad.toml"
        path.write_text('name = "bad"\n[package]\ndies = "two"\n')
        for command in (["run", "--config", path, "true"], ["info", "--config", path]):
            result = castor(*command)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{path}:3: package.dies", result.stderr)
            self.assertIn("from 1 to 8", result.stderr)
        result = castor("run", "--config", "no-such-machine", "true")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no-such-machine", result.stderr)
        self.assertIn("two-die", result.stderr)

    def test_trace_file_that_cannot_be_written(self):
        result = castor("run", "--trace=fabric", "--trace-file", "/no/such/folder/trace", "true")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/folder/trace", result.stderr)


class Info(Case):
    def test_topology_of_every_machine(self):
        for config, dies, sms, link in (("two-die", 2, 16, "die-to-die"), ("one-die", 1, 8, None), ("tiny", 1, 1, None)):
            drawing = self.check_ok(castor("info", "--config", config)).stdout
            self.assertTrue(drawing.startswith(config))
            for part in ("host bridge", "root port", "link", "endpoint ca57:2d1e", "BAR0", "BAR2", "BAR4", "L2", "HBM",
                         f"{sms} SMs", *(f"die {n}" for n in range(dies))):
                self.assertIn(part, drawing)
            self.assertEqual("die-to-die" in drawing, link is not None)
            self.assertNotIn(f"die {dies}\n", drawing)

    def test_default_is_two_die(self):
        self.assertEqual(self.check_ok(castor("info")).stdout, self.check_ok(castor("info", "--config", "two-die")).stdout)

    def test_version(self):
        self.assertRegex(self.check_ok(castor("version")).stdout, r"^castor \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    main()
