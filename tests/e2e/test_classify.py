"""Decision lists: learnt, applied, printed, cross-validated; each decision made anew from the list's text."""

import collections
import csv
import hashlib
import json
import math
import re
import signal
import subprocess
import sys
import unittest

from harness import GOLDEN, MPIEXEC, PATIENCE, ROOT, EndToEnd, kill_session, log, wait_for

MISSING = ("", "?", "NA")
FILES = ("classifier.json", "classifier.txt", "classifier.pmml", "history.csv")
SMALL = ["--islands", 3, "--population", 10, "--generations", 6, "--migrate-every", 2,
         "--migrants", 2]
QUICK = ["--islands", 1, "--population", 8, "--generations", 2, "--migrants", 2]
# So few rules that some join conjunctions.
JOINING = ["--max-alternatives", 3, "--max-rules", 2, "--inner-folds", 0]
# A list's text: quoted words, brackets and commas of sets and intervals, and all else by blanks.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\](),](?=[\s\])]|$)|(?<!\S)\[|[^\s,\])]+|[\],)]')


class List:
    """Of classifier.txt, and what it decides, by plain words of docs: nothing holds on a missing value."""

    def __init__(self, text):
        self.rules, self.default = [], None
        for line in text.split("\n\n")[0].splitlines():
            words = [self.unquoted(word) for word in TOKEN.findall(line)]
            marks = TOKEN.findall(line)
            if marks[0] == "else":
                words, marks = words[1:], marks[1:]
            if marks[0] != "if":
                self.default = words[2]
                continue
            then = max(i for i, mark in enumerate(marks) if mark == "then" and i < len(marks) - 3)
            alternatives, i = [[]], 1
            while i < then:
                if marks[i] == "OR":
                    alternatives.append([])
                if marks[i] in ("AND", "OR"):
                    i += 1
                conditions = alternatives[-1]
                name, relation = words[i], marks[i + 1]
                if relation == "in":
                    conditions.append((name, relation, [float(words[i + 3]), float(words[i + 5])]))
                    i += 7
                else:
                    conditions.append((name, relation, words[i + 2]))
                    i += 3
            self.rules.append((alternatives, words[then + 3]))

    @staticmethod
    def unquoted(word):
        return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word

    @staticmethod
    def holds(row, name, relation, value):
        own = row[name]
        if own in MISSING:
            return False
        if relation == "in":
            return value[0] <= float(own) <= value[1]
        if relation in ("<=", ">"):
            if "-" in value[1:]:  # a date, which sorts as text
                return (own <= value) == (relation == "<=")
            return (float(own) <= float(value)) == (relation == "<=")
        if relation not in ("=", "!="):
            raise AssertionError(f"unknown relation {relation}")
        return (own == value) == (relation == "=")

    def decide(self, row):
        """(class, number of the rule, 0 for the default)"""
        for number, (alternatives, label) in enumerate(self.rules, 1):
            if any(all(self.holds(row, *condition) for condition in conditions)
                   for conditions in alternatives):
                return label, number
        return self.default, 0


def log_loss(told):
    """Of pairs of the probabilities by class, and the row's class."""
    return -sum(math.log(probabilities[label]) for probabilities, label in told) / len(told)


def area_under_curve(told, labels):
    """By pairs of rows; of two classes that of the second, else the mean over the classes."""
    areas = []
    for label in labels[1:] if len(labels) == 2 else labels:
        own = collections.Counter(p[label] for p, actual in told if actual == label)
        others = collections.Counter(p[label] for p, actual in told if actual != label)
        if own and others:
            won = sum(m * n * ((a > b) + (a == b) / 2) for a, m in own.items() for b, n in others.items())
            areas.append(won / (sum(own.values()) * sum(others.values())))
    return sum(areas) / len(areas)


def digest(run):
    return {name: hashlib.sha256((run / name).read_bytes()).hexdigest() for name in FILES}


class Classify(EndToEnd):
    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def gaps(self, rows=400):
        """Numbers, labels, dates and a class, all with missing values; names that need quotes."""
        state, lines = 7, ['age,"if, so",day,extra,"the ""class"""']
        for row in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            age, word = state >> 8 & 63, ["then", "a,b", 'q"q', "é"][state >> 16 & 3]
            month = 1 + (state >> 20) % 12
            label = "it's" if age > 40 and word != "a,b" else "else" if month > 6 else "no"
            if state % 11 == 0:
                label = "no"
            cells = [str(age), '"' + word.replace('"', '""') + '"', f"2024-{month:02}-{1 + row % 28:02}",
                     str(row % 5), label]
            cells = ["?" if state >> 4 + 5 * i & 15 == i and i != 3 else cell
                     for i, cell in enumerate(cells)]
            lines.append(",".join(cells))
        return self.write("gaps.csv", "\n".join(lines) + "\n")

    def train(self, data, run, *more, **how):
        return self.atoll("classify", "train", data, "-o", run, *more, **how)


class Decisions(Classify):
    """Recounted from the text."""

    def check(self, table, class_name, *options):
        self.train(table, "run", "--class", class_name, "--force", *options)
        run = self.folder / "run"
        decisions = List((run / "classifier.txt").read_text())
        described = json.loads((run / "classifier.json").read_text())
        labels = described["class"]["values"]
        _, err = self.atoll("classify", "predict", "run", table, "-o", "out.csv", "--force")
        rows, predicted = self.rows(table), self.rows("out.csv")
        self.assertEqual(len(rows), len(predicted))
        confusion = [[0] * len(labels) for _ in labels]
        decided = [[0] * len(labels) for _ in range(len(decisions.rules) + 1)]
        for row, line in zip(rows, predicted):
            label, rule = decisions.decide(row)
            self.assertEqual((line["class"], int(line["rule"])), (label, rule), row)
            if row[class_name] not in MISSING:
                actual = labels.index(row[class_name])
                confusion[actual][labels.index(label)] += 1
                decided[rule - 1][actual] += 1
        self.assertEqual(described["figures"]["confusion"], confusion)
        self.assertEqual([rule["decided"] for rule in described["rules"]]
                         + [described["default"]["decided"]], decided)
        weight, shares = described["smoothing"]["rows"], described["smoothing"]["shares"]
        told = []
        for row, line in zip(rows, predicted):
            own = decided[int(line["rule"]) - 1]
            probabilities = {label: float(line[f"p({label})"]) for label in labels}
            for label, count, share in zip(labels, own, shares):
                self.assertAlmostEqual(probabilities[label], (count + weight * share) / (sum(own) + weight))
                self.assertGreater(probabilities[label], 0)
            self.assertAlmostEqual(sum(probabilities.values()), 1)
            if row[class_name] not in MISSING:
                told.append((probabilities, row[class_name]))
        known = sum(map(sum, confusion))
        right = sum(confusion[i][i] for i in range(len(labels)))
        recalls = [of[i] / sum(of) for i, of in enumerate(confusion) if sum(of)]
        figures = (f"{100 * right / known:.2f}% of {known} rows right, mean recall of the classes "
                   f"{100 * sum(recalls) / len(recalls):.2f}%, log-loss {log_loss(told):.4f}, "
                   f"AUC {area_under_curve(told, labels):.4f}\n")
        self.assertIn(figures, err)
        out, err = self.atoll("classify", "rules", "run", "--on", table)
        self.assertIn(figures, err)
        self.assertEqual(List(out).rules, decisions.rules)
        return decisions

    def test_missing_values_quotes_and_dates(self):
        decisions = self.check(self.gaps().name, 'the "class"', *SMALL)
        self.assertGreaterEqual(len(decisions.rules), 2)

    def test_other_tables(self):
        (self.folder / "golden.csv").write_bytes((GOLDEN / "table.csv").read_bytes())
        for options in ([], ["--balance"], ["--max-length", 1, "--max-rules", 3], ["--max-bins", 4],
                        ["--inner-folds", 0]):
            with self.subTest(options):
                self.check("golden.csv", "outcome", *SMALL, *options)
        self.check(self.table(300).name, "class", *SMALL)

    def test_for_probabilities(self):
        # Nine, six and one in ten rows are of class b where x is 0, 1 and 2: a list that says classes
        # parts two of these, one that tells probabilities all three.
        rows = [(x, "b" if i % 10 < (9, 6, 1)[x] else "a") for i in range(100) for x in (0, 1, 2)]
        self.write("three.csv", "x,k\n" + "".join(f"{x},{label}\n" for x, label in rows))
        losses, sizes = [], []
        for goal in ("classes", "probabilities"):
            self.check("three.csv", "k", *SMALL, "--for", goal, "--inner-folds", 0)
            run = self.folder / "run"
            self.assertIn(f'\nfor = "{goal}"\n', (run / "config.toml").read_text())
            record = json.loads((run / "classifier.json").read_text())
            losses.append(record["figures"]["log_loss"])
            sizes.append(len(record["rules"]))
        self.assertEqual(sizes, [1, 2])
        self.assertLess(losses[1], losses[0] - 0.03)
        # The list's own figure is the log-loss of its probabilities, smoothed by ten rows.
        chosen, = (row for row in record["front"] if row["chosen"])
        shares, loss = record["smoothing"]["shares"], 0
        for of_rule in [*record["rules"], record["default"]]:
            decided = of_rule["decided"]
            loss -= sum(n * math.log((n + 10 * share) / (sum(decided) + 10))
                        for n, share in zip(decided, shares))
        self.assertAlmostEqual(chosen["training"], loss / 300)
        self.check("three.csv", "k", *SMALL, "--for", "probabilities", "--balance")
        out, _ = self.atoll("classify", "rules", "run")
        self.assertIn("log-loss\n", out)
        self.fails("classify", "train", "three.csv", "-o", "x", "--class", "k", "--for", "fun",
                   status=64, says="--for is 'fun', expected classes or probabilities")

    def test_rules_of_several_conjunctions(self):
        (self.folder / "golden.csv").write_bytes((GOLDEN / "table.csv").read_bytes())
        decisions = self.check("golden.csv", "outcome", *SMALL, *JOINING)
        most = max(len(alternatives) for alternatives, _ in decisions.rules)
        self.assertIn(most, (2, 3))

    def test_a_row_is_decided_whatever_the_others_are(self):
        run = self.table(300)
        self.train(run.name, "run", "--class", "class", *SMALL)
        decisions = List((self.folder / "run" / "classifier.txt").read_text())
        rows = [{"colour": "red", "x": "60", "y": "9"}, {"colour": "blue", "x": "1", "y": "3"},
                {"colour": "mauve", "x": "?", "y": "9"}]
        many = [{"colour": f"c{i}", "x": "1", "y": "9"} for i in range(1500) for _ in "12"]
        for others in ([], many):  # more labels than an import keeps
            self.write("new.csv", "colour,z,y,x\n" + "".join(
                f"{row['colour']},1,{row['y']},{row['x']}\n" for row in rows + others))
            out, err = self.atoll("classify", "predict", "run", "new.csv")
            lines = list(csv.DictReader(out.splitlines()))
            self.assertEqual([line["class"] for line in lines[:3]],
                             [decisions.decide(row)[0] for row in rows])
            self.assertEqual(err.count("warning"), 1, err)
            self.assertIn("that the training rows did not have", err)

    def test_other_programs_decide_alike(self):
        # No dates: pypmml does not know them.
        lines = self.gaps().read_text().splitlines()
        table = self.write("plain.csv", "\n".join(
            ",".join((line.split(",")[0], line.split(",")[-2], line.split(",")[-1]))
            for line in lines[1:]).join(["age,extra,label\n", "\n"]))
        self.train(table.name, "run", "--class", "label", *JOINING, "--comparison-cost", 0,
                   "--generations", 20)
        self.assertIn(" OR ", (self.folder / "run" / "classifier.txt").read_text())
        self.atoll("classify", "predict", "run", table.name, "-o", "out.csv")
        result = subprocess.run(
            [sys.executable, ROOT / "tests" / "support" / "check_pmml.py",
             self.folder / "run" / "classifier.pmml", table, self.folder / "out.csv", "--column",
             "class"], capture_output=True, text=True, timeout=PATIENCE)
        if result.returncode == 77:
            self.skipTest(result.stderr.strip().splitlines()[-1])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class SameBytes(Classify):
    def setUp(self):
        super().setUp()
        self.gaps()
        self.learn("run")
        self.expected = digest(self.folder / "run")

    def learn(self, run, *more, **how):
        return self.train("gaps.csv", run, "--class", 'the "class"', *SMALL, *more, **how)

    def check(self, run):
        self.assertEqual(digest(self.folder / run), self.expected, run)

    def test_threads_backends_and_ranks(self):
        for words in (["--threads", 1], ["--threads", 2], ["--backend", "reference"],
                      ["--backend", "cpu"]):
            self.learn("again", "--force", *words)
            self.check("again")
        self.need_mpi()
        for ranks in (1, 2, 3):
            self.learn("again", "--force", "--threads", 1, ranks=ranks)
            self.check("again")

    def test_stopped_and_resumed(self):
        self.learn("stopped", "--stop-after", "0.001s", status=75)
        self.assertNotEqual(digest(self.folder / "stopped"), self.expected)
        self.atoll("classify", "predict", "stopped", "gaps.csv", "-o", "out.csv")
        self.atoll("resume", "stopped", "--stop-after", "0.001s", status=75)
        (self.folder / "stopped" / "stop").touch()
        self.atoll("resume", "stopped", status=75)
        self.atoll("resume", "stopped", "--backend", "reference")
        self.check("stopped")
        (self.folder / "stopped" / "classifier.json").unlink()
        self.atoll("resume", "stopped")
        self.check("stopped")

    def test_killed_and_resumed(self):
        self.let_fail("HANG checkpoint-0000000003")
        process = self.start("classify", "train", "gaps.csv", "-o", "killed", "--class", 'the "class"',
                             *SMALL, "--checkpoint-every", 1, start_new_session=True, **self.faulty)
        path = self.folder / "killed"

        def saved():
            if process.poll() is not None:
                raise AssertionError(f"it has ended: {process.communicate()}")
            return (path / "log.jsonl").exists() and any(
                event["event"] == "checkpoint" and event["generation"] == 2
                for event in log(path, running=True))
        try:
            wait_for(saved)
        finally:
            kill_session(process.pid)
            process.communicate()
        self.fails("classify", "predict", "killed", "gaps.csv", status=66, says="no list yet")
        self.fails("classify", "rules", "killed", status=66, says="no list yet")
        self.atoll("resume", "killed")
        self.check("killed")

    def test_signalled_and_watched(self):
        long = [1000000 if word == 6 else word for word in SMALL]
        process = self.start("classify", "train", "gaps.csv", "-o", "long", "--class", 'the "class"',
                             *long, "--patience", 0)
        self.addCleanup(process.kill)
        _, err = self.signal_when_mining(process, "long", signal.SIGUSR1)
        self.assertEqual(process.returncode, 75, err)
        self.assertIn("go on: atoll resume long", err)
        self.assertEqual(log(self.folder / "long")[-1]["reason"], "signal")
        out, _ = self.atoll("watch", "run")
        self.assertEqual(out.splitlines()[-1], "print its list: atoll classify rules run")
        out, _ = self.atoll("info", "run", "--json")
        self.assertEqual(json.loads(out)["next"], "atoll classify rules run")


class Validation(Classify):
    def validate(self, *words, **how):
        out, err = self.atoll("classify", "cv", *words, "--json", **how)
        record = json.loads(out)
        for one in (record, *record["folds"]):
            one.pop("seconds")
        return record, err

    def test_figures_and_ranks(self):
        words = [self.gaps().name, "--class", 'the "class"', *QUICK, "--folds", 3, "--repeats", 2]
        record, _ = self.validate(*words)
        known = sum(row['the "class"'] not in MISSING for row in self.rows("gaps.csv"))
        matrix = record["confusion"]
        self.assertEqual(sum(map(sum, matrix)), 2 * known)
        self.assertAlmostEqual(record["accuracy"],
                               sum(matrix[i][i] for i in range(len(matrix))) / (2 * known))
        self.assertEqual(sum(fold["rows"] for fold in record["folds"]), 2 * known)
        self.assertEqual([(fold["repeat"], fold["fold"]) for fold in record["folds"]],
                         [(r, f) for r in (1, 2) for f in (1, 2, 3)])
        for ranks in (2, 3) if MPIEXEC else ():
            self.assertEqual(self.validate(*words, "--threads", 1, ranks=ranks)[0], record)

    def test_probabilities(self):
        # Without a rule each half is told what the other one has: 35 rows of a and 15 of b.
        self.write("two.csv", "x,k\n" + "".join(f"{i % 20},{'a' if i % 10 < 7 else 'b'}\n" for i in range(100)))
        words = ["two.csv", "--class", "k", *QUICK, "--folds", 2, "--comparison-cost", 1000]
        record, _ = self.validate(*words, "--inner-folds", 0)
        p = (35 + 2 * 36 / 52) / 52
        for one in (record, *record["folds"]):
            self.assertAlmostEqual(one["log_loss"], -0.7 * math.log(p) - 0.3 * math.log(1 - p))
            self.assertAlmostEqual(one["brier"], 2 * (0.7 * (1 - p) ** 2 + 0.3 * p ** 2))
            self.assertEqual(one["auc"], 0.5)
        bins = [one for one in record["calibration"] if one["rows"]]
        self.assertEqual([(one["from"], one["to"], one["rows"]) for one in bins], [(0.6, 0.7, 100)])
        self.assertAlmostEqual(bins[0]["predicted"], p)
        self.assertAlmostEqual(bins[0]["right"], 0.7)
        out, _ = self.atoll("classify", "cv", *words, "--inner-folds", 0)
        self.assertEqual(out.splitlines()[1].split()[4:-1],
                         ["70.00%", "50.00%", f"{record['log_loss']:.4f}", f"{record['brier']:.4f}", "0.5000"])
        self.assertIn(f"\n0.60 to 0.70       100     {100 * p:.2f}%   70.00%\n", out)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_probabilities_of_all_folds(self):
        record, _ = self.validate(self.gaps().name, "--class", 'the "class"', *QUICK, "--folds", 3)
        rows = sum(fold["rows"] for fold in record["folds"])
        for figure in ("log_loss", "brier"):
            self.assertAlmostEqual(record[figure],
                                   sum(fold[figure] * fold["rows"] for fold in record["folds"]) / rows)
        self.assertAlmostEqual(record["auc"], sum(fold["auc"] for fold in record["folds"]) / 3)
        self.assertEqual(sum(one["rows"] for one in record["calibration"]), rows)
        self.assertAlmostEqual(sum(one["right"] * one["rows"] for one in record["calibration"] if one["rows"]),
                               record["accuracy"] * rows)

    def test_baselines_beside(self):
        words = [self.gaps().name, "--class", 'the "class"', *QUICK, "--folds", 3, "--max-rules", 6]
        alone, _ = self.validate(*words)
        record, _ = self.validate(*words, "--compare")
        baselines = record.pop("baselines")
        self.assertEqual(record, alone)
        self.assertEqual([its["learner"] for its in baselines],
                         ["majority", "one rule", "greedy list", "tree"])
        rows = [sum(row) for row in record["confusion"]]
        self.assertAlmostEqual(baselines[0]["accuracy"], max(rows) / sum(rows), delta=0.01)
        for its in baselines:
            right = sum(fold["correct"] for fold in its["folds"])
            self.assertAlmostEqual(its["accuracy"], right / sum(rows))
            gains = [mine["accuracy"] - fold["accuracy"]
                     for mine, fold in zip(record["folds"], its["folds"])]
            self.assertAlmostEqual(its["list_gains"]["accuracy"]["mean"], sum(gains) / 3)
            self.assertLessEqual(its["size"], 6 if its["learner"] != "one rule" else 1024)
        self.assertGreater(baselines[3]["accuracy"], baselines[0]["accuracy"])
        out, _ = self.atoll("classify", "cv", *words)
        more, err = self.atoll("classify", "cv", *words, "--compare")
        tree = baselines[3]
        better = tree["log_loss"] < record["log_loss"] or tree["auc"] > record["auc"]
        self.assertEqual("try --for probabilities" in err, better, (tree, record))
        _, err = self.atoll("classify", "cv", *words, "--compare", "--for", "probabilities")
        self.assertNotIn("--for probabilities", err)
        self.assertIn("\n\nlearner ", more)
        self.assertLessEqual(max(map(len, more.splitlines())), 80)
        figures = re.compile(r" +[0-9.]+$", re.MULTILINE)  # without the seconds
        self.assertTrue(figures.sub("", more).startswith(figures.sub("", out)))
        for ranks in (2,) if MPIEXEC else ():
            again, _ = self.validate(*words, "--compare", "--threads", 1, ranks=ranks)
            self.assertEqual(again.pop("baselines"), baselines)

    def test_few_rows(self):
        self.write("three.csv", "x,k\n1,a\n2,b\n3,a\n")
        words = ["three.csv", "--class", "k", *QUICK]
        record, err = self.validate(*words, "--folds", 3)  # without b there is nothing to learn
        self.assertEqual(sum(fold["rows"] for fold in record["folds"]), 3)
        self.assertNotIn("nan", err)
        self.assertEqual([record["unknown"], sum(fold.get("unknown", 0) for fold in record["folds"])], [1, 1])
        self.assertIn("warning: 1 row of classes that the list of their fold has never seen", err)
        self.fails("classify", "cv", *words, "--folds", 4, status=64, says="--folds 4: some would")
        self.write("equal.csv", "x,y,k\n" + "1,2,a\n" * 9 + "2,2,b\n3,2,a\n" * 2)
        record, _ = self.validate("equal.csv", "--class", "k", *QUICK)  # each row by itself
        self.assertEqual(sorted(fold["rows"] for fold in record["folds"]), [2, 2, 3, 3, 3])

    def test_options_of_runs(self):
        for words in (["--holdout", "0.5"], ["--time-limit", "1s"], ["--migration", "asynchronous"]):
            self.fails("classify", "cv", self.table(60).name, "--class", "class", *words, status=64,
                       says=f"{words[0]} is for atoll classify train")
        out, _ = self.atoll("classify", "cv", "--help")
        self.assertNotIn("--holdout", out)
        self.fails("classify", "cv", "-", "--class", "class", status=64, says="each rank reads it")


class BadInput(Classify):
    def test_classes(self):
        self.table(60)
        for words, says in (
                ([], "--class is missing, and the data designate none; the last attribute is 'class'"),
                (["--class", "clas"], "--class: no attribute 'clas', did you mean 'class'?"),
                (["--class", "class", "--exclude", "ghost"],
                 "--exclude: no attribute 'ghost', expected one of 'x', 'y', 'colour'"),
                (["--class", "class", "--balance=2"], "--balance: '2' is no share from 0 to 1"),
                (["--class", "class", "--balance", "0.5"], "value behind a =: --balance=0.5"),
                (["--class", "class", "--max-rules", 10001], "--max-rules is 10001, expected 0 to"),
                (["--class", "class", "--inner-folds", 21], "--inner-folds is 21, expected 0 to 20"),
                (["--class", "class", "--target", "x=*"], "--class: At Most 1 required"),
                (["--class", "class", "--holdout", "0.95"], "--holdout")):
            with self.subTest(words):
                self.fails("classify", "train", "table.csv", "-o", "run", *words, status=64, says=says)
                self.assertFalse((self.folder / "run").exists())
        for content, says in (("x,k\n1,a\n2,a\n", "--class: 'k' has one value only"),
                              ("x,k\n1,?\n2,?\n", "--class: 'k' has no value")):
            self.write("one.csv", content)
            self.fails("classify", "train", "one.csv", "-o", "run", "--class", "k", status=64, says=says)
            self.fails("classify", "cv", "one.csv", "--class", "k", status=64, says=says)
        self.write("alone.csv", "x,k\n1,a\n1,b\n")
        for words in (["train", "alone.csv", "-o", "run"], ["cv", "alone.csv"]):
            self.fails("classify", *words, "--class", "k", status=65, says="one attribute only")
            self.fails("classify", words[0], "table.csv", *words[2:], "--class", "class", "--max-bins", "ghost=3",
                       status=64, says="--max-bins: bins for attribute ghost, which the data do not have")
        self.fails("classify", "cv", "table.csv", "--class", "class", "-o", "", status=64, says="has no name")
        self.fails("classify", "train", "none.csv", "-o", "run", "--class", "k", status=66, says="none")
        self.atoll("import", "table.csv", "-o", "table.h5", "--class", "x")
        self.fails("classify", "train", "table.csv", "-o", "run", "--class", "class", "--exclude", "class",
                   status=64, says="--class and --exclude both name 'class'")
        self.fails("classify", "train", "table.h5", "-o", "run", status=64, says="classes are labels")

    def test_commands(self):
        self.fails("classify", "pedict", status=64,
                   says="unknown command classify pedict; did you mean predict?")
        self.fails("classify", status=64, says="subcommand")
        self.fails("classify", "rules", "none", status=66, says="none: no such folder")

    def test_runs_of_the_other_kind(self):
        table = self.table(200).name
        self.atoll("mine", table, "-o", "mined", "--islands", 1, "--population", 10, "--generations", 1)
        self.train(table, "run", "--class", "class", *QUICK)
        for words in (["predict", "mined", table], ["rules", "mined"]):
            self.fails("classify", *words, status=64, says="print them: atoll rules mined")
        self.fails("rules", "run", status=64, says="print it: atoll classify rules run")
        self.fails("collect", "run", "mined", "-o", "both", status=64, says="only runs of atoll mine")
        self.assertFalse((self.folder / "both").exists())
        self.fails("classify", "train", table, "-o", "run", "--class", "class", status=64,
                   says="holds a run already")
        self.fails("classify", "train", table, "-o", "run", "--class", "ghost", "--force", status=64,
                   says="ghost")
        self.atoll("classify", "rules", "run")  # still there

    def test_predict(self):
        self.train(self.table(300).name, "run", "--class", "class", *SMALL)
        for content, status, says in (
                ("colour,y\nred,1\nblue,2\n", 65, "has no attribute 'x'"),
                ("colour,y,x\nred,1,2\nred,1,many\n", 65, "new.csv:3:3: found 'many', expected a number"),
                ("colour,y,x\n", 65, "header only"), ("", 65, "empty")):
            with self.subTest(content):
                self.write("new.csv", content)
                self.fails("classify", "predict", "run", "new.csv", "-o", "out.csv", status=status,
                           says=says)
                self.assertFalse((self.folder / "out.csv").exists())
        self.write("new.csv", "class,colour,y,x\nwhat,red,9,60\nyes,red,9,60\n")
        with (self.folder / "new.csv").open() as table:
            _, err = self.atoll("classify", "predict", "run", "-", stdin=table)
        self.assertIn("50.00% of 2 rows right", err)
        self.assertIn("never seen, so their rows count as wrong: what", err)
        self.write("new.csv", "class,colour,y,x\n,red,9,60\n")
        _, err = self.atoll("classify", "predict", "run", "new.csv")
        self.assertIn("none has a class", err)
        self.assertNotIn("nan", err)
        self.fails("classify", "rules", "run", "--on", "new.csv", status=65,
                   says="new.csv: has no row with a value of 'class', the class")
        self.write("new.csv", "class,colour,y,x\nwhat,pink,9,60\n")
        warnings = [[line for line in self.atoll("classify", *words)[1].splitlines() if "warning" in line]
                    for words in (["predict", "run", "new.csv"], ["rules", "run", "--on", "new.csv"])]
        self.assertEqual(*warnings)
        self.assertIn("'colour': 1 label that the training rows did not have, on 1 row: pink",
                      warnings[0][0])
        self.write("out.csv", "mine")
        self.fails("classify", "predict", "run", "table.csv", "-o", "out.csv", status=64,
                   says="exists already")
        self.assertEqual((self.folder / "out.csv").read_text(), "mine")
        before = (self.folder / "table.csv").read_bytes()
        self.fails("classify", "predict", "run", "table.csv", "-o", "table.csv", "--force", status=64,
                   says="table.csv")
        self.assertEqual((self.folder / "table.csv").read_bytes(), before)
        self.fails("classify", "predict", "run", "table.csv", "-o", "no/out.csv", status=73, says="no/out")
        for name in ("classifier.json", "config.toml", "data.h5"):
            self.fails("classify", "predict", "run", "table.csv", "-o", f"run/{name}", "--force", status=64,
                       says=f"run/{name} is a file of the run")
        self.fails("classify", "rules", "run", "--on", "table.csv", "--format", "json", status=64,
                   says="--format text alone")

    def test_damaged_list(self):
        self.train(self.table(200).name, "run", "--class", "class", *QUICK)
        path = self.folder / "run" / "classifier.json"
        good = path.read_text()
        for bad in ("", good[:len(good) // 2], good.replace('"text": "', '"text": "if ghost = 1 then '),
                    good.replace("numeric", "number"), "[]", "{}"):
            path.write_text(bad)
            self.fails("classify", "predict", "run", "table.csv", status=65, says="")

    def test_configuration_files(self):
        table = self.table(200).name
        for value, balance in (("0.5", "0.5"), ("true", "1"), ("false", "0"), ("1", "1")):
            self.write("options.toml", f'class = "class"\nbalance = {value}\n')
            self.train(table, "run", "--config", "options.toml", *QUICK, "--force")
            self.assertIn(f"\nbalance = {balance}\n", (self.folder / "run" / "config.toml").read_text())
        self.train(table, "again", "--config", "run/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))
        for old, new in (("max_rules = 0\n", "max_rules = 3\n"), ("balance = 1", "balance = 3"),
                         ("balance = 1", "balance = true"), ("max_rules = 0\n", "")):
            path = self.folder / "again" / "config.toml"
            text = path.read_text()
            path.write_text(text.replace(old, new))
            self.fails("resume", "again", status=65, says="again/config.toml")
            path.write_text(text)


if __name__ == "__main__":
    unittest.main()
