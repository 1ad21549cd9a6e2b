"""`runs/`: scoring runs of a study and their settings."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from annotation.api.base.operations import listed, study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, started
from scoring.hauser.components.extractors import BUILT_IN
from scoring.models import ScoreRun
from scoring.services.similes.corpus_curves import request_corpus
from scoring.services.similes.knowledge_bases import DEMO_BASE
from scoring.services.similes.score_runs import request_scores
from scoring.services.similes.score_settings import COMPONENTS, FROM_DATA, REFERENCE_SETS, settings_of_members
from scoring.textmetrics.registry import METRICS


class NewRunSerializer(StrictSerializer):
    profile = serializers.CharField(default="embedded", max_length=60)
    knowledge_base = serializers.CharField(default=DEMO_BASE, max_length=64)
    weights = serializers.CharField(
        default="3/6,2/6,1/6",
        max_length=60,
        help_text="Weights of relevance, logical and sentiment consistency: 3 numbers or fractions.",
    )
    extractor = serializers.CharField(default=BUILT_IN, max_length=120)
    metrics = serializers.ListField(child=serializers.ChoiceField(choices=tuple(METRICS)), default=list)
    reference_set = serializers.ChoiceField(choices=REFERENCE_SETS, default="group")
    components = serializers.ChoiceField(
        choices=COMPONENTS,
        default=FROM_DATA,
        help_text="`raters`: components that most raters marked as tuples.",
    )


class RunSummarySerializer(serializers.Serializer[ScoreRun]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    profile = serializers.CharField()
    signature = serializers.CharField(allow_blank=True)
    caution = serializers.CharField(
        allow_blank=True, help_text="Warning to show with the scores; empty for none."
    )
    revision = serializers.IntegerField(help_text="How often the run was completed; 0 if never.")
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, run: ScoreRun) -> str:
        slug = self.context["view"].kwargs["slug"]
        return str(reverse("api_score_run", args=[slug, run.pk], request=self.context["request"]))


class RunSerializer(RunSummarySerializer):
    made_with = serializers.DictField(
        child=serializers.JSONField(), help_text="Checkpoints, knowledge base, weights, extractor, software."
    )


class RunsView(ListAPIView[ScoreRun]):
    serializer_class = RunSummarySerializer

    @study_operation(Act.VIEW, "runs_list", gives=RunSummarySerializer(many=True), refuses=(400,))
    def get(self, request: Request, access: Access) -> Response:
        """Scoring runs of the study, newest first."""
        runs = ScoreRun.objects.filter(study=access.study).order_by("-created_at", "-pk")
        return listed(self, runs)

    @study_operation(Act.VIEW, "runs_create", takes=NewRunSerializer, gives=STARTED, refuses=(422,))
    def post(self, request: Request, access: Access) -> Response:
        """Score the items of the study. Returns 202 with the job."""
        given = validated(NewRunSerializer, request)
        asked = settings_of_members(base=given.pop("knowledge_base"), **given)
        job = request_scores(study=access.study, actor=access.user, asked=asked)
        return started(job, request)


class CorpusSerializer(StrictSerializer):
    knowledge_base = serializers.CharField(
        default="", max_length=64, help_text="Empty for the knowledge base of the run."
    )
    samples = serializers.IntegerField(default=5, help_text="Samples per size, 3 to 50.")


class RunCorpusView(APIView):
    @study_operation(Act.VIEW, "run_corpus", takes=CorpusSerializer, gives=STARTED, refuses=(422,))
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Correlate scores with ratings by corpus size. Returns 202 with the job that creates a report."""
        run = get_object_or_404(ScoreRun, study=access.study, pk=pk)
        given = validated(CorpusSerializer, request)
        job = request_corpus(
            run=run, actor=access.user, base=given["knowledge_base"], samples=given["samples"]
        )
        return started(job, request)


class RunView(APIView):
    @study_operation(Act.VIEW, "run_get", gives=RunSerializer)
    def get(self, request: Request, access: Access, pk: int) -> Response:
        """A scoring run and its settings."""
        run = ScoreRun.objects.filter(study=access.study, pk=pk).first()
        if run is None:
            raise Http404
        return Response(RunSerializer(run, context={"view": self, "request": request}).data)
