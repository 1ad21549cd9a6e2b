"""The columns of an answer to one criterion."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.domain.questions.kinds.kind import Answer
from annotation.domain.questions.kinds.registry import cell_of
from annotation.models.base.number import NumberField
from annotation.models.questions.form import Criterion

# Arguments of `cell_of`, from the rows of ratings or final answers.
ANSWER_COLUMNS = ("criterion__kind", "value", "answer", "content")


class GivenAnswer(models.Model):
    """Exactly one of `value`, a number; `answer`, a text; and `content`, the parts of a structured answer.

    The ends of the scale are copied from the criterion, so that the database itself refuses a value
    outside them.
    """

    criterion: models.ForeignKey[Criterion]
    value = NumberField(null=True, blank=True)
    minimum = NumberField(null=True, blank=True)
    maximum = NumberField(null=True, blank=True)
    answer = models.TextField(blank=True)
    content = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.cell)

    @property
    def given(self) -> Answer:
        """The answer as its kind of question knows it."""
        return Answer(self.value, self.answer, self.content)

    @property
    def cell(self) -> float | str:
        """The answer as files and the API hold it, its `criterion` loaded."""
        return cell_of(self.criterion.kind, self.value, self.answer, self.content)


def answer_columns(criterion: Criterion, answer: Answer) -> dict[str, object]:
    """Return the columns of a new row, by name.

    Parameters
    ----------
    criterion : Criterion
        That was answered.
    answer : Answer
        As the criterion's kind checked it.
    """
    return {
        "criterion": criterion,
        "value": answer.value,
        "minimum": criterion.minimum,
        "maximum": criterion.maximum,
        "answer": answer.text,
        "content": answer.content,
    }


def answer_constraints(name: str, *, or_reason: bool = False) -> list[models.CheckConstraint]:
    """Return the database constraints of the columns of an answer.

    Parameters
    ----------
    name : str
        The beginning of the names of the constraints.
    or_reason : bool
        Whether the model has a column `reason`, which says why there is no answer, where there is none.
    """
    on_scale = Q(
        minimum__isnull=False, maximum__isnull=False, value__gte=F("minimum"), value__lte=F("maximum")
    )
    number, text, content = Q(value__isnull=False), ~Q(answer=""), Q(content__isnull=False)
    says_one = (number & ~text & ~content) | (~number & text & ~content) | (~number & ~text & content)
    if or_reason:
        says_one = (says_one & Q(reason="")) | (~number & ~text & ~content & ~Q(reason=""))
    return [
        models.CheckConstraint(condition=Q(value__isnull=True) | on_scale, name=f"{name}_within_scale"),
        models.CheckConstraint(condition=says_one, name=f"{name}_says_one_thing"),
    ]
