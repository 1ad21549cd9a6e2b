"""The models of a profile as callables: loaded at first use, run only for texts that are not cached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

from scoring.backends.cache import AnswerCache, Json, Remembered
from scoring.backends.checkpoints import Located, locate
from scoring.backends.classifier import Classified, Classifier
from scoring.backends.encoder import Encoder
from scoring.backends.errors import ModelRefused
from scoring.backends.inference import Compute
from scoring.backends.language_model import LanguageModel, Surprise
from scoring.backends.lexicon import Lexicon
from scoring.backends.profiles import ENCODER, LANGUAGE_MODEL, NLI, ROLES, SENTIMENT, Profile
from scoring.hauser.base.labels import Meaning
from scoring.hauser.metrics.sentiment import POLARITIES
from scoring.textmetrics.bertscore import TokenVectors

SOFTWARE = ("torch", "transformers", "tokenizers")


@dataclass(frozen=True)
class RoleState:
    """Whether the checkpoint of a role can be used."""

    role: str
    checkpoint: str
    located: Located | None = None  # Where the checkpoint is and which revision; None when there is a refusal
    refusal: ModelRefused | None = None  # Why it cannot be used


class Models:
    """The models of a profile.

    Each of `nli`, `sentiment` and `perplexity` answers from the cache and computes the rest; `encoder`
    computes always, because storing vectors costs more than computing them.

    Parameters
    ----------
    profile
        Profile with the checkpoints.
    store
        The folder that `models fetch` fills.
    compute
        Device, precision, threads and batch.
    cache
        The file of answers; None keeps none.
    """

    def __init__(
        self, profile: Profile, store: Path, compute: Compute | None = None, cache: AnswerCache | None = None
    ) -> None:
        self.profile = profile
        self._store = store
        self._compute = compute or Compute()
        self._cache = cache

    @cached_property
    def nli(self) -> Remembered[Classified]:
        """Pairs (premise, hypothesis) to probabilities of the three relations, one of them contradiction."""
        return self._classifying(NLI, labels=3, needed=("contradiction",))

    @cached_property
    def sentiment(self) -> Remembered[Classified]:
        """Texts to probabilities of two polarities."""
        return self._classifying(SENTIMENT, labels=2, needed=POLARITIES)

    @cached_property
    def perplexity(self) -> Remembered[Surprise]:
        """Texts to their perplexity."""
        located = self.located(LANGUAGE_MODEL)
        return Remembered(
            self._identity(located),
            _once(lambda: LanguageModel(located, self._compute)),
            self._cache,
            asdict,
            lambda answer: Surprise(**cast(dict[str, Any], answer)),
        )

    def encoder(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Texts to the vectors of their tokens."""
        return self._encoder(texts)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.located(ENCODER), self._compute, layer=self.profile.encoder_layer)

    def located(self, role: str) -> Located:
        """Find the checkpoint of a role, one of `ROLES`.

        Parameters
        ----------
        role
            One of `ROLES`.

        Raises
        ------
        ModelRefused
            `no_such_role` when the profile has none, and those of `locate`.
        """
        if role not in self.profile.checkpoints:
            raise ModelRefused("no_such_role", f"The profile {self.profile.name} has no model for {role}.")
        return locate(self.profile.checkpoints[role], self._store)

    def states(self) -> list[RoleState]:
        """For each role whether its files are there; nothing is loaded."""
        states = []
        for role in ROLES:
            if role not in self.profile.checkpoints:
                continue
            checkpoint = str(self.profile.checkpoints[role])
            try:
                states.append(RoleState(role, checkpoint, located=self.located(role)))
            except ModelRefused as refusal:
                states.append(RoleState(role, checkpoint, refusal=refusal))
        return states

    def try_out(self, role: str) -> None:
        """Load the model of a role and let it answer once, without the cache.

        Raises
        ------
        ModelRefused
            For any reason why it cannot be used.
        """
        models = Models(self.profile, self._store, self._compute)
        trials: dict[str, Callable[[], object]] = {
            NLI: lambda: models.nli([("It was slow.", "It was quick.")]),
            SENTIMENT: lambda: models.sentiment(["It was slow."]),
            ENCODER: lambda: models.encoder(["It was slow."]),
            LANGUAGE_MODEL: lambda: models.perplexity(["It was slow."]),
        }
        trials[role]()

    def described(self, roles: Sequence[str] = ROLES) -> dict[str, Any]:
        """What a run stores about its models, so that its scores can be computed again.

        Parameters
        ----------
        roles
            Those that the run used.

        Returns
        -------
        dict
            Profile, caution, checkpoint and revision by role, precision, device, versions of the software.
        """
        used = {role: self.located(role) for role in roles if role in self.profile.checkpoints}
        return {
            "profile": self.profile.name,
            "caution": self.profile.caution,
            "checkpoints": {
                role: {"name": located.name, "revision": located.revision} for role, located in used.items()
            },
            "encoder_layer": self.profile.encoder_layer,
            "dtype": self._compute.dtype,
            "device": self._compute.device,
            "software": installed(),
        }

    def _classifying(self, role: str, *, labels: int, needed: Sequence[Meaning]) -> Remembered[Classified]:
        located = self.located(role)
        is_lexicon = bool(self.profile.checkpoints[role].package)
        return Remembered(
            self._identity(located),
            _once(
                lambda: (
                    Lexicon(located)
                    if is_lexicon
                    else Classifier(located, self._compute, labels=labels, needed=needed)
                )
            ),
            self._cache,
            asdict,
            _classified,
        )

    def _identity(self, located: Located) -> str:
        return "|".join((located.name, located.revision, self._compute.dtype))


def installed() -> Mapping[str, str]:
    """Versions of the libraries that the models' answers depend on; those not installed are missing."""
    found = {}
    for name in SOFTWARE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _once(load: Callable[[], Any]) -> Callable[[], Any]:
    loaded: list[Any] = []

    def loading() -> Any:
        if not loaded:
            loaded.append(load())
        return loaded[0]

    return loading


def _classified(answer: Json) -> Classified:
    return Classified(**cast(dict[str, Any], answer))
