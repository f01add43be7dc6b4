"""One experiment gives the same bytes on every evaluator, with any number of ranks and threads, and
across stops, kills and resumes. The bytes are pinned in tests/golden; ATOLL_UPDATE_GOLDEN=1 pins
them anew, which a change log has to mention."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import ATOLL, GOLDEN, MPIEXEC, EndToEnd, digest, kill_session, log, wait_for

TABLE = GOLDEN / "table.csv"
EXPERIMENTS = {
    "niching": ["--islands", 4, "--population", 24, "--generations", 12, "--migrate-every", 3,
               "--migrants", 2, "--top", 30, "--min-support", "1%", "--seed", 42,
               "--max-bins", "16,b=8"],
    "g3parm": ["--preset", "g3parm", "--islands", 4, "--population", 20, "--generations", 12,
               "--migrate-every", 4, "--migrants", 2, "--min-support", "20%", "--min-confidence",
               "0.6", "--seed", 7, "--max-bins", "16"],
    "full": ["--grammar", "association-full", "--islands", 3, "--population", 16, "--generations",
             8, "--migrate-every", 2, "--migrants", 3, "--missing-consequent", "exclude",
             "--archive-by", "lift", "--min-support", "20rows", "--max-bins", "0"],
    "rule-sets": ["--class", "outcome", "--islands", 3, "--population", 12, "--generations", 8,
                  "--migrate-every", 2, "--migrants", 3, "--max-bins", "16,b=8", "--holdout", "0.2",
                  "--balance=0.5", "--seed", 5],
}


def command(name):
    return ["classify", "train"] if name == "rule-sets" else ["mine"]


def pinned(name):
    path = GOLDEN / f"{name}.sha256"
    return dict(reversed(line.split()) for line in path.read_text().splitlines())


class Golden(EndToEnd):
    @classmethod
    def setUpClass(cls):
        if os.environ.get("ATOLL_UPDATE_GOLDEN") != "1":
            return
        for name, options in EXPERIMENTS.items():
            with tempfile.TemporaryDirectory() as folder:
                run = pathlib.Path(folder) / "run"
                subprocess.run([ATOLL, *command(name), TABLE, "-o", run, *map(str, options), "--backend",
                                "reference"], check=True)
                (GOLDEN / f"{name}.sha256").write_text(
                    "".join(f"{value}  {file}\n" for file, value in digest(run).items()))

    def mine(self, name, run, *more, **how):
        return self.atoll(*command(name), TABLE, "-o", run, *EXPERIMENTS[name], *more, **how)

    def check(self, name, run):
        self.assertEqual(digest(self.folder / run), pinned(name), f"{name} in {run}")

    def test_pinned_on_reference_and_cpu(self):
        for name in EXPERIMENTS:
            with self.subTest(name):
                self.mine(name, f"reference-{name}", "--backend", "reference")
                self.check(name, f"reference-{name}")
                for threads in (1, 2):
                    run = f"cpu-{name}-{threads}"
                    self.mine(name, run, "--backend", "cpu", "--threads", threads)
                    self.check(name, run)

    def test_something_is_found(self):
        for name in EXPERIMENTS:
            self.mine(name, name)
            written = "classifier.txt" if name == "rule-sets" else "rules.csv"
            lines = (self.folder / name / written).read_text().splitlines()
            self.assertGreater(len(lines), 5, name)

    def test_any_number_of_ranks(self):
        self.need_mpi()
        for name, ranks in (("niching", 1), ("niching", 2), ("niching", 3), ("niching", 4),
                            ("g3parm", 3), ("full", 2), ("rule-sets", 3)):
            with self.subTest(name, ranks=ranks):
                run = f"{name}-{ranks}"
                self.mine(name, run, "--threads", 1, ranks=ranks)
                self.check(name, run)

    def test_migration_log(self):
        for ranks in (0, 3) if MPIEXEC else (0,):
            self.mine("g3parm", f"run{ranks}", "--migration-log", "yes", ranks=ranks)
            self.check("g3parm", f"run{ranks}")
            records = [event for event in log(self.folder / f"run{ranks}")
                       if event["event"] == "migration"]
            self.assertEqual([record["generation"] for record in records], [4, 8, 12])
            moves = [record["moves"] for record in records]
            for of_one in moves:  # a ring of four, two each
                self.assertEqual([(move[0], move[2]) for move in of_one],
                                 [(3, 0)] * 2 + [(0, 1)] * 2 + [(1, 2)] * 2 + [(2, 3)] * 2)
                self.assertEqual([move[1] for move in of_one], [0, 1] * 4)  # the best
            if ranks == 0:
                alone = moves
            self.assertEqual(moves, alone)

    def test_a_dataset_file_gives_what_its_text_gives(self):
        self.atoll("import", TABLE, "-o", "table.h5", "--partition-rows", 4096)
        self.atoll("mine", "table.h5", "-o", "run", *EXPERIMENTS["niching"])
        self.check("niching", "run")

    def arguments(self, first):
        return ["mine", TABLE, "-o", "run", *EXPERIMENTS["niching"]] if first else ["resume", "run"]

    def test_stopped_after_every_generation_and_resumed_on_other_ranks(self):
        ranks = (0, 2, 0, 4, 3, 1, 0, 2, 0, 0, 3, 0) if MPIEXEC else (0,) * 12
        for job, count in enumerate(ranks):
            # Long over when the first generation is done.
            self.atoll(*self.arguments(job == 0), "--stop-after", "0.001s", ranks=count, status=75)
            self.assertEqual(self.generation(), job)
        self.atoll("resume", "run", ranks=ranks[1])
        self.check("niching", "run")
        starts = [event for event in log(self.folder / "run") if event["event"] == "start"]
        self.assertEqual([event["job"] for event in starts], list(range(1, 14)))
        self.assertEqual([event["ranks"] for event in starts][:4], [max(1, n) for n in ranks[:4]])

    def generation(self):
        out, _ = self.atoll("info", "run", "--json")
        return json.loads(out)["generation"]

    def test_killed_and_resumed_on_other_ranks(self):
        for job, (generation, ranks) in enumerate(((2, 0), (5, 2), (9, 3)), 1):
            self.kill_at(generation, job, ranks if MPIEXEC else 0)
        self.atoll("resume", "run", ranks=4 if MPIEXEC else 0)
        self.check("niching", "run")

    def kill_at(self, generation, job, ranks):
        """Runs until the log tells of that generation's checkpoint, then kills every rank. The next one is
        never written, so that the job cannot get further before."""
        self.let_fail(f"HANG checkpoint-{generation + 1:010}")
        process = self.start(*self.arguments(job == 1), "--checkpoint-every", 1, "--backend",
                             "reference", ranks=ranks, start_new_session=True, **self.faulty)

        def saved():
            if process.poll() is not None:
                raise AssertionError(f"it has ended: {process.communicate()}")
            if not (self.folder / "run" / "log.jsonl").exists():
                return False
            events = log(self.folder / "run", running=True)
            starts = [i for i, event in enumerate(events) if event["event"] == "start"]
            return len(starts) == job and any(
                event["event"] == "checkpoint" and event["generation"] == generation
                for event in events[starts[-1]:])
        try:
            wait_for(saved)
        finally:
            kill_session(process.pid)
            process.communicate()

    def test_a_finished_run_has_its_files_written_again(self):
        self.mine("niching", "run")
        for name in digest(self.folder / "run"):
            (self.folder / "run" / name).unlink()
        _, err = self.atoll("resume", "run")
        self.assertIn("finished already", err)
        self.check("niching", "run")

    def test_resume_before_the_first_checkpoint_begins_again(self):
        self.atoll(*self.arguments(True), "--stop-after", "0.001s", status=75)
        for path in (self.folder / "run" / "checkpoints").iterdir():
            path.unlink()
        self.atoll("resume", "run")
        self.check("niching", "run")


if __name__ == "__main__":
    unittest.main()
