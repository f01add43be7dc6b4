"""Mining on a GPU: which one, and what is said without it. Skipped where there is none, unless
ATOLL_REQUIRE_GPU is 1."""

import os
import subprocess
import unittest

from harness import PATIENCE, EndToEnd, digest, log
from test_golden import EXPERIMENTS, TABLE, command, pinned


def gpus():
    """How many there are."""
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return len(listed.stdout.splitlines())


class Gpu(EndToEnd):
    def setUp(self):
        super().setUp()
        self.data = self.table(60_000)
        process = self.start("mine", self.data, "-o", "gpu", "--backend", "cuda", "--generations",
                             10, "--migrate-every", 3)
        _, err = process.communicate(timeout=PATIENCE)
        if process.returncode == 69 and os.environ.get("ATOLL_REQUIRE_GPU") != "1":
            self.skipTest(err.splitlines()[-1])
        self.assertEqual(process.returncode, 0, err)

    def mine(self, run, *more, ranks=0, status=0, **environment):
        return self.atoll("mine", self.data, "-o", run, "--generations", 10, "--migrate-every", 3,
                          *more, ranks=ranks, status=status, env={**os.environ, **environment})

    def records(self, run):
        return [event for event in log(self.folder / run) if event["event"] == "device"]

    def same_results(self, run):
        self.assertEqual(digest(self.folder / run), digest(self.folder / "gpu"))

    def test_counts_as_the_cpu_does(self):
        self.mine("cpu", "--backend", "cpu")
        self.same_results("cpu")
        for size in ("64MiB", "4GiB"):
            self.mine(size, "--backend", "cuda", "--device-memory", size)
            self.same_results(size)

    def test_golden_bytes(self):
        for name, options in EXPERIMENTS.items():
            for ranks in (0, 2):
                if ranks:
                    self.need_mpi()
                with self.subTest(name, ranks=ranks):
                    run = f"{name}-{ranks}"
                    self.atoll(*command(name), TABLE, "-o", run, *options, "--backend", "cuda",
                               ranks=ranks)
                    self.assertEqual(digest(self.folder / run), pinned(name))

    def test_golden_bytes_of_teams(self):
        """Whose ranks share a GPU where there are too few, and add up by NCCL as if over a network."""
        self.need_mpi()
        shared = {**os.environ, "ATOLL_NCCL_SHARE_GPU": "1", "NCCL_SOCKET_IFNAME": "lo",
                  "NCCL_IB_DISABLE": "1"}
        alone = {**os.environ, "ATOLL_NCCL": os.environ.get("ATOLL_NCCL") or "libnccl.so.2"}
        for name, options in EXPERIMENTS.items():
            if command(name) != ["mine"]:
                continue  # lists are learnt by each rank alone
            for ranks, team, split, by in ((2, 2, "rows", "messages"), (4, 2, "rules", "messages"),
                                           (2, 2, "rules", "nccl"), (3, 3, "rows", "nccl")):
                with self.subTest(name, ranks=ranks, team=team, split=split, by=by):
                    run = f"{name}-{split}-{by}"
                    environment = {**os.environ, "ATOLL_NCCL": "off"}
                    if by == "nccl":
                        environment = alone if ranks <= gpus() else shared
                    self.atoll("mine", TABLE, "-o", run, *options, "--backend", "cuda", "--team",
                               team, "--split", split, ranks=ranks, env=environment)
                    self.assertEqual(digest(self.folder / run), pinned(name))
                    (start,) = (e for e in log(self.folder / run) if e["event"] == "start")
                    if "not in LD_LIBRARY_PATH" in start.get("adds_up_reason", "") and by == "nccl":
                        continue  # it has run by messages once more
                    self.assertEqual(start["adds_up_by"], by)

    def test_auto_takes_it(self):
        _, err = self.mine("auto")
        self.assertIn("counting on 1 GPU (", err)
        self.same_results("auto")

    def test_ranks(self):
        self.need_mpi()
        _, err = self.mine("ranks", "--backend", "cuda", ranks=2)
        self.same_results("ranks")
        uuids = {record["uuid"] for record in self.records("ranks")}
        self.assertEqual(len(uuids) == 1, "2 ranks share 1 GPU" in err)

    def test_chosen_by_uuid(self):
        (record,) = self.records("gpu")
        self.mine("again", "--backend", "cuda", CUDA_VISIBLE_DEVICES=record["uuid"])
        self.assertEqual(self.records("again")[0]["uuid"], record["uuid"])

    def test_hidden(self):
        self.fails("mine", self.data, "-o", "none", "--backend", "cuda", status=69,
                   says="CUDA_VISIBLE_DEVICES is '-1', which leaves no GPU",
                   env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1"})
        _, err = self.mine("hidden", CUDA_VISIBLE_DEVICES="-1")
        self.assertIn("counting on the CPU: CUDA_VISIBLE_DEVICES is '-1'", err)
        self.same_results("hidden")


class ProbabilisticItemsets(EndToEnd):
    """The same sets as on cores; the last decimal of a probability may differ where it is rounded."""

    def setUp(self):
        super().setUp()
        for name, size, model in (("dense", ("--items", 40, "--length", 14), "uniform"),
                                  ("sparse", ("--items", 300, "--length", 10), "normal:0.5,0.02")):
            self.atoll("generate", "quest", "-o", f"{name}.dat", "--rows", 6000, *size,
                       "--probabilities", model)

    def find(self, name, backend, *options):
        """{items: probability in units of the ninth decimal}, in the order of the text."""
        process = self.start("itemsets", f"{name}.dat", "--probabilities",
                             f"{name}.probabilities.txt", "--algorithm", "probabilistic",
                             "--backend", backend, "-o", "-", *options)
        out, err = process.communicate(timeout=PATIENCE)
        if (backend == "cuda" and process.returncode == 69
                and os.environ.get("ATOLL_REQUIRE_GPU") != "1"):
            self.skipTest(err.splitlines()[-1])
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual("probabilistic itemsets on the CPU" in err, backend == "cpu", err)
        lines = [line.rstrip(")").rpartition(" (") for line in out.splitlines()]
        return {items: round(float(probability) * 1e9) for items, _, probability in lines}

    def test_are_those_of_the_cpu(self):
        for name, support in (("dense", "4%"), ("sparse", "0.5%")):
            for probability in (0.5, 0.999):
                limits = ("--min-support", support, "--min-probability", probability)
                with self.subTest(name, probability=probability):
                    gpu, cpu = (self.find(name, backend, *limits) for backend in ("cuda", "cpu"))
                    self.assertEqual(list(gpu), list(cpu))
                    self.assertGreater(sum(p < 10**9 for p in cpu.values()), 40)
                    off = [abs(gpu[items] - p) for items, p in cpu.items()]
                    self.assertLessEqual(max(off), 1)
                    print(f"{name}, {probability}: {sum(off)} of {len(cpu)} probabilities differ, "
                          "by one in the ninth decimal")


if __name__ == "__main__":
    unittest.main()
