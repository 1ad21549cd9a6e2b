"""Each command in a block of code of the documentation is run as it is written, or by a test of its own."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Item, Study, User
from annotation.services.studies.demo import ensure_demo
from scoring.models import Score
from tests.architecture.pages import CALL, FENCE, OURS, PAGES, ROOT, text_of
from tests.stats.samples import likert, long_form

pytestmark = [pytest.mark.django_db, pytest.mark.once]
# Commands that start servers, reach a hub, restore a database or read the files of a published study.
ELSEWHERE = {
    "backup": "tests/backup/test_rehearsal.py",
    "catalogues": "tests/settings/test_catalogues.py",
    "compare_runs": "tests/services/metrics/test_repetition.py",
    "demo": "tests/serving/test_installed.py",
    "draw_pairs": "tests/services/items/test_preferences.py",
    "import_judge": "tests/services/judges/test_judgement_files.py",
    "import_ratings": "tests/commands/test_files.py",
    "import_probing": "tests/services/items/test_probing.py",
    "import_published": "tests/published/test_hauser.py",
    "import_tuples": "tests/services/items/test_tuple_imports.py",
    "judge": "tests/commands/statistics/test_judge.py",
    "kb": "tests/commands/test_kb.py",
    "models": "tests/commands/test_models.py",
    "replicate": "tests/replication/test_replicate_command.py",
    "restore": "tests/backup/test_rehearsal.py",
    "score": "tests/commands/test_score.py",
    "verify": "tests/backup/test_verify.py",
}
WORDS = {
    "ADDRESS": "new@example.org",
    "EMAIL": "me@example.org",
    "FILE": "ratings.xlsx",
    "ONE": "everyday-similes",
    "OTHER": "other",
    "PROTOCOL": "hauser",
    "STUDY": "everyday-similes",
}
OPTIONAL = re.compile(r"\s*\[[^]]*\]")
# In the order in which one leads to the next: the first exports what later ones import.
RUN_HERE = (
    "add_user",
    "agreement",
    "metaeval",
    "ordinal_model",
    "components",
    "export",
    "import_scores",
    "simulate",
    "study_definition",
    "demo_study",
)


def documented() -> list[str]:
    """The calls in blocks of code, without what is optional."""
    found = set()
    for page in PAGES:
        for block in FENCE.findall(text_of(page)):
            for line in re.split(r"\s+(?:&&|;|\||>)\s+|\s+#|\n", re.sub(r"\s*\\\n\s*", " ", block)):
                _, *called = CALL.split(line)
                found |= {OPTIONAL.sub("", call).strip() for call in called}
    return sorted(call for call in found if call.split()[0] in OURS)


CALLS = {name: [call for call in documented() if call.split()[0] == name] for name in RUN_HERE}


def write_files(folder: Path) -> None:
    """The files that the documents name."""
    ratings = long_form(likert(1, 20, 4))
    ratings.to_csv(folder / "ratings.csv", index=False)
    scores = ratings.drop_duplicates("item").assign(metric="length", value=range(20))
    scores[["item", "metric", "value"]].to_csv(folder / "scores.csv", index=False)
    matrix = ratings.pivot(index="item", columns="rater", values="value").reset_index()
    matrix.columns = ["story", "ann", "bob", "eve", "joe"]
    matrix.to_csv(folder / "matrix.csv", index=False)
    wide = ratings.rename(columns={"item": "story", "rater": "worker", "value": "humour"})
    wide.assign(system="a", clarity=wide["humour"]).to_csv(folder / "stories.csv", index=False)
    (folder / "similes.csv").write_text("sentence\nThe sea was calm like a mirror.\n", encoding="utf-8")
    keys = Item.objects.values_list("key", flat=True)
    (folder / "bertscore.csv").write_text(
        "id,F1\n" + "".join(f"{key},0.5\n" for key in keys), encoding="utf-8"
    )


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[[str], str]:
    """What a command prints, with something in place of the words in capitals."""

    def printed(call: str) -> str:
        call_command(*(WORDS.get(word, word) for word in shlex.split(call)))
        return capsysbinary.readouterr().out.decode()

    return printed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user with these files and the demo study."""
    ensure_demo()
    User.objects.create_user("me@example.org", "simile-and-metaphor-42")
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_documented_command_is_run_here_or_by_a_test_of_its_own() -> None:
    assert {call.split()[0] for call in documented()} == {*RUN_HERE, *ELSEWHERE}
    for name, path in ELSEWHERE.items():
        assert name in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", ["agreement", "metaeval", "ordinal_model", "components"])
def test_statistics_of_files_print_what_they_computed(
    folder: Path, run: Callable[[str], str], name: str
) -> None:
    assert CALLS[name]
    for call in CALLS[name]:
        printed = run(call)
        assert re.search("quality|humour|rating", printed) or (folder / "components.csv").exists(), call


def test_a_study_is_exported_and_its_files_are_read_again(folder: Path, run: Callable[[str], str]) -> None:
    printed = "".join(run(call) for call in CALLS["export"])
    assert "everyday-similes,L1-1" in printed
    assert (folder / "ratings.xlsx").exists()
    assert (folder / "restored.csv").exists()
    for call in CALLS["study_definition"]:
        if call.startswith("study_definition export"):
            (folder / "study.yaml").write_text(run(call), encoding="utf-8")
    for call in CALLS["study_definition"]:
        run(call)
    assert Study.objects.get(slug="again").forms.exists()


def test_people_scores_and_simulated_raters_come_in(folder: Path, run: Callable[[str], str]) -> None:
    for name in ("add_user", "import_scores", "simulate", "demo_study"):
        assert CALLS[name]
        for call in CALLS[name]:
            run(call)
    assert User.objects.get(email="new@example.org").is_site_administrator
    assert set(Score.objects.values_list("value", flat=True)) == {0.5}
    assert Study.objects.get(slug="everyday-similes").raters.filter(simulated=True).count() >= 20
