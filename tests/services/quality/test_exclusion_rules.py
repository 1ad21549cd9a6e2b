"""Exclusion rules: previewed, applied and lifted without touching a rating, honest about selection."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.base.errors import GroundworkError, InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.quality.exclusion_rules import check_conditions
from annotation.models import (
    AuditEntry,
    Criterion,
    Exclusion,
    ExclusionLift,
    ExclusionRule,
    FormVersion,
    Rater,
    Rating,
    Response,
    Study,
)
from annotation.selectors.questions.long_table import ratings_frame
from annotation.services.quality.exclusion_rules import apply_rule, declare_rule, lift_rule
from annotation.services.quality.exclusions import exclude_items, exclude_rater
from annotation.services.studies.lifecycle import change_state
from scoring.models import Report
from scoring.services.raters.multiverse import compute_multiverse, request_multiverse
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import make_cast
from tests.support.studies.disagreement_study import (
    CRITERIA,
    HAUSER,
    _lease,
    caught_by_hand,
    client_of,
    figures_of,
    make_study,
    owner_of,
    previewed,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study()


def declared(study: Study, conditions: list[dict[str, Any]] = HAUSER, name: str = "HAUSER") -> ExclusionRule:
    return declare_rule(
        study=study,
        name=name,
        conditions=conditions,
        reason="As published.",
        criteria=CRITERIA,
        actor=owner_of(study),
    )


def applied(rule: ExclusionRule) -> int:
    return apply_rule(rule=rule, actor=owner_of(rule.study), **previewed(rule).tables["caught"])


def computed(study: Study) -> Report:
    return compute_report(
        lease=_lease(request_report(study=study, actor=None, replicates=20, announce=False).pk)
    )


def test_hausers_rule_excludes_what_it_says_and_no_rating_changes(study: Study) -> None:
    before = list(Rating.objects.order_by("pk").values_list("pk", "value"))
    rule = declared(study)
    n = applied(rule)
    out = set(Exclusion.objects.filter(lift__isnull=True).values_list("item__key", flat=True))
    assert out == caught_by_hand(study)
    assert len(out) == n > 5
    assert list(Rating.objects.order_by("pk").values_list("pk", "value")) == before
    frame = ratings_frame(study)
    assert set(frame.loc[frame["excluded"], "item"]) == out
    assert set(frame.loc[frame["excluded"], "exclusion_rule"]) == {rule.key}


def test_lifting_brings_all_figures_back_and_applying_again_is_one_act(study: Study) -> None:
    whole = computed(study).figures
    rule = declared(study)
    n = applied(rule)
    assert computed(study).figures != whole
    assert lift_rule(rule=rule, reason="A slip.", actor=owner_of(study)) == n
    assert computed(study).figures == whole
    assert applied(rule) == n
    assert (Exclusion.objects.count(), ExclusionLift.objects.count()) == (2 * n, n)
    acts = AuditEntry.objects.filter(study=study).order_by("pk").values_list("act", flat=True)
    assert list(acts)[-4:] == ["declare_rule", "apply_rule", "lift_rule", "apply_rule"]


def test_preview_agrees_with_the_reports_before_and_after(study: Study) -> None:
    rule = declared(study)
    preview = previewed(rule)
    first = computed(study)
    apply_rule(rule=rule, actor=owner_of(study), **preview.tables["caught"])
    second = computed(study)
    for part, report in (("before", first), ("after", second)):
        reported = {(row["criterion"], row["coefficient"], row["variant"]): row for row in report.figures}
        for row in preview.tables[part]["figures"]:
            same = reported[row["criterion"], row["coefficient"], row["variant"]]
            assert row["estimate"] == pytest.approx(same["estimate"], abs=1e-12)
            assert (row["n_items"], row["n_ratings"]) == (same["n_items"], same["n_ratings"])
            assert row["interval_method"] == same["interval_method"]
    assert preview.tables["gone"]["items"] == len(caught_by_hand(study))


def test_the_rule_lifts_alpha_of_shuffled_answers_and_a_random_drop_does_not(study: Study) -> None:
    quality = previewed(declared(study)).tables["selection"][0]
    assert quality["criterion"] == "quality"
    assert abs(quality["shuffled_before"]) < 0.05
    assert quality["shuffled_after"] > 0.25
    assert abs(quality["random_after"] - quality["before"]) < 0.1
    assert quality["random_low"] < quality["before"] < quality["random_high"]


def test_nothing_is_excluded_by_declaring_and_previewing(study: Study) -> None:
    previewed(declared(study))
    assert not Exclusion.objects.exists()


def test_a_rule_says_whether_it_was_declared_before_opening() -> None:
    study = make_cast(opened=False).study
    assert declared(study).before_opening
    change_state(study=study, to=StudyState.OPEN, actor=owner_of(study))
    later = declared(study)
    assert not later.before_opening
    assert later.key == "hauser-2"


def test_with_imported_answers_nothing_is_declared_in_advance(study: Study) -> None:
    assert study.state == StudyState.DRAFT
    assert not declared(study).before_opening


def test_item_rules_look_past_excluded_raters(study: Study) -> None:
    rater = study.raters.order_by("code").first()
    assert rater is not None
    exclude_rater(rater=rater, reason="Asleep.", actor=owner_of(study))
    preview = previewed(declared(study))
    assert preview.tables["conditions"][0]["items"] == 0, "only the excluded rater missed context"
    assert preview.tables["before"]["counts"]["raters"] == 2


def test_in_sequence_the_numbers_of_the_conditions_add_up(study: Study) -> None:
    """Each condition is tried on what is left; those about items after those about raters and responses."""
    conditions = [
        *HAUSER,
        {"kind": "held_out_below", "criterion": "quality", "value": 0.3},
        {"kind": "opposition", "criterion": "creativity", "low": 2, "high": 4},
    ]
    tables = previewed(declared(study, conditions)).tables
    before, after, steps = tables["before"]["counts"], tables["after"]["counts"], tables["sequence"]
    assert [step["place"] for step in steps] == [2, 0, 1, 3]
    for key, number in before.items():
        left = number
        for step in steps:
            left -= step["gone"][key]
            assert step["gone"][key] >= 0 or key == "rankable"
            assert step["left"][key] == left
        assert left == after[key]
    assert sum(one["items"] for one in tables["conditions"]) > before["items"] - after["items"]


def test_the_page_of_a_rule_shows_its_conditions_in_sequence(study: Study) -> None:
    rule = declared(study)
    steps = previewed(rule).tables["sequence"]
    client = Client()
    client.force_login(owner_of(study))
    page = client.get(reverse("study-rule", args=[study.slug, rule.pk])).content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "so the numbers add up." in words
    for step in steps:
        assert f"{step['left']['answers']} responses" in words


def test_raters_with_one_value_on_every_criterion_can_be_excluded(study: Study) -> None:
    """From three criteria on: with two, the rule excludes no one."""
    flat = study.raters.order_by("code")[0]
    Rating.objects.filter(response__assignment__rater=flat).update(value=3)
    condition = {"kind": "straight_lining", "percent": 90}
    two = declared(study, [condition], "Two")
    assert previewed(two).tables["caught"]["raters"] == []
    add_third_criterion(study, flat)
    rule = declared(study, [condition], "Three")
    applied(rule)
    assert list(Exclusion.objects.values_list("rater__code", flat=True)) == [flat.code]
    assert rule.conditions == [{"kind": "straight_lining", "percent": 90.0}]


def add_third_criterion(study: Study, flat: Rater) -> None:
    """A criterion on which this rater gives 3 and the others what the item's position says."""
    version = FormVersion.objects.get(form__study=study)
    humour = Criterion.objects.create(
        version=version, key="humour", name="Humour", minimum=1, maximum=5, position=2
    )
    rated = Response.objects.filter(cannot_rate="").select_related("assignment__item", "assignment__rater")
    Rating.objects.bulk_create(
        Rating(
            response=response,
            criterion=humour,
            minimum=1,
            maximum=5,
            value=3 if response.assignment.rater == flat else response.assignment.item.position % 5 + 1,
        )
        for response in rated
    )


def test_a_rule_on_straight_lining_says_what_honest_answers_can_look_like(study: Study) -> None:
    client, note = client_of(study), "Honest answers to yes/no criteria"
    address = reverse("study-rules", args=[study.slug])
    assert note in client.get(address).content.decode()
    rule = declared(study, [{"kind": "straight_lining", "percent": 90}] * 2)
    page = client.get(reverse("study-rule", args=[study.slug, rule.pk])).content.decode()
    assert page.count(note) == 1
    assert "clearly more often than by chance" in page
    other = declared(study)
    assert note not in client.get(reverse("study-rule", args=[study.slug, other.pk])).content.decode()


def test_what_is_known_of_a_rater_stays_after_an_exclusion(study: Study) -> None:
    """An excluded rater is compared with the raters who are included, as before."""
    first = figures_of(study).rater_figures.get(rater__code="R-001")
    exclude_rater(rater=first.rater, reason="Asleep.", actor=owner_of(study))
    after = figures_of(study).rater_figures.get(rater__code="R-001")
    for name in ("n_answers", "n_shared", "severity", "held_out", "flat", "longest_run", "seconds"):
        assert getattr(after, name) == pytest.approx(getattr(first, name)), name


def test_lifting_a_rule_asks_for_a_reason(study: Study) -> None:
    rule = declared(study)
    applied(rule)
    with pytest.raises(InvalidContent) as refused:
        lift_rule(rule=rule, reason=" ", actor=owner_of(study))
    assert refused.value.code == "no_reason"
    assert not ExclusionLift.objects.exists()


def test_conditions_about_raters_come_before_those_about_items(study: Study) -> None:
    Rating.objects.filter(response__assignment__rater__code="R-001", criterion__key="quality").update(value=3)
    flat = {"kind": "held_out_below", "criterion": "quality", "value": -2 + 1.0}
    few = {"kind": "too_few_ratings", "fewest": 3}
    tables = previewed(declared(study, [few, flat])).tables
    assert tables["caught"] == {"items": [], "raters": [], "responses": []}
    fast = {"kind": "too_fast", "seconds": 6.0}
    one, other = (previewed(declared(study, order)).tables["caught"] for order in ([fast, few], [few, fast]))
    assert one == other
    assert one["responses"]
    assert one["items"]


def test_a_careless_rater_is_caught_by_the_held_out_correlation() -> None:
    study = make_study(raters=5, noise=0.5)
    for rating in Rating.objects.filter(response__assignment__rater__code="R-005"):
        rating.value = 6 - (rating.value or 0)
        rating.save()
    rule = declared(study, [{"kind": "held_out_below", "criterion": "quality", "value": 0.1}], "Contrary")
    assert applied(rule) == 1
    assert Exclusion.objects.get().rater == study.raters.get(code="R-005")


def test_hand_picked_items_need_a_reason_and_must_exist(study: Study) -> None:
    owner = owner_of(study)
    for keys, reason, code in (
        (["G00-0"], " ", "no_reason"),
        ([], "x", "no_item"),
        (["nope"], "x", "unknown_item"),
    ):
        with pytest.raises(GroundworkError) as refused:
            exclude_items(study=study, keys=keys, reason=reason, actor=owner)
        assert refused.value.code == code
    assert exclude_items(study=study, keys=["G00-0"], reason="Not a simile.", actor=owner) == 1
    with pytest.raises(NotAllowedNow):
        exclude_items(study=study, keys=["G00-0"], reason="Again.", actor=owner)


@pytest.mark.parametrize(
    "condition",
    [
        {"kind": "nonsense"},
        {"kind": "opposition", "criterion": "taste", "low": 2, "high": 4},
        {"kind": "opposition", "criterion": "quality", "low": 4, "high": 2},
        {"kind": "lacks_context", "raters": "0"},
        {"kind": "lacks_context", "raters": "1.5"},
        {"kind": "too_fast", "seconds": "nan"},
        {"kind": "too_fast", "seconds": None},
        {"kind": "hand_picked", "items": "G00-0"},
        {"kind": "hand_picked", "responses": [True]},
        {"kind": "too_fast", "seconds": True},
    ],
)
def test_a_condition_that_cannot_be_read_is_refused(condition: dict[str, Any]) -> None:
    with pytest.raises(InvalidContent):
        check_conditions([condition], CRITERIA)


@pytest.mark.parametrize(
    "picked", [{"items": ["G00-0", "G00-O"]}, {"raters": ["R-001", "T-1"]}, {"responses": [999_999_999]}]
)
def test_a_list_that_names_what_the_study_has_not_makes_no_rule(study: Study, picked: dict[str, Any]) -> None:
    with pytest.raises(InvalidContent) as refused:
        declared(study, [{"kind": "hand_picked", **picked}], "List")
    assert refused.value.code == "unknown_pick"
    assert not ExclusionRule.objects.exists()


def test_an_answer_of_another_study_is_not_picked(study: Study) -> None:
    other = make_study(slug="others", groups=2)
    answer = Response.objects.filter(assignment__item__study=other).first()
    assert answer is not None
    with pytest.raises(InvalidContent):
        declared(study, [{"kind": "hand_picked", "responses": [answer.pk]}], "List")
    rule = declared(other, [{"kind": "hand_picked", "responses": [answer.pk], "items": ["G00-1"]}], "List")
    assert applied(rule) == 2


def test_the_multiverse_has_a_row_for_every_set_of_exclusions(study: Study) -> None:
    declared(study)
    declared(study, [{"kind": "too_fast", "seconds": 10}], "Fast")
    ExclusionRule.objects.update(before_opening=True)
    exclude_items(study=study, keys=["G00-0"], reason="Not a simile.", actor=owner_of(study))
    report = compute_multiverse(lease=_lease(request_multiverse(study=study, actor=None).pk))
    worlds = {world["key"]: world for world in report.tables["worlds"]}
    assert list(worlds) == ["none", "declared", "rule:hauser", "rule:fast", "standing"]
    assert worlds["none"]["counts"]["items"] == 60
    assert worlds["standing"]["counts"]["items"] == 59
    assert worlds["rule:hauser"]["counts"]["items"] == 60 - len(caught_by_hand(study))
    assert worlds["rule:hauser"]["before_opening"]


def test_the_pages_declare_preview_apply_and_lift(study: Study) -> None:
    client, rules = client_of(study), reverse("study-rules", args=[study.slug])
    page = client.get(f"{rules}?preset=hauser").content.decode()
    assert len(re.findall("checked", page)) == 2
    sent = {
        "name": "HAUSER’s rule",
        "reason": "As published.",
        "use-lacks_context": "1",
        "lacks_context-raters": "1",
        "use-opposition": "1",
        "opposition-criterion": "quality",
        "opposition-low": "2",
        "opposition-high": "4",
    }
    assert client.post(rules, {**sent, "reason": ""}).status_code == 422
    assert client.post(rules, sent).status_code == 302
    rule = ExclusionRule.objects.get()
    previewed(rule)
    address = reverse("study-rule", args=[study.slug, rule.pk])
    page = client.get(address).content.decode()
    assert "Selecting on agreement raises agreement" in page
    assert "Pearson" in page
    client.post(address, {"act": "apply"})
    assert Exclusion.objects.filter(lift__isnull=True).count() == len(caught_by_hand(study))
    client.post(address, {"act": "lift", "reason": "Too strict."})
    assert not Exclusion.objects.filter(lift__isnull=True).exists()
    assert client.post(address, {"act": "nonsense"}).status_code == 400


def test_a_stale_preview_is_not_applied(study: Study) -> None:
    client, rule = client_of(study), declared(study)
    previewed(rule)
    exclude_items(study=study, keys=["G00-0"], reason="Not a simile.", actor=owner_of(study))
    address = reverse("study-rule", args=[study.slug, rule.pk])
    assert (
        "The data have changed since the preview"
        in client.post(address, {"act": "apply"}, follow=True).content.decode()
    )
    assert Exclusion.objects.count() == 1


def test_table_2_comes_in_the_papers_form(study: Study) -> None:
    rule = declared(study)
    previewed(rule)
    tex = client_of(study).get(reverse("study-rule-download", args=[study.slug, rule.pk, "table-2", "tex"]))
    text = tex.content.decode()
    rows = [line for line in text.splitlines() if re.match(r"(Before|After)? & (Quality|Creativity) &", line)]
    assert len(rows) == 4
    assert rows[0].startswith("Before & Quality & ")
    assert rows[2].startswith("After & Quality & ")
    assert all(len(re.findall(r"\d\.\d{3}", row)) == 4 for row in rows)
    assert text.count(r"\textbf") == 8
    assert r"\multicolumn{2}{c}{Pearson} & \multicolumn{2}{c}{Spearman}" in text
