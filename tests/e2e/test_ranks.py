"""One rank of several that is killed, fails while the others wait for it, or is stopped for a
while."""

import os
import signal
import time
import unittest

from harness import PATIENCE, EndToEnd, digest, log, ranks_of, wait_for

EXPERIMENT = ["--islands", 4, "--population", 60, "--generations", 60, "--migrate-every", 5,
              "--min-support", "1%", "--seed", 5, "--threads", 1, "--checkpoint-every", 1]
PRETENDER = os.environ.get("ATOLL_PRETENDER", "")


class Ranks(EndToEnd):
    def setUp(self):
        super().setUp()
        self.need_mpi()
        self.data = self.table()

    def mining(self):
        """A job of four ranks that has just begun, and cannot end before let_fail()."""
        self.let_fail("HANG checkpoint-0000000060")
        job = self.start("mine", self.data, "-o", "run", *EXPERIMENT, "--backend", "reference",
                         ranks=4, start_new_session=True, **self.faulty)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        wait_for(lambda: self.checkpointed() >= 2)
        return job

    def same_results(self):
        self.atoll("mine", self.data, "-o", "undisturbed", *EXPERIMENT)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "undisturbed"))

    def test_ranks_of_a_host_share_one_copy_of_the_table(self):
        for options in ((), ("--holdout", "30%")):
            with self.subTest(options=options):
                for name, ranks in (("run", 4), ("alone", 0)):
                    self.atoll("mine", self.data, "-o", name, "--force", *EXPERIMENT, *options,
                               ranks=ranks)
                    start, = [e for e in log(self.folder / name) if e["event"] == "start"]
                    self.assertEqual(start["copies"], 1)
                    self.assertEqual(start["rows_in_memory"], [start["rows"]])
                self.assertEqual(digest(self.folder / "run"), digest(self.folder / "alone"))

    def test_a_rank_that_is_killed_ends_the_job(self):
        for rank in (0, 2):
            with self.subTest(rank=rank):
                job = self.mining()
                os.kill(ranks_of(job.pid)[rank], signal.SIGKILL)
                job.communicate(timeout=PATIENCE)
                self.assertNotIn(job.returncode, (0, 75))
                self.assertNotIn("end", [event["event"] for event in log(self.folder / "run",
                                                                         running=True)])
                saved = self.checkpointed()
                self.atoll("resume", "run", "--backend", "cpu", ranks=3)
                starts = [e for e in log(self.folder / "run") if e["event"] == "start"]
                self.assertGreaterEqual(starts[-1]["generation"], saved)
                self.same_results()
                for name in ("run", "undisturbed"):
                    (self.folder / name).rename(self.folder / f"{name}{rank}")

    def test_a_rank_that_fails_while_others_wait_for_it_ends_the_job(self):
        self.program = PRETENDER
        _, err = self.atoll("mine", self.data, "-o", "run", *EXPERIMENT, "--backend", "cuda",
                            ranks=4, status=69, env={**os.environ, "PRETEND_GPUS": "A,B,C,D",
                                                     "PRETEND_FAULT_2": "progress"})
        self.assertIn("atoll: rank 2: backend cuda failed: it does not answer; go on from the last "
                      "checkpoint: atoll resume run\n", err)
        self.atoll("resume", "run", "--backend", "cpu", ranks=2)
        self.same_results()

    def test_a_rank_that_is_stopped_for_a_while_is_waited_for(self):
        job = self.mining()
        stopped = ranks_of(job.pid)[2]
        os.kill(stopped, signal.SIGSTOP)
        # Once all wait nothing happens; a job that went on would come to its end.
        since, generation = time.monotonic(), self.checkpointed()
        while time.monotonic() - since < 4:
            time.sleep(0.1)
            self.assertIsNone(job.poll())
            if self.checkpointed() != generation:
                since, generation = time.monotonic(), self.checkpointed()
        self.assertLess(generation, 59)  # the last that is saved while storage hangs
        os.kill(stopped, signal.SIGCONT)
        self.let_fail()
        _, err = job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 0, err)
        self.same_results()


if __name__ == "__main__":
    unittest.main()
