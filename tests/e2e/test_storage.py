"""Storage that has no room, cannot be written or fails while a run is under way. A library that is
preloaded (tests/support/faulty_storage.c) lets the calls on some paths fail."""

import os
import subprocess
import unittest

from harness import ATOLL, PATIENCE, EndToEnd, digest, log, wait_for
from test_golden import EXPERIMENTS, TABLE, pinned

LONG = ["--generations", 1000000, "--patience", 0, "--population", 24, "--min-support", "5%", "--threads", 1]


class Storage(EndToEnd):
    def mine(self, *faults, status=0, every=1):
        self.let_fail(*faults)
        return self.atoll("mine", TABLE, "-o", "run", *EXPERIMENTS["niching"], "--checkpoint-every",
                          every, status=status, **self.faulty)

    def resume(self, *faults, **how):
        self.let_fail(*faults)
        return self.atoll("resume", "run", **how, **self.faulty)

    def events(self):
        return log(self.folder / "run", running=True)

    def saved(self):
        """Generations in the log's records, in their order."""
        return [event["generation"] for event in self.events() if event["event"] == "checkpoint"]

    def kept(self):
        return sorted(int(path.name[11:21])
                      for path in (self.folder / "run" / "checkpoints").glob("checkpoint-??????????.h5"))

    def names(self):
        return sorted(path.name for path in (self.folder / "run").iterdir())

    def check(self):
        self.assertEqual(digest(self.folder / "run"), pinned("niching"))

    def last_line(self, err):
        """That alone says what is wrong."""
        lines = [line for line in err.splitlines()
                 if line.startswith("atoll: ") and not line.startswith("atoll: warning: ")]
        self.assertEqual(lines, err.splitlines()[-1:])
        return lines[0]

    def warnings(self, err):
        return [line for line in err.splitlines() if line.startswith("atoll: warning: ")]

    def test_a_run_goes_on_without_checkpoints_and_writes_them_again(self):
        for fault, says in (("ENOSPC", "No space left on device"),
                            ("EROFS", "Read-only file system"), ("EIO", "Input/output error")):
            with self.subTest(fault):
                _, err = self.mine(*(f"{fault} checkpoint-00000000{number}"
                                     for number in ("05", "06", "07", "10")))
                first, second = self.warnings(err)  # one an outage
                self.assertIn(f"checkpoint-0000000005.h5: {says}; mining goes on", first)
                self.assertIn(f"checkpoint-0000000010.h5: {says}; mining goes on", second)
                self.assertEqual(self.saved(), [1, 2, 3, 4, 8, 9, 11, 12])
                self.assertEqual(self.kept(), [9, 11, 12])
                self.assertEqual([event["event"] for event in log(self.folder / "run")].count(
                    "warning"), 2)
                self.check()
                self.atoll("info", "run")
                self.let_fail()
                subprocess.run(["rm", "-r", self.folder / "run"], check=True)

    def test_an_import_that_cannot_write_leaves_nothing(self):
        for fault, status, says in (("EIO", 74, "Input/output error"),
                                    ("ENOSPC", 73, "No space left on device"),
                                    ("EROFS", 73, "Read-only file system")):
            with self.subTest(fault):
                self.let_fail(f"{fault} /out.h5")
                self.fails("import", TABLE, "-o", "out.h5", status=status, says=says, **self.faulty)
                self.assertEqual([path for path in self.folder.iterdir() if "out" in path.name], [])

    def test_older_checkpoints_stay_while_there_is_no_room(self):
        _, err = self.mine("ENOSPC checkpoint-0000000007", "ENOSPC checkpoint-0000000008",
                           "ENOSPC checkpoint-0000000009", "ENOSPC checkpoint-000000001", status=73)
        self.assertEqual(self.kept(), [4, 5, 6])
        self.assertEqual(len(self.warnings(err)), 1)
        self.assertIn("checkpoint-0000000012.h5: No space left on device; the results so far are "
                      "written, and atoll resume run goes on from the checkpoint before",
                      self.last_line(err))
        self.check()
        self.assertNotIn("end", [event["event"] for event in log(self.folder / "run")])
        self.resume()
        self.assertEqual(self.saved()[-1], 12)
        self.check()

    def test_the_first_checkpoint_must_succeed(self):
        _, err = self.mine("ENOSPC checkpoint-", status=73)
        self.assertIn("checkpoint-0000000001.h5: No space left on device", self.last_line(err))
        self.assertEqual(self.names(), ["checkpoints", "config.toml", "data.h5", "lock",
                                        "log.jsonl"])
        self.assertEqual(self.kept(), [])
        self.resume()
        self.check()

    def test_results_that_cannot_be_written_can_be_later(self):
        self.let_fail()
        self.atoll("mine", TABLE, "-o", "run", *EXPERIMENTS["niching"], "--stop-after", "0.001s",
                   status=75)
        before = (self.folder / "run" / "rules.csv").read_bytes()
        _, err = self.resume("ENOSPC rules.csv", status=73)
        self.assertIn("run/rules.csv: No space left on device; the checkpoint is there, write the "
                      "results by atoll resume run", self.last_line(err))
        self.assertEqual((self.folder / "run" / "rules.csv").read_bytes(), before)
        expected = pinned("niching")
        self.assertEqual({**digest(self.folder / "run"), "rules.csv": expected["rules.csv"]},
                         expected)  # the others are written
        self.assertEqual(self.kept()[-1], 12)
        _, err = self.resume()
        self.assertIn("finished already", err)
        self.check()

    def test_nothing_at_all_can_be_written_at_the_end(self):
        _, err = self.mine("ENOSPC checkpoint-0000000012", "ENOSPC rules", "EROFS history.csv",
                           status=73)
        self.assertIn("nor could all results be written, and atoll resume run goes on from the "
                      "checkpoint before", self.last_line(err))
        self.assertEqual(self.kept(), [9, 10, 11])
        self.assertEqual(self.names(), ["checkpoints", "config.toml", "data.h5", "lock",
                                        "log.jsonl"])  # nothing half done
        self.resume()
        self.check()

    def test_a_log_that_cannot_be_written_does_not_end_the_run(self):
        _, err = self.mine("ENOSPC /run/log.jsonl")
        (warning,) = self.warnings(err)
        self.assertIn("run/log.jsonl: No space left on device; the job goes on", warning)
        self.assertEqual((self.folder / "run" / "log.jsonl").read_bytes(), b"")
        self.check()

    def test_a_log_goes_on_when_there_is_room_again(self):
        self.let_fail()
        path, said = self.folder / "run" / "log.jsonl", self.folder / "said"
        with said.open("w") as err:
            process = subprocess.Popen([ATOLL, "mine", TABLE, "-o", "run", *map(str, LONG)],
                                       cwd=self.folder, stderr=err, **self.faulty)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_for(lambda: path.exists() and '"progress"' in path.read_text())
        self.let_fail("ENOSPC /run/log.jsonl")
        wait_for(lambda: "log.jsonl" in said.read_text())
        before = path.read_text()
        self.assertTrue(before.endswith("\n"))
        self.let_fail()
        wait_for(lambda: path.read_text() != before)
        process.terminate()
        self.assertEqual(process.wait(PATIENCE), 75)
        events = log(self.folder / "run")  # each line is whole
        gaps = [event["message"] for event in events if event["event"] == "warning"]
        self.assertEqual(len(gaps), 1, gaps)
        self.assertRegex(gaps[0], r"^\d+ records? before this could not be written$")
        self.assertEqual(events[-1]["event"], "end")
        self.assertEqual(len(self.warnings(said.read_text())), 1)

    def test_mining_does_not_wait_for_slow_storage(self):
        self.let_fail()
        path = self.folder / "run" / "log.jsonl"
        process = self.start("mine", TABLE, "-o", "run", *LONG, "--checkpoint-every", "0.2s",
                             **self.faulty)
        self.addCleanup(process.kill)
        wait_for(lambda: path.exists() and '"checkpoint"' in path.read_text())
        self.let_fail("HANG /run/checkpoints/checkpoint-")
        wait_for(lambda: any(".partial-" in p.name
                             for p in (self.folder / "run" / "checkpoints").iterdir()))
        generation = self.mined()
        saved = self.saved()
        wait_for(lambda: self.mined() > generation + 100)
        self.assertLessEqual(len(self.saved()) - len(saved), 1)  # it was about to be noted
        process.terminate()
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1)  # the end does wait
        self.let_fail()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 75, err)
        self.assertEqual(self.saved()[-1], log(self.folder / "run")[-1]["generation"])

    def test_ranks_that_fail_alike_wait_for_what_is_being_written(self):
        self.need_mpi()
        self.program = os.environ["ATOLL_PRETENDER"]
        self.let_fail("HANG /run/checkpoints/")
        pretend = {"PRETEND_GPUS": "A,B,C,D", "PRETEND_FAULT_2": "1000"}
        process = self.start("mine", TABLE, "-o", "run", *LONG, "--checkpoint-every", "0.001s",
                             "--backend", "cuda", ranks=4,
                             env={**self.faulty["env"], **pretend})
        self.addCleanup(process.kill)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"error"' in path.read_text())
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(5)  # longer than ranks give each other that do not fail alike
        self.let_fail()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 69, err)
        failures = [line for line in err.splitlines()
                    if line.startswith("atoll: ") and not line.startswith("atoll: warning: ")]
        self.assertEqual(len(failures), 1, err)
        self.assertIn("rank 2: backend cuda failed", failures[0])
        self.assertEqual(len(self.kept()), 1)

    def mined(self):
        return max(event["generation"] for event in self.events() if "generation" in event)

    def test_half_a_line_that_a_job_left_is_cut_off(self):
        self.mine()
        path = self.folder / "run" / "log.jsonl"
        whole = path.read_bytes()
        path.write_bytes(whole + b'{"event":"progr')
        self.resume()
        self.assertTrue(path.read_bytes().startswith(whole + b'{"event":"'))
        log(self.folder / "run")

    def test_a_file_stop_that_cannot_be_removed(self):
        self.let_fail("EROFS /run/stop")
        process = self.start("mine", TABLE, "-o", "run", *LONG, **self.faulty)
        self.addCleanup(process.kill)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        (self.folder / "run" / "stop").touch()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 75)
        self.assertIn("atoll: warning: run/stop: Read-only file system; remove it before", err)

    def test_a_run_that_cannot_be_made(self):
        for fault, says in (("ENOSPC", "No space left on device"),
                            ("EROFS", "Read-only file system")):
            _, err = self.mine(f"{fault} /run/", status=73)
            self.assertEqual(err, f"atoll: run/lock: {says}\n")
        self.mine()  # what was left is in nobody's way
        self.check()
        self.fails("resume", "run", status=73, says="run/lock: Read-only file system",
                   **self.failing("EROFS /run/"))
        self.check()

    def failing(self, *faults):
        self.let_fail(*faults)
        return self.faulty


if __name__ == "__main__":
    unittest.main()
