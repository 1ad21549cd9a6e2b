"""Reports that the API gives as their tables: models, and components of variance."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers

from annotation.models import Study
from scoring.models import Report
from scoring.selectors.base.figures import has_these_definitions
from scoring.selectors.data.staleness import is_stale


class StoredTablesSerializer(serializers.Serializer[Any]):
    created_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Responses or exclusions have changed since.")
    software = serializers.CharField()


class RefusedCriterionSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    reason = serializers.CharField(help_text="Code of the reason.")
    message = serializers.CharField()


def stored_tables(study: Study, report: Report | None) -> dict[str, Any]:
    """The tables of a report, with what `StoredTablesSerializer` has.

    Raises
    ------
    Http404
        There is no report yet.
    """
    if report is None:
        raise Http404
    return {
        "created_at": report.created_at,
        "stale": is_stale(study, report) or not has_these_definitions(report),
        "software": report.software,
        "method": report.method,
        **report.tables,
    }
