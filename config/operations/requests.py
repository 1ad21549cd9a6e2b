"""Every request has an id, which its answer returns and the lines of the log name."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config.operations.log_context import STUDY, about_request, request_id

Handler = Callable[[HttpRequest], HttpResponseBase]
HEADER = "X-Request-ID"
# Where browsers send what the content security policy of `settings` calls `csp`.
REPORTS = 'csp="/csp-report/"'
# In the request's environment, for lines that are written after its answer.
REQUEST_ID, ROUTE, STUDY_ID = "groundwork.request", "groundwork.route", "groundwork.study"


def with_id(get_response: Handler) -> Handler:
    """Take the id of a proxy in front where it is one, or give a new one."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        own_id = request_id(request.headers.get(HEADER, ""))
        with about_request(own_id):
            response = get_response(request)
            match = request.resolver_match
            request.META |= {REQUEST_ID: own_id, ROUTE: match.route if match else None, STUDY_ID: STUDY.get()}
        response[HEADER] = own_id
        response["Reporting-Endpoints"] = REPORTS
        return response

    return answered
