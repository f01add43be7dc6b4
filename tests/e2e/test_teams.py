"""Ranks that form teams: results are those of one rank, whatever a team shares out, wherever it is
stopped or killed, and whoever goes on."""

import csv
import json
import os
import re
import signal
import unittest

from harness import PATIENCE, EndToEnd, digest, log, ranks_of, session_members, wait_for

PRETENDER = os.environ.get("ATOLL_PRETENDER", "")



def small(islands=4, least_support="1%"):
    return ["--islands", islands, "--population", 20, "--generations", 8, "--migrate-every", 2,
            "--seed", 3, "--threads", 1, "--min-support", least_support]


SMALL = small()
# Ranks, the size of their teams, and what these share out.
TEAMS = ((2, 2, "rows"), (4, 2, "rows"), (4, 4, "rows"), (4, 2, "rules"))


def of_team(size, split):
    return ["--team", size, "--split", split]


class Teams(EndToEnd):
    def setUp(self):
        super().setUp()
        self.need_mpi()

    def houses(self, rows=9000):
        """Prices of red houses are higher, and of some it is not known; nor are some colours."""
        lines = ["x,y,colour,price,sold"]
        state = 4321
        for row in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            x, y, colour = state >> 8 & 63, state >> 14 & 31, "red green blue".split()[state % 7 % 3]
            price = 100 + (state >> 20 & 15) + 40 * (colour == "red" and x > 40) - 20 * (y < 5)
            sold = "yes" if price > 120 or y == 3 else "no"
            lines.append(f"{x},{y},{'' if row % 11 == 5 else colour},"
                         f"{'' if row % 50 == 7 else price},{'' if row % 13 == 2 else sold}")
        return self.write("houses.csv", "\n".join(lines) + "\n")

    def evaluated(self, run):
        """Rules, as the last progress in the log has it, and the last generation in the history."""
        progress = [event for event in log(self.folder / run) if event["event"] == "progress"][-1]
        with open(self.folder / run / "history.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        last = sum(int(row["evaluated"]) for row in rows if row["generation"] == rows[-1]["generation"])
        self.assertEqual(progress["evaluated"], last)
        return last


class Results(Teams):
    def check(self, *options, experiment=SMALL, teams=TEAMS):
        """Of an experiment alone and in each of the teams."""
        data = self.houses()
        experiment = [*experiment, *options]
        self.atoll("mine", data, "-o", "alone", *experiment)
        expected = digest(self.folder / "alone")
        self.assertGreater(len((self.folder / "alone/rules.csv").read_text().splitlines()), 2)
        for ranks, size, split in teams:
            with self.subTest(ranks=ranks, team=size, split=split):
                run = f"run-{ranks}-{size}-{split}"
                self.atoll("mine", data, "-o", run, *experiment, *of_team(size, split), ranks=ranks)
                self.assertEqual(digest(self.folder / run), expected)
                self.assertEqual(self.evaluated(run), self.evaluated("alone"), "not each once")

    def test_by_default(self):
        self.check()

    def test_g3parm(self):
        self.check("--preset", "g3parm", "--min-confidence", "0.4", experiment=small(least_support="20%"))

    def test_of_a_mean_and_with_rows_held_out(self):
        self.check("--target", "mean(price)", "--holdout", "30%")

    def test_where_values_are_missing(self):
        self.check("--missing-consequent", "exclude", "--consequent", "colour,sold")

    def test_of_binned_values(self):
        """Bounds are fitted again on the exact values, which the first team counts together."""
        self.check("--max-bins", 4, "--holdout", "0.2", teams=((4, 2, "rows"), (4, 4, "rules")))

    def test_more_ranks_than_islands(self):
        self.check(experiment=small(islands=2),
                   teams=((4, 2, "rows"), (4, 4, "rules"), (3, 3, "rows")))


class Interrupted(Teams):
    def setUp(self):
        super().setUp()
        self.data = self.houses(5000)
        self.atoll("mine", self.data, "-o", "alone", *SMALL)
        self.expected = digest(self.folder / "alone")

    def check(self):
        self.assertEqual(digest(self.folder / "run"), self.expected)

    def test_stopped_and_resumed_by_others(self):
        """In other teams, by single ranks, and by one process without MPI."""
        self.atoll("mine", self.data, "-o", "run", *SMALL, *of_team(2, "rows"), "--stop-after",
                   "0.001s", ranks=4, status=75)
        goes_on = (
            (4, of_team(4, "rows")), (4, of_team(2, "rules")), (3, ["--team", 1]),
            (6, of_team(3, "rows")), (0, ["--team", 1]), (2, of_team(2, "rules")))
        for ranks, teams in goes_on:
            before = self.checkpointed()
            self.atoll("resume", "run", *teams, "--stop-after", "0.001s", ranks=ranks, status=75)
            self.assertGreaterEqual(self.checkpointed(), before)
            self.assertLess(self.checkpointed(), 8)
        self.atoll("resume", "run", *of_team(2, "rows"), ranks=4)
        self.check()
        starts = [event for event in log(self.folder / "run") if event["event"] == "start"]
        self.assertEqual([event["ranks"] for event in starts], [4, 4, 4, 3, 6, 1, 2, 4])

    def test_stop_file(self):
        self.let_fail("HANG checkpoint-0000000008")
        job = self.start("mine", self.data, "-o", "run", *SMALL, *of_team(2, "rows"),
                         "--checkpoint-every", 1, ranks=4, start_new_session=True, **self.faulty)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        wait_for(lambda: self.checkpointed() >= 1)
        (self.folder / "run" / "stop").touch()
        self.let_fail()
        _, err = job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 75, err)
        self.atoll("resume", "run", "--team", 1)
        self.check()

    def test_a_member_that_is_killed_ends_the_job(self):
        """Each after another checkpoint; the next is never written, so it cannot get further."""
        jobs = ((4, 2, "rows", 1, 1), (4, 2, "rules", 0, 2), (2, 2, "rows", 1, 4),
                (4, 4, "rows", 3, 5), (4, 2, "rows", 2, 7))
        for ranks, size, split, killed, generation in jobs:
            first = not (self.folder / "run").exists()
            self.let_fail(f"HANG checkpoint-{generation + 1:010}")
            words = ["mine", self.data, "-o", "run", *SMALL] if first else ["resume", "run"]
            job = self.start(*words, *of_team(size, split), "--checkpoint-every", 1, ranks=ranks,
                             start_new_session=True, **self.faulty)
            try:
                wait_for(lambda: self.checkpointed() == generation or job.poll() is not None)
                self.assertIsNone(job.poll(), "it has ended")
                os.kill(ranks_of(job.pid)[killed], signal.SIGKILL)
                job.communicate(timeout=PATIENCE)
            finally:
                job.kill()
                job.communicate()
            self.assertNotIn(job.returncode, (0, 75))
            wait_for(lambda: not session_members(job.pid))
        self.let_fail()
        self.atoll("resume", "run", "--team", 1)
        self.check()


class Devices(Teams):
    """GPUs of a team's members that fail, each in its way (e2e/pretend_cuda.cpp)."""

    program = PRETENDER
    EXPERIMENT = [*SMALL, "--max-bins", 4, "--holdout", "0.2"]
    SEARCH = 2 * 9  # batches of two islands in as many generations

    def begin(self, rows):
        self.data = self.houses(rows)
        self.atoll("mine", self.data, "-o", "alone", *self.EXPERIMENT, "--backend", "cpu")

    def mine(self, *options, rank, fault, status=0):
        """On two teams of two, of which a rank's device has a fault."""
        return self.atoll("mine", self.data, "-o", "run", "--force", *self.EXPERIMENT, "--team", 2,
                          *options, ranks=4, status=status,
                          env={**os.environ, "PRETEND_GPUS": "A,B,C,D",
                               f"PRETEND_FAULT_{rank}": fault})[1]

    def check(self):
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "alone"))

    def test_one_that_fails_ends_the_job(self):
        """While the islands go on, or while the first team counts what rank 0 asks for."""
        self.begin(rows=5000)
        for rank, fault, says in (
                (1, "5", "rank 1: backend cuda failed: an uncorrectable error"),
                (2, "progress", "rank 2: backend cuda failed: it does not answer"),
                (1, f"{self.SEARCH + 1}", "rank 1: backend cuda failed: an uncorrectable error"),
                (0, f"{self.SEARCH + 1}", "atoll: backend cuda failed: an uncorrectable error")):
            with self.subTest(rank=rank, fault=fault):
                err = self.mine("--backend", "cuda", rank=rank, fault=fault, status=69)
                self.assertIn(f"{says}; go on from the last checkpoint: atoll resume run\n", err)
                self.atoll("resume", "run", "--team", 1, "--backend", "cpu")
                self.check()

    def test_one_without_room_for_a_table_counts_it_on_its_cores(self):
        self.begin(rows=65_000)  # of which those searched are enough for a GPU
        for rank, fault in ((1, "memory"), (1, "memory-later"), (0, "memory-later")):
            with self.subTest(rank=rank, fault=fault):
                err = self.mine("--split", "rules", rank=rank, fault=fault)
                self.check()
                if fault == "memory-later":
                    self.assertIn(f"warning: rank {rank}: the rest is counted on the CPU: ", err)


class SmallTables(Teams):
    def test_a_team_that_gains_nothing_is_told(self):
        self.data = self.table(500)
        for options, ranks, told in ((("--team", 2), 2, True), (("--team", 1), 2, False)):
            _, err = self.atoll("mine", self.data, "-o", "run", "--force", *SMALL, *options,
                                "--backend", "cpu", ranks=ranks)
            line = ("--team 2: 500 rows are fewer than the 1000000 from which a team gains; ranks "
                    "with islands of their own are faster\n")
            self.assertEqual(err.count(line), 1 if told else 0, err)


class ManyRows(Teams):
    def test_members_with_parts_of_unlike_size(self):
        """Just fewer than, and just as many as those from which a GPU gains: all decide alike."""
        self.atoll("generate", "planted", "-o", "p.h5", "--rows", 100_001, "--attributes", 10)
        self.data = "p.h5"
        options = ["--generations", 1, "--islands", 2, "--population", 10, "--threads", 1]
        self.atoll("mine", self.data, "-o", "alone", *options)
        self.atoll("mine", self.data, "-o", "run", *options, "--team", 2, ranks=2)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "alone"))


class Refused(Teams):
    def setUp(self):
        super().setUp()
        self.data = self.table(500)

    def says_once(self, *words, ranks, says):
        """That what was given is wrong; one line for all ranks."""
        _, err = self.atoll(*words, ranks=ranks, status=64)
        lines = [line for line in err.splitlines() if line.startswith("atoll: ")]
        self.assertEqual(len(lines), 1, err)
        self.assertIn(says, lines[0])

    def refused(self, *options, says, ranks=0, command=("mine",)):
        self.says_once(*command, self.data, "-o", "run", *options, ranks=ranks, says=says)
        self.assertFalse((self.folder / "run").exists())

    def test_ranks_that_form_no_teams(self):
        self.refused(*SMALL, "--team", 2, ranks=3,
                     says="--team 2: 3 ranks do not form such teams: start a multiple of 2, or with "
                          "--team 1")
        self.refused(*SMALL, "--team", 2, says="1 rank does not form such teams")

    def test_more_teams_than_islands(self):
        self.refused(*small(islands=2), "--team", 2, ranks=6,
                     says="6 ranks are 3 teams, which cannot share 2 islands: start at most 4")

    def test_what_no_team_does(self):
        self.refused(*SMALL, "--team", 2, "--migration", "asynchronous", ranks=4,
                     says="--team 2: the ranks of a team go on in step")
        self.refused("--class", "class", "--team", 2, command=("classify", "train"),
                     says="unknown option --team")

    def test_values(self):
        self.refused(*SMALL, "--team", 0, says="--team: '0' is no whole number from 1")
        self.refused(*SMALL, "--team", "x", says="--team: 'x' is no whole number from 1")
        self.refused(*SMALL, "--team", 2, "--split", "cells", says="--split")

    def test_resumed_by_ranks_that_form_no_teams(self):
        self.atoll("mine", self.data, "-o", "alone", *SMALL)
        self.atoll("mine", self.data, "-o", "run", *SMALL, *of_team(2, "rules"), "--stop-after",
                   "0.001s", ranks=4, status=75)
        machine = (self.folder / "run/config.toml").read_text().partition("[machine]")[2]
        self.assertRegex(machine, re.compile(r"^team = 2$", re.MULTILINE))
        self.assertRegex(machine, re.compile(r'^split = "rules"$', re.MULTILINE))
        self.says_once("resume", "run", "--team", 2, ranks=3,
                       says="--team 2: 3 ranks do not form such teams: start a multiple of 2, or "
                            "with --team 1")
        self.assertIn("4 in teams of 2", self.atoll("info", "run")[0])
        for team in (1, 3):
            self.atoll("resume", "run", "--team", team, "--stop-after", "0.001s", ranks=3, status=75)
        # Those of the job before do not fit; nobody has asked for them.
        _, err = self.atoll("resume", "run", "--stop-after", "0.001s", ranks=4, status=75)
        self.assertIn("the run's teams of 3 do not fit 4 ranks: in this job each counts alone", err)
        # The run keeps them.
        self.atoll("resume", "run", "--stop-after", "0.001s", ranks=3, status=75)
        self.assertEqual(self.atoll("info", "run")[0].count("3 in teams of 3"), 2)
        self.says_once("resume", "run", ranks=5, says="--team 3: 5 ranks do not form such teams")
        self.atoll("resume", "run", ranks=3)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "alone"))
        self.assertEqual(json.loads(self.atoll("info", "run", "--json")[0])["state"], "finished")


if __name__ == "__main__":
    unittest.main()
