"""Islands that differ, and islands that do not wait for each other."""

import collections
import csv
import os
import signal
import unittest

from harness import (ATOLL, PATIENCE, EndToEnd, digest, kill_session, log, session_members,
                     wait_for)

SPECIALISED = """
[[experiment.island_settings]]
islands = 1
target = ["class=*"]
maximize = ["lift"]
[[experiment.island_settings]]
islands = "2-3"
grammar = "association-full"
exclude = ["y"]
"""


class Specialised(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(2000)
        preset, _ = self.atoll("mine", "--print-preset", "niching")
        self.preset = preset
        self.write("mine.toml", preset + SPECIALISED)

    def test_same_bytes_on_any_ranks_and_after_a_stop(self):
        self.need_mpi()
        options = ["--preset", "mine.toml", "--generations", 20, "--population", 40]
        self.atoll("mine", self.data, "-o", "one", *options)
        for ranks in (2, 3):
            self.atoll("mine", self.data, "-o", f"on{ranks}", *options, ranks=ranks)
            self.assertEqual(digest(self.folder / f"on{ranks}"), digest(self.folder / "one"))
        self.atoll("mine", self.data, "-o", "stopped", *options, "--stop-after", "0.001s",
                   status=75)
        self.atoll("resume", "stopped", ranks=4)
        self.assertEqual(digest(self.folder / "stopped"), digest(self.folder / "one"))
        # Another run's configuration is a preset, its islands and all.
        self.atoll("mine", self.data, "-o", "again", "--preset", "one/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "one"))

    def test_islands_find_what_they_are_to(self):
        self.atoll("mine", self.data, "-o", "run", "--preset", "mine.toml", "--generations", 20,
                   "--topology", "none", "--max-similarity", 1, "--top", 1000)
        with (self.folder / "run" / "rules.csv").open() as file:
            rules = list(csv.DictReader(file))
        found = collections.defaultdict(list)
        for rule in rules:
            found[rule["island"]].append(rule)
        self.assertTrue(found["1"] and (found["2"] or found["3"]), found.keys())
        for rule in found["1"]:
            self.assertTrue(rule["consequent"].startswith("class "), rule["rule"])
        for rule in found["2"] + found["3"]:
            self.assertNotRegex(rule["rule"], r"\by\b")
        self.assertTrue(any(" OR " in r["rule"] or "NOT " in r["rule"] or " != " in r["rule"]
                            for r in found["2"] + found["3"]))
        with (self.folder / "run" / "history.csv").open() as file:
            self.assertIn("best_lift", next(csv.reader(file)))

    def test_wrong_settings(self):
        for text, status, says in [
                ("islands = 4", 65, "island_settings of 4: there are 4 islands, numbered from 0"),
                ("islands = \"2-1\"", 65, "'2-1' is no island or range of islands"),
                ("maximize = [\"lift\"]", 65, "key 'islands' is missing"),
                ("islands = 1\nseed = 3", 65, "unknown key 'seed' in island_settings"),
                ("islands = 1\nmaximize = [\"beauty\"]", 64, "unknown measure 'beauty'"),
                ("islands = 1\nexclude = [\"z\"]", 64,
                 "island_settings, of island 1: --exclude: no attribute 'z'"),
                ("islands = 1\ngrammar = \"<rule> ::= <x>\"", 65,
                 "island_settings, of island 1, grammar:1:15: "),
                ("islands = 1\ntarget = [\"mean(x)\"]", 65, "of all islands or of none")]:
            self.write("wrong.toml", self.preset + "[[experiment.island_settings]]\n" + text + "\n")
            self.fails("mine", self.data, "-o", "run", "--preset", "wrong.toml", status=status,
                       says=says)
            self.assertFalse((self.folder / "run").exists())


class RandomSearch(EndToEnd):
    def test_same_bytes_on_any_ranks_and_after_a_stop(self):
        self.need_mpi()
        data = self.table(2000)
        options = ["--preset", "random-search", "--generations", 15, "--population", 60]
        self.atoll("mine", data, "-o", "one", *options)
        self.atoll("mine", data, "-o", "on3", *options, ranks=3)
        self.assertEqual(digest(self.folder / "on3"), digest(self.folder / "one"))
        self.atoll("mine", data, "-o", "stopped", *options, "--stop-after", "0.001s", status=75)
        self.atoll("resume", "stopped", ranks=2)
        self.assertEqual(digest(self.folder / "stopped"), digest(self.folder / "one"))
        with (self.folder / "one" / "rules.csv").open() as file:
            self.assertGreater(len(list(csv.DictReader(file))), 5)


class Asynchronous(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(2000)
        self.options = ["--migration", "asynchronous", "--migrate-every", 2, "--population", 30,
                        "--history-every", 1]

    def generations(self, run):
        """The last generation of each island; fails if one is missing on the way."""
        rows = collections.defaultdict(list)
        with (self.folder / run / "history.csv").open() as file:
            for row in csv.DictReader(file):
                rows[row["island"]].append(int(row["generation"]))
        for done in rows.values():
            self.assertEqual(done, list(range(len(done))))
        return [len(rows[str(island)]) - 1 for island in range(len(rows))]

    def test_comes_to_the_end_and_says_what_is_given_up(self):
        self.need_mpi()
        for ranks in (0, 1, 3):
            run = f"on{ranks}"
            _, err = self.atoll("mine", self.data, "-o", run, "--generations", 40, "--islands", 5,
                                *self.options, ranks=ranks)
            self.assertIn("atoll: warning: asynchronous migration: ", err)
            self.assertEqual(self.generations(run), [40] * 5)
            self.assertTrue(any(e["event"] == "warning" for e in log(self.folder / run)))
            self.atoll("rules", run)

    def test_stops_and_goes_on_where_each_island_is(self):
        self.need_mpi()
        job = self.start("mine", self.data, "-o", "run", "--generations", 1000000, "--patience", 0,
                         "--checkpoint-every", "0.3s", *self.options, ranks=3)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and path.read_text().count('"checkpoint"') > 1)
        wait_for(lambda: any(e["generation"] > 0 for e in log(self.folder / "run", running=True)
                             if e["event"] == "progress"))
        job.send_signal(signal.SIGUSR1)
        _, err = job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 75, err)
        first = self.generations("run")
        self.assertGreater(min(first), 0)
        self.atoll("resume", "run", "--stop-after", "0.5s", ranks=2, status=75)
        second = self.generations("run")
        for before, after in zip(first, second):
            self.assertGreaterEqual(after, before)
        self.assertGreater(sum(second), sum(first))

    def test_ends_by_its_time_limit(self):
        self.atoll("mine", self.data, "-o", "run", "--time-limit", "0.5s", *self.options)
        self.assertIn('"time limit"', (self.folder / "run" / "log.jsonl").read_text())
        self.atoll("resume", "run")  # finished already

    def job_of_three(self):
        job = self.start("mine", self.data, "-o", "run", "--generations", 1000000, "--patience", 0,
                         "--checkpoint-every", "1h", *self.options, ranks=3,
                         start_new_session=True)
        self.addCleanup(job.communicate)
        self.addCleanup(kill_session, job.pid)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"progress"' in path.read_text())
        ranks = [p for p in session_members(job.pid) if p != job.pid]
        self.assertEqual(len(ranks), 3)
        return job, ranks

    def evaluated(self):
        return [e["evaluated"] for e in log(self.folder / "run", running=True)
                if e["event"] == "progress"][-1]

    def test_a_rank_that_stands_still_holds_nobody_up(self):
        self.need_mpi()
        job, ranks = self.job_of_three()
        # Rank 0 is the one that writes the log; of the others one is stopped.
        writer = next(p for p in ranks if any(
            os.path.realpath(f"/proc/{p}/fd/{f}").endswith("log.jsonl")
            for f in os.listdir(f"/proc/{p}/fd")))
        stopped = next(p for p in ranks if p != writer)
        os.kill(stopped, signal.SIGSTOP)
        # Each island of the others is far beyond where those of the stopped one can be: the first time
        # something that it had reported may be among them.
        for _ in range(2):
            before = self.evaluated()
            wait_for(lambda: self.evaluated() > before + 4 * 30 * 50)
        os.kill(stopped, signal.SIGCONT)
        job.send_signal(signal.SIGUSR1)
        _, err = job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 75, err)
        self.assertGreater(max(self.generations("run")), min(self.generations("run")))

    def test_goes_on_after_kill(self):
        self.need_mpi()
        job, ranks = self.job_of_three()
        kill_session(job.pid)
        job.communicate(timeout=PATIENCE)
        self.atoll("resume", "run", "--stop-after", "0.5s", ranks=2, status=75)

    def test_a_rank_that_fails_ends_all(self):
        self.need_mpi()
        self.program = os.environ["ATOLL_PRETENDER"]
        _, err = self.atoll("mine", self.data, "-o", "run", "--generations", 100000, "--patience", 0, "--backend",
                            "cuda", *self.options, ranks=4, status=69,
                            env={**os.environ, "PRETEND_GPUS": "A,B,C,D",
                                 "PRETEND_FAULT_2": "progress"})
        self.assertIn("atoll: rank 2: backend cuda failed: it does not answer; go on from the last "
                      "checkpoint: atoll resume run\n", err)
        self.program = ATOLL
        self.atoll("resume", "run", "--backend", "cpu", "--stop-after", "0.5s", ranks=2, status=75)

    def test_a_migration_log_needs_a_common_pace(self):
        self.fails("mine", self.data, "-o", "run", "--migration-log", "yes", *self.options,
                   status=64, says="--migration-log yes is of --migration synchronous alone")
        self.assertFalse((self.folder / "run").exists())
        self.atoll("mine", self.data, "-o", "run", "--generations", 2, *self.options)
        self.fails("resume", "run", "--migration-log", "yes", status=64,
                   says="--migration-log yes is of --migration synchronous alone")
        self.atoll("resume", "run")  # which is as it was


if __name__ == "__main__":
    unittest.main()
