#!/usr/bin/env python3
"""Checks the shape of our C++ and CUDA: no file above 400 lines, no function above 60, no block
nested deeper than 4 within a function, and no folder outside tests with more than 64 files. Blocks
are those of statements and lambdas; braces of values do not count. Of src/app, which has no logic: no
file of a command above 200 lines, and no more than 5,000 lines in all. Prints each violation with its
place; exits 1 if there is any."""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE_LINES, FUNCTION_LINES, NESTING, FOLDER_FILES = 400, 60, 4, 64
APP, COMMAND_LINES, APP_LINES = "src/app", 200, 5000

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/'  # comments
    r'|R"([^()\\\s]*)\(.*?\)\1"'  # raw strings
    r'|"(?:\\.|[^"\\\n])*"'  # strings
    r"|'(?:\\.|[^'\\\n])+'(?![\w'])"  # characters, not the marks within 1'000
    r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',  # directives
    re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r'^\s*(?:inline\s+)?(?:namespace|extern)\b')
TYPE = re.compile(r'(?:^|[\s>;])(?:class|struct|union|enum)\b(?![^{]*\)\s*(?:const|noexcept)?\s*$)')
STATEMENT = re.compile(r'(?:^|[\s;{}])(?:if|for|while|switch|catch)\b.*\)\s*$|\b(?:else|do|try)\s*$',
                       re.DOTALL)
LAMBDA = re.compile(r'\](?:\s*<[^{}]*>)?\s*(?:\((?:[^()]|\([^()]*\))*\))?'
                    r'\s*(?:mutable|noexcept|constexpr|\s)*(?:->\s*[\w:<>,&*\s]+)?\s*$')
NAME = re.compile(r'([~\w:]+|operator\s*\S+)\s*\(')


def without_noise(text):
    """The same lines, with blanks for all that is no code."""
    return NOISE.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), text)


def kind_of(header, inside):
    """Of a brace: what opens it, by the text before it and the kind of block around it."""
    if inside in ("file", "type"):
        if SCOPE.match(header):
            return "file"
        if TYPE.search(header) and not re.search(r'\)\s*(?:const|noexcept|override|final|\s)*$', header):
            return "type"
        closed = header.count('(') == header.count(')')  # not among the arguments of a call
        is_function = '(' in header and closed and not re.search(r'=\s*$', header)
        return "function" if is_function and not LAMBDA.search(header) else "value"
    if STATEMENT.search(header) or LAMBDA.search(header) or not header.strip():
        return "block"
    if TYPE.search(header) and '(' not in header:
        return "type"
    return "value"


def functions(text):
    """(name, first line, lines, deepest nesting, line of it) of each function of a source text."""
    code = without_noise(text)
    line, begin, open_blocks = 1, 0, []  # of each open brace: kind, and of functions their facts
    for at, c in enumerate(code):
        if c == '\n':
            line += 1
        elif c == ';' and (not open_blocks or code.count('(', begin, at) == code.count(')', begin, at)):
            begin = at + 1
        elif c == '{':
            inside = open_blocks[-1][0] if open_blocks else "file"
            header = code[begin:at]
            kind = kind_of(header, inside)
            facts = None
            if kind == "function":
                found = NAME.search(header)
                facts = [found.group(1) if found else header.strip()[:40], line, 0, line]
            elif kind == "block":
                depth = 1
                for other, its in reversed(open_blocks):
                    if other == "function":
                        if depth > its[2]:
                            its[2:] = [depth, line]
                        break
                    depth += other == "block"
            open_blocks.append((kind, facts))
            if kind != "value":
                begin = at + 1
        elif c == '}' and open_blocks:
            kind, facts = open_blocks.pop()
            if kind == "function":
                yield facts[0], facts[1], line - facts[1] + 1, facts[2], facts[3]
            if kind != "value":
                begin = at + 1


def violations(path):
    text = (ROOT / path).read_text(errors="replace")
    lines = text.count("\n")
    if lines > FILE_LINES:
        yield f"{path}: {lines} lines, at most {FILE_LINES}"
    for name, line, length, depth, deepest in functions(text):
        if length > FUNCTION_LINES:
            yield f"{path}:{line}: {name} has {length} lines, at most {FUNCTION_LINES}"
        if depth > NESTING:
            yield f"{path}:{deepest}: {name} is nested {depth} deep, at most {NESTING}"


def full_folders():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    folders = collections.Counter(path.rpartition("/")[0] for path in listed.stdout.splitlines()
                                  if not path.startswith("tests/") and (ROOT / path).is_file())
    for folder, files in sorted(folders.items()):
        if files > FOLDER_FILES:
            yield f"{folder}: {files} files, at most {FOLDER_FILES}"


def long_commands(texts, declarations):
    """Of the sources of src/app, by path, and the header that declares commands."""
    commands = set(re.findall(r'^(?:Command|std::vector<Command>) (add_\w+)\(.*;$', declarations, re.MULTILINE))
    defined = re.compile(r'^(?:Command|std::vector<Command>) (add_\w+)\([^;{]*\{$', re.MULTILINE)
    for path, text in sorted(texts.items()):
        lines = text.count("\n")
        if lines > COMMAND_LINES and commands.intersection(defined.findall(text)):
            yield f"{path}: {lines} lines, a command has at most {COMMAND_LINES}; what it does belongs below {APP}"
    whole = sum(text.count("\n") for text in texts.values())
    if whole > APP_LINES:
        yield f"{APP}: {whole} lines, at most {APP_LINES}"


def main():
    listed = subprocess.run(["git", "ls-files", "*.cpp", "*.hpp", "*.cu", "*.cuh"], cwd=ROOT,
                            capture_output=True, text=True, check=True)
    found = [violation for path in listed.stdout.split() if (ROOT / path).is_file()
             for violation in violations(path)]
    found += full_folders()
    app = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / APP).glob("*.[ch]pp")}
    found += long_commands(app, app[f"{APP}/commands.hpp"])
    print("\n".join(found) if found else "shape: no violation")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
