"""What the pages of results share."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.utils.functional import SimpleLazyObject

from annotation.permissions import Access
from annotation.selectors.questions.counting import lacks_ratings
from annotation.selectors.questions.criterion_labels import criterion_labels
from annotation.views.base.page import page as study_page_context


def page(access: Access, key: str, below: str = "") -> dict[str, Any]:
    """What every page of a study shows, the names of its criteria and forms, and whether it lacks ratings.

    The last three are read where a page uses them.

    `key` is one of `annotation.views.base.navigation.PAGES`: of the page itself, or of the one above it, and
    `below` one of `HELP_BELOW`, if any.
    """
    labels = SimpleLazyObject(partial(criterion_labels, access.study))
    no_ratings = SimpleLazyObject(partial(lacks_ratings, access.study))
    titles = SimpleLazyObject(lambda: dict(access.study.forms.values_list("key", "title")))
    own = {"names": labels, "no_ratings": no_ratings, "form_titles": titles}
    return study_page_context(access, key, below) | own
