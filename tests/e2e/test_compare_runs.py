"""atoll compare of two runs: what both have found, and what only one."""

import csv
import io
import json
import random
import unittest

from harness import EndToEnd

SMALL = ("--generations", 6, "--population", 40, "--target", "y=*", "--top", 12)


class CompareRuns(EndToEnd):
    def table(self, name, seed=5, rows=800):
        draw = random.Random(seed)
        lines = ["a,b,c,y"]
        for _ in range(rows):
            a, b = draw.randrange(100), draw.choice("pqr")
            y = int(draw.random() < (0.8 if a > 60 and b == "q" else 0.2))
            lines.append(f"{a},{b},{draw.randrange(50)},{'yes' if y else 'no'}")
        return self.write(name, "\n".join(lines) + "\n")

    def mine(self, data, *runs):
        for run, *options in runs:
            self.atoll("mine", data, "-o", run, *SMALL, *options)

    def compared(self, *words):
        return json.loads(self.atoll("compare", *words, "--format", "json")[0])

    def test_by_the_rows_of_the_data_of_both(self):
        self.mine(self.table("t.csv"), ("a", "--seed", 1), ("b", "--seed", 2))
        same = self.compared("a", "a")
        self.assertEqual([run["rule"] for run in same["runs"]], [run["rules"] for run in same["runs"]])
        found = self.compared("a", "b")
        rules = json.loads((self.folder / "a" / "rules.json").read_text())
        first, second = found["runs"]
        self.assertEqual(first["best"], max(r["measures"]["leverage"] for r in rules if r["kind"] == "rule"))
        self.assertGreater(first["figure_of_merit"], 0)
        for run in found["runs"]:
            self.assertEqual(sum(run[key] for key in ("rule", "rows", "alike", "none")), run["rules"])
            self.assertGreater(run["rules"] - run["none"], 0)
        for rule in found["rules"]:
            least = {"rule": 1, "rows": 1, "alike": 0.8, "none": 0}[rule["shared"]]
            self.assertGreaterEqual(rule["jaccard"] or 0, least)
        table, _ = self.atoll("compare", "a", "b")
        for line in ("by leverage", "figure of merit", "the other run has the rule", "has none of these"):
            self.assertIn(line, table)
        rows = list(csv.DictReader(io.StringIO(self.atoll("compare", "a", "b", "--format", "csv")[0])))
        self.assertEqual([row["rule"] for row in rows], [rule["rule"] for rule in found["rules"]])
        self.assertEqual(len(self.compared("a", "b", "--top", 3)["rules"]), 6)

    def test_by_text_where_the_data_are_others(self):
        self.mine(self.table("t.csv"), ("a", "--seed", 1))
        self.mine(self.table("u.csv", 6), ("b", "--seed", 1))
        out, err = self.atoll("compare", "a", "b", "--format", "json")
        self.assertIn("the runs are on other data, so rules are compared by their text; --on DATA", err)
        found = json.loads(out)
        self.assertIsNone(found["data"])
        self.assertEqual({rule["jaccard"] for rule in found["rules"]}, {None})
        self.assertIsNone(found["runs"][0]["figure_of_merit"])
        on = self.compared("a", "b", "--on", "u.csv")
        self.assertEqual(on["data"], "u.csv")
        self.assertGreater(on["runs"][0]["figure_of_merit"], 0)

    def test_what_cannot_be_compared_is_refused(self):
        self.mine(self.table("t.csv"), ("a",))
        self.atoll("mine", "t.csv", "-o", "mean", "--generations", 2, "--population", 20, "--target", "mean(c)")
        self.fails("compare", "a", "mean", status=64, says="mean mines rules about a mean, the other run does not")
        (self.folder / "empty").mkdir()
        self.fails("compare", "a", "empty", status=66, says="empty")
        self.atoll("enumerate", "t.csv", "-o", "best.json", "--max-bins", 4)
        self.fails("compare", "a", "best.json", "--on", "t.csv", status=64, says="--on is for two runs")
        self.fails("compare", "a", "a", "--on", "absent.csv", status=66, says="absent.csv")


if __name__ == "__main__":
    unittest.main()
