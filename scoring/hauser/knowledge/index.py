"""The sums of a knowledge base for fast look-up: two tables of hashed names after its database.

A name has a home place, and is stored in the first free place from there on; so a look-up reads one or two
places next to each other, however many there are. The tables are in the file after the pages that SQLite
counts as its own, and are read as mapped memory.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from scoring.hauser.knowledge.sums import Counts, RowArray

HALVES = struct.Struct("<QQ")
HEADER = struct.Struct("<8sQQQQ")
MARK = b"kb index"
# An empty place has the frequency 0, which nothing in a base has.
PAIR = np.dtype([("name", "<u8"), ("frequency", "<i8"), ("weighted", "<f8"), ("triples", "<u4")])
VEHICLE = np.dtype([("name", "<u8"), ("frequency", "<i8")])
PLACES_PER_NAME = 1.25
Found = tuple[Any, ...]
Find = Callable[[bytes], Found | None]


def hashed(term: str, other: str = "") -> bytes:
    """Sixteen bytes for a vehicle, or for a topic and a vehicle: the home, and the name in the second half.

    Two names are taken for one only where all of the second half and nearly all of the home are the same,
    which no base has names enough for: with ten million the odds are one in a million million.

    Parameters
    ----------
    term, other : str
        In their form for look-up.
    """
    text = f"{len(term)} {term}{other}"
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def placed(names: Iterable[bytes], records: RowArray) -> tuple[int, RowArray]:
    """Arrange records in the places where `finder` looks for them.

    Parameters
    ----------
    names : iterable of bytes
        Names from `hashed`, one per record.
    records : ndarray of PAIR or VEHICLE
        Their field `name` is filled here.

    Returns
    -------
    tuple
        How many homes there are, and the places; the last is empty.
    """
    halves: npt.NDArray[np.uint64] = np.frombuffer(b"".join(names), "<u8").reshape(-1, 2)
    homes = int(len(records) * PLACES_PER_NAME) + 1
    home = (halves[:, 0] % np.uint64(homes)).astype(np.int64)
    records["name"] = halves[:, 1]
    order = np.argsort(home, kind="stable")
    number = np.arange(len(records))
    place = number + np.maximum.accumulate(home[order] - number)
    places: RowArray = np.zeros(max(homes, int(place.max(initial=0)) + 1) + 1, records.dtype)
    places[place] = records[order]
    return homes, places


def write_index(
    file: BinaryIO, terms: Sequence[str], pairs: RowArray, together: Counts, vehicles: RowArray
) -> None:
    """Append the tables to the content of a file.

    Parameters
    ----------
    file : BinaryIO
        At its end.
    terms : sequence of str
        The first has the number 1.
    pairs, vehicles : ndarray of kb_sums.ROW
        Sums over their triples.
    together : ndarray
        Number of triples of each pair.
    """
    records = np.zeros(len(pairs), PAIR)
    records["frequency"], records["weighted"], records["triples"] = pairs["n"], pairs["weighted"], together
    named = zip(pairs["topic"].tolist(), pairs["vehicle"].tolist(), strict=True)
    pair_homes, pair_places = placed((hashed(terms[one - 1], terms[two - 1]) for one, two in named), records)
    records = np.zeros(len(vehicles), VEHICLE)
    records["frequency"] = vehicles["n"]
    homes, places = placed((hashed(terms[one - 1]) for one in vehicles["vehicle"].tolist()), records)
    file.write(HEADER.pack(MARK, pair_homes, len(pair_places), homes, len(places)))
    file.write(pair_places.tobytes())
    file.write(places.tobytes())


def finder(mapped: mmap.mmap | bytes, start: int, homes: int, record: np.dtype[np.void]) -> Find:
    """A function that finds a name in a table: the fields after it, or None where the table has no such name.

    Parameters
    ----------
    mapped : mmap or bytes
        Bytes that contain the table.
    start : int
        Its first byte.
    homes : int
        Number of homes, from `placed`.
    record : dtype
        PAIR or VEHICLE.
    """
    codes = {"<u8": "Q", "<i8": "q", "<f8": "d", "<u4": "I"}
    fields: Sequence[Any] = record.descr
    read = struct.Struct("<" + "".join(codes[code] for _, code in fields)).unpack_from
    size = record.itemsize

    def find(name: bytes) -> Found | None:
        home, wanted = HALVES.unpack(name)
        place = start + home % homes * size
        while True:
            found = read(mapped, place)
            if found[0] == wanted and found[1]:
                return found
            if not found[1]:
                return None
            place += size

    return find


class Index:
    """The tables of a finished base, read only.

    Parameters
    ----------
    path : Path
        The base's file.
    start : int
        Size of the database, which the index follows.

    Raises
    ------
    ValueError
        There is no whole index.
    """

    def __init__(self, path: Path, start: int) -> None:
        with path.open("rb") as file:
            self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self._mapped) < start + HEADER.size:
            raise ValueError("it has no index")
        mark, pair_homes, pair_places, homes, places = HEADER.unpack_from(self._mapped, start)
        first = start + HEADER.size
        second = first + pair_places * PAIR.itemsize
        if mark != MARK or len(self._mapped) != second + places * VEHICLE.itemsize:
            raise ValueError("its index is incomplete")
        self._find_pair = finder(self._mapped, first, pair_homes, PAIR)
        self._find_vehicle = finder(self._mapped, second, homes, VEHICLE)

    def pair(self, topic: str, vehicle: str) -> Found | None:
        """Name, frequency, n · P and number of triples of a topic and a vehicle in their form for look-up."""
        return self._find_pair(hashed(topic, vehicle))

    def vehicle(self, vehicle: str) -> int:
        """Frequency of a vehicle in its form for look-up; 0 if the base does not contain it."""
        found = self._find_vehicle(hashed(vehicle))
        return found[1] if found else 0

    def close(self) -> None:
        """Release the memory."""
        self._mapped.close()
