"""Which rows are held out: a share, a condition, a file; and what is written of them."""

import csv
import io
import json
import random
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 6, "--population", 40, "--seed", 3)


class Holdout(EndToEnd):
    def table(self, rows=1200):
        """y is 1 mostly where a is above 60 and b is q; split says which rows are to test on."""
        draw = random.Random(5)
        self.lines = []
        for _ in range(rows):
            a, b = draw.randrange(100), draw.choice("pqr")
            y = int(draw.random() < (0.8 if a > 60 and b == "q" else 0.2))
            self.lines.append(f"{a},{b},{draw.randrange(50)},{'yes' if y else 'no'},"
                              f"{draw.choice(['test', 'train', 'train'])},{draw.randrange(2000, 2020)}")
        return self.write("t.csv", "\n".join(["a,b,c,y,split,year", *self.lines]) + "\n")

    def rows_of(self, word):
        return [i + 1 for i, line in enumerate(self.lines) if line.split(",")[4] == word]

    def mine(self, run, *options, **how):
        return self.atoll("mine", "t.csv", "-o", run, *SMALL, "--target", "y=*", *options, **how)[1]

    def held_out(self, run):
        return [int(line) for line in (self.folder / run / "holdout.csv").read_text().split()[1:]]

    def test_what_is_written_reads_back(self):
        self.table()
        self.mine("share", "--holdout", "0.3", "--write-holdout", "yes")
        text = (self.folder / "share" / "holdout.csv").read_text()
        self.assertTrue(text.startswith("row\n"))
        rules = json.loads((self.folder / "share" / "rules.json").read_text())
        self.assertEqual(len(self.held_out("share")), rules[0]["holdout"]["counts"]["n"])
        self.mine("file", "--holdout", "share/holdout.csv", "--write-holdout", "yes")
        self.assertEqual(digest(self.folder / "file"), digest(self.folder / "share"))
        self.assertEqual((self.folder / "file" / "holdout.csv").read_text(), text)
        self.assertFalse((self.folder / "none").exists())
        self.mine("plain", "--holdout", "0.3")
        self.assertFalse((self.folder / "plain" / "holdout.csv").exists())
        self.assertEqual(digest(self.folder / "plain"), digest(self.folder / "share"))

    def test_a_condition_holds_out_where_it_holds(self):
        self.table()
        err = self.mine("run", "--holdout", "split = test", "--write-holdout", "yes")
        self.assertIn("no rule names 'split', which says which rows are held out (--holdout)", err)
        self.assertEqual(self.held_out("run"), self.rows_of("test"))
        text = (self.folder / "run" / "rules.csv").read_text()
        self.assertNotIn("split", text)
        self.assertIn('holdout = "split = test"', (self.folder / "run" / "config.toml").read_text())
        self.assertIn("rows held out: split = test\n", self.atoll("info", "run")[0])
        # Numbers are compared exactly, however few bins the search has; an HDF5 file is the same.
        self.atoll("import", "t.csv", "-o", "t.h5")
        self.atoll("mine", "t.h5", "-o", "years", *SMALL, "--max-bins", 4, "--holdout", "year > 2016",
                   "--write-holdout", "yes")
        late = [i + 1 for i, line in enumerate(self.lines) if int(line.split(",")[5]) > 2016]
        self.assertEqual(self.held_out("years"), late)

    def test_a_run_goes_on_with_its_own_rows(self):
        self.table()
        rows = self.rows_of("test")
        random.Random(1).shuffle(rows)
        self.write("rows.txt", "".join(f"{row}\n" for row in rows))
        options = ("--holdout", "rows.txt", "--significance", 0.05)
        self.mine("run", *options)
        self.mine("stopped", *options, "--stop-after", "0.001s", status=75)
        self.write("rows.txt", "1\n2\n")
        self.atoll("resume", "stopped", "--write-holdout", "yes")
        self.assertEqual(digest(self.folder / "stopped"), digest(self.folder / "run"))
        self.assertEqual(self.held_out("stopped"), sorted(rows))
        self.atoll("mine", "t.csv", "-o", "preset", "--preset", "run/config.toml")
        self.assertEqual(digest(self.folder / "preset"), digest(self.folder / "run"))
        self.need_mpi()
        self.write("rows.txt", "".join(f"{row}\n" for row in rows))
        self.mine("ranks", *options, ranks=2)
        self.assertEqual(digest(self.folder / "ranks"), digest(self.folder / "run"))

    def test_a_preset_names_a_file_beside_it(self):
        self.table()
        (self.folder / "presets").mkdir()
        self.write("presets/rows.txt", "1\n3\n5\n")
        self.write("presets/mine.toml", '[experiment]\npreset = "niching"\nholdout = "rows.txt"\n')
        self.mine("run", "--preset", "presets/mine.toml", "--write-holdout", "yes")
        self.assertEqual(self.held_out("run"), [1, 3, 5])
        self.write("e.toml", 'data = "t.csv"\nrun = "batch"\n[mine]\nholdout = "presets/rows.txt"\n'
                             'write-holdout = "yes"\n')
        self.atoll("submit", "e.toml", "--dry-run")
        (self.folder / "presets" / "rows.txt").unlink()
        self.fails("submit", "e.toml", "--dry-run", status=66, says="presets/rows.txt: no such file")

    def test_items_and_numbers_split_transactions(self):
        draw = random.Random(2)
        baskets = [[item for item in "abcdef" if draw.random() < 0.5] or ["a"] for _ in range(400)]
        for i, basket in enumerate(baskets):
            if i % 3 == 0:
                basket.append("held")
        self.write("b.txt", "".join(",".join(basket) + "\n" for basket in baskets))
        options = (*SMALL, "--format", "baskets", "--write-holdout", "yes")
        self.atoll("mine", "b.txt", "-o", "run", *options, "--holdout", "held = present")
        self.assertEqual(self.held_out("run"), list(range(1, 401, 3)))
        self.assertNotIn("held", (self.folder / "run" / "rules.json").read_text().split('"counts"')[0])
        self.atoll("mine", "b.txt", "-o", "file", *options, "--holdout", "run/holdout.csv", "--exclude", "held")
        self.assertEqual(digest(self.folder / "file"), digest(self.folder / "run"))
        self.fails("mine", "b.txt", "-o", "no", *options, "--holdout", "hold = present", status=64,
                   says="--holdout: no item 'hold', did you mean 'held'?")
        # A run without rules names no item to count on.
        self.atoll("mine", "b.txt", "-o", "none", *options, "--holdout", "held = present", "--significance", 1e-9)
        self.assertEqual(self.atoll("rules", "none", "--on", "b.txt")[0].count("\n"), 1)
        self.assertRegex(self.atoll("compare", "none", "none")[0], r"rules +0 +0\n")
        self.fails("compare", "run", "nowhere", status=66, says="nowhere: No such file or directory")

    def test_runs_that_hold_out_the_same_rows_are_collected_whatever_their_seeds(self):
        self.table()
        for seed in (1, 2):
            self.atoll("mine", "t.csv", "-o", f"run{seed}", *SMALL[:-1], seed, "--holdout", "split = test")
        self.atoll("collect", "run1", "run2", "-o", "all")
        rules = json.loads((self.folder / "all" / "rules.json").read_text())
        self.assertEqual(rules[0]["holdout"]["counts"]["n"], len(self.rows_of("test")))
        self.mine("other", "--holdout", "split = train")
        self.fails("collect", "run1", "other", "-o", "no", status=64, says="other: ")

    def test_a_list_is_tested_on_them(self):
        self.table()
        options = ("--class", "y", "--generations", 3, "--population", 20, "--write-holdout", "yes")
        self.atoll("classify", "train", "t.csv", "-o", "list", *options, "--holdout", "split = test")
        found = json.loads((self.folder / "list" / "classifier.json").read_text())
        self.assertEqual(self.held_out("list"), self.rows_of("test"))
        self.assertIn("held_out", found)
        self.fails("classify", "train", "t.csv", "-o", "no", "--class", "y", "--holdout", "y = yes", status=64,
                   says="--holdout: 'y' says which rows are held out, so --class cannot name it")
        _, err = self.atoll("classify", "train", "t.csv", "-o", "no", "--class", "y", "--holdout", "foo = 3",
                            status=64)
        self.assertNotIn("no rule names", err)

    def test_what_cannot_be_held_out_is_refused(self):
        self.table()
        self.write("zero.txt", "0\n")
        self.write("word.txt", "1\nx\n")
        self.write("twice.txt", "4\n4\n")
        self.write("none.txt", "row\n")
        self.write("far.txt", "5000\n")
        for holdout, status, says in (
                ("absent.txt", 66, "absent.txt: no such file, nor a share such as 0.3 or a condition such as 'split"),
                ("1.5", 64, "--holdout: '1.5' is no share from 0 to 1"),
                ("0.95", 64, "--holdout is 0.95, expected 0 to 0.9"),
                ("", 64, "--holdout: empty, expected a share, a condition or a file"),
                ("zero.txt", 65, "zero.txt:1:1: found '0', expected the number of a row"),
                ("word.txt", 65, "word.txt:2:1: found 'x', expected the number of a row"),
                ("twice.txt", 65, "twice.txt: row 4 is there twice"),
                ("none.txt", 65, "none.txt: no numbers of rows"),
                ("far.txt", 64, "--holdout names row 5000, the data have 1200 rows"),
                ("split = tset", 64, "--holdout 'split = tset': no value 'tset', did you mean 'test'?"),
                ("splt = test", 64, "--holdout: no attribute 'splt', did you mean 'split'?"),
                ("split =", 64, "--holdout 'split =': found"),
                ("a > 5 AND b = q", 64, "expected the end after one comparison"),
                ("a > 1000", 64, "--holdout 'a > 1000' holds on no row: 'a' goes from "),
                ("split == test", 64, "found '==', expected one ="),
                ("split is mising", 64, "found 'mising', expected missing or known"),
                ("40 %", 64, "--holdout: '40 %' is no share"),
                ("y = yes", 64, "--holdout: 'y' says which rows are held out, so --target cannot name it")):
            self.fails("mine", "t.csv", "-o", "run", *SMALL, "--target", "y=*", "--holdout", holdout,
                       status=status, says=says)
        self.fails("mine", "t.csv", "-o", "run", "--write-holdout", "yes", status=64,
                   says="--write-holdout yes needs --holdout, rows to write")

    def test_other_data_are_tested_as_rows_held_out_are(self):
        self.table()
        self.mine("run", "--holdout", "split = test")
        lines = [line for line in self.lines if line.split(",")[4] == "test"]
        self.write("test.csv", "\n".join(["a,b,c,y,split,year", *lines]) + "\n")
        rules = json.loads(self.atoll("rules", "run", "--on", "test.csv", "--format", "json", "--variants",
                                      "--definitions")[0])
        self.assertGreater(len(rules), 5)
        for rule in rules:
            for key in ("p_value", "p_productive", "p_holm", "p_bh"):
                self.assertAlmostEqual(rule["on"][key], rule["holdout"][key], delta=1e-9 * rule["on"][key])
        out, _ = self.atoll("rules", "run", "--on", "test.csv", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(float(rows[0]["on_p_holm"]), float(rows[0]["holdout_p_holm"]))
        table, _ = self.atoll("rules", "run", "--on", "test.csv", "--where", "on_p_holm <= 0.05",
                              "--sort", "on_p_holm")
        self.assertIn("on_p_holm", table)


if __name__ == "__main__":
    unittest.main()
