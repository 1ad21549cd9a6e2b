"""`judges/models/`, `judges/chats/` and runs: judges that answer by a model."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.conf import settings as site
from django.shortcuts import get_object_or_404
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.permissions import Access, Act
from scoring.api.base.jobs import STARTED, JobSerializer, job_json, started
from scoring.api.judges.serializers import TAGS, JudgeSerializer, NotesFields, notes_of
from scoring.backends.checkpoints import checkpoint_in_store
from scoring.models import Judge
from scoring.selectors.judges.run_state import run_state
from scoring.services.judges.judge_storing import LONGEST_NAME
from scoring.services.judges.running.adding import add_chat_judge, add_model_judge, chat_settings
from scoring.services.judges.running.asking import WAYS_THAT_RUN
from scoring.services.judges.running.permission import allow_texts, forbid_texts
from scoring.services.judges.running.runs import request_run
from scoring.services.judges.running.settings import (
    CAUSAL,
    CHAT,
    KINDS,
    LONGEST_MODEL,
    MOST_SAMPLES,
    READINGS,
    ChatSettings,
    LocalSettings,
)
from scoring.services.judges.running.shown import shown_prompts

OF_ONE_FORM = "Keys of criteria of one form; `FORM:KEY` where two forms have the same key."
AMOUNT: dict[str, Any] = {"max_digits": 12, "decimal_places": 6, "min_value": 0}


class CriteriaField(serializers.ListField):
    """Names of at least one criterion."""

    child = serializers.CharField(max_length=200)

    def __init__(self) -> None:
        super().__init__(allow_empty=False, max_length=100, help_text=OF_ONE_FORM)


class CheckpointSerializer(StrictSerializer):
    checkpoint = serializers.CharField(
        max_length=LONGEST_MODEL,
        help_text="A folder in the folder of models, or `ORGANISATION/NAME@REVISION`.",
    )


class ModelJudgeSerializer(NotesFields, CheckpointSerializer):
    name = serializers.CharField(max_length=LONGEST_NAME)
    criteria = CriteriaField()
    kind = serializers.ChoiceField(KINDS, default=CAUSAL)
    reading = serializers.ChoiceField(
        list(READINGS), default=READINGS[0], help_text="The most probable value, or the mean."
    )
    labels = serializers.DictField(
        child=serializers.CharField(max_length=80),
        required=False,
        help_text="For a classifier: value of the scale by label.",
    )


class ChatJudgeSerializer(NotesFields, StrictSerializer):
    name = serializers.CharField(max_length=LONGEST_NAME)
    model = serializers.CharField(max_length=LONGEST_MODEL, help_text="Its name at the endpoint.")
    criteria = CriteriaField()
    samples = serializers.IntegerField(default=ChatSettings.samples, min_value=1, max_value=MOST_SAMPLES)
    temperature = serializers.FloatField(default=ChatSettings.temperature, min_value=0, max_value=2)
    seed = serializers.IntegerField(default=ChatSettings.seed, min_value=0, max_value=2**30)
    most_tokens = serializers.IntegerField(default=ChatSettings.most_tokens, min_value=1, max_value=32_000)
    per_minute = serializers.IntegerField(default=ChatSettings.per_minute, min_value=1, max_value=6_000)
    price_read = serializers.DecimalField(**AMOUNT, default=Decimal(0), help_text="Of a million tokens.")
    price_written = serializers.DecimalField(**AMOUNT, default=Decimal(0), help_text="Of a million tokens.")
    budget = serializers.DecimalField(
        **AMOUNT, required=False, help_text="In the unit of the prices; without it there is no limit."
    )


class PermissionSerializer(StrictSerializer):
    consent_names_it = serializers.BooleanField(
        default=False,
        help_text="The consent form says that texts of items are sent to an outside model, and to whom.",
    )


class JudgeRunSerializer(serializers.Serializer[Any]):
    n_items = serializers.IntegerField()
    planned = serializers.IntegerField(help_text="Calls that it takes to ask about every item.")
    asked = serializers.IntegerField(help_text="Calls that were made.")
    answered = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="Calls that were given up; the next run makes them again.")
    answers = serializers.IntegerField(help_text="Answers to single criteria.")
    without = serializers.DictField(
        child=serializers.IntegerField(), help_text="Criteria without an answer, by reason."
    )
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    spent = serializers.CharField(help_text="Cost at most, in the unit of the prices.")
    failures = serializers.IntegerField(help_text="Tries without an answer.")
    repeated = serializers.IntegerField(help_text="Calls made again after a run was killed.")


class JudgeStateSerializer(serializers.Serializer[Any]):
    judge = JudgeSerializer()
    run = JudgeRunSerializer(allow_null=True, help_text="Null for a judge of a file or a metric.")
    job = JobSerializer(allow_null=True, help_text="The newest run.")
    prompts = serializers.ListField(
        child=serializers.CharField(), help_text="What the judge is asked about the first item."
    )


class ModelJudgesView(APIView):
    @study_operation(
        Act.EDIT,
        "judges_create_model",
        tags=TAGS,
        takes=ModelJudgeSerializer,
        gives={201: JudgeSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add a judge that is a model in the folder of models; it answers nothing before it runs."""
        given = validated(ModelJudgeSerializer, request)
        judge = add_model_judge(
            study=access.study,
            notes=notes_of(given),
            criteria=given["criteria"],
            asked=LocalSettings(
                checkpoint_in_store(given["checkpoint"], site.MODEL_FOLDER),
                given["kind"],
                given["reading"],
                given.get("labels", {}),
            ),
            actor=access.user,
        )
        return Response(JudgeSerializer(judge).data, status=status.HTTP_201_CREATED)


class ChatJudgesView(APIView):
    @study_operation(
        Act.OWN,
        "judges_create_chat",
        tags=TAGS,
        takes=ChatJudgeSerializer,
        gives={201: JudgeSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Add a judge at the chat endpoint of this installation; nothing is sent yet."""
        given = validated(ChatJudgeSerializer, request)
        amounts = {
            name: f"{given[name]:f}" for name in ("price_read", "price_written", "budget") if name in given
        }
        numbers = ("samples", "temperature", "seed", "most_tokens", "per_minute")
        asked = chat_settings(given["model"], **{name: given[name] for name in numbers}, **amounts)
        judge = add_chat_judge(
            study=access.study,
            notes=notes_of(given),
            criteria=given["criteria"],
            asked=asked,
            actor=access.user,
        )
        return Response(JudgeSerializer(judge).data, status=status.HTTP_201_CREATED)


class JudgePermissionView(APIView):
    @study_operation(
        Act.OWN,
        "judges_allow_texts",
        tags=TAGS,
        takes=PermissionSerializer,
        gives=JudgeSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Allow that instructions, rubric and texts of items are sent to the endpoint of a chat judge."""
        judge = _chat_judge(access, pk)
        given = validated(PermissionSerializer, request)
        judge = allow_texts(judge=judge, actor=access.user, **given)
        return Response(JudgeSerializer(judge).data)

    @study_operation(Act.OWN, "judges_forbid_texts", tags=TAGS, gives={204: None})
    def delete(self, request: Request, access: Access, pk: int) -> Response:
        """Withdraw the permission; a run in progress ends before its next call."""
        forbid_texts(judge=_chat_judge(access, pk), actor=access.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeRunView(APIView):
    @study_operation(Act.EDIT, "judges_run", tags=TAGS, gives=STARTED, refuses=(409,))
    def post(self, request: Request, access: Access, pk: int) -> Response:
        """Start or continue a judge that answers by a model: 202 with the job, which can be cancelled."""
        judge = get_object_or_404(Judge.objects.select_related("study"), study=access.study, pk=pk)
        return started(request_run(judge=judge, actor=access.user), request)


def state_of(judge: Judge, request: Request) -> dict[str, Any]:
    """A judge with its run, its newest job and its prompts; those of a model that runs only."""
    if judge.way not in WAYS_THAT_RUN:
        return {"judge": judge, "run": None, "job": None, "prompts": []}
    state, item = run_state(judge), judge.study.items.order_by("position", "pk").first()
    return {
        "judge": judge,
        "run": state,
        "job": job_json(state.job, request) if state.job else None,
        "prompts": shown_prompts(judge, item) if item else [],
    }


def _chat_judge(access: Access, pk: int) -> Judge:
    return get_object_or_404(Judge, study=access.study, pk=pk, way=CHAT)
