"""The same search with other seeds: in which share of them each rule was found again."""

import csv
import json
import signal
import unittest

from harness import GOLDEN, EndToEnd, digest, kill_session, log, wait_for

TABLE = GOLDEN / "table.csv"
SMALL = ["--population", 24, "--islands", 2, "--max-bins", 16, "--top", 8, "--threads", 1,
         "--bounds", "binned", "--generations", 12]
REPEATED = [*SMALL, "--repeat", 3, "--seed", 5]


class Repeat(EndToEnd):
    def mine(self, run, *options, **how):
        return self.atoll("mine", TABLE, "-o", run, *options, **how)[1]

    def rules(self, run):
        return json.loads((self.folder / run / "rules.json").read_text())

    def rows(self, side):
        with TABLE.open() as file:
            table = list(csv.DictReader(file))
        holds = {"=": lambda a, b: a == b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b}

        def takes(row, comparison):
            values, text = comparison["values"], row[comparison["attribute"]]
            if values == [None] or text in ("", "?"):
                return values == [None] and (text in ("", "?")) == (comparison["relation"] == "=")
            value = float(text) if isinstance(values[0], (int, float)) else text
            if comparison["relation"] == "in":
                return values[0] <= value <= values[1]
            return holds[comparison["relation"]](value, values[0])
        return {i for i, row in enumerate(table) if all(takes(row, c) for c in side)}

    def test_each_rule_says_in_how_many_runs_it_was_found(self):
        self.mine("once", *SMALL, "--seed", 5)
        err = self.mine("run", *REPEATED)
        rules = f"{len([r for r in self.rules('run') if r['kind'] == 'rule'])} rules in run/rules.csv"
        last = [f"finished after generation 12 of 12: {rules}", "print them: atoll rules run"]
        told = [f"the search has ended: {rules}; 3 repeats follow", *last]
        self.assertEqual([line for line in err.splitlines() if line in told], told)
        without = [{k: v for k, v in rule.items() if k != "found_again"} for rule in self.rules("run")]
        self.assertEqual(without, self.rules("once"))
        others = [self.rules(f"run/repeat-{i}") for i in (1, 2, 3)]
        sides = {}

        def rows(rule, side):
            key = (side, rule["rule"])
            if key not in sides:
                sides[key] = self.rows(rule[side])
            return sides[key]

        def alike(a, b):
            return all(len(rows(a, s) & rows(b, s)) >= 0.8 * len(rows(a, s) | rows(b, s))
                       for s in ("antecedent", "consequent"))
        shares = set()
        for rule in self.rules("run"):
            found = sum(any(alike(rule, r) for other in list_ for r in (other, *([other["as_found"]]
                        if "as_found" in other else []))) for list_ in others)
            self.assertEqual(rule["found_again"], found / 3, rule["rule"])
            shares.add(found)
        self.assertGreater(len(shares), 1)
        # A repeat is a run like others, with the seed that follows.
        self.mine("other", *SMALL, "--seed", 7)
        self.assertEqual(self.rules("other"), others[1])
        self.assertIn("seed 7", self.atoll("info", "run/repeat-2")[0])
        self.assertEqual([e["number"] for e in log(self.folder / "run") if e["event"] == "repeat"], [1, 2, 3])

    def test_is_a_column(self):
        self.mine("run", *REPEATED)
        self.assertIn("found_again", self.atoll("rules", "run")[0].split("\n")[0].split())
        first = self.atoll("rules", "run", "--sort", "found_again", "--format", "csv")[0]
        shares = [float(row["found_again"]) for row in csv.DictReader(first.splitlines())]
        self.assertEqual(shares, sorted(shares, reverse=True))
        few = self.atoll("rules", "run", "--where", "found_again > 0.5", "--format", "csv")[0]
        self.assertEqual(len(list(csv.DictReader(few.splitlines()))), sum(s > 0.5 for s in shares))
        self.mine("once", *SMALL, "--seed", 5)
        self.assertNotIn("found_again", self.atoll("rules", "once", "--format", "csv")[0])
        self.fails("rules", "once", "--sort", "found_again", status=64, says="atoll mine --repeat")
        self.fails("mine", TABLE, "-o", "none", "--repeat", "-1", status=64, says="--repeat: '-1'")
        self.fails("mine", TABLE, "-o", "none", "--repeat", "1001", status=64, says="--repeat is 1001")

    def test_is_the_same_on_ranks_and_after_stops(self):
        options = [*SMALL[:-1], 3, "--repeat", 3, "--holdout", "0.3"]
        self.mine("run", *options)
        whole = digest(self.folder / "run")
        err = self.mine("parts", *options, "--stop-after", "0.001s", "--checkpoint-every", 1, status=75)
        stopped_in = set()  # how many repeats had begun
        for job in range(12):
            self.assertIn("go on: atoll resume parts", err)
            stopped_in.add(sum((self.folder / f"parts/repeat-{i}").exists() for i in (1, 2, 3)))
            process = self.start("resume", "parts", *(("--stop-after", "0.001s") if job < 8 else ()))
            err = process.communicate()[1]
            if process.returncode != 75:
                break
            if job == 6:
                self.assertEqual(json.loads(self.atoll("info", "parts", "--json")[0])["state"], "unfinished")
        self.assertGreater(len(stopped_in), 2)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(digest(self.folder / "parts"), whole)
        self.assertEqual(json.loads(self.atoll("info", "parts", "--json")[0])["state"], "finished")
        self.assertIn("the run is finished already", self.atoll("resume", "parts")[1])
        self.assertEqual(digest(self.folder / "parts"), whole)
        # A repeat is on the rows of the run, and can be collected with it.
        self.atoll("collect", "run", "run/repeat-1", "-o", "all")
        self.need_mpi()
        for run, ranks, more in (("ranks", 2, ()), ("teams", 2, ("--team", 2))):
            self.mine(run, *options, *more, ranks=ranks)
            self.assertEqual(digest(self.folder / run), whole)

    def kill_while_writing(self, name, *words):
        self.let_fail(f"HANG /run/{name}")
        job = self.start(*words, start_new_session=True, **self.faulty)
        try:
            def is_writing():
                if job.poll() is not None:
                    raise AssertionError(f"it ended without {name}: {job.communicate()}")
                return any(self.folder.glob(f"run/{name}*.partial-*"))
            wait_for(is_writing)
            return self.atoll("info", "run")[0].splitlines()
        finally:
            kill_session(job.pid)
            job.communicate()

    def test_has_rules_once_the_search_has_ended(self):
        self.mine("whole", *REPEATED)
        whole = self.rules("whole")
        for rule in whole:
            del rule["found_again"]
        self.kill_while_writing("rules.csv", "mine", TABLE, "-o", "run", *REPEATED)
        self.assertIsNone(json.loads(self.atoll("info", "run", "--json")[0])["repeat"])
        lines = self.kill_while_writing("repeat-2/checkpoints/checkpoint-", "resume", "run")
        self.assertRegex(lines[0], "^run: run, running, .*, repeat 2 of 3$")
        self.assertEqual(self.rules("run"), whole)
        lines = self.atoll("info", "run")[0].splitlines()
        self.assertEqual(lines[0], "run: run, killed or lost, repeat 2 of 3")
        self.assertEqual(lines[-1], "go on: atoll resume run")
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual([info[key] for key in ("state", "repeat", "repeats")], ["unfinished", 2, 3])
        self.atoll("rules", "run")
        # A job that goes on in a repeat does not make the list before its end.
        written = (self.folder / "run/rules.json").stat().st_ino
        self.kill_while_writing("repeat-3/checkpoints/checkpoint-", "resume", "run")
        self.assertEqual((self.folder / "run/rules.json").stat().st_ino, written)
        self.let_fail()
        self.atoll("resume", "run")
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "whole"))
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual([info[key] for key in ("state", "repeat", "repeats")], ["finished", None, 3])

    def test_a_signal_stops_a_repeat_and_force_replaces_all(self):
        process = self.start("mine", TABLE, "-o", "run", *SMALL[:-2], "--time-limit", "1s", "--patience", 0,
                             "--repeat", 100)
        err = self.signal_when_mining(process, "run/repeat-1", signal.SIGUSR1)[1]
        self.assertEqual(process.returncode, 75, err)
        self.assertIn("go on: atoll resume run", err)
        self.assertNotIn("found_again", self.rules("run")[0])
        self.assertEqual(log(self.folder / "run")[-1]["reason"], "signal")
        self.mine("run", *SMALL, "--force")
        self.assertFalse((self.folder / "run" / "repeat-1").exists())


if __name__ == "__main__":
    unittest.main()
