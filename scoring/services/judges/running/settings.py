"""How a judge answers, as its row stores it: model, samples, seed, limits and prices. Never a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, Self

from django.conf import settings as site

from annotation.domain.base.errors import InvalidContent, NotAllowedNow
from annotation.domain.base.messages import message
from annotation.models import Study
from scoring.backends.judges.chat import ChatEndpoint
from scoring.judging.budget import Price
from scoring.judging.pace import PaceRules
from scoring.selectors.judges.endpoint_key import stored_key

CHAT, MODEL = "chat", "model"
CAUSAL, CLASSIFIER = KINDS = ("causal", "classifier")
MODE = "mode"
READINGS = (MODE, "expected")
MOST_SAMPLES = 100
LONGEST_MODEL = 200
IDENTIFYING = ("model", "address", "temperature", "seed", "most_tokens")


@dataclass(frozen=True)
class ChatSettings:
    """How a chat endpoint is asked.

    Parameters
    ----------
    model
        Name of the model at the endpoint.
    address
        The endpoint, up to `/chat/completions`.
    temperature, seed, samples, most_tokens
        Settings of the answers; sample `n` is requested with the seed `seed + n - 1`.
    per_minute, attempts, patience
        Most calls a minute, most tries of one call, and seconds within which an answer must come.
    price_read, price_written, budget
        Price per million tokens and the most that may be spent, as decimal numbers; no budget if empty.
    """

    model: str
    address: str
    temperature: float = 0.0
    seed: int = 1
    samples: int = 1
    most_tokens: int = 200
    per_minute: int = 60
    attempts: int = 5
    patience: int = 60
    price_read: str = "0"
    price_written: str = "0"
    budget: str = ""

    @classmethod
    def stored(cls, settings: Mapping[str, Any]) -> Self:
        """The settings of a judge’s row."""
        return cls(**settings["chat"])

    @property
    def price(self) -> Price:
        return Price(Decimal(self.price_read), Decimal(self.price_written))

    @property
    def most_spent(self) -> Decimal | None:
        return Decimal(self.budget) if self.budget else None

    @property
    def rules(self) -> PaceRules:
        return PaceRules(per_minute=self.per_minute, attempts=self.attempts)

    @property
    def identity(self) -> dict[str, Any]:
        """Settings that answers depend on, besides prompt and sample."""
        return {name: getattr(self, name) for name in IDENTIFYING}


@dataclass(frozen=True)
class LocalSettings:
    """How a local transformer is read.

    Parameters
    ----------
    checkpoint
        `ORGANISATION/NAME@REVISION` or a folder, as of the models of scores.
    kind
        `causal` for a language model, `classifier` for labels.
    reading
        `mode` for the most probable value, `expected` for the mean weighted by probability.
    labels
        For a classifier: value of the scale by label; by default labels are named as the values.
    """

    checkpoint: str
    kind: str = CAUSAL
    reading: str = MODE
    labels: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def stored(cls, settings: Mapping[str, Any]) -> Self:
        """The settings of a judge’s row."""
        return cls(**settings["model"])

    @property
    def identity(self) -> dict[str, Any]:
        """Settings that answers depend on, besides prompt and revision."""
        return asdict(self)


def checked_chat(asked: ChatSettings) -> ChatSettings:
    """Check the settings of a chat judge.

    Parameters
    ----------
    asked : ChatSettings
        As entered.

    Raises
    ------
    InvalidContent
        `bad_model_name`, `bad_option`, `samples_need_temperature` or `price_missing`.
    """
    if not 0 < len(asked.model.strip()) <= LONGEST_MODEL:
        raise InvalidContent(message("Enter the name of the model."), code="bad_model_name")
    limits = {
        "samples": (asked.samples, 1, MOST_SAMPLES),
        "temperature": (asked.temperature, 0, 2),
        "seed": (asked.seed, 0, 2**31 - 1 - MOST_SAMPLES),
        "most_tokens": (asked.most_tokens, 1, 32_000),
        "per_minute": (asked.per_minute, 1, 6_000),
        "attempts": (asked.attempts, 1, 20),
        "patience": (asked.patience, 1, 600),
        "price_read": (_decimal(asked.price_read), 0, 50_000),
        "price_written": (_decimal(asked.price_written), 0, 50_000),
        "budget": (_decimal(asked.budget or "0"), 0, 10**9),
    }
    for name, (value, low, high) in limits.items():
        if value is None or not low <= value <= high:
            sentence = message(
                "%(name)s must be a number from %(low)s to %(high)s.", name=name, low=low, high=high
            )
            raise InvalidContent(sentence, code="bad_option", fields={name: sentence})
    if asked.samples > 1 and asked.temperature == 0:
        raise InvalidContent(
            message("At temperature 0 all samples of an item are alike. Choose 1 sample or a temperature."),
            code="samples_need_temperature",
        )
    if asked.budget and asked.price.of(1, 1) == 0:
        raise InvalidContent(
            message("Enter the price per million tokens: without it, a budget has no meaning."),
            code="price_missing",
        )
    return asked


def endpoint(study: Study, asked: ChatSettings) -> ChatEndpoint:
    """The endpoint of this installation, with the key of a study or else that of the installation.

    Parameters
    ----------
    study : Study
        The study of the judge.
    asked : ChatSettings
        Settings of the judge.

    Raises
    ------
    NotAllowedNow
        `judge_endpoint_off`: this installation has no chat endpoint, or no longer the one of the judge;
        `judge_key_unreadable`: the key of the study was encrypted with another secret key.
    ModelRefused
        `bad_judge_address`.
    """
    if not site.JUDGE_ADDRESS or asked.address != site.JUDGE_ADDRESS:
        raise NotAllowedNow(
            message(
                "This installation is not connected to the chat endpoint of the judge. An administrator sets "
                "GROUNDWORK_JUDGE_ADDRESS."
            ),
            code="judge_endpoint_off",
        )
    return ChatEndpoint(
        site.JUDGE_ADDRESS, _key_of(study), private_allowed=site.JUDGE_PRIVATE, patience=asked.patience
    )


def _key_of(study: Study) -> str:
    own = stored_key(study)
    if own is None:
        return str(site.JUDGE_KEY)
    if not own.key:
        raise NotAllowedNow(
            message(
                "The key of this study cannot be read: it was encrypted with another secret key. An owner of "
                "the study replaces it under Judges."
            ),
            code="judge_key_unreadable",
        )
    return own.key


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
