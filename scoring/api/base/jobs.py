"""`jobs/<id>/`: the progress of long work, and its result."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from annotation.api.base.enumerations import JOB_STATES
from annotation.api.base.operations import operation
from annotation.api.base.requests import caller
from annotation.models import Job
from annotation.permissions import job_access, stop_access
from annotation.services.base.job_kinds import pause, resume
from annotation.services.base.jobs import cancel
from scoring.models import Report


class JobSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=JOB_STATES)
    step = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    seconds_left = serializers.IntegerField(
        allow_null=True, help_text="Until it is done, from its speed; null while that is not steady."
    )
    attempt = serializers.IntegerField()
    error_code = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    url = serializers.CharField()
    report_url = serializers.CharField(allow_null=True, help_text="The report it made, once it is done.")


STARTED: dict[Any, Any] = {
    202: OpenApiResponse(JobSerializer, description="`Location` is the job's address.")
}


class JobView(APIView):
    @operation("job_get", gives=JobSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """State and progress of a job."""
        job, _ = job_access(caller(request), pk)
        return Response(job_json(job, request))

    @operation("job_cancel", gives=JobSerializer, refuses=(409,))
    def delete(self, request: Request, pk: int) -> Response:
        """Cancel a job that has not ended."""
        job = stop_access(caller(request), pk)
        return Response(job_json(cancel(job=job), request))


class JobPauseView(APIView):
    @operation("job_pause", gives=JobSerializer, refuses=(409,))
    def post(self, request: Request, pk: int) -> Response:
        """Pause a run of scores; what is stored stays."""
        job = stop_access(caller(request), pk)
        return Response(job_json(pause(job=job), request))


class JobResumeView(APIView):
    @operation("job_resume", gives=STARTED, refuses=(409,))
    def post(self, request: Request, pk: int) -> Response:
        """Go on with a run of scores that was paused, cancelled or failed: 202 with a new job."""
        job = stop_access(caller(request), pk)
        return started(resume(job=job, actor=caller(request)), request)


def job_json(job: Job, request: Request) -> dict[str, Any]:
    report = Report.objects.filter(job=job).select_related("study").first()
    report_url = None
    if report is not None:
        report_url = reverse("api_report", args=[report.study.slug, report.pk], request=request)
    url = reverse("api_job", args=[job.pk], request=request)
    added = {"seconds_left": job.seconds_left, "url": url, "report_url": report_url}
    return dict(JobSerializer({**vars(job), **added}).data)


def started(job: Job, request: Request) -> Response:
    """202 with the job that does the work."""
    body = job_json(job, request)
    return Response(body, status=status.HTTP_202_ACCEPTED, headers={"Location": body["url"]})
