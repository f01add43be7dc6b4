"""Every command reads a text by the same options, and a run remembers them."""

import json
import random
import re
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 8, "--population", 40, "--max-length", 3)
LIST = ("--generations", 1, "--population", 4, "--seed", 1)
OPTIONS = ("--delimiter", "|", "--header", "--missing", "none", "--nominal", "code", "--ignore", "id")


class ReadingOptions(EndToEnd):
    def rows(self, count=90):
        draw = random.Random(7)
        for row in range(count):
            a = draw.randrange(40)
            code = draw.choice((10, 20, 30))
            yield ("none" if draw.random() < 0.2 else f"{a / 4}"), code, row, "pn"[a > 20]

    def text(self):
        return self.write("t.txt", "a|code|id|y\n" + "".join(
            f"{a}|{code}|{row}|{y}\n" for a, code, row, y in self.rows()))

    def other(self, none="none"):
        """The same rows in another form: the run's words for no value are all that has to be known."""
        return self.write("other.csv", "y,more,code,a\n" + "".join(
            f"{y},x,{code},{a.replace('none', none)}\n" for a, code, _, y in self.rows()))

    def config(self, run):
        return (self.folder / run / "config.toml").read_text()

    def imported(self):
        self.text()
        self.atoll("import", "t.txt", *OPTIONS, "-o", "t.h5")
        return "t.h5"

    def test_all_commands_read_the_same(self):
        self.imported()
        info = [json.loads(self.atoll("info", data, *options, "--json")[0])
                for data, options in (("t.h5", ()), ("t.txt", OPTIONS))]
        self.assertEqual(info[0], info[1])
        self.assertEqual(info[0]["rows"], 90)
        kinds = {attribute["name"]: attribute["kind"] for attribute in info[0]["attributes"]}
        self.assertEqual(kinds, {"a": "numeric", "code": "nominal", "y": "nominal"})
        for command, form in ((("enumerate",), ()), (("itemsets", "--min-count", 3), ("--format", "table"))):
            self.atoll(*command, "t.h5", "-o", "file", "--force")
            self.atoll(*command, "t.txt", *OPTIONS, *form, "-o", "text", "--force")
            self.assertEqual((self.folder / "file").read_text(), (self.folder / "text").read_text())
        def validated(*data):
            out, _ = self.atoll("classify", "cv", *data, "--class", "y", "--json", "--folds", 2, *LIST)
            return re.sub(r'"seconds": [^,]*', "", out)
        self.assertEqual(validated("t.h5"), validated("t.txt", *OPTIONS))
        for command in (("mine", *SMALL), ("classify", "train", "--class", "y", *LIST)):
            self.atoll(*command, "t.h5", "-o", "file.run", "--force")
            self.atoll(*command, "t.txt", *OPTIONS, "-o", "text.run", "--force")
            self.assertEqual(digest(self.folder / "file.run"), digest(self.folder / "text.run"))

    def test_a_run_remembers_them(self):
        self.text()
        self.atoll("mine", "t.txt", *OPTIONS, "--decimal", "point", "-o", "run", *SMALL)
        for line in ('data_delimiter = "|"', "data_header = true", 'data_missing = ["none"]',
                     'data_nominal = ["code"]', 'data_ignore = ["id"]', 'data_decimal = "point"'):
            self.assertIn(f"\n{line}\n", self.config("run"))
        before = digest(self.folder / "run")
        (self.folder / "run" / "data.h5").unlink()
        self.atoll("resume", "run")
        self.assertEqual(digest(self.folder / "run"), before)
        self.atoll("mine", self.imported(), "-o", "file", *SMALL)
        self.assertNotIn("data_", self.config("file"))

    def test_a_run_remembers_a_schema(self):
        self.text()
        schema, _ = self.atoll("import", "t.txt", *OPTIONS, "--print-schema")
        self.write("schema.toml", schema)
        self.atoll("mine", "t.txt", "--schema", "schema.toml", "-o", "run", *SMALL)
        before = digest(self.folder / "run")
        self.atoll("mine", "t.txt", *OPTIONS, "-o", "plain", *SMALL)
        self.assertEqual(digest(self.folder / "plain"), before)
        (self.folder / "schema.toml").unlink()
        (self.folder / "run" / "data.h5").unlink()
        self.atoll("resume", "run")
        self.assertEqual(digest(self.folder / "run"), before)
        self.other()
        self.assertEqual(self.atoll("rules", "run", "--on", "other.csv", "--format", "csv")[0],
                         self.atoll("rules", "plain", "--on", "other.csv", "--format", "csv")[0])

    def test_other_texts_have_the_words_of_the_run(self):
        self.imported()
        self.atoll("mine", "t.txt", *OPTIONS, "-o", "run", *SMALL)
        counted = ("rules", "run", "--format", "json", "--on")
        expected, _ = self.atoll(*counted, "t.h5")
        self.assertEqual(self.atoll(*counted, self.other())[0].replace("other.csv", "t.h5"), expected)
        self.fails(*counted, "other.csv", "--on-missing-only", "x", status=65, says="found 'none'")
        # Those that are given come on top of the run's.
        words = self.other().read_text().splitlines()
        words[1] = "n,x,10,void"
        self.write("other.csv", "\n".join(words) + "\n")
        self.fails(*counted, "other.csv", status=65, says="found 'void'")
        self.atoll(*counted, "other.csv", "--on-missing", "void")
        for option, value, says in (("nominal", "nope", "--on-nominal: no column 'nope'"),
                                    ("ignore", "nope", "--on-ignore: no column 'nope'"),
                                    ("delimiter", "ab", "--on-delimiter: 'ab', expected one character"),
                                    ("decimal", "x", "--on-decimal: 'x' is none of auto, point, comma, plain")):
            self.fails(*counted, "other.csv", f"--on-{option}", value, status=64, says=says)
        self.fails("rules", "run", "--on-missing", "x", status=64, says="--on-missing requires --on")
        self.fails(*counted, "t.h5", "--on-missing", "x", status=64, says="--on-missing is of a text, not of")

    def test_predictions_have_them_too(self):
        self.imported()
        self.atoll("classify", "train", "t.txt", *OPTIONS, "--class", "y", "-o", "list", *LIST)
        expected, _ = self.atoll("classify", "predict", "list", "t.h5")
        self.assertEqual(self.atoll("classify", "predict", "list", self.other())[0], expected)
        self.assertEqual(self.atoll("classify", "predict", "list", "t.txt", "--delimiter", "|")[0], expected)
        self.other("void")
        self.fails("classify", "predict", "list", "other.csv", status=65, says="found 'void'")
        self.assertEqual(self.atoll("classify", "predict", "list", "other.csv", "--missing", "void")[0], expected)
        self.assertEqual(self.atoll("classify", "predict", "list", "other.csv", "--missing-only", "void")[0],
                         expected)
        on = ("classify", "rules", "list", "--on")
        self.assertEqual(self.atoll(*on, "other.csv", "--on-missing", "void")[0], self.atoll(*on, "t.h5")[0])

    def test_wrong_ones(self):
        data = self.imported()
        commands = (("mine", "-o", "x"), ("classify", "train", "-o", "x", "--class", "y"),
                    ("classify", "cv", "--class", "y"), ("enumerate", "-o", "x"), ("info",),
                    ("itemsets", "--min-count", 1, "-o", "x"))
        for command in commands:
            for option in (("--missing", "x"), ("--header",), ("--nominal", "a"), ("--decimal", "point")):
                self.fails(*command, data, *option, status=64,
                           says=f"{option[0]} is of a text, not of an HDF5 file")
        for command in commands[:-1]:
            self.fails(*command, "t.txt", "--delimiter", "|", "--nominal", "coda", status=64,
                       says="--nominal: no column 'coda', did you mean 'code'?")
        self.fails(*commands[-1], "t.txt", "--format", "table", "--delimiter", "|", "--ignore", "ib", status=64,
                   says="--ignore: no column 'ib', did you mean 'id'?")
        self.fails("mine", "t.txt", "-o", "x", "--schema", "none.toml", status=66, says="none.toml")
        self.fails("mine", "t.txt", "-o", "x", "--format", "baskets", "--missing", "x", status=64,
                   says="--missing is of tables, not of transactions")
        self.fails("itemsets", "t.txt", "-o", "x", "--min-count", 1, "--format", "fimi", "--nominal", "x", status=64,
                   says="--nominal is of tables, not of transactions")
        self.assertFalse((self.folder / "x").exists())

    def test_a_batch_job_has_them(self):
        self.text()
        self.write("schema.toml", "[[column]]\nname = 'id'\nrole = 'ignore'\n")
        self.write("e.toml", "data = 't.txt'\nrun = 'run'\n[mine]\nmissing = ['none', 'n,a', '']\nheader = true\n"
                   "schema = 'schema.toml'\n[job]\ntime = '60'\n")
        out, err = self.atoll("submit", "e.toml", "--dry-run")
        begin = next(line for line in (out + err).splitlines() if line.startswith("begin="))
        self.assertIn("'--missing=none,\"n,a\",\"\"'", begin)
        self.assertIn(f"--schema={self.folder}/schema.toml", begin)
        self.assertIn("--header", begin)
        self.write("e.toml", "data = 't.txt'\nrun = 'run'\n[array]\nmissing = ['none', 'x']\n[job]\ntime = '60'\n")
        self.fails("submit", "e.toml", "--dry-run", status=65, says="missing is of [mine]")


if __name__ == "__main__":
    unittest.main()
