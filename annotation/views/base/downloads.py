"""Tables and documents as files that are downloaded."""

from __future__ import annotations

from typing import TypeVar

from django.http import Http404, HttpResponseBase, StreamingHttpResponse

from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.models import Study
from annotation.selectors.base.table_types import Document, Table

Response = TypeVar("Response", bound=HttpResponseBase)


def file_response(table: Table, file_format: str, name: str, *, bom: bool = False) -> StreamingHttpResponse:
    """Stream a table under a file name; `bom` as for `write_rows`."""
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    columns, rows = table
    pieces = write_rows(rows, columns, file_format, bom=bom)
    response = StreamingHttpResponse(pieces, content_type=CONTENT_TYPES[file_format])
    return as_file(response, f"{name}.{file_format}")


def document_response(study: Study, document: Document, name: str) -> StreamingHttpResponse:
    """Stream a document under a file name."""
    response = StreamingHttpResponse(document.pieces(study), content_type=document.content_type)
    return as_file(response, f"{name}.{document.ending}")


def as_file(response: Response, name: str) -> Response:
    """The response as a file to be saved under a name, and cached nowhere."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
