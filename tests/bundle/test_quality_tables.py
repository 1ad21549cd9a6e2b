"""A bundle has exclusion rules, calibration answers and reported problems, and names no person."""

from __future__ import annotations

import csv
import uuid
from pathlib import Path

import pytest

from annotation.domain.base.codebook import PROBLEMS, QUALIFICATION, RULES
from annotation.domain.quality.calibration import RuleKind
from annotation.models import PlatformIdentity
from annotation.selectors.quality.calibration_tables import qualification_table
from annotation.selectors.quality.exclusion_tables import rules_table
from annotation.selectors.rating.problem_reports import problems_table
from annotation.services.quality.approval import decide
from annotation.services.quality.exclusion_rules import declare_rule
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.problem_reports import report_problem
from tests.bundle.recompute.recomputing import recompute
from tests.bundle.studies import PERSON, rich_cast, unpacked, with_reports
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import REFERENCES, attempt, qualify

pytestmark = pytest.mark.django_db


def table(folder: Path, name: str) -> tuple[list[str], list[dict[str, str]]]:
    """Header and rows of one of the tables."""
    with (folder / f"data/{name}.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    return list(reader.fieldnames or ()), rows


@pytest.fixture
def cast() -> Cast:
    """A rater who is approved by the owner, and then reports a problem; each text names the owner."""
    cast = make_cast(items=3, opened=False)
    owner = cast.users["owner"]
    owner.name = "Ada Lovelace"
    owner.save(update_fields=["name"])
    named = f"Ada Lovelace ({owner.email}) knows {PERSON}."
    declare_rule(
        study=cast.study, name="Careless", conditions=[{"kind": "lacks_context", "raters": 2}], reason=named,
        criteria=["quality"], actor=owner,
    )  # fmt: skip
    qualify(cast, RuleKind.HAND)
    rater = consent(invitation=cast.invitation)
    PlatformIdentity.objects.create(
        rater=rater, study=cast.study, invitation=cast.invitation, platform="prolific", person=PERSON
    )
    decide(attempt=attempt(rater), approved=True, reason=named, actor=owner)
    rater.refresh_from_db()
    report_problem(
        assignment=next_assignment(rater=rater), reason="other", text=named, report_key=uuid.uuid4()
    )
    return cast


def test_rules_calibration_answers_and_problems_have_the_columns_and_rows_of_their_downloads(cast, tmp_path):
    folder = unpacked(cast.study, tmp_path)

    for name, columns, download in (
        ("rules", RULES, rules_table),
        ("qualification", QUALIFICATION, qualification_table),
        ("problems", PROBLEMS, problems_table),
    ):
        header, rows = table(folder, name)
        names, own = download(cast.study)
        assert header == list(columns) == list(names)
        assert len(rows) == len(list(own)) > 0
    given = [(row["given"], row["reference"], row["passed"]) for row in table(folder, "qualification")[1]]
    assert given == [(f"{value}", f"{value}", "true") for value in REFERENCES]


def test_their_words_name_no_person(cast, tmp_path):
    folder = unpacked(cast.study, tmp_path)

    for name, column in (("rules", "reason"), ("qualification", "decision"), ("problems", "text")):
        words = {row[column] for row in table(folder, name)[1]}
        assert len(words) == 1
        (text,) = words
        assert text.startswith("M-0")
        assert text.endswith("knows [removed].")
        assert [known for known in ("Ada", "@") if known in text] == []


def test_a_bundle_with_these_tables_recomputes(tmp_path):
    cast = rich_cast()
    declare_rule(
        study=cast.study, name="Careless", reason="Twice.",
        conditions=[{"kind": "lacks_context", "raters": 2}], criteria=["quality"], actor=cast.users["owner"],
    )  # fmt: skip
    with_reports(cast.study)
    folder = unpacked(cast.study, tmp_path)
    assert len(table(folder, "rules")[1]) == 1

    status, printed = recompute(folder)

    assert status == 0, printed
