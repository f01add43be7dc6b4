"""Lists and rules on other files than those they were learnt from: numbers written otherwise, columns
that nobody asks for, rows and columns that are missing; and what is counted where values are missing."""

import csv
import io
import json
import unittest

from harness import EndToEnd

QUICK = ["--islands", 1, "--population", 8, "--generations", 2, "--migrants", 2, "--threads", 1]
MINED = ["--islands", 1, "--population", 40, "--generations", 5, "--threads", 1]


class OtherFiles(EndToEnd):
    def learn(self, content, run="run", name="train.csv", column="y", *more):
        self.write(name, content)
        self.atoll("classify", "train", name, "-o", run, "--class", column, "--force", *QUICK, *more)

    def classes(self, data, run="run", **more):
        """Of the lines that predict writes, and what it says."""
        out, err = self.atoll("classify", "predict", run, data, **more)
        return [line["class"] for line in csv.DictReader(io.StringIO(out))], err

    def labels(self, run="run"):
        return json.loads((self.folder / run / "classifier.json").read_text())["class"]["values"]

    @staticmethod
    def steps(low, high, rows=80):
        """Above 20 the class is `high`; texts of a class take turns."""
        lines = ["x,y"]
        for i in range(rows):
            x = i * 7 % 40
            texts = high if x > 20 else low
            lines.append(f"{x},{texts[i % len(texts)]}")
        return "\n".join(lines) + "\n"


class NumbersAsPeopleWriteThem(OtherFiles):
    def test_another_sign_is_told_of(self):
        lines = [f"${i * 7 % 40},{'hi' if i * 7 % 40 > 20 else 'lo'}" for i in range(80)]
        self.learn("\n".join(["x,y"] + lines) + "\n")
        for value, sign in ("\u20ac", "'\u20ac'"), ("", "no sign"):
            self.write("new.csv", f"x,z\n{value}30,a\n{value}5,b\n")
            classes, err = self.classes("new.csv")
            self.assertEqual(classes, ["hi", "lo"])
            self.assertIn(f"'x' has numbers with {sign}, and with '$' in the data before", err)
        self.write("new.csv", "x,z\n$30,a\n$5,b\n")
        self.assertNotIn("data before", self.classes("new.csv")[1])

    def test_they_are_read_as_those_that_a_list_was_learnt_from(self):
        lines = [f"{i * 700 % 4000},5;{'hi' if i * 700 % 4000 > 2000 else 'lo'}" for i in range(80)]
        self.write("train.csv", "\n".join(["x;y"] + lines) + "\n")
        _, err = self.atoll("classify", "train", "train.csv", "-o", "run", "--class", "y", *QUICK)
        self.assertIn("'x' is read as numbers with a decimal comma", err)
        attribute, = json.loads((self.folder / "run" / "classifier.json").read_text())["attributes"]
        self.assertEqual(attribute["written"], "comma")
        # Each might be a decimal point elsewhere, and a group of digits here.
        self.write("new.csv", "x;z\n3.100;a\n1.100;b\nNone;c\n")
        classes, err = self.classes("new.csv")
        self.assertEqual(classes[:2], ["hi", "lo"])
        self.assertIn("'3.100' in line 2 and the like are read as in the data before, with a decimal comma", err)
        self.write("new.csv", "x,z\n3100.5,a\n1100.5,b\n")
        self.assertEqual(self.classes("new.csv")[0], ["hi", "lo"])
        self.fails("classify", "predict", "run", self.write("new.csv", "x;z\n5;a\nsold;b\n"), status=65,
                   says="new.csv:3:1: found 'sold', expected a number")
        # Rules of a run do likewise.
        self.atoll("mine", "train.csv", "-o", "mined", "--target", "y", *MINED)
        self.write("new.csv", "x;y\n3.100;hi\n1.100;lo\n")
        _, err = self.atoll("rules", "mined", "--on", "new.csv")
        self.assertIn("are read as in the data before, with a decimal comma (--on-decimal comma or", err)
        # From a dataset file, too.
        self.atoll("import", "train.csv", "-o", "train.h5")
        self.atoll("classify", "train", "train.h5", "-o", "run", "--force", "--class", "y", *QUICK)
        self.write("new.csv", "x;z\n3.100;a\n1.100;b\n")
        self.assertEqual(self.classes("new.csv")[0], ["hi", "lo"])


class NumericClasses(OtherFiles):
    def test_other_texts_of_the_same_numbers_are_the_same_classes(self):
        forms = {"0 1": ("0", "1"), "0.0 1.0": ("0.0", "1.0"), "-1 1": ("-1", "1"), "1e0 20": ("1e0", "20"),
                 "0.5 2.50": ("0.5", "2.50")}
        others = {"0 1": ("0.0", "1e0"), "0.0 1.0": ("0", "1"), "-1 1": ("-1.0", "1.00"),
                  "1e0 20": ("1", "2e1"), "0.5 2.50": (".5", "2.5")}
        for form, (low, high) in forms.items():
            with self.subTest(form):
                self.learn(self.steps([low], [high]))
                self.assertEqual(self.labels(), sorted([low, high]))
                low2, high2 = others[form]
                self.write("new.csv", f"x,y\n5,{low2}\n30,{high2}\n35,{low2}\n7,\n")
                found, err = self.classes("new.csv")
                self.assertEqual(found, [low, high, high, low])
                self.assertIn("66.67% of 3 rows right", err)
                self.assertNotIn("never seen", err)
                out, err = self.atoll("classify", "rules", "run", "--on", "new.csv")
                self.assertIn("66.67% of 3 rows right", err)

    def test_a_class_of_numbers_has_its_numbers_as_classes(self):
        self.learn(self.steps(["1", "1.0"], ["2", "2.0", "2e0"]))
        self.assertEqual(self.labels(), ["1", "2"])
        found, err = self.classes("train.csv")
        self.assertIn("100.00% of 80 rows right", err)
        out, _ = self.atoll("classify", "cv", "train.csv", "--class", "y", "--folds", 2, "--json", *QUICK[:-2])
        self.assertGreater(json.loads(out)["accuracy"], 0.9)  # of four classes there were half as many

    def test_codes_and_words_are_as_they_are_written(self):
        self.learn(self.steps(["007"], ["7"]))
        self.assertEqual(self.labels(), ["007", "7"])
        self.write("new.csv", "x,y\n5,007\n30,7.0\n5,07\n")
        _, err = self.classes("new.csv")
        self.assertIn("66.67% of 3 rows right", err)
        self.assertIn("never seen, so their rows count as wrong: 07", err)
        self.learn(self.steps(["True"], ["False"]))
        self.write("new.csv", "x,y\n5,true\n30,False\n")
        _, err = self.classes("new.csv")
        self.assertIn("50.00% of 2 rows right", err)

    def test_a_column_may_be_numbers_in_one_file_and_labels_in_another(self):
        rows = [f"{i % 3},{'yes' if i % 3 == 2 else 'no'}" for i in range(60)]
        self.write("labels.csv", "a,y\n" + "\n".join(rows) + "\n")
        self.atoll("import", "labels.csv", "-o", "labels.h5", "--nominal", "a")
        self.atoll("import", "labels.csv", "-o", "numbers.h5")
        self.write("floats.csv", (self.folder / "labels.csv").read_text().replace("0,", "0.0,")
                   .replace("1,", "1e0,").replace("2,", "2.0,"))
        for learnt in ("labels.h5", "numbers.h5"):
            self.atoll("classify", "train", learnt, "-o", "run", "--class", "y", "--force", *QUICK)
            self.atoll("mine", learnt, "-o", "mined", "--target", "y=*", "--force", *MINED)
            rules = json.loads((self.folder / "mined" / "rules.json").read_text())
            self.assertTrue(rules)
            for data in ("labels.csv", "labels.h5", "numbers.h5", "floats.csv"):
                with self.subTest(learnt=learnt, data=data):
                    _, err = self.classes(data)
                    self.assertIn("100.00% of 60 rows right", err)
                    out, _ = self.atoll("rules", "mined", "--on", data, "--format", "json")
                    for rule in json.loads(out):
                        self.assertEqual(rule["on"]["counts"]["both"], rule["counts"]["both"])

    def test_rules_are_compared_by_numbers_too(self):
        rows = "".join(f"{i % 2},{'p' if i % 2 else 'q'},{i % 3}\n" for i in range(60))
        self.write("ints.csv", "a,b,c\n" + rows)
        self.write("floats.csv", "a,b,c\n" + rows.replace("0,", "0.0,").replace("1,", "1.0,"))
        self.write("schema.toml", "".join(
            f'[[columns]]\nname = "{name}"\nkind = "nominal"\n' for name in "abc"))
        for name in ("ints", "floats"):
            self.atoll("import", f"{name}.csv", "-o", f"{name}.h5", "--nominal", "a,c")
        self.atoll("mine", "ints.h5", "-o", "run", *MINED)
        self.atoll("enumerate", "floats.h5", "-o", "true.json")
        out, _ = self.atoll("compare", "run", "true.json", "--format", "json")
        self.assertTrue(json.loads(out))


class FurtherColumns(OtherFiles):
    BAD = {"dates": ("2020-01-01", "2020-01-02 10:00"), "leap": ("2020-01-01T10:00:60", "2020-01-02T10:00:00"),
           "flaw": ("2020-02-30", "2020-02-01"), "long": ("a", "b" * 70000)}

    def test_nobody_judges_them(self):
        self.learn(self.steps(["lo"], ["hi"]))
        self.atoll("mine", "train.csv", "-o", "mined", *MINED)
        for name, (first, second) in self.BAD.items():
            with self.subTest(name):
                self.write("new.csv", f"when,x,y\n{first},5,lo\n{second},30,hi\n")
                found, err = self.classes("new.csv")
                self.assertEqual(found, ["lo", "hi"])
                self.assertNotIn("when", err)
                _, err = self.atoll("classify", "rules", "run", "--on", "new.csv")
                self.assertIn("100.00% of 2 rows right", err)
                self.atoll("rules", "mined", "--on", "new.csv")

    def test_excluded_ones(self):
        def rows(second):
            lines = self.steps(["lo"], ["hi"]).splitlines()
            return "\n".join([lines[0] + ",when"] + [
                f"{line},{second if i == 5 else f'2020-01-{i % 28 + 1:02d}'}"
                for i, line in enumerate(lines[1:])]) + "\n"
        self.write("fine.csv", rows("2020-01-06"))
        self.atoll("mine", "fine.csv", "-o", "fine", "--exclude", "when", *MINED)
        expected = (self.folder / "fine" / "rules.csv").read_bytes()
        for name, values in self.BAD.items():
            with self.subTest(name):
                second = values[0] if name in ("leap", "flaw") else values[1]
                self.write("bad.csv", rows(second))
                if name in ("dates", "leap"):
                    self.fails("mine", "bad.csv", "-o", "all", *MINED, status=65, says="bad.csv:7:")
                self.atoll("mine", "bad.csv", "-o", "bad", "--force", "--exclude", "when", *MINED)
                self.assertEqual((self.folder / "bad" / "rules.csv").read_bytes(), expected)
                self.atoll("classify", "train", "bad.csv", "-o", "list", "--class", "y", "--force",
                           "--exclude", "when", *QUICK)
                self.atoll("classify", "cv", "bad.csv", "--class", "y", "--folds", 2,
                           "--exclude", "when", *QUICK[:-2])


class Predict(OtherFiles):
    def test_a_line_for_each_row(self):
        self.learn("x,class\n" + "".join(f"{i * 7 % 40},{'hi' if i * 7 % 40 > 20 else 'lo'}\n" for i in range(80)),
                   column="class")
        for content, expected in (
                ("x\n5\n\n30\n\n\n35\n", "lo lo hi lo lo hi"),
                ("x\n5\n   \n30\n\t\n35\n\n\n", "lo lo hi lo hi"),
                ('x\n5\n""\n30\nNA\n35\n', "lo lo hi lo hi"),
                ("x\r\n5\r\n\r\n30", "lo lo hi"),
                ("x\n30\n", "hi"),
                ("x\n30\n30\n", "hi hi"),
                ("x,k\n30,1\n\n5,1\n", "hi lo")):
            with self.subTest(content):
                self.write("new.csv", content)
                self.assertEqual(self.classes("new.csv")[0], expected.split())

    def test_a_list_without_rules_and_constant_columns(self):
        self.learn("a,y\n" + "1,True\n" * 30 + "0,True\n" * 30 + "1,False\n" * 2)
        self.assertEqual(json.loads((self.folder / "run" / "classifier.json").read_text())["rules"], [])
        for content in ("a\n1\n", "a,b\n1,0\n1,0\n", "id\n" + "".join(f"{i}\n" for i in range(30)),
                        "when\n2020-01-01\n2020-01-02 10:00\n", "k\n" + "a" * 70000 + "\n"):
            with self.subTest(content[:30]):
                self.write("new.csv", content)
                found, _ = self.classes("new.csv")
                self.assertEqual(found, ["True"] * (content.count("\n") - 1))

    def test_it_names_the_column_that_is_missing(self):
        self.learn(self.steps(["lo"], ["hi"]).replace("x,y", "petal length,y"))
        for content, says in (("petal_length,k\n5,1\n", "column 'petal length' is missing"),
                              ("petal_length,k\n5,1\n", "did you mean 'petal_length'?"),
                              ("k,m\n1,1\n2,2\n", "it has 'k', 'm'")):
            self.write("new.csv", content)
            self.fails("classify", "predict", "run", "new.csv", status=65, says=says)
        self.write("new.csv", "petal length,why\n5,lo\n")
        self.fails("classify", "rules", "run", "--on", "new.csv", status=65, says="column 'y' is missing")

    def test_one_hot_columns_are_folded_again(self):
        rows = ["color_red,color_green,color_dark blue,n,y"]
        for i in range(60):
            color = [str(i % 3 == k) for k in range(3)]
            rows.append(",".join(color) + f",{i * 7 % 10},{'p' if i % 3 == 0 else 'q'}")
        self.write("dummies.csv", "\n".join(rows) + "\n")
        self.atoll("import", "dummies.csv", "-o", "d.h5", "--one-hot", "auto")
        self.atoll("classify", "train", "d.h5", "-o", "run", "--class", "y", *QUICK)
        self.assertIn("color = red", (self.folder / "run" / "classifier.txt").read_text())
        found, err = self.classes("dummies.csv")
        self.assertIn("100.00% of 60 rows right", err)
        self.write("new.csv", "color_red,color_green\n1,0\n0,1\n")
        self.assertEqual(self.classes("new.csv")[0], ["p", "q"])
        self.write("new.csv", "color_red,color_green\n1,0\n0,0\n")
        self.fails("classify", "predict", "run", "new.csv", status=65, says="0 of them in line 3 of new.csv")
        self.atoll("mine", "d.h5", "-o", "mined", "--target", "y=*", *MINED)
        out, _ = self.atoll("rules", "mined", "--on", "dummies.csv", "--format", "json")
        for rule in json.loads(out):
            self.assertEqual(rule["on"]["counts"]["both"], rule["counts"]["both"])


class StandardOutput(OtherFiles):
    def test_a_minus_is_standard_output(self):
        self.learn(self.steps(["lo"], ["hi"]))
        plain, _ = self.atoll("classify", "predict", "run", "train.csv")
        self.assertEqual(self.atoll("classify", "predict", "run", "train.csv", "-o", "-")[0], plain)
        self.write("labels.csv", "a,b\n" + "x,p\ny,q\n" * 20)
        self.atoll("enumerate", "labels.csv", "-o", "out.json")
        out, err = self.atoll("enumerate", "labels.csv", "-o", "-")
        self.assertEqual(out, (self.folder / "out.json").read_text())
        self.assertIn("in standard output", err)
        for words in (["poker", "--rows", 50], ["planted", "--rows", 50, "--rules", 0],
                      ["quest", "--rows", 50], ["random-baskets", "--rows", 50, "--items", 5,
                                                "--probability", 0.5]):
            with self.subTest(words):
                name = "out.csv" if words[0] in ("poker", "planted") else "out.dat"
                self.atoll("generate", *words, "-o", name, "--force")
                out, _ = self.atoll("generate", *words, "-o", "-")
                self.assertEqual(out, (self.folder / name).read_text())
        self.fails("import", "labels.csv", "-o", "-", status=64, says="a dataset is an HDF5 file")
        for words in (["mine", "labels.csv"], ["classify", "train", "train.csv", "--class", "y"],
                      ["collect", "run"]):
            with self.subTest(words):
                self.fails(*words, "-o", "-", status=64, says="--output -: ")
        self.assertFalse((self.folder / "-").exists())


class MissingConsequents(OtherFiles):
    TABLE = "a,b,k\nx,p,1\nx,,1\nx,,2\ny,q,1\ny,q,2\ny,q,1\nz,,1\nz,r,2\n"

    @staticmethod
    def value(row, comparison):
        """Of a comparison: without a value none holds, but that it is missing."""
        text = row[comparison["attribute"]]
        values = comparison["values"]
        if values == [None]:
            return (text == "") == (comparison["relation"] == "=")
        if text == "":
            return False
        if comparison["attribute"] == "k":
            text, values = float(text), [float(v) for v in values]
        return {"=": lambda: text == values[0], "!=": lambda: text != values[0],
                "<": lambda: text < values[0], "<=": lambda: text <= values[0],
                ">": lambda: text > values[0], ">=": lambda: text >= values[0],
                "in": lambda: values[0] <= text <= values[1],
                "not in": lambda: not values[0] <= text <= values[1]}[comparison["relation"]]()

    def holds(self, row, side, comparisons):
        """Of the text of a side, by the plain words of rules.md; its comparisons come one after another."""
        expression, place = "", 0
        left = iter(comparisons)
        words = side.replace("(", " ( ").replace(")", " ) ").split()
        while place < len(words):
            if words[place] in ("AND", "OR", "NOT", "(", ")"):
                expression += f" {words[place].lower()} "
                place += 1
                continue
            expression += str(self.value(row, next(left)))
            while place < len(words) and words[place] not in ("AND", "OR", ")"):
                place += 1
        return eval(expression)  # of True, False, and, or, not and brackets

    def test_every_count_is_what_the_pages_say(self):
        self.write("notc.csv", self.TABLE)
        table = list(csv.DictReader(io.StringIO(self.TABLE)))
        with_not = 0
        for choice in ("count", "exclude"):
            self.atoll("mine", "notc.csv", "-o", choice, "--grammar", "association-full",
                       "--missing-consequent", choice, "--islands", 2, "--population", 60,
                       "--generations", 30, "--min-support", "1rows", "--threads", 2)
            rules = json.loads((self.folder / choice / "rules.json").read_text())
            self.assertGreater(len(rules), 10)
            for rule in rules:
                left, right = rule["rule"].split(" => ")
                concluded = {c["attribute"] for c in rule["consequent"]}
                missing = [row for row in table if any(row[name] == "" for name in concluded)]
                rows = [row for row in table if choice == "count" or row not in missing]
                antecedent = [self.holds(row, left, rule["antecedent"]) for row in rows]
                consequent = [self.holds(row, right, rule["consequent"]) for row in rows]
                counts = rule["counts"]
                self.assertEqual(
                    (counts["n"], counts["antecedent"], counts["consequent"], counts["both"],
                     counts["missing_consequent"]),
                    (len(rows), sum(antecedent), sum(consequent),
                     sum(a and c for a, c in zip(antecedent, consequent)), len(missing)), rule["rule"])
                with_not += "NOT" in right or "OR" in right
        self.assertGreater(with_not, 5)

    def test_enumerate_tells_how_many_have_none(self):
        self.write("missc.csv", "a,b\nx,p\nx,p\nx,\ny,q\ny,q\nz,\n")
        out, _ = self.atoll("enumerate", "missc.csv", "-o", "-")
        rules = json.loads(out)["rules"]
        self.assertTrue(rules)
        for rule in rules:
            missing = 2 if " => b" in rule["rule"] else 0
            self.assertEqual(rule["counts"]["missing_consequent"], missing)
        self.assertIn(2, [rule["counts"]["missing_consequent"] for rule in rules])

    def test_enumerate_counts_no_more_than_there_are(self):
        self.write("n.csv", "a,b,c\nx,1,p\ny,2,q\nx,1,p\ny,1,q\nx,2,p\nz,,q\n")
        for method in ([], ["--method", "beam", "--evaluations", 1000]):
            out, err = self.atoll("enumerate", "n.csv", "-o", "-", "--max-bins", 0, *method)
            found = json.loads(out)
            self.assertEqual(found["space"], 52)
            self.assertLessEqual(found["evaluated"], 52)
            self.assertIn(f"counted {found['evaluated']} of the 52 in the space", err)


if __name__ == "__main__":
    unittest.main()
