"""What the pages of a study share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotation.domain.base.errors import GroundworkError
from annotation.models import User
from annotation.permissions import Access, Act, ForSiteAdministrators, study_access
from annotation.templatetags.rater_words import translated
from annotation.views.base.navigation import navigation
from config.body_limits import takes_files

Parameters = ParamSpec("Parameters")
Response = TypeVar("Response", bound=HttpResponseBase)
ROWS_PER_PAGE = 100
View = Callable[Concatenate[HttpRequest, Access, Parameters], Response]


def study_page(
    *, get: Act | None = None, post: Act | None = None, files: bool = False
) -> Callable[[View[Parameters, Response]], Callable[..., Response]]:
    """Give a view the study of its address, where the visitor may do what the page is for.

    Parameters
    ----------
    get, post
        Acts that the user must be allowed to do in the study to open the page or to post to it. A method
        without an act is refused.
    files
        The page takes files: nothing of them is read before it is known that the visitor may send them.
    """
    acts = {method: act for method, act in {"GET": get, "HEAD": get, "POST": post}.items() if act}

    def with_access(view: View[Parameters, Response]) -> Callable[..., Response]:
        protected = csrf_protect(view) if files else view

        @login_required
        @require_http_methods(list(acts))
        @wraps(view)
        def answer(
            request: HttpRequest, slug: str, *args: Parameters.args, **kwargs: Parameters.kwargs
        ) -> Response:
            access = study_access(request.user, slug, acts[request.method or "GET"])
            return protected(request, access, *args, **kwargs)

        return takes_files(csrf_exempt(answer)) if files else answer

    return with_access


def site_page(
    *methods: str,
) -> Callable[[Callable[Concatenate[HttpRequest, User, Parameters], Response]], Callable[..., Response]]:
    """Give a view of the installation to site administrators only: they have no rights in studies.

    Parameters
    ----------
    *methods : str
        What the page takes, such as `"GET"`, with which it also takes `HEAD`.
    """
    taken = [*methods, *(["HEAD"] if "GET" in methods else [])]

    def for_administrators(
        view: Callable[Concatenate[HttpRequest, User, Parameters], Response],
    ) -> Callable[..., Response]:
        @login_required
        @never_cache
        @require_http_methods(taken)
        @wraps(view)
        def answer(request: HttpRequest, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Response:
            administrator: User = request.user  # type: ignore[assignment]
            if not administrator.is_site_administrator:
                raise ForSiteAdministrators("This page is for site administrators.")
            return view(request, administrator, *args, **kwargs)

        return answer

    return for_administrators


def file_page(view: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """A page without a study that takes files: nothing of them is read before the user has signed in."""
    protected = csrf_protect(view)

    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        return protected(request)

    return takes_files(csrf_exempt(answer))


def person(request: HttpRequest) -> User:
    """The signed-in user; the page itself has checked that there is one."""
    return cast("User", request.user)


def page(access: Access, key: str, below: str = "") -> dict[str, Any]:
    """What every page of a study shows around its own content.

    `key` is one of `annotation.views.base.navigation.PAGES`: of the page itself, or of the one above it.
    `below` is one of `HELP_BELOW` for a page that has a documentation of its own.
    """
    return {"access": access, "study": access.study, "navigation": navigation(access, key, below)}


def shown_page(
    request: HttpRequest, rows: Any, parameter: str = "page", *, size: int = ROWS_PER_PAGE
) -> Page[Any]:
    """The part of a list that the visitor asks for.

    Parameters
    ----------
    request : HttpRequest
        The request, whose address has the number of the page.
    rows : sequence or QuerySet
        The whole list, in its order.
    parameter : str
        The parameter of the address with the number of the page: each list of a page has its own. The `pager`
        below the list is given the same name.
    size : int
        The most rows of a page.
    """
    return Paginator(rows, size).get_page(request.GET.get(parameter))


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
        messages.error(request, translated(refusal.message))
