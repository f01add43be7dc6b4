"""Runs collected into one: the truth from their rules, any order, any nesting, what is refused."""

import csv
import io
import json
import re
import shutil
import signal
import unittest

from harness import PATIENCE, EndToEnd, log, wait_for

FILES = ("rules.csv", "rules.json", "history.csv", "runs.json")


class Collect(EndToEnd):
    def nominal(self, rows=600):
        """Labels alone, so that each rule is a set of equalities."""
        lines, state = ["a,b,c,d,e"], 4711
        for _ in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            a, b, c = "pqr"[state % 7 % 3], "stu"[state % 11 % 3], "vw"[state % 13 % 2]
            d = "xy"[(a == "p" and b != "s") ^ (state % 17 == 0)]
            e = "kl"[(b == "t" or d == "x") ^ (state % 19 == 0)]
            lines.append(f"{a},{b},{c},{d},{e}")
        return self.write("nominal.csv", "\n".join(lines) + "\n")

    def mined(self, data, *runs, **more):
        """Short runs; a run is a name, or a name and options."""
        for run in runs:
            name, *options = run if isinstance(run, tuple) else (run,)
            seed = re.search(r"\d+$", name)
            words = {"--generations": 3, "--population": 20, "--islands": 2, "--threads": 1,
                     "--seed": seed.group() if seed else 1, "--checkpoint-every": 1,
                     **dict(zip(options[::2], options[1::2]))}
            self.atoll("mine", data, "-o", name, *(w for pair in words.items() for w in pair),
                       **more)

    def collected(self, *runs, output="all"):
        out, err = self.atoll("collect", *runs, "-o", output, "--threads", 1)
        self.assertIn(f" in {output}/rules.csv", err)
        return out

    def rules(self, run):
        rules = json.loads((self.folder / run / "rules.json").read_text())
        return [rule for rule in rules if rule["kind"] != "variant"]

    def bytes_of(self, run):
        return [(self.folder / run / name).read_bytes() for name in FILES]

    def test_four_seeds_give_what_their_rules_say(self):
        data = self.nominal()
        rows = list(csv.DictReader(io.StringIO(data.read_text())))
        names = ["s1", "s2", "s3", "s4"]
        # A rule that another makes superfluous is left out, however few are asked for.
        for name in names:
            self.mined(data, (name, "--bounds", "binned", "--max-similarity", 1, "--top", 2000))
        self.collected(*names)

        def side(comparisons):
            return frozenset(i for i, row in enumerate(rows)
                             if all(row[c["attribute"]] == c["values"][0] for c in comparisons))

        def items(comparisons):
            return frozenset((c["attribute"], c["values"][0]) for c in comparisons)

        def figures(rule):
            x, y = side(rule["antecedent"]), side(rule["consequent"])
            both = len(x & y)
            return x, y, both / len(x), both / len(rows) - len(x) * len(y) / len(rows) ** 2

        known = {}  # of equal coverage one with the fewest comparisons
        for rule in [rule for name in names for rule in self.rules(name)]:
            x, y, confidence, leverage = figures(rule)
            size = len(rule["antecedent"]) + len(rule["consequent"])
            if (x, y) not in known or size < known[x, y][0]:
                known[x, y] = (size, items(rule["antecedent"]), items(rule["consequent"]),
                               confidence, leverage)
        needed = {coverage for coverage, (_, left, right, confidence, leverage) in known.items()
                  if not any(right == r and l < left and c >= confidence and v >= leverage - 1e-12
                             for _, l, r, c, v in known.values())}
        rules = self.rules("all")
        self.assertEqual({figures(rule)[:2] for rule in rules}, needed)
        self.assertEqual(len(rules), len(needed))
        self.assertGreater(len(rules), 10)
        for rule in rules:
            x, y, confidence, leverage = figures(rule)
            self.assertEqual(rule["counts"], {"n": len(rows), "antecedent": len(x),
                                              "consequent": len(y), "both": len(x & y),
                                              "missing_consequent": 0})
            self.assertAlmostEqual(rule["measures"]["leverage"], leverage)
        order = [rule["measures"]["leverage"] for rule in rules]
        self.assertEqual(order, sorted(order, reverse=True))

    def test_each_rule_says_where_it_was_found(self):
        self.mined(self.table(), "s1", "s2", "s3")
        self.collected("s1", "s2", "s3")
        runs = json.loads((self.folder / "all/runs.json").read_text())
        self.assertEqual([run["run"] for run in runs], ["s1", "s2", "s3"])
        rules = self.rules("all")
        for run in runs:
            self.assertEqual(run["collected"], sum(r["run"] == run["run"] for r in rules))
            self.assertEqual(run["rules"], len(self.rules(run["run"])))
            self.assertEqual(run["path"], str((self.folder / run["run"]).resolve()))
        self.assertEqual(sum(run["collected"] for run in runs), len(rules))
        for rule in rules:
            self.assertLess(rule["island"], 2)
            self.assertLessEqual(rule["generation"], 3)
        text = (self.folder / "all/rules.csv").read_text()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([(r["run"], int(r["island"])) for r in rows],
                         [(r["run"], r["island"]) for r in rules])
        out, _ = self.atoll("rules", "all", "--format", "csv")
        self.assertEqual(out, text)
        out, _ = self.atoll("rules", "all", "--format", "json")
        self.assertEqual(json.loads(out), rules)

    def test_neither_order_nor_nesting_matters(self):
        data = self.table()
        self.mined(data, "s1", ("s2", "--top", 20), "s3", ("s4", "--min-support", "5%"))
        self.collected("s1", "s2", "s3", "s4")
        expected = self.bytes_of("all")
        self.collected("s3", "s1", "s4", "s2", output="shuffled")
        self.assertEqual(self.bytes_of("shuffled"), expected)
        self.collected("s2", "s4", output="part")
        self.collected("s1", "part", "s3", output="nested")
        self.assertEqual(self.bytes_of("nested"), expected)
        self.collected("s3", "s1", output="other")
        self.collected("part", "other", "s2", output="of-collected")  # s2 counts once
        self.assertEqual(self.bytes_of("of-collected"), expected)

    def test_one_run_is_what_it_was(self):
        self.mined(self.table(), "s1")
        self.collected("s1")
        alone, again = self.rules("s1"), self.rules("all")
        for rule in again:
            self.assertEqual(rule.pop("run"), "s1")
        self.assertEqual(again, alone)

    def test_the_comparison_of_the_runs(self):
        data = self.table()
        self.mined(data, "s1", ("s2", "--min-support", "2%"))
        self.mined(data, ("s3", "--generations", 1000000, "--stop-after", "0.001s"), status=75)
        table = self.collected("s1", "s2", "s3")
        lines = [line.split() for line in table.splitlines()]
        self.assertEqual(lines[0], "run seed generations min_support state generation time rules "
                                   "collected best_leverage best_certainty_factor".split())
        self.assertEqual([line[0] for line in lines[1:]], ["s1", "s2", "s3"])
        self.assertEqual([line[4] for line in lines[1:]], ["finished", "finished", "stopped"])
        out, _ = self.atoll("collect", "s1", "s2", "s3", "-o", "all", "--force", "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([row["min_support"] for row in rows], ["0.001", "0.02", "0.001"])
        self.assertEqual([int(row["rules"]) for row in rows],
                         [len(self.rules(name)) for name in ("s1", "s2", "s3")])
        best = max(rule["measures"]["leverage"] for rule in self.rules("s1"))
        self.assertAlmostEqual(float(rows[0]["best_leverage"]), best)
        out, _ = self.atoll("collect", "s1", "s2", "s3", "-o", "all", "--force", "--format", "json")
        self.assertEqual(out, (self.folder / "all/runs.json").read_text())
        self.assertEqual(json.loads(out)[1]["settings"]["min_support"], "0.02")

    def test_runs_of_both_presets(self):
        data = self.table()
        self.mined(data, "s1", ("g2", "--preset", "g3parm", "--min-support", "5%", "--archive-by",
                                "leverage"))
        table = self.collected("s1", "g2")
        self.assertRegex(table, r"(?m)^g2 .* g3parm ")
        config = (self.folder / "all/config.toml").read_text()
        self.assertIn('preset = "g3parm"', config)
        self.assertIn('bounds = "exact"', config)
        rules = self.rules("all")
        self.assertIn("s1", {rule["run"] for rule in rules})
        self.assertGreater(len(rules), 5)

    def test_names_of_odd_paths_take_no_time(self):
        data = self.table()
        self.mined(data, "s1", "s2")
        self.collected("s1", "s2")
        path = self.folder / "all" / "runs.json"
        runs = json.loads(path.read_text())
        runs[0]["path"], runs[1]["path"] = "/" * 100_000, "x" + "/" * 100_000
        path.write_text(json.dumps(runs))
        self.atoll("collect", "all", "s1", "-o", "again", "--threads", 1)

    def test_top(self):
        self.mined(self.table(), ("s1", "--top", 4), ("s2", "--top", 9))
        self.collected("s1", "s2")
        self.assertEqual(len(self.rules("all")), 9)
        self.atoll("collect", "s1", "s2", "-o", "few", "--top", 3)
        self.assertEqual(len(self.rules("few")), 3)
        self.assertEqual(self.rules("few")[0], self.rules("all")[0])
        self.fails("collect", "s1", "-o", "none", "--top", 0, status=64, says="--top")

    def test_a_running_run_is_taken_as_of_its_last_checkpoint(self):
        data = self.table()
        self.mined(data, "s1")
        job = self.start("mine", data, "-o", "s2", "--seed", 2, "--generations", 1000000, "--patience", 0,
                         "--population", 20, "--islands", 2, "--threads", 1, "--checkpoint-every", 1)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        path = self.folder / "s2" / "log.jsonl"
        wait_for(lambda: path.exists() and '"checkpoint"' in path.read_text())
        out, err = self.atoll("collect", "s1", "s2", "-o", "all")
        self.assertRegex(err, rf"s2: process {job.pid} on .* works on it; taken as of its last "
                              "checkpoint\n")
        self.assertRegex(out, r"\ns2 .* running ")
        self.assertIsNone(job.poll())
        job.send_signal(signal.SIGUSR1)
        job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, 75)
        self.assertEqual([e["event"] for e in log(self.folder / "s2")][-1], "end")

    def test_names_tell_runs_apart(self):
        data = self.table()
        self.mined(data, "x/s1", ("y/s1", "--seed", 2), "s3")
        out = self.collected("x/s1", "y/s1", "s3")
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]],
                         ["x/s1", "y/s1", "s3"])

    def test_what_can_be_done_with_it(self):
        self.mined(self.table(), "s1", "s2")
        self.collected("s1", "s2")
        text, _ = self.atoll("info", "all")
        self.assertTrue(text.startswith("all: run, collected from 2 runs\n"), text)
        self.assertIn("\nruns        s1, s2\n", text)
        self.assertTrue(text.endswith("\nprint them: atoll rules all\n"), text)
        info = json.loads(self.atoll("info", "all", "--json")[0])
        self.assertEqual((info["state"], info["collected_from"], info["next"]),
                         ("finished", ["s1", "s2"], "atoll rules all"))
        self.atoll("rules", "all", "--on", "table.csv", "--where", "lift > 1")
        for command in ("resume", "watch"):
            self.fails(command, "all", status=64, says="all: was collected from other runs; go on "
                                                       "with those, then collect them again")
        self.fails("collect", "s1", "-o", "all", status=64, says="--force")
        self.fails("collect", "all", "s1", "-o", "all", "--force", status=64,
                   says="all: is to be collected and cannot be replaced")
        self.atoll("mine", "table.csv", "-o", "all", "--force", "--generations", 1)
        self.assertFalse((self.folder / "all/runs.json").exists())

    def test_one_that_was_killed_is_no_run_to_go_on_with(self):
        self.mined(self.table(), "s1", "s2")
        self.collected("s1", "s2")
        expected = self.bytes_of("all")
        shutil.rmtree(self.folder / "all/checkpoints")
        for name in ("rules.csv", "rules.json", "history.csv"):
            (self.folder / "all" / name).unlink()
        (self.folder / "all/runs.json").write_text("[]\n")
        text, _ = self.atoll("info", "all")
        self.assertTrue(text.startswith("all: run, not fully collected\n"), text)
        self.assertTrue(text.endswith("\ncollect again: atoll collect RUN... -o all --force\n"), text)
        self.fails("resume", "all", status=64, says="was collected from other runs")
        self.fails("collect", "all", "s1", "-o", "more", status=65, says="all: has no checkpoint")
        self.atoll("collect", "s1", "s2", "-o", "all", "--force", "--threads", 1)
        self.assertEqual(self.bytes_of("all"), expected)

    def test_what_does_not_go_together(self):
        data = self.table()
        self.mined(data, "s1", ("bins", "--max-bins", 16), ("by", "--archive-by", "lift"),
                   ("aim", "--target", "class=*"), ("full", "--grammar", "association-full"),
                   ("h1", "--holdout", "0.3"), ("h2", "--holdout", "0.3"))
        self.mined(self.nominal(), "other")
        for run, status, says in (
                ("other", 65, "other: was mined from other data than s1 (fingerprint "),
                ("bins", 64, "bins: max_bins is 16, not 256; such rules cannot be collected with"),
                ("by", 64, 'by: archive_by is "lift", not "leverage"; such rules'),
                ("aim", 64, 'aim: target is ["class=*"], not []; such rules'),
                ("full", 64, "full: has another grammar; such rules"),
                ("h1", 64, "h1: holdout is 0.3, not 0; such rules"),
                ("none", 66, "none: no such folder"),
                (".", 66, ".: is no run")):
            self.fails("collect", "s1", run, "-o", "all", status=status, says=says)
            self.assertFalse((self.folder / "all").exists())
        self.fails("collect", "h1", "h2", "-o", "all", status=64,
                   says="h2: holds out other rows, by seed 2, not 1")
        self.fails("collect", "-o", "all", status=64, says="RUN")
        self.fails("collect", "s1", status=64, says="--output")

    def test_runs_that_hold_out_the_same_rows(self):
        data = self.table(4000)
        self.mined(data, ("a", "--holdout", "0.3"), ("b", "--holdout", "0.3", "--population", 30))
        self.collected("a", "b")
        rules = self.rules("all")
        self.assertEqual({r["counts"]["n"] + r["holdout"]["counts"]["n"] for r in rules}, {4000})

    def test_without_a_checkpoint(self):
        self.mined(self.table(), "s1", "s2")
        shutil.rmtree(self.folder / "s2/checkpoints")
        self.fails("collect", "s1", "s2", "-o", "all", status=65,
                   says="s2: has no checkpoint, so no rules to collect")
        for path in (self.folder / "s1/checkpoints").iterdir():
            path.write_bytes(path.read_bytes()[:-100])
        self.fails("collect", "s1", "-o", "all", status=65, says="no checkpoint can be read")

    def test_data_that_have_moved(self):
        self.atoll("import", self.table(), "-o", "d.h5")
        self.mined("d.h5", "s1", "s2")
        self.collected("s1", "s2")
        (self.folder / "d.h5").rename(self.folder / "moved.h5")
        self.fails("collect", "s1", "s2", "-o", "again", status=66,
                   says="if they have moved, change `data` in [machine] of s1/config.toml")
        self.assertFalse((self.folder / "again").exists())
        config = self.folder / "s2/config.toml"
        config.write_text(config.read_text().replace("d.h5", "moved.h5"))
        self.collected("s1", "s2", output="again")
        self.assertEqual(self.bytes_of("again"), self.bytes_of("all"))


if __name__ == "__main__":
    unittest.main()
