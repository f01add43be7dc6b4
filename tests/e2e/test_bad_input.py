"""Bad input: one line, the right exit status, nothing half-written."""

import hashlib
import os
import signal
import subprocess
import unittest

from harness import (ATOLL, MPIEXEC, NO_GPU, PATIENCE, RESULTS, EndToEnd,
                     digest, session_members, wait_for)

HEADER = "a,b,c\n"
ROWS = "".join(f"{i % 7},{'xyz'[i % 3]},{i % 5}\n" for i in range(50))

# name: (content, exit status, what the line says)
TABLES = {
    "empty": (b"", 65, ""),
    "header only": (HEADER.encode(), 65, ""),
    "ragged row": ((HEADER + "1,x,2\n1,x\n" + ROWS).encode(), 65, ":3:"),
    "unclosed quote": ((HEADER + '1,"x,2\n' + ROWS).encode(), 65, ":2:"),
    "invalid UTF-8": (HEADER.encode() + b"1,x\xff,2\n" + ROWS.encode(), 65, ":2:"),
    "NUL bytes": (HEADER.encode() + b"1,x\0,2\n" + ROWS.encode(), 65, ":2:"),
    "one constant column": (b"a\n" + b"1\n" * 50, 65, ""),
    "all missing": (HEADER.encode() + b"?,?,?\n" * 50, 65, ""),
}


class BadInput(EndToEnd):
    def leaves_nothing(self, *known):
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), sorted(known))

    def test_tables(self):
        for name, (content, status, says) in TABLES.items():
            with self.subTest(name):
                self.write("bad.csv", content)
                self.fails("mine", "bad.csv", "-o", "run", status=status, says=says)
                self.leaves_nothing("bad.csv")
                if name in ("one constant column", "all missing"):
                    continue
                self.fails("import", "bad.csv", "-o", "bad.h5", status=status, says=says)
                self.fails("info", "bad.csv", status=status, says=says)
                self.leaves_nothing("bad.csv")

    def test_no_such_input(self):
        for command in (["mine", "none.csv", "-o", "run"], ["import", "none.csv", "-o", "x.h5"],
                        ["info", "none.h5"], ["resume", "none"], ["rules", "none"]):
            self.fails(*command, status=66, says="none")
        (self.folder / "folder").mkdir()
        for command in (["mine", "folder", "-o", "run"], ["import", "folder", "-o", "x.h5"],
                        ["info", "folder"], ["resume", "folder"], ["rules", "folder"]):
            self.fails(*command, status=66, says="folder")
        self.leaves_nothing("folder")

    def test_many_columns(self):
        columns = 100_000
        row = ",".join(str(i % 3) for i in range(columns))
        other = ",".join(str(i % 2) for i in range(columns))
        self.write("wide.csv", ",".join(f"c{i}" for i in range(columns)) + "\n"
                   + (row + "\n" + other + "\n") * 5)
        self.atoll("import", "wide.csv", "-o", "wide.h5")
        self.atoll("mine", "wide.h5", "-o", "run", "--generations", 2, "--population", 10)

    def dataset(self):
        self.atoll("import", self.table(500), "-o", "good.h5", "--force")
        return (self.folder / "good.h5").read_bytes()

    def test_damaged_and_foreign_hdf5(self):
        good = self.dataset()
        self.fails("import", "good.h5", "-o", "again.h5", status=65, says="needs no import")
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 16
        for name, content in {
                "truncated": good[:len(good) // 2], "without its end": good[:-1],
                "bit-flipped": bytes(flipped), "foreign": good[:8] + b"\0" * 2000}.items():
            with self.subTest(name):
                self.write("bad.h5", content)
                self.fails("mine", "bad.h5", "-o", "run", status=65, says="bad.h5")
                self.fails("info", "bad.h5", status=65, says="bad.h5")
                self.leaves_nothing("good.h5", "bad.h5", "table.csv")

    def test_options(self):
        self.dataset()
        for words, says in (
                (["--sead", 3], "unknown option --sead; did you mean --seed?"),
                (["--maximize", "beauty"], "--maximize: "),
                (["--archive-by", "beauty"], "--archive-by: "),
                (["--min-support", "500"], "500% or 500rows"),
                (["--min-support", "2.0"], "--min-support: '2.0' is no support"),
                (["--min-confidence", "-1"], "--min-confidence: '-1' is no share"),
                (["--islands", "0"], "--islands is 0, expected 1 to"),
                (["--seed", "many"], "--seed: 'many' is no whole number"),
                (["--seed", "-1"], "--seed: '-1' is no whole number"),
                (["--seed", 2**64 - 1], "--seed is 18446744073709551615, expected 0 to 9223372036"),
                (["--seed", 2**64], "--seed: 18446744073709551616 is too large"),
                (["--population", 3], "--population is 3, expected 4 to 10000000"),
                (["--islands", 1000000], "--islands 1000000 times --population 200 is 200000000"),
                (["--pool", 5], "--pool is for --preset g3parm"),
                (["--crossover", 0.5], "--crossover is for --preset g3parm"),
                (["--mutation", 0.5], "--mutation is for --preset g3parm"),
                (["--max-similarity", 1.5], "--max-similarity: '1.5' is no share from 0 to 1"),
                (["--max-length", 1], "--max-length is 1, expected 2 to 100"),
                (["--preset", "g3parm", "--max-consequent", 0.5],
                 "--max-consequent is for --preset niching"),
                (["--min-sup", 5], "unknown option --min-sup; did you mean --min-support?"),
                (["--bogus"], "unknown option --bogus"),
                (["--topology", "random:9"], "--topology random:9 needs more than 9 islands"),
                (["--emigrants", "worst"], "'worst', expected best, tournament or random"),
                (["--emigration", "stay"], "--emigration: 'stay', expected copy or move"),
                (["--migration-log", "maybe"], "--migration-log: 'maybe', expected yes or no"),
                (["--replacement", "best"], "'best', expected worst, random or similar"),
                (["--target", "ghost=*"], "--target: no attribute 'ghost', expected one of"),
                (["--antecedent", "ghost"], "--antecedent: no attribute 'ghost'"),
                (["--require", "ghost", "--exclude", "ghost"],
                 "--require and --exclude both name 'ghost'"),
                (["--target", "colour=*,"], "--target: 'colour=*,' has an empty part"),
                (["--target", "colour=*", "--consequent", "size"],
                 "--target and --consequent both say what rules conclude"),
                (["--target", "x"], "'x' has numbers, of which a target takes the mean, as --target 'mean(x)'"),
                (["--target", "median(x)"], "no function 'median', expected mean(ATTRIBUTE) or"),
                (["--target", "Mean(x)"], "no function 'Mean', expected mean(ATTRIBUTE) or"),
                (["--maximize", "gini2"], "--maximize: unknown measure 'gini2', did you mean 'gini'"),
                (["--measures", "lft"], "--measures: unknown measure 'lft', did you mean 'lift'"),
                (["--archive-by", "lft"], "--archive-by: unknown measure 'lft', did you mean"),
                (["--maximize", "beauty"], "unknown measure 'beauty', known: support,"),
                (["--print-preset", "best"],
                 "--print-preset is 'best', expected niching, g3parm or random-search"),
                (["--checkpoint-every", "0"], "--checkpoint-every: '0'"),
                (["--stop-after", "soon"], "--stop-after: 'soon' is no duration"),
                (["--max-bins", "ghost=4"], "--max-bins: "),
                (["--max-bins", "1"], "--max-bins is 1"),
                (["--backend", "abacus"], "--backend: 'abacus'")):
            with self.subTest(words):
                self.fails("mine", "good.h5", "-o", "run", *words, status=64, says=says)
        self.fails("mine", "good.h5", "-o", "run", "--preset", "best", status=66,
                   says="best: no such file, nor a built-in preset (niching, g3parm or random-search)")
        self.fails("rules", "run", "--top", "-1", status=64, says="--top: '-1' is no whole number")
        self.fails(status=64, says="no command given")
        self.fails("mien", status=64, says="unknown command mien; did you mean mine?")
        self.fails("rules", "good.h5", status=66, says="good.h5: is a file, expected the folder")
        self.fails("mine", "good.h5", status=64, says="--output")
        self.fails("mine", "good.h5", "-o", "run", "--backend", "cuda", status=69, says="cuda",
                   env=NO_GPU)
        self.leaves_nothing("good.h5", "table.csv")

    def test_files_of_edges(self):
        self.dataset()
        for text, status, says in (
                ("", 65, "atoll: edges.txt: no edge, expected lines of two islands, from and to"),
                ("0 1\n1 2 3\n", 65, "atoll: edges.txt: line 2: expected two numbers of islands"),
                ("0 1\n# again\n0 1\n", 65,
                 "atoll: edges.txt: line 3: the same edge as in line 1"),
                ("0 -1\n", 65, "atoll: edges.txt: line 1: expected two numbers of islands"),
                (b"\x00\xff\x89HDF", 65, "atoll: edges.txt: line 1: expected two numbers"),
                ("2 2\n", 65, "atoll: edges.txt: line 1: island 2 to itself"),
                ("0 1\n3 4\n", 64, "the edge from island 3 to 4 needs more than the 4 islands")):
            with self.subTest(text):
                self.write("edges.txt", text)
                self.fails("mine", "good.h5", "-o", "run", "--topology", "edges.txt",
                           status=status, says=says)
        for name in ("mesh", "edges", "random:0", "none.txt"):
            self.fails("mine", "good.h5", "-o", "run", "--topology", name, status=66,
                       says=f"{name}: no such file, nor a topology (none, ring, two-way-")
        self.write("edges.txt", "1 0 # back\n\n0 1\n")
        self.atoll("mine", "good.h5", "-o", "run", "--topology", "edges.txt", "--generations", 1)
        self.assertIn("edges = [[0, 1], [1, 0]]", (self.folder / "run/config.toml").read_text())

    def test_presets_are_judged_with_the_options(self):
        self.dataset()
        for text, option, says in (
                ("islands = 0", ("--population", 20), "p.toml: --islands is 0, expected 1 to"),
                ('exclude = ["size"]\nrequire = ["size"]', ("--islands", 2),
                 "p.toml: --require and --exclude both name 'size'"),
                ('topology = "random:5"', ("--seed", 3),
                 "p.toml: --topology random:5 needs more than 5 islands, there are 4")):
            with self.subTest(text):
                self.write("p.toml", '[experiment]\npreset = "niching"\n' + text + "\n")
                self.fails("mine", "good.h5", "-o", "run", "--preset", "p.toml", *option,
                           status=65, says=says)
        self.fails("mine", "good.h5", "-o", "run", "--preset", "p.toml", "--islands", 5, status=64,
                   says="--topology random:5 needs more than 5 islands, there are 5")
        self.atoll("mine", "good.h5", "-o", "run", "--preset", "p.toml", "--islands", 6,
                   "--generations", 1)

    def test_grammars(self):
        self.dataset()
        for text, says in (("<rule> ::= <side> =>", "g.bnf:1"),
                           ("<rule> ::= <nothing> => <equal>\n", "g.bnf"),
                           ("<rule> ::= <equal(ghost)> => <equal>\n", "atoll: g.bnf:1:19: "),
                           ("<rule> ::= <equal(colour)> => <equal(colour)>\n",
                            "atoll: g.bnf: no rule can be derived"),
                           (b"<rule> ::= \xff => <equal>\n", "UTF-8")):
            with self.subTest(text):
                self.write("g.bnf", text)
                self.fails("mine", "good.h5", "-o", "run", "--grammar", "g.bnf", status=65,
                           says=says)
        self.fails("mine", "good.h5", "-o", "run", "--grammar", "none.bnf", status=66,
                   says="nor a built-in grammar")
        self.write("one.csv", "a\n" + "1\n2\n" * 9)
        self.fails("mine", "one.csv", "-o", "run", status=65, says="one.csv: one attribu"
                   "te only; a rule needs two (is the delimiter right? are the others constant?)")
        self.leaves_nothing("g.bnf", "one.csv", "good.h5", "table.csv")

    def test_nothing_to_find_is_no_error(self):
        _, err = self.atoll("mine", self.table(), "-o", "run", "--min-support", "90%",
                            "--generations", 2, "--population", 10)
        self.assertIn("no rule found: none of", err)
        self.assertEqual((self.folder / "run" / "rules.json").read_text().split(), ["[]"])
        self.atoll("rules", "run")

    def test_outputs_that_cannot_be_made(self):
        table = self.table()
        self.write("file", "")
        self.fails("mine", table, "-o", "file", status=73, says="file")
        self.fails("mine", table, "-o", "file/run", status=73, says="file/run")
        self.fails("import", table, "-o", "none/x.h5", status=73, says="none/x.h5")
        self.fails("import", table, "-o", "file", status=64, says="--force")
        folder = self.folder / "mine-not-yours"
        folder.mkdir()
        (folder / "precious").write_text("data")
        self.fails("mine", table, "-o", folder, "--force", status=64, says="neither empty nor a run")
        self.assertEqual((folder / "precious").read_text(), "data")

    def test_an_existing_run_is_kept_without_force(self):
        small = ["--generations", 2, "--population", 10]
        self.atoll("mine", self.table(), "-o", "run", *small)
        before = (self.folder / "run" / "config.toml").read_bytes()
        self.fails("mine", "table.csv", "-o", "run", *small, status=64, says="--force")
        self.assertEqual((self.folder / "run" / "config.toml").read_bytes(), before)
        self.atoll("mine", "table.csv", "-o", "run", *small, "--seed", 9, "--force")
        self.assertNotEqual((self.folder / "run" / "config.toml").read_bytes(), before)
        self.assertEqual([p for p in (self.folder / "run").iterdir() if p.name[0] == "."], [])

    def test_data_of_the_run_that_is_replaced_are_refused(self):
        small = ["--population", 8, "--generations", 1]
        self.atoll("mine", self.table(100), "-o", "run", *small)
        for data in ("run/data.h5", "run/../run/rules.csv"):
            self.fails("mine", data, "-o", "run", "--force", *small, status=64,
                       says="of the run to be replaced: mine into another folder")
        self.atoll("mine", "run/data.h5", "-o", "other", *small)
        self.atoll("rules", "run")

    def test_a_run_stays_whole_until_another_has_begun(self):
        small = ["--generations", 2, "--population", 10]
        self.atoll("mine", self.table(), "-o", "run", *small)

        def content():
            return {p: p.read_bytes() for p in sorted((self.folder / "run").rglob("*"))
                    if p.is_file()}

        before = content()
        self.write("ragged.csv", HEADER + "1,x\n")
        self.write("g.bnf", "<rule> ::= <equal(ghost)> => <equal>\n")
        for ranks in (0, 2) if MPIEXEC else (0,):
            for words, says in ((["ragged.csv"], "ragged.csv:2"),
                                (["table.csv", "--grammar", "g.bnf"], "ghost")):
                _, err = self.atoll("mine", *words, "-o", "run", "--force", status=65, ranks=ranks)
                self.assertIn(says, err)
                self.assertEqual(content(), before)
        for number in (signal.SIGTERM, signal.SIGKILL):
            process = self.start("mine", "-", "-o", "run", "--force", stdin=subprocess.PIPE)
            wait_for(lambda: (self.folder / "run" / ".former" / "config.toml").exists())
            wait_for(lambda: (self.folder / "run" / "log.jsonl").exists())
            self.fails("rules", "run", status=66, says="no rules yet")  # of the new one
            process.send_signal(number)
            process.communicate(timeout=PATIENCE)
            self.atoll("rules", "run")  # of the former one
            _, err = self.atoll("resume", "run")
            self.assertIn("ended before it had begun", err)
            self.assertIn("finished already", err)
            self.assertEqual({p for p in content() if p.name != "log.jsonl"},
                             {p for p in before if p.name != "log.jsonl"})
        self.assertEqual(digest(self.folder / "run"),
                         {p.name: hashlib.sha256(b).hexdigest() for p, b in before.items()
                          if p.name in RESULTS})

    @unittest.skipUnless(os.geteuid() == 0, "needs to mount a small tmpfs")
    def test_disk_full(self):
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small],
                          capture_output=True).returncode != 0:
            self.skipTest("may not mount a small tmpfs")
        self.addCleanup(subprocess.run, ["umount", small])
        table = self.table(50_000)
        self.fails("import", table, "-o", small / "x.h5", status=73, says="No space left")
        self.assertEqual(list(small.iterdir()), [])
        self.fails("mine", table, "-o", small / "run", status=73, says="No space left")
        self.assertEqual(list(small.iterdir()), [])

    def test_resume_of_something_else(self):
        data = self.dataset()
        self.atoll("mine", "good.h5", "-o", "run", "--generations", 1000000, "--patience", 0,
                   "--stop-after", "0.5s",
                   status=75)
        self.atoll("import", self.table(499), "-o", "good.h5", "--force")
        self.fails("resume", "run", status=65, says="other data")
        self.write("good.h5", data)
        config = self.folder / "run" / "config.toml"
        text = config.read_text()
        self.fails("resume", "run", "--backend", "cuda", status=69, says="cuda", env=NO_GPU)
        self.assertEqual(config.read_text(), text)
        config.write_text(text.replace("seed = 1", "seed = 2"))
        self.fails("resume", "run", status=65, says="[experiment] is not that of the checkpoints")
        config.write_text(text.replace('backend = "auto"', 'backend = "abacus"'))
        self.fails("resume", "run", status=64, says="--backend: 'abacus', expected auto, reference")
        config.write_text(text.replace("seed = 1", "sead = 1"))
        self.fails("resume", "run", status=65, says="key 'seed' is missing in [experiment]")
        config.write_text(text)
        for path in (self.folder / "run" / "checkpoints").iterdir():
            path.write_bytes(path.read_bytes()[:-100])
        self.fails("resume", "run", status=65, says="checkpoint")

    def test_more_threads_than_the_system_allows(self):
        self.atoll("import", self.table(), "-o", "t.h5")
        command = 'ulimit -v 4000000; exec "$@"'
        done = subprocess.run(["sh", "-c", command, "sh", ATOLL, "mine", "t.h5", "-o", "run",
                               "--threads", "4096"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertRegex(done.stderr, r"^atoll: cannot start 4096 threads: the system allows \d+\n$")

    def test_more_rules_than_there_is_memory_for(self):
        self.write("t.csv", "x,c\n" + "".join(f"{i % 997},{i % 7}\n" for i in range(12000)))
        command = 'ulimit -v 4000000; exec "$@"'
        done = subprocess.run(["sh", "-c", command, "sh", ATOLL, "classify", "train", "t.csv", "-o", "run",
                               "--class", "c", "--max-rules", "9000", "--threads", "1"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], r"^atoll: lists of up to 9000 rules take \d+ MiB of memory, "
                         r"and \d+ MiB are left: take fewer --max-rules$")


class FailingRanks(EndToEnd):
    def setUp(self):
        super().setUp()
        self.need_mpi()

    def mine_on(self, *commands):
        """One rank for each command, as one job; returns (status, stderr)."""
        words = [MPIEXEC, "--oversubscribe", "--bind-to", "none"]
        for i, command in enumerate(commands):
            words += ([":"] if i else []) + ["-n", "1", *command[:-1], ATOLL, *command[-1]]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        return done.returncode, done.stderr

    def test_all_fail_alike_and_say_it_once(self):
        self.write("bad.csv", "a,b\n1\n")
        _, err = self.atoll("mine", "bad.csv", "-o", "run", ranks=3, status=65)
        self.assertEqual(err.count("atoll: "), 1, err)
        self.fails_once(["mine", self.table(), "-o", "run", "--islands", 2], 64, "fewer than the 3")

    def fails_once(self, arguments, status, says):
        _, err = self.atoll(*arguments, ranks=3, status=status)
        self.assertEqual(err.count("atoll: "), 1, err)
        self.assertIn(says, err)

    def test_one_rank_fails_while_others_wait(self):
        self.table()
        good = ["mine", "table.csv", "-o", "run", "--generations", "1000000", "--patience", "0"]
        status, err = self.mine_on([good], [[*good, "--bogus"]])
        self.assertEqual(status, 64, err)
        self.assertIn("atoll: rank 1: unknown option --bogus", err)

    def test_one_rank_runs_out_of_memory_while_mining(self):
        self.atoll("import", self.table(), "-o", "t.h5")
        good = ["mine", "t.h5", "-o", "run", "--generations", "1000000", "--patience", "0", "--threads", "1",
                "--population", "400000", "--islands", "2"]
        limited = ["sh", "-c", 'ulimit -v 300000; exec "$@"', "sh", good]
        status, err = self.mine_on([good], limited)
        self.assertEqual(status, 74, err)
        self.assertIn("atoll: rank 1: out of memory", err)

    def test_one_rank_is_killed(self):
        process = self.start("mine", self.table(), "-o", "run", "--generations", 1000000, "--patience", 0, ranks=2,
                             start_new_session=True)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        ranks = [pid for pid in session_members(process.pid) if pid != process.pid]
        os.kill(ranks[-1], signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
