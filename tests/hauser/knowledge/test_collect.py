"""A base collected from files of similes: their forms, what counts once, and probabilities of properties."""

from __future__ import annotations

import json

import pytest

from scoring.hauser.knowledge.collecting.collect import collect, weighed
from scoring.hauser.knowledge.file_format import KnowledgeBaseError
from scoring.hauser.knowledge.lookup import KnowledgeBase
from tests.hauser.bases import SOFTWARE, staging, target, write

TABLE = "topic,vehicle,property,count\nThe knight,a lion,brave,3\nthe king,a lion,,1\nThe boy,a lion,loud,1\n"
QUIZ = (
    "sentence,topic,vehicle,event,option0,option1,ans_idx\n"
    "The lake is as _ as a mirror .,The lake,a mirror,is,deep,calm,1\n"
)
CLOSED = (
    "The lake is as _ as a mirror .\tlake\tcalm\tmirror\nHer hands were as _ as ice .\tHer hands\tcold\tice\n"
)
CANDIDATES = [{"origin_sentence": "He ran.", "cands": ["He ran like a hare.", "He ran like the wind."]}]


def collected(folder, *sources, **settings):
    collect(sources, target(folder), staging(folder), software=SOFTWARE, **settings)
    return KnowledgeBase(target(folder))


def refused(folder, *sources):
    with pytest.raises(KnowledgeBaseError) as caught:
        collect(sources, target(folder), staging(folder), software=SOFTWARE)
    assert not target(folder).exists()
    return caught.value


@pytest.fixture
def similes(tmp_path):
    folder = tmp_path / "similes"
    (folder / "deeper").mkdir(parents=True)
    write(folder, QUIZ, "quiz.csv")
    write(folder, CLOSED, "closed.txt")
    write(folder, TABLE, "triples.csv")
    write(folder / "deeper", json.dumps(CANDIDATES), "candidates.json")
    write(folder, "item,rating\n1,5\n", "ratings.csv")
    write(folder, b"\xff\xfe\x00", "noise.txt")
    write(folder, "{}", "settings.json")
    return folder


def test_a_folder_is_read_in_all_forms_and_other_files_are_left_out(tmp_path, similes):
    with collected(tmp_path, similes) as base:
        files = [source.file for source in base.about.origin.sources]
        assert files == ["closed.txt", "candidates.json", "quiz.csv", "triples.csv"]
        assert base.vehicle("lion").frequency == 5
        assert base.pair("he", "a hare").frequency == 1
        assert base.known_for("the mirror", "calm") == 1
        assert base.known_for("lion", "Brave") == 3
        assert base.known_for("lion", "wet") == 0
        assert base.about.origin.kind == "collected"


def test_a_sentence_of_two_files_counts_once(tmp_path, similes):
    with collected(tmp_path, similes) as base:
        assert base.vehicle("mirror").frequency == 1
        counted = base.about.counted
    assert (counted["similes"], counted["repeated"]) == (7, 1)


def test_plausibility_is_the_share_of_the_property_among_the_uses_of_the_vehicle(tmp_path, similes):
    with collected(tmp_path, similes) as base:
        (brave,) = base.triples("knight", "lion")
        assert brave.plausibility == pytest.approx(3 / 5)
        assert base.pair("knight", "lion").weighted == pytest.approx(3 * 3 / 5)


def test_the_shares_of_a_vehicle_sum_to_1_over_its_properties():
    shares = weighed({("a", "x", "v"): 2, ("b", "x", "v"): 1, ("a", "", "v"): 1, ("a", "x", "w"): 5})
    assert shares == {
        ("a", "x", "v"): 0.75,
        ("b", "x", "v"): 0.75,
        ("a", "", "v"): 0.25,
        ("a", "x", "w"): 1.0,
    }


def test_sentences_to_be_scored_are_left_out(tmp_path, similes):
    scored = write(tmp_path, "He ran like a hare.\n", "scored.txt")
    with collected(tmp_path, similes, exclude=scored) as base:
        assert base.vehicle("hare").frequency == 0
        assert base.vehicle("wind").frequency == 1
        assert base.about.counted["excluded"] == 1


def test_bad_rows_are_reported_with_their_place(tmp_path):
    source = write(tmp_path, "topic,vehicle,count\nlake,mirror,1\n,mirror,1\nlake,glass,0\n", "t.csv")
    with collected(tmp_path, source) as base:
        shown = base.about.counted["bad_rows"]["shown"]
    assert [(one["row"], one["code"]) for one in shown] == [(3, "empty_term"), (4, "bad_count")]


def test_what_has_no_similes_is_refused(tmp_path):
    ratings = write(tmp_path, "item,rating\n1,5\n", "ratings.csv")
    assert refused(tmp_path, ratings).code == "not_similes"
    assert refused(tmp_path, tmp_path).code == "not_similes"
    assert refused(tmp_path, tmp_path / "none.csv").code == "no_such_file"
    assert refused(tmp_path, write(tmp_path, b"topic,vehicle\n\xff", "latin.csv")).code == "wrong_encoding"
    assert refused(tmp_path, write(tmp_path, "topic,vehicle\n", "empty.csv")).code == "nothing_to_store"
