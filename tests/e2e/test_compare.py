"""atoll compare: which of the rules that there are a run has found."""

import csv
import io
import json
import random
import unittest

from harness import EndToEnd

# All rules however alike, so that what is not written was not found.
ALL = ("--max-similarity", 1, "--top", 500, "--population", 60, "--generations", 15)


class Compare(EndToEnd):
    def table(self, rows=400, name="table.csv"):
        """d follows from a and b; c, e and f are noise."""
        draw = random.Random(3)
        lines = ["a,b,c,d,e,f"]
        for _ in range(rows):
            a, b = draw.choice("pqr"), draw.choice("st")
            d = "yes" if a == "p" and b == "s" else draw.choice(["no", "no", "perhaps"])
            lines.append(",".join([a, b, draw.choice("uvw"), d, draw.choice("xyz"), draw.choice("kl")]))
        return self.write(name, "\n".join(lines) + "\n")

    def setUp(self):
        super().setUp()
        self.table()

    def mine(self, *options, data="table.csv", run="run"):
        return self.atoll("mine", data, "-o", run, "--force", *ALL, *options)[1]

    def enumerate(self, *options, data="table.csv", output="best.json"):
        self.atoll("enumerate", data, "-o", output, "--force", *options)
        return output

    def rules(self, *options, data="table.csv"):
        self.atoll("itemsets", data, "--format", "table", "-o", "rules.csv", "--force", "--rules",
                   "--min-count", 4, "--max-length", 4, *options)
        return "rules.csv"

    def compared(self, truth, *options, run="run"):
        return json.loads(self.atoll("compare", run, truth, "--format", "json", *options)[0])

    def test_a_search_that_finds_all_has_found_all(self):
        self.mine()
        result = self.compared(self.enumerate("--top", 20))
        self.assertEqual((result["measure"], result["n"]), ("leverage", 400))
        self.assertEqual([b["top"] for b in result["best"]][0], 10)
        last = result["best"][-1]
        self.assertGreaterEqual(last["found"] + last["equivalent"], 8)
        self.assertEqual(last["found"] + last["equivalent"] + last["idle"], last["top"])
        self.assertEqual((last["recall"], last["recall_of_value"]), (1, 1))
        first = result["rules"][0]
        self.assertEqual(first["rule"], "a = p AND b = s => d = yes")
        self.assertEqual((first["place"], first["fate"], first["gap"]), (1, "found", 0))
        written = json.loads((self.folder / "run" / "rules.json").read_text())
        self.assertEqual(first["written_rule"], written[first["written_id"] - 1]["rule"])

    def test_rules_of_itemsets_are_the_same_truth(self):
        self.mine()
        exact = self.compared(self.enumerate("--max-length", 4, "--top", 10))
        all_rules = self.compared(self.rules(), "--top", 100000)
        own = [r for r in all_rules["rules"] if r["place"] is not None]
        repeated = [r for r in all_rules["rules"] if r["place"] is None]
        self.assertTrue(repeated)
        self.assertEqual({r["fate"] for r in repeated}, {"redundant"})
        self.assertEqual([r["place"] for r in own], list(range(1, len(own) + 1)))
        def best(rules):
            return [(r["rule"], r["n_both"], r["value"], r["fate"]) for r in rules[:10]]
        self.assertEqual(best(own), best(exact["rules"]))

    def test_what_was_missed_is_told_with_what_there_is_instead(self):
        self.atoll("mine", "table.csv", "-o", "run", "--max-similarity", 1, "--population", 5,
                   "--islands", 2, "--migrants", 1, "--generations", 0, "--bounds", "binned")
        truth = self.enumerate("--top", 50)
        result = self.compared(truth)
        missed = [r for r in result["rules"] if r["fate"] == "missed"]
        self.assertTrue(missed)
        written = {r["rule"] for r in json.loads((self.folder / "run" / "rules.json").read_text())}
        for rule in missed:
            self.assertNotIn(rule["rule"], written)
            self.assertIn(rule["written_is"], ("more general", "most similar", None))
            if rule["written_rule"]:
                self.assertIn(rule["written_rule"], written)
                self.assertAlmostEqual(rule["gap"], rule["value"] - rule["written_value"])
        last = result["best"][-1]
        self.assertEqual(last["missed"], len(missed))
        self.assertLess(last["recall"], 1)
        table, _ = self.atoll("compare", "run", truth)
        self.assertLessEqual(max(len(line) for line in table.splitlines()[:10]), 80)
        self.assertIn(missed[0]["rule"], table)
        rows = list(csv.DictReader(io.StringIO(self.atoll("compare", "run", truth, "--format", "csv")[0])))
        self.assertEqual([r["rule"] for r in rows], [r["rule"] for r in result["rules"]])

    def test_what_the_run_may_not_write_is_no_miss(self):
        truth = self.enumerate("--top", 200, "--max-consequent", 1)
        for options, limit, out in (
                (("--max-length", 2), "max_length", lambda r: " AND " in r["rule"]),
                (("--target", "d=*"), "aim", lambda r: "=> d = " not in r["rule"]),
                (("--exclude", "b"), "aim", lambda r: "b = " in r["rule"]),
                (("--min-support", "60rows"), "min_support", lambda r: r["n_both"] < 60),
                (("--max-consequent", "0.4"), "max_consequent", lambda r: r["n_consequent"] > 160)):
            self.mine(*options)
            rules = self.compared(truth)["rules"]
            self.assertTrue(any(out(r) for r in rules), options)
            for rule in rules:
                if out(rule) and rule["fate"] not in ("found", "equivalent", "redundant"):
                    self.assertEqual((rule["fate"], rule["limit"]), ("out_of_run", limit), rule)
                if rule["fate"] == "out_of_run":
                    self.assertTrue(out(rule) or rule["limit"] != limit, rule)

    def test_a_list_of_rules_that_differ_has_one_for_those_that_are_alike(self):
        self.atoll("mine", "table.csv", "-o", "run", "--generations", 15, "--population", 60,
                   "--max-similarity", "0.3", "--top", 5)
        result = self.compared(self.enumerate("--top", 50))
        alike = [r for r in result["rules"] if r["fate"] == "alike"]
        self.assertTrue(alike)
        for rule in alike:
            self.assertGreaterEqual(rule["written_value"], rule["value"])

    def test_names_of_items_are_attributes_that_are_there(self):
        draw = random.Random(5)
        rows = [[int(draw.random() < p) for p in (0.5, 0.4, 0.3, 0.2)] for _ in range(300)]
        for row in rows:
            row[2] = row[2] or (row[0] and row[1])
        self.write("items.csv", "milk,beer,red wine,jam\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
        names = ["milk", "beer", '"red wine"', "jam"]
        self.write("baskets.txt", "".join(
            ",".join(n for n, there in zip(names, r) if there) + "\n" for r in rows))
        self.mine("--no-absences", data="items.csv")
        self.atoll("itemsets", "baskets.txt", "--format", "baskets", "--delimiter", ",", "-o", "rules.csv",
                   "--rules", "--min-count", 3)
        result = self.compared("rules.csv")
        self.assertEqual(result["rules"][0]["rule"], 'milk = 1 AND beer = 1 => "red wine" = 1')
        self.assertEqual(result["rules"][0]["fate"], "found")

    def test_runs_on_transactions_are_judged_by_all_items(self):
        draw = random.Random(5)
        lines = []
        for i in range(300):
            basket = {n for n, p in (("milk", 0.5), ("beer", 0.4), ("red wine", 0.3)) if draw.random() < p}
            if {"milk", "beer"} <= basket:
                basket.add("red wine")
            basket |= {"bag"} | ({"jam"} if i % 60 == 0 else set())  # in every basket, in few
            lines.append(",".join(f'"{n}"' if " " in n else n for n in sorted(basket)))
        self.write("baskets.txt", "\n".join(lines) + "\n")
        form = ("--format", "baskets", "--delimiter", ",")
        self.atoll("import", "baskets.txt", *form, "-o", "baskets.h5")
        self.mine("--min-support", "30rows", data="baskets.h5")
        self.atoll("itemsets", "baskets.h5", "-o", "rules.csv", "--rules", "--min-count", 3)
        rules = self.compared("rules.csv", "--top", 100000)["rules"]
        self.assertEqual((rules[0]["rule"], rules[0]["fate"]), ('beer AND milk => "red wine"', "found"))
        self.assertNotIn("missed", {r["fate"] for r in rules})
        limits = {r["rule"]: (r["fate"], r["limit"]) for r in rules}
        self.assertEqual(limits["bag => milk"], ("out_of_run", "all_rows"))
        self.assertEqual(limits["bag => jam"], ("out_of_run", "min_support"))
        self.write("others.csv", (self.folder / "rules.csv").read_text().replace("beer", "ale"))
        self.fails("compare", "run", "others.csv", status=65, says="is not of the data of the run")

    def test_intervals_of_bins(self):
        draw = random.Random(7)
        lines = ["x,y,c"]
        for _ in range(500):
            x = draw.randrange(1000)
            lines.append(f"{x},{draw.randrange(1000)},{'in' if 300 < x < 600 else draw.choice('ab')}")
        self.write("numbers.csv", "\n".join(lines) + "\n")
        self.mine("--max-bins", 4, "--bounds", "binned", data="numbers.csv")
        truth = self.enumerate("--max-bins", 4, "--max-length", 3, "--top", 20, data="numbers.csv")
        best = json.loads((self.folder / truth).read_text())
        self.assertEqual(best["max_bins"], 4)
        self.assertTrue(any(c["relation"] == "in" for r in best["rules"]
                            for c in r["antecedent"] + r["consequent"]))
        result = self.compared(truth)
        # Perhaps in the other direction, which has the same leverage.
        self.assertIn(result["rules"][0]["fate"], ("found", "equivalent"))
        self.assertGreaterEqual(result["best"][-1]["recall"], 0.9)

    def test_mining_tells_of_an_exact_search_where_it_is_short(self):
        says = "atoll enumerate would find the best rules of this table up to 5 comparisons exactly"
        self.assertIn(says, self.mine())
        self.assertNotIn(says, self.mine("--target", "d=*"))
        self.write("numbers.csv", "x,y\n" + "".join(f"{i % 9},{'ab'[i % 2]}\n" for i in range(100)))
        self.assertNotIn(says, self.mine(data="numbers.csv"))

    def test_other_data_are_refused(self):
        self.mine()
        self.table(401, "longer.csv")
        self.enumerate(data="longer.csv", output="longer.json")
        self.fails("compare", "run", "longer.json", status=65,
                   says="longer.json: rule 1 is of 401 rows, the run searched 400: not the same data")
        text = (self.folder / "table.csv").read_text()
        self.write("other.csv", text.replace("p,s,u,yes", "q,s,u,yes", 3))
        self.enumerate(data="other.csv", output="other.json")
        self.fails("compare", "run", "other.json", status=65, says="not of the same data")
        self.write("names.csv", text.replace("a,b,c", "a,bb,c", 1))
        self.enumerate(data="names.csv", output="names.json")
        self.fails("compare", "run", "names.json", status=65, says="is not of the data of the run")

    def test_counts_that_disagree_on_the_same_data_are_a_bug(self):
        self.mine()
        best = json.loads((self.folder / self.enumerate()).read_text())
        best["rules"][0]["counts"]["antecedent"] += 1
        self.write("wrong.json", json.dumps(best))
        self.fails("compare", "run", "wrong.json", status=70, says="which are the same data")
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        rules[0]["counts"]["antecedent"] += 1
        self.write("run/rules.json", json.dumps(rules))
        self.fails("compare", "run", "best.json", status=70,
                   says="has other counts when counted again")

    def test_bad_input(self):
        self.mine()
        self.enumerate()
        good = (self.folder / self.rules()).read_text()
        head, first = good.splitlines()[:2]
        for text, says in (("", "empty"),
                           ("1 2 3 (5)\n", "sets of items; expected rules"),
                           ("a,b\n1,2\n", "expected rules of atoll itemsets --rules (CSV)"),
                           (head + "\n", "no rules"),
                           (head.replace("n_both", "both") + "\n" + first + "\n", "1:7"),
                           (head + "\n" + first.replace(",400,", ",-4,", 1) + "\n", "2:4"),
                           (head + "\n" + first.replace(",400,", ",1,", 1) + "\n", "2:7"),
                           (head + "\n" + first + "\nx\n", ":3:"),
                           (head + "\n\"\"\"" + first.replace(",", "\",", 1) + "\n", "bad.csv: line 2"),
                           ("{", "not the JSON of atoll enumerate"),
                           ('{"method": "beam"}', "rules of a beam search"),
                           ('{"method": "exact"}', "not the JSON of atoll enumerate")):
            self.write("bad.csv", text)
            self.fails("compare", "run", "bad.csv", status=65, says=says)
        self.fails("compare", "run", "none.csv", status=66, says="none.csv")
        self.fails("compare", "none", "best.json", status=66, says="none")
        self.fails("compare", "run", "best.json", "--top", "0", status=64, says="--top")
        self.fails("compare", "run", "best.json", "--format", "xml", status=64, says="--format")
        self.mine("--holdout", "0.3", run="held")
        self.fails("compare", "held", "best.json", status=65, says="--holdout")
        self.atoll("classify", "train", "table.csv", "-o", "list", "--class", "d", "--generations", 2)
        self.fails("compare", "list", "best.json", status=64, says="learns a decision list")
        (self.folder / "run" / "data.h5").unlink()
        (self.folder / "table.csv").unlink()
        self.fails("compare", "run", "best.json", status=66, says="table.csv")


if __name__ == "__main__":
    unittest.main()
