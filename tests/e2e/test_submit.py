"""What `submit` does before Slurm has the job; there need not be one. test_slurm.py does the rest."""

import os
import re
import subprocess
import unittest

from harness import EndToEnd

EXPERIMENT = """\
data = "table.csv"
run = "runs/r"
[mine]
generations = 5
population = 40
[job]
time = "1:00:00"
"""


class Submit(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(500)
        self.job = self.folder / "runs" / "r.job"

    def experiment(self, text=EXPERIMENT, name="experiment.toml"):
        self.write(name, text)
        return name

    def pretend_sbatch(self, shell):
        """A PATH in which sbatch is the lines of shell."""
        self.write("bin/sbatch", f"#!/bin/sh\n{shell}\n").chmod(0o755)
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def write(self, name, content):
        (self.folder / name).parent.mkdir(exist_ok=True)
        return super().write(name, content)

    def test_dry_run_prints_a_script_and_writes_nothing(self):
        self.experiment()
        before = sorted(self.folder.rglob("*"))
        out, err = self.atoll("submit", "experiment.toml", "--dry-run")
        self.assertEqual([line.split()[0] for line in err.splitlines()],
                         ["runs", "data", "ranks", "cores", "time", "files"])
        self.assertTrue(out.startswith("#!/bin/bash\n#SBATCH --job-name=r\n"), out)
        self.assertIn("#SBATCH --time=1:00:00\n", out)
        self.assertIn(f"runs=({self.folder}/runs/r)\n", out)
        self.assertNotRegex(out, r"@[A-Z]+@")
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        subprocess.run(["bash", "-n"], input=out, text=True, check=True)

    def test_it_writes_what_the_job_needs_and_says_what_is_next(self):
        path = self.pretend_sbatch('echo "$@" >sbatch.txt; cat >script.txt; echo "4711;cluster"')
        out, err = self.atoll("submit", self.experiment(), env=path)
        self.assertEqual(out, "4711\n")
        self.assertEqual((self.folder / "sbatch.txt").read_text(), "--parsable\n")
        # By its content: under its path another could lie by then.
        self.assertEqual((self.folder / "script.txt").read_text(), (self.job / "job.sh").read_text())
        self.assertIn(f"submitted job 4711\noutput: {self.job}/4711.out\n", err)
        self.assertIn(f"atoll watch {self.folder}/runs/r\n", err)
        self.assertEqual(sorted(p.name for p in self.job.iterdir()), ["experiment.toml", "job.sh"])
        # What the job does with it gives the run that these options give.
        self.atoll("mine", self.data, "-o", "a", "--config", self.job / "experiment.toml")
        self.atoll("mine", self.data, "-o", "b", "--generations", 5, "--population", 40)
        experiment = [re.sub(r"(?s)\[machine\].*", "", (self.folder / run / "config.toml").read_text())
                      for run in "ab"]
        self.assertEqual(*experiment)

    def test_runs_that_are_there(self):
        path = self.pretend_sbatch("echo 1")
        text = EXPERIMENT + '[array]\nseed = "1-3"\n'
        self.experiment(text)
        options = ("--generations", 5, "--population", 40)
        self.atoll("mine", self.data, "-o", "runs/r/seed-2", "--seed", 2, *options)
        out, _ = self.atoll("submit", "experiment.toml", "--dry-run")
        self.assertIn("#SBATCH --array=0,2\n", out)
        _, err = self.atoll("submit", "experiment.toml", env=path)
        self.assertIn("finished already and left out: 1 run\n", err)
        self.assertIn("submitted job 1 of 2 runs", err)
        self.assertFalse((self.job / "seed-2.toml").exists())
        for seed in (1, 3):
            self.atoll("mine", self.data, "-o", f"runs/r/seed-{seed}", "--seed", seed, *options)
        out, err = self.atoll("submit", "experiment.toml", env=path)
        self.assertEqual(out, "")
        self.assertIn("finished already; nothing is submitted", err)
        self.experiment(text.replace("generations = 5", "generations = 6"))
        self.fails("submit", "experiment.toml", env=path, status=64,
                   says="runs/r/seed-1: holds a run with another --generations, which cannot be changed")
        self.experiment(text.replace("table.csv", "other.csv"))
        self.write("other.csv", "a,b\n1,2\n2,1\n")
        self.fails("submit", "experiment.toml", env=path, status=64,
                   says=f"runs/r/seed-1: holds a run of other data, {self.data}")

    def test_without_slurm(self):
        nothing = {**os.environ, "PATH": str(self.folder)}
        self.fails("submit", self.experiment(), env=nothing, status=69, says="sbatch: not found")
        refusing = self.pretend_sbatch("echo 'sbatch: error: no such\npartition' >&2; exit 1")
        self.fails("submit", "experiment.toml", env=refusing, status=69,
                   says="/job.sh: sbatch: error: no such partition")
        self.fails("submit", "experiment.toml", env=self.pretend_sbatch("exit 0"), status=69,
                   says="sbatch gave no number")

    def test_wrong_input(self):
        self.fails("submit", "none.toml", status=66, says="none.toml: ")
        cases = (("[job", 65, "e.toml:1:"),
                 ('run = "r"', 65, "e.toml: 'data' is missing"),
                 ('data = "table.csv"', 65, "e.toml: 'run' is missing"),
                 ('data = "no.h5"\nrun = "r"', 66, "e.toml:1:8: data: "),
                 ('data = "bin"\nrun = "r"', 66, "is a folder, expected a file"),
                 ('data = "table.csv"\nrun = "r"\nfoo = 1', 65, "e.toml:3:1: unknown key 'foo'"),
                 (EXPERIMENT + "node = 1", 65, "e.toml:8:1: unknown key 'node' in [job], did you "
                                               "mean 'nodes'?"),
                 (EXPERIMENT.replace("population", "popluation"), 65,
                  "e.toml:5:14: unknown option --popluation; did you mean --population?"),
                 (EXPERIMENT + '[array]\nmin-support = ["1%", "5"]', 65,
                  "e.toml:9:22: --min-support: '5' could mean a share or rows"),
                 (EXPERIMENT + '[array]\ngrammar = ["no.bnf"]', 66, "no.bnf: no such file"))
        (self.folder / "bin").mkdir()
        for text, status, says in cases:
            with self.subTest(text):
                self.fails("submit", self.experiment(text, "e.toml"), status=status, says=says)
        self.write("file", "")
        self.fails("submit", self.experiment(EXPERIMENT.replace("runs/r", "file")), status=73,
                   says="file: exists and is not a folder")
        self.fails("submit", self.experiment(EXPERIMENT.replace("runs/r", ".")), status=64,
                   says="is neither empty nor a run; it is left as it is")
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("runs")], [])

    def test_options_are_checked_with_the_data(self):
        self.atoll("import", self.data, "-o", "table.h5")
        text = EXPERIMENT.replace("table.csv", "table.h5")
        for line, says in (('target = "z=*"', ":5:10: --target: no attribute 'z'"),
                           ('max-bins = "256,colour=3"', ":5:12: --max-bins: bins for attribute colour")):
            with self.subTest(line):
                name = self.experiment(text.replace("population = 40", line))
                self.fails("submit", name, status=65, says=says)
        (self.folder / "table.h5").write_bytes((self.folder / "table.h5").read_bytes()[:-100])
        self.fails("submit", self.experiment(text), status=65, says="table.h5")


if __name__ == "__main__":
    unittest.main()
