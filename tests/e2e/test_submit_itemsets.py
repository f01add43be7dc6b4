"""`submit` of a search for itemsets: what it checks, and its script, run with others in Slurm's place."""

import fcntl
import os
import struct
import subprocess
import threading
import unittest

from harness import ATOLL, PATIENCE, EndToEnd

EXPERIMENT = """\
data = "a.dat"
run = "out/sets.txt"
[itemsets]
min-count = 2
closed = true
[job]
launcher-options = ["-n1"]
"""


class SubmitItemsets(EndToEnd):
    def setUp(self):
        super().setUp()
        self.write("a.dat", "1 2 3\n1 2\n2 3\n1 2 3\n")
        (self.folder / "bin").mkdir()
        self.stub("srun", 'while case $1 in -*) ;; *) false ;; esac do shift; done; exec "$@"')
        self.stub("scontrol", f'echo "$@" >>{self.folder}/calls')
        self.stub("squeue", "")
        self.stub("sbatch", 'cat >/dev/null; echo 7')
        self.path = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SLURM_JOB_ID": "7"}
        self.output = self.folder / "out" / "sets.txt"

    def stub(self, name, shell):
        self.write(f"bin/{name}", f"#!/bin/sh\n{shell}\n").chmod(0o755)

    def submit(self, text=EXPERIMENT):
        self.write("e.toml", text)
        return self.atoll("submit", "e.toml", env=self.path)

    def job(self, name="sets.txt", **more):
        """What the script of the submission says, as a job of its own, in any folder."""
        done = subprocess.run(["bash", self.folder / "out" / f"{name}.job" / "job.sh"], text=True, cwd="/",
                              stdout=subprocess.PIPE, env={**self.path, **more}, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout

    def calls(self):
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def test_a_job_finds_the_sets(self):
        _, err = self.submit()
        self.assertIn(f"it is done once {self.output} is there\nstop it: scancel 7; go on: submit again\n", err)
        status, said = self.job()
        self.assertEqual(status, 0, said)
        self.assertIn(f"finished: {self.output}\n", said)
        out, _ = self.atoll("itemsets", "a.dat", "--min-count", 2, "--closed", "-o", "-")
        self.assertEqual(self.output.read_text(), out)
        _, err = self.submit()
        self.assertIn("finished already; nothing is submitted\n", err)

    def test_jobs_follow_a_link(self):
        """What a job keeps lies beside the file that the link leads to."""
        (self.folder / "out").mkdir()
        self.output.symlink_to(self.folder / "real.txt")
        _, err = self.submit()
        self.assertIn(f"it is done once {self.folder / 'real.txt'} is there\n", err)

    def test_flags_can_vary(self):
        self.submit(EXPERIMENT.replace("closed = true\n", "") + "[array]\nclosed = [true, false]\n")
        text = "".join(path.read_text() for path in self.folder.rglob("*.sh"))
        self.assertIn("closed-false", text)

    def test_what_cannot_be_an_output_is_refused(self):
        (self.folder / "there").mkdir()
        for run, status, says in (("there", 73, "is a folder"), ("a.dat", 64, "is an input, too")):
            self.write("e.toml", EXPERIMENT.replace("out/sets.txt", run))
            self.fails("submit", "e.toml", "--dry-run", status=status, says=says)

    def test_a_file_that_no_job_has_made_is_not_taken_for_the_result(self):
        self.output.parent.mkdir()
        self.output.write_text("an unrelated old file\n")
        self.write("e.toml", EXPERIMENT)
        self.fails("submit", "e.toml", status=64, says="no job of this experiment has made it", env=self.path)
        self.output.unlink()
        self.submit()
        self.output.write_text("an unrelated old file\n")  # since it was submitted
        status, said = self.job()
        self.assertEqual(status, 64)
        self.assertIn("is there already, and no job of this submission has made it", said)
        self.assertEqual(self.output.read_text(), "an unrelated old file\n")
        self.output.unlink()
        self.assertEqual(self.job()[0], 0)
        self.write("e.toml", EXPERIMENT.replace("min-count = 2", "min-count = 1"))
        self.fails("submit", "e.toml", status=64, says="no job of this experiment has made it", env=self.path)

    def test_a_job_waits_for_the_lock_of_a_node_that_is_gone(self):
        self.write("a.dat", "\n".join(" ".join(str(i * j % 37) for j in range(1, 30)) for i in range(400)) + "\n")
        self.output.parent.mkdir()
        self.atoll("itemsets", self.folder / "a.dat", "-o", self.output, "--min-count", 100, "--closed",
                   "--stop-after", "0.1s", "--threads", 1, status=75)
        self.submit(EXPERIMENT.replace("min-count = 2", "min-count = 100") + "requeue = false\n")
        self.stub("sleep", "exec /bin/sleep 0.3")
        lock = open(f"{self.output}.checkpoint/lock", "r+b")
        fcntl.fcntl(lock, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))  # F_OFD_SETLK
        timer = threading.Timer(1, lock.close)
        timer.start()
        status, said = self.job()
        timer.join()
        self.assertIn(f", which holds {self.output}", said)
        self.assertEqual(status, 0, said)

    def test_a_file_stop_ends_the_row_of_jobs(self):
        self.stub("stopping", f"mkdir -p {self.output}.checkpoint; date +%N >{self.output}.checkpoint/state; "
                              f"touch {self.output}.checkpoint/stop; exit 75")
        self.submit(EXPERIMENT + f'program = "{self.folder}/bin/stopping"\n')
        status, said = self.job()
        self.assertEqual(status, 75)
        self.assertIn(f"stopped by {self.output}.checkpoint/stop", said)
        self.assertEqual(self.calls(), [])

    def test_a_job_that_stops_is_followed_by_another(self):
        state = f"{self.output}.checkpoint/state"
        self.stub("stopping", f"mkdir -p {self.output}.checkpoint; date +%N >>{state}; exit 75")
        self.submit(EXPERIMENT + f'program = "{self.folder}/bin/stopping"\n')
        for requeues in (1, 2):
            status, said = self.job()
            self.assertEqual(status, 0, said)
            self.assertEqual(self.calls(), ["requeue 7"] * requeues)
        # One that brings it no further is the last.
        self.stub("stopping", "exit 75")
        status, said = self.job()
        self.assertEqual(status, 75)
        self.assertIn("this job has brought the run no further", said)
        self.assertEqual(self.calls(), ["requeue 7"] * 2)

    def test_a_job_finds_its_probabilities(self):
        """Which are relative to the experiment's folder, and lie where its container can see them."""
        (self.folder / "likely").mkdir()
        for name, text in (("one.p", "0.9\n0.8\n0.7\n0.6\n"), ("two.p", "1\n0.1\n0.5\n1\n")):
            self.write(f"likely/{name}", text)
        text = EXPERIMENT.replace("closed = true\n", 'algorithm = "probabilistic"\nmin-probability = 0.5\n'
                                                     'probabilities = "likely/one.p"\n')
        options = ("a.dat", "--algorithm", "probabilistic", "--min-count", 2, "--min-probability", 0.5, "-o", "-")
        self.submit(text)
        status, said = self.job()
        self.assertEqual(status, 0, said)
        expected = self.atoll("itemsets", *options, "--probabilities", "likely/one.p")[0]
        self.assertEqual(self.output.read_text(), expected)
        self.submit(text.replace('probabilities = "likely/one.p"\n', "").replace("sets.txt", "all")
                    + '[array]\nprobabilities = ["likely/one.p", "likely/two.p"]\n')
        for task, name in enumerate(("one.p", "two.p")):
            self.assertEqual(self.job("all", SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_JOB_ID="7")[0], 0)
        found = sorted(path.read_text() for path in (self.folder / "out" / "all").iterdir())
        other = self.atoll("itemsets", *options, "--probabilities", "likely/two.p")[0]
        self.assertEqual(found, sorted((expected, other)))
        self.write("atoll.sif", "")
        self.write("e.toml", text.replace("sets.txt", "more.txt") + 'container = "atoll.sif"\n')
        out, _ = self.atoll("submit", "e.toml", "--dry-run")
        self.assertIn(f" --bind={self.folder / 'likely'} ", out)
        self.write("e.toml", text.replace("out/sets.txt", "likely/one.p"))
        self.fails("submit", "e.toml", "--dry-run", status=64, says="is an input, too")
        self.write("e.toml", text.replace("likely/one.p", "likely/none.p"))
        self.fails("submit", "e.toml", "--dry-run", status=66, says="e.toml:7:17: probabilities: ")
        self.write("e.toml", text.replace("likely/one.p", ""))
        self.fails("submit", "e.toml", "--dry-run", status=65, says="e.toml:7:17: --probabilities: there is no name")

    def test_an_array_has_a_file_for_each_combination(self):
        self.submit(EXPERIMENT.replace("min-count = 2\n", "").replace("sets.txt", "all")
                    + "[array]\nmin-count = [1, 3]\n")
        for task, least in enumerate((1, 3)):
            self.assertEqual(self.job("all", SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_JOB_ID="7")[0], 0)
            out, _ = self.atoll("itemsets", "a.dat", "--min-count", least, "--closed", "-o", "-")
            self.assertEqual((self.folder / "out" / "all" / f"min-count-{least}").read_text(), out)

    def test_options_are_checked_before_anything_is_submitted(self):
        def refused(old, new, says):
            self.write("e.toml", EXPERIMENT.replace(old, new))
            self.fails("submit", "e.toml", status=65, says=says)
        refused("closed", "rules", "e.toml:5:9: --rules has no checkpoints")
        refused("min-count = 2", 'min-count = "x"', "e.toml:4:13: --min-count: 'x'")
        refused("min-count = 2", "", "e.toml: give either --min-support or --min-count")
        refused("closed", "closet", "e.toml:5:10: unknown option --closet; did you mean --closed?")
        refused("closed", "force", "e.toml:5:9: --force is not for a batch job")
        refused("closed = true", 'output = "x"', "e.toml:5:10: --output is not for a batch job")
        refused("closed = true", 'stop-after = "1h"', "--stop-after is not for a batch job; [job] has time")
        refused("[job]", "[mine]\n[job]", "[itemsets] and [mine]: a run has one of them")
        self.assertFalse((self.folder / "out").exists())

    def test_the_words_of_the_job(self):
        self.write("e.toml", EXPERIMENT)
        out, _ = self.atoll("submit", "e.toml", "--dry-run")
        self.assertIn("\nbegin=(itemsets)\n", out)
        self.assertIn(f"\nruns=({self.output})\n", out)
        self.assertIn(f"\natoll=({os.path.realpath(ATOLL)})\n", out)


if __name__ == "__main__":
    unittest.main()
