"""scripts/quality classify: folds, figures, criteria on data counted by hand; and that it runs."""

import importlib.util
import json
import os
import random
import stat
import subprocess
import sys
import textwrap
import unittest

from harness import PATIENCE, ROOT, EndToEnd

sys.path.insert(0, str(ROOT / "scripts" / "quality.d"))
np = importlib.util.find_spec("numpy") and importlib.import_module("numpy")
HAS_TREES = bool(np and importlib.util.find_spec("sklearn"))


def record(table, learner, k, accuracy, fold, **more):
    return {"table": table, "repeat": 1, "fold": fold, "learner": learner, "k": k,
            "balanced": False, "accuracy": accuracy, "balanced_accuracy": accuracy, "rules": 3,
            "seconds": 1.0} | more


@unittest.skipUnless(np, f"{sys.executable} has no numpy")
class Folds(unittest.TestCase):
    def setUp(self):
        import classify_folds
        self.folds = classify_folds

    def test_equal_rows_share_a_fold_and_classes_are_spread(self):
        draw = random.Random(1)
        rows = [[str(draw.randrange(30)), str(draw.randrange(3)), draw.choice("aaab")]
                for _ in range(400)] + [["x", "y", "rare"], ["z", "y", "rare"]]
        repeats = self.folds.folds("some", rows)
        self.assertEqual(len(repeats), 3)
        self.assertNotEqual(repeats[0], repeats[1])
        for fold_of in repeats:
            of_row, count = {}, {}
            for row, fold in zip(rows, fold_of):
                self.assertEqual(of_row.setdefault(tuple(row), fold), fold)
                count[row[-1], fold] = count.get((row[-1], fold), 0) + 1
            for name in "ab":
                of_fold = [count[name, fold] for fold in range(5)]
                self.assertLessEqual(max(of_fold) - min(of_fold), 2, of_fold)
            self.assertEqual(sum((("rare", fold) in count) for fold in range(5)), 2)

    def test_folds_are_the_same_everywhere(self):
        rows = [[str(i), "ab"[i % 2]] for i in range(20)]
        self.assertEqual(self.folds.spread("some", 1, rows),
                         [0, 1, 2, 2, 4, 2, 3, 0, 2, 3, 0, 3, 1, 0, 1, 4, 4, 1, 3, 4])


@unittest.skipUnless(np, f"{sys.executable} has no numpy")
class Figures(unittest.TestCase):
    def results(self, *records):
        import classify_verdicts
        return classify_verdicts.Results(records)

    def test_balanced_accuracy_leaves_out_classes_without_rows(self):
        import classify_learners
        y, labels = np.array([0, 0, 0, 0, 2, 2]), np.array([0, 0, 0, 1, 2, -1])
        self.assertAlmostEqual(classify_learners.balanced_accuracy(y, labels), (0.75 + 0.5) / 2)

    def test_probabilities(self):
        import classify_records as records
        y = np.array([0, 0, 1, 1])
        told = np.array([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5], [0.2, 0.8]])
        self.assertAlmostEqual(records.log_loss(y, told), -np.log(0.9 * 0.5 * 0.5 * 0.8) / 4)
        self.assertAlmostEqual(records.auc(y, told), 3.5 / 4)  # of four pairs one is a tie
        three = np.array([[0.6, 0.4, 0], [0.2, 0.8, 0], [0.5, 0.5, 0]])
        # classes 0 and 1: above all others; class 2 has no rows
        self.assertAlmostEqual(records.auc(np.array([0, 1, 0]), three), 1)
        self.assertIsNone(records.auc(np.array([1, 1, 1]), three))
        self.assertAlmostEqual(records.log_loss(np.array([2]), three[:1]), -np.log(1e-15))

    def test_comparisons_of_an_antecedent(self):
        import classify_atoll
        one = {"attribute": "x", "relation": "<=", "values": [1]}
        self.assertEqual(classify_atoll.comparisons_of(one), 1)
        self.assertEqual(classify_atoll.comparisons_of(
            {"and": [one, {"or": [one, {"not": one}]}]}), 3)

    def test_differences_are_paired_by_fold(self):
        results = self.results(
            *(record("ecoli", "tree", 5, 0.5 + fold / 10, fold) for fold in range(4)),
            *(record("ecoli", "atoll", 5, 0.52 + fold / 10, fold) for fold in range(3)))
        difference, error = results.difference("ecoli", ("atoll", 5), ("tree", 5), False)
        self.assertAlmostEqual(difference, 2)
        self.assertAlmostEqual(error, 0)
        results = self.results(
            *(record("ecoli", "tree", 5, 0.5, fold) for fold in range(2)),
            *(record("ecoli", "atoll", 5, 0.5 + fold / 50, fold) for fold in range(2)))
        # 0 and 2 points: deviation sqrt(2), error of the mean 1, twice that 2
        self.assertEqual([round(v, 9) for v in
                          results.difference("ecoli", ("atoll", 5), ("tree", 5), False)], [1, 2])

    def test_recalls_are_pooled_over_folds(self):
        import classify_verdicts
        results = self.results(
            record("kdd", "atoll", 40, 0.9, 0, hits={"a": [90, 100], "b": [0, 1]}),
            record("kdd", "atoll", 40, 0.9, 1, hits={"a": [100, 100], "b": [3, 3]}))
        accuracy, balanced = classify_verdicts.pooled(results, "atoll", 40, False)
        self.assertAlmostEqual(accuracy, 100 * 193 / 204)
        self.assertAlmostEqual(balanced, 100 * (0.95 + 0.75) / 2)

    def test_criteria_need_all_tables_and_the_stated_margin(self):
        import contextlib
        import io
        import classify_verdicts as v

        def verdicts(above, tables=v.JUDGED):
            records = [record(name, learner, k, 0.5 + gain / 100, fold)
                       for name in tables for k in v.SIZES for fold in range(5)
                       for learner, gain in (("tree", 0), ("greedy list", 0.5), ("atoll", above))]
            with contextlib.redirect_stdout(io.StringIO()):
                return [ok for _, ok in v.sized_table(
                    self.results(*records), "atoll", ["tree", "greedy list", "atoll"], False)]

        self.assertEqual(verdicts(0.9), [True, True, True])
        self.assertEqual(verdicts(0.75), [True, False, True])
        self.assertEqual(verdicts(0.6), [True, False, False])
        self.assertEqual(verdicts(-1.1), [False, False, False])
        self.assertEqual(verdicts(0.9, v.JUDGED[1:]), [False, False, False])


@unittest.skipUnless(HAS_TREES, f"{sys.executable} has no scikit-learn")
class Learners(unittest.TestCase):
    def setUp(self):
        import classify_learners
        self.module = classify_learners

    def sample(self, seed, rows=400):
        draw = random.Random(seed)
        made = []
        for _ in range(rows):
            x, colour = draw.randrange(100), draw.choice(["red", "green", "blue"])
            made.append([str(x), colour, "in" if 20 <= x < 50 and colour == "red" else "out"])
        return self.module.samples(["x", "colour", "class"], made)

    def test_columns_are_numbers_or_one_for_each_label(self):
        data = self.module.samples(["x", "c", "class"], [["1", "a", "p"], ["", "b", "q"]])
        self.assertEqual(data.x.shape, (2, 3))
        self.assertTrue(np.isnan(data.x[1, 0]))
        self.assertEqual(data.x[:, 1:].tolist(), [[1, 0], [0, 1]])

    def test_a_list_finds_a_box(self):
        labels, rules, _, notes = self.module.greedy_list(self.sample(1), self.sample(2), [5],
                                                          False)[5]
        self.assertGreater(np.mean(labels == self.sample(2).y), 0.98)
        self.assertLessEqual(rules, 5)
        self.assertTrue(np.array_equal(np.argmax(notes["probabilities"], axis=1), labels))
        self.assertGreater(notes["comparisons"], 1)
        self.assertGreaterEqual(notes["processor_seconds"], 0)

    def test_a_tree_tells_shares_of_its_leaves_and_smoothed_ones(self):
        data = self.sample(1)
        *_, notes = self.module.tree(data, data, [3], False)[3]
        model = self.module.fitted_tree(data, 3, False)
        self.assertTrue(np.allclose(notes["probabilities"], model.predict_proba(data.x)))
        leaf = model.apply(data.x) == model.apply(data.x)[0]
        rows, ours = np.count_nonzero(leaf), np.count_nonzero(data.y[leaf] == 1)
        self.assertAlmostEqual(notes["smoothed"][0, 1], (ours + 1) / (rows + 2))
        self.assertEqual(notes["comparisons"], 4 if len(set(model.tree_.feature[:3])) == 2 else 5)

    def test_tables_of_scikit_learn(self):
        import classify_folds
        names, rows = classify_folds.read_rows("wine")
        self.assertEqual((len(names), len(rows)), (14, 178))
        self.assertEqual((rows[0][0], rows[0][-1]), ("14.23", "class_0"))

    def test_the_first_nodes_of_a_tree_are_the_smaller_trees(self):
        data, test = self.sample(1), self.sample(2)
        data.y[::7] = 1 - data.y[::7]  # so that there is much to split
        for leaves, labels in self.module.predictions_by_size(
                self.module.fitted_tree(data, 30, False), test.x):
            if leaves > 1:
                smaller = self.module.fitted_tree(data, leaves, False)
                self.assertEqual(smaller.get_n_leaves(), leaves)
                self.assertTrue(np.array_equal(smaller.predict(test.x), labels), leaves)


PROGRAM = """\
#!{python}
# Learns the majority and says so in the form of atoll classify.
import collections, csv, json, pathlib, sys
words = sys.argv[1:]
out = pathlib.Path(words[words.index("-o") + 1])
if words[1] == "train":
    with open(words[2], newline="") as file:
        names, *rows = csv.reader(file)
    assert words[words.index("--class") + 1] == names[-1]
    out.mkdir()
    best = collections.Counter(row[-1] for row in rows).most_common(1)[0][0]
    (out / "classifier.json").write_text(json.dumps({{"rules": [], "best": best}}))
    (out / "log.jsonl").write_text('{{"event": "start"}}\\n{{"evaluated": 7}}\\n{{"event": "end"}}\\n')
else:
    best = json.loads((pathlib.Path(words[2]) / "classifier.json").read_text())["best"]
    with open(words[3], newline="") as file:
        rows = len(list(csv.reader(file))) - 1
    out.write_text("\\n".join(["row,class,p(high),p(low)"] + [f"{{i}},{{best}},0.25,0.75" for i in range(rows)])
                   + "\\n")
"""


@unittest.skipUnless(HAS_TREES, f"{sys.executable} has no scikit-learn")
class Runs(EndToEnd):
    def quality(self, *arguments, status=0):
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "quality"), "classify"]
                              + [str(a) for a in arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE,
                              env=os.environ | {"ATOLL_DATA": str(self.folder)})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        with open(self.folder / "ecoli.csv", "w", encoding="utf-8") as file:
            file.write("x,y,Class\n")
            for _ in range(60):
                x = draw.randrange(20)
                file.write(f"{x},{draw.randrange(5)},{'high' if x > 12 else 'low'}\n")

    def test_a_program_is_judged_and_nothing_is_computed_twice(self):
        program = self.folder / "atoll"
        program.write_text(textwrap.dedent(PROGRAM.format(python=sys.executable)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        words = ["--tables", "ecoli", "--repeats", 1, "--cache", "kept.jsonl", "--program", program,
                 "--json", "figures.json"]
        text = self.quality(*words, status=1)[0]  # a majority meets no criterion
        lines = (self.folder / "kept.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        mine = [r for r in records if r["learner"] == "atoll"]
        self.assertEqual(len(mine), 5 * 2 * 5)  # folds, plain and balanced, sizes
        self.assertEqual({(r["rules"], r["evaluations"]) for r in mine}, {(0, 7)})
        for r in mine:
            high, low = (r["hits"][name][1] for name in ("high", "low"))
            loss = -(high * np.log(0.25) + low * np.log(0.75)) / (high + low)
            self.assertAlmostEqual(r["log_loss"], loss)
            self.assertEqual((r["auc"], r["comparisons"]), (0.5, 0))
            self.assertGreater(r["processor_seconds"], 0)
        self.assertIn("AUC, mean of the folds", text)
        majorities = {(r["repeat"], r["fold"], r["k"]): r["accuracy"] for r in records
                      if r["learner"] == "majority" and not r["balanced"]}
        for r in mine:
            self.assertEqual(r["accuracy"], majorities[r["repeat"], r["fold"], r["k"]])
        self.assertIn("| NO |", text)
        self.assertEqual(self.quality(*words, status=1)[0], text)
        self.assertEqual((self.folder / "kept.jsonl").read_text().splitlines(), lines)
        figures = json.loads((self.folder / "figures.json").read_text())
        self.assertEqual(len(figures["results"]), len(lines))

        # The same lines, of another name, judged without a program.
        with open(self.folder / "other.jsonl", "w", encoding="utf-8") as file:
            for r in mine:
                file.write(json.dumps(r | {"learner": "prototype"}) + "\n")
        text = self.quality("--tables", "ecoli", "--repeats", 1, "--cache", "kept.jsonl",
                            "--results", "other.jsonl", "--judge", "prototype", status=1)[0]
        self.assertIn("prototype - tree", text)

    def test_a_wrong_line_or_name_is_told(self):
        (self.folder / "bad.jsonl").write_text("{}\n")
        self.assertIn("bad.jsonl:1: no result", self.quality("--cache", "bad.jsonl", status=1)[1])
        self.assertIn("no table is called x", self.quality("--tables", "x", status=1)[1])
        self.assertIn("no learner is called x", self.quality(
            "--cache", "new.jsonl", "--learners", "x", status=1)[1])

    def test_folds_are_written(self):
        self.quality("--tables", "ecoli", "--write-folds", "folds")
        rows = (self.folder / "folds" / "ecoli.csv").read_text().splitlines()
        folds = (self.folder / "folds" / "ecoli.folds").read_text().splitlines()
        self.assertEqual(len(rows), len(folds) + 1)
        self.assertRegex(folds[0], r"^[0-4] [0-4] [0-4]$")


if __name__ == "__main__":
    unittest.main()
