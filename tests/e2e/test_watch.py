"""Following a job from another terminal, by its log."""

import json
import os
import signal
import subprocess
import unittest

from harness import ATOLL, PATIENCE, EndToEnd, wait_for


class Watch(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(2000)

    def watch(self):
        """A watch that runs, and how to read what it has said so far."""
        path = self.folder / "watched.txt"
        with path.open("w") as out:
            process = subprocess.Popen([ATOLL, "watch", "run"], cwd=self.folder, stdout=out,
                                       stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, path.read_text

    def test_a_finished_run(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 5)
        out, err = self.atoll("watch", "run")
        self.assertRegex(out, r"^job 1 on .*: 1 rank, \d+ threads? each, cpu, from generation 0\n")
        self.assertRegex(out, r"\nfinished after generation 5 of 5: \d+ rules?\n")
        self.assertTrue(out.endswith("\nprint its rules: atoll rules run\n"), out)
        self.assertEqual(err, "")

    def test_a_stopped_run_tells_of_its_last_job_alone(self):
        self.atoll("mine", self.data, "-o", "run", "--stop-after", "0.001s", status=75)
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75)
        out, _ = self.atoll("watch", "run", status=75)
        self.assertRegex(out, r"^job 2 on .* from generation [01]\n")
        self.assertIn("\nstopped (stop after) after generation ", out)
        self.assertTrue(out.endswith("\ngo on: atoll resume run\n"), out)

    def job(self):
        job = self.start("mine", self.data, "-o", "run", "--generations", 1000000, "--patience", 0, "--backend",
                         "cpu", "--threads", 1)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        log = self.folder / "run" / "log.jsonl"
        wait_for(lambda: log.exists() and '"progress"' in log.read_text())
        return job

    def test_a_job_that_is_told_to_stop(self):
        job = self.job()
        process, said = self.watch()
        wait_for(lambda: "leverage" in said())
        self.assertIsNone(process.poll())
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertIs(info["running"], True)
        self.assertIn(f"process {job.pid} on ", info["owner"])
        job.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(PATIENCE), 75, said())
        job.communicate(timeout=PATIENCE)  # it lets go of the run after its last record
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual((info["running"], info["owner"]), (False, None))
        self.assertRegex(said(), r"\ngeneration \d+/1000000  leverage .* left\n")
        self.assertIn("\nstopped (signal) after generation ", said())

    def test_a_job_that_is_killed(self):
        job = self.job()
        process, said = self.watch()
        wait_for(lambda: "leverage" in said())
        os.kill(job.pid, signal.SIGKILL)
        self.assertEqual(process.wait(PATIENCE), 75, said())
        self.assertTrue(said().endswith("\nthe job is gone without an end\n"
                                        "go on: atoll resume run\n"), said())
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75)  # nothing holds it

    def test_a_job_that_still_loads_is_waited_for(self):
        self.atoll("mine", self.data, "-o", "run", "--stop-after", "0.001s", status=75)
        job = self.start("resume", "run", "--stop-after", "0.001s")
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: '"resume"' in path.read_text())
        job.send_signal(signal.SIGSTOP)  # as long as a large table takes
        loads = '"job":2,' not in path.read_text()
        process, said = self.watch()
        if loads:
            with self.assertRaises(subprocess.TimeoutExpired, msg=said()):
                process.wait(2)
            self.assertNotIn("stopped", said())
        job.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(PATIENCE), 75, said())
        self.assertIn("job 2 on ", said())

    def test_a_job_that_fails_as_it_loads(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 3)
        moved = (self.folder / "run" / "data.h5").rename(self.folder / "moved.h5")
        self.data.unlink()
        self.atoll("resume", "run", status=66)
        out, _ = self.atoll("watch", "run", status=75)
        self.assertRegex(out, r"^failed: .*table.csv: No such file or directory")
        self.assertIn("atoll rules run", self.atoll("info", "run")[0])  # which are final
        moved.rename(self.folder / "run" / "data.h5")
        self.atoll("resume", "run")

    def test_lines_that_are_none_of_ours(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        with (self.folder / "run" / "log.jsonl").open("a") as log:
            log.write('{"event":"progress"}\n{"event":7}\nnonsense\n[1]\n{"event":"progr')
        out, _ = self.atoll("watch", "run")
        self.assertIn("finished after generation 2 of 2", out)

    def test_a_finished_run_without_its_log(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        (self.folder / "run" / "log.jsonl").unlink()
        out, _ = self.atoll("watch", "run")
        self.assertEqual(out, "the log tells of no job\nprint its rules: atoll rules run\n")

    def test_a_lock_of_times_to_come(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        lock = self.folder / "run" / "lock"
        lock.write_text("host elsewhere\nboot another\nprocess 7\n")
        for path in ("log.jsonl", "rules.csv"):
            (self.folder / "run" / path).unlink()
        os.utime(lock, (4e9, 4e9))
        self.atoll("watch", "run")

    def test_what_is_no_run(self):
        _, err = self.atoll("watch", "run", status=66)
        self.assertEqual(err, "atoll: run: no such folder\n")


if __name__ == "__main__":
    unittest.main()
