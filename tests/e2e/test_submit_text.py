"""Texts that reach the batch script of `submit`: they arrive as they are or are refused with one line.
The printed scripts are executed, with programs that write down what they are given in the place of
Slurm's; nothing else may come to be run."""

import json
import os
import pathlib
import subprocess
import unittest

import slurm_text
from harness import PATIENCE, EndToEnd

NASTY = ("a b", "it's", "$HOME", "$(touch INJECTED)", "`touch INJECTED`", "a;touch INJECTED", "a&touch INJECTED",
         "a|touch INJECTED", "#x", "a #x", "x\ntouch INJECTED\n#", "x\n#SBATCH --wrap=touch", "x\rtouch INJECTED",
         'x" --wrap="touch', "x\\", "x\\\\n", "%j%%u", "-x", "--wrap=touch", "*", "?", "[a]", "{a,b}", "~", "!!",
         "a,/etc:/mnt:rw", "a:b", "a,b", "@SETUP@", "@SETTINGS@", "a=b", "<x", ">INJECTED", "(x)", "größe",
         "\u2028x", "\x85x", "\x1b[31mx", "\x7f", "'\\''", "' ; touch INJECTED ; '", "$'\\n'")
# Writes its name and its arguments, each with a NUL behind it, and the byte 1 behind them all.
RECORDER = """#!/bin/sh
{{ printf '%s\\0' "${{0##*/}}" "$@"; printf '\\1'; }} >>'{calls}'
"""
STUBS = ("srun", "mpirun", "apptainer", "sbatch", "scontrol", "squeue", "module", "atoll-stub", "sleep")


def toml(text):
    return json.dumps(text, ensure_ascii=True).replace("\x7f", "\\u007f")


class SubmitText(EndToEnd):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.calls_file = self.folder / "calls"
        for name in STUBS:
            self.write(f"bin/{name}", RECORDER.format(calls=self.calls_file)).chmod(0o755)

    def experiment(self, folder, data="table.csv", run="run", mine="", job=""):
        folder.mkdir(parents=True, exist_ok=True)
        pathlib.Path(os.path.normpath(os.path.join(folder, data))).parent.mkdir(parents=True, exist_ok=True)
        (folder / data).write_text("a,b\n1,x\n2,y\n")
        (folder / "e.toml").write_text(f"data = {toml(data)}\nrun = {toml(run)}\n[mine]\n{mine}\n"
                                       f'[job]\nprogram = "atoll-stub"\n{job}\n')
        return folder / "e.toml"

    def submit(self, file):
        """The script, or None if it was refused as it should be."""
        process = self.start("submit", file, "--dry-run")
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode == 0:
            return out
        self.assertIn(process.returncode, (64, 65), err)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        return None

    def execute(self, script):
        """What the programs in the place of Slurm's were given."""
        self.calls_file.unlink(missing_ok=True)
        place = self.folder / "place"
        place.mkdir(exist_ok=True)
        before = sorted(self.folder.rglob("INJECTED"))
        # As bytes: names need not be UTF-8 for the shell.
        subprocess.run(["bash", "-s"], input=script.encode("utf-8", "surrogateescape"), cwd=place,
                       timeout=PATIENCE, capture_output=True,
                       env={"PATH": f"{self.bin}:/usr/bin:/bin", "SLURM_JOB_ID": "1", "HOME": str(place)})
        self.assertEqual(sorted(self.folder.rglob("INJECTED")), before, script)
        if not self.calls_file.exists():
            return []
        return [call.split("\0")[:-1] for call in self.calls_file.read_text().split("\1")[:-1]]

    def expect(self, script, folder, data, run):
        """Slurm and the program get just these."""
        folder, data, run = (os.path.normpath(os.path.join(folder, p)) for p in ("", data, run))
        options = slurm_text.arguments(script)
        job = run + ".job"
        self.assertIn(f"--chdir={folder}", options)
        self.assertIn(f"--output={job.replace('%', '%%')}/%j.out", options)
        self.assertIn(f"--job-name={os.path.basename(run)}", options)
        self.assertEqual([o for o in options if not o.startswith("--") or "wrap" in o.split("=")[0]], [])
        os.makedirs(job, exist_ok=True)
        calls = self.execute(script)
        self.assertTrue({call[0] for call in calls} <= set(STUBS), calls)
        # Started twice, since without progress.
        starts = [call for call in calls if call[0] == "srun"]
        self.assertGreaterEqual(len(starts), 1)
        for call in starts:
            at = call.index("atoll-stub")
            self.assertEqual(call[at + 1:], ["mine", data, "-o", run, "--config", f"{job}/experiment.toml"])

    def test_names_of_folders_and_files(self):
        accepted = 0
        for index, text in enumerate(NASTY):
            base = self.folder / str(index)
            for field in ("folder", "data", "run"):
                with self.subTest(text=text, field=field):
                    if field == "data" and text in ("x\\", "\x7f"):
                        continue
                    folder = base / field / (text if field == "folder" else "plain")
                    data = text + "/t.csv" if field == "data" else "table.csv"
                    run = "runs/" + text if field == "run" else "run"
                    if text.startswith("~"):
                        run = "./" + run
                    file = self.experiment(folder, data, run)
                    script = self.submit(file)
                    refused = any(ord(c) < 0x20 or c in '\x7f"\\' for c in text)
                    self.assertEqual(script is None, refused, script)
                    if script is not None:
                        accepted += 1
                        self.expect(script, folder, data, run)
        self.assertGreater(accepted, 60)

    def test_folders_that_a_container_binds(self):
        self.write("a.sif", "")
        for text, bound in (("a b", True), ("it's", True), ("$HOME", True), ("a,/etc:/mnt:rw", False),
                            ("a:b", False), ("a,b", False)):
            for field in ("folder", "data", "run"):
                with self.subTest(text=text, field=field):
                    folder = self.folder / f"{field}-of" / (text if field == "folder" else "plain")
                    data = text + "/t.csv" if field == "data" else "table.csv"
                    run = text + "/r" if field == "run" else "run"
                    file = self.experiment(folder, data, run, job=f"container = {toml(str(self.folder / 'a.sif'))}")
                    if not bound:
                        name = text.rpartition("/")[0] if "/" in text and field == "" else text
                        self.fails("submit", file, "--dry-run", status=65, says=name)
                        continue
                    script = self.submit(file)
                    os.makedirs(folder / f"{run}.job", exist_ok=True)
                    call = [c for c in self.execute(script) if c[0] == "srun"][0]
                    at = call.index("apptainer")
                    full = [os.path.dirname(os.path.normpath(folder / p)) for p in (data, run)] + [str(folder)]
                    self.assertEqual(call[at:at + 7], ["apptainer", "exec"] + [f"--bind={f}" for f in full] +
                                     [str(self.folder / "a.sif"), "atoll-stub"])

    def test_values_of_job(self):
        few = ("memory", "time", "gpus-per-node", "stop-before", "launcher", "partition", "account", "qos",
               "constraint", "modules")
        for index, text in enumerate(NASTY):
            for key in ("name", "partition", "account", "qos", "constraint", "memory", "time", "gpus-per-node",
                        "stop-before", "launcher", "program", "container", "modules", "launcher-options", "sbatch"):
                # Of those that have a form of their own, or go the way of name, a few texts are enough.
                if key in few and index % 8 > 0:
                    continue
                with self.subTest(text=text, key=key):
                    base = self.folder / f"{index}-{key}"
                    value = {"modules": f"[{toml(text)}]", "launcher-options": f"[{toml(text)}]",
                             "sbatch": f"[{toml('--comment=' + text)}]"}.get(key, toml(text))
                    file = self.experiment(base, job=f"{key} = {value}")
                    if key == "program":
                        file.write_text(file.read_text().replace('program = "atoll-stub"\n', ""))
                    if key == "container":
                        (base / text).parent.mkdir(parents=True, exist_ok=True)
                        (base / text).write_text("")
                    script = self.submit(file)
                    if script is None:
                        continue
                    options = slurm_text.arguments(script)
                    self.assertEqual([o for o in options if not o.startswith("--")], [])
                    self.assertEqual([o for o in options if "--wrap" in o.split("=")[0]], [])
                    (base / "run.job").mkdir()
                    calls = self.execute(script)
                    self.assertTrue({call[0] for call in calls} <= set(STUBS), calls)
                    if key in ("name", "partition", "account", "qos", "constraint"):
                        self.assertIn(f"--{'job-name' if key == 'name' else key}={text}", options)
                    elif key == "sbatch":
                        self.assertIn("--comment=" + text, options)
                    elif key == "modules":
                        self.assertIn(["module", "load", text], calls)
                    elif key == "launcher-options":
                        self.assertEqual([c for c in calls if c[0] == "srun"][0][3:5], [text, "atoll-stub"])
                    elif key == "container":
                        call = [c for c in calls if c[0] == "srun"][0]
                        self.assertIn(os.path.normpath(base / text), call)

    def keepalive(self, name, setup):
        """Of Open MPI's daemons, as mpirun finds it in its environment."""
        file = self.experiment(self.folder / name, job=f'launcher = "mpirun"\nsetup = [{setup}]')
        script = self.submit(file)
        (self.folder / name / "run.job").mkdir()
        found = self.folder / "environment"
        self.write("bin/mpirun", f"#!/bin/sh\nenv | grep ^OMPI_MCA_oob_tcp_keepalive_ >'{found}'\n").chmod(0o755)
        self.execute(script)
        return sorted(line.removeprefix("OMPI_MCA_oob_tcp_keepalive_") for line in found.read_text().split())

    def test_mpirun_soon_misses_a_host(self):
        """Unless the user has other wishes."""
        self.assertEqual(self.keepalive("ours", ""), ["intvl=5", "probes=3", "time=10"])
        other = '"export OMPI_MCA_oob_tcp_keepalive_time=300"'
        self.assertEqual(self.keepalive("other", other), ["intvl=5", "probes=3", "time=300"])

    def test_options_of_the_machine(self):
        for text in NASTY + ("10s --force", "4GiB -o /etc", "10s\\ x"):
            for key in ("checkpoint-every", "checkpoints-kept", "device-memory", "backend", "migration-log"):
                with self.subTest(text=text, key=key):
                    self.assertIsNone(self.submit(self.experiment(self.folder / "m", mine=f"{key} = {toml(text)}")))

    def test_the_folder_of_the_job_is_the_users_alone(self):
        """What lies in it is run: links are not followed, others' folders not used."""
        file = self.experiment(self.folder / "e")
        self.atoll("generate", "poker", "-o", "e/table.csv", "--rows", 100, "--force")
        job = self.folder / "e" / "run.job"
        path = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        self.write("bin/sbatch", "#!/bin/sh\necho 17\n").chmod(0o755)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "job.sh").write_text("precious")
        job.symlink_to(elsewhere)
        self.assertIn("symbolic link", self.atoll("submit", file, status=73, env=path)[1])
        self.assertEqual((elsewhere / "job.sh").read_text(), "precious")
        job.unlink()
        job.mkdir()
        (job / "job.sh").symlink_to(elsewhere / "job.sh")
        (job / "experiment.jobs").symlink_to(elsewhere / "job.sh")
        job.chmod(0o777)
        self.assertIn("symbolic link", self.atoll("submit", file, status=73, env=path)[1])
        (job / "job.sh").unlink()
        before = os.umask(0)
        try:
            self.atoll("submit", file, env=path)
        finally:
            os.umask(before)
        for path_of in job.iterdir():
            self.assertEqual(path_of.stat().st_mode & 0o022, 0, path_of)
        self.assertEqual((elsewhere / "job.sh").read_text(), "precious")
        self.assertFalse((job / "job.sh").is_symlink())
        self.assertFalse(os.path.lexists(job / "experiment.jobs"))
        self.assertEqual(job.stat().st_mode & 0o022, 0)
        if os.geteuid() == 0:
            os.chown(job, 65534, 65534)
            self.assertIn("another user", self.atoll("submit", file, status=73, env=path)[1])

    def test_the_folder_that_one_is_in(self):
        inside = self.folder / "evil\ntouch INJECTED\n#"
        self.experiment(inside)
        done = subprocess.run([self.program, "submit", "e.toml", "--dry-run"], cwd=inside, text=True,
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (65, ""))
        self.assertIn("e.toml: lies in ", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
