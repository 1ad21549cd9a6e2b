"""`published/<name>/`: the ratings of a published study from the caller's copy of its files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.uploads import UploadStateSerializer, taken
from scoring.services.reports.published.registry import IMPORTERS

NAMES = tuple(IMPORTERS)
# Bytes that a file system takes for a name.
LONGEST_NAME = 255


class FilesSerializer(serializers.Serializer[Any]):
    file = serializers.ListField(
        child=serializers.FileField(),
        help_text="Every file of the data set under the name it was published with.",
    )


class LoadedSerializer(serializers.Serializer[Any]):
    study = serializers.SlugField()
    loaded = serializers.BooleanField(help_text="False where the study was there already, unchanged.")


class PublishedView(APIView):
    parser_classes = [BoundedUploadParser]

    @operation(
        "published_import",
        takes=FilesSerializer,
        gives={200: LoadedSerializer, 201: LoadedSerializer, 202: UploadStateSerializer},
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=NAMES)],
        refuses=(409, 422),
    )
    def post(self, request: Request, name: str) -> Response:
        """Load a published study as a closed study; the caller owns it."""
        if name not in IMPORTERS:
            raise Http404
        sent = FilesSerializer(data={"file": request.FILES.getlist("file")})
        sent.is_valid(raise_exception=True)
        files = sent.validated_data["file"]
        for file in files:
            _check_name(Path(file.name or "file").name)
        return taken(request, act="published", options={"study": name}, file=files, answer=_loaded)


def _loaded(outcome: Mapping[str, Any]) -> Response:
    number = status.HTTP_201_CREATED if outcome["loaded"] else status.HTTP_200_OK
    return Response(LoadedSerializer(outcome).data, status=number)


def _check_name(name: str) -> None:
    if len(os.fsencode(name)) > LONGEST_NAME:
        raise ValidationError({"file": [f"No published file is called {name[:40]}…: give it its own name."]})
