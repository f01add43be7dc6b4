"""What `info` tells of a run, whatever has become of it."""

import json
import os
import re
import shutil
import signal
import unittest

from harness import MPIEXEC, PATIENCE, EndToEnd, log, wait_for

LONG = ["--generations", 1000000, "--patience", 0, "--population", 40, "--threads", 1]


class Info(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(2000)

    def info(self, run="run"):
        """As text and as JSON; of both sound, and short."""
        text, err = self.atoll("info", run)
        self.assertEqual(err, "")
        self.assertLessEqual(len(text.splitlines()), 40)
        self.assertTrue(text.startswith(f"{run}: run, "), text)
        out, err = self.atoll("info", run, "--json")
        self.assertEqual(err, "")
        report = json.loads(out)
        self.assertEqual(report["kind"], "run")
        return text, report

    def contents(self):
        return {str(p): (p.read_bytes(), p.stat().st_mtime_ns)
                for p in sorted((self.folder / "run").rglob("*")) if p.is_file()}

    def mining(self, *more, until='"start"'):
        process = self.start("mine", self.data, "-o", "run", *LONG, *more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and until in path.read_text())
        return process

    def test_rules_that_are_cut_short_leave_the_rest(self):
        self.atoll("mine", self.table(500), "-o", "run", "--generations", 3)
        path = self.folder / "run" / "rules.json"
        path.write_bytes(path.read_bytes()[:100])
        out, _ = self.atoll("info", "run")
        self.assertIn("rules.json is damaged", out)
        self.assertIn("generation", out)
        self.atoll("resume", "run")
        self.assertNotIn("damaged", self.atoll("info", "run")[0])

    def test_a_finished_run(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 5, "--topology", "star",
                   "--migrate-every", 3, "--migrants", 2, "--threads", 1)
        before = self.contents()
        text, report = self.info()
        self.assertEqual(self.contents(), before)
        self.assertTrue(text.startswith("run: run, finished\n"))
        self.assertIn("\nmigration   star, 2 individuals of each island every 3 generations\n", text)
        self.assertRegex(text, r"\ngeneration  5 of 5, \d+ s in 1 job\n")
        self.assertRegex(text, r"\ncheckpoints of generation 5 \(\d+ s ago\)\n")
        self.assertRegex(text, r"\n  1  20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  .* 0-5 .* finished\n")
        self.assertTrue(text.endswith("\nprint them: atoll rules run\n"))
        self.assertEqual([report[key] for key in ("state", "generation", "generations", "jobs",
                                                  "running", "owner", "topology", "next")],
                         ["finished", 5, 5, 1, False, None, "star", "atoll rules run"])
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        self.assertEqual([report["rules"], report["variants"]],
                         [sum(r["kind"] == kind for r in rules) for kind in ("rule", "variant")])
        job, = report["job_list"]
        self.assertEqual([job[key] for key in ("job", "ranks", "threads", "backend", "from", "to",
                                               "end")], [1, 1, 1, "cpu", 0, 5, "finished"])
        self.assertEqual(job["host"], os.uname().nodename)
        starts = [event for event in log(self.folder / "run") if event["event"] == "start"]
        self.assertEqual([job["began"]], [event["time"] for event in starts])

    def test_jobs_on_other_numbers_of_ranks(self):
        data = ["mine", self.data, "-o", "run", "--generations", 12, "--threads", 1]
        ranks = (0, 2, 3) if MPIEXEC else (0, 0, 0)
        for number, count in enumerate(ranks):
            words = data if number == 0 else ["resume", "run", "--threads", number + 1]
            self.atoll(*words, "--stop-after", "0.001s", ranks=count, status=75)
        text, report = self.info()
        self.assertTrue(text.startswith("run: run, stopped (stop after)\n"), text)
        self.assertTrue(text.endswith("\ngo on: atoll resume run\n"), text)
        self.assertEqual([job["ranks"] for job in report["job_list"]], [max(1, n) for n in ranks])
        self.assertEqual([job["threads"] for job in report["job_list"]], [1, 2, 3])
        self.assertEqual([job["job"] for job in report["job_list"]], [1, 2, 3])
        for former, later in zip(report["job_list"], report["job_list"][1:]):
            self.assertEqual(former["to"], later["from"])
            self.assertEqual(former["end"], "stop after")
        self.assertEqual((report["state"], report["jobs"], report["next"]),
                         ("unfinished", 3, "atoll resume run"))

    def test_a_running_one_is_not_disturbed(self):
        job = self.mining("--checkpoint-every", 1, until='"progress"')
        for _ in range(10):  # checkpoints come and go all the time
            text, report = self.info()
            self.assertTrue(text.startswith(f"run: run, running, process {job.pid} on "), text)
            self.assertTrue(text.endswith("\nfollow it: atoll watch run\n"), text)
            self.assertEqual(report["state"], "unfinished")
            self.assertIs(report["running"], True)
            self.assertIn(str(job.pid), report["owner"])
            self.assertEqual([j["end"] for j in report["job_list"]], ["running"])
            self.assertEqual([c["problem"] for c in report["checkpoints"]],
                             [None] * len(report["checkpoints"]))
        self.assertIsNone(job.poll())
        job.send_signal(signal.SIGUSR1)
        job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 75)
        text, report = self.info()
        self.assertEqual((report["running"], report["job_list"][0]["end"]), (False, "signal"))

    def test_a_job_that_was_killed(self):
        job = self.mining("--checkpoint-every", 1, until='"checkpoint"')
        job.send_signal(signal.SIGKILL)
        job.wait()
        text, report = self.info()
        self.assertTrue(text.startswith("run: run, killed or lost\n"), text)
        self.assertEqual((report["state"], report["running"], report["next"]),
                         ("unfinished", False, "atoll resume run"))
        self.assertEqual(report["job_list"][0]["end"], "killed or lost")
        self.assertGreater(report["generation"], 0)
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75)
        _, report = self.info()
        self.assertEqual([j["end"] for j in report["job_list"]], ["killed or lost", "stop after"])

    def test_no_checkpoint(self):
        job = self.mining("--checkpoint-every", "1h")
        job.send_signal(signal.SIGKILL)
        job.wait()
        text, report = self.info()
        self.assertTrue(text.startswith("run: run, begun, without a checkpoint, killed or lost\n"))
        self.assertIn("\ncheckpoints none\n", text)
        self.assertIn("\nno rules written yet\nbegin again: atoll resume run\n", text)
        self.assertEqual((report["state"], report["generation"], report["rules"]),
                         ("begun", None, None))
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75)

    def damage(self, path):
        path.write_bytes(path.read_bytes()[:-1000])

    def test_damaged_checkpoints(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 4, "--checkpoint-every", 1)
        newest, older, oldest = sorted((self.folder / "run/checkpoints").glob("checkpoint-*"), reverse=True)
        self.damage(newest)
        text, report = self.info()
        self.assertRegex(text, r"checkpoints of generation 4 \(damaged, \d+ s ago\), 3 \(\d+ s ago\)")
        self.assertEqual((report["state"], report["generation"]), ("unfinished", 3))
        self.assertIn(newest.name, report["checkpoints"][0]["problem"])
        self.damage(older)
        self.damage(oldest)
        text, report = self.info()
        self.assertTrue(text.startswith("run: run, damaged, none of its checkpoints can be read\n"))
        self.assertIn("\nthe rules written last are left; mine again: atoll mine ", text)
        self.assertEqual((report["state"], report["generation"]), ("unfinished", None))
        # What it says to do works, and gives the same.
        words = report["next"].split()
        self.assertEqual(words[0], "atoll")
        self.atoll(*words[1:])
        self.assertEqual((self.folder / "run.again/rules.csv").read_bytes(),
                         (self.folder / "run/rules.csv").read_bytes())

    def test_logs_of_any_state(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        path = self.folder / "run" / "log.jsonl"
        lines = path.read_text()
        for content, jobs in (("", 0), ("nonsense\n[]\n{}\n", 0), (lines[:-30], 1),
                              (lines[:40], 0), (lines + '{"event":"progr', 1),
                              (lines.replace('"ranks"', '"processes"'), 1)):
            path.write_text(content)
            _, report = self.info()
            self.assertEqual(len(report["job_list"]), jobs, content)
            self.assertEqual((report["state"], report["generation"]), ("finished", 2))
        path.unlink()
        text, report = self.info()
        self.assertEqual(report["job_list"], [])
        self.assertTrue(text.startswith("run: run, finished\n"), text)

    def test_a_log_that_was_cut_off_goes_on_with_a_line_of_its_own(self):
        self.atoll("mine", self.data, "-o", "run", *LONG, "--stop-after", "0.001s", status=75)
        path = self.folder / "run" / "log.jsonl"
        path.write_text(path.read_text()[:-30])
        self.atoll("resume", "run", "--stop-after", "0.001s", status=75)
        _, report = self.info()
        self.assertEqual([j["end"] for j in report["job_list"]], ["killed or lost", "stop after"])

    def test_many_jobs(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        path = self.folder / "run" / "log.jsonl"
        events = path.read_text()
        path.write_text("".join(re.sub(r'"job":1\b', f'"job":{n}', events) for n in range(1, 101)))
        text, report = self.info()
        self.assertEqual(len(report["job_list"]), 100)
        shown = re.findall(r"(?m)^ *(\d+)  20\d\d-", text)
        self.assertEqual(shown, [str(n) for n in (1, 2, 3, *range(93, 101))])
        self.assertIn("\n... 89 jobs left out\n", text)

    def test_names_are_quoted_for_the_shell(self):
        self.atoll("mine", self.data, "-o", "it's a run", "--generations", 1)
        _, report = self.info("it's a run")
        self.assertEqual(report["next"], "atoll rules 'it'\\''s a run'")

    def test_a_run_about_to_be_replaced(self):
        self.atoll("mine", self.data, "-o", "run", "--generations", 2)
        former = self.folder / "run" / ".former"
        (former / "checkpoints").mkdir(parents=True)
        for path in (self.folder / "run").glob("*.*"):
            if path.is_file():
                shutil.move(path, former)
        for path in (self.folder / "run/checkpoints").iterdir():
            shutil.move(path, former / "checkpoints")
        before = self.contents()
        text, report = self.info()  # of the former one, and nothing moves
        self.assertEqual((report["state"], report["generation"]), ("finished", 2))
        self.atoll("rules", "run")
        self.atoll("watch", "run", status=75)
        self.assertEqual(self.contents(), before)
        self.atoll("resume", "run")  # puts it back
        self.assertFalse(former.exists())
        _, again = self.info()
        self.assertEqual([c["generation"] for c in again["checkpoints"]], [2])
        self.assertEqual(again["job_list"][:1], report["job_list"])


if __name__ == "__main__":
    unittest.main()
