"""What atoll says and writes: nothing that a terminal obeys, one line and the right status for each
thing that goes wrong, and no step whose time grows with the square of a text's length."""

import csv
import fcntl
import itertools
import json
import os
import pathlib
import pty
import re
import resource
import struct
import subprocess
import termios
import unittest

from harness import ROOT, EndToEnd

SMALL = ("--generations", "3", "--population", "10", "--threads", "1", "--seed", "1")
EVIL = "\x1b]0;x\x07\x7f\u009b31m\u202e\u2066\u200f\u2028\u2029\ufeff"
# C0 but for the line feed, DEL, C1, marks of direction, separators, byte order mark.
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e"
                    "\u2060-\u206f\ufeff\ufff9-\ufffb]")


class Words(EndToEnd):
    def small(self, name="t.csv", columns=("a", "b", "c"), labels=("x", "y")):
        """Rows where the second column follows from the first."""
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow(columns)
            for i in range(200):
                writer.writerow([labels[i % 2], labels[i % 2], str(i % 7)])
        return name

    def said(self, *arguments, statuses=(0,), **popen):
        """What it prints has nothing that a terminal obeys."""
        environment = {**os.environ, **popen.pop("environment", {})}
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              env=environment, **popen)
        self.assertIn(done.returncode, statuses, done)
        for stream in (done.stdout, done.stderr):
            found = OBEYED.search(stream.decode("utf-8"))
            self.assertIsNone(found, (arguments, stream))
        return done.stdout.decode(), done.stderr.decode()

    def one_line(self, *arguments, status, says="", preexec_fn=None, **popen):
        out, err = self.said(*arguments, statuses=(status,), preexec_fn=preexec_fn, **popen)
        errors = [l for l in err.splitlines() if l.startswith("atoll: ") and "warning" not in l]
        self.assertEqual(len(errors), 1, err)
        self.assertIn(says, errors[0])
        return errors[0]


class Tables(Words):
    def in_terminal(self, columns, *arguments):
        """Lines that it prints to a terminal, without what clears a line."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen([self.program, *map(str, arguments)], cwd=self.folder, stdout=its,
                              stderr=its) as job:
            os.close(its)
            text = b""
            try:
                while part := os.read(ours, 4096):
                    text += part
            except OSError:  # nobody writes any more
                pass
            os.close(ours)
        self.assertEqual(job.returncode, 0, text)
        return [line.rpartition("\r\x1b[K")[2] for line in text.decode().split("\r\n")]

    def test_help_fits_into_the_terminal(self):
        for arguments in (("--help",), ("mine", "--help"), ("submit", "--help")):
            whole = self.said(*arguments)[0]
            self.assertGreater(max(map(len, whole.splitlines())), 80)
            lines = self.in_terminal(80, *arguments)
            self.assertLessEqual(max(map(len, lines)), 80, lines)
            self.assertEqual("".join("".join(lines).split()), "".join(whole.split()))

    def test_tabs_stay_in_a_terminal(self):
        (self.folder / "baskets.dat").write_text("1 2\n1 2\n1\n")
        self.assertEqual(self.in_terminal(80, "itemsets", "baskets.dat", "--min-count", 2, "--count-only",
                                          "-o", "-")[:3],
                         ["length\tsets", "1\t2", "2\t1"])

    def test_rules_fit_into_the_terminal(self):
        self.small(columns=("quite_a_long_name", "another_long_name", "c"))
        self.said("mine", "t.csv", "-o", "run", *SMALL, "--min-support", "1%")
        for arguments in (("rules", "run"), ("info", "run"),
                          ("mine", "t.csv", "-o", "run", "--force", *SMALL, "--min-support", "1%")):
            for columns in (80, 100):
                lines = self.in_terminal(columns, *arguments)
                first = next(i for i, line in enumerate(lines) if line.startswith("id  rule"))
                table = list(itertools.takewhile(lambda line: re.match(" *[0-9]*  ", line),
                                                 lines[first + 1:]))
                self.assertGreater(len(table), 2, lines)
                if columns == 80:
                    self.assertTrue(any(line.startswith("    ") for line in table), table)
                for line in table:
                    self.assertLessEqual(len(line), columns)
                    self.assertEqual(line, line.rstrip())


    def test_lists_fit_into_the_terminal(self):
        self.small(columns=("quite_a_long_name", "another_long_name", "c"),
                   labels=("a label of many words", "another label of many words"))
        self.said("classify", "train", "t.csv", "-o", "run", "--class", "quite_a_long_name", *SMALL,
                  "--inner-folds", "0")
        text = self.said("classify", "rules", "run")[0].split("\n\n")[0]
        self.assertGreater(max(map(len, text.splitlines())), 60)
        shown = "\n".join(self.in_terminal(60, "classify", "rules", "run")).split("\n\n")[0]
        self.assertLessEqual(max(map(len, shown.splitlines())), 60)
        self.assertEqual(shown.split(), text.split())


class Escapes(Words):
    def test_names_and_labels(self):
        """Of attributes and values, wherever they are printed."""
        data = self.small(columns=(EVIL + "a", "b" + EVIL, "c"), labels=("x" + EVIL, "y\x1b[2J"))
        self.said("import", data, "-o", "t.h5")
        self.said("info", "t.h5")
        self.said("info", "t.h5", "--json")
        self.said("import", data, "--print-schema")
        self.said("mine", "t.h5", "-o", "run", *SMALL, "--min-support", "1%")
        for form in ("table", "csv", "json"):
            out, _ = self.said("rules", "run", "--format", form)
            self.assertIn("\\u009b", out)
            self.said("rules", "run", "--on", data, "--format", form)
        self.said("rules", "run", "--where", f'"{EVIL}q" in rule', statuses=(64,))
        self.said("mine", "t.h5", "-o", "aimed", *SMALL, "--target", f'"b{EVIL}"=*'.replace(
            "\u2028", "\u2028"), statuses=(0, 64, 65))
        self.said("info", "run")
        self.said("watch", "run")
        for name in ("rules.csv", "rules.json", "log.jsonl", "config.toml", "history.csv"):
            text = (self.folder / "run" / name).read_text(encoding="utf-8")
            self.assertIsNone(OBEYED.search(text), name)
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        names = {c["attribute"] for rule in rules for c in rule["antecedent"] + rule["consequent"]}
        self.assertIn(EVIL + "a", names)

    def test_names_of_files_options_and_keys(self):
        data = self.small()
        for arguments in (("info", EVIL), ("mine", EVIL), ("mine", data, EVIL, "-o", "x"),
                          ("mine", data, "--" + EVIL), (EVIL,), ("rules", EVIL),
                          ("mine", data, "-o", "r", "--grammar", EVIL),
                          ("mine", data, "-o", "r", "--preset", EVIL),
                          ("mine", data, "-o", "r", "--topology", EVIL),
                          ("mine", data, "-o", "r", "--target", EVIL),
                          ("mine", data, "-o", "r", "--max-bins", EVIL + "=3"),
                          ("mine", data, "-o", "r", "--config", EVIL),
                          ("submit", EVIL), ("watch", EVIL), ("resume", EVIL), ("collect", EVIL, "-o", "x"),
                          ("generate", EVIL, "-o", "x.csv"), ("bench", EVIL)):
            self.said(*arguments, statuses=(64, 65, 66))
        for content in (f"{EVIL} = 1\n", f'"{EVIL}" = 1\n'.replace("\x1b", "\\u001b").replace("\x07", ""),
                        'preset = "\\u001b[31m\\u009b"\n', 'grammar = "\\u001b\\u202e"\n'):
            self.write("c.toml", content)
            self.said("mine", data, "-o", "r", "--config", "c.toml", statuses=(64, 65, 66))
            self.said("mine", data, "-o", "r", "--preset", "c.toml", statuses=(64, 65, 66))
            self.said("submit", "c.toml", statuses=(64, 65, 66))
            self.said("import", data, "--schema", "c.toml", "-o", "x.h5", statuses=(64, 65, 66))
        self.write("g.bnf", f"<r> ::= <{EVIL}> => <equal>\n")
        self.said("mine", data, "-o", "r", "--grammar", "g.bnf", statuses=(65,))

    def test_arff(self):
        self.write("t.arff", f"@relation r\n@attribute 'a{EVIL}' {{'x{EVIL}',y}}\n@data\n'z{EVIL}'\n")
        self.said("import", "t.arff", "-o", "t.h5", statuses=(65,))

    def test_runs(self):
        """Names of runs, and what others may have put into their files."""
        data = self.small()
        name = "run" + EVIL
        out, err = self.said("mine", data, "-o", name, *SMALL)
        self.said("mine", data, "-o", "second", *SMALL[:-1], "2")
        self.said("collect", name, "second", "-o", "all")
        for form in ("table", "csv", "json"):
            self.said("collect", name, "second", "-o", "all", "--force", "--format", form)
            self.said("rules", "all", "--format", form)
        self.said("info", "all")
        self.said("info", name)
        self.said("watch", name)
        log = self.folder / name / "log.jsonl"
        lines = log.read_text().splitlines()
        start = json.loads(next(l for l in lines if '"start"' in l))
        start.update(host=EVIL + "\nfake", backend=EVIL)
        records = [start, {"event": "warning", "time": "now", "message": EVIL + "\natoll: fake"},
                   {"event": "end", "reason": EVIL + "\n", "generation": 3, "rules": 1}]
        log.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))
        out, _ = self.said("watch", name, statuses=(0, 75))
        self.assertNotIn("\nfake", out)
        self.assertNotIn("\natoll: fake", out)
        self.said("info", name)

    def test_lock_of_others(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL, environment={"SLURM_JOB_ID": "7\x1b[31m\u009b"})
        for name in ("log.jsonl", "lock"):
            path = self.folder / "run" / name
            if path.exists():
                self.assertIsNone(OBEYED.search(path.read_text(encoding="utf-8")), name)


class Spreadsheets(Words):
    def test_no_field_is_a_formula(self):
        data = self.small(columns=("+b", "@c", "=d"), labels=("-1+2", "=x"))
        self.said("mine", data, "-o", "run", *SMALL, "--min-support", "1%")
        out, _ = self.said("rules", "run", "--format", "csv", "--definitions", "--measures", "all")
        with open(self.folder / "run" / "rules.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        printed = list(csv.DictReader(out.splitlines()))
        self.assertEqual([row["rule"] for row in printed], [row["rule"] for row in rows])
        texts = [rule["rule"] for rule in json.loads((self.folder / "run" / "rules.json").read_text())]
        self.assertGreater(len(rows), 0)
        for row, text in zip(printed, texts):
            for field in row.values():
                self.assertTrue(not field or field[0] not in "=+-@\t\r" or float(field) is not None, field)
            self.assertTrue(row["rule"].startswith("'") or text[0] not in "=+-@", row)
            self.assertEqual(re.sub(r"^'('*[=+\-@\t\r])", r"\1", row["rule"]), text)


class Statuses(Words):
    def test_long_names(self):
        data = self.small()
        for length, status in ((300, 66), (5000, 66)):
            name = "n" * length if length < 4096 else "/".join(["n" * 200] * 25)
            for option in ("--preset", "--topology", "--grammar", "--config"):
                self.one_line("mine", data, "-o", "r", option, name, status=status)
            self.one_line("import", data, "-o", "x.h5", "--schema", name, status=status)
            for command in ("info", "rules", "watch", "resume", "submit"):
                self.one_line(command, name, status=status)
            self.one_line("mine", name, "-o", "r", *SMALL, status=status)
            self.one_line("import", name, "-o", "x.h5", status=status)
            self.one_line("mine", data, "-o", name, *SMALL, status=73)
            self.one_line("import", data, "-o", name, status=73)
            self.write("s.toml", f'data = "{data}"\nrun = "r"\n[job]\ncontainer = "{name}"\n')
            self.one_line("submit", "s.toml", "--dry-run", status=66)
        for command in ("submit", "info", "watch", "resume", "rules"):
            self.one_line(command, "", status=66)

    def test_limit_of_file_size(self):
        """ulimit -f"""
        data = self.small()
        self.said("generate", "poker", "--rows", "20000", "-o", "big.csv", statuses=(0, 64))
        for kilobytes in (0, 4, 64):
            def limited():
                resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))
            for arguments in (("import", "big.csv", "-o", "big.h5"), ("generate", "poker", "-o", "p.csv"),
                              ("generate", "poker", "-o", "p.h5"), ("mine", data, "-o", f"r{kilobytes}", *SMALL),
                              ("import", data, "-o", "small.h5")):
                _, err = self.said(*arguments, statuses=(0, 73, 74), preexec_fn=limited)
                self.assertNotIn("internal", err)

    def test_few_file_handles(self):
        data = self.small()
        for most in range(4, 24):
            def limited():
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            for arguments in (("import", data, "-o", "x.h5"), ("mine", data, "-o", f"r{most}", *SMALL),
                              ("info", data)):
                done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True,
                                      text=True, preexec_fn=limited)
                if done.returncode in (127, -6):
                    continue  # not even started
                self.assertIn(done.returncode, (0, 64, 66, 73, 74), (most, arguments, done))
                if done.returncode not in (0, 64):
                    self.assertRegex(done.stderr, "Too many open files|fopen failed", (most, arguments))

    @unittest.skipUnless(os.geteuid() == 0, "limits on threads do not hold for root, who becomes another")
    def test_what_the_system_lacks_is_no_damage(self):
        """A checkpoint that cannot be looked into for want of handles or processes is as good as before."""
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        before = (self.folder / "run" / "rules.json").read_bytes()
        statuses = set()
        for limit in range(4, 40):
            done = subprocess.run(
                [self.program, "resume", "run", "--threads", "1"], cwd=self.folder, text=True,
                capture_output=True,
                preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
            if done.returncode == 127:
                continue  # the loader
            statuses.add(done.returncode)
            self.assertIn(done.returncode, (0, 66, 73, 74), done)
            self.assertNotIn("damaged", done.stderr)
            self.assertNotIn("begin again", done.stderr)
        self.assertGreaterEqual(statuses, {0, 74})
        self.assertEqual((self.folder / "run" / "rules.json").read_bytes(), before)

    def test_no_threads(self):
        data = self.small()
        os.chmod(self.folder, 0o777)
        for most in (1, 2, 3):
            def limited():
                os.setgroups([])
                os.setgid(64123)
                resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
                os.setuid(64123)
            _, err = self.said("mine", data, "-o", f"r{most}", "--generations", "2", "--threads", "8",
                               statuses=(0, 74), preexec_fn=limited)
            self.assertNotIn("internal", err)

    def test_memory(self):
        data = self.small()
        for megabytes in (60, 100, 150, 200):
            def limited():
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            done = subprocess.run([self.program, "import", data, "-o", "x.h5", "--force"],
                                  cwd=self.folder, capture_output=True, text=True, preexec_fn=limited)
            if done.returncode == 127:
                continue  # the loader
            self.assertIn(done.returncode, (0, 73, 74), done)

    def test_checkpoints_of_another_experiment(self):
        """The one before is taken; if there is none, it is said."""
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        self.said("mine", data, "-o", "other", "--generations", "5", *SMALL[2:-1], "9")
        before = (self.folder / "run" / "rules.json").read_bytes()
        own = sorted((self.folder / "run" / "checkpoints").glob("checkpoint-*"))
        foreign = sorted((self.folder / "other" / "checkpoints").glob("checkpoint-*"))[-1]
        planted = self.folder / "run" / "checkpoints" / foreign.name
        self.assertNotIn(planted, own)
        planted.write_bytes(foreign.read_bytes())
        _, err = self.said("resume", "run")
        self.assertIn("it is of another experiment or other data; the checkpoint before it is taken", err)
        self.assertEqual((self.folder / "run" / "rules.json").read_bytes(), before)
        planted.write_bytes(foreign.read_bytes())
        (self.folder / "run" / "data.h5").unlink()  # and is imported again
        self.said("resume", "run")
        self.assertEqual((self.folder / "run" / "rules.json").read_bytes(), before)
        planted.write_bytes(foreign.read_bytes())
        out, _ = self.said("info", "run")
        self.assertNotIn("refuse", out)
        self.said("collect", "run", "-o", "all")
        for path in (self.folder / "run" / "checkpoints").iterdir():
            path.unlink()
        planted.write_bytes(foreign.read_bytes())
        self.one_line("resume", "run", status=65, says="is not that of the checkpoints")

    def test_faulty_input(self):
        """EIO and EPIPE on input, EPIPE on output."""
        done = subprocess.run(f"{self.program} rules --help | true", shell=True, cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.one_line("import", "/proc/self/mem", "-o", "x.h5", status=74, says="Input/output error")


class LineEnds(Words):
    def test_odd_ones_are_errors(self):
        for end in ("\r\r\n", "\n\r", "\r"):
            if end != "\r":  # tables with these are read (test_encodings.py)
                self.write_exactly("t.csv", end.join(["a,b", "1,2", "3,4", ""]))
                self.one_line("import", "t.csv", "-o", "t.h5", status=65, says="line ends of LF or CR LF")
                self.write_exactly("t.arff", end.join(
                    ["@relation r", "@attribute a numeric", "@data", "1", ""]))
                self.one_line("import", "t.arff", "-o", "t.h5", status=65, says="line ends of LF or CR LF")
            data = self.small()
            self.write_exactly("c.toml", end.join(["seed = 1", "islands = 2", ""]))
            if end != "\r\r\n":
                self.one_line("mine", data, "-o", "r", "--config", "c.toml", status=65)
            self.write_exactly("g.bnf", end.join(["# one", "<r> ::= <equal> => <equal>", ""]))
            self.one_line("mine", data, "-o", "r", "--grammar", "g.bnf", status=65,
                          says="line ends of LF or CR LF")

    def write_exactly(self, name, text):
        (self.folder / name).write_bytes(text.encode())


class Sizes(Words):
    """The times would be minutes, or the stack would end, if these were taken as they come."""

    def test_long_grammars(self):
        data = self.small()
        self.write("g.bnf", "<r> ::= <s0> => <equal>\n" + "".join(
            f"<s{i}> ::= <s{i + 1}>\n" for i in range(100000)) + "<s100000> ::= <equal>\n")
        self.one_line("mine", data, "-o", "r", *SMALL, "--grammar", "g.bnf", status=65, says="at most 10000")
        self.write("g.bnf", "<r> ::= <s0> => <equal>\n" + "".join(
            f"<s{i}> ::= <s{i + 1}>\n" for i in range(9000)) + "<s9000> ::= <equal>\n")
        self.said("mine", data, "-o", "r", *SMALL, "--grammar", "g.bnf")
        # Every symbol has many children.
        self.write("g.bnf", "<r> ::= <s0> => <equal>\n" + "".join(
            f"<s{i}> ::= " + " | ".join(f"<s{i + k + 1}>" for k in range(40)) + "\n" for i in range(9000)) +
            "".join(f"<s{i}> ::= <equal>\n" for i in range(9000, 9040)))
        self.said("mine", data, "-o", "wide", *SMALL, "--grammar", "g.bnf")
        self.write("g.bnf", "<r> ::= <equal> => " + "(" * 1000000)
        self.one_line("mine", data, "-o", "r2", "--grammar", "g.bnf", status=65, says="at most 200")

    def test_long_productions_with_required_attributes(self):
        for parts in (29, 98):
            self.write("long.bnf", "<r> ::= " + "<equal> AND " * parts + "<equal> => <equal>\n")
            self.fails("mine", ROOT / "tests/golden/table.csv", "-o", "run", "--grammar", "long.bnf",
                       "--require", "a,b,c,shape", "--max-length", 100, status=64, says="too large with --require")

    def test_many_columns_of_one_name(self):
        columns = 100_000
        self.write("same.csv", ",".join(["a"] * columns) + "\n" + ",".join("1" * columns) + "\n" +
                   ",".join("2" * columns) + "\n")
        self.atoll("import", "same.csv", "-o", "same.h5")

    def test_long_labels_and_names(self):
        rows = "".join(f"{i % 3},{'ab'[i % 2] * 70_000}\n" for i in range(40))
        self.write("labels.csv", "x,y\n" + rows)
        self.fails("import", "labels.csv", "-o", "out.h5", status=65,
                   says="column 2 has a label of 70000 bytes, at most 65536")
        self.atoll("import", "labels.csv", "-o", "out.h5", "--ignore", "y")
        self.write("names.csv", "x" * 70_000 + ",y\n1,2\n3,4\n")
        self.fails("import", "names.csv", "-o", "names.h5", status=65,
                   says="column 1 has a name of 70000 bytes, at most 65536")
        rows = "".join(f"{i % 3},{'abc'[i % 3] * 60_000}\n" for i in range(400))
        self.write("longer.csv", "x,y\n" + rows)
        _, err = self.atoll("mine", "longer.csv", "-o", "run", "--generations", 1)
        self.assertLess(len(err), 50_000)

    def test_long_filters(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        self.write("w.toml", 'where = "%s"' % " and ".join(["lift > 0"] * 100000))
        self.said("rules", "run", "--config", "w.toml")
        for deep in ("(" * 100000, "not " * 100000):
            self.write("w.toml", f'where = "{deep}lift > 0"')
            self.one_line("rules", "run", "--config", "w.toml", status=64, says="fewer levels")

    def test_deep_toml(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        dots = "a" + ".a" * 1000000
        for text in (f"{dots} = 1\n", f"[{dots}]\n", "a = " + "[" * 1000000, "a = " + "{a=" * 1000000):
            self.write("c.toml", text)
            for arguments in (("mine", data, "-o", "r", "--config", "c.toml"),
                              ("mine", data, "-o", "r", "--preset", "c.toml"),
                              ("import", data, "-o", "x.h5", "--schema", "c.toml"),
                              ("submit", "c.toml")):
                self.one_line(*arguments, status=65, says="at most 32 levels")
            config = self.folder / "run" / "config.toml"
            config.write_text(text + "\n[experiment]\n[machine]\n")
            for command in ("info", "rules", "watch", "resume"):
                self.one_line(command, "run", status=65, says="at most 32 levels")

    def test_large_texts(self):
        data = self.small()
        with open(self.folder / "c.toml", "wb") as file:
            file.truncate(1 << 40)
        for arguments in (("mine", data, "-o", "r", "--config", "c.toml"),
                          ("mine", data, "-o", "r", "--preset", "c.toml"),
                          ("mine", data, "-o", "r", "--grammar", "c.toml"),
                          ("mine", data, "-o", "r", "--topology", "c.toml"),
                          ("import", data, "-o", "x.h5", "--schema", "c.toml"), ("submit", "c.toml")):
            self.one_line(*arguments, status=65, says="expected at most 64")
        self.said("mine", data, "-o", "run", *SMALL)
        with open(self.folder / "run" / "config.toml", "wb") as file:
            file.truncate(1 << 40)
        for command in (("info", "run"), ("rules", "run"), ("watch", "run"), ("resume", "run"),
                        ("mine", data, "-o", "run"), ("collect", "run", "-o", "all")):
            self.one_line(*command, status=65, says="expected at most 64")

    def test_deep_lines_of_a_log(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        log = self.folder / "run" / "log.jsonl"
        deep = '{"event":"%s","x":' + "[" * 450000 + "]" * 450000 + "}\n"
        log.write_text(deep % "progress" + log.read_text() + deep % "progress" + deep % "start")
        self.said("watch", "run", statuses=(0, 75))
        self.said("info", "run")

    def test_json(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        rules = self.folder / "run" / "rules.json"
        good = rules.read_text()
        for text in ("[" * 10000000, '[{"a":' * 100000, "[1e999]", "[{}]", "[", "7", good[:-5],
                     good + "\0[]", good.replace('"id"', '"id": 1, "id"', 1), good.replace('"n": 200', '"n": "x"', 1)):
            rules.write_text(text)
            line = self.one_line("rules", "run", status=65, says="rules.json")
            self.assertNotIn("json.exception", line)
        rules.unlink()
        rules.mkdir()
        self.one_line("rules", "run", status=66, says="is a folder")

    def test_watch_reads_the_last_job_of_a_long_log(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        log = self.folder / "run" / "log.jsonl"
        lines = log.read_text().splitlines(keepends=True)
        progress = json.dumps({"event": "progress", "generation": 1, "padding": "x" * 1000}) + "\n"
        with open(log, "w") as file:
            file.write(lines[0] + progress * 300000)
            file.write('{"event": "warning", "message": "' + "y" * (1 << 27) + '"}\n')
            file.writelines(lines)

        def limited():
            resource.setrlimit(resource.RLIMIT_DATA, (150 << 20, 150 << 20))
        out, _ = self.said("watch", "run", preexec_fn=limited)
        self.assertIn("finished", out)
        self.said("info", "run", preexec_fn=limited)


class Told(Words):
    def test_what_is_given_twice(self):
        data = self.small()
        self.one_line("mine", data, "-o", "r", "--max-bins", "c=5,c=6", status=64, says="'c' is given twice")
        self.one_line("mine", data, "-o", "r", "--max-bins", "5,6", status=64, says="twice")

    def test_pipes_where_files_are_expected(self):
        data = self.small()
        os.mkfifo(self.folder / "pipe")
        for option in ("--grammar", "--preset", "--topology", "--config"):
            self.one_line("mine", data, "-o", "r", option, "pipe", status=66, says="not a regular file")

    def test_a_pipe_that_was_read_is_not_waited_for_again(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        config = self.folder / "run" / "config.toml"
        os.mkfifo(self.folder / "pipe")
        text = re.sub(r'(?m)^data = .*$', f'data = "{self.folder}/pipe"', config.read_text())
        config.write_text(text)
        (self.folder / "run" / "data.h5").unlink()
        self.one_line("resume", "run", status=66, says="cannot be read again")

    def test_a_folder_whose_name_is_not_utf8(self):
        folder = os.fsencode(self.folder) + b"/caf\xe9"
        os.mkdir(folder)
        with open(folder + b"/t.csv", "w") as file:
            file.write("a,b\n1,x\n2,y\n")
        done = subprocess.run([self.program, "mine", "t.csv", "-o", "r"], cwd=folder, capture_output=True)
        self.assertEqual(done.returncode, 64, done)
        self.assertIn(b"is not UTF-8", done.stderr)

    def test_other_data_are_named(self):
        data = self.small()
        self.said("mine", data, "-o", "run", *SMALL)
        for name, content in (("bad.csv", "a,b,c\n1\n"), ("no.csv", None)):
            if content:
                self.write(name, content)
            self.one_line("rules", "run", "--on", name, status=65 if content else 66, says=name)


if __name__ == "__main__":
    unittest.main()
