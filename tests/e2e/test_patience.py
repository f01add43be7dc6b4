"""The limits of a search, and what it says of how it has ended."""

import json
import unittest

from harness import GOLDEN, EndToEnd, digest, log

TABLE = GOLDEN / "table.csv"
SMALL = ["--population", 24, "--islands", 4, "--max-bins", 16, "--top", 5, "--threads", 1, "--bounds", "binned"]
IMPATIENT = [*SMALL, "--generations", 3000, "--patience", 20]


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


if __name__ == "__main__":
    unittest.main()
