"""The index of a knowledge base answers as a dictionary does, however its names fall on their homes."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.hauser.knowledge.index import VEHICLE, Find, Index, finder, hashed, placed, write_index
from scoring.hauser.knowledge.sums import ROW

terms = st.text(max_size=4)


def table(names: list[bytes], frequencies: list[int]) -> Find:
    """A table in memory of names that are given as they are, so that they may fall on one home."""
    records = np.zeros(len(names), VEHICLE)
    records["frequency"] = frequencies
    homes, places = placed(names, records)
    return finder(places.tobytes(), 0, homes, VEHICLE)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1)), unique=True, max_size=30), st.data())
def test_every_name_is_found_and_no_other_however_they_crowd(halves, data):
    names = [home.to_bytes(8, "little") + name.to_bytes(8, "little") for home, name in halves]
    stored = data.draw(st.integers(0, len(names)))
    # Two names whose second halves are the same are one name where their homes lie together.
    unique = {name[8:]: name for name in names[:stored]}
    own = table(list(unique.values()), list(range(1, len(unique) + 1)))
    found = [own(name) for name in unique.values()]
    assert [one and one[1] for one in found] == list(range(1, len(unique) + 1))
    assert all(own(name) is None for name in names[stored:] if name[8:] not in unique)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.tuples(terms, terms), st.integers(1, 2**40), max_size=20), terms, terms)
def test_an_index_of_any_terms_answers_as_a_dictionary(tmp_path: Path, pairs, topic, vehicle):
    words = list(dict.fromkeys(term for pair in pairs for term in pair))
    numbers = {word: number for number, word in enumerate(words, start=1)}
    rows = np.array([(numbers[v], numbers[t], 0, n, n / 3) for (t, v), n in pairs.items()], ROW)
    of_vehicle = {word: sum(n for (_, v), n in pairs.items() if v == word) for word in words}
    vehicles = np.array([(numbers[v], 0, 0, n, 0) for v, n in of_vehicle.items() if n], ROW)
    file = io.BytesIO()
    write_index(file, words, rows, np.full(len(rows), 2), vehicles)
    path = tmp_path / "index"
    path.write_bytes(b"in front" + file.getvalue())
    index = Index(path, len(b"in front"))
    for one, other in {*pairs, (topic, vehicle), (vehicle, topic)}:
        n = pairs.get((one, other))
        assert (index.pair(one, other) or (None,))[1:] == ((n, n / 3, 2) if n else ())
        assert index.vehicle(other) == of_vehicle.get(other, 0)
    index.close()


def test_a_pair_is_not_another_that_reads_the_same_when_its_terms_are_joined():
    assert len({hashed("a b", "c"), hashed("a", "b c"), hashed("ab", "c"), hashed("1 a", "")}) == 4


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"kb index" + b"\xff" * 100])
def test_what_is_no_whole_index_is_refused(tmp_path, content):
    path = tmp_path / "index"
    path.write_bytes(b"in front" + content)
    with pytest.raises(ValueError, match="index"):
        Index(path, len(b"in front"))
