"""Stages of a study definition: which form feeds another, and what in that cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.protocols.template import FeedTemplate

Document = dict[str, Any]
Problems = Iterator[tuple[str, str]]
STAGED = (DesignKind.POOL, DesignKind.PANELS)


def feed_template(told: Mapping[str, Any] | None) -> FeedTemplate | None:
    """What a form of a definition says of the stage before it, as a template."""
    if told is None:
        return None
    words = {"rule": StageRule(told["rule"]), "people": StagePeople(told["people"])}
    return FeedTemplate(**{**told, **words})


def feed_document(feed: FeedTemplate | None) -> Document | None:
    """A template's feed as it stands in a definition."""
    if feed is None:
        return None
    return {**vars(feed), "rule": feed.rule.value, "people": feed.people.value, "matches": dict(feed.matches)}


def stage_problems(forms: Sequence[Mapping[str, Any]], design: str) -> Problems:
    """What of the stages of a study cannot be, as (path, sentence).

    Parameters
    ----------
    forms : sequence of mapping
        As they stand in a definition, in their order.
    design : str
        How the study hands out its items.
    """
    earlier: dict[str, Mapping[str, Any]] = {}
    for place, form in enumerate(forms):
        feed = form["fed_by"]
        if feed is not None:
            path = f"forms[{place}].fed_by"
            if design not in STAGED:
                told = (
                    "Items come to this form one by one, which batches, and everybody rating everything, do "
                    "not allow: choose the design pool or panels, or feed no form."
                )
                yield path, told
            for inside, sentence in _feed_problems(form, feed, earlier):
                yield f"{path}.{inside}", sentence
        earlier[form["key"]] = form


def _feed_problems(
    form: Mapping[str, Any], feed: Mapping[str, Any], earlier: Mapping[str, Mapping[str, Any]]
) -> Problems:
    source = earlier.get(feed["form"])
    if source is None:
        known = ", ".join(earlier) or "none"
        yield "form", f"No earlier form is called {feed['form']!r}; earlier ones are: {known}."
        return
    asked = {one["key"]: one for one in source["criteria"]}
    own = {one["key"]: one for one in form["criteria"]}
    deciding = asked.get(feed["criterion"])
    if deciding is None or not KINDS[deciding["kind"]].decides:
        could = ", ".join(key for key, one in asked.items() if KINDS[one["kind"]].decides) or "none"
        yield "criterion", f"Name a criterion of {source['key']!r} that has points: {could}."
    elif feed["value"] not in _values(deciding):
        yield "value", f"{feed['value']!r} is no answer to it: choose one of {', '.join(_values(deciding))}."
    for key, before in feed["matches"].items():
        if key not in own or before not in asked:
            yield (
                "matches",
                f"Map criteria of {form['key']!r} to criteria of {source['key']!r}: {key}, {before}.",
            )
        elif own[key]["kind"] != asked[before]["kind"]:
            yield "matches", f"{before!r} cannot suggest an answer to {key!r}: they are of different kinds."


def _values(criterion: Mapping[str, Any]) -> Sequence[str]:
    kind = KINDS[criterion["kind"]]
    question = Question(
        key=criterion["key"],
        name=criterion["name"],
        kind=kind,
        minimum=criterion["minimum"],
        maximum=criterion["maximum"],
        options=tuple(point["value"] for point in criterion["points"]),
    )
    return kind.possible(question)
