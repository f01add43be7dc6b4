"""Files of ours as strangers may have changed them: HDF5's metadata altered, the trailer made anew."""

import ctypes
import ctypes.util
import os
import pathlib
import subprocess
import threading

import h5py
import numpy

MAGIC = b"ATOLLend"
TRAILER = 32
# What lengths, offsets and counts are made into.
NUMBERS = [0, 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1]


class _Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


_xxhash = ctypes.CDLL(ctypes.util.find_library("xxhash"))
_xxhash.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
_xxhash.XXH3_128bits.restype = _Hash128


def with_trailer(content):
    """io/FORMAT.md, Trailer."""
    digest = _xxhash.XXH3_128bits(content, len(content))
    return content + len(content).to_bytes(8, "little") + bytes(digest) + MAGIC


class Original:
    """The content of a file of ours in HDF5's earliest format, whose metadata have no checksums."""

    def __init__(self, path, copy):
        with h5py.File(path, "r") as source, h5py.File(copy, "w", libver="earliest") as new:
            def copy_dataset(name, item):
                if isinstance(item, h5py.Dataset):
                    new.create_dataset(name, data=item[...], dtype=item.dtype)
            source.visititems(copy_dataset)
            for name in source.attrs:
                old = source.attrs.get_id(name)
                value = numpy.zeros(old.shape, dtype=old.dtype)
                old.read(value)
                h5py.h5a.create(new.id, name.encode(), old.get_type(), old.get_space()).write(value)
        self.content = pathlib.Path(copy).read_bytes()
        metadata = bytearray(b"\1" * len(self.content))
        with h5py.File(copy, "r") as new:
            def leave_out(_, item):
                if isinstance(item, h5py.Dataset) and item.id.get_offset() is not None:
                    begin = item.id.get_offset()
                    metadata[begin:begin + item.nbytes] = bytes(item.nbytes)
            new.visititems(leave_out)
        # Runs of zeros are room that nothing uses.
        self.places = [at for at in range(len(self.content))
                       if metadata[at] and any(self.content[max(0, at - 4):at + 5])]

    def unaltered(self):
        return with_trailer(self.content)

    def altered(self, rng):
        """A few bytes of metadata changed, or a number of 8 bytes replaced."""
        content = bytearray(self.content)
        if rng.random() < 0.3:
            at = min(rng.choice(self.places), len(content) - 8)
            content[at:at + 8] = rng.choice(NUMBERS).to_bytes(8, "little")
        else:
            for _ in range(rng.randint(1, 6)):
                content[rng.choice(self.places)] = rng.randrange(256)
        return with_trailer(bytes(content))


class Outcome:
    def __init__(self, status, seconds, megabytes, text):
        self.status, self.seconds, self.megabytes, self.text = status, seconds, megabytes, text


def judge(words, folder, limit=60):
    """Runs the words; processor time and greatest memory are those of the process and its children."""
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    text = process.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text)
