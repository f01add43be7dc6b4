"""bench: the shape of what it prints, and what it refuses. Never how fast it was."""

import json
import os
import unittest

from harness import EndToEnd

SMALL = ["--rows", "2000", "--rules", "10", "--threads", "1"]


class Bench(EndToEnd):
    def measure(self, *arguments):
        return json.loads(self.atoll("bench", *arguments, "--format", "json")[0])

    def test_one_size(self):
        (record,) = self.measure("interpreter", *SMALL)
        self.assertEqual({k: record[k] for k in ("bench", "backend", "threads", "rows", "rules",
                                                 "attributes", "symbols")},
                         {"bench": "interpreter", "backend": "cpu", "threads": 1, "rows": 2000,
                          "rules": 10, "attributes": 16, "symbols": 58})
        for key in ("seconds", "best_seconds", "raw_gpops_per_s", "supports_gpops_per_s",
                    "effective_gpops_per_s", "bound_gpops_per_s", "share_of_bound"):
            self.assertGreater(record[key], 0, key)
        self.assertLessEqual(record["best_seconds"], record["seconds"])
        self.assertAlmostEqual(record["raw_gpops_per_s"] * record["seconds"], 58 * 10 * 2000,
                               delta=1e-6 * 58 * 10 * 2000)
        self.assertAlmostEqual(record["share_of_bound"],
                               record["raw_gpops_per_s"] / record["bound_gpops_per_s"])
        self.assertTrue(0 < record["distinct_share"] <= 1)
        self.assertTrue(record["core"]["instruction_set"])
        self.assertTrue(record["machine"])
        self.assertNotIn("published", record)  # no such size in the paper
        self.assertNotIn("dataset", record)
        self.assertEqual({k: record[k] for k in ("planes", "shape", "shared")},
                         {"planes": 8, "shape": "one-sided", "shared": 0})
        for key in ("pipeline", "device", "device_seconds", "published_pipeline"):
            self.assertNotIn(key, record)

    def test_shapes_and_shared_comparisons(self):
        for shape in ("one-sided", "intervals", "deep"):
            with self.subTest(shape):
                (record,) = self.measure("interpreter", *SMALL, "--shape", shape, "--shared", "0.5")
                self.assertEqual((record["shape"], record["shared"], record["symbols"]),
                                 (shape, 0.5, 58))
                # Each is in two rules, but for half of the first's and the last's.
                self.assertAlmostEqual(record["distinct_share"], 0.55, delta=0.04)
        (record,) = self.measure("interpreter", "--rows", "250", "--rules", "25", "--shape", "deep")
        self.assertNotIn("published", record)  # the paper's rules are flat
        (record,) = self.measure("interpreter", "--rows", "250", "--rules", "25", "--shared", "0.2")
        self.assertNotIn("published", record)

    def test_scaling(self):
        self.need_mpi()
        for ranks in (1, 3):
            out, _ = self.atoll("bench", "scaling", "--rows", 2000, "--islands", 2, "--threads", 1,
                                "--format", "json", ranks=ranks)
            (record,) = json.loads(out)
            self.assertEqual({k: record[k] for k in ("bench", "ranks", "islands_per_rank",
                                                     "population", "rows", "threads")},
                             {"bench": "scaling", "ranks": ranks, "islands_per_rank": 2,
                              "population": 200, "rows": 2000, "threads": 1})
            for key in ("launch_seconds", "prepare_seconds", "rules_per_s", "hand_in_seconds",
                        "exchange_seconds"):
                self.assertGreater(record[key], 0, key)
            # Nothing leaves a single rank; of three each sends to the next one of the ring.
            if ranks == 1:
                self.assertEqual(record["bytes_per_rank"], 0)
            else:
                self.assertEqual(record["messages_per_rank"], 1)
                self.assertGreater(record["bytes_per_rank"], 1000)
            self.assertTrue(0 <= record["idle_share"] < 1)
            parts = record["state_bytes"] / record["part_bytes"]
            self.assertTrue(ranks / 2 < parts <= ranks)
        for option in ("--rules", "--shape", "--shared", "--pipeline"):
            self.fails("bench", "scaling", option, "1", status=64, says=option)
        self.fails("bench", "interpreter", "--islands", "1", status=64,
                   says="--islands is for bench scaling")

    def test_team(self):
        self.need_mpi()
        for ranks, split, rules in ((3, "rows", 40), (2, "rules", 41)):
            out, _ = self.atoll("bench", "team", "--rows", 20000, "--rules", rules, "--threads", 1,
                                "--split", split, "--backend", "cpu", "--format", "json", ranks=ranks)
            (record,) = json.loads(out)
            self.assertEqual({k: record[k] for k in ("bench", "ranks", "split", "rows", "rules")},
                             {"bench": "team", "ranks": ranks, "split": split, "rows": 20000,
                              "rules": rules})
            self.assertEqual(record["bytes_a_sum"], rules * 5 * 8)  # a table and two more numbers
            self.assertEqual(list(record["adding_seconds"]), ["messages"])
            for key in ("alone_seconds", "part_seconds", "team_seconds"):
                self.assertGreater(record[key], 0, key)
            self.assertGreater(record["team_seconds"], record["part_seconds"] / 2)
        out, _ = self.atoll("bench", "team", "--rows", 5000, "--threads", 1, ranks=2)
        self.assertIn("5000 rows, 3200 rules a batch, rows are shared out", out)
        self.assertIn("us by messages, 1 sum of 128000 bytes a batch", out)
        self.fails("bench", "team", status=64, says="one rank is no team; start at least two")
        self.fails("bench", "team", "--split", "cells", status=64, says="expected rows or rules")
        self.fails("bench", "team", "--pipeline", "fused", status=64, says="--pipeline")
        self.fails("bench", "scaling", "--split", "rows", status=64, says="--split is for bench team")

    def test_concurrency(self):
        (record,) = self.measure("concurrency", *SMALL)
        self.assertEqual({k: record[k] for k in ("bench", "backend", "rows", "rules", "symbols")},
                         {"bench": "concurrency", "backend": "cpu", "rows": 2000, "rules": 10,
                          "symbols": 58})
        for key in ("serial_seconds", "concurrent_seconds"):
            self.assertGreater(record[key], 0)
        self.assertEqual(record["published"]["source"], "Cano et al. 2013, Table 6")
        self.assertEqual(record["published"]["serial_seconds"], 1.49e-3)
        self.assertNotIn("seconds", record)
        out, _ = self.atoll("bench", "concurrency", *SMALL)
        head, line, published = out.splitlines()
        self.assertIn("concurrent", head)
        self.assertTrue(line.startswith("cpu"))
        self.assertTrue(published.startswith("paper"))

    def test_published_size_has_its_figures(self):
        (record,) = self.measure("interpreter", "--rows", "250", "--rules", "25")
        self.assertEqual(record["published"]["source"], "Cano et al. 2013, Table 4")
        self.assertEqual(record["published"]["cpu_gpops_per_s"], 10.66e6)
        self.assertEqual(record["published"]["two_gpus_gpops_per_s"], 8.2e9)
        (record,) = self.measure("interpreter", "--rows", "250", "--rules", "25",
                                 "--comparisons", "14")
        self.assertEqual(record["symbols"], 54)
        self.assertNotIn("published", record)

    def test_reference_has_no_bound(self):
        (record,) = self.measure("interpreter", "--rows", "300", "--rules", "2", "--comparisons",
                                 "3", "--attributes", "4", "--planes", "2", "--backend",
                                 "reference")
        self.assertEqual((record["backend"], record["symbols"]), ("reference", 10))
        self.assertNotIn("bound_gpops_per_s", record)
        self.assertNotIn("core", record)

    def test_table(self):
        out, err = self.atoll("bench", "interpreter", *SMALL)
        head, line = out.splitlines()
        self.assertIn("published", head)
        self.assertIn("2000", line)
        self.assertIn("processors", err)

    def test_evaluation_tells_of_missing_data(self):
        out, _ = self.atoll("bench", "evaluation", "--rules", "25", "--threads", "1", "--format",
                            "json", env={**os.environ, "ATOLL_DATA": str(self.folder)})
        records = json.loads(out)
        by_name = {record["dataset"]: record for record in records}
        self.assertEqual(len(by_name), 10)
        magic = by_name["magic"]
        self.assertEqual((magic["data"], magic["rows"]), ("no data", 19020))
        self.assertEqual(magic["published"]["two_gpus_seconds"], 0.017)
        self.assertNotIn("seconds", magic)
        poker = by_name["poker"]
        self.assertEqual((poker["rows"], poker["attributes"]), (1_025_010, 11))
        self.assertGreater(poker["raw_gpops_per_s"], 0)
        self.assertEqual(poker["symbols"], 42)

    def test_pittsburgh(self):
        """Data sets that are not there are shown with the paper's figures."""
        out, _ = self.atoll("bench", "pittsburgh", "--backend", "cpu", "--threads", "1", "--format",
                         "json", env={**os.environ, "ATOLL_DATA": str(self.folder)})
        records = json.loads(out)
        self.assertEqual(len({record["dataset"] for record in records}), 10)
        iris = next(record for record in records if record["dataset"] == "iris")
        self.assertEqual((iris["data"], iris["population"]), ("no data", 10))
        poker = [record for record in records if record["dataset"] == "poker"]
        self.assertEqual([(record["population"], record["lists"]) for record in poker],
                         [(10, "conjunctions"), (25, "conjunctions"), (50, "conjunctions"),
                          (100, "conjunctions"), (100, "grammar")])
        for record in poker:
            self.assertGreater(record["gpops_per_s"], 0)
            self.assertGreater(record["stages"]["coverage_seconds"], 0)
            self.assertNotIn("watts", record)
        self.assertEqual(poker[3]["published"]["evaluation"]["two_gpus_seconds"], 0.239)

    def test_itemsets(self):
        records = self.measure("itemsets", "--rows", 1000, "--items", 50, "--min-count", 60, "--threads", 1,
                               "--backend", "cpu")
        self.assertEqual([(r["bench"], r["backend"], r["rows"], r["items"], r["min_count"], r["family"])
                          for r in records],
                         [("itemsets", "cpu", 1000, 50, 60, f) for f in ("all", "closed", "maximal")])
        for record in records:
            for key in ("sets", "seconds", "best_seconds", "sets_per_s", "list_seconds"):
                self.assertGreater(record[key], 0, key)
        data = self.folder / "quest.dat"
        self.atoll("generate", "quest", "-o", data, "--rows", 1000, "--length", 20, "--pattern-length", 6,
                   "--items", 50, "--seed", 1)
        for record, family in zip(records, ((), ("--closed",), ("--maximal",))):
            found, _ = self.atoll("itemsets", data, "-o", "-", "--min-count", 60, *family)
            self.assertEqual(record["sets"], len(found.splitlines()))
        out, _ = self.atoll("bench", "itemsets", "--rows", 500, "--items", 20, "--min-count", 50)
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["sets", "all", "closed", "maximal"])

    def uncertain(self, *arguments, **environment):
        return self.atoll("bench", "uncertain", *arguments, "--threads", "1", "--runs", "1",
                          "--backend", "cpu",
                          env={**os.environ, "ATOLL_DATA": str(self.folder), **environment})

    def test_uncertain(self):
        with open(self.folder / "accidents-part.dat", "w", encoding="ascii") as file:
            for row in range(40):
                print(*(item for item in range(1, 8) if row % (item + 1) != 0), file=file)
        out, err = self.uncertain("--dataset", "accidents", "--rows", "300", "--minsup", "20",
                                  "--format", "json")
        self.assertIn("accidents: the file has 40 transactions, which are repeated up to 300", err)
        records = json.loads(out)
        for record in records:
            self.assertEqual({k: record[k] for k in ("bench", "backend", "threads", "dataset",
                                                     "rows", "rows_of_file", "items", "minsup")},
                             {"bench": "uncertain", "backend": "cpu", "threads": 1,
                              "dataset": "accidents", "rows": 300, "rows_of_file": 40, "items": 7,
                              "minsup": 0.2})
            self.assertGreater(record["sets"], 7)
        by_figure = {}
        for record in records:
            by_figure.setdefault(record["figure"], []).append(record)
        self.assertEqual(set(by_figure), {"3.7", "3.8", "3.9", "3.11", "3.13", "table 3.3"})
        self.assertEqual(by_figure["3.11"][0]["published"]["speedup"], "4.4")
        self.assertEqual([record["way"] for record in by_figure["table 3.3"]],
                         ["paper, cpu", "paper, cuda", "cores", "cores, plain"])
        self.assertEqual(by_figure["table 3.3"][1]["total_seconds"], 2.841)
        self.assertGreater(by_figure["3.13"][0]["plain_cores_seconds"], 0)

    def test_uncertain_tells_of_missing_data(self):
        out, err = self.uncertain("--dataset", "kosarak", "--format", "json")
        (record,) = json.loads(out)
        self.assertEqual((record["dataset"], record["data"]), ("kosarak", "no data"))
        self.assertIn("kosarak: there is no kosarak.dat in the folder ATOLL_DATA", err)

    def test_uncertain_by_rank(self):
        out, _ = self.uncertain("--figure", "3.12", "--rows", "64", "--distributions", "20")
        lines = [line.split() for line in out.splitlines()]
        self.assertEqual([line[0] for line in lines if line and line[0].isdigit()], ["4", "5", "6"], out)

    def test_uncertain_generates(self):
        out, _ = self.uncertain("--dataset", "T25I10D500K", "--rows", "400", "--minsup", "2",
                                "--figure", "3.13", "--format", "json")
        (record,) = json.loads(out)
        self.assertEqual((record["rows_of_file"], record["minsup"]), (400, 0.02))

    def test_fits(self):
        (record,) = self.measure("fits", *SMALL[:4], "--backend", "cpu")
        self.assertEqual({k: record[k] for k in ("bench", "backend", "threads", "rows", "comparisons", "fits")},
                         {"bench": "fits", "backend": "cpu", "threads": 1, "rows": 2000, "comparisons": 6,
                          "fits": 10})
        for key in ("gained", "seconds", "fits_per_s"):
            self.assertGreater(record[key], 0, key)
        self.assertEqual(self.measure("fits", *SMALL[:4], "--backend", "reference")[0]["gained"],
                         record["gained"])

    def test_rates(self):
        (record,) = self.measure("rates", "--backend", "cpu")
        self.assertGreater(record["core"]["popcount_words_per_s"], 0)
        out, _ = self.atoll("bench", "rates", "--backend", "cpu")
        self.assertEqual([line.split()[0] for line in out.splitlines()],
                         ["rate", "logic_words_per_s", "load_words_per_s", "popcount_words_per_s"])

    def test_help_lists_benchmarks_and_defaults(self):
        out, _ = self.atoll("bench", "--help")
        for says in ("team         batches", "beside Cano et al. 2013, Table 5", "[1000000; concurrency: 2500; ",
                     "scaling: islands of each rank [4]"):
            self.assertIn(says, out)

    def test_usage(self):
        for arguments, says in (
                ([], "NAME"),
                (["speed"], "expected interpreter, evaluation, concurrency, pittsburgh, apriori, itemsets, pairs, uncertain, fits, "
                            "rates, scaling or team"),
                (["itemset"], "unknown benchmark 'itemset', did you mean 'itemsets'?"),
                (["itemsets", "--rules", "5"], "--rules: bench itemsets generates transactions"),
                (["itemsets", "--min-count", "0"], "--min-count"),
                (["itemsets", "--backend", "reference"], "take cpu or cuda"),
                (["uncertain", "--backend", "reference"], "take auto, cpu or cuda"),
                (["uncertain", "--dataset", "chess"], "T25I10D500K or kosarak"),
                (["uncertain", "--figure", "3.6"], "3.13 or table-3.3"),
                (["uncertain", "--minsup", "101"], "a number from 0 to 100"),
                (["uncertain", "--rules", "5"], "takes the data sets of the thesis"),
                (["rates", "--backend", "reference"], "take cpu or cuda"),
                (["rates", "--rows", "5"], "--rows: bench rates measures the machine alone"),
                (["fits", "--pipeline", "fused"], "--pipeline"),
                (["interpreter", "--min-count", "5"], "--min-count is for bench itemsets"),
                (["pittsburgh", "--rules", "5"], "as in the paper"),
                (["pittsburgh", "--backend", "reference"], "hours"),
                (["interpreter", "--format", "xml"], "table or json"),
                (["interpreter", "--rows", "0"], "--rows"),
                (["interpreter", "--rows", "many"], "--rows"),
                (["interpreter", "--rows", "99999999999"], "--rows"),
                (["interpreter", "--rules", "0"], "--rules"),
                (["interpreter", "--comparisons", "1"], "--comparisons"),
                (["interpreter", "--comparisons", "17"], "more than the attributes (16)"),
                (["interpreter", "--attributes", "1"], "--attributes"),
                (["interpreter", "--planes", "0"], "--planes"),
                (["interpreter", "--planes", "17"], "--planes"),
                (["interpreter", "--shape", "round"], "one-sided, intervals or deep"),
                (["interpreter", "--shared", "0.6"], "--shared"),
                (["interpreter", "--shared", "-0.1"], "--shared"),
                (["interpreter", "--shared", "nan"], "--shared"),
                (["concurrency", "--shared", "half"], "--shared"),
                (["concurrency", "--rules", "0"], "--rules"),
                (["interpreter", "--backend", "cuda", "--pipeline", "sewer"],
                 "fused, staged or published"),
                (["interpreter", "--pipeline", "fused"], "--pipeline"),
                (["interpreter", "--backend", "cpu", "--pipeline", "published"], "--backend cuda"),
                (["interpreter", "--backend", "abacus"], "--backend"),
                (["interpreter", "--threads", "-1"], "--threads"),
                (["evaluation", "--rows", "10"], "--rows"),
                (["evaluation", "--planes", "3"], "--planes"),
                (["evaluation", "--shape", "deep"], "--shape"),
                (["evaluation", "--shared", "0.5"], "--shared"),
                (["evaluation", "--rules", "x"], "--rules")):
            with self.subTest(arguments):
                self.fails("bench", *arguments, status=64, says=says)

    def test_backend_that_is_not_there(self):
        """It says so before anything is printed, also where the first data sets have no data."""
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1",
                       "ATOLL_DATA": str(self.folder)}
        for arguments in (["interpreter", *SMALL], ["concurrency", *SMALL], ["evaluation"],
                          ["interpreter", *SMALL, "--pipeline", "published"]):
            with self.subTest(arguments):
                self.fails("bench", *arguments, "--backend", "cuda", status=69, says="cuda",
                           env=environment)


if __name__ == "__main__":
    unittest.main()
