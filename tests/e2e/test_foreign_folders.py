"""Runs in folders that others can write to: what they put in place of a run's files, and a run that is
taken away from its job."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from harness import ATOLL, MPIEXEC, PATIENCE, EndToEnd, digest, kill_session, log, wait_for
from test_golden import EXPERIMENTS, TABLE, pinned

LONG = ["--generations", 1000000, "--patience", 0, "--population", 24, "--min-support", "5%", "--threads", 1]
FILES = ["lock", "config.toml", "log.jsonl", "rules.csv", "rules.json", "history.csv", "data.h5",
         "runs.json", "stop", "checkpoints/checkpoint-0000000012.h5"]
FOLDERS = ["checkpoints", ".former", ".replaced"]
STRANGER = 65534


def tree(folder):
    """All there is below the folder."""
    return {path.relative_to(folder): (os.readlink(path) if path.is_symlink() else
                                       path.read_bytes() if path.is_file() else None)
            for path in folder.rglob("*")}


class Planted(EndToEnd):
    def setUp(self):
        super().setUp()
        self.atoll("mine", TABLE, "-o", "run", *EXPERIMENTS["niching"])
        self.run_folder = self.folder / "run"
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()
        shutil.copytree(self.run_folder, self.elsewhere / "another")
        self.write("elsewhere/file", "a letter, the last line of which does not end")
        self.before = tree(self.elsewhere)

    WRITERS = (["resume", "run"], ["mine", TABLE, "-o", "run", "--force"],
               ["collect", "elsewhere/another", "-o", "run", "--force"])
    READERS = (["info", "run"], ["rules", "run"], ["watch", "run"],
               ["collect", "run", "-o", "all"])

    @contextlib.contextmanager
    def planted(self, name):
        """In place of the entry, which comes back."""
        path, kept = self.run_folder / name, self.folder / "kept"
        if path.exists():
            path.rename(kept)
        try:
            with self.subTest(name):
                yield path
            self.assertEqual(tree(self.elsewhere), self.before)
            self.assertFalse((self.folder / "nowhere").exists())
        finally:
            path.unlink()
            if kept.exists():
                kept.rename(path)

    def refused(self, name, says):
        for words in self.WRITERS:
            self.fails(*words, status=73, says=f"atoll: run/{name}: {says}")
        for words in self.READERS:
            self.fails(*words, status=66, says=f"atoll: run/{name}: {says}")

    def test_links_in_place_of_files(self):
        for name in FILES:
            for target in (self.elsewhere / "file", self.folder / "nowhere"):
                with self.planted(name) as path:
                    path.symlink_to(target)
                    self.refused(name, "is a symbolic link, expected a file")
        self.still_whole()

    def test_links_in_place_of_folders(self):
        for name in FOLDERS:
            with self.planted(name) as path:
                path.symlink_to(self.elsewhere / "another")
                self.refused(name, "is a symbolic link, expected a folder")
        self.still_whole()

    def test_pipes_are_not_waited_for(self):
        for name in FILES:
            with self.planted(name) as path:
                os.mkfifo(path)
                self.refused(name, "is a named pipe, expected a file")
        self.still_whole()

    def test_on_ranks(self):
        self.need_mpi()
        for name in ("lock", "log.jsonl", ".former"):
            with self.planted(name) as path:
                os.mkfifo(path)
                for words in self.WRITERS[:2]:
                    _, err = self.atoll(*words, ranks=4, status=73)
                    said = [line for line in err.splitlines() if line.startswith("atoll: ")]
                    self.assertEqual(len(said), 1, err)
                    self.assertIn(f"atoll: run/{name}: is a named pipe, expected a f", said[0])
        self.still_whole()

    def still_whole(self):
        self.atoll("resume", "run")
        self.assertEqual(digest(self.run_folder), pinned("niching"))

    def test_a_lock_or_log_that_is_none_is_left_as_it_is(self):
        for name, says in (("lock", "is no lock of atoll"), ("log.jsonl", "is no log of atoll")):
            with self.planted(name) as path:
                path.write_text("a letter")
                self.fails("resume", "run", status=73, says=f"atoll: run/{name}: {says}")
                self.assertEqual(path.read_text(), "a letter")
            with self.planted(name) as path:
                os.link(self.elsewhere / "file", path)
                self.fails("resume", "run", status=73,
                           says=f"atoll: run/{name}: has another name elsewhere (a hard link)")
        self.still_whole()

    def test_what_is_another_users_is_refused_and_read(self):
        if os.geteuid() != 0:
            self.skipTest("no right to give files away")
        rules, _ = self.atoll("rules", "run")
        for name in ("lock", "log.jsonl", "rules.csv", "config.toml", "checkpoints",
                     "checkpoints/checkpoint-0000000012.h5"):
            with self.subTest(name):
                path = self.run_folder / name
                os.chown(path, STRANGER, STRANGER)
                for words in self.WRITERS:
                    self.fails(*words, status=73, says=f"atoll: run/{name}: belongs to another user")
                self.atoll("info", "run")
                self.assertEqual(self.atoll("rules", "run")[0], rules)
                self.atoll("watch", "run")
                os.chown(path, 0, 0)
        self.still_whole()

    def test_another_users_run_is_refused_to_a_user_and_open_to_root(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("no right to become another user")
        for path in (self.run_folder, *self.run_folder.rglob("*")):
            os.chown(path, STRANGER, STRANGER)
        self.still_whole()  # by root
        user = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
        self.folder.chmod(0o755)

        def as_user(*words):
            done = subprocess.run([*user, ATOLL, *map(str, words)], cwd=self.folder, text=True,
                                  timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            return done.returncode, done.stderr
        if as_user("--version")[0] != 0:
            self.skipTest("the program is out of another user's reach")
        self.assertEqual(as_user("info", "run")[0], 0)
        # What root has written is no stranger's.
        status, err = as_user("resume", "run")
        self.assertEqual(status, 0, err)
        self.assertEqual(digest(self.run_folder), pinned("niching"))
        # In a folder that both may write to, a third one's file.
        self.run_folder.chmod(0o777)
        os.chown(self.run_folder / "rules.csv", 65533, 65533)
        status, err = as_user("resume", "run")
        self.assertEqual(status, 73)
        self.assertIn("atoll: run/rules.csv: belongs to another user (uid 65533)", err)

    def test_data_that_another_user_has_named_are_never_read(self):
        """Not in the second job either, when config.toml is this user's own."""
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("no right to become another user")
        user = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups"]
        self.folder.chmod(0o755)
        secret = self.folder / "secret"
        secret.mkdir(mode=0o700)
        (secret / "table.csv").write_bytes(TABLE.read_bytes())
        self.atoll("import", TABLE, "-o", "secret/other.h5", "--ignore", "shape")
        self.atoll("import", TABLE, "-o", "own.h5")
        for path in (secret, *secret.iterdir()):
            os.chown(path, 12345, 12345)

        def resume():
            done = subprocess.run([*user, ATOLL, "resume", "theirs"], cwd=self.folder, text=True,
                                  timeout=PATIENCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            return done.returncode, done.stderr.splitlines()[-1]

        def planted(data, **keep):
            shutil.rmtree(self.folder / "theirs", ignore_errors=True)
            self.atoll("mine", "own.h5" if data.endswith("h5") else TABLE, "-o", "theirs",
                       "--generations", 2, "--population", 10)
            config = self.folder / "theirs" / "config.toml"
            text = config.read_text()
            begin = text.index("data = ")
            config.write_text(f'{text[:begin]}data = "{data}"\n')
            for path in (self.folder / "theirs", *(self.folder / "theirs").rglob("*")):
                os.chown(path, STRANGER, STRANGER)
                path.chmod(0o777 if path.is_dir() else 0o666)

        def take_away(*names):
            for name in names:
                for path in (self.folder / "theirs").glob(name):
                    path.unlink()

        if subprocess.run([*user, ATOLL, "--version"], cwd=self.folder, timeout=PATIENCE,
                          capture_output=True).returncode != 0:
            self.skipTest("the program is out of another user's reach")
        # A dataset file of other data; then without the checkpoints that show it.
        planted(str(secret / "other.h5"))
        status, said = resume()
        self.assertEqual(status, 65, said)
        take_away("checkpoints/*")
        status, said = resume()
        self.assertEqual(status, 64, said)
        self.assertIn(f"another user (uid {STRANGER}) has named data that the run has not read", said)
        # A text, which RUN/data.h5 hides at first.
        planted(str(secret / "table.csv"))
        self.assertEqual(resume()[0], 0)
        config = (self.folder / "theirs" / "config.toml")
        self.assertEqual(config.stat().st_uid, 12345)
        self.assertIn(f"data_named_by_uid = {STRANGER}\n", config.read_text())
        take_away("data.h5", "checkpoints/*")
        status, said = resume()
        self.assertEqual(status, 64, said)
        self.assertFalse((self.folder / "theirs" / "data.h5").exists())

    def test_a_run_that_cannot_be_set_aside_stays_whole(self):
        run = self.run_folder
        if subprocess.run(["chattr", "+i", run / "rules.csv"], capture_output=True).returncode != 0:
            self.skipTest("no files that cannot be renamed here")
        self.addCleanup(subprocess.run, ["chattr", "-i", run / "rules.csv"])
        before = {path: content for path, content in tree(run).items()
                  if path.name not in ("lock", "log.jsonl")}
        self.fails("mine", TABLE, "-o", "run", "--force", status=73, says="Operation not permitted")
        after = {path: content for path, content in tree(run).items()
                 if path.name not in ("lock", "log.jsonl")}
        self.assertEqual(after, before)

    def test_sigterm_ends_who_waits(self):
        """For an owner elsewhere to give a sign of life."""
        (self.run_folder / "lock").write_text("host elsewhere\nboot another\nprocess 7\n")
        process = self.start("resume", "run")
        self.addCleanup(process.kill)
        while "waiting whether it gives a sign of life" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0)


class Lost(EndToEnd):
    """A run that is removed or replaced while a job works on it."""

    def job(self, *words, ranks):
        process = self.start("mine", TABLE, "-o", "run", *LONG, *words, ranks=ranks,
                             start_new_session=True)
        self.addCleanup(process.communicate)
        self.addCleanup(kill_session, process.pid)
        path = self.folder / "run" / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        return process

    def ends(self, process, says):
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 73, err)
        lines = [line for line in err.splitlines()
                 if line.startswith("atoll: ") and ("run:" in line or "run/" in line)]
        self.assertEqual(lines, [f"atoll: run: {says} while it was worked on; nothing more is "
                                 "written"], err)

    def check(self, take_away, says):
        # Between checkpoints, at a checkpoint, and with migration that waits for nobody.
        for words in (["--checkpoint-every", "1h"], ["--checkpoint-every", 1],
                      ["--checkpoint-every", "1h", "--migration", "asynchronous", "--islands", 4]):
            for ranks in (0, 4) if MPIEXEC else (0,):
                with self.subTest(words=words, ranks=ranks):
                    more = [] if ranks == 0 or "--islands" in words else ["--islands", 4]
                    process = self.job(*words, *more, ranks=ranks)
                    before = take_away()
                    self.ends(process, says)
                    self.assertTrue(before(), "something was written")
                    for name in ("run", "moved"):
                        shutil.rmtree(self.folder / name, ignore_errors=True)

    def test_removed(self):
        def take_away():
            # At once; until it looks, the job may still write into what it has open.
            moved = self.folder / "moved"
            (self.folder / "run").rename(moved)
            wait_for(lambda: shutil.rmtree(moved, ignore_errors=True) or not moved.exists())
            return lambda: not (self.folder / "run").exists()
        self.check(take_away, "was removed or renamed")

    def test_renamed(self):
        def take_away():
            (self.folder / "run").rename(self.folder / "moved")
            return lambda: not (self.folder / "run").exists()
        self.check(take_away, "was removed or renamed")

    def test_replaced(self):
        """By a folder that is another's, in one step."""
        def take_away():
            other = self.folder / "moved"
            (other / "checkpoints").mkdir(parents=True)
            self.write("moved/notes.txt", "theirs")
            self.write("moved/lock", "")
            expected = tree(other)
            exchange = ctypes.CDLL(None, use_errno=True).renameat2
            here, at_once = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
            done = exchange(here, bytes(other), here, bytes(self.folder / "run"), at_once)
            self.assertEqual(done, 0, os.strerror(ctypes.get_errno()))
            return lambda: tree(self.folder / "run") == expected
        self.check(take_away, "was replaced by another folder")

    def test_while_data_are_imported(self):
        """From standard input, which comes only when the run has been replaced."""
        process = self.start("mine", "-", "-o", "run", *LONG, stdin=subprocess.PIPE)
        self.addCleanup(process.kill)
        while "importing" not in process.stderr.readline():
            pass
        moved, run = self.folder / "moved", self.folder / "run"
        run.rename(moved)
        run.mkdir()
        before = tree(moved)
        _, err = process.communicate(TABLE.read_text(), timeout=PATIENCE)
        self.assertEqual(process.returncode, 73, err)
        self.assertEqual(err.splitlines()[-1], "atoll: run: was replaced by another folder while it "
                                               "was worked on; nothing more is written")
        self.assertEqual(tree(run), {})
        self.assertLessEqual(tree(moved).keys() - before.keys(), {pathlib.Path("data.h5")})

    def test_a_run_that_was_renamed_goes_on_under_its_new_name(self):
        process = self.job("--checkpoint-every", 1, ranks=0)
        wait_for(lambda: '"checkpoint"' in (self.folder / "run" / "log.jsonl").read_text())
        (self.folder / "run").rename(self.folder / "moved")
        self.ends(process, "was removed or renamed")
        # What ends the job does not wait for a checkpoint that is being written, which is noted then.
        noted = [event["event"] for event in log(self.folder / "moved")]
        self.assertIn(noted[noted.index("error"):], (["error"], ["error", "checkpoint"]))
        self.atoll("resume", "moved", "--stop-after", "0.001s", status=75)


if __name__ == "__main__":
    unittest.main()
