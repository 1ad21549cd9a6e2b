"""`studies/<study>/texts/`: title, description and instructions of an open or paused study."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.fields import LongTextField
from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_REASON, LONGEST_TITLE
from annotation.permissions import Access, Act
from annotation.selectors.questions.wording_change import WordingChange
from annotation.services.studies.texts.open_texts import change_open_texts, preview_texts, texts_digest

SAME, NEW = "same", "new"


class TranslatedOpenTextsSerializer(StrictSerializer):
    title = serializers.CharField(max_length=LONGEST_TITLE, required=False, allow_blank=True)
    description = LongTextField(allow_blank=True, required=False)
    instructions = LongTextField(allow_blank=True, required=False)


class OpenTextsSerializer(StrictSerializer):
    """Texts that are not sent do not change."""

    title = serializers.CharField(max_length=LONGEST_TITLE, required=False)
    description = LongTextField(allow_blank=True, required=False)
    instructions = LongTextField(allow_blank=True, required=False)
    translations = serializers.DictField(
        child=TranslatedOpenTextsSerializer(), required=False, help_text="Language → translated texts."
    )
    meaning = serializers.ChoiceField(
        choices=[SAME, NEW],
        required=False,
        help_text="Needed for changed instructions under which raters answered: `same` for a correction, "
        "`new` for a new version of each form.",
    )
    preview = serializers.BooleanField(required=False, help_text="Only report the effects.")
    reason = serializers.CharField(required=False, max_length=LONGEST_REASON, help_text="For the audit log.")
    seen = serializers.CharField(
        required=False,
        max_length=64,
        help_text="`state` of an earlier answer: 409 if the texts have changed since.",
    )


class FormEffectSerializer(serializers.Serializer[Any]):
    form = serializers.SlugField()
    version = serializers.CharField(help_text="Number as a new version.")
    correction = serializers.CharField(help_text="Number as a correction.")
    responses = serializers.IntegerField(help_text="Responses so far.")
    used = serializers.IntegerField(help_text="Responses that statistics use now.")
    to_come = serializers.IntegerField(help_text="Rating slots that no response fills yet.")


class TextsChangedSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    instructions = serializers.CharField(allow_blank=True)
    state = serializers.CharField(help_text="Of the texts as they are now; send it as `seen`.")
    effects = FormEffectSerializer(
        many=True, help_text="Forms with responses whose raters read other instructions from now on."
    )


class OpenTextsView(APIView):
    @study_operation(
        Act.MANAGE,
        "study_texts_change",
        takes=OpenTextsSerializer,
        gives=TextsChangedSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, access: Access) -> Response:
        """Change title, description and instructions while raters work in the study."""
        given = validated(OpenTextsSerializer, request)
        translations = given.pop("translations", {})
        meaning, reason = given.pop("meaning", None), given.pop("reason", "")
        only_preview, seen = given.pop("preview", False), given.pop("seen", "")
        effects = preview_texts(study=access.study, texts=given, translations=translations).forms
        study = access.study
        if not only_preview:
            study = change_open_texts(
                study=study,
                actor=access.user,
                texts=given,
                translations=translations,
                correction=None if meaning is None else meaning == SAME,
                reason=reason,
                seen=seen,
            )
        rows = [_effect(form.key, change) for form, change in effects]
        changed = {**vars(study), "state": texts_digest(study), "effects": rows}
        return Response(TextsChangedSerializer(changed).data)


def _effect(form: str, change: WordingChange) -> dict[str, Any]:
    return {
        "form": form,
        "version": change.version,
        "correction": change.correction,
        "responses": change.n_responses,
        "used": change.n_used,
        "to_come": change.to_come,
    }
