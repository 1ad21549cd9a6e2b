"""What was asked, in which words, and the facts that figures depend on."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from django.db.models import Q

from annotation.domain.base.codebook import CODEBOOK
from annotation.domain.questions.kinds.kind import Yields
from annotation.domain.questions.kinds.measuring import Measure
from annotation.domain.questions.kinds.registry import cell_of, keys_yielding
from annotation.domain.questions.option_settings import OptionSettings
from annotation.domain.questions.wording.version_numbers import label_at
from annotation.models import Criterion, FormVersion, Rating, Study
from annotation.models.questions.given_answer import ANSWER_COLUMNS
from annotation.selectors.questions.pilots.pilot_answers import pilot_answers
from annotation.selectors.questions.seen_instructions import instructions_under
from annotation.selectors.studies.definition import complete_blocks, pairing_template
from config.distribution import release
from scoring.bundle.contents import BundleFile, Contents, json_file, table_files
from scoring.models import ScoreRun
from scoring.selectors.reports.study_facts import added_while_open

# What figures and random streams depend on.
PACKAGES = ("numpy", "scipy", "pandas", "krippendorff")


def study_part(contents: Contents, _: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`study.json` and `forms.json`."""
    yield json_file("study.json", lambda: study_json(contents))
    yield json_file("forms.json", lambda: list(forms_json(contents)))


def study_json(contents: Contents) -> dict[str, Any]:
    """Facts of the study, the scales of its criteria, and its runs of scores from the oldest on."""
    study = contents.study
    runs = ScoreRun.objects.filter(study=study).order_by("created_at", "pk")
    return {
        "study": study.slug,
        "title": study.title,
        "description": study.description,
        "language": study.language,
        "interface_language": study.interface_language,
        "state": study.state,
        "source": study.source,
        "pilot": study.pilot and _pilot(contents, study.pilot),
        "identified": study.identified,
        "simulated": study.simulated,
        "include_late": study.include_late,
        "design": study.design,
        "items_added_while_open": _keys(study, added_while_open(study)),
        "items_retired": _keys(study, Q(retired_at__isnull=False)),
        "seed": study.seed,
        "instructions": study.instructions,
        "translations": study.translations,
        "consent_texts": list(
            study.consent_texts.order_by("number").values("number", "text", "translations")
        ),
        "scales": list(_scales(contents)),
        "redacted_tuples": _redacted_tuples(contents),
        "runs": list(runs.values_list("name", flat=True)),
        "exported_at": contents.rounded(contents.at.isoformat()),
        "software": {"groundwork": release(), "python": platform.python_version()}
        | {name: version(name) for name in PACKAGES},
    }


def _keys(study: Study, which: Q) -> list[str]:
    return list(study.items.filter(which).order_by("position", "pk").values_list("key", flat=True))


def _pilot(contents: Contents, pilot: Study) -> dict[str, Any]:
    """The pilot, and by which declaration its responses are among the ratings, if they are."""
    study = contents.study
    named = {"study": pilot.slug, "title": pilot.title}
    if study.pilot_pooled_at is None:
        return {**named, "responses": "separate"}
    return {
        **named,
        "responses": "pooled",
        "n_responses": contents.facts.collected.from_pilot,
        "pooled_at": contents.rounded(study.pilot_pooled_at.isoformat()),
        "reason": contents.redactor.note(study.pilot_pooled_because),
    }


def _scales(contents: Contents) -> Iterator[dict[str, Any]]:
    found = Criterion.objects.filter(version__form__study=contents.study, version__form__planted=False)
    for one in found.select_related("version__form").order_by(
        "version__form__position", "version__form", "version__number", "version__correction", "position"
    ):
        low, high = one.question_kind.stated_ends(one.minimum, one.maximum)
        yield {
            "form": one.version.form.key,
            "form_version": one.version.number,
            "form_correction": one.version.correction,
            "criterion": one.key,
            "kind": one.kind,
            "yields": one.question_kind.yields.value,
            "continuous": one.question_kind.continuous,
            **_measure(contents.study, one),
            **({"set": name} if (name := one.question_kind.set_of(one.settings)) else {}),
            "minimum": low,
            "maximum": high,
        }


def _measure(study: Study, criterion: Criterion) -> dict[str, str]:
    """The measure that statistics use in place of the numbers; empty if they use the numbers themselves."""
    measure = criterion.question_kind.measure(criterion.settings, identified=study.identified)
    return {} if measure is Measure.NUMBERS else {"measure": measure.value}


def _redacted_tuples(contents: Contents) -> int:
    """Count the answers whose tuples were redacted, so that their words differ from those of the figures."""
    pool = pilot_answers(contents.study)
    of_study = Q(criterion__version__form__study=contents.study)
    if pool is not None:
        of_study |= Q(response__in=pool.responses().order_by())
    answers = Rating.objects.filter(of_study, criterion__kind__in=keys_yielding(Yields.SPANS)).values_list(
        *ANSWER_COLUMNS
    )
    cells = (str(cell_of(*columns)) for columns in answers.iterator())
    return sum(contents.redactor.answer(cell) != cell for cell in cells)


def forms_json(contents: Contents) -> Iterator[dict[str, Any]]:
    """Every version of every form, with the rubric and the study's instructions as raters read them."""
    versions = FormVersion.objects.filter(form__study=contents.study, form__planted=False)
    for one in versions.select_related("form__pairing").prefetch_related("criteria__points").order_by(
        "form__position", "form", "number", "correction"
    ):  # fmt: skip
        yield {
            "form": one.form.key,
            "title": one.shown_title,
            "version": one.number,
            "correction": one.correction,
            "pooled_version": label_at(one.pool),
            "overlap": one.form.overlap,
            "pairing": (pairing := pairing_template(one.form)) and vars(pairing),
            "question": one.question,
            "shown": complete_blocks(one.blocks),
            "cannot_rate_offered": one.cannot_rate,
            "criteria": [_criterion(criterion) for criterion in one.criteria.all()],
            "examples": one.examples,
            "practice": one.practice,
            "translations": one.translations,
            "instructions": instructions_under(one, contents.study),
        }


def _criterion(criterion: Criterion) -> dict[str, Any]:
    columns = (
        "key",
        "name",
        "question",
        "kind",
        "minimum",
        "maximum",
        "required",
        "asked_after",
        "asked_when",
    )
    points = [
        {"value": point.value, "label": point.label, "description": point.description, "key": point.keyboard}
        for point in criterion.points.all()
    ]
    settings = OptionSettings.of(criterion.settings).stored() | criterion.question_kind.stored_settings(
        criterion.settings
    )
    return {**{name: getattr(criterion, name) for name in columns}, "settings": settings, "points": points}


def codebook_part(contents: Contents, files: Sequence[BundleFile]) -> Iterator[BundleFile]:
    """`data/codebook`: every column of every table of the parts before this one."""
    yield from table_files(contents, "codebook", CODEBOOK, lambda: codebook_rows(files))


def codebook_rows(files: Sequence[BundleFile]) -> Iterator[dict[str, Any]]:
    """A row for each column; a table in several formats is described once."""
    tables = {file.table: file for file in files if file.columns}
    for name, file in tables.items():
        for position, (column, description) in enumerate(file.columns.items(), start=1):
            yield {"file": name, "column": column, "position": position, "description": description}
