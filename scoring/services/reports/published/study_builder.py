"""What all published studies have in common: a closed study, its forms, members and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.utils import timezone

from annotation.domain.base.states import TEAM, RaterState, Role, StudyState
from annotation.io.base.reading_limits import content_read_from
from annotation.models import Criterion, Form, FormVersion, Item, Membership, Rater, RaterKind, Study, User
from annotation.protocols.template import StudyTemplate
from annotation.services.base.bulk_insert import CHUNK_SIZE, Progress, ignore_progress, store
from annotation.services.studies.demo import PEOPLE
from annotation.services.studies.forms import create_form
from scoring.io.published_studies import read_published
from scoring.models import Score, ScoreRun


class Importer(Protocol):
    """Loads a published study from the caller's copy of its files."""

    def __call__(
        self, *, data: Path, owner: User | None = None, progress: Progress = ignore_progress
    ) -> tuple[Study, bool]:
        """Load the study, where it was not loaded before.

        Parameters
        ----------
        data : Path
            The folder of the files.
        owner : User or None
            Becomes the study's owner; with None the demo's members get their roles, if they exist.
        progress : callable
            Called as `progress(label, done, total)`.

        Returns
        -------
        tuple of Study and bool
            The study, and whether this call loaded it.

        Raises
        ------
        FileRefused
            A file is missing or broken; nothing was stored. It names file, row and column.
        """


def loads_once(name: str) -> Callable[[Callable[[Any, User | None, Progress], Study]], Importer]:
    """Make an importer of a function that stores the data set of this name, as `read_published` has it.

    Parameters
    ----------
    name : str
        One of the readers of `scoring.io.published_studies`.
    """

    def decorate(load: Callable[[Any, User | None, Progress], Study]) -> Importer:
        def importer(
            *, data: Path, owner: User | None = None, progress: Progress = ignore_progress
        ) -> tuple[Study, bool]:
            found = Study.objects.filter(slug=_slug(name), source=f"published:{name}").first()
            if found is not None:
                return found, False
            read = content_read_from(data)
            if read is None:
                read = read_published(data, name=data.name, study=name)
            return load(read, owner, progress), True

        return importer

    return decorate


def _slug(name: str) -> str:
    return name.replace("_", "-")


def make_study(
    *,
    name: str,
    title: str,
    description: str,
    template: StudyTemplate,
    overlap: int,
    identified: bool,
    owner: User | None,
    language: str = "en",
) -> Study:
    """Create a closed study with its forms; called inside the loading transaction.

    Parameters
    ----------
    name : str
        Name of the data set.
    title, description : str
        Texts on pages.
    template : StudyTemplate
        Forms, consent and instructions.
    overlap : int
        Ratings per item.
    identified : bool
        Whether raters are persons; otherwise slots.
    owner : User or None
        Becomes the owner; with None the demo's members get their roles, if they exist.
    language : str
        Language of the items.
    """
    now = timezone.now()
    study = Study.objects.create(
        slug=_slug(name),
        title=title,
        description=description,
        consent=template.consent,
        instructions=template.instructions,
        language=language,
        state=StudyState.CLOSED,
        source=f"published:{name}",
        identified=identified,
        opened_at=now,
        closed_at=now,
    )
    for form in template.forms:
        create_form(study=study, template=form, overlap=overlap)
    members = {Role.OWNER: owner} if owner else _demo_people()
    Membership.objects.bulk_create(
        Membership(study=study, user=user, role=role.value) for role, user in members.items() if user
    )
    return study


def _demo_people() -> Mapping[Role, User | None]:
    team = {role: email for role, (email, _) in PEOPLE.items() if role in TEAM}
    return {role: User.objects.filter(email=email).first() for role, email in team.items()}


def criteria_of(study: Study) -> dict[str, tuple[FormVersion, Criterion]]:
    """Every criterion of a study by key, with its form version; no two have the same key.

    Parameters
    ----------
    study : Study
        Study whose criteria have distinct keys.
    """
    forms = Form.objects.filter(study=study)
    criteria = Criterion.objects.filter(version__form__in=forms).select_related("version__form")
    return {criterion.key: (criterion.version, criterion) for criterion in criteria}


def make_raters(study: Study, codes: Sequence[str]) -> list[Rater]:
    """Store raters who have finished: persons, or slots where the study is not identified.

    Parameters
    ----------
    study : Study
        Where to.
    codes : sequence of str
        Their codes.

    Returns
    -------
    list of Rater
        In the order given.
    """
    kind = RaterKind.PERSON if study.identified else RaterKind.SLOT
    return Rater.objects.bulk_create(
        [Rater(study=study, code=code, kind=kind, state=RaterState.FINISHED) for code in codes],
        batch_size=CHUNK_SIZE,
    )


def store_scores(
    study: Study,
    signature: str,
    scores: Iterable[tuple[Item, str, float]],
    progress: Progress = ignore_progress,
) -> None:
    """Store metric columns as one imported run.

    Parameters
    ----------
    study : Study
        Study of the items.
    signature : str
        How the scores were computed.
    scores : iterable of (Item, str, float)
        Item, metric and value.
    progress : callable
        Called as `progress(label, done, total)`.
    """
    run = ScoreRun.objects.create(study=study, name="published", signature=signature)
    rows = (Score(run=run, item=item, metric=metric, value=value) for item, metric, value in scores)
    store(Score.objects, rows, "scores", progress)
