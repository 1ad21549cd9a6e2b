"""`judges/`: automatic judges, their import and their comparison with raters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as site
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.parsers import BoundedUploadParser
from annotation.api.base.requests import UploadSerializer, validated
from annotation.api.base.strict import StrictSerializer
from annotation.api.base.uploads import taken
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.api.data.stored_tables import StoredTablesSerializer, stored_tables
from scoring.api.judges.model_judges import CheckpointSerializer, JudgeStateSerializer, state_of
from scoring.api.judges.serializers import TAGS, JudgeSerializer, NotesFields, notes_of
from scoring.backends.checkpoints import checkpoint_in_store
from scoring.models import Judge, ScoreRun
from scoring.selectors.base.reports import latest_report
from scoring.selectors.judges.judge_pages import KIND
from scoring.services.judges.judge_report import request_judges
from scoring.services.judges.judge_storing import LONGEST_NAME, delete_judge
from scoring.services.judges.metric_judges import judge_of_metric
from scoring.services.judges.running.changing import change_model
from scoring.services.judges.scores_as_answers import Mapped
from scoring.stats.judges.alternative_annotator import EPSILONS

MOST = 2**31 - 1
MAPPED = [(one.value, one.value) for one in Mapped]
VALUES = (
    "`answers` that a rater can give; `numbers` between the ends of the scale; or scores on another scale, "
    "which get the `quantiles` of the ratings."
)


class MetricJudgeSerializer(NotesFields, StrictSerializer):
    name = serializers.CharField(max_length=LONGEST_NAME)
    run = serializers.IntegerField(min_value=1, max_value=MOST, help_text="ID of a scoring run.")
    metric = serializers.CharField(max_length=60)
    criterion = serializers.CharField(max_length=200, help_text="Key of a criterion with a scale.")
    values = serializers.ChoiceField(MAPPED, default=Mapped.QUANTILES.value, help_text=VALUES)


class JudgeFileSerializer(NotesFields, UploadSerializer):
    name = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="Without it, the column `judge` names the judges.",
    )
    values = serializers.ChoiceField(MAPPED, required=False, help_text=f"{VALUES} Default: `answers`.")


class JudgesImportedSerializer(serializers.Serializer[Any]):
    judges = serializers.ListField(child=serializers.IntegerField(), help_text="IDs of the new judges.")


class JudgeReportSerializer(StoredTablesSerializer):
    method = serializers.DictField(help_text="`epsilon`, `replicates` and `seed`.")
    criteria = serializers.ListField(child=serializers.CharField())
    judges = serializers.ListField(child=serializers.DictField(), help_text="How each judge came about.")
    agreement = serializers.ListField(
        child=serializers.DictField(),
        help_text="Pearson r with the mean rating; an empty `judge` is one rater with the others.",
    )
    test = serializers.ListField(
        child=serializers.DictField(),
        help_text="The alternative annotator test; `constant` rows are those of one value for every item.",
    )
    means = serializers.ListField(
        child=serializers.DictField(), help_text="Of each system by raters, by a judge, and combined."
    )
    orders = serializers.ListField(
        child=serializers.DictField(), help_text="Pairs of systems that a judge orders against the ratings."
    )
    sizes = serializers.ListField(child=serializers.DictField(), help_text="Ratings per item of a criterion.")
    option_criteria = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Single choices and paired comparisons."
    )
    option_agreement = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Share of raters with the same answer (`exact`); corrected for chance: `kappa` or `s`.",
    )
    option_test = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="As `test`, of `option_criteria`."
    )
    bias = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Of pairs: how often judge and raters prefer the first text, the longer one, or that of a "
        "system.",
    )
    both_orders = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Pairs that a judge judged in both orders."
    )
    calibration = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Of the probabilities of a judge."
    )
    bins = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="Confidence and share correct by bin."
    )
    soft_labels = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Distances of a judge’s distribution from that of the raters; `constant` rows are those of "
        "one distribution for every item.",
    )
    not_compared = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Criteria that a judge answered and that are not compared, with the code of the `reason`.",
    )


class JudgeReportRequestSerializer(StrictSerializer):
    epsilon = serializers.FloatField(
        default=EPSILONS["crowd"], help_text="By how much a judge may be behind a rater: 0 to below 1."
    )


class JudgesView(ListAPIView[Judge]):
    serializer_class = JudgeSerializer

    @study_operation(Act.READ, "judges_list", tags=TAGS, gives=JudgeSerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """The automatic judges of a study."""
        return listed(self, Judge.objects.filter(study=access.study).order_by("pk"))

    @study_operation(
        Act.EDIT,
        "judges_create",
        tags=TAGS,
        takes=MetricJudgeSerializer,
        gives={201: JudgeSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add a judge whose answers are the scores of a stored metric."""
        given = validated(MetricJudgeSerializer, request)
        judge = judge_of_metric(
            run=get_object_or_404(ScoreRun, study=access.study, pk=given["run"]),
            metric=given["metric"],
            criterion=given["criterion"],
            mapped=Mapped(given["values"]),
            notes=notes_of(given),
            actor=access.user,
        )
        return Response(JudgeSerializer(judge).data, status=status.HTTP_201_CREATED)


class JudgeImportsView(APIView):
    parser_classes = [BoundedUploadParser]

    @study_operation(
        Act.EDIT,
        "judges_import",
        tags=TAGS,
        takes=JudgeFileSerializer,
        gives={201: JudgesImportedSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add the judges of a file."""
        given = validated(JudgeFileSerializer, request)
        options = {**vars(notes_of(given)), "mapped": given.get("values") or Mapped.ANSWERS.value}
        return taken(request, act="judgements", study=access.study, options=options, answer=_imported)


class JudgeView(APIView):
    @study_operation(Act.VIEW, "judges_get", tags=TAGS, gives=JudgeStateSerializer, refuses=(422,))
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """A judge, how far its runs have come, and what it is asked about the first item."""
        judge = get_object_or_404(Judge.objects.select_related("study"), study=access.study, pk=pk)
        return Response(JudgeStateSerializer(state_of(judge, request)).data)

    @study_operation(
        Act.EDIT,
        "judges_change_model",
        tags=TAGS,
        takes=CheckpointSerializer,
        gives=JudgeSerializer,
        refuses=(409,),
    )
    def patch(self, request: Request, access: Access, pk: int) -> Response:
        """Let another local model answer for a judge that has no answer yet."""
        judge = get_object_or_404(Judge.objects.select_related("study"), study=access.study, pk=pk)
        given = validated(CheckpointSerializer, request)
        checkpoint = checkpoint_in_store(given["checkpoint"], site.MODEL_FOLDER)
        return Response(
            JudgeSerializer(change_model(judge=judge, checkpoint=checkpoint, actor=access.user)).data
        )

    @study_operation(Act.EDIT, "judges_delete", tags=TAGS, gives={204: None})
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Delete a judge with all of its answers."""
        delete_judge(judge=get_object_or_404(Judge, study=access.study, pk=pk), actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeReportView(APIView):
    @study_operation(Act.READ, "judges_report_get", tags=TAGS, gives=JudgeReportSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The newest comparison of judges with raters; 404 before the first."""
        body = stored_tables(access.study, latest_report(access.study, KIND))
        return Response(JudgeReportSerializer(body).data)

    @study_operation(
        Act.VIEW,
        "judges_report_compute",
        tags=TAGS,
        takes=JudgeReportRequestSerializer,
        gives=STARTED,
        refuses=(422,),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Compare the judges with the raters: 202 with the job that does it."""
        given = validated(JudgeReportRequestSerializer, request)
        job = request_judges(study=access.study, actor=access.user, epsilon=given["epsilon"])
        return started(job, request)


def _imported(outcome: Mapping[str, Any]) -> Response:
    return Response({"judges": outcome["judges"]}, status=status.HTTP_201_CREATED)
