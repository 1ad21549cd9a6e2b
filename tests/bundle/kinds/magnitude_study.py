"""Studies with a question that is answered by magnitude estimation."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.models import Criterion, Form, FormVersion, Item, Rater, RaterKind, Study, User
from annotation.services.items.answer_storage import LoadedResponse, store_responses
from annotation.services.studies.lifecycle import create_study


def study_with_magnitudes(slug: str, *, identified: bool = True, **settings: object) -> Study:
    """A draft that asks one question, to which any number above zero is an answer."""
    owner, _ = User.objects.get_or_create(email="someone@example.org")
    study = create_study(slug=slug, title="Magnitudes", owner=owner)
    study.identified = identified
    study.save(update_fields=["identified"])
    form = Form.objects.create(study=study, key="ratings", title="Ratings")
    version = FormVersion.objects.create(form=form)
    Criterion.objects.create(
        version=version,
        key="apt",
        name="Apt",
        kind="magnitude",
        minimum=0.0001,
        maximum=999_999,
        settings={"magnitude": settings} if settings else {},
    )
    return study


def rated(slug: str, *, identified: bool = True, **settings: object) -> Study:
    """Each rater has a scale of their own: the second one's numbers are ten times the first one's."""
    study = study_with_magnitudes(slug, identified=identified, **settings)
    numbers = [
        [(n + 1.5) * 10**place + (n * (place + 2)) % 5 * 0.25 for n in range(12)] for place in range(3)
    ]
    give(study, numbers)
    return study


def give(study: Study, numbers: Sequence[Sequence[float]]) -> None:
    """Store the numbers of each rater, R-0 and so on, one for each of the items from I-00 on."""
    criterion = Criterion.objects.select_related("version").get(version__form__study=study)
    kind = RaterKind.PERSON if study.identified else RaterKind.SLOT
    raters = [
        Rater.objects.create(study=study, code=f"R-{n}", state="active", kind=kind)
        for n in range(len(numbers))
    ]
    loaded = [
        LoadedResponse(
            item=Item.objects.get_or_create(study=study, key=f"I-{n:02d}", defaults={"position": n})[0],
            rater=rater,
            version=criterion.version,
            values={criterion: own[n]},
        )
        for n in range(max(map(len, numbers)))
        for rater, own in zip(raters, numbers, strict=True)
        if n < len(own)
    ]
    store_responses(loaded=loaded)
