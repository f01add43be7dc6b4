"""What the end-to-end tests share: running atoll, alone or on ranks, in a folder of its own."""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ATOLL = os.environ.get("ATOLL_PROGRAM", "atoll")
MPIEXEC = os.environ.get("ATOLL_MPIEXEC", "")  # empty: built without MPI
FAULTY_STORAGE = os.environ.get("ATOLL_FAULTY_STORAGE", "")  # the library of tests/support
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
PATIENCE = 300  # seconds after which what must come is given up; the machine may be busy
RESULTS = ("rules.csv", "rules.json", "history.csv")
LIST_RESULTS = ("classifier.json", "classifier.txt", "history.csv")  # PMML names a version

os.environ.pop("COLUMNS", None)  # tests say themselves how wide the screen is
os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
NO_GPU = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}  # not even where there is one


def launcher(ranks):
    """Words that start `ranks` ranks; none for one process without MPI."""
    if ranks == 0:
        return []
    return [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]


def digest(run):
    """SHA-256 of each result file of a run."""
    names = LIST_RESULTS if (run / LIST_RESULTS[0]).exists() else RESULTS
    return {name: hashlib.sha256((run / name).read_bytes()).hexdigest() for name in names}


def log(run, running=False):
    """The objects of log.jsonl; fails if a line is none. Of a job that is running without the line that
    is just being written."""
    text = (run / "log.jsonl").read_text()
    if running:
        text = text[:text.rfind("\n") + 1]
    return [json.loads(line) for line in text.splitlines()]


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)


def session_members(leader):
    """Process ids of the session that the process leads, ranks of its launcher among them; not of those
    that have ended and are only not yet waited for."""
    members = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # pid (name) state parent group session ...
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] not in "ZX":
            members.append(int(entry.name))
    return members


def kill_session(leader):
    """Of every process of the session that the process leads, as a node that fails does. They have ended
    then, and let go of what they held."""
    def all_have_ended():
        members = session_members(leader)
        for pid in members:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not members
    wait_for(all_have_ended)


def ranks_of(leader):
    """Process id of each rank that the launcher has started."""
    found = {}
    for pid in session_members(leader):
        with contextlib.suppress(OSError):
            for variable in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                name, _, value = variable.partition(b"=")
                if name == b"OMPI_COMM_WORLD_RANK":
                    found[int(value)] = pid
    return found


def is_pending(pid, number):
    """Whether a signal that was sent to the process has yet to be taken."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    pending = int(next(line for line in status.splitlines() if line.startswith("ShdPnd:")).split()[1], 16)
    return bool(pending >> (number - 1) & 1)


class EndToEnd(unittest.TestCase):
    maxDiff = None
    program = ATOLL

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="atoll-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def need_mpi(self):
        if not MPIEXEC:
            self.skipTest("built without MPI")

    def start(self, *arguments, ranks=0, **popen):
        words = launcher(ranks) + [self.program] + [str(a) for a in arguments]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **popen)

    def atoll(self, *arguments, ranks=0, status=0, **popen):
        """Runs it, checks the exit status, and returns (stdout, stderr)."""
        process = self.start(*arguments, ranks=ranks, **popen)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        self.assertEqual(process.returncode, status, f"{arguments}\n{out}{err}")
        return out, err

    def fails(self, *arguments, status, says, **more):
        """It ends with the status and says in just one line, which holds `says`, what is wrong."""
        out, err = self.atoll(*arguments, status=status, **more)
        self.assertEqual(out, "")
        lines = [line for line in err.splitlines()
                 if line.startswith("atoll: ") and not line.startswith("atoll: warning: ")]
        self.assertEqual(len(lines), 1, err)
        self.assertEqual(err.splitlines()[-1], lines[0])
        self.assertIn(says, lines[0])
        self.assertNotIn("HDF5-DIAG", err)

    def let_fail(self, *faults):
        """Of the programs run with self.faulty: the storage, as tests/support/faulty_storage.c
        says. None: it works again."""
        new = self.write("faults.new", "".join(f"{fault}\n" for fault in faults))
        new.rename(self.folder / "faults")

    @property
    def faulty(self):
        return {"env": {**os.environ, "LD_PRELOAD": FAULTY_STORAGE,
                        "FAULTY_STORAGE": str(self.folder / "faults")}}

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def table(self, rows=2000):
        """A table with something to find, that no import complains of."""
        lines = ["x,y,colour,class"]
        state = 12345
        for row in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            x, y, c = state >> 8 & 63, state >> 14 & 31, "red green blue".split()[state % 7 % 3]
            lines.append(f"{x},{y},{c},{'yes' if x > 40 and c == 'red' or y == 3 else 'no'}")
        return self.write("table.csv", "\n".join(lines) + "\n")

    def checkpointed(self, run="run"):
        """Generation of the newest checkpoint that the log of a running job tells of; -1: of none."""
        if not (self.folder / run / "log.jsonl").exists():
            return -1
        return max((event["generation"] for event in log(self.folder / run, running=True)
                    if event["event"] == "checkpoint"), default=-1)

    def signal_when_mining(self, process, run, number):
        """Sends the signal once the log tells that mining has begun."""
        path = self.folder / run / "log.jsonl"
        wait_for(lambda: path.exists() and '"start"' in path.read_text())
        process.send_signal(number)
        return process.communicate(timeout=PATIENCE)
