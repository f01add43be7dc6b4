"""Lists that others write about the same target on the same rows."""
import json
import pathlib
import shutil
import subprocess
import sys

from beam import interval_beam, one_comparison, windows
from coverage import is_conjunctive
from merit import judge
from runs import Failure, kept, program_digest, random_search, timed

BEAMS = (5, 20, 100)
DEPTH = 4  # comparisons of an antecedent, as Atoll may write
PACKAGES = {"pysubgroup": "pysubgroup", "SubDisc": "pysubdisc", "tree": "sklearn",
            "tree with !=": "sklearn"}
TO_INSTALL = ("pysubgroup", "pysubdisc", "scikit-learn")
CHEATS = {"one comparison": one_comparison, "windows": windows}


class Environment:
    """A virtual environment with the peers that are no part of this script."""

    def __init__(self, folder):
        """Makes it, with pip, if there is no such folder; None leaves these peers out."""
        self.peers = []
        if folder is None:
            print(f"SKIPPED: {', '.join(PACKAGES)}: --peers VENV makes a virtual environment with "
                  "them, or takes one", file=sys.stderr)
            return
        folder = pathlib.Path(folder)
        self.python = str((folder / "bin" / "python").absolute())
        if not folder.exists():
            self._make(folder)
        for peer, package in PACKAGES.items():
            if self._can("import " + package):
                self.peers.append(peer)
            else:
                print(f"SKIPPED: {peer}: {self.python} cannot import {package}", file=sys.stderr)
        if "SubDisc" in self.peers and not self._can(
                "from pysubdisc.java import ensureJVMStarted; ensureJVMStarted()"):
            self.peers.remove("SubDisc")
            print("SKIPPED: SubDisc: no Java (Debian: default-jre-headless)", file=sys.stderr)

    def _make(self, folder):
        for words in ([sys.executable, "-m", "venv", str(folder)],
                      [self.python, "-m", "pip", "install", "--quiet", *TO_INSTALL]):
            if subprocess.run(words, stdin=subprocess.DEVNULL).returncode != 0:
                shutil.rmtree(folder, ignore_errors=True)  # else the next time it would be taken
                raise Failure(f"no environment with {', '.join(TO_INSTALL)} made in {folder}")

    def _can(self, code):
        try:
            return subprocess.run([self.python, "-c", code], capture_output=True).returncode == 0
        except OSError:
            return False

    def searches(self, peer, split, seconds):
        """What it found, search by search: {"search", "seconds", "rules", "version"}."""
        table = split.train.table
        task = {"text": str(split.text), "target": split.question.attribute,
                "label": split.question.label, "seconds": seconds,
                "numeric": [name for name in table.columns if table.labels[name] is None]}
        script = pathlib.Path(__file__).with_name("peer_rules.py")
        done = subprocess.run([self.python, str(script), peer], input=json.dumps(task), text=True,
                              capture_output=True)
        lines = [json.loads(line) for line in done.stdout.split("\n")[:-1]]  # the last may be cut
        if done.returncode != 0 or len(lines) < 2:
            raise Failure(f"{peer}: {done.stderr.strip().splitlines()[-1:] or done.returncode}")
        return [line | lines[0] for line in lines[1:]]


def best_of(searches, split):
    """The figures of the search that is worth most on the half that was mined."""
    judged = [s | judge(s["rules"], split.train, split.test) for s in searches]
    return max(judged, key=lambda figures: figures["train_figure"])


def by_atoll_at_random(split, words, evaluations):
    run = random_search(split.data, split.folder / "random", 1, words, evaluations)
    return [{"search": f"{run.evaluations} evaluations", "seconds": run.seconds,
             "rules": [rule["antecedent"] for rule in run.rules if is_conjunctive(rule)]}]


def by_beam(split, width):
    rules, seconds = timed(interval_beam, split.train, width, DEPTH)
    return [{"search": f"width {width}", "seconds": seconds, "rules": rules}]


def peers_of(split, environment, words, run):
    """name -> figures. Each peer searches a split once: what it found stays in the split's folder.
    @param words  options of atoll mine, for random search
    @param run  Atoll's longest: the seconds, of random search the evaluations, that they get"""
    searches = {f"beam {width}": (None, by_beam, split, width) for width in BEAMS}
    searches |= {peer: (None, environment.searches, peer, split, run["seconds"])
                 for peer in environment.peers}
    searches["random"] = ([program_digest(), words, run["evaluations"]], by_atoll_at_random, split,
                          words, run["evaluations"])
    return {peer: best_of(kept(split.folder / f"{peer}.json", *search), split)
            for peer, search in searches.items()}


def cheats_of(split):
    """name -> figures of lists that a miner's must be worth more than."""
    return {name: judge(cheat(split.train), split.train, split.test)
            for name, cheat in CHEATS.items()}
