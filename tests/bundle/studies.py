"""A small study in which everything occurs that a bundle has to tell, and its bundle as a folder."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from annotation.io.base.writers import write_rows
from annotation.models import (
    Criterion,
    Exclusion,
    FormVersion,
    Item,
    Job,
    PlatformIdentity,
    Rater,
    Rating,
    Response,
    ScalePoint,
    Study,
)
from annotation.selectors.studies.exports import ratings_table
from annotation.services.adjudication.decisions import comment
from annotation.services.base.jobs import Lease, claim
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.quality.exclusions import exclude_rater, lift_exclusion
from scoring.bundle.release.publication import Publication
from scoring.models import Score, ScoreRun
from scoring.services.metrics.directions import declare_directions
from scoring.services.metrics.metric_comparison import compute_comparison, request_comparison
from scoring.services.metrics.metrics import compute_metrics, request_metrics
from scoring.services.reports.bundles import write_bundle
from scoring.services.reports.reliability import compute_report, request_report
from tests.support.people import Cast, make_cast
from tests.support.studies.adjudication_study import decide_all

SYSTEMS = ("crow", "heron", "owl")
ITEMS, RATERS = 36, 6
REPLICATES = 40
PERSON = "5f3a9c0b7e1d"
FORMULA = "=HYPERLINK(1)"


def rich_cast(slug: str = "lamps", *, items: int = ITEMS) -> Cast:
    """Items of three systems in groups; six raters who leave gaps; two wordings; whatever can be marked."""
    cast = make_cast(slug=slug)
    study = cast.study
    study.items.all().delete()
    Item.objects.bulk_create(_item(study, number) for number in range(items))
    raters = [study.raters.create(code=f"R-1{number}", simulated=number == 5) for number in range(RATERS)]
    store_responses(loaded=list(_answers(study, raters)))
    _mark(cast, raters)
    _scores(study)
    return cast


def _item(study: Study, number: int) -> Item:
    return Item(
        study=study,
        key=f"I{number:02d}" if number else FORMULA,
        group=f"G{number // 3:02d}",
        system=SYSTEMS[number % 3],
        position=number,
        fields={"simile": f"The lamp hung like moon {number}.", "näher": f'quoted "{number}", and\nmore'},
        metadata={"source": "by hand"},
    )


def _answers(study: Study, raters: Sequence[Rater]) -> list[LoadedResponse]:
    first = study.forms.get().versions.get()
    second = FormVersion.objects.create(form=first.form, number=2, question="How good?", blocks=first.blocks)
    for criterion in list(first.criteria.all()):
        criterion.pk, criterion.version = None, second
        criterion.save()
    generator = np.random.default_rng(7)
    loaded = []
    for item in study.items.all():
        truth = generator.normal(3, 1)
        for place, rater in enumerate(raters):
            if (item.position + place) % 4 == 0:
                continue
            version = first if item.position % 9 == 8 else second
            loaded.append(_answer(item, rater, version, truth + 0.3 * place, generator))
    return loaded


def _answer(
    item: Item, rater: Rater, version: FormVersion, truth: float, generator: np.random.Generator
) -> LoadedResponse:
    lacks_context = generator.random() < 0.05
    values: dict[Criterion, int | str] = {}
    for criterion in version.criteria.all():
        value = int(np.clip(round(truth + generator.normal(0, 0.8)), 1, 5))
        if not lacks_context:
            values[criterion] = value
    return LoadedResponse(
        item=item,
        rater=rater,
        version=version,
        values=values,
        cannot_rate="lacks_context" if lacks_context else "",
    )


def _mark(cast: Cast, raters: Sequence[Rater]) -> None:
    study, owner = cast.study, cast.users["owner"]
    owner.name = "Ada Lovelace"
    owner.save(update_fields=["name"])
    answers = Response.objects.filter(assignment__rater__study=study, version__form__study=study)
    begun = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for place, answer in enumerate(answers.order_by("pk")):
        answer.submitted_at, answer.seconds = begun + timedelta(minutes=place), 5.0 + place % 7
        answer.remark = f"Ask Ada Lovelace, {owner.email}, or {PERSON}." if place == 3 else ""
        answer.late = place in {11, 40}
        answer.save()
    lifted = exclude_rater(rater=raters[4], reason="Answers alike.", actor=owner)
    lift_exclusion(exclusion=lifted, reason="Looked at again.", actor=owner)
    exclude_rater(rater=raters[0], reason=f"Known to {owner.email} as {PERSON}.", actor=owner)
    Exclusion.objects.create(
        study=study, item=study.items.get(position=7), rule="lacks_context", reason="Twice.", author=owner
    )
    decide_all(study, owner, ["I08", "I09"], note=f"As Ada Lovelace said, {owner.email}.")
    comment(case=study.cases.all()[0], text=f"As Ada Lovelace said, {owner.email}.", actor=owner)
    PlatformIdentity.objects.create(
        rater=raters[1], study=study, invitation=cast.invitation, platform="prolific", person=PERSON
    )


def _scores(study: Study) -> None:
    generator = np.random.default_rng(3)
    for name in ("older", "newer"):
        run = ScoreRun.objects.create(study=study, name=name)
        Score.objects.bulk_create(
            Score(run=run, item=item, metric=metric, **_score(generator, missing=item.position == at))
            for item in study.items.all()
            for at, metric in enumerate(("length", "overlap", "-rank"))
        )
    declare_directions(study=study, directions={"length": "higher", "-rank": "lower"}, actor=None)


def _score(generator: np.random.Generator, *, missing: bool) -> dict[str, object]:
    return {"value": None, "reason": "no_text"} if missing else {"value": float(generator.normal())}


def with_choice(study: Study) -> None:
    """Adds a question with two options to the scales of both wordings, and answers to it."""
    asked = {}
    for version in FormVersion.objects.filter(form__study=study):
        one = Criterion.objects.create(version=version, key="clear", name="Clear", kind="choice", position=5)
        for position, value in enumerate(("yes", "no")):
            ScalePoint.objects.create(criterion=one, value=value, label=value, position=position)
        asked[version.pk] = one
    answers = Response.objects.filter(assignment__rater__study=study, version__in=asked, cannot_rate="")
    Rating.objects.bulk_create(
        Rating(response=one, criterion=asked[one.version_id], answer="no" if place % 3 else "yes")
        for place, one in enumerate(answers.order_by("pk"))
    )


def quick(job: Job) -> Lease:
    """The lease of a job of few replicates."""
    job.params = {**job.params, "replicates": REPLICATES}
    job.save(update_fields=["params"])
    lease = claim(job_id=job.pk)
    assert lease is not None
    return lease


def with_reports(study: Study) -> None:
    """A report of every kind; the reliability is that of all wordings together."""
    compute_report(lease=quick(request_report(study=study, actor=None, pool_versions=True, announce=False)))
    compute_metrics(lease=quick(request_metrics(study=study, actor=None)))
    for level, coefficient in (("system", "spearman"), ("item", "kendall")):
        asked = request_comparison(
            study=study,
            actor=None,
            metrics=("length", "-rank"),
            level=level,
            coefficient=coefficient,
        )
        compute_comparison(lease=quick(asked))


def exported(study: Study, folder: Path, file_format: str) -> Path:
    path = folder / f"ratings.{file_format}"
    columns, rows = ratings_table(study)
    path.write_bytes(b"".join(write_rows(rows, columns, file_format)))
    return path


def unpacked(
    study: Study,
    folder: Path,
    formats: Sequence[str] = (),
    *,
    with_pay: bool = False,
    judges: bool = False,
    publication: Publication | None = None,
) -> Path:
    """The study's bundle as a folder."""
    archive = io.BytesIO()
    write_bundle(
        study=study,
        target=archive,
        formats=formats,
        bom=False,
        with_pay=with_pay,
        judges=judges,
        progress=lambda *_: None,
        publication=publication,
    )
    with zipfile.ZipFile(archive) as found:
        found.extractall(folder)
    return folder / study.slug
