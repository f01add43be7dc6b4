"""What is no text table is recognised by its first block: one line says what it is, and nothing is
copied."""

import gzip
import json
import lzma
import os
import pathlib
import signal
import subprocess
import unittest
import zipfile

from harness import PATIENCE, EndToEnd, wait_for

ZIP = b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + 20 * b"\x01"
KINDS = {
    "HDF5": b"\x89HDF\r\n\x1a\n\x00\x00", "Parquet": b"PAR1\x15\x04\x15\x80", "Arrow": b"ARROW1\x00\x00\xff\xff",
    "Feather": b"FEA1\x00\x00", "ORC": b"ORC\x11\x00\x00", "Avro": b"Obj\x01\x04\x14avro", "NumPy": b"\x93NUMPY\x01\x00v",
    "Excel workbook": ZIP + b"[Content_Types].xml\x00", "zip archive": ZIP + b"a.npy\x00",
    "OpenDocument": ZIP + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet\x00",
    "(.xls)": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "SQLite": b"SQLite format 3\x00\x10",
    "lz4": b"\x04\x22\x4d\x18\x64",
    "7z archive": b"7z\xbc\xaf\x27\x1c\x00", "RAR archive": b"Rar!\x1a\x07\x01", "tar archive": b"a.csv" + 252 * b"\0" + b"ustar\0",
    "PDF": b"%PDF-1.4\n%\xe2\xe3\n", "Stata": b"<stata_dta><header>\x00", "SPSS": b"$FL2@(#)\x00", "file of R": b"X\n\0\0\0\3",
    "pickle": b"\x80\x04\x95\x1f", "a program": b"\x7fELF\x02\x01", "an image": b"\x89PNG\r\n\x1a\n",
}
# A writer that never ends by itself, and how much it has written when nobody reads any more.
ENDLESS = """
import os, sys
block, written = eval(sys.argv[1]), 0
try:
    while True:
        written += os.write(1, block)
except BrokenPipeError:
    print(written, file=sys.stderr)
"""


class ForeignInputs(EndToEnd):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        os.environ["TMPDIR"] = str(self.folder / "tmp")
        self.addCleanup(os.environ.pop, "TMPDIR")
        self.made = set()

    def refused(self, source, status, says, **more):
        """By every command that takes a table, and nothing is left."""
        before = {p for p in self.folder.rglob("*")}
        for command in (("import", source, "-o", "d.h5"), ("import", source, "--print-schema"), ("info", source),
                        ("mine", source, "-o", "new", "--generations", 1), ("enumerate", source, "-o", "o.json"),
                        ("rules", "run", "--on", source)):
            with self.subTest(command=command):
                self.fails(*command, status=status, says=says, **more)
        self.assertEqual({p for p in self.folder.rglob("*")}, before)

    def run_to_ask(self):
        self.table(200)
        self.atoll("mine", "table.csv", "-o", "run", "--generations", 2, "--population", 20)

    def test_files(self):
        self.run_to_ask()
        for says, start in KINDS.items():
            if says == "HDF5":
                continue  # is a dataset
            self.write("input", start + 1000 * b"\0\xff\x01a")
            with self.subTest(says):
                self.fails("import", "input", "-o", "d.h5", status=65, says=f"input: is ")
                self.fails("import", "input", "-o", "d.h5", status=65, says=says)
        self.refused("input", 65, "is an image, expected a text table")
        with zipfile.ZipFile(self.folder / "input", "w") as archive:
            archive.writestr("a.csv", "a,b\n1,2\n")
        self.refused("input", 65, "is a zip archive")

    def test_packed_files_and_pipes(self):
        for says, start in KINDS.items():
            content = start + 1000 * b"\0\xff\x01a"
            for name, packed in (("gz", gzip.compress(content)), ("xz", lzma.compress(content))):
                self.write("input", packed)
                with self.subTest(says, packed=name):
                    self.fails("import", "input", "-o", "d.h5", status=65, says=says)
            with self.subTest(says, pipe=True):
                done = subprocess.run([self.program, "import", "-", "-o", "d.h5"], cwd=self.folder,
                                      input=content, capture_output=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 65)
                self.assertIn(f"standard input: is ".encode(), done.stderr)
                self.assertIn(says.encode(), done.stderr)
        self.write("input", gzip.compress(lzma.compress(b"a,b\n1,2\n")))
        self.fails("info", "input", status=65, says="input: is compressed twice")

    def test_text_that_begins_like_another_format(self):
        for name in ("PAR1", "BZh1", "ORC", "FEA1", "GIF8", "$FL2", "Obj", "RDX3", "X"):
            self.write("t.csv", f"{name},größe\n" + "".join(f"{i % 7},{i % 3}\n" for i in range(50)))
            with self.subTest(name):
                out, _ = self.atoll("info", "t.csv", "--json")
                self.assertEqual(json.loads(out)["attributes"][0]["name"], name)

    def test_devices_and_folders(self):
        self.run_to_ask()
        for device in ("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null"):
            if os.path.exists(device):
                self.refused(device, 66, f"{device}: is a device, expected a file")
        (self.folder / "folder").mkdir()
        self.fails("import", "folder", "-o", "d.h5", status=66, says="folder: is a folder")
        self.fails("mine", "folder", "-o", "new", status=66, says="folder: is a folder")
        with open("/dev/zero", "rb") as zeros:
            self.refused("-", 65, r"standard input:1:1: found '\x00', expected UTF-8 text without NUL bytes", stdin=zeros)

    def endless(self, block, *command, status, says):
        """Of a writer without end: how many bytes it was let to write."""
        with subprocess.Popen(["python3", "-c", ENDLESS, block], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as writer:
            # Nobody else may hold the reading end.
            process = self.start(*command, stdin=writer.stdout)
            writer.stdout.close()
            out, err = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, out), (status, ""), err)
            self.assertIn(says, err.splitlines()[-1])
            self.assertEqual(err.count("atoll: "), 1, err)
            return int(writer.stderr.read())

    def test_streams_without_end_are_judged_by_their_first_block(self):
        for block, says in (("bytes(65536)", r":1:1: found '\x00'"), ("b'PAR1' + bytes(65536)", "is a Parquet file"),
                            (r"b'a,b\n' * 100 + b'\xff' * 65536", r":101:1: found '\xff'"),
                            ("__import__('gzip').compress(bytes(1 << 24))", r":1:1: found '\x00'")):
            for command in (("import", "-", "-o", "d.h5"), ("info", "-"), ("mine", "-", "-o", "r"),
                            ("import", "/dev/stdin", "--print-schema")):
                with self.subTest(block, command=command):
                    written = self.endless(block, *command, status=65, says=says)
                    self.assertLess(written, 1 << 21)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["tmp"])

    def test_named_pipes_are_read_like_others(self):
        content = self.table(500).read_bytes()
        expected, _ = self.atoll("info", "table.csv", "--json")
        os.mkfifo(self.folder / "pipe")
        process = self.start("info", "pipe", "--json")
        with open(self.folder / "pipe", "wb") as pipe:
            pipe.write(content)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(json.loads(out)["fingerprint"], json.loads(expected)["fingerprint"])
        out = subprocess.run(["bash", "-c", f"'{self.program}' info <(gzip -c table.csv) --json"], cwd=self.folder,
                             text=True, capture_output=True, timeout=PATIENCE, check=True).stdout
        self.assertEqual(json.loads(out)["fingerprint"], json.loads(expected)["fingerprint"])

    def test_a_named_pipe_without_a_writer_can_be_given_up(self):
        os.mkfifo(self.folder / "pipe")
        for command in (("info", "pipe"), ("mine", "pipe", "-o", "r"), ("import", "pipe", "-o", "d.h5")):
            with self.subTest(command=command):
                process = self.start(*command)
                # It sleeps in open().
                wait_for(lambda: "wait_for_partner" in pathlib.Path(f"/proc/{process.pid}/wchan").read_text()
                         or is_opening(process.pid))
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, -signal.SIGTERM)


def is_opening(pid):
    """Whether a process is in the system call openat."""
    try:
        return pathlib.Path(f"/proc/{pid}/syscall").read_text().split()[0] == "257"
    except (OSError, IndexError):
        return False


if __name__ == "__main__":
    unittest.main()
