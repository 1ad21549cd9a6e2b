"""The wordings of a study's forms."""

from __future__ import annotations

from django.db.models import Count, OuterRef, Q, Subquery

from annotation.models import Form, FormVersion, Response, Study


def has_several_versions(*, study: Study) -> bool:
    """Whether raters answered more than one wording of some form."""
    answered = Response.objects.filter(version__form__study=study, current=True)
    numbers = answered.values("version__form").annotate(n=Count("version", distinct=True))
    return numbers.filter(n__gt=1).exists()


def forms_with_versions(*, study: Study) -> list[Form]:
    """The forms of which raters answered several wordings, in order."""
    answered = Count("versions", filter=Q(versions__responses__current=True), distinct=True)
    return list(study.forms.annotate(n=answered).filter(n__gt=1).order_by("position", "pk"))


def form_versions(*, study: Study) -> list[FormVersion]:
    """The newest version of each form, with criteria and points, in the order of the forms.

    The forms of attention checks, which ask a question of their own, are left out.
    """
    newest = (
        FormVersion.objects.filter(form=OuterRef("form")).order_by("-number", "-correction").values("pk")[:1]
    )
    versions = FormVersion.objects.filter(form__study=study, form__planted=False, pk=Subquery(newest))
    return list(
        versions.select_related("form__fed_by__source", "form__pairing")
        .prefetch_related("criteria__points")
        .order_by("form__position", "form_id")
    )


def shown_fields(study: Study) -> dict[str, str]:
    """The texts of an item that the forms of a study show, by name, each with its role such as `figure`."""
    roles: dict[str, str] = {}
    for version in form_versions(study=study):
        for block in version.blocks:
            roles.setdefault(block["field"], block.get("role", "text"))
    return roles


def required_texts(study: Study) -> list[str]:
    """The names of the texts that every item needs, because a form always shows them."""
    return sorted(
        {
            block["field"]
            for version in form_versions(study=study)
            for block in version.blocks
            if not block.get("optional")
        }
    )
