"""Rules that say that a value is missing, or known."""

import csv
import json
import random
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 10, "--population", 60)


class MissingValues(EndToEnd):
    def labs(self, name="labs.csv"):
        """Labs are taken together, of few who die; a stay without a reason is rare."""
        draw = random.Random(5)
        lines = ["age,lab1,lab2,ward,note,state"]
        for row in range(3000):
            dead = draw.random() < 0.2
            taken = draw.random() < (0.15 if dead else 0.95)
            labs = f"{draw.gauss(5, 2):.1f},{draw.gauss(1, 0.3):.2f}" if taken else ","
            note = "" if row % 1000 == 0 else draw.choice("xyz")
            lines.append(f"{draw.randint(20, 90)},{labs},{draw.choice('abc')},{note},"
                         f"{'dead' if dead else 'alive'}")
        return self.write(name, "\n".join(lines) + "\n")

    def rules(self, run):
        return json.loads((self.folder / run / "rules.json").read_text())

    def presences(self, run, side="antecedent"):
        return {(c["attribute"], "is missing" if c["relation"] == "=" else "is known")
                for rule in self.rules(run) for c in rule[side] if c["values"] == [None]}

    def test_are_found_on_every_backend(self):
        _, err = self.atoll("mine", self.labs(), "-o", "run", *SMALL, "--target", "state = dead")
        self.assertIn("lab1 and lab2 are missing together", err)
        best = self.rules("run")[0]
        self.assertIn(best["rule"], ("lab1 is missing => state = dead", "lab2 is missing => state = dead"))
        self.assertEqual(best["antecedent"][0]["values"], [None])
        with (self.folder / "labs.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["lab1"] == ""]
        self.assertEqual(best["counts"]["antecedent"], len(rows))
        self.assertEqual(best["counts"]["both"], sum(row["state"] == "dead" for row in rows))
        self.assertFalse(self.presences("run", "consequent"))
        self.assertFalse([p for p in self.presences("run") if p[0] not in ("lab1", "lab2")])
        self.atoll("mine", "labs.csv", "-o", "reference", *SMALL, "--target", "state = dead",
                   "--backend", "reference")
        self.assertEqual(digest(self.folder / "reference"), digest(self.folder / "run"))
        out, _ = self.atoll("rules", "run", "--where", "lab1 is missing in antecedent")
        self.assertIn("lab1 is missing", out)
        self.assertNotIn("lab2 is known", out)
        out, _ = self.atoll("rules", "run", "--on", "labs.csv", "--format", "json")
        again = json.loads(out)[0]
        self.assertEqual(again["on"]["counts"]["both"] if "counts" in again["on"] else again["on"]["both"],
                         best["counts"]["both"])

    def test_are_left_out_unless_asked_for(self):
        self.atoll("mine", self.labs(), "-o", "none", *SMALL, "--target", "state=*",
                   "--no-missing-comparisons")
        self.assertFalse(self.presences("none"))
        self.assertIn("\nmissing_comparisons = false\n",
                      (self.folder / "none" / "config.toml").read_text())
        self.write("options.toml", "no-missing-comparisons = true\n")
        self.atoll("mine", "labs.csv", "-o", "file", *SMALL, "--target", "state=*",
                   "--config", "options.toml")
        self.assertEqual(digest(self.folder / "file"), digest(self.folder / "none"))

    def test_those_that_only_tell_of_each_other_are_definitions(self):
        self.atoll("mine", self.labs(), "-o", "run", *SMALL)
        for rule in self.rules("run"):
            said = {(c["attribute"], c["relation"].startswith("is ")) for c in rule["antecedent"]}
            about = {c["attribute"] for c in rule["consequent"]}
            if ("lab1", True) in said and "lab2" in about:
                self.assertEqual(rule["kind"], "definition", rule["rule"])

    def test_can_be_a_target_and_are_terms_of_grammars(self):
        self.atoll("mine", self.labs(), "-o", "target", *SMALL, "--target", "lab1 is missing",
                   "--exclude", "lab2")
        rule = self.rules("target")[0]
        self.assertEqual((rule["rule"], rule["counts"]["missing_consequent"]),
                         ("state = dead => lab1 is missing", 0))
        self.write("my.bnf", "<r> ::= <missing(lab1)> => <equal(state)>\n")
        self.atoll("mine", "labs.csv", "-o", "own", *SMALL, "--grammar", "my.bnf")
        self.assertEqual(self.rules("own")[0]["rule"], "lab1 is missing => state = dead")
        self.fails("mine", "labs.csv", "-o", "x", "--target", "lab1 is gone", status=64,
                   says="found 'gone', expected missing or known")


class Predictions(EndToEnd):
    def test_have_labels_as_they_are_and_columns_that_are_kept(self):
        draw = random.Random(2)
        lines = ["case,size,colour,sign"]
        for row in range(400):
            size = draw.randint(1, 100)
            lines.append(f"{row:04d},{size},{draw.choice(['red', 'blue'])},{'+' if size > 50 else '-'}")
        table = self.write("signs.csv", "\n".join(lines) + "\n")
        self.atoll("classify", "train", table, "-o", "run", "--target", "sign", "--exclude", "case",
                   "--generations", 5)
        out, err = self.atoll("classify", "predict", "run", table, "--keep", "case,size")
        rows = list(csv.DictReader(out.splitlines()))
        self.assertEqual((rows[7]["case"], rows[7]["size"]), tuple(lines[8].split(",")[:2]))
        self.assertEqual({row["class"] for row in rows}, {"+", "-"})
        self.assertIn("400 rows written", err)
        out, _ = self.atoll("classify", "predict", "run", table, "--for-spreadsheets")
        self.assertEqual({row["class"] for row in csv.DictReader(out.splitlines())}, {"'+", "'-"})
        self.fails("classify", "predict", "run", table, "--keep", "class", status=64,
                   says="--keep: predict writes a column 'class' of its own")
        self.fails("classify", "predict", "run", table, "--keep", "cas", status=65, says="did you mean 'case'?")
        self.fails("classify", "predict", "run", table, "--keep", "case,case", status=64, says="'case' is there twice")
        self.fails("classify", "predict", "run", table, "--keep", "case,", status=64, says="between commas is empty")


if __name__ == "__main__":
    unittest.main()
