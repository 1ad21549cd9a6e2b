"""`rate/<study>/consent/` and `…/about-you/`: consent and demographic questions."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from annotation.api.base.operations import operation
from annotation.api.base.requests import validated
from annotation.api.rating.rate import RaterView
from annotation.api.rating.rate_pages import rater_of
from annotation.api.rating.rate_serializers import (
    AboutYouAnswersSerializer,
    AboutYouSerializer,
    AgainSerializer,
    RaterConsentSerializer,
)
from annotation.domain.questions.text_languages import consent_translations
from annotation.models import Rater, RaterKind
from annotation.selectors.people.demographics import unanswered_questions
from annotation.services.people.consent import agree_again, is_asked_again
from annotation.services.people.demographics import answer_questions


class ConsentView(RaterView):
    @operation("rate_consent", gives=RaterConsentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The current consent form."""
        return Response(RaterConsentSerializer(_consent_of(rater_of(request, slug))).data)

    @operation("rate_agree_again", takes=AgainSerializer, gives=RaterConsentSerializer, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        """Accept a newer version of the consent form."""
        rater = rater_of(request, slug)
        given = validated(AgainSerializer, request)
        if rater.kind == RaterKind.PERSON:
            rater = agree_again(
                rater=rater,
                number=given["consent_number"],
                interface_language=given.get("interface_language", ""),
            )
        return Response(RaterConsentSerializer(_consent_of(rater)).data)


class AboutYouView(RaterView):
    @operation("rate_questions", gives=AboutYouSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The demographic questions that are still open."""
        return Response(AboutYouSerializer({"questions": unanswered_questions(rater_of(request, slug))}).data)

    @operation(
        "rate_answer_questions", takes=AboutYouAnswersSerializer, gives=AboutYouSerializer, refuses=(409, 422)
    )
    def post(self, request: Request, slug: str) -> Response:
        """Answer the questions once; null for “prefer not to say”."""
        rater = rater_of(request, slug)
        given = validated(AboutYouAnswersSerializer, request)
        rater = answer_questions(rater=rater, answers=given["answers"])
        return Response(AboutYouSerializer({"questions": unanswered_questions(rater)}).data)


def _consent_of(rater: Rater) -> dict[str, Any]:
    return {
        "consent": rater.study.consent,
        "consent_number": rater.study.consent_number,
        "agreed_number": rater.consent_number,
        "asked_again": is_asked_again(rater),
        "translations": consent_translations(rater.study.translations),
    }
