"""One job on two hosts, a link that is cut, and a host that is lost.

The hosts are namespaces of this machine. Each has a name, an address, processes, memory for /dev/shm
and, as far as it sees, a kernel of its own. They share all other files, and a switch connects them. The
first process of a host is a shell. In the place of sshd, it runs the lines that it is given. When the
test ends, even by kill -9, so do these shells, everything that runs on the hosts, and the network.
"""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
import uuid

from harness import ATOLL, MPIEXEC, NO_GPU, PATIENCE, EndToEnd, digest, log, wait_for

OWN = ["--net", "--uts", "--mount", "--pid"]
BEGIN = """set -e
mount -t proc proc /proc
mount --bind "$1" /proc/sys/kernel/random/boot_id
mount -t tmpfs memory /dev/shm
hostname "$2"
ip link set lo up
echo up
export TMPDIR=/dev/shm
exec sh
"""
AGENT = """#!/bin/sh
# host command...: as mpirun calls ssh
door='{folder}'/$1.door
shift
printf '%s &\\n' "$*" >"$door"
"""
# docs/how-to/lost-hosts.md names them, and jobs/slurm.sh sets them.
KEEPALIVE = {"OMPI_MCA_oob_tcp_keepalive_time": "10", "OMPI_MCA_oob_tcp_keepalive_intvl": "5",
             "OMPI_MCA_oob_tcp_keepalive_probes": "3"}
BEARABLE = 60  # seconds; 10 + 3 x 5 and what a busy machine adds
CORES = len(os.sched_getaffinity(0))
EXPERIMENT = ["--islands", 4, "--population", 60, "--migrate-every", 5, "--min-support", "1%", "--seed", 5]
LONG = [*EXPERIMENT, "--generations", 300, "--threads", 1, "--checkpoint-every", 10]


def absent():
    """What is missing for hosts of our own."""
    if not MPIEXEC:
        return "built without MPI"
    if os.geteuid() != 0:
        return "not root"
    names = [name for name in ("ip", "unshare", "nsenter", "orted") if not shutil.which(name)]
    if names:
        return f"no {', '.join(names)}"
    version = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True).stdout
    if not re.search(r"[(]Open(?: MPI|RTE)[)] 4[.]", version):  # of mpirun, of mpiexec
        return "not Open MPI 4"
    tried = subprocess.run(["unshare", *OWN, "--fork", "ip", "link", "add", "switch", "type", "bridge"],
                           capture_output=True, text=True)
    return tried.stderr.strip().replace("\n", "; ") if tried.returncode else ""


def is_alive(process):
    """And not only not yet waited for."""
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"


def child_of(process):
    return int(pathlib.Path(f"/proc/{process}/task/{process}/children").read_text())


class Host:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        boot = folder / f"{name}.boot"
        boot.write_text(f"{uuid.uuid4()}\n")
        door = folder / f"{name}.door"
        os.mkfifo(door)
        self.door = os.open(door, os.O_RDWR)  # the shell ends once nobody can write to it
        with door.open() as to_read:
            self.keeper = subprocess.Popen(
                ["unshare", *OWN, "--fork", "--kill-child", "sh", "-c", BEGIN, "sh", boot, name],
                stdin=to_read, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=NO_GPU)
        if self.keeper.stdout.readline() != "up\n":
            raise AssertionError(f"host {name}: {self.keeper.communicate()[1]}")
        self.shell = child_of(self.keeper.pid)

    def words(self, *words, spaces=OWN):
        """Those that run the words there."""
        return ["nsenter", f"--target={self.shell}", *spaces, "env", f"--chdir={self.folder}",
                "TMPDIR=/dev/shm", *map(str, words)]

    def run(self, *words, **more):
        return subprocess.run(self.words(*words, **more), check=True, capture_output=True, text=True,
                              timeout=PATIENCE).stdout

    def processes(self):
        """Name of each that is alive, by its number outside; without the shell."""
        own, found = os.readlink(f"/proc/{self.shell}/ns/pid"), {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == self.shell:
                continue
            with contextlib.suppress(OSError):
                if os.readlink(entry / "ns" / "pid") == own and is_alive(entry.name):
                    found[int(entry.name)] = (entry / "comm").read_text().strip()
        return found

    def signal_rank(self, number):
        """Of the job that has just one rank here."""
        program = pathlib.Path(ATOLL).name[:15]
        rank, = [process for process, name in self.processes().items() if name == program]
        os.kill(rank, number)

    def lose(self):
        """As if its power failed: all its processes have ended then."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.shell, signal.SIGKILL)
        self.keeper.wait()

    def close(self):
        self.lose()
        self.keeper.communicate()
        os.close(self.door)


class OnTwoHosts(EndToEnd):
    @classmethod
    def setUpClass(cls):
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        if absent():
            print(f"SKIPPED: {absent()}: two hosts were not tried", file=sys.stderr)
            raise unittest.SkipTest(absent())

    def setUp(self):
        super().setUp()
        self.data = self.table(4000)
        self.jobs = []
        self.addCleanup(self.collect_jobs)  # after the hosts, with which they end
        agent = self.write("agent", AGENT.format(folder=self.folder))
        agent.chmod(0o755)
        schedulers = ("SLURM_", "PBS_", "LSB_", "OMPI_MCA_")
        self.environment = {key: value for key, value in NO_GPU.items() if not key.startswith(schedulers)}
        self.environment |= {"OMPI_MCA_plm": "rsh", "OMPI_MCA_plm_rsh_agent": str(agent),
                             "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader,tcp"}
        self.switch, self.near, self.far = (self.host(name) for name in ("switch", "near", "far"))
        self.switch.run("ip", "link", "add", "switch", "up", "type", "bridge")
        for number, host in enumerate((self.near, self.far), 1):
            # Process ids are those of the namespace of processes that one is in.
            self.switch.run("ip", "link", "add", host.name, "up", "master", "switch", "type", "veth", "peer",
                            "name", "eth0", "netns", host.shell, spaces=["--net"])
            host.run("ip", "address", "add", f"198.18.77.{number}/24", "dev", "eth0")
            host.run("ip", "link", "set", "eth0", "up")

    def collect_jobs(self):
        for job in self.jobs:
            job.kill()
            job.communicate()

    def host(self, name):
        host = Host(name, self.folder)
        self.addCleanup(host.close)
        return host

    def on(self, host, *arguments, hosts=(), before=(), **variables):
        """Starts atoll on the host or, by mpirun from there, one rank for each name of `hosts`."""
        words = [*before, ATOLL, *arguments]
        if hosts:
            words = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "--host", ",".join(hosts), "-n",
                     len(hosts), *words]
        process = subprocess.Popen(host.words(*words), env={**self.environment, **variables}, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.jobs.append(process)
        return process

    def done(self, process, status=0):
        """Waits for it, and returns what it said on standard error."""
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, status, f"{out}{err}")
        return err

    def checkpoints(self):
        """Generations of those that the log tells of."""
        run = self.folder / "run"
        if not (run / "log.jsonl").exists():
            return []
        return [e["generation"] for e in log(run, running=True) if e["event"] == "checkpoint"]

    def wait_until_mining(self, process):
        def has_checkpoint():
            if process.poll() is not None:
                raise AssertionError(f"it ended before: {process.communicate()}")
            return self.checkpoints()
        wait_for(has_checkpoint)

    def starts(self):
        return [event for event in log(self.folder / "run") if event["event"] == "start"]

    def same_results(self, *experiment):
        self.atoll("mine", self.data, "-o", "undisturbed", *experiment, env=NO_GPU)
        self.assertEqual(digest(self.folder / "run"), digest(self.folder / "undisturbed"))


class Across(OnTwoHosts):
    def test_the_bytes_of_one_process(self):
        """Begun on both hosts, and gone on with from the other one."""
        first = self.on(self.near, "mine", self.data, "-o", "run", *LONG, hosts=("near", "far", "far"))
        self.wait_until_mining(first)
        self.near.signal_rank(signal.SIGSTOP)  # the others wait
        (self.folder / "run" / "stop").touch()
        self.near.signal_rank(signal.SIGCONT)
        self.done(first, status=75)
        self.done(self.on(self.far, "resume", "run", hosts=("far", "near")))
        self.same_results(*LONG)
        starts = self.starts()
        self.assertEqual([(e["host"], e["ranks"]) for e in starts], [("near", 3), ("far", 2)])
        self.assertGreater(starts[1]["generation"], 0)
        devices = [e["host"] for e in log(self.folder / "run") if e["event"] == "device"]
        self.assertEqual(devices, ["near", "far", "far", "far", "near"])

    def test_a_team_on_both(self):
        """Each host has the partitions of the rows that its ranks count; near has the others, too."""
        self.atoll("import", self.table(30_000), "-o", "table.h5", "--partition-rows", 4096)
        self.data = "table.h5"
        two, four = ("near", "far"), ("near", "near", "far", "far")
        few = ["--islands", 4, "--migrate-every", 2, "--generations", 6, "--seed", 5, "--population"]
        of_rows_held_out = [*few, 60, "--min-support", "1%", "--max-bins", 8, "--holdout", "30%"]
        for hosts, split, experiment in (
                (two, "rows", of_rows_held_out),
                (four, "rows", of_rows_held_out),
                (four, "rows", [*of_rows_held_out, "--target", "mean(x)"]),
                (two, "rows", [*few, 60, "--preset", "g3parm"]),
                (two, "rows", [*few, 60, "--preset", "random-search"]),
                (two, "rows", [*few, 10, "--backend", "reference"]),
                (two, "rules", of_rows_held_out)):
            with self.subTest(hosts=hosts, split=split, experiment=experiment):
                self.done(self.on(self.near, "mine", self.data, "-o", "run", "--force", *experiment,
                                  "--team", len(hosts), "--split", split, hosts=hosts))
                self.same_results("--force", *experiment)
                self.assertGreater(len((self.folder / "run/rules.csv").read_text().splitlines()), 1)
                start, = self.starts()
                rows = start["rows"]
                near_half = -(-rows // 4096) // 2 * 4096
                of_far = rows - near_half if split == "rows" else rows
                self.assertEqual(start["rows_in_memory"], [rows, of_far])
                self.assertEqual(start["copies"], 1 if split == "rows" else 2)

    def warnings(self, folder, hosts, *more):
        """Of a job that has just RUN in the folder."""
        err = self.done(self.on(self.near, "mine", self.data, "-o", f"{folder}/brief", "--force",
                                *EXPERIMENT, "--generations", 1, *more, hosts=hosts))
        return [line.removeprefix("atoll: warning: ") for line in err.splitlines()
                if line.startswith("atoll: warning: ")]

    def test_cores_and_folders_are_counted_for_each_host(self):
        self.assertEqual(self.warnings(self.folder, ("near", "far")), [])
        devices = [e for e in log(self.folder / "brief") if e["event"] == "device"]
        self.assertEqual([e["threads"] for e in devices], [CORES, CORES])
        warning, = self.warnings(self.folder, ("near", "far", "far"), "--threads", CORES)
        self.assertRegex(warning, rf"^2 ranks have {2 * CORES} threads on {CORES} cores? of far; ")
        warning, = self.warnings("/dev/shm", ("near", "far"))
        self.assertRegex(warning, "^RUN is in memory of this node alone")


class Cut(OnTwoHosts):
    def test_a_link_that_is_cut(self):
        # Ranks that wait are busy.
        job = self.on(self.near, "mine", self.data, "-o", "run", *LONG, hosts=("near", "far"),
                      before=("nice", "-n", "5"), **KEEPALIVE)
        self.wait_until_mining(job)
        self.far.signal_rank(signal.SIGSTOP)  # the other waits
        self.switch.run("ip", "link", "set", "far", "down")
        self.far.signal_rank(signal.SIGCONT)
        since = time.monotonic()
        _, err = job.communicate(timeout=PATIENCE)
        wait_for(lambda: not self.near.processes() | self.far.processes())
        seconds = time.monotonic() - since
        self.assertLess(seconds, BEARABLE, err)
        self.assertNotIn(job.returncode, (0, 75), err)
        self.assertIn("ORTE has lost communication with a remote daemon", err)
        self.assertNotIn("end", [event["event"] for event in log(self.folder / "run")])
        saved = self.checkpoints()[-1]
        err = self.done(self.on(self.near, "resume", "run"))
        self.assertNotIn("waiting", err)
        self.assertGreaterEqual(self.starts()[-1]["generation"], saved)
        self.same_results(*LONG)


class Lost(OnTwoHosts):
    def setUp(self):
        super().setUp()
        # nsenter would stop with its child.
        job = self.on(self.far, "mine", self.data, "-o", "run", *LONG,
                      before=("sh", "-c", '"$@" & echo $!; wait', "sh"))
        number = job.stdout.readline().strip()
        self.owner = f"process {number} on far"
        self.wait_until_mining(job)
        # It cannot come to its end, and holds RUN.
        self.far.run("sh", "-c", 'kill -STOP "$1"', "sh", number)

    def resume(self, run):
        return self.on(self.near, "resume", run)

    def is_refused(self, run):
        err = self.done(self.resume(run), status=64)
        self.assertEqual(err.splitlines()[-1], f"atoll: {run}: in use by {self.owner}; if that host is gone "
                                               f"for good, delete {run}/lock")
        info = json.loads(self.near.run(ATOLL, "info", run, "--json"))
        self.assertEqual(info["owner"], self.owner)

    def keep_lock(self, run):
        """As a file server may, of a host that does not come back."""
        lock = (self.folder / run / "lock").open("r+")
        self.addCleanup(lock.close)
        fcntl.fcntl(lock, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))  # F_OFD_SETLK

    def test_the_lock_of_a_host(self):
        self.is_refused("run")
        self.far.lose()
        shutil.copytree(self.folder / "run", self.folder / "kept")
        since = time.monotonic()
        follower = self.resume("run")
        self.keep_lock("kept")
        self.is_refused("kept")
        (self.folder / "kept" / "lock").unlink()
        self.assertNotIn("waiting", self.done(self.resume("kept")))
        self.assertIn(f"run: was in use by {self.owner}; waiting whether it gives a sign of life",
                      self.done(follower))
        self.assertGreater(time.monotonic() - since, 30)
        self.same_results(*LONG)
        self.assertEqual(digest(self.folder / "kept"), digest(self.folder / "run"))


if __name__ == "__main__":
    unittest.main()
