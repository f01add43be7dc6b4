#!/usr/bin/env python3
"""Checks that each source file includes only what its layer may know, and that no layer includes
foreign headers that belong to another one. Prints each violation; exits 1 if there is any."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# layer -> the layers next below it; it also sees what those see. Tests and src/app see everything.
BELOW = {
    "src/core": [],
    "src/work": ["src/core"],
    "src/measures": ["src/core"],
    "src/config": ["src/measures"],
    "src/data": ["src/core"],
    "src/rules": ["src/config", "src/data"],
    "src/grammar": ["src/rules"],
    "src/sampling": ["src/grammar"],
    "src/eval": ["src/sampling"],
    "src/exhaustive": ["src/eval", "src/work"],
    "src/results": ["src/eval"],
    "islands/archipelago": ["src/config"],  # the island model: it knows no algorithm and no rule
    "islands": ["src/results", "islands/archipelago"],
    "cuda": ["src/eval", "src/exhaustive"],
    "mpi": ["src/core"],
    "io": ["src/results"],
    "src/run": ["src/work", "islands", "io"],
    "src/generate": ["src/work", "src/data", "io"],
    "src/batch": ["src/run"],
    "src/bench": ["src/run", "src/exhaustive", "src/generate", "cuda"],
}
# Each other folder of islands/ is an algorithm, a layer of its own above the islands of rules.
ALGORITHMS = sorted(f"islands/{path.name}" for path in (ROOT / "islands").iterdir()
                    if path.is_dir() and path.name != "archipelago")
BELOW.update((algorithm, ["islands"]) for algorithm in ALGORITHMS)
# The file that knows more than its layer: it names the algorithms.
EXTRA = {
    "islands/algorithms.cpp": ALGORITHMS,
}
# Single headers beyond what a layer sees.
EXTRA_HEADERS = {
    "islands/archipelago": {"src/results/written/history.hpp"},
}
# Pairs of sub-folders whose arrows go both ways, for the moment.
BOTH_WAYS = {
    ("cuda/count", "cuda/device"),
    ("cuda/host", "cuda/itemsets"),
    ("src/app", "src/app/itemsets"),
    ("src/app", "src/app/submit"),
}
# What the device's compiler may see: it knows C++17.
DEVICE = {"src/core", "src/measures", "cuda"}
DEVICE_FILES = {"src/rules/bound_relation.hpp", "src/sampling/chi_squared.hpp",
                "src/sampling/comparison_rows.hpp", "src/sampling/fit_limits.hpp",
                "src/sampling/growth_formulas.hpp"}

# a header of the system -> the only files that may include it
FOREIGN = {
    r"hdf5\.h|H5\w+\.h": r"io/hdf5/h5_.*",
    r"mpi\.h": r"mpi/.*",
    r"cuda.*|cub/.*|nccl\.h": r"cuda/.*",
    r"toml\+\+/.*": r"src/config/toml_text\.hpp",
    r"CLI/.*": r"src/app/.*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    parts = path.split("/")
    two = "/".join(parts[:2])
    return two if parts[0] == "src" or two in BELOW else parts[0]


def seen_by(layer):
    """A layer, and all that it may include."""
    return {layer}.union(*(seen_by(below) for below in BELOW[layer]))


def room_arrows(files):
    """(folder, folder) -> the first include between two folders of a layer that leads there."""
    arrows = {}
    for path in files:
        room = path.rpartition("/")[0]
        for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match.group(1) == '"' and layer_of(match.group(2)) == layer_of(path):
                other = match.group(2).rpartition("/")[0]
                if other != room:
                    arrows.setdefault((room, other), f"{path}:{number}: {match.group(2)}")
    return arrows


def circles(files):
    """Folders of a layer that know each other, directly or by others of it."""
    arrows = {arrow: where for arrow, where in room_arrows(files).items()
              if arrow not in BOTH_WAYS and arrow[::-1] not in BOTH_WAYS}

    def reached(room, seen):
        for one, other in arrows:
            if one == room and other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen
    for (room, other), where in sorted(arrows.items()):
        if room in reached(other, set()):
            yield f"{where}: {other} knows {room}, so this closes a circle"


def seen_from(path, seen):
    """Adds the file and all of ours that it includes."""
    if path in seen or not (ROOT / path).is_file():
        return
    seen.add(path)
    for line in (ROOT / path).read_text(errors="replace").splitlines():
        match = INCLUDE.match(line)
        if match and match.group(1) == '"':
            seen_from(match.group(2), seen)


def violations(path, on_device):
    layer = layer_of(path)
    allowed = seen_by(layer) | set(EXTRA.get(path, ())) if layer in BELOW else None
    for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, target = match.groups()
        where = f"{path}:{number}"
        if kind == '"':
            if not (ROOT / target).is_file():
                yield f"{where}: \"{target}\" does not start at the repository's root"
            elif allowed and layer_of(target) not in allowed \
                    and target not in EXTRA_HEADERS.get(layer, ()):
                yield f"{where}: {layer} must not know {target}"
            elif on_device and layer_of(target) not in DEVICE and target not in DEVICE_FILES:
                yield f"{where}: the device's compiler sees this and must not see {target}"
            elif layer_of(target) == "tests" and layer != "tests":
                yield f"{where}: only tests include tests"
            continue
        for header, files in FOREIGN.items():
            if re.fullmatch(header, target) and not re.fullmatch(files, path) \
                    and layer != "tests":
                yield f"{where}: <{target}> belongs to {files}"


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True)
    files = [f for f in listed.stdout.splitlines()
             if re.search(r"\.(cpp|hpp|cu|cuh)$", f) and (ROOT / f).is_file()]
    on_device = set()
    for file in files:
        if re.search(r"\.cuh?$", file):
            seen_from(file, on_device)
    found = [v for f in files for v in violations(f, f in on_device)]
    found += circles(f for f in files if layer_of(f) != "tests")
    print("\n".join(found) if found else f"layers: {len(files)} files, no violation")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
