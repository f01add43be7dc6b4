"""What the import of the training table made of its cells holds for the tables that a list is applied to; what
the commands say of classes, presets and names that are hard to read."""

import csv
import json
import re
import unittest

from harness import MPIEXEC
from test_classify import SMALL, QUICK, Classify, List


class Tokens(Classify):
    """Of which one means "no value" at the import of the training table alone."""

    def setUp(self):
        super().setUp()
        lines = ["x,colour,class"]
        for row in range(300):
            x = "-1" if row % 7 == 0 else str(row * 37 % 100)
            colour = "none" if row % 5 == 0 else ["red", "NA"][row % 2]
            label = "unknown" if row % 11 == 0 else "yes" if x != "-1" and int(x) > 50 else "no"
            lines.append(f"{x},{colour},{label}")
        self.write("table.csv", "\n".join(lines) + "\n")
        self.atoll("import", "table.csv", "-o", "table.h5", "--missing-only=-1,none,unknown", "--class", "class")
        self.train("table.h5", "run", *SMALL)

    def predictions(self, data):
        out, err = self.atoll("classify", "predict", "run", data)
        return [(line["class"], line["rule"]) for line in csv.DictReader(out.splitlines())], err

    def test_text_is_read_as_the_training_table_was(self):
        of_text, err = self.predictions("table.csv")
        of_dataset, expected = self.predictions("table.h5")
        self.assertEqual(of_text, of_dataset)
        self.assertEqual(err.splitlines()[-1], expected.splitlines()[-1])
        self.assertNotIn("warning", err)
        described = json.loads((self.folder / "run" / "classifier.json").read_text())
        self.assertEqual(described["class"]["missing"], ["-1", "none", "unknown"])
        self.assertEqual({tuple(of["missing"]) for of in described["attributes"]},
                         {("-1", "none", "unknown")})

    def test_the_usual_tokens_mean_nothing_then(self):
        self.write("new.csv", "x,colour\n90,red\nNA,red\n")
        self.fails("classify", "predict", "run", "new.csv", status=65, says="new.csv:3:1: found 'NA'")

    def test_the_usual_tokens_are_not_written(self):
        self.train(self.gaps().name, "usual", "--class", 'the "class"', *QUICK)
        self.assertNotIn('"missing"', (self.folder / "usual" / "classifier.json").read_text())


class OrderedLabels(Classify):
    def setUp(self):
        super().setUp()
        self.write("schema.toml", '[[column]]\nname = "grade"\nkind = "ordinal"\n'
                                  'order = ["low", "mid", "high"]\n')
        grades = ["low", "mid", "high"]
        self.write("table.csv", "grade,x,class\n" + "".join(
            f"{grades[row % 3]},{row // 3 % 8},{'yes' if row % 3 and row // 3 % 8 > 3 else 'no'}\n"
            for row in range(240)))
        self.atoll("import", "table.csv", "-o", "table.h5", "--schema", "schema.toml")
        self.train("table.h5", "run", "--class", "class", *SMALL)
        self.assertIn("grade > low", (self.folder / "run" / "classifier.txt").read_text())

    def test_text_has_the_order_of_the_list(self):
        of_text, err = self.atoll("classify", "predict", "run", "table.csv")
        of_dataset, _ = self.atoll("classify", "predict", "run", "table.h5")
        self.assertEqual(of_text, of_dataset)
        self.assertIn("100.00% of 240 rows right", err)

    def test_other_labels_have_no_place_in_it(self):
        self.write("new.csv", "grade,x\nmid,5\nhuge,5\n")
        self.fails("classify", "predict", "run", "new.csv", status=65,
                   says="new.csv:3:1: found 'huge', expected one of high, low, mid")


class RareLabels(Classify):
    """Which the import has merged."""

    def setUp(self):
        super().setUp()
        lines = ["city,x,class"]
        for row in range(400):
            # Of ten cities three are kept; the class is known by a city that is merged.
            city = row % 10 if row % 2 else row % 3
            lines.append(f"city{city},{row * 31 % 17},{'far' if city > 2 else 'near'}")
        self.write("table.csv", "\n".join(lines) + "\n")
        self.atoll("import", "table.csv", "-o", "table.h5", "--max-categories", 3, "--class", "class")
        self.train("table.h5", "run", *SMALL)

    def test_a_label_that_was_not_kept_is_other(self):
        text = (self.folder / "run" / "classifier.txt").read_text()
        self.assertIn("city = other", text)
        self.assertIn("\n'other' of 'city' is any label but the 3 that the import kept\n", text)
        self.write("new.csv", "x,city\n1,city0\n1,city7\n1,never seen\n1,other\n1,?\n")
        out, _ = self.atoll("classify", "predict", "run", "new.csv")
        said = [line["class"] for line in csv.DictReader(out.splitlines())]
        self.assertEqual(said[:4], ["near", "far", "far", "far"])
        _, err = self.atoll("classify", "predict", "run", "table.csv", "-o", "out.csv")
        _, expected = self.atoll("classify", "predict", "run", "table.h5", "-o", "exact.csv")
        self.assertEqual((self.folder / "out.csv").read_text(), (self.folder / "exact.csv").read_text())
        self.assertIn(expected.splitlines()[-1], err)

    def test_other_programs_meet_the_labels_themselves(self):
        pmml = (self.folder / "run" / "classifier.pmml").read_text()
        self.assertNotIn('value="other"', pmml)
        self.assertIn('operator="notEqual" value="city0"', pmml)
        of_city = json.loads((self.folder / "run" / "classifier.json").read_text())["attributes"][0]
        self.assertEqual((of_city["other"], of_city["values"]), ("other", ["city0", "city1", "city2", "other"]))

    def test_classes_that_were_merged(self):
        lines = ["x,k"] + [f"{row % 40},{'a' if row % 40 < 20 else 'k' + str(row % 40)}" for row in range(400)]
        self.write("many.csv", "\n".join(lines) + "\n")
        self.atoll("import", "many.csv", "-o", "many.h5", "--max-categories", 2, "--class", "k")
        self.train("many.h5", "run", "--force", *SMALL)
        _, err = self.atoll("classify", "predict", "run", "many.csv", "-o", "out.csv")
        _, expected = self.atoll("classify", "predict", "run", "many.h5", "-o", "exact.csv")
        self.assertEqual((self.folder / "out.csv").read_text(), (self.folder / "exact.csv").read_text())
        self.assertIn(expected.splitlines()[-1], err)


class HeldOut(Classify):
    """Of rows held out the search knows nothing: no value, no label, no class."""

    WORDS = [*SMALL, "--holdout", "0.3", "--max-bins", 8]

    def rows_held_out(self, rows):
        """Which they are follows from their numbers and the seed. Here each row is a class of its own."""
        self.write("probe.csv", "x,class\n" + "".join(f"{row % 7},k{row:03}\n" for row in range(rows)))
        self.train("probe.csv", "probe", "--class", "class", *self.WORDS, "--inner-folds", 0)
        described = json.loads((self.folder / "probe" / "classifier.json").read_text())
        training = set(described["class"]["values"])
        held_out = [row for row in range(rows) if f"k{row:03}" not in training]
        self.assertEqual(described["held_out"]["unknown"], [f"k{row:03}" for row in held_out])
        self.assertEqual(len(described["held_out"]["confusion"]), rows)
        return held_out

    def test_the_list_does_not_depend_on_them(self):
        lines = self.table(300).read_text().splitlines()
        for row in self.rows_held_out(300):
            x, y, _, label = lines[1 + row].split(",")
            label = label if row % 2 else "new"
            lines[1 + row] = f"{int(x) + 0.25 + row},{-1 - int(y)},grey,{label}"
        self.write("other.csv", "\n".join(lines) + "\n")
        described, warned = [], []
        for table, ranks in (("table.csv", 0), ("other.csv", 0), ("other.csv", 2 if MPIEXEC else 0)):
            _, err = self.train(table, "run", "--class", "class", "--force", *self.WORDS, ranks=ranks)
            warned.append("classes that the list has never seen, so their rows count as wrong: new" in err)
            described.append(json.loads((self.folder / "run" / "classifier.json").read_text()))
        self.assertEqual(warned, [False, True, True])
        self.assertNotEqual(described[0]["held_out"], described[1]["held_out"])
        self.assertEqual(described[1], described[2])
        held_out = [record.pop("held_out") for record in described]
        self.assertEqual(described[0], described[1])
        self.assertEqual(held_out[1]["unknown"], ["new"])
        self.assertNotIn("unknown", held_out[0])

    def test_the_figures_are_those_of_predict(self):
        lines = self.table(300).read_text().splitlines()
        held_out = self.rows_held_out(300)
        self.write("held.csv", "\n".join([lines[0], *(lines[1 + row] for row in held_out)]) + "\n")
        _, err = self.train("table.csv", "run", "--class", "class", *self.WORDS)
        expected = next(line for line in err.splitlines() if line.startswith("rows held out: "))
        _, err = self.atoll("classify", "predict", "run", "held.csv", "-o", "out.csv")
        self.assertEqual("rows held out: " + err.splitlines()[-1], expected)


class HardLabels(Classify):
    def test_labels_that_look_like_the_text_around_them(self):
        hard = ["if", "then", "else", "AND", "in", "not", "class", "a b", 'q"q', "1", "01", "1.0", "[1, 2]",
                "=", "=>", ">50K", "-", "x\\y"]
        lines = ["if,then,class"]
        for row in range(40 * len(hard)):
            label = hard[row % len(hard)]
            cell = '"' + label.replace('"', '""') + '"'
            lines.append(f"{cell},{row % 3},{cell}")
        self.write("hard.csv", "\n".join(lines) + "\n")
        self.train("hard.csv", "run", "--class", "class", *SMALL)
        text = (self.folder / "run" / "classifier.txt").read_text()
        for word in ("if", "then", "else", "AND", "a b"):
            self.assertNotRegex(text, rf'(?m)class = {word}$|"if" = {word} ')
        decisions = List(text)
        self.atoll("classify", "predict", "run", "hard.csv", "-o", "out.csv")
        for row, line in zip(self.rows("hard.csv"), self.rows("out.csv")):
            said = re.sub(r"^'(?='*[=+@\t\r-])", "", line["class"])  # io/FORMAT.md
            self.assertEqual((said, int(line["rule"])), decisions.decide(row))


class Hints(Classify):
    def test_numbers_by_mistake(self):
        self.write("price.csv", "x,price\n" + "".join(f"{i % 9},{1000 + i % 60}\n" for i in range(300)))
        says = ("atoll: warning: class 'price' has 60 values, all numbers, taken as labels; if it is a "
                "quantity, mine where it is high: atoll mine --target 'mean(price)'")
        _, err = self.train("price.csv", "run", "--class", "price", *QUICK)
        self.assertEqual(err.count(says), 1, err)
        _, err = self.atoll("classify", "cv", "price.csv", "--class", "price", "--folds", 2, *QUICK)
        self.assertEqual(err.count(says), 1, err)
        _, err = self.train(self.table(200).name, "few", "--class", "class", *QUICK)
        self.assertNotIn("warning: class", err)

    def test_a_list_without_rules_says_why(self):
        noise = "x,class\n" + "".join(f"{i * 37 % 101},{'ab'[i * i % 7 % 2]}\n" for i in range(60))
        self.write("noise.csv", noise)
        _, err = self.train("noise.csv", "run", "--class", "class", "--comparison-cost", 1000, *QUICK)
        self.assertIn("warning: no rules, 'a' is said of every row: no rule gains more rows than", err)
        _, err = self.train(self.table(200).name, "few", "--class", "class", *QUICK)
        self.assertNotIn("no rules", err)

    def test_presets_of_the_other_command(self):
        self.fails("mine", self.table(60).name, "-o", "run", "--preset", "rule-sets", status=64,
                   says="--preset rule-sets learns decision lists: atoll classify train")
        self.fails("classify", "train", "table.csv", "-o", "run", "--preset", "niching", status=64,
                   says="--preset niching mines rules: atoll mine")

    def test_info_counts_the_rules_of_a_list(self):
        self.train(self.table(300).name, "run", "--class", "class", *SMALL)
        rules = json.loads((self.folder / "run" / "classifier.json").read_text())["rules"]
        out, _ = self.atoll("info", "run", "--json")
        self.assertEqual(json.loads(out)["rules"], len(rules))


if __name__ == "__main__":
    unittest.main()
