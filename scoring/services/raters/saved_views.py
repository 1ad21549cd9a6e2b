"""Services that save and delete named views of the item list."""

from __future__ import annotations

from django.db import transaction
from django.http import QueryDict

from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.base.text_validation import validated_text
from annotation.models import Study, User
from scoring.models import SavedView

LONGEST_NAME, LONGEST_QUERY, MOST = 80, 2000, 100


def save_view(*, study: Study, name: str, query: str, actor: User) -> SavedView:
    """Save a view under a name and replace another view of that name.

    Parameters
    ----------
    study : Study
        Study of the list.
    name : str
        Up to 80 characters.
    query : str
        Query of the list's URL.
    actor : User
        User who saves it.

    Raises
    ------
    InvalidContent
        Name or query are missing or too long (`bad_view`), hold a character that is
        no text (`not_text`), or there are too many views (`too_many_views`).
    """
    name = validated_text(name)
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidContent(
            message("Give the view a name of 1 to %(most)d characters.", most=LONGEST_NAME), code="bad_view"
        )
    if len(validated_text(query)) > LONGEST_QUERY:
        raise InvalidContent(
            message("This view has too many filters to be saved. Remove some."), code="bad_view"
        )
    with transaction.atomic():
        views = SavedView.objects.filter(study=study)
        if views.exclude(name=name).count() >= MOST:
            raise InvalidContent(
                message("A study can have up to %(most)d saved views. Delete one first.", most=MOST),
                code="too_many_views",
            )
        view, _ = SavedView.objects.update_or_create(
            study=study, name=name, defaults={"query": query, "author": actor}
        )
    return view


def plain_query(query: str) -> str:
    """A query as this application writes it, whatever was sent.

    Parameters
    ----------
    query : str
        Query of a URL.
    """
    return QueryDict(query.lstrip("?")).urlencode()


def delete_view(*, view: SavedView) -> None:
    """Delete a saved view.

    Parameters
    ----------
    view : SavedView
        The view.
    """
    view.delete()
