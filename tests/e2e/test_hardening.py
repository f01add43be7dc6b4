"""How the programs are built: no library comes from the current folder, and a fault of memory ends the
program. Reads every program and library that the build has made, an installation and a bundle."""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import unittest

from harness import ATOLL, PATIENCE, ROOT, EndToEnd

BUILD = pathlib.Path(ATOLL).resolve().parent
CMAKE = os.environ.get("ATOLL_CMAKE") or shutil.which("cmake") or ""
CACHE = (BUILD / "CMakeCache.txt").read_text() if (BUILD / "CMakeCache.txt").exists() else ""
SANITIZED = re.search(r"^ATOLL_SANITIZE:.*=.+", CACHE, re.M)
OPTIMISED = "CMAKE_BUILD_TYPE:STRING=Debug" not in CACHE
X86 = platform.machine() in ("x86_64", "i686")


def read(option, file):
    return subprocess.run(["readelf", "--wide", option, file], text=True, check=True, capture_output=True,
                          env={**os.environ, "LC_ALL": "C"}, timeout=PATIENCE).stdout


def programs(folder):
    """Executables and shared libraries below a folder, but for those that CMake makes to try compilers."""
    found = []
    for path in sorted(folder.rglob("*")):
        if "CMakeFiles" in path.parts or path.suffix in (".o", ".a") or not path.is_file() or path.is_symlink():
            continue
        with open(path, "rb") as file:
            start = file.read(18)
        if start[:4] == b"\x7fELF" and start[16] in (2, 3):  # executable, shared object
            found.append(path)
    return found


def search_folders(file):
    """Entries of RPATH and RUNPATH."""
    return [entry for path in re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", read("--dynamic", file))
            for entry in path.split(":")]


@unittest.skipUnless(shutil.which("readelf"), "there is no readelf")
class Hardening(EndToEnd):
    def expect_hardened(self, file):
        dynamic, segments = read("--dynamic", file), read("--program-headers", file)
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(dynamic, r"BIND_NOW|FLAGS_1.*\bNOW\b")
        self.assertRegex(segments, r"GNU_STACK .* RW +0x")
        # No segment is writable and executable; PIE.
        self.assertNotRegex(segments, r"LOAD .* RWE +0x")
        self.assertIn("DYN", read("--file-header", file))
        if file.suffix != ".so":
            self.assertIn("__stack_chk_fail", read("--dyn-syms", file))

    def test_libraries_are_looked_for_in_absolute_folders(self):
        found = programs(BUILD)
        self.assertIn(BUILD / "atoll", found)
        for file in found:
            with self.subTest(file):
                self.assertEqual([e for e in search_folders(file) if not e.startswith("/")], [])

    def test_of_an_installation_and_a_bundle(self):
        self.assertTrue(CMAKE, "no cmake")
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", self.folder / "installed"], check=True,
                       capture_output=True, timeout=PATIENCE)
        installed = self.folder / "installed/bin/atoll"
        subprocess.run([ROOT / "scripts/bundle", self.folder / "bundle", installed], check=True,
                       capture_output=True, timeout=PATIENCE)
        for folder in ("installed", "bundle"):
            found = programs(self.folder / folder)
            self.assertIn(self.folder / folder / "bin/atoll", found)
            if not SANITIZED:
                self.expect_hardened(self.folder / folder / "bin/atoll")
            for file in found:
                with self.subTest(file):
                    entries = search_folders(file)
                    self.assertEqual([e for e in entries if not re.match(r"/|\$ORIGIN(/|$)", e)], [])
        done = subprocess.run([installed, "--version"], text=True, capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_library_in_the_current_folder_is_not_loaded(self):
        names = re.findall(r"\(NEEDED\).*\[(.*)\]", read("--dynamic", ATOLL))
        self.assertGreater(len(names), 3)
        for name in names:
            self.write(name, "no library\n")  # whoever loads it fails
        self.atoll("--version")

    @unittest.skipIf(SANITIZED, "sanitizers do it")
    def test_faults_of_memory_end_the_program(self):
        for file in programs(BUILD):
            with self.subTest(file):
                self.expect_hardened(file)
        if OPTIMISED:
            self.assertRegex(read("--dyn-syms", ATOLL), r"__(mem\w+|read|pread\w*|v?snprintf)_chk")

    @unittest.skipIf(SANITIZED, "sanitizers do without")
    @unittest.skipUnless(X86, "control-flow enforcement of x86")
    def test_where_calls_and_jumps_may_lead_is_marked(self):
        address = int(re.search(r"([0-9a-f]+) +\d+ FUNC .* main$", read("--symbols", ATOLL), re.M)[1], 16)
        text = subprocess.run(["objdump", "--disassemble", f"--start-address={address}",
                               f"--stop-address={address + 4}", ATOLL], text=True, check=True,
                              capture_output=True, timeout=PATIENCE).stdout
        self.assertRegex(text, r"\tendbr(32|64)")
        # The program as a whole has the mark if all that it is made of has: the C library's start, too.
        start = subprocess.run([os.environ.get("CXX", "g++"), "-print-file-name=Scrt1.o"], text=True,
                               capture_output=True).stdout.strip()
        if os.path.isfile(start) and "IBT" in read("--notes", start):
            self.assertRegex(read("--notes", ATOLL), r"x86 feature:.*IBT.*SHSTK")


if __name__ == "__main__":
    unittest.main()
