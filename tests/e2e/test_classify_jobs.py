"""Learning that takes more than one job: cross-validation that keeps its folds, and batch jobs."""

import json
import os
import signal
import subprocess
import unittest

from harness import MPIEXEC, PATIENCE, log, wait_for
from test_classify import QUICK, SMALL, Classify, digest


class KeptFolds(Classify):
    WORDS = ["--class", "class", "--folds", 3, "--repeats", 2, "--json"]

    def setUp(self):
        super().setUp()
        self.data = self.table(400).name

    def cv(self, *words, **how):
        return self.atoll("classify", "cv", self.data, *self.WORDS, *words, **how)

    def figures(self, out):
        record = json.loads(out)
        for one in (record, *record["folds"]):
            one.pop("seconds")
        return record

    def test_it_goes_on_with_the_folds_that_are_missing(self):
        expected = self.figures(self.cv(*QUICK)[0])
        out, _ = self.cv(*QUICK, "-o", "a/folds")
        self.assertEqual(self.figures(out), expected)
        folder = self.folder / "a" / "folds"
        self.assertEqual((folder / "cv.json").read_text(), out)
        again, err = self.cv(*QUICK, "-o", "a/folds")
        self.assertEqual(again, out)  # seconds, too
        self.assertIn("6 of 6 folds are in a/folds already", err)
        for ranks in (3, 0) if MPIEXEC else (0,):
            for name in ("fold-1-2.json", "fold-2-3.json", "cv.json"):
                (folder / name).unlink()
            again, err = self.cv(*QUICK, "-o", "a/folds", ranks=ranks)
            self.assertEqual(self.figures(again), expected)
            self.assertIn("4 of 6 folds are in a/folds already", err)
        (folder / "fold-1-2.json").write_text("{")
        self.fails("classify", "cv", self.data, *self.WORDS, *QUICK, "-o", "a/folds", status=65,
                   says="fold-1-2.json: is damaged")

    def test_signals_stop_it(self):
        long = ["--islands", 1, "--population", 20, "--generations", 40]
        expected = self.figures(self.cv(*long)[0])
        folder, stops = self.folder / "folds", 0
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT):
            there = len(list(folder.glob("fold-*")))
            process = self.start("classify", "cv", self.data, *self.WORDS, *long, "-o", "folds")
            self.addCleanup(process.kill)
            wait_for(lambda: len(list(folder.glob("fold-*"))) > there or process.poll() is not None)
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
            if process.returncode == 0:
                continue  # it was done by then
            self.assertEqual((process.returncode, out), (75, ""), err)
            self.assertEqual(err.splitlines()[-1], "stopped; go on: the same command once more")
            stops += 1
        self.assertGreater(stops, 0)
        self.assertEqual(self.figures(self.cv(*long, "-o", "folds")[0]), expected)

    def test_folders_of_something_else(self):
        self.cv(*QUICK, "-o", "folds")
        self.write("other.csv", self.table(400).read_text().replace("red", "grey"))
        for words in ([self.data, "--seed", 2], [self.data, "--class", "colour"], ["other.csv"]):
            self.fails("classify", "cv", *words, "-o", "folds", *self.WORDS[2 * ("--class" in words):], *QUICK, status=64,
                       says="folds: holds the folds of a cross-validation of other data, of other options or")
        (self.folder / "mine").mkdir()
        self.write("mine/notes.txt", "mine")
        for name, status in (("mine", 64), (self.data, 73)):
            before = sorted(self.folder.rglob("*"))
            self.fails("classify", "cv", self.data, *self.WORDS, *QUICK, "-o", name, status=status, says=name)
            self.assertEqual(sorted(self.folder.rglob("*")), before)


EXPERIMENT = """\
data = "table.csv"
run = "run"
[train]
class = "class"
islands = 3
population = 10
generations = GENERATIONS
migrate-every = 2
migrants = 2
checkpoint-every = "1"
[job]
time = "1:00:00"
"""


class BatchJobs(Classify):
    def setUp(self):
        super().setUp()
        self.table(300)

    def submit(self, generations):
        """What runs a job as Slurm does, and its environment."""
        self.write("e.toml", EXPERIMENT.replace("GENERATIONS", str(generations)))
        (self.folder / "bin").mkdir(exist_ok=True)
        for name, lines in (("sbatch", "cat >job.sh; echo 1"), ("squeue", ""),
                            ("scontrol", f'echo "$@" >>{self.folder}/scontrol'),
                            ("srun", 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')):
            self.write(f"bin/{name}", f"#!/bin/sh\n{lines}\n").chmod(0o755)
        env = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SLURM_JOB_ID": "1"}
        self.assertEqual(self.atoll("submit", "e.toml", env=env)[0], "1\n")
        self.assertIn("begin=(classify train)\n", (self.folder / "job.sh").read_text())
        return {"args": ["bash", self.folder / "job.sh"], "cwd": self.folder, "env": env}

    def test_a_job_learns_what_the_command_learns(self):
        said = subprocess.run(**self.submit(6), check=True, timeout=PATIENCE, capture_output=True,
                              text=True)
        self.assertIn("print the rules: atoll classify rules", said.stdout + said.stderr)
        self.train("table.csv", "expected", "--class", "class", *SMALL)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "expected"))
        _, err = self.atoll("submit", "e.toml")
        self.assertIn("finished already; nothing is submitted", err)

    def test_a_job_that_is_told_to_stop_is_followed_by_another(self):
        how = self.submit(1000000)
        run = self.folder / "run"
        for job in (1, 2):
            process = subprocess.Popen(**how, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.addCleanup(process.kill)
            wait_for(lambda: (run / "log.jsonl").exists() and
                     sum(event["event"] == "start" for event in log(run, running=True)) == job)
            process.send_signal(signal.SIGUSR1)
            out, _ = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 0, out)
            self.assertEqual(log(run)[-1]["reason"], "signal")
            self.assertEqual((self.folder / "scontrol").read_text().count("requeue 1"), job)
        self.assertTrue((run / "classifier.txt").exists())

    def test_what_is_wrong_is_said_before_anything_is_submitted(self):
        def fails(old, new, says):
            self.write("e.toml", EXPERIMENT.replace("GENERATIONS", "6").replace(old, new))
            self.fails("submit", "e.toml", "--dry-run", status=65, says=says)
        fails('class = "class"\n', "", "--class is missing")
        fails("islands = 3", "min-support = 0.1", "min-support")
        fails("[job]", "[mine]\n[job]", "[train] and [mine]: a run has one of them")
        fails("islands = 3", "islands = 0", "e.toml:5:")
        self.atoll("import", "table.csv", "-o", "table.h5", "--class", "colour")
        text = EXPERIMENT.replace("GENERATIONS", "6").replace("table.csv", "table.h5")
        self.write("e.toml", text.replace('"class"', '"clas"'))
        self.fails("submit", "e.toml", "--dry-run", status=65, says="e.toml:4:9: --class: no attribute 'clas'")
        # The class that the dataset designates.
        self.write("e.toml", text.replace('class = "class"\n', ""))
        self.atoll("submit", "e.toml", "--dry-run")
        self.train("table.h5", "run", *SMALL, "--checkpoint-every", 1)
        _, err = self.atoll("submit", "e.toml")
        self.assertIn("finished already", err)


if __name__ == "__main__":
    unittest.main()
