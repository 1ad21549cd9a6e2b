"""A check shows marked parts as items do: those written in its texts, or of a twin those of its original."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.quality.checks import CheckKind
from annotation.models import Check, Item
from annotation.selectors.studies.definition import definition_of
from annotation.services.quality.checks import create_check
from tests.support.people import Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(items=2, opened=False)


def planted(cast: Cast, text: str, **more: Any) -> Check:
    settings = {"criteria": ["quality"]} if "original" in more else {"told": {"quality": 4}}
    return create_check(
        study=cast.study,
        actor=cast.users["owner"],
        key="planted",
        kind=CheckKind.TWIN if "original" in more else CheckKind.INSTRUCTED,
        form=cast.study.forms.get(),
        settings=settings,
        texts={"simile": text},
        **more,
    )


def marked(item: Item | None) -> list[tuple[str, str]]:
    """Parts, and the text at the positions given for them."""
    assert item is not None
    return [
        (part["part"], item.fields[part["field"]][part["start"] : part["end"]]) for part in item.components
    ]


def test_a_part_marked_in_the_text_is_marked_on_the_page_and_in_the_definition(cast):
    check = planted(cast, "It rang like {vehicle:a bell}: choose 4.")
    assert check.item is not None
    assert check.item.fields == {"simile": "It rang like a bell: choose 4."}
    assert marked(check.item) == [("vehicle", "a bell")]
    (written,) = definition_of(cast.study, with_pay=False)["checks"]["planted"]
    assert written["texts"] == {"simile": "It rang like {vehicle:a bell}: choose 4."}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Like moon the lamp hung.", [("vehicle", "moon")]),
        ("The moonlit lamp hung like a moon.", [("vehicle", "moon")]),
        ("The lamp hung.", []),
        ("The lamp hung like {vehicle:a moon}.", [("vehicle", "a moon")]),
    ],
)
def test_a_twin_is_marked_where_the_wording_of_its_original_is(cast, text, parts):
    original = cast.study.items.all()[0]
    original.metadata = {"source": "a story", "language": "en", "other": "x"}
    original.save()
    check = planted(cast, text, original=original)
    assert marked(check.item) == parts
    assert check.item is not None
    assert check.item.metadata == {"source": "a story", "language": "en"}
