"""atoll enumerate: the best rules there are, and the beam search beside it."""

import json
import random
import unittest

from harness import EndToEnd


class Enumerate(EndToEnd):
    def labels(self, rows=400):
        """Four columns of labels; d follows from a and b, c is noise, and one number."""
        draw = random.Random(1)
        lines = ["a,b,c,d,x"]
        for _ in range(rows):
            a, b, c = draw.choice("pqr"), draw.choice("st"), draw.choice("uvw")
            d = "yes" if a == "p" and b == "s" else draw.choice(["no", "no", "perhaps"])
            lines.append(f"{a},{b},{c},{d},{draw.randrange(1000)}")
        return self.write("labels.csv", "\n".join(lines) + "\n")

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def test_the_best_rule_comes_first(self):
        _, err = self.atoll("enumerate", self.labels(), "-o", "best.json", "--top", 3)
        self.assertIn("numeric attributes are left out: x", err)
        found = self.read("best.json")
        self.assertEqual(found["method"], "exact")
        # Pairs of 3, 2, 3 and 3 labels once, triples and quadruples once for each consequent.
        self.assertEqual(found["space"], 45 + 3 * (18 + 18 + 27 + 18) + 4 * 54)
        self.assertGreaterEqual(len(found["rules"]), 3)
        self.assertEqual(found["rules"][0]["rule"], "a = p AND b = s => d = yes")
        counts = found["rules"][0]["counts"]
        self.assertEqual(counts["both"], counts["antecedent"])
        values = [rule["measures"]["leverage"] for rule in found["rules"]]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_threads_and_form_of_the_data_change_nothing(self):
        table = self.labels()
        self.atoll("import", table, "-o", "labels.h5")
        self.atoll("enumerate", table, "-o", "text.json", "--threads", 1)
        self.atoll("enumerate", "labels.h5", "-o", "file.json", "--threads", 3)
        self.assertEqual((self.folder / "text.json").read_bytes(),
                         (self.folder / "file.json").read_bytes())

    def test_limits_hold(self):
        self.atoll("enumerate", self.labels(), "-o", "best.json", "--max-length", 2,
                   "--min-support", "50rows", "--max-consequent", "0.4")
        found = self.read("best.json")
        self.assertTrue(found["rules"])
        for rule in found["rules"]:
            self.assertEqual(len(rule["antecedent"]), 1)
            self.assertGreaterEqual(rule["counts"]["both"], 50)
            self.assertLessEqual(rule["counts"]["consequent"], 0.4 * rule["counts"]["n"])

    def test_rules_conclude_the_target_alone(self):
        self.labels()
        run = ("enumerate", "labels.csv", "--top", 1000)
        self.atoll(*run, "-o", "all.json")
        _, err = self.atoll(*run, "-o", "yes.json", "--target", "d = yes")
        self.assertNotIn("A => B and B => A as one", err)
        found = self.read("yes.json")
        self.assertEqual(found["target"], ["d = yes"])
        self.assertNotIn("target", self.read("all.json"))
        rules = [rule["rule"] for rule in found["rules"]]
        self.assertEqual(rules[0], "a = p AND b = s => d = yes")
        self.assertTrue(all(rule.endswith("=> d = yes") for rule in rules))
        of_all = [rule["rule"] for rule in self.read("all.json")["rules"] if rule["rule"].endswith("=> d = yes")]
        self.assertGreaterEqual(set(rules), set(of_all))
        # Antecedents of one to three of a (3), b (2) and c (3), each with the one consequent.
        self.assertEqual(found["space"], 8 + 21 + 18)
        for same, target in (("d=*", "any.json"), ("d", "name.json")):
            self.atoll(*run, "-o", target, "--target", same)
        self.assertEqual((self.folder / "any.json").read_text(), (self.folder / "name.json").read_text())
        self.assertEqual({rule["rule"].split(" => ")[1].split(" ")[0] for rule in self.read("any.json")["rules"]},
                         {"d"})
        self.atoll(*run, "-o", "none.json", "--target", "none")
        self.assertEqual((self.folder / "none.json").read_text(), (self.folder / "all.json").read_text())
        self.need_mpi()
        self.atoll(*run, "-o", "ranks.json", "--target", "d = yes", ranks=2)
        self.assertEqual((self.folder / "ranks.json").read_text(), (self.folder / "yes.json").read_text())

    def test_a_target_may_be_a_bound_on_numbers(self):
        self.labels()
        _, err = self.atoll("enumerate", "labels.csv", "-o", "high.json", "--target", "x >= 500", "--max-bins", 3)
        found = self.read("high.json")
        rows = [int(line.split(",")[4]) for line in (self.folder / "labels.csv").read_text().split()[1:]]
        self.assertEqual(found["rules"][0]["counts"]["consequent"], sum(x >= 500 for x in rows))
        _, err = self.atoll("enumerate", "labels.csv", "-o", "plain.json", "--target", "x >= 500")
        self.assertNotIn("left out", err)
        self.atoll("enumerate", "labels.csv", "-o", "other.json", "--target", "d != no")
        self.assertTrue(all(rule["rule"].endswith("=> d != no") for rule in self.read("other.json")["rules"]))
        for target, says in (("x=*", "--target: 'x=*' is of numbers, which rules conclude as intervals only"),
                             ("d = maybe", "no value 'maybe'"), ("z = 1", "--target: no attribute 'z'"),
                             ("mean(x)", "--target: 'mean(x)' is a statistic, expected labels or comparisons"),
                             ("d = ", "--target 'd = ': found")):
            self.fails("enumerate", "labels.csv", "-o", "no.json", "--target", target, status=64, says=says)

    def test_beam_search_keeps_to_its_budget(self):
        self.atoll("enumerate", self.labels(), "-o", "exact.json")
        self.atoll("enumerate", "labels.csv", "-o", "beam.json", "--method", "beam",
                   "--evaluations", 100)
        exact, beam = self.read("exact.json"), self.read("beam.json")
        self.assertLessEqual(beam["evaluated"], 100)
        self.assertEqual(beam["space"], exact["space"])
        self.assertEqual(beam["rules"][0]["rule"], exact["rules"][0]["rule"])

    def test_the_data_are_not_written_over(self):
        self.labels()
        before = (self.folder / "labels.csv").read_bytes()
        (self.folder / "link.csv").symlink_to("labels.csv")
        for output in ("labels.csv", "link.csv"):
            self.fails("enumerate", "labels.csv", "-o", output, "--force", status=64,
                       says="is an input, too")
        self.assertEqual((self.folder / "labels.csv").read_bytes(), before)

    def test_bad_input(self):
        self.labels()
        run = ("enumerate", "labels.csv", "-o", "out.json")
        for option, value, says in (
                ("--top", "0", "--top: '0' is no whole number from 1 to 1000000"),
                ("--top", "many", "--top: 'many' is no whole number"),
                ("--max-length", "1", "--max-length: '1' is no whole number from 2 to 8"),
                ("--max-length", "9", "--max-length: '9' is no whole number from 2 to 8"),
                ("--min-support", "5", "--min-support"),
                ("--max-consequent", "2", "--max-consequent"),
                ("--threads", "4097", "--threads"),
                ("--method", "guess", "--method"),
                ("--method", "beam", "--method beam needs --evaluations"),
                ("--evaluations", "5", "--evaluations: the exact method")):
            self.fails(*run, option, value, status=64, says=says)
            self.assertFalse((self.folder / "out.json").exists())
        self.fails("enumerate", "none.csv", "-o", "out.json", status=66, says="none.csv")
        self.fails("enumerate", "labels.csv", "-o", "none/out.json", status=73, says="none/out.json")
        self.write("numbers.csv", "x,y\n" + "".join(f"{i}.5,{i * i}.25\n" for i in range(50)))
        self.fails("enumerate", "numbers.csv", "-o", "out.json", status=65,
                   says="fewer than two nominal")
        self.write("out.json", "mine")
        self.fails(*run, status=64, says="out.json: exists already")
        self.assertEqual((self.folder / "out.json").read_text(), "mine")
        self.atoll(*run, "--force")


if __name__ == "__main__":
    unittest.main()
