"""No page and no address of the API parses a file that was sent: each leaves it to a worker."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.domain.base.errors import FileRefused
from annotation.domain.base.states import JobState
from annotation.models import PaymentList, Study, Upload
from annotation.services.base.uploads.receiving import has_ended, outcome_of, receive_upload
from annotation.tasks import run_job
from scoring.services.reports.published.registry import IMPORTERS
from tests.support.people import Cast, make_cast
from tests.support.studies.qualification_study import qualify

# Whatever opens a file in one of these formats calls one of these; a C function is noted by its module.
READERS = (
    "annotation.io.",
    "scoring.io.",
    "scoring.replication.",
    "openpyxl",
    "pyarrow",
    "pandas",
    "csv",
    "yaml",
)
C_READERS = {"_csv", "zlib", "_elementtree", "pyexpat"}
# Django compresses what it stores of a visitor.
SESSIONS = "django.core.signing"
DATA_SETS = "annotation.io.items.data_sets"
# Name a file that no one has opened yet, and list the data sets of this server by name.
HARMLESS = {"annotation.io.base.readers.ending_of"} | {
    f"{DATA_SETS}.{name}" for name in ("data_set_names", "<setcomp>", "_places")
}
NO_WORKBOOK = b"PK\x03\x04 no workbook"
Ways = dict[str, list[tuple[str, dict[str, Any]]]]
FIELDS = {"study-new": "items", "study-media": "files"}
STUDY_FILES = ("items", "columns", "ratings", "tuples", "probing", "pairs")
# A definition has at most 512 kB, 40 levels and no aliases (tests/io/test_documents.py), a list of names is
# CSV or TSV of at most 1 MB.
IN_THE_WEB_PROCESS = {"study-new-definition", "study-personal-links"}


@pytest.fixture
def cast(settings: Any, tmp_path: Path) -> Cast:
    settings.MEDIA_ROOT = tmp_path
    return make_cast(opened=False)


def addresses(patterns: Any = None) -> Iterator[str]:
    """The names of all addresses that take files."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns)
        elif isinstance(one, URLPattern) and takes_files(one.callback):
            yield one.name or str(one.pattern)


def takes_files(view: Any) -> bool:
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    return any(getattr(one, "takes_files", False) for one in (view, *parsers))


@contextmanager
def noting_readers() -> Iterator[set[str]]:
    found: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        called = f"{module}.{frame.f_code.co_name}"
        if event == "call" and module.startswith(READERS) and called not in HARMLESS:
            found.add(called)
        elif event == "c_call" and module != SESSIONS and getattr(argument, "__module__", "") in C_READERS:
            found.add(f"{argument.__module__}.{argument.__name__} in {called}")

    # A reader that an earlier test left half read is closed by the collector, which would count as a call.
    gc.collect()
    gc.disable()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        gc.enable()


def sendings(cast: Cast) -> Ways:
    """By the name of an address what is sent there together with the file, once for each purpose."""
    slug = cast.slug
    PaymentList.objects.create(study=cast.study, number=1)
    pages: Ways = {
        "study-payment-results": [(f"/studies/{slug}/pay/lists/1/results/", {})],
        "study-new": [("/studies/new/", {"title": "A", "protocol": "hauser"})],
        "study-qualification": [
            (f"/studies/{slug}/qualification/", {"act": "file", "form": cast.study.forms.get().pk})
        ],
        "study-import": [
            (f"/studies/{slug}/settings/import/", {"what": what, "text": "a", "by": "b"})
            for what in STUDY_FILES
        ],
        "study-judge-add": [(f"/studies/{slug}/judges/add/", {"name": "A", "mapped": "answers"})],
        "study-scores-import": [(f"/studies/{slug}/scores/import/", {})],
        "study-media": [(f"/studies/{slug}/settings/media/", {})],
    }
    api = (
        "items",
        "imports",
        "import_tuples",
        "import_probing",
        "import_errors",
        "ratings",
        "score_imports",
        "judge_imports",
    )
    return {
        **pages,
        **{f"api_{name}": [(reverse(f"api_{name}", args=[slug]), {})] for name in api},
        "api_scorings": [(reverse("api_scorings"), {"profile": "none"})],
        "api_published": [(reverse("api_published", args=[name]), {}) for name in IMPORTERS],
    }


@pytest.mark.django_db(transaction=True)
def test_every_address_that_takes_files_leaves_them_to_a_worker(cast: Cast, settings: Any) -> None:
    settings.UPLOADS_WAITING = 100
    qualify(cast, opened=False)
    ways = sendings(cast)
    assert set(ways) | IN_THE_WEB_PROCESS == set(addresses())
    client = Client(raise_request_exception=True)
    client.force_login(cast.users["owner"])
    for name, way in ways.items():
        for path, sent in way:
            client.get(path)  # imports what only this view needs
            before = Upload.objects.count()
            files = {FIELDS.get(name, "file"): SimpleUploadedFile("a.xlsx", NO_WORKBOOK)}
            with noting_readers() as called:
                answer = client.post(path, {**sent, **files})
            assert called == set(), (name, sent)
            assert answer.status_code in {202, 302}, (name, sent, answer.content[-800:])
            assert Upload.objects.count() == before + 1, (name, sent)
    assert set(Upload.objects.values_list("job__state", flat=True)) == {JobState.QUEUED}


def test_a_reader_that_is_called_is_noted(tmp_path: Path) -> None:
    from annotation.io.base.readers import read_rows

    path = tmp_path / "a.csv"
    path.write_text("item,simile\na,b\n", encoding="ascii")
    with noting_readers() as called:
        read_rows(path)
    assert "annotation.io.base.readers.read_rows" in called


@pytest.mark.django_db
def test_the_files_of_a_published_study_are_read_with_the_limits_of_every_other_file(
    cast: Cast, settings: Any
) -> None:
    settings.UPLOAD_MEMORY_MB = 300
    content = "[" + ",".join(['{"a":"b"}'] * 2_000_000) + "]"
    files = [SimpleUploadedFile("test_data.json", content.encode())]
    owner = cast.users["owner"]
    upload = receive_upload(act="published", file=files, actor=owner, options={"study": "cmdag_test"})
    run_job(upload.job_id or 0)
    assert has_ended(upload)
    with pytest.raises(FileRefused, match="more than 300 MB of memory") as refusal:
        outcome_of(upload)
    assert refusal.value.problems[0].code == "file_too_costly"
    assert not Study.objects.filter(slug="cmdag-test").exists()
