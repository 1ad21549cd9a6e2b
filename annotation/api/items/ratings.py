"""`ratings/`: ratings in long form come in as a file."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.refusal_schema import BODY, PERSON, refusals
from annotation.api.base.requests import caller
from annotation.api.base.uploads import StoredSerializer, UploadSerializer, uploaded
from annotation.permissions import Act, study_access
from annotation.services.items.rating_files import import_ratings


class RatingsView(APIView):
    parser_classes = [BoundedUploadParser]

    @extend_schema(
        operation_id="ratings_import",
        summary="Load a ratings file into a study without raters; all of it or nothing",
        request={"multipart/form-data": UploadSerializer},
        responses={201: StoredSerializer, **refusals(*BODY, *PERSON, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        access = study_access(caller(request), slug, Act.EDIT)
        with uploaded(request) as (path, name):
            count = import_ratings(study=access.study, path=path, name=name, actor=access.user)
        return Response({"stored": count}, status=status.HTTP_201_CREATED)
