"""The evidence about one rater, on the page of the rater and next to the list of raters."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.domain.base.states import Purpose
from annotation.models import (
    Assignment,
    Check,
    CheckVerdict,
    Exclusion,
    Item,
    Rater,
    Rating,
    Response,
    Study,
)
from annotation.selectors.quality.rater_evidence import evidence_of, failed_checks
from annotation.services.quality.exclusions import exclude_rater
from scoring.models import RaterFigure
from scoring.selectors.raters.rater_comparison import compared_with_others
from tests.support.studies.disagreement_study import figures_of, make_study, owner_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def study() -> Study:
    """Fifteen items, each rated by four raters; R-001 takes a second and gives one value a page."""
    study = make_study(groups=3, raters=4)
    fast = Response.objects.filter(assignment__rater__code="R-001")
    fast.update(seconds=1.0, cannot_rate="")
    for response in fast.exclude(assignment__item__key="G00-3"):
        response.ratings.update(value=3)
    odd = Rating.objects.filter(response__in=fast, response__assignment__item__key="G00-3")
    odd.filter(criterion__key="quality").update(value=1)
    odd.filter(criterion__key="creativity").update(value=2)
    return study


@pytest.fixture
def client(study: Study) -> Client:
    client = Client()
    client.force_login(owner_of(study))
    return client


def rater_of(study: Study, code: str) -> Rater:
    return Rater.objects.select_related("study").get(study=study, code=code)


def panel_of(client: Client, study: Study, code: str, here: str = "") -> str:
    headers = {**HTMX, **({"HX-Current-URL": f"http://testserver{here}"} if here else {})}
    answer = client.get(reverse("study-rater", args=[study.slug, code]), {"panel": 1}, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_panel_has_the_evidence_alone_and_the_same_address_is_a_page_without_scripts(
    study: Study, client: Client
) -> None:
    panel = panel_of(client, study, "R-001")
    assert "<html" not in panel
    assert "Faster than reading speed on 15 of 15 pages" in panel
    page = client.get(reverse("study-rater", args=[study.slug, "R-001"])).content.decode()
    assert "<html" in page
    for part in ("Seconds per page", "Faster than reading speed on 15 of 15 pages", "Keep R-001"):
        assert part in panel
        assert part in page


def test_a_decision_in_the_panel_leads_back_to_the_same_list(study: Study, client: Client) -> None:
    here = reverse("study-raters", args=[study.slug]) + "?sort=-done&page=1"
    assert f'value="{here.replace("&", "&amp;")}"' in panel_of(client, study, "R-001", here)
    flags = ["too_fast", "flat_pages"]
    answer = client.post(
        reverse("study-rater-keep", args=[study.slug, "R-001"]), {"act": "keep", "flag": flags, "next": here}
    )
    assert answer.url == here  # type: ignore[attr-defined]
    assert "Keep R-001" in panel_of(client, study, "R-001"), "the spread is a flag that was not seen"
    out = client.post(
        reverse("study-rater-exclude", args=[study.slug, "R-002"]),
        {"act": "exclude", "reason": "bot", "next": here},
    )
    assert out.url == here  # type: ignore[attr-defined]
    assert "Exclude from statistics" not in panel_of(client, study, "R-002")
    elsewhere = {"act": "lift", "reason": "no bot", "next": "https://example.org/"}
    back = client.post(reverse("study-rater-exclude", args=[study.slug, "R-002"]), elsewhere)
    assert back.url == reverse("study-rater", args=[study.slug, "R-002"])  # type: ignore[attr-defined]


def test_the_panel_reads_one_rater_however_many_there_are(study: Study, client: Client) -> None:
    figures_of(study)
    large = make_study(slug="large", groups=3, raters=12)
    figures_of(large)
    other = Client()
    other.force_login(owner_of(large))
    counts = []
    for one, who in ((study, client), (large, other)):
        panel_of(who, one, "R-003")
        with CaptureQueriesContext(connection) as queries:
            panel_of(who, one, "R-003")
        counts.append(len(queries))
        everybody = f"SELECT {connection.ops.quote_name('annotation_rater')}"
        assert not [q for q in queries if q["sql"].startswith(everybody) and "code" not in q["sql"]]
    assert counts[0] == counts[1] <= 28


def test_times_of_others_are_those_on_the_same_items(study: Study) -> None:
    gone = Item.objects.get(study=study, key="G00-0")
    rater = rater_of(study, "R-001")
    Response.objects.filter(assignment__rater=rater, assignment__item=gone).update(current=False)
    Response.objects.filter(assignment__item=gone).update(seconds=999.0)
    found = evidence_of(rater)
    assert len(found.others) == 3 * 14
    assert max(found.others) < 999
    assert found.seconds == [1.0] * 14


def test_the_longest_run_of_pages_with_one_value_is_marked(study: Study) -> None:
    found = evidence_of(rater_of(study, "R-001"))
    assert (found.n_uniform, found.run) == (14, (5, 15))
    assert [page.one_value for page in found.pages[2:5]] == [3, None, 3]


def test_a_failed_check_is_shown_as_the_rater_saw_it_with_how_many_passed(
    study: Study, client: Client
) -> None:
    version = study.forms.get().versions.get()
    shown = Item.everything.create(
        study=study, key="check:c1", planted=True, fields={"simile": "Choose 4.\nThank you."}
    )
    check = Check.objects.create(
        study=study,
        key="c1",
        kind="instructed",
        settings={"told": {"quality": 4}},
        form=version.form,
        item=shown,
    )
    for code, passed in (("R-001", False), ("R-002", True), ("R-003", True)):
        page = Assignment.objects.create(
            rater=rater_of(study, code),
            item=shown,
            form=version.form,
            version=version,
            purpose=Purpose.CHECK,
            check_planted=check,
            position=7,
        )
        key = uuid.uuid4()
        answer = Response.objects.create(assignment=page, version=version, submission_key=key, seconds=2.0)
        quality = version.criteria.get(key="quality")
        Rating.objects.create(
            response=answer, criterion=quality, value=4 if passed else 2, minimum=1, maximum=5
        )
        CheckVerdict.objects.create(assignment=page, passed=passed, chance=0.2)
    (failed,) = failed_checks(rater_of(study, "R-001"))
    assert (failed.passed, failed.n) == (2, 3)
    assert failed_checks(rater_of(study, "R-002")) == []
    panel = panel_of(client, study, "R-001")
    assert "Choose 4.\nThank you." in panel
    Check.objects.update(translations={"ja": {"simile": "4を選んでください。"}})
    Response.objects.filter(assignment__purpose=Purpose.CHECK).update(interface_language="ja")
    assert 'lang="ja">4を選んでください。' in panel_of(client, study, "R-001")
    assert "follows the instruction: Quality 4" in panel
    assert "2 of 3" in panel


def test_a_rater_is_compared_with_all_others(study: Study) -> None:
    made = figures_of(study)
    for value, code in ((-0.5, "R-001"), (0.1, "R-002"), (0.2, "R-003"), (0.3, "R-004")):
        RaterFigure.objects.filter(made=made, rater__code=code).update(severity=value, held_out=None)
    found = {one.column: one for one in compared_with_others(made, rater_of(study, "R-001"))}
    assert "held_out" not in found
    severity = found["severity"]
    assert (severity.value, severity.median, severity.n, severity.rank) == (-0.5, 0.2, 3, 1)
    assert severity.x < severity.low < severity.middle < severity.high
    assert compared_with_others(None, rater_of(study, "R-001")) == []


def test_flags_of_raters_with_many_pages_follow_the_list(
    study: Study, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("study-raters", args=[study.slug])
    at_once = client.get(address).content.decode()
    assert "Pages answered faster than reading speed" in at_once
    assert "Flags are being computed." not in at_once
    monkeypatch.setattr("scoring.views.raters.raters.MOST_PAGES", 50)
    page = client.get(address, {"sort": "-code", "q": "R-00"}).content.decode()
    assert "Pages answered faster than reading speed" not in page
    follow = re.search(r'hx-get="([^"]*flags=1[^"]*)"', page)
    assert follow is not None
    asked = follow[1].replace("&amp;", "&")
    part = client.get(asked, headers=HTMX).content.decode()
    assert "<html" not in part
    fast = rater_of(study, "R-001").pk
    shown = re.search(rf'<div id="flags-{fast}" hx-swap-oob="true">(.*?)</div>', part, re.DOTALL)
    assert shown is not None
    assert "Pages answered faster than reading speed" in shown[1]
    assert f'<div id="flags-{fast}"></div>' in page, "the place that it fills"
    assert "Pages answered faster than reading speed" in client.get(asked).content.decode(), "without scripts"


def test_only_the_column_of_the_order_is_read_of_raters_who_are_not_shown(
    study: Study, client: Client
) -> None:
    Rater.objects.bulk_create(Rater(study=study, code=f"A-{n:03d}") for n in range(25))
    address = reverse("study-raters", args=[study.slug])
    with CaptureQueriesContext(connection) as queries:
        page = client.get(address)
    assert [row["rater"].code for row in page.context["rows"]] == [f"A-{n:03d}" for n in range(25)]
    response = connection.ops.quote_name("annotation_response")
    whole = f"{connection.ops.quote_name('annotation_rater')}.{connection.ops.quote_name('study_id')}"
    assert [q["sql"] for q in queries if response in q["sql"] and whole in q["sql"]] == []
    by_number = client.get(address, {"sort": "-done"}).context["rows"]
    assert [row["rater"].code for row in by_number][:5] == ["R-001", "R-002", "R-003", "R-004", "A-000"]
    assert [row["done"] for row in by_number][:5] == [15, 15, 15, 15, 0]


def test_the_list_shows_raters_in_one_state_with_their_numbers(study: Study, client: Client) -> None:
    exclude_rater(rater=rater_of(study, "R-002"), reason="bot", actor=owner_of(study))
    address = reverse("study-raters", args=[study.slug])
    page = client.get(address, {"state": "excluded"})
    assert [row["rater"].code for row in page.context["rows"]] == ["R-002"]
    assert "excluded (1)" in page.content.decode()
    assert "state=excluded" in page.context["heads"][0]["query"]
    assert len(client.get(address, {"state": "nonsense"}).context["rows"]) == 4
    assert Exclusion.objects.count() == 1


def test_the_item_shows_who_gave_which_value_and_leaves_excluded_ones_out_of_the_mean(
    study: Study, client: Client
) -> None:
    exclude_rater(rater=rater_of(study, "R-001"), reason="bot", actor=owner_of(study))
    address = reverse("study-item", args=[study.slug, "G00-3"])
    answer = client.get(address)
    quality = next(one for one in answer.context["scales"] if one.name == "Quality")
    assert ("R-001", False) in quality.given[1.0]
    own = Rating.objects.filter(
        response__assignment__item__key="G00-3", criterion__key="quality", response__current=True
    ).exclude(response__assignment__rater__code="R-001")
    values = [one.value for one in own if one.value is not None]
    assert quality.mean == pytest.approx(sum(values) / len(values))
    assert answer.context["columns"].means[0] == ("Quality", pytest.approx(quality.mean), False)
    assert 0 < quality.mean_at < 100
    page = answer.content.decode()
    assert 'class="rater-dot is-out"' in page
    assert page.count('data-label="Quality"') == 5, "four raters and the mean"
