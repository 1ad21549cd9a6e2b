"""`new-raters/`: intervals of agreement that hold for new items and new raters."""

from __future__ import annotations

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.api.reports.reports import NewReportSerializer, ReportSerializer
from scoring.selectors.agreement.new_raters import latest_new_raters
from scoring.selectors.base.reports import figures_json
from scoring.services.agreement.new_raters import request_new_raters


class NewRatersView(APIView):
    @study_operation(Act.READ, "new_raters_get", gives=ReportSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest intervals for new raters; 404 before the first."""
        report = latest_new_raters(access.study)
        if report is None:
            raise Http404
        return Response(figures_json(report))

    @study_operation(Act.VIEW, "new_raters_compute", takes=NewReportSerializer, gives=STARTED, refuses=(409,))
    def post(self, request: Request, access: Access) -> Response:
        """Resample items and raters: 202 with the job that does it."""
        given = validated(NewReportSerializer, request)
        return started(request_new_raters(study=access.study, actor=access.user, **given), request)
