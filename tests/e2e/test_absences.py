"""Tables that list what is there, such as market baskets with a column for each item."""

import json
import random
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 15, "--population", 60)
ITEMS = 20


class Absences(EndToEnd):
    def baskets(self, name="baskets.csv", there="1", absent="0"):
        """Items in a twentieth of the rows, but for pairs that go together."""
        draw = random.Random(1)
        lines = [",".join(f"i{item}" for item in range(ITEMS))]
        for _ in range(3000):
            row = [draw.random() < 0.05 for _ in range(ITEMS)]
            for item in range(0, ITEMS, 4):
                row[item + 1] = row[item + 1] or (row[item] and draw.random() < 0.8)
            lines.append(",".join(there if has else absent for has in row))
        return self.write(name, "\n".join(lines) + "\n")

    def rules(self, run):
        return json.loads((self.folder / run / "rules.json").read_text())

    def comparisons(self, run):
        return {(c["relation"], *c["values"]) for rule in self.rules(run)
                for side in ("antecedent", "consequent") for c in rule[side]}

    def test_are_left_out_of_baskets_unless_asked_for(self):
        line = "20 of 20 attributes are items, there on 6%"
        _, err = self.atoll("mine", self.baskets(), "-o", "run", *SMALL)
        self.assertIn(line, err)
        self.assertIn("no rule says that one is absent (--absences: rules may)", err)
        self.assertEqual(self.comparisons("run"), {("=", 1)})
        pairs = {f"i{item} = 1 => i{item + 1} = 1" for item in range(0, ITEMS, 4)}
        pairs |= {f"i{item + 1} = 1 => i{item} = 1" for item in range(0, ITEMS, 4)}
        for rule in self.rules("run")[:5]:
            self.assertIn(rule["rule"], pairs)
        self.assertNotIn("absences", (self.folder / "run" / "config.toml").read_text())

        _, err = self.atoll("mine", "baskets.csv", "-o", "with", *SMALL, "--absences")
        self.assertNotIn(line, err)
        self.assertTrue(self.comparisons("with") & {("=", 0), ("<=", 0), ("!=", 1)})
        self.assertIn("\nabsences = true\n", (self.folder / "with" / "config.toml").read_text())
        self.write("options.toml", "absences = true\n")
        self.atoll("mine", "baskets.csv", "-o", "file", *SMALL, "--config", "options.toml")
        self.assertEqual(digest(self.folder / "file"), digest(self.folder / "with"))
        _, err = self.atoll("mine", "baskets.csv", "-o", "without", *SMALL, "--no-absences",
                            "--config", "options.toml")
        self.assertNotIn(line, err)
        self.assertEqual(digest(self.folder / "without"), digest(self.folder / "run"))
        self.assertIn("\nabsences = false\n", (self.folder / "without" / "config.toml").read_text())

    def test_labels_mean_the_same(self):
        self.atoll("mine", self.baskets(there="Yes", absent="no"), "-o", "run", *SMALL)
        self.assertEqual(self.comparisons("run"), {("=", "Yes")})
        self.atoll("mine", self.baskets(there="T", absent="F"), "-o", "full", *SMALL, "--grammar",
                   "association-full", "--archive-by", "contrast")
        self.assertEqual(self.comparisons("full"), {("=", "T")})
        for rule in self.rules("full"):
            self.assertNotIn("NOT", rule["rule"])

    def test_what_is_named_stands(self):
        self.baskets()
        self.atoll("mine", "baskets.csv", "-o", "run", *SMALL, "--target", "i1 = 0",
                   "--max-consequent", 1)
        self.assertTrue(self.rules("run"))
        for rule in self.rules("run"):
            self.assertEqual(rule["consequent"],
                             [{"attribute": "i1", "relation": "=", "values": [0]}])
            self.assertEqual({(c["relation"], *c["values"]) for c in rule["antecedent"]}, {("=", 1)})

    def test_other_tables_are_as_ever(self):
        self.atoll("mine", self.table(), "-o", "run", *SMALL)
        _, err = self.atoll("mine", self.table(), "-o", "without", *SMALL, "--no-absences")
        self.assertNotIn("changes nothing", err)  # class is yes or no
        values = {c["values"][0] for rule in self.rules("without")
                  for side in ("antecedent", "consequent") for c in rule[side]
                  if c["attribute"] == "class"}
        self.assertEqual(values, {"yes"})
        values = {c["values"][0] for rule in self.rules("run")
                  for side in ("antecedent", "consequent") for c in rule[side]
                  if c["attribute"] == "class"}
        self.assertEqual(values, {"yes", "no"})
        self.write("plain.csv", "\n".join(["a,b"] + [f"{n % 13},{n % 7}" for n in range(900)]) + "\n")
        _, err = self.atoll("mine", "plain.csv", "-o", "plain", *SMALL, "--no-absences")
        self.assertIn("warning: --no-absences changes nothing: no attribute has just the values", err)

    def test_the_same_bytes_on_threads_ranks_and_after_a_stop(self):
        table = self.baskets()
        for preset in ("niching", "g3parm"):
            options = (*SMALL, "--preset", preset, "--min-support", "1%", "--min-confidence", 0)
            self.atoll("mine", table, "-o", "one", "--force", *options, "--threads", 1)
            expected = digest(self.folder / "one")
            self.assertTrue(self.rules("one"))
            self.atoll("mine", table, "-o", "two", "--force", *options, "--threads", 2)
            self.assertEqual(digest(self.folder / "two"), expected)
            self.atoll("mine", table, "-o", "stopped", "--force", *options, "--stop-after", "0.001s",
                       status=75)
            self.atoll("resume", "stopped")
            self.assertEqual(digest(self.folder / "stopped"), expected)
            if preset == "g3parm":
                continue
            self.need_mpi()
            self.atoll("mine", table, "-o", "ranks", *options, ranks=3)
            self.assertEqual(digest(self.folder / "ranks"), expected)


if __name__ == "__main__":
    unittest.main()
