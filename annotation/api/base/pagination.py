"""Lists come in pages: `{"count", "next", "previous", "results"}`."""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.api.base.strict import refuse_unknown


class Pages(PageNumberPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 1000
    others: frozenset[str] = frozenset()

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> Any:
        refuse_unknown(request.query_params, {"page", "page_size", *self.others})
        return super().paginate_queryset(queryset, request, view)
