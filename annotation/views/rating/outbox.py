"""Settings by which a page sends the answers that wait on the device, for its own rater only."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from annotation.models import Invitation, Rater, RaterKind


@dataclass(frozen=True)
class Outbox:
    """Whose answers a page sends: those of `owner`; empty on a page without a rater.

    A rater's `link` is stored on the device as long as one of their answers waits there. `over` says that
    no answer is accepted any more, `held` that the page only counts what waits and sends nothing.
    """

    rate_url: str
    owner: str = ""
    code: str = ""
    link: str = ""
    over: bool = False
    held: bool = False


def outbox_of(rater: Rater, *, over: bool = False, held: bool = False) -> Outbox:
    """The answers of a rater; `owner` differs between raters, studies and installations."""
    rate_url = reverse("rate", args=[rater.study.slug])
    return Outbox(
        rate_url=rate_url,
        owner=f"{rater.pk}-{rater.created_at:%Y%m%d%H%M%S%f}",
        code=rater.code,
        link=_sign_in(rate_url) if rater.kind == RaterKind.TRIAL else personal_path(rater),
        over=over,
        held=held,
    )


def outbox_of_study(slug: str) -> Outbox:
    """A page before anybody has joined: answers are not sent, but their raters are shown the way back."""
    return Outbox(rate_url=reverse("rate", args=[slug]))


def personal_path(rater: Rater) -> str:
    """The address of the rater's personal link; empty where there is none, or none that can be shown."""
    link = own_link(rater)
    token = link.token if link else ""
    return reverse("join", args=[token]) if token else ""


def own_link(rater: Rater) -> Invitation | None:
    """The rater's personal link, unless it was revoked."""
    link: Invitation | None = getattr(rater, "invitation", None)
    return None if link is None or link.revoked_at is not None else link


def _sign_in(following: str) -> str:
    """A member who previews the task comes back by signing in."""
    query = QueryDict(mutable=True)
    query["next"] = following
    return f"{reverse('account_login')}?{query.urlencode(safe='/')}"
