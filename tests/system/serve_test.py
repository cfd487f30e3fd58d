"""`castor serve`: several clients, clients that die, a machine that dies."""

import os
import signal
import subprocess
import time

from support import CASTOR, LIBRARIES, LIMIT, TEMPORARY, Case, castor, clean_environment, library_environment, main, program, run


class Machine:
    """A served machine, as a context."""

    count = 0

    def __init__(self, *arguments):
        Machine.count += 1
        self.socket = str(TEMPORARY / f"machine-{Machine.count}")
        self.process = subprocess.Popen([CASTOR, "serve", "--socket", self.socket, *arguments], stdout=subprocess.PIPE,
                                        text=True, env=clean_environment())
        self.lines = [self.process.stdout.readline() for _ in range(2)]  # they come once it serves

    def environment(self):
        return library_environment(CASTOR_SOCKET=self.socket)

    def run(self, *arguments):
        return run(arguments, env=self.environment())

    def start(self, *arguments):
        return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=self.environment())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=LIMIT)


class Serve(Case):
    def test_says_how_to_get_in_and_ends_cleanly(self):
        with Machine("--config", "tiny") as machine:
            self.assertEqual(machine.lines, [f"export CASTOR_SOCKET={machine.socket}\n", f"export LD_LIBRARY_PATH={LIBRARIES}\n"])
            self.check_ok(machine.run(program("print_free")))
            machine.process.send_signal(signal.SIGTERM)
            self.assertEqual(machine.process.wait(LIMIT), 0)
            self.assertFalse(os.path.exists(machine.socket))

    def test_two_clients_at_once(self):
        with Machine() as machine:
            clients = [machine.start(program("saxpy")) for _ in range(2)]
            for client in clients:
                output = client.communicate(timeout=LIMIT)[0]
                self.assertEqual(client.returncode, 0, output)
                self.assertIn("saxpy: PASS", output)

    def test_one_machine_serves_one_client_after_another(self):
        with Machine("--config", "tiny") as machine:
            free = {self.check_ok(machine.run(program("print_free"))).stdout for _ in range(3)}
            self.assertEqual(len(free), 1)

    def test_killed_client_frees_what_it_had(self):
        with Machine("--config", "tiny") as machine:
            before = int(self.check_ok(machine.run(program("print_free"))).stdout)
            with machine.start(program("hold_memory")) as client:
                self.assertEqual(client.stdout.readline(), "holding\n")
                held = int(self.check_ok(machine.run(program("print_free"))).stdout)
                self.assertLess(held, before - before // 8)
                client.kill()
            deadline = time.monotonic() + LIMIT
            after = held
            while after != before and time.monotonic() < deadline:
                after = int(self.check_ok(machine.run(program("print_free"))).stdout)
            self.assertEqual(after, before)
            # The only SM is free again, too.
            self.assertIn("PASS", self.check_ok(machine.run(program("saxpy"))).stdout)

    def test_killed_machine_is_an_error_not_a_hang(self):
        for name, ready in (("copy_until_error", "copying\n"), ("wait_for_ever", "waiting\n")):
            with Machine("--config", "tiny") as machine, machine.start(program(name)) as client:
                self.assertEqual(client.stdout.readline(), ready)
                machine.process.kill()
                output = client.communicate(timeout=LIMIT)[0]
                self.assertEqual(client.returncode, 0, output)
                self.assertRegex(output, r"^cudaError\w+\n$")

    def test_killed_run_is_an_error_for_its_program(self):
        with subprocess.Popen([CASTOR, "run", "--config", "tiny", program("copy_until_error")], stdout=subprocess.PIPE,
                              text=True, env=clean_environment()) as process:
            self.assertEqual(process.stdout.readline(), "copying\n")
            process.kill()
            self.assertRegex(process.stdout.read(), r"^cudaError\w+\n$")

    def test_socket_that_is_taken(self):
        with Machine("--config", "tiny") as machine:
            result = castor("serve", "--config", "tiny", "--socket", machine.socket)
            self.assertEqual(result.returncode, 1)
            self.assertIn(machine.socket, result.stderr)
            self.check_ok(machine.run(program("print_free")))

    def test_no_machine_at_the_socket(self):
        result = run([program("print_free")], env=library_environment(CASTOR_SOCKET="/no/such/socket"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/socket", result.stderr)


if __name__ == "__main__":
    main()
