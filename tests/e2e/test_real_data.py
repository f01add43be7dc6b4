"""What everybody knows of public data is found, and written near the top."""

import json
import os
import pathlib
import sys
import unittest

from harness import EndToEnd

CONTRAST = ("--maximize", "contrast", "--archive-by", "contrast")


class RealData(EndToEnd):
    @classmethod
    def setUpClass(cls):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real tables", file=sys.stderr)
            raise unittest.SkipTest("no real tables")

    def data(self, name):
        return next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + ".csv*"))

    def rules(self, name, *options):
        self.atoll("mine", self.data(name), "-o", "run", "--force", *options)
        return json.loads((self.folder / "run" / "rules.json").read_text())

    def test_poisonous_and_edible_mushrooms_by_contrast(self):
        rules = [r["rule"] for r in self.rules("mushroom-uci", *CONTRAST, "--target", "Class=*")]
        self.assertEqual(rules[0], "odor = f => Class = p")
        for odor, kind in (("s", "p"), ("y", "p"), ("p", "p"), ("c", "p"), ("a", "e"), ("l", "e")):
            self.assertIn(f"odor = {odor} => Class = {kind}", rules)

    def test_malignant_tumours_by_contrast(self):
        rules = self.rules("wdbc", *CONTRAST, "--target", "Diagnosis=*", "--min-support", "20rows")
        self.assertRegex(rules[0]["rule"], r"^perimeter_worst > \S+ => Diagnosis = M$")
        self.assertGreater(rules[0]["measures"]["confidence"], 0.95)
        consequents = {r["consequent"][0]["values"][0] for r in rules[:10]}
        self.assertEqual(consequents, {"B", "M"})

    def test_the_childless_use_no_contraception_by_contrast(self):
        rules = self.rules("contraceptive", *CONTRAST, "--target", "Class=*")
        self.assertEqual(rules[0]["rule"], "num_children = 0 => Class = 1")

    def test_old_abalones_are_heavy_beyond_doubt(self):
        for seed in (1, 2, 3):
            rules = self.rules("abalone", "--target", "mean(Rings)", "--holdout", 0.3,
                               "--significance", 0.05, "--seed", seed)
            self.assertRegex(rules[0]["rule"], r"Shell_weight > \S+ => mean\(Rings\)$")


if __name__ == "__main__":
    unittest.main()
