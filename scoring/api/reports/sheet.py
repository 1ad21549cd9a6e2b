"""`sheet/`: the human evaluation sheet of a study, and what its members answer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.base.operations import study_operation
from annotation.api.base.requests import validated
from annotation.api.base.strict import StrictSerializer
from annotation.domain.base.limits import LONGEST_REMARK
from annotation.permissions import Access, Act
from annotation.services.studies.texts.evaluation_sheet import save_sheet
from scoring.bundle.release.heds import sheet_json
from scoring.selectors.reports.heds.sheet import stored_sheet
from scoring.services.reports.release_state import release_state

MOST = 2**31 - 1
# Of the reference: a section of more than 100 addresses does not show them all.
SECTION = ["publication"]


class SheetAnswerSerializer(StrictSerializer):
    choice = serializers.CharField(
        max_length=40,
        allow_blank=True,
        default="",
        help_text="Code of an option, where the question has some.",
    )
    text = serializers.CharField(max_length=LONGEST_REMARK, allow_blank=True, default="")


class NewSheetSerializer(StrictSerializer):
    answers = serializers.DictField(
        child=SheetAnswerSerializer(),
        help_text="All answers of members by question, such as `3.1.2`; those about a criterion as "
        "`4.1.1:form:criterion`. Answers that are not sent are removed.",
    )
    seen = serializers.IntegerField(
        min_value=0,
        max_value=MOST,
        required=False,
        help_text="`revision` of an earlier answer: 409 if another was saved.",
    )


class SheetSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField(help_text="How often answers were saved.")
    answers = serializers.DictField(help_text="What members answered, as it can be sent.")
    n_open = serializers.IntegerField(help_text="Questions that nobody answered.")
    sheet = serializers.DictField(help_text="The filled sheet, as `heds.json` of bundles has it.")


class SheetView(APIView):
    @study_operation(Act.VIEW, "sheet_get", tags=SECTION, gives=SheetSerializer)
    def get(self, request: Request, access: Access) -> Response:
        """The sheet, filled from the study and by its members, with contact details."""
        return _answer(access)

    @study_operation(
        Act.EDIT,
        "sheet_set",
        tags=SECTION,
        takes=NewSheetSerializer,
        gives=SheetSerializer,
        refuses=(409, 422),
    )
    def put(self, request: Request, access: Access) -> Response:
        """Replace all answers of members."""
        save_sheet(study=access.study, actor=access.user, **validated(NewSheetSerializer, request))
        return _answer(access)


def _answer(access: Access) -> Response:
    stored = stored_sheet(access.study)
    found = release_state(access.study, with_pay=access.may_manage).sheet
    body = {
        "revision": stored.revision,
        "answers": stored.answers,
        "n_open": found.n_open,
        "sheet": sheet_json(found, study=access.slug, title=access.study.title),
    }
    return Response(SheetSerializer(body).data)
