"""Checkpoints of several ranks: a part of each, and the history in a file that grows."""

import os
import shutil
import subprocess
import unittest

from harness import ATOLL, PATIENCE, EndToEnd, digest, launcher, log

EXPERIMENT = ["--islands", 6, "--population", 24, "--generations", 40, "--migrate-every", 4,
              "--min-support", "1%", "--seed", 7, "--threads", 1]


class Parts(EndToEnd):
    def setUp(self):
        super().setUp()
        self.need_mpi()
        self.data = self.table()

    def mine(self, *arguments, **how):
        return self.atoll("mine", self.data, "-o", "run", *EXPERIMENT, "--checkpoint-every", 1,
                          *arguments, **how)[1]

    def stopped(self, ranks=3):
        """A run of which there are checkpoints of three generations."""
        self.mine("--stop-after", "0.001s", ranks=ranks, status=75)
        while len(self.own()) < 3 or self.generation() < 5:
            self.resume("--stop-after", "0.001s", ranks=ranks, status=75)

    def resume(self, *arguments, **how):
        return self.atoll("resume", "run", *arguments, **how)[1]

    def own(self):
        """The checkpoints' own files, which rank 0 writes."""
        return sorted((self.folder / "run/checkpoints").glob("checkpoint-??????????.h5"))

    def parts(self):
        return sorted((self.folder / "run/checkpoints").glob("checkpoint-*-*.h5"))

    def history(self):
        return self.folder / "run/checkpoints/history.bin"

    def generation(self):
        return [event["generation"] for event in log(self.folder / "run")
                if event["event"] == "checkpoint"][-1]

    def first_generation(self):
        return [event for event in log(self.folder / "run") if event["event"] == "start"][-1][
            "generation"]

    def warnings(self, err):
        return [line for line in err.splitlines()
                if line.startswith("atoll: warning: ") and "cores" not in line]

    def check(self):
        self.atoll("mine", self.data, "-o", "whole", "--force", *EXPERIMENT)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "whole"))

    def test_each_rank_writes_one_and_only_the_last_few_are_kept(self):
        self.mine(ranks=4)
        self.assertEqual([path.name for path in self.own()],
                         [f"checkpoint-00000000{number}.h5" for number in (38, 39, 40)])
        for path in self.own():
            self.assertEqual(len([part for part in self.parts()
                                  if part.name.startswith(path.stem)]), 3, self.parts())
        self.assertEqual(len(self.parts()), 9)
        self.check()

    def test_any_number_of_ranks_goes_on_from_those_of_another(self):
        self.stopped(ranks=3)
        for ranks in (4, 1, 6, 2, 5, 3):
            before = self.generation()
            err = self.resume("--stop-after", "0.001s", ranks=ranks, status=75)
            self.assertEqual(self.warnings(err), [])
            self.assertGreaterEqual(self.first_generation(), before)
            self.assertEqual(len([part for part in self.parts()
                                  if part.name.startswith(self.own()[-1].stem)]), ranks - 1)
        self.resume(ranks=2)
        self.check()

    def test_history_is_never_written_again(self):
        self.stopped()
        before, inode = self.history().read_bytes(), self.history().stat().st_ino
        self.resume("--stop-after", "0.001s", ranks=2, status=75)
        after = self.history().read_bytes()
        self.assertGreater(len(after), len(before))
        self.assertTrue(after.startswith(before))
        self.assertEqual(self.history().stat().st_ino, inode)

    def test_the_one_before_is_taken_if_a_part_is_damaged(self):
        for damage in (lambda path: path.unlink(),
                       lambda path: path.write_bytes(path.read_bytes()[:-1]),
                       lambda path: path.write_bytes(self.parts()[0].read_bytes())):
            self.stopped()
            newest = self.own()[-1].stem
            before = self.generation()
            part = [path for path in self.parts() if path.name.startswith(newest)][-1]
            damage(part)
            report = self.atoll("info", "run")[0]
            self.assertIn(f"checkpoints of generation {before} (damaged, ", report)
            warning, = self.warnings(self.resume(ranks=2))
            self.assertIn(part.name, warning)
            self.assertTrue(warning.endswith("; the checkpoint before it is taken"), warning)
            self.assertLess(self.first_generation(), before)
            self.check()
            shutil.rmtree(self.folder / "run")

    def test_the_one_before_is_taken_if_the_end_of_history_is_damaged(self):
        self.stopped()
        content = self.history().read_bytes()
        self.history().write_bytes(content[:-1])
        warning, = self.warnings(self.resume(ranks=2))
        self.assertIn("run/checkpoints/history.bin: damaged", warning)
        self.check()

    def test_without_its_history_a_run_goes_on_all_the_same(self):
        for damage in (lambda path: path.unlink(), lambda path: path.write_bytes(b"")):
            self.stopped()
            damage(self.history())
            first = self.generation()
            report = self.atoll("info", "run")[0]
            self.assertIn(f"checkpoints of generation {first} (", report)
            self.assertNotIn("damaged", report)
            warning, = self.warnings(self.resume(ranks=2))
            self.assertIn(f"history.csv begins after generation {first}", warning)
            self.assertEqual(self.first_generation(), first)
            self.atoll("mine", self.data, "-o", "whole", "--force", *EXPERIMENT)
            run, whole = digest(self.folder / "run"), digest(self.folder / "whole")
            self.assertEqual(run["rules.json"], whole["rules.json"])
            rows = (self.folder / "run/history.csv").read_text().splitlines()
            self.assertEqual({int(row.split(",")[0]) for row in rows[1:]}, set(range(first + 1, 41)))
            self.assertEqual(rows[1:], (self.folder / "whole/history.csv").read_text().splitlines()[
                1 - len(rows):])
            shutil.rmtree(self.folder / "run")

    def test_without_any_checkpoint_a_run_begins_again_and_says_so(self):
        self.stopped()
        for path in self.own():
            path.unlink()
        says = "the run has begun checkpoints, but none is whole: it begins again"
        self.assertIn(says, self.resume("--stop-after", "0.001s", ranks=2, status=75))
        self.assertNotIn(says, self.resume(ranks=2))
        self.atoll("mine", self.data, "-o", "undisturbed", *EXPERIMENT)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "undisturbed"))

    def test_one_under_the_name_of_another_is_damaged(self):
        self.stopped()
        newest = self.own()[-1]
        false = newest.with_name("checkpoint-0000000039.h5")
        shutil.copy(newest, false)
        warning, = self.warnings(self.resume(ranks=2))
        self.assertIn(f"{false.name}: it is the checkpoint of another generation", warning)
        self.check()

    def test_a_part_that_cannot_be_written_is_an_outage(self):
        self.let_fail("ENOSPC checkpoint-0000000007-", "ENOSPC checkpoint-0000000008-")
        err = self.mine(ranks=3, **self.faulty)
        warning, = self.warnings(err)
        self.assertRegex(warning, r"checkpoint-0000000007-\w+\.h5: No space left on device; mining goes on")
        saved = [event["generation"] for event in log(self.folder / "run")
                 if event["event"] == "checkpoint"]
        self.assertEqual([g for g in range(1, 41) if g not in saved], [7, 8])
        self.check()

    def test_rank_0_reads_and_writes_for_those_that_do_not_see_the_run(self):
        (self.folder / "elsewhere").mkdir()
        script = self.write("away.sh", '[ "$OMPI_COMM_WORLD_RANK" != 1 ] || cd elsewhere\nexec "$@"\n')
        words = launcher(3) + ["sh", str(script), ATOLL]

        def run(*arguments, status):
            process = subprocess.run(words + [str(a) for a in arguments], cwd=self.folder, text=True,
                                     capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(process.returncode, status, process.stderr)

        run("mine", self.data, "-o", "run", *EXPERIMENT, "--checkpoint-every", 1, "--stop-after",
            "0.001s", status=75)
        self.assertEqual(len([part for part in self.parts()
                              if part.name.startswith(self.own()[-1].stem)]), 2)
        run("resume", "run", "--stop-after", "0.001s", status=75)
        run("resume", "run", status=0)
        self.assertEqual(os.listdir(self.folder / "elsewhere"), [])
        self.check()


if __name__ == "__main__":
    unittest.main()
