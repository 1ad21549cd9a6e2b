"""`reports/`: agreement figures, in the JSON of the contract."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import MOST_REPLICATES, MOST_SEED
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.models import Report
from scoring.selectors.base.reports import figures_json
from scoring.services.reports.reliability import REPLICATES, request_report
from scoring.stats.agreement.coefficients import COEFFICIENTS as AGREEMENT
from scoring.stats.base.association import COEFFICIENTS as CORRELATIONS
from scoring.stats.metrics.pairwise.accuracy import GROUPINGS

# Of reliability, then of metrics compared with ratings.
KEYS = (*AGREEMENT, *CORRELATIONS)


class FigureSerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    coefficient = serializers.ChoiceField(choices=KEYS)
    variant = serializers.CharField(allow_blank=True)
    estimate = serializers.FloatField(allow_null=True, help_text="Null exactly when `reason` is set.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    interval_method = serializers.CharField(allow_blank=True)
    n_items = serializers.IntegerField()
    n_raters = serializers.IntegerField(allow_null=True)
    n_ratings = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    signature = serializers.CharField(allow_blank=True)


class PairwiseAccuracySerializer(serializers.Serializer[Any]):
    criterion = serializers.CharField()
    metric = serializers.CharField()
    grouping = serializers.ChoiceField(
        choices=GROUPINGS, help_text="Pairs of items of one group, any two items, or pairs of one system."
    )
    epsilon = serializers.FloatField(
        allow_null=True,
        help_text="Greatest difference of scores that is a tie, fitted on the same pairs.",
    )
    estimate = serializers.FloatField(allow_null=True, help_text="Null exactly when `reason` is set.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField()
    interval_method = serializers.CharField()
    at_zero = serializers.FloatField(allow_null=True, help_text="Accuracy if only equal scores are ties.")
    all_tied = serializers.FloatField(allow_null=True, help_text="Accuracy of a metric that ties all pairs.")
    held_out = serializers.FloatField(
        allow_null=True, help_text="Accuracy at thresholds fitted on other groups or items."
    )
    held_out_reason = serializers.CharField(allow_blank=True)
    n_items = serializers.IntegerField()
    n_pairs = serializers.IntegerField()
    n_blocks = serializers.IntegerField(help_text="Groups or systems with a pair; 1 for any two items.")
    n_dropped = serializers.IntegerField(help_text="Groups or systems without a pair.")
    reason = serializers.CharField(allow_blank=True)
    signature = serializers.CharField()


class DifferenceSerializer(serializers.Serializer[Any]):
    of = serializers.ChoiceField(choices=("exclusions", "versions"), help_text="What changed.")
    criterion = serializers.CharField()
    first_name = serializers.CharField(help_text="`after`, or the later version.")
    second_name = serializers.CharField(help_text="`before`, or the earlier version.")
    coefficient = serializers.ChoiceField(choices=tuple(AGREEMENT))
    variant = serializers.CharField(allow_blank=True)
    design = serializers.CharField(help_text="`paired`: items of both are drawn together.")
    first = serializers.FloatField(allow_null=True)
    second = serializers.FloatField(allow_null=True)
    estimate = serializers.FloatField(allow_null=True, help_text="First less second.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField()
    low_90 = serializers.FloatField(
        allow_null=True, help_text="Equivalent within a margin if this interval lies within ± margin."
    )
    high_90 = serializers.FloatField(allow_null=True)
    interval_method = serializers.CharField()
    p = serializers.FloatField(allow_null=True)
    feldt = serializers.FloatField(allow_null=True)
    feldt_p = serializers.FloatField(allow_null=True)
    feldt_reason = serializers.CharField(allow_blank=True)
    n_first = serializers.IntegerField()
    n_second = serializers.IntegerField()
    n_shared = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    signature = serializers.CharField()


class SoftwareSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    version = serializers.CharField()


class ReportSummarySerializer(serializers.Serializer[Report]):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    created_at = serializers.DateTimeField()
    fingerprint = serializers.CharField()
    url = serializers.SerializerMethodField()

    def get_url(self, report: Report) -> str:
        slug = self.context["view"].kwargs["slug"]
        return str(reverse("api_report", args=[slug, report.pk], request=self.context["request"]))


class ReportSerializer(serializers.Serializer[Any]):
    results = FigureSerializer(many=True)
    choices = serializers.DictField(
        child=serializers.ListField(child=serializers.JSONField()),
        help_text="Of questions with options: `accuracy` against the key, `win_rates`, `wins_by_percent`, "
        "`first_shown`, `strengths`, `order_candidates`, `order_pairs`, "
        "`best_worst_scores`, `best_worst_halves`; each only where there is one.",
    )
    differences = DifferenceSerializer(
        many=True, help_text="What exclusions and new versions of forms changed in the reliability."
    )
    pairwise = PairwiseAccuracySerializer(
        many=True, help_text="Of a report on metrics: pairwise accuracy with calibrated ties."
    )
    data = serializers.DictField(  # type: ignore[assignment]
        child=serializers.JSONField(),
        help_text="`fingerprint`, `excluded`, `set_apart` and counts; of the first kind of question, and in "
        "`by_kind` of each (`scale`, `choice`, `order`, `tuples`, `errors`) where there are several.",
    )
    software = SoftwareSerializer()


class NewReportSerializer(StrictSerializer):
    replicates = serializers.IntegerField(
        default=REPLICATES, min_value=1, max_value=MOST_REPLICATES, help_text="Of each bootstrap interval."
    )
    seed = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEED,
        help_text="Of the intervals; null takes it from the data.",
    )
    pool_versions = serializers.BooleanField(default=False, help_text="All versions of a form together.")


# Reports of other kinds show drafts: rules that are not applied, alternatives that are not chosen.
FOR_VIEWERS = ("reliability", "new_raters", "metrics", "comparison", "mixed_model", "item_figures")


class ReportsView(ListAPIView[Report]):
    serializer_class = ReportSummarySerializer

    @study_operation(Act.READ, "reports_list", gives=ReportSummarySerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The study's reports, newest first."""
        return listed(self, _reports_for(access).order_by("-created_at", "-pk"))

    @study_operation(Act.VIEW, "reports_create", takes=NewReportSerializer, gives=STARTED, refuses=(409,))
    def post(self, request: Request, access: Access) -> Response:
        """Compute reliability: 202 with the job that does it."""
        given = validated(NewReportSerializer, request)
        job = request_report(study=access.study, actor=access.user, **given)
        return started(job, request)


class ReportView(APIView):
    @study_operation(Act.READ, "report_get", gives=ReportSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """A report's figures."""
        report = _reports_for(access).filter(pk=pk).first()
        if report is None:
            raise Http404
        return Response(figures_json(report))


def _reports_for(access: Access) -> QuerySet[Report]:
    reports = Report.objects.filter(study=access.study)
    return reports if access.may_view else reports.filter(kind__in=FOR_VIEWERS)
