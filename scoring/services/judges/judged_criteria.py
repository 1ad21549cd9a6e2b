"""Everything that both raters and judges of a study have answered, as the tables of a report take it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from annotation.domain.base.errors import GroundworkError
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.option_settings import side_of
from annotation.models import Criterion, Study
from annotation.selectors.questions.long_table import ratings_frame
from scoring.models import Judgement
from scoring.selectors.judges.criteria import criteria_by_name, is_scale
from scoring.selectors.judges.judged_values import judge_facts, judged_answers, judged_places, judged_values
from scoring.services.choices.options import choice_part
from scoring.services.data.counting import NOTHING_YET, criterion_names, select_ratings
from scoring.services.data.tables import ratings_table
from scoring.services.judges.judge_tables import JudgedCriterion
from scoring.services.judges.judged_distributions import (
    JudgedDistributions,
    place_of_option,
    place_of_point,
)
from scoring.services.judges.judged_options import ONE_OPTION, JudgedOptions, judged_options
from scoring.stats.data.table import RatingsTable

NOT_RATED, NO_SCALE = "not_rated", "no_scale"
# Why answers of a kind are not compared, by what they yield.
NOT_COMPARED = {
    Yields.NUMBER: NO_SCALE,
    Yields.LABELS: "several_options",
    Yields.ORDER: "orders",
    Yields.WORDS: "words",
    Yields.SPANS: "marked_text",
    Yields.ERRORS: "marked_text",
}


@dataclass(frozen=True)
class JudgedStudy:
    """The criteria of a study that judges have answered."""

    scales: list[JudgedCriterion]
    options: list[JudgedOptions]
    distributions: list[JudgedDistributions]
    not_compared: list[dict[str, str]]  # `criterion` and `reason`
    facts: list[dict[str, Any]]  # Of each judge
    data: dict[str, Any]  # Counts for a report
    fingerprint: str  # SHA-256 of the answers of raters and judges, and of the items they are to


def judged_study(study: Study) -> JudgedStudy:
    """Read what raters and judges of a study have answered.

    Parameters
    ----------
    study : Study
        The study.

    Raises
    ------
    GroundworkError
        No rater has answered a scale or a question with options yet (`no_ratings`).
    """
    table, named, of_scales = _rated(study)
    part = choice_part(study, pool_versions=False)
    counts = [data for data in (of_scales, part.data if part else None) if data is not None]
    if not counts:
        raise GroundworkError(NOTHING_YET, code="no_ratings")
    answers, facts = judged_answers(study), judge_facts(study)
    scales = _scales(study, table, named) if table is not None else []
    options = judged_options(study, part, answers)
    distributions = [
        *_of_points(scales, named, answers),
        *(_of_options(option, answers, part.answers if part else pd.DataFrame()) for option in options),
    ]
    several = {"by_kind": dict(zip(("scale", "choice"), counts, strict=False))} if len(counts) > 1 else {}
    compared = {*(scale.name for scale in scales), *(option.name for option in options)}
    digest = [table.fingerprint if table else "", part.fingerprint if part else ""]
    digest += [_of_scale(scale) for scale in sorted(scales, key=lambda one: one.name)]
    digest += [option.fingerprint for option in sorted(options, key=lambda one: one.name)]
    digest += [answers.to_csv(index=False), repr([sorted(fact.items(), key=str) for fact in facts])]
    return JudgedStudy(
        scales,
        options,
        distributions,
        list(_not_compared(study, compared)),
        facts,
        {**counts[0], **several},
        hashlib.sha256("\x1e".join(digest).encode()).hexdigest(),
    )


def _rated(
    study: Study,
) -> tuple[RatingsTable | None, dict[tuple[str, str], str], dict[str, Any] | None]:
    """The numbers that count, the name of each criterion by form and key, and the counts of a report."""
    frame = ratings_frame(study)
    if frame.empty:
        return None, {}, None
    counting, data = select_ratings(study, frame, pool_versions=False)
    if not counting["value"].notna().any():
        return None, {}, None
    names = criterion_names(counting)
    pairs = zip(counting["form"], counting["criterion"], names, strict=True)
    return ratings_table(study, counting), {(form, key): name for form, key, name in pairs}, data


def _scales(study: Study, table: RatingsTable, named: dict[tuple[str, str], str]) -> list[JudgedCriterion]:
    """The criteria with ratings on a scale that a judge has answered."""
    judged = judged_values(study)
    scales = {
        (one.version.form.key, one.key)
        for one in criteria_by_name(study).values()
        if is_scale(one, identified=study.identified)
    }
    keys = list(zip(judged["form"], judged["criterion"], strict=True))
    name = pd.Series([named.get(key, "") if key in scales else "" for key in keys], index=judged.index)
    found = []
    for criterion, ratings in table.criteria.items():
        own = judged[name == criterion]
        if own.empty or not ratings.n_ratings:
            continue
        places = judged_places(study, {str(item) for item in ratings.items})
        scores = own.pivot(index="item", columns="judge", values="value").astype(float)
        scores = scores.reindex(index=places.index, columns=list(dict.fromkeys(own["judge"])))
        found.append(JudgedCriterion(ratings, scores.dropna(how="all"), places))
    return found


def _of_scale(criterion: JudgedCriterion) -> str:
    placed = criterion.scores.join(criterion.places).sort_index()[
        sorted([*criterion.scores.columns, *criterion.places.columns])
    ]
    return f"{criterion.name}\x1f{placed.to_csv()}"


def _of_points(
    scales: list[JudgedCriterion], named: dict[tuple[str, str], str], answers: pd.DataFrame
) -> Iterator[JudgedDistributions]:
    """The scales that have points."""
    for scale in scales:
        if scale.ratings.has_categories:
            keys = {place for place, name in named.items() if name == scale.name}
            place_of = place_of_point(scale.ratings.categories)
            yield JudgedDistributions(scale.ratings, _answers_to(keys, answers), place_of, is_ordered=True)


def _of_options(question: JudgedOptions, answers: pd.DataFrame, rated: pd.DataFrame) -> JudgedDistributions:
    rows = rated.loc[rated["name"] == question.name, ["form", "criterion"]]
    keys = {(str(form), str(key)) for form, key in rows.drop_duplicates().to_numpy().tolist()}
    place_of = place_of_option(question.options, side_of if question.compares_pairs else str)
    return JudgedDistributions(question.ratings, _answers_to(keys, answers), place_of, is_ordered=False)


def _answers_to(keys: set[tuple[str, str]], answers: pd.DataFrame) -> pd.DataFrame:
    places = zip(answers["form"], answers["criterion"], strict=True)
    return answers[[place in keys for place in places]]


def _not_compared(study: Study, compared: set[str]) -> Iterator[dict[str, str]]:
    """The criteria that a judge has answered and that no table compares, with the reason."""
    given = Judgement.objects.filter(judge__study=study, reason="").order_by()
    answered = set(given.values_list("criterion__version__form__key", "criterion__key").distinct())
    for name, criterion in criteria_by_name(study).items():
        if (criterion.version.form.key, criterion.key) in answered and name not in compared:
            yield {"criterion": name, "reason": _reason(criterion, study.identified)}


def _reason(criterion: Criterion, identified: bool) -> str:
    yields = criterion.question_kind.yields
    if yields in ONE_OPTION or is_scale(criterion, identified=identified):
        return NOT_RATED
    return NOT_COMPARED[yields]
