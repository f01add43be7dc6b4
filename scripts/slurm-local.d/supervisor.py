"""Parent of all that belongs to one folder of scripts/slurm-local: starts its daemons, keeps the nodes
that should be up, and ends everything with itself, on SIGTERM or when its owner has ended.

supervisor.py FOLDER NODES OWNER     OWNER: a process id, or 0 for none
"""

import ctypes
import os
import pathlib
import select
import signal
import subprocess
import sys
import time


def prctl(option, value):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans():
    """Daemons' children that lose their parent become ours, so that they can be ended."""
    prctl(36, 1)  # PR_SET_CHILD_SUBREAPER


def die_with_parent():
    prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def descendants(root):
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, left = [], [root]
    while left:
        new = children.get(left.pop(), [])
        found += new
        left += new
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def in_child(action):
    """Forks; returns the child's process id, after whose `action` it exits."""
    sys.stdout.flush()
    pid = os.fork()
    if pid != 0:
        return pid
    status = 1
    try:
        action()
        status = 0
    except Exception as error:  # in a log, as nobody waits for it
        print(f"slurm-local: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


class Supervisor:
    """Parent of all that belongs to the folder; ends it with itself."""

    def __init__(self, folder, nodes, owner):
        self.folder, self.nodes, self.owner = folder, nodes, owner
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self.stopping = False
        self.running = {}  # node -> process

    def spawn(self, words, log):
        with open(self.folder / log, "ab") as out:
            return subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=out, preexec_fn=die_with_parent,
                                    cwd=self.folder)

    def start_node(self, name):
        """A process that is parent of slurmd and of all that slurmd started, and ends with it."""
        def node():
            die_with_parent()
            adopt_orphans()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            self.spawn(["slurmd", "-D", "-N", name, "-f", self.folder / "slurm.conf"],
                       f"slurmd.{name}.out")
            while True:
                try:
                    os.wait()
                except ChildProcessError:
                    return
        self.running[name] = in_child(node)

    def end_node(self, name):
        pid = self.running.pop(name)
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            send(descendants(pid), signal.SIGKILL)
            time.sleep(0.02)

    def run(self):
        adopt_orphans()
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "stopping", True))
        owner = None
        if self.owner:
            try:
                owner = os.pidfd_open(self.owner)
            except ProcessLookupError:
                return
        self.spawn(["munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                    f"--log-file={self.folder}/munged.log",
                    f"--seed-file={self.folder}/munge.seed"], "munged.out")
        self.spawn(["slurmctld", "-D", "-c", "-f", self.folder / "slurm.conf"], "slurmctld.out")
        while not self.stopping and not (owner is not None and select.select([owner], [], [], 0)[0]):
            for name in self.nodes:
                failed = (self.folder / f"failed.{name}").exists()
                if failed and name in self.running:
                    self.end_node(name)
                if not failed and name not in self.running:
                    self.start_node(name)
            time.sleep(0.1)
        for name in list(self.running):
            self.end_node(name)
        self.end_all()

    def end_all(self):
        """First kindly: slurmctld saves its state."""
        end = time.monotonic() + 5
        send(descendants(os.getpid()), signal.SIGTERM)
        while True:
            try:
                while os.waitpid(-1, os.WNOHANG)[0] != 0:
                    pass
            except ChildProcessError:
                return
            if time.monotonic() > end:
                send(descendants(os.getpid()), signal.SIGKILL)
            time.sleep(0.05)


def main():
    folder, nodes, owner = sys.argv[1:]
    Supervisor(pathlib.Path(folder), [f"n{i + 1}" for i in range(int(nodes))], int(owner)).run()


main()
