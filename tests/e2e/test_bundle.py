"""scripts/bundle: a folder that brings all but the C library, wherever it is moved."""

import os
import re
import shutil
import subprocess
import unittest

from harness import ATOLL, MPIEXEC, PATIENCE, ROOT, EndToEnd, digest

C_LIBRARY = r"/(ld-linux[^/]*|libc|libm|libdl|librt|libpthread|libresolv|libutil)\.so[.\d]*$"


class Bundle(EndToEnd):
    def bundle(self, *arguments, status=0):
        done = subprocess.run([ROOT / "scripts/bundle", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stderr

    def run_inside(self, command):
        """In a shell that knows nothing but the bundle; returns the objects that were loaded."""
        traces = self.folder / "traces"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        script = f". moved/bundle/enter.sh\nexport LD_DEBUG=libs LD_DEBUG_OUTPUT={traces}/of\n{command}"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, text=True, timeout=PATIENCE,
                              capture_output=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder),
                                   "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        loaded = set()
        for trace in traces.iterdir():
            text = trace.read_text(errors="replace")
            loaded.update(re.findall(r"calling init: (\S+)", text))
        return loaded

    def test_all_but_the_c_library_comes_from_the_bundle(self):
        self.bundle("bundle", ATOLL)
        self.assertTrue((self.folder / "bundle.tar.gz").exists())
        (self.folder / "moved").mkdir()
        (self.folder / "bundle").rename(self.folder / "moved/bundle")
        inside = str(self.folder / "moved/bundle") + "/"
        self.table()
        mine = "atoll mine table.csv --generations 2 --threads 1 -o"
        commands = [f"{mine} alone"]
        if MPIEXEC:
            commands.append(f"mpirun --oversubscribe --bind-to none -n 2 {mine} ranks")
        for command in commands:
            loaded = self.run_inside(command)
            foreign = [path for path in loaded
                       if not path.startswith(inside) and not re.search(C_LIBRARY, path)]
            self.assertEqual(foreign, [])
            self.assertTrue(any("/libhdf5" in path for path in loaded), loaded)
        self.atoll("mine", "table.csv", "--generations", 2, "-o", "run")
        self.assertEqual(digest(self.folder / "alone"), digest(self.folder / "run"))
        if MPIEXEC:
            self.assertTrue(any("/lib/openmpi/mca_" in path for path in loaded), loaded)
            self.assertEqual(digest(self.folder / "ranks"), digest(self.folder / "run"))

    def test_what_cannot_be_bundled(self):
        self.assertIn("bundle DIR", self.bundle(status=64))
        self.assertEqual(self.bundle("bundle", "no-program", status=66),
                         "bundle: no-program: no such program; build it, or name it\n")
        kept = self.write("kept", "")
        self.assertEqual(self.bundle(".", ATOLL, status=73), "bundle: .: is there already\n")
        self.assertEqual(self.bundle("kept", ATOLL, status=73), "bundle: kept: is there already\n")
        self.assertTrue(kept.exists())
        self.assertEqual(os.listdir(self.folder), ["kept"])


if __name__ == "__main__":
    unittest.main()
