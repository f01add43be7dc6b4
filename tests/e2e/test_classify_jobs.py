"""Learning in jobs: cross-validation into a file, and batch jobs."""

import json
import os
import signal
import subprocess
import unittest

from harness import MPIEXEC, PATIENCE, log, wait_for
from test_classify import QUICK, SMALL, Classify, digest


class FoldsInAFile(Classify):
    """task_contract.py has what holds of stops and of what lies beside the file."""

    WORDS = ["--class", "class", "--folds", 3, "--repeats", 2]

    def setUp(self):
        super().setUp()
        self.data = self.table(400).name

    def cv(self, *words, **how):
        return self.atoll("classify", "cv", self.data, *self.WORDS, *QUICK, *words, **how)

    def test_what_is_printed_and_what_is_written(self):
        printed, err = self.cv("--json")
        folds = [line for line in err.splitlines() if line.startswith("fold ")]
        self.assertEqual(len(folds), 6)
        out, _ = self.cv("-o", "folds.json")
        self.assertEqual(out, "")
        figures = [json.loads(printed), json.loads((self.folder / "folds.json").read_text())]
        for record in figures:
            for one in (record, *record["folds"]):
                one.pop("seconds")
        self.assertEqual(figures[0], figures[1])
        right = sum(fold["correct"] for fold in figures[0]["folds"])
        self.assertEqual(err.splitlines()[-1], f"{right / 8:.2f}% of 800 rows right, over 6 folds")
        table, _ = self.cv()
        self.assertIn("mean recall", table)

    def test_what_is_there_stays(self):
        self.write("folds.json", "mine")
        self.fails("classify", "cv", self.data, *self.WORDS, "-o", "folds.json", status=64, says="folds.json: exists already")
        self.fails("classify", "cv", self.data, *self.WORDS, "-o", self.data, "--force", status=64, says="is an input, too")
        self.fails("classify", "cv", self.data, *self.WORDS, "--stop-after", "1s", status=64,
                   says="--stop-after: there are no checkpoints of standard output; give -o OUT")
        self.assertEqual((self.folder / "folds.json").read_text(), "mine")


EXPERIMENT = """\
data = "table.csv"
run = "run"
[train]
class = "class"
islands = 3
population = 10
generations = GENERATIONS
patience = 0
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
        self.train("table.h5", "run", *SMALL, "--patience", 0, "--checkpoint-every", 1)
        _, err = self.atoll("submit", "e.toml")
        self.assertIn("finished already", err)


if __name__ == "__main__":
    unittest.main()
