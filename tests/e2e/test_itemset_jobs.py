"""atoll itemsets on several ranks, and what its checkpoints are of."""

import os
import random
import subprocess
import unittest

from harness import PATIENCE, EndToEnd, launcher

FAMILIES = {"all": [], "closed": ["--closed"], "maximal": ["--maximal"]}


def dense(rows, items, chance, seed=7):
    """Transactions that have most of the items."""
    draw = random.Random(seed)
    return "".join(" ".join(str(i) for i in range(items) if draw.random() < chance) + "\n"
                   for _ in range(rows))


class ItemsetJobs(EndToEnd):
    def itemsets(self, data, *options, **more):
        return self.atoll("itemsets", data, "--backend", "cpu", *options, **more)

    def expect_nothing_else(self, *names):
        self.assertEqual({p.name for p in self.folder.iterdir()}, set(names))

    def content(self, name):
        return (self.folder / name).read_bytes()


class OnRanks(ItemsetJobs):
    def setUp(self):
        super().setUp()
        self.need_mpi()
        self.data = self.write("a.dat", dense(300, 16, 0.8) + "0 1 2\n" * 40 + "20 21\n" * 50)

    def test_any_number_of_ranks_and_threads_gives_the_same_bytes(self):
        for family, options in FAMILIES.items():
            for count in ([], ["--count-only"]):
                what = [self.data, "--min-count", 30, *options, *count]
                _, said = self.itemsets(*what, "-o", "alone", "--force", "--threads", 1)
                for ranks, threads in ((2, 1), (3, 2), (4, 1))[:1 if count else 3]:
                    with self.subTest(family=family, count=bool(count), ranks=ranks):
                        _, err = self.itemsets(*what, "-o", "shared", "--force", "--threads", threads,
                                               ranks=ranks)
                        self.assertEqual(self.content("shared"), self.content("alone"))
                        self.assertEqual(err, said)
        self.expect_nothing_else("a.dat", "alone", "shared")

    def test_standard_output_and_few_transactions(self):
        out, _ = self.itemsets(self.data, "--min-support", "10%", "-o", "-")
        shared, _ = self.itemsets(self.data, "--min-support", "10%", "-o", "-", ranks=3)
        self.assertEqual(shared, out)
        for options in (["--count-only", "-o", "counts", "--force"], ["-o", "-"]):
            for least in (391, 390):  # more than there are, or than any item is in
                what = [self.data, "--min-count", least, *options]
                self.assertEqual(self.itemsets(*what, ranks=2), self.itemsets(*what))

    def test_more_ranks_than_items(self):
        data = self.write("b.dat", "1 2\n1 2 3\n1\n")
        out, _ = self.itemsets(data, "--min-count", 1, "-o", "-", ranks=4)
        self.assertEqual(out, self.itemsets(data, "--min-count", 1, "-o", "-")[0])

    def test_rules_and_apriori_are_found_by_rank_0(self):
        for options in (["--rules"], ["--algorithm", "apriori"]):
            what = [self.data, "--min-count", 60, "-o", "-", *options]
            out, err = self.itemsets(*what, ranks=2)
            self.assertEqual(out, self.itemsets(*what)[0])
            self.assertIn("rank 0 alone searches: only the default search, pairs and probabilistic are "
                          "shared out\n", err)

    def fails(self, *arguments, says, **more):
        _, err = self.atoll(*arguments, **more)
        lines = [line for line in err.splitlines() if line.startswith("atoll: ")]
        self.assertEqual(len(lines), 1, err)
        self.assertIn(says, lines[0])

    def test_what_fails_is_said_once(self):
        self.fails("itemsets", "none.dat", "--min-count", 1, "-o", "x", ranks=3, status=66, says="none.dat")
        bad = self.write("bad.dat", "1 2\n1 x\n")
        self.fails("itemsets", bad, "--format", "fimi", "--min-count", 1, "-o", "x", ranks=2, status=65,
                   says="bad.dat:2:3")
        self.fails("itemsets", self.data, "-o", "x", ranks=2, status=64, says="--min-support")
        large = self.write("large.dat", dense(600, 60, 0.9) * 100)
        self.fails("itemsets", large, "--min-count", 30000, "-o", "x", "--memory-limit", "16M", ranks=2,
                   status=64, says="memory limit")
        self.expect_nothing_else("a.dat", "bad.dat", "large.dat")

    def test_a_reader_that_goes_away_ends_all_ranks(self):
        words = launcher(2) + [self.program, "itemsets", self.write("b.dat", dense(300, 22, 0.85)),
                               "--min-count", "60", "-o", "-"]
        first, last = os.pipe()
        job = subprocess.Popen(words, cwd=self.folder, stdout=last, stderr=subprocess.PIPE, text=True)
        os.close(last)
        os.read(first, 10)
        os.close(first)
        _, err = job.communicate(timeout=PATIENCE)
        self.assertNotIn("atoll:", err)

    def test_text_that_waits_needs_no_folder_that_all_ranks_see(self):
        """It goes to rank 0 in messages."""
        for name in "ab":
            (self.folder / name).mkdir()
        script = self.write("rank.sh", 'cd "$([ "$OMPI_COMM_WORLD_RANK" = 0 ] && echo a || echo b)" && exec "$@"\n')
        data = self.write("b.dat", dense(300, 20, 0.85))
        what = ["itemsets", data, "--min-count", "100", "-o", "sets"]
        subprocess.run([*launcher(3), "sh", script, self.program, *what], cwd=self.folder, check=True,
                       capture_output=True, timeout=PATIENCE)
        self.assertEqual([p.name for p in (self.folder / "b").iterdir()], [])
        self.itemsets(*what[1:-1], "alone")
        self.assertEqual((self.folder / "a" / "sets").read_bytes(), self.content("alone"))


class OnGpus(ItemsetJobs):
    """A device that pretends to count finds a set for each item of its part."""

    program = os.environ.get("ATOLL_PRETENDER", "")

    def setUp(self):
        super().setUp()
        self.need_mpi()
        self.data = self.write("a.dat", dense(300, 16, 0.8) + "20 21\n" * 50)

    def counts(self, options=(), **more):
        """Of all frequent items but one."""
        return self.atoll("itemsets", self.data, "--min-count", 50, "--count-only", "--backend", "cuda",
                          "-o", "counts", "--force", *options, **more)

    def gpus(self, uuids, **faults):
        return {**os.environ, "PRETEND_GPUS": uuids, **faults}

    def test_each_rank_counts_parts_on_its_own(self):
        for ranks in (2, 4):
            _, err = self.counts(ranks=ranks, env=self.gpus("A,B,C,D"))
            self.assertEqual(err, f"each of {ranks} ranks counts on a GPU of its own: Pretender\n"
                                  "18 sets in at least 50 of 350 transactions\n")
            self.assertEqual(self.content("counts"), b"length\tsets\n1\t18\n")
        _, err = self.counts(ranks=3, env=self.gpus("A"))
        self.assertIn("each of 3 ranks counts on a GPU shared with others: Pretender\n", err)
        self.assertEqual(self.content("counts"), b"length\tsets\n1\t18\n")

    def test_a_rank_without_a_device_or_with_a_bad_one_ends_all(self):
        for faults, says in (({"PRETEND_GPUS_1": ""}, "atoll: rank 1: backend cuda unavailable: "),
                             ({"PRETEND_FAULT_1": "memory"}, "atoll: rank 1: backend cuda unavailable: "),
                             ({"PRETEND_FAULT_1": "1"}, "atoll: rank 1: backend cuda failed: ")):
            _, err = self.counts(ranks=2, status=69, env=self.gpus("A,B", **faults))
            lines = [line for line in err.splitlines() if line.startswith("atoll: ")]
            self.assertEqual(len(lines), 1, err)
            self.assertIn(says, err)

    def test_cores_go_on_with_what_devices_have_left(self):
        """And they find more: what is there counts as found."""
        self.counts(("--stop-after", "0.001s"), ranks=2, status=75, env=self.gpus("A,B", PRETEND_HANG="yes"))
        self.itemsets(self.data, "--min-count", 50, "--count-only", "-o", "counts", "--force", ranks=3)
        self.itemsets(self.data, "--min-count", 50, "--count-only", "-o", "alone")
        self.assertEqual(self.content("counts"), self.content("alone"))


class StoppedJobs(ItemsetJobs):
    """What is particular to itemsets; task_contract.py has what holds of every task."""

    # Name: data, least count, options.
    SEARCHES = {
        "count": (dense(500, 40, 0.7), 38, ["--count-only"]),
        "closed": (dense(700, 26, 0.75, 8), 42, ["--closed", "--min-length", 11]),
    }
    wholes = {}  # outputs, by the search

    def search(self, name):
        data, least, options = self.SEARCHES[name]
        return [self.write(f"{name}.dat", data), "--min-count", least, *options]

    def whole(self, what):
        key = str([what[0].name, *what[1:]])
        if key not in self.wholes:
            self.itemsets(*what, "-o", "whole", "--force")
            self.wholes[key] = self.content("whole")
        return self.wholes[key]

    def expect_done(self, what):
        self.assertEqual(self.content("sets"), self.whole(what))
        self.assertFalse((self.folder / "sets.checkpoint").exists())

    def stop(self, what, *options, ranks=0):
        _, err = self.itemsets(*what, "-o", "sets", "--stop-after", "0.01s", *options, ranks=ranks, status=75)
        self.assertIn("stopped; what was found is in sets.checkpoint, and the same command goes on from there\n",
                      err)
        self.assertFalse((self.folder / "sets").exists())

    def test_another_search_does_not_go_on(self):
        what = self.search("closed")
        self.stop(what)
        before = {p.name: p.read_bytes() for p in (self.folder / "sets.checkpoint").iterdir()}
        data, _, least, *closed = what
        other = self.write("other.dat", self.SEARCHES["closed"][0] + "1 2\n")
        longer = ["--min-length", 11]
        for command, says in (((data, "--min-count", 43, *closed), "another --min-support or --min-count"),
                              ((data, "--min-count", least, *longer), "other sets (--closed, --maximal)"),
                              ((data, "--min-count", least, *closed, "--count-only"), "no --count-only"),
                              ((data, "--min-count", least, *closed, "--max-length", 13),
                               "another --max-length"),
                              ((other, "--min-count", least, *closed), "other transactions")):
            self.fails("itemsets", *command, "-o", "sets", status=64,
                       says=f"sets.checkpoint: is of a task with {says}; write to another file, or begin "
                            "again with --force")
        self.assertEqual({p.name: p.read_bytes() for p in (self.folder / "sets.checkpoint").iterdir()}, before)
        self.itemsets(data, "--min-count", 300, *closed, "-o", "sets", "--force")
        self.expect_done((data, "--min-count", 300, *closed))

    def test_commands_that_are_no_tasks_leave_it_alone(self):
        """And `info` finds it by a link."""
        what = self.search("closed")
        (self.folder / "link").symlink_to("sets")
        self.stop(what)
        before = {p.name: p.read_bytes() for p in (self.folder / "sets.checkpoint").iterdir()}
        self.assertEqual(self.atoll("info", "link")[0].replace(str(self.folder) + "/", ""),
                         self.atoll("info", "sets")[0])
        table = self.write("table.csv", "a,b\n" + "x,y\nz,w\n" * 50)
        for command in (("itemsets", *what[:3], "--rules"), ("enumerate", table, "--method", "beam", "--evaluations", 9),
                        ("generate", "poker", "--rows", 10)):
            name = "sets.h5" if command[0] == "generate" else "link"
            if name == "sets.h5":
                (self.folder / "sets.checkpoint").rename(self.folder / "sets.h5.checkpoint")
            self.fails(*command, "-o", name, status=64,
                       says=".checkpoint: is of another task, itemsets; write to another file, or begin again with --force")
            self.assertFalse((self.folder / name).exists())
        self.assertEqual({p.name: p.read_bytes() for p in (self.folder / "sets.h5.checkpoint").iterdir()}, before)
        (self.folder / "sets.h5.checkpoint").rename(self.folder / "sets.checkpoint")
        self.atoll("enumerate", table, "--method", "beam", "--evaluations", 9, "-o", "link", "--force")
        self.assertTrue((self.folder / "sets").is_file())
        self.assertFalse((self.folder / "sets.checkpoint").exists())

    def test_checkpoints_are_of_a_file(self):
        what = self.search("count")
        for option in ("--stop-after", "--checkpoint-every"):
            self.fails("itemsets", *what, option, "1s", status=64,
                       says=f"{option}: there are no checkpoints of standard output; give -o OUT")
            self.fails("itemsets", *what[:3], "--rules", "-o", "x", option, "1s", status=64,
                       says=f"{option}: there are none with --rules")
            self.fails("itemsets", *what, "-o", "x", option, "0s", status=64, says=f"{option}: 0")
            self.fails("itemsets", *what, "-o", "x", option, "soon", status=64, says=f"{option}: 'soon'")
        self.atoll("itemsets", *what, "-o", "x", "--stop-after", 600, "--checkpoint-every", 600)  # seconds


if __name__ == "__main__":
    unittest.main()
