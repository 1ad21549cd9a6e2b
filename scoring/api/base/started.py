"""What an address answers that has long work done."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Job
from scoring.api.base.jobs import JobSerializer, job_json

STARTED: dict[Any, Any] = {
    202: OpenApiResponse(JobSerializer, description="`Location` is the job's address.")
}


def started(job: Job, request: Request) -> Response:
    """202 with the job."""
    body = job_json(job, request)
    return Response(body, status=status.HTTP_202_ACCEPTED, headers={"Location": body["url"]})
