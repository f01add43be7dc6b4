"""Which GPU a rank counts with, what is said of it, and how a device that fails ends the job. A
program whose GPUs are pretended stands in for one that has some (pretend_cuda.cpp); what a program
does that was built with CUDA or without it, on a machine without a driver, is tested with atoll."""

import os
import pathlib
import random
import unittest

from harness import ATOLL, RESULTS, EndToEnd, digest, log

PRETENDER = os.environ.get("ATOLL_PRETENDER", "")
HAS_DRIVER = pathlib.Path("/proc/driver/nvidia/version").exists()
ROWS = 50_000  # from which --backend auto takes a GPU
OUT_OF_MEMORY = ("out of device memory: 7.0 GiB more needed, 1.0 GiB of 8.0 GiB free; give it less "
                 "with --device-memory SIZE")


class Devices(EndToEnd):
    program = PRETENDER

    def setUp(self):
        super().setUp()
        self.data = self.table(ROWS)

    def mine(self, run, *more, ranks=0, status=0, **environment):
        return self.atoll("mine", self.data, "-o", run, "--generations", 4, "--population", 20,
                          "--migrate-every", 2, "--threads", 1,
                          "--max-bins", 16,  # so that the exact table is another
                          *more, ranks=ranks, status=status,
                          env={**os.environ, **environment})

    def records(self, run="run"):
        return [event for event in log(self.folder / run) if event["event"] == "device"]

    def check_devices(self, expected, run="run"):
        """`expected`: number, UUID and sharing ranks of each rank."""
        self.assertEqual([(r["number"], r["uuid"], r["ranks_sharing"]) for r in self.records(run)],
                         expected)

    def same_results(self, run="run"):
        if not (self.folder / "cpu").exists():
            self.mine("cpu", "--backend", "cpu")
        self.assertEqual(digest(self.folder / run), digest(self.folder / "cpu"))

    def ends(self, err, says):
        """Says it in one line, and no rank was killed."""
        lines = [line for line in err.splitlines()
                 if line.startswith("atoll: ") and not line.startswith("atoll: warning: ")]
        self.assertEqual(lines, ["atoll: " + says])
        self.assertNotIn("MPI_ABORT", err)

    def test_record_of_a_device(self):
        _, err = self.mine("run", "--backend", "cuda", "--device-memory", "2GiB", PRETEND_GPUS="A")
        (record,) = self.records()
        del record["time"], record["host"], record["cores"]
        self.assertEqual(record, {
            "event": "device", "rank": 0, "backend": "cuda", "gpu": "Pretender", "uuid": "A",
            "pci_bus_id": "none", "number": 0, "capability": "9.0", "memory": 8 << 30,
            "memory_limit": 2 << 30, "ranks_sharing": 1, "cuda_driver": "13.2",
            "cuda_runtime": "13.0", "threads": 1})
        self.assertNotIn("counting on", err)  # as asked for
        self.assertNotIn("warning", err)
        self.same_results()

    def test_a_gpu_for_each_rank(self):
        self.need_mpi()
        _, err = self.mine("run", "--backend", "cuda", ranks=2, PRETEND_GPUS="A,B")
        self.check_devices([(0, "A", 1), (1, "B", 1)])
        self.assertEqual([r["memory_limit"] for r in self.records()], [0, 0])
        self.assertNotIn("warning", err)
        self.same_results()

    def test_a_gpu_of_its_own_for_each_rank(self):
        self.need_mpi()
        self.mine("run", "--backend", "cuda", ranks=2, PRETEND_GPUS_0="B", PRETEND_GPUS_1="A")
        self.check_devices([(0, "B", 1), (0, "A", 1)])

    def test_more_ranks_than_gpus_share(self):
        self.need_mpi()
        _, err = self.mine("run", "--backend", "cuda", ranks=4, PRETEND_GPUS="A,B")
        self.check_devices([(0, "A", 2), (1, "B", 2), (0, "A", 2), (1, "B", 2)])
        self.assertEqual([r["memory_limit"] for r in self.records()], [3 << 30] * 4)
        warnings = [line for line in err.splitlines() if "warning" in line and "threads on" not in line]
        self.assertEqual(len(warnings), 1, err)
        self.assertIn("atoll: warning: 4 ranks share 2 GPUs", err)
        self.same_results()

    def test_auto_takes_a_gpu(self):
        _, err = self.mine("run", PRETEND_GPUS="A")
        self.assertIn(f"counting on 1 GPU (Pretender): {ROWS} rows are enough to gain\n", err)
        (record,) = self.records()
        self.assertEqual((record["backend"], record["reason"]),
                         ("cuda", f"{ROWS} rows are enough to gain"))
        progress = [e for e in log(self.folder / "run") if e["event"] == "progress"][-1]
        self.assertTrue(0 < progress["device_busy"] <= 1, progress)
        self.same_results()

    def check_cpu(self, err, reason):
        self.assertIn(f"counting on the CPU: {reason}\n", err)
        (record,) = self.records()
        self.assertEqual((record["backend"], record["reason"]), ("cpu", reason))
        self.assertNotIn("uuid", record)

    def test_auto_without_a_gpu(self):
        self.check_cpu(self.mine("run")[1], "the driver finds no GPU")

    def test_auto_with_too_little_work(self):
        self.data = self.table(ROWS - 1)
        self.check_cpu(self.mine("run", PRETEND_GPUS="A")[1],
                       f"{ROWS - 1} rows are fewer than the {ROWS} from which a GPU gains")

    def test_auto_with_a_device_that_does_not_answer(self):
        self.check_cpu(self.mine("run", PRETEND_GPUS="A", PRETEND_FAULT_0="open")[1], "A is busy")

    def test_auto_with_too_little_memory(self):
        _, err = self.mine("run", PRETEND_GPUS="A", PRETEND_FAULT_0="memory")
        self.check_cpu(err, OUT_OF_MEMORY)
        self.same_results()

    def test_too_little_memory_at_the_end(self):
        environment = {"PRETEND_GPUS": "A", "PRETEND_FAULT_0": "memory-later"}
        _, err = self.mine("run", **environment)
        self.assertEqual(err.count("warning"), 1)
        self.assertIn(f"atoll: warning: the rest is counted on the CPU: {OUT_OF_MEMORY}\n", err)
        self.same_results()
        _, err = self.mine("none", "--backend", "cuda", status=69, **environment)
        self.ends(err, f"backend cuda unavailable: {OUT_OF_MEMORY}; go on from the last "
                       "checkpoint: atoll resume none")
        self.atoll("resume", "none", "--backend", "cpu")
        self.same_results("none")

    def test_auto_on_ranks_of_which_some_have_a_gpu(self):
        self.need_mpi()
        _, err = self.mine("run", ranks=3, PRETEND_GPUS_1="A")
        self.assertEqual([r["backend"] for r in self.records()], ["cpu", "cuda", "cpu"])
        self.assertIn("counting on 1 GPU (Pretender)", err)
        self.assertIn("atoll: warning: ranks 0, 2 count on the CPU: the driver finds no GPU\n", err)
        self.same_results()

    def test_no_gpu_leaves_nothing(self):
        for ranks in (0, 2):
            if ranks:
                self.need_mpi()
            _, err = self.mine("run", "--backend", "cuda", ranks=ranks, status=69)
            self.ends(err, "backend cuda unavailable: the driver finds no GPU; or use "
                           "--backend cpu")
            self.assertFalse((self.folder / "run").exists())

    def test_no_gpu_on_one_rank(self):
        self.need_mpi()
        for name, environment, says in (
                ("lacks", {"PRETEND_GPUS": "A", "PRETEND_GPUS_1": ""},
                 "the driver finds no GPU; or use --backend cpu"),
                ("busy", {"PRETEND_GPUS": "A,B", "PRETEND_FAULT_1": "open"},
                 "B is busy; or use --backend cpu"),
                ("full", {"PRETEND_GPUS": "A,B", "PRETEND_FAULT_1": "memory"},
                 OUT_OF_MEMORY)):
            with self.subTest(name):
                _, err = self.mine("run", "--backend", "cuda", ranks=4, status=69, **environment)
                self.ends(err, "rank 1: backend cuda unavailable: " + says)
                self.assertFalse((self.folder / "run").exists())

    def test_a_device_that_fails_before_the_first_generation(self):
        self.need_mpi()
        _, err = self.mine("run", "--backend", "cuda", ranks=4, status=69, PRETEND_GPUS="A,B,C,D",
                           PRETEND_FAULT_2="1")
        self.ends(err, "rank 2: backend cuda failed: an uncorrectable error")
        self.assertFalse((self.folder / "run").exists())

    def test_a_device_that_fails_midway(self):
        for ranks in (0, 4):
            if ranks:
                self.need_mpi()
            run, rank = f"run{ranks}", max(ranks - 2, 0)
            _, err = self.mine(run, "--backend", "cuda", "--checkpoint-every", 1, "--islands", 4,
                               ranks=ranks, status=69, PRETEND_GPUS="A,B,C,D",
                               **{f"PRETEND_FAULT_{rank}": "9" if ranks == 0 else "3"})
            self.ends(err, ("rank 2: " if ranks else "") +
                      "backend cuda failed: an uncorrectable error; go on from the last "
                      f"checkpoint: atoll resume {run}")
            self.assertFalse(any((self.folder / run / name).exists() for name in RESULTS))
            self.atoll("resume", run, "--backend", "cpu")
            self.same_results(run)

    def test_device_memory_is_kept(self):
        self.mine("run", "--device-memory", "512MiB")
        config = self.folder / "run" / "config.toml"
        self.assertIn("\ndevice_memory = 536870912\n", config.read_text())
        self.atoll("mine", self.data, "-o", "again", "--config", config)
        self.assertIn("\ndevice_memory = 536870912\n",
                      (self.folder / "again" / "config.toml").read_text())
        self.atoll("resume", "run", "--device-memory", "0")
        self.assertIn("\ndevice_memory = 0\n", config.read_text())
        for size, says in (("5K", "'5K', expected 0, what is free, or 1MiB to 1024TiB"),
                           ("2048T", "'2048T', expected 0, what"), ("4GB", "'4GB' is no number"),
                           ("-1", "'-1' is no number")):
            for command in (["mine", self.data, "-o", "none"], ["resume", "run"],
                            ["bench", "interpreter"]):
                self.fails(*command, f"--device-memory={size}", status=64,
                           says="--device-memory: " + says)
        config.write_text(config.read_text().replace("device_memory = 0", "device_memory = 7"))
        self.fails("resume", "run", status=65,
                   says="device_memory is 7, expected 0 or 1048576 to 1125899906842624 bytes")


class ItemsetsOnDevices(EndToEnd):
    """`itemsets --count-only`, where the pretended GPU tells of 42 sets."""
    program = PRETENDER
    OF_DEVICE = "length\tsets\n1\t42\n"

    def search(self, items, *more):
        draw = random.Random(3)
        lines = [[str(i) for i in range(items) if draw.random() < 0.7] for _ in range(1000)]
        data = self.write("baskets.dat", "".join(" ".join(line) + "\n" for line in lines))
        return ("itemsets", data, "--count-only", "--min-count", 20, "--threads", 2, *more)

    def environment(self, fault=""):
        return {**os.environ, "PRETEND_GPUS": "A", "PRETEND_FAULT_0": fault}

    def test_a_device_counts(self):
        out, err = self.atoll(*self.search(5, "--backend", "cuda"), env=self.environment())
        self.assertEqual(out, self.OF_DEVICE)
        self.assertIn("Pretender: searched in ", err)
        for fault, says in (("open", "backend cuda unavailable: A is busy"),
                            ("memory", "backend cuda unavailable: " + OUT_OF_MEMORY),
                            ("1", "backend cuda failed: an uncorrectable error")):
            self.fails(*self.search(5, "--backend", "cuda"), status=69, says=says,
                       env=self.environment(fault))

    def test_a_device_overtakes_the_cores(self):
        """They would search for years."""
        self.assertEqual(self.atoll(*self.search(200), env=self.environment())[0], self.OF_DEVICE)

    def test_the_cores_go_on_without_a_device_that_fails(self):
        process = self.start(*self.search(200), env=self.environment("1"))
        for line in process.stderr:
            if "an uncorrectable error" in line:
                break
        self.assertIn("warning: backend cuda failed: an uncorrectable error; the cores go on", line)
        self.assertIsNone(process.poll())
        process.kill()
        process.communicate()


class WithoutDriver(EndToEnd):
    program = ATOLL

    def setUp(self):
        super().setUp()
        if HAS_DRIVER:
            self.skipTest("there is a driver")

    def test_cuda_is_unavailable_in_one_line(self):
        for command in (["mine", self.table(), "-o", "run"], ["bench", "interpreter"]):
            self.fails(*command, "--backend", "cuda", status=69,
                       says="atoll: backend cuda unavailable: th")

    def test_auto_takes_the_cpu(self):
        _, err = self.atoll("mine", self.table(ROWS), "-o", "run", "--generations", 1)
        self.assertRegex(err, "\ncounting on the CPU: (there is no NVIDIA driver here|this atoll "
                              "was built without CUDA; build it by preset cuda)\n")


if __name__ == "__main__":
    unittest.main()
