"""Dataset files and checkpoints that others have made: one line, 65, and nothing else happens."""

import pathlib
import random
import shutil
import unittest

import h5py
import numpy

from altered_files import Original, judge, with_trailer
from harness import ATOLL, MPIEXEC, EndToEnd

SECONDS, MEGABYTES = 10, 1024
MINE = ["--generations", 3, "--population", 10, "--islands", 2, "--threads", 1, "--seed", 1]


class Foreign(EndToEnd):
    def setUp(self):
        super().setUp()
        self.table(300)
        self.atoll("import", "table.csv", "-o", "good.h5")

    def made(self, change, name="made.h5", **options):
        """The good file after `change` of it, open in h5py, with a trailer that fits."""
        path = self.folder / name
        path.write_bytes((self.folder / "good.h5").read_bytes()[:-32])
        with h5py.File(path, "r+", **options) as file:
            change(file)
        path.write_bytes(with_trailer(path.read_bytes()))
        return name

    def replaced(self, dataset, **options):
        """The good file with the dataset stored in another way."""
        def change(file):
            values = file[dataset][...]
            del file[dataset]
            file.create_dataset(dataset, data=values, **options)
        return self.made(change)

    def edited(self, dataset, index, value):
        def change(file):
            file[dataset][index] = value
        return self.made(change)

    def is_refused(self, name, says, ranks=0):
        self.fails("info", name, status=65, says=says)
        self.fails("mine", name, "-o", "run", *MINE, status=65, says=says)
        if ranks and MPIEXEC:
            _, err = self.atoll("mine", name, "-o", "run", *MINE, status=65, ranks=ranks)
            said = [line for line in err.splitlines() if line.startswith("atoll: ")]
            self.assertEqual(len(said), 1, err)
            self.assertIn(says, said[0])
        self.assertFalse((self.folder / "run").exists())


class Layouts(Foreign):
    def test_what_is_not_altered_is_read(self):
        self.atoll("info", self.made(lambda file: None))
        self.atoll("info", self.replaced("counts"))

    def test_datasets_in_other_files_are_not_read(self):
        secret = self.write("secret", b"\0" * 4096)

        def external(file):
            values = file["attributes/name_text"][...]
            del file["attributes/name_text"]
            place = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            place.set_external(str(secret).encode(), 0, values.size)
            space = h5py.h5s.create_simple(values.shape)
            h5py.h5d.create(file.id, b"attributes/name_text", h5py.h5t.STD_U8LE, space, place)
        self.is_refused(self.made(external), "/attributes/name_text lies in another file")

        other = self.made(lambda file: None, "other.h5")

        def linked(file):
            del file["counts"]
            file["counts"] = h5py.ExternalLink(other, "counts")
        self.is_refused(self.made(linked), "/counts is a link to elsewhere")

        def folder_linked(file):
            del file["attributes"]
            file["attributes"] = h5py.ExternalLink(other, "attributes")
        self.is_refused(self.made(folder_linked), "/attributes is a link to elsewhere")

        def soft(file):
            file.move("counts", "elsewhere")
            file["counts"] = h5py.SoftLink("/elsewhere")
        self.is_refused(self.made(soft), "/counts is a link to elsewhere")

        def virtual(file):
            size = file["counts"].shape
            del file["counts"]
            layout = h5py.VirtualLayout(shape=size, dtype="<u8")
            layout[:] = h5py.VirtualSource(other, "counts", shape=size)
            file.create_virtual_dataset("counts", layout)
        self.is_refused(self.made(virtual, libver="latest"), "/counts is not contiguous")

    def test_only_contiguous_datasets_of_the_right_numbers(self):
        self.is_refused(self.replaced("planes", chunks=(1, 1, 8)), "/planes is not contiguous")
        self.is_refused(self.replaced("counts", chunks=(1,), compression="gzip"),
                        "/counts is not contiguous")
        self.is_refused(self.replaced("counts", dtype="<i8"), "/counts has a type of numbers")
        self.is_refused(self.replaced("attributes/kind", dtype="<u8"), "numbers of another type")

        def flat(file):
            values = file["planes"][...]
            del file["planes"]
            file.create_dataset("planes", data=values.reshape(-1))
        self.is_refused(self.made(flat), "/planes has not 3 dimensions")

        def text(file):
            del file.attrs["fingerprint"]
            file.attrs["fingerprint"] = "0" * 32  # h5py makes that of variable length
        self.is_refused(self.made(text), "fingerprint: neither a number nor a text of fixed length")

        def around(file):  # in a circle
            del file["attributes"]
            file["attributes"] = file["/"]
        self.is_refused(self.made(around), "/planes lies over /attributes/planes")

    def test_rows_that_are_not_there(self):
        def many(file):
            planes = file["planes"].shape
            del file["planes"]
            del file.attrs["rows"]
            file.attrs.create("rows", 10**15, dtype="<u8")
            first = 0
            for distinct in file["attributes/distinct"][...]:
                file["counts"][first] += 10**15 - 300
                first += int(distinct)
            place = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            place.set_layout(h5py.h5d.CONTIGUOUS)
            place.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)
            space = h5py.h5s.create_simple((10**15 // 4096, planes[1], 64))
            h5py.h5d.create(file.id, b"planes", h5py.h5t.STD_U64LE, space, place)
        name = self.made(many)
        self.is_refused(name, "/planes has no place in the file", ranks=2)


class Contradictions(Foreign):
    def test_names(self):
        def names(text, ends):
            def change(file):
                for part in ("name_text", "name_end"):
                    del file["attributes/" + part]
                file.create_dataset("attributes/name_text",
                                    data=numpy.frombuffer(text, dtype=numpy.uint8))
                file.create_dataset("attributes/name_end", data=numpy.array(ends, dtype="<u8"))
            return self.made(change)
        self.is_refused(names(b"xxcolclass", [1, 2, 5, 10]), "two attributes have the same name")
        self.is_refused(names(b"ycolclass", [0, 1, 4, 9]), "an attribute has no name")

    def test_counts_planes_and_fingerprint(self):
        with h5py.File(self.folder / "good.h5") as file:
            counts = file["counts"][...]
            word = file["planes"][0, 0, 0]

        def moved(file):
            file["counts"][0] = counts[0] + 1
            file["counts"][1] = counts[1] - 1
        says = "attribute x: its planes do not have the rows of its counts"
        self.is_refused(self.made(moved), says, ranks=2)
        self.is_refused(self.edited("planes", (0, 0, 0), word ^ numpy.uint64(1)), "attribute x: ")

        def named(file):
            file["attributes/name_text"][0] = ord("z")
        self.is_refused(self.made(named), "the fingerprint is not that of the content")


class Altered(Foreign):
    """scripts/reliability files has many more."""

    def is_harmless(self, words, what):
        outcome = judge([ATOLL, *map(str, words)], self.folder)
        said = f"{what}: {outcome.text}"
        self.assertIn(outcome.status, (0, 65), said)
        self.assertLessEqual(outcome.seconds, SECONDS, said)
        self.assertLessEqual(outcome.megabytes, MEGABYTES, said)
        return outcome.status

    def test_dataset_files(self):
        original = Original(self.folder / "good.h5", self.folder / "early.h5")
        path = self.folder / "altered.h5"
        path.write_bytes(original.unaltered())
        self.atoll("info", path)
        refused = 0
        for seed in range(450):
            path.write_bytes(original.altered(random.Random(seed)))
            refused += self.is_harmless(["info", path], f"seed {seed}") == 65
        self.assertGreater(refused, 300)

    def test_checkpoints(self):
        self.atoll("mine", "good.h5", "-o", "run", *MINE, "--top", 3)
        checkpoint = next((self.folder / "run/checkpoints").glob("checkpoint-*"))
        original = Original(checkpoint, self.folder / "early.h5")
        shutil.copytree(self.folder / "run", self.folder / "kept")
        checkpoint.write_bytes(original.unaltered())
        self.atoll("resume", "run")
        for seed in range(50):
            checkpoint.write_bytes(original.altered(random.Random(seed)))
            self.is_harmless(["resume", "run"], f"seed {seed}")
            self.is_harmless(["info", "run"], f"seed {seed}")

    def test_files_of_former_attacks(self):
        """They made HDF5 1.10 crash, or take 4 GB."""
        folder = pathlib.Path(__file__).parent / "hostile"
        for path in sorted(folder.iterdir()):
            with self.subTest(path.name):
                self.assertEqual(self.is_harmless(["info", path], path.name), 65)


if __name__ == "__main__":
    unittest.main()
