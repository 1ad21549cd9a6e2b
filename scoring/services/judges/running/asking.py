"""Asking a model about one item: a chat endpoint, or a local transformer."""

from __future__ import annotations

import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Protocol, cast

from django.conf import settings

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.domain.questions.kinds.kind import Answer, Question
from annotation.models import Item
from scoring.backends.checkpoints import Checkpoint, locate
from scoring.backends.inference import Compute, Dtype
from scoring.backends.judges.chat import Options
from scoring.backends.judges.local import CausalJudge, Distribution, Reading, SequenceJudge
from scoring.models import Judge, JudgeCall
from scoring.services.judges.running.permission import check_allowed
from scoring.services.judges.running.prompts import AskedForm
from scoring.services.judges.running.settings import (
    CAUSAL,
    CHAT,
    MODEL,
    READINGS,
    ChatSettings,
    LocalSettings,
    endpoint,
)
from scoring.services.judges.running.storing import Called, Outcome, outcomes_of_text, outcomes_without_answer


class Asker(Protocol):
    """A model as a run asks it."""

    samples: int
    # Settings that the answers depend on, besides prompt and sample.
    identity: dict[str, Any]

    def prompt_digest(self, item: Item) -> str:
        """Equal for equal prompts."""

    def highest_cost(self, item: Item) -> Decimal:
        """What a call about an item can cost at most."""

    def check(self, judge: Judge) -> None:
        """Refuse a call that may not be made now; the judge is as its row is."""

    def ask(self, item: Item, call: JudgeCall, check: Callable[[], None]) -> Called:
        """Make one call; `check` is called before anything is sent."""


class ChatAsker:
    """A chat endpoint."""

    def __init__(self, judge: Judge, form: AskedForm) -> None:
        self.asked = ChatSettings.stored(judge.settings)
        self.samples = self.asked.samples
        self.identity = self.asked.identity
        self._form = form
        self._endpoint = endpoint(judge.study, self.asked)
        self._options = Options(self.asked.model, self.asked.temperature, self.asked.most_tokens)

    def prompt_digest(self, item: Item) -> str:
        return self._form.prompt(item).digest

    def highest_cost(self, item: Item) -> Decimal:
        prompt = self._form.prompt(item)
        # The marks of a chat around the two messages are tokens, too.
        return self.asked.price.of(prompt.bytes + 50, self.asked.most_tokens)

    def check(self, judge: Judge) -> None:
        """Refuse as `check_allowed` and `endpoint`; a key that was replaced meanwhile is sent from now on."""
        check_allowed(judge)
        self._endpoint = endpoint(judge.study, self.asked)

    def ask(self, item: Item, call: JudgeCall, check: Callable[[], None]) -> Called:
        prompt = self._form.prompt(item)
        found = self._endpoint.complete(prompt, self._options, self.asked.seed + call.sample - 1, check=check)
        if found.reason:
            outcomes = outcomes_without_answer(self._form, found.reason)
        else:
            outcomes = outcomes_of_text(found.text, self._form, item)
        read, written = found.tokens_read, found.tokens_written
        counted = read is not None and written is not None
        return Called(
            outcomes,
            raw=found.text,
            tokens_in=read,
            tokens_out=written,
            milliseconds=round(found.seconds * 1000),
            cost=self.asked.price.of(read or 0, written or 0) if counted else self.highest_cost(item),
        )


class LocalAsker:
    """A local transformer; it is loaded at its first call."""

    samples = 1

    def __init__(self, judge: Judge, form: AskedForm) -> None:
        self.asked = LocalSettings.stored(judge.settings)
        self._form = form
        self._located = locate(Checkpoint.parsed(self.asked.checkpoint), settings.MODEL_FOLDER)
        known = judge.settings.get("revision", self._located.revision)
        if known != self._located.revision:
            raise NotAllowedNow(
                message("The checkpoint of this judge has changed since it began. Add a new judge."),
                code="other_model",
            )
        self.revision = self._located.revision
        self.identity = {**self.asked.identity, "revision": self.revision, "dtype": settings.MODEL_DTYPE}
        self._model: CausalJudge | SequenceJudge | None = None

    def prompt_digest(self, item: Item) -> str:
        return self._form.prompt(item).digest

    def highest_cost(self, item: Item) -> Decimal:  # noqa: ARG002
        return Decimal(0)

    def check(self, judge: Judge) -> None:
        """Refuse nothing, because no text leaves the installation."""

    def ask(self, item: Item, call: JudgeCall, check: Callable[[], None]) -> Called:  # noqa: ARG002
        check()
        begun = time.monotonic()
        outcomes = {question.key: self._outcome(question, item) for question in self._form.questions}
        return Called(outcomes, milliseconds=round((time.monotonic() - begun) * 1000))

    def _outcome(self, question: Question, item: Item) -> Outcome:
        found = self._distribution(question, item)
        if found.reason:
            return Outcome(None, found.reason)
        value = found.read(cast(Reading, self.asked.reading))
        # The mean lies between the points of the scale.
        if self.asked.reading == READINGS[1]:
            return Outcome(Answer(value=float(value)), probabilities=found.probabilities)
        answer = question.kind.checked(question, value, item.fields)
        return Outcome(answer, probabilities=found.probabilities)

    def _distribution(self, question: Question, item: Item) -> Distribution:
        compute = Compute(
            settings.MODEL_DEVICE, cast(Dtype, settings.MODEL_DTYPE), settings.MODEL_THREADS or None
        )
        if self.asked.kind == CAUSAL:
            causal = (
                self._model if isinstance(self._model, CausalJudge) else CausalJudge(self._located, compute)
            )
            self._model = causal
            return causal(self._form.prompt_of(question.key, item).as_text, question.options)
        labels = self._model if isinstance(self._model, SequenceJudge) else None
        self._model = labels or SequenceJudge(self._located, question.options, self.asked.labels, compute)
        return self._model([self._form.plain_text(item)])[0]


def checked_local(asked: LocalSettings, form: AskedForm) -> LocalSettings:
    """Check the settings of a local judge against its criteria.

    Parameters
    ----------
    asked : LocalSettings
        As entered.
    form : AskedForm
        The criteria.

    Raises
    ------
    InvalidContent
        `one_criterion` for a classifier with several, `bad_option`, or `no_points` where a criterion has no
        points or, for means, points that are no numbers.
    ModelRefused
        `bad_checkpoint_name`.
    """
    Checkpoint.parsed(asked.checkpoint)
    if asked.reading not in READINGS:
        raise InvalidContent(message("The reading is “mode” or “expected”."), code="bad_option")
    if asked.kind != CAUSAL and len(form.criteria) > 1:
        raise InvalidContent(
            message("A classifier answers one criterion. Add a judge for each."), code="one_criterion"
        )
    for question in form.questions:
        if question.kind.continuous or len(question.options) < 2:
            raise InvalidContent(
                message("“%(name)s” has no points between which a model chooses.", name=question.name),
                code="no_points",
            )
        if asked.reading == READINGS[1] and question.minimum is None:
            raise InvalidContent(
                message("Only scales of numbers have a mean; “%(name)s” has none.", name=question.name),
                code="no_points",
            )
    return asked


def asker_of(judge: Judge, form: AskedForm) -> Asker:
    """What a judge asks.

    Parameters
    ----------
    judge : Judge
        Judge of the way `chat` or `model`.
    form : AskedForm
        Criteria of the judge.

    Raises
    ------
    GroundworkError
        The endpoint or the checkpoint cannot be used.
    """
    return ChatAsker(judge, form) if judge.way == CHAT else LocalAsker(judge, form)


WAYS_THAT_RUN = (CHAT, MODEL)
