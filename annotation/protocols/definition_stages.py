"""Stages of a study definition and their problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.base.messages import message
from annotation.domain.base.states import DesignKind
from annotation.domain.questions.kinds.kind import Question
from annotation.domain.questions.kinds.registry import KINDS
from annotation.domain.seats.stages import StagePeople, StageRule
from annotation.protocols.template import FeedTemplate

Document = dict[str, Any]
Problems = Iterator[tuple[str, str]]
STAGED = (DesignKind.POOL, DesignKind.PANELS)


def feed_template(given: Mapping[str, Any] | None) -> FeedTemplate | None:
    """The earlier stage of a form of a definition, as a template."""
    if given is None:
        return None
    words = {"rule": StageRule(given["rule"]), "people": StagePeople(given["people"])}
    return FeedTemplate(**{**given, **words})


def feed_document(feed: FeedTemplate | None) -> Document | None:
    """The earlier stage of a template in the shape of a definition."""
    if feed is None:
        return None
    return {**vars(feed), "rule": feed.rule.value, "people": feed.people.value, "matches": dict(feed.matches)}


def stage_problems(forms: Sequence[Mapping[str, Any]], design: str) -> Problems:
    """Find the problems of the stages of a study, as (path, sentence).

    Parameters
    ----------
    forms : sequence of mapping
        The forms of a definition, in order.
    design : str
        The assignment design of the study.
    """
    earlier: dict[str, Mapping[str, Any]] = {}
    for place, form in enumerate(forms):
        feed = form["fed_by"]
        if feed is not None:
            path = f"forms[{place}].fed_by"
            if design not in STAGED:
                yield (
                    path,
                    message(
                        "Stages need the design “pool” or “panels”. Change the design, or remove the stage."
                    ),
                )
            for inside, sentence in _feed_problems(form, feed, earlier):
                yield f"{path}.{inside}", sentence
        earlier[form["key"]] = form


def _feed_problems(
    form: Mapping[str, Any], feed: Mapping[str, Any], earlier: Mapping[str, Mapping[str, Any]]
) -> Problems:
    source = earlier.get(feed["form"])
    if source is None:
        yield "form", message("“%(form)s” is not an earlier form of this study.", form=feed["form"])
        return
    asked = {one["key"]: one for one in source["criteria"]}
    own = {one["key"]: one for one in form["criteria"]}
    deciding = asked.get(feed["criterion"])
    if deciding is None or not KINDS[deciding["kind"]].decides:
        yield (
            "criterion",
            message("Select a criterion of “%(form)s” that has points or options.", form=source["key"]),
        )
    elif feed["value"] not in _values(deciding):
        yield (
            "value",
            message(
                "“%(answer)s” is not an answer to “%(criterion)s”. Choose one of these: %(options)s.",
                answer=feed["value"],
                criterion=deciding["key"],
                options=", ".join(_values(deciding)),
            ),
        )
    for key, before in feed["matches"].items():
        if key not in own or before not in asked:
            yield (
                "matches",
                message(
                    "Match a criterion of “%(form)s” to a criterion of “%(earlier)s” (not “%(key)s” to "
                    "“%(before)s”).",
                    form=form["key"],
                    earlier=source["key"],
                    key=key,
                    before=before,
                ),
            )
        elif own[key]["kind"] != asked[before]["kind"]:
            yield (
                "matches",
                message(
                    "“%(before)s” cannot prefill “%(key)s”, because their kinds differ.",
                    before=before,
                    key=key,
                ),
            )


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
    return kind.deciding(question)
