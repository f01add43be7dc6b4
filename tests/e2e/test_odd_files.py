"""Tables as people have them: read as they are meant, with a line for what was assumed, or refused."""

import json
import unittest

from harness import EndToEnd
from odd_files import FILES, FOLDER


class OddFiles(EndToEnd):
    def imported(self, file, *options):
        """What `atoll info` has of the file, and what importing it said."""
        _, said = self.atoll("import", FOLDER / file.name, "-o", "data.h5", "--force", *options)
        return json.loads(self.atoll("info", "data.h5", "--json")[0]), said

    def is_right(self, file, info):
        self.assertEqual(info["rows"], file.rows)
        kept = [column for column in file.columns if not column.left_out]
        self.assertEqual([(a["name"], a["kind"], a["missing"]) for a in info["attributes"]],
                         [(c.name, c.kinds[0], c.missing[0]) for c in kept])
        for column, attribute in zip(kept, info["attributes"]):
            if column.distinct is not None:
                self.assertEqual(attribute["distinct"], column.distinct, column.name)
        self.assertEqual([(column["name"], column["reason"]) for column in info["ignored"]],
                         [(c.name, c.left_out) for c in file.columns if c.left_out])

    def test_each_is_read_as_it_is_meant(self):
        for file in FILES:
            if file.rows is None or file.refused and not file.options:
                continue
            with self.subTest(file.name):
                info, said = self.imported(file, *file.options)
                self.is_right(file, info)
                for words in file.says:
                    self.assertIn(words, said)

    def test_each_that_cannot_be_read_is_refused_in_one_line(self):
        for file in FILES:
            if file.refused:
                with self.subTest(file.name):
                    made = self.folder / f"{file.name}.h5"
                    self.fails("import", FOLDER / file.name, "-o", made, status=65, says=file.refused)
                    self.assertFalse(made.exists())

    def test_what_is_left_to_the_user_is_said(self):
        for file in FILES:
            if file.by_default:
                with self.subTest(file.name):
                    info, said = self.imported(file)
                    self.assertEqual(info["rows"], file.rows)
                    self.assertIn(file.by_default, said)

    def test_each_file_has_its_right_value(self):
        self.assertEqual(sorted(file.name for file in FILES),
                         sorted(path.name for path in FOLDER.iterdir() if not path.name.startswith(".")))

    def test_they_are_mined_as_they_are_imported(self):
        for name, target, says in (("ranges_as_names.csv", "label=*", "first line holds the names"),
                                   ("decimal_comma.csv", "y=*", "'x' is read as numbers with a decimal comma")):
            with self.subTest(name):
                _, said = self.atoll("mine", FOLDER / name, "-o", name, "--target", target, "--generations", 1)
                self.assertIn(says, said)
                rules = json.loads((self.folder / name / "rules.json").read_text())
                self.assertTrue(rules)
                self.assertNotIn("column_", json.dumps(rules))


if __name__ == "__main__":
    unittest.main()
