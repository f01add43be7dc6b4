"""Transactions from a text to their file and from there to rules."""

import itertools
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import unittest

from harness import MPIEXEC, PATIENCE, EndToEnd, digest, wait_for

SHORT = ("--generations", 12, "--population", 40)
SMALL = (*SHORT, "--min-support", "2%")
NAMES = ["beer", "bread", "butter", "milk", "red wine", "a=b", "in", "tea", "rare", "rice"]


class Transactions(EndToEnd):
    def baskets(self, rows=1500):
        """Pairs that go together, an item that is rare and one that all have."""
        draw = random.Random(4)
        made = []
        for row in range(rows):
            basket = {name for name in NAMES[:8] if draw.random() < 0.2} | {"rice"}
            for first, second in (("bread", "butter"), ("red wine", "a=b"), ("milk", "in")):
                if first in basket and draw.random() < 0.8:
                    basket.add(second)
            if row % 100 == 0:
                basket.add("rare")
            made.append(sorted(basket))
        return made

    def long(self, name="long.csv", header="basket,item\n"):
        lines = [f"{t},{item}\n" for t, basket in enumerate(self.baskets()) for item in basket]
        random.Random(1).shuffle(lines)
        return self.write(name, header + "".join(lines))

    def names(self, name="names.csv"):
        return self.write(name, "".join(",".join(basket) + "\n" for basket in self.baskets()))

    def fimi(self, name="numbers.dat"):
        return self.write(name, "".join(" ".join(str(NAMES.index(item)) for item in basket) + "\n"
                                        for basket in self.baskets()))

    def imported(self, name="t.h5", *options):
        self.atoll("import", self.names(), "--format", "baskets", "-o", name, *options)
        return name

    def rules(self, run):
        return json.loads((self.folder / run / "rules.json").read_text())

    def sets(self, *data):
        out, _ = self.atoll("itemsets", *data, "-o", "-", "--min-support", "2%")
        return out.splitlines()


class Forms(Transactions):
    def test_all_forms_hold_the_same(self):
        expected = sorted(self.sets(self.imported()))
        self.assertGreater(len(expected), 50)
        self.assertEqual(sorted(self.sets(self.names(), "--format", "baskets")), expected)
        for options in (("--format", "long"), ("--format", "long", "--header", "--delimiter", ",")):
            self.assertEqual(sorted(self.sets(self.long(), *options)), expected)
        self.long("bare.csv", header="")
        self.assertEqual(sorted(self.sets("bare.csv", "--format", "long", "--no-header")), expected)
        self.atoll("import", "long.csv", "--format", "long", "-o", "long.h5")
        self.assertEqual(sorted(self.sets("long.h5")), expected)
        _, err = self.atoll("import", self.fimi(), "-o", "fimi.h5")
        self.assertIn("numbers.dat: taken as transactions", err)
        self.assertIn("fimi.h5: 1500 transactions, 10 items, ", err)
        self.assertEqual(self.sets("fimi.h5"), self.sets("numbers.dat"))
        self.fails("itemsets", "fimi.h5", "-o", "x", "--min-count", 2, "--delimiter", ",", status=64,
                   says="--delimiter and --header are of a text, not of an HDF5 file")
        with open(self.folder / "long.csv", encoding="utf-8") as file:
            out, _ = self.atoll("itemsets", "-", "--format", "long", "-o", "-", "--min-support", "2%",
                                stdin=file)
        self.assertEqual(sorted(out.splitlines()), expected)

    def test_a_table_of_numbers_is_no_list_of_items(self):
        for text in ("1 5\n9 2\n3 3\n", "1,2\n2,3\n", "1\n2\n3\n", "a b\n1 2\n"):
            process = self.start("info", self.write("t.dat", text))
            _, err = process.communicate(timeout=PATIENCE)
            self.assertNotIn("taken as transactions", err)

    def test_baskets_that_are_taken_for_a_table(self):
        hint = "names.csv: if each line is a list of items, --format baskets reads it as transactions"
        for words in (("mine", self.names(), "-o", "x"), ("import", "names.csv", "-o", "x")):
            _, err = self.atoll(*words, status=65)
            self.assertIn(hint, err)
            self.assertFalse((self.folder / "x").exists())
        self.write("names.csv", "a,b\n1,2\n1\n3,4\n")
        _, err = self.atoll("mine", "names.csv", "-o", "x", status=65)
        self.assertNotIn(hint, err)
        with open(self.folder / self.fimi(), "a", encoding="utf-8") as file:
            file.write("1 -2\n")
        for words, status in ((("mine", "numbers.dat", "-o", "x"), 65), (("info", "numbers.dat"), 0)):
            _, err = self.atoll(*words, status=status)
            self.assertIn("numbers.dat: taken as a table, as line 1501 is no list of item numbers; --format fimi "
                          "takes it as transactions", err)

    def test_info_and_rules_on_take_the_form_of_a_text(self):
        report = json.loads(self.atoll("info", self.imported(), "--json")[0])
        report["fingerprint"] = 0  # which the order of the transactions changes
        self.write("semicolons.csv", (self.folder / self.long()).read_text().replace(",", ";"))
        form = ("--format", "long", "--delimiter", ";")
        for words in (("names.csv", "--format", "baskets"), ("semicolons.csv", *form)):
            self.assertEqual(json.loads(self.atoll("info", *words, "--json")[0]) | {"fingerprint": 0}, report)
        self.atoll("mine", "t.h5", "-o", "run", *SMALL)
        counted = ("rules", "run", "--format", "json", "--on")
        expected, _ = self.atoll(*counted, "t.h5")
        self.assertEqual(self.atoll(*counted, "names.csv", "--on-format", "baskets")[0], expected)
        self.assertEqual(self.atoll(*counted, "semicolons.csv", *(f"--on-{o[2:]}" if o[:2] == "--" else o
                                                                  for o in form))[0], expected)
        self.atoll("mine", "names.csv", "--format", "baskets", "-o", "told", *SMALL)
        self.assertEqual(self.atoll("rules", "told", "--format", "json", "--on", "names.csv")[0], expected)
        self.assertEqual(self.atoll("rules", "told", "--format", "json", "--on", "t.h5")[0], expected)
        for words, says in ((("info", "t.h5", *form), "--format is of a text, not of an HDF5 file"),
                            (("info", "run", *form), "--format is of a text, not of a folder"),
                            (("info", "names.csv", "--format", "table"), "--format: 'table' is none of"),
                            ((*counted, "t.h5", "--on-format", "long"), "--on-format is of a text, not of"),
                            ((*counted, "names.csv", "--on-format", "x"), "--on-format: 'x' is none of"),
                            (("rules", "run", "--on-format", "long"), "--on-format requires --on"),
                            (("enumerate", "names.csv", "-o", "x", "--format", "fimi"),
                             "--format: fimi is of transactions, expected a table")):
            self.fails(*words, status=64, says=says)

    def test_tables_take_a_delimiter(self):
        self.write("t.csv", "a,b|c,d\n" + "".join(f"{i % 2},x|{'yn'[i % 2]},y\n" for i in range(40)))
        form = ("--delimiter", "|", "--format", "csv")
        self.atoll("enumerate", "t.csv", *form, "-o", "e.json")
        self.assertEqual({rule["rule"] for rule in json.loads((self.folder / "e.json").read_text())["rules"]},
                         {'"a,b" = "0,x" => "c,d" = "y,y"', '"a,b" = "1,x" => "c,d" = "n,y"'})
        self.atoll("classify", "train", "t.csv", *form, "--class", "c,d", "-o", "list", "--generations", 1)
        predicted, err = self.atoll("classify", "predict", "list", "t.csv", *form)
        self.assertEqual(len(predicted.splitlines()), 41)
        self.assertIn("100.00% of 40 rows right", err)
        self.atoll("classify", "cv", "t.csv", *form, "--class", "c,d", "--generations", 1)
        self.atoll("classify", "rules", "list", "--on", "t.csv", "--on-delimiter", "|")
        for words in (("train", "t.csv", "--class", "c,d", "-o", "x"), ("cv", "t.csv", "--class", "c,d")):
            self.fails("classify", *words, "--format", "baskets", status=64,
                       says="--format: baskets is of transactions, expected a table")
        self.fails("import", "t.csv", "-o", "x", "--format", "arff", "--delimiter", "|", status=64,
                   says="--delimiter is of csv, baskets and long")

    def test_wrong_long_tables(self):
        bad = ("itemsets", self.write("l.csv", "a,x\nb\n"), "-o", "x", "--min-count", 1)
        self.fails(*bad, "--format", "long", status=65, says="l.csv:2:")
        self.write("l.csv", "a,x\nb,\n")
        self.fails(*bad, "--format", "long", "--no-header", status=65,
                   says="l.csv:2:2: found '', expected the name of an item")
        self.write("l.csv", "a,x,y\nb,z,z\n")
        self.fails(*bad, "--format", "long", status=65, says="l.csv: has 3 columns, expected two")
        self.fails(*bad, "--header", status=64, says="--header and --no-header are of --format long")

    def test_options_of_import(self):
        self.names()
        for options, says in ((("--format", "baskets", "--nominal", "a"), "--nominal is of tables"),
                              (("--format", "long", "--print-schema"), "--print-schema is of tables"),
                              (("--format", "fimi", "--delimiter", ";"), "--delimiter is of baskets"),
                              (("--format", "csv", "--probabilities", "p"), "--probabilities is of tran"),
                              (("--format", "baskets", "--partition-rows", 5000), "multiple of 4096"),
                              (("--format", "baskets", "names.csv"), "from one input")):
            self.fails("import", "names.csv", *options, "-o", "x.h5", status=64, says=says)
        self.imported("there.h5")
        self.fails("import", "names.csv", "--format", "baskets", "-o", "there.h5", status=64, says="--force")
        self.fails("import", "there.h5", "-o", "x.h5", status=65, says="needs no import")
        self.assertFalse((self.folder / "x.h5").exists())

    def test_probabilities(self):
        self.atoll("generate", "quest", "-o", "q.dat", "--rows", 500, "--probabilities", "uniform")
        self.atoll("import", "q.dat", "--probabilities", "q.probabilities.txt", "-o", "q.h5")
        lines = (self.folder / "q.probabilities.txt").read_text().splitlines()
        report = json.loads(self.atoll("info", "q.h5", "--json")[0])
        self.assertAlmostEqual(report["probabilities"]["mean"], sum(map(float, lines)) / 500)
        self.assertIn("\nprobabilities of transactions: 0.", self.atoll("info", "q.h5")[0])
        self.assertEqual(self.sets("q.h5"), self.sets("q.dat"))
        for wrong, says in ((lines[:499], "p.txt:500:1: found 'the end', expected the probability of"),
                            (lines + ["1"], "p.txt:501:1: found '1', expected the end"),
                            (["0"] + lines[1:], "p.txt:1:1: found '0', expected a probability")):
            self.write("p.txt", "\n".join(wrong) + "\n")
            self.fails("import", "q.dat", "--probabilities", "p.txt", "-o", "x.h5", status=65, says=says)
        self.fails("import", "q.dat", "--probabilities", "none", "-o", "x.h5", status=66, says="none")


class Mining(Transactions):
    def expect_counts(self, run, baskets):
        rules = self.rules(run)
        self.assertGreater(len(rules), 3)
        for rule in rules:
            sides = []
            for side in ("antecedent", "consequent"):
                for c in rule[side]:
                    self.assertEqual((c["relation"], c["values"]), ("=", ["present"]))
                sides.append({c["attribute"] for c in rule[side]})
            with_antecedent = [basket for basket in baskets if sides[0] <= basket]
            self.assertEqual(rule["counts"]["n"], len(baskets), rule)
            self.assertEqual(rule["counts"]["antecedent"], len(with_antecedent), rule)
            self.assertEqual(rule["counts"]["consequent"], sum(sides[1] <= b for b in baskets), rule)
            self.assertEqual(rule["counts"]["both"], sum(sides[1] <= b for b in with_antecedent), rule)
        return rules

    def test_rules_say_which_items_are_there(self):
        baskets = [set(basket) for basket in self.baskets()]
        self.imported()
        out, err = self.atoll("mine", "t.h5", "-o", "run", *SMALL)
        self.assertIn("kept 8 of 10 items: those in at least 30 of 1500 transactions (--min-support "
                      "0.02); 1 left out, in all of them", err)
        self.expect_counts("run", baskets)
        found = {rule["rule"] for rule in self.rules("run")}
        self.assertTrue(found & {"bread => butter", "butter => bread"}, found)
        self.assertTrue(found & {"\"red wine\" => \"a=b\"", "\"a=b\" => \"red wine\""}, found)
        self.assertTrue(found & {"milk => \"in\"", "\"in\" => milk"}, found)
        self.assertFalse((self.folder / "run" / "data.h5").exists(), "the file is there already")
        self.assertIn("t.h5, 1500 transactions searched, 8 items\n", self.atoll("info", "run")[0])
        out, _ = self.atoll("rules", "run", "--where", "lift > 2")
        self.assertIn("bread", out)
        out, err = self.atoll("rules", "run", "--on", "t.h5", "--format", "json")
        for rule in json.loads(out):
            self.assertEqual(rule["on"]["counts"]["both"], rule["counts"]["both"])
        self.atoll("mine", "t.h5", "-o", "full", *SMALL, "--grammar", "association-full")
        for rule in self.rules("full"):
            self.assertNotIn("absent", rule["rule"])
            self.assertNotIn("NOT", rule["rule"])

    def test_a_text_is_imported_without_a_dense_table(self):
        _, err = self.atoll("mine", self.fimi(), "-o", "run", *SMALL)
        self.assertIn("taken as transactions", err)
        baskets = [{str(NAMES.index(item)) for item in basket} for basket in self.baskets()]
        self.expect_counts("run", baskets)
        self.assertIn("1500 transactions, 10 items", self.atoll("info", "run/data.h5")[0])
        self.assertLess((self.folder / "run" / "data.h5").stat().st_size, 60000)
        with open(self.folder / "numbers.dat", encoding="utf-8") as file:
            self.atoll("mine", "-", "-o", "piped", *SMALL, stdin=file)
        self.assertEqual(digest(self.folder / "piped"), digest(self.folder / "run"))
        # On others, where an item is missing.
        self.write("other.dat", "1 2\n1\n")
        out, _ = self.atoll("rules", "run", "--on", "other.dat", "--format", "json")
        for rule in json.loads(out):
            self.assertEqual(rule["on"]["counts"]["n"], 2)
            if rule["rule"] == "1 => 2":
                self.assertEqual(rule["on"]["counts"]["both"], 1)

    def test_texts_that_do_not_tell_what_they_are(self):
        self.atoll("mine", self.imported(), "-o", "imported", *SMALL)
        expected = digest(self.folder / "imported")
        self.atoll("mine", "names.csv", "--format", "baskets", "-o", "baskets", *SMALL)
        self.assertEqual(digest(self.folder / "baskets"), expected)
        self.write("semicolons.csv", (self.folder / self.long()).read_text().replace(",", ";"))
        self.atoll("mine", "semicolons.csv", "--format", "long", "--delimiter", ";", "-o", "long", *SMALL)
        self.expect_counts("long", [set(basket) for basket in self.baskets()])
        # A run that begins again reads its text in the same way.
        shutil.rmtree(self.folder / "baskets" / "checkpoints")
        (self.folder / "baskets" / "data.h5").unlink()
        self.atoll("resume", "baskets")
        self.assertEqual(digest(self.folder / "baskets"), expected)
        # So does one that is made of several.
        (self.folder / "baskets" / "data.h5").unlink()
        self.atoll("collect", "baskets", "-o", "collected")
        self.expect_counts("collected", [set(basket) for basket in self.baskets()])

    def test_forms_of_text_that_are_none(self):
        self.imported()
        for data, options, says in (
                ("t.h5", ("--format", "baskets"), "--format is of a text, not of an HDF5 file"),
                ("names.csv", ("--format", "table"), "--format: 'table' is none of auto, csv, arff, keel, fimi"),
                ("names.csv", ("--format", "fimi", "--delimiter", ";"), "--delimiter is of baskets and long"),
                ("names.csv", ("--delimiter", "ab"), "--delimiter: 'ab', expected one character or tab")):
            self.fails("mine", data, "-o", "x", *options, status=64, says=says)
            self.assertFalse((self.folder / "x").exists())

    def test_submitted_runs_read_the_text_likewise(self):
        head = f'data = "{self.names()}"\nrun = "run"\n[mine]\ngenerations = 12\n'
        out, err = self.atoll("submit", self.write("e.toml", head + 'format = "baskets"\ndelimiter = ","\n'),
                              "--dry-run")
        self.assertIn("\nbegin=(mine --format=baskets --delimiter=,)\n", out + err)
        self.write("e.toml", head + '[array]\nformat = ["baskets", "long"]\n')
        self.fails("submit", "e.toml", "--dry-run", status=65, says="e.toml:6:11: format is of [mine]")
        table = self.write("t.csv", "a|b\n" + 9 * "1|x\n")
        train = f'data = "{table}"\nrun = "run"\n[train]\nclass = "b"\n'
        out, err = self.atoll("submit", self.write("e.toml", train + 'delimiter = "|"\n'), "--dry-run")
        self.assertIn("\nbegin=(classify train '--delimiter=|')\n", out + err)
        self.write("e.toml", train + 'format = "baskets"\n')
        self.fails("submit", "e.toml", "--dry-run", status=65, says="--format: baskets is of transactions")
        self.write("e.toml", head + 'format = "basket"\n')
        self.fails("submit", "e.toml", "--dry-run", status=65, says="e.toml:5:10: --format: 'basket' is none of")

    def test_rules_on_data_of_the_other_kind(self):
        self.imported()
        table = self.write("table.csv", "".join(f"{'yn'[t % 2]},{'yn'[t % 3 % 2]},{t % 5}\n" for t in range(99)))
        self.atoll("import", table, "-o", "table.h5")
        self.atoll("mine", "t.h5", "-o", "items", *SMALL)
        self.atoll("mine", table, "-o", "attributes", *SHORT)
        for run, data, says in (
                ("items", table, "table.csv: is taken for a table (--on-format fimi, baskets or long reads"),
                ("items", "names.csv", "reads transactions), and the run is on transactions"),
                ("items", "table.h5", "table.h5: holds a table, and the run is on transactions"),
                ("attributes", "t.h5", "t.h5: holds transactions, and the run is on a table")):
            self.fails("rules", run, "--on", data, status=65, says=says)

    def test_aims_take_item_names(self):
        self.imported()
        mine = ("mine", "t.h5", *SMALL)
        self.atoll(*mine, "-o", "target", "--target", "butter")
        rules = self.rules("target")
        self.assertTrue(rules)
        self.assertEqual({c["attribute"] for rule in rules for c in rule["consequent"]}, {"butter"})
        self.atoll(*mine, "-o", "star", "--target", "butter=*", "--exclude", "rare")
        self.assertEqual([rule["rule"] for rule in self.rules("star")], [rule["rule"] for rule in rules])
        self.atoll(*mine, "-o", "aimed", "--antecedent", "bread,red wine", "--exclude", "rare", "--consequent",
                   "butter,a=b")
        self.assertEqual({rule["rule"] for rule in self.rules("aimed")} & {"bread => butter"},
                         {"bread => butter"})
        self.atoll(*mine, "-o", "required", "--require", "red wine")
        for rule in self.rules("required"):
            self.assertIn('"red wine"', rule["rule"])
        for options, status, says in (
                (("--require", "buter"), 64, "--require: no item 'buter', did you mean 'butter'"),
                (("--target", "milk > 3"), 64, "--target"),
                (("--absences",), 64, "--absences: rules on transactions only say which items are there"),
                (("--max-bins", "milk=3"), 64, "--max-bins: items of transactions have no bins"),
                (("--target", "butter = absent"), 64, "rules on transactions only say which items are"),
                (("--target", "butter != present"), 64, "rules on transactions only say which items")):
            self.fails(*mine, "-o", "x", *options, status=status, says=says)
            self.assertFalse((self.folder / "x").exists())
        self.fails("mine", "t.h5", "-o", "x", "--min-support", "90%", status=64, says=
                   "--min-support 0.9: 0 of 10 items are in at least 1350 of 1500 transactions")

    def test_held_out_transactions_keep_no_items(self):
        self.imported()
        _, err = self.atoll("mine", "t.h5", "-o", "run", *SHORT, "--holdout", 0.4, "--min-support", "9rows")
        rules = self.rules("run")
        searched = rules[0]["counts"]["n"]
        self.assertEqual(rules[0]["holdout"]["counts"]["n"], 1500 - searched)
        self.assertIn(f"of {searched} transactions (--min-support 9rows)", err)

    def test_the_same_on_any_number_of_ranks_and_threads(self):
        self.imported("t.h5", "--partition-rows", 4096)
        self.atoll("mine", "t.h5", "-o", "one", *SMALL, "--threads", 1)
        self.atoll("mine", "t.h5", "-o", "two", *SMALL, "--threads", 2)
        self.assertEqual(digest(self.folder / "two"), digest(self.folder / "one"))
        for ranks in (2, 4) if MPIEXEC else ():
            self.atoll("mine", "t.h5", "-o", f"ranks{ranks}", *SMALL, ranks=ranks)
            self.assertEqual(digest(self.folder / f"ranks{ranks}"), digest(self.folder / "one"))

    def test_resumed_after_kill_9(self):
        self.atoll("mine", self.fimi(), "-o", "whole", *SMALL)
        process = self.start("mine", "numbers.dat", "-o", "run", *SMALL, "--checkpoint-every", 1)
        wait_for(lambda: any(self.folder.glob("run/checkpoints/checkpoint-*.h5"))
                 or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        (self.folder / "numbers.dat").unlink()  # the run has what it needs
        self.atoll("resume", "run")
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "whole"))

    def test_other_transactions_are_refused(self):
        self.imported()
        self.atoll("mine", "t.h5", "-o", "run", "--generations", 100000, "--patience", 0, "--stop-after", "1s",
                   status=75)
        self.write("less.csv", "".join(",".join(b) + "\n" for b in self.baskets()[:-1]))
        self.atoll("import", "less.csv", "--format", "baskets", "-o", "t.h5", "--force")
        self.fails("resume", "run", status=65, says="other data")

    def test_runs_are_collected_if_they_kept_the_same_items(self):
        self.imported()
        for seed in (1, 2):
            self.atoll("mine", "t.h5", "-o", f"run{seed}", *SMALL, "--seed", seed)
        self.atoll("mine", "t.h5", "-o", "more", *SHORT, "--min-support", "1%")
        self.atoll("collect", "run1", "run2", "-o", "both")
        self.expect_counts("both", [set(basket) for basket in self.baskets()])
        self.fails("collect", "run1", "more", "-o", "x", status=64, says="have not kept the same items")


class OneHot(Transactions):
    WORDS = (("1", "0"), ("True", "False"), ("y", "N"), ("T", "f"), ("1.0", ""), ("YES", "?"))

    def table(self, name, words, index=None, delimiter=",", rows=200):
        """The first baskets as mlxtend's tables have them."""
        lines = [delimiter.join(([] if index is None else [index]) + NAMES)]
        for number, basket in enumerate(self.baskets()[:rows]):
            cells = [words[0] if name in basket else words[1] for name in NAMES]
            lines.append(delimiter.join(([] if index is None else [str(number)]) + cells))
        return self.write(name, "\n".join(lines) + "\n")

    def expected(self, rows=200, least=20):
        """All frequent sets of three items or fewer, counted by brute force."""
        baskets = self.baskets()[:rows]
        counts = {}
        for size in (1, 2, 3):
            for items in itertools.combinations(NAMES, size):
                count = sum(basket >= set(items) for basket in map(set, baskets))
                if count >= least:
                    counts[frozenset(items)] = count
        return counts

    def counted(self, *data, least=20, **more):
        out, err = self.atoll("itemsets", *data, "--min-count", least, "--max-length", 3, "-o", "-", **more)
        counts = {}
        for line in out.splitlines():
            items, _, count = line.rpartition(" ")
            counts[frozenset(re.sub(r'"([^"]*)"', lambda quoted: quoted[1].replace(" ", "~"), items)
                             .replace('"', "").split())] = int(count.strip("()"))
        return {frozenset(item.replace("~", " ") for item in items): count
                for items, count in counts.items()}, err

    def test_ones_are_items(self):
        expected = self.expected()
        self.assertGreater(len(expected), 20)
        for number, words in enumerate(self.WORDS):
            index = (None, "", "Unnamed: 0", "tid")[number % 4]
            data = self.table("t.csv", words, index, ",;\t"[number % 3])
            counts, err = self.counted(data)
            self.assertEqual(counts, expected)
            self.assertIn("t.csv: taken as onehot", err)
            self.assertEqual("the first column" in err, index is not None, err)
            counts, err = self.counted(data, "--format", "onehot")
            self.assertEqual(counts, expected)
            self.assertNotIn("taken as onehot", err)
        with open(self.folder / "t.csv", encoding="utf-8") as file:
            self.assertEqual(self.counted("-", stdin=file)[0], expected)
        with lzma.open(self.folder / "t.csv.xz", "wb") as file:
            file.write((self.folder / "t.csv").read_bytes())
        self.assertEqual(self.counted("t.csv.xz")[0], expected)
        out, _ = self.atoll("itemsets", self.write("m.csv", "milk,bread,beer\n1,1,0\n1,0,1\n1,1,0\n0,1,1\n"),
                            "-o", "-", "--min-count", 1, "--max-length", 1)
        self.assertEqual(out, "bread (3)\nmilk (3)\nbeer (2)\n")
        blanks = self.write("m.txt", "milk bread beer\n1 1 0\n1 0 1\n1 1 0\n0 1 1\n")
        self.assertEqual(self.atoll("itemsets", blanks, "-o", "-", "--min-count", 1, "--max-length", 1)[0], out)

    def test_all_commands_that_read_transactions_take_it(self):
        data = self.table("t.csv", ("True", "False"), "", rows=1500)
        self.atoll("import", data, "--format", "onehot", "-o", "t.h5")
        self.imported("names.h5")
        self.assertEqual((self.folder / "t.h5").read_bytes(), (self.folder / "names.h5").read_bytes())
        self.assertEqual(self.atoll("info", data, "--format", "onehot", "--json")[0],
                         self.atoll("info", "names.h5", "--json")[0])
        self.atoll("mine", data, "--format", "onehot", "-o", "run", *SMALL)
        self.atoll("mine", "names.h5", "-o", "same", *SMALL)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "same"))
        expected = self.atoll("rules", "run", "--format", "json", "--on", "t.h5")[0]
        self.assertEqual(self.atoll("rules", "run", "--format", "json", "--on", data)[0], expected)
        self.assertEqual(self.atoll("rules", "same", "--format", "json", "--on", data, "--on-format",
                                    "onehot")[0], expected)
        self.write("e.toml", f'data = "{data}"\nrun = "r"\n[mine]\ngenerations = 12\nformat = "onehot"\n')
        out, err = self.atoll("submit", "e.toml", "--dry-run")
        self.assertIn("--format=onehot", out + err)

    def test_weka(self):
        """Its market baskets have t or ?, and may have a class."""
        head = "@relation w\n@attribute bread {t}\n@attribute milk { t}\n@attribute total {low, high}\n@data\n"
        out, err = self.atoll("itemsets", self.write("w.arff", head + "t,?,low\n?,t,high\nt,t,high\n"), "-o",
                              "-", "--min-count", 2)
        self.assertEqual(sorted(out.splitlines()), ["bread (2)", "milk (2)", "total=high (2)",
                                                    "total=high milk (2)"])
        self.assertIn("w.arff: taken as onehot", err)
        letters = "@relation l\n@attribute A {'1','0'}\n@attribute C {'1','0'}\n@data\n'0','1'\n'1','1'\n"
        out, _ = self.atoll("itemsets", self.write("l.arff", letters), "-o", "-", "--min-count", 1)
        self.assertEqual(out, "C (2)\nA (1)\nA C (1)\n")

    def test_cells_that_are_neither(self):
        rows = "".join("1,0\n" for _ in range(300))
        for text, says in (("a,b\n" + rows + "0,2\n", "b.csv:302:2: found '2', expected 1 or 0, or nothing"),
                           ("a,b\n1,0\nyes,0\n", "b.csv:3:1: found 'yes', expected 1 or 0, or nothing"),
                           ("a,b\n1,0,1\n", "b.csv:2:3: found '3 fields'"),
                           ("a,a\n1,0\n", "b.csv: two columns have the name 'a'")):
            self.fails("itemsets", self.write("b.csv", text), "--format", "onehot", "-o", "x", "--min-count", 1,
                       status=65, says=says)
            self.assertFalse((self.folder / "x").exists())
        self.fails("itemsets", self.write("b.csv", "a,b\n1,0\n0,1\n1\n"), "-o", "x", "--min-count", 1, status=65,
                   says="b.csv:4:2: found '1 field'")
        self.fails("itemsets", "b.csv", "--format", "fimi", "--header", "-o", "x", "--min-count", 1, status=64,
                   says="--header and --no-header are of --format long and onehot")
        out, _ = self.atoll("itemsets", self.write("n.csv", "1,0\n1,1\n"), "--format", "onehot", "--no-header",
                            "-o", "-", "--min-count", 2)
        self.assertEqual(out, "column_1 (2)\n")
        self.fails("itemsets", self.write("n.csv", "a,b\n1,0\n0,1\n"), "--format", "table", "-o", "x",
                   "--min-count", 1, status=65, says="--format onehot makes items of the ones")


class TextsOfOthers(Transactions):
    def found(self, text, *options, name="t.txt"):
        return self.atoll("itemsets", self.write(name, text), "-o", "-", "--min-count", 1, "--max-length", 1,
                          *options)

    def test_headers_and_comments_of_spmf(self):
        out, err = self.found("@CONVERTED_FROM_TEXT\n@ITEM=1=apple\n@ITEM=2=orange\n1 2\n1\n2 1\n")
        self.assertEqual(out, "apple (3)\norange (2)\n")
        self.assertIn("of 3 transactions", err)
        self.assertIn("t.txt: 2 items named by lines of @ITEM=", err)
        for text, count in (("1 2 3\n# c\n1 2\n", 2), ("% comment\n@rel\n1 2\n1 2 3\n", 2),
                            ("# test data\n# one per line\n\nbread butter sugar\ncoffee milk sugar\n", 2)):
            out, err = self.found(text)
            self.assertIn(f"of {count} transactions", err)
            self.assertIn("passed over as", err)
            self.assertNotRegex(out, "[#%@]")
        self.atoll("import", self.write("c.txt", "1 2 3\n# c\n1 2\n"), "-o", "c.h5")
        self.assertEqual(json.loads(self.atoll("info", "c.h5", "--json")[0])["transactions"], 2)

    def test_names_that_begin_as_comments_are_items(self):
        out, _ = self.found("#1,milk\n@user,#1\n%fat,milk,@user\n")
        self.assertEqual(out, "#1 (2)\n@user (2)\nmilk (2)\n%fat (1)\n")
        out, err = self.found("milk,bread\n# day 2\nbeer\n")
        self.assertIn('"# day 2" (1)', out)
        self.assertIn("t.txt: 1 transaction begins with # or % (line 2)", err)

    def test_other_forms_are_refused(self):
        self.write("s.txt", "1 -1 1 2 3 -1 1 3 -1 -2\n1 4 -1 3 -1 -2\n")
        self.write("u.txt", "3 5 1:30:1 3 26\n3 5:20:3 17\n")
        self.write("k.arff", "@relation z\n@attribute a {b}\n@data\nb\n")
        for name, says in (("s.txt", "has sequences as SPMF writes them"), ("u.txt", "has utilities behind")):
            for words in (("itemsets", name, "--min-count", 1, "-o", "x"), ("import", name, "-o", "x"),
                          ("itemsets", name, "--format", "baskets", "--min-count", 1, "-o", "x"),
                          ("itemsets", name, "--format", "fimi", "--min-count", 1, "-o", "x"),
                          ("mine", name, "-o", "x")):
                self.fails(*words, status=65, says=f"{name}: {says}")
        for form in ("fimi", "baskets"):
            self.fails("itemsets", "k.arff", "--format", form, "--min-count", 1, "-o", "x", status=65,
                       says="is a table of ARFF or KEEL")
        self.fails("itemsets", self.write("p.txt", "@ITEM=1=a\n1\n"), "--format", "baskets", "--min-count", 1,
                   "-o", "x", status=65, says="--format fimi reads it")

    def test_tables_are_no_baskets(self):
        arff = "@relation zoo\n@attribute legs INTEGER [0,9]\n@attribute type { mammal, bird }\n@data\n"
        for name in ("a.arff", "a.dat"):
            out, err = self.found(arff + "4,mammal\n2,bird\n4,  mammal\n", name=name)
            self.assertEqual(out, "type=mammal (2)\ntype=bird (1)\n")
            self.assertIn(f"{name}: taken as a table, as it declares attributes", err)
        self.fails("itemsets", self.write("a.arff", arff + "4\n"), "-o", "x", "--min-count", 1, status=65,
                   says="a.arff:5:2: found '1 field'")
        for text in ("name,kind,age\nann,x,30\nbob,y,31\ncy,x,32\n",
                     "kind,size,more\nx,big,u\nx,small,v\ny,small,u\ny,big,v\nx,big,u\n"):
            out, err = self.found(text)
            self.assertIn("kind=x (", out)
            self.assertIn("t.txt: taken as a table, as it has a header", err)
            out, err = self.found(text, "--format", "baskets")
            self.assertIn("\nkind (1)\n", out)
        out, err = self.found("milk,bread\nbeer,nuts\nmilk,nuts\nbread,beer\nmilk,beer\nnuts,bread\n")
        self.assertIn("of 6 transactions", err)
        self.assertIn("if it is a table, give --format table", err)


class RealTransactions(Transactions):
    def test_counts_are_those_of_itemsets(self):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real transactions", file=sys.stderr)
            self.skipTest("no real transactions")
        for name, support in (("mushroom", "10%"), ("BMS-WebView-1", "0.2%")):
            file = next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + ".dat*"))
            self.atoll("mine", file, "-o", name, "--generations", 5, "--population", 40,
                       "--min-support", support)
            rules = self.rules(name)
            longest = max(len(rule["antecedent"]) + len(rule["consequent"]) for rule in rules)
            out, _ = self.atoll("itemsets", file, "-o", "-", "--min-support", support, "--max-length",
                                longest)
            counts = {}
            for line in out.splitlines():
                items, _, count = line.rpartition(" ")
                counts[frozenset(items.split())] = int(count.strip("()"))
            self.assertGreater(len(rules), 20)
            for rule in rules:
                a, c = ({x["attribute"] for x in rule[side]} for side in ("antecedent", "consequent"))
                its = rule["counts"]
                self.assertEqual([its["antecedent"], its["consequent"], its["both"]],
                                 [counts[frozenset(s)] for s in (a, c, a | c)], rule["rule"])


if __name__ == "__main__":
    unittest.main()
