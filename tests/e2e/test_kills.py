"""kill -9 of all ranks while a file is being written, each in its turn, and another number of ranks that
goes on. What is killed waits for storage then (tests/support/faulty_storage.c), so nothing depends on
when the signal comes. scripts/reliability kills does it at any moment."""

import os
import shutil
import signal
import time
import unittest

from harness import MPIEXEC, PATIENCE, EndToEnd, digest, kill_session, log, wait_for
from test_golden import EXPERIMENTS, TABLE, pinned

# In the order in which a run writes them.
WRITTEN = ["config.toml", "data.h5", "checkpoint-0000000001.h5", "checkpoint-0000000005.h5",
           "checkpoint-0000000006.h5", "checkpoint-0000000011.h5", "checkpoint-0000000012.h5",
           "rules.csv", "rules.json", "history.csv"]


class Kills(EndToEnd):
    def words(self):
        """Those that begin the run, or go on with it."""
        if (self.folder / "run" / "config.toml").exists():
            return ["resume", "run"]
        return ["mine", TABLE, "-o", "run", *EXPERIMENTS["niching"]]

    def kill_while_writing(self, name, ranks):
        self.let_fail(f"HANG {name}")
        job = self.start(*self.words(), "--checkpoint-every", 1, ranks=ranks, start_new_session=True,
                         **self.faulty)
        try:
            def is_writing():
                if job.poll() is not None:
                    raise AssertionError(f"it ended without {name}: {job.communicate()}")
                return any(self.folder.glob(f"run/**/{name}.partial-*"))
            wait_for(is_writing)
        finally:
            kill_session(job.pid)
            job.communicate()
        self.assertFalse([*self.folder.glob(f"run/**/{name}")], "it has been written")

    def test_while_each_file_is_written(self):
        for number, name in enumerate(WRITTEN):
            with self.subTest(name):
                self.kill_while_writing(name, (0, 2, 4, 1, 3)[number % 5] if MPIEXEC else 0)
        self.let_fail()
        self.atoll(*self.words(), ranks=2 if MPIEXEC else 0)
        self.assertEqual(digest(self.folder / "run"), pinned("niching"))
        log(self.folder / "run")  # every line of it is whole
        self.assertFalse([*self.folder.glob("run/**/*.partial-*")], "left by those that were killed")


class Signalled(EndToEnd):
    def test_a_signal_to_all_processes_damages_nothing(self):
        """A terminal, mpirun and Slurm signal the process that looks into HDF5 files, too."""
        self.atoll("mine", self.table(20000), "-o", "base", "--generations", 100000, "--patience", 0, "--population", 24,
                   "--checkpoint-every", 5, "--threads", 1, "--stop-after", "1s", status=75)
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT):
            for delay in range(0, 60, 6):  # milliseconds
                shutil.rmtree(self.folder / "run", ignore_errors=True)
                shutil.copytree(self.folder / "base", self.folder / "run")
                process = self.start("resume", "run", "--stop-after", "1s", start_new_session=True)
                time.sleep(delay / 1000)
                os.killpg(process.pid, number)
                _, err = process.communicate(timeout=PATIENCE)
                self.assertIn(process.returncode, (75, -number), err)
                self.assertNotIn("damaged", err)


class Replacing(EndToEnd):
    """kill -9 of mine --force before each step that moves or removes something of the former run."""

    FORMER = EXPERIMENTS["niching"]
    NEW = [7 if word == 42 else word for word in FORMER]  # another seed

    def setUp(self):
        super().setUp()
        self.let_fail()
        self.atoll("mine", TABLE, "-o", "former", *self.FORMER)
        self.atoll("mine", TABLE, "-o", "new", *self.NEW)
        self.former, self.new = digest(self.folder / "former"), digest(self.folder / "new")
        self.assertNotEqual(self.former, self.new)

    def kill_before(self, step, *words):
        hangs = self.folder / "faults.hangs"
        hangs.unlink(missing_ok=True)
        self.let_fail(f"HANG /run/{step}")
        job = self.start(*words, start_new_session=True, **self.faulty)
        try:
            def waits():
                if job.poll() is not None:
                    raise AssertionError(f"it ended without {step}: {job.communicate()}")
                return hangs.exists()
            wait_for(waits)
        finally:
            kill_session(job.pid)
            job.communicate()
        self.let_fail()

    def replace(self, step):
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        shutil.copytree(self.folder / "former", self.folder / "run")
        self.kill_before(step, "mine", TABLE, "-o", "run", *self.NEW, "--force")

    def goes_on(self, expected):
        self.atoll("resume", "run")
        self.assertEqual(digest(self.folder / "run"), expected)
        self.assertFalse([*self.folder.glob("run/.*"), *self.folder.glob("run/**/*.partial-*")])

    def test_before_the_new_run_has_begun(self):
        for step in (".former/checkpoints/checkpoint-0000000012.h5", ".former/data.h5",
                     ".former/rules.csv", ".former/config.toml", ".replaced"):
            with self.subTest(step):
                self.replace(step)
                self.goes_on(self.former)

    def test_after_the_new_run_has_begun(self):
        for step in ("rules.csv", "checkpoints/checkpoint-0000000012.h5", "checkpoints",
                     "config.toml"):
            with self.subTest(step):
                self.replace(f".replaced/{step}")
                self.goes_on(self.new)
                self.replace(f".replaced/{step}")
                self.atoll("mine", TABLE, "-o", "run", *self.FORMER, "--force")
                self.goes_on(self.former)

    def test_while_the_former_run_is_put_back(self):
        for step in ("config.toml", "checkpoints/checkpoint-0000000012.h5", "rules.csv", ".former"):
            with self.subTest(step):
                self.replace(".replaced")
                self.kill_before(step, "resume", "run")
                self.goes_on(self.former)


if __name__ == "__main__":
    unittest.main()
