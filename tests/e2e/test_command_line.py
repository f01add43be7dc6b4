"""Help, configuration files, printed rules, standard streams."""

import csv
import io
import json
import os
import re
import subprocess
import unittest
import unittest.mock

from harness import ATOLL, MPIEXEC, PATIENCE, EndToEnd, digest, log


class CommandLine(EndToEnd):
    def small_run(self, run="run", *more):
        self.atoll("mine", self.table(), "-o", run, "--generations", 10, "--population", 40, *more)
        return self.folder / run

    def test_help_and_version(self):
        out, err = self.atoll("--help")
        self.assertEqual(err, "")
        commands = re.findall(r"(?m)^  ([a-z]+) ", out[out.index("\nSubcommands:"):])
        self.assertLessEqual({"mine", "submit", "watch"}, set(commands))
        for command in commands:
            own, _ = self.atoll(command, "--help")
            self.assertIn(command, own)
            self.assertEqual(self.atoll("help", command)[0], own)
        self.assertEqual(self.atoll("help")[0], out)
        out, _ = self.atoll("--version")
        self.assertRegex(out, r"^atoll \d+\.\d+\.\d+\n$")
        self.assertEqual(self.atoll("-V")[0], out)

    def test_help_of_mine_names_every_option_of_the_design(self):
        out, _ = self.atoll("mine", "--help")
        for option in ("preset grammar islands population generations time-limit stop-after "
                       "min-support min-confidence max-consequent maximize archive-by max-bins top "
                       "topology migrate-every history-every migrants emigrants emigration replacement migration-log backend threads device-memory seed "
                       "checkpoint-every checkpoints-kept force "
                       "holdout write-holdout significance measures max-length missing-consequent crossover "
                       "mutation pool config output max-similarity print-preset "
                       "target antecedent consequent require exclude definitions fit-rows final-fit-rows"
                       ).split():
            self.assertRegex(out, rf"--{option}\b")
        for option, default in (("population", "200; g3parm: 50"), ("seed", "1"),
                                ("min-support", "0.1%; g3parm: 70%"), ("grammar", "association"),
                                ("maximize", "leverage,certainty_factor; g3parm: support,confidence"),
                                ("missing-consequent", "count")):
            self.assertRegex(out, rf"--{option} [^\[]*\[{default}\]\n")

    def test_flags_take_no_value_and_no_opposite(self):
        for flag in ("--missing-comparisons=maybe", "--no-missing-comparisons=x", "--absences=-1", "--header=7",
                     "--force=no", "--help=x"):
            self.fails("mine", "t.csv", "-o", "run", flag, status=64,
                       says=f"{flag.split('=')[0]} takes no value: {flag}")
        self.fails("mine", "t.csv", "-o", "run", "--absences", "--no-absences", status=64,
                   says="--absences and --no-absences contradict each other")
        for order in (("--order", "news"), ("--order", "news", "--target", "none")):
            self.fails("mine", self.table(), "-o", "run", *order, status=64, says="--order news is about a target")
        self.fails("enumerate", "table.csv", "-o", "e.json", "--target", "", status=64, says="--target: ''")

    def test_configuration_file(self):
        self.write("options.toml", 'generations = 3\npopulation = 12\nmin-support = "2%"\n'
                                   'maximize = ["lift", "support"]\nseed = 5\n')
        self.atoll("mine", self.table(), "-o", "run", "--config", "options.toml", "--seed", 6)
        config = (self.folder / "run" / "config.toml").read_text()
        for line in ("generations = 3", "population = 12", 'min_support = "0.02"',
                     'maximize = ["lift", "support"]', "seed = 6"):
            self.assertIn(line + "\n", config)
        self.write("bad.toml", "generatoins = 3\n")
        self.fails("mine", "table.csv", "-o", "run2", "--config", "bad.toml", status=64,
                   says="bad.toml:1:15: unknown option --generatoins; did you mean --generations?")
        self.fails("mine", "table.csv", "-o", "run2", "--config", "none.toml", status=66,
                   says="none.toml")

    def test_presets(self):
        text, _ = self.atoll("mine", "--print-preset", "g3parm")
        self.assertIn('preset = "g3parm"', text)
        self.write("mine.toml", text.replace("generations = 100", "generations = 2")
                   .replace('min_support = "70%"', 'min_support = "5%"').replace("seed = 1", "seed = 3"))
        self.atoll("mine", self.table(), "-o", "run", "--preset", "mine.toml", "--seed", 4)
        config = (self.folder / "run" / "config.toml").read_text()
        for line in ('preset = "g3parm"', "generations = 2", 'min_support = "0.05"', "seed = 4"):
            self.assertIn(line + "\n", config)
        self.atoll("mine", "table.csv", "-o", "again", "--config", "run/config.toml")
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))
        self.write("bad.toml", '[experiment]\npreset = "niching"\ngenerashuns = 3\n')
        self.fails("mine", "table.csv", "-o", "bad", "--preset", "bad.toml", status=65,
                   says="bad.toml:3:15: unknown key 'generashuns' in [experiment]")
        self.write("bad.toml", '[experiment]\npreset = "niching"\nmeasures = ["psi"]\n')
        self.fails("mine", "table.csv", "-o", "bad", "--preset", "bad.toml", status=64,
                   says="--measures: unknown measure 'psi'")
        self.write("bad.toml", '[experiment]\npreset = "niching"\nmin_support = 0.01\n')
        self.fails("mine", "table.csv", "-o", "bad", "--preset", "bad.toml", status=65,
                   says="bad.toml:3:15: 'min_support' must be a string, such as")
        self.fails("mine", "--print-preset", "best", status=64,
                   says="expected niching, g3parm or random-search")
        self.fails("mine", "table.csv", "-o", "bad", "--preset", "niching", "--config",
                   "run/config.toml", status=64, says="--preset does not go with it")

    def test_former_names(self):
        options = ["--generations", 2, "--population", 30]
        self.atoll("mine", self.table(), "-o", "run", *options, "--max-consequent", "80%")
        config = (self.folder / "run" / "config.toml").read_text()
        section = ("\n[experiment.niching]\nmax_consequent = 0.8\nfit_rows = 512\n"
                   "final_fit_rows = 8192\n")
        self.assertIn(section, config)
        former = config.replace(section, "").replace(
            'preset = "niching"', 'preset = "pareto"\ncrossover = 0.7\nmutation = 0.1\npool = 20\n'
            "max_consequent = 0.8")
        self.write("former.toml", former)
        self.write("mine.toml", 'preset = "pareto"\nmax_consequent = 0.8\n')
        name = 'former version: preset "pareto" is called "niching" now'
        for arguments in (["--config", "former.toml"], ["--preset", "former.toml"],
                          ["--preset", "mine.toml", *options]):
            _, err = self.atoll("mine", "table.csv", "-o", "again", "--force", *arguments)
            self.assertIn(f"{arguments[1]}: {name}", err)
            self.assertIn(f"{arguments[1]}: former version: in [experiment.niching] now: "
                          "max_consequent", err)
            self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))
        _, err = self.atoll("mine", "table.csv", "-o", "again", "--force", "--preset", "pareto",
                            *options, "--max-consequent", "80%")
        self.assertIn("--preset pareto is called niching now", err)
        self.assertEqual(digest(self.folder / "again"), digest(self.folder / "run"))
        # A run of the former version is still read.
        self.write("run/config.toml", former)
        self.assertIn("preset niching", self.atoll("info", "run")[0])
        self.assertIn("=>", self.atoll("rules", "run")[0])

    def test_aims(self):
        self.atoll("mine", self.table(), "-o", "run", "--generations", 3, "--population", 30,
                   "--target", "class=*", "--exclude", "x", "--require", "y")
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        self.assertGreater(len(rules), 0)
        for rule in rules:
            self.assertEqual([c["attribute"] for c in rule["consequent"]], ["class"])
            names = [c["attribute"] for c in rule["antecedent"]]
            self.assertEqual(names.count("y"), 1)
            self.assertNotIn("x", names)

    def test_rules_in_every_format(self):
        run = self.small_run()
        table, err = self.atoll("rules", "run")
        self.assertEqual(err, "")
        self.assertIn("=>", table)
        out, _ = self.atoll("rules", "run", "--format", "csv")
        self.assertEqual(out, (run / "rules.csv").read_text())
        out, _ = self.atoll("rules", "run", "--format", "json")
        written = json.loads((run / "rules.json").read_text())
        self.assertEqual(json.loads(out), [rule for rule in written if rule["kind"] == "rule"])
        shown, _ = self.atoll("rules", "run", "--format", "json", "--variants")
        self.assertCountEqual(map(str, json.loads(shown)), map(str, written))

    def test_rules_sorted_filtered_and_cut(self):
        self.small_run()
        everything = json.loads(self.atoll("rules", "run", "--format", "json")[0])
        out, _ = self.atoll("rules", "run", "--format", "json", "--sort", "confidence", "--where",
                            "lift > 1.2 and not support < 1%", "--top", 7)
        rules = json.loads(out)
        expected = [r for r in everything if r["measures"]["lift"] > 1.2
                    and r["measures"]["support"] >= 0.01]
        expected.sort(key=lambda r: -r["measures"]["confidence"])
        self.assertEqual([r["id"] for r in rules], [r["id"] for r in expected[:7]])
        out, err = self.atoll("rules", "run", "--where", "lift > 1e9")
        self.assertEqual(out.split(), "id rule n_both support confidence lift leverage".split())
        self.assertIn(f"none of {len(everything)} rules satisfies --where", err)
        self.fails("rules", "run", "--where", "lft > 2", status=64, says="did you mean 'lift'?")
        self.fails("rules", "run", "--where", "", status=64, says="--where: column 1: found the end")
        self.fails("rules", "run", "--sort", "beauty", status=64, says="--sort: 'beauty', expected a field such as")
        self.fails("rules", "run", "--sort", "", status=64, says="--sort: '', expected a field such as")
        self.fails("rules", "run", "--sort", "mean", status=64, says="--sort: measure 'mean' is for")
        self.fails("rules", "run", "--where", "quantile > 1", status=64, says="--where: 'quantile'")
        self.fails("rules", "run", "--where", "not Holdout_lift > 1", status=64,
                   says="--where: no holdout_ figures without rows held out")
        self.fails("rules", "run", "--sort", "on_change asc", status=64,
                   says="--sort: no on_ figures without --on DATA")
        out, _ = self.atoll("rules", "run", "--format", "json", "--sort", "N_Antecedent")
        counts = [r["counts"]["antecedent"] for r in json.loads(out)]
        self.assertEqual(counts, sorted(counts, reverse=True))

    def test_rules_that_name_an_attribute(self):
        run = self.small_run()
        everything = json.loads(self.atoll("rules", "run", "--format", "json")[0])

        def names(rule, *sides):
            return {c["attribute"] for side in sides for c in rule[side]}

        def asked(where):
            out, _ = self.atoll("rules", "run", "--format", "json", "--where", where)
            return [r["id"] for r in json.loads(out)]

        both = ("antecedent", "consequent")
        for where, holds in (
                ("class in rule", lambda r: "class" in names(r, *both)),
                ("class IN Consequent", lambda r: "class" in names(r, "consequent")),
                ("lift > 1.2 and not x in antecedent",
                 lambda r: r["measures"]["lift"] > 1.2 and "x" not in names(r, "antecedent")),
                ('"colour" not in rule or y in consequent',
                 lambda r: "colour" not in names(r, *both) or "y" in names(r, "consequent"))):
            expected = [r["id"] for r in everything if holds(r)]
            self.assertTrue(0 < len(expected) < len(everything), where)
            self.assertEqual(asked(where), expected, where)
        for where, holds in (
                ("class = yes", lambda c: c["attribute"] == "class" and c["relation"] == "=" and c["values"] == ["yes"]),
                ("colour = red in antecedent", lambda c: c["attribute"] == "colour" and c["relation"] == "=" and c["values"] == ["red"])):
            sides = both if "in" not in where.split() else ("antecedent",)
            self.assertEqual(asked(where), [r["id"] for r in everything
                                            if any(holds(c) for side in sides for c in r[side])], where)
        self.assertEqual(asked("kind != rule"), [r["id"] for r in everything if r["kind"] != "rule"])
        self.fails("rules", "run", "--where", "kind = variants", status=64, says="expected a kind, did you mean 'variant'?")
        self.fails("rules", "run", "--where", "confidense = high", status=64, says="did you mean 'confidence'")
        self.fails("rules", "run", "--where", "clas in rule", status=64,
                   says="--where: no attribute 'clas', did you mean 'class'?")
        self.fails("rules", "run", "--where", "n > 5 and not income in rule", status=64,
                   says="--where: no attribute 'income', expected one of 'x', 'y', 'colour', 'class'")
        self.fails("rules", "run", "--where", "class in head", status=64,
                   says="--where: column 10: found 'head', expected rule, antecedent or consequent")
        # Without the data only the rules' own names are known.
        (run / "data.h5").unlink()
        out, err = self.atoll("rules", "run", "--where", "clas in rule")
        self.assertIn("warning: --where: no rule names 'clas', did you mean 'class'?", err)
        self.assertIn(f"none of {len(everything)} rules satisfies --where", err)

    def test_columns_and_tables_of_papers(self):
        run = self.small_run("run", "--holdout", "0.3", "--target", "class=*")
        rules = sorted(json.loads(self.atoll("rules", "run", "--format", "json")[0]), key=lambda r: r["holdout"]["p_holm"])
        names = "rule,holdout_p_holm,confidence"
        out, _ = self.atoll("rules", "run", "--format", "csv", "--columns", names, "--sort", "holdout_p_holm")
        rows = list(csv.reader(io.StringIO(out)))
        self.assertEqual(rows[0], names.split(","))
        self.assertEqual([r[0] for r in rows[1:]], [r["rule"] for r in rules])
        out, _ = self.atoll("rules", "run", "--columns", "confidence,rule", "--where", "class = yes")
        self.assertEqual(out.split()[:5], "=> class = yes confidence".split(), out)
        out, _ = self.atoll("rules", "run", "--format", "markdown", "--columns", "id,n_both", "--top", 1)
        self.assertEqual(out.splitlines()[:2], ["| id | n\\_both |", "| ---: | ---: |"])
        out, _ = self.atoll("rules", "run", "--format", "latex", "--top", 2)
        self.assertIn("\\toprule\n", out)
        self.assertNotIn(" < ", out)
        for words, says in ((("--columns", "rule,lft"), "--columns: 'lft', expected a field, did you mean 'lift'"),
                            (("--columns", "lift,lift"), "--columns: 'lift' is there twice"),
                            (("--columns", "on_n"), "--columns: no on_ figures"),
                            (("--columns", "rule", "--measures", "lift"), "without --measures"),
                            (("--columns", "rule", "--format", "json"), "--columns is for tables and CSV"),
                            (("--top", 0), "--top: '0' is no whole number from 1"),
                            (("--sort", "p_holm"), "did you mean 'holdout_p_holm' or 'on_p_holm'?")):
            self.fails("rules", "run", *words, status=64, says=says)

    def test_no_line_is_wider_than_the_environment_asks_for(self):
        self.small_run("run", "--holdout", "0.3")
        for words in ((), ("--on", "table.csv"), ("--measures", "all"), ("--columns", "id,rule,equivalents")):
            for columns in (50, 80):
                with unittest.mock.patch.dict(os.environ, COLUMNS=str(columns)):
                    out, _ = self.atoll("rules", "run", *words)
                self.assertLessEqual(max(map(len, out.splitlines())), columns, out)

    def test_bounds_are_short_and_hold_on_the_same_rows(self):
        self.write("t.csv", "x,y\n" + "".join(f"{i * 0.37 ** 3 + 1 / 3!r},{'yn'[i > 200]}\n" for i in range(400)))
        self.atoll("mine", "t.csv", "-o", "run", "--generations", 10, "--population", 40, "--target", "y=*")
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        bounds = [c for r in rules for c in r["antecedent"]]
        self.assertTrue(any("found" in c for c in bounds))
        for c in bounds:
            self.assertTrue(all(len(str(v)) < 9 for v in c["values"]), c)
            if "found" in c:
                self.assertNotEqual(c["found"], c["values"])
        out, _ = self.atoll("rules", "run", "--on", "t.csv", "--format", "json")
        for rule in json.loads(out):
            self.assertEqual(rule["on"]["counts"], rule["counts"], rule["rule"])

    def test_rules_sorted_by_several_fields(self):
        self.small_run()
        everything = json.loads(self.atoll("rules", "run", "--format", "json")[0])

        def key(rule):
            return (len(rule["antecedent"]) + len(rule["consequent"]), -rule["measures"]["lift"])
        expected = [r["id"] for r in sorted(everything, key=key)]
        for words in (("--sort=-comparisons,lift",), ("--sort", "comparisons asc, Lift desc"),
                      ("--sort", "comparisons,lift"),
                      ("--sort", "-comparisons,lift")):
            out, _ = self.atoll("rules", "run", "--format", "json", *words)
            self.assertEqual([r["id"] for r in json.loads(out)], expected, words)
        self.fails("rules", "run", "--sort", "lift,,n", status=64, says="--sort: '', expected a field such as")
        self.fails("rules", "run", "--sort=-lift desc", status=64, says="--sort: '-lift desc', expected a field")
        self.fails("rules", "run", "--sort", "lift,-on_n", status=64,
                   says="--sort: no on_ figures without --on DATA")

    def test_counts_are_those_of_the_table(self):
        run = self.small_run()
        rows = list(csv.DictReader(io.StringIO((self.folder / "table.csv").read_text())))
        checked = 0
        for rule in json.loads((run / "rules.json").read_text()):
            sides = [[r for r in rows if all(satisfies(r, c) for c in rule[side])]
                     for side in ("antecedent", "consequent")]
            both = [r for r in sides[0] if all(satisfies(r, c) for c in rule["consequent"])]
            self.assertEqual(rule["counts"], {"n": len(rows), "antecedent": len(sides[0]),
                                              "consequent": len(sides[1]), "both": len(both),
                                              "missing_consequent": 0}, rule["rule"])
            checked += 1
        self.assertGreater(checked, 5)

    def test_info(self):
        self.write("t.csv", "a,b,c\n" + "".join(
            f"{i % 5},{'xy'[i % 2]},{'' if i == 3 else i % 5}\n" for i in range(40)))
        self.atoll("import", "t.csv", "-o", "t.h5")
        out, _ = self.atoll("info", "t.h5", "--json")
        info = json.loads(out)
        self.assertEqual((info["kind"], info["rows"], info["duplicate_rows"]), ("dataset", 40, 29))
        self.assertEqual([(a["name"], a["kind"], a["distinct"], a["missing"])
                          for a in info["attributes"]],
                         [("a", "numeric", 5, 0), ("b", "nominal", 2, 0), ("c", "numeric", 5, 1)])
        self.assertRegex(info["fingerprint"], r"^[0-9a-f]{32}$")
        text, _ = self.atoll("info", "t.csv")
        self.assertIn("duplicate rows: 29", text)
        with (self.folder / "t.csv").open() as table:
            text, _ = self.atoll("info", "-", stdin=table)
        self.assertIn("duplicate rows: 29", text)
        self.small_run()
        info = json.loads(self.atoll("info", "run", "--json")[0])
        self.assertEqual((info["kind"], info["state"], info["generation"]), ("run", "finished", 10))

    def test_log_is_one_object_a_line(self):
        run = self.small_run("run", "--checkpoint-every", 4)
        events = log(run)
        self.assertEqual(events[0]["event"], "start")
        self.assertEqual([e["generation"] for e in events if e["event"] == "checkpoint"],
                         [4, 8, 10])
        progress = [e for e in events if e["event"] == "progress"][-1]
        self.assertEqual(set(progress["phases"]),
                         {"breed", "fit", "evaluate", "replacement", "idle", "exchange"})
        self.assertEqual(events[-1]["event"], "end")
        self.assertEqual(events[-1]["reason"], "finished")

    def test_timings_name_the_time_of_a_job(self):
        self.table(50000)
        _, err = self.atoll("mine", "table.csv", "-o", "run", "--generations", 2, "--holdout", 0.3,
                            "--timings")
        lines = err[err.index("\nphase "):].strip().splitlines()
        self.assertTrue(all(len(line) <= 80 for line in lines), lines)
        phases = {line[:26].strip(): line for line in lines[1:]}
        for phase in ("import", "rows", "hold-out", "search", "results", "refinement", "files"):
            self.assertIn(phase, phases)
        # Processor seconds, which depend on no other work.
        whole, unnamed = (float(phases[name][43:54]) for name in ("whole", "without a name"))
        self.assertLessEqual(unnamed, max(0.1 * whole, 0.1), err)
        event, = (e for e in log(self.folder / "run") if e["event"] == "timings")
        outer = sum(p["seconds"] for p in event["phases"] if "/" not in p["phase"])
        self.assertLessEqual(outer, event["seconds"] + 0.001)
        inner = sum(p["seconds"] for p in event["phases"] if p["phase"].startswith("rows/"))
        rows, = (p for p in event["phases"] if p["phase"] == "rows")
        self.assertLessEqual(inner, rows["seconds"] + 0.001)
        self.assertGreater(rows["peak_bytes"], 0)
        _, quiet = self.atoll("resume", "run")
        self.assertNotIn("phase ", quiet)

    def test_log_counts_generation_0_in_time_and_phases(self):
        self.table(20000)
        for ranks in (0, 2) if MPIEXEC else (0,):
            for generations in (0, 1):
                run = f"run{ranks}-{generations}"
                self.atoll("mine", "table.csv", "-o", run, "--generations", generations,
                           ranks=ranks)
                events = log(self.folder / run)
                progress = [e for e in events if e["event"] == "progress"][-1]
                for share in progress["phases"].values():
                    self.assertTrue(0 <= share <= 1, progress)
                # Each of the six is rounded to three places.
                self.assertTrue(0 < sum(progress["phases"].values()) <= 1.0031, progress)
                seconds = progress["evaluated"] / progress["rules_per_second"]
                self.assertLessEqual(seconds, events[-1]["seconds"], progress)

    def test_log_tells_what_ranks_wait_for_each_other(self):
        self.need_mpi()
        self.atoll("mine", self.table(20000), "-o", "run", "--generations", 5, "--islands", 3,
                   "--threads", 1, "--migrate-every", 0, ranks=2)  # two islands and one
        progress = [e for e in log(self.folder / "run") if e["event"] == "progress"][-1]
        self.assertGreater(progress["phases"]["idle"], 0, progress)

    def test_piped_output_has_no_control_characters(self):
        _, err = self.atoll("mine", self.table(), "-o", "run", "--generations", 5)
        self.assertNotRegex(err, r"[\r\x1b]")
        self.assertRegex(err, r"finished after generation 5 of 5: \d+ rules in run/rules.csv")

    def test_standard_output_closed_full_or_left(self):
        self.small_run()
        command = f"'{ATOLL}' rules run"
        for words, status in ((f"{command} >&-", 74), (f"{command} > /dev/full", 73),
                              (f"{command} | head -n 1; exit ${{PIPESTATUS[0]}}", 0)):
            done = subprocess.run(["bash", "-c", words], cwd=self.folder, capture_output=True,
                                  text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, status, words)
            if status != 0:
                self.assertRegex(done.stderr, r"^atoll: standard output: .*\n$")
            else:
                self.assertEqual(done.stderr, "")

    def test_print_schema_is_taken_back(self):
        self.table()
        out, _ = self.atoll("import", "table.csv", "--print-schema")
        self.assertTrue(re.search(r"(?m)^name = \"colour\"", out), out)
        self.write("schema.toml", out)
        self.atoll("import", "table.csv", "-o", "a.h5", "--schema", "schema.toml")
        self.atoll("import", "table.csv", "-o", "b.h5")
        prints = [json.loads(self.atoll("info", f, "--json")[0])["fingerprint"]
                  for f in ("a.h5", "b.h5")]
        self.assertEqual(prints[0], prints[1])


def satisfies(row, comparison):
    """Does the row satisfy a comparison of rules.json? The table has no missing values."""
    cell = row[comparison["attribute"]]
    values = comparison["values"] if "values" in comparison else [comparison["value"]]
    if all(isinstance(value, (int, float)) for value in values):
        cell = float(cell)
    relation = comparison["relation"]
    return {"=": lambda: cell == values[0], "!=": lambda: cell != values[0],
            "<": lambda: cell < values[0], "<=": lambda: cell <= values[0],
            ">": lambda: cell > values[0], ">=": lambda: cell >= values[0],
            "in": lambda: values[0] <= cell <= values[-1],
            "not in": lambda: not values[0] <= cell <= values[-1]}[relation]()


if __name__ == "__main__":
    unittest.main()
