"""A release is a bundle with a version that says truthfully what changed since the last one."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import pytest
import yaml
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.models import Item, Job, Rating, Release, Study
from annotation.selectors.base.archives import archive_path
from annotation.services.base.jobs import claim
from annotation.services.quality.exclusions import exclude_rater
from annotation.services.rating.withdrawal import withdraw
from annotation.services.studies.texts.evaluation_sheet import save_sheet
from scoring.bundle.release.difference import Digests
from scoring.models import Judgement
from scoring.services.reports.release_state import release_state
from scoring.services.reports.releases import make_release, request_release
from scoring.services.reports.reliability import compute_report, request_report
from tests.bundle.studies import rich_cast
from tests.services.judges.judged_study import add_judge
from tests.support.people import Cast, join, make_cast
from tests.support.studies.pay import pay

pytestmark = pytest.mark.django_db
OF_A_VERSION = ("CITATION.cff", ".zenodo.json", "croissant.json")
NAMES = ("items", "raters", "responses", "ratings", "figures")


def released(cast: Cast, **given: object) -> Release:
    job = request_release(study=cast.study, actor=cast.users["owner"], **given)  # type: ignore[arg-type]
    lease = claim(job_id=job.pk)
    assert lease is not None
    make_release(lease=lease)
    return Release.objects.get(job=job)


def signed_in(cast: Cast, who: str = "owner") -> Client:
    client = Client()
    client.force_login(cast.users[who])
    return client


def changes(release: Release) -> dict[str, tuple[int, int, int]]:
    return {
        name: (one["added"], one["removed"], one["changed"])
        for name, one in release.difference.items()
        if any(one.values())
    }


def test_versions_are_counted_and_named_in_the_files() -> None:
    cast = make_cast()
    first = released(cast, authors=["Duarte, Ines"], licence="CC-BY-4.0")
    second = released(cast, note="One more.")
    third = released(cast, major=True)
    assert [one.version for one in (first, second, third)] == ["1.0", "1.1", "2.0"]
    content = archive_path(first.job).read_bytes()
    assert first.digest == hashlib.sha256(content).hexdigest()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        read = {name: archive.read(f"{cast.slug}/{name}").decode() for name in OF_A_VERSION}
    assert str(yaml.safe_load(read["CITATION.cff"])["version"]) == "1.0"
    assert json.loads(read[".zenodo.json"])["version"] == "1.0"
    assert json.loads(read["croissant.json"])["version"] == "1.0.0"
    assert (first.earlier, second.earlier, third.earlier) == (None, first, second)
    assert cast.study.audit.filter(act="make_release").count() == 3


def test_a_release_says_what_raters_are_paid_and_nothing_of_single_payments() -> None:
    cast = make_cast()
    pay(cast, "0.37")
    with zipfile.ZipFile(archive_path(released(cast).job)) as archive:
        texts = {
            name: archive.read(name).decode() for name in archive.namelist() if name.endswith((".csv", ".md"))
        }
    (audit,) = [text for name, text in texts.items() if "audit" in name]
    assert "set_pay" in audit
    assert "0.37" not in audit
    assert any("0.37" in text for name, text in texts.items() if name.endswith("human_evaluation_sheet.md"))


def test_each_change_is_counted_once_and_nothing_else() -> None:
    cast = rich_cast()
    study, first = cast.study, released(cast)
    assert set(first.counts) == set(NAMES)
    assert first.counts["items"] == study.items.count()
    assert first.difference == {}
    same = released(cast)
    assert set(same.difference) == set(NAMES)
    assert changes(same) == {}
    Item.objects.create(study=study, key="new", position=99, fields={"simile": "As new as new."})
    changed = study.items.get(key="I05")
    changed.fields = {**changed.fields, "simile": "Another text."}
    changed.save()
    rating = Rating.objects.filter(response__assignment__item__key="I07", value__isnull=False).first()
    assert rating is not None
    value = 1 if rating.value != 1 else 2
    Rating.objects.filter(pk=rating.pk).update(value=value)
    assert changes(released(cast)) == {"items": (1, 0, 1), "ratings": (0, 0, 1)}
    rater = study.raters.get(code="R-13")
    n_ratings = Rating.objects.filter(response__assignment__rater=rater).count()
    exclude_rater(rater=rater, actor=cast.users["owner"], reason="Too fast.")
    found = changes(released(cast))
    assert found["ratings"][:2] == (0, 0)
    assert found["ratings"][2] >= n_ratings
    assert set(found) == {"ratings"}


def test_figures_that_are_computed_count_as_added() -> None:
    cast = rich_cast()
    released(cast)
    job = request_report(study=cast.study, actor=None, replicates=20)
    lease = claim(job_id=job.pk)
    assert lease is not None
    compute_report(lease=lease)
    second = released(cast)
    added, removed, changed = changes(second)["figures"]
    assert (added, removed, changed) == (second.counts["figures"], 0, 0)
    assert added > 10


def test_judges_are_in_a_release_only_if_asked_and_are_counted_separately_from_ratings() -> None:
    cast = rich_cast()
    client, page = signed_in(cast), reverse("study-releases", args=[cast.slug])
    assert 'name="judges"' not in client.get(page).content.decode()
    add_judge(cast.study)
    text = client.get(page).content.decode()
    assert '<input type="checkbox" name="judges" value="1">' in text
    without = released(cast)
    client.post(page, {"judges": "1"})
    lease = claim(job_id=Job.objects.get(kind="release", state="queued").pk)
    assert lease is not None
    make_release(lease=lease)
    with_judges = Release.objects.get(earlier=without)
    n_judgements = Judgement.objects.values("item", "criterion__key").distinct().count()
    assert set(without.counts) == set(NAMES)
    assert with_judges.counts == without.counts | {"judgements": n_judgements}
    assert changes(with_judges) == {"judgements": (n_judgements, 0, 0)}
    assert changes(released(cast)) == {"judgements": (0, n_judgements, 0)}
    listed = cast.client("owner").get(f"{cast.base}/releases/").json()["results"]
    assert [one["judges"] for one in listed] == [False, True, False]
    assert "Answers of automatic judges" in client.get(page).content.decode()


def test_an_erased_rater_leaves_no_archive_and_no_difference_to_it() -> None:
    cast = make_cast()
    Study.objects.filter(pk=cast.study.pk).update(on_withdrawal="erase")
    rater, _ = join(cast.invitation)
    first = released(cast)
    withdraw(rater=rater)
    address = reverse("study-release-file", args=[cast.slug, first.pk])
    assert signed_in(cast).get(address).status_code == 404
    assert not archive_path(first.job).is_file()
    second = released(cast)
    assert (second.earlier, second.difference) == (first, {})
    page = signed_in(cast).get(reverse("study-releases", args=[cast.slug])).content.decode()
    assert "The archive was deleted because a rater’s data were erased." in page
    assert "The archive of the version before was deleted" in page


def test_a_second_release_waits_for_the_first_and_bad_authors_make_none() -> None:
    cast = make_cast()
    owner = cast.users["owner"]
    with pytest.raises(InvalidContent):
        request_release(study=cast.study, actor=owner, authors=["a, b, c"])
    assert not Job.objects.exists()
    request_release(study=cast.study, actor=owner)
    with pytest.raises(NotAllowedNow) as refusal:
        request_release(study=cast.study, actor=owner, note="Again.")
    assert refusal.value.code == "release_under_way"


def test_the_page_makes_a_release_and_gives_it_to_those_who_manage() -> None:
    cast = make_cast()
    client, page = signed_in(cast), reverse("study-releases", args=[cast.slug])
    refused = client.post(page, {"authors": "Duarte (1)"})
    assert (refused.status_code, "Duarte (1)" in refused.content.decode()) == (422, True)
    assert 'name="licence"' in client.get(page).content.decode()
    client.post(page, {"licence": "CC0-1.0", "authors": "Duarte, Ines", "note": "First."})
    waiting = client.get(page).content.decode()
    assert ('name="licence"' in waiting, "A release is being made." in waiting) == (False, True)
    assert "Waiting for a worker." in waiting
    lease = claim(job_id=Job.objects.get(kind="release").pk)
    assert lease is not None
    make_release(lease=lease)
    release = Release.objects.get()
    text = client.get(page).content.decode()
    assert ("First." in text, release.digest in text, '"CC0-1.0" selected' in text) == (True, True, True)
    address = reverse("study-release-file", args=[cast.slug, release.pk])
    assert client.get(address).getvalue() == archive_path(release.job).read_bytes()
    other = signed_in(cast, "researcher")
    assert address not in other.get(page).content.decode()
    assert other.get(address).status_code == 403


def test_the_api_lists_releases_and_findings() -> None:
    cast = make_cast()
    client = cast.client("owner")
    asked = client.post(f"{cast.base}/releases/", {"note": "First."}, format="json")
    assert asked.status_code == 202, asked.json()
    again = client.post(f"{cast.base}/releases/", {"note": "Second."}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "release_under_way")
    lease = claim(job_id=asked.json()["id"])
    assert lease is not None
    make_release(lease=lease)
    listed = client.get(f"{cast.base}/releases/").json()["results"]
    assert [(one["version"], one["note"], one["earlier"]) for one in listed] == [("1.0", "First.", None)]
    found = client.get(f"{cast.base}/releases/findings/").json()
    assert {"licence", "ethics", "power", "pay", "sheet"} <= {
        one["code"] for one in found if one["is_missing"]
    }


def missing(study: Study) -> set[str]:
    return {one.code for one in release_state(study, with_pay=True).findings if one.is_missing}


def test_what_is_filled_in_is_no_longer_missing() -> None:
    cast = make_cast()
    owner = cast.users["owner"]
    before = missing(cast.study)
    named = {"licence", "authors", "ethics", "publication_consent", "recruitment"}
    assert {*named, "ratings_per_item"} <= before
    released(cast, licence="CC-BY-4.0", authors=["Duarte, Ines"])
    answers = {
        "5.1": {"text": "None."},
        "G.1": {"choice": "yes"},
        "3.2.3": {"text": "By email."},
    }
    save_sheet(study=cast.study, actor=owner, answers=answers)
    filled_in = before - missing(cast.study)
    assert filled_in == named


def test_differences_of_digests_are_those_of_sets() -> None:
    before = Digests.of([("a", "1"), ("b", "2"), ("c", "3")])
    after = Digests.of([("b", "2"), ("c", "4"), ("d", "5"), ("e", "6")])
    found = after.since(before)
    assert (found.added, found.removed, found.changed) == (2, 1, 1)
    nothing = Digests.of([])
    assert (nothing.since(after).removed, after.since(nothing).added) == (4, 4)
