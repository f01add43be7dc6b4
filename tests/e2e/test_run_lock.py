"""Two jobs on one run, where storage has locks and where it has none."""

import os
import signal
import subprocess
import unittest

from harness import PATIENCE, EndToEnd, log, wait_for

NO_LOCKS = ("ENOLCK /run/lock", "ENOSYS /run/lock")


class RunLock(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table()
        self.let_fail()

    def job(self, *words):
        """One that works on the run until it is told to stop."""
        process = self.start(*(words or ("mine", self.data, "-o", "run", "--generations", 1000000, "--patience", 0,
                                         "--checkpoint-every", 1)), "--threads", 1, **self.faulty)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        path = self.folder / "run" / "log.jsonl"
        begun = path.read_text().count('"start"') if path.exists() else 0
        wait_for(lambda: path.exists() and '"checkpoint"' in path.read_text() and
                 path.read_text().count('"start"') > begun)
        return process

    def refused(self, process):
        says = f"in use by process {process.pid} on {os.uname().nodename}"
        self.fails("resume", "run", status=64, says=says, **self.faulty)
        self.fails("mine", self.data, "-o", "run", "--force", status=64, says=says, **self.faulty)

    def test_a_second_job_is_refused_and_a_dead_one_followed_at_once(self):
        for number, faults in enumerate(((), *((fault,) for fault in NO_LOCKS))):
            with self.subTest(faults):
                self.let_fail(*faults)
                process = self.job()
                self.refused(process)
                process.send_signal(signal.SIGSTOP)  # still its own
                self.refused(process)
                process.kill()
                process.wait()
                self.assertNotEqual((self.folder / "run" / "lock").read_text(), "")
                _, err = self.atoll("resume", "run", "--stop-after", "0.001s", status=75,
                                    **self.faulty)
                self.assertNotIn("waiting", err)
                self.assertEqual((self.folder / "run" / "lock").read_text(), "")
                (self.folder / "run").rename(self.folder / f"done{number}")

    def test_a_number_that_another_process_has_got_holds_nobody_up(self):
        self.let_fail(NO_LOCKS[0])
        process = self.job()
        process.kill()
        process.wait()
        path = self.folder / "run" / "lock"
        path.write_text(path.read_text().replace(f"process {process.pid}", f"process {os.getpid()}"))
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75, **self.faulty)

    def elsewhere(self):
        """The job's owner file, but of another host."""
        path = self.folder / "run" / "lock"
        lines = dict(line.split(" ", 1) for line in path.read_text().splitlines())
        lines |= {"host": "elsewhere", "boot": "another", "job": "4711"}
        # At once, as the job may be reading it.
        self.write("lock", "".join(f"{key} {value}\n" for key, value in lines.items())).rename(path)
        return path

    def test_a_job_that_was_taken_over_ends_and_leaves_the_run_alone(self):
        process = self.job()
        self.elsewhere()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 64, err)
        self.assertEqual(err.splitlines()[-1],
                         f"atoll: run: was taken over by process {process.pid} on elsewhere "
                         "(job 4711) while this one gave no sign of life; it ends and leaves RUN "
                         "alone")
        events = [event["event"] for event in log(self.folder / "run")]
        self.assertFalse({"end", "error"} & set(events), events)
        self.assertFalse((self.folder / "run" / "rules.csv").exists())
        self.assertIn("host elsewhere\n", (self.folder / "run" / "lock").read_text())

    def test_a_job_that_was_taken_over_while_it_imports_takes_nothing_away(self):
        process = self.start("mine", "-", "-o", "run", stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        while "importing" not in process.stderr.readline():
            pass
        self.elsewhere()
        run = self.folder / "run"
        for name in ("config.toml", "log.jsonl", "data.h5", "rules.csv"):
            (run / name).unlink(missing_ok=True)
            (run / name).write_text("of the other job")
        (run / "checkpoints" / "checkpoint-0000000007.h5").write_text("of the other job")
        before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
        _, err = process.communicate(self.table().read_text(), timeout=PATIENCE)
        self.assertEqual(process.returncode, 64, err)
        self.assertIn("atoll: run: was taken over by ", err.splitlines()[-1])
        self.assertEqual({path: path.read_bytes() for path in run.rglob("*") if path.is_file()},
                         before)

    def test_an_owner_elsewhere_that_lives_is_waited_for_and_left(self):
        process = self.job()
        process.kill()
        process.wait()
        path = self.elsewhere()
        second = self.start("resume", "run", "--stop-after", "0.001s")
        self.addCleanup(second.kill)
        wait_for(lambda: second.poll() is not None or self.touch(path))
        _, err = second.communicate(timeout=PATIENCE)
        self.assertEqual(second.returncode, 64, err)
        self.assertIn("run: was in use by process", err.splitlines()[0])
        self.assertIn("; waiting whether it gives a sign of life", err.splitlines()[0])
        self.assertIn(f"atoll: run: in use by process {process.pid} on elsewhere (job 4711)", err)

    def touch(self, path):
        os.utime(path)
        return False

    def test_an_owner_elsewhere_that_gives_no_sign_is_followed(self):
        process = self.job()
        process.kill()
        process.wait()
        self.elsewhere()
        _, err = self.atoll("resume", "run", "--stop-after", "0.001s", status=75)
        self.assertIn("waiting whether it gives a sign of life", err)


if __name__ == "__main__":
    unittest.main()
