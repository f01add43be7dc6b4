#!/usr/bin/env python3
"""Checks that each source file includes only what its layer may know, and that no layer includes
foreign headers that belong to another one. Prints each violation; exits 1 if there is any."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# layer -> layers it may include, itself included
CORE = {"src/core"}
DATA = CORE | {"src/data"}
RULES = DATA | {"src/rules"}
EVAL = RULES | {"src/eval"}
ALLOWED = {
    "src/core": CORE,
    "src/data": DATA,
    "src/rules": RULES,
    "src/eval": EVAL,
    "src/mine": EVAL | {"src/mine"},
    "islands": EVAL | {"islands"},
    "cuda": EVAL | {"src/mine", "cuda"},
    "mpi": CORE | {"src/eval", "mpi"},
    "io": RULES | {"io"},  # and islands/run_state.hpp, src/mine results
}
EXTRA = {"io": {"islands/run_state.hpp"}}
# What the device's compiler may see: it knows C++17.
DEVICE = CORE | {"cuda"}

# a header of the system -> the only files that may include it
FOREIGN = {
    r"hdf5\.h|H5\w+\.h": r"io/h5_.*",
    r"mpi\.h": r"mpi/.*|io/h5_.*",
    r"cuda.*|cub/.*|nccl\.h": r"cuda/.*|mpi/nccl.*",
    r"toml\+\+/.*": r"src/core/toml_text\.hpp",
    r"CLI/.*": r"src/app/.*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


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
    for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, target = match.groups()
        where = f"{path}:{number}"
        if kind == '"':
            if not (ROOT / target).is_file():
                yield f"{where}: \"{target}\" does not start at the repository's root"
            elif layer in ALLOWED and layer_of(target) not in ALLOWED[layer] \
                    and target not in EXTRA.get(layer, ()):
                yield f"{where}: {layer} must not know {target}"
            elif on_device and layer_of(target) not in DEVICE:
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
    print("\n".join(found) if found else f"layers: {len(files)} files, no violation")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
