"""Inputs, outputs and surroundings that nobody means, such as a pipe behind /dev/stdout: one clear line each."""

import json
import os
import shutil
import subprocess
import unittest

from harness import ATOLL, PATIENCE, EndToEnd


class Surroundings(EndToEnd):
    def test_what_is_made_can_be_used_whatever_the_umask(self):
        before = os.umask(0o777)
        try:
            self.atoll("import", self.write("t.csv", "a,b\n1,x\n2,y\n"), "-o", "t.h5")
            self.atoll("mine", "t.h5", "-o", "run", "--generations", 1, "--threads", 1)
        finally:
            os.umask(before)
        self.assertEqual((self.folder / "run").stat().st_mode & 0o777, 0o700)
        self.assertEqual((self.folder / "run/rules.csv").stat().st_mode & 0o777, 0o600)

    def test_a_text_that_needs_no_temporary_folder_needs_no_tmpdir(self):
        self.write("a.dat", "1 2\n1 2\n")
        out, _ = self.atoll("itemsets", "a.dat", "-o", "-", "--min-count", 2,
                            env={**os.environ, "TMPDIR": str(self.folder / "none")})
        self.assertEqual(sorted(out.splitlines()), ["1 (2)", "2 (2)", "2 1 (2)"])

    def test_a_pipe_behind_an_output_is_refused_by_its_name(self):
        self.write("a.dat", "1 2\n1 2\n")
        self.fails("itemsets", "a.dat", "-o", "/dev/stdout", "--force", "--min-count", 2, status=73,
                   says="/dev/stdout: is not a regular file; - stands for standard output")

    @unittest.skipUnless(os.access("/proc/kmsg", os.R_OK), "no right to read it")
    def test_what_the_kernel_tells_is_not_waited_for(self):
        for command in (("itemsets", "/proc/kmsg", "-o", "-", "--min-count", 2), ("info", "/proc/kmsg")):
            self.fails(*command, status=65, says="/proc/kmsg: is empty, expected a text")

    def test_a_process_substitution_is_read(self):
        done = subprocess.run(["bash", "-c", f"{ATOLL} itemsets <(printf '1 2\\n1 2\\n') -o - --min-count 2"],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.stdout.count("(2)"), 3, done.stderr)

    def test_a_line_says_what_is_wrong_however_long_a_text_is(self):
        _, err = self.atoll("itemsets", "x" * 100_000, "-o", "-", "--min-count", 2, status=66)
        self.assertLess(len(err), 3000)
        self.assertTrue(err.startswith("atoll: xxx") and err.endswith("File name too long\n"), err[-100:])

    def test_a_file_of_a_run_is_no_output(self):
        self.write("t.csv", "a,b\n" + "1,x\n2,y\n" * 20)
        self.atoll("mine", "t.csv", "-o", "run", "--generations", 1, "--threads", 1)
        (checkpoint,) = (self.folder / "run/checkpoints").glob("*.h5")
        files = {path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()}
        self.write("a.dat", "1 2\n1 2\n")
        os.symlink("run", self.folder / "link")
        for output in (checkpoint, "run/config.toml", "link/rules.csv", "run/checkpoints/none"):
            for command in (("itemsets", "a.dat", "--min-count", 2), ("enumerate", "t.csv", "--min-support", "1rows")):
                self.fails(*command, "-o", output, "--force", status=64, says="is a file of the run")
        self.fails("import", "t.csv", "-o", "run/data.h5", "--force", status=64, says="is a file of the run")
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()},
                         files)
        self.atoll("itemsets", "a.dat", "--min-count", 2, "-o", "run/my-sets.txt")  # what is nobody's may lie there

    def test_json_of_another_shape_is_told_without_a_library(self):
        self.atoll("classify", "train", self.table(200), "-o", "run", "--class", "class", "--generations", 2,
                   "--threads", 1)
        file = self.folder / "run/classifier.json"
        good = json.loads(file.read_text())

        def refused(text, says):
            file.write_text(text if isinstance(text, str) else json.dumps(text))
            self.fails("classify", "rules", "run", "--on", "table.csv", status=65, says=f"classifier.json: {says}")
        for shape in ("7", '"x"', "[1]", "null"):
            refused(shape, "an object was expected, found ")
        refused({**good, "class": 3}, "an object was expected, found number")
        for count in (-1, 0.5, 2**64, "1", None):
            refused({**good, "default": {"decided": [count] * len(good["class"]["values"])}},
                    '"decided" is not a count')
        deep = '{"not": ' * 100_000 + "1" + "}" * 100_000
        refused(file.read_text().replace('"decided"', f'"deep": {deep}, "decided"', 1), "is nested more than")

    def test_a_file_that_is_worked_on_is_known(self):
        self.fails("info", "sets.txt", status=66, says="sets.txt")
        self.write("a.dat", "\n".join(" ".join(str((i * j) % 37) for j in range(1, 30)) for i in range(400)) + "\n")
        self.atoll("itemsets", "a.dat", "-o", "sets.txt", "--min-count", 3, "--closed", "--stop-after", "0.1s",
                   "--threads", 1, status=75)
        out, _ = self.atoll("info", "sets.txt", "--json")
        self.assertEqual(json.loads(out), {"kind": "task", "state": "unfinished", "owner": None})
        self.assertIn('\n  "owner": null', out)  # as jobs/slurm.sh reads it
        shutil.rmtree(self.folder / "sets.txt.checkpoint")

    def test_what_was_found_is_known(self):
        self.write("a.dat", "1 2 3\n1 2\n2 3\n1 2 3\n")
        self.atoll("itemsets", "a.dat", "-o", "sets.txt", "--min-count", 2)
        self.atoll("itemsets", "a.dat", "-o", "rules.csv", "--min-count", 2, "--rules")
        self.atoll("enumerate", self.table(), "-o", "best.json", "--top", 2)
        for name, kind, command in (("sets.txt", "itemsets", "itemsets"), ("rules.csv", "rules", "itemsets --rules"),
                                    ("best.json", "rules", "enumerate")):
            out, err = self.atoll("info", name)
            self.assertRegex(out, rf"^{name}: (rules|sets of items) that atoll {command} has found, no data; .*\n$")
            self.assertEqual(err, "")
            self.assertEqual(json.loads(self.atoll("info", name, "--json")[0]), {"kind": kind, "command": command})
        self.assertIn("rows", self.atoll("info", "rules.csv", "--format", "csv")[0])  # as a table if one says so


if __name__ == "__main__":
    unittest.main()
