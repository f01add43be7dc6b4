"""What is said of attributes that depend on each other, and the rules that only say so."""

import csv
import io
import json
import unittest

from harness import EndToEnd, log

DRAW = ["--generations", 3, "--population", 20, "--threads", 1]


class Dependences(EndToEnd):
    def bicycles(self, rows=3000):
        """cnt = casual + registered; a season is one of three columns; a code has a name; the hour
        tells the shift; of one shift there are no workers; the class is known by the shift."""
        lines = ["hour,casual,registered,cnt,spring,summer,winter,code,name,empty,shift,day"]
        state = 99
        for _ in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            hour, casual, registered = state >> 8 & 15, state >> 12 & 255, state >> 14 & 1023
            season, code, day = (state >> 7) % 3, (state >> 9) % 5, (state >> 11) % 7
            lines.append(",".join(map(str, [
                hour, casual, registered, casual + registered, int(season == 0), int(season == 1),
                int(season == 2), code, "ABCDE"[code], "none",
                "early" if hour < 6 else "late", day])))
        return self.write("bicycles.csv", "\n".join(lines) + "\n")

    LINES = ("  code and name tell each other",
             "  spring, summer, winter: exactly one is 1 in every row",
             "  cnt = casual + registered",
             "  hour tells shift")

    def test_info_says_a_line_for_each_group(self):
        data = self.bicycles()
        out, _ = self.atoll("info", data)
        said = out.split("attributes that depend on each other:\n")[1].splitlines()
        self.assertEqual(tuple(said), self.LINES)
        report = json.loads(self.atoll("info", data, "--json")[0])["dependences"]
        self.assertEqual(report["copies"], [["code", "name"]])
        self.assertEqual(report["one_hot"], [["spring", "summer", "winter"]])
        self.assertEqual(report["sums"], [{"whole": "cnt", "parts": ["casual", "registered"]}])
        self.assertEqual(report["determinations"],
                         [{"by": "hour", "told": "shift", "rows": 3000, "exceptions": 0}])
        self.assertNotIn("depend on each other", self.atoll("info", self.table())[0])

    def test_mine_says_the_same_once(self):
        data = self.bicycles()
        # Sums are of values, not of bins.
        _, err = self.atoll("mine", data, "-o", "run", *DRAW, "--max-bins", 8, "--stop-after",
                            "0.001s", status=75)
        for line in self.LINES:
            self.assertIn(line + "\n", err)
        self.assertNotIn("leak?", err)
        self.assertNotIn("definitions", (self.folder / "run" / "config.toml").read_text())
        start = next(event for event in log(self.folder / "run") if event["event"] == "start")
        self.assertGreaterEqual(start["dependence_seconds"], 0)
        _, err = self.atoll("resume", "run")
        self.assertNotIn("depend on each other", err)

    def test_what_tells_a_target_is_a_leak(self):
        data = self.bicycles()
        leaks = (("shift=*", "leak? hour tells shift, a target; --exclude leaves it out of rules"),
                 ("cnt > 500", "leak? casual and registered tell cnt, a target; --exclude leaves "
                               "them out of rules"),
                 ("mean(cnt)", "leak? casual and registered tell cnt, a target; --exclude leaves "
                               "them out of rules"))
        for target, line in leaks:
            _, err = self.atoll("mine", data, "-o", "run", "--force", *DRAW, "--target", target,
                                "--max-bins", 0)
            self.assertIn(f"warning: {line}\n", err)
            warnings = [event["message"] for event in log(self.folder / "run")
                        if event["event"] == "warning"]
            self.assertIn(line, warnings)
        _, err = self.atoll("mine", data, "-o", "run", "--force", *DRAW, "--target", "day=*")
        self.assertNotIn("leak?", err)
        self.atoll("import", data, "-o", "data.h5", "--class", "shift")
        self.assertIn("\nleak? hour tells shift, a target;", self.atoll("info", "data.h5")[0])

    def test_definitions_are_printed_if_asked_for(self):
        data = self.table()
        for choice, shown in (("apart", False), ("include", True)):
            self.atoll("mine", data, "-o", choice, *DRAW, "--definitions", choice)
            config = (self.folder / choice / "config.toml").read_text()
            self.assertEqual('\ndefinitions = "include"\n' in config, shown)
            path = self.folder / choice / "rules.json"
            rules = json.loads(path.read_text())
            self.assertLessEqual({rule["kind"] for rule in rules}, {"rule", "variant"})
            rules = [rule for rule in rules if rule["kind"] == "rule"]
            with open(self.folder / choice / "rules.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(list(rows[0])[-1], "kind")
            self.assertEqual({row["kind"] for row in rows}, {"rule"})

            rules[-1]["kind"] = "definition"
            path.write_text(json.dumps(rules))
            printed = self.printed("rules", choice)
            self.assertEqual(len(printed), len(rules) - (not shown))
            everything = self.printed("rules", choice, "--definitions")
            self.assertEqual([row["kind"] for row in everything],
                             ["rule"] * (len(rules) - 1) + ["definition"])
            self.assertEqual(json.loads(self.atoll("info", choice, "--json")[0])["rules"],
                             len(printed))
        for rule in rules:
            rule["kind"] = "definition"
        (self.folder / "apart" / "rules.json").write_text(json.dumps(rules))
        out, err = self.atoll("rules", "apart", "--format", "csv")
        self.assertEqual(len(out.splitlines()), 1)
        self.assertIn(f"{len(rules)} definitions, which --definitions prints", err)

    def printed(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.atoll(*arguments, "--format", "csv")[0])))


if __name__ == "__main__":
    unittest.main()
