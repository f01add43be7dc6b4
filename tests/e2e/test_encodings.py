"""Texts in other encodings, with other line ends and in other packings: read alike, or refused in one
line that says what they may be."""

import bz2
import json
import unittest

from harness import EndToEnd

ROWS = [("Åsa", "Malmö"), ("Zoë", "Köln"), ("Åsa", "Köln"), ("José", "Malmö")] * 5
TABLE = "name,city,n\n" + "".join(f"{a},{b},{i % 7}\n" for i, (a, b) in enumerate(ROWS))
# Of "a,b\n1,2\n3,4\n" by the program zstd, with its checksum.
ZSTD = bytes.fromhex("28b52ffd0458610000612c620a312c320a332c340ae1b3cb2e")


class Encodings(EndToEnd):
    def fingerprint(self, *arguments):
        self.atoll("import", *arguments, "-o", "d.h5", "--force")
        return json.loads(self.atoll("info", "d.h5", "--json")[0])["fingerprint"]

    def setUp(self):
        super().setUp()
        self.write("utf8.csv", TABLE)
        self.expected = self.fingerprint("utf8.csv")

    def test_marks_are_obeyed(self):
        for encoding in ("utf-8-sig", "utf-16", "utf-32"):
            self.write("t.csv", TABLE.encode(encoding))
            self.assertEqual(self.fingerprint("t.csv"), self.expected, encoding)
        self.write("t.csv", ("\ufeff" + TABLE).encode("utf-16-be"))
        self.assertEqual(self.fingerprint("t.csv"), self.expected)
        # As a spreadsheet writes "Unicode text", and through a pipe.
        self.write("t.txt", TABLE.replace(",", "\t").replace("\n", "\r\n").encode("utf-16"))
        self.assertEqual(self.fingerprint("t.txt"), self.expected)
        with open(self.folder / "t.txt", "rb") as text:
            self.assertEqual(self.piped(text), self.expected)

    def piped(self, text, *more):
        self.atoll("import", "-", "-o", "d.h5", "--force", *more, stdin=text)
        return json.loads(self.atoll("info", "d.h5", "--json")[0])["fingerprint"]

    def test_named_ones(self):
        for encoding, name in (("latin1", "latin1"), ("cp1252", "windows-1252"), ("mac_roman", "macintosh"),
                               ("cp850", "cp850"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16"),
                               ("utf-8", "utf-8")):
            self.write("t.csv", TABLE.encode(encoding))
            with self.subTest(name):
                self.assertEqual(self.fingerprint("t.csv", "--encoding", name), self.expected)
        self.write("t.csv", TABLE.encode("latin1"))
        with open(self.folder / "t.csv", "rb") as text:
            self.assertEqual(self.piped(text, "--encoding", "latin1"), self.expected)
        self.write("one.csv", TABLE.encode("latin1"))
        both = self.fingerprint("one.csv", "t.csv", "--encoding", "latin1")
        self.assertEqual(both, self.fingerprint("utf8.csv", "utf8.csv"))
        self.fails("import", "t.csv", "-o", "x.h5", "--encoding", "no-such", status=64,
                   says="--encoding: 'no-such' is not known here; latin1, cp1252,")
        self.write("t.csv", "a,b\nx,1\ny\x80,2\n".encode("latin1") + b"\x81,3\n")
        self.fails("import", "t.csv", "-o", "x.h5", "--encoding", "cp1252", status=65,
                   says=r"t.csv:4:1: found '\x81,3\x0a', expected text in cp1252, as --encoding says")

    def test_what_is_not_utf8_is_refused_with_its_line_and_likely_encoding(self):
        says = "2:{}: found '\\xe9', expected UTF-8 text; it is likely cp1252 (Western European), which --encoding cp1252 reads"
        for name, content, column, command in (
                ("t.csv", b"a,b\ncaf\xe9,1\n", 1, ("import", "t.csv", "-o", "x.h5")),
                ("t.arff", b"@relation r\n@attribute a {caf\xe9,x}\n@data\nx\n", 18, ("import", "t.arff", "-o", "x.h5")),
                ("t.txt", b"milk bread\ncaf\xe9 milk\nbread\n", 4,
                 ("itemsets", "t.txt", "--format", "baskets", "--min-support", "1rows", "-o", "x.txt")),
                ("t.dat", b"1 2\n3 caf\xe9\n", 6, ("itemsets", "t.dat", "--min-support", "1rows", "-o", "x.txt"))):
            self.write(name, content)
            with self.subTest(name):
                self.fails(*command, status=65, says=f"{name}:{says.format(column)}")
                with open(self.folder / name, "rb") as text:
                    piped = ["-" if part == name else part for part in command]
                    if name == "t.dat":
                        piped += ["--format", "fimi"]
                    self.fails(*piped, status=65, says=f"standard input:{says.format(column)}", stdin=text)
        self.write("t.csv", TABLE.encode("utf-16-le"))
        self.fails("import", "t.csv", "-o", "x.h5", status=65,
                   says="it is likely UTF-16LE without a byte order mark, which --encoding utf-16le reads")
        self.assertFalse((self.folder / "x.h5").exists())

    def test_lines_that_end_in_carriage_returns_alone(self):
        self.write("t.csv", TABLE.replace("\n", "\r"))
        _, err = self.atoll("import", "t.csv", "-o", "d.h5", "--force")
        self.assertIn("t.csv: lines end in carriage returns alone (CR), read as lines\n", err)
        self.assertEqual(json.loads(self.atoll("info", "d.h5", "--json")[0])["fingerprint"], self.expected)
        self.write("t.arff", "@relation r\r@attribute a numeric\r@attribute b {x,y}\r@data\r1,x\r2,y\r")
        self.assertIn("2 rows", self.atoll("import", "t.arff", "-o", "e.h5")[1])
        self.write("t.dat", "1 2\r2 3\r1 2 3\r")
        out, _ = self.atoll("itemsets", "t.dat", "--min-support", "2rows", "-o", "-")
        self.assertEqual(sorted(out.splitlines()), ["1 (2)", "1 2 (2)", "2 (3)", "3 (2)", "3 2 (2)"])

    def test_packings(self):
        self.write("t.csv.bz2", bz2.compress(TABLE[:200].encode()) + bz2.compress(TABLE[200:].encode()))
        self.assertEqual(self.fingerprint("t.csv.bz2"), self.expected)
        self.write("t.csv.bz2", bz2.compress(TABLE.encode())[:-20])
        self.fails("import", "t.csv.bz2", "-o", "x.h5", status=65, says="bzip2 data ends early, the file is truncated")
        self.write("u.csv", "a,b\n1,2\n3,4\n")
        self.write("u.csv.zst", ZSTD)
        self.assertEqual(self.fingerprint("u.csv.zst"), self.fingerprint("u.csv"))
        self.write("u.csv.zst", ZSTD[:-3])
        self.fails("import", "u.csv.zst", "-o", "x.h5", status=65, says="zstd data ends early, the file is truncated")
        self.write("t.dat.bz2", bz2.compress(b"1 2\n2 3\n"))
        self.assertIn("2 transactions", self.atoll("import", "t.dat.bz2", "-o", "t.h5")[1])

    def test_what_is_no_table(self):
        for name, content, says in (
                ("f.ndjson", '{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n', "is JSON lines, expected a text table; in pandas: "
                 "pd.read_json(FILE, lines=True).to_csv('data.csv', index=False)"),
                ("f.json", '[{"a": 1},\n {"a": 2}]\n', "is JSON, expected a text table; in pandas: pd.read_json(FILE)"),
                ("f.html", "<html>\n<table><tr><td>1\n", "is an HTML page"),
                ("f.xml", "<?xml version='1.0'?>\n<d/>\n", "is XML")):
            self.write(name, content)
            for command in (("import", name, "-o", "x.h5"), ("mine", name, "-o", "x"), ("info", name)):
                with self.subTest(command):
                    self.fails(*command, status=65, says=f"{name}: {says}")
        self.assertFalse((self.folder / "x").exists())
        self.write("t.csv", "{,y\n{,1\n[,2\n{,3\n")
        self.atoll("import", "t.csv", "-o", "x.h5")


if __name__ == "__main__":
    unittest.main()
