"""Simulated raters fill a study as people would, are marked, and come out the same with the same seed."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.crowd import Manner, manners, read_mix
from annotation.domain.errors import InvalidContent
from annotation.domain.states import StudyState
from annotation.models import Rater, Study
from annotation.selectors.ratings import long_ratings
from annotation.services.simulation import simulate
from annotation.services.studies import change_state
from tests.api.people import make_cast

MIXED = {Manner.CAREFUL: 0.5, Manner.RANDOM: 0.25, Manner.MIDDLE: 0.25}


@pytest.mark.django_db
def test_a_crowd_gives_each_item_its_number_and_is_marked():
    cast = make_cast(items=10, overlap=3)
    people = simulate(study=cast.study, raters=8, mix=MIXED, seed=3)
    rows = list(long_ratings(cast.study))
    assert len(people) == 8
    assert len(rows) == 10 * 3 * 2
    assert all(row["simulated"] for row in rows)
    assert Study.objects.get(pk=cast.study.pk).simulated
    middle = [rater.code for rater, manner in people if manner is Manner.MIDDLE]
    assert {row["value"] for row in rows if row["rater"] in middle} == {3}


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
    assert "4 simulated raters joined 'lamps'; 36 of 36 ratings are there, 0 to go." in out.getvalue()
    assert Rater.objects.filter(simulated=True).count() == 4
    with pytest.raises(CommandError, match="no manner of rating"):
        call_command("simulate", cast.slug, "--mix", "lazy=1", stdout=out)


@pytest.mark.django_db
def test_a_study_that_is_not_open_is_left_alone():
    cast = make_cast(opened=False)
    with pytest.raises(CommandError, match="open it first"):
        call_command("simulate", cast.slug, stdout=StringIO())
    assert not Rater.objects.filter(study=cast.study).exists()


@pytest.mark.parametrize("text", ["careful=.5", "careful=x", "careful=1.5,random=-.5", "", "careful"])
def test_a_mix_that_is_none_is_refused(text):
    with pytest.raises(InvalidContent) as caught:
        read_mix(text)
    assert caught.value.code == "bad_mix"


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.integers(0, 60), st.integers(0, 9))
def test_the_manners_are_as_many_as_the_mix_says(weights: list[float], number: int, seed: int) -> None:
    mix = {manner: weight / sum(weights) for manner, weight in zip(Manner, weights, strict=False)}
    drawn = manners(mix, number, seed=seed)
    assert len(drawn) == number
    assert all(abs(drawn.count(manner) - share * number) <= 1 for manner, share in mix.items())
