"""No personal data, no answer of a judge and no secret leave in an export that did not ask for them.

Exports are found, not listed: every address that an owner can read, every table, every file of bundles, and
of releases, whose files the data hub gets. Clients of the API read these addresses alone. A new export is
read here by itself; an address that has nothing to read in this study is named in `NOT_READ` with its reason.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
import pytest
from django.db import transaction
from django.http import HttpResponseBase
from django.urls import reverse

from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.models import Job, Release, Response, Study
from annotation.selectors.base.archives import archive_path
from annotation.selectors.questions.documents import DOCUMENTS
from annotation.services.adjudication.decisions import choose, comment
from annotation.services.base.jobs import claim
from scoring.bundle.contents import ASKED
from scoring.bundle.release.publication import Publication
from scoring.management.commands.export import BUNDLE, Command
from scoring.selectors.reports.exports import EXPORTED, table_of
from scoring.services.reports.bundles import write_bundle
from scoring.services.reports.releases import make_release, request_release
from tests.rights.exports.secrets_of_study import JUDGE, PEOPLE, SECRET, add_secrets
from tests.rights.permissions import rows
from tests.rights.world import World, ours
from tests.support.studies.adjudication_study import Desk, owner_of, sent

PREFIXES = ("study", "api_", "shared", "replication", "job", "home", "tokens")
READ = sorted(name for name, method in rows() if method == "GET" and name.startswith(PREFIXES))
# What an address gives because it is for that.
ASKED_FOR = {
    "study-rater-file": {PEOPLE},
    "study-links": {SECRET},
}
TABLES_ASKED_FOR = {"judgements": {JUDGE}}
NO_REPORT = "no report of its kind: reports other than those on judges do not read judges"
NO_SCORES = "no scores of similes, which are of texts of items alone"
NO_CATEGORIES = "no question whose options are categories"
NO_ACCOUNT = "no account on a platform"
OF_RATER = "a rater reads it about the own work"
NOT_READ = {
    **dict.fromkeys(("api_crowd_connection", "api_crowd_study"), NO_ACCOUNT),
    **dict.fromkeys(("api_rate_assignment", "api_rate_notes", "api_rate_qualification"), OF_RATER),
    **dict.fromkeys(("api_score_run_item", "api_scoring", "api_scoring_explanations"), NO_SCORES),
    **dict.fromkeys(("api_scoring_scores", "study-score-corpus-download"), NO_SCORES),
    **dict.fromkeys(("api_disagreement", "api_disagreement_figures", "api_generalisability"), NO_REPORT),
    **dict.fromkeys(("api_mixed_model", "api_multiverse", "api_new_raters", "api_power"), NO_REPORT),
    **dict.fromkeys(("api_raters_compared", "api_rule_preview", "study-compare-download"), NO_REPORT),
    **dict.fromkeys(("study-crossed-download", "study-disagreement-download"), NO_REPORT),
    **dict.fromkeys(("study-generalisability-download", "study-likert-means-download"), NO_REPORT),
    **dict.fromkeys(("study-metrics-download", "study-mixed-model-download"), NO_REPORT),
    **dict.fromkeys(("study-multiverse-download", "study-paper-table"), NO_REPORT),
    **dict.fromkeys(("study-power-download", "study-rule-download"), NO_REPORT),
    **dict.fromkeys(("api_classes", "study-classes-download"), NO_CATEGORIES),
    "study-repeated-run-download": "no study that repeats it",
    "api_judge_report": "it is the report on judges",
    "study-judges-download": "it is the report on judges",
    "replication-download": NO_REPORT,
    "api_pilot_pooling": "no pilot",
    "api_upload": "no file that is being read",
    "study-release-file": "its archive is read by a test of its own",
    "api_nothing": "no address",
}
# Tables without rows in both studies of these tests.
EMPTY = (*("checks", "error_texts", "errors", "pair_counts", "pair_rounds", "probing", "qualification"),)
TEXT = ("csv", "tsv", "jsonl")


@pytest.fixture
def secrets(world: World, settings: Any) -> dict[str, list[str]]:
    settings.JUDGE_ADDRESS = "https://models.example.org/v1"
    return add_secrets(world.cast.study)


@pytest.fixture
def full(desk: Desk) -> Study:
    """A study with a criterion of every kind, answers to all of them, and a case that was decided."""
    response = Response.objects.filter(assignment__item=desk.mine.item).order_by("pk").first()
    assert response is not None
    comment(case=desk.mine, text="Both readings are possible.", actor=desk.owner)
    choose(case=desk.mine, annotation=response.pk, sent=sent(note="The first."), actor=desk.owner)
    return desk.study


@pytest.fixture
def secrets_of_full(full: Study, settings: Any) -> dict[str, list[str]]:
    settings.JUDGE_ADDRESS = "https://models.example.org/v1"
    return add_secrets(full)


def found_in(content: str, secrets: dict[str, list[str]], asked: Iterable[str] = ()) -> list[str]:
    kinds = secrets.keys() - set(asked)
    return [word for kind in sorted(kinds) for word in secrets[kind] if word in content]


def content_of(answer: HttpResponseBase) -> str:
    data = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return bytes(data).decode("utf-8", "replace")


def path_of(world: World, name: str) -> str:
    if name == "api_nothing":
        return "/api/v1/nothing/here/"
    return reverse(name, kwargs=world.arguments(name, ours()[name].arguments))


def is_page(answer: HttpResponseBase) -> bool:
    return str(answer.get("Content-Type", "")).startswith("text/html")


def test_no_address_gives_what_was_not_asked_for(world: World, secrets: dict[str, list[str]]) -> None:
    leaks, empty, unread = {}, [], []
    for name in READ:
        with transaction.atomic():
            answer = world.client("owner").get(path_of(world, name))
            content = content_of(answer)
            transaction.set_rollback(True)
        if answer.status_code not in {200, 302}:
            unread.append(name)
        asked = ASKED_FOR.get(name, set())
        # Members see on pages which people they invited; files and the API are what leaves.
        seen = {PEOPLE, SECRET} if is_page(answer) else set()
        if found := found_in(content, secrets, asked | seen):
            leaks[name] = found
        if asked and not found_in(content, secrets, secrets.keys() - asked):
            empty.append(name)
    assert leaks == {}
    assert empty == [], "they do not give what ASKED_FOR says"
    assert unread == sorted(NOT_READ), "make it readable in this study, or name it in NOT_READ with a reason"


@pytest.mark.parametrize("what", [*EXPORTED, *DOCUMENTS])
def test_no_table_or_document_has_what_was_not_asked_for(
    full: Study, secrets_of_full: dict[str, list[str]], what: str
) -> None:
    check_table(full, what, secrets_of_full)


@pytest.mark.parametrize("what", EXPORTED)
def test_no_table_of_an_open_study_has_what_was_not_asked_for(
    world: World, secrets: dict[str, list[str]], what: str
) -> None:
    check_table(world.cast.study, what, secrets)


def check_table(study: Study, what: str, secrets: dict[str, list[str]]) -> None:
    asked = TABLES_ASKED_FOR.get(what, set())
    for file_format in TEXT:
        if what in DOCUMENTS:
            content = "".join(_text(piece) for piece in DOCUMENTS[what].pieces(study))
        else:
            columns, cells = table_of(study, what)
            content = b"".join(write_rows(cells, columns, file_format, bom=False)).decode()
        assert found_in(content, secrets, asked) == []
        assert not asked or found_in(content, secrets)


def test_every_table_has_rows_in_one_of_the_studies_or_is_named(
    world: World, secrets: dict[str, list[str]], full: Study, secrets_of_full: dict[str, list[str]]
) -> None:
    studies = (world.cast.study, full)
    empty = {what for what in EXPORTED if not any(list(table_of(study, what)[1]) for study in studies)}
    assert empty == set(EMPTY)


def test_the_command_and_the_api_export_nothing_but_these_tables() -> None:
    parser = Command().create_parser("manage.py", "export")
    (what,) = (one for one in parser._actions if one.dest == "what")
    assert set(what.choices or ()) == {*EXPORTED, *DOCUMENTS, BUNDLE}
    assert set(TEXT) < CONTENT_TYPES.keys()


@pytest.mark.parametrize("licence", ["", "CC-BY-4.0"])
def test_no_file_of_a_bundle_has_what_was_not_asked_for(
    full: Study, secrets_of_full: dict[str, list[str]], licence: str
) -> None:
    archive = io.BytesIO()
    write_bundle(
        study=full,
        target=archive,
        formats=ASKED,
        bom=True,
        with_pay=True,
        publication=Publication.read(licence, ["Duarte, Ines"] if licence else []),
        progress=lambda *_: None,
    )
    contents = dict(files_in(archive))
    assert len(contents) > 40
    assert {
        name: found_in(text, secrets_of_full)
        for name, text in contents.items()
        if found_in(text, secrets_of_full)
    } == {}


def test_a_bundle_that_was_asked_for_judges_has_them_and_nothing_else(
    full: Study, secrets_of_full: dict[str, list[str]]
) -> None:
    archive = io.BytesIO()
    write_bundle(
        study=full,
        target=archive,
        formats=(),
        bom=False,
        with_pay=True,
        judges=True,
        progress=lambda *_: None,
    )
    contents = dict(files_in(archive))
    assert found_in("".join(contents.values()), secrets_of_full, {JUDGE}) == []
    holding = {name for name, text in contents.items() if found_in(text, secrets_of_full)}
    assert {name.rpartition("/")[2] for name in holding} == {"judgements.csv", "judgements.parquet"}


def released(study: Study, **asked: Any) -> dict[str, str]:
    job = request_release(study=study, actor=owner_of(study), licence="CC-BY-4.0", **asked)
    lease = claim(job_id=Job.objects.get(pk=job.pk).pk)
    assert lease is not None
    make_release(lease=lease)
    with archive_path(Release.objects.get(job=job).job).open("rb") as archive:
        return dict(files_in(io.BytesIO(archive.read())))


def test_no_file_of_a_release_has_what_was_not_asked_for(
    full: Study, secrets_of_full: dict[str, list[str]]
) -> None:
    assert {
        name: found_in(text, secrets_of_full)
        for name, text in released(full).items()
        if found_in(text, secrets_of_full)
    } == {}


def test_a_release_that_was_asked_for_judges_has_them_in_their_own_files_alone(
    full: Study, secrets_of_full: dict[str, list[str]]
) -> None:
    contents = released(full, judges=True)
    assert found_in("".join(contents.values()), secrets_of_full, {JUDGE}) == []
    holding = {name for name, text in contents.items() if found_in(text, secrets_of_full)}
    assert {name.rpartition("/")[2] for name in holding} == {"judgements.csv", "judgements.parquet"}


def files_in(archive: io.BytesIO) -> Iterator[tuple[str, str]]:
    """The files of an archive as text; tables of columns and sheets are read."""
    with zipfile.ZipFile(archive) as files:
        for name in files.namelist():
            data = files.read(name)
            if name.endswith(".parquet"):
                yield name, pd.read_parquet(io.BytesIO(data)).to_csv()
            elif name.endswith(".xlsx"):
                sheets = pd.read_excel(io.BytesIO(data), sheet_name=None)
                yield name, "".join(sheet.to_csv() for sheet in sheets.values())
            else:
                yield name, data.decode("utf-8", "replace")


def _text(piece: str | bytes) -> str:
    return piece.decode() if isinstance(piece, bytes) else piece
