"""What every task keeps to: the same bytes on any number of ranks and threads, across stops and
kills, and nothing of what lies in the place of its checkpoint is touched if it is not its own."""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile

from harness import MPIEXEC, PATIENCE, kill_session, session_members, wait_for

SOON = ("--checkpoint-every", "0.02s")
AT_ONCE = ("--stop-after", "0.001s")  # but not before something is done
NOBODY = 65534


def content_of(folder):
    """Names, kinds and content below a folder, or of a file or link."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))] if folder.is_dir() else [folder]:
        found[path.relative_to(folder.parent)] = (
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None)
    return found


class Contract:
    """Of one task; it works for some tenths of a second on one thread."""

    words = ()      # without the output
    other = ()      # options of another task for the same output, none of which is among the words
    differs = ""    # what is said of it: "another --seed"
    out = "out"
    data = None     # name and content
    beside = ()     # what is written when the output is complete
    made = {}       # by class: the whole output, and a folder with a checkpoint

    # What a run needs.

    def setUp(self):
        super().setUp()
        if self.data:
            self.write(*self.data)
        self.let_fail()

    @property
    def checkpoint(self):
        return self.folder / f"{self.out}.checkpoint"

    def run_it(self, *options, **how):
        return self.atoll(*self.words, "-o", self.out, *options, **how)

    def begin_it(self, *options, **how):
        job = self.start(*self.words, "-o", self.out, *options, start_new_session=True, **how)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        return job

    def ranks(self, number):
        return number if MPIEXEC else 0

    def comparable(self, content):
        """Without what may differ, such as seconds."""
        return content

    def whole(self):
        if ("whole", type(self)) not in self.made:
            here, self.folder = self.folder, pathlib.Path(tempfile.mkdtemp(prefix="atoll-e2e-"))
            try:
                if self.data:
                    self.write(*self.data)
                self.run_it("--threads", 1)
                self.made["whole", type(self)] = self.comparable((self.folder / self.out).read_bytes())
                self.assertFalse(self.checkpoint.exists())
            finally:
                shutil.rmtree(self.folder)
                self.folder = here
        return self.made["whole", type(self)]

    def have_stopped(self):
        """A checkpoint of a job that was stopped; the same one for all tests."""
        if ("stopped", type(self)) not in self.made:
            _, err = self.run_it("--threads", 1, *AT_ONCE, status=75)
            self.assertIn(f"{self.out}.checkpoint, and the same command goes on from there\n", err)
            kept = pathlib.Path(tempfile.mkdtemp(prefix="atoll-e2e-"))
            type(self).addClassCleanup(shutil.rmtree, kept)
            shutil.copytree(self.checkpoint, kept / "checkpoint")
            self.made["stopped", type(self)] = kept / "checkpoint"
        shutil.rmtree(self.checkpoint, ignore_errors=True)
        shutil.copytree(self.made["stopped", type(self)], self.checkpoint)
        self.assertFalse((self.folder / self.out).exists())

    def expect_whole(self):
        self.assertEqual(self.comparable((self.folder / self.out).read_bytes()), self.whole())
        self.assertFalse(self.checkpoint.exists())

    def forget(self):
        for name in (self.out, *self.beside):
            (self.folder / name).unlink()

    def finish(self, *options, **how):
        _, err = self.run_it(*options, **how)
        self.expect_whole()
        return err

    def refused(self, status, says, *options, **how):
        """With one line, and nothing changes."""
        before = content_of(self.folder)
        self.fails(*self.words, "-o", self.out, *options, status=status, says=says, **how)
        self.assertEqual(content_of(self.folder), before)

    def state_time(self):
        try:
            return (self.checkpoint / "state").stat().st_mtime_ns
        except OSError:
            return None

    def wait_until_saved(self, job, may_end=False):
        before = self.state_time()

        def is_saved():
            if job.poll() is not None:
                if may_end:
                    return True
                raise AssertionError(f"it ended before a checkpoint: {job.communicate()}")
            return self.state_time() not in (None, before)
        wait_for(is_saved)

    def halt(self, job):
        """All of its processes, until go_on()."""
        members = session_members(job.pid)
        for pid in members:
            os.kill(pid, signal.SIGSTOP)
        wait_for(lambda: all(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
                             for pid in members))

    def go_on(self, job):
        for pid in session_members(job.pid):
            os.kill(pid, signal.SIGCONT)

    def said_by(self, job, status):
        _, err = job.communicate(timeout=PATIENCE)
        self.assertEqual(job.returncode, status, err)
        return err

    # What holds.

    def test_ranks_and_threads_change_nothing(self):
        self.whole()
        for ranks, threads in ((0, 3), (2, 1), (4, 1)) if MPIEXEC else ((0, 3),):
            self.finish("--threads", threads, "--force", ranks=ranks)

    def test_a_job_that_is_stopped_goes_on_elsewhere(self):
        self.have_stopped()
        _, err = self.run_it(*AT_ONCE, "--threads", 1, ranks=self.ranks(3), status=75)
        self.assertIn(f"going on from {self.out}.checkpoint", err)
        self.assertIn("going on from", self.finish(*SOON, ranks=self.ranks(2)))

    def test_signals_stop_it(self):
        self.have_stopped()
        for number, ranks in ((signal.SIGUSR1, 0), (signal.SIGINT, 0), (signal.SIGTERM, 0),
                              (signal.SIGUSR1, self.ranks(2))):
            job = self.begin_it(*SOON, ranks=ranks)
            self.wait_until_saved(job, may_end=True)
            job.send_signal(number)
            _, err = job.communicate(timeout=PATIENCE)
            if job.returncode == 0:
                break  # it was done by then
            self.assertEqual(job.returncode, 75, err)
            self.assertFalse((self.folder / self.out).exists())
        if job.returncode != 0:
            self.finish()
        self.expect_whole()

    def test_a_file_in_its_checkpoint_stops_it(self):
        job = self.begin_it(*SOON)
        self.wait_until_saved(job, may_end=True)
        with contextlib.suppress(FileNotFoundError):  # it was done by then
            (self.checkpoint / "stop").touch()
        _, err = job.communicate(timeout=PATIENCE)
        if job.returncode != 0:
            self.assertEqual(job.returncode, 75, err)
            self.finish()
        self.expect_whole()

    def test_a_job_that_is_killed_goes_on(self):
        for ranks in (0, self.ranks(3)):
            job = self.begin_it(*SOON, "--threads", 1, ranks=ranks)
            self.wait_until_saved(job, may_end=True)
            kill_session(job.pid)
            job.communicate()
            if (self.folder / self.out).exists():
                return self.expect_whole()  # it was done by then
        self.assertIn("going on from", self.finish())

    def test_damage_is_said_and_it_begins_again(self):
        self.have_stopped()
        names = sorted(p.name for p in self.checkpoint.iterdir() if p.name not in ("atoll", "lock"))
        self.assertIn("state", names)
        for name, way in itertools.product(names, ("altered", "cut", "removed")):
            with self.subTest(name, way=way):
                self.have_stopped()
                file = self.checkpoint / name
                content = bytearray(file.read_bytes())
                if not content:
                    continue
                if way == "removed":
                    file.unlink()
                else:
                    content[len(content) // 2] ^= 4
                    file.write_bytes(content[:-1] if way == "cut" else content)
                end = () if (name, way) == ("state", "altered") else AT_ONCE
                _, err = self.run_it("--threads", 1, *end, status=75 if end else 0)
                self.assertRegex(err, "atoll: warning: .*checkpoint (is damaged|holds no state), the work begins again")
                self.assertNotIn("going on", err)
                if not end:
                    self.expect_whole()
                    self.forget()

    def test_another_task_does_not_go_on_with_it(self):
        self.have_stopped()
        says = "; write to another file, or begin again with --force"
        self.refused(64, f"is of a task with {self.differs}{says}", *self.other)
        self.run_it(*self.other, *AT_ONCE, "--force", status=75)
        self.refused(64, says)
        self.finish("--force")

    def test_force_goes_on_with_the_same_task(self):
        for name in (self.out, *self.beside):
            self.write(name, "an old file")
        self.run_it(*AT_ONCE, "--force", status=75)
        self.assertEqual((self.folder / self.out).read_text(), "an old file")
        self.assertIn("going on from", self.finish("--force"))

    def test_what_lies_in_its_place_and_is_not_its_own_stays(self):
        self.have_stopped()
        genuine = self.folder / "genuine"
        self.checkpoint.rename(genuine)
        mine = self.folder / "mine"
        mine.mkdir()
        for name in ("state", "output", "text-12", "lock", "notes"):
            (mine / name).write_text("precious")
        for target in (genuine, mine):
            self.checkpoint.symlink_to(target.name)
            self.refused(73, f"{self.out}.checkpoint")
            self.refused(73, f"{self.out}.checkpoint", "--force")
            self.checkpoint.unlink()
        mine.rename(self.checkpoint)
        self.refused(73, f"{self.out}.checkpoint")
        self.refused(73, f"{self.out}.checkpoint", "--force")
        shutil.rmtree(self.checkpoint)
        self.checkpoint.write_text("a file")
        self.refused(73, f"{self.out}.checkpoint")

    def test_a_checkpoint_of_somebody_else_is_refused(self):
        if os.geteuid() != 0:
            print("SKIPPED: only root can make files of another user", file=sys.stderr)
            self.skipTest("not root")
        self.have_stopped()
        os.chown(self.checkpoint, NOBODY, NOBODY)
        self.refused(73, f"{self.out}.checkpoint")
        os.chown(self.checkpoint, 0, 0)
        for name in ("state", "output"):
            with self.subTest(name):
                self.have_stopped()
                if not (self.checkpoint / name).exists():
                    continue
                os.chown(self.checkpoint / name, NOBODY, NOBODY)
                self.refused(73, f"{self.out}.checkpoint/{name}")

    def test_a_full_disk(self):
        self.let_fail(f"ENOSPC {self.out}.checkpoint/state")
        _, err = self.run_it("--threads", 1, *SOON, **self.faulty)
        self.assertEqual(err.count("the work goes on without this checkpoint"), 1, err)
        self.expect_whole()
        self.forget()
        self.fails(*self.words, "-o", self.out, *AT_ONCE, status=73, says="No space left on device", **self.faulty)
        self.assertFalse((self.folder / self.out).exists())

    def test_a_folder_that_can_only_be_read(self):
        self.let_fail(f"EROFS {self.folder.name}/")
        before = content_of(self.folder)
        self.fails(*self.words, "-o", self.out, status=73, says=": Read-only file system", **self.faulty)
        self.assertEqual(content_of(self.folder), before)

    def test_two_at_a_time(self):
        self.have_stopped()
        job = self.begin_it("--threads", 1, *SOON)
        self.wait_until_saved(job)
        self.halt(job)
        self.refused(64, f"{self.out}.checkpoint: in use by process {job.pid}")
        self.refused(64, f"{self.out}.checkpoint: in use by process {job.pid}", "--force")
        self.go_on(job)
        self.said_by(job, 0)
        self.expect_whole()

    def test_a_checkpoint_that_is_removed_meanwhile_ends_it(self):
        job = self.begin_it("--threads", 1, *SOON)
        self.wait_until_saved(job)
        self.halt(job)
        self.checkpoint.rename(self.folder / "moved")
        self.go_on(job)
        self.assertIn(f"{self.out}.checkpoint", self.said_by(job, 73).splitlines()[-1])
        self.assertFalse((self.folder / self.out).exists())

    def test_a_job_that_was_taken_over_writes_nothing_more(self):
        for ranks in (0, self.ranks(3)):
            job = self.begin_it("--threads", 1, *SOON, ranks=ranks)
            self.wait_until_saved(job)
            self.halt(job)
            shutil.rmtree(self.folder / "theirs", ignore_errors=True)
            lock = self.checkpoint / "lock"
            text = re.sub("(?m)^host .*", "host elsewhere", re.sub("(?m)^boot .*", "boot another", lock.read_text()))
            self.write("lock", text).rename(lock)
            self.go_on(job)
            err = self.said_by(job, 64) if ranks == 0 else job.communicate(timeout=PATIENCE)[1]
            self.assertIn("taken over", err)
            self.assertFalse((self.folder / self.out).exists())
            self.assertEqual(lock.read_text(), text)
            self.assertTrue((self.checkpoint / "state").exists())
            shutil.rmtree(self.checkpoint)

    def test_an_output_on_another_disk(self):
        """OUT is a link; the checkpoint is where the file is."""
        there = pathlib.Path("/dev/shm")
        if not os.access(there, os.W_OK) or there.stat().st_dev == self.folder.stat().st_dev:
            print("SKIPPED: no other file system", file=sys.stderr)
            self.skipTest("no other file system")
        there = pathlib.Path(tempfile.mkdtemp(prefix="atoll-e2e-", dir=there))
        self.addCleanup(shutil.rmtree, there)
        (self.folder / self.out).symlink_to(there / self.out)
        self.run_it("--threads", 1, *AT_ONCE, "--force", status=75)
        self.assertEqual([p.name for p in there.iterdir()], [f"{self.out}.checkpoint"])
        self.assertIn("going on from", self.run_it("--force")[1])
        self.expect_whole()
        self.assertEqual([p.name for p in there.iterdir()], [self.out])
