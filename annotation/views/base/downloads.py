"""Tables and documents as responses that are streamed."""

from __future__ import annotations

from django.http import Http404, StreamingHttpResponse

from annotation.io.base.writers import CONTENT_TYPES, write_rows
from annotation.models import Study
from annotation.selectors.base.table_types import Document, Table


def file_response(table: Table, file_format: str, name: str, *, bom: bool = False) -> StreamingHttpResponse:
    """Stream a table under a file name; `bom` as for `write_rows`."""
    if file_format not in CONTENT_TYPES:
        raise Http404("There is no such format.")
    columns, rows = table
    response = StreamingHttpResponse(
        write_rows(rows, columns, file_format, bom=bom), content_type=CONTENT_TYPES[file_format]
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.{file_format}"'
    response["Cache-Control"] = "no-store"
    return response


def document_response(study: Study, document: Document, name: str) -> StreamingHttpResponse:
    """Stream a document under a file name."""
    response = StreamingHttpResponse(document.pieces(study), content_type=document.content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}.{document.ending}"'
    response["Cache-Control"] = "no-store"
    return response
