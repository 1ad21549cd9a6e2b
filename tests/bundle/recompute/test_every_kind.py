"""A study with every kind of question goes out as a bundle, computes itself again, comes in byte-equal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.questions.kinds.kind import QuestionKind, Yields
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.rating.simulated_raters import AnsweringPattern, SimulatedRater
from annotation.models import Criterion, Item, Rater, Study, User
from annotation.selectors.studies.definition import definition_of
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.items.rating_files import import_items, import_ratings
from annotation.services.questions.criteria import question_of
from annotation.services.studies.definitions import create_from_definition
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import quick, unpacked
from tests.domain.questions.any_kind import criterion
from tests.support.people import make_cast

pytestmark = pytest.mark.django_db
ITEMS, RATERS = 12, 4


def asked(kind: QuestionKind) -> dict[str, Any]:
    """A criterion of the kind as the form editor starts it.

    A pair has two sides. Only one question of a form can mark words, so tuples are written in fields.
    """
    one = criterion(kind, key=kind.key.replace("_", "-"), name=kind.title)
    if kind.yields is Yields.PREFERENCE:
        one["points"] = one["points"][:2]
        for point, side in zip(one["points"], "ab", strict=True):
            point["value"] = side
    if kind.yields is Yields.SPANS:
        one["settings"] |= kind.complete_settings({})
    low, high = kind.ends(None, None, [point["value"] for point in one["points"]])
    return {"question": "What do you say?", "required": True, **one, "minimum": low, "maximum": high}


def definition() -> dict[str, Any]:
    exported: Any = definition_of(make_cast(opened=False).study, with_pay=False)
    (form,) = exported["forms"]
    exported["forms"] = [{**form, "criteria": [asked(kind) for kind in KINDS.values()]}]
    return dict(exported)


def answer(one: Criterion, person: SimulatedRater, truth: float, texts: Mapping[str, str]) -> float | str:
    question = question_of(one)
    sent = one.question_kind.simulated_in(question, person, truth, texts)
    given = one.question_kind.checked(question, sent, texts)
    assert given is not None
    return one.question_kind.cell(given)


@pytest.fixture
def rated() -> Study:
    owner = User.objects.create(email="someone@example.org")
    study = create_from_definition(definition=definition(), slug="kinds", owner=owner).study
    criteria = list(Criterion.objects.filter(version__form__study=study).select_related("version"))
    assert [one.kind for one in criteria] == list(KINDS)
    items = [
        Item.objects.create(
            study=study,
            key=f"I-{n:02d}",
            position=n,
            fields={"simile": f"Text {n}."},
            metadata={"a": f"S{n}"},
        )
        for n in range(ITEMS)
    ]
    raters = [Rater.objects.create(study=study, code=f"R-{n}", state="active") for n in range(RATERS)]
    store_responses(
        loaded=[
            LoadedResponse(
                item=item,
                rater=rater,
                version=criteria[0].version,
                values={one: answer(one, person, item.position / ITEMS, item.fields) for one in criteria},
            )
            for item in items
            for rater in raters
            for person in [SimulatedRater(AnsweringPattern.CAREFUL, f"{item.key}/{rater.code}")]
        ]
    )
    return study


def test_every_kind_goes_out_computes_itself_again_and_comes_in_byte_equal(rated, tmp_path: Path):
    report = compute_report(lease=quick(request_report(study=rated, actor=None, announce=False)))
    assert {row["criterion"] for row in report.figures} >= {
        kind.key.replace("_", "-") for kind in KINDS.values() if kind.yields in (Yields.NUMBER, Yields.ORDER)
    }
    folder = unpacked(rated, tmp_path / "out")
    status, printed = recompute(folder)
    assert status == 0, printed
    owner = User.objects.get(email="someone@example.org")
    exported = definition_of(rated, with_pay=False)
    again = create_from_definition(definition=exported, slug="again", owner=owner).study
    import_items(study=again, path=folder / "data" / "items.csv")
    import_ratings(study=again, path=folder / "data" / "ratings.csv")
    back = unpacked(again, tmp_path / "back")
    for name in ("items.csv", "ratings.csv"):
        first, second = ((one / "data" / name).read_bytes() for one in (folder, back))
        assert second.replace(b"again", b"kinds") == first, name
