"""Automatic judges, in bundles that were asked to have them: their answers, and how each came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from annotation.domain.base.codebook import JUDGEMENTS
from annotation.models import Criterion
from scoring.bundle.contents import BundleFile, Contents, json_file, table_files
from scoring.models import Judge, JudgeCall
from scoring.selectors.judges.judged_values import judge_facts
from scoring.selectors.judges.judgement_table import judgements_table

# Settings of a judge that a bundle may contain: never a key, the path of a folder or a whole address.
FILE = ("file_name", "sha256", "mapping")
METRIC = ("run_name", "revision", "metric", "criterion", "mapping")
MODEL = ("checkpoint", "kind", "reading", "labels")
CHAT = ("model", "temperature", "seed", "samples", "most_tokens", "price_read", "price_written")
FORM = ("form", "form_version", "template")


def judges_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/judgements` in every format and `judges.json`, if they were asked for and there are judges."""
    if has_judges(contents):
        yield from table_files(
            contents, "judgements", JUDGEMENTS, lambda: _answers(contents), every_format=True
        )
        yield json_file("judges.json", lambda: list(judges_json(contents)))


def has_judges(contents: Contents) -> bool:
    """Whether the bundle has the answers of judges."""
    return contents.with_judges and Judge.objects.filter(study=contents.study).exists()


def _answers(contents: Contents) -> Iterator[dict[str, Any]]:
    for row in judgements_table(contents.study)[1]:
        yield {**row, "raw": contents.redactor.answer(row["raw"])}


def judges_json(contents: Contents) -> Iterator[dict[str, Any]]:
    """How each judge came about, what it was asked, and what that cost."""
    note = contents.redactor.note
    for fact in judge_facts(contents.study):
        settings = fact.pop("settings")
        yield {
            **fact,
            "created_at": contents.rounded(fact["created_at"]),
            "description": note(fact["description"]),
            "saw_items": note(fact["saw_items"]),
            **contents.rounded(_source(fact["way"], settings)),
            **({"calls": _calls(contents, fact["name"], settings)} if "form" in settings else {}),
        }


def _source(way: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    if way == "model":
        return {**_asked(settings), "model": _model(settings)}
    if way == "chat":
        return {**_asked(settings), "chat": _chat(settings)}
    return {way: _chosen(settings, FILE if way == "file" else METRIC)}


def _asked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The form, the prompt template with its digest, and the criteria that were asked."""
    criteria = Criterion.objects.filter(pk__in=settings.get("criteria", ())).order_by("position", "pk")
    return {**_chosen(settings, FORM), "criteria": list(criteria.values_list("key", flat=True))}


def _model(settings: Mapping[str, Any]) -> dict[str, Any]:
    asked = settings.get("model", {})
    return {
        "digest": settings.get("revision", ""),
        **_chosen(asked, MODEL),
    }


def _chat(settings: Mapping[str, Any]) -> dict[str, Any]:
    asked, allowed = settings.get("chat", {}), settings.get("texts_may_be_sent", {})
    return {
        **_chosen(asked, CHAT),
        "host": urlsplit(str(asked.get("address", ""))).hostname or "",
        "allowed_at": allowed.get("at", ""),
        "consent_version": allowed.get("consent_version"),
    }


def _calls(contents: Contents, judge: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Requests with and without an answer, tries without one, repeated requests, and the cost."""
    calls = JudgeCall.objects.filter(judge__study=contents.study, judge__name=judge)
    answered = calls.filter(state="answered").count()
    counts = settings.get("counts", {})
    return {
        "answered": answered,
        "without_answer": calls.count() - answered,
        "failed_tries": counts.get("failures", 0),
        "repeated": counts.get("repeated", 0),
        "spent": counts.get("spent", "0"),
    }


def _chosen(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: settings[name] for name in names if name in settings}
