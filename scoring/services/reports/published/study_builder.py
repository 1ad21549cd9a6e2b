"""What all published studies have in common: a closed study, its forms, members and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils import timezone

from annotation.domain.base.states import RaterState, Role, StudyState
from annotation.models import Criterion, Form, FormVersion, Item, Membership, Rater, RaterKind, Study, User
from annotation.protocols.template import StudyTemplate
from annotation.services.base.bulk_insert import AT_ONCE, Progress, ignore_progress, store
from annotation.services.studies.demo import PEOPLE
from annotation.services.studies.forms import create_form
from scoring.models import Score, ScoreRun


def found_study(name: str) -> Study | None:
    """The study that was loaded from a published data set before.

    Parameters
    ----------
    name : str
        Of the data set.

    Returns
    -------
    Study or None
    """
    return Study.objects.filter(slug=slug_of(name), source=f"published:{name}").first()


def slug_of(name: str) -> str:
    """The slug of a published study.

    Parameters
    ----------
    name : str
        Of the data set.

    Returns
    -------
    str
    """
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
    """Make a closed study with its forms; called inside the loading transaction.

    Parameters
    ----------
    name : str
        Of the data set.
    title, description : str
        What people read.
    template : StudyTemplate
        Forms, consent and instructions.
    overlap : int
        Ratings an item has.
    identified : bool
        Whether raters are persons; otherwise slots.
    owner : User or None
        Becomes the owner; without one the demo's people get their roles, where they exist.
    language : str
        Of the items.

    Returns
    -------
    Study
    """
    now = timezone.now()
    study = Study.objects.create(
        slug=slug_of(name),
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
    return {role: User.objects.filter(email=email).first() for role, (email, _) in PEOPLE.items()}


def criteria_of(study: Study) -> dict[str, tuple[FormVersion, Criterion]]:
    """Every criterion of a study by key, with its form version.

    Parameters
    ----------
    study : Study
        Whose criteria have distinct keys.

    Returns
    -------
    dict
    """
    forms = Form.objects.filter(study=study)
    criteria = Criterion.objects.filter(version__form__in=forms).select_related("version__form")
    return {criterion.key: (criterion.version, criterion) for criterion in criteria}


def make_raters(study: Study, codes: Sequence[str]) -> list[Rater]:
    """Raters who have finished: persons, or slots where the study is not identified.

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
        batch_size=AT_ONCE,
    )


def store_scores(
    study: Study,
    signature: str,
    scores: Iterable[tuple[Item, str, float]],
    progress: Progress = ignore_progress,
) -> None:
    """Metric columns as one imported run.

    Parameters
    ----------
    study : Study
        Where to.
    signature : str
        How they came about.
    scores : iterable of (Item, str, float)
        Item, metric and value.
    progress : callable
        Told how many are stored.
    """
    run = ScoreRun.objects.create(study=study, name="published", signature=signature)
    rows = (Score(run=run, item=item, metric=metric, value=value) for item, metric, value in scores)
    store(Score.objects, rows, "scores", progress)
