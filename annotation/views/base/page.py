"""What the pages of a study share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from annotation.domain.base.errors import GroundworkError
from annotation.permissions import Access, Act, study_access

Parameters = ParamSpec("Parameters")
Response = TypeVar("Response", bound=HttpResponseBase)
View = Callable[Concatenate[HttpRequest, Access, Parameters], Response]


def study_page(
    *, get: Act | None = None, post: Act | None = None
) -> Callable[[View[Parameters, Response]], Callable[..., Response]]:
    """Give a view the study of its address, where the visitor may do what the page is for.

    Parameters
    ----------
    get, post
        What whoever asks for the page, or sends something to it, must be allowed to do in the study. The
        page takes no request of a kind for which nothing is named.
    """
    acts = {method: act for method, act in {"GET": get, "HEAD": get, "POST": post}.items() if act}

    def with_access(view: View[Parameters, Response]) -> Callable[..., Response]:
        @login_required
        @require_http_methods(list(acts))
        @wraps(view)
        def answer(
            request: HttpRequest, slug: str, *args: Parameters.args, **kwargs: Parameters.kwargs
        ) -> Response:
            access = study_access(request.user, slug, acts[request.method or "GET"])
            return view(request, access, *args, **kwargs)

        return answer

    return with_access


def page(access: Access, tab: str) -> dict[str, Any]:
    """What every page of a study shows around its own content."""
    return {"access": access, "study": access.study, "tab": tab}


def redirect_back(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Redirect to the address of this site that was sent as `next`; without one, to another."""
    there = request.POST.get("next", "")
    is_own = there.startswith("/") and url_has_allowed_host_and_scheme(
        there, allowed_hosts={request.get_host()}
    )
    return HttpResponseRedirect(there if is_own else otherwise)


@contextmanager
def refusal_shown(request: HttpRequest) -> Iterator[None]:
    """Show why an act is refused as a message on the next page."""
    try:
        yield
    except GroundworkError as refusal:
        messages.error(request, refusal.message)
