"""`scorings/`: files of candidates scored without a study, visible only to their sender."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from annotation.api.base.enumerations import JOB_STATES
from annotation.api.base.operations import listed, operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import caller, validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.base.uploads import taken
from annotation.io.base.writers import CONTENT_TYPES, write_rows
from scoring.api.similes.runs import NewRunSerializer
from scoring.io.similes import BAD_TEXTS
from scoring.models import FileScoring
from scoring.services.similes.file_scores import COLUMNS, encoded_line
from scoring.services.similes.score_settings import settings_of_members
from scoring.services.similes.scoring_uploads import delete_file, scored_candidates, scores_of_file

SENDER = (401, 404)


class SentFileSerializer(NewRunSerializer):
    file = serializers.FileField(help_text="As of `manage.py score`: JSONL, JSON, CSV, TSV, XLSX or Parquet.")
    bad_texts = serializers.ChoiceField(choices=BAD_TEXTS, default="refuse")


class ScoringSerializer(serializers.Serializer[FileScoring]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=JOB_STATES, source="job.state")
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total")
    error_code = serializers.CharField(source="job.error_code", allow_blank=True)
    error = serializers.CharField(source="job.error", allow_blank=True)
    told = serializers.ListField(
        child=serializers.CharField(),
        help_text="First texts that were cleaned or skipped, and warnings about groups.",
    )
    caution = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()
    scores_url = serializers.SerializerMethodField()

    def get_url(self, scoring: FileScoring) -> str:
        return str(reverse("api_scoring", args=[scoring.pk], request=self.context["request"]))

    def get_scores_url(self, scoring: FileScoring) -> str:
        return str(reverse("api_scoring_scores", args=[scoring.pk], request=self.context["request"]))


class ScoresQuerySerializer(StrictSerializer):
    format = serializers.ChoiceField(choices=tuple(CONTENT_TYPES), default="csv")


class ScoringsView(ListAPIView[FileScoring]):
    serializer_class = ScoringSerializer
    parser_classes = [BoundedUploadParser]

    @operation("scorings_list", gives=ScoringSerializer(many=True), person=(401, 404), refuses=(400,))
    def get(self, request: Request) -> Response:
        """Files that you sent for scoring, newest first."""
        return listed(self, own(request))

    @operation(
        "scorings_create",
        takes=SentFileSerializer,
        gives={202: OpenApiResponse(ScoringSerializer, description="`Location` is its address.")},
        person=(401,),
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Response:
        """Score the candidates of a file. Returns 202; a worker computes the scores."""
        given = validated(SentFileSerializer, request)
        del given["file"]
        bad_texts = given.pop("bad_texts")
        asked = settings_of_members(base=given.pop("knowledge_base"), **given)
        options = {"settings": asked.as_json(), "bad_texts": bad_texts}
        return taken(request, act="scoring", options=options, answer=partial(_accepted, request))


def _accepted(request: Request, outcome: Mapping[str, Any]) -> Response:
    scoring = own(request).get(pk=outcome["scoring"])
    body = ScoringSerializer(scoring, context={"request": request}).data
    return Response(body, status=status.HTTP_202_ACCEPTED, headers={"Location": body["url"]})


class ScoringView(APIView):
    @operation("scoring_get", gives=ScoringSerializer, person=SENDER)
    def get(self, request: Request, pk: int) -> Response:
        """State and progress of the scoring of a file."""
        scoring = get_object_or_404(own(request), pk=pk)
        return Response(ScoringSerializer(scoring, context={"request": request}).data)

    @operation("scoring_delete", gives={204: None}, person=SENDER)
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a file and its scores, or stop its scoring."""
        delete_file(scoring=get_object_or_404(own(request), pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScoringScoresView(APIView):
    @operation(
        "scoring_scores",
        gives={
            (200, kind.partition(";")[0]): OpenApiResponse(OpenApiTypes.BINARY)
            for kind in CONTENT_TYPES.values()
        },
        parameters=[ScoresQuerySerializer],
        person=SENDER,
        refuses=(400, 409),
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """Download the scores of a file."""
        scoring = get_object_or_404(own(request), pk=pk)
        asked = ScoresQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        file_format = asked.validated_data["format"]
        rows = list(scores_of_file(scoring))
        return _file(
            write_rows(rows, COLUMNS, file_format), CONTENT_TYPES[file_format], f"scores-{pk}.{file_format}"
        )


class ScoringExplanationsView(APIView):
    @operation(
        "scoring_explanations",
        gives={(200, "application/x-ndjson"): OpenApiResponse(OpenApiTypes.BINARY)},
        person=SENDER,
        refuses=(409,),
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        """How the scores of each candidate were computed, as JSON Lines; the first line has the settings."""
        scoring = get_object_or_404(own(request), pk=pk)
        lines = [{"made_with": scoring.made_with, "caution": scoring.caution}]
        lines += [{"item": one["item"], **one["explanation"]} for one in scored_candidates(scoring)]
        encoded = map(encoded_line, lines)
        return _file(encoded, "application/x-ndjson", f"explanations-{pk}.jsonl")


def own(request: Request) -> QuerySet[FileScoring]:
    """The files that the caller sent, without their content."""
    found = FileScoring.objects.filter(owner=caller(request)).select_related("job")
    return found.defer("groups", "scored", "made_with").order_by("-created_at", "-pk")


def _file(content: Iterator[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(content, content_type=content_type, headers=headers)
