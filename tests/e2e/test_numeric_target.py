"""Rules about the mean or a quantile of a number: figures counted again from the table."""

import csv
import json
import math
import random
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 15, "--population", 60, "--max-length", 4)
HOLDS = {
    "=": lambda value, given: value == given[0],
    "<=": lambda value, given: value <= given[0],
    ">": lambda value, given: value > given[0],
    "in": lambda value, given: given[0] <= value <= given[1],
}


def mean_of(values):
    return math.fsum(values) / len(values)


def deviation_of(values):
    mean = mean_of(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


class NumericTarget(EndToEnd):
    def houses(self, rows=3000, seed=1, gain=40, name="houses.csv"):
        """Prices of red houses with x > 40 are higher by `gain`, those with y < 5 lower by 20. Every
        fiftieth has none."""
        draw = random.Random(seed)
        lines = ["x,y,colour,price"]
        for row in range(rows):
            x, y, colour = draw.randrange(64), draw.randrange(32), draw.choice("red green blue".split())
            price = 100 + draw.gauss(0, 10) + gain * (colour == "red" and x > 40) - 20 * (y < 5)
            lines.append(f"{x},{y},{colour},{'' if row % 50 == 7 else f'{price:.2f}'}")
        return self.write(name, "\n".join(lines) + "\n")

    def read(self, run, *options):
        return json.loads(self.atoll("rules", run, "--format", "json", *options)[0])

    def part(self, rule, rows):
        """Prices of the rows that the antecedent covers, and of the others."""
        covered, rest = [], []
        for row in rows:
            holds = all(HOLDS[c["relation"]](row[c["attribute"]] if isinstance(c["values"][0], str)
                                             else float(row[c["attribute"]]), c["values"])
                        for c in rule["antecedent"])
            (covered if holds else rest).append(float(row["price"]))
        return covered, rest

    def check_figures(self, rule, figures, rows):
        """Everything that is said of the rule, from the rows."""
        covered, rest = self.part(rule, [row for row in rows if row["price"] != ""])
        prices = covered + rest
        m, n = len(covered), len(prices)
        side = -1 if figures["target"]["side"] == "low" else 1
        spread = deviation_of(prices)
        expected = {
            "support": m / len(rows),
            "mean": mean_of(covered),
            "mean_rest": mean_of(rest),
            "mean_difference": mean_of(covered) - mean_of(rest),
            "deviation": deviation_of(covered),
            "effect_size": side * (mean_of(covered) - mean_of(rest)) / spread,
            "z_score": side * (mean_of(covered) - mean_of(prices))
            / (spread * math.sqrt((n - m) / (m * (n - 1)))),
            "impact": side * m / n * (mean_of(covered) - mean_of(prices)),
        }
        self.assertEqual(figures["counts"]["n"], len(rows))
        self.assertEqual(figures["counts"]["consequent"], n)
        self.assertEqual(figures["counts"]["both"], m)
        self.assertEqual(set(figures["measures"]), set(expected))
        for name, value in expected.items():
            self.assertAlmostEqual(figures["measures"][name], value, delta=1e-9 * max(1, abs(value)),
                                   msg=f"{name} of {rule['rule']}")

    def check_quantiles(self, rules, rows, quantile):
        for rule in rules:
            covered, rest = self.part(rule, rows)
            self.assertEqual(rule["quantiles"], {"within": quantile(covered),
                                                 "rest": quantile(rest)})

    def check_all(self, rules, table):
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        for rule in rules:
            self.check_figures(rule, rule, rows)

    def test_a_planted_mean_is_found_and_every_figure_is_right(self):
        table = self.houses()
        _, err = self.atoll("mine", table, "-o", "run", "--target", "mean(price)", *SMALL)
        self.assertIn("mean_rest", err)
        rules = self.read("run")
        self.assertEqual(rules[0]["rule"], "x > 40 AND colour = red => mean(price)")
        self.assertEqual(rules[0]["consequent"],
                         [{"attribute": "price", "relation": "mean", "values": []}])
        self.check_all(rules, table)
        for rule in rules:
            self.assertGreater(rule["measures"]["impact"], 0)
            self.assertNotIn("price", [c["attribute"] for c in rule["antecedent"]])
        config = (self.folder / "run" / "config.toml").read_text()
        self.assertIn('target = ["mean(price)"]', config)
        self.assertIn('maximize = ["impact", "effect_size"]\narchive_by = "impact"', config)
        header = (self.folder / "run" / "history.csv").read_text().splitlines()[0]
        self.assertTrue(header.endswith("mean_impact,mean_effect_size"))
        out, _ = self.atoll("rules", "run", "--sort", "z_score", "--where", "effect_size > 1")
        self.assertIn("x > 40 AND colour = red", out.splitlines()[2])
        by_effect = self.read("run", "--sort", "effect_size", "--measures", "all")
        self.assertEqual(len(by_effect[0]["measures"]), 9)
        self.atoll("mine", table, "-o", "again", "--config", "run/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))

    def test_a_low_mean(self):
        table = self.houses(gain=0)
        self.atoll("mine", table, "-o", "run", "--target", "low mean(price)", *SMALL)
        rules = self.read("run")
        self.assertEqual(rules[0]["rule"], "y <= 4 => low mean(price)")
        self.check_all(rules, table)
        for rule in rules:
            self.assertLess(rule["measures"]["mean"], rule["measures"]["mean_rest"])

    def test_a_quantile_is_a_bound_like_any_other(self):
        table = self.houses()
        self.atoll("mine", table, "-o", "run", "--target", "quantile(price, 0.9)", *SMALL)
        with open(table, newline="") as file:
            rows = [r for r in csv.DictReader(file) if r["price"]]
        prices = sorted(float(r["price"]) for r in rows)
        bound = prices[math.ceil(0.9 * len(prices)) - 1]
        rules = self.read("run")
        self.assertEqual(rules[0]["consequent"],
                         [{"attribute": "price", "relation": ">", "values": [bound]}])
        self.assertIn("colour = red", rules[0]["rule"])
        self.assertEqual(rules[0]["counts"]["consequent"], sum(p > bound for p in prices))
        def quantile(values):
            return sorted(values)[math.ceil(0.9 * len(values)) - 1]
        self.check_quantiles(rules, rows, quantile)
        self.check_quantiles(self.read("run", "--where", "quantile > quantile_rest"), rows, quantile)
        self.assertIn("quantile_rest", self.atoll("rules", "run", "--sort", "quantile")[0])
        header = (self.folder / "run" / "rules.csv").read_text().splitlines()[0]
        self.assertIn(",coverage,quantile,quantile_rest,generation", header)
        on = self.read("run", "--on", table)
        self.assertEqual([r["on"]["quantiles"] for r in on], [r["quantiles"] for r in on])
        self.atoll("mine", table, "-o", "low", "--target", "low quantile(price, 10%)", *SMALL)
        bound = prices[math.ceil(0.1 * len(prices)) - 1]
        for rule in self.read("low"):
            self.assertEqual(rule["counts"]["consequent"], sum(p < bound for p in prices))

    def test_the_same_bytes_on_ranks_threads_backends_and_after_a_stop(self):
        table = self.houses(1500)
        options = SMALL + ("--target", "mean(price)", "--holdout", 0.3)
        self.atoll("mine", table, "-o", "one", *options, "--threads", 1)
        expected = digest(self.folder / "one")
        self.atoll("mine", table, "-o", "two", *options, "--threads", 2)
        self.assertEqual(digest(self.folder / "two"), expected)
        few = SMALL[2:] + ("--target", "mean(price)", "--holdout", 0.3, "--generations", 2)
        for backend in ("reference", "cpu"):
            self.atoll("mine", table, "-o", backend, *few, "--backend", backend)
        self.assertEqual(digest(self.folder / "reference"), digest(self.folder / "cpu"))
        self.atoll("mine", table, "-o", "stopped", *options, "--stop-after", "0.001s", status=75)
        self.atoll("resume", "stopped")
        self.assertEqual(digest(self.folder / "stopped"), expected)
        self.need_mpi()
        for ranks in (1, 2):
            self.atoll("mine", table, "-o", f"ranks{ranks}", *options, ranks=ranks)
            self.assertEqual(digest(self.folder / f"ranks{ranks}"), expected)

    def test_rows_held_out_tell_real_means_from_chance(self):
        self.atoll("mine", self.houses(), "-o", "real", *SMALL, "--target", "mean(price)",
                   "--holdout", 0.3, "--significance", 0.05)
        rules = self.read("real")
        self.assertEqual(rules[0].get("as_found", rules[0])["rule"], "x > 40 AND colour = red => mean(price)")
        for rule in rules:
            held = rule["holdout"]
            self.assertEqual(rule["counts"]["n"] + held["counts"]["n"], 3000)
            self.assertNotIn("confidence_low", held)
            self.assertLessEqual(held["p_value"], held["p_productive"])
            z = held["measures"]["z_score"]
            self.assertAlmostEqual(held["p_value"], math.erfc(z / math.sqrt(2)) / 2, delta=1e-12)
        table, _ = self.atoll("rules", "real", "--sort", "holdout_mean", "--top", 3)
        self.assertIn("holdout_mean", table)
        significant = 0
        for seed in range(1, 7):
            draw = random.Random(seed)
            lines = ["x,y,z,price"] + [",".join(str(draw.randrange(40)) for _ in range(4))
                                       for _ in range(2000)]
            self.write("noise.csv", "\n".join(lines) + "\n")
            self.atoll("mine", "noise.csv", "-o", f"noise{seed}", *SMALL, "--target", "mean(price)",
                       "--holdout", 0.3, "--significance", 0.05)
            significant += len(self.read(f"noise{seed}")) > 0
        self.assertLessEqual(significant, 1)

    def test_rules_on_other_data(self):
        self.atoll("mine", self.houses(), "-o", "run", "--target", "mean(price)", *SMALL)
        other = self.houses(2000, 2, 15, "other.csv")
        _, err = self.atoll("rules", "run", "--on", other)
        self.assertIn("kept their mean", err)
        rules = self.read("run", "--on", other)
        with open(other, newline="") as file:
            rows = list(csv.DictReader(file))
        for rule in rules:
            self.check_figures(rule, rule["on"], rows)
            change = rule["on"]["measures"]["mean"] - rule["measures"]["mean"]
            self.assertAlmostEqual(rule["on"]["change"], change)
        self.assertEqual(rules[0]["on"]["drift"], "fell")
        self.assertLess(rules[0]["on"]["p_change"], 1e-6)
        self.write("without.csv", "x,y,colour\n1,2,red\n3,4,blue\n")
        self.fails("rules", "run", "--on", "without.csv", status=65, says="'price' is missing")
        self.write("labels.csv", "x,y,colour,price\n1,2,red,low\n3,4,blue,high\n")
        self.fails("rules", "run", "--on", "labels.csv", status=65,
                   says="labels.csv:2:4: found 'low', expected a number, as the run says")

    def test_rules_on_data_where_the_number_has_no_value(self):
        table = self.houses(500)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        self.write("empty.csv", ",".join(rows[0]) + "\n" + "".join(
            ",".join("" if name == "price" else cell for name, cell in row.items()) + "\n"
            for row in rows))
        for target in ("mean(price)", "low mean(price)"):
            self.atoll("mine", table, "-o", "run", "--force", "--target", target, *SMALL)
            for rule in self.read("run", "--on", "empty.csv"):
                self.assertEqual(rule["on"]["counts"]["consequent"], 0)
                self.assertEqual(rule["on"]["drift"], "gone")

    def test_what_cannot_be_is_refused(self):
        table = self.houses(200)
        for target, says in (
                ("mean(prise)", "no attribute 'prise', did you mean 'price'?"),
                ("mean(colour)", "'colour' is nominal, expected a numeric attribute"),
                ("mean(price", "expected mean(ATTRIBUTE)"),
                ("quantile(price)", "expected quantile(ATTRIBUTE, SHARE)"),
                ("quantile(price, 1.5)", "is no share from 0 to 1"),
                ("mean(price),colour=*", "goes with no other target")):
            self.fails("mine", table, "-o", "run", "--target", target, status=64, says=says)
            self.assertFalse((self.folder / "run").exists())
        mean = ("mine", table, "-o", "run", "--target", "mean(price)")
        for options, says in (
                (("--preset", "g3parm"), "--preset g3parm"),
                (("--min-confidence", "0.5"), "--min-confidence"),
                (("--max-consequent", "0.5"), "--max-consequent"),
                (("--maximize", "leverage,certainty_factor"), "'leverage' says nothing of rules"),
                (("--maximize", "lift"), "'lift' says nothing of rules about a mean"),
                (("--archive-by", "leverage,x"), "unknown measure"),
                (("--measures", "phi"), "'phi' says nothing of rules about a mean"),
                (("--max-bins", "price=64"), "--max-bins cuts the target 'price'"),
                (("--require", "price"), "'price' is the target"),
                (("--antecedent", "price,x"), "'price' is the target"),
                (("--consequent", "x"), "--target and --consequent")):
            self.fails(*mean, *options, status=64, says=says)
        self.fails("mine", table, "-o", "run", "--maximize", "impact", status=64,
                   says="'impact' is for rules about a mean")
        self.atoll("mine", table, "-o", "plain", "--generations", 2)
        self.fails("rules", "plain", "--measures", "mean", status=64,
                   says="'mean' is for rules about a mean")


if __name__ == "__main__":
    unittest.main()
