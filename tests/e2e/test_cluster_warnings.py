"""What a job says at its beginning of cores, folders and intervals that do not suit it."""

import json
import os
import time
import unittest

from harness import EndToEnd, log

SCHEDULERS = ("SLURM_JOB_ID", "SLURM_JOB_END_TIME", "PBS_JOBID", "LSB_JOBID")
CORES = len(os.sched_getaffinity(0))


class ClusterWarnings(EndToEnd):
    def warnings(self, *more, ranks=0, status=0, folder=None, **variables):
        """Of a short job; on standard error and in the log alike, each once."""
        run = (folder or self.folder) / "run"
        env = {k: v for k, v in os.environ.items() if k not in SCHEDULERS} | variables
        _, err = self.atoll("mine", self.table(3000), "-o", run, "--force", "--generations", 1,
                            "--population", 20, "--min-support", "1%", *more, ranks=ranks,
                            status=status, env=env)
        logged = [e["message"] for e in log(run) if e["event"] == "warning"]
        said = [line.removeprefix("atoll: warning: ") for line in err.splitlines()
                if line.startswith("atoll: warning: ")]
        self.assertEqual(said, logged)
        self.assertEqual(len(set(said)), len(said))
        info = json.loads(self.atoll("info", run, "--json")[0])
        self.assertEqual(info["job_list"][-1]["warnings"], said)
        return said

    def test_an_ordinary_job_has_none(self):
        self.assertEqual(self.warnings(), [])
        self.assertEqual(self.warnings("--stop-after", "0.001s", status=75), [])
        self.assertEqual(self.warnings("--checkpoint-every", "1h"), [])

    def test_more_threads_than_cores(self):
        self.assertEqual(self.warnings("--threads", CORES), [])
        warning, = self.warnings("--threads", CORES + 1)
        self.assertRegex(warning, rf"^{CORES + 1} threads on {CORES} cores? of ")

    def test_ranks_that_each_take_all_cores(self):
        self.need_mpi()
        if CORES < 2:
            self.skipTest("one core")
        warning, = self.warnings("--threads", CORES, ranks=2)
        self.assertRegex(warning, rf"^2 ranks have {2 * CORES} threads on {CORES} cores of ")
        self.assertEqual(self.warnings("--threads", 1, ranks=2), [])

    def test_ranks_that_share_cores_take_their_part_of_them(self):
        self.need_mpi()
        if CORES < 2:
            self.skipTest("one core")
        self.assertEqual(self.warnings(ranks=2), [])
        start = log(self.folder / "run")[0]
        self.assertEqual((start["ranks"], start["threads"]), (2, CORES // 2))

    def test_a_folder_of_this_node(self):
        # The folders of tests are on a disk here or in memory, below /tmp or where TMPDIR says.
        if not str(self.folder.resolve()).startswith("/tmp/"):
            self.skipTest("temporary files are not in /tmp")
        for scheduler in ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"):
            warning, = self.warnings(**{scheduler: "17"})
            self.assertRegex(warning, "^RUN is .* of this node alone, for temporary files: ")

    def test_an_interval_longer_than_the_job(self):
        warning, = self.warnings("--stop-after", "10m", "--checkpoint-every", "20m")
        self.assertTrue(warning.startswith("--checkpoint-every is 20 min 00 s, this job has "
                                           "10 min 00 s: "), warning)
        warning, = self.warnings("--time-limit", "3m", "--checkpoint-every", "5m")
        self.assertIn("3 min 00 s", warning)
        soon = str(int(time.time()) + 3000)
        warning, = self.warnings("--checkpoint-every", "1h", SLURM_JOB_END_TIME=soon)
        self.assertRegex(warning, r"^--checkpoint-every is 1 h 00 min, this job has [1-5]?\d min ")
        self.assertEqual(self.warnings("--checkpoint-every", "1h", SLURM_JOB_END_TIME="soon"), [])


if __name__ == "__main__":
    unittest.main()
