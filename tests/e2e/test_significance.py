"""Rows held out, and rules on other data."""

import csv
import io
import json
import unittest

from harness import EndToEnd, digest, log

SMALL = ("--generations", 10, "--population", 40)
HOLD_OUT = SMALL + ("--holdout", "30%", "--significance", "0.05")


class Significance(EndToEnd):
    def planted(self, rules, seed, rows=5000):
        name = f"planted-{rules}-{seed}.csv"
        self.atoll("generate", "planted", "-o", name, "--rules", rules, "--rows", rows, "--seed",
                   seed)
        return name

    def rules(self, run, *options):
        return json.loads(self.atoll("rules", run, "--format", "json", *options)[0])

    def test_nothing_is_significant_where_nothing_is_related(self):
        for seed in range(1, 7):
            _, err = self.atoll("mine", self.planted(0, seed), "-o", f"run{seed}", "--seed", seed,
                                *HOLD_OUT)
            self.assertRegex(err, "significant on the rows held out, at 0.05 after Holm's adjustment: 0 of "
                                  r"\d{3} rules\n")
            self.assertEqual((self.folder / f"run{seed}" / "rules.json").read_text(), "[]\n")
            out, err = self.atoll("rules", f"run{seed}", "--format", "csv")
            self.assertEqual(out, (self.folder / f"run{seed}" / "rules.csv").read_text())
            self.assertTrue(out.splitlines()[0].endswith(
                ",holdout_p_holm,holdout_p_bh,reversed_confidence,adds,new_rows,strongest_of,variant_of,kind"))
            self.assertIn("no significant rules", err)

    def test_real_rules_are_found_and_figures_are_consistent(self):
        self.atoll("mine", self.planted(10, 3, 10_000), "-o", "all", *SMALL, "--holdout", 0.3)
        self.atoll("mine", "planted-10-3.csv", "-o", "run", *HOLD_OUT)
        everything, rules = self.rules("all"), self.rules("run")
        # More rules are tested as one family than the list has room for.
        tested = {r["rule"]: r["holdout"]["p_holm"] for r in everything}
        both = [r["rule"] for r in rules if r["rule"] in tested]
        self.assertEqual(both, [rule for rule in tested if rule in set(both)])
        self.assertGreater(len(both), 10)
        for rule in rules:
            self.assertLessEqual(rule["holdout"]["p_holm"], 0.05)
            self.assertLessEqual(tested.get(rule["rule"], 0), rule["holdout"]["p_holm"])
        self.assertGreater(len(rules), 10)
        self.assertLess(len(rules), len(everything))
        self.assertEqual([r["id"] for r in rules], list(range(1, len(rules) + 1)))
        for rule in everything:
            held = rule["holdout"]
            self.assertEqual(rule["counts"]["n"] + held["counts"]["n"], 10_000)
            self.assertLessEqual(held["p_value"], held["p_productive"])
            self.assertLessEqual(held["p_productive"], held["p_bh"])
            self.assertLessEqual(held["p_bh"], held["p_holm"])
            confidence = held["measures"]["confidence"]
            if confidence is not None:
                self.assertLessEqual(held["confidence_low"], confidence)
                self.assertLessEqual(confidence, held["confidence_high"])
        rows = sum(r["rows_held_out"] for r in log(self.folder / "run") if r["event"] == "start")
        self.assertEqual(rows, rules[0]["holdout"]["counts"]["n"])
        text, _ = self.atoll("info", "run")
        self.assertIn("rows held out: 0.3 of all; rules significant on them, at 0.05\n", text)
        self.assertIn("holdout_p_holm", text)
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual((info["holdout"], info["significance"]), (0.3, 0.05))
        table, _ = self.atoll("rules", "run", "--sort", "holdout_p_holm asc", "--top", 3)
        self.assertIn("holdout_confidence", table)
        csv_rows = list(csv.DictReader(io.StringIO(self.atoll("rules", "run", "--format", "csv",
                                                              "--where", "holdout_lift > 1")[0])))
        self.assertEqual(len(csv_rows), len(rules))
        self.assertEqual(float(csv_rows[0]["holdout_p_holm"]), rules[0]["holdout"]["p_holm"])

    def test_no_p_is_0(self):
        least = 2.2250738585072014e-308
        lines = ["a,b,x"] + [f"{n % 2},{n % 2},{n * 7919 % 101}" for n in range(6000)]
        table = self.write("certain.csv", "\n".join(lines) + "\n")
        self.atoll("mine", table, "-o", "run", *SMALL, "--holdout", 0.5, "--measures",
                   "lift,fishers_exact_test", "--definitions", "include")
        self.write("turned.csv", "\n".join(lines[:1] + [
            f"{n % 2},{(n + n // 2) % 2},{n % 101}" for n in range(6000)]) + "\n")
        rules = self.rules("run", "--on", "turned.csv")
        self.assertEqual(rules[0]["measures"]["fishers_exact_test"], least)
        self.assertEqual(rules[0]["holdout"]["p_value"], least)
        self.assertEqual(rules[0]["on"]["p_change"], least)
        for rule in rules:
            for p in (rule["measures"]["fishers_exact_test"], rule["on"]["p_change"],
                      *(rule["holdout"][key] for key in ("p_value", "p_productive", "p_holm", "p_bh"))):
                self.assertGreaterEqual(p, least)
        text, _ = self.atoll("rules", "run", "--on", "turned.csv", "--sort=-on_p_change,-id")
        self.assertIn("2.225e-308", text)
        for row in csv.DictReader(io.StringIO((self.folder / "run" / "rules.csv").read_text())):
            for name in ("fishers_exact_test", "holdout_p_value", "holdout_p_holm", "holdout_p_bh"):
                self.assertGreaterEqual(float(row[name]), least)

    def test_the_same_bytes_on_ranks_threads_backends_and_after_a_stop(self):
        table = self.planted(10, 3)
        options = HOLD_OUT + ("--measures", "all")
        self.atoll("mine", table, "-o", "one", *options, "--threads", 1)
        expected = digest(self.folder / "one")
        self.atoll("mine", table, "-o", "two", *options, "--threads", 2)
        self.assertEqual(digest(self.folder / "two"), expected)
        self.atoll("mine", table, "-o", "reference", *options, "--backend", "reference")
        self.assertEqual(digest(self.folder / "reference"), expected)
        self.atoll("mine", table, "-o", "stopped", *options, "--stop-after", "0.001s", status=75)
        self.atoll("resume", "stopped")
        self.assertEqual(digest(self.folder / "stopped"), expected)
        self.need_mpi()
        self.atoll("mine", table, "-o", "ranks", *options, ranks=3)
        self.assertEqual(digest(self.folder / "ranks"), expected)

    def test_without_rows_held_out_nothing_is_said_of_them(self):
        self.atoll("mine", self.table(), "-o", "run", *SMALL)
        self.assertNotIn("holdout", (self.folder / "run" / "rules.json").read_text())
        self.assertNotIn("holdout", (self.folder / "run" / "rules.csv").read_text())
        config = (self.folder / "run" / "config.toml").read_text()
        self.assertIn("\nholdout = 0\nsignificance = 0\n", config)

    def test_what_cannot_be_held_out_or_tested_is_refused(self):
        table = self.table()
        for options, says in ((("--significance", 0.05), "--significance needs --holdout"),
                              (("--holdout", 0.95), "--holdout is 0.95, expected 0 to 0.9"),
                              (("--holdout", 0.3, "--significance", 2), "--significance: "),
                              (("--measures", "phi,psi"),
                               "--measures: unknown measure 'psi', did you mean 'phi'"),
                              (("--measures", "phi,phi"), "--measures: measure 'phi' occurs twice")):
            self.fails("mine", table, "-o", "run", *options, status=64, says=says)
        self.write("tiny.csv", "a,b\n1,x\n2,y\n")
        self.fails("mine", "tiny.csv", "-o", "run", "--holdout", "1e-9", status=64,
                   says="--holdout 1e-09 of 2 rows leaves 2 to search and 0 to test")

    def test_measures_are_those_asked_for(self):
        self.atoll("mine", self.table(), "-o", "run", *SMALL, "--measures", "phi,conviction")
        header = (self.folder / "run" / "rules.csv").read_text().splitlines()[0]
        self.assertIn(",comparisons,phi,conviction,generation,", header)
        self.assertEqual(list(self.rules("run")[0]["measures"]), ["phi", "conviction"])
        out, _ = self.atoll("rules", "run", "--measures", "all", "--format", "csv")
        self.assertIn(",importance,lambda,contrast,generation,", out.splitlines()[0])
        out, _ = self.atoll("rules", "run", "--measures", "yule_q")
        self.assertEqual(out.split()[:4], ["id", "rule", "n_both", "yule_q"])
        self.assertTrue(self.rules("run", "--where", "chi_squared > 100", "--sort", "jaccard"))
        values = [r["measures"]["contrast"]
                  for r in self.rules("run", "--measures", "contrast", "--sort", "contrast")]
        self.assertNotIn(None, values)
        self.assertEqual(values, sorted(values, reverse=True))


class OtherData(EndToEnd):
    def mine(self):
        self.atoll("mine", self.table(), "-o", "run", *SMALL)
        return json.loads(self.atoll("rules", "run", "--format", "json")[0])

    def on(self, data, *options, **more):
        out, err = self.atoll("rules", "run", "--on", data, "--format", "json", *options, **more)
        return json.loads(out), err

    def test_on_the_same_data_every_count_is_the_same(self):
        before = self.mine()
        for data in ("table.csv", "run/data.h5"):
            after, err = self.on(data)
            self.assertIn(f"{len(before)} rules on {data}: {len(before)} kept their confidence, "
                          "0 fell, 0 rose, 0 no longer apply", err)
            for old, new in zip(before, after):
                self.assertEqual(new["on"]["counts"], old["counts"])
                self.assertEqual(new["on"]["measures"], old["measures"])
                self.assertEqual((new["on"]["change"], new["on"]["p_change"]), (0, 1))
                self.assertEqual({k: v for k, v in new.items() if k != "on"}, old)

    def test_data_come_from_standard_input_as_well(self):
        rules = self.mine()
        with open(self.folder / "table.csv", encoding="utf-8") as table:
            after, err = self.on("-", stdin=table)
        self.assertIn(f"{len(rules)} rules on standard input: {len(rules)} kept", err)
        self.assertEqual([r["on"]["counts"] for r in after], [r["counts"] for r in rules])

    def test_what_changed_is_counted_by_values_not_by_codes(self):
        rules = self.mine()
        lines = (self.folder / "table.csv").read_text().splitlines()
        # Reordered columns, other labels, numbers that were not there, one class turned round.
        rows = [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]
        for row in rows[::2]:
            row["class"] = {"yes": "no", "no": "yes"}[row["class"]]
        for row in rows[1::4]:
            row["colour"] = "azure"
        for row in rows[::5]:
            row["x"] = str(float(row["x"]) + 0.5)
        names = ["class", "y", "colour", "x"]
        self.write("other.csv", "\n".join([",".join(names)] + [
            ",".join(row[name] for name in names) for row in rows]) + "\n")
        after, err = self.on("other.csv")
        compare = {"=": lambda a, v: a == v[0], "<=": lambda a, v: a <= v[0],
                   ">": lambda a, v: a > v[0], "in": lambda a, v: v[0] <= a <= v[1]}

        def holds(side, row):
            return all(compare[c["relation"]](
                float(row[c["attribute"]]) if c["attribute"] in "xy" else row[c["attribute"]],
                c["values"]) for c in side)

        for rule in after:
            antecedent = [row for row in rows if holds(rule["antecedent"], row)]
            both = sum(holds(rule["consequent"], row) for row in antecedent)
            self.assertEqual(rule["on"]["counts"]["antecedent"], len(antecedent), rule["rule"])
            self.assertEqual(rule["on"]["counts"]["both"], both, rule["rule"])
        drift = [rule["on"]["drift"] for rule in after]
        self.assertIn("fell", drift)
        for state, words in (("kept", "kept their confidence"), ("fell", "fell"), ("rose", "rose"),
                             ("gone", "no longer apply")):
            self.assertIn(f" {drift.count(state)} {words}", err)
        self.assertEqual(len(after), len(rules))

        worst = self.on("other.csv", "--sort", "on_change asc", "--top", 3)[0]
        changes = sorted(r["on"]["change"] for r in after if r["on"]["change"] is not None)
        self.assertEqual([r["on"]["change"] for r in worst], changes[:3])
        table, _ = self.atoll("rules", "run", "--on", "other.csv", "--where", "on_lift > 1")
        self.assertIn("on_confidence", table)
        rows = list(csv.DictReader(io.StringIO(
            self.atoll("rules", "run", "--on", "other.csv", "--format", "csv")[0])))
        self.assertEqual([row["on_drift"] for row in rows], drift)
        self.assertEqual([int(row["on_n_both"]) for row in rows],
                         [rule["on"]["counts"]["both"] for rule in after])

    def test_labels_that_are_gone_hold_on_no_row(self):
        self.mine()
        text = (self.folder / "table.csv").read_text()
        self.write("other.csv", text.replace(",red,", ",crimson,"))
        after, err = self.on("other.csv", "--where", "comparisons >= 2")
        gone = [r for r in after if any(c["values"] == ["red"] for c in r["antecedent"])]
        self.assertTrue(gone)
        for rule in gone:
            self.assertEqual(rule["on"]["counts"]["antecedent"], 0)
            self.assertIsNone(rule["on"]["change"])
            self.assertEqual(rule["on"]["drift"], "gone")

    def test_numbers_in_place_of_labels_are_other_labels(self):
        self.mine()
        text = (self.folder / "table.csv").read_text()
        self.write("other.csv", text.replace(",yes", ",1").replace(",no", ",0.5"))
        for rule in self.on("other.csv")[0]:
            if rule["consequent"][0]["attribute"] == "class":
                self.assertEqual(rule["on"]["counts"]["both"], 0)

    def test_columns_that_hold_one_value_or_none_are_counted(self):
        rules = self.mine()
        for values, holds in (({"class": "yes"}, 2000), ({"class": ""}, 0), ({"x": "41"}, 2000),
                              ({"x": "", "colour": ""}, 0)):
            lines = (self.folder / "table.csv").read_text().splitlines()
            names = lines[0].split(",")
            rows = [dict(zip(names, line.split(","))) | values for line in lines[1:]]
            self.write("alike.csv", "\n".join([lines[0]] + [
                ",".join(row.values()) for row in rows]) + "\n")
            after, _ = self.on("alike.csv")
            self.assertEqual(len(after), len(rules))
            for rule in after:
                self.assertEqual(rule["on"]["counts"]["n"], 2000)
                if {c["attribute"] for c in rule["consequent"]} <= set(values):
                    self.assertIn(rule["on"]["counts"]["consequent"], {0, holds})

    def test_a_table_of_one_row_is_counted(self):
        rules = self.mine()
        header = "x,y,colour,class\n"
        for row in ("50,9,red,yes", "50,,red,yes"):
            self.write("one.csv", header + row + "\n")
            after, _ = self.on("one.csv")
            self.assertEqual(len(after), len(rules))
            x = [r for r in after if [c["attribute"] for c in r["antecedent"]] == ["colour"]]
            for rule in x:
                red = rule["antecedent"][0]["values"] == ["red"]
                self.assertEqual(rule["on"]["counts"]["antecedent"], 1 if red else 0)
            self.assertTrue(any(rule["on"]["counts"]["both"] == 1 for rule in after))

    def test_missing_or_other_columns_are_named(self):
        self.mine()
        text = (self.folder / "table.csv").read_text()
        self.write("missing.csv", text.replace("x,y,colour,class", "x,y,colour,klass"))
        self.fails("rules", "run", "--on", "missing.csv", status=65,
                   says="missing.csv: column 'class' is missing")
        self.write("other.csv", text.replace(",yes", ",1").replace(",no", ",0.5"))
        self.atoll("import", "other.csv", "-o", "other.h5")
        self.fails("rules", "run", "--on", "other.h5", status=65,
                   says="other.h5: column 'class' is numeric, the run's rules have labels for it")
        self.write("labels.csv", "x,y,colour,class\n1,2,red,yes\nmany,2,red,no\n")
        self.fails("rules", "run", "--on", "labels.csv", status=65, says="labels.csv:3:1: ")
        self.fails("rules", "run", "--on", "nothing.csv", status=66, says="nothing.csv")


if __name__ == "__main__":
    unittest.main()
