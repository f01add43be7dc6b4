"""kill -9 of all ranks while a file is being written, each in its turn, and another number of ranks that
goes on. What is killed waits for storage then (tests/support/faulty_storage.c), so nothing depends on
when the signal comes. scripts/reliability kills does it at any moment."""

import unittest

from harness import MPIEXEC, EndToEnd, digest, kill_session, log, wait_for
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
        return ["mine", TABLE, "-o", "run", *EXPERIMENTS["pareto"]]

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
        self.assertEqual(digest(self.folder / "run"), pinned("pareto"))
        log(self.folder / "run")  # every line of it is whole
        self.assertFalse([*self.folder.glob("run/**/*.partial-*")], "left by those that were killed")


if __name__ == "__main__":
    unittest.main()
