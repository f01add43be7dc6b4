#!/usr/bin/env python3
"""Checks the links of all Markdown pages: a relative link must lead to a file or folder of the
repository, and its #anchor to a heading of that page. Code must not name a page of docs/ that does
not exist. Prints each violation; exits 1 if there is any."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)
PAGE = re.compile(r"\bdocs/[\w./-]*\.(?:md|svg)")


def blank(match):
    """As many lines as the match has, and nothing in them."""
    return "\n" * match.group().count("\n")


def anchors(page):
    """The anchors that GitHub gives to a page's headings."""
    found = {}
    for heading in HEADING.findall(FENCE.sub(blank, page.read_text(encoding="utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {name + (f"-{i}" if i else "") for name, times in found.items()
            for i in range(times + 1)}


def broken_links(path):
    text = CODE.sub(" ", FENCE.sub(blank, (ROOT / path).read_text(encoding="utf-8")))
    for number, line in enumerate(text.splitlines(), 1):
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = ROOT / path
            if name:
                target = target.parent / name
            if not target.exists():
                yield f"{path}:{number}: {link}: there is no such file"
            elif anchor and anchor not in anchors(target):
                yield f"{path}:{number}: {link}: the page has no such heading"


def missing_pages(path):
    for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
        for page in PAGE.findall(LINK.sub(" ", line)):
            if not (ROOT / page).is_file():
                yield f"{path}:{number}: {page}: there is no such page"


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True)
    files = [f for f in listed.stdout.splitlines() if (ROOT / f).is_file()]
    pages = [f for f in files if f.endswith(".md")]
    # What the changelog says of former versions names pages as they were called then.
    others = [f for f in files if f != "CHANGELOG.md" and not f.startswith("tests/fuzz/corpus/")]
    found = [v for f in pages for v in broken_links(f)]
    found += [v for f in others for v in missing_pages(f)]
    print("\n".join(found) if found else f"links: {len(pages)} pages, none broken")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
