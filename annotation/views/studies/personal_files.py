"""Files of persons: platform IDs and contacts, separate from the data of the study."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponseBase

from annotation.io.base.writers import CONTENT_TYPES
from annotation.permissions import Access, Act
from annotation.selectors.base.table_types import Table
from annotation.services.pay.bonuses import export_platform_ids
from annotation.services.people.contact import export_contacts
from annotation.views.base.downloads import file_response
from annotation.views.base.page import study_page


@study_page(post=Act.MANAGE)
def platform_ids(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The platform ID of each rater, separate from the data; the download is written to the audit log."""
    return _logged(request, access, "platform-ids", export_platform_ids)


@study_page(post=Act.MANAGE)
def contacts(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The contact of raters with an account, separate from the data; written to the audit log."""
    return _logged(request, access, "contacts", export_contacts)


def _logged(
    request: HttpRequest, access: Access, what: str, export: Callable[..., Table]
) -> HttpResponseBase:
    """A table of persons as a file, exported by a service that writes to the audit log."""
    file_format = request.POST.get("format", "csv")
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    table = export(study=access.study, actor=access.user, file_format=file_format)
    return file_response(table, file_format, f"{access.slug}-{what}")
