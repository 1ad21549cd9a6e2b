"""Simulated raters fill a study as people would, are marked, and come out the same with the same seed."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.states import StudyState
from annotation.domain.quality.calibration import RuleKind
from annotation.domain.rating.simulated_raters import AnsweringPattern, draw_patterns, parse_mix
from annotation.models import AuditEntry, Criterion, Rater, Rating, Study
from annotation.selectors.questions.long_table import long_ratings
from annotation.services.quality.approval import waiting_attempts
from annotation.services.rating.enrolment import consent
from annotation.services.rating.next_item import next_assignment
from annotation.services.rating.simulation import simulate
from annotation.services.studies.lifecycle import change_state
from tests.support.people import make_cast
from tests.support.studies.qualification_study import qualify

MIXED = {AnsweringPattern.CAREFUL: 0.5, AnsweringPattern.RANDOM: 0.25, AnsweringPattern.MIDDLE: 0.25}


@pytest.mark.django_db
def test_a_crowd_gives_each_item_its_number_and_is_marked():
    cast = make_cast(items=10, overlap=3)
    people = simulate(study=cast.study, raters=8, mix=MIXED, seed=3)
    rows = list(long_ratings(cast.study))
    assert len(people) == 8
    assert len(rows) == 10 * 3 * 2
    assert all(row["simulated"] for row in rows)
    assert Study.objects.get(pk=cast.study.pk).simulated
    middle = [rater.code for rater, pattern in people if pattern is AnsweringPattern.MIDDLE]
    assert {row["value"] for row in rows if row["rater"] in middle} == {3}


@pytest.mark.django_db
def test_limits_of_joining_are_for_visitors_and_not_for_a_simulation(settings):
    settings.JOINS_BY_LINK = settings.JOINS_BY_NETWORK = 2
    cast = make_cast(items=4, overlap=4)
    assert len(simulate(study=cast.study, raters=4, mix=MIXED, seed=3)) == 4


@pytest.mark.django_db
def test_a_study_that_no_simulated_rater_could_join_is_not_marked():
    cast = make_cast(items=2, overlap=1)
    cast.study.forms.get().seats.all().delete()
    assert simulate(study=cast.study, raters=2, mix=MIXED, seed=3) == []
    assert not Study.objects.get(pk=cast.study.pk).simulated


@pytest.mark.django_db
def test_the_same_seed_gives_the_same_ratings():
    found = []
    for slug in ("one", "other"):
        cast = make_cast(slug=slug, items=6, overlap=2, opened=False)
        Study.objects.filter(pk=cast.study.pk).update(seed=7)
        study = change_state(study=cast.study, to=StudyState.OPEN, actor=None)
        simulate(study=study, raters=4, mix=MIXED, seed=5)
        found.append([(row["item"], row["criterion"], row["value"]) for row in long_ratings(cast.study)])
    assert found[0] == found[1]


@pytest.mark.django_db
def test_the_command_says_what_came_and_who_is_flagged():
    cast = make_cast(items=12, overlap=3)
    out = StringIO()
    mix = "careful=.75,fast=.25"
    call_command("simulate", cast.slug, "--raters", "4", "--mix", mix, "--seed", "2", stdout=out)
    assert "4 simulated raters joined 'lamps'; 36 of 36 responses saved, 0 left." in out.getvalue()
    assert "What is simulated: each item has a hidden true position" in out.getvalue()
    assert Rater.objects.filter(simulated=True).count() == 4
    with pytest.raises(CommandError, match=r"is not an answering pattern\. Choose from"):
        call_command("simulate", cast.slug, "--mix", "lazy=1", stdout=out)


@pytest.mark.django_db
def test_a_study_that_is_not_open_is_left_alone():
    cast = make_cast(opened=False)
    with pytest.raises(CommandError, match="Open it first"):
        call_command("simulate", cast.slug, stdout=StringIO())
    assert not Rater.objects.filter(study=cast.study).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["choice", "multiple", "preference", "text"])
def test_careful_raters_answer_options_and_words_by_the_same_truth(kind):
    """Two careful raters agree on far more items than two who answer at random."""
    agreed = {}
    for pattern in (AnsweringPattern.CAREFUL, AnsweringPattern.RANDOM):
        cast = make_cast(slug=pattern.value, items=40, overlap=2)
        values = ["a", "tie", "b"] if kind == "preference" else ["1", "2", "3", "4", "5"]
        for criterion in Criterion.objects.filter(version__form__study=cast.study):
            for point, value in zip(criterion.points.order_by("position"), values, strict=False):
                criterion.points.filter(pk=point.pk).update(value=value)
            if kind in {"preference", "text"}:
                criterion.points.filter(value__in="12345").delete()
        Criterion.objects.filter(version__form__study=cast.study).update(
            kind=kind, minimum=None, maximum=None
        )
        simulate(study=cast.study, raters=2, mix={pattern: 1}, seed=4)
        given: dict[tuple[int, str], list[str]] = {}
        ratings = Rating.objects.filter(criterion__version__form__study=cast.study)
        for one in ratings.select_related("response__assignment", "criterion"):
            place = (one.response.assignment.item_id, one.criterion.key)
            given.setdefault(place, []).append(str(one.cell))
        assert len(given) == 80
        agreed[pattern] = sum(first == second for first, second in given.values()) / 80
    assert agreed[AnsweringPattern.CAREFUL] > agreed[AnsweringPattern.RANDOM] + 0.2


@pytest.mark.django_db
def test_what_was_simulated_is_in_the_audit_log_and_on_the_page(client):
    cast = make_cast(items=6, overlap=2)
    simulate(study=cast.study, raters=4, mix=MIXED, seed=3, most=5)
    entry = AuditEntry.objects.get(study=cast.study, act="simulate")
    assert entry.actor is None
    assert entry.detail["patterns"] == {"careful": 2, "middle": 1, "random": 1}
    assert (entry.detail["seed"], entry.detail["most_pages"]) == (3, 5)
    codes = (
        Rater.objects.filter(study=cast.study, simulated=True).order_by("pk").values_list("code", flat=True)
    )
    assert entry.detail["raters"] == list(codes)
    client.force_login(cast.users["owner"])
    shown = client.get(reverse("study", args=[cast.slug])).content.decode()
    assert "Simulated raters (careful: 2; always the middle: 1; at random: 1)." in " ".join(shown.split())


@pytest.mark.parametrize("text", ["careful=.5", "careful=x", "careful=1.5,random=-.5", "", "careful"])
def test_a_mix_that_is_none_is_refused(text):
    with pytest.raises(InvalidContent) as caught:
        parse_mix(text)
    assert caught.value.code == "bad_mix"


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.integers(0, 60), st.integers(0, 9))
def test_the_manners_are_as_many_as_the_mix_says(weights: list[float], number: int, seed: int) -> None:
    mix = {pattern: weight / sum(weights) for pattern, weight in zip(AnsweringPattern, weights, strict=False)}
    drawn = draw_patterns(mix, number, seed=seed)
    assert len(drawn) == number
    assert all(abs(drawn.count(pattern) - share * number) <= 1 for pattern, share in mix.items())


@pytest.mark.django_db
def test_simulated_raters_are_not_mixed_with_people():
    cast = make_cast(items=4, overlap=2)
    next_assignment(rater=consent(invitation=cast.invitation))
    with pytest.raises(NotAllowedNow) as refused:
        simulate(study=cast.study, raters=2, mix={AnsweringPattern.CAREFUL: 1.0}, seed=1)
    assert refused.value.code == "has_raters"
    assert not cast.study.raters.filter(simulated=True).exists()


@pytest.mark.django_db
def test_simulated_raters_qualify_as_people_do_and_those_who_do_not_read_are_out():
    cast = make_cast(items=6, overlap=2, opened=False)
    qualify(cast, pages=2, tolerance=0, share=1, attempts=2)
    out = StringIO()
    mix = "careful=.5,middle=.5"
    call_command("simulate", cast.slug, "--raters", "8", "--mix", mix, "--seed", "4", stdout=out)
    states = set(Rater.objects.filter(simulated=True).values_list("state", flat=True))
    assert "failed" in states
    assert states & {"finished", "active"}
    assert "4 did not pass the calibration items." in out.getvalue()
    assert {row["item"] for row in long_ratings(cast.study)} == {f"L0{number}" for number in range(6)}


@pytest.mark.django_db
def test_simulated_raters_wait_for_people_to_decide_and_give_up_at_last():
    cast = make_cast(items=6, overlap=2, opened=False)
    qualify(cast, RuleKind.HAND, attempts=None)
    simulate(study=cast.study, raters=2, mix={AnsweringPattern.CAREFUL: 1}, seed=1)
    assert waiting_attempts(cast.study).count() == 2
    stubborn = make_cast(slug="stubborn", opened=False)
    qualify(stubborn, attempts=None)
    ((rater, _),) = simulate(study=stubborn.study, raters=1, mix={AnsweringPattern.MIDDLE: 1}, seed=1)
    assert (rater.attempts.count(), list(long_ratings(stubborn.study))) == (3, [])
