"""scripts/quality aimed and bounds: figures on data counted by hand, and that each runs."""

import importlib.util
import json
import math
import os
import random
import subprocess
import sys
import unittest

from harness import PATIENCE, ROOT, EndToEnd

sys.path.insert(0, str(ROOT / "scripts" / "quality.d"))
np = importlib.util.find_spec("numpy") and importlib.import_module("numpy")


def between(attribute, low, high):
    return {"attribute": attribute, "relation": "in", "values": [low, high]}


@unittest.skipUnless(np, f"{sys.executable} has no numpy")
class Figures(unittest.TestCase):
    def setUp(self):
        import merit
        self.merit = merit

    def half(self, values, **columns):
        """Columns of numbers, or of labels where they are text."""
        import coverage
        table = object.__new__(coverage.Table)
        table.labels = {name: sorted(set(column)) if isinstance(column[0], str) else None
                        for name, column in columns.items()}
        table.columns = {
            name: np.array(column, dtype=np.float64) if table.labels[name] is None
            else np.array([table.labels[name].index(v) for v in column])
            for name, column in columns.items()}
        return self.merit.Half(table.part(np.arange(len(values))), np.array(values))

    def masks(self, *sets, rows):
        return np.array([[row in rows_of for row in range(rows)] for rows_of in sets])

    def test_rows_count_half_after_each_rule_that_covers_them(self):
        gain = self.merit.gains(np.array([True] * 4 + [False] * 4))  # 1/16 and -1/16
        masks = self.masks({2, 3, 4}, {4, 5}, {0, 1, 2}, rows=8)
        taken = self.merit.take(masks, gain)
        # First rows 0, 1, 2: 3/16; of 2, 3, 4 then 1/32 + 1/16 - 1/16; 4 and 5 lose.
        self.assertEqual(taken, [2, 0])
        self.assertAlmostEqual(self.merit.figure_of_merit(masks, gain, taken), 3.5 / 16)
        # On other rows the same order, whatever it brings there: -1/16 + 2/16, then half of that.
        held_out = self.masks({2, 3}, {0}, {2, 3, 4}, rows=8)
        self.assertAlmostEqual(self.merit.figure_of_merit(held_out, gain, taken), 2 / 16)
        self.assertAlmostEqual(self.merit.bound(gain), 2 * 0.5 * 0.5)
        self.assertEqual(self.merit.take(masks, gain, 1), [2])
        self.assertEqual(self.merit.take(masks[:0], gain), [])

    def test_rows_of_the_other_label_count_half_as_well(self):
        gain = self.merit.gains(np.array([True] * 2 + [False] * 2))  # 1/8 and -1/8
        masks = self.masks({0, 1, 2}, {0, 1, 3}, rows=4)
        taken = self.merit.take(masks, gain)
        self.assertEqual(taken, [0])  # then 1/16 + 1/16 - 1/8 is no more than nothing
        self.assertAlmostEqual(self.merit.figure_of_merit(masks, gain, taken), 1 / 8)

    def test_near_copies_of_one_rule_win_nothing(self):
        gain = self.merit.gains(np.array([True] * 20 + [False] * 20))  # 1/80 and -1/80

        def figure(*sets):
            masks = self.masks(*sets, rows=40)
            return self.merit.figure_of_merit(masks, gain, self.merit.take(masks, gain))

        rule, other = set(range(10)), set(range(10, 20))
        copies = [rule - {left_out} for left_out in range(10)]
        copies += [rule | {added} for added in range(20, 30)]
        self.assertAlmostEqual(figure(rule), 10 / 80)
        self.assertAlmostEqual(figure(rule, other), 20 / 80)
        # However many there are, no more than twice what one is worth: 1 + 1/2 + 1/4 + ...
        self.assertLess(figure(rule, *copies), 2 * figure(rule))
        self.assertLess(figure(rule, *copies), figure(rule, other))
        self.assertLess(figure(*copies * 5), figure(rule, other))
        masks = self.masks(*copies, rule, other, rows=40)
        self.assertEqual(self.merit.unlike(masks, gain), [20, 21])

    def test_a_mean_counts_in_standard_deviations(self):
        half = self.half([1.0, 2.0, 3.0, 6.0], a=[1, 2, 3, 4])
        deviation = math.sqrt((4 + 1 + 0 + 9) / 4)
        d = half.gains[half.masks([[between("a", 3, 4)]])[0]].sum()
        self.assertAlmostEqual(d, 3 / deviation / 4)
        self.assertAlmostEqual(self.merit.bound(half.gains), 2 * 3 / deviation / 4)

    def test_fisher_and_holm(self):
        import productive
        p = productive.fisher(3, 3, [3, 4, 3], [6, 6, 3])
        self.assertAlmostEqual(p[0], 1 / 20)  # of 6 over 3
        self.assertAlmostEqual(p[1], 4 / 20)
        self.assertEqual(p[2], 1)
        self.assertAlmostEqual(productive.fisher(2, 3, [3], [8])[0], (3 * 5 + 1) / 56)
        self.assertEqual(productive.significant([]), 0)
        self.assertEqual(productive.significant([0.04, 0.002, 0.0026]), 2)  # x 20, 19, 18
        self.assertEqual(productive.significant([0.04, 0.002, 0.0027]), 1)

    def test_an_idle_part_is_not_productive(self):
        import productive
        a = [row % 10 for row in range(400)]
        b = ["x" if row // 10 % 2 else "y" for row in range(400)]
        for values in ([v <= 4 for v in a], [float(v <= 4) + row % 3 for row, v in enumerate(a)]):
            half = self.half(values, a=a, b=b)
            label = {"attribute": "b", "relation": "=", "values": ["x"]}
            below = {"attribute": "a", "relation": "<=", "values": [4]}
            self.assertLess(productive.p_productive([below], half), 1e-9)
            self.assertEqual(productive.p_productive([below, label], half) > 0.1, True)
            self.assertEqual(productive.p_productive([between("a", -1, 4)], half),
                             productive.p_productive([below], half))
            self.assertEqual(len(productive.parts([between("a", 1, 4), label], half.table)), 3)
            self.assertEqual(productive.p_productive([], half), 1)

    def test_the_beam_finds_the_best_intervals(self):
        import beam
        draw = random.Random(3)
        a, b = ([draw.random() for _ in range(500)] for _ in range(2))
        c = [draw.choice("pqr") for _ in range(500)]
        y = [0.2 < v <= 0.6 and w > 0.5 and u == "q" for v, w, u in zip(a, b, c)]
        half = self.half(y, a=a, b=b, c=c)
        rules = beam.interval_beam(half, 20, 3)
        figures = self.merit.judge(rules, half, half)
        self.assertAlmostEqual(figures["best"], np.mean(y) * (1 - np.mean(y)))
        self.assertGreaterEqual(figures["productive"], 1)
        for cheat in (beam.one_comparison, beam.windows):
            cheats = cheat(half)
            self.assertGreater(len(cheats), 0)
            self.assertLess(self.merit.judge(cheats, half, half)["figure"], figures["figure"])
        half = self.half([v > 0.7 or w > 0.9 for v, w in zip(a, b)], a=a, b=b, c=c)
        cheats = beam.windows(half)
        self.assertGreater(len(cheats), 5)
        self.assertEqual({c["attribute"] for rule in cheats for c in rule}, {"a"})
        self.assertLess(self.merit.judge(cheats, half, half)["figure"],
                        self.merit.judge(beam.one_comparison(half), half, half)["figure"])

    def test_halves_have_the_same_share_of_the_label(self):
        import halves
        label = np.arange(1001) % 4 == 0
        mined = halves.assign(label, 1)
        self.assertIn(int(mined.sum()), (500, 501))
        self.assertIn(int(mined[label].sum()), (125, 126))
        self.assertTrue(np.array_equal(mined, halves.assign(label, 1)))
        self.assertFalse(np.array_equal(mined, halves.assign(label, 2)))
        tenths = halves.assign(np.arange(1000.0), 1).reshape(10, 100).sum(axis=1)
        self.assertEqual(set(tenths), {50})


def one_seed(*figures, best=0.1):
    return {"seed": 1, "runs": {g: {"figure": f, "best": best}
                                for g, f in zip((5, 20, 100), figures)}}


class Verdicts(unittest.TestCase):
    def table(self, *seeds, peer=0.2, peer_best=0.1, cheat=0.1):
        return {"table": "t", "splits": [{
            "split": 1, "seeds": list(seeds), "peers": {"beam 5": {"figure": 0.1, "best": 0.05},
                                                        "tree": {"figure": peer, "best": peer_best},
                                                        "tree with !=": {"figure": 9, "best": 9}},
            "cheats": {"windows": {"figure": cheat}}}]}

    def test_monotone(self):
        from verdicts import monotone
        steps = [5, 20, 100]
        self.assertEqual(monotone([self.table(one_seed(0.2, 0.2, 0.197))], steps), [])
        fallen = monotone([self.table(one_seed(0.2, 0.197, 0.195))], steps)  # little by little, too
        self.assertEqual(fallen, ["t: mean 0.1950 at 100 generations, 0.2000 at 5"])
        one, = monotone([self.table(one_seed(0.2, 0.1, 0.2), one_seed(0.2, 0.4, 0.4))], steps)
        self.assertEqual(one, "t, split 1, seed 1: 0.1000 at 20 generations, 0.2000 at 5")

    def test_reach(self):
        from verdicts import cheats, reach
        steps = [5, 20, 100]
        good = self.table(one_seed(0.1, 0.2, 0.206001))
        self.assertAlmostEqual(reach([good], steps)[0], 1.03, 4)
        self.assertEqual(reach([good], steps)[1], [])
        level = self.table(one_seed(0.1, 0.2, 0.1962))
        mean, failures = reach([level], steps)
        self.assertEqual(failures, ["mean over tables 0.981 times the best peer's, not 1.03"])
        self.assertEqual(reach([level, self.table(one_seed(0, 0, 0.23))], steps)[1], [])
        failures = reach([self.table(one_seed(0, 0, 0.19), peer_best=0.102)], steps)[1]
        self.assertEqual(failures[1:], ["t: 0.950 times tree's 0.2000",
                                        "t: best rule 0.9804 times tree's 0.1020"])
        self.assertEqual(cheats([good], steps), [])
        self.assertEqual(cheats([self.table(one_seed(0, 0, 0.1))], steps),
                         ["t: windows 0.1000, Atoll 0.1000"])


@unittest.skipUnless(np, f"{sys.executable} has no numpy")
class Measured(EndToEnd):
    def quality(self, *arguments):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "quality")]
                              + [str(a) for a in arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE,
                              env=os.environ | {"ATOLL_DATA": str(self.folder)})
        self.assertNotIn("Traceback", done.stderr)
        return done

    def write(self, name, target, about):
        """A table of two numbers and a label, in which the target depends on all."""
        draw = random.Random(7)
        lines = [f"a,b,c,{target}"]
        for _ in range(1200):
            a, b, c = draw.random(), draw.random(), draw.choice("pqr")
            hit = (a > 0.6 and c == "q") or (b < 0.2 and c == "r") or draw.random() < 0.05
            lines.append(f"{a:.3f},{b:.3f},{c if draw.random() < 0.95 else ''},{about(hit, a)}")
        (self.folder / f"{name}.csv").write_text("\n".join(lines) + "\n")

    def test_aimed(self):
        self.write("page-blocks", "Class", lambda hit, a: 2 if hit else 1)
        self.write("abalone", "Rings", lambda hit, a: f"{hit + a / 9:.2f}")
        words = ["aimed", "--tables", "page-blocks,abalone", "--seeds", 1, "--splits", "1,2",
                 "--generations", "1,4", "--work", "w", "--json", "a.json", "--",
                 "--population", 30]
        done = self.quality(*words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("SKIPPED: pysubgroup, SubDisc, tree", done.stderr)
        for verdict in ("monotone", "reach", "cheats"):
            self.assertRegex(done.stdout, f"- {verdict}: (holds|fails)")
        self.assertEqual(done.returncode != 0, ": fails" in done.stdout)
        results = json.loads((self.folder / "a.json").read_text())
        self.assertEqual([r["rows"] for r in results], [1200, 1200])
        for result in results:
            self.assertEqual([s["split"] for s in result["splits"]], [1, 2])
            for split in result["splits"]:
                self.assertEqual(set(split["peers"]), {"beam 5", "beam 20", "beam 100", "random"})
                run = split["seeds"][0]["runs"]["4"]
                self.assertGreater(run["rules"], 0)
                self.assertGreater(run["figure"], 0.5 * split["peers"]["beam 20"]["figure"])
                self.assertLess(run["figure"], split["bound"])
                self.assertLess(split["cheats"]["windows"]["figure"],
                                split["peers"]["beam 20"]["figure"])
        # What was mined is not mined again, and gives the same figures.
        again = self.quality(*words)
        self.assertEqual(json.loads((self.folder / "a.json").read_text()), results, again.stderr)

    def test_the_best_rule_is_worth_its_leverage(self):
        self.write("page-blocks", "Class", lambda hit, a: 2 if hit else 1)
        import halves
        os.environ["ATOLL_DATA"] = str(self.folder)
        split = halves.Split(halves.Whole("page-blocks", halves.QUESTIONS["page-blocks"],
                                          self.folder), 1)
        self.atoll("mine", split.data, "-o", "run", "--target", split.question.target,
                   "--population", 30, "--generations", 3)
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        masks = split.train.masks([rule["antecedent"] for rule in rules])
        for rule, mask in zip(rules, masks):
            self.assertAlmostEqual(float(split.train.gains[mask].sum()),
                                   rule["measures"]["leverage"])
        self.assertEqual(len(split.train.values) + len(split.test.values), 1200)

    def test_bounds(self):
        self.write("ecoli", "Class", lambda hit, a: "cp" if hit else "im")
        done = self.quality("bounds", "--tables", "ecoli", "--seeds", "1", "--splits", 1,
                            "--generations", 2, "--json", "b.json", "--", "--population", 30)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        result, = json.loads((self.folder / "b.json").read_text())
        exact, binned = (result["runs"][0][kind] for kind in ("exact", "binned"))
        self.assertGreater(min(exact["rules"], binned["rules"]), 0)
        self.assertEqual(done.returncode == 0, exact["figure"] >= 0.995 * binned["figure"]
                         and exact["best"] >= 0.995 * binned["best"])

    def test_bad_input(self):
        for arguments, says in ((("--tables", "nothing"), "no 'nothing', expected some of"),
                                (("--generations", "20,5"), "expected ascending numbers"),
                                (("--tables", "shuttle"), "no data")):
            done = self.quality("aimed", *arguments)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
