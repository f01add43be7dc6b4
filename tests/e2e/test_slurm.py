"""Batch jobs under a real Slurm, which scripts/slurm-local runs on this machine.

Slurm's limits are whole minutes, and it looks at them twice a minute. So one test waits for Slurm
to signal a job before its end, of a run without one; in the others `scancel --batch --signal` sends
the same signal the same way. Once the job has brought the run on, its rank 0 is stopped, and with it
the others wait, until the signal is there: nothing depends on how long that takes.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from harness import (ATOLL, MPIEXEC, NO_GPU, PATIENCE, ROOT, EndToEnd, digest, is_pending, log,
                     wait_for)

SLURM_LOCAL = ROOT / "scripts" / "slurm-local"
# Some seconds of work.
MINE = {"islands": 4, "generations": 800, "population": 100, "threads": 1, "checkpoint-every": "50"}


def absent():
    """What is missing for a Slurm of our own."""
    if not MPIEXEC:
        return "built without MPI"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    names = [n for n in ("slurmctld", "slurmd", "munged", "sbatch") if not shutil.which(n, path=path)]
    return f"no {', '.join(names)}" if names else ""


def toml(table):
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


class OnSlurm(EndToEnd):
    """A Slurm of its own."""

    @classmethod
    def setUpClass(cls):
        if absent():
            print(f"SKIPPED: {absent()}: batch jobs were not tried", file=sys.stderr)
            raise unittest.SkipTest(absent())
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="atoll-slurm-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.cluster = cls.shared / "cluster"
        cls.addClassCleanup(cls.local, "stop")
        # Should this process be killed, its end is Slurm's, too.
        cls.local("start", "--owner", os.getpid(), "--patience", PATIENCE)
        os.environ["SLURM_CONF"] = str(cls.cluster / "slurm.conf")
        cls.addClassCleanup(os.environ.pop, "SLURM_CONF")
        cls.data = cls.shared / "table.h5"
        subprocess.run([ATOLL, "generate", "planted", "-o", cls.data, "--rows", "5000", "--seed",
                        "1"], check=True, capture_output=True)
        cls.undisturbed = cls.mined_by_hand(cls.shared / "undisturbed", MINE)

    @classmethod
    def local(cls, command, *more):
        done = subprocess.run([SLURM_LOCAL, command, "--folder", cls.cluster, *map(str, more)],
                              capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise AssertionError(f"slurm-local {command}: {done.stderr}")

    @classmethod
    def mined_by_hand(cls, run, options):
        words = [f"--{key}={value}" for key, value in options.items()]
        subprocess.run([ATOLL, "mine", cls.data, "-o", run, *words], check=True,
                       capture_output=True, env=NO_GPU)
        return digest(run)

    def setUp(self):
        super().setUp()
        self.run = self.folder / "run"
        self.addCleanup(self.end_all_jobs)

    def end_all_jobs(self):
        subprocess.run(["scancel", "--user", str(os.geteuid()), "--full"], check=True)
        wait_for(lambda: not self.queue())

    def slurm(self, *words):
        return subprocess.run(words, check=True, capture_output=True, text=True,
                              timeout=PATIENCE).stdout.strip()

    def queue(self, form="%i %t"):
        return self.slurm("squeue", "-h", "-r", "-o", form)

    def submit(self, mine=MINE, array=None, data=None, **job):
        """Returns the number of the job."""
        job = {key.replace("_", "-"): value for key, value in {"time": 30, **job}.items()}
        text = toml({"data": str(data or self.data), "run": "run"})
        text += f"[mine]\n{toml(mine)}[job]\n{toml(job)}"
        if array is not None:
            text += f"[array]\n{toml(array)}"
        self.write("experiment.toml", text)
        out, err = self.atoll("submit", "experiment.toml")
        self.assertRegex(out, r"^\d+\n$")
        self.assertIn(f"submitted job {out.strip()}", err)
        return out.strip()

    def said(self):
        """What all jobs have printed."""
        return "\n".join(p.read_text() for p in sorted(self.folder.glob("run.job/*.out")))

    def wait_until_said(self, text):
        try:
            wait_for(lambda: text in self.said())
        except AssertionError:
            raise AssertionError(f"{text!r} was not said:\n{self.said()}\n{self.queue()}") from None

    def wait_until_gone(self):
        try:
            wait_for(lambda: not self.queue())
        except AssertionError:
            raise AssertionError(f"{self.queue()}\n{self.said()}") from None

    def wait_for_job(self, number, run=""):
        """Until the job of this number of the run has brought it on; returns its log so far."""
        def records():
            if not (self.run / run / "log.jsonl").exists():
                return []
            all_records = log(self.run / run, running=True)
            starts = [i for i, r in enumerate(all_records) if r["event"] == "start"]
            return all_records[starts[number - 1]:] if len(starts) >= number else []

        def advanced():
            mine = records()
            return any(r["event"] in ("progress", "checkpoint") and
                       r["generation"] > mine[0]["generation"] for r in mine)
        try:
            wait_for(advanced)
        except AssertionError:
            raise AssertionError(f"job {number} does not get on:\n{self.said()}\n"
                                 f"{self.queue()}") from None
        return records()

    def rank_0(self, run=""):
        """The process that mines it."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                environment = (entry / "environ").read_bytes().split(b"\0")
                program = (entry / "exe").resolve()
            except OSError:
                continue
            if (program == pathlib.Path(ATOLL).resolve() and words[1] in (b"mine", b"resume") and
                    os.fsencode(self.run / run) in words and b"SLURM_PROCID=0" in environment):
                return int(entry.name)
        raise AssertionError(f"nobody mines:\n{self.said()}\n{self.queue()}")

    def hold(self, number, run=""):
        """Stops the job of this number of the run once it has brought it on; returns its rank 0."""
        self.wait_for_job(number, run)
        rank = self.rank_0(run)
        os.kill(rank, signal.SIGSTOP)
        return rank

    def tell_to_stop(self, job, number, run=""):
        rank = self.hold(number, run)
        self.slurm("scancel", "--batch", "--signal=USR1", job)
        wait_for(lambda: is_pending(rank, signal.SIGUSR1))
        os.kill(rank, signal.SIGCONT)

    def begun(self, run="experiment"):
        """From where the jobs began."""
        lines = (self.folder / "run.job" / f"{run}.jobs").read_text().splitlines()
        return [line.partition(", from ")[2] for line in lines]


class Limit(OnSlurm):
    def test_slurm_signals_it_before_the_end_and_the_file_stop_ends_it(self):
        """Slurm looks twice a minute, and may signal up to a minute early."""
        self.submit({**MINE, "generations": 100000000, "patience": 0}, time=2, stop_before="50s")
        self.wait_for_job(2)
        self.assertRegex(self.begun()[1], r"^generation \d+$")
        (self.run / "stop").touch()
        self.wait_until_said("stopped by")
        self.wait_until_gone()
        reasons = [r["reason"] for r in log(self.run) if r["event"] == "end"]
        self.assertEqual(len(self.begun()), len(reasons))
        self.assertEqual(reasons[-1], "stop file")
        self.assertLessEqual(set(reasons[:-1]), {"signal", "stop after"})
        self.assertEqual(json.loads(self.atoll("info", "run", "--json")[0])["state"], "unfinished")


class Requeued(OnSlurm):
    def test_it_goes_on_over_both_nodes_until_it_is_finished(self):
        job = self.submit(nodes=2)
        for number in (1, 2):
            start = self.wait_for_job(number)[0]
            self.assertEqual(start["ranks"], 2)
            self.tell_to_stop(job, number)
        self.wait_until_said("finished; print the rules")
        self.wait_until_gone()
        self.assertEqual(digest(self.run), self.undisturbed)
        begun = self.begun()
        self.assertEqual(len(begun), 3, self.said())
        self.assertEqual(begun[0], "nothing")
        first, second = (int(b.removeprefix("generation ")) for b in begun[1:])
        self.assertTrue(0 < first < second < MINE["generations"], begun)
        # Requeued, it is the same job, and all of it is in one file.
        self.assertEqual([p.name for p in self.folder.glob("run.job/*.out")], [f"{job}.out"])
        # Submitted again, there is nothing to do.
        _, err = self.atoll("submit", "experiment.toml")
        self.assertIn("finished already; nothing is submitted", err)

    def test_a_node_that_fails(self):
        """The one with the batch script and rank 0."""
        job = self.submit(nodes=2)
        self.hold(1)
        self.addCleanup(self.local, "repair", "n1", "--patience", PATIENCE)
        self.local("fail", "n1", "--patience", PATIENCE)
        wait_for(lambda: self.queue() == f"{job} PD")
        self.local("repair", "n1", "--patience", PATIENCE)
        self.wait_until_said("finished; print the rules")
        self.assertEqual(digest(self.run), self.undisturbed)
        self.assertEqual(len(self.begun()), 2, self.said())


class Jobs(OnSlurm):
    def test_an_array(self):
        """One of its runs needs a second job; the others are left alone."""
        mine = {**MINE, "generations": 400}
        job = self.submit(mine, array={"seed": "1-4", "min-support": ["2%"]})
        names = [f"seed-{seed}_min-support-2%" for seed in range(1, 5)]
        self.tell_to_stop(f"{job}_2", 1, names[2])
        wait_for(lambda: self.said().count("finished; print the rules") == len(names))
        self.wait_until_gone()
        for seed, name in enumerate(names, 1):
            by_hand = self.mined_by_hand(self.folder / f"hand-{seed}",
                                         {**mine, "seed": seed, "min-support": "2%"})
            self.assertEqual(digest(self.run / name), by_hand)
            self.assertEqual(len(self.begun(name)), 2 if seed == 3 else 1, self.said())
        self.assertEqual(len({digest(self.run / name)["rules.csv"] for name in names}), 4)

    def test_a_chain_of_jobs_and_one_that_is_cancelled(self):
        first = self.submit(requeue=False)
        self.tell_to_stop(first, 1)
        self.wait_until_said(" goes on")
        second = re.search(r"job (\d+) goes on", self.said())[1]
        self.assertNotEqual(second, first)
        self.hold(2)
        self.slurm("scancel", second)  # which lets it go on, and ends it
        self.wait_until_gone()
        self.assertIn("cancelled; to go on: sbatch", self.said())
        self.assertEqual(len(self.begun()), 2)
        self.slurm("sbatch", str(self.folder / "run.job" / "job.sh"))
        self.wait_until_said("finished; print the rules")
        self.assertEqual(digest(self.run), self.undisturbed)

    def test_a_job_that_fails_at_once_is_not_repeated(self):
        data = self.write("narrow.csv", "a\n1\n2\n3\n")
        self.submit(data=data)
        self.wait_until_said("brought the run no further")
        self.wait_until_gone()
        self.assertIn("status 65, nothing", self.said())
        self.assertEqual(self.begun(), ["nothing"])
        self.assertFalse(self.run.exists())

    def test_a_lock_that_outlives_its_owner_for_a_while(self):
        """As a file server may hold that of a node that is gone."""
        mine = {**MINE, "generations": 30}
        self.atoll("mine", self.data, "-o", "run", "--stop-after", "0.001s",
                   *(f"--{key}={value}" for key, value in mine.items()), status=75)
        job = self.submit(mine, sbatch=["--hold"])
        with (self.run / "lock").open("r+") as lock:
            lock.write(f"host gone\nboot before\nprocess 17\njob {job}\n")
            lock.flush()
            whole = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            fcntl.fcntl(lock, 37, whole)  # F_OFD_SETLK
            self.fails("submit", "experiment.toml", status=64,
                       says=f"in use by process 17 on gone (job {job})")
            self.slurm("scontrol", "release", job)
            self.wait_until_said(f"waiting for process 17 on gone (job {job})")
        self.wait_until_said("finished; print the rules")

    def test_a_run_whose_list_was_cut_off(self):
        """A signal while the list is made leaves a finished search and a list that is not final."""
        self.mined_by_hand(self.run, MINE)
        path = self.run / "log.jsonl"
        path.write_text(path.read_text().replace('"reason":"finished"', '"reason":"signal"'))
        (self.run / "rules.csv").write_text("cut off\n")
        self.submit()
        self.wait_until_said("finished; print the rules")
        self.wait_until_gone()
        self.assertEqual(self.begun(), ["finished but for its results"])
        self.assertEqual(digest(self.run), self.undisturbed)

    def test_no_more_jobs_than_allowed(self):
        job = self.submit(max_jobs=1)
        self.tell_to_stop(job, 1)
        self.wait_until_said("there were max-jobs = 1 jobs")
        self.wait_until_gone()
        self.assertEqual(len(self.begun()), 1)

    def test_what_sbatch_refuses(self):
        text = toml({"data": str(self.data), "run": "run"})
        self.write("experiment.toml", f'{text}[mine]\nislands = 2\n[job]\npartition = "none"\n')
        self.fails("submit", "experiment.toml", status=69, says="invalid partition specified")
        self.assertFalse(self.run.exists())


if __name__ == "__main__":
    unittest.main()
