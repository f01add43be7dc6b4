"""The limits of a search, and what it says of how it has ended."""

import json
import unittest

from harness import GOLDEN, EndToEnd, digest, kill_session, log, wait_for

TABLE = GOLDEN / "table.csv"
SMALL = ["--population", 24, "--islands", 4, "--max-bins", 16, "--top", 5, "--threads", 1, "--bounds", "binned"]
IMPATIENT = [*SMALL, "--generations", 3000, "--patience", 20]
LISTS = ["--class", "outcome", "--population", 8, "--islands", 3, "--migrants", 2, "--max-bins", 16,
         "--max-rules", 3, "--threads", 1]
SHORT = [*LISTS, "--patience", 10]


class Patience(EndToEnd):
    def mine(self, run, *options, **how):
        return self.atoll("mine", TABLE, "-o", run, *options, **how)[1].splitlines()

    def end(self, run):
        return log(self.folder / run)[-1]

    def test_ends_a_search_that_gains_no_more(self):
        lines = self.mine("run", *IMPATIENT)
        end = self.end("run")
        self.assertEqual(end["reason"], "finished")
        self.assertEqual(end["generation"] - end["last_gain"], 20)
        self.assertLess(end["generation"], 3000)
        self.assertIn(f"the search is done: no gain of 0.1% since generation {end['last_gain']} "
                      "(--patience 20)", lines)
        self.assertIn("\npatience = 20\n", (self.folder / "run" / "config.toml").read_text())
        state = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual((state["state"], state["generation"]), ("finished", end["generation"]))
        self.mine("longer", *SMALL, "--generations", end["generation"] + 30, "--patience", 0)
        self.assertEqual(self.end("longer")["generation"], end["generation"] + 30)
        self.assertNotIn("last_gain", self.end("longer"))

    def test_is_the_same_on_ranks_and_after_stops(self):
        self.mine("run", *IMPATIENT)
        whole = digest(self.folder / "run")
        lines = self.mine("parts", *IMPATIENT, "--stop-after", "0.01s", "--checkpoint-every", 1, status=75)
        self.assertTrue(lines[-1].startswith("go on: "), lines)
        self.atoll("resume", "parts", "--checkpoint-every", 1)
        self.assertEqual(digest(self.folder / "parts"), whole)
        self.assertEqual(self.end("parts")["last_gain"], self.end("run")["last_gain"])
        self.need_mpi()
        for run, ranks, options in (("ranks", 3, ()), ("teams", 4, ("--team", 2))):
            self.mine(run, *IMPATIENT, *options, ranks=ranks)
            self.assertEqual(digest(self.folder / run), whole)

    def test_a_time_alone_is_the_only_limit(self):
        lines = self.mine("run", *SMALL, "--time-limit", "60s", "--patience", 5)
        end = self.end("run")
        self.assertEqual(end["reason"], "finished")
        self.assertIn("\ngenerations = 4294967294\n", (self.folder / "run" / "config.toml").read_text())
        self.assertTrue(any(line.startswith(f"finished after generation {end['generation']}: ")
                            for line in lines), lines)
        self.assertIn(f"\ngeneration  {end['generation']}, ", self.atoll("info", "run")[0])
        self.assertIsNone(json.loads(self.atoll("info", "run", "--json")[0])["generations"])
        self.mine("both", *SMALL, "--time-limit", "60s", "--generations", 7)
        self.assertEqual(self.end("both")["generation"], 7)

    def test_says_what_more_would_bring(self):
        lines = self.mine("run", *SMALL, "--generations", 10)
        self.assertEqual(lines[-2:], ["still gaining, last in generation 10: try --generations 40",
                                      "print them: atoll rules run"])

    def test_nothing_that_was_found_is_not_to_be_printed(self):
        lines = self.mine("run", *SMALL, "--generations", 2, "--min-confidence", 1, "--min-support", "85%")
        self.assertTrue(lines[-1].startswith("finished after generation 2 of 2: 0 rules"), lines)


class ListPatience(EndToEnd):
    """Of searches for decision lists, whose limit of generations is 1000."""

    def train(self, run, *options, **how):
        return self.atoll("classify", "train", TABLE, "-o", run, *options, **how)[1].splitlines()

    def end(self, run):
        return log(self.folder / run)[-1]

    def cv(self, *options, **how):
        out, err = self.atoll("classify", "cv", TABLE, *options, "--folds", 3, "--json", **how)
        record = json.loads(out)
        for one in (record, *record["folds"]):
            one.pop("seconds")
        return record, err

    def test_ends_a_search_that_gains_no_more(self):
        lines = self.train("run", *SHORT)
        end = self.end("run")
        self.assertEqual(end["reason"], "finished")
        self.assertEqual(end["generation"] - end["last_gain"], 10)
        self.assertLess(end["generation"], 1000)
        self.assertEqual(lines[-2:], ["the search is done: no gain of 1% since generation "
                                      f"{end['last_gain']} (--patience 10)",
                                      "print them: atoll classify rules run"])
        self.assertIn("\npatience = 10\n", (self.folder / "run" / "config.toml").read_text())
        self.assertEqual(json.loads(self.atoll("info", "run", "--json")[0])["state"], "finished")
        self.train("longer", *LISTS, "--generations", end["generation"] + 5, "--patience", 0)
        self.assertEqual(self.end("longer")["generation"], end["generation"] + 5)
        self.assertNotIn("last_gain", self.end("longer"))

    def test_is_the_same_on_ranks_and_after_stops(self):
        self.train("run", *SHORT)
        whole, last = digest(self.folder / "run"), self.end("run")
        self.train("parts", *SHORT, "--stop-after", "0.001s", status=75)
        self.atoll("resume", "parts")
        self.let_fail("HANG checkpoint-0000000013")
        process = self.start("classify", "train", TABLE, "-o", "killed", *SHORT, "--checkpoint-every", 1,
                             start_new_session=True, **self.faulty)
        killed = self.folder / "killed"
        try:
            wait_for(lambda: (killed / "log.jsonl").exists() and any(
                event["event"] == "checkpoint" and event["generation"] == 12
                for event in log(killed, running=True)))
        finally:
            kill_session(process.pid)
            process.communicate()
        self.atoll("resume", "killed")
        for run in ("parts", "killed"):
            self.assertEqual(digest(self.folder / run), whole)
            self.assertEqual(self.end(run)["last_gain"], last["last_gain"])
        self.need_mpi()
        self.train("ranks", *SHORT, ranks=3)
        self.assertEqual(digest(self.folder / "ranks"), whole)

    def test_says_what_more_would_bring(self):
        lines = self.train("run", *LISTS, "--generations", 5)
        self.assertEqual(lines[-2], "still gaining, last in generation 5: try --generations 20")

    def test_ends_the_searches_of_folds(self):
        record, err = self.cv(*SHORT)
        for fold in record["folds"]:
            self.assertEqual(fold["generations"] % 10, 0)
            self.assertLess(fold["generations"], 1000)
        self.assertNotIn("still gaining", err)
        few, err = self.cv(*LISTS, "--generations", 5)
        self.assertEqual([fold["generations"] for fold in few["folds"]], [5, 5, 5])
        self.assertIn("\nstill gaining at the limit in 3 of 3 folds: try --generations 20\n", err)
        _, err = self.cv(*LISTS, "--generations", 5, "--patience", 0)
        self.assertNotIn("still gaining", err)
        self.need_mpi()
        self.assertEqual(self.cv(*SHORT, ranks=2)[0], record)


if __name__ == "__main__":
    unittest.main()
