"""What rules are to conclude: what the data designate, numbers that are labels, classes one by one."""

import json
import random
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 15, "--population", 60, "--max-length", 3)


class Target(EndToEnd):
    def rules(self, run):
        return json.loads((self.folder / run / "rules.json").read_text())

    def concluded(self, run):
        return {rule["consequent"][0]["attribute"] for rule in self.rules(run)}

    def config(self, run):
        return (self.folder / run / "config.toml").read_text()

    def classes(self, rows=6000, rare=6):
        """Classes 1 on most rows, 2 where x > 70, 3 on `rare` rows where x and y are least, 4 on two."""
        draw = random.Random(5)
        lines = ["x,y,z,class"]
        for row in range(rows):
            x, y, z = draw.randrange(2, 100), draw.randrange(2, 50), draw.randrange(30)
            label = 2 if x > 70 and draw.random() < 0.9 else 1
            if row % (rows // rare) == 1:
                x, y, label = draw.randrange(2), draw.randrange(2), 3
            if row in (17, 4711):
                label = 4
            lines.append(f"{x / 4},{y / 4},{z / 4},{label}")
        return self.write("classes.csv", "\n".join(lines) + "\n")


class Designated(Target):
    SAYS = "the data designate 'class' as the target: rules conclude it, as by --target 'class=*'"

    def setUp(self):
        super().setUp()
        self.atoll("import", self.table(), "--class", "class", "-o", "data.h5")

    def test_is_the_target_that_is_saved(self):
        _, err = self.atoll("mine", "data.h5", "-o", "run", *SMALL)
        self.assertIn(self.SAYS, err)
        self.assertEqual(self.concluded("run"), {"class"})
        self.assertIn('target = ["class=*"]\n', self.config("run"))
        _, err = self.atoll("mine", "data.h5", "-o", "same", *SMALL, "--target", "class=*")
        self.assertNotIn("designate", err)
        self.assertEqual(digest(self.folder / "same"), digest(self.folder / "run"))
        # A copy of the table that designates nothing.
        self.atoll("mine", "table.csv", "-o", "again", "--config", "run/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))
        self.atoll("rules", "run", "--on", "table.csv")

    def test_gives_way_to_what_the_user_says(self):
        for options in (("--target", "none"), ("--consequent", "x,y,colour,class"),
                        ("--antecedent", "x,y,colour,class"), ("--exclude", "class")):
            _, err = self.atoll("mine", "data.h5", "-o", "run", "--force", *SMALL, *options)
            self.assertNotIn("designate", err)
            self.assertGreater(len(self.concluded("run")), 1, options)
        self.atoll("mine", "data.h5", "-o", "none", *SMALL, "--target", "none")
        self.assertIn('target = ["none"]\n', self.config("none"))
        self.atoll("mine", "data.h5", "-o", "again", "--config", "none/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "none"))
        self.atoll("mine", "table.csv", "-o", "plain", *SMALL)
        self.assertEqual(digest(self.folder / "plain"), digest(self.folder / "none"))
        self.atoll("mine", "data.h5", "-o", "other", "--config", "none/config.toml", "--target",
                   "class=yes")
        self.assertIn('target = ["class=yes"]\n', self.config("other"))
        self.write("own.bnf", "<r> ::= <equal(class)> => <greater(x)>")
        self.atoll("mine", "data.h5", "-o", "own", *SMALL, "--grammar", "own.bnf")
        self.assertEqual(self.concluded("own"), {"x"})
        self.fails("mine", "data.h5", "-o", "bad", "--target", "none,class=*", status=64,
                   says="--target none goes with no other target")

    def test_by_a_schema_on_ranks_and_after_a_stop(self):
        schema, _ = self.atoll("import", "table.csv", "--print-schema")
        self.write("schema.toml", schema.replace('role = "input"', 'role = "target"', 3)
                   .replace('role = "target"', 'role = "input"', 2))
        self.atoll("import", "table.csv", "--schema", "schema.toml", "-o", "colour.h5")
        _, err = self.atoll("mine", "colour.h5", "-o", "one", *SMALL)
        self.assertIn("--target 'colour=*'", err)
        self.atoll("mine", "colour.h5", "-o", "stopped", *SMALL, "--stop-after", "0.001s", status=75)
        _, err = self.atoll("resume", "stopped")
        self.assertNotIn("designate", err)
        self.assertEqual(digest(self.folder / "stopped"), digest(self.folder / "one"))
        self.need_mpi()
        _, err = self.atoll("mine", "colour.h5", "-o", "ranks", *SMALL, ranks=3)
        self.assertEqual(err.count("designate"), 1)
        self.assertEqual(digest(self.folder / "ranks"), digest(self.folder / "one"))

    def test_by_a_table_that_declares_its_outputs(self):
        rows = (self.folder / "table.csv").read_text().splitlines()[1:]
        self.write("table.dat", "@relation r\n@attribute x integer\n@attribute y integer\n"
                   "@attribute colour {red, green, blue}\n@attribute class {yes, no}\n"
                   "@inputs x, y, colour\n@outputs class\n@data\n" + "\n".join(rows) + "\n")
        _, err = self.atoll("mine", "table.dat", "-o", "run", *SMALL)
        self.assertIn(self.SAYS, err)
        self.assertEqual(self.concluded("run"), {"class"})

    def test_of_a_run_that_was_killed_before_it_began(self):
        self.atoll("mine", "data.h5", "-o", "run", *SMALL)
        expected = digest(self.folder / "run")
        for checkpoint in (self.folder / "run" / "checkpoints").iterdir():
            checkpoint.unlink()
        self.write("run/config.toml",
                   self.config("run").replace('target = ["class=*"]', "target = []"))
        _, err = self.atoll("resume", "run")
        self.assertIn(self.SAYS, err)
        self.assertIn('target = ["class=*"]\n', self.config("run"))
        self.assertEqual(digest(self.folder / "run"), expected)


class Labels(Target):
    def test_few_whole_numbers_are_labels_as_if_they_were_imported_so(self):
        table = self.classes()
        _, err = self.atoll("mine", table, "-o", "run", *SMALL, "--target", "class=*")
        self.assertIn("'class' has 4 values, all whole numbers, which are taken as labels; "
                      "--consequent class concludes bounds", err)
        rules = self.rules("run")
        self.assertEqual({rule["consequent"][0]["relation"] for rule in rules}, {"="})
        self.assertEqual({rule["consequent"][0]["values"][0] for rule in rules}, {1, 2, 3})
        self.atoll("import", table, "--nominal", "class", "-o", "nominal.h5")
        _, err = self.atoll("mine", "nominal.h5", "-o", "nominal", *SMALL, "--target", "class=*")
        self.assertNotIn("taken as labels", err)
        self.assertEqual([(r["rule"], r["counts"]) for r in self.rules("nominal")],
                         [(r["rule"], r["counts"]) for r in rules])
        self.atoll("rules", "run", "--on", table)

    def test_bins_or_the_option_for_bounds_take_them_as_numbers(self):
        table = self.classes()
        for options in (("--consequent", "class"),
                        ("--target", "class=*", "--max-bins", "class=3", "--bounds", "binned")):
            _, err = self.atoll("mine", table, "-o", "run", "--force", *SMALL, "--max-similarity", 1,
                                *options)
            self.assertNotIn("taken as labels", err)
            relations = {rule["consequent"][0]["relation"] for rule in self.rules("run")}
            self.assertNotEqual(relations, {"="}, options)

    def test_a_single_one_is_concluded_as_it_is(self):
        _, err = self.atoll("mine", self.classes(), "-o", "run", *SMALL, "--target", "class = 2")
        self.assertNotIn("taken as labels", err)
        self.assertEqual({r["rule"].rpartition(" => ")[2] for r in self.rules("run")}, {"class = 2"})


class Classes(Target):
    TOO_FEW = "no rule concludes class = 4: too few rows, fewer than 3"

    def test_a_rare_one_has_rules_and_one_without_is_named(self):
        _, err = self.atoll("mine", self.classes(), "-o", "run", *SMALL, "--target", "class=*",
                            "--min-support", "1%")
        self.assertEqual(err.count(self.TOO_FEW), 2, "at the start and at the end")
        self.assertLess(err.index("atoll: warning: " + self.TOO_FEW), err.rindex(self.TOO_FEW))
        by_class = {n: [r for r in self.rules("run") if r["consequent"][0]["values"] == [n]]
                    for n in (1, 2, 3, 4)}
        self.assertTrue(all(by_class[n] for n in (1, 2, 3)), by_class)
        self.assertEqual(by_class[4], [])
        self.assertEqual(max(r["counts"]["both"] for r in by_class[3]), 6)
        for label, least in ((1, 60), (2, 60), (3, 3)):
            self.assertGreaterEqual(min(r["counts"]["both"] for r in by_class[label]), least)

    def test_one_that_a_limit_excludes_is_named_with_it(self):
        _, err = self.atoll("mine", self.classes(), "-o", "run", *SMALL, "--target", "class=*",
                            "--max-consequent", 0.5)
        self.assertRegex(err, r"atoll: warning: no rule concludes class = 1: on \d+\.\d+% of the "
                              r"rows, more than --max-consequent 0\.5 allows\n")
        self.assertRegex(err, r"\nno rule concludes class = 1: on ")

    def test_limits_that_no_rule_can_meet_are_refused(self):
        table = self.classes()
        for options, says in (
                (("--target", "class = 1", "--max-consequent", 0.5),
                 "more than --max-consequent 0.5 allows; the greatest support of one: "),
                (("--target", "class = 3", "--min-support", "1%"),
                 "no rule concludes class = 3: on fewer rows than the 60 that --min-support 0.01 asks for; "
                 "the greatest support of one: 6 of 6000 rows"),
                (("--min-support", "95%"), "--min-support 0.95 is more than any rule can have")):
            self.fails("mine", table, "-o", "run", *SMALL, *options, status=64, says=says)
        self.assertFalse((self.folder / "run").exists(), "it has not begun")

    def test_are_families_of_tests(self):
        table = self.classes(rare=60)
        _, err = self.atoll("mine", table, "-o", "run", *SMALL, "--target", "class=*", "--holdout",
                            0.4, "--significance", 0.05)
        self.assertRegex(err, r"at 0.05 after Holm's adjustment within each class: \d+ of \d+ rules\n")
        self.assertEqual({r["consequent"][0]["values"][0] for r in self.rules("run")}, {1, 2, 3})
        _, err = self.atoll("mine", table, "-o", "one", *SMALL, "--target", "class=3", "--holdout",
                            0.4, "--significance", 0.05)
        self.assertRegex(err, r"at 0.05 after Holm's adjustment: \d+ of \d+ rules\n")


class Named(Target):
    """Columns that the import would leave out stay where the user names them."""

    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        lines = ["id,k,rooms,area,price,y"]
        for row in range(240):
            rooms = draw.randrange(1, 7)
            area = draw.randrange(20, 200)
            lines.append(f"{row},same,{rooms},{area / 2},{70000 + 411 * row},{'pn'[rooms > row // 40]}")
        self.write("t.csv", "\n".join(lines) + "\n")

    def mine(self, *words, data="t.csv"):
        return self.atoll("mine", data, "-o", "run", "--force", *SMALL, *words)

    def test_of_a_text_stay(self):
        for words in (("--target", "mean(price)"), ("--target", "price=*"), ("--target", "price > 100000"),
                      ("--target", "quantile(price, 0.9)"), ("--consequent", "price")):
            self.mine(*words)
            self.assertEqual(self.concluded("run"), {"price"}, words)
        for words in (("--require", "price"), ("--antecedent", "price,rooms"), ("--max-bins", "price=8")):
            _, err = self.mine(*words)
            self.assertNotIn("'price'", err)
            self.assertIn("'id' (identifier-like)", err)
        self.mine("--config", self.write("c.toml", "target = 'y=*'\n"))
        self.assertEqual(self.concluded("run"), {"y"})
        preset, _ = self.atoll("mine", "--print-preset", "niching")
        self.write("p.toml", preset.replace("[experiment]\n", "[experiment]\nisland_settings = ["
                                            "{ islands = '1', consequent = ['price'] }]\n", 1))
        self.assertNotIn("'price'", self.mine("--preset", "p.toml", "--islands", 2)[1])
        self.fails("mine", "t.csv", "-o", "x", "--target", "k", status=64, says="fewer than two values")

    def test_of_a_file_are_said_to_be_left_out(self):
        self.atoll("import", "t.csv", "--ignore", "area", "-o", "t.h5")
        for words, option in ((("--target", "mean(price)"), "--target"), (("--target", "price"), "--target"),
                              (("--require", "price"), "--require"), (("--consequent", "price"), "--consequent"),
                              (("--antecedent", "price,rooms"), "--antecedent"),
                              (("--max-bins", "price=8"), "--max-bins")):
            self.fails("mine", "t.h5", "-o", "x", *words, status=64,
                       says=f"{option}: the import has left out 'price' (identifier-like); to keep it, give it")
        self.fails("mine", "t.h5", "-o", "x", "--target", "area=*", status=64,
                   says="--target: the import has left out 'area', as it was told to (--ignore")
        self.fails("mine", "t.csv", "--ignore", "area", "-o", "x", "--target", "area=*", status=64,
                   says="--target: the import has left out 'area', as it was told to (--ignore")
        self.fails("classify", "train", "t.h5", "-o", "x", "--class", "k", status=64,
                   says="--class: the import has left out 'k' (constant)")
        self.assertFalse((self.folder / "x").exists())

    def test_need_not_be_excluded_once_they_are_gone(self):
        self.atoll("import", "t.csv", "--ignore", "area", "-o", "t.h5")
        lists = ("--class", "y", "--generations", 1, "--population", 4)
        for data, gone in (("t.csv", ("id", "k")), ("t.h5", ("id", "k", "area"))):
            excluded = ("--exclude", ",".join(gone))
            _, err = self.mine(*excluded, data=data)
            self.assertIn("--exclude: the import has left out ", err)
            self.assertIn("'k' (constant) anyway", err)
            self.assertIn('exclude = []\n', self.config("run"))
            self.atoll("classify", "train", data, *lists, *excluded, "-o", "list", "--force")
            self.atoll("classify", "cv", data, *lists, *excluded, "--folds", 2)
            for command in (("mine", data, "-o", "x"), ("classify", "train", data, *lists, "-o", "x"),
                            ("classify", "cv", data, *lists)):
                self.fails(*command, "--exclude", "roms,id", status=64,
                           says="--exclude: no attribute 'roms', did you mean 'rooms'?")

    def test_alone_are_any_value_of_labels(self):
        self.mine("--target", "y")
        self.assertIn('target = ["y=*"]\n', self.config("run"))
        self.assertEqual(self.concluded("run"), {"y"})
        self.fails("mine", "t.csv", "-o", "x", "--target", "price", status=64,
                   says="--target 'price': 'price' has numbers, of which a target takes the mean, as --target "
                        "'mean(price)', or a comparison, as --target 'price > 118909'")
        self.mine("--target", "price > 118909")

    def test_are_refused_before_the_data_are_read(self):
        for target, says in (("price >", "expected a value"), ("price 5", "found '5', expected = != <"),
                             ("> 5", "expected the name of an attribute"), ("y in [p", "expected ','"),
                             ("y = p q", "expected the end after one comparison"), ("median(price)", "no function"),
                             ("quantile(price, 2)", "share"), ("mean()", "expected mean(ATTRIBUTE)")):
            self.fails("mine", "not-there.csv", "-o", "x", "--target", target, status=64, says=says)


if __name__ == "__main__":
    unittest.main()
