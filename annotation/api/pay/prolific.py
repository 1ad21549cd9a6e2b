"""`prolific/` and `prolific/submissions/`: the study on Prolific, and who took part there."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.enumerations import PROLIFIC_DECISION_STATES, PROLIFIC_DECISIONS, PROLIFIC_REASONS
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.errors import InvalidContent
from annotation.domain.base.messages import message
from annotation.domain.pay.prolific import Decision
from annotation.models import ProlificStudy, ProlificSubmission
from annotation.permissions import Access, Act
from annotation.selectors.pay.prolific import links_for_prolific, reviewed, submissions_of
from annotation.services.pay.prolific.draft_content import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_MINUTES,
    MOST_PLACES,
    MOST_REWARD,
    Draft,
)
from annotation.services.pay.prolific.drafts import create_draft
from annotation.services.pay.prolific.submissions import decide, request_reading

MOST_DECISIONS = 1000


class ProlificStudySerializer(serializers.Serializer[Any]):
    number = serializers.CharField(
        allow_blank=True, help_text="ID on Prolific; empty if no answer came when it was created."
    )
    status = serializers.CharField(allow_blank=True, help_text="As Prolific has it.")
    places = serializers.IntegerField()
    reward = serializers.IntegerField(help_text="In cents.")
    read_at = serializers.DateTimeField(allow_null=True)


class DraftSerializer(StrictSerializer):
    invitation = serializers.IntegerField(help_text="Number of a link for Prolific.")
    title = serializers.CharField(max_length=LONGEST_TITLE)
    description = serializers.CharField(max_length=LONGEST_TEXT)
    places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)
    reward = serializers.IntegerField(min_value=1, max_value=MOST_REWARD, help_text="In cents.")
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES)
    screen_out_reward = serializers.IntegerField(
        min_value=1, max_value=MOST_REWARD, required=False, help_text="In cents, below the reward."
    )
    screen_out_places = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, required=False)


class SubmissionSerializer(serializers.Serializer[Any]):
    submission = serializers.CharField(source="submission.number", help_text="ID on Prolific.")
    rater = serializers.CharField(
        source="submission.rater.code",
        allow_null=True,
        default=None,
        help_text="Rater code; null if no rater has the ID.",
    )
    status = serializers.CharField(source="submission.status", help_text="As Prolific has it.")
    code = serializers.CharField(source="submission.code", allow_blank=True)
    return_requested = serializers.BooleanField(source="submission.return_requested")
    proposal = serializers.ChoiceField(
        source="proposal.decision", choices=PROLIFIC_DECISIONS, allow_null=True, default=None
    )
    proposal_reason = serializers.ChoiceField(
        source="proposal.reason",
        choices=PROLIFIC_REASONS,
        allow_null=True,
        default=None,
        help_text="Null if nothing can be decided now.",
    )
    decision = serializers.ChoiceField(
        source="submission.decision", choices=PROLIFIC_DECISIONS, allow_blank=True
    )
    decision_state = serializers.ChoiceField(
        source="submission.decision_state", choices=PROLIFIC_DECISION_STATES, allow_blank=True
    )


class OneDecisionSerializer(StrictSerializer):
    submission = serializers.CharField(max_length=60, help_text="ID on Prolific.")
    decision = serializers.ChoiceField(choices=PROLIFIC_DECISIONS)


class DecisionsSerializer(StrictSerializer):
    decisions = serializers.ListField(
        child=OneDecisionSerializer(),
        required=False,
        min_length=1,
        max_length=MOST_DECISIONS,
        help_text="What you have confirmed. Without it, submissions are read and nothing is sent.",
    )


class ProlificJobSerializer(serializers.Serializer[Any]):
    job = serializers.IntegerField(help_text="Number of the job that does it.")


class ProlificView(APIView):
    @study_operation(Act.MANAGE, "prolific_study", gives=ProlificStudySerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The study on Prolific, as it was last read."""
        row = ProlificStudy.objects.filter(study=access.study).first()
        if row is None:
            raise Http404("This study has none on Prolific.")
        return Response(ProlificStudySerializer(row).data)

    @study_operation(
        Act.MANAGE,
        "prolific_draft",
        takes=DraftSerializer,
        gives={201: ProlificStudySerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Create a draft on Prolific; a person publishes it there."""
        given = validated(DraftSerializer, request)
        link = links_for_prolific(access.study).filter(pk=given.pop("invitation")).first()
        if link is None:
            sentence = message("Choose a link for Prolific.")
            raise InvalidContent(sentence, code="bad_draft", fields={"invitation": sentence})
        address = request.build_absolute_uri(reverse("join", args=[link.token]))
        row = create_draft(
            study=access.study, invitation=link, address=address, draft=Draft(**given), actor=access.user
        )
        return Response(ProlificStudySerializer(row).data, status=status.HTTP_201_CREATED)


class ProlificSubmissionsView(ListAPIView[ProlificSubmission]):
    serializer_class = SubmissionSerializer

    @study_operation(
        Act.MANAGE, "prolific_submissions", gives=SubmissionSerializer(many=True), refuses=(400,)
    )
    def get(self, request: Request, access: Access) -> Response:
        """The submissions as they were last read, with what the rules propose."""
        page = self.paginate_queryset(submissions_of(access.study)) or []
        row = ProlificStudy.objects.filter(study=access.study).first()
        shown = reviewed(page, can_screen_out=bool(row and row.screen_out_code))
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)

    @study_operation(
        Act.MANAGE,
        "prolific_submissions_decide",
        takes=DecisionsSerializer,
        gives={202: ProlificJobSerializer},
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Read the submissions from Prolific, after sending what you have confirmed."""
        wanted = {
            one["submission"]: Decision(one["decision"])
            for one in validated(DecisionsSerializer, request).get("decisions", [])
        }
        if not wanted:
            job = request_reading(study=access.study, actor=access.user)
        else:
            job = decide(study=access.study, decisions=_by_row(access, wanted), actor=access.user)
        return Response({"job": job.pk}, status=status.HTTP_202_ACCEPTED)


def _by_row(access: Access, wanted: dict[str, Decision]) -> dict[int, Decision]:
    found = ProlificSubmission.objects.filter(study=access.study, number__in=list(wanted))
    rows = dict(found.values_list("number", "pk"))
    unknown = next((number for number in wanted if number not in rows), None)
    if unknown is not None:
        sentence = message(
            "There is no submission %(number)s. Read the submissions first.", number=repr(unknown)
        )
        raise InvalidContent(sentence, code="unknown_submission", fields={"decisions": sentence})
    return {rows[number]: decision for number, decision in wanted.items()}
