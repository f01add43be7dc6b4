"""Checkpoints that are damaged or belong to something else, and what a job may be resumed with."""

import os
import unittest

from harness import MPIEXEC, EndToEnd, digest, log
from test_golden import EXPERIMENTS, TABLE, pinned


class Checkpoints(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.write("data.csv", TABLE.read_bytes())
        # Has checkpoints of generations 1 and 2, and far to go.
        self.atoll("mine", self.data, "-o", "run", *EXPERIMENTS["niching"], "--stop-after", "0.001s",
                   status=75)
        self.run_folder = self.folder / "run"
        self.config = self.run_folder / "config.toml"
        for _ in range(2):
            self.resume("--stop-after", "0.001s", status=75)
        self.assertEqual([path.name for path in self.checkpoints()],
                         [f"checkpoint-000000000{number}.h5" for number in (0, 1, 2)])

    def checkpoints(self):
        return sorted((self.run_folder / "checkpoints").glob("checkpoint-*"))

    def resume(self, *arguments, **how):
        return self.atoll("resume", "run", *arguments, **how)[1]

    def check(self):
        self.assertEqual(digest(self.run_folder), pinned("niching"))

    def first_generation(self):
        return [event for event in log(self.run_folder) if event["event"] == "start"][-1][
            "generation"]

    def damage(self, how):
        path = self.checkpoints()[-1]
        content = path.read_bytes()
        path.write_bytes(how(content))
        return path

    def test_the_one_before_a_damaged_one_is_taken(self):
        saved = {path: path.read_bytes() for path in self.checkpoints()}
        for name, how in (("empty", lambda b: b""), ("cut", lambda b: b[:len(b) // 2]),
                          ("without its last byte", lambda b: b[:-1]),
                          ("flipped", lambda b: b[:999] + bytes([b[999] ^ 1]) + b[1000:]),
                          ("zeroed", lambda b: bytes(len(b)))):
            with self.subTest(name):
                for path in self.checkpoints():
                    path.unlink()
                for path, content in saved.items():
                    path.write_bytes(content)
                path = self.damage(how)
                err = self.resume("--stop-after", "0.001s", status=75)
                warnings = [line for line in err.splitlines() if "warning" in line]
                self.assertEqual(len(warnings), 1, err)
                self.assertIn(f"atoll: warning: run/checkpoints/{path.name}: ", warnings[0])
                self.assertTrue(warnings[0].endswith("; the checkpoint before it is taken"))
                self.assertEqual(self.first_generation(), 1)
                self.atoll("info", "run")
        self.resume()
        self.check()

    def test_all_damaged_is_said_in_one_line(self):
        for path in self.checkpoints():
            path.write_bytes(path.read_bytes()[:-1])
        before = {path: path.read_bytes() for path in self.checkpoints()}
        says = "run/checkpoints: no checkpoint can be read, all 3 are damaged"
        self.fails("resume", "run", status=65, says=says)
        if MPIEXEC:
            _, err = self.atoll("resume", "run", ranks=2, status=65)
            self.assertEqual(err.count(says), 1, err)
        self.assertEqual({path: path.read_bytes() for path in self.checkpoints()}, before)

    def test_of_a_population_that_holds_every_rule_there_is(self):
        rows = "".join(f"{'abc'[i % 3]},{'xyz'[i // 3 % 3 if i % 5 else i % 3]}\n" for i in range(90))
        self.write("small.csv", "a,b\n" + rows)
        self.atoll("mine", "small.csv", "-o", "whole", "--generations", 31)
        rows = (self.folder / "whole" / "history.csv").read_text().splitlines()[1:]
        self.assertEqual([row for row in rows if ",," in row], [], "a population has become empty")
        for generation in range(9, 13):
            self.atoll("mine", "small.csv", "-o", "part", "--force", "--generations", 31,
                       "--checkpoint-every", generation, "--stop-after", "0.001s", status=75)
            self.atoll("resume", "part")
            self.assertEqual(digest(self.folder / "part"), digest(self.folder / "whole"))
        self.atoll("mine", "small.csv", "-o", "eleven", "--generations", 11)
        self.atoll("resume", "eleven")

    def test_what_was_not_renamed_yet_is_passed_over_and_removed(self):
        last = self.checkpoints()[-1]
        host = os.uname().nodename
        (last.parent / f"checkpoint-0000000003.h5.partial-{host}-1-0").write_bytes(
            last.read_bytes())
        (last.parent / "checkpoint-0000000004.h5.partial-elsewhere-17-0").write_bytes(b"")
        err = self.resume("--stop-after", "0.001s", status=75)
        self.assertNotIn("warning", err)
        self.assertEqual(self.first_generation(), 2)
        self.assertEqual([path.name for path in self.checkpoints()],
                         [f"checkpoint-000000000{number}.h5" for number in (1, 2, 3)])
        self.resume()
        self.check()

    def refused(self, says):
        before = {path: path.read_bytes() for path in self.checkpoints()}
        self.fails("resume", "run", status=65, says=says)
        self.assertEqual({path: path.read_bytes() for path in self.checkpoints()}, before)

    def test_another_experiment_is_refused(self):
        config = self.config.read_text()
        self.config.write_text(config.replace("seed = 42", "seed = 43"))
        self.assertNotEqual(self.config.read_text(), config)
        self.refused("run/config.toml: [experiment] is not that of the checkpoints; it must not "
                     "change")
        self.config.write_text(config)
        self.resume()
        self.check()

    def test_other_data_are_refused(self):
        lines = self.data.read_text().splitlines(keepends=True)
        (self.run_folder / "data.h5").unlink()
        self.data.write_text("".join(lines[:-1]))
        self.refused("data.csv: holds other data than those the run began with")
        self.assertFalse((self.run_folder / "data.h5").exists())
        self.data.write_text("".join(lines))
        self.resume()
        self.check()

    def test_data_that_have_moved_are_found_where_the_configuration_says(self):
        (self.run_folder / "data.h5").unlink()
        moved = self.folder / "moved.csv"
        self.data.rename(moved)
        self.fails("resume", "run", status=66, says="data.csv: No such file")
        self.config.write_text(self.config.read_text().replace(str(self.data), str(moved)))
        self.resume()
        self.check()

    def test_the_machine_may_be_another(self):
        for number, words in enumerate((["--threads", 3], ["--backend", "reference"],
                                        ["--checkpoint-every", 2], ["--checkpoint-every", "1h"])):
            self.resume(*words, "--stop-after", "0.001s", status=75,
                        ranks=number % 3 + 1 if MPIEXEC else 0)
        (self.run_folder).rename(self.folder / "elsewhere")
        self.atoll("resume", "elsewhere")
        self.assertEqual(digest(self.folder / "elsewhere"), pinned("niching"))


if __name__ == "__main__":
    unittest.main()
