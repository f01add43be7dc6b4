"""Running atoll and reading what it wrote."""
import argparse
import contextlib
import functools
import hashlib
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ATOLL_PROGRAM", str(ROOT / "build" / "cpu" / "atoll"))


class Failure(Exception):
    """One line for the user."""


def atoll(*arguments):
    """Runs it to its end. Returns (standard output, seconds)."""
    words = [PROGRAM] + [str(a) for a in arguments]
    begin = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{PROGRAM}: {error.strerror}; set ATOLL_PROGRAM") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: exit status {done.returncode}: "
                      f"{done.stderr.strip().splitlines()[-1:] or 'no message'}")
    return done.stdout, time.monotonic() - begin


class Run:
    """A finished run: its rules in the order written, and what it cost."""

    def __init__(self, folder, seconds):
        self.rules = json.loads((folder / "rules.json").read_text())
        # The best rule as it was found counts as written.
        self.rules += [rule["as_found"] for rule in self.rules if "as_found" in rule]
        events = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        # By the search, and on the way to exact bounds.
        self.evaluations = (max(e["evaluated"] for e in events if e["event"] == "progress")
                            + sum(e["evaluated"] for e in events if e["event"] == "refinement"))
        self.seconds = seconds


def mine(data, folder, seed, options):
    """@param options  of atoll mine, as words"""
    _, seconds = atoll("mine", data, "-o", folder, "--seed", seed, "--force", *options)
    return Run(folder, seconds)


def timed(function, *arguments):
    """(result, seconds)"""
    begin = time.monotonic()
    result = function(*arguments)
    return result, time.monotonic() - begin


def kept(path, key, function, *arguments):
    """What the function returned for this key (all of it JSON) the last time, as long as the file
    is there; else what it returns now."""
    with contextlib.suppress(FileNotFoundError):
        written = json.loads(path.read_text())
        if written["key"] == key:
            return written["result"]
    result = function(*arguments)
    part = path.with_suffix(".part")  # an interrupted script leaves no half a file
    part.write_text(json.dumps({"key": key, "result": result}))
    part.replace(path)
    return result


@functools.lru_cache(maxsize=None)
def program_digest():
    found = shutil.which(PROGRAM)
    if found is None:
        raise Failure(f"{PROGRAM}: no such program; set ATOLL_PROGRAM")
    return hashlib.blake2b(pathlib.Path(found).read_bytes(), digest_size=16).hexdigest()


def kept_mine(folder, data, seed, options):
    """{"rules", "evaluations", "seconds"} of a run, kept in the folder for the same program, seed
    and options."""
    key = [program_digest(), seed, [str(word) for word in options]]
    name = "run-" + hashlib.blake2b(json.dumps(key).encode(), digest_size=8).hexdigest()

    def run():
        done = mine(data, folder / name, seed, options)
        shutil.rmtree(folder / name)
        return {"rules": done.rules, "evaluations": done.evaluations, "seconds": done.seconds}

    return kept(folder / f"{name}.json", key, run)


# What says how long and how to search; random search has its own.
SEARCH_OPTIONS = ("--preset", "--islands", "--population", "--generations", "--time-limit",
                  "--bounds")


def random_search(data, folder, seed, options, evaluations):
    """Rules derived at random from the same grammar, under the same constraints and filters: a
    first population on each of four islands, never bred, its bounds not refined. Of a size that
    takes so many evaluations, widenings included, by those of a small one."""
    kept = []
    words = iter([str(word) for word in options])
    for word in words:
        if word.split("=")[0] not in SEARCH_OPTIONS:
            kept.append(word)
        elif "=" not in word:
            next(words, None)
    islands, few = 4, 1000

    def first_population(size):
        return mine(data, folder, seed, kept + ["--islands", islands, "--generations", 0,
                                                "--bounds", "binned", "--population", size])

    each = first_population(few).evaluations / (islands * few)
    return first_population(math.ceil(evaluations / each / islands))


@contextlib.contextmanager
def work_folder(kept):
    """A folder for data and runs: the one named, or one that vanishes afterwards."""
    if kept:
        folder = pathlib.Path(kept)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory(prefix="atoll-quality-") as name:
            yield pathlib.Path(name)


def seed_list(text):
    """'1-10' or '1,3,5-7'"""
    seeds = []
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            seeds += range(int(first), int(last or first) + 1)
    except ValueError:
        seeds = []
    if not seeds:
        raise argparse.ArgumentTypeError(f"'{text}', expected seeds such as 1-10 or 1,3,5")
    return seeds


def add_common_options(parser, seeds="1-10"):
    parser.add_argument("--seeds", type=seed_list, default=seed_list(seeds), help=f"[{seeds}]")
    parser.add_argument("--json", metavar="FILE", help="also write every figure there")
    parser.add_argument("--work", metavar="FOLDER", help="keep data and runs there")


def write_json(path, figures):
    if path:
        pathlib.Path(path).write_text(json.dumps(figures, indent=1) + "\n")
