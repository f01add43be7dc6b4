"""The examples print what their expected output says."""
import os
import pathlib
import subprocess
import sys
import unittest

from harness import ATOLL, MPIEXEC, ROOT, EndToEnd

EXAMPLES = ROOT / "examples"
PROGRAMS = pathlib.Path(os.environ.get("ATOLL_EXAMPLES", "."))  # those of C++


class Examples(EndToEnd):
    def run_here(self, *words, status=0):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env={**os.environ, "ATOLL": str(ATOLL)},
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def expect(self, name, text):
        self.assertEqual(text, (EXAMPLES / "expected" / f"{name}.txt").read_text())

    def test_scripts(self):
        for script in ("resume.sh", "grammar.sh", "preset.sh", "results.py"):
            with self.subTest(script):
                interpreter = [sys.executable] if script.endswith(".py") else ["bash"]
                self.expect(pathlib.Path(script).stem, self.run_here(*interpreter, EXAMPLES / script))

    def test_rules_in_memory(self):
        self.expect("mine_rules", self.run_here(PROGRAMS / "mine_rules"))

    def test_a_task_of_ones_own(self):
        task = PROGRAMS / "prime_task"
        self.run_here(task, 200, "primes.txt")
        self.expect("prime_task", (self.folder / "primes.txt").read_text())

    def test_the_task_stops_and_goes_on_elsewhere(self):
        task = PROGRAMS / "prime_task"
        self.run_here(task, 20_000_000, "stopped.txt", 0.3, status=75)
        self.assertTrue((self.folder / "stopped.txt.checkpoint" / "state").exists())
        launched = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", "3"] if MPIEXEC else []
        self.run_here(*launched, task, 20_000_000, "stopped.txt", 0.3, status=75)
        self.assertFalse((self.folder / "stopped.txt").exists())


if __name__ == "__main__":
    unittest.main()
