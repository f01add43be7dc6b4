"""scripts/quality: what it counts as found, and that each of its measurements runs."""

import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import types
import unittest

from harness import PATIENCE, ROOT, EndToEnd

sys.path.insert(0, str(ROOT / "scripts" / "quality.d"))


class Scripts(EndToEnd):
    def script(self, name, *arguments):
        """Exit status, and what it says; without any package that is not Python's own."""
        done = subprocess.run([sys.executable, "-S", "-B", str(ROOT / "scripts" / name)]
                              + [str(a) for a in arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE)
        return done.returncode, done.stdout + done.stderr

    def test_help_of_quality_needs_no_numpy(self):
        self.assertEqual(self.script("quality", "--help")[0], 0)
        status, text = self.script("quality", "truth", "--help")
        self.assertEqual(status, 0, text)
        self.assertIn("at most 1000000]", " ".join(text.split()))
        status, text = self.script("quality", "planted")
        self.assertEqual(status, 1)
        self.assertIn("has no numpy: install it", text)

    def test_each_table_has_its_own_truth(self):
        small = ["--population", 20, "--generations", 2]
        self.atoll("generate", "planted", "-o", "a.csv", "--rows", 3000, "--attributes", 12)
        self.atoll("generate", "planted", "-o", "b.csv", "--rows", 3000, "--attributes", 40)
        self.atoll("mine", "b.csv", "-o", "run", *small)
        status, text = self.script("show_planted", "run", "b.truth.json")
        self.assertEqual(status, 0, text)
        self.assertIn("found ", text.splitlines()[-1])
        status, text = self.script("show_planted", "run", "a.truth.json")
        self.assertEqual(status, 1)
        self.assertEqual(len(text.splitlines()), 1, text)
        self.assertIn("a.truth.json is not the truth of the table that was mined", text)


@unittest.skipUnless(importlib.util.find_spec("numpy"), f"{sys.executable} has no numpy")
class Quality(EndToEnd):
    def quality(self, *arguments, status=0):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "quality")]
                              + [str(a) for a in arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE,
                              env=os.environ | {"ATOLL_DATA": str(self.folder)})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def test_planted_rules_themselves_are_found_and_others_are_not(self):
        import coverage
        import planted
        self.atoll("generate", "planted", "-o", "table.csv", "--rows", 6000, "--seed", 3)
        truth = json.loads((self.folder / "table.truth.json").read_text())
        labels = {name: None if isinstance(a["values"][0], (int, float)) else a["values"]
                  for name, a in truth["attributes"].items()}
        fresh = coverage.Table(self.folder / "table.csv", labels, 3000)
        self.assertEqual(fresh.rows, 3000)
        self.assertGreater(len(truth["rules"]), 3)

        def judged(rules):
            run = types.SimpleNamespace(rules=rules, evaluations=1, seconds=1.0)
            return planted.judge(run, truth["rules"], fresh)

        result = judged(truth["rules"])
        self.assertEqual((result["easy"], result["hard"], result["precision"]), (1, 1, 1))
        turned = [rule | {"antecedent": rule["consequent"], "consequent": rule["antecedent"]}
                  for rule in truth["rules"]]
        result = judged(turned)
        self.assertEqual((result["easy"], result["hard"], result["precision"]), (0, 0, 0))
        result = judged(turned + truth["rules"])  # found, but late
        self.assertEqual((result["easy"], result["hard"], result["precision"]), (1, 1, 0))
        self.assertEqual(judged([])["precision"], 0)

    def test_rows_are_counted_as_atoll_counts_them(self):
        import coverage
        self.atoll("generate", "planted", "-o", "table.csv", "--rows", 3000)
        truth = json.loads((self.folder / "table.truth.json").read_text())
        labels = {name: None if isinstance(a["values"][0], (int, float)) else a["values"]
                  for name, a in truth["attributes"].items()}
        table = coverage.Table(self.folder / "table.csv", labels)
        for rule in truth["rules"] + truth["unlisted"]:
            x, y = (table.covered(rule[side]) for side in ("antecedent", "consequent"))
            self.assertEqual({"n": table.rows, "antecedent": x.sum(), "consequent": y.sum(),
                              "both": (x & y).sum()},
                             {k: rule["counts"][k] for k in ("n", "antecedent", "consequent", "both")})

    def test_planted(self):
        out, _ = self.quality("planted", "--rows", 2000, "--seeds", "1,4", "--json", "p.json", "--",
                              "--population", 20, "--generations", 3, "--bounds", "binned")
        self.assertIn("| worst |", out)
        results = json.loads((self.folder / "p.json").read_text())
        self.assertEqual([r["seed"] for r in results], [1, 4])
        for result in results:
            self.assertEqual(result["atoll"]["evaluations"], 4 * 20 * 4)
            self.assertEqual(result["random"]["evaluations"], 4 * 20 * 4)
        self.quality("planted", "--rows", 2000, "--seeds", "1", "--json", "e.json", "--",
                     "--population", 20, "--generations", 3)
        exact, = json.loads((self.folder / "e.json").read_text())
        self.assertGreater(exact["atoll"]["evaluations"], 4 * 20 * 4)

    def test_truth(self):
        draw = random.Random(5)
        lines = ["a,b,c,d"]
        for _ in range(300):
            a, b = draw.choice("123"), draw.choice("12")
            lines.append(f"{a},{b},{a if draw.random() < 0.8 else ''},{b if a == '1' else '3'}")
        (self.folder / "contraceptive.csv").write_text("\n".join(lines) + "\n")
        out, _ = self.quality("truth", "--data", "contraceptive", "--seeds", 1, "--top", 5,
                              "--evaluations", 400, "--json", "t.json", "--", "--top", 1000)
        self.assertIn("more than 2% of the space was evaluated", out)
        result, = json.loads((self.folder / "t.json").read_text())
        self.assertEqual((result["rows"], result["top"], result["beam"]), (300, 5, 5))
        self.assertEqual(result["seeds"][0]["evaluations"], 400)
        self.assertGreaterEqual(result["seeds"][0]["found"], 1)
        self.assertEqual(result["seeds"][0]["found"] + len(result["missed"]), 5)

    def test_bad_input(self):
        for arguments, says in ((("truth", "--data", "nothing"), "no 'nothing', expected some of"),
                                (("truth", "--data", "connect-4"), "no data"),
                                (("planted", "--seeds", "1-x"), "expected seeds"),
                                (("planted", "--", "--no-such-option"), "--no-such-option")):
            by_argparse = says.endswith(("some of", "seeds"))
            _, err = self.quality(*arguments, status=2 if by_argparse else 1)
            self.assertIn(says, err)
            self.assertNotIn("Traceback", err)

    def test_niaarm_is_skipped_loudly_where_it_is_not(self):
        nothing = pathlib.Path("/bin/false")
        out, err = self.quality("niaarm", "--python", nothing)
        self.assertEqual(out, "")
        self.assertIn(f"SKIPPED: {nothing} has no NiaARM", err)


if __name__ == "__main__":
    unittest.main()
