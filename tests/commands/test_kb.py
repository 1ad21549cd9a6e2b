"""`kb`: bases made, listed and shown without a database; refusals end with status 2."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring.services.similes.knowledge_bases import ensure_demo_base, folder, known_bases, open_base
from tests.hauser.bases import table, write

TRIPLES = table([("sea", "calm", "mirror", 4, 0.5), ("lake", "flat", "mirror", 1, 1)])


@pytest.fixture(autouse=True)
def _var(tmp_path, settings):
    settings.KNOWLEDGE_FOLDER = tmp_path / "var" / "knowledge"


def kb(*arguments: Any) -> str:
    out = io.StringIO()
    call_command("kb", *map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


def refusal(*arguments: Any) -> str:
    with pytest.raises(CommandError) as caught:
        kb(*arguments)
    assert caught.value.returncode == 2
    return str(caught.value)


def test_the_demos_base_is_there_from_the_start():
    with open_base("demo") as base:
        assert base.vehicle("the wind").frequency > 2
        assert base.pair("the news", "wildfire").frequency == 2
        assert base.vehicle("a drum").frequency < base.vehicle("wildfire").frequency
        made = folder().base("demo").stat()
    ensure_demo_base()
    assert folder().base("demo").stat() == made
    assert folder().names() == ["demo"]
    assert [path.name for path in folder().path.iterdir()] == ["demo.kb.sqlite3"]


def test_a_demo_base_that_this_version_cannot_read_is_made_again():
    folder().path.mkdir(parents=True)
    folder().base("demo").write_bytes(b"of another version")
    with open_base("demo") as base:
        assert base.vehicle("the wind").frequency > 2


def test_several_bases_lie_side_by_side(tmp_path):
    kb("import", write(tmp_path, TRIPLES), "--name", "maps")
    kb(
        "build",
        write(tmp_path, "The boy ran like the wind.", "corpus.txt"),
        "--name",
        "own",
        "--processes",
        1,
    )
    listed = kb("list")
    assert [line.split()[0] for line in listed.splitlines()] == ["name", "demo", "maps", "own"]
    assert "triples.csv" in listed
    stated = json.loads(kb("list", "--json=-"))
    assert stated["maps"]["size"]["frequency"] == 5
    assert stated["maps"]["origin"]["sources"][0]["sha256"] in kb("show", "maps")


def test_a_folder_of_similes_becomes_a_base_in_one_command(tmp_path):
    folder = tmp_path / "similes"
    folder.mkdir()
    write(folder, "topic,vehicle,property\nThe knight,a lion,brave\n")
    output = kb("collect", folder, "--name", "public")
    assert "read: triples.csv" in output
    assert "1 similes; 0 repeated, 0 without a vehicle, 0 excluded." in output
    with open_base("public") as base:
        assert base.has_plausibility
    assert "[not_similes]" in refusal("collect", tmp_path / "var", "--name", "other")


def test_show_explains_a_vehicle_and_a_pair(tmp_path):
    kb("import", write(tmp_path, TRIPLES), "--name", "maps")
    assert "'a mirror' as a vehicle: 5 times" in kb("show", "maps", "--vehicle", "a mirror")
    pair = kb("show", "maps", "--vehicle", "mirror", "--topic", "The sea")
    assert "4 times in 1 triples, Σ n·P = 2" in pair
    assert "calm: 4, plausibility 0.500" in pair
    found = json.loads(kb("show", "maps", "--vehicle=mirror", "--topic=sea", "--json=-"))["found"]
    assert found == [{"property": "calm", "frequency": 4, "plausibility": 0.5}]
    assert "bad_option" in refusal("show", "maps", "--topic=sea")


def test_bad_rows_are_reported(tmp_path):
    output = kb("import", write(tmp_path, f"{TRIPLES}sea,calm,mirror,x,1\n"), "--name", "maps")
    assert "1 rows could not be used" in output
    assert "triples.csv, row 4, column 'count': 'x' is not a whole number of at least 1 [bad_count]" in output


def test_refusals_name_the_fault_and_store_nothing(tmp_path):
    assert "missing columns: property" in refusal("import", write(tmp_path, "new_topic\n"), "--name", "maps")
    assert "[no_such_file]" in refusal("import", tmp_path / "none.csv", "--name", "maps")
    assert "[no_such_file]" in refusal("build", tmp_path / "none.txt", "--name", "maps")
    assert "[bad_name]" in refusal("import", write(tmp_path, TRIPLES), "--name", "../maps")
    assert "[bad_option]" in refusal("build", tmp_path / "none.txt", "--name", "maps", "--processes", "0")
    assert "available: none [no_such_base]" in refusal("show", "maps")
    assert list(known_bases()) == ["demo"]


def test_a_name_is_not_taken_twice_unless_asked(tmp_path):
    source = write(tmp_path, TRIPLES)
    kb("import", source, "--name", "maps")
    assert "[name_taken]" in refusal("import", source, "--name", "maps")
    source.write_text(table([("sea", "calm", "mirror", 9, 0.5)]))
    kb("import", source, "--name", "maps", "--replace")
    assert folder().about("maps").size.frequency == 9


def test_a_damaged_base_is_listed_as_such(tmp_path):
    ensure_demo_base()
    folder().base("broken").write_bytes(b"no database")
    assert "broken  not_a_base" in kb("list")
    assert json.loads(kb("list", "--json=-"))["broken"]["code"] == "not_a_base"
