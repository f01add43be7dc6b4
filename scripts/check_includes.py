#!/usr/bin/env python3
"""Checks that each source file includes, itself or through others, a header of ours for each of our
types and functions that it names. Builds that compile many files as one unit do not notice where one
is missing. Reads words, not C++: it misses what has the name of something else that is at hand, and
what the standard library declares. Prints what lacks its header; exits 1 if anything does."""
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = {"", "atl", "io", "cuda", "mpi", "test", "fuzz"}  # what may stand before a name of ours
KEYWORDS = "return throw else case co_return and or not new delete goto operator".split()

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
# What uses no name: comments, texts, directives, and what a test is called.
NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'"""
                     r"|^\s*#[^\n]*|^(?:TEST|INSTANTIATE)\w*\([^()]*|\balignas\(", re.S | re.M)
# What stands in a namespace, and so begins a line.
TYPE = re.compile(r"^(?:template <[^\n]*>\s+)?(?:class|struct|union|enum class|enum|using) "
                  r"(?!namespace)(\w+)", re.M)
FUNCTION = re.compile(r"^(?!using|namespace|class|struct|enum|static_assert)\w[^\n;={()]*?[\w>&*] "
                      r"[&*]?(\w+)\(", re.M)
# What reads as a declaration of a name, at any depth: before it is a word that is none of C++'s.
DECLARED = re.compile(r"(?<=[\w>&*\]] )" + "".join(rf"(?<!\b{word} )" for word in KEYWORDS) +
                      r"[&*]?(\w+)|(?<=::\*)(\w+)|, (\w+);")
USED = re.compile(r"(?<![\w.:])(?<!->)(?:(\w+)::)*(\w+)\b(\s*\()?")


@functools.lru_cache(None)
def text(path):
    return (ROOT / path).read_text(errors="replace")


@functools.lru_cache(None)
def code(path):
    return NO_CODE.sub(" ", text(path))


@functools.lru_cache(None)
def declared(path):
    names = {name for names in DECLARED.findall(code(path)) for name in names}
    return names.union(TYPE.findall(code(path)), re.findall(r"#\s*define (\w+)", text(path)))


def seen_from(path):
    """The file and all of ours that it includes."""
    seen, left = set(), [path]
    while left:
        one = left.pop()
        if one not in seen:
            seen.add(one)
            left += [i for i in INCLUDE.findall(text(one)) if (ROOT / i).is_file()]
    return seen


def homes_of_names(headers):
    """(types, functions) that stand in a namespace: name -> a header that declares it."""
    types, functions = {}, {}
    for header in headers:
        types.update((name, header) for name in TYPE.findall(code(header)))
        functions.update((name, header) for name in FUNCTION.findall(code(header)))
    return types, functions


def missing(path, types, functions):
    at_hand = set().union(*(declared(one) for one in seen_from(path)))
    for before, name, call in set(USED.findall(code(path))):
        home = types.get(name) or (call and functions.get(name))
        if home and before in OURS and name not in at_hand:
            yield f"{path}: {name} is declared in {home}, which it does not include"


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True)
    files = [f for f in listed.stdout.splitlines()
             if re.search(r"\.[ch]pp$", f) and (ROOT / f).is_file()]
    names = homes_of_names(f for f in files if f.endswith(".hpp") and not f.endswith("-inl.hpp"))
    found = sorted({line for path in files for line in missing(path, *names)})
    print("\n".join(found) if found else f"includes: {len(files)} files, none is missing")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
