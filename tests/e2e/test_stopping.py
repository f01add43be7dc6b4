"""Signals, time limits, the file `stop`, and what they leave."""

import contextlib
import json
import os
import signal
import unittest

from harness import PATIENCE, EndToEnd, is_pending, log, ranks_of, wait_for

LONG = ["--generations", 1000000, "--patience", 0, "--population", 50, "--threads", 1]


class Stopping(EndToEnd):
    def mining(self, run="run", ranks=0, **popen):
        process = self.start("mine", self.table(), "-o", run, *LONG, ranks=ranks, **popen)
        self.addCleanup(process.kill)
        return process

    def check_stopped(self, run="run"):
        """Checkpoint and rules are there, and the run says it is not finished."""
        folder = self.folder / run
        self.assertTrue(list((folder / "checkpoints").iterdir()))
        self.assertGreater(len(json.loads((folder / "rules.json").read_text())), 0)
        out, _ = self.atoll("info", run, "--json")
        self.assertEqual(json.loads(out)["state"], "unfinished")
        self.assertEqual(log(folder)[-1]["event"], "end")

    def test_each_signal_ends_with_75(self):
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
            with self.subTest(number):
                run = f"run-{number}"
                process = self.mining(run)
                _, err = self.signal_when_mining(process, run, number)
                self.assertEqual(process.returncode, 75, err)
                self.assertIn("go on: atoll resume", err)
                self.check_stopped(run)

    def test_second_interrupt_ends_at_once(self):
        # The first has it wait for the last checkpoint, which storage never takes.
        self.let_fail("HANG /run/checkpoints/")
        process = self.mining(**self.faulty)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        process.send_signal(signal.SIGINT)
        wait_for(lambda: not is_pending(process.pid, signal.SIGINT))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)

    def test_what_stops_the_list_leaves_what_there_is(self):
        # It comes when the search is over: storage still takes the last checkpoint.
        mine = ["mine", self.table(), "--generations", 5, "--threads", 1, "--max-bins", 16]
        self.atoll(*mine, "-o", "whole")
        whole = (self.folder / "whole" / "rules.csv").read_bytes()
        for name, stop in (("int", signal.SIGINT), ("term", signal.SIGTERM), ("file", None)):
            with self.subTest(name):
                run = self.folder / name
                self.let_fail("HANG checkpoint-0000000005")
                process = self.start(*mine, "-o", name, **self.faulty)
                self.addCleanup(process.kill)
                wait_for(lambda: list(run.glob("checkpoints/*0000000005*")))
                if stop is None:
                    (run / "stop").touch()
                else:
                    process.send_signal(stop)
                    wait_for(lambda: not is_pending(process.pid, stop))
                self.let_fail()
                _, err = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 75, err)
                self.assertIn("the bounds of some rules are as they were found: atoll resume "
                              f"{name} goes on", err)
                self.assertFalse((run / "stop").exists())
                told = self.atoll("info", name)[0]
                self.assertIn("finished but for its results", told)
                self.assertIn(f"write its results again: atoll resume {name}", told)
                self.atoll("watch", name, status=75)
                cut = (run / "rules.csv").read_bytes()
                self.assertGreater(len(cut.splitlines()), 5)
                self.assertNotEqual(cut, whole)
                self.atoll("resume", name)
                self.assertEqual((run / "rules.csv").read_bytes(), whole)
                self.assertIn(f"print them: atoll rules {name}", self.atoll("info", name)[0])

    def test_a_signal_to_the_last_generation_stops_the_list(self):
        """The search is then over, but the job does not go on as if nobody had told it."""
        mine = ["mine", self.table(), "--generations", 5, "--threads", 1, "--max-bins", 16,
                "--checkpoint-every", 1]
        self.let_fail("HANG checkpoint-0000000004")
        process = self.start(*mine, "-o", "run", **self.faulty)
        self.addCleanup(process.kill)
        wait_for(lambda: list((self.folder / "run").glob("checkpoints/*0000000004*")))
        process.send_signal(signal.SIGTERM)
        wait_for(lambda: not is_pending(process.pid, signal.SIGTERM))
        self.let_fail()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 75, err)
        self.atoll("resume", "run")

    def test_signal_to_the_launcher(self):
        self.need_mpi()
        process = self.mining(ranks=2)
        _, err = self.signal_when_mining(process, "run", signal.SIGUSR1)
        self.assertEqual(process.returncode, 75, err)
        self.check_stopped()

    def test_signal_to_a_job_on_its_way_out(self):
        self.need_mpi()
        data = self.table()
        for run in ("run0", "run1", "run2"):
            process = self.start("mine", data, "-o", run, "--generations", 2, "--threads", 1,
                                 ranks=2, start_new_session=True)
            self.addCleanup(process.kill)
            path = self.folder / run / "log.jsonl"
            wait_for(lambda: path.exists() and '"event":"end"' in path.read_text())
            # Not to mpirun, which does not expect a signal once its ranks have ended.
            for pid in ranks_of(process.pid).values():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGUSR1)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0, err)

    def test_stop_after_and_resume(self):
        self.atoll("mine", self.table(), "-o", "run", *LONG, "--stop-after", "1s", status=75)
        self.check_stopped()
        before = log(self.folder / "run")[-1]["generation"]
        self.atoll("resume", "run", "--stop-after", "1s", status=75)
        self.assertGreater(log(self.folder / "run")[-1]["generation"], before)

    def test_time_limit_is_summed_over_jobs_and_ends_with_0(self):
        words = ["mine", self.table(), "-o", "run", *LONG, "--time-limit", "0.6s"]

        def next_job():  # none of which alone comes to the limit
            process = self.start(*words, "--stop-after", "0.3s")
            _, err = process.communicate(timeout=PATIENCE)
            words[:] = ["resume", "run"]
            end = log(self.folder / "run")[-1]
            self.assertEqual(process.returncode, 75 if end["reason"] == "stop after" else 0, err)
            return end["reason"] == "time limit"
        wait_for(next_job)
        self.assertGreaterEqual(log(self.folder / "run")[-1]["seconds"], 0.6)
        _, err = self.atoll("resume", "run")
        self.assertIn("finished already", err)

    def test_file_stop(self):
        process = self.mining()
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        (self.folder / "run" / "stop").touch()
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 75)
        self.assertFalse((self.folder / "run" / "stop").exists())
        self.check_stopped()

    def test_signal_while_importing_ends_the_job(self):
        process = self.start("mine", "-", "-o", "run", stdin=-1)
        wait_for(lambda: (self.folder / "run" / "log.jsonl").exists())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_a_run_is_used_by_one_job(self):
        process = self.mining()
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        self.fails("resume", "run", status=64, says="in use by process")
        self.fails("mine", "table.csv", "-o", "run", "--force", status=64, says="in use by process")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.check_stopped()


if __name__ == "__main__":
    unittest.main()
