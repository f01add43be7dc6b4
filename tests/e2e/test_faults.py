"""Faults of the surroundings: pipes, files that are replaced or lost, killed jobs, full limits."""

import json
import os
import resource
import shutil
import subprocess
import threading
import unittest

from harness import ATOLL, PATIENCE, EndToEnd, wait_for


class Faults(EndToEnd):
    def rows(self, *arguments):
        return json.loads(self.atoll("info", "--json", *arguments)[0])["rows"]

    def begin_run(self, data):
        self.atoll("mine", data, "-o", "run", "--generations", 1000000, "--patience", 0, "--stop-after", "0.5s",
                   status=75)

    def contents(self, folder="run"):
        """Of every file but the log and the lock, which tell of each attempt."""
        return {str(p.relative_to(self.folder)): p.read_bytes()
                for p in sorted((self.folder / folder).rglob("*"))
                if p.is_file() and p.name not in ("log.jsonl", "lock")}

    def test_named_pipe_loses_no_row(self):
        text = self.table().read_bytes()
        os.mkfifo(self.folder / "pipe.csv")
        for command in (["mine", "pipe.csv", "-o", "run", "--generations", 2], ["info", "pipe.csv"]):
            writer = threading.Thread(target=(self.folder / "pipe.csv").write_bytes, args=(text,))
            writer.start()
            self.atoll(*command)
            writer.join()
        self.assertEqual(self.rows("run/data.h5"), 2000)

    def test_process_substitution_loses_no_row(self):
        self.table()
        for command in ("mine <(cat table.csv) -o run --generations 2",
                        "info --json <(cat table.csv)"):
            done = subprocess.run(["bash", "-c", f'"$0" {command}', ATOLL], cwd=self.folder,
                                  capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["rows"], 2000)
        self.assertEqual(self.rows("run/data.h5"), 2000)

    def test_wrong_data_leave_the_run_as_it_was(self):
        self.atoll("import", self.table(500), "-o", "good.h5")
        good = (self.folder / "good.h5").read_bytes()
        self.begin_run("good.h5")
        before = self.contents()
        self.write("good.h5", self.table(499).read_bytes())
        self.fails("resume", "run", status=65, says="other data")
        self.assertEqual(self.contents(), before)
        self.write("good.h5", good)
        self.atoll("resume", "run", "--stop-after", "0.1s", status=75)

    def test_lost_import_is_made_again(self):
        self.begin_run(self.table(500))
        data = (self.folder / "run" / "data.h5").read_bytes()
        (self.folder / "run" / "data.h5").unlink()
        self.atoll("resume", "run", "--stop-after", "0.1s", status=75)
        self.assertEqual((self.folder / "run" / "data.h5").read_bytes(), data)

    def test_lost_checkpoints_begin_the_run_again(self):
        self.begin_run(self.table(500))
        shutil.rmtree(self.folder / "run" / "checkpoints")
        self.atoll("resume", "run", "--stop-after", "0.1s", status=75)
        self.assertTrue(list((self.folder / "run" / "checkpoints").iterdir()))

    def test_a_limit_of_file_size_is_no_signal(self):
        limit = 64 * 1024
        for name in ("big.csv", "big.h5"):
            self.fails("generate", "poker", "--rows", 100_000, "-o", name, status=73,
                       says="File too large", preexec_fn=lambda: resource.setrlimit(
                           resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(list(self.folder.iterdir()), [])
        self.atoll("import", self.table(2000), "-o", "table.h5")
        limit = 8 * 1024
        self.fails("mine", "table.h5", "-o", "run", "--generations", 5, status=73,
                   says="File too large (ulimit -f)", preexec_fn=lambda: resource.setrlimit(
                       resource.RLIMIT_FSIZE, (limit, limit)))
        self.atoll("resume", "run")

    def test_killed_jobs_leave_one_remainder_at_most(self):
        for _ in range(3):
            process = self.start("generate", "poker", "--rows", 10**9, "-o", "poker.csv")
            wait_for(lambda: any(self.folder.iterdir()))
            process.kill()
            process.communicate()
        names = [p.name for p in self.folder.iterdir() if p.name != "poker.csv.checkpoint"]
        self.assertLessEqual(len(names), 1, names)
        self.atoll("generate", "poker", "--rows", 10, "-o", "poker.csv")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["poker.csv"])


if __name__ == "__main__":
    unittest.main()
