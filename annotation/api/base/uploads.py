"""Files sent to the API: a worker reads them; a slow one is answered with the address of its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from annotation.api.base.enumerations import JOB_STATES
from annotation.api.base.operations import operation
from annotation.api.base.requests import UploadSerializer, caller, validated
from annotation.models import Study, Upload
from annotation.services.base.uploads.receiving import outcome_of, receive_upload, wait_for

# The answer takes a thread of the web server; a file that takes longer is asked for at its address.
SECONDS_OF_ANSWER = 5.0


class UploadStateSerializer(serializers.Serializer[Upload]):
    """An uploaded file; `outcome` is the result of its import."""

    upload = serializers.IntegerField(source="pk")
    url = serializers.SerializerMethodField(help_text="Address of the result.")
    name = serializers.CharField()
    job = serializers.IntegerField(source="job_id", allow_null=True)
    state = serializers.ChoiceField(choices=JOB_STATES, source="job.state")
    step = serializers.CharField(source="job.step", allow_blank=True)
    outcome = serializers.DictField(allow_null=True, child=serializers.JSONField())

    def get_url(self, upload: Upload) -> str:
        return str(reverse("api_upload", args=[upload.pk], request=self.context["request"]))


class UploadView(APIView):
    @operation("upload_get", gives=UploadStateSerializer, person=(401, 404), refuses=(409, 422))
    def get(self, request: Request, pk: int) -> Response:
        """What came of a file that you sent; refused as the sending would have been."""
        own = Upload.objects.filter(created_by=caller(request)).select_related("job")
        upload = get_object_or_404(own, pk=pk)
        if upload.job is not None and upload.job.ended:
            outcome_of(upload)
        return Response(UploadStateSerializer(upload, context={"request": request}).data)


def taken(
    request: Request,
    *,
    act: str,
    answer: Callable[[Mapping[str, Any]], Response],
    study: Study | None = None,
    options: Mapping[str, Any] | None = None,
    file: Any = None,
) -> Response:
    """Store the uploaded file, wait until it is read, and return the result.

    A file that takes longer than `SECONDS_OF_ANSWER`, or that no worker is there to read, is answered by 202
    and the address at which to ask.

    Parameters
    ----------
    request : Request
        With the file in its field `file`.
    act, study, options
        As for `receive_upload`.
    answer : callable
        Makes the answer of the act's outcome.
    file
        Several files, where not the field `file` is sent.
    """
    sent = file or validated(UploadSerializer, request)["file"]
    upload = receive_upload(act=act, file=sent, actor=caller(request), study=study, options=options)
    if wait_for(upload, seconds=SECONDS_OF_ANSWER):
        return answer(outcome_of(upload))
    body = UploadStateSerializer(upload, context={"request": request}).data
    return Response(body, status=status.HTTP_202_ACCEPTED, headers={"Location": body["url"]})
