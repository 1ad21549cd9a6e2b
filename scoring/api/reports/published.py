"""`published/<name>/`: the ratings of a published study from the caller's copy of its files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import caller
from annotation.domain.base.errors import NotAllowedNow
from annotation.models import Membership
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
        gives={200: LoadedSerializer, 201: LoadedSerializer},
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=NAMES)],
        refuses=(409, 422),
    )
    def post(self, request: Request, name: str) -> Response:
        """Load a published study as a closed study; the caller owns it."""
        if name not in IMPORTERS:
            raise Http404
        sent = FilesSerializer(data={"file": request.FILES.getlist("file")})
        sent.is_valid(raise_exception=True)
        user = caller(request)
        with tempfile.TemporaryDirectory() as folder:
            _store(Path(folder), sent.validated_data["file"])
            study, loaded = IMPORTERS[name](data=Path(folder), owner=user)
        if not loaded and not Membership.objects.filter(study=study, user=user).exists():
            raise NotAllowedNow("This study was loaded by somebody else.", code="loaded_by_another")
        body = LoadedSerializer({"study": study.slug, "loaded": loaded}).data
        return Response(body, status=status.HTTP_201_CREATED if loaded else status.HTTP_200_OK)


def _store(folder: Path, files: list[UploadedFile[Any]]) -> None:
    for file in files:
        name = Path(file.name or "file").name
        if len(os.fsencode(name)) > LONGEST_NAME:
            raise ValidationError(
                {"file": [f"No published file is called {name[:40]}…: give it its own name."]}
            )
        with (folder / name).open("wb") as target:
            target.writelines(file.chunks())
